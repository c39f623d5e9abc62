//! Random terms survive printing and reading; random text causes no panic.

use super::{assertions, errors};
use proptest::prelude::*;
use terms::{Op, Sort, Term, TermPool, print};

/// Operators to try; those whose signature does not match the chosen children are skipped.
const OPERATORS: &[(Op, usize)] = &[
    (Op::Not, 1),
    (Op::And, 2),
    (Op::Or, 3),
    (Op::Xor, 2),
    (Op::Ite, 3),
    (Op::Eq, 2),
    (Op::BvNot, 1),
    (Op::BvNeg, 1),
    (Op::BvAnd, 2),
    (Op::BvOr, 2),
    (Op::BvXor, 2),
    (Op::BvAdd, 2),
    (Op::BvSub, 2),
    (Op::BvMul, 2),
    (Op::BvUdiv, 2),
    (Op::BvUrem, 2),
    (Op::BvSdiv, 2),
    (Op::BvSrem, 2),
    (Op::BvShl, 2),
    (Op::BvLshr, 2),
    (Op::BvAshr, 2),
    (Op::BvUlt, 2),
    (Op::BvUle, 2),
    (Op::BvSlt, 2),
    (Op::BvSle, 2),
    (Op::Concat, 2),
    (Op::Extract { high: 3, low: 1 }, 1),
    (Op::ZeroExtend(2), 1),
    (Op::SignExtend(1), 1),
    (Op::Add, 3),
    (Op::Sub, 2),
    (Op::Neg, 1),
    (Op::Mul, 2),
    (Op::IntDiv, 2),
    (Op::IntMod, 2),
    (Op::RealDiv, 2),
    (Op::Le, 2),
    (Op::Lt, 2),
    (Op::ToReal, 1),
    (Op::ToInt, 1),
    (Op::Select, 2),
    (Op::Store, 3),
    (Op::FpAbs, 1),
    (Op::FpNeg, 1),
    (Op::FpAdd, 3),
    (Op::FpSub, 3),
    (Op::FpMul, 3),
    (Op::FpDiv, 3),
    (Op::FpFma, 4),
    (Op::FpSqrt, 2),
    (Op::FpRem, 2),
    (Op::FpRoundToIntegral, 2),
    (Op::FpMin, 2),
    (Op::FpMax, 2),
    (Op::FpLe, 2),
    (Op::FpLt, 2),
    (Op::FpEq, 2),
    (Op::FpIsNormal, 1),
    (Op::FpIsSubnormal, 1),
    (Op::FpIsZero, 1),
    (Op::FpIsInfinite, 1),
    (Op::FpIsNan, 1),
    (Op::FpIsNegative, 1),
    (Op::FpIsPositive, 1),
    (Op::FpFromBits { exponent: 3, significand: 5 }, 1),
    (Op::FpFromFloat { exponent: 3, significand: 5 }, 2),
    (Op::FpFromReal { exponent: 3, significand: 5 }, 2),
    (Op::FpFromSigned { exponent: 3, significand: 5 }, 2),
    (Op::FpFromUnsigned { exponent: 3, significand: 5 }, 2),
    (Op::FpToUnsigned(4), 2),
    (Op::FpToSigned(4), 2),
    (Op::FpToReal, 1),
    (Op::Forall, 2),
    (Op::Exists, 2),
];

fn leaves(pool: &mut TermPool) -> Vec<Term> {
    let array = pool.array_sort(Sort::BitVec(4), Sort::Int);
    let uninterpreted = pool.uninterpreted_sort("U");
    let sorts = [
        Sort::Bool,
        Sort::Bool,
        Sort::Int,
        Sort::Int,
        Sort::Real,
        Sort::Real,
        Sort::BitVec(4),
        Sort::BitVec(4),
        Sort::BitVec(8),
        Sort::Float(3, 5),
        Sort::Float(3, 5),
        Sort::Float(2, 3),
        Sort::RoundingMode,
        array,
        array,
        uninterpreted,
        uninterpreted,
    ];
    let mut leaves: Vec<Term> =
        sorts.iter().enumerate().map(|(i, &sort)| pool.symbol(&format!("x {i}"), sort)).collect();
    for (i, sort) in [Sort::Bool, Sort::Int, Sort::Real, Sort::BitVec(4)].into_iter().enumerate() {
        leaves.push(pool.bound(&format!("b{i}"), sort));
    }
    leaves.extend([pool.int(0), pool.int(-3), pool.bv(4, 5), pool.bv(8, 200), pool.tru()]);
    let half = num_rational::BigRational::new((-1).into(), 2.into());
    leaves.push(pool.real(&half));
    leaves.push(pool.rounding_mode(terms::RoundingMode::TowardZero));
    leaves.push(pool.fp_nan(3, 5));
    leaves.push(pool.fp_zero(3, 5, terms::FloatSign::Negative));
    let zero = pool.int(0);
    leaves.push(pool.const_array(array, zero));
    let f = pool.function_symbol("f", &[Sort::Int, uninterpreted], Sort::BitVec(4));
    let application = pool.apply(f, &[leaves[2], leaves[15]]);
    leaves.push(application);
    leaves
}

/// Replaces the free bound variables of a term by symbols.
fn close(pool: &mut TermPool, term: Term) -> Term {
    let mut bound = Vec::new();
    pool.visit(
        &[term],
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Bound(id) if pool.bound_name(id).starts_with('b')) {
                bound.push(term);
            }
        },
    );
    pool.forall(&bound, term)
}

