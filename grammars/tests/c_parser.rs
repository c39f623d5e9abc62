//! The C parser: typedef names, GNU extensions, constants, errors, hostile input.

use grammars::c::{self, ParseResult, ast::*, dump};
use grammars::source::{Diagnostic, SourceMap};

fn parse(source: impl AsRef<[u8]>) -> (SourceMap, ParseResult) {
    let mut map = SourceMap::new();
    let file = map.add("test.c", source.as_ref()).expect("tests are small");
    let result = c::parse(&map, file);
    (map, result)
}

fn render(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(map)).collect()
}

/// The dump of a source without errors.
#[track_caller]
fn tree(source: &str) -> String {
    let (map, result) = parse(source);
    assert!(result.diagnostics.is_empty(), "{source}\n{}", render(&map, &result.diagnostics));
    dump::unit(&result.unit)
}

#[track_caller]
fn has(source: &str, parts: &[&str]) {
    let dump = tree(source);
    for part in parts {
        assert!(dump.contains(part), "no `{part}` in\n{dump}");
    }
}

/// The messages for a source with errors.
fn messages(source: impl AsRef<[u8]>) -> Vec<String> {
    parse(source).1.diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
}

mod typedef_names {
    use super::has;

    #[test]
    fn star_declares_or_multiplies() {
        has(
            "typedef int T; void f(int a, int b) { T * x; a * b; }",
            &["(declare [T] x *)", "(expr (* a b))"],
        );
    }

    #[test]
    fn a_variable_may_take_the_name_of_its_type() {
        has(
            "typedef int T; int f(void) { T T = 1; return T * 2; }",
            &["(declare [T] T = 1)", "(return (* T 2))"],
        );
    }

    #[test]
    fn a_name_is_declared_in_its_own_initializer() {
        has("typedef int T; void f(void) { int T = sizeof(T); }", &["T = (sizeof T)"]);
    }

    #[test]
    fn a_scope_ends_with_its_block() {
        has("typedef int T; void f(void) { { int T; T = 1; } T x; }", &["(expr (= T 1))", "(declare [T] x)"]);
        has("void f(int T) { { typedef int T; T x; } T = 1; }", &["(declare [T] x)", "(expr (= T 1))"]);
    }

    #[test]
    fn an_enumeration_constant_shadows_after_its_value() {
        has(
            "typedef int T; enum { A = sizeof(T), T = sizeof(T), B = T };",
            &["A = (sizeof [T])", "T = (sizeof [T])", "B = T"],
        );
        has(
            "typedef int T; void f(void) { enum { T }; int x = T * 2; } T y;",
            &["x = (* T 2)", "(declare [T] y)"],
        );
    }

