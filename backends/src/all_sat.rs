//! Enumeration of all models over given literals, backbones, and minimal unsat cores.
//!
//! # All models
//! Lahiri, Nieuwenhuis, Oliveras, *SMT Techniques for Fast Predicate Abstraction*, CAV 2006: check,
//! report the values of the literals in the model, block this assignment with a clause, and repeat
//! until the formula is unsatisfiable.
//!
//! DIVERGENCE: cubes are total. A cube without a literal stands for models of *both* signs of that
//! literal, and confirming that both exist takes another query. That the formula is true in the
//! model for either value of the literal proves nothing if the literals are predicates over
//! constrained variables. A caller that needs few large cubes builds a decision diagram from the
//! total ones.
//!
//! Cost: one check per cube and one final check. For n unconstrained literals there are 2ⁿ cubes,
//! so the callback may stop the enumeration.
//!
//! # Backbones
//! The literals with the same value in all models: Janota, Lynce, Marques-Silva, *Algorithms for
//! Computing Backbones of Propositional Formulae*, AI Communications 2015, the algorithm that asks
//! for a model in which *some* of the remaining candidates has another value. Each model removes
//! candidates, so there are at most as many checks as literals that are not in the backbone, and
//! one more.
//!
//! # Minimal cores
//! Deletion: the search removes each assumption of a core once; if the rest is unsatisfiable, its
//! core replaces the current one. At most one check for each assumption in the solver's first core.
//! The result is minimal (no proper subset suffices), not smallest. An assumption is kept if the
//! check without it is `Unknown`.

use crate::{Outcome, Prover, Reason};
use std::ops::ControlFlow;
use terms::{Sort, Term, TermPool, Value};

/// The end of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllSat {
    /// All cubes were reported; their number.
    Complete(usize),
    /// The callback stopped the enumeration after this number of cubes.
    Stopped(usize),
}

/// Calls `on_cube` for each cube: the values of `literals` (Boolean terms), in their order, in some
/// model of the assertions of `prover`. Each cube occurs once. The assertions are unchanged
/// afterwards.
///
/// # Errors
/// [`Reason::Misuse`] if a literal is not Boolean; otherwise the failure of a check, a model or a
/// scope. The cubes reported before a failure are correct, but may be incomplete.
pub fn all_sat(
    prover: &mut dyn Prover,
    pool: &mut TermPool,
    literals: &[Term],
    on_cube: &mut dyn FnMut(&[bool]) -> ControlFlow<()>,
) -> Result<AllSat, Reason> {
    check_boolean(pool, literals)?;
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
    while let Some(cube) = next_cube(prover, pool, &[], literals)? {
        count += 1;
        if on_cube(&cube).is_break() {
            return Ok(AllSat::Stopped(count));
        }
        let clause = excluding(pool, literals.iter().copied().zip(cube));
        prover.assert(pool, clause)?;
    }
    Ok(AllSat::Complete(count))
}

fn check_boolean(pool: &TermPool, literals: &[Term]) -> Result<(), Reason> {
    if literals.iter().any(|&literal| pool.sort(literal) != Sort::Bool) {
        return Err(Reason::Misuse("the literals of an enumeration must be Boolean".to_owned()));
    }
    Ok(())
}

/// The values of `literals` in a model of the assertions and `assumptions`; `None` if there is no
/// model.
fn next_cube(
    prover: &mut dyn Prover,
    pool: &TermPool,
    assumptions: &[Term],
    literals: &[Term],
) -> Result<Option<Vec<bool>>, Reason> {
    let values = match prover.check(pool, assumptions) {
        Outcome::Sat(mut model) => model.eval_all(pool, literals)?,
        Outcome::Unsat(_) => return Ok(None),
        Outcome::Unknown(reason) => return Err(reason),
    };
    let cube = values.iter().map(Value::as_bool).collect::<Option<Vec<bool>>>();
    cube.filter(|cube| cube.len() == literals.len())
        .map(Some)
        .ok_or_else(|| Reason::Fault("a Boolean term without a Boolean value".to_owned()))
}

/// The clause that excludes a cube: some literal has another value.
pub fn excluding(pool: &mut TermPool, cube: impl IntoIterator<Item = (Term, bool)>) -> Term {
    let mut clause = Vec::new();
    for (literal, value) in cube {
        clause.push(if value { pool.not(literal) } else { literal });
    }
    pool.or(&clause)
}

/// What all models of the assertions say about literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backbone {
    /// For each literal, its value in all models; `None` if both occur.
    pub values: Vec<Option<bool>>,
    /// The cubes of the models that show this. They differ from each other in literals without a
    /// common value.
    pub cubes: Vec<Vec<bool>>,
}

/// Returns the backbone of `literals` (Boolean terms) in the models of the assertions; `None` if
/// there is no model.
///
/// # Errors
/// As for [`all_sat`].
pub fn backbone(
    prover: &mut dyn Prover,
    pool: &mut TermPool,
    literals: &[Term],
) -> Result<Option<Backbone>, Reason> {
    check_boolean(pool, literals)?;
    let Some(first) = next_cube(prover, pool, &[], literals)? else { return Ok(None) };
    let mut values: Vec<Option<bool>> = first.iter().copied().map(Some).collect();
    let mut cubes = vec![first];
    while values.iter().any(Option::is_some) {
        let candidates =
            literals.iter().zip(&values).filter_map(|(&literal, &value)| Some((literal, value?)));
        let another = excluding(pool, candidates);
        let Some(cube) = next_cube(prover, pool, &[another], literals)? else { break };
        for (value, &now) in values.iter_mut().zip(&cube) {
            *value = value.filter(|&before| before == now);
        }
        cubes.push(cube);
    }
    Ok(Some(Backbone { values, cubes }))
}

/// Returns the indices, ascending, of assumptions that are unsatisfiable together with the
/// assertions of `prover` and minimal as far as the solver can decide. `None` if all assumptions
/// together are satisfiable.
///
/// # Errors
/// The reason if the first check is `Unknown`, or a failure of the solver's cores other than
/// [`Reason::Unsupported`].
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
    // Removing any assumption before `needed` failed, so removing it from a subset of the core
    // fails too.
    let mut needed = 0;
    while needed < core.len() {
        let mut rest = core.clone();
        rest.remove(needed);
        match core_within(prover, pool, assumptions, &rest) {
            Tried::Core(smaller) => {
                let smaller = smaller?;
                // Needed assumptions are in the core of every subset, except after an `Unknown`
                // check.
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

/// A core among the assumptions with these indices.
fn core_within(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term], within: &[usize]) -> Tried {
    let chosen: Vec<Term> = within.iter().map(|&index| assumptions[index]).collect();
    match prover.check(pool, &chosen) {
        Outcome::Sat(_) => Tried::Sat,
        Outcome::Unknown(reason) => Tried::Open(reason),
        Outcome::Unsat(mut refutation) => Tried::Core(match refutation.unsat_core() {
            Ok(core) if core.iter().any(|&index| index >= within.len()) => {
                Err(Reason::Fault("the unsat core contains an index outside of the assumptions".to_owned()))
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
