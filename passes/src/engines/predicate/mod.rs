//! Predicate analysis: one analysis, several algorithms.
//!
//! The composite of *A Unifying View on SMT-Based Software Verification*, §3–4: CPA++ (`algorithm`) over abstract states of
//! Location, Callstack, ARG, Loop-Bound and Predicate CPA, inside of CEGAR (Algorithm 4): it explores until it is done or an
//! abstract state is at a target, and the refinement shows that the target is reached or that it is not. Which algorithm this is depends
//! on its operators ([`Config`]); names for combinations are [`presets`].
//!
//! | module | what |
//! |---|---|
//! | [`config`], [`presets`], [`options`] | operators, algorithms, operators as options |
//! | `algorithm`, `arg`, `waitlist` | CPA++, `reached` as a graph, `waitlist` |
//! | `formulas` | block formulas in the theories of the solver, and sequences of them |
//! | [`abstraction`], [`precision`] | predicates, regions, Boolean and Cartesian abstraction, coverage |
//! | `refinement` | counterexamples, facts, strategies, forced covering |
//! | `proof` | invariants from the graph |
//! | `dump` | the graph to look at |
//!
//! *Evidence.* When nothing is left to explore, the abstraction formulas of a location, but for those of covered states, are an invariant in
//! disjunction, and all of them together are inductive (`proof`). The interpreter replays a feasible
//! counterexample, or one that bounded model checking finds up to the number of iterations in it, see [`run`].
//!
//! *Targets* are errors and what is not supported alike: a proof shows that neither is reached. Where an execution reaches something that is
//! not supported, the answer cannot be TRUE; errors are looked for on.
//!
//! Limits: calls are inlined, so recursive programs have no such analysis. Memory that lives across the ends of blocks needs an encoding with
//! arrays. `blk = never` without loops unrolled is bounded model checking, whose engine is [`bmc`](crate::engines::bmc).

pub mod abstraction;
pub(crate) mod algorithm;
pub(crate) mod arg;
pub mod config;
mod dump;
pub(crate) mod formulas;
pub mod options;
pub mod precision;
pub mod presets;
mod proof;
pub(crate) mod refinement;
mod run;
pub mod solving;
pub(crate) mod waitlist;

pub use config::Config;
pub use run::{Observer, Refinement, Report, Settings, run};
pub use solving::{Cost, Statistics};
