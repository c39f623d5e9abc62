//! Differential fuzzing of solvers, with a shrinker.
//!
//! A [`Case`] is a random sequence of pushes, pops, assertions and checks with assumptions over a
//! random [`Vocabulary`]. Every solver runs it, and each model is evaluated by the evaluator of
//! `terms` (the provers are wrapped into [`Checked`]). If the vocabulary is finite, the
//! [`Exhaustive`] prover runs it too; it decides every check and whether the solvers' cores are
//! unsatisfiable. A case *deviates* if two provers disagree, a model is wrong, a core is
//! satisfiable or malformed, or a prover fails; giving up is not a deviation.
//!
//! A deviating case is shrunk while it deviates: steps are removed, and terms are replaced by their
//! own subterms, by symbols and by constants. The result is a script to be kept under
//! `tests/smt/regressions/`.

use super::exhaustive::Exhaustive;
use super::random::{Random, Vocabulary};
use crate::minimize::{candidates, replace};
use crate::wrappers::{Checked, Faults, Recheck};
use crate::{Limits, Outcome, Prover, ProverFactory, Reason};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;
use terms::{Term, TermPool, print};

/// One step of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Opens a scope.
    Push,
    /// Closes a scope.
    Pop,
    /// Asserts a formula.
    Assert(Term),
    /// Checks under assumptions.
    Check(Vec<Term>),
}

/// A random case.
pub struct Case {
    /// The pool of the terms.
    pub pool: TermPool,
    /// The initial assertions: the ranges of integers.
    pub bounds: Vec<Term>,
    /// The steps; pops match pushes.
    pub steps: Vec<Step>,
    /// Whether it contains infinite sorts.
    pub is_wild: bool,
}

impl Case {
    /// The case of a seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let bits = 4 + random.below(9) as u32;
        let is_wild = random.chance(1, 4);
        let vocabulary = Vocabulary::random(&mut random, &mut pool, bits, is_wild);
        let mut steps = Vec::new();
        let mut depth = 0;
        let checks = 1 + random.below(10);
        let mut done = 0;
        while done < checks {
            match random.below(9) {
                0 | 1 if depth < 5 => {
                    depth += 1;
                    steps.push(Step::Push);
                }
                2 | 3 if depth > 0 => {
                    depth -= 1;
                    steps.push(Step::Pop);
                }
                0..=5 => {
                    let levels = 1 + random.below(5) as u32;
                    steps.push(Step::Assert(vocabulary.formula(&mut random, &mut pool, levels)));
                }
                _ => {
                    let count = random.pick(&[0, 0, 1, 2, 3]);
                    let assumptions = (0..count)
                        .map(|_| {
                            let levels = 1 + random.below(3) as u32;
                            vocabulary.formula(&mut random, &mut pool, levels)
                        })
                        .collect();
                    steps.push(Step::Check(assumptions));
                    done += 1;
                }
            }
        }
        Case { pool, bounds: vocabulary.bounds, steps, is_wild }
    }

    /// The case as a script. Assumptions, which are arbitrary terms, are asserted in a scope of
    /// their own.
    pub fn script(&self, comment: &str) -> String {
        let mut out = String::new();
        for line in comment.lines() {
            writeln!(out, "; {line}").expect("a string takes any text");
        }
        let assumptions = self.steps.iter().flat_map(|step| match step {
            Step::Assert(term) => std::slice::from_ref(term),
            Step::Check(assumptions) => assumptions.as_slice(),
            Step::Push | Step::Pop => &[],
        });
        let terms: Vec<Term> = self.bounds.iter().chain(assumptions).copied().collect();
        out.push_str("(set-logic ALL)\n");
        out.push_str(&print::declarations(&self.pool, &terms));
        let assert = |out: &mut String, term: Term| {
            writeln!(out, "(assert {})", print::term(&self.pool, term)).expect("a string takes any text");
        };
        self.bounds.iter().for_each(|&term| assert(&mut out, term));
        for step in &self.steps {
            match step {
                Step::Push => out.push_str("(push 1)\n"),
                Step::Pop => out.push_str("(pop 1)\n"),
                Step::Assert(term) => assert(&mut out, *term),
                Step::Check(assumptions) if assumptions.is_empty() => out.push_str("(check-sat)\n"),
                Step::Check(assumptions) => {
                    out.push_str("(push 1)\n");
                    assumptions.iter().for_each(|&term| assert(&mut out, term));
                    out.push_str("(check-sat)\n(pop 1)\n");
                }
            }
        }
        out
    }
}

