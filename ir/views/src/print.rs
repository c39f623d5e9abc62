//! Block formulas as SMT-LIB: the transition system of a program.
//!
//! Each block formula is a `define-fun` named `from->to`, whose parameters are the variables and inputs that occur in it. Comments say
//! which cut points there are, their states, and which of them are errors; so a script may append the query it likes.

use super::blocks::{BlockFormulas, CutPointKind};
use encode::{EncodeError, FloatEncoding, Theories};
use grammars::source::{SourceMap, Span};
use program::ssa::Program;
use std::fmt::Write;
use terms::{TermPool, print};

/// The text of the block formulas of `program` in an encoding.
///
/// # Errors
/// If a formula has no translation.
pub fn print_blocks(
    pool: &mut TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    sources: Option<&SourceMap>,
    theories: Theories,
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
    for (cut, data) in blocks.cut_points.iter() {
        let what = match &data.kind {
            CutPointKind::Entry => "the start".to_owned(),
            CutPointKind::Block(block) => block.to_string(),
            CutPointKind::Error(property) => format!("error: {}", program.properties[*property].description),
            CutPointKind::Unsupported(construct) => format!("not supported: {construct}"),
        };
        let state: Vec<&str> =
            data.state.iter().map(|&variable| blocks.variables[variable].name.as_str()).collect();
        comment(
            &mut text,
            &format!("{cut} = {what} at {}, state: {}", place(sources, data.span), state.join(" ")),
        );
    }
    for function in pool.free_functions_of(&formulas) {
        let (name, arguments, result) = pool.function_data(function);
        let arguments: Vec<String> = arguments.iter().map(|&sort| print::sort(pool, sort)).collect();
        let line = format!(
            "(declare-fun {} ({}) {})\n",
            print::quote(name),
            arguments.join(" "),
            print::sort(pool, result)
        );
        text.push_str(&line);
    }
    for (block, &formula) in blocks.formulas.iter().zip(&formulas) {
        let kept: Vec<&str> = block
            .path
            .kept
            .iter()
            .map(|&position| blocks.variables[blocks.cut_points[block.to].state[position]].name.as_str())
            .collect();
        if !kept.is_empty() {
            comment(&mut text, &format!("unchanged: {}", kept.join(" ")));
        }
        let parameters: Vec<String> = pool
            .free_symbols(formula)
            .into_iter()
            .map(|symbol| {
                let data = pool.symbol_data(symbol);
                format!("({} {})", print::quote(&data.name), print::sort(pool, data.sort))
            })
            .collect();
        let name = format!("{}->{}", block.from, block.to);
        text.push_str(&format!("(define-fun {name} ({}) Bool\n  ", parameters.join(" ")));
        write!(text, "{}", pool.display(formula)).expect("a string takes any text");
        text.push_str(")\n");
    }
    Ok(text)
}

fn comment(text: &mut String, line: &str) {
    text.push_str("; ");
    text.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }));
    text.push('\n');
}

/// `file:line` of a span.
pub(crate) fn place(sources: Option<&SourceMap>, span: Span) -> String {
    let presumed = sources.and_then(|sources| sources.presumed(span));
    presumed.map_or_else(|| "?".to_owned(), |presumed| format!("{}:{}", presumed.file, presumed.line))
}
