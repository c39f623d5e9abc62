//! States that the solver joins into a domain.

use crate::instance::Instance;
use backends::{Model, Reason};
use horn::{Relation, System};
use terms::{Assignment, Completion, Evaluator, Term, TermPool, Value};

/// A state of a relation.
pub(crate) trait State {
    /// The values of terms over the symbols of the relation.
    fn values(&mut self, pool: &mut TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason>;
}

/// The state at the head of a clause in a model.
pub(crate) struct InModel<'m> {
    pub(crate) model: &'m mut dyn Model,
    pub(crate) head: &'m mut Instance,
}

impl State for InModel<'_> {
    fn values(&mut self, pool: &mut TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let terms: Vec<Term> = terms.iter().map(|&term| self.head.apply(pool, term)).collect();
        self.model.eval_all(pool, &terms)
    }
}

/// A state of a simulated run.
pub(crate) struct Sample {
    assignment: Assignment,
    evaluator: Evaluator,
}

impl Sample {
    pub(crate) fn new(pool: &TermPool, system: &System, relation: Relation, values: &[Value]) -> Self {
        let mut assignment = Assignment::with_completion(Completion::Default);
        for (symbol, value) in system.relations[relation].symbols().zip(values) {
            assignment.set_leaf(pool, symbol, value.clone());
        }
        Sample { assignment, evaluator: Evaluator::new() }
    }
}

impl State for Sample {
    fn values(&mut self, pool: &mut TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let Sample { assignment, evaluator } = self;
        let mut eval = |&term| {
            let value = evaluator.eval(pool, term, &*assignment);
            value.map_err(|error| Reason::Fault(format!("a simulated state has no value: {error}")))
        };
        terms.iter().map(&mut eval).collect()
    }
}
