//! Batches of generated programs: ground truth, interpreter, verifier, and a table of the results.

use crate::compare::{
    Answerer, Asked, Comparison, Disagreement, Wrong, check_interpreter, check_tool, errors, result,
};
use crate::csmith;
use crate::pointers::{Assertion, Program, Reader, generate};
use crate::random::Random;
use crate::reduce::reduce;
use crate::tool::{CONFIGURATIONS, Configuration, Tool};
use crate::transform::transform;
use crate::truth::{Compiler, End, Filling, truths};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of programs that are compiled at once.
const BATCH: u64 = 24;

/// The work of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first seed.
    pub first: u64,
    /// The number of seeds.
    pub count: u64,
    /// No batch begins after this.
    pub deadline: Option<Instant>,
    /// The verifier; without it only the interpreter answers.
    pub tool: Option<Tool>,
    /// The number of [`CONFIGURATIONS`] in which the verifier answers for each program; they
    /// alternate.
    pub configurations: usize,
    /// Only these configurations; empty for all.
    pub only: Vec<Configuration>,
    /// The number of [transformations](crate::transform) applied to each program first.
    pub transformations: usize,
    /// Threads.
    pub jobs: usize,
    /// Where findings are kept.
    pub keep: Option<PathBuf>,
    /// The time for the reduction of a finding.
    pub reduction: Duration,
    /// Gets a progress line once a minute.
    pub progress: fn(&str),
}

/// Counts of the answers of one source by outcome.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// As expected.
    pub agreed: usize,
    /// UNKNOWN.
    pub undecided: usize,
    /// Without a truth.
    pub disputed: usize,
    /// Wrong answers.
    pub disagreed: usize,
}

/// A wrong answer with its program, reduced if time permitted.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The program as generated.
    pub program: Program,
    /// The program as reduced.
    pub reduced: Program,
    /// The wrong answer.
    pub disagreement: Disagreement,
}

/// The results of a run.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// Programs that were compared.
    pub programs: usize,
    /// Programs that fail for some input.
    pub failing: usize,
    /// Counts of the true errors by kind.
    pub kinds: BTreeMap<&'static str, usize>,
    /// By answerer.
    pub counts: BTreeMap<String, Counts>,
    /// Counts of the reasons why answers are UNKNOWN or disputed.
    pub reasons: BTreeMap<String, usize>,
    /// Wrong answers.
    pub findings: Vec<Finding>,
    /// Batches that did not compile, with the compiler's message.
    pub failures: Vec<String>,
    /// The time of the last progress line.
    shown: Option<Instant>,
}

/// The interval between progress lines.
const PROGRESS: Duration = Duration::from_secs(60);

impl Summary {
    /// Reports a progress line if the last one is old enough.
    fn show_progress(&mut self, seed: u64, report: fn(&str)) {
        let now = Instant::now();
        let shown = *self.shown.get_or_insert(now);
        if now - shown < PROGRESS {
            return;
        }
        self.shown = Some(now);
        let sum = |of: fn(&Counts) -> usize| self.counts.values().map(of).sum::<usize>();
        report(&format!(
            "up to seed {seed}: {} programs, {} answers agreed, {} unknown, {} wrong",
            self.programs,
            sum(|counts| counts.agreed),
            sum(|counts| counts.undecided),
            sum(|counts| counts.disagreed)
        ));
    }

    fn count(&mut self, name: &str, comparison: &Comparison) {
        let counts = self.counts.entry(name.to_owned()).or_default();
        match comparison {
            Comparison::Agreed => counts.agreed += 1,
            Comparison::Undecided(reason) => {
                counts.undecided += 1;
                *self.reasons.entry(format!("UNKNOWN({})", summarized(reason))).or_default() += 1;
            }
            Comparison::Disputed(reason) => {
                counts.disputed += 1;
                *self.reasons.entry(format!("disputed: {}", summarized(reason))).or_default() += 1;
            }
            Comparison::Disagreed(_) => counts.disagreed += 1,
        }
    }
}

