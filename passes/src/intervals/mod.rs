//! Interval analysis of whole programs.
//!
//! Cousot and Cousot's interval analysis (*Static Determination of Dynamic Properties of Programs*,
//! 1976). A value has two intervals, unsigned and in two's complement, each of which reduces the
//! other; so a wrap-around loses at most one of them. This is similar to wrapped intervals (Navas,
//! Schachte, Søndergaard, Stuckey, *Signedness-Agnostic Program Analysis*, APLAS 2012), but a
//! product of two domains. An operation whose result may not fit its type yields the full range.
//!
//! * Sweeps in reverse postorder run until no range grows. At loop heads, parameters of functions,
//!   results and scalar regions, growing ranges are widened to the constants of the function and
//!   their neighbors; then some sweeps without widening narrow the ranges. The delay of widening
//!   and the number of narrowing sweeps are parameters ([`Widening`]).
//! * The condition of a branch (comparisons of values and of extended values, conjunctions) holds
//!   in the blocks that its edge dominates.
//! * Arguments, results and scalar regions each have one range for the whole program. Other memory
//!   has no ranges.
//! * The result is used only if one more sweep finds no value outside of it, so it is inductive.
//!
//! [`disjunction`] has unions of ranges, with the same operators.
//!
//! The pass [`narrow`](crate::transform::narrow) and the [auxiliary invariants](crate::invariants)
//! use the analysis.
//!
//! Cost: a few sweeps over the program; each evaluates each term once for each block that uses it.
//! Limits: bit vectors of at most 64 bits; no relations between values.

mod analysis;
mod conditions;
pub(crate) mod disjunction;
mod range;

pub(crate) use analysis::{Analysis, Facts, Widening};
pub(crate) use range::{Abstract, Range};
