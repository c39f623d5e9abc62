//! The tasks of a campaign: files and folders on the command line, with their labels.

use crate::error::CliError;
use crate::input::definition;
use crate::sample;
use frontend::spec::ExpectedVerdict;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The only kind in the set.
///
/// # Errors
/// The message, if the set is empty or mixed.
pub(super) fn only(mut kinds: BTreeSet<Kind>) -> Result<Kind, &'static str> {
    match (kinds.pop_first(), kinds.is_empty()) {
        (None, _) => Err("no tasks found"),
        (Some(kind), true) => Ok(kind),
        (Some(_), false) => {
            Err("C programs, Horn clauses and other SMT-LIB scripts cannot be mixed in one campaign")
        }
    }
}

/// The expected verdict of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Label {
    /// The program is safe; the clauses or the script are satisfiable.
    True,
    /// The program has an error; the clauses or the script are unsatisfiable.
    False,
}

/// The kind of the tasks, which decides on the command that runs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// C programs and task definitions: `hornwork verify`.
    Program,
    /// Horn clauses: `hornwork horn --solve`.
    Clauses,
    /// SMT-LIB scripts: `hornwork smt`.
    Script,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Task {
    /// `SET/FILE`, with more folders where this is ambiguous.
    pub(super) name: String,
    /// The folder that it belongs to.
    pub(super) set: String,
    /// The file.
    pub(super) path: PathBuf,
    /// The expected verdict, if known.
    pub(super) label: Option<Label>,
    /// Whether the label is disputed.
    pub(super) disputed: bool,
    /// Options of the command for this task.
    pub(super) options: Vec<String>,
    /// The only configurations that run it, by name; empty for all.
    pub(super) only: Vec<String>,
}

/// How a file is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Format {
    Definition,
    Source,
    Script,
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()? {
        "yml" | "yaml" => Some(Format::Definition),
        "c" | "i" => Some(Format::Source),
        "smt2" => Some(Format::Script),
        _ => None,
    }
}

/// Finds the tasks in `paths`. `property` is the value of `--property`.
pub(super) fn find(paths: &[PathBuf], property: Option<&str>) -> Result<(Kind, Vec<Task>), CliError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(below(path, property)?);
        } else {
            match format_of(path) {
                Some(format) => files.push((path.clone(), format)),
                None => {
                    return Err(CliError::Usage(format!(
                        "{}: not a task; expected a file .c, .i, .yml or .smt2, or a folder",
                        path.display()
                    )));
                }
            }
        }
    }
    let found = files.into_iter().map(|(path, format)| task(&path, format, property));
    let (kinds, mut tasks): (BTreeSet<Kind>, Vec<Task>) =
        found.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let kind = only(kinds).map_err(|error| CliError::Usage(error.to_owned()))?;
    name(&mut tasks);
    let mut seen = BTreeSet::new();
    tasks.retain(|task| seen.insert(task.path.clone()));
    Ok((kind, tasks))
}

/// The files below `folder` of the first format of which there are any: definitions with an
/// expected verdict, else C files, else scripts.
fn below(folder: &Path, property: Option<&str>) -> Result<Vec<(PathBuf, Format)>, CliError> {
    let mut found: BTreeMap<Format, Vec<PathBuf>> = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|source| CliError::Io { path: folder.clone(), source })?;
        for entry in entries.flatten() {
            let path = entry.path();
            // Links to folders may form cycles.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if let Some(format) = format_of(&path) {
                // Other YAML files may lie beside the tasks.
                let is_task = format != Format::Definition
                    || definition(&path, property).is_ok_and(|(_, verdict)| verdict.is_some());
                if is_task {
                    found.entry(format).or_default().push(path);
                }
            }
        }
    }
    let Some((format, mut files)) = found.pop_first() else { return Ok(Vec::new()) };
    files.sort();
    Ok(files.into_iter().map(|file| (file, format)).collect())
}

