//! What a call of a function without a body means: SV-COMP's functions, the ends of the program, allocation, input and
//! output; and the rule for all others.
//!
//! A function that is not known here returns any value and has no effect (SV-COMP's convention). That is not right
//! where it gets a pointer through which it could write or call back; such a call is unsupported.

use super::calls::Argument;
use super::function::Lowering;
use super::library::{self, Intrinsic};
use super::math;
use super::module::MEMORY;
use super::places::{Location, Value};
use crate::c::hir::{ExprId, ExprKind, FunctionId, InitValue, PlaceKind};
use crate::c::types::{IntegerKind, Type as CType, TypeId};
use grammars::c::ast::Qualifier;
use grammars::source::Span;
use ir::ssa::{Callee, Contents, HavocSource, InstructionKind, PropertyKind, Signedness, StopReason, Type};
use ir::term::Term;

/// From where a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// By its name.
    Direct,
    /// From the body made for calls through pointers.
    Pointer,
}

/// What a name means where there is no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Model {
    /// Goes on only if the argument holds.
    Assume,
    /// Fails if the argument does not hold.
    Assert,
    /// Fails.
    AssertFails,
    /// Ends the program.
    Exit,
    /// A value of the task's environment.
    Input,
    /// No effect, no result.
    Nothing,
    /// New memory; which argument is the size.
    Allocate { size: usize },
    /// New zeroed memory of the product of two sizes.
    AllocateZero,
    /// New memory with the contents of old memory.
    Reallocate,
    /// Absolute value.
    Absolute,
    /// A function of `math.h`.
    Math(math::Function),
    /// Reads input into what its pointers point to; which argument is the format.
    Scan { format: usize },
    /// Writes nothing that the program sees, although it gets pointers.
    Harmless,
    /// Not known.
    Unknown,
}

/// What the name of a function without a body means.
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
        "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" | "reach_error" | "__VERIFIER_error" => {
            Model::Exit
        }
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "free" | "cfree" => Model::Nothing,
        "malloc" | "valloc" | "alloca" => Model::Allocate { size: 0 },
        "aligned_alloc" | "memalign" => Model::Allocate { size: 1 },
        "calloc" => Model::AllocateZero,
        "realloc" => Model::Reallocate,
        "abs" | "labs" | "llabs" | "imaxabs" => Model::Absolute,
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Model::Scan { format: 0 },
        "fscanf" | "sscanf" | "__isoc99_fscanf" | "__isoc99_sscanf" | "__isoc23_fscanf"
        | "__isoc23_sscanf" => Model::Scan { format: 1 },
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "dprintf" | "puts" | "fputs" | "putchar" | "putc"
        | "fputc" | "fwrite" | "fflush" | "perror" | "fopen" | "fdopen" | "freopen" | "fclose" | "feof"
        | "ferror" | "clearerr" | "rewind" | "fseek" | "ftell" | "fileno" | "fgetc" | "getc" | "getchar"
        | "ungetc" | "getenv" | "system" | "remove" | "rename" | "puts_unlocked" | "putc_unlocked"
        | "getc_unlocked" | "_IO_putc" | "_IO_getc" | "__printf_chk" | "__fprintf_chk" | "printk" => {
            Model::Harmless
        }
        _ if name.starts_with("__VERIFIER_nondet_") => Model::Input,
        _ => math::function(name).map_or(Model::Unknown, Model::Math),
    }
}

