//! Numbers.

use super::limits;
use grammars::source::{Diagnostic, Span};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use terms::BitVector;

pub(super) fn natural(digits: &str, span: Span) -> Result<BigUint, Diagnostic> {
    if digits.len() > limits::NUMERAL_DIGITS {
        let message = format!(
            "this numeral has {} digits; at most {} are supported",
            digits.len(),
            limits::NUMERAL_DIGITS
        );
        return Err(Diagnostic::error(span, message));
    }
    Ok(parse(digits, 10))
}

pub(super) fn decimal(text: &str, span: Span) -> Result<BigRational, Diagnostic> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    if whole.len() + fraction.len() > limits::DECIMAL_DIGITS {
        let message = format!("this decimal has more than {} digits", limits::DECIMAL_DIGITS);
        return Err(Diagnostic::error(span, message));
    }
    let mut numerator = parse(whole, 10);
    if fraction.is_empty() {
        return Ok(BigRational::from_integer(BigInt::from(numerator)));
    }
    let denominator = BigUint::from(10u32).pow(fraction.len() as u32);
    numerator = numerator * &denominator + parse(fraction, 10);
    Ok(BigRational::new(BigInt::from(numerator), BigInt::from(denominator)))
}

/// `#x` or `#b` and digits.
pub(super) fn bit_vector(text: &str, span: Span) -> Result<BitVector, Diagnostic> {
    let digits = &text[2..];
    let (bits, radix) = if text.starts_with("#x") { (4, 16) } else { (1, 2) };
    let width = digits.len() as u64 * bits;
    match u32::try_from(width) {
        Ok(width) if width <= limits::BIT_VECTOR_WIDTH => {
            if width <= 64 {
                let value = u64::from_str_radix(digits, radix).expect("the lexer accepts only digits here");
                return Ok(BitVector::new(width, value));
            }
            Ok(BitVector::from_natural(width, parse(digits, radix)))
        }
        _ => Err(too_wide(span, &width.to_string())),
    }
}

/// The error for a bit vector that exceeds the supported width.
pub(super) fn too_wide(span: Span, width: &str) -> Diagnostic {
    let width = if width.len() > 20 { "that many".to_owned() } else { width.to_owned() };
    let message = format!("bit vectors of {width} bits are not supported");
    Diagnostic::error(span, message)
        .with_help(format!("at most {} bits are supported", limits::BIT_VECTOR_WIDTH))
}

fn parse(digits: &str, radix: u32) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), radix).expect("the lexer accepts only digits here")
}
