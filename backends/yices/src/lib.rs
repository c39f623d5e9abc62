//! Yices 2 as a [`Prover`], and its model interpolation as the source `mcsat`.
//!
//! * **Architecture by need.** A Yices context is built for a fixed combination of theory solvers, and the small ones are
//!   much faster: the bit-blasting solver alone, the simplex solver alone. The prover logs what is asserted and makes the
//!   context at the first check, for exactly the theories that occur; when a later assertion needs more, the context is
//!   rebuilt from the log. The same rebuilding replaces a context that was interrupted, and one that was made without
//!   scopes when the first scope is opened.
//! * **Nonlinear arithmetic** needs MCSAT, the other architecture of Yices. It knows neither assumptions (they are asserted in
//!   a scope, and the core is all of them) nor arrays other than those that are only read. Irrational numbers of a model
//!   are [`Reason::Unsupported`]. Division by anything but a constant is, too: a quotient by zero is any number in SMT-LIB, but the
//!   same one each time, and Yices has no such function.
//! * **Threads.** The library is built without thread safety; a process-wide lock (see `ffi`) lets one thread in at a
//!   time. Checks of different provers of one process therefore do not run in parallel.
//! * **Stack.** Yices recurses over the depth of terms, so work on deep terms runs on a thread with a large stack.
//! * **Limits of time** are kept by a watchdog, except while Yices internalises (bit-blasts) assertions, and in the midst of MCSAT's
//!   algebra. A worker process ends what does not end by itself.
//! * **Hard bit-vector queries** go to the SAT solver `y2sat` after a moment, which cannot be stopped: a deadline of the whole
//!   run has to be kept from outside then. Checks with a limit of their own are never given to it.
//! * **Memory.** Yices terms are never collected; when memory runs out the library ends the process.
//!
//! What cannot be expressed is listed in `translate`.

mod arrays;
mod features;
mod ffi;
mod mcsat;
mod model;
mod prover;
mod read;
mod translate;
mod value;

#[cfg(test)]
mod tests;

pub use mcsat::{Guard, McsatConfig, interpolators, unguarded_interpolator};

use backends::{Capabilities, Limits, Prover, ProverFactory, Reason, Support};
use prover::YicesProver;

/// The factory of this backend.
pub fn factory() -> YicesFactory {
    YicesFactory
}

/// Makes Yices provers.
#[derive(Clone, Copy, Debug, Default)]
pub struct YicesFactory;

impl ProverFactory for YicesFactory {
    fn name(&self) -> &'static str {
        "yices"
    }

    fn version(&self) -> String {
        ffi::version()
    }

    fn license(&self) -> &'static str {
        "GPL-3.0-or-later"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: vec![
                "Core",
                "Ints",
                "Reals",
                "NonlinearInts",
                "NonlinearReals",
                "FixedSizeBitVectors",
                "ArraysEx",
                "UF",
            ],
            unsat_cores: Support::Full,
            models: Support::Full,
            projection: Support::Full,
            ..Capabilities::default()
        }
    }

    /// `logic` is not looked at: what a formula really needs decides (see the crate documentation), and what is out of
    /// reach is refused when it is asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(YicesProver::new(limits)))
    }
}
