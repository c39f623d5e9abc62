//! Tests of malformed and adversarial input: the tool reports a located error with exit code 2,
//! soon and without a panic.

use hornwork_tests::{Run, run};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

fn verify(name: &str, content: &[u8]) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a temporary file can be written");
    verify_path(&path, &[])
}

fn verify_path(path: &Path, options: &[&str]) -> Run {
    run(Command::new(env!("CARGO_BIN_EXE_hornwork-under-test")).arg("verify").args(options).arg(path), LIMIT)
}

fn assert_rejected(run: &Run, expected: &str) {
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.out, "", "errors belong on stderr");
    assert!(run.err.contains(expected), "expected {expected:?} in:\n{}", run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
}

#[test]
fn an_empty_file_has_no_main() {
    assert_rejected(&verify("empty.c", b""), "main");
}

#[test]
fn a_missing_main_is_named() {
    assert_rejected(&verify("no_main.c", b"int f(void) { return 1; }\n"), "main");
}

#[test]
fn nesting_up_to_the_limit_is_verified() {
    const DEPTH: usize = 1_900;
    let half = DEPTH / 2;
    let nested = |open: &str, middle: &str, close: &str, depth: usize| {
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    let bodies = [
        format!("y = {};", nested("(", "x", ")", DEPTH)),
        format!("y = {};", nested("- ", "x", "", DEPTH)),
        format!("y = {};", nested("f(", "x", ")", DEPTH)),
        format!("y = {};", nested("a[", "0", "]", half)),
        format!("y = {};", nested("(x ? ", "x", " : 1)", half)),
        format!("if ({}) y = 1;", nested("(x && ", "x", ")", half)),
        nested("{ ", "y = 1;", " }", DEPTH),
        nested("if (x) ", "y = 1;", "", DEPTH),
        nested("switch (x) { case 1: ", "y = 1;", " }", half),
    ];
    for body in bodies {
        let source = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint a[1];\n\
             int f(int n) {{ return n; }}\nint main(void) {{ int x = __VERIFIER_nondet_int(), y = 0;\n{body}\n\
             if (y != y) reach_error(); }}\n"
        );
        let run = verify("nested.c", source.as_bytes());
        assert_eq!((run.code, run.out.lines().last()), (Some(0), Some("TRUE")), "{body:.60}: {}", run.err);
    }
}

#[test]
fn a_binary_file_is_no_c() {
    let bytes: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert_rejected(&verify("binary.i", &bytes), "binary.i:1");
}

#[test]
fn unbalanced_braces_are_located() {
    assert_rejected(&verify("braces.i", b"int main(void) {\n  if (1) {\n    return 0;\n}\n"), "braces.i:");
}

#[test]
fn several_errors_are_reported_in_one_run() {
    let run = verify(
        "several.i",
        b"int f(void) {\n  return x;\n}\nint g(void) {\n  int a = ;\n  return 1;\n}\nint main(void) {\n  return y;\n}\n",
    );
    assert_rejected(&run, "several.i:5");
    let semantic = verify("semantic.i", b"int f(void) {\n  return x;\n}\nint main(void) {\n  return y;\n}\n");
    assert_rejected(&semantic, "semantic.i:2");
    assert_rejected(&semantic, "semantic.i:5");
}

#[test]
fn line_markers_name_the_original_place() {
    let run = verify(
        "marked.i",
        b"# 1 \"original.c\"\nint main(void) {\n# 40 \"header.h\"\n  return nothing;\n}\n",
    );
    assert_rejected(&run, "header.h:40");
}

#[test]
fn fifty_thousand_parentheses_do_not_overflow_the_stack() {
    let depth = 50_000;
    let text = format!("int main(void) {{ return {}1{}; }}\n", "(".repeat(depth), ")".repeat(depth));
    let run = verify("deep.i", text.as_bytes());
    assert!(
        run.code == Some(0) && run.last_line() == "TRUE" || run.code == Some(2) && run.err.contains("nest"),
        "{run:?}"
    );
}

#[test]
fn fifty_thousand_open_parentheses_are_an_error() {
    let run = verify("open.i", format!("int main(void) {{ return {}", "(".repeat(50_000)).as_bytes());
    assert_rejected(&run, "open.i:1");
}

