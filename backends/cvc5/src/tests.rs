//! Tests beyond the conformance suite.

use crate::{factory, interpolators};
use backends::interpolation::{Preference, Problem};
use backends::{Interrupt, Limits, Model, Outcome, Prover, ProverFactory, Reason, Status};
use num_bigint::BigInt;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Op, RoundingMode, Sort, Symbol, Term, TermPool, Value};

fn prover() -> Box<dyn Prover> {
    factory().new_prover("ALL", &Limits::default()).unwrap()
}

fn model<'p>(prover: &'p mut dyn Prover, pool: &TermPool, formulas: &[Term]) -> Box<dyn Model + 'p> {
    for &formula in formulas {
        prover.assert(pool, formula).unwrap();
    }
    match prover.check(pool, &[]) {
        Outcome::Sat(model) => model,
        Outcome::Unsat(_) => panic!("unsatisfiable"),
        Outcome::Unknown(reason) => panic!("{reason}"),
    }
}

fn symbol_of(pool: &TermPool, term: Term) -> Symbol {
    match pool.op(term) {
        Op::Symbol(symbol) => symbol,
        op => panic!("{op:?}"),
    }
}

fn is_valid(pool: &mut TermPool, formula: Term) -> bool {
    let negated = pool.not(formula);
    let mut prover = prover();
    prover.assert(pool, negated).unwrap();
    prover.status(pool, &[]) == Status::Unsat
}

#[test]
fn conformance() {
    assert_eq!(backends::conformance::run(&factory()), Vec::<String>::new());
}

#[test]
fn names_its_version() {
    assert!(factory().version().starts_with("1.4.0"));
}

#[test]
fn reads_values_of_every_sort() {
    let mut pool = TermPool::new();
    let (n, r) = (pool.symbol("n", Sort::Int), pool.symbol("r", Sort::Real));
    let big: BigInt = (BigInt::from(-1) << 100) - 3;
    let big_term = pool.int_big(&big);
    let third = num_rational::BigRational::new(BigInt::from(-1), BigInt::from(3));
    let third_term = pool.real(&third);
    let m = pool.symbol("m", Sort::RoundingMode);
    let rna = pool.rounding_mode(RoundingMode::NearestAway);
    let array_sort = pool.array_sort(Sort::Int, Sort::BitVec(8));
    let a = pool.symbol("a", array_sort);
    let zero = pool.bv(8, 0);
    let (i, seven) = (pool.int(5), pool.bv(8, 7));
    let zeros = pool.const_array(array_sort, zero);
    let written = pool.store(zeros, i, seven);
    let u = pool.uninterpreted_sort("U");
    let (p, q, o) = (pool.symbol("p", u), pool.symbol("q", u), pool.symbol("o", u));
    let formulas = [
        pool.eq(n, big_term),
        pool.eq(r, third_term),
        pool.eq(m, rna),
        pool.eq(a, written),
        pool.neq(p, q),
        pool.eq(q, o),
    ];
    let mut prover = prover();
    let mut model = model(&mut *prover, &pool, &formulas);
    assert_eq!(model.eval(&pool, n), Ok(Value::Int(big)));
    assert_eq!(model.eval(&pool, r), Ok(Value::Real(third)));
    assert_eq!(model.eval(&pool, m), Ok(Value::RoundingMode(RoundingMode::NearestAway)));
    let Ok(Value::Array(array)) = model.value(&pool, symbol_of(&pool, a)) else { panic!("no array") };
    assert_eq!(array.select(&Value::int(5)), &Value::bv(8, 7));
    assert_eq!(array.default(), &Value::bv(8, 0));
    let values = model.eval_all(&pool, &[p, q, o]).unwrap();
    assert_ne!(values[0], values[1]);
    assert_eq!(values[1], values[2]);
}

#[test]
fn a_model_gives_later_symbols_their_default() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let bits = pool.symbol("bits", Sort::BitVec(8));
    let (three, one, four) = (pool.int(3), pool.bv(8, 1), pool.int(4));
    let formula = pool.eq(x, three);
    let sum = pool.add(&[x, y, four]);
    let next = pool.bv_add(bits, one);
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let applied = pool.apply(f, &[x]);
    let mut prover = prover();
    let mut model = model(&mut *prover, &pool, &[formula]);
    assert_eq!(model.eval(&pool, sum), Ok(Value::int(7)));
    assert_eq!(model.value(&pool, symbol_of(&pool, y)), Ok(Value::int(0)));
    assert_eq!(model.eval(&pool, next), Ok(Value::bv(8, 1)));
    assert_eq!(model.eval(&pool, applied), Ok(Value::int(0)));
    assert_eq!(model.function(&pool, f).unwrap().default, Some(Value::int(0)));
    assert_eq!(model.eval(&pool, x), Ok(Value::int(3)));
}

