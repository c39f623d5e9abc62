//! The conformance suite for solvers and sources of interpolants.
//!
//! [`examine`] runs all checks on a solver and [`examine_interpolator`] on a source. The result is
//! data ([`Report`]), from which [`markdown`] generates the table of the documentation. [`run`] is
//! for the tests of the packages: it returns only the failures. Each check states one obligation of
//! the contract over one theory. Checks of features that a backend claims in its [`Capabilities`]
//! must pass; other checks run as well, but there only a wrong answer is a failure.
//!
//! No answer is trusted: models are evaluated by the evaluator of `terms` under their values of
//! symbols and functions, cores are checked again, eliminations and projections are compared with
//! enumeration, interpolants are certified, and random sequences of operations are compared with an
//! [exhaustive](exhaustive::Exhaustive) prover.
//!
//! | module | contents |
//! |---|---|
//! | `core`, `incremental`, `enumeration` | scopes, assumptions, cores, limits, misuse, sizes; random operations; all models, minimal cores |
//! | `bit_vectors`, `floats`, `numbers`, `containers`, `quantifiers` | one theory each, or a few |
//! | [`interpolants`] | problems for sources |
//! | [`exhaustive`], [`random`], [`fuzz`] | the reference by enumeration; random cases; differential fuzzing with a shrinker |

mod bit_vectors;
mod containers;
mod core;
mod enumeration;
pub mod exhaustive;
mod floats;
pub mod fuzz;
mod incremental;
pub mod interpolants;
mod numbers;
mod quantifiers;
pub mod random;
mod report;
#[cfg(test)]
mod tests;

pub use interpolants::examine_interpolator;
pub use report::{Outcome, Report, Row, Weight, markdown};

use crate::effort::Moment;
use crate::evaluate::{Evaluation, evaluate};
use crate::{Capabilities, Limits, Model, Outcome as Answer, Prover, ProverFactory, Reason, Status, Support};
use report::Failure;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use terms::{Term, TermPool, Value};

type Verdict = Result<(), Failure>;

/// A check, with its theory and feature.
struct Check {
    theory: &'static str,
    feature: &'static str,
    name: &'static str,
    weight: Weight,
    /// Further theories that its formulas contain.
    others: &'static [&'static str],
    run: fn(&dyn ProverFactory) -> Verdict,
}

/// Features that have a field of [`Capabilities`]; all others are claimed together with the theory.
const MODELS: &str = "models";
const CORES: &str = "unsat cores";
const QUANTIFIERS: &str = "quantifiers";
const ELIMINATION: &str = "quantifier elimination";
const PROJECTION: &str = "projection";

impl Check {
    const fn new(
        theory: &'static str,
        feature: &'static str,
        name: &'static str,
        run: fn(&dyn ProverFactory) -> Verdict,
    ) -> Self {
        Check { theory, feature, name, weight: Weight::Obligation, others: &[], run }
    }

    const fn extra(
        theory: &'static str,
        feature: &'static str,
        name: &'static str,
        run: fn(&dyn ProverFactory) -> Verdict,
    ) -> Self {
        Check { theory, feature, name, weight: Weight::Extra, others: &[], run }
    }

    /// The same check, whose formulas contain further theories.
    const fn with(self, others: &'static [&'static str]) -> Self {
        Check { others, ..self }
    }

    fn is_claimed(&self, capabilities: &Capabilities) -> bool {
        let feature = match self.feature {
            MODELS => capabilities.models,
            CORES => capabilities.unsat_cores,
            QUANTIFIERS => capabilities.quantifiers,
            ELIMINATION => capabilities.quantifier_elimination,
            PROJECTION => capabilities.projection,
            _ => Support::Full,
        };
        let has = |theory: &&str| *theory == "Core" || capabilities.theories.contains(theory);
        feature != Support::None && has(&self.theory) && self.others.iter().all(has)
    }
}

