//! Acceleration of loops: a clause from a relation to itself that adds constants to its arguments
//! becomes one that does so any number of times.
//!
//! A clause `R(x) ∧ φ(x) ⇒ R(x + c)` becomes its transitive closure, with a symbol `n` for the
//! number of steps:
//!
//! ```text
//! R(x) ∧ n ≥ 1 ∧ φ(x) ∧ φ(x + (n - 1) · c) ⇒ R(x + n · c)
//! ```
//!
//! The closure is exact where φ is convex: a conjunction of linear (in)equalities holds in all
//! states of the loop if it holds in the first and in the last one. A disequality holds in all if
//! its two sides have the same order in the first and in the last one, or if their difference in
//! the first one is no multiple of its change. An argument may also be reset to a value that the
//! loop does not change; from the second state on it has this value. A derivation of a million
//! steps becomes one of a few, and an invariant need not be found for the loop but for its exits.
//!
//! Source: Boigelot, *Symbolic Methods for Exploring Infinite State Spaces*, PhD thesis, Liège,
//! 1998; Finkel and Leroux, *How to Compose Presburger-Accelerations: Applications to Broadcast
//! Protocols*, FSTTCS 2002; for Horn clauses Hojjat, Iosif, Konečný, Kuncak and Rümmer,
//! *Accelerating Interpolants*, ATVA 2012.
//!
//! *Models* remain: with n = 1, the new clause is the old one. *Derivations*: a step becomes n
//! applications of the old clause; the number of steps of a derivation is bounded.
//!
//! Cost: linear.
//!
//! # Limits
//! Clauses without nondeterminism, over integers and reals; the constants are numbers, and φ has no
//! disjunctions about changed arguments: `split-clauses` distinguishes its cases first. Loops of
//! several clauses are not accelerated: `inline` often makes one of them.

use super::Transformed;
use super::back::{Back, History, Made, Source, kept, symbols};
use backends::interpolation::elimination::{Inequality, Linear};
use horn::{ClauseData, System, Update, Updates};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Op, Representation, Sort, Term, TermPool};

pub(super) fn accelerate(pool: &mut TermPool, old: &System) -> Transformed {
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let (mut history, mut sources) = (History::default(), PrimaryMap::new());
    let mut count: Option<Term> = None;
    for (clause, data) in old.clauses.iter() {
        let Some(steps) = steps(pool, data) else {
            system.clauses.push(data.clone());
            sources.push(Source::Old(clause));
            continue;
        };
        // Clauses share symbols by name only.
        let count =
            *count.get_or_insert_with(|| pool.fresh_symbol("n", Sort::Int, Representation::default()));
        match closure(pool, data, &steps, count) {
            Some(new) => {
                system.clauses.push(new);
                sources.push(history.add(Made::Repeated { clause, count }));
            }
            None => {
                system.clauses.push(data.clone());
                sources.push(Source::Old(clause));
            }
        }
    }
    let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
    Transformed { system, back: Back { old: old.clone(), definitions, history, sources, ..Back::default() } }
}

/// The change of an argument by a step of a loop.
#[derive(Clone, Debug)]
enum Change {
    /// A number is added, which is not 0.
    Add(BigRational),
    /// It gets this value, over arguments that do not change.
    Reset(Term),
}

/// The changes of a loop, by symbols `x`.
type Steps = Vec<(Term, Change)>;

/// The changes of the arguments, if the clause is a loop that adds constants.
fn steps(pool: &mut TermPool, clause: &ClauseData) -> Option<Steps> {
    let [atom] = &clause.body[..] else { return None };
    let head = clause.head.as_ref()?;
    if head.relation != atom.relation || !clause.inner.is_empty() {
        return None;
    }
    let mut steps = Steps::new();
    for (&before, update) in &clause.updates {
        let value = update.value?;
        let change = match pool.sort(before) {
            Sort::Int | Sort::Real => Some(Linear::difference(pool, value, before)),
            _ => None,
        };
        let change = match change.filter(|change| change.parts.is_empty()) {
            Some(change) if change.constant.is_zero() => continue,
            Some(change) => Change::Add(change.constant),
            None => {
                let changes =
                    |symbol: terms::Symbol| clause.updates.keys().any(|&x| pool.op(x) == Op::Symbol(symbol));
                if pool.free_symbols(value).into_iter().any(changes) {
                    return None;
                }
                Change::Reset(value)
            }
        };
        steps.push((before, change));
    }
    // Without a counter, the loop does not go on.
    steps.iter().any(|(_, change)| matches!(change, Change::Add(_))).then_some(steps)
}

