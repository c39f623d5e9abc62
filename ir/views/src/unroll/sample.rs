//! Small hand-written programs for the tests of the unroller and the views.

use grammars::source::Span;
use program::ssa::{
    Block, BlockData, Callee, Edge, Function, FunctionData, HavocSource, Instruction, InstructionKind,
    Machine, ObjectData, Program, Property, PropertyData, PropertyKind, Region, RegionData, RegionKind,
    Shadow, StopReason, Terminator, Type, Value, ValueData,
};
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

pub(crate) const INT: Type = Type::Int { width: 32, signedness: program::ssa::Signedness::Signed };

/// A function under construction.
pub(crate) struct Body<'a> {
    pub(crate) pool: &'a mut TermPool,
    data: FunctionData,
}

impl<'a> Body<'a> {
    pub(crate) fn new(pool: &'a mut TermPool, name: &str, result: Option<Type>) -> Self {
        let data = FunctionData {
            name: name.into(),
            result,
            parameters: vec![],
            is_variadic: false,
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: Span::NONE,
        };
        Body { pool, data }
    }

    pub(crate) fn block(&mut self) -> Block {
        self.data.blocks.push(BlockData {
            parameters: vec![],
            instructions: vec![],
            terminator: Terminator::Stop(StopReason::Exit),
            span: Span::NONE,
            label: None,
            call_boundary: None,
        })
    }

    fn value(&mut self, ty: Type, name: &str) -> Value {
        let name = (!name.is_empty()).then(|| name.to_owned());
        self.data.values.push(ValueData { ty, name, span: Span::NONE })
    }

    pub(crate) fn parameter(&mut self, block: Block, ty: Type, name: &str) -> Term {
        let value = self.value(ty, name);
        self.data.blocks[block].parameters.push(value);
        if block == self.data.entry {
            self.data.parameters.push(ty);
        }
        self.pool.value(value.0, ty.sort())
    }

    pub(crate) fn push(&mut self, block: Block, ty: Type, name: &str, kind: InstructionKind) -> Term {
        let value = self.value(ty, name);
        self.data.blocks[block].instructions.push(Instruction {
            result: Some(value),
            kind,
            span: Span::NONE,
        });
        self.pool.value(value.0, ty.sort())
    }

    pub(crate) fn effect(&mut self, block: Block, kind: InstructionKind) {
        self.data.blocks[block].instructions.push(Instruction { result: None, kind, span: Span::NONE });
    }

    pub(crate) fn input(&mut self, block: Block, name: &str) -> Term {
        let source = HavocSource::Input("__VERIFIER_nondet_int".into());
        self.push(block, INT, name, InstructionKind::Havoc(source))
    }

    pub(crate) fn pure(&mut self, block: Block, name: &str, term: Term) -> Term {
        self.push(block, INT, name, InstructionKind::Pure(term))
    }

    pub(crate) fn int(&mut self, value: i64) -> Term {
        self.pool.bv_i64(32, value)
    }

    pub(crate) fn goto(&mut self, block: Block, target: Block, arguments: &[Term]) {
        self.data.blocks[block].terminator = Terminator::Goto(edge(target, arguments));
    }

    pub(crate) fn branch(&mut self, block: Block, condition: Term, then: Edge, otherwise: Edge) {
        self.data.blocks[block].terminator = Terminator::Branch { condition, then, otherwise };
    }

    pub(crate) fn end(&mut self, block: Block, terminator: Terminator) {
        self.data.blocks[block].terminator = terminator;
    }

    pub(crate) fn finish(self) -> FunctionData {
        self.data
    }
}

pub(crate) fn edge(target: Block, arguments: &[Term]) -> Edge {
    Edge { target, arguments: arguments.to_vec() }
}

pub(crate) fn call(callee: Function, arguments: &[Term]) -> InstructionKind {
    InstructionKind::Call { callee: Callee::Direct(callee), arguments: arguments.to_vec() }
}

/// A program of these functions with one property; the last function is the entry.
pub(crate) fn program(functions: Vec<FunctionData>) -> Program {
    let entry = Function::new(functions.len() - 1);
    Program {
        machine: Machine::new(32),
        regions: [RegionData { name: "memory".into(), kind: RegionKind::Bytes }].into_iter().collect(),
        shadow: Shadow::default(),
        objects: PrimaryMap::new(),
        functions: functions.into_iter().collect(),
        entry,
        properties: [PropertyData {
            kind: PropertyKind::ReachCall,
            description: "call of reach_error".into(),
            span: Span::NONE,
        }]
        .into_iter()
        .collect(),
        unsupported: PrimaryMap::new(),
        source: Default::default(),
    }
}

pub(crate) fn object(name: &str, size: u64, owner: Option<Function>) -> ObjectData {
    ObjectData { name: name.into(), size, align: 4, owner, regions: vec![Region(0)], span: Span::NONE }
}

