//! Symbolic abstraction: computes the strongest conjunction of an abstract domain that a formula
//! entails, from models.
//!
//! | module | contents |
//! |---|---|
//! | [`affine`] | the hull of points: linear equations over the rationals and modulo powers of two |
//! | `literals` | comparisons and atoms of numbers of any sort |

pub mod affine;
mod lattice;
mod literals;

pub use literals::{
    atoms, halves, integer, is_numeric, less_equal, numeral, representation, without_common_parts,
};
