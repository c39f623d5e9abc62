//! The changes of a campaign against an older one, run by run.
//!
//! Only pairs of a task and a configuration that both campaigns have are compared, so that each run
//! is its own control. Verdicts: a run changes if its category does. CPU times, over the runs that
//! both campaigns solve: for each configuration the median of the ratios, with the interval that
//! contains the true median with 95% confidence by the sign test (order statistics of a binomial
//! distribution, in the normal approximation). The median ignores outliers, and the sign test
//! assumes nothing about the distribution. A change of the configuration is *significant* if the
//! interval excludes 1 and the median differs from 1 by 5% or more. A single run is named if its
//! ratio is far from the median of its configuration: by five times the scaled median absolute
//! deviation, by a factor of 1.5, and by a second.
//!
//! LIMITS: each run is measured once, so a named run may be noise; repeat it before you act.

use super::outcome::{Category, Judged, Run};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Shorter times are noise; they count as this many seconds.
const LEAST_SECONDS: f64 = 0.1;
/// The factor from which the median of a configuration counts as changed.
const LEAST_FACTOR: f64 = 1.05;
/// With fewer pairs there is no interval with this confidence.
const LEAST_PAIRS: usize = 6;
/// The factor and the seconds by which a single run changes at least.
const LEAST_RUN_FACTOR: f64 = 1.5;
const LEAST_RUN_SECONDS: f64 = 1.0;
/// The ratio of the standard deviation of a normal distribution to its median absolute deviation.
const SCALE: f64 = 1.4826;

/// A run whose category changed.
#[derive(Debug, serde::Serialize)]
pub(super) struct Change {
    pub(super) task: String,
    pub(super) configuration: String,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
    /// `lost`, `gained` or `changed`.
    pub(super) kind: &'static str,
    pub(super) reason: String,
}

/// The CPU times of a configuration.
#[derive(Debug, serde::Serialize)]
pub(super) struct Times {
    pub(super) configuration: String,
    /// The runs that both campaigns solve.
    pub(super) pairs: usize,
    /// The median of the ratios, new to old.
    pub(super) median: f64,
    /// The 95% interval of the median.
    pub(super) interval: Option<(f64, f64)>,
    /// `slower`, `faster` or `no significant change`.
    pub(super) kind: &'static str,
}

/// A run that takes much longer, or much less, than the runs around it suggest.
#[derive(Debug, serde::Serialize)]
pub(super) struct Outlier {
    pub(super) task: String,
    pub(super) configuration: String,
    /// CPU seconds.
    pub(super) before: f64,
    pub(super) after: f64,
}

/// The changes.
#[derive(Debug, Default, serde::Serialize)]
pub(super) struct Changes {
    /// The number of pairs that both campaigns have.
    pub(super) pairs: usize,
    pub(super) verdicts: Vec<Change>,
    pub(super) times: Vec<Times>,
    pub(super) outliers: Vec<Outlier>,
}

/// How good a category is: a change to a smaller number loses something.
fn rank(category: Category) -> u8 {
    match category {
        Category::WrongProof | Category::WrongAlarm => 0,
        Category::Refuted | Category::Crash | Category::Hang => 1,
        Category::Unknown | Category::Rejected => 2,
        Category::Disputed => 3,
        Category::Proof | Category::Alarm => 4,
        Category::CorrectProof | Category::CorrectAlarm => 5,
    }
}

