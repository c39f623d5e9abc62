//! The scripts in `tests/smt`: each one is read and printed again; Z3 must give the printed script
//! the status stated in the file.

use frontend::smtlib::{AttributeValue, Command, Script};
use grammars::source::SourceMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use terms::{Term, TermPool, print};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn scripts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("tests/smt")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder of scripts") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A query of a script: the current assertions at a check, and the stated status.
struct Query {
    formulas: Vec<Term>,
    status: Option<String>,
}

fn queries(pool: &mut TermPool, path: &Path) -> Vec<Query> {
    let mut map = SourceMap::new();
    let file =
        map.add(&path.display().to_string(), std::fs::read(path).expect("a script")).expect("a small file");
    let mut script = Script::new(&map, file);
    let mut queries = Vec::new();
    let mut status = None;
    let mut formulas: Vec<Term> = Vec::new();
    let mut levels = Vec::new();
    while let Some(step) = script.next(pool) {
        let step = match step {
            Ok(step) => step,
            Err(error) => panic!("{}", error.render(&map)),
        };
        match step.command {
            Command::SetInfo { keyword, value: AttributeValue::Symbol(value) } if keyword == ":status" => {
                status = Some(value);
            }
            Command::Assert { formula, .. } => formulas.push(formula),
            Command::Push(count) => levels.extend(std::iter::repeat_n(formulas.len(), count as usize)),
            Command::Pop(count) => {
                for _ in 0..count {
                    formulas.truncate(levels.pop().expect("an open scope"));
                }
            }
            Command::CheckSat => queries.push(Query { formulas: formulas.clone(), status: status.clone() }),
            Command::CheckSatAssuming(assumptions) => {
                let assumed = assumptions.iter().map(|assumption| assumption.literal);
                queries.push(Query {
                    formulas: formulas.iter().copied().chain(assumed).collect(),
                    status: status.clone(),
                });
            }
            Command::Reset | Command::ResetAssertions => {
                formulas.clear();
                levels.clear();
            }
            _ => {}
        }
    }
    queries
}

fn z3() -> PathBuf {
    let path = root().join(".setup/venv/bin/z3");
    assert!(path.exists(), "z3 is missing: run scripts/setup.sh test");
    path
}

/// Scripts that Z3 reports as satisfiable with a model that evaluates to false.
const Z3_IS_WRONG: [&str; 1] = ["choice_of_constant_arrays.smt2"];

/// The answers of Z3 to a script.
fn answers(z3: &Path, text: &str) -> Vec<String> {
    let mut process = Process::new(z3)
        .args(["-T:60", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let mut input = process.stdin.take().expect("a pipe");
    let text = text.to_owned();
    // Z3 may answer before it has read all input.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = process.wait_with_output().expect("z3 ends");
    writer.join().expect("the writer ends").expect("z3 reads everything");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn every_check_has_a_status() {
    let scripts = scripts();
    assert!(scripts.len() >= 40, "there are only {} scripts", scripts.len());
    for path in scripts {
        let mut pool = TermPool::new();
        let queries = queries(&mut pool, &path);
        assert!(!queries.is_empty(), "{} asks nothing", path.display());
        for query in queries {
            let status = query.status.unwrap_or_default();
            assert!(matches!(status.as_str(), "sat" | "unsat"), "{}: {status:?}", path.display());
        }
    }
}

#[test]
#[ignore = "slow"]
fn z3_agrees_on_what_was_read() {
    let z3 = z3();
    let is_fair = |path: &PathBuf| !Z3_IS_WRONG.iter().any(|name| path.ends_with(name));
    for path in scripts().into_iter().filter(is_fair) {
        let mut pool = TermPool::new();
        let queries = queries(&mut pool, &path);
        let stated: Vec<&str> = queries.iter().filter_map(|query| query.status.as_deref()).collect();
        let original = std::fs::read_to_string(&path).expect("a script");
        let direct: Vec<String> = answers(&z3, &original)
            .into_iter()
            .filter(|line| matches!(line.as_str(), "sat" | "unsat" | "unknown"))
            .collect();
        assert_eq!(direct, stated, "{}: the stated status is wrong", path.display());
        for query in queries {
            let text = print::script(&pool, None, &query.formulas);
            let answer = answers(&z3, &text);
            assert_eq!(answer, [query.status.unwrap_or_default()], "{}:\n{text}", path.display());
        }
    }
}

/// Reads a printed script back into the pool it was printed from.
fn read_back(pool: &mut TermPool, text: &str) -> Vec<Term> {
    let mut map = SourceMap::new();
    let file = map.add("printed.smt2", text.as_bytes().to_vec()).expect("a small file");
    let mut script = Script::new(&map, file);
    let mut formulas = Vec::new();
    while let Some(step) = script.next(pool) {
        match step {
            Ok(step) => {
                if let Command::Assert { formula, .. } = step.command {
                    formulas.push(formula);
                }
            }
            Err(error) => panic!("{}\n{text}", error.render(&map)),
        }
    }
    formulas
}

#[test]
fn what_was_read_and_printed_is_read_as_the_same_terms() {
    for path in scripts() {
        let mut pool = TermPool::new();
        for query in queries(&mut pool, &path) {
            let text = print::script(&pool, None, &query.formulas);
            assert_eq!(read_back(&mut pool, &text), query.formulas, "{}:\n{text}", path.display());
        }
    }
}
