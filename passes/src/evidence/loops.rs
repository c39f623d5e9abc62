//! Invariants of the loops of the source, as C expressions, ACSL predicates and SMT-LIB.
//!
//! Each loop head of the prepared program is one entry. If a function is inlined several times, its
//! loops have one entry for each copy: the facts of one call need not hold for another.

use super::infix::{Dialect, Fidelity, Printed, Readings, printed};
use super::loads::Memory;
use super::present::{INDENTATION, Named, Prepared, is_readable, named, names, not_shown};
use super::scope::{LoopScope, Scopes};
use super::{Basis, Invariants};
use grammars::source::{SourceMap, Span};
use program::ssa::source::LoopKind;
use program::ssa::{Block, Function, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use terms::{Op, Term, TermPool, print};
use views::blocks::{CutPointData, CutPointKind, Origin};

/// The invariants of all loops.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedLoops {
    /// The encoding of the program.
    #[serde(flatten)]
    pub basis: Basis,
    /// The loops, in control-flow order.
    pub loops: Vec<PresentedLoop>,
}

/// The invariants of one loop.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedLoop {
    /// The file, if the source location is known.
    pub file: Option<String>,
    /// The line of the statement, from 1.
    pub line: Option<u32>,
    /// The column of the statement in bytes, from 1.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
    /// The number of this copy of the loop, from 1, and the number of copies.
    pub copy: (usize, usize),
    /// The facts.
    pub facts: Vec<PresentedFact>,
    /// Whether the loop is a statement; otherwise it consists of jumps.
    pub kind: PresentedKind,
    /// The span of the statement; `None` if the loop consists of jumps.
    #[serde(skip)]
    pub statement: Option<Span>,
}

/// The construct of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PresentedKind {
    /// `while`, `do` or `for`.
    Statement,
    /// Labels and jumps.
    Jumps,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresentedFact {
    /// The fact in the notation of C.
    pub formula: String,
    /// Whether `formula` is a C expression over variables in scope, and short enough for a reader.
    pub shown: bool,
    /// The fact as a predicate of ACSL over variables in scope, if there is one.
    pub acsl: Option<String>,
    /// The fact in SMT-LIB.
    pub smt: String,
}

/// The facts that the text lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Those that are C expressions over variables in scope, and short.
    Readable,
    /// All.
    All,
}

/// Presents `invariants` for the loops of `lowered`.
pub fn present_loops(
    pool: &mut TermPool,
    lowered: &Program,
    invariants: &Invariants,
    sources: &SourceMap,
) -> PresentedLoops {
    let mut result = PresentedLoops { basis: invariants.basis(), loops: Vec::new() };
    // As for certificates: invariants that do not fit the program have no loops to present.
    let Some(prepared) = Prepared::new(pool, lowered, invariants) else { return result };
    let scopes = Scopes::new(pool, lowered, &prepared.program, &prepared.preparation);
    let mut copies: FxHashMap<(Function, Block), usize> = FxHashMap::default();
    let mut heads = Vec::new();
    for data in prepared.blocks.cut_points.values() {
        let CutPointKind::Block(block) = data.kind else { continue };
        let state = data.state.iter().map(|&variable| &prepared.blocks.variables[variable]);
        let scope = scopes.at(block, state);
        let formula = invariants.at.get(&block).copied().unwrap_or(pool.tru());
        let facts = facts(pool, lowered, &prepared, invariants, data, scope.as_ref(), formula);
        let statement = scope.as_ref().and_then(|scope| scope.statement);
        let place = sources.presumed(statement.map_or(data.span, |(_, span)| span));
        let number = scope.as_ref().map_or(1, |scope| {
            let number = copies.entry(scope.head).or_default();
            *number += 1;
            *number
        });
        heads.push(scope.as_ref().map(|scope| scope.head));
        result.loops.push(PresentedLoop {
            file: place.as_ref().map(|place| place.file.to_string()),
            line: place.as_ref().map(|place| place.line),
            column: place.map(|place| place.column),
            function: scope.map(|scope| scope.function),
            copy: (number, number),
            facts,
            kind: match statement {
                Some((LoopKind::Statement, _)) => PresentedKind::Statement,
                _ => PresentedKind::Jumps,
            },
            statement: statement.and_then(|(kind, span)| (kind == LoopKind::Statement).then_some(span)),
        });
    }
    for (head, data) in heads.into_iter().zip(&mut result.loops) {
        data.copy.1 = head.map_or(1, |head| copies[&head]);
    }
    result
}

