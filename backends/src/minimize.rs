//! Delta debugging of formulas.
//!
//! [`minimize`] reduces a list of formulas while a test keeps failing: first the list, by the
//! algorithm *ddmin* of Zeller, Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*,
//! TSE 2002, then the formulas, by replacing subterms with constants and with subterms of the same
//! sort. Conjunctions are split first. The result is a local minimum: no single step makes it
//! smaller.
//!
//! The test is arbitrary, so a step may turn one failure into another; a test that should keep one
//! failure has to check for it.

use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Term, TermPool};

/// The result of the test of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The failure persists.
    Fails,
    /// The failure is gone.
    Passes,
    /// The budget is exhausted: the search ends with the smallest candidate that fails.
    Stop,
}

/// The number of terms below a term that are searched for replacements.
const SEARCHED: usize = 64;
/// The number of replacements of a term by terms below it.
const REPLACEMENTS: usize = 6;

/// The search ends because the test said so.
struct Stopped;

/// Returns a smaller list of formulas for which `test` fails, given that it fails for `formulas`.
/// Calls `test` at most `attempts` times.
pub fn minimize(
    pool: &mut TermPool,
    formulas: &[Term],
    attempts: usize,
    test: impl FnMut(&mut TermPool, &[Term]) -> Trial,
) -> Vec<Term> {
    let mut search = Search { formulas: formulas.to_vec(), attempts, test };
    // The end of the budget is no error: the search has kept the best list.
    let _: Result<(), Stopped> = search.run(pool);
    search.formulas
}

struct Search<F> {
    /// The smallest list that fails.
    formulas: Vec<Term>,
    attempts: usize,
    test: F,
}

impl<F: FnMut(&mut TermPool, &[Term]) -> Trial> Search<F> {
    fn run(&mut self, pool: &mut TermPool) -> Result<(), Stopped> {
        loop {
            let before = self.formulas.clone();
            let split = conjuncts(pool, &self.formulas);
            if split != self.formulas {
                self.attempt(pool, split)?;
            }
            self.remove(pool)?;
            self.simplify(pool)?;
            if self.formulas == before {
                return Ok(());
            }
        }
    }

    /// Tests a candidate, and keeps it if it fails.
    fn attempt(&mut self, pool: &mut TermPool, candidate: Vec<Term>) -> Result<bool, Stopped> {
        self.attempts = self.attempts.checked_sub(1).ok_or(Stopped)?;
        match (self.test)(pool, &candidate) {
            Trial::Fails => {
                self.formulas = candidate;
                Ok(true)
            }
            Trial::Passes => Ok(false),
            Trial::Stop => Err(Stopped),
        }
    }

    /// Removes formulas: *ddmin* over complements.
    fn remove(&mut self, pool: &mut TermPool) -> Result<(), Stopped> {
        let mut parts = 2;
        while !self.formulas.is_empty() {
            let length = self.formulas.len();
            parts = parts.min(length);
            let size = length.div_ceil(parts);
            let mut removed = false;
            for start in (0..length).step_by(size) {
                let end = (start + size).min(length);
                let candidate = [&self.formulas[..start], &self.formulas[end..]].concat();
                if self.attempt(pool, candidate)? {
                    removed = true;
                    break;
                }
            }
            match removed {
                true => parts = parts.saturating_sub(1).max(2),
                false if parts >= length => return Ok(()),
                false => parts *= 2,
            }
        }
        Ok(())
    }

