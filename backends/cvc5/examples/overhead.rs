//! Measures the overhead of the trait: 2,000 small push, assert, check, pop through it and by
//! direct calls of the library; and the translation of a large formula compared with the bare calls
//! that build its terms.
//!
//! Run with `cargo run --release -p hornwork-backend-cvc5 --example overhead`. Times are CPU times.
#![allow(unsafe_code, clippy::print_stdout, reason = "a program that compares with the bare library")]

use backends::{Limits, ProverFactory, Status};
use cvc5_sys as sys;
use std::collections::HashMap;
use std::time::Duration;
use terms::{Op, Sort, Term, TermPool};

const ROUNDS: u64 = 2_000;

/// The CPU time of this thread.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().next().and_then(|field| field.parse().ok()).unwrap_or(0))
}

/// Satisfiable if and only if the round is even.
fn formulas(pool: &mut TermPool, sort: Sort) -> Vec<Term> {
    let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
    (0..ROUNDS)
        .map(|round| {
            let constant = |pool: &mut TermPool, value: u64| match sort {
                Sort::BitVec(width) => pool.bv(width, value),
                _ => pool.int(value as i64),
            };
            let (low, high) = (constant(pool, round), constant(pool, round + 2 - round % 2));
            let (above, below) = match sort {
                Sort::BitVec(_) => (pool.bv_ult(low, x), pool.bv_ult(x, high)),
                _ => (pool.lt(low, x), pool.lt(x, high)),
            };
            let same = pool.eq(x, y);
            pool.and(&[above, below, same])
        })
        .collect()
}

fn through_the_trait(sort: Sort) -> Duration {
    let mut pool = TermPool::new();
    let formulas = formulas(&mut pool, sort);
    let start = now();
    let mut prover = backend_cvc5::factory().new_prover("ALL", &Limits::default()).expect("a prover");
    for (round, &formula) in formulas.iter().enumerate() {
        prover.push().expect("push");
        prover.assert(&pool, formula).expect("assert");
        let expected = if round % 2 == 0 { Status::Sat } else { Status::Unsat };
        assert_eq!(prover.status(&pool, &[]), expected);
        prover.pop().expect("pop");
    }
    drop(prover);
    now() - start
}

fn directly(is_bit_vector: bool) -> Duration {
    let start = now();
    // SAFETY: one manager and one solver, used while they live; all arguments are of this manager.
    unsafe {
        let manager = sys::term_manager_new();
        let solver = sys::new(manager);
        sys::set_option(solver, c"incremental".as_ptr(), c"true".as_ptr());
        sys::set_option(solver, c"produce-models".as_ptr(), c"true".as_ptr());
        sys::set_logic(solver, if is_bit_vector { c"QF_BV" } else { c"QF_LIA" }.as_ptr());
        let sort = if is_bit_vector { sys::mk_bv_sort(manager, 32) } else { sys::get_integer_sort(manager) };
        let (x, y) =
            (sys::mk_const(manager, sort, c"x".as_ptr()), sys::mk_const(manager, sort, c"y".as_ptr()));
        let less = if is_bit_vector { sys::Kind::BitvectorUlt } else { sys::Kind::Lt };
        for round in 0..ROUNDS {
            let constant = |value: u64| {
                if is_bit_vector {
                    sys::mk_bv_uint64(manager, 32, value)
                } else {
                    sys::mk_integer_int64(manager, value as i64)
                }
            };
            let parts = [
                sys::mk_term(manager, less, 2, [constant(round), x].as_ptr()),
                sys::mk_term(manager, less, 2, [x, constant(round + 2 - round % 2)].as_ptr()),
                sys::mk_term(manager, sys::Kind::Equal, 2, [x, y].as_ptr()),
            ];
            let formula = sys::mk_term(manager, sys::Kind::And, 3, parts.as_ptr());
            sys::push(solver, 1);
            sys::assert_formula(solver, formula);
            let result = sys::check_sat(solver);
            assert_eq!(sys::result_is_sat(result), round % 2 == 0);
            sys::result_release(result);
            sys::pop(solver, 1);
        }
        sys::delete(solver);
        sys::term_manager_release(manager);
        sys::term_manager_delete(manager);
    }
    now() - start
}

