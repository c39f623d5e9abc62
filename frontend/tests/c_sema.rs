//! The C type checker: conversions, constants, layout, initializers, diagnostics.

use frontend::c::dump::dump;
use frontend::c::sema::{CheckResult, Options, check};
use frontend::c::types::DataModel;
use grammars::source::SourceMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

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

/// The dump of a program without errors.
#[track_caller]
fn hir(text: &str, model: DataModel) -> String {
    let (result, errors) = run(text, model);
    assert!(errors.is_empty(), "{errors:#?}");
    dump(&result.program)
}

/// The statements of `void f(void)` after `before`, one line each.
#[track_caller]
fn body(before: &str, statements: &str) -> Vec<String> {
    let text = hir(&format!("{before}\nvoid f(void) {{ {statements} }}"), DataModel::Ilp32);
    let start = text.find("  (parameters)").expect("the function is there");
    let lines = text[start..].lines().skip(1).take_while(|line| line.starts_with(' '));
    let mut lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    if let Some(last) = lines.last_mut() {
        last.pop();
    }
    lines
}

#[track_caller]
fn assert_body<const N: usize>(before: &str, statements: &str, expected: [&str; N]) {
    assert_eq!(body(before, statements), expected);
}

#[track_caller]
fn errors(text: &str) -> Vec<String> {
    run(text, DataModel::Ilp32).1
}

