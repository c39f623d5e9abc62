//! Injection of auxiliary invariants into the analysis.
//!
//! Stieglmaier, *Augmenting Predicate Analysis with Auxiliary Invariants*, Master's thesis, 2016,
//! §5.1: facts that another analysis found ([`invariants`](crate::invariants)) strengthen the
//! predicate analysis. Let `ψ` be an abstraction formula, `φ` the following block, `π` the
//! precision at its end, and `inv` the facts there. The abstraction formula at the end is
//!
//! | [`Injection`] | abstraction formula | cost |
//! |---|---|---|
//! | `Precision` | `(φ ∧ ψ)^(π ∪ inv)` | more predicates in each abstraction |
//! | `Path` | `(φ ∧ ψ ∧ inv)^π`; the next block starts with `inv` | larger block formulas, also in interpolation problems |
//! | `Abstraction` | `(φ ∧ ψ)^π ∧ inv` | larger abstraction formulas |
//!
//! *Turns.* A first turn precedes the exploration; then each refinement is followed by a turn, as
//! long as the search for invariants has taken at most half of the effort. If no source excludes a
//! counterexample, the search goes on until it finds something or is exhausted. Facts that are
//! found later reach the states that exist: they are conjoined to their formulas, the same facts at
//! all states of a location, so coverage persists.
//!
//! *Candidates.* §5.2.3 of the thesis has three light-weight sources, which check formulas of a
//! refuted counterexample ([`Candidates`]): together with the known facts, are they inductive?
//!
//! *Soundness.* Facts are inductive together: they hold in all reachable states at their loop
//! heads. The invariants of a proof contain them (`proof`), because the states of the graph include
//! all successors only of states that satisfy them.
//!
//! DIVERGENCE: the thesis runs the other analysis concurrently. Turns are deterministic as long as
//! no limit is reached.
//!
//! *Limits.* Facts are at loop heads. Proofs by facts about all cells of arrays are no facts about
//! states, so their domains are left out.

use super::abstraction::{FALSE, Formula, Predicate};
use super::algorithm::Analysis;
use super::arg::{Kind, Node};
use super::config::{Candidates, Injection};
use super::formulas::Formulas;
use super::injected::Candidate;
use super::solving::Failure;
use crate::invariants::{
    AuxiliaryInvariants, Fact, Improvement, InOrder, InvariantOptions, InvariantSource, Stage, Templates,
    facts_of, formulas_of,
};
use crate::transitions::{TransitionError, TransitionSystem};
use backends::effort::Moment;
use backends::{Limits, ProverFactory};
use encode::Theories;
use horn::Relation;
use inference::{Contexts, Inference, Suggestions};
use program::ssa::{Block, Program};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};
use views::paths::Location;

/// The limit of the first turn, which precedes the exploration.
const HEAD_START: Duration = Duration::from_millis(500);
/// The shortest turn.
const SHORTEST: Duration = Duration::from_millis(20);

/// The origin of the facts beside candidates.
#[derive(Clone, Copy)]
pub(super) enum Origin<'o> {
    /// A search for invariants.
    Search(&'o InvariantOptions),
    /// None: only candidates are checked.
    Candidates,
}

/// The search for invariants beside the analysis.
pub(super) struct Injector<'a> {
    system: TransitionSystem,
    invariants: InOrder<'a>,
    is_exhausted: bool,
    candidates: Option<Inference<'a>>,
    /// The number of facts that the inference of candidates has.
    learned: usize,
    factory: &'a dyn ProverFactory,
    /// Injects facts into the formulas of the analysis, and candidates back.
    symbols: SymbolMap,
    start: Moment,
    spent: Duration,
    /// The number of facts that are injected.
    injected: usize,
}

/// The symbols of each relation of the transition system, and those of the analysis for the same
/// variables.
pub(super) struct SymbolMap {
    to_analysis: PrimaryMap<Relation, FxHashMap<Term, Term>>,
    relations: FxHashMap<Block, Relation>,
}