/// The answer of a prover to a check.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Sat,
    /// With the core, if available.
    Unsat(Option<Vec<usize>>),
    Unknown(Reason),
}

/// The result of fuzzing.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Findings {
    /// The number of checks that every solver ran.
    pub checks: usize,
    /// The number of checks that the exhaustive prover decided.
    pub known: usize,
    /// The number of satisfiable checks among those.
    pub satisfiable: usize,
    /// For each solver and reason, the number of checks without an answer.
    pub gave_up: BTreeMap<String, usize>,
    /// The deviations, shrunk.
    pub deviations: Vec<Deviation>,
}

/// A case with a wrong answer or a failure.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Deviation {
    /// Its seed.
    pub seed: u64,
    /// A description of the deviation.
    pub what: String,
    /// The shrunk script.
    pub script: String,
}

/// The number of deviations after which fuzzing stops.
const ENOUGH_DEVIATIONS: usize = 5;

/// Runs cases from `seed` on, until `factories` have run `checks` checks or a handful of deviations
/// is found.
pub fn fuzz(factories: &[Rc<dyn ProverFactory>], seed: u64, checks: usize) -> Findings {
    let mut findings = Findings::default();
    let mut seed = seed;
    while findings.checks < checks && findings.deviations.len() < ENOUGH_DEVIATIONS {
        let mut case = Case::random(seed);
        if let Some(what) = examine(factories, &case, Some(&mut findings)) {
            let what = shrink(factories, &mut case).unwrap_or(what);
            let script = case.script(&format!("seed {seed}: {what}"));
            findings.deviations.push(Deviation { seed, what, script });
        }
        seed = seed.wrapping_add(1);
    }
    findings
}

/// A description of the first deviation in the answers to a case, if there is one.
fn examine(
    factories: &[Rc<dyn ProverFactory>],
    case: &Case,
    mut findings: Option<&mut Findings>,
) -> Option<String> {
    let reference = Exhaustive { points: 1 << 13, ..Exhaustive::default() };
    let known = run(&reference, case, None);
    let mut answers: Vec<(&str, Vec<Said>)> = Vec::new();
    for factory in factories {
        let checked =
            Checked { factory: factory.clone(), recheck: Recheck::Models, faults: Faults::default() };
        let cores = (!case.is_wild).then_some(&reference);
        match run(&checked, case, cores) {
            Ok(said) => answers.push((factory.name(), said)),
            Err(what) => return Some(format!("{}: {what}", factory.name())),
        }
    }
    let known = known.unwrap_or_default();
    let checks = case.steps.iter().filter(|step| matches!(step, Step::Check(_))).count();
    for check in 0..checks {
        if let Some(findings) = findings.as_deref_mut() {
            findings.checks += 1;
            let reference = known.get(check);
            findings.known += usize::from(matches!(reference, Some(Said::Sat | Said::Unsat(_))));
            findings.satisfiable += usize::from(matches!(reference, Some(Said::Sat)));
        }
        let (mut sat, mut unsat) = (None, None);
        for (name, said) in answers
            .iter()
            .map(|(name, said)| (*name, &said[check]))
            .chain(known.get(check).map(|said| ("exhaustive", said)))
        {
            match said {
                Said::Sat => sat = Some(name),
                Said::Unsat(_) => unsat = Some(name),
                Said::Unknown(reason @ (Reason::Fault(_) | Reason::Misuse(_))) => {
                    return Some(format!("check {check}: {name}: {reason}"));
                }
                Said::Unknown(reason) => {
                    if let Some(findings) = findings.as_deref_mut()
                        && name != "exhaustive"
                    {
                        *findings.gave_up.entry(format!("{name}: {reason}")).or_default() += 1;
                    }
                }
            }
        }
        if let (Some(sat), Some(unsat)) = (sat, unsat) {
            return Some(format!("check {check}: {sat} reports sat, {unsat} reports unsat"));
        }
    }
    None
}

