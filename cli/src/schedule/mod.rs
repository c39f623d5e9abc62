//! Stages of a portfolio, each a [`process`], take turns.
//!
//! At most `jobs` stages run at the same time; the others wait, suspended. A turn ends after the
//! CPU time of the stage's turn, which doubles from turn to turn, so a stage that runs alone first
//! gets most of the effort if it is quick, and every stage gets a share that grows with the run. A
//! stage with a proof keeps running until its certificate is validated. Nothing is started again,
//! so no work is lost between turns.
//!
//! *Load.* Turns are measured in CPU time (module `effort` of the back ends), so the order of the
//! answers does not depend on the load of the machine, up to the resolution of that clock.
//!
//! *Memory.* The limit is one for all stages. When they exceed it together, the largest one that is
//! suspended ends, or the largest if all run.

mod process;

use crate::answer::Answer;
use crate::exit;
use crate::guard::GRACE;
use backends::Interrupt;
use passes::evidence::UnknownKind;
pub(crate) use process::{Event, Process, Program};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The period of the checks of turns and limits.
const PERIOD: Duration = Duration::from_millis(20);
/// The time that other stages have at least after a proof that could not be validated. They have
/// half of the time until the proof, if that is longer.
const AFTER_PROOF: Duration = Duration::from_millis(500);
/// The time between the starts of two stages that run at the same time: many programs need only the
/// first stage, for less than this time.
const STAGGER: Duration = Duration::from_millis(60);
/// The time between the limit of the stages and that of the run, to print an answer.
const TO_SAY: Duration = Duration::from_millis(100);

/// The reason of a stage that is given up.
const EXHAUSTED: &str = "limit of the stage reached";

/// The limits of a run.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) start: Instant,
    pub(crate) deadline: Option<Instant>,
    /// Resident memory of all stages, in bytes.
    pub(crate) memory: Option<u64>,
    /// Ends the run from outside.
    pub(crate) interrupt: Interrupt,
}

impl Limits {
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The option `--timelimit` of a stage that starts now.
    fn time_of_stage(&self) -> OsString {
        let left = self.deadline.map_or(0.0, |deadline| {
            let left = deadline.saturating_duration_since(Instant::now()).saturating_sub(TO_SAY);
            left.as_secs_f64().max(0.001)
        });
        format!("--timelimit={left}").into()
    }
}

/// A stage and what became of it.
pub(crate) struct Entry {
    /// The name in messages.
    pub(crate) name: String,
    /// The options that distinguish it, for readers.
    options: Vec<String>,
    /// The effort of its first turn, in seconds.
    first_turn: f64,
    /// The effort of a turn before that, in seconds.
    trial: Option<f64>,
    /// The largest effort of all its turns.
    limit: Option<Duration>,
    arguments: Vec<OsString>,
    turns: u32,
    effort: Duration,
    proof: Proof,
    state: State,
}

enum State {
    Waiting(Option<Process>),
    /// Since this effort.
    Running(Process, Duration),
    Ended(End),
}

/// Whether a stage has a proof.
#[derive(Clone, Copy)]
enum Proof {
    None,
    /// Its certificate is being validated, since this time.
    Validating(Instant),
}

/// The end of a stage.
pub(crate) enum End {
    /// With an answer, and the output before it.
    Answer(Box<Answer>, Vec<u8>),
    /// Without an answer.
    Failure(String),
    /// Because the run has ended.
    Stopped,
}

/// The result of a run of all stages.
pub(crate) struct Outcome {
    pub(crate) entries: Vec<Entry>,
    /// The stage whose answer is the answer of the run.
    pub(crate) winner: Option<usize>,
    /// The limit that ended the run.
    pub(crate) exceeded: Option<UnknownKind>,
}

impl Entry {
    /// A stage that has not started, with the arguments of its process: the command, then its
    /// options without the time limit.
    pub(crate) fn new(name: String, options: Vec<String>, first_turn: f64, arguments: Vec<OsString>) -> Self {
        let (effort, proof, state) = (Duration::ZERO, Proof::None, State::Waiting(None));
        Entry {
            name,
            options,
            first_turn,
            trial: None,
            limit: None,
            arguments,
            turns: 0,
            effort,
            proof,
            state,
        }
    }

    /// The stage, which is given up after this effort.
    pub(crate) fn limited(self, limit: Option<Duration>) -> Self {
        Entry { limit, ..self }
    }

