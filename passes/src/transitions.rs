//! A program as a transition system in the theories of the solver.
//!
//! States are pairs of a cut point and values of the variables that are live there; cut points are the start of the program and the loop
//! heads ([`views::blocks`]). A transition is a block formula between two of them, an *end* is one to an error or to something
//! that is not supported. Each is encoded once, over the *target symbols* of the variables: `x` where it starts, `x+` where it ends, and
//! *inner* symbols, what is chosen on the way.
//!
//! *Frames.* A state of a sequence of states has a number, its frame. [`TransitionSystem::transition`] is the formula that some
//! transition leads from the state of one frame to that of another, [`TransitionSystem::end`] that an end follows it. In frame i
//! the variable `x` is the symbol `x@i`, except for variables that no transition between loop heads changes: they are the same
//! symbol in all frames. The cut point of a state is a number, given by Boolean symbols in binary, so a state is at no more than one. For each
//! transition and end there is a Boolean symbol that says that it is taken and implies its formula.
//!
//! In a sequence of states everything that a run does is a model: inner symbols are new in each frame, what a state does not determine
//! is free. Nothing is said of the first state but what holds of its symbols whatever the program does (ranges, where integers stand for bit
//! vectors).
//!
//! DIVERGENCE from the thesis (seed 000, §5.2.2), which unrolls from one loop head: any number of loops is one transition system, as in Wahl's
//! presentation of the principle, and a step goes from any loop head to the next, not once around one loop.
//!
//! Limits: memory that lives across cut points has to have a symbol, so encodings where memory is a function are refused if the program has
//! arrays. Programs that are not inlined are refused by the views.

use encode::{EncodeError, Encoder, Encoding, FloatEncoding, Heap, Overflow};
use program::ssa::{Block, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Sort, Term, TermPool};
use views::ViewError;
use views::blocks::{
    BlockFormula, BlockFormulas, BlockOperator, CutPoint, CutPointKind, Variable, VariableData,
    block_formulas,
};
use views::paths::PathFormula;
use views::unroll;

terms::entity! {
    /// A transition between cut points, or an end.
    Transition, "t"
}

/// Why a program has no transition system.
#[derive(Debug, thiserror::Error)]
pub enum TransitionError {
    /// It has no block formulas.
    #[error(transparent)]
    View(#[from] ViewError),
    /// They cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Memory would be a function.
    #[error("memory that lives across cut points has no symbol in {0}")]
    Memory(Encoding),
}

/// The theories of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theories {
    /// The encoding.
    pub encoding: Encoding,
    /// What linear encodings do on overflow.
    pub overflow: Overflow,
    /// How bit-precise encodings express floats.
    pub floats: FloatEncoding,
}

impl Theories {
    /// An encoder without anything translated yet.
    #[must_use]
    pub fn encoder(&self) -> Encoder {
        Encoder::new(self.encoding, self.overflow).with_floats(self.floats)
    }

    /// The logic of the formulas. Linear ones may have reals, for floats.
    #[must_use]
    pub fn logic(&self) -> &'static str {
        let floats = if self.encoding.is_linear() { FloatEncoding::Theory } else { self.floats };
        self.encoding.logic(floats)
    }
}

/// A cut point of a transition system.
#[derive(Clone, Debug)]
pub struct CutPointData {
    /// The loop head; `None` for the start of the program.
    pub block: Option<Block>,
    /// The variables that are live.
    pub state: Vec<Variable>,
}

/// A variable of states.
#[derive(Clone, Debug)]
pub struct VariableSymbols {
    /// What it stands for, and its symbols in block formulas.
    pub source: VariableData,
    /// The target symbol `x`.
    pub before: Term,
    /// The target symbol `x+`.
    pub after: Term,
    /// What holds of `before` whatever the program does.
    pub range: Term,
    /// Whether no transition between loop heads changes it.
    pub is_constant: bool,
}

/// A block formula in the theories of the solver.
#[derive(Clone, Debug)]
pub struct TransitionData {
    /// Where it starts.
    pub from: CutPoint,
    /// Where it leads: to a loop head, or it is an end.
    pub to: Target,
    /// Over target symbols, with constraints.
    pub formula: Term,
    /// The variables of the state at its end that it changes.
    pub changed: Vec<Variable>,
    /// Those that it does not change, and does not mention with `x+`.
    pub kept: Vec<Variable>,
    /// All symbols but those of variables.
    pub inner: Vec<Term>,
    /// The block formula.
    pub source: PathFormula,
    /// Whether `formula` is that of `source`, as it is.
    pub is_source: bool,
}

