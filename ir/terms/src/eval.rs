//! Exact evaluation under an assignment.
//!
//! # Idea
//! Depth-first evaluation with an explicit stack; each distinct term is evaluated once per
//! generation of the cache. `ite`, conjunction and disjunction are *lazy*: an `ite` evaluates one
//! branch, a conjunction stops at the first false operand. A missing or unspecified value therefore
//! matters only if the result depends on it: an error in one operand of a conjunction is reported
//! only if no other operand is false.
//!
//! # Cost
//! O(1) per distinct term; clearing the cache is O(1). The cache takes eight bytes for each id up
//! to the youngest evaluated term; use one [`Evaluator`] for many calls.

use super::bits::{BitVector, euclidean};
use super::ieee::{self, Outcome};
use super::value::{ArrayValue, Value};
use super::{FunctionSymbol, Op, Symbol, Term, TermPool};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The reason why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EvalError {
    /// A leaf without a value.
    #[error("{0} has no value")]
    Unassigned(Term),
    /// An uninterpreted function without a value at these arguments.
    #[error("the function of {0} has no value at its arguments")]
    Uninterpreted(Term),
    /// An integer or real division by zero, which SMT-LIB leaves unspecified and for which the
    /// environment has no value.
    #[error("{0} divides by zero")]
    DivisionByZero(Term),
    /// A float operation whose result SMT-LIB leaves unspecified at its arguments and for which the
    /// environment has no value.
    #[error("{0} is unspecified at its arguments")]
    Unspecified(Term),
    /// A quantifier.
    #[error("the quantifier {0} cannot be evaluated")]
    Quantified(Term),
    /// The environment's value of a leaf or function is not of its sort.
    #[error("the value of {0} is not of its sort")]
    SortMismatch(Term),
    /// An operator that the evaluator does not support.
    #[error("{0} cannot be evaluated")]
    Unsupported(Term),
}

/// The interpretation of leaves and functions.
///
/// Any `Fn(Term) -> Option<Value>` is an environment that interprets `Symbol`, `Value` and `Bound`
/// leaves.
pub trait Environment {
    /// The value of a `Symbol`, `Value` or `Bound` leaf.
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value>;

    /// The value of an uninterpreted function at these arguments.
    fn apply(&self, pool: &TermPool, function: FunctionSymbol, arguments: &[&Value]) -> Option<Value> {
        let _ = (pool, function, arguments);
        None
    }

    /// The value of `IntDiv`, `IntMod` or `RealDiv` of `dividend` by zero.
    fn divide_by_zero(&self, op: Op, dividend: &Value) -> Option<Value> {
        let _ = (op, dividend);
        None
    }

    /// The result of a float operation that SMT-LIB leaves unspecified: `FpMin` and `FpMax` of two
    /// zeros of different sign (must be one of them), `FpToUnsigned` and `FpToSigned` of a number
    /// out of range, `FpToReal` of infinities and NaN.
    fn unspecified(&self, op: Op, arguments: &[&Value]) -> Option<Value> {
        let _ = (op, arguments);
        None
    }
}

impl<F: Fn(Term) -> Option<Value>> Environment for F {
    fn leaf(&self, _: &TermPool, leaf: Term) -> Option<Value> {
        self(leaf)
    }
}

/// The interpretation of an uninterpreted function: a finite table and a default.
#[derive(Clone, Debug, Default)]
pub struct FunctionValue {
    /// Values at tuples of arguments.
    pub table: BTreeMap<Vec<Value>, Value>,
    /// The value elsewhere.
    pub default: Option<Value>,
}

/// The value in an [`Assignment`] of leaves and functions that it does not list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Completion {
    /// No value.
    #[default]
    Partial,
    /// The default of the sort, see [`Value::default_of`]. The quotient of a division by zero is 0,
    /// its remainder the dividend; `FpMin` and `FpMax` of two zeros of different sign are the
    /// second operand; other unspecified float conversions are 0.
    Default,
}

/// An assignment of values to symbols, IR values and functions, as in a model.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    symbols: FxHashMap<Symbol, Value>,
    values: FxHashMap<u32, Value>,
    functions: FxHashMap<FunctionSymbol, FunctionValue>,
    /// Values of applications that SMT-LIB leaves unspecified.
    settled: FxHashMap<Op, BTreeMap<Vec<Value>, Value>>,
    /// The values of all leaves and functions that are not listed.
    pub completion: Completion,
}