/// Presents the conjuncts of the invariant `formula` at a cut point.
fn facts(
    pool: &mut TermPool,
    lowered: &Program,
    prepared: &Prepared,
    invariants: &Invariants,
    cut: &CutPointData,
    scope: Option<&LoopScope>,
    formula: Term,
) -> Vec<PresentedFact> {
    let names = names_in_scope(prepared, cut, scope);
    let memory = Memory::new(&prepared.program, lowered);
    let readings = Readings { memory: Some(memory), ..Readings::default() };
    let Named { formula, mut readings, quantified } =
        named(pool, invariants, readings, &prepared.blocks, &names, formula);
    if let Some(scope) = scope {
        readings.objects.clone_from(&scope.objects);
        readings.dependent_width = scope.dependent_width;
        for (origin, name) in &names {
            let Some(variable) = scope.names.get(origin) else { continue };
            let symbols = readings.signs.keys().copied();
            let symbols: Vec<Term> = symbols.filter(|&symbol| is_named(pool, symbol, name)).collect();
            readings.faithful.extend(symbols.iter().copied());
            if variable.is_pointer {
                readings.pointers.extend(symbols);
            }
        }
    }
    let mut conjuncts = pool.conjuncts(&[formula]);
    conjuncts.retain(|&conjunct| !is_internal(pool, &names, conjunct));
    // Equations say most.
    conjuncts.sort_by_key(|&conjunct| pool.op(conjunct) != Op::Eq);
    let mut texts = FxHashSet::default();
    let facts = conjuncts.into_iter().map(|conjunct| {
        let Printed { mut text, fidelity } = printed(pool, &readings, Dialect::C, conjunct);
        let mut acsl = printed(pool, &readings, Dialect::Acsl, conjunct);
        let is_acsl = acsl.fidelity == Fidelity::Exact && is_readable(&acsl.text);
        let (mut closed, mut is_expression) = (conjunct, true);
        if let Some(quantified) = quantified.filter(|quantified| quantified.is_in(pool, conjunct)) {
            is_expression = false;
            text = quantified.text(pool, &text);
            acsl.text = quantified.text(pool, &acsl.text);
            closed = quantified.closed(pool, conjunct);
        }
        PresentedFact {
            shown: is_expression && fidelity == Fidelity::Exact && is_readable(&text),
            formula: text,
            acsl: is_acsl.then_some(acsl.text),
            smt: print::term(pool, closed),
        }
    });
    // Two formulas may have one text.
    facts.filter(|fact| texts.insert(fact.formula.clone())).collect()
}

/// Whether a formula is only about addresses of objects and of the next heap block: their numbers
/// are internal.
fn is_internal(pool: &TermPool, names: &BTreeMap<Origin, String>, formula: Term) -> bool {
    let heap = names.get(&Origin::HeapPointer);
    let symbols = pool.free_symbols(formula);
    let is_address = |name: &String| name.starts_with('&') || Some(name) == heap;
    !symbols.is_empty() && symbols.iter().all(|&symbol| is_address(&pool.symbol_data(symbol).name))
}

fn is_named(pool: &TermPool, symbol: Term, name: &str) -> bool {
    matches!(pool.op(symbol), Op::Symbol(id) if pool.symbol_data(id).name == name)
}

/// Returns unique names for the state of a cut point: the names of the variables in scope, and
/// names with a number sign for the other values.
fn names_in_scope(
    prepared: &Prepared,
    cut: &CutPointData,
    scope: Option<&LoopScope>,
) -> BTreeMap<Origin, String> {
    let mut names = names(&prepared.program, &prepared.blocks, &cut.state);
    let Some(scope) = scope else { return names };
    let taken: FxHashSet<&str> = scope.names.values().map(|variable| &*variable.name).collect();
    for (origin, name) in &mut names {
        if let Some(variable) = scope.names.get(origin) {
            name.clone_from(&variable.name);
        } else if let Origin::Value(value) = origin
            && taken.contains(&**name)
        {
            *name = format!("{name}#{value}");
        }
    }
    names
}

impl PresentedLoops {
    /// Returns the invariants as text.
    pub fn describe(&self, listed: Listed) -> String {
        let mut text = String::new();
        // Loops of the C library have no place in the source.
        let loops = self.loops.iter().filter(|data| listed == Listed::All || data.line.is_some());
        for data in loops {
            data.describe(listed, &mut text);
        }
        text
    }

    /// Returns the ACSL predicates of each loop statement, by the start of the statement: those of
    /// all copies.
    pub fn acsl(&self) -> BTreeMap<Span, Vec<String>> {
        let mut annotations: BTreeMap<Span, Vec<String>> = BTreeMap::new();
        for data in &self.loops {
            let Some(statement) = data.statement else { continue };
            let predicates: Vec<String> = data.facts.iter().filter_map(|fact| fact.acsl.clone()).collect();
            match annotations.entry(statement) {
                std::collections::btree_map::Entry::Vacant(entry) => drop(entry.insert(predicates)),
                std::collections::btree_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().retain(|predicate| predicates.contains(predicate));
                }
            }
        }
        annotations.retain(|_, predicates| !predicates.is_empty());
        annotations
    }
}

impl PresentedLoop {
    fn describe(&self, listed: Listed, text: &mut String) {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => "a loop".to_owned(),
        };
        let function = self.function.as_ref().map_or_else(String::new, |name| format!(" in {name}"));
        let copy = match self.copy {
            (_, 1) => String::new(),
            (number, copies) => format!(", copy {number} of {copies}"),
        };
        let _ = writeln!(text, "{place}{function}{copy}");
        let is_listed = |fact: &&PresentedFact| listed == Listed::All || fact.shown;
        let shown: Vec<&PresentedFact> = self.facts.iter().filter(is_listed).collect();
        for fact in &shown {
            let _ = writeln!(text, "{INDENTATION}{}", fact.formula);
        }
        match self.facts.len() - shown.len() {
            0 if shown.is_empty() => {
                let _ = writeln!(text, "{INDENTATION}(no facts)");
            }
            0 => {}
            hidden => {
                let _ = writeln!(text, "{INDENTATION}({}; --all prints them)", not_shown(hidden));
            }
        }
    }
}
