//! Tests beyond the conformance suite.

use crate::{factory, interpolators};
use backends::interpolation::{Interpolants, Preference, Problem};
use backends::{Interrupt, Limits, Model, Outcome, Prover, ProverFactory, Reason, Status};
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{BitVector, Op, RoundingMode, Sort, Symbol, Term, TermPool, Value};

fn prover(limits: &Limits) -> Box<dyn Prover> {
    factory().new_prover("ALL", limits).unwrap()
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

#[test]
fn conformance() {
    assert_eq!(backends::conformance::run(&factory()), Vec::<String>::new());
}

#[test]
fn reads_values_of_every_sort() {
    let mut pool = TermPool::new();
    let b = pool.symbol("b", Sort::Bool);
    let x = pool.symbol("x", Sort::BitVec(100));
    let wide = pool.bv_big(100, &((num_bigint::BigInt::from(1) << 99) + 5));
    let f = pool.symbol("f", Sort::Float(8, 24));
    let bits = pool.bv(32, 0xc040_0000); // -3
    let three = pool.build(Op::FpFromBits { exponent: 8, significand: 24 }, &[bits]).unwrap();
    let m = pool.symbol("m", Sort::RoundingMode);
    let upward = pool.rounding_mode(RoundingMode::TowardPositive);
    let sort = pool.array_sort(Sort::BitVec(4), Sort::BitVec(8));
    let a = pool.symbol("a", sort);
    let (seven, at) = (pool.bv(8, 7), pool.bv(4, 3));
    let sevens = pool.const_array(sort, seven);
    let nine = pool.bv(8, 9);
    let written = pool.store(sevens, at, nine);
    let formulas = [b, pool.eq(x, wide), pool.eq(f, three), pool.eq(m, upward), pool.eq(a, written)];
    let symbols = [b, x, f, m, a].map(|term| symbol_of(&pool, term));
    let mut prover = prover(&Limits::default());
    let mut model = model(&mut *prover, &pool, &formulas);
    assert_eq!(model.value(&pool, symbols[0]), Ok(Value::Bool(true)));
    let bits = (num_bigint::BigUint::from(1u32) << 99) + 5u32;
    assert_eq!(model.value(&pool, symbols[1]), Ok(Value::BitVec(BitVector::from_natural(100, bits))));
    let pattern = num_bigint::BigUint::from(0xc040_0000u32);
    let expected = Value::Float { exponent: 8, significand: 24, bits: pattern };
    assert_eq!(model.value(&pool, symbols[2]), Ok(expected));
    assert_eq!(model.value(&pool, symbols[3]), Ok(Value::RoundingMode(RoundingMode::TowardPositive)));
    let Ok(Value::Array(array)) = model.value(&pool, symbols[4]) else { panic!("no array") };
    let at = |index: u32| Value::BitVec(BitVector::from_natural(4, index.into()));
    let element = |value: u32| Value::BitVec(BitVector::from_natural(8, value.into()));
    assert_eq!((array.select(&at(3)), array.select(&at(4))), (&element(9), &element(7)));
}

#[test]
fn refuses_numbers_and_uninterpreted_sorts() {
    let mut pool = TermPool::new();
    let n = pool.symbol("n", Sort::Int);
    let zero = pool.int(0);
    let sort = pool.uninterpreted_sort("U");
    let (p, q) = (pool.symbol("p", sort), pool.symbol("q", sort));
    for formula in [pool.le(n, zero), pool.eq(p, q)] {
        let answer = prover(&Limits::default()).assert(&pool, formula);
        assert!(matches!(answer, Err(Reason::Unsupported(_))), "{answer:?}");
    }
}

/// A factorization of a product of two primes, which takes minutes.
fn hard(pool: &mut TermPool) -> Term {
    let (x, y) = (pool.symbol("x", Sort::BitVec(64)), pool.symbol("y", Sort::BitVec(64)));
    let product = pool.bv_mul(x, y);
    let number = pool.bv(64, 0x3fff_fffb * 0x3fff_fff9_u64);
    let one = pool.bv(64, 1);
    let limit = pool.bv(64, 1 << 31);
    let mut formulas = vec![pool.eq(product, number)];
    for factor in [x, y] {
        formulas.push(pool.bv_ult(one, factor));
        formulas.push(pool.bv_ult(factor, limit));
    }
    pool.and(&formulas)
}

#[test]
fn limits_and_interrupts_end_a_check() {
    let mut pool = TermPool::new();
    let formula = hard(&mut pool);
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let mut prover = prover(&limits);
    prover.assert(&pool, formula).unwrap();
    let start = Instant::now();
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Timeout));
    let interrupt = Interrupt::default();
    prover.set_limits(&Limits { interrupt: Some(interrupt.clone()), ..Limits::default() });
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        interrupt.trigger();
    });
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    thread.join().unwrap();
    // The prover remains usable.
    prover.set_limits(&Limits::default());
    let no = pool.fls();
    assert_eq!(prover.status(&pool, &[no]), Status::Unsat);
}

#[test]
fn deep_terms_need_no_stack() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let mut term = x;
    let (y, z) = (pool.symbol("y", Sort::BitVec(32)), pool.symbol("z", Sort::BitVec(32)));
    for _ in 0..20_000 {
        term = pool.bv_xor(term, y);
        let one = pool.bv(32, 1);
        term = pool.bv_add(term, one);
    }
    let formula = pool.eq(term, z);
    let work = move || {
        let mut prover = prover(&Limits::default());
        prover.assert(&pool, formula).unwrap();
        assert!(matches!(prover.status(&pool, &[]), Status::Sat | Status::Unsat));
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn interpolates_sequences_with_equal_parts() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::BitVec(8)), pool.symbol("y", Sort::BitVec(8)));
    let (one, two) = (pool.bv(8, 1), pool.bv(8, 2));
    let first = pool.eq(x, one);
    let double = pool.bv_mul(x, two);
    let link = pool.eq(y, double);
    let wrong = pool.neq(y, two);
    let problem = Problem::sequence(vec![vec![first], vec![link], vec![], vec![link, wrong], vec![link]]);
    let solver: Rc<dyn ProverFactory> = Rc::new(factory());
    let mut source = interpolators()[0].new_interpolator(&solver, Preference::default());
    let Interpolants::Found(found) = source.interpolate(&mut pool, &problem, &Limits::default()) else {
        panic!("no interpolants")
    };
    assert_eq!(found.len(), 4);
    for (cut, &interpolant) in found.iter().enumerate() {
        let before: Vec<Term> = problem.parts[..=cut].concat();
        let after: Vec<Term> = problem.parts[cut + 1..].concat();
        let negated = pool.not(interpolant);
        for (formulas, last) in [(before, negated), (after, interpolant)] {
            let mut prover = prover(&Limits::default());
            for formula in formulas.into_iter().chain([last]) {
                prover.assert(&pool, formula).unwrap();
            }
            assert_eq!(prover.status(&pool, &[]), Status::Unsat, "at {cut}");
        }
    }
}
