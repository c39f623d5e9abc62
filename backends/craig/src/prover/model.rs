//! Models, read from the final assignment of the search.
//!
//! The search and the theories keep the assignment until the next check. Symbols take the values of
//! their bits or of the simplex. Elements of uninterpreted sorts are numbered by their classes.
//! Arrays take the values of the candidate that the final check accepted. The table of a function
//! has one entry per translated application. Everything else has the default value of its sort.
//! Terms are evaluated by `ir` under these values.

use crate::prover::CraigProver;
use crate::prover::cnf::gates::Signal;
use crate::prover::cnf::translate::Meaning;
use crate::prover::euf::Node;
use crate::prover::theory::{Candidate, Number, word_value};
use backends::{Model, Reason};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use terms::entity::Entity;
use terms::{Environment, Evaluator, FunctionSymbol, FunctionValue, Op, Sort, Symbol, Term, TermPool, Value};

pub(crate) struct CraigModel<'p> {
    values: Values<'p>,
    evaluator: Evaluator,
}

impl<'p> CraigModel<'p> {
    pub(crate) fn new(pool: &TermPool, prover: &'p CraigProver) -> Self {
        CraigModel { values: Values::new(pool, prover), evaluator: Evaluator::new() }
    }
}

impl Model for CraigModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        self.values.symbol(pool, symbol).ok_or_else(|| no_default(pool, pool.symbol_data(symbol).sort))
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let result = pool.function_data(function).2;
        let default = Value::default_of(pool, result).ok_or_else(|| no_default(pool, result))?;
        let table = self.values.functions.get(&function).cloned().unwrap_or_default();
        Ok(FunctionValue { table, default: Some(default) })
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        self.evaluator
            .eval(pool, term, &self.values)
            .map_err(|error| Reason::Unsupported(format!("evaluation: {error}")))
    }
}

fn no_default(pool: &TermPool, sort: Sort) -> Reason {
    Reason::Unsupported(format!("values of the sort {}", terms::print::sort(pool, sort)))
}

/// The values of symbols and functions.
struct Values<'p> {
    prover: &'p CraigProver,
    functions: FxHashMap<FunctionSymbol, BTreeMap<Vec<Value>, Value>>,
    candidate: Candidate,
}

impl<'p> Values<'p> {
    fn new(pool: &TermPool, prover: &'p CraigProver) -> Self {
        let numbers = prover.theory.number_values();
        let candidate = prover.theory.array_values(numbers);
        let mut values = Values { prover, functions: FxHashMap::default(), candidate };
        let mut functions: FxHashMap<FunctionSymbol, BTreeMap<Vec<Value>, Value>> = FxHashMap::default();
        let applications = prover.theory.applications().iter();
        for &node in applications.filter(|&&node| prover.theory.array_term(node).is_none()) {
            let application = prover.theory.application(node).expect("it is an application");
            let function = FunctionSymbol::new(application.function as usize);
            let (_, sorts, result) = pool.function_data(function);
            let arguments = application.arguments.iter().zip(sorts);
            let arguments = arguments.map(|(&argument, &sort)| values.node(argument, sort)).collect();
            functions.entry(function).or_default().insert(arguments, values.node(node, result));
        }
        values.functions = functions;
        values
    }

    /// The value of a signal. Unassigned variables are false.
    fn signal(&self, signal: Signal) -> bool {
        let CraigProver { theory, solver, .. } = self.prover;
        if let Some(value) = signal.as_constant() {
            return value;
        }
        let gate = theory.encoder.known_literal(Signal::positive(signal.gate()));
        gate.and_then(|literal| solver.value(literal)).unwrap_or(false) == signal.is_positive()
    }

    fn node(&self, node: Node, sort: Sort) -> Value {
        self.candidate.value(&self.prover.theory, node, sort)
    }

    fn number(&self, sort: Sort, number: Number) -> Value {
        self.candidate.number(&self.prover.theory, number, sort)
    }

    fn symbol(&self, pool: &TermPool, symbol: Symbol) -> Option<Value> {
        let sort = pool.symbol_data(symbol).sort;
        let translator = &self.prover.translator;
        match translator.symbol(symbol).and_then(|term| translator.known(term)) {
            Some(Meaning::Truth(signal)) => Some(Value::Bool(self.signal(signal))),
            Some(Meaning::Bits { start, end }) => {
                Some(Value::BitVec(word_value(translator.bits(start, end), |bit| self.signal(bit))))
            }
            Some(Meaning::Number(number)) => Some(self.number(sort, number)),
            Some(Meaning::Node(node)) => Some(self.node(node, sort)),
            None => Value::default_of(pool, sort),
        }
    }
}

impl Environment for Values<'_> {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        match pool.op(leaf) {
            Op::Symbol(symbol) => self.symbol(pool, symbol),
            _ => None,
        }
    }

    fn apply(&self, pool: &TermPool, function: FunctionSymbol, arguments: &[&Value]) -> Option<Value> {
        let arguments: Vec<Value> = arguments.iter().map(|&argument| argument.clone()).collect();
        let table = self.functions.get(&function);
        match table.and_then(|table| table.get(&arguments)) {
            Some(value) => Some(value.clone()),
            None => Value::default_of(pool, pool.function_data(function).2),
        }
    }
}
