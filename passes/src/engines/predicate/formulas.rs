//! Paths as Horn clauses in the theories of the solver.
//!
//! The analysis explores a Horn system that is built on demand: a relation for each block with a
//! state, and a clause for each [`Path`] that the analysis queries. Facts about a state are
//! formulas over the symbols `x` of the relation. Queries combine three kinds of formulas:
//!
//! * the constraint of a clause, over `x`, `x+` and inner symbols, translated once for each path;
//! * an abstraction formula at the end of a path, [instantiated at the head](ClauseData::at_head);
//! * a [sequence](horn::frames::Sequence) of clauses.

use crate::engines::bmc;
use crate::engines::replay::Symbols;
use crate::evidence::{Basis, Invariants};
use crate::transform::{Pipeline, ViewLimits};
use backends::Model;
use encode::EncodeError;
use horn::frames::Sequence;
use horn::{ClauseData, Relation, System, Translation};
use program::ssa::{Block, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::{Evaluator, Term, TermPool};
use views::Config;
use views::ViewError;
use views::blocks::Variable;
use views::blocks::{Moment, Origin};
use views::clauses;
use views::inputs::{self, Collector, TraceError};
use views::paths::{Location, Path, Paths, Target, UnsupportedEnds};

/// A path as a clause.
#[derive(Debug)]
pub(crate) struct PathClause {
    pub(crate) clause: ClauseData,
    /// For a path that ends at a target: the possible targets with their guards.
    pub(crate) targets: Vec<(Target, Term)>,
}

impl std::ops::Deref for PathClause {
    type Target = ClauseData;

    fn deref(&self) -> &ClauseData {
        &self.clause
    }
}

/// The Horn system of the explored program.
pub(crate) struct Formulas<'p> {
    pub(crate) paths: Paths<'p>,
    translation: Translation,
    /// The relations over bit vectors and arrays.
    source: System,
    /// The translated relations.
    system: System,
    /// `None` at the entry of the program, where every state is initial.
    relations: FxHashMap<Block, Option<Relation>>,
    translated: FxHashMap<Path, Rc<PathClause>>,
    /// The clauses with the injected facts.
    clauses: FxHashMap<Path, Rc<PathClause>>,
    /// Facts about the states of blocks.
    injected: FxHashMap<Block, Vec<Term>>,
    live: FxHashMap<Block, Rc<FxHashSet<Term>>>,
}

/// The inputs of a counterexample cannot be determined.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Trace(#[from] TraceError),
}

impl<'p> Formulas<'p> {
    pub(crate) fn new(
        pool: &mut TermPool,
        program: &'p Program,
        settings: &bmc::Config,
        unsupported: UnsupportedEnds,
    ) -> Result<Self, ViewError> {
        Ok(Formulas {
            paths: Paths::new(pool, program, Config::STANDARD, unsupported)?,
            translation: Translation::new(settings.theories.with_arrays()),
            source: System::default(),
            system: System::default(),
            relations: FxHashMap::default(),
            translated: FxHashMap::default(),
            clauses: FxHashMap::default(),
            injected: FxHashMap::default(),
            live: FxHashMap::default(),
        })
    }

    /// The relations so far, without clauses.
    pub(crate) fn relations(&self) -> System {
        self.system.clone()
    }

    /// The relation of the states at the start of `block`; `None` at the entry of the program.
    pub(crate) fn relation(
        &mut self,
        pool: &mut TermPool,
        block: Block,
    ) -> Result<Option<Relation>, EncodeError> {
        if let Some(&known) = self.relations.get(&block) {
            return Ok(known);
        }
        let relation = if block == self.paths.entry() {
            None
        } else {
            let state = self.paths.state(pool, block);
            let variables = state.iter().map(|&variable| self.paths.variable(variable));
            let source = clauses::relation(block.to_string(), variables, "");
            self.system.relations.push(self.translation.relation(pool, &source)?);
            Some(self.source.relations.push(source))
        };
        self.relations.insert(block, relation);
        Ok(relation)
    }

    /// The ranges of the symbols at the start of `block`, which every state satisfies.
    pub(crate) fn range(&mut self, pool: &mut TermPool, block: Block) -> Result<Term, EncodeError> {
        let Some(relation) = self.relation(pool, block)? else { return Ok(pool.tru()) };
        let mut conjuncts = Vec::new();
        for symbol in self.source.relations[relation].symbols() {
            conjuncts.push(self.translation.symbol(pool, symbol)?.range);
        }
        Ok(pool.and(&conjuncts))
    }

    /// The translation of the program into formulas, after preparation by `pipeline`.
    pub(crate) fn basis(&self, pipeline: &Pipeline) -> Basis {
        Basis { theories: self.translation.theories, pipeline: pipeline.clone() }
    }

    /// Builds invariants of the program as prepared with `pipeline` and `limits`.
    pub(crate) fn invariants(
        &mut self,
        pool: &mut TermPool,
        pipeline: &Pipeline,
        limits: ViewLimits,
        at: BTreeMap<Block, Term>,
    ) -> Invariants {
        let mut symbols = BTreeMap::new();
        for (&block, relation) in &self.relations {
            let Some(relation) = *relation else { continue };
            let state = self.paths.state(pool, block);
            let origins = state.iter().map(|&variable| self.paths.variable(variable).origin);
            symbols.extend(self.system.relations[relation].symbols().zip(origins));
        }
        let theories = self.translation.theories;
        Invariants { theories, pipeline: pipeline.clone(), limits, symbols, at, index: None }
    }

