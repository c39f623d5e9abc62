//! Tests of the output beside the verdict: the bounds of single loops, a verdict for each check,
//! and the findings when a limit, a signal or a full disk ends the run. And the habits of
//! compilers: options of the preprocessor, standard input, folders, compilation databases.

use hornwork_tests::{Run, run};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(300);

/// A folder with files.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it has a parent"))
                .expect("a folder can be created");
            std::fs::write(path, text).expect("a temporary file can be written");
        }
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the tool in the folder.
    fn run(&self, words: &str) -> Run {
        run(&mut self.command(words), LIMIT)
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
        command.args(words.split_whitespace()).current_dir(self.0.path());
        command
    }

    fn json(&self, words: &str) -> Value {
        let run = self.run(words);
        serde_json::from_str(run.last_line()).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    }
}

const TWO_LOOPS: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint(), i = 0, j = 0;
    if (n > 2) return 0;
    while (i < n) i++;
    while (j < m) j++;
    if (i + j == 9) reach_error();
}
";

#[test]
fn bounds_of_single_loops_are_chosen_and_reported() {
    let folder = Folder::new(&[("a.c", TWO_LOOPS)]);
    let run = folder.run("verify --algorithm bmc --unwindset main.7:5 --quiet a.c");
    assert_eq!((run.code, run.last_line()), (Some(20), "UNKNOWN(bound 5 reached)"), "{run:?}");
    assert!(run.out.contains("Bounds reached: main.6:") && run.out.contains(",main.7:5\n"), "{run:?}");
    let run = folder.run("verify --algorithm bmc --unwindset main.7:10 --quiet a.c");
    assert_eq!(run.last_line(), "FALSE(unreach-call)", "{run:?}");
    let object = folder.json("verify --algorithm bmc --max-unwind 4 --json --quiet a.c");
    let loops = &object["statistics"]["loops"];
    assert_eq!((&loops[1]["name"], &loops[1]["visits"]), (&"main.7".into(), &4.into()), "{object}");
    let run = folder.run("verify --algorithm bmc --unwindset main.8:5 a.c");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("no loop or function `main.8`; the loops are main.6, main.7"), "{run:?}");
}

const THREE_CHECKS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), a[4] = {0};
    if (x < 0 || x > 4) return 0;
    int z = a[x];
    if (y < 10 && y > -10) z += 100 / y;
    return z + y % 7;
}
";

#[test]
fn each_check_has_a_verdict() {
    let folder = Folder::new(&[("a.c", THREE_CHECKS)]);
    for algorithm in ["bmc", "auto"] {
        let words = format!(
            "verify --all-properties --algorithm {algorithm} --check bounds,div-by-zero,overflow --property \
             valid-deref --json --quiet --sarif out.sarif a.c"
        );
        let object = folder.json(&words);
        assert_eq!(object["verdict"], "FALSE", "{object}");
        let checks = object["checks"].as_array().expect("a list of checks");
        let of = |line: u64| -> Vec<&str> {
            let at = checks.iter().filter(|check| check["line"] == line);
            at.map(|check| check["verdict"].as_str().expect("a verdict")).collect()
        };
        assert!(of(5).contains(&"FALSE"), "{algorithm}: {object}");
        assert!(of(6).contains(&"FALSE") && of(6).contains(&"TRUE"), "{algorithm}: {object}");
        assert!(!of(7).is_empty() && of(7).iter().all(|verdict| *verdict == "TRUE"), "{algorithm}: {object}");
        for check in checks {
            let evidence = if check["verdict"] == "TRUE" { "validation" } else { "trace" };
            assert!(!check[evidence].is_null(), "{algorithm}: {check}");
        }
        let sarif = std::fs::read_to_string(folder.path("out.sarif")).expect("the file was written");
        let sarif: Value = serde_json::from_str(&sarif).expect("an object");
        let results = sarif["runs"][0]["results"].as_array().expect("results");
        assert_eq!((&sarif["version"], results.len()), (&"2.1.0".into(), checks.len()));
        let failed = results.iter().find(|result| result["kind"] == "fail").expect("a failed check");
        assert_eq!(failed["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.c");
        assert!(failed["codeFlows"][0]["threadFlows"][0]["locations"][0].is_object(), "{failed}");
    }
}

#[test]
fn the_table_goes_on_after_the_first_error() {
    let folder = Folder::new(&[("a.c", THREE_CHECKS)]);
    let run =
        folder.run("verify --all-properties --algorithm bmc --check div-by-zero,bounds,overflow --quiet a.c");
    assert_eq!((run.code, run.last_line()), (Some(10), "FALSE(bounds)"), "{run:?}");
    let table: Vec<&str> = run.out.lines().filter(|line| line.contains("a.c:")).collect();
    assert!(table.iter().any(|line| line.starts_with("FALSE") && line.contains("a.c:6")), "{run:?}");
    assert!(table.iter().any(|line| line.starts_with("TRUE") && line.contains("a.c:7")), "{run:?}");
}

/// A program whose search at larger bounds takes very long.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), a = 1, i = 0;
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (i < n) {
        a = a * x + y; x ^= a >> 3; y *= a | 1; i++;
        if (a == 12345677 && x == 77777 && y == i) reach_error();
    }
}
";

