//! The numbers of a report: one row for each configuration, with the columns of the summary tables
//! of Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification* (JAR 2018) and of
//! SV-COMP.

use super::super::campaign::Campaign;
use super::super::outcome::{Calls, Category, Judged};
use super::super::tasks::Label;
use serde::Serialize;
use std::collections::BTreeMap;

/// A row of the summary.
#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    pub(super) configuration: String,
    pub(super) runs: usize,
    pub(super) correct_proofs: usize,
    pub(super) correct_alarms: usize,
    pub(super) wrong_proofs: usize,
    pub(super) wrong_alarms: usize,
    /// Runs of safe tasks in which a counterexample of the formulas did not replay: wrong alarms of
    /// a tool that believes its formulas.
    pub(super) prevented_alarms: usize,
    /// Proofs whose certificate was not validated in time.
    pub(super) unconfirmed: usize,
    /// Verdicts on tasks without a label.
    pub(super) unlabeled: usize,
    pub(super) disputed: usize,
    pub(super) unknown: usize,
    pub(super) rejected: usize,
    /// Proofs whose certificate was refuted.
    pub(super) refuted: usize,
    pub(super) crashes: usize,
    pub(super) hangs: usize,
    /// CPU time of the correct proofs in seconds: the mean.
    pub(super) proof_time: Option<f64>,
    /// CPU time of the correct alarms in seconds: the mean.
    pub(super) alarm_time: Option<f64>,
    /// CPU time of the correct results in seconds: the sum.
    pub(super) correct_time: f64,
    /// CPU time of all runs in seconds.
    pub(super) time: f64,
    pub(super) score: i64,
}

impl Row {
    /// The columns of the row, with their titles.
    fn cells(&self) -> Vec<(&'static str, String)> {
        let mean = |time: Option<f64>| time.map_or_else(|| "–".to_owned(), seconds);
        vec![
            ("runs", self.runs.to_string()),
            ("correct proofs", self.correct_proofs.to_string()),
            ("correct alarms", self.correct_alarms.to_string()),
            ("wrong proofs", self.wrong_proofs.to_string()),
            ("wrong alarms", self.wrong_alarms.to_string()),
            ("prevented alarms", self.prevented_alarms.to_string()),
            ("unconfirmed", self.unconfirmed.to_string()),
            ("no label", self.unlabeled.to_string()),
            ("disputed", self.disputed.to_string()),
            ("unknown", self.unknown.to_string()),
            ("rejected", self.rejected.to_string()),
            ("refuted", self.refuted.to_string()),
            ("crash", self.crashes.to_string()),
            ("hang", self.hangs.to_string()),
            ("s/proof", mean(self.proof_time)),
            ("s/alarm", mean(self.alarm_time)),
            ("s correct", seconds(self.correct_time)),
            ("s all", seconds(self.time)),
            ("score", self.score.to_string()),
        ]
    }
}

/// The columns that are shown even if they are empty.
const ALWAYS: &[&str] =
    &["runs", "correct proofs", "correct alarms", "wrong proofs", "wrong alarms", "unknown", "score"];

/// The titles of the columns, and the cells of each row. Columns without numbers are left out.
pub(super) fn columns(rows: &[Row]) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let cells: Vec<Vec<(&str, String)>> = rows.iter().map(Row::cells).collect();
    let titles = Row::default().cells();
    let is_shown = |&column: &usize| {
        let is_used = |row: &Vec<(&str, String)>| !matches!(row[column].1.as_str(), "0" | "–");
        ALWAYS.contains(&titles[column].0) || cells.iter().any(is_used)
    };
    let shown: Vec<usize> = (0..titles.len()).filter(is_shown).collect();
    let select = |row: &Vec<(&str, String)>| shown.iter().map(|&column| row[column].1.clone()).collect();
    (shown.iter().map(|&column| titles[column].0).collect(), cells.iter().map(select).collect())
}

/// Shows a time with three significant digits, as the papers do.
pub(super) fn seconds(seconds: f64) -> String {
    let digits = match seconds {
        seconds if seconds >= 100.0 => 0,
        seconds if seconds >= 10.0 => 1,
        seconds if seconds >= 1.0 => 2,
        _ => 3,
    };
    format!("{seconds:.digits$}")
}

