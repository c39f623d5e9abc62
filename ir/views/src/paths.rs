//! Path formulas, one block at a time.
//!
//! The strongest postcondition of the Predicate CPA (Beyer, Dangl, Wendler, *A Unifying View on
//! SMT-Based Software Verification*, JAR 2018, §3.1) on the guarded SSA. A [`Path`] represents a
//! set of paths from the start of one block to a location, by a guard and the state at the end.
//! Executing a block extends it ([`Paths::successors`]); it can be merged with another path of the
//! same start and end ([`Paths::merge`]). The formula is linear in the program part, since guards
//! and merged values are shared subterms. None of this depends on facts about the start. Paths are
//! therefore interned: every execution and every merge is computed once and then looked up, and an
//! analysis that reaches a block again with another abstraction formula builds no formula.
//!
//! A path starts with every variable at its symbol `x` ([`state`](super::state)), except at the
//! program start. Its [`PathFormula`] relates these symbols to `x+`.
//!
//! Cost: a block is executed once for each distinct path that reaches it.

use super::ViewError;
use super::inputs::{Collector, InputRecord, TraceError, Values};
use super::machine::{Exit, Machine};
use super::state::{Variable, VariableData, Vocabulary};
use crate::execute::guards::{self, GuardId, Incoming, State};
use crate::execute::{Config, NOWHERE};
use grammars::source::Span;
use indexmap::IndexSet;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{Block, Program, Property};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool, Value};

terms::entity! {
    /// A set of paths with a common start and a common end.
    Path, "φ"
}
terms::entity! {
    /// An unsupported construct, at which the analysis stops.
    Unsupported, "unsupported"
}

/// The end of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// The start of a block.
    Block(Block),
    /// An error or an unsupported construct: the *target* of an analysis, which tries to prove it
    /// unreachable. All targets are one location, so that one query covers them; [`Paths::targets`]
    /// distinguishes them.
    Target,
}

/// A target, to be proved unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// An error site.
    Error(Property),
    /// An unsupported construct.
    Unsupported(Unsupported),
}

/// The treatment of unsupported constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedEnds {
    /// Unsupported constructs are treated as targets.
    Targets,
    /// Executions that reach an unsupported construct are ignored. The results then do not imply
    /// safety.
    Ignored,
}

/// An unsupported construct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnsupportedData {
    /// A description for diagnostics.
    pub what: String,
    /// The source location.
    pub span: Span,
}

/// The formula of a set of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFormula {
    /// The complete formula, over `x`, `x+` and `inputs`.
    pub formula: Term,
    /// The path condition: one of the paths is taken; over `x` and `inputs`.
    pub guard: Term,
    /// The value of each variable of the state at the end, over `x` and `inputs`.
    pub updates: Vec<Term>,
    /// Positions in that state of the variables that do not change; `formula` does not contain
    /// their `x+`.
    pub kept: Vec<usize>,
    /// The symbols of the nondeterministic choices that occur.
    pub inputs: Vec<Term>,
    /// Whether an input is an over-approximation.
    pub is_approximate: bool,
}

impl PathFormula {
    /// Builds the formula of paths with this guard that end in `state`, at a location with the
    /// state `variables` and these live values.
    pub(super) fn new(
        pool: &mut TermPool,
        vocabulary: &Vocabulary,
        machine: &Machine<'_>,
        (variables, values): (&[Variable], &[u32]),
        guard: GuardId,
        state: &State,
    ) -> Self {
        let guard = machine.executor.guards.term(guard);
        let (mut kept, mut conjuncts) = (Vec::new(), vec![guard]);
        let updates = vocabulary.updates(machine, variables, values, state);
        for (position, (&variable, &update)) in variables.iter().zip(&updates).enumerate() {
            let data = &vocabulary.variables[variable];
            if update == data.before {
                kept.push(position);
            } else {
                conjuncts.push(pool.eq(data.after, update));
            }
        }
        let formula = pool.and(&conjuncts);
        let symbols = pool.free_symbols(formula).into_iter().map(|symbol| pool.symbol_term(symbol));
        let inputs: Vec<Term> = symbols.filter(|&symbol| !vocabulary.is_symbol(symbol)).collect();
        let is_approximate = inputs.iter().any(|&input| machine.is_approximation(input));
        PathFormula { formula, guard, updates, kept, inputs, is_approximate }
    }
}

/// The derivation of a set of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// The empty path.
    Start,
    /// The extension of a path by one block.
    After(Path),
    /// The union of two sets.
    Merged(Path, Path),
}

struct PathData {
    start: Block,
    end: Location,
    /// The target, if the path leads to a single one.
    target: Option<Target>,
    derivation: Derivation,
    guard: GuardId,
    state: State,
}

