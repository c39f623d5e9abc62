//! Simplification of formulas to smaller equivalent ones.
//!
//! # Idea
//! A conjunction is flattened and its operands are simplified together; a disjunction is treated as
//! a negated conjunction of negations. In a conjunction,
//!
//! * only the strongest bound of each side of a linear form stays; bounds that meet become an
//!   equation, and bounds that exclude each other make the conjunction false; equations and
//!   disequations of the form take part, so that `t ≤ c ∧ t ≠ c` becomes `t < c`;
//! * a disjunction is dropped if it contains another operand or all disjuncts of a smaller one, and
//!   loses disjuncts whose negation is an operand of the conjunction.
//!
//! Partial interpolants consist of many redundant pieces, and [`TermPool`] simplifies only few
//! operands at once.
//!
//! # Cost
//! Linear, except for comparing the disjunctions of one conjunction, of which at most [`COMPARED`]
//! take part.

use super::number::linear;
use crate::prover::arith::{Combination, Rational, Side, Var};
use backends::{Limits, Reason};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool};

/// Maximum number of disjunctions of one conjunction that are compared with each other.
const COMPARED: usize = 64;
/// Longer junctions are not flattened into their parents.
const FLATTENED: usize = 64;

type Operands = IndexSet<Term, FxBuildHasher>;

/// Number of terms between two checks of the limits.
const TERMS_BETWEEN_LOOKS: usize = 256;

/// Returns an equivalent formula.
pub(crate) fn simplify(pool: &mut TermPool, formula: Term, limits: &Limits) -> Result<Term, Reason> {
    let mut order = Vec::new();
    pool.visit(&[formula], |term| is_connective(pool.op(term)), |term| order.push(term));
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for (index, term) in order.into_iter().enumerate() {
        if index % TERMS_BETWEEN_LOOKS == 0
            && let Some(reason) = limits.exceeded()
        {
            return Err(reason);
        }
        let simple = match pool.op(term) {
            Op::And => {
                let operands: Vec<Term> = pool.children(term).iter().map(|child| known[child]).collect();
                conjunction(pool, &operands)
            }
            Op::Or => {
                let operands: Vec<Term> = pool.children(term).iter().map(|child| known[child]).collect();
                let negated: Vec<Term> = operands.into_iter().map(|operand| pool.not(operand)).collect();
                let conjunction = conjunction(pool, &negated);
                pool.not(conjunction)
            }
            Op::Not => {
                let operand = known[&pool.children(term)[0]];
                pool.not(operand)
            }
            _ => term,
        };
        known.insert(term, simple);
    }
    Ok(known[&formula])
}

fn is_connective(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Not)
}

fn conjunction(pool: &mut TermPool, terms: &[Term]) -> Term {
    let mut operands = Operands::default();
    for &term in terms {
        match conjuncts(pool, term) {
            Some(parts) if parts.len() <= FLATTENED => operands.extend(parts),
            _ => {
                operands.insert(term);
            }
        }
    }
    let Some(operands) = bounds(pool, operands) else { return pool.fls() };
    let operands = absorb(pool, &operands);
    pool.and(&operands)
}

/// The operands of a conjunction or negated disjunction.
fn conjuncts(pool: &mut TermPool, term: Term) -> Option<Vec<Term>> {
    match pool.op(term) {
        Op::And => Some(pool.children(term).to_vec()),
        Op::Not if pool.op(pool.children(term)[0]) == Op::Or => {
            let operands = pool.children(pool.children(term)[0]).to_vec();
            Some(operands.into_iter().map(|operand| pool.not(operand)).collect())
        }
        _ => None,
    }
}

/// The operands of a disjunction, or negated conjunction.
fn disjuncts(pool: &mut TermPool, term: Term) -> Option<Vec<Term>> {
    let negation = pool.not(term);
    let conjuncts = conjuncts(pool, negation)?;
    Some(conjuncts.into_iter().map(|conjunct| pool.not(conjunct)).collect())
}

/// The operands without those that others imply.
fn absorb(pool: &mut TermPool, operands: &Operands) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::with_capacity(operands.len());
    let mut clauses: Vec<IndexSet<Term, FxBuildHasher>> = Vec::new();
    for &operand in operands {
        let Some(disjuncts) = disjuncts(pool, operand) else {
            kept.push(operand);
            continue;
        };
        if disjuncts.iter().any(|disjunct| operands.contains(disjunct)) {
            continue;
        }
        let mut clause = Operands::default();
        for disjunct in disjuncts {
            let negation = pool.not(disjunct);
            if !operands.contains(&negation) {
                clause.insert(disjunct);
            }
        }
        clauses.push(clause);
    }
    clauses.sort_by_key(IndexSet::len);
    let mut shortest: Vec<IndexSet<Term, FxBuildHasher>> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let mut others = shortest.iter().take(COMPARED);
        if !others.any(|other| other.iter().all(|operand| clause.contains(operand))) {
            shortest.push(clause);
        }
    }
    for clause in shortest {
        let operands: Vec<Term> = clause.into_iter().collect();
        kept.push(pool.or(&operands));
    }
    kept
}

