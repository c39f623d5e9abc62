//! All models and minimal cores.

use super::report::Failure;
use super::{CORES, Check, MODELS, Verdict, ensure, expect, prover};
use crate::all_sat::{AllSat, all_sat, backbone, minimal_core};
use crate::{ProverFactory, Status};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use terms::{Sort, Term, TermPool};

pub(super) const CHECKS: &[Check] = &[
    Check::new("Core", MODELS, "all models over literals are enumerated once", boolean_models),
    Check::new("Core", MODELS, "a stopped enumeration leaves the assertions unchanged", stopped),
    Check::new("Ints", MODELS, "all models over predicates of integers", predicates),
    Check::new("FixedSizeBitVectors", MODELS, "all values of a bit vector, bit by bit", values),
    Check::new("Ints", MODELS, "literals with one value in all models", common_values),
    Check::new("Core", CORES, "minimal cores", minimal_cores),
    Check::new("Ints", CORES, "minimal cores of inequalities", minimal_core_of_inequalities),
];

fn cubes(
    prover: &mut dyn crate::Prover,
    pool: &mut TermPool,
    literals: &[Term],
) -> Result<BTreeSet<Vec<bool>>, Failure> {
    let mut cubes = BTreeSet::new();
    let mut twice = false;
    let result = all_sat(prover, pool, literals, &mut |cube| {
        twice |= !cubes.insert(cube.to_vec());
        ControlFlow::Continue(())
    })?;
    ensure(!twice, "no cube occurs twice")?;
    ensure(result == AllSat::Complete(cubes.len()), "the number of cubes is right")?;
    Ok(cubes)
}

fn boolean_models(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let symbols: Vec<Term> = (0..6).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    ensure(cubes(&mut *prover, &mut pool, &symbols)?.len() == 64, "six free literals have 64 cubes")?;
    // Exactly one of the first four; the others are free and not among the literals.
    let mut clauses = vec![pool.or(&symbols[..4])];
    for i in 0..4 {
        for j in 0..i {
            let both = pool.and2(symbols[i], symbols[j]);
            clauses.push(pool.not(both));
        }
    }
    let one = pool.and(&clauses);
    prover.push()?;
    prover.assert(&pool, one)?;
    let found = cubes(&mut *prover, &mut pool, &symbols[..4])?;
    let expected: BTreeSet<Vec<bool>> = (0..4).map(|i| (0..4).map(|j| i == j).collect()).collect();
    ensure(found == expected, "exactly one of four has four cubes")?;
    ensure(cubes(&mut *prover, &mut pool, &[])?.len() == 1, "no literals have one cube")?;
    let fls = pool.fls();
    prover.push()?;
    prover.assert(&pool, fls)?;
    ensure(cubes(&mut *prover, &mut pool, &symbols)?.is_empty(), "false has no cube")?;
    prover.pop()?;
    prover.pop()?;
    ensure(cubes(&mut *prover, &mut pool, &symbols[..3])?.len() == 8, "the blocking clauses are dropped")
}

fn common_values(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let x = pool.symbol("x", Sort::Int);
    let [zero, three, nine] = [0, 3, 9].map(|value| pool.int(value));
    let literals = [pool.lt(x, zero), pool.lt(x, three), pool.le(x, nine)];
    let bounds = [pool.le(zero, x), pool.le(x, nine)];
    prover.push()?;
    bounds.into_iter().try_for_each(|bound| prover.assert(&pool, bound))?;
    let found = backbone(&mut *prover, &mut pool, &literals)?;
    let Some(found) = found else { return ensure(false, "the bounds have a model") };
    ensure(found.values == [Some(false), None, Some(true)], "one of three literals has both values")?;
    let cubes: BTreeSet<Vec<bool>> = found.cubes.into_iter().collect();
    let expected = BTreeSet::from([vec![false, false, true], vec![false, true, true]]);
    ensure(cubes == expected, "the cubes show both values")?;
    let contradiction = pool.lt(x, zero);
    prover.assert(&pool, contradiction)?;
    ensure(backbone(&mut *prover, &mut pool, &literals)?.is_none(), "a contradiction has no backbone")?;
    prover.pop()?;
    Ok(())
}