#[test]
fn other_deep_nesting_does_not_overflow_the_stack() {
    let depth = 50_000;
    for (name, text) in [
        ("not", format!("int main(void) {{ return {}1; }}", "!".repeat(depth))),
        ("blocks", format!("int main(void) {{ {} {} return 0; }}", "{".repeat(depth), "}".repeat(depth))),
        ("pointers", format!("int {}p; int main(void) {{ return 0; }}", "*".repeat(depth))),
        ("ifs", format!("int main(void) {{ {} ; return 0; }}", "if (1) ".repeat(depth))),
        ("arrays", format!("int a{}; int main(void) {{ return 0; }}", "[1]".repeat(depth))),
        (
            "structs",
            format!(
                "{} int x; {} int main(void) {{ return 0; }}",
                "struct {".repeat(depth),
                "} s;".repeat(depth)
            ),
        ),
        (
            "initializer",
            format!("int a = {}1{}; int main(void) {{ return 0; }}", "{".repeat(depth), "}".repeat(depth)),
        ),
        (
            "ternary",
            format!("int main(void) {{ return {}0{}; }}", "1 ? ".repeat(depth), " : 2".repeat(depth)),
        ),
        ("plus", format!("int main(void) {{ int a = 1; return 0{}; }}", " + a".repeat(depth))),
        ("assign", format!("int main(void) {{ int a; return {}1; }}", "a = ".repeat(depth))),
        (
            "else",
            format!("int main(void) {{ int a = 3; {} ; return 0; }}", "if (a == 1) ; else ".repeat(depth)),
        ),
    ] {
        let run = verify(&format!("{name}.i"), text.as_bytes());
        assert!(
            matches!(run.code, Some(0 | 2 | 20)),
            "{name}: {:?} {}",
            run.code,
            &run.err[..run.err.len().min(400)]
        );
        assert!(!run.err.contains("panicked"), "{name}: {}", run.err);
    }
}

#[test]
fn a_ten_megabyte_line_is_read() {
    let mut text = String::from("int main(void) { int x = 0; ");
    while text.len() < 10_000_000 {
        text.push_str("x = x + 1; ");
    }
    text.push_str("return 0 }");
    let run = verify("long.i", text.as_bytes());
    assert_rejected(&run, "long.i:1");
    assert!(
        run.err.len() < 20_000,
        "the excerpt of a long line must be truncated, got {} bytes",
        run.err.len()
    );
}

#[test]
fn huge_constants_are_diagnosed_or_computed() {
    let run =
        verify("huge.i", format!("int main(void) {{ return {} > 0; }}", "9".repeat(100_000)).as_bytes());
    assert!(matches!(run.code, Some(0 | 2)), "{:?}", run.code);
    let run = verify(
        "array.i",
        b"char a[9223372036854775807]; char b[9223372036854775807]; int main(void) { return a[5] + b[1]; }",
    );
    assert!(matches!(run.code, Some(0 | 2 | 20)), "{run:?}");
    let run = verify("cyclic.i", b"struct s { struct s inner; } x; int main(void) { return sizeof x; }");
    assert_rejected(&run, "cyclic.i:1");
}

#[test]
fn a_missing_include_is_located() {
    assert_rejected(
        &verify("include.c", b"int a;\n#include \"no-such-file.h\"\nint main(void) { return 0; }\n"),
        "include.c:2",
    );
}

#[test]
fn a_missing_file_is_named() {
    assert_rejected(&verify_path(Path::new("no-such-file.c"), &[]), "no-such-file.c");
}

#[test]
fn a_missing_preprocessor_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("needs.c");
    std::fs::write(&path, "#define N 1\nint main(void) { return N; }\n")
        .expect("a temporary file can be written");
    let run = run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .env("CC", "no-such-compiler")
            .arg("verify")
            .arg(&path),
        LIMIT,
    );
    assert_rejected(&run, "no-such-compiler");
}

#[test]
fn wrong_options_are_usage_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("fine.i");
    std::fs::write(&path, "int main(void) { return 0; }\n").expect("a temporary file can be written");
    for options in [
        &["--encoding", "QF_NOTHING"][..],
        &["--solver", "nobody"],
        &["--property", "no-such-property"],
        &["--function", "nothing"],
        &["--timelimit", "-3"],
    ] {
        assert_rejected(&verify_path(&path, options), options[1]);
    }
    assert_eq!(verify_path(&path, &[]).code, Some(0));
}

#[test]
fn a_solver_must_know_what_the_encoding_needs() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("fine.i");
    std::fs::write(&path, "int main(void) { return 0; }\n").expect("a temporary file can be written");
    let refused = verify_path(&path, &["--encoding", "UFLIRA", "--solver", "yices"]);
    assert_rejected(&refused, "yices does not support quantifiers");
    let refused =
        verify_path(&path, &["--algorithm", "bmc", "--encoding", "QF_AUFLIRA", "--solver", "bitwuzla"]);
    assert_rejected(&refused, "bitwuzla does not support integers, which the encoding QF_AUFLIRA requires");
    // Stages with this encoding are skipped.
    assert_eq!(verify_path(&path, &["--solver", "bitwuzla"]).code, Some(0));
    // Without an explicit solver, one that supports quantifiers is chosen.
    assert_eq!(verify_path(&path, &["--encoding", "UFLIRA"]).code, Some(0));
}

#[test]
fn old_style_definitions_are_c11() {
    let run = verify("old.i", b"int f(a, b) int a; char *b; { return a; }\nint main() { return f(1, 0); }\n");
    assert_eq!((run.code, run.last_line()), (Some(0), "TRUE"), "{run:?}");
}

#[test]
fn a_broken_task_definition_is_an_error() {
    assert_rejected(&verify("task.yml", b"format_version: '2.0'\ninput_files: [\n"), "task.yml");
    assert_rejected(&verify("task.yml", b"format_version: '9.0'\ninput_files: 'x.c'\n"), "9.0");
}
