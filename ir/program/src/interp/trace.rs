//! The recorded events of a run.

use crate::ssa::cfg::EdgeRef;
use crate::ssa::{Block, Function, Object, Program, Type, Value};
use grammars::source::Span;
use terms::Value as TermValue;

/// How much a run records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum TraceMode {
    /// Nothing; the fastest.
    #[default]
    Off,
    /// The events that a reader of the source expects: assignments to named values, stores, inputs,
    /// calls, branches.
    Source,
    /// Also unnamed values, block parameters and every edge.
    Full,
}

/// A step of a run. The function is that of the last [`Event::Enter`] without its [`Event::Leave`].
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A function with a body is called.
    Enter {
        /// The entity.
        function: Function,
        /// Its arguments.
        arguments: Vec<TermValue>,
        /// The call.
        call: Span,
    },
    /// The function returns.
    Leave {
        /// From this block.
        block: Block,
        /// The result.
        result: Option<TermValue>,
    },
    /// An edge is taken; in [`TraceMode::Source`] only if its block has several.
    Edge(EdgeRef),
    /// A value is computed.
    Assign {
        /// The entity.
        value: Value,
        /// Its value.
        is: TermValue,
    },
    /// A value is chosen: `Havoc`, or the result of a function without a body.
    Input {
        /// The entity.
        value: Value,
        /// Its value.
        is: TermValue,
    },
    /// A store.
    Store {
        /// The block and the position of the instruction in it.
        at: (Block, u32),
        /// The address or index.
        address: Option<u64>,
        /// The stored value.
        is: TermValue,
    },
    /// The operands of the decision at the end of the block, in the order of
    /// [`Decision::operands`](crate::ssa::source::Decision). The edge follows.
    Operands {
        /// The values.
        values: Vec<TermValue>,
    },
    /// A load reads contents that were chosen, for the first time.
    Contents {
        /// The block and the position of the load in it.
        at: (Block, u32),
        /// From where.
        address: u64,
        /// The loaded value.
        is: TermValue,
    },
    /// An object gets an address.
    Object {
        /// The entity.
        object: PlacedObject,
        /// Its first address.
        address: u64,
        /// Its bytes.
        size: u64,
    },
    /// A function without a body is called.
    External {
        /// The entity.
        function: Function,
        /// The arguments.
        arguments: Vec<TermValue>,
        /// The call.
        call: Span,
    },
}

/// An object that gets its address in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedObject {
    /// An automatic object of the running activation.
    Automatic(Object),
    /// The block of the allocation in the running function that has this result.
    Allocated(Value),
}

/// The events of a run in order; empty in [`TraceMode::Off`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// In order of execution.
    pub events: Vec<Event>,
}

/// An event with what the program says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// The running function.
    pub function: Function,
    /// How many calls deep, the entry being 1.
    pub depth: usize,
    /// Where in the source; [`Span::NONE`] if nowhere.
    pub span: Span,
    /// The source place that is written, if the event writes one that has a name.
    pub place: Option<&'a str>,
    /// The type of what is written.
    pub ty: Option<Type>,
    /// The event.
    pub event: &'a Event,
}

impl Trace {
    /// The events with places, types and spans.
    pub fn steps<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = Step<'a>> + 'a {
        let mut stack: Vec<Function> = Vec::new();
        self.events.iter().map(move |event| {
            if let Event::Enter { function, .. } = event {
                stack.push(*function);
            }
            let function = stack.last().copied().unwrap_or(program.entry);
            let data = &program.functions[function];
            let (span, place, ty) = match event {
                Event::Enter { call, .. } | Event::External { call, .. } => (*call, None, None),
                Event::Leave { block, .. } => (data.blocks[*block].span, None, data.result),
                Event::Edge(edge) => (data.blocks[edge.from].span, None, None),
                Event::Operands { .. } => (Span::NONE, None, None),
                Event::Contents { at: (block, index), .. } => {
                    let instruction = &data.blocks[*block].instructions[*index as usize];
                    (instruction.span, None, instruction.result.map(|value| data.values[value].ty))
                }
                Event::Object { object: PlacedObject::Automatic(object), .. } => {
                    (program.objects[*object].span, None, None)
                }
                Event::Object { object: PlacedObject::Allocated(value), .. }
                | Event::Assign { value, .. }
                | Event::Input { value, .. } => {
                    let value = &data.values[*value];
                    (value.span, value.name.as_deref(), Some(value.ty))
                }
                Event::Store { at: (block, index), .. } => {
                    let instruction = &data.blocks[*block].instructions[*index as usize];
                    match &instruction.kind {
                        crate::ssa::InstructionKind::Store { place, ty, .. } => {
                            (instruction.span, place.as_deref(), Some(*ty))
                        }
                        _ => (instruction.span, None, None),
                    }
                }
            };
            let step = Step { function, depth: stack.len(), span, place, ty, event };
            if let Event::Leave { .. } = event {
                stack.pop();
            }
            step
        })
    }
}
