//! Chains of blocks, as they occur in programs.

use crate::interpolation::by_parts::Structure;
use crate::interpolation::int_blasting::{Integral, refutes};
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolants, Interpolator, Problem, Score};
use backends::{Limits, ProverFactory, Reason};
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Sort, Term, TermPool};

fn ask(pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
    let z3: Rc<dyn ProverFactory> = Rc::new(backend_z3::factory());
    let inner = Box::new(Structure::new(vec![Rc::clone(&z3)], Score::default()));
    Integral::new(inner, Rc::new(crate::factory())).interpolate(pool, problem, limits)
}

/// The certified interpolants as text.
#[track_caller]
fn solve(pool: &mut TermPool, problem: &Problem) -> Vec<String> {
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let interpolants = ask(pool, problem, &limits).of_refuted().unwrap();
    let certifier = Certifier { factories: vec![Rc::new(backend_z3::factory())] };
    let verdict = certifier.certify(pool, problem, &interpolants, &limits);
    let shown: Vec<String> = interpolants.iter().map(|&term| pool.display(term).to_string()).collect();
    assert_eq!(verdict, Ok(()), "{shown:#?}");
    shown
}

/// A version of a 32-bit bit vector.
fn at(pool: &mut TermPool, name: &str, version: usize) -> Term {
    pool.symbol(&format!("{name}@{version}"), Sort::BitVec(32))
}

fn number(pool: &mut TermPool, value: i64) -> Term {
    pool.bv_i64(32, value)
}

/// The new value of a variable in a block.
type Update = fn(&mut TermPool, usize, Term) -> Term;

/// Variables that start with a value and are updated in each block.
fn chain(
    pool: &mut TermPool,
    n: usize,
    variables: &[(&str, i64, Update)],
    wrong: impl Fn(&mut TermPool, &dyn Fn(&mut TermPool, &str) -> Term) -> Term,
) -> Problem {
    let mut parts = Vec::new();
    let mut start = Vec::new();
    for &(name, value, _) in variables {
        let (symbol, value) = (at(pool, name, 0), number(pool, value));
        start.push(pool.eq(symbol, value));
    }
    parts.push(start);
    for block in 0..n {
        let mut part = Vec::new();
        for &(name, _, update) in variables {
            let (before, after) = (at(pool, name, block), at(pool, name, block + 1));
            let value = update(pool, block, before);
            part.push(pool.eq(after, value));
        }
        parts.push(part);
    }
    parts.push(vec![wrong(pool, &|pool, name| at(pool, name, n))]);
    Problem::sequence(parts)
}

fn choice(pool: &mut TermPool, block: usize) -> Term {
    pool.symbol(&format!("b@{block}"), Sort::Bool)
}

fn plus(pool: &mut TermPool, before: Term, step: i64) -> Term {
    let step = number(pool, step);
    pool.bv_add(before, step)
}

/// Adds `step` if the choice of the block holds.
fn sometimes(pool: &mut TermPool, block: usize, before: Term, step: i64) -> Term {
    let (choice, sum) = (choice(pool, block), plus(pool, before, step));
    pool.ite(choice, sum, before)
}

#[test]
fn what_relates_two_counters_is_an_equation() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 2] = [
        ("x", 0, |pool, block, x| sometimes(pool, block, x, 1)),
        ("y", 0, |pool, block, y| sometimes(pool, block, y, 2)),
    ];
    let problem = chain(&mut pool, 12, &variables, |pool, at| {
        let (x, y, two) = (at(pool, "x"), at(pool, "y"), number(pool, 2));
        let twice = pool.bv_mul(two, x);
        pool.neq(y, twice)
    });
    let shown = solve(&mut pool, &problem);
    assert!(shown[1..].iter().all(|text| text.starts_with("(= ") && text.len() < 40), "{shown:#?}");
}

