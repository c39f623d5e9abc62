//! Signatures accept exactly the arguments that constructors accept.

use crate::signature::{MAX_WIDTH, sort_of};
use crate::{FloatSign, Op, RoundingMode, Sort, SortError, Term, TermPool};
use proptest::prelude::*;

/// Terms of all sorts.
fn leaves(pool: &mut TermPool) -> Vec<Term> {
    let array = pool.array_sort(Sort::Int, Sort::BitVec(4));
    let nested = pool.array_sort(Sort::BitVec(4), array);
    let element = pool.uninterpreted_sort("U");
    let float = Sort::Float(3, 4);
    let mut leaves = Vec::new();
    for sort in [
        Sort::Bool,
        Sort::Int,
        Sort::Real,
        Sort::BitVec(4),
        Sort::BitVec(7),
        float,
        Sort::Float(2, 2),
        Sort::RoundingMode,
        array,
        nested,
        element,
    ] {
        leaves.push(pool.symbol("x", sort));
        leaves.push(pool.bound("x", sort));
    }
    leaves.push(pool.tru());
    leaves.push(pool.int(3));
    leaves.push(pool.bv(4, 5));
    leaves.push(pool.bv(7, 77));
    leaves.push(pool.rounding_mode(RoundingMode::TowardZero));
    leaves.push(pool.fp_nan(3, 4));
    leaves.push(pool.fp_zero(3, 4, FloatSign::Negative));
    leaves
}

fn operators(pool: &mut TermPool, small: u32, any: u32) -> Vec<Op> {
    let Sort::Array(array) = pool.array_sort(Sort::Int, Sort::BitVec(4)) else { unreachable!() };
    let f = pool.function_symbol("f", &[Sort::Int, Sort::Bool], Sort::Real);
    let mut operators = vec![
        Op::Not,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Ite,
        Op::Eq,
        Op::Apply(f),
        Op::BvNot,
        Op::BvNeg,
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
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::Concat,
        Op::Add,
        Op::Sub,
        Op::Neg,
        Op::Mul,
        Op::IntDiv,
        Op::IntMod,
        Op::RealDiv,
        Op::Le,
        Op::Lt,
        Op::ToReal,
        Op::ToInt,
        Op::Select,
        Op::Store,
        Op::ConstArray(array),
        Op::FpAbs,
        Op::FpNeg,
        Op::FpAdd,
        Op::FpSub,
        Op::FpMul,
        Op::FpDiv,
        Op::FpFma,
        Op::FpSqrt,
        Op::FpRem,
        Op::FpRoundToIntegral,
        Op::FpMin,
        Op::FpMax,
        Op::FpLe,
        Op::FpLt,
        Op::FpEq,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
        Op::FpIsZero,
        Op::FpIsInfinite,
        Op::FpIsNan,
        Op::FpIsNegative,
        Op::FpIsPositive,
        Op::FpToReal,
        Op::FpToBits,
        Op::Forall,
        Op::Exists,
        Op::True,
        Op::Bound(0),
    ];
    for (a, b) in [(small % 9, small / 9 % 9), (any, small % 9), (small % 9, any)] {
        let (exponent, significand) = (a as u16, b as u16);
        operators.extend([
            Op::Extract { high: a, low: b },
            Op::ZeroExtend(a),
            Op::SignExtend(b),
            Op::FpFromBits { exponent, significand },
            Op::FpToUnsigned(a),
            Op::FpToSigned(b),
        ]);
        // Constants of huge formats are cheap to make but expensive to print when a test fails.
        if exponent < 70 && significand < 300 {
            operators.extend([
                Op::FpFromFloat { exponent, significand },
                Op::FpFromReal { exponent, significand },
                Op::FpFromSigned { exponent, significand },
                Op::FpFromUnsigned { exponent, significand },
            ]);
        }
    }
    operators
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// `build` also asserts that the sort agrees with the signature.
    #[test]
    fn nothing_makes_a_checked_constructor_panic(small: u32, any: u32, choices: [u8; 5]) {
        let mut pool = TermPool::new();
        let mut terms = leaves(&mut pool);
        for op in operators(&mut pool, small, any) {
            for count in 0..5 {
                let children: Vec<Term> =
                    choices[..count].iter().map(|&choice| terms[usize::from(choice) % terms.len()]).collect();
                let expected = sort_of(&pool, op, &children);
                let built = pool.build(op, &children);
                match (expected, built) {
                    (Ok(sort), Ok(term)) => {
                        prop_assert_eq!(pool.sort(term), sort);
                        terms.push(term);
                    }
                    (Err(expected), Err(found)) => prop_assert_eq!(expected, found),
                    (expected, found) => prop_assert!(false, "{op:?}: {expected:?} but {found:?}"),
                }
            }
        }
    }
}

/// Every operator accepts some children; the random choices above would not find them for all
/// operators.
#[test]
fn every_operator_takes_some_children() {
    let mut pool = TermPool::new();
    let leaves = leaves(&mut pool);
    // The first leaf of each sort, and a bound variable.
    let candidates: Vec<Term> = leaves.iter().copied().step_by(2).take(11).chain([leaves[1]]).collect();
    for op in operators(&mut pool, 3 * 9 + 3, 4) {
        if matches!(op, Op::True | Op::Bound(_)) {
            continue;
        }
        let mut tuples: Vec<Vec<Term>> = vec![vec![]];
        let mut is_found = false;
        for _ in 0..4 {
            tuples = tuples
                .iter()
                .flat_map(|tuple| candidates.iter().map(|&next| [&tuple[..], &[next]].concat()))
                .collect();
            is_found |= tuples.iter().any(|tuple| sort_of(&pool, op, tuple).is_ok());
            if is_found {
                break;
            }
        }
        let is_impossible = match op {
            Op::Extract { high, low } => high < low || high > 6,
            Op::FpFromBits { exponent, significand } => {
                exponent + significand != 7 && exponent + significand != 4
            }
            _ => false,
        };
        assert_eq!(is_found, !is_impossible, "{op:?}");
    }
}

#[test]
fn errors_name_operator_position_and_sorts() {
    let mut pool = TermPool::new();
    let (x, b) = (pool.symbol("x", Sort::BitVec(8)), pool.symbol("b", Sort::Bool));
    let text = |result: Result<Term, SortError>| result.expect_err("ill-sorted").to_string();
    assert_eq!(
        text(pool.build(Op::BvAdd, &[x, b])),
        "argument 2 of `bvadd` should be of sort (_ BitVec 8) but is of sort Bool"
    );
    assert_eq!(
        text(pool.build(Op::FpLt, &[x, x])),
        "argument 1 of `fp.lt` should be a float but is of sort (_ BitVec 8)"
    );
    assert_eq!(text(pool.build(Op::Not, &[b, b])), "`not` takes one argument, not 2");
    assert_eq!(
        text(pool.build(Op::ZeroExtend(u32::MAX), &[x])),
        format!("`(_ zero_extend 4294967295)` should have a result of 1 to {MAX_WIDTH} bits, not 4294967303")
    );
    assert!(matches!(pool.build(Op::True, &[]), Err(SortError::Leaf { .. })));
}
