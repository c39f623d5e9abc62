//! The checks of a program: its error sites, with their places in the source.

use crate::input::Compiled;
use passes::evidence::UnknownKind;
use program::ssa::{Edge, Program, Property, PropertyKind, StopReason, Terminator};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// An error site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) property: Property,
    pub(super) kind: PropertyKind,
    pub(super) description: String,
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}

impl Check {
    /// Returns the checks of the program in source order: the error sites that it contains.
    pub(super) fn all(compiled: &Compiled) -> Vec<Check> {
        let program = &compiled.program;
        let blocks = program.functions.values().flat_map(|function| function.blocks.values());
        let sites: BTreeSet<Property> = blocks
            .filter_map(|block| match block.terminator {
                Terminator::Error(property) => Some(property),
                _ => None,
            })
            .collect();
        let mut checks: Vec<Check> = sites
            .into_iter()
            .map(|property| {
                let data = &program.properties[property];
                let position = compiled.sources.presumed(data.span);
                Check {
                    property,
                    kind: data.kind,
                    description: data.description.clone(),
                    file: position.as_ref().map(|position| position.file.to_string()),
                    line: position.as_ref().map(|position| position.line),
                    column: position.as_ref().map(|position| position.column),
                }
            })
            .collect();
        checks.sort_by(|a, b| {
            let place = |check: &Check| (check.file.clone(), check.line, check.column, check.property);
            place(a).cmp(&place(b))
        });
        checks
    }

    /// Returns the check as a JSON object.
    pub(super) fn json(&self) -> Value {
        json!({
            "property": self.kind.verdict_name(),
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "description": self.description,
        })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            write!(f, "{file}:{line}: ")?;
        }
        f.write_str(&self.description)
    }
}

/// Removes all checks that are not in `kept`. Executions go on at their error sites if C defines
/// what follows, and end there otherwise.
pub(super) fn restrict(program: &mut Program, kept: &BTreeSet<Property>) {
    let Program { functions, properties, .. } = program;
    for function in functions.values_mut() {
        let mut without_effect = BTreeSet::new();
        for (block, data) in function.blocks.iter_mut() {
            if let Terminator::Error(property) = data.terminator
                && !kept.contains(&property)
            {
                data.terminator = Terminator::Stop(StopReason::Exit);
                if is_defined_behavior(properties[property].kind) {
                    without_effect.insert(block);
                }
            }
        }
        for data in function.blocks.values_mut() {
            let Terminator::Branch { then, otherwise, .. } = &data.terminator else { continue };
            let is_check = |edge: &Edge| without_effect.contains(&edge.target);
            let next = match (is_check(then), is_check(otherwise)) {
                (true, false) => otherwise.clone(),
                (false, true) => then.clone(),
                _ => continue,
            };
            data.terminator = Terminator::Goto(next);
        }
    }
}

/// Whether C defines how an execution goes on after a violation.
fn is_defined_behavior(kind: PropertyKind) -> bool {
    match kind {
        PropertyKind::UnsignedOverflow
        | PropertyKind::Conversion
        | PropertyKind::ValidMemtrack
        | PropertyKind::ValidMemcleanup => true,
        PropertyKind::ReachCall
        | PropertyKind::ReachLabel
        | PropertyKind::Assertion
        | PropertyKind::SignedOverflow
        | PropertyKind::PointerOverflow
        | PropertyKind::PointerCompare
        | PropertyKind::DivisionByZero
        | PropertyKind::Shift
        | PropertyKind::Bounds
        | PropertyKind::Null
        | PropertyKind::Uninitialized
        | PropertyKind::ValidDeref
        | PropertyKind::ValidFree => false,
    }
}

/// Lists checks as text, the first ones by name.
pub(super) fn list(title: &str, checks: &[Check]) -> String {
    /// The maximal number of checks shown.
    const MOST: usize = 10;
    if checks.is_empty() {
        return String::new();
    }
    let mut lines: Vec<String> = vec![title.to_owned()];
    lines.extend(checks.iter().take(MOST).map(|check| format!("  {check}")));
    if let Some(more) = checks.len().checked_sub(MOST).filter(|&more| more > 0) {
        lines.push(format!("  … and {more} more"));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Whether a run that ends for this reason leaves checks that a longer run may prove.
pub(super) fn is_open(kind: UnknownKind) -> bool {
    matches!(
        kind,
        UnknownKind::Bound | UnknownKind::TimeLimit | UnknownKind::MemoryLimit | UnknownKind::Interrupted
    )
}
