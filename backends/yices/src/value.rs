//! Values of a Yices model as values of terms.

use crate::ffi::RawValue;
use backends::Reason;
use ir::term::{ArrayValue, BitVector, EvalError, Op, Sort, Symbol, Term, TermPool, Value};
use std::cell::RefCell;

/// `raw` as a value of `sort`, which is not an array sort.
pub(crate) fn of_raw(raw: RawValue, sort: Sort) -> Result<Value, Reason> {
    Ok(match (sort, raw) {
        (Sort::Bool, RawValue::Bool(value)) => Value::Bool(value),
        (Sort::BitVec(width), RawValue::BitVec(value)) => Value::BitVec(BitVector::from_natural(width, value)),
        (Sort::Int, RawValue::Rational(value)) if value.is_integer() => Value::Int(value.to_integer()),
        (Sort::Real, RawValue::Rational(value)) => Value::Real(value),
        (sort, raw) => return Err(Reason::Fault(format!("the value {raw:?} for the sort {sort:?}"))),
    })
}

/// The array with the given indices and elements, in turns; everywhere else the default.
pub(crate) fn of_reads(
    pool: &TermPool,
    sort: Sort,
    mut raw: impl Iterator<Item = RawValue>,
) -> Result<Value, Reason> {
    let Sort::Array(parts) = sort else { return Err(Reason::Fault("an array of another sort".to_owned())) };
    let (index, element) = pool.array_sort_parts(parts);
    let mut array = ArrayValue::constant(default(pool, element)?);
    while let (Some(at), Some(read)) = (raw.next(), raw.next()) {
        array.store(of_raw(at, index)?, of_raw(read, element)?);
    }
    Ok(Value::Array(array))
}

/// The value of something that the solver never saw.
pub(crate) fn default(pool: &TermPool, sort: Sort) -> Result<Value, Reason> {
    Value::default_of(pool, sort).ok_or_else(|| Reason::Unsupported(format!("values of the sort {sort:?}")))
}

/// The value of `term` under the given values of its symbols.
pub(crate) fn eval_by_symbols(
    pool: &TermPool,
    term: Term,
    value: &mut dyn FnMut(Symbol) -> Result<Value, Reason>,
) -> Result<Value, Reason> {
    let failure = RefCell::new(None);
    let value = RefCell::new(value);
    let environment = |leaf: Term| match pool.op(leaf) {
        Op::Symbol(symbol) => {
            (value.borrow_mut())(symbol).map_err(|reason| *failure.borrow_mut() = Some(reason)).ok()
        }
        _ => None,
    };
    let result = ir::term::eval(pool, term, &environment);
    result.map_err(|error: EvalError| {
        failure.into_inner().unwrap_or_else(|| Reason::Unsupported(format!("the value of a term: {error}")))
    })
}