#[test]
fn a_counter_is_bounded_by_what_was_counted() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 1] = [("x", 0, |pool, block, x| sometimes(pool, block, x, 1))];
    let problem = chain(&mut pool, 10, &variables, |pool, at| {
        let (x, ten) = (at(pool, "x"), number(pool, 10));
        pool.bv_slt(ten, x)
    });
    let shown = solve(&mut pool, &problem);
    assert!(shown.iter().all(|text| !text.contains("extend")), "{shown:#?}");
}

#[test]
fn a_signed_loop_counts_to_its_bound() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 2] = [
        ("i", 0, |pool, _, i| {
            let n = pool.symbol("n", Sort::BitVec(32));
            let (is_less, next) = (pool.bv_slt(i, n), plus(pool, i, 1));
            pool.ite(is_less, next, i)
        }),
        ("s", 0, |pool, block, s| {
            let n = pool.symbol("n", Sort::BitVec(32));
            let i = at(pool, "i", block);
            let (is_less, next) = (pool.bv_slt(i, n), plus(pool, s, 1));
            pool.ite(is_less, next, s)
        }),
    ];
    let problem = chain(&mut pool, 8, &variables, |pool, at| {
        let n = pool.symbol("n", Sort::BitVec(32));
        let (i, s, zero) = (at(pool, "i"), at(pool, "s"), number(pool, 0));
        let (is_positive, exceeds) = (pool.bv_slt(zero, n), pool.bv_slt(n, i));
        let exceeds = pool.and2(is_positive, exceeds);
        let differ = pool.neq(i, s);
        pool.or2(differ, exceeds)
    });
    let shown = solve(&mut pool, &problem);
    assert!(shown.iter().all(|text| text.len() < 150), "{shown:#?}");
}

#[test]
fn parity_is_a_bit() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 1] = [("x", 0, |pool, block, x| sometimes(pool, block, x, 2))];
    let problem = chain(&mut pool, 10, &variables, |pool, at| {
        let (x, one) = (at(pool, "x"), pool.bv(1, 1));
        let bit = pool.extract(0, 0, x);
        pool.eq(bit, one)
    });
    let shown = solve(&mut pool, &problem);
    assert!(shown[1..].iter().all(|text| text.contains("extract 0 0")), "{shown:#?}");
}

#[test]
fn what_holds_of_counters_that_wrap_around_is_found() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 3] = [
        ("i", 0, |pool, _, i| plus(pool, i, 1)),
        ("a", 0, |pool, block, a| {
            let (choice, one, two) = (choice(pool, block), plus(pool, a, 1), plus(pool, a, 2));
            pool.ite(choice, one, two)
        }),
        ("b", 0, |pool, block, b| {
            let (choice, one, two) = (choice(pool, block), plus(pool, b, 1), plus(pool, b, 2));
            pool.ite(choice, two, one)
        }),
    ];
    // At the end i is n, which does not help before the end: there the invariant is a + b = 3i.
    let problem = chain(&mut pool, 8, &variables, |pool, at| {
        let n = pool.symbol("n", Sort::BitVec(32));
        let (i, a, b, three) = (at(pool, "i"), at(pool, "a"), at(pool, "b"), number(pool, 3));
        let (sum, product) = (pool.bv_add(a, b), pool.bv_mul(three, n));
        let (is_end, differ) = (pool.eq(i, n), pool.neq(sum, product));
        pool.and2(is_end, differ)
    });
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let interpolants = ask(&mut pool, &problem, &limits).of_refuted().unwrap();
    // Over bit vectors each of these takes Z3 seconds.
    assert_eq!(unproved(&mut pool, &problem, &interpolants, &backend_z3::factory()), None);
    let shown: Vec<String> = interpolants.iter().map(|&term| pool.display(term).to_string()).collect();
    assert!(shown[1..].iter().all(|text| text.len() < 80), "{shown:#?}");
}

