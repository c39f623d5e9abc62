//! The type checker: names, types, constants, initializers. Its output is the [HIR](super::hir).
//!
//! # Method
//!
//! The checker makes one pass in source order. An expression becomes an `Operand`: a place, a
//! function or a value; its context converts it to a value or requires a place. Integer constants
//! are folded when nodes are created, so *an integer constant expression is an expression whose
//! node is a constant*. Operations with overflow, an excessive shift amount or a zero divisor
//! remain operations; they are folded (with wraparound) only where C requires a constant.
//!
//! Constructs that gcc accepts with a warning in gnu11 mode are accepted here with a warning as
//! well. An erroneous expression gets the poison type `TypeId::ERROR`, which converts to and from
//! every type without further diagnostics.
//!
//! # Limits
//!
//! The tree is traversed recursively, except for spines, to the depth that the parser allows
//! ([`MAX_NESTING`](grammars::c::ast::MAX_NESTING)); the checker runs on a thread with a sufficient
//! stack.

mod attributes;
mod builtins;
mod calls;
mod cleanup;
mod compatible;
mod constant;
mod convert;
mod declarations;
mod declarators;
mod expressions;
mod functions;
mod globals;
mod initializers;
mod intrinsics;
mod known;
mod layout;
mod literals;
mod operand;
mod operators;
mod overrides;
mod records;
mod scope;
mod statements;
mod symbols;
mod vectors;

pub(in crate::c) use self::compatible::{declaration, keyword, type_name};
pub(in crate::c) use self::symbols::words as assembly_words;

use self::functions::FunctionContext;
use self::scope::Scopes;
use super::hir::{Body, ExprId, FunctionId, GlobalId, Program};
use super::types::{DataModel, IntegerKind, TypeId, TypeTable};
use grammars::c::ast::{Ast, DeclaratorId, Item, Name, TranslationUnit};
use grammars::source::{Diagnostic, Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use terms::entity::PrimaryMap;

/// The options of the type checker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The data model.
    pub model: DataModel,
}

/// The result of [`check`].
#[derive(Debug)]
pub struct CheckResult {
    /// The typed program; it must not be lowered if the diagnostics contain an error.
    pub program: Program,
    /// Errors and warnings, in the order of detection, up to a maximum number of each.
    pub diagnostics: Vec<Diagnostic>,
}

impl CheckResult {
    /// Whether there is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// The stack size of the checking thread in bytes. Ordinary programs only reserve it and do not use
/// it.
const STACK: usize = 256 << 20;

/// Errors and warnings beyond these numbers are dropped.
const MAX_ERRORS: usize = 100;
const MAX_WARNINGS: usize = 500;

/// Type-checks a translation unit.
#[must_use]
pub fn check(unit: &TranslationUnit, options: Options) -> CheckResult {
    let run = || Checker::new(unit, options).run();
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No address space for the thread's stack: try on the current stack, because the
            // program may be shallow.
            Err(_) => run(),
        }
    })
}

/// The entity of a name with linkage, the same in all scopes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Linked {
    Global(GlobalId),
    Function(FunctionId),
}

struct Checker<'a> {
    unit: &'a TranslationUnit,
    ast: &'a Ast,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    scopes: Scopes,
    linked: FxHashMap<Name, Linked>,
    /// The function whose body is being checked.
    function: Option<FunctionContext>,
    strings: FxHashMap<(TypeId, Box<[u8]>), GlobalId>,
    /// Evaluations required by types, such as array lengths, to be performed before the next
    /// expression.
    pending: Vec<ExprId>,
    /// The number of enclosing operators that do not evaluate their operand.
    unevaluated: u32,
    /// Unsupported `artificial` functions, which belong to their callers, with the reason.
    unsupported_functions: FxHashMap<FunctionId, Box<str>>,
    /// Functions with a definition that is only a form for inlining (`extern inline` with
    /// `gnu_inline`).
    inline_forms: FxHashSet<FunctionId>,
    /// The types of typedefs with an `aligned` that changes the alignment. Pointers to them lose
    /// it.
    realigned: FxHashSet<TypeId>,
    /// Whether constant objects may be read; gcc allows this only in static initializers.
    reads_constants: bool,
    /// Whether the record being defined has a member of variable length.
    has_variable_member: bool,
    /// The current depth of constant evaluation.
    depth: Cell<u32>,
}

