//! Integers and reals, linear and nonlinear.

use super::{Check, MODELS, Verdict, assert, decide, ensure, prover};
use crate::{Outcome, ProverFactory};
use num_bigint::BigInt;
use num_rational::BigRational;
use terms::{Sort, Term, TermPool, Value};

pub(super) const CHECKS: &[Check] = &[
    Check::new("Ints", "linear", "equations and inequalities", integers),
    Check::new("Ints", "linear", "a system with coefficients has a unique solution", integer_system),
    Check::new("Ints", "linear", "a bounded problem without integer points", no_integer_point),
    Check::new("Ints", "linear", "division by constants rounds as in SMT-LIB", integer_division),
    Check::extra("Ints", "linear", "an unbounded problem without integer points", unbounded_parity),
    Check::new("Ints", MODELS, "integers beyond machine words", big_integers),
    Check::new("Reals", "linear", "equations, and integers among reals", reals),
    Check::new("Reals", "linear", "strict bounds", strict_bounds),
    Check::new("Reals", "linear", "floors", floors),
    Check::new("Reals", MODELS, "large fractions", fractions),
    Check::new("NonlinearInts", "products", "Pythagorean triples", triples),
    Check::new("NonlinearInts", "products", "a square is not negative", squares),
    Check::extra("NonlinearInts", "products", "a cube that is a sum of two", fermat),
    Check::extra("NonlinearInts", "division", "division by variables", integer_division_by_variables),
    Check::extra("NonlinearInts", "division", "division by zero is some function", integer_division_by_zero),
    Check::new("NonlinearReals", "products", "roots and quadrics", quadrics),
    Check::extra("NonlinearReals", "products", "an irrational point", irrational),
    Check::extra("NonlinearReals", "division", "division by zero is some function", real_division_by_zero),
];

fn integers(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let (two, three, seven) = (pool.int(2), pool.int(3), pool.int(7));
    let (double, triple) = (pool.mul(two, x), pool.mul(three, y));
    let sum = pool.add(&[double, triple]);
    let equation = pool.eq(sum, seven);
    let positive = pool.lt(two, x);
    let formula = pool.and2(equation, positive);
    ensure(decide(&mut *prover, &mut pool, formula)?, "2x + 3y = 7, x > 2 is satisfiable")?;
    let even = pool.mul(two, y);
    let one = pool.int(1);
    let odd = pool.add(&[even, one]);
    let parity = pool.eq(double, odd);
    ensure(!decide(&mut *prover, &mut pool, parity)?, "2x = 2y + 1 is unsatisfiable")?;
    let choice = pool.ite(positive, x, y);
    let below = pool.le(choice, x);
    let difference = pool.sub(x, y);
    let negated = pool.neg(difference);
    let larger = pool.lt(one, negated);
    let formula = pool.and2(below, larger);
    ensure(decide(&mut *prover, &mut pool, formula)?, "ite(x > 2, x, y) <= x, y - x > 1 is satisfiable")
}

fn integer_division(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let x = pool.symbol("x", Sort::Int);
    for dividend in [-7, -6, -1, 0, 1, 7] {
        for divisor in [3, -3, 1] {
            let (left, right) = (pool.int(dividend), pool.int(divisor));
            let fixed = pool.eq(x, left);
            let (quotient, remainder) = (pool.int_div(x, right), pool.int_mod(x, right));
            let (folded_quotient, folded_remainder) = (pool.int_div(left, right), pool.int_mod(left, right));
            let same_quotient = pool.eq(quotient, folded_quotient);
            let same_remainder = pool.eq(remainder, folded_remainder);
            let formula = pool.and(&[fixed, same_quotient, same_remainder]);
            ensure(decide(&mut *prover, &mut pool, formula)?, &format!("{dividend} div and mod {divisor}"))?;
        }
    }
    Ok(())
}

