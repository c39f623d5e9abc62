//! The statistics of a run as text and as JSON.

use passes::engines::predicate::{Cost, ReuseStatistics};
use passes::engines::{bmc, induction, predicate};
use passes::evidence::Unrolled;
use passes::invariants::Statistics as Inference;
use passes::transform::pipeline::PassStatistics;
use std::io::Write;
use std::time::Duration;

/// The statistics of a run, by engine.
#[derive(Clone, Debug)]
pub(crate) enum Statistics {
    Bounded(bmc::Statistics),
    Induction(induction::Statistics),
    Analysis(predicate::Statistics),
}

impl Statistics {
    pub(crate) fn json(&self) -> serde_json::Value {
        match self {
            Statistics::Bounded(statistics) => serde_json::to_value(statistics),
            Statistics::Induction(statistics) => serde_json::to_value(statistics),
            Statistics::Analysis(statistics) => serde_json::to_value(statistics),
        }
        .unwrap_or_default()
    }

    /// Returns the bound up to which no error is reachable, if a bound was explored.
    pub(super) fn explored(&self) -> Option<u32> {
        self.search().and_then(|search| search.explored)
    }

    /// Returns the loops and recursions that were unrolled.
    pub(super) fn loops(&self) -> &[Unrolled] {
        self.search().map_or(&[], |search| &search.loops)
    }

    fn search(&self) -> Option<&bmc::Statistics> {
        match self {
            Statistics::Bounded(statistics) => Some(statistics),
            Statistics::Induction(statistics) => Some(&statistics.search),
            Statistics::Analysis(_) => None,
        }
    }

    /// The counterexamples of the formulas that did not replay.
    pub(super) fn unconfirmed(&self) -> u32 {
        match self {
            Statistics::Bounded(statistics) => statistics.unconfirmed,
            Statistics::Induction(statistics) => statistics.search.unconfirmed,
            Statistics::Analysis(statistics) => statistics.unconfirmed,
        }
    }

