//! Formulas that may hold at a node: what the rest of the path asks for, said of earlier versions of its variables.

use super::tree::{Node, transport};
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::interpolation::vocabulary::Name;
use backends::interpolation::{Problem, Quantifiers};
use backends::symbolic::{atoms, halves, is_numeric};
use backends::{Limits, Reason};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Op, Term, TermPool};

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
            read(pool, node, &nodes[parent].formulas, &mut interest);
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
    let mut foreign: FxHashSet<Term> = FxHashSet::default();
    let mut compound = Vec::new();
    pool.visit(
        formulas,
        |_| true,
        |term| {
            let is_own = Name::of(pool.op(term)).is_none_or(|name| node.shared.contains(&name));
            if !is_own || pool.children(term).iter().any(|child| foreign.contains(child)) {
                foreign.insert(term);
            } else if matches!(pool.op(term), Op::Select | Op::Apply(_)) && is_numeric(pool.sort(term)) {
                compound.push(term);
            }
        },
    );
    interest.compound.extend(compound.into_iter().take(MAX_COMPOUND));
    for &formula in formulas {
        for atom in atoms(pool, formula) {
            if interest.literals.len() >= MAX_LITERALS {
                return;
            }
            if pool.as_bool(atom).is_none() && !foreign.contains(&atom) {
                add_literals(pool, atom, &mut interest.literals);
            }
        }
    }
}

/// An atom and what it can be refuted by: its negation, of an equality between numbers the inequalities.
fn add_literals(pool: &mut TermPool, atom: Term, literals: &mut Terms) {
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

/// Whether a problem is a path: then each node but the root is needed by one that has no other child.
pub(super) fn is_path(problem: &Problem) -> bool {
    problem.tree.shape() <= backends::interpolation::Shape::Sequence
}