/// The start of a reason, without lines and numbers, which differ between programs.
fn summarized(reason: &str) -> String {
    let first = reason.lines().next().unwrap_or_default();
    first.chars().filter(|letter| !letter.is_ascii_digit()).take(90).collect()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} with an error", self.programs, self.failing)?;
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        writeln!(f, "errors: {}", kinds.join(", "))?;
        writeln!(
            f,
            "{:34} {:>7} {:>7} {:>8} {:>6} {:>8}",
            "answers by", "agreed", "unknown", "disputed", "wrong", "decided"
        )?;
        for (name, counts) in &self.counts {
            let Counts { agreed, undecided, disputed, disagreed } = counts;
            let share = 100.0 * (agreed + disagreed) as f64 / (agreed + disagreed + undecided).max(1) as f64;
            writeln!(f, "{name:34} {agreed:7} {undecided:7} {disputed:8} {disagreed:6} {share:7.1}%")?;
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (usize::MAX - **count, (*reason).clone()));
        for (reason, count) in reasons.iter().take(20) {
            writeln!(f, "{count:7} {reason}")?;
        }
        for finding in &self.findings {
            let Disagreement { wrong, message, .. } = &finding.disagreement;
            let first = message.lines().next().unwrap_or_default();
            writeln!(
                f,
                "seed {}: {wrong} by {}: {first}",
                finding.program.seed,
                name_of(&finding.disagreement.by)
            )?;
        }
        for failure in &self.failures {
            let message: Vec<&str> = failure
                .lines()
                .filter(|line| {
                    line.contains("error") || line.starts_with("seed") || line.starts_with("csmith")
                })
                .take(3)
                .collect();
            writeln!(f, "{}", message.join("; "))?;
        }
        Ok(())
    }
}

/// The name of a source of answers in the table.
#[must_use]
pub fn name_of(by: &Answerer) -> String {
    match by {
        Answerer::Interpreter => "interpreter".to_owned(),
        Answerer::Tool(configuration, _) => configuration.to_string(),
    }
}

/// Executes a plan; `report` gets each finding as soon as it is made.
///
/// # Panics
/// If a temporary folder cannot be created.
pub fn drive(plan: &Plan, report: &(dyn Fn(&Finding) + Sync)) -> Summary {
    let next = AtomicU64::new(plan.first);
    let end = plan.first.saturating_add(plan.count);
    let summary = Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                let folder = tempfile::tempdir().expect("a temporary folder can be created");
                loop {
                    let is_late = plan.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                    let seed = next.fetch_add(BATCH, Ordering::Relaxed);
                    if is_late || seed >= end {
                        break;
                    }
                    let last = (seed + BATCH).min(end);
                    batch(plan, seed, last, folder.path(), &summary, report);
                    locked(&summary).show_progress(last, plan.progress);
                }
            });
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    summary.findings.sort_by_key(|finding| finding.program.seed);
    summary
}

fn batch(
    plan: &Plan,
    first: u64,
    end: u64,
    folder: &Path,
    summary: &Mutex<Summary>,
    report: &(dyn Fn(&Finding) + Sync),
) {
    let originals: Vec<Program> = (first..end).map(generate).collect();
    let lock = || locked(summary);
    let truths = |programs: &[Program]| {
        let all: Vec<&Program> = programs.iter().collect();
        let found = truths(&all, Compiler::Gcc, Filling::Leave, folder);
        found.map_err(|message| lock().failures.push(format!("seeds {first}..{end}: {message}"))).ok()
    };
    let Some(mut ends) = truths(&originals) else { return };
    let mut programs = originals;
    if plan.transformations > 0 {
        let change =
            |program: &Program| transform(program, &mut Random::new(program.seed), plan.transformations).0;
        programs = programs.iter().map(change).collect();
        let Some(after) = truths(&programs) else { return };
        for (before, after) in ends.iter_mut().zip(after) {
            // A transformation that changes the reports of the sanitizers is no evidence.
            let is_kept = before.iter().zip(&after).all(|(before, after)| is_same_end(before, after));
            *before = if is_kept { after } else { vec![End::Unclear("transformed".to_owned()); after.len()] };
        }
    }
    for (program, ends) in programs.iter().zip(&ends) {
        let found = errors(ends);
        {
            let mut summary = lock();
            summary.programs += 1;
            summary.failing += usize::from(found.as_ref().is_some_and(|errors| !errors.is_empty()));
            for error in found.iter().flatten() {
                *summary.kinds.entry(error.kind.verdict_name()).or_default() += 1;
            }
        }
        let note = |name: &str, comparison: Comparison| {
            lock().count(name, &comparison);
            if let Comparison::Disagreed(disagreement) = comparison {
                let reduced = shrink(plan, program, &disagreement, folder);
                let finding = Finding { program: program.clone(), reduced, disagreement };
                if let Some(keep) = &plan.keep {
                    keep_finding(keep, &finding);
                }
                report(&finding);
                lock().findings.push(finding);
            }
        };
        note("interpreter", check_interpreter(program, ends, folder));
        let Some(tool) = &plan.tool else { continue };
        let all: &[Configuration] = if plan.only.is_empty() { CONFIGURATIONS } else { &plan.only };
        for turn in 0..plan.configurations.min(all.len()) {
            let number = program.seed as usize * plan.configurations + turn;
            let configuration = all[number % all.len()];
            let asked = match (result(ends), number % 5) {
                (Some(value), 0) => Asked::Result(value),
                (Some(value), 1) => Asked::Denied(value),
                _ => Asked::Errors,
            };
            let comparison = check_tool(tool, program, ends, configuration, asked, folder);
            note(&configuration.to_string(), comparison);
        }
    }
}

