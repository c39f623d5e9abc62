//! The recorded events of a run.

use crate::ssa::cfg::EdgeRef;
use crate::ssa::{Block, Function, Object, Program, Type, Value};
use grammars::source::Span;
use terms::Value as TermValue;

/// The level of detail of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum TraceMode {
    /// No events; the fastest mode.
    #[default]
    Off,
    /// The events at the level of the source: assignments to named values, stores, inputs, calls
    /// and branches.
    Source,
    /// Also assignments to unnamed values and block parameters, and every edge.
    Full,
}

/// An event of a run. It belongs to the function of the last [`Event::Enter`] without a matching
/// [`Event::Leave`].
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A call of a function with a body.
    Enter {
        /// The called function.
        function: Function,
        /// The arguments.
        arguments: Vec<TermValue>,
        /// The source position of the call.
        call: Span,
    },
    /// A return from the current function.
    Leave {
        /// The block that ends in the return.
        block: Block,
        /// The result.
        result: Option<TermValue>,
    },
    /// A taken edge; [`TraceMode::Source`] only records the edges of branches and switches.
    Edge(EdgeRef),
    /// An assignment to a value.
    Assign {
        /// The SSA value.
        value: Value,
        /// The concrete value.
        is: TermValue,
    },
    /// A nondeterministic value: a `Havoc`, or the result of a function without a body.
    Input {
        /// The SSA value.
        value: Value,
        /// The concrete value.
        is: TermValue,
    },
    /// A store.
    Store {
        /// The block, and the index of the instruction in it.
        at: (Block, u32),
        /// The address, or the index of a cell; `None` for a scalar region.
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
    /// The first load of nondeterministic contents.
    Contents {
        /// The block, and the index of the load in it.
        at: (Block, u32),
        /// The address of the load.
        address: u64,
        /// The loaded value.
        is: TermValue,
    },
    /// An object gets an address.
    Object {
        /// The object.
        object: PlacedObject,
        /// The first address.
        address: u64,
        /// The size in bytes.
        size: u64,
    },
    /// A call of a function without a body.
    External {
        /// The called function.
        function: Function,
        /// The arguments.
        arguments: Vec<TermValue>,
        /// The source position of the call.
        call: Span,
    },
}

/// An object whose address is determined at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedObject {
    /// An automatic object of the current activation.
    Automatic(Object),
    /// The heap block of the allocation that defines this value in the current function.
    Allocated(Value),
}

/// The events of a run; empty in [`TraceMode::Off`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// In execution order.
    pub events: Vec<Event>,
}

/// An event with its context in the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// The current function.
    pub function: Function,
    /// The call depth; 1 for the entry function.
    pub depth: usize,
    /// The source position; [`Span::NONE`] if there is no such position.
    pub span: Span,
    /// The name of the source place that the event writes, if it has one.
    pub place: Option<&'a str>,
    /// The type of the written value.
    pub ty: Option<Type>,
    /// The event.
    pub event: &'a Event,
}

impl Trace {
    /// Returns the events with functions, places, types and source positions.
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
