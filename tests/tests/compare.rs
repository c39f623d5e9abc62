//! `hornwork compare`: campaigns that are interrupted, limited, repeated and compared, and the
//! supervisor of their runs.

use hornwork_tests::{Run, run};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

#[path = "compare/slurm.rs"]
mod slurm;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

const SAFE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); }";
const UNSAFE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); }";
/// Products of 64 bits that no algorithm decides in a minute.
/// Asks for the factors of a prime number of 127 bits.
const HARD: &str = "unsigned long __VERIFIER_nondet_ulong(void); void reach_error(void);\n\
    int main(void) { unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong();\n\
      unsigned __int128 prime = ((unsigned __int128)0x4000382569001d73UL << 64) | 0xcfdd9cda78a4fb83UL;\n\
      if (x > 1 && y > 1 && (unsigned __int128)x * y == prime) reach_error(); }";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// A folder with tasks in `set` and, later, the campaign in `out`.
struct Tasks(TempDir);

/// Writes tasks with these names, programs and expected verdicts.
fn tasks(all: &[(&str, &str, bool)]) -> Tasks {
    let tasks = Tasks(tempfile::tempdir().expect("a temporary folder can be created"));
    tasks.write("unreach-call.prp", PROPERTY);
    for (name, program, expected) in all {
        tasks.write(&format!("set/{name}.c"), program);
        tasks.define(name, *expected);
    }
    tasks
}

impl Tasks {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be created");
        std::fs::write(path, text).expect("a temporary file can be written");
    }

    fn define(&self, name: &str, expected: bool) {
        let text = format!(
            "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: ../unreach-call.prp\n    expected_verdict: {expected}\n"
        );
        self.write(&format!("set/{name}.yml"), &text);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("compare").args(arguments).current_dir(self.0.path());
        command
    }

    fn compare(&self, arguments: &[&str]) -> Run {
        run(&mut self.command(arguments), Duration::from_secs(300))
    }

    fn results(&self) -> Vec<Value> {
        self.read("out/results.jsonl")
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line is an object"))
            .collect()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file of the campaign")
    }
}

/// The pairs of a task and a configuration in results.
fn pairs(results: &[Value]) -> BTreeSet<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    results.iter().map(|run| (text(&run["task"]), text(&run["configuration"]))).collect()
}

