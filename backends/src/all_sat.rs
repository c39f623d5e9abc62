//! Enumeration: all models over given literals, and cores that are minimal.
//!
//! # All models
//! Lahiri, Nieuwenhuis, Oliveras: *SMT techniques for fast predicate abstraction* (CAV 2006): check, report the values of
//! the literals in the model, assert that not all of them are so again, until there is no model left.
//!
//! DIVERGENCE: cubes are total. A cube with a literal left out stands for models of *both* signs, and that both exist is
//! another query; that the formula is true whatever the literal is (which the model alone shows) says nothing when the
//! literals are predicates over what the formula constrains. A caller that wants few large cubes builds a decision diagram of
//! the total ones.
//!
//! Cost: one check a cube and one for the end; n literals without any constraint have 2ⁿ cubes, which is why the callback may
//! stop.
//!
//! # Minimal cores
//! Deletion: each assumption of a core is left out once; what the solver then proves with fewer becomes the core. At most one
//! check for each assumption in the solver's own core. The result is minimal (no proper subset suffices), not smallest; an
//! assumption without which the solver has no answer is kept.

use crate::{Outcome, Prover, Reason};
use std::ops::ControlFlow;
use terms::{Sort, Term, TermPool, Value};

/// How an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllSat {
    /// There is no other cube. How many there are.
    Complete(usize),
    /// The callback stopped it after so many cubes.
    Stopped(usize),
}

/// Calls `on_cube` with each cube: the values of `literals` (Boolean terms), in their order, in some model of what `prover`
/// has asserted. No cube comes twice. What is asserted is the same afterwards.
///
/// # Errors
/// [`Reason::Misuse`] if a literal is not Boolean, otherwise what a check, a model or a scope said; the cubes reported
/// before are right then, but may not be all.
pub fn all_sat(
    prover: &mut dyn Prover,
    pool: &mut TermPool,
    literals: &[Term],
    on_cube: &mut dyn FnMut(&[bool]) -> ControlFlow<()>,
) -> Result<AllSat, Reason> {
    if literals.iter().any(|&literal| pool.sort(literal) != Sort::Bool) {
        return Err(Reason::Misuse("the literals of an enumeration have to be Boolean".to_owned()));
    }
    prover.push()?;
    let result = enumerate(prover, pool, literals, on_cube);
    let popped = prover.pop();
    let result = result?;
    popped.map(|()| result)
}

fn enumerate(
    prover: &mut dyn Prover,
    pool: &mut TermPool,
    literals: &[Term],
    on_cube: &mut dyn FnMut(&[bool]) -> ControlFlow<()>,
) -> Result<AllSat, Reason> {
    let mut count = 0;
    loop {
        let values = match prover.check(pool, &[]) {
            Outcome::Sat(mut model) => model.eval_all(pool, literals)?,
            Outcome::Unsat(_) => return Ok(AllSat::Complete(count)),
            Outcome::Unknown(reason) => return Err(reason),
        };
        let cube = values
            .iter()
            .map(Value::as_bool)
            .collect::<Option<Vec<bool>>>()
            .filter(|cube| cube.len() == literals.len())
            .ok_or_else(|| Reason::Fault("a Boolean term without a Boolean value".to_owned()))?;
        count += 1;
        if on_cube(&cube).is_break() {
            return Ok(AllSat::Stopped(count));
        }
        let clause: Vec<Term> = literals
            .iter()
            .zip(&cube)
            .map(|(&literal, &value)| if value { pool.not(literal) } else { literal })
            .collect();
        let clause = pool.or(&clause);
        prover.assert(pool, clause)?;
    }
}

/// Indices of assumptions, ascending, that are unsatisfiable together with what `prover` has asserted and of which none can
/// be left out, as far as the solver can tell. None if all assumptions together are satisfiable.
///
/// # Errors
/// What the first check said if it has no answer, and what is wrong with the solver's cores, except that it has none.
pub fn minimal_core(
    prover: &mut dyn Prover,
    pool: &TermPool,
    assumptions: &[Term],
) -> Result<Option<Vec<usize>>, Reason> {
    let all: Vec<usize> = (0..assumptions.len()).collect();
    let mut core = match core_within(prover, pool, assumptions, &all) {
        Tried::Core(core) => core?,
        Tried::Sat => return Ok(None),
        Tried::Open(reason) => return Err(reason),
    };
    // All before `needed` was tried without success, which also holds for any subset of the core.
    let mut needed = 0;
    while needed < core.len() {
        let mut rest = core.clone();
        rest.remove(needed);
        match core_within(prover, pool, assumptions, &rest) {
            Tried::Core(smaller) => {
                let smaller = smaller?;
                // What was found to be needed is in every core of a subset, unless the solver had no answer before.
                needed = smaller.iter().take_while(|index| core[..needed].contains(index)).count();
                core = smaller;
            }
            Tried::Sat => needed += 1,
            Tried::Open(reason @ Reason::Interrupted) => return Err(reason),
            Tried::Open(_) => needed += 1,
        }
    }
    Ok(Some(core))
}

enum Tried {
    Core(Result<Vec<usize>, Reason>),
    Sat,
    Open(Reason),
}

/// A core within the assumptions with these indices.
fn core_within(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term], within: &[usize]) -> Tried {
    let chosen: Vec<Term> = within.iter().map(|&index| assumptions[index]).collect();
    match prover.check(pool, &chosen) {
        Outcome::Sat(_) => Tried::Sat,
        Outcome::Unknown(reason) => Tried::Open(reason),
        Outcome::Unsat(mut refutation) => Tried::Core(match refutation.unsat_core() {
            Ok(core) if core.iter().any(|&index| index >= within.len()) => {
                Err(Reason::Fault("a core with an assumption that was not made".to_owned()))
            }
            Ok(mut core) => {
                core.sort_unstable();
                core.dedup();
                Ok(core.into_iter().map(|index| within[index]).collect())
            }
            Err(Reason::Unsupported(_)) => Ok(within.to_vec()),
            Err(reason) => Err(reason),
        }),
    }
}