/// The comparison of a form with a value.
struct Comparison {
    /// Coprime integer coefficients, the first one positive.
    form: Combination,
    value: Rational,
    relation: Relation,
    /// The sort of the form.
    sort: Sort,
}

/// An endpoint of a range.
struct End {
    value: Rational,
    is_strict: bool,
    /// The operand that states the bound; `None` if several operands imply it together.
    operand: Option<Term>,
}

/// The possible values of a form.
#[derive(Default)]
struct Range {
    lower: Option<End>,
    upper: Option<End>,
    /// Excluded values, each with its operand.
    holes: Vec<(Rational, Term)>,
}

impl Range {
    /// Tightens one side if `end` is stronger than the known bound.
    fn bound(&mut self, side: Side, end: End) {
        let place = match side {
            Side::Lower => &mut self.lower,
            Side::Upper => &mut self.upper,
        };
        let is_stronger = place.as_ref().is_none_or(|known| {
            let is_nearer = match side {
                Side::Lower => end.value > known.value,
                Side::Upper => end.value < known.value,
            };
            is_nearer || end.value == known.value && end.is_strict && !known.is_strict
        });
        if is_stronger {
            *place = Some(end);
        }
    }

    /// Moves endpoints past holes and drops holes outside of the range.
    fn close_holes(&mut self, sort: Sort) {
        // A hole that moves an endpoint may enable another one; the order is ascending for the
        // lower end.
        self.holes.sort_by(|left, right| left.0.cmp(&right.0));
        let (step, is_strict) = match sort {
            Sort::Int => (Rational::ONE, false),
            _ => (Rational::ZERO, true),
        };
        for (value, _) in &self.holes {
            if self.lower.as_ref().is_some_and(|end| end.value == *value && !end.is_strict) {
                self.lower = Some(End { value: value + &step, is_strict, operand: None });
            }
        }
        for (value, _) in self.holes.iter().rev() {
            if self.upper.as_ref().is_some_and(|end| end.value == *value && !end.is_strict) {
                self.upper = Some(End { value: value - &step, is_strict, operand: None });
            }
        }
        let (lower, upper) = (&self.lower, &self.upper);
        self.holes.retain(|(value, _)| {
            lower.as_ref().is_none_or(|end| end.value < *value)
                && upper.as_ref().is_none_or(|end| end.value > *value)
        });
    }

    fn is_empty(&self) -> bool {
        let (Some(lower), Some(upper)) = (&self.lower, &self.upper) else { return false };
        lower.value > upper.value || lower.value == upper.value && (lower.is_strict || upper.is_strict)
    }

    /// Adds the formulas of the range to `said`.
    fn say(self, pool: &mut TermPool, form: &Combination, sort: Sort, said: &mut Operands) {
        let entries = form.entries().iter();
        let terms: Vec<(Rational, Term)> = entries
            .map(|(variable, coefficient)| (coefficient.clone(), Term::new(variable.index())))
            .collect();
        let Range { lower, upper, holes } = self;
        if let (Some(low), Some(high)) = (&lower, &upper)
            && low.value == high.value
        {
            let equation = match (low.operand, high.operand) {
                (Some(one), Some(other)) if one == other => one,
                _ => {
                    let (sum, _) = linear(pool, &terms, &Rational::ONE);
                    let value = pool.number(sort, &low.value.to_big());
                    pool.eq(sum, value)
                }
            };
            said.insert(equation);
            return;
        }
        for (side, end) in [(Side::Lower, lower), (Side::Upper, upper)] {
            let Some(End { value, is_strict, operand }) = end else { continue };
            let operand = operand.unwrap_or_else(|| {
                let (sum, _) = linear(pool, &terms, &Rational::ONE);
                let value = pool.number(sort, &value.to_big());
                let (less, more) = if side == Side::Lower { (value, sum) } else { (sum, value) };
                if is_strict { pool.lt(less, more) } else { pool.le(less, more) }
            });
            said.insert(operand);
        }
        said.extend(holes.into_iter().map(|(_, operand)| operand));
    }
}

