//! Long sequences of operations, and many provers.

use super::exhaustive::Exhaustive;
use super::fuzz::{Case, Step};
use super::random::{Random, Vocabulary};
use super::{Check, Verdict, check_model, ensure, prover};
use crate::{Limits, Outcome, Prover, ProverFactory, Status};
use terms::{Sort, Term, TermPool};

pub(super) const CHECKS: &[Check] = &[
    Check::new("Core", "incremental", "4000 random operations over Booleans", |factory| {
        storm(factory, Storm { sort: Sort::Bool, symbols: 6, operations: 4000 })
    }),
    Check::new(
        "FixedSizeBitVectors",
        "incremental",
        "2000 random operations over small bit vectors",
        |factory| storm(factory, Storm { sort: Sort::BitVec(3), symbols: 2, operations: 2000 }),
    ),
    Check::new("Ints", "incremental", "1500 random operations over integers", |factory| {
        storm(factory, Storm { sort: Sort::Int, symbols: 2, operations: 1500 })
    }),
    Check::new("Core", "incremental", "500 nested scopes", deep_scopes),
    Check::new("Core", "incremental", "40 concurrent provers are independent", many_provers),
    Check::new("Core", "incremental", "one name with two sorts in two pools", two_pools),
    Check::extra("Core", "incremental", "random cases over all small sorts", mixed),
];

#[derive(Clone, Copy)]
struct Storm {
    sort: Sort,
    symbols: usize,
    operations: usize,
}

/// Compares random pushes, pops, assertions and checks with assumptions with the exhaustive prover.
fn storm(factory: &dyn ProverFactory, storm: Storm) -> Verdict {
    let mut pool = TermPool::new();
    let mut random = Random::new(storm.operations as u64);
    let vocabulary = Vocabulary::of(&mut pool, storm.sort, storm.symbols);
    let mut prover = prover(factory, "ALL")?;
    let mut reference = Exhaustive::default().new_prover("ALL", &Limits::default())?;
    for &bound in &vocabulary.bounds {
        prover.assert(&pool, bound)?;
        reference.assert(&pool, bound)?;
    }
    let formulas: Vec<Term> =
        (0..200).map(|index| vocabulary.formula(&mut random, &mut pool, 1 + index % 4)).collect();
    let mut depth = 0;
    for operation in 0..storm.operations {
        match random.below(8) {
            0 | 1 if depth < 12 => {
                depth += 1;
                prover.push()?;
                reference.push()?;
            }
            2 | 3 if depth > 0 => {
                depth -= 1;
                prover.pop()?;
                reference.pop()?;
            }
            0..=4 if depth > 0 => {
                let formula = random.pick(&formulas);
                prover.assert(&pool, formula)?;
                reference.assert(&pool, formula)?;
            }
            _ => {
                let count = random.below(4);
                let assumptions: Vec<Term> = (0..count).map(|_| random.pick(&formulas)).collect();
                let expected = reference.status(&pool, &assumptions);
                let status = match prover.check(&pool, &assumptions) {
                    Outcome::Sat(mut model) => {
                        for &assumption in &assumptions {
                            check_model(&mut *model, &pool, assumption)?;
                        }
                        Status::Sat
                    }
                    Outcome::Unsat(_) => Status::Unsat,
                    Outcome::Unknown(reason) => return Err(reason.into()),
                };
                ensure(
                    status == expected,
                    &format!("operation {operation}: {status:?} instead of {expected:?}"),
                )?;
            }
        }
    }
    Ok(())
}

/// Cases of the fuzzer with infinite sorts and arrays.
fn mixed(factory: &dyn ProverFactory) -> Verdict {
    for seed in 0..20 {
        let case = Case::random(seed);
        let mut reference = Exhaustive::default().new_prover("ALL", &Limits::default())?;
        let mut prover = prover(factory, "ALL")?;
        for &bound in &case.bounds {
            reference.assert(&case.pool, bound)?;
            prover.assert(&case.pool, bound)?;
        }
        for step in &case.steps {
            match step {
                Step::Push => {
                    reference.push()?;
                    prover.push()?;
                }
                Step::Pop => {
                    reference.pop()?;
                    prover.pop()?;
                }
                Step::Assert(term) => {
                    reference.assert(&case.pool, *term)?;
                    prover.assert(&case.pool, *term)?;
                }
                Step::Check(assumptions) => {
                    let expected = reference.status(&case.pool, assumptions);
                    let status = prover.status(&case.pool, assumptions);
                    match (status, expected) {
                        (Status::Unknown(reason), _) => return Err(reason.into()),
                        (_, Status::Unknown(_)) => {}
                        (status, expected) => {
                            ensure(status == expected, &format!("{status:?} instead of {expected:?}"))?;
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

fn deep_scopes(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let symbols: Vec<Term> = (0..=500).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    prover.assert(&pool, symbols[0])?;
    for pair in symbols.windows(2) {
        prover.push()?;
        let step = pool.implies(pair[0], pair[1]);
        prover.assert(&pool, step)?;
    }
    let not_last = pool.not(symbols[500]);
    super::expect(&mut *prover, &pool, &[not_last], &Status::Unsat)?;
    for _ in 0..250 {
        prover.pop()?;
    }
    super::expect(&mut *prover, &pool, &[not_last], &Status::Sat)?;
    let not_middle = pool.not(symbols[250]);
    super::expect(&mut *prover, &pool, &[not_middle], &Status::Unsat)
}

fn many_provers(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let symbols: Vec<Term> = (0..40).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    let mut provers: Vec<(usize, Box<dyn Prover>)> = Vec::new();
    for (index, &symbol) in symbols.iter().enumerate() {
        let mut prover = prover(factory, "QF_UF")?;
        prover.assert(&pool, symbol)?;
        provers.push((index, prover));
    }
    for round in 0..3 {
        for (index, prover) in &mut provers {
            let own = pool.not(symbols[*index]);
            let other = pool.not(symbols[(*index + 1 + round) % symbols.len()]);
            super::expect(&mut **prover, &pool, &[own], &Status::Unsat)?;
            super::expect(&mut **prover, &pool, &[other], &Status::Sat)?;
        }
        // Some provers are dropped while others live, and new ones are created.
        provers.swap_remove(5);
        provers.truncate(30 - 10 * round);
        let mut fresh = prover(factory, "QF_UF")?;
        let both = pool.and2(symbols[0], symbols[1]);
        fresh.assert(&pool, both)?;
        super::expect(&mut *fresh, &pool, &[], &Status::Sat)?;
    }
    Ok(())
}

/// Provers of different pools share no names.
fn two_pools(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let a = pool.symbol("a", Sort::Bool);
    let mut outer = prover(factory, "QF_UF")?;
    outer.assert(&pool, a)?;
    let not_a = pool.not(a);
    for _ in 0..20 {
        let mut other_pool = TermPool::new();
        let mut inner = prover(factory, "QF_BV")?;
        let x = other_pool.symbol("a", Sort::BitVec(8));
        let zero = other_pool.bv(8, 0);
        let is_zero = other_pool.eq(x, zero);
        inner.assert(&other_pool, is_zero)?;
        super::expect(&mut *inner, &other_pool, &[], &Status::Sat)?;
        super::expect(&mut *outer, &pool, &[not_a], &Status::Unsat)?;
    }
    Ok(())
}
