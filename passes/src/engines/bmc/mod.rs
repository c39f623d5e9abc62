//! Bounded model checking with forward condition.
//!
//! The algorithm of *A Unifying View on SMT-Based Software Verification* (seed 004), §4.1, and §5.2.1 of the thesis (seed
//! 000): unroll the program to a bound, ask whether an error can be reached within it, ask whether any execution leaves
//! it, deepen. As a preset of the analysis of `DESIGN` §6.1: `blk = never`, no abstraction, no cover, no refinement.
//!
//! One [`Prover`] serves the whole run. Each step [adds to the unrolling](views::unroll) without changing the formulas of the steps
//! before it, so that what the solver knows stays useful:
//!
//! 1. The **base case** `⋁ error guards` of the new error instances is one query under an assumption, for all error sites at once. If it
//!    has a model, the inputs on the path to an instance that is reached in the model are *replayed by the interpreter on the
//!    program as it was lowered*, and only if the run violates the same property, the answer is FALSE. Otherwise the instance
//!    is excluded and the query asked again; the answer of the run cannot be TRUE any more.
//! 2. If it has none, its negation is asserted.
//! 3. The **forward condition** `⋁ frontier ∨ ⋁ unsupported` is a second query. If it has no model, no execution leaves
//!    what was looked at, and the answer is TRUE.
//! 4. Otherwise frontier items that no execution reaches are pruned: one query for the disjunction of all items that no model so far
//!    reached, until it has no model or a budget is used up. (Without pruning, nested loops are unrolled behind exits that are never taken.)
//!
//! After each bound a [`Continuation`] may prove the rest by other means, which is how k-induction is made of this.
//!
//! Guards that the term constructors fold to constants need no query, so concrete programs never meet the solver; where their executions
//! are long, the interpreter looks for errors, also beyond the largest bound.
//!
//! DIVERGENCE from the paper: bounds grow geometrically by default (see [`Schedule::deepening`]), and a step that grows large is checked
//! in portions, since the frontier of an unfinished step is sound as well.
//!
//! The program is [transformed](crate::transform) first. If a counterexample of a program from which passes took something is not confirmed by the
//! replay, what they took may have mattered (a loop before the error that does not end), and the run starts again without passes.
//!
//! Limits: what lies behind a construct that is not supported is not looked at; if an execution may get there, the answer is FALSE
//! or UNKNOWN. An over-approximated value never hurts TRUE and never makes FALSE.

mod candidate;
mod concrete;
mod config;
mod continuation;
mod forward;
mod statistics;

pub use config::{Config, Growth, Schedule, UnknownGrowth};
pub use continuation::{Continuation, Turn};
pub(crate) use statistics::seconds;
pub use statistics::{Statistics, StepStatistics};

use crate::evidence::{Obligation, ObligationKind, Site, UnknownReason, Verdict};
use crate::transform::{self, BackTranslator, Pipeline};
use backends::{Limits, Outcome, Prover, ProverFactory, Reason};
use candidate::Candidate;
use encode::Encoder;
use grammars::source::Span;
use program::ssa::reducible::DEFAULT_LIMIT;
use program::ssa::{Function, Program};
use statistics::timed;
use std::time::{Duration, Instant};
use terms::{Term, TermPool};
use views::UnsupportedCause;
use views::unroll::{self, ErrorInstance, Unroller, UnsupportedInstance};

/// What a run found out, and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The cost.
    pub statistics: Statistics,
}

/// Told how the run goes on.
pub trait Observer {
    /// A bound is about to be tried.
    fn starts(&mut self, bound: u32) {
        let _ = bound;
    }

    /// A bound is done with.
    fn finished(&mut self, step: &StepStatistics) {
        let _ = step;
    }
}

/// Nobody is told.
impl Observer for () {}

/// From this bound on, a program that needed no solver so far is left to the interpreter.
const LONG: u32 = 1 << 12;
/// Up to this bound, a program that needed no solver so far is only unrolled: that is done sooner than anything else.
const FOLDED: u32 = 1 << 4;
/// New instances of a step after which what there is so far is checked.
const PORTION: u64 = 50_000;
/// Counterexamples of one step that are tried before the step is given up.
const CANDIDATES: u32 = 64;

