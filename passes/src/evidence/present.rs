//! Certificates in terms of the source, as text and as JSON.
//!
//! Each invariant has a source line, and its symbols have the names of source variables. A value
//! has the name of the variable it is assigned to. If several values with the same name are live at
//! a cut point, they are numbered in the order of the state: `i#1`, `i#2`. A value without a name
//! is printed as its index, `v7`. A region has the name of its object if it contains exactly one.

use super::infix::{Readings, infix};
use super::loads::Memory;
use super::quantified::Quantified;
use super::{Basis, BoundedProof, Certificate, Invariants};
use crate::transform::{PreparedForViews, prepare_for_views};
use grammars::source::SourceMap;
use program::ssa::{Program, Region};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use terms::{Term, TermPool, print};
use views::blocks::{BlockFormulas, CutPointKind, Origin, Variable, block_formulas_through};
use views::{BlockOperator, Config};

/// A certificate in terms of the source.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Presented {
    /// A proof by bounded model checking that covers all executions.
    Bounded(BoundedProof),
    /// Inductive invariants that exclude errors.
    Inductive(PresentedInvariants),
    /// Auxiliary invariants with which k-induction succeeds.
    KInductive {
        /// The number of steps.
        k: u32,
        /// The invariants.
        #[serde(flatten)]
        invariants: PresentedInvariants,
    },
}

/// Invariants in terms of the source.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedInvariants {
    /// The encoding of the program.
    #[serde(flatten)]
    pub basis: Basis,
    /// The invariants of all loop heads, and of all other blocks that have one, in control-flow
    /// order.
    pub cut_points: Vec<PresentedInvariant>,
}

/// The invariant of a cut point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresentedInvariant {
    /// The block of the prepared program.
    pub block: String,
    /// The file, if the source location is known.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The invariant in SMT-LIB, with the names of `formula`.
    pub smt: String,
    /// The invariant in infix notation with the operators of C.
    pub formula: String,
    /// The conjuncts of the invariant, in infix notation.
    pub conjuncts: Vec<String>,
}

/// Converts `certificate` to the terms of `sources`. `program` is the lowered program.
pub fn present(
    pool: &mut TermPool,
    program: &Program,
    certificate: &Certificate,
    sources: &SourceMap,
) -> Presented {
    match certificate {
        Certificate::Bounded(proof) => Presented::Bounded(proof.clone()),
        Certificate::Inductive(invariants) => {
            Presented::Inductive(present_invariants(pool, program, invariants, sources))
        }
        Certificate::KInductive { k, invariants } => Presented::KInductive {
            k: *k,
            invariants: present_invariants(pool, program, invariants, sources),
        },
    }
}

fn present_invariants(
    pool: &mut TermPool,
    program: &Program,
    invariants: &Invariants,
    sources: &SourceMap,
) -> PresentedInvariants {
    let basis = invariants.basis();
    // Invariants that do not fit the program have no cut points to present; the validator rejects
    // such a certificate.
    let Some(prepared) = Prepared::new(pool, program, invariants) else {
        return PresentedInvariants { basis, cut_points: Vec::new() };
    };
    let Prepared { program: prepared, blocks, .. } = prepared;
    let mut cut_points = Vec::new();
    for data in blocks.cut_points.values() {
        let CutPointKind::Block(block) = data.kind else { continue };
        let formula = invariants.at.get(&block).copied().unwrap_or(pool.tru());
        let names = names(&prepared, &blocks, &data.state);
        let readings = Readings { memory: Some(Memory::new(&prepared, program)), ..Readings::default() };
        let Named { mut formula, readings, quantified } =
            named(pool, invariants, readings, &blocks, &names, formula);
        let place = sources.presumed(data.span);
        let (mut conjuncts, mut closed) = (Vec::new(), Vec::new());
        for conjunct in pool.conjuncts(&[formula]) {
            let text = infix(pool, &readings, conjunct);
            match quantified.filter(|quantified| quantified.is_in(pool, conjunct)) {
                None => {
                    conjuncts.push(text);
                    closed.push(conjunct);
                }
                Some(quantified) => {
                    conjuncts.push(quantified.text(pool, &text));
                    closed.push(quantified.closed(pool, conjunct));
                }
            }
        }
        let mut text = infix(pool, &readings, formula);
        if quantified.is_some_and(|quantified| quantified.is_in(pool, formula)) {
            formula = pool.and(&closed);
            text = format!("({})", conjuncts.join(") && ("));
        }
        cut_points.push(PresentedInvariant {
            block: block.to_string(),
            file: place.as_ref().map(|place| place.file.to_string()),
            line: place.map(|place| place.line),
            smt: print::term(pool, formula),
            formula: text,
            conjuncts,
        });
    }
    PresentedInvariants { basis, cut_points }
}

