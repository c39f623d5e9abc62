//! Operator codes on the wire.

use crate::Op;

/// The kinds of records, by their first byte.
pub(super) mod code {
    pub(in super::super) const BV_CONST: u8 = 128;
    pub(in super::super) const INT_CONST: u8 = 129;
    pub(in super::super) const REAL_CONST: u8 = 130;
    pub(in super::super) const FLOAT_CONST: u8 = 131;
    pub(in super::super) const ROUNDING_MODE: u8 = 132;
    pub(in super::super) const SYMBOL: u8 = 133;
    pub(in super::super) const VALUE: u8 = 134;
    pub(in super::super) const BOUND: u8 = 135;
    pub(in super::super) const APPLY: u8 = 136;
    pub(in super::super) const EXTRACT: u8 = 137;
    pub(in super::super) const ZERO_EXTEND: u8 = 138;
    pub(in super::super) const SIGN_EXTEND: u8 = 139;
    pub(in super::super) const CONST_ARRAY: u8 = 140;
    pub(in super::super) const FP_FROM_BITS: u8 = 141;
    pub(in super::super) const FP_FROM_FLOAT: u8 = 142;
    pub(in super::super) const FP_FROM_REAL: u8 = 143;
    pub(in super::super) const FP_FROM_SIGNED: u8 = 144;
    pub(in super::super) const FP_FROM_UNSIGNED: u8 = 145;
    pub(in super::super) const FP_TO_UNSIGNED: u8 = 146;
    pub(in super::super) const FP_TO_SIGNED: u8 = 147;
    pub(in super::super) const DEFINE_ARRAY_SORT: u8 = 250;
    pub(in super::super) const DEFINE_UNINTERPRETED_SORT: u8 = 251;
    pub(in super::super) const DEFINE_SYMBOL: u8 = 252;
    pub(in super::super) const DEFINE_FUNCTION: u8 = 253;
}

/// Lists the operators without payload; the code of an operator is its position in the list.
macro_rules! plain_operators {
    ($($name:ident)*) => {
        enum Plain { $($name),* }

        /// The operators without payload, by code.
        pub(super) const PLAIN: &[Op] = &[$(Op::$name),*];

        /// The first byte of the record of a node.
        #[inline]
        pub(super) fn code_of(op: Op) -> u8 {
            match op {
                $(Op::$name => Plain::$name as u8,)*
                Op::BvConst(_) => code::BV_CONST,
                Op::IntConst(_) => code::INT_CONST,
                Op::RealConst(_) => code::REAL_CONST,
                Op::FloatConst(_) => code::FLOAT_CONST,
                Op::RoundingMode(_) => code::ROUNDING_MODE,
                Op::Symbol(_) => code::SYMBOL,
                Op::Value(_) => code::VALUE,
                Op::Bound(_) => code::BOUND,
                Op::Apply(_) => code::APPLY,
                Op::Extract { .. } => code::EXTRACT,
                Op::ZeroExtend(_) => code::ZERO_EXTEND,
                Op::SignExtend(_) => code::SIGN_EXTEND,
                Op::ConstArray(_) => code::CONST_ARRAY,
                Op::FpFromBits { .. } => code::FP_FROM_BITS,
                Op::FpFromFloat { .. } => code::FP_FROM_FLOAT,
                Op::FpFromReal { .. } => code::FP_FROM_REAL,
                Op::FpFromSigned { .. } => code::FP_FROM_SIGNED,
                Op::FpFromUnsigned { .. } => code::FP_FROM_UNSIGNED,
                Op::FpToUnsigned(_) => code::FP_TO_UNSIGNED,
                Op::FpToSigned(_) => code::FP_TO_SIGNED,
            }
        }
    };
}

plain_operators! {
    True False
    Not And Or Xor Ite Eq
    BvNot BvNeg BvAnd BvOr BvXor BvAdd BvSub BvMul BvUdiv BvUrem BvSdiv BvSrem BvShl BvLshr BvAshr
    BvUlt BvUle BvSlt BvSle Concat
    Add Sub Neg Mul IntDiv IntMod RealDiv Le Lt ToReal ToInt
    Select Store
    FpAbs FpNeg FpAdd FpSub FpMul FpDiv FpFma FpSqrt FpRem FpRoundToIntegral FpMin FpMax FpLe FpLt FpEq
    FpIsNormal FpIsSubnormal FpIsZero FpIsInfinite FpIsNan FpIsNegative FpIsPositive FpToReal
    FpToBits
    Forall Exists
}

const _: () = assert!(PLAIN.len() <= code::BV_CONST as usize, "the numbers of operators should not overlap");
