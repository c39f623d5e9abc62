//! Invariants of the loops of the source and contracts of its functions, as C expressions, ACSL
//! predicates and SMT-LIB.
//!
//! Each loop head of the prepared program is one entry. If a function is inlined several times, its
//! loops have one entry for each copy: the facts of one call need not hold for another. Each
//! function that is not inlined has a contract: its calling context is the precondition, its
//! summary the postcondition. A summary has the static variables that are used after a call.

use super::cut_points::{
    INDENTATION, Key, Named, Prepared, cut_points_of, is_readable, named, names, not_shown,
};
use super::infix::{Dialect, Fidelity, Printed, Readings, printed};
use super::loads::Memory;
use super::scope::{LoopScope, Scopes};
use super::widened::is_near_limits;
use super::{Basis, Invariants, Place, Summaries};
use grammars::source::{SourceMap, Span};
use program::ssa::source::LoopKind;
use program::ssa::{Block, Function, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use terms::{Op, Term, TermPool, print};
use views::blocks::{BlockFormulas, CutPointData, CutPointKind, Origin};

/// The invariants of all loops.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedLoops {
    /// The encoding of the program.
    #[serde(flatten)]
    pub basis: Basis,
    /// The loops, in control-flow order.
    pub loops: Vec<PresentedLoop>,
    /// The contracts of functions that are not inlined.
    pub contracts: Vec<PresentedContract>,
}

/// The contract of a function. `\result` is its result, `\old(x)` the value of the variable `x` at
/// its entry. A parameter has its value at the entry.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedContract {
    /// The file, if the source location is known.
    pub file: Option<String>,
    /// The line of the function, from 1.
    pub line: Option<u32>,
    /// The function.
    pub function: String,
    /// The precondition: facts about each call.
    pub requires: Vec<PresentedFact>,
    /// The postcondition: facts about each return; empty if the function does not return.
    pub ensures: Vec<PresentedFact>,
    /// The span of the function.
    #[serde(skip)]
    pub definition: Span,
}

/// The invariants of a program.
#[derive(Clone, Debug)]
pub enum ProgramInvariants {
    /// Those of its loops, with all calls inlined.
    Loops(Invariants),
    /// Those of its procedures and their loops.
    Procedures(Summaries),
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

impl ProgramInvariants {
    /// Returns the encoding of the program.
    pub fn basis(&self) -> Basis {
        match self {
            ProgramInvariants::Loops(invariants) => invariants.basis(),
            ProgramInvariants::Procedures(summaries) => summaries.basis(),
        }
    }

    fn prepare(&self, pool: &mut TermPool, lowered: &Program) -> Option<Prepared> {
        match self {
            ProgramInvariants::Loops(invariants) => Prepared::new(pool, lowered, invariants),
            ProgramInvariants::Procedures(summaries) => Prepared::of_procedures(pool, lowered, summaries),
        }
    }

    /// The formula at a cut point; `None` for `true`.
    fn formula(&self, blocks: &BlockFormulas, cut: &CutPointData) -> Option<Term> {
        match (self, Place::of(&cut.kind)?) {
            (ProgramInvariants::Loops(invariants), Place::Block(block)) => invariants.at.get(&block).copied(),
            (ProgramInvariants::Loops(_), _) => None,
            (ProgramInvariants::Procedures(summaries), place) => {
                summaries.at.get(&(blocks.function, place)).map(|predicate| predicate.formula)
            }
        }
    }

