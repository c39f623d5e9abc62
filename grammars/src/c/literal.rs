//! Reading the text of constants and string literals.

use super::ast::*;
use crate::source::Severity;

/// An error or warning inside a literal, with local offsets.
#[derive(Debug)]
pub(super) struct Complaint {
    pub(super) lo: usize,
    pub(super) hi: usize,
    pub(super) severity: Severity,
    pub(super) message: String,
}

/// A numeric constant.
#[derive(Debug)]
pub(super) enum Number {
    Integer(IntegerLiteral),
    Float(FloatLiteral),
}

/// Reads a preprocessing number.
///
/// # Errors
/// The message, if it is not a constant of C.
pub(super) fn number(bytes: &[u8]) -> Result<Number, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "this is not a number".to_owned())?;
    let lower = text.to_ascii_lowercase();
    let (radix, prefix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (Radix::Hexadecimal, 2),
        [b'0', b'b', ..] => (Radix::Binary, 2),
        [b'0', b'0'..=b'9', ..] => (Radix::Octal, 1),
        _ => (Radix::Decimal, 0),
    };
    let is_hexadecimal = radix == Radix::Hexadecimal;
    let is_digit = |byte: u8| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let digits = |from: usize| lower.as_bytes()[from..].iter().take_while(|byte| is_digit(**byte)).count();
    let mut end = prefix + digits(prefix);
    let exponent = if is_hexadecimal { b'p' } else { b'e' };
    let mut is_float = false;
    if lower.as_bytes().get(end) == Some(&b'.') {
        is_float = true;
        end += 1 + digits(end + 1);
    }
    if lower.as_bytes().get(end) == Some(&exponent) {
        is_float = true;
        end += 1 + usize::from(matches!(lower.as_bytes().get(end + 1), Some(b'+' | b'-')));
        let count = lower.as_bytes()[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
        end += count;
    } else if is_float && is_hexadecimal {
        return Err(format!("the hexadecimal floating constant `{text}` needs an exponent"));
    }
    if is_float { float(text, end, is_hexadecimal) } else { integer(text, prefix, end, radix) }
}

fn integer(text: &str, prefix: usize, end: usize, radix: Radix) -> Result<Number, String> {
    let base = match radix {
        Radix::Binary => 2,
        Radix::Octal => 8,
        Radix::Decimal => 10,
        Radix::Hexadecimal => 16,
    };
    let digits = &text[prefix..end];
    if let Some(digit) = digits.chars().find(|digit| !digit.is_digit(base)) {
        return Err(format!("invalid digit `{digit}` in the constant `{text}`"));
    }
    if digits.is_empty() {
        return Err(format!("the constant `{text}` has no digits"));
    }
    let value =
        u128::from_str_radix(digits, base).map_err(|_| "this integer constant is too large".to_owned())?;
    let suffix = &text[end..];
    let mut literal = IntegerLiteral { value, radix, is_unsigned: false, longs: 0, is_imaginary: false };
    let mut rest = suffix;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            'u' | 'U' if !literal.is_unsigned => {
                literal.is_unsigned = true;
                1
            }
            'l' | 'L' if literal.longs == 0 => {
                literal.longs = if rest.starts_with("ll") || rest.starts_with("LL") { 2 } else { 1 };
                usize::from(literal.longs)
            }
            'i' | 'I' | 'j' | 'J' if !literal.is_imaginary => {
                literal.is_imaginary = true;
                1
            }
            _ => return Err(format!("invalid suffix `{suffix}` on an integer constant")),
        };
        rest = &rest[length..];
    }
    Ok(Number::Integer(literal))
}

