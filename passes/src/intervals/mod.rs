//! Interval analysis of whole programs.
//!
//! Cousot and Cousot's interval analysis (*Static Determination of Dynamic Properties of Programs*, 1976) of the whole program. A value has two
//! intervals, as a natural number and in two's complement, each of which makes the other one smaller; so wrapping around costs at most one of
//! them, as in wrapped intervals (Navas, Schachte, Søndergaard and Stuckey, *Signedness-Agnostic Program Analysis*, APLAS 2012) but as a product
//! of two domains. An operation whose result does not fit its type may yield anything.
//!
//! * Sweeps in reverse postorder, until nothing grows. At loop heads, parameters of functions, results and scalar regions growing ranges are widened
//!   to the constants of the function, one more or less; then some sweeps without widening make them smaller. How long widening waits and how
//!   many sweeps follow is the caller's choice ([`Widening`]).
//! * What a branch says about values (comparisons of values and of extended values, conjunctions) holds in the blocks that its edge dominates.
//! * What crosses functions (arguments, results, scalar regions) is one range for the whole program. Other memory may hold anything.
//! * The result is used only if one more sweep finds nothing outside of it: it is inductive.
//!
//! Used by the pass [`narrow`](crate::transform::narrow) and as [auxiliary invariants](crate::invariants).
//!
//! Cost: a few sweeps over the program, each term once for each block in which it is used.
//! Limits: bit vectors of at most 64 bits; no relations between values.

mod analysis;
mod conditions;
mod range;

pub(crate) use analysis::{Analysis, Facts, Widening};
pub(crate) use range::{Abstract, Range};
