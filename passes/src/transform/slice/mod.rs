//! Slicing by the property: keeps only code that may influence whether an error is reached.
//!
//! Weiser's slicing (*Program Slicing*, TSE 1984) as a backward walk over the dependences of
//! Ferrante, Ottenstein, Warren, *The Program Dependence Graph and Its Use in Optimization*, TOPLAS
//! 1987, interprocedural and context-insensitive (Horwitz, Reps, Binkley, *Interprocedural Slicing
//! Using Dependence Graphs*, TOPLAS 1990, §1). The criteria are the error sites, the unsupported
//! constructs, and stores that may be outside of their object. Relevance spreads from them:
//! * A relevant *block* makes the branches on which it depends decide, see `control`; a branch that
//!   *decides* makes its condition and its block relevant.
//! * A relevant *value* makes the values in its definition relevant. A relevant block parameter
//!   also makes the edges with its arguments relevant, since the choice of the edge matters.
//! * A relevant load makes its *region* relevant, and a relevant region makes all instructions that
//!   write to it relevant.
//! * An instruction with an effect (a write, an input) makes its block and all *calls* of its
//!   function relevant.
//! * A call that may end the program (`exit`, a failing assumption, an infinite loop) is like a
//!   branch to the end: the code after it depends on it. If this code is relevant, so is everything
//!   in the callee that may end the program. So assumptions before an error are kept, those after
//!   the last error are removed.
//!
//! A branch that does not decide becomes a jump to its immediate postdominator. Irrelevant code is
//! removed, with the parameters and arguments that only it needs. Arguments that the callee does
//! not need become zero.
//!
//! *Stores outside of every object* may change anything in the lowered program, and the unroller
//! reports them. So a store whose address is not provably within its object is kept together with
//! its control dependences, but the stored value becomes zero if its region is not relevant.
//!
//! DIVERGENCE: loops and recursions are assumed to terminate, unless they obviously do not (only
//! errors leave them). So the slice may reach errors that the program does not reach because it
//! runs forever before, but never the other way around, and TRUE is sound. FALSE is reported only
//! for a run of the lowered program; if this run does not reach the error, the program is checked
//! again without slicing.
//!
//! *Inputs* that are kept are read in the slice as often as in the program, because their blocks
//! and the calls of their functions are kept; the replay chooses values for others, see
//! [`restore`](super::restore).
//!
//! Cost: linear in the program and its control dependences.

mod control;
mod rewrite;

use super::addresses::is_inside;
use super::back::{BackTranslator, FunctionOrigin, Step};
use super::rewrite::definitions;
use super::simplify::{Events, simplify};
use control::{ControlDependence, Ending};
use program::ssa::cfg::ControlFlow;
use program::ssa::{
    Block, BlockData, Callee, Function, FunctionData, InstructionKind, Program, Region, Terminator, Value,
};
use terms::entity::Entity;
use terms::{Term, TermPool};

/// Slices `program`. A program with calls through pointers is left unchanged.
pub fn slice(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    let before = simplify(pool, program, Events::Drop);
    let has_indirect = instructions(program)
        .any(|(_, kind)| matches!(kind, InstructionKind::Call { callee: Callee::Indirect { .. }, .. }));
    if has_indirect {
        return before;
    }
    let may_end = endings(program);
    let split = split_after_calls(program, &may_end);
    let relevance = Relevance::of(pool, program, &may_end);
    rewrite::keep(pool, program, &relevance);
    before.then(split).then(simplify(pool, program, Events::Drop))
}

fn instructions(program: &Program) -> impl Iterator<Item = (Function, &InstructionKind)> {
    program.functions.iter().flat_map(|(function, data)| {
        let blocks = data.blocks.values().flat_map(|block| &block.instructions);
        blocks.map(move |instruction| (function, &instruction.kind))
    })
}

fn ending_of(terminator: &Terminator) -> Ending {
    match terminator {
        Terminator::Error(_) | Terminator::Unsupported(_) => Ending::Failure,
        Terminator::Stop(_) => Ending::Normal,
        _ => Ending::None,
    }
}

