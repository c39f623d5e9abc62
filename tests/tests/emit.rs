//! Tests of `emit`: z3 accepts the emitted text, and its answer agrees with the expected verdict of
//! the case.
//!
//! Each case runs with a sample of the settings, selected by a hash of the name of the case and the
//! setting. `HORNWORK_TRIALS=all` runs all settings.

use hornwork_tests::sample::{Extent, least};
use hornwork_tests::{Case, Run, cases, run, z3};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

fn emit(case: &Case, options: &[&str]) -> Run {
    let kept: Vec<&String> = {
        // The bound in the options of a case applies to `verify`; `emit` uses a different one.
        let mut kept = Vec::new();
        let mut options = case.options.iter();
        while let Some(option) = options.next() {
            if option == "--unwind" {
                options.next();
            } else {
                kept.push(option);
            }
        }
        kept
    };
    run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .arg("emit")
            .args(kept)
            .args(options)
            .arg(&case.path)
            .args(&case.with),
        LIMIT,
    )
}

/// Returns the first line of the output of z3 for `text`. Fails if the output contains an error.
fn ask_z3(text: &str, name: &str, seconds: u32) -> String {
    ask_z3_with(&[], text, name, seconds)
}

fn ask_z3_with(options: &[&str], text: &str, name: &str, seconds: u32) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("emitted.smt2");
    std::fs::write(&path, text).expect("a temporary file can be written");
    let answer = run(Command::new(z3()).arg(format!("-T:{seconds}")).args(options).arg(&path), LIMIT);
    assert!(!answer.out.contains("error"), "{name}: {}\n{}", answer.out, &text[..text.len().min(3000)]);
    answer.out.lines().next().unwrap_or_default().to_string()
}

/// Selects `count` of the settings for a case. `name` returns the name of a setting.
fn sampled<T: Copy>(case: &Case, choices: &[T], count: usize, name: impl Fn(T) -> String) -> Vec<T> {
    let count = if Extent::of_environment() == Extent::All { choices.len() } else { count };
    least(choices.to_vec(), count, |&choice| format!("{}::{}", case.name, name(choice)))
}

fn is_refusal(run: &Run) -> bool {
    // If the format cannot express the program, `emit` reports the reason and writes nothing.
    run.code == Some(20) && run.out.is_empty() && !run.err.is_empty() && !run.err.contains("panicked")
}

#[test]
fn the_unrolling_is_satisfiable_exactly_for_false_cases() {
    let mut asked = 0;
    for case in cases().iter().filter(|case| case.verdict != "UNKNOWN") {
        for encoding in sampled(case, &["QF_ABVFP", "QF_UFLIRA", "QF_AUFLIRA"], 1, str::to_owned) {
            if !case.allows(encoding) {
                continue;
            }
            let emitted = emit(case, &["--to", "smt2", "--unwind", "17", "--encoding", encoding]);
            if is_refusal(&emitted) {
                continue;
            }
            assert_eq!(emitted.code, Some(0), "{}: {}", case.name, emitted.err);
            let answer = ask_z3(&emitted.out, &format!("{} {encoding}", case.name), 5);
            let expected = if case.verdict == "TRUE" { "unsat" } else { "sat" };
            assert!(
                answer == expected || answer == "timeout",
                "{} {encoding}: {answer}, not {expected}",
                case.name
            );
            asked += 1;
        }
    }
    assert!(asked > 100, "only {asked} scripts were written");
}

/// The solver may answer `unknown` because of quantifiers, or time out, but must not contradict the
/// expected verdict.
#[test]
fn the_new_unrollings_do_not_contradict_the_cases() {
    let mut answered = 0;
    let cases = cases();
    let with_memory =
        cases.iter().filter(|case| case.name.starts_with("memory/") && case.verdict != "UNKNOWN");
    for case in with_memory {
        // Many of these encodings are slow.
        let mut encodings = vec![("QF_UFBVFP", "QF_UFBV")];
        let quantified = sampled(case, &["ABVFP", "UFBVFP", "AUFLIRA", "UFLIRA"], 1, str::to_owned);
        encodings.extend(quantified.into_iter().map(|encoding| (encoding, encoding)));
        for (encoding, logic) in encodings {
            if !case.only.is_empty() && encoding.ends_with("LIRA") {
                continue;
            }
            let emitted = emit(case, &["--to", "smt2", "--unwind", "9", "--encoding", encoding]);
            if is_refusal(&emitted) {
                continue;
            }
            assert_eq!(emitted.code, Some(0), "{}: {}", case.name, emitted.err);
            let logic = logic.replace("FP", "").replace("LIRA", "LIA");
            assert!(emitted.out.contains(&format!("(set-logic {logic})")), "{}", case.name);
            let answer = ask_z3(&emitted.out, &format!("{} {encoding}", case.name), 2);
            let wrong = if case.verdict == "TRUE" { "sat" } else { "unsat" };
            assert_ne!(answer, wrong, "{} {encoding}", case.name);
            answered += usize::from(matches!(answer.as_str(), "sat" | "unsat"));
        }
    }
    assert!(answered > 10, "only {answered} scripts were decided");
}

