//! Source-level names of cut points, variables and inputs in emitted texts.
//!
//! Engines use names that are unique in a whole run (`i.v1`, `nondet_int@0`); emitted texts use the
//! names of the source. A cut point is named after its function and line (`main_loop_8`,
//! `f_line_12`, `main_call_7`, `f_entry`, `f_exit`, `error_20`), a variable after the source
//! variable (`x`, `x@entry` for its value at the entry of a procedure), and an input after the
//! function that returns it and the line of the call (`nondet_int@9`).
//!
//! Names of cut points are unique in the program; names of variables are unique in each state. A
//! second variable of the same name gets the line of its assignment as a suffix (`i@17`); all other
//! duplicates are numbered (`error_20.2`).

use super::places::Places;
use crate::blocks::{BlockFormulas, CutPoint, CutPointData, CutPointKind};
use crate::procedures::Procedures;
use crate::state::{FRAME, Moment, Origin, RESULT, VariableData};
use grammars::source::Span;
use program::ssa::Program;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::print::Unique;
use terms::{Op, Term, TermPool};

/// The names of a function's block formulas.
#[derive(Clone, Debug)]
pub struct Titles {
    /// The name of each cut point.
    pub cut_points: PrimaryMap<CutPoint, String>,
    /// The names of the state variables at each cut point, in the order of the state.
    pub states: PrimaryMap<CutPoint, Vec<String>>,
    /// The labels of inputs, indexed by the names of their symbols.
    pub inputs: FxHashMap<String, String>,
}

impl Titles {
    /// Computes the names for `blocks`, the block formulas of `program`.
    #[must_use]
    pub fn new(pool: &TermPool, program: &Program, blocks: &BlockFormulas, places: &Places<'_>) -> Self {
        Self::with(pool, program, blocks, places, &mut cut_point_names())
    }

    /// Computes the names for the block formulas of each procedure of `program`.
    #[must_use]
    pub fn of_procedures(
        pool: &TermPool,
        program: &Program,
        procedures: &Procedures,
        places: &Places<'_>,
    ) -> Vec<Titles> {
        let mut taken = cut_point_names();
        let blocks = procedures.blocks.iter();
        blocks.map(|blocks| Self::with(pool, program, blocks, places, &mut taken)).collect()
    }

    fn with(
        pool: &TermPool,
        program: &Program,
        blocks: &BlockFormulas,
        places: &Places<'_>,
        taken: &mut Unique,
    ) -> Titles {
        let function = &program.functions[blocks.function];
        let loops = LoopForest::new(&ControlFlow::new(function));
        let mut titles = Titles {
            cut_points: PrimaryMap::new(),
            states: PrimaryMap::new(),
            inputs: input_labels(pool, &blocks.inputs, places),
        };
        for data in blocks.cut_points.values() {
            let line = places.line(data.span);
            let numbered = |name: &str, other: &dyn std::fmt::Display| match line {
                Some(line) => format!("{name}_{line}"),
                None => format!("{name}_{other}"),
            };
            let title = match &data.kind {
                CutPointKind::Entry if blocks.function == program.entry => "start".to_owned(),
                CutPointKind::Entry => format!("{}_entry", function.name),
                CutPointKind::Return => format!("{}_exit", function.name),
                CutPointKind::Call(site) => {
                    let owner = places.function(data.span).unwrap_or(&function.name);
                    numbered(&format!("{owner}_call"), &site.block)
                }
                CutPointKind::Block(block) => {
                    let kind = if loops.headed_by(*block).is_some() { "loop" } else { "line" };
                    let owner = places.function(data.span).unwrap_or(&function.name);
                    numbered(&format!("{owner}_{kind}"), block)
                }
                CutPointKind::Error(property) => numbered("error", property),
                CutPointKind::Unsupported(_) => numbered("unsupported", &"construct"),
            };
            titles.cut_points.push(taken.claim(&title));
            titles.states.push(state(program, blocks, data, places));
        }
        titles
    }
}

/// Relations are named after cut points, and the relation of the query has a fixed name.
fn cut_point_names() -> Unique {
    let mut taken = Unique::default();
    taken.claim(horn::ERROR);
    taken
}

/// Returns the names of the state variables at a cut point.
fn state(program: &Program, blocks: &BlockFormulas, cut: &CutPointData, places: &Places<'_>) -> Vec<String> {
    let mut taken = Unique::default();
    let name = |data: &VariableData| {
        let name = match data.origin {
            Origin::Value(RESULT) => "result".to_owned(),
            Origin::Value(FRAME) => "frame".to_owned(),
            Origin::Value(value) => {
                let name = &program.functions[blocks.function].values[value].name;
                name.clone().unwrap_or_else(|| value.to_string())
            }
            Origin::Region(region) => program.regions[region].name.clone(),
            Origin::HeapPointer(zone) => Origin::heap_pointer(zone),
        };
        match data.moment {
            Moment::Now => name,
            Moment::Entry => format!("{name}@entry"),
        }
    };
    let names = cut.state.iter().map(|&variable| {
        let data = &blocks.variables[variable];
        let name = name(data);
        match places.line(data.span) {
            Some(line) if taken.has_given(&name) => taken.claim(&format!("{name}@{line}")),
            _ => taken.claim(&name),
        }
    });
    names.collect()
}

/// Returns the labels of inputs, indexed by the names of their symbols. A label has the line of the
/// call (`nondet_int@9`) in place of the number of the symbol (`nondet_int@0`).
#[must_use]
pub fn input_labels(
    pool: &TermPool,
    inputs: &[(Term, Span)],
    places: &Places<'_>,
) -> FxHashMap<String, String> {
    let mut labels = FxHashMap::default();
    for &(input, span) in inputs {
        let (Op::Symbol(symbol), Some(line)) = (pool.op(input), places.line(span)) else { continue };
        let name = &pool.symbol_data(symbol).name;
        let base = name.rsplit_once('@').map_or(name.as_str(), |(base, _)| base);
        labels.insert(name.clone(), format!("{base}@{line}"));
    }
    labels
}
