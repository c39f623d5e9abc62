//! The progress of a run: a line on the terminal, log messages, and dumps of graphs.

use super::partial::Partial;
use super::sharing::Folder;
use super::statistics::Statistics;
use grammars::source::{SourceMap, Span};
use indicatif::{ProgressBar, ProgressStyle};
use passes::engines::{bmc, induction, predicate};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// The destination of dumps of the abstract reachability graph, or of the graph of the step case.
#[derive(Clone, Debug)]
pub(super) struct Dump {
    /// The file for the final graph.
    pub(super) file: PathBuf,
    /// The graphs to write.
    pub(super) graphs: Graphs,
}

/// A choice of graphs to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Graphs {
    /// Only the final graph.
    Last,
    /// Also the graph after each refinement.
    All,
}

/// The observer of the engines: shows the progress line and writes the graphs.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    dump: Option<Dump>,
    sources: Rc<SourceMap>,
    /// Receives the statistics of each step.
    partial: Partial,
    /// Receives the bounds that the search has reached.
    exchange: Option<Rc<RefCell<Folder>>>,
    /// The first error when writing a graph.
    failed: Result<(), String>,
}

impl Progress {
    pub(super) fn new(is_shown: bool, dump: Option<Dump>, sources: Rc<SourceMap>, partial: Partial) -> Self {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Progress { bar, dump, sources, partial, exchange: None, failed: Ok(()) }
    }

    /// Also sends bounds to other stages.
    pub(super) fn sharing(self, exchange: Option<Rc<RefCell<Folder>>>) -> Self {
        Progress { exchange, ..self }
    }

    /// Ends the progress line.
    ///
    /// # Errors
    /// If a graph could not be written.
    pub(super) fn finish(self) -> Result<(), String> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.failed
    }

    /// The name of a source location, empty if it has none.
    fn place(&self, span: Span) -> String {
        self.sources.presumed(span).map_or(String::new(), |position| format!("line {}", position.line))
    }

    /// Writes the final graph, or the one after so many refinements.
    fn write(&mut self, refinements: Option<u64>, dot: &str) {
        let Some(dump) = &self.dump else { return };
        let file = match refinements {
            None => dump.file.clone(),
            Some(count) => dump.file.with_extension(format!("{count}.dot")),
        };
        if let (Err(error), Ok(())) = (std::fs::write(&file, dot), &self.failed) {
            self.failed = Err(format!("cannot write {}: {error}", file.display()));
        }
    }

    /// Shows a message on the progress line.
    pub(super) fn say(&self, message: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(message);
        }
    }
}

impl bmc::Observer for Progress {
    fn line(&self, span: Span) -> Option<u32> {
        self.sources.presumed(span).map(|position| position.line)
    }

    fn starts(&mut self, bound: u32) {
        tracing::info!(bound, "unrolling");
        self.say(format!("bounded model checking, bound {bound}"));
    }

    fn finished(&mut self, so_far: &bmc::Statistics) {
        self.partial.publish(Statistics::Bounded(so_far.clone()));
        if let Some(exchange) = &self.exchange {
            exchange.borrow_mut().send_bounds(so_far);
        }
        let Some(step) = so_far.steps.last() else { return };
        tracing::info!(
            bound = step.bound,
            errors = step.errors,
            frontier = step.frontier,
            queries = step.queries,
            seconds = step.time.as_secs_f64(),
            "checked"
        );
    }
}

impl predicate::Observer for Progress {
    fn explored(&mut self, statistics: &predicate::Statistics, waiting: usize) {
        let predicate::Statistics { states, refinements, .. } = statistics;
        self.partial.publish(Statistics::Analysis(statistics.clone()));
        tracing::info!(states, waiting, "explored");
        self.say(format!("{states} states, {refinements} refinements"));
    }

    fn refined(&mut self, statistics: &predicate::Statistics, refinement: &predicate::Refinement) {
        tracing::info!(
            refinement = statistics.refinements,
            blocks = refinement.blocks,
            source = refinement.source,
            facts = refinement.facts.join("; "),
            "infeasible counterexample"
        );
    }

    fn confirms(&mut self, bound: u32) {
        tracing::info!(bound, "feasible counterexample, searching for the error by unrolling");
        self.say(format!("feasible counterexample, unrolling up to {bound}"));
    }

    fn wants_graph(&self, refinements: Option<u64>) -> bool {
        match &self.dump {
            Some(dump) => refinements.is_none() || dump.graphs == Graphs::All,
            None => false,
        }
    }

    fn wants_facts(&self) -> bool {
        tracing::enabled!(tracing::Level::INFO)
    }

    fn locate(&self, span: Span) -> String {
        self.place(span)
    }

    fn graph(&mut self, refinements: Option<u64>, dot: &str) {
        self.write(refinements, dot);
    }
}

impl induction::Observer for Progress {
    fn wants_graph(&self) -> bool {
        self.dump.is_some()
    }

    fn locate(&self, span: Span) -> String {
        self.place(span)
    }

    fn graph(&mut self, dot: &str) {
        self.write(None, dot);
    }
}
