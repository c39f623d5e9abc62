//! Bounded model checking with forward condition.
//!
//! The algorithm of Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*,
//! JAR 2018, §4.1, and of Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University
//! of Passau, 2017, §5.2.1: unroll the program to a bound, check whether an error is reachable
//! within the bound, check whether any execution exceeds the bound, increase the bound. As a preset
//! of the predicate analysis: `blk = never`, no abstraction, no covering, no refinement.
//!
//! One [`Prover`] serves the whole run. Each step [extends the unrolling](views::unroll) and leaves
//! the formulas of earlier steps unchanged, so the solver keeps its learned facts:
//!
//! 1. The **base case** `⋁ error guards` of the new error instances is one query under an
//!    assumption, for all error sites at once. If it is satisfiable, the model determines the
//!    inputs on a path to an error instance, and the *interpreter replays them on the program as
//!    lowered*. The answer is FALSE only if this run violates the same property. Otherwise, if the
//!    encoding is not exact, an exact one checks the path of the counterexample (`check`). If that
//!    does not help, the counterexample is spurious: its error instance is excluded, the query is
//!    repeated, and TRUE is no longer possible.
//! 2. If the base case is unsatisfiable, its negation is asserted.
//! 3. The **forward condition** `⋁ frontier ∨ ⋁ unsupported` is a second query. If it is
//!    unsatisfiable, no execution leaves the unrolling, and the answer is TRUE.
//! 4. Otherwise unreachable frontier items are pruned: a query for the disjunction of all items
//!    that no model has reached so far, repeated until it is unsatisfiable or a budget is
//!    exhausted. (Without pruning, nested loops are unrolled behind exits that are never taken.)
//!
//! After each bound a [`Continuation`] may prove the program safe by other means. k-induction is
//! implemented this way.
//!
//! Guards that the term constructors fold to constants need no query, so concrete programs never
//! reach the solver. If their executions are long, the interpreter searches for errors, also beyond
//! the largest bound.
//!
//! DIVERGENCE from the paper: each loop and each recursion has its own bound, which grows only if a
//! feasible execution was cut off there (`deepening`), geometrically by default (see
//! [`Schedule::deepening`]). A large step is checked in portions, which is sound because the
//! frontier covers an unfinished step as well.
//!
//! The program is [transformed](crate::transform) first. A pass may remove code that matters (such
//! as an infinite loop before the error). So if passes were applied and a counterexample does not
//! replay, the run starts again without slicing, and then without passes.
//!
//! Limits: code behind an unsupported construct is not explored; if the construct may be reachable,
//! the answer is FALSE or UNKNOWN. An over-approximated value is sound for TRUE, and FALSE is never
//! based on one.

mod candidate;
mod check;
mod concrete;
mod config;
mod continuation;
mod deepening;
mod forward;
mod statistics;

pub use config::{Config, CounterexampleCheck, Growth, Schedule, UnknownGrowth};
pub use continuation::{Continuation, Turn};
pub use deepening::place_name;
pub(crate) use statistics::seconds;
pub use statistics::{Checks, Statistics, StepStatistics};

use crate::engines::replay::next_pipeline;
use crate::engines::unknown::unknown;
use crate::evidence::{Obligation, ObligationKind, Site, UnknownReason, Unrolled, Verdict};
use crate::trace::Trace;
use crate::transform::{self, BackTranslator, Pipeline};
use backends::{Limits, Outcome, Prover, ProverFactory, Reason};
use candidate::Candidate;
use check::{Checked, Checker, PATHS};
use deepening::Deepening;
use encode::{Encoder, Overflow, Theories};
use program::ssa::reducible::DEFAULT_LIMIT;
use program::ssa::{Function, Program, Span};
use rustc_hash::FxHashMap;
use statistics::timed;
use std::time::{Duration, Instant};
use terms::{Term, TermPool};
use views::UnsupportedCause;
use views::unroll::{self, ErrorInstance, InstanceId, Unroller, UnsupportedInstance};

/// The verdict of a run and its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The cost.
    pub statistics: Statistics,
}

/// Receives progress events.
pub trait Observer {
    /// Returns the line of a span, for the names of loops.
    fn line(&self, span: Span) -> Option<u32> {
        let _ = span;
        None
    }

