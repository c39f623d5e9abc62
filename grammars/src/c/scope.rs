//! Which identifiers are typedef names: the only knowledge beyond syntax that a C parser needs.
//!
//! The scopes are one flag per name and a log of changes. A scope is a mark in the log, so entering
//! one is free, and leaving one costs the number of names redeclared in it. Only changes are
//! logged: nearly all programs never redeclare the name of a type in an inner scope, and add
//! nothing to the log after their typedefs.

use super::ast::ParamsId;
use crate::names::Name;

/// The flags, the log, and the scopes of parameter lists for the function bodies that follow.
#[derive(Default, Debug)]
pub(super) struct Scopes {
    is_type: Vec<bool>,
    /// Names whose flag changed, in order; undoing a change is flipping the flag.
    log: Vec<Name>,
    /// The names whose meaning a parameter list changed. A function definition enters that scope
    /// again.
    parameter_scopes: Vec<(ParamsId, Vec<Name>)>,
}

/// A scope: the length of the log when it was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark(u32);

/// The class of a declared name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// A typedef name.
    Type,
    /// A variable, function, parameter or enumeration constant.
    Variable,
}

impl Scopes {
    pub(super) fn is_type(&self, name: Name) -> bool {
        self.is_type.get(name.index()).copied().unwrap_or(false)
    }

    pub(super) fn declare(&mut self, name: Name, class: Class) {
        if self.is_type(name) != (class == Class::Type) {
            self.flip(name);
            self.log.push(name);
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.log.len() as u32)
    }

    /// Leaves the scope entered at `mark`.
    pub(super) fn restore(&mut self, mark: Mark) {
        while self.log.len() > mark.0 as usize {
            let Some(name) = self.log.pop() else { break };
            self.flip(name);
        }
    }

    /// Leaves the scope of a parameter list, which a function body may enter again.
    pub(super) fn restore_parameters(&mut self, mark: Mark, parameters: ParamsId) {
        if self.log.len() > mark.0 as usize {
            let names = self.log[mark.0 as usize..].to_vec();
            self.parameter_scopes.push((parameters, names));
            self.restore(mark);
        }
    }

    /// Enters the scope of a parameter list again.
    pub(super) fn reenter_parameters(&mut self, parameters: ParamsId) {
        let found = self.parameter_scopes.iter().rposition(|(id, _)| *id == parameters);
        if let Some(index) = found {
            let (_, names) = self.parameter_scopes.swap_remove(index);
            for name in names {
                self.flip(name);
                self.log.push(name);
            }
        }
    }

    /// Discards the parameter lists that cannot be followed by a body.
    pub(super) fn end_of_item(&mut self) {
        self.parameter_scopes.clear();
    }

    fn flip(&mut self, name: Name) {
        if self.is_type.len() <= name.index() {
            self.is_type.resize(name.index() + 1, false);
        }
        self.is_type[name.index()] ^= true;
    }
}