/// Checks `program`, as it was lowered, with a prover of `factory`.
///
/// The run ends with an answer, at the largest bound, or at a limit of `config`. Terms are made in `pool`, which also holds
/// those of the program.
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    observer: &mut dyn Observer,
) -> Report {
    run_with(pool, program, factory, config, observer, &mut ())
}

/// The same, in turns with `continuation`.
pub fn run_with(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    observer: &mut dyn Observer,
    continuation: &mut dyn Continuation,
) -> Report {
    let mut statistics = Statistics::default();
    let mut watchers = Watchers { observer, continuation };
    let result = attempt(pool, program, &config.pipeline, factory, config, &mut watchers, &mut statistics);
    let result = match result {
        Err(reason) if !config.pipeline.is_empty() && is_spurious(&reason) => {
            statistics.without_passes = Some(reason.to_string());
            attempt(pool, program, &Pipeline::none(), factory, config, &mut watchers, &mut statistics)
        }
        result => result,
    };
    statistics.terms = pool.len();
    Report { verdict: result.unwrap_or_else(Verdict::Unknown), statistics }
}

/// Whether the answer could be another one if no pass had taken anything from the program.
fn is_spurious(reason: &UnknownReason) -> bool {
    matches!(reason, UnknownReason::Unconfirmed { .. } | UnknownReason::Approximation(_))
}

/// Who is told and who is asked.
struct Watchers<'w> {
    observer: &'w mut dyn Observer,
    continuation: &'w mut dyn Continuation,
}

/// A run on the program after the passes of `pipeline`.
fn attempt(
    pool: &mut TermPool,
    program: &Program,
    pipeline: &Pipeline,
    factory: &dyn ProverFactory,
    config: &Config,
    watchers: &mut Watchers<'_>,
    statistics: &mut Statistics,
) -> Result<Verdict, UnknownReason> {
    let start = Instant::now();
    let mut prepared = program.clone();
    let transformed = transform::prepare_for_bmc(pool, &mut prepared, pipeline);
    statistics.passes.extend(transformed.statistics);
    let mut back = transformed.back;
    let functions: Vec<Function> = prepared.functions.keys().collect();
    for function in functions {
        // What cannot be made reducible is refused by the unroller.
        if let Ok(copies) = transform::reducible(pool, &mut prepared, function, DEFAULT_LIMIT) {
            back = back.then(copies);
        }
    }
    statistics.preparation += start.elapsed();
    let back = (!pipeline.is_empty()).then_some(&back);
    let programs = Programs { original: program, prepared: &prepared, pipeline, back };
    search(pool, programs, factory, config, watchers, statistics)
}

/// One program twice.
#[derive(Clone, Copy)]
struct Programs<'a> {
    /// As lowered; what is replayed.
    original: &'a Program,
    /// What is unrolled.
    prepared: &'a Program,
    /// The passes between them.
    pipeline: &'a Pipeline,
    /// From the second to the first; `None` if both take the same inputs.
    back: Option<&'a BackTranslator>,
}

