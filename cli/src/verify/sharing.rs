//! The exchange of facts between the stages of a portfolio: files in a folder.
//!
//! Each stage has a file of its own there, in the format of [precision files](super::precision).
//! It writes what it has learned so far under a temporary name and renames the result, so readers
//! see a complete file or none, also if the writer is killed. It reads the files of the other
//! stages that are new. The name of a file is the number of its stage and the name in messages.
//!
//! Source: the exchange of facts between verifiers through files in names of the source is that of
//! Beyer, Dangl, Dietsch, Heizmann, *Correctness Witnesses: Exchanging Verification Results Between
//! Verifiers*, FSE 2016. DIVERGENCE: files are exchanged while both verifiers run.
//!
//! *Robustness.* Nothing here is an error of the run. A file that cannot be written or read, that
//! is too large or malformed, and predicates that are no expressions, are log messages.
//!
//! *Cost.* Writes take at most a twentieth of the effort of a stage, and it looks for new files at
//! most every [`PERIOD`] of effort.

use super::exchanged::{Counts, Statistics};
use super::partial::Partial;
use super::precision::{self, Saved};
use backends::effort::Moment;
use passes::engines::bmc;
use passes::exchange::{Exchange, Fate, Received, Sender, Status};
use passes::names::{FormulaReader, SavedPredicate};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The effort between two looks at the folder.
const PERIOD: Duration = Duration::from_millis(5);
/// The effort that writes may always take, and their part of the effort of the run beyond that.
const WRITES: (Duration, u32) = (Duration::from_millis(10), 20);
/// The size of the largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// The largest number of facts that a stage sends, and of those that it receives.
const MOST: usize = 3_000;
/// The ending of files that are complete.
const ENDING: &str = "toml";

/// The name of the file of a stage.
pub(super) fn file_name(number: usize, name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().take(60).map(plain).collect();
    format!("{number}.{name}.{ENDING}")
}

/// The name of the stage of a file.
fn stage_of(path: &Path) -> Option<&str> {
    if path.extension()? != ENDING {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    Some(stem.split_once('.').map_or(stem, |(_, name)| name))
}

/// The identity of a version of a file.
type Version = (SystemTime, u64);

/// The file of another stage.
struct Other {
    path: PathBuf,
    version: Option<Version>,
    sender: usize,
}

/// The exchange of a stage.
pub(super) struct Folder {
    /// The file of this stage.
    file: PathBuf,
    own: Saved,
    sent: FxHashSet<SavedPredicate>,
    start: Moment,
    /// The effort of writes.
    spent: Duration,
    is_changed: bool,
    others: Vec<Other>,
    looked: Option<Moment>,
    received: FxHashSet<SavedPredicate>,
    statistics: Statistics,
    /// Gets the statistics, for the answer if a limit ends the run.
    partial: Partial,
}

impl Folder {
    /// The exchange of the stage with this file.
    pub(super) fn new(file: &Path, partial: Partial) -> Self {
        Folder {
            file: file.to_path_buf(),
            own: Saved::default(),
            sent: FxHashSet::default(),
            start: Moment::now(),
            spent: Duration::ZERO,
            is_changed: false,
            others: Vec::new(),
            looked: None,
            received: FxHashSet::default(),
            statistics: Statistics::default(),
            partial,
        }
    }

    /// The bounds that other stages have reached, by the names of loops and recursions.
    pub(super) fn bounds(&mut self) -> BTreeMap<String, u32> {
        let mut bounds: BTreeMap<String, u32> = BTreeMap::new();
        for (path, _) in self.files() {
            for (name, visits) in read(&path).map(|saved| saved.bounds).unwrap_or_default() {
                let largest = bounds.entry(name).or_insert(visits);
                *largest = visits.max(*largest);
            }
        }
        bounds
    }

    /// Counts the loops and recursions that start with a bound from another stage.
    pub(super) fn note_started(&mut self, count: usize) {
        self.statistics.started = count;
        self.partial.shared(&self.statistics);
    }

    /// Sends the bounds of a search that has found no error within them.
    pub(super) fn send_bounds(&mut self, search: &bmc::Statistics) {
        if search.explored.is_none() {
            return;
        }
        for place in &search.loops {
            let old = self.own.bounds.insert(place.name.clone(), place.bound);
            self.is_changed |= old != Some(place.bound);
        }
        self.statistics.bounds = self.own.bounds.len();
        self.write_if_due();
    }

    /// Writes the file, unless writes have taken their part of the effort.
    fn write_if_due(&mut self) {
        let (least, part) = WRITES;
        if self.is_changed && self.spent < least.max(self.start.elapsed() / part) {
            self.write_logged();
        }
        self.partial.shared(&self.statistics);
    }

    fn write_logged(&mut self) {
        let start = Moment::now();
        if let Err(error) = self.write() {
            tracing::info!(%error, file = %self.file.display(), "no facts are sent");
        }
        self.is_changed = false;
        self.spent += start.elapsed();
    }

    fn write(&mut self) -> io::Result<()> {
        // Tables of one scope are adjacent.
        self.own.facts.sort_by(|(status, a), (other, b)| (&a.scope, status).cmp(&(&b.scope, other)));
        let text = precision::print(&self.own);
        let temporary = self.file.with_extension("new");
        fs::write(&temporary, text)?;
        fs::rename(&temporary, &self.file)
    }

    /// The files of the other stages, with their versions.
    fn files(&self) -> Vec<(PathBuf, Version)> {
        let Some(entries) = self.file.parent().and_then(|folder| fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let others = paths.filter(|path| *path != self.file && stage_of(path).is_some());
        let mut files: Vec<(PathBuf, Version)> = others
            .filter_map(|path| {
                let metadata = fs::symlink_metadata(&path).ok().filter(Metadata::is_file)?;
                Some((path, (metadata.modified().ok()?, metadata.len())))
            })
            .collect();
        files.sort();
        files
    }

    /// The index of the file of another stage.
    fn other(&mut self, path: PathBuf) -> usize {
        if let Some(index) = self.others.iter().position(|other| other.path == path) {
            return index;
        }
        let name = stage_of(&path).unwrap_or_default().to_owned();
        let sender = self.statistics.senders.len();
        self.statistics.senders.push(Counts { name, ..Counts::default() });
        self.others.push(Other { path, version: None, sender });
        self.others.len() - 1
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_changed {
            self.write_logged();
        }
    }
}

/// Reads the file of another stage; `None` if that is impossible.
fn read(path: &Path) -> Option<Saved> {
    let saved = text_of(path).and_then(|text| {
        let (saved, errors) = precision::parse(&text)
            .map_err(|(_, message)| io::Error::new(io::ErrorKind::InvalidData, message))?;
        if let Some((_, message)) = errors.first() {
            tracing::info!(file = %path.display(), count = errors.len(), message, "malformed facts");
        }
        Ok(saved)
    });
    saved.inspect_err(|error| tracing::info!(%error, file = %path.display(), "no facts are received")).ok()
}

/// The text of a regular file that is not too large.
fn text_of(path: &Path) -> io::Result<String> {
    // Opening a named pipe would wait for a writer.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    let mut text = String::new();
    let read = File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    match read as u64 > LARGEST {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "the file is too large")),
        false => Ok(text),
    }
}