    /// The stage, with a turn of this effort before all others.
    pub(crate) fn tried(self, trial: Option<f64>) -> Self {
        Entry { trial, ..self }
    }

    pub(crate) fn end(&self) -> Option<&End> {
        match &self.state {
            State::Ended(end) => Some(end),
            State::Waiting(_) | State::Running(..) => None,
        }
    }

    /// Takes the answer of a stage that has one, and the output before it.
    pub(crate) fn into_answer(self) -> Option<(Answer, Vec<u8>)> {
        match self.state {
            State::Ended(End::Answer(answer, output)) => Some((*answer, output)),
            _ => None,
        }
    }

    /// What became of the stage, in a few words.
    pub(crate) fn describe(&self) -> String {
        let end = match &self.state {
            State::Ended(End::Answer(answer, _)) => answer.verdict.clone(),
            State::Ended(End::Failure(reason)) => format!("failed: {reason}"),
            State::Waiting(None) => "not started".to_owned(),
            State::Ended(End::Stopped) | State::Waiting(Some(_)) | State::Running(..) => "stopped".to_owned(),
        };
        let turns = if self.turns == 1 { "turn" } else { "turns" };
        format!("{}: {end} ({:.2} s, {} {turns})", self.name, self.effort.as_secs_f64(), self.turns)
    }

    pub(crate) fn json(&self) -> Value {
        let (verdict, reason) = match &self.state {
            State::Ended(End::Answer(answer, _)) => (&answer.json["verdict"], answer.json["reason"].clone()),
            State::Ended(End::Failure(reason)) => (&Value::Null, reason.as_str().into()),
            State::Ended(End::Stopped) | State::Waiting(_) | State::Running(..) => {
                (&Value::Null, Value::Null)
            }
        };
        json!({
            "name": self.name,
            "options": self.options,
            "turns": self.turns,
            "seconds": self.effort.as_secs_f64(),
            "verdict": verdict,
            "reason": reason,
        })
    }

    /// The processes of the stage.
    fn process(&mut self) -> Option<&mut Process> {
        match &mut self.state {
            State::Waiting(process) => process.as_mut(),
            State::Running(process, ..) => Some(process),
            State::Ended(_) => None,
        }
    }

    /// The effort of the next turn.
    fn turn(&self) -> Duration {
        let effort = match self.trial {
            Some(trial) if self.turns == 1 => trial,
            trial => {
                let doublings = self.turns - 1 - u32::from(trial.is_some());
                self.first_turn * f64::from(1u32 << doublings.min(20))
            }
        };
        Duration::from_secs_f64(effort)
    }

    /// Ends a stage that has not ended.
    fn kill(&mut self, end: End) {
        match std::mem::replace(&mut self.state, State::Ended(end)) {
            State::Waiting(Some(mut process)) | State::Running(mut process, ..) => {
                self.effort = self.effort.max(process.effort());
                process.kill();
            }
            ended @ State::Ended(_) => self.state = ended,
            State::Waiting(None) => {}
        }
    }
}

/// Runs stages of `program` until one has an answer that ends the run, or a limit is exceeded.
/// `watch` sees the stages that run, whenever they change.
pub(crate) fn run(
    program: &Program,
    entries: Vec<Entry>,
    jobs: usize,
    limits: Limits,
    watch: &mut dyn FnMut(&[&str]),
) -> Outcome {
    let (sender, receiver) = channel();
    let queue = (0..entries.len()).collect();
    let mut schedule = Schedule {
        program,
        entries,
        queue,
        jobs,
        limits,
        sender,
        receiver,
        fallback: None,
        last_start: None,
    };
    let (winner, exceeded) = schedule.run(watch);
    let open = |entry: &&mut Entry| entry.end().is_none();
    // None waits for the end of another.
    schedule.entries.iter_mut().filter(open).filter_map(Entry::process).for_each(|process| process.end());
    for entry in schedule.entries.iter_mut().filter(open) {
        if entry.process().is_some() {
            entry.kill(End::Stopped);
        }
    }
    Outcome { entries: schedule.entries, winner, exceeded }
}

struct Schedule<'s> {
    program: &'s Program,
    entries: Vec<Entry>,
    /// The stages that wait for their turn.
    queue: VecDeque<usize>,
    jobs: usize,
    limits: Limits,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    /// A proof that was not validated, and when the search for a better one ends.
    fallback: Option<(usize, Instant)>,
    /// When the last process was started.
    last_start: Option<Instant>,
}

