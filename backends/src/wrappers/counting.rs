//! Counts and times each kind of query.

use crate::interpolation::{Attempt, Problem};
use crate::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Refutation, SharedLog, Wrapper};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{FunctionSymbol, FunctionValue, Symbol, Term, TermPool, Value};

/// A factory of provers whose calls are counted and timed.
#[derive(Clone)]
pub struct Counting {
    /// The solver.
    pub factory: Rc<dyn ProverFactory>,
    /// The statistics, shared by all provers of this factory.
    pub statistics: Statistics,
}

/// Kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum Kind {
    /// [`Prover::assert`]: mostly translation.
    Assert,
    /// Satisfiable checks.
    Sat,
    /// Unsatisfiable checks.
    Unsat,
    /// Checks without an answer.
    Unknown,
    /// Queries for values of a model.
    Values,
    /// Unsat cores.
    Core,
    /// Quantifier eliminations.
    Eliminate,
    /// Model-based projections.
    Project,
    /// Interpolants of a refutation from any source, including certification.
    Interpolants,
}

impl Kind {
    /// All kinds, in the order of the table.
    pub const ALL: [Kind; 9] = [
        Kind::Assert,
        Kind::Sat,
        Kind::Unsat,
        Kind::Unknown,
        Kind::Values,
        Kind::Core,
        Kind::Eliminate,
        Kind::Project,
        Kind::Interpolants,
    ];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Assert => "assert",
            Kind::Sat => "check: sat",
            Kind::Unsat => "check: unsat",
            Kind::Unknown => "check: unknown",
            Kind::Values => "model values",
            Kind::Core => "unsat core",
            Kind::Eliminate => "eliminate",
            Kind::Project => "project",
            Kind::Interpolants => "interpolants",
        }
    }
}

/// Count and times of one kind of call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// The number of calls.
    pub count: u64,
    /// The number of calls without a result, for kinds other than [`Kind::Unknown`].
    pub failures: u64,
    /// The total time.
    pub time: Duration,
    /// The longest time of one call.
    pub longest: Duration,
}

impl Entry {
    fn add(&mut self, time: Duration, is_failure: bool) {
        self.count += 1;
        self.failures += u64::from(is_failure);
        self.time += time;
        self.longest = self.longest.max(time);
    }
}

/// Shared statistics; clones share one table. Displayed as a table, serialized as a map from names
/// to entries.
#[derive(Clone, Debug, Default)]
pub struct Statistics(Rc<RefCell<Table>>);

#[derive(Debug, Default)]
struct Table {
    kinds: [Entry; Kind::ALL.len()],
    sources: BTreeMap<String, Entry>,
    /// For each source, the reasons of its failures with their numbers.
    reasons: BTreeMap<String, BTreeMap<String, u64>>,
}

/// The largest number of reasons that are kept for one source; further ones are not counted.
const MOST_REASONS: usize = 20;

impl Statistics {
    /// The entry of `kind`.
    pub fn of(&self, kind: Kind) -> Entry {
        self.0.borrow().kinds[kind as usize]
    }

    /// Counts a call.
    pub fn add(&self, kind: Kind, time: Duration, is_failure: bool) {
        self.0.borrow_mut().kinds[kind as usize].add(time, is_failure);
    }

    /// Counts the attempts of an [`Interpolation`](crate::interpolation::Interpolation).
    pub fn add_attempts(&self, attempts: &[Attempt]) {
        let mut table = self.0.borrow_mut();
        for attempt in attempts {
            let entry = table.sources.entry(attempt.source.clone()).or_default();
            entry.add(attempt.time, attempt.failure.is_some());
            let Some(reason) = &attempt.failure else { continue };
            let reasons = table.reasons.entry(attempt.source.clone()).or_default();
            let reason = reason.to_string();
            if reasons.len() < MOST_REASONS || reasons.contains_key(&reason) {
                *reasons.entry(reason).or_default() += 1;
            }
        }
    }

    /// The nonempty entries, by name; a source is named `interpolants: NAME`.
    pub fn entries(&self) -> Vec<(String, Entry)> {
        let table = self.0.borrow();
        let kinds = Kind::ALL.iter().map(|&kind| (kind.name().to_owned(), table.kinds[kind as usize]));
        let sources = table.sources.iter().map(|(name, &entry)| (of_source(name), entry));
        kinds.chain(sources).filter(|(_, entry)| entry.count > 0).collect()
    }
}

