//! Unique names.

use super::is_reserved;
use crate::operators;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Names that are given once each, and that no theory defines.
#[derive(Clone, Debug)]
pub struct Unique {
    given: FxHashSet<String>,
    /// Names in use around the text.
    outer: Rc<FxHashSet<String>>,
    /// The number that a name had when it was last given with one.
    numbers: FxHashMap<String, u32>,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `x`, `x!1`, `x!2`; reserved words are names, in bars.
    Pool,
    /// `x`, `x.2`, `x.3`; reserved words have a number.
    Readers,
}

impl Unique {
    /// Names of a text for readers: of `x`, `x`, `let`, `and` these are `x`, `x.2`, `let.2`,
    /// `and.2`.
    #[must_use]
    pub fn for_readers() -> Self {
        Unique::within(Rc::default())
    }

    /// As [`for_readers`](Self::for_readers), but without the names in `outer`.
    pub(super) fn within(outer: Rc<FxHashSet<String>>) -> Self {
        Unique::new(Style::Readers, outer)
    }

    /// Names of the symbols of a pool, which a text keeps where it can: of `x`, `x`, `let`, `and`
    /// these are `x`, `x!1`, `let`, `and!1`.
    pub(super) fn of_pool() -> Self {
        Unique::new(Style::Pool, Rc::default())
    }

    fn new(style: Style, outer: Rc<FxHashSet<String>>) -> Self {
        Unique { given: FxHashSet::default(), outer, numbers: FxHashMap::default(), style }
    }

    /// All names that were given.
    pub(super) fn given(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(String::as_str)
    }

    /// Whether the name was given.
    #[must_use]
    pub fn has_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// Gives `name`, or the same with a number where that was given already or has a meaning in
    /// SMT-LIB. No symbol has bars and backslashes; they become underscores.
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

    /// Gives `name` unless it is in use.
    fn give(&mut self, name: &str) -> bool {
        !self.outer.contains(name) && self.given.insert(name.to_owned())
    }
}

impl Default for Unique {
    fn default() -> Self {
        Unique::for_readers()
    }
}
