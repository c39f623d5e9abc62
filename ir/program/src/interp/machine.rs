//! The execution of register code.

mod choices;
mod faults;
mod repetition;

use super::chosen::Chosen;
use super::compile::{Code, Compiled, Target, scalar_type};
use super::evaluate;
use super::floats;
use super::memory::{Memory, Objects};
use super::objects::{Fault, Log};
use super::operand::{CONSTANT, Operand, Register, Typed};
use super::oracle::Oracle;
use super::placements::Placements;
use super::trace::{Event, Trace, TraceMode};
use super::values::{bits_of, from_little_endian, little_endian, value_of};
use super::{Interpreter, NotReplayable, Outcome, Run};
use crate::layout::shadow_index;
use crate::ssa::{Block, Function, Instruction, Span, Terminator};
use repetition::Repetition;
use std::rc::Rc;
use terms::{BitVector, Sort, Value as TermValue};

/// The number of steps between two checks of the limits and of cancellation.
const STEPS_BETWEEN_CHECKS: u64 = 1024;
/// The estimated size in bytes of an event, a live object or a frame, for the memory limit.
const ENTRY_BYTES: usize = 64;

/// An activation of a function.
struct Frame {
    function: Function,
    code: Rc<Compiled>,
    /// The next position in the code; stale while the frame is on top.
    pc: usize,
    base: usize,
    wide_base: usize,
    block: Block,
    /// The index of the call instruction of the activation above; stale while the frame is on top.
    call: u32,
    /// The register of the caller that receives the result.
    result: Option<Typed>,
    stack_mark: u64,
    /// The number of placed automatic objects of the activations below.
    automatic: usize,
}

/// The value of a scalar region.
#[derive(PartialEq)]
enum Scalar {
    Word(u64),
    Wide(BitVector),
}

struct Machine<'i, 'a, 'o> {
    interpreter: &'i mut Interpreter<'a>,
    oracle: &'o mut dyn Oracle,
    words: Vec<u64>,
    wides: Vec<BitVector>,
    frames: Vec<Frame>,
    memories: Vec<Memory>,
    scalars: Vec<Option<Scalar>>,
    objects: Objects,
    /// The addresses of the placed automatic objects of all activations.
    automatic: Vec<u64>,
    steps: u64,
    /// The number of steps at which the next block is checked.
    next_check: u64,
    /// The number of steps at which the limits are checked.
    next_limits: u64,
    repetition: Repetition,
    approximation: Option<String>,
    approximated_at: Span,
    log: Log,
    placements: Placements,
    /// Contents that the oracle chose and no load has read; only in traced runs.
    chosen: Chosen,
    fault: Option<Fault>,
    trace: Trace,
}

type Ended<T> = Result<T, Outcome>;

pub(super) fn run(
    interpreter: &mut Interpreter<'_>,
    function: Function,
    arguments: &[TermValue],
    oracle: &mut dyn Oracle,
) -> Run {
    let program = interpreter.program;
    let memories = program.regions.keys().map(|_| Memory::new(interpreter.layout.last_address())).collect();
    let scalars = program
        .regions
        .keys()
        .map(|region| {
            scalar_type(program, region).map(|ty| match ty.width() {
                0..=64 => Scalar::Word(0),
                width => Scalar::Wide(BitVector::new(width, 0)),
            })
        })
        .collect();
    let objects = Objects::new(&interpreter.layout);
    let mut machine = Machine {
        interpreter,
        oracle,
        words: Vec::new(),
        wides: Vec::new(),
        frames: Vec::new(),
        memories,
        scalars,
        objects,
        automatic: Vec::new(),
        steps: 0,
        next_check: 0,
        next_limits: 0,
        repetition: Repetition::new(),
        approximation: None,
        approximated_at: Span::NONE,
        log: Log::default(),
        placements: Placements::default(),
        chosen: Chosen::default(),
        fault: None,
        trace: Trace::default(),
    };
    let outcome = match machine.enter(function, arguments, None).and_then(|()| machine.execute()) {
        Ok(never) => match never {},
        Err(outcome) => outcome,
    };
    Run {
        outcome,
        steps: machine.steps,
        stack: machine.frames.iter().map(|frame| (frame.function, frame.block)).collect(),
        approximation: machine.approximation,
        approximated_at: machine.approximated_at,
        fault: machine.fault,
        placements: machine.placements,
        trace: machine.trace,
    }
}