/// Runs csmith programs in the interpreter, and asserts and negates the checksums of small ones in
/// the configurations of the plan.
///
/// # Panics
/// If a temporary folder cannot be created.
pub fn drive_csmith(plan: &Plan, report: &(dyn Fn(&str) + Sync)) -> Summary {
    let next = AtomicU64::new(plan.first);
    let summary = Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                let folder = tempfile::tempdir().expect("a temporary folder can be created");
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let is_late = plan.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                    if is_late || seed >= plan.first.saturating_add(plan.count) {
                        break;
                    }
                    csmith_seed(plan, seed, folder.path(), &summary, report);
                    locked(&summary).show_progress(seed, plan.progress);
                }
            });
        }
    });
    summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn locked(summary: &Mutex<Summary>) -> std::sync::MutexGuard<'_, Summary> {
    summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The two programs of a seed.
fn csmith_seed(
    plan: &Plan,
    seed: u64,
    folder: &Path,
    summary: &Mutex<Summary>,
    report: &(dyn Fn(&str) + Sync),
) {
    let lock = || locked(summary);
    let sizes: &[csmith::Size] = match plan.tool {
        Some(_) => &[csmith::Size::Default, csmith::Size::Small],
        None => &[csmith::Size::Default],
    };
    for &size in sizes {
        let program = match csmith::make(seed, size, folder) {
            Ok(Some(program)) => program,
            Ok(None) => continue,
            Err(message) => {
                lock().failures.push(format!("seeds {seed}..: error: {message}"));
                continue;
            }
        };
        lock().programs += 1;
        let note = |name: &str, asked: Option<Asked>, comparison: &Comparison| {
            lock().count(name, comparison);
            let Comparison::Disagreed(Disagreement { wrong, message, .. }) = comparison else { return };
            let text = format!("csmith seed {seed}, {size:?}: {wrong} by {name}, {asked:?}: {message}");
            report(&text);
            if let (Some(keep), Ok(path)) = (&plan.keep, csmith::preprocess(&program, asked, folder)) {
                // A finding that cannot be stored is in the report nevertheless.
                let _ = std::fs::create_dir_all(keep);
                let _ = std::fs::copy(path, keep.join(format!("csmith-{seed}-{size:?}-{asked:?}.i")));
            }
            lock().failures.push(text);
        };
        note("interpreter", None, &csmith::check_interpreter(&program, folder));
        let Some(tool) = plan.tool.as_ref().filter(|_| size == csmith::Size::Small) else { continue };
        for turn in 0..plan.configurations {
            let number = seed as usize * plan.configurations + turn;
            let configuration = CONFIGURATIONS[number % CONFIGURATIONS.len()];
            for asked in [Asked::Result(0), Asked::Denied(0)] {
                let comparison = csmith::check(tool, &program, configuration, asked, folder);
                note(&configuration.to_string(), Some(asked), &comparison);
            }
        }
    }
}

/// Whether two runs end in the same way, disregarding lines.
fn is_same_end(one: &End, other: &End) -> bool {
    match (one, other) {
        (End::Error(one), End::Error(other)) => one.kind == other.kind,
        _ => one == other,
    }
}

