//! Interpolants from a proof.
//!
//! # Idea
//! A refutation whose leaves belong to parts has an interpolant for each cut of the tree of parts into a subtree and the rest, by one
//! pass from the leaves to the end (`label`). For this each leaf and each literal has to be of one side, so first the
//! proof is made *local* (`derivation`): lemmas of theories that speak of several parts are proved again, by steps none of
//! which is mixed, over atoms that may be new (`equality`), or are sums whose summands are local (`number`).
//!
//! All cuts are made in one local proof, and each of its literals has one owner, a node of the tree. That makes
//! interpolants of trees (see [`Labelling`]).
//!
//! | module | what |
//! |---|---|
//! | `span` | in which parts a term can be said |
//! | `derivation` | the local proof |
//! | `equality`, `number` | lemmas of theories as steps of it |
//! | `foreign` | names out of place, eliminated |
//! | `label` | partial interpolants |
//! | `simplify` | smaller formulas that say the same |
//! | `source` | the prover's proofs as a source of interpolants |
//!
//! # Sources
//! D'Silva, Kroening, Purandare, Weissenbacher, *Interpolant Strength*, VMCAI 2010, for the systems; Gurfinkel, Rollini, Sharygina,
//! *Interpolation Properties and SAT-Based Model Checking*, ATVA 2013, for families of them.
//!
//! # Cost
//! Linear in the local proof for each cut, with terms that share their parts, and what [`TermPool`] needs to build them. Where names
//! are eliminated, what that costs: exponential in the worst case.
//!
//! # Limits
//! What is mixed and is not made local, such as literals over names that are in no part together, and cuts of integers with premises of several
//! parts, costs an elimination of names; where this is not possible, as for arguments of functions, it is refused with
//! [`Reason::Unsupported`].

mod derivation;
mod equality;
mod foreign;
mod label;
mod number;
pub(crate) mod simplify;
mod source;
mod span;
#[cfg(test)]
mod tests;

pub use source::{Proofs, ProofsFactory};

use crate::prover::arith::{self, Reason32};
use crate::prover::euf::{self, Node};
use crate::prover::proof::{Proof, Step};
use crate::prover::sat::Variable;
use backends::interpolation::{Problem, Strength};
use backends::{Limits, Reason};
use terms::{Term, TermPool};

/// How strong interpolants are: on which side literals count that both sides know.
///
/// # Trees
/// A family of such systems makes interpolants of trees if at each node, of its children and the rest of the tree, no one has a literal
/// for itself, or one does and for all others it belongs to the other side. McMillan's and the symmetric system have this
/// property.
///
/// DIVERGENCE: the inverse of McMillan's has it for paths only, as two children may both claim a literal. Here the
/// subtree with the first part that knows the literal has it. For paths this is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Labelling {
    /// The strongest interpolants (McMillan, *Interpolation and SAT-Based Model Checking*, CAV 2003).
    McMillan,
    /// In between, for both sides the same (Pudlák, *Lower Bounds for Resolution and Cutting Plane Proofs*, 1997).
    Symmetric,
    /// The weakest ones.
    InverseMcMillan,
}

impl Labelling {
    /// All of them, the strongest first.
    pub const ALL: [Labelling; 3] = [Labelling::McMillan, Labelling::Symmetric, Labelling::InverseMcMillan];

    /// The one that gives interpolants of a strength.
    pub fn of(strength: Strength) -> Self {
        match strength {
            Strength::Strongest => Labelling::McMillan,
            Strength::Balanced => Labelling::Symmetric,
            Strength::Weakest => Labelling::InverseMcMillan,
        }
    }
}

/// Why a lemma holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// By arithmetic. Reasons are the indices of literals: negations of those of the lemma.
    Arithmetic(arith::Certificate),
    /// By congruence. Reasons as above.
    Equality(euf::Certificate),
}

/// Where an input clause is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// It follows from the formulas of this part.
    Part(usize),
    /// It is valid, as a definition is.
    Valid,
}

/// What a proof is about.
pub trait Language {
    /// What a variable stands for: inputs and lemmas are read like this. `None` if it stands for nothing.
    fn term(&mut self, pool: &mut TermPool, variable: Variable) -> Option<Term>;
    /// Where an input clause with this tag is from; `None` if it is from nowhere.
    fn input(&self, tag: u32) -> Option<Input>;
    /// Why a lemma holds. Asked only where its literals have no part in common.
    fn certificate(&mut self, _lemma: &Step) -> Option<Certificate> {
        None
    }
    /// What a node of the congruence closure stands for.
    fn node(&self, _pool: &mut TermPool, _node: Node) -> Option<Term> {
        None
    }
    /// What a variable of arithmetic stands for.
    fn number(&self, _variable: arith::Var) -> Option<Term> {
        None
    }
    /// What a reason says, which is the index of a literal.
    fn premise(&self, _reason: Reason32) -> Option<arith::Premise> {
        None
    }
}

/// The interpolants of a refutation of `problem`, one for each part but the root.
///
/// # Errors
/// [`Reason::Unsupported`] for what is mixed and cannot be made local, [`Reason::Misuse`] if the proof is no refutation without
/// assumptions, and what `limits` say.
pub fn interpolants(
    pool: &mut TermPool,
    problem: &Problem,
    proof: &Proof,
    language: &mut dyn Language,
    labelling: Labelling,
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    if proof.conclusion().is_none_or(|conclusion| !conclusion.is_empty()) {
        return Err(Reason::Misuse("interpolants of what is no refutation".to_owned()));
    }
    let derivation = derivation::local(pool, problem, proof, language, labelling, limits)?;
    let mut interpolants = Vec::with_capacity(problem.tree.root());
    for cut in 0..problem.tree.root() {
        let interpolant = label::partial(pool, &derivation, cut, limits)?;
        interpolants.push(simplify::simplify(pool, interpolant, limits)?);
    }
    if derivation.spans.is_widened() {
        foreign::eliminate(pool, problem, &derivation.spans, &mut interpolants, limits)?;
    }
    Ok(interpolants)
}

fn mixed(what: &str) -> Reason {
    Reason::Unsupported(format!("interpolation: a mixed {what}"))
}
