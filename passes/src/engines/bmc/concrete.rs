//! Long executions without inputs, by the interpreter.
//!
//! As long as all guards of the unrolling fold to constants there is one execution only. Terms for each of its steps are a waste:
//! the interpreter is about a hundred times faster and needs no memory for the past. So once a long part of a program turned out
//! to be like that, the program *as it was lowered* is run until it reads an input. A violation on the way is a counterexample
//! like any other: an execution of the interpreter that reached the error, with no approximation before it. Everything else tells
//! nothing, and the search goes on.
//!
//! Limits: of an execution with more than [`RECORDED`] steps only the beginning is in the trace. Contents of objects that
//! are not initialized are zero here, which is one of the possible executions.

use crate::trace::{self, Trace};
use program::interp::{self, Answer, Interpreter, ObjectRequest, Oracle, PLACEMENT, TraceMode, ValueRequest};
use program::ssa::{HavocSource, Program};
use terms::{TermPool, Value};

/// Steps of a run that is not stopped otherwise: minutes.
const STEPS: u64 = 1 << 34;
/// Bytes of memory of the run.
const MEMORY: usize = 1 << 30;
/// Executions up to so many steps are recorded altogether.
const RECORDED: u64 = 1 << 20;
/// The steps of a longer execution that are recorded.
const BEGINNING: u64 = 1 << 10;

/// Runs `program` until it reads an input or `is_cancelled` says so. The execution if it violates a property.
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

/// The run ends where a value is read. Objects are placed as in the fixed layout.
struct NoInputs;

impl Oracle for NoInputs {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        if *request.source == HavocSource::Input(PLACEMENT.to_owned()) {
            return Answer::Any;
        }
        Answer::Exhausted
    }

    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }

    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
}
