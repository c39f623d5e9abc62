//! `hornwork smt`: the scripts of `smt/` on every solver, and the printed scripts on every solver
//! again.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_hornwork-under-test");
const SOLVERS: &[&str] = &["yices", "z3", "cvc5", "craig", "bitwuzla"];
/// The solvers of integers.
const WITH_INTEGERS: &[&str] = &["yices", "z3", "cvc5", "craig"];

fn scripts() -> Vec<PathBuf> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the folder of scripts is readable") {
            let path = entry.expect("the entries of the folder are readable").path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("smt"), &mut found);
    found.sort();
    assert!(found.len() > 50, "the folder contains the scripts");
    found
}

fn tool(arguments: &[&str]) -> Output {
    Command::new(TOOL).args(arguments).output().expect("the tool starts")
}

fn run(script: &Path, solver: &str) -> Output {
    tool(&["smt", "--query-timelimit", "20", "--solver", solver, script.to_str().expect("a plain path")])
}

/// The answers of checks.
fn answers(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).map(str::to_owned).collect()
}

/// Exit code 1 means that the status in the script was contradicted, 2 that the script has an
/// error, 20 that an answer is unknown.
fn agrees(output: &Output) -> bool {
    matches!(output.status.code(), Some(0 | 20))
}

fn check_solver(solver: &str) {
    let mut decided = 0;
    for script in scripts() {
        let output = run(&script, solver);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(agrees(&output), "{} with {solver}: {output:?}", script.display());
        let answers = answers(&output);
        if answers.iter().any(|answer| answer == "unknown") {
            assert!(complaint.contains("unknown: "), "{} with {solver}: no reason", script.display());
        } else {
            decided += 1;
        }
        let printed = tool(&["smt", "--print", script.to_str().expect("a plain path")]);
        assert_eq!(printed.status.code(), Some(0), "{}: {printed:?}", script.display());
        let again = tempfile::NamedTempFile::with_suffix(".smt2").expect("a temporary file");
        std::fs::write(again.path(), &printed.stdout).expect("a file is writable");
        let second = run(again.path(), solver);
        assert!(agrees(&second), "{} as printed with {solver}: {second:?}", script.display());
        assert_eq!(self::answers(&second), answers, "{} as printed with {solver}", script.display());
    }
    let least = match solver {
        // Neither floats nor quantifiers.
        "yices" => 30,
        // Neither these nor products of numbers.
        "craig" => 30,
        // No numbers, and no uninterpreted sorts.
        "bitwuzla" => 20,
        _ => 55,
    };
    assert!(decided >= least, "{solver} decides only {decided} scripts");
}

#[test]
fn yices_agrees_with_the_scripts() {
    check_solver("yices");
}

#[test]
fn z3_agrees_with_the_scripts() {
    check_solver("z3");
}

#[test]
fn cvc5_agrees_with_the_scripts() {
    check_solver("cvc5");
}

#[test]
fn craig_agrees_with_the_scripts() {
    check_solver("craig");
}

#[test]
fn bitwuzla_agrees_with_the_scripts() {
    check_solver("bitwuzla");
}

