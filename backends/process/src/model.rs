//! Models, from the answer to one `get-value` command.
//!
//! The command reads the declared symbols, and the terms of the assertions outside of quantifiers
//! whose value depends on the model's choice: applications of functions, and applications of
//! operators that are unspecified for some arguments. Inner terms come first, so the arguments of
//! an application are evaluated with the values read so far. Every other term is evaluated by the
//! evaluator of `terms`.

use crate::prover::{Live, ProcessProver};
use crate::replies::elements;
use backends::{Model, Reason};
use frontend::smtlib::{Command, Script};
use grammars::source::SourceMap;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::{
    Assignment, EvalError, Evaluator, FunctionSymbol, FunctionValue, Op, Sort, Symbol, Term, TermPool, Value,
};

/// A model of the last check.
pub(crate) struct ProcessModel<'p> {
    prover: &'p mut ProcessProver,
    known: Option<Known>,
}

/// The values that the solver has chosen.
#[derive(Default)]
struct Known {
    assignment: Assignment,
    functions: FxHashMap<FunctionSymbol, FunctionValue>,
    /// The symbols and functions with a value that cannot be read, and the value.
    unreadable: FxHashMap<Leaf, String>,
    /// An application of an operator whose value cannot be read.
    unreadable_operator: Option<String>,
    elements: Elements,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Leaf {
    Symbol(Symbol),
    Function(FunctionSymbol),
}

/// The numbers of the elements of uninterpreted sorts, by sort and text.
#[derive(Default)]
struct Elements(BTreeMap<(u32, String), u64>);

impl<'p> ProcessModel<'p> {
    pub(crate) fn new(prover: &'p mut ProcessProver) -> Self {
        ProcessModel { prover, known: None }
    }

    fn known(&mut self, pool: &TermPool) -> Result<&mut Known, Reason> {
        if self.known.is_none() {
            let known = self.read(pool);
            if matches!(known, Err(ref reason) if !matches!(reason, Reason::Incomplete(_))) {
                self.prover.live = None;
            }
            self.known = Some(known?);
        }
        Ok(self.known.as_mut().expect("the values were just read"))
    }

    fn read(&mut self, pool: &TermPool) -> Result<Known, Reason> {
        let patience = self.prover.patience();
        let formulas = self.prover.formulas();
        let Some(live) = &mut self.prover.live else {
            return Err(Reason::Fault("a model without a solver".to_owned()));
        };
        let chosen = chosen(pool, &formulas);
        if chosen.is_empty() {
            return Ok(Known::default());
        }
        let command = get_value(live, pool, &chosen);
        let reply = live.conversation.ask_one(&command, &patience)?;
        let pairs: Option<Vec<String>> = elements(&reply).filter(|pairs| pairs.len() == chosen.len());
        let values = pairs.and_then(|pairs| {
            let value = |pair: &String| elements(pair).filter(|pair| pair.len() == 2)?.pop();
            pairs.iter().map(value).collect::<Option<Vec<String>>>()
        });
        let Some(values) = values else { return Err(live.conversation.unexpected(&reply)) };
        let mut known = Known::default();
        let mut evaluator = Evaluator::new();
        for (&term, text) in chosen.iter().zip(&values) {
            known.add(pool, term, text, &mut evaluator);
        }
        for (&function, value) in &known.functions {
            known.assignment.set_function(function, value.clone());
        }
        Ok(known)
    }
}

/// The terms whose values define a model of `formulas`, inner terms first.
fn chosen(pool: &TermPool, formulas: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let is_quantifier = |term: Term| matches!(pool.op(term), Op::Forall | Op::Exists);
    let mut below = Vec::new();
    pool.visit(
        formulas,
        |term| !is_quantifier(term),
        |term| match pool.op(term) {
            Op::Forall | Op::Exists => below.push(term),
            Op::IntDiv | Op::IntMod | Op::RealDiv if is_nonzero(pool, pool.children(term)[1]) => {}
            Op::Symbol(_)
            | Op::Apply(_)
            | Op::IntDiv
            | Op::IntMod
            | Op::RealDiv
            | Op::FpMin
            | Op::FpMax
            | Op::FpToUnsigned(_)
            | Op::FpToSigned(_)
            | Op::FpToReal => found.push(term),
            _ => {}
        },
    );
    // The symbols below quantifiers have values as well.
    let known: FxHashSet<Term> = found.iter().copied().collect();
    pool.visit(
        &below,
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Symbol(_)) && !known.contains(&term) {
                found.insert(0, term);
            }
        },
    );
    found
}

fn is_nonzero(pool: &TermPool, term: Term) -> bool {
    match Value::of_constant(pool, term) {
        Some(Value::Int(number)) => number != 0.into(),
        Some(Value::Real(number)) => number != BigRational::from_integer(0.into()),
        _ => false,
    }
}

fn get_value(live: &Live, pool: &TermPool, terms: &[Term]) -> String {
    let mut text = "(get-value (".to_owned();
    for &term in terms {
        text.push(' ');
        live.session.term(&mut text, pool, term).expect("a string takes any text");
    }
    text.push_str("))\n");
    text
}

