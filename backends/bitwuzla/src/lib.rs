//! Bitwuzla as a [`Prover`] for bit vectors, floats, arrays and functions, and its interpolation as
//! the source `bitwuzla`.
//!
//! * **The library** is the extension module that Bitwuzla's authors publish for Python:
//!   `scripts/setup.sh` fetches it and compiles the C interface `shim/bitwuzla.cpp` next to it,
//!   within seconds. It is loaded when the first prover is created (`ffi`); if it is missing or has
//!   another version, the answer is [`Reason::Unsupported`].
//! * **A log of assertions.** The prover passes assertions to the solver at the next check. After a
//!   fault or a limit the solver is rebuilt from the log; terms live as long as the prover, so
//!   nothing is translated twice.
//! * **Limits.** A watchdog raises a flag that the library polls, also while it preprocesses and
//!   bit-blasts. Reading a proof into an interpolant does not poll; the worker process ends it.
//! * **Theories.** `translate` lists the unsupported constructs. Quantifiers over bit vectors,
//!   floats, arrays and functions are instantiated by models and may not terminate.
//! * **License.** Bitwuzla is under the MIT license. The published module also contains CaDiCaL
//!   (MIT), SymFPU, and GMP, which is under the LGPL-3.0-or-later; it remains a replaceable file.

mod ffi;
mod interpolation;
mod model;
mod prover;
mod read;
mod translate;
mod value;

#[cfg(test)]
mod tests;

pub use interpolation::{BitwuzlaInterpolator, BitwuzlaInterpolatorFactory, interpolators};

use backends::{Capabilities, Limits, Prover, ProverFactory, Reason, Support};

/// The factory of this backend.
pub fn factory() -> BitwuzlaFactory {
    BitwuzlaFactory
}

/// Creates Bitwuzla provers.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitwuzlaFactory;

impl ProverFactory for BitwuzlaFactory {
    fn name(&self) -> &'static str {
        "bitwuzla"
    }

    fn version(&self) -> String {
        ffi::VERSION.to_owned()
    }

    fn license(&self) -> &'static str {
        "MIT (contains GMP: LGPL-3.0-or-later)"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: vec!["Core", "FixedSizeBitVectors", "FloatingPoint", "ArraysEx", "UF"],
            unsat_cores: Support::Full,
            models: Support::Full,
            quantifiers: Support::Full,
            ..Capabilities::default()
        }
    }

    /// Ignores `logic`: unsupported formulas are rejected when they are asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(prover::BitwuzlaProver::new(limits)?))
    }
}
