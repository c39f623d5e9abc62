//! The encoder's functions for nonlinear operations, and their meaning.

use super::dictionary::Interval;
use num_bigint::BigInt;
use terms::{FunctionSymbol, Op, Representation, Sort, TermPool};

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// The product of two integers.
    Product,
    /// The bitwise conjunction of two nonnegative integers.
    Conjunction,
    /// A binary operation on bit vectors of this width, with the representations of its arguments.
    Bits { op: Op, width: u32, left: Representation, right: Representation },
}

impl Operation {
    /// The operation that `function` denotes; `function` must not represent a source function.
    pub(super) fn of(pool: &TermPool, function: FunctionSymbol) -> Option<Self> {
        use Representation::{Signed, Unsigned};
        let (name, arguments, result) = pool.function_data(function);
        if arguments != [Sort::Int, Sort::Int] || result != Sort::Int {
            return None;
        }
        let name = name.strip_prefix("int.")?;
        match name {
            "mul" => return Some(Operation::Product),
            "and" => return Some(Operation::Conjunction),
            _ => {}
        }
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let width = name[digits..].parse().ok().filter(|&width| width > 0)?;
        let (op, left, right) = match &name[..digits] {
            "shl" => (Op::BvShl, Unsigned, Unsigned),
            "lshr" => (Op::BvLshr, Unsigned, Unsigned),
            "ashr" => (Op::BvAshr, Signed, Unsigned),
            "udiv" => (Op::BvUdiv, Unsigned, Unsigned),
            "urem" => (Op::BvUrem, Unsigned, Unsigned),
            "sdiv" => (Op::BvSdiv, Signed, Signed),
            "srem" => (Op::BvSrem, Signed, Signed),
            _ => return None,
        };
        Some(Operation::Bits { op, width, left, right })
    }

    /// The interval of its values for arguments in these intervals; `None` if the arguments exceed
    /// the operation's domain.
    pub(super) fn range(self, a: &Interval, b: &Interval) -> Option<Interval> {
        match self {
            Operation::Product => Some(a.product(b)),
            Operation::Conjunction => {
                let is_natural = a.low >= BigInt::ZERO && b.low >= BigInt::ZERO;
                is_natural.then(|| Interval { low: BigInt::ZERO, high: a.high.clone().min(b.high.clone()) })
            }
            Operation::Bits { width, left, right, .. } => {
                let fits = Interval::of(width, left).contains(a) && Interval::of(width, right).contains(b);
                // The result has the representation of the first argument.
                fits.then(|| Interval::of(width, left))
            }
        }
    }
}
