//! Tests of the source `mcsat`; its answers are certified.

use super::random::{Generator, Theory};
use super::status;
use crate::{factory, interpolators};
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolants, Preference, Problem};
use backends::{Interrupt, Limits, Reason, Status};
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Sort, Term, TermPool};

fn interpolate(pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
    let factory: Rc<dyn backends::ProverFactory> = Rc::new(factory());
    interpolators()[0].new_interpolator(&factory, Preference::default()).interpolate(pool, problem, limits)
}

/// The certified interpolant of `a` and `b`.
#[track_caller]
fn certified(pool: &mut TermPool, a: &[Term], b: &[Term]) -> Term {
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    let problem = Problem::binary(a.to_vec(), b.to_vec());
    let interpolants = match interpolate(pool, &problem, &limits).of_refuted() {
        Ok(interpolants) => interpolants,
        Err(reason) => {
            panic!("{reason}: {} / {}", display(pool, a), display(pool, b))
        }
    };
    let certifier = Certifier { factories: vec![Rc::new(factory())] };
    if let Err(fault) = certifier.certify(pool, &problem, &interpolants, &limits) {
        panic!("{fault}: {} for {} / {}", display(pool, &interpolants), display(pool, a), display(pool, b));
    }
    interpolants[0]
}

fn display(pool: &TermPool, terms: &[Term]) -> String {
    terms.iter().map(|&term| pool.display(term).to_string()).collect::<Vec<_>>().join(" ")
}

fn symbols<const N: usize>(pool: &mut TermPool, sort: Sort, names: [&str; N]) -> [Term; N] {
    names.map(|name| pool.symbol(name, sort))
}

#[test]
fn linear_reals() {
    let mut pool = TermPool::new();
    let [x, y, z] = symbols(&mut pool, Sort::Real, ["x", "y", "z"]);
    let a = [pool.lt(x, y), pool.lt(y, z)];
    let b = [pool.lt(z, x)];
    let interpolant = certified(&mut pool, &a, &b);
    assert_eq!(interpolant, pool.le(x, z));
}

#[test]
fn fractions_of_integers() {
    let mut pool = TermPool::new();
    let [x, y] = symbols(&mut pool, Sort::Int, ["x", "y"]);
    let r = pool.symbol("r", Sort::Real);
    let third = pool.real(&num_rational::BigRational::new(1.into(), 3.into()));
    let (xr, yr) = (pool.to_real(x), pool.to_real(y));
    let part = pool.mul(third, xr);
    let sum = pool.add(&[part, yr]);
    let a = [pool.lt(sum, r), pool.lt(r, yr)];
    let zero = pool.int(0);
    let b = [pool.le(zero, x)];
    certified(&mut pool, &a, &b);
}

#[test]
fn nonlinear_arithmetic() {
    let mut pool = TermPool::new();
    for sort in [Sort::Int, Sort::Real] {
        let [x, y] = symbols(&mut pool, sort, ["x", "y"]);
        let square = pool.mul(y, y);
        let number = |pool: &mut TermPool, value: i64| {
            pool.number(sort, &num_rational::BigRational::from_integer(value.into()))
        };
        let (two, three) = (number(&mut pool, 2), number(&mut pool, 3));
        let a = [pool.eq(x, square), pool.lt(two, y)];
        let b = [pool.lt(x, three)];
        certified(&mut pool, &a, &b);
    }
}

#[test]
fn bit_vectors_and_booleans() {
    let mut pool = TermPool::new();
    let [u, v, w] = symbols(&mut pool, Sort::BitVec(32), ["u", "v", "w"]);
    let p = pool.symbol("p", Sort::Bool);
    let one = pool.bv(32, 1);
    let even = pool.bv_shl(w, one);
    let bit = pool.extract(0, 0, u);
    let is_odd = {
        let one = pool.bv(1, 1);
        pool.eq(bit, one)
    };
    let a = [pool.eq(u, even)];
    certified(&mut pool, &a, &[is_odd]);
    let a = [pool.bv_ult(u, v), pool.bv_ult(v, w)];
    let b = [pool.bv_ule(w, u)];
    certified(&mut pool, &a, &b);
    let a = [p, pool.eq(u, v)];
    let b = {
        let (not_p, differ) = (pool.not(p), pool.neq(u, v));
        [pool.or(&[not_p, differ])]
    };
    certified(&mut pool, &a, &b);
}

