//! Scopes: what names and tags mean here.
//!
//! The meaning of a name is found by index; leaving a scope restores what it hid.

use crate::c::hir::{Bits, FunctionId, GlobalId, LocalId};
use crate::c::types::{QualType, TypeId};
use grammars::c::ast::Name;
use grammars::source::Span;

/// What an identifier means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Local(LocalId),
    Global(GlobalId),
    Function(FunctionId),
    Typedef {
        ty: QualType,
        /// What `aligned` in the typedef demands.
        align: Option<u64>,
    },
    EnumConstant {
        ty: TypeId,
        value: Bits,
    },
    /// Its declaration was reported.
    Error,
}

/// An identifier's entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) meaning: Meaning,
    /// The declaration.
    pub(super) span: Span,
    /// The scope it belongs to; 0 is the file.
    pub(super) depth: u32,
}

/// A tag's entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) ty: TypeId,
    pub(super) depth: u32,
}

enum Undo {
    Symbol(Name, Option<Symbol>),
    Tag(Name, Option<Tag>),
}

/// The declarations of a scope that was left: a parameter list, whose scope a function body continues.
#[derive(Default, Debug)]
pub(super) struct Declared {
    symbols: Vec<(Name, Symbol)>,
    tags: Vec<(Name, TypeId)>,
}

/// All open scopes.
#[derive(Default)]
pub(super) struct Scopes {
    symbols: Vec<Option<Symbol>>,
    tags: Vec<Option<Tag>>,
    undo: Vec<Undo>,
    /// The length of `undo` where each inner scope began.
    starts: Vec<usize>,
}

impl Scopes {
    /// The number of open scopes besides the file.
    pub(super) fn depth(&self) -> u32 {
        self.starts.len() as u32
    }

    pub(super) fn enter(&mut self) {
        self.starts.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.starts.pop().expect("every scope that is left was entered");
        while self.undo.len() > start {
            match self.undo.pop() {
                Some(Undo::Symbol(name, old)) => self.symbols[name.index()] = old,
                Some(Undo::Tag(name, old)) => self.tags[name.index()] = old,
                None => break,
            }
        }
    }

    /// Leaves the innermost scope. Returns what it declared, for [`restore`](Self::restore).
    pub(super) fn leave_keeping(&mut self) -> Declared {
        let start = *self.starts.last().expect("every scope that is left was entered");
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

    /// Declares in the innermost scope what another scope declared.
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

    /// The symbol, if it belongs to the innermost scope.
    pub(super) fn symbol_here(&self, name: Name) -> Option<Symbol> {
        self.symbol(name).filter(|symbol| symbol.depth == self.depth())
    }

    pub(super) fn declare(&mut self, name: Name, meaning: Meaning, span: Span) {
        let depth = self.depth();
        self.declare_at(name, Symbol { meaning, span, depth });
    }

    /// Declares at file scope what inner scopes may hide; only for names that no open scope has.
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
