//! The object of a memory-safety error: which object it is, where it was allocated, and whether a
//! heap block is lost.

use super::{Machine, Scalar};
use crate::interp::objects::{FAULT_ADDRESS, Fault, KnownObject};
use crate::layout::{slot_offset, slot_start};
use crate::ssa::{Block, Function, InstructionKind, Property, PropertyKind, Region};
use grammars::source::Span;
use terms::entity::Entity;

/// The kinds of errors for which a run reports the object.
const MEMORY_ERRORS: [PropertyKind; 4] = [
    PropertyKind::ValidDeref,
    PropertyKind::ValidFree,
    PropertyKind::ValidMemtrack,
    PropertyKind::ValidMemcleanup,
];

impl Machine<'_, '_, '_> {
    /// Records a store to the shadow memory.
    pub(super) fn note(&mut self, region: Region, index: u64, value: u64, at: u32) {
        let program = self.interpreter.program;
        let Some(bits) = program.machine.slot_bits else { return };
        let span = self.place_in_source(self.instruction(at).span);
        if Some(region) == program.shadow.sizes {
            let InstructionKind::Store { place, .. } = &self.instruction(at).kind else { return };
            let address = slot_start(bits, index) + slot_offset(bits);
            self.log.size(index, address, value, place.as_deref(), span);
            self.placements.resize(index, value);
        } else if Some(region) == program.shadow.blocks {
            self.log.block(index, value != 0, span);
        } else if Some(region) == program.shadow.placements {
            let internal = slot_start(bits, index) + slot_offset(bits);
            let width = program.machine.pointer_width;
            let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
            let size = self
                .objects
                .size(internal)
                .or_else(|| self.static_object(bits, internal).map(|known| known.size));
            self.placements.place(index, internal.wrapping_add(value) & mask, size.unwrap_or(1));
        }
    }

    /// Returns `span` or, if it is empty, the span of the innermost call that has one.
    fn place_in_source(&self, span: Span) -> Span {
        let callers = self.frames.iter().rev().skip(1);
        let mut spans = callers.map(|frame| {
            let data = &self.interpreter.program.functions[frame.function].blocks[frame.block];
            data.instructions.get(frame.call as usize).map_or(Span::NONE, |call| call.span)
        });
        if span.is_none() { spans.find(|span| !span.is_none()).unwrap_or(span) } else { span }
    }

    /// The object of a memory error; see [`Fault`].
    pub(super) fn fault_at(&mut self, property: Property, function: Function, block: Block) -> Option<Fault> {
        let program = self.interpreter.program;
        let bits = program.machine.slot_bits?;
        if !MEMORY_ERRORS.contains(&program.properties[property].kind) {
            return None;
        }
        let data = &program.functions[function];
        let span = self.place_in_source(program.properties[property].span);
        let last = data.blocks[block].instructions.last().and_then(|last| last.result);
        let address =
            last.filter(|&value| data.values[value].name.as_deref() == Some(FAULT_ADDRESS)).map(|value| {
                let frame = self.frames.last().expect("a function is running");
                let typed = frame.code.values[value.index()];
                self.bits(&frame.code, frame.base, frame.wide_base, typed).to_u64().unwrap_or(0)
            });
        let blocks_left = self.log.blocks().count();
        let (object, is_confirmed) = match address {
            Some(address) => {
                (self.log.at(bits, address).cloned().or_else(|| self.static_object(bits, address)), true)
            }
            None if program.properties[property].kind == PropertyKind::ValidMemtrack => {
                let lost = self.lost_block(bits);
                let is_confirmed = lost.is_some();
                (lost, is_confirmed)
            }
            None => (self.log.blocks().next().map(|(_, block)| block.clone()), true),
        };
        let start = object.as_ref().map_or(0, |object| object.address);
        let offset = address.map_or(0, |address| address.wrapping_sub(start) as i64);
        Some(Fault { span, address, object, offset, blocks_left, is_confirmed })
    }

    /// The static object whose slot contains an address. It may have no entry in the shadow.
    fn static_object(&self, bits: u32, address: u64) -> Option<KnownObject> {
        let objects = self.interpreter.program.objects.iter();
        objects
            .filter_map(|(object, data)| Some((self.interpreter.layout.object(object)?, data)))
            .find(|&(start, _)| start >> bits == address >> bits)
            .map(|(start, data)| KnownObject::declared(start, data))
    }

    /// A heap block that is unreachable from the roots; see [`objects`](crate::interp::objects).
    fn lost_block(&mut self, bits: u32) -> Option<KnownObject> {
        let program = self.interpreter.program;
        let width = u64::from(program.machine.pointer_width / 8);
        let mut roots = self.words.clone();
        roots.extend(self.scalars.iter().filter_map(|scalar| match scalar {
            Some(Scalar::Word(word)) => Some(*word),
            _ => None,
        }));
        let statics = program.objects.iter().filter_map(|(object, data)| {
            self.interpreter.layout.object(object).map(|address| (address, data.size))
        });
        let automatic =
            self.automatic.iter().filter_map(|&address| Some((address, self.objects.size(address)?)));
        let ranges: Vec<(u64, u64)> = statics.chain(automatic).collect();
        let shadow = program.shadow;
        let is_program_memory = |index: usize| !shadow.contains(Region(index as u32));
        let memories = &mut self.memories;
        let mut words_in = |address: u64, size: u64| {
            let mut words = Vec::new();
            let last = size.saturating_sub(width - 1);
            for (_, memory) in memories.iter_mut().enumerate().filter(|(index, _)| is_program_memory(*index))
            {
                words.extend((0..last).map(|offset| memory.load(address + offset, width as usize)));
            }
            words
        };
        for (address, size) in ranges {
            roots.extend(words_in(address, size));
        }
        self.log.lost(bits, roots, |block| words_in(block.address, block.size)).cloned()
    }
}
