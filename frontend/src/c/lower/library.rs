//! C library functions that programs call but do not define: C source files, read by our own front
//! end.
//!
//! The files form one separate translation unit. It is parsed only if the program calls one of its
//! functions, and only called functions are lowered. A function of the program resolves to the
//! library if it has no body and both types agree in the widths of all parameters and of the result
//! ([`is_same_signature`]), because a program may use a name that C does not reserve for a
//! different function.
//!
//! Each file documents its omissions at the top. Four kinds of names have a meaning in these files
//! only, see [`Intrinsic`].

use super::module::Module;
use crate::c::hir::{self, Callee, ExprKind, FunctionId};
use crate::c::link::{LinkedProgram, Resolved, UnitId};
use crate::c::sema;
use crate::c::types::{Prototype, Type as CType};
use grammars::source::{SourceMap, Span};
use program::ssa::Type;
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// The files in their order within the unit.
const FILES: &[(&str, &str)] = &[
    ("prelude.c", include_str!("../library/prelude.c")),
    ("errno.c", include_str!("../library/errno.c")),
    ("string.c", include_str!("../library/string.c")),
    ("fortified.c", include_str!("../library/fortified.c")),
    ("ctype.c", include_str!("../library/ctype.c")),
    ("stdlib.c", include_str!("../library/stdlib.c")),
    ("stdio.c", include_str!("../library/stdio.c")),
    ("scanf.c", include_str!("../library/scanf.c")),
    ("inet.c", include_str!("../library/inet.c")),
    ("wide.c", include_str!("../library/wide.c")),
    ("time.c", include_str!("../library/time.c")),
    ("unistd.c", include_str!("../library/unistd.c")),
    ("verifier.c", include_str!("../library/verifier.c")),
];

/// The functions that call the functions registered with `atexit` and with `at_quick_exit`.
pub(super) const EXIT_HANDLERS: &str = "__run_exit_handlers";
pub(super) const QUICK_EXIT_HANDLERS: &str = "__run_quick_exit_handlers";

