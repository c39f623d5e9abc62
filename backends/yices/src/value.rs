//! Values of a Yices model as values of terms.

use crate::ffi::RawValue;
use backends::Reason;
use ir::term::{BitVector, Sort, Symbol, Term, TermPool, Value};

/// `raw` as a value of `sort`.
pub(crate) fn of_raw(raw: RawValue, sort: Sort) -> Result<Value, Reason> {
    Ok(match (sort, raw) {
        (Sort::Bool, RawValue::Bool(value)) => Value::Bool(value),
        (Sort::BitVec(width), RawValue::BitVec(value)) => Value::BitVec(BitVector::from_natural(width, value)),
        (Sort::Int, RawValue::Rational(value)) if value.is_integer() => Value::Int(value.to_integer()),
        (Sort::Real, RawValue::Rational(value)) => Value::Real(value),
        (sort, raw) => return Err(Reason::Fault(format!("the value {raw:?} for the sort {sort:?}"))),
    })
}
