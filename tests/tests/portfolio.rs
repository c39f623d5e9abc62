//! `--algorithm auto`: which stages run, whose answer counts, and what survives.

use hornwork_tests::{Run, run};
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

const SAFE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x += 2; if (x == 7) reach_error(); }";
const UNSAFE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x++; if (x == 3) reach_error(); }";
const STRAIGHT: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); }";
/// An error behind 100,000 iterations without inputs.
const EXECUTED: &str = "void reach_error(void);\n\
    int main(void) { unsigned x = 0; while (x < 100000) x += 2; if (x == 100000) reach_error(); }";
/// Products of 64 bits that no algorithm decides in a minute.
const HARD: &str = "unsigned long __VERIFIER_nondet_ulong(void); void reach_error(void);\n\
    int main(void) { unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong(), s = 0;\n\
      while (__VERIFIER_nondet_ulong()) { x = x * y + 3; y = y * x + 1; s += x * y % 1000003; }\n\
      if (s * s * x * y == 0x1234567890abcdefUL && x % 7919 == 77 && x > y && y > 1000000007) reach_error(); }";

/// A program in a file of its own folder.
struct Case {
    folder: TempDir,
    file: PathBuf,
}

fn case(program: &str) -> Case {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("a temporary file can be written");
    Case { folder, file }
}

impl Case {
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        std::fs::write(&file, text).expect("a temporary file can be written");
        file
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("verify").args(arguments).arg(&self.file);
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(&mut self.command(arguments), Duration::from_secs(120))
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let run = self.run(&[&["--json"], arguments].concat());
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    }

    /// Starts a run whose output is not read.
    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).spawn().expect("a process")
    }
}

#[test]
fn the_first_answer_is_that_of_the_run_with_its_evidence() {
    for (program, verdict, code, evidence) in [
        (SAFE, "TRUE", 0, "Loop invariants:"),
        (UNSAFE, "FALSE(unreach-call)", 10, "__VERIFIER_nondet_int()"),
    ] {
        for jobs in ["1", "2", "5"] {
            let run = case(program).run(&["--jobs", jobs]);
            assert_eq!((run.last_line(), run.code), (verdict, Some(code)), "{run:?}");
            assert!(jobs != "1" || run.out.contains(evidence), "{run:?}");
        }
    }
}

#[test]
fn features_choose_the_stages() {
    let loops = case(SAFE).json(&[]);
    assert_eq!((&loops["verdict"], &loops["portfolio"]["winner"]), (&"TRUE".into(), &"k-induction".into()));
    assert_eq!(loops["portfolio"]["features"]["features"], serde_json::json!(["loops", "inputs"]));
    assert_eq!(loops["options"]["algorithm"], "auto");
    let explained = case(STRAIGHT).run(&["--explain"]);
    assert!(explained.out.contains("k-induction is skipped: the program has no loops"), "{explained:?}");
    assert!(explained.out.contains("1. bmc") && explained.last_line() == "TRUE", "{explained:?}");
    // Only programs without inputs are executed.
    let skipped = case(SAFE).run(&["--explain"]);
    assert!(skipped.out.contains("execution is skipped: the program has inputs"), "{skipped:?}");
    let executed = case(EXECUTED).run(&["--explain"]);
    assert!(executed.out.contains("deep-bmc is skipped: the program has no inputs"), "{executed:?}");
    assert!(executed.out.contains("2. execution") && executed.code == Some(10), "{executed:?}");
    // An option of the command line applies to all stages.
    let encoding = case(SAFE).run(&["--explain", "--encoding", "QF_AUFLIRA"]);
    let skipped = "linear-k-induction is skipped: --encoding is on the command line";
    assert!(encoding.out.contains(skipped), "{encoding:?}");
}

#[test]
fn a_sequence_is_a_file() {
    let case = case(SAFE);
    let sequence = |name: &str, algorithms: [&str; 2]| {
        let stages = algorithms.map(|algorithm| {
            format!(
                "[[stage]]\nname = \"{algorithm}\"\nturn = 0.05\noptions = [\"--algorithm\", \"{algorithm}\"]\n"
            )
        });
        case.write(name, &format!("about = \"two\"\n{}{}", stages[0], stages[1])).display().to_string()
    };
    // Unrolling never ends on this program.
    for (algorithms, winner) in
        [(["bmc", "predicate"], "predicate"), (["symbolic-execution", "kiki"], "kiki")]
    {
        let found = case.json(&["--sequence", &sequence("two.toml", algorithms)]);
        assert_eq!(
            (&found["verdict"], &found["portfolio"]["winner"]),
            (&"TRUE".into(), &winner.into()),
            "{found}"
        );
    }
    let misspelled = sequence("wrong.toml", ["bmc", "predicat"]);
    let run = case.run(&["--sequence", &misspelled]);
    assert!(run.code == Some(2) && run.err.contains("stage `predicat`"), "{run:?}");
}

