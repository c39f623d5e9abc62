//! A builder for handwritten programs in tests.

use program::ssa::check::check;
use program::ssa::{
    Block, BlockData, Callee, Edge, Function, FunctionData, HavocSource, Instruction, InstructionKind,
    Machine, Object, ObjectData, Program, PropertyData, PropertyKind, Region, RegionData, RegionKind, Shadow,
    Span, StopReason, Terminator, Type, Value, ValueData,
};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

pub(crate) const INT: Type = Type::Int { width: 32, signedness: program::ssa::Signedness::Signed };
pub(crate) const LONG: Type = Type::Int { width: 64, signedness: program::ssa::Signedness::Unsigned };
pub(crate) const BYTE: Type = Type::Int { width: 8, signedness: program::ssa::Signedness::Unsigned };
pub(crate) const POINTER: Type = Type::Pointer { width: 64 };
pub(crate) const MEMORY: Region = Region(0);

/// A program under construction, with an insertion point.
pub(crate) struct Build {
    pub(crate) pool: TermPool,
    pub(crate) program: Program,
    pub(crate) function: Function,
    pub(crate) block: Block,
}

impl Build {
    /// A program whose entry function has one empty block; region 0 is memory, property 0 an error.
    pub(crate) fn new() -> Self {
        let mut program = Program {
            machine: Machine::new(64),
            regions: PrimaryMap::new(),
            shadow: Shadow::default(),
            objects: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            entry: Function(0),
            properties: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            source: Default::default(),
        };
        program.regions.push(RegionData { name: "memory".to_owned(), kind: RegionKind::Bytes });
        let (kind, description) = (PropertyKind::ReachCall, "error".to_owned());
        program.properties.push(PropertyData { kind, description, span: Span::NONE });
        let mut build = Build { pool: TermPool::new(), program, function: Function(0), block: Block(0) };
        build.function("__start", &[], None);
        build
    }

    /// Creates a function with an entry block, which becomes the insertion point.
    pub(crate) fn function(
        &mut self,
        name: &str,
        parameters: &[Type],
        result: Option<Type>,
    ) -> (Function, Vec<Term>) {
        self.function = self.declare(name, parameters, result);
        self.block = self.block(parameters);
        let values = self.data().blocks[self.block].parameters.clone();
        (self.function, values.into_iter().map(|value| self.leaf(value)).collect())
    }

    pub(crate) fn declare(&mut self, name: &str, parameters: &[Type], result: Option<Type>) -> Function {
        self.program.functions.push(FunctionData {
            name: name.to_owned(),
            result,
            parameters: parameters.to_vec(),
            is_variadic: false,
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: Span::NONE,
        })
    }

    /// Creates a block of the current function that ends with `stop`.
    pub(crate) fn block(&mut self, parameters: &[Type]) -> Block {
        let parameters = parameters.iter().map(|&ty| self.value(ty)).collect();
        let terminator = Terminator::Stop(StopReason::Exit);
        let span = Span::NONE;
        let (instructions, call_boundary) = (Vec::new(), None);
        let data = BlockData { parameters, instructions, terminator, span, label: None, call_boundary };
        self.data_mut().blocks.push(data)
    }

    pub(crate) fn parameter(&mut self, block: Block, index: usize) -> Term {
        let value = self.data().blocks[block].parameters[index];
        self.leaf(value)
    }

    pub(crate) fn at(&mut self, function: Function, block: Block) {
        (self.function, self.block) = (function, block);
    }

    pub(crate) fn data(&self) -> &FunctionData {
        &self.program.functions[self.function]
    }

    fn data_mut(&mut self) -> &mut FunctionData {
        &mut self.program.functions[self.function]
    }

    fn value(&mut self, ty: Type) -> Value {
        self.data_mut().values.push(ValueData { ty, name: None, span: Span::NONE })
    }

    fn leaf(&mut self, value: Value) -> Term {
        let sort = self.data().values[value].ty.sort();
        self.pool.value(value.0, sort)
    }

    pub(crate) fn push(&mut self, ty: Option<Type>, kind: InstructionKind) -> Option<Term> {
        let result = ty.map(|ty| self.value(ty));
        let block = self.block;
        self.data_mut().blocks[block].instructions.push(Instruction { result, kind, span: Span::NONE });
        result.map(|value| self.leaf(value))
    }