/// The answer to a script on standard input.
fn converse(script: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let mut child = Command::new(TOOL)
        .args(["smt", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tool starts");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("the tool reads");
    let output = child.wait_with_output().expect("the tool ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn sequences_and_trees_of_interpolants() {
    let script = "
        (set-option :produce-interpolants true)
        (declare-const x Int) (declare-const y Int) (declare-const z Int)
        (assert (! (= x 1) :named A))
        (assert (! (= y (+ x 1)) :named B))
        (assert (! (= z 5) :named C))
        (assert (! (< z y) :named D))
        (check-sat)
        (get-interpolants A B C D)
        (get-interpolants A B (C) D)";
    for solver in WITH_INTEGERS {
        for source in ["spacer", "newton", "mcsat", "sygus", "craig", "craig-proof"] {
            let (text, code) = converse(script, &["--solver", solver, "--interpolation", source]);
            assert_eq!(code, Some(0), "{solver}, {source}: {text}");
            let parentheses = text.matches('(').count() == text.matches(')').count();
            assert!(text.starts_with("unsat\n(") && parentheses, "{solver}, {source}: {text}");
        }
    }
}

#[test]
fn cores_and_assumptions() {
    let script = "
        (set-option :produce-unsat-cores true)
        (set-option :minimal-unsat-cores true)
        (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
        (assert (! p :named first))
        (assert (! (=> p q) :named second))
        (assert (! r :named third))
        (assert (! (not q) :named fourth))
        (check-sat)
        (get-unsat-core)
        (push) (pop)
        (check-sat-assuming (r))
        (get-unsat-assumptions)";
    for solver in SOLVERS {
        let (text, code) = converse(script, &["--solver", solver]);
        assert_eq!(code, Some(0), "{solver}: {text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["unsat", "(first second fourth)", "unsat", "()"], "{solver}");
    }
}

#[test]
fn cores_beside_interpolants_count_the_assumptions() {
    let script = "
        (set-option :produce-interpolants true)
        (set-option :produce-unsat-cores true)
        (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
        (assert (! p :named first))
        (assert (! (=> p q) :named second))
        (assert (! r :named third))
        (check-sat-assuming ((not q)))
        (get-unsat-core)
        (get-unsat-assumptions)
        (get-interpolants first second)";
    for solver in SOLVERS {
        let (text, code) = converse(script, &["--solver", solver]);
        assert_eq!(code, Some(0), "{solver}: {text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["unsat", "(first second)", "((not q))", "(p)"], "{solver}");
    }
}

#[test]
fn a_solver_that_never_returns_ends_with_the_time_limit() {
    // A factorization that no solver finds within seconds, in this process and in another.
    let script = "
        (set-logic QF_BV)
        (declare-const x (_ BitVec 62)) (declare-const y (_ BitVec 62))
        (assert (= (bvmul x y) #b01000000000000000000000000000000000011111111000010101010101011))
        (assert (bvult x #b00000000000000000000000000000010000000000000000000000000000000))
        (assert (bvult y #b00000000000000000000000000000010000000000000000000000000000000))
        (assert (bvult #b00000000000000000000000000000000000000000000000000000000000001 x))
        (assert (bvult #b00000000000000000000000000000000000000000000000000000000000001 y))
        (check-sat)";
    for isolation in ["process", "none"] {
        let (text, code) =
            converse(script, &["--solver", "z3", "--timelimit", "1", "--isolation", isolation]);
        assert_eq!((text.as_str(), code), ("unknown\n", Some(20)), "{isolation}");
    }
}

#[test]
fn a_contradicted_status_has_an_exit_code() {
    let script = "(set-info :status sat) (assert false) (check-sat)";
    for solver in SOLVERS {
        let (text, code) = converse(script, &["--solver", solver]);
        assert_eq!((text.as_str(), code), ("unsat\n", Some(1)), "{solver}");
    }
}

#[test]
fn a_script_stops_at_its_first_error() {
    let script = "(declare-const x Int) (assert (< x)) (check-sat)";
    let (text, code) = converse(script, &[]);
    assert_eq!(code, Some(2));
    assert!(text.starts_with("(error ") && !text.contains("sat\n"), "{text}");
}

#[test]
fn scripts_on_standard_input_have_the_answers_of_files() {
    for script in scripts() {
        let text = std::fs::read_to_string(&script).expect("the script is readable");
        let of_file = run(&script, "z3");
        let of_input = converse(&text, &["--query-timelimit", "20", "--solver", "z3"]);
        let expected = (String::from_utf8_lossy(&of_file.stdout).into_owned(), of_file.status.code());
        assert_eq!(of_input, expected, "{}", script.display());
    }
}

#[test]
fn a_script_that_ends_amid_a_command_is_an_error() {
    for script in ["(check-sat", ")", "(assert false))(check-sat)", "(echo \"a", "(declare-const |a Bool)"] {
        let (text, code) = converse(script, &[]);
        assert!(
            code == Some(2) && text.starts_with("(error ") && text.lines().count() == 1,
            "{script}: {text}"
        );
    }
}

#[test]
fn each_command_on_standard_input_is_answered_as_it_arrives() {
    let mut child = Command::new(TOOL)
        .args(["smt", "-", "--solver", "yices"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    // Each answer is read before the next command is sent.
    let mut ask = |text: &str| {
        input.write_all(text.as_bytes()).expect("the tool reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the tool answers");
        line.trim_end().to_owned()
    };
    assert_eq!(ask("(set-option :print-success true)\n"), "success");
    assert_eq!(ask("(set-logic QF_LIA) ; (a comment\n"), "success");
    assert_eq!(ask("(declare-const |a)| Int)\n"), "success");
    assert_eq!(ask("(push 1)"), "success");
    assert_eq!(ask("(assert (= |a)|\n 7))"), "success");
    assert_eq!(ask("(check-sat)"), "sat");
    assert_eq!(ask("(get-value (|a)|))"), "((|a)| 7))");
    assert_eq!(ask("(echo \"):\"\")\")"), "\"):\"\")\"");
    assert_eq!(ask("(assert (> 3 |a)|))"), "success");
    assert_eq!(ask("(check-sat)(pop 1)"), "unsat");
    assert_eq!(ask("\n"), "success");
    assert_eq!(ask("\n(check-sat)\n"), "sat");
    assert!(ask("(assert (< b 1))\n").starts_with("(error "));
    let end = child.wait_with_output().expect("the tool ends");
    assert_eq!(end.status.code(), Some(2));
    // The line is that of the whole input.
    let text = String::from_utf8_lossy(&end.stderr);
    assert!(text.contains("-:8:12") && text.contains("(assert (< b 1))"), "{text}");
}

#[test]
fn recorded_queries_can_be_replayed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder_name = folder.path().to_str().expect("a plain path");
    let script = "
        (set-option :produce-interpolants true)
        (declare-const x Int) (declare-fun f (Int) Int)
        (assert (! (< 3 (f x)) :named A))
        (check-sat)
        (push) (assert (! (< (f x) 2) :named B)) (check-sat) (get-interpolants A B)";
    let (text, code) = converse(script, &["--solver", "z3", "--record", folder_name]);
    assert_eq!(code, Some(0), "{text}");
    let mut files: Vec<_> = std::fs::read_dir(folder.path())
        .expect("it is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    let mut arguments = vec!["solvers", "--replay"];
    arguments.extend(files.iter().map(|file| file.to_str().expect("a plain path")));
    let replayed = tool(&arguments);
    // Bitwuzla has no integers, so its answer is unknown.
    assert_eq!(replayed.status.code(), Some(20), "{replayed:?}");
    let text = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert_eq!(text.lines().count(), files.len() * SOLVERS.len(), "{text}");
    let is_open = |line: &&str| line.contains("bitwuzla: unknown: open");
    assert_eq!(text.lines().filter(is_open).count(), files.len(), "{text}");
    assert!(text.lines().filter(|line| !is_open(line)).all(|line| line.contains("sat: ok")), "{text}");
    assert!(text.contains("unsat: ok") && text.contains(": sat: ok"), "{text}");
}
