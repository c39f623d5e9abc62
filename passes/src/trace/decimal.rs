//! Prints floating-point numbers of any format as decimals.
//!
//! The output has the fewest digits that round to the same number. The search tries one digit, two
//! digits, and so on. It is slow but simple, which suffices for the few values of a trace.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use terms::BitVector;

/// A floating-point format: the widths in bits of the exponent and of the significand, with the
/// significand's leading bit included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) exponent: u32,
    pub(super) significand: u32,
}

/// The x87 extended format, which stores the leading bit of the significand explicitly.
const X87: Format = Format { exponent: 15, significand: 64 };

/// The largest number of digits tried; sufficient for binary128.
const MAX_DIGITS: u32 = 40;

/// Formats the number with the pattern `bits`; `None` if the width of `bits` does not match
/// `format`.
pub(super) fn decimal(bits: &BitVector, format: Format) -> Option<String> {
    let fraction_bits = if format == X87 { format.significand } else { format.significand - 1 };
    let exponent_start = fraction_bits;
    let sign = exponent_start + format.exponent;
    // The x87's format is stored with padding above.
    if bits.width() < sign + 1 || (format != X87 && bits.width() != sign + 1) {
        return None;
    }
    let fraction = bits.extract(fraction_bits - 1, 0).to_natural();
    let exponent = bits.extract(sign - 1, exponent_start).to_natural().to_i64()?;
    let minus = if bits.bit(sign) { "-" } else { "" };
    let fraction = match format == X87 {
        true => &fraction & &((BigUint::one() << (fraction_bits - 1)) - 1u32),
        false => fraction,
    };
    let largest = (1i64 << format.exponent) - 1;
    if exponent == largest {
        return Some(if fraction.is_zero() { format!("{minus}inf") } else { "nan".to_owned() });
    }
    let bias = (1i64 << (format.exponent - 1)) - 1;
    let lowest = exponent.max(1) - bias - (i64::from(format.significand) - 1);
    let significand = match exponent {
        0 => fraction,
        _ => fraction + (BigUint::one() << (format.significand - 1)),
    };
    if significand.is_zero() {
        return Some(format!("{minus}0.0"));
    }
    let (digits, point) = shortest(&significand, lowest, format.significand);
    Some(format!("{minus}{}", layout(&digits, point)))
}

/// Returns the shortest digits `d` and the exponent `p` such that `0.d × 10^p` rounds to `m × 2^e`
/// among the numbers with `precision` bits.
fn shortest(m: &BigUint, e: i64, precision: u32) -> (String, i64) {
    // Below a power of two, floating-point numbers are twice as dense as above it.
    let is_first = m.bits() == u64::from(precision) && (m - BigUint::one()).bits() < m.bits();
    for count in 1..MAX_DIGITS {
        let (digits, point) = rounded(m, e, count);
        // All numbers are scaled by 4 and by the powers of 10 and 2 that make them integers.
        let (mut candidate, mut number) = (digits.clone() * 4u32, m * 4u32);
        let mut quarter = BigUint::one();
        match point - i64::from(count) {
            power if power >= 0 => candidate *= power_of(10, power),
            power => {
                number *= power_of(10, power);
                quarter *= power_of(10, power);
            }
        }
        match e {
            power if power >= 0 => {
                number *= power_of(2, power);
                quarter *= power_of(2, power);
            }
            power => candidate *= power_of(2, power),
        }
        let is_below = candidate < number;
        let distance = if is_below { number - candidate } else { candidate - number };
        let room = if is_below && is_first { quarter } else { quarter * 2u32 };
        if distance < room {
            return (digits.to_string().trim_end_matches('0').to_owned(), point);
        }
    }
    let (digits, point) = rounded(m, e, MAX_DIGITS);
    (digits.to_string(), point)
}

/// Returns `base^|power|`.
fn power_of(base: u32, power: i64) -> BigUint {
    BigUint::from(base).pow(power.unsigned_abs() as u32)
}