enum Never {}

impl<'a> Machine<'_, 'a, '_> {
    fn is_traced(&self) -> bool {
        self.interpreter.config.trace != TraceMode::Off
    }

    /// Pushes a frame for a function with a body; the arguments must have the widths of its
    /// parameters.
    fn push(&mut self, function: Function, result: Option<Typed>) {
        let code = self.interpreter.compiled(function);
        let frame = Frame {
            function,
            pc: code.entry as usize,
            base: self.words.len(),
            wide_base: self.wides.len(),
            block: self.interpreter.program.functions[function].entry,
            call: 0,
            result,
            stack_mark: self.objects.stack_mark(),
            automatic: self.automatic.len(),
            code,
        };
        self.words.resize(frame.base + frame.code.narrow, 0);
        if frame.code.wide > 0 {
            self.wides.resize(frame.wide_base + frame.code.wide, BitVector::new(1, 0));
        }
        self.frames.push(frame);
    }

    /// Pushes the frame of the called function and stores its arguments.
    fn enter(&mut self, function: Function, arguments: &[TermValue], result: Option<Typed>) -> Ended<()> {
        let data = &self.interpreter.program.functions[function];
        let is_fitting = data.is_defined() && data.parameters.len() == arguments.len();
        if !is_fitting {
            return Err(Outcome::NotReplayable(NotReplayable::Mismatch));
        }
        let types = data.parameters.clone();
        self.push(function, result);
        let code = Rc::clone(&self.frames[0].code);
        for ((argument, ty), parameter) in arguments.iter().zip(types).zip(&code.parameters) {
            let bits = bits_of(argument, ty).ok_or(Outcome::NotReplayable(NotReplayable::Mismatch))?;
            self.put(parameter.register, bits, 0, 0);
        }
        if self.is_traced() {
            let arguments = arguments.to_vec();
            self.trace.events.push(Event::Enter { function, arguments, call: Span::NONE });
        }
        Ok(())
    }

    fn put(&mut self, to: Register, bits: BitVector, base: usize, wide_base: usize) {
        match to {
            Register::Narrow(to) => self.words[base + to as usize] = bits.to_u64().unwrap_or(0),
            Register::Wide(to) => self.wides[wide_base + to as usize] = bits,
        }
    }

    #[inline]
    fn word(&self, code: &Compiled, base: usize, operand: Operand) -> u64 {
        if operand & CONSTANT != 0 {
            code.constants[(operand & !CONSTANT) as usize]
        } else {
            self.words[base + operand as usize]
        }
    }

    fn wide<'m>(&'m self, code: &'m Compiled, wide_base: usize, operand: Operand) -> &'m BitVector {
        if operand & CONSTANT != 0 {
            &code.wide_constants[(operand & !CONSTANT) as usize]
        } else {
            &self.wides[wide_base + operand as usize]
        }
    }

    /// The bit pattern of an operand; a `Bool` has one bit.
    fn bits(&self, code: &Compiled, base: usize, wide_base: usize, from: Typed) -> BitVector {
        match from.register {
            Register::Narrow(operand) => BitVector::new(from.width.max(1), self.word(code, base, operand)),
            Register::Wide(operand) => self.wide(code, wide_base, operand).clone(),
        }
    }

    fn value(&self, code: &Compiled, base: usize, wide_base: usize, from: Typed) -> TermValue {
        value_of(&self.bits(code, base, wide_base, from), from.width)
    }

    /// Checks what the start of a block should check when [`Machine::next_check`] is reached.
    fn check(&mut self) -> Ended<()> {
        self.check_repetition()?;
        if self.steps >= self.next_limits {
            self.check_limits()?;
        }
        self.next_check = if self.repetition.is_comparing() { 0 } else { self.next_limits };
        Ok(())
    }

    fn check_limits(&mut self) -> Ended<()> {
        let config = self.interpreter.config;
        if self.steps > config.max_steps || self.interpreter.is_cancelled.is_some_and(|asked| asked()) {
            return Err(Outcome::OutOfSteps);
        }
        let memory: usize = self.memories.iter().map(Memory::bytes).sum();
        let entries = self.trace.events.len() + self.objects.len() + self.frames.len();
        if memory + self.words.len() * 8 + self.wides.len() * 16 + entries * ENTRY_BYTES > config.max_memory {
            return Err(Outcome::OutOfMemory);
        }
        self.next_limits = (self.steps + STEPS_BETWEEN_CHECKS).min(config.max_steps + 1);
        Ok(())
    }

