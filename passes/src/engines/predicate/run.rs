//! A run of the analysis: preparation, CEGAR (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based
//! Software Verification*, JAR 2018, Algorithm 4), evidence.
//!
//! *Confirmation.* The model of a feasible counterexample determines the inputs on its path, and
//! the interpreter runs the program as lowered on them. If this run reaches no error (the model
//! passes an over-approximation, or depends on inputs that passes dropped), the counterexample
//! still bounds the number of iterations of each loop: bounded model checking up to this bound
//! finds an error, replays it, and returns the trace. DIVERGENCE: this trace may differ from the
//! counterexample; it is usually shorter.

use super::algorithm::{Analysis, Stopped};
use super::arg::Node;
use super::config::{Abstraction, Config, InitialPrecision, Injection};
use super::dump;
use super::formulas::Formulas;
use super::injection::{Injector, Origin};
use super::memory::OverFunctions;
use super::refinement::{Reached, Refined};
use super::restrictions::{Exceeded, ITERATIONS};
use super::reuse::Reuse;
use super::sharing::{self, Sharing};
use super::solving::{Failure, Solver, Statistics};
use crate::engines::bmc;
use crate::engines::replay::{next_pipeline, replay};
use crate::engines::unknown::unknown;
use crate::evidence::{BoundedProof, Certificate, Obligation, ObligationKind, Site, UnknownReason, Verdict};
use crate::invariants::InvariantOptions;
use crate::names::{Places, SavedPrecision};
use crate::trace::Trace;
use crate::transform::inline::{InlineError, InlineLimits};
use crate::transform::{Locations, Pipeline, PrepareError, PreparedForViews, ViewLimits, prepare_for_views};
use backends::ProverFactory;
use encode::Theories;
use grammars::source::Span;
use program::ssa::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;
use terms::{Term, TermPool};
use views::BlockOperator;
use views::paths::{Location, Target, UnsupportedEnds};
use views::unroll::Bounds;

/// The verdict of a run and its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The cost.
    pub statistics: Statistics,
    /// The final precision, if it was [wanted](Reuse::is_saved) and the analysis started.
    pub precision: Option<SavedPrecision>,
}

/// Receives progress events.
pub trait Observer {
    /// Called when CPA++ stops.
    fn explored(&mut self, statistics: &Statistics, waiting: usize) {
        let _ = (statistics, waiting);
    }

    /// Called after a counterexample was refuted.
    fn refined(&mut self, statistics: &Statistics, refinement: &Refinement) {
        let _ = (statistics, refinement);
    }

    /// Called before bounded model checking up to `bound` replaces a counterexample that did not
    /// replay.
    fn confirms(&mut self, bound: u32) {
        let _ = bound;
    }

    /// Whether [`Refinement::facts`] is needed.
    fn wants_facts(&self) -> bool {
        false
    }

    /// Whether [`graph`](Self::graph) should be called after so many refinements, or for the final
    /// graph.
    fn wants_graph(&self, refinements: Option<u64>) -> bool {
        let _ = refinements;
        false
    }

    /// The name of a source location, empty if it has none.
    fn locate(&self, span: Span) -> String {
        let _ = span;
        String::new()
    }

    /// Receives the graph in Graphviz format, after so many refinements or the final one.
    fn graph(&mut self, refinements: Option<u64>, dot: &str) {
        let _ = (refinements, dot);
    }
}

/// The refutation of a counterexample.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The number of blocks of the counterexample.
    pub blocks: usize,
    /// The source of the facts.
    pub source: &'static str,
    /// The nontrivial facts that were used, by state; empty unless the observer needs them.
    pub facts: Vec<String>,
}

/// Ignores all events.
impl Observer for () {}

/// The parameters of a run besides the operators of the analysis.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Limits, theories and passes; the confirmation of counterexamples.
    pub search: bmc::Config,
    /// The auxiliary invariants that the analysis [injects](super::config::Injection).
    pub invariants: InvariantOptions,
    /// The initial precision, and whether the final one is saved.
    pub reuse: Reuse,
}

impl Settings {
    /// Settings with the default invariants and without a saved precision.
    #[must_use]
    pub fn new(search: bmc::Config) -> Self {
        Settings { search, invariants: InvariantOptions::default(), reuse: Reuse::default() }
    }
}

/// Checks `program`, as lowered, with a prover of `factory`. The prover must support interpolation
/// if the configuration uses interpolants.
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Report {
    let statistics = Statistics::default();
    let mut run = Run { pool, program, factory, config, settings, observer, statistics, precision: None };
    let verdict = run.verdict().unwrap_or_else(Verdict::Unknown);
    Report { verdict, statistics: run.statistics, precision: run.precision }
}

