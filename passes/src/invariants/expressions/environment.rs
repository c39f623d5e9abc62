//! The values of symbols, and their refinement by conditions.

use crate::intervals::disjunction::{Ranges, Side, Values, apply};
use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// The largest number of steps into one condition.
const MOST_STEPS: usize = 256;
/// The largest number of terms that one assumption evaluates.
const MOST_WORK: usize = 100_000;
/// The largest depth of alternatives in one condition, and the largest number of them at each
/// depth.
const MOST_ALTERNATIVES: (usize, usize) = (2, 8);

/// The possible values of symbols; symbols without an entry have any value.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    values: FxHashMap<Term, Values>,
    /// The number of terms that were evaluated.
    pub(super) work: usize,
}

/// A condition that no values satisfy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Infeasible;

/// A formula and its truth value.
type Condition = (Term, bool);

impl Environment {
    pub(super) fn set(&mut self, symbol: Term, values: Values) {
        self.values.insert(symbol, values);
    }

    fn get(&self, pool: &TermPool, symbol: Term) -> Values {
        self.values.get(&symbol).cloned().unwrap_or_else(|| Values::top(pool.sort(symbol)))
    }

    /// The values of `term`.
    pub(super) fn evaluate(&mut self, pool: &TermPool, term: Term) -> Values {
        self.evaluate_all(pool, &[term]).pop().expect("one value for each term")
    }

    /// The values of each of `terms`.
    pub(super) fn evaluate_all(&mut self, pool: &TermPool, terms: &[Term]) -> Vec<Values> {
        let mut order = Vec::new();
        pool.visit(terms, |_| true, |below| order.push(below));
        self.work += order.len();
        let mut known: FxHashMap<Term, Values> = FxHashMap::default();
        let mut children = Vec::new();
        for below in order {
            let found = match pool.op(below) {
                Op::True => Values::of_truth(true),
                Op::False => Values::of_truth(false),
                Op::Symbol(_) => self.get(pool, below),
                op => match pool.as_bit_vector(below) {
                    Some(bits) => Values::constant(&bits),
                    None => {
                        children.clear();
                        children.extend(pool.children(below).iter().map(|child| known[child].clone()));
                        apply(op, pool.sort(below), &children)
                    }
                },
            };
            known.insert(below, found);
        }
        terms.iter().map(|term| known[term].clone()).collect()
    }

    /// Removes values with which `condition` is false.
    pub(super) fn assume(&mut self, pool: &TermPool, condition: Term) -> Result<(), Infeasible> {
        self.assume_below(pool, (condition, true), 0)
    }

