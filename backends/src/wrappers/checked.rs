//! Provers whose answers are checked before they are returned.
//!
//! After `Sat`, every assertion of the open scopes and every assumption is evaluated under the
//! model, by the evaluator of `terms`. If one is false, the answer becomes [`Reason::Fault`], and
//! [`Faults`] keeps the case with a script that reproduces it. Formulas that cannot be evaluated
//! (quantifiers) count as unchecked. After `Unsat`, another solver may check the query as well; its
//! `Sat` counts only with a model under which all formulas evaluate to true.
//!
//! Cost: a satisfiable check evaluates all assertions, even if only few of them are new.

use crate::evaluate::{Evaluation, evaluate};
use crate::log::LayerLog;
use crate::{Limits, Model, Outcome, Prover, ProverFactory, Reason, SharedLog, Wrapper};
use std::cell::RefCell;
use std::rc::Rc;
use terms::{Symbol, Term, TermPool, print};

/// A factory of provers whose answers are checked.
#[derive(Clone)]
pub struct Checked {
    /// The solver.
    pub factory: Rc<dyn ProverFactory>,
    /// The answers to check.
    pub recheck: Recheck,
    /// Faults and counts, shared by all provers of this factory.
    pub faults: Faults,
}

/// The answers to check.
#[derive(Clone)]
pub enum Recheck {
    /// Models, by evaluation.
    Models,
    /// Also `Unsat`, by this solver, within the limits of the first solver.
    All(Rc<dyn ProverFactory>),
}

/// Faults and counts of checked answers. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Faults(Rc<RefCell<Found>>);

#[derive(Debug, Default)]
struct Found {
    faults: Vec<ModelFault>,
    counts: CheckedCounts,
}

/// A wrong answer of a solver.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ModelFault {
    /// The solver that gave the answer.
    pub solver: String,
    /// A description of the fault.
    pub what: String,
    /// The query as a script.
    pub script: String,
}

/// Numbers of checked answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct CheckedCounts {
    /// Models under which all formulas are true.
    pub models: u64,
    /// Models under which no formula is false, but some could not be evaluated.
    pub partly_checked_models: u64,
    /// Answers `Unsat` that the other solver confirmed.
    pub confirmed: u64,
    /// Answers `Unsat` that the other solver could not decide.
    pub unconfirmed: u64,
    /// Wrong answers.
    pub faults: u64,
}

/// The number of faults whose texts are kept; later ones are only counted.
const KEPT_FAULTS: usize = 100;

impl Faults {
    /// The counts so far.
    pub fn counts(&self) -> CheckedCounts {
        self.0.borrow().counts
    }

    /// The first hundred faults.
    pub fn list(&self) -> Vec<ModelFault> {
        self.0.borrow().faults.clone()
    }

    fn count(&self, which: impl FnOnce(&mut CheckedCounts) -> &mut u64) {
        *which(&mut self.0.borrow_mut().counts) += 1;
    }

    fn add(&self, fault: impl FnOnce() -> ModelFault) {
        self.count(|counts| &mut counts.faults);
        let mut found = self.0.borrow_mut();
        if found.faults.len() < KEPT_FAULTS {
            let fault = fault();
            found.faults.push(fault);
        }
    }
}

impl Wrapper for Checked {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let other = match &self.recheck {
            Recheck::Models => None,
            // A solver that does not support the logic confirms nothing.
            Recheck::All(factory) => factory.new_prover(logic, limits).ok().map(|prover| Other {
                prover,
                name: factory.name(),
                scopes: 0,
                incomplete_since: None,
            }),
        };
        let inner = self.factory.new_prover(logic, limits)?;
        Ok(Box::new(CheckedProver {
            log: LayerLog::around(&*inner),
            inner,
            name: self.factory.name(),
            wants_confirmation: matches!(self.recheck, Recheck::All(_)),
            other,
            faults: self.faults.clone(),
        }))
    }
}

struct CheckedProver {
    inner: Box<dyn Prover>,
    name: &'static str,
    wants_confirmation: bool,
    other: Option<Other>,
    log: LayerLog,
    faults: Faults,
}

/// The confirming solver, with the same assertions.
struct Other {
    prover: Box<dyn Prover>,
    name: &'static str,
    scopes: usize,
    /// The depth of the outermost open scope with an assertion that this solver rejected.
    incomplete_since: Option<usize>,
}