/// Where a transition leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a loop head.
    Head(CutPoint),
    /// To an error, or to what is not supported.
    End(CutPointKind),
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The theories of the formulas.
    pub theories: Theories,
    /// The start of the program first, then the loop heads.
    pub cut_points: PrimaryMap<CutPoint, CutPointData>,
    /// The variables of states.
    pub variables: PrimaryMap<Variable, VariableSymbols>,
    /// All transitions and ends, ordered by where they start.
    pub transitions: PrimaryMap<Transition, TransitionData>,
    /// By target symbol `x`.
    variable_of: FxHashMap<Term, Variable>,
    instances: FxHashMap<(Term, u32), Term>,
}

/// The start of the program.
pub const ENTRY: CutPoint = CutPoint(0);

/// Which states a formula is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The start of the program.
    Entry,
    /// Any loop head.
    Heads,
}

impl TransitionData {
    /// What the variables in `changed` become, before encoding.
    pub fn updates(&self) -> impl Iterator<Item = Term> + '_ {
        let all = self.source.updates.iter().enumerate();
        all.filter(|(position, _)| !self.source.kept.contains(position)).map(|(_, &update)| update)
    }
}

impl TransitionSystem {
    /// The transition system of a program that was [prepared for views](crate::transform::prepare_for_views).
    ///
    /// # Errors
    /// See [`TransitionError`].
    pub fn new(pool: &mut TermPool, program: &Program, theories: Theories) -> Result<Self, TransitionError> {
        let blocks = block_formulas(pool, program, BlockOperator::L, unroll::Config::STANDARD)?;
        let mut cut_points = PrimaryMap::new();
        for data in blocks.cut_points.values() {
            match data.kind {
                CutPointKind::Entry => {
                    cut_points.push(CutPointData { block: None, state: Vec::new() });
                }
                CutPointKind::Block(block) => {
                    cut_points.push(CutPointData { block: Some(block), state: data.state.clone() });
                }
                // These come last.
                CutPointKind::Error(_) | CutPointKind::Unsupported(_) => {}
            }
        }
        let mut system = TransitionSystem {
            theories,
            cut_points,
            variables: PrimaryMap::new(),
            transitions: PrimaryMap::new(),
            variable_of: FxHashMap::default(),
            instances: FxHashMap::default(),
        };
        for data in blocks.variables.values() {
            let symbols = symbols(pool, theories, data)?;
            let before = symbols.before;
            let variable = system.variables.push(symbols);
            system.variable_of.insert(before, variable);
        }
        for formula in &blocks.formulas {
            let transition = system.encode(pool, &blocks, formula)?;
            system.transitions.push(transition);
        }
        for transition in system.transitions.values() {
            if transition.from != ENTRY && matches!(transition.to, Target::Head(_)) {
                for &variable in &transition.changed {
                    system.variables[variable].is_constant = false;
                }
            }
        }
        Ok(system)
    }

    /// The loop heads.
    pub fn heads(&self) -> impl Iterator<Item = CutPoint> + use<> {
        (1..self.cut_points.len()).map(CutPoint::new)
    }

    /// Whether `symbol` is the target symbol `x` of a variable.
    pub fn is_variable(&self, symbol: Term) -> bool {
        self.variable_of.contains_key(&symbol)
    }

    /// The transitions, without ends, from the given states.
    pub fn steps(&self, source: Source) -> impl Iterator<Item = (Transition, &TransitionData)> {
        self.of(source).filter(|(_, data)| matches!(data.to, Target::Head(_)))
    }

    /// The ends that follow the given states.
    pub fn ends(&self, source: Source) -> impl Iterator<Item = (Transition, &TransitionData)> {
        self.of(source).filter(|(_, data)| matches!(data.to, Target::End(_)))
    }

    fn of(&self, source: Source) -> impl Iterator<Item = (Transition, &TransitionData)> {
        self.transitions.iter().filter(move |(_, data)| (data.from == ENTRY) == (source == Source::Entry))
    }