    fn execute(&mut self) -> Ended<Never> {
        let program = self.interpreter.program;
        loop {
            let frame = self.frames.last_mut().expect("a function should be running");
            let (base, wide_base, function) = (frame.base, frame.wide_base, frame.function);
            let code = Rc::clone(&frame.code);
            let mut pc = frame.pc;
            let mut block = frame.block;
            // Runs until a call or a return changes the frame.
            loop {
                let step = &code.code[pc];
                pc += 1;
                match step {
                    Code::Word { op, width, to, a, b } => {
                        let a = self.word(&code, base, *a);
                        let b = match op {
                            super::compile::Word::Extract | super::compile::Word::SignExtend => u64::from(*b),
                            _ => self.word(&code, base, *b),
                        };
                        self.words[base + *to as usize] = evaluate::word(*op, *width, a, b);
                    }
                    Code::Ite { to, condition, a, b } => {
                        let chosen = if self.word(&code, base, *condition) != 0 { *a } else { *b };
                        self.words[base + *to as usize] = self.word(&code, base, chosen);
                    }
                    Code::Wide { op, to, arguments } => {
                        let arguments: Vec<BitVector> =
                            arguments.iter().map(|&from| self.bits(&code, base, wide_base, from)).collect();
                        let bits = evaluate::wide(*op, &arguments).ok_or(Outcome::Unevaluable(*op))?;
                        self.put(*to, bits, base, wide_base);
                    }
                    Code::Native { native, to, a, b } => {
                        let (a, b) = (self.word(&code, base, *a), self.word(&code, base, *b));
                        self.words[base + *to as usize] = native.apply(a, b);
                    }
                    Code::Float(float) => {
                        let arguments: Vec<(BitVector, Sort)> = float
                            .arguments
                            .iter()
                            .map(|&(from, sort)| (self.bits(&code, base, wide_base, from), sort))
                            .collect();
                        let bits = floats::apply(float.op, float.sort, &arguments)
                            .ok_or(Outcome::Unevaluable(float.op))?;
                        self.put(float.to.register, bits, base, wide_base);
                    }
                    Code::MoveWide { to, a } => {
                        self.wides[wide_base + *to as usize] = self.wide(&code, wide_base, *a).clone();
                    }
                    Code::Unevaluable { op } => return Err(Outcome::Unevaluable(*op)),
                    Code::Enter { block: entered, steps } => {
                        block = *entered;
                        self.steps += u64::from(*steps);
                        if self.steps >= self.next_check {
                            self.frame().block = block;
                            self.check()?;
                        }
                    }
                    Code::Jump(target) => pc = *target as usize,
                    Code::Branch { condition, then, otherwise } => {
                        let taken = if self.word(&code, base, *condition) != 0 { *then } else { *otherwise };
                        pc = taken as usize;
                    }
                    Code::Switch { scrutinee, table } => {
                        let value = self.word(&code, base, *scrutinee);
                        let after = table.ranges.partition_point(|&(low, _, _)| low <= value);
                        let case = after.checked_sub(1).map(|index| table.ranges[index]);
                        pc = match case {
                            Some((_, high, target)) if value <= high => target as usize,
                            _ => table.default as usize,
                        };
                    }
                    Code::SwitchWide { scrutinee, ranges, default } => {
                        let value = self.wide(&code, wide_base, *scrutinee);
                        let is_in = |(low, high, _): &&(BitVector, BitVector, u32)| {
                            low.unsigned_cmp(value).is_le() && value.unsigned_cmp(high).is_le()
                        };
                        pc = ranges.iter().find(is_in).map_or(*default, |(_, _, target)| *target) as usize;
                    }
                    Code::Return(value) => {
                        self.frame().block = block;
                        self.leave(&code, *value)?;
                        break;
                    }
                    Code::End => {
                        self.frame().block = block;
                        return Err(match &program.functions[function].blocks[block].terminator {
                            Terminator::Error(property) => {
                                self.fault = self.fault_at(*property, function, block);
                                Outcome::Error(*property)
                            }
                            Terminator::Stop(reason) => Outcome::Stopped(reason.clone()),
                            Terminator::Unsupported(unsupported) => Outcome::Unsupported(*unsupported),
                            _ => unreachable!("the terminator should end the run"),
                        });
                    }
                    Code::Load { to, region, address, bytes, at } => {
                        let address = self.word(&code, base, *address);
                        let memory = &mut self.memories[region.0 as usize];
                        let word = memory.load(address, usize::from(*bytes));
                        self.words[base + *to as usize] = word;
                        if self.chosen.take(*region, address, u64::from(*bytes)) {
                            let is = BitVector::new(u32::from(*bytes) * 8, word);
                            self.read_chosen((block, *at), address, is);
                        }
                    }
                    Code::Store { region, address, from, at } => {
                        let address = self.word(&code, base, *address);
                        self.chosen.take(*region, address, u64::from(from.width / 8));
                        match from.register {
                            Register::Narrow(operand) => {
                                let value = self.word(&code, base, operand);
                                let bytes = (from.width / 8) as usize;
                                let memory = &mut self.memories[region.0 as usize];
                                if self.repetition.is_comparing() && memory.load(address, bytes) != value {
                                    self.repetition.changes();
                                }
                                memory.store(address, bytes, value);
                                if program.shadow.contains(*region) {
                                    self.frame().block = block;
                                    self.note(*region, address, value, *at);
                                }
                            }
                            Register::Wide(operand) => {
                                self.repetition.changes();
                                let bytes = little_endian(self.wide(&code, wide_base, operand));
                                self.memories[region.0 as usize].store_bytes(address, &bytes);
                            }
                        }
                        if self.is_traced() {
                            let is = self.value(&code, base, wide_base, *from);
                            let at = (block, *at);
                            self.trace.events.push(Event::Store { at, address: Some(address), is });
                        }
                    }
                    Code::LoadWide { to, region, address, width, at } => {
                        let address = self.word(&code, base, *address);
                        let memory = &mut self.memories[region.0 as usize];
                        let bytes = memory.load_bytes(address, u64::from(*width / 8));
                        let bits = from_little_endian(&bytes);
                        if self.chosen.take(*region, address, u64::from(*width / 8)) {
                            self.read_chosen((block, *at), address, bits.clone());
                        }
                        self.wides[wide_base + *to as usize] = bits;
                    }
                    Code::LoadScalar { to, region } => match (to, &self.scalars[region.0 as usize]) {
                        (Register::Narrow(to), Some(Scalar::Word(word))) => {
                            self.words[base + *to as usize] = *word;
                        }
                        (Register::Wide(to), Some(Scalar::Wide(bits))) => {
                            self.wides[wide_base + *to as usize] = bits.clone();
                        }
                        _ => unreachable!("the region should hold a scalar of this width"),
                    },
                    Code::StoreScalar { region, from, at } => {
                        let scalar = match from.register {
                            Register::Narrow(operand) => Scalar::Word(self.word(&code, base, operand)),
                            Register::Wide(operand) => {
                                Scalar::Wide(self.wide(&code, wide_base, operand).clone())
                            }
                        };
                        let old = self.scalars[region.0 as usize].replace(scalar);
                        if self.repetition.is_comparing() && old != self.scalars[region.0 as usize] {
                            self.repetition.changes();
                        }
                        if self.is_traced() {
                            let is = self.value(&code, base, wide_base, *from);
                            self.trace.events.push(Event::Store { at: (block, *at), address: None, is });
                        }
                    }
                    Code::Assigned { value, from } => {
                        let is = self.value(&code, base, wide_base, *from);
                        self.trace.events.push(Event::Assign { value: *value, is });
                    }
                    Code::Taken(edge) => self.trace.events.push(Event::Edge(*edge)),
                    Code::Operands(operands) => {
                        let values = operands.iter().map(|&from| self.value(&code, base, wide_base, from));
                        let values = values.collect();
                        self.trace.events.push(Event::Operands { values });
                    }
                    Code::Call { callee, arguments, result, at } => {
                        let frame = self.frame();
                        frame.pc = pc;
                        frame.block = block;
                        frame.call = *at;
                        let callee = match callee {
                            Target::Direct(function) => *function,
                            Target::Indirect(address) => {
                                let address = self.word(&code, base, *address);
                                self.callee(address, arguments, *result).ok_or(Outcome::BadCall(address))?
                            }
                        };
                        if program.functions[callee].is_defined() {
                            // Frames of large functions can exceed the memory limit between two
                            // checks.
                            if self.words.len() * 8 > self.interpreter.config.max_memory {
                                return Err(Outcome::OutOfMemory);
                            }
                            self.call(&code, callee, arguments, *result);
                            break;
                        }
                        self.repetition.changes();
                        self.external(&code, callee, arguments, *result, *at)?;
                    }
                    Code::Input { .. }
                    | Code::Object { .. }
                    | Code::Forget { .. }
                    | Code::Allocate { .. } => {
                        self.frame().block = block;
                        self.repetition.changes();
                        self.rare(step)?;
                    }
                }
            }
        }
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function should be running")
    }

