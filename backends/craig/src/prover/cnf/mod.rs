//! From terms to clauses and atoms.
//!
//! Boolean terms and the bits of bit vectors become signals of one graph of gates, gates become clauses when they are needed,
//! and what belongs to a theory becomes atoms of the [`Combination`](super::theory::Combination).
//!
//! | module | what |
//! |---|---|
//! | [`gates`] | Boolean functions with sharing |
//! | [`bits`] | the operators of bit vectors as gates |
//! | [`clauses`] | gates as clauses, each with a tag that says what it is about |
//! | [`translate`] | terms as signals, words and nodes |
//! | [`reading`] | literals as terms again |

pub mod bits;
pub mod clauses;
pub mod gates;
pub mod reading;
#[cfg(test)]
mod tests;
pub mod translate;
