//! Terms of the sorts Int and Real.
//!
//! # Idea
//! Sums, differences and products with constants are linear terms, and `to_real` is the identity.
//! Other operators become variables, named by their terms, with defining bounds:
//!
//! | term | definition |
//! |---|---|
//! | `x div k` | a variable q with `0 ≤ x - kq < |k|` |
//! | `x mod k` | `x - kq` |
//! | `to_int x` | an integer n with `n ≤ x < n + 1` |
//! | `ite c x y` | a variable equal to x or y, with one clause per bound |
//! | a long sum | a variable equal to it |
//!
//! A definition has a solution for all values of its inputs, so it holds unconditionally. An `ite`
//! between two constants gets redundant bounds.

use super::{Builder, Meaning};
use crate::prover::arith::{Kind, Rational};
use crate::prover::cnf::clauses::{ClauseSink, Tag};
use crate::prover::cnf::gates::Signal;
use crate::prover::theory::{Combination, Comparison, LONGEST, Linear, Name, Number, kind_of};
use terms::{Op, Term, TermPool};

/// The value of a constant.
pub(super) fn constant(pool: &TermPool, term: Term) -> Option<Rational> {
    let integer = pool.as_int(term).map(|value| Rational::from(value.clone()));
    integer.or_else(|| pool.as_real(term).map(|value| Rational::from(value.clone())))
}

/// The reason why a product, quotient or remainder is nonlinear.
pub(super) fn nonlinear(pool: &TermPool, term: Term) -> Option<&'static str> {
    let factor = |child: usize| constant(pool, pool.children(term)[child]);
    match pool.op(term) {
        Op::Mul if (0..pool.children(term).len()).filter(|&child| factor(child).is_none()).count() > 1 => {
            Some("the product of two non-constant terms")
        }
        Op::IntDiv | Op::IntMod | Op::RealDiv => match factor(1) {
            None => Some("division by a non-constant term"),
            Some(divisor) if divisor.is_zero() => Some("division by zero"),
            Some(_) => None,
        },
        _ => None,
    }
}