/// Runs the whole suite on a solver, and calls `watch` with the result of each check.
pub fn examine(factory: &dyn ProverFactory, watch: &mut dyn FnMut(&Row)) -> Report {
    let capabilities = factory.capabilities();
    let tables = [
        core::CHECKS,
        incremental::CHECKS,
        enumeration::CHECKS,
        numbers::CHECKS,
        bit_vectors::CHECKS,
        floats::CHECKS,
        containers::CHECKS,
        quantifiers::CHECKS,
    ];
    let rows = tables
        .into_iter()
        .flatten()
        .map(|check| {
            let start = Instant::now();
            let outcome = guarded(|| (check.run)(factory));
            let row = Row {
                theory: check.theory,
                feature: check.feature,
                check: check.name.to_owned(),
                is_claimed: check.is_claimed(&capabilities),
                weight: check.weight,
                outcome,
                time: start.elapsed(),
            };
            watch(&row);
            row
        })
        .collect();
    Report { backend: factory.name().to_owned(), rows }
}

/// The failures of the suite, each with the name of its check.
pub fn run(factory: &dyn ProverFactory) -> Vec<String> {
    examine(factory, &mut |_| {}).failures()
}

/// The outcome of a check; a panic is a failure.
fn guarded(check: impl FnOnce() -> Verdict) -> Outcome {
    END.set(Some(Moment::now().after(LONGEST_CHECK)));
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(failure)) => failure.into(),
        Err(panic) => {
            let what = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no text");
            Outcome::Failed(format!("panic: {what}"))
        }
    }
}

/// The maximal time of a single query. Generous: a solver that needs it is slow, not wrong.
const LONGEST_QUERY: Duration = Duration::from_secs(90);

/// The maximal effort of a check. Some have hundreds of queries, so without this limit the suite
/// would take hours on a slow solver.
const LONGEST_CHECK: Duration = Duration::from_secs(120);

thread_local! {
    /// The end of the running check.
    static END: Cell<Option<Moment>> = const { Cell::new(None) };
}

fn prover(factory: &dyn ProverFactory, logic: &str) -> Result<Box<dyn Prover>, Failure> {
    let limits = Limits { time: Some(LONGEST_QUERY), effort: END.get(), ..Limits::default() };
    Ok(factory.new_prover(logic, &limits)?)
}

fn expect(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term], expected: &Status) -> Verdict {
    match (prover.status(pool, assumptions), expected) {
        (status, expected) if status == *expected => Ok(()),
        (Status::Unknown(reason), Status::Sat | Status::Unsat)
        | (Status::Unknown(reason @ Reason::Unsupported(_)), _) => Err(reason.into()),
        (status, expected) => Err(format!("{status:?} instead of {expected:?}").into()),
    }
}

fn assert(prover: &mut dyn Prover, pool: &TermPool, formula: Term) -> Verdict {
    prover.assert(pool, formula)?;
    Ok(())
}

/// Whether `formula` is satisfiable; a model is checked.
fn decide(prover: &mut dyn Prover, pool: &mut TermPool, formula: Term) -> Result<bool, Failure> {
    prover.push()?;
    // If the solver rejects the formula, the scope stays open; the caller then abandons the prover.
    assert(prover, pool, formula)?;
    let answer = match prover.check(pool, &[]) {
        Answer::Sat(mut model) => check_model(&mut *model, pool, formula).map(|()| true),
        Answer::Unsat(_) => Ok(false),
        Answer::Unknown(reason) => Err(reason.into()),
    };
    prover.pop()?;
    answer
}

/// Checks that `formula` is true under the model's values of its symbols and functions, and under
/// the model's own evaluation.
fn check_model(model: &mut dyn Model, pool: &TermPool, formula: Term) -> Verdict {
    let Evaluation { violated, unchecked } = evaluate(model, pool, &[formula])?;
    if let Some((_, what)) = violated {
        return Err(format!("wrong model: {what}").into());
    }
    if let Some((_, why)) = unchecked.first() {
        return Err(format!("the model cannot be evaluated: {why}").into());
    }
    let own = model.eval(pool, formula)?;
    ensure(own == Value::Bool(true), "the model itself does not evaluate the formula to true")
}

fn ensure(holds: bool, what: &str) -> Verdict {
    if holds { Ok(()) } else { Err(what.into()) }
}