    fn assume_below(
        &mut self,
        pool: &TermPool,
        condition: Condition,
        depth: usize,
    ) -> Result<(), Infeasible> {
        let mut work = vec![condition];
        let mut steps = 0;
        while let Some((term, is)) = work.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.work > MOST_WORK {
                break;
            }
            let children = pool.children(term);
            match (pool.op(term), is) {
                (Op::Not, _) => work.push((children[0], !is)),
                (Op::And, true) | (Op::Or, false) => {
                    work.extend(children.iter().map(|&child| (child, is)));
                }
                (Op::And, false) | (Op::Or, true) => {
                    let alternatives = children.iter().map(|&child| vec![(child, is)]);
                    self.one_of(pool, alternatives.collect(), depth)?;
                }
                (Op::Ite, _) => {
                    let &[condition, a, b] = children else { continue };
                    let alternatives =
                        vec![vec![(condition, true), (a, is)], vec![(condition, false), (b, is)]];
                    self.one_of(pool, alternatives, depth)?;
                }
                (Op::Eq, _) if pool.sort(children[0]) == Sort::Bool => {
                    let [a, b] = [children[0], children[1]].map(|side| self.evaluate(pool, side).as_truth());
                    match (a, b) {
                        (Some(a), _) => work.push((children[1], a == is)),
                        (None, Some(b)) => work.push((children[0], b == is)),
                        (None, None) => {}
                    }
                }
                (op @ (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle), _) => {
                    let &[a, b] = children else { continue };
                    let (Values::Ranges(x), Values::Ranges(y)) =
                        (self.evaluate(pool, a), self.evaluate(pool, b))
                    else {
                        continue;
                    };
                    for (term, known, other, side) in [(a, &x, &y, Side::Left), (b, &y, &x, Side::Right)] {
                        if let Some(kept) = known.compared((op, is), other, side) {
                            self.restrict(pool, term, kept)?;
                        }
                    }
                }
                _ => self.meet(pool, term, &Values::of_truth(is))?,
            }
        }
        Ok(())
    }

    /// Assumes one of several conjunctions, at first those of one condition.
    fn one_of(
        &mut self,
        pool: &TermPool,
        alternatives: Vec<Vec<Condition>>,
        depth: usize,
    ) -> Result<(), Infeasible> {
        let mut open = Vec::new();
        for alternative in alternatives {
            let mut is_open = true;
            for &(term, is) in &alternative {
                is_open = is_open && self.evaluate(pool, term).as_truth() != Some(!is);
            }
            if is_open {
                open.push(alternative);
            }
        }
        let (deepest, most) = MOST_ALTERNATIVES;
        if open.len() > 1 && (depth >= deepest || open.len() > most) {
            return Ok(());
        }
        let mut all: Option<Environment> = None;
        for alternative in open {
            let mut own = self.clone();
            let feasible = alternative.into_iter().try_for_each(|one| own.assume_below(pool, one, depth + 1));
            self.work = own.work;
            if feasible.is_ok() {
                all = Some(all.map_or_else(|| own.clone(), |all| all.join(&own)));
            }
        }
        self.values = all.ok_or(Infeasible)?.values;
        Ok(())
    }

    fn join(mut self, other: &Environment) -> Environment {
        self.values.retain(|symbol, values| match other.values.get(symbol) {
            Some(others) => {
                *values = values.join(others);
                true
            }
            None => false,
        });
        self
    }

    /// Removes all other values of a symbol. Other terms are only evaluated.
    pub(super) fn meet(&mut self, pool: &TermPool, term: Term, values: &Values) -> Result<(), Infeasible> {
        let known = self.evaluate(pool, term).meet(values);
        if known.is_empty() {
            return Err(Infeasible);
        }
        if matches!(pool.op(term), Op::Symbol(_)) {
            self.set(term, known);
        }
        Ok(())
    }

    /// Assumes that the value of `term` is in `ranges`, for the symbols below extensions, sums and
    /// differences.
    fn restrict(&mut self, pool: &TermPool, term: Term, ranges: Ranges) -> Result<(), Infeasible> {
        let mut work = vec![(term, Values::Ranges(ranges))];
        let mut steps = 0;
        while let Some((term, values)) = work.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                break;
            }
            self.meet(pool, term, &values)?;
            let (sort, children) = (pool.sort(term), pool.children(term));
            match (pool.op(term), children) {
                (Op::ZeroExtend(_) | Op::SignExtend(_), &[inner]) => {
                    let width = pool.width(inner);
                    let own = self.evaluate(pool, term).meet(&values);
                    let extract = Op::Extract { high: width - 1, low: 0 };
                    work.push((inner, apply(extract, pool.sort(inner), &[own])));
                }
                (Op::BvNeg | Op::BvNot, &[inner]) => {
                    work.push((inner, apply(pool.op(term), sort, &[values])));
                }
                (Op::BvAdd, &[a, b]) => {
                    for (side, other) in [(a, b), (b, a)] {
                        let other = self.evaluate(pool, other);
                        work.push((side, apply(Op::BvSub, sort, &[values.clone(), other])));
                    }
                }
                (Op::BvSub, &[a, b]) => {
                    let (left, right) = (self.evaluate(pool, a), self.evaluate(pool, b));
                    work.push((a, apply(Op::BvAdd, sort, &[values.clone(), right])));
                    work.push((b, apply(Op::BvSub, sort, &[left, values])));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
