//! cvc5 as a [`Prover`], and its SyGuS engine as a source of interpolants.
//!
//! * **Logic by need.** cvc5 chooses its procedures by the logic it is told, and refuses what lies outside. This prover logs
//!   what is asserted and makes the solver at the first check, for the smallest logic of what was translated so far; when a later
//!   formula needs more, the solver is made anew from the log, which costs 0.25 ms and the assertions. Terms belong to a
//!   *manager* that lives as long as the prover, so nothing is translated again.
//! * **After a fault or a limit** the solver is made anew too: what a check leaves behind that was ended while it preprocessed is
//!   not specified.
//! * **Constant arrays** are those of values; one of another term is [`Reason::Unsupported`].
//! * **Cores** need solvers that track preprocessing, which is not done by default. The first time that a core is asked for, the check is
//!   repeated by a solver that keeps them, and that one stays.
//! * **Limits.** `tlimit-per` can be set between checks and is kept within milliseconds also by bit-blasting; a check that ran into
//!   it is [`Reason::Timeout`]. The library has no call that ends a check, so an
//!   [`Interrupt`](backends::Interrupt) is looked at between slices of a check that double from 200 ms on (`slices`): it is heard late, and
//!   a long check that may be interrupted takes up to three times as long. A worker process hears at once. Quantifier
//!   elimination and interpolation have the same limits.
//! * **Stack.** cvc5 recurses over the depth of terms, so work on deep terms runs on a thread with a large stack.
//! * **Cost** (of the processor, on a busy machine; benches of `backends/benches`, and `examples/overhead.rs`): 10,000 small push,
//!   assert, check, pop over integers take 2.8 s, 1.4 times the direct calls without models (1.5 with a limit of time), and 14 s
//!   over 32-bit vectors, as the direct calls. This prover always keeps models; in the example, where both sides do, it
//!   is no slower. Translation runs at 0.7 to 0.9 million nodes a second, which is the library itself: 1.02 to 1.25 times
//!   the calls that make the same terms. Chains of 100,000 bit-vector operations are not decided within 20 s; they end at
//!   the limit of time.
//! * **What ends the process**: nothing that was found by trying in ordinary use, since 1.4.0 turns exceptions into errors (`ffi`);
//!   running out of memory does.
//! * **Limits of the theories.** Values of reals are rational, so a model with a root of 2 is [`Reason::Unsupported`]. Floats of
//!   formats other than binary32 and binary64, and constant arrays, are called experimental by cvc5.
//! * **Licence.** cvc5 is under BSD-3-Clause. The library that `scripts/setup.sh` fetches is the build without parts under the GPL;
//!   it loads GMP, MPFR and libpoly, which are under the LGPL-3.0-or-later, as shared libraries that can be replaced.

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

/// Makes cvc5 provers.
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
        "BSD-3-Clause (with shared libraries under LGPL-3.0-or-later: GMP, MPFR, libpoly)"
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

    /// `logic` is not looked at: what a formula really needs decides (see the crate documentation).
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(prover::Cvc5Prover::new(limits)?))
    }
}
