//! Printer of block formulas: the transition system of a program as SMT-LIB.
//!
//! Each block formula is a `define-fun` named `from->to` after its cut points, for example
//! `main_loop_8->error_20` ([`Titles`]). Its parameters are the inputs and variables that occur in
//! it: `x` at the start of the block, `x.next` at its end. Comments list the cut points with their
//! state variables and mark the errors, so a script can append its own query.

mod places;
mod titles;

pub use places::{Places, one_line};
pub use titles::{Titles, input_labels};

use super::blocks::{BlockFormula, BlockFormulas, CutPointKind};
use encode::{EncodeError, FloatEncoding, Theories};
use program::ssa::Program;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use terms::print::{self, Clause, Labels, Unique};
use terms::{Op, Term, TermPool};

/// Returns the block formulas of `program` as SMT-LIB text in the given theories. `header` is
/// inserted after `(set-logic …)`.
///
/// # Errors
/// If the encoding does not support a formula, or represents memory by functions, which cannot be
/// parameters of a `define-fun`.
pub fn print_blocks(
    pool: &mut TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    (titles, places): (&Titles, &Places<'_>),
    theories: Theories,
    header: &str,
) -> Result<String, EncodeError> {
    let encoding = theories.encoding;
    let mut formulas = Vec::with_capacity(blocks.formulas.len());
    for block in &blocks.formulas {
        let mut encoder = theories.encoder();
        let mut conjuncts = vec![encoder.formula(pool, block.path.formula)?];
        if encoder.has_memory_functions() {
            let place = "a parameter of a block formula";
            return Err(EncodeError::FunctionAsTerm { encoding, place });
        }
        conjuncts.extend(encoder.take_constraints());
        formulas.push(pool.and(&conjuncts));
    }
    let mut text = format!("(set-logic {})\n", encoding.logic(FloatEncoding::in_terms(pool, &formulas)));
    text.push_str(header);
    let mut taken = Unique::for_readers();
    for (cut, data) in blocks.cut_points.iter() {
        let what = match &data.kind {
            CutPointKind::Entry => "the start of the program".to_owned(),
            CutPointKind::Block(block) => format!("block {block}"),
            CutPointKind::Call(_) => "a call".to_owned(),
            CutPointKind::Return => "the return".to_owned(),
            CutPointKind::Error(property) => format!("error: {}", program.properties[*property].description),
            CutPointKind::Unsupported(construct) => format!("unsupported construct: {construct}"),
        };
        let place = places.place(data.span).map(|place| format!(" at {place}")).unwrap_or_default();
        let state = titles.states[cut].join(" ");
        let state = if state.is_empty() { state } else { format!(", state: {state}") };
        comment(&mut text, &format!("{}: {what}{place}{state}", titles.cut_points[cut]));
    }
    for function in pool.free_functions_of(&formulas) {
        let (name, arguments, result) = pool.function_data(function);
        let arguments: Vec<String> = arguments.iter().map(|&sort| print::sort(pool, sort)).collect();
        taken.claim(name);
        let line = format!(
            "(declare-fun {} ({}) {})\n",
            print::quote(name),
            arguments.join(" "),
            print::sort(pool, result)
        );
        text.push_str(&line);
    }
    for (block, &formula) in blocks.formulas.iter().zip(&formulas) {
        let state = &titles.states[block.to];
        let kept: Vec<&str> = block.path.kept.iter().map(|&position| state[position].as_str()).collect();
        if !kept.is_empty() {
            comment(&mut text, &format!("unchanged: {}", kept.join(" ")));
        }
        let symbols = pool.free_symbols(formula);
        let names = Clause::new(pool, &[formula], &labels(pool, blocks, block, titles, formula));
        let name =
            taken.claim(&format!("{}->{}", titles.cut_points[block.from], titles.cut_points[block.to]));
        let written = || {
            write!(text, "(define-fun {} (", print::quote(&name))?;
            for (index, symbol) in symbols.into_iter().enumerate() {
                text.push_str(if index == 0 { "(" } else { " (" });
                names.symbol(&mut text, symbol)?;
                write!(text, " {})", print::sort(pool, pool.symbol_data(symbol).sort))?;
            }
            text.push_str(") Bool\n  ");
            match &names.conjuncts(formula)[..] {
                [only] => text.push_str(only),
                several => write!(text, "(and\n    {})", several.join("\n    "))?,
            }
            text.write_str(")\n")
        };
        written().expect("writing to a string cannot fail");
    }
    Ok(text)
}

/// The labels of the symbols in the encoded formula of a block. Encoding preserves the names of
/// symbols, so labels are looked up by name.
fn labels(
    pool: &TermPool,
    blocks: &BlockFormulas,
    block: &BlockFormula,
    titles: &Titles,
    formula: Term,
) -> Labels {
    let mut by_name: FxHashMap<&str, String> = FxHashMap::default();
    let own = |symbol: Term| match pool.op(symbol) {
        Op::Symbol(symbol) => pool.symbol_data(symbol).name.as_str(),
        _ => unreachable!("a state variable is a symbol"),
    };
    for (cut, is_next) in [(block.from, false), (block.to, true)] {
        for (&variable, title) in blocks.cut_points[cut].state.iter().zip(&titles.states[cut]) {
            let data = &blocks.variables[variable];
            match is_next {
                false => by_name.insert(own(data.before), title.clone()),
                true => by_name.insert(own(data.after), format!("{title}.next")),
            };
        }
    }
    let symbols = pool.free_symbols(formula).into_iter().filter_map(|symbol| {
        let name = pool.symbol_data(symbol).name.as_str();
        let label = by_name.get(name).or_else(|| titles.inputs.get(name));
        Some((symbol, label?.clone()))
    });
    Labels { symbols: symbols.collect(), ..Labels::default() }
}

/// Appends a comment line.
fn comment(text: &mut String, line: &str) {
    text.push_str("; ");
    text.push_str(&one_line(line));
    text.push('\n');
}
