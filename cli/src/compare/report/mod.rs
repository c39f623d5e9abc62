//! The report of a campaign: `report.html`, one page without references to the network, and the
//! same tables as `report.md` and `report.csv`.
//!
//! The page is made from a template; the plots are drawn in the browser by Plotly, which is part of
//! the page, so that filters redraw them. The numbers of the tables are computed here.

mod page;
mod summary;

use super::baseline::{self, Changes};
use super::campaign::{Campaign, write_file};
use super::outcome::{Judged, Run};
use super::tasks::Label;
use crate::error::CliError;
use std::fmt::Write;
use summary::Row;

/// The result of a campaign.
pub(super) struct Summary {
    /// The summary as text.
    pub(super) text: String,
    /// Whether a verdict is wrong or lost, or a run crashed or hung.
    pub(super) is_bad: bool,
}

/// Writes the report, with the changes against the results of an older campaign.
pub(super) fn write(campaign: &Campaign, baseline: Option<&[Run]>) -> Result<Summary, CliError> {
    let judged = campaign.judge();
    let changes = baseline.map(|old| baseline::compare(old, &judged));
    let rows = summary::rows(campaign, &judged);
    let file = |name: &str| campaign.folder.join(name);
    write_file(&file("report.csv"), csv(&judged).as_bytes())?;
    write_file(&file("report.md"), markdown(campaign, &judged, &rows, changes.as_ref()).as_bytes())?;
    write_file(&file("report.html"), page::render(campaign, &judged, &rows, changes.as_ref())?.as_bytes())?;
    let mut text = plain(&rows);
    for bad in judged.iter().filter(|own| own.category.is_bad()) {
        let Judged { run, category, .. } = bad;
        let _ = writeln!(text, "{}: {} ({}) {}", category.name(), run.task, run.configuration, run.reason);
    }
    if let Some(changes) = &changes {
        text.push_str(&changes.text());
    }
    let _ = writeln!(text, "report: {}", file("report.html").display());
    let is_bad = judged.iter().any(|own| own.category.is_bad()) || changes.is_some_and(|own| own.is_loss());
    Ok(Summary { text, is_bad })
}

/// The summary as text with aligned columns.
fn plain(rows: &[Row]) -> String {
    let (titles, cells) = summary::columns(rows);
    let width = |texts: &mut dyn Iterator<Item = &str>| texts.map(|text| text.chars().count()).max();
    let first = "configuration";
    let names = width(&mut rows.iter().map(|row| row.configuration.as_str()).chain([first])).unwrap_or(0);
    let widths: Vec<usize> = (0..titles.len())
        .map(|column| width(&mut cells.iter().map(|row| row[column].as_str()).chain([titles[column]])))
        .map(Option::unwrap_or_default)
        .collect();
    let mut text = format!("{first:names$}");
    for (title, width) in titles.iter().zip(&widths) {
        let _ = write!(text, "  {title:>width$}");
    }
    for (row, cells) in rows.iter().zip(&cells) {
        let _ = write!(text, "\n{:names$}", row.configuration);
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(text, "  {cell:>width$}");
        }
    }
    text.push('\n');
    text
}

/// Quotes a field of CSV where it must be.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// All runs as CSV.
fn csv(judged: &[Judged<'_>]) -> String {
    let mut text = String::from(
        "task,set,configuration,label,category,verdict,reason,validation,cputime,walltime,memory,log,host\n",
    );
    for Judged { run, task, category } in judged {
        let label = task.label.map_or("", |label| match label {
            Label::True => "true",
            Label::False => "false",
        });
        let _ = writeln!(
            text,
            "{},{},{},{label},{},{},{},{},{:.6},{:.6},{},{},{}",
            field(&run.task),
            field(&task.set),
            field(&run.configuration),
            category.name(),
            field(&run.verdict),
            field(&run.reason),
            field(run.validation.as_deref().unwrap_or("")),
            run.measured.cputime,
            run.measured.walltime,
            run.measured.memory,
            run.log,
            field(&run.host)
        );
    }
    text
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The tables as Markdown.
fn markdown(campaign: &Campaign, judged: &[Judged<'_>], rows: &[Row], changes: Option<&Changes>) -> String {
    let mut text = format!("# Comparison\n\n{}\n\n", page::about(campaign));
    let table = |text: &mut String, head: &[String], rows: &[Vec<String>]| {
        let head: Vec<String> = head.iter().map(|title| cell(title)).collect();
        let _ = writeln!(text, "| {} |", head.join(" | "));
        let _ = writeln!(text, "|{}", " --- |".repeat(head.len()));
        for row in rows {
            let row: Vec<String> = row.iter().map(|value| cell(value)).collect();
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text.push('\n');
    };
    let (titles, cells) = summary::columns(rows);
    let head: Vec<String> = std::iter::once("configuration").chain(titles).map(str::to_owned).collect();
    let named = rows.iter().zip(cells);
    let body: Vec<Vec<String>> =
        named.map(|(row, cells)| std::iter::once(row.configuration.clone()).chain(cells).collect()).collect();
    table(&mut text, &head, &body);
    if let Some(changes) = changes {
        text.push_str("## Changes since the baseline\n\n");
        for line in changes.text().lines() {
            let _ = writeln!(text, "* {}", cell(line));
        }
        text.push('\n');
    }
    let names: Vec<String> = rows.iter().map(|row| row.configuration.clone()).collect();
    let with =
        |first: &str| std::iter::once(first.to_owned()).chain(names.iter().cloned()).collect::<Vec<_>>();
    for (title, first, counts) in page::counts(campaign, judged) {
        if !counts.rows.is_empty() {
            let _ = writeln!(text, "## {title}\n");
            let rows: Vec<Vec<String>> = counts
                .rows
                .into_iter()
                .map(|(name, counts)| std::iter::once(name).chain(counts).collect())
                .collect();
            table(&mut text, &with(first), &rows);
        }
    }
    let sources = summary::sources(campaign, judged);
    if !sources.is_empty() {
        text.push_str("## Sources of interpolants\n\n");
        let head = ["configuration", "source", "attempts", "failures", "tasks with failures", "s", "reasons"];
        let rows: Vec<Vec<String>> = sources
            .into_iter()
            .map(|source| {
                let numbers =
                    [source.attempts.to_string(), source.failures.to_string(), source.tasks.to_string()];
                let [attempts, failures, tasks] = numbers;
                let (configuration, name) = (source.configuration, source.source);
                vec![configuration, name, attempts, failures, tasks, source.seconds, source.reasons]
            })
            .collect();
        table(&mut text, &head.map(str::to_owned), &rows);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("a b"), "a b");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
