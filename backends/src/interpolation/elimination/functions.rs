//! Elimination of local functions, and of local arrays that are only read (Ackermann's reduction).

use super::solve::fresh;
use super::{Names, contains};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Sort, Substitution, Term, TermPool};

/// The maximal number of pairs of applications that are compared.
const MAX_PAIRS: usize = 4000;
/// The maximal number of reads over writes that are expanded in one round.
const MAX_EXPANSIONS: usize = 400;

/// The effect of a step.
pub(super) enum Step {
    /// No change.
    Unchanged,
    /// The conjuncts changed; they are equivalent up to the fresh variables.
    Changed,
}

/// Replaces every application of a local function to arguments without local functions by a fresh
/// variable, and adds for each pair of applications the constraint that equal arguments have equal
/// results. Exact: variables and constraints describe all behaviors of some function at these
/// arguments.
pub(super) fn eliminate_functions(
    pool: &mut TermPool,
    conjuncts: &mut Vec<Term>,
    names: &Names<'_>,
    origins: &mut Vec<(Term, Term)>,
) -> Step {
    let mut known: FxHashMap<FunctionSymbol, Vec<(Vec<Term>, Term)>> = FxHashMap::default();
    let mut pairs = 0;
    let before = conjuncts.clone();
    loop {
        let mut holds_local: FxHashSet<Term> = FxHashSet::default();
        let mut holds_bound: FxHashSet<Term> = FxHashSet::default();
        let mut innermost = Vec::new();
        pool.visit(
            conjuncts,
            |_| true,
            |term| {
                let children = pool.children(term);
                let is_above = children.iter().any(|child| holds_local.contains(child));
                if matches!(pool.op(term), Op::Bound(_))
                    || children.iter().any(|child| holds_bound.contains(child))
                {
                    holds_bound.insert(term);
                }
                if let Op::Apply(function) = pool.op(term)
                    && names.is_local_function(function)
                {
                    holds_local.insert(term);
                    if !is_above {
                        innermost.push((function, term));
                    }
                } else if is_above {
                    holds_local.insert(term);
                }
            },
        );
        if innermost.is_empty() {
            break;
        }
        if innermost.iter().any(|(_, term)| holds_bound.contains(term)) {
            *conjuncts = before;
            return Step::Unchanged;
        }
        let mut substitution = Substitution::sparse();
        let mut constraints = Vec::new();
        for (function, term) in innermost {
            let arguments = pool.children(term).to_vec();
            let result = fresh(pool, term, origins);
            substitution.insert(term, result);
            let others = known.entry(function).or_default();
            pairs += others.len();
            for (others, other) in others.iter() {
                constraints.push(congruence(pool, &arguments, others, result, *other));
            }
            others.push((arguments, result));
        }
        if pairs > MAX_PAIRS {
            *conjuncts = before;
            return Step::Unchanged;
        }
        for conjunct in conjuncts.iter_mut() {
            *conjunct = substitution.apply(pool, *conjunct);
        }
        conjuncts.extend(constraints);
    }
    if known.is_empty() { Step::Unchanged } else { Step::Changed }
}

/// `arguments = others ⇒ result = other`.
fn congruence(pool: &mut TermPool, arguments: &[Term], others: &[Term], result: Term, other: Term) -> Term {
    let mut clause = vec![pool.eq(result, other)];
    for (&a, &b) in arguments.iter().zip(others) {
        clause.push(pool.neq(a, b));
    }
    pool.or(&clause)
}

/// Rewrites towards local arrays that are only read: reads over writes and over `ite` become `ite`s
/// of reads, and a disequality of arrays gets an index at which they differ.
pub(super) fn expose_reads(
    pool: &mut TermPool,
    conjuncts: &mut [Term],
    names: &Names<'_>,
    origins: &mut Vec<(Term, Term)>,
) -> Step {
    let mut is_changed = false;
    for conjunct in conjuncts.iter_mut() {
        if let Some((a, b)) = different_arrays(pool, *conjunct)
            && names.has_local(pool, *conjunct)
        {
            let Sort::Array(sort) = pool.sort(a) else { continue };
            let index_sort = pool.array_sort_parts(sort).0;
            // The index does not correspond to a term: a cube that retains it cannot be projected
            // by value.
            let index = pool.fresh_symbol("newton", index_sort, terms::Representation::Signed);
            origins.push((index, index));
            let (left, right) = (pool.select(a, index), pool.select(b, index));
            *conjunct = pool.neq(left, right);
            is_changed = true;
        }
    }
    for _ in 0..MAX_EXPANSIONS {
        let mut reads = Vec::new();
        let mut holds_local: FxHashSet<Term> = FxHashSet::default();
        pool.visit(
            conjuncts,
            |_| true,
            |term| {
                let children = pool.children(term);
                if names.is_local(pool, term) || children.iter().any(|child| holds_local.contains(child)) {
                    holds_local.insert(term);
                }
                if pool.op(term) == Op::Select
                    && matches!(pool.op(children[0]), Op::Store | Op::Ite)
                    && holds_local.contains(&children[0])
                {
                    reads.push(term);
                }
            },
        );
        // Children come first, so the first read is expanded while the others still occur in it;
        // the next round finds those.
        let Some(&read) = reads.first() else { break };
        let &[array, index] = pool.children(read) else { break };
        let expanded = match (pool.op(array), pool.children(array)) {
            (Op::Store, &[older, written, value]) => {
                let is_same = pool.eq(written, index);
                let below = pool.select(older, index);
                pool.ite(is_same, value, below)
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let then = pool.select(then, index);
                let otherwise = pool.select(otherwise, index);
                pool.ite(condition, then, otherwise)
            }
            _ => break,
        };
        if expanded == read {
            break;
        }
        let mut substitution = Substitution::sparse();
        substitution.insert(read, expanded);
        for conjunct in conjuncts.iter_mut() {
            *conjunct = substitution.apply(pool, *conjunct);
        }
        is_changed = true;
    }
    if is_changed { Step::Changed } else { Step::Unchanged }
}

