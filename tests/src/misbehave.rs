//! A solver with the occasional behavior of solvers in C++: it crashes, hangs, prints, exhausts
//! memory. It runs in workers only.
//!
//! It is another solver with one difference: a check misbehaves while a symbol with the name of a
//! [`Behavior`] is asserted.

use backends::worker::{Isolated, WorkerCommand, WorkerLimits, Workers};
use backends::{Capabilities, Limits, Outcome, Prover, ProverFactory, Reason, Registry};
use rustix::process::{Signal, getpid, kill_process};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;
use terms::{Op, Sort, Term, TermPool};

/// The name of the solver.
pub const NAME: &str = "misbehaving";
/// The first argument of a worker with this solver.
pub const WORKER: &str = "misbehaving-worker";
/// The first argument of a process that prints its id and then runs a non-terminating query in such
/// a worker.
pub const HANGING_PARENT: &str = "hanging-parent";

/// The behavior of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// Prints a message and calls `abort`.
    Abort,
    /// Dies of a segmentation fault.
    Segfault,
    /// Calls `exit(3)`.
    Exit,
    /// Never returns, and ignores all limits.
    Hang,
    /// The same, and uses CPU time.
    Spin,
    /// Sleeps for a second, then answers.
    Slow,
    /// Prints a lot to standard output and standard error, then answers.
    Print,
    /// Allocates memory until it is exhausted.
    Eat,
    /// Panics.
    Panic,
    /// Fails to assert, with [`Reason::Unsupported`].
    Refuse,
}

impl Behavior {
    /// All of them.
    pub const ALL: [Behavior; 10] = [
        Behavior::Abort,
        Behavior::Segfault,
        Behavior::Exit,
        Behavior::Hang,
        Behavior::Spin,
        Behavior::Slow,
        Behavior::Print,
        Behavior::Eat,
        Behavior::Panic,
        Behavior::Refuse,
    ];

    /// The name of the symbol that triggers it.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// The formula that triggers it, satisfiable by itself.
    pub fn formula(self, pool: &mut TermPool) -> Term {
        pool.symbol(&self.name(), Sort::Bool)
    }

    fn act(self) {
        match self {
            Behavior::Abort => {
                let _ = writeln!(std::io::stderr(), "terminate called after throwing");
                std::process::abort();
            }
            Behavior::Segfault => loop {
                // Rust's signal handler expects the first fault to happen again.
                let _ = kill_process(getpid(), Signal::SEGV);
            },
            Behavior::Exit => std::process::exit(3),
            Behavior::Hang => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            Behavior::Spin => loop {
                std::hint::spin_loop();
            },
            Behavior::Slow => std::thread::sleep(Duration::from_secs(1)),
            Behavior::Print => {
                for line in 0..20_000 {
                    let _ = writeln!(std::io::stdout(), "c {line}: restarts and conflicts");
                    let _ = writeln!(std::io::stderr(), "c {line}: warnings");
                }
            }
            Behavior::Eat => {
                let mut eaten = Vec::new();
                loop {
                    eaten.push(vec![eaten.len() as u8 | 1; 1 << 20]);
                }
            }
            Behavior::Panic => panic!("a bug in a binding"),
            Behavior::Refuse => {}
        }
    }
}

/// The factory around `inner`.
pub struct Misbehaving {
    inner: Rc<dyn ProverFactory>,
}

impl Misbehaving {
    /// `inner`, with the behaviors.
    pub fn new(inner: Rc<dyn ProverFactory>) -> Self {
        Misbehaving { inner }
    }
}

impl ProverFactory for Misbehaving {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> String {
        self.inner.version()
    }

    fn license(&self) -> &'static str {
        self.inner.license()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let inner = self.inner.new_prover(logic, limits)?;
        Ok(Box::new(MisbehavingProver { inner, scopes: vec![Vec::new()] }))
    }
}

struct MisbehavingProver {
    inner: Box<dyn Prover>,
    scopes: Vec<Vec<Behavior>>,
}

impl Prover for MisbehavingProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Vec::new());
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.scopes.pop();
        self.inner.pop()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        if let Op::Symbol(symbol) = pool.op(formula)
            && let Some(behavior) =
                Behavior::ALL.into_iter().find(|known| known.name() == pool.symbol_data(symbol).name)
        {
            if behavior == Behavior::Refuse {
                return Err(Reason::Unsupported("a refused symbol".to_owned()));
            }
            self.scopes.last_mut().expect("the bottom is always there").push(behavior);
        }
        self.inner.assert(pool, formula)
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        for &behavior in self.scopes.iter().flatten() {
            behavior.act();
        }
        self.inner.check(pool, assumptions)
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.inner.set_limits(limits);
    }
}

/// All solvers and sources of the tool, this one around the first solver, and Yices' interpolation
/// without the guards against crashes and nontermination.
pub fn registry() -> Registry {
    let mut registry = hornwork::registry();
    registry.interpolators.push(backend_yices::unguarded_interpolator());
    let first = Rc::clone(registry.provers.first().expect("a solver is built in"));
    registry.provers.push(Rc::new(Misbehaving::new(first)));
    registry
}

/// Workers that are started as `program` with [`WORKER`]. The limit also distinguishes the workers
/// of different owners.
pub fn workers(program: &Path, megabytes: u64, grace: Duration) -> Rc<Workers> {
    let arguments = vec![OsString::from(WORKER), OsString::from(megabytes.to_string())];
    let command = WorkerCommand { program: program.to_path_buf(), arguments };
    Rc::new(Workers::new(command, WorkerLimits { memory: Some(megabytes << 20), grace }))
}

/// Runs this process in the role of its first argument, if that is one of the above.
pub fn main(arguments: &[OsString]) -> Option<ExitCode> {
    let mode = arguments.get(1)?.to_str()?;
    let megabytes: u64 = arguments.get(2).and_then(|text| text.to_str()?.parse().ok()).unwrap_or(0);
    match mode {
        WORKER => {}
        HANGING_PARENT => return Some(hang(Path::new(arguments.first()?), megabytes)),
        _ => return None,
    }
    let work = move || {
        let memory = (megabytes > 0).then_some(megabytes << 20);
        i32::from(backends::worker::main(&registry(), memory).is_err())
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work).ok()?;
    std::process::exit(thread.join().unwrap_or(101))
}

/// Never returns: waits for a worker that hangs.
fn hang(program: &Path, megabytes: u64) -> ExitCode {
    let workers = workers(program, megabytes, Duration::from_secs(1));
    let registry = registry();
    let factory = registry.prover(NAME).expect("it is registered");
    let isolated = Isolated::new(Rc::clone(factory), workers);
    let mut pool = TermPool::new();
    let formula = Behavior::Hang.formula(&mut pool);
    let Ok(mut prover) = isolated.new_prover("ALL", &Limits::default()) else { return ExitCode::FAILURE };
    if prover.assert(&pool, formula).is_err() {
        return ExitCode::FAILURE;
    }
    let _ = writeln!(std::io::stdout(), "ready");
    let _ = prover.status(&pool, &[]);
    ExitCode::FAILURE
}