    /// The function at an address, if its type matches the call: equal widths of parameters and
    /// result, and at least the declared parameters if it is variadic.
    fn callee(&self, address: u64, arguments: &[Typed], result: Option<Typed>) -> Option<Function> {
        let function = self.interpreter.layout.function_at(address)?;
        let data = &self.interpreter.program.functions[function];
        let is_fitting = (data.parameters.len() == arguments.len()
            || (data.is_variadic && data.parameters.len() < arguments.len()))
            && data.parameters.iter().zip(arguments).all(|(ty, argument)| ty.width() == argument.width)
            && result.is_none_or(|result| data.result.is_some_and(|ty| ty.width() == result.width));
        is_fitting.then_some(function)
    }

    fn call(&mut self, code: &Compiled, callee: Function, arguments: &[Typed], result: Option<Typed>) {
        let frame = self.frame();
        let (base, wide_base) = (frame.base, frame.wide_base);
        if self.is_traced() {
            let arguments = arguments.iter().map(|&from| self.value(code, base, wide_base, from)).collect();
            let frame = self.frames.last().expect("a function should be running");
            let call = self.instruction(frame.call).span;
            self.trace.events.push(Event::Enter { function: callee, arguments, call });
        }
        self.push(callee, result);
        let new = self.frame();
        let (new_base, new_wide_base, callee) = (new.base, new.wide_base, Rc::clone(&new.code));
        for (from, parameter) in arguments.iter().zip(&callee.parameters) {
            match (from.register, parameter.register) {
                (Register::Narrow(from), Register::Narrow(to)) => {
                    self.words[new_base + to as usize] = self.word(code, base, from);
                }
                (_, to) => {
                    let bits = self.bits(code, base, wide_base, *from);
                    self.put(to, bits, new_base, new_wide_base);
                }
            }
        }
    }

