//! Models of functions without a body: SV-COMP functions, program termination, allocation, output.
//!
//! Most of the C library is C source text (`library`). `unknown` handles functions without a model.

use super::calls::Argument;
use super::function::Lowering;
use super::library::{self, Intrinsic};
use super::math;
use super::output;
use crate::c::contract;
use crate::c::hir::{ExprId, ExprKind, FunctionId, InitValue, PlaceKind};
use crate::c::types::{IntegerKind, TypeId};
use grammars::source::Span;
use program::ssa::{Callee, Contents, HavocSource, InstructionKind, PropertyKind, Signedness, Type};
use terms::Term;

/// The kind of call site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// A call by name.
    Direct,
    /// The body generated for calls through pointers.
    Pointer,
}

/// The model of a function without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Model {
    /// Continues only if the argument is nonzero.
    Assume,
    /// Fails if the argument is zero.
    Assert,
    /// Fails.
    AssertFails,
    /// Terminates the program normally.
    Exit,
    /// Terminates the program abnormally.
    Abort,
    /// Ends the lifetime of a heap block.
    Free,
    /// Ends the lifetime of a heap block unless it has ended (`heap`).
    Release,
    /// New memory that lives until the function returns.
    AllocateOnStack,
    /// An input from the environment of the task.
    Input,
    /// No effect, no result.
    Nothing,
    /// New memory of a given size.
    Allocate,
    /// New memory; the alignment precedes the size.
    AllocateAligned,
    /// New memory, aligned to the page size.
    AllocatePages,
    /// New memory; its address is stored to the target of the first argument, which alignment and
    /// size follow.
    AllocateTo,
    /// New zeroed memory; the size is the product of two arguments.
    AllocateZero,
    /// New zeroed memory; the size is the first argument (`kzalloc` of Linux).
    AllocateZeroBlock,
    /// New memory with the contents of an old block.
    Reallocate,
    /// The absolute value.
    Absolute,
    /// A function of `math.h`.
    Math(math::Function),
    /// Writes no memory observable by the program, although it takes pointers; `output` models its
    /// reads.
    Harmless,
    /// May terminate the program, otherwise changes nothing. The result is over-approximated.
    Approximated,
    /// Sets a signal handler.
    Signal,
    /// Unsupported, with the reason.
    Refused(&'static str),
    /// Unknown.
    Unknown,
}

/// The size of a page in bytes.
const PAGE: u64 = 4096;

const CONCURRENCY: &str = "concurrency is out of scope";

/// Returns the model of a function without a body.
pub(super) fn model(name: &str) -> Model {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name {
        "__VERIFIER_assume" | "__CPROVER_assume" => Model::Assume,
        "__VERIFIER_assert" | "assert" => Model::Assert,
        "__assert_fail"
        | "__assert_perror_fail"
        | "__assert_rtn"
        | "__assert_func"
        | "__assert"
        | "_assert" => Model::AssertFails,
        "exit" | "_exit" | "_Exit" | "quick_exit" => Model::Exit,
        "abort" | "reach_error" | "__VERIFIER_error" => Model::Abort,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => Model::Nothing,
        contract::RELEASE => Model::Release,
        "free" | "cfree" | "kfree" | "vfree" => Model::Free,
        "malloc" | "kmalloc" | "__kmalloc" | "vmalloc" => Model::Allocate,
        "valloc" => Model::AllocatePages,
        "kzalloc" | "vzalloc" => Model::AllocateZeroBlock,
        "alloca" => Model::AllocateOnStack,
        "aligned_alloc" | "memalign" => Model::AllocateAligned,
        "posix_memalign" => Model::AllocateTo,
        "calloc" | "kcalloc" => Model::AllocateZero,
        "realloc" => Model::Reallocate,
        "abs" | "labs" | "llabs" | "imaxabs" => Model::Absolute,
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "dprintf" | "vdprintf" | "__printf_chk"
        | "__fprintf_chk" | "__vprintf_chk" | "__vfprintf_chk" | "puts" | "fputs" | "fputs_unlocked"
        | "putchar" | "putc" | "fputc" | "putchar_unlocked" | "putc_unlocked" | "_IO_putc" | "fwrite"
        | "fflush" | "perror" | "printk" | "syslog" | "getenv" | "secure_getenv" | "setlocale" | "system" => {
            Model::Harmless
        }
        "raise" | "kill" | "alarm" | contract::UNKNOWN => Model::Approximated,
        "signal" | "bsd_signal" | "sysv_signal" => Model::Signal,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp"
        | "getcontext" | "setcontext" | "makecontext" | "swapcontext" => {
            Model::Refused("non-local jumps are out of scope")
        }
        "fork" | "vfork" | "clone" | "call_once" => Model::Refused(CONCURRENCY),
        _ if ["pthread_", "thrd_", "mtx_", "cnd_", "tss_", "sem_"]
            .iter()
            .any(|prefix| name.starts_with(prefix)) =>
        {
            Model::Refused(CONCURRENCY)
        }
        _ if name.starts_with("__VERIFIER_nondet_") => Model::Input,
        _ => math::function(name).map_or(Model::Unknown, Model::Math),
    }
}

