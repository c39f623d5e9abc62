//! Built-in functions of the compiler.

use super::Checker;
use crate::c::hir::{AtomicOp, Builtin, ExprId, ExprKind, FetchOp, FloatComparison, OverflowOp};
use crate::c::types::{FloatKind, IntegerKind, QualType, Type, TypeId};
use grammars::c::ast::{self, Qualifier, Qualifiers};
use grammars::source::Span;

impl Checker<'_> {
    /// Checks a call of a built-in function; `None` if there is no built-in function of this name.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Option<ExprId> {
        if let Some(value) = self.vector_builtin(name, arguments, span) {
            return Some(value);
        }
        if let Some(rest) = name.strip_prefix("__builtin_") {
            return self.builtin(rest, arguments, span);
        }
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync(rest, arguments, span);
        }
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.atomic(rest, arguments, span);
        }
        (name == "alloca").then(|| self.simple(Builtin::Alloca, arguments, span))?
    }

    fn node(&mut self, builtin: Builtin, arguments: Vec<ExprId>, ty: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Builtin { builtin, arguments: arguments.into_boxed_slice() }, ty, span)
    }

    /// Reports a wrong number of arguments.
    fn expect_arguments(&mut self, arguments: &[ast::ExprId], least: usize, most: usize, span: Span) -> bool {
        let fits = (least..=most).contains(&arguments.len());
        if !fits {
            self.error(span, "wrong number of arguments to built-in function");
        }
        fits
    }

    fn typed(
        &mut self,
        builtin: Builtin,
        arguments: &[ast::ExprId],
        parameters: &[TypeId],
        ty: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        if !self.expect_arguments(arguments, parameters.len(), parameters.len(), span) {
            return Some(self.error_expr(span));
        }
        let mut values = Vec::new();
        for (&argument, &parameter) in arguments.iter().zip(parameters) {
            let value = self.value(argument);
            values.push(self.assign_convert(value, parameter, "argument passing", self.ast[argument].span));
        }
        Some(self.node(builtin, values, ty, span))
    }

    fn builtin(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let value = match name {
            "expect" | "expect_with_probability" => {
                let long = TypeId::LONG;
                let parameters: &[TypeId] =
                    if name == "expect" { &[long, long] } else { &[long, long, TypeId::DOUBLE] };
                return self.typed(Builtin::Expect, arguments, parameters, long, span);
            }
            "unreachable" => return self.typed(Builtin::Unreachable, arguments, &[], TypeId::VOID, span),
            "trap" => return self.typed(Builtin::Trap, arguments, &[], TypeId::VOID, span),
            "constant_p" => {
                if !self.expect_arguments(arguments, 1, 1, span) {
                    return Some(self.error_expr(span));
                }
                self.unevaluated += 1;
                let value = self.value(arguments[0]);
                self.unevaluated -= 1;
                match self.is_known_constant(value) {
                    Some(known) => self.integer(i128::from(known), TypeId::INT, span),
                    None => self.unsupported("__builtin_constant_p of this call", TypeId::INT, span),
                }
            }
            "object_size" | "dynamic_object_size" => {
                if !self.expect_arguments(arguments, 2, 2, span) {
                    return Some(self.error_expr(span));
                }
                self.unevaluated += 1;
                let pointer = self.value(arguments[0]);
                self.unevaluated -= 1;
                let kind = self.constant(arguments[1]).map_or(0, |(kind, _)| kind);
                let is_part = kind & 1 != 0;
                let size = self.types().size_type();
                match self.bytes_behind(pointer, is_part) {
                    Some(bytes) => self.integer(i128::from(bytes), size, span),
                    None => self.integer(if kind & 2 != 0 { 0 } else { -1 }, size, span),
                }
            }
            "assume_aligned" => {
                if !self.expect_arguments(arguments, 2, 3, span) {
                    return Some(self.error_expr(span));
                }
                let value = self.value(arguments[0]);
                self.pointer_to_void(value, "argument passing", span)
            }
            "classify_type" => {
                let value = self.value(*arguments.first()?);
                let class = match &self.types()[self.ty(value)] {
                    Type::Void => 0,
                    Type::Pointer(_) => 5,
                    Type::Float(_) => 8,
                    Type::Complex(_) => 9,
                    Type::Record(_) => 12,
                    _ => 1,
                };
                self.integer(class, TypeId::INT, span)
            }
            "va_start" | "stdarg_start" | "va_end" | "va_copy" => {
                return Some(self.variable_arguments(name, arguments, span));
            }
            "return_address" | "frame_address" => {
                let pointer = self.program.types.pointer(TypeId::VOID);
                return self.typed(Builtin::FrameAddress, arguments, &[TypeId::UNSIGNED], pointer, span);
            }
            "extract_return_addr" => self.value(*arguments.first()?),
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                return self.simple(Builtin::Alloca, arguments, span);
            }
            "prefetch" => {
                let values = arguments.iter().map(|&argument| self.value(argument)).collect();
                self.node(Builtin::Prefetch, values, TypeId::VOID, span)
            }
            "complex" => {
                if !self.expect_arguments(arguments, 2, 2, span) {
                    return Some(self.error_expr(span));
                }
                let (re, im) = (self.value(arguments[0]), self.value(arguments[1]));
                let ty = self.ty(re);
                let im = self.convert(im, ty);
                let complex = self.program.types.intern(Type::Complex(ty));
                self.node(Builtin::MakeComplex, vec![re, im], complex, span)
            }
            "va_arg_pack" | "va_arg_pack_len"
                if self.function.as_ref().is_some_and(|it| it.is_gnu_inline) =>
            {
                if let Some(context) = &mut self.function {
                    context.passes_arguments = true;
                }
                self.integer(0, TypeId::INT, span)
            }
            "speculation_safe_value" => {
                if !self.expect_arguments(arguments, 1, 2, span) {
                    return Some(self.error_expr(span));
                }
                let value = self.value(arguments[0]);
                if let Some(&other) = arguments.get(1) {
                    let other = self.value(other);
                    self.evaluate(other)?;
                }
                value
            }
            "FUNCTION" => {
                if !self.expect_arguments(arguments, 0, 0, span) {
                    return Some(self.error_expr(span));
                }
                let name = self.function_name(span);
                self.rvalue(name)
            }
            "FILE" => {
                let qualifiers = Qualifiers::NONE.with(Qualifier::Const);
                let pointer = self.program.types.pointer(QualType { ty: TypeId::CHAR, qualifiers });
                self.unsupported("__builtin_FILE", pointer, span)
            }
            "LINE" => self.unsupported("__builtin_LINE", TypeId::INT, span),
            "fpclassify" => {
                if !self.expect_arguments(arguments, 6, 6, span) {
                    return Some(self.error_expr(span));
                }
                let mut values: Vec<ExprId> =
                    arguments.iter().map(|&argument| self.value(argument)).collect();
                for value in &mut values[..5] {
                    *value = self.convert(*value, TypeId::INT);
                }
                self.node(Builtin::Classify, values, TypeId::INT, span)
            }
            _ => {
                return self
                    .bit_builtin(name, arguments, span)
                    .or_else(|| self.float_builtin(name, arguments, span))
                    .or_else(|| self.overflow(name, arguments, span))
                    .or_else(|| self.rounded(name, arguments, span));
            }
        };
        Some(value)
    }

    fn simple(&mut self, builtin: Builtin, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let pointer = self.program.types.pointer(TypeId::VOID);
        let size = self.types().size_type();
        let parameters = vec![size; arguments.len().max(1)];
        self.typed(builtin, arguments, &parameters, pointer, span)
    }

    fn variable_arguments(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> ExprId {
        let (builtin, lists) = match name {
            "va_end" => (Builtin::VaEnd, 1),
            "va_copy" => (Builtin::VaCopy, 2),
            _ => (Builtin::VaStart, 1),
        };
        if arguments.len() < lists {
            self.error(span, "wrong number of arguments to built-in function");
            return self.error_expr(span);
        }
        let mut values = Vec::new();
        for &argument in &arguments[..lists] {
            let Some(place) = self.va_list(argument) else { return self.error_expr(span) };
            self.take_address(place);
            let pointer = self.program.types.pointer(TypeId::VA_LIST);
            values.push(self.expr(ExprKind::AddressOf(place), pointer, span));
        }
        self.node(builtin, values, TypeId::VOID, span)
    }

    /// Bit counting and byte swapping.
    fn bit_builtin(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        if let Some(width) = name.strip_prefix("bswap") {
            let width: u32 = width.parse().ok().filter(|width| matches!(width, 16 | 32 | 64 | 128))?;
            let mut kind = self.integer_of_width(width, false);
            if width == 64 {
                kind = if self.types().model.pointer_width() == 64 {
                    IntegerKind::UnsignedLong
                } else {
                    IntegerKind::UnsignedLongLong
                };
            }
            let ty = TypeId::integer(kind);
            return self.typed(Builtin::ByteSwap, arguments, &[ty], ty, span);
        }
        let (builtin, rest, signed) = [
            ("clrsb", Builtin::CountRedundantSignBits, true),
            ("clz", Builtin::CountLeadingZeros, false),
            ("ctz", Builtin::CountTrailingZeros, false),
            ("popcount", Builtin::PopulationCount, false),
            ("parity", Builtin::Parity, false),
            ("ffs", Builtin::FindFirstSet, true),
        ]
        .into_iter()
        .find_map(|(prefix, builtin, signed)| {
            name.strip_prefix(prefix).map(|rest| (builtin, rest, signed))
        })?;
        let kind = match rest {
            "" => IntegerKind::Int,
            "l" => IntegerKind::Long,
            "ll" => IntegerKind::LongLong,
            "imax" => self.integer_of_width(64, true),
            _ => return None,
        };
        let ty = TypeId::integer(if signed { kind } else { kind.to_unsigned() });
        self.typed(builtin, arguments, &[ty], TypeId::INT, span)
    }

    /// `lceil`, `ifloorf`, `iround`, …: a function of `math.h` and a conversion.
    fn rounded(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let (ty, rest) = match (name.strip_prefix("ll"), name.strip_prefix('l'), name.strip_prefix('i')) {
            (Some(rest), ..) => (TypeId::integer(IntegerKind::LongLong), rest),
            (_, Some(rest), _) => (TypeId::LONG, rest),
            (.., Some(rest)) => (TypeId::INT, rest),
            _ => return None,
        };
        let stem = ["ceil", "floor", "rint", "round"]
            .into_iter()
            .find(|stem| rest.strip_prefix(stem).is_some_and(|suffix| matches!(suffix, "" | "f" | "l")))?;
        let rounded = match stem {
            "ceil" | "floor" => self.library_call(rest, arguments, span)?,
            "rint" | "round" if ty == TypeId::INT => {
                self.library_call(&format!("l{rest}"), arguments, span)?
            }
            _ => return None,
        };
        Some(self.convert(rounded, ty))
    }

    /// The floating type of a suffix.
    fn float_suffix(suffix: &str) -> Option<TypeId> {
        Some(TypeId::float(match suffix {
            "" => FloatKind::Double,
            "f" => FloatKind::Float,
            "l" => FloatKind::LongDouble,
            "f16" => FloatKind::Float16,
            "f32" => FloatKind::Float32,
            "f64" => FloatKind::Float64,
            "f128" | "q" => FloatKind::Float128,
            "f32x" => FloatKind::Float32x,
            "f64x" => FloatKind::Float64x,
            _ => return None,
        }))
    }

    fn float_builtin(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let suffixed = |prefix: &str| name.strip_prefix(prefix).and_then(Self::float_suffix);
        let comparison = match name {
            "isgreater" => Some(FloatComparison::Greater),
            "isgreaterequal" => Some(FloatComparison::GreaterEqual),
            "isless" => Some(FloatComparison::Less),
            "islessequal" => Some(FloatComparison::LessEqual),
            "islessgreater" => Some(FloatComparison::LessGreater),
            "isunordered" => Some(FloatComparison::Unordered),
            _ => None,
        };
        if let Some(comparison) = comparison {
            if !self.expect_arguments(arguments, 2, 2, span) {
                return Some(self.error_expr(span));
            }
            let (x, y) = (self.value(arguments[0]), self.value(arguments[1]));
            let (x, y) = (self.promote(x), self.promote(y));
            let mut common = self.common_type(self.ty(x), self.ty(y));
            if !matches!(self.types()[common], Type::Float(_)) {
                common = TypeId::DOUBLE;
            }
            let (x, y) = (self.convert(x, common), self.convert(y, common));
            return Some(self.node(Builtin::FloatCompare(comparison), vec![x, y], TypeId::INT, span));
        }
        let test = [
            ("isnan", Builtin::IsNan),
            ("isinf_sign", Builtin::IsInfiniteSign),
            ("isinf", Builtin::IsInfinite),
            ("isfinite", Builtin::IsFinite),
            ("finite", Builtin::IsFinite),
            ("isnormal", Builtin::IsNormal),
            ("signbit", Builtin::SignBit),
        ]
        .into_iter()
        .find(|(prefix, _)| suffixed(prefix).is_some());
        if let Some((_, builtin)) = test {
            if !self.expect_arguments(arguments, 1, 1, span) {
                return Some(self.error_expr(span));
            }
            let mut value = self.value(arguments[0]);
            if self.types().is_integer(self.ty(value)) {
                value = self.convert(value, TypeId::DOUBLE);
            }
            return Some(self.node(builtin, vec![value], TypeId::INT, span));
        }
        if let Some(ty) = suffixed("huge_val").or_else(|| suffixed("inf")) {
            return self.typed(Builtin::Infinity, arguments, &[], ty, span);
        }
        if let Some(ty) = suffixed("nans").or_else(|| suffixed("nan")) {
            for &argument in arguments {
                self.value(argument);
            }
            return Some(self.node(Builtin::NotANumber, Vec::new(), ty, span));
        }
        if let Some(ty) = suffixed("fabs") {
            return self.typed(Builtin::FloatAbsolute, arguments, &[ty], ty, span);
        }
        if let Some(ty) = suffixed("copysign") {
            return self.typed(Builtin::CopySign, arguments, &[ty, ty], ty, span);
        }
        None
    }

    /// `add_overflow`, `add_overflow_p`, `sadd_overflow`, `umulll_overflow`, …
    fn overflow(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let (stem, is_check) = match name.strip_suffix("_overflow") {
            Some(stem) => (stem, false),
            None => (name.strip_suffix("_overflow_p")?, true),
        };
        let operation = |text: &str| {
            Some(match text {
                "add" => OverflowOp::Add,
                "sub" => OverflowOp::Sub,
                "mul" => OverflowOp::Mul,
                _ => return None,
            })
        };
        if let Some(op) = operation(stem) {
            if !self.expect_arguments(arguments, 3, 3, span) {
                return Some(self.error_expr(span));
            }
            let values: Vec<ExprId> = arguments.iter().map(|&argument| self.value(argument)).collect();
            let is_integer = |this: &Self, value| this.types().is_integer(this.ty(value));
            let third = self.types().pointee(self.ty(values[2])).map(|pointee| pointee.ty);
            let third_fits = match third {
                Some(ty) => !is_check && self.types().is_integer(ty),
                None => is_check && is_integer(self, values[2]),
            };
            if !is_integer(self, values[0]) || !is_integer(self, values[1]) || !third_fits {
                if values.iter().all(|&value| self.ty(value) != TypeId::ERROR) {
                    self.error(span, "built-in function requires two integers and a pointer to an integer");
                }
                return Some(self.error_expr(span));
            }
            let builtin = if is_check { Builtin::OverflowCheck(op) } else { Builtin::Overflow(op) };
            return Some(self.node(builtin, values, TypeId::BOOL, span));
        }
        let (signed, rest) = match (stem.strip_prefix('s'), stem.strip_prefix('u')) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return None,
        };
        let op = operation(rest.get(..3)?)?;
        let kind = match &rest[3..] {
            "" => IntegerKind::Int,
            "l" => IntegerKind::Long,
            "ll" => IntegerKind::LongLong,
            _ => return None,
        };
        let ty = TypeId::integer(if signed { kind } else { kind.to_unsigned() });
        let pointer = self.program.types.pointer(ty);
        self.typed(Builtin::Overflow(op), arguments, &[ty, ty, pointer], TypeId::BOOL, span)
    }

    /// Checks the pointer argument of an atomic operation; also returns the pointed-to type.
    fn atomic_pointer(&mut self, argument: ast::ExprId, operands: Operands) -> Option<(ExprId, TypeId)> {
        let pointer = self.value(argument);
        let ty = self.ty(pointer);
        if ty == TypeId::ERROR {
            return None;
        }
        let pointee = self.types().pointee(ty).map(|pointee| pointee.ty);
        let fits = |ty: &TypeId| match operands {
            Operands::Values => self.types().is_integer(*ty) || self.types().is_pointer(*ty),
            Operands::Pointers => {
                !self.types().is_function(*ty)
                    && !matches!(self.types()[*ty], Type::Array { .. })
                    && self.types().layout(*ty).is_some()
            }
        };
        match pointee.filter(fits) {
            Some(ty) => Some((pointer, ty)),
            None => {
                let message = match operands {
                    Operands::Values => "atomic operation requires a pointer to an integer or a pointer",
                    Operands::Pointers => "atomic operation requires a pointer to a complete type",
                };
                self.error(self.ast[argument].span, message);
                None
            }
        }
    }

    /// A value operand, converted without diagnostics.
    fn atomic_value(&mut self, argument: ast::ExprId, ty: TypeId) -> ExprId {
        let value = self.value(argument);
        let from = self.ty(value);
        if self.types().is_scalar(from) {
            self.convert(value, ty)
        } else {
            self.error_expr(self.ast[argument].span)
        }
    }

    fn fetch_op(name: &str) -> Option<FetchOp> {
        Some(match name {
            "add" => FetchOp::Add,
            "sub" => FetchOp::Sub,
            "and" => FetchOp::And,
            "xor" => FetchOp::Xor,
            "or" => FetchOp::Or,
            "nand" => FetchOp::Nand,
            _ => return None,
        })
    }

    fn sync(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        // `_4`: on objects of 4 bytes, as unsigned numbers whatever the pointer points to.
        let (name, size) = match name.rsplit_once('_') {
            Some((stem, digits)) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                (stem, Some(digits.parse::<u64>().ok().filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16))?))
            }
            _ => (name, None),
        };
        let fetch = name.strip_prefix("fetch_and_").and_then(Self::fetch_op).map(AtomicOp::FetchThen);
        let then = name.strip_suffix("_and_fetch").and_then(Self::fetch_op).map(AtomicOp::ThenFetch);
        let (op, values) = match name {
            "synchronize" => (AtomicOp::Fence, 0),
            "lock_test_and_set" => (AtomicOp::Exchange, 1),
            "lock_release" => (AtomicOp::Store, 0),
            "bool_compare_and_swap" => (AtomicOp::CompareAndSwap, 2),
            "val_compare_and_swap" => (AtomicOp::CompareAndSwapValue, 2),
            _ => (fetch.or(then)?, 1),
        };
        if op == AtomicOp::Fence {
            return Some(self.node(Builtin::Atomic(op), Vec::new(), TypeId::VOID, span));
        }
        if arguments.len() <= values {
            self.error(span, "wrong number of arguments to built-in function");
            return Some(self.error_expr(span));
        }
        let Some((pointer, ty)) = self.atomic_pointer(arguments[0], Operands::Values) else {
            return Some(self.error_expr(span));
        };
        if size.is_some() && size != self.types().size(ty) {
            return None;
        }
        let mut list = vec![pointer];
        for &argument in &arguments[1..=values] {
            list.push(self.atomic_value(argument, ty));
        }
        let result = match op {
            AtomicOp::Store => {
                let zero = self.integer(0, TypeId::INT, span);
                list.push(self.convert(zero, ty));
                TypeId::VOID
            }
            AtomicOp::CompareAndSwap => TypeId::BOOL,
            _ => ty,
        };
        let node = self.node(Builtin::Atomic(op), list, result, span);
        match size.filter(|_| result == ty) {
            Some(bytes) => {
                let kind = self.integer_of_width(bytes as u32 * 8, false);
                Some(self.convert(node, TypeId::integer(kind)))
            }
            None => Some(node),
        }
    }

    fn atomic(&mut self, name: &str, arguments: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let fetch = name.strip_prefix("fetch_").and_then(Self::fetch_op).map(AtomicOp::FetchThen);
        let then = name.strip_suffix("_fetch").and_then(Self::fetch_op).map(AtomicOp::ThenFetch);
        // The operands after the pointer: `v` is a value of the type, `p` a pointer to it. Memory
        // orders follow.
        let (op, operands) = match name {
            "load_n" => (AtomicOp::Load, ""),
            "load" => (AtomicOp::LoadInto, "p"),
            "store_n" => (AtomicOp::Store, "v"),
            "store" => (AtomicOp::StoreFrom, "p"),
            "exchange_n" => (AtomicOp::Exchange, "v"),
            "exchange" => (AtomicOp::ExchangeInto, "pp"),
            "compare_exchange_n" => (AtomicOp::CompareExchange, "pv"),
            "compare_exchange" => (AtomicOp::CompareExchangeFrom, "pp"),
            "test_and_set" => (AtomicOp::TestAndSet, ""),
            "clear" => (AtomicOp::Clear, ""),
            "thread_fence" | "signal_fence" => (AtomicOp::Fence, ""),
            "always_lock_free" | "is_lock_free" => (AtomicOp::IsLockFree, ""),
            _ => (fetch.or(then)?, "v"),
        };
        let mut list = Vec::new();
        let mut orders = arguments;
        let mut ty = TypeId::INT;
        match op {
            AtomicOp::Fence => {}
            AtomicOp::IsLockFree => return Some(self.integer(1, TypeId::BOOL, span)),
            _ => {
                if arguments.len() <= operands.len() {
                    self.error(span, "wrong number of arguments to built-in function");
                    return Some(self.error_expr(span));
                }
                if matches!(op, AtomicOp::TestAndSet | AtomicOp::Clear) {
                    list.push(self.value(arguments[0]));
                } else {
                    // The generic forms take pointers only, to objects of any type.
                    let is_generic = !operands.is_empty() && !operands.contains('v');
                    let kind = if is_generic { Operands::Pointers } else { Operands::Values };
                    let Some((pointer, pointee)) = self.atomic_pointer(arguments[0], kind) else {
                        return Some(self.error_expr(span));
                    };
                    list.push(pointer);
                    ty = pointee;
                }
                for (letter, &argument) in operands.chars().zip(&arguments[1..]) {
                    list.push(if letter == 'v' {
                        self.atomic_value(argument, ty)
                    } else {
                        let pointer = self.program.types.pointer(ty);
                        let value = self.value(argument);
                        self.assign_convert(value, pointer, "argument passing", self.ast[argument].span)
                    });
                }
                orders = &arguments[1 + operands.len()..];
            }
        }
        for &order in orders {
            let value = self.value(order);
            if self.evaluate(value).is_none() {
                list.push(value);
            }
        }
        let result = match op {
            AtomicOp::Load | AtomicOp::Exchange | AtomicOp::FetchThen(_) | AtomicOp::ThenFetch(_) => ty,
            AtomicOp::CompareExchange | AtomicOp::CompareExchangeFrom | AtomicOp::TestAndSet => TypeId::BOOL,
            _ => TypeId::VOID,
        };
        Some(self.node(Builtin::Atomic(op), list, result, span))
    }
}

/// How an atomic operation takes its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operands {
    /// Some as values.
    Values,
    /// All through pointers.
    Pointers,
}
