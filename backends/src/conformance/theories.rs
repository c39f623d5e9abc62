//! One check or more for each theory.

use super::{assert, check_model, decide, ensure, expect, prover, text};
use crate::{Limits, Outcome, ProverFactory, Reason, Status};
use ir::term::{Sort, Term, TermPool, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::time::{Duration, Instant};

type Shape<'a> = &'a dyn Fn(&mut TermPool, Term) -> Term;
type Binary = fn(&mut TermPool, Term, Term) -> Term;

const BINARY: &[(&str, Binary)] = &[
    ("bvand", TermPool::bv_and),
    ("bvor", TermPool::bv_or),
    ("bvxor", TermPool::bv_xor),
    ("bvadd", TermPool::bv_add),
    ("bvsub", TermPool::bv_sub),
    ("bvmul", TermPool::bv_mul),
    ("bvudiv", TermPool::bv_udiv),
    ("bvurem", TermPool::bv_urem),
    ("bvsdiv", TermPool::bv_sdiv),
    ("bvsrem", TermPool::bv_srem),
    ("bvshl", TermPool::bv_shl),
    ("bvlshr", TermPool::bv_lshr),
    ("bvashr", TermPool::bv_ashr),
    ("concat", TermPool::concat),
    ("bvult", TermPool::bv_ult),
    ("bvule", TermPool::bv_ule),
    ("bvslt", TermPool::bv_slt),
    ("bvsle", TermPool::bv_sle),
];

/// With the operands fixed by equations, the solver agrees with the folding of constants by the pool.
pub(super) fn bit_vectors(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    for width in [1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 100, 128] {
        let (x, y) = (
            pool.symbol(&format!("x{width}"), Sort::BitVec(width)),
            pool.symbol(&format!("y{width}"), Sort::BitVec(width)),
        );
        let big: BigInt = (BigInt::from(1) << (width - 1)) + 5;
        for (left, right) in
            [(BigInt::from(-3), BigInt::from(2)), (big.clone(), BigInt::from(3)), (BigInt::from(6), big)]
        {
            let (left, right) = (pool.bv_big(width, &left), pool.bv_big(width, &right));
            let fixed_x = pool.eq(x, left);
            let fixed_y = pool.eq(y, right);
            let mut agreements = vec![fixed_x, fixed_y];
            for (_, operator) in BINARY {
                let symbolic = operator(&mut pool, x, y);
                let folded = operator(&mut pool, left, right);
                agreements.push(pool.eq(symbolic, folded));
            }
            let unary: [fn(&mut TermPool, Term) -> Term; 2] = [TermPool::bv_not, TermPool::bv_neg];
            for operator in unary {
                let (symbolic, folded) = (operator(&mut pool, x), operator(&mut pool, left));
                agreements.push(pool.eq(symbolic, folded));
            }
            let (high, low) = (width - 1, width / 2);
            let shapes: [Shape<'_>; 3] = [
                &|pool, term| pool.extract(high, low, term),
                &|pool, term| pool.zero_extend(9, term),
                &|pool, term| pool.sign_extend(9, term),
            ];
            for operator in shapes {
                let (symbolic, folded) = (operator(&mut pool, x), operator(&mut pool, left));
                agreements.push(pool.eq(symbolic, folded));
            }
            for (index, &agreement) in agreements.iter().enumerate().skip(2) {
                let formula = pool.and(&[fixed_x, fixed_y, agreement]);
                if !decide(&mut *prover, &mut pool, formula)? {
                    let name = BINARY.get(index - 2).map_or("a unary operator", |(name, _)| name);
                    return Err(format!("{name} at width {width} differs from the pool's folding"));
                }
            }
        }
    }
    Ok(())
}

pub(super) fn bit_vector_division_by_zero(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    let (x, y) = (pool.symbol("x", Sort::BitVec(8)), pool.symbol("y", Sort::BitVec(8)));
    let zero = pool.bv(8, 0);
    let by_zero = pool.eq(y, zero);
    let quotient = pool.bv_udiv(x, y);
    let remainder = pool.bv_urem(x, y);
    let ones = pool.bv(8, 255);
    let (wrong_quotient, wrong_remainder) = (pool.neq(quotient, ones), pool.neq(remainder, x));
    let wrong = pool.or2(wrong_quotient, wrong_remainder);
    let formula = pool.and2(by_zero, wrong);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "x / 0 is all ones, x % 0 is x")
}