#[test]
fn a_stage_is_given_up_at_its_limit() {
    let case = case(HARD);
    let text = "about = \"\"\n\
        [[stage]]\nname = \"short\"\nlimit = 0.3\noptions = [\"--algorithm\", \"k-induction\"]\n\
        [[stage]]\nname = \"bounded\"\noptions = [\"--algorithm\", \"bmc\", \"--unwind\", \"1\"]\n";
    let sequence = case.write("limited.toml", text);
    let sequence = sequence.to_str().expect("a path in UTF-8");
    let answer = case.json(&["--sequence", sequence, "--timelimit", "8"]);
    let stages = &answer["portfolio"]["stages"];
    assert_eq!(stages[0]["reason"], "limit of the stage reached", "{answer}");
    assert_eq!(stages[0]["turns"], 1, "{answer}");
}

#[test]
fn an_input_that_can_be_read_once_is_verified_by_one_stage() {
    let mut command = Command::new(PROGRAM);
    let file = std::fs::File::open(case(SAFE).file).expect("the file");
    let mut cat = Command::new("cat").stdin(file).stdout(Stdio::piped()).spawn().expect("a process");
    command.args(["verify", "--explain", "/dev/stdin"]).stdin(cat.stdout.take().expect("its output"));
    let run = Run::from(command.output().expect("the output"));
    cat.wait().expect("the end");
    assert!(run.last_line() == "TRUE" && run.out.contains("Only the first stage runs"), "{run:?}");
}

#[test]
fn options_that_belong_to_one_algorithm_are_refused() {
    for (arguments, wanted) in [
        (&["--algorithm", "auto", "--k-max", "3"][..], "--k-max belongs to one algorithm"),
        (&["--algorithm", "bmc", "--jobs", "2"], "--jobs needs --algorithm auto"),
        (&["--unwind", "2", "--explain"], "--explain needs --algorithm auto"),
        (&["--solver", "nobody"], "no built-in solver is named `nobody`"),
        (&["--encoding", "UFLIRA", "--validator", "nobody"], "nobody"),
        (&["--passes", "nothing"], "nothing"),
        (&["--sequence", "no-such-file"], "built-in sequences: default, proof"),
    ] {
        let run = case(SAFE).run(arguments);
        assert!(run.code == Some(2) && run.err.contains(wanted), "{run:?}");
    }
}

#[test]
fn the_certificate_is_that_of_the_stage_that_decides() {
    let case = case(SAFE);
    let file = case.folder.path().join("proof.smt2");
    let run = case.run(&["--certificate", &file.display().to_string()]);
    assert_eq!(run.last_line(), "TRUE", "{run:?}");
    let script = std::fs::read_to_string(&file).expect("the certificate");
    assert!(script.contains("(check-sat"), "{script}");
}

#[test]
fn at_the_time_limit_the_stages_say_what_they_found() {
    let run = case(HARD).run(&["--timelimit", "3"]);
    assert!(run.code == Some(20) && run.last_line().starts_with("UNKNOWN(time limit reached"), "{run:?}");
    assert!(run.out.contains("- k-induction: ") && run.out.contains("hint: "), "{run:?}");
}

/// The processes that `parent` has started and that run, with their arguments.
fn children(parent: u32) -> Vec<(i32, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("there is /proc").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        let is_zombie = status.lines().any(|line| line.starts_with("State:") && line.contains('Z'));
        if line.and_then(|text| text.trim().parse::<u32>().ok()) == Some(parent) && !is_zombie {
            let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push((id, String::from_utf8_lossy(&arguments).replace('\0', " ")));
        }
    }
    found
}

/// The children of `parent`, and theirs.
fn below(parent: u32) -> Vec<i32> {
    let children = children(parent).into_iter().map(|(id, _)| id);
    children.flat_map(|id| std::iter::once(id).chain(below(id.unsigned_abs()))).collect()
}

/// Waits until `condition` holds.
fn until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never happens");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Only children: a process that a stage starts has the arguments of the stage at first.
fn stages(parent: u32) -> Vec<i32> {
    let stages = children(parent).into_iter().filter(|(_, arguments)| arguments.contains("--stage="));
    stages.map(|(id, _)| id).collect()
}

fn signal(id: i32, signal: Signal) {
    let id = Pid::from_raw(id).expect("an identifier");
    // The process may have ended.
    let _ = kill_process(id, signal);
}

fn is_alive(id: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    !status.is_empty() && !status.lines().any(|line| line.starts_with("State:") && line.contains('Z'))
}