/// Compares `new` with the results of an older campaign.
pub(super) fn compare(old: &[Run], new: &[Judged<'_>]) -> Changes {
    let before: BTreeMap<(&str, &str), &Run> =
        old.iter().map(|run| ((run.task.as_str(), run.configuration.as_str()), run)).collect();
    let mut changes = Changes::default();
    // The pairs that both solve, in the order of the configurations' first runs.
    let mut configurations: Vec<&str> = Vec::new();
    let mut solved: BTreeMap<&str, Vec<(&Run, &Run)>> = BTreeMap::new();
    for own in new {
        let run = own.run;
        let Some(&old) = before.get(&(run.task.as_str(), run.configuration.as_str())) else { continue };
        changes.pairs += 1;
        let category = Category::of(old.answer, own.task.label, own.task.disputed);
        if category == own.category {
            if rank(category) >= rank(Category::Proof) {
                let pairs = solved.entry(run.configuration.as_str()).or_insert_with(|| {
                    configurations.push(&run.configuration);
                    Vec::new()
                });
                pairs.push((old, run));
            }
            continue;
        }
        changes.verdicts.push(Change {
            task: run.task.clone(),
            configuration: run.configuration.clone(),
            before: category.name(),
            after: own.category.name(),
            kind: match rank(own.category).cmp(&rank(category)) {
                std::cmp::Ordering::Less => "lost",
                std::cmp::Ordering::Equal => "changed",
                std::cmp::Ordering::Greater => "gained",
            },
            reason: run.reason.clone(),
        });
    }
    changes.verdicts.sort_by_key(|change| change.kind != "lost");
    for configuration in configurations {
        let pairs = &solved[configuration];
        let (times, outliers) = times(configuration, pairs);
        changes.times.push(times);
        changes.outliers.extend(outliers);
    }
    changes
}

fn logarithm(old: &Run, new: &Run) -> f64 {
    let time = |run: &Run| run.measured.cputime.max(LEAST_SECONDS);
    (time(new) / time(old)).ln()
}

/// The median of sorted numbers, of which there is at least one.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    }
}

/// The 95% interval of the median of the distribution from which the sorted numbers come.
fn interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let count = sorted.len();
    if count < LEAST_PAIRS {
        return None;
    }
    let number = count as f64;
    // The largest rank such that the median is below it with a probability of at most 2.5%. The
    // rank is positive and at most half of the number.
    let rank = (number / 2.0 - 0.98 * number.sqrt() - 0.5).floor().max(0.0) as usize;
    Some((sorted[rank], sorted[count - 1 - rank]))
}

fn times(configuration: &str, pairs: &[(&Run, &Run)]) -> (Times, Vec<Outlier>) {
    let mut sorted: Vec<f64> = pairs.iter().map(|(old, new)| logarithm(old, new)).collect();
    sorted.sort_by(f64::total_cmp);
    let middle = median(&sorted);
    let interval = interval(&sorted);
    let kind = match interval {
        Some((low, _)) if low > 0.0 && middle >= LEAST_FACTOR.ln() => "slower",
        Some((_, high)) if high < 0.0 && middle <= -LEAST_FACTOR.ln() => "faster",
        _ => "no significant change",
    };
    let mut deviations: Vec<f64> = sorted.iter().map(|value| (value - middle).abs()).collect();
    deviations.sort_by(f64::total_cmp);
    let far = (5.0 * SCALE * median(&deviations)).max(LEAST_RUN_FACTOR.ln());
    let is_outlier = |(old, new): &&(&Run, &Run)| {
        (logarithm(old, new) - middle).abs() >= far
            && (new.measured.cputime - old.measured.cputime).abs() >= LEAST_RUN_SECONDS
    };
    let outlier = |(old, new): &(&Run, &Run)| Outlier {
        task: new.task.clone(),
        configuration: configuration.to_owned(),
        before: old.measured.cputime,
        after: new.measured.cputime,
    };
    let times = Times {
        configuration: configuration.to_owned(),
        pairs: pairs.len(),
        median: middle.exp(),
        interval: interval.map(|(low, high)| (low.exp(), high.exp())),
        kind,
    };
    (times, pairs.iter().filter(is_outlier).map(outlier).collect())
}

impl Changes {
    /// Whether a verdict is lost.
    pub(super) fn is_loss(&self) -> bool {
        self.verdicts.iter().any(|change| change.kind == "lost")
    }

