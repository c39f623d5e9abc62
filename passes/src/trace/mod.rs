//! Counterexamples for people and machines: one execution of the original program, step by step.
//!
//! A [`Trace`] is built from what the interpreter recorded while it replayed the inputs of a
//! counterexample, never from a model of a solver. It holds places in the source as spans.
//! [`render`] writes it with excerpts of the source, [`Trace::located`] gives the form that is
//! serialized.
//!
//! | module | what |
//! |---|---|
//! | `build` | events of the interpreter become steps |
//! | `values`, `decimal`, `objects` | values in the types of the source; what pointers point to |
//! | `located` | steps with positions and texts |
//! | `fold` | loops of long traces |
//! | `fault` | violations of memory safety in words |
//! | `render` | the text |

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
    /// Its kind.
    pub kind: PropertyKind,
    /// Its description.
    pub description: String,
    /// The error site.
    pub span: Span,
    /// What happened, in order. The last step is the violation.
    pub steps: Vec<Step>,
    /// The object that a violation of memory safety is about.
    pub fault: Option<Fault>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where.
    pub span: Span,
    /// The function that runs.
    pub function: String,
    /// How many calls are open; 0 in the entry function.
    pub depth: u32,
    /// What.
    pub event: Event,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A variable or memory cell got a value.
    Assignment {
        /// The source place, `x`, `a[i]`, `p->next`.
        place: String,
        /// Its new value.
        value: TraceValue,
    },
    /// The program read a nondeterministic value.
    Input {
        /// Its number in the trace, from 1.
        number: u32,
        /// Where it comes from.
        origin: Origin,
        /// The value.
        value: TraceValue,
        /// The type of the source, where it is known.
        ty: Option<String>,
    },
    /// A function is called.
    Call {
        /// Its name.
        callee: String,
        /// The arguments.
        arguments: Vec<TraceValue>,
    },
    /// A function returns to its caller.
    Return {
        /// Its name.
        callee: String,
        /// The result, if there is one.
        value: Option<TraceValue>,
    },
    /// A condition of the source was decided.
    Branch {
        /// The condition.
        condition: Span,
        /// Whether it is true.
        holds: bool,
        /// The operands: the places that it reads and the calls that it makes.
        operands: Vec<Operand>,
    },
    /// A switch was decided.
    Switch {
        /// The expression that chooses.
        expression: Span,
        /// The values of the case that was taken, `3` or `1 ... 5`; empty for the default.
        case: Vec<String>,
        /// The operands.
        operands: Vec<Operand>,
    },
    /// The rest of a long execution, which was not recorded.
    NotRecorded {
        /// The instructions and terminators that the interpreter executed altogether.
        executed: u64,
    },
    /// The error.
    Violation {
        /// The description of the property.
        description: String,
        /// The operation that failed.
        operation: Option<Operation>,
        /// The operands of the operation that failed.
        operands: Vec<Operand>,
    },
}

/// Where a nondeterministic value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The call of a function.
    Call(String),
    /// Data without a definition.
    External(String),
    /// A variable that has no value yet.
    Uninitialized(String),
    /// Contents of memory that the program has not written.
    Contents(Pointer),
    /// Something else that the environment chooses.
    Environment(String),
}

/// An operand of an operation or a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// As the source writes it; parts may be left out (`…`).
    pub operand: String,
    /// Where, if the text of the source can be shown.
    pub span: Span,
    /// Its value.
    pub value: TraceValue,
}

impl Trace {
    /// The form that is serialized: with file names, lines and texts.
    pub fn located(&self, sources: &SourceMap) -> Located {
        Located::new(self, sources)
    }
}
