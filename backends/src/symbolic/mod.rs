//! Symbolic abstraction: the best conjunction of a domain that a formula implies, from models.
//!
//! | module | what |
//! |---|---|
//! | [`affine`] | the hull of points: linear equations over the rationals and modulo powers of two |
//! | `literals` | comparisons and atoms of numbers of any sort |

pub mod affine;
mod lattice;
mod literals;

pub use literals::{atoms, halves, integer, is_numeric, less_equal, numeral, representation};
