//! The page: the data of the runs as JSON, in a template with a script.

use super::super::baseline::Changes;
use super::super::campaign::Campaign;
use super::super::outcome::{Category, Judged};
use super::super::place::Place;
use super::super::supervise::Source as MeasuredBy;
use super::summary::{self, Row, Table};
use crate::error::CliError;
use minijinja::Environment;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

const TEMPLATE: &str = include_str!("report.html");
const SCRIPT: &str = include_str!("report.js");
const STYLE: &str = include_str!("report.css");

/// The tables of counts: each with a title and the title of the first column.
pub(super) fn counts(campaign: &Campaign, judged: &[Judged<'_>]) -> Vec<(&'static str, &'static str, Table)> {
    let of = |category: fn(&Judged<'_>) -> Option<String>| summary::count_by(campaign, judged, category);
    vec![
        ("Answers without a verdict, by reason", "reason", of(summary::reason)),
        ("Correct results, by set", "set", of(|own| own.category.is_correct().then(|| own.task.set.clone()))),
    ]
}

/// Says what was measured, and how.
pub(super) fn about(campaign: &Campaign) -> String {
    let plan = &campaign.plan;
    let total = plan.pairs().count();
    let mut by: BTreeSet<&str> = BTreeSet::new();
    for run in &campaign.runs {
        by.insert(match (run.measured.cputime_by, run.measured.memory_by) {
            (MeasuredBy::Cgroup, MeasuredBy::Cgroup) => "by control groups (cgroups v2)",
            (MeasuredBy::Cgroup, MeasuredBy::Rusage) => {
                "by control groups (CPU time) and by the resource usage of processes (memory)"
            }
            _ => "by the resource usage of processes",
        });
    }
    let by: Vec<&str> = by.into_iter().collect();
    let limit = |value: f64, unit: &str| match value {
        0.0 => "none".to_owned(),
        value => format!("{value} {unit}"),
    };
    let resources = plan.resources;
    format!(
        "{} of {total} runs: {} tasks, {} configurations. Limits of a run: wall time {}, CPU time {}, memory {}; cores: {}; {}. Measured {}. hornwork {}.",
        campaign.runs.len(),
        plan.tasks.len(),
        plan.configurations.len(),
        limit(resources.timelimit, "s"),
        limit(resources.cputimelimit, "s"),
        match resources.memlimit {
            0 => "80% of the machine".to_owned(),
            megabytes => format!("{megabytes} MB"),
        },
        resources.cores,
        place(campaign),
        if by.is_empty() { "nothing yet".to_owned() } else { by.join(" or ") },
        plan.version,
    )
}

/// Says where the runs took place, and how many at a time.
fn place(campaign: &Campaign) -> String {
    let hosts: BTreeSet<&str> =
        campaign.runs.iter().map(|run| run.host.as_str()).filter(|host| !host.is_empty()).collect();
    let machines = match hosts.len() {
        0 | 1 => String::new(),
        count => format!(" on {count} machines"),
    };
    let jobs = |jobs: u16| format!("runs at a time{machines}: {jobs}");
    match &campaign.plan.place {
        Place::Local => jobs(campaign.plan.resources.jobs),
        Place::Slurm(slurm) => match slurm.jobs {
            Some(most) => format!("{}, by Slurm", jobs(most)),
            None => format!("runs at a time{machines}: as Slurm decides"),
        },
    }
}

/// Returns the page.
pub(super) fn render(
    campaign: &Campaign,
    judged: &[Judged<'_>],
    rows: &[Row],
    changes: Option<&Changes>,
) -> Result<String, CliError> {
    let mut environment = Environment::new();
    let broken = |error: &minijinja::Error| CliError::Usage(format!("the template of the report: {error}"));
    environment.add_template("report.html", TEMPLATE).map_err(|error| broken(&error))?;
    let (titles, cells) = summary::columns(rows);
    let summary: Vec<(&str, Vec<String>)> =
        rows.iter().map(|row| row.configuration.as_str()).zip(cells).collect();
    let tables: Vec<Value> = counts(campaign, judged)
        .into_iter()
        .map(|(title, first, table)| json!({ "title": title, "first": first, "rows": table.rows }))
        .collect();
    let context = json!({
        "about": about(campaign),
        "titles": titles,
        "summary": summary,
        "configurations": campaign.plan.configurations,
        "tables": tables,
        "sources": summary::sources(campaign, judged),
        "changes": changes,
        "pairs": summary::pairs(campaign, judged),
        "style": STYLE,
        "script": SCRIPT,
        "plotly": plotly_script(),
        "data": embedded(&data(campaign, judged)),
    });
    let template = environment.get_template("report.html").map_err(|error| broken(&error))?;
    template.render(minijinja::value::Serde(&context)).map_err(|error| broken(&error))
}

/// The text of the script element of Plotly, without MathJax, which follows it.
fn plotly_script() -> String {
    let sources = plotly::Plot::offline_js_sources();
    let end = "</script>";
    let first = sources.find(end).map_or(sources.len(), |place| place + end.len());
    sources[..first].to_owned()
}

/// JSON inside of a script element.
fn embedded(value: &Value) -> String {
    value.to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--")
}

/// The data of the page. Names that occur in many runs are indices.
fn data(campaign: &Campaign, judged: &[Judged<'_>]) -> Value {
    let folder = std::fs::canonicalize(&campaign.folder).unwrap_or_else(|_| campaign.folder.clone());
    let configurations: Vec<&str> =
        campaign.plan.configurations.iter().map(|own| own.name.as_str()).collect();
    let place_of: BTreeMap<&str, usize> =
        configurations.iter().enumerate().map(|(place, name)| (*name, place)).collect();
    let tasks = &campaign.plan.tasks;
    let task_of: BTreeMap<&str, usize> =
        tasks.iter().enumerate().map(|(place, task)| (task.name.as_str(), place)).collect();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let runs: Vec<Value> = judged
        .iter()
        .map(|Judged { run, category, .. }| {
            let mut statistics: Vec<(usize, f64)> = Vec::new();
            let mut add = |name: String, value: f64| {
                let next = names.len();
                statistics.push((*names.entry(name).or_insert(next), value));
            };
            for (name, calls) in &run.calls {
                add(format!("{name}: calls"), calls.count as f64);
                add(format!("{name}: s"), calls.seconds);
                if calls.failures > 0 {
                    add(format!("{name}: failures"), calls.failures as f64);
                }
            }
            for (name, &value) in run.statistics.iter().filter(|&(_, &value)| value != 0.0) {
                add(name.clone(), value);
            }
            let measured = &run.measured;
            json!([
                task_of[run.task.as_str()],
                place_of[run.configuration.as_str()],
                *category as usize,
                rounded(measured.cputime),
                rounded(measured.walltime),
                measured.memory,
                run.verdict,
                run.reason,
                run.log,
                run.validation,
                measured.exit,
                measured.signal,
                run.host,
                statistics.iter().map(|&(name, value)| json!([name, rounded(value)])).collect::<Vec<_>>(),
            ])
        })
        .collect();
    let mut statistics: Vec<(String, usize)> = names.into_iter().collect();
    statistics.sort_by_key(|(_, place)| *place);
    let statistics: Vec<String> = statistics.into_iter().map(|(name, _)| name).collect();
    let tasks: Vec<Value> = tasks
        .iter()
        .map(|task| {
            let label = if task.disputed { json!("disputed") } else { json!(task.label) };
            json!([task.name, task.set, label, relative(&folder, &task.path).to_string_lossy()])
        })
        .collect();
    let categories: Vec<Value> = CATEGORIES
        .iter()
        .map(|category| {
            let kind = match category {
                category if category.is_wrong() => "wrong",
                category if category.is_correct() => "correct",
                Category::Proof | Category::Alarm | Category::Disputed => "open",
                Category::Refuted | Category::Crash | Category::Hang => "bad",
                _ => "unknown",
            };
            json!([category.name(), kind])
        })
        .collect();
    json!({
        "configurations": configurations,
        "categories": categories,
        "tasks": tasks,
        "statistics": statistics,
        "runs": runs,
        "limit": campaign.plan.resources.timelimit,
    })
}

/// All categories, in the order of their numbers.
const CATEGORIES: [Category; 12] = [
    Category::CorrectProof,
    Category::CorrectAlarm,
    Category::Proof,
    Category::Alarm,
    Category::WrongProof,
    Category::WrongAlarm,
    Category::Disputed,
    Category::Unknown,
    Category::Rejected,
    Category::Refuted,
    Category::Crash,
    Category::Hang,
];

/// Rounds to microseconds, which is as precise as the measurements are.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Returns the path from `folder` to `path`, both absolute.
fn relative(folder: &Path, path: &Path) -> PathBuf {
    let parts = |path: &Path| -> Vec<PathBuf> {
        path.components()
            .filter(|part| *part != Component::CurDir)
            .map(|part| PathBuf::from(part.as_os_str()))
            .collect()
    };
    let (from, to) = (parts(folder), parts(path));
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n(PathBuf::from(".."), from.len() - common);
    up.chain(to[common..].iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_are_in_the_order_of_their_numbers() {
        for (number, category) in CATEGORIES.iter().enumerate() {
            assert_eq!(*category as usize, number);
        }
    }

    #[test]
    fn paths_are_relative_to_the_report() {
        let path = |folder: &str, path: &str| relative(Path::new(folder), Path::new(path));
        assert_eq!(path("/a/b/results", "/a/tasks/t.c"), Path::new("../../tasks/t.c"));
        assert_eq!(path("/a", "/a/t.c"), Path::new("t.c"));
    }

    #[test]
    fn data_cannot_end_its_script_element() {
        assert_eq!(embedded(&json!("</script><!-- x")), r#""<\/script><\u0021-- x""#);
    }

    #[test]
    fn the_script_of_the_plots_is_one_element() {
        let script = plotly_script();
        assert!(script.starts_with("<script") && script.ends_with("</script>"));
        assert_eq!(script.matches("<script").count(), 1);
        assert!(script.contains("plotly.js") && script.len() > 1_000_000);
    }
}