/// The prepared program to which invariants refer.
pub(super) struct Prepared {
    pub(super) program: Program,
    pub(super) preparation: PreparedForViews,
    /// The block formulas between the cut points of the invariants.
    pub(super) blocks: BlockFormulas,
}

impl Prepared {
    /// Prepares the lowered program as `invariants` specifies; `None` if that is impossible.
    pub(super) fn new(pool: &mut TermPool, program: &Program, invariants: &Invariants) -> Option<Self> {
        let mut program = program.clone();
        let preparation =
            prepare_for_views(pool, &mut program, invariants.limits, &invariants.pipeline).ok()?;
        let through = invariants.at.keys().copied().collect();
        let blocks =
            block_formulas_through(pool, &program, BlockOperator::L, &through, Config::STANDARD).ok()?;
        Some(Prepared { program, preparation, blocks })
    }
}

/// Returns unique names for the variables of a state.
pub(super) fn names(
    program: &Program,
    blocks: &BlockFormulas,
    state: &[Variable],
) -> BTreeMap<Origin, String> {
    let base = |origin: Origin| match origin {
        Origin::Value(value) => {
            let name = program.functions[program.entry].values[value].name.clone();
            name.unwrap_or_else(|| value.to_string())
        }
        Origin::Region(region) => region_name(program, region),
        Origin::HeapPointer => "heap".to_owned(),
    };
    let bases: Vec<(Origin, String)> = state
        .iter()
        .map(|&variable| blocks.variables[variable].origin)
        .map(|origin| (origin, base(origin)))
        .collect();
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    let mut names = BTreeMap::new();
    for (origin, name) in &bases {
        let is_ambiguous = bases.iter().filter(|(_, other)| other == name).count() > 1;
        let number = seen.entry(name).or_default();
        *number += 1;
        let unique = if is_ambiguous { format!("{name}#{number}") } else { name.clone() };
        names.insert(*origin, unique);
    }
    names
}

fn region_name(program: &Program, region: Region) -> String {
    let mut objects = program.objects.values().filter(|object| object.regions == [region]);
    match (objects.next(), objects.next()) {
        (Some(object), None) => object.name.clone(),
        _ => program.regions[region].name.clone(),
    }
}

/// A formula over the names of the source.
pub(super) struct Named<'p> {
    pub(super) formula: Term,
    /// The readings of its symbols.
    pub(super) readings: Readings<'p>,
    /// The quantified symbol of the invariants.
    pub(super) quantified: Option<Quantified>,
}

/// Renames the symbols of a formula to the names of the source.
pub(super) fn named<'p>(
    pool: &mut TermPool,
    invariants: &Invariants,
    mut readings: Readings<'p>,
    blocks: &BlockFormulas,
    names: &BTreeMap<Origin, String>,
    formula: Term,
) -> Named<'p> {
    let quantified = invariants.index.map(|index| Quantified::new(pool, index, names));
    if let (Some(index), Some(quantified)) = (invariants.index, quantified) {
        readings.signs.insert(quantified.symbol, index.representation);
    }
    let formula = pool.map_leaves(formula, &mut |pool, leaf| {
        if invariants.index.is_some_and(|index| index.symbol == leaf) {
            return quantified.map(|quantified| quantified.symbol);
        }
        let origin = invariants.symbols.get(&leaf)?;
        let name = names.get(origin)?;
        let data = blocks.variables.values().find(|data| data.origin == *origin)?;
        let sort = pool.sort(leaf);
        let symbol = pool.symbol_with(name, sort, data.representation);
        readings.signs.insert(symbol, data.representation);
        if let Some(memory) = &mut readings.memory {
            memory.add(pool, symbol, *origin, name);
        }
        Some(symbol)
    });
    Named { formula, readings, quantified }
}

