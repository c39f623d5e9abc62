//! Bounds of rows: the reachable states in the directions of a template.
//!
//! # Idea
//! A *row* is a term over the shared names whose maximum is computed (Sankaranarayanan, Sipma,
//! Manna, *Scalable Analysis of Linear Systems using Mathematical Programming*, VMCAI 2005). Rows
//! are the terms that literals bound, the symbols themselves in both directions (intervals), then
//! sums and differences of two symbols (octagons; Miné 2006). Over integers and bit vectors, the
//! search for the maximum multiplies the step beyond the largest value seen so far, then bisects.
//! Over reals, a model is generalized to a cube and projected to the row, so that each check
//! excludes a whole polyhedron, of which there are finitely many.
//!
//! # Cost
//! Over integers and bit vectors, a number of checks twice the bits of the distance between the
//! first value and the maximum. Over reals, one check per polyhedron that exceeds the previous
//! ones. Rows that exceed a fixed number of steps are treated as unbounded.

use super::candidates::Interest;
use super::local::{Frames, Local};
use super::tree::Node;
use backends::interpolation::Quantifiers;
use backends::interpolation::elimination::{Eliminator, Inequality};
use backends::interpolation::vocabulary::Name;
use backends::symbolic::{less_equal, representation};
use backends::{Limits, Model, Reason};
use indexmap::IndexSet;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Op, Representation, Sort, Term, TermPool};

/// Maximum number of rows per node.
const MAX_ROWS: usize = 24;
/// Maximum number of symbols in sums and differences.
const MAX_PAIRED: usize = 4;
/// A row over integers that exceeds its first value by 4^`MAX_STEPS` is treated as unbounded.
const MAX_STEPS: u32 = 32;
/// A row over reals that exceeds this many polyhedra is treated as unbounded.
const MAX_POLYHEDRA: usize = 16;

/// The set of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Template {
    /// Terms that literals bound, and each symbol.
    Intervals,
    /// Sums and differences of two symbols.
    Octagons,
}

/// A term whose maximum is computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    term: Term,
    order: Order,
}

/// The order of the values of a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Order {
    /// The order of integers or reals.
    Numbers,
    /// Ascending bit vectors, signed or unsigned.
    Up(Representation),
    /// Descending bit vectors, signed or unsigned.
    Down(Representation),
}

/// Computes the bounds of rows that hold after node `index`.
pub(super) fn bounds(
    pool: &mut TermPool,
    local: &mut Local,
    known: (&[Node], &Frames),
    index: usize,
    interest: &Interest,
    template: Template,
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    let node = &known.0[index];
    let rows = match template {
        Template::Intervals => intervals(pool, node, interest),
        Template::Octagons => octagons(pool, node, interest),
    };
    let mut found = Vec::new();
    for row in rows.into_iter().take(MAX_ROWS) {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let bound = match pool.sort(row.term) {
            Sort::Real => highest_polyhedron(pool, local, known, index, row.term, limits)?,
            _ => highest_value(pool, local, known, index, row)?,
        };
        found.extend(bound);
    }
    Ok(found)
}

type Rows = IndexSet<Row, FxBuildHasher>;

fn intervals(pool: &mut TermPool, node: &Node, interest: &Interest) -> Rows {
    let mut rows = Rows::default();
    for &literal in &interest.literals {
        if let Some(mut inequality) = Inequality::of(pool, literal) {
            inequality.linear.constant = BigRational::zero();
            let term = inequality.linear.term(pool);
            rows.insert(Row { term, order: Order::Numbers });
        } else if let Some((signedness, sides)) = word_comparison(pool, literal) {
            for term in sides {
                if !pool.is_constant(term) {
                    rows.extend(
                        [Order::Up(signedness), Order::Down(signedness)].map(|order| Row { term, order }),
                    );
                }
            }
        }
    }
    for &symbol in &node.symbols {
        match pool.sort(symbol) {
            Sort::Int | Sort::Real => {
                let negated = pool.neg(symbol);
                rows.extend([symbol, negated].map(|term| Row { term, order: Order::Numbers }));
            }
            Sort::BitVec(_) => {
                let signedness = representation(pool, symbol);
                let orders = [Order::Up(signedness), Order::Down(signedness)];
                rows.extend(orders.map(|order| Row { term: symbol, order }));
            }
            _ => {}
        }
    }
    rows
}