    #[test]
    fn for_and_if_and_do_are_scopes() {
        has("typedef int T; void f(void) { for (int T = 0; T < 3; T++) T = 1; T x; }", &["(declare [T] x)"]);
        has(
            "typedef int T, U; int x; void f(void) {
               if (sizeof(enum {T})) x = sizeof(enum {U}) + T; else { U u = (int)T; }
               T t; U u; }",
            &["(declare [U] u = (cast [int] T))", "(declare [T] t)", "(declare [U] u)"],
        );
        has("typedef int T; void f(void) { do sizeof(enum {T}); while ((T)1); }", &["while (cast [T] 1)"]);
        has("typedef int T; void f(void) { while (sizeof(enum {T})) T + 1; T t; }", &["(declare [T] t)"]);
    }

    #[test]
    fn parameters_shadow_in_the_body_only() {
        has("typedef int T; int f(int T) { return T; } T x;", &["(return T)", "(declare [T] x)"]);
        has("typedef int T; int f(int T); T x;", &["(declare [T] x)"]);
        has(
            "typedef long T, U; enum { V } (*f(T T, enum { U } y, int x[T + U]))(T t); T z[(U)V + 1];",
            &["x[(+ T U)]", "z[(+ (cast [U] V) 1)]"],
        );
        has("typedef int T; int (*f(int T))(T) { return T; }", &["f([int] T) *([T] _)", "(return T)"]);
    }

    #[test]
    fn a_type_in_parentheses_is_a_parameter_list() {
        has("typedef int T; void f(int(x), int(T), int T);", &["f([int] x, [int] _([T] _), [int] T)"]);
        has(
            "typedef int T; void f(int ((T)), int (*(T)), int (*T));",
            &["f([int] _([T] _), [int] _([T] _) *, [int] T *)"],
        );
    }

    #[test]
    fn parentheses_around_a_declared_name() {
        has(
            "typedef int T; void f(void) { T (x); int (T); T = 1; }",
            &["(declare [T] x)", "(declare [int] T)", "(expr (= T 1))"],
        );
        has("int g(int); void f(void) { g (1); }", &["(expr (call g 1))"]);
    }

    #[test]
    fn members_tags_and_labels_are_other_name_spaces() {
        has(
            "typedef int T; struct T { T T; int U; } s; typedef long U; void f(void) { T: s.T = 1; goto T; struct T *p; p->U; }",
            &["(struct T (field [T] T)", "(label T", "(= (. s T) 1)", "(goto T)", "(-> p U)"],
        );
    }

    #[test]
    fn a_typedef_name_is_the_only_type() {
        has(
            "typedef int T; struct s { unsigned T : 3; const T : 3; };",
            &["[unsigned] T : 3", "[const T] _ : 3"],
        );
        has(
            "typedef int T; void f(void) { unsigned T; T = 1; }",
            &["(declare [unsigned] T)", "(expr (= T 1))"],
        );
        has(
            "typedef int T; void f(void) { const T; T; long const T; }",
            &["(declare [const T])", "(declare [T])"],
        );
        has("typedef int T; T typedef U; U x;", &["(declare [T typedef] U)", "(declare [U] x)"]);
    }

    #[test]
    fn casts_and_sizeof() {
        has(
            "typedef int T; int a, x; void f(void) { (T)(x); (T)+1; (a)+1; sizeof(T)+1; sizeof (a)[0]; }",
            &["(cast [T] x)", "(cast [T] (+ 1))", "(+ a 1)", "(+ (sizeof [T]) 1)", "(sizeof (index a 0))"],
        );
        has(
            "typedef struct { int a; } T; int f(void) { return sizeof (T){1} + (T){ .a = 2 }.a; }",
            &["(+ (sizeof (literal [T] {1})) (. (literal [T] {.a = 2}) a))"],
        );
    }

    #[test]
    fn atomic_before_a_parenthesis_is_a_type() {
        has(
            "_Atomic(int) x; _Atomic int y; int *_Atomic z; _Atomic (int *) w;",
            &["[(atomic [int])] x", "[atomic int] y", "z *atomic", "[(atomic [int] _ *)] w"],
        );
    }

    #[test]
    fn predeclared_types() {
        has("__int128_t x; __uint128_t y = (__uint128_t)1;", &["[__int128_t] x"]);
    }
}

mod standard {
    use super::{has, tree};

    #[test]
    fn precedence_and_associativity() {
        has(
            "int x = a - b - c * d << 1 < 2 == 3 & 4 ^ 5 | 6 && 7 || 8 && 9;",
            &["(|| (&& (| (^ (& (== (< (<< (- (- a b) (* c d)) 1) 2) 3) 4) 5) 6) 7) (&& 8 9))"],
        );
        has("int x = a ? b : c ? d, e : f;", &["(? a b (? c (, d e) f))"]);
        has(
            "void f(void) { a = b += -*p++ ? !~x : &y[1]; }",
            &["(= a (+= b (? (- (* (_++ p)) (! (~ x)) (& (index y 1)))))"
                .replace("(- (* (_++ p))", "(- (* (_++ p)))")
                .as_str()],
        );
    }

    #[test]
    fn dangling_else() {
        has(
            "void f(void) { if (a) if (b) c; else d; }",
            &["(if a\n      (if b\n        (expr c)\n      else\n      (expr d)))"],
        );
        has("void f(void) { if (a) while (1) if (b) c; else d; else e; }", &["else\n    (expr e)"]);
    }

