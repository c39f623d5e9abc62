//! The checks of the bench `overhead`.
//!
//! Two variables with bounds, `0 ≤ x, y ≤ n/2`. Each of the `n` checks opens a scope, asserts
//! `x + y ≥ k` with its own `k`, checks, and closes the scope. `k` alternates between satisfiable
//! and unsatisfiable values.

use backends::{Limits, ProverFactory, Status};
use terms::{Sort, Term, TermPool};

/// The theory of `x` and `y`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Integers.
    Lia,
    /// Bit vectors of 32 bits, unsigned.
    Bv32,
}

impl Theory {
    /// The SMT-LIB logic.
    pub fn logic(self) -> &'static str {
        match self {
            Theory::Lia => "QF_LIA",
            Theory::Bv32 => "QF_BV",
        }
    }
}

/// The `k` of check number `i` of `n`.
pub fn bound(i: u32, n: u32) -> u32 {
    if i.is_multiple_of(2) { i } else { n + i }
}

/// The formulas of `n` checks.
pub struct Formulas {
    /// The pool of the formulas.
    pub pool: TermPool,
    /// The bounds of the variables.
    pub base: Vec<Term>,
    /// The assertion of each check.
    pub checks: Vec<Term>,
}

impl Formulas {
    /// Builds the formulas.
    pub fn new(theory: Theory, n: u32) -> Self {
        let mut pool = TermPool::new();
        let sort = match theory {
            Theory::Lia => Sort::Int,
            Theory::Bv32 => Sort::BitVec(32),
        };
        let number = |pool: &mut TermPool, value: u32| match theory {
            Theory::Lia => pool.int(value.into()),
            Theory::Bv32 => pool.bv(32, value.into()),
        };
        let at_most = |pool: &mut TermPool, a, b| match theory {
            Theory::Lia => pool.le(a, b),
            Theory::Bv32 => pool.bv_ule(a, b),
        };
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let (zero, half) = (number(&mut pool, 0), number(&mut pool, n / 2));
        let mut base = Vec::new();
        for variable in [x, y] {
            base.push(at_most(&mut pool, zero, variable));
            base.push(at_most(&mut pool, variable, half));
        }
        let sum = match theory {
            Theory::Lia => pool.add(&[x, y]),
            Theory::Bv32 => pool.bv_add(x, y),
        };
        let checks = (0..n)
            .map(|i| {
                let bound = number(&mut pool, bound(i, n));
                at_most(&mut pool, bound, sum)
            })
            .collect();
        Formulas { pool, base, checks }
    }

    /// Runs the checks through the trait; returns the number of satisfiable ones.
    ///
    /// # Panics
    /// If the solver does not answer.
    pub fn run(&self, factory: &dyn ProverFactory, theory: Theory, limits: &Limits) -> u32 {
        let expect = "a small linear problem is supported";
        let mut prover = factory.new_prover(theory.logic(), limits).expect(expect);
        for &formula in &self.base {
            prover.assert(&self.pool, formula).expect(expect);
        }
        let mut satisfiable = 0;
        for &formula in &self.checks {
            prover.push().expect(expect);
            prover.assert(&self.pool, formula).expect(expect);
            match prover.status(&self.pool, &[]) {
                Status::Sat => satisfiable += 1,
                Status::Unsat => {}
                Status::Unknown(reason) => panic!("{}: {reason}", factory.name()),
            }
            prover.pop().expect(expect);
        }
        satisfiable
    }
}