fn different_arrays(pool: &TermPool, literal: Term) -> Option<(Term, Term)> {
    let &[atom] = pool.children(literal) else { return None };
    match (pool.op(literal), pool.op(atom), pool.children(atom)) {
        (Op::Not, Op::Eq, &[a, b]) if matches!(pool.sort(a), Sort::Array(_)) => Some((a, b)),
        _ => None,
    }
}

/// Replaces the reads of one local array that is only read by fresh variables, as for functions.
pub(super) fn eliminate_read_array(
    pool: &mut TermPool,
    conjuncts: &mut Vec<Term>,
    names: &Names<'_>,
    origins: &mut Vec<(Term, Term)>,
) -> Step {
    for array in names.local_symbols(pool, conjuncts) {
        if !matches!(pool.sort(array), Sort::Array(_)) {
            continue;
        }
        let mut reads = Vec::new();
        let mut is_only_read = true;
        let mut has_bound = false;
        pool.visit(
            conjuncts,
            |_| true,
            |term| {
                has_bound |= matches!(pool.op(term), Op::Bound(_));
                let children = pool.children(term);
                if !children.contains(&array) {
                    return;
                }
                if pool.op(term) == Op::Select && children[1] != array {
                    reads.push(term);
                } else {
                    is_only_read = false;
                }
            },
        );
        if !is_only_read || has_bound || reads.len() * reads.len() > 2 * MAX_PAIRS {
            continue;
        }
        // Innermost first, one read at a time: an index may contain reads of the same array.
        let mut done: Vec<(Vec<Term>, Term)> = Vec::new();
        while let Some(read) = first_read(pool, conjuncts, array) {
            let index = pool.children(read)[1];
            let value = fresh(pool, read, origins);
            let mut constraints = Vec::new();
            for (others, other) in &done {
                constraints.push(congruence(pool, &[index], others, value, *other));
            }
            done.push((vec![index], value));
            let mut substitution = Substitution::sparse();
            substitution.insert(read, value);
            for conjunct in conjuncts.iter_mut() {
                *conjunct = substitution.apply(pool, *conjunct);
            }
            conjuncts.extend(constraints);
        }
        return Step::Changed;
    }
    Step::Unchanged
}

/// A read of `array` whose index contains no read of it.
fn first_read(pool: &TermPool, conjuncts: &[Term], array: Term) -> Option<Term> {
    let mut found = None;
    pool.visit(
        conjuncts,
        |_| true,
        |term| {
            if found.is_none()
                && let (Op::Select, &[of, index]) = (pool.op(term), pool.children(term))
                && of == array
                && !contains(pool, &[index], array)
            {
                found = Some(term);
            }
        },
    );
    found
}

/// Replaces reads and applications at local arguments by fresh variables, with the congruence
/// constraints among them and with other occurrences of the same function or array. The result is
/// *weaker*: only at the occurring arguments the values must belong to one function.
pub(super) fn generalize_applications(
    pool: &mut TermPool,
    conjuncts: &mut Vec<Term>,
    names: &Names<'_>,
    origins: &mut Vec<(Term, Term)>,
) -> Step {
    let mut is_changed = false;
    loop {
        let mut holds_local: FxHashSet<Term> = FxHashSet::default();
        let mut innermost: Option<Term> = None;
        let mut all: Vec<Term> = Vec::new();
        let mut has_bound = false;
        pool.visit(
            conjuncts,
            |_| true,
            |term| {
                let children = pool.children(term);
                has_bound |= matches!(pool.op(term), Op::Bound(_));
                if names.is_local(pool, term) || children.iter().any(|child| holds_local.contains(child)) {
                    holds_local.insert(term);
                }
                if matches!(pool.op(term), Op::Apply(_) | Op::Select) {
                    all.push(term);
                    if holds_local.contains(&term) {
                        innermost.get_or_insert(term);
                    }
                }
            },
        );
        let Some(term) = innermost else { break };
        if has_bound || all.len() > MAX_PAIRS / 4 {
            break;
        }
        let arguments = pool.children(term).to_vec();
        let value = fresh(pool, term, origins);
        let mut constraints = Vec::new();
        for other in all {
            if other != term && pool.op(other) == pool.op(term) && pool.sort(other) == pool.sort(term) {
                let others = pool.children(other).to_vec();
                // Reads of different arrays are not compared: equality of the arrays is rarely
                // useful.
                if pool.op(term) != Op::Select || arguments[0] == others[0] {
                    constraints.push(congruence(pool, &arguments, &others, value, other));
                }
            }
        }
        conjuncts.extend(constraints);
        let mut substitution = Substitution::sparse();
        substitution.insert(term, value);
        for conjunct in conjuncts.iter_mut() {
            *conjunct = substitution.apply(pool, *conjunct);
        }
        is_changed = true;
    }
    if is_changed { Step::Changed } else { Step::Unchanged }
}