impl Assignment {
    /// Creates an empty assignment.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty assignment with this completion.
    pub fn with_completion(completion: Completion) -> Self {
        Assignment { completion, ..Self::default() }
    }

    /// Sets the value of a symbol.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        self.symbols.insert(symbol, value);
    }

    /// Sets the value of the IR value `index`.
    pub fn set_value(&mut self, index: u32, value: Value) {
        self.values.insert(index, value);
    }

    /// Sets the value of a `Symbol` or `Value` leaf.
    ///
    /// # Panics
    /// If `leaf` is another term.
    pub fn set_leaf(&mut self, pool: &TermPool, leaf: Term, value: Value) {
        match pool.op(leaf) {
            Op::Symbol(symbol) => self.set(symbol, value),
            Op::Value(index) => self.set_value(index, value),
            op => panic!("{leaf} should be a symbol or a value but is {op:?}"),
        }
    }

    /// Sets the interpretation of a function.
    pub fn set_function(&mut self, function: FunctionSymbol, value: FunctionValue) {
        self.functions.insert(function, value);
    }

    /// Sets the value of an operator at arguments for which SMT-LIB leaves it unspecified: a
    /// division by zero or a case of [`Environment::unspecified`].
    pub fn settle(&mut self, op: Op, arguments: Vec<Value>, value: Value) {
        self.settled.entry(op).or_default().insert(arguments, value);
    }

    fn settled(&self, op: Op, arguments: &[Value]) -> Option<Value> {
        self.settled.get(&op)?.get(arguments).cloned()
    }

    /// The value of a symbol.
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        self.symbols.get(&symbol)
    }

    /// The interpretation of a function.
    pub fn function(&self, function: FunctionSymbol) -> Option<&FunctionValue> {
        self.functions.get(&function)
    }
}

impl Environment for Assignment {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        let value = match pool.op(leaf) {
            Op::Symbol(symbol) => self.symbols.get(&symbol),
            Op::Value(index) => self.values.get(&index),
            _ => None,
        };
        match (value, self.completion) {
            (Some(value), _) => Some(value.clone()),
            (None, Completion::Partial) => None,
            (None, Completion::Default) => Value::default_of(pool, pool.sort(leaf)),
        }
    }

    fn apply(&self, pool: &TermPool, function: FunctionSymbol, arguments: &[&Value]) -> Option<Value> {
        let value = self.functions.get(&function).and_then(|value| {
            let arguments: Vec<Value> = arguments.iter().map(|&argument| argument.clone()).collect();
            value.table.get(&arguments).or(value.default.as_ref())
        });
        match (value, self.completion) {
            (Some(value), _) => Some(value.clone()),
            (None, Completion::Partial) => None,
            (None, Completion::Default) => Value::default_of(pool, pool.function_data(function).2),
        }
    }

    fn divide_by_zero(&self, op: Op, dividend: &Value) -> Option<Value> {
        let zero = match op {
            Op::RealDiv => Value::Real(BigRational::zero()),
            _ => Value::Int(BigInt::zero()),
        };
        if !self.settled.is_empty()
            && let Some(value) = self.settled(op, &[dividend.clone(), zero.clone()])
        {
            return Some(value);
        }
        match (self.completion, op) {
            (Completion::Partial, _) => None,
            (Completion::Default, Op::IntMod) => Some(dividend.clone()),
            (Completion::Default, _) => Some(zero),
        }
    }

    fn unspecified(&self, op: Op, arguments: &[&Value]) -> Option<Value> {
        let values: Vec<Value> = arguments.iter().map(|&argument| argument.clone()).collect();
        let settled = self.settled(op, &values);
        if settled.is_some() || self.completion == Completion::Partial {
            return settled;
        }
        default_of_unspecified(op, arguments)
    }
}

/// The value under [`Completion::Default`] of a float operation that SMT-LIB leaves unspecified.
fn default_of_unspecified(op: Op, arguments: &[&Value]) -> Option<Value> {
    match op {
        Op::FpMin | Op::FpMax => Some(arguments[1].clone()),
        Op::FpToUnsigned(width) | Op::FpToSigned(width) => Some(Value::bv(width, 0)),
        Op::FpToReal => Some(Value::Real(BigRational::zero())),
        _ => None,
    }
}

