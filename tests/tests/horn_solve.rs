//! `hornwork horn --solve`: each engine on each file of `tests/horn` and each system among
//! the examples, and the evidence.
//!
//! A file starts with `; expected: sat` or `unsat`, and may name the trials that need not decide it
//! with `; open: …`: engines, and `pdr::cells` and `pdr::integers`, the engine after a pass. With
//! `; trials: linearize`, `templates::linearize` and `bmc::linearize` are trials, too. The engine
//! `templates` does not look for derivations, and `bmc` finds only derivations.

use hornwork_tests::{Run, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

const ENGINES: &[&str] = &["auto", "spacer", "pdr", "predicate", "templates", "tpa", "bmc"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut files = [scripts(&root().join("tests/horn")), scripts(&root().join("examples"))].concat();
    // Other examples are no Horn clauses.
    files.retain(|file| std::fs::read_to_string(file).is_ok_and(|text| header(&text, "expected").is_some()));
    files.sort();
    for file in files {
        let stem = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut trial = |name: &'static str, engine: &'static str, more: &'static [&'static str]| {
            let file = file.clone();
            trials.push(Trial::test(format!("{stem}::{name}"), move || decides(&file, (name, engine), more)));
        };
        ENGINES.iter().for_each(|engine| trial(engine, engine, &[]));
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if text.contains("BitVec") {
            trial("pdr::integers", "pdr", &["--passes", "integers"]);
        }
        if text.contains("Array") {
            trial("pdr::cells", "pdr", &["--passes", "cells"]);
        }
        if header(&text, "trials") == Some("linearize") {
            trial("templates::linearize", "templates", &["--passes", "linearize"]);
            trial("bmc::linearize", "bmc", &["--passes", "linearize"]);
        }
    }
    trials.push(Trial::test("evidence_is_printed_on_demand", evidence));
    trials.push(Trial::test("several_engines_take_turns", turns));
    trials.push(Trial::test("a_system_beyond_the_limit_is_unknown", limit));
    trials.push(Trial::test("options_of_solving_need_it", usage));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of the cases is readable");
    let paths = entries.map(|entry| entry.expect("the entry is readable").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "smt2")).collect()
}

fn solve(file: &Path, options: &[&str]) -> Run {
    let mut command = Command::new(PROGRAM);
    command.arg("horn").arg(file).arg("--solve").args(options);
    run(&mut command, Duration::from_secs(120))
}

fn header<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("; ")?.strip_prefix(name)?.strip_prefix(": "))
}

fn decides(file: &Path, (trial, engine): (&str, &str), more: &[&str]) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let expected = header(&text, "expected").ok_or("the file has no expected answer")?;
    let is_open = header(&text, "open").is_some_and(|open| open.split(", ").any(|name| name == trial))
        || matches!((expected, engine), ("unsat", "templates") | ("sat", "bmc"));
    let time = if is_open { "--timelimit=3" } else { "--timelimit=60" };
    let found = solve(file, &[&["--engine", engine, "--json", time], more].concat());
    let answer: serde_json::Value =
        serde_json::from_str(&found.out).map_err(|error| format!("{error}: {found:?}"))?;
    let verdict = answer["verdict"].as_str().unwrap_or_default();
    if is_open && verdict == "unknown" {
        return Ok(());
    }
    let (evidence, code) = if expected == "sat" { ("model", 0) } else { ("derivation", 10) };
    if verdict != expected || found.code != Some(code) {
        return Err(format!("expected {expected}: {found:?}").into());
    }
    if answer["validation"]["result"] != "validated" || answer[evidence].is_null() {
        return Err(format!("{expected} without {evidence}: {found:?}").into());
    }
    Ok(())
}

