//! Calls, implicit declarations and library functions known to the compiler.

use super::attributes::Attributes;
use super::declarators::Specified;
use super::operand::Operand;
use super::scope::{Meaning, Symbol};
use super::{Checker, Linked};
use crate::c::hir::{Automatic, Callee, Contract, ExprId, ExprKind, FunctionId, Inlining, Linkage};
use crate::c::types::{FunctionType, IntegerKind, Prototype, QualType, Type, TypeId};
use grammars::c::ast::{self, Ident, Name, Qualifier, Qualifiers};
use grammars::source::Span;

/// Library functions whose types gcc knows without a declaration: the names with one signature,
/// then the signature. The first letter of the signature is the result: `v` void, `i` int, `u`
/// unsigned, `l` long, `q` long long, `z` size_t, `p` void *, `P` const void *, `c` char *, `C`
/// const char *, `d` double, `f` float, `L` long double, `a` va_list; `.` is `...`.
const LIBRARY: &[(&str, &str)] = &[
    ("abort", "v"),
    ("exit _exit _Exit", "vi"),
    ("malloc alloca valloc", "pz"),
    ("calloc aligned_alloc memalign", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("memcpy memmove mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("memchr", "pPiz"),
    ("memcmp bcmp", "iPPz"),
    ("bzero", "vpz"),
    ("bcopy", "vPpz"),
    ("strlen", "zC"),
    ("strnlen", "zCz"),
    ("strcpy strcat stpcpy", "ccC"),
    ("strncpy strncat stpncpy", "ccCz"),
    ("strcmp strcasecmp", "iCC"),
    ("strncmp strncasecmp", "iCCz"),
    ("strchr strrchr index rindex", "cCi"),
    ("strstr strpbrk", "cCC"),
    ("strspn strcspn", "zCC"),
    ("strdup", "cC"),
    ("strndup", "cCz"),
    ("ffs", "ii"),
    ("__memcpy_chk __memmove_chk __mempcpy_chk", "ppPzz"),
    ("__memset_chk", "ppizz"),
    ("__strcpy_chk __strcat_chk __stpcpy_chk", "ccCz"),
    ("__strncpy_chk __strncat_chk __stpncpy_chk", "ccCzz"),
    ("__sprintf_chk", "icizC."),
    ("__snprintf_chk", "iczizC."),
    ("__vsprintf_chk", "icizCa"),
    ("__vsnprintf_chk", "iczizCa"),
    ("__printf_chk", "iiC."),
    ("__fprintf_chk", "ipiC."),
    ("fprintf", "ipC."),
    ("fputs", "iCp"),
    ("fputc putc", "iip"),
    ("fwrite", "zPzzp"),
    ("printf scanf", "iC."),
    ("sprintf", "icC."),
    ("snprintf", "iczC."),
    ("sscanf", "iCC."),
    ("vprintf vscanf", "iCa"),
    ("vfprintf", "ipCa"),
    ("__vprintf_chk", "iiCa"),
    ("__vfprintf_chk", "ipiCa"),
    ("vsprintf", "icCa"),
    ("vsnprintf", "iczCa"),
    ("puts", "iC"),
    ("putchar", "ii"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "qq"),
    (
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower \
         toupper isascii toascii",
        "ii",
    ),
    (
        "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb sqrt \
         cbrt ceil floor round trunc rint nearbyint erf erfc tgamma lgamma fabs",
        "dd",
    ),
    (
        "sinf cosf tanf asinf acosf atanf sinhf coshf tanhf expf exp2f expm1f logf log2f log10f log1pf logbf sqrtf cbrtf \
         ceilf floorf roundf truncf rintf nearbyintf fabsf",
        "ff",
    ),
    (
        "sinl cosl tanl asinl acosl atanl sinhl coshl tanhl expl exp2l expm1l logl log2l log10l log1pl logbl sqrtl cbrtl \
         ceill floorl roundl truncl rintl nearbyintl fabsl",
        "LL",
    ),
    ("roundeven", "dd"),
    ("erff erfcf tgammaf lgammaf exp10f roundevenf", "ff"),
    ("erfl erfcl tgammal lgammal exp10l roundevenl", "LL"),
    ("pow fmod atan2 hypot fmin fmax fdim remainder copysign nextafter drem", "ddd"),
    ("powf fmodf atan2f hypotf fminf fmaxf fdimf remainderf copysignf nextafterf", "fff"),
    ("powl fmodl atan2l hypotl fminl fmaxl fdiml remainderl copysignl nextafterl", "LLL"),
    ("ldexp scalbn", "ddi"),
    ("ldexpf scalbnf", "ffi"),
    ("ldexpl scalbnl", "LLi"),
    ("scalbln", "ddl"),
    ("scalblnf", "ffl"),
    ("scalblnl", "LLl"),
    ("frexp modf", "ddp"),
    ("frexpf modff", "ffp"),
    ("frexpl modfl", "LLp"),
    ("lrint lround", "ld"),
    ("lrintf lroundf", "lf"),
    ("lrintl lroundl", "lL"),
    ("llrint llround", "qd"),
    ("llrintf llroundf", "qf"),
    ("llrintl llroundl", "qL"),
    ("ilogb", "id"),
    ("ilogbf", "if"),
    ("ilogbl", "iL"),
    ("fma", "dddd"),
    ("fmaf", "ffff"),
    ("fmal", "LLLL"),
    ("ldexp scalbn", "ddi"),
    ("lround lrint ilogb", "ld"),
    ("llround llrint", "qd"),
];

/// Whether only the compiler defines functions of this name.
fn is_compiler_function(name: &str) -> bool {
    ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: ast::ExprId, arguments: &[ast::ExprId], span: Span) -> ExprId {
        let target = match self.ast[callee].kind {
            ast::ExprKind::Name(name) => {
                let symbol = self.scopes.symbol(name).map(|symbol| symbol.meaning);
                let may_be_builtin = match symbol {
                    None => true,
                    Some(Meaning::Function(function)) => self.program.functions[function].body.is_none(),
                    Some(_) => false,
                };
                if may_be_builtin {
                    let text = self.unit.names.text(name);
                    if (text.starts_with("__") || text == "alloca")
                        && let Some(value) = self.builtin_call(text, arguments, span)
                    {
                        return value;
                    }
                }
                let at = self.ast[callee].span;
                match symbol {
                    None if is_compiler_function(self.text(name))
                        && self.library_function(name, at).is_none()
                        && !self.linked.contains_key(&name) =>
                    {
                        for &argument in arguments {
                            self.value(argument);
                        }
                        return self.unknown_builtin(name, span);
                    }
                    None if !matches!(
                        self.text(name),
                        "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__"
                    ) =>
                    {
                        self.undeclared_callee(name, at)
                    }
                    _ => self.operand(callee),
                }
            }
            _ => self.operand(callee),
        };
        let (callee, ty) = match target {
            Operand::Function(function, _) => (Callee::Direct(function), self.program.functions[function].ty),
            other => {
                let value = self.rvalue(other);
                let ty = match self.types().pointee(self.ty(value)) {
                    Some(pointee) => pointee.ty,
                    None => self.ty(value),
                };
                match self.program.exprs[value].kind {
                    ExprKind::FunctionAddress(function) => (Callee::Direct(function), ty),
                    _ => (Callee::Indirect(value), ty),
                }
            }
        };
        let Some(function) = self.types().function(ty).cloned() else {
            if ty != TypeId::ERROR {
                let name = self.type_name(ty);
                self.error(
                    span,
                    format!("called object is not a function or function pointer, but has type `{name}`"),
                );
            }
            for &argument in arguments {
                self.value(argument);
            }
            return self.error_expr(span);
        };
        let arguments = self.arguments(&function, arguments, span);
        if function.result != TypeId::VOID
            && function.result != TypeId::ERROR
            && self.types().layout(function.result).is_none()
        {
            self.error(span, "call of a function with incomplete return type");
            return self.error_expr(span);
        }
        if let Some(value) = self.unsupported_call(callee, function.result, span) {
            return value;
        }
        self.expr(ExprKind::Call { callee, arguments }, function.result, span)
    }

    /// A call of the library function `name` with arguments of its types.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Option<ExprId> {
        let name = self.program.names.intern(&format!("__builtin_{name}"));
        let function = self.library_function(name, span)?;
        let ty = self.types().function(self.program.functions[function].ty)?.clone();
        let arguments = self.arguments(&ty, arguments, span);
        Some(self.expr(ExprKind::Call { callee: Callee::Direct(function), arguments }, ty.result, span))
    }

    fn arguments(&mut self, function: &FunctionType, arguments: &[ast::ExprId], span: Span) -> Box<[ExprId]> {
        let expected = function.parameters.len();
        let fits = match function.prototype {
            Prototype::Fixed => arguments.len() == expected,
            Prototype::Variadic => arguments.len() >= expected,
            Prototype::Missing => true,
        };
        if !fits {
            let amount = if arguments.len() < expected { "few" } else { "many" };
            let given = arguments.len();
            self.error(
                span,
                format!("too {amount} arguments to function call: expected {expected}, have {given}"),
            );
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (index, &argument) in arguments.iter().enumerate() {
            let value = self.value(argument);
            let at = self.ast[argument].span;
            values.push(match function.parameters.get(index) {
                Some(&ty) => self.assign_convert(value, ty, "argument passing", at),
                None => {
                    if self.ty(value) == TypeId::VOID {
                        self.error(at, "argument has type `void`");
                    }
                    self.promote_argument(value)
                }
            });
        }
        values.into_boxed_slice()
    }

    /// A called function without a visible declaration: one declared in another scope, a function
    /// known to the compiler, or an implicit declaration `int f()`.
    fn undeclared_callee(&mut self, name: Name, span: Span) -> Operand {
        if let Some(function) = self.library_function(name, span) {
            return Operand::Function(function, span);
        }
        match self.linked.get(&name).copied() {
            Some(Linked::Function(function)) => return Operand::Function(function, span),
            Some(Linked::Global(_)) => {
                let text = format!("`{}` is not declared in this scope", self.text(name));
                self.error(span, text);
                return self.error_operand(span);
            }
            None => {}
        }
        let text = format!("implicit declaration of function `{}`", self.text(name));
        self.warning(span, text);
        let parameters = Box::default();
        let ty = FunctionType { result: TypeId::INT, parameters, prototype: Prototype::Missing };
        let ty = self.program.types.intern(Type::Function(ty));
        Operand::Function(self.declare_implicitly(name, ty, span), span)
    }

    fn declare_implicitly(&mut self, name: Name, ty: TypeId, span: Span) -> FunctionId {
        let ident = Ident { name, span };
        let declared =
            self.declare_function(ident, ty, Linkage::External, &Specified::INT, &Attributes::NONE);
        let function = match (declared, self.linked.get(&name)) {
            (Some(function), _) => function,
            (None, Some(&Linked::Function(function))) => function,
            // `declare_function` has reported the error; a new function keeps the call typed.
            (None, _) => self.program.functions.push(crate::c::hir::Function {
                name,
                ty,
                linkage: Linkage::External,
                is_noreturn: false,
                is_implicit: true,
                symbol: crate::c::hir::Symbol::default(),
                inlining: Inlining::default(),
                automatic: Automatic::default(),
                contract: Contract::default(),
                body: None,
                span,
            }),
        };
        self.program.functions[function].is_implicit = true;
        function
    }

    /// The library function named by `__builtin_memcpy` (which is `memcpy`), or by `memcpy` without
    /// a declaration.
    pub(super) fn library_function(&mut self, name: Name, span: Span) -> Option<FunctionId> {
        let text = self.text(name).to_owned();
        let plain = text.strip_prefix("__builtin_").unwrap_or(&text);
        let (_, signature) =
            LIBRARY.iter().find(|(names, _)| names.split_whitespace().any(|name| name == plain))?;
        let plain_name = self.program.names.intern(plain);
        match self.linked.get(&plain_name).copied() {
            Some(Linked::Function(function)) => return Some(function),
            Some(Linked::Global(_)) => return None,
            None => {}
        }
        if plain_name == name {
            self.warning(span, format!("implicit declaration of library function `{plain}`"));
        }
        let ty = self.library_type(signature);
        let is_noreturn = matches!(plain, "abort" | "exit" | "_exit" | "_Exit");
        let function = self.program.functions.push(crate::c::hir::Function {
            name: plain_name,
            ty,
            linkage: Linkage::External,
            is_noreturn,
            is_implicit: true,
            symbol: crate::c::hir::Symbol::default(),
            inlining: Inlining::default(),
            automatic: Automatic::default(),
            contract: Contract::default(),
            body: None,
            span,
        });
        self.linked.insert(plain_name, Linked::Function(function));
        if plain_name == name && self.scopes.symbol(name).is_none() {
            let symbol = Symbol { meaning: Meaning::Function(function), span, depth: 0 };
            self.scopes.declare_at(name, symbol);
        }
        Some(function)
    }

    fn library_type(&mut self, signature: &str) -> TypeId {
        let constant = Qualifiers::NONE.with(Qualifier::Const);
        let mut list = Vec::new();
        let mut prototype = Prototype::Fixed;
        for letter in signature.chars() {
            let ty = match letter {
                'v' => TypeId::VOID,
                'i' => TypeId::INT,
                'u' => TypeId::UNSIGNED,
                'l' => TypeId::LONG,
                'q' => TypeId::integer(IntegerKind::LongLong),
                'z' => self.types().size_type(),
                'p' => self.program.types.pointer(TypeId::VOID),
                'P' => self.program.types.pointer(QualType { ty: TypeId::VOID, qualifiers: constant }),
                'c' => self.program.types.pointer(TypeId::CHAR),
                'C' => self.program.types.pointer(QualType { ty: TypeId::CHAR, qualifiers: constant }),
                'd' => TypeId::DOUBLE,
                'f' => TypeId::FLOAT,
                'L' => TypeId::float(crate::c::types::FloatKind::LongDouble),
                'a' => TypeId::VA_LIST,
                _ => {
                    prototype = Prototype::Variadic;
                    continue;
                }
            };
            list.push(ty);
        }
        let result = list.remove(0);
        let function = FunctionType { result, parameters: list.into_boxed_slice(), prototype };
        self.program.types.intern(Type::Function(function))
    }
}
