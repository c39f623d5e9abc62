//! How single formulas look on the way and back.

use crate::integral::{Form, back, translate};
use backends::interpolation::Problem;
use ir::term::{Representation, Sort, Term, TermPool};

/// The formula as it comes back from the integers.
fn there_and_back(pool: &mut TermPool, form: Form, formula: Term) -> Term {
    let problem = Problem::binary(vec![formula], vec![formula]);
    let translation = translate(pool, &problem).unwrap();
    let all = pool.and(&translation.problem.parts[0][..1]);
    back(pool, &translation.dictionary, form, all).unwrap()
}

#[track_caller]
fn shows(pool: &mut TermPool, formula: Term, expected: &str) {
    let found = there_and_back(pool, Form::Exact, formula);
    assert_eq!(pool.display(found).to_string(), expected);
}

fn words<const N: usize>(pool: &mut TermPool, names: [&str; N]) -> [Term; N] {
    names.map(|name| pool.symbol(name, Sort::BitVec(32)))
}

#[test]
fn equalities_of_sums_stay_narrow() {
    let mut pool = TermPool::new();
    let [x, y] = words(&mut pool, ["x", "y"]);
    let two = pool.bv(32, 2);
    let twice = pool.bv_mul(two, x);
    let equal = pool.eq(y, twice);
    shows(&mut pool, equal, "");
    let sum = pool.bv_add(x, y);
    let equal = pool.eq(sum, two);
    shows(&mut pool, equal, "");
}
