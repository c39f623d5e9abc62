//! `hornwork infer`: the printed invariants hold, and the output forms.

use hornwork_tests::{Case, Run, cases, run, sample};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const TOOL: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

fn tool(arguments: &[&str], file: &Path) -> Run {
    run(Command::new(TOOL).args(arguments).arg(file), Duration::from_secs(120))
}

fn on(program: &str, arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("a temporary file can be written");
    tool(arguments, &file)
}

fn inferred(program: &str, options: &[&str]) -> Value {
    let run = on(program, &[&["infer", "--json"], options].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    serde_json::from_str(&run.out).expect("the output is JSON")
}

/// The shown facts of the loop at a line, in all copies of it.
fn shown(result: &Value, line: u64) -> Vec<String> {
    let loops = result["loops"].as_array().expect("a list").iter();
    let facts = loops.filter(|data| data["line"] == line).flat_map(|data| data["facts"].as_array().unwrap());
    facts.filter(|fact| fact["shown"] == true).map(|fact| fact["formula"].as_str().unwrap().into()).collect()
}

/// Inserts calls of `violated` at the loop heads of `source`, where the shown facts do not hold.
/// Returns `None` if there are no facts, or if a loop is not written in the expected way.
fn instrumented(source: &str, result: &Value) -> Option<String> {
    if source.lines().any(|line| line.trim_start().starts_with('#')) {
        return None;
    }
    let mut starts = vec![0];
    starts.extend(source.match_indices('\n').map(|(at, _)| at + 1));
    // The facts of each loop that hold in all copies of it.
    let mut facts: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for data in result["loops"].as_array()?.iter().filter(|data| data["kind"] == "statement") {
        let (Some(line), Some(column)) = (data["line"].as_u64(), data["column"].as_u64()) else { continue };
        let own = data["facts"].as_array()?.iter().filter(|fact| fact["shown"] == true);
        let own: Vec<&str> = own.filter_map(|fact| fact["formula"].as_str()).collect();
        let place = starts[line as usize - 1] + column as usize - 1;
        facts.entry(place).and_modify(|known| known.retain(|fact| own.contains(fact))).or_insert(own);
    }
    facts.retain(|_, facts| !facts.is_empty());
    if facts.is_empty() {
        return None;
    }
    let mut text = source.to_owned();
    for (place, facts) in facts.into_iter().rev() {
        let checks: Vec<String> = facts.iter().map(|fact| format!("(({fact}) || (violated(), 0))")).collect();
        let checks = checks.join(" & ");
        let rest = &text[place..];
        let (at, inserted) = if rest.starts_with("while") {
            (place + rest.find('(')? + 1, format!("{checks}, "))
        } else if rest.starts_with("for") {
            // No initializer of the cases contains a semicolon.
            let condition = place + rest.find(';')? + 1;
            let is_empty = text[condition..].trim_start().starts_with(';');
            (condition, if is_empty { format!("{checks}, 1") } else { format!("{checks}, ") })
        } else if rest["do".len()..].trim_start().starts_with('{') {
            (place + rest.find('{')? + 1, format!("{checks};"))
        } else {
            return None;
        };
        text.insert_str(at, &inserted);
    }
    Some(format!("extern void violated(void); {text}"))
}

/// Checks the invariants of a case in C.
fn check(case: &Case) -> Option<String> {
    let source = std::fs::read_to_string(&case.path).expect("a case is readable");
    let run = tool(&["infer", "--json", "--quiet", "--timelimit", "20"], &case.path);
    // 20: unsupported constructs.
    assert!(matches!(run.code, Some(0 | 20)), "{}: {run:?}", case.name);
    let result: Value = serde_json::from_str(&run.out).expect("the output is JSON");
    let text = instrumented(&source, &result)?;
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (file, property) = (folder.path().join("program.c"), folder.path().join("violated.prp"));
    std::fs::write(&file, &text).expect("a temporary file can be written");
    let specification = "CHECK( init(main()), LTL(G ! call(violated())) )\n";
    std::fs::write(&property, specification).expect("a temporary file can be written");
    let property = property.to_string_lossy();
    let run = tool(&["verify", "--quiet", "--timelimit", "20", "--property", &property], &file);
    assert!(!run.last_line().starts_with("FALSE"), "{}: {run:?}\n{text}", case.name);
    Some(run.last_line().to_owned())
}

#[test]
fn the_printed_invariants_of_the_cases_hold() {
    let mut all: Vec<Case> = cases();
    all.retain(|case| case.options.is_empty() && case.with.is_empty() && case.only.is_empty());
    let is_loop = |case: &Case| case.name.starts_with("loops/");
    let chosen = all.iter().filter(|case| is_loop(case) || sample::is_one_in(3, &case.name));
    let verdicts: Vec<(String, String)> =
        chosen.filter_map(|case| Some((case.name.clone(), check(case)?))).collect();
    let proved = verdicts.iter().filter(|(_, verdict)| verdict == "TRUE").count();
    assert!(verdicts.len() >= 10, "{verdicts:?}");
    // An invariant about integers may be hard to prove again.
    assert!(proved * 10 >= verdicts.len() * 9, "{verdicts:?}");
}

const COUNTER: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 0;
    while (x < 1000 && __VERIFIER_nondet_int()) {
        x += 1;
        y += 2;
    }
    return y;
}
";