impl Presented {
    /// Returns the proof as text. Invariants whose lines are longer than `width` characters are
    /// shortened.
    pub fn describe(&self, width: Option<usize>) -> String {
        let (reason, invariants) = match self {
            Presented::Bounded(proof) => {
                let (bound, s) = (proof.bound(), plural(proof.bound()));
                let reason =
                    format!("every loop terminates within {bound} iteration{s} (forward condition holds)");
                (reason, None)
            }
            Presented::Inductive(invariants) if invariants.is_trivial() => {
                ("no path leads to an error".to_owned(), None)
            }
            Presented::Inductive(invariants) => {
                ("the loop invariants are inductive and exclude every error".to_owned(), Some(invariants))
            }
            Presented::KInductive { k, invariants } => {
                let s = plural(*k);
                let with = if invariants.is_trivial() { "" } else { " with the loop invariants" };
                let reason = format!(
                    "k-induction with k = {k}: no error follows {k} step{s} between loop heads{with}"
                );
                (reason, Some(invariants))
            }
        };
        let invariants = invariants.map_or_else(String::new, |invariants| invariants.lines(width));
        format!("Safe: {reason}.\n{invariants}")
    }
}

impl PresentedInvariants {
    /// Whether the invariants of all cut points are `true`.
    fn is_trivial(&self) -> bool {
        self.cut_points.iter().all(|cut| cut.conjuncts.is_empty())
    }

    /// Lists the conjuncts of each cut point below its location.
    fn lines(&self, width: Option<usize>) -> String {
        if self.is_trivial() {
            return String::new();
        }
        let mut text = "Loop invariants:\n".to_owned();
        let mut is_shortened = false;
        let mut hidden = 0;
        for cut in self.cut_points.iter().filter(|cut| !cut.conjuncts.is_empty()) {
            let _ = writeln!(text, "  {}", cut.place());
            for conjunct in &cut.conjuncts {
                if !is_readable(conjunct) {
                    hidden += 1;
                    continue;
                }
                let kept = width.map(|width| width.saturating_sub(INDENTATION.len() + 1).max(SHORTEST));
                match kept.and_then(|kept| conjunct.char_indices().nth(kept)) {
                    Some((end, _)) => {
                        is_shortened = true;
                        let _ = writeln!(text, "{INDENTATION}{}…", &conjunct[..end]);
                    }
                    None => {
                        let _ = writeln!(text, "{INDENTATION}{conjunct}");
                    }
                }
            }
        }
        if is_shortened {
            text.push_str("  (lines are shortened; --json and --certificate FILE show all)\n");
        }
        if hidden > 0 {
            let _ = writeln!(text, "  ({}; --json and --certificate FILE show all)", not_shown(hidden));
        }
        text
    }
}

/// Whether the text of a fact is short enough for a reader.
pub(super) fn is_readable(text: &str) -> bool {
    text.chars().count() <= LONGEST
}

/// States the number of facts that are not shown.
pub(super) fn not_shown(number: usize) -> String {
    match number {
        1 => "1 more fact is not shown".to_owned(),
        _ => format!("{number} more facts are not shown"),
    }
}

/// The largest number of characters of a fact that is shown.
const LONGEST: usize = 160;
/// The indentation of a conjunct.
pub(super) const INDENTATION: &str = "    ";
/// The smallest number of characters to which a conjunct is shortened.
const SHORTEST: usize = 20;

impl PresentedInvariant {
    fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => self.block.clone(),
        }
    }
}

fn plural(number: u32) -> &'static str {
    if number == 1 { "" } else { "s" }
}
