//! The concrete interpreter: the oracle for traces, for fuzzing and for transformations.
//!
//! An [`Interpreter`] runs the entry function of a well-formed program, or calls any of its
//! functions, with the nondeterministic choices that an [`Oracle`] makes, and tells how the run
//! ended: an [`Outcome`]. A [`Replay`] runs a counterexample, [`Random`](terms::Random) fuzzes.
//!
//! Functions are translated once to register code over machine words, when they are first called;
//! only what has more than 64 bits goes through [`BitVector`](terms::BitVector)s. Operators mean
//! what SMT-LIB says, division by zero included: what is undefined in C is the front end's
//! business. The program's stack is a list of frames here, so deep recursion ends in
//! [`Outcome::OutOfMemory`] and not in an overflow.
//!
//! # Conventions
//! * Static objects and functions are where the [`Layout`] says. Automatic objects get an address
//!   at their first `AddressOf` (or `Forget`) in an activation and lose it when the activation
//!   ends; heap objects live on.
//! * Every region is a memory of its own: accesses in different regions never alias. `Cells`
//!   regions are byte memories, too, so accesses to a cell must not overlap another one, which
//!   holds for all programs that come from lowering and region splitting.
//! * Every nondeterministic choice is one question to the oracle, in the order of execution, see
//!   [`Input`].

mod chosen;
mod compile;
mod evaluate;
mod floats;
mod machine;
mod memory;
mod objects;
mod operand;
mod oracle;
mod placements;
mod trace;
mod values;

pub use objects::{FAULT_ADDRESS, Fault, KnownObject};
pub use oracle::{
    Answer, ExternalCall, Input, InputSite, ObjectRequest, Oracle, Replay, ValueRequest, Zeros,
};
pub use placements::{PLACEMENT, Placement, Placements};
pub use trace::{Event, PlacedObject, Step, Trace, TraceMode};

use crate::layout::{Layout, LayoutError};
use crate::ssa::{Block, Function, Program, Property, Span, StopReason, Unsupported};
use std::rc::Rc;
use terms::{TermPool, Value as TermValue};

/// The limits of a run, and its trace mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The most instructions and terminators that are executed.
    pub max_steps: u64,
    /// The most bytes for memory, frames and trace together; approximate.
    pub max_memory: usize,
    /// The trace mode.
    pub trace: TraceMode,
}

impl Config {
    /// Ten million steps, half a gigabyte, no trace.
    pub const SMALL: Config = Config { max_steps: 10_000_000, max_memory: 1 << 29, trace: TraceMode::Off };
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The called function returned.
    Returned(Option<TermValue>),
    /// An error site was reached.
    Error(Property),
    /// The program stopped without violation.
    Stopped(StopReason),
    /// A construct that could not be lowered was reached.
    Unsupported(Unsupported),
    /// [`Config::max_steps`] was reached, or the run was cancelled.
    OutOfSteps,
    /// [`Config::max_memory`] was reached, or the machine's address space is full.
    OutOfMemory,
    /// An indirect call of an address that is not that of a function of fitting type.
    BadCall(u64),
    /// The oracle has no answer left.
    InputExhausted,
    /// The oracle's answers do not fit the run.
    NotReplayable(NotReplayable),
    /// The interpreter cannot evaluate a term with this operator.
    Unevaluable(terms::Op),
}

/// Why the answers of an oracle do not fit the run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReplayable {
    /// The next input has another kind or type than the request.
    #[error("the next input is not of the kind or type that the program asks for")]
    Mismatch,
    /// The address of a new object is not free or not aligned.
    #[error("no object can be at the address {0:#x}")]
    BadAddress(u64),
    /// A byte outside of the object.
    #[error("the contents have a byte at offset {0}, outside of the object")]
    BadOffset(u64),
}

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The instructions and terminators that were executed.
    pub steps: u64,
    /// The running functions with their blocks at the end, outermost first.
    pub stack: Vec<(Function, Block)>,
    /// The construct behind the first [`Approximation`](crate::ssa::HavocSource::Approximation)
    /// that was executed: then the run may be impossible in the source program.
    pub approximation: Option<String>,
    /// Where that construct is.
    pub approximated_at: Span,
    /// The observable addresses of objects.
    pub placements: Placements,
    /// The memory object of an error, if the program has a shadow memory.
    pub fault: Option<Fault>,
    /// The recorded events.
    pub trace: Trace,
}

