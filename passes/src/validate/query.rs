//! A check under construction: formulas over bit vectors and arrays, encoded together with the
//! invariants.

use super::check::{Check, Claim, NotValidated, Rejection};
use super::system::Invariant;
use crate::evidence::Basis;
use encode::{Encoder, applied_operations};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Representation, Sort, Term, TermPool};
use views::blocks::VariableData;

/// A conjunction in the theories of a certificate, with its encoder.
pub(super) struct Query {
    encoder: Encoder,
    conjuncts: Vec<Term>,
}

impl Query {
    pub(super) fn new(basis: &Basis) -> Self {
        let encoder = basis.theories.encoder();
        Query { encoder, conjuncts: Vec::new() }
    }

    /// Encodes a formula over bit vectors and arrays.
    pub(super) fn encode(&mut self, pool: &mut TermPool, formula: Term) -> Result<Term, NotValidated> {
        let encoded = self.encoder.formula(pool, formula)?;
        self.conjuncts.extend(self.encoder.take_constraints());
        Ok(encoded)
    }

    /// Instantiates `invariant` at `state`, whose terms are values of `variables`, and at the value
    /// `at` of its quantified symbol.
    pub(super) fn instance<'v>(
        &mut self,
        pool: &mut TermPool,
        invariant: &Invariant,
        variables: impl Iterator<Item = &'v VariableData>,
        state: &[Term],
        at: Option<Term>,
    ) -> Result<Term, NotValidated> {
        let variables: Vec<&VariableData> = variables.collect();
        let mut values: Vec<(Term, Term, Representation)> = invariant
            .symbols
            .iter()
            .map(|&(symbol, position)| (symbol, state[position], variables[position].representation))
            .collect();
        if let Some(index) = invariant.index {
            let at = at.expect("an invariant with a quantified symbol has values of it");
            values.push((index.symbol, at, index.representation));
        }
        let mut images = FxHashMap::default();
        let mut arrays = FxHashMap::default();
        for (symbol, value, representation) in values {
            if matches!(pool.sort(value), Sort::Array(_)) {
                arrays.insert(symbol, value);
            }
            let image = self.encoder.term_as(pool, value, representation)?;
            if pool.sort(image) != pool.sort(symbol) {
                let Op::Symbol(id) = pool.op(symbol) else {
                    unreachable!("symbols of invariants are symbols")
                };
                let (at, symbol) = (invariant.at, pool.symbol_data(id).name.clone());
                return Err(Rejection::Sort { at, symbol }.into());
            }
            images.insert(symbol, image);
        }
        self.conjuncts.extend(self.encoder.take_constraints());
        self.constrain_reads(pool, invariant.formula, &arrays, &images)?;
        Ok(pool.map_leaves(invariant.formula, &mut |_, leaf| images.get(&leaf).copied()))
    }

    /// Adds the ranges of the elements of arrays that an invariant reads. The invariant is not
    /// translated from bit vectors, so it may read elements of which the check knows nothing else.
    /// `arrays` are the values of its array symbols, and `images` their translations.
    fn constrain_reads(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        arrays: &FxHashMap<Term, Term>,
        images: &FxHashMap<Term, Term>,
    ) -> Result<(), NotValidated> {
        let mut reads = Vec::new();
        let is_read = |term| pool.op(term) == Op::Select && arrays.contains_key(&pool.children(term)[0]);
        let note = |term| {
            if is_read(term) {
                reads.push(term);
            }
        };
        pool.visit(&[formula], |_| true, note);
        for read in reads {
            // In a quantified formula, the element of a bound variable is not one element.
            if !pool.free_bound_variables(read).is_empty() {
                continue;
            }
            let array = arrays[&pool.children(read)[0]];
            let read = pool.map_leaves(read, &mut |_, leaf| images.get(&leaf).copied());
            let is_in_range = self.encoder.range_of_element(pool, array, read)?;
            self.conjuncts.push(is_in_range);
        }
        Ok(())
    }

    /// Adds those of `axioms` that are about nonlinear operations in `instance`, an instance of an
    /// invariant: the formulas of this check may not contain these operations.
    pub(super) fn constrain_operations(&mut self, pool: &TermPool, instance: Term, axioms: &[Term]) {
        let applied: FxHashSet<Term> = applied_operations(pool, instance).into_iter().collect();
        let is_about =
            |&axiom: &Term| applied_operations(pool, axiom).iter().any(|one| applied.contains(one));
        self.conjuncts.extend(axioms.iter().copied().filter(is_about));
    }

    /// Adds an encoded formula.
    pub(super) fn assert(&mut self, formula: Term) {
        self.conjuncts.push(formula);
    }

    /// The check that the asserted formulas are unsatisfiable together with `last`.
    pub(super) fn check(&self, pool: &TermPool, claim: Claim, last: Term) -> Check {
        let is_trivial = |formula: &Term| *formula == pool.tru();
        let formulas = self.conjuncts.iter().copied().chain([last]);
        Check { claim, formulas: formulas.filter(|formula| !is_trivial(formula)).collect() }
    }
}
