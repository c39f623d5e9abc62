//! cvc5 as a [`Prover`], and its SyGuS engine as a source of interpolants.
//!
//! * **Logic on demand.** cvc5 selects its procedures by the declared logic, and rejects everything
//!   outside of it. This prover logs assertions and creates the solver at the first check, for the
//!   smallest logic of the terms translated so far. When a later formula needs more, the solver is
//!   rebuilt from the log, which costs 0.25 ms and the assertions. Terms belong to a *manager* that
//!   lives as long as the prover, so nothing is translated twice.
//! * **After a fault or a limit** the solver is rebuilt too: the state of a check that was ended
//!   during preprocessing is unspecified.
//! * **Constant arrays** must contain values; a constant array of another term is
//!   [`Reason::Unsupported`].
//! * **Cores** need solvers that track preprocessing, which is off by default. At the first query
//!   for a core, the check is repeated by a solver that tracks it, and that solver stays.
//! * **Limits.** `tlimit-per` can be set between checks and is respected within milliseconds, also
//!   by bit-blasting; a check that reaches it is [`Reason::Timeout`]. The library cannot interrupt
//!   a check, so an [`Interrupt`](backends::Interrupt) is polled between slices of a check that
//!   double from 200 ms on (`slices`): the reaction is late, and a long interruptible check takes
//!   up to three times as long. A worker process reacts immediately. Quantifier elimination and
//!   interpolation have the same limits.
//! * **Stack.** cvc5 recurses over the depth of terms, so work on deep terms runs on a thread with
//!   a large stack.
//! * **Cost** (CPU time on a busy machine; benches of `backends/benches`, and
//!   `examples/overhead.rs`): 10,000 small push, assert, check, pop over integers take 2.8 s, 1.4
//!   times the direct calls without models (1.5 with a time limit), and 14 s over 32-bit vectors,
//!   the same as the direct calls. This prover always keeps models; in the example, where both
//!   sides do, it is no slower. Translation processes 0.7 to 0.9 million nodes per second,
//!   dominated by the library: 1.02 to 1.25 times the calls that create the same terms. Chains of
//!   100,000 bit-vector operations are not decided within 20 s; they end at the time limit.
//! * **Process termination.** No ordinary use is known to end the process, since 1.4.0 turns
//!   exceptions into errors (`ffi`); running out of memory does.
//! * **Limits of the theories.** Values of reals are rational, so a model with a square root of 2
//!   is [`Reason::Unsupported`]. cvc5 calls floats of formats other than binary32 and binary64, and
//!   constant arrays, experimental.
//! * **License.** cvc5 is under BSD-3-Clause. The library that `scripts/setup.sh` fetches is built
//!   without GPL parts; it loads GMP, MPFR and libpoly, which are under the LGPL-3.0-or-later, as
//!   replaceable shared libraries.

mod ffi;
mod model;
mod prover;
mod read;
mod slices;
mod sygus;
mod translate;
mod value;

#[cfg(test)]
mod tests;

pub use sygus::{Sygus, SygusFactory, interpolators};

use backends::{Capabilities, Limits, Prover, ProverFactory, Reason, Support};

/// The factory of this backend.
pub fn factory() -> Cvc5Factory {
    Cvc5Factory
}

/// Creates cvc5 provers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cvc5Factory;

impl ProverFactory for Cvc5Factory {
    fn name(&self) -> &'static str {
        "cvc5"
    }

    fn version(&self) -> String {
        ffi::version()
    }

    fn license(&self) -> &'static str {
        "BSD-3-Clause (shared libraries GMP, MPFR and libpoly: LGPL-3.0-or-later)"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: backends::THEORIES.to_vec(),
            unsat_cores: Support::Full,
            models: Support::Full,
            quantifiers: Support::Full,
            quantifier_elimination: Support::Full,
            projection: Support::None,
        }
    }

    /// Ignores `logic`: the formulas themselves determine the logic (see the crate documentation).
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(prover::Cvc5Prover::new(limits)?))
    }
}