fn big_integers(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let x = pool.symbol("x", Sort::Int);
    for sign in [1, -1] {
        let value: BigInt = (BigInt::from(sign) << 200) + 17;
        let constant = pool.int_big(&value);
        let formula = pool.eq(x, constant);
        ensure(decide(&mut *prover, &mut pool, formula)?, "x is 2^200 + 17")?;
        prover.push()?;
        assert(&mut *prover, &pool, formula)?;
        match prover.check(&pool, &[]) {
            Outcome::Sat(mut model) => {
                ensure(model.eval(&pool, x)? == Value::Int(value), "the model has the integer")?;
            }
            _ => return Err("x is a big integer".into()),
        }
        prover.pop()?;
    }
    Ok(())
}

fn reals(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIRA")?;
    let (x, n) = (pool.symbol("x", Sort::Real), pool.symbol("n", Sort::Int));
    let third = pool.real(&BigRational::new(1.into(), 3.into()));
    let equation = pool.eq(x, third);
    ensure(decide(&mut *prover, &mut pool, equation)?, "x is a third")?;
    let as_real = pool.to_real(n);
    let integral = pool.eq(x, as_real);
    let formula = pool.and2(equation, integral);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "no integer is a third")?;
    let three = pool.int(3);
    let bound = pool.lt(as_real, third);
    let positive = pool.lt(three, n);
    let formula = pool.and2(bound, positive);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "3 < n < 1/3 is unsatisfiable")
}

fn linear(pool: &mut TermPool, coefficients: &[(i64, Term)]) -> Term {
    let sort = pool.sort(coefficients[0].1);
    let summands: Vec<Term> = coefficients
        .iter()
        .map(|&(coefficient, term)| {
            let factor = pool.number(sort, &BigRational::from_integer(coefficient.into()));
            pool.mul(factor, term)
        })
        .collect();
    pool.add(&summands)
}

fn integer_system(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let rows = [([2, 3, -5], -35), ([7, -1, 4], 62), ([-3, 11, 2], 41)];
    let mut equations = Vec::new();
    for (row, sum) in rows {
        let left = linear(&mut pool, &[(row[0], x), (row[1], y), (row[2], z)]);
        let sum = pool.int(sum);
        equations.push(pool.eq(left, sum));
    }
    let system = pool.and(&equations);
    // Cramer's rule decides whether the only rational solution is integral.
    let determinant = |m: [[i64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let matrix = rows.map(|(row, _)| row);
    let all = determinant(matrix);
    let is_integral = (0..3).all(|column| {
        let mut replaced = matrix;
        for (row, (_, sum)) in rows.iter().enumerate() {
            replaced[row][column] = *sum;
        }
        determinant(replaced) % all == 0
    });
    ensure(decide(&mut *prover, &mut pool, system)? == is_integral, "the system agrees with Cramer's rule")
}

fn no_integer_point(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    // 0 < 3x - 2y < 1 within a box has only rational points.
    let term = linear(&mut pool, &[(3, x), (-2, y)]);
    let (zero, one, box_size) = (pool.int(0), pool.int(1), pool.int(1000));
    let negative = pool.neg(box_size);
    let mut formulas = vec![pool.lt(zero, term), pool.lt(term, one)];
    for variable in [x, y] {
        formulas.push(pool.le(negative, variable));
        formulas.push(pool.le(variable, box_size));
    }
    let formula = pool.and(&formulas);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "no integer lies between 0 and 1")?;
    // 6x + 10y = 15 + 2z has no solution: the left-hand side and 2z are even.
    let z = pool.symbol("z", Sort::Int);
    let term = linear(&mut pool, &[(6, x), (10, y), (-2, z)]);
    let fifteen = pool.int(15);
    let odd = pool.eq(term, fifteen);
    formulas.truncate(0);
    for variable in [x, y, z] {
        formulas.push(pool.le(negative, variable));
        formulas.push(pool.le(variable, box_size));
    }
    formulas.push(odd);
    let formula = pool.and(&formulas);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "an odd number is not even")
}

