//! Values, printed as the source language writes them.

use super::decimal::{self, Format};
use super::objects::{Objects, Pointer};
use grammars::source::SourceMap;
use num_bigint::BigInt;
use program::ssa::source::{SourceInfo, SourceKind, SourceType};
use program::ssa::{Program, Signedness, Type};
use terms::{BitVector, Value};

/// A scalar of the source language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceValue {
    /// A number, character or enumerator, as text.
    Scalar(String),
    /// An address.
    Pointer(Pointer),
}

impl TraceValue {
    /// Returns the value as the source writes it.
    pub fn text(&self, sources: &SourceMap) -> String {
        match self {
            TraceValue::Scalar(text) => text.clone(),
            TraceValue::Pointer(pointer) => pointer.text(sources),
        }
    }
}

/// Converts the values of a run to values of the source.
pub(super) struct Reader<'p> {
    source: &'p SourceInfo,
    pub(super) objects: Objects<'p>,
}

impl<'p> Reader<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Reader { source: &program.source, objects: Objects::new(program) }
    }

    /// Converts `value`, which has the IR type `ty` and the source type `source`, where known.
    pub(super) fn value(&self, ty: Option<Type>, source: Option<SourceType>, value: &Value) -> TraceValue {
        let bits = match value {
            Value::Bool(value) => return TraceValue::Scalar(u8::from(*value).to_string()),
            Value::BitVec(bits) => bits,
            other => unreachable!("interpreter values are Booleans or bit vectors, not {other:?}"),
        };
        if let Some(value) = source.and_then(|source| self.of_source(source, bits)) {
            return value;
        }
        match ty {
            Some(Type::Pointer { .. }) => self.pointer(None, bits),
            Some(Type::Int { signedness, .. }) => TraceValue::Scalar(integer(signedness, bits).to_string()),
            Some(Type::Bool) | None => TraceValue::Scalar(integer(Signedness::Unsigned, bits).to_string()),
        }
    }

    fn of_source(&self, source: SourceType, bits: &BitVector) -> Option<TraceValue> {
        let text = match &self.source.types[source].kind {
            SourceKind::Bool => integer(Signedness::Unsigned, bits).to_string(),
            SourceKind::Character(signedness) => character(&integer(*signedness, bits)),
            SourceKind::Integer(signedness) | SourceKind::BitField(signedness) => {
                integer(*signedness, bits).to_string()
            }
            SourceKind::Enum(signedness, constants) => {
                let value = integer(*signedness, bits);
                let named = constants.iter().find(|(constant, _)| BigInt::from(*constant) == value);
                named.map_or_else(|| value.to_string(), |(_, name)| name.clone())
            }
            &SourceKind::Float { exponent, significand } => {
                decimal::decimal(bits, Format { exponent, significand })?
            }
            &SourceKind::Pointer(pointee) => return Some(self.pointer(Some(pointee), bits)),
            SourceKind::Opaque | SourceKind::Function | SourceKind::Array(_) | SourceKind::Record(_) => {
                return None;
            }
        };
        Some(TraceValue::Scalar(text))
    }

    fn pointer(&self, pointee: Option<SourceType>, bits: &BitVector) -> TraceValue {
        match bits.to_u64() {
            Some(address) => TraceValue::Pointer(self.objects.pointer(address, pointee)),
            None => TraceValue::Scalar(format!("{:#x}", bits.to_natural())),
        }
    }
}

/// Returns the number with the bit pattern `bits`.
pub(super) fn integer(signedness: Signedness, bits: &BitVector) -> BigInt {
    match signedness {
        Signedness::Signed => bits.to_signed(),
        Signedness::Unsigned => bits.to_natural().into(),
    }
}

/// Formats a character: its code, and its glyph if it is printable.
fn character(value: &BigInt) -> String {
    let glyph = u8::try_from(value).ok().and_then(|code| {
        Some(match code {
            b'\n' => "\\n".to_owned(),
            b'\t' => "\\t".to_owned(),
            b'\r' => "\\r".to_owned(),
            0 => "\\0".to_owned(),
            b'\\' | b'\'' => format!("\\{}", char::from(code)),
            32..=126 => char::from(code).to_string(),
            _ => return None,
        })
    });
    glyph.map_or_else(|| value.to_string(), |glyph| format!("{value} '{glyph}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_glyph() {
        let shown = |value: i64| character(&BigInt::from(value));
        assert_eq!(shown(97), "97 'a'");
        assert_eq!(shown(0), "0 '\\0'");
        assert_eq!(shown(39), "39 '\\''");
        assert_eq!((shown(-1).as_str(), shown(200).as_str()), ("-1", "200"));
    }
}
