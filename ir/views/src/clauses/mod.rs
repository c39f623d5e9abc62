//! Translation of block formulas to constrained Horn clauses.
//!
//! [`of_blocks`] builds a [`System`] with a relation over the state at each cut point that is a
//! block, a rule for each block formula that ends at such a cut point, and a query for each block
//! formula that ends at an error. Unsupported constructs are treated as errors, so a solution of
//! the system proves the program safe. [`relation`] and [`clause`] translate one location and one
//! [path](crate::paths), for analyses that choose block ends on the fly.

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

/// The Horn clauses of a program, over bit vectors and arrays.
#[derive(Clone, Debug)]
pub struct ProgramClauses {
    /// The clauses.
    pub system: System,
    /// The cut point of each relation; it is a block.
    pub cut_points: PrimaryMap<Relation, CutPoint>,
}

/// The naming scheme of a system.
#[derive(Clone, Copy, Debug)]
pub enum Naming<'a> {
    /// Names of blocks and values in the IR; clauses and relations have no origins.
    Ir,
    /// Names of the source; origins of relations and clauses give source positions.
    Source(&'a Titles, &'a Places<'a>),
}

/// Translates the block formulas of `program` to Horn clauses.
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

/// Returns the relation of a location with the live variables `state`. `origin` is a comment.
pub fn relation<'v>(
    name: String,
    state: impl Iterator<Item = &'v VariableData>,
    origin: &str,
) -> RelationData {
    let argument =
        |variable: &VariableData| Argument { name: variable.name.clone(), symbol: variable.before };
    RelationData { name, arguments: state.map(argument).collect(), origin: one_line(origin) }
}

/// Returns the clause of `path`, from the relation `from` to the relation `to` of `system`. `from`
/// is `None` for the start of the program; `to` is `None` for an error, which makes the clause a
/// query. `state` are the live variables at the end of the path.
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
