//! Partial interpolants: the labelled system of a local proof.
//!
//! # Idea
//! At a cut, a literal that only one side knows is *of* that side. Of a literal that both know the labelling says the side, or, in
//! the symmetric system, that it is of both. The partial interpolant of a clause is (D'Silva et al., Definition 5)
//!
//! * of a leaf inside: the disjunction of its literals of the outside; of a leaf outside: the conjunction of the negations of
//!   its literals of the inside;
//! * of a resolvent with pivot p: the disjunction if p is of the inside, the conjunction if it is of the outside, and for
//!   both `(p ∨ I₁) ∧ (¬p ∨ I₂)`.
//!
//! A leaf that is a lemma of arithmetic has the sum of what is inside (`number`).
//!
//! # Why trees work out
//! Claim: at a node, the partial interpolants of a clause C at the cuts of its children, what the node says, and the negations of those
//! literals of C that no child and not the rest of the tree has for itself imply the one at its own cut. Leaves: of a child, the disjunction
//! there is contradicted by the conjunction where another has the literal for itself, or by what is assumed. Resolvents: if nobody
//! has the pivot for itself, each side goes to the premise whose pivot is false; if one does, all others have the
//! conjunction, and the two cases of its disjunction are those of the premises.
//!
//! # Cost
//! Linear in the steps. A clause with an owner whose literals are all of its side has the interpolant `false` or `true`, so terms are
//! made only around the cut.

use super::derivation::{Atom, Derivation, Local, STEPS_BETWEEN_LOOKS};
use super::{Labelling, number};
use crate::prover::sat::{Literal, Variable};
use backends::{Limits, Reason};
use terms::entity::Entity;
use terms::{Term, TermPool};

/// On which side of a cut a literal counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// In the subtree.
    Inside,
    /// In the rest.
    Outside,
    /// On both.
    Both,
}

/// A cut: the subtree of a node, and the rest.
struct Cut<'a> {
    derivation: &'a Derivation<'a>,
    is_inside: Vec<bool>,
    /// By variable; nothing for those that no leaf has.
    labels: Vec<Option<Label>>,
}

/// The partial interpolant of the last step.
pub(super) fn partial(
    pool: &mut TermPool,
    derivation: &Derivation,
    node: usize,
    limits: &Limits,
) -> Result<Term, Reason> {
    let cut = Cut::new(derivation, node);
    let mut partials: Vec<Term> = Vec::with_capacity(derivation.steps.len());
    for (index, step) in derivation.steps.iter().enumerate() {
        if index % STEPS_BETWEEN_LOOKS == 0
            && let Some(reason) = limits.exceeded()
        {
            return Err(reason);
        }
        let partial = match step {
            Local::Clause { literals, owner } => cut.leaf(pool, literals, *owner),
            Local::Sum(sum) => number::interpolant(pool, &derivation.spans, sum, node, &cut.is_inside)?,
            Local::Chain { first, rest } => {
                let mut partial = partials[*first as usize];
                for &(pivot, other) in rest {
                    partial = cut.resolve(pool, pivot, partial, partials[other as usize]);
                }
                partial
            }
        };
        partials.push(partial);
    }
    partials.last().copied().ok_or_else(|| Reason::Misuse("interpolants of an empty proof".to_owned()))
}

impl<'a> Cut<'a> {
    fn new(derivation: &'a Derivation, node: usize) -> Self {
        let is_inside = derivation.spans.tree.subtree(node);
        let is_symmetric = derivation.labelling == Labelling::Symmetric;
        let label = |atom: &Atom| {
            if is_symmetric && derivation.spans.is_shared(atom.span, node) {
                Label::Both
            } else if is_inside[atom.owner] {
                Label::Inside
            } else {
                Label::Outside
            }
        };
        let labels = derivation.atoms.values().map(|atom| atom.as_ref().map(label)).collect();
        Cut { derivation, is_inside, labels }
    }

    fn label(&self, variable: Variable) -> Label {
        self.labels[variable.index()].expect("variables of leaves are read")
    }

    fn leaf(&self, pool: &mut TermPool, literals: &[Literal], owner: usize) -> Term {
        let of = |label: Label| {
            literals.iter().copied().filter(move |literal| self.label(literal.variable()) == label)
        };
        if self.is_inside[owner] {
            let terms: Vec<Term> =
                of(Label::Outside).map(|literal| self.derivation.literal_term(pool, literal)).collect();
            pool.or(&terms)
        } else {
            let terms: Vec<Term> =
                of(Label::Inside).map(|literal| self.derivation.literal_term(pool, !literal)).collect();
            pool.and(&terms)
        }
    }

    /// Of the resolvent of a clause with `pivot` and one with its negation.
    fn resolve(&self, pool: &mut TermPool, pivot: Literal, with: Term, without: Term) -> Term {
        if with == without {
            return with;
        }
        let label = self.label(pivot.variable());
        match (label, pool.as_bool(with), pool.as_bool(without)) {
            // Most are constant: a short way for these.
            (Label::Inside, Some(true), _) | (Label::Inside, _, Some(false)) => with,
            (Label::Inside, _, Some(true)) | (Label::Inside, Some(false), _) => without,
            (Label::Outside, Some(false), _) | (Label::Outside, _, Some(true)) => with,
            (Label::Outside, _, Some(false)) | (Label::Outside, Some(true), _) => without,
            (Label::Inside, None, None) => pool.or2(with, without),
            (Label::Outside, None, None) => pool.and2(with, without),
            (Label::Both, _, _) => {
                let positive = self.derivation.literal_term(pool, pivot);
                let negative = pool.not(positive);
                let (one, other) = (pool.or2(positive, with), pool.or2(negative, without));
                pool.and2(one, other)
            }
        }
    }
}