#[test]
fn functions_of_models_agree_with_applications() {
    let mut pool = TermPool::new();
    let f = pool.function_symbol("f", &[Sort::Int, Sort::Bool], Sort::Int);
    let g = pool.function_symbol("g", &[Sort::Int], Sort::Bool);
    let c = pool.symbol("c", Sort::Bool);
    let mut formulas = vec![c];
    for i in 0..6 {
        let at = pool.int(i);
        let applied = pool.apply(f, &[at, c]);
        let value = pool.int(i * i + 1);
        formulas.push(pool.eq(applied, value));
        let holds = pool.apply(g, &[at]);
        formulas.push(if i % 2 == 0 { holds } else { pool.not(holds) });
    }
    let mut prover = prover();
    let mut model = model(&mut *prover, &pool, &formulas);
    let (f, g) = (model.function(&pool, f).unwrap(), model.function(&pool, g).unwrap());
    for i in 0..6 {
        let at = |point: &[Value], function: &terms::FunctionValue| {
            function.table.get(point).or(function.default.as_ref()).cloned()
        };
        assert_eq!(at(&[Value::int(i), Value::Bool(true)], &f), Some(Value::int(i * i + 1)));
        assert_eq!(at(&[Value::int(i)], &g), Some(Value::Bool(i % 2 == 0)));
    }
}

#[test]
fn irrational_values_are_not_supported_but_do_no_harm() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Real);
    let two = pool.real(&num_rational::BigRational::from_integer(2.into()));
    let square = pool.mul(x, x);
    let root = pool.eq(square, two);
    let mut prover = prover();
    {
        let mut model = model(&mut *prover, &pool, &[root]);
        assert!(matches!(model.eval(&pool, x), Err(Reason::Unsupported(_))));
    }
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
}

#[test]
fn theories_may_come_one_after_the_other() {
    let mut pool = TermPool::new();
    let mut prover = prover();
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let less = pool.lt(x, y);
    prover.assert(&pool, less).unwrap();
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    prover.push().unwrap();
    let bits = pool.symbol("b", Sort::BitVec(8));
    let is_less = pool.bv_ult(bits, bits);
    let same = pool.eq(x, y);
    let choice = pool.or2(is_less, same);
    prover.assert(&pool, choice).unwrap();
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    prover.pop().unwrap();
    let product = pool.mul(x, y);
    let six = pool.int(6);
    let is_six = pool.eq(product, six);
    assert_eq!(prover.status(&pool, &[is_six]), Status::Sat);
    assert_eq!(prover.status(&pool, &[same]), Status::Unsat);
    assert_eq!(prover.pop(), Err(Reason::Misuse("pop without push".to_owned())));
}

#[test]
fn cores_are_indices_of_assumptions() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Int);
    let zero = pool.int(0);
    let (below, above) = (pool.lt(x, zero), pool.lt(zero, x));
    let b = pool.symbol("b", Sort::Bool);
    let mut prover = prover();
    for _ in 0..2 {
        match prover.check(&pool, &[b, below, b, above]) {
            Outcome::Unsat(mut refutation) => assert_eq!(refutation.unsat_core(), Ok(vec![1, 3])),
            other => panic!("{:?}", Status::from(other)),
        }
        prover.push().unwrap();
        assert_eq!(prover.status(&pool, &[b, above]), Status::Sat);
    }
}

#[test]
fn quantifiers_are_decided_and_eliminated() {
    let mut pool = TermPool::new();
    let (bound, x) = (pool.bound("k", Sort::Int), pool.symbol("x", Sort::Int));
    let double = pool.add(&[bound, bound]);
    let is_double = pool.eq(double, x);
    let is_even = pool.exists(&[bound], is_double);
    let seven = pool.int(7);
    let is_seven = pool.eq(x, seven);
    let mut prover = prover();
    assert_eq!(prover.status(&pool, &[is_even, is_seven]), Status::Unsat);
    // ∃k. 2k = x, and ∃k. x < k ∧ k < y over reals.
    let k = pool.symbol("k", Sort::Int);
    let k_symbol = symbol_of(&pool, k);
    let double = pool.add(&[k, k]);
    let is_double = pool.eq(double, x);
    let eliminated = prover.eliminate(&mut pool, is_double, &[k_symbol]).unwrap();
    let same = pool.eq(eliminated, is_even);
    assert!(is_valid(&mut pool, same));
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::Real));
    let c_symbol = symbol_of(&pool, c);
    let between = [pool.lt(a, c), pool.lt(c, b)];
    let between = pool.and(&between);
    let eliminated = prover.eliminate(&mut pool, between, &[c_symbol]).unwrap();
    let less = pool.lt(a, b);
    let same = pool.eq(eliminated, less);
    assert!(is_valid(&mut pool, same));
    let product = pool.mul(k, k);
    let nonlinear = pool.eq(product, x);
    let refused = prover.eliminate(&mut pool, nonlinear, &[k_symbol]);
    assert!(matches!(refused, Err(Reason::Unsupported(_))));
}

