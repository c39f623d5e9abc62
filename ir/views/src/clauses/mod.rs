//! Programs as constrained Horn clauses.
//!
//! [`of_blocks`] makes a [`System`] from block formulas: a relation for each cut point over its state, a rule for each block formula between cut points,
//! and a query for each that leads to an error. What the front end could not lower counts as an error, so that a solution is a proof. [`relation`] and [`clause`]
//! make the same of one location and of one [path](crate::paths), for analyses that decide on the way where blocks end.

#[cfg(test)]
mod tests;

use crate::blocks::{BlockFormulas, CutPoint, CutPointKind};
use crate::paths::PathFormula;
use crate::print::place;
use crate::state::VariableData;
use grammars::source::{SourceMap, Span};
use horn::{Argument, ClauseData, Relation, RelationData, System, Update, Updates};
use program::ssa::{Program, PropertyData};
use terms::TermPool;
use terms::entity::PrimaryMap;

/// A program as clauses over bit vectors and arrays.
#[derive(Clone, Debug)]
pub struct ProgramClauses {
    /// The clauses.
    pub system: System,
    /// What each relation holds the states of: a cut point that is a block.
    pub cut_points: PrimaryMap<Relation, CutPoint>,
}

/// The clauses of block formulas of `program`, with the source positions that `sources` knows as their origin.
pub fn of_blocks(
    pool: &mut TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    sources: Option<&SourceMap>,
) -> ProgramClauses {
    let mut result = ProgramClauses { system: System::default(), cut_points: PrimaryMap::new() };
    let function = &program.functions[program.entry];
    let locate = |span: Span| place(sources, span);
    let mut relation_of: Vec<Option<Relation>> = Vec::new();
    for (cut, data) in blocks.cut_points.iter() {
        let CutPointKind::Block(block) = data.kind else {
            relation_of.push(None);
            continue;
        };
        let label =
            function.blocks[block].label.as_deref().map(|label| format!("{label}.")).unwrap_or_default();
        let state = || data.state.iter().map(|&variable| &blocks.variables[variable]);
        let names: Vec<&str> = state().map(|variable| variable.name.as_str()).collect();
        let origin = format!("{}: state at {block} ({cut}): {}", locate(data.span), names.join(" "));
        let data = relation(format!("{}.{label}{block}", function.name), state(), &origin);
        relation_of.push(Some(result.system.relations.push(data)));
        result.cut_points.push(cut);
    }
    for formula in &blocks.formulas {
        let (from, to) = (&blocks.cut_points[formula.from], &blocks.cut_points[formula.to]);
        let what = match &to.kind {
            CutPointKind::Error(property) => {
                let PropertyData { description, .. } = &program.properties[*property];
                format!(": {description}")
            }
            CutPointKind::Unsupported(construct) => {
                format!(": not supported, counted as an error: {construct}")
            }
            _ => String::new(),
        };
        let approximate = if formula.path.is_approximate { " (over-approximation)" } else { "" };
        let origin = format!("{} -> {}{what}{approximate}", locate(from.span), locate(to.span));
        let ends = [formula.from, formula.to].map(|cut| relation_of[cut.0 as usize]);
        let state = to.state.iter().map(|&variable| &blocks.variables[variable]);
        let clause = clause(pool, &result.system, ends, state, &formula.path, &origin);
        result.system.clauses.push(clause);
    }
    result
}

/// The relation of the states at a location where `state` lives.
pub fn relation<'v>(
    name: String,
    state: impl Iterator<Item = &'v VariableData>,
    origin: &str,
) -> RelationData {
    let argument =
        |variable: &VariableData| Argument { name: variable.name.clone(), symbol: variable.before };
    RelationData { name, arguments: state.map(argument).collect(), origin: one_line(origin) }
}

/// The clause of `path` between relations of `system`, none at the start of the program and where it ends; `state` is what
/// lives at its end.
pub fn clause<'v>(
    pool: &mut TermPool,
    system: &System,
    [from, to]: [Option<Relation>; 2],
    state: impl Iterator<Item = &'v VariableData>,
    path: &PathFormula,
    origin: &str,
) -> ClauseData {
    let mut updates = Updates::default();
    for (position, (variable, &value)) in state.zip(&path.updates).enumerate() {
        if !path.kept.contains(&position) {
            updates.insert(variable.before, Update { after: variable.after, value: Some(value) });
        }
    }
    let body = from.map(|relation| system.atom(relation)).into_iter().collect();
    let head = to.map(|relation| system.updated(relation, &updates));
    ClauseData::new(pool, body, path.guard, (head, updates), one_line(origin))
}

/// A comment must not end early.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