fn float(text: &str, end: usize, is_hexadecimal: bool) -> Result<Number, String> {
    let suffix = text[end..].to_ascii_lowercase();
    let plain = suffix.trim_start_matches(['i', 'j']).trim_end_matches(['i', 'j']);
    let is_imaginary = plain.len() < suffix.len();
    let suffix = match plain {
        "" => FloatSuffix::None,
        "f" => FloatSuffix::F,
        "l" => FloatSuffix::L,
        "f16" => FloatSuffix::F16,
        "f32" => FloatSuffix::F32,
        "f64" => FloatSuffix::F64,
        "f128" | "q" => FloatSuffix::F128,
        "f32x" => FloatSuffix::F32x,
        "f64x" | "w" => FloatSuffix::F64x,
        _ => return Err(format!("invalid suffix `{}` on a floating constant", &text[end..])),
    };
    Ok(Number::Float(FloatLiteral { text: text[..end].into(), is_hexadecimal, suffix, is_imaginary }))
}

/// Reads a character constant.
pub(super) fn character(bytes: &[u8]) -> (CharLiteral, Vec<Complaint>) {
    let (encoding, start) = encoding(bytes);
    let mut decoder = Decoder::new(encoding);
    decoder.decode(bytes, start, b'\'');
    if decoder.units.len() > 4 && encoding == Encoding::Char {
        decoder.complain(
            0,
            bytes.len(),
            Severity::Warning,
            "this character constant is too long for its type".to_owned(),
        );
    }
    if decoder.units.is_empty() {
        decoder.units.push(0);
    }
    (CharLiteral { encoding, units: decoder.units.into() }, decoder.complaints)
}

/// Reads and joins string literals. A complaint names the part to which it refers.
pub(super) fn string(parts: &[&[u8]]) -> (Encoding, StringUnits, Vec<(usize, Complaint)>) {
    let mut complaints = Vec::new();
    let mut joined = Encoding::Char;
    for (index, part) in parts.iter().enumerate() {
        let (encoding, _) = encoding(part);
        if joined == Encoding::Char {
            joined = encoding;
        } else if encoding != Encoding::Char && encoding != joined {
            let message = "string literals with different prefixes cannot be joined".to_owned();
            complaints.push((index, Complaint { lo: 0, hi: part.len(), severity: Severity::Error, message }));
        }
    }
    let is_plain = |part: &&[u8]| !part.contains(&b'\\');
    if joined == Encoding::Char && parts.iter().all(is_plain) {
        let units: Vec<u8> = parts.iter().flat_map(|part| body(part, 1, b'"')).copied().collect();
        return (joined, StringUnits::Narrow(units.into()), complaints);
    }
    let mut decoder = Decoder::new(joined);
    for (index, part) in parts.iter().enumerate() {
        let (_, start) = encoding(part);
        decoder.decode(part, start, b'"');
        complaints.extend(decoder.complaints.drain(..).map(|complaint| (index, complaint)));
    }
    let units = match joined {
        Encoding::Char | Encoding::Utf8 => {
            StringUnits::Narrow(decoder.units.iter().map(|&unit| unit as u8).collect())
        }
        Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => StringUnits::Wide(decoder.units.into()),
    };
    (joined, units, complaints)
}

/// The prefix of a literal, and the offset after the opening quote.
fn encoding(bytes: &[u8]) -> (Encoding, usize) {
    match bytes {
        [b'u', b'8', b'"' | b'\'', ..] => (Encoding::Utf8, 3),
        [b'u', ..] => (Encoding::Utf16, 2),
        [b'U', ..] => (Encoding::Utf32, 2),
        [b'L', ..] => (Encoding::Wide, 2),
        _ => (Encoding::Char, 1),
    }
}

/// The text between the quotes; the closing quote may be missing.
fn body(bytes: &[u8], start: usize, quote: u8) -> &[u8] {
    let rest = &bytes[start..];
    rest.strip_suffix(&[quote]).unwrap_or(rest)
}

struct Decoder {
    encoding: Encoding,
    units: Vec<u32>,
    complaints: Vec<Complaint>,
}

impl Decoder {
    fn new(encoding: Encoding) -> Self {
        Self { encoding, units: Vec::new(), complaints: Vec::new() }
    }

    fn complain(&mut self, lo: usize, hi: usize, severity: Severity, message: String) {
        self.complaints.push(Complaint { lo, hi, severity, message });
    }

