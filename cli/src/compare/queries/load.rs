//! A recorded query as formulas.

use crate::error::CliError;
use crate::input::open;
use backends::Status;
use backends::interpolation::{Problem, Tree};
use frontend::smtlib::{AttributeValue, Command, Script};
use std::path::Path;
use terms::{Term, TermPool};

/// A check or an interpolation problem.
pub(super) struct Query {
    pub(super) pool: TermPool,
    pub(super) formulas: Vec<Term>,
    pub(super) logic: String,
    /// The interpolation problem, if the script has one.
    pub(super) problem: Option<Problem>,
    /// The status in the script.
    pub(super) stated: Option<Status>,
}

/// Reads a script with one check. The inner error says why the script is no such query.
pub(super) fn load(path: &Path) -> Result<Result<Query, String>, CliError> {
    let (sources, file) = open(path)?;
    let mut pool = TermPool::new();
    let mut script = Script::new(&sources, file);
    let mut logic = "ALL".to_owned();
    let mut stated = None;
    let mut assertions: Vec<(Term, Option<String>)> = Vec::new();
    let mut problem = None;
    let mut checks = 0;
    while let Some(step) = script.next(&mut pool) {
        let step = match step {
            Ok(step) => step,
            Err(diagnostic) => return Ok(Err(diagnostic.message)),
        };
        match step.command {
            Command::SetLogic(name) => logic = name,
            Command::SetInfo { keyword, value: AttributeValue::Symbol(status) } if keyword == ":status" => {
                stated = match status.as_str() {
                    "sat" => Some(Status::Sat),
                    "unsat" => Some(Status::Unsat),
                    _ => None,
                };
            }
            Command::Assert { formula, name, .. } => assertions.push((formula, name)),
            Command::CheckSat if checks == 0 => checks = 1,
            Command::GetInterpolants(partitions) => {
                let Ok(tree) = Tree::new(partitions.parents.clone()) else {
                    return Ok(Err("the partitions are no tree".to_owned()));
                };
                let mut parts = vec![Vec::new(); tree.len()];
                for (formula, name) in &assertions {
                    let is_named =
                        |names: &Vec<String>| name.as_ref().is_some_and(|name| names.contains(name));
                    let part = partitions.names.iter().position(is_named).unwrap_or(tree.root());
                    parts[part].push(*formula);
                }
                problem = Some(Problem { parts, tree });
            }
            Command::CheckSat
            | Command::CheckSatAssuming(_)
            | Command::Push(_)
            | Command::Pop(_)
            | Command::Reset
            | Command::ResetAssertions => return Ok(Err("it has more than one check, or scopes".to_owned())),
            _ => {}
        }
    }
    if checks == 0 {
        return Ok(Err("it has no check".to_owned()));
    }
    let formulas = assertions.into_iter().map(|(formula, _)| formula).collect();
    Ok(Ok(Query { pool, formulas, logic, problem, stated }))
}
