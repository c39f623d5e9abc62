//! The configurations of a campaign: the product of the dimensions, without the combinations that
//! the command refuses.

use super::tasks::Kind;
use crate::comparison::MatrixOptions;
use crate::error::CliError;
use crate::options::{Command, Options};
use crate::{horn, solvers, solving, verify};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// A configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Configuration {
    /// The values of the dimensions that vary or are given.
    pub(super) name: String,
    /// The options of the command.
    pub(super) options: Vec<String>,
}

/// A dimension of the matrix.
struct Dimension<'o> {
    /// The option of the command.
    option: &'o str,
    values: Vec<&'o str>,
}

/// Returns the dimensions with values.
fn dimensions(kind: Kind, matrix: &MatrixOptions) -> Result<Vec<Dimension<'_>>, CliError> {
    let MatrixOptions { algorithms, solvers, encodings, interpolation, vary } = matrix;
    let algorithm = if kind == Kind::Clauses { "engine" } else { "algorithm" };
    let named =
        [(algorithm, algorithms), ("solver", solvers), ("encoding", encodings), (OPTIONAL, interpolation)];
    let mut found: Vec<Dimension<'_>> = named
        .into_iter()
        .map(|(option, values)| Dimension { option, values: values.iter().map(String::as_str).collect() })
        .collect();
    for text in vary {
        let Some((option, values)) = text.split_once('=') else {
            return Err(CliError::Usage(format!("--vary {text}: expected OPTION=VALUE,…")));
        };
        let option = option.trim_start_matches("--");
        found.push(Dimension { option, values: values.split(',').collect() });
    }
    found.retain(|dimension| !dimension.values.is_empty());
    Ok(found)
}

/// The option that is dropped where it has no effect.
const OPTIONAL: &str = "interpolation";

/// Returns the configurations, and the combinations that are left out with the reasons.
///
/// # Errors
/// If a dimension does not belong to this kind of tasks, or no combination is left.
pub(super) fn configurations(
    kind: Kind,
    matrix: &MatrixOptions,
    more: &[String],
) -> Result<(Vec<Configuration>, Vec<String>), CliError> {
    let dimensions = dimensions(kind, matrix)?;
    let (without_effect, tasks): (&[&str], _) = match kind {
        Kind::Program => (&[], "programs"),
        Kind::Clauses => (&["encoding", OPTIONAL], "Horn clauses"),
        Kind::Script => (&["algorithm", "encoding"], "SMT-LIB scripts"),
    };
    if let Some(option) =
        dimensions.iter().map(|dimension| dimension.option).find(|option| without_effect.contains(option))
    {
        let plural = if option == OPTIONAL { "" } else { "s" };
        return Err(CliError::Usage(format!("--{option}{plural} has no effect on {tasks}")));
    }
    let mut product: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for Dimension { option, values } in &dimensions {
        let mut extended = Vec::new();
        for row in &product {
            extended.extend(values.iter().map(|value| [row.as_slice(), &[(*option, value.trim())]].concat()));
        }
        product = extended;
    }
    let mut found: Vec<Configuration> = Vec::new();
    let mut left_out = Vec::new();
    let mut first_error = None;
    for row in product {
        let without: Vec<(&str, &str)> =
            row.iter().copied().filter(|(option, _)| *option != OPTIONAL).collect();
        let own = configuration(&row, more);
        let checked = check(kind, &own.options).map(|()| own.clone()).or_else(|error| {
            let simpler = configuration(&without, more);
            match without.len() < row.len() && is_unneeded(&error) {
                true => check(kind, &simpler.options).map(|()| simpler),
                false => Err(error),
            }
        });
        match checked {
            Ok(configuration) if found.contains(&configuration) => {}
            Ok(configuration) => found.push(configuration),
            Err(error) => {
                let text = error.to_string();
                let text = text.trim_start_matches("error: ").lines().next().unwrap_or_default();
                left_out.push(format!("{}: {text}", own.name));
                first_error.get_or_insert(error);
            }
        }
    }
    match (found.is_empty(), first_error) {
        (true, Some(error)) => Err(error),
        _ => Ok((found, left_out)),
    }
}

fn configuration(row: &[(&str, &str)], more: &[String]) -> Configuration {
    let values: Vec<&str> = row.iter().map(|(_, value)| *value).collect();
    let options = row.iter().map(|(option, value)| format!("--{option}={}", value.replace('+', ",")));
    let name = if values.is_empty() { "default".to_owned() } else { values.join(" ") };
    Configuration { name, options: options.chain(more.iter().cloned()).collect() }
}