/// Returns the rows of the configurations, in the order of the plan.
pub(super) fn rows(campaign: &Campaign, judged: &[Judged<'_>]) -> Vec<Row> {
    let row = |name: &String| {
        let own = judged.iter().filter(|judged| judged.run.configuration == *name);
        let mut row = Row { configuration: name.clone(), ..Row::default() };
        let (mut proofs, mut alarms) = (0.0, 0.0);
        for Judged { run, category, task } in own {
            row.runs += 1;
            row.time += run.measured.cputime;
            row.score += run.score(*category);
            if category.is_verdict() && !run.is_confirmed() {
                row.unconfirmed += 1;
            }
            if run.has_unconfirmed() && task.label == Some(Label::True) {
                row.prevented_alarms += 1;
            }
            let counter = match category {
                Category::CorrectProof => {
                    proofs += run.measured.cputime;
                    &mut row.correct_proofs
                }
                Category::CorrectAlarm => {
                    alarms += run.measured.cputime;
                    &mut row.correct_alarms
                }
                Category::Proof | Category::Alarm => &mut row.unlabeled,
                Category::WrongProof => &mut row.wrong_proofs,
                Category::WrongAlarm => &mut row.wrong_alarms,
                Category::Disputed => &mut row.disputed,
                Category::Unknown => &mut row.unknown,
                Category::Rejected => &mut row.rejected,
                Category::Refuted => &mut row.refuted,
                Category::Crash => &mut row.crashes,
                Category::Hang => &mut row.hangs,
            };
            *counter += 1;
        }
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        row.proof_time = mean(proofs, row.correct_proofs);
        row.alarm_time = mean(alarms, row.correct_alarms);
        row.correct_time = proofs + alarms;
        row
    };
    campaign.plan.configurations.iter().map(|configuration| row(&configuration.name)).collect()
}

/// The number of runs of each configuration for each kind of something.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    pub(super) rows: Vec<(String, Vec<String>)>,
}

/// Counts runs by a text, most frequent first. Runs without a text do not count.
pub(super) fn count_by(
    campaign: &Campaign,
    judged: &[Judged<'_>],
    text: impl Fn(&Judged<'_>) -> Option<String>,
) -> Table {
    let mut counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let configurations = &campaign.plan.configurations;
    for own in judged {
        let Some(text) = text(own) else { continue };
        let place = configurations.iter().position(|other| other.name == own.run.configuration);
        counts.entry(text).or_insert_with(|| vec![0; configurations.len()])[place.unwrap_or(0)] += 1;
    }
    let mut rows: Vec<(String, Vec<usize>)> = counts.into_iter().collect();
    rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<usize>()));
    let show = |counts: Vec<usize>| counts.iter().map(ToString::to_string).collect();
    Table { rows: rows.into_iter().map(|(text, counts)| (text, show(counts))).collect() }
}

/// The kind of an answer that is no verdict, with its reason without names and numbers.
pub(super) fn reason(judged: &Judged<'_>) -> Option<String> {
    match judged.category {
        Category::Unknown => {
            let reason = general(&judged.run.reason);
            Some(match (judged.run.kind.as_str(), reason.as_str()) {
                (kind, "") => kind.to_owned(),
                ("", reason) => reason.to_owned(),
                (kind, reason) => format!("{kind}: {reason}"),
            })
        }
        Category::Rejected | Category::Refuted | Category::Crash | Category::Hang => {
            Some(format!("{}: {}", judged.category.name(), general(&judged.run.reason)))
        }
        _ => None,
    }
}