#[test]
fn encodings_that_do_not_fit_a_form_are_refused_with_the_reason() {
    let cases = cases();
    let name = "memory/array_write_does_not_disturb_others";
    let case = cases.iter().find(|case| case.name == name).expect("a case with an array and a loop");
    for (form, encoding) in [
        (&["--to", "chc"][..], "QF_UFLIRA"),
        (&["--to", "chc"], "UFLIRA"),
        (&["--to", "chc"], "UFBVFP"),
        (&["--to", "smt2", "--blk", "l"], "QF_UFBVFP"),
        (&["--to", "smt2", "--blk", "l"], "UFLIRA"),
    ] {
        let emitted = emit(case, &[form, &["--encoding", encoding]].concat());
        assert!(is_refusal(&emitted), "{form:?} {encoding}: {emitted:?}");
        let reason = "choose an encoding with arrays";
        assert!(emitted.err.contains(reason), "{form:?} {encoding}: {}", emitted.err);
    }
    let emitted = emit(case, &["--to", "chc", "--encoding", "ABVFP"]);
    assert_eq!(emitted.code, Some(0), "{}", emitted.err);
}

#[test]
fn block_formulas_are_accepted() {
    let mut asked = 0;
    for case in cases() {
        let choices = [("l", "QF_ABVFP"), ("l", "QF_AUFLIRA"), ("sbe", "QF_ABVFP")];
        for (blk, encoding) in sampled(&case, &choices, 2, |(blk, encoding)| format!("{blk}::{encoding}")) {
            let emitted = emit(&case, &["--to", "smt2", "--blk", blk, "--encoding", encoding]);
            if is_refusal(&emitted) {
                continue;
            }
            assert_eq!(emitted.code, Some(0), "{}: {}", case.name, emitted.err);
            // Only errors that z3 reports while it reads the script are relevant, not its answer.
            ask_z3(&emitted.out, &case.name, 2);
            asked += 1;
        }
    }
    assert!(asked > 100, "only {asked} scripts were written");
}

/// A program with conflicting names: shadowed variables, names that SMT-LIB reserves or its
/// theories define, names of relations and of next-state variables, and identifiers that need
/// quoting.
const ODD_NAMES: &str = r#"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int push[4];
struct pair { int next; } x;
int error(int let) {
    int main_loop_20 = let, ärger = 0;
    while (__VERIFIER_nondet_bool()) main_loop_20++, ärger++;
    return main_loop_20 - let - ärger;
}
int main(void) {
    int and = 0, select = 1, assert = 2, $dollar = 3, x_next = 4, exit = 5;
    for (int i = 0; i < 3; i++) {
        int and = i, store = select;
        for (int i = 0; i < and; i++) { int and = __VERIFIER_nondet_int(); push[i] = and; store += and & 1; }
        exit += store;
    }
    x.next = and;
    while (__VERIFIER_nondet_bool() && __VERIFIER_nondet_bool()) { and++; select++; assert++; $dollar++; x_next++; x.next++; }
    while (__VERIFIER_nondet_bool()) { and++; exit++; }
    if (error(exit) != 0 || select - assert != -1 || $dollar - x_next != -1 || x.next > and) reach_error();
    return push[0];
}
"#;