/// The maximal time of one check.
const LONGEST_CHECK: Duration = Duration::from_secs(10);

/// Runs a case and compares cores with `reference`. An error is a deviation.
fn run(
    factory: &dyn ProverFactory,
    case: &Case,
    reference: Option<&Exhaustive>,
) -> Result<Vec<Said>, String> {
    let limits = Limits { time: Some(LONGEST_CHECK), ..Limits::default() };
    let mut prover = factory.new_prover("ALL", &limits).map_err(|reason| reason.to_string())?;
    // The assertions of each scope, and the reason if one of them was rejected.
    let mut scopes: Vec<(Vec<Term>, Option<Reason>)> = vec![Default::default()];
    let mut said = Vec::new();
    let bounds = case.bounds.iter().map(|&term| Step::Assert(term));
    for step in bounds.chain(case.steps.iter().cloned()) {
        match step {
            Step::Push => {
                prover.push().map_err(|reason| format!("push: {reason}"))?;
                scopes.push(Default::default());
            }
            Step::Pop => {
                prover.pop().map_err(|reason| format!("pop: {reason}"))?;
                scopes.pop();
            }
            Step::Assert(term) => {
                let scope = scopes.last_mut().expect("pops match pushes");
                match prover.assert(&case.pool, term) {
                    Ok(_) => scope.0.push(term),
                    Err(reason) => scope.1 = Some(reason),
                }
            }
            Step::Check(assumptions) => {
                if let Some(reason) = scopes.iter().find_map(|scope| scope.1.clone()) {
                    // An assertion is missing, so an answer would belong to a different query.
                    said.push(Said::Unknown(reason));
                    continue;
                }
                let answer = check(&mut *prover, &case.pool, &assumptions);
                if let (Said::Unsat(Some(core)), Some(reference)) = (&answer, reference) {
                    let formulas = scopes.iter().flat_map(|scope| scope.0.iter().copied());
                    check_core(reference, &case.pool, formulas.collect(), &assumptions, core)?;
                }
                said.push(answer);
            }
        }
    }
    Ok(said)
}

fn check(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term]) -> Said {
    match prover.check(pool, assumptions) {
        Outcome::Sat(_) => Said::Sat,
        Outcome::Unknown(reason) => Said::Unknown(reason),
        Outcome::Unsat(mut refutation) => match refutation.unsat_core() {
            Ok(core) => Said::Unsat(Some(core)),
            Err(Reason::Unsupported(_)) => Said::Unsat(None),
            Err(reason) => Said::Unknown(reason),
        },
    }
}

fn check_core(
    reference: &Exhaustive,
    pool: &TermPool,
    mut formulas: Vec<Term>,
    assumptions: &[Term],
    core: &[usize],
) -> Result<(), String> {
    if core.iter().any(|&index| index >= assumptions.len()) || !core.is_sorted_by(|a, b| a < b) {
        return Err(format!(
            "the core {core:?} is not an ascending list of indices of {} assumptions",
            assumptions.len()
        ));
    }
    formulas.extend(core.iter().map(|&index| assumptions[index]));
    let mut prover = reference.new_prover("ALL", &Limits::default()).map_err(|reason| reason.to_string())?;
    for formula in formulas {
        prover.assert(pool, formula).map_err(|reason| reason.to_string())?;
    }
    match prover.check(pool, &[]) {
        Outcome::Sat(_) => Err(format!("the core {core:?} is satisfiable")),
        _ => Ok(()),
    }
}

