mod interpolation;
mod prover;
mod random;
mod reading;

use backends::{Limits, Prover, ProverFactory, Status};
use std::time::Duration;
use terms::{Term, TermPool};

#[test]
#[ignore = "slow"]
fn yices_conforms() {
    assert_eq!(backends::conformance::run(&super::factory()), Vec::<String>::new());
}

fn prover() -> Box<dyn Prover> {
    let limits = Limits { time: Some(Duration::from_secs(30)), ..Limits::default() };
    super::factory().new_prover("ALL", &limits).unwrap()
}

/// Checks `formulas` with a new prover.
fn status(pool: &TermPool, formulas: &[Term]) -> Status {
    let mut prover = prover();
    for &formula in formulas {
        prover.assert(pool, formula).unwrap();
    }
    prover.status(pool, &[])
}