    /// Called before a bound is checked.
    fn starts(&mut self, bound: u32) {
        let _ = bound;
    }

    /// Called after a step, with the statistics so far; the last step is the one that has ended.
    fn finished(&mut self, so_far: &Statistics) {
        let _ = so_far;
    }
}

/// Ignores all events.
impl Observer for () {}

/// The bound from which on the interpreter executes a program that has needed no solver so far.
const LONG: u32 = 1 << 12;
/// The bound below which a program that has needed no solver so far is only unrolled, without turns
/// of the continuation: at these bounds unrolling is the fastest method.
const FOLDED: u32 = 1 << 4;
/// The number of new instances in a step after which the instances so far are checked.
const PORTION: u64 = 50_000;
/// The number of spurious counterexamples in one step after which the step is abandoned.
const CANDIDATES: u32 = 64;

/// Checks `program`, as lowered, with a prover of `factory`.
///
/// The run ends with a verdict, at the largest bound, or at a limit of `config`. `pool` must
/// contain the terms of the program; new terms are added to it.
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    observer: &mut dyn Observer,
) -> Report {
    run_with(pool, program, factory, config, observer, &mut ())
}

/// Like [`run`], in turns with `continuation`.
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
    let mut pipeline = config.pipeline.clone();
    let result = loop {
        let result = attempt(pool, program, &pipeline, factory, config, &mut watchers, &mut statistics);
        let next = result.as_ref().err().and_then(|reason| next_pipeline(&pipeline, reason));
        match (result, next) {
            (Err(reason), Some(next)) => {
                statistics.with_fewer_passes = Some(reason.to_string());
                watchers.continuation.restart(&next);
                pipeline = next;
            }
            (result, _) => break result,
        }
    };
    statistics.terms = pool.len();
    Report { verdict: result.unwrap_or_else(Verdict::Unknown), statistics }
}

/// The observer and the continuation of a run.
struct Watchers<'w> {
    observer: &'w mut dyn Observer,
    continuation: &'w mut dyn Continuation,
}

/// Runs the search on the program transformed by `pipeline`.
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
        // The unroller rejects a function that cannot be made reducible.
        if let Ok(copies) = transform::reducible(pool, &mut prepared, function, DEFAULT_LIMIT) {
            back = back.then(copies);
        }
    }
    statistics.preparation += start.elapsed();
    let programs = Programs {
        original: program,
        prepared: &prepared,
        pipeline,
        origin: &back,
        back: (!pipeline.is_empty()).then_some(&back),
    };
    search(pool, programs, factory, config, watchers, statistics)
}

/// The program before and after preparation.
#[derive(Clone, Copy)]
struct Programs<'a> {
    /// As lowered; counterexamples are replayed on it.
    original: &'a Program,
    /// The program that is unrolled.
    prepared: &'a Program,
    /// The passes between them.
    pipeline: &'a Pipeline,
    /// Maps entities of `prepared` to entities of `original`.
    origin: &'a BackTranslator,
    /// Maps inputs of `prepared` to inputs of `original`; `None` if both take the same inputs.
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
    let prover =
        factory.new_prover(config.theories.logic(), &limits).map_err(|reason| unknown(&reason, None))?;
    let unroller = Unroller::new(pool, programs.prepared, views::Config::STANDARD)
        .map_err(UnknownReason::unsupported)?;
    let mut search = Search {
        pool,
        programs,
        factory,
        unroller,
        encoder: config.theories.encoder(),
        prover,
        config,
        limits,
        patience: watchers.continuation.patience(),
        continuation: &mut *watchers.continuation,
        observer: &mut *watchers.observer,
        deepening: Deepening::new(config, programs),
        statistics,
        obligations: Vec::new(),
        unsupported: Vec::new(),
        reached_unsupported: None,
        is_proof_hopeless: false,
        unconfirmed: None,
        checker: None,
        basis: config.theories,
        is_executed: false,
    };
    loop {
        let bound = search.deepening.largest();
        search.observer.starts(bound);
        let mut step = StepStatistics { bound, ..StepStatistics::default() };
        let start = Instant::now();
        let queries = search.statistics.queries;
        let kind = if search.deepening.is_last() { StepKind::Last } else { StepKind::Inner };
        let mut result = search.step(bound, kind, &mut step);
        if result.is_ok() {
            search.statistics.loops = search.loops();
        }
        let frontier = search.unroller.frontier_items(search.pool);
        let is_raised = kind == StepKind::Inner && search.deepening.raise(&frontier);
        if kind == StepKind::Inner && !is_raised && matches!(result, Ok(None)) {
            // No bound can grow, so the condition deserves the remaining time.
            result = search.forward_condition(bound, &frontier, StepKind::Last, &mut step);
        }
        step.time = start.elapsed();
        step.queries = search.statistics.queries - queries;
        search.statistics.steps.push(step);
        if let Ok(None) = result {
            let explored = frontier.iter().filter_map(|item| item.cause).map(|(_, visits)| visits);
            search.statistics.explored = explored.min().or(Some(bound));
        }
        search.observer.finished(search.statistics);
        if let Some(verdict) = result? {
            return Ok(verdict);
        }
        let turn = if is_raised { Turn::Finished(bound) } else { Turn::Last(bound) };
        let is_folded = is_raised && bound < FOLDED && search.statistics.queries == 0;
        if !is_folded && let Some(verdict) = search.decide_the_rest(turn) {
            return Ok(verdict);
        }
        if !is_raised {
            let bound = search.statistics.explored.unwrap_or(bound);
            return Err(search.without_answer(bound));
        }
        if let Some(verdict) = search.execute(bound) {
            return Ok(verdict);
        }
    }
}

