//! Forward: the best abstraction of each subtree, computed from models.
//!
//! # Idea
//! *Symbolic abstraction* (Reps, Sagiv, Yorsh, *Symbolic Implementation of the Best Transformer*,
//! VMCAI 2004) starts with the abstraction of one model, asks for a model outside of it, joins that
//! model, and repeats until no such model exists. The result is the strongest conjunction of the
//! domain that the part and the abstractions of its children entail. The domain is a product of
//!
//! * affine equations over the rationals or modulo 2^w ([`affine`](backends::symbolic::affine)),
//!   which take at most `n + 1` (or `n·w + 1`) new models, and congruences of integers;
//! * the literals of [`Interest`](super::candidates::Interest), which models eliminate one by one;
//! * [`bounds`](super::bounds) of rows, where equations and literals do not suffice: intervals,
//!   then octagons.
//!
//! The number of checks per node depends on the number of its variables, not on the number of paths
//! to it. Each check is small.

use super::candidates::Interest;
use super::local::{Frames, Local};
use super::tree::Node;
use backends::symbolic::affine::{Hull, has_hull};
use backends::{Model, Reason};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Sort, Term, TermPool};

/// Maximum number of columns of a hull. Symbols that occur in literals come first.
const MAX_COLUMNS: usize = 24;

/// Computes the equations and literals that hold after node `index`, as conjuncts over its shared
/// names; `false` alone if the node is unreachable.
pub(super) fn abstraction(
    pool: &mut TermPool,
    local: &mut Local,
    known: (&[Node], &Frames),
    index: usize,
    interest: &Interest,
) -> Result<Vec<Term>, Reason> {
    let node = &known.0[index];
    let columns = columns(pool, node, interest);
    let mut literals: Vec<Term> = interest.literals.iter().copied().collect();
    let mut hulls: Vec<Hull> = Vec::new();
    let mut goal = pool.fls();
    // Congruences of few points are accidental and expensive for the solver, so they join the goal
    // last.
    let mut congruences = Congruences::Unsaid;
    loop {
        let rest = pool.not(goal);
        let seen = local.probe(pool, known, index, rest, |pool, model| {
            join(pool, model, &columns, &mut hulls, &mut literals)
        })?;
        if seen.is_none() {
            if congruences == Congruences::Said {
                break;
            }
            congruences = Congruences::Said;
        }
        let mut all = literals.clone();
        for hull in &hulls {
            all.extend(hull.equations(pool));
            if congruences == Congruences::Said {
                all.extend(hull.congruences(pool));
            }
        }
        let last = std::mem::replace(&mut goal, pool.and(&all));
        if seen.is_none() && goal == last {
            break;
        }
    }
    if goal == pool.fls() {
        return Ok(vec![goal]);
    }
    let mut found: Vec<Term> = Vec::new();
    for hull in &hulls {
        found.extend(hull.equations(pool));
        found.extend(hull.congruences(pool));
    }
    found.extend(literals);
    found.retain(|&term| term != pool.tru());
    let mut seen = FxHashSet::default();
    found.retain(|&term| seen.insert(term));
    Ok(found)
}

/// Whether the goal includes the congruences of hulls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Congruences {
    Unsaid,
    Said,
}

/// Groups the numeric terms of a node by sort.
fn columns(pool: &TermPool, node: &Node, interest: &Interest) -> Vec<(Sort, Vec<Term>)> {
    let mut by_sort: IndexMap<Sort, Vec<Term>, FxBuildHasher> = IndexMap::default();
    let mut spoken: FxHashSet<Term> = FxHashSet::default();
    let literals: Vec<Term> = interest.literals.iter().copied().collect();
    pool.visit(&literals, |_| true, |term| _ = spoken.insert(term));
    // A stable sort: symbols that occur in literals come first.
    let mut symbols = node.symbols.clone();
    symbols.sort_by_key(|symbol| !spoken.contains(symbol));
    for &term in symbols.iter().chain(&interest.compound) {
        let sort = pool.sort(term);
        if has_hull(sort) {
            by_sort.entry(sort).or_default().push(term);
        }
    }
    for columns in by_sort.values_mut() {
        columns.truncate(MAX_COLUMNS);
    }
    by_sort.into_iter().collect()
}

/// Joins a model to the hulls and drops the literals that it falsifies.
fn join(
    pool: &mut TermPool,
    model: &mut dyn Model,
    columns: &[(Sort, Vec<Term>)],
    hulls: &mut Vec<Hull>,
    literals: &mut Vec<Term>,
) -> Result<(), Reason> {
    let is_first = hulls.is_empty();
    for (at, (sort, columns)) in columns.iter().enumerate() {
        let point = model.eval_all(pool, columns)?;
        if is_first {
            let hull = Hull::new(*sort, columns.clone(), &point);
            hulls.push(hull.ok_or_else(|| Reason::Fault("a number has no value".to_owned()))?);
        } else {
            hulls[at].add(&point);
        }
    }
    let values = model.eval_all(pool, literals)?;
    let mut holds = values.iter().map(|value| value.as_bool() == Some(true));
    literals.retain(|_| holds.next() == Some(true));
    Ok(())
}
