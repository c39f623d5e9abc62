//! The worker's side of a conversation.
//!
//! A loop over commands, read frame by frame. A model or refutation borrows its prover, so it has a
//! loop of its own, which ends at the first command that is not a query about it.

use super::protocol::{Command, EFFORT, HEADER, Response, body_length, header};
use crate::effort::{self, Moment};
use crate::interpolation::{Interpolants, Interpolator, Preference, Problem, Tree, Witness};
use crate::{Interrupt, Limits, Model, Outcome, Prover, Reason, Refutation, Registry};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use terms::wire::{Decoder, Encoder, Names, Reader, WireError, Writer};
use terms::{Symbol, Term, TermPool, Value};

/// The reason why a conversation ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Reading from or writing to the client failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The client sent a malformed request.
    #[error(transparent)]
    Wire(#[from] WireError),
}

/// The current activity of the worker; through it the guard thread interrupts the solver.
#[derive(Debug, Default)]
pub struct Activity(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The number of the current request.
    request: u64,
    /// Interrupts the current request, if there is one.
    interrupt: Option<Interrupt>,
}

impl Activity {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the current request, if the worker is busy.
    pub fn busy(&self) -> Option<u64> {
        let state = self.state();
        state.interrupt.as_ref().map(|_| state.request)
    }

    /// Interrupts the work on `request`, unless it has ended.
    pub fn stop(&self, request: Option<u64>) {
        let state = self.state();
        if let Some(interrupt) = &state.interrupt
            && request == Some(state.request)
        {
            interrupt.trigger();
        }
    }

    pub(super) fn begin(&self) -> Interrupt {
        let mut state = self.state();
        state.request += 1;
        state.interrupt.insert(Interrupt::default()).clone()
    }

    pub(super) fn finish(&self) {
        self.state().interrupt = None;
    }
}

/// Answers requests until `input` ends.
///
/// # Errors
/// The client disappeared or violated the protocol; the state of the conversation is lost.
pub fn serve(
    registry: &Registry,
    input: &mut dyn Read,
    output: &mut dyn Write,
    activity: &Activity,
) -> Result<(), ServeError> {
    let mut channel = Channel {
        input,
        output,
        activity,
        buffer: Vec::new(),
        queue: VecDeque::new(),
        arrival: Instant::now(),
        effort: Moment::now(),
        interrupt: Interrupt::default(),
    };
    loop {
        match conversation(registry, &mut channel)? {
            End::Closed => return Ok(()),
            End::Reset => channel.respond(&TermPool::new(), &Response::Done)?,
        }
    }
}

/// The end of a conversation.
enum End {
    Closed,
    Reset,
}

/// Reads and writes frames.
struct Channel<'c> {
    input: &'c mut dyn Read,
    output: &'c mut dyn Write,
    activity: &'c Activity,
    /// Unconsumed input: empty between requests, except for interrupts.
    buffer: Vec<u8>,
    /// Commands that were read but not executed.
    queue: VecDeque<Command>,
    /// The arrival of the last frame, by the clock and by effort, and the interrupt of its
    /// commands.
    arrival: Instant,
    effort: Moment,
    interrupt: Interrupt,
}

/// The terms of a conversation.
struct Terms {
    pool: TermPool,
    decoder: Decoder,
    encoder: Encoder,
}

impl Terms {
    fn all(&self, ids: &[u32]) -> Result<Vec<Term>, WireError> {
        ids.iter().map(|&id| self.decoder.term(id)).collect()
    }

    fn symbols(&self, numbers: &[u32]) -> Result<Vec<Symbol>, WireError> {
        numbers.iter().map(|&number| self.decoder.symbol(number)).collect()
    }

    fn response(&mut self, terms: &[Term]) -> Response {
        let ids = terms.iter().map(|&term| self.encoder.term(&self.pool, term)).collect();
        Response::Terms { records: self.encoder.take(), ids }
    }

    fn witness(&mut self, witness: Witness) -> Response {
        let (symbols, values): (Vec<Symbol>, Vec<Value>) = witness.values.into_iter().unzip();
        let mut ids = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let term = self.pool.symbol_term(symbol);
            ids.push(self.encoder.term(&self.pool, term));
        }
        Response::Witness { records: self.encoder.take(), ids, values }
    }
}