struct Run<'a> {
    pool: &'a mut TermPool,
    program: &'a Program,
    factory: &'a dyn ProverFactory,
    config: &'a Config,
    settings: &'a Settings,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    /// The final precision of the last attempt.
    precision: Option<SavedPrecision>,
}

/// The result of CEGAR.
enum End {
    /// No target is reachable.
    Safe(Certificate),
    /// A target is reachable, with at most this many iterations of a loop.
    Reached(Reached, u32),
    /// Restrictions excluded feasible paths.
    Bounded(Exceeded),
    /// No source excludes a counterexample; the failures of the sources.
    NoProgress(Vec<String>),
}

/// A program to analyze.
pub(super) struct Prepared {
    program: Program,
    back: PreparedForViews,
    pub(super) pipeline: Pipeline,
    pub(super) limits: ViewLimits,
}

/// The depths to which recursion is inlined, in successive attempts.
const RECURSION: [u32; 7] = [0, 3, 6, 12, 25, 50, 100];
/// The largest number of blocks and instructions of a program with inlined recursion.
const RECURSIVE_SIZE: usize = 300_000;

impl Run<'_> {
    fn verdict(&mut self) -> Result<Verdict, UnknownReason> {
        let mut pipeline = self.settings.search.pipeline.clone();
        loop {
            let result = self.with_passes(&pipeline);
            // The passes may have removed code that matters, such as an infinite loop before the
            // error.
            let next = result.as_ref().err().and_then(|reason| next_pipeline(&pipeline, reason));
            match (result, next) {
                (Err(reason), Some(next)) => {
                    self.statistics.with_fewer_passes = Some(reason.to_string());
                    pipeline = next;
                }
                (result, _) => return result,
            }
        }
    }

    fn with_passes(&mut self, pipeline: &Pipeline) -> Result<Verdict, UnknownReason> {
        let mut last = UnknownReason::Interrupted;
        for recursion in RECURSION {
            let standard = InlineLimits::default();
            let size = if recursion == 0 { standard.size } else { RECURSIVE_SIZE };
            let limits = ViewLimits {
                inline: InlineLimits { recursion, size },
                // DIVERGENCE: `sbe` ends a block at each basic block. With a location for each
                // operation there would be several times as many states, and some searches would no
                // longer terminate.
                locations: match self.config.blk {
                    _ if self.config.restrictions.calls.is_some() => Locations::Calls,
                    BlockOperator::Lf => Locations::Calls,
                    _ => Locations::Basic,
                },
                ..ViewLimits::default()
            };
            let prepared = match self.prepare(pipeline, limits) {
                Ok(prepared) => prepared,
                Err(PrepareError::Inline(InlineError::Recursion { .. })) => continue,
                Err(error @ PrepareError::Inline(InlineError::TooLarge { .. })) if recursion > 0 => {
                    return Err(match last {
                        UnknownReason::Interrupted => UnknownReason::unsupported(error),
                        last => last,
                    });
                }
                Err(error) => return Err(UnknownReason::unsupported(error)),
            };
            match self.explore(&prepared) {
                Err(reason @ UnknownReason::Unsupported(_)) if prepared.back.cuts > 0 => last = reason,
                result => return result,
            }
        }
        Err(last)
    }

    fn prepare(&mut self, pipeline: &Pipeline, limits: ViewLimits) -> Result<Prepared, PrepareError> {
        let start = Instant::now();
        let mut program = self.program.clone();
        let back = prepare_for_views(self.pool, &mut program, limits, pipeline);
        self.statistics.preparation.add(start);
        let back = back?;
        self.statistics.passes.clone_from(&back.statistics);
        Ok(Prepared { program, back, pipeline: pipeline.clone(), limits })
    }

    /// Treats unsupported constructs as targets first. If one is reachable, TRUE is not possible,
    /// and a second search looks only for errors.
    fn explore(&mut self, prepared: &Prepared) -> Result<Verdict, UnknownReason> {
        let site = match self.attempt(prepared, UnsupportedEnds::Targets)? {
            Ok(verdict) => return Ok(verdict),
            Err(site) => site,
        };
        if prepared.back.cuts > 0 {
            return Err(UnknownReason::Unsupported(site));
        }
        match self.attempt(prepared, UnsupportedEnds::Ignored) {
            Ok(Ok(Verdict::Unsafe(trace))) => Ok(Verdict::Unsafe(trace)),
            _ => Err(UnknownReason::Unsupported(site)),
        }
    }

    /// Runs CEGAR on the prepared program. The inner error is a reachable unsupported construct.
    fn attempt(
        &mut self,
        prepared: &Prepared,
        ends: UnsupportedEnds,
    ) -> Result<Result<Verdict, Site>, UnknownReason> {
        let settings = &self.settings.search;
        let Prepared { program, back, .. } = prepared;
        let formulas =
            Formulas::new(self.pool, program, settings, ends).map_err(UnknownReason::unsupported)?;
        let limits = settings.limits();
        let prover = self
            .factory
            .new_prover(settings.theories.logic(), &limits)
            .map_err(|reason| unknown(&reason, None))?;
        let functions = OverFunctions::new(settings.theories, self.factory, &limits);
        let solver = Solver { prover, limits, statistics: std::mem::take(&mut self.statistics), functions };
        let entry = program.entry;
        let blocks = program.functions[entry].blocks.keys();
        let origin = |block| back.back.block(entry, block).map(|(function, _)| function);
        let origins = blocks.map(origin).collect();
        let config = &self.config_of_attempt();
        let mut analysis = Analysis::new(self.pool, formulas, solver, config, origins, settings.largest_pool);
        // Clauses have memory as arrays.
        let theories = settings.theories.with_arrays();
        let (invariants, factory) = (&self.settings.invariants, self.factory);
        let injector = match self.config.injection.is_empty() {
            true => None,
            false => Injector::new(&mut analysis, program, Origin::Search(invariants), theories, factory),
        };
        let reuse = &self.settings.reuse;
        let mut places = Places::new(self.program, program, &back.back);
        let end = match analysis.start(prepared, &mut places, theories, reuse) {
            Ok(()) => {
                let mut sharing = match self.config.blk {
                    BlockOperator::Never => None,
                    _ => Sharing::new(&mut analysis, &mut places, &settings.exchange),
                };
                let started = sharing.as_mut().map_or(Ok(()), |sharing| sharing.start(&mut analysis));
                let make = |analysis: &mut Analysis<'_, '_>| {
                    Injector::new(analysis, program, Origin::Candidates, theories, factory)
                };
                started
                    .and_then(|()| cegar(&mut analysis, prepared, (injector, &make), sharing, self.observer))
            }
            Err(failure) => Err(failure),
        };
        if reuse.is_saved {
            // Without an encoding of the states there is nothing to save.
            self.precision = analysis.save(&mut places, reuse.reader).ok();
        }
        let site = match &end {
            Ok(End::Reached(Reached { target: Target::Unsupported(construct), .. }, _)) => {
                let data = analysis.formulas.paths.unsupported(*construct);
                Some(Site { what: data.what.clone(), span: data.span })
            }
            _ => None,
        };
        self.statistics = analysis.finish();
        if let Some(site) = site {
            return Ok(Err(site));
        }
        match end.map_err(|failure| failed(&failure))? {
            End::Safe(certificate) => Ok(Ok(Verdict::Safe(certificate))),
            End::Reached(reached, bound) => match self.replay(prepared, reached) {
                Ok(trace) => Ok(Ok(Verdict::Unsafe(Box::new(trace)))),
                Err(reason) => {
                    self.statistics.failed_replay = Some(reason);
                    self.statistics.unconfirmed += 1;
                    self.confirm(bound.max(prepared.limits.inline.recursion + 2)).map(Ok)
                }
            },
            End::Bounded(Exceeded { bound, unit: ITERATIONS }) => Err(UnknownReason::Bound { bound }),
            End::Bounded(exceeded) => Err(UnknownReason::PathBound { exceeded: exceeded.to_string() }),
            End::NoProgress(reasons) => Err(UnknownReason::NoProgress { reasons }),
        }
    }

    /// The operators of an attempt.
    fn config_of_attempt(&self) -> Config {
        let mut config = self.config.clone();
        // Without block ends, loop counters distinguish the states of a loop.
        if config.blk == BlockOperator::Never {
            config.restrictions.iterations.get_or_insert(u32::MAX);
        } else if self.settings.search.exchange.is_open()
            && config.abstraction == Abstraction::None
            && config.injection.is_empty()
        {
            // Facts of other runs cannot be predicates.
            config.injection = Cow::Borrowed(&[Injection::Abstraction]);
        }
        config
    }

    /// Runs the program on the inputs of a feasible counterexample. The error is the reason why the
    /// run violates no property.
    fn replay(&mut self, prepared: &Prepared, reached: Reached) -> Result<Trace, String> {
        let Target::Error(property) = reached.target else {
            return Err("the counterexample reaches no error site".to_owned());
        };
        let start = Instant::now();
        let at = self.program.properties[property].span;
        let inputs = reached.inputs?;
        let replayed = replay(self.pool, self.program, Some(&prepared.back.back), inputs, (property, at));
        self.statistics.replay.add(start);
        replayed.map_err(|reason| reason.to_string())
    }

    /// Searches for an error with loops unrolled up to `bound`.
    fn confirm(&mut self, bound: u32) -> Result<Verdict, UnknownReason> {
        self.observer.confirms(bound);
        let start = Instant::now();
        let config = bmc::Config {
            schedule: bmc::Schedule::deepening(Some(bound)),
            start: BTreeMap::new(),
            ..self.settings.search.clone()
        };
        let report = bmc::run(self.pool, self.program, self.factory, &config, &mut ());
        self.statistics.confirmation.add(start);
        self.statistics.unconfirmed += report.statistics.unconfirmed;
        match report.verdict {
            Verdict::Unknown(UnknownReason::Bound { bound }) => Err(UnknownReason::Unconfirmed {
                explanation: format!(
                    "bounded model checking finds no error within {bound} iterations of each loop"
                ),
            }),
            Verdict::Unknown(reason) => Err(reason),
            verdict => Ok(verdict),
        }
    }
}

