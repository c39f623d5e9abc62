//! From a model of the formulas to a replayed execution.

use crate::evidence::{Site, UnknownReason};
use crate::trace::{self, Trace};
use backends::Model;
use ir::encode::Encoder;
use ir::interp::{self, Input, Interpreter, Replay, TraceMode};
use ir::source::Span;
use ir::ssa::Program;
use ir::term::{BitVector, Op, Sort, Symbol, Term, TermPool, Value};
use ir::unroll::{ErrorInstance, Unroller};

/// Steps and bytes of a replay.
const REPLAY: interp::Config = interp::Config { max_steps: 200_000_000, max_memory: 1 << 31, trace: TraceMode::Source };

/// An execution to an error, as the model has it.
pub(crate) struct Candidate {
    /// Which of the error instances it reaches.
    pub(crate) index: usize,
    /// Its inputs, or why there are none.
    inputs: Result<Vec<Input>, UnknownReason>,
}

impl Candidate {
    /// The execution in `model` to the first of the `open` error instances that is reached.
    pub(crate) fn new(
        pool: &mut TermPool,
        unroller: &Unroller<'_>,
        encoder: &Encoder,
        model: &mut dyn Model,
        open: &[(ErrorInstance, Term)],
    ) -> Result<Self, UnknownReason> {
        let fault = |explanation: String| UnknownReason::Solver { explanation };
        let guards: Vec<Term> = open.iter().map(|(_, guard)| *guard).collect();
        let values = model.eval_all(pool, &guards).map_err(|reason| fault(reason.to_string()))?;
        let index = values
            .iter()
            .position(|value| *value == Value::Bool(true))
            .ok_or_else(|| fault("the model of an error reaches no error".to_owned()))?;
        let mut evaluator = ir::term::Evaluator::new();
        let mut eval = |pool: &TermPool, term: Term| {
            evaluator.eval(pool, term, &mut |leaf| match pool.op(leaf) {
                Op::Symbol(symbol) => symbol_value(pool, encoder, model, symbol),
                _ => None,
            })
        };
        let inputs = match unroller.trace(pool, open[index].0.instance, &mut eval) {
            Ok(trace) => Ok(trace.inputs),
            Err(error) => Err(UnknownReason::Unconfirmed { explanation: error.to_string() }),
        };
        Ok(Candidate { index, inputs })
    }

    /// Runs `program` on the inputs: the run if it violates the property of `error`, otherwise why it does not count.
    pub(crate) fn replay(
        self,
        pool: &TermPool,
        program: &Program,
        error: &ErrorInstance,
    ) -> Result<Trace, UnknownReason> {
        let unconfirmed = |explanation: String| UnknownReason::Unconfirmed { explanation };
        let mut interpreter =
            Interpreter::new(pool, program, REPLAY).map_err(|error| unconfirmed(error.to_string()))?;
        let run = interpreter.run(&mut Replay::new(self.inputs?));
        if let Some(construct) = run.approximation {
            return Err(UnknownReason::Approximation(Site { what: construct, span: error.span }));
        }
        match run.violated() {
            Some(property) if property == error.property => Ok(trace::of_run(program, &run, property)),
            _ => Err(unconfirmed(format!("the run ends with {:?} instead of an error", run.outcome))),
        }
    }
}

/// The value of a symbol of the unrolling in the model of the encoded formulas.
fn symbol_value(pool: &TermPool, encoder: &Encoder, model: &mut dyn Model, symbol: Symbol) -> Option<Value> {
    if !encoder.encoding().is_linear() {
        return model.value(pool, symbol).ok();
    }
    let sort = pool.symbol_data(symbol).sort;
    let Some(target) = encoder.target_symbol(symbol) else { return Some(Value::default_of(pool, sort)) };
    match (sort, model.eval(pool, target).ok()?) {
        (Sort::BitVec(width), Value::Int(value)) => {
            Some(Value::BitVec(BitVector::from_natural(width, Encoder::decode_bits(width, &value))))
        }
        (_, value) => Some(value),
    }
}