pub(super) fn wide_models(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    for width in [1, 64, 65, 128] {
        let name = format!("x{width}");
        let x = pool.symbol(&name, Sort::BitVec(width));
        let value: BigInt = (BigInt::from(1) << width) - 2 - (BigInt::from(1) << (width / 2));
        let constant = pool.bv_big(width, &value);
        let formula = pool.eq(x, constant);
        ensure(decide(&mut *prover, &mut pool, formula)?, "x equals a constant")?;
        prover.push().map_err(text)?;
        assert(&mut *prover, &pool, formula)?;
        match prover.check(&pool, &[]) {
            Outcome::Sat(mut model) => {
                let value = model.eval(&pool, x).map_err(text)?;
                let expected = model.eval(&pool, constant).map_err(text)?;
                ensure(value == expected, "the model has the constant")?;
                // A symbol that the solver never saw.
                let fresh = pool.symbol(&format!("never seen {width}"), Sort::BitVec(width));
                let fresh = pool.free_symbols(fresh)[0];
                model.value(&pool, fresh).map_err(text)?;
            }
            _ => return Err("x equals a constant is satisfiable".to_owned()),
        }
        prover.pop().map_err(text)?;
    }
    Ok(())
}

pub(super) fn time_limits(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    // Factors of a product of two primes of 31 bits: too hard for any solver within the limit.
    let (x, y) = (pool.symbol("x", Sort::BitVec(64)), pool.symbol("y", Sort::BitVec(64)));
    let product = pool.bv_mul(x, y);
    let semiprime = pool.bv(64, 2_147_483_647 * 2_147_483_629);
    let (one, bound) = (pool.bv(64, 1), pool.bv(64, 1 << 32));
    let mut constraints = vec![pool.eq(product, semiprime)];
    for factor in [x, y] {
        constraints.push(pool.bv_ult(one, factor));
        constraints.push(pool.bv_ult(factor, bound));
    }
    let formula = pool.and(&constraints);
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, formula)?;
    prover.set_limits(&Limits { time: Some(Duration::from_millis(100)), ..Limits::default() });
    let start = Instant::now();
    expect(&mut *prover, &pool, &[], &Status::Unknown(Reason::Timeout))?;
    ensure(start.elapsed() < Duration::from_secs(5), "the limit is kept")?;
    prover.set_limits(&Limits::default());
    prover.pop().map_err(text)?;
    let easy = pool.eq(x, y);
    ensure(decide(&mut *prover, &mut pool, easy)?, "the prover lives on")?;
    prover.set_limits(&Limits { deadline: Some(Instant::now()), ..Limits::default() });
    expect(&mut *prover, &pool, &[], &Status::Unknown(Reason::Timeout))
}

pub(super) fn deep_bit_vectors(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    let x = pool.symbol("x", Sort::BitVec(4));
    let conditions: Vec<Term> = (0..50).map(|i| pool.symbol(&format!("c{i}"), Sort::Bool)).collect();
    let mut term = x;
    for i in 0..100_000 {
        let constant = pool.bv(4, i as u64);
        let flipped = pool.bv_xor(term, constant);
        term = pool.ite(conditions[i % conditions.len()], flipped, x);
    }
    let formula = pool.neq(term, x);
    assert(&mut *prover, &pool, formula)?;
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => check_model(&mut *model, &pool, formula),
        Outcome::Unsat(_) => Err("a deep term is unsatisfiable".to_owned()),
        Outcome::Unknown(reason) => Err(reason.to_string()),
    }
}