/// Computes the result of a float operator, with [`Completion::Default`] for unspecified results;
/// `None` if it cannot be computed or the arguments are ill-sorted.
pub fn evaluate_float_operator(op: Op, arguments: &[&Value]) -> Option<Value> {
    match ieee::apply(op, arguments) {
        Outcome::Value(value) => Some(value),
        Outcome::Unspecified => default_of_unspecified(op, arguments),
        Outcome::Unsupported | Outcome::IllSorted => None,
    }
}

/// Evaluates `term` under `environment`. For many terms or calls use an [`Evaluator`].
pub fn eval(pool: &TermPool, term: Term, environment: &impl Environment) -> Result<Value, EvalError> {
    Evaluator::new().eval(pool, term, environment)
}

/// Marks a cached failure; the reason is in `errors`.
const FAILED: u32 = u32::MAX;

/// Evaluates many terms under one environment and caches their values until [`clear`](Self::clear).
#[derive(Debug, Default)]
pub struct Evaluator {
    /// For each term the generation in which it was evaluated, and its index in `values` or
    /// `FAILED`.
    cache: Vec<(u32, u32)>,
    generation: u32,
    values: Vec<Value>,
    errors: FxHashMap<Term, EvalError>,
    stack: Vec<Frame>,
    /// The first error in the operands of a conjunction or disjunction, by stack height.
    pending: Vec<(usize, EvalError)>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    term: Term,
    /// The index of the next child to evaluate.
    next: u32,
}

impl Evaluator {
    /// Creates an evaluator with an empty cache.
    pub fn new() -> Self {
        Evaluator { generation: 1, ..Evaluator::default() }
    }

    /// Clears the cache; required when the environment changes.
    pub fn clear(&mut self) {
        if self.generation == u32::MAX {
            self.cache.clear();
            self.generation = 0;
        }
        self.generation += 1;
        self.values.clear();
        self.errors.clear();
    }

    #[inline]
    fn cached(&self, term: Term) -> Option<u32> {
        match self.cache.get(term.0 as usize) {
            Some(&(generation, slot)) if generation == self.generation => Some(slot),
            _ => None,
        }
    }

    fn finish(&mut self, term: Term, value: Value) {
        self.cache[term.0 as usize] = (self.generation, self.values.len() as u32);
        self.values.push(value);
    }

    /// Evaluates `term`. Reuses the values cached since the last [`clear`](Self::clear).
    pub fn eval<E: Environment + ?Sized>(
        &mut self,
        pool: &TermPool,
        term: Term,
        environment: &E,
    ) -> Result<Value, EvalError> {
        if self.generation == 0 {
            self.generation = 1;
        }
        if self.cache.len() <= term.0 as usize {
            self.cache.resize(term.0 as usize + 1, (0, 0));
        }
        if self.cached(term).is_none() {
            self.stack.clear();
            self.pending.clear();
            self.stack.push(Frame { term, next: 0 });
            while let Some(&frame) = self.stack.last() {
                if let Err(error) = self.step(pool, frame, environment) {
                    self.unwind(pool, &error);
                }
            }
        }
        match self.cached(term) {
            Some(FAILED) => Err(self.errors[&term].clone()),
            Some(slot) => Ok(self.values[slot as usize].clone()),
            None => unreachable!("the loop ends when the root has a value or failed"),
        }
    }

    /// Fails the terms on the stack down to a conjunction or disjunction that other operands may
    /// still decide.
    fn unwind(&mut self, pool: &TermPool, error: &EvalError) {
        loop {
            let top = self.stack.len();
            let Some(frame) = self.stack.last_mut() else { return };
            let height = self.pending.last().map(|pending| pending.0);
            let is_junction = matches!(pool.op(frame.term), Op::And | Op::Or);
            if is_junction && (frame.next as usize) < pool.children(frame.term).len() {
                frame.next += 1;
                if height != Some(top) {
                    self.pending.push((top, error.clone()));
                }
                return;
            }
            if height == Some(top) {
                self.pending.pop();
            }
            let term = frame.term;
            self.cache[term.0 as usize] = (self.generation, FAILED);
            self.errors.insert(term, error.clone());
            self.stack.pop();
        }
    }