/// For each function, whether and how a call may end the program, apart from loops and recursions
/// that happen not to terminate.
fn endings(program: &Program) -> Vec<Ending> {
    let mut endings = vec![Ending::None; program.functions.len()];
    let mut work = Vec::new();
    let mut callers: Vec<Vec<Function>> = vec![Vec::new(); program.functions.len()];
    for (function, kind) in instructions(program) {
        if let InstructionKind::Call { callee: Callee::Direct(callee), .. } = kind {
            callers[callee.index()].push(function);
        }
    }
    for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined()) {
        let graph = ControlFlow::new(data);
        let ending_of = |block: Block| ending_of(&data.blocks[block].terminator);
        let own = graph.reverse_postorder().iter().map(|&block| ending_of(block)).max();
        let is_endless = !ControlDependence::new(&graph, &ending_of).endless().is_empty();
        endings[function.index()] = if is_endless { Ending::Normal } else { own.unwrap_or(Ending::None) };
        if endings[function.index()] != Ending::None {
            work.push(function);
        }
    }
    while let Some(callee) = work.pop() {
        for &caller in &callers[callee.index()] {
            if endings[caller.index()] < endings[callee.index()] {
                endings[caller.index()] = endings[callee.index()];
                work.push(caller);
            }
        }
    }
    endings
}

/// The function called by the last instruction of a block, if it may end the program.
fn last_call(block: &BlockData, may_end: &[Ending]) -> Option<Function> {
    match block.instructions.last()?.kind {
        InstructionKind::Call { callee: Callee::Direct(callee), .. }
            if may_end[callee.index()] != Ending::None =>
        {
            Some(callee)
        }
        _ => None,
    }
}

/// Splits blocks after calls that may end the program.
fn split_after_calls(program: &mut Program, may_end: &[Ending]) -> BackTranslator {
    let mut step = Step::default();
    for (function, data) in program.functions.iter_mut() {
        if !data.is_defined() {
            continue;
        }
        let mut origin = FunctionOrigin::identity(function, data.blocks.len(), data.values.len());
        for block in data.blocks.keys().collect::<Vec<_>>() {
            let mut current = block;
            loop {
                let instructions = &data.blocks[current].instructions;
                let is_ending = |kind: &InstructionKind| match kind {
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                        may_end[callee.index()] != Ending::None
                    }
                    _ => false,
                };
                let Some(position) = instructions.iter().position(|it| is_ending(&it.kind)) else { break };
                let goes_on = matches!(data.blocks[current].terminator, Terminator::Goto(_));
                if position + 1 == instructions.len() && goes_on {
                    break;
                }
                current = data.split_block(current, position + 1);
                origin.blocks.push(Some((function, block)));
            }
        }
        step.functions[function] = Some(origin);
    }
    BackTranslator::from_step(step)
}

/// The location of a value's definition.
#[derive(Clone, Copy)]
enum Definition {
    /// No reachable definition.
    None,
    /// A parameter of the block.
    Parameter(Block, usize),
    /// An instruction of the block.
    Instruction(Block, usize),
}

/// The facts about a function before the walk.
struct Body {
    graph: ControlFlow,
    control: ControlDependence,
    definitions: Vec<Definition>,
}

/// The relevant parts of a function.
struct Marks {
    values: Vec<bool>,
    blocks: Vec<bool>,
    /// The blocks whose terminator decides.
    decides: Vec<bool>,
    /// The relevant instructions with an effect, by block and index.
    instructions: Vec<Vec<bool>>,
    result: bool,
    /// Whether it is relevant that a call ends the program.
    ending: bool,
    /// Whether all calls are relevant.
    called: bool,
}

/// The facts that spread.
#[derive(Clone, Copy)]
enum Fact {
    Value(Function, Value),
    Block(Function, Block),
    Decides(Function, Block),
    Effect(Function, Block, usize),
    Call(Function, Block, usize),
    Region(Region),
    Result(Function),
    Ending(Function),
    Called(Function),
}

/// The state of the walk.
struct Relevance<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    may_end: &'a [Ending],
    bodies: Vec<Option<Body>>,
    marks: Vec<Marks>,
    regions: Vec<bool>,
    /// The instructions that write to each region.
    writers: Vec<Vec<(Function, Block, usize)>>,
    /// The calls of each function.
    calls: Vec<Vec<(Function, Block, usize)>>,
    work: Vec<Fact>,
}