impl Channel<'_> {
    /// The next command, without consuming it; `None` at the end of the input.
    fn peek(&mut self, terms: &mut Terms) -> Result<Option<&Command>, ServeError> {
        while self.queue.is_empty() {
            if !self.read_frame(terms)? {
                return Ok(None);
            }
        }
        Ok(self.queue.front())
    }

    fn next(&mut self, terms: &mut Terms) -> Result<Option<Command>, ServeError> {
        self.peek(terms)?;
        Ok(self.queue.pop_front())
    }

    /// Consumes the next command if `is_wanted` accepts it; otherwise `None`.
    fn next_if(
        &mut self,
        terms: &mut Terms,
        is_wanted: fn(&Command) -> bool,
    ) -> Result<Option<Command>, ServeError> {
        Ok(match self.peek(terms)? {
            Some(command) if is_wanted(command) => self.queue.pop_front(),
            _ => None,
        })
    }

    /// Reads one frame; false at the end of the input.
    fn read_frame(&mut self, terms: &mut Terms) -> Result<bool, ServeError> {
        const CHUNK: usize = 1 << 16;
        let length = loop {
            if let Some(length) = body_length(&self.buffer)
                && self.buffer.len() >= HEADER + length
            {
                break length;
            }
            let before = self.buffer.len();
            self.buffer.resize(before + CHUNK, 0);
            let result = self.input.read(&mut self.buffer[before..]);
            self.buffer.truncate(before + result.as_ref().map_or(0, |&count| count));
            match result {
                Ok(0) if before == 0 => return Ok(false),
                Ok(0) => return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into()),
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        };
        if length > 0 {
            self.arrival = Instant::now();
            self.effort = Moment::now();
            self.interrupt = self.activity.begin();
            let mut body = Reader::new(&self.buffer[HEADER..HEADER + length]);
            terms.decoder.read(&mut terms.pool, body.slice()?)?;
            while !body.is_empty() {
                self.queue.push_back(Command::read(&mut body)?);
            }
        }
        self.buffer.drain(..HEADER + length);
        if length > 0 && !self.buffer.is_empty() {
            // The interrupt arrived together with the request.
            self.interrupt.trigger();
        }
        Ok(true)
    }

    fn respond(&mut self, pool: &TermPool, response: &Response) -> Result<(), ServeError> {
        let mut frame = Writer { bytes: vec![0; HEADER + EFFORT] };
        response.write(pool, &mut frame);
        let mut frame = frame.bytes;
        let length = header(frame.len() - HEADER);
        let length = length.ok_or_else(|| std::io::Error::other("the answer exceeds 4 GB"))?;
        frame[..HEADER].copy_from_slice(&length);
        let effort = u64::try_from(effort::own().as_nanos()).unwrap_or(u64::MAX);
        frame[HEADER..HEADER + EFFORT].copy_from_slice(&effort.to_le_bytes());
        self.activity.finish();
        self.output.write_all(&frame)?;
        self.output.flush()?;
        Ok(())
    }

    fn respond_with(
        &mut self,
        pool: &TermPool,
        response: Result<Response, Reason>,
    ) -> Result<(), ServeError> {
        self.respond(pool, &response.unwrap_or_else(Response::Failed))
    }
}

/// A scope of a prover, as the client sees it.
#[derive(Default)]
struct Scope {
    /// The reason why no check is possible while the scope is open: a command in it failed.
    failure: Option<Reason>,
    /// Whether the solver opened this scope.
    is_open: bool,
}

/// A prover with the scopes that the client opened.
struct Served {
    prover: Box<dyn Prover>,
    /// The first is the bottom scope, which always exists.
    scopes: Vec<Scope>,
}

impl Served {
    fn failure(&self) -> Option<&Reason> {
        self.scopes.iter().find_map(|scope| scope.failure.as_ref())
    }

