//! Random formulas and problems.

use super::generator::{Operators, Random, formula, symbols};
use crate::interpolation::by_parts::Structure;
use crate::interpolation::int_blasting::{Form, Integral, back, refutes, translate};
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolants, Interpolator, Problem, Score, Tree};
use backends::{Limits, ProverFactory, Reason, Status};
use num_bigint::BigInt;
use std::rc::Rc;
use std::time::Duration;
use terms::{Assignment, BitVector, Op, Representation, Sort, Term, TermPool, Value, eval};

const WIDTHS: [u32; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 32, 64];

fn limits(seconds: u64) -> Limits {
    Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() }
}

/// Whether Z3 finds the conjunction of `conjuncts` unsatisfiable.
fn status(pool: &TermPool, conjuncts: &[Term]) -> Status {
    let mut prover = backend_z3::factory().new_prover("ALL", &limits(5)).unwrap();
    for &conjunct in conjuncts {
        prover.assert(pool, conjunct).unwrap();
    }
    prover.status(pool, &[])
}

/// A value with a preference for corner cases.
fn value(random: &mut Random, width: u32) -> BitVector {
    let ones = u64::MAX >> (64 - width);
    let value = match random.below(4) {
        0 => random.below(4),
        1 => random.below(4).wrapping_neg(),
        2 => (1 << (width - 1)) - random.below(2),
        _ => random.next(),
    };
    BitVector::new(width, value & ones)
}

/// The integers satisfy exactly the formulas that the bit vectors satisfy.
#[test]
fn linear_formulas_have_the_same_models() {
    let mut holding = 0;
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let mut pool = TermPool::new();
        let width = random.pick(&WIDTHS);
        let symbols = symbols(&mut pool, width, &["x", "y", "z"]);
        let source = formula(&mut pool, random, Operators::Linear, &symbols, 2);
        let problem = Problem::binary(vec![source], vec![source]);
        let Ok(translation) = translate(&mut pool, &problem, &Limits::default()) else { continue };
        assert!(translation.abstracted.is_empty(), "{:?}", translation.abstracted);
        for _ in 0..20 {
            let (mut words, mut integers) = (Assignment::new(), Assignment::new());
            for &symbol in &symbols {
                words.set_leaf(&pool, symbol, Value::BitVec(value(random, width)));
            }
            for (&number, word) in &translation.dictionary.words {
                let Op::Symbol(symbol) = pool.op(word.source) else { panic!("a symbol") };
                let bits = words.get(symbol).unwrap().as_bv().unwrap();
                let value = match word.representation {
                    Representation::Signed => bits.to_signed(),
                    Representation::Unsigned => BigInt::from(bits.to_natural()),
                };
                integers.set(number, Value::Int(value));
            }
            let expected = eval(&pool, source, &words).unwrap().as_bool().unwrap();
            let part = pool.and(&translation.problem.parts[0]);
            let found = eval(&pool, part, &integers).unwrap().as_bool().unwrap();
            assert_eq!(found, expected, "seed {seed}: {}", pool.display(source));
            holding += usize::from(found);
        }
    }
    assert!(holding > 1000, "only {holding} of the assignments are models");
}

/// Integers outside of their range are not models.
#[test]
fn ranges_are_stated() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(8));
    let five = pool.bv(8, 5);
    let source = pool.bv_ule(x, five);
    let problem = Problem::binary(vec![source], vec![source]);
    let translation = translate(&mut pool, &problem, &Limits::default()).unwrap();
    for value in [-1, 6, 256, -250] {
        let mut integers = Assignment::new();
        for &number in translation.dictionary.words.keys() {
            integers.set(number, Value::int(value));
        }
        let part = pool.and(&translation.problem.parts[0]);
        assert_eq!(eval(&pool, part, &integers).unwrap().as_bool(), Some(false), "{value}");
    }
}

#[test]
#[ignore = "slow"]
fn what_comes_back_is_equivalent() {
    let (mut proved, mut open) = (0, 0);
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let mut pool = TermPool::new();
        let width = random.pick(&WIDTHS[..8]);
        let symbols = symbols(&mut pool, width, &["x", "y", "z"]);
        let operators = random.pick(&[Operators::Sums, Operators::Linear, Operators::Any]);
        let source = formula(&mut pool, random, operators, &symbols, 2);
        let problem = Problem::binary(vec![source], vec![source]);
        let Ok(translation) = translate(&mut pool, &problem, &Limits::default()) else { continue };
        let part = pool.and(&translation.problem.parts[0]);
        let found = match back(&mut pool, &translation.dictionary, Form::Exact, part) {
            Ok(found) => found,
            Err(reason) => panic!("seed {seed}: {reason} for {}", pool.display(source)),
        };
        let differ = pool.xor(source, found);
        match status(&pool, &[differ]) {
            Status::Unsat => proved += 1,
            Status::Sat => {
                panic!("seed {seed}: {} comes back as {}", pool.display(source), pool.display(found))
            }
            Status::Unknown(_) => open += 1,
        }
    }
    assert!(open * 20 < proved, "{open} of {proved} could not be compared");
}