#[test]
fn the_time_limit_loses_nothing() {
    let folder = Folder::new(&[("a.c", HARD)]);
    let run = folder.run("verify --algorithm bmc --timelimit 10 --stats --quiet a.c");
    assert!(run.last_line().starts_with("UNKNOWN(time limit reached, no error up to bound "), "{run:?}");
    for part in ["loop or recursion", "Bounds reached: main.6:", "a.c:8: call of reach_error"] {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
}

#[test]
fn signals_lose_nothing() {
    let folder = Folder::new(&[("a.c", HARD)]);
    // Each run is interrupted after a message of its log.
    for (signal, algorithm, message) in
        [("-INT", "bmc", "checked"), ("-TERM", "k-induction", "checked"), ("-INT", "auto", "running: ")]
    {
        let words = format!("verify --algorithm {algorithm} --timelimit 200 --json --verbose a.c");
        let mut command = folder.command(&words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let log = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut log = log.lines().map(|line| line.expect("the log is text"));
        assert!(log.any(|line| line.contains(message)), "{algorithm}: no `{message}`");
        let rest = std::thread::spawn(move || log.count());
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.expect("kill starts").success());
        let run = Run::from(child.wait_with_output().expect("it ends"));
        rest.join().expect("the log ends");
        let object: Value =
            serde_json::from_str(run.last_line()).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        assert_eq!((run.code, &object["kind"]), (Some(20), &"interrupted".into()), "{algorithm}: {run:?}");
        if algorithm == "bmc" {
            assert!(object["statistics"]["explored"].is_u64(), "{object}");
        }
        if algorithm != "auto" {
            assert_eq!(object["unproved"][0]["line"], 8, "{algorithm}: {object}");
        }
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new(&[("a.c", TWO_LOOPS)]);
    for words in
        ["verify --algorithm bmc --quiet a.c", "emit --to ir a.c", "verify --algorithm bmc --json a.c"]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let child = folder.command(words).stdout(full).stderr(Stdio::piped()).spawn().expect("it starts");
        let run = Run::from(child.wait_with_output().expect("it ends"));
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
        assert!(run.err.contains("cannot write standard output"), "{words}: {run:?}");
    }
}

const WITH_MACROS: &str = "#include \"other.h\"
extern void reach_error(void);
int main(void) {
    if (LIMIT > OTHER) reach_error();
}
";

#[test]
fn options_of_the_preprocessor_are_those_of_a_compiler() {
    let folder = Folder::new(&[
        ("a.c", WITH_MACROS),
        ("include/other.h", "#ifndef OTHER\n#define OTHER 3\n#endif\n"),
        ("first.h", "#define OTHER 9\n"),
    ]);
    for (words, verdict) in [
        ("-DLIMIT=5 -Iinclude", "FALSE(unreach-call)"),
        ("-D LIMIT=2 -I include -std=c99", "TRUE"),
        ("-DLIMIT=5 -Iinclude -include first.h", "TRUE"),
        ("-DLIMIT=2 -DOTHER=1 -U OTHER -isystem include", "TRUE"),
    ] {
        let run = folder.run(&format!("verify --algorithm bmc --quiet a.c {words}"));
        assert_eq!(run.last_line(), verdict, "{words}: {run:?}");
    }
    let run = folder.run("emit --to check -DLIMIT=5 -Iinclude a.c");
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn a_dash_is_standard_input() {
    let folder = Folder::new(&[("include/other.h", "\u{feff}#define OTHER 3\n")]);
    for algorithm in ["bmc", "auto"] {
        let words = format!("verify --algorithm {algorithm} --quiet -DLIMIT=4 -Iinclude -");
        let mut command = folder.command(&words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(format!("\u{feff}{WITH_MACROS}").as_bytes()).expect("it reads");
        drop(input);
        let run = Run::from(child.wait_with_output().expect("it ends"));
        assert_eq!(run.last_line(), "FALSE(unreach-call)", "{algorithm}: {run:?}");
    }
}

#[test]
fn folders_and_compilation_databases_are_programs() {
    const MAIN: &str =
        "int f(int);\nextern void reach_error(void);\nint main(void) { if (f(3) != 4) reach_error(); }\n";
    let database =
        "[{\"directory\": \"..\", \"file\": \"p/a.c\", \"arguments\": [\"cc\", \"-c\", \"p/a.c\"]},
        {\"directory\": \".\", \"file\": \"b.c\", \"command\": \"cc -DSTEP='1' -c b.c\"}]";
    let folder = Folder::new(&[
        ("p/a.c", MAIN),
        ("p/b.c", "int f(int x) { return x + STEP; }\n"),
        ("p/compile_commands.json", database),
        ("q/a.c", MAIN),
        ("q/b.c", "int f(int x) { return x + 1; }\n"),
        ("q/b.i", "this is not C"),
        ("empty/notes.txt", ""),
        ("broken/compile_commands.json", "[{]"),
    ]);
    for operand in ["p", "p/compile_commands.json", "q"] {
        let run = folder.run(&format!("verify --algorithm bmc --quiet {operand}"));
        assert_eq!(run.last_line(), "TRUE", "{operand}: {run:?}");
    }
    for (operand, message) in [("empty", "neither C files"), ("broken", "not a compilation database")] {
        let run = folder.run(&format!("verify --algorithm bmc --quiet {operand}"));
        assert_eq!(run.code, Some(2), "{operand}: {run:?}");
        assert!(run.err.contains(message), "{operand}: {run:?}");
    }
}

#[test]
fn a_check_needs_no_entry_function() {
    let folder = Folder::new(&[
        ("data.c", "const int table[] = {1, 2, 3};\n"),
        ("wrong.c", "int f(int x) { return x + undeclared; }\n"),
    ]);
    let code = |words: &str| folder.run(words).code;
    assert_eq!(code("emit --to check data.c"), Some(0));
    assert_eq!(code("emit --to check --function main data.c"), Some(2));
    assert_eq!(code("emit --to check wrong.c"), Some(2));
}
