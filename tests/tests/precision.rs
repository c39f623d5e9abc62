//! `--precision-out` and `--precision-in` of `hornwork verify`.

use hornwork_tests::{Run, run};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const TOOL: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

/// Two loops, the second one in a function that is called twice.
const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void half(int number) {
    int left = number, count = 0;
    while (left > 1) {
        left -= 2;
        count++;
    }
    if (left + 2 * count != number)
        reach_error();
}
int main(void) {
    int n = 0, twice = 0;
    while (__VERIFIER_nondet_int() && n < 1000) {
        n++;
        twice += 2;
    }
    if (twice != 2 * n)
        reach_error();
    half(n);
    half(twice);
    return 0;
}
";

/// Runs `verify` on a program in a folder with options, which may name files there.
fn verify(folder: &Path, program: &str, options: &[&str]) -> Run {
    std::fs::write(folder.join("task.c"), program).expect("a temporary file can be written");
    let mut command = Command::new(TOOL);
    command.current_dir(folder).args(["verify", "task.c"]).args(options);
    run(&mut command, Duration::from_secs(300))
}

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn a_second_run_needs_no_refinements() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for algorithm in ["predicate", "ufo"] {
        let options = ["--algorithm", algorithm, "--json", "--precision-out", "p.toml"];
        let first = json(&verify(folder.path(), SAFE, &options));
        assert_eq!(first["verdict"], "TRUE", "{first}");
        let found = first["statistics"]["refinements"].as_u64().expect("a number");
        assert!(found > 0, "{first}");
        let written = &first["statistics"]["reuse"]["written"];
        assert!(written.as_u64().is_some_and(|written| written > 0), "{first}");
        let file = std::fs::read_to_string(folder.path().join("p.toml")).expect("a precision file");
        assert!(file.contains("[[loop]]\nfunction = \"half\"\nnumber = 1\n"), "{file}");
        assert!(file.contains("version = 1\n\n[[loop]]\nfunction = \"main\"\nnumber = 1\n"), "{file}");
        let options = ["--algorithm", algorithm, "--json", "--precision-in", "p.toml"];
        let second = json(&verify(folder.path(), SAFE, &options));
        assert_eq!(second["verdict"], "TRUE", "{second}");
        let reuse = &second["statistics"]["reuse"];
        assert_eq!((&reuse["read"], &reuse["skipped"]), (written, &0.into()), "{second}");
        let again = second["statistics"]["refinements"].as_u64().expect("a number");
        assert!(again < found, "{algorithm}: {again} refinements after {found}\n{file}");
    }
}

#[test]
fn interpolants_of_refutations_and_of_prefixes_become_invariants() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for source in ["interpolants", "prefixes"] {
        let options = ["--algorithm=predicate", "--facts=interpolants", "--invariants=none", "--json"];
        let candidates = ["--inject=abstraction", "--candidates", source];
        let found = json(&verify(folder.path(), SAFE, &[&options[..], &candidates].concat()));
        assert_eq!(found["verdict"], "TRUE", "{source}");
        assert!(found["statistics"]["injected"].as_u64() > Some(0), "{source}");
    }
}

#[test]
fn a_changed_program_skips_what_it_lacks() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let first = verify(folder.path(), SAFE, &["--algorithm", "predicate", "--precision-out", "p.toml"]);
    assert_eq!(first.last_line(), "TRUE", "{first:?}");
    // Lines move, and a variable has another name.
    let changed = format!("\n\n{}", SAFE.replace("twice", "doubled"));
    let options = ["--algorithm", "predicate", "--stats", "--precision-in", "p.toml"];
    let second = verify(folder.path(), &changed, &options);
    assert_eq!(second.last_line(), "TRUE", "{second:?}");
    assert!(second.err.contains("warning: p.toml: "), "{second:?}");
    assert!(second.err.contains("there is no variable `twice`"), "{second:?}");
    assert!(second.out.contains(" predicates read, "), "{second:?}");
}

#[test]
fn a_wrong_precision_does_no_harm() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = "version = 1\n[[loop]]\nfunction = \"main\"\nnumber = 1\n\
                predicates = [\"twice == 2 * n\", \"n == 3\", \"false\"]\n[global]\npredicates = [\"count > 0\"]\n";
    std::fs::write(folder.path().join("p.toml"), file).expect("a temporary file can be written");
    let options = ["--algorithm", "predicate", "--precision-in", "p.toml"];
    let safe = verify(folder.path(), SAFE, &options);
    assert_eq!(safe.last_line(), "TRUE", "{safe:?}");
    let wrong = verify(folder.path(), &SAFE.replace("twice += 2", "twice += 2 + (n == 2)"), &options);
    assert_eq!(wrong.last_line(), "FALSE(unreach-call)", "{wrong:?}");
}