/// Replaces the comparisons of each form by their joint range. `None` if they contradict each
/// other.
fn bounds(pool: &mut TermPool, operands: Operands) -> Option<Operands> {
    let mut ranges: IndexMap<(Combination, Sort), Range, FxBuildHasher> = IndexMap::default();
    let mut rest = Operands::default();
    for operand in operands {
        let Some(Comparison { form, value, relation, sort }) = comparison(pool, operand) else {
            rest.insert(operand);
            continue;
        };
        let range = ranges.entry((form, sort)).or_default();
        let end = |is_strict| End { value: value.clone(), is_strict, operand: Some(operand) };
        match relation {
            Relation::Bound { side, is_strict } => range.bound(side, end(is_strict)),
            Relation::Equal => Side::BOTH.iter().for_each(|&side| range.bound(side, end(false))),
            Relation::Distinct => range.holes.push((value, operand)),
        }
    }
    for ((form, sort), mut range) in ranges {
        range.close_holes(sort);
        if range.is_empty() {
            return None;
        }
        range.say(pool, &form, sort, &mut rest);
    }
    Some(rest)
}

/// The relation between a form and a value.
#[derive(Clone, Copy)]
enum Relation {
    /// The form is at most or at least the value, possibly strictly.
    Bound {
        side: Side,
        is_strict: bool,
    },
    Equal,
    Distinct,
}

/// Reads a comparison of numbers, or its negation.
fn comparison(pool: &TermPool, literal: Term) -> Option<Comparison> {
    let (is_positive, atom) = match pool.op(literal) {
        Op::Not => (false, pool.children(literal)[0]),
        _ => (true, literal),
    };
    let is_strict = match pool.op(atom) {
        Op::Le => !is_positive,
        Op::Lt => is_positive,
        Op::Eq => false,
        _ => return None,
    };
    let &[left, right] = pool.children(atom) else { return None };
    let sort = pool.sort(left);
    if !matches!(sort, Sort::Int | Sort::Real) {
        return None;
    }
    let (mut form, mut constant) = (Combination::zero(), Rational::ZERO);
    accumulate(pool, left, Rational::ONE, &mut form, &mut constant);
    accumulate(pool, right, Rational::MINUS_ONE, &mut form, &mut constant);
    let (_, first) = form.entries().first()?;
    let mut factor = form.content().recip();
    if first.is_negative() {
        factor = -factor;
    }
    // form + constant ≤ 0, or = 0, times the factor
    let side = if is_positive { Side::Upper } else { Side::Lower }.scaled(&factor);
    let form = form.scaled(&factor);
    let value = -(&constant * &factor);
    if pool.op(atom) == Op::Eq {
        if sort == Sort::Int && !value.is_integer() {
            return None;
        }
        let relation = if is_positive { Relation::Equal } else { Relation::Distinct };
        return Some(Comparison { form, value, relation, sort });
    }
    if sort == Sort::Int {
        let value = match (side, is_strict) {
            (Side::Upper, false) => value.floor(),
            (Side::Upper, true) => &value.ceil() - &Rational::ONE,
            (Side::Lower, false) => value.ceil(),
            (Side::Lower, true) => &value.floor() + &Rational::ONE,
        };
        return Some(Comparison { form, value, relation: Relation::Bound { side, is_strict: false }, sort });
    }
    Some(Comparison { form, value, relation: Relation::Bound { side, is_strict }, sort })
}

/// Adds `factor · term`. A term that is neither a sum nor a multiple is a variable, numbered like
/// its term.
fn accumulate(
    pool: &TermPool,
    term: Term,
    factor: Rational,
    form: &mut Combination,
    constant: &mut Rational,
) {
    let mut stack = vec![(term, factor)];
    let mut entries = Vec::new();
    while let Some((term, factor)) = stack.pop() {
        if let Some(value) = number(pool, term) {
            constant.add_product(&factor, &value);
            continue;
        }
        let children = pool.children(term);
        match (pool.op(term), children) {
            (Op::Add, summands) => stack.extend(summands.iter().map(|&summand| (summand, factor.clone()))),
            (Op::Mul, &[a, b]) if number(pool, a).is_some() => {
                let coefficient = number(pool, a).unwrap_or_default();
                stack.push((b, &factor * &coefficient));
            }
            _ => entries.push((Var::new(term.index()), factor)),
        }
    }
    let sum: Combination = entries.into_iter().collect();
    form.add_scaled(&Rational::ONE, &sum);
}

