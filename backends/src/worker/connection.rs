//! A worker and its protocol connection.

use super::WorkerCommand;
use super::protocol::{Command, EFFORT, HEADER, Response, STOP, body_length, header};
use crate::Reason;
use crate::child::{CHUNK, ChildCommand, ChildProcess, Clock, Group, Patience};
use std::time::{Duration, Instant};
use terms::TermPool;
use terms::wire::{Decoder, Encoder, Names, Writer};

/// The maximal length of an answer, in bytes.
const MOST: usize = 1 << 30;

impl Patience {
    /// The command that sends these limits to the worker.
    pub(super) fn command(&self) -> Command {
        let time = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        Command::Limit { effort: self.effort, time, is_interruptible: self.interrupt.is_some() }
    }
}

/// A worker that is not known to be dead.
pub(super) struct Connection {
    process: ChildProcess,
    /// Unconsumed bytes of standard output.
    incoming: Vec<u8>,
    /// Encodes terms of the pool that this connection serves.
    pub(super) encoder: Encoder,
    /// Decodes terms that the worker created.
    pub(super) decoder: Decoder,
    commands: Writer,
}

impl Connection {
    /// Starts a worker.
    pub(super) fn start(command: &WorkerCommand) -> Result<Self, Reason> {
        let WorkerCommand { program, arguments } = command.clone();
        let (role, stop, group) = ("worker", &STOP, Group::Shared);
        let command = ChildCommand { program, arguments, role, stop, memory: None, group };
        Ok(Connection {
            process: ChildProcess::start(&command)?,
            incoming: Vec::new(),
            encoder: Encoder::new(),
            decoder: Decoder::new(Names::Shared),
            commands: Writer::default(),
        })
    }

    /// The process id.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The resident memory of the worker in bytes, if the system reports it.
    pub(super) fn resident(&self) -> Option<u64> {
        self.process.resident()
    }

    /// Appends a command to the next request.
    pub(super) fn command(&mut self, command: &Command) {
        command.write(&mut self.commands);
    }

    /// Starts a new conversation with the same worker, which was reset.
    pub(super) fn renew(&mut self) {
        self.encoder = Encoder::new();
        self.decoder = Decoder::new(Names::Shared);
        self.commands.bytes.clear();
        self.incoming.clear();
    }

    /// Sends all commands, the last of which requires an answer, and waits for it.
    ///
    /// # Errors
    /// The cause of the child's end. The child is dead then, and the connection unusable.
    pub(super) fn request(&mut self, pool: &TermPool, patience: &Patience) -> Result<Response, Reason> {
        self.send(patience)?;
        self.answer(pool, patience)
    }

    /// Sends all commands.
    pub(super) fn send(&mut self, patience: &Patience) -> Result<(), Reason> {
        let mut body = Writer { bytes: vec![0; HEADER] };
        body.slice(&self.encoder.take());
        body.bytes.append(&mut self.commands.bytes);
        let mut frame = body.bytes;
        let Some(header) = header(frame.len() - HEADER) else {
            self.process.kill();
            return Err(Reason::Unsupported("a request of more than 4 GB".to_owned()));
        };
        frame[..HEADER].copy_from_slice(&header);
        let mut clock = self.process.clock(patience);
        self.process.send(&frame, &mut clock, &mut self.incoming)
    }

    /// Waits for the answer to the last request.
    pub(super) fn answer(&mut self, pool: &TermPool, patience: &Patience) -> Result<Response, Reason> {
        let mut clock = self.process.clock(patience);
        loop {
            if let Some(length) = body_length(&self.incoming)
                && self.incoming.len() >= HEADER + length
            {
                let is_alone = self.incoming.len() == HEADER + length;
                let body = &self.incoming[HEADER..HEADER + length];
                let Some((effort, body)) = body.split_first_chunk::<EFFORT>() else {
                    return Err(self.process.nonsense("an answer without effort"));
                };
                self.process.spent(Duration::from_nanos(u64::from_le_bytes(*effort)));
                let response = Response::read(pool, body);
                self.incoming.clear();
                return match response {
                    Ok(response) if is_alone => Ok(response),
                    Ok(_) => Err(self.process.nonsense("bytes after the answer")),
                    Err(error) => Err(self.process.nonsense(&error.to_string())),
                };
            }
            self.receive(&mut clock)?;
        }
    }

    /// Waits for bytes of standard output.
    fn receive(&mut self, clock: &mut Clock<'_>) -> Result<(), Reason> {
        const LARGEST_CHUNK: usize = 1 << 20;
        let before = self.incoming.len();
        let expected = body_length(&self.incoming).map_or(0, |length| HEADER + length);
        if expected > MOST || before > expected.max(CHUNK) {
            return Err(self.process.nonsense("more bytes than its length declares"));
        }
        let chunk = (expected - before.min(expected)).clamp(CHUNK, LARGEST_CHUNK);
        self.process.read(clock, &mut self.incoming, chunk)
    }
}
