//! Programs as constrained Horn clauses.
//!
//! [`of_blocks`] makes a [`System`] from block formulas: a predicate for each cut point over its state, a clause for each block formula, and all
//! errors derive one predicate `error`, from which the only query derives `false`. What the front end could not lower counts as an error, so that
//! a solution is a proof.

#[cfg(test)]
mod tests;

use crate::blocks::{BlockFormulas, CutPoint, CutPointKind};
use crate::print::place;
use grammars::source::{SourceMap, Span};
use horn::{Argument, Atom, Clause, Predicate, PredicateData, System};
use program::ssa::{Program, PropertyData};
use terms::{Term, TermPool};

/// The clauses of block formulas of `program`, with the source positions that `sources` knows in the comments.
pub fn of_blocks(
    pool: &mut TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    sources: Option<&SourceMap>,
) -> System {
    let mut system = System::default();
    let function = &program.functions[program.entry];
    let locate = |span: Span| place(sources, span);
    let mut predicate_of: Vec<Option<Predicate>> = Vec::new();
    for (cut, data) in blocks.cut_points.iter() {
        let CutPointKind::Block(block) = data.kind else {
            predicate_of.push(None);
            continue;
        };
        let label =
            function.blocks[block].label.as_deref().map(|label| format!("{label}.")).unwrap_or_default();
        let arguments: Vec<Argument> = data
            .state
            .iter()
            .map(|&variable| {
                let variable = &blocks.variables[variable];
                Argument { name: variable.name.clone(), sort: variable.sort }
            })
            .collect();
        let names: Vec<&str> = arguments.iter().map(|argument| argument.name.as_str()).collect();
        let comment =
            one_line(&format!("{}: state at {block} ({cut}): {}", locate(data.span), names.join(" ")));
        let name = format!("{}.{label}{block}", function.name);
        predicate_of.push(Some(system.predicates.push(PredicateData { name, arguments, comment })));
    }
    let error = system.predicates.push(PredicateData {
        name: "error".to_owned(),
        arguments: Vec::new(),
        comment: "an error is reached".to_owned(),
    });
    let before = |cut: CutPoint| blocks.cut_points[cut].state.iter().map(|&v| blocks.variables[v].before);
    for formula in &blocks.formulas {
        let (from, to) = (&blocks.cut_points[formula.from], &blocks.cut_points[formula.to]);
        let body = predicate_of[formula.from.0 as usize]
            .map(|predicate| Atom { predicate, arguments: before(formula.from).collect() });
        let head = match predicate_of[formula.to.0 as usize] {
            Some(predicate) => {
                let symbols = to.state.iter().map(|&variable| blocks.variables[variable].after);
                let mut arguments: Vec<Term> = symbols.collect();
                for &position in &formula.path.kept {
                    arguments[position] = blocks.variables[to.state[position]].before;
                }
                Atom { predicate, arguments }
            }
            None => Atom { predicate: error, arguments: Vec::new() },
        };
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
        let comment = one_line(&format!("{} -> {}{what}{approximate}", locate(from.span), locate(to.span)));
        system.clauses.push(Clause {
            body: body.into_iter().collect(),
            constraint: formula.path.formula,
            head: Some(head),
            comment,
        });
    }
    system.clauses.push(Clause {
        body: vec![Atom { predicate: error, arguments: Vec::new() }],
        constraint: pool.tru(),
        head: None,
        comment: "no error is reached".to_owned(),
    });
    system
}

/// A comment must not end early.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
