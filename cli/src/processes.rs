//! The processes below a process, as the system lists them, and the end of a process with its
//! parent.
//!
//! The files of a process under `/proc` are opened once and stay open. While a process ends, the
//! kernel removes its folder from the cache of names, and a look into the folder at that time holds
//! names there; the kernel then keeps trying on a processor core that the other process may need.
//! With tens of processes that end together, this took seconds (observed on Linux 6.18).
//!
//! LIMITS: the threads of a process are listed when it has more of them than before, so a child of
//! a thread that replaced another one is found when that thread ends.

use backends::gauge::Gauge;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A process with its open files.
struct Process {
    id: u32,
    gauge: Gauge,
    /// The lists of children, one for each thread: a child belongs to the thread that started it.
    lists: Vec<File>,
}

impl Process {
    /// `None` if the process has ended or the system reports nothing.
    fn of(id: u32) -> Option<Self> {
        Some(Process { id, gauge: Gauge::of(id)?, lists: Vec::new() })
    }

    /// The children, those that have ended and were not waited for included.
    fn children(&mut self) -> Vec<u32> {
        if self.gauge.threads().is_some_and(|threads| threads > self.lists.len()) {
            let threads = std::fs::read_dir(format!("/proc/{}/task", self.id)).into_iter().flatten();
            let lists = threads.flatten().map(|thread| File::open(thread.path().join("children")));
            self.lists = lists.flatten().collect();
        }
        let mut text = String::new();
        for list in &mut self.lists {
            // The list of a thread that has ended cannot be read.
            let _ = list.rewind().and_then(|()| list.read_to_string(&mut text));
            text.push(' ');
        }
        numbers(&text)
    }
}

/// Where the processes of a tree are listed.
enum Source {
    /// The file with the processes of a control group.
    Group(PathBuf),
    /// The processes below this one, without it.
    Below(Process),
    /// The processes below the first member.
    Members,
    /// The system lists nothing.
    Nowhere,
}

/// A tree of processes and their measurements.
pub(crate) struct Tree {
    source: Source,
    /// By their numbers.
    members: BTreeMap<u32, Process>,
    start: Instant,
    /// The time of the next search for processes.
    next: Instant,
}

impl Tree {
    /// The most time between two searches. Young trees are searched more often.
    const PERIOD: Duration = Duration::from_millis(100);

    fn new(source: Source, members: BTreeMap<u32, Process>) -> Self {
        let now = Instant::now();
        Tree { source, members, start: now, next: now }
    }

    /// The tree of the processes below `root`, without it.
    pub(crate) fn below(root: u32) -> Self {
        Tree::new(Process::of(root).map_or(Source::Nowhere, Source::Below), BTreeMap::new())
    }

    /// The tree of `root` and the processes below it.
    pub(crate) fn of(root: u32) -> Self {
        Tree::new(Source::Members, Process::of(root).map(|process| (root, process)).into_iter().collect())
    }

    /// The processes of a control group with this folder.
    pub(crate) fn of_group(folder: &Path) -> Self {
        Tree::new(Source::Group(folder.join(GROUP_PROCESSES)), BTreeMap::new())
    }

    /// The measurements of all processes of the tree that are known. One that has just started may
    /// be missing.
    pub(crate) fn gauges(&mut self) -> impl Iterator<Item = &Gauge> {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + ((now - self.start) / 4).min(Tree::PERIOD);
            self.search();
        }
        self.members.values().map(|process| &process.gauge)
    }

    /// The CPU time of all processes, including that of the children that they have waited for.
    pub(crate) fn cpu_time(&mut self) -> Duration {
        self.gauges().filter_map(Gauge::cpu_time).sum()
    }

    /// Returns the processes of the tree that exist now.
    pub(crate) fn processes(&mut self) -> Vec<u32> {
        self.search();
        self.members.keys().copied().collect()
    }

    /// Finds the processes that exist now.
    fn search(&mut self) {
        self.members.retain(|_, process| process.gauge.resident().is_some());
        let mut next: Vec<u32> = self.members.keys().copied().collect();
        match &mut self.source {
            Source::Group(file) => next.extend(numbers(&std::fs::read_to_string(file).unwrap_or_default())),
            Source::Below(root) => next.extend(root.children()),
            Source::Members | Source::Nowhere => {}
        }
        let mut position = 0;
        while let Some(&id) = next.get(position) {
            position += 1;
            let is_new = !self.members.contains_key(&id);
            if is_new && let Some(process) = Process::of(id) {
                self.members.insert(id, process);
            }
            // A group lists all of its processes.
            if let Some(process) = self.members.get_mut(&id)
                && !matches!(self.source, Source::Group(_))
            {
                let children = process.children();
                next.extend(children.into_iter().filter(|child| !self.members.contains_key(child)));
            }
        }
    }
}

/// The name of the file with the processes of a control group.
pub(crate) const GROUP_PROCESSES: &str = "cgroup.procs";

/// Returns the children of this process, those that have ended and were not waited for included.
pub(crate) fn own_children() -> Vec<u32> {
    Process::of(std::process::id()).map_or_else(Vec::new, |mut process| process.children())
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Makes this process, a stage or a solver, end when its parent does.
pub(crate) fn end_with_parent() {
    // If this fails, a stage ends at its time limit, a solver at the end of its input.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    // A parent that ended before leaves an output without a reader.
    let output = std::io::stdout();
    let mut ends = [PollFd::new(&output, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut ends, Some(&now)).is_ok() && ends[0].revents().contains(PollFlags::ERR) {
        std::process::exit(crate::exit::UNKNOWN.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn children_of_children_are_found() {
        let script = "sh -c 'sleep 60 & echo $!; wait' & wait";
        let mut shell =
            Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().expect("a shell");
        let mut line = String::new();
        let output = shell.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("the number of a process");
        let deep: u32 = line.trim().parse().expect("the number of a process");
        let mut tree = Tree::below(shell.id());
        let found = tree.processes();
        assert!(found.len() == 2 && found.contains(&deep), "{found:?} {deep}");
        for process in found {
            let process = rustix::process::Pid::from_raw(process.cast_signed()).expect("a process");
            rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("it runs");
        }
        shell.wait().expect("it has ended");
    }

    #[test]
    fn later_children_are_found_also_those_of_later_threads() {
        let mut tree = Tree::of(std::process::id());
        assert!(tree.processes().contains(&std::process::id()));
        let start = || Command::new("cat").stdin(Stdio::piped()).spawn().expect("a process");
        let (ready, wait) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut child = start();
            ready.send(child.id()).expect("the test waits");
            ended.recv().expect("the test goes on");
            drop(child.stdin.take());
            child.wait().expect("it ends");
        });
        let late = wait.recv().expect("a process");
        let mut own = start();
        let found = tree.processes();
        assert!(found.contains(&late) && found.contains(&own.id()), "{found:?} {late} {}", own.id());
        end.send(()).expect("the thread waits");
        thread.join().expect("no panic");
        drop(own.stdin.take());
        own.wait().expect("it ends");
        let after = tree.processes();
        assert!(!after.contains(&late) && !after.contains(&own.id()), "{after:?}");
    }
}
