//! One cut point of a prepared program in terms of the source: names of its variables, its
//! invariant as text, and lists of conjuncts.
//!
//! A value has the name of the variable it is assigned to. If several values with the same name are
//! live at a cut point, they are numbered in the order of the state: `i#1`, `i#2`. A value without
//! a name is printed as its index, `v7`, or as `\steps(p)` if it counts the steps of a pointer. A
//! region has the name of its object if it contains exactly one.

use super::infix::{Readings, infix};
use super::loads::Memory;
use super::quantified::Quantified;
use super::{Index, Invariants, Summaries};
use crate::transform::{Pipeline, PreparedForViews, ViewLimits, prepare_for_views};
use grammars::source::SourceMap;
use program::ssa::{FunctionData, InstructionKind, Program, Region, Type, Value};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use terms::{Term, TermPool, print};
use views::blocks::{
    BlockFormulas, CutPointData, CutPointKind, FRAME, Moment, Origin, RESULT, block_formulas_through,
};
use views::procedures::procedure_formulas;
use views::{BlockOperator, Config};

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

/// The cut points of a function, each with its formulas.
pub(super) fn cut_points_of(blocks: &BlockFormulas) -> impl Iterator<Item = (&BlockFormulas, &CutPointData)> {
    blocks.cut_points.values().map(move |data| (blocks, data))
}

/// Presents the formula of a cut point of the prepared program.
pub(super) fn present_invariant(
    pool: &mut TermPool,
    (lowered, prepared): (&Program, &Program),
    blocks: &BlockFormulas,
    cut: &CutPointData,
    variable: &dyn Fn(Term) -> Option<Key>,
    Own { block, formula, index }: Own,
    sources: &SourceMap,
) -> PresentedInvariant {
    let names = names(pool, prepared, blocks, cut);
    let readings = Readings { memory: Some(Memory::new(prepared, lowered)), ..Readings::default() };
    let Named { mut formula, readings, quantified } =
        named(pool, variable, readings, blocks, &names, (formula, index));
    let place = sources.presumed(cut.span);
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
    PresentedInvariant {
        block,
        file: place.as_ref().map(|place| place.file.to_string()),
        line: place.map(|place| place.line),
        smt: print::term(pool, formula),
        formula: text,
        conjuncts,
    }
}

/// A formula of a cut point, with the name of the cut point.
pub(super) struct Own {
    pub(super) block: String,
    pub(super) formula: Term,
    /// The symbol that is universally quantified.
    pub(super) index: Option<Index>,
}

/// The prepared program to which invariants refer.
pub(super) struct Prepared {
    pub(super) program: Program,
    pub(super) preparation: PreparedForViews,
    /// The block formulas of its functions, the entry function first.
    pub(super) functions: Vec<BlockFormulas>,
}

impl Prepared {
    /// Prepares the lowered program as `invariants` specifies; `None` if that is impossible.
    pub(super) fn new(pool: &mut TermPool, program: &Program, invariants: &Invariants) -> Option<Self> {
        let through = invariants.at.keys().copied().collect();
        Prepared::with(pool, program, invariants.limits, &invariants.pipeline, |pool, program| {
            let operator = BlockOperator::L;
            Some(vec![block_formulas_through(pool, program, operator, &through, Config::STANDARD).ok()?])
        })
    }

    /// As [`new`](Self::new), for summaries.
    pub(super) fn of_procedures(
        pool: &mut TermPool,
        program: &Program,
        summaries: &Summaries,
    ) -> Option<Self> {
        Prepared::with(pool, program, summaries.limits, &summaries.pipeline, |pool, program| {
            Some(procedure_formulas(pool, program, BlockOperator::L, Config::STANDARD).ok()?.blocks)
        })
    }

    fn with(
        pool: &mut TermPool,
        program: &Program,
        limits: ViewLimits,
        pipeline: &Pipeline,
        formulas: impl FnOnce(&mut TermPool, &Program) -> Option<Vec<BlockFormulas>>,
    ) -> Option<Self> {
        let mut program = program.clone();
        let preparation = prepare_for_views(pool, &mut program, limits, pipeline).ok()?;
        let functions = formulas(pool, &program)?;
        Some(Prepared { program, preparation, functions })
    }
}

/// A variable of a state: its program entity and its moment.
pub(super) type Key = (Origin, Moment);