#[test]
fn counters_that_are_set_back() {
    let mut pool = TermPool::new();
    fn reset(pool: &mut TermPool, block: usize, before: Term, step: i64) -> Term {
        let back = pool.symbol(&format!("c@{block}"), Sort::Bool);
        let (zero, value) = (number(pool, 0), sometimes(pool, block, before, step));
        pool.ite(back, zero, value)
    }
    let variables: [(&str, i64, Update); 2] = [
        ("x", 0, |pool, block, x| reset(pool, block, x, 1)),
        ("y", 0, |pool, block, y| reset(pool, block, y, 3)),
    ];
    let problem = chain(&mut pool, 8, &variables, |pool, at| {
        let (x, y, three) = (at(pool, "x"), at(pool, "y"), number(pool, 3));
        let product = pool.bv_mul(three, x);
        pool.neq(y, product)
    });
    solve(&mut pool, &problem);
}

#[test]
fn a_difference_is_bounded() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 2] = [
        ("x", 0, |pool, block, x| {
            let y = at(pool, "y", block);
            let (distance, five) = (pool.bv_sub(x, y), number(pool, 5));
            let (is_near, next) = (pool.bv_slt(distance, five), plus(pool, x, 1));
            pool.ite(is_near, next, x)
        }),
        ("y", 0, |pool, block, y| sometimes(pool, block, y, 1)),
    ];
    let problem = chain(&mut pool, 6, &variables, |pool, at| {
        let (x, y, seven) = (at(pool, "x"), at(pool, "y"), number(pool, 7));
        let distance = pool.bv_sub(x, y);
        pool.bv_slt(seven, distance)
    });
    solve(&mut pool, &problem);
}

#[test]
fn interpolants_are_proved_over_integers() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 2] = [
        ("x", 0, |pool, block, x| sometimes(pool, block, x, 1)),
        ("y", 0, |pool, block, y| sometimes(pool, block, y, 3)),
    ];
    let problem = chain(&mut pool, 10, &variables, |pool, at| {
        let (x, y, three) = (at(pool, "x"), at(pool, "y"), number(pool, 3));
        let product = pool.bv_mul(three, x);
        pool.neq(y, product)
    });
    let mut interpolants = ask(&mut pool, &problem, &Limits::default()).of_refuted().unwrap();
    assert_eq!(unproved(&mut pool, &problem, &interpolants, &crate::factory()), None);
    interpolants[4] = pool.tru();
    assert_eq!(unproved(&mut pool, &problem, &interpolants, &crate::factory()), Some(5));
}

/// The first part of a sequence for which the step between its interpolants cannot be proved over
/// integers.
fn unproved(
    pool: &mut TermPool,
    problem: &Problem,
    interpolants: &[Term],
    integers: &dyn ProverFactory,
) -> Option<usize> {
    (0..problem.tree.len()).find(|&part| {
        let mut conjuncts = problem.parts[part].clone();
        conjuncts.extend(part.checked_sub(1).map(|before| interpolants[before]));
        conjuncts.extend(interpolants.get(part).map(|&after| pool.not(after)));
        !refutes(integers, pool, conjuncts, &Limits::default())
    })
}

#[test]
fn functions_of_words_are_functions_of_integers() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(32);
    let f = pool.function_symbol("f", &[sort], sort);
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let one = number(&mut pool, 1);
    let (next, applied) = (pool.bv_add(y, one), pool.apply(f, &[x]));
    let (of_y, nested) = (pool.apply(f, &[next]), pool.apply(f, &[applied]));
    let a = vec![pool.eq(x, next), pool.eq(z, nested)];
    let of_f = pool.apply(f, &[of_y]);
    let b = vec![pool.neq(z, of_f)];
    let shown = solve(&mut pool, &Problem::binary(a, b));
    assert!(shown[0].contains('f'), "{shown:?}");
}

