//! Tests of terms.

mod equivalence;
mod large;
mod printing;
mod rules;
mod values;
