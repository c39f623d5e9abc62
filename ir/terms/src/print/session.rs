//! The text of a conversation with a solver, command by command.
//!
//! A [`Script`](super::Script) is complete; the text of a conversation grows. Each entity keeps the
//! name of its first occurrence, and its declaration lives as long as the scope in which it was
//! written, as in a solver without `:global-declarations`.

use super::Declared;
use super::names::Names;
use super::writer::Writer;
use crate::{FunctionSymbol, Op, Symbol, Term, TermPool};
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};

/// The names and declarations of a conversation about terms of one pool.
pub struct Session {
    names: Names,
    known: FxHashSet<Declared>,
    /// The declared entities and sorts, in order.
    declared: Vec<Scoped>,
    is_declared: FxHashSet<Scoped>,
    /// For each open scope, the number of older declarations.
    scopes: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scoped {
    Entity(Declared),
    Sort(u32),
}

impl Default for Session {
    fn default() -> Self {
        Session::new()
    }
}

impl Session {
    /// A conversation without declarations.
    #[must_use]
    pub fn new() -> Self {
        Session {
            names: Names::empty(),
            known: FxHashSet::default(),
            declared: Vec::new(),
            is_declared: FxHashSet::default(),
            scopes: Vec::new(),
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(self.declared.len());
    }

    /// Closes the innermost scope, if one is open: its declarations are forgotten.
    pub fn pop(&mut self) {
        if let Some(older) = self.scopes.pop() {
            for gone in self.declared.drain(older..) {
                self.is_declared.remove(&gone);
            }
        }
    }

    /// Writes the declarations that `terms` need beyond those in scope.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn declare(&mut self, out: &mut dyn Write, pool: &TermPool, terms: &[Term]) -> fmt::Result {
        let Session { names, known, declared, is_declared, .. } = self;
        names.extend(pool, terms, known);
        names.sorts.retain(|&sort| is_declared.insert(Scoped::Sort(sort)));
        names.declared.retain(|&thing| is_declared.insert(Scoped::Entity(thing)));
        declared.extend(names.sorts.iter().map(|&sort| Scoped::Sort(sort)));
        declared.extend(names.declared.iter().map(|&thing| Scoped::Entity(thing)));
        names.write_declarations(out, pool)
    }

    /// Writes a term whose symbols are declared, with `let`s.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn term(&self, out: &mut dyn Write, pool: &TermPool, term: Term) -> fmt::Result {
        Writer::new(pool, &self.names).term(out, term)
    }

    /// Whether the symbol, function or sort that `term` has at its root is declared. `None` if
    /// `term` needs no declaration of its own.
    #[must_use]
    pub fn declares(&self, pool: &TermPool, term: Term) -> Option<bool> {
        let thing = match pool.op(term) {
            Op::Symbol(symbol) => Declared::Symbol(symbol),
            Op::Apply(function) => Declared::Function(function),
            _ => return None,
        };
        Some(self.is_declared.contains(&Scoped::Entity(thing)))
    }

    /// Whether the function is declared.
    #[must_use]
    pub fn declares_function(&self, function: FunctionSymbol) -> bool {
        self.is_declared.contains(&Scoped::Entity(Declared::Function(function)))
    }

    /// The declared symbols, in order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.declared.iter().filter_map(|thing| match thing {
            Scoped::Entity(Declared::Symbol(symbol)) => Some(*symbol),
            _ => None,
        })
    }

    /// Whether the name of a declared entity differs from that in the pool.
    #[must_use]
    pub fn has_renamed(&self) -> bool {
        self.declared.iter().any(|thing| match thing {
            Scoped::Entity(thing) => self.names.is_renamed(*thing),
            Scoped::Sort(_) => false,
        })
    }

    /// Writes the declarations in scope again.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn declarations(&mut self, out: &mut dyn Write, pool: &TermPool) -> fmt::Result {
        self.names.sorts.clear();
        self.names.declared.clear();
        for thing in &self.declared {
            match *thing {
                Scoped::Entity(thing) => self.names.declared.push(thing),
                Scoped::Sort(sort) => self.names.sorts.push(sort),
            }
        }
        self.names.write_declarations(out, pool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    fn declared(session: &mut Session, pool: &TermPool, term: Term) -> String {
        let mut text = String::new();
        session.declare(&mut text, pool, &[term]).expect("a string takes any text");
        session.term(&mut text, pool, term).expect("a string takes any text");
        text
    }

    #[test]
    fn declarations_live_as_long_as_their_scope_and_names_are_kept() {
        let mut pool = TermPool::new();
        let (int, bits) = (pool.symbol("x", Sort::Int), pool.symbol("x", Sort::BitVec(4)));
        let mut session = Session::new();
        assert_eq!(declared(&mut session, &pool, int), "(declare-fun x () Int)\nx");
        session.push();
        assert_eq!(declared(&mut session, &pool, bits), "(declare-fun x!1 () (_ BitVec 4))\nx!1");
        assert_eq!(declared(&mut session, &pool, bits), "x!1");
        assert!(session.has_renamed());
        session.pop();
        assert_eq!(session.declares(&pool, bits), Some(false));
        assert_eq!(declared(&mut session, &pool, int), "x");
        assert!(!session.has_renamed());
        assert_eq!(declared(&mut session, &pool, bits), "(declare-fun x!1 () (_ BitVec 4))\nx!1");
    }
}
