//! Harnesses: `verify harness.c FILE` means the same as `verify FILE --function f`, harnesses are
//! valid C for gcc, and errors about preconditions are located.

use hornwork_tests::{Run, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);

/// A program, a function with options about its arguments, further options, and the verdict.
struct Sample {
    program: &'static str,
    function: &'static str,
    arguments: &'static str,
    checks: &'static str,
    verdict: &'static str,
}

const fn sample(
    program: &'static str,
    function: &'static str,
    arguments: &'static str,
    checks: &'static str,
    verdict: &'static str,
) -> Sample {
    Sample { program, function, arguments, checks, verdict }
}

const LIST: &str = "\
extern void reach_error(void);
struct node { int value; struct node *next; const char *const name; };
int last(const struct node *list) {
    while (list && list->next) list = list->next;
    if (list && list->value == 42) reach_error();
    return list ? list->name != 0 : 0;
}
static int hidden(const struct node *list) { return list->next->value; }
int main(void) { return 0; }
";

const ARRAYS: &str = "\
extern void reach_error(void);
typedef struct { unsigned a : 3; unsigned : 2; unsigned b : 4; double d; } bits;
enum color { RED, GREEN = 5 };
/*@ requires 0 < n <= 4;
    requires \\valid(p + (0 .. n - 1)); */
int sum(int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i] == 3;
    if (s == 4) reach_error();
    return s;
}
int use(bits *b, enum color c, float f, int s[static 4], bits v) {
    if (b && b->a == 3 && b->b == 9 && v.a == 2 && c == GREEN && f > 1 && s[3] == 5) reach_error();
    return 0;
}
unsigned long length(const char *s) {
    unsigned long n = 0;
    while (s[n]) n++;
    if (n > 5) reach_error();
    return n;
}
int old(c, p) char c; char *p; { return p ? *p + c : 0; }
";

const SAMPLES: &[Sample] = &[
    sample(LIST, "hidden", "", "--property valid-deref", "UNKNOWN"),
    sample(LIST, "last", "--pointer-depth 2", "", "FALSE(unreach-call)"),
    sample(LIST, "last", "--pointer-depth 2", "--property valid-memsafety", "TRUE"),
    sample(LIST, "hidden", "--pointer-depth 1", "--property valid-deref", "FALSE(valid-deref)"),
    sample(LIST, "hidden", "--pointer-depth 1 --nonnull", "--property valid-deref", "TRUE"),
    sample(ARRAYS, "sum", "", "", "FALSE(unreach-call)"),
    sample(ARRAYS, "old", "", "--property valid-memsafety,valid-memcleanup", "TRUE"),
    sample(ARRAYS, "sum", "", "--property valid-deref --malloc-may-fail", "TRUE"),
    sample(ARRAYS, "sum", "--argument p=array:3", "--property valid-deref", "FALSE(valid-deref)"),
    sample(ARRAYS, "use", "", "", "FALSE(unreach-call)"),
    sample(ARRAYS, "use", "--argument b=null", "", "TRUE"),
    sample(ARRAYS, "use", "", "--data-model ILP32", "FALSE(unreach-call)"),
    sample(ARRAYS, "length", "--argument 1=string:6", "", "TRUE"),
    sample(ARRAYS, "length", "--argument s=string:7", "", "FALSE(unreach-call)"),
    sample(ARRAYS, "old", "--nonnull", "--property valid-deref", "TRUE"),
];

fn hornwork(folder: &Path, words: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    run(command.current_dir(folder).args(words.split_whitespace()), LIMIT)
}

fn folder(program: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("a temporary file can be written");
    (folder, path)
}

#[test]
fn a_harness_means_the_same_as_the_function() {
    for Sample { program, function, arguments, checks, verdict } in SAMPLES {
        let (folder, _) = folder(program);
        let verify = "verify --quiet --timelimit 60 --algorithm k-induction";
        let what = format!("{function} {arguments} {checks}");
        let options = format!("--function {function} {arguments} {checks}");
        let direct = hornwork(folder.path(), &format!("{verify} {options} program.c"));
        assert!(direct.last_line().starts_with(verdict), "{what}: {direct:?}");
        let written = hornwork(folder.path(), &format!("harness {options} program.c -o harness.c"));
        assert_eq!(written.code, Some(0), "{what}: {written:?}");
        let text = std::fs::read_to_string(folder.path().join("harness.c")).expect("it was written");
        let files = if text.contains("#include") { "harness.c" } else { "harness.c program.c" };
        let entry = text.lines().find_map(|line| line.strip_prefix("int ")?.strip_suffix("(void) {"));
        let entry = entry.expect("a harness has an entry function");
        let linked = hornwork(folder.path(), &format!("{verify} --function {entry} {checks} {files}"));
        assert_eq!(verdict_of(&linked), verdict_of(&direct), "{what}\n{text}\n{linked:?}");
    }
}

/// The verdict without the reason of UNKNOWN, which names lines of the harness.
fn verdict_of(run: &Run) -> &str {
    let line = run.last_line();
    if line.starts_with("UNKNOWN") { "UNKNOWN" } else { line }
}