/// `n = limit or nondet(); i = 0; while (i < n) i = i + 1; if (i == bad) error`.
pub(crate) fn counting(pool: &mut TermPool, limit: Option<i64>, bad: i64) -> Program {
    let mut body = Body::new(pool, "main", None);
    let (start, head, step, after, error, end) =
        (body.block(), body.block(), body.block(), body.block(), body.block(), body.block());
    let n = match limit {
        Some(limit) => {
            let limit = body.int(limit);
            body.pure(start, "n", limit)
        }
        None => body.input(start, "n"),
    };
    let zero = body.int(0);
    body.goto(start, head, &[zero]);
    let i = body.parameter(head, INT, "i");
    let is_less = body.pool.bv_slt(i, n);
    body.branch(head, is_less, edge(step, &[]), edge(after, &[]));
    let one = body.int(1);
    let sum = body.pool.bv_add(i, one);
    let next = body.pure(step, "i", sum);
    body.goto(step, head, &[next]);
    let bad = body.int(bad);
    let is_bad = body.pool.eq(i, bad);
    body.branch(after, is_bad, edge(error, &[]), edge(end, &[]));
    body.end(error, Terminator::Error(Property(0)));
    let main = body.finish();
    program(vec![main])
}

/// `x = 0; count times: if (nondet() > 0) x = x + 1 else x = x + 2;` then an error if `x == bad`.
pub(crate) fn diamonds(pool: &mut TermPool, count: usize, bad: i64) -> Program {
    let mut body = Body::new(pool, "main", None);
    let mut at = body.block();
    let (zero, one, two) = (body.int(0), body.int(1), body.int(2));
    let mut x = body.pure(at, "x", zero);
    for _ in 0..count {
        let input = body.input(at, "");
        let (left, right, join) = (body.block(), body.block(), body.block());
        let is_positive = body.pool.bv_slt(zero, input);
        body.branch(at, is_positive, edge(left, &[]), edge(right, &[]));
        let (a, b) = (body.pool.bv_add(x, one), body.pool.bv_add(x, two));
        let (a, b) = (body.pure(left, "x", a), body.pure(right, "x", b));
        body.goto(left, join, &[a]);
        body.goto(right, join, &[b]);
        x = body.parameter(join, INT, "x");
        at = join;
    }
    let (error, end) = (body.block(), body.block());
    let bad = body.int(bad);
    let is_bad = body.pool.eq(x, bad);
    body.branch(at, is_bad, edge(error, &[]), edge(end, &[]));
    body.end(error, Terminator::Error(Property(0)));
    let main = body.finish();
    program(vec![main])
}

/// `f(n) = n <= 0 ? 0 : 1 + f(n - 1)`; main: an error if `f(nondet()) == bad`.
pub(crate) fn recursive(pool: &mut TermPool, bad: i64) -> Program {
    let mut body = Body::new(pool, "f", Some(INT));
    let (start, base, again) = (body.block(), body.block(), body.block());
    let n = body.parameter(start, INT, "n");
    let (zero, one) = (body.int(0), body.int(1));
    let is_done = body.pool.bv_sle(n, zero);
    body.branch(start, is_done, edge(base, &[]), edge(again, &[]));
    body.end(base, Terminator::Return(Some(zero)));
    let less = body.pool.bv_sub(n, one);
    let inner = body.push(again, INT, "", call(Function(0), &[less]));
    let sum = body.pool.bv_add(inner, one);
    body.end(again, Terminator::Return(Some(sum)));
    let f = body.finish();
    let mut body = Body::new(pool, "main", None);
    let (start, error, end) = (body.block(), body.block(), body.block());
    let n = body.input(start, "n");
    let result = body.push(start, INT, "r", call(Function(0), &[n]));
    let bad = body.int(bad);
    let is_bad = body.pool.eq(result, bad);
    body.branch(start, is_bad, edge(error, &[]), edge(end, &[]));
    body.end(error, Terminator::Error(Property(0)));
    let main = body.finish();
    program(vec![f, main])
}

/// `int a[4]; i = nondet(); if (0 <= i < 4) { a[i] = 7; if (a[2] == 7) error }`, with the contents
/// of `a` unknown at first.
pub(crate) fn array(pool: &mut TermPool) -> Program {
    use program::ssa::Object;
    let mut body = Body::new(pool, "main", None);
    let (start, inside, error, end) = (body.block(), body.block(), body.block(), body.block());
    let pointer = Type::Pointer { width: 32 };
    body.effect(start, InstructionKind::Forget { region: Region(0), object: Object(0) });
    let address = body.push(start, pointer, "", InstructionKind::AddressOf(Object(0)));
    let i = body.input(start, "i");
    let four = body.int(4);
    let is_inside = body.pool.bv_ult(i, four);
    body.branch(start, is_inside, edge(inside, &[]), edge(end, &[]));
    let scaled = body.pool.bv_mul(i, four);
    let place = body.pool.bv_add(address, scaled);
    let seven = body.int(7);
    body.effect(
        inside,
        InstructionKind::Store {
            region: Region(0),
            address: Some(place),
            value: seven,
            ty: INT,
            place: None,
        },
    );
    let eight = body.int(8);
    let place = body.pool.bv_add(address, eight);
    let loaded =
        body.push(inside, INT, "", InstructionKind::Load { region: Region(0), address: Some(place) });
    let is_seven = body.pool.eq(loaded, seven);
    body.branch(inside, is_seven, edge(error, &[]), edge(end, &[]));
    body.end(error, Terminator::Error(Property(0)));
    let main = body.finish();
    let mut program = program(vec![main]);
    program.objects.push(object("a", 16, Some(Function(0))));
    program
}
