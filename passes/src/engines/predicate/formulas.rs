//! Block formulas in the theories of the solver, and their instances.
//!
//! What the analysis knows of a state is a formula over the *target symbols* `x` of the variables, the symbols of the chosen
//! encoding; what it asks is made of three kinds of formulas:
//!
//! * a block formula over `x`, `x+` and inputs, encoded once for each [`Path`];
//! * an abstraction formula at the end of a block: `x` renamed to `x+`, where the block changes `x` ([`BlockFormula::at_end`]);
//! * a sequence of blocks: the variables that block *i* changes get a new symbol `x@i`, its inputs too ([`Frames`]).
//!   What a block does not change keeps its symbol, so a variable that dominates a loop is one symbol in all iterations.

use super::Settings;
use crate::evidence::{Basis, Invariants};
use crate::transform::{Pipeline, ViewLimits};
use encode::{EncodeError, Encoder, Encoding, FloatEncoding, Overflow};
use indexmap::IndexMap;
use program::ssa::{Block, Program};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::{Op, Substitution, Term, TermPool};
use views::ViewError;
use views::blocks::Variable;
use views::paths::{Location, Path, Paths, Target as PathTarget, UnsupportedEnds};
use views::unroll;

type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;

/// A block formula in the theories of the solver.
#[derive(Debug)]
pub(crate) struct BlockFormula {
    /// With its constraints, over target symbols.
    pub(crate) formula: Term,
    /// The target symbols `x` and `x+` of the variables of the end's state that the block changes.
    pub(crate) after: FxIndexMap<Term, Term>,
    /// Of these `x`, by conjuncts of `formula`: what they become, over the symbols of the start and `inner`.
    pub(crate) updates: FxIndexMap<Term, Term>,
    /// All other symbols but those of variables at the start: what is chosen inside of the block.
    pub(crate) inner: Vec<Term>,
    /// Of a block that ends at a target: which, and when.
    pub(crate) targets: Vec<(PathTarget, Term)>,
}

/// A variable of states in the theories of the solver.
#[derive(Clone, Copy, Debug)]
struct Target {
    before: Term,
    after: Term,
    /// What holds of `before` whatever the program does.
    range: Term,
}

/// Paths of a program as formulas of an encoding.
pub(crate) struct Formulas<'p> {
    pub(crate) paths: Paths<'p>,
    encoding: Encoding,
    overflow: Overflow,
    floats: FloatEncoding,
    targets: FxHashMap<Variable, Target>,
    blocks: FxHashMap<Path, Rc<BlockFormula>>,
    ranges: FxHashMap<Block, Term>,
    live: FxHashMap<Block, Rc<FxHashSet<Term>>>,
}

/// Why there are no formulas.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FormulaError {
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("memory that lives across blocks has no symbol in {0}")]
    Memory(Encoding),
}

impl<'p> Formulas<'p> {
    pub(crate) fn new(
        pool: &mut TermPool,
        program: &'p Program,
        settings: &Settings,
        unsupported: UnsupportedEnds,
    ) -> Result<Self, ViewError> {
        Ok(Formulas {
            paths: Paths::new(pool, program, unroll::Config::STANDARD, unsupported)?,
            encoding: settings.encoding,
            overflow: settings.overflow,
            floats: settings.floats,
            targets: FxHashMap::default(),
            blocks: FxHashMap::default(),
            ranges: FxHashMap::default(),
            live: FxHashMap::default(),
        })
    }

    fn encoder(&self) -> Encoder {
        Encoder::new(self.encoding, self.overflow).with_floats(self.floats)
    }

    fn target(&mut self, pool: &mut TermPool, variable: Variable) -> Result<Target, FormulaError> {
        if let Some(&known) = self.targets.get(&variable) {
            return Ok(known);
        }
        let data = self.paths.variable(variable);
        let (before, after) = (data.before, data.after);
        let mut encoder = self.encoder();
        let mut symbol = |pool: &mut TermPool, term: Term| -> Result<Term, FormulaError> {
            let Op::Symbol(source) = pool.op(term) else { return Ok(term) };
            let encoded = encoder.term(pool, term)?;
            Ok(encoder.translation_of(source).unwrap_or(encoded))
        };
        let (before, after) = (symbol(pool, before)?, symbol(pool, after)?);
        if !matches!(pool.op(before), Op::Symbol(_)) || !matches!(pool.op(after), Op::Symbol(_)) {
            return Err(FormulaError::Memory(self.encoding));
        }
        let mut forget = Substitution::new();
        forget.insert(after, before);
        let constraints = encoder.take_constraints();
        let constraints: Vec<Term> = constraints.into_iter().map(|term| forget.apply(pool, term)).collect();
        let target = Target { before, after, range: pool.and(&constraints) };
        self.targets.insert(variable, target);
        Ok(target)
    }

