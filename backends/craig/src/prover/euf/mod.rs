//! Congruence closure with explanations.
//!
//! The owner makes [`Node`]s, each a leaf, a value, or a function applied to nodes, and tells which are equal and which
//! are not, each fact with a *reason*, a number that means something to the owner. [`Congruence`] closes this under
//! congruence, says which watched equations follow, and why; all facts of a level are taken back by
//! [`Congruence::backtrack`], while nodes stay.
//!
//! | module | what |
//! |---|---|
//! | `congruence` | classes, the table of signatures, levels |
//! | `forest` | the proof forest: which facts make two nodes equal |
//! | `certificate` | the structured proof, and a checker of its own |

mod certificate;
mod congruence;
mod forest;
#[cfg(test)]
mod tests;

pub use certificate::{
    Certificate, CertificateError, Chain, Contradiction, Fact, Facts, Step, certify, check,
};
pub use congruence::{Application, Conflict, Congruence, Consequence, Node, Watch};
