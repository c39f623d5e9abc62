//! The symbols of the theories.

use super::elaborate::Context;
use super::logic::Logic;
use super::sort::{format, index, width_index};
use grammars::smtlib::{List, Name, Node};
use grammars::source::Diagnostic;
use terms::{Op, RoundingMode};

/// A symbol of a theory, including its indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Truth(bool),
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
    Add,
    Subtract,
    Multiply,
    Divide,
    IntDivide,
    Modulo,
    Abs,
    Compare(Comparison),
    ToReal,
    ToInt,
    IsInt,
    /// The divisor, a numeral.
    Divisible(Name),
    /// A constant `(_ bvN width)`; the name includes its `bv`.
    BvConstant(Name, u32),
    BvUnary(Op),
    /// Left associative, with two or more arguments.
    BvLeft(Op),
    BvBinary(Op),
    /// The operator with a negated result.
    BvNegated(Op),
    BvCompare(Op, Order),
    BvComp,
    BvSmod,
    Concat,
    Extract(u32, u32),
    Repeat(u32),
    ZeroExtend(u32),
    SignExtend(u32),
    RotateLeft(u32),
    RotateRight(u32),
    /// Whether all bits are set, or any bit is set, as one bit.
    Reduce(Op),
    Overflow(Overflow),
    BvToInt(Signedness),
    IntToBv(u32),
    Select,
    Store,
    Mode(RoundingMode),
    FloatConstant(FloatConstant, u16, u16),
    /// From sign, exponent and significand.
    FloatParts,
    Float(Op),
    FloatCompare(Op, Order),
    ToFloat(u16, u16),
    ToFloatUnsigned(u16, u16),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
}