fn failed(failure: &Failure) -> UnknownReason {
    match failure {
        Failure::Solver(reason) => unknown(reason, None),
        Failure::Formula(error) => UnknownReason::unsupported(error),
        Failure::Terms => UnknownReason::MemoryLimit { bound: None },
        Failure::Diagrams => UnknownReason::MemoryLimit { bound: None },
    }
}

/// Makes an injector that only checks candidates.
type MakeInjector<'m, 'i> = &'m dyn Fn(&mut Analysis<'_, '_>) -> Option<Injector<'i>>;

/// CEGAR, Algorithm 4 of the paper.
fn cegar<'i>(
    analysis: &mut Analysis<'_, '_>,
    prepared: &Prepared,
    (mut injector, make): (Option<Injector<'i>>, MakeInjector<'_, 'i>),
    mut sharing: Option<Sharing>,
    observer: &mut dyn Observer,
) -> Result<End, Failure> {
    loop {
        sharing::turn(&mut sharing, analysis, &mut injector, make)?;
        let stopped = analysis.run()?;
        observer.explored(&analysis.solver.statistics, analysis.waitlist.len());
        let target = match stopped {
            Stopped::Exhausted => {
                show(analysis, observer, None);
                return analysis.exhausted(prepared);
            }
            Stopped::Aborted(target) => target,
        };
        let blocks = analysis.arg.branch(target).len() - 1;
        match analysis.refine(target)? {
            Refined::Feasible(reached) => {
                show(analysis, observer, None);
                return Ok(End::Reached(reached, analysis.iterations(target)));
            }
            Refined::Infeasible { source, facts } => {
                let facts = match observer.wants_facts() {
                    true => analysis.describe(&facts),
                    false => Vec::new(),
                };
                observer.refined(&analysis.solver.statistics, &Refinement { blocks, source, facts });
                show(analysis, observer, Some(analysis.solver.statistics.refinements));
            }
            Refined::NoProgress(reasons) => {
                // More invariants may exclude the counterexample.
                if let Some(injector) = &mut injector
                    && injector.persist(analysis)?
                {
                    analysis.remove_target(target);
                    continue;
                }
                show(analysis, observer, None);
                return Ok(End::NoProgress(reasons));
            }
        }
    }
}

