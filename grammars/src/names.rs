//! Interned names: identifiers, and for scripts also literals.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;

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
}

impl Interner {
    /// The name with this text, created if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        let Self { text: buffer, ends, table } = self;
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

    /// The name with this text, if it exists.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<Name> {
        let hash = FxBuildHasher.hash_one(text.as_bytes());
        self.table.find(hash, |&index| slice(&self.text, &self.ends, index) == text).map(|&index| Name(index))
    }

    /// The text of a name of this interner.
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

fn slice<'a>(buffer: &'a str, ends: &[u32], index: u32) -> &'a str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &buffer[start..ends[index] as usize]
}