#[test]
fn invariants_need_no_property() {
    let run = on(COUNTER, &["infer"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].ends_with("program.c:4 in main"), "{run:?}");
    assert!(lines.contains(&"    y == 2 * x") && run.last_line().starts_with("Validated by "), "{run:?}");
}

#[test]
fn all_encodings_and_solvers_give_invariants() {
    for options in [
        &["--encoding", "QF_AUFLIRA"][..],
        &["--encoding", "QF_ABVFP", "--solver", "craig"],
        &["--solver", "z3", "--isolation", "none"],
    ] {
        let facts = shown(&inferred(COUNTER, options), 4);
        assert!(facts.iter().any(|fact| fact.starts_with("y == ")), "{options:?}: {facts:?}");
    }
}

#[test]
fn a_name_denotes_the_value_of_its_variable_at_the_loop() {
    // `m` keeps the old value of `n`: no fact about it may be printed as one about `n`.
    let program = "extern int __VERIFIER_nondet_int(void); extern void use(int);
        int n;
        int main(void) {
            int a = __VERIFIER_nondet_int();
            if (a < 5 || a > 8) return 0;
            int b = a; a = __VERIFIER_nondet_int();
            n = b; int m = n; n = __VERIFIER_nondet_int();
            int i = 0;
            while (i < b) { use(a + n); i++; { int i = 100; while (i < 103) i++; use(i); } use(m); }
            return a;
        }";
    let result = inferred(program, &["--quiet"]);
    for fact in shown(&result, 9) {
        let mut words = fact.split(|c: char| !c.is_alphanumeric());
        assert!(!words.any(|word| matches!(word, "a" | "n")), "{fact}");
    }
    let facts = shown(&result, 9);
    assert!(facts.iter().any(|fact| fact == "b < 9" || fact == "5 <= b"), "{facts:?}");
    assert!(facts.iter().any(|fact| fact == "i < 104" || fact == "i <= 103"), "{facts:?}");
}

#[test]
fn a_function_with_two_calls_has_two_lists() {
    let program = "static int f(int n) {
            int i = 0;
            while (i < n) i++;
            return i;
        }
        int main(void) { return f(3) + f(7); }";
    let run = on(program, &["infer"]);
    assert!(run.out.contains("in f, copy 1 of 2") && run.out.contains("in f, copy 2 of 2"), "{run:?}");
    // The annotation has the facts of both.
    let run = on(program, &["infer", "--acsl"]);
    assert!(run.out.contains("loop invariant 0 <= i;") && !run.out.contains("i < 4"), "{run:?}");
}

#[test]
fn annotations_reduce_sums_and_stand_before_the_loops() {
    let run = on(COUNTER, &["infer", "--acsl"]);
    assert!(run.out.contains("    /*@ loop invariant y == (int) (2 * x);\n"), "{run:?}");
    let comments = |line: &&str| !line.contains("loop invariant");
    let kept: Vec<&str> = run.out.lines().filter(comments).collect();
    assert_eq!(kept.join("\n") + "\n", COUNTER);
}

#[test]
fn the_certificate_is_a_script_that_only_has_refutable_queries() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("proof.smt2");
    let run = on(COUNTER, &["infer", "--certificate", &file.to_string_lossy()]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = tool(&["smt"], &file);
    assert!(!run.out.is_empty() && run.out.lines().all(|line| line == "unsat"), "{run:?}");
}

#[test]
fn unsupported_programs_are_diagnosed() {
    let asm = "int main(void) { int x = 0; while (x < 9) { x++; __asm__ volatile (\"nop\"); } }";
    let recursion = "int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(3); }";
    for (program, message) in
        [(asm, "inline assembly"), (recursion, ":1: cannot infer invariants: recursion: f calls f")]
    {
        let run = on(program, &["infer", "--procedures", "inline"]);
        assert_eq!((run.code, run.out.as_str()), (Some(20), ""), "{run:?}");
        assert!(run.err.contains(message), "{run:?}");
        let run = on(program, &["infer", "--json", "--procedures", "inline"]);
        let object: Value = serde_json::from_str(&run.out).expect("the output is JSON");
        assert_eq!(object["verdict"], "ERROR", "{run:?}");
    }
    for (options, message) in
        [(&["--acsl", "--json"][..], "cannot be used with"), (&["--encoding", "X"], "invalid value")]
    {
        let run = on(COUNTER, &[&["infer"], options].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(message), "{run:?}");
    }
}

