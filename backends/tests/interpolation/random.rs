//! Random problems over all theories.

use crate::problems::{Random, random_tree};
use backends::interpolation::Problem;
use num_rational::BigRational;
use terms::{FunctionSymbol, Sort, Term, TermPool};

/// Generates terms of a few sorts over a few names.
struct Generator<'a> {
    random: &'a mut Random,
    theory: Theory,
    array: Sort,
    function: FunctionSymbol,
}

/// The theory of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theory {
    Bool,
    Int,
    Real,
    Bits,
    Arrays,
    Functions,
}

pub(crate) const THEORIES: [Theory; 6] =
    [Theory::Bool, Theory::Int, Theory::Real, Theory::Bits, Theory::Arrays, Theory::Functions];

impl Generator<'_> {
    fn number_sort(&self) -> Sort {
        match self.theory {
            Theory::Real => Sort::Real,
            Theory::Bits => Sort::BitVec(4),
            _ => Sort::Int,
        }
    }

    fn number(&mut self, pool: &mut TermPool, depth: usize) -> Term {
        let sort = self.number_sort();
        let choice = if depth == 0 { self.random.below(3) } else { self.random.below(10) };
        match choice {
            0 => {
                let value = self.random.below(7) as i64 - 3;
                match sort {
                    Sort::BitVec(width) => pool.bv_i64(width, value),
                    sort => pool.number(sort, &BigRational::from_integer(value.into())),
                }
            }
            1 | 2 => {
                let name = format!("x{}", self.random.below(6));
                pool.symbol(&name, sort)
            }
            3 => {
                let condition = self.formula(pool, depth - 1);
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                pool.ite(condition, a, b)
            }
            _ if self.theory == Theory::Arrays && choice > 6 => {
                let array = self.array(pool, depth - 1);
                let index = self.number(pool, depth - 1);
                pool.select(array, index)
            }
            _ if self.theory == Theory::Functions && choice > 6 => {
                let argument = self.number(pool, depth - 1);
                let name = self.random.below(3);
                let function = if name == 0 {
                    self.function
                } else {
                    pool.function_symbol(&format!("f{name}"), &[sort], sort)
                };
                pool.apply(function, &[argument])
            }
            4 => {
                let factor = self.random.below(9) as i64 - 4;
                let a = self.number(pool, depth - 1);
                match sort {
                    Sort::BitVec(width) => {
                        let factor = pool.bv_i64(width, factor);
                        pool.bv_mul(factor, a)
                    }
                    sort => {
                        let factor = pool.number(sort, &BigRational::from_integer(factor.into()));
                        pool.mul(factor, a)
                    }
                }
            }
            5 if sort == Sort::Int => {
                let a = self.number(pool, depth - 1);
                let k = pool.int(2 + self.random.below(3) as i64);
                if self.random.below(2) == 0 { pool.int_mod(a, k) } else { pool.int_div(a, k) }
            }
            5 if sort == Sort::BitVec(4) => {
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                match self.random.below(6) {
                    0 => pool.bv_xor(a, b),
                    1 => pool.bv_and(a, b),
                    2 => pool.bv_not(a),
                    3 => {
                        let (high, low) = (pool.extract(3, 2, a), pool.extract(1, 0, b));
                        pool.concat(high, low)
                    }
                    4 => {
                        let low = pool.extract(2, 0, a);
                        pool.sign_extend(1, low)
                    }
                    _ => pool.bv_lshr(a, b),
                }
            }
            _ => {
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                match sort {
                    Sort::BitVec(_) => pool.bv_add(a, b),
                    _ => pool.add(&[a, b]),
                }
            }
        }
    }

    fn array(&mut self, pool: &mut TermPool, depth: usize) -> Term {
        if depth == 0 || self.random.below(2) == 0 {
            let name = format!("a{}", self.random.below(3));
            return pool.symbol(&name, self.array);
        }
        let array = self.array(pool, depth - 1);
        let (index, value) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
        pool.store(array, index, value)
    }

    fn formula(&mut self, pool: &mut TermPool, depth: usize) -> Term {
        let choice = if depth == 0 { 0 } else { self.random.below(8) };
        match choice {
            0 => {
                let name = format!("p{}", self.random.below(5));
                let symbol = pool.symbol(&name, Sort::Bool);
                if self.random.below(2) == 0 { symbol } else { pool.not(symbol) }
            }
            1 => {
                let (a, b) = (self.formula(pool, depth - 1), self.formula(pool, depth - 1));
                pool.or2(a, b)
            }
            2 => {
                let (a, b) = (self.formula(pool, depth - 1), self.formula(pool, depth - 1));
                pool.eq(a, b)
            }
            _ if self.theory == Theory::Bool => {
                let (a, b) = (self.formula(pool, depth - 1), self.formula(pool, depth - 1));
                let not_a = pool.not(a);
                pool.or2(not_a, b)
            }
            3 if self.theory == Theory::Arrays => {
                let (a, b) = (self.array(pool, depth - 1), self.array(pool, depth - 1));
                pool.eq(a, b)
            }
            4 => {
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                match self.number_sort() {
                    Sort::BitVec(_) => pool.bv_ult(a, b),
                    _ => pool.le(a, b),
                }
            }
            5 => {
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                pool.neq(a, b)
            }
            _ => {
                let (a, b) = (self.number(pool, depth - 1), self.number(pool, depth - 1));
                pool.eq(a, b)
            }
        }
    }
}

/// `conjuncts` random formulas of `theory` at random nodes of a random tree; satisfiable or not.
pub(crate) fn problem(
    pool: &mut TermPool,
    random: &mut Random,
    theory: Theory,
    size: usize,
    conjuncts: usize,
) -> Problem {
    let tree = random_tree(random, size);
    let number = match theory {
        Theory::Real => Sort::Real,
        Theory::Bits => Sort::BitVec(4),
        _ => Sort::Int,
    };
    let array = pool.array_sort(number, number);
    let function = pool.function_symbol("f", &[number], number);
    let mut parts = vec![Vec::new(); size];
    for _ in 0..conjuncts {
        let node = random.below(size);
        let mut generator = Generator { random, theory, array, function };
        parts[node].push(generator.formula(pool, 3));
    }
    Problem { parts, tree }
}
