//! Interpolants from a refutation proof.
//!
//! # Idea
//! Given a refutation whose leaves belong to parts, one pass from the leaves to the empty clause
//! yields an interpolant for each cut of the tree into a subtree and the rest (`label`). Each leaf
//! and each literal must belong to one side of the cut. The proof is therefore first made *local*
//! (`derivation`). Theory lemmas that mix names of several parts are either proved again by local
//! steps, over atoms that may be new (`equality`), or become sums whose summands are local
//! (`number`).
//!
//! One local proof serves all cuts, and each of its literals has one owner, a node of the tree. The
//! result is a tree interpolant (see [`Labelling`]).
//!
//! | module | content |
//! |---|---|
//! | `span` | the parts that share the names of a term |
//! | `derivation` | the local proof |
//! | `equality`, `number` | theory lemmas as steps of the local proof |
//! | `foreign` | elimination of foreign names |
//! | `label` | partial interpolants |
//! | `simplify` | simplification of formulas |
//! | `source` | the source `craig-proof` over proofs of the prover |
//!
//! # Sources
//! D'Silva, Kroening, Purandare, Weissenbacher, *Interpolant Strength*, VMCAI 2010, for the
//! systems; Gurfinkel, Rollini, Sharygina, *Interpolation Properties and SAT-Based Model Checking*,
//! ATVA 2013, for families of them.
//!
//! # Cost
//! Linear in the local proof for each cut, with shared subterms, plus the cost of building terms in
//! [`TermPool`]. Elimination of foreign names is exponential in the worst case.
//!
//! # Limits
//! A mixed step that cannot be made local costs an elimination of names: for example, a literal
//! over names that no part has together, or an integer cut with premises of several parts. Where
//! elimination fails, as for arguments of functions, the answer is [`Reason::Unsupported`].

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

/// The strength of interpolants: the label of literals that both sides of a cut know.
///
/// # Trees
/// Consider a node of the tree, and as *regions* its children and the rest of the tree. A region
/// *claims* a literal if it labels the literal with its own side alone. A family of labeled systems
/// yields tree interpolants if at each node and for each literal, either no region claims the
/// literal, or one region claims it and all others label it with the other side. McMillan's and the
/// symmetric system have this property.
///
/// DIVERGENCE: the inverse of McMillan's system has the property for paths only, because two
/// children may both claim a literal. Here the literal belongs to the subtree of the first part
/// that knows it. For paths this is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Labelling {
    /// The strongest interpolants (McMillan, *Interpolation and SAT-Based Model Checking*, CAV
    /// 2003).
    McMillan,
    /// Interpolants of intermediate strength; the system treats both sides equally (Pudlák, *Lower
    /// Bounds for Resolution and Cutting Plane Proofs*, 1997).
    Symmetric,
    /// The weakest interpolants.
    InverseMcMillan,
}

impl Labelling {
    /// All labelings, the strongest first.
    pub const ALL: [Labelling; 3] = [Labelling::McMillan, Labelling::Symmetric, Labelling::InverseMcMillan];

    /// The labeling for interpolants of a given strength.
    pub fn of(strength: Strength) -> Self {
        match strength {
            Strength::Strongest => Labelling::McMillan,
            Strength::Balanced => Labelling::Symmetric,
            Strength::Weakest => Labelling::InverseMcMillan,
        }
    }
}

/// The certificate of a theory lemma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// An arithmetic certificate. Reasons are the indices of literals, the negations of those of
    /// the lemma.
    Arithmetic(arith::Certificate),
    /// A congruence certificate. Reasons as above.
    Equality(euf::Certificate),
}

/// The origin of an input clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The formulas of this part entail the clause.
    Part(usize),
    /// The clause is valid, for example a definition.
    Valid,
}

/// The meaning of the variables, clauses and lemmas of a proof.
pub trait Language {
    /// The term of a variable, for input clauses and lemmas. `None` if the variable has no meaning
    /// as a term.
    fn term(&mut self, pool: &mut TermPool, variable: Variable) -> Option<Term>;
    /// The origin of the input clause with this tag; `None` for an unknown tag.
    fn input(&self, tag: u32) -> Option<Input>;
    /// The certificate of a lemma. Called only for lemmas whose literals have no common part.
    fn certificate(&mut self, _lemma: &Step) -> Option<Certificate> {
        None
    }
    /// The term of a node of the congruence closure.
    fn node(&self, _pool: &mut TermPool, _node: Node) -> Option<Term> {
        None
    }
    /// The term of an arithmetic variable.
    fn number(&self, _variable: arith::Var) -> Option<Term> {
        None
    }
    /// The arithmetic premise of a reason, which is the index of a literal.
    fn premise(&self, _reason: Reason32) -> Option<arith::Premise> {
        None
    }
}

/// Computes the interpolants of a refutation of `problem`, one for each part but the root.
///
/// # Errors
/// [`Reason::Unsupported`] for mixed steps that cannot be made local, [`Reason::Misuse`] if the
/// proof does not derive the empty clause, and the reason of an exceeded limit.
pub fn interpolants(
    pool: &mut TermPool,
    problem: &Problem,
    proof: &Proof,
    language: &mut dyn Language,
    labelling: Labelling,
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    if proof.conclusion().is_none_or(|conclusion| !conclusion.is_empty()) {
        return Err(Reason::Misuse("not a refutation proof".to_owned()));
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
