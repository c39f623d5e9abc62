//! Operators of terms.

use std::hash::{Hash, Hasher};

crate::entity! {
    /// A free constant (an SMT-LIB function of arity 0), interned by name and sort in its pool.
    Symbol, "sym"
}
crate::entity! {
    /// An uninterpreted function symbol of arity at least 1, interned by name and signature in its
    /// pool.
    FunctionSymbol, "fun"
}

/// An IEEE 754 rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RoundingMode {
    /// To the nearest float, ties to even (`RNE`).
    #[default]
    NearestEven,
    /// To the nearest float, ties away from zero (`RNA`).
    NearestAway,
    /// Towards positive infinity (`RTP`).
    TowardPositive,
    /// Towards negative infinity (`RTN`).
    TowardNegative,
    /// Towards zero (`RTZ`).
    TowardZero,
}

impl RoundingMode {
    /// All modes, in SMT-LIB's order.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// SMT-LIB's name, such as `RNE`.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }
}

/// The operator at the root of a term. Payloads are ids into tables of the pool, so an `Op` is
/// small and `Copy`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants are SMT-LIB's operators by their SMT-LIB names")]
pub enum Op {
    // Leaves.
    True,
    False,
    /// A bit-vector constant, by id in the pool's table of naturals (see `TermPool::as_bv`).
    BvConst(u32),
    /// An integer constant, by id.
    IntConst(u32),
    /// A real constant, by id.
    RealConst(u32),
    /// A float constant: its IEEE bit pattern, by id in the table of naturals.
    FloatConst(u32),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A free constant.
    Symbol(Symbol),
    /// A value of an IR function (`v7`): a leaf of the terms in IR instructions. Never occurs in a
    /// formula.
    Value(u32),
    /// A bound variable of an enclosing quantifier, by name id.
    Bound(u32),
    // Core.
    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,
    Apply(FunctionSymbol),
    // Bit vectors.
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    // Integers and reals.
    Add,
    Sub,
    Neg,
    Mul,
    IntDiv,
    IntMod,
    RealDiv,
    Le,
    Lt,
    ToReal,
    ToInt,
    // Arrays.
    Select,
    Store,
    /// The array of the given sort whose elements all equal the child.
    ConstArray(super::ArraySort),
    // Floats; the rounding mode, where there is one, is the first child.
    FpAbs,
    FpNeg,
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpFma,
    FpSqrt,
    FpRem,
    FpRoundToIntegral,
    FpMin,
    FpMax,
    FpLe,
    FpLt,
    FpEq,
    FpIsNormal,
    FpIsSubnormal,
    FpIsZero,
    FpIsInfinite,
    FpIsNan,
    FpIsNegative,
    FpIsPositive,
    // Conversions from and to floats. Conversions to floats carry the target format.
    /// `((_ to_fp e s) bits)`: the float with this IEEE pattern of `exponent + significand` bits.
    FpFromBits {
        exponent: u16,
        significand: u16,
    },
    /// `((_ to_fp e s) rm float)`.
    FpFromFloat {
        exponent: u16,
        significand: u16,
    },
    /// `((_ to_fp e s) rm real)`.
    FpFromReal {
        exponent: u16,
        significand: u16,
    },
    /// `((_ to_fp e s) rm bits)` of a two's complement bit vector.
    FpFromSigned {
        exponent: u16,
        significand: u16,
    },
    /// `((_ to_fp_unsigned e s) rm bits)`.
    FpFromUnsigned {
        exponent: u16,
        significand: u16,
    },
    /// `((_ fp.to_ubv width) rm float)`; unspecified if the rounded number is out of range.
    FpToUnsigned(u32),
    /// `((_ fp.to_sbv width) rm float)`; unspecified if the rounded number is out of range.
    FpToSigned(u32),
    /// `(fp.to_real float)`; unspecified for infinities and NaN.
    FpToReal,
    /// The IEEE pattern of a float; for NaN the pattern `Format::nan`: quiet, positive, without
    /// payload.
    ///
    /// DIVERGENCE: SMT-LIB has no such operator. Z3's `fp.to_ieee_bv` leaves the pattern of NaN
    /// unspecified. Output for other tools replaces the operator by a fresh bit vector (see
    /// `encode::floats`).
    FpToBits,
    // Quantifiers: children are the bound variables, then the body.
    Forall,
    Exists,
}

/// As derived, but inlined: the comparison with a constant operator compares one byte.
impl PartialEq for Op {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.payload() == other.payload()
    }
}

impl Eq for Op {}

impl Hash for Op {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self.payload() {
            0 => {}
            payload => state.write_u64(payload),
        }
    }
}

impl Op {
    /// The payload as a number: different for different operators of one variant.
    #[inline(always)]
    fn payload(&self) -> u64 {
        let pair = |high: u32, low: u32| (u64::from(high) << 32) | u64::from(low);
        match *self {
            Op::BvConst(id)
            | Op::IntConst(id)
            | Op::RealConst(id)
            | Op::FloatConst(id)
            | Op::Symbol(Symbol(id))
            | Op::Value(id)
            | Op::Bound(id)
            | Op::Apply(FunctionSymbol(id))
            | Op::ZeroExtend(id)
            | Op::SignExtend(id)
            | Op::ConstArray(super::ArraySort(id))
            | Op::FpToUnsigned(id)
            | Op::FpToSigned(id) => u64::from(id),
            Op::RoundingMode(mode) => mode as u64,
            Op::Extract { high, low } => pair(high, low),
            Op::FpFromBits { exponent, significand }
            | Op::FpFromFloat { exponent, significand }
            | Op::FpFromReal { exponent, significand }
            | Op::FpFromSigned { exponent, significand }
            | Op::FpFromUnsigned { exponent, significand } => pair(exponent.into(), significand.into()),
            _ => 0,
        }
    }

    /// Whether terms with this operator are literals of their sort. Literals of one sort with
    /// different handles have different values.
    #[inline]
    pub fn is_constant(self) -> bool {
        matches!(
            self,
            Op::True
                | Op::False
                | Op::BvConst(_)
                | Op::IntConst(_)
                | Op::RealConst(_)
                | Op::FloatConst(_)
                | Op::RoundingMode(_)
        )
    }

    /// Whether terms with this operator have no children.
    #[inline]
    pub fn is_leaf(self) -> bool {
        self.is_constant() || matches!(self, Op::Symbol(_) | Op::Value(_) | Op::Bound(_))
    }
}
