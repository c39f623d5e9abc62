//! Models of interpolation problems that are satisfiable.

use super::Problem;
use crate::{Model, Reason};
use terms::{
    Assignment, Completion, Evaluator, FunctionSymbol, FunctionValue, Symbol, Term, TermPool, Value,
};

/// Values of the free constants of a [`Problem`] that satisfy all of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// In the order in which the constants occur.
    pub values: Vec<(Symbol, Value)>,
}

impl Witness {
    /// The values of the constants of `problem` in `model`. `None` unless these values alone
    /// satisfy the parts: functions, quantifiers and divisions by zero are not evaluated.
    pub fn of(pool: &TermPool, problem: &Problem, model: &mut dyn Model) -> Option<Self> {
        let formulas: Vec<Term> = problem.parts.concat();
        let symbols = pool.free_symbols_of(&formulas);
        let values = symbols.into_iter().map(|symbol| Some((symbol, model.value(pool, symbol).ok()?)));
        let witness = Witness { values: values.collect::<Option<_>>()? };
        witness.satisfies(pool, problem).then_some(witness)
    }

    /// Whether the values satisfy all parts, by the evaluator of [`terms`].
    pub fn satisfies(&self, pool: &TermPool, problem: &Problem) -> bool {
        let assignment = self.assignment(Completion::Partial);
        let mut evaluator = Evaluator::new();
        let mut formulas = problem.parts.iter().flatten();
        formulas.all(|&formula| evaluator.eval(pool, formula, &assignment) == Ok(Value::Bool(true)))
    }

    fn assignment(&self, completion: Completion) -> Assignment {
        let mut assignment = Assignment::with_completion(completion);
        for (symbol, value) in &self.values {
            assignment.set(*symbol, value.clone());
        }
        assignment
    }
}

/// Evaluates terms; constants without a value have the default value of their sort.
impl Model for Witness {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let known = self.values.iter().find(|(known, _)| *known == symbol).map(|(_, value)| value.clone());
        let default = || Value::default_of(pool, pool.symbol_data(symbol).sort);
        known.or_else(default).ok_or_else(|| Reason::Unsupported("a value of this sort".to_owned()))
    }

    fn function(&mut self, _pool: &TermPool, _function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        Err(Reason::Unsupported("functions in a witness".to_owned()))
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let mut values = self.eval_all(pool, &[term])?;
        values.pop().ok_or_else(|| Reason::Fault("no value".to_owned()))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let assignment = self.assignment(Completion::Default);
        let mut evaluator = Evaluator::new();
        let values = terms.iter().map(|&term| evaluator.eval(pool, term, &assignment));
        values.collect::<Result<_, _>>().map_err(|error| Reason::Unsupported(error.to_string()))
    }
}
