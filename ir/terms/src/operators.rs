//! The table of SMT-LIB operator names, for both directions.

use super::print::{quote, write_sort};
use super::{Op, RoundingMode, Sort, TermPool};
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};
use std::sync::OnceLock;

macro_rules! names {
    ($($op:ident $name:literal)*) => {
        /// The name of an operator without indices; `None` for leaves, quantifiers, functions and
        /// indexed operators.
        pub fn name(op: Op) -> Option<&'static str> {
            match op {
                $(Op::$op => Some($name),)*
                // `NAMED` maps `-` to the subtraction only, so the negation is a case of its own.
                Op::Neg => Some("-"),
                _ => None,
            }
        }

        const NAMED: &[(&str, Op)] = &[$(($name, Op::$op)),*];
    };
}

names! {
    Not "not"
    And "and"
    Or "or"
    Xor "xor"
    Ite "ite"
    Eq "="
    BvNot "bvnot"
    BvNeg "bvneg"
    BvAnd "bvand"
    BvOr "bvor"
    BvXor "bvxor"
    BvAdd "bvadd"
    BvSub "bvsub"
    BvMul "bvmul"
    BvUdiv "bvudiv"
    BvUrem "bvurem"
    BvSdiv "bvsdiv"
    BvSrem "bvsrem"
    BvShl "bvshl"
    BvLshr "bvlshr"
    BvAshr "bvashr"
    BvUlt "bvult"
    BvUle "bvule"
    BvSlt "bvslt"
    BvSle "bvsle"
    Concat "concat"
    Add "+"
    Sub "-"
    Mul "*"
    IntDiv "div"
    IntMod "mod"
    RealDiv "/"
    Le "<="
    Lt "<"
    ToReal "to_real"
    ToInt "to_int"
    Select "select"
    Store "store"
    FpAbs "fp.abs"
    FpNeg "fp.neg"
    FpAdd "fp.add"
    FpSub "fp.sub"
    FpMul "fp.mul"
    FpDiv "fp.div"
    FpFma "fp.fma"
    FpSqrt "fp.sqrt"
    FpRem "fp.rem"
    FpRoundToIntegral "fp.roundToIntegral"
    FpMin "fp.min"
    FpMax "fp.max"
    FpLe "fp.leq"
    FpLt "fp.lt"
    FpEq "fp.eq"
    FpIsNormal "fp.isNormal"
    FpIsSubnormal "fp.isSubnormal"
    FpIsZero "fp.isZero"
    FpIsInfinite "fp.isInfinite"
    FpIsNan "fp.isNaN"
    FpIsNegative "fp.isNegative"
    FpIsPositive "fp.isPositive"
    FpToReal "fp.to_real"
    FpToBits "fp.to_ieee_bv"
}

/// The operator without indices with this name. `-` yields `Op::Sub`, even for the unary minus
/// `Op::Neg`.
pub fn named(name: &str) -> Option<Op> {
    static TABLE: OnceLock<FxHashMap<&str, Op>> = OnceLock::new();
    TABLE.get_or_init(|| NAMED.iter().copied().collect()).get(name).copied()
}

/// Whether a theory defines a constant or an operator of this name, which a declaration would
/// shadow.
pub(super) fn is_theory_symbol(name: &str) -> bool {
    named(name).is_some()
        || matches!(name, "fp" | "distinct" | "=>" | "abs" | "extract" | "const" | "to_fp" | "to_fp_unsigned")
        || RoundingMode::ALL.iter().any(|mode| mode.name() == name)
        || matches!(
            name,
            "roundNearestTiesToEven"
                | "roundNearestTiesToAway"
                | "roundTowardPositive"
                | "roundTowardNegative"
                | "roundTowardZero"
        )
}

/// The operator `(_ name indices…)`. The argument sorts determine which `to_fp` it is. Does not
/// check that the operator can be applied to them, see [`signature`](super::signature).
pub fn indexed(name: &str, indices: &[u32], arguments: &[Sort]) -> Option<Op> {
    let format = || match *indices {
        [exponent, significand] => Some((u16::try_from(exponent).ok()?, u16::try_from(significand).ok()?)),
        _ => None,
    };
    Some(match (name, indices) {
        ("extract", &[high, low]) => Op::Extract { high, low },
        ("zero_extend", &[bits]) => Op::ZeroExtend(bits),
        ("sign_extend", &[bits]) => Op::SignExtend(bits),
        ("fp.to_ubv", &[width]) => Op::FpToUnsigned(width),
        ("fp.to_sbv", &[width]) => Op::FpToSigned(width),
        ("to_fp_unsigned", _) => {
            let (exponent, significand) = format()?;
            Op::FpFromUnsigned { exponent, significand }
        }
        ("to_fp", _) => {
            let (exponent, significand) = format()?;
            match arguments {
                [_] => Op::FpFromBits { exponent, significand },
                [_, Sort::Real] => Op::FpFromReal { exponent, significand },
                [_, Sort::BitVec(_)] => Op::FpFromSigned { exponent, significand },
                _ => Op::FpFromFloat { exponent, significand },
            }
        }
        _ => return None,
    })
}

/// The comparison whose negation is `op` with swapped operands: ¬(a < b) is b ≤ a. Does not hold
/// for floats, because of NaN.
pub(super) fn opposite_name(op: Op) -> Option<&'static str> {
    let opposite = match op {
        Op::BvUlt => Op::BvUle,
        Op::BvUle => Op::BvUlt,
        Op::BvSlt => Op::BvSle,
        Op::BvSle => Op::BvSlt,
        Op::Le => Op::Lt,
        Op::Lt => Op::Le,
        _ => return None,
    };
    name(opposite)
}

/// Writes the operator as it appears before its arguments: `bvadd`, `(_ extract 3 0)`, `f`.
pub fn write(out: &mut dyn Write, pool: &TermPool, op: Op) -> fmt::Result {
    match op {
        Op::Extract { high, low } => write!(out, "(_ extract {high} {low})"),
        Op::ZeroExtend(bits) => write!(out, "(_ zero_extend {bits})"),
        Op::SignExtend(bits) => write!(out, "(_ sign_extend {bits})"),
        Op::FpFromBits { exponent, significand }
        | Op::FpFromFloat { exponent, significand }
        | Op::FpFromReal { exponent, significand }
        | Op::FpFromSigned { exponent, significand } => write!(out, "(_ to_fp {exponent} {significand})"),
        Op::FpFromUnsigned { exponent, significand } => {
            write!(out, "(_ to_fp_unsigned {exponent} {significand})")
        }
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
        Op::RoundingMode(mode) => out.write_str(mode.name()),
        op => match name(op) {
            Some(name) => out.write_str(name),
            None => out.write_str(&quote(&format!("{op:?}"))),
        },
    }
}
