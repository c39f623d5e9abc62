//! The choices that make an encoding.

use crate::{Encoder, Encoding, FloatEncoding, Overflow};
use serde::Serialize;

/// The theories of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Theories {
    /// The encoding.
    pub encoding: Encoding,
    /// What linear encodings do on overflow.
    pub overflow: Overflow,
    /// How bit-precise encodings express floats.
    pub floats: FloatEncoding,
}

impl Theories {
    /// `encoding` with results that wrap around and with floats as bit vectors: what every solver decides, and sound.
    #[must_use]
    pub fn of(encoding: Encoding) -> Self {
        Theories { encoding, overflow: Overflow::Wrap, floats: FloatEncoding::Bits }
    }

    /// An encoder without anything translated yet.
    #[must_use]
    pub fn encoder(self) -> Encoder {
        Encoder::new(self.encoding, self.overflow).with_floats(self.floats)
    }

    /// The logic of the formulas. Linear ones may have reals, for floats.
    #[must_use]
    pub fn logic(self) -> &'static str {
        let floats = if self.encoding.is_linear() { FloatEncoding::Theory } else { self.floats };
        self.encoding.logic(floats)
    }
}
