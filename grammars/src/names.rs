//! Interned names: identifiers, and for scripts also literals.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;
use std::ops::Range;

/// A name of one [`Interner`]; equal names are equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Name(pub u32);

impl Name {
    /// The number, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of one translation unit or script: one buffer of text, one table of hashes, so that a
/// name costs no allocation.
#[derive(Clone, Default, Debug)]
pub struct Interner {
    text: String,
    /// The end of each name in `text`; a name starts at the end of the previous one.
    ends: Vec<u32>,
    table: HashTable<u32>,
    /// The names of recent short ASCII words, see [`intern_ascii`](Interner::intern_ascii).
    recent: Vec<(u64, Name)>,
}

/// The number of entries of the table of recent words, a power of two.
const RECENT: usize = 512;

impl Interner {
    /// The name with this text, created if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        let Self { text: buffer, ends, table, .. } = self;
        let slice = |index: u32| slice(buffer, ends, index);
        let hash = FxBuildHasher.hash_one(text.as_bytes());
        if let Some(&index) = table.find(hash, |&index| slice(index) == text) {
            return Name(index);
        }
        let index = u32::try_from(ends.len()).expect("fewer than 2^32 names fit in 4 GiB of source");
        table.insert_unique(hash, index, |&index| FxBuildHasher.hash_one(slice(index).as_bytes()));
        buffer.push_str(text);
        ends.push(
            u32::try_from(buffer.len()).expect("the names are shorter than the source, which is below 4 GiB"),
        );
        Name(index)
    }

    /// The name of `bytes[range]`, which are not empty, ASCII and without a NUL. Faster than
    /// [`intern`](Self::intern) for words of up to eight bytes that occur often: a table finds
    /// their names by the word as a number.
    ///
    /// # Panics
    /// If the bytes are not UTF-8.
    #[inline]
    pub fn intern_ascii(&mut self, bytes: &[u8], range: Range<usize>) -> Name {
        let length = range.len();
        let Some(&eight) = bytes.get(range.start..).and_then(|rest| rest.first_chunk::<8>()) else {
            return self.intern_bytes(&bytes[range]);
        };
        if length == 0 || length > 8 {
            return self.intern_bytes(&bytes[range]);
        }
        let word = u64::from_le_bytes(eight) & (u64::MAX >> (64 - 8 * length));
        let index = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize % RECENT;
        match self.recent.get(index) {
            Some(&(known, name)) if known == word => name,
            _ => {
                let name = self.intern_bytes(&bytes[range]);
                if self.recent.is_empty() {
                    self.recent.resize(RECENT, (0, name));
                }
                self.recent[index] = (word, name);
                name
            }
        }
    }

    fn intern_bytes(&mut self, bytes: &[u8]) -> Name {
        self.intern(std::str::from_utf8(bytes).expect("the word should be ASCII"))
    }

    /// The name with this text, if it exists.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<Name> {
        let hash = FxBuildHasher.hash_one(text.as_bytes());
        self.table.find(hash, |&index| slice(&self.text, &self.ends, index) == text).map(|&index| Name(index))
    }

    /// The text of a name of this interner.
    #[inline]
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        slice(&self.text, &self.ends, name.0)
    }

    /// The number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

#[inline]
fn slice<'a>(buffer: &'a str, ends: &[u32], index: u32) -> &'a str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &buffer[start..ends[index] as usize]
}