    #[test]
    fn declarators_read_from_the_name() {
        has(
            "int *a[3], (*b)[3], (*(*c)(void))(int, char *const *), d[static 1 + 1];",
            &["a[3] *,".trim_end_matches(','), "b *[3]", "c *([void] _) *([int] _, [char] _ * *const )"],
        );
        has("void f(int n, int a[static const n], int b[*]); ", &["a[static const n]", "b[*]"]);
    }

    #[test]
    fn specifiers_in_any_order() {
        has(
            "long static unsigned const long int x; int typedef volatile T; T y;",
            &["[long static unsigned const long int] x", "(declare [T] y)"],
        );
        has(
            "_Thread_local static int x; _Noreturn void f(void); inline int g(void) { return 1; }",
            &["noreturn"],
        );
    }

    #[test]
    fn records_and_enumerations() {
        has(
            "struct s { int a : 3, : 0, b; union { int c; float d; }; struct s *next; int e[]; } x = { 1, .b = 2 };",
            &[
                "(field [int] a : 3 _ : 0 b)",
                "(field [(union (field [int] c) (field [float] d) end)])",
                "e[]",
                "x = {1, .b = 2}",
            ],
        );
        has(
            "enum e; enum e { A, B = 3, C, } y; struct empty {};",
            &["(enum e)", "(enum e A B = 3 C end)", "(struct empty end)"],
        );
    }

    #[test]
    fn c11_additions() {
        has(
            "_Static_assert(sizeof(int) == 4, \"four\"); struct { _Alignas(16) char c; _Alignas(long) int i; _Static_assert(1, \"\"); };",
            &["(static-assert (== (sizeof [int]) 4) \"four\")", "(alignas 16)", "(alignas [long])"],
        );
        has(
            "int x = _Generic(1.0f, float: 1, default: 2) + _Alignof(int);",
            &["(generic 1.0f [float]: 1 default: 2)"],
        );
        has("double _Complex z; _Bool b;", &["[double complex] z"]);
    }

    #[test]
    fn old_style_definitions() {
        has(
            "int f(a, b) int a; char *b; { return a; }",
            &["f(old a b)", "(declare [int] a)", "(declare [char] b *)"],
        );
        has(
            "main() { return 0; } static g(x) register x; { return x; }",
            &["(function [] main()", "[static] g(old x)"],
        );
        has("typedef int T; int f(x) T x; { return x; }", &["(declare [T] x)"]);
    }

    #[test]
    fn statements() {
        has(
            "void f(int n) { switch (n) { case 1: case 2: n++; break; default: ; } do n--; while (n); for (;;) continue; return; }",
            &["(case 1\n        (case 2\n", "(do\n", "(for ; ; \n      (continue))"],
        );
    }

    #[test]
    fn designators() {
        has(
            "int a[3][2] = { [1][0] = 5, [2] = { 1 }, }; struct s x = { .p.q[1] = 2 };",
            &["[1][0] = 5", ".p.q[1] = 2"],
        );
    }

    #[test]
    fn constants() {
        has(
            "int x[] = { 0x1Fu, 017L, 0b101, 18446744073709551616, 10ull, 'a', 'ab', L'\\x41', '\\n', '\\377' };",
            &[
                "0x1fu",
                "017l",
                "0b101",
                "18446744073709551616",
                "10ull",
                "'ab'",
                "L'A'",
                "'\\x{a}'",
                "'\\x{ff}'",
            ],
        );
        has(
            "double d[] = { 1.5, .5e-3f, 1e10L, 0x1.8p3, 1.0f128, 2.0i, 3.q };",
            &[".5e-3f", "0x1.8p3", "1.0f128", "2.0i", "3.f128"],
        );
    }

