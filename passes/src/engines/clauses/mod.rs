//! Engines over Horn systems.
//!
//! Each is a [`HornSolver`](backends::HornSolver): it answers with an interpretation of the
//! relations or with facts from which a derivation can be built. Neither is trusted:
//! [`models`](crate::models) checks interpretations, and
//! [`derivation`] builds derivations, which are checked by evaluation.
//!
//! | module | contents |
//! |---|---|
//! | [`derivation`] | derivations from facts |
//! | `literals` | the literals of cubes |
//! | [`pdr`] | property-directed reachability |
//! | [`predicate`] | predicate abstraction with tree interpolants |
//! | `progressions` | generalization of formulas that differ only in numbers |
//! | [`templates`] | invariants from templates |
//! | [`tpa`] | transition power abstraction |
//! | [`unrolling`] | bounded model checking |

pub mod derivation;
mod literals;
pub mod pdr;
pub mod predicate;
mod progressions;
pub mod templates;
pub mod tpa;
pub mod unrolling;

#[cfg(test)]
mod tests;