#[test]
fn functions_and_arrays_may_be_in_the_second_part_only() {
    let mut pool = TermPool::new();
    let [x, y] = symbols(&mut pool, Sort::Int, ["x", "y"]);
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let (a, b) = (pool.eq(x, y), pool.neq(fx, fy));
    certified(&mut pool, &[a], &[b]);
    let arrays = pool.array_sort(Sort::Int, Sort::Int);
    let array = pool.symbol("array", arrays);
    let other = pool.symbol("other", arrays);
    let (zero, one) = (pool.int(0), pool.int(1));
    let written = pool.store(array, x, zero);
    let read = pool.select(other, y);
    let in_array = [pool.eq(other, written), pool.eq(read, one)];
    certified(&mut pool, &[a], &in_array);
    for (first, second) in [(b, a), (in_array[0], a)] {
        let problem = Problem::binary(vec![first], vec![second]);
        let refused = interpolate(&mut pool, &problem, &Limits::default());
        assert!(matches!(refused, Interpolants::Unknown(Reason::Unsupported(_))), "{refused:?}");
    }
}

#[test]
fn satisfiable_parts_are_recognized_and_more_than_two_are_unsupported() {
    let mut pool = TermPool::new();
    let [x, y] = symbols(&mut pool, Sort::Int, ["x", "y"]);
    let (less, greater) = (pool.lt(x, y), pool.lt(y, x));
    let satisfiable = Problem::binary(vec![less], vec![]);
    assert_eq!(interpolate(&mut pool, &satisfiable, &Limits::default()), Interpolants::Satisfiable(None));
    let three = Problem::sequence(vec![vec![less], vec![], vec![greater]]);
    let refused = interpolate(&mut pool, &three, &Limits::default());
    assert!(matches!(refused, Interpolants::Unknown(Reason::Unsupported(_))), "{refused:?}");
    let single = Problem::sequence(vec![vec![pool.fls()]]);
    assert_eq!(interpolate(&mut pool, &single, &Limits::default()), Interpolants::Found(Vec::new()));
}

/// An even number against an odd one: the source refutes one value after another.
fn parity(pool: &mut TermPool) -> Problem {
    let [i, j, k] = symbols(pool, Sort::Int, ["i", "j", "k"]);
    let (one, two) = (pool.int(1), pool.int(2));
    let even = pool.mul(two, j);
    let odd = {
        let even = pool.mul(two, k);
        pool.add(&[even, one])
    };
    Problem::binary(vec![pool.eq(i, even)], vec![pool.eq(i, odd)])
}

#[test]
fn an_endless_enumeration_ends_with_the_limit() {
    let mut pool = TermPool::new();
    let problem = parity(&mut pool);
    let start = Instant::now();
    let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    assert_eq!(interpolate(&mut pool, &problem, &limits), Interpolants::Unknown(Reason::Timeout));
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(200)), ..Limits::default() };
    assert_eq!(interpolate(&mut pool, &problem, &limits), Interpolants::Unknown(Reason::Timeout));
    let interrupt = Interrupt::default();
    let limits = Limits { interrupt: Some(interrupt.clone()), ..Limits::default() };
    let waker = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupt.trigger();
    });
    assert_eq!(interpolate(&mut pool, &problem, &limits), Interpolants::Unknown(Reason::Interrupted));
    waker.join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Always,
    /// The step is optional.
    Sometimes,
}

