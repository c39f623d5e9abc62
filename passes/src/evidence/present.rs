//! Certificates for people and machines: in terms of the source.
//!
//! An invariant belongs to a line, and its symbols have the names of variables. A value has the name that the source gives
//! to what it is assigned to; where two values that are live at a cut point have the same one, they get numbers in the order of the state:
//! `i#1`, `i#2`. A value without a name is `v7`. A region has the name of the object in it, if there is one only.

use super::infix::{Readings, infix};
use super::{Basis, BoundedProof, Certificate, Invariants};
use crate::transform::prepare_for_views;
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
    /// All executions were looked at.
    Bounded(BoundedProof),
    /// Invariants that are inductive and exclude errors.
    Inductive(PresentedInvariants),
    /// Invariants that exclude errors after k steps.
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
    /// How the program was made formulas.
    #[serde(flatten)]
    pub basis: Basis,
    /// One for each loop head, and for each other block with an invariant, in order of control flow.
    pub cut_points: Vec<PresentedInvariant>,
}

/// What holds at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresentedInvariant {
    /// The block of the prepared program.
    pub block: String,
    /// The file, where the source is known.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// In SMT-LIB, over the names of `formula`.
    pub smt: String,
    /// In infix with the operators of C.
    pub formula: String,
}

/// `certificate`, of `program` as it was lowered, in terms of `sources`.
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
    let mut prepared = program.clone();
    let is_prepared = prepare_for_views(pool, &mut prepared, invariants.limits, &invariants.pipeline).is_ok();
    let through = invariants.at.keys().copied().collect();
    let blocks = match is_prepared {
        true => block_formulas_through(pool, &prepared, BlockOperator::L, &through, Config::STANDARD).ok(),
        false => None,
    };
    // Invariants that fit no program are no certificate; a validator says so.
    let Some(blocks) = blocks else { return PresentedInvariants { basis, cut_points: Vec::new() } };
    let mut cut_points = Vec::new();
    for data in blocks.cut_points.values() {
        let CutPointKind::Block(block) = data.kind else { continue };
        let formula = invariants.at.get(&block).copied().unwrap_or(pool.tru());
        let names = names(&prepared, &blocks, &data.state);
        let (formula, readings) = named(pool, invariants, &blocks, &names, formula);
        let place = sources.presumed(data.span);
        cut_points.push(PresentedInvariant {
            block: block.to_string(),
            file: place.as_ref().map(|place| place.file.to_string()),
            line: place.map(|place| place.line),
            smt: print::term(pool, formula),
            formula: infix(pool, &readings, formula),
        });
    }
    PresentedInvariants { basis, cut_points }
}

/// The names of the variables of a state.
fn names(program: &Program, blocks: &BlockFormulas, state: &[Variable]) -> BTreeMap<Origin, String> {
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

/// A formula over symbols that have the names of the source, and how they are to be read.
fn named(
    pool: &mut TermPool,
    invariants: &Invariants,
    blocks: &BlockFormulas,
    names: &BTreeMap<Origin, String>,
    formula: Term,
) -> (Term, Readings) {
    let mut readings = Readings::default();
    let named = pool.map_leaves(formula, &mut |pool, leaf| {
        let origin = invariants.symbols.get(&leaf)?;
        let name = names.get(origin)?;
        let data = blocks.variables.values().find(|data| data.origin == *origin)?;
        let sort = pool.sort(leaf);
        let symbol = pool.symbol_with(name, sort, data.representation);
        readings.insert(symbol, data.representation);
        Some(symbol)
    });
    (named, readings)
}

impl Presented {
    /// What the proof says, in lines for people.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let written = match self {
            Presented::Bounded(proof) => writeln!(
                text,
                "No error can be reached: no run goes on after {} iteration{} of a loop or recursion.",
                proof.bound(),
                plural(proof.bound())
            ),
            Presented::Inductive(invariants) => match invariants.lines() {
                lines if lines.is_empty() => writeln!(text, "No error can be reached: no path leads to one."),
                lines => write!(
                    text,
                    "No error can be reached. This holds whenever a run comes to these lines, and no error follows from it:\n{lines}"
                ),
            },
            Presented::KInductive { k, invariants } => {
                let (lines, s) = (invariants.lines(), plural(*k));
                let through = if lines.is_empty() { "" } else { " through states where this holds" };
                let end = if lines.is_empty() { "." } else { ":" };
                writeln!(
                    text,
                    "No error can be reached: none within {k} step{s} from loop head to loop head after the start, and none after {k} \
                     step{s} from anywhere{through}{end}"
                )
                .and_then(|()| text.write_str(&lines))
            }
        };
        written.expect("a string takes any text");
        text
    }
}

impl PresentedInvariants {
    /// A line for each cut point of which something is known; the beginning of a long formula.
    fn lines(&self) -> String {
        let known = self.cut_points.iter().filter(|cut| cut.formula != "true");
        let line = |cut: &PresentedInvariant| match cut.formula.char_indices().nth(LONGEST) {
            Some((end, _)) => {
                let characters = cut.formula.chars().count();
                format!("  {}: {} … ({characters} characters)\n", cut.place(), &cut.formula[..end])
            }
            None => format!("  {}: {}\n", cut.place(), cut.formula),
        };
        known.map(line).collect()
    }
}

/// Characters of a formula in text; the JSON output has all of it.
const LONGEST: usize = 500;

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
