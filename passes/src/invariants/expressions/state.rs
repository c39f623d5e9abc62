//! Abstract states, their order and their merge.

use super::environment::Environment;
use super::linear::{self, number_of};
use crate::intervals::disjunction::{Ranges, Values, apply};
use rustc_hash::FxHashMap;
use terms::{BitVector, Op, Representation, Sort, Sparse, Substitution, Term, TermPool};

/// The largest number of variables to which another one is compared for a common equation.
const MOST_PARTNERS: usize = 32;
/// The largest absolute value of a factor in a common equation.
const MOST_FACTOR: i128 = 1 << 16;

/// An abstract state at a loop head: the conjunction of the values and the equations of the
/// variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The values of each variable, never empty.
    pub(super) values: Vec<Values>,
    /// The equation of each variable. Its expression is over variables without an equation.
    pub(super) equations: Vec<Option<Equation>>,
}

/// The expression that a variable equals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation {
    /// A term over other variables, without a constant summand.
    pub(super) base: Term,
    /// The set of the differences to the base; `None` for Booleans.
    pub(super) offset: Option<Ranges>,
}

/// How states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge<'t> {
    /// Values become one range, with growing bounds at the next of these thresholds.
    Widen(&'t [i128]),
    /// As before, and there are no new equations.
    Shrink,
    /// The union.
    Union,
}

/// A state as values of symbols, for terms over its variables.
pub(super) struct View {
    /// The expressions of variables: constants, or terms over variables without an equation and
    /// [offsets](Scope::offset).
    images: Substitution<Sparse>,
    equations: FxHashMap<Term, Equation>,
    pub(super) environment: Environment,
}

/// The part of a search that states share.
pub(super) struct Scope<'p> {
    pub(super) pool: &'p mut TermPool,
    /// The maximal nesting depth of expressions.
    pub(super) depth: usize,
    /// A symbol for the offset of each variable in its equation.
    pub(super) offsets: FxHashMap<Term, Term>,
    /// The number of terms that were evaluated.
    pub(super) work: usize,
}

impl Equation {
    /// The equation with the constant summand of `term` as a part of the offset.
    pub(super) fn of(pool: &mut TermPool, term: Term, offset: Option<Ranges>) -> Self {
        let Some(offset) = offset else { return Equation { base: term, offset } };
        let (base, constant) = linear::parts(pool, term);
        let constant = Values::constant(&BitVector::new(offset.width(), constant as u64));
        let terms = [Values::Ranges(offset), constant];
        let sum = apply(Op::BvAdd, pool.sort(term), &terms);
        Equation { base, offset: sum.as_ranges().cloned() }
    }

    /// The nesting depth of the expression.
    pub(super) fn depth(&self, pool: &TermPool) -> usize {
        let has_offset = self.offset.as_ref().is_some_and(|offset| offset.single() != Some(0));
        pool.depth(self.base) + usize::from(has_offset)
    }

    /// The expression, with `symbol` for the offset.
    fn image(&self, pool: &mut TermPool, symbol: impl FnOnce(&mut TermPool) -> Term) -> Term {
        let Some(offset) = &self.offset else { return self.base };
        let offset = match offset.single() {
            Some(number) => number_of(pool, offset.width(), number),
            None => symbol(pool),
        };
        pool.bv_add(self.base, offset)
    }

