//! Random well-formed programs, for property tests of this package and of its users.
//!
//! The generator first draws a control-flow graph of the requested kind ([`Graph`]), then fills
//! every block with random instructions over the values that dominate it, so the result is well
//! formed by construction. Memory accesses stay within their objects. Functions call only functions
//! with larger numbers, so there is no recursion. Loops may not terminate: bound the steps. The
//! same seed yields the same program.

use crate::ssa::cfg::ControlFlow;
use crate::ssa::dominators::Dominators;
use crate::ssa::{
    Block, BlockData, Callee, Contents, Edge, Function, FunctionData, HavocSource, Instruction,
    InstructionKind, Machine, Object, ObjectData, Part, Program, Property, PropertyData, PropertyKind,
    Region, RegionData, RegionKind, Shadow, Signedness, StopReason, SwitchCase, Terminator, Type, Value,
    ValueData,
};
use grammars::source::Span;
use terms::Random;
use terms::entity::{Entity, PrimaryMap};
use terms::{Sort, Term, TermPool};

/// Kinds of control-flow graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// Without loops.
    Acyclic,
    /// Loops have one entry.
    Reducible,
    /// Without restrictions.
    Any,
}

/// The parameters of a random program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its control flow.
    pub graph: Graph,
    /// The number of functions with a body, at least 1.
    pub functions: usize,
    /// The number of blocks of each function, at least 1.
    pub blocks: usize,
    /// The greatest number of instructions of a block.
    pub instructions: usize,
    /// Whether the program has regions besides `memory`, loads and stores.
    pub memory: Memory,
    /// The greatest width of integers in bits, at least 8.
    pub max_width: u32,
}

/// Whether a random program has memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Values only.
    None,
    /// Scalar regions, cells and bytes; static, automatic and heap objects.
    All,
}

impl Shape {
    /// A few functions with all features.
    pub const SMALL: Shape = Shape {
        graph: Graph::Any,
        functions: 2,
        blocks: 7,
        instructions: 4,
        memory: Memory::All,
        max_width: 128,
    };
}

/// Generates a random program.
pub fn random_program(pool: &mut TermPool, seed: u64, shape: &Shape) -> Program {
    let mut random = Random::new(seed);
    let pointer_width = if random.number().is_multiple_of(2) { 32 } else { 64 };
    let mut generator = Generator { pool, random, shape, pointer_width };
    generator.program()
}

const MEMORY: Region = Region(0);
const COUNTER: Region = Region(1);
const CELLS: Region = Region(2);
const OBJECT_SIZE: u64 = 16;

struct Generator<'a> {
    pool: &'a mut TermPool,
    random: Random,
    shape: &'a Shape,
    pointer_width: u32,
}

/// The values available at a point of a function.
#[derive(Clone, Default)]
struct Scope {
    values: Vec<(Value, Type)>,
    /// Addresses of objects of [`OBJECT_SIZE`] bytes in a region.
    addresses: Vec<(Value, Region)>,
}