    /// Evaluates the term on top of the stack, or pushes a child that it needs.
    fn step<E: Environment + ?Sized>(
        &mut self,
        pool: &TermPool,
        frame: Frame,
        environment: &E,
    ) -> Result<(), EvalError> {
        let Frame { term, mut next } = frame;
        let op = pool.op(term);
        let children = pool.children(term);
        let value = match op {
            Op::Symbol(_) | Op::Value(_) | Op::Bound(_) => {
                let value = environment.leaf(pool, term).ok_or(EvalError::Unassigned(term))?;
                if !value.is_of_sort(pool, pool.sort(term)) {
                    return Err(EvalError::SortMismatch(term));
                }
                value
            }
            Op::Forall | Op::Exists => return Err(EvalError::Quantified(term)),
            Op::And | Op::Or => {
                let dominant = op == Op::Or;
                let mut result = !dominant;
                while let Some(&child) = children.get(next as usize) {
                    let Some(slot) = self.cached(child) else {
                        return self.descend(next, child);
                    };
                    if slot == FAILED {
                        // `unwind` continues with the next operand.
                        self.set_next(next);
                        return Err(self.errors[&child].clone());
                    }
                    if self.values[slot as usize] == Value::Bool(dominant) {
                        result = dominant;
                        break;
                    }
                    next += 1;
                }
                if self.pending.last().is_some_and(|pending| pending.0 == self.stack.len()) {
                    let (_, error) = self.pending.pop().expect("just seen");
                    if result != dominant {
                        self.set_next(children.len() as u32);
                        return Err(error);
                    }
                }
                Value::Bool(result)
            }
            Op::Ite => {
                let Some(condition) = self.cached(children[0]) else {
                    return self.descend(next, children[0]);
                };
                let condition = self.value_at(condition, children[0])?;
                let branch = if *condition == Value::Bool(true) { children[1] } else { children[2] };
                let Some(slot) = self.cached(branch) else {
                    return self.descend(next, branch);
                };
                if slot == FAILED {
                    return Err(self.errors[&branch].clone());
                }
                // The branch's value is shared, not copied.
                self.cache[term.0 as usize] = (self.generation, slot);
                self.stack.pop();
                return Ok(());
            }
            _ => {
                while let Some(&child) = children.get(next as usize) {
                    if self.cached(child).is_none() {
                        return self.descend(next, child);
                    }
                    next += 1;
                }
                let mut arguments: SmallVec<[&Value; 4]> = SmallVec::new();
                for &child in children {
                    let slot = self.cached(child).expect("evaluated above");
                    arguments.push(self.value_at(slot, child)?);
                }
                apply(pool, term, op, &arguments, environment)?
            }
        };
        self.stack.pop();
        self.finish(term, value);
        Ok(())
    }

    fn value_at(&self, slot: u32, term: Term) -> Result<&Value, EvalError> {
        match slot {
            FAILED => Err(self.errors[&term].clone()),
            slot => Ok(&self.values[slot as usize]),
        }
    }

    fn set_next(&mut self, next: u32) {
        self.stack.last_mut().expect("a term is being evaluated").next = next;
    }

    fn descend(&mut self, next: u32, child: Term) -> Result<(), EvalError> {
        self.set_next(next);
        self.stack.push(Frame { term: child, next: 0 });
        Ok(())
    }
}

/// The value of a strict operator over the values of its children.
fn apply<E: Environment + ?Sized>(
    pool: &TermPool,
    term: Term,
    op: Op,
    arguments: &[&Value],
    environment: &E,
) -> Result<Value, EvalError> {
    if let Op::Apply(function) = op {
        let value = environment.apply(pool, function, arguments).ok_or(EvalError::Uninterpreted(term))?;
        return if value.is_of_sort(pool, pool.sort(term)) {
            Ok(value)
        } else {
            Err(EvalError::SortMismatch(term))
        };
    }
    if matches!(op, Op::IntDiv | Op::IntMod | Op::RealDiv) {
        return divide(term, op, arguments, environment);
    }
    if arguments.is_empty() {
        return Value::of_constant(pool, term).ok_or(EvalError::Unsupported(term));
    }
    if let Some(value) = operator(op, arguments) {
        return Ok(value);
    }
    match ieee::apply(op, arguments) {
        Outcome::Value(value) => Ok(value),
        Outcome::Unspecified => {
            let value = environment.unspecified(op, arguments).ok_or(EvalError::Unspecified(term))?;
            let is_possible = value.is_of_sort(pool, pool.sort(term))
                // The minimum or maximum of two zeros is one of them.
                && (!matches!(op, Op::FpMin | Op::FpMax) || arguments.contains(&&value));
            if is_possible { Ok(value) } else { Err(EvalError::SortMismatch(term)) }
        }
        Outcome::Unsupported => Err(EvalError::Unsupported(term)),
        Outcome::IllSorted => Err(EvalError::SortMismatch(term)),
    }
}