fn factors(pool: &mut TermPool) -> Term {
    let (x, y) = (pool.symbol("x", Sort::BitVec(64)), pool.symbol("y", Sort::BitVec(64)));
    let product = pool.bv_mul(x, y);
    let (semiprime, one, bound) =
        (pool.bv(64, 2_147_483_647 * 2_147_483_629), pool.bv(64, 1), pool.bv(64, 1 << 32));
    let mut constraints = vec![pool.eq(product, semiprime)];
    for factor in [x, y] {
        constraints.push(pool.bv_ult(one, factor));
        constraints.push(pool.bv_ult(factor, bound));
    }
    pool.and(&constraints)
}

#[test]
fn an_interrupt_is_heard_after_at_most_as_long_again() {
    let mut pool = TermPool::new();
    let hard = factors(&mut pool);
    let mut prover = prover();
    let interrupt = Interrupt::default();
    prover.set_limits(&Limits { interrupt: Some(interrupt.clone()), ..Limits::default() });
    let start = Instant::now();
    let watch = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        interrupt.trigger();
    });
    assert_eq!(prover.status(&pool, &[hard]), Status::Unknown(Reason::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(5));
    watch.join().unwrap();
    prover.set_limits(&Limits::default());
    let b = pool.symbol("b", Sort::Bool);
    assert_eq!(prover.status(&pool, &[b]), Status::Sat);
}

#[test]
fn constant_arrays_of_terms_are_refused() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    let (a, x) = (pool.symbol("a", sort), pool.symbol("x", Sort::Int));
    let all_x = pool.const_array(sort, x);
    let same = pool.eq(a, all_x);
    let mut prover = prover();
    assert!(matches!(prover.assert(&pool, same), Err(Reason::Unsupported(_))));
    let one = pool.int(1);
    let (ones, at_x) = (pool.const_array(sort, one), pool.select(a, x));
    let (is_ones, differs) = (pool.eq(a, ones), pool.neq(at_x, one));
    assert_eq!(prover.status(&pool, &[is_ones, differs]), Status::Unsat);
}

#[test]
fn limits_can_change_between_checks() {
    let mut pool = TermPool::new();
    let hard = factors(&mut pool);
    let mut prover = prover();
    for milliseconds in [50, 200, 10] {
        let time = Some(Duration::from_millis(milliseconds));
        prover.set_limits(&Limits { time, ..Limits::default() });
        let start = Instant::now();
        assert_eq!(prover.status(&pool, &[hard]), Status::Unknown(Reason::Timeout));
        assert!(start.elapsed() < Duration::from_secs(10));
    }
    prover.set_limits(&Limits::default());
    let b = pool.symbol("b", Sort::Bool);
    assert_eq!(prover.status(&pool, &[b]), Status::Sat);
}

fn interpolant(pool: &mut TermPool, a: Term, b: Term, seconds: u64) -> Result<Term, Reason> {
    let solver: Rc<dyn ProverFactory> = Rc::new(factory());
    let mut source = interpolators()[0].new_interpolator(&solver, Preference::default());
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let problem = Problem::binary(vec![a], vec![b]);
    source.interpolate(pool, &problem, &limits).of_refuted().map(|interpolants| interpolants[0])
}

fn check_interpolant(pool: &mut TermPool, a: Term, b: Term) {
    let found = interpolant(pool, a, b, 60).unwrap();
    let (follows, not_found) = (pool.implies(a, found), pool.not(found));
    assert!(is_valid(pool, follows));
    let refutes = pool.implies(b, not_found);
    assert!(is_valid(pool, refutes));
}

#[test]
fn interpolants_are_synthesized() {
    let mut pool = TermPool::new();
    for sort in [Sort::Int, Sort::Real] {
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        let (xy, yx) = (pool.lt(x, y), pool.lt(y, z));
        let a = pool.and2(xy, yx);
        let b = pool.le(z, x);
        check_interpolant(&mut pool, a, b);
    }
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let zero = pool.bv(8, 0);
    let equal = pool.eq(x, y);
    let positive = pool.bv_ult(zero, y);
    let a = pool.and2(equal, positive);
    let b = pool.eq(x, zero);
    check_interpolant(&mut pool, a, b);
}

#[test]
fn synthesis_ends_by_its_limit() {
    // An even number is not odd: the interpolant is a divisibility.
    let mut pool = TermPool::new();
    let [i, j, k] = ["i", "j", "k"].map(|name| pool.symbol(name, Sort::Int));
    let (two, one) = (pool.int(2), pool.int(1));
    let even = pool.mul(two, j);
    let a = pool.eq(i, even);
    let double = pool.mul(two, k);
    let odd = pool.add(&[double, one]);
    let b = pool.eq(i, odd);
    let start = Instant::now();
    match interpolant(&mut pool, a, b, 1) {
        Err(reason) => assert_eq!(reason, Reason::Timeout),
        Ok(found) => {
            let follows = pool.implies(a, found);
            assert!(is_valid(&mut pool, follows));
        }
    }
    assert!(start.elapsed() < Duration::from_secs(30));
}
