//! Counterexample traces: one execution of the original program, step by step, as text and as JSON.
//!
//! A [`Trace`] is built from the events that the interpreter records while it replays the inputs of
//! a counterexample, never from a solver model. Its source locations are spans. [`render`] prints
//! the trace with excerpts of the source; [`Trace::located`] converts it to the serialized form.
//!
//! | module | content |
//! |---|---|
//! | `build` | converts interpreter events to steps |
//! | `values`, `decimal`, `objects` | print values in the types of the source, and the targets of pointers |
//! | `located` | replaces spans by file, line and source text |
//! | `fold` | folds the loops of long traces |
//! | `fault` | describes violations of memory safety |
//! | `render` | prints the trace as text |

mod build;
mod decimal;
mod fault;
mod fold;
mod located;
mod objects;
mod render;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use build::{of_long_run, of_run};
pub use fault::LocatedFault;
pub use located::{Located, LocatedEvent, LocatedInput, LocatedOperand, LocatedStep};
pub use objects::Pointer;
pub use render::{Look, render};
pub use values::TraceValue;

use grammars::source::{SourceMap, Span};
use program::interp::Fault;
use program::ssa::source::Operation;
use program::ssa::{Property, PropertyKind};

/// An execution that ends in an error.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The violated property.
    pub property: Property,
    /// The kind of the property.
    pub kind: PropertyKind,
    /// The description of the property.
    pub description: String,
    /// The error site.
    pub span: Span,
    /// The steps in execution order. The last step is the violation.
    pub steps: Vec<Step>,
    /// The address and object of a memory-safety violation.
    pub fault: Option<Fault>,
}

/// A step of a trace: an event with its location.
#[derive(Clone, Debug)]
pub struct Step {
    /// The source location.
    pub span: Span,
    /// The running function.
    pub function: String,
    /// The depth of the call stack; 0 in the entry function.
    pub depth: u32,
    /// The event.
    pub event: Event,
}

/// An event of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A variable or memory cell is assigned.
    Assignment {
        /// The assigned place as the source writes it: `x`, `a[i]`, `p->next`.
        place: String,
        /// Its new value.
        value: TraceValue,
    },
    /// The program reads a nondeterministic value.
    Input {
        /// The index of the input in the trace, from 1.
        number: u32,
        /// The origin of the value.
        origin: Origin,
        /// The value.
        value: TraceValue,
        /// The type in the source, if known.
        ty: Option<String>,
    },
    /// A function is called.
    Call {
        /// The name of the function.
        callee: String,
        /// The arguments.
        arguments: Vec<TraceValue>,
    },
    /// A function returns to its caller.
    Return {
        /// The name of the function.
        callee: String,
        /// The result, if any.
        value: Option<TraceValue>,
    },
    /// A condition of the source is evaluated.
    Branch {
        /// The span of the condition.
        condition: Span,
        /// Whether the condition is true.
        holds: bool,
        /// The operands of the condition: the places it reads and the calls it makes.
        operands: Vec<Operand>,
    },
    /// A `switch` selects a case.
    Switch {
        /// The span of the controlling expression.
        expression: Span,
        /// The values of the selected case, `3` or `1 ... 5`; empty for the default.
        case: Vec<String>,
        /// The operands of the controlling expression.
        operands: Vec<Operand>,
    },
    /// A gap in the trace: the rest of a long execution, which the interpreter did not record.
    NotRecorded {
        /// The total number of instructions and terminators that the interpreter executed.
        executed: u64,
    },
    /// The execution reaches the error site.
    Violation {
        /// The description of the property.
        description: String,
        /// The operation that violates the property.
        operation: Option<Operation>,
        /// The operands of that operation.
        operands: Vec<Operand>,
    },
}

/// The origin of a nondeterministic value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A call of a function that returns a nondeterministic value.
    Call(String),
    /// External data: declared, but not defined in the program.
    External(String),
    /// An uninitialized variable.
    Uninitialized(String),
    /// Memory that the program has not written.
    Contents(Pointer),
    /// Another choice of the environment.
    Environment(String),
}

/// An operand of an operation or a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// The source text, possibly abbreviated with `…`.
    pub operand: String,
    /// The source location, if its text can be shown.
    pub span: Span,
    /// The value of the operand.
    pub value: TraceValue,
}

impl Trace {
    /// Returns the serializable form, with file names, lines and source texts.
    pub fn located(&self, sources: &SourceMap) -> Located {
        Located::new(self, sources)
    }
}