    fn push(&mut self) {
        let pushed = self.prover.push();
        self.scopes.push(Scope { is_open: pushed.is_ok(), failure: pushed.err() });
    }

    fn pop(&mut self) -> Result<(), WireError> {
        if self.scopes.len() < 2 {
            return Err(WireError::Malformed("pop without push"));
        }
        let popped = self.scopes.pop().expect("there are at least two scopes");
        if popped.is_open
            && let Err(reason) = self.prover.pop()
        {
            // The solver failed to close a scope, so its answers are unusable.
            self.scopes[0].failure.get_or_insert(reason);
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) {
        if let Err(reason) = self.prover.assert(pool, formula) {
            let innermost = self.scopes.last_mut().expect("the bottom scope always exists");
            innermost.failure.get_or_insert(reason);
        }
    }
}

fn conversation(registry: &Registry, channel: &mut Channel<'_>) -> Result<End, ServeError> {
    let mut terms =
        Terms { pool: TermPool::new(), decoder: Decoder::new(Names::Foreign), encoder: Encoder::new() };
    let mut served: Result<Served, Reason> = Err(Reason::Misuse("no prover was created".to_owned()));
    let mut limit = Limit::default();
    while let Some(command) = channel.next(&mut terms)? {
        match command {
            Command::Reset => return Ok(End::Reset),
            Command::Create { solver, logic } => served = create(registry, &solver, &logic),
            Command::Limit { effort, time, is_interruptible } => {
                limit = Limit { effort, time, is_interruptible }
            }
            Command::Interpolate { source, solver, preference, parents, parts } => {
                let limits = limits(channel, limit);
                let parts = parts.iter().map(|part| terms.all(part)).collect::<Result<Vec<_>, _>>()?;
                let tree = Tree::new(parents).map_err(|_| WireError::Malformed("a tree of parts"))?;
                let problem = Problem { parts, tree };
                let source = new_interpolator(registry, &source, &solver, preference);
                let answer = source.map(|mut source| source.interpolate(&mut terms.pool, &problem, &limits));
                let response = match answer.into() {
                    Interpolants::Found(interpolants) => Ok(terms.response(&interpolants)),
                    Interpolants::Satisfiable(None) => Ok(Response::Sat),
                    Interpolants::Satisfiable(Some(witness)) => Ok(terms.witness(witness)),
                    Interpolants::Unknown(reason) => Err(reason),
                };
                channel.respond_with(&terms.pool, response)?;
            }
            Command::Ready => {
                let failure = match &served {
                    Ok(served) => served.failure().cloned(),
                    Err(reason) => Some(reason.clone()),
                };
                channel.respond_with(&terms.pool, failure.map_or(Ok(Response::Done), Err))?;
            }
            Command::Push | Command::Pop | Command::Assert(_) => {
                let Ok(served) = &mut served else { continue };
                match command {
                    Command::Push => served.push(),
                    Command::Pop => served.pop()?,
                    Command::Assert(formula) => served.assert(&terms.pool, terms.decoder.term(formula)?),
                    _ => unreachable!("matched above"),
                }
            }
            Command::Check(assumptions) => {
                let assumptions = terms.all(&assumptions)?;
                match ready(&mut served) {
                    Ok(served) => {
                        served.prover.set_limits(&limits(channel, limit));
                        check(channel, &mut terms, &mut *served.prover, &assumptions)?;
                    }
                    Err(reason) => channel.respond(&terms.pool, &Response::Failed(reason))?,
                }
            }
            Command::Eliminate { formula, variables } => {
                let (formula, variables) = (terms.decoder.term(formula)?, terms.symbols(&variables)?);
                let result = match &mut served {
                    Ok(served) => {
                        served.prover.set_limits(&limits(channel, limit));
                        served.prover.eliminate(&mut terms.pool, formula, &variables)
                    }
                    Err(reason) => Err(reason.clone()),
                };
                let response = result.map(|term| terms.response(&[term]));
                channel.respond_with(&terms.pool, response)?;
            }
            Command::Core
            | Command::Value(_)
            | Command::Eval(_)
            | Command::Function(_)
            | Command::Project { .. } => {
                let reason = Reason::Misuse("no model or refutation to query".to_owned());
                channel.respond(&terms.pool, &Response::Failed(reason))?;
            }
        }
    }
    Ok(End::Closed)
}

fn create(registry: &Registry, solver: &str, logic: &str) -> Result<Served, Reason> {
    let prover = find_solver(registry, solver)?.new_prover(logic, &Limits::default())?;
    Ok(Served { prover, scopes: vec![Scope::default()] })
}

fn find_solver<'r>(
    registry: &'r Registry,
    solver: &str,
) -> Result<&'r std::rc::Rc<dyn crate::ProverFactory>, Reason> {
    registry.prover(solver).ok_or_else(|| Reason::Misuse(format!("the worker has no solver {solver}")))
}

