//! The one table of the names that SMT-LIB gives to operators.

use super::{quote, write_sort};
use crate::term::{Op, Sort, TermPool};
use std::fmt::{self, Write};

/// Writes the operator as it stands in front of its arguments: `bvadd`, `(_ extract 3 0)`, `f`.
pub fn write_operator(out: &mut dyn Write, pool: &TermPool, op: Op) -> fmt::Result {
    let to_fp = |out: &mut dyn Write, name: &str, exponent: u16, significand: u16| {
        write!(out, "(_ {name} {exponent} {significand})")
    };
    match op {
        Op::Extract { high, low } => write!(out, "(_ extract {high} {low})"),
        Op::ZeroExtend(bits) => write!(out, "(_ zero_extend {bits})"),
        Op::SignExtend(bits) => write!(out, "(_ sign_extend {bits})"),
        Op::FpFromBits { exponent, significand }
        | Op::FpFromFloat { exponent, significand }
        | Op::FpFromReal { exponent, significand }
        | Op::FpFromSigned { exponent, significand } => to_fp(out, "to_fp", exponent, significand),
        Op::FpFromUnsigned { exponent, significand } => to_fp(out, "to_fp_unsigned", exponent, significand),
        Op::FpToUnsigned(width) => write!(out, "(_ fp.to_ubv {width})"),
        Op::FpToSigned(width) => write!(out, "(_ fp.to_sbv {width})"),
        Op::ConstArray(sort) => {
            out.write_str("(as const ")?;
            write_sort(out, pool, Sort::Array(sort))?;
            out.write_str(")")
        }
        Op::Forall => out.write_str("forall"),
        Op::Exists => out.write_str("exists"),
        Op::Apply(function) => out.write_str(&quote(pool.function_data(function).0)),
        op => match operator_name(op) {
            Some(name) => out.write_str(name),
            None => out.write_str(&quote(&format!("{op:?}"))),
        },
    }
}

/// The SMT-LIB name of an operator without indices; `None` for leaves, quantifiers and uninterpreted functions.
fn operator_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Concat => "concat",
        Op::Add => "+",
        Op::Sub | Op::Neg => "-",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::RealDiv => "/",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::Select => "select",
        Op::Store => "store",
        Op::FpAbs => "fp.abs",
        Op::FpNeg => "fp.neg",
        Op::FpAdd => "fp.add",
        Op::FpSub => "fp.sub",
        Op::FpMul => "fp.mul",
        Op::FpDiv => "fp.div",
        Op::FpFma => "fp.fma",
        Op::FpSqrt => "fp.sqrt",
        Op::FpRem => "fp.rem",
        Op::FpRoundToIntegral => "fp.roundToIntegral",
        Op::FpMin => "fp.min",
        Op::FpMax => "fp.max",
        Op::FpLe => "fp.leq",
        Op::FpLt => "fp.lt",
        Op::FpEq => "fp.eq",
        Op::FpIsNormal => "fp.isNormal",
        Op::FpIsSubnormal => "fp.isSubnormal",
        Op::FpIsZero => "fp.isZero",
        Op::FpIsInfinite => "fp.isInfinite",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpIsPositive => "fp.isPositive",
        Op::FpToReal => "fp.to_real",
        _ => return None,
    })
}

/// The comparison whose negation is `op` with the operands exchanged: ¬(a < b) is b ≤ a.
pub(super) fn opposite_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::BvUlt => "bvule",
        Op::BvUle => "bvult",
        Op::BvSlt => "bvsle",
        Op::BvSle => "bvslt",
        Op::Le => "<",
        Op::Lt => "<=",
        _ => return None,
    })
}
