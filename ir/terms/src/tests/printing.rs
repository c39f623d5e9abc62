//! SMT-LIB text.

use crate::{Sort, TermPool, print};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

#[test]
fn constants_are_written_as_smt_lib_has_them() {
    let mut pool = TermPool::new();
    let terms = [
        (pool.int(-5), "(- 5)"),
        (pool.bv(8, 10), "#x0a"),
        (pool.bv(3, 2), "#b010"),
        (pool.bv_big(72, &BigInt::from(-1)), "#xffffffffffffffffff"),
        (pool.real(&BigRational::new(1.into(), 3.into())), "(/ 1.0 3.0)"),
        (pool.real(&BigRational::from_integer((-5).into())), "(- 5.0)"),
        (pool.float_from_bits(2, 3, &BigUint::from(0b10110u32)), "(fp #b1 #b01 #b10)"),
        (pool.symbol("main::x y", Sort::Int), "|main::x y|"),
        (pool.symbol("let", Sort::Int), "|let|"),
        (pool.symbol("x@3", Sort::Int), "x@3"),
        (pool.symbol("1x", Sort::Int), "|1x|"),
    ];
    for (term, text) in terms {
        assert_eq!(print::term(&pool, term), text);
    }
}

#[test]
fn what_is_used_twice_is_bound_by_let() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let product = pool.bv_mul(x, y);
    let quotient = pool.bv_udiv(product, x);
    let sum = pool.bv_mul(product, quotient);
    let formula = pool.bv_ule(sum, quotient);
    assert_eq!(
        print::term(&pool, formula),
        "(let ((?1 (bvmul x y))) (let ((?2 (bvudiv ?1 x))) (bvule (bvmul ?1 ?2) ?2)))"
    );
}

#[test]
fn lets_stay_inside_the_quantifier_of_their_variables() {
    let mut pool = TermPool::new();
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let bound = pool.bound("x", Sort::Int);
    let free = pool.symbol("x", Sort::Int);
    let (f_bound, f_free) = (pool.apply(f, &[bound]), pool.apply(f, &[free]));
    let (g_bound, g_free) = (pool.mul(f_bound, f_bound), pool.mul(f_free, f_free));
    let body = pool.le(g_bound, g_free);
    let formula = pool.forall(&[bound], body);
    let text = print::term(&pool, formula);
    assert_eq!(text, "(let ((?1 (f x))) (forall ((x!1 Int)) (let ((?2 (f x!1))) (<= (* ?2 ?2) (* ?1 ?1)))))");
}

#[test]
fn assertions_share_by_definition() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let product = pool.mul(x, y);
    let zero = pool.int(0);
    let (first, second) = (pool.le(product, zero), pool.eq(product, x));
    assert_eq!(
        print::script(&pool, Some("QF_NIA"), &[first, second]),
        "(set-logic QF_NIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n\
         (define-fun ?1 () Int (* x y))\n(assert (<= ?1 0))\n(assert (= x ?1))\n(check-sat)\n"
    );
}

#[test]
fn clashing_names_are_told_apart() {
    let mut pool = TermPool::new();
    let (a, b) = (pool.symbol("?1", Sort::Int), pool.symbol("?1", Sort::Bool));
    let zero = pool.int(0);
    let product = pool.mul(a, a);
    let less = pool.le(product, zero);
    let equal = pool.eq(product, a);
    let formula = pool.and(&[less, equal, b]);
    let text = print::script(&pool, None, &[formula]);
    assert!(text.contains("(declare-fun ?1 () Bool)\n(declare-fun ?1!1 () Int)"), "{text}");
    assert!(text.contains("(let ((?l1 "), "{text}");
}
