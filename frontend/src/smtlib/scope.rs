//! Scopes: the meaning of names.
//!
//! Functions and sorts have separate name spaces; local variables (of `let` and quantifiers) hide
//! functions. A trail records every change, so that the end of a scope or an error within a command
//! undoes exactly the changes since its start. With `:global-declarations` the end of a scope only
//! removes the names of its assertions.

use super::Declaration;
use grammars::smtlib::Name;
use grammars::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::{FunctionSymbol, Sort, Term};

/// The meaning of a function name, with the position of its definition.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) meaning: Meaning,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A declared constant.
    Constant(Term),
    /// A declared function.
    Function(FunctionSymbol),
    /// A constructor or selector of a data type.
    Operation(FunctionSymbol),
    /// A term defined without parameters.
    Term(Term),
    /// A term named by `:named`.
    Named(Term),
    /// A definition with parameters, which are unique bound variables.
    Macro(Rc<Macro>),
}

#[derive(Debug)]
pub(super) struct Macro {
    pub(super) parameters: Vec<Term>,
    pub(super) body: Term,
}

/// The meaning of a sort name.
#[derive(Clone, Debug)]
pub(super) struct SortDefinition {
    pub(super) meaning: SortMeaning,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum SortMeaning {
    /// Declared, with the given number of parameters.
    Uninterpreted { arity: u32 },
    /// Defined.
    Defined { arity: usize, body: Rc<[SortStep]> },
}

/// A step of the postfix form of a sort with parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SortStep {
    Sort(Sort),
    Parameter(u32),
    /// An array sort of the two preceding sorts.
    Array,
    /// A declared sort applied to the given number of preceding sorts.
    Uninterpreted(Name, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lifetime {
    Scope,
    Script,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Function(Name),
    Sort(Name),
    Asserted(Name),
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    trail: usize,
    declared: usize,
}

#[derive(Debug, Default)]
pub(super) struct Scopes {
    functions: Vec<Option<Definition>>,
    sorts: FxHashMap<Name, SortDefinition>,
    /// Function names in order of declaration, definition or naming.
    declared: Vec<Name>,
    /// The names of asserted formulas.
    asserted: FxHashSet<Name>,
    trail: Vec<(Change, Lifetime)>,
    levels: Vec<Mark>,
    pub(super) has_global_declarations: bool,
    locals: Vec<Option<Term>>,
    /// The hidden local variables, to be restored.
    hidden: Vec<(Name, Option<Term>)>,
}

/// A state of [`Scopes`] for rollback.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint(Mark);

fn grow<T>(table: &mut Vec<Option<T>>, name: Name) -> &mut Option<T> {
    let index = name.0 as usize;
    if index >= table.len() {
        table.resize_with(index + 1, || None);
    }
    &mut table[index]
}

impl Scopes {
    pub(super) fn function(&self, name: Name) -> Option<&Definition> {
        self.functions.get(name.0 as usize)?.as_ref()
    }

    pub(super) fn sort(&self, name: Name) -> Option<&SortDefinition> {
        self.sorts.get(&name)
    }

    fn lifetime(&self) -> Lifetime {
        if self.has_global_declarations { Lifetime::Script } else { Lifetime::Scope }
    }

    /// Defines a name without a meaning.
    pub(super) fn define(&mut self, name: Name, meaning: Meaning, span: Span) {
        *grow(&mut self.functions, name) = Some(Definition { meaning, span });
        self.declared.push(name);
        self.trail.push((Change::Function(name), self.lifetime()));
    }

    pub(super) fn define_sort(&mut self, name: Name, meaning: SortMeaning, span: Span) {
        self.sorts.insert(name, SortDefinition { meaning, span });
        self.trail.push((Change::Sort(name), self.lifetime()));
    }

    /// Records that the term with this name is asserted.
    pub(super) fn assert(&mut self, name: Name) {
        if self.asserted.insert(name) {
            self.trail.push((Change::Asserted(name), Lifetime::Scope));
        }
    }

    pub(super) fn is_asserted(&self, name: Name) -> bool {
        self.asserted.contains(&name)
    }

    /// The defined function names, in order of definition.
    pub(super) fn names(&self) -> impl Iterator<Item = (Name, &Definition)> {
        self.declared.iter().filter_map(|&name| Some((name, self.function(name)?)))
    }

    pub(super) fn sort_names(&self) -> impl Iterator<Item = Name> {
        self.sorts.keys().copied()
    }

    pub(super) fn declarations(&self) -> impl Iterator<Item = Declaration> {
        self.names().filter_map(|(_, definition)| match definition.meaning {
            Meaning::Constant(term) => Some(Declaration::Constant(term)),
            Meaning::Function(function) => Some(Declaration::Function(function)),
            _ => None,
        })
    }

    pub(super) fn depth(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn push(&mut self, count: usize) {
        let mark = self.mark();
        self.levels.resize(self.levels.len() + count, mark);
    }

    /// Closes `count` scopes, at most the number of open ones.
    pub(super) fn pop(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        let mark = self.levels[self.levels.len() - count];
        self.levels.truncate(self.levels.len() - count);
        self.undo(mark, Lifetime::Scope);
    }

    /// Closes all scopes and undoes the changes without global lifetime.
    pub(super) fn reset_assertions(&mut self) {
        self.levels.clear();
        self.undo(Mark::default(), Lifetime::Scope);
    }

    fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), declared: self.declared.len() }
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.mark())
    }

    /// Undoes all changes since the checkpoint, which is in the innermost scope, and removes the
    /// local variables.
    pub(super) fn roll_back(&mut self, to: Checkpoint) {
        self.unbind(0);
        self.undo(to.0, Lifetime::Script);
    }

    /// Undoes the changes since the mark whose lifetime does not exceed `longest`.
    fn undo(&mut self, mark: Mark, longest: Lifetime) {
        let mut kept = Vec::new();
        for (change, lifetime) in self.trail.drain(mark.trail..) {
            if lifetime == Lifetime::Script && longest == Lifetime::Scope {
                kept.push((change, lifetime));
                continue;
            }
            match change {
                Change::Function(name) => self.functions[name.0 as usize] = None,
                Change::Sort(name) => {
                    self.sorts.remove(&name);
                }
                Change::Asserted(name) => {
                    self.asserted.remove(&name);
                }
            }
        }
        self.trail.append(&mut kept);
        let functions = &self.functions;
        let mut rest = self.declared.split_off(mark.declared);
        rest.retain(|name| functions[name.0 as usize].is_some());
        self.declared.append(&mut rest);
    }

    pub(super) fn local(&self, name: Name) -> Option<Term> {
        self.locals.get(name.0 as usize).copied().flatten()
    }

    /// Binds `name` as a local variable; undone by [`unbind`](Self::unbind).
    pub(super) fn bind(&mut self, name: Name, value: Term) {
        let before = grow(&mut self.locals, name).replace(value);
        self.hidden.push((name, before));
    }

    /// The number of local variables, including hidden ones.
    pub(super) fn bound(&self) -> usize {
        self.hidden.len()
    }

    /// Removes local variables until `left` of them remain.
    pub(super) fn unbind(&mut self, left: usize) {
        while self.hidden.len() > left {
            let (name, before) = self.hidden.pop().expect("the list is longer than `left`");
            self.locals[name.0 as usize] = before;
        }
    }

    pub(super) fn local_names(&self) -> impl Iterator<Item = Name> {
        self.hidden.iter().map(|&(name, _)| name)
    }
}
