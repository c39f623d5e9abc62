//! Scopes, assumptions, cores, limits, sizes.

use super::report::Failure;
use super::{CORES, Check, Verdict, assert, check_model, decide, ensure, expect, prover};
use crate::{Interrupt, Limits, Outcome, ProverFactory, Reason, Status};
use std::time::{Duration, Instant};
use terms::{Sort, Term, TermPool};

pub(super) const CHECKS: &[Check] = &[
    Check::new("Core", "satisfiability", "propositional logic", propositional),
    Check::new("Core", "scopes", "closing a scope drops its assertions", scopes),
    Check::new("Core", "scopes", "scopes and assumptions mix", scopes_and_assumptions),
    Check::new("Core", "scopes", "a context stays usable after an unsatisfiable scope is closed", recovery),
    Check::new("Core", "scopes", "a pop without a push is misuse", misuse),
    Check::new("Core", "assumptions", "assumptions are arbitrary terms and are forgotten", assumptions),
    Check::new("Core", CORES, "cores are unsatisfiable", cores),
    Check::new(
        "Core",
        "limits",
        "an interrupt before a check ends it, and the prover stays usable",
        interrupts,
    ),
    Check::new(
        "FixedSizeBitVectors",
        "limits",
        "a time limit ends a hard check, and the prover stays usable",
        time_limits,
    ),
    Check::new(
        "FixedSizeBitVectors",
        "limits",
        "an interrupt from another thread ends a hard check, and the prover stays usable",
        interrupts_from_outside,
    ),
    Check::new("Core", "size", "deep terms", deep_terms),
    Check::new("Core", "size", "large shared terms", large_terms),
];

fn variables<const N: usize>(pool: &mut TermPool) -> [Term; N] {
    std::array::from_fn(|i| pool.symbol(&format!("b{i}"), Sort::Bool))
}

fn propositional(factory: &dyn ProverFactory) -> Verdict {
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

fn scopes(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b] = variables(&mut pool);
    let (not_a, not_b) = (pool.not(a), pool.not(b));
    let clause = pool.or2(a, b);
    assert(&mut *prover, &pool, clause)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    for _ in 0..3 {
        prover.push()?;
        assert(&mut *prover, &pool, not_a)?;
        expect(&mut *prover, &pool, &[], &Status::Sat)?;
        prover.push()?;
        assert(&mut *prover, &pool, not_b)?;
        expect(&mut *prover, &pool, &[], &Status::Unsat)?;
        prover.pop()?;
        expect(&mut *prover, &pool, &[], &Status::Sat)?;
        prover.pop()?;
    }
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    // Scopes that are never checked.
    prover.push()?;
    assert(&mut *prover, &pool, not_a)?;
    prover.pop()?;
    prover.push()?;
    assert(&mut *prover, &pool, a)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    prover.pop()?;
    Ok(())
}

fn scopes_and_assumptions(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b] = variables(&mut pool);
    let (not_a, not_b) = (pool.not(a), pool.not(b));
    let implication = pool.implies(a, b);
    assert(&mut *prover, &pool, implication)?;
    expect(&mut *prover, &pool, &[a, not_b], &Status::Unsat)?;
    prover.push()?;
    assert(&mut *prover, &pool, not_b)?;
    expect(&mut *prover, &pool, &[a], &Status::Unsat)?;
    expect(&mut *prover, &pool, &[not_a], &Status::Sat)?;
    expect(&mut *prover, &pool, &[a], &Status::Unsat)?;
    prover.pop()?;
    expect(&mut *prover, &pool, &[a], &Status::Sat)
}

fn assumptions(factory: &dyn ProverFactory) -> Verdict {
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

fn cores(factory: &dyn ProverFactory) -> Verdict {
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
        Outcome::Unsat(mut refutation) => Ok(refutation.unsat_core()?),
        Outcome::Sat(_) => Err(Failure::from("satisfiable instead of unsatisfiable")),
        Outcome::Unknown(reason) => Err(reason.into()),
    };
    let list = [cd, a, c, not_b];
    let core = core_of(&mut *prover, &pool, &list)?;
    ensure(core.contains(&1) && core.contains(&3), "the core contains the needed assumptions")?;
    let chosen: Vec<Term> = core.iter().map(|&index| list[index]).collect();
    expect(&mut *prover, &pool, &chosen, &Status::Unsat)?;
    let fls = pool.fls();
    ensure(core_of(&mut *prover, &pool, &[c, fls])?.contains(&1), "the core contains the assumption false")?;
    assert(&mut *prover, &pool, fls)?;
    ensure(core_of(&mut *prover, &pool, &[a, c])?.is_empty(), "if no assumption is needed, the core is empty")
}

