//! Tests of terms.

mod equivalence;
mod floats;
mod large;
mod printing;
mod rules;
mod values;