impl SymbolMap {
    pub(super) fn new(
        pool: &mut TermPool,
        system: &TransitionSystem,
        formulas: &mut Formulas<'_>,
    ) -> Result<Self, TransitionError> {
        let mut to_analysis = PrimaryMap::new();
        let mut relations = FxHashMap::default();
        for (relation, state) in system.states.iter() {
            relations.insert(state.block, relation);
            let own = formulas.variables(pool, state.block)?;
            let images = system.variables(relation).filter_map(|(variable, symbol)| {
                Some((symbol, *own.get(&(variable.origin, variable.moment))?))
            });
            to_analysis.push(images.collect());
        }
        Ok(SymbolMap { to_analysis, relations })
    }

    /// A fact over the symbols of the analysis; `None` if the analysis lacks a variable.
    pub(super) fn to_analysis(&self, pool: &mut TermPool, fact: &Fact) -> Option<Term> {
        renamed(pool, fact.formula, &self.to_analysis[fact.at])
    }

    /// A formula about the states of `block` over the symbols of the transition system.
    fn to_system(&self, pool: &mut TermPool, block: Block, formula: Term) -> Option<Fact> {
        let at = *self.relations.get(&block)?;
        let back = self.to_analysis[at].iter().map(|(&system, &analysis)| (analysis, system)).collect();
        Some(Fact { at, formula: renamed(pool, formula, &back)? })
    }
}

/// `formula` with each symbol replaced; `None` if one has no image.
fn renamed(pool: &mut TermPool, formula: Term, images: &FxHashMap<Term, Term>) -> Option<Term> {
    let symbols = pool.free_symbols(formula);
    let has_image = symbols.into_iter().all(|symbol| images.contains_key(&pool.symbol_term(symbol)));
    has_image.then(|| pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied()))
}

impl<'a> Injector<'a> {
    /// `program` is the program of `analysis`. `None` if the transition system cannot be built; the
    /// statistics have the reason.
    pub(super) fn new(
        analysis: &mut Analysis<'_, '_>,
        program: &Program,
        origin: Origin<'_>,
        theories: Theories,
        factory: &'a dyn ProverFactory,
    ) -> Option<Self> {
        let start = Moment::now();
        let system = TransitionSystem::new(analysis.pool, program, theories).and_then(|system| {
            let symbols = SymbolMap::new(analysis.pool, &system, &mut analysis.formulas)?;
            Ok((system, symbols))
        });
        let (system, symbols) = match system {
            Ok(made) => made,
            Err(error) => {
                analysis.solver.statistics.no_invariants = Some(error.to_string());
                return None;
            }
        };
        let mut sources: Vec<Box<dyn InvariantSource + 'a>> = Vec::new();
        if let Origin::Search(options) = origin {
            let stages = options.stages().into_iter().filter(|stage| !matches!(stage, Stage::Cells(_)));
            sources.push(Box::new(Templates::new(
                program.clone(),
                factory,
                stages.collect(),
                options.search,
            )));
        }
        Some(Injector {
            system,
            invariants: InOrder::new(sources),
            is_exhausted: false,
            candidates: None,
            learned: 0,
            factory,
            symbols,
            start,
            spent: Duration::ZERO,
            injected: 0,
        })
    }

    /// Takes a turn, if the share of the effort allows one, and injects what it finds.
    pub(super) fn turn(&mut self, analysis: &mut Analysis<'_, '_>) -> Result<(), Failure> {
        let allowed = HEAD_START.max(self.start.elapsed() / 2);
        let left = allowed.saturating_sub(self.spent);
        if left < SHORTEST {
            return Ok(());
        }
        let limits = analysis.solver.limits.within(left);
        self.improve(analysis, &limits)
    }

    /// Takes turns without a limit until there are new facts. Returns whether there are.
    pub(super) fn persist(&mut self, analysis: &mut Analysis<'_, '_>) -> Result<bool, Failure> {
        let before = self.injected;
        while self.injected == before && (!self.is_exhausted || analysis.injected.has_candidates()) {
            if let Some(reason) = analysis.solver.limits.exceeded() {
                return Err(reason.into());
            }
            let limits = analysis.solver.limits.clone();
            self.improve(analysis, &limits)?;
        }
        Ok(self.injected > before)
    }

