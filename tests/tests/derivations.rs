//! Derivations of Horn clauses become runs: with one iteration of each loop and recursion, bounded
//! model checking finds no error, so FALSE rests on the inputs that a derivation gives.

use hornwork_tests::{Run, run};
use std::process::Command;
use std::time::Duration;

const DECLARATIONS: &str = "int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void);\n\
    void *malloc(unsigned long); void reach_error(void);\n";

fn verify(options: &[&str], program: &str) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{DECLARATIONS}{program}")).expect("a temporary file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    run(command.args(["verify", "--unwind", "1"]).args(options).arg(&path), Duration::from_secs(100))
}

fn check(algorithms: &[&[&str]], program: &str) {
    let bmc = verify(&["--algorithm", "bmc"], program);
    assert_eq!(bmc.last_line(), "UNKNOWN(bound 1 reached)", "{bmc:?}");
    for algorithm in algorithms {
        for encoding in ["QF_ABVFP", "QF_AUFLIRA"] {
            let run = verify(&[algorithm, &["--encoding", encoding][..]].concat(), program);
            assert_eq!(run.last_line(), "FALSE(unreach-call)", "{algorithm:?} {encoding}: {run:?}");
        }
    }
}

const HORN: &[&str] = &["--algorithm", "horn", "--engine", "pdr,predicate"];
const PDR: &[&str] = &["--algorithm", "pdr"];

#[test]
fn inputs_of_each_iteration() {
    let program = "int main(void) { int sum = 0;\n\
        while (sum < 5) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 2) return 0; sum += x; }\n\
        if (sum == 6) reach_error(); }";
    check(&[HORN, PDR], program);
}

#[test]
fn an_error_in_a_callee_ends_its_callers() {
    let program = "void down(int n, int limit) { if (n == limit) reach_error();\n\
            if (__VERIFIER_nondet_int() == n) down(n + 1, limit); }\n\
        int main(void) { int limit = __VERIFIER_nondet_int(); if (limit > 3) down(0, limit); }";
    check(&[HORN, PDR], program);
}

#[test]
fn results_of_nested_calls() {
    let program = "int count(int n) { if (n <= 0 || __VERIFIER_nondet_bool()) return 1;\n\
            int left = count(n - 1); int right = count(n - 2); return left + right; }\n\
        int main(void) { if (count(4) == 6) reach_error(); }";
    check(&[HORN], program);
}

#[test]
fn activations_have_their_own_objects() {
    let program = "int fill(int n, int *last) { int own = __VERIFIER_nondet_int();\n\
            if (own <= *last) return n; if (n == 3) { if (last == &own) return 7; reach_error(); }\n\
            return fill(n + 1, &own); }\n\
        int main(void) { int first = 5; return fill(0, &first); }";
    check(&[HORN], program);
}

#[test]
fn blocks_of_the_heap_in_a_loop() {
    let program = "struct node { int value; struct node *next; };\n\
        int main(void) { struct node *list = 0; int n = 0;\n\
        while (__VERIFIER_nondet_bool()) { struct node *new = malloc(sizeof *new); if (!new) return 0;\n\
            new->value = __VERIFIER_nondet_int(); new->next = list; list = new; n++; }\n\
        if (n >= 3 && list->value == 5 && list->next->value == 6) reach_error(); }";
    check(&[PDR], program);
}

#[test]
fn unknown_contents_of_a_buffer() {
    let program = "int main(void) { unsigned char buffer[4]; int i = 0;\n\
        while (i < 4 && buffer[i] == i + 1) i++; if (i == 4) reach_error(); }";
    check(&[HORN, PDR], program);
}