/// The operands of a bit-vector comparison and its signedness.
fn word_comparison(pool: &TermPool, literal: Term) -> Option<(Representation, [Term; 2])> {
    let atom = if pool.op(literal) == Op::Not { pool.children(literal)[0] } else { literal };
    let signedness = match pool.op(atom) {
        Op::BvUlt | Op::BvUle => Representation::Unsigned,
        Op::BvSlt | Op::BvSle => Representation::Signed,
        _ => return None,
    };
    let &[a, b] = pool.children(atom) else { return None };
    Some((signedness, [a, b]))
}

fn octagons(pool: &mut TermPool, node: &Node, interest: &Interest) -> Rows {
    let mut spoken: FxHashSet<Term> = FxHashSet::default();
    let literals: Vec<Term> = interest.literals.iter().copied().collect();
    pool.visit(&literals, |_| true, |term| _ = spoken.insert(term));
    let mut symbols = node.symbols.clone();
    // A stable sort: symbols that occur in literals come first.
    symbols.sort_by_key(|symbol| !spoken.contains(symbol));
    symbols.truncate(MAX_PAIRED);
    let mut rows = Rows::default();
    for (at, &x) in symbols.iter().enumerate() {
        for &y in &symbols[at + 1..] {
            if pool.sort(x) != pool.sort(y) {
                continue;
            }
            match pool.sort(x) {
                Sort::Int | Sort::Real => {
                    let sum = pool.add(&[x, y]);
                    let all = [pool.sub(x, y), pool.sub(y, x), sum, pool.neg(sum)];
                    rows.extend(all.map(|term| Row { term, order: Order::Numbers }));
                }
                Sort::BitVec(_) => {
                    let term = pool.bv_sub(x, y);
                    let orders = [Order::Up, Order::Down].map(|order| order(Representation::Signed));
                    rows.extend(orders.map(|order| Row { term, order }));
                }
                _ => {}
            }
        }
    }
    rows
}

/// The value of the row in its order; negated for descending orders.
fn value(pool: &TermPool, model: &mut dyn Model, row: Row) -> Result<BigInt, Reason> {
    let value = model.eval(pool, row.term)?;
    let word = |signedness| {
        let word = value.as_bv()?;
        Some(match signedness {
            Representation::Signed => word.to_signed(),
            Representation::Unsigned => BigInt::from(word.to_natural()),
        })
    };
    let found = match row.order {
        Order::Numbers => value.as_int().cloned(),
        Order::Up(signedness) => word(signedness),
        Order::Down(signedness) => word(signedness).map(|value| -value),
    };
    found.ok_or_else(|| Reason::Fault("a number has no value".to_owned()))
}

/// The maximum of the row's order; `None` for numbers.
fn last(pool: &TermPool, row: Row) -> Option<BigInt> {
    let Sort::BitVec(width) = pool.sort(row.term) else { return None };
    let half = BigInt::one() << (width - 1);
    Some(match row.order {
        Order::Numbers => return None,
        Order::Up(Representation::Unsigned) => (half << 1) - 1,
        Order::Up(Representation::Signed) => half - 1,
        Order::Down(Representation::Unsigned) => BigInt::zero(),
        Order::Down(Representation::Signed) => half,
    })
}

/// The comparison of `row` with `value` in the row's order.
fn compared(pool: &mut TermPool, row: Row, value: &BigInt, at_least: Comparison) -> Term {
    let (signedness, is_down) = match row.order {
        Order::Numbers => (Representation::Signed, false),
        Order::Up(signedness) => (signedness, false),
        Order::Down(signedness) => (signedness, true),
    };
    let value = if is_down { -value } else { value.clone() };
    let sort = pool.sort(row.term);
    let constant = backends::symbolic::numeral(pool, sort, &value);
    let row_first = (at_least == Comparison::AtMost) != is_down;
    let (a, b) = if row_first { (row.term, constant) } else { (constant, row.term) };
    less_equal(pool, signedness, a, b)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    AtMost,
}

