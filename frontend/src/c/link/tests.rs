//! Tests of the resolution of names and of the diagnostics of linking.

use super::{LinkedProgram, Resolved, UnitId, link};
use crate::c::hir::Program;
use crate::c::sema;
use crate::c::types::DataModel;
use grammars::source::{Diagnostic, SourceMap};
use terms::entity::Entity;

/// Checks the units of a program.
fn check(texts: &[&str]) -> (Vec<Program>, SourceMap) {
    let mut map = SourceMap::new();
    let mut units = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let file = map.add(&format!("{index}.c"), text.as_bytes().to_vec()).expect("short");
        let parsed = grammars::c::parse(&map, file);
        assert_eq!(parsed.diagnostics, [], "{text}");
        let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Lp64 });
        assert!(!checked.has_errors(), "{text}: {:?}", checked.diagnostics);
        units.push(checked.program);
    }
    (units, map)
}

/// The messages of linking, with the file of each position.
fn messages(texts: &[&str]) -> Vec<String> {
    let (units, map) = check(texts);
    let (_, diagnostics) = link(&units.iter().collect::<Vec<_>>());
    let file = |span| map.file_of(span).map_or("?", |file| map.name(file));
    let show = |found: &Diagnostic| {
        let places: Vec<&str> = found.secondary.iter().map(|label| file(label.span)).collect();
        let kind = if found.is_error() { "error" } else { "warning" };
        format!("{kind} {} ({}): {}", file(found.primary.span), places.join(" "), found.message)
    };
    diagnostics.iter().map(show).collect()
}

/// The unit whose function `name` resolves to in unit 0.
fn function_unit(texts: &[&str], name: &str) -> Option<usize> {
    let (units, _) = check(texts);
    let (linked, diagnostics) = link(&units.iter().collect::<Vec<_>>());
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:?}");
    let id = units[0].function_named(name).expect("declared");
    match linked.function(UnitId::new(0), id) {
        Resolved::At(unit, _) => Some(unit.index()),
        Resolved::Null => None,
    }
}

/// The unit whose object the first object of unit 0 resolves to.
fn object_unit(texts: &[&str]) -> Option<usize> {
    let (units, _) = check(texts);
    let (linked, diagnostics) = link(&units.iter().collect::<Vec<_>>());
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:?}");
    let id = units[0].globals.keys().next().expect("an object");
    match linked.object(UnitId::new(0), id) {
        Resolved::At(unit, _) => Some(unit.index()),
        Resolved::Null => None,
    }
}

#[test]
fn a_declaration_stands_for_the_definition() {
    assert_eq!(function_unit(&["int f(void);", "int f(void) { return 1; }"], "f"), Some(1));
    assert_eq!(object_unit(&["extern int x;", "int x = 1;"]), Some(1));
    assert_eq!(object_unit(&["int x;", "int x = 1;"]), Some(1));
    assert_eq!(object_unit(&["extern int x[];", "extern int x[3];"]), Some(1));
}

#[test]
fn internal_names_stay_apart() {
    assert_eq!(
        function_unit(&["static int f(void) { return 0; }", "int f(void) { return 1; }"], "f"),
        Some(0)
    );
    assert_eq!(object_unit(&["static int x;", "int x = 1;"]), Some(0));
    assert_eq!(messages(&["static char x;", "static int x = 1;", "int x(void);"]), [""; 0]);
}

#[test]
fn weak_definitions_yield_and_weak_declarations_may_be_null() {
    let weak = "__attribute__((weak)) int f(void) { return 0; }";
    assert_eq!(function_unit(&[weak, "int f(void) { return 1; }"], "f"), Some(1));
    assert_eq!(function_unit(&[weak, weak], "f"), Some(0));
    assert_eq!(function_unit(&["int f(void) __attribute__((weak));"], "f"), None);
    assert_eq!(function_unit(&["int f(void) __attribute__((weak));", "int f(void);"], "f"), Some(1));
    assert_eq!(function_unit(&["void *malloc(unsigned long) __attribute__((weak));"], "malloc"), Some(0));
    assert_eq!(object_unit(&["extern int x __attribute__((weak));"]), None);
    assert_eq!(object_unit(&["int x __attribute__((weak)) = 1;", "int x = 2;"]), Some(1));
}

#[test]
fn inline_definitions_serve_their_unit_where_there_is_no_other() {
    let inline = "inline int f(void) { return 0; }";
    assert_eq!(function_unit(&[inline, "int f(void) { return 1; }"], "f"), Some(1));
    assert_eq!(function_unit(&[inline, inline], "f"), Some(0));
    assert_eq!(function_unit(&["int f(void);", inline], "f"), Some(1));
    let external = "inline int f(void) { return 0; } extern int f(void);";
    assert_eq!(function_unit(&[inline, external], "f"), Some(1));
    let gnu = "extern inline __attribute__((gnu_inline)) int f(void) { return 0; }";
    assert_eq!(function_unit(&[gnu, "int f(void) { return 1; }"], "f"), Some(1));
}