/// The meaning of a reserved name in the library source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intrinsic<'n> {
    /// `__input_NAME`: an input with this name.
    Input(&'n str),
    /// `__approximate_NAME`: any value, over-approximated.
    Approximate(&'n str),
    /// `__unsupported_NAME`: an unsupported construct.
    Unsupported(&'n str),
    /// `__are_accesses_checked`: whether the specification checks memory accesses.
    AreAccessesChecked,
}

impl<'n> Intrinsic<'n> {
    pub(super) fn named(name: &'n str) -> Option<Self> {
        if let Some(rest) = name.strip_prefix("__input_") {
            return Some(Self::Input(rest));
        }
        if let Some(rest) = name.strip_prefix("__approximate_") {
            return Some(Self::Approximate(rest));
        }
        if name == "__are_accesses_checked" {
            return Some(Self::AreAccessesChecked);
        }
        name.strip_prefix("__unsupported_").map(Self::Unsupported)
    }
}

/// The names of the functions that the files define for programs, which are the non-static ones. A
/// definition starts at the start of a line that also has its opening brace.
pub(super) fn names() -> &'static FxHashSet<&'static str> {
    static NAMES: OnceLock<FxHashSet<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| FILES.iter().flat_map(|(_, text)| text.lines()).filter_map(defined_name).collect())
}

fn defined_name(line: &str) -> Option<&str> {
    let starts_a_definition = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !["static ", "typedef "].iter().any(|word| line.starts_with(word))
        && line.contains('{');
    if !starts_a_definition {
        return None;
    }
    let head = line[..line.find('(')?].trim_end();
    let name = head.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then_some(name)
}

/// Whether the library may define this function of a program.
fn may_be_defined(linked: &LinkedProgram<'_>, unit: UnitId, id: FunctionId) -> bool {
    let hir = linked.units[unit];
    names().contains(hir.name(hir[id].name))
        && !linked.has_body(unit, id)
        && linked.opaque(unit, id).is_none()
}

/// Parses the library if the program uses a function that only the library defines.
pub(super) fn parse_if_needed(linked: &LinkedProgram<'_>) -> Option<hir::Program> {
    let is_needed = mentioned(linked).any(|(unit, id)| may_be_defined(linked, unit, id));
    let (_, first) = linked.units.iter().next()?;
    is_needed.then(|| parse(first))
}

/// Whether the program registers exit handlers.
pub(super) fn registers_exit_handlers(linked: &LinkedProgram<'_>) -> bool {
    mentioned(linked).any(|(unit, id)| {
        let hir = linked.units[unit];
        may_be_defined(linked, unit, id) && matches!(hir.name(hir[id].name), "atexit" | "at_quick_exit")
    })
}

/// The functions that are called or whose address is taken.
fn mentioned(linked: &LinkedProgram<'_>) -> impl Iterator<Item = (UnitId, FunctionId)> {
    linked.units.iter().flat_map(|(unit, hir)| {
        hir.exprs.values().filter_map(move |expr| match expr.kind {
            ExprKind::Call { callee: Callee::Direct(id), .. } | ExprKind::FunctionAddress(id) => {
                Some((unit, id))
            }
            _ => None,
        })
    })
}

/// Parses and type-checks the library for the data model of the program.
fn parse(hir: &hir::Program) -> hir::Program {
    let mut map = SourceMap::new();
    let text: String = FILES.iter().map(|(_, text)| *text).collect();
    let file = map.add("<library>", text.into_bytes()).expect("the library fits into a source map");
    let parsed = grammars::c::parse(&map, file);
    debug_assert!(parsed.diagnostics.is_empty(), "the library must parse: {:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: hir.types.model });
    debug_assert!(!checked.has_errors(), "the library must type-check: {:?}", checked.diagnostics);
    let mut program = checked.program;
    // Its positions do not refer to the files of the program.
    forget_spans(&mut program);
    program
}

impl Module<'_, '_> {
    /// Returns the library function for an undefined function of a program.
    pub(super) fn library_function(&self, unit: UnitId, id: FunctionId) -> Option<(UnitId, FunctionId)> {
        let library = self.library?;
        if unit == library || !may_be_defined(self.linked, unit, id) {
            return None;
        }
        let Resolved::At(unit, id) = self.linked.function(unit, id) else { return None };
        let hir = self.linked.units[unit];
        let library_hir = self.library_hir()?;
        let found = library_hir.function_named(hir.name(hir[id].name))?;
        is_same_signature(self, (hir, id), (library_hir, found)).then_some((library, found))
    }
}

/// Whether a call with one type is compatible with the other type: the parameters have the same
/// widths, and the result has the same width or is not declared. A function without a prototype is
/// compatible.
fn is_same_signature(
    module: &Module<'_, '_>,
    (hir, id): (&hir::Program, FunctionId),
    (library, found): (&hir::Program, FunctionId),
) -> bool {
    let (Some(a), Some(b)) = (hir.types.function(hir[id].ty), library.types.function(library[found].ty))
    else {
        return false;
    };
    let passed = |hir: &hir::Program, ty| match hir.types[ty] {
        CType::VaList | CType::Record(_) => None,
        _ => Some(module.passed_type(hir, ty).width()),
    };
    let result = |hir: &hir::Program, ty| module.scalar_type(hir, ty).map(Type::width);
    let results_fit = match (result(hir, a.result), result(library, b.result)) {
        (None, None) => {
            let is_void = |hir: &hir::Program, ty| matches!(hir.types[ty], CType::Void);
            is_void(hir, a.result)
                || is_void(library, b.result)
                || hir.types.size(a.result) == library.types.size(b.result)
        }
        (Some(_), None) => false,
        (None, Some(_)) => matches!(hir.types[a.result], CType::Void),
        (Some(a), Some(b)) => a == b || hir[id].is_implicit,
    };
    let parameters_fit = a.prototype == Prototype::Missing
        || a.prototype == b.prototype
            && a.parameters.len() == b.parameters.len()
            && a.parameters.iter().zip(&b.parameters).all(|(&a, &b)| passed(hir, a) == passed(library, b));
    results_fit && parameters_fit
}

fn forget_spans(program: &mut hir::Program) {
    program.globals.values_mut().for_each(|node| node.span = Span::NONE);
    program.functions.values_mut().for_each(|node| {
        node.span = Span::NONE;
        if let Some(body) = &mut node.body {
            body.end = Span::NONE;
        }
    });
    program.locals.values_mut().for_each(|node| node.span = Span::NONE);
    program.labels.values_mut().for_each(|node| node.span = Span::NONE);
    program.exprs.values_mut().for_each(|node| node.span = Span::NONE);
    program.places.values_mut().for_each(|node| node.span = Span::NONE);
    program.stmts.values_mut().for_each(|node| node.span = Span::NONE);
    program.inits.values_mut().for_each(|node| node.span = Span::NONE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::types::DataModel;
    use grammars::source::SourceMap;

    fn checked(model: DataModel) -> sema::CheckResult {
        let mut map = SourceMap::new();
        let text: String = FILES.iter().map(|(_, text)| *text).collect();
        let file = map.add("<library>", text.into_bytes()).unwrap();
        let parsed = grammars::c::parse(&map, file);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        sema::check(&parsed.unit, sema::Options { model })
    }

    #[test]
    fn the_files_are_well_typed_in_both_data_models() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let checked = checked(model);
            assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
        }
    }

    #[test]
    fn the_names_are_those_that_the_parser_finds() {
        let program = checked(DataModel::Lp64).program;
        let mut parsed: Vec<&str> = program
            .functions
            .values()
            .filter(|function| function.body.is_some() && function.linkage == hir::Linkage::External)
            .map(|function| program.name(function.name))
            .collect();
        let mut found: Vec<&str> = names().iter().copied().collect();
        parsed.sort_unstable();
        found.sort_unstable();
        assert_eq!(parsed, found);
    }

    #[test]
    fn the_documentation_lists_the_names_file_by_file() {
        let page = include_str!("../../../../docs/library.md");
        for (file, text) in FILES {
            let mut defined: Vec<&str> = text
                .lines()
                .filter_map(defined_name)
                .filter(|name| ![EXIT_HANDLERS, QUICK_EXIT_HANDLERS].contains(name))
                .collect();
            let section =
                page.split("\n### ").find_map(|section| section.strip_prefix(&format!("`{file}`\n")));
            let Some(section) = section else {
                assert!(defined.is_empty(), "no section about {file}");
                continue;
            };
            let list = section.split("\n\n").nth(1).expect("a section has a text and a list");
            let mut listed: Vec<&str> = list.split_whitespace().map(|name| name.trim_matches('`')).collect();
            defined.sort_unstable();
            listed.sort_unstable();
            assert_eq!(defined, listed, "{file}");
        }
    }

    #[test]
    fn what_the_files_call_without_a_body_is_known() {
        let program = checked(DataModel::Lp64).program;
        for function in program.functions.values().filter(|function| function.body.is_none()) {
            let name = program.name(function.name);
            let is_known = Intrinsic::named(name).is_some()
                || super::super::externals::model(name) != super::super::externals::Model::Unknown;
            assert!(is_known, "{name}");
        }
    }

    #[test]
    fn files_open_with_what_they_hold() {
        assert!(FILES.iter().all(|(_, text)| text.starts_with("// ")));
    }
}