fn unbounded_parity(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let term = linear(&mut pool, &[(4, x), (-6, y), (10, z)]);
    let (low, high) = (pool.int(2), pool.int(4));
    let formula = [pool.lt(low, term), pool.lt(term, high)];
    let formula = pool.and(&formula);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "no even number lies between 2 and 4")
}

fn strict_bounds(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LRA")?;
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Real));
    let zero = pool.real(&BigRational::from_integer(0.into()));
    let tiny = pool.real(&BigRational::new(1.into(), BigInt::from(10).pow(30)));
    let between = [pool.lt(zero, x), pool.lt(x, y), pool.lt(y, tiny)];
    let formula = pool.and(&between);
    ensure(decide(&mut *prover, &mut pool, formula)?, "reals are dense")?;
    let same = [pool.le(x, y), pool.le(y, x), pool.neq(x, y)];
    let formula = pool.and(&same);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "the order is antisymmetric")
}

fn floors(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIRA")?;
    let x = pool.symbol("x", Sort::Real);
    for (numerator, floor) in [(-7, -4), (-4, -2), (-1, -1), (0, 0), (1, 0), (7, 3)] {
        let value = pool.real(&BigRational::new(numerator.into(), 2.into()));
        let fixed = pool.eq(x, value);
        let rounded = pool.to_int(x);
        let floor = pool.int(floor);
        let right = pool.eq(rounded, floor);
        let both = pool.and2(fixed, right);
        ensure(decide(&mut *prover, &mut pool, both)?, "to_int is the floor")?;
        let wrong = pool.not(right);
        let both = pool.and2(fixed, wrong);
        ensure(!decide(&mut *prover, &mut pool, both)?, "to_int has no other value than the floor")?;
    }
    Ok(())
}

fn fractions(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LRA")?;
    let x = pool.symbol("x", Sort::Real);
    let value = BigRational::new(-(BigInt::from(1) << 130_u32) - 1, (BigInt::from(1) << 67_u32) + 3);
    let constant = pool.real(&value);
    let formula = pool.eq(x, constant);
    assert(&mut *prover, &pool, formula)?;
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => {
            ensure(model.eval(&pool, x)? == Value::Real(value), "the model has the fraction")
        }
        Outcome::Unsat(_) => Err("x can be a fraction".into()),
        Outcome::Unknown(reason) => Err(reason.into()),
    }
}

fn triples(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NIA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let squares = [x, y, z].map(|variable| pool.mul(variable, variable));
    let sum = pool.add(&squares[..2]);
    let (zero, thirty) = (pool.int(0), pool.int(30));
    let mut formulas = vec![pool.eq(sum, squares[2]), pool.lt(zero, x), pool.lt(x, y), pool.lt(y, z)];
    formulas.push(pool.lt(z, thirty));
    let formula = pool.and(&formulas);
    ensure(decide(&mut *prover, &mut pool, formula)?, "there are Pythagorean triples")
}

fn squares(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NIA")?;
    let x = pool.symbol("x", Sort::Int);
    let square = pool.mul(x, x);
    let (zero, two) = (pool.int(0), pool.int(2));
    let negative = pool.lt(square, zero);
    ensure(!decide(&mut *prover, &mut pool, negative)?, "a square is not negative")?;
    let is_two = pool.eq(square, two);
    ensure(!decide(&mut *prover, &mut pool, is_two)?, "2 is not the square of an integer")
}

fn fermat(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NIA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let cubes = [x, y, z].map(|variable| {
        let square = pool.mul(variable, variable);
        pool.mul(square, variable)
    });
    let sum = pool.add(&cubes[..2]);
    let (zero, five) = (pool.int(0), pool.int(5));
    let mut formulas = vec![pool.eq(sum, cubes[2])];
    for variable in [x, y, z] {
        formulas.push(pool.lt(zero, variable));
        formulas.push(pool.lt(variable, five));
    }
    let formula = pool.and(&formulas);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "no cube below 125 is a sum of two")
}