    #[test]
    fn strings_are_joined_and_decoded() {
        has(
            r#"char *s = "a\x41" "b\101\n" ; void *w = L"x" "\u00e9"; char *u = u8"é";"#,
            &[r#""aAbA\x{a}""#, r#"L"x\x{e9}""#, r#"u8"\x{c3}\x{a9}""#],
        );
    }

    #[test]
    fn an_empty_file_is_a_unit_without_items() {
        assert_eq!(tree(""), "");
        assert_eq!(tree("# 1 \"x.c\"\n;;\n#pragma once\n/* c */ // d\n"), "");
    }
}

mod gnu {
    use super::has;

    #[test]
    fn attributes_everywhere() {
        has(
            "__attribute__((noreturn, format(printf, 1, 2))) void f(const char *, ...) __attribute__((__cold__));
             struct __attribute__((packed)) s { int a __attribute__((aligned(8))); char b; } __attribute__((aligned(16))) x __attribute__((weak));
             typedef int di __attribute__((mode(DI)));
             enum { A __attribute__((deprecated)), B } __attribute__((packed));
             int (__attribute__((cdecl)) *g)(int p __attribute__((unused)));
             void h(void) { int v __attribute__((unused)) = 1; l: __attribute__((unused)); switch (v) { case 1: v = 2; __attribute__((fallthrough)); default:; } }
             __attribute__((unused)) static int z, __attribute__((weak)) w;",
            &[
                "[@noreturn @format(printf, 1, 2) void] f",
                "@cold",
                "(struct s @packed @aligned(16) ",
                "a @aligned(8)",
                "x @weak",
                "di @mode(DI)",
                "A @deprecated",
                "(enum @packed A",
                "p @unused",
                "(label l @unused",
                "(attributes @fallthrough)",
                "w @weak",
            ],
        );
    }

    #[test]
    fn attributes_of_unnamed_parameters() {
        has(
            "void f(void (*)(int) __attribute__((noreturn)), int * __attribute__((aligned(8)))); __attribute__((x));",
            &["_ *([int] _) @noreturn", "_ * @aligned(8)"],
        );
    }

    #[test]
    fn alternate_spellings() {
        has(
            "__extension__ typedef __signed__ char T; static __inline__ __const int *__restrict f(__volatile__ int x) { return __extension__ (int *)0; }",
            &["[typedef signed char] T", "[static inline const int] f([volatile int] x) *restrict"],
        );
    }