fn evidence() -> Result<(), Failed> {
    let model = solve(&root().join("tests/horn/words_stay_even.smt2"), &["--engine", "pdr", "--evidence"]);
    let lines: Vec<&str> = model.out.lines().collect();
    assert_eq!((lines.first(), lines.last()), (Some(&"("), Some(&"sat")), "{model:?}");
    assert!(lines[1].starts_with("  (define-fun p ((x"), "{model:?}");
    let circle = root().join("examples/circle.smt2");
    let derivation = solve(&circle, &["--engine", "pdr", "--evidence"]);
    let lines: Vec<&str> = derivation.out.lines().collect();
    assert_eq!(lines.last(), Some(&"unsat"), "{derivation:?}");
    assert!(lines.iter().any(|line| line.contains("circle from ")), "{derivation:?}");
    let quiet = solve(&circle, &[]);
    assert_eq!(quiet.out, "unsat\n");
    Ok(())
}

/// The stages of chosen engines are those of `auto`, or have the passes of the command line.
fn turns() -> Result<(), Failed> {
    let (words, arrays, rows) = ("words_stay_even.smt2", "array_filled.smt2", "rows_kept.smt2");
    for (file, options, expected) in [
        (words, &["--engine", "templates,bmc"][..], &["templates with yices", "bmc with yices"][..]),
        (
            words,
            &["--engine", "pdr,bmc"],
            &["pdr with yices", "bmc with yices", "pdr with z3 without passes"],
        ),
        (words, &["--engine", "tpa,bmc"], &["bmc with yices", "tpa with yices"]),
        (
            words,
            &["--engine", "bmc,pdr", "--passes", "slice"],
            &["pdr with yices", "bmc with yices", "pdr with z3"],
        ),
        (
            arrays,
            &["--engine", "pdr,bmc"],
            &["pdr with yices", "pdr with yices over cells", "bmc with yices", "pdr with z3 without passes"],
        ),
        // Yices has no nested arrays.
        (
            rows,
            &["--engine", "pdr,bmc"],
            &["pdr with z3", "pdr with z3 over cells", "bmc with z3", "pdr with z3 without passes"],
        ),
    ] {
        let file = root().join("tests/horn").join(file);
        let found = solve(&file, &[options, &["--json"]].concat());
        let answer: serde_json::Value = serde_json::from_str(&found.out)?;
        assert_eq!(answer["verdict"], "sat", "{options:?}: {found:?}");
        let stages = answer["portfolio"]["stages"].as_array().ok_or("no stages")?;
        let names: Vec<&str> = stages.iter().filter_map(|stage| stage["name"].as_str()).collect();
        assert_eq!(names, expected, "{options:?}: {found:?}");
    }
    Ok(())
}

fn limit() -> Result<(), Failed> {
    let file = tempfile::Builder::new().suffix(".smt2").tempfile()?;
    // A derivation has the prime factors, of 64 bits each, of a number of 128 bits.
    std::fs::write(
        file.path(),
        "(set-logic HORN)(declare-fun p ((_ BitVec 128)) Bool)\n\
         (assert (forall ((x (_ BitVec 64)) (y (_ BitVec 64))) (=> (and (bvugt x #x0000000000000001) (bvugt y x))\n\
           (p (bvmul ((_ zero_extend 64) x) ((_ zero_extend 64) y))))))\n\
         (assert (not (p #x40003825695ffd73cfdd9cda78a4fb4f)))",
    )?;
    for engine in ENGINES {
        let found = solve(file.path(), &["--engine", engine, "--timelimit", "2"]);
        assert!(found.out.starts_with("unknown("), "{engine}: {found:?}");
        assert_eq!(found.code, Some(20), "{engine}: {found:?}");
    }
    Ok(())
}

fn usage() -> Result<(), Failed> {
    let file = root().join("tests/horn/reals.smt2");
    for options in [
        &["--engine", "pdr"][..],
        &["--evidence"],
        &["--solve", "--to", "chc"],
        &["--solve", "--engine", "magic"],
        &["--solve", "--solver", "z3"],
        &["--solve", "--engine", "pdr,templates", "--solver", "z3"],
    ] {
        let mut command = Command::new(PROGRAM);
        command.arg("horn").arg(&file).args(options);
        let found = run(&mut command, Duration::from_secs(60));
        assert_eq!(found.code, Some(2), "{options:?}: {found:?}");
    }
    Ok(())
}
