//! Generation of unique names.

use super::is_reserved;
use crate::operators;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A set of assigned names. Each name is assigned once; names that a theory defines are never
/// assigned.
#[derive(Clone, Debug)]
pub struct Unique {
    given: FxHashSet<String>,
    /// Names in use outside the text, which are never assigned.
    outer: Rc<FxHashSet<String>>,
    /// The number to try next as a suffix of each name.
    numbers: FxHashMap<String, u32>,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `x`, `x!1`, `x!2`; reserved words are legal names, quoted with bars.
    Pool,
    /// `x`, `x.2`, `x.3`; reserved words always get a number.
    Readers,
}

impl Unique {
    /// Creates a set for the names of a readable text: claiming `x`, `x`, `let`, `and` yields `x`,
    /// `x.2`, `let.2`, `and.2`.
    #[must_use]
    pub fn for_readers() -> Self {
        Unique::within(Rc::default())
    }

    /// Like [`for_readers`](Self::for_readers), but never assigns a name in `outer`.
    pub(super) fn within(outer: Rc<FxHashSet<String>>) -> Self {
        Unique::new(Style::Readers, outer)
    }

    /// Creates a set for the names of the symbols of a pool, which the text keeps where possible:
    /// claiming `x`, `x`, `let`, `and` yields `x`, `x!1`, `let`, `and!1`.
    pub(super) fn of_pool() -> Self {
        Unique::new(Style::Pool, Rc::default())
    }

    fn new(style: Style, outer: Rc<FxHashSet<String>>) -> Self {
        Unique { given: FxHashSet::default(), outer, numbers: FxHashMap::default(), style }
    }

    /// Returns all assigned names.
    pub(super) fn given(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(String::as_str)
    }

    /// Whether the name is assigned.
    #[must_use]
    pub fn has_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// Assigns and returns `name`, or `name` with a numeric suffix if it is in use or has a meaning
    /// in SMT-LIB. Bars and backslashes, which no symbol may contain, become underscores.
    pub fn claim(&mut self, name: &str) -> String {
        let name = name.replace(['|', '\\'], "_");
        let is_reserved = self.style == Style::Readers && is_reserved(&name);
        if !is_reserved && !operators::is_theory_symbol(&name) && self.give(&name) {
            return name;
        }
        let (separator, first) = match self.style {
            Style::Pool => ('!', 1),
            Style::Readers => ('.', 2),
        };
        loop {
            let number = self.numbers.entry(name.clone()).or_insert(first);
            let numbered = format!("{name}{separator}{number}");
            *number += 1;
            if self.give(&numbered) {
                return numbered;
            }
        }
    }

    /// Assigns `name` unless it is in use; returns whether it did.
    fn give(&mut self, name: &str) -> bool {
        !self.outer.contains(name) && self.given.insert(name.to_owned())
    }
}

impl Default for Unique {
    fn default() -> Self {
        Unique::for_readers()
    }
}