    /// Replaces subterms, large ones first.
    fn simplify(&mut self, pool: &mut TermPool) -> Result<(), Stopped> {
        for index in 0..self.formulas.len() {
            let mut next = 0;
            while let Some(&part) = subterms(pool, self.formulas[index]).get(next) {
                next += 1;
                for simpler in candidates(pool, part) {
                    let formula = self.formulas[index];
                    let new = replace(pool, formula, part, simpler);
                    if pool.dag_size(new) >= pool.dag_size(formula) || !is_closed(pool, new) {
                        continue;
                    }
                    let mut candidate = self.formulas.clone();
                    candidate[index] = new;
                    if self.attempt(pool, candidate)? {
                        // The term at this position is another one now.
                        next -= 1;
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The conjuncts of the formulas, without repetitions.
fn conjuncts(pool: &TermPool, formulas: &[Term]) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::And => stack.extend(pool.children(term).iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// The subterms, parents before children.
fn subterms(pool: &TermPool, root: Term) -> Vec<Term> {
    let mut found = Vec::new();
    pool.visit(&[root], |_| true, |term| found.push(term));
    found.reverse();
    found
}

/// Whether the formula has no free bound variables.
fn is_closed(pool: &TermPool, formula: Term) -> bool {
    let mut has_bound = false;
    pool.visit(&[formula], |_| true, |term| has_bound |= matches!(pool.op(term), Op::Bound(_)));
    !has_bound || pool.free_bound_variables(formula).is_empty()
}

/// Terms of the sort of `term` to replace it with: constants, and terms below it.
pub(crate) fn candidates(pool: &mut TermPool, term: Term) -> Vec<Term> {
    let sort = pool.sort(term);
    let mut found = match sort {
        Sort::Bool => vec![pool.tru(), pool.fls()],
        Sort::BitVec(width) => vec![pool.bv(width, 0), pool.bv(width, 1)],
        Sort::Int => vec![pool.int(0), pool.int(1)],
        _ => Vec::new(),
    };
    let mut below: Vec<Term> = pool.children(term).to_vec();
    let mut seen: FxHashSet<Term> = below.iter().copied().collect();
    let mut next = 0;
    while let Some(&other) = below.get(next)
        && next < SEARCHED
    {
        next += 1;
        below.extend(pool.children(other).iter().filter(|&&child| seen.insert(child)));
    }
    let mut seen = FxHashSet::default();
    let of_sort = below.into_iter().filter(|&other| pool.sort(other) == sort && seen.insert(other));
    found.extend(of_sort.take(REPLACEMENTS));
    found.retain(|&other| other != term);
    found
}

/// `root` with `part` replaced by `simpler`.
pub(crate) fn replace(pool: &mut TermPool, root: Term, part: Term, simpler: Term) -> Term {
    let mut order = Vec::new();
    pool.visit(&[root], |term| term != part, |term| order.push(term));
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for term in order {
        let rebuilt = if term == part {
            simpler
        } else {
            let children: Vec<Term> = pool.children(term).iter().map(|child| new[child]).collect();
            pool.rebuild(term, &children)
        };
        new.insert(term, rebuilt);
    }
    new[&root]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A failure that needs a multiplication and a comparison with 7, in any formulas.
    fn fails(pool: &TermPool, formulas: &[Term]) -> bool {
        let mut found = [false; 2];
        pool.visit(
            formulas,
            |_| true,
            |term| match pool.op(term) {
                Op::BvMul => found[0] = true,
                Op::BvUlt => {
                    found[1] |= pool.children(term).iter().any(|&side| pool.as_bv_u64(side) == Some(7));
                }
                _ => {}
            },
        );
        found == [true; 2]
    }

    #[test]
    fn the_result_is_a_local_minimum_that_still_fails() {
        let mut pool = TermPool::new();
        let symbols: Vec<Term> = (0..20).map(|n| pool.symbol(&format!("x{n}"), Sort::BitVec(8))).collect();
        let mut formulas = Vec::new();
        for pair in symbols.windows(2) {
            let sum = pool.bv_add(pair[0], pair[1]);
            formulas.push(pool.eq(sum, symbols[0]));
        }
        let product = pool.bv_mul(symbols[3], symbols[4]);
        let sum = pool.bv_add(product, symbols[5]);
        let with_product = pool.eq(sum, symbols[6]);
        let seven = pool.bv(8, 7);
        let below = pool.bv_ult(symbols[7], seven);
        let conjunction = pool.and(&[formulas[2], below]);
        formulas.insert(4, with_product);
        formulas.insert(9, conjunction);
        assert!(fails(&pool, &formulas));
        let mut calls = 0;
        let small = minimize(&mut pool, &formulas, 10_000, |pool, formulas| {
            calls += 1;
            if fails(pool, formulas) { Trial::Fails } else { Trial::Passes }
        });
        assert!(fails(&pool, &small));
        assert_eq!(small.len(), 2, "one formula for each cause");
        let size: usize = small.iter().map(|&formula| pool.dag_size(formula)).sum();
        assert!(size <= 8, "a product of two symbols in a comparison, and a comparison with 7: {size}");
        assert!(calls < 500, "{calls}");
        for removed in 0..small.len() {
            let mut fewer = small.clone();
            fewer.remove(removed);
            assert!(!fails(&pool, &fewer));
        }
    }

    #[test]
    fn the_budget_ends_the_search_with_the_best_list_so_far() {
        let mut pool = TermPool::new();
        let formulas: Vec<Term> = (0..8).map(|n| pool.symbol(&format!("p{n}"), Sort::Bool)).collect();
        let last = formulas[7];
        let test = |_: &mut TermPool, formulas: &[Term]| match formulas.contains(&last) {
            true => Trial::Fails,
            false => Trial::Passes,
        };
        assert_eq!(minimize(&mut pool, &formulas, 100, test), [last]);
        assert_eq!(minimize(&mut pool, &formulas, 1, test), formulas[4..], "one step");
        let stop = |_: &mut TermPool, _: &[Term]| Trial::Stop;
        assert_eq!(minimize(&mut pool, &formulas, 100, stop), formulas);
    }
}