    #[test]
    fn asm_in_all_places() {
        has(
            "asm(\"nop\"); int x asm(\"y\") = 1; extern int f(int) __asm__(\"g\" \"h\") __attribute__((pure));
             void k(void) { __asm__ volatile (\"add %1, %0\" : \"=r\"(x), [n] \"+m\"(x) : \"r\"(1) : \"cc\", \"memory\"); asm goto (\"\" : : : : l); asm(\"\" :: \"r\"(x)); l:; }",
            &["(asm volatile \"nop\")", "x asm \"y\" = 1", "asm \"gh\" @pure", "(out n \"+m\" x) (in \"r\" 1) clobber \"cc\" clobber \"memory\"", "(asm goto \"\" label l)", "(asm \"\" (in \"r\" x))"],
        );
    }

    #[test]
    fn typeof_and_auto_type() {
        has(
            "int x; typeof(x) y; __typeof__(int *) z; void f(void) { __auto_type w = x; typeof(x + 1) *v; }",
            &["[(typeof x)] y", "[(typeof [int] _ *)] z", "[auto-type] w = x", "[(typeof (+ x 1))] v *"],
        );
    }

    #[test]
    fn statement_expressions() {
        has(
            "int f(int a) { return ({ int b = a; b + 1; }) * 2; }",
            &["(* (value-of\n", "(declare [int] b = a)"],
        );
    }

    #[test]
    fn short_operators_and_ranges() {
        has(
            "int a[10] = { [0 ... 4] = 1, [5] 2 }; struct s x = { f: 1, g: { 2 } };",
            &["[0 ... 4] = 1", "[5] = 2", ".f = 1"],
        );
        has("void f(int n) { switch (n) { case 1 ... 5: n = n ?: 3; } }", &["(case 1 ... 5", "(?: n 3)"]);
    }

    #[test]
    fn labels_as_values() {
        has(
            "void f(void) { __label__ a, b; void *t[] = { &&a, &&b }; goto *t[0]; a: b: ; }",
            &["(local-label b)", "{(&& a), (&& b)}", "(goto * (index t 0))", "(label a\n    (label b\n"],
        );
    }

    #[test]
    fn labels_before_declarations_and_braces() {
        has(
            "void f(void) { a: int x = 1; b: c: ; { d: } }",
            &["(label a\n    (empty))\n    (declare [int] x = 1)", "(label d\n"],
        );
    }

    #[test]
    fn builtins_with_types() {
        has(
            "int f(__builtin_va_list l) { return __builtin_va_arg(l, int *) + __builtin_offsetof(struct s, a.b[1])
               + __builtin_types_compatible_p(int, long) + __builtin_choose_expr(1, 2, 3) + __builtin_expect(1, 0) + __builtin_convertvector(l, int)[0]; }",
            &["(convert-vector l [int])", "(va-arg l [int] _ *)", "(offsetof [(struct s)] a b [1])", "(types-compatible [int] [long])", "(choose 1 2 3)", "(call __builtin_expect 1 0)"],
        );
    }

    #[test]
    fn extended_types_and_complex() {
        has(
            "_Float128 a; __float128 b; _Float32x c; unsigned __int128 d; double x = __real__ 1.0i + __imag__(a) + __alignof__(d) + __alignof__(int);",
            &[
                "[float128] b",
                "[unsigned int128] d",
                "(real 1.0i)",
                "(alignof d)",
                "(preferred-alignof [int])",
            ],
        );
    }

    #[test]
    fn zero_length_and_flexible_arrays() {
        has("struct s { int n; char a[0]; }; struct t { int n; char b[]; };", &["a[0]", "b[]"]);
    }
}

mod errors {
    use super::{messages, parse, render};
    use grammars::c::ast::Item;

    #[test]
    fn several_a_run_and_the_rest_is_kept() {
        let source = "int ok1;\nint f(void) { int x = 1 +; foo y; return x }\nstruct s { int a b; };\nint ok2(void) { return 0; }\n";
        assert_eq!(
            messages(source),
            [
                "expected an expression, found `;`",
                "unknown type name `foo`",
                "expected `;`, found `}`",
                "expected `;`, found `b`",
            ]
        );
        let (_, result) = parse(source);
        assert!(matches!(result.unit.items[..], [Item::Declaration(_), Item::Function(_)]));
    }

    #[test]
    fn an_error_shows_the_line_the_user_wrote() {
        let (map, result) = parse("# 41 \"user.c\"\nint x;\nint y = ;\n");
        let text = render(&map, &result.diagnostics);
        assert!(text.contains("user.c:42:9") && text.contains("42 | int y = ;"), "{text}");
    }

    #[test]
    fn a_missing_semicolon_is_shown_where_it_is_missing() {
        let (map, result) = parse("int f(int b) {\n  b++\n  return b;\n}\n");
        let text = render(&map, &result.diagnostics);
        assert!(text.contains("test.c:2:5") && text.contains("expected `;`, found `return`"), "{text}");
        assert_eq!(messages("int x\nint y;\nint z;\n"), ["expected `;` after this declaration"]);
    }

    #[test]
    fn unknown_types() {
        assert_eq!(messages("struct { foo x; };"), ["unknown type name `foo`"]);
        assert_eq!(messages("foo x; foo *y; int f(foo z); static foo v;"), ["unknown type name `foo`"; 4]);
        assert_eq!(messages("int f(foo, unsigned);"), ["unknown type name `foo`"]);
        assert_eq!(messages("void f(void) { for (foo i = 0; i < 3; i++); }"), ["unknown type name `foo`"]);
        assert_eq!(messages("void g(a, b, int c) {}"), ["unknown type name `b`"]);
        assert_eq!(messages("int f(int x) { return 1 + (foo)x; }"), ["unknown type name `foo`"]);
        assert_eq!(
            messages("int f(int x) { g((foo)\"a\"); return (foo)1; }"),
            ["unknown type name `foo`"; 2]
        );
        assert_eq!(messages("void f(int x) { if (x) g(x) x; }"), ["expected `;`, found `x`"]);
        assert_eq!(messages("void f(void) { g(a b); }"), ["expected `)` or `,`, found `b`"]);
        assert_eq!(messages("enum { A B };"), ["expected `}`, `,` or `=`, found `B`"]);
    }

