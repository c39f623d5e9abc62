//! Values on the wire.

use super::{ROUNDING_MODES, Reader, WireError, Writer, float, format, ratio, width};
use crate::{ArrayValue, BitVector, FunctionValue, RoundingMode, TermPool, Value};
use num_rational::BigRational;
use std::collections::BTreeMap;

/// The greatest nesting depth of arrays of arrays.
const MAX_NESTING: u32 = 100;

pub(super) fn rounding_mode(out: &mut Writer, mode: RoundingMode) {
    let place = ROUNDING_MODES.iter().position(|&other| other == mode);
    out.byte(place.expect("all modes are listed") as u8);
}

pub(super) fn read_rounding_mode(input: &mut Reader<'_>) -> Result<RoundingMode, WireError> {
    let place = usize::from(input.byte()?);
    ROUNDING_MODES.get(place).copied().ok_or(WireError::Malformed("invalid rounding mode"))
}

pub(super) fn rational(input: &mut Reader<'_>) -> Result<BigRational, WireError> {
    let numerator = input.integer()?;
    ratio(numerator, input.natural()?)
}

/// Writes `value`. Elements of uninterpreted sorts carry the name of their sort, so that they can
/// be read without other records.
pub fn write_value(pool: &TermPool, value: &Value, out: &mut Writer) {
    match value {
        Value::Bool(false) => out.byte(0),
        Value::Bool(true) => out.byte(1),
        Value::BitVec(bits) => {
            out.byte(2);
            out.number(bits.width().into());
            out.natural(&bits.to_natural());
        }
        Value::Int(value) => {
            out.byte(3);
            out.integer(value);
        }
        Value::Real(value) => {
            out.byte(4);
            out.integer(value.numer());
            out.natural(value.denom().magnitude());
        }
        Value::Float { exponent, significand, bits } => {
            out.byte(5);
            format(out, *exponent, *significand);
            out.natural(bits);
        }
        Value::RoundingMode(mode) => {
            out.byte(6);
            rounding_mode(out, *mode);
        }
        Value::Array(array) => {
            out.byte(7);
            write_value(pool, array.default(), out);
            out.size(array.entries().count());
            for (index, element) in array.entries() {
                write_value(pool, index, out);
                write_value(pool, element, out);
            }
        }
        Value::Element { sort, number } => {
            out.byte(8);
            out.text(pool.uninterpreted_sort_name(*sort));
            out.number(*number);
        }
    }
}

/// Writes the interpretation of a function.
pub fn write_function_value(pool: &TermPool, function: &FunctionValue, out: &mut Writer) {
    out.byte(u8::from(function.default.is_some()));
    if let Some(default) = &function.default {
        write_value(pool, default, out);
    }
    out.size(function.table.len());
    for (arguments, value) in &function.table {
        out.size(arguments.len());
        for argument in arguments {
            write_value(pool, argument, out);
        }
        write_value(pool, value, out);
    }
}

/// Reads a value. The caller must check its sort, see [`Value::is_of_sort`].
pub fn read_value(pool: &TermPool, input: &mut Reader<'_>) -> Result<Value, WireError> {
    nested_value(pool, input, 0)
}

fn nested_value(pool: &TermPool, input: &mut Reader<'_>, depth: u32) -> Result<Value, WireError> {
    Ok(match input.byte()? {
        0 => Value::Bool(false),
        1 => Value::Bool(true),
        2 => {
            let width = width(input)?;
            Value::BitVec(BitVector::from_natural(width, input.natural()?))
        }
        3 => Value::Int(input.integer()?),
        4 => Value::Real(rational(input)?),
        5 => {
            let (exponent, significand, bits) = float(input)?;
            Value::Float { exponent, significand, bits }
        }
        6 => Value::RoundingMode(read_rounding_mode(input)?),
        7 if depth < MAX_NESTING => {
            let mut array = ArrayValue::constant(nested_value(pool, input, depth + 1)?);
            for _ in 0..input.count()? {
                let index = nested_value(pool, input, depth + 1)?;
                let element = nested_value(pool, input, depth + 1)?;
                array.store(index, element);
            }
            Value::Array(array)
        }
        8 => {
            let name = input.text()?;
            let sort = pool.find_uninterpreted_sort(name);
            let sort = sort.ok_or(WireError::Malformed("element of an unknown sort"))?;
            Value::Element { sort, number: input.number()? }
        }
        _ => return Err(WireError::Malformed("invalid value")),
    })
}

/// Reads the interpretation of a function.
pub fn read_function_value(pool: &TermPool, input: &mut Reader<'_>) -> Result<FunctionValue, WireError> {
    let default = match input.byte()? {
        0 => None,
        1 => Some(read_value(pool, input)?),
        _ => return Err(WireError::Malformed("invalid function default")),
    };
    let mut table = BTreeMap::new();
    for _ in 0..input.count()? {
        let count = input.count()?;
        let arguments = (0..count).map(|_| read_value(pool, input)).collect::<Result<Vec<Value>, _>>()?;
        table.insert(arguments, read_value(pool, input)?);
    }
    Ok(FunctionValue { table, default })
}
