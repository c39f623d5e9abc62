//! Engines for Horn clauses in place of the step case.
//!
//! *Idea.* The proof rules of a program are Horn clauses over unknown predicates: loop invariants,
//! and for each function a precondition, which its calling context implies, and a postcondition. A
//! model of the clauses is a proof, and any solver of Horn clauses may search for it. All functions
//! that are called remain [procedures](crate::procedures), so the contract of a function is found
//! once for all of its calls, and the clauses of calls are nonlinear.
//!
//! The clauses are [transformed](crate::horn), then the engines take turns. A model of the result,
//! mapped back through the transformations, is [checked](crate::models) on the clauses
//! of the program before it becomes the certificate, so a wrong model costs time and no verdict. If
//! the clauses derive an error, no model exists. An engine that claims this has to give facts from
//! which a derivation is built, mapped back and evaluated on the clauses of the program, and
//! [replayed](super::derivation) as a run. If it is no run, because it leads to an unsupported
//! construct or because the clauses over-approximate the program, the search for a run is left to
//! the base case.
//!
//! Sources: Grebenshchikov, Lopes, Popeea, Rybalchenko, *Synthesizing Software Verifiers from Proof
//! Rules*, PLDI 2012 (programs as Horn clauses, solvers as parameters); Gurfinkel, Kahsai,
//! Komuravelli, Navas, *The SeaHorn Verification Framework*, CAV 2015 (large blocks, summaries).
//!
//! DIVERGENCE from SeaHorn: bounded model checking runs beside the engines and may find a
//! counterexample first.
//!
//! DIVERGENCE from the default transformations: relations are not inlined. The blocks between them
//! are large already, and a model of inlined relations may have quantifiers, which certificates do
//! not express.
//!
//! *Turns.* Engines cannot be resumed, so the effort of their attempts grows: first half a second,
//! then twice as much as before. The engine with the smallest next attempt is the next one. An
//! attempt starts only if the effort of the turn suffices for it, except in the last turn.
//!
//! Cost: at most half of the effort of an engine is repeated work, and of n engines the one that
//! succeeds gets about 1/n of the effort.
//!
//! Limits: those of the systems and of the engines. Engines do not share what they find.

use super::derivation::NO_RUN;
use super::procedures::{Prepared, conjuncts};
use super::{Attempt, bmc};
use crate::engines::clauses::derivation::derive;
use crate::horn::{Pipeline as Transformations, PipelineRun};
use crate::models::{Model, check_model};
use crate::trace::Trace;
use crate::transform::{Pipeline, Procedures};
use backends::{Fact, HornAnswer, HornSolver, Limits, Prover, ProverFactory, Reason};
use encode::Theories;
use horn::{Interpretation, System};
use program::ssa::Program;
use serde::Serialize;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Op, TermPool};

/// The effort of the first attempt of an engine.
const FIRST: Duration = Duration::from_millis(500);
/// The effort from which on an engine gets no further attempt: a limit of single queries may end
/// its attempts early, however long they may take.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The part of the effort of an attempt that checking its answer may take in addition.
const CHECK_SHARE: u32 = 4;
/// The transformations of the clauses.
const TRANSFORMATIONS: &[&str] = &["default", "-inline"];

/// The engines that solve the clauses.
#[derive(Clone, Default)]
pub struct Engines {
    /// The engines, in the order of their turns.
    pub solvers: Vec<Rc<dyn HornSolver>>,
    /// The solvers that check answers, in the order of their turns.
    pub checkers: Vec<Rc<dyn ProverFactory>>,
}

impl fmt::Debug for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solvers: Vec<&str> = self.solvers.iter().map(|solver| solver.name()).collect();
        let checkers: Vec<&str> = self.checkers.iter().map(|checker| checker.name()).collect();
        f.debug_struct("Engines").field("solvers", &solvers).field("checkers", &checkers).finish()
    }
}

/// The clauses, and the work of the engines.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClauseStatistics {
    /// The relations of the program's clauses, and after their transformation.
    pub relations: [usize; 2],
    /// The program's clauses, and those after their transformation.
    pub clauses: [usize; 2],
    /// The engine whose model is the proof.
    pub proved_by: Option<&'static str>,
    /// The engine whose derivation is the counterexample.
    pub refuted_by: Option<&'static str>,
    /// The engines, in the order of their turns.
    pub engines: Vec<EngineStatistics>,
}

/// The work of one engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineStatistics {
    /// Its name.
    pub name: &'static str,
    /// The number of attempts.
    pub attempts: u32,
    /// Their duration, with the checks of the answers.
    #[serde(with = "bmc::seconds")]
    pub time: Duration,
    /// The reason why the last attempt failed.
    pub failure: Option<String>,
}

