//! Linking: several translation units as one program.
//!
//! Nothing is copied. A [`LinkedProgram`] holds the units and maps every function and object of
//! every unit to the declaration that it resolves to ([`LinkedProgram::function`],
//! [`LinkedProgram::object`]).
//!
//! # Rules
//!
//! A name of internal linkage resolves to itself. A name of external linkage resolves by the first
//! applicable rule (C11 6.9, and the ELF linker where C leaves it open):
//!
//! 1. A strong definition. Two strong definitions are an error.
//! 2. Tentative definitions are merged into one object, the largest. This is `-fcommon`, which C11
//!    J.5.11 lists as a common extension and which was the default of gcc before version 10; a
//!    warning is reported.
//! 3. The first weak definition.
//! 4. An inline definition (C11 6.7.4p7; the attribute `gnu_inline`); a unit that has one uses its
//!    own. DIVERGENCE: a unit without one uses the first one; a linker would report an undefined
//!    reference.
//! 5. No definition: the address is null if all declarations are weak; otherwise the name is
//!    external.
//!
//! An alias resolves to the resolution of its target in the same unit; a `weakref` may name a
//! symbol of another unit.
//!
//! Names here are symbols: `asm("label")` and `#pragma redefine_extname` give a declaration another
//! one ([`hir::Symbol`]). A symbol that `ifunc` or `asm` at file scope may define is
//! [opaque](LinkedProgram::opaque).
//!
//! # Types
//!
//! The declarations of one name must be compatible (C11 6.2.7p1: tags, members and offsets, not
//! identity). A program with incompatible declarations has undefined behavior, but many such
//! programs link and run. The linker reports a warning where values are still passed and stored
//! correctly: functions with the same argument passing, and objects of the same size, which
//! lowering then keeps as bytes. Otherwise it reports an error with both positions.

mod compatible;
mod symbols;

pub use self::symbols::Opaque;

use self::compatible::{Agreement, functions_agree, objects_agree};
use self::symbols::{function_symbol, is_function_by_label, object_symbol};
use super::hir::{self, Definition, FunctionId, GlobalId, GlobalKind, Inlining, Linkage, Program, Strength};
use super::sema::type_name;
use grammars::source::{Diagnostic, Span};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::{Entity, PrimaryMap};

terms::entity! {
    /// A translation unit of a [`LinkedProgram`].
    UnitId, "unit"
}

/// The resolution of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resolved<T> {
    /// The declaration itself or another one.
    At(UnitId, T),
    /// Weak and defined nowhere: its address is null.
    Null,
}

/// Translation units linked into one program.
#[derive(Debug)]
pub struct LinkedProgram<'h> {
    /// The units, in the order given.
    pub units: PrimaryMap<UnitId, &'h Program>,
    /// Declarations that resolve to another declaration or to null.
    functions: FxHashMap<(UnitId, FunctionId), Resolved<FunctionId>>,
    objects: FxHashMap<(UnitId, GlobalId), Resolved<GlobalId>>,
    /// Objects with incompatible declarations in different units.
    disputed: FxHashSet<(UnitId, GlobalId)>,
    /// Functions and objects whose definition is not known.
    opaque_functions: FxHashMap<(UnitId, FunctionId), Opaque>,
    opaque_objects: FxHashSet<(UnitId, GlobalId)>,
}

impl<'h> LinkedProgram<'h> {
    /// Links a single unit: resolves only its aliases and weak names.
    #[must_use]
    pub fn of_one(unit: &'h Program) -> Self {
        // Linking one unit reports nothing: all declarations of a name are one entry of the unit.
        link(&[unit]).0
    }

    /// Returns the resolution of a function.
    #[must_use]
    pub fn function(&self, unit: UnitId, id: FunctionId) -> Resolved<FunctionId> {
        self.functions.get(&(unit, id)).copied().unwrap_or(Resolved::At(unit, id))
    }

    /// Returns the resolution of an object of static storage duration.
    #[must_use]
    pub fn object(&self, unit: UnitId, id: GlobalId) -> Resolved<GlobalId> {
        self.objects.get(&(unit, id)).copied().unwrap_or(Resolved::At(unit, id))
    }

    /// Whether units declare the object with incompatible types, so that it must be kept as bytes.
    #[must_use]
    pub fn is_disputed(&self, unit: UnitId, id: GlobalId) -> bool {
        self.disputed.contains(&(unit, id))
    }

