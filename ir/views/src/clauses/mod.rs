//! Programs as constrained Horn clauses.
//!
//! [`of_blocks`] makes a [`System`] of block formulas: a relation for each cut point over its
//! state, a rule for each block formula between cut points, and a query for each that leads to an
//! error. Unsupported constructs count as errors, so a solution is a proof. [`relation`] and
//! [`clause`] do the same for one location and one [path](crate::paths), for analyses that decide
//! during the run where blocks end.

#[cfg(test)]
mod tests;

use crate::blocks::{BlockFormulas, CutPoint, CutPointKind};
use crate::paths::PathFormula;
use crate::print::{Places, Titles, one_line};
use crate::state::VariableData;
use horn::{Argument, ClauseData, Relation, RelationData, System, Update, Updates};
use program::ssa::{Program, PropertyData};
use terms::TermPool;
use terms::entity::PrimaryMap;

/// A program as clauses over bit vectors and arrays.
#[derive(Clone, Debug)]
pub struct ProgramClauses {
    /// The clauses.
    pub system: System,
    /// The cut point, a block, whose states each relation holds.
    pub cut_points: PrimaryMap<Relation, CutPoint>,
}

/// The names of a system.
#[derive(Clone, Copy, Debug)]
pub enum Naming<'a> {
    /// As the blocks and values of the IR are called; without positions.
    Ir,
    /// After the source, with positions as the origins of relations and clauses.
    Source(&'a Titles, &'a Places<'a>),
}

/// The clauses of block formulas of `program`.
pub fn of_blocks(
    pool: &mut TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    naming: Naming<'_>,
) -> ProgramClauses {
    let mut result = ProgramClauses { system: System::default(), cut_points: PrimaryMap::new() };
    let function = &program.functions[program.entry];
    let mut relation_of: Vec<Option<Relation>> = Vec::new();
    for (cut, data) in blocks.cut_points.iter() {
        let CutPointKind::Block(block) = data.kind else {
            relation_of.push(None);
            continue;
        };
        let state = data.state.iter().map(|&variable| &blocks.variables[variable]);
        let data = match naming {
            Naming::Ir => {
                let label = function.blocks[block].label.as_deref();
                let label = label.map(|label| format!("{label}.")).unwrap_or_default();
                relation(format!("{}.{label}{block}", function.name), state, "")
            }
            Naming::Source(titles, places) => {
                let (name, arguments) = (&titles.cut_points[cut], &titles.states[cut]);
                let place = places.place(data.span);
                let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
                let origin = format!("{place}{name}({})", arguments.join(", "));
                let mut data = relation(name.clone(), state, &origin);
                for (argument, name) in data.arguments.iter_mut().zip(arguments) {
                    argument.name.clone_from(name);
                }
                data
            }
        };
        relation_of.push(Some(result.system.relations.push(data)));
        result.cut_points.push(cut);
    }
    for formula in &blocks.formulas {
        let to = &blocks.cut_points[formula.to];
        let origin = match naming {
            Naming::Ir => String::new(),
            Naming::Source(titles, places) => {
                let place = |cut: CutPoint| {
                    places
                        .place(blocks.cut_points[cut].span)
                        .unwrap_or_else(|| titles.cut_points[cut].clone())
                };
                let what = match &to.kind {
                    CutPointKind::Error(property) => {
                        let PropertyData { description, .. } = &program.properties[*property];
                        format!(": {description}")
                    }
                    CutPointKind::Unsupported(construct) => {
                        format!(": unsupported construct, counted as an error: {construct}")
                    }
                    _ => String::new(),
                };
                let approximate = if formula.path.is_approximate { " (over-approximation)" } else { "" };
                format!("{} -> {}{what}{approximate}", place(formula.from), place(formula.to))
            }
        };
        let ends = [formula.from, formula.to].map(|cut| relation_of[cut.0 as usize]);
        let state = to.state.iter().map(|&variable| &blocks.variables[variable]);
        let clause = clause(pool, &result.system, ends, state, &formula.path, &origin);
        result.system.clauses.push(clause);
    }
    result
}

/// The relation of the states at a location whose live variables are `state`.
pub fn relation<'v>(
    name: String,
    state: impl Iterator<Item = &'v VariableData>,
    origin: &str,
) -> RelationData {
    let argument =
        |variable: &VariableData| Argument { name: variable.name.clone(), symbol: variable.before };
    RelationData { name, arguments: state.map(argument).collect(), origin: one_line(origin) }
}

/// The clause of `path` between two relations of `system`: `None` for the start of the program, and
/// for an end that has no relation. `state` are the live variables at the end.
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
