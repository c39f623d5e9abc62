//! Shared parts of the integration tests: running the tool as a process, finding and sampling the
//! cases, judging verdicts, and the z3 executable.

/// The examples of the manual's chapter on the crates, as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/crates.md")]
pub struct Crates;

pub mod fake;
pub mod misbehave;
pub mod sample;
pub mod verdicts;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The result of a process.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// The last line of standard output.
    pub fn last_line(&self) -> &str {
        self.out.trim_end().lines().last().unwrap_or_default()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The folder of this package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All cases, by their path below `tests/cases` without `.c`.
///
/// # Panics
/// If the folder is not readable.
pub fn cases() -> Vec<Case> {
    let root = package().join("cases");
    let mut cases = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the case folders are readable") {
            let path = entry.expect("the case folders are readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if is_first_file(&path) {
                cases.push(Case::read(&root, &path));
            }
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// Whether the file is a case, not a further file of one (`.part.c`).
fn is_first_file(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".c") && !name.ends_with(".part.c")
}

/// A C program with its expected verdict. Its first lines are `// verdict: TRUE` and optionally
/// `// property: NAME,…`, `// check: NAME,…`, `// options: …`, `// only: ENCODING,…` (the encodings
/// that are precise enough to decide it), `// decided-by: ALGORITHM …` (the algorithms that must
/// decide it; the others may answer UNKNOWN) and `// with: FILE …` (further files of the program,
/// in the same folder).
#[derive(Clone, Debug)]
pub struct Case {
    /// `folder/file`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Further files of the program.
    pub with: Vec<PathBuf>,
    /// `TRUE`, `FALSE(property)` or `UNKNOWN`.
    pub verdict: String,
    /// Further options for the tool, including those from `property` and `check`.
    pub options: Vec<String>,
    /// The encodings that are precise enough; empty for all.
    pub only: Vec<String>,
    /// The algorithms that must decide it, if the case names them.
    pub decided_by: Option<Vec<String>>,
}

impl Case {
    fn read(root: &Path, path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("a case is readable");
        let header = |key: &str| {
            text.lines()
                .take_while(|line| line.starts_with("//"))
                .find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
                .map(str::trim)
        };
        let name = path.strip_prefix(root).expect("a case is below the case folder").with_extension("");
        Case {
            name: name.to_string_lossy().into_owned(),
            path: path.to_path_buf(),
            with: (header("with").unwrap_or_default().split_whitespace())
                .map(|name| path.with_file_name(name))
                .collect(),
            verdict: header("verdict")
                .unwrap_or_else(|| panic!("{} specifies no verdict", path.display()))
                .to_string(),
            options: (header("options").unwrap_or_default().split_whitespace().map(String::from))
                .chain(header("property").map(|names| format!("--property={names}")))
                .chain(header("check").map(|names| format!("--check={names}")))
                .collect(),
            only: header("only")
                .unwrap_or_default()
                .split(',')
                .filter(|s| !s.is_empty())
                .map(String::from)
                .collect(),
            decided_by: header("decided-by")
                .map(|names| names.split_whitespace().map(String::from).collect()),
        }
    }

    /// Whether the encoding is precise enough for it.
    pub fn allows(&self, encoding: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == encoding)
    }

    /// Whether `algorithm` must decide the case; `None` if the case does not specify it.
    pub fn is_decided_by(&self, algorithm: &str) -> Option<bool> {
        self.decided_by.as_ref().map(|names| names.iter().any(|name| name == algorithm))
    }
}

/// Runs `command` to its end, without input, and kills it after `limit`.
///
/// # Panics
/// If it cannot be started or does not end in time.
pub fn run(command: &mut Command, limit: Duration) -> Run {
    let described = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{described}: {error}"));
    let id = child.id();
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if receiver.recv_timeout(limit) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
            return true;
        }
        false
    });
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("a started process can be waited for");
    drop(sender);
    let killed = watchdog.join().expect("the watchdog does not panic");
    assert!(!killed, "{described} did not end within {limit:?}");
    output.into()
}

/// The z3 executable that `scripts/setup.sh test` installs, or the one that `HORNWORK_Z3` names.
///
/// # Panics
/// If it is missing: the emitted files must be tried on another solver.
pub fn z3() -> PathBuf {
    let installed = package().join("../.setup/venv/bin/z3");
    let named = std::env::var_os("HORNWORK_Z3").map(PathBuf::from);
    named
        .into_iter()
        .chain([installed])
        .find(|path| path.exists())
        .expect("z3 is missing: run scripts/setup.sh test")
}