    /// The symbols `x` of the variables that are live at the start of `block`.
    pub(crate) fn live(
        &mut self,
        pool: &mut TermPool,
        block: Block,
    ) -> Result<Rc<FxHashSet<Term>>, EncodeError> {
        if let Some(known) = self.live.get(&block) {
            return Ok(known.clone());
        }
        let live = match self.relation(pool, block)? {
            Some(relation) => self.system.relations[relation].symbols().collect(),
            None => FxHashSet::default(),
        };
        let live = Rc::new(live);
        self.live.insert(block, live.clone());
        Ok(live)
    }

    /// The symbols `x` of the variables that are live at the start of `block`.
    pub(crate) fn variables(
        &mut self,
        pool: &mut TermPool,
        block: Block,
    ) -> Result<FxHashMap<(Origin, Moment), Term>, EncodeError> {
        let Some(relation) = self.relation(pool, block)? else { return Ok(FxHashMap::default()) };
        let state = self.paths.state(pool, block);
        let keys = state.iter().map(|&variable| {
            let data = self.paths.variable(variable);
            (data.origin, data.moment)
        });
        Ok(keys.zip(self.system.relations[relation].symbols()).collect())
    }

    /// The symbols `x` of the state at the start of `block`, in its order.
    pub(crate) fn symbols(&mut self, pool: &mut TermPool, block: Block) -> Result<Vec<Term>, EncodeError> {
        let relation = self.relation(pool, block)?;
        Ok(relation.map_or(Vec::new(), |relation| self.system.relations[relation].symbols().collect()))
    }

    /// Adds facts about the states at the start of `block` to the clauses of all paths that start
    /// or end there.
    pub(crate) fn inject(&mut self, block: Block, facts: &[Term]) {
        self.injected.entry(block).or_default().extend(facts);
        self.clauses.clear();
    }

    /// The clause of a path, with the injected facts.
    pub(crate) fn clause(&mut self, pool: &mut TermPool, path: Path) -> Result<Rc<PathClause>, EncodeError> {
        if let Some(known) = self.clauses.get(&path) {
            return Ok(known.clone());
        }
        let translated = self.translated(pool, path)?;
        let mut facts = self.injected.get(&self.paths.start_of(path)).cloned().unwrap_or_default();
        if let Location::Block(block) = self.paths.end_of(path) {
            for &fact in self.injected.get(&block).into_iter().flatten() {
                facts.push(translated.clause.at_head(pool, fact));
            }
        }
        let clause = match facts.is_empty() {
            true => translated,
            false => {
                let mut clause = translated.clause.clone();
                facts.push(clause.constraint);
                clause.constraint = pool.and(&facts);
                *facts.last_mut().expect("just pushed") = clause.guard;
                clause.guard = pool.and(&facts);
                Rc::new(PathClause { clause, targets: translated.targets.clone() })
            }
        };
        self.clauses.insert(path, clause.clone());
        Ok(clause)
    }

    /// The clause of a path as the program has it.
    fn translated(&mut self, pool: &mut TermPool, path: Path) -> Result<Rc<PathClause>, EncodeError> {
        if let Some(known) = self.translated.get(&path) {
            return Ok(known.clone());
        }
        let formula = self.paths.formula(pool, path);
        let from = self.relation(pool, self.paths.start_of(path))?;
        let (to, state, ends) = match self.paths.end_of(path) {
            Location::Block(block) => {
                (self.relation(pool, block)?, self.paths.state(pool, block), Vec::new())
            }
            Location::Target => (None, Rc::<[Variable]>::from([]), self.paths.targets(path)),
        };
        let variables = state.iter().map(|&variable| self.paths.variable(variable));
        let source = clauses::clause(pool, &self.source, [from, to], variables, &formula, "");
        let guards: Vec<Term> = ends.iter().map(|&(_, guard)| guard).collect();
        let (clause, guards) = self.translation.clause(pool, &source, &guards)?;
        let targets = ends.into_iter().map(|(target, _)| target).zip(guards).collect();
        let clause = Rc::new(PathClause { clause, targets });
        self.translated.insert(path, clause.clone());
        Ok(clause)
    }

    /// The inputs of the execution along `paths` that `model` describes, a model of the
    /// [sequence](Sequence) of their clauses. A proposal for the replay: values that the model
    /// leaves open, such as other cells of an array in an encoding with quantifiers, are arbitrary.
    pub(crate) fn inputs(
        &mut self,
        pool: &mut TermPool,
        paths: &[Path],
        model: &mut dyn Model,
    ) -> Result<inputs::Trace, InputError> {
        let (mut sequence, mut collector) = (Sequence::default(), Collector::default());
        for &path in paths {
            let clause = self.clause(pool, path)?;
            sequence.next(pool, &clause);
            // Each encoder translates symbols to the same ones.
            let mut encoder = self.translation.theories.encoder();
            let formula = self.paths.formula(pool, path).formula;
            encoder.formula(pool, formula)?;
            encoder.complete_reads(pool);
            let instance = |symbol: Term| sequence.symbol_in_last(symbol);
            let environment = Symbols::new(&encoder, &mut *model, &instance);
            let mut evaluator = Evaluator::new();
            let mut eval = |pool: &TermPool, term: Term| evaluator.eval(pool, term, &environment).ok();
            self.paths.trace(pool, path, &mut eval, &mut collector)?;
        }
        Ok(collector.finish())
    }
}