/// A formula of two thirds of a million distinct nodes.
fn large(pool: &mut TermPool) -> Term {
    let mut layer: Vec<Term> = (0..1000).map(|i| pool.symbol(&format!("x{i}"), Sort::BitVec(32))).collect();
    for round in 0..1000 {
        layer = (0..layer.len())
            .map(|i| {
                let (a, b) = (layer[i], layer[(i + round + 1) % layer.len()]);
                if round % 2 == 0 { pool.bv_add(a, b) } else { pool.bv_and(a, b) }
            })
            .collect();
    }
    let mut conjuncts = Vec::new();
    for pair in layer.windows(2) {
        conjuncts.push(pool.bv_ult(pair[0], pair[1]));
    }
    pool.and(&conjuncts)
}

fn translated(pool: &TermPool, formula: Term) -> Duration {
    let mut prover = backend_cvc5::factory().new_prover("ALL", &Limits::default()).expect("a prover");
    let start = now();
    prover.assert(pool, formula).expect("assert");
    now() - start
}

/// Builds the same terms by a precomputed list of calls.
fn built(pool: &TermPool, formula: Term) -> Duration {
    let mut places = HashMap::new();
    let mut calls = Vec::new();
    pool.visit(
        &[formula],
        |_| true,
        |term| {
            let kind = match pool.op(term) {
                Op::Symbol(_) => None,
                Op::BvAdd => Some(sys::Kind::BitvectorAdd),
                Op::BvAnd => Some(sys::Kind::BitvectorAnd),
                Op::BvUlt => Some(sys::Kind::BitvectorUlt),
                Op::And => Some(sys::Kind::And),
                other => panic!("{other:?} is not expected"),
            };
            let children: Vec<usize> = pool.children(term).iter().map(|child| places[child]).collect();
            places.insert(term, calls.len());
            calls.push((kind, children));
        },
    );
    // SAFETY: one manager, used while it lives; all terms are of this manager.
    unsafe {
        let manager = sys::term_manager_new();
        let sort = sys::mk_bv_sort(manager, 32);
        let (mut terms, mut arguments) = (Vec::with_capacity(calls.len()), Vec::new());
        let start = now();
        for (kind, children) in &calls {
            arguments.clear();
            arguments.extend(children.iter().map(|&child: &usize| terms[child]));
            terms.push(match kind {
                Some(kind) => sys::mk_term(manager, *kind, arguments.len(), arguments.as_ptr()),
                None => sys::mk_const(manager, sort, c"x".as_ptr()),
            });
        }
        let time = now() - start;
        sys::term_manager_release(manager);
        sys::term_manager_delete(manager);
        time
    }
}

fn main() {
    for (name, sort) in [("LIA", Sort::Int), ("BV32", Sort::BitVec(32))] {
        let (bare, ours) = (directly(sort != Sort::Int), through_the_trait(sort));
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        println!("{name}: {ours:?} through the trait, {bare:?} directly, {ratio:.2} times");
    }
    let mut pool = TermPool::new();
    let formula = large(&mut pool);
    let size = pool.dag_size(formula);
    let (ours, bare) = (0..2)
        .map(|_| (translated(&pool, formula), built(&pool, formula)))
        .reduce(|(a, b), (c, d)| (a.min(c), b.min(d)))
        .expect("there are rounds");
    println!(
        "translation of {size} nodes: {ours:?}, {bare:?} for the calls alone, {:.2} times; {:.0} nodes a second",
        ours.as_secs_f64() / bare.as_secs_f64(),
        size as f64 / ours.as_secs_f64(),
    );
}