/// Returns unique names for the variables of the state of a cut point. `\old(x)` is the value of
/// `x` at the entry of a procedure, and `\result` its result.
pub(super) fn names(
    pool: &TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    cut: &CutPointData,
) -> BTreeMap<Key, String> {
    let now = |origin: Origin| match origin {
        Origin::Value(RESULT) => "\\result".to_owned(),
        Origin::Value(FRAME) => "frame".to_owned(),
        Origin::Value(value) => {
            let name = program.functions[blocks.function].values[value].name.clone();
            let counter = || counted(pool, &program.functions[blocks.function], value);
            name.or_else(counter).unwrap_or_else(|| value.to_string())
        }
        Origin::Region(region) => region_name(program, region),
        Origin::HeapPointer(zone) => Origin::heap_pointer(zone),
    };
    let base = |(origin, moment): Key| match moment {
        Moment::Entry if cut.kind != CutPointKind::Entry => format!("\\old({})", now(origin)),
        Moment::Entry | Moment::Now => now(origin),
    };
    let variables = cut.state.iter().map(|&variable| &blocks.variables[variable]);
    let bases: Vec<(Key, String)> =
        variables.map(|variable| (variable.origin, variable.moment)).map(|key| (key, base(key))).collect();
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    let mut names = BTreeMap::new();
    for (key, name) in &bases {
        let is_ambiguous = bases.iter().filter(|(_, other)| other == name).count() > 1;
        let number = seen.entry(name).or_default();
        *number += 1;
        let unique = if is_ambiguous { format!("{name}#{number}") } else { name.clone() };
        names.insert(*key, unique);
    }
    names
}

/// `\steps(p)` for a counter without a name, if a pointer `p` of the same block is computed from
/// it, see [`induction`](mod@crate::transform::induction).
fn counted(pool: &TermPool, function: &FunctionData, value: Value) -> Option<String> {
    let mut blocks = function.blocks.values();
    let block = blocks.find(|block| block.parameters.contains(&value))?;
    block.instructions.iter().find_map(|instruction| {
        let InstructionKind::Pure(term) = instruction.kind else { return None };
        let pointer = &function.values[instruction.result?];
        let is_counted =
            matches!(pointer.ty, Type::Pointer { .. }) && pool.free_values(term).contains(&value.0);
        pointer.name.as_ref().filter(|_| is_counted).map(|name| format!("\\steps({name})"))
    })
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

/// Renames the symbols of a formula to the names of the source. `variable` returns the variable of
/// a symbol that is not `index`.
pub(super) fn named<'p>(
    pool: &mut TermPool,
    variable: &dyn Fn(Term) -> Option<Key>,
    mut readings: Readings<'p>,
    blocks: &BlockFormulas,
    names: &BTreeMap<Key, String>,
    (formula, index): (Term, Option<Index>),
) -> Named<'p> {
    let quantified = index.map(|index| Quantified::new(pool, index, names));
    if let (Some(index), Some(quantified)) = (index, quantified) {
        readings.signs.insert(quantified.symbol, index.representation);
    }
    let formula = pool.map_leaves(formula, &mut |pool, leaf| {
        if index.is_some_and(|index| index.symbol == leaf) {
            return quantified.map(|quantified| quantified.symbol);
        }
        let key = variable(leaf)?;
        let name = names.get(&key)?;
        let data = blocks.variables.values().find(|data| (data.origin, data.moment) == key)?;
        let sort = pool.sort(leaf);
        let symbol = pool.symbol_with(name, sort, data.representation);
        readings.signs.insert(symbol, data.representation);
        // A load is printed with the name of an object, which has its current contents.
        if let Some(memory) = &mut readings.memory
            && !name.starts_with("\\old")
        {
            memory.add(pool, symbol, key.0, name);
        }
        Some(symbol)
    });
    Named { formula, readings, quantified }
}

/// A list of conjuncts as text.
pub(super) struct List {
    text: String,
    width: Option<usize>,
    is_shortened: bool,
    hidden: usize,
}

impl List {
    /// A list with a title. Lines longer than `width` characters are shortened.
    pub(super) fn new(title: &str, width: Option<usize>) -> Self {
        List { text: title.to_owned(), width, is_shortened: false, hidden: 0 }
    }

    /// Adds the place of the following conjuncts.
    pub(super) fn place(&mut self, place: &str) {
        let _ = writeln!(self.text, "  {place}");
    }

    /// Adds conjuncts, each with a prefix.
    pub(super) fn conjuncts(&mut self, prefix: &str, conjuncts: &[String]) {
        for conjunct in conjuncts {
            if !is_readable(conjunct) {
                self.hidden += 1;
                continue;
            }
            let line = format!("{prefix}{conjunct}");
            let kept = self.width.map(|width| width.saturating_sub(INDENTATION.len() + 1).max(SHORTEST));
            match kept.and_then(|kept| line.char_indices().nth(kept)) {
                Some((end, _)) => {
                    self.is_shortened = true;
                    let _ = writeln!(self.text, "{INDENTATION}{}…", &line[..end]);
                }
                None => {
                    let _ = writeln!(self.text, "{INDENTATION}{line}");
                }
            }
        }
    }

    /// Returns the text, with notes about what it does not show.
    pub(super) fn finish(mut self) -> String {
        if self.is_shortened {
            self.text.push_str("  (lines are shortened; --json and --certificate FILE show all)\n");
        }
        if self.hidden > 0 {
            let hidden = not_shown(self.hidden);
            let _ = writeln!(self.text, "  ({hidden}; --json and --certificate FILE show all)");
        }
        self.text
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
    /// The source location, or the block if the location is unknown.
    pub(super) fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => self.block.clone(),
        }
    }
}
