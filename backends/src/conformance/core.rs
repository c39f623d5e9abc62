//! Scopes, assumptions, cores, limits, sizes.

use super::{assert, check_model, decide, ensure, expect, prover, text};
use crate::{Interrupt, Limits, Outcome, ProverFactory, Reason, Status, Support};
use ir::term::{Sort, Term, TermPool};

fn variables<const N: usize>(pool: &mut TermPool) -> [Term; N] {
    std::array::from_fn(|i| pool.symbol(&format!("b{i}"), Sort::Bool))
}

pub(super) fn propositional(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b, c] = variables(&mut pool);
    let either = pool.xor(a, b);
    let same = pool.eq(a, b);
    let both = pool.and2(either, same);
    ensure(!decide(&mut *prover, &mut pool, both)?, "a xor b and a = b is unsatisfiable")?;
    let choice = pool.ite(c, either, same);
    let not_a = pool.not(a);
    let formula = pool.and(&[choice, not_a, b]);
    ensure(decide(&mut *prover, &mut pool, formula)?, "ite(c, a xor b, a = b), not a, b is satisfiable")?;
    let fls = pool.fls();
    ensure(!decide(&mut *prover, &mut pool, fls)?, "false is unsatisfiable")?;
    let tru = pool.tru();
    ensure(decide(&mut *prover, &mut pool, tru)?, "true is satisfiable")
}

pub(super) fn scopes(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b] = variables(&mut pool);
    let (not_a, not_b) = (pool.not(a), pool.not(b));
    let clause = pool.or2(a, b);
    assert(&mut *prover, &pool, clause)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    for _ in 0..3 {
        prover.push().map_err(text)?;
        assert(&mut *prover, &pool, not_a)?;
        expect(&mut *prover, &pool, &[], &Status::Sat)?;
        prover.push().map_err(text)?;
        assert(&mut *prover, &pool, not_b)?;
        expect(&mut *prover, &pool, &[], &Status::Unsat)?;
        prover.pop().map_err(text)?;
        expect(&mut *prover, &pool, &[], &Status::Sat)?;
        prover.pop().map_err(text)?;
    }
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    // Scopes that were never checked.
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, not_a)?;
    prover.pop().map_err(text)?;
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, a)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    prover.pop().map_err(text)?;
    ensure(matches!(prover.pop(), Err(Reason::Fault(_))), "a pop without push is refused")
}

pub(super) fn scopes_and_assumptions(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b] = variables(&mut pool);
    let (not_a, not_b) = (pool.not(a), pool.not(b));
    let implication = pool.implies(a, b);
    assert(&mut *prover, &pool, implication)?;
    expect(&mut *prover, &pool, &[a, not_b], &Status::Unsat)?;
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, not_b)?;
    expect(&mut *prover, &pool, &[a], &Status::Unsat)?;
    expect(&mut *prover, &pool, &[not_a], &Status::Sat)?;
    expect(&mut *prover, &pool, &[a], &Status::Unsat)?;
    prover.pop().map_err(text)?;
    expect(&mut *prover, &pool, &[a], &Status::Sat)
}

pub(super) fn assumptions(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b, c] = variables(&mut pool);
    let clause = pool.or(&[a, b, c]);
    assert(&mut *prover, &pool, clause)?;
    let ab = pool.or2(a, b);
    let neither = pool.not(ab);
    let not_c = pool.not(c);
    expect(&mut *prover, &pool, &[neither], &Status::Sat)?;
    expect(&mut *prover, &pool, &[neither, not_c], &Status::Unsat)?;
    expect(&mut *prover, &pool, &[ab, neither], &Status::Unsat)?;
    expect(&mut *prover, &pool, &[not_c, not_c], &Status::Sat)?;
    assert(&mut *prover, &pool, not_c)?;
    expect(&mut *prover, &pool, &[neither], &Status::Unsat)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    let fls = pool.fls();
    expect(&mut *prover, &pool, &[fls], &Status::Unsat)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)
}

