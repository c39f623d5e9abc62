//! Golden tests of the command line: help, diagnostics, verdicts with traces.

use insta::{Settings, assert_snapshot, glob};
use std::path::Path;

fn run(arguments: &[&str]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = hornwork::Streams { out: &mut out, err: &mut err, is_terminal: false, out_width: None };
    let arguments = std::iter::once("hornwork").chain(arguments.iter().copied()).map(Into::into);
    let code = hornwork::run(arguments, &mut streams);
    format!(
        "exit code {code}\n--- out\n{}--- err\n{}",
        String::from_utf8_lossy(&out),
        String::from_utf8_lossy(&err)
    )
}

/// Runs `work` with a filter that removes the path of `folder` from snapshots.
fn without_folder(folder: &Path, work: impl FnOnce()) {
    let mut settings = Settings::clone_current();
    settings.add_filter(&format!("{}/", folder.display()), "");
    settings.bind(work);
}

#[test]
fn help() {
    assert_snapshot!("help", run(&["--help"]));
    assert_snapshot!("help_verify", run(&["verify", "--help"]));
    assert_snapshot!("help_emit", run(&["emit", "--help"]));
    assert_snapshot!("help_infer_short", run(&["infer", "-h"]));
    assert_snapshot!("help_solvers", run(&["solvers", "--help"]));
    assert_snapshot!("help_verify_short", run(&["verify", "-h"]));
    assert_snapshot!("help_emit_short", run(&["emit", "-h"]));
}

#[test]
fn the_short_help_of_each_command_fits_on_a_screen() {
    /// The number of lines on a screen.
    const MOST: usize = 60;
    for command in [
        &[][..],
        &["verify"],
        &["emit"],
        &["infer"],
        &["harness"],
        &["horn"],
        &["compare"],
        &["smt"],
        &["solvers"],
        &["completions"],
        &["man"],
    ] {
        let text = run(&[command, &["-h"]].concat());
        let help = text.split_once("--- out\n").expect("the text has a section for standard output").1;
        let lines = help.lines().take_while(|line| *line != "--- err").count();
        assert!((5..=MOST).contains(&lines), "{command:?}: {lines} lines\n{help}");
        assert!(help.contains("Examples:"), "{command:?}: {help}");
    }
}

#[test]
fn completions_and_man_pages_cover_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert!(script.starts_with("exit code 0") && script.contains("k-induction"), "{shell}: {script}");
        assert!(!script.contains("worker"), "{shell}: the script completes a hidden command");
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("man1").to_string_lossy().into_owned();
    assert!(run(&["man", &path]).starts_with("exit code 0\n--- out\n--- err\n"));
    for name in ["", "-verify", "-emit", "-infer", "-harness", "-smt", "-solvers", "-completions", "-man"]
        .map(|name| format!("hornwork{name}"))
    {
        let page = std::fs::read_to_string(folder.path().join("man1").join(format!("{name}.1")));
        let page = page.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{name}: {page}");
    }
    assert!(run(&["man"]).contains(".TH hornwork 1"));
}

#[test]
fn diagnostics() {
    glob!("..", "diagnostics/*.c", |path| {
        let folder = path.parent().expect("an input is in a folder");
        without_folder(folder, || {
            assert_snapshot!(run(&["verify", &path.to_string_lossy()]));
        });
    });
}

#[test]
fn counterexamples() {
    for name in ["midpoint", "ring"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let path = folder.join(format!("{name}.c"));
        without_folder(&folder, || {
            let text = run(&["verify", &path.to_string_lossy()]);
            // The values depend on the model of the solver; the golden only fixes the form of the
            // trace.
            let mut settings = Settings::clone_current();
            settings.add_filter(r"-?\b(0x[0-9a-f]+|\d+)\b", "N");
            settings.bind(|| assert_snapshot!(format!("counterexample_{name}"), text));
        });
    }
}

/// Traces of programs whose input values are determined by the program. A comment in the first line
/// contains the options.
#[test]
fn traces() {
    glob!("..", "counterexamples/*.c", |path| {
        let folder = path.parent().expect("an input is in a folder");
        let program = std::fs::read_to_string(path).expect("the program can be read");
        let options = program.lines().next().and_then(|line| line.strip_prefix("/* --"));
        let options = options.map_or_else(String::new, |options| format!("--{options}"));
        without_folder(folder, || {
            let path = path.to_string_lossy();
            let arguments = ["verify", &path].into_iter().chain(options.split_whitespace());
            assert_snapshot!(run(&arguments.collect::<Vec<_>>()));
        });
    });
}

#[test]
fn usage_errors() {
    assert_snapshot!("usage_no_file", run(&["verify"]));
    assert_snapshot!("usage_encoding", run(&["verify", "--encoding", "QF_NRA", "x.c"]));
    assert_snapshot!("usage_missing_file", run(&["verify", "no-such-file.c"]));
}