/// The name of a source of interpolants in the table.
fn of_source(name: &str) -> String {
    format!("interpolants: {name}")
}

/// An entry as it is serialized.
#[derive(serde::Serialize)]
struct Described {
    #[serde(flatten)]
    entry: Entry,
    /// The reasons of failures, for sources of interpolants.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    reasons: BTreeMap<String, u64>,
}

impl serde::Serialize for Statistics {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut reasons: BTreeMap<String, BTreeMap<String, u64>> =
            self.0.borrow().reasons.iter().map(|(name, own)| (of_source(name), own.clone())).collect();
        let describe = |(name, entry): (String, Entry)| {
            let reasons = reasons.remove(&name).unwrap_or_default();
            (name, Described { entry, reasons })
        };
        serializer.collect_map(self.entries().into_iter().map(describe))
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries();
        let width =
            entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("query".len());
        writeln!(f, "{:width$} {:>10} {:>8} {:>12} {:>12}", "query", "count", "failed", "time", "longest")?;
        for (name, entry) in entries {
            let (time, longest) = (seconds(entry.time), seconds(entry.longest));
            writeln!(f, "{name:width$} {:>10} {:>8} {time:>12} {longest:>12}", entry.count, entry.failures)?;
        }
        Ok(())
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

impl Wrapper for Counting {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let inner = self.factory.new_prover(logic, limits)?;
        Ok(Box::new(CountingProver { inner, statistics: self.statistics.clone() }))
    }
}

/// Runs, times and counts a call.
fn counted<T>(
    statistics: &Statistics,
    kind: Kind,
    call: impl FnOnce() -> Result<T, Reason>,
) -> Result<T, Reason> {
    let start = Instant::now();
    let result = call();
    statistics.add(kind, start.elapsed(), result.is_err());
    result
}

/// Runs, times and counts a check.
fn counted_check<'p>(statistics: &'p Statistics, check: impl FnOnce() -> Outcome<'p>) -> Outcome<'p> {
    let start = Instant::now();
    let outcome = check();
    let time = start.elapsed();
    match outcome {
        Outcome::Sat(inner) => {
            statistics.add(Kind::Sat, time, false);
            Outcome::Sat(Box::new(CountingModel { inner, statistics }))
        }
        Outcome::Unsat(inner) => {
            statistics.add(Kind::Unsat, time, false);
            Outcome::Unsat(Box::new(CountingRefutation { inner, statistics }))
        }
        unknown @ Outcome::Unknown(_) => {
            statistics.add(Kind::Unknown, time, false);
            unknown
        }
    }
}

struct CountingProver {
    inner: Box<dyn Prover>,
    statistics: Statistics,
}

impl Prover for CountingProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        counted(&self.statistics, Kind::Assert, || self.inner.assert(pool, formula))
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        let CountingProver { inner, statistics } = self;
        counted_check(statistics, || inner.check(pool, assumptions))
    }

    fn check_parts(&mut self, pool: &mut TermPool, problem: &Problem, at_once: Duration) -> Outcome<'_> {
        let CountingProver { inner, statistics } = self;
        counted_check(statistics, || inner.check_parts(pool, problem, at_once))
    }

    fn log(&self) -> Option<SharedLog> {
        self.inner.log()
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.inner.set_limits(limits);
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        counted(&self.statistics, Kind::Eliminate, || self.inner.eliminate(pool, formula, variables))
    }
}

struct CountingModel<'p> {
    inner: Box<dyn Model + 'p>,
    statistics: &'p Statistics,
}

impl Model for CountingModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        counted(self.statistics, Kind::Values, || self.inner.value(pool, symbol))
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        counted(self.statistics, Kind::Values, || self.inner.function(pool, function))
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        counted(self.statistics, Kind::Values, || self.inner.eval(pool, term))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        counted(self.statistics, Kind::Values, || self.inner.eval_all(pool, terms))
    }

    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        counted(self.statistics, Kind::Project, || self.inner.project(pool, formula, variables))
    }
}

struct CountingRefutation<'p> {
    inner: Box<dyn Refutation + 'p>,
    statistics: &'p Statistics,
}

impl Refutation for CountingRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        counted(self.statistics, Kind::Core, || self.inner.unsat_core())
    }

    fn interpolants(&mut self, pool: &mut TermPool, problem: &Problem) -> Result<Vec<Term>, Reason> {
        counted(self.statistics, Kind::Interpolants, || self.inner.interpolants(pool, problem))
    }
}
