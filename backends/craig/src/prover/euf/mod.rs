//! Congruence closure with explanations.
//!
//! The owner creates [`Node`]s, each a leaf, a value, or a function applied to nodes, and asserts
//! equalities and disequalities between them. Each fact has a *reason*, a number that the owner
//! interprets. [`Congruence`] closes the facts under congruence, reports implied watched equations,
//! and explains them. [`Congruence::backtrack`] retracts all facts of a level; nodes persist.
//!
//! | module | content |
//! |---|---|
//! | `congruence` | classes, the table of signatures, levels |
//! | `forest` | the proof forest: the facts that make two nodes equal |
//! | `certificate` | structured proofs and an independent checker |

mod certificate;
mod congruence;
mod forest;
#[cfg(test)]
mod tests;

pub use certificate::{
    Certificate, CertificateError, Chain, Contradiction, Fact, Facts, Step, certify, check,
};
pub use congruence::{Application, Conflict, Congruence, Consequence, Node, Watch};