/// `x += 1, y += 2` for `steps` steps from 0, cut in the middle, against `y ≠ 2x`.
fn counter(pool: &mut TermPool, sort: Sort, steps: usize, step: Step) -> [Vec<Term>; 2] {
    let number = |pool: &mut TermPool, value: i64| match sort {
        Sort::BitVec(width) => pool.bv_i64(width, value),
        _ => pool.int(value),
    };
    let add = |pool: &mut TermPool, a, b| match sort {
        Sort::BitVec(_) => pool.bv_add(a, b),
        _ => pool.add(&[a, b]),
    };
    let at = |pool: &mut TermPool, i: usize| {
        [pool.symbol(&format!("x{i}"), sort), pool.symbol(&format!("y{i}"), sort)]
    };
    let (zero, one, two) = (number(pool, 0), number(pool, 1), number(pool, 2));
    let [x, y] = at(pool, 0);
    let mut parts = [vec![pool.eq(x, zero), pool.eq(y, zero)], vec![]];
    for i in 0..steps {
        let ([x, y], [x_next, y_next]) = (at(pool, i), at(pool, i + 1));
        let (mut x_new, mut y_new) = (add(pool, x, one), add(pool, y, two));
        if step == Step::Sometimes {
            let choice = pool.symbol(&format!("c{i}"), Sort::Bool);
            (x_new, y_new) = (pool.ite(choice, x_new, x), pool.ite(choice, y_new, y));
        }
        let part = usize::from(i >= steps / 2);
        let equations = [pool.eq(x_next, x_new), pool.eq(y_next, y_new)];
        parts[part].extend(equations);
    }
    let [x, y] = at(pool, steps);
    let twice = add(pool, x, x);
    let differ = pool.neq(y, twice);
    parts[1].push(differ);
    parts
}

#[test]
fn counters() {
    let cases = [
        (Sort::Int, 60, Step::Always),
        (Sort::Int, 10, Step::Sometimes),
        (Sort::BitVec(32), 60, Step::Always),
        (Sort::BitVec(32), 10, Step::Sometimes),
    ];
    for (sort, steps, step) in cases {
        let mut pool = TermPool::new();
        let [a, b] = counter(&mut pool, sort, steps, step);
        certified(&mut pool, &a, &b);
    }
}

#[test]
fn random_problems() {
    let theories = [
        (Theory::BitVectors(4), 60),
        (Theory::Integers, 60),
        (Theory::Reals, 60),
        (Theory::Mixed, 40),
        (Theory::NonlinearReals, 30),
    ];
    let mut found = 0;
    for (theory, count) in theories {
        for seed in 0..count {
            found += usize::from(random_problem(theory, seed));
        }
    }
    assert!(found > 40, "only {found} of the problems are unsatisfiable");
}

/// Certifies the interpolant of a random problem, if it is unsatisfiable. Returns whether it was.
fn random_problem(theory: Theory, seed: u64) -> bool {
    let mut pool = TermPool::new();
    let mut generator = Generator::new(theory, seed);
    let mut make = |pool: &mut TermPool, names: &[&str]| {
        let mut variables = Vec::new();
        for sort in generator.sorts() {
            variables.extend(names.iter().map(|name| pool.symbol(name, sort)));
        }
        variables.push(pool.symbol("p", Sort::Bool));
        (0..3).map(|_| generator.formula(pool, &variables, 2)).collect::<Vec<_>>()
    };
    let a = make(&mut pool, &["x", "y", "a"]);
    let b = make(&mut pool, &["x", "y", "b"]);
    if status(&pool, &[a.clone(), b.clone()].concat()) != Status::Unsat {
        return false;
    }
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    let problem = Problem::binary(a, b);
    match interpolate(&mut pool, &problem, &limits).of_refuted() {
        Ok(interpolants) => {
            let certifier = Certifier { factories: vec![Rc::new(factory())] };
            let verdict = certifier.certify(&mut pool, &problem, &interpolants, &limits);
            assert_eq!(verdict, Ok(()), "{theory:?} {seed}: {}", display(&pool, &interpolants));
            true
        }
        Err(Reason::Timeout | Reason::Unsupported(_)) => false,
        Err(reason) => panic!("{theory:?} {seed}: {reason}"),
    }
}