impl Generator<'_> {
    fn below(&mut self, bound: usize) -> usize {
        (self.random.number() % bound as u64) as usize
    }

    fn is_likely(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn span(&mut self) -> Span {
        if self.is_likely(50) {
            return Span::NONE;
        }
        let lo = 1 + self.below(1000) as u32;
        Span::new(lo, lo + self.below(20) as u32)
    }

    fn ty(&mut self) -> Type {
        let signedness = if self.is_likely(50) { Signedness::Signed } else { Signedness::Unsigned };
        let width = [8, 16, 32, 32, 32, 64, 128][self.below(7)];
        match self.below(6) {
            0 => Type::Bool,
            1 => Type::Pointer { width: self.pointer_width },
            _ => Type::Int { width: width.min(self.shape.max_width), signedness },
        }
    }

    fn program(&mut self) -> Program {
        let mut program = Program {
            machine: Machine::new(self.pointer_width),
            regions: PrimaryMap::new(),
            shadow: Shadow::default(),
            objects: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            entry: Function(0),
            properties: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            source: Default::default(),
        };
        let cell = Type::unsigned(8);
        program.regions.push(RegionData { name: "memory".into(), kind: RegionKind::Bytes });
        program
            .regions
            .push(RegionData { name: "counter".into(), kind: RegionKind::Scalar(Type::signed(32)) });
        program.regions.push(RegionData { name: "cells".into(), kind: RegionKind::Cells(cell) });
        for (name, owner, region) in [
            ("global", None, MEMORY),
            ("local", Some(Function(0)), MEMORY),
            ("string \"quoted\"", None, CELLS),
            ("buffer", Some(Function(0)), CELLS),
        ] {
            let span = self.span();
            let (name, regions) = (name.to_owned(), vec![region]);
            program.objects.push(ObjectData { name, size: OBJECT_SIZE, align: 4, owner, regions, span });
        }
        for (kind, description) in [
            (PropertyKind::ReachCall, "call of reach_error"),
            (PropertyKind::ReachLabel, "label ERROR"),
            (PropertyKind::Assertion, "assertion x != \"\\n\""),
            (PropertyKind::SignedOverflow, "signed overflow in x + y"),
            (PropertyKind::Null, "p is null"),
        ] {
            let span = self.span();
            program.properties.push(PropertyData { kind, description: description.to_owned(), span });
        }
        // Signatures come first because calls need them; the last function has no body.
        for index in 0..=self.shape.functions {
            let is_entry = index == 0;
            let count = if is_entry { 0 } else { self.below(3) };
            let parameters: Vec<Type> = (0..count).map(|_| self.ty()).collect();
            let result = if self.is_likely(80) { Some(self.ty()) } else { None };
            program.functions.push(FunctionData {
                name: format!("function_{index}"),
                result,
                parameters,
                is_variadic: index == self.shape.functions && self.is_likely(30),
                blocks: PrimaryMap::new(),
                values: PrimaryMap::new(),
                entry: Block(0),
                span: self.span(),
            });
        }
        for index in 0..self.shape.functions {
            self.body(&mut program, Function::new(index));
        }
        program
    }

    fn body(&mut self, program: &mut Program, function: Function) {
        let count = self.shape.blocks.max(1);
        self.skeleton(&mut program.functions[function], count);
        let graph = ControlFlow::new(&program.functions[function]);
        let dominators = Dominators::new(&graph);
        if self.shape.graph == Graph::Reducible {
            self.add_back_edges(&mut program.functions[function], &graph, &dominators);
        }
        let types = program.functions[function].parameters.clone();
        for block in (0..count).map(Block::new) {
            let types = if block == Block(0) {
                types.clone()
            } else {
                (0..self.below(3)).map(|_| self.ty()).collect()
            };
            for ty in types {
                let value = self.value(&mut program.functions[function], ty);
                program.functions[function].blocks[block].parameters.push(value);
            }
        }
        let mut scopes: Vec<Scope> = vec![Scope::default(); count];
        let unreachable = (0..count).map(Block::new).filter(|&block| !graph.is_reachable(block));
        let order: Vec<Block> = graph.reverse_postorder().iter().copied().chain(unreachable).collect();
        for &block in &order {
            let mut scope =
                dominators.immediate(block).map_or(Scope::default(), |above| scopes[above.index()].clone());
            let data = &program.functions[function];
            scope
                .values
                .extend(data.blocks[block].parameters.iter().map(|&value| (value, data.values[value].ty)));
            for _ in 0..self.below(self.shape.instructions + 1) {
                let instruction = self.instruction(program, function, &mut scope);
                program.functions[function].blocks[block].instructions.push(instruction);
            }
            scopes[block.index()] = scope;
        }
        for &block in &order {
            self.finish(&mut program.functions[function], block, &scopes[block.index()]);
        }
    }

    fn value(&mut self, data: &mut FunctionData, ty: Type) -> Value {
        let name = self.is_likely(60).then(|| ["x", "y", "s.field", "a[1]"][self.below(4)].to_owned());
        let span = self.span();
        data.values.push(ValueData { ty, name, span })
    }

    /// Blocks with terminators that lack their terms. All blocks are reachable, except a few of
    /// [`Graph::Any`].
    fn skeleton(&mut self, data: &mut FunctionData, count: usize) {
        let placeholder = self.pool.tru();
        let mut is_target = vec![false; count + 1];
        for index in 0..count {
            let next = index + 1;
            let mut targets = Vec::new();
            let may_end =
                next == count || is_target[next] || (self.shape.graph == Graph::Any && self.is_likely(5));
            let ends = next == count && self.is_likely(70) || may_end && self.is_likely(30);
            if !ends {
                if next < count {
                    targets.push(next);
                }
                for _ in 0..self.below(3) {
                    let is_forward = self.shape.graph != Graph::Any;
                    let from = if is_forward { next } else { 1 };
                    if from < count {
                        targets.push(from + self.below(count - from));
                    }
                }
            }
            for &target in &targets {
                is_target[target] = true;
            }
            let mut edges: Vec<Edge> =
                targets.into_iter().map(|target| Edge::to(Block::new(target))).collect();
            let terminator = match edges.len() {
                0 => match self.below(5) {
                    0 => Terminator::Error(Property(self.below(5) as u32)),
                    1 => Terminator::Stop(
                        [StopReason::Assume, StopReason::Exit, StopReason::Unreachable][self.below(3)]
                            .clone(),
                    ),
                    _ => Terminator::Return(data.result.map(|_| placeholder)),
                },
                1 => Terminator::Goto(edges.remove(0)),
                2 => {
                    let (then, otherwise) = (edges.remove(0), edges.remove(0));
                    Terminator::Branch { condition: placeholder, then, otherwise }
                }
                _ => {
                    let default = edges.remove(0);
                    let signedness =
                        if self.is_likely(50) { Signedness::Signed } else { Signedness::Unsigned };
                    let cases = edges.into_iter().map(|edge| SwitchCase { ranges: vec![], signedness, edge });
                    Terminator::Switch { scrutinee: placeholder, cases: cases.collect(), default }
                }
            };
            let label = self.is_likely(10).then(|| "label".to_owned());
            let span = self.span();
            let (parameters, instructions, call_boundary) = (vec![], vec![], None);
            data.blocks.push(BlockData { parameters, instructions, terminator, span, label, call_boundary });
        }
    }

    /// Adds a back edge to a dominator to some blocks with a single successor, which keeps the
    /// graph reducible and preserves its dominators.
    fn add_back_edges(&mut self, data: &mut FunctionData, graph: &ControlFlow, dominators: &Dominators) {
        let condition = self.pool.tru();
        for block in data.blocks.keys() {
            if !self.is_likely(50) || !graph.is_reachable(block) {
                continue;
            }
            let above: Vec<Block> = std::iter::successors(Some(block), |&block| dominators.immediate(block))
                .filter(|&block| block != data.entry)
                .collect();
            if above.is_empty() {
                continue;
            }
            let target = above[self.below(above.len())];
            if let Terminator::Goto(edge) = &data.blocks[block].terminator {
                let then = edge.clone();
                let otherwise = Edge::to(target);
                data.blocks[block].terminator = Terminator::Branch { condition, then, otherwise };
            }
        }
    }

    fn instruction(&mut self, program: &mut Program, function: Function, scope: &mut Scope) -> Instruction {
        let span = self.span();
        let has_memory = self.shape.memory == Memory::All;
        let kind = self.below(if has_memory { 12 } else { 5 });
        let pointer = Type::Pointer { width: self.pointer_width };
        let (kind, ty) = match kind {
            0 | 1 => {
                let ty = self.ty();
                (InstructionKind::Pure(self.term(scope, ty.sort(), 3)), Some(ty))
            }
            2 | 3 => {
                let source = match self.below(6) {
                    0 => HavocSource::Uninitialized,
                    1 => HavocSource::External("getc".to_owned()),
                    _ => HavocSource::Input("__VERIFIER_nondet_int".to_owned()),
                };
                (InstructionKind::Havoc(source), Some(self.ty()))
            }
            4 => {
                let first = function.index() + 1;
                let callee = Function::new(first + self.below(program.functions.len() - first));
                let parameters = program.functions[callee].parameters.clone();
                let arguments = parameters.iter().map(|ty| self.term(scope, ty.sort(), 2)).collect();
                let result = program.functions[callee].result.filter(|_| self.is_likely(80));
                (InstructionKind::Call { callee: Callee::Direct(callee), arguments }, result)
            }
            5 | 6 => {
                let mine =
                    |object: &Object| program.objects[*object].owner.is_none_or(|owner| owner == function);
                let objects: Vec<Object> = program.objects.keys().filter(mine).collect();
                let object = objects[self.below(objects.len())];
                let region = program.objects[object].regions[0];
                if self.is_likely(20) {
                    (InstructionKind::Forget { region, object }, None)
                } else {
                    let value = self.value(&mut program.functions[function], pointer);
                    scope.values.push((value, pointer));
                    scope.addresses.push((value, region));
                    return Instruction {
                        result: Some(value),
                        kind: InstructionKind::AddressOf(object),
                        span,
                    };
                }
            }
            7 => {
                let size = self.pool.bv(self.pointer_width, OBJECT_SIZE);
                let contents = if self.is_likely(50) { Contents::Zero } else { Contents::Unknown };
                let value = self.value(&mut program.functions[function], pointer);
                scope.values.push((value, pointer));
                scope.addresses.push((value, MEMORY));
                let kind =
                    InstructionKind::Allocate { parts: vec![Part::whole(MEMORY)], size, align: 16, contents };
                return Instruction { result: Some(value), kind, span };
            }
            _ => {
                let place = self.is_likely(50).then(|| "p->x".to_owned());
                let (region, ty, address) = self.access(scope);
                if self.is_likely(50) {
                    (InstructionKind::Load { region, address }, Some(ty))
                } else {
                    let value = self.term(scope, ty.sort(), 2);
                    (InstructionKind::Store { region, address, value, ty, place }, None)
                }
            }
        };
        let result = ty.map(|ty| {
            let value = self.value(&mut program.functions[function], ty);
            scope.values.push((value, ty));
            value
        });
        Instruction { result, kind, span }
    }

    fn access(&mut self, scope: &Scope) -> (Region, Type, Option<Term>) {
        if scope.addresses.is_empty() || self.is_likely(25) {
            return (COUNTER, Type::signed(32), None);
        }
        let (value, region) = scope.addresses[self.below(scope.addresses.len())];
        let ty = loop {
            let ty = if region == CELLS { Type::unsigned(8) } else { self.ty() };
            if ty != Type::Bool {
                break ty;
            }
        };
        let base = self.pool.value(value.0, Sort::BitVec(self.pointer_width));
        let offset = self.below((OBJECT_SIZE - ty.bytes() + 1) as usize) as u64;
        let offset = self.pool.bv(self.pointer_width, offset);
        (region, ty, Some(self.pool.bv_add(base, offset)))
    }

    /// Fills in the terms of a block's terminator.
    fn finish(&mut self, data: &mut FunctionData, block: Block, scope: &Scope) {
        let mut terminator = data.blocks[block].terminator.clone();
        match &mut terminator {
            Terminator::Branch { condition, .. } => *condition = self.term(scope, Sort::Bool, 2),
            Terminator::Switch { scrutinee, cases, .. } => {
                let width = [8, 32][self.below(2)];
                *scrutinee = self.term(scope, Sort::BitVec(width), 2);
                // Disjoint under both comparisons: small numbers, and for signed cases one range
                // around zero.
                for (index, case) in cases.iter_mut().enumerate() {
                    let low = if index == 0 && case.signedness == Signedness::Signed {
                        -3
                    } else {
                        index as i64 * 4
                    };
                    let range = (self.pool.bv_i64(width, low), self.pool.bv_i64(width, index as i64 * 4 + 2));
                    let single = self.pool.bv_i64(width, index as i64 * 4 + 3);
                    case.ranges = vec![range, (single, single)];
                }
            }
            Terminator::Return(Some(value)) => {
                let ty = data.result.expect("only functions with a result return a value");
                *value = self.term(scope, ty.sort(), 2);
            }
            _ => {}
        }
        for edge in terminator.edges_mut() {
            edge.arguments = data.blocks[edge.target]
                .parameters
                .iter()
                .map(|&parameter| self.term(scope, data.values[parameter].ty.sort(), 1))
                .collect();
        }
        data.blocks[block].terminator = terminator;
    }

    fn leaf(&mut self, scope: &Scope, sort: Sort) -> Term {
        let fitting: Vec<Value> =
            scope.values.iter().filter(|(_, ty)| ty.sort() == sort).map(|&(value, _)| value).collect();
        if !fitting.is_empty() && self.is_likely(80) {
            let value = fitting[self.below(fitting.len())];
            return self.pool.value(value.0, sort);
        }
        match sort {
            Sort::BitVec(width) => {
                let number = self.random.number();
                let number = if self.is_likely(70) { number % 5 } else { number };
                if self.is_likely(20) {
                    self.pool.bv_i64(width, -(number as i64 % 5))
                } else {
                    self.pool.bv(width, number)
                }
            }
            _ => {
                let number = self.random.number();
                self.pool.bool(number.is_multiple_of(2))
            }
        }
    }

    /// A random term of sort `Bool` or a bit vector.
    fn term(&mut self, scope: &Scope, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.is_likely(25) {
            return self.leaf(scope, sort);
        }
        let depth = depth - 1;
        if self.is_likely(15) {
            let condition = self.term(scope, Sort::Bool, depth);
            let (a, b) = (self.term(scope, sort, depth), self.term(scope, sort, depth));
            return self.pool.ite(condition, a, b);
        }
        let Sort::BitVec(width) = sort else { return self.truth(scope, depth) };
        if self.is_likely(20) {
            return self.resized(scope, width, depth);
        }
        let a = self.term(scope, sort, depth);
        if self.is_likely(10) {
            return if self.is_likely(50) { self.pool.bv_not(a) } else { self.pool.bv_neg(a) };
        }
        let b = self.term(scope, sort, depth);
        let operators: [fn(&mut TermPool, Term, Term) -> Term; 13] = [
            TermPool::bv_and,
            TermPool::bv_or,
            TermPool::bv_xor,
            TermPool::bv_add,
            TermPool::bv_sub,
            TermPool::bv_mul,
            TermPool::bv_udiv,
            TermPool::bv_urem,
            TermPool::bv_sdiv,
            TermPool::bv_srem,
            TermPool::bv_shl,
            TermPool::bv_lshr,
            TermPool::bv_ashr,
        ];
        operators[self.below(operators.len())](self.pool, a, b)
    }

    fn truth(&mut self, scope: &Scope, depth: u32) -> Term {
        let sort = match self.ty() {
            Type::Bool => Sort::Bool,
            ty => ty.sort(),
        };
        let a = self.term(scope, sort, depth);
        if sort == Sort::Bool && self.is_likely(30) {
            return self.pool.not(a);
        }
        let b = self.term(scope, sort, depth);
        let operators: &[fn(&mut TermPool, Term, Term) -> Term] = if sort == Sort::Bool {
            &[TermPool::and2, TermPool::or2, TermPool::xor, TermPool::eq]
        } else {
            &[TermPool::eq, TermPool::bv_ult, TermPool::bv_ule, TermPool::bv_slt, TermPool::bv_sle]
        };
        operators[self.below(operators.len())](self.pool, a, b)
    }

    fn resized(&mut self, scope: &Scope, width: u32, depth: u32) -> Term {
        match self.below(3) {
            0 if width > 8 => {
                let a = self.term(scope, Sort::BitVec(8), depth);
                if self.is_likely(50) {
                    self.pool.zero_extend(width - 8, a)
                } else {
                    self.pool.sign_extend(width - 8, a)
                }
            }
            1 if width.is_multiple_of(2) && width > 8 => {
                let half = Sort::BitVec(width / 2);
                let (high, low) = (self.term(scope, half, depth), self.term(scope, half, depth));
                self.pool.concat(high, low)
            }
            _ => {
                let wide = (width * 2).min(self.shape.max_width.max(width));
                let a = self.term(scope, Sort::BitVec(wide), depth);
                let low = self.below((wide - width + 1) as usize) as u32;
                self.pool.extract(low + width - 1, low, a)
            }
        }
    }
}
