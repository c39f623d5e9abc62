//! The compiler from functions to register code.
//!
//! Every SSA value of the function has a register; the registers of temporaries follow. There are
//! two banks: machine words for values of at most 64 bits (a `Bool` is 0 or 1), and [`BitVector`]s
//! for wider values. Each term is computed once per block, in postorder, since its value cannot
//! change within the block. Leaves (SSA values and constants) need no code.

use super::TraceMode;
use super::floats::{FloatCode, Native, register_width};
use super::operand::{CONSTANT, Operand, Register, Typed};
use crate::layout::Layout;
use crate::ssa::cfg::EdgeRef;
use crate::ssa::{
    Block, Callee, Contents, Edge, Function, FunctionData, InstructionKind, Object, Program, Region,
    RegionKind, Signedness, SwitchCase, Terminator, Type, Value,
};
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{BitVector, Op, RoundingMode, Sort, Term, TermPool};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Not,
    BvNot,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    Eq,
    /// `width` is the width of the low part.
    Concat,
    /// The second operand is an immediate, the index of the lowest bit. `width` is the width of the
    /// result.
    Extract,
    /// The second operand is an immediate, the width of the argument. `width` is the width of the
    /// result.
    SignExtend,
    Move,
}

#[derive(Clone, Debug)]
pub(super) enum Code {
    Word {
        op: Word,
        width: u8,
        to: u32,
        a: Operand,
        b: Operand,
    },
    Ite {
        to: u32,
        condition: Operand,
        a: Operand,
        b: Operand,
    },
    /// An operator with a result or an argument of more than 64 bits.
    Wide {
        op: Op,
        to: Register,
        arguments: Box<[Typed]>,
    },
    MoveWide {
        to: u32,
        a: Operand,
    },
    /// A floating-point operator that the hardware implements, on words.
    Native {
        native: Native,
        to: u32,
        a: Operand,
        b: Operand,
    },
    /// Any other floating-point operator.
    Float(Box<FloatCode>),
    /// A term that the interpreter cannot evaluate.
    Unevaluable {
        op: Op,
    },
    /// The start of a block. `steps` counts its instructions and its terminator.
    Enter {
        block: Block,
        steps: u32,
    },
    Jump(u32),
    Branch {
        condition: Operand,
        then: u32,
        otherwise: u32,
    },
    Switch {
        scrutinee: Operand,
        table: Box<SwitchTable>,
    },
    SwitchWide {
        scrutinee: Operand,
        ranges: Box<[(BitVector, BitVector, u32)]>,
        default: u32,
    },
    Return(Option<Typed>),
    /// The terminator of the current block ends the run.
    End,
    Input {
        to: Typed,
        at: u32,
    },
    Object {
        to: Operand,
        object: Object,
        slot: u32,
        at: u32,
    },
    Load {
        to: u32,
        region: Region,
        address: Operand,
        bytes: u8,
        at: u32,
    },
    LoadWide {
        to: u32,
        region: Region,
        address: Operand,
        width: u32,
        at: u32,
    },
    Store {
        region: Region,
        address: Operand,
        from: Typed,
        at: u32,
    },
    LoadScalar {
        to: Register,
        region: Region,
    },
    StoreScalar {
        region: Region,
        from: Typed,
        at: u32,
    },
    Forget {
        region: Region,
        object: Object,
        slot: Option<u32>,
        at: u32,
    },
    Allocate {
        to: u32,
        parts: Box<[Region]>,
        size: Operand,
        contents: Contents,
        at: u32,
    },
    Call {
        callee: Target,
        arguments: Box<[Typed]>,
        result: Option<Typed>,
        at: u32,
    },
    Assigned {
        value: Value,
        from: Typed,
    },
    Taken(EdgeRef),
    /// Records the operands of the decision at the end of the block.
    Operands(Box<[Typed]>),
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    Direct(Function),
    Indirect(Operand),
}

/// Disjoint ranges in ascending order, with their targets in the code.
#[derive(Clone, Debug)]
pub(super) struct SwitchTable {
    pub(super) ranges: Vec<(u64, u64, u32)>,
    pub(super) default: u32,
}