    /// The changes as lines of text.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{} runs are compared with the baseline\n", self.pairs);
        for Change { task, configuration, before, after, kind, reason } in &self.verdicts {
            let _ = writeln!(text, "{kind}: {task} ({configuration}): {before} -> {after} {reason}");
        }
        for Times { configuration, pairs, median, interval, kind } in &self.times {
            let interval = match interval {
                Some((low, high)) => format!("95% interval {low:.2} to {high:.2}"),
                None => "too few for an interval".to_owned(),
            };
            let _ = writeln!(
                text,
                "{kind}: {configuration}: CPU time {median:.2} times the old one in the median of {pairs} runs, {interval}"
            );
        }
        for Outlier { task, configuration, before, after } in &self.outliers {
            let kind = if after > before { "slower" } else { "faster" };
            let _ =
                writeln!(text, "{kind}: {task} ({configuration}): CPU time {before:.2} s -> {after:.2} s");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::Answer;
    use super::super::tasks::{Label, Task};
    use super::*;
    use std::path::PathBuf;

    fn run(task: usize, answer: Answer, cputime: f64) -> Run {
        let mut run = super::super::outcome::tests::run(None);
        run.task = format!("t{task}");
        run.configuration = "c".to_owned();
        run.answer = answer;
        run.measured.cputime = cputime;
        run
    }

    fn compared(old: &[Run], new: &[Run]) -> Changes {
        let tasks: Vec<Task> = new
            .iter()
            .map(|run| Task {
                name: run.task.clone(),
                set: String::new(),
                path: PathBuf::new(),
                label: Some(Label::True),
                disputed: false,
                options: Vec::new(),
                only: Vec::new(),
            })
            .collect();
        let judged: Vec<Judged<'_>> = new
            .iter()
            .zip(&tasks)
            .map(|(run, task)| Judged { run, task, category: Category::of(run.answer, task.label, false) })
            .collect();
        compare(old, &judged)
    }

    #[test]
    fn changes_of_verdicts_are_lost_or_gained() {
        let old = [run(0, Answer::True, 1.0), run(1, Answer::Unknown, 1.0), run(2, Answer::True, 1.0)];
        let new = [run(0, Answer::Unknown, 1.0), run(1, Answer::True, 1.0), run(3, Answer::Hang, 1.0)];
        let changes = compared(&old, &new);
        assert_eq!(changes.pairs, 2);
        let kinds: Vec<(&str, &str)> =
            changes.verdicts.iter().map(|change| (change.task.as_str(), change.kind)).collect();
        assert_eq!(kinds, [("t0", "lost"), ("t1", "gained")]);
        assert!(changes.is_loss());
        // UNKNOWN is better than a wrong alarm.
        let changes = compared(&[run(0, Answer::False, 1.0)], &[run(0, Answer::Unknown, 1.0)]);
        assert!(!changes.is_loss());
    }

    #[test]
    fn a_slow_down_of_all_runs_is_significant_and_one_of_some_is_not() {
        let old: Vec<Run> = (0..40).map(|task| run(task, Answer::True, 1.0 + task as f64)).collect();
        let slower = |factor: &dyn Fn(usize) -> f64| -> Vec<Run> {
            let times = old.iter().enumerate();
            times.map(|(task, run_)| run(task, Answer::True, run_.measured.cputime * factor(task))).collect()
        };
        let changes = compared(&old, &slower(&|task| if task % 2 == 0 { 1.1 } else { 1.3 }));
        assert_eq!(changes.times[0].kind, "slower");
        assert_eq!(changes.times[0].pairs, 40);
        let noise = |task: usize| [0.97, 1.04, 0.99, 1.02][task % 4];
        let changes = compared(&old, &slower(&noise));
        assert_eq!((changes.times[0].kind, changes.outliers.len()), ("no significant change", 0));
        // One run that is much slower does not change the configuration, but is named.
        let changes = compared(&old, &slower(&|task| if task == 7 { 4.0 } else { noise(task) }));
        assert_eq!(changes.times[0].kind, "no significant change");
        let named: Vec<&str> = changes.outliers.iter().map(|outlier| outlier.task.as_str()).collect();
        assert_eq!(named, ["t7"]);
        // Five pairs are too few.
        let changes = compared(&old[..5], &slower(&|_| 2.0)[..5]);
        assert_eq!(changes.times[0].interval, None);
        assert_eq!(changes.times[0].kind, "no significant change");
    }

    #[test]
    fn short_times_do_not_count() {
        let old: Vec<Run> = (0..20).map(|task| run(task, Answer::True, 0.001)).collect();
        let new: Vec<Run> = (0..20).map(|task| run(task, Answer::True, 0.09)).collect();
        assert_eq!(compared(&old, &new).times[0].kind, "no significant change");
    }

    #[test]
    fn the_interval_is_that_of_the_sign_test() {
        // For 20 numbers, the 6th and the 15th; for 6, the least and the largest.
        let numbers: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(interval(&numbers), Some((6.0, 15.0)));
        assert_eq!(interval(&numbers[..6]), Some((1.0, 6.0)));
        assert_eq!(interval(&numbers[..5]), None);
    }
}
