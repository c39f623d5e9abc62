//! Scopes: the meaning of names and tags.
//!
//! The current meaning of a name is found by index. Leaving a scope restores the hidden meanings.

use crate::c::hir::{Bits, FunctionId, GlobalId, LocalId};
use crate::c::types::{QualType, TypeId};
use grammars::c::ast::Name;
use grammars::source::Span;

/// The meaning of an identifier.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Local(LocalId),
    Global(GlobalId),
    Function(FunctionId),
    Typedef {
        ty: QualType,
        /// The alignment requested by `aligned` in the typedef.
        align: Option<u64>,
    },
    EnumConstant {
        ty: TypeId,
        value: Bits,
    },
    /// An identifier whose declaration is erroneous; the error was reported.
    Error,
}

/// The entry of an identifier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) meaning: Meaning,
    /// The position of the declaration.
    pub(super) span: Span,
    /// The depth of the declaring scope; 0 is file scope.
    pub(super) depth: u32,
}

/// The entry of a tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) ty: TypeId,
    pub(super) depth: u32,
}

enum Undo {
    Symbol(Name, Option<Symbol>),
    Tag(Name, Option<Tag>),
}

/// The declarations of a scope that was left: a parameter list, whose scope the function body
/// continues.
#[derive(Default, Debug)]
pub(super) struct Declared {
    symbols: Vec<(Name, Symbol)>,
    tags: Vec<(Name, TypeId)>,
}

/// The open scopes.
#[derive(Default)]
pub(super) struct Scopes {
    symbols: Vec<Option<Symbol>>,
    tags: Vec<Option<Tag>>,
    undo: Vec<Undo>,
    /// The length of `undo` at the start of each inner scope.
    starts: Vec<usize>,
}

impl Scopes {
    /// The number of open scopes, excluding file scope.
    pub(super) fn depth(&self) -> u32 {
        self.starts.len() as u32
    }

    pub(super) fn enter(&mut self) {
        self.starts.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.starts.pop().expect("leaving a scope follows entering it");
        while self.undo.len() > start {
            match self.undo.pop() {
                Some(Undo::Symbol(name, old)) => self.symbols[name.index()] = old,
                Some(Undo::Tag(name, old)) => self.tags[name.index()] = old,
                None => break,
            }
        }
    }

    /// Leaves the innermost scope. Returns its declarations, for [`restore`](Self::restore).
    pub(super) fn leave_keeping(&mut self) -> Declared {
        let start = *self.starts.last().expect("leaving a scope follows entering it");
        let mut declared = Declared::default();
        for undo in &self.undo[start..] {
            match *undo {
                Undo::Symbol(name, _) => {
                    declared.symbols.extend(self.symbol(name).map(|symbol| (name, symbol)));
                }
                Undo::Tag(name, _) => declared.tags.extend(self.tag(name).map(|tag| (name, tag.ty))),
            }
        }
        self.leave();
        declared
    }

    /// Repeats the declarations of another scope in the innermost scope.
    pub(super) fn restore(&mut self, declared: &Declared) {
        for &(name, symbol) in &declared.symbols {
            self.declare(name, symbol.meaning, symbol.span);
        }
        for &(name, ty) in &declared.tags {
            self.declare_tag(name, ty);
        }
    }

    pub(super) fn symbol(&self, name: Name) -> Option<Symbol> {
        self.symbols.get(name.index()).copied().flatten()
    }

    /// Returns the symbol if the innermost scope declares it.
    pub(super) fn symbol_here(&self, name: Name) -> Option<Symbol> {
        self.symbol(name).filter(|symbol| symbol.depth == self.depth())
    }

    pub(super) fn declare(&mut self, name: Name, meaning: Meaning, span: Span) {
        let depth = self.depth();
        self.declare_at(name, Symbol { meaning, span, depth });
    }

    /// Declares a name at file scope; only for names that no open scope declares.
    pub(super) fn declare_at(&mut self, name: Name, symbol: Symbol) {
        let index = name.index();
        if index >= self.symbols.len() {
            self.symbols.resize(index + 1, None);
        }
        let old = self.symbols[index].replace(symbol);
        if symbol.depth > 0 {
            self.undo.push(Undo::Symbol(name, old));
        }
    }

    pub(super) fn tag(&self, name: Name) -> Option<Tag> {
        self.tags.get(name.index()).copied().flatten()
    }

    pub(super) fn tag_here(&self, name: Name) -> Option<Tag> {
        self.tag(name).filter(|tag| tag.depth == self.depth())
    }

    pub(super) fn declare_tag(&mut self, name: Name, ty: TypeId) {
        let index = name.index();
        if index >= self.tags.len() {
            self.tags.resize(index + 1, None);
        }
        let depth = self.depth();
        let old = self.tags[index].replace(Tag { ty, depth });
        if depth > 0 {
            self.undo.push(Undo::Tag(name, old));
        }
    }
}