    /// The variable of a symbol of the formula at a cut point.
    fn variable(&self, blocks: &BlockFormulas, cut: &CutPointData, symbol: Term) -> Option<Key> {
        match self {
            ProgramInvariants::Loops(invariants) => invariants.variable(symbol),
            ProgramInvariants::Procedures(summaries) => summaries.variable(blocks, cut, symbol),
        }
    }
}

/// Presents `invariants` for the loops and procedures of `lowered`.
pub fn present_loops(
    pool: &mut TermPool,
    lowered: &Program,
    invariants: &ProgramInvariants,
    sources: &SourceMap,
) -> PresentedLoops {
    let mut result = PresentedLoops { basis: invariants.basis(), loops: Vec::new(), contracts: Vec::new() };
    // As for certificates: invariants that do not fit the program have no loops to present.
    let Some(prepared) = invariants.prepare(pool, lowered) else { return result };
    let scopes = Scopes::new(pool, lowered, &prepared.program, &prepared.preparation);
    let mut presenter = Presenter { pool, lowered, prepared: &prepared, invariants, limits: Shown::No };
    let mut copies: FxHashMap<(Function, Block), usize> = FxHashMap::default();
    let mut heads = Vec::new();
    for (blocks, data) in prepared.functions.iter().flat_map(cut_points_of) {
        let CutPointKind::Block(block) = data.kind else { continue };
        let state = data.state.iter().map(|&variable| &blocks.variables[variable]);
        let scope = scopes.at((blocks.function, block), state);
        let formula = presenter.formula(blocks, data);
        let facts = presenter.facts(blocks, data, scope.as_ref(), formula);
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
    let called = prepared.functions.iter().filter(|blocks| blocks.function != prepared.program.entry);
    for blocks in called {
        result.contracts.push(presenter.contract(&scopes, blocks, sources));
    }
    result
}

/// Presents formulas about the states at a loop of `lowered`, over the symbols of `invariants`,
/// each as one fact; `None` for those that no C expression over variables in scope expresses.
pub(crate) fn present_at(
    pool: &mut TermPool,
    lowered: &Program,
    invariants: &ProgramInvariants,
    head: (Function, Block),
    formulas: &[Term],
) -> Vec<Option<PresentedFact>> {
    let nothing = || formulas.iter().map(|_| None).collect();
    let Some(prepared) = invariants.prepare(pool, lowered) else { return nothing() };
    let scopes = Scopes::new(pool, lowered, &prepared.program, &prepared.preparation);
    let mut presenter = Presenter { pool, lowered, prepared: &prepared, invariants, limits: Shown::Yes };
    for (blocks, data) in prepared.functions.iter().flat_map(cut_points_of) {
        let CutPointKind::Block(block) = data.kind else { continue };
        let state = data.state.iter().map(|&variable| &blocks.variables[variable]);
        let scope = scopes.at((blocks.function, block), state);
        if scope.as_ref().is_none_or(|scope| scope.head != head) {
            continue;
        }
        let presented = formulas.iter().map(|&formula| {
            // A conjunction is no single fact.
            let mut facts = presenter.facts(blocks, data, scope.as_ref(), formula);
            facts.pop().filter(|fact| fact.shown && facts.is_empty())
        });
        return presented.collect();
    }
    nothing()
}

/// The presentation of the formulas of a prepared program.
struct Presenter<'p> {
    pool: &'p mut TermPool,
    lowered: &'p Program,
    prepared: &'p Prepared,
    invariants: &'p ProgramInvariants,
    /// Whether facts [near the limits of types](is_near_limits) are shown.
    limits: Shown,
}

/// Whether facts are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Yes,
    No,
}

impl Presenter<'_> {
    /// Presents the calling context and the summary of a procedure.
    fn contract(
        &mut self,
        scopes: &Scopes<'_>,
        blocks: &BlockFormulas,
        sources: &SourceMap,
    ) -> PresentedContract {
        let data = &self.lowered.functions[blocks.function];
        let location = sources.presumed(data.span);
        let mut contract = PresentedContract {
            file: location.as_ref().map(|place| place.file.to_string()),
            line: location.map(|place| place.line),
            function: data.name.clone(),
            requires: Vec::new(),
            ensures: Vec::new(),
            definition: data.span,
        };
        for cut in blocks.cut_points.values() {
            let Some(place @ (Place::Entry | Place::Exit)) = Place::of(&cut.kind) else { continue };
            let state = cut.state.iter().map(|&variable| &blocks.variables[variable]);
            let scope = scopes.of_contract(blocks.function, place, state);
            let formula = self.formula(blocks, cut);
            let facts = self.facts(blocks, cut, Some(&scope), formula);
            match place {
                Place::Entry => contract.requires = facts,
                _ => contract.ensures = facts,
            }
        }
        contract
    }

    /// The invariant at a cut point.
    fn formula(&self, blocks: &BlockFormulas, cut: &CutPointData) -> Term {
        self.invariants.formula(blocks, cut).unwrap_or(self.pool.tru())
    }

    /// Presents the conjuncts of a formula about the states at a cut point.
    fn facts(
        &mut self,
        blocks: &BlockFormulas,
        cut: &CutPointData,
        scope: Option<&LoopScope>,
        formula: Term,
    ) -> Vec<PresentedFact> {
        let Presenter { pool, lowered, prepared, invariants, limits } = self;
        let names = names_in_scope(pool, &prepared.program, blocks, cut, scope);
        let variable = |symbol| invariants.variable(blocks, cut, symbol);
        let memory = Memory::new(&prepared.program, lowered);
        let readings = Readings { memory: Some(memory), ..Readings::default() };
        let Named { formula, mut readings, .. } =
            named(pool, &variable, readings, blocks, &names, (formula, None));
        if let Some(scope) = scope {
            readings.objects.clone_from(&scope.objects);
            readings.dependent_width = scope.dependent_width;
            for (key, name) in &names {
                let Some(variable) = scope.names.get(key) else { continue };
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
            let Printed { text, fidelity } = printed(pool, &readings, Dialect::C, conjunct);
            let acsl = printed(pool, &readings, Dialect::Acsl, conjunct);
            let is_told = *limits == Shown::Yes || !is_near_limits(pool, conjunct);
            let is_acsl = is_told && acsl.fidelity == Fidelity::Exact && is_readable(&acsl.text);
            PresentedFact {
                shown: fidelity == Fidelity::Exact && is_readable(&text) && is_told,
                formula: text,
                acsl: is_acsl.then_some(acsl.text),
                smt: print::term(pool, conjunct),
            }
        });
        // Two formulas may have one text.
        facts.filter(|fact| texts.insert(fact.formula.clone())).collect()
    }
}