impl Exchange for Folder {
    fn receive(&mut self) -> Vec<Received> {
        self.write_if_due();
        if self.looked.is_some_and(|looked| looked.elapsed() < PERIOD) {
            return Vec::new();
        }
        self.looked = Some(Moment::now());
        let mut received = Vec::new();
        for (path, version) in self.files() {
            let index = self.other(path);
            let other = &mut self.others[index];
            if other.version == Some(version) {
                continue;
            }
            other.version = Some(version);
            let sender = other.sender;
            for (status, fact) in read(&other.path).map(|saved| saved.facts).unwrap_or_default() {
                let is_full = self.received.len() >= MOST;
                if !is_full && !self.sent.contains(&fact) && self.received.insert(fact.clone()) {
                    self.statistics.senders[sender].received += 1;
                    received.push(Received { from: Sender(sender), status, fact });
                }
            }
        }
        self.partial.shared(&self.statistics);
        received
    }

    fn send(&mut self, status: Status, facts: Vec<SavedPredicate>) {
        for fact in facts {
            let is_full = self.sent.len() >= MOST;
            if !is_full && !self.received.contains(&fact) && self.sent.insert(fact.clone()) {
                self.own.facts.push((status, fact));
                self.is_changed = true;
            }
        }
        self.statistics.sent = self.sent.len();
        self.write_if_due();
    }

    fn note(&mut self, from: Sender, fate: Fate) {
        let Some(counts) = self.statistics.senders.get_mut(from.0) else { return };
        match fate {
            Fate::Skipped => counts.skipped += 1,
            Fate::Tracked => counts.used += 1,
            Fate::Proved => {
                counts.used += 1;
                counts.proved += 1;
            }
        }
        self.partial.shared(&self.statistics);
    }

    fn reader(&self) -> Option<FormulaReader> {
        Some(precision::formula)
    }
}

#[cfg(test)]
mod tests {
    use super::super::exchanged::described;
    use super::*;
    use passes::names::SavedScope;
    use serde_json::Value;

    fn fact(text: &str) -> SavedPredicate {
        let scope = SavedScope::Loop { function: "main".to_owned(), number: 1 };
        SavedPredicate::new(scope, text).expect("an expression")
    }

