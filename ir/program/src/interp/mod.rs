//! The concrete interpreter. It replays counterexamples, records traces, and serves as the
//! reference semantics for fuzzing and for tests of transformations.
//!
//! An [`Interpreter`] executes the entry function of a well-formed program, or any other function
//! with a body. An [`Oracle`] resolves the nondeterministic choices. The result is a [`Run`] with
//! its [`Outcome`]. The oracle [`Replay`] replays a counterexample; the oracle
//! [`Random`](terms::Random) chooses random inputs for fuzzing.
//!
//! The first call of a function compiles it to register code over machine words; only values of
//! more than 64 bits are [`BitVector`](terms::BitVector)s. Operators have the semantics of SMT-LIB,
//! including division by zero; the front end lowers undefined behavior of C explicitly. The call
//! stack of the program is a list of frames on the heap, so deep recursion ends in
//! [`Outcome::OutOfMemory`] and does not overflow the stack of the interpreter.
//!
//! # Conventions
//! * The [`Layout`] determines the addresses of static objects and functions. An automatic object
//!   gets its address at its first `AddressOf` (or `Forget`) in an activation and loses it when the
//!   activation ends. Heap objects stay allocated until the end of the run.
//! * Every region is a separate memory: accesses to different regions never alias. `Cells` regions
//!   are byte memories, too, so an access to one cell must not overlap another cell. Lowering and
//!   region splitting guarantee this.
//! * Every nondeterministic choice is one request to the oracle, in execution order; see
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
    /// The largest number of executed instructions and terminators; checked at the start of a
    /// block.
    pub max_steps: u64,
    /// The largest number of bytes for memory, frames and trace together; approximate.
    pub max_memory: usize,
    /// The trace mode.
    pub trace: TraceMode,
}

impl Config {
    /// Ten million steps, 512 MiB, no trace.
    pub const SMALL: Config = Config { max_steps: 10_000_000, max_memory: 1 << 29, trace: TraceMode::Off };
}

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The called function returned.
    Returned(Option<TermValue>),
    /// An error site was reached.
    Error(Property),
    /// The program stopped without a violation.
    Stopped(StopReason),
    /// An unsupported construct was reached.
    Unsupported(Unsupported),
    /// [`Config::max_steps`] was reached, or the run was cancelled.
    OutOfSteps,
    /// The run repeats a state, and so never ends. Not every endless run is found.
    Endless,
    /// [`Config::max_memory`] was reached, or the machine's address space is full.
    OutOfMemory,
    /// An indirect call through an address that is not the address of a function of matching type.
    BadCall(u64),
    /// The oracle has no further inputs.
    InputExhausted,
    /// The inputs or arguments do not fit the program.
    NotReplayable(NotReplayable),
    /// The run reached a term with this operator, which the interpreter cannot evaluate.
    Unevaluable(terms::Op),
}

impl Outcome {
    /// Whether the run goes on.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Outcome::OutOfSteps | Outcome::Endless)
    }
}

/// The reason why inputs do not fit the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReplayable {
    /// The next input, or an argument of the call, has another kind or type than requested.
    #[error("the next input differs in kind or type from the one that the program requests")]
    Mismatch,
    /// The address for a new object is occupied, misaligned or out of range.
    #[error("no object can be placed at address {0:#x}: it is occupied, misaligned or out of range")]
    BadAddress(u64),
    /// The contents define a byte at this offset, outside the object.
    #[error("the contents define a byte at offset {0}, outside the object")]
    BadOffset(u64),
}

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The reason why it ended.
    pub outcome: Outcome,
    /// The number of executed instructions and terminators.
    pub steps: u64,
    /// The call stack at the end: each active function with its current block, outermost first.
    pub stack: Vec<(Function, Block)>,
    /// The construct of the first executed
    /// [`Approximation`](crate::ssa::HavocSource::Approximation). If present, the run may be
    /// infeasible in the source program.
    pub approximation: Option<String>,
    /// The source position of that construct.
    pub approximated_at: Span,
    /// The observable addresses of the objects.
    pub placements: Placements,
    /// The object of a memory error, if the program has a shadow memory.
    pub fault: Option<Fault>,
    /// The recorded events.
    pub trace: Trace,
}

impl Run {
    /// Whether the run confirms the error that its site reports; see [`Fault::is_confirmed`]. True
    /// for all errors except unconfirmed memory leaks.
    pub fn is_confirmed(&self) -> bool {
        self.fault.as_ref().is_none_or(|fault| fault.is_confirmed)
    }

    /// Whether no two objects with overlapping lifetimes have overlapping observable addresses; see
    /// [`Placements::are_possible`].
    pub fn is_placement_possible(&self) -> bool {
        self.placements.are_possible()
    }

    /// Returns the violated property if the run is a feasible counterexample: it reaches an error
    /// site without executing an approximation, the error is confirmed, and the observable
    /// addresses are possible.
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

/// Executes functions of one program; keeps their register code between runs.
pub struct Interpreter<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    layout: Layout,
    config: Config,
    compiled: Vec<Option<Rc<compile::Compiled>>>,
    is_cancelled: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Interpreter<'a> {
    /// Creates an interpreter for `program`, which must be [well-formed](crate::ssa::check).
    ///
    /// # Errors
    /// Fails if the static objects do not fit into the address space.
    pub fn new(pool: &'a TermPool, program: &'a Program, config: Config) -> Result<Self, LayoutError> {
        let layout = Layout::new(program)?;
        let compiled = vec![None; program.functions.len()];
        Ok(Interpreter { pool, program, layout, config, compiled, is_cancelled: None })
    }

    /// Returns the addresses of static objects and functions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Executes the entry function of the program.
    pub fn run(&mut self, oracle: &mut dyn Oracle) -> Run {
        self.call(self.program.entry, &[], oracle)
    }

    /// Like [`Interpreter::run`], but ends with [`Outcome::OutOfSteps`] when `is_cancelled` returns
    /// true. The run polls it about every thousand steps.
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

    /// Calls `function`, which must have a body, on zeroed memory: the entry function of the
    /// program stores the initializers of globals, so they are missing here. If the number or the
    /// sorts of the arguments do not match, the outcome is [`Outcome::NotReplayable`].
    pub fn call(&mut self, function: Function, arguments: &[TermValue], oracle: &mut dyn Oracle) -> Run {
        machine::run(self, function, arguments, oracle)
    }

    /// Calls the function with this name; returns `None` if no function with a body has it.
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
