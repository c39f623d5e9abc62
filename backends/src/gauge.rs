//! Measurements of a running process, as the system reports them: its CPU time and its memory.
//!
//! A gauge opens the files of a process under `/proc` once and reads them again and again. A
//! look-up by path for each reading would not only be slower: while a process ends, the kernel
//! removes its entries from the cache of names, and many look-ups at the same time held it there
//! for seconds (observed on Linux 6.18), during which a run could not end at its time limit.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// The measurements of one process. Another process that gets the same number later is not
/// mistaken for it.
#[derive(Debug)]
pub struct Gauge {
    process: u32,
    stat: File,
    statm: File,
}

/// The resident memory of a process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resident {
    /// All of it.
    pub all: u64,
    /// The part that files back, such as libraries, which processes share.
    pub shared: u64,
}

impl Gauge {
    /// A gauge of a process by its number. `None` if it has ended or the system reports nothing.
    #[must_use]
    pub fn of(process: u32) -> Option<Self> {
        let open = |name: &str| File::open(format!("/proc/{process}/{name}")).ok();
        Some(Gauge { process, stat: open("stat")?, statm: open("statm")? })
    }

    /// The CPU time of the process and of its children that have ended, in whole ticks of the
    /// system (10 ms). `None` if it has ended and was waited for.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        // User and system time of the process, then of its children.
        let ticks_spent: u64 = self.numbers::<4>(11)?.iter().sum();
        let ticks = rustix::param::clock_ticks_per_second().max(1);
        Some(Duration::from_nanos(ticks_spent.saturating_mul(1_000_000_000 / ticks)))
    }

    /// The CPU time of the children that have not been waited for: what the process does while it
    /// waits for them. Looks up files by path, so it is not for frequent readings.
    #[must_use]
    pub fn cpu_time_of_children(&self) -> Duration {
        // Each thread has a list.
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process)).into_iter().flatten();
        let lists = threads.flatten().map(|thread| std::fs::read_to_string(thread.path().join("children")));
        let time = |child: &str| Gauge::of(child.parse().ok()?)?.cpu_time();
        lists.flatten().map(|list| list.split_whitespace().filter_map(time).sum::<Duration>()).sum()
    }

    /// The number of threads of the process. `None` if it has ended and was waited for.
    #[must_use]
    pub fn threads(&self) -> Option<usize> {
        let [threads] = self.numbers(17)?;
        usize::try_from(threads).ok()
    }

    /// `N` fields of `stat` from the one with this position after the name of the program.
    fn numbers<const N: usize>(&self, first: usize) -> Option<[u64; N]> {
        let mut buffer = [0; 1024];
        let stat = read(&self.stat, &mut buffer)?;
        // The program name, in parentheses, may contain any character.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(first);
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = fields.next()?.parse().ok()?;
        }
        Some(numbers)
    }

    /// The resident memory of the process. `None` if it has ended and was waited for.
    #[must_use]
    pub fn resident(&self) -> Option<Resident> {
        let mut buffer = [0; 256];
        let statm = read(&self.statm, &mut buffer)?;
        let mut pages = statm.split_whitespace().skip(1).map(str::parse::<u64>);
        let (all, shared) = (pages.next()?.ok()?, pages.next()?.ok()?);
        let page = rustix::param::page_size() as u64;
        Some(Resident { all: all * page, shared: shared * page })
    }
}

/// Reads a file of `/proc` anew from its beginning.
fn read<'b>(file: &File, buffer: &'b mut [u8]) -> Option<&'b str> {
    let mut length = 0;
    while let Some(rest) = buffer.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, length as u64) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    // The name of a program may be cut within a character.
    Some(match std::str::from_utf8(&buffer[..length]) {
        Ok(text) => text,
        Err(_) => return read_after_name(&buffer[..length]),
    })
}

/// The part of a line of `stat` from the parenthesis after the name of the program.
fn read_after_name(line: &[u8]) -> Option<&str> {
    let end = line.iter().rposition(|&byte| byte == b')')?;
    std::str::from_utf8(&line[end..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::{Moment, own};
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    #[test]
    fn the_system_tells_what_processes_spend() {
        let gauge = Gauge::of(std::process::id()).expect("the system reports on processes");
        let start = Moment::now();
        while start.elapsed() < Duration::from_millis(50) {}
        let told = gauge.cpu_time().expect("the system reports the CPU time");
        assert!(told + Duration::from_millis(30) >= Duration::from_millis(50), "{told:?}");
        assert!(told <= own() + Duration::from_millis(30), "{told:?}");
        let resident = gauge.resident().expect("the system reports the memory");
        assert!(resident.all > resident.shared && resident.shared > 0, "{resident:?}");
        assert!(gauge.threads().is_some_and(|threads| threads > 0));
    }

    #[test]
    fn children_that_run_have_a_time_of_their_own() {
        let script = "while :; do :; done & wait";
        let mut shell = Command::new("sh").args(["-c", script]).process_group(0).spawn().expect("a shell");
        let gauge = Gauge::of(shell.id()).expect("a gauge");
        let is_slow = Instant::now() + Duration::from_secs(60);
        while gauge.cpu_time_of_children() < Duration::from_millis(50) {
            assert!(Instant::now() < is_slow, "the child of the shell is busy");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(gauge.cpu_time().expect("the shell runs") < gauge.cpu_time_of_children());
        kill_process_group(Pid::from_child(&shell), Signal::KILL).expect("a group");
        shell.wait().expect("ended");
    }

    #[test]
    fn nothing_is_said_of_a_process_that_has_ended() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("a process");
        let gauge = Gauge::of(child.id()).expect("the process runs");
        assert!(gauge.resident().is_some() && gauge.cpu_time().is_some());
        drop(child.stdin.take());
        child.wait().expect("it ends");
        assert!(gauge.resident().is_none() && gauge.cpu_time().is_none());
        assert!(Gauge::of(u32::MAX).is_none());
    }

    #[test]
    fn names_that_are_cut_within_a_character_do_no_harm() {
        assert_eq!(read_after_name(b"12 (a\xc3) S 1"), Some(") S 1"));
        assert_eq!(read_after_name(b"\xc3"), None);
    }
}
