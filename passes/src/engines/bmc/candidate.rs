//! Replays an execution from a model of the formulas.

use crate::engines::replay::{Symbols, replay};
use crate::evidence::UnknownReason;
use crate::trace::Trace;
use crate::transform::BackTranslator;
use backends::Model;
use encode::Encoder;
use program::ssa::Program;
use terms::{Evaluator, Term, TermPool, Value};
use views::inputs;
use views::unroll::{ErrorInstance, Unroller};

/// The most guards of a path that are evaluated in a model.
const MOST_GUARDS: usize = 1000;

/// An execution to an error according to a model.
pub(crate) struct Candidate {
    /// The index of the error instance that the execution reaches.
    pub(crate) index: usize,
    /// The inputs of the execution, or the reason why they cannot be determined.
    inputs: Result<inputs::Trace, UnknownReason>,
    /// The guards of its path, see [`Unroller::guards`]; none if the encoding is exact.
    pub(crate) guards: Vec<Term>,
}

impl Candidate {
    /// Extracts from `model` the execution to the first reached instance of `open`. An error is a
    /// fault of the solver.
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
            .ok_or("the model satisfies no error guard")?;
        encoder.complete_reads(pool);
        let mut evaluator = Evaluator::new();
        let environment = Symbols::new(encoder, model, &|symbol| symbol);
        let mut eval = |pool: &TermPool, term: Term| evaluator.eval(pool, term, &environment).ok();
        let inputs = unroller
            .trace(pool, open[index].0.instance, &mut eval)
            .map_err(|error| UnknownReason::Unconfirmed { explanation: error.to_string() });
        let mut evaluated = 0;
        let guards = match encoder.is_exact() {
            true => Vec::new(),
            false => unroller.guards(pool, open[index].0.instance, &mut |pool, guard| {
                evaluated += 1;
                if evaluated > MOST_GUARDS {
                    return false;
                }
                let encoded = encoder.formula(pool, guard);
                let value = encoded.ok().and_then(|formula| model.eval(pool, formula).ok());
                value == Some(Value::Bool(true))
            }),
        };
        Ok(Candidate { index, inputs, guards })
    }

    /// See [`replay`].
    pub(crate) fn replay(
        self,
        pool: &TermPool,
        program: &Program,
        back: Option<&BackTranslator>,
        error: &ErrorInstance,
    ) -> Result<Trace, UnknownReason> {
        replay(pool, program, back, self.inputs?, (error.property, error.span))
    }
}