/// The maximal number of candidates.
const SHRINKING_ATTEMPTS: usize = 3000;

/// Shrinks a deviating case. Returns the description of the smallest deviation found; `None` if the
/// deviation does not reproduce.
pub fn shrink(factories: &[Rc<dyn ProverFactory>], case: &mut Case) -> Option<String> {
    let mut what = examine(factories, case, None)?;
    let mut attempts = 0;
    loop {
        let mut progress = false;
        let mut next = 0;
        while let Some(steps) = smaller(&mut case.pool, &case.steps, &mut next) {
            attempts += 1;
            if attempts > SHRINKING_ATTEMPTS {
                return Some(what);
            }
            let before = std::mem::replace(&mut case.steps, steps);
            match examine(factories, case, None) {
                Some(still) => {
                    what = still;
                    progress = true;
                    next = 0;
                }
                None => case.steps = before,
            }
        }
        if !progress {
            return Some(what);
        }
    }
}

/// The first candidate from number `next` on that is smaller than `steps`: candidates first omit a
/// step, then replace part of a formula.
fn smaller(pool: &mut TermPool, steps: &[Step], next: &mut usize) -> Option<Vec<Step>> {
    if *next < steps.len() {
        // Last steps first.
        let index = steps.len() - 1 - *next;
        *next += 1;
        return Some(without(steps, index));
    }
    let mut number = steps.len();
    for (index, step) in steps.iter().enumerate() {
        let terms: &[Term] = match step {
            Step::Assert(term) => std::slice::from_ref(term),
            Step::Check(assumptions) => assumptions,
            Step::Push | Step::Pop => &[],
        };
        for (position, &term) in terms.iter().enumerate() {
            if matches!(step, Step::Check(_)) {
                if number == *next {
                    *next += 1;
                    let mut fewer = terms.to_vec();
                    fewer.remove(position);
                    return Some(replaced(steps, index, Step::Check(fewer)));
                }
                number += 1;
            }
            for (part, simpler) in replacements(pool, term) {
                if number == *next {
                    *next += 1;
                    let new = replace(pool, term, part, simpler);
                    if pool.dag_size(new) >= pool.dag_size(term) {
                        number += 1;
                        continue;
                    }
                    let mut changed = terms.to_vec();
                    changed[position] = new;
                    let step = match step {
                        Step::Assert(_) => Step::Assert(new),
                        _ => Step::Check(changed),
                    };
                    return Some(replaced(steps, index, step));
                }
                number += 1;
            }
        }
    }
    None
}

fn replaced(steps: &[Step], index: usize, step: Step) -> Vec<Step> {
    let mut steps = steps.to_vec();
    steps[index] = step;
    steps
}

/// The steps without one, and without its partner if it opens or closes a scope.
fn without(steps: &[Step], index: usize) -> Vec<Step> {
    let mut open = Vec::new();
    let mut partner = None;
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Push => open.push(at),
            Step::Pop => {
                let push = open.pop();
                if at == index {
                    partner = push;
                } else if push == Some(index) {
                    partner = Some(at);
                }
            }
            _ => {}
        }
    }
    let kept = steps.iter().enumerate().filter(|&(at, _)| at != index && Some(at) != partner);
    kept.map(|(_, step)| step.clone()).collect()
}

/// Pairs of a subterm and a simpler term of its sort, large subterms first.
fn replacements(pool: &mut TermPool, root: Term) -> Vec<(Term, Term)> {
    let mut subterms = Vec::new();
    pool.visit(&[root], |_| true, |term| subterms.push(term));
    let mut pairs = Vec::new();
    for &term in subterms.iter().rev() {
        pairs.extend(candidates(pool, term).into_iter().map(|simpler| (term, simpler)));
    }
    pairs
}