fn show(analysis: &mut Analysis<'_, '_>, observer: &mut dyn Observer, refinements: Option<u64>) {
    if !observer.wants_graph(refinements) {
        return;
    }
    let dot = dump::dot(&analysis.drawn(&|span| observer.locate(span)));
    observer.graph(refinements, &dot);
}

impl Analysis<'_, '_> {
    /// Fills the precision of the initial state.
    fn start(
        &mut self,
        prepared: &Prepared,
        places: &mut Places<'_>,
        theories: Theories,
        reuse: &Reuse,
    ) -> Result<(), Failure> {
        self.seed(places, reuse)?;
        if self.config.initial == InitialPrecision::Assumptions {
            self.seed_conditions(&prepared.program, theories);
        }
        Ok(())
    }

    fn describe(&self, facts: &[Term]) -> Vec<String> {
        let facts = facts.iter().filter(|&&fact| self.pool.as_bool(fact).is_none());
        facts.map(|&fact| terms::print::term(self.pool, fact)).collect()
    }

    fn exhausted(&mut self, prepared: &Prepared) -> Result<End, Failure> {
        if self.config.blk != BlockOperator::Never {
            return Ok(match self.blocked.first() {
                Some(&(_, exceeded)) => End::Bounded(exceeded),
                None => End::Safe(Certificate::Inductive(Box::new(self.invariants(prepared)))),
            });
        }
        if let Some(exceeded) = self.forward_condition()? {
            return Ok(End::Bounded(exceeded));
        }
        // Without a reachable loop head, `false` at every loop head is inductive, and a bound on
        // iterations would prove nothing about loops.
        if !self.is_loop_reached() {
            return Ok(End::Safe(Certificate::Inductive(Box::new(self.invariants(prepared)))));
        }
        let counts = self.arg.nodes().flat_map(|(_, data)| self.iterations_of(data)).copied();
        let most = counts.max().unwrap_or(0);
        // The unroller also counts recursive calls.
        let bound = most.max(prepared.limits.inline.recursion) + 2;
        let nothing = self.pool.fls();
        let obligation = |kind| Obligation { kind, bound, instances: 1, formula: nothing };
        let obligations = [ObligationKind::ErrorReached, ObligationKind::BoundExceeded].map(obligation);
        let unrolled = (Bounds::exactly(bound), Vec::new());
        let basis = self.formulas.basis(&prepared.pipeline);
        let proof = BoundedProof::new(unrolled, obligations.to_vec(), basis)
            .expect("errors and the bound are ruled out");
        Ok(End::Safe(Certificate::Bounded(proof)))
    }

