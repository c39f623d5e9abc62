//! Random structured programs for property tests.

use super::sample::{Body, INT, call, edge, object, program};
use program::interp::{Answer, ObjectRequest, Oracle, ValueRequest};
use program::ssa::{
    Block, Function, InstructionKind, Object, Program, Property, Region, RegionData, RegionKind, StopReason,
    Terminator, Type,
};
use terms::Random;
use terms::entity::Entity;
use terms::{Term, TermPool, Value};

/// The source of a program's inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// `Havoc` instructions, also in called functions.
    Havoc,
    /// The cells of an array with unknown contents, read in order; no calls.
    Tape,
}

pub(crate) const ARRAY: Object = Object(0);
pub(crate) const TAPE: Object = Object(1);
const TAPE_CELLS: u64 = 64;
const MEMORY: Region = Region(0);
const GLOBAL: Region = Region(1);
const TAPE_REGION: Region = Region(2);
const POINTER: Type = Type::Pointer { width: 32 };

/// Three variables, and the number of cells read from the tape.
type Variables = [Term; 4];

struct Generator<'a, 'r> {
    body: Body<'a>,
    random: &'r mut Random,
    inputs: Inputs,
    array: Option<Term>,
    tape: Option<Term>,
    callees: u64,
}

/// Generates a program from a seed. With `Havoc` it has the functions `f0` (which may call itself)
/// and `main`.
pub(crate) fn random_program(pool: &mut TermPool, seed: u64, inputs: Inputs) -> Program {
    let mut random = Random::new(seed);
    let mut functions = Vec::new();
    if inputs == Inputs::Havoc {
        let mut body = Body::new(pool, "f0", Some(INT));
        let start = body.block();
        let n = body.parameter(start, INT, "n");
        let zero = body.int(0);
        let mut generator =
            Generator { body, random: &mut random, inputs, array: None, tape: None, callees: 1 };
        let (end, variables) = generator.statements(start, [n, zero, zero, zero], 1);
        generator.body.end(end, Terminator::Return(Some(variables[1])));
        functions.push(generator.body.finish());
    }
    let main = functions.len();
    let callees = main as u64;
    let mut body = Body::new(pool, "main", None);
    let start = body.block();
    let mut objects = vec![(ARRAY, MEMORY)];
    if inputs == Inputs::Tape {
        objects.push((TAPE, TAPE_REGION));
    }
    let mut addresses = Vec::new();
    for (object, region) in objects {
        body.effect(start, InstructionKind::Forget { region, object });
        addresses.push(body.push(start, POINTER, "", InstructionKind::AddressOf(object)));
    }
    let zero = body.int(0);
    let (array, tape) = (Some(addresses[0]), addresses.get(1).copied());
    let mut generator = Generator { body, random: &mut random, inputs, array, tape, callees };
    let (end, _) = generator.statements(start, [zero, zero, zero, zero], 3);
    generator.body.end(end, Terminator::Stop(StopReason::Exit));
    functions.push(generator.body.finish());
    let mut program = program(functions);
    program.regions.push(RegionData { name: "g".into(), kind: RegionKind::Scalar(INT) });
    program.regions.push(RegionData { name: "tape".into(), kind: RegionKind::Cells(INT) });
    program.objects.push(object("a", 16, Some(Function::new(main))));
    let mut tape = object("tape", 4 * TAPE_CELLS, Some(Function::new(main)));
    tape.regions = vec![TAPE_REGION];
    program.objects.push(tape);
    program
}

