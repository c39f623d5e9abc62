//! The graph of the step case, in Graphviz format.
//!
//! The nodes are the loop heads, with the auxiliary invariants there; the edges are the transitions
//! and ends of the [transition system](crate::transitions). Beside it is the last result for the
//! last k. If the step case fails, this is a *counterexample to induction*: k transitions through
//! states that satisfy the invariants, and then an end. An invariant that excludes one of these
//! states is what the proof lacks, if no run reaches them.

use crate::invariants::Fact;
use crate::transitions::{State, TransitionSystem};
use grammars::source::Span;
use horn::{Clause, Relation, escaped, shortened};
use std::fmt::Write;
use terms::{Op, Representation, Term, TermPool, Value, print};

/// The most characters of a formula.
const LONGEST: usize = 160;
/// The most characters of a value.
const LONGEST_VALUE: usize = 40;
/// The most states of a counterexample that are drawn at each of its ends.
const SHOWN: usize = 20;

/// The result of the step case for `k`.
pub(super) struct Last {
    pub(super) k: u32,
    pub(super) answer: Answer,
}

/// An answer of the step case.
pub(super) enum Answer {
    Holds,
    Fails(Counterexample),
    /// It is unknown whether it holds.
    Open,
}

/// A counterexample to induction.
pub(super) struct Counterexample {
    /// Its states.
    pub(super) states: Vec<Visit>,
    /// The query that the last state derives.
    pub(super) end: Clause,
}

/// A state of a counterexample to induction.
pub(super) struct Visit {
    pub(super) at: Relation,
    /// The values of the arguments of the relation.
    pub(super) values: Vec<Value>,
}

/// The graph of a run without a step case, with the reason.
pub(super) fn without_step_case(reason: &str) -> String {
    format!("digraph step_case {{\n  label=\"no step case: {}\";\n}}\n", escaped(reason))
}

/// The graph in Graphviz format; `locate` names a location in the source.
pub(super) fn dot(
    pool: &TermPool,
    system: &TransitionSystem,
    facts: &[Fact],
    last: Option<&Last>,
    locate: &dyn Fn(Span) -> String,
) -> String {
    let drawing = Drawing { pool, system, locate };
    let mut text = String::from("digraph step_case {\n  node [shape=box, fontname=\"monospace\"];\n");
    text.push_str("  labelloc=t;\n");
    let title = match last {
        None => "the step case was not checked".to_owned(),
        Some(Last { k, answer: Answer::Holds }) => format!("the step case holds for k = {k}"),
        Some(Last { k, answer: Answer::Fails(_) }) => format!("the step case fails for k = {k}"),
        Some(Last { k, answer: Answer::Open }) => format!("the step case is undecided for k = {k}"),
    };
    let _ = writeln!(text, "  label=\"{}\";", escaped(&title));
    drawing.transitions(&mut text, facts);
    if let Some(Last { answer: Answer::Fails(counterexample), .. }) = last {
        drawing.counterexample(&mut text, counterexample);
    }
    text.push_str("}\n");
    text
}

struct Drawing<'a> {
    pool: &'a TermPool,
    system: &'a TransitionSystem,
    locate: &'a dyn Fn(Span) -> String,
}

impl Drawing<'_> {
    fn transitions(&self, text: &mut String, facts: &[Fact]) {
        text.push_str("  entry [shape=oval];\n");
        for relation in self.system.states.keys() {
            let mut label = self.loop_head(relation);
            for fact in facts.iter().filter(|fact| fact.at == relation) {
                let formula = shortened(&print::term(self.pool, fact.formula), LONGEST);
                let _ = write!(label, "\n{formula}");
            }
            let _ = writeln!(text, "  {relation} [label=\"{}\"];", escaped(&label));
        }
        for (clause, data) in self.system.system.clauses.iter() {
            let from = data.from().map_or("entry".to_owned(), |relation| relation.to_string());
            if let Some(to) = data.to() {
                let _ = writeln!(text, "  {from} -> {to};");
                continue;
            }
            let _ = writeln!(
                text,
                "  {clause} [label=\"{}\", style=filled, fillcolor=\"#ffcccc\"];\n  {from} -> {clause};",
                escaped(&self.end(clause))
            );
        }
    }

    fn counterexample(&self, text: &mut String, counterexample: &Counterexample) {
        text.push_str("  subgraph cluster_counterexample {\n    style=dashed;\n");
        text.push_str("    label=\"a counterexample to induction\";\n");
        let count = counterexample.states.len();
        let mut previous: Option<String> = None;
        let mut draw = |name: String, label: &str, style: &str| {
            let _ = writeln!(text, "    {name} [label=\"{}\"{style}];", escaped(label));
            if let Some(previous) = &previous {
                let _ = writeln!(text, "    {previous} -> {name};");
            }
            previous = Some(name);
        };
        for (index, visit) in counterexample.states.iter().enumerate() {
            if index >= SHOWN && index + SHOWN < count {
                if index == SHOWN {
                    draw("more".to_owned(), &format!("{} states", count - 2 * SHOWN), ", shape=plain");
                }
                continue;
            }
            let label = format!("s_{index}: {}", self.visit(visit));
            draw(format!("s_{index}"), &label, ", style=filled, fillcolor=lightblue");
        }
        let style = ", style=filled, fillcolor=\"#ffcccc\"";
        draw("end".to_owned(), &self.end(counterexample.end), style);
        text.push_str("  }\n");
    }

    fn visit(&self, visit: &Visit) -> String {
        let mut label = self.loop_head(visit.at);
        for ((variable, symbol), value) in self.system.variables(visit.at).zip(&visit.values) {
            let _ = write!(label, "\n{} = {}", variable.name, self.value(symbol, value));
        }
        label
    }

    /// The value of a symbol, in decimal notation if it is a bit vector.
    fn value(&self, symbol: Term, value: &Value) -> String {
        let representation = match self.pool.op(symbol) {
            Op::Symbol(id) => self.pool.symbol_data(id).representation,
            _ => Representation::Signed,
        };
        let text = match (value.as_bv(), representation) {
            (Some(bits), Representation::Signed) => bits.to_signed().to_string(),
            (Some(bits), _) => bits.to_natural().to_string(),
            (None, _) => value.to_string(),
        };
        shortened(&text, LONGEST_VALUE)
    }

    fn loop_head(&self, relation: Relation) -> String {
        let State { block, span, .. } = &self.system.states[relation];
        self.placed(&block.to_string(), *span)
    }

    fn end(&self, query: Clause) -> String {
        match (self.system.errors.get(&query), self.system.unsupported.get(&query)) {
            (Some(end), _) => self.placed(&end.what, end.span),
            (None, Some(end)) => self.placed(&format!("unsupported: {}", end.what), end.span),
            (None, None) => "an error".to_owned(),
        }
    }

    fn placed(&self, what: &str, span: Span) -> String {
        let location = (self.locate)(span);
        if location.is_empty() { what.to_owned() } else { format!("{what} ({location})") }
    }
}