/// Returns `row ≤ c` with the least `c`, if `c` exists and is small enough.
fn highest_value(
    pool: &mut TermPool,
    local: &mut Local,
    known: (&[Node], &Frames),
    node: usize,
    row: Row,
) -> Result<Option<Term>, Reason> {
    let above = |pool: &mut TermPool, local: &mut Local, least: &BigInt| {
        let at_least = compared(pool, row, least, Comparison::AtLeast);
        local.probe(pool, known, node, at_least, |pool, model| value(pool, model, row))
    };
    let tru = pool.tru();
    let Some(mut reached) = local.probe(pool, known, node, tru, |pool, model| value(pool, model, row))?
    else {
        return Ok(None);
    };
    let last = last(pool, row);
    if let Some(last) = &last
        && above(pool, local, last)?.is_some()
    {
        return Ok(None);
    }
    let mut excluded: Option<BigInt> = last;
    for step in 0..=MAX_STEPS {
        let next: BigInt = &reached + (BigInt::one() << (2 * step));
        if excluded.as_ref().is_some_and(|excluded| next >= *excluded) {
            break;
        }
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
    debug_assert!(
        (&excluded - &reached).is_positive(),
        "the least excluded value is above the largest reached one"
    );
    Ok(Some(compared(pool, row, &reached, Comparison::AtMost)))
}

/// The same over reals, where the least `c` need not be attained.
fn highest_polyhedron(
    pool: &mut TermPool,
    local: &mut Local,
    known @ (nodes, frames): (&[Node], &Frames),
    node: usize,
    row: Term,
    limits: &Limits,
) -> Result<Option<Term>, Reason> {
    let height = pool.fresh_symbol("height", Sort::Real, Representation::Signed);
    let Op::Symbol(symbol) = pool.op(height) else { unreachable!("a fresh symbol is a symbol") };
    let allowed: FxHashSet<Name> = [Name::Symbol(symbol)].into_iter().collect();
    let mut context = nodes[node].formulas.clone();
    context.extend(nodes[node].children.iter().flat_map(|&child| &frames[child]));
    context.push(pool.eq(height, row));
    let mut highest: Option<(BigRational, bool)> = None;
    for _ in 0..MAX_POLYHEDRA {
        let beyond = match &highest {
            None => pool.tru(),
            Some((value, is_open)) => {
                let value = pool.real(value);
                if *is_open { pool.le(value, height) } else { pool.lt(value, height) }
            }
        };
        let named = pool.eq(height, row);
        let formula = pool.and(&[named, beyond]);
        let mut conjuncts = context.clone();
        conjuncts.push(beyond);
        let cube = local.probe(pool, known, node, formula, |pool, model| {
            Eliminator::new(&[], Quantifiers::Refused, limits)
                .project_model(pool, model, &conjuncts, &allowed)
        })?;
        let Some(cube) = cube else {
            return Ok(highest.map(|(value, is_open)| {
                let value = pool.real(&value);
                if is_open { pool.lt(row, value) } else { pool.le(row, value) }
            }));
        };
        let Some(top) = top(pool, cube, height) else { return Ok(None) };
        highest = Some(top);
    }
    Ok(None)
}

/// The least upper bound of `height` in a cube of bounds, and whether it is strict.
fn top(pool: &mut TermPool, cube: Term, height: Term) -> Option<(BigRational, bool)> {
    let mut least: Option<(BigRational, bool)> = None;
    for literal in pool.conjuncts(&[cube]) {
        let halves = backends::symbolic::halves(pool, literal);
        for half in halves.map_or_else(|| vec![literal], Vec::from) {
            let Some(bound) = Inequality::of(pool, half) else { continue };
            let Some(coefficient) = bound.linear.coefficient(height).filter(|c| c.is_positive()) else {
                continue;
            };
            let value = -&bound.linear.constant / coefficient;
            let is_lower = least.as_ref().is_none_or(|(other, is_open)| {
                value < *other || value == *other && bound.is_strict && !is_open
            });
            if is_lower {
                least = Some((value, bound.is_strict));
            }
        }
    }
    least
}