fn stopped(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let symbols: Vec<Term> = (0..10).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    let mut count = 0;
    let result = all_sat(&mut *prover, &mut pool, &symbols, &mut |_| {
        count += 1;
        if count == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    ensure(result == AllSat::Stopped(7), "the callback stops the enumeration")?;
    ensure(
        cubes(&mut *prover, &mut pool, &symbols[..4])?.len() == 16,
        "an enumeration leaves the assertions unchanged",
    )
}

fn predicates(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let x = pool.symbol("x", Sort::Int);
    let bounds: Vec<Term> = [0, 5, 10].iter().map(|&bound| pool.int(bound)).collect();
    let literals: Vec<Term> = bounds.iter().map(|&bound| pool.lt(x, bound)).collect();
    let found = cubes(&mut *prover, &mut pool, &literals)?;
    ensure(found.len() == 4, "x < 0, x < 5, x < 10 have four cubes")?;
    let ordered =
        found.iter().all(|cube| !cube[0] || cube[1]) && found.iter().all(|cube| !cube[1] || cube[2]);
    ensure(ordered, "x < 0 implies x < 5 in all cubes")?;
    let (two, three) = (pool.int(2), pool.int(3));
    let (zero, one) = (pool.int(0), pool.int(1));
    let (half, third) = (pool.int_mod(x, two), pool.int_mod(x, three));
    let literals = [pool.eq(half, zero), pool.eq(third, zero), pool.eq(third, one)];
    ensure(cubes(&mut *prover, &mut pool, &literals)?.len() == 6, "there are six remainders modulo 2 and 3")
}

fn values(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    let x = pool.symbol("x", Sort::BitVec(5));
    let seven = pool.bv(5, 7);
    let multiple = pool.bv_urem(x, seven);
    let zero = pool.bv(5, 0);
    let formula = pool.eq(multiple, zero);
    prover.assert(&pool, formula)?;
    let one = pool.bv(1, 1);
    let bits: Vec<Term> = (0..5)
        .map(|bit| {
            let bit = pool.extract(bit, bit, x);
            pool.eq(bit, one)
        })
        .collect();
    let found: BTreeSet<usize> = cubes(&mut *prover, &mut pool, &bits)?
        .into_iter()
        .map(|cube| cube.iter().enumerate().map(|(bit, &value)| usize::from(value) << bit).sum())
        .collect();
    ensure(found == [0, 7, 14, 21, 28].into_iter().collect(), "the multiples of 7 below 32")
}

/// Checks that the core is unsatisfiable, and satisfiable without any one of its members.
fn is_minimal(
    prover: &mut dyn crate::Prover,
    pool: &TermPool,
    assumptions: &[Term],
    core: &[usize],
) -> Verdict {
    let of = |without: Option<usize>| -> Vec<Term> {
        core.iter().filter(|&&index| Some(index) != without).map(|&index| assumptions[index]).collect()
    };
    expect(prover, pool, &of(None), &Status::Unsat)?;
    for &index in core {
        expect(prover, pool, &of(Some(index)), &Status::Sat)?;
    }
    ensure(core.is_sorted_by(|a, b| a < b), "a core is ascending")
}

fn minimal_cores(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let b: Vec<Term> = (0..10).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    // The assumptions are a chain b0 → b1 → … → b9 and shortcuts.
    let mut assumptions = vec![b[0]];
    for pair in b.windows(2) {
        assumptions.push(pool.implies(pair[0], pair[1]));
    }
    assumptions.push(pool.implies(b[2], b[9]));
    assumptions.push(pool.or2(b[3], b[4]));
    assumptions.push(pool.not(b[9]));
    let core = minimal_core(&mut *prover, &pool, &assumptions)?;
    is_minimal(&mut *prover, &pool, &assumptions, &core.ok_or("the chain is unsatisfiable")?)?;
    // Another start of the chain.
    let clause = assumptions.remove(11);
    let satisfiable = minimal_core(&mut *prover, &pool, &assumptions[1..])?;
    ensure(satisfiable.is_none(), "without a start the chain is satisfiable")?;
    assumptions[0] = clause;
    let core = minimal_core(&mut *prover, &pool, &assumptions)?;
    is_minimal(&mut *prover, &pool, &assumptions, &core.ok_or("the clause starts the chain")?)?;
    let both = [b[1], b[1], pool.not(b[1])];
    let core = minimal_core(&mut *prover, &pool, &both)?.ok_or("b and not b are unsatisfiable")?;
    ensure(core.len() == 2 && core[1] == 2, "one of two equal assumptions is enough")?;
    let fls = pool.fls();
    prover.push()?;
    prover.assert(&pool, fls)?;
    ensure(minimal_core(&mut *prover, &pool, &assumptions)? == Some(Vec::new()), "no assumption is needed")?;
    prover.pop()?;
    ensure(minimal_core(&mut *prover, &pool, &[])?.is_none(), "the empty conjunction is satisfiable")
}

fn minimal_core_of_inequalities(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_LIA")?;
    let x: Vec<Term> = (0..6).map(|i| pool.symbol(&format!("x{i}"), Sort::Int)).collect();
    let mut assumptions = Vec::new();
    for i in 0..6 {
        assumptions.push(pool.lt(x[i], x[(i + 1) % 6]));
        assumptions.push(pool.le(x[i], x[(i + 2) % 6]));
    }
    let core = minimal_core(&mut *prover, &pool, &assumptions)?.ok_or("a cycle is unsatisfiable")?;
    is_minimal(&mut *prover, &pool, &assumptions, &core)
}