pub(super) fn integers(factory: &dyn ProverFactory) -> Result<(), String> {
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

pub(super) fn integer_division(factory: &dyn ProverFactory) -> Result<(), String> {
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

pub(super) fn big_integers(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let x = pool.symbol("x", Sort::Int);
    for sign in [1, -1] {
        let value: BigInt = (BigInt::from(sign) << 200) + 17;
        let constant = pool.int_big(&value);
        let formula = pool.eq(x, constant);
        ensure(decide(&mut *prover, &mut pool, formula)?, "x is 2^200 + 17")?;
        prover.push().map_err(text)?;
        assert(&mut *prover, &pool, formula)?;
        match prover.check(&pool, &[]) {
            Outcome::Sat(mut model) => {
                ensure(
                    model.eval(&pool, x).map_err(text)? == Value::Int(value),
                    "the model has the integer",
                )?;
            }
            _ => return Err("x is a big integer".to_owned()),
        }
        prover.pop().map_err(text)?;
    }
    Ok(())
}

pub(super) fn reals(factory: &dyn ProverFactory) -> Result<(), String> {
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

fn array_symbols(pool: &mut TermPool) -> (Sort, Term, [Term; 3]) {
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let array = pool.symbol("a", sort);
    (sort, array, std::array::from_fn(|i| pool.symbol(&format!("i{i}"), Sort::BitVec(32))))
}

pub(super) fn arrays(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (_, array, [i, j, k]) = array_symbols(&mut pool);
    let (seven, nine) = (pool.bv(8, 7), pool.bv(8, 9));
    let once = pool.store(array, i, seven);
    let twice = pool.store(once, j, nine);
    let read = pool.select(twice, k);
    let original = pool.select(array, k);
    let changed = pool.neq(read, original);
    let (not_i, not_j) = (pool.neq(k, i), pool.neq(k, j));
    let formula = pool.and(&[changed, not_i, not_j]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "an index that is not written keeps its element")?;
    let is_seven = pool.eq(read, seven);
    let not_before = pool.neq(original, seven);
    let formula = pool.and2(is_seven, not_before);
    ensure(decide(&mut *prover, &mut pool, formula)?, "the element is the written one")?;
    let aliased = pool.eq(i, j);
    let formula = pool.and(&[formula, aliased]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "the later write wins")?;
    let c = pool.symbol("c", Sort::Bool);
    let choice = pool.ite(c, once, twice);
    let read = pool.select(choice, j);
    let ten = pool.bv(8, 10);
    let is_ten = pool.eq(read, ten);
    let formula = pool.and2(is_ten, aliased);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "a choice of arrays is read through")
}

pub(super) fn constant_arrays(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (sort, array, [i, j, k]) = array_symbols(&mut pool);
    let (zero, seven) = (pool.bv(8, 0), pool.bv(8, 7));
    let zeros = pool.const_array(sort, zero);
    let stored = pool.store(zeros, i, seven);
    let c = pool.symbol("c", Sort::Bool);
    let choice = pool.ite(c, stored, zeros);
    let read = pool.select(choice, j);
    let twelve = pool.bv(8, 12);
    let impossible = pool.eq(read, twelve);
    ensure(!decide(&mut *prover, &mut pool, impossible)?, "only 0 and 7 can be read")?;
    let possible = pool.eq(read, seven);
    ensure(decide(&mut *prover, &mut pool, possible)?, "7 can be read")?;
    // The definitional equation of a block formula.
    let definition = pool.eq(array, choice);
    let read = pool.select(array, k);
    let impossible = pool.eq(read, twelve);
    let formula = pool.and2(definition, impossible);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "an array that is defined by another has its elements")
}

pub(super) fn constant_arrays_read_later(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (sort, _, [i, j, k]) = array_symbols(&mut pool);
    let (zero, seven) = (pool.bv(8, 0), pool.bv(8, 7));
    let zeros = pool.const_array(sort, zero);
    let stored = pool.store(zeros, i, seven);
    let first = pool.select(stored, j);
    let is_zero = pool.eq(first, zero);
    assert(&mut *prover, &pool, is_zero)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    let second = pool.select(stored, k);
    let wrong = pool.bv(8, 3);
    let is_wrong = pool.eq(second, wrong);
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, is_wrong)?;
    expect(&mut *prover, &pool, &[], &Status::Unsat)?;
    prover.pop().map_err(text)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    // What was translated in a scope that is gone.
    expect(&mut *prover, &pool, &[is_wrong], &Status::Unsat)?;
    prover.push().map_err(text)?;
    expect(&mut *prover, &pool, &[is_wrong], &Status::Unsat)?;
    prover.pop().map_err(text)?;
    // An index that occurs in a model's question only.
    let one = pool.bv(32, 1);
    let next = pool.bv_add(k, one);
    let third = pool.select(stored, next);
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => {
            let value = model.eval(&pool, third).map_err(text)?;
            let (zero, seven) =
                (model.eval(&pool, zero).map_err(text)?, model.eval(&pool, seven).map_err(text)?);
            ensure(value == zero || value == seven, "a model knows the elements of constant arrays")
        }
        _ => Err("the context is satisfiable".to_owned()),
    }
}

pub(super) fn array_models(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (_, array, [i, j, _]) = array_symbols(&mut pool);
    let (at_i, at_j) = (pool.select(array, i), pool.select(array, j));
    let differ = pool.bv_ult(at_i, at_j);
    let (five, large) = (pool.bv(8, 5), pool.bv(32, 1 << 31));
    let stored = pool.store(array, j, five);
    let read = pool.select(stored, i);
    let less = pool.bv_ult(read, five);
    let far = pool.bv_ult(large, i);
    let formula = pool.and(&[differ, less, far]);
    ensure(decide(&mut *prover, &mut pool, formula)?, "the formula about arrays is satisfiable")
}

pub(super) fn functions(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UFLIA")?;
    let function = pool.function_symbol("f", &[Sort::Int, Sort::Int], Sort::Int);
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let (fxy, fyx) = (pool.apply(function, &[x, y]), pool.apply(function, &[y, x]));
    let differ = pool.neq(fxy, fyx);
    let equal = pool.eq(x, y);
    let formula = pool.and2(differ, equal);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "f(x, y) = f(y, x) if x = y")?;
    ensure(decide(&mut *prover, &mut pool, differ)?, "f need not be commutative")
}
