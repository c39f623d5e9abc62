//! Replays counterexamples in the interpreter. All algorithms use this to confirm FALSE.

mod placements;

use crate::evidence::{Site, UnknownReason};
use crate::trace::{self, Trace};
use crate::transform::restore::RestoredInputs;
use crate::transform::{BackTranslator, Pipeline};
use backends::Model;
use encode::Encoder;
use grammars::source::Span;
use placements::WithPlacements;
use program::interp::{self, Input, InputSite, Interpreter, Oracle, Outcome, Replay, TraceMode};
use program::ssa::{Program, Property};
use std::cell::RefCell;
use terms::{Environment, Term, TermPool, Value};
use views::inputs;

/// The step and memory limits of a replay. A first run records nothing: many counterexamples of a
/// sliced program end in a loop of the program that does not terminate.
const REPLAY: interp::Config =
    interp::Config { max_steps: 100_000_000, max_memory: 1 << 31, trace: TraceMode::Off };

/// Runs `program` on `inputs`, which `back` maps to the input sites of `program`; without `back`
/// the program reads them in the given order. Returns the trace if the run violates the property of
/// `error`, and otherwise the reason why it does not confirm the counterexample. `error` includes
/// the source location of the error.
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
            let slot_bits = program.machine.slot_bits;
            run(pool, program, &|| RestoredInputs::new(back, &inputs, slot_bits), error)
        }
        None => run(pool, program, &|| Replay::new(inputs.inputs.clone()), error),
    }
}

/// The passes for another attempt, after an attempt with `pipeline` has failed for `reason`: fewer
/// of them if they may have made a counterexample that is no execution of the program, because it
/// does not terminate before the error.
pub(crate) fn next_pipeline(pipeline: &Pipeline, reason: &UnknownReason) -> Option<Pipeline> {
    let next = match reason {
        UnknownReason::Unconfirmed { .. } => Some(pipeline.without_slicing()),
        UnknownReason::Approximation(_) => None,
        _ => return None,
    };
    let next = next.filter(|next| next.passes().len() < pipeline.passes().len());
    (!pipeline.is_empty()).then(|| next.unwrap_or_else(|| pipeline.without_passes()))
}

fn run<O: Oracle>(
    pool: &TermPool,
    program: &Program,
    inputs: &dyn Fn() -> O,
    (property, at): (Property, Span),
) -> Result<Trace, UnknownReason> {
    let unconfirmed = |explanation: String| UnknownReason::Unconfirmed { explanation };
    let ends_with =
        |outcome: &Outcome| unconfirmed(format!("the replay ends with {outcome:?} instead of the error"));
    let interpreter = |trace| {
        Interpreter::new(pool, program, interp::Config { trace, ..REPLAY })
            .map_err(|error| unconfirmed(error.to_string()))
    };
    let mut quick = interpreter(TraceMode::Off)?;
    let mut run = quick.run(&mut inputs());
    let mut recorded: Box<dyn Oracle> = Box::new(inputs());
    if run.outcome == Outcome::Error(property) && !run.is_placement_possible() {
        // The formulas require only few objects to be disjoint.
        for placement in placements::alternatives(&run.placements) {
            let other = quick.run(&mut WithPlacements::new(inputs(), placement.clone()));
            if other.violated() == Some(property) {
                run = other;
                recorded = Box::new(WithPlacements::new(inputs(), placement));
                break;
            }
        }
    }
    if let Some(construct) = run.approximation {
        let span = if run.approximated_at.is_none() { at } else { run.approximated_at };
        return Err(UnknownReason::Approximation(Site { what: construct, span }));
    }
    if !run.is_placement_possible() {
        return Err(unconfirmed("objects overlap in the model; see --addresses".to_owned()));
    }
    if !run.is_confirmed() {
        let explanation = "all remaining heap blocks are reachable, so valid-memtrack is undecided";
        return Err(unconfirmed(explanation.to_owned()));
    }
    if run.violated() != Some(property) {
        return Err(ends_with(&run.outcome));
    }
    let run = interpreter(TraceMode::Source)?.run(&mut *recorded);
    match run.violated() {
        Some(violated) if violated == property => Ok(trace::of_run(pool, program, &run, property)),
        _ => Err(ends_with(&run.outcome)),
    }
}

/// The values of program symbols in a model of encoded formulas.
pub(crate) struct Symbols<'m> {
    encoder: &'m Encoder,
    model: RefCell<&'m mut dyn Model>,
    /// Maps a symbol of the encoder to its instance in the model.
    instance: &'m dyn Fn(Term) -> Term,
}

impl<'m> Symbols<'m> {
    /// `instance` maps each symbol of the encoder to the symbol that stands for it in `model`.
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
