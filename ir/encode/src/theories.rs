//! The choice of theories for formulas.

use crate::{Encoder, Encoding, FloatEncoding, Overflow, Reads};
use serde::Serialize;

/// The theories of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Theories {
    /// The encoding.
    pub encoding: Encoding,
    /// The overflow semantics of linear encodings.
    pub overflow: Overflow,
    /// The translation of floats in bit-precise encodings.
    pub floats: FloatEncoding,
    /// The translation of reads in bit-precise encodings with arrays.
    pub reads: Reads,
}

impl Theories {
    /// `encoding` with wrap-around arithmetic and floats as bit vectors: sound, and supported by
    /// every solver.
    #[must_use]
    pub fn of(encoding: Encoding) -> Self {
        Theories { encoding, overflow: Overflow::Wrap, floats: FloatEncoding::Bits, reads: Reads::Select }
    }

    /// The same with memory as arrays, if these have memory as functions without quantifiers.
    #[must_use]
    pub fn with_arrays(self) -> Self {
        let encoding = match self.encoding {
            Encoding::QfUfbvfp => Encoding::QfAbvfp,
            Encoding::QfUflira => Encoding::QfAuflira,
            other => other,
        };
        Theories { encoding, ..self }
    }

    /// Creates an encoder.
    #[must_use]
    pub fn encoder(self) -> Encoder {
        Encoder::new(self.encoding, self.overflow).with_floats(self.floats).with_reads(self.reads)
    }

    /// The SMT-LIB logic of the formulas. Formulas of linear encodings may contain reals, for
    /// floats.
    #[must_use]
    pub fn logic(self) -> &'static str {
        let floats = if self.encoding.is_linear() { FloatEncoding::Theory } else { self.floats };
        self.encoding.logic(floats)
    }
}
