//! Float arithmetic, compared with independent definitions: the hardware, LLVM's software floats as
//! ported in `rustc_apfloat`, and for tiny formats a table of all values.

mod exhaustive;
mod formats;
mod hardware;
mod laws;
mod solver;

use crate::ieee::{self, Outcome};
use crate::{BitVector, Op, RoundingMode, Value};
use num_bigint::BigUint;

fn float(exponent: u16, significand: u16, bits: u128) -> Value {
    Value::float(exponent, significand, &BigUint::from(bits))
}

fn single(value: f32) -> Value {
    float(8, 24, value.to_bits().into())
}

fn double(value: f64) -> Value {
    float(11, 53, value.to_bits().into())
}

fn mode(mode: RoundingMode) -> Value {
    Value::RoundingMode(mode)
}

fn nearest() -> Value {
    mode(RoundingMode::NearestEven)
}

fn integer(width: u32, value: i128) -> Value {
    Value::BitVec(BitVector::from_integer(width, &value.into()))
}

/// The value of an application; `None` if it is unspecified.
fn apply(op: Op, arguments: &[Value]) -> Option<Value> {
    let arguments: Vec<&Value> = arguments.iter().collect();
    match ieee::apply(op, &arguments) {
        Outcome::Value(value) => Some(value),
        Outcome::Unspecified => None,
        outcome => panic!("{op:?} of {arguments:?} is {outcome:?}"),
    }
}
