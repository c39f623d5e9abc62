//! The exchange of facts between stages: a stage runs on a folder that the test has filled, so
//! nothing depends on time.

use hornwork_tests::{Run, run};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

/// Safe because `y == 2 * x` in line 3.
const SAFE: &str = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
    int main(void) { unsigned x = 0, y = 0;\n\
    while (__VERIFIER_nondet_uint()) { x++; y += 2; }\n\
    if (y != 2 * x) reach_error(); }";
/// The error needs three iterations.
const UNSAFE: &str = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
    int main(void) { unsigned x = 0, y = 0;\n\
    while (__VERIFIER_nondet_uint()) { x++; y += 2; }\n\
    if (y == 6 && x == 3) reach_error(); }";
/// The forward condition holds after 20 iterations.
const SHORT: &str = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
    int main(void) { unsigned x = 0, n = __VERIFIER_nondet_uint(); if (n > 20) return 0;\n\
    while (x < n) x++;\n\
    if (x != n) reach_error(); }";

const RELATION: &str = "version = 1\n[[loop]]\nfunction = \"main\"\nnumber = 1\nstatus = \"inductive\"\n\
    predicates = [\"y == 2 * x\"]\n";
/// Formulas that do not hold, with the claim that they do.
const FALSE_FACTS: &str = "version = 1\n[[loop]]\nfunction = \"main\"\nnumber = 1\nstatus = \"inductive\"\n\
    predicates = [\"x == 7\", \"x < 2\", \"y == 2 * x + 1\", \"x == 0 && y == 0\", \"0 == 1\"]\n\
    smt = [\"(= x y)\"]\n[[function]]\nname = \"main\"\nstatus = \"candidate\"\npredicates = [\"y <= x\"]\n\
    [global]\npredicates = [\"main::x != main::x\"]\n[[bound]]\nloop = \"main.3\"\nvisits = 4000000000\n\
    [[bound]]\nloop = \"nowhere.7\"\nvisits = 4\n";

/// A folder with a program and the folder of the exchange.
struct Case(TempDir);

impl Case {
    fn new(program: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        std::fs::create_dir(folder.path().join("facts")).expect("a folder");
        std::fs::write(folder.path().join("program.c"), program).expect("a temporary file can be written");
        Case(folder)
    }

    /// With the file of another stage.
    fn with(program: &str, facts: &str) -> Self {
        let case = Case::new(program);
        case.write("1.other.toml", facts);
        case
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join("facts").join(name), contents).expect("a file");
    }

    fn verify(&self, options: &[&str]) -> Run {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.0.path()).args(["verify", "program.c"]).args(options);
        run(&mut command, Duration::from_secs(300))
    }

    /// Runs a stage with these options.
    fn stage(&self, options: &[&str]) -> serde_json::Value {
        let run = self.verify(&[&["--json", "--exchange", "facts/0.own.toml"], options].concat());
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    }

    fn sent(&self) -> String {
        std::fs::read_to_string(self.0.path().join("facts/0.own.toml")).unwrap_or_default()
    }
}

/// The counts of the only sender.
fn counts<'j>(found: &'j serde_json::Value, count: &str) -> &'j serde_json::Value {
    assert_eq!(found["sharing"]["senders"][0]["name"], "other", "{found}");
    &found["sharing"]["senders"][0][count]
}

/// The encodings of the stages.
const ENCODINGS: [&str; 2] = ["QF_ABVFP", "QF_AUFLIRA"];

#[test]
fn a_fact_of_another_stage_is_the_missing_invariant() {
    // The relation is no invariant of numbers that wrap around.
    for encoding in [&["--encoding", "QF_ABVFP"][..], &["--encoding", "QF_AUFLIRA", "--overflow", "ignore"]] {
        for algorithm in ["k-induction", "kiki"] {
            let options = ["--algorithm", algorithm, "--invariants", "none", "--max-unwind", "4"];
            let options = [&options[..], encoding].concat();
            let alone = Case::new(SAFE).stage(&options);
            assert_eq!(alone["verdict"], "UNKNOWN", "{alone}");
            let shared = Case::with(SAFE, RELATION).stage(&options);
            assert_eq!(shared["verdict"], "TRUE", "{shared}");
            assert_eq!(shared["validation"]["result"], "validated", "{shared}");
            assert_eq!((counts(&shared, "received"), counts(&shared, "proved")), (&1.into(), &1.into()));
        }
    }
}

#[test]
fn a_fact_of_another_stage_replaces_refinements() {
    for algorithm in ["predicate", "ufo", "impact"] {
        let options = ["--algorithm", algorithm];
        let alone = Case::new(SAFE).stage(&options);
        let shared = Case::with(SAFE, RELATION).stage(&options);
        let refinements = |found: &serde_json::Value| found["statistics"]["refinements"].as_u64();
        assert_eq!((&alone["verdict"], &shared["verdict"]), (&"TRUE".into(), &"TRUE".into()), "{shared}");
        assert!(refinements(&shared) < refinements(&alone), "{algorithm}: {shared}");
        assert_eq!(counts(&shared, "used"), 1, "{shared}");
    }
}