fn divide<E: Environment + ?Sized>(
    term: Term,
    op: Op,
    arguments: &[&Value],
    environment: &E,
) -> Result<Value, EvalError> {
    let by_zero = || environment.divide_by_zero(op, arguments[0]).ok_or(EvalError::DivisionByZero(term));
    match (op, arguments) {
        (Op::RealDiv, [Value::Real(a), Value::Real(b)]) => {
            if b.is_zero() {
                by_zero()
            } else {
                Ok(Value::Real(a / b))
            }
        }
        (Op::IntDiv | Op::IntMod, [Value::Int(a), Value::Int(b)]) => match euclidean(a, b) {
            Some((quotient, _)) if op == Op::IntDiv => Ok(Value::Int(quotient)),
            Some((_, remainder)) => Ok(Value::Int(remainder)),
            None => by_zero(),
        },
        _ => Err(EvalError::SortMismatch(term)),
    }
}

/// The semantics of the total operators with a fixed interpretation; `None` if the arguments are
/// ill-sorted.
fn operator(op: Op, arguments: &[&Value]) -> Option<Value> {
    use Value::{Array, BitVec, Bool, Int, Real};
    Some(match (op, arguments) {
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::Xor, [Bool(a), Bool(b)]) => Bool(a != b),
        (Op::Eq, [a, b]) => Bool(a == b),
        (Op::BvNot, [BitVec(a)]) => BitVec(a.not()),
        (Op::BvNeg, [BitVec(a)]) => BitVec(a.neg()),
        (
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr,
            [BitVec(a), BitVec(b)],
        ) => BitVec(BitVector::binary(op, a, b)),
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [BitVec(a), BitVec(b)]) => {
            Bool(BitVector::compare(op, a, b))
        }
        (Op::Concat, [BitVec(a), BitVec(b)]) => BitVec(a.concat(b)),
        (Op::Extract { high, low }, [BitVec(a)]) => BitVec(a.extract(high, low)),
        (Op::ZeroExtend(bits), [BitVec(a)]) => BitVec(a.zero_extend(bits)),
        (Op::SignExtend(bits), [BitVec(a)]) => BitVec(a.sign_extend(bits)),
        (Op::Add, [Int(_), ..]) => {
            let mut sum = BigInt::zero();
            for argument in arguments {
                sum += argument.as_int()?;
            }
            Int(sum)
        }
        (Op::Add, [Real(_), ..]) => {
            let mut sum = BigRational::zero();
            for argument in arguments {
                let Real(summand) = argument else { return None };
                sum += summand;
            }
            Real(sum)
        }
        (Op::Sub, [Int(a), Int(b)]) => Int(a - b),
        (Op::Sub, [Real(a), Real(b)]) => Real(a - b),
        (Op::Neg, [Int(a)]) => Int(-a),
        (Op::Neg, [Real(a)]) => Real(-a),
        (Op::Mul, [Int(a), Int(b)]) => Int(a * b),
        (Op::Mul, [Real(a), Real(b)]) => Real(a * b),
        (Op::Le, [Int(a), Int(b)]) => Bool(a <= b),
        (Op::Le, [Real(a), Real(b)]) => Bool(a <= b),
        (Op::Lt, [Int(a), Int(b)]) => Bool(a < b),
        (Op::Lt, [Real(a), Real(b)]) => Bool(a < b),
        (Op::ToReal, [Int(a)]) => Real(BigRational::from_integer(a.clone())),
        (Op::ToInt, [Real(a)]) => Int(a.floor().to_integer()),
        (Op::Select, [Array(array), index]) => array.select(index).clone(),
        (Op::Store, [Array(array), index, value]) => {
            let mut array = array.clone();
            array.store((*index).clone(), (*value).clone());
            Array(array)
        }
        (Op::ConstArray(_), [value]) => Array(ArrayValue::constant((*value).clone())),
        _ => return None,
    })
}
