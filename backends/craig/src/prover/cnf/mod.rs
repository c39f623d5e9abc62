//! Translation of terms to clauses and atoms.
//!
//! Boolean terms and the bits of bit vectors become signals of one graph of gates. Gates become
//! clauses on demand, and theory terms become atoms of the
//! [`Combination`](super::theory::Combination).
//!
//! | module | content |
//! |---|---|
//! | [`gates`] | Boolean functions with sharing |
//! | [`bits`] | bit-vector operators as gates |
//! | [`clauses`] | gates as clauses, each with a tag that states its origin |
//! | [`translate`] | terms as signals, words and nodes |
//! | [`reading`] | back translation of literals to terms |

pub mod bits;
pub mod clauses;
pub mod gates;
pub mod reading;
#[cfg(test)]
mod tests;
pub mod translate;
