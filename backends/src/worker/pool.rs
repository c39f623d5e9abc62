//! Idle workers, used again.

use super::connection::{Connection, Patience};
use super::protocol::{Command, Response};
use super::{WorkerCommand, WorkerLimits};
use crate::Reason;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use terms::TermPool;

/// Idle workers that are kept.
const MOST_IDLE: usize = 4;
/// Resident memory of an idle worker that is used again, where no limit is known.
const LARGEST_IDLE: u64 = 512 << 20;
/// How long a worker may take to forget its last conversation.
const RESET: Duration = Duration::from_secs(1);

/// Starts workers, and keeps those that are idle.
///
/// Workers die with the thread that started them: this type stays on one thread.
pub struct Workers {
    command: WorkerCommand,
    limits: WorkerLimits,
    idle: RefCell<Vec<Connection>>,
    started: Cell<u64>,
}

impl Workers {
    /// No worker is started yet.
    pub fn new(command: WorkerCommand, limits: WorkerLimits) -> Self {
        Workers { command, limits, idle: RefCell::default(), started: Cell::new(0) }
    }

    /// The limits of each worker.
    pub fn limits(&self) -> &WorkerLimits {
        &self.limits
    }

    /// How many processes were started so far.
    pub fn started(&self) -> u64 {
        self.started.get()
    }

    /// The processes that wait for work.
    pub fn idle(&self) -> Vec<u32> {
        self.idle.borrow().iter().map(Connection::id).collect()
    }

    /// A worker that knows nothing.
    pub(super) fn take(&self) -> Result<Connection, Reason> {
        loop {
            let Some(mut connection) = self.idle.borrow_mut().pop() else {
                self.started.set(self.started.get() + 1);
                return Connection::start(&self.command);
            };
            let patience = Patience { end: Some(Instant::now() + RESET), ..Patience::default() };
            if let Ok(Response::Done) = connection.answer(&TermPool::new(), &patience)
                && !self.is_too_large(&connection)
            {
                connection.renew();
                return Ok(connection);
            }
        }
    }

    /// Lets a worker whose last question was answered forget everything, while nobody waits for it.
    pub(super) fn give_back(&self, mut connection: Connection) {
        if self.idle.borrow().len() >= MOST_IDLE {
            return;
        }
        connection.renew();
        connection.command(&Command::Reset);
        let patience = Patience { end: Some(Instant::now()), ..Patience::default() };
        if connection.send(&patience).is_ok() {
            self.idle.borrow_mut().push(connection);
        }
    }

    fn is_too_large(&self, connection: &Connection) -> bool {
        let most = self.limits.memory.map_or(LARGEST_IDLE, |memory| memory / 4);
        super::process::resident_bytes(connection.id()).is_some_and(|used| used > most)
    }
}