/// Recursive functions, with `CHECK` where they return `r`.
const RECURSIVE: &str = "extern int __VERIFIER_nondet_int(void);
int calls;
int sum(int m, int n) {
    int before = calls, r = m;
    calls++;
    if (n > 0) r = sum(m + 2, n - 1);
    CHECK
    return r;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20) return 0;
    return sum(5, n) + calls;
}
";

/// The shown facts of the contract of `sum`: its precondition or its postcondition.
fn contract(result: &Value, part: &str) -> Vec<String> {
    let contracts = result["contracts"].as_array().expect("a list");
    let sum = contracts.iter().find(|contract| contract["function"] == "sum").expect("a contract of sum");
    let facts = sum[part].as_array().expect("a list").iter().filter(|fact| fact["shown"] == true);
    facts.map(|fact| fact["formula"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_recursive_function_has_a_contract() {
    let result = inferred(&RECURSIVE.replace("CHECK", ""), &[]);
    let (requires, ensures) = (contract(&result, "requires"), contract(&result, "ensures"));
    assert!(requires.iter().any(|fact| fact == "0 <= n"), "{requires:?}");
    for name in ["\\result", "\\old(calls)"] {
        assert!(ensures.iter().any(|fact| fact.contains(name)), "{ensures:?}");
    }
    assert_eq!(result["validation"]["result"], "validated");
}

#[test]
fn a_printed_postcondition_holds_at_each_return() {
    let ensures = contract(&inferred(&RECURSIVE.replace("CHECK", ""), &[]), "ensures");
    let facts: Vec<String> = ensures
        .iter()
        .map(|fact| fact.replace("\\result", "r").replace("\\old(calls)", "before"))
        .map(|fact| format!("if (!({fact})) reach_error();"))
        .collect();
    assert!(facts.len() >= 2, "{ensures:?}");
    let check = |text: &str| {
        let program = format!("extern void reach_error(void); {}", RECURSIVE.replace("CHECK", text));
        let options = ["verify", "--quiet", "--algorithm", "bmc", "--unwind", "8", "--timelimit", "60"];
        on(&program, &options).last_line().to_owned()
    };
    assert!(!check(&facts.join(" ")).starts_with("FALSE"), "{ensures:?}");
    // The check notices a fact that does not hold.
    assert!(check("if (r == 9) reach_error();").starts_with("FALSE"));
}

#[test]
fn the_choice_of_procedures_decides_which_functions_have_contracts() {
    let program = RECURSIVE.replace("CHECK", "");
    let run = on(&program, &["infer", "--procedures", "inline"]);
    assert_eq!(run.code, Some(20), "{run:?}");
    assert!(run.err.contains("recursion: sum calls sum"), "{run:?}");
    let twice = "extern int __VERIFIER_nondet_int(void);
int sum(int n) { return n + n; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    return n < 0 || n > 9 ? 0 : sum(n) + sum(n + 1);
}
";
    assert_eq!(inferred(twice, &[])["contracts"], Value::Array(Vec::new()));
    let ensures = contract(&inferred(twice, &["--procedures", "all"]), "ensures");
    assert!(ensures.iter().any(|fact| fact.contains("\\result ==")), "{ensures:?}");
}

#[test]
fn contracts_are_acsl_before_the_definition() {
    let run = on(&RECURSIVE.replace("CHECK", ""), &["infer", "--acsl"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let at = run.out.find("/*@ requires ").expect("a contract");
    let definition = run.out.find("int sum(").expect("the function");
    assert!(at < definition && run.out[at..definition].contains("ensures "), "{}", run.out);
}

const FUNCTIONS: &str = "\
extern void reach_error(void);
int between(int n, int i) {
    if (i < 0 || i >= n) reach_error();
    return i;
}
int upwards(int n, int start) {
    int k = start;
    while (k < n) k++;
    if (k != n) reach_error();
    return k;
}
int middle(int low, int high) { return (low + high) / 2; }
int quotient(int a, int b) { return a / b; }
unsigned average(unsigned *v, unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) s += v[i];
    return s / n;
}
void fill(char *to, int n) {
    for (int i = 0; i < n; i++) to[i] = 1;
}
unsigned long length(const char *s) {
    unsigned long n = 0;
    while (s[n]) n++;
    return n;
}
int total(int n, int m) {
    int s = m;
    for (int k = 0; k < n; k++) s = s * 31 + m;
    if (s == 100) reach_error();
    return s;
}
void nothing(void) { reach_error(); }
int right(int a) { return a / 2; }
int count(int a, int b) {
    if (a == 0) { if (b == 0) reach_error(); return b; }
    return count(a - 1, b);
}
int down(int n) {
    if (n <= 0) return 0;
    if (n > 100) reach_error();
    return down(n - 1);
}
void touch(int *a, int n) {
    a[0];
    for (int i = 1; i < n; i++) a[i];
}
";

/// The conditions that `--precondition` prints, which are proved.
fn required(function: &str, options: &[&str]) -> Vec<String> {
    let options = [&["--precondition", "--function", function], options].concat();
    let result = inferred(FUNCTIONS, &options);
    assert_eq!((&result["sufficient"], &result["open"]), (&true.into(), &serde_json::json!([])), "{result}");
    assert_eq!(result["validation"]["result"], "validated", "{result}");
    let requires = result["requires"].as_array().expect("a list").iter();
    requires.map(|condition| condition.as_str().expect("a text").to_owned()).collect()
}

#[test]
fn preconditions_are_the_weakest_of_their_form() {
    let deref: &[&str] = &["--check", "deref,div-by-zero"];
    let overflow: &[&str] = &["--check", "overflow,div-by-zero"];
    let expected: &[(&str, &[&str], &[&str])] = &[
        ("between", &[], &["i < n", "0 <= i"]),
        ("upwards", &[], &["start <= n"]),
        (
            "middle",
            overflow,
            &["(long long) low + high >= -2147483648", "(long long) low + high <= 2147483647"],
        ),
        ("quotient", overflow, &["b != 0", "!(b == -1 && a == -2147483648)"]),
        ("average", deref, &["v != 0", "n <= v_count", "n != 0"]),
        ("fill", deref, &["n < 1 || to != 0", "n <= (signed) to_count"]),
        ("fill", &["--check", "deref", "--nonnull"], &["n <= (signed) to_count"]),
        ("right", overflow, &[]),
        ("count", &[], &["b != 0"]),
        ("down", &[], &["n < 101"]),
        ("touch", &["--check", "deref"], &["a != 0", "n <= (signed) a_count"]),
    ];
    for (function, options, conditions) in expected {
        assert_eq!(required(function, options), *conditions, "{function}");
    }
}

/// Each condition is needed: without it, a run violates a property.
#[test]
fn preconditions_restrict_the_harness() {
    let verify = |requires: &[&str]| -> String {
        let requires = requires.iter().flat_map(|&condition| ["--requires", condition]);
        let options = ["verify", "-q", "--function", "average", "--check", "deref,div-by-zero"];
        let options: Vec<&str> =
            options.into_iter().chain(["--algorithm", "k-induction"]).chain(requires).collect();
        on(FUNCTIONS, &options).last_line().to_owned()
    };
    assert_eq!(verify(&["n <= v_count", "n != 0"]), "FALSE(valid-deref)");
    assert_eq!(verify(&["v != 0", "n != 0"]), "FALSE(valid-deref)");
    assert_eq!(verify(&["v != 0", "n <= v_count"]), "FALSE(division-by-zero)");
}

#[test]
fn preconditions_that_are_not_found_are_said() {
    let run = on(FUNCTIONS, &["infer", "--precondition", "--function", "total", "--timelimit", "60"]);
    assert_eq!(run.code, Some(20), "{run:?}");
    let place = "program.c:30: call of reach_error";
    assert!(run.out.contains("No condition was found for ") && run.out.contains(place), "{run:?}");
    let length = ["infer", "--precondition", "--function", "length", "--check", "deref"];
    let run = on(FUNCTIONS, &length);
    let contradictory = "Not proved to be sufficient: no arguments satisfy all of these conditions";
    assert!(run.code == Some(20) && run.out.contains(contradictory), "{run:?}");
    let run = on(FUNCTIONS, &["infer", "--precondition", "--function", "middle"]);
    assert!(run.code == Some(0) && run.err.contains("there is nothing to check"), "{run:?}");
    assert!(run.out.contains("(nothing is required)"), "{run:?}");
    let texts = [
        (vec!["--function", "nothing"], "a function other than main that has parameters"),
        (vec![], "is not defined"),
    ];
    for (options, text) in texts {
        let run = on(FUNCTIONS, &[&["infer", "--precondition"], &options[..]].concat());
        assert!(run.code == Some(2) && run.err.contains(text), "{options:?}: {run:?}");
    }
    let wrong = ["verify", "--function", "between", "--requires", "i < m"];
    let run = on(FUNCTIONS, &wrong);
    assert!(run.code == Some(2) && run.err.contains("use of undeclared identifier `m`"), "{run:?}");
}