/// The position of a step in the schedule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepKind {
    /// Another step follows, so pruning pays off.
    Inner,
    /// The last step.
    Last,
}

/// The state of a run.
struct Search<'a> {
    pool: &'a mut TermPool,
    programs: Programs<'a>,
    factory: &'a dyn ProverFactory,
    unroller: Unroller<'a>,
    encoder: Encoder,
    prover: Box<dyn Prover>,
    config: &'a Config,
    limits: Limits,
    continuation: &'a mut dyn Continuation,
    observer: &'a mut dyn Observer,
    deepening: Deepening<'a>,
    /// The time limit of a base-case query before the continuation gets a turn.
    patience: Option<Duration>,
    statistics: &'a mut Statistics,
    obligations: Vec<Obligation>,
    /// All reached so far, with encoded guards.
    unsupported: Vec<(UnsupportedInstance, Term)>,
    /// An unsupported construct that is reachable according to the formulas.
    reached_unsupported: Option<Site>,
    /// Whether it is unsupported in the clauses of the continuation as well.
    is_proof_hopeless: bool,
    /// The best explanation of a spurious counterexample. While there is one, TRUE is not possible.
    unconfirmed: Option<UnknownReason>,
    /// Checks counterexamples in an exact encoding.
    checker: Option<Checker>,
    /// The theories in which a bounded proof holds: those of the checks as soon as a path was
    /// excluded.
    basis: Theories,
    /// Whether the interpreter has run.
    is_executed: bool,
}

/// The result of the base case.
enum BaseCase {
    /// No error is reachable.
    Holds,
    /// An error is reachable according to the formulas.
    Fails(Candidate),
    /// The continuation decided before the query was answered.
    Decided(Verdict),
}

