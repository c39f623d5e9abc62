//! Forward: the best abstraction of a subtree by models.
//!
//! # Idea
//! *Symbolic abstraction* (Reps, Sagiv, Yorsh, *Symbolic Implementation of the Best Transformer*, VMCAI 2004): start with the
//! abstraction of one model, ask for a model outside, join, until there is none. What is left is the best conjunction of the domain that
//! the part and the abstractions of its children imply. The domain is a product of
//!
//! * affine equations over the rationals or modulo 2^w, of integers also congruences ([`affine`](backends::symbolic::affine)): at most `n + 1` (or `n·w + 1`) models that are new;
//! * the literals of [`Interest`](super::candidates::Interest), each of which a model removes;
//! * bounds of rows: integer terms whose largest value is found by doubling and halving, at most twice the bits of the answer.
//!
//! So a node costs a number of small checks that depends on its variables, not on how many paths lead to it.

use super::candidates::Interest;
use super::local::{Frames, Local};
use super::tree::Node;
use backends::interpolation::elimination::Inequality;
use backends::symbolic::affine::{Hull, has_hull};
use backends::{Model, Reason};
use indexmap::IndexMap;
use ir::term::{Sort, Term, TermPool, Value};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Columns of one hull, at most: the symbols that literals speak of first.
const MAX_COLUMNS: usize = 24;
/// Rows of one node, at most.
const MAX_ROWS: usize = 8;
/// A row that exceeds its first value by 2^this is taken as unbounded.
const MAX_DOUBLINGS: u32 = 24;

/// How much is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Equations and literals.
    Equations,
    /// Bounds of rows too.
    Bounds,
}

/// What holds after `node`, as conjuncts over its shared names: `false` alone if nothing is reachable.
pub(super) fn abstraction(
    pool: &mut TermPool,
    local: &mut Local,
    known: (&[Node], &Frames),
    index: usize,
    interest: &Interest,
    depth: Depth,
) -> Result<Vec<Term>, Reason> {
    let node = &known.0[index];
    let columns = columns(pool, node, interest);
    let mut literals: Vec<Term> = interest.literals.iter().copied().collect();
    let mut hulls: Vec<Hull> = Vec::new();
    let mut goal = pool.fls();
    loop {
        let rest = pool.not(goal);
        let seen = local.probe(pool, known, index, rest, |pool, model| {
            join(pool, model, &columns, &mut hulls, &mut literals)
        })?;
        if seen.is_none() {
            break;
        }
        let mut all = literals.clone();
        for hull in &hulls {
            all.extend(hull.equations(pool));
        }
        goal = pool.and(&all);
        if goal == pool.tru() {
            break;
        }
    }
    if goal == pool.fls() {
        return Ok(vec![goal]);
    }
    let mut found: Vec<Term> = hulls.iter().flat_map(|hull| hull.equations(pool)).collect();
    found.extend(literals);
    if depth == Depth::Bounds {
        for row in rows(pool, node, interest) {
            if let Some(bound) = upper_bound(pool, local, known, index, row)? {
                found.push(bound);
            }
        }
    }
    found.retain(|&term| term != pool.tru());
    let mut seen = FxHashSet::default();
    found.retain(|&term| seen.insert(term));
    Ok(found)
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
            let hull = Hull::with_congruences(*sort, columns.clone(), &point);
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

/// Integer terms that literals bound from above.
fn rows(pool: &mut TermPool, node: &Node, interest: &Interest) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut add = |row: Term| {
        if found.len() < MAX_ROWS && !found.contains(&row) {
            found.push(row);
        }
    };
    for &literal in &interest.literals {
        let Some(mut inequality) = Inequality::of(pool, literal) else { continue };
        if inequality.linear.sort != Sort::Int {
            continue;
        }
        inequality.linear.constant = num_rational::BigRational::from_integer(BigInt::ZERO);
        add(inequality.linear.term(pool));
    }
    for &symbol in node.symbols.iter().filter(|&&symbol| pool.sort(symbol) == Sort::Int) {
        add(symbol);
    }
    found
}

fn value(pool: &TermPool, model: &mut dyn Model, row: Term) -> Result<BigInt, Reason> {
    let value = model.eval(pool, row)?;
    value.as_int().cloned().ok_or_else(|| Reason::Fault("an integer without a value".to_owned()))
}

/// `row ≤ c` with the least `c`, if there is one that is not too large.
fn upper_bound(
    pool: &mut TermPool,
    local: &mut Local,
    known: (&[Node], &Frames),
    node: usize,
    row: Term,
) -> Result<Option<Term>, Reason> {
    let above = |pool: &mut TermPool, local: &mut Local, least: &BigInt| {
        let least = pool.int_big(least);
        let at_least = pool.le(least, row);
        local.probe(pool, known, node, at_least, |pool, model| value(pool, model, row))
    };
    let tru = pool.tru();
    let Some(mut reached) = local.probe(pool, known, node, tru, |pool, model| value(pool, model, row))?
    else {
        return Ok(None);
    };
    let mut excluded: Option<BigInt> = None;
    for doubling in 0..=MAX_DOUBLINGS {
        let next: BigInt = &reached + (BigInt::one() << doubling);
        match above(pool, local, &next)? {
            Some(value) => reached = value,
            None => {
                excluded = Some(next);
                break;
            }
        }
    }
    let Some(mut excluded) = excluded else { return Ok(None) };
    while &excluded - &reached > BigInt::one() {
        let middle: BigInt = (&excluded + &reached) >> 1;
        match above(pool, local, &middle)? {
            Some(value) => reached = value.max(middle),
            None => excluded = middle,
        }
    }
    debug_assert!((&excluded - &reached).is_positive(), "what is excluded is above what is reached");
    let bound = Value::Int(reached).to_term(pool, Sort::Int);
    let bound = bound.ok_or_else(|| Reason::Fault("an integer that is no term".to_owned()))?;
    Ok(Some(pool.le(row, bound)))
}