/// The paths of the entry function of a program that were requested so far.
pub struct Paths<'p> {
    machine: Machine<'p>,
    vocabulary: Vocabulary,
    loops: LoopForest,
    paths: PrimaryMap<Path, PathData>,
    unsupported: IndexSet<UnsupportedData>,
    kept: UnsupportedEnds,
    starts: FxHashMap<Block, Path>,
    successors: FxHashMap<Path, Rc<[Path]>>,
    /// The inputs of the execution of the block at the end of a path, in order; absent if it
    /// has no inputs.
    inputs: FxHashMap<Path, Vec<InputRecord>>,
    merged: FxHashMap<(Path, Path), Path>,
    formulas: FxHashMap<Path, Rc<PathFormula>>,
    states: FxHashMap<Block, Rc<[Variable]>>,
}

impl<'p> Paths<'p> {
    /// Sets up an empty set of paths.
    ///
    /// # Errors
    /// If the program is not inlined or has irreducible loops.
    pub fn new(
        pool: &mut TermPool,
        program: &'p Program,
        config: Config,
        ends: UnsupportedEnds,
    ) -> Result<Self, ViewError> {
        let machine = Machine::new(pool, program, config)?;
        let graph = ControlFlow::new(machine.function);
        let vocabulary = Vocabulary::new(pool, &machine, &graph);
        Ok(Paths {
            machine,
            vocabulary,
            loops: LoopForest::new(&graph),
            paths: PrimaryMap::new(),
            unsupported: IndexSet::new(),
            kept: ends,
            starts: FxHashMap::default(),
            successors: FxHashMap::default(),
            inputs: FxHashMap::default(),
            merged: FxHashMap::default(),
            formulas: FxHashMap::default(),
            states: FxHashMap::default(),
        })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.machine.program
    }

    /// The entry block of the program.
    pub fn entry(&self) -> Block {
        self.machine.plan.entry
    }

    /// The loops of the entry function.
    pub fn loops(&self) -> &LoopForest {
        &self.loops
    }

    /// The data of a state variable.
    pub fn variable(&self, variable: Variable) -> &VariableData {
        &self.vocabulary.variables[variable]
    }

    /// The data of an unsupported construct.
    pub fn unsupported(&self, construct: Unsupported) -> &UnsupportedData {
        &self.unsupported[construct.index()]
    }

    /// The variables that are live at the start of a reachable block; empty at the program start.
    pub fn state(&mut self, pool: &mut TermPool, block: Block) -> Rc<[Variable]> {
        if block == self.entry() {
            return Rc::new([]);
        }
        if let Some(state) = self.states.get(&block) {
            return state.clone();
        }
        let state: Rc<[Variable]> = self.vocabulary.state(pool, &self.machine, block).into();
        self.states.insert(block, state.clone());
        state
    }

    /// The empty path at the start of `block`.
    pub fn start(&mut self, pool: &mut TermPool, block: Block) -> Path {
        if let Some(&path) = self.starts.get(&block) {
            return path;
        }
        let variables = self.state(pool, block);
        // At the program start, no value is live.
        let values = self.machine.entry_values(block);
        let state = self.vocabulary.symbolic(&self.machine, values, &variables);
        let (end, derivation) = (Location::Block(block), Derivation::Start);
        let path = self.paths.push(PathData {
            start: block,
            end,
            target: None,
            derivation,
            guard: guards::ROOT,
            state,
        });
        self.starts.insert(block, path);
        path
    }

    /// The start of the paths.
    pub fn start_of(&self, path: Path) -> Block {
        self.paths[path].start
    }

    /// The end of the paths.
    pub fn end_of(&self, path: Path) -> Location {
        self.paths[path].end
    }

    /// The derivation of the paths.
    pub fn derivation(&self, path: Path) -> Derivation {
        self.paths[path].derivation
    }

    /// The path condition of the set, over the symbols `x` of the start and inputs.
    pub fn guard(&self, path: Path) -> Term {
        self.machine.executor.guards.term(self.paths[path].guard)
    }

    /// The extensions of the path by one block, in the order of the block's edges, without
    /// infeasible edges; empty after errors and unsupported constructs.
    pub fn successors(&mut self, pool: &mut TermPool, path: Path) -> Rc<[Path]> {
        if let Some(known) = self.successors.get(&path) {
            return known.clone();
        }
        let PathData { start, end, guard, ref state, .. } = self.paths[path];
        let mut found = Vec::new();
        if let Location::Block(block) = end {
            let mut exits = Vec::new();
            let inputs = self.machine.execute(pool, block, guard, state, &mut exits);
            if !inputs.is_empty() {
                self.inputs.insert(path, inputs);
            }
            for exit in exits {
                let Some((end, target, guard, state)) = self.location(exit) else { continue };
                // Parallel edges to one location are merged.
                let derivation = Derivation::After(path);
                let new = self.paths.push(PathData { start, end, target, derivation, guard, state });
                match found.iter().position(|&other| self.paths[other].end == end) {
                    Some(position) => found[position] = self.merge(pool, found[position], new),
                    None => found.push(new),
                }
            }
        }
        let found: Rc<[Path]> = found.into();
        self.successors.insert(path, found.clone());
        found
    }

