//! From a model of the formulas to a replayed execution.

use super::placements::{self, WithPlacements};
use crate::evidence::{Site, UnknownReason};
use crate::trace::{self, Trace};
use crate::transform::BackTranslator;
use crate::transform::restore::RestoredInputs;
use backends::Model;
use encode::Encoder;
use program::interp::{self, Input, InputSite, Interpreter, Oracle, Outcome, Replay, TraceMode};
use program::ssa::Program;
use std::cell::RefCell;
use terms::{Environment, Evaluator, Term, TermPool, Value};
use views::unroll::{ErrorInstance, Unroller};

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
        encoder: &mut Encoder,
        model: &mut dyn Model,
        open: &[(ErrorInstance, Term)],
    ) -> Result<Self, String> {
        let guards: Vec<Term> = open.iter().map(|(_, guard)| *guard).collect();
        let values = model.eval_all(pool, &guards).map_err(|reason| reason.to_string())?;
        let index = values
            .iter()
            .position(|value| *value == Value::Bool(true))
            .ok_or("the model of an error reaches no error")?;
        encoder.complete_reads(pool);
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
            Some(back) => run(pool, program, &|| RestoredInputs::new(back, &inputs), error),
            None => {
                let inputs: Vec<Input> = inputs.into_iter().map(|(_, input)| input).collect();
                run(pool, program, &|| Replay::new(inputs.clone()), error)
            }
        }
    }
}

fn run<O: Oracle>(
    pool: &TermPool,
    program: &Program,
    inputs: &dyn Fn() -> O,
    error: &ErrorInstance,
) -> Result<Trace, UnknownReason> {
    let unconfirmed = |explanation: String| UnknownReason::Unconfirmed { explanation };
    let mut interpreter =
        Interpreter::new(pool, program, REPLAY).map_err(|error| unconfirmed(error.to_string()))?;
    let mut run = interpreter.run(&mut inputs());
    if run.outcome == Outcome::Error(error.property) && !run.is_placement_possible() {
        // The formulas state of few objects only that they do not overlap.
        for placement in placements::alternatives(&run.placements) {
            let other = interpreter.run(&mut WithPlacements::new(inputs(), placement));
            if other.violated() == Some(error.property) {
                run = other;
                break;
            }
        }
    }
    if let Some(construct) = run.approximation {
        let at = run.approximated_at;
        let span = if at.is_none() { error.span } else { at };
        return Err(UnknownReason::Approximation(Site { what: construct, span }));
    }
    if !run.is_placement_possible() {
        return Err(unconfirmed("its objects overlap; see --addresses".to_owned()));
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
        let mut model = self.model.borrow_mut();
        self.encoder.decode(pool, leaf, &mut |pool, terms| model.eval_all(pool, terms).ok())
    }
}