#[test]
fn aliases_stand_for_what_their_target_stands_for() {
    let text = "int g(void) { return 1; } int f(void) __attribute__((alias(\"g\")));";
    let (units, _) = check(&["int f(void);", text]);
    let (linked, _) = link(&units.iter().collect::<Vec<_>>());
    let id = units[0].function_named("f").expect("declared");
    let target = units[1].function_named("g").expect("defined");
    assert_eq!(linked.function(UnitId::new(0), id), Resolved::At(UnitId::new(1), target));
    let reference = "static int f(void) __attribute__((weakref(\"g\")));";
    assert_eq!(function_unit(&[reference, "int g(void) { return 1; }"], "f"), Some(1));
    assert_eq!(function_unit(&[reference], "f"), None);
}

#[test]
fn an_alias_of_itself_is_null() {
    let text = "int f(void) __attribute__((alias(\"g\"))); int g(void) __attribute__((alias(\"f\")));";
    let (units, _) = check(&[text]);
    let linked = LinkedProgram::of_one(&units[0]);
    let id = units[0].function_named("f").expect("declared");
    assert_eq!(linked.function(UnitId::new(0), id), Resolved::Null);
}

#[test]
fn tentative_definitions_are_one_object_the_largest() {
    assert_eq!(
        messages(&["int x;", "int x;"]),
        [
            "warning 1.c (0.c): `x` has tentative definitions in several files; they are merged into one object"
        ]
    );
    assert_eq!(object_unit(&["int x;", "int x;", "extern int x;"]), Some(0));
}

#[test]
fn strong_definitions_may_not_be_two() {
    assert_eq!(
        messages(&["int f(void) { return 0; } int x = 1;", "int f(void) { return 1; } int x = 1;"]),
        ["error 1.c (0.c): multiple definition of `f`", "error 1.c (0.c): multiple definition of `x`"]
    );
}

#[test]
fn types_must_agree_across_units() {
    let compatible = [
        (
            "struct s { int a; struct s *next; }; struct s x;",
            "struct s { int a; struct s *next; }; extern struct s x;",
        ),
        ("int x[3] = {1};", "extern int x[];"),
        ("enum e { A } x = A;", "extern unsigned x;"),
        ("int f(int a) { return a; }", "int f();"),
        ("struct s; int f(struct s *p) { return p != 0; }", "struct s { int a; }; int f(struct s *p);"),
    ];
    for (a, b) in compatible {
        assert_eq!(messages(&[a, b]), [""; 0], "{a} | {b}");
    }
    assert_eq!(messages(&["struct s { int a; } x;", "struct s { int b; }; extern struct s x;"]).len(), 1);
    assert_eq!(
        messages(&["int x = 1;", "extern unsigned x;"]),
        ["warning 1.c (0.c): `x` has type `unsigned int` here, but `int` in another file"]
    );
    assert_eq!(
        messages(&["int x = 1;", "extern long x;"]),
        ["error 1.c (0.c): `x` has type `long` here, but `int` in another file"]
    );
    assert_eq!(
        messages(&["int f(int *p) { return *p; }", "int f(char *p);"]),
        ["warning 1.c (0.c): `f` has type `int (char *)` here, but `int (int *)` in another file"]
    );
    assert_eq!(
        messages(&["int f(float x) { return x > 0; }", "int g(void) { return f(1.0); }"]),
        ["error 1.c (0.c): implicit declaration of `f`, but its type in another file is `int (float)`"]
    );
    assert_eq!(
        messages(&["int f(void) { return 0; }", "extern int f;"]),
        ["error 0.c (1.c): `f` is a function in one file and an object in another"]
    );
}

#[test]
fn labels_name_symbols_of_other_units() {
    assert_eq!(function_unit(&["int f(void) __asm__(\"g\");", "int g(void) { return 1; }"], "g"), Some(1));
    assert_eq!(
        function_unit(&["int g(void);", "int f(void) __asm__(\"g\"); int f(void) { return 1; }"], "g"),
        Some(1)
    );
    // An inline form does not define the symbol.
    let form = "extern inline __attribute__((gnu_inline)) int g(void) { return 1; }";
    assert_eq!(function_unit(&["int f(void) __asm__(\"g\");", form], "g"), Some(0));
}

#[test]
fn a_label_of_another_type_is_an_error() {
    assert_eq!(
        messages(&["int g(void) { return 1; } double f(void) __asm__(\"g\");"]),
        ["error 0.c (0.c): `g` has type `double (void)` here, but `int (void)` where its symbol is defined"]
    );
    assert_eq!(messages(&["int g; int f(void) __asm__(\"g\");"]), [""; 0]);
}

#[test]
fn assembly_at_file_scope_may_define_what_is_not_defined() {
    let (units, _) = check(&["void f(void); void g(void); void h(void) {}", "__asm__(\".globl f, h\");"]);
    let (linked, _) = link(&units.iter().collect::<Vec<_>>());
    let is_opaque = |name| {
        let id = units[0].function_named(name).expect("declared");
        linked.opaque(UnitId::new(0), id).is_some()
    };
    assert_eq!(["f", "g", "h"].map(is_opaque), [true, false, false]);
}
