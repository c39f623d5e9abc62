//! Candidate formulas at a node: the needs of the rest of the path, renamed to earlier versions of
//! its variables.

use super::tree::{Node, transport};
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::interpolation::vocabulary::Name;
use backends::interpolation::{Problem, Quantifiers};
use backends::symbolic::{atoms, halves, is_numeric};
use backends::{Limits, Reason};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Op, Term, TermPool};

/// Maximum number of literals per node.
const MAX_LITERALS: usize = 48;
/// Maximum number of compound terms per node.
const MAX_COMPOUND: usize = 12;

type Terms = IndexSet<Term, FxBuildHasher>;

/// Candidate vocabulary of the formulas about a node.
#[derive(Clone, Default)]
pub(super) struct Interest {
    /// Literals over its shared names.
    pub(super) literals: Terms,
    /// Numeric terms over its shared names other than symbols.
    pub(super) compound: Terms,
}

/// Collects for each node the literals and terms of its own formulas and of its ancestors. Parents
/// precede children: the candidates of a parent are renamed to the corresponding variables of the
/// child.
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

/// Adds the literals and terms of `formulas` that are over the names of the node.
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

/// Adds an atom and the literals that refute it: its negation, or for an equality between numbers
/// the two inequalities.
fn add_literals(pool: &mut TermPool, atom: Term, literals: &mut Terms) {
    literals.insert(atom);
    match halves(pool, atom) {
        Some(halves) => literals.extend(halves),
        None => _ = literals.insert(pool.not(atom)),
    }
}

/// The weakest formula over the shared names of `node` from which its parent derives `needed`:
/// `¬∃ other names. φ ∧ siblings ∧ ¬needed`. `None` where it cannot be computed without search.
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

/// Whether the problem is a path: each node has at most one child.
pub(super) fn is_path(problem: &Problem) -> bool {
    problem.tree.shape() <= backends::interpolation::Shape::Sequence
}