    fn leave(&mut self, code: &Compiled, value: Option<Typed>) -> Ended<()> {
        let frame = self.frame();
        let (base, wide_base, result) = (frame.base, frame.wide_base, frame.result);
        let (automatic, stack_mark, has_objects) =
            (frame.automatic, frame.stack_mark, frame.code.has_objects);
        if has_objects {
            for address in self.automatic.drain(automatic..) {
                self.objects.release(address);
                if let Some(bits) = self.interpreter.layout.slot_bits() {
                    self.placements.release(shadow_index(bits, address));
                }
            }
            self.objects.restore_stack(stack_mark);
        }
        let is_last = self.frames.len() == 1;
        if is_last || self.is_traced() {
            let result = value.map(|from| self.value(code, base, wide_base, from));
            if self.is_traced() {
                let block = self.frame().block;
                self.trace.events.push(Event::Leave { block, result: result.clone() });
            }
            if is_last {
                return Err(Outcome::Returned(result));
            }
        }
        self.frames.pop();
        self.repetition.returns_to(self.frames.len());
        let caller = self.frame();
        let (caller_base, caller_wide_base) = (caller.base, caller.wide_base);
        if let (Some(to), Some(from)) = (result, value) {
            match (from.register, to.register) {
                (Register::Narrow(from), Register::Narrow(to)) => {
                    self.words[caller_base + to as usize] = self.word(code, base, from);
                }
                (_, to) => {
                    let bits = self.bits(code, base, wide_base, from);
                    self.put(to, bits, caller_base, caller_wide_base);
                }
            }
        }
        self.words.truncate(base);
        self.wides.truncate(wide_base);
        Ok(())
    }

    /// The instruction at position `at` of the running block.
    fn instruction(&self, at: u32) -> &'a Instruction {
        let frame = self.frames.last().expect("a function should be running");
        &self.interpreter.program.functions[frame.function].blocks[frame.block].instructions[at as usize]
    }

    fn function(&self) -> Function {
        self.frames.last().expect("a function should be running").function
    }
}