fn task(path: &Path, format: Format, property: Option<&str>) -> Result<(Kind, Task), CliError> {
    let io = |source| CliError::Io { path: path.to_path_buf(), source };
    let read =
        |path: &Path| std::fs::read(path).map_err(|source| CliError::Io { path: path.to_path_buf(), source });
    let mut path = path.to_path_buf();
    let (kind, label) = match format {
        Format::Definition => {
            let (mut inputs, verdict) = definition(&path, property)?;
            let is_script = inputs.len() == 1 && format_of(&inputs[0]) == Some(Format::Script);
            // Scripts have no definition of their own to the commands that read them.
            let kind = match inputs.pop().filter(|_| is_script) {
                Some(script) => {
                    path = script;
                    kind_of(&read(&path)?)
                }
                None => Kind::Program,
            };
            let label = verdict.map(|verdict| match verdict {
                ExpectedVerdict::True => Label::True,
                ExpectedVerdict::False => Label::False,
            });
            (kind, label)
        }
        Format::Source => (Kind::Program, std::fs::metadata(&path).map(|_| None).map_err(io)?),
        Format::Script => {
            let text = read(&path)?;
            (kind_of(&text), status(&text))
        }
    };
    // The name of a link, in the folder without links and `..`.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = std::fs::canonicalize(folder.unwrap_or(Path::new("."))).map_err(io)?;
    let path = folder.join(path.file_name().unwrap_or_default());
    let property = property.filter(|_| kind == Kind::Program);
    let options = property.map(|name| format!("--property={name}")).into_iter().collect();
    let (name, set, only) = (String::new(), String::new(), Vec::new());
    Ok((kind, Task { name, set, path, label, disputed: false, options, only }))
}

/// Whether a script states Horn clauses: in the logic HORN, or with the commands of Z3 for rules.
fn kind_of(text: &[u8]) -> Kind {
    let text = String::from_utf8_lossy(text);
    let mut commands = text.lines().map(str::trim_start);
    match commands.any(|line| {
        line.starts_with("(declare-rel")
            || line.strip_prefix("(set-logic").is_some_and(|logic| logic.trim().starts_with("HORN"))
    }) {
        true => Kind::Clauses,
        false => Kind::Script,
    }
}

/// The last status that a script states.
fn status(text: &[u8]) -> Option<Label> {
    let text = String::from_utf8_lossy(text);
    let mut statuses = text.lines().filter_map(|line| {
        let rest = line.trim().strip_prefix("(set-info")?.trim_start().strip_prefix(":status")?;
        match rest.trim().trim_end_matches(')').trim() {
            "sat" => Some(Label::True),
            "unsat" => Some(Label::False),
            _ => None,
        }
    });
    statuses.next_back()
}

/// Names the tasks by as many folders as are needed to tell them apart, at least one.
pub(super) fn name(tasks: &mut [Task]) {
    let last = |path: &Path, count: usize| {
        let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        parts[parts.len().saturating_sub(count)..].join("/")
    };
    for task in &mut *tasks {
        task.name = last(&task.path, 2);
        task.set = task.path.parent().map_or_else(String::new, |folder| last(folder, 1));
    }
    // A path has fewer parts than characters.
    for count in 3..4096 {
        let mut paths: BTreeMap<&str, BTreeSet<&Path>> = BTreeMap::new();
        for task in &*tasks {
            paths.entry(&task.name).or_default().insert(&task.path);
        }
        let ambiguous: BTreeSet<String> =
            paths.iter().filter(|(_, paths)| paths.len() > 1).map(|(name, _)| (*name).to_owned()).collect();
        if ambiguous.is_empty() {
            break;
        }
        for task in tasks.iter_mut().filter(|task| ambiguous.contains(&task.name)) {
            task.name = last(&task.path, count);
        }
    }
}

/// `count` of the tasks, in their order: the least hash of each set, then the least of all.
pub(super) fn sample(tasks: Vec<Task>, count: usize) -> Vec<Task> {
    let mut first: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for task in &tasks {
        let own = (sample::hash(&task.name), task.name.as_str());
        first.entry(&task.set).and_modify(|least| *least = own.min(*least)).or_insert(own);
    }
    let firsts: BTreeSet<&str> = first.into_values().map(|(_, name)| name).collect();
    let rank = |task: &Task| (!firsts.contains(task.name.as_str()), sample::hash(&task.name));
    let mut ranked: Vec<usize> = (0..tasks.len()).collect();
    ranked.sort_by_key(|&index| (rank(&tasks[index]), index));
    let chosen: BTreeSet<usize> = ranked.into_iter().take(count).collect();
    let tasks = tasks.into_iter().enumerate();
    tasks.filter(|(index, _)| chosen.contains(index)).map(|(_, task)| task).collect()
}

