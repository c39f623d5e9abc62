//! Reads values of a Yices model as values of terms.

use crate::ffi::RawValue;
use backends::Reason;
use rustc_hash::FxHashSet;
use terms::{ArrayValue, BitVector, FunctionSymbol, FunctionValue, Op, Sort, Symbol, Term, TermPool, Value};

/// `raw` as a value of `sort`, which must not be an array sort.
pub(crate) fn of_raw(raw: RawValue, sort: Sort) -> Result<Value, Reason> {
    Ok(match (sort, raw) {
        (Sort::Bool, RawValue::Bool(value)) => Value::Bool(value),
        (Sort::BitVec(width), RawValue::BitVec(value)) => {
            Value::BitVec(BitVector::from_natural(width, value))
        }
        (Sort::Int, RawValue::Rational(value)) if value.is_integer() => Value::Int(value.to_integer()),
        (Sort::Real, RawValue::Rational(value)) => Value::Real(value),
        (Sort::Uninterpreted(sort), RawValue::Element(number)) => {
            Value::Element { sort, number: number.into() }
        }
        (Sort::Real | Sort::Int, RawValue::Irrational) => {
            return Err(Reason::Unsupported("irrational values".to_owned()));
        }
        (sort, raw) => return Err(Reason::Fault(format!("the value {raw:?} for the sort {sort:?}"))),
    })
}

/// The array with the given indices and elements, alternating, of these sorts; the default
/// elsewhere.
pub(crate) fn of_reads(
    default: Value,
    [index, element]: [Sort; 2],
    mut raw: impl Iterator<Item = RawValue>,
) -> Result<Value, Reason> {
    let mut array = ArrayValue::constant(default);
    while let (Some(at), Some(read)) = (raw.next(), raw.next()) {
        array.store(of_raw(at, index)?, of_raw(read, element)?);
    }
    Ok(Value::Array(array))
}

/// The array that a Yices function represents.
pub(crate) fn of_array_function(raw: RawValue, index: Sort, element: Sort) -> Result<Value, Reason> {
    let RawValue::Function { entries, default } = raw else {
        return Err(Reason::Fault(format!("the value {raw:?} for an array")));
    };
    let reads = entries.into_iter().flat_map(|(at, read)| at.into_iter().chain([read]));
    of_reads(of_raw(*default, element)?, [index, element], reads)
}

/// The value of a symbol that is unknown to the solver.
pub(crate) fn default(pool: &TermPool, sort: Sort) -> Result<Value, Reason> {
    Value::default_of(pool, sort).ok_or_else(|| Reason::Unsupported(format!("values of the sort {sort:?}")))
}

/// The function with the given graph, for these argument sorts and this result sort.
pub(crate) fn of_function(raw: RawValue, arguments: &[Sort], result: Sort) -> Result<FunctionValue, Reason> {
    let RawValue::Function { entries, default } = raw else {
        return Err(Reason::Fault(format!("the value {raw:?} for a function")));
    };
    let mut value = FunctionValue { default: Some(of_raw(*default, result)?), ..FunctionValue::default() };
    for (at, image) in entries {
        let at =
            at.into_iter().zip(arguments).map(|(raw, &sort)| of_raw(raw, sort)).collect::<Result<_, _>>()?;
        value.table.insert(at, of_raw(image, result)?);
    }
    Ok(value)
}

/// The symbols and functions in `term`, each once.
pub(crate) fn leaves(pool: &TermPool, term: Term) -> (Vec<Symbol>, Vec<FunctionSymbol>) {
    let (mut symbols, mut functions) = (Vec::new(), Vec::new());
    let (mut seen, mut seen_functions) = (FxHashSet::default(), FxHashSet::default());
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::Symbol(symbol) => symbols.push(symbol),
            Op::Apply(function) if seen_functions.insert(function) => functions.push(function),
            _ => {}
        }
        stack.extend(pool.children(term));
    }
    (symbols, functions)
}

/// Whether `term` contains a term of an array sort.
pub(crate) fn has_arrays(pool: &TermPool, term: Term) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if matches!(pool.sort(term), Sort::Array(_)) {
            return true;
        }
        stack.extend(pool.children(term));
    }
    false
}
