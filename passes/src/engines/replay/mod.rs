//! Executions of the interpreter on the inputs that a model gives: what turns a counterexample into
//! FALSE, for all algorithms.

mod placements;

use crate::evidence::{Site, UnknownReason};
use crate::trace::{self, Trace};
use crate::transform::BackTranslator;
use crate::transform::restore::RestoredInputs;
use backends::Model;
use encode::Encoder;
use grammars::source::Span;
use placements::WithPlacements;
use program::interp::{self, Input, InputSite, Interpreter, Oracle, Outcome, Replay, TraceMode};
use program::ssa::{Program, Property};
use std::cell::RefCell;
use terms::{Environment, Term, TermPool, Value};
use views::inputs;

/// Steps and bytes of a replay.
const REPLAY: interp::Config =
    interp::Config { max_steps: 200_000_000, max_memory: 1 << 31, trace: TraceMode::Source };

/// Runs `program` on the inputs, of which `back` tells where they come from: the run if it violates
/// the property of `error`, which is at a place of the source; otherwise why it does not count.
/// Without `back` the program asks for them in the same order.
pub(crate) fn replay(
    pool: &TermPool,
    program: &Program,
    back: Option<&BackTranslator>,
    inputs: inputs::Trace,
    error: (Property, Span),
) -> Result<Trace, UnknownReason> {
    match back {
        Some(back) => {
            let inputs: Vec<(InputSite, Input)> = inputs.sites.into_iter().zip(inputs.inputs).collect();
            run(pool, program, &|| RestoredInputs::new(back, &inputs), error)
        }
        None => run(pool, program, &|| Replay::new(inputs.inputs.clone()), error),
    }
}

fn run<O: Oracle>(
    pool: &TermPool,
    program: &Program,
    inputs: &dyn Fn() -> O,
    (property, at): (Property, Span),
) -> Result<Trace, UnknownReason> {
    let unconfirmed = |explanation: String| UnknownReason::Unconfirmed { explanation };
    let mut interpreter =
        Interpreter::new(pool, program, REPLAY).map_err(|error| unconfirmed(error.to_string()))?;
    let mut run = interpreter.run(&mut inputs());
    if run.outcome == Outcome::Error(property) && !run.is_placement_possible() {
        // The formulas state of few objects only that they do not overlap.
        for placement in placements::alternatives(&run.placements) {
            let other = interpreter.run(&mut WithPlacements::new(inputs(), placement));
            if other.violated() == Some(property) {
                run = other;
                break;
            }
        }
    }
    if let Some(construct) = run.approximation {
        let span = if run.approximated_at.is_none() { at } else { run.approximated_at };
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
        Some(violated) if violated == property => Ok(trace::of_run(pool, program, &run, property)),
        _ => Err(unconfirmed(format!("the run ends with {:?} instead of an error", run.outcome))),
    }
}

/// The values of symbols of the program in a model of encoded formulas.
pub(crate) struct Symbols<'m> {
    encoder: &'m Encoder,
    model: RefCell<&'m mut dyn Model>,
    /// The symbol of the model that stands for a symbol of the encoder.
    instance: &'m dyn Fn(Term) -> Term,
}

impl<'m> Symbols<'m> {
    /// The symbols that `encoder` translated, of whose translations the model has an `instance`
    /// each.
    pub(crate) fn new(
        encoder: &'m Encoder,
        model: &'m mut dyn Model,
        instance: &'m dyn Fn(Term) -> Term,
    ) -> Self {
        Symbols { encoder, model: RefCell::new(model), instance }
    }
}

impl Environment for Symbols<'_> {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        let mut model = self.model.borrow_mut();
        self.encoder.decode(pool, leaf, &mut |pool, terms| {
            let instances: Vec<Term> = terms.iter().map(|&term| (self.instance)(term)).collect();
            model.eval_all(pool, &instances).ok()
        })
    }
}
