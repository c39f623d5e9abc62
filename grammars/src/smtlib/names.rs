//! Interned names and literals.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A name or literal of a [`Names`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub u32);

/// The names and literals of a script, each once. They lie in one string, so that a name costs no allocation.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// The end of each name in `text`.
    ends: Vec<u32>,
    table: HashTable<u32>,
}

impl Names {
    /// The name with this text. A symbol is given without its bars, a string without its quotes.
    ///
    /// Files of a source map are at most 4 GiB together, and so are their names.
    pub fn intern(&mut self, text: &str) -> Name {
        let (all, ends) = (&self.text, &self.ends);
        let entry = self.table.entry(
            hash(text),
            |&index| slice(all, ends, index) == text,
            |&index| hash(slice(all, ends, index)),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => Name(*found.get()),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let index = ends.len() as u32;
                vacant.insert(index);
                self.text.push_str(text);
                self.ends.push(self.text.len() as u32);
                Name(index)
            }
        }
    }

    /// The name with this text, if it occurred.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Name> {
        self.table
            .find(hash(text), |&index| slice(&self.text, &self.ends, index) == text)
            .map(|&index| Name(index))
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        slice(&self.text, &self.ends, name.0)
    }

    /// The number of names; they are `Name(0)` to `Name(len - 1)`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'t>(text: &'t str, ends: &[u32], index: u32) -> &'t str {
    let start = if index == 0 { 0 } else { ends[index as usize - 1] };
    &text[start as usize..ends[index as usize] as usize]
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
