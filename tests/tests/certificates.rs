//! The handling of the certificate of a TRUE by `hornwork verify`.

use hornwork_tests::run;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const TOOL: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

const SAFE: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    if (n > 6)
        return 0;
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    if (sum != 2 * n)
        reach_error();
    return 0;
}
";

fn verify(folder: &Path, options: &[&str]) -> hornwork_tests::Run {
    let file = folder.join("safe.c");
    std::fs::write(&file, SAFE).expect("a temporary file can be written");
    run(
        Command::new(TOOL).args(["verify", "--algorithm", "bmc"]).args(options).arg(file),
        Duration::from_secs(300),
    )
}

fn json(folder: &Path, options: &[&str]) -> serde_json::Value {
    let run = verify(folder, &[&["--json"], options].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    serde_json::from_str(&run.out).expect("the output is JSON")
}

#[test]
fn another_solver_than_the_one_that_proved_validates() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for (solver, validator) in [("yices", "craig"), ("z3", "craig"), ("cvc5", "craig"), ("craig", "yices")] {
        let object = json(folder.path(), &["--solver", solver]);
        assert_eq!(object["validation"]["result"], "validated", "{object}");
        assert_eq!(object["validation"]["solver"], validator, "{object}");
        assert_eq!(object["certificate"]["kind"], "bounded", "{object}");
        assert_eq!(object["certificate"]["encoding"], "QF_ABVFP", "{object}");
    }
    let object = json(folder.path(), &["--validator", "cvc5"]);
    assert_eq!(object["validation"]["solver"], "cvc5", "{object}");
    let text = verify(folder.path(), &[]);
    assert!(text.out.contains("\nValidated by craig: 1 check.\nTRUE\n"), "{text:?}");
}

#[test]
fn what_the_quick_validator_does_not_decide_goes_to_the_next() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("squares.c");
    let program = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n\
                   unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n\
                   if ((a + b) * (a - b) != a * a - b * b) reach_error();\nreturn 0;\n}\n";
    std::fs::write(&file, program).expect("a temporary file can be written");
    let run = run(Command::new(TOOL).args(["verify"]).arg(file), Duration::from_secs(300));
    assert!(run.out.ends_with("\nValidated by z3: 1 check.\nTRUE\n"), "{run:?}");
}

#[test]
fn validation_can_be_left_out_and_the_answer_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let object = json(folder.path(), &["--no-validate"]);
    assert_eq!(object["validation"], serde_json::json!({ "result": "skipped" }));
    let text = verify(folder.path(), &["--no-validate"]);
    assert!(text.out.contains("\nNot validated.\nTRUE\n"), "{text:?}");
    let wrong = verify(folder.path(), &["--no-validate", "--validator", "z3"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    let unknown = verify(folder.path(), &["--validator", "no-such-solver"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}

#[test]
fn a_quantified_certificate_goes_to_a_solver_with_quantifiers() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let object = json(folder.path(), &["--encoding", "ABVFP"]);
    assert_eq!(object["validation"]["solver"], "cvc5", "{object}");
    let wrong = verify(folder.path(), &["--encoding", "ABVFP", "--validator", "yices"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_written_certificate_is_discharged_by_each_solver() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let script = folder.path().join("certificate.smt2");
    let path = script.to_string_lossy().into_owned();
    for encoding in ["QF_ABVFP", "QF_UFBVFP", "QF_AUFLIRA", "QF_UFLIRA"] {
        let proof = verify(folder.path(), &["--no-validate", "--encoding", encoding, "--certificate", &path]);
        assert_eq!(proof.code, Some(0), "{proof:?}");
        for solver in ["yices", "z3", "cvc5"] {
            let checked =
                run(Command::new(TOOL).args(["smt", "--solver", solver, &path]), Duration::from_secs(300));
            assert_eq!((checked.code, checked.out.as_str()), (Some(0), "unsat\n"), "{solver} {encoding}");
        }
        std::fs::remove_file(&script).expect("it exists");
    }
}