impl Search<'_> {
    /// Checks one bound. Returns `None` if the search continues.
    fn step(
        &mut self,
        bound: u32,
        kind: StepKind,
        statistics: &mut StepStatistics,
    ) -> Result<Option<Verdict>, UnknownReason> {
        loop {
            let step = self.unroll()?;
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

    /// Lets the interpreter search for an error if all guards so far folded to constants, see
    /// [`concrete`].
    fn execute(&mut self, bound: u32) -> Option<Verdict> {
        if self.is_executed || bound < LONG || self.statistics.queries > 0 {
            return None;
        }
        self.is_executed = true;
        let start = Instant::now();
        // An execution that ends at all usually ends soon; a fifth of the time remains for the
        // search.
        let limits =
            self.limits.left().map_or_else(|| self.limits.clone(), |left| self.limits.within(left / 5 * 4));
        let trace = concrete::execute(self.pool, self.programs.original, &|| limits.exceeded().is_some());
        self.statistics.replay += start.elapsed();
        trace.map(|trace| Verdict::Unsafe(Box::new(trace)))
    }

    /// The loops and recursions unrolled so far.
    fn loops(&self) -> Vec<Unrolled> {
        let line = |span: Span| self.observer.line(span);
        let places = self.unroller.visits().into_iter().map(|(place, visits)| Unrolled {
            name: self.programs.name(place, &line),
            bound: self.deepening.bounds().of(place),
            visits,
        });
        Unrolled::list(places)
    }

    fn unroll(&mut self) -> Result<unroll::Step, UnknownReason> {
        if self.limits.exceeded().is_some() {
            return Err(self.out_of_time());
        }
        let limits = self.limits.clone();
        let mut is_cancelled = || limits.exceeded().is_some();
        let instances = self.unroller.statistics().instances.max(PORTION);
        let mut limits = unroll::Limits { instances, is_cancelled: &mut is_cancelled };
        let (unroller, pool, bounds) = (&mut self.unroller, &mut *self.pool, self.deepening.bounds());
        let step = timed(&mut self.statistics.unrolling, || unroller.step(pool, bounds, &mut limits));
        if self.pool.len() > self.config.largest_pool {
            return Err(UnknownReason::MemoryLimit { bound: self.statistics.explored });
        }
        Ok(step)
    }

    /// Checks whether one of `errors` is reachable.
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
        let mut excluded: FxHashMap<InstanceId, usize> = FxHashMap::default();
        for _ in 0..CANDIDATES {
            let guards: Vec<Term> = open.iter().map(|(_, guard)| *guard).collect();
            let some_error = self.pool.or(&guards);
            let candidate = match self.candidate(bound, some_error, &open)? {
                BaseCase::Fails(candidate) => candidate,
                BaseCase::Decided(verdict) => return Ok(Some(verdict)),
                BaseCase::Holds => {
                    let kind = ObligationKind::ErrorReached;
                    self.obligations.push(Obligation { kind, bound, instances, formula: some_error });
                    self.assert_not(some_error)?;
                    return Ok(None);
                }
            };
            let (error, guard) = open.swap_remove(candidate.index);
            let mut path = candidate.guards.clone();
            match self.replay(candidate, &error) {
                Ok(trace) => return Ok(Some(Verdict::Unsafe(Box::new(trace)))),
                Err(reason) => {
                    self.statistics.unconfirmed += 1;
                    let count = excluded.entry(error.instance).or_insert(0);
                    *count += 1;
                    if *count > PATHS {
                        path.clear();
                    }
                    match self.check(&reason, &path, &error) {
                        Checked::Feasible(candidate) => {
                            if let Ok(trace) = self.replay(candidate, &error) {
                                self.statistics.checks.confirmed += 1;
                                return Ok(Some(Verdict::Unsafe(Box::new(trace))));
                            }
                        }
                        Checked::Infeasible => {
                            self.statistics.checks.infeasible += 1;
                            self.exclude(bound, &path, guard)?;
                            open.push((error, guard));
                            continue;
                        }
                        Checked::Unknown => {}
                    }
                    let reason = self.with_approximations(reason);
                    if self.programs.back.is_some() && matches!(reason, UnknownReason::Unconfirmed { .. }) {
                        return Err(reason);
                    }
                    // Approximations are expected, so a faulty replay is the better explanation.
                    if self.unconfirmed.is_none() || matches!(reason, UnknownReason::Unconfirmed { .. }) {
                        self.unconfirmed = Some(reason);
                    }
                    self.assert_not(guard)?;
                }
            }
        }
        // The remaining candidates are ignored, so TRUE is no longer possible, also if all of the
        // paths so far were infeasible.
        self.unconfirmed.get_or_insert_with(|| UnknownReason::Unconfirmed {
            explanation: format!("the first {CANDIDATES} counterexamples are no executions"),
        });
        Ok(None)
    }

    fn replay(&mut self, candidate: Candidate, error: &ErrorInstance) -> Result<Trace, UnknownReason> {
        let start = Instant::now();
        let replayed = candidate.replay(self.pool, self.programs.original, self.programs.back, error);
        self.statistics.replay += start.elapsed();
        replayed
    }

    /// Checks in an exact encoding whether an execution along `path` reaches `error`, after a
    /// counterexample was not confirmed for `reason`.
    fn check(&mut self, reason: &UnknownReason, path: &[Term], error: &ErrorInstance) -> Checked {
        let is_wanted = self.config.check == CounterexampleCheck::Exact
            && !self.encoder.is_exact()
            && matches!(reason, UnknownReason::Unconfirmed { .. });
        if !is_wanted {
            return Checked::Unknown;
        }
        let start = Instant::now();
        let limits = self.limits.share(4);
        let checker = match &mut self.checker {
            Some(checker) => checker,
            // A solver without bit vectors has no exact encoding.
            None => match Checker::new(self.factory, &limits) {
                Ok(checker) => self.checker.insert(checker),
                Err(_) => return Checked::Unknown,
            },
        };
        let checked = checker.check(self.pool, &self.unroller, path, error, &limits);
        self.statistics.checks.count += 1;
        self.statistics.checks.time += start.elapsed();
        match checked {
            // A proof that ignores overflow does not hold in the exact encoding.
            Checked::Infeasible if self.config.theories.overflow == Overflow::Ignore => Checked::Unknown,
            checked => checked,
        }
    }

    /// Excludes an infeasible path to an error instance with the encoded guard `error`.
    fn exclude(&mut self, bound: u32, path: &[Term], error: Term) -> Result<(), UnknownReason> {
        self.basis = Checker::theories();
        let mut formulas = vec![error];
        for &guard in path {
            formulas.push(self.encode(guard)?);
        }
        let formula = self.pool.and(&formulas);
        self.obligations.push(Obligation {
            kind: ObligationKind::ErrorReached,
            bound,
            instances: 1,
            formula,
        });
        self.assert_not(formula)
    }

    /// Adds the approximations of the encoding to the reason if they explain a failed replay.
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

    /// Searches for an execution to one of the `open` error instances; `some_error` is the
    /// disjunction of their guards.
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
            let time = start.elapsed();
            self.statistics.solving += time;
            self.statistics.feasibility += time;
            match (result, self.patience) {
                (Err(Reason::Timeout), Some(patience))
                    if self.limits.exceeded().is_none() && own.is_none_or(|own| patience < own) =>
                {
                    if let Some(verdict) = self.decide_the_rest(Turn::Interrupted(bound)) {
                        return Ok(BaseCase::Decided(verdict));
                    }
                    self.patience = Some(patience.saturating_mul(2));
                }
                (result, _) => return result.map_err(|reason| self.failed(&reason)),
            }
        }
    }

    /// Gives the continuation a turn, unless TRUE is no longer possible.
    fn decide_the_rest(&mut self, turn: Turn) -> Option<Verdict> {
        if self.unconfirmed.is_some() || self.is_proof_hopeless {
            return None;
        }
        self.continuation.decide(self.pool, turn)
    }

    /// Encodes `formula` and asserts the side constraints of its encoding.
    fn encode(&mut self, formula: Term) -> Result<Term, UnknownReason> {
        let start = Instant::now();
        let encoded = self.encoder.formula(self.pool, formula);
        let constraints = self.encoder.take_constraints();
        self.statistics.encoding += start.elapsed();
        for constraint in constraints {
            self.assert(constraint)?;
        }
        encoded.map_err(UnknownReason::unsupported)
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
        asserted.map(|_| ()).map_err(|reason| self.failed(&reason))
    }

    fn site(&self, index: usize) -> Site {
        let instance = &self.unsupported[index].0;
        let what = match &instance.cause {
            UnsupportedCause::Construct(id) => self.programs.prepared.unsupported[*id].construct.clone(),
            other => other.to_string(),
        };
        Site { what, span: instance.span }
    }

    /// Ends the search after `bound`, the last one: the continuation has the remaining effort.
    fn end(&mut self, bound: u32) -> Result<Option<Verdict>, UnknownReason> {
        match self.decide_the_rest(Turn::Last(bound)) {
            Some(verdict) => Ok(Some(verdict)),
            None => Err(self.without_answer(bound)),
        }
    }

    /// The reason for UNKNOWN after `bound` has been completed.
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
            _ => UnknownReason::TimeLimit { bound: self.statistics.explored },
        }
    }

    fn failed(&self, reason: &Reason) -> UnknownReason {
        unknown(reason, self.statistics.explored)
    }
}

#[cfg(test)]
mod tests;
