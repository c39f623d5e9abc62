//! Counterexamples for people and machines: one execution of the original program, step by step.
//!
//! A [`Trace`] is built from what the interpreter recorded while it replayed the inputs of a counterexample (never from a
//! solver's model), so what it says really happens. It holds places in the source as spans; [`render`] writes it with
//! source excerpts, [`Trace::located`] gives the form that is serialized.

mod build;
mod fault;
mod render;

pub(crate) use build::{of_long_run, of_run};
pub use fault::LocatedFault;
pub use render::{Located, LocatedStep, render};

use grammars::source::{SourceMap, Span};
use program::interp::Fault;
use program::ssa::{Property, PropertyKind, Signedness, Type};
use serde::Serialize;
use std::fmt;
use terms::BitVector;

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
    /// Of a violation of memory safety: which object it is about.
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
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
        /// From where: the input function, or what is uninitialized.
        source: String,
        /// The value.
        value: TraceValue,
    },
    /// A function is called.
    Call {
        /// Its name.
        callee: String,
        /// What is passed.
        arguments: Vec<TraceValue>,
    },
    /// A function returns to its caller.
    Return {
        /// Its name.
        callee: String,
        /// What it returns, if anything.
        value: Option<TraceValue>,
    },
    /// A condition was decided.
    Branch {
        /// Whether it held.
        holds: bool,
    },
    /// A switch was decided.
    Switch {
        /// The case taken, from 0; the number of cases for the default.
        case: usize,
    },
    /// Many things happened that were not recorded.
    NotRecorded {
        /// The instructions and terminators that the interpreter executed altogether.
        executed: u64,
    },
    /// The error.
    Violation {
        /// Of what.
        description: String,
        /// What the operation that failed was applied to.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        operands: Vec<Operand>,
    },
}

/// An operand of an operation that failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Operand {
    /// As the source writes it.
    pub operand: String,
    /// Its value.
    pub value: TraceValue,
}

/// A scalar as the source language sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "String")]
pub enum TraceValue {
    /// A truth value.
    Bool(bool),
    /// An integer in the signedness of its type.
    Int(Signedness, BitVector),
    /// An address.
    Pointer(BitVector),
}

impl TraceValue {
    /// The bits as a value of type `ty`.
    pub fn of_bits(ty: Type, bits: BitVector) -> Self {
        match ty {
            Type::Bool => TraceValue::Bool(!bits.is_zero()),
            Type::Pointer { .. } => TraceValue::Pointer(bits),
            Type::Int { signedness, .. } => TraceValue::Int(signedness, bits),
        }
    }
}

impl fmt::Display for TraceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceValue::Bool(value) => write!(f, "{value}"),
            TraceValue::Int(Signedness::Signed, bits) => write!(f, "{}", bits.to_signed()),
            TraceValue::Int(Signedness::Unsigned, bits) => write!(f, "{}", bits.to_natural()),
            TraceValue::Pointer(bits) if bits.is_zero() => f.write_str("NULL"),
            TraceValue::Pointer(bits) => write!(f, "{:#x}", bits.to_natural()),
        }
    }
}

impl From<TraceValue> for String {
    fn from(value: TraceValue) -> Self {
        value.to_string()
    }
}

impl Trace {
    /// The nondeterministic values that the execution read, in order.
    pub fn inputs(&self) -> impl Iterator<Item = (&Step, &str, &TraceValue)> {
        self.steps.iter().filter_map(|step| match &step.event {
            Event::Input { source, value } => Some((step, source.as_str(), value)),
            _ => None,
        })
    }

    /// The form that is serialized: with file names and lines.
    pub fn located(&self, sources: &SourceMap) -> Located {
        Located::new(self, sources)
    }
}
