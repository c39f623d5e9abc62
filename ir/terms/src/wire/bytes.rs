//! Bytes and numbers on the wire: the primitives of the encoding of terms, values and messages.

use super::WireError;
use num_bigint::{BigInt, BigUint, Sign};

/// Appends to a buffer.
#[derive(Debug, Default)]
pub struct Writer {
    /// The bytes written.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Writes one byte.
    #[inline]
    pub fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes a number in groups of seven bits, lowest first (LEB128).
    #[inline]
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes a count or an index.
    #[inline]
    pub fn size(&mut self, value: usize) {
        self.number(value as u64);
    }

    /// Writes a length followed by the bytes.
    pub fn slice(&mut self, bytes: &[u8]) {
        self.size(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.slice(text.as_bytes());
    }

    /// Writes a natural number of any size.
    pub fn natural(&mut self, value: &BigUint) {
        let mut digits = value.iter_u64_digits();
        if digits.len() <= 1 {
            let digit = digits.next().unwrap_or(0);
            let length = 8 - digit.leading_zeros() as usize / 8;
            self.byte(length as u8);
            self.bytes.extend_from_slice(&digit.to_le_bytes()[..length]);
        } else {
            self.slice(&value.to_bytes_le());
        }
    }

    /// Writes an integer of any size.
    pub fn integer(&mut self, value: &BigInt) {
        self.byte(u8::from(value.sign() == Sign::Minus));
        self.natural(value.magnitude());
    }
}

/// Reads a buffer from the front. Every length is checked against the remaining input before memory
/// is allocated.
#[derive(Debug)]
pub struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Reads `bytes`.
    pub fn new(bytes: &'b [u8]) -> Self {
        Reader { rest: bytes }
    }

    /// Whether all input was read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads one byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, WireError> {
        let (&first, rest) = self.rest.split_first().ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(first)
    }

    /// Reads a number, see [`Writer::number`].
    #[inline]
    pub fn number(&mut self) -> Result<u64, WireError> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(WireError::Malformed("number of more than 64 bits"))
    }

    /// Reads a number of at most 32 bits.
    #[inline]
    pub fn small(&mut self) -> Result<u32, WireError> {
        u32::try_from(self.number()?).map_err(|_| WireError::Malformed("number of more than 32 bits"))
    }

    /// Reads the number of the following items, each of at least one byte.
    #[inline]
    pub fn count(&mut self) -> Result<usize, WireError> {
        let count = self.number()?;
        if count > self.rest.len() as u64 {
            return Err(WireError::Truncated);
        }
        Ok(count as usize)
    }

    /// Reads a byte slice, see [`Writer::slice`].
    pub fn slice(&mut self) -> Result<&'b [u8], WireError> {
        let length = self.count()?;
        let (bytes, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads a string.
    pub fn text(&mut self) -> Result<&'b str, WireError> {
        std::str::from_utf8(self.slice()?).map_err(|_| WireError::Malformed("name that is not UTF-8"))
    }

    /// Reads a natural number of at most [`MAX_BITS`](super::MAX_BITS) bits.
    pub fn natural(&mut self) -> Result<BigUint, WireError> {
        let bytes = self.slice()?;
        match bytes.len() {
            0..=8 => {
                let mut digit = [0; 8];
                digit[..bytes.len()].copy_from_slice(bytes);
                Ok(BigUint::from(u64::from_le_bytes(digit)))
            }
            length if length as u64 * 8 > super::MAX_BITS => {
                Err(WireError::Malformed("constant exceeds the size limit"))
            }
            _ => Ok(BigUint::from_bytes_le(bytes)),
        }
    }

    /// Reads an integer with a magnitude of at most [`MAX_BITS`](super::MAX_BITS) bits.
    pub fn integer(&mut self) -> Result<BigInt, WireError> {
        let sign = match self.byte()? {
            0 => Sign::Plus,
            1 => Sign::Minus,
            _ => return Err(WireError::Malformed("invalid sign")),
        };
        Ok(BigInt::from_biguint(sign, self.natural()?))
    }

    /// Takes the remaining input.
    pub fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.rest)
    }
}