    fn encode(
        &self,
        pool: &mut TermPool,
        blocks: &BlockFormulas,
        block: &BlockFormula,
    ) -> Result<TransitionData, TransitionError> {
        if self.theories.encoding.heap() == Heap::Functions && has_arrays(pool, block.path.formula) {
            return Err(TransitionError::Memory(self.theories.encoding));
        }
        let end = &blocks.cut_points[block.to];
        let mut conjuncts = Vec::new();
        let mut outer = FxHashSet::default();
        for &variable in &blocks.cut_points[block.from].state {
            let data = &self.variables[variable];
            outer.insert(data.before);
            conjuncts.push(data.range);
        }
        let (mut changed, mut kept) = (Vec::new(), Vec::new());
        for (position, &variable) in end.state.iter().enumerate() {
            if block.path.kept.contains(&position) {
                kept.push(variable);
            } else {
                changed.push(variable);
                outer.insert(self.variables[variable].after);
            }
        }
        let mut encoder = self.theories.encoder();
        conjuncts.push(encoder.formula(pool, block.path.formula)?);
        conjuncts.extend(encoder.take_constraints());
        let formula = pool.and(&conjuncts);
        let is_source = formula == block.path.formula;
        let symbols = pool.free_symbols(formula).into_iter().map(|symbol| pool.symbol_term(symbol));
        Ok(TransitionData {
            from: block.from,
            to: match &end.kind {
                CutPointKind::Entry | CutPointKind::Block(_) => Target::Head(block.to),
                kind => Target::End(kind.clone()),
            },
            inner: symbols.filter(|symbol| !outer.contains(symbol)).collect(),
            formula,
            changed,
            kept,
            source: block.path.clone(),
            is_source,
        })
    }

    /// `x@frame`.
    pub fn variable(&mut self, pool: &mut TermPool, variable: Variable, frame: u32) -> Term {
        let data = &self.variables[variable];
        if data.is_constant { data.before } else { self.instance(pool, data.before, frame) }
    }

    /// The symbol `symbol@frame`, which nothing else has.
    fn instance(&mut self, pool: &mut TermPool, symbol: Term, frame: u32) -> Term {
        *self.instances.entry((symbol, frame)).or_insert_with(|| {
            let Op::Symbol(id) = pool.op(symbol) else { return symbol };
            let (name, representation) = {
                let data = pool.symbol_data(id);
                (format!("{}@{frame}", data.name), data.representation)
            };
            let sort = pool.sort(symbol);
            let count = pool.symbol_count();
            let instance = pool.symbol_with(&name, sort, representation);
            let is_new = pool.symbol_count() > count;
            if is_new { instance } else { pool.fresh_symbol(&name, sort, representation) }
        })
    }

    /// That the state of `frame` is at a loop head.
    pub fn at(&mut self, pool: &mut TermPool, head: CutPoint, frame: u32) -> Term {
        let count = self.cut_points.len() - 1;
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        let code = head.index() - 1;
        let mut literals = Vec::new();
        for bit in 0..bits {
            let symbol = self.marker(pool, &format!("at.{bit}"), frame);
            literals.push(if code >> bit & 1 == 1 { symbol } else { pool.not(symbol) });
        }
        pool.and(&literals)
    }

    /// `formula`, over target symbols `x` of the state at the end of a transition, over the symbols of its formula.
    pub fn at_end(&self, pool: &mut TermPool, transition: Transition, formula: Term) -> Term {
        let changed = &self.transitions[transition].changed;
        let images: FxHashMap<Term, Term> = changed
            .iter()
            .map(|&variable| (self.variables[variable].before, self.variables[variable].after))
            .collect();
        pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
    }

    fn marker(&mut self, pool: &mut TermPool, name: &str, frame: u32) -> Term {
        let generic = pool.symbol(&format!("{name} of states"), Sort::Bool);
        self.instance(pool, generic, frame)
    }

    /// `formula`, over target symbols `x`, of the state of `frame`.
    pub fn in_frame(&mut self, pool: &mut TermPool, formula: Term, frame: u32) -> Term {
        let mut images = FxHashMap::default();
        for symbol in pool.free_symbols(formula) {
            let symbol = pool.symbol_term(symbol);
            if let Some(&variable) = self.variable_of.get(&symbol) {
                images.insert(symbol, self.variable(pool, variable, frame));
            }
        }
        pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
    }