#[test]
fn a_stage_sends_what_another_one_can_use() {
    for (algorithm, status) in [
        ("k-induction", "status = \"inductive\""),
        ("kiki", "status = \"inductive\""),
        ("pdr", "status = \"inductive\""),
        ("predicate", "predicates = ["),
        ("impact", "predicates = ["),
        ("ufo", "predicates = ["),
    ] {
        let case = Case::new(SAFE);
        let sender = case.stage(&["--algorithm", algorithm]);
        assert_eq!(sender["verdict"], "TRUE", "{sender}");
        let sent = case.sent();
        assert!(
            sent.contains(status) && sent.contains("function = \"main\"\nnumber = 1\n"),
            "{sender} {sent}"
        );
        let receiver = Case::with(SAFE, &sent).stage(&["--algorithm", "predicate"]);
        assert_eq!(receiver["verdict"], "TRUE", "{receiver}");
        assert!(counts(&receiver, "used").as_u64() > Some(0), "{algorithm}: {receiver} {sent}");
        // The file is a precision file as well.
        std::fs::write(case.0.path().join("p.toml"), &sent).expect("a file");
        let run = case.verify(&["--algorithm", "predicate", "--precision-in", "p.toml"]);
        assert_eq!(run.last_line(), "TRUE", "{run:?}");
    }
}

#[test]
fn false_facts_change_no_verdict() {
    for (program, verdict) in [(SAFE, "TRUE"), (UNSAFE, "FALSE"), (SHORT, "TRUE")] {
        for encoding in ENCODINGS {
            for algorithm in ["bmc", "k-induction", "kiki", "pdr", "predicate", "ufo", "impact", "impact-sbe"]
            {
                if (program, algorithm) == (SAFE, "bmc") {
                    // It never ends.
                    continue;
                }
                let case = Case::with(program, FALSE_FACTS);
                let found = case.stage(&["--algorithm", algorithm, "--encoding", encoding]);
                assert_eq!(found["verdict"], verdict, "{algorithm}, {encoding}: {found}");
            }
        }
    }
}

#[test]
fn a_bound_of_another_stage_is_the_first_one() {
    let bound = |visits| format!("version = 1\n[[bound]]\nloop = \"main.3\"\nvisits = {visits}\n");
    for (program, verdict) in [(UNSAFE, "FALSE"), (SHORT, "TRUE")] {
        for (visits, first, started) in [(64, 32, 1), (1, 1, 0), (4_000_000_000u32, 1024, 1)] {
            let found = Case::with(program, &bound(visits)).stage(&["--algorithm", "bmc"]);
            assert_eq!(found["verdict"], verdict, "{found}");
            assert_eq!(found["statistics"]["steps"][0]["bound"], first, "{found}");
            assert_eq!(found["sharing"]["started"], started, "{found}");
        }
        // The options of the user limit the bounds.
        let found = Case::with(program, &bound(64)).stage(&["--algorithm", "bmc", "--max-unwind", "2"]);
        assert_eq!(
            (&found["verdict"], &found["statistics"]["steps"][0]["bound"]),
            (&"UNKNOWN".into(), &2.into())
        );
    }
    // Bounded model checking sends its bounds.
    let case = Case::new(SHORT);
    case.stage(&["--algorithm", "bmc", "--max-unwind", "8"]);
    assert!(case.sent().contains("[[bound]]\nloop = \"main.3\"\nvisits = 8\n"), "{}", case.sent());
}