#[track_caller]
fn holds(model: DataModel, assertions: &str) {
    let (_, errors) = run(assertions, model);
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn assignments_convert_to_the_type_of_the_place() {
    assert_body(
        "char c; unsigned u; _Bool b; int *p;",
        "c = u; b = c; b = p; p = 0; u = 3 > 2;",
        [
            "(assign c@0 (Integer `char` (load u@1)))",
            "(assign b@2 (ToBool `_Bool` (load c@0)))",
            "(assign b@2 (ToBool `_Bool` (load p@3)))",
            "(assign p@3 (`int *` 0))",
            "(assign u@1 (`unsigned int` 1))",
        ],
    );
}

#[test]
fn operands_get_the_usual_conversions() {
    assert_body(
        "char c; unsigned u; long long q; float x;",
        "q + u; c + c; u < c; x * c; c << q;",
        [
            "(Add (load q@2) (Integer `long long` (load u@1)))",
            "(Add (Integer `int` (load c@0)) (Integer `int` (load c@0)))",
            "(Lt (load u@1) (Integer `unsigned int` (Integer `int` (load c@0))))",
            "(Mul (load x@3) (IntegerToFloat `float` (Integer `int` (load c@0))))",
            "(Shl (Integer `int` (load c@0)) (load q@2))",
        ],
    );
}

#[test]
fn narrow_bit_fields_promote_to_int() {
    assert_body(
        "struct { unsigned a : 3, b : 32; } s;",
        "s.a - 1; s.b - 1; s.a -= 1;",
        [
            "(Sub (Integer `int` (load (field s@0 a+0:0:3))) 1)",
            "(Sub (load (field s@0 b+4:0:32)) (`unsigned int` 1))",
            "(modify New (field s@0 a+0:0:3) (Integer `unsigned int` (Sub (Integer `int` old) 1)))",
        ],
    );
}

#[test]
fn compound_assignment_computes_in_the_common_type() {
    assert_body(
        "char c; double d; int *p; _Bool b;",
        "c += d; c++; --p; b++;",
        [
            "(modify New c@0 (FloatToInteger `char` (Add (IntegerToFloat `double` (Integer `int` old)) (load d@1))))",
            "(modify Old c@0 (Integer `char` (Add (Integer `int` old) 1)))",
            "(modify New p@2 (Backward old 1 4))",
            "(modify Old b@3 (ToBool `_Bool` (Add (Integer `int` old) 1)))",
        ],
    );
}

#[test]
fn array_elements_stay_places() {
    assert_body(
        "int a[3][4]; int *p; short s;",
        "a[s][1] = 2; p[s] = a[0][0]; *a[1] = 3; p = a[2];",
        [
            "(assign (index (index a@0 (Integer `int` (load s@2)) 16) 1 4) 2)",
            "(assign (deref (Forward (load p@1) (Integer `int` (load s@2)) 4)) (load (index (index a@0 0 16) 0 4)))",
            "(assign (index (index a@0 1 16) 0 4) 3)",
            "(assign p@1 (decay (index a@0 2 16)))",
        ],
    );
}

#[test]
fn a_local_read_by_index_is_not_address_taken() {
    let (result, errors) =
        run("int f(int i) { int a[2], b[2], c; int *p = b; return a[i] + *&c; }", DataModel::Ilp32);
    assert!(errors.is_empty());
    let taken: Vec<bool> = result.program.locals.values().map(|local| local.is_address_taken).collect();
    assert_eq!(taken, [false, false, true, true, false]);
}

#[test]
fn arguments_convert_or_promote() {
    assert_body(
        "void g(long long, ...); void h();",
        "g('a', 'b', 1.5f); h((char)1);",
        ["(call g (`long long` 97) 98 (Float `double` (`float` 1.5)))", "(call h 1)"],
    );
}

#[test]
fn null_pointer_constants_decide_the_type_of_conditionals() {
    assert_body(
        "int c, *p; const int *q; void *v;",
        "p = c ? p : 0; v = c ? p : v; q = c ? p : q;",
        [
            "(assign p@1 (if (load c@0) (load p@1) (`int *` 0)))",
            "(assign v@3 (if (load c@0) (Pointer `void *` (load p@1)) (load v@3)))",
            "(assign q@2 (if (load c@0) (Pointer `const int *` (load p@1)) (load q@2)))",
        ],
    );
}

#[test]
fn chains_of_logic_and_commas_are_flat() {
    assert_body(
        "int a, b, c;",
        "a && b && c || a; a, b, c;",
        [
            "(LogicalOr (LogicalAnd (load a@0) (load b@1) (load c@2)) (load a@0))",
            "(comma (load a@0) (load b@1) (load c@2))",
        ],
    );
}

#[test]
fn statement_expressions_and_omitted_operands_have_values() {
    assert_body(
        "int a;",
        "a = ({ a++; a; }); a = a ?: 3;",
        [
            "(assign a@0 (statements",
            "(modify Old a@0 (Add old 1)) (load a@0)))",
            "(assign a@0 (if (assign #0 (load a@0)) (load #0) 3))",
        ],
    );
}

#[test]
fn switches_know_their_cases() {
    let lines = body("char c;", "switch (c) { case 1: case -3 ... -1: ; default: ; }");
    assert_eq!(
        lines[0],
        "(switch (Integer `int` (load c@0)) (1..1 label0) (4294967293..4294967295 label1) (default label2)"
    );
}

#[test]
fn the_length_of_a_variable_array_is_kept() {
    assert_body(
        "int n;",
        "int a[n]; n = sizeof a; n++; n = sizeof(int[n]);",
        [
            "(assign #0 (Integer `unsigned int` (load n@0)))",
            "(local a#1 `int[*]`)",
            "(assign n@0 (Integer `int` (Mul (load #0) (`unsigned int` 4))))",
            "(modify Old n@0 (Add old 1))",
            "(assign n@0 (Integer `int` (comma (assign #2 (Integer `unsigned int` (load n@0))) (Mul (load #2) (`unsigned int` 4)))))",
        ],
    );
}

#[test]
fn old_style_parameters_arrive_promoted() {
    let (result, errors) = run("int f(a, b) char a; float b; { return a; }", DataModel::Ilp32);
    assert!(errors.is_empty());
    let body = result
        .program
        .functions
        .values()
        .next()
        .and_then(|function| function.body.as_ref())
        .expect("defined");
    use frontend::c::types::TypeId;
    assert_eq!(*body.passed, [TypeId::INT, TypeId::DOUBLE]);
}

#[test]
fn initializers_are_flat() {
    let text = hir(
        "struct p { int x, y; }; struct q { struct p a[2]; int z; };
         struct q v = { 1, 2, { .y = 3 }, 4 };
         struct q w = { .a = { [1].x = 5, 6 }, 7 };
         int r[] = { [2 ... 4] = 1, 2 };
         char s[4] = \"ab\", t[] = { \"abc\" };
         union { int i; char c; } u = { .c = 1 };
         struct p z = { .x = 1, .x = 2 };",
        DataModel::Ilp32,
    );
    for expected in [
        "(global v@0 External Defined `struct q` (init zero (+0 1) (+4 2) (+12 3) (+16 4)))",
        "(global w@1 External Defined `struct q` (init zero (+8 5) (+12 6) (+16 7)))",
        "(global r@2 External Defined `int[6]` (init zero (+8 x3/4 1) (+20 2)))",
        "(global s@3 External Defined `char[4]` (init zero (+0 \"ab\\x00\")))",
        "(global t@4 External Defined `char[4]` (init zero (+0 \"abc\\x00\")))",
        "`union <unnamed>` (init zero (+0 (`char` 1))))",
        "(init zero (+0 1) (+0 2))",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn static_initializers_read_constants_but_constants_do_not() {
    let text =
        hir("const int a = 5; int b = a + 1; char c = \"abc\"[1]; int x; int *p = &x + 1;", DataModel::Ilp32);
    for expected in ["b@1 External Defined `int` (init (+0 6))", "(init (+0 (`char` 98)))"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert_eq!(errors("const int a = 5; int b[a];").len(), 1);
    assert_eq!(errors("int a; int b = a;").len(), 1);
    assert_eq!(errors("int a; char b = (char)(long)&a;").len(), 1);
}

#[test]
fn a_part_initialized_again_as_a_whole_forgets_its_parts() {
    let text = hir("struct { struct { int x, y; } p; } v = { .p = { 1, 2 }, .p = { 3 } };", DataModel::Ilp32);
    assert!(text.contains("(init zero (+0 3))"), "{text}");
}

#[test]
fn tentative_definitions_are_completed() {
    let text = hir("int a[]; extern int b[]; int b[3]; int c; int c = 2; extern int d;", DataModel::Ilp32);
    for expected in [
        "a@0 External Defined `int[1]`",
        "b@1 External Defined `int[3]`",
        "c@2 External Defined `int` (init (+0 2))",
        "d@3 External Declared `int`",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn constants_have_the_types_and_values_of_gcc() {
    let common = "
        enum e { A = -1, B, C = 1u << 31, D = 0x7fffffff };
        enum big { E = 0x100000000 };
        enum __attribute__((packed)) small { F = 255 };
        struct s { char c; struct { short x; int y[3]; }; };
        _Static_assert(B == 0 && -1 < 0u == 0, \"\");
        _Static_assert(sizeof(enum big) == 8 && sizeof(enum small) == 1, \"\");
        _Static_assert(__builtin_offsetof(struct s, y[2]) == 16, \"\");
        _Static_assert((unsigned char)-1 == 255 && (signed char)200 == -56, \"\");
        _Static_assert(-7 / 2 == -3 && -7 % 2 == -1 && -7 >> 1 == -4, \"\");
        _Static_assert((1 ? -1 : 0u) > 0, \"\");
        _Static_assert('\\377' == -1 && sizeof 'a' == 4 && sizeof \"abc\" == 4, \"\");
        _Static_assert((int)2.9 == 2 && 1.5 < 2 && !0.0, \"\");
        _Static_assert((unsigned long)&((struct s *)0)->y == 8, \"\");
        _Static_assert(_Generic(1L, int: 1, long: 2, default: 3) == 2, \"\");
        _Static_assert(__builtin_types_compatible_p(int, const int) == 1, \"\");
        _Static_assert(__builtin_choose_expr(1, sizeof(char), (void)0) == 1, \"\");
        _Static_assert(__builtin_constant_p(3 + 4) == 1, \"\");
        _Static_assert(2147483648 > 0 && 0xffffffff > 0 && sizeof 0xffffffff == 4, \"\");
        _Static_assert(18446744073709551615ull / 3 == 6148914691236517205ull, \"\");";
    holds(DataModel::Ilp32, common);
    holds(DataModel::Lp64, common);
    holds(
        DataModel::Ilp32,
        "_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long double) == 12 && sizeof 2147483648 == 8, \"\");",
    );
    holds(
        DataModel::Lp64,
        "_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(long double) == 16, \"\");
         _Static_assert(((unsigned __int128)1 << 100) >> 99 == 2 && sizeof(__int128_t) == 16, \"\");",
    );
}

#[test]
fn overflowing_constants_stay_operations_where_no_constant_is_demanded() {
    assert_body(
        "int x;",
        "x = 2147483647 + 1; x = 1 / 0; x = 1 << 31;",
        ["(assign x@0 (Add 2147483647 1))", "(assign x@0 (Div 1 0))", "(assign x@0 (Shl 1 31))"],
    );
    holds(DataModel::Ilp32, "_Static_assert(2147483647 + 1 < 0, \"\");");
}

#[test]
fn builtins_are_typed() {
    assert_body(
        "int a; unsigned u; unsigned long long q;",
        "a = __builtin_add_overflow(a, u, &q); __builtin_expect(a == 1, 0); __builtin_memcpy(&a, &u, 4); u = __builtin_bswap32(u); __sync_fetch_and_add(&q, 1);",
        [
            "(assign a@0 (Integer `int` (Overflow(Add) `_Bool` (load a@0) (load u@1) (address q@2))))",
            "(Expect `long` (Integer `long` (Eq (load a@0) 1)) (`long` 0))",
            "(call memcpy (Pointer `void *` (address a@0)) (Pointer `const void *` (address u@1)) (`unsigned int` 4))",
            "(assign u@1 (ByteSwap `unsigned int` (load u@1)))",
            "(Atomic(FetchThen(Add)) `unsigned long long` (address q@2) (`unsigned long long` 1))",
        ],
    );
}

#[test]
fn what_gcc_only_warns_about_is_accepted() {
    let text =
        "int *p; char *c; long l; f(x) { g(1); p = c; p = 5; l = p; return; } void h(void) { return 1; }
                int k() { } char s[2] = \"abc\"; int z[1] = { 1, 2 };";
    let (result, errors) = run(text, DataModel::Ilp32);
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(result.diagnostics.len() >= 6);
}

#[test]
fn errors_are_located_and_several() {
    let found = errors(
        "struct s; int f(void) { int a; struct s x; a.b = 1; undeclared = 2; 5 = a; return *a; }
         int f(int); int g(void) { goto nowhere; break; case 1: ; }
         _Static_assert(1 == 2, \"why\"); int n[-1]; const int c = 1; void k(void) { c = 2; f(1, 2); }
         int m = k; struct { int x; int x; } t; enum { Q, Q };",
    );
    for expected in [
        "x: `x` has incomplete type `struct s`",
        "a.b: member access into `int`, which is not a structure or union",
        "undeclared: use of undeclared identifier `undeclared`",
        "5: expression is not assignable: lvalue required",
        "*a: indirection requires a pointer operand, but the operand has type `int`",
        "f: conflicting types for `f`",
        "nowhere: label `nowhere` used but not defined",
        "break;: `break` statement not within a loop or `switch`",
        "static assertion failed: why",
        "-1: array size is negative: -1",
        "c: assignment to a `const` object",
        "f(1, 2): too many arguments to function call: expected 0, have 2",
        "x: duplicate member `x`",
        "Q: `Q` redeclared as an enumeration constant",
    ] {
        assert!(found.iter().any(|error| error.contains(expected)), "{expected}\n{found:#?}");
    }
}

#[test]
fn one_error_does_not_cause_others() {
    assert_eq!(
        errors("int f(void) { int x = nothing + 1; x += nothing * 2; return x ? nothing : 1; }").len(),
        1
    );
    assert_eq!(errors("void f(void) { struct undefined a; a.x = 1; a.y[2]->z = a; }").len(), 1);
}

#[test]
fn long_chains_need_no_stack() {
    let long = |operator: &str| vec!["a"; 100_000].join(operator);
    for operator in ["+", "&&", ",", "<", "|"] {
        holds(DataModel::Ilp32, &format!("int f(int a) {{ return {}; }}", long(operator)));
    }
    let overflowing = format!("int y; long x = (long)&y{};", " + 2147483647".repeat(200_000));
    assert_eq!(errors(&overflowing).len(), 1);
    let arms: String = (0..20_000).fold(String::new(), |mut text, arm| {
        let _ = write!(text, "else if (a == {arm}) return {arm};");
        text
    });
    holds(DataModel::Ilp32, &format!("int f(int a) {{ if (a) return 1; {arms} return 0; }}"));
    let down: String = (0..20_000).rev().fold(String::new(), |mut text, index| {
        let _ = write!(text, "[{index}] = {{ 1 }},");
        text
    });
    holds(DataModel::Ilp32, &format!("struct {{ int x, y; }} a[] = {{ {down} }};"));
}

/// A small deterministic generator (xorshift), so that failures are reproducible.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const PLAIN: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "long long",
    "double",
    "long double",
    "float",
    "void *",
    "_Bool",
    "struct inner",
    "enum e",
    "_Complex double",
    "_Float128",
];
const FIELDS: &[(&str, usize)] = &[
    ("char", 8),
    ("short", 16),
    ("int", 32),
    ("long", 32),
    ("long long", 64),
    ("unsigned", 32),
    ("_Bool", 1),
];
const MEMBER_ATTRIBUTES: &[&str] = &[
    "",
    "",
    "",
    "",
    "__attribute__((packed))",
    "__attribute__((aligned(2)))",
    "__attribute__((aligned(16)))",
    "__attribute__((aligned))",
];
const RECORD_ATTRIBUTES: &[&str] = &[
    "",
    "",
    "",
    "__attribute__((packed))",
    "__attribute__((aligned(8)))",
    "__attribute__((packed, aligned(4)))",
];

/// A record named `s{number}` and the paths to its plain members.
fn record(random: &mut Random, number: usize) -> (String, Vec<String>) {
    let keyword = if random.below(7) == 0 { "union" } else { "struct" };
    let mut text = format!("{keyword} s{number} {{ ");
    let mut members = Vec::new();
    for index in 0..=random.below(6) {
        let attribute = random.pick(MEMBER_ATTRIBUTES);
        let (field, width) = FIELDS[random.below(FIELDS.len())];
        let width = 1 + random.below(width);
        let _ = match random.below(10) {
            0 => write!(text, "{field} : 0; "),
            1 => write!(text, "{field} : {width}; "),
            2..=4 => write!(text, "{field} b{index} : {width} {attribute}; "),
            5 => write!(text, "struct {{ {field} n{index} : {width}; short m{index}; }}; "),
            _ => {
                members.push(format!("f{index}"));
                let (ty, array) = (random.pick(PLAIN), random.pick(&["", "", "[3]", "[0]"]));
                write!(text, "{ty} f{index}{array} {attribute}; ")
            }
        };
    }
    let _ = writeln!(text, "}} {};", random.pick(RECORD_ATTRIBUTES));
    (text, members)
}

/// Our sizes and offsets, as static assertions, must hold in gcc.
#[test]
#[expect(clippy::print_stderr, reason = "the reader of the test's output must know that it was skipped")]
fn records_are_laid_out_as_gcc_does() {
    for (model, flag) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut text = String::from("enum e { A }; struct inner { char c; long long l; short s; };\n");
        let mut paths = Vec::new();
        for number in 0..150 {
            let (record, members) = record(&mut random, number);
            paths.push((record.split_whitespace().next().unwrap_or_default().to_owned(), members));
            text.push_str(&record);
        }
        let (result, errors) = run(&text, model);
        assert!(errors.is_empty(), "{errors:#?}");
        let program = &result.program;
        for record in program.types.records.values() {
            let (Some(tag), Some(definition)) = (record.tag, &record.definition) else { continue };
            let tag = program.name(tag);
            let Some((keyword, _)) =
                tag.strip_prefix('s').and_then(|number| paths.get(number.parse::<usize>().ok()?))
            else {
                continue;
            };
            let layout = definition.layout;
            let _ = writeln!(
                text,
                "_Static_assert(sizeof({keyword} {tag}) == {} && _Alignof({keyword} {tag}) == {}, \"{tag}\");",
                layout.size, layout.align
            );
            for field in &definition.fields {
                let Some(name) = field.name.filter(|_| field.bits.is_none()) else { continue };
                let name = program.name(name);
                let _ = writeln!(
                    text,
                    "_Static_assert(__builtin_offsetof({keyword} {tag}, {name}) == {}, \"{tag}.{name}\");",
                    field.offset
                );
            }
        }
        let mut compiler = Command::new("cc");
        compiler
            .args(["-fsyntax-only", "-w", "-x", "c", flag, "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = match compiler.spawn() {
            Ok(child) => child,
            Err(error) => {
                eprintln!("skipped, the layout is not compared: cc does not run: {error}");
                return;
            }
        };
        child.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("cc reads its input");
        let output = child.wait_with_output().expect("cc ends");
        let message = String::from_utf8_lossy(&output.stderr);
        let wrong: Vec<&str> = message.lines().filter(|line| line.contains("error")).collect();
        assert!(output.status.success(), "{flag}: {wrong:#?}");
    }
}

#[test]
fn unsupported_layouts_are_errors() {
    for text in [
        "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int i; };",
        "struct __attribute__((ms_struct)) s { char a : 3; int b : 5; };",
    ] {
        assert_eq!(errors(text).len(), 1, "{text}");
    }
    for text in [
        "struct __attribute__((scalar_storage_order(\"little-endian\"))) s { int i; };",
        "struct __attribute__((gcc_struct)) s { char a : 3; int b : 5; };",
    ] {
        assert_eq!(errors(text), [""; 0], "{text}");
    }
    for (pragma, count) in [
        ("scalar_storage_order big-endian", 1),
        ("scalar_storage_order default", 0),
        ("ms_struct on", 1),
        ("ms_struct reset", 0),
    ] {
        let mut map = SourceMap::new();
        let text = format!("#pragma {pragma}\nint x;\n");
        let file = map.add("test.c", text.as_bytes()).expect("a small file fits");
        assert_eq!(grammars::c::parse(&map, file).diagnostics.len(), count, "{pragma}");
    }
}

#[test]
fn the_type_of_an_unknown_builtin_function_is_needed() {
    assert_eq!(errors("int f(int x) { return __builtin_none(x) + 1; }"), [""; 0]);
    assert_eq!(errors("int f(int x) { return sizeof __builtin_none(x); }").len(), 1);
    assert_eq!(errors("void f(int x) { __typeof__(__builtin_none(x)) y; }").len(), 1);
    assert_eq!(errors("void f(int x) { __auto_type y = __builtin_none(x); }").len(), 1);
    assert_eq!(errors("int x = __builtin_none(1);").len(), 1);
    assert_eq!(errors("int x[__builtin_none(1)];").len(), 1);
    assert_eq!(errors("enum { A = __builtin_none(1) };").len(), 1);
    assert_eq!(errors("enum { A = -__builtin_none(1) };").len(), 1);
}

#[test]
fn assembly_that_runs_before_main_is_an_error() {
    assert_eq!(errors("__asm__(\".section .init_array.1\\n.quad f\");").len(), 1);
    assert_eq!(errors("__asm__(\".section .initcall\\n.quad f\");"), [""; 0]);
}