/// A Boolean term without free variables.
fn random_term(pool: &mut TermPool, steps: &[(u8, u16, u16, u16, u16)]) -> Term {
    let mut terms = leaves(pool);
    for &(operator, a, b, c, d) in steps {
        let (op, arity) = OPERATORS[operator as usize % OPERATORS.len()];
        // Prefers later terms; if a child does not fit, the next choice is tried.
        let pick = |choice: u16, attempt: usize| {
            let n = terms.len();
            match choice % 2 {
                0 => terms[n - 1 - (usize::from(choice) / 2 + attempt) % n.min(12)],
                _ => terms[(usize::from(choice) / 2 + attempt * 7) % n],
            }
        };
        for attempt in 0..40 {
            let children = [pick(a, attempt), pick(b, attempt / 2), pick(c, attempt * 3), pick(d, attempt)];
            let built = match (op, pool.op(children[0])) {
                // A distinct variable per quantifier, because a shadowing variable is read under
                // another name.
                (Op::Forall | Op::Exists, Op::Bound(_)) => {
                    let variable = pool.bound(&format!("q{}", terms.len()), pool.sort(children[0]));
                    let rename = |_: &mut TermPool, leaf| (leaf == children[0]).then_some(variable);
                    let body = pool.map_leaves(children[1], &mut { rename });
                    pool.build(op, &[variable, body])
                }
                _ => pool.build(op, &children[..arity]),
            };
            if let Ok(term) = built {
                if matches!(pool.sort(term), Sort::BitVec(33..)) {
                    break;
                }
                terms.push(term);
                break;
            }
        }
    }
    let booleans: Vec<Term> =
        terms.iter().rev().copied().filter(|&t| pool.sort(t) == Sort::Bool).take(4).collect();
    let both = pool.or(&booleans);
    close(pool, both)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_terms_are_read_as_the_same_terms(steps in prop::collection::vec(any::<(u8, u16, u16, u16, u16)>(), 1..60)) {
        let mut pool = TermPool::new();
        let term = random_term(&mut pool, &steps);
        let text = print::script(&pool, None, &[term]);
        let read = assertions(&mut pool, &text);
        let again = print::script(&pool, None, &read);
        prop_assert_eq!(read, vec![term], "{}\n{}", text, again);
    }

    #[test]
    fn random_tokens_do_no_harm(tokens in prop::collection::vec(0usize..TOKENS.len(), 0..80)) {
        let text: Vec<&str> = tokens.iter().map(|&token| TOKENS[token]).collect();
        errors(&text.join(" "));
    }

    #[test]
    fn random_terms_of_random_tokens_do_no_harm(tokens in prop::collection::vec(0usize..TERMS.len(), 0..40)) {
        // Closes open parentheses, so that more of the text is a term.
        let mut text = String::from(
            "(declare-const x Int) (declare-const y (_ BitVec 8)) (declare-fun f (Int Int) Int) \
             (declare-const a (Array Int Int)) (declare-const z Float32) (assert (! true :named n)) (assert ",
        );
        let mut depth = 1;
        for token in tokens.iter().map(|&token| TERMS[token]) {
            if token == ")" && depth == 1 {
                continue;
            }
            depth += token.matches('(').count();
            depth -= token.matches(')').count();
            text.push_str(token);
            text.push(' ');
        }
        text.push_str(&")".repeat(depth));
        errors(&text);
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut map = grammars::source::SourceMap::new();
        let file = map.add("a.smt2", bytes).expect("a small file");
        let (mut script, mut pool) = (crate::smtlib::Script::new(&map, file), TermPool::new());
        while let Some(step) = script.next(&mut pool) {
            if let Err(error) = step {
                prop_assert!(!error.render(&map).is_empty());
            }
        }
    }
}

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "(", "(", "(", ")", ")", ")", "assert", "declare-fun", "declare-const", "define-fun", "define-sort", "push", "pop", "1",
    "0", "99999999999999999999", "2.5", "#x1f", "#b101", "x", "y", "f", "Int", "Bool", "Real", "BitVec", "Array", "_", "as",
    "let", "forall", "exists", "!", ":named", ":pattern", "and", "or", "not", "=", "+", "-", "*", "/", "div", "mod", "ite",
    "select", "store", "const", "concat", "extract", "bvadd", "fp.add", "to_fp", "RNE", "true", "|a b|", "\"s\"", "get-value",
    "get-interpolants", "check-sat-assuming", "match", "(declare-const x Int)", "(declare-const x Bool)", "(pop 1)", "\"", "|",
    ";", "\n", "\u{e9}", "(set-logic QF_LRA)", "(reset)",
];

#[rustfmt::skip]
const TERMS: &[&str] = &[
    ")", ")", ")", ")", "(and", "(or", "(not", "(=", "(+", "(-", "(*", "(/", "(div", "(mod", "(ite", "(select", "(store",
    "(concat", "((_ extract 3 1)", "((_ extract 9 1)", "((_ repeat 3)", "((_ repeat 0)", "((_ zero_extend 4)",
    "((_ rotate_left 3)", "(bvadd", "(bvsmod", "(bvult", "(bvcomp", "(bvsmulo", "(bvredor", "(bv2nat", "((_ int2bv 8)",
    "((_ divisible 3)", "(f", "(let ((x 3))", "(let ((y x) (x y))", "(forall ((x Int))", "(exists ((y (_ BitVec 4)))", "(!",
    ":named m", ":pattern (x)", "x", "y", "a", "z", "n", "m", "1", "2.5", "#x1f", "#b1", "(_ bv5 8)", "(_ NaN 8 24)", "RNE",
    "RTZ", "true", "(fp.add", "(fp.lt", "((_ to_fp 8 24)", "((_ fp.to_ubv 8)", "(fp", "((as const (Array Int Int))", "(<", ">=",
    "(to_int", "(is_int", "(abs", "(distinct", "(=>", "(xor", "(as x Int)", "(fp.isNaN", "(fp.to_real",
];
