//! A stage as a process: a run of this program with the options of the stage.
//!
//! The process is the leader of a process group with the workers of its solvers, so that signals
//! reach all of them. It ends with its parent. Its standard output arrives as
//! [`Event`]s; its standard error is that of the parent.

use crate::portfolio::PROVED;
use crate::processes::Tree;
use backends::gauge::Gauge;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::time::Duration;
use tempfile::NamedTempFile;

/// The program of the stages.
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// A copy of the standard input of this process, if it is an input of the stages.
    pub(crate) input: Option<NamedTempFile>,
}

/// A message of a stage.
pub(crate) enum Event {
    /// It has a proof, and validates the certificate.
    Proved(usize),
    /// It has ended, after this output.
    Ended(usize, Vec<u8>),
}

/// A stage that runs or is suspended.
pub(crate) struct Process {
    child: Child,
    group: Pid,
    /// The process and its workers.
    tree: Tree,
}

impl Process {
    /// Starts `program` with `arguments`. The events carry `number`.
    pub(crate) fn start(
        program: &Program,
        arguments: &[OsString],
        number: usize,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        let input = match &program.input {
            Some(file) => File::open(file.path())?.into(),
            None => Stdio::null(),
        };
        let mut command = Command::new(&program.path);
        command.args(arguments).process_group(0).stdin(input).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let group = Pid::from_child(&child);
        if let Some(output) = child.stdout.take() {
            std::thread::Builder::new().name(format!("stage-{number}")).spawn(move || {
                // A receiver that is gone needs no events.
                let _ = events.send(Event::Ended(
                    number,
                    read(output, || {
                        let _ = events.send(Event::Proved(number));
                    }),
                ));
            })?;
        }
        let tree = Tree::of(child.id());
        Ok(Process { child, group, tree })
    }

    fn signal(&self, signal: Signal) {
        // The group has ended if this fails.
        let _ = kill_process_group(self.group, signal);
    }

    /// Asks the stage, not its workers, for its answer so far.
    pub(crate) fn interrupt(&self) {
        // The stage has ended if this fails.
        let _ = kill_process(self.group, Signal::TERM);
    }

    pub(crate) fn suspend(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn resume(&self) {
        self.signal(Signal::CONT);
    }

    /// The CPU time of the stage so far.
    pub(crate) fn effort(&mut self) -> Duration {
        self.tree.cpu_time()
    }

    /// The resident memory of the stage in bytes.
    pub(crate) fn resident(&mut self) -> u64 {
        self.tree.gauges().filter_map(Gauge::resident).map(|resident| resident.all).sum()
    }

    /// Waits for the end of a stage whose output has ended.
    pub(crate) fn wait(mut self) -> Option<ExitStatus> {
        let status = self.child.wait().ok();
        // Workers end with the process; one that is stopped needs a signal.
        self.signal(Signal::KILL);
        status
    }

    /// Ends the stage, without waiting for it.
    pub(crate) fn end(&self) {
        self.signal(Signal::KILL);
    }

    /// Ends the stage at once.
    pub(crate) fn kill(mut self) {
        self.end();
        // Not a child any more, if this fails.
        let _ = self.child.wait();
    }
}

/// Reads the output of a stage to its end, and calls `proved` when the stage has a proof.
fn read(output: impl Read, proved: impl Fn()) -> Vec<u8> {
    let mut all = Vec::new();
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        match line.strip_suffix(b"\n").unwrap_or(&line) == PROVED.as_bytes() {
            true => proved(),
            false => all.extend_from_slice(&line),
        }
        line.clear();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn shell(script: &str, number: usize, events: Sender<Event>) -> Process {
        let words: Vec<OsString> = ["-c", script].iter().map(OsString::from).collect();
        let program = Program { path: "/bin/sh".into(), input: None };
        Process::start(&program, &words, number, events).expect("a shell")
    }

    #[test]
    fn output_and_proofs_are_told() {
        let (sender, receiver) = channel();
        let process = shell(&format!("echo one; echo '{PROVED}'; echo two; exit 7"), 3, sender);
        assert!(matches!(receiver.recv(), Ok(Event::Proved(3))));
        let Ok(Event::Ended(3, output)) = receiver.recv() else { panic!("the end") };
        assert_eq!(output, b"one\ntwo\n");
        assert_eq!(process.wait().and_then(|status| status.code()), Some(7));
    }

    #[test]
    fn a_suspended_stage_makes_no_effort_and_can_be_killed() {
        let (sender, receiver) = channel();
        let mut process = shell("while :; do :; done", 0, sender);
        while process.effort() < Duration::from_millis(30) {
            std::thread::sleep(Duration::from_millis(5));
        }
        process.suspend();
        std::thread::sleep(Duration::from_millis(50));
        let before = process.effort();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(process.effort(), before);
        assert!(process.resident() > 0);
        process.resume();
        while process.effort() <= before {
            std::thread::sleep(Duration::from_millis(5));
        }
        process.suspend();
        process.kill();
        assert!(matches!(receiver.recv(), Ok(Event::Ended(0, _))));
    }
}