    /// What holds of the state at the start of `block` whatever the program does: the ranges of its symbols.
    pub(crate) fn range(&mut self, pool: &mut TermPool, block: Block) -> Result<Term, FormulaError> {
        if let Some(&known) = self.ranges.get(&block) {
            return Ok(known);
        }
        let mut conjuncts = Vec::new();
        for &variable in &*self.paths.state(pool, block) {
            conjuncts.push(self.target(pool, variable)?.range);
        }
        let range = pool.and(&conjuncts);
        self.ranges.insert(block, range);
        Ok(range)
    }

    /// How the program, which `pipeline` prepared, is made formulas.
    pub(crate) fn basis(&self, pipeline: &Pipeline) -> Basis {
        let Formulas { encoding, overflow, floats, .. } = *self;
        Basis { encoding, overflow, floats, pipeline: pipeline.clone() }
    }

    /// Invariants of the program, which was prepared with `pipeline` and `limits`.
    pub(crate) fn invariants(
        &self,
        pipeline: &Pipeline,
        limits: ViewLimits,
        at: BTreeMap<Block, Term>,
    ) -> Invariants {
        let origin = |variable: Variable| self.paths.variable(variable).origin;
        Invariants {
            encoding: self.encoding,
            overflow: self.overflow,
            floats: self.floats,
            pipeline: pipeline.clone(),
            limits,
            symbols: self
                .targets
                .iter()
                .map(|(&variable, target)| (target.before, origin(variable)))
                .collect(),
            at,
        }
    }

    /// The symbols `x` of the variables that are live at the start of `block`, in the order of the state.
    pub(crate) fn variables(
        &mut self,
        pool: &mut TermPool,
        block: Block,
    ) -> Result<Rc<[Term]>, FormulaError> {
        let state = self.paths.state(pool, block);
        state.iter().map(|&variable| Ok(self.target(pool, variable)?.before)).collect()
    }

    /// The symbols `x` of the variables that are live at the start of `block`.
    pub(crate) fn live(
        &mut self,
        pool: &mut TermPool,
        block: Block,
    ) -> Result<Rc<FxHashSet<Term>>, FormulaError> {
        if let Some(known) = self.live.get(&block) {
            return Ok(known.clone());
        }
        let mut live = FxHashSet::default();
        for &variable in &*self.paths.state(pool, block) {
            live.insert(self.target(pool, variable)?.before);
        }
        let live = Rc::new(live);
        self.live.insert(block, live.clone());
        Ok(live)
    }

    /// The formula of a path.
    pub(crate) fn block(
        &mut self,
        pool: &mut TermPool,
        path: Path,
    ) -> Result<Rc<BlockFormula>, FormulaError> {
        if let Some(known) = self.blocks.get(&path) {
            return Ok(known.clone());
        }
        let source = self.paths.formula(pool, path);
        let start = self.paths.state(pool, self.paths.start_of(path));
        let end: Rc<[Variable]> = match self.paths.end_of(path) {
            Location::Block(block) => self.paths.state(pool, block),
            Location::Target => Rc::new([]),
        };
        let mut conjuncts = Vec::new();
        let mut outer = Vec::new();
        for &variable in &*start {
            let target = self.target(pool, variable)?;
            outer.push(target.before);
            conjuncts.push(target.range);
        }
        let mut after = FxIndexMap::default();
        for (position, &variable) in end.iter().enumerate() {
            let target = self.target(pool, variable)?;
            if !source.kept.contains(&position) {
                after.insert(target.before, target.after);
                outer.push(target.after);
            }
        }
        let mut encoder = self.encoder();
        conjuncts.push(encoder.formula(pool, source.formula)?);
        let mut targets = Vec::new();
        if self.paths.end_of(path) == Location::Target {
            for (target, guard) in self.paths.targets(path) {
                targets.push((target, encoder.formula(pool, guard)?));
            }
        }
        if encoder.has_memory_functions() {
            // A function cannot be renamed, so blocks would share it.
            return Err(FormulaError::Memory(self.encoding));
        }
        conjuncts.extend(encoder.take_constraints());
        let formula = pool.and(&conjuncts);
        let updates = updates(pool, formula, &after);
        let symbols = pool.free_symbols(formula).into_iter().map(|symbol| pool.symbol_term(symbol));
        let outer: FxHashSet<Term> = outer.into_iter().collect();
        let block = Rc::new(BlockFormula {
            formula,
            after,
            updates,
            inner: symbols.filter(|symbol| !outer.contains(symbol)).collect(),
            targets,
        });
        self.blocks.insert(path, block.clone());
        Ok(block)
    }
}