/// Replaces quoted names, paths and numbers, so that equal reasons are equal texts.
fn general(reason: &str) -> String {
    /// The largest number of characters shown.
    const MOST: usize = 120;
    let mut words = Vec::new();
    let mut is_quoted = false;
    for word in reason.split_whitespace() {
        let quotes = word.matches('`').count();
        let was_quoted = is_quoted;
        is_quoted ^= quotes % 2 == 1;
        if was_quoted || quotes > 0 || word.contains('/') || word.chars().any(|c| c.is_ascii_digit()) {
            if words.last() != Some(&"…") {
                words.push("…");
            }
        } else {
            words.push(word);
        }
    }
    let text = words.join(" ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The attempts of a source of interpolants in a configuration.
#[derive(Debug, Serialize)]
pub(super) struct Source {
    pub(super) configuration: String,
    pub(super) source: String,
    pub(super) attempts: u64,
    pub(super) failures: u64,
    /// The tasks with a failure.
    pub(super) tasks: usize,
    pub(super) seconds: String,
    /// The reasons of the failures, most frequent first.
    pub(super) reasons: String,
}

/// Returns the attempts of the sources of interpolants.
pub(super) fn sources(campaign: &Campaign, judged: &[Judged<'_>]) -> Vec<Source> {
    let mut found = Vec::new();
    for configuration in &campaign.plan.configurations {
        let mut sources: BTreeMap<&str, (Calls, usize, BTreeMap<String, u64>)> = BTreeMap::new();
        for Judged { run, .. } in judged.iter().filter(|own| own.run.configuration == configuration.name) {
            for (name, calls) in &run.calls {
                let Some(source) = name.strip_prefix("interpolants: ") else { continue };
                let (sum, tasks, reasons) = sources.entry(source).or_default();
                sum.count += calls.count;
                sum.failures += calls.failures;
                sum.seconds += calls.seconds;
                *tasks += usize::from(calls.failures > 0);
                for (failure, count) in &run.failures {
                    if let Some(reason) =
                        failure.strip_prefix(source).and_then(|rest| rest.strip_prefix(": "))
                    {
                        *reasons.entry(general(reason)).or_default() += count;
                    }
                }
            }
        }
        for (source, (calls, tasks, reasons)) in sources {
            let mut reasons: Vec<(String, u64)> = reasons.into_iter().collect();
            reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let reasons: Vec<String> =
                reasons.into_iter().map(|(reason, count)| format!("{count} × {reason}")).collect();
            found.push(Source {
                configuration: configuration.name.clone(),
                source: source.to_owned(),
                attempts: calls.count,
                failures: calls.failures,
                tasks,
                seconds: seconds(calls.seconds),
                reasons: reasons.join("; "),
            });
        }
    }
    found
}

/// Two configurations compared on the tasks that they share.
#[derive(Debug, Serialize)]
pub(super) struct Pair {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) both: usize,
    pub(super) only_first: usize,
    pub(super) only_second: usize,
    /// The geometric mean of the ratios of CPU times, first to second, over the tasks that both
    /// solve, if there are any.
    pub(super) ratio: Option<f64>,
    /// Tasks on which they contradict each other.
    pub(super) contradictions: usize,
}

/// The largest number of configurations that are compared in pairs.
const MOST_PAIRED: usize = 12;
/// Shorter times are noise; they count as this many seconds.
const LEAST_SECONDS: f64 = 0.1;

/// Compares all pairs of configurations.
pub(super) fn pairs(campaign: &Campaign, judged: &[Judged<'_>]) -> Vec<Pair> {
    let configurations = &campaign.plan.configurations;
    let mut by: BTreeMap<&str, BTreeMap<&str, &Judged<'_>>> = BTreeMap::new();
    for own in judged {
        by.entry(&own.run.configuration).or_default().insert(&own.task.name, own);
    }
    let none = BTreeMap::new();
    let mut found = Vec::new();
    for (place, first) in configurations.iter().enumerate().take(MOST_PAIRED) {
        for second in configurations.iter().take(MOST_PAIRED).skip(place + 1) {
            let runs = |name: &str| by.get(name).unwrap_or(&none);
            let (first_runs, second_runs) = (runs(&first.name), runs(&second.name));
            let mut pair = Pair {
                first: first.name.clone(),
                second: second.name.clone(),
                both: 0,
                only_first: 0,
                only_second: 0,
                ratio: None,
                contradictions: 0,
            };
            let mut logarithms = Vec::new();
            for (task, one) in first_runs {
                let Some(other) = second_runs.get(task) else { continue };
                if one.category.is_verdict()
                    && other.category.is_verdict()
                    && one.run.answer != other.run.answer
                {
                    pair.contradictions += 1;
                }
                match (solves(one.category), solves(other.category)) {
                    (true, true) => {
                        pair.both += 1;
                        let time = |own: &Judged<'_>| own.run.measured.cputime.max(LEAST_SECONDS);
                        logarithms.push((time(one) / time(other)).ln());
                    }
                    (true, false) => pair.only_first += 1,
                    (false, true) => pair.only_second += 1,
                    (false, false) => {}
                }
            }
            if !logarithms.is_empty() {
                pair.ratio = Some((logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp());
            }
            found.push(pair);
        }
    }
    found
}

/// Whether it is a verdict that is correct as far as is known.
fn solves(category: Category) -> bool {
    category.is_correct() || matches!(category, Category::Proof | Category::Alarm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_general() {
        assert_eq!(general("call of `f g` at a/b.c:3:4 is unsupported"), "call of … at … is unsupported");
        assert_eq!(general("12 tasks"), "… tasks");
        assert_eq!(general(&"word ".repeat(50)).chars().count(), 121);
    }

    #[test]
    fn times_have_three_digits() {
        assert_eq!([0.0123, 1.234, 22.71, 663.6].map(seconds), ["0.012", "1.23", "22.7", "664"]);
    }
}
