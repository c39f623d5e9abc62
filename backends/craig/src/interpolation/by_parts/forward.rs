//! Forward: the best abstraction of a subtree by models.
//!
//! # Idea
//! *Symbolic abstraction* (Reps, Sagiv, Yorsh, *Symbolic Implementation of the Best Transformer*, VMCAI 2004): start with the
//! abstraction of one model, ask for a model outside, join, until there is none. What is left is the best conjunction of the domain that
//! the part and the abstractions of its children imply. The domain is a product of
//!
//! * affine equations over the rationals or modulo 2^w ([`affine`](backends::symbolic::affine)): at most `n + 1` (or `n·w + 1`) models that are new, and of integers congruences;
//! * the literals of [`Interest`](super::candidates::Interest), each of which a model removes;
//! * [`bounds`](super::bounds) of rows, where these are not enough: intervals, then octagons.
//!
//! So a node costs a number of small checks that depends on its variables, not on how many paths lead to it.

use super::candidates::Interest;
use super::local::{Frames, Local};
use super::tree::Node;
use backends::symbolic::affine::{Hull, has_hull};
use backends::{Model, Reason};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Sort, Term, TermPool};

/// Columns of one hull, at most: the symbols that literals speak of first.
const MAX_COLUMNS: usize = 24;

/// The equations and literals that hold after node `index`, as conjuncts over its shared names: `false` alone if nothing is reachable.
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
    // Congruences of few points are accidents, and hard to solve for, so they are said last.
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

/// Whether the congruences of hulls are part of what is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Congruences {
    Unsaid,
    Said,
}

/// The numeric terms of a node by sort.
fn columns(pool: &TermPool, node: &Node, interest: &Interest) -> Vec<(Sort, Vec<Term>)> {
    let mut by_sort: IndexMap<Sort, Vec<Term>, FxBuildHasher> = IndexMap::default();
    let mut spoken: FxHashSet<Term> = FxHashSet::default();
    let literals: Vec<Term> = interest.literals.iter().copied().collect();
    pool.visit(&literals, |_| true, |term| _ = spoken.insert(term));
    // Stable: what literals speak of comes first.
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

/// Joins a model to what was seen.
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
            hulls.push(hull.ok_or_else(|| Reason::Fault("a model without numbers".to_owned()))?);
        } else {
            hulls[at].add(&point);
        }
    }
    let values = model.eval_all(pool, literals)?;
    let mut holds = values.iter().map(|value| value.as_bool() == Some(true));
    literals.retain(|_| holds.next() == Some(true));
    Ok(())
}
