//! Memory as functions in the queries of the analysis.
//!
//! Clauses, predicates and abstraction formulas have memory as arrays in all encodings. If the
//! encoding has memory as functions without quantifiers, the solver translates each query
//! ([`Functions`]): reads move through the writes of the blocks down to functions of the address.
//! So the analysis differs from one over arrays in its queries only, and its certificate is about
//! arrays.
//!
//! *Interpolants* come from the translation of the sequence for interpolation ([`FunctionParts`]):
//! they are about single cells, and their applications of functions become reads of arrays. If the
//! translation does not refute the counterexample, or has no interpolants, the sequence over arrays
//! is interpolated. Path invariants and weakest preconditions are computed over arrays as well, by
//! a second prover.
//!
//! *Limits.* Facts that compare whole memories are rejected; then the next source follows.

use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason};
use encode::functions::Functions;
use encode::{EncodeError, Heap, Quantifiers, Theories};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use terms::{Environment, Evaluator, FunctionSymbol, FunctionValue, Op, Sort, Symbol, Term, TermPool, Value};

/// The translation of the queries of a solver, and a prover over arrays.
pub(crate) struct OverFunctions {
    pub(super) theories: Theories,
    /// The assertions in the open scopes.
    conjunction: Functions,
    /// The number of open scopes.
    depth: usize,
    arrays: Result<Box<dyn Prover>, Reason>,
}

impl OverFunctions {
    /// The translation for `theories`; `None` if they need none.
    pub(crate) fn new(theories: Theories, factory: &dyn ProverFactory, limits: &Limits) -> Option<Self> {
        let Theories { encoding, .. } = theories;
        if encoding.heap() != Heap::Functions || encoding.quantifiers() != Quantifiers::Free {
            return None;
        }
        let arrays = factory.new_prover(theories.with_arrays().logic(), limits);
        Some(OverFunctions { theories, conjunction: Functions::new(theories), depth: 0, arrays })
    }

    /// Exchanges `prover` with the one over arrays.
    ///
    /// # Errors
    /// The reason why there is no prover over arrays.
    pub(super) fn exchange(&mut self, prover: &mut Box<dyn Prover>) -> Result<(), Reason> {
        debug_assert_eq!(self.depth, 0, "no scope is open between queries");
        match &mut self.arrays {
            Ok(arrays) => std::mem::swap(prover, arrays),
            Err(reason) => return Err(reason.clone()),
        }
        Ok(())
    }

    /// Records that a scope was opened.
    pub(super) fn push(&mut self) {
        self.depth += 1;
    }

    /// Records that a scope was closed. Only the outermost scope has definitions of memory.
    pub(super) fn pop(&mut self) {
        self.depth -= 1;
        if self.depth == 0 {
            self.conjunction = Functions::new(self.theories);
        }
    }

    /// The translation of the next assertion.
    pub(super) fn conjoin(&mut self, pool: &mut TermPool, formula: Term) -> Result<Term, EncodeError> {
        let before = self.conjunction.definitions().len();
        let translated = self.conjunction.conjoin(pool, formula)?;
        if self.depth > 1 && self.conjunction.definitions().len() > before {
            return Err(EncodeError::ArrayEquality(self.theories.encoding));
        }
        Ok(translated)
    }

    /// The outcome of a check, with models of the assertions before translation.
    pub(super) fn outcome<'p>(&'p self, outcome: Outcome<'p>) -> Outcome<'p> {
        match outcome {
            Outcome::Sat(model) => Outcome::Sat(Box::new(ArrayModel {
                functions: &self.conjunction,
                known: RefCell::new(Known {
                    model,
                    values: FxHashMap::default(),
                    functions: FxHashMap::default(),
                }),
                is_complete: false,
            })),
            other => other,
        }
    }
}

/// A model of the translation as a model of the assertions before translation.
struct ArrayModel<'p> {
    functions: &'p Functions,
    known: RefCell<Known<'p>>,
    /// Whether `known` has the values of all defined arrays.
    is_complete: bool,
}