    #[test]
    fn parentheses_and_brackets() {
        assert_eq!(
            messages("int a[3;\nint b = (1;\nint ok;\nint f(int x { return 1; }\n"),
            ["expected `]`, found `;`", "expected `)` or `,`, found `;`", "expected `)` or `,`, found `{`",]
        );
        assert_eq!(
            messages("void f(void) { for (i = ; i < 3; i++) { g(1; h(2 3); } }"),
            [
                "expected an expression, found `;`",
                "expected `)` or `,`, found `;`",
                "expected `)` or `,`, found `3`",
            ]
        );
        assert_eq!(
            messages("struct { int x } y;\nint z = 1 2;\n"),
            ["expected `;`, found `}`", "expected `;`, found `2`"]
        );
    }

    #[test]
    fn unbalanced_braces() {
        assert_eq!(
            messages("int f(void) { if (1) { return 0; "),
            ["expected `}`, found the end of the file"]
        );
        assert_eq!(messages("int f(void) { return 0; } } int g(void) { return }").len(), 2);
    }

    #[test]
    fn nested_functions_are_refused_by_name() {
        let (map, result) = parse("int f(void) { int g(int x) { return x; } return g(1); }");
        assert!(render(&map, &result.diagnostics).contains("nested functions are not supported"));
    }

    #[test]
    fn bad_constants() {
        assert_eq!(
            messages("int x = 08; int y = 1z; double d = 1e; int c = ''; int b = 0x1.0;"),
            [
                "invalid digit `8` in the constant `08`",
                "invalid suffix `z` on an integer constant",
                "the exponent of `1e` has no digits",
                "empty character constant",
                "the hexadecimal floating constant `0x1.0` needs an exponent",
            ]
        );
        assert_eq!(
            messages("int x = 999999999999999999999999999999999999999999;"),
            ["this integer constant is too large"]
        );
    }

    #[test]
    fn unterminated_literals_and_comments() {
        assert_eq!(messages("char *s = \"abc;\nint y;\n"), ["unterminated string literal"]);
        assert_eq!(messages("int x; /* foo\nint y;"), ["unterminated comment"]);
    }

    #[test]
    fn directives_need_the_preprocessor() {
        assert_eq!(messages("#include <stdio.h>\nint x;"), ["`#include` needs the preprocessor"]);
    }

    #[test]
    fn errors_are_limited() {
        assert_eq!(messages("int = ;\n".repeat(100)).len(), 21);
    }

    #[test]
    fn warnings_do_not_refuse() {
        let (_, result) = parse("char *s = \"\\q\";");
        assert!(!result.diagnostics[0].is_error());
    }
}

mod hostile {
    use super::{messages, parse};
    use std::time::{Duration, Instant};

    #[track_caller]
    fn quickly(source: impl AsRef<[u8]>) -> Vec<String> {
        let start = Instant::now();
        let messages = messages(source);
        assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
        messages
    }

    #[test]
    fn nesting_is_limited() {
        for (open, close) in
            [("(", ")"), ("-(", ")"), ("a[", "]"), ("{", "}"), ("- ", ""), ("(int)", ""), ("f(", ")")]
        {
            let source = format!("int x = {}1{};", open.repeat(50_000), close.repeat(50_000));
            assert_eq!(quickly(source), ["nesting is deeper than 2000 levels"], "{open}");
        }
        let blocks = format!("void f(void) {}{}", "{".repeat(50_000), "}".repeat(50_000));
        assert_eq!(quickly(blocks), ["nesting is deeper than 2000 levels"]);
        assert!(quickly(format!("int x = {}1{};", "(".repeat(1900), ")".repeat(1900))).is_empty());
        let blocks = format!("void f(void) {}{}", "{".repeat(1900), "}".repeat(1900));
        assert!(quickly(blocks).is_empty());
    }

