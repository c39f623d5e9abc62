//! Runs of derivations: from the clauses of a program back to its inputs.
//!
//! A [derivation](horn::Derivation) of a query is a run of the program. Each of its steps is an
//! instance of a clause, with values for all symbols: the state before and after a part of the run,
//! and the inputs on the way. In a system with procedures, a premise that is a summary is the whole
//! execution of the callee, which comes before the path behind the call; and where the steps of a
//! procedure begin at its entry, those of a caller up to the call come before.
//!
//! [`Formulas`](crate::transitions::Formulas) has the block formula of each clause and thus the
//! sites of the inputs. The result is a proposal: a run of the program on these inputs decides
//! whether it violates the property.
//!
//! Cost: linear in the number of steps of the run. A derivation may share steps, so the run may
//! have exponentially more steps; it is limited to [`MOST_STEPS`].
//!
//! Limits: values that the clauses leave open are the defaults of their sorts.

use crate::engines::replay::{Symbols, replay};
use crate::trace;
use crate::transform::BackTranslator;
use crate::transitions::{ErrorEnd, Formulas};
use backends::{Model, Reason};
use encode::{EncodeError, Encoder, Theories};
use horn::{Clause, Derivation, Step, StepData, System};
use program::ssa::Program;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use terms::{Evaluator, FunctionSymbol, FunctionValue, Op, Symbol, Term, TermPool, Value};
use views::clauses::procedures::Location;
use views::inputs::{Collector, Trace, TraceError};

/// Why a derivation is no counterexample.
pub(super) const NO_RUN: &str = "the Horn clauses have a derivation that is no run";
/// The most steps of a run.
const MOST_STEPS: usize = 1_000_000;

/// The clauses of a program and the way back from them, for replays of derivations.
#[derive(Clone, Copy)]
pub(super) struct Derived<'s> {
    pub(super) formulas: &'s Formulas,
    /// The clauses before their translation to `theories`.
    pub(super) source: &'s System,
    pub(super) theories: Theories,
    /// The queries that lead to an error.
    pub(super) errors: &'s BTreeMap<Clause, ErrorEnd>,
    /// From the program of the clauses to the one that is run.
    pub(super) back: &'s BackTranslator,
}

impl Derived<'_> {
    /// Runs `program` on the inputs of a derivation of the translated clauses. The trace violates
    /// the property of the query.
    ///
    /// # Errors
    /// The reason why the derivation is no counterexample.
    pub(super) fn replay(
        &self,
        pool: &mut TermPool,
        program: &Program,
        derivation: &Derivation,
    ) -> Result<trace::Trace, String> {
        let query = derivation.root().map(|root| derivation.steps[root].clause);
        let Some(end) = query.and_then(|query| self.errors.get(&query)) else {
            return Err("the Horn clauses derive an unsupported construct".to_owned());
        };
        let inputs = self.inputs(pool, derivation).map_err(|error| error.to_string())?;
        let error = (end.property, program.properties[end.property].span);
        replay(pool, program, Some(self.back), inputs, error).map_err(|reason| reason.to_string())
    }
}

/// The reason why a derivation gives no inputs.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    /// The run is too long.
    #[error("the run has more than {MOST_STEPS} steps")]
    TooLong,
    /// See [`TraceError`].
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A clause could not be encoded again.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The part of a derivation to which the steps up to the entry of a procedure belong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The run: those of a caller come before.
    Run,
    /// A summary: those of the caller are known.
    Summary,
}

impl Derived<'_> {
    /// The inputs of the run that `derivation` describes.
    fn inputs(&self, pool: &mut TermPool, derivation: &Derivation) -> Result<Trace, RunError> {
        let mut collector = Collector::default();
        let mut encoders: FxHashMap<Clause, Encoder> = FxHashMap::default();
        for (step, Location { procedure, cut_point }, activation) in self.steps(derivation)? {
            let data = &derivation.steps[step];
            let encoder = match encoders.entry(data.clause) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.encoder(pool, data.clause)?),
            };
            let mut model = StepModel(data);
            let environment = Symbols::new(encoder, &mut model, &|symbol| symbol);
            let mut evaluator = Evaluator::new();
            let mut eval = |pool: &TermPool, term: Term| evaluator.eval(pool, term, &environment).ok();
            self.formulas.blocks[procedure].trace(
                pool,
                (cut_point, activation),
                &mut eval,
                &mut collector,
            )?;
        }
        Ok(collector.finish())
    }

    /// An encoder that knows the symbols of a clause, whose translations are the same in each one.
    fn encoder(&self, pool: &mut TermPool, clause: Clause) -> Result<Encoder, EncodeError> {
        let mut encoder = self.theories.encoder();
        encoder.formula(pool, self.source.clauses[clause].constraint)?;
        encoder.complete_reads(pool);
        Ok(encoder)
    }

    /// The steps in the order of the run, each with the start of its path and the number of the
    /// activation of the procedure.
    fn steps(&self, derivation: &Derivation) -> Result<Vec<(Step, Location, u32)>, RunError> {
        // From the end to the start. The steps on top of the stack come later in the run.
        let mut stack: Vec<(Step, u32, Part)> =
            derivation.root().map(|root| (root, 0, Part::Run)).into_iter().collect();
        let (mut backward, mut activations) = (Vec::new(), 1);
        let mut next = || {
            activations += 1;
            activations
        };
        while let Some((step, activation, part)) = stack.pop() {
            let data = &derivation.steps[step];
            match (self.formulas.starts[data.clause], &data.premises[..]) {
                (Some(start), premises) => {
                    if backward.len() == MOST_STEPS {
                        return Err(RunError::TooLong);
                    }
                    backward.push((step, start, activation));
                    if let Some((&before, summaries)) = premises.split_first() {
                        stack.push((before, activation, part));
                        stack.extend(summaries.iter().map(|&summary| (summary, next(), Part::Summary)));
                    }
                }
                (None, &[before, ..]) if part == Part::Run => stack.push((before, next(), part)),
                (None, _) => {}
            }
        }
        backward.reverse();
        Ok(backward)
    }
}

/// The values of a step.
struct StepModel<'d>(&'d StepData);

impl Model for StepModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let value = self.0.values.get(&symbol).cloned();
        let sort = pool.symbol_data(symbol).sort;
        value
            .or_else(|| Value::default_of(pool, sort))
            .ok_or_else(|| Reason::Unsupported("values of this sort".to_owned()))
    }

    fn function(&mut self, _: &TermPool, _: FunctionSymbol) -> Result<FunctionValue, Reason> {
        Err(Reason::Unsupported("functions in derivations".to_owned()))
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let leaf = |leaf: Term| {
            let Op::Symbol(symbol) = pool.op(leaf) else { return None };
            StepModel(self.0).value(pool, symbol).ok()
        };
        Evaluator::new().eval(pool, term, &leaf).map_err(|error| Reason::Incomplete(error.to_string()))
    }
}