/// A function in register code.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) code: Vec<Code>,
    pub(super) constants: Vec<u64>,
    pub(super) wide_constants: Vec<BitVector>,
    pub(super) narrow: usize,
    pub(super) wide: usize,
    pub(super) parameters: Vec<Typed>,
    /// The register of each SSA value.
    pub(super) values: Vec<Typed>,
    /// Whether the function has registers for the addresses of automatic objects. They hold 0 until
    /// the object is placed.
    pub(super) has_objects: bool,
    pub(super) entry: u32,
}

pub(super) fn compile(
    pool: &TermPool,
    program: &Program,
    layout: &Layout,
    function: Function,
    mode: TraceMode,
) -> Compiled {
    let data = &program.functions[function];
    let mut compiler = Compiler {
        pool,
        program,
        layout,
        function,
        data,
        mode,
        code: Vec::new(),
        constants: Vec::new(),
        constant_of: FxHashMap::default(),
        wide_constants: Vec::new(),
        narrow: 0,
        wide: 0,
        values: Vec::new(),
        slots: FxHashMap::default(),
        known: FxHashMap::default(),
        scratch: None,
    };
    compiler.assign_registers();
    let mut starts = vec![0; data.blocks.len()];
    for (block, start) in starts.iter_mut().enumerate() {
        *start = compiler.code.len() as u32;
        compiler.block(Block::new(block));
    }
    // Up to here the targets of jumps are block numbers, marked by the top bit.
    let resolve = |target: &mut u32| {
        if *target & CONSTANT != 0 {
            *target = starts[(*target & !CONSTANT) as usize];
        }
    };
    for code in &mut compiler.code {
        if let Code::Jump(target) = code {
            resolve(target);
        }
    }
    Compiled {
        code: compiler.code,
        constants: compiler.constants,
        wide_constants: compiler.wide_constants,
        narrow: compiler.narrow as usize,
        wide: compiler.wide as usize,
        parameters: data.blocks[data.entry].parameters.iter().map(|p| compiler.values[p.index()]).collect(),
        values: compiler.values,
        has_objects: !compiler.slots.is_empty(),
        entry: starts[data.entry.index()],
    }
}

struct Compiler<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    layout: &'a Layout,
    function: Function,
    data: &'a FunctionData,
    mode: TraceMode,
    code: Vec<Code>,
    constants: Vec<u64>,
    constant_of: FxHashMap<u64, u32>,
    wide_constants: Vec<BitVector>,
    narrow: u32,
    wide: u32,
    values: Vec<Typed>,
    slots: FxHashMap<Object, u32>,
    /// The terms already computed at this point of the block.
    known: FxHashMap<Term, Register>,
    /// On an edge: the terms computed for this edge only.
    scratch: Option<Vec<Term>>,
}