    /// That `transition` is taken, from the state of frame `from` to that of frame `to`, where it is no end.
    fn taken(&mut self, pool: &mut TermPool, transition: Transition, from: u32, to: u32) -> Term {
        let data = self.transitions[transition].clone();
        let mut images = FxHashMap::default();
        let mut conjuncts = Vec::new();
        for variable in self.cut_points[data.from].state.clone() {
            let before = self.variables[variable].before;
            images.insert(before, self.variable(pool, variable, from));
        }
        // Ends have frames of their own for what is chosen on the way.
        for &symbol in &data.inner {
            images.insert(symbol, self.instance(pool, symbol, from));
        }
        if let Target::Head(head) = data.to {
            conjuncts.push(self.at(pool, head, to));
            for &variable in &data.changed {
                let image = self.variable(pool, variable, to);
                images.insert(self.variables[variable].after, image);
            }
            for &variable in &data.kept {
                let (old, new) = (self.variable(pool, variable, from), self.variable(pool, variable, to));
                conjuncts.push(pool.eq(old, new));
            }
        }
        if data.from != ENTRY {
            conjuncts.push(self.at(pool, data.from, from));
        }
        conjuncts.push(pool.map_leaves(data.formula, &mut |_, leaf| images.get(&leaf).copied()));
        pool.and(&conjuncts)
    }

    /// That one of `transitions` is taken; each has a symbol that implies its formula.
    fn one_of(&mut self, pool: &mut TermPool, transitions: &[Transition], from: u32, to: u32) -> Vec<Term> {
        let (mut formulas, mut markers) = (Vec::new(), Vec::new());
        for &transition in transitions {
            let taken = self.taken(pool, transition, from, to);
            if let [_] = transitions {
                return vec![taken];
            }
            let marker = self.marker(pool, &format!("{transition}"), from);
            formulas.push(pool.implies(marker, taken));
            markers.push(marker);
        }
        formulas.push(pool.or(&markers));
        formulas
    }

    /// That a transition leads from the state of frame `from` to the one of frame `to`, as a conjunction.
    pub fn transition(&mut self, pool: &mut TermPool, source: Source, from: u32, to: u32) -> Vec<Term> {
        let transitions: Vec<Transition> = self.steps(source).map(|(transition, _)| transition).collect();
        self.one_of(pool, &transitions, from, to)
    }

    /// That an end follows the state of `frame`, as a conjunction.
    pub fn end(&mut self, pool: &mut TermPool, source: Source, frame: u32) -> Vec<Term> {
        let ends: Vec<Transition> = self.ends(source).map(|(transition, _)| transition).collect();
        self.one_of(pool, &ends, frame, frame)
    }
}

fn has_arrays(pool: &TermPool, formula: Term) -> bool {
    let mut found = false;
    pool.visit(&[formula], |_| true, |term| found |= matches!(pool.sort(term), Sort::Array(..)));
    found
}

fn symbols(
    pool: &mut TermPool,
    theories: Theories,
    data: &VariableData,
) -> Result<VariableSymbols, TransitionError> {
    if theories.encoding.heap() == Heap::Functions && matches!(data.sort, Sort::Array(..)) {
        return Err(TransitionError::Memory(theories.encoding));
    }
    let mut encoder = theories.encoder();
    let mut symbol = |pool: &mut TermPool, term: Term| -> Result<Term, TransitionError> {
        let Op::Symbol(source) = pool.op(term) else { return Ok(term) };
        let encoded = encoder.term(pool, term)?;
        Ok(encoder.translation_of(source).unwrap_or(encoded))
    };
    let (before, after) = (symbol(pool, data.before)?, symbol(pool, data.after)?);
    if !matches!(pool.op(before), Op::Symbol(_)) || !matches!(pool.op(after), Op::Symbol(_)) {
        return Err(TransitionError::Memory(theories.encoding));
    }
    let constraints = encoder.take_constraints();
    let constraints: Vec<Term> = constraints
        .into_iter()
        .map(|term| pool.map_leaves(term, &mut |_, leaf| (leaf == after).then_some(before)))
        .collect();
    let range = pool.and(&constraints);
    Ok(VariableSymbols { source: data.clone(), before, after, range, is_constant: true })
}