    fn with_result(&mut self, ty: Type, kind: InstructionKind) -> Term {
        self.push(Some(ty), kind).expect("the result has a type")
    }

    pub(crate) fn pure(&mut self, ty: Type, term: Term) -> Term {
        self.with_result(ty, InstructionKind::Pure(term))
    }

    pub(crate) fn input(&mut self, ty: Type) -> Term {
        self.with_result(ty, InstructionKind::Havoc(HavocSource::Input("nondet".to_owned())))
    }

    /// Creates a static object, or an automatic object of `owner`.
    pub(crate) fn object(&mut self, name: &str, size: u64, owner: Option<Function>) -> Object {
        let regions = vec![MEMORY];
        let data = ObjectData { name: name.to_owned(), size, align: 8, owner, regions, span: Span::NONE };
        self.program.objects.push(data)
    }

    pub(crate) fn address_of(&mut self, object: Object) -> Term {
        self.with_result(POINTER, InstructionKind::AddressOf(object))
    }

    pub(crate) fn address_of_function(&mut self, function: Function) -> Term {
        self.with_result(POINTER, InstructionKind::FunctionAddress(function))
    }

    pub(crate) fn plus(&mut self, address: Term, bytes: u64) -> Term {
        let bytes = self.pool.bv(64, bytes);
        self.pool.bv_add(address, bytes)
    }

    /// `address + index * size` for a signed 32-bit index.
    pub(crate) fn indexed(&mut self, address: Term, index: Term, size: u64) -> Term {
        let index = self.pool.sign_extend(32, index);
        let size = self.pool.bv(64, size);
        let offset = self.pool.bv_mul(index, size);
        self.pool.bv_add(address, offset)
    }

    pub(crate) fn load(&mut self, ty: Type, address: Term) -> Term {
        self.with_result(ty, InstructionKind::Load { region: MEMORY, address: Some(address) })
    }

    pub(crate) fn store(&mut self, ty: Type, address: Term, value: Term) {
        self.push(
            None,
            InstructionKind::Store { region: MEMORY, address: Some(address), value, ty, place: None },
        );
    }

    pub(crate) fn call(
        &mut self,
        function: Function,
        arguments: &[Term],
        result: Option<Type>,
    ) -> Option<Term> {
        let callee = Callee::Direct(function);
        self.push(result, InstructionKind::Call { callee, arguments: arguments.to_vec() })
    }

    pub(crate) fn call_through(
        &mut self,
        address: Term,
        arguments: &[Term],
        result: Option<Type>,
    ) -> Option<Term> {
        let parameters = arguments
            .iter()
            .map(|&argument| if self.pool.sort(argument) == INT.sort() { INT } else { POINTER })
            .collect();
        let callee = Callee::Indirect { address, parameters, result };
        self.push(result, InstructionKind::Call { callee, arguments: arguments.to_vec() })
    }

    pub(crate) fn end(&mut self, terminator: Terminator) {
        let block = self.block;
        self.data_mut().blocks[block].terminator = terminator;
    }

    pub(crate) fn goto(&mut self, target: Block, arguments: &[Term]) {
        self.end(Terminator::Goto(Edge { target, arguments: arguments.to_vec() }));
    }

    pub(crate) fn branch(&mut self, condition: Term, then: Block, otherwise: Block) {
        self.end(Terminator::Branch { condition, then: Edge::to(then), otherwise: Edge::to(otherwise) });
    }

    pub(crate) fn number(&mut self, value: u64) -> Term {
        self.pool.bv(32, value)
    }

    #[track_caller]
    pub(crate) fn assert_well_formed(&self) {
        let violations = check(&self.pool, &self.program);
        assert!(violations.is_empty(), "{violations:#?}");
    }

    /// The kinds of all instructions of a function.
    pub(crate) fn kinds(&self, function: Function) -> Vec<&InstructionKind> {
        let blocks = self.program.functions[function].blocks.values();
        blocks.flat_map(|block| &block.instructions).map(|instruction| &instruction.kind).collect()
    }

    /// The kind of the region with this name.
    #[track_caller]
    pub(crate) fn region(&self, name: &str) -> RegionKind {
        let found = self.program.regions.values().find(|region| region.name == name);
        found.unwrap_or_else(|| panic!("no region {name} in {:?}", self.program.regions)).kind
    }

    pub(crate) fn blocks(&self, function: Function) -> usize {
        self.program.functions[function].blocks.len()
    }
}
