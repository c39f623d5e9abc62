//! What the conformance suite cannot ask of all solvers.

use crate::{factory, interpolators};
use backends::interpolation::Problem;
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Status};
use ir::term::{Sort, Term, TermPool, Value};
use num_bigint::BigInt;
use std::rc::Rc;
use std::time::{Duration, Instant};

fn prover() -> Box<dyn Prover> {
    factory().new_prover("ALL", &Limits::default()).unwrap()
}

fn model<'p>(prover: &'p mut dyn Prover, pool: &TermPool, formulas: &[Term]) -> Box<dyn Model + 'p> {
    for &formula in formulas {
        prover.assert(pool, formula).unwrap();
    }
    match prover.check(pool, &[]) {
        Outcome::Sat(model) => model,
        Outcome::Unsat(_) => panic!("unsatisfiable"),
        Outcome::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn conformance() {
    assert_eq!(backends::conformance::run(&factory()), Vec::<String>::new());
}

#[test]
fn names_its_version() {
    assert!(factory().version().starts_with("1.4.0"));
}
