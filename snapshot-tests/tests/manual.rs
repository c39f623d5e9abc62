//! Checks that the manual agrees with the tables of the library.

use passes::engines::predicate::options::OPERATORS;
use passes::engines::predicate::presets::PRESETS;
use std::path::{Path, PathBuf};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect("the manual is readable")
}

#[test]
fn the_manual_has_all_options() {
    let made = hornwork::manual::options();
    if std::env::var_os("HORNWORK_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path("docs/options.md"), &made).expect("the manual can be written");
    }
    assert!(read("docs/options.md") == made, "docs/options.md is out of date; HORNWORK_BLESS=1 updates it");
}

/// Returns the cells of each Markdown table row whose first column starts with a name in
/// backquotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn the_table_of_algorithms_has_the_presets_and_their_choices() {
    let chapter = read("docs/algorithms.md");
    let heading = chapter.lines().find(|line| line.starts_with("| `--algorithm`")).expect("there is a table");
    let columns: Vec<&str> =
        heading.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
    let rows = rows(&chapter);
    for preset in PRESETS {
        let row = rows.iter().find(|row| row[0].split(' ').next() == Some(&format!("`{}`", preset.name)));
        let row = row.unwrap_or_else(|| panic!("{} is missing", preset.name));
        for (column, cell) in columns.iter().zip(row) {
            let operator = OPERATORS.iter().find(|operator| column.strip_prefix("--") == Some(operator.name));
            if let Some(operator) = operator {
                assert_eq!(
                    *cell,
                    format!("`{}`", operator.show(&preset.config).unwrap_or_default()),
                    "{row:?}"
                );
            }
        }
    }
}