impl<'a> Relevance<'a> {
    fn of(pool: &'a TermPool, program: &'a Program, may_end: &'a [Ending]) -> Marked {
        let mut relevance = Relevance {
            pool,
            program,
            may_end,
            bodies: program.functions.values().map(|data| body(data, may_end)).collect(),
            marks: program.functions.values().map(Marks::none).collect(),
            regions: vec![false; program.regions.len()],
            writers: vec![Vec::new(); program.regions.len()],
            calls: vec![Vec::new(); program.functions.len()],
            work: Vec::new(),
        };
        relevance.collect();
        loop {
            while let Some(fact) = relevance.work.pop() {
                relevance.spread(fact);
            }
            if !relevance.decide_where_parameters_are_needed() {
                break;
            }
        }
        let next = relevance.bodies.iter().map(|body| {
            let body = body.as_ref();
            body.map_or_else(Vec::new, |body| {
                (0..body.graph.block_count()).map(|block| body.control.next(Block::new(block))).collect()
            })
        });
        Marked { next: next.collect(), marks: relevance.marks, regions: relevance.regions }
    }

    /// Fills the tables and finds the criteria.
    fn collect(&mut self) {
        for (function, data) in self.program.functions.iter() {
            let Some(body) = &self.bodies[function.index()] else { continue };
            let definitions = definitions(data);
            for &block in body.graph.reverse_postorder() {
                let block_data = &data.blocks[block];
                if matches!(block_data.terminator, Terminator::Error(_) | Terminator::Unsupported(_)) {
                    self.work.push(Fact::Block(function, block));
                    self.work.push(Fact::Called(function));
                }
                for (index, instruction) in block_data.instructions.iter().enumerate() {
                    let place = (function, block, index);
                    match &instruction.kind {
                        InstructionKind::Store { region, address, ty, .. } => {
                            self.writers[region.index()].push(place);
                            let may_be_outside = address.is_some_and(|address| {
                                !is_inside(self.pool, self.program, &definitions, address, ty.bytes())
                            });
                            if may_be_outside {
                                self.work.push(Fact::Effect(function, block, index));
                            }
                        }
                        kind @ (InstructionKind::Forget { .. } | InstructionKind::Allocate { .. }) => {
                            kind.regions().for_each(|region| self.writers[region.index()].push(place));
                        }
                        InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                            self.calls[callee.index()].push(place);
                        }
                        InstructionKind::Call { callee: Callee::Indirect { .. }, .. }
                        | InstructionKind::Pure(_)
                        | InstructionKind::Havoc(_)
                        | InstructionKind::AddressOf(_)
                        | InstructionKind::FunctionAddress(_)
                        | InstructionKind::Load { .. } => {}
                    }
                }
            }
        }
    }

    fn need(&mut self, function: Function, term: Term) {
        for value in self.pool.free_values(term) {
            self.work.push(Fact::Value(function, Value(value)));
        }
    }

    fn spread(&mut self, fact: Fact) {
        match fact {
            Fact::Value(function, value) => {
                if !std::mem::replace(&mut self.marks[function.index()].values[value.index()], true) {
                    self.value(function, value);
                }
            }
            Fact::Block(function, block) => {
                if !std::mem::replace(&mut self.marks[function.index()].blocks[block.index()], true)
                    && let Some(body) = &self.bodies[function.index()]
                {
                    self.work
                        .extend(body.control.branches(block).iter().map(|&b| Fact::Decides(function, b)));
                }
            }
            Fact::Decides(function, block) => {
                if !std::mem::replace(&mut self.marks[function.index()].decides[block.index()], true) {
                    self.decides(function, block);
                }
            }
            Fact::Effect(function, block, index) => {
                if self.mark(function, block, index) {
                    self.effect(function, block, index);
                }
            }
            Fact::Call(function, block, index) => {
                if self.mark(function, block, index) {
                    self.call(function, block, index);
                }
            }
            Fact::Region(region) => {
                if !std::mem::replace(&mut self.regions[region.index()], true) {
                    for &(function, block, index) in &self.writers[region.index()] {
                        // A store outside of its object was kept without its value before.
                        let instruction = &self.program.functions[function].blocks[block].instructions[index];
                        if let InstructionKind::Store { value, .. } = instruction.kind {
                            let values = self.pool.free_values(value);
                            self.work
                                .extend(values.into_iter().map(|value| Fact::Value(function, Value(value))));
                        }
                        self.work.push(Fact::Effect(function, block, index));
                    }
                }
            }
            Fact::Result(function) => {
                if !std::mem::replace(&mut self.marks[function.index()].result, true) {
                    self.result(function);
                }
            }
            Fact::Ending(function) => {
                if !std::mem::replace(&mut self.marks[function.index()].ending, true) {
                    self.ending(function);
                }
            }
            Fact::Called(function) => {
                if !std::mem::replace(&mut self.marks[function.index()].called, true) {
                    for &(caller, block, index) in &self.calls[function.index()] {
                        self.work.push(Fact::Call(caller, block, index));
                        self.work.push(Fact::Block(caller, block));
                        self.work.push(Fact::Called(caller));
                    }
                }
            }
        }
    }

    /// Marks an instruction. Returns whether it was not marked before.
    fn mark(&mut self, function: Function, block: Block, index: usize) -> bool {
        let marks = &mut self.marks[function.index()].instructions[block.index()];
        !std::mem::replace(&mut marks[index], true)
    }

    fn value(&mut self, function: Function, value: Value) {
        let program = self.program;
        let Some(body) = &self.bodies[function.index()] else { return };
        let data = &program.functions[function];
        match body.definitions[value.index()] {
            Definition::None => {}
            Definition::Parameter(block, position) if block == data.entry => {
                let calls = self.calls[function.index()].clone();
                for (caller, block, index) in calls {
                    if self.marks[caller.index()].instructions[block.index()][index]
                        && let InstructionKind::Call { arguments, .. } =
                            &program.functions[caller].blocks[block].instructions[index].kind
                    {
                        self.need(caller, arguments[position]);
                    }
                }
            }
            Definition::Parameter(block, position) => {
                for edge in body.graph.predecessors(block).to_vec() {
                    self.need(function, edge.edge(data).arguments[position]);
                    self.work.push(Fact::Block(function, edge.from));
                    if data.blocks[edge.from].terminator.edges().len() > 1 {
                        self.work.push(Fact::Decides(function, edge.from));
                    }
                }
            }
            Definition::Instruction(block, index) => {
                let kind = &data.blocks[block].instructions[index].kind;
                match kind {
                    InstructionKind::Pure(term) => self.need(function, *term),
                    InstructionKind::Load { region, address } => {
                        if let Some(address) = address {
                            self.need(function, *address);
                        }
                        self.work.push(Fact::Region(*region));
                    }
                    InstructionKind::AddressOf(_) | InstructionKind::FunctionAddress(_) => {}
                    InstructionKind::Havoc(_) | InstructionKind::Allocate { .. } => {
                        self.work.push(Fact::Effect(function, block, index));
                    }
                    InstructionKind::Call { callee, .. } => {
                        if let Callee::Direct(callee) = callee {
                            self.work.push(Fact::Result(*callee));
                        }
                        self.work.push(Fact::Call(function, block, index));
                    }
                    InstructionKind::Store { .. } | InstructionKind::Forget { .. } => {}
                }
            }
        }
    }

    fn decides(&mut self, function: Function, block: Block) {
        let program = self.program;
        let data = &program.functions[function].blocks[block];
        self.work.push(Fact::Block(function, block));
        data.terminator.for_each_own_term(|term| self.need(function, term));
        if let Some(callee) = last_call(data, self.may_end) {
            self.work.push(Fact::Call(function, block, data.instructions.len() - 1));
            self.work.push(Fact::Ending(callee));
        }
    }

    /// Processes an instruction that writes or reads an input.
    fn effect(&mut self, function: Function, block: Block, index: usize) {
        self.work.push(Fact::Block(function, block));
        self.work.push(Fact::Called(function));
        let program = self.program;
        match &program.functions[function].blocks[block].instructions[index].kind {
            InstructionKind::Store { region, address, value, .. } => {
                if let Some(address) = address {
                    self.need(function, *address);
                }
                if self.regions[region.index()] {
                    self.need(function, *value);
                }
            }
            kind => kind.for_each_term(|term| self.need(function, term)),
        }
    }

    fn call(&mut self, function: Function, block: Block, index: usize) {
        let program = self.program;
        let InstructionKind::Call { callee: Callee::Direct(callee), arguments } =
            &program.functions[function].blocks[block].instructions[index].kind
        else {
            return;
        };
        let target = &program.functions[*callee];
        if !target.is_defined() {
            // The call of a function without a body is an input.
            self.work.push(Fact::Block(function, block));
            self.work.push(Fact::Called(function));
            return;
        }
        for (&parameter, &argument) in target.blocks[target.entry].parameters.iter().zip(arguments) {
            if self.marks[callee.index()].values[parameter.index()] {
                self.need(function, argument);
            }
        }
        // Further arguments are those of a variadic function.
        for &argument in arguments.iter().skip(target.parameters.len()) {
            self.need(function, argument);
        }
    }

    fn result(&mut self, function: Function) {
        let program = self.program;
        let Some(body) = &self.bodies[function.index()] else { return };
        for block in body.graph.reverse_postorder().to_vec() {
            if let Terminator::Return(value) = &program.functions[function].blocks[block].terminator {
                self.work.push(Fact::Block(function, block));
                if let Some(value) = value {
                    self.need(function, *value);
                }
            }
        }
    }

    fn ending(&mut self, function: Function) {
        let data = &self.program.functions[function];
        let Some(body) = &self.bodies[function.index()] else { return };
        for &block in body.graph.reverse_postorder() {
            if ending_of(&data.blocks[block].terminator) != Ending::None {
                self.work.push(Fact::Block(function, block));
            }
            if let Some(callee) = last_call(&data.blocks[block], self.may_end) {
                self.work.push(Fact::Call(function, block, data.blocks[block].instructions.len() - 1));
                self.work.push(Fact::Block(function, block));
                self.work.push(Fact::Ending(callee));
            }
        }
        self.work.extend(body.control.endless().iter().map(|&block| Fact::Block(function, block)));
    }

    /// Makes branches decide that select between arguments of relevant parameters. Returns whether
    /// there was any.
    fn decide_where_parameters_are_needed(&mut self) -> bool {
        for (function, data) in self.program.functions.iter() {
            let Some(body) = &self.bodies[function.index()] else { continue };
            let marks = &self.marks[function.index()];
            for &block in body.graph.reverse_postorder() {
                if marks.decides[block.index()] || data.blocks[block].terminator.edges().len() < 2 {
                    continue;
                }
                let is_needed = |next: Block| {
                    data.blocks[next].parameters.iter().any(|value| marks.values[value.index()])
                };
                if body.control.next(block).is_some_and(is_needed) {
                    self.work.push(Fact::Decides(function, block));
                }
            }
        }
        !self.work.is_empty()
    }
}

