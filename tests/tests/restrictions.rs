//! Bounds of the explored paths: an error within them is found, and there is no proof if they
//! exclude a path.

use hornwork_tests::run;
use std::process::Command;
use std::time::Duration;

const CALLS: &str = "void reach_error(void);\n\
    static int step(int x) { return x + 1; }\n\
    static int twice(int x) { return step(step(x)); }\n\
    int main(void) { int x = twice(0); x = step(x); if (x == 3) reach_error(); }";
const LOOP: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x++; if (x == 3) reach_error(); }";
const SAFE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    static int least(int x, int y) { return x < y ? x : y; }\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (least(x, 7) > 7) reach_error(); }";
/// Its loop calls no function with a body.
const WITHOUT_CALLS: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    int main(void) { int x = 0; while (__VERIFIER_nondet_int()) if (x < 9) x++; if (x > 9) reach_error(); }";

const ALGORITHMS: &[&str] = &["bmc", "symbolic-execution", "predicate", "impact", "ufo"];

fn verdict(program: &str, algorithm: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("a temporary file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    command.args(["verify", "--algorithm", algorithm]).args(options).arg(&path);
    let run = run(&mut command, Duration::from_secs(120));
    run.out.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn an_error_beyond_the_calls_is_not_found() {
    for algorithm in ALGORITHMS {
        let limit = verdict(CALLS, algorithm, &["--call-bound", "3"]);
        assert_eq!(limit, "UNKNOWN(bound of 3 calls on a path reached)", "{algorithm}");
        let found = verdict(CALLS, algorithm, &["--call-bound", "4"]);
        assert!(found.starts_with("FALSE"), "{algorithm}: {found}");
    }
}

#[test]
fn an_error_beyond_the_length_is_not_found() {
    for algorithm in ALGORITHMS {
        let limit = verdict(LOOP, algorithm, &["--path-bound", "3"]);
        assert_eq!(limit, "UNKNOWN(bound of 3 basic blocks on a path reached)", "{algorithm}");
        let found = verdict(LOOP, algorithm, &["--path-bound", "40"]);
        assert!(found.starts_with("FALSE"), "{algorithm}: {found}");
    }
}

#[test]
fn a_proof_covers_all_paths() {
    for algorithm in ALGORITHMS {
        let all = ["--path-bound", "40", "--call-bound", "1", "--loop-bound", "1"];
        assert_eq!(verdict(SAFE, algorithm, &all), "TRUE", "{algorithm}");
        let none = verdict(SAFE, algorithm, &["--call-bound", "0"]);
        assert_eq!(none, "UNKNOWN(bound of 0 calls on a path reached)", "{algorithm}");
        let short = verdict(SAFE, algorithm, &["--path-bound", "1"]);
        assert_eq!(short, "UNKNOWN(bound of 1 basic blocks on a path reached)", "{algorithm}");
        let nothing = verdict(SAFE, algorithm, &["--path-bound", "0"]);
        assert_eq!(nothing, "UNKNOWN(bound of 0 basic blocks on a path reached)", "{algorithm}");
    }
}

#[test]
fn a_bound_on_calls_does_not_unroll_loops() {
    for algorithm in ["predicate", "impact"] {
        assert_eq!(verdict(WITHOUT_CALLS, algorithm, &["--call-bound", "0"]), "TRUE", "{algorithm}");
    }
}