impl Known {
    /// Adds the value of a chosen term.
    fn add(&mut self, pool: &TermPool, term: Term, text: &str, evaluator: &mut Evaluator) {
        let value = self.elements.value(pool, text, pool.sort(term));
        let op = pool.op(term);
        match (op, value) {
            (Op::Symbol(symbol), Some(value)) => self.assignment.set(symbol, value),
            (Op::Symbol(symbol), None) => {
                self.unreadable.insert(Leaf::Symbol(symbol), text.to_owned());
            }
            (_, value) => {
                evaluator.clear();
                let mut argument = |&child: &Term| evaluator.eval(pool, child, &self.assignment).ok();
                let arguments: Option<Vec<Value>> = pool.children(term).iter().map(&mut argument).collect();
                match (op, arguments.zip(value)) {
                    (Op::Apply(function), Some((arguments, value))) => {
                        let own = self.functions.entry(function).or_insert_with(|| FunctionValue {
                            table: BTreeMap::new(),
                            default: Value::default_of(pool, pool.function_data(function).2),
                        });
                        own.table.insert(arguments, value);
                        self.assignment.set_function(function, own.clone());
                    }
                    (Op::Apply(function), None) => {
                        self.unreadable.insert(Leaf::Function(function), text.to_owned());
                    }
                    (_, Some((arguments, value))) => self.assignment.settle(op, arguments, value),
                    (_, None) => self.unreadable_operator = Some(text.to_owned()),
                }
            }
        }
    }

    fn check(&self, leaf: Leaf) -> Result<(), Reason> {
        match self.unreadable.get(&leaf) {
            None => Ok(()),
            Some(text) => Err(unreadable(text)),
        }
    }

    /// Gives each leaf of `term` that the solver does not know its default value.
    fn complete(&mut self, pool: &TermPool, term: Term) -> Result<(), Reason> {
        for symbol in pool.free_symbols(term) {
            self.check(Leaf::Symbol(symbol))?;
            if self.assignment.get(symbol).is_none() {
                self.assignment.set(symbol, default_of(pool, pool.symbol_data(symbol).sort)?);
            }
        }
        for function in pool.free_functions_of(&[term]) {
            self.check(Leaf::Function(function))?;
            if self.assignment.function(function).is_none() {
                let default = Some(default_of(pool, pool.function_data(function).2)?);
                let value = FunctionValue { table: BTreeMap::new(), default };
                self.assignment.set_function(function, value);
            }
        }
        Ok(())
    }
}

fn unreadable(text: &str) -> Reason {
    Reason::Unsupported(format!("a value that cannot be read: {}", text.chars().take(60).collect::<String>()))
}

fn default_of(pool: &TermPool, sort: Sort) -> Result<Value, Reason> {
    Value::default_of(pool, sort)
        .ok_or_else(|| Reason::Unsupported("a sort without a default value".to_owned()))
}

impl Elements {
    /// Reads a value of the sort.
    fn value(&mut self, pool: &TermPool, text: &str, sort: Sort) -> Option<Value> {
        if let Sort::Uninterpreted(id) = sort {
            let next = self.0.len() as u64;
            let number = *self.0.entry((id, text.to_owned())).or_insert(next);
            return Some(Value::Element { sort: id, number });
        }
        let mut map = SourceMap::new();
        let script = format!("(set-logic ALL)\n(get-value ({text}))\n");
        let file = map.add("value", script.into_bytes()).ok()?;
        let mut own = TermPool::new();
        let mut script = Script::new(&map, file);
        let term = loop {
            match script.next(&mut own)?.ok()?.command {
                Command::SetLogic(_) => {}
                Command::GetValue(terms) if terms.len() == 1 => break terms[0].0,
                _ => return None,
            }
        };
        let value = Evaluator::new().eval(&own, term, &Assignment::new()).ok()?;
        let value = match (value, sort) {
            (Value::Int(number), Sort::Real) => Value::Real(BigRational::from_integer(number)),
            (value, _) => value,
        };
        value.is_of_sort(pool, sort).then_some(value)
    }
}

impl Model for ProcessModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let known = self.known(pool)?;
        known.check(Leaf::Symbol(symbol))?;
        match known.assignment.get(symbol) {
            Some(value) => Ok(value.clone()),
            None => default_of(pool, pool.symbol_data(symbol).sort),
        }
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let known = self.known(pool)?;
        known.check(Leaf::Function(function))?;
        match known.functions.get(&function) {
            Some(value) => Ok(value.clone()),
            None => {
                let default = Some(default_of(pool, pool.function_data(function).2)?);
                Ok(FunctionValue { table: BTreeMap::new(), default })
            }
        }
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let known = self.known(pool)?;
        known.complete(pool, term)?;
        let mut evaluator = Evaluator::new();
        loop {
            match evaluator.eval(pool, term, &known.assignment) {
                Ok(value) => return Ok(value),
                Err(EvalError::DivisionByZero(open) | EvalError::Unspecified(open)) => {
                    if let Some(text) = &known.unreadable_operator {
                        return Err(unreadable(text));
                    }
                    // The assertions do not contain this application: any value is consistent.
                    let mut argument = |&child: &Term| evaluator.eval(pool, child, &known.assignment);
                    let arguments: Result<Vec<Value>, EvalError> =
                        pool.children(open).iter().map(&mut argument).collect();
                    let arguments = arguments.map_err(|error| Reason::Unsupported(error.to_string()))?;
                    let op = pool.op(open);
                    let value = match op {
                        Op::FpMin | Op::FpMax => arguments[1].clone(),
                        _ => default_of(pool, pool.sort(open))?,
                    };
                    known.assignment.settle(op, arguments, value);
                    evaluator.clear();
                }
                Err(error) => return Err(Reason::Unsupported(error.to_string())),
            }
        }
    }
}