/// A sequence of stages with names and options; each has all the time until it ends.
fn sequence(case: &Case, stages: &[(&str, &[&str])]) -> String {
    let mut text = "about = \"test\"\n".to_owned();
    for (name, options) in stages {
        text += &format!("[[stage]]\nname = \"{name}\"\nturn = 1000.0\noptions = {options:?}\n");
    }
    case.write("sequence.toml", &text).display().to_string()
}

/// The stages before the last one failed for a reason like `failure`, and the last one has a proof.
fn last_proves(found: &serde_json::Value, failure: &str) {
    assert_eq!(
        (&found["verdict"], &found["portfolio"]["winner"]),
        (&"TRUE".into(), &"proof".into()),
        "{found}"
    );
    let stages = found["portfolio"]["stages"].as_array().expect("a list");
    for stage in &stages[..stages.len() - 1] {
        assert!(stage["reason"].as_str().is_some_and(|reason| reason.contains(failure)), "{found}");
    }
}

/// Neither of the first two stages ends: without invariants, no k is large enough.
#[test]
fn killed_stages_change_no_verdict() {
    let case = case(SAFE);
    let endless = [
        ("unrolling", &["--algorithm", "bmc", "--k-step", "+1"][..]),
        ("step", &["--algorithm", "k-induction", "--invariants", "none", "--k-step", "+1"]),
    ];
    for jobs in [1, 2] {
        let stages = [&endless[..jobs], &[("proof", &["--algorithm", "predicate"])]].concat();
        let sequence = sequence(&case, &stages);
        let child = case.start(&["--json", "--jobs", &jobs.to_string(), "--sequence", &sequence]);
        let parent = child.id();
        until(|| self::stages(parent).len() == jobs);
        self::stages(parent).into_iter().for_each(|stage| signal(stage, Signal::KILL));
        let output = child.wait_with_output().expect("the output");
        last_proves(&serde_json::from_slice(&output.stdout).expect("JSON"), "ended without an answer");
    }
}

#[test]
fn a_stage_that_exceeds_the_memory_changes_no_verdict() {
    let case = case(SAFE);
    let sequence = sequence(
        &case,
        &[
            ("large", &["--algorithm", "bmc", "--unwind", "100000000"]),
            ("proof", &["--algorithm", "predicate"]),
        ],
    );
    last_proves(&case.json(&["--memlimit", "250", "--sequence", &sequence]), "memory limit");
}

/// Where no limit of time ends a turn, two runs have the same answer with the same evidence.
#[test]
fn a_sequential_run_repeats_exactly() {
    for (program, verdict) in [(SAFE, "TRUE"), (UNSAFE, "FALSE(unreach-call)")] {
        let case = case(program);
        let stages: [(&str, &[&str]); 2] =
            [("shallow", &["--algorithm", "bmc", "--unwind", "2"]), ("all", &["--algorithm", "k-induction"])];
        let sequence = sequence(&case, &stages);
        let [first, second] = [0, 1].map(|_| case.run(&["--sequence", &sequence]));
        assert_eq!(first.last_line(), verdict, "{first:?}");
        assert_eq!(first.out, second.out);
    }
}

#[test]
fn an_interrupted_run_leaves_no_process() {
    for (end, jobs) in [(Signal::INT, "2"), (Signal::KILL, "2"), (Signal::TERM, "1")] {
        let case = case(HARD);
        let mut child = case.start(&["--jobs", jobs]);
        let parent = child.id();
        // With one job, a second stage means that the first is suspended.
        until(|| stages(parent).len() >= 2);
        let all = below(parent);
        signal(i32::try_from(parent).expect("an identifier"), end);
        child.wait().expect("the end");
        until(|| all.iter().all(|&id| !is_alive(id)));
    }
}

/// A parent that is killed while its stage starts cannot end it.
#[test]
fn a_stage_ends_if_its_parent_ended_before() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let case = case(HARD);
    let mut child =
        case.command(&["--algorithm", "bmc", "--stage=0"]).stdout(writer).spawn().expect("a stage");
    until(|| child.try_wait().expect("a child").is_some());
}

#[test]
fn folders_of_certificates_are_removed() {
    let case = case(SAFE);
    let temporary = case.folder.path().join("tmp");
    std::fs::create_dir(&temporary).expect("a folder");
    let file = case.folder.path().join("proof.smt2");
    let mut command = case.command(&["--certificate", &file.display().to_string()]);
    let run = run(command.env("TMPDIR", &temporary), Duration::from_secs(60));
    assert_eq!(run.last_line(), "TRUE", "{run:?}");
    let left = std::fs::read_dir(Path::new(&temporary)).expect("the folder").count();
    assert_eq!(left, 0);
}