impl Lowering<'_, '_, '_> {
    /// A call of a function without a body. No term for `void`, and where the call does not return.
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
        let address_type = self.m.address_type();
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
            (Model::Input, _) => self.input(&name, ty, function.is_implicit, span),
            (Model::Nothing, _) => None,
            (Model::Allocate { size: index }, _) => {
                let size = size(self, index)?;
                let kind = InstructionKind::Allocate { region: MEMORY, size, contents: Contents::Unknown };
                Some(self.emit(kind, address_type, span))
            }
            (Model::AllocateZero, _) => {
                let (count, bytes) = (size(self, 0)?, size(self, 1)?);
                let size = self.m.pool.bv_mul(count, bytes);
                let kind = InstructionKind::Allocate { region: MEMORY, size, contents: Contents::Zero };
                Some(self.emit(kind, address_type, span))
            }
            (Model::Reallocate, Some(old)) => {
                let size = size(self, 1)?;
                if !self.is_zero(old.term) {
                    // The contents are not copied but unknown.
                    self.approximation(Type::unsigned(8), "the contents of reallocated memory", span);
                }
                let kind = InstructionKind::Allocate { region: MEMORY, size, contents: Contents::Unknown };
                Some(self.emit(kind, address_type, span))
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
            (Model::Scan { format }, _) => self.scan(&name, arguments, format, ty, span),
            (Model::Harmless, _) => {
                let writes = |argument: &Argument| {
                    argument
                        .expr
                        .and_then(|expr| self.string_literal(expr))
                        .is_some_and(|text| counts_output(&text))
                };
                if arguments.iter().any(writes) {
                    self.unsupported(format!("{name} with the conversion %n"), span);
                    return None;
                }
                self.unknown_call(id, &name, arguments, ty, span, site)
            }
            _ => {
                let culprit = arguments.iter().find(|argument| self.may_write(argument));
                if culprit.is_some() {
                    self.unsupported(format!("external function {name} without a body gets a pointer"), span);
                    return None;
                }
                self.unknown_call(id, &name, arguments, ty, span, site)
            }
        }
    }

    /// A name that means something in the library only.
    fn intrinsic(&mut self, intrinsic: Intrinsic<'_>, ty: TypeId, span: Span) -> Option<Term> {
        let source = match intrinsic {
            Intrinsic::Input(name) => HavocSource::Input(name.to_owned()),
            Intrinsic::Approximate(name) => HavocSource::Approximation(name.to_owned()),
            Intrinsic::Unsupported(what) => {
                self.unsupported(what.replace('_', " "), span);
                return None;
            }
        };
        let scalar = self.m.scalar_type(self.hir, ty)?;
        Some(self.emit(InstructionKind::Havoc(source), scalar, span))
    }

    /// A function that returns any value.
    fn unknown_call(
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
                let target = self.m.function(self.unit, id);
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
                    result.map(|ty| {
                        self.emit(InstructionKind::Havoc(HavocSource::External(name.to_owned())), ty, span)
                    })
                } else {
                    let kind = InstructionKind::Call { callee: Callee::Direct(target), arguments: terms };
                    match result {
                        Some(ty) => Some(self.emit(kind, ty, span)),
                        None => {
                            self.b.effect(kind, span);
                            None
                        }
                    }
                }
            }
            result => result.map(|ty| {
                self.emit(InstructionKind::Havoc(HavocSource::External(name.to_owned())), ty, span)
            }),
        };
        if self.hir[id].is_noreturn {
            self.exit(span);
        }
        value
    }

    fn approximate_result(&mut self, name: &str, ty: TypeId, span: Span) -> Option<Term> {
        let scalar = self.m.scalar_type(self.hir, ty)?;
        Some(self.approximation(scalar, &format!("the result of {name}"), span))
    }

    /// Whether a function that gets the argument could change memory or call back.
    fn may_write(&self, argument: &Argument) -> bool {
        match self.hir.types[argument.ty] {
            CType::Pointer(pointee) => {
                !self.is_zero(argument.term)
                    && (!pointee.qualifiers.contains(Qualifier::Const)
                        || self.hir.types.is_function(pointee.ty))
            }
            CType::VaList => true,
            CType::Record(_) => self.has_pointer(argument.ty, 8),
            _ => false,
        }
    }

    pub(super) fn has_pointer(&self, ty: TypeId, depth: u32) -> bool {
        match self.hir.types[ty] {
            CType::Pointer(_) | CType::VaList => true,
            CType::Array(element, _) => depth == 0 || self.has_pointer(element.ty, depth - 1),
            CType::Record(_) => {
                let fields = self.hir.types.fields(ty).unwrap_or(&[]);
                depth == 0 || fields.iter().any(|field| self.has_pointer(field.ty, depth - 1))
            }
            _ => false,
        }
    }

    fn assertion(&mut self, name: &str, argument: Argument, span: Span) {
        let condition = self.truth(argument.term, argument.ty);
        let (holds, fails) = (self.b.create_block(), self.b.create_block());
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
            self.stop(StopReason::Exit, span);
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

    /// The `scanf` family: each pointer after the format gets a value.
    fn scan(
        &mut self,
        name: &str,
        arguments: &[Argument],
        format: usize,
        ty: TypeId,
        span: Span,
    ) -> Option<Term> {
        let literal = arguments.get(format).and_then(|argument| self.string_literal(argument.expr?));
        let Some(literal) = literal.filter(|text| !has_string_conversion(text)) else {
            self.unsupported(format!("{name} into a string or with an unknown format"), span);
            return None;
        };
        let conversions = literal.matches('%').count() - 2 * literal.matches("%%").count();
        if arguments.len() - format - 1 < conversions {
            self.unsupported(format!("{name} with too few arguments"), span);
            return None;
        }
        for argument in &arguments[format + 1..] {
            let pointee = self.hir.types.pointee(argument.ty).map(|pointee| pointee.ty);
            let Some((target, scalar)) =
                pointee.and_then(|pointee| Some((pointee, self.m.scalar_type(self.hir, pointee)?)))
            else {
                self.unsupported(format!("{name} into something that is no scalar"), span);
                return None;
            };
            let term = self.emit(InstructionKind::Havoc(HavocSource::Input(name.to_owned())), scalar, span);
            let location = Location::Memory { base: argument.term, offset: 0, bits: None };
            self.store(&location, target, Value::Scalar(term), span, None);
        }
        let scalar = self.m.scalar_type(self.hir, ty)?;
        Some(self.emit(InstructionKind::Havoc(HavocSource::External(name.to_owned())), scalar, span))
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

/// Whether a format has the conversion `%n`, which stores a number.
fn counts_output(format: &str) -> bool {
    format.replace("%%", "").split('%').skip(1).any(|conversion| {
        let flags = |c: char| c.is_ascii_digit() || "hlLjztq*.+-# '".contains(c);
        conversion.trim_start_matches(flags).starts_with('n')
    })
}

/// Whether a format has a conversion that writes more than one scalar, or suppresses assignment.
fn has_string_conversion(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        let conversion = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "hlLjztq'".contains(c));
        match conversion.chars().next() {
            Some('%') => rest = &conversion[1..],
            Some('d' | 'i' | 'o' | 'u' | 'x' | 'X' | 'e' | 'f' | 'g' | 'E' | 'G' | 'a' | 'A' | 'p' | 'n') => {
            }
            Some('c') if conversion == rest => {}
            _ => return true,
        }
    }
    false
}