/// The search for a model.
pub(super) struct ClauseSearch<'a> {
    program: &'a Program,
    prepared: Prepared,
    transformed: PipelineRun,
    contenders: Vec<Contender>,
    /// The contender with the next turn.
    next: usize,
    checkers: Vec<Rc<dyn ProverFactory>>,
    /// The prover of the certificate.
    prover: Box<dyn Prover>,
    statistics: ClauseStatistics,
}

/// An engine in the search.
struct Contender {
    solver: Rc<dyn HornSolver>,
    /// The effort of its next attempt; none if another attempt would fail in the same way.
    effort: Option<Duration>,
}

/// The limits of a turn.
#[derive(Clone, Copy)]
pub(super) enum Turn<'a> {
    /// The effort that is left after the turn serves a later one.
    Inner(&'a Limits),
    /// No turn follows.
    Last(&'a Limits),
}

impl<'a> Turn<'a> {
    fn limits(self) -> &'a Limits {
        match self {
            Turn::Inner(limits) | Turn::Last(limits) => limits,
        }
    }

    /// Whether an attempt of this effort, with the checks of its answer, is worthwhile.
    fn allows(self, effort: Duration) -> bool {
        match self {
            Turn::Inner(limits) => limits.left().is_none_or(|left| left >= effort + effort / CHECK_SHARE),
            Turn::Last(_) => true,
        }
    }
}

