//! The nondeterministic steps, which query the oracle: inputs, calls of functions without a body,
//! addresses and contents of objects.

use super::{Ended, Machine, Scalar};
use crate::interp::compile::{Code, Compiled, scalar_type};
use crate::interp::operand::Typed;
use crate::interp::oracle::{Answer, ExternalCall, ObjectRequest, ValueRequest};
use crate::interp::trace::{Event, PlacedObject};
use crate::interp::values::{bits_of, from_little_endian, value_of};
use crate::interp::{NotReplayable, Outcome};
use crate::ssa::{
    Block, Contents, Function, HavocSource, Instruction, InstructionKind, Object, Region, Value,
};
use grammars::source::Span;
use std::rc::Rc;
use terms::{BitVector, Value as TermValue};

impl Machine<'_, '_, '_> {
    pub(super) fn external(
        &mut self,
        code: &Compiled,
        callee: Function,
        arguments: &[Typed],
        result: Option<Typed>,
        at: u32,
    ) -> Ended<()> {
        let program = self.interpreter.program;
        let frame = self.frame();
        let (base, wide_base) = (frame.base, frame.wide_base);
        let arguments: Vec<TermValue> =
            arguments.iter().map(|&from| self.value(code, base, wide_base, from)).collect();
        let instruction = self.instruction(at);
        let (span, defined) = (instruction.span, instruction.result);
        let name = &program.functions[callee].name;
        self.oracle.external_call(&ExternalCall { callee, name, arguments: &arguments, span });
        if self.is_traced() {
            self.trace.events.push(Event::External { function: callee, arguments, call: span });
        }
        if let (Some(to), Some(value)) = (result, defined) {
            let source = HavocSource::External(name.clone());
            self.input(to, value, &source, span)?;
        }
        Ok(())
    }

    /// Requests a value from the oracle and stores it in a register.
    fn input(&mut self, to: Typed, defined: Value, source: &HavocSource, span: Span) -> Ended<()> {
        let function = self.function();
        let ty = self.interpreter.program.functions[function].values[defined].ty;
        let bits = match self.oracle.value(&ValueRequest { function, value: defined, ty, source, span }) {
            Answer::Is(value) => {
                bits_of(&value, ty).ok_or(Outcome::NotReplayable(NotReplayable::Mismatch))?
            }
            Answer::Any => BitVector::new(ty.width().max(1), 0),
            Answer::Exhausted => return Err(Outcome::InputExhausted),
            Answer::Mismatch => return Err(Outcome::NotReplayable(NotReplayable::Mismatch)),
        };
        if let HavocSource::Approximation(construct) = source
            && self.approximation.is_none()
        {
            self.approximation = Some(construct.clone());
            self.approximated_at = span;
        }
        if self.is_traced() {
            self.trace.events.push(Event::Input { value: defined, is: value_of(&bits, ty.width()) });
        }
        let frame = self.frame();
        let (base, wide_base) = (frame.base, frame.wide_base);
        self.put(to.register, bits, base, wide_base);
        Ok(())
    }

    /// Executes a nondeterministic step.
    pub(super) fn rare(&mut self, step: &Code) -> Ended<()> {
        let frame = self.frame();
        let (base, code) = (frame.base, Rc::clone(&frame.code));
        match step {
            Code::Input { to, at } => {
                let instruction = self.instruction(*at);
                if let (InstructionKind::Havoc(source), Some(defined)) =
                    (&instruction.kind, instruction.result)
                {
                    self.input(*to, defined, source, instruction.span)?;
                }
            }
            Code::Object { to, object, slot, at } => {
                let request = self.request(*object, *at);
                self.words[base + *to as usize] = self.automatic(&request, base + *slot as usize)?;
            }
            Code::Forget { region, object, slot, at } => {
                let request = self.request(*object, *at);
                let address = match slot {
                    Some(slot) => self.automatic(&request, base + *slot as usize)?,
                    None => self.interpreter.layout.object(*object).unwrap_or(0),
                };
                let bytes = self.contents(&request)?;
                self.fill(*region, address, &request, &bytes);
            }
            Code::Allocate { to, parts, size, contents, at } => {
                let size = self.word(&code, base, *size);
                let Instruction { result, span, .. } = *self.instruction(*at);
                let function = self.function();
                let request = ObjectRequest { function, object: None, result, size, align: 1, span };
                let address = match self.oracle.address(&request) {
                    Answer::Any => self.objects.place_heap(size).ok_or(Outcome::OutOfMemory)?,
                    answer => self.place_at(&answer, &request)?,
                };
                if let Some(value) = result {
                    self.record_object(PlacedObject::Allocated(value), address, size);
                }
                match contents {
                    Contents::Zero => {
                        parts.iter().for_each(|region| self.memories[region.0 as usize].clear(address, size));
                    }
                    Contents::Unknown => {
                        let bytes = self.contents(&request)?;
                        parts.iter().for_each(|&region| self.fill(region, address, &request, &bytes));
                    }
                }
                self.words[base + *to as usize] = address;
            }
            _ => unreachable!("only nondeterministic steps should get here"),
        }
        Ok(())
    }

    fn record_object(&mut self, object: PlacedObject, address: u64, size: u64) {
        if self.is_traced() {
            self.trace.events.push(Event::Object { object, address, size });
        }
    }

    /// Records that a load reads contents that the oracle chose.
    pub(super) fn read_chosen(&mut self, at: (Block, u32), address: u64, is: BitVector) {
        self.trace.events.push(Event::Contents { at, address, is: TermValue::BitVec(is) });
    }

    fn request(&self, object: Object, at: u32) -> ObjectRequest {
        let data = &self.interpreter.program.objects[object];
        let span = self.instruction(at).span;
        ObjectRequest {
            function: self.function(),
            object: Some(object),
            result: None,
            size: data.size,
            align: data.align,
            span,
        }
    }

    /// The address of an automatic object of the current activation. The first request places the
    /// object; the register caches the address.
    fn automatic(&mut self, request: &ObjectRequest, register: usize) -> Ended<u64> {
        if self.words[register] == 0 {
            let address = match self.oracle.address(request) {
                Answer::Any => {
                    let placed = self.objects.place_automatic(request.size, request.align);
                    placed.ok_or(Outcome::OutOfMemory)?
                }
                answer => self.place_at(&answer, request)?,
            };
            self.automatic.push(address);
            if let Some(object) = request.object {
                self.record_object(PlacedObject::Automatic(object), address, request.size);
            }
            self.words[register] = address;
            if let (Some(bits), Some(object)) = (self.interpreter.layout.slot_bits(), request.object) {
                let data = &self.interpreter.program.objects[object];
                self.log.declare(bits, address, data);
            }
        }
        Ok(self.words[register])
    }

    fn place_at(&mut self, answer: &Answer<u64>, request: &ObjectRequest) -> Ended<u64> {
        match answer {
            Answer::Is(address) if self.objects.place_at(*address, request.size, request.align) => {
                Ok(*address)
            }
            Answer::Is(address) => Err(Outcome::NotReplayable(NotReplayable::BadAddress(*address))),
            Answer::Exhausted => Err(Outcome::InputExhausted),
            Answer::Any | Answer::Mismatch => Err(Outcome::NotReplayable(NotReplayable::Mismatch)),
        }
    }

    /// The nonzero bytes of an object, by offset, that the oracle chooses.
    fn contents(&mut self, request: &ObjectRequest) -> Ended<Vec<(u64, u8)>> {
        let bytes = match self.oracle.contents(request) {
            Answer::Is(bytes) => bytes,
            Answer::Any => Vec::new(),
            Answer::Exhausted => return Err(Outcome::InputExhausted),
            Answer::Mismatch => return Err(Outcome::NotReplayable(NotReplayable::Mismatch)),
        };
        if let Some(&(offset, _)) = bytes.iter().find(|&&(offset, _)| offset >= request.size) {
            return Err(Outcome::NotReplayable(NotReplayable::BadOffset(offset)));
        }
        Ok(bytes)
    }

    /// Fills an object in a region with chosen contents.
    fn fill(&mut self, region: Region, address: u64, request: &ObjectRequest, bytes: &[(u64, u8)]) {
        if let Some(ty) = scalar_type(self.interpreter.program, region) {
            let mut contents = vec![0; ty.bytes() as usize];
            for &(offset, byte) in bytes {
                if let Some(place) = contents.get_mut(offset as usize) {
                    *place = byte;
                }
            }
            let bits = from_little_endian(&contents);
            self.scalars[region.0 as usize] = Some(match bits.to_u64() {
                Some(word) if bits.width() <= 64 => Scalar::Word(word),
                _ => Scalar::Wide(bits),
            });
            return;
        }
        if self.is_traced() {
            self.chosen.add(region, address, request.size);
        }
        let memory = &mut self.memories[region.0 as usize];
        memory.clear(address, request.size);
        for &(offset, byte) in bytes {
            memory.set_byte(address + offset, byte);
        }
    }
}