impl BlockFormula {
    /// `formula`, over the state at the end of the block, over the symbols of the block formula, which has to hold. Updates are
    /// substituted, so that the constructors of terms simplify what they become.
    pub(crate) fn at_end(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.updates.get(&leaf).or(self.after.get(&leaf)).copied())
    }
}

/// What variables become, where a conjunct of a block formula says it: `x+ = t`, or `x+` or its negation, with `t` over no
/// `y+`.
fn updates(pool: &mut TermPool, formula: Term, after: &FxIndexMap<Term, Term>) -> FxIndexMap<Term, Term> {
    let before: FxHashMap<Term, Term> = after.iter().map(|(&before, &after)| (after, before)).collect();
    let mut found = FxIndexMap::default();
    for conjunct in conjuncts(pool, formula) {
        let definition = match (pool.op(conjunct), pool.children(conjunct)) {
            (Op::Symbol(_), _) => Some((conjunct, pool.tru())),
            (Op::Not, &[symbol]) => Some((symbol, pool.fls())),
            (Op::Eq, &[a, b]) => [(a, b), (b, a)].into_iter().find(|&(symbol, update)| {
                let mut is_over_start = true;
                pool.visit(&[update], |_| true, |below| is_over_start &= !before.contains_key(&below));
                before.contains_key(&symbol) && is_over_start
            }),
            _ => None,
        };
        if let Some((symbol, update)) = definition
            && let Some(&variable) = before.get(&symbol)
        {
            found.entry(variable).or_insert(update);
        }
    }
    found
}

/// The conjuncts of a formula, none of which is a conjunction.
pub(crate) fn conjuncts(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let (mut found, mut stack) = (Vec::new(), vec![formula]);
    while let Some(term) = stack.pop() {
        match pool.op(term) {
            Op::True => {}
            Op::And => stack.extend(pool.children(term).iter().rev()),
            Op::Not if pool.op(pool.children(term)[0]) == Op::Or => {
                let disjuncts = pool.children(pool.children(term)[0]).to_vec();
                for disjunct in disjuncts.into_iter().rev() {
                    stack.push(pool.not(disjunct));
                }
            }
            _ => found.push(term),
        }
    }
    found
}

/// The instances of the blocks of a sequence.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// The instance of each variable that was changed, by its symbol `x`.
    current: FxHashMap<Term, Term>,
    /// The variable that an instance belongs to.
    variable_of: FxHashMap<Term, Term>,
    /// The instances of the symbols of the last block.
    last: FxHashMap<Term, Term>,
    length: usize,
}

impl Frames {
    /// The instance of the next block of the sequence.
    pub(crate) fn next(&mut self, pool: &mut TermPool, block: &BlockFormula) -> Term {
        let frame = self.length;
        self.length += 1;
        let instance = |pool: &mut TermPool, symbol: Term, frame: usize| {
            let Op::Symbol(id) = pool.op(symbol) else { return symbol };
            let name = format!("{}@{frame}", pool.symbol_data(id).name);
            let sort = pool.sort(symbol);
            pool.symbol(&name, sort)
        };
        let mut images: FxHashMap<Term, Term> = self.current.clone();
        for &symbol in &block.inner {
            let image = instance(pool, symbol, frame);
            images.insert(symbol, image);
        }
        for (&before, &after) in &block.after {
            let image = instance(pool, before, frame);
            images.insert(after, image);
            self.current.insert(before, image);
            self.variable_of.insert(image, before);
        }
        self.last = images;
        self.in_last(pool, block.formula)
    }

    /// `formula`, over the symbols of the last block, over instances.
    pub(crate) fn in_last(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.last.get(&leaf).copied())
    }

    /// `formula`, over the state after the blocks so far, over instances.
    pub(crate) fn instance(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.current.get(&leaf).copied())
    }

    /// `formula`, over instances, over the variables that they are instances of.
    pub(crate) fn generic(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.variable_of.get(&leaf).copied())
    }
}
