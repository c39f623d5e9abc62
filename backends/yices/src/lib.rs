//! Yices 2 as a [`Prover`], and its model interpolation as the source `mcsat`.
//!
//! * **Architecture on demand.** A Yices context is built for a fixed combination of theory
//!   solvers, and small combinations are much faster: the bit-blasting solver alone, the simplex
//!   solver alone. The prover logs assertions and creates the context at the first check, for
//!   exactly the theories that occur; when a later assertion needs more, the context is rebuilt
//!   from the log. An interrupted context is rebuilt in the same way, and so is one created without
//!   scopes when the first scope is opened.
//! * **Nonlinear arithmetic** needs MCSAT, the other architecture of Yices. It supports neither
//!   assumptions (they are asserted in a scope, and the core is the set of all of them) nor arrays
//!   except those that are only read. Irrational values in a model are [`Reason::Unsupported`]. So
//!   is division by anything but a constant: in SMT-LIB a quotient by zero is an arbitrary but
//!   fixed function of the dividend, and Yices has no such function.
//! * **Threads.** The library is built without thread safety; a process-wide lock (see `ffi`)
//!   admits one thread at a time. Checks of different provers of one process therefore do not run
//!   in parallel.
//! * **Stack.** Yices recurses over the depth of terms, so work on deep terms runs on a thread with
//!   a large stack.
//! * **Time limits** are enforced by a watchdog, except while Yices internalizes (bit-blasts)
//!   assertions, and within steps of MCSAT's algebra. A worker process can be killed in these
//!   phases.
//! * **Hard bit-vector queries** go to the SAT solver `y2sat` after a moment. It cannot be
//!   interrupted, so it runs in a copy of the process, which is killed at a limit. A process with
//!   more than a gigabyte of memory is not copied; there, the first solver goes on.
//! * **Memory.** Yices terms are never collected; when memory is exhausted, the library ends the
//!   process.
//!
//! `translate` lists the unsupported constructs.

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

/// Creates Yices provers.
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
                "UninterpretedSorts",
            ],
            unsat_cores: Support::Full,
            models: Support::Full,
            projection: Support::Full,
            ..Capabilities::default()
        }
    }

    /// Ignores `logic`: the formulas themselves determine the solvers (see the crate
    /// documentation), and unsupported formulas are rejected when they are asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(YicesProver::new(limits)))
    }
}