impl Compiler<'_> {
    fn register(&mut self, width: u32) -> Register {
        let bank = if width <= 64 { &mut self.narrow } else { &mut self.wide };
        let register = *bank;
        *bank += 1;
        if width <= 64 { Register::Narrow(register) } else { Register::Wide(register) }
    }

    fn assign_registers(&mut self) {
        for value in self.data.values.values() {
            let width = value.ty.width();
            let register = self.register(width);
            self.values.push(Typed { register, width });
        }
        for instruction in self.data.blocks.values().flat_map(|block| &block.instructions) {
            if let InstructionKind::AddressOf(object) | InstructionKind::Forget { object, .. } =
                instruction.kind
                && self.program.objects[object].owner.is_some()
                && !self.slots.contains_key(&object)
            {
                let slot = self.narrow;
                self.narrow += 1;
                self.slots.insert(object, slot);
            }
        }
    }

    fn constant(&mut self, value: u64) -> Operand {
        let constants = &mut self.constants;
        let index = self.constant_of.entry(value).or_insert_with(|| {
            constants.push(value);
            constants.len() as u32 - 1
        });
        *index | CONSTANT
    }

    fn constant_bits(&mut self, bits: BitVector) -> Register {
        if bits.width() <= 64 {
            return Register::Narrow(self.constant(bits.to_u64().unwrap_or(0)));
        }
        self.wide_constants.push(bits);
        Register::Wide((self.wide_constants.len() as u32 - 1) | CONSTANT)
    }

    fn block(&mut self, block: Block) {
        let contents = &self.data.blocks[block];
        self.known.clear();
        self.code.push(Code::Enter { block, steps: contents.instructions.len() as u32 + 1 });
        for (index, instruction) in contents.instructions.iter().enumerate() {
            self.instruction(&instruction.kind, instruction.result, index as u32);
            if let Some(result) = instruction.result {
                let is_input = matches!(instruction.kind, InstructionKind::Havoc(_));
                self.assigned(result, is_input);
            }
        }
        self.operands(block);
        match &contents.terminator {
            Terminator::Goto(edge) => self.edge(EdgeRef { from: block, index: 0 }, edge, false),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.narrow_term(*condition);
                let branch = self.code.len();
                self.code.push(Code::End);
                let then_start = self.code.len() as u32;
                self.edge(EdgeRef { from: block, index: 0 }, then, true);
                let otherwise_start = self.code.len() as u32;
                self.edge(EdgeRef { from: block, index: 1 }, otherwise, true);
                self.code[branch] = Code::Branch { condition, then: then_start, otherwise: otherwise_start };
            }
            Terminator::Switch { scrutinee, cases, default } => {
                self.switch(block, *scrutinee, cases, default);
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.typed(value));
                self.code.push(Code::Return(value));
            }
            Terminator::Error(_) | Terminator::Stop(_) | Terminator::Unsupported(_) => {
                self.code.push(Code::End);
            }
        }
    }

    /// Records the operands of the decision at the end of a block.
    fn operands(&mut self, block: Block) {
        let Some(decision) = self.program.source.decisions.get(&(self.function, block)) else { return };
        if self.mode == TraceMode::Off || !decision.fits(self.pool, self.data.values.len()) {
            return;
        }
        let operands = decision.operands.iter().map(|operand| self.typed(operand.term)).collect();
        self.code.push(Code::Operands(operands));
    }

    fn assigned(&mut self, value: Value, is_input: bool) {
        let is_wanted = match self.mode {
            TraceMode::Off => false,
            TraceMode::Source => !is_input && self.data.values[value].name.is_some(),
            TraceMode::Full => !is_input,
        };
        if is_wanted {
            self.code.push(Code::Assigned { value, from: self.values[value.index()] });
        }
    }

    fn switch(&mut self, block: Block, scrutinee: Term, cases: &[SwitchCase], default: &Edge) {
        let scrutinee = self.typed(scrutinee);
        let at = self.code.len();
        self.code.push(Code::End);
        let mut ranges = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            let start = self.code.len() as u32;
            self.edge(EdgeRef { from: block, index: index as u32 }, &case.edge, true);
            for &(low, high) in &case.ranges {
                let bounds = (self.pool.as_bit_vector(low), self.pool.as_bit_vector(high));
                let (Some(low), Some(high)) = bounds else { continue };
                if case.signedness == Signedness::Signed && low.is_negative() && !high.is_negative() {
                    ranges.push((low, BitVector::ones(scrutinee.width), start));
                    ranges.push((BitVector::new(scrutinee.width, 0), high, start));
                } else {
                    ranges.push((low, high, start));
                }
            }
        }
        let default_start = self.code.len() as u32;
        self.edge(EdgeRef { from: block, index: cases.len() as u32 }, default, true);
        self.code[at] = match scrutinee.register {
            Register::Narrow(scrutinee) => {
                let word = |bits: &BitVector| bits.to_u64().unwrap_or(0);
                let mut ranges: Vec<(u64, u64, u32)> =
                    ranges.iter().map(|(low, high, start)| (word(low), word(high), *start)).collect();
                ranges.sort_unstable();
                Code::Switch { scrutinee, table: Box::new(SwitchTable { ranges, default: default_start }) }
            }
            Register::Wide(scrutinee) => {
                Code::SwitchWide { scrutinee, ranges: ranges.into(), default: default_start }
            }
        };
    }

    /// Assigns the parameters of the target in parallel and jumps.
    fn edge(&mut self, edge_ref: EdgeRef, edge: &Edge, is_choice: bool) {
        self.scratch = Some(Vec::new());
        if self.mode == TraceMode::Full || (self.mode == TraceMode::Source && is_choice) {
            self.code.push(Code::Taken(edge_ref));
        }
        let parameters = &self.data.blocks[edge.target].parameters;
        let mut sources: Vec<Typed> = edge.arguments.iter().map(|&argument| self.typed(argument)).collect();
        for index in 0..sources.len() {
            // Saves a source that an earlier move would overwrite.
            let is_overwritten =
                parameters[..index].iter().any(|parameter| self.values[parameter.index()] == sources[index]);
            if is_overwritten {
                let saved = self.register(sources[index].width);
                self.move_to(saved, sources[index].register);
                sources[index].register = saved;
            }
        }
        for (parameter, source) in parameters.iter().zip(&sources) {
            let to = self.values[parameter.index()].register;
            if to != source.register {
                self.move_to(to, source.register);
            }
        }
        if self.mode == TraceMode::Full {
            for &parameter in parameters {
                self.assigned(parameter, false);
            }
        }
        self.code.push(Code::Jump(edge.target.0 | CONSTANT));
        for term in self.scratch.take().into_iter().flatten() {
            self.known.remove(&term);
        }
    }

    fn move_to(&mut self, to: Register, from: Register) {
        self.code.push(match (to, from) {
            (Register::Narrow(to), Register::Narrow(a)) => {
                Code::Word { op: Word::Move, width: 64, to, a, b: a }
            }
            (Register::Wide(to), Register::Wide(a)) => Code::MoveWide { to, a },
            _ => unreachable!("sorts of a parameter and its argument should agree"),
        });
    }

    fn instruction(&mut self, kind: &InstructionKind, result: Option<Value>, at: u32) {
        let to = result.map(|result| self.values[result.index()]);
        let narrow_to = match to {
            Some(Typed { register: Register::Narrow(to), .. }) => to,
            _ => 0,
        };
        match kind {
            InstructionKind::Pure(term) => {
                let Some(to) = to else { return };
                let from = self.term(*term);
                self.move_to(to.register, from);
            }
            InstructionKind::Havoc(_) => self.code.extend(to.map(|to| Code::Input { to, at })),
            InstructionKind::AddressOf(object) => match self.slots.get(object) {
                Some(&slot) => self.code.push(Code::Object { to: narrow_to, object: *object, slot, at }),
                None => {
                    let address = self.layout.object(*object).unwrap_or(0);
                    let a = self.constant(address);
                    self.move_to(Register::Narrow(narrow_to), Register::Narrow(a));
                }
            },
            InstructionKind::FunctionAddress(function) => {
                let a = self.constant(self.layout.function(*function));
                self.move_to(Register::Narrow(narrow_to), Register::Narrow(a));
            }
            InstructionKind::Load { region, address } => {
                let Some(to) = to else { return };
                match (address, to.register) {
                    (None, to) => self.code.push(Code::LoadScalar { to, region: *region }),
                    (Some(address), register) => {
                        let address = self.narrow_term(*address);
                        let region = *region;
                        self.code.push(match register {
                            Register::Narrow(register) => {
                                let bytes = (to.width / 8) as u8;
                                Code::Load { to: register, region, address, bytes, at }
                            }
                            Register::Wide(register) => {
                                Code::LoadWide { to: register, region, address, width: to.width, at }
                            }
                        });
                    }
                }
            }
            InstructionKind::Store { region, address, value, ty: _, place: _ } => {
                let address = address.map(|address| self.narrow_term(address));
                let (region, from) = (*region, self.typed(*value));
                self.code.push(match address {
                    Some(address) => Code::Store { region, address, from, at },
                    None => Code::StoreScalar { region, from, at },
                });
            }
            InstructionKind::Forget { region, object } => {
                let slot = self.slots.get(object).copied();
                self.code.push(Code::Forget { region: *region, object: *object, slot, at });
            }
            InstructionKind::Allocate { parts, size, align: _, contents } => {
                let size = self.narrow_term(*size);
                let parts = parts.iter().map(|part| part.region).collect();
                self.code.push(Code::Allocate { to: narrow_to, parts, size, contents: *contents, at });
            }
            InstructionKind::Call { callee, arguments } => {
                let callee = match callee {
                    Callee::Direct(function) => Target::Direct(*function),
                    Callee::Indirect { address, .. } => Target::Indirect(self.narrow_term(*address)),
                };
                let arguments = arguments.iter().map(|&argument| self.typed(argument)).collect();
                self.code.push(Code::Call { callee, arguments, result: to, at });
            }
        }
    }

    fn typed(&mut self, term: Term) -> Typed {
        Typed { register: self.term(term), width: register_width(self.pool.sort(term)) }
    }

    fn narrow_term(&mut self, term: Term) -> Operand {
        match self.term(term) {
            Register::Narrow(operand) => operand,
            Register::Wide(_) => unreachable!("conditions, addresses and sizes should have at most 64 bits"),
        }
    }

    /// Emits code for the subterms that are not computed yet; returns the register of the result.
    fn term(&mut self, root: Term) -> Register {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.leaf(term).is_some() {
                continue;
            }
            if is_ready {
                let register = self.node(term);
                self.known.insert(term, register);
                if let Some(scratch) = &mut self.scratch {
                    scratch.push(term);
                }
            } else {
                stack.push((term, true));
                stack.extend(self.pool.children(term).iter().rev().map(|&child| (child, false)));
            }
        }
        self.leaf(root).expect("the term should have been computed")
    }

    /// The register of a constant, an SSA value or an already computed term.
    fn leaf(&mut self, term: Term) -> Option<Register> {
        match self.pool.op(term) {
            Op::Value(value) => Some(self.values[value as usize].register),
            Op::True => Some(Register::Narrow(self.constant(1))),
            Op::False => Some(Register::Narrow(self.constant(0))),
            Op::BvConst(_) => {
                let bits = self.pool.as_bit_vector(term)?;
                Some(self.constant_bits(bits))
            }
            Op::FloatConst(_) => {
                let bits = self.pool.as_float_bits(term)?.clone();
                let bits = BitVector::from_natural(register_width(self.pool.sort(term)), bits);
                Some(self.constant_bits(bits))
            }
            Op::RoundingMode(mode) => {
                let index = RoundingMode::ALL.iter().position(|&other| other == mode)?;
                Some(Register::Narrow(self.constant(index as u64)))
            }
            _ => self.known.get(&term).copied(),
        }
    }

    fn node(&mut self, term: Term) -> Register {
        let (op, children) = (self.pool.op(term), self.pool.children(term));
        let width = register_width(self.pool.sort(term));
        let arguments: Vec<Typed> = children.iter().map(|&child| self.typed(child)).collect();
        if let (Op::ZeroExtend(_), &[Typed { register: register @ Register::Narrow(_), .. }], true) =
            (op, &arguments[..], width <= 64)
        {
            return register;
        }
        // Registers hold floats as bit patterns.
        if let (Op::FpToBits, &[Typed { register, .. }]) = (op, &arguments[..]) {
            return register;
        }
        let to = self.register(width);
        if is_over_floats(op) {
            self.float(term, Typed { register: to, width }, arguments);
            return to;
        }
        let narrow: Option<Vec<Operand>> = arguments
            .iter()
            .map(|argument| match argument.register {
                Register::Narrow(operand) => Some(operand),
                Register::Wide(_) => None,
            })
            .collect();
        match (to, narrow) {
            (Register::Narrow(to), Some(narrow)) => self.word(op, width, to, &narrow, &arguments),
            _ => self.code.push(Code::Wide { op, to, arguments: arguments.into() }),
        }
        to
    }

    fn float(&mut self, term: Term, to: Typed, arguments: Vec<Typed>) {
        let (op, sort) = (self.pool.op(term), self.pool.sort(term));
        let children = self.pool.children(term);
        let sorts: Vec<Sort> = children.iter().map(|&child| self.pool.sort(child)).collect();
        let mode = match self.pool.op(children[0]) {
            Op::RoundingMode(mode) => Some(mode),
            _ => None,
        };
        let operands = if sorts[0] == Sort::RoundingMode { &arguments[1..] } else { &arguments[..] };
        let words = match *operands {
            [Typed { register: Register::Narrow(a), .. }] => Some((a, a)),
            [Typed { register: Register::Narrow(a), .. }, Typed { register: Register::Narrow(b), .. }] => {
                Some((a, b))
            }
            _ => None,
        };
        let code = match (to.register, words, Native::of(op, mode, sort, &sorts)) {
            (Register::Narrow(to), Some((a, b)), Some(native)) => Code::Native { native, to, a, b },
            _ => {
                let arguments = arguments.into_iter().zip(sorts).collect();
                Code::Float(Box::new(FloatCode { op, to, sort, arguments }))
            }
        };
        self.code.push(code);
    }

    fn word(&mut self, op: Op, width: u32, to: u32, operands: &[Operand], arguments: &[Typed]) {
        // Comparisons use the width of their operands.
        let compared = arguments.first().map_or(0, |argument| argument.width) as u8;
        let own = width as u8;
        let (word, width) = match op {
            Op::Ite => {
                let [condition, a, b] = operands[..] else { return self.code.push(Code::Unevaluable { op }) };
                return self.code.push(Code::Ite { to, condition, a, b });
            }
            Op::Extract { low, .. } => {
                return self.code.push(Code::Word {
                    op: Word::Extract,
                    width: own,
                    to,
                    a: operands[0],
                    b: low,
                });
            }
            Op::SignExtend(_) => {
                let b = arguments[0].width;
                return self.code.push(Code::Word {
                    op: Word::SignExtend,
                    width: own,
                    to,
                    a: operands[0],
                    b,
                });
            }
            Op::Concat => return self.concat(to, operands, arguments),
            Op::Not => (Word::Not, 1),
            Op::And | Op::BvAnd => (Word::And, own),
            Op::Or | Op::BvOr => (Word::Or, own),
            Op::Xor | Op::BvXor => (Word::Xor, own),
            Op::Eq => (Word::Eq, compared),
            Op::BvNot => (Word::BvNot, own),
            Op::BvNeg => (Word::Neg, own),
            Op::BvAdd => (Word::Add, own),
            Op::BvSub => (Word::Sub, own),
            Op::BvMul => (Word::Mul, own),
            Op::BvUdiv => (Word::Udiv, own),
            Op::BvUrem => (Word::Urem, own),
            Op::BvSdiv => (Word::Sdiv, own),
            Op::BvSrem => (Word::Srem, own),
            Op::BvShl => (Word::Shl, own),
            Op::BvLshr => (Word::Lshr, own),
            Op::BvAshr => (Word::Ashr, own),
            Op::BvUlt => (Word::Ult, compared),
            Op::BvUle => (Word::Ule, compared),
            Op::BvSlt => (Word::Slt, compared),
            Op::BvSle => (Word::Sle, compared),
            _ => return self.code.push(Code::Unevaluable { op }),
        };
        let mut a = operands[0];
        if operands.len() == 1 {
            return self.code.push(Code::Word { op: word, width, to, a, b: a });
        }
        let is_chain = matches!(word, Word::And | Word::Or | Word::Xor | Word::Add | Word::Mul);
        if operands.len() > 2 && !is_chain {
            return self.code.push(Code::Unevaluable { op });
        }
        for &b in &operands[1..] {
            self.code.push(Code::Word { op: word, width, to, a, b });
            a = to;
        }
    }

    fn concat(&mut self, to: u32, operands: &[Operand], arguments: &[Typed]) {
        let mut a = operands[0];
        for (&b, argument) in operands.iter().zip(arguments).skip(1) {
            self.code.push(Code::Word { op: Word::Concat, width: argument.width as u8, to, a, b });
            a = to;
        }
    }
}

/// Whether `op` is a floating-point operator that needs code of its own: [`Native`] or
/// [`FloatCode`].
fn is_over_floats(op: Op) -> bool {
    matches!(
        op,
        Op::FpAbs
            | Op::FpNeg
            | Op::FpAdd
            | Op::FpSub
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRem
            | Op::FpRoundToIntegral
            | Op::FpMin
            | Op::FpMax
            | Op::FpLe
            | Op::FpLt
            | Op::FpEq
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive
            | Op::FpFromBits { .. }
            | Op::FpFromFloat { .. }
            | Op::FpFromSigned { .. }
            | Op::FpFromUnsigned { .. }
            | Op::FpToSigned(_)
            | Op::FpToUnsigned(_)
    )
}

/// The type of a scalar region; `None` for other regions.
pub(super) fn scalar_type(program: &Program, region: Region) -> Option<Type> {
    match program.regions[region].kind {
        RegionKind::Scalar(ty) => Some(ty),
        RegionKind::Cells(_) | RegionKind::Bytes => None,
    }
}