/// The loop, applied `count` times.
fn closure(pool: &mut TermPool, clause: &ClauseData, steps: &Steps, count: Term) -> Option<ClauseData> {
    if symbols(pool, clause).iter().any(|&symbol| pool.op(count) == Op::Symbol(symbol)) {
        return None;
    }
    let one = pool.int(1);
    let before_last = pool.sub(count, one);
    let last = state(pool, steps, before_last);
    let second = state(pool, steps, one);
    let changed: FxHashMap<Term, &Change> = steps.iter().map(|(symbol, change)| (*symbol, change)).collect();
    let mut conjuncts = vec![pool.le(one, count)];
    for conjunct in pool.conjuncts(&[clause.guard]) {
        conjuncts.push(conjunct);
        let own: FxHashSet<Term> =
            pool.free_symbols(conjunct).into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
        if !own.iter().any(|symbol| changed.contains_key(symbol)) {
            continue;
        }
        let is_reset = own.iter().any(|symbol| matches!(changed.get(symbol), Some(Change::Reset(_))));
        let counts = own.iter().any(|symbol| matches!(changed.get(symbol), Some(Change::Add(_))));
        if is_reset && !counts {
            // From the second state on, it is the same formula, whatever it is.
            let later = at(pool, conjunct, &second);
            let only = pool.le(count, one);
            conjuncts.push(pool.or2(only, later));
            continue;
        }
        let (linear, is_equation, is_negated) = linear(pool, conjunct)?;
        // The bases are counters and terms without changed symbols.
        let mut change = BigRational::zero();
        for (base, factor) in &linear.parts {
            match changed.get(base) {
                Some(Change::Add(step)) => change += step * factor,
                Some(Change::Reset(_)) => {}
                None => {
                    let symbols = pool.free_symbols(*base);
                    let symbols = symbols.into_iter().map(|symbol| pool.symbol_term(symbol));
                    if symbols.collect::<Vec<_>>().iter().any(|symbol| changed.contains_key(symbol)) {
                        return None;
                    }
                }
            }
        }
        if is_negated {
            if is_reset {
                return None;
            }
            if !change.is_zero() {
                conjuncts.push(differs(pool, &linear, &change, &last)?);
            }
            continue;
        }
        if change.is_zero() && !is_reset || !is_equation && !is_reset && change.is_negative() {
            // The first state is the one in which it is hardest to satisfy.
            continue;
        }
        let at_last = at(pool, conjunct, &last);
        if is_reset {
            let at_second = at(pool, conjunct, &second);
            let later = pool.and2(at_second, at_last);
            let only = pool.le(count, one);
            conjuncts.push(pool.or2(only, later));
        } else {
            conjuncts.push(at_last);
        }
    }
    let end = state(pool, steps, count);
    let mut updates = Updates::default();
    for (&before, update) in &clause.updates {
        let value = end.get(&before).copied().unwrap_or(before);
        updates.insert(before, Update { after: update.after, value: Some(value) });
    }
    let guard = pool.and(&conjuncts);
    let head = (clause.head.clone(), updates);
    Some(ClauseData::new(pool, clause.body.clone(), guard, head, clause.origin.clone()))
}

/// The values of the changed arguments after `count` ≥ 1 steps.
fn state(pool: &mut TermPool, steps: &Steps, count: Term) -> FxHashMap<Term, Term> {
    let values = steps.iter().map(|(symbol, change)| {
        let value = match change {
            Change::Reset(value) => *value,
            Change::Add(step) => {
                let sort = pool.sort(*symbol);
                let count = if sort == Sort::Real { pool.to_real(count) } else { count };
                let step = pool.number(sort, step);
                let change = pool.mul(step, count);
                pool.add(&[*symbol, change])
            }
        };
        (*symbol, value)
    });
    values.collect()
}

fn at(pool: &mut TermPool, formula: Term, values: &FxHashMap<Term, Term>) -> Term {
    pool.map_leaves(formula, &mut |_, leaf| values.get(&leaf).copied())
}

/// The left side of `Σ ≤ 0`, `Σ < 0`, `Σ = 0` or `Σ ≠ 0`, whether it is an equation or its
/// negation, and whether it is the negation.
fn linear(pool: &TermPool, literal: Term) -> Option<(Linear, bool, bool)> {
    if let Some(inequality) = Inequality::of(pool, literal) {
        return Some((inequality.linear, false, false));
    }
    let (atom, is_negated) = match (pool.op(literal), pool.children(literal)) {
        (Op::Not, &[atom]) => (atom, true),
        _ => (literal, false),
    };
    let (Op::Eq, &[a, b]) = (pool.op(atom), pool.children(atom)) else { return None };
    let is_number = matches!(pool.sort(a), Sort::Int | Sort::Real);
    is_number.then(|| (Linear::difference(pool, a, b), true, is_negated))
}

/// That a sum, which is not 0 in the first state and changes by `change` with each step, is not 0
/// in any state up to the last one.
fn differs(
    pool: &mut TermPool,
    linear: &Linear,
    change: &BigRational,
    last: &FxHashMap<Term, Term>,
) -> Option<Term> {
    // A multiple of the change over reals has no simple formula.
    if linear.sort != Sort::Int || !change.is_integer() || linear.parts.iter().any(|(_, k)| !k.is_integer()) {
        return None;
    }
    let first = linear.term(pool);
    let end = at(pool, first, last);
    let zero = pool.int(0);
    // Where it grows, it is positive from the start, or negative up to the end.
    let (negative, positive) = if change.is_positive() { (end, first) } else { (first, end) };
    let mut cases = vec![pool.lt(negative, zero), pool.lt(zero, positive)];
    if !change.abs().is_one() {
        let step = pool.int_big(&change.abs().to_integer());
        let rest = pool.int_mod(first, step);
        let is_multiple = pool.eq(rest, zero);
        cases.push(pool.not(is_multiple));
    }
    Some(pool.or(&cases))
}
