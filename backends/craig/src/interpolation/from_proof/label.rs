//! Partial interpolants: the labeled interpolation system on a local proof.
//!
//! # Idea
//! At a cut, a literal that only one side knows is *labeled* with that side. For a literal known to
//! both sides, the labeling chooses a side or, in the symmetric system, both. The partial
//! interpolant of a clause is (D'Silva et al., Definition 5)
//!
//! * of a leaf inside: the disjunction of its literals labeled outside; of a leaf outside: the
//!   conjunction of the negations of its literals labeled inside;
//! * of a resolvent with pivot p: the disjunction if p is labeled inside, the conjunction if it is
//!   labeled outside, and `(p ∨ I₁) ∧ (¬p ∨ I₂)` if it is labeled with both.
//!
//! The partial interpolant of an arithmetic lemma with mixed premises is the sum of the summands
//! inside (`number`).
//!
//! # Correctness for trees
//! The children of a node and the rest of the tree are *regions*; a region *claims* a literal that
//! is labeled with its side alone. Claim: the partial interpolants of a clause C at the cuts of the
//! children, the formulas of the node, and the negations of the literals of C that no region claims
//! entail the partial interpolant of C at the node's own cut. Leaves: in the region of the leaf,
//! the partial interpolant is a disjunction. Each disjunct contradicts the conjunction of the
//! region that claims it or, if no region claims it, the assumption. Resolvents: if no region
//! claims the pivot, all regions move to the premise whose pivot literal is false. If one region
//! claims it, all others have the conjunction, and the two cases of the claiming region's
//! disjunction are those of the premises.
//!
//! # Cost
//! Linear in the number of steps. A clause with an owner and literals of one side has the
//! interpolant `false` or `true`, so only steps around the cut create terms.

use super::derivation::{Atom, Derivation, Local, STEPS_BETWEEN_LOOKS};
use super::{Labelling, number};
use crate::prover::sat::{Literal, Variable};
use backends::{Limits, Reason};
use terms::entity::Entity;
use terms::{Term, TermPool};

/// The side of a cut to which a literal belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// The subtree.
    Inside,
    /// The rest of the tree.
    Outside,
    /// Both sides.
    Both,
}

/// A cut: the subtree of a node, and the rest.
struct Cut<'a> {
    derivation: &'a Derivation<'a>,
    is_inside: Vec<bool>,
    /// The labels, by variable; `None` for variables that occur in no leaf.
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
    partials.last().copied().ok_or_else(|| Reason::Misuse("cannot interpolate an empty proof".to_owned()))
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
        self.labels[variable.index()].expect("each variable of a leaf has an atom")
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

    /// The partial interpolant of the resolvent of a clause with `pivot` and a clause with its
    /// negation.
    fn resolve(&self, pool: &mut TermPool, pivot: Literal, with: Term, without: Term) -> Term {
        if with == without {
            return with;
        }
        let label = self.label(pivot.variable());
        match (label, pool.as_bool(with), pool.as_bool(without)) {
            // Shortcuts: most partial interpolants are constant.
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
