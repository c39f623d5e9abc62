//! Transition systems: files in VMT-LIB and BTOR2 are solved, and Horn clauses written in these
//! formats are read again to systems with the same answer.

use hornwork_tests::{Run, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["tests/transitions", "tests/horn"] {
        for file in files(&root().join(folder)) {
            let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if folder == "tests/transitions" {
                let file = file.clone();
                trials.push(Trial::test(format!("{name}::solved"), move || solved(&file)));
            }
            for format in ["vmt", "btor2", "chc"] {
                let file = file.clone();
                trials.push(Trial::test(format!("{name}::{format}"), move || round_trip(&file, format)));
            }
        }
    }
    trials.push(Trial::test("errors_have_positions", errors));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of the cases is readable");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the entry is readable").path()).collect();
    paths.sort();
    paths
}

fn horn(file: &Path, options: &[&str]) -> Run {
    let mut command = Command::new(PROGRAM);
    command.arg("horn").arg(file).args(options);
    run(&mut command, Duration::from_secs(120))
}

fn expected(file: &Path) -> Result<String, Failed> {
    let text = std::fs::read_to_string(file)?;
    let expected = text.lines().find_map(|line| line.strip_prefix("; expected: "));
    Ok(expected.ok_or("the file has no expected answer")?.to_owned())
}

fn solved(file: &Path) -> Result<(), Failed> {
    let found = horn(file, &["--solve", "--timelimit", "60"]);
    if found.out.trim() != expected(file)? {
        return Err(format!("{found:?}").into());
    }
    Ok(())
}

/// The written file has the expected answer, if it can be written and the answer is found in time.
fn round_trip(file: &Path, format: &str) -> Result<(), Failed> {
    let written = tempfile::NamedTempFile::new()?;
    let path = written.path().to_string_lossy().into_owned();
    let run = horn(file, &["--to", format, "-o", &path]);
    if run.code == Some(20) {
        let is_explained = ["nonlinear system", "BTOR2 has"].iter().any(|reason| run.err.contains(reason));
        return if is_explained && format != "chc" { Ok(()) } else { Err(format!("{run:?}").into()) };
    }
    assert_eq!(run.code, Some(0), "{run:?}");
    let found = horn(written.path(), &["--solve", "--timelimit", "20"]);
    let answer = found.out.trim();
    if answer != expected(file)? && !answer.starts_with("unknown(") {
        return Err(format!("{found:?}\n{}", std::fs::read_to_string(written.path())?).into());
    }
    Ok(())
}

fn errors() -> Result<(), Failed> {
    let cases = [
        ("1 sort bitvec 0", "1:15: a bit vector has at least one bit"),
        ("1 sort bitvec 4\n1 sort bitvec 5", "2:1: the node 1 is defined twice"),
        ("1 sort bitvec 4\n2 add 1 3 3", "2:9: `3` is not a value that was defined before"),
        ("1 sort bitvec 4\n2 input 1\n3 frob 1 2 2", "3:3: unknown operator `frob`"),
        ("1 sort bitvec 4\n2 input 1\n3 eq 1 2 2", "3:6: the sort is (_ BitVec 4)"),
        ("1 sort bitvec 4\n2 const 1 2", "2:11: `const` requires digits of base 2 for 4 bits"),
        ("1 sort bitvec 4\n2 constd 1 16", "2:12: `constd` requires digits of base 10 for 4 bits"),
        ("1 sort bitvec 1\n2 input 1\n3 justice 1 2", "3:3: `justice` is not supported"),
        ("1 sort bitvec 1\n2 input 1\n3 next 1 2 2", "3:10: expected a state"),
        ("1 sort bitvec 8\n2 input 1\n3 bad 2", "3:7: expected a bit vector of 1 bits"),
        ("1 sort bitvec 8\n2 input 1\n3 slice 1 2 8 0", "3:13: the bits 8 to 0 are not those of 8 bits"),
        ("1 sort", "1:6: expected `bitvec` or `array` before the end of the line"),
        (
            "(declare-const x Int) (define-fun a () Int (! x :next y))",
            "1:49: `:next` requires a declared constant",
        ),
        ("(define-fun p () Bool (! true :live-property 0))", "1:31: `:live-property` is not supported"),
        ("(define-fun p () Bool (! true :init true))", "the transition system has no `:trans`"),
    ];
    for (text, expected) in cases {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), text)?;
        let found = horn(file.path(), &[]);
        assert_eq!(found.code, Some(2), "{text}: {found:?}");
        let (position, message) = expected.split_once(": ").unwrap_or(("", expected));
        assert!(found.err.contains(position), "{text}: {found:?}");
        assert!(found.err.contains(message), "{text}: {found:?}");
    }
    Ok(())
}
