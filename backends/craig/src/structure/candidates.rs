//! Formulas that may hold at a node: what the rest of the path asks for, said of earlier versions of its variables.

use super::tree::{Node, is_over, transport};
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::interpolation::{Problem, Quantifiers};
use backends::symbolic::{atoms, halves, is_numeric};
use backends::{Limits, Reason};
use indexmap::IndexSet;
use ir::term::{Op, Term, TermPool};
use rustc_hash::FxBuildHasher;

/// Literals of one node, at most.
const MAX_LITERALS: usize = 48;
/// Compound terms of one node, at most.
const MAX_COMPOUND: usize = 12;

type Terms = IndexSet<Term, FxBuildHasher>;

/// What may be interesting to say of a node.
#[derive(Clone, Default)]
pub(super) struct Interest {
    /// Literals over its shared names.
    pub(super) literals: Terms,
    /// Numeric terms over its shared names that are no symbols.
    pub(super) compound: Terms,
}

/// For each node what its own formulas and those above speak of. Parents before children: what is asked for above is asked for
/// below, of what plays the same role there.
pub(super) fn interests(pool: &mut TermPool, nodes: &[Node]) -> Vec<Interest> {
    let mut found: Vec<Interest> = vec![Interest::default(); nodes.len()];
    for index in (0..nodes.len()).rev() {
        let node = &nodes[index];
        let mut interest = Interest::default();
        if let Some(parent) = node.parent {
            let from_above = found[parent].clone();
            read(pool, node, &nodes[parent].formulas, &mut interest);
            for literal in from_above.literals {
                if let Some(image) = transport(pool, literal, &node.down, node) {
                    interest.literals.insert(image);
                }
            }
            for term in from_above.compound {
                if let Some(image) = transport(pool, term, &node.down, node) {
                    interest.compound.insert(image);
                }
            }
        }
        read(pool, node, &node.formulas, &mut interest);
        interest.literals.truncate(MAX_LITERALS);
        interest.compound.truncate(MAX_COMPOUND);
        found[index] = interest;
    }
    found
}

/// Literals and terms of `formulas` that are about the node.
fn read(pool: &mut TermPool, node: &Node, formulas: &[Term], interest: &mut Interest) {
    for &formula in formulas {
        for atom in atoms(pool, formula) {
            if pool.as_bool(atom).is_none() && is_over(pool, atom, &node.shared) {
                add_literals(pool, atom, &mut interest.literals);
            }
        }
    }
    let mut compound = Vec::new();
    pool.visit(
        formulas,
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Select | Op::Apply(_)) && is_numeric(pool.sort(term)) {
                compound.push(term);
            }
        },
    );
    for term in compound {
        if interest.compound.len() < MAX_COMPOUND && is_over(pool, term, &node.shared) {
            interest.compound.insert(term);
        }
    }
}

/// An atom and what it can be refuted by: its negation, of an equality between numbers the inequalities.
pub(super) fn add_literals(pool: &mut TermPool, atom: Term, literals: &mut Terms) {
    literals.insert(atom);
    match halves(pool, atom) {
        Some(halves) => literals.extend(halves),
        None => _ = literals.insert(pool.not(atom)),
    }
}

/// What the parent of `node` needs of it so that `needed` follows: `¬∃ other names. φ ∧ siblings ∧ ¬needed`, where this can be computed
/// without search.
pub(super) fn weakest(
    pool: &mut TermPool,
    node: &Node,
    above: &[Term],
    needed: &[Term],
    limits: &Limits,
) -> Result<Option<Term>, Reason> {
    let mut conjuncts = above.to_vec();
    let all = pool.and(needed);
    conjuncts.push(pool.not(all));
    let mut eliminator = Eliminator::new(&[], Quantifiers::Refused, limits);
    let projection = eliminator.project(pool, &conjuncts, &node.shared)?;
    if projection.precision != Precision::Exact {
        return Ok(None);
    }
    let avoided = pool.and(&projection.conjuncts);
    Ok(Some(pool.not(avoided)))
}

/// The conjuncts of `formula`.
pub(super) fn conjuncts(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    backends::interpolation::elimination::flatten(pool, &[formula])
}

/// Whether a problem is a path: then each node but the root is needed by one that has no other child.
pub(super) fn is_path(problem: &Problem) -> bool {
    problem.tree.shape() <= backends::interpolation::Shape::Sequence
}