    /// Whether any state is at a loop head.
    fn is_loop_reached(&self) -> bool {
        let loops = self.formulas.paths.loops();
        self.arg.nodes().any(|(_, data)| match data.location {
            Location::Block(block) => loops.headed_by(block).is_some(),
            Location::Target => false,
        })
    }

    /// Returns the first bound that excluded a path, if some execution exceeds a bound.
    fn forward_condition(&mut self) -> Result<Option<Exceeded>, Failure> {
        let mut formulas = Vec::with_capacity(self.blocked.len());
        for (path, _) in self.blocked.clone() {
            formulas.push(self.formulas.clause(self.pool, path)?.constraint);
        }
        let is_exceeded = self.solver.is_any_satisfiable(self.pool, &formulas)?;
        Ok(self.blocked.first().map(|&(_, exceeded)| exceeded).filter(|_| is_exceeded))
    }

    /// The largest number of times that a loop head is entered on a path to the target.
    fn iterations(&self, target: Node) -> u32 {
        let mut counts: FxHashMap<Location, u32> = FxHashMap::default();
        let mut most = 0;
        for node in self.arg.branch(target) {
            let data = &self.arg[node];
            let count = counts.entry(data.location).or_insert(0);
            *count += 1;
            most = most.max(*count);
        }
        // Counters are dropped at the loop exit, so the ancestors of the target are searched as
        // well.
        let mut seen = FxHashSet::default();
        let mut above = vec![target];
        while let Some(node) = above.pop() {
            if seen.insert(node) {
                let data = &self.arg[node];
                most = most.max(self.iterations_of(data).iter().copied().max().unwrap_or(0));
                above.extend(&data.parents);
            }
        }
        most + 1
    }

    /// Completes the statistics of the run.
    fn finish(&mut self) -> Statistics {
        let mut statistics = std::mem::take(&mut self.solver.statistics);
        let states = self.arg.nodes().filter(|(_, data)| data.kind == super::arg::Kind::Abstraction);
        let states: Vec<Node> = states.map(|(node, _)| node).collect();
        statistics.abstraction_states = states.len() as u64;
        statistics.covered_states = states.iter().filter(|&&node| self.arg.is_covered(node)).count() as u64;
        statistics.predicates = self.abstractions.predicates() as u64;
        let mut locations: BTreeMap<Location, usize> = BTreeMap::new();
        for &node in &states {
            let data = &self.arg[node];
            if let Location::Block(_) = data.location {
                let tracked = data.precision.at(data.location, self.function(data.location)).len();
                let most = locations.entry(data.location).or_default();
                *most = tracked.max(*most);
            }
        }
        statistics.predicates_by_place = locations
            .into_iter()
            .filter(|&(_, count)| count > 0)
            .map(|(location, count)| match location {
                Location::Block(block) => (block.to_string(), count as u64),
                Location::Target => ("target".to_owned(), count as u64),
            })
            .collect();
        statistics
    }
}