fn number(pool: &TermPool, term: Term) -> Option<Rational> {
    match pool.op(term) {
        Op::IntConst(_) => pool.as_int(term).map(|value| value.clone().into()),
        Op::RealConst(_) => pool.as_real(term).map(|value| value.clone().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(pool: &mut TermPool, formula: Term) -> Term {
        simplify(pool, formula, &Limits::default()).expect("there are no limits")
    }

    struct Vocabulary {
        pool: TermPool,
        x: Term,
        y: Term,
    }

    impl Vocabulary {
        fn new(sort: Sort) -> Self {
            let mut pool = TermPool::new();
            let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
            Vocabulary { pool, x, y }
        }

        /// `x - y ≤ value`
        fn at_most(&mut self, value: i64) -> Term {
            let difference = self.pool.sub(self.x, self.y);
            let value = self.number(value);
            self.pool.le(difference, value)
        }

        /// `x - y ≥ value`
        fn at_least(&mut self, value: i64) -> Term {
            let difference = self.pool.sub(self.x, self.y);
            let value = self.number(value);
            self.pool.le(value, difference)
        }

        fn number(&mut self, value: i64) -> Term {
            let sort = self.pool.sort(self.x);
            self.pool.number(sort, &Rational::from(value).to_big())
        }

        fn shown(&mut self, formula: Term) -> String {
            let simple = simple(&mut self.pool, formula);
            self.pool.display(simple).to_string()
        }
    }

    #[test]
    fn bounds_that_meet_are_an_equation_and_those_that_miss_are_false() {
        for sort in [Sort::Int, Sort::Real] {
            let mut v = Vocabulary::new(sort);
            let (low, high) = (v.at_least(0), v.at_most(0));
            let both = v.pool.and2(low, high);
            assert_eq!(v.shown(both), "(= x y)");
            let either = {
                let (low, high) = (v.pool.not(low), v.pool.not(high));
                v.pool.or2(low, high)
            };
            assert_eq!(v.shown(either), "(not (= x y))");
            let lower = v.at_most(-1);
            let none = v.pool.and2(low, lower);
            assert_eq!(v.shown(none), "false");
        }
    }

    #[test]
    fn of_bounds_of_one_side_the_strongest_stays() {
        let mut v = Vocabulary::new(Sort::Real);
        let [weak, strong, other] = [v.at_most(5), v.at_most(3), v.at_least(1)];
        let all = v.pool.and(&[weak, strong, other]);
        let expected = v.pool.and2(strong, other);
        assert_eq!(simple(&mut v.pool, all), expected);
        let any = v.pool.or2(weak, strong);
        assert_eq!(simple(&mut v.pool, any), weak);
        let strict = {
            let low = v.at_least(3);
            v.pool.not(low)
        };
        let same = v.pool.and2(strict, strong);
        assert_eq!(simple(&mut v.pool, same), strict);
    }

    #[test]
    fn a_hole_at_the_end_of_a_range_moves_it() {
        for sort in [Sort::Int, Sort::Real] {
            let mut v = Vocabulary::new(sort);
            let (most, least) = (v.at_most(3), v.at_least(3));
            let equal = v.pool.and2(most, least);
            let equal = simple(&mut v.pool, equal);
            let differs = v.pool.not(equal);
            let both = v.pool.and2(differs, most);
            let expected = v.pool.not(least);
            assert_eq!(v.shown(both), v.shown(expected));
            let (five, seven) = (v.at_most(5), v.at_least(7));
            let weaker = v.pool.and2(equal, five);
            assert_eq!(simple(&mut v.pool, weaker), equal);
            let none = v.pool.and2(equal, seven);
            assert_eq!(v.shown(none), "false");
            let outside = v.pool.and2(differs, seven);
            assert_eq!(simple(&mut v.pool, outside), seven);
        }
    }

    #[test]
    fn long_junctions_are_absorbed() {
        let mut pool = TermPool::new();
        let terms: Vec<Term> = (0..40).map(|index| pool.symbol(&format!("b{index}"), Sort::Bool)).collect();
        let small = pool.or2(terms[0], terms[1]);
        let large = pool.or(&terms[..20]);
        let unit = terms[30];
        let negated: Vec<Term> = [pool.not(terms[30]), terms[31], terms[32]].to_vec();
        let clause = pool.or(&negated);
        let absorbed = pool.or(&terms[25..35]);
        let rest = pool.and(&terms[34..40]);
        let all = pool.and(&[large, absorbed, rest, clause, unit, small]);
        let shorter = pool.or2(terms[31], terms[32]);
        let expected = pool.and(&[small, shorter, unit, rest]);
        assert_eq!(simple(&mut pool, all), expected);
    }
}
