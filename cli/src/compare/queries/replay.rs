//! The answers of all solvers to one query, with their evidence checked.

use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolation, InterpolatorFactory, Preference, Problem, SolverFault};
use backends::{Limits, Outcome, ProverFactory, Reason, Status, Support, evaluate};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Term, TermPool};

/// The most assertions of a query with a core.
const MOST_ASSUMPTIONS: usize = 2000;

/// Everyone who answers.
pub(super) struct Judges {
    pub(super) solvers: Vec<Rc<dyn ProverFactory>>,
    pub(super) sources: Vec<Source>,
    pub(super) certifier: Certifier,
    /// The limit of each check.
    pub(super) time: Duration,
}

/// A source of interpolants, with the solver that it uses if it has none of its own.
pub(super) struct Source {
    pub(super) factory: Rc<dyn InterpolatorFactory>,
    pub(super) solver: Rc<dyn ProverFactory>,
}

/// The answers to a query.
pub(super) struct Answers {
    pub(super) checks: Vec<Checked>,
    pub(super) interpolants: Vec<Interpolated>,
}

/// The answer of a solver.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) solver: &'static str,
    pub(super) status: Status,
    pub(super) time: Duration,
    pub(super) evidence: Evidence,
    /// The number of assertions in the core.
    pub(super) core: Option<usize>,
}

/// The result of checking a model or a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// It is missing, or it could not be checked; the reason.
    Unchecked(String),
    /// The model satisfies all assertions; another solver refutes the core.
    Valid,
    /// The model violates an assertion; the core is satisfiable. The description.
    Wrong(String),
}

/// The answer of a source of interpolants.
pub(super) struct Interpolated {
    pub(super) source: &'static str,
    /// The number of distinct terms of all interpolants.
    pub(super) size: Result<usize, Reason>,
    pub(super) time: Duration,
    pub(super) fault: Option<SolverFault>,
}

impl Judges {
    /// The limits of one check.
    fn limits(&self) -> Limits {
        Limits { time: Some(self.time), ..Limits::default() }
    }

    pub(super) fn replay(
        &self,
        pool: &mut TermPool,
        logic: &str,
        formulas: &[Term],
        problem: Option<&Problem>,
    ) -> Answers {
        let mut checks = Vec::new();
        for solver in &self.solvers {
            let mut checked = self.check(pool, solver, logic, formulas);
            if checked.status == Status::Unsat {
                self.core(pool, solver, logic, formulas, &mut checked);
            }
            checks.push(checked);
        }
        let interpolants = problem.map_or(Vec::new(), |problem| {
            self.sources.iter().map(|source| self.interpolate(pool, source, problem)).collect()
        });
        Answers { checks, interpolants }
    }

    /// The answer of `solver`, with its model checked.
    pub(super) fn check(
        &self,
        pool: &TermPool,
        solver: &Rc<dyn ProverFactory>,
        logic: &str,
        formulas: &[Term],
    ) -> Checked {
        let start = Instant::now();
        let none = || Evidence::Unchecked("no evidence".to_owned());
        let run = || -> Result<(Status, Duration, Evidence), Reason> {
            let mut prover = solver.new_prover(logic, &self.limits())?;
            for &formula in formulas {
                prover.assert(pool, formula)?;
            }
            let outcome = prover.check(pool, &[]);
            let time = start.elapsed();
            Ok(match outcome {
                Outcome::Unsat(_) => (Status::Unsat, time, none()),
                Outcome::Unknown(reason) => (Status::Unknown(reason), time, none()),
                Outcome::Sat(mut model) => {
                    let evidence = match evaluate(&mut *model, pool, formulas) {
                        Err(reason) => Evidence::Unchecked(reason.to_string()),
                        Ok(found) => match (found.violated, found.unchecked.first()) {
                            (Some((_, what)), _) => Evidence::Wrong(what),
                            (None, Some((_, why))) => Evidence::Unchecked(why.clone()),
                            (None, None) => Evidence::Valid,
                        },
                    };
                    (Status::Sat, time, evidence)
                }
            })
        };
        let (status, time, evidence) =
            run().unwrap_or_else(|reason| (Status::Unknown(reason), start.elapsed(), none()));
        Checked { solver: solver.name(), status, time, evidence, core: None }
    }

    /// Asks for a core of the assertions, and checks it with another solver.
    fn core(
        &self,
        pool: &TermPool,
        solver: &Rc<dyn ProverFactory>,
        logic: &str,
        formulas: &[Term],
        checked: &mut Checked,
    ) {
        if formulas.len() > MOST_ASSUMPTIONS || solver.capabilities().unsat_cores == Support::None {
            return;
        }
        let Ok(mut prover) = solver.new_prover(logic, &self.limits()) else { return };
        let Outcome::Unsat(mut refutation) = prover.check(pool, formulas) else { return };
        let Ok(core) = refutation.unsat_core() else { return };
        let chosen: Option<Vec<Term>> = core.iter().map(|&index| formulas.get(index).copied()).collect();
        let Some(chosen) = chosen else {
            checked.evidence = Evidence::Wrong(format!("the core {core:?} has an unknown assertion"));
            return;
        };
        checked.core = Some(core.len());
        let Some(other) = self.solvers.iter().find(|other| other.name() != solver.name()) else { return };
        let again = self.check(pool, other, logic, &chosen);
        checked.evidence = match (again.status, again.evidence) {
            (Status::Unsat, _) => Evidence::Valid,
            (Status::Sat, Evidence::Valid) => {
                Evidence::Wrong(format!("the core is satisfiable: {} has a model", other.name()))
            }
            _ => Evidence::Unchecked(format!("{} does not decide the core", other.name())),
        };
    }

    fn interpolate(&self, pool: &mut TermPool, source: &Source, problem: &Problem) -> Interpolated {
        let start = Instant::now();
        let faults: Rc<RefCell<Vec<SolverFault>>> = Rc::default();
        let sink = Rc::clone(&faults);
        let made = source.factory.new_interpolator(&source.solver, Preference::default());
        let mut interpolation = Interpolation {
            budget: Some(self.time),
            certifier: Some(self.certifier.clone()),
            on_fault: Some(Box::new(move |fault| sink.borrow_mut().push(fault.clone()))),
            ..Interpolation::new(vec![made])
        };
        let size = interpolation.solve(pool, problem, &Limits::default()).map(|interpolants| {
            let conjunction = pool.and(&interpolants);
            pool.dag_size(conjunction)
        });
        let fault = faults.borrow_mut().pop();
        Interpolated { source: source.factory.name(), size, time: start.elapsed(), fault }
    }
}