/// Whether the arguments of a comparison are swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Kept,
    Swapped,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signedness {
    Unsigned,
    Signed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overflow {
    Negate,
    UnsignedAdd,
    SignedAdd,
    UnsignedSubtract,
    SignedSubtract,
    UnsignedMultiply,
    SignedMultiply,
    SignedDivide,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatConstant {
    PlusInfinity,
    MinusInfinity,
    PlusZero,
    MinusZero,
    NotANumber,
}

/// The symbols without indices, for lookup and suggestions.
pub(super) const PLAIN: &[(&str, Operator)] = &[
    ("true", Operator::Truth(true)),
    ("false", Operator::Truth(false)),
    ("not", Operator::Not),
    ("and", Operator::And),
    ("or", Operator::Or),
    ("xor", Operator::Xor),
    ("=>", Operator::Implies),
    ("=", Operator::Equal),
    ("distinct", Operator::Distinct),
    ("ite", Operator::Ite),
    ("+", Operator::Add),
    ("-", Operator::Subtract),
    ("*", Operator::Multiply),
    ("/", Operator::Divide),
    ("div", Operator::IntDivide),
    ("mod", Operator::Modulo),
    ("abs", Operator::Abs),
    ("<=", Operator::Compare(Comparison::LessEqual)),
    ("<", Operator::Compare(Comparison::Less)),
    (">=", Operator::Compare(Comparison::GreaterEqual)),
    (">", Operator::Compare(Comparison::Greater)),
    ("to_real", Operator::ToReal),
    ("to_int", Operator::ToInt),
    ("is_int", Operator::IsInt),
    ("select", Operator::Select),
    ("store", Operator::Store),
    ("bvnot", Operator::BvUnary(Op::BvNot)),
    ("bvneg", Operator::BvUnary(Op::BvNeg)),
    ("bvand", Operator::BvLeft(Op::BvAnd)),
    ("bvor", Operator::BvLeft(Op::BvOr)),
    ("bvxor", Operator::BvLeft(Op::BvXor)),
    ("bvadd", Operator::BvLeft(Op::BvAdd)),
    ("bvmul", Operator::BvLeft(Op::BvMul)),
    ("bvsub", Operator::BvBinary(Op::BvSub)),
    ("bvudiv", Operator::BvBinary(Op::BvUdiv)),
    ("bvurem", Operator::BvBinary(Op::BvUrem)),
    ("bvsdiv", Operator::BvBinary(Op::BvSdiv)),
    ("bvsrem", Operator::BvBinary(Op::BvSrem)),
    ("bvshl", Operator::BvBinary(Op::BvShl)),
    ("bvlshr", Operator::BvBinary(Op::BvLshr)),
    ("bvashr", Operator::BvBinary(Op::BvAshr)),
    ("bvnand", Operator::BvNegated(Op::BvAnd)),
    ("bvnor", Operator::BvNegated(Op::BvOr)),
    ("bvxnor", Operator::BvNegated(Op::BvXor)),
    ("bvsmod", Operator::BvSmod),
    ("bvcomp", Operator::BvComp),
    ("bvult", Operator::BvCompare(Op::BvUlt, Order::Kept)),
    ("bvule", Operator::BvCompare(Op::BvUle, Order::Kept)),
    ("bvugt", Operator::BvCompare(Op::BvUlt, Order::Swapped)),
    ("bvuge", Operator::BvCompare(Op::BvUle, Order::Swapped)),
    ("bvslt", Operator::BvCompare(Op::BvSlt, Order::Kept)),
    ("bvsle", Operator::BvCompare(Op::BvSle, Order::Kept)),
    ("bvsgt", Operator::BvCompare(Op::BvSlt, Order::Swapped)),
    ("bvsge", Operator::BvCompare(Op::BvSle, Order::Swapped)),
    ("bvredand", Operator::Reduce(Op::BvAnd)),
    ("bvredor", Operator::Reduce(Op::BvOr)),
    ("bvnego", Operator::Overflow(Overflow::Negate)),
    ("bvuaddo", Operator::Overflow(Overflow::UnsignedAdd)),
    ("bvsaddo", Operator::Overflow(Overflow::SignedAdd)),
    ("bvusubo", Operator::Overflow(Overflow::UnsignedSubtract)),
    ("bvssubo", Operator::Overflow(Overflow::SignedSubtract)),
    ("bvumulo", Operator::Overflow(Overflow::UnsignedMultiply)),
    ("bvsmulo", Operator::Overflow(Overflow::SignedMultiply)),
    ("bvsdivo", Operator::Overflow(Overflow::SignedDivide)),
    ("concat", Operator::Concat),
    ("bv2nat", Operator::BvToInt(Signedness::Unsigned)),
    ("ubv_to_int", Operator::BvToInt(Signedness::Unsigned)),
    ("sbv_to_int", Operator::BvToInt(Signedness::Signed)),
    ("RNE", Operator::Mode(RoundingMode::NearestEven)),
    ("roundNearestTiesToEven", Operator::Mode(RoundingMode::NearestEven)),
    ("RNA", Operator::Mode(RoundingMode::NearestAway)),
    ("roundNearestTiesToAway", Operator::Mode(RoundingMode::NearestAway)),
    ("RTP", Operator::Mode(RoundingMode::TowardPositive)),
    ("roundTowardPositive", Operator::Mode(RoundingMode::TowardPositive)),
    ("RTN", Operator::Mode(RoundingMode::TowardNegative)),
    ("roundTowardNegative", Operator::Mode(RoundingMode::TowardNegative)),
    ("RTZ", Operator::Mode(RoundingMode::TowardZero)),
    ("roundTowardZero", Operator::Mode(RoundingMode::TowardZero)),
    ("fp", Operator::FloatParts),
    ("fp.abs", Operator::Float(Op::FpAbs)),
    ("fp.neg", Operator::Float(Op::FpNeg)),
    ("fp.add", Operator::Float(Op::FpAdd)),
    ("fp.sub", Operator::Float(Op::FpSub)),
    ("fp.mul", Operator::Float(Op::FpMul)),
    ("fp.div", Operator::Float(Op::FpDiv)),
    ("fp.fma", Operator::Float(Op::FpFma)),
    ("fp.sqrt", Operator::Float(Op::FpSqrt)),
    ("fp.rem", Operator::Float(Op::FpRem)),
    ("fp.roundToIntegral", Operator::Float(Op::FpRoundToIntegral)),
    ("fp.min", Operator::Float(Op::FpMin)),
    ("fp.max", Operator::Float(Op::FpMax)),
    ("fp.leq", Operator::FloatCompare(Op::FpLe, Order::Kept)),
    ("fp.lt", Operator::FloatCompare(Op::FpLt, Order::Kept)),
    ("fp.geq", Operator::FloatCompare(Op::FpLe, Order::Swapped)),
    ("fp.gt", Operator::FloatCompare(Op::FpLt, Order::Swapped)),
    ("fp.eq", Operator::FloatCompare(Op::FpEq, Order::Kept)),
    ("fp.isNormal", Operator::Float(Op::FpIsNormal)),
    ("fp.isSubnormal", Operator::Float(Op::FpIsSubnormal)),
    ("fp.isZero", Operator::Float(Op::FpIsZero)),
    ("fp.isInfinite", Operator::Float(Op::FpIsInfinite)),
    ("fp.isNaN", Operator::Float(Op::FpIsNan)),
    ("fp.isNegative", Operator::Float(Op::FpIsNegative)),
    ("fp.isPositive", Operator::Float(Op::FpIsPositive)),
    ("fp.to_real", Operator::Float(Op::FpToReal)),
];

/// The symbols with indices, for suggestions.
pub(super) const INDEXED: &[&str] = &[
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "int2bv",
    "int_to_bv",
    "divisible",
    "to_fp",
    "to_fp_unsigned",
    "fp.to_ubv",
    "fp.to_sbv",
    "+oo",
    "-oo",
    "+zero",
    "-zero",
    "NaN",
];

/// The operator `(_ name indices…)`; `None` if it does not exist.
pub(super) fn indexed(
    cx: &Context<'_>,
    node: Node,
    name: Name,
    indices: List,
) -> Result<Option<Operator>, Diagnostic> {
    let text = cx.names.text(name);
    let list = cx.tree.list(indices);
    let count = match text {
        "extract" | "to_fp" | "to_fp_unsigned" | "+oo" | "-oo" | "+zero" | "-zero" | "NaN" => 2,
        _ if INDEXED.contains(&text) => 1,
        _ if is_bv_constant(text) => 1,
        _ => return Ok(None),
    };
    if list.len() != count {
        let expected = if count == 1 { "1 index" } else { "2 indices" };
        let message = format!("`{text}` takes {expected}, not {}", list.len());
        return Err(Diagnostic::error(cx.tree.span(node), message));
    }
    // An index that exceeds a word also exceeds every width that an operator checks it against.
    let number = |at: usize| index(cx, list[at]).map(|index| index.unwrap_or(u32::MAX));
    let float = || format(cx, list[0], list[1]);
    Ok(Some(match text {
        "extract" => Operator::Extract(number(0)?, number(1)?),
        "repeat" => Operator::Repeat(number(0)?),
        "zero_extend" => Operator::ZeroExtend(number(0)?),
        "sign_extend" => Operator::SignExtend(number(0)?),
        "rotate_left" | "rotate_right" => {
            let Some(distance) = index(cx, list[0])? else {
                return Err(Diagnostic::error(cx.tree.span(list[0]), "unsupported rotation distance"));
            };
            if text == "rotate_left" {
                Operator::RotateLeft(distance)
            } else {
                Operator::RotateRight(distance)
            }
        }
        "int2bv" | "int_to_bv" => Operator::IntToBv(width_index(cx, list[0])?),
        "divisible" => {
            index(cx, list[0])?;
            let grammars::smtlib::NodeKind::Numeral(divisor) = cx.tree.kind(list[0]) else {
                unreachable!("an index is a numeral")
            };
            Operator::Divisible(divisor)
        }
        "to_fp" | "to_fp_unsigned" | "+oo" | "-oo" | "+zero" | "-zero" | "NaN" => {
            let (e, s) = float()?;
            match text {
                "to_fp" => Operator::ToFloat(e, s),
                "to_fp_unsigned" => Operator::ToFloatUnsigned(e, s),
                "+oo" => Operator::FloatConstant(FloatConstant::PlusInfinity, e, s),
                "-oo" => Operator::FloatConstant(FloatConstant::MinusInfinity, e, s),
                "+zero" => Operator::FloatConstant(FloatConstant::PlusZero, e, s),
                "-zero" => Operator::FloatConstant(FloatConstant::MinusZero, e, s),
                _ => Operator::FloatConstant(FloatConstant::NotANumber, e, s),
            }
        }
        "fp.to_ubv" => Operator::Float(Op::FpToUnsigned(width_index(cx, list[0])?)),
        "fp.to_sbv" => Operator::Float(Op::FpToSigned(width_index(cx, list[0])?)),
        _ => Operator::BvConstant(name, width_index(cx, list[0])?),
    }))
}

/// Whether the name consists of `bv` and digits.
fn is_bv_constant(text: &str) -> bool {
    text.strip_prefix("bv")
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The theory of a plain symbol whose meaning is reserved in the logic; `None` for extensions of
/// the standard.
pub(super) fn theory(operator: Operator, logic: Logic) -> Option<&'static str> {
    use Operator as O;
    let (name, is_in_logic) = match operator {
        O::Truth(_) | O::Not | O::And | O::Or | O::Xor | O::Implies | O::Equal | O::Distinct | O::Ite => {
            ("Core", true)
        }
        O::Add | O::Subtract | O::Multiply | O::Compare(_) => {
            ("Ints and Reals", logic.integers || logic.reals)
        }
        O::IntDivide | O::Modulo | O::Abs => ("Ints", logic.integers),
        O::Divide => ("Reals", logic.reals),
        O::ToReal | O::ToInt | O::IsInt => ("Reals_Ints", logic.integers && logic.reals),
        O::Select | O::Store => ("ArraysEx", logic.arrays),
        O::Mode(_) | O::FloatParts | O::Float(_) | O::FloatCompare(..) => ("FloatingPoint", logic.floats),
        O::Reduce(_) | O::Overflow(_) | O::BvToInt(_) => return None,
        _ => ("FixedSizeBitVectors", logic.bit_vectors),
    };
    is_in_logic.then_some(name)
}
