//! Compares the translation with the evaluation of `ir`.

mod bits;
mod clauses;
mod reading;

use super::clauses::ClauseSink;
use crate::prover::sat::{Literal, Variable};
use backends::conformance::random::Random;
use num_bigint::BigUint;
use terms::entity::Entity;
use terms::{BitVector, Op, Sort, Term, TermPool, Value};

/// A clause sink that only stores clauses.
#[derive(Default)]
struct Kept {
    variables: usize,
    clauses: Vec<(Vec<Literal>, u32)>,
}

impl ClauseSink for Kept {
    fn new_variable(&mut self) -> Variable {
        self.variables += 1;
        Variable::new(self.variables - 1)
    }

    fn add_clause(&mut self, literals: &[Literal], tag: u32) {
        self.clauses.push((literals.to_vec(), tag));
    }
}

/// The symbols that occur in some terms.
fn leaves(pool: &TermPool, terms: &[Term]) -> Vec<Term> {
    let mut leaves = Vec::new();
    pool.visit(
        terms,
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Symbol(_)) {
                leaves.push(term);
            }
        },
    );
    leaves
}

/// A random value of a sort.
fn random_value(random: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.chance(1, 2)),
        Sort::BitVec(width) => {
            let digits: Vec<u32> = (0..width.div_ceil(32)).map(|_| random.next_u64() as u32).collect();
            Value::BitVec(BitVector::from_natural(width, BigUint::new(digits)))
        }
        sort => panic!("{sort:?} should be a sort of formulas or bit vectors"),
    }
}