/// The result of the walk.
struct Marked {
    /// For each function and block, the target of a branch that does not decide.
    next: Vec<Vec<Option<Block>>>,
    marks: Vec<Marks>,
    regions: Vec<bool>,
}

impl Marks {
    fn none(data: &FunctionData) -> Self {
        Marks {
            values: vec![false; data.values.len()],
            blocks: vec![false; data.blocks.len()],
            decides: vec![false; data.blocks.len()],
            instructions: data.blocks.values().map(|block| vec![false; block.instructions.len()]).collect(),
            result: false,
            ending: false,
            called: false,
        }
    }
}

fn body(data: &FunctionData, may_end: &[Ending]) -> Option<Body> {
    if !data.is_defined() {
        return None;
    }
    let graph = ControlFlow::new(data);
    let ending = |block: Block| match last_call(&data.blocks[block], may_end) {
        Some(callee) => may_end[callee.index()],
        None => ending_of(&data.blocks[block].terminator),
    };
    let control = ControlDependence::new(&graph, &ending);
    let mut definitions = vec![Definition::None; data.values.len()];
    for &block in graph.reverse_postorder() {
        for (position, value) in data.blocks[block].parameters.iter().enumerate() {
            definitions[value.index()] = Definition::Parameter(block, position);
        }
        for (index, instruction) in data.blocks[block].instructions.iter().enumerate() {
            if let Some(value) = instruction.result {
                definitions[value.index()] = Definition::Instruction(block, index);
            }
        }
    }
    Some(Body { graph, control, definitions })
}