fn recovery(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a, b] = variables(&mut pool);
    let fls = pool.fls();
    assert(&mut *prover, &pool, a)?;
    prover.push()?;
    assert(&mut *prover, &pool, fls)?;
    expect(&mut *prover, &pool, &[], &Status::Unsat)?;
    prover.push()?;
    assert(&mut *prover, &pool, b)?;
    expect(&mut *prover, &pool, &[b], &Status::Unsat)?;
    prover.pop()?;
    prover.pop()?;
    expect(&mut *prover, &pool, &[b], &Status::Sat)
}

fn interrupts(factory: &dyn ProverFactory) -> Verdict {
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

fn deep_terms(factory: &dyn ProverFactory) -> Verdict {
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
        Outcome::Unsat(_) => return Err("a deep term is unsatisfiable".into()),
        Outcome::Unknown(reason) => return Err(reason.into()),
    }
    let not_term = pool.not(term);
    expect(&mut *prover, &pool, &[not_term], &Status::Unsat)
}

fn large_terms(factory: &dyn ProverFactory) -> Verdict {
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

/// The factors of a product of two 32-bit primes without a pattern, too hard for any solver within
/// a second; and an easy formula.
fn hard_and_easy(pool: &mut TermPool) -> (Term, Term) {
    let (x, y) = (pool.symbol("x", Sort::BitVec(64)), pool.symbol("y", Sort::BitVec(64)));
    let product = pool.bv_mul(x, y);
    let semiprime = pool.bv(64, 3_367_900_313 * 2_654_435_761);
    let (one, bound) = (pool.bv(64, 1), pool.bv(64, 1 << 32));
    let mut constraints = vec![pool.eq(product, semiprime)];
    for factor in [x, y] {
        constraints.push(pool.bv_ult(one, factor));
        constraints.push(pool.bv_ult(factor, bound));
    }
    (pool.and(&constraints), pool.eq(x, y))
}

fn time_limits(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    let (formula, easy) = hard_and_easy(&mut pool);
    prover.push()?;
    assert(&mut *prover, &pool, formula)?;
    prover.set_limits(&Limits { time: Some(Duration::from_millis(100)), ..Limits::default() });
    let start = Instant::now();
    expect(&mut *prover, &pool, &[], &Status::Unknown(Reason::Timeout))?;
    ensure(start.elapsed() < Duration::from_secs(5), "the check respects its limit")?;
    prover.set_limits(&Limits::default());
    prover.pop()?;
    ensure(decide(&mut *prover, &mut pool, easy)?, "the prover stays usable")?;
    prover.set_limits(&Limits { deadline: Some(Instant::now()), ..Limits::default() });
    expect(&mut *prover, &pool, &[], &Status::Unknown(Reason::Timeout))
}

fn interrupts_from_outside(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_BV")?;
    let (hard, easy) = hard_and_easy(&mut pool);
    prover.push()?;
    assert(&mut *prover, &pool, hard)?;
    let interrupt = Interrupt::default();
    prover.set_limits(&Limits { interrupt: Some(interrupt.clone()), ..Limits::default() });
    let start = Instant::now();
    let watch = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupt.trigger();
    });
    let verdict = expect(&mut *prover, &pool, &[], &Status::Unknown(Reason::Interrupted));
    let took = start.elapsed();
    watch.join().map_err(|_| "the thread that interrupts failed")?;
    verdict?;
    ensure(took < Duration::from_secs(5), "the check reacts to the interrupt")?;
    prover.set_limits(&Limits::default());
    prover.pop()?;
    ensure(decide(&mut *prover, &mut pool, easy)?, "the prover stays usable")
}

fn misuse(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let [a] = variables(&mut pool);
    for _ in 0..2 {
        ensure(matches!(prover.pop(), Err(Reason::Misuse(_))), "a pop without push is misuse")?;
    }
    prover.push()?;
    assert(&mut *prover, &pool, a)?;
    prover.pop()?;
    ensure(matches!(prover.pop(), Err(Reason::Misuse(_))), "one pop too many is misuse")?;
    let not_a = pool.not(a);
    expect(&mut *prover, &pool, &[not_a], &Status::Sat)
}
