//! One trait for every solver.
//!
//! A [`Prover`] decides formulas of an [`terms::TermPool`]; a [`ProverFactory`] makes provers and says what they
//! can do. Interpolation hangs on [`Refutation`], which borrows the prover and exists only right after `Unsat`, so
//! asking for an interpolant at any other moment does not compile. See `DESIGN` §5.
//!
//! The pool is an argument of every call and never borrowed by an [`Outcome`], so that a caller may build new terms
//! while it looks at a model, and an interpolant can be written into the very pool that holds the formulas. A prover
//! serves *one* pool: it caches what it translated by [`Term`](terms::Term).
//!
//! | module | what |
//! |---|---|
//! | [`interpolation`] | sources of interpolants, strategies over them, certificates, provers that interpolate |
//! | [`worker`] | solvers in child processes, which may crash or never return |
//! | [`wrappers`] | provers around provers: checked models, records of queries, statistics |
//! | [`all_sat`] | all models over given literals; minimal cores |
//! | [`support`] | what packages of solvers share: translation with a cache, stacks for deep terms |
//! | [`symbolic`] | symbolic abstraction by models: affine hulls |
//! | [`conformance`] | the suite that every solver and source passes |

pub mod all_sat;
mod capabilities;
pub mod conformance;
pub mod effort;
mod evaluate;
pub mod interpolation;
mod limits;
mod log;
mod prover;
mod reason;
mod registry;
pub mod support;
pub mod symbolic;
pub mod worker;
pub mod wrappers;

pub use capabilities::{Capabilities, Support, THEORIES};
pub use limits::{Interrupt, Limits};
pub use log::SharedLog;
pub use prover::{Model, Outcome, Prover, ProverFactory, Refutation, Status, Wrapper};
pub use reason::Reason;
pub use registry::{Registry, newton};