    fn improve(&mut self, analysis: &mut Analysis<'_, '_>, limits: &Limits) -> Result<(), Failure> {
        let (start, effort) = (Instant::now(), Moment::now());
        let candidates = analysis.injected.take_candidates();
        if !candidates.is_empty() {
            self.check(analysis.pool, &candidates, &limits.share(2));
        }
        // A stage that found something may be all that is needed.
        if !self.is_exhausted {
            let improvement = self.invariants.improve(analysis.pool, &mut self.system, limits);
            self.is_exhausted = improvement == Improvement::Exhausted;
        }
        self.spent += effort.elapsed();
        let statistics = &mut analysis.solver.statistics;
        statistics.invariants.add(start);
        statistics.inference = self.invariants.cost();
        if let Some(candidates) = &self.candidates {
            statistics.inference.add(&candidates.statistics);
        }
        self.inject(analysis)
    }

    /// Keeps the candidates that are inductive together with the known facts: conjuncts of path
    /// formulas one by one, others as far as they are inductive together.
    fn check(&mut self, pool: &mut TermPool, candidates: &[Candidate], limits: &Limits) {
        let inference = self.candidates.get_or_insert_with(|| {
            let contexts = Contexts::new(self.factory, self.system.theories.logic());
            Inference::new(pool, &self.system.system, &Suggestions::default(), contexts)
        });
        let (mut groups, mut together) = (Vec::new(), Vec::new());
        for candidate in candidates {
            let Some(fact) = self.symbols.to_system(pool, candidate.block, candidate.formula) else {
                continue;
            };
            match candidate.source {
                Candidates::Conjuncts => groups.push(vec![fact]),
                Candidates::Interpolants | Candidates::Prefixes | Candidates::Weakening => {
                    together.push(fact);
                }
            }
        }
        groups.push(together);
        for group in groups {
            for fact in &self.invariants.current()[self.learned..] {
                inference.learn(fact.at, fact.formula);
            }
            self.learned = self.invariants.current().len();
            // Without an answer there is no fact.
            if let Ok(found) = inference.inductive(pool, formulas_of(&group), limits) {
                self.invariants.learn(pool, facts_of(&found));
            }
        }
    }

    /// Passes new facts to the analysis.
    fn inject(&mut self, analysis: &mut Analysis<'_, '_>) -> Result<(), Failure> {
        let facts = &self.invariants.current()[self.injected..];
        self.injected += facts.len();
        let mut blocks: FxHashMap<Block, Vec<Term>> = FxHashMap::default();
        for fact in facts {
            if let Some(formula) = self.symbols.to_analysis(analysis.pool, fact) {
                blocks.entry(self.system.states[fact.at].block).or_default().push(formula);
            }
        }
        let mut blocks: Vec<(Block, Vec<Term>)> = blocks.into_iter().collect();
        blocks.sort_by_key(|&(block, _)| block);
        for (block, facts) in blocks {
            analysis.solver.statistics.injected += facts.len() as u64;
            analysis.inject(block, &facts)?;
        }
        Ok(())
    }
}

impl Analysis<'_, '_> {
    fn injects(&self, injection: Injection) -> bool {
        self.config.injection.contains(&injection)
    }

    /// Injects facts about the states at the start of `block`.
    fn inject(&mut self, block: Block, facts: &[Term]) -> Result<(), Failure> {
        self.injected.add(block, facts);
        if self.injects(Injection::Path) {
            self.formulas.inject(block, facts);
        }
        if self.injects(Injection::Abstraction) {
            let is_here = |kind, location| kind == Kind::Abstraction && location == Location::Block(block);
            let nodes = self.arg.nodes().filter(|(_, data)| is_here(data.kind, data.location));
            let nodes: Vec<Node> = nodes.map(|(node, _)| node).collect();
            for node in nodes {
                let old = self.arg[node].formula;
                self.arg[node].formula = self.abstractions.conjoin(self.pool, old, facts)?;
            }
        }
        Ok(())
    }

    /// The facts about the states at the start of `block`, if abstraction formulas contain them, as
    /// part of `formula`.
    pub(super) fn with_invariants(&mut self, formula: Formula, block: Block) -> Result<Formula, Failure> {
        if formula == FALSE || !self.injects(Injection::Abstraction) {
            return Ok(formula);
        }
        self.abstractions.conjoin(self.pool, formula, self.injected.at(block))
    }

    /// The facts as predicates, if the precision contains them.
    pub(super) fn injected_predicates(&mut self, block: Block) -> Result<Vec<Predicate>, Failure> {
        if !self.injects(Injection::Precision) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for fact in self.injected.at(block).to_vec() {
            found.extend(self.predicate(fact)?);
        }
        Ok(found)
    }
}