/// Whether the command refuses the sources of interpolants because the algorithm uses none.
fn is_unneeded(error: &CliError) -> bool {
    let text = error.to_string();
    text.starts_with("--interpolation has no effect") || text.starts_with("--interpolation belongs to")
}

/// Checks the options of a configuration as the command would.
pub(super) fn check(kind: Kind, options: &[String]) -> Result<(), CliError> {
    let name = match kind {
        Kind::Program => "verify",
        Kind::Clauses => "horn",
        Kind::Script => "smt",
    };
    let solve = (kind == Kind::Clauses).then_some("--solve");
    let words = ["hornwork", name].into_iter().chain(solve).chain(options.iter().map(String::as_str));
    let words = words.chain(["--", "task"]).map(OsString::from);
    let parsed = Options::parse_from(words).map_err(|error| CliError::Usage(error.to_string()))?;
    match &parsed.command {
        Command::Verify(verify) => verify::check(verify, &parsed),
        Command::Horn(clauses) => horn::check(clauses),
        Command::Smt(smt) => {
            let registry = solvers::registry_with(&smt.solving.external, None)?;
            solving::sources(&smt.solving.interpolation, &registry)?;
            solvers::choose(&registry, smt.solving.solver.as_deref()).map(|_| ())
        }
        // `--` ends the options, so no option can name another command.
        _ => Err(CliError::Usage("a configuration consists of options".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(matrix: &MatrixOptions) -> Vec<String> {
        let (found, _) = configurations(Kind::Program, matrix, &[]).expect("configurations");
        found.into_iter().map(|configuration| configuration.name).collect()
    }

    fn list(values: &[&str]) -> Vec<String> {
        values.iter().map(|&value| value.to_owned()).collect()
    }

    #[test]
    fn the_product_has_each_combination_that_makes_a_difference_once() {
        assert_eq!(names(&MatrixOptions::default()), ["default"]);
        let matrix = MatrixOptions {
            algorithms: list(&["bmc", "impact"]),
            interpolation: list(&["craig", "craig+newton"]),
            ..MatrixOptions::default()
        };
        assert_eq!(names(&matrix), ["bmc", "impact craig", "impact craig+newton"]);
        let (found, _) = configurations(Kind::Program, &matrix, &[]).expect("configurations");
        assert_eq!(found[2].options, ["--algorithm=impact", "--interpolation=craig,newton"]);
    }

    #[test]
    fn refused_combinations_are_left_out_with_the_reason() {
        let matrix = MatrixOptions {
            solvers: list(&["craig", "nonesuch"]),
            algorithms: list(&["bmc"]),
            ..MatrixOptions::default()
        };
        let (found, left_out) = configurations(Kind::Program, &matrix, &[]).expect("configurations");
        assert_eq!(found.len(), 1);
        assert!(left_out[0].starts_with("bmc nonesuch: no built-in solver"), "{left_out:?}");
        let none = MatrixOptions { algorithms: list(&["nonesuch"]), ..MatrixOptions::default() };
        assert!(configurations(Kind::Program, &none, &[]).is_err());
        assert!(configurations(Kind::Program, &MatrixOptions::default(), &list(&["--unwind=x"])).is_err());
    }

    #[test]
    fn scripts_have_no_algorithms() {
        let matrix = MatrixOptions { algorithms: list(&["bmc"]), ..MatrixOptions::default() };
        assert!(configurations(Kind::Script, &matrix, &[]).is_err());
        let matrix = MatrixOptions { solvers: list(&["craig"]), ..MatrixOptions::default() };
        assert_eq!(configurations(Kind::Script, &matrix, &[]).expect("one").0.len(), 1);
    }

    #[test]
    fn the_algorithms_of_clauses_are_engines() {
        let matrix = MatrixOptions {
            algorithms: list(&["pdr", "templates", "auto"]),
            solvers: list(&["craig"]),
            ..MatrixOptions::default()
        };
        let (found, left_out) = configurations(Kind::Clauses, &matrix, &[]).expect("configurations");
        assert_eq!(found[0].options, ["--engine=pdr", "--solver=craig"]);
        assert_eq!((found.len(), left_out.len()), (2, 1), "{left_out:?}");
        let matrix = MatrixOptions { encodings: list(&["QF_ABVFP"]), ..MatrixOptions::default() };
        assert!(configurations(Kind::Clauses, &matrix, &[]).is_err());
    }
}