#[test]
fn malformed_files_are_ignored() {
    let case = Case::new(SAFE);
    let folder = case.0.path().join("facts");
    let of_loop = |text: &str| {
        format!("version = 1\n[[loop]]\nfunction = \"main\"\nnumber = 1\npredicates = [{text}]\n")
    };
    case.write("1.half.toml", &RELATION[..RELATION.len() - 9]);
    case.write("2.bytes.toml", [0xff, 0xfe, 0, 1]);
    case.write("3.version.toml", RELATION.replace("version = 1", "version = 2"));
    case.write("4.deep.toml", format!("version = {}", "[".repeat(100_000)));
    case.write("5.nested.toml", of_loop(&format!("\"{}x{}\"", "(".repeat(50_000), ")".repeat(50_000))));
    case.write("6.large.toml", of_loop(&"\"x == 1\", ".repeat(200_000)));
    case.write("7.empty.toml", "");
    case.write("8.syntax.toml", of_loop("\"x ==\", \"y == 2 * x\""));
    case.write(
        "9.smt.toml",
        of_loop("").replace("predicates = []", &format!("smt = [\"{}\"]", "(not ".repeat(50_000))),
    );
    std::fs::create_dir(folder.join("10.folder.toml")).expect("a folder");
    let made = Command::new("mkfifo").arg(folder.join("11.pipe.toml")).status().expect("mkfifo");
    assert!(made.success());
    std::os::unix::fs::symlink("nowhere", folder.join("12.link.toml")).expect("a link");
    case.write("unnamed", RELATION);
    for algorithm in ["k-induction", "predicate", "impact", "bmc"] {
        let options = ["--algorithm", algorithm, "--max-unwind", "4"];
        let options =
            if algorithm == "predicate" || algorithm == "impact" { &options[..2] } else { &options };
        let found = case.stage(options);
        let expected = if algorithm == "bmc" { "UNKNOWN" } else { "TRUE" };
        assert_eq!(found["verdict"], expected, "{found}");
        if algorithm == "predicate" {
            let senders = found["sharing"]["senders"].as_array().expect("senders");
            let received = senders.iter().filter(|sender| sender["received"] != 0);
            let received: Vec<&str> = received.filter_map(|sender| sender["name"].as_str()).collect();
            assert_eq!(received, ["syntax", "smt"], "{found}");
        }
    }
    // Nothing can be written either.
    let run = case.verify(&["--algorithm", "k-induction", "--exchange", "missing/0.own.toml"]);
    assert_eq!((run.last_line(), run.err.as_str()), ("TRUE", ""), "{run:?}");
}

#[test]
fn statistics_name_the_senders() {
    let case = Case::with(SAFE, RELATION);
    let options = ["--algorithm", "predicate", "--stats", "--exchange", "facts/0.own.toml"];
    let run = case.verify(&options);
    assert!(run.out.contains("1 facts from other: 0 skipped, 1 used, 0 of them proved"), "{run:?}");
    assert!(run.out.contains("facts and 0 bounds sent to other stages"), "{run:?}");
}

/// Two stages, of which the first needs a fact of the second.
const SEQUENCE: &str = "about = \"two\"\n\
    [[stage]]\nname = \"weak\"\nturn = 0.05\noptions = [\"--algorithm\", \"k-induction\", \"--invariants\", \"none\"]\n\
    [[stage]]\nname = \"bounds/of bmc\"\nturn = 0.05\noptions = [\"--algorithm\", \"bmc\"]\n\
    [[stage]]\nname = \"precise\"\nturn = 0.05\noptions = [\"--algorithm\", \"predicate\"]\n";

#[test]
fn a_portfolio_shares_facts_unless_it_must_not() {
    let case = Case::new(SAFE);
    std::fs::write(case.0.path().join("sequence.toml"), SEQUENCE).expect("a file");
    let temporary = case.0.path().join("tmp");
    std::fs::create_dir(&temporary).expect("a folder");
    let run_with = |options: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(case.0.path()).env("TMPDIR", &temporary).args(["verify", "program.c"]);
        run(command.args(["--sequence", "sequence.toml"]).args(options), Duration::from_secs(300))
    };
    for (share, is_shared) in [("facts", true), ("none", false)] {
        let found = run_with(&["--json", "--share", share]);
        let found: serde_json::Value = serde_json::from_str(&found.out).expect("JSON");
        assert_eq!(found["verdict"], "TRUE", "{found}");
        assert_eq!(found["sharing"].is_object(), is_shared, "{found}");
        assert_eq!(std::fs::read_dir(&temporary).expect("the folder").count(), 0);
    }
    let limited = run_with(&["--timelimit", "0.5", "--function", "main"]);
    assert!(!limited.out.is_empty());
    assert_eq!(std::fs::read_dir(&temporary).expect("the folder").count(), 0);
    let refused = case.verify(&["--algorithm", "bmc", "--share", "none"]);
    assert!(refused.err.contains("--share needs --algorithm auto"), "{refused:?}");
}

#[test]
fn an_interrupted_portfolio_leaves_no_folder() {
    // Products that no stage decides.
    let hard = "unsigned long __VERIFIER_nondet_ulong(void); void reach_error(void);\n\
        int main(void) { unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong(), s = 0;\n\
        while (__VERIFIER_nondet_ulong()) { x = x * y + 3; y = y * x + 1; s += x * y % 1000003; }\n\
        if (s * s * x * y == 0x1234567890abcdefUL && x % 7919 == 77 && x > y) reach_error(); }";
    let case = Case::new(hard);
    let temporary = case.0.path().join("tmp");
    std::fs::create_dir(&temporary).expect("a folder");
    let is_empty = || std::fs::read_dir(Path::new(&temporary)).expect("the folder").count() == 0;
    let mut command = Command::new(PROGRAM);
    command.current_dir(case.0.path()).env("TMPDIR", &temporary).args(["verify", "program.c"]);
    let mut child = command.stdout(Stdio::null()).spawn().expect("a process");
    while is_empty() {
        assert!(child.try_wait().expect("a child").is_none(), "the run ended without a folder");
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("a running process");
    child.wait().expect("the end");
    assert!(is_empty());
}