fn search(
    pool: &mut TermPool,
    programs: Programs<'_>,
    factory: &dyn ProverFactory,
    config: &Config,
    watchers: &mut Watchers<'_>,
    statistics: &mut Statistics,
) -> Result<Verdict, UnknownReason> {
    let limits = config.limits();
    let prover = factory
        .new_prover(config.theories.logic(), &limits)
        .map_err(|reason| UnknownReason::Solver { explanation: reason.to_string() })?;
    let unroller = Unroller::new(pool, programs.prepared, views::Config::STANDARD)
        .map_err(|error| UnknownReason::Unsupported(Site { what: error.to_string(), span: Span::NONE }))?;
    let mut search = Search {
        pool,
        programs,
        unroller,
        encoder: config.theories.encoder(),
        prover,
        config,
        limits,
        patience: watchers.continuation.patience(),
        continuation: &mut *watchers.continuation,
        statistics,
        obligations: Vec::new(),
        unsupported: Vec::new(),
        reached_unsupported: None,
        unconfirmed: None,
        finished: None,
        is_executed: false,
    };
    let mut bound = config.schedule.first;
    loop {
        watchers.observer.starts(bound);
        let next = config.schedule.next(bound);
        let mut step = StepStatistics { bound, ..StepStatistics::default() };
        let start = Instant::now();
        let queries = search.statistics.queries;
        let result =
            search.step(bound, if next.is_some() { StepKind::Inner } else { StepKind::Last }, &mut step);
        step.time = start.elapsed();
        step.queries = search.statistics.queries - queries;
        watchers.observer.finished(&step);
        search.statistics.steps.push(step);
        if let Some(verdict) = result? {
            return Ok(verdict);
        }
        search.finished = Some(bound);
        let turn = if next.is_some() { Turn::Finished(bound) } else { Turn::Last(bound) };
        let is_folded = next.is_some() && bound < FOLDED && search.statistics.queries == 0;
        if !is_folded && let Some(verdict) = search.prove_the_rest(turn) {
            return Ok(verdict);
        }
        if next.is_some()
            && let Some(verdict) = search.execute(bound)
        {
            return Ok(verdict);
        }
        match next {
            Some(next) => bound = next,
            None => return Err(search.without_answer(bound)),
        }
    }
}

/// Where a step is in the schedule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepKind {
    /// Another one follows, so what can be pruned should be.
    Inner,
    /// No other follows.
    Last,
}

/// The state of a run.
struct Search<'a> {
    pool: &'a mut TermPool,
    programs: Programs<'a>,
    unroller: Unroller<'a>,
    encoder: Encoder,
    prover: Box<dyn Prover>,
    config: &'a Config,
    limits: Limits,
    continuation: &'a mut dyn Continuation,
    /// How long the base case may take before the continuation has a turn.
    patience: Option<Duration>,
    statistics: &'a mut Statistics,
    obligations: Vec<Obligation>,
    /// Of all steps so far, with encoded guards.
    unsupported: Vec<(UnsupportedInstance, Term)>,
    /// An execution gets there, as far as the formulas tell.
    reached_unsupported: Option<Site>,
    /// The best explanation of a counterexample that was not confirmed. While there is one, the program is not safe.
    unconfirmed: Option<UnknownReason>,
    /// The last bound that was done with.
    finished: Option<u32>,
    /// The interpreter had its turn.
    is_executed: bool,
}

/// What the base case says.
enum BaseCase {
    /// No error is reached.
    Holds,
    /// This one is, as far as the formulas tell.
    Fails(Candidate),
    /// The continuation needed no answer.
    Proved(Verdict),
}