/// Returns the names that a script declares, defines or assigns to assertions, and for each command
/// the names of its local variables.
fn names(script: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let (mut global, mut local) = (Vec::new(), Vec::new());
    let word = |text: &str| match text.strip_prefix('|') {
        Some(quoted) => format!("|{}|", quoted.split('|').next().unwrap_or_default()),
        None => text.split([' ', ')']).next().unwrap_or_default().to_owned(),
    };
    for command in lists(script) {
        let variables =
            |list: &str| lists(&list[1..list.len() - 1]).iter().map(|item| word(&item[1..])).collect();
        for kind in ["(declare-fun ", "(define-fun "] {
            if let Some(rest) = command.strip_prefix(kind) {
                let name = word(rest);
                local.push(if kind == "(define-fun " {
                    variables(lists(&rest[name.len()..])[0])
                } else {
                    vec![]
                });
                global.push(name);
            }
        }
        global.extend(command.split(" :named ").skip(1).map(word));
        if let Some(clause) = command.split_once("(forall ") {
            local.push(variables(lists(clause.1)[0]));
        }
    }
    (global, local)
}

fn assert_distinct(names: &[String], what: &str) {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len(), "{what}: {names:?}");
}

#[test]
fn names_are_unique_and_legal() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("names.c");
    std::fs::write(&path, ODD_NAMES).expect("a temporary file can be written");
    let hornwork = || Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    for options in [
        &["--to", "chc"][..],
        &["--to", "chc", "--encoding", "QF_AUFLIRA"],
        &["--to", "chc", "--blk", "sbe"],
        &["--to", "chc", "--blk", "lf"],
        &["--to", "smt2", "--unwind", "4"],
        &["--to", "smt2", "--unwind", "4", "--encoding", "QF_UFLIRA"],
        &["--to", "smt2", "--blk", "l"],
        &["--to", "smt2", "--blk", "sbe", "--encoding", "QF_AUFLIRA"],
    ] {
        let emitted = run(hornwork().arg("emit").args(options).arg(&path), LIMIT);
        assert_eq!(emitted.code, Some(0), "{options:?}: {}", emitted.err);
        let script = &emitted.out;
        assert!(
            !script.contains(&*folder.path().to_string_lossy()),
            "{options:?}: an absolute path\n{script}"
        );
        let (global, local) = names(script);
        assert_distinct(&global, "names in the script");
        for names in &local {
            assert_distinct(names, "variable names in a clause");
            let hidden = names.iter().find(|name| global.contains(name));
            assert_eq!(hidden, None, "{options:?}: a variable shadows a relation or function");
        }
        for name in global.iter().chain(local.iter().flatten()) {
            assert!(
                !["let", "and", "select", "store", "assert", "push", "exit"].contains(&name.as_str()),
                "{name}"
            );
        }
        let other = ask_z3(script, &format!("{options:?}"), 5);
        assert!(!other.contains("unsupported"), "{options:?}: {other}");
        if options[1] == "smt2" {
            let emitted = folder.path().join("emitted.smt2");
            std::fs::write(&emitted, script).expect("a temporary file can be written");
            let again = run(hornwork().args(["smt", "--timelimit", "20"]).arg(&emitted), LIMIT);
            assert!(matches!(again.code, Some(0 | 20)), "{options:?}: {}{}", again.out, again.err);
        }
    }
    let chc = run(hornwork().args(["emit", "--to", "chc"]).arg(&path), LIMIT).out;
    for expected in ["(declare-fun main_loop_20 ", "(declare-fun error_loop_9 ", "|ärger.next|", "i@16"] {
        assert!(chc.contains(expected), "{expected} is missing\n{chc}");
    }
}

#[test]
fn an_unrolling_without_a_reachable_check_says_so() {
    let clamp = hornwork_tests::package().join("../examples/clamp.c");
    let emit = |unwind: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
        run(command.args(["emit", "--to", "smt2", "--unwind", unwind]).arg(&clamp), LIMIT)
    };
    let few = emit("3");
    for text in [&few.out, &few.err] {
        assert!(text.contains("no execution reaches an error check within --unwind 3"), "{text}");
        assert!(text.contains("raise --unwind to 5 or more"), "{text}");
    }
    assert!(few.out.contains("(set-info :status unsat)"), "{}", few.out);
    let enough = emit("5");
    assert!(enough.err.is_empty(), "{}", enough.err);
    assert!(enough.out.contains("(set-info :status unknown)"), "{}", enough.out);
}

