//! Documents generated from the declarations of the command line: the chapter of the manual about
//! options, man pages, and completions for shells.

use crate::error::CliError;
use crate::options::{CompletionsOptions, ManOptions, Options};
use crate::{Streams, exit};
use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;
use std::fmt::Write;
use std::path::Path;

/// The maximal width of the Markdown in columns.
const WIDTH: usize = 100;

/// Returns the documentation of all options in Markdown, the contents of `docs/options.md`.
#[must_use]
pub fn options() -> String {
    let mut root = Options::command();
    root.build();
    let mut text = String::from(
        "# Options\n\nThis chapter is generated from the declarations of the command line; a test keeps it up to date.\n",
    );
    let mut entries: Vec<Entry> = Vec::new();
    collect(&root, "", &mut entries);
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        collect(command, command.get_name(), &mut entries);
    }
    let mut headings: Vec<&str> = Vec::new();
    for entry in &entries {
        if !headings.contains(&entry.heading.as_str()) {
            headings.push(&entry.heading);
        }
    }
    for heading in headings {
        let _ = writeln!(text, "\n## {heading}\n");
        for entry in entries.iter().filter(|entry| entry.heading == heading) {
            let commands: Vec<String> = entry
                .commands
                .iter()
                .filter(|name| !name.is_empty())
                .map(|name| format!("`{name}`"))
                .collect();
            let commands = if commands.is_empty() { "all commands".to_owned() } else { commands.join(", ") };
            let (first, rest) = entry.body.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
            wrap(&mut text, "* ", &format!("{} ({commands}): {first}", entry.usage));
            for line in rest {
                wrap(&mut text, "  * ", line);
            }
        }
    }
    text
}

/// An option of one or several commands.
struct Entry {
    heading: String,
    commands: Vec<String>,
    /// The names of the option with its arguments.
    usage: String,
    /// The paragraphs of the help, then a paragraph for each value.
    body: Vec<String>,
}

fn collect(command: &Command, name: &str, entries: &mut Vec<Entry>) {
    for arg in command.get_arguments() {
        let is_own = !arg.is_global_set() || name.is_empty();
        if !is_own || arg.is_hide_set() || matches!(arg.get_id().as_str(), "help" | "version") {
            continue;
        }
        let heading = arg.get_help_heading().unwrap_or("General").to_owned();
        let (usage, body) = (usage(arg), body(arg));
        let same =
            |entry: &&mut Entry| entry.heading == heading && entry.usage == usage && entry.body == body;
        match entries.iter_mut().find(same) {
            Some(entry) => entry.commands.push(name.to_owned()),
            None => entries.push(Entry { heading, commands: vec![name.to_owned()], usage, body }),
        }
    }
}

fn usage(arg: &Arg) -> String {
    let mut names: Vec<String> = Vec::new();
    names.extend(arg.get_short().map(|short| format!("-{short}")));
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    let values = match arg.get_action().takes_values() {
        true => arg.get_value_names().unwrap_or_default().join(" "),
        false => String::new(),
    };
    format!("`{}`", format!("{} {values}", names.join(", ")).trim())
}

fn body(arg: &Arg) -> Vec<String> {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut body: Vec<String> = help.lines().map(line_of_help).filter(|line| !line.is_empty()).collect();
    if arg.get_action().takes_values() {
        let defaults: Vec<String> =
            arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
        if let (Some(first), false) =
            (body.first_mut(), defaults.is_empty() || arg.is_hide_default_value_set())
        {
            *first = format!("{}. Default: {}", first.trim_end_matches('.'), defaults.join(", "));
        }
        body.extend(arg.get_possible_values().iter().map(|value| {
            let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            format!("`{}`{help}", value.get_name())
        }));
    }
    body
}

/// Converts a line of a help text to Markdown. The line may be an item of a list, `  name  text` or
/// `* name: text`.
fn line_of_help(line: &str) -> String {
    let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match (text.strip_prefix("* "), text.split_once(' ')) {
        (Some(marked), _) => format!("\\* {marked}"),
        (None, Some((name, rest))) if line.starts_with("  ") => format!("`{name}`: {rest}"),
        _ => text,
    }
}

/// Appends a list item, wrapped at [`WIDTH`] columns.
fn wrap(text: &mut String, bullet: &str, item: &str) {
    let mut line = bullet.to_owned();
    let mut is_empty = true;
    for word in item.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(bullet.len());
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    text.push_str(&line);
    text.push('\n');
}

/// The name of the tool in completions and man pages.
const NAME: &str = "hornwork";

/// Prints the completion script for a shell.
pub(crate) fn print_completions(
    options: &CompletionsOptions,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut visible(), NAME, &mut script);
    // A closed pipe is not an error.
    let _ = streams.out.write_all(&script);
    Ok(exit::TRUE)
}

/// Prints the man page of the tool, or writes the man pages of all commands to a folder.
pub(crate) fn run(options: &ManOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let mut pages = pages();
    match &options.folder {
        None => {
            let (_, first) = pages.swap_remove(0);
            // A closed pipe is not an error.
            let _ = streams.out.write_all(&first);
        }
        Some(folder) => {
            let io = |path: &Path| {
                let path = path.to_path_buf();
                move |source| CliError::Io { path, source }
            };
            std::fs::create_dir_all(folder).map_err(io(folder))?;
            for (name, page) in pages {
                let path = folder.join(format!("{name}.1"));
                std::fs::write(&path, page).map_err(io(&path))?;
            }
        }
    }
    Ok(exit::TRUE)
}

/// Returns the man pages with their names; the first one is that of the tool.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut root = visible();
    root.build();
    let commands = root.get_subcommands().filter(|command| command.get_name() != "help");
    let page = |command: &Command| {
        let name = command.get_display_name().unwrap_or(NAME).to_owned();
        let mut page = Vec::new();
        let man = Man::new(command.clone()).manual("Hornwork");
        man.render(&mut page).expect("writing to memory does not fail");
        (name, page)
    };
    std::iter::once(&root).chain(commands).map(page).collect()
}

/// Returns the command line without hidden commands.
fn visible() -> Command {
    let command = Options::command();
    let commands: Vec<Command> =
        command.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let mut visible = Command::new(NAME).version(env!("CARGO_PKG_VERSION"));
    if let Some(about) = command.get_about() {
        visible = visible.about(about.clone());
    }
    if let Some(about) = command.get_long_about() {
        visible = visible.long_about(about.clone());
    }
    if let Some(help) = command.get_after_help() {
        visible = visible.after_help(help.clone());
    }
    visible.args(command.get_arguments().cloned()).subcommands(commands).propagate_version(true)
}
