//! Reads values of a model as values of terms.
//!
//! Bitwuzla answers with terms: constants, writes to constant arrays, and for functions
//! `λx. ite(⋀ x_i = v_i, w, …)`.

use crate::ffi::Node;
use crate::translate::{MODES, Translator};
use backends::Reason;
use num_bigint::BigUint;
use terms::{ArrayValue, BitVector, FunctionValue, Sort, TermPool, Value};

/// The constant `node` as a value of `sort`. It recurses over the nesting of array sorts only.
pub(crate) fn read(
    translator: &Translator,
    pool: &TermPool,
    node: Node,
    sort: Sort,
) -> Result<Value, Reason> {
    if let Sort::Array(parts) = sort {
        return read_array(translator, pool, node, pool.array_sort_parts(parts)).map(Value::Array);
    }
    let digits = translator.session().digits(node).ok_or_else(|| odd(translator, node))?;
    let bits = |width: usize| BigUint::parse_bytes(digits.as_bytes(), 2).filter(|_| digits.len() == width);
    let value = match sort {
        Sort::Bool => Some(Value::Bool(digits == "1")),
        Sort::BitVec(width) => {
            bits(width as usize).map(|bits| Value::BitVec(BitVector::from_natural(width, bits)))
        }
        Sort::Float(exponent, significand) => bits(usize::from(exponent) + usize::from(significand))
            .map(|bits| Value::Float { exponent, significand, bits }),
        Sort::RoundingMode => digits
            .parse::<usize>()
            .ok()
            .and_then(|position| MODES.get(position))
            .map(|&mode| Value::RoundingMode(mode)),
        _ => None,
    };
    value.ok_or_else(|| odd(translator, node))
}

fn read_array(
    translator: &Translator,
    pool: &TermPool,
    node: Node,
    (index, element): (Sort, Sort),
) -> Result<ArrayValue, Reason> {
    let session = translator.session();
    let mut writes = Vec::new();
    let mut array = node;
    while translator.kind(array) == "STORE" {
        let (at, written) = (session.child(array, 1)?, session.child(array, 2)?);
        writes.push((read(translator, pool, at, index)?, read(translator, pool, written, element)?));
        array = session.child(array, 0)?;
    }
    if translator.kind(array) != "CONST_ARRAY" {
        return Err(odd(translator, array));
    }
    let mut value = ArrayValue::constant(read(translator, pool, session.child(array, 0)?, element)?);
    for (at, written) in writes.into_iter().rev() {
        value.store(at, written);
    }
    Ok(value)
}

/// The function of a model.
pub(crate) fn read_function(
    translator: &Translator,
    pool: &TermPool,
    node: Node,
    domain: &[Sort],
    range: Sort,
) -> Result<FunctionValue, Reason> {
    let session = translator.session();
    // The identities of the parameters; a function of several parameters may be nested.
    let mut parameters = Vec::new();
    let mut body = node;
    while translator.kind(body) == "LAMBDA" {
        let last = session.arity(body).checked_sub(1).ok_or_else(|| odd(translator, body))?;
        for position in 0..last {
            parameters.push(session.id(session.child(body, position)?));
        }
        body = session.child(body, last)?;
    }
    let is_constant = parameters.is_empty() && translator.kind(body) == "VALUE";
    if parameters.len() != domain.len() && !is_constant {
        return Err(odd(translator, node));
    }
    let mut points = Vec::new();
    while translator.kind(body) == "ITE" {
        let mut point: Vec<Option<Value>> = vec![None; domain.len()];
        let mut conditions = vec![session.child(body, 0)?];
        while let Some(condition) = conditions.pop() {
            match translator.kind(condition) {
                "AND" => {
                    for position in 0..session.arity(condition) {
                        conditions.push(session.child(condition, position)?);
                    }
                }
                "EQUAL" | "IFF" => {
                    let (left, right) = (session.child(condition, 0)?, session.child(condition, 1)?);
                    let parameter = |side| parameters.iter().position(|&known| known == session.id(side));
                    let (position, constant) = match (parameter(left), parameter(right)) {
                        (Some(position), None) => (position, right),
                        (None, Some(position)) => (position, left),
                        _ => return Err(odd(translator, condition)),
                    };
                    point[position] = Some(read(translator, pool, constant, domain[position])?);
                }
                _ => return Err(odd(translator, condition)),
            }
        }
        let point: Option<Vec<Value>> = point.into_iter().collect();
        let point = point.ok_or_else(|| odd(translator, body))?;
        points.push((point, read(translator, pool, session.child(body, 1)?, range)?));
        body = session.child(body, 2)?;
    }
    let default = read(translator, pool, body, range)?;
    let mut function = FunctionValue { default: Some(default), ..FunctionValue::default() };
    // Outer conditions take precedence.
    for (point, value) in points.into_iter().rev() {
        function.table.insert(point, value);
    }
    Ok(function)
}

fn odd(translator: &Translator, node: Node) -> Reason {
    Reason::Incomplete(format!("the model has no value, only {}", translator.session().show(node)))
}
