//! The type checker on GNU vectors and on built-in functions for instructions.

use frontend::c::dump::dump;
use frontend::c::sema::{CheckResult, Options, check};
use frontend::c::types::DataModel;
use grammars::source::SourceMap;

const TYPES: &str = "
    typedef int v4si __attribute__((vector_size(16)));
    typedef unsigned v4su __attribute__((vector_size(16)));
    typedef char v16qi __attribute__((vector_size(16)));
    typedef short v8hi __attribute__((vector_size(16)));
    typedef long long v2di __attribute__((vector_size(16)));
    typedef float v4sf __attribute__((vector_size(16)));
    typedef double v2df __attribute__((vector_size(16)));
    typedef int v2si __attribute__((vector_size(8)));
    v4si a, b; v4su u; v8hi h; v2di q; v4sf f; v2df d; v2si m; int i; float r; long long l; int *p;
";

fn run(text: &str, model: DataModel) -> (CheckResult, Vec<String>) {
    let mut map = SourceMap::new();
    let file = map.add("test.c", text.as_bytes()).expect("a small file fits");
    let parsed = grammars::c::parse(&map, file);
    assert!(parsed.diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{:?}", parsed.diagnostics);
    let result = check(&parsed.unit, Options { model });
    let errors = result.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let errors = errors.map(|error| format!("{}: {}", map.text(error.primary.span), error.message)).collect();
    (result, errors)
}

/// The errors of a function with these statements.
fn errors(statements: &str) -> Vec<String> {
    run(&format!("{TYPES} void g(void) {{ {statements} }}"), DataModel::Lp64).1
}

/// The dump of a function with these statements.
#[track_caller]
fn hir(statements: &str) -> String {
    let (result, errors) = run(&format!("{TYPES} void g(void) {{ {statements} }}"), DataModel::Lp64);
    assert!(errors.is_empty(), "{errors:#?}");
    dump(&result.program)
}

#[test]
fn the_size_belongs_to_the_innermost_type() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let assertions = format!(
            "{TYPES}
             int *pointer __attribute__((vector_size(16))), array[3] __attribute__((vector_size(16)));
             int __attribute__((vector_size(16))) function(void);
             struct s {{ char c; v4si v; char e; }};
             typedef long long unaligned __attribute__((vector_size(16), aligned(1)));
             _Static_assert(sizeof(pointer) == sizeof(void *) && sizeof(*pointer) == 16, \"\");
             _Static_assert(sizeof(array) == 48 && sizeof(function()) == 16, \"\");
             _Static_assert(sizeof(struct s) == 48 && __builtin_offsetof(struct s, v) == 16, \"\");
             _Static_assert(_Alignof(v4si) == 16 && sizeof(a[0]) == 4 && _Alignof(m) == 8, \"\");"
        );
        assert_eq!(run(&assertions, model).1, [] as [&str; 0]);
    }
}

#[test]
fn operators_have_the_types_of_gcc() {
    let same = |expression: &str, ty: &str| {
        let text = format!(
            "{TYPES} typedef long v2li __attribute__((vector_size(16)));
             _Static_assert(__builtin_types_compatible_p(__typeof__({expression}), {ty}), \"\");"
        );
        assert_eq!(run(&text, DataModel::Lp64).1, [] as [&str; 0], "{expression} is a {ty}");
    };
    same("a + b", "v4si");
    same("a + u", "v4si");
    same("u + a", "v4su");
    same("1 + a", "v4si");
    same("h << i", "v8hi");
    same("h << l", "v8hi");
    same("1 << h", "v8hi");
    same("-f * 2", "v4sf");
    same("f < f", "v4si");
    same("u < 3", "v4si");
    same("d == d", "v2li");
    same("q > q", "v2li");
    same("a[1]", "int");
    same("(a + b)[i]", "int");
    same("i ? a : b", "v4si");
    same("__builtin_shuffle(a, b, b)", "v4si");
    same("__builtin_shufflevector(a, b, 1, 5)", "v2si");
    same("__builtin_convertvector(a, v4sf)", "v4sf");
    same("__builtin_ia32_pmaxub128((v16qi)h, (v16qi)a)", "v16qi");
}

#[test]
fn a_scalar_operand_is_repeated() {
    let text = hir("a = a + i;");
    assert!(text.contains("Broadcast"), "{text}");
    // A common shift amount for all elements keeps its type.
    let text = hir("a = a << i;");
    assert!(!text.contains("Broadcast"), "{text}");
}

#[test]
fn what_gcc_refuses_is_refused() {
    for statement in [
        "a + h;",
        "a + f;",
        "f % f;",
        "f & f;",
        "f << a;",
        "~f;",
        "!a;",
        "if (a) ;",
        "a && i;",
        "a + p;",
        "a + r;",
        "(int)a;",
        "(v4si)i;",
        "(float)m;",
        "(v2si)r;",
        "a = m;",
        "a = i;",
        "i = a;",
        "a[p];",
        "(a + b)[0] = 1;",
        "__builtin_shuffle(a, f);",
        "__builtin_shuffle(a, h);",
        "__builtin_shufflevector(a, b, 0, 8);",
        "__builtin_shufflevector(a, b, i, 0);",
        "__builtin_convertvector(a, v2df);",
        "int x __attribute__((vector_size(12)));",
        "int x __attribute__((vector_size(2)));",
        "_Bool x __attribute__((vector_size(2)));",
        "struct { int i; } x __attribute__((vector_size(16)));",
    ] {
        assert_eq!(errors(statement).len(), 1, "{statement}: {:?}", errors(statement));
    }
    for statement in ["l = (long long)m;", "m = (v2si)l;", "a = (v4si)f;", "a++, --f;", "a <<= 1;"] {
        assert_eq!(errors(statement), [] as [&str; 0], "{statement}");
    }
}

#[test]
fn an_unknown_function_takes_the_type_of_its_context() {
    let text = hir(
        "a = (v4si)__builtin_ia32_none(p, 1.0, a); d = __builtin_ia32_none(); i = 1 + __builtin_ia32_none(); \
         __builtin_ia32_none(a); if (__builtin_ia32_none()) i = 1;",
    );
    assert_eq!(text.matches("the built-in function __builtin_ia32_none").count(), 5, "{text}");
    assert!(!text.contains("(error"), "{text}");
    // Another compiler may define a different function with a known name.
    let text = hir("a = (v4si)__builtin_ia32_paddsb128(h); a = (v4si)__builtin_ia32_paddsb128(h, m);");
    assert_eq!(text.matches("the built-in function __builtin_ia32_paddsb128").count(), 2, "{text}");
}

#[test]
fn code_of_an_artificial_function_belongs_to_its_callers() {
    let text = hir("extern v4si wrap(v4si); i = sizeof(wrap(a)); } \
         static __inline __attribute__((artificial)) v4si inner(v4si x) { return (v4si)__builtin_ia32_none(x); } \
         static __inline __attribute__((__artificial__)) v4si outer(v4si x) { return inner(x); } \
         static v4si plain(v4si x) { return outer(x); } void k(void) { a = plain(a);");
    assert!(text.contains("the intrinsic outer (__builtin_ia32_none)"), "{text}");
    assert!(!text.contains("the intrinsic plain"), "{text}");
}
