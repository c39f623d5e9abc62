//! Compares the solver with independent methods, with all certificates checked.

mod fourier_motzkin;
mod integer;
mod linear;
mod stress;

use super::{
    Asserted, Bound, Certificate, Combination, DeltaRational, Feasibility, Kind, Premise, Premises, Rational,
    Reason32, Relation, Side, Simplex, Var,
};
use num_rational::BigRational;
use num_traits::Zero;
use proptest::prelude::*;
use terms::entity::Entity;

/// `Σ coefficients · variables relation constant`, small.
type Constraint = (Vec<i64>, Relation, i64);

fn relations() -> impl Strategy<Value = Relation> {
    use Relation::{AtLeast, AtMost, Equal, Greater, Less};
    prop_oneof![Just(AtMost), Just(Less), Just(AtLeast), Just(Greater), Just(Equal)]
}

/// Constraints over a number of variables, most with few variables, and at least one each.
fn constraints(variables: usize, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Constraint>> {
    let coefficient = prop_oneof![3 => Just(0i64), 4 => -3i64..=3];
    let coefficients = proptest::collection::vec(coefficient, variables)
        .prop_filter("not constant", |coefficients| coefficients.iter().any(|coefficient| *coefficient != 0));
    proptest::collection::vec((coefficients, relations(), -6i64..=6), count)
}

fn combination(coefficients: &[i64]) -> Combination {
    let entry = |(index, coefficient): (usize, &i64)| (Var::new(index), Rational::from(*coefficient));
    coefficients.iter().enumerate().map(entry).collect()
}

/// The assertions; the reason of each constraint is its number.
struct Problem {
    kinds: Vec<Kind>,
    premises: Vec<Premise>,
}

impl Problem {
    fn new(kinds: &[Kind], constraints: &[Constraint]) -> Self {
        let premise = |(coefficients, relation, constant): &Constraint| {
            primitive(&combination(coefficients), *relation, &Rational::from(*constant))
        };
        Problem { kinds: kinds.to_vec(), premises: constraints.iter().map(premise).collect() }
    }

    fn solver(&self) -> Simplex {
        let mut simplex = Simplex::new();
        for &kind in &self.kinds {
            simplex.variable(kind);
        }
        simplex
    }

    /// Asserts constraints until one contradicts a bound.
    fn assert(
        &self,
        simplex: &mut Simplex,
        which: impl IntoIterator<Item = usize>,
    ) -> Result<(), Certificate> {
        for number in which {
            for bound in self.bounds(simplex, number) {
                simplex.assert_bound(&bound, reason(number))?;
            }
        }
        Ok(())
    }

    fn bounds(&self, simplex: &mut Simplex, number: usize) -> Vec<Bound> {
        let Premise { form, relation, constant } = &self.premises[number];
        let constant = constant.clone();
        let asserted = match relation {
            Relation::AtMost => vec![(Side::Upper, constant.into())],
            Relation::Less => vec![(Side::Upper, DeltaRational::below(constant))],
            Relation::AtLeast => vec![(Side::Lower, constant.into())],
            Relation::Greater => vec![(Side::Lower, DeltaRational::above(constant))],
            Relation::Equal => vec![(Side::Upper, constant.clone().into()), (Side::Lower, constant.into())],
        };
        let bound = |(side, value)| simplex.bound(form, side, &value).expect("no constraint is constant");
        asserted.into_iter().map(bound).collect()
    }

    fn verdict(&self, simplex: &mut Simplex) -> Feasibility {
        match self.assert(simplex, 0..self.premises.len()) {
            Ok(()) => simplex.check(&backends::Limits::default()),
            Err(certificate) => Feasibility::Infeasible(certificate),
        }
    }

    /// Whether a model satisfies the premises, and integral values where required.
    fn is_satisfied(&self, model: &[Rational], which: impl IntoIterator<Item = usize>) -> bool {
        which.into_iter().all(|number| {
            let Premise { form, relation, constant } = &self.premises[number];
            let mut value = BigRational::zero();
            for (variable, coefficient) in form.entries() {
                value += coefficient.to_big() * model[variable.index()].to_big();
            }
            let order = value.cmp(&constant.to_big());
            match relation {
                Relation::AtMost => order.is_le(),
                Relation::Less => order.is_lt(),
                Relation::AtLeast => order.is_ge(),
                Relation::Greater => order.is_gt(),
                Relation::Equal => order.is_eq(),
            }
        })
    }
}

impl Premises for Problem {
    fn premise(&self, reason: Reason32) -> Option<Premise> {
        self.premises.get(reason.index()).cloned()
    }

    fn kind(&self, variable: Var) -> Kind {
        self.kinds[variable.index()]
    }
}

fn reason(number: usize) -> Reason32 {
    Reason32::new(number)
}

/// The same constraint with a primitive form, to which the multipliers of certificates refer.
fn primitive(form: &Combination, relation: Relation, constant: &Rational) -> Premise {
    let mut factor = form.content();
    let mut relation = relation;
    if form.entries()[0].1.is_negative() {
        factor = -factor;
        relation = match relation {
            Relation::AtMost => Relation::AtLeast,
            Relation::Less => Relation::Greater,
            Relation::AtLeast => Relation::AtMost,
            Relation::Greater => Relation::Less,
            Relation::Equal => Relation::Equal,
        };
    }
    Premise { form: form.scaled(&factor.recip()), relation, constant: constant / &factor }
}