impl Generator<'_, '_> {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.number() % limit
    }

    fn statements(&mut self, mut at: Block, mut variables: Variables, depth: u32) -> (Block, Variables) {
        for _ in 0..2 + self.below(4) {
            (at, variables) = self.statement(at, variables, depth);
        }
        (at, variables)
    }

    fn statement(&mut self, at: Block, mut v: Variables, depth: u32) -> (Block, Variables) {
        let (target, x, y) = (self.below(3) as usize, self.below(3) as usize, self.below(3) as usize);
        match self.below(13) {
            0..=1 => {
                let pool = &mut *self.body.pool;
                let term = match self.random.number() % 5 {
                    0 => pool.bv_add(v[x], v[y]),
                    1 => pool.bv_sub(v[x], v[y]),
                    2 => pool.bv_mul(v[x], v[y]),
                    3 => pool.bv_xor(v[x], v[y]),
                    _ => {
                        let small = pool.bv(32, self.random.number() % 4);
                        pool.bv_add(v[x], small)
                    }
                };
                v[target] = self.body.pure(at, "t", term);
            }
            2..=3 => v[target] = self.input(at, &mut v),
            4 => {
                if let Some(place) = self.element(v[x]) {
                    let kind = InstructionKind::Store {
                        region: MEMORY,
                        address: Some(place),
                        value: v[y],
                        ty: INT,
                        place: None,
                    };
                    self.body.effect(at, kind);
                }
            }
            5 => {
                if let Some(place) = self.element(v[x]) {
                    let kind = InstructionKind::Load { region: MEMORY, address: Some(place) };
                    v[target] = self.body.push(at, INT, "", kind);
                }
            }
            6 => {
                let kind = InstructionKind::Store {
                    region: GLOBAL,
                    address: None,
                    value: v[x],
                    ty: INT,
                    place: None,
                };
                self.body.effect(at, kind);
                let load = InstructionKind::Load { region: GLOBAL, address: None };
                v[target] = self.body.push(at, INT, "g", load);
            }
            7 if self.callees > 0 => {
                let callee = Function::new(self.below(self.callees) as usize);
                v[target] = self.body.push(at, INT, "", call(callee, &[v[x]]));
            }
            8 if depth > 0 => return self.conditional(at, v, depth),
            9 if depth > 0 => return self.repeat(at, v, depth),
            10..=11 => return self.assertion(at, v, x),
            _ => v[target] = v[x],
        }
        (at, v)
    }

    fn input(&mut self, at: Block, v: &mut Variables) -> Term {
        let Some(tape) = self.tape.filter(|_| self.inputs == Inputs::Tape) else {
            return self.body.input(at, "in");
        };
        let (mask, four, one) = (self.body.int(TAPE_CELLS as i64 - 1), self.body.int(4), self.body.int(1));
        let cell = self.body.pool.bv_and(v[3], mask);
        let offset = self.body.pool.bv_mul(cell, four);
        let place = self.body.pool.bv_add(tape, offset);
        v[3] = self.body.pool.bv_add(v[3], one);
        self.body.push(at, INT, "in", InstructionKind::Load { region: TAPE_REGION, address: Some(place) })
    }

    fn element(&mut self, index: Term) -> Option<Term> {
        let array = self.array?;
        let (mask, four) = (self.body.int(3), self.body.int(4));
        let cell = self.body.pool.bv_and(index, mask);
        let offset = self.body.pool.bv_mul(cell, four);
        Some(self.body.pool.bv_add(array, offset))
    }

    fn join(&mut self) -> (Block, Variables) {
        let block = self.body.block();
        (block, ["x", "y", "z", "n"].map(|name| self.body.parameter(block, INT, name)))
    }

    fn conditional(&mut self, at: Block, v: Variables, depth: u32) -> (Block, Variables) {
        let (then, otherwise) = (self.body.block(), self.body.block());
        let condition = self.body.pool.bv_slt(v[0], v[1]);
        self.body.branch(at, condition, edge(then, &[]), edge(otherwise, &[]));
        let (then, after_then) = self.statements(then, v, depth - 1);
        let (otherwise, after_otherwise) = self.statements(otherwise, v, depth - 1);
        let (join, joined) = self.join();
        self.body.goto(then, join, &after_then);
        self.body.goto(otherwise, join, &after_otherwise);
        (join, joined)
    }

    fn repeat(&mut self, at: Block, v: Variables, depth: u32) -> (Block, Variables) {
        let (head, mut looped) = self.join();
        self.body.goto(at, head, &v);
        let input = self.input(head, &mut looped);
        let two = self.body.int(2);
        let goes_on = self.body.pool.bv_slt(two, input);
        let (inside, after) = (self.body.block(), self.body.block());
        self.body.branch(head, goes_on, edge(inside, &[]), edge(after, &[]));
        let (inside, changed) = self.statements(inside, looped, depth - 1);
        self.body.goto(inside, head, &changed);
        (after, looped)
    }

    fn assertion(&mut self, at: Block, v: Variables, x: usize) -> (Block, Variables) {
        let (error, after) = (self.body.block(), self.body.block());
        let bad = self.random.number() % 6;
        let bad = self.body.int(bad as i64);
        let is_bad = self.body.pool.eq(v[x], bad);
        let is_bad = if bad == v[x] { self.body.pool.fls() } else { is_bad };
        self.body.branch(at, is_bad, edge(error, &[]), edge(after, &[]));
        self.body.end(error, Terminator::Error(Property(0)));
        (after, v)
    }
}

/// Random inputs, recorded; the array is initially zero, the tape is random.
pub(crate) struct Recorder {
    random: Random,
    pub(crate) values: Vec<Value>,
    pub(crate) tape: Vec<u64>,
}

impl Recorder {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let tape = (0..TAPE_CELLS).map(|_| random.number() % 6).collect();
        Recorder { random, values: Vec::new(), tape }
    }
}

impl Oracle for Recorder {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        // Mostly small numbers, so that assertions fail and loops terminate.
        let small = self.random.number();
        let answer = match request.ty.width() {
            width @ 1.. if !small.is_multiple_of(4) => Answer::Is(Value::bv(width, small / 4 % 6)),
            _ => self.random.value(request),
        };
        if let Answer::Is(value) = &answer {
            self.values.push(value.clone());
        }
        answer
    }

    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        let cells = if request.object == Some(TAPE) { &self.tape[..] } else { &[] };
        Answer::Is(cells.iter().enumerate().map(|(cell, &value)| (4 * cell as u64, value as u8)).collect())
    }

    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
}