#[test]
fn what_is_no_word_stays_as_it_is() {
    let mut pool = TermPool::new();
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [m, n] = ["m", "n"].map(|name| pool.symbol(name, Sort::Int));
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let (of_m, of_n, both) = (pool.apply(f, &[m]), pool.apply(f, &[n]), pool.add(&[m, n]));
    let one = number(&mut pool, 1);
    let next = pool.bv_add(x, one);
    let (is_next, is_small) = (pool.eq(y, next), pool.le(of_m, both));
    let (is_same, is_large) = (pool.eq(x, y), pool.lt(both, of_n));
    let same = pool.eq(m, n);
    let either = pool.or2(is_same, is_large);
    let shown = solve(&mut pool, &Problem::binary(vec![is_next, is_small], vec![either, same]));
    assert!(shown[0].contains('x') && shown[0].contains('f'), "{shown:?}");
    // The encoder reserves this name.
    let product = pool.function_symbol("int.mul", &[Sort::Int, Sort::Int], Sort::Int);
    let product = pool.apply(product, &[m, n]);
    let (is_large, is_small) = (pool.lt(n, product), pool.lt(product, n));
    let problem = Problem::binary(vec![is_next, is_large], vec![is_same, is_small]);
    let answer = ask(&mut pool, &problem, &Limits::default());
    assert!(matches!(answer, Interpolants::Unknown(Reason::Unsupported(_))), "{answer:?}");
}

#[test]
fn memory_is_read_and_written_by_words() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(32);
    let arrays = pool.array_sort(sort, sort);
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, arrays));
    let [i, j, x] = ["i", "j", "x"].map(|name| pool.symbol(name, sort));
    let five = number(&mut pool, 5);
    let written = pool.store(a, i, x);
    let first = vec![pool.eq(b, written), pool.bv_slt(five, x)];
    let read = pool.select(b, j);
    let second = vec![pool.eq(i, j), pool.bv_slt(read, five)];
    let shown = solve(&mut pool, &Problem::binary(first, second));
    assert!(shown[0].contains("select b i"), "{shown:?}");
}

#[test]
fn unsigned_loops_have_unsigned_bounds() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 1] = [("i", 0, |pool, _, i| {
        let n = pool.symbol("n", Sort::BitVec(32));
        let (is_less, next) = (pool.bv_ult(i, n), plus(pool, i, 1));
        pool.ite(is_less, next, i)
    })];
    let problem = chain(&mut pool, 8, &variables, |pool, at| {
        let (i, n) = (at(pool, "i"), pool.symbol("n", Sort::BitVec(32)));
        pool.bv_ult(n, i)
    });
    let shown = solve(&mut pool, &problem);
    assert!(shown[1..].iter().all(|text| text.starts_with("(bvule i@")), "{shown:#?}");
}

#[test]
fn satisfiable_parts_are_a_misuse_only_where_all_is_exact() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(8);
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let linear = Problem::binary(vec![pool.bv_ult(x, y)], vec![pool.bv_ult(y, z)]);
    let answer = ask(&mut pool, &linear, &Limits::default());
    assert_eq!(answer, Interpolants::Satisfiable(None));
    // A square is not two modulo eight, which no linear formula states.
    let (square, two) = (pool.bv_mul(x, x), pool.bv(8, 2));
    let squares = Problem::binary(vec![pool.eq(y, square)], vec![pool.eq(y, two)]);
    let answer = ask(&mut pool, &squares, &Limits::default());
    assert!(matches!(answer, Interpolants::Unknown(Reason::Unsupported(_))), "{answer:?}");
}

#[test]
fn problems_without_words_are_unsupported() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let problem = Problem::binary(vec![pool.lt(x, y)], vec![pool.lt(y, x)]);
    let answer = ask(&mut pool, &problem, &Limits::default());
    assert!(matches!(answer, Interpolants::Unknown(Reason::Unsupported(_))), "{answer:?}");
}

#[test]
fn a_deadline_is_kept() {
    let mut pool = TermPool::new();
    let variables: [(&str, i64, Update); 1] = [("x", 0, |pool, block, x| sometimes(pool, block, x, 1))];
    let problem = chain(&mut pool, 20, &variables, |pool, at| {
        let (x, ten) = (at(pool, "x"), number(pool, 20));
        pool.bv_slt(ten, x)
    });
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    assert_eq!(ask(&mut pool, &problem, &limits), Interpolants::Unknown(Reason::Timeout));
}