impl<'a> Checker<'a> {
    fn new(unit: &'a TranslationUnit, options: Options) -> Self {
        let program = Program {
            types: TypeTable::new(options.model),
            names: unit.names.clone(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            exprs: PrimaryMap::new(),
            places: PrimaryMap::new(),
            stmts: PrimaryMap::new(),
            inits: PrimaryMap::new(),
            casts: FxHashSet::default(),
            changed: FxHashMap::default(),
            assembly: Vec::new(),
        };
        Self {
            unit,
            ast: &unit.ast,
            program,
            diagnostics: Vec::new(),
            errors: 0,
            warnings: 0,
            scopes: Scopes::default(),
            linked: FxHashMap::default(),
            function: None,
            strings: FxHashMap::default(),
            pending: Vec::new(),
            unevaluated: 0,
            unsupported_functions: FxHashMap::default(),
            inline_forms: FxHashSet::default(),
            realigned: FxHashSet::default(),
            reads_constants: false,
            has_variable_member: false,
            depth: Cell::new(0),
        }
    }

    /// Declares the typedef names that gcc predefines.
    fn predeclare(&mut self) {
        for (text, kind) in
            [("__int128_t", IntegerKind::Int128), ("__uint128_t", IntegerKind::UnsignedInt128)]
        {
            if let Some(name) = self.unit.names.get(text) {
                let ty = TypeId::integer(kind).into();
                self.scopes.declare(name, scope::Meaning::Typedef { ty, align: None }, Span::NONE);
            }
        }
    }

    fn run(mut self) -> CheckResult {
        self.predeclare();
        let unit = self.unit;
        let mut annotations = unit.annotations.as_slice();
        for &item in &unit.items {
            match item {
                Item::Declaration(id) => {
                    let mut none = Vec::new();
                    self.declaration(id, &mut none);
                    let declaration = &self.ast[id];
                    let names = declaration.declarators.iter();
                    let declarators = names.map(|declared| declared.declarator).collect::<Vec<_>>();
                    self.annotate(&declarators, declaration.span, &mut annotations);
                }
                Item::Function(id) => {
                    self.function_definition(id);
                    let definition = &self.ast[id];
                    self.annotate(&[definition.declarator], definition.span, &mut annotations);
                }
                Item::StaticAssert(id) => self.static_assert(id),
                Item::Asm(id) => self.assembly(id),
            }
            self.pending.clear();
        }
        self.finish_tentative();
        self.finish_symbols();
        CheckResult { program: self.program, diagnostics: self.diagnostics }
    }

    /// Adds the annotations directly before a declaration to the functions that it declares. Drops
    /// the annotations up to its end from `remaining`.
    fn annotate(&mut self, declarators: &[DeclaratorId], span: Span, remaining: &mut &[Span]) {
        let before = remaining.partition_point(|annotation| annotation.hi <= span.lo);
        let inside = remaining.partition_point(|annotation| annotation.lo < span.hi);
        let annotations = &remaining[..before];
        *remaining = &remaining[inside..];
        let names = declarators.iter().filter_map(|&id| self.ast[id].name);
        for name in names {
            if let Some(&Linked::Function(function)) = self.linked.get(&name.name) {
                self.program.functions[function].contract.annotations.extend_from_slice(annotations);
            }
        }
    }

    /// Returns the text of a name.
    fn text(&self, name: Name) -> &str {
        self.program.names.text(name)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let (count, limit) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, MAX_ERRORS),
            Severity::Warning => (&mut self.warnings, MAX_WARNINGS),
        };
        *count += 1;
        if *count <= limit {
            self.diagnostics.push(diagnostic);
        }
    }

    fn types(&self) -> &TypeTable {
        &self.program.types
    }

    /// Sets the body of the function, which is kept separately until it is complete.
    fn set_body(&mut self, function: FunctionId, body: Body) {
        self.program.functions[function].body = Some(body);
    }
}

/// Returns the more precise of two spans.
fn precise(whole: Span, part: Span) -> Span {
    if part.is_none() { whole } else { part }
}