    /// Whether all values that `other` admits satisfy the equation, which has the same base.
    fn contains(&self, other: &Equation) -> bool {
        match (&self.offset, &other.offset) {
            (Some(own), Some(others)) => own.contains(others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }
}

impl View {
    /// `term` with the expressions of variables.
    pub(super) fn image(&mut self, pool: &mut TermPool, term: Term) -> Term {
        self.images.apply(pool, term)
    }
}

impl Scope<'_> {
    fn offset(&mut self, variable: Term) -> Term {
        let sort = self.pool.sort(variable);
        let pool = &mut *self.pool;
        let fresh = || pool.fresh_symbol("offset", sort, Representation::default());
        *self.offsets.entry(variable).or_insert_with(fresh)
    }

    pub(super) fn view(&mut self, variables: &[Term], state: &State) -> View {
        let mut view = View {
            images: Substitution::sparse(),
            equations: FxHashMap::default(),
            environment: Environment::default(),
        };
        for (index, &variable) in variables.iter().enumerate() {
            if let Some(equation) = &state.equations[index] {
                view.equations.insert(variable, equation.clone());
            }
            let values = &state.values[index];
            view.environment.set(variable, values.clone());
            let constant = match values {
                Values::Ranges(ranges) => {
                    ranges.single().map(|number| number_of(self.pool, ranges.width(), number))
                }
                _ => values.as_truth().map(|truth| self.pool.bool(truth)),
            };
            if let Some(constant) = constant {
                view.images.insert(variable, constant);
            } else if let Some(equation) = &state.equations[index] {
                let symbol = self.offset(variable);
                view.images.insert(variable, equation.image(self.pool, |_| symbol));
                if let Some(offset) = &equation.offset {
                    view.environment.set(symbol, Values::Ranges(offset.clone()));
                }
            }
        }
        view
    }

    /// The equation of `variable` with this base in a state.
    pub(super) fn equation(&mut self, view: &mut View, variable: Term, base: Term) -> Option<Equation> {
        if let Some(known) = view.equations.get(&variable).filter(|known| known.base == base) {
            return Some(known.clone());
        }
        let [left, right] = [variable, base].map(|term| view.image(self.pool, term));
        match self.pool.sort(variable) {
            Sort::Bool => (left == right).then_some(Equation { base, offset: None }),
            _ => {
                let difference = self.pool.bv_sub(left, right);
                let difference = linear::normalized(self.pool, difference);
                let before = view.environment.work;
                let values = view.environment.evaluate(self.pool, difference);
                self.work += view.environment.work - before;
                let offset = values.as_ranges().filter(|offset| !offset.is_full()).cloned()?;
                Some(Equation { base, offset: Some(offset) })
            }
        }
    }

    /// The equation of `variable` with this base in each of several states.
    pub(super) fn common(&mut self, views: &mut [View], variable: Term, base: Term) -> Option<Equation> {
        let mut all: Option<Equation> = None;
        for view in views {
            let next = self.equation(view, variable, base)?;
            let offset = match all.and_then(|all| all.offset).zip(next.offset.as_ref()) {
                Some((all, next)) => Some(all.join(next)),
                None => next.offset,
            };
            all = Some(Equation { base, offset });
        }
        all.filter(|all| !all.offset.as_ref().is_some_and(Ranges::is_full))
    }

    /// Whether `state` contains all concrete states of `new`.
    pub(super) fn covers(&mut self, variables: &[Term], state: &State, new: &State) -> bool {
        if !state.values.iter().zip(&new.values).all(|(own, others)| own.contains(others)) {
            return false;
        }
        let mut view = self.view(variables, new);
        let equations = variables.iter().zip(&state.equations);
        let mut equations = equations.filter_map(|(&variable, own)| Some((variable, own.as_ref()?)));
        equations.all(|(variable, own)| {
            self.equation(&mut view, variable, own.base).is_some_and(|found| own.contains(&found))
        })
    }

    /// A state that contains all concrete states of `old` and of `new`.
    pub(super) fn merge(&mut self, variables: &[Term], [old, new]: [&State; 2], merge: Merge<'_>) -> State {
        let values = old.values.iter().zip(&new.values).map(|(old, new)| {
            let joined = old.join(new);
            match (merge, old, &joined) {
                (Merge::Union, ..) => joined,
                _ if old.contains(new) => old.clone(),
                (Merge::Widen(thresholds), Values::Ranges(old), Values::Ranges(joined)) => {
                    Values::Ranges(joined.widened(old, thresholds))
                }
                (Merge::Shrink, Values::Ranges(old), Values::Ranges(joined)) => {
                    Values::Ranges(joined.widened(old, &[]))
                }
                _ => joined,
            }
        });
        let values = values.collect();
        let mut views = [self.view(variables, old), self.view(variables, new)];
        let mut merged = State { values, equations: vec![None; variables.len()] };
        // Variables in equations so far, and variables that have one.
        let (mut used, mut dependent) = (Vec::new(), Vec::new());
        for (index, &variable) in variables.iter().enumerate() {
            if used.contains(&variable) || !matches!(self.pool.sort(variable), Sort::Bool | Sort::BitVec(_)) {
                continue;
            }
            let own = old.equations[index].as_ref();
            let mut bases: Vec<Term> = own.map(|own| own.base).into_iter().collect();
            if merge != Merge::Shrink {
                bases.extend(new.equations[index].as_ref().map(|own| own.base));
                bases.extend(self.lines(variables, [old, new], index));
            }
            for base in bases {
                let symbols = self.pool.free_symbols(base).into_iter();
                let symbols: Vec<Term> = symbols.map(|symbol| self.pool.symbol_term(symbol)).collect();
                if symbols.iter().any(|symbol| *symbol == variable || dependent.contains(symbol)) {
                    continue;
                }
                let Some(found) = self.common(&mut views, variable, base) else { continue };
                let is_stable = merge == Merge::Union
                    || own == Some(&found)
                    || found.offset.as_ref().is_none_or(|offset| offset.single().is_some());
                if is_stable && found.depth(self.pool) <= self.depth {
                    used.extend(symbols);
                    dependent.push(variable);
                    merged.equations[index] = Some(found);
                    break;
                }
            }
        }
        merged
    }

    /// The bases of the equations `x = k * y + c` that hold in two states in which `x` and `y` are
    /// constant, for the variable `x` with this index.
    fn lines(&mut self, variables: &[Term], states: [&State; 2], index: usize) -> Vec<Term> {
        let step = |index: usize| {
            let [old, new] = states.map(|state| state.values[index].as_ranges());
            let (width, old, new) = (old?.width(), old?.single()?, new?.single()?);
            (old != new).then_some((width, new - old))
        };
        let Some((width, rise)) = step(index) else { return Vec::new() };
        let (mut differences, mut lines) = (Vec::new(), Vec::new());
        for (other, &partner) in variables.iter().enumerate().take(MOST_PARTNERS) {
            match step(other).filter(|of| other != index && of.0 == width) {
                // Of two variables with a common difference, the later one gets the equation.
                Some((_, run)) if rise == run && other < index => differences.push(partner),
                Some((_, run)) if rise != run && rise % run == 0 && (rise / run).abs() <= MOST_FACTOR => {
                    let factor = number_of(self.pool, width, rise / run);
                    lines.push(self.pool.bv_mul(factor, partner));
                }
                _ => {}
            }
        }
        differences.extend(lines);
        differences
    }
}
