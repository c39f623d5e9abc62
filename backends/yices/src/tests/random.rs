//! Random formulas over a few variables.

use terms::Random;
use terms::{Op, Sort, Term, TermPool};

/// The theory of the formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Theory {
    /// Bit vectors of this width, with all operators.
    BitVectors(u32),
    /// Sums, multiples, quotients by constants.
    Integers,
    /// Integers with products.
    NonlinearIntegers,
    Reals,
    NonlinearReals,
    /// Integers and reals, with conversions.
    Mixed,
}

pub(super) struct Generator {
    random: Random,
    theory: Theory,
}

impl Generator {
    pub(super) fn new(theory: Theory, seed: u64) -> Self {
        Generator { random: Random::new(seed), theory }
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.random.number() % bound
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    pub(super) fn sorts(&self) -> Vec<Sort> {
        match self.theory {
            Theory::BitVectors(width) => vec![Sort::BitVec(width)],
            Theory::Integers | Theory::NonlinearIntegers => vec![Sort::Int],
            Theory::Reals | Theory::NonlinearReals => vec![Sort::Real],
            Theory::Mixed => vec![Sort::Int, Sort::Real],
        }
    }

    /// A formula over the given variables, which are Boolean or of the sorts of the theory.
    pub(super) fn formula(&mut self, pool: &mut TermPool, variables: &[Term], depth: u32) -> Term {
        let booleans: Vec<Term> =
            variables.iter().copied().filter(|&variable| pool.sort(variable) == Sort::Bool).collect();
        if depth == 0 && !booleans.is_empty() && self.below(4) == 0 {
            return self.pick(&booleans);
        }
        if depth == 0 || self.below(5) == 0 {
            return self.atom(pool, variables);
        }
        let a = self.formula(pool, variables, depth - 1);
        let b = self.formula(pool, variables, depth - 1);
        match self.below(6) {
            0 | 1 => pool.and(&[a, b]),
            2 | 3 => pool.or(&[a, b]),
            4 => pool.not(a),
            _ => {
                let c = self.formula(pool, variables, depth - 1);
                pool.ite(a, b, c)
            }
        }
    }

    fn atom(&mut self, pool: &mut TermPool, variables: &[Term]) -> Term {
        let sort = {
            let sorts = self.sorts();
            self.pick(&sorts)
        };
        let a = self.term(pool, variables, sort, 2);
        let b = self.term(pool, variables, sort, 2);
        let operators: &[Op] = match sort {
            Sort::BitVec(_) => &[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle],
            _ => &[Op::Eq, Op::Le, Op::Lt],
        };
        let operator = self.pick(operators);
        pool.build(operator, &[a, b]).unwrap()
    }

    fn constant(&mut self, pool: &mut TermPool, sort: Sort) -> Term {
        let number = self.below(7) as i64 - 3;
        match sort {
            Sort::BitVec(width) => pool.bv_i64(width, number),
            Sort::Int => pool.int(number),
            _ => {
                let number = num_rational::BigRational::new(number.into(), (1 + self.below(3)).into());
                pool.real(&number)
            }
        }
    }

    pub(super) fn term(&mut self, pool: &mut TermPool, variables: &[Term], sort: Sort, depth: u32) -> Term {
        let leaves: Vec<Term> =
            variables.iter().copied().filter(|&variable| pool.sort(variable) == sort).collect();
        if leaves.is_empty() || self.below(6) == 0 {
            return self.constant(pool, sort);
        }
        if depth == 0 || self.below(4) == 0 {
            return self.pick(&leaves);
        }
        let a = self.term(pool, variables, sort, depth - 1);
        let b = self.term(pool, variables, sort, depth - 1);
        match sort {
            Sort::BitVec(width) => self.bit_vector(pool, variables, width, a, b),
            _ => self.number(pool, variables, sort, a, b),
        }
    }

    fn bit_vector(&mut self, pool: &mut TermPool, variables: &[Term], width: u32, a: Term, b: Term) -> Term {
        let operators = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        match self.below(19) {
            0 => pool.bv_not(a),
            1 => pool.bv_neg(a),
            2 if width > 1 => {
                let cut = 1 + self.below(u64::from(width) - 1) as u32;
                let (high, low) = (pool.extract(width - 1, cut, a), pool.extract(cut - 1, 0, b));
                pool.concat(high, low)
            }
            3 if width > 1 => {
                let cut = 1 + self.below(u64::from(width) - 1) as u32;
                let low = pool.extract(cut - 1, 0, a);
                pool.sign_extend(width - cut, low)
            }
            4 if width > 1 => {
                let cut = 1 + self.below(u64::from(width) - 1) as u32;
                let high = pool.extract(width - 1, cut, a);
                pool.zero_extend(cut, high)
            }
            5 => {
                let condition = self.formula(pool, variables, 0);
                pool.ite(condition, a, b)
            }
            _ => {
                let operator = self.pick(&operators);
                pool.build(operator, &[a, b]).unwrap()
            }
        }
    }

    fn number(&mut self, pool: &mut TermPool, variables: &[Term], sort: Sort, a: Term, b: Term) -> Term {
        let is_nonlinear = matches!(self.theory, Theory::NonlinearIntegers | Theory::NonlinearReals);
        let divisor = {
            let number = 2 + self.below(3) as i64;
            pool.int(number)
        };
        match (self.below(9), sort) {
            (0 | 1, _) => pool.add(&[a, b]),
            (2, _) => pool.sub(a, b),
            (3, _) if is_nonlinear => pool.mul(a, b),
            (4, Sort::Int) => pool.int_div(a, divisor),
            (5, Sort::Int) => pool.int_mod(a, divisor),
            (6, _) => {
                let condition = self.formula(pool, variables, 0);
                pool.ite(condition, a, b)
            }
            (7, Sort::Int) if self.theory == Theory::Mixed => {
                let real = self.term(pool, variables, Sort::Real, 1);
                pool.to_int(real)
            }
            (7, Sort::Real) if self.theory == Theory::Mixed => {
                let integer = self.term(pool, variables, Sort::Int, 1);
                pool.to_real(integer)
            }
            _ => {
                let factor = self.constant(pool, sort);
                pool.mul(factor, a)
            }
        }
    }
}