#[test]
fn harnesses_are_valid_c() {
    for Sample { program, function, arguments, checks, .. } in SAMPLES {
        let (folder, _) = folder(program);
        let options = format!("--function {function} {arguments} {checks}");
        let written = hornwork(folder.path(), &format!("harness {options} program.c -o harness.c"));
        assert_eq!(written.code, Some(0), "{options}: {written:?}");
        let gcc = run(
            Command::new("gcc").current_dir(folder.path()).args([
                "-std=gnu11",
                "-Wall",
                "-Werror",
                "-Wno-unused",
                "-fsyntax-only",
                "harness.c",
            ]),
            LIMIT,
        );
        assert_eq!(gcc.code, Some(0), "{options}: {gcc:?}");
    }
}

#[test]
fn a_counterexample_names_the_argument() {
    let (folder, _) = folder(ARRAYS);
    let run = hornwork(folder.path(), "verify --function length --argument s=string:7 program.c");
    assert!(run.out.contains("behind s"), "{run:?}");
    assert!(run.out.contains("s_count = 7"), "{run:?}");
}

#[test]
fn errors_about_preconditions_are_located() {
    let cases = [
        ("//@ requires \\valid(q);", "", "`q` is not a pointer parameter"),
        ("//@ requires \\valid(n);", "", "`n` is not a pointer"),
        ("//@ requires \\valid(p + (1 .. n));", "", "the first index must be 0"),
        ("//@ requires \\forall integer i; p[i] > 0;", "", "`\\forall` is not supported"),
        ("//@ requires \\old(n) > 0;", "", "`\\old` is not supported"),
        ("//@ requires 0 <= n > 4;", "", "comparisons in different directions"),
        ("//@ requires n = 4;", "", "`=` is not supported"),
        ("//@ requires f(n);", "", "`f` is not supported"),
        ("//@ requires MOST > n;", "", "`MOST` is not a parameter"),
        ("//@ requires n > 0", "", "without a semicolon"),
        ("//@ requires (n > 0;", "", "unmatched `(`"),
        ("//@ invariant n > 0;", "", "unsupported annotation `invariant`"),
        ("", "--argument q=null", "function `f` has no parameter `q`"),
        ("", "--argument 4=null", "function `f` has no parameter `4`"),
        ("", "--argument n=null", "the parameter is not a pointer"),
        ("", "--argument p=array:p", "`p` is not an integer parameter"),
        ("", "--argument d=string:3", "`d` does not point to the characters of a string"),
    ];
    for (annotation, options, message) in cases {
        let program = format!("{annotation}\nint f(int *p, int n, double *d) {{ return 0; }}\n");
        let (folder, _) = folder(&program);
        let run = hornwork(folder.path(), &format!("verify --function f {options} program.c"));
        assert_eq!(run.code, Some(2), "{annotation} {options}: {run:?}");
        assert!(run.err.contains(message), "{annotation} {options}: {run:?}");
        let line = if annotation.is_empty() { "[program.c:2:" } else { "[program.c:1:" };
        assert!(run.err.contains(line), "{annotation} {options}: {run:?}");
    }
}

#[test]
fn clauses_without_effect_are_warnings() {
    let program = "/*@ requires n > 0; assigns \\nothing; ensures \\result == 0;\n\
                   behavior b: requires n > 7; */\nint f(int n) { return 0; }\n";
    let (folder, _) = folder(program);
    let run = hornwork(folder.path(), "verify --function f program.c");
    assert_eq!(run.last_line(), "TRUE", "{run:?}");
    for clause in ["`assigns` has no effect", "`ensures` has no effect", "`behavior` has no effect"] {
        assert!(run.err.contains(clause), "{run:?}");
    }
}

#[test]
fn functions_of_the_harness_must_not_be_defined() {
    let cases = [
        ("void exit(int); void *malloc(unsigned long n) { exit(1); }", "malloc"),
        ("static char pool[16]; void *malloc(unsigned long n) { return pool; }", "malloc"),
        ("int __VERIFIER_nondet_int(void) { return 4; }", "__VERIFIER_nondet_int"),
        ("void __VERIFIER_assume(int c) { }", "__VERIFIER_assume"),
    ];
    for (definition, name) in cases {
        let program = format!(
            "{definition}\nvoid reach_error(void);\nvoid f(char *p, int n) {{ if (n == 5) reach_error(); }}\n"
        );
        let (folder, _) = folder(&program);
        for command in ["verify", "harness"] {
            let run = hornwork(folder.path(), &format!("{command} --function f program.c"));
            assert_eq!(run.code, Some(2), "{definition}: {run:?}");
            assert!(run.err.contains(&format!("the program defines `{name}`")), "{definition}: {run:?}");
        }
        // Without parameters there is no harness.
        let program = program.replace("char *p, int n", "void").replace("n == 5", "1");
        std::fs::write(folder.path().join("program.c"), program).expect("a temporary file can be written");
        let run = hornwork(folder.path(), "verify --function f program.c");
        assert_eq!(run.last_line(), "FALSE(unreach-call)", "{definition}: {run:?}");
    }
}

#[test]
fn choices_need_a_function() {
    let (folder, _) = folder("int main(void) { return 0; }\n");
    for options in ["--nonnull", "--pointer-depth 1", "--argument p=null"] {
        let run = hornwork(folder.path(), &format!("verify {options} program.c"));
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains("need --function"), "{run:?}");
    }
    let run = hornwork(folder.path(), "harness program.c");
    assert!(run.code == Some(2) && run.err.contains("--function NAME"), "{run:?}");
}