    /// Whether some unit defines the function.
    #[must_use]
    pub fn has_body(&self, unit: UnitId, id: FunctionId) -> bool {
        match self.function(unit, id) {
            Resolved::At(unit, id) => self.units[unit][id].body.is_some(),
            Resolved::Null => false,
        }
    }

    /// Returns the defined function with this name: one of external linkage, else the first one of
    /// internal linkage.
    #[must_use]
    pub fn defined_function(&self, name: &str) -> Option<(UnitId, FunctionId)> {
        let mut internal = None;
        for (unit, program) in self.units.iter() {
            let Some(id) = program.function_named(name) else { continue };
            match self.function(unit, id) {
                Resolved::At(at, found) if self.units[at][found].body.is_some() => {
                    if program[id].linkage == Linkage::External {
                        return Some((at, found));
                    }
                    internal.get_or_insert((at, found));
                }
                _ => {}
            }
        }
        internal
    }

    /// Returns the first declaration of the function with this name.
    #[must_use]
    pub fn declared_function(&self, name: &str) -> Option<(UnitId, FunctionId)> {
        self.units.iter().find_map(|(unit, program)| Some((unit, program.function_named(name)?)))
    }
}

/// Links units without errors.
///
/// The diagnostics are in the order of the first declarations of the names. If there is an error
/// among them, the program must not be lowered.
#[must_use]
pub fn link<'h>(units: &[&'h Program]) -> (LinkedProgram<'h>, Vec<Diagnostic>) {
    let mut linker = Linker {
        program: LinkedProgram {
            units: units.iter().copied().collect(),
            functions: FxHashMap::default(),
            objects: FxHashMap::default(),
            disputed: FxHashSet::default(),
            opaque_functions: FxHashMap::default(),
            opaque_objects: FxHashSet::default(),
        },
        diagnostics: Vec::new(),
    };
    for (name, declarations) in linker.external_names() {
        linker.name(name, declarations);
    }
    linker.internal_symbols();
    linker.aliases();
    linker.opaque();
    (linker.program, linker.diagnostics)
}

/// The declarations of a name of external linkage, one per unit.
#[derive(Default)]
struct Declarations {
    functions: Vec<(UnitId, FunctionId)>,
    objects: Vec<(UnitId, GlobalId)>,
}

struct Linker<'h> {
    program: LinkedProgram<'h>,
    diagnostics: Vec<Diagnostic>,
}

/// The kind of definition that a declaration provides, in ascending order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Provides {
    /// A weak declaration, which may remain undefined.
    Weakly,
    Nothing,
    InlineDefinition,
    WeakDefinition,
    Tentative,
    Definition,
}

