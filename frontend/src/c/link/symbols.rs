//! Symbols: the names of functions and objects outside of C, and symbols whose definition is not
//! known.

use super::{LinkedProgram, Linker, Resolved, UnitId};
use crate::c::hir::{
    Definition, Function, FunctionId, Global, GlobalId, GlobalKind, Inlining, Linkage, Program, Strength,
};
use crate::c::sema::assembly_words;
use rustc_hash::{FxHashMap, FxHashSet};

/// Why the code of a function is not known although the name may be defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opaque {
    /// `ifunc`: a function determines the code at run time.
    Resolver,
    /// `asm` at file scope may define the symbol.
    Assembly,
    /// The symbol is a function here and an object there.
    Object,
}

impl std::fmt::Display for Opaque {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Resolver => "which is selected at run time (`ifunc`)",
            Self::Assembly => "which `asm` at file scope may define",
            Self::Object => "whose symbol is an object elsewhere",
        })
    }
}

/// The symbol of a function.
pub(super) fn function_symbol<'h>(program: &'h Program, function: &Function) -> &'h str {
    program.name(function.symbol.assembler_name.unwrap_or(function.name))
}

/// The symbol of an object; `None` for objects without a name.
pub(super) fn object_symbol<'h>(program: &'h Program, global: &Global) -> Option<&'h str> {
    Some(program.name(global.symbol.assembler_name.or(global.name)?))
}

/// Whether a function is only known by an assembler name.
pub(super) fn is_function_by_label(function: &Function) -> bool {
    let symbol = &function.symbol;
    let is_defined = function.body.is_some() || symbol.alias.is_some() || symbol.has_resolver;
    symbol.is_renamed || symbol.assembler_name.is_some() && !is_defined
}

impl LinkedProgram<'_> {
    /// Why the code of a function is not known, for names that the program may define by other
    /// means than a definition in C.
    #[must_use]
    pub fn opaque(&self, unit: UnitId, id: FunctionId) -> Option<Opaque> {
        self.opaque_functions.get(&(unit, id)).copied()
    }

    /// Whether the contents and the identity of an object are not known.
    #[must_use]
    pub fn is_opaque_object(&self, unit: UnitId, id: GlobalId) -> bool {
        self.opaque_objects.contains(&(unit, id))
    }
}

