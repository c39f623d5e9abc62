//! The processes below a process, as `/proc` lists them, and the end of a process with its parent.

use backends::gauge::Gauge;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A tree of processes and their measurements.
pub(crate) struct Tree {
    root: u32,
    /// By the numbers of the processes.
    gauges: BTreeMap<u32, Gauge>,
    start: Instant,
    /// The time of the next search for processes.
    next: Instant,
}

impl Tree {
    /// The most time between two searches, each of which looks into many folders. Young trees are
    /// searched more often.
    const PERIOD: Duration = Duration::from_millis(100);

    /// The tree of the processes below `root`, without it.
    pub(crate) fn below(root: u32) -> Self {
        let now = Instant::now();
        Tree { root, gauges: BTreeMap::new(), start: now, next: now }
    }

    /// The tree of `root` and the processes below it.
    pub(crate) fn of(root: u32) -> Self {
        let mut tree = Tree::below(root);
        tree.gauges.extend(Gauge::of(root).map(|gauge| (root, gauge)));
        tree
    }

    /// The measurements of all processes of the tree that are known. One that has just started may
    /// be missing.
    pub(crate) fn gauges(&mut self) -> impl Iterator<Item = &Gauge> {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + ((now - self.start) / 4).min(Tree::PERIOD);
            self.gauges.retain(|_, gauge| gauge.resident().is_some());
            for process in descendants(self.root) {
                if !self.gauges.contains_key(&process)
                    && let Some(gauge) = Gauge::of(process)
                {
                    self.gauges.insert(process, gauge);
                }
            }
        }
        self.gauges.values()
    }

    /// The CPU time of all processes, including that of the children that they have waited for.
    pub(crate) fn cpu_time(&mut self) -> Duration {
        self.gauges().filter_map(Gauge::cpu_time).sum()
    }
}

/// Returns the processes below `process`: its children, their children, and so on, without itself.
pub(crate) fn descendants(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = vec![process];
    while let Some(process) = next.pop() {
        // A child belongs to the thread that started it.
        for thread in std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|word| word.parse::<u32>().ok());
            let before = found.len();
            found.extend(children);
            next.extend_from_slice(&found[before..]);
        }
    }
    found
}

/// Makes this process, a stage or a solver, end when its parent does.
pub(crate) fn end_with_parent() {
    // If this fails, a stage ends at its time limit, a solver at the end of its input.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
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
        let found = descendants(shell.id());
        assert!(found.len() == 2 && found.contains(&deep), "{found:?} {deep}");
        for process in found {
            let process = rustix::process::Pid::from_raw(process.cast_signed()).expect("a process");
            rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("it runs");
        }
        shell.wait().expect("it has ended");
    }
}