impl<S: ClauseSink> Builder<'_, S> {
    /// Translates a term of an arithmetic operator.
    pub(super) fn arithmetic(&mut self, op: Op, term: Term, children: &[Meaning]) -> Meaning {
        let linear = match op {
            Op::IntConst(_) | Op::RealConst(_) => {
                Linear::constant(constant(self.pool, term).expect("a constant has a value"))
            }
            Op::Le => return self.comparison(Comparison::AtMost, children),
            Op::Lt => return self.comparison(Comparison::Less, children),
            Op::Add => {
                let mut summands = Vec::new();
                let mut sum = Linear::default();
                for child in children {
                    let Linear { form, constant } = self.theory.linear(child.number());
                    summands.extend(form.entries().iter().cloned());
                    sum.constant += constant;
                }
                sum.form = summands.into_iter().collect();
                sum
            }
            Op::Sub => {
                let (first, rest) = children.split_first().expect("a difference has operands");
                let mut sum = self.linear(*first);
                for child in rest {
                    sum.add_scaled(&Rational::MINUS_ONE, self.theory.linear(child.number()));
                }
                sum
            }
            Op::Neg => self.scaled(&Rational::MINUS_ONE, children[0]),
            Op::Mul => {
                let mut product = Linear::constant(Rational::ONE);
                for child in children {
                    let factor = self.theory.linear(child.number());
                    let (scaled, by) =
                        if factor.form.is_zero() { (&product, factor) } else { (factor, &product) };
                    let mut next = Linear::default();
                    next.add_scaled(&by.constant, scaled);
                    product = next;
                }
                product
            }
            Op::RealDiv => {
                let divisor = constant(self.pool, self.pool.children(term)[1]).expect("supported term");
                self.scaled(&divisor.recip(), children[0])
            }
            Op::IntDiv => self.quotient(term, children[0]),
            Op::IntMod => {
                let divisor = constant(self.pool, self.pool.children(term)[1]).expect("supported term");
                let quotient = self.quotient(term, children[0]);
                let mut remainder = self.linear(children[0]);
                remainder.add_scaled(&-divisor, &quotient);
                remainder
            }
            Op::ToReal => return children[0],
            Op::ToInt => {
                let floor = self.theory.number_variable(Name::Term(term), Kind::Int);
                let fraction = self.linear(children[0]).minus(&floor);
                self.bounded(term, &fraction, &Rational::ONE);
                floor
            }
            op => unreachable!("{op:?} should be refused"),
        };
        Meaning::Number(self.keep(term, linear))
    }

    /// Stores a linear term, under a variable of its own if it is long.
    fn keep(&mut self, term: Term, linear: Linear) -> Number {
        if linear.form.len() <= LONGEST {
            return self.theory.number(linear);
        }
        let kind = kind_of(self.pool.sort(term)).expect("a sum is a number");
        let variable = self.theory.number_variable(Name::Term(term), kind);
        let tag = self.theory.begin(Tag::Definition(term));
        let same = self.theory.is_zero(&variable.minus(&linear), self.sink);
        self.require(same, tag);
        self.theory.number(variable)
    }

    fn linear(&self, meaning: Meaning) -> Linear {
        self.theory.linear(meaning.number()).clone()
    }

    fn scaled(&self, factor: &Rational, meaning: Meaning) -> Linear {
        let mut scaled = Linear::default();
        scaled.add_scaled(factor, self.theory.linear(meaning.number()));
        scaled
    }

    fn comparison(&mut self, comparison: Comparison, children: &[Meaning]) -> Meaning {
        let signals: Vec<Signal> = children
            .windows(2)
            .map(|pair| {
                let difference =
                    self.theory.linear(pair[0].number()).minus(self.theory.linear(pair[1].number()));
                self.theory.compare(&difference, comparison, self.sink)
            })
            .collect();
        Meaning::Truth(self.theory.gates.and(signals))
    }

    /// The quotient of a quotient or remainder term.
    fn quotient(&mut self, term: Term, dividend: Meaning) -> Linear {
        let &[left, right] = self.pool.children(term) else { unreachable!("a quotient has two operands") };
        if let Some(&known) = self.quotients.get(&(left, right)) {
            return self.theory.linear(known).clone();
        }
        let divisor = constant(self.pool, right).expect("supported term");
        let quotient = self.theory.number_variable(Name::Quotient(left, right), Kind::Int);
        let mut remainder = self.linear(dividend);
        remainder.add_scaled(&-&divisor, &quotient);
        self.bounded(term, &remainder, &divisor.abs());
        let number = self.theory.number(quotient.clone());
        self.quotients.insert((left, right), number);
        quotient
    }

    /// `0 ≤ linear < limit`, as a definition.
    fn bounded(&mut self, term: Term, linear: &Linear, limit: &Rational) {
        let tag = self.theory.begin(Tag::Definition(term));
        let negative = self.theory.compare(linear, Comparison::Less, self.sink);
        self.require(!negative, tag);
        let mut above = linear.clone();
        above.constant -= limit;
        let below = self.theory.compare(&above, Comparison::Less, self.sink);
        self.require(below, tag);
    }

    fn require(&mut self, signal: Signal, tag: u32) {
        let Combination { encoder, gates, .. } = &mut *self.theory;
        encoder.require(gates, None, signal, tag, self.sink);
    }

    /// The `ite` of two numbers.
    pub(super) fn number_choice(
        &mut self,
        term: Term,
        condition: Signal,
        then: Number,
        otherwise: Number,
    ) -> Number {
        if let Some(value) = condition.as_constant() {
            return if value { then } else { otherwise };
        }
        if self.theory.linear(then) == self.theory.linear(otherwise) {
            return then;
        }
        let kind = kind_of(self.pool.sort(term)).expect("it is a number");
        let variable = self.theory.number_variable(Name::Term(term), kind);
        let tag = self.theory.begin(Tag::Definition(term));
        for (condition, branch) in [(condition, then), (!condition, otherwise)] {
            let difference = variable.minus(self.theory.linear(branch));
            let mut opposite = Linear::default();
            opposite.add_scaled(&Rational::MINUS_ONE, &difference);
            for side in [difference, opposite] {
                let bound = self.theory.compare(&side, Comparison::AtMost, self.sink);
                let holds = self.theory.gates.or2(!condition, bound);
                self.require(holds, tag);
            }
        }
        let branches = [then, otherwise].map(|branch| self.theory.linear(branch));
        if branches.iter().all(|branch| branch.form.is_zero()) {
            let [a, b] = branches.map(|branch| branch.constant.clone());
            let (least, most) = if a < b { (a, b) } else { (b, a) };
            let above = variable.minus(&Linear::constant(most));
            let below = Linear::constant(least).minus(&variable);
            for side in [above, below] {
                let bound = self.theory.compare(&side, Comparison::AtMost, self.sink);
                self.require(bound, tag);
            }
        }
        self.theory.number(variable)
    }

    /// The equality of two numbers. If one of them is a node of the closure, it is an atom of the
    /// closure.
    pub(super) fn number_equality(&mut self, terms: [Term; 2], numbers: [Number; 2]) -> Signal {
        let kind = kind_of(self.pool.sort(terms[0])).expect("it is a number");
        let is_known = |number: Number| {
            !self.theory.linear(number).form.is_zero()
                && self.theory.known_number_node(kind, number).is_some()
        };
        if numbers.into_iter().any(is_known) {
            let [left, right] = [0, 1].map(|side| self.theory.number_node(terms[side], kind, numbers[side]));
            return self.theory.equality(left, right, self.sink);
        }
        let difference = self.theory.linear(numbers[0]).minus(self.theory.linear(numbers[1]));
        self.theory.is_zero(&difference, self.sink)
    }
}