impl Schedule<'_> {
    /// Returns the stage whose answer counts, and the limit that ended the run.
    fn run(&mut self, watch: &mut dyn FnMut(&[&str])) -> (Option<usize>, Option<UnknownKind>) {
        let mut limit = UnknownKind::TimeLimit;
        loop {
            if self.start_turns() {
                let running = self.entries.iter().filter(|entry| matches!(entry.state, State::Running(..)));
                watch(&running.map(|entry| entry.name.as_str()).collect::<Vec<_>>());
            }
            if self.running().next().is_none() {
                let exceeded = (limit == UnknownKind::Interrupted).then_some(limit);
                return (self.fallback.map(|(number, _)| number), exceeded);
            }
            match self.receiver.recv_timeout(PERIOD) {
                Ok(Event::Proved(number)) => {
                    self.entries[number].proof = Proof::Validating(Instant::now());
                    // Its turn may have just ended.
                    if let Some(place) = self.queue.iter().position(|&waiting| waiting == number) {
                        self.queue.remove(place);
                        self.queue.push_front(number);
                    }
                }
                Ok(Event::Ended(number, output)) => {
                    if self.ended(number, output) {
                        return (Some(number), None);
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            let now = Instant::now();
            if limit != UnknownKind::Interrupted && self.limits.interrupt.is_triggered() {
                limit = UnknownKind::Interrupted;
                self.limits.deadline = Some(now);
                self.resume_all();
                for entry in &self.entries {
                    if let State::Running(process, _) = &entry.state {
                        process.interrupt();
                    }
                }
            }
            if self.limits.is_over() {
                // Each stage says at its deadline what it has found.
                self.resume_all();
            }
            if self.limits.deadline.is_some_and(|deadline| now >= deadline + 2 * GRACE) {
                return (self.fallback.map(|(number, _)| number), Some(limit));
            }
            if let Some((number, end)) = self.fallback
                && now >= end
            {
                return (Some(number), None);
            }
            self.limit_memory();
            self.end_turns();
        }
    }

    fn running(&self) -> impl Iterator<Item = usize> {
        let is_running = |number: &usize| matches!(self.entries[*number].state, State::Running(..));
        (0..self.entries.len()).filter(is_running)
    }

    /// Starts turns while stages wait and places are free. Returns whether there was one.
    fn start_turns(&mut self) -> bool {
        let mut has_started = false;
        while self.running().count() < self.jobs
            && let Some(&number) = self.queue.front()
        {
            if self.waits_for_others(number) {
                break;
            }
            self.queue.pop_front();
            let is_over = self.limits.is_over();
            let time = self.limits.time_of_stage();
            let entry = &mut self.entries[number];
            let State::Waiting(process) = &mut entry.state else { continue };
            let process = match process.take() {
                Some(process) => Ok(process),
                // No stage starts only to say that its time is over.
                None if is_over => continue,
                None => {
                    let mut arguments = entry.arguments.clone();
                    arguments.insert(1, time);
                    self.last_start = Some(Instant::now());
                    Process::start(self.program, &arguments, number, self.sender.clone())
                }
            };
            entry.turns += 1;
            entry.state = match process {
                Ok(mut process) => {
                    process.resume();
                    let since = process.effort();
                    State::Running(process, since)
                }
                Err(error) => State::Ended(End::Failure(error.to_string())),
            };
            has_started = true;
        }
        has_started
    }

    /// Whether a stage that was not started before should start later, because another has just
    /// started.
    fn waits_for_others(&self, number: usize) -> bool {
        matches!(self.entries[number].state, State::Waiting(None))
            && self.last_start.is_some_and(|start| start.elapsed() < STAGGER)
            && self.running().next().is_some()
    }

    fn resume_all(&mut self) {
        self.queue.clear();
        for entry in &mut self.entries {
            if let State::Waiting(process) = &mut entry.state
                && let Some(process) = process.take()
            {
                process.resume();
                entry.state = State::Running(process, entry.effort);
            }
        }
    }

    /// Suspends the stages whose turn is over, if others wait, and ends those at their limits.
    fn end_turns(&mut self) {
        let mut waiting = self.queue.len();
        for number in self.running().collect::<Vec<_>>() {
            let entry = &mut self.entries[number];
            let turn = entry.turn();
            let State::Running(process, since) = &mut entry.state else { continue };
            entry.effort = entry.effort.max(process.effort());
            let is_over = entry.effort.saturating_sub(*since) >= turn;
            let is_exhausted = entry.limit.is_some_and(|limit| entry.effort >= limit);
            let is_proved = matches!(entry.proof, Proof::Validating(_));
            if is_exhausted && !is_proved {
                entry.kill(End::Failure(EXHAUSTED.to_owned()));
                continue;
            }
            if waiting == 0 || !is_over || is_proved {
                continue;
            }
            waiting -= 1;
            process.suspend();
            if let State::Running(process, ..) = std::mem::replace(&mut entry.state, State::Waiting(None)) {
                entry.state = State::Waiting(Some(process));
            }
            self.queue.push_back(number);
        }
    }

    /// Notes the end of a stage. Returns whether its answer ends the run.
    fn ended(&mut self, number: usize, output: Vec<u8>) -> bool {
        let entry = &mut self.entries[number];
        let mut process = match std::mem::replace(&mut entry.state, State::Waiting(None)) {
            State::Running(process, ..) | State::Waiting(Some(process)) => process,
            // It was ended from here.
            before @ (State::Ended(_) | State::Waiting(None)) => {
                entry.state = before;
                return false;
            }
        };
        self.queue.retain(|&other| other != number);
        entry.effort = entry.effort.max(process.effort());
        let status = process.wait();
        let code = status.and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
        let answer = code.filter(|code| [exit::TRUE, exit::FALSE, exit::UNKNOWN].contains(code));
        let answer = answer.and_then(|code| answer_of(output, code));
        let Some((answer, rest)) = answer else {
            let how = status.map_or_else(|| "lost".to_owned(), |status| status.to_string());
            entry.state = State::Ended(End::Failure(format!("ended without an answer ({how})")));
            return false;
        };
        let validation = answer.json["validation"]["result"].as_str();
        let is_proof = answer.code == exit::TRUE;
        let ends = match validation {
            Some("validated" | "skipped") if is_proof => true,
            _ => answer.code == exit::FALSE,
        };
        entry.state = State::Ended(End::Answer(Box::new(answer), rest));
        if is_proof && !ends && self.fallback.is_none() {
            let now = Instant::now();
            let proved = match entry.proof {
                Proof::Validating(since) => since,
                Proof::None => now,
            };
            let more = (proved.saturating_duration_since(self.limits.start) / 2).max(AFTER_PROOF);
            self.fallback = Some((number, now + more));
        }
        ends
    }

    /// Ends stages while all together exceed the limit of memory.
    fn limit_memory(&mut self) {
        let Some(limit) = self.limits.memory else { return };
        let sizes = self.entries.iter_mut().map(|entry| entry.process().map_or(0, Process::resident));
        let mut sizes: Vec<u64> = sizes.collect();
        while sizes.iter().sum::<u64>() > limit {
            let is_waiting = |number: &usize| matches!(self.entries[*number].state, State::Waiting(_));
            let open = (0..sizes.len()).filter(|&number| sizes[number] > 0);
            let Some(largest) = open.max_by_key(|number| (is_waiting(number), sizes[*number])) else {
                return;
            };
            self.entries[largest].kill(End::Failure("memory limit reached".to_owned()));
            self.queue.retain(|&other| other != largest);
            sizes[largest] = 0;
        }
    }
}

/// The answer at the end of the output of a stage, and the output before it.
fn answer_of(mut output: Vec<u8>, code: u8) -> Option<(Answer, Vec<u8>)> {
    let end = output.strip_suffix(b"\n").map_or(output.len(), <[u8]>::len);
    let start = output[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    let object: Value = serde_json::from_slice(&output[start..end]).ok()?;
    output.truncate(start);
    Some((Answer::of_stage(object, code)?, output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_ends_before_the_run() {
        let limits = |deadline| Limits {
            start: Instant::now(),
            deadline,
            memory: None,
            interrupt: Interrupt::default(),
        };
        let seconds = |deadline| -> f64 {
            let option = limits(deadline).time_of_stage();
            let text = option.to_str().and_then(|option| option.strip_prefix("--timelimit="));
            text.and_then(|text| text.parse().ok()).expect("an option with seconds")
        };
        let now = Instant::now();
        let left = seconds(Some(now + Duration::from_secs(1000)));
        assert!(left <= 1000.0 - TO_SAY.as_secs_f64() && left > 0.0, "{left}");
        // Without a limit, and after it.
        assert!(seconds(None).abs() < 1e-9);
        assert!((seconds(Some(now)) - 0.001).abs() < 1e-9);
    }
}
