//! A process and the exchange of commands and replies with it.

use crate::Specification;
use crate::replies::{Splitter, error};
use backends::Reason;
use backends::child::{CHUNK, ChildCommand, ChildProcess, Patience};
use std::fmt::Write;

/// The maximal size of the replies to one batch, in bytes.
const MOST: usize = 1 << 28;

/// A solver that waits for commands.
pub(crate) struct Conversation {
    process: ChildProcess,
    received: Splitter,
    /// The number of the last batch.
    batch: u64,
}

/// The options of a conversation beyond those that every one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Checks,
    Interpolation,
}

impl Conversation {
    pub(crate) fn start(command: &ChildCommand) -> Result<Self, Reason> {
        let process = ChildProcess::start(command)?;
        Ok(Conversation { process, received: Splitter::default(), batch: 0 })
    }

    /// Starts a solver and sets its options and logic.
    pub(crate) fn open(
        specification: &Specification,
        logic: &str,
        purpose: Purpose,
        patience: &Patience,
    ) -> Result<Self, Reason> {
        let mut conversation = Conversation::start(&specification.command)?;
        let mut text = "(set-option :print-success false)\n".to_owned();
        let capabilities = &specification.capabilities;
        let options = [
            (":produce-models", capabilities.models == backends::Support::Full),
            (":produce-unsat-cores", capabilities.unsat_cores == backends::Support::Full),
        ];
        match purpose {
            Purpose::Checks => {
                for (option, _) in options.into_iter().filter(|(_, is_supported)| *is_supported) {
                    writeln!(text, "(set-option {option} true)").expect("a string takes any text");
                }
            }
            Purpose::Interpolation => text.push_str("(set-option :produce-interpolants true)\n"),
        }
        for command in &specification.preamble {
            writeln!(text, "{command}").expect("a string takes any text");
        }
        let logic = specification.logic.as_deref().unwrap_or(logic);
        writeln!(text, "(set-logic {logic})").expect("a string takes any text");
        let replies = conversation.ask(&text, patience)?;
        match replies.iter().find(|reply| *reply != "unsupported") {
            None => Ok(conversation),
            Some(reply) => Err(conversation.unexpected(reply)),
        }
    }

    /// Sends commands and returns the replies, without `success`.
    ///
    /// # Errors
    /// A limit is exceeded, the process ended, or it replied with an error
    /// ([`Reason::Unsupported`]).
    /// The conversation is over then.
    pub(crate) fn ask(&mut self, commands: &str, patience: &Patience) -> Result<Vec<String>, Reason> {
        self.batch += 1;
        let marker = format!("hornwork-{}", self.batch);
        let text = format!("{commands}(echo \"{marker}\")\n");
        let mut clock = self.process.clock(patience);
        let mut replies = Vec::new();
        let mut result = self.process.send(text.as_bytes(), &mut clock, self.received.incoming());
        loop {
            while let Some(reply) = self.received.next() {
                if reply.trim_matches('"') == marker {
                    self.process.account();
                    return self.without_errors(replies);
                }
                if reply != "success" {
                    replies.push(reply);
                }
            }
            if let Err(reason) = result {
                // A solver that stops at its first error says why before it ends.
                return match (replies.iter().find_map(|reply| error(reply)), reason) {
                    (Some(message), Reason::Fault(_)) => Err(Reason::Unsupported(message)),
                    (_, reason) => Err(reason),
                };
            }
            if self.received.rest() > MOST {
                return Err(self.process.nonsense("a reply of more than 256 MB"));
            }
            result = self.process.read(&mut clock, self.received.incoming(), CHUNK);
        }
    }

    fn without_errors(&mut self, replies: Vec<String>) -> Result<Vec<String>, Reason> {
        match replies.iter().find_map(|reply| error(reply)) {
            None => Ok(replies),
            Some(message) => {
                self.process.kill();
                Err(Reason::Unsupported(message))
            }
        }
    }

    /// Sends commands that have one reply.
    pub(crate) fn ask_one(&mut self, commands: &str, patience: &Patience) -> Result<String, Reason> {
        let mut replies = self.ask(commands, patience)?;
        match (replies.len(), replies.pop()) {
            (1, Some(reply)) => Ok(reply),
            (_, Some(reply)) => Err(self.unexpected(replies.first().unwrap_or(&reply))),
            (_, None) => Err(self.process.nonsense("no reply to a command")),
        }
    }

    /// Ends a conversation with a reply that does not belong to its command.
    pub(crate) fn unexpected(&mut self, reply: &str) -> Reason {
        const SHOWN: usize = 100;
        let text: String = reply.chars().take(SHOWN).collect();
        let dots = if text.len() < reply.len() { "…" } else { "" };
        self.process.nonsense(&format!("unexpected reply `{text}{dots}`"))
    }
}
