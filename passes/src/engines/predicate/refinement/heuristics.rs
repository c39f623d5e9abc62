//! Heuristic predicates.
//!
//! Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of Passau, 2017, §4.2.3:
//! the conditions on the counterexample are the distinctions that the program itself makes, the
//! last ones state the property, and unlike interpolants they do not depend on the number of
//! iterations. The predicates of a block are the conditions over the state at its start, and the
//! equation `x = c` if the block sets a variable to a constant. Each `x = i` is accompanied by
//! `x ≤ i` and `x ≥ i`. Each predicate is tracked at all inner states, since the last condition may
//! depend on facts from the first state on; the precision ignores predicates over variables that
//! are not live.
//!
//! The predicates need not hold of the states, so they only refine the precision, and progress is
//! not guaranteed. Each refinement adds at most [`LARGEST`] of them.
//!
//! Cost: one traversal of the block formulas.

use super::Counterexample;
use super::facts::AbstractFacts;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::solving::Failure;
use backends::symbolic::{atoms, halves};
use horn::ClauseData;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Term, TermPool};

/// The largest number of predicates from one counterexample.
const LARGEST: usize = 12;

impl Analysis<'_, '_> {
    pub(super) fn heuristic_predicates(
        &mut self,
        counterexample: &Counterexample,
    ) -> Result<Option<AbstractFacts>, Failure> {
        let target = *counterexample.states.last().expect("a counterexample has states");
        let precision = self.arg[target].precision.clone();
        let mut found: IndexSet<Term, FxBuildHasher> = IndexSet::default();
        for block in counterexample.blocks.iter().rev() {
            for predicate in assumptions(self.pool, block) {
                if found.len() < LARGEST && !self.is_tracked(counterexample, &precision, predicate)? {
                    found.insert(predicate);
                }
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let predicates: Vec<Term> = found.into_iter().collect();
        Ok(Some(AbstractFacts::Predicates(vec![predicates; counterexample.inner().len()])))
    }

    /// Whether a predicate is in the precision of all inner states.
    fn is_tracked(
        &mut self,
        counterexample: &Counterexample,
        precision: &crate::engines::predicate::precision::Precision,
        formula: Term,
    ) -> Result<bool, Failure> {
        let Some(predicate) = self.predicate(formula)? else { return Ok(true) };
        Ok(counterexample.inner().iter().all(|&node| {
            let location = self.arg[node].location;
            precision.at(location, self.function(location)).contains(&predicate)
        }))
    }
}

/// The atoms of a block over one state, with the halves of equalities.
fn assumptions(pool: &mut TermPool, block: &ClauseData) -> Vec<Term> {
    let after: FxHashSet<Term> = block.after().collect();
    let mut found = Vec::new();
    for atom in atoms(pool, block.constraint) {
        let symbols: Vec<Term> =
            pool.free_symbols(atom).into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
        let is_before = symbols.iter().all(|symbol| !after.contains(symbol) && !block.inner.contains(symbol));
        let is_after = symbols.iter().all(|symbol| after.contains(symbol));
        if symbols.is_empty() || !(is_before || is_after) {
            continue;
        }
        let predicate = block.unprimed(pool, atom);
        found.push(predicate);
        found.extend(halves(pool, predicate).into_iter().flatten());
    }
    found
}
