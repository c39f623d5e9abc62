//! Runs long executions without inputs in the interpreter.
//!
//! As long as all guards of the unrolling fold to constants, there is only one execution, and terms
//! for each of its steps are wasteful: the interpreter is about a hundred times faster and stores
//! no history. So once a long part of a program has turned out to be concrete, the interpreter runs
//! the program *as lowered* until it reads an input. A violation on the way is a counterexample
//! like any other: an execution of the interpreter that reached the error without passing an
//! approximation. Any other outcome proves nothing, and the search continues.
//!
//! Limits: the trace of an execution of more than [`RECORDED`] steps contains only its beginning.
//! Uninitialized objects and padding are zero, which is one of the possible executions.

use crate::trace::{self, Trace};
use program::interp::{self, Answer, Interpreter, ObjectRequest, Oracle, PLACEMENT, TraceMode, ValueRequest};
use program::ssa::{HavocSource, Program};
use terms::{TermPool, Value};

/// The step limit of a run: minutes.
const STEPS: u64 = 1 << 34;
/// The memory limit of a run in bytes.
const MEMORY: usize = 1 << 30;
/// Executions of at most this many steps are recorded completely.
const RECORDED: u64 = 1 << 20;
/// The number of recorded steps of a longer execution.
const BEGINNING: u64 = 1 << 10;

/// Runs `program` until it reads an input or `is_cancelled` returns true. Returns the execution if
/// it violates a property.
pub(crate) fn execute(pool: &TermPool, program: &Program, is_cancelled: &dyn Fn() -> bool) -> Option<Trace> {
    let config = |max_steps, trace| interp::Config { max_steps, max_memory: MEMORY, trace };
    let mut interpreter = Interpreter::new(pool, program, config(STEPS, TraceMode::Off)).ok()?;
    let run = interpreter.run_unless(&mut NoInputs, is_cancelled);
    let property = run.violated()?;
    let is_short = run.steps <= RECORDED;
    let limit = if is_short { RECORDED } else { BEGINNING };
    let recorded = Interpreter::new(pool, program, config(limit, TraceMode::Source)).ok()?.run(&mut NoInputs);
    if is_short {
        return (recorded.violated() == Some(property))
            .then(|| trace::of_run(pool, program, &recorded, property));
    }
    Some(trace::of_long_run(pool, program, &recorded, &run, property))
}

/// Ends the run at the first input that is not an uninitialized value. Objects are placed as in the
/// fixed layout.
struct NoInputs;

impl Oracle for NoInputs {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        match request.source {
            HavocSource::Uninitialized => Answer::Any,
            HavocSource::Input(name) if name == PLACEMENT => Answer::Any,
            _ => Answer::Exhausted,
        }
    }

    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }

    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
}
