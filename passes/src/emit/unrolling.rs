//! The error condition of a bounded unrolling as an SMT-LIB script.
//!
//! The script asserts a disjunction with one disjunct per instance of an error site (`error_14`,
//! `error_14.2`), and the range constraints and axioms of the encoding. A subterm that is the value
//! of a source variable or the guard of a branch has a definition (`i@13`, `main_14_guard`);
//! instances in later iterations have a number as a suffix (`i@13.2`). All assertions are named, so
//! an unsatisfiable core lists ranges and axioms by name.
//!
//! If the unrolling reaches no error site, the formula is `false`. The script and a warning then
//! report this, with a sufficient bound if a short search finds one.

use super::{Emitted, Emitter, Input, Options, Refusal, refusal, source_info};
use crate::transform::{Pipeline, prepare_for_bmc};
use encode::{Encoder, FloatEncoding};
use program::ssa::{HavocSource, InstructionKind, Program, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use terms::print::{Assertion, Definition, Labels, Reading};
use terms::{Op, Symbol, Term, TermPool};
use views::print::{Places, input_labels, one_line};
use views::unroll::{self, Bounds, Site, Step, Unroller};
use views::{Config, UnsupportedCause};

/// The maximum number of block instances in an emitted unrolling; larger unrollings are refused.
const MOST_INSTANCES: u64 = 5_000_000;

/// The maximum number of block instances in the search for a bound that reaches an error site.
const SEARCH_INSTANCES: u64 = 20_000;

/// Appends the script of the bounded unrolling of `input` to `out`.
pub(super) fn emit(
    emitter: &dyn Emitter,
    input: Input<'_>,
    options: &Options,
    out: &mut String,
) -> Result<Emitted, Refusal> {
    let places = input.places();
    let Input { pool, program, .. } = input;
    let pipeline = options.passes.clone().unwrap_or_else(Pipeline::none);
    let prepared = prepare_for_bmc(pool, program, &pipeline);
    let unwind = options.unwind.max(1);
    let mut unroller =
        Unroller::new(pool, program, Config::STANDARD).map_err(|error| refusal(emitter, error))?;
    unroller.keep_journal();
    let mut limits = unroll::Limits { instances: MOST_INSTANCES, is_cancelled: &mut || false };
    let step = unroller.step(pool, &Bounds::exactly(unwind), &mut limits);
    if step.outcome != unroll::Outcome::Complete {
        let reason = format!("more than {MOST_INSTANCES} block instances at --unwind {unwind}");
        return Err(refusal(emitter, reason));
    }
    let mut encoder = options.with_floats(FloatEncoding::Theory).encoder();
    let guards: Result<Vec<Term>, _> =
        step.errors.iter().map(|error| encoder.formula(pool, error.guard)).collect();
    let guards = guards.map_err(|error| refusal(emitter, error))?;
    let constraints = encoder.take_constraints();
    let note = (step.errors.is_empty()).then(|| vacuity(pool, &mut unroller, &step, unwind));

    let mut reading = Reading {
        logic: options.encoding.logic(FloatEncoding::in_terms(pool, &[&guards[..], &constraints].concat())),
        header: header(program, &step, options, (&encoder, &places), note.as_deref()),
        footer: "(check-sat)\n(exit)\n",
        ..Reading::default()
    };
    reading.labels = labels(pool, &unroller, [&guards[..], &constraints].concat().as_slice(), &places);
    reading.assertions = constraint_assertions(pool, &constraints, &reading.labels);
    let mut goal = Assertion { name: "error_is_reached".to_owned(), disjuncts: Vec::new() };
    for (error, &guard) in step.errors.iter().zip(&guards) {
        let property = &program.properties[error.property];
        let name = numbered("error", property.span, error.property, &places);
        let comment = format!("{}{}", prefix(&places, property.span), one_line(&property.description));
        reading.definitions.push(Definition { term: guard, name, comment });
        goal.disjuncts.push(guard);
    }
    reading.assertions.push(goal);
    let others = definitions(pool, program, &unroller, (&encoder, &places), &guards, &constraints);
    reading.definitions.extend(others);
    reading.write(out, pool).map_err(|error| refusal(emitter, error))?;
    Ok(Emitted { passes: prepared.statistics, warnings: note.into_iter().collect() })
}

/// Explains why `step` reaches no error site, with advice on the bound.
fn vacuity(pool: &mut TermPool, unroller: &mut Unroller<'_>, step: &Step, unwind: u32) -> String {
    if step.frontier.is_empty() {
        return "the formula is false: no execution reaches an error check".to_owned();
    }
    let advice = match first_error(pool, unroller, unwind) {
        Some(bound) => format!("raise --unwind to {bound} or more"),
        None => "raise --unwind".to_owned(),
    };
    format!("the formula is false: no execution reaches an error check within --unwind {unwind}; {advice}")
}

/// Returns the least bound above `unwind` at which the unrolling reaches an error site, if a search
/// over at most [`SEARCH_INSTANCES`] block instances finds one.
fn first_error(pool: &mut TermPool, unroller: &mut Unroller<'_>, unwind: u32) -> Option<u32> {
    let start = unroller.statistics().instances;
    for bound in unwind.checked_add(1)?..=u32::MAX {
        let used = unroller.statistics().instances - start;
        let instances = SEARCH_INSTANCES.checked_sub(used).filter(|&left| left > 0)?;
        let mut limits = unroll::Limits { instances, is_cancelled: &mut || false };
        let step = unroller.step(pool, &Bounds::exactly(bound), &mut limits);
        if !step.errors.is_empty() {
            return Some(bound);
        }
        if step.frontier.is_empty() || step.outcome != unroll::Outcome::Complete {
            return None;
        }
    }
    None
}

/// The commands and comments before the declarations.
fn header(
    program: &Program,
    step: &Step,
    options: &Options,
    (encoder, places): (&Encoder, &Places<'_>),
    note: Option<&str>,
) -> String {
    let unwind = options.unwind.max(1);
    let what = format!("bounded unrolling, --unwind {unwind}");
    let mut header = format!(
        "(set-info :smt-lib-version 2.6)\n(set-info :category \"industrial\")\n{}(set-info :status {})\n\
         ; sat: an error is reachable within {unwind} iterations of each loop and recursion; unsat: none is.\n",
        source_info(places, &what, options),
        if note.is_some() { "unsat" } else { "unknown" },
    );
    if let Some(note) = note {
        let _ = writeln!(header, "; Note: {note}.");
    }
    if !encoder.is_exact() {
        header.push_str("; The encoding over-approximates: a model may be spurious.\n");
    }
    if !step.frontier.is_empty() {
        header.push_str("; Executions beyond the bound are not part of this formula.\n");
    }
    let mut notes: Vec<String> = Vec::new();
    for instance in &step.unsupported {
        let prefix = prefix(places, instance.span);
        notes.push(match &instance.cause {
            UnsupportedCause::Construct(construct) => {
                let construct = one_line(&program.unsupported[*construct].construct);
                format!("{prefix}unsupported construct, executions end there: {construct}")
            }
            UnsupportedCause::OutOfBounds => {
                format!(
                    "{prefix}an access may be outside of all objects, where memory contents are arbitrary"
                )
            }
            limit => format!("{prefix}limit of the encoding, executions end there: {limit}"),
        });
    }
    for (construct, span) in approximations(program) {
        notes.push(format!("{}over-approximated: {}", prefix(places, span), one_line(construct)));
    }
    let mut written: FxHashSet<&str> = FxHashSet::default();
    for note in notes.iter().filter(|note| written.insert(note)) {
        let _ = writeln!(header, "; {note}");
    }
    header
}

/// The over-approximated constructs of a program, with their positions.
fn approximations(program: &Program) -> impl Iterator<Item = (&str, Span)> {
    let functions = program.functions.values();
    let instructions =
        functions.flat_map(|function| function.blocks.values()).flat_map(|block| &block.instructions);
    instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::Havoc(HavocSource::Approximation(construct)) => {
            Some((construct.as_str(), instruction.span))
        }
        _ => None,
    })
}

