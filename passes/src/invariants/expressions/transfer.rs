//! The abstract successor of a state along a clause.

use super::environment::{Environment, Infeasible};
use super::linear::number_of;
use super::state::{Equation, Scope, State, View};
use crate::intervals::disjunction::{Ranges, Values, apply};
use horn::ClauseData;
use rustc_hash::FxHashMap;
use terms::{BitVector, Op, Sort, Term, TermPool};

/// The largest number of terms in an expression before it is over the variables of a state.
const LARGEST: usize = 64;

impl Scope<'_> {
    /// The view of `state`, over `variables`, after the guard of `clause`. Without a state, the
    /// clause is an entry.
    pub(super) fn guarded(
        &mut self,
        clause: &ClauseData,
        (variables, state): (&[Term], Option<&State>),
    ) -> Result<View, Infeasible> {
        let none = State { values: Vec::new(), equations: Vec::new() };
        let (variables, state) = state.map_or((&[][..], &none), |state| (variables, state));
        let mut view = self.view(variables, state);
        let image = view.image(self.pool, clause.guard);
        let mut assumed = Ok(());
        // The second time, each conjunct is assumed with the values that the later ones leave.
        for guard in [clause.guard, image, clause.guard] {
            assumed = assumed.and_then(|()| view.environment.assume(self.pool, guard));
            if assumed.is_ok() {
                assumed = self.reduce(&mut view.environment, variables, state);
            }
        }
        self.work += view.environment.work;
        view.environment.work = 0;
        assumed.map(|()| view)
    }

    /// Removes the values of variables that their equations exclude.
    fn reduce(
        &mut self,
        environment: &mut Environment,
        variables: &[Term],
        state: &State,
    ) -> Result<(), Infeasible> {
        for (&variable, equation) in variables.iter().zip(&state.equations) {
            let Some(equation) = equation else { continue };
            let mut values = environment.evaluate(self.pool, equation.base);
            if let Some(offset) = &equation.offset {
                let terms = [values, Values::Ranges(offset.clone())];
                values = apply(Op::BvAdd, self.pool.sort(variable), &terms);
            }
            environment.meet(self.pool, variable, &values)?;
        }
        Ok(())
    }

    /// The abstract successor over the variables `after` of the head of `clause`.
    pub(super) fn successor(
        &mut self,
        clause: &ClauseData,
        before: (&[Term], Option<&State>),
        after: &[Term],
    ) -> Result<State, Infeasible> {
        let mut view = self.guarded(clause, before)?;
        let terms: Vec<Term> = after
            .iter()
            .map(|&variable| {
                let update = clause.updates.get(&variable);
                update.map_or(variable, |update| update.value.unwrap_or(update.after))
            })
            .collect();
        let images: Vec<Term> = terms.iter().map(|&term| view.image(self.pool, term)).collect();
        let mut values = view.environment.evaluate_all(self.pool, &terms);
        let others = view.environment.evaluate_all(self.pool, &images);
        for (own, other) in values.iter_mut().zip(others) {
            *own = own.meet(&other);
            if own.is_empty() {
                return Err(Infeasible);
            }
        }
        self.work += view.environment.work;
        view.environment.work = 0;
        let equations = self.equations(&mut view.environment, after, &images);
        Ok(State { values, equations })
    }

    /// The equations between the variables `after`, whose values are `images` over the symbols of
    /// the clause.
    ///
    /// A variable whose value is a symbol plus a constant represents the symbol in the values of
    /// the others, at most one for each symbol. These variables have no equations.
    fn equations(
        &mut self,
        environment: &mut Environment,
        after: &[Term],
        images: &[Term],
    ) -> Vec<Option<Equation>> {
        let mut terms: FxHashMap<Term, Term> = FxHashMap::default();
        let mut represents = vec![false; after.len()];
        for (index, (&variable, &image)) in after.iter().zip(images).enumerate() {
            if variable == image {
                terms.insert(image, variable);
                represents[index] = true;
            }
        }
        for (index, (&variable, &image)) in after.iter().zip(images).enumerate() {
            let Some((symbol, constant)) = shifted(self.pool, image) else { continue };
            if !represents[index] && !terms.contains_key(&symbol) {
                let term = match constant {
                    Some(bits) => {
                        let back = self.pool.bit_vector(&bits.neg());
                        self.pool.bv_add(variable, back)
                    }
                    None => variable,
                };
                terms.insert(symbol, term);
                represents[index] = true;
            }
        }
        let equation = |(index, &image): (usize, &Term)| {
            if represents[index] { None } else { self.over(environment, &terms, image) }
        };
        images.iter().enumerate().map(equation).collect()
    }

    /// The value `image` as an expression over the variables in `terms`.
    fn over(
        &mut self,
        environment: &mut Environment,
        terms: &FxHashMap<Term, Term>,
        mut image: Term,
    ) -> Option<Equation> {
        let sort = self.pool.sort(image);
        let mut offset = match Values::top(sort) {
            Values::Truth(..) => None,
            Values::Ranges(of) => Some(Ranges::constant(&BitVector::new(of.width(), 0))?),
            Values::Anything => return None,
        };
        if self.pool.op(image).is_constant() || self.pool.dag_size(image) > LARGEST {
            return None;
        }
        for symbol in self.pool.free_symbols(image) {
            let symbol = self.pool.symbol_term(symbol);
            if terms.contains_key(&symbol) {
                continue;
            }
            // A summand without a representative becomes a part of the offset.
            let (op, rest) = without_summand(self.pool, image, symbol)?;
            let values = environment.evaluate(self.pool, symbol);
            let sum = apply(op, sort, &[Values::Ranges(offset?), values]);
            offset = Some(sum.as_ranges()?.clone()).filter(|offset| !offset.is_full());
            offset.as_ref()?;
            image = rest;
        }
        let term = self.pool.map_leaves(image, &mut |_, leaf| terms.get(&leaf).copied());
        let found = Equation::of(self.pool, term, offset);
        let is_constant = self.pool.free_symbols(found.base).is_empty();
        (!is_constant && found.depth(self.pool) <= self.depth).then_some(found)
    }
}

/// The symbol and the constant of which `term` is the sum.
fn shifted(pool: &TermPool, term: Term) -> Option<(Term, Option<BitVector>)> {
    let is_symbol = |term| matches!(pool.op(term), Op::Symbol(_));
    match (pool.op(term), pool.children(term)) {
        (Op::Symbol(_), _) => Some((term, None)),
        (Op::BvAdd, &[a, b]) => [(a, b), (b, a)].into_iter().find_map(|(symbol, constant)| {
            Some((is_symbol(symbol).then_some(symbol)?, Some(pool.as_bit_vector(constant)?)))
        }),
        _ => None,
    }
}

/// The operator by which `symbol` is a summand of `term`, and the rest of the sum.
fn without_summand(pool: &mut TermPool, term: Term, symbol: Term) -> Option<(Op, Term)> {
    let Sort::BitVec(width) = pool.sort(term) else { return None };
    if pool.sort(symbol) != Sort::BitVec(width) {
        return None;
    }
    let zero = number_of(pool, width, 0);
    let rest = pool.map_leaves(term, &mut |_, leaf| (leaf == symbol).then_some(zero));
    if pool.bv_add(rest, symbol) == term {
        Some((Op::BvAdd, rest))
    } else if pool.bv_sub(rest, symbol) == term {
        Some((Op::BvSub, rest))
    } else {
        None
    }
}
