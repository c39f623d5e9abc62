//! Certificates for people and machines: in terms of the source.
//!
//! An invariant belongs to a line, and its symbols have the names of variables. A value has the
//! name that the source gives to what it is assigned to; where two values that are live at a cut
//! point have the same one, they get numbers in the order of the state: `i#1`, `i#2`. A value
//! without a name is `v7`. A region has the name of the object in it, if there is one only.

use super::infix::{Readings, infix};
use super::loads::Memory;
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
    /// One for each loop head, and for each other block with an invariant, in order of control
    /// flow.
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
    /// The conjuncts of the formula, in infix.
    pub conjuncts: Vec<String>,
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
        let (formula, readings) =
            named(pool, invariants, Memory::new(&prepared, program), &blocks, &names, formula);
        let place = sources.presumed(data.span);
        let conjuncts = pool.conjuncts(&[formula]);
        let conjuncts = conjuncts.into_iter().map(|conjunct| infix(pool, &readings, conjunct)).collect();
        cut_points.push(PresentedInvariant {
            block: block.to_string(),
            file: place.as_ref().map(|place| place.file.to_string()),
            line: place.map(|place| place.line),
            smt: print::term(pool, formula),
            formula: infix(pool, &readings, formula),
            conjuncts,
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
fn named<'p>(
    pool: &mut TermPool,
    invariants: &Invariants,
    memory: Memory<'p>,
    blocks: &BlockFormulas,
    names: &BTreeMap<Origin, String>,
    formula: Term,
) -> (Term, Readings<'p>) {
    let mut readings = Readings { memory: Some(memory), ..Readings::default() };
    let named = pool.map_leaves(formula, &mut |pool, leaf| {
        let origin = invariants.symbols.get(&leaf)?;
        let name = names.get(origin)?;
        let data = blocks.variables.values().find(|data| data.origin == *origin)?;
        let sort = pool.sort(leaf);
        let symbol = pool.symbol_with(name, sort, data.representation);
        readings.signs.insert(symbol, data.representation);
        if let Some(memory) = &mut readings.memory {
            memory.add(symbol, *origin, name);
        }
        Some(symbol)
    });
    (named, readings)
}

impl Presented {
    /// The proof as text. Lines of invariants that are longer than `width`
    /// are shortened.
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
    /// Whether nothing is claimed of any cut point.
    fn is_trivial(&self) -> bool {
        self.cut_points.iter().all(|cut| cut.conjuncts.is_empty())
    }

    /// The conjuncts of each cut point, below its place.
    fn lines(&self, width: Option<usize>) -> String {
        if self.is_trivial() {
            return String::new();
        }
        let mut text = "Loop invariants:\n".to_owned();
        let mut is_shortened = false;
        for cut in self.cut_points.iter().filter(|cut| !cut.conjuncts.is_empty()) {
            let _ = writeln!(text, "  {}", cut.place());
            for conjunct in &cut.conjuncts {
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
        text
    }
}

/// What stands before a conjunct.
const INDENTATION: &str = "    ";
/// The fewest characters of a conjunct that are shown.
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