/// The labels of the inputs in `terms`. Encoding preserves the names of symbols, so inputs are
/// looked up by name.
fn labels(pool: &TermPool, unroller: &Unroller<'_>, terms: &[Term], places: &Places<'_>) -> Labels {
    let by_name = input_labels(pool, unroller.inputs(), places);
    let symbols = pool.free_symbols_of(terms).into_iter();
    let labels = symbols
        .filter_map(|symbol| Some((symbol, by_name.get(&pool.symbol_data(symbol).name)?.clone())))
        .collect();
    Labels { symbols: labels, ..Labels::default() }
}

/// Definitions of the proper subterms of `guards` and `constraints` that are values of variables,
/// contents of memory regions or guards of branches, as recorded in the journal of the unrolling.
fn definitions(
    pool: &TermPool,
    program: &Program,
    unroller: &Unroller<'_>,
    (encoder, places): (&Encoder, &Places<'_>),
    guards: &[Term],
    constraints: &[Term],
) -> Vec<Definition> {
    let mut occurring: FxHashSet<Term> = FxHashSet::default();
    pool.visit(&[guards, constraints].concat(), |_| true, |term| _ = occurring.insert(term));
    let mut defined: FxHashSet<Term> = guards.iter().copied().collect();
    let mut definitions = Vec::new();
    for (source, site) in unroller.journal().into_iter().flat_map(|journal| journal.sites()) {
        let Some(term) = encoder.translated(source) else { continue };
        if !occurring.contains(&term) || pool.children(term).is_empty() {
            continue;
        }
        let (name, owner, span) = match site {
            Site::Value(function, value) => {
                let data = &program.functions[function].values[value];
                let Some(name) = data.name.clone() else { continue };
                (numbered_at(&name, data.span, places), function, data.span)
            }
            Site::Region(region, (function, block)) => {
                let span = program.functions[function].blocks[block].span;
                (numbered_at(&program.regions[region].name, span, places), function, span)
            }
            Site::Guard(function, block) => {
                let data = &program.functions[function];
                let span = data.blocks[block].span;
                (format!("{}_guard", numbered(&data.name, span, block, places)), function, span)
            }
        };
        if defined.insert(term) {
            let comment = format!("{}{}", prefix(places, span), one_line(&program.functions[owner].name));
            definitions.push(Definition { term, name, comment });
        }
    }
    definitions
}

/// Returns `name_line`, or `name_other` if the line is unknown.
fn numbered(name: &str, span: Span, other: impl std::fmt::Display, places: &Places<'_>) -> String {
    match places.line(span) {
        Some(line) => format!("{name}_{line}"),
        None => format!("{name}_{other}"),
    }
}

/// Returns `name@line`, or `name` if the line is unknown.
fn numbered_at(name: &str, span: Span, places: &Places<'_>) -> String {
    places.line(span).map_or_else(|| name.to_owned(), |line| format!("{name}@{line}"))
}

/// Returns `file:line: `, or an empty string if the position is unknown.
fn prefix(places: &Places<'_>, span: Span) -> String {
    places.place(span).map(|place| format!("{place}: ")).unwrap_or_default()
}

/// Assertions for the constraints of an encoding: one for all bounds of a symbol (`range_x`), and
/// one for each other constraint (`axiom`).
fn constraint_assertions(pool: &mut TermPool, constraints: &[Term], labels: &Labels) -> Vec<Assertion> {
    let mut assertions: Vec<(Option<Symbol>, Vec<Term>)> = Vec::new();
    let mut index_of: FxHashMap<Symbol, usize> = FxHashMap::default();
    for &constraint in constraints {
        let symbol = bounded_symbol(pool, constraint);
        match symbol.and_then(|symbol| index_of.get(&symbol)) {
            Some(&index) => assertions[index].1.push(constraint),
            None => {
                index_of.extend(symbol.map(|symbol| (symbol, assertions.len())));
                assertions.push((symbol, vec![constraint]));
            }
        }
    }
    let named = assertions.into_iter().map(|(symbol, conjuncts)| {
        let name = match symbol {
            Some(symbol) => {
                let label = labels.symbols.get(&symbol).unwrap_or(&pool.symbol_data(symbol).name);
                format!("range_{label}")
            }
            None => "axiom".to_owned(),
        };
        Assertion { name, disjuncts: vec![pool.and(&conjuncts)] }
    });
    named.collect()
}

/// Returns the symbol whose integer bound `constraint` is: `x ≤ c`, `c ≤ x`, or the negation of
/// one.
fn bounded_symbol(pool: &TermPool, constraint: Term) -> Option<Symbol> {
    let inner = if pool.op(constraint) == Op::Not { pool.children(constraint)[0] } else { constraint };
    let &[left, right] = pool.children(inner) else { return None };
    match (pool.op(inner), pool.op(left), pool.op(right)) {
        (Op::Le, Op::Symbol(symbol), Op::IntConst(_)) | (Op::Le, Op::IntConst(_), Op::Symbol(symbol)) => {
            Some(symbol)
        }
        _ => None,
    }
}
