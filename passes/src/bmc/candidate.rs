//! From a model of the formulas to a replayed execution.

use crate::evidence::{Site, UnknownReason};
use crate::trace::{self, Trace};
use crate::transform::BackTranslator;
use crate::transform::restore::RestoredInputs;
use backends::Model;
use ir::encode::Encoder;
use ir::interp::{self, Input, InputSite, Interpreter, Oracle, Replay, TraceMode};
use ir::ssa::Program;
use ir::term::{ArrayValue, BitVector, Environment, Evaluator, Op, Sort, Term, TermPool, Value};
use ir::unroll::{ErrorInstance, Unroller};
use std::cell::RefCell;

/// Steps and bytes of a replay.
const REPLAY: interp::Config =
    interp::Config { max_steps: 200_000_000, max_memory: 1 << 31, trace: TraceMode::Source };

/// An execution to an error, as the model has it.
pub(crate) struct Candidate {
    /// Which of the error instances it reaches.
    pub(crate) index: usize,
    /// Its inputs with where the unrolled program asks for each, or why there are none.
    inputs: Result<Vec<(InputSite, Input)>, UnknownReason>,
}

impl Candidate {
    /// The execution in `model` to the first of the `open` error instances that is reached. An error is a fault of the
    /// solver.
    pub(crate) fn new(
        pool: &mut TermPool,
        unroller: &Unroller<'_>,
        encoder: &Encoder,
        model: &mut dyn Model,
        open: &[(ErrorInstance, Term)],
    ) -> Result<Self, String> {
        let guards: Vec<Term> = open.iter().map(|(_, guard)| *guard).collect();
        let values = model.eval_all(pool, &guards).map_err(|reason| reason.to_string())?;
        let index = values
            .iter()
            .position(|value| *value == Value::Bool(true))
            .ok_or("the model of an error reaches no error")?;
        let mut evaluator = Evaluator::new();
        let environment = Symbols { encoder, model: RefCell::new(model) };
        let mut eval = |pool: &TermPool, term: Term| evaluator.eval(pool, term, &environment).ok();
        let inputs = match unroller.trace(pool, open[index].0.instance, &mut eval) {
            Ok(trace) => Ok(trace.sites.into_iter().zip(trace.inputs).collect()),
            Err(error) => Err(UnknownReason::Unconfirmed { explanation: error.to_string() }),
        };
        Ok(Candidate { index, inputs })
    }

    /// Runs `program` on the inputs, of which `back` tells where they come from: the run if it violates the property of `error`,
    /// otherwise why it does not count. Without `back` the program asks for them in the same order.
    pub(crate) fn replay(
        self,
        pool: &TermPool,
        program: &Program,
        back: Option<&BackTranslator>,
        error: &ErrorInstance,
    ) -> Result<Trace, UnknownReason> {
        let inputs = self.inputs?;
        match back {
            Some(back) => run(pool, program, &mut RestoredInputs::new(back, &inputs), error),
            None => {
                let inputs = inputs.into_iter().map(|(_, input)| input).collect();
                run(pool, program, &mut Replay::new(inputs), error)
            }
        }
    }
}

fn run(
    pool: &TermPool,
    program: &Program,
    inputs: &mut dyn Oracle,
    error: &ErrorInstance,
) -> Result<Trace, UnknownReason> {
    let unconfirmed = |explanation: String| UnknownReason::Unconfirmed { explanation };
    let mut interpreter =
        Interpreter::new(pool, program, REPLAY).map_err(|error| unconfirmed(error.to_string()))?;
    let run = interpreter.run(inputs);
    if let Some(construct) = run.approximation {
        return Err(UnknownReason::Approximation(Site { what: construct, span: error.span }));
    }
    if !run.is_confirmed() {
        let explanation = "all blocks that are left can be reached; whether they are tracked is not decided";
        return Err(unconfirmed(explanation.to_owned()));
    }
    match run.violated() {
        Some(property) if property == error.property => Ok(trace::of_run(program, &run, property)),
        _ => Err(unconfirmed(format!("the run ends with {:?} instead of an error", run.outcome))),
    }
}

/// The values of the symbols of the unrolling in a model of the encoded formulas.
struct Symbols<'m> {
    encoder: &'m Encoder,
    model: RefCell<&'m mut dyn Model>,
}

impl Environment for Symbols<'_> {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        let Op::Symbol(symbol) = pool.op(leaf) else { return None };
        let mut model = self.model.borrow_mut();
        if !self.encoder.encoding().is_linear() {
            return model.value(pool, symbol).ok();
        }
        let sort = pool.sort(leaf);
        if let Sort::Array(parts) = sort
            && self.encoder.target_symbol(symbol).is_none()
        {
            // Where arrays are eliminated, what was read of this one is all that the formulas say about it.
            let (index, element) = pool.array_sort_parts(parts);
            let mut decoded = ArrayValue::constant(Value::default_of(pool, element)?);
            for &(at, value) in self.encoder.initial_reads(symbol) {
                let (at, value) = (model.eval(pool, at).ok()?, model.eval(pool, value).ok()?);
                decoded.store(decode(index, at), decode(element, value));
            }
            return Some(Value::Array(decoded));
        }
        let Some(target) = self.encoder.target_symbol(symbol) else { return Value::default_of(pool, sort) };
        let value = model.eval(pool, target).ok()?;
        match (sort, value) {
            (Sort::Array(parts), Value::Array(array)) => {
                let (index, element) = pool.array_sort_parts(parts);
                let mut decoded = ArrayValue::constant(decode(element, array.default().clone()));
                for (at, value) in array.entries() {
                    decoded.store(decode(index, at.clone()), decode(element, value.clone()));
                }
                Some(Value::Array(decoded))
            }
            (sort, value) => Some(decode(sort, value)),
        }
    }
}

/// A value of an encoded term as one of the source term, which has `sort`.
fn decode(sort: Sort, value: Value) -> Value {
    match (sort, value) {
        (Sort::BitVec(width), Value::Int(value)) => {
            Value::BitVec(BitVector::from_natural(width, Encoder::decode_bits(width, &value)))
        }
        (_, value) => value,
    }
}