/// Marks the tasks that `text` disputes: lines `SET/NAME: REASON`, where NAME may lack its
/// extension.
pub(super) fn dispute(tasks: &mut [Task], text: &str) {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let names: BTreeSet<&str> = lines.filter_map(|line| Some(line.split_once(':')?.0.trim())).collect();
    for task in tasks {
        let file = task.path.file_name().unwrap_or_default().to_string_lossy();
        let stem = task.path.file_stem().unwrap_or_default().to_string_lossy();
        task.disputed =
            [file, stem].iter().any(|name| names.contains(format!("{}/{name}", task.set).as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(paths: &[&str]) -> Vec<Task> {
        let task = |path: &&str| Task {
            name: String::new(),
            set: String::new(),
            path: PathBuf::from(path),
            label: None,
            disputed: false,
            options: Vec::new(),
            only: Vec::new(),
        };
        let mut tasks: Vec<Task> = paths.iter().map(task).collect();
        name(&mut tasks);
        tasks
    }

    #[test]
    fn names_have_as_many_folders_as_they_need() {
        let tasks = tasks(&["/a/x/t.c", "/b/x/t.c", "/b/y/t.c", "/t.c"]);
        let names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        assert_eq!(names, ["a/x/t.c", "b/x/t.c", "y/t.c", "//t.c"]);
        assert_eq!(tasks[0].set, "x");
    }

    #[test]
    fn a_sample_has_a_task_of_each_set_and_changes_by_one_at_most() {
        let paths: Vec<String> = (0..300).map(|number| format!("/r/s{}/t{number}.c", number % 7)).collect();
        let all: Vec<&str> = paths.iter().map(String::as_str).collect();
        let before: Vec<String> =
            sample(tasks(&all), 20).into_iter().map(|task| task.path.display().to_string()).collect();
        assert_eq!(before.len(), 20);
        let sets: BTreeSet<&str> = before.iter().filter_map(|path| path.split('/').nth(2)).collect();
        assert_eq!(sets.len(), 7);
        for number in 300..340 {
            let more = format!("/r/s3/t{number}.c");
            let mut all = all.clone();
            all.push(&more);
            let after = sample(tasks(&all), 20);
            let kept = after.iter().filter(|task| before.contains(&task.path.display().to_string())).count();
            assert!(kept >= 19, "{kept}");
        }
    }

    #[test]
    fn labels_of_scripts_are_their_last_status() {
        assert_eq!(
            status(b"(set-info :status sat)\n(check-sat)\n(set-info :status unsat)\n"),
            Some(Label::False)
        );
        assert_eq!(status(b"  (set-info  :status sat )\n"), Some(Label::True));
        assert_eq!(status(b"(set-info :status unknown)\n; (set-info :status sat)"), None);
    }

    #[test]
    fn scripts_of_horn_clauses_are_known_by_their_commands() {
        assert_eq!(kind_of(b"; rules\n(set-logic HORN)\n"), Kind::Clauses);
        assert_eq!(kind_of(b"(declare-rel p (Int))\n(rule (p 1))\n"), Kind::Clauses);
        assert_eq!(kind_of(b"; (declare-rel p (Int))\n(set-logic QF_BV)\n"), Kind::Script);
        assert!(only(BTreeSet::from([Kind::Clauses, Kind::Script])).is_err());
        assert_eq!(only(BTreeSet::from([Kind::Clauses])), Ok(Kind::Clauses));
    }

    #[test]
    fn disputed_labels_are_marked() {
        let mut tasks = tasks(&["/a/x/t.yml", "/a/x/u.yml", "/a/y/t.yml"]);
        dispute(&mut tasks, "# x/u: no\nx/t: wraps around\n");
        let marks: Vec<bool> = tasks.iter().map(|task| task.disputed).collect();
        assert_eq!(marks, [true, false, false]);
    }
}