    /// The predicates that were read and written, if the engine has a precision.
    pub(super) fn reuse(&self) -> Option<&ReuseStatistics> {
        match self {
            Statistics::Analysis(statistics) => Some(&statistics.reuse),
            Statistics::Bounded(_) | Statistics::Induction(_) => None,
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match self {
            Statistics::Bounded(statistics) => write_search(out, statistics),
            Statistics::Induction(statistics) => write_induction(out, statistics),
            Statistics::Analysis(statistics) => write_analysis(out, statistics),
        }
    }
}

fn write_induction(out: &mut dyn Write, statistics: &induction::Statistics) -> std::io::Result<()> {
    write_search(out, &statistics.search)?;
    if let Some(reason) = &statistics.no_step_case {
        writeln!(out, "no step case: {reason}")?;
    }
    if let Some(search) = &statistics.reachability {
        writeln!(
            out,
            "property-directed reachability: level {}, {} queries, {} lemmas, {} known states",
            search.level, search.queries, search.lemmas, search.facts
        )?;
    }
    if let Some(clauses) = &statistics.clauses {
        write_clauses(out, clauses)?;
    }
    if statistics.procedures > 0 {
        writeln!(out, "summaries of {} procedures in place of the step case", statistics.procedures)?;
    }
    for (name, phase) in [
        ("step case", statistics.step_case),
        ("  its formula", induction::Phase { time: statistics.step_case_formula, ..statistics.step_case }),
        ("initial case", statistics.initial_case),
        ("invariants", statistics.invariants),
        ("proof", statistics.proof),
    ] {
        writeln!(out, "{name:24}{:9}{:11.3} s", phase.count, phase.time.as_secs_f64())?;
    }
    write_inference(out, &statistics.inference)?;
    writeln!(
        out,
        "k = {}, {} auxiliary invariants, {} turns in {:.3} s",
        statistics.k,
        statistics.facts,
        statistics.turns,
        statistics.time.as_secs_f64()
    )
}

/// Writes the work of the engines for Horn clauses.
fn write_clauses(out: &mut dyn Write, statistics: &induction::ClauseStatistics) -> std::io::Result<()> {
    let induction::ClauseStatistics { relations, clauses, proved_by, refuted_by, engines } = statistics;
    writeln!(
        out,
        "{} Horn clauses over {} relations; after transformations {} over {}",
        clauses[0], relations[0], clauses[1], relations[1]
    )?;
    for induction::EngineStatistics { name, attempts, time, failure } in engines {
        let result = match failure {
            _ if *proved_by == Some(*name) => "  model",
            _ if *refuted_by == Some(*name) => "  derivation",
            Some(failure) => &format!("  {failure}"),
            None => "",
        };
        writeln!(out, "  {name:22}{attempts:9}{:11.3} s{result}", time.as_secs_f64())?;
    }
    Ok(())
}

/// Writes the cost of an inference, with a line for each domain.
pub(crate) fn write_inference(out: &mut dyn Write, statistics: &Inference) -> std::io::Result<()> {
    if statistics.domains.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {:20}{:>8}{:>9}{:>11}", "domain", "rows", "changes", "suspended")?;
    for (name, counts) in &statistics.domains {
        writeln!(out, "  {name:20}{:8}{:9}{:11}", counts.rows, counts.changes, counts.suspended)?;
    }
    writeln!(out, "{} queries of the inference, {} models", statistics.queries, statistics.models)
}

fn write_analysis(out: &mut dyn Write, statistics: &predicate::Statistics) -> std::io::Result<()> {
    write_passes(out, &statistics.passes)?;
    if let Some(reason) = &statistics.with_fewer_passes {
        writeln!(out, "analyzed again with fewer passes: {reason}")?;
    }
    writeln!(
        out,
        "{} states; at the end {} abstraction states, {} of them covered",
        statistics.states, statistics.abstraction_states, statistics.covered_states
    )?;
    writeln!(
        out,
        "{} refinements, {} repeated counterexamples, {} states explored again",
        statistics.refinements, statistics.repeated_counterexamples, statistics.removed_states
    )?;
    writeln!(
        out,
        "{} predicates, {} merged with equivalent ones, {} abstractions from the cache, {} cubes, {} forced coverings",
        statistics.predicates,
        statistics.equivalent_predicates,
        statistics.cached_abstractions,
        statistics.cubes,
        statistics.forced_coverings
    )?;
    for (place, predicates) in &statistics.predicates_by_place {
        writeln!(out, "  {predicates} at {place}")?;
    }
    let reuse = &statistics.reuse;
    if reuse.read > 0 {
        writeln!(out, "{} predicates read, {} of them skipped", reuse.read, reuse.skipped)?;
    }
    if reuse.written + reuse.omitted > 0 {
        let ReuseStatistics { written, omitted, .. } = reuse;
        writeln!(
            out,
            "{written} predicates written, {omitted} omitted: they are not about variables of the source"
        )?;
    }
    if reuse.conditions > 0 {
        writeln!(out, "{} conditions of the program as initial predicates", reuse.conditions)?;
    }
    if let Some(reason) = &reuse.no_conditions {
        writeln!(out, "no conditions of the program as initial predicates: {reason}")?;
    }
    writeln!(out, "                            count       time")?;
    let mut line =
        |name: &str, cost: Cost| writeln!(out, "{name:24}{:9}{:11.3} s", cost.count, cost.time.as_secs_f64());
    line("preparation", statistics.preparation)?;
    line("abstraction", statistics.abstraction)?;
    line("coverage", statistics.coverage)?;
    line("forced covering", statistics.forced_covering)?;
    line("target", statistics.target)?;
    line("feasibility", statistics.feasibility)?;
    for (name, cost, _) in &statistics.facts {
        line(name, *cost)?;
    }
    line("replay", statistics.replay)?;
    line("confirmation", statistics.confirmation)?;
    if statistics.invariants.count > 0 {
        line("invariants", statistics.invariants)?;
        write_inference(out, &statistics.inference)?;
        writeln!(out, "{} auxiliary invariants were injected", statistics.injected)?;
    }
    if let Some(reason) = &statistics.no_invariants {
        writeln!(out, "no auxiliary invariants: {reason}")?;
    }
    if let Some(reason) = &statistics.failed_replay {
        writeln!(out, "the counterexample was not replayed: {reason}")?;
    }
    Ok(())
}

/// Writes the size of the program before the first pass and after each pass, and the time of each
/// pass.
pub(crate) fn write_passes(out: &mut dyn Write, passes: &[PassStatistics]) -> std::io::Result<()> {
    let Some(first) = passes.first() else { return Ok(()) };
    writeln!(out, "  pass          functions  blocks  instructions  scalars  arrays   seconds")?;
    let before = std::iter::once(("(before)", first.before, Duration::ZERO));
    for (name, size, time) in before.chain(passes.iter().map(|pass| (pass.name, pass.after, pass.time))) {
        writeln!(
            out,
            "  {name:14}{:9}{:8}{:14}{:9}{:8}{:10.3}",
            size.functions,
            size.blocks,
            size.instructions,
            size.scalars,
            size.arrays,
            time.as_secs_f64()
        )?;
    }
    Ok(())
}

fn write_search(out: &mut dyn Write, statistics: &bmc::Statistics) -> std::io::Result<()> {
    write_passes(out, &statistics.passes)?;
    if let Some(reason) = &statistics.with_fewer_passes {
        writeln!(out, "checked again with fewer passes: {reason}")?;
    }
    writeln!(out, "  bound  errors  frontier  pruned  queries   seconds")?;
    for step in &statistics.steps {
        writeln!(
            out,
            "{:7}{:8}{:10}{:8}{:9}{:10.3}",
            step.bound,
            step.errors,
            step.frontier,
            step.pruned,
            step.queries,
            step.time.as_secs_f64()
        )?;
    }
    if !statistics.loops.is_empty() {
        writeln!(out, "  {:30}{:>9}{:>9}", "loop or recursion", "bound", "visits")?;
    }
    for place in &statistics.loops {
        writeln!(out, "  {:30}{:9}{:9}", place.name, place.bound, place.visits)?;
    }
    for (name, time) in [
        ("preparation", statistics.preparation),
        ("unrolling", statistics.unrolling),
        ("encoding", statistics.encoding),
        ("solving", statistics.solving),
        ("  feasibility", statistics.feasibility),
        ("  forward condition", statistics.forward_condition),
        ("replay", statistics.replay),
    ] {
        writeln!(out, "{name:20}{:9.3} s", time.as_secs_f64())?;
    }
    writeln!(out, "{} queries, {} terms", statistics.queries, statistics.terms)?;
    if statistics.unconfirmed > 0 {
        let bmc::Checks { count, infeasible, confirmed, time } = statistics.checks;
        writeln!(
            out,
            "{} counterexamples did not replay; {count} checked in an exact encoding in {:.3} s: {infeasible} paths \
             infeasible, {confirmed} confirmed",
            statistics.unconfirmed,
            time.as_secs_f64()
        )?;
    }
    Ok(())
}