struct Known<'p> {
    model: Box<dyn Model + 'p>,
    values: FxHashMap<Term, Value>,
    functions: FxHashMap<FunctionSymbol, FunctionValue>,
}

impl Known<'_> {
    /// The value of a term of the translation.
    fn value(&mut self, pool: &TermPool, term: Term) -> Option<Value> {
        if let Entry::Vacant(entry) = self.values.entry(term) {
            entry.insert(self.model.eval(pool, term).ok()?);
        }
        self.values.get(&term).cloned()
    }
}

impl Environment for ArrayModel<'_> {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        let mut known = self.known.borrow_mut();
        if !is_array(pool, leaf) {
            return known.value(pool, leaf);
        }
        if let Some(value) = known.values.get(&leaf) {
            return Some(value.clone());
        }
        let value =
            self.functions.decode(pool, leaf, &mut |pool, terms| known.model.eval_all(pool, terms).ok())?;
        known.values.insert(leaf, value.clone());
        Some(value)
    }

    fn apply(&self, pool: &TermPool, function: FunctionSymbol, arguments: &[&Value]) -> Option<Value> {
        let known = &mut *self.known.borrow_mut();
        if let Entry::Vacant(entry) = known.functions.entry(function) {
            entry.insert(known.model.function(pool, function).ok()?);
        }
        let FunctionValue { table, default } = &known.functions[&function];
        let arguments: Vec<Value> = arguments.iter().map(|&value| value.clone()).collect();
        table.get(&arguments).or(default.as_ref()).cloned()
    }
}

impl ArrayModel<'_> {
    /// Computes the values of the defined arrays.
    fn complete(&mut self, pool: &TermPool) -> Result<(), Reason> {
        if self.is_complete {
            return Ok(());
        }
        let definitions = self.functions.definitions();
        let terms: Vec<Term> = definitions.iter().map(|&(_, term)| term).collect();
        let leaves: Vec<Term> =
            leaves(pool, &terms).into_iter().filter(|&leaf| !is_array(pool, leaf)).collect();
        let known = self.known.get_mut();
        let values = known.model.eval_all(pool, &leaves)?;
        known.values.extend(leaves.into_iter().zip(values));
        let mut evaluator = Evaluator::new();
        for (array, term) in definitions.iter().copied() {
            let value = self.evaluate(pool, &mut evaluator, term)?;
            self.known.get_mut().values.insert(array, value);
        }
        self.is_complete = true;
        Ok(())
    }

    fn evaluate(&self, pool: &TermPool, evaluator: &mut Evaluator, term: Term) -> Result<Value, Reason> {
        evaluator.eval(pool, term, self).map_err(|error| Reason::Unsupported(error.to_string()))
    }
}

impl Model for ArrayModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        match pool.symbol_data(symbol).sort {
            Sort::Array(_) => Err(Reason::Unsupported("the value of a symbol for an array".to_owned())),
            _ => self.known.get_mut().model.value(pool, symbol),
        }
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        self.known.get_mut().model.function(pool, function)
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        Ok(self.eval_all(pool, &[term])?.remove(0))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        if !leaves(pool, terms).into_iter().any(|leaf| is_array(pool, leaf)) {
            return self.known.get_mut().model.eval_all(pool, terms);
        }
        self.complete(pool)?;
        let mut evaluator = Evaluator::new();
        terms.iter().map(|&term| self.evaluate(pool, &mut evaluator, term)).collect()
    }
}

fn is_array(pool: &TermPool, term: Term) -> bool {
    matches!(pool.sort(term), Sort::Array(_))
}

/// The symbols in `terms`, as terms, in order.
fn leaves(pool: &TermPool, terms: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let is_symbol = |term| matches!(pool.op(term), Op::Symbol(_));
    pool.visit(terms, |_| true, |term| found.extend(Some(term).filter(|&term| is_symbol(term))));
    found
}
