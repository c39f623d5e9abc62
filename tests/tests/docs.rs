//! Tests of the commands in the README and the manual: runs each command after a `$` in a `console`
//! block and compares its output with the text of the block.
//!
//! All blocks of a file run in one temporary folder with copies of `examples/` and `docs/`. In an
//! expected output, `[..]` matches any text within a line, and a line `...` matches any sequence of
//! lines. Standard output and standard error are interleaved, as on a terminal.
//! `HORNWORK_BLESS=1` writes the actual outputs where they differ; restore the `[..]` manually
//! afterwards.

use hornwork_tests::package;
use passes::evidence::UnknownKind;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs that `sh` blocks may call. These blocks are not executed.
const NOT_RUN: &[&str] = &["make", "cargo", "git", "pip", "mdbook", "dot", "hornwork", "source", "eval"];

fn root() -> PathBuf {
    package().join("..")
}

/// Returns the paths of the README and the chapters of the manual.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let folder = std::fs::read_dir(root().join("docs")).expect("the manual is readable");
    let mut chapters: Vec<PathBuf> =
        folder.map(|entry| entry.expect("the folder is readable").path()).collect();
    chapters.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    chapters.sort();
    found.extend(chapters);
    found
}

fn is_blessing() -> bool {
    std::env::var_os("HORNWORK_BLESS").is_some_and(|value| value == "1")
}

/// A fenced code block.
struct Block<'t> {
    language: &'t str,
    lines: Vec<&'t str>,
    /// Line indices in the file, from 0: the first line of the contents, and the closing fence.
    range: std::ops::Range<usize>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block { language, lines: Vec::new(), range: number + 1..number + 1 });
            }
            (Some(_), Some(_)) => {
                let mut block = open.take().expect("the block is open");
                block.range.end = number;
                found.push(block);
            }
            (Some(block), None) => block.lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a code block is not closed");
    found
}

/// The commands of a block, each with its expected output.
fn commands<'t>(block: &Block<'t>) -> Vec<(&'t str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command, String::new())),
            (None, Some((_, output))) => {
                output.push_str(line.trim_end());
                output.push('\n');
            }
            (None, None) => panic!("a console block must start with a command: {line}"),
        }
    }
    found
}

/// Whether `line` matches `pattern`, where `[..]` matches any text.
fn matches_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether `actual` matches `expected`, where a line `...` matches any sequence of lines.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"...", rest)) => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        Some((pattern, rest)) => actual
            .split_first()
            .is_some_and(|(line, others)| matches_line(pattern, line) && matches(rest, others)),
    }
}

#[test]
fn patterns_match_what_they_say() {
    assert!(matches_line("a [..] c", "a b c") && matches_line("a[..]", "a") && matches_line("ab", "ab"));
    assert!(!matches_line("a [..] c", "a b d") && !matches_line("ab", "abc"));
    assert!(matches(&["a", "...", "c"], &["a", "b", "b", "c"]) && matches(&["...", "c"], &["c"]));
    assert!(!matches(&["a", "..."], &["b"]) && !matches(&["a"], &["a", "b"]));
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a temporary folder can be created");
    for entry in std::fs::read_dir(from).expect("a readable folder") {
        let path = entry.expect("the folder is readable").path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().expect("the path has a file name")))
                .expect("the file can be copied");
        }
    }
}

/// Runs the commands of one document. Returns its text with the actual outputs, and the
/// differences from the expected outputs.
fn run(text: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    copy(&root().join("examples"), &folder.path().join("examples"));
    copy(&root().join("docs"), &folder.path().join("docs"));
    let programs = folder.path().join("bin");
    std::fs::create_dir(&programs).expect("a temporary folder can be created");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hornwork-under-test"), programs.join("hornwork"))
        .expect("the link can be created");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let (mut lines, mut differences) = (text.lines().map(str::to_owned).collect::<Vec<_>>(), String::new());
    // Replace from the end, so that the remaining line indices stay valid.
    let mut replacements: Vec<(std::ops::Range<usize>, Vec<String>)> = Vec::new();
    for block in blocks(text).iter().filter(|block| block.language == "console") {
        let mut contents = Vec::new();
        for (command, expected) in commands(block) {
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1; {command}")])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env_remove("HORNWORK_LOG")
                .env("COLUMNS", "100")
                .stdin(std::process::Stdio::null())
                .output()
                .expect("a shell is available");
            let code = output.status.code();
            if !matches!(code, Some(0 | 2 | 10 | 20)) {
                let _ = writeln!(differences, "$ {command}\nexited with {code:?}");
            }
            let actual = String::from_utf8_lossy(&output.stdout);
            let actual: Vec<&str> = actual.lines().map(str::trim_end).collect();
            contents.push(format!("$ {command}"));
            let wanted: Vec<&str> = expected.trim_end_matches('\n').lines().collect();
            if matches(&wanted, &actual) {
                contents.extend(expected.lines().map(str::to_owned));
            } else {
                let _ = writeln!(
                    differences,
                    "$ {command}\n--- expected\n{expected}--- actual\n{}",
                    actual.join("\n")
                );
                contents.extend(actual.iter().map(|&line| line.to_owned()));
            }
        }
        replacements.push((block.range.clone(), contents));
    }
    for (range, contents) in replacements.into_iter().rev() {
        lines.splice(range, contents);
    }
    (lines.join("\n") + "\n", differences)
}

#[test]
#[ignore = "slow"]
fn every_command_of_the_readme_and_the_manual_does_what_they_show() {
    let mut all = String::new();
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document is readable");
        let (actual, differences) = run(&text);
        if is_blessing() {
            std::fs::write(&path, actual).expect("a document can be written");
        } else if !differences.is_empty() {
            let _ = writeln!(all, "== {}\n{differences}", path.display());
        }
    }
    assert!(all.is_empty(), "outputs differ; HORNWORK_BLESS=1 updates them\n{all}");
}

#[test]
fn blocks_that_do_not_run_hold_known_commands() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document is readable");
        for block in blocks(&text) {
            match block.language {
                "sh" => {
                    for line in block.lines.iter().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                        let command = line.split_whitespace().next().unwrap_or_default();
                        assert!(NOT_RUN.contains(&command), "{}: {line}", path.display());
                    }
                }
                language => assert!(
                    matches!(language, "console" | "rust" | "c" | "text" | "toml" | "json" | "bibtex"),
                    "{}: unexpected code block language {language:?}",
                    path.display()
                ),
            }
        }
    }
}

#[test]
fn the_readme_is_short() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README is readable");
    let lines = text.lines().count();
    assert!(lines <= 150, "{lines} lines");
}

#[test]
fn the_manual_has_all_reasons_for_unknown() {
    let path = root().join("docs/troubleshooting.md");
    let text = std::fs::read_to_string(&path).expect("the chapter is readable");
    let (before, rest) = text.split_once("<!-- unknown -->\n").expect("the start marker of the table");
    let (table, after) = rest.split_once("<!-- end -->").expect("the end marker of the table");
    let made = UnknownKind::manual();
    if is_blessing() {
        let text = format!("{before}<!-- unknown -->\n{made}<!-- end -->{after}");
        std::fs::write(&path, text).expect("the chapter can be written");
    } else {
        assert_eq!(table, made, "the table is out of date; HORNWORK_BLESS=1 updates it");
    }
}

#[test]
fn the_summary_lists_all_chapters() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary is readable");
    for path in documents().iter().skip(1) {
        let name = path.file_name().expect("the path has a file name").to_string_lossy();
        if name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
}