    /// The location of an exit; `None` at the end of the program, and at unsupported constructs
    /// that are ignored.
    fn location(&mut self, exit: Exit) -> Option<(Location, Option<Target>, GuardId, State)> {
        let (target, guard) = match exit {
            Exit::Edge { target, incoming, .. } => {
                return Some((Location::Block(target), None, incoming.guard, incoming.state));
            }
            Exit::Call { .. } => unreachable!("calls of functions with a body should have been rejected"),
            Exit::Return { .. } => return None,
            Exit::Error { property, guard } => (Target::Error(property), guard),
            Exit::Unsupported { .. } if self.kept == UnsupportedEnds::Ignored => return None,
            Exit::Unsupported { what, guard, span } => {
                let index = self.unsupported.insert_full(UnsupportedData { what, span }).0;
                (Target::Unsupported(Unsupported::new(index)), guard)
            }
        };
        Some((Location::Target, Some(target), guard, State::empty()))
    }

    /// The targets of a set of paths to [`Location::Target`], each with its path condition over the
    /// symbols `x` of the start and inputs.
    pub fn targets(&self, path: Path) -> Vec<(Target, Term)> {
        let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![path]);
        while let Some(path) = stack.pop() {
            if !seen.insert(path) {
                continue;
            }
            match self.paths[path].target {
                Some(target) => found.push((target, self.guard(path))),
                None => {
                    if let Derivation::Merged(a, b) = self.paths[path].derivation {
                        stack.extend([b, a]);
                    }
                }
            }
        }
        found
    }

    /// The union of two sets of paths with the same start and the same end.
    ///
    /// # Panics
    /// If start or end differ.
    pub fn merge(&mut self, pool: &mut TermPool, a: Path, b: Path) -> Path {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&path) = self.merged.get(&key) {
            return path;
        }
        let (one, other) = (&self.paths[key.0], &self.paths[key.1]);
        assert!(
            one.start == other.start && one.end == other.end,
            "merged paths should have the same start and end"
        );
        let incoming =
            [one, other].map(|data| Incoming { from: NOWHERE, guard: data.guard, state: data.state.clone() });
        let (start, end) = (one.start, one.end);
        let (guard, state) = guards::merge(pool, &mut self.machine.executor.guards, &incoming);
        let derivation = Derivation::Merged(key.0, key.1);
        let path = self.paths.push(PathData { start, end, target: None, derivation, guard, state });
        self.merged.insert(key, path);
        path
    }

    /// Adds to a trace the path that is taken in a model. `eval` returns the values of terms over
    /// the symbols `x` of the start and inputs in that model. The guards determine the path where
    /// paths meet; linear in its length.
    ///
    /// # Errors
    /// See [`TraceError`].
    pub fn trace(
        &self,
        pool: &mut TermPool,
        path: Path,
        eval: &mut Values<'_>,
        collector: &mut Collector,
    ) -> Result<(), TraceError> {
        let (mut executed, mut current) = (Vec::new(), path);
        loop {
            match self.paths[current].derivation {
                Derivation::Start => break,
                Derivation::After(before) => {
                    executed.push(before);
                    current = before;
                }
                Derivation::Merged(one, other) => {
                    let mut is_taken =
                        |path| eval(pool, self.guard(path)).map(|value| value == Value::Bool(true));
                    current = match is_taken(one).ok_or(TraceError::NoValue)? {
                        true => one,
                        false => other,
                    };
                }
            }
        }
        let function = self.program().entry;
        for before in executed.into_iter().rev() {
            if let Location::Block(block) = self.end_of(before) {
                collector.visit(function, block);
            }
            for record in self.inputs.get(&before).into_iter().flatten() {
                collector.add(pool, &self.machine.executor.memory, (function, 0), record, eval)?;
            }
        }
        Ok(())
    }

    /// The formula of the paths.
    pub fn formula(&mut self, pool: &mut TermPool, path: Path) -> Rc<PathFormula> {
        if let Some(known) = self.formulas.get(&path) {
            return known.clone();
        }
        let variables = match self.paths[path].end {
            Location::Block(block) => self.state(pool, block),
            Location::Target => Rc::new([]),
        };
        let data = &self.paths[path];
        let values = match data.end {
            Location::Block(block) => self.machine.entry_values(block),
            Location::Target => &[],
        };
        let end = (&variables[..], values);
        let formula = PathFormula::new(pool, &self.vocabulary, &self.machine, end, data.guard, &data.state);
        let formula = Rc::new(formula);
        self.formulas.insert(path, formula.clone());
        formula
    }
}
