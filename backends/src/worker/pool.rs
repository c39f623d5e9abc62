//! Idle workers, kept for reuse.

use super::connection::Connection;
use super::protocol::{Command, Response};
use super::{WorkerCommand, WorkerLimits};
use crate::Reason;
use crate::child::Patience;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use terms::TermPool;

/// The maximal number of idle workers.
const MOST_IDLE: usize = 4;
/// The maximal resident memory of a reused worker, if there is no memory limit.
const LARGEST_IDLE: u64 = 512 << 20;
/// The time for a worker to reset.
const RESET: Duration = Duration::from_secs(1);

/// Starts workers and keeps idle ones.
///
/// Workers die with the thread that started them, so this type stays on one thread.
pub struct Workers {
    command: WorkerCommand,
    limits: WorkerLimits,
    idle: RefCell<Vec<Connection>>,
    started: Cell<u64>,
}

impl Workers {
    /// Creates an empty pool.
    pub fn new(command: WorkerCommand, limits: WorkerLimits) -> Self {
        Workers { command, limits, idle: RefCell::default(), started: Cell::new(0) }
    }

    /// The limits of each worker.
    pub fn limits(&self) -> &WorkerLimits {
        &self.limits
    }

    /// The number of processes started so far.
    pub fn started(&self) -> u64 {
        self.started.get()
    }

    /// The idle processes.
    pub fn idle(&self) -> Vec<u32> {
        self.idle.borrow().iter().map(Connection::id).collect()
    }

    /// A fresh worker, without state.
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

    /// Resets a worker whose last query was answered and keeps it; nobody waits for the reset.
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
        connection.resident().is_some_and(|used| used > most)
    }
}