impl Search<'_> {
    /// One bound. `None` to go on.
    fn step(
        &mut self,
        bound: u32,
        kind: StepKind,
        statistics: &mut StepStatistics,
    ) -> Result<Option<Verdict>, UnknownReason> {
        loop {
            let step = self.unroll(bound)?;
            statistics.errors += step.errors.len();
            statistics.frontier = step.frontier.len();
            if let Some(verdict) = self.base_case(bound, step.errors)? {
                return Ok(Some(verdict));
            }
            for instance in step.unsupported {
                let guard = self.encode(instance.guard)?;
                self.unsupported.push((instance, guard));
            }
            let is_complete = step.outcome == unroll::Outcome::Complete;
            let kind = if is_complete { kind } else { StepKind::Inner };
            if let Some(verdict) = self.forward_condition(bound, &step.frontier, kind, statistics)? {
                return Ok(Some(verdict));
            }
            match step.outcome {
                unroll::Outcome::Complete => return Ok(None),
                unroll::Outcome::InstanceLimit => {}
                unroll::Outcome::Cancelled => return Err(self.out_of_time()),
            }
        }
    }

    /// Has the interpreter look for an error where everything folded to constants so far, see [`concrete`].
    fn execute(&mut self, bound: u32) -> Option<Verdict> {
        if self.is_executed || bound < LONG || self.statistics.queries > 0 {
            return None;
        }
        self.is_executed = true;
        let start = Instant::now();
        // What ends in time for the rest of the search ends soon.
        let limits =
            self.limits.left().map_or_else(|| self.limits.clone(), |left| self.limits.within(left / 5 * 4));
        let trace = concrete::execute(self.pool, self.programs.original, &|| limits.exceeded().is_some());
        self.statistics.replay += start.elapsed();
        trace.map(|trace| Verdict::Unsafe(Box::new(trace)))
    }

    fn unroll(&mut self, bound: u32) -> Result<unroll::Step, UnknownReason> {
        if self.limits.exceeded().is_some() {
            return Err(self.out_of_time());
        }
        let limits = self.limits.clone();
        let mut is_cancelled = || limits.exceeded().is_some();
        let instances = self.unroller.statistics().instances.max(PORTION);
        let mut limits = unroll::Limits { instances, is_cancelled: &mut is_cancelled };
        let (unroller, pool) = (&mut self.unroller, &mut *self.pool);
        let step = timed(&mut self.statistics.unrolling, || unroller.step(pool, bound, &mut limits));
        if self.pool.len() > self.config.largest_pool {
            return Err(UnknownReason::MemoryLimit { bound: self.finished });
        }
        Ok(step)
    }

    /// Whether one of `errors` is reached.
    fn base_case(
        &mut self,
        bound: u32,
        errors: Vec<ErrorInstance>,
    ) -> Result<Option<Verdict>, UnknownReason> {
        let instances = errors.len();
        let mut open = Vec::with_capacity(instances);
        for error in errors {
            let guard = self.encode(error.guard)?;
            open.push((error, guard));
        }
        for _ in 0..CANDIDATES {
            let guards: Vec<Term> = open.iter().map(|(_, guard)| *guard).collect();
            let some_error = self.pool.or(&guards);
            let candidate = match self.candidate(bound, some_error, &open)? {
                BaseCase::Fails(candidate) => candidate,
                BaseCase::Proved(verdict) => return Ok(Some(verdict)),
                BaseCase::Holds => {
                    let kind = ObligationKind::ErrorReached;
                    self.obligations.push(Obligation { kind, bound, instances, formula: some_error });
                    self.assert_not(some_error)?;
                    return Ok(None);
                }
            };
            let (error, guard) = open.swap_remove(candidate.index);
            let start = Instant::now();
            let replayed = candidate.replay(self.pool, self.programs.original, self.programs.back, &error);
            self.statistics.replay += start.elapsed();
            match replayed {
                Ok(trace) => return Ok(Some(Verdict::Unsafe(Box::new(trace)))),
                Err(reason) => {
                    self.statistics.unconfirmed += 1;
                    let reason = self.with_approximations(reason);
                    if self.programs.back.is_some() && matches!(reason, UnknownReason::Unconfirmed { .. }) {
                        return Err(reason);
                    }
                    // An approximation is to be expected, so it explains less than a fault does.
                    if self.unconfirmed.is_none() || matches!(reason, UnknownReason::Unconfirmed { .. }) {
                        self.unconfirmed = Some(reason);
                    }
                    self.assert_not(guard)?;
                }
            }
        }
        // TRUE is out of reach already, so leaving the others out is no harm.
        Ok(None)
    }

    /// Says what the encoding approximates where that explains why a counterexample does not replay.
    fn with_approximations(&self, reason: UnknownReason) -> UnknownReason {
        match reason {
            UnknownReason::Unconfirmed { explanation } if !self.encoder.is_exact() => {
                let encoding = self.encoder.encoding();
                let what = self.encoder.approximated().join(", ");
                UnknownReason::Unconfirmed {
                    explanation: format!("{encoding} approximates {what}; {explanation}"),
                }
            }
            reason => reason,
        }
    }

    /// Looks for an execution to one of the `open` error instances; `some_error` is the disjunction of their guards.
    fn candidate(
        &mut self,
        bound: u32,
        some_error: Term,
        open: &[(ErrorInstance, Term)],
    ) -> Result<BaseCase, UnknownReason> {
        if some_error == self.pool.fls() {
            return Ok(BaseCase::Holds);
        }
        loop {
            self.statistics.queries += 1;
            let start = Instant::now();
            let own = self.limits.time;
            match self.patience {
                Some(patience) => self.prover.set_limits(&self.limits.per_check(patience)),
                None => self.prover.set_limits(&self.limits),
            }
            let result = match self.prover.check(self.pool, &[some_error]) {
                Outcome::Unsat(_) => Ok(BaseCase::Holds),
                Outcome::Sat(mut model) => {
                    let (unroller, encoder) = (&self.unroller, &mut self.encoder);
                    Candidate::new(self.pool, unroller, encoder, &mut *model, open)
                        .map(BaseCase::Fails)
                        .map_err(Reason::Fault)
                }
                Outcome::Unknown(reason) => Err(reason),
            };
            self.prover.set_limits(&self.limits);
            self.statistics.solving += start.elapsed();
            match (result, self.patience) {
                (Err(Reason::Timeout), Some(patience))
                    if self.limits.exceeded().is_none() && own.is_none_or(|own| patience < own) =>
                {
                    if let Some(verdict) = self.prove_the_rest(Turn::Interrupted(bound)) {
                        return Ok(BaseCase::Proved(verdict));
                    }
                    self.patience = Some(patience.saturating_mul(2));
                }
                (result, _) => return result.map_err(|reason| self.failed(reason)),
            }
        }
    }

    /// The continuation's turn, unless TRUE is out of reach.
    fn prove_the_rest(&mut self, turn: Turn) -> Option<Verdict> {
        if self.unconfirmed.is_some() || self.reached_unsupported.is_some() {
            return None;
        }
        self.continuation.prove(self.pool, turn).map(Verdict::Safe)
    }

    /// `formula` in the chosen encoding; what the encoding requires is asserted.
    fn encode(&mut self, formula: Term) -> Result<Term, UnknownReason> {
        let start = Instant::now();
        let encoded = self.encoder.formula(self.pool, formula);
        let constraints = self.encoder.take_constraints();
        self.statistics.encoding += start.elapsed();
        for constraint in constraints {
            self.assert(constraint)?;
        }
        encoded
            .map_err(|error| UnknownReason::Unsupported(Site { what: error.to_string(), span: Span::NONE }))
    }

    fn assert_not(&mut self, formula: Term) -> Result<(), UnknownReason> {
        let negation = self.pool.not(formula);
        self.assert(negation)
    }

    fn assert(&mut self, formula: Term) -> Result<(), UnknownReason> {
        if formula == self.pool.tru() {
            return Ok(());
        }
        let start = Instant::now();
        let asserted = self.prover.assert(self.pool, formula);
        self.statistics.solving += start.elapsed();
        asserted.map(|_| ()).map_err(|reason| self.failed(reason))
    }

    fn site(&self, index: usize) -> Site {
        let instance = &self.unsupported[index].0;
        let what = match &instance.cause {
            UnsupportedCause::Construct(id) => self.programs.prepared.unsupported[*id].construct.clone(),
            other => other.to_string(),
        };
        Site { what, span: instance.span }
    }

    /// The reason to give when everything within `bound` was looked at.
    fn without_answer(&mut self, bound: u32) -> UnknownReason {
        if let Some(reason) = self.unconfirmed.take() {
            return reason;
        }
        match self.reached_unsupported.take() {
            Some(site) => UnknownReason::Unsupported(site),
            None => UnknownReason::Bound { bound },
        }
    }

    fn out_of_time(&self) -> UnknownReason {
        match self.limits.exceeded() {
            Some(Reason::Interrupted) => UnknownReason::Interrupted,
            _ => UnknownReason::TimeLimit { bound: self.finished },
        }
    }

    fn failed(&self, reason: Reason) -> UnknownReason {
        match reason {
            Reason::Timeout => UnknownReason::TimeLimit { bound: self.finished },
            Reason::Memory => UnknownReason::MemoryLimit { bound: self.finished },
            Reason::Interrupted => UnknownReason::Interrupted,
            other => UnknownReason::Solver { explanation: other.to_string() },
        }
    }
}

#[cfg(test)]
mod tests;
