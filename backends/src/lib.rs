//! Solver-independent interface to SMT solvers.
//!
//! A [`Prover`] decides formulas of a [`terms::TermPool`]; a [`ProverFactory`] creates provers and
//! describes their capabilities. Interpolation is a method of [`Refutation`], which borrows the
//! prover and exists only directly after `Unsat`, so requesting an interpolant in any other state
//! does not compile.
//!
//! The pool is an argument of every call, and no [`Outcome`] borrows it: a caller may build new
//! terms while it holds a model, and interpolants are written into the pool that holds the
//! formulas. A prover serves *one* pool, because it caches translations by [`Term`](terms::Term).
//!
//! | module | contents |
//! |---|---|
//! | [`interpolation`] | sources of interpolants, strategies over them, certificates, interpolating provers |
//! | [`child`] | a child process with pipes, under limits |
//! | [`worker`] | solvers in child processes, which may crash or hang |
//! | [`wrappers`] | provers around provers: checked models, recorded queries, statistics |
//! | [`minimize`] | delta debugging of formulas |
//! | [`all_sat`] | enumeration of all models over given literals; minimal cores |
//! | [`support`] | code shared by the solver packages: cached translation, stacks for deep terms, time limits |
//! | [`symbolic`] | symbolic abstraction from models: affine hulls |
//! | [`conformance`] | the test suite that every solver and every source of interpolants passes |

pub mod all_sat;
mod capabilities;
pub mod child;
mod clauses;
pub mod conformance;
pub mod effort;
mod evaluate;
pub mod gauge;
pub mod interpolation;
mod limits;
mod log;
pub mod minimize;
mod prover;
mod reason;
mod registry;
pub mod support;
pub mod symbolic;
pub mod worker;
pub mod wrappers;

pub use capabilities::{Capabilities, Support, THEORIES};
pub use clauses::{Fact, HornAnswer, HornSolver};
pub use evaluate::{Evaluation, evaluate};
pub use limits::{Interrupt, Limits};
pub use log::SharedLog;
pub use prover::{Model, Outcome, Placement, Prover, ProverFactory, Refutation, Status, Wrapper};
pub use reason::Reason;
pub use registry::{Registry, newton};