fn integer_division_by_variables(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NIA")?;
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    for (dividend, divisor) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (0, 5)] {
        let (left, right) = (pool.int(dividend), pool.int(divisor));
        let (quotient, remainder) = (pool.int_div(x, y), pool.int_mod(x, y));
        let (folded_quotient, folded_remainder) = (pool.int_div(left, right), pool.int_mod(left, right));
        let fixed = [pool.eq(x, left), pool.eq(y, right)];
        let same = [pool.eq(quotient, folded_quotient), pool.eq(remainder, folded_remainder)];
        let same = pool.and(&same);
        let formula = pool.and(&[fixed[0], fixed[1], same]);
        ensure(decide(&mut *prover, &mut pool, formula)?, &format!("{dividend} by {divisor}"))?;
        let differs = pool.not(same);
        let formula = pool.and(&[fixed[0], fixed[1], differs]);
        ensure(!decide(&mut *prover, &mut pool, formula)?, &format!("{dividend} by {divisor} only"))?;
    }
    Ok(())
}

/// SMT-LIB does not specify x / 0, but it is a function of x.
fn integer_division_by_zero(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NIA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let (zero, five) = (pool.int(0), pool.int(5));
    let by_zero = pool.eq(z, zero);
    let (first, second) = (pool.int_div(x, z), pool.int_div(y, z));
    let is_five = pool.eq(first, five);
    let formula = pool.and2(by_zero, is_five);
    ensure(decide(&mut *prover, &mut pool, formula)?, "x div 0 may be 5")?;
    let (same, differ) = (pool.eq(x, y), pool.neq(first, second));
    let formula = pool.and(&[by_zero, same, differ]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "div is a function")
}

fn real_division_by_zero(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NRA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Real));
    let zero = pool.real(&BigRational::from_integer(0.into()));
    let five = pool.real(&BigRational::from_integer(5.into()));
    let by_zero = pool.eq(z, zero);
    let (first, second) = (pool.real_div(x, z), pool.real_div(y, z));
    let is_five = pool.eq(first, five);
    let formula = pool.and2(by_zero, is_five);
    ensure(decide(&mut *prover, &mut pool, formula)?, "x / 0 may be 5")?;
    let (same, differ) = (pool.eq(x, y), pool.neq(first, second));
    let formula = pool.and(&[by_zero, same, differ]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "/ is a function")
}

fn quadrics(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NRA")?;
    let (x, y) = (pool.symbol("x", Sort::Real), pool.symbol("y", Sort::Real));
    let number = |pool: &mut TermPool, n: i64, d: i64| pool.real(&BigRational::new(n.into(), d.into()));
    let (xx, yy, xy) = (pool.mul(x, x), pool.mul(y, y), pool.mul(x, y));
    let (sum, one, half) = (pool.add(&[xx, yy]), number(&mut pool, 1, 1), number(&mut pool, 1, 2));
    let (circle, above) = (pool.eq(sum, one), pool.lt(half, xy));
    let formula = pool.and2(circle, above);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "xy is at most 1/2 on the unit circle")?;
    let (inside, third) = (pool.lt(sum, one), number(&mut pool, 1, 3));
    let large = pool.lt(third, xy);
    let formula = pool.and2(inside, large);
    ensure(decide(&mut *prover, &mut pool, formula)?, "xy exceeds 1/3 within the unit circle")
}

fn irrational(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_NRA")?;
    let x = pool.symbol("x", Sort::Real);
    let (square, two) = (pool.mul(x, x), pool.real(&BigRational::from_integer(2.into())));
    let formula = pool.eq(square, two);
    assert(&mut *prover, &pool, formula)?;
    match prover.check(&pool, &[]) {
        // The value is not a `Value`: the prover may reject it, but not return a wrong one.
        Outcome::Sat(mut model) => match model.eval(&pool, x) {
            Ok(value) => Err(format!("{value} is not a root of 2").into()),
            Err(_) => Ok(()),
        },
        Outcome::Unsat(_) => Err("2 has a root".into()),
        Outcome::Unknown(reason) => Err(reason.into()),
    }
}
