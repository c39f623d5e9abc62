//! Campaigns on a Slurm cluster: with commands that stand in for those of Slurm, and on a cluster
//! of one node.

use super::{PROGRAM, SAFE, Tasks, UNSAFE, pairs, tasks};
use hornwork_tests::{Run, run};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Starts the elements one after another, and keeps its arguments in `calls`. Of the first array,
/// it forgets the element `$LOSE`. It waits for the file `go` before each element if there is a
/// file `wait`.
const SBATCH: &str = r#"#!/bin/sh
echo "$@" >>"$FAKE/calls"
if [ "$REFUSE" ]; then echo 'invalid partition' >&2; exit 1; fi
first=$(wc -l <"$FAKE/calls")
for word in "$@"; do
    case $word in --array=*) last=${word#--array=0-}; last=${last%%%*} ;; esac
done
while [ $# -gt 1 ]; do
    [ "$1" = --chdir ] && cd "$2"
    [ "$1" = --wrap ] && script=$2
    shift
done
touch "$FAKE/queued"
(
    for element in $(seq 0 "$last"); do
        while [ -e "$FAKE/wait" ] && [ ! -e "$FAKE/go" ]; do sleep 0.05; done
        [ "$first" = 1 ] && [ "$element" = "$LOSE" ] && continue
        [ "$LOSE" = all ] && continue
        SLURM_ARRAY_TASK_ID=$element sh -c "$script" >"$element.log" 2>&1
    done
    rm "$FAKE/queued"
) >/dev/null 2>&1 &
echo 17
"#;
const SQUEUE: &str = "#!/bin/sh\nif [ -e \"$FAKE/queued\" ]; then echo 'RUNNING None'; fi\n";
const SCONTROL: &str = "#!/bin/sh\necho 'MaxArraySize            = 4'\n";

const OPTIONS: &[&str] =
    &["set", "-o", "out", "--algorithms", "bmc,predicate", "--executor", "slurm", "--memlimit", "2000"];

/// Two tasks, and a folder `fake` with the commands of Slurm.
fn cluster() -> Tasks {
    let tasks = tasks(&[("safe", SAFE, true), ("unsafe", UNSAFE, false)]);
    for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scontrol", SCONTROL)] {
        tasks.write(&format!("fake/{name}"), text);
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(tasks.path(&format!("fake/{name}")), executable).expect("a script");
    }
    tasks
}

/// The command, with the commands of Slurm on its path.
fn command(tasks: &Tasks, arguments: &[&str]) -> Command {
    let fake = tasks.path("fake");
    let old = std::env::var("PATH").expect("a path");
    let mut command = tasks.command(arguments);
    command.env("PATH", format!("{}:{old}", fake.display())).env("FAKE", fake);
    command
}

fn compare(tasks: &Tasks, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    run(command(tasks, arguments).envs(variables.iter().copied()), Duration::from_secs(300))
}

#[test]
fn runs_of_a_lost_element_are_submitted_again() {
    let tasks = cluster();
    let more = ["--jobs", "5", "--slurm-options", "--partition=long --comment 'a b'"];
    let run = compare(&tasks, &[OPTIONS, &more].concat(), &[("LOSE", "1")]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("job 17 of Slurm: 4 runs") && run.err.contains(": 1 runs"), "{run:?}");
    let results = tasks.results();
    assert_eq!((results.len(), pairs(&results).len()), (4, 4));
    for result in &results {
        assert!(result["host"].as_str().is_some_and(|name| !name.is_empty()), "{result}");
        // This cluster says nothing about cores.
        assert_eq!(result["cores"].as_array().map(Vec::len), Some(0), "{result}");
    }
    let calls = tasks.read("fake/calls");
    let calls: Vec<&str> = calls.lines().collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    // An array of three elements, of which the first has two runs of 60 s: the cluster permits no
    // larger one.
    for word in ["--array=0-2%5", "--cpus-per-task=1", "--mem=2512M", "--partition=long --comment a b"] {
        assert!(calls[0].contains(word), "{word}: {}", calls[0]);
    }
    assert!(calls[0].contains("--time=4"), "{}", calls[0]);
    assert!(calls[1].contains("--array=0-0%5"), "{}", calls[1]);
    assert!(tasks.read("out/report.csv").lines().nth(1).is_some_and(|line| !line.ends_with(',')));
}

#[test]
fn an_array_outlives_the_command_and_is_not_submitted_twice() {
    let tasks = cluster();
    tasks.write("fake/wait", "");
    let mut first = command(&tasks, OPTIONS);
    let mut first = first.stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("the command starts");
    while !tasks.path("fake/queued").exists() {
        assert!(first.try_wait().expect("a child").is_none(), "it ended before it submitted");
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().and_then(|()| first.wait()).expect("it can be killed");
    tasks.write("fake/go", "");
    let run = compare(&tasks, &["-o", "out"], &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = tasks.results();
    assert_eq!((results.len(), pairs(&results).len()), (4, 4));
    assert_eq!(tasks.read("fake/calls").lines().count(), 1);
}

#[test]
fn a_campaign_that_leaves_the_cluster_keeps_what_its_array_wrote() {
    let tasks = cluster();
    let run = compare(&tasks, OPTIONS, &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let sorted = || {
        let mut lines: Vec<String> = tasks.read("out/results.jsonl").lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let all = sorted();
    // As after the death of a command that had moved nothing.
    tasks.write("out/results.jsonl", "");
    tasks.write("fake/queued", "");
    let local = ["-o", "out", "--executor", "local"];
    let run = compare(&tasks, &local, &[]);
    assert_eq!((run.code, sorted()), (Some(0), all.clone()), "{run:?}");
    // One result is lost, and the array might still write it.
    tasks.write("out/results.jsonl", "");
    tasks.write("out/slurm/0001/0000.jsonl", "");
    let run = compare(&tasks, &local, &[]);
    assert!(run.code == Some(2) && run.err.contains("the array of this campaign is still there"), "{run:?}");
    std::fs::remove_file(tasks.path("fake/queued")).expect("it is there");
    let run = compare(&tasks, &local, &[]);
    assert_eq!((run.code, tasks.results().len()), (Some(0), all.len()), "{run:?}");
    assert_eq!(tasks.read("fake/calls").lines().count(), 1);
}

#[test]
fn what_slurm_refuses_or_loses_is_an_error() {
    let tasks = cluster();
    let run = compare(&tasks, OPTIONS, &[("REFUSE", "1")]);
    assert!(run.code == Some(2) && run.err.contains("sbatch (Slurm): invalid partition"), "{run:?}");
    let run = compare(&tasks, OPTIONS, &[("LOSE", "all")]);
    assert!(run.code == Some(2) && run.err.contains("job 17 of Slurm ended without a result"), "{run:?}");
    // The same campaign, on this machine.
    let run = compare(&tasks, &["-o", "out", "--executor", "local"], &[]);
    assert_eq!((run.code, tasks.results().len()), (Some(0), 4), "{run:?}");
    let run = compare(&tasks, &["set", "-o", "new", "--executor", "slurm"], &[]);
    assert!(run.code == Some(2) && run.err.contains("requires --memlimit"), "{run:?}");
    let run = compare(&tasks, &["set", "-o", "other", "--slurm-options", "-x"], &[]);
    assert!(run.code == Some(2) && run.err.contains("requires --executor slurm"), "{run:?}");
}

#[test]
#[ignore = "slow"]
fn a_cluster_of_one_node_runs_a_campaign_that_is_killed_and_continued() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/with-slurm.sh");
    let tasks = tasks(&[("safe", SAFE, true), ("unsafe", UNSAFE, false)]);
    let text = r#""$0" compare "$@" & sleep 2; kill -9 $!; wait; "$0" compare -o out"#;
    let mut command = Command::new(script);
    command.args(["bash", "-c", text, PROGRAM]).args(OPTIONS).current_dir(tasks.path("."));
    let run = run(&mut command, Duration::from_secs(300));
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = tasks.results();
    assert_eq!((results.len(), pairs(&results).len()), (4, 4));
    for result in &results {
        assert_eq!(result["cores"].as_array().map(Vec::len), Some(1), "{result}");
        assert!(matches!(result["answer"].as_str(), Some("true" | "false")), "{result}");
    }
    assert!(tasks.path("out/slurm/0001").is_dir() && !tasks.path("out/slurm/0002").exists());
}