    fn is_narrow(&self) -> bool {
        matches!(self.encoding, Encoding::Char | Encoding::Utf8)
    }

    fn decode(&mut self, bytes: &[u8], start: usize, quote: u8) {
        let bytes = &bytes[..start + body(bytes, start, quote).len()];
        let mut at = start;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte == b'\\' {
                at = self.escape(bytes, at);
            } else if byte < 0x80 || self.is_narrow() {
                self.units.push(u32::from(byte));
                at += 1;
            } else {
                at = self.multibyte(bytes, at);
            }
        }
    }

    fn multibyte(&mut self, bytes: &[u8], at: usize) -> usize {
        let candidate = &bytes[at..bytes.len().min(at + 4)];
        let valid = match std::str::from_utf8(candidate) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&candidate[..error.valid_up_to()]).unwrap_or_default(),
        };
        match valid.chars().next() {
            Some(c) => {
                self.push(c);
                at + c.len_utf8()
            }
            None => {
                self.complain(at, at + 1, Severity::Error, "this byte is not UTF-8".to_owned());
                at + 1
            }
        }
    }

    fn push(&mut self, c: char) {
        match self.encoding {
            Encoding::Char | Encoding::Utf8 => {
                self.units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            Encoding::Utf16 => {
                self.units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)));
            }
            Encoding::Wide | Encoding::Utf32 => self.units.push(u32::from(c)),
        }
    }

    /// Reads the escape at `at` and returns the offset after it.
    fn escape(&mut self, bytes: &[u8], at: usize) -> usize {
        let Some(&kind) = bytes.get(at + 1) else { return at + 1 };
        let simple = match kind {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'v' => 0x0b,
            b'e' | b'E' => 0x1b,
            b'\\' | b'\'' | b'"' | b'?' => kind,
            b'0'..=b'7' => {
                let digits =
                    bytes[at + 1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                return self.numeric(bytes, at, at + 1, at + 1 + digits, 8);
            }
            b'x' => {
                let digits = bytes[at + 2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                return self.numeric(bytes, at, at + 2, at + 2 + digits, 16);
            }
            b'u' | b'U' => return self.universal(bytes, at, if kind == b'u' { 4 } else { 8 }),
            b'\n' => return at + 2,
            b'\r' if bytes.get(at + 2) == Some(&b'\n') => return at + 3,
            _ => {
                let message = format!("unknown escape sequence `\\{}`", char::from(kind).escape_default());
                self.complain(at, at + 2, Severity::Warning, message);
                kind
            }
        };
        self.units.push(u32::from(simple));
        at + 2
    }

    fn numeric(&mut self, bytes: &[u8], at: usize, lo: usize, hi: usize, radix: u32) -> usize {
        if lo == hi {
            self.complain(at, hi, Severity::Error, "this escape sequence has no digits".to_owned());
            return hi;
        }
        let limit = match self.encoding {
            Encoding::Char | Encoding::Utf8 => 0xff,
            Encoding::Utf16 => 0xffff,
            Encoding::Wide | Encoding::Utf32 => u32::MAX,
        };
        let digits = bytes[lo..hi].iter().filter_map(|&byte| char::from(byte).to_digit(radix));
        let value =
            digits.fold(0_u64, |value, digit| (value * u64::from(radix) + u64::from(digit)).min(1 << 40));
        if value > u64::from(limit) {
            self.complain(at, hi, Severity::Warning, "this escape sequence is out of range".to_owned());
        }
        self.units.push(value as u32 & limit);
        hi
    }

    fn universal(&mut self, bytes: &[u8], at: usize, length: usize) -> usize {
        let digits = bytes[at + 2..].iter().take(length).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let hi = at + 2 + digits;
        let text = std::str::from_utf8(&bytes[at + 2..hi]).unwrap_or_default();
        let c = u32::from_str_radix(text, 16).ok().and_then(char::from_u32);
        match c {
            Some(c) if digits == length => self.push(c),
            _ => self.complain(at, hi, Severity::Error, "this is not a universal character name".to_owned()),
        }
        hi
    }
}