#[test]
fn a_campaign_runs_each_task_in_each_configuration_and_reports() {
    let tasks = tasks(&[("safe", SAFE, true), ("unsafe", UNSAFE, false)]);
    let run =
        tasks.compare(&["set", "-o", "out", "--algorithms", "bmc,predicate", "--solvers", "yices,craig"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = tasks.results();
    assert_eq!(results.len(), 8);
    assert_eq!(pairs(&results).len(), 8);
    for result in &results {
        assert!(result["cputime"].as_f64().is_some_and(|time| time > 0.0), "{result}");
        assert!(result["memory"].as_u64().is_some_and(|bytes| bytes > 1 << 20), "{result}");
        assert!(tasks.path("out").join(result["log"].as_str().expect("a name")).is_file(), "{result}");
        assert_eq!(result["left_over"], 0, "{result}");
    }
    assert!(run.out.contains("bmc yices") && run.out.contains("score"), "{run:?}");
    let page = tasks.read("out/report.html");
    assert!(page.contains("predicate craig") && page.contains("set/unsafe.yml") && page.contains("Plotly"));
    // Self-contained: no element refers to a file of its own.
    let own = page.split("<script type=\"text/javascript\">").next().expect("the part before the plots");
    assert!(!own.contains(" src=") && !own.contains("<link"), "{own}");
    let table = tasks.read("out/report.md");
    assert!(table.contains("| bmc yices | 2 | 1 | 1 | 0 | 0 |"), "{table}");
    assert_eq!(tasks.read("out/report.csv").lines().count(), 9);
    // Again, with nothing left to do.
    let again = tasks.compare(&["-o", "out"]);
    assert_eq!((again.code, tasks.results().len()), (Some(0), 8), "{again:?}");
}

#[test]
fn wrong_verdicts_are_named_unless_the_label_is_disputed() {
    let tasks = tasks(&[("safe", SAFE, false), ("unsafe", UNSAFE, true)]);
    let run = tasks.compare(&["set", "-o", "out", "--algorithms", "bmc"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("wrong proof: set/safe.yml (bmc)"), "{run:?}");
    assert!(run.out.contains("wrong alarm: set/unsafe.yml (bmc)"), "{run:?}");
    tasks.write("disputed.txt", "set/safe: the label is wrong\nset/unsafe: and this one\n");
    let arguments = ["set", "-o", "other", "--algorithms", "bmc", "--disputed", "disputed.txt"];
    let run = tasks.compare(&arguments);
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn other_options_and_a_second_process_are_refused() {
    let tasks = tasks(&[("safe", SAFE, true)]);
    assert_eq!(tasks.compare(&["set", "-o", "out", "--algorithms", "bmc"]).code, Some(0));
    for (arguments, expected) in [
        (&["set", "-o", "out", "--algorithms", "impact"][..], "differs in the configurations"),
        (&["set", "-o", "out", "--algorithms", "bmc", "--timelimit", "7"], "differs in the limits"),
        (&["unreach-call.prp", "-o", "out"], "not a task"),
        (&["-o", "out", "--timelimit", "7"], "--timelimit belongs to a new campaign"),
        (&["-o", "none"], "no campaign to continue"),
        (&["set", "-o", "new", "--algorithms", "nonesuch"], "nonesuch"),
        (&["set", "-o", "new", "--jobs", "4000"], "processor cores"),
    ] {
        let run = tasks.compare(arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(expected), "{run:?}");
    }
    let held = std::fs::File::open(tasks.path("out/results.jsonl")).expect("the results");
    held.lock().expect("a lock");
    let run = tasks.compare(&["-o", "out"]);
    assert!(run.code == Some(2) && run.err.contains("another process"), "{run:?}");
}

/// Starts a process with an environment variable that its children inherit.
fn marked(command: &mut Command, mark: &str) -> std::process::Child {
    command.env("HORNWORK_TEST_MARK", mark).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a process")
}

/// The processes with the mark, except zombies.
fn with_mark(mark: &str) -> Vec<u32> {
    let wanted = format!("HORNWORK_TEST_MARK={mark}\0");
    let has_mark = |process: &u32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&wanted)
    };
    let names = std::fs::read_dir("/proc").expect("/proc is readable").flatten();
    let processes = names.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok());
    processes.filter(has_mark).collect()
}

fn kill(process: u32) {
    let process = Pid::from_raw(process.cast_signed()).expect("the number of a process");
    // It may have ended.
    let _ = kill_process(process, Signal::KILL);
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..1200 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("in vain: {what}");
}

#[test]
fn a_killed_campaign_leaves_no_process_and_continues() {
    let all: Vec<(String, &str, bool)> = (0..4)
        .map(|number| (format!("easy{number}"), SAFE, true))
        .chain([("hard".to_owned(), HARD, true), ("last".to_owned(), UNSAFE, false)])
        .collect();
    let all: Vec<(&str, &str, bool)> =
        all.iter().map(|(name, text, label)| (name.as_str(), *text, *label)).collect();
    let tasks = tasks(&all);
    let mark = format!("{}-compare", std::process::id());
    let arguments = ["set", "-o", "out", "--algorithms", "bmc", "--timelimit", "1000"];
    let mut campaign = marked(&mut tasks.command(&arguments), &mark);
    let lines =
        || std::fs::read_to_string(tasks.path("out/results.jsonl")).unwrap_or_default().lines().count();
    until("the hard task runs", || lines() == 4 && with_mark(&mark).len() >= 3);
    kill(campaign.id());
    campaign.wait().expect("it has ended");
    until("all processes end", || with_mark(&mark).is_empty());
    let before = tasks.read("out/results.jsonl");
    // As if the machine had stopped while a line was written.
    tasks.write("out/results.jsonl", &format!("{before}{{\"task\":\"set/hard.yml\",\"conf"));
    // The hard task becomes easy, so that the test ends.
    tasks.write("set/hard.c", SAFE);
    let run = tasks.compare(&["-o", "out"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("continuing: 4 runs are finished, 2 are left"), "{run:?}");
    let after = tasks.read("out/results.jsonl");
    assert!(after.starts_with(&before), "finished runs are neither lost nor repeated");
    assert_eq!((after.lines().count(), pairs(&tasks.results()).len()), (6, 6));
}

#[test]
fn limits_end_runs_with_all_of_their_processes() {
    let tasks = tasks(&[("hard", HARD, true)]);
    let mark = format!("{}-limits", std::process::id());
    let command = |out: &str, more: &[&str]| {
        let mut command = tasks.command(&["set", "-o", out, "--algorithms", "bmc"]);
        command.args(more).env("HORNWORK_TEST_MARK", &mark);
        command
    };
    let run = run(&mut command("out", &["--cputimelimit", "1"]), Duration::from_secs(300));
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = tasks.results();
    assert_eq!((&results[0]["limit"], &results[0]["kind"]), (&"cpu-time".into(), &"cpu-time-limit".into()));
    assert!(results[0]["cputime"].as_f64().is_some_and(|time| time >= 1.0), "{results:?}");
    assert!(with_mark(&mark).is_empty());
}

/// Runs a script under a supervisor and returns its report.
fn supervised(options: &[&str], script: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let mut command = Command::new(PROGRAM);
    command.arg("supervise").args(options).arg("--out").arg(folder.path().join("out"));
    command.arg("--err").arg(folder.path().join("err")).args(["--", "sh", "-c", script]);
    let run = run(&mut command, Duration::from_secs(120));
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn the_time_of_all_processes_counts_and_none_survives() {
    // A busy child, and one that leaves the group and the session.
    let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let alone = supervised(&[], busy);
    let both = supervised(&[], &format!("sh -c '{busy}' & {busy}; wait"));
    let ratio = both["cputime"].as_f64().expect("a number") / alone["cputime"].as_f64().expect("a number");
    assert!((1.3..3.5).contains(&ratio), "{alone} {both}");
    let left = supervised(&[], "setsid sleep 1000 & sleep 0.2; exit 3");
    assert_eq!((&left["exit"], &left["left_over"]), (&3.into(), &1.into()), "{left}");
    let killed = supervised(&["--timelimit", "0.3"], "setsid sleep 1000 & sleep 1000");
    assert_eq!((&killed["limit"], &killed["signal"]), (&"time".into(), &9.into()), "{killed}");
    let stopped = supervised(&["--cputimelimit", "0.3"], "while :; do :; done & wait");
    assert_eq!(stopped["limit"], "cpu-time", "{stopped}");
    let signaled = supervised(&[], "kill -11 $$");
    assert_eq!((&signaled["exit"], &signaled["signal"]), (&Value::Null, &11.into()), "{signaled}");
}

#[test]
fn memory_is_measured_and_limited() {
    let large = "x=$(head -c 50000000 /dev/zero | tr '\\0' a); sleep 0.3";
    let measured = supervised(&[], large);
    assert!(measured["memory"].as_u64().is_some_and(|bytes| bytes > 50_000_000), "{measured}");
    let limited = supervised(&["--memlimit", "30"], large);
    assert_eq!(limited["limit"], "memory", "{limited}");
}

#[test]
fn a_baseline_shows_what_changed() {
    let tasks = tasks(&[("safe", SAFE, true), ("unsafe", UNSAFE, false)]);
    let arguments = ["set", "-o", "out", "--algorithms", "bmc"];
    assert_eq!(tasks.compare(&arguments).code, Some(0));
    let same = tasks.compare(&["-o", "out", "--baseline", "out"]);
    assert_eq!(same.code, Some(0), "{same:?}");
    assert!(same.out.contains("2 runs are compared with the baseline"), "{same:?}");
    // An older campaign in which the alarm was missing, and one in which the tasks were easier.
    let old = tasks.read("out/results.jsonl").replace("\"answer\":\"false\"", "\"answer\":\"unknown\"");
    tasks.write("old.jsonl", &old);
    let gained = tasks.compare(&["-o", "out", "--baseline", "old.jsonl"]);
    assert_eq!(gained.code, Some(0), "{gained:?}");
    assert!(gained.out.contains("gained: set/unsafe.yml (bmc): unknown -> correct alarm"), "{gained:?}");
    tasks.write("new/results.jsonl", &old);
    tasks.write("new/campaign.json", &tasks.read("out/campaign.json"));
    let lost = tasks.compare(&["-o", "new", "--baseline", "out"]);
    assert_eq!(lost.code, Some(1), "{lost:?}");
    assert!(lost.out.contains("lost: set/unsafe.yml (bmc): correct alarm -> unknown"), "{lost:?}");
    assert!(tasks.read("new/report.html").contains("Changes since the baseline"));
}

#[test]
fn scripts_are_tasks_with_their_status_as_label() {
    let tasks = tasks(&[]);
    let script = |status: &str, bound: u32| {
        format!(
            "(set-logic QF_LIA)\n(set-info :status {status})\n(declare-const x Int)\n(assert (and (> x 3) (< x {bound})))\n(check-sat)\n"
        )
    };
    tasks.write("queries/a.smt2", &script("sat", 9));
    tasks.write("queries/b.smt2", &script("unsat", 4));
    tasks.write("queries/c.smt2", "(check-sat");
    let run = tasks.compare(&["queries", "-o", "out", "--solvers", "yices,craig"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = tasks.results();
    assert_eq!(results.len(), 6);
    let of = |file: &str| -> Vec<&str> {
        let own = results.iter().filter(|run| run["task"] == format!("queries/{file}"));
        own.map(|run| run["answer"].as_str().expect("a name")).collect()
    };
    assert_eq!(of("a.smt2"), ["true", "true"]);
    assert_eq!(of("b.smt2"), ["false", "false"]);
    assert_eq!(of("c.smt2"), ["rejected", "rejected"]);
    let run = tasks.compare(&["queries", "-o", "new", "--algorithms", "bmc"]);
    assert!(run.code == Some(2) && run.err.contains("no effect on SMT-LIB scripts"), "{run:?}");
}

#[test]
fn a_benchmark_definition_is_a_campaign() {
    let tasks = tasks(&[("safe", SAFE, true), ("unsafe", UNSAFE, false)]);
    tasks.write(
        "bench.xml",
        "<benchmark tool='hornwork' timelimit='60 s'>\n<rundefinition name='one'><option name='--algorithm'>bmc</option></rundefinition>\n\
         <rundefinition name='two'><option name='--algorithm'>predicate</option></rundefinition>\n\
         <tasks name='all'><include>set/*.yml</include><propertyfile>unreach-call.prp</propertyfile></tasks></benchmark>",
    );
    let run = tasks.compare(&["bench.xml", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(pairs(&tasks.results()).len(), 4);
    assert!(run.out.contains("two"), "{run:?}");
    tasks.write(
        "bench.xml",
        "<benchmark>\n  <rundefinition/>\n <tasks><include>x/*.yml</include></tasks></benchmark>",
    );
    let run = tasks.compare(&["bench.xml", "-o", "new"]);
    assert!(run.code == Some(2) && run.err.contains("bench.xml: line 3"), "{run:?}");
    let run = tasks.compare(&["bench.xml", "-o", "new", "--algorithms", "bmc"]);
    assert!(run.err.contains("--algorithms cannot be combined"), "{run:?}");
}

#[test]
fn a_sample_has_tasks_of_each_set() {
    let tasks = tasks(&[]);
    for number in 0..6 {
        tasks.write(&format!("many/t{number}.c"), SAFE);
    }
    tasks.write("few/t.c", SAFE);
    let run = tasks.compare(&["many", "few", "-o", "out", "--sample", "2", "--algorithms", "bmc"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let sets: BTreeSet<String> = pairs(&tasks.results())
        .into_iter()
        .map(|(task, _)| Path::new(&task).parent().expect("a set").display().to_string())
        .collect();
    assert_eq!(sets, BTreeSet::from(["few".to_owned(), "many".to_owned()]));
}