/// Rounds `m × 2^e` to `0.d × 10^p` with at most `count` digits `d`; returns `d` and `p`.
fn rounded(m: &BigUint, e: i64, count: u32) -> (BigUint, i64) {
    // An estimate of the number of digits before the point; it may be too small, never too large.
    let log2 = (m.bits() as i64 + e) as f64;
    let mut point = (log2 * std::f64::consts::LOG10_2).floor() as i64 - 1;
    loop {
        let (mut numerator, mut denominator) = (m.clone(), BigUint::one());
        for (base, power) in [(2, e), (10, i64::from(count) - point)] {
            if power >= 0 {
                numerator *= power_of(base, power);
            } else {
                denominator *= power_of(base, power);
            }
        }
        let digits = (numerator * 2u32 + &denominator) / (denominator * 2u32);
        if digits.to_string().len() as u32 <= count {
            return (digits, point);
        }
        point += 1;
    }
}

/// Formats `0.digits × 10^point` in the notation of C.
fn layout(digits: &str, point: i64) -> String {
    let count = digits.len() as i64;
    match point {
        -3..=0 => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        1..=16 if point >= count => format!("{digits}{}.0", "0".repeat((point - count) as usize)),
        1..=16 => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        _ => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
            format!("{first}{rest}e{}", point - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOAT: Format = Format { exponent: 8, significand: 24 };
    const DOUBLE: Format = Format { exponent: 11, significand: 53 };

    fn double(value: f64) -> String {
        decimal(&BitVector::new(64, value.to_bits()), DOUBLE).expect("a double")
    }

    fn float(value: f32) -> String {
        decimal(&BitVector::new(32, u64::from(value.to_bits())), FLOAT).expect("a float")
    }

    #[test]
    fn numbers_are_written_as_in_c() {
        assert_eq!(double(0.1), "0.1");
        assert_eq!(double(-2.5), "-2.5");
        assert_eq!(double(100.0), "100.0");
        assert_eq!(double(0.0), "0.0");
        assert_eq!(double(-0.0), "-0.0");
        assert_eq!(double(1e300), "1e300");
        assert_eq!(double(0.0005), "0.0005");
        assert_eq!(double(5e-324), "5e-324");
        assert_eq!(float(16_777_216.0), "16777216.0");
        assert_eq!((double(f64::INFINITY).as_str(), double(f64::NAN).as_str()), ("inf", "nan"));
        assert_eq!(float(f32::NEG_INFINITY), "-inf");
        assert_eq!(float(0.1), "0.1");
    }

    #[test]
    fn digits_are_as_short_as_those_of_the_standard_library() {
        let mut random = terms::Random::new(7);
        for _ in 0..2000 {
            let value = f64::from_bits(random.number());
            if value.is_finite() {
                let text = double(value);
                assert_eq!(text.parse::<f64>().expect("a number").to_bits(), value.to_bits(), "{text}");
                let digits = |text: &str| {
                    let digits: String = text.split(['e', 'E']).next().unwrap_or("").replace(['.', '-'], "");
                    digits.trim_matches('0').len()
                };
                assert!(digits(&text) <= digits(&format!("{value:e}")), "{text} {value:e}");
            }
        }
    }

    #[test]
    fn other_formats_have_numbers_too() {
        let half = Format { exponent: 5, significand: 11 };
        assert_eq!(decimal(&BitVector::new(16, 0x3c00), half).as_deref(), Some("1.0"));
        assert_eq!(decimal(&BitVector::new(16, 0x2e66), half).as_deref(), Some("0.1"));
        let one = BitVector::new(64, 0x3fff).concat(&BitVector::new(64, 1 << 63));
        assert_eq!(decimal(&one, X87).as_deref(), Some("1.0"));
        assert_eq!(decimal(&BitVector::new(16, 0), FLOAT), None);
    }
}
