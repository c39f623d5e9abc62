//! Translation of block formulas to constrained Horn clauses.
//!
//! [`of_blocks`] builds a [`System`] with a relation over the state at each cut point that is a
//! block, a rule for each block formula that ends at such a cut point, and a query for each block
//! formula that ends at an error. Unsupported constructs are treated as errors, so a solution of
//! the system proves the program safe. [`relation`] and [`clause`] translate one location and one
//! [path](crate::paths), for analyses that choose block ends on the fly. [`procedures`] translates
//! programs with calls.

pub mod procedures;
#[cfg(test)]
mod tests;

use crate::blocks::{BlockFormula, BlockFormulas, CutPoint, CutPointKind};
use crate::paths::PathFormula;
use crate::print::{Places, Titles, one_line};
use crate::state::VariableData;
use horn::{Argument, Atom, ClauseData, Relation, RelationData, System, Update, Updates};
use program::ssa::{Program, PropertyData};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

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
    let mut relation_of: Vec<Option<Relation>> = Vec::new();
    for (cut, data) in blocks.cut_points.iter() {
        if !matches!(data.kind, CutPointKind::Block(_)) {
            relation_of.push(None);
            continue;
        }
        let data = relation_at(program, blocks, cut, naming);
        relation_of.push(Some(result.system.relations.push(data)));
        result.cut_points.push(cut);
    }
    for formula in &blocks.formulas {
        let origin = origin(program, blocks, formula, naming);
        let ends = [formula.from, formula.to].map(|cut| relation_of[cut.0 as usize]);
        let state = blocks.state(formula.to);
        let clause = clause(pool, &result.system, ends, state, &formula.path, &origin);
        result.system.clauses.push(clause);
    }
    result
}

/// The relation of a cut point.
fn relation_at(program: &Program, blocks: &BlockFormulas, cut: CutPoint, naming: Naming<'_>) -> RelationData {
    let (function, state) = (&program.functions[blocks.function], blocks.state(cut));
    let data = &blocks.cut_points[cut];
    match naming {
        Naming::Ir => {
            let label = |block| {
                let label = function.blocks[block].label.as_deref();
                label.map(|label| format!("{label}.")).unwrap_or_default()
            };
            let place = match &data.kind {
                CutPointKind::Block(block) => format!("{}{block}", label(*block)),
                CutPointKind::Call(site) => format!("{}{}.call{}", label(site.block), site.block, site.index),
                CutPointKind::Entry => "entry".to_owned(),
                CutPointKind::Return => "exit".to_owned(),
                CutPointKind::Error(_) | CutPointKind::Unsupported(_) => "error".to_owned(),
            };
            relation(format!("{}.{place}", function.name), state, "")
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
    }
}

/// The origin of the clause of a block formula.
fn origin(program: &Program, blocks: &BlockFormulas, formula: &BlockFormula, naming: Naming<'_>) -> String {
    let Naming::Source(titles, places) = naming else { return String::new() };
    let what = match &blocks.cut_points[formula.to].kind {
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
    let place = |cut| place_of(program, blocks, cut, (titles, places));
    format!("{} -> {}{what}{approximate}", place(formula.from), place(formula.to))
}

/// The source position of a cut point, or its name. Entries, calls and returns of procedures have
/// their names: they share the positions of other cut points.
fn place_of(
    program: &Program,
    blocks: &BlockFormulas,
    cut: CutPoint,
    (titles, places): (&Titles, &Places<'_>),
) -> String {
    let data = &blocks.cut_points[cut];
    let name = &titles.cut_points[cut];
    let place = match data.kind {
        CutPointKind::Call(_) | CutPointKind::Return => None,
        CutPointKind::Entry if blocks.function != program.entry => None,
        _ => places.place(data.span),
    };
    place.unwrap_or_else(|| name.clone())
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
    let body = from.map(|relation| system.atom(relation)).into_iter().collect();
    clause_of(pool, system, (body, path.guard), (to, state.zip(path.updates.iter().copied())), origin)
}

/// Returns the clause with this body and guard. The head is the relation `to`; `values` has the
/// variables of its state with their values.
fn clause_of<'v>(
    pool: &mut TermPool,
    system: &System,
    (body, guard): (Vec<Atom>, Term),
    (to, values): (Option<Relation>, impl Iterator<Item = (&'v VariableData, Term)>),
    origin: &str,
) -> ClauseData {
    let mut updates = Updates::default();
    for (variable, value) in values {
        if value != variable.before {
            updates.insert(variable.before, Update { after: variable.after, value: Some(value) });
        }
    }
    let head = to.map(|relation| system.updated(relation, &updates));
    ClauseData::new(pool, body, guard, (head, updates), one_line(origin))
}