/// A random problem whose neighboring parts share bit vectors.
pub(super) fn problem(pool: &mut TermPool, random: &mut Random, operators: Operators) -> Problem {
    let width = random.pick(&WIDTHS[2..9]);
    let parts = 2 + random.below(9) as usize;
    let is_path = random.below(2) == 0;
    let parents: Vec<Option<usize>> = (0..parts)
        .map(|part| match parts - 1 - part {
            0 => None,
            _ if is_path => Some(part + 1),
            above => Some(part + 1 + random.below(above as u64) as usize),
        })
        .collect();
    let versions: Vec<Vec<Term>> = (0..parts)
        .map(|part| {
            let names = ["x", "y"].map(|name| format!("{name}{part}"));
            symbols(pool, width, &[&names[0], &names[1]])
        })
        .collect();
    let parts = (0..parts)
        .map(|part| {
            let mut around = versions[part].clone();
            if let Some(above) = parents[part] {
                around.extend(&versions[above]);
            }
            let mut conjuncts = Vec::new();
            if let Some(above) = parents[part] {
                // An assignment, which most parts of programs contain.
                let value = super::generator::word(pool, random, Operators::Sums, &versions[part], 1);
                conjuncts.push(pool.eq(versions[above][0], value));
            }
            for _ in 0..1 + random.below(2) {
                conjuncts.push(formula(pool, random, operators, &around, 1));
            }
            conjuncts
        })
        .collect();
    Problem { parts, tree: Tree::new(parents).unwrap() }
}

#[test]
#[ignore = "slow"]
fn random_problems_are_certified() {
    let z3: Rc<dyn ProverFactory> = Rc::new(backend_z3::factory());
    let integers: Rc<dyn ProverFactory> = Rc::new(crate::factory());
    for operators in [Operators::Sums, Operators::Linear, Operators::Any] {
        let (mut unsatisfiable, mut answered, mut refused) = (0, 0, Vec::new());
        for seed in 0..40 {
            let random = &mut Random::new(seed);
            let mut pool = TermPool::new();
            let problem = problem(&mut pool, random, operators);
            let all: Vec<Term> = problem.parts.iter().flatten().copied().collect();
            let status = status(&pool, &all);
            let inner = Box::new(Structure::new(vec![Rc::clone(&z3)], Score::default()));
            let answer =
                Integral::new(inner, Rc::clone(&integers)).interpolate(&mut pool, &problem, &limits(2));
            match (status, answer) {
                (Status::Unsat, Interpolants::Found(interpolants)) => {
                    unsatisfiable += 1;
                    let certifier = Certifier { factories: vec![Rc::clone(&z3)] };
                    let verdict = certifier.certify(&mut pool, &problem, &interpolants, &limits(20));
                    assert_eq!(verdict, Ok(()), "seed {seed}");
                    answered += 1;
                }
                (Status::Unsat, answer) => {
                    let reason = answer.of_refuted().expect_err("found answers come first");
                    assert!(!matches!(reason, Reason::Misuse(_) | Reason::Fault(_)), "seed {seed}: {reason}");
                    unsatisfiable += 1;
                    refused.push(format!("{seed}: {reason}"));
                }
                (Status::Sat, answer) => {
                    let is_found = matches!(answer, Interpolants::Found(_));
                    assert!(!is_found, "seed {seed}: satisfiable parts have interpolants");
                }
                (Status::Unknown(_), _) => {}
            }
        }
        assert!(unsatisfiable > 10, "only {unsatisfiable} of the problems are unsatisfiable");
        assert!(answered * 2 > unsatisfiable, "of {unsatisfiable} not answered: {refused:?}");
    }
}

/// A formula refuted over integers has no model over bit vectors.
#[test]
#[ignore = "slow"]
fn refutations_are_sound() {
    let (mut refuted, mut open) = (0, 0);
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let mut pool = TermPool::new();
        let width = random.pick(&WIDTHS[1..8]);
        let symbols = symbols(&mut pool, width, &["x", "y"]);
        let operators = random.pick(&[Operators::Sums, Operators::Linear, Operators::Any]);
        let conjuncts: Vec<Term> =
            (0..5).map(|_| formula(&mut pool, random, operators, &symbols, 1)).collect();
        let is_refuted = refutes(&crate::factory(), &mut pool, conjuncts.clone(), &limits(2));
        match (is_refuted, status(&pool, &conjuncts)) {
            (true, Status::Unsat) => refuted += 1,
            (true, Status::Sat) => panic!("seed {seed}: a satisfiable formula was refuted"),
            (false, Status::Unsat) => open += 1,
            _ => {}
        }
    }
    assert!(refuted > 4 * open, "{refuted} were refuted, {open} were not");
}