pub(super) fn cores(factory: &dyn ProverFactory) -> Result<(), String> {
    if factory.capabilities().unsat_cores == Support::None {
        return Ok(());
    }
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b, c, d] = variables(&mut pool);
    let implication = pool.implies(a, b);
    assert(&mut *prover, &pool, implication)?;
    let not_b = pool.not(b);
    let cd = pool.or2(c, d);
    let core_of = |prover: &mut dyn crate::Prover, pool: &TermPool, assumptions: &[Term]| match prover
        .check(pool, assumptions)
    {
        Outcome::Unsat(mut refutation) => refutation.unsat_core().map_err(text),
        Outcome::Sat(_) => Err("satisfiable instead of unsatisfiable".to_owned()),
        Outcome::Unknown(reason) => Err(reason.to_string()),
    };
    let list = [cd, a, c, not_b];
    let core = core_of(&mut *prover, &pool, &list)?;
    ensure(core.contains(&1) && core.contains(&3), "the core contains what is needed")?;
    let chosen: Vec<Term> = core.iter().map(|&index| list[index]).collect();
    expect(&mut *prover, &pool, &chosen, &Status::Unsat)?;
    let fls = pool.fls();
    ensure(core_of(&mut *prover, &pool, &[c, fls])?.contains(&1), "an assumption that is false is the core")?;
    assert(&mut *prover, &pool, fls)?;
    ensure(core_of(&mut *prover, &pool, &[a, c])?.is_empty(), "without need of assumptions the core is empty")
}

pub(super) fn recovery(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b] = variables(&mut pool);
    let fls = pool.fls();
    assert(&mut *prover, &pool, a)?;
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, fls)?;
    expect(&mut *prover, &pool, &[], &Status::Unsat)?;
    prover.push().map_err(text)?;
    assert(&mut *prover, &pool, b)?;
    expect(&mut *prover, &pool, &[b], &Status::Unsat)?;
    prover.pop().map_err(text)?;
    prover.pop().map_err(text)?;
    expect(&mut *prover, &pool, &[b], &Status::Sat)
}

pub(super) fn interrupts(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a] = variables(&mut pool);
    assert(&mut *prover, &pool, a)?;
    let interrupt = Interrupt::default();
    prover.set_limits(&Limits { interrupt: Some(interrupt.clone()), ..Limits::default() });
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    interrupt.trigger();
    expect(&mut *prover, &pool, &[], &Status::Unknown(Reason::Interrupted))?;
    prover.set_limits(&Limits::default());
    expect(&mut *prover, &pool, &[], &Status::Sat)
}

pub(super) fn deep_terms(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let variables: Vec<Term> = (0..100).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    let mut term = variables[0];
    for i in 0..100_000 {
        let variable = variables[(i * 7 + 1) % variables.len()];
        term = match i % 3 {
            0 => pool.xor(term, variable),
            1 => pool.ite(variable, term, variables[i % 13]),
            _ => pool.or2(term, variable),
        };
    }
    assert(&mut *prover, &pool, term)?;
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => check_model(&mut *model, &pool, term)?,
        Outcome::Unsat(_) => return Err("a deep term is unsatisfiable".to_owned()),
        Outcome::Unknown(reason) => return Err(reason.to_string()),
    }
    let not_term = pool.not(term);
    expect(&mut *prover, &pool, &[not_term], &Status::Unsat)
}

pub(super) fn large_terms(factory: &dyn ProverFactory) -> Result<(), String> {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let mut layer: Vec<Term> = (0..1000).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    for round in 0..300 {
        layer = (0..layer.len())
            .map(|i| {
                let (a, b) = (layer[i], layer[(i + round + 1) % layer.len()]);
                if i % 2 == 0 { pool.and2(a, b) } else { pool.or2(a, b) }
            })
            .collect();
    }
    let formula = pool.or(&layer);
    assert(&mut *prover, &pool, formula)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)
}
