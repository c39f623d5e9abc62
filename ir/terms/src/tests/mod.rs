//! Tests of terms.

mod equivalence;
mod floats;
mod large;
mod printing;
mod quantifiers;
mod reading;
mod rules;
mod signatures;
mod values;
mod z3;