    fn stage(folder: &Path, number: usize, name: &str) -> Folder {
        Folder::new(&folder.join(file_name(number, name)), Partial::default())
    }

    /// Receives without waiting for effort.
    fn received(stage: &mut Folder) -> Vec<String> {
        stage.looked = None;
        stage.receive().into_iter().map(|received| received.fact.text).collect()
    }

    /// Sends without waiting for effort.
    fn send(stage: &mut Folder, status: Status, texts: &[&str]) {
        stage.spent = Duration::ZERO;
        stage.send(status, texts.iter().map(|text| fact(text)).collect());
    }

    #[test]
    fn stages_receive_what_others_send_once() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut a = stage(folder.path(), 0, "a/b c.d");
        let (mut b, mut c) = (stage(folder.path(), 1, "b"), stage(folder.path(), 10, "c"));
        assert!(received(&mut a).is_empty());
        send(&mut a, Status::Inductive, &["x < 3", "y == 2 * x"]);
        send(&mut b, Status::PathLocal, &["x < 3", "x > 0"]);
        assert!(a.receive().is_empty(), "the folder is not read again at once");
        assert_eq!(received(&mut a), ["x > 0"]);
        assert_eq!(received(&mut b), ["y == 2 * x"]);
        assert_eq!(received(&mut c), ["x < 3", "y == 2 * x", "x > 0"]);
        send(&mut a, Status::Candidate, &["x < 3", "y == 7"]);
        assert_eq!(received(&mut c), ["y == 7"]);
        assert!(received(&mut c).is_empty());
        let names: Vec<&str> = c.statistics.senders.iter().map(|counts| counts.name.as_str()).collect();
        assert_eq!(names, ["a_b_c_d", "b"]);
        let counts: Vec<usize> = c.statistics.senders.iter().map(|counts| counts.received).collect();
        assert_eq!((counts, a.statistics.sent), (vec![3, 1], 3));
        c.note(Sender(0), Fate::Proved);
        c.note(Sender(0), Fate::Skipped);
        c.note(Sender(1), Fate::Tracked);
        c.note(Sender(7), Fate::Tracked);
        let used = described(&c.statistics.json());
        assert_eq!(used.as_deref(), Some("1 fact of a_b_c_d and 1 fact of b"));
        assert_eq!(described(&Value::Null), None);
    }

    #[test]
    fn writes_are_limited_and_nothing_is_lost() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let (mut a, mut b) = (stage(folder.path(), 0, "a"), stage(folder.path(), 1, "b"));
        send(&mut a, Status::Inductive, &["x < 1"]);
        // Writes that have taken too much defer the next one.
        a.spent = Duration::from_secs(1_000);
        a.send(Status::Inductive, vec![fact("x < 2")]);
        assert_eq!(received(&mut b), ["x < 1"]);
        a.spent = Duration::ZERO;
        received(&mut a);
        assert_eq!(received(&mut b), ["x < 2"]);
        // The end of a stage loses nothing.
        a.spent = Duration::from_secs(1_000);
        a.send(Status::Inductive, vec![fact("x < 3")]);
        drop(a);
        assert_eq!(received(&mut b), ["x < 3"]);
        // A writer that is killed leaves the file under its temporary name.
        fs::write(folder.path().join("2.c.new"), "version = 1\n[[lo").expect("a file");
        assert!(received(&mut b).is_empty() && b.bounds().is_empty());
    }

    #[test]
    fn a_folder_that_is_gone_is_no_error() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut a = stage(&folder.path().join("missing"), 0, "a");
        send(&mut a, Status::Inductive, &["x < 1"]);
        assert!(received(&mut a).is_empty() && a.bounds().is_empty());
    }

    #[test]
    fn hostile_files_are_read_in_part_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut a = stage(folder.path(), 0, "a");
        let of_loop = |texts: &str| {
            format!("version = 1\n[[loop]]\nfunction = \"main\"\nnumber = 1\npredicates = [{texts}]\n")
        };
        let deep = format!("\"{}x{}\"", "(".repeat(50_000), ")".repeat(50_000));
        for (number, text) in [
            of_loop("\"x <\", \"x < 5\""),
            of_loop(&deep),
            of_loop(&"\"x == 1\", ".repeat(200_000)),
            format!("version = {}", "[".repeat(200_000)),
            "version = 2\n".to_owned(),
            String::new(),
        ]
        .into_iter()
        .enumerate()
        {
            fs::write(folder.path().join(file_name(number + 1, "x")), text).expect("a file");
        }
        fs::write(folder.path().join(file_name(8, "x")), [0xff, 0xfe]).expect("a file");
        fs::create_dir(folder.path().join(file_name(9, "x"))).expect("a folder");
        assert_eq!(received(&mut a), ["x < 5"]);
    }
}
