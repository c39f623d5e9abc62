//! Bit vectors.

use super::exhaustive::Exhaustive;
use super::random::Random;
use super::{Check, MODELS, Verdict, assert, check_model, decide, ensure, prover};
use crate::{Limits, Outcome, ProverFactory};
use num_bigint::BigInt;
use terms::{Sort, Term, TermPool};

const THEORY: &str = "FixedSizeBitVectors";

pub(super) const CHECKS: &[Check] = &[
    Check::new(THEORY, "operators", "all operators at all widths from 1 to 128", operators),
    Check::new(THEORY, "operators", "operands for a result", inverses),
    Check::new(THEORY, "operators", "division by zero", bit_vector_division_by_zero),
    Check::new(THEORY, MODELS, "models of wide bit vectors", wide_models),
    Check::extra(THEORY, "size", "deep bit-vector terms", deep_bit_vectors),
];

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

/// With operands fixed by equations, the solver must agree with constant folding in the pool (which
/// `terms` tests against its evaluator): all agreements together are satisfiable, and any
/// disagreement is not.
fn operators(factory: &dyn ProverFactory) -> Verdict {
    let mut random = Random::new(7);
    for width in 1..=128 {
        let mut pool = TermPool::new();
        let mut prover = prover(factory, "QF_BV")?;
        let (x, y) = (pool.symbol("x", Sort::BitVec(width)), pool.symbol("y", Sort::BitVec(width)));
        let large: BigInt = (BigInt::from(1) << (width - 1)) + 5;
        let shift = BigInt::from(random.below(width as usize + 2));
        let noise =
            |random: &mut Random| (BigInt::from(random.next_u64()) << 64) + BigInt::from(random.next_u64());
        let pairs = [
            (BigInt::from(-3), BigInt::from(2)),
            (large.clone(), BigInt::from(3)),
            (BigInt::from(6), large),
            (noise(&mut random), shift),
            (noise(&mut random), noise(&mut random)),
            (noise(&mut random), BigInt::from(0)),
        ];
        // Two pairs for most widths, six for the interesting ones.
        let is_interesting = [1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128].contains(&width);
        let skipped = if is_interesting { 0 } else { width as usize % 5 };
        for (left, right) in pairs.into_iter().skip(skipped).take(if is_interesting { 6 } else { 2 }) {
            let (left, right) = (pool.bv_big(width, &left), pool.bv_big(width, &right));
            let agreements = agreements(&mut pool, (x, left), (y, right));
            let fixed = [pool.eq(x, left), pool.eq(y, right)];
            let formulas: Vec<Term> = agreements.iter().map(|(_, formula)| *formula).collect();
            let all = pool.and(&formulas);
            let some_differs = pool.not(all);
            prover.push()?;
            for fixed in fixed {
                prover.assert(&pool, fixed)?;
            }
            let agree =
                decide(&mut *prover, &mut pool, all)? && !decide(&mut *prover, &mut pool, some_differs)?;
            if !agree {
                for (name, formula) in agreements {
                    let what = format!("{name} at width {width} differs from the pool's folding");
                    ensure(decide(&mut *prover, &mut pool, formula)?, &what)?;
                }
                return Err(
                    format!("some operator at width {width} may differ from the pool's folding").into()
                );
            }
            prover.pop()?;
        }
    }
    Ok(())
}

/// The equations between symbolic and folded application, one for each operator.
fn agreements(
    pool: &mut TermPool,
    (x, left): (Term, Term),
    (y, right): (Term, Term),
) -> Vec<(&'static str, Term)> {
    let width = pool.width(x);
    let mut agreements = Vec::new();
    for &(name, operator) in BINARY {
        let (symbolic, folded) = (operator(pool, x, y), operator(pool, left, right));
        agreements.push((name, pool.eq(symbolic, folded)));
    }
    let (high, middle) = (width - 1, width / 2);
    let shapes: [(&str, Shape<'_>); 6] = [
        ("bvnot", &TermPool::bv_not),
        ("bvneg", &TermPool::bv_neg),
        ("extract of the upper half", &|pool, term| pool.extract(high, middle, term)),
        ("extract of the lower half", &|pool, term| pool.extract(middle, 0, term)),
        ("zero_extend", &|pool, term| pool.zero_extend(9, term)),
        ("sign_extend", &|pool, term| pool.sign_extend(9, term)),
    ];
    for (name, operator) in shapes {
        let (symbolic, folded) = (operator(pool, x), operator(pool, left));
        agreements.push((name, pool.eq(symbolic, folded)));
    }
    agreements
}

/// Every operator backwards: the solver finds operands for a result, and the model is evaluated.
fn inverses(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    for width in [3, 6] {
        let sort = Sort::BitVec(width);
        let (x, y) = (pool.symbol(&format!("x{width}"), sort), pool.symbol(&format!("y{width}"), sort));
        let (three, one) = (pool.bv(width, 3), pool.bv(width, 1));
        let large = pool.bv_ult(one, y);
        for &(name, operator) in BINARY {
            let term = operator(&mut pool, x, y);
            let formula = match pool.sort(term) {
                Sort::Bool => pool.and2(term, large),
                _ => {
                    let low = pool.extract(width - 1, 0, term);
                    let is_three = pool.eq(low, three);
                    pool.and2(is_three, large)
                }
            };
            // Some operators and widths may have no such operands; the exhaustive prover decides.
            let mut reference = Exhaustive::default().new_prover("QF_BV", &Limits::default())?;
            let expected = decide(&mut *reference, &mut pool, formula)?;
            let found = decide(&mut *prover, &mut pool, formula)?;
            ensure(found == expected, &format!("operands of {name} at width {width}"))?;
        }
    }
    Ok(())
}

fn bit_vector_division_by_zero(factory: &dyn ProverFactory) -> Verdict {
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

fn wide_models(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    for width in [1, 64, 65, 128] {
        let name = format!("x{width}");
        let x = pool.symbol(&name, Sort::BitVec(width));
        let value: BigInt = (BigInt::from(1) << width) - 2 - (BigInt::from(1) << (width / 2));
        let constant = pool.bv_big(width, &value);
        let formula = pool.eq(x, constant);
        ensure(decide(&mut *prover, &mut pool, formula)?, "x equals a constant")?;
        prover.push()?;
        assert(&mut *prover, &pool, formula)?;
        match prover.check(&pool, &[]) {
            Outcome::Sat(mut model) => {
                let value = model.eval(&pool, x)?;
                let expected = model.eval(&pool, constant)?;
                ensure(value == expected, "the model has the constant")?;
                // A symbol that is unknown to the solver.
                let fresh = pool.symbol(&format!("never seen {width}"), Sort::BitVec(width));
                let fresh = pool.free_symbols(fresh)[0];
                model.value(&pool, fresh)?;
            }
            _ => return Err("x equals a constant is satisfiable".into()),
        }
        prover.pop()?;
    }
    Ok(())
}

fn deep_bit_vectors(factory: &dyn ProverFactory) -> Verdict {
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
        Outcome::Unsat(_) => Err("a deep term is unsatisfiable".into()),
        Outcome::Unknown(reason) => Err(reason.into()),
    }
}