impl<'a> ClauseSearch<'a> {
    /// A search over the clauses of `program`.
    ///
    /// # Errors
    /// The reason why there is no such system.
    pub(super) fn new(
        pool: &mut TermPool,
        program: &'a Program,
        encoding: (&Pipeline, Theories),
        engines: &Engines,
        factory: &dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, String> {
        let prepared = Prepared::new(pool, program, &[Procedures::All], encoding)?;
        let system = &prepared.system.system;
        let logic = prepared.system.theories.logic();
        let prover = factory.new_prover(logic, limits).map_err(|reason| reason.to_string())?;
        let transformations = Transformations::named(TRANSFORMATIONS.iter().copied());
        let transformed = transformations.expect("the passes are in the table").run(pool, system);
        let engine = |solver: &Rc<dyn HornSolver>| EngineStatistics {
            name: solver.name(),
            attempts: 0,
            time: Duration::ZERO,
            failure: None,
        };
        let sizes = |size: fn(&System) -> usize| [size(system), size(&transformed.system)];
        let statistics = ClauseStatistics {
            relations: sizes(|system| system.relations.len()),
            clauses: sizes(|system| system.clauses.len()),
            proved_by: None,
            refuted_by: None,
            engines: engines.solvers.iter().map(engine).collect(),
        };
        let contender =
            |solver: &Rc<dyn HornSolver>| Contender { solver: Rc::clone(solver), effort: Some(FIRST) };
        let contenders = engines.solvers.iter().map(contender).collect();
        let checkers = engines.checkers.clone();
        Ok(ClauseSearch { program, prepared, transformed, contenders, next: 0, checkers, prover, statistics })
    }

    /// The number of procedures besides the entry function.
    pub(super) fn procedures(&self) -> usize {
        self.prepared.count()
    }

    /// The cost so far.
    pub(super) fn statistics(&self) -> &ClauseStatistics {
        &self.statistics
    }

    /// Lets the next engine try to solve the clauses.
    pub(super) fn attempt(&mut self, pool: &mut TermPool, turn: Turn<'_>) -> Attempt {
        let Some((index, effort)) = self.candidate() else {
            return Attempt::Hopeless(self.failures());
        };
        if !turn.allows(effort) {
            return Attempt::OutOfTime;
        }
        self.next = (index + 1) % self.contenders.len();
        let start = Instant::now();
        let outcome = self.solve(pool, index, &turn.limits().within(effort + effort / CHECK_SHARE));
        let statistics = &mut self.statistics.engines[index];
        statistics.attempts += 1;
        statistics.time += start.elapsed();
        match outcome {
            Outcome::Model(model) => {
                self.statistics.proved_by = Some(statistics.name);
                let (solution, prover) = (conjuncts(pool, &model), &mut *self.prover);
                Attempt::Proved(self.prepared.certificate(pool, prover, &solution, turn.limits()))
            }
            Outcome::Run(trace) => {
                self.statistics.refuted_by = Some(statistics.name);
                Attempt::Refuted(trace)
            }
            Outcome::Derivable(reason) => Attempt::Hopeless(format!("{NO_RUN}: {reason}")),
            Outcome::OutOfTime(reason) => {
                statistics.failure = Some(reason.to_string());
                self.contenders[index].effort = Some(effort.saturating_mul(2)).filter(|&next| next < LONGEST);
                Attempt::GoOn
            }
            Outcome::Failed(failure) => {
                statistics.failure = Some(failure);
                self.contenders[index].effort = None;
                Attempt::GoOn
            }
        }
    }

    /// The engine with the smallest next attempt, and its effort.
    fn candidate(&self) -> Option<(usize, Duration)> {
        let count = self.contenders.len();
        let order = (0..count).map(|offset| (self.next + offset) % count);
        let candidates = order.filter_map(|index| Some((index, self.contenders[index].effort?)));
        candidates.min_by_key(|&(_, effort)| effort)
    }

    /// Why each engine has failed.
    fn failures(&self) -> String {
        let failed = self.statistics.engines.iter();
        let failed =
            failed.filter_map(|engine| Some(format!("{}: {}", engine.name, engine.failure.as_ref()?)));
        let failed: Vec<String> = failed.collect();
        match failed.is_empty() {
            true => "no engine for Horn clauses".to_owned(),
            false => failed.join("; "),
        }
    }

    /// An attempt of an engine, with the check of its answer.
    fn solve(&self, pool: &mut TermPool, index: usize, limits: &Limits) -> Outcome {
        let engine = &self.contenders[index].solver;
        let of_engine = match limits.left() {
            Some(left) => limits.within(left - left / (CHECK_SHARE + 1)),
            None => limits.clone(),
        };
        match engine.solve(pool, &self.transformed.system, &of_engine) {
            HornAnswer::Satisfiable(model) => {
                let model = self.transformed.model(pool, &model);
                self.checked(pool, model, limits)
            }
            HornAnswer::Unsatisfiable(facts) => self.derived(pool, &facts, limits),
            HornAnswer::Unknown(reason @ (Reason::Timeout | Reason::Interrupted)) => {
                Outcome::OutOfTime(reason)
            }
            HornAnswer::Unknown(reason) => Outcome::Failed(reason.to_string()),
        }
    }

    /// Checks a model of the program's clauses.
    fn checked(&self, pool: &mut TermPool, model: Interpretation, limits: &Limits) -> Outcome {
        if has_quantifiers(pool, &model) {
            return Outcome::Failed("the model has quantifiers".to_owned());
        }
        match check_model(pool, &self.prepared.system.system, &model, &self.checkers, limits) {
            Model::Valid(_) => Outcome::Model(model),
            Model::Refuted(clause) => {
                Outcome::Failed(format!("the model does not satisfy the clause {clause}"))
            }
            Model::Undecided(_, reason @ (Reason::Timeout | Reason::Interrupted)) => {
                Outcome::OutOfTime(reason)
            }
            Model::Undecided(clause, reason) => {
                Outcome::Failed(format!("the model could not be checked at the clause {clause}: {reason}"))
            }
        }
    }

    /// Builds a derivation of a query from the facts of an engine, and checks it on the program's
    /// clauses and by a run.
    fn derived(&self, pool: &mut TermPool, facts: &[Fact], limits: &Limits) -> Outcome {
        let Some(factory) = self.checkers.first() else {
            return Outcome::Failed("no solver builds derivations".to_owned());
        };
        let derivation = match derive(pool, &self.transformed.system, facts, &**factory, limits) {
            Ok(derivation) => derivation,
            Err(reason @ (Reason::Timeout | Reason::Interrupted)) => return Outcome::OutOfTime(reason),
            Err(reason) => return Outcome::Failed(reason.to_string()),
        };
        let derivation = match self.transformed.derivation(pool, &derivation) {
            Ok(derivation) => derivation,
            Err(lost) => return Outcome::Failed(lost.to_string()),
        };
        match derivation.check(pool, &self.prepared.system.system) {
            Ok(()) => match self.prepared.replay(pool, self.program, &derivation) {
                Ok(trace) => Outcome::Run(Box::new(trace)),
                Err(reason) => Outcome::Derivable(reason),
            },
            Err(error) => Outcome::Failed(format!("the derivation is wrong: {error}")),
        }
    }
}

/// The outcome of an attempt.
enum Outcome {
    /// A valid model of the program's clauses.
    Model(Interpretation),
    /// A run to an error, replayed.
    Run(Box<Trace>),
    /// The clauses have no model, but no run of their derivation was found for the reason.
    Derivable(String),
    /// A longer attempt may succeed.
    OutOfTime(Reason),
    /// Another attempt would fail for the same reason.
    Failed(String),
}

fn has_quantifiers(pool: &TermPool, model: &Interpretation) -> bool {
    let roots: Vec<_> = model.formulas.values().copied().collect();
    let mut found = false;
    pool.visit(&roots, |_| true, |term| found |= matches!(pool.op(term), Op::Forall | Op::Exists));
    found
}
