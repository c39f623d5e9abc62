//! Benchmarks of the overhead of the traits over the solvers' own interfaces. Not part of the tool.
//!
//! * `cargo bench -p hornwork-backend-benches --bench overhead`: many small checks, through the
//!   trait and by direct calls.
//! * `cargo bench -p hornwork-backend-benches --bench translation`: nodes per second translated
//!   into a solver.
//! * `cargo bench -p hornwork-backend-benches --bench sat`: the search of `craig` and CaDiCaL, on
//!   the same clauses.
//! * `cargo bench -p hornwork-backend-benches --bench linear`: the linear arithmetic of `craig`.
//!
//! Both sides alternate in one process, and the fastest of several runs counts, measured by CPU
//! time: the machine may be busy with other processes.

pub mod direct;
pub mod propositional;
pub mod workload;

use backends::ProverFactory;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// A solver, through both interfaces.
pub struct Subject {
    /// The factory of the trait.
    pub factory: Box<dyn ProverFactory>,
    /// Runs the checks of a [`workload`] through the solver's own interface; returns the number of
    /// satisfiable ones.
    pub direct: fn(workload::Theory, u32) -> u32,
}

/// All solvers.
pub fn subjects() -> Vec<Subject> {
    vec![
        Subject { factory: Box::new(backend_yices::factory()), direct: direct::yices::run },
        Subject { factory: Box::new(backend_z3::factory()), direct: direct::z3::run },
        Subject { factory: Box::new(backend_cvc5::factory()), direct: direct::cvc5::run },
    ]
}

/// Returns the CPU time of `work`, in all threads of the process, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = processor_time();
    let result = work();
    (processor_time().saturating_sub(start), result)
}

fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).expect("less than a second"))
}