/// A smaller program with the same kind of wrong answer.
fn shrink(plan: &Plan, program: &Program, found: &Disagreement, folder: &Path) -> Program {
    let deadline = Instant::now() + plan.reduction;
    let mut is_wrong = |units: &[String]| {
        let candidate = Program { units: units.to_vec(), ..program.clone() };
        is_wrong_in_the_same_way(plan.tool.as_ref(), &candidate, found, folder)
    };
    let units = reduce(&program.units, deadline, &mut is_wrong);
    Program { units, ..program.clone() }
}

/// Whether an answer about a program is wrong in the same way as another one.
#[must_use]
pub fn is_wrong_in_the_same_way(
    tool: Option<&Tool>,
    program: &Program,
    found: &Disagreement,
    folder: &Path,
) -> bool {
    let Ok(ends) = truths(&[program], Compiler::Gcc, Filling::Leave, folder) else { return false };
    // For a rejected or crashing program, the only requirement is that it compiles.
    let ends: Vec<End> = ends.into_iter().next().unwrap_or_default();
    let comparison = match found.by {
        Answerer::Interpreter => check_interpreter(program, &ends, folder),
        Answerer::Tool(configuration, asked) => {
            let Some(tool) = tool else { return false };
            let asked = match (asked, result(&ends)) {
                (Asked::Errors, _) => Asked::Errors,
                (Asked::Result(_), Some(value)) => Asked::Result(value),
                (Asked::Denied(_), Some(value)) => Asked::Denied(value),
                (_, None) => return false,
            };
            check_tool(tool, program, &ends, configuration, asked, folder)
        }
    };
    matches!(comparison, Comparison::Disagreed(other) if other.wrong == found.wrong && sort(&other.message) == sort(&found.message))
}

/// The kind of error in a message, so that a reduction does not slip to a different one.
fn sort(message: &str) -> String {
    // A crash is identified by its location.
    if let Some((_, place)) = message.split_once("panicked at ") {
        return place.split_whitespace().next().unwrap_or_default().to_owned();
    }
    if message.starts_with("exit code") || message.starts_with("refused") {
        return message.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    }
    let words = message.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '-');
    let known =
        ["TRUE", "FALSE", "Error", "Value", "panic", "refused", "well", "end", "valid-deref", "valid-free"];
    words.filter(|word| known.contains(word)).collect::<Vec<_>>().join(" ")
}

/// Writes a finding to a folder: both programs, the command and the wrong answer.
fn keep_finding(folder: &Path, finding: &Finding) {
    let name = format!(
        "{}-{}-{}",
        finding.program.seed,
        finding.disagreement.wrong.to_string().replace(' ', "-"),
        name_of(&finding.disagreement.by).replace(' ', "-")
    );
    let folder = folder.join(name);
    // A finding that cannot be stored is in the report nevertheless.
    let _ = std::fs::create_dir_all(&folder);
    let (reader, assertion) = match finding.disagreement.by {
        Answerer::Interpreter => (Reader::Interpreter, Assertion::None),
        Answerer::Tool(_, Asked::Errors) => (Reader::Tool, Assertion::None),
        Answerer::Tool(_, Asked::Result(value)) => (Reader::Tool, Assertion::Is(value)),
        Answerer::Tool(_, Asked::Denied(value)) => (Reader::Tool, Assertion::IsNot(value)),
    };
    for (stem, program) in [("program", &finding.program), ("reduced", &finding.reduced)] {
        for unit in 0..program.units.len() {
            let text = program.text(unit, reader, assertion);
            let _ = std::fs::write(folder.join(format!("{stem}_{unit}.c")), text);
        }
    }
    let _ = std::fs::write(folder.join("finding.txt"), describe(finding));
}

/// A finding as text.
#[must_use]
pub fn describe(finding: &Finding) -> String {
    let mut text = String::new();
    let Disagreement { wrong, by, message } = &finding.disagreement;
    let _ = writeln!(text, "seed {}: {wrong} by {}", finding.program.seed, name_of(by));
    if let Answerer::Tool(_, asked) = by {
        let _ = writeln!(text, "asked: {asked:?}");
    }
    let _ = writeln!(text, "{message}");
    for unit in 0..finding.reduced.units.len() {
        let _ = writeln!(text, "--- unit {unit}, from line 2\n{}", finding.reduced.body(unit, ""));
    }
    text
}

/// Whether a finding concerns soundness: a wrong verdict, not a crash or a rejected program.
#[must_use]
pub fn is_unsound(finding: &Finding) -> bool {
    matches!(finding.disagreement.wrong, Wrong::True | Wrong::False | Wrong::Run)
}