impl Lowering<'_, '_, '_> {
    /// Lowers a call of a function without a body. Returns no term for `void`, or if the call does
    /// not return.
    pub(super) fn external_call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        ty: TypeId,
        span: Span,
        site: Site,
    ) -> Option<Term> {
        let function = &self.hir[id];
        let name = self.hir.name(function.name).to_owned();
        let address_width = self.m.program.machine.pointer_width;
        let first = arguments.first().copied();
        let size = |this: &mut Self, index: usize| {
            let argument = arguments.get(index)?;
            let signedness = this.signedness(argument.ty);
            Some(this.resize(argument.term, address_width, signedness))
        };
        if self.m.is_library(self.unit)
            && let Some(intrinsic) = Intrinsic::named(&name)
        {
            return self.intrinsic(intrinsic, ty, span);
        }
        match (model(&name), first) {
            (Model::Assume, Some(first)) => {
                let condition = self.truth(first.term, first.ty);
                self.decide_argument(first, condition);
                self.assume(condition, span);
                None
            }
            (Model::Assert, Some(first)) => {
                self.assertion(&name, first, span);
                None
            }
            (Model::AssertFails, _) => {
                let text = arguments.iter().find_map(|argument| self.string_literal(argument.expr?));
                let description =
                    text.map_or_else(|| "assertion".to_owned(), |text| format!("assertion {text}"));
                self.failing_assertion(description, span);
                None
            }
            (Model::Exit, _) => {
                match name.as_str() {
                    "exit" => self.run_at_exit(library::EXIT_HANDLERS, span),
                    "quick_exit" => self.run_at_exit(library::QUICK_EXIT_HANDLERS, span),
                    _ => {}
                }
                self.exit(span);
                None
            }
            (Model::Abort, _) => {
                self.abort(span);
                None
            }
            (Model::Free, Some(first)) => {
                let pointer = self.in_address_width(first.term);
                self.free(pointer, span);
                None
            }
            (Model::Release, Some(first)) => {
                let pointer = self.in_address_width(first.term);
                self.release(pointer, span);
                None
            }
            (Model::AllocateOnStack, _) => {
                let size = size(self, 0)?;
                Some(self.allocate_on_stack(size, 1, span))
            }
            (Model::Input, _) => self.input(&name, ty, function.is_implicit, span),
            (Model::Nothing, _) => None,
            (Model::Allocate, _) => {
                let size = size(self, 0)?;
                Some(self.allocate_block(size, Contents::Unknown, span))
            }
            (Model::AllocateAligned, Some(first)) => {
                let align = self.alignment(first.term, span)?;
                let size = size(self, 1)?;
                Some(self.allocate_aligned(size, align, Contents::Unknown, span))
            }
            (Model::AllocatePages, _) => {
                let size = size(self, 0)?;
                Some(self.allocate_aligned(size, PAGE, Contents::Unknown, span))
            }
            (Model::AllocateTo, Some(to)) if arguments.len() == 3 => {
                let align = self.alignment(arguments[1].term, span)?;
                let size = size(self, 2)?;
                let to = self.in_address_width(to.term);
                Some(self.allocate_to(to, align, size, span))
            }
            (Model::AllocateZeroBlock, _) => {
                let size = size(self, 0)?;
                Some(self.allocate_block(size, Contents::Zero, span))
            }
            (Model::AllocateZero, _) => {
                let (count, bytes) = (size(self, 0)?, size(self, 1)?);
                Some(self.allocate_array(count, bytes, span))
            }
            (Model::Reallocate, Some(old)) => {
                let size = size(self, 1)?;
                let ty = old.expr.and_then(|expr| self.pointee(expr));
                let old = self.in_address_width(old.term);
                Some(self.reallocate(old, ty, size, span))
            }
            (Model::Absolute, Some(first)) if self.hir.types.is_integer(first.ty) => {
                self.check_absolute(&name, first.term, first.expr, span);
                let zero = self.m.pool.bv(self.m.pool_width(first.term), 0);
                let is_negative = self.m.pool.bv_slt(first.term, zero);
                let negated = self.m.pool.bv_neg(first.term);
                let absolute = self.m.pool.ite(is_negative, negated, first.term);
                let width = self.width(ty);
                Some(self.resize(absolute, width, Signedness::Signed))
            }
            (Model::Math(function), _) if self.is_math_call(function, arguments, ty) => {
                self.math_call(&name, function, arguments, ty, span)
            }
            (Model::Refused(reason), _) => {
                self.unsupported(format!("{name}: {reason}"), span);
                None
            }
            (Model::Approximated, _) => self.approximate_result(&name, ty, span),
            (Model::Signal, _) => {
                let is_ignored =
                    arguments.get(1).is_some_and(|handler| self.m.pool.is_constant(handler.term));
                if !is_ignored {
                    self.unsupported(format!("{name}: asynchronous signal handlers are out of scope"), span);
                    return None;
                }
                self.approximate_result(&name, ty, span)
            }
            (Model::Harmless, _) => {
                if arguments.iter().any(|argument| self.counts_output(argument)) {
                    self.unsupported(format!("{name} with the conversion %n"), span);
                    return None;
                }
                if site == Site::Pointer && self.slot_bits().is_some() && output::reads_memory(&name) {
                    self.unsupported(
                        format!("{name} with a type that differs from that of the C library"),
                        span,
                    );
                    return None;
                }
                self.any_result(id, &name, arguments, ty, span, site)
            }
            _ => self.unknown_call(id, &name, arguments, ty, span, site),
        }
    }

    /// Whether the argument is a format string with `%n`, which stores a number.
    pub(super) fn counts_output(&self, argument: &Argument) -> bool {
        let text = argument.expr.and_then(|expr| self.string_literal(expr));
        text.is_some_and(|text| counts_output(&text))
    }

    /// Lowers a call of a name that is reserved for the library source.
    fn intrinsic(&mut self, intrinsic: Intrinsic<'_>, ty: TypeId, span: Span) -> Option<Term> {
        let source = match intrinsic {
            Intrinsic::Input(name) => HavocSource::Input(name.to_owned()),
            Intrinsic::Approximate(name) => HavocSource::Approximation(name.to_owned()),
            Intrinsic::Unsupported(what) => {
                self.unsupported(what.replace('_', " "), span);
                return None;
            }
            Intrinsic::AreAccessesChecked => {
                let are_checked = u64::from(self.slot_bits().is_some());
                let width = self.width(ty);
                return Some(self.m.pool.bv(width, are_checked));
            }
        };
        self.any_value(source, ty, span)
    }

    /// A function that returns any value and changes nothing.
    pub(super) fn any_result(
        &mut self,
        id: FunctionId,
        name: &str,
        arguments: &[Argument],
        ty: TypeId,
        span: Span,
        site: Site,
    ) -> Option<Term> {
        let has_floats = arguments.iter().any(|argument| self.hir.types.is_floating(argument.ty));
        let result = self.m.scalar_type(self.hir, ty);
        let is_harmless = model(name) == Model::Harmless;
        let value = match result {
            Some(Type::Pointer { .. }) => self.approximate_result(name, ty, span),
            Some(_) if has_floats && !is_harmless => self.approximate_result(name, ty, span),
            result if site == Site::Direct => {
                let target = self.m.external_function(self.unit, id);
                let data = &self.m.program.functions[target];
                let (parameters, is_variadic, declared) =
                    (data.parameters.clone(), data.is_variadic, data.result);
                let terms: Vec<Term> = arguments
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| is_variadic || *index < parameters.len())
                    .map(|(index, argument)| match parameters.get(index) {
                        Some(&parameter) => self.fit(argument.term, parameter),
                        None => argument.term,
                    })
                    .collect();
                if terms.len() < parameters.len() || declared != result {
                    self.any_value(HavocSource::External(name.to_owned()), ty, span)
                } else {
                    let kind = InstructionKind::Call { callee: Callee::Direct(target), arguments: terms };
                    match result {
                        Some(result) => {
                            let term = self.emit(kind, result, span);
                            Some(self.valid(term, ty))
                        }
                        None => {
                            self.b.effect(kind, span);
                            None
                        }
                    }
                }
            }
            _ => self.any_value(HavocSource::External(name.to_owned()), ty, span),
        };
        if self.hir[id].is_noreturn {
            self.abort(span);
        }
        value
    }

    fn approximate_result(&mut self, name: &str, ty: TypeId, span: Span) -> Option<Term> {
        let scalar = self.m.scalar_type(self.hir, ty)?;
        Some(self.approximation(scalar, &format!("the result of {name}"), span))
    }

    fn assertion(&mut self, name: &str, argument: Argument, span: Span) {
        let condition = self.truth(argument.term, argument.ty);
        let (holds, fails) = (self.b.create_block(), self.b.create_block());
        self.decide_argument(argument, condition);
        self.branch(condition, holds, fails, span);
        self.b.seal(holds);
        self.b.seal(fails);
        self.b.switch_to(fails);
        let is_call_error = self.m.specification.is_error_call("reach_error") && name == "__VERIFIER_assert";
        if is_call_error {
            self.error(PropertyKind::ReachCall, format!("call of reach_error by {name}"), span);
        } else {
            self.failing_assertion("assertion".to_owned(), span);
        }
        self.b.switch_to(holds);
    }

    fn failing_assertion(&mut self, description: String, span: Span) {
        if self.m.specification.are_assertions_errors() {
            self.error(PropertyKind::Assertion, description, span);
        } else {
            self.abort(span);
        }
    }

    /// `__VERIFIER_nondet_T()`.
    fn input(&mut self, name: &str, ty: TypeId, is_implicit: bool, span: Span) -> Option<Term> {
        let suffix = name.strip_prefix("__VERIFIER_nondet_").unwrap_or("");
        let Some(declared) = self.m.scalar_type(self.hir, ty) else {
            if !self.is_void(ty) {
                self.unsupported(format!("{name} returns an aggregate"), span);
            }
            return None;
        };
        let is_bool = suffix == "bool" || suffix == "_Bool" || ty == TypeId::BOOL;
        let kind = match suffix {
            "char" => Some(IntegerKind::Char),
            "schar" => Some(IntegerKind::SignedChar),
            "uchar" | "unsigned_char" | "u8" => Some(IntegerKind::UnsignedChar),
            "short" => Some(IntegerKind::Short),
            "ushort" | "u16" => Some(IntegerKind::UnsignedShort),
            _ => None,
        };
        let shown = match kind {
            _ if is_bool => TypeId::BOOL,
            Some(kind) => TypeId::integer(kind),
            None => ty,
        };
        self.m.note_result(name, self.unit, shown);
        let source = InstructionKind::Havoc(HavocSource::Input(name.to_owned()));
        let model = self.hir.types.model;
        let named = match kind {
            _ if is_bool => Some((1, Signedness::Unsigned)),
            Some(kind) if is_implicit && kind.is_signed() => Some((kind.width(model), Signedness::Signed)),
            Some(kind) if is_implicit => Some((kind.width(model), Signedness::Unsigned)),
            _ => None,
        };
        match named {
            Some((width, signedness)) => {
                let term = self.emit(source, Type::Int { width, signedness }, span);
                Some(self.resize(term, declared.width(), signedness))
            }
            None => Some(self.emit(source, declared, span)),
        }
    }

    /// The text of a string literal argument.
    pub(super) fn string_literal(&self, mut expr: ExprId) -> Option<String> {
        while let ExprKind::Cast { operand, .. } = self.hir[expr].kind {
            expr = operand;
        }
        let ExprKind::Decay(place) = self.hir[expr].kind else { return None };
        let PlaceKind::Global(global) = self.hir[place].kind else { return None };
        let global = &self.hir[global];
        if global.kind != crate::c::hir::GlobalKind::StringLiteral {
            return None;
        }
        let entry = self.hir[global.initializer?].entries.first()?;
        let InitValue::Bytes(bytes) = &entry.value else { return None };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }
}

/// Whether a format string has the conversion `%n`, which stores a number.
fn counts_output(format: &str) -> bool {
    format.replace("%%", "").split('%').skip(1).any(|conversion| {
        let flags = |c: char| c.is_ascii_digit() || "hlLjztq*.+-# '".contains(c);
        conversion.trim_start_matches(flags).starts_with('n')
    })
}
