//! Which form interpolants get.
//!
//! # Idea
//! The exact form of an interpolant may need a few bits more than the words have; the narrow one is what a person would write, and cheaper for solvers,
//! but another formula: `y = 2x` over words is weaker than over integers, `x - y ≤ 5` is neither. It is used where it is inductive too:
//! if all narrow forms together are, these; otherwise from the leaves up each one that follows from its part and what was chosen below, and from
//! which, with its siblings, what is said above follows in its exact form. So at each moment the whole is inductive.
//!
//! Cost: at most one check for each part, and two more for each narrow form where not all will do.

use backends::interpolation::Problem;
use backends::{Limits, Outcome, Prover, ProverFactory, Reason};
use std::time::Duration;
use terms::{Term, TermPool};

/// The longest time for one check.
const LONGEST: Duration = Duration::from_millis(200);

/// One of `exact` and `narrow` for each part but the root, given that `exact` are interpolants.
///
/// # Errors
/// What `limits` say.
pub(super) fn choose(
    pool: &mut TermPool,
    problem: &Problem,
    checker: &dyn ProverFactory,
    exact: Vec<Term>,
    narrow: &[Term],
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    if exact == narrow {
        return Ok(exact);
    }
    match compare(pool, problem, checker, &exact, narrow, limits) {
        Ok(chosen) => Ok(chosen),
        // A checker that fails is no reason not to answer.
        Err(_) => limits.exceeded().map_or(Ok(exact), Err),
    }
}

fn compare(
    pool: &mut TermPool,
    problem: &Problem,
    checker: &dyn ProverFactory,
    exact: &[Term],
    narrow: &[Term],
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    let limits = Limits { time: Some(LONGEST), ..limits.clone() };
    let mut prover = checker.new_prover("ALL", &limits)?;
    let children = problem.tree.children();
    let is_concerned = |part: usize| exact.get(part) != narrow.get(part);
    // The first that fails says that they do not do together.
    let mut are_inductive = true;
    for (part, below) in children.iter().enumerate() {
        if is_concerned(part) || below.iter().any(|&child| is_concerned(child)) {
            are_inductive = is_inductive(pool, &mut *prover, problem, below, narrow, part, narrow)?;
            if !are_inductive {
                break;
            }
        }
    }
    if are_inductive {
        return Ok(narrow.to_vec());
    }
    let mut chosen = exact.to_vec();
    for part in 0..exact.len() {
        if !is_concerned(part) {
            continue;
        }
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let above = problem.tree.parent(part).expect("only the root has no parent");
        chosen[part] = narrow[part];
        let is_good = is_inductive(pool, &mut *prover, problem, &children[part], &chosen, part, &chosen)?
            && is_inductive(pool, &mut *prover, problem, &children[above], &chosen, above, exact)?;
        if !is_good {
            chosen[part] = exact[part];
        }
    }
    Ok(chosen)
}

/// Whether `part` and what `below` says of its children imply what `said` says of it; not, if this is not found out in time.
fn is_inductive(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    problem: &Problem,
    children: &[usize],
    below: &[Term],
    part: usize,
    said: &[Term],
) -> Result<bool, Reason> {
    let mut conjuncts = problem.parts[part].clone();
    conjuncts.extend(children.iter().map(|&child| below[child]));
    if let Some(&said) = said.get(part) {
        if conjuncts.contains(&said) {
            return Ok(true);
        }
        conjuncts.push(pool.not(said));
    }
    prover.push()?;
    let asserted = conjuncts.iter().try_for_each(|&conjunct| prover.assert(pool, conjunct).map(|_| ()));
    let answer = asserted.map(|()| matches!(prover.check(pool, &[]), Outcome::Unsat(_)));
    prover.pop()?;
    answer
}