#[test]
fn the_precision_of_a_run_at_its_limit_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let options = ["--algorithm", "predicate", "--loop-bound", "2", "--precision-out", "p.toml"];
    let run = verify(folder.path(), SAFE, &options);
    assert!(run.last_line().starts_with("UNKNOWN"), "{run:?}");
    let file = std::fs::read_to_string(folder.path().join("p.toml")).expect("a precision file");
    assert!(file.contains("version = 1\n"), "{file}");
}

#[test]
fn a_malformed_file_is_an_input_error_with_a_position() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for (text, place, message) in [
        (
            "version = 1\n[[loop]]\nfunction = \"main\"\nnumber = 1\npredicates = [\"n <\"]\n",
            "p.toml:5:15",
            "expected an operand at the end",
        ),
        ("version = 7\n", "p.toml:1:11", "version 7 of precision files is not supported: only 1 is"),
        ("version = \n", "p.toml:1:10", "invalid string"),
    ] {
        std::fs::write(folder.path().join("p.toml"), text).expect("a temporary file can be written");
        let run = verify(folder.path(), SAFE, &["--algorithm", "predicate", "--precision-in", "p.toml"]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(place) && run.err.contains(message), "{place}: {}", run.err);
    }
    let missing = verify(folder.path(), SAFE, &["--algorithm", "predicate", "--precision-in", "q.toml"]);
    assert_eq!((missing.code, missing.err.contains("q.toml")), (Some(2), true), "{missing:?}");
}

#[test]
fn a_stage_of_a_sequence_has_a_precision() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let sequence = "about = \"predicate abstraction\"\n[[stage]]\nname = \"predicate\"\nturn = 60.0\n\
                    options = [\"--algorithm\", \"predicate\", \"--precision-out\", \"p.toml\"]\n";
    std::fs::write(folder.path().join("s.toml"), sequence).expect("a temporary file can be written");
    let first = verify(folder.path(), SAFE, &["--sequence", "s.toml"]);
    assert_eq!(first.last_line(), "TRUE", "{first:?}");
    let reads = sequence.replace("--precision-out", "--precision-in");
    std::fs::write(folder.path().join("s.toml"), reads).expect("a temporary file can be written");
    let second = json(&verify(folder.path(), SAFE, &["--sequence", "s.toml", "--json"]));
    assert_eq!(second["verdict"], "TRUE", "{second}");
}

/// The example of Table 1 of Stieglmaier (*Augmenting Predicate Analysis with Auxiliary
/// Invariants*, 2016, §5.1.4): `i = 2` is invariant in front of a condition, and the precision is
/// `i < 10`. The assignment keeps the value of `i` unknown to the lowering.
const TABLE_1: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned i = 2;
    while (__VERIFIER_nondet_int()) {
        if (i != 2)
            reach_error();
        i = 4 - i;
    }
}
";

/// The rows with the invariant: where it is used, and whether the abstraction formula then has it.
/// In each of them, only the transition `2 → 3` is possible, so nothing is refined.
const STRATEGIES: [(&str, bool); 7] = [
    ("precision", true),
    ("path", false),
    ("abstraction", true),
    ("precision,path", true),
    ("precision,abstraction", true),
    ("path,abstraction", true),
    ("precision,path,abstraction", true),
];

#[test]
fn an_invariant_in_each_place_excludes_the_transition_of_table_1() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let precision = "version = 1\n[global]\npredicates = [\"main::i < 10\"]\n";
    std::fs::write(folder.path().join("p.toml"), precision).expect("a temporary file can be written");
    let explore = |places: Option<&str>| {
        let inject: Vec<&str> = places.map(|places| ["--inject", places]).into_iter().flatten().collect();
        let options = ["--algorithm", "predicate", "--passes", "none", "--facts", "heuristics", "--json"];
        let files = ["--precision-in", "p.toml", "--dump", "graph.dot"];
        let run = json(&verify(folder.path(), TABLE_1, &[&options[..], &files, &inject].concat()));
        assert_eq!(run["verdict"], "TRUE", "{places:?}: {run}");
        let graph = std::fs::read_to_string(folder.path().join("graph.dot")).expect("a graph");
        (run["statistics"]["refinements"].as_u64().expect("a number"), graph)
    };
    let (refinements, _) = explore(None);
    assert_eq!(refinements, 1, "without the invariant, the transition to the error is possible");
    for (places, is_in_abstraction) in STRATEGIES {
        let (refinements, graph) = explore(Some(places));
        assert_eq!(refinements, 0, "{places}");
        let formulas: Vec<&str> =
            graph.lines().filter_map(|line| line.split_once("(line 5)\\nψ = ")).map(|pair| pair.1).collect();
        let at_the_condition = &formulas[1..];
        assert!(!at_the_condition.is_empty(), "{places}: {graph}");
        for formula in at_the_condition {
            assert!(formula.contains("(bvult i.") && formula.contains(" #x0000000a)"), "{places}: {formula}");
            assert_eq!(formula.contains("(= #x00000002 i."), is_in_abstraction, "{places}: {formula}");
        }
    }
}