/// Returns the top-level S-expressions of a script, without comments.
fn lists(script: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    let mut characters = script.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ';' => _ = characters.by_ref().find(|&(_, character)| character == '\n'),
            '|' => _ = characters.by_ref().find(|&(_, character)| character == '|'),
            '(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    found.push(&script[start..=at]);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether z3 answers `sat` with a model in which, according to z3, a clause of the system is
/// false.
fn model_is_refuted(system: &str, options: &[&str], name: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("system.smt2");
    std::fs::write(&path, format!("{system}\n(get-model)\n")).expect("a temporary file can be written");
    let answer = run(Command::new(z3()).arg("-T:20").args(options).arg(&path), LIMIT);
    let Some(model) = answer.out.strip_prefix("sat").map(str::trim) else { return false };
    let definitions = lists(&model[1..model.len() - 1]);
    let commands = lists(system);
    let clauses = commands.iter().filter_map(|command| command.strip_prefix("(assert"));
    clauses.into_iter().any(|clause| {
        let clause = &clause[..clause.len() - 1];
        let script = format!("{}\n(assert (not {clause}))\n(check-sat)\n", definitions.join("\n"));
        ask_z3(&script, name, 20) == "sat"
    })
}

#[test]
fn horn_clauses_are_accepted_and_agree() {
    let (written, solved) = horn_clauses_agree(&cases(), &[]);
    assert!(written > 80, "only {written} systems were written");
    assert!(solved > 50, "only {solved} systems were decided");
}

/// All functions have summaries, whether they are recursive or not.
#[test]
fn horn_clauses_with_summaries_agree() {
    let has_calls = |case: &Case| {
        ["calls/", "memory/", "linking/", "order/"].iter().any(|folder| case.name.starts_with(folder))
    };
    let cases: Vec<Case> = cases().into_iter().filter(has_calls).collect();
    let (written, solved) = horn_clauses_agree(&cases, &["--procedures", "all"]);
    assert!(written > 40, "only {written} systems were written");
    assert!(solved > 25, "only {solved} systems were decided");
}

/// Emits Horn clauses of `cases` with these options and compares the answers of z3 with the
/// verdicts. Returns the numbers of systems that were written and that z3 decided.
fn horn_clauses_agree(cases: &[Case], options: &[&str]) -> (usize, usize) {
    let (mut written, mut asked, mut solved, mut refuted) = (0, 0, 0, 0);
    let encodings = ["QF_ABVFP", "QF_AUFLIRA", "QF_UFLIRA"];
    for case in cases {
        // Two encodings are emitted but only one is solved, because many systems are slow.
        let solvable = sampled(case, &encodings, 1, str::to_owned);
        for encoding in sampled(case, &encodings, 2, str::to_owned) {
            let emitted = emit(case, &[&["--to", "chc", "--encoding", encoding], options].concat());
            if is_refusal(&emitted) {
                continue;
            }
            assert_eq!(emitted.code, Some(0), "{}: {}", case.name, emitted.err);
            assert!(emitted.out.contains("(set-logic HORN)"), "{}", case.name);
            assert_eq!(
                emitted.out.matches("false)))").count().max(emitted.out.matches("=> ").count().min(1)),
                1,
                "{}",
                case.name
            );
            written += 1;
            if !solvable.contains(&encoding) {
                continue;
            }
            asked += 1;
            // The native model-based projection of Spacer is unsound for some systems over arrays
            // of bit vectors: it answers `sat` for the unsatisfiable system of
            // `memory-safety/realloc_to_fewer_bytes`. It is therefore disabled.
            let options = ["fp.spacer.native_mbp=false"];
            let answer = ask_z3_with(&options, &emitted.out, &format!("{} {encoding}", case.name), 1);
            let decides = case.allows(encoding);
            let expected = match case.verdict.as_str() {
                "TRUE" => "sat",
                "UNKNOWN" => continue,
                _ => "unsat",
            };
            // A warning says so.
            let may_be_spurious = answer == "unsat" && emitted.err.contains("unsat may be spurious");
            if decides && !may_be_spurious && matches!(answer.as_str(), "sat" | "unsat") {
                // Without it, Spacer still answers `sat` for other unsatisfiable systems, such as
                // that of `memory-safety/alloca_dies_with_the_function`. An answer is ignored if z3
                // refutes a clause in its own model.
                if (answer.as_str(), expected) == ("sat", "unsat")
                    && model_is_refuted(&emitted.out, &options, &case.name)
                {
                    refuted += 1;
                    continue;
                }
                assert_eq!(answer, expected, "{} {encoding}", case.name);
                solved += 1;
            }
        }
    }
    let is_rare = refuted * 50 < asked;
    assert!(is_rare, "z3 refutes its own model for {refuted} of {asked} systems");
    (written, solved)
}

/// Programs with calls: a name, the text, and the condition of the error, in a safe and in an
/// unsafe version.
const SUMMARIZED: &[(&str, &str, &str, &str)] = &[
    (
        "fibonacci",
        "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
         int main(void) { int n = nondet(); if (n < 0 || n > 4) return 0; int r = f(n); if (ERROR) reach_error(); }",
        "r > 3",
        "r > 2",
    ),
    (
        "ackermann",
        "int a(int m, int n) { return m == 0 ? n + 1 : n == 0 ? a(m - 1, 1) : a(m - 1, a(m, n - 1)); }
         int main(void) { int r = a(1, 0); if (ERROR) reach_error(); }",
        "r != 2",
        "r == 2",
    ),
    (
        "mutual recursion",
        "int odd(int n);
         int even(int n) { return n == 0 ? 1 : odd(n - 1); }
         int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int main(void) { int n = nondet(); if (n < 0 || n > 3) return 0; int r = even(n); if (ERROR) reach_error(); }",
        "n % 2 == 0 && !r",
        "n == 2 && r",
    ),
    (
        "globals written by callees",
        "int g, h;
         void add(int n) { g += n; }
         void twice(int n) { add(n); add(n); h = 1; }
         int main(void) { int n = nondet(); twice(n); if (ERROR) reach_error(); }",
        "g != 2 * n || h != 1",
        "g == 6",
    ),
    (
        "a recursion counts in a global",
        "int g;
         void down(int n) { g++; if (n > 0) down(n - 1); }
         int main(void) { int n = nondet(); if (n < 0 || n > 3) return 0; down(n); if (ERROR) reach_error(); }",
        "g != n + 1",
        "g == 4",
    ),
    (
        "pointers to globals",
        "int x, y;
         void set(int *p, int v) { *p = v; }
         int main(void) { int n = nondet(); set(&x, 1); set(n ? &x : &y, 2); if (ERROR) reach_error(); }",
        "n && x != 2 || !n && (x != 1 || y != 2)",
        "x == 2 && y == 0",
    ),
    (
        "pointers to objects of activations",
        "void add(int *p) { *p += 1; }
         int depth(int n) { int mine = n; if (n > 0) { int below = depth(n - 1); add(&mine); return mine + below; } return mine; }
         int main(void) { int r = depth(2); if (ERROR) reach_error(); }",
        "r != 5",
        "r == 5",
    ),
    (
        "an error in the callee",
        "int check(int n) { if (ERROR) reach_error(); return n - 1; }
         int main(void) { int n = nondet(); if (n < 0 || n > 2) return 0; while (n > 0) n = check(n); }",
        "n <= 0 || n > 2",
        "n == 1",
    ),
    (
        "an error below a recursion",
        "void down(int n) { if (ERROR) reach_error(); if (n > 0) down(n - 1); }
         int main(void) { int n = nondet(); if (n >= 0 && n < 4) down(n); }",
        "n < 0",
        "n == 0",
    ),
    (
        "a call in a loop",
        "int next(int i) { return i + 1; }
         int main(void) { int i = 0, n = nondet(); while (i < 4) i = next(i); if (ERROR) reach_error(); }",
        "i != 4",
        "i == 4 && n == 7",
    ),
    (
        "functions that do not return",
        "void stop(void) { assume(0); }
         void spin(void) { while (1); }
         void deeper(int n) { deeper(n + 1); }
         int main(void) { int n = nondet(); if (n == 0) stop(); if (n == 1) spin(); if (n == 2) deeper(0); if (ERROR) reach_error(); }",
        "n >= 0 && n <= 2",
        "n == 3",
    ),
    (
        "assumptions in callees",
        "int positive(void) { int n = nondet(); assume(n > 0 && n < 9); return n; }
         int main(void) { int r = positive() + positive(); if (ERROR) reach_error(); }",
        "r < 2 || r > 16",
        "r == 16",
    ),
    (
        "structures as results",
        "struct pair { int first, second; };
         struct pair swap(struct pair p) { struct pair q = { p.second, p.first }; return q; }
         struct pair count(int n) { struct pair p = { 0, n }; if (n > 0) { p = count(n - 1); p.first++; } return p; }
         int main(void) { int n = nondet(); struct pair p = { n, 1 }; p = swap(p); struct pair c = count(2); if (ERROR) reach_error(); }",
        "p.first != 1 || p.second != n || c.first != 2 || c.second != 0",
        "p.second == 5 && c.first == 2",
    ),
    (
        "arguments and results that are not used",
        "int g;
         int id(int n, int unused, char *text) { g = n; return n; }
         int main(void) { int n = nondet(); id(n, n + 1, \"text\"); if (ERROR) reach_error(); }",
        "g != n",
        "g == 3",
    ),
    (
        "function pointers",
        "int inc(int n) { return n + 1; }
         int twice(int n) { return 2 * n; }
         int apply(int (*f)(int), int n) { return n > 2 ? f(n) : apply(f, n + 1); }
         int main(void) { int n = nondet(); int r = apply(n ? inc : twice, 1); if (ERROR) reach_error(); }",
        "n && r != 4 || !n && r != 6",
        "r == 6",
    ),
];

const SUMMARIZED_START: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
#define nondet __VERIFIER_nondet_int
#define assume __VERIFIER_assume
";

/// No answer is wrong, and each question has an answer in some encoding: wrapping integers are hard
/// for one, arrays for the other.
#[test]
fn summaries_decide_programs_with_calls() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    for (name, text, safe, bad) in SUMMARIZED {
        for (condition, expected) in [(safe, "sat"), (bad, "unsat")] {
            let text = format!("{SUMMARIZED_START}{}", text.replace("ERROR", condition));
            std::fs::write(&path, text).expect("a temporary file can be written");
            for procedures in [&["--procedures", "recursive"], &["--procedures", "all"]] {
                let mut answers = Vec::new();
                for encoding in ["QF_AUFLIRA", "QF_ABVFP"] {
                    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
                    let options =
                        [&["emit", "--to", "chc", "--encoding", encoding], &procedures[..]].concat();
                    let emitted = run(command.args(options).arg(&path), LIMIT);
                    let name = format!("{name}, {condition}, {procedures:?}, {encoding}");
                    assert_eq!(emitted.code, Some(0), "{name}: {}", emitted.err);
                    let answer = ask_z3_with(&["fp.spacer.native_mbp=false"], &emitted.out, &name, 60);
                    assert!(answer == expected || answer == "timeout", "{name}: {answer}");
                    let is_decided = answer == expected;
                    answers.push(answer);
                    if is_decided && Extent::of_environment() != Extent::All {
                        break;
                    }
                }
                assert!(answers.iter().any(|answer| answer == expected), "{name}, {condition}: {answers:?}");
            }
        }
    }
}

#[test]
fn recursion_is_refused_if_all_calls_are_inlined() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    let (_, text, condition, _) = SUMMARIZED[0];
    let text = format!("{SUMMARIZED_START}{}", text.replace("ERROR", condition));
    std::fs::write(&path, text).expect("a temporary file can be written");
    let emit = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
        run(command.args(["emit", "--to"]).args(options).arg(&path), LIMIT)
    };
    let inlined = emit(&["chc", "--procedures", "inline"]);
    assert!(is_refusal(&inlined) && inlined.err.contains("recursion: f calls f"), "{inlined:?}");
    let unrolled = emit(&["smt2", "--procedures", "all"]);
    assert_eq!(unrolled.code, Some(2), "{unrolled:?}");
    assert!(unrolled.err.contains("--procedures has no effect with --to smt2"), "{}", unrolled.err);
}

#[test]
fn ir_and_dot_are_written_for_every_case() {
    for case in cases() {
        let text = emit(&case, &["--to", "ir"]);
        assert_eq!(text.code, Some(0), "{}: {}", case.name, text.err);
        let dot = emit(&case, &["--to", "dot"]);
        assert_eq!(dot.code, Some(0), "{}: {}", case.name, dot.err);
        assert!(dot.out.starts_with("digraph"), "{}", case.name);
    }
}