/// The prover, if all assertions reached it.
fn ready(served: &mut Result<Served, Reason>) -> Result<&mut Served, Reason> {
    match served {
        Err(reason) => Err(reason.clone()),
        Ok(served) => match served.failure() {
            Some(reason) => Err(reason.clone()),
            None => Ok(served),
        },
    }
}

/// The limits that the client sent last.
#[derive(Clone, Copy, Default)]
struct Limit {
    effort: Option<Duration>,
    time: Option<Duration>,
    is_interruptible: bool,
}

/// The limits of a command of the last frame.
fn limits(channel: &Channel<'_>, limit: Limit) -> Limits {
    Limits {
        time: None,
        effort: limit.effort.map(|effort| channel.effort.after(effort)),
        deadline: limit.time.and_then(|time| channel.arrival.checked_add(time)),
        interrupt: limit.is_interruptible.then(|| channel.interrupt.clone()),
    }
}

fn check(
    channel: &mut Channel<'_>,
    terms: &mut Terms,
    prover: &mut dyn Prover,
    assumptions: &[Term],
) -> Result<(), ServeError> {
    match prover.check(&terms.pool, assumptions) {
        Outcome::Unknown(reason) => channel.respond(&terms.pool, &Response::Failed(reason)),
        Outcome::Unsat(mut refutation) => {
            channel.respond(&terms.pool, &Response::Unsat)?;
            while channel.next_if(terms, |command| *command == Command::Core)?.is_some() {
                let core = Refutation::unsat_core(&mut *refutation);
                channel.respond_with(&terms.pool, core.map(Response::Indices))?;
            }
            Ok(())
        }
        Outcome::Sat(mut model) => {
            channel.respond(&terms.pool, &Response::Sat)?;
            while let Some(command) = channel.next_if(terms, Command::asks_model)? {
                let response = ask_model(terms, &mut *model, command)?;
                channel.respond_with(&terms.pool, response)?;
            }
            Ok(())
        }
    }
}

fn ask_model(
    terms: &mut Terms,
    model: &mut dyn Model,
    command: Command,
) -> Result<Result<Response, Reason>, WireError> {
    Ok(match command {
        Command::Value(symbol) => {
            let symbol = terms.decoder.symbol(symbol)?;
            model.value(&terms.pool, symbol).map(|value| Response::Values(vec![value]))
        }
        Command::Eval(asked) => {
            let asked = terms.all(&asked)?;
            model.eval_all(&terms.pool, &asked).map(Response::Values)
        }
        Command::Function(function) => {
            let function = terms.decoder.function(function)?;
            model.function(&terms.pool, function).map(Response::Function)
        }
        Command::Project { formula, variables } => {
            let (formula, variables) = (terms.decoder.term(formula)?, terms.symbols(&variables)?);
            let projected = model.project(&mut terms.pool, formula, &variables);
            projected.map(|term| terms.response(&[term]))
        }
        other => unreachable!("{other:?} is not a query of a model"),
    })
}

fn new_interpolator(
    registry: &Registry,
    source: &str,
    solver: &str,
    preference: Preference,
) -> Result<Box<dyn Interpolator>, Reason> {
    let source = registry
        .interpolator(source)
        .ok_or_else(|| Reason::Misuse(format!("the worker has no source {source}")))?;
    Ok(source.new_interpolator(find_solver(registry, solver)?, preference))
}
