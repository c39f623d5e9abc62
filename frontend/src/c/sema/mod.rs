//! The type checker: names, types, constants, initializers. See [`hir`](super::hir) for what comes out.
//!
//! # Method
//!
//! One pass in source order. An expression becomes an `Operand`: a place, a function or a value; what
//! uses it turns it into a value or demands a place. Integer constants are folded as nodes are made, so that
//! *an integer constant expression is one whose node is a constant*; operations that overflow, shift too far or divide by
//! zero stay nodes, and are folded (by wrapping) only where C demands a constant.
//!
//! What gcc in its gnu11 mode merely warns about is accepted here as well, with a warning. An error gives the
//! poison type `TypeId::ERROR`, which converts to and from everything silently.
//!
//! # Limits
//!
//! The tree is read recursively, spines excepted, to the depth that the parser allows
//! ([`MAX_NESTING`](grammars::c::ast::MAX_NESTING)); the checker runs on a thread with a stack for that.

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
mod layout;
mod literals;
mod operand;
mod operators;
mod records;
mod scope;
mod statements;
mod vectors;

pub(in crate::c) use self::compatible::type_name;

use self::functions::FunctionContext;
use self::scope::Scopes;
use super::hir::{Body, ExprId, FunctionId, GlobalId, Program};
use super::types::{DataModel, IntegerKind, TypeId, TypeTable};
use grammars::c::ast::{Ast, Item, Name, TranslationUnit};
use grammars::source::{Diagnostic, Severity, Span};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use terms::entity::PrimaryMap;

/// How to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The sizes of the basic types.
    pub model: DataModel,
}

/// What [`check`] makes of a translation unit.
#[derive(Debug)]
pub struct CheckResult {
    /// The typed program; it must not be lowered if there is an error among the diagnostics.
    pub program: Program,
    /// Errors and warnings, in the order they were found. After many of them further ones are dropped.
    pub diagnostics: Vec<Diagnostic>,
}

impl CheckResult {
    /// Whether there is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// The stack of the checking thread. Reserved, not used, by ordinary programs.
const STACK: usize = 256 << 20;

/// Errors and warnings beyond these numbers are dropped.
const MAX_ERRORS: usize = 100;
const MAX_WARNINGS: usize = 500;

/// Checks a translation unit.
#[must_use]
pub fn check(unit: &TranslationUnit, options: Options) -> CheckResult {
    let run = || Checker::new(unit, options).run();
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Without address space for the stack: the program may well be shallow.
            Err(_) => run(),
        }
    })
}

/// What a name with linkage stands for, in all scopes.
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
    /// Evaluations that types reached on the way demand (lengths of arrays), to be done before what comes next.
    pending: Vec<ExprId>,
    /// How many enclosing operators do not evaluate their operand.
    unevaluated: u32,
    /// Functions whose code belongs to their callers and is not supported, with the reason.
    unsupported_functions: FxHashMap<FunctionId, Box<str>>,
    /// Whether constant objects may be read, as gcc allows in static initializers alone.
    reads_constants: bool,
    /// Whether the record being defined has a member of variable length.
    has_variable_member: bool,
    /// How deep the evaluation of a constant is.
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
            casts: rustc_hash::FxHashSet::default(),
            changed: FxHashMap::default(),
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
            reads_constants: false,
            has_variable_member: false,
            depth: Cell::new(0),
        }
    }

    /// The typedef names that gcc knows without a declaration.
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
        for &item in &unit.items {
            match item {
                Item::Declaration(id) => {
                    let mut none = Vec::new();
                    self.declaration(id, &mut none);
                }
                Item::Function(id) => self.function_definition(id),
                Item::StaticAssert(id) => self.static_assert(id),
                Item::Asm(id) => {
                    let span = self.ast[id].span;
                    self.warning(span, "a top-level `asm` is ignored");
                }
            }
            self.pending.clear();
        }
        self.finish_tentative();
        CheckResult { program: self.program, diagnostics: self.diagnostics }
    }

    /// The text of a name.
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

    /// The body of the function being checked is kept apart until it is complete.
    fn set_body(&mut self, function: FunctionId, body: Body) {
        self.program.functions[function].body = Some(body);
    }
}

/// The more precise of two spans.
fn precise(whole: Span, part: Span) -> Span {
    if part.is_none() { whole } else { part }
}
