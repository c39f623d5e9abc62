//! Predicate analysis: one configurable analysis for several algorithms.
//!
//! The composite analysis of Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018, §3–4: CPA++ (`algorithm`) over abstract states of the Location,
//! Callstack, ARG, Loop-Bound and Predicate CPA, inside CEGAR (Algorithm 4). CPA++ explores until
//! the waitlist is empty or an abstract state is at a target; the refinement then shows that the
//! target is reachable or excludes the abstract counterexample. The operators ([`Config`])
//! determine the algorithm; [`presets`] name combinations of them.
//!
//! | module | content |
//! |---|---|
//! | [`config`], [`presets`], [`options`] | operators, algorithms, operators as command-line options |
//! | `algorithm`, `arg`, `waitlist` | CPA++, `reached` as a graph, `waitlist` |
//! | `formulas` | block formulas in the theories of the solver, and sequences of them |
//! | `memory` | memory as functions: the translation of queries |
//! | [`abstraction`], [`precision`] | predicates, regions, Boolean and Cartesian abstraction, coverage |
//! | `duplicates`, `groups` | equivalent predicates, and independent ones |
//! | [`restrictions`] | bounds on iterations, on the length of paths and on calls |
//! | `refinement` | counterexamples, abstract facts, refinement strategies, forced covering |
//! | `injected`, `injection` | auxiliary invariants in precisions, block formulas and abstraction formulas |
//! | [`reuse`] | saved precisions in names of the source, and conditions as initial predicates |
//! | `shared`, `sharing` | predicates and candidates of other runs on the same program |
//! | `proof` | invariants from the graph |
//! | `dump` | the graph in Graphviz format |
//!
//! *Evidence.* When the waitlist is empty, the disjunction of the abstraction formulas of the
//! uncovered states at a location is an invariant, and all these invariants together are inductive
//! (`proof`). The interpreter replays a feasible counterexample. If the replay fails, bounded model
//! checking searches for one up to the number of loop iterations in it, see [`run`].
//!
//! *Targets* are errors and unsupported constructs: a proof shows that neither is reachable. If an
//! unsupported construct is reachable, TRUE is not possible, but the search for errors continues.
//!
//! Limits: calls are inlined, so recursive programs are analyzed only up to a recursion depth.
//! Memory that is live at the end of a block cannot be a function in an encoding with quantifiers;
//! without them, each query is translated (`memory`). `blk = never` without
//! unrolled loops is bounded model checking, whose engine is [`bmc`](crate::engines::bmc).

pub mod abstraction;
pub(crate) mod algorithm;
pub(crate) mod arg;
pub mod config;
mod dump;
mod duplicates;
pub(crate) mod formulas;
mod groups;
mod injected;
mod injection;
pub(crate) mod memory;
pub mod options;
pub mod precision;
pub mod presets;
mod proof;
pub(crate) mod refinement;
pub mod restrictions;
pub mod reuse;
mod run;
mod shared;
mod sharing;
pub mod solving;
pub(crate) mod waitlist;

pub use config::Config;
pub use run::{Observer, Refinement, Report, Settings, run};
pub use solving::{Cost, ReuseStatistics, Statistics};