impl Linker<'_> {
    /// Resolves names to definitions of internal linkage in the same unit, which their assembler
    /// names make visible to the assembler.
    pub(super) fn internal_symbols(&mut self) {
        let units: Vec<_> = self.program.units.iter().map(|(unit, &program)| (unit, program)).collect();
        for (unit, program) in units {
            let mut functions = FxHashMap::default();
            for (id, function) in program.functions.iter() {
                if function.linkage != Linkage::External && function.body.is_some() {
                    functions.insert(function_symbol(program, function), id);
                }
            }
            for (id, function) in program.functions.iter() {
                if function.linkage == Linkage::External
                    && function.body.is_none()
                    && function.symbol.alias.is_none()
                    && let Some(&target) = functions.get(function_symbol(program, function))
                {
                    self.program.functions.insert((unit, id), Resolved::At(unit, target));
                    self.check_function(program.name(function.name), (unit, target), (unit, id));
                }
            }
            let mut objects = FxHashMap::default();
            for (id, global) in program.globals.iter() {
                let is_visible = match global.kind {
                    GlobalKind::Variable => global.linkage == Linkage::Internal,
                    GlobalKind::StaticLocal(_) => global.symbol.assembler_name.is_some(),
                    _ => false,
                };
                if is_visible && let Some(symbol) = object_symbol(program, global) {
                    objects.insert(symbol, id);
                }
            }
            for (id, global) in program.globals.iter() {
                if global.linkage == Linkage::External
                    && global.definition == Definition::Declared
                    && global.symbol.alias.is_none()
                    && let Some(symbol) = object_symbol(program, global)
                    && let Some(&target) = objects.get(symbol)
                {
                    self.program.objects.insert((unit, id), Resolved::At(unit, target));
                    self.check_object(symbol, (unit, target), (unit, id));
                }
            }
        }
    }

    /// Determines the functions and objects that `ifunc` or `asm` at file scope may define.
    pub(super) fn opaque(&mut self) {
        let resolved: Vec<_> =
            self.all_functions().map(|key| (key, self.program.function(key.0, key.1))).collect();
        for (key, resolution) in resolved {
            if let Resolved::At(unit, id) = resolution
                && self.program.units[unit][id].symbol.has_resolver
            {
                self.program.opaque_functions.insert(key, Opaque::Resolver);
            }
        }
        let assembly = Assembly::of(&self.program);
        if assembly.is_empty() {
            return;
        }
        let mut first: FxHashMap<&str, (UnitId, FunctionId)> = FxHashMap::default();
        let functions: Vec<_> = self.all_functions().collect();
        for (unit, id) in functions {
            let program = self.program.units[unit];
            let function = &program[id];
            let symbol = function_symbol(program, function);
            let is_fixed = |function: &Function| {
                function.body.is_some()
                    && function.symbol.strength == Strength::Strong
                    && function.inlining != Inlining::InlineOnly
            };
            let is_defined = function.symbol.strength == Strength::Strong
                && matches!(self.program.function(unit, id), Resolved::At(at, found)
                    if is_fixed(&self.program.units[at][found]));
            if function.linkage == Linkage::External && !is_defined && assembly.may_define(symbol) {
                let &mut (at, found) = first.entry(symbol).or_insert((unit, id));
                self.program.functions.insert((unit, id), Resolved::At(at, found));
                self.program.opaque_functions.insert((unit, id), Opaque::Assembly);
            }
        }
        for (unit, &program) in self.program.units.iter() {
            for (id, global) in program.globals.iter() {
                let Some(symbol) = object_symbol(program, global) else { continue };
                let is_defined = global.symbol.strength == Strength::Strong
                    && matches!(self.program.object(unit, id), Resolved::At(at, found)
                        if self.program.units[at][found].definition == Definition::Defined
                            && self.program.units[at][found].symbol.strength == Strength::Strong);
                if global.linkage == Linkage::External && !is_defined && assembly.may_define(symbol) {
                    self.program.opaque_objects.insert((unit, id));
                }
            }
        }
    }

    fn all_functions(&self) -> impl Iterator<Item = (UnitId, FunctionId)> {
        self.program
            .units
            .iter()
            .flat_map(|(unit, program)| program.functions.keys().map(move |id| (unit, id)))
    }
}

/// The texts of `asm` at file scope.
struct Assembly<'h> {
    words: FxHashSet<&'h str>,
    /// Whether it makes names that its text does not contain.
    makes_names: bool,
}

impl<'h> Assembly<'h> {
    fn of(program: &LinkedProgram<'h>) -> Self {
        let texts: Vec<&'h str> =
            program.units.values().flat_map(|unit| unit.assembly.iter().map(|text| &**text)).collect();
        let words: FxHashSet<&str> = texts.iter().flat_map(|text| assembly_words(text)).collect();
        // A macro makes names only where it is used.
        let mut macros = FxHashSet::default();
        let mut outside = Vec::new();
        let mut is_macro = false;
        for line in texts.iter().flat_map(|text| text.split(['\n', ';'])) {
            let mut of_line = assembly_words(line);
            match of_line.next() {
                Some(".macro") => {
                    is_macro = true;
                    macros.extend(of_line.next());
                }
                Some(".endm") => is_macro = false,
                Some(_) if !is_macro => outside.push(line),
                _ => {}
            }
        }
        let makes_names = outside.iter().any(|line| {
            line.contains('\\')
                || assembly_words(line).any(|word| {
                    matches!(word, ".include" | ".irp" | ".irpc" | ".altmacro") || macros.contains(word)
                })
        });
        Self { words, makes_names }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn may_define(&self, symbol: &str) -> bool {
        self.words.contains(symbol) || self.makes_names && !symbol.starts_with("__VERIFIER_")
    }
}
