//! Elimination of variables that equations determine.
//!
//! A variable `v` with a conjunct `v = t`, or a Boolean one that is a conjunct or whose negation is
//! one, is replaced by its value. Definitions are chosen greedily in the order of the conjuncts,
//! such that their values contain no defined variable; other definitions wait for the next round.
//! This is the elimination of equalities of Z3's tactic `solve-eqs` (de Moura and Bjørner, *Z3: An
//! Efficient SMT Solver*, TACAS 2008).
//!
//! Cost: linear in the constraint and the sizes of the values for each round; rounds end when none
//! is found, at most [`ROUNDS`].

use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Substitution, Term, TermPool};

/// The number of rounds in which definitions are looked for.
const ROUNDS: usize = 8;

/// The formula with those of `variables` replaced that conjuncts of it determine.
pub(super) fn eliminate(pool: &mut TermPool, formula: Term, variables: &[Term]) -> Term {
    solve(pool, formula, variables, &mut FxHashMap::default())
}

/// Like [`eliminate`]; adds the values of the variables, over those that are left.
pub(super) fn solve(
    pool: &mut TermPool,
    mut formula: Term,
    variables: &[Term],
    values: &mut FxHashMap<Term, Term>,
) -> Term {
    let mut targets: FxHashSet<Term> = variables.iter().copied().collect();
    for _ in 0..ROUNDS {
        if targets.is_empty() {
            break;
        }
        let found = definitions(pool, formula, &targets);
        if found.is_empty() {
            break;
        }
        let mut images = Substitution::sparse();
        for &(variable, value) in &found {
            images.insert(variable, value);
            targets.remove(&variable);
        }
        for value in values.values_mut() {
            *value = images.apply(pool, *value);
        }
        values.extend(found);
        formula = images.apply(pool, formula);
    }
    formula
}

/// Definitions of some of `targets` by conjuncts of the formula, whose values contain none of the
/// targets that are defined.
fn definitions(pool: &mut TermPool, formula: Term, targets: &FxHashSet<Term>) -> Vec<(Term, Term)> {
    let mut found: Vec<(Term, Term)> = Vec::new();
    let mut defined: FxHashSet<Term> = FxHashSet::default();
    // The targets in the values chosen so far.
    let mut used: FxHashSet<Term> = FxHashSet::default();
    for conjunct in pool.conjuncts(&[formula]) {
        let is_free = |term: &Term| targets.contains(term) && !defined.contains(term) && !used.contains(term);
        let candidates: Vec<(Term, Term)> = match (pool.op(conjunct), pool.children(conjunct)) {
            (Op::Not, &[variable]) if is_free(&variable) => vec![(variable, pool.fls())],
            (Op::Eq, &[a, b]) => {
                let sides = [(a, b), (b, a)].into_iter().filter(|(side, _)| is_free(side));
                let mut candidates: Vec<_> = sides.collect();
                if candidates.is_empty() {
                    candidates.extend(isolate(pool, a, b, is_free));
                }
                candidates
            }
            _ if is_free(&conjunct) => vec![(conjunct, pool.tru())],
            _ => continue,
        };
        for (variable, value) in candidates {
            let mut below: Vec<Term> = Vec::new();
            pool.visit(
                &[value],
                |_| true,
                |term| {
                    if targets.contains(&term) {
                        below.push(term);
                    }
                },
            );
            if below.iter().any(|term| *term == variable || defined.contains(term)) {
                continue;
            }
            used.extend(below);
            defined.insert(variable);
            found.push((variable, value));
            break;
        }
    }
    found
}

/// Solves the equation of sums `a = b` for a summand that `is_free`.
fn isolate(pool: &mut TermPool, a: Term, b: Term, is_free: impl Fn(&Term) -> bool) -> Option<(Term, Term)> {
    if !matches!(pool.sort(a), Sort::Int | Sort::Real) {
        return None;
    }
    for (own, other) in [(a, b), (b, a)] {
        if pool.op(own) == Op::Add
            && let Some(variable) = pool.children(own).iter().copied().find(&is_free)
        {
            let rest = pool.sub(own, variable);
            return Some((variable, pool.sub(other, rest)));
        }
    }
    None
}