    #[test]
    fn spines_may_be_long() {
        assert!(quickly(format!("int x = 0{};", " + 1".repeat(100_000))).is_empty());
        assert!(quickly(format!("int f(int a) {{ return a{}; }}", ", a".repeat(100_000))).is_empty());
        assert!(quickly(format!("int {}x;", "*".repeat(100_000))).is_empty());
        let chain: String = (0..10_000).map(|i| format!("if (x == {i}) x++; else ")).collect();
        assert!(quickly(format!("void f(int x) {{ {chain}; }}")).is_empty());
        let cases: String = (0..10_000).map(|i| format!("case {i}: ")).collect();
        assert!(quickly(format!("void f(int x) {{ switch (x) {{ {cases}; }} }}")).is_empty());
    }

    #[test]
    fn a_long_spine_can_be_dumped() {
        let (_, result) = parse(format!("int x = 0{};", " + 1".repeat(100_000)));
        assert!(grammars::c::dump::unit(&result.unit).len() > 400_000);
    }

    #[test]
    fn a_long_line() {
        assert!(quickly(format!("int x[] = {{ {} }};", "1, ".repeat(700_000))).is_empty());
        assert_eq!(quickly(format!("int x[] = {{ {} ; }};", "1, ".repeat(700_000))).len(), 1);
    }

    #[test]
    fn bytes_that_are_no_text() {
        assert!(quickly(b"/* \xff\xfe */ char *s = \"\xff\xe9\"; // \x80\nint y;").is_empty());
        assert_eq!(quickly(b"int x;\0\0\0 int y;"), ["3 stray bytes"]);
        let mut state = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(300_000)
        .collect();
        assert!(!quickly(noise).is_empty());
    }

    #[test]
    fn every_prefix_of_a_program_ends_in_a_tree_or_an_error() {
        let source = "typedef struct s { int a : 3; } T; int f(T *t, int n) { for (int i = 0; i < n; i++) { t->a += \"x\"[i] ? 'c' : ({ 1; }); } return (T){ .a = 1 }.a; }";
        for end in 0..source.len() {
            parse(&source[..end]);
            parse(&source[end..]);
            parse(format!("{}@ {{ ( {}", &source[..end], &source[end..]));
        }
    }
}

#[test]
fn operands_come_before_operations() {
    let (_, result) = parse("int f(int a) { return a + (a * 2 - f(a)) ? a[&a] : -a; }");
    for (index, expr) in result.unit.ast.exprs.iter().enumerate() {
        if let ExprKind::Binary { lhs, rhs, .. } = expr.kind {
            assert!(lhs.index() < index && rhs.index() < index);
        }
    }
}

#[test]
fn spans_cover_the_text() {
    let (map, result) = parse("int f(int a) { return (a + 1) * 2; }");
    let texts: Vec<String> =
        result.unit.ast.exprs.iter().map(|expr| map.text(expr.span).into_owned()).collect();
    assert_eq!(texts, ["a", "1", "a + 1", "2", "(a + 1) * 2"]);
    let Item::Function(id) = result.unit.items[0] else { panic!("a function") };
    assert_eq!(map.text(result.unit.ast[result.unit.ast[id].declarator].span), "f(int a)");
}

#[test]
fn tokens_are_dumped_with_their_places() {
    let mut map = SourceMap::new();
    let file = map.add("a.c", *b"# 7 \"b.c\"\nint x = 'a';").unwrap();
    assert_eq!(
        dump::tokens(&map, file),
        "7:1 keyword int\n7:5 name x\n7:7 sign =\n7:9 character 'a'\n7:12 sign ;\n"
    );
}