impl Prover for CheckedProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()?;
        self.log.push();
        if let Some(other) = &mut self.other {
            other.scopes += 1;
            if other.prover.push().is_err() {
                self.other = None;
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()?;
        self.log.pop();
        if let Some(other) = &mut self.other {
            other.incomplete_since = other.incomplete_since.filter(|&depth| depth < other.scopes);
            other.scopes = other.scopes.saturating_sub(1);
            if other.prover.pop().is_err() {
                self.other = None;
            }
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.inner.assert(pool, formula)?;
        self.log.assert(formula);
        if let Some(other) = &mut self.other
            && other.prover.assert(pool, formula).is_err()
        {
            let depth = other.scopes;
            other.incomplete_since.get_or_insert(depth);
        }
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        let CheckedProver { inner, name, wants_confirmation, other, log, faults } = self;
        match inner.check(pool, assumptions) {
            Outcome::Sat(mut model) => match believe(&mut *model, pool, &log.with(assumptions), name, faults)
            {
                Ok(()) => Outcome::Sat(model),
                Err(reason) => Outcome::Unknown(reason),
            },
            Outcome::Unsat(refutation) => {
                if *wants_confirmation
                    && let Err(reason) = confirm(other.as_mut(), pool, log, assumptions, name, faults)
                {
                    return Outcome::Unknown(reason);
                }
                Outcome::Unsat(refutation)
            }
            unknown @ Outcome::Unknown(_) => unknown,
        }
    }

    fn log(&self) -> Option<SharedLog> {
        Some(self.log.share())
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.inner.set_limits(limits);
        if let Some(other) = &mut self.other {
            other.prover.set_limits(limits);
        }
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        self.inner.eliminate(pool, formula, variables)
    }
}

/// Evaluates all formulas in the model. Returns a [`Reason::Fault`] if one is false.
fn believe(
    model: &mut dyn Model,
    pool: &TermPool,
    formulas: &[Term],
    solver: &str,
    faults: &Faults,
) -> Result<(), Reason> {
    let Evaluation { violated, unchecked } = evaluate(model, pool, formulas)?;
    match violated {
        None if unchecked.is_empty() => faults.count(|counts| &mut counts.models),
        None => faults.count(|counts| &mut counts.partly_checked_models),
        Some((formula, what)) => {
            let position = formulas.iter().position(|&other| other == formula).unwrap_or_default();
            let what = format!("wrong model: formula {position} is violated; {what}");
            faults.add(|| fault(pool, formulas, solver, &what, "unknown"));
            return Err(Reason::Fault(what));
        }
    }
    Ok(())
}

/// Checks the formulas with the other solver, which should find them unsatisfiable.
fn confirm(
    other: Option<&mut Other>,
    pool: &TermPool,
    log: &LayerLog,
    assumptions: &[Term],
    solver: &str,
    faults: &Faults,
) -> Result<(), Reason> {
    let Some(other) = other.filter(|other| other.incomplete_since.is_none()) else {
        faults.count(|counts| &mut counts.unconfirmed);
        return Ok(());
    };
    match other.prover.check(pool, assumptions) {
        Outcome::Unsat(_) => faults.count(|counts| &mut counts.confirmed),
        Outcome::Unknown(_) => faults.count(|counts| &mut counts.unconfirmed),
        Outcome::Sat(mut model) => {
            let formulas = log.with(assumptions);
            match evaluate(&mut *model, pool, &formulas) {
                Ok(Evaluation { violated: None, unchecked }) if unchecked.is_empty() => {
                    let what = format!("wrong unsat: {} has a model that satisfies all formulas", other.name);
                    faults.add(|| fault(pool, &formulas, solver, &what, "sat"));
                    return Err(Reason::Fault(what));
                }
                Ok(Evaluation { violated: Some((_, what)), .. }) => {
                    let what = format!("wrong model of a formula that {solver} reports unsat: {what}");
                    faults.add(|| fault(pool, &formulas, other.name, &what, "unsat"));
                    faults.count(|counts| &mut counts.unconfirmed);
                }
                Ok(_) => {
                    // One of the two answers is wrong; which one is unknown.
                    let what = format!("{} reports sat, with a model that cannot be evaluated", other.name);
                    faults.add(|| fault(pool, &formulas, solver, &what, "unknown"));
                    return Err(Reason::Fault(what));
                }
                Err(_) => faults.count(|counts| &mut counts.unconfirmed),
            }
        }
    }
    Ok(())
}

fn fault(pool: &TermPool, formulas: &[Term], solver: &str, what: &str, status: &str) -> ModelFault {
    let header = format!("; {solver}: {}\n(set-info :status {status})\n", what.replace('\n', " "));
    let mut script = String::new();
    print::Script {
        logic: Some("ALL"),
        header: &header,
        assertions: formulas,
        footer: "(check-sat)\n(get-model)\n",
    }
    .write(&mut script, pool)
    .expect("a string takes any text");
    ModelFault { solver: solver.to_owned(), what: what.to_owned(), script }
}