impl<'h> Linker<'h> {
    fn external_names(&self) -> IndexMap<&'h str, Declarations, FxBuildHasher> {
        let mut names: IndexMap<&'h str, Declarations, FxBuildHasher> = IndexMap::default();
        for (unit, &program) in self.program.units.iter() {
            for (id, function) in program.functions.iter() {
                if function.linkage == Linkage::External {
                    names.entry(function_symbol(program, function)).or_default().functions.push((unit, id));
                }
            }
            for (id, global) in program.globals.iter() {
                if let (Linkage::External, GlobalKind::Variable, Some(name)) =
                    (global.linkage, global.kind, object_symbol(program, global))
                {
                    names.entry(name).or_default().objects.push((unit, id));
                }
            }
        }
        names
    }

    fn name(&mut self, name: &str, mut declarations: Declarations) {
        if !declarations.functions.is_empty() && !declarations.objects.is_empty() {
            self.drop_labels(&mut declarations);
        }
        if let (Some(&(unit, function)), Some(&(other, object))) =
            (declarations.functions.first(), declarations.objects.first())
        {
            let text = format!("`{name}` is a function in one file and an object in another");
            let (here, there) =
                (self.program.units[unit][function].span, self.program.units[other][object].span);
            self.conflict(here, text, there, "an object here");
            return;
        }
        self.functions(name, &declarations.functions);
        self.objects(name, &declarations.objects);
    }

    /// Sets declarations aside whose assembler name is that of a function for an object, or that of
    /// an object for a function.
    fn drop_labels(&mut self, declarations: &mut Declarations) {
        let program = &mut self.program;
        declarations.functions.retain(|&(unit, id)| {
            let is_by_label = is_function_by_label(&program.units[unit][id]);
            if is_by_label {
                program.opaque_functions.insert((unit, id), Opaque::Object);
            }
            !is_by_label
        });
        declarations.objects.retain(|&(unit, id)| {
            let is_by_label = program.units[unit][id].symbol.is_renamed;
            if is_by_label {
                program.opaque_objects.insert((unit, id));
            }
            !is_by_label
        });
    }

    fn functions(&mut self, name: &str, declarations: &[(UnitId, FunctionId)]) {
        let units = &self.program.units;
        let is_defined = |declaration: &(UnitId, FunctionId)| {
            function_provides(units, *declaration) >= Provides::WeakDefinition
        };
        if declarations.iter().any(is_defined) {
            self.resolve_functions(name, declarations);
            return;
        }
        // Headers give functions the assembler names of others: no reason for diagnostics, and an
        // inline definition does not define the symbol.
        let (labels, plain): (Vec<_>, Vec<_>) =
            declarations.iter().copied().partition(|&(unit, id)| is_function_by_label(&units[unit][id]));
        self.resolve_functions(name, &plain);
        for (unit, id) in labels {
            let program = self.program.units[unit];
            let is_weak = program[id].symbol.strength == Strength::Weak;
            let is_known = super::lower::is_library_name(program.name(program[id].name));
            let same = plain.iter().find(|&&(at, other)| {
                let other_program = self.program.units[at];
                other_program[other].body.is_none()
                    && functions_agree(other_program, other_program[other].ty, program, program[id].ty)
                        == Agreement::Compatible
            });
            match same {
                Some(&(at, other)) => {
                    let resolved = self.program.function(at, other);
                    let has_body = self.program.has_body(at, other);
                    let resolved = if has_body { Resolved::At(unit, id) } else { resolved };
                    self.program.functions.insert((unit, id), resolved);
                }
                None if is_weak && !is_known => {
                    self.program.functions.insert((unit, id), Resolved::Null);
                }
                None => {}
            }
        }
    }

    fn resolve_functions(&mut self, name: &str, declarations: &[(UnitId, FunctionId)]) {
        let units = &self.program.units;
        let provides = |declaration: &(UnitId, FunctionId)| function_provides(units, *declaration);
        let Some((best, chosen)) = first_greatest(declarations, provides) else { return };
        let strong: Vec<Span> = declarations
            .iter()
            .filter(|declaration| provides(declaration) == Provides::Definition)
            .map(|&(unit, id)| units[unit][id].span)
            .collect();
        let is_known = super::lower::is_library_name(name);
        let resolved = match best {
            Provides::Weakly if !is_known => Resolved::Null,
            _ => Resolved::At(chosen.0, chosen.1),
        };
        for &(unit, id) in declarations {
            let has_own = best == Provides::InlineDefinition && units[unit][id].body.is_some();
            if !has_own {
                self.program.functions.insert((unit, id), resolved);
            }
        }
        self.duplicates(name, &strong);
        for &(unit, id) in declarations {
            self.check_function(name, chosen, (unit, id));
        }
    }

    fn check_function(&mut self, name: &str, chosen: (UnitId, FunctionId), other: (UnitId, FunctionId)) {
        let (a, b) = (self.program.units[chosen.0], self.program.units[other.0]);
        let (f, g) = (&a[chosen.1], &b[other.1]);
        if chosen == other || f.body.is_none() && (f.is_implicit || g.is_implicit) {
            return;
        }
        let (x, y) = (type_name(a, f.ty), type_name(b, g.ty));
        let place = if f.body.is_some() { "defined here" } else { "declared here" };
        let elsewhere = elsewhere(chosen.0, other.0);
        match functions_agree(a, f.ty, b, g.ty) {
            Agreement::Compatible => {}
            Agreement::Usable if g.is_implicit => {}
            Agreement::Usable => {
                let text = format!("`{name}` has type `{y}` here, but `{x}` {elsewhere}");
                self.diagnostics.push(
                    Diagnostic::warning(g.span, text).with_secondary(f.span, place).with_help(
                        "arguments and results are still passed correctly, but the declarations should agree",
                    ),
                );
            }
            Agreement::None => {
                let text = match g.is_implicit {
                    true => {
                        format!("implicit declaration of `{name}`, but its type {elsewhere} is `{x}`")
                    }
                    false => format!("`{name}` has type `{y}` here, but `{x}` {elsewhere}"),
                };
                self.conflict(g.span, text, f.span, place);
            }
        }
    }

    fn objects(&mut self, name: &str, declarations: &[(UnitId, GlobalId)]) {
        let units = &self.program.units;
        let provides = |&(unit, id): &(UnitId, GlobalId)| {
            let global = &units[unit][id];
            let is_weak = global.symbol.strength == Strength::Weak;
            match (global.definition, global.initializer.is_some()) {
                _ if global.symbol.alias.is_some() && !is_weak => Provides::Definition,
                (Definition::Declared, _) if global.symbol.alias.is_some() => Provides::WeakDefinition,
                (Definition::Declared, _) if is_weak => Provides::Weakly,
                (Definition::Declared, _) => Provides::Nothing,
                (Definition::Defined, _) if is_weak => Provides::WeakDefinition,
                (Definition::Defined, false) => Provides::Tentative,
                (Definition::Defined, true) => Provides::Definition,
            }
        };
        let Some((best, mut chosen)) = first_greatest(declarations, provides) else { return };
        let all_of = |wanted: Provides| {
            declarations.iter().copied().filter(move |declaration| provides(declaration) == wanted)
        };
        let strong: Vec<Span> = all_of(Provides::Definition).map(|(unit, id)| units[unit][id].span).collect();
        let tentative: Vec<(UnitId, GlobalId)> = all_of(Provides::Tentative).collect();
        if matches!(best, Provides::Tentative | Provides::Nothing) {
            // The first of the largest declarations with the highest precedence.
            let size = |&(unit, id): &(UnitId, GlobalId)| units[unit].types.size(units[unit][id].ty);
            if let Some((_, largest)) = first_greatest(declarations, |declaration| {
                (provides(declaration) == best).then(|| size(declaration))
            }) {
                chosen = largest;
            }
        }
        let resolved = match best {
            Provides::Weakly => Resolved::Null,
            _ => Resolved::At(chosen.0, chosen.1),
        };
        for &declaration in declarations {
            self.program.objects.insert(declaration, resolved);
        }
        if best == Provides::Tentative && tentative.len() > 1 {
            let (first, second) = (tentative[0], tentative[1]);
            let units = &self.program.units;
            let text = format!(
                "`{name}` has tentative definitions in several files; they are merged into one object"
            );
            let warning = Diagnostic::warning(units[second.0][second.1].span, text)
                .with_secondary(units[first.0][first.1].span, "also here")
                .with_help("declare it `extern` in all files but one, or `static` for a separate object in each file");
            self.diagnostics.push(warning);
        }
        self.duplicates(name, &strong);
        for &declaration in declarations {
            self.check_object(name, chosen, declaration);
        }
    }

    fn check_object(&mut self, name: &str, chosen: (UnitId, GlobalId), other: (UnitId, GlobalId)) {
        let (a, b) = (self.program.units[chosen.0], self.program.units[other.0]);
        let (x, y) = (&a[chosen.1], &b[other.1]);
        if chosen == other {
            return;
        }
        let text = format!(
            "`{name}` has type `{}` here, but `{}` {}",
            type_name(b, y.ty),
            type_name(a, x.ty),
            elsewhere(chosen.0, other.0)
        );
        let place = if x.definition == Definition::Defined { "defined here" } else { "declared here" };
        match objects_agree(a, x.ty, b, y.ty) {
            Agreement::Compatible => {}
            Agreement::Usable => {
                self.program.disputed.insert(chosen);
                self.diagnostics.push(Diagnostic::warning(y.span, text).with_secondary(x.span, place));
            }
            Agreement::None => self.conflict(y.span, text, x.span, place),
        }
    }

    fn duplicates(&mut self, name: &str, definitions: &[Span]) {
        for &again in definitions.iter().skip(1) {
            let text = format!("multiple definition of `{name}`");
            let error = Diagnostic::error(again, text)
                .with_label("defined again here")
                .with_secondary(definitions[0], "first defined here")
                .with_help("declare one of them `static`, or omit one of the files");
            self.diagnostics.push(error);
        }
    }

    fn conflict(&mut self, here: Span, text: String, there: Span, what: &str) {
        let error = Diagnostic::error(here, text)
            .with_secondary(there, what)
            .with_help("all files must declare it with the same type: put the declaration into a header");
        self.diagnostics.push(error);
    }

    /// Resolves aliases to their targets, after all other names are resolved.
    fn aliases(&mut self) {
        let mut functions = Vec::new();
        let mut objects = Vec::new();
        for (unit, &program) in self.program.units.iter() {
            for (id, function) in program.functions.iter() {
                if let (Some(alias), None) = (function.symbol.alias, &function.body) {
                    functions.push((unit, id, alias));
                }
            }
            for (id, global) in program.globals.iter() {
                if let (Some(alias), None) = (global.symbol.alias, global.initializer) {
                    objects.push((unit, id, alias));
                }
            }
        }
        let mut stands_for = FxHashMap::default();
        for (unit, id, alias) in functions {
            let target = self.function_target(unit, alias);
            stands_for.insert(Resolved::At(unit, id), target);
        }
        resolve_all(&mut self.program.functions, &stands_for);
        let mut stands_for = FxHashMap::default();
        for (unit, id, alias) in objects {
            let target = self.object_target(unit, alias);
            stands_for.insert(Resolved::At(unit, id), target);
        }
        resolve_all(&mut self.program.objects, &stands_for);
    }

    fn function_target(&mut self, unit: UnitId, alias: hir::Alias) -> Resolved<FunctionId> {
        let program = self.program.units[unit];
        let name = program.name(alias.target);
        let by_symbol = program.functions.iter().find(|(_, function)| {
            function_symbol(program, function) == name && !is_function_by_label(function)
        });
        if let Some(id) = by_symbol.map(|(id, _)| id).or_else(|| program.function_named(name)) {
            return self.program.function(unit, id);
        }
        match self.program.defined_function(name) {
            Some((unit, id)) => Resolved::At(unit, id),
            None => {
                self.unknown_target(name, alias.span);
                Resolved::Null
            }
        }
    }

    fn object_target(&mut self, unit: UnitId, alias: hir::Alias) -> Resolved<GlobalId> {
        let program = self.program.units[unit];
        let target = program.name(alias.target);
        let named = |(_, global): &(GlobalId, &hir::Global)| {
            object_symbol(program, global) == Some(target)
                && !global.symbol.is_renamed
                && matches!(global.kind, GlobalKind::Variable)
        };
        match program.globals.iter().find(named) {
            Some((id, _)) => self.program.object(unit, id),
            None => {
                self.unknown_target(program.name(alias.target), alias.span);
                Resolved::Null
            }
        }
    }

    fn unknown_target(&mut self, name: &str, span: Span) {
        let text = format!("alias of `{name}`, which is not defined in this file");
        self.diagnostics.push(Diagnostic::warning(span, text).with_help("its address is assumed to be null"));
    }
}