/// Whether a formula is only about addresses of objects and of the next heap block: their numbers
/// are internal.
fn is_internal(pool: &TermPool, names: &BTreeMap<Key, String>, formula: Term) -> bool {
    let is_heap_pointer = |name: &String| {
        let mut known = names.iter();
        known.any(|((origin, _), known)| matches!(origin, Origin::HeapPointer(_)) && known == name)
    };
    let symbols = pool.free_symbols(formula);
    let is_address = |name: &String| name.starts_with('&') || is_heap_pointer(name);
    !symbols.is_empty() && symbols.iter().all(|&symbol| is_address(&pool.symbol_data(symbol).name))
}

fn is_named(pool: &TermPool, symbol: Term, name: &str) -> bool {
    matches!(pool.op(symbol), Op::Symbol(id) if pool.symbol_data(id).name == name)
}

/// Returns unique names for the state of a cut point: the names of the variables in scope, and
/// names with a number sign for the other values.
fn names_in_scope(
    pool: &TermPool,
    prepared: &Program,
    blocks: &BlockFormulas,
    cut: &CutPointData,
    scope: Option<&LoopScope>,
) -> BTreeMap<Key, String> {
    let mut names = names(pool, prepared, blocks, cut);
    let Some(scope) = scope else { return names };
    let taken: FxHashSet<&str> = scope.names.values().map(|variable| &*variable.name).collect();
    for (key, name) in &mut names {
        if let Some(variable) = scope.names.get(key) {
            name.clone_from(&variable.name);
        } else if let (Origin::Value(value), _) = key
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
        for contract in &self.contracts {
            contract.describe(listed, &mut text);
        }
        for data in loops {
            data.describe(listed, &mut text);
        }
        text
    }

    /// Returns the ACSL contract of each function that has one, by the span of its definition.
    pub fn acsl_contracts(&self) -> BTreeMap<Span, Vec<String>> {
        let contracts = self.contracts.iter().map(|contract| (contract.definition, contract.acsl()));
        contracts.filter(|(_, clauses)| !clauses.is_empty()).collect()
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
        if describe_facts("", &self.facts, listed, text) == 0 {
            let _ = writeln!(text, "{INDENTATION}(no facts)");
        }
    }
}

impl PresentedContract {
    fn describe(&self, listed: Listed, text: &mut String) {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => "a function".to_owned(),
        };
        let _ = writeln!(text, "{place} {}", self.function);
        let required = describe_facts("requires ", &self.requires, listed, text);
        if required + describe_facts("ensures ", &self.ensures, listed, text) == 0 {
            let _ = writeln!(text, "{INDENTATION}(no facts)");
        }
    }

    /// The clauses of the contract in ACSL.
    fn acsl(&self) -> Vec<String> {
        let clauses = |kind: &'static str, facts: &[PresentedFact]| -> Vec<String> {
            let predicates = facts.iter().filter_map(|fact| fact.acsl.as_ref());
            predicates.map(|predicate| format!("{kind} {predicate}")).collect()
        };
        [clauses("requires", &self.requires), clauses("ensures", &self.ensures)].concat()
    }
}

/// Lists facts, each with a prefix, and returns their number.
fn describe_facts(prefix: &str, facts: &[PresentedFact], listed: Listed, text: &mut String) -> usize {
    let is_listed = |fact: &&PresentedFact| listed == Listed::All || fact.shown;
    let shown: Vec<&PresentedFact> = facts.iter().filter(is_listed).collect();
    for fact in &shown {
        let _ = writeln!(text, "{INDENTATION}{prefix}{}", fact.formula);
    }
    let hidden = facts.len() - shown.len();
    if hidden > 0 {
        let _ = writeln!(text, "{INDENTATION}{prefix}({}; --all prints them)", not_shown(hidden));
    }
    facts.len()
}