impl Run {
    /// Whether the error, if there is one, is what its site says: see [`Fault::is_confirmed`].
    pub fn is_confirmed(&self) -> bool {
        self.fault.as_ref().is_none_or(|fault| fault.is_confirmed)
    }

    /// Whether no two objects were placed over each other.
    pub fn is_placement_possible(&self) -> bool {
        self.placements.are_possible()
    }

    /// Whether the run shows a violation of a property: an error site was reached and not through
    /// an approximation.
    pub fn violated(&self) -> Option<Property> {
        match self.outcome {
            Outcome::Error(property)
                if self.approximation.is_none() && self.is_confirmed() && self.is_placement_possible() =>
            {
                Some(property)
            }
            _ => None,
        }
    }
}

/// Runs functions of one program; keeps their translations between runs.
pub struct Interpreter<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    layout: Layout,
    config: Config,
    compiled: Vec<Option<Rc<compile::Compiled>>>,
    is_cancelled: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Interpreter<'a> {
    /// An interpreter for `program`, which must be [well formed](crate::ssa::check).
    ///
    /// # Errors
    /// If the static objects do not fit into the address space.
    pub fn new(pool: &'a TermPool, program: &'a Program, config: Config) -> Result<Self, LayoutError> {
        let layout = Layout::new(program)?;
        let compiled = vec![None; program.functions.len()];
        Ok(Interpreter { pool, program, layout, config, compiled, is_cancelled: None })
    }

    /// The addresses of static objects and functions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Runs the program from its entry.
    pub fn run(&mut self, oracle: &mut dyn Oracle) -> Run {
        self.call(self.program.entry, &[], oracle)
    }

    /// [`Interpreter::run`] that ends when `is_cancelled` returns true; it is called once in
    /// some thousands of steps.
    pub fn run_unless(&mut self, oracle: &mut dyn Oracle, is_cancelled: &dyn Fn() -> bool) -> Run {
        let mut cancellable = Interpreter {
            pool: self.pool,
            program: self.program,
            layout: self.layout.clone(),
            config: self.config,
            compiled: std::mem::take(&mut self.compiled),
            is_cancelled: Some(is_cancelled),
        };
        let run = cancellable.run(oracle);
        self.compiled = cancellable.compiled;
        run
    }

    /// Calls a function with a body on memory as it is at program start, but without the
    /// initializers of globals, which the program's entry stores. Arguments that are missing or of
    /// another sort make the run not replayable.
    pub fn call(&mut self, function: Function, arguments: &[TermValue], oracle: &mut dyn Oracle) -> Run {
        machine::run(self, function, arguments, oracle)
    }

    /// Calls the function with this name; `None` if no function with a body has it.
    pub fn call_named(
        &mut self,
        name: &str,
        arguments: &[TermValue],
        oracle: &mut dyn Oracle,
    ) -> Option<Run> {
        let mut functions = self.program.functions.iter();
        let (function, _) = functions.find(|(_, data)| data.name == name && data.is_defined())?;
        Some(self.call(function, arguments, oracle))
    }

    fn compiled(&mut self, function: Function) -> Rc<compile::Compiled> {
        let slot = &mut self.compiled[function.0 as usize];
        let (pool, program, layout) = (self.pool, self.program, &self.layout);
        let trace = self.config.trace;
        Rc::clone(
            slot.get_or_insert_with(|| Rc::new(compile::compile(pool, program, layout, function, trace))),
        )
    }
}

#[cfg(test)]
mod tests;