/// Returns the kind of definition that a declaration of a function provides.
fn function_provides(units: &PrimaryMap<UnitId, &Program>, (unit, id): (UnitId, FunctionId)) -> Provides {
    let function = &units[unit][id];
    let symbol = &function.symbol;
    let is_defined = function.body.is_some() || symbol.alias.is_some() || symbol.has_resolver;
    match (is_defined, symbol.strength, function.inlining) {
        (false, Strength::Weak, _) => Provides::Weakly,
        (false, ..) => Provides::Nothing,
        (true, _, Inlining::InlineOnly) => Provides::InlineDefinition,
        (true, Strength::Weak, _) => Provides::WeakDefinition,
        (true, ..) => Provides::Definition,
    }
}

/// The place of another declaration in a message.
fn elsewhere(chosen: UnitId, other: UnitId) -> &'static str {
    if chosen == other { "where its symbol is defined" } else { "in another file" }
}

/// Follows chains of aliases; a cyclic chain resolves to null.
fn resolve_all<T: Entity + std::hash::Hash>(
    resolutions: &mut FxHashMap<(UnitId, T), Resolved<T>>,
    stands_for: &FxHashMap<Resolved<T>, Resolved<T>>,
) {
    let end_of = |start: Resolved<T>| {
        let mut at = start;
        // An acyclic chain has at most as many links as there are aliases.
        for _ in 0..=stands_for.len() {
            match stands_for.get(&at) {
                Some(&next) => at = next,
                None => return at,
            }
        }
        Resolved::Null
    };
    for resolved in resolutions.values_mut() {
        *resolved = end_of(*resolved);
    }
    for &alias in stands_for.keys() {
        if let Resolved::At(unit, id) = alias {
            resolutions.entry((unit, id)).or_insert_with(|| end_of(alias));
        }
    }
}

/// Returns the first item with the greatest key, and the key.
fn first_greatest<T: Copy, K: PartialOrd>(items: &[T], key: impl Fn(&T) -> K) -> Option<(K, T)> {
    let mut best: Option<(K, T)> = None;
    for &item in items {
        let key = key(&item);
        if best.as_ref().is_none_or(|(greatest, _)| key > *greatest) {
            best = Some((key, item));
        }
    }
    best
}

#[cfg(test)]
mod tests;
