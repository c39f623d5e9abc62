//! Folds the loops of long traces: of repeated steps, only the first and last repetition are shown.
//!
//! A trace is split into *visits*: consecutive steps on one line of one function. If a sequence of
//! visits repeats, with any values, only the first and last repetition remain. Inner loops are
//! folded first. A folded loop compares equal to another regardless of the number of repetitions,
//! so outer loops fold, too. Recursion repeats lines at changing call depth and is folded in the
//! same way.
//!
//! Cost: linear in the number of steps, for each period up to [`LONGEST`] and each nesting level up
//! to [`DEEPEST`].
//!
//! Limit: of a trace with more than `2 × MOST_STEPS` steps, only both ends are folded and shown.

use super::{Event, Step, Trace};
use grammars::source::SourceMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The largest period: the number of visits in a repeated sequence.
const LONGEST: usize = 64;
/// The smallest number of occurrences for which a sequence is folded.
const FEWEST: usize = 4;
/// The largest nesting depth of folded loops.
const DEEPEST: usize = 6;
/// The number of steps considered at each end of a trace; the middle of a longer trace is omitted.
const MOST_STEPS: usize = 200_000;
/// The number of steps kept at each end after folding.
const KEPT: usize = 120;

/// A part of a folded trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Steps on one line, as a range of indices.
    Visit(Range<usize>),
    /// Repetitions that are omitted: their kind and number.
    Repeated(Repetition, usize),
    /// The number of omitted steps.
    LeftOut(usize),
}

impl Part {
    /// Whether the part contains a branch or a switch.
    fn has_decision(&self, trace: &Trace) -> bool {
        let Part::Visit(steps) = self else { return false };
        let steps = &trace.steps[steps.clone()];
        steps.iter().any(|step| matches!(step.event, Event::Branch { .. } | Event::Switch { .. }))
    }
}

/// The kind of a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repetition {
    /// Steps without a branch or switch, such as member-wise copies of a structure.
    Steps,
    Iterations,
    Calls,
    Returns,
}

/// A visit, a folded repetition, or a gap in the trace.
#[derive(Clone, Debug)]
enum Node {
    Visit { steps: Range<usize>, depth: u32, key: u32 },
    Repeat { first: Vec<Node>, left_out: usize, last: Vec<Node>, key: u32 },
    Gap(usize),
}

/// Folds a trace and returns the parts to show, in order.
pub(super) fn fold(trace: &Trace, sources: &SourceMap) -> Vec<Part> {
    let count = trace.steps.len();
    let mut keys = Keys::default();
    let mut nodes = Vec::new();
    if count > 2 * MOST_STEPS {
        visits(trace, 0..MOST_STEPS, sources, &mut keys, &mut nodes);
        nodes.push(Node::Gap(count - 2 * MOST_STEPS));
        visits(trace, count - MOST_STEPS..count, sources, &mut keys, &mut nodes);
    } else {
        visits(trace, 0..count, sources, &mut keys, &mut nodes);
    }
    for _ in 0..DEEPEST {
        let before = nodes.len();
        for period in 1..=LONGEST {
            nodes = fold_period(nodes, period, &mut keys);
        }
        if nodes.len() == before {
            break;
        }
    }
    let mut parts = Vec::new();
    flatten(trace, &nodes, &mut parts);
    shorten(parts)
}

/// Interns lines and sequences: nodes with the same key compare equal.
#[derive(Default)]
struct Keys {
    lines: FxHashMap<(String, u32, String), u32>,
    sequences: FxHashMap<Vec<u32>, u32>,
    next: u32,
}

impl Keys {
    fn line(&mut self, file: String, line: u32, function: &str) -> u32 {
        let next = &mut self.next;
        *self.lines.entry((file, line, function.to_owned())).or_insert_with(|| {
            *next += 1;
            *next
        })
    }

    fn sequence(&mut self, nodes: &[Node]) -> u32 {
        let next = &mut self.next;
        *self.sequences.entry(nodes.iter().map(Node::key).collect()).or_insert_with(|| {
            *next += 1;
            *next
        })
    }
}

impl Node {
    fn key(&self) -> u32 {
        match self {
            Node::Visit { key, .. } | Node::Repeat { key, .. } => *key,
            Node::Gap(_) => 0,
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Node::Visit { depth, .. } => *depth,
            Node::Repeat { first, .. } => first.first().map_or(0, Node::depth),
            Node::Gap(_) => 0,
        }
    }
}

fn visits(trace: &Trace, range: Range<usize>, sources: &SourceMap, keys: &mut Keys, nodes: &mut Vec<Node>) {
    let mut previous = None;
    // The spans and event kinds of the current visit.
    let mut seen = FxHashSet::default();
    for index in range {
        let step = &trace.steps[index];
        let own = if stays_on_line(step) { None } else { sources.presumed(step.span) };
        let key = match (own, previous) {
            // A return ends a visit.
            _ if matches!(step.event, Event::Return { value: None, .. }) => {
                keys.line(String::new(), 1, &step.function)
            }
            (None, Some(previous)) => previous,
            (None, None) => keys.line(String::new(), 0, &step.function),
            (Some(place), _) => keys.line(place.file.to_string(), place.line, &step.function),
        };
        let is_new = seen.insert((step.span, std::mem::discriminant(&step.event)));
        match nodes.last_mut() {
            // A place that recurs on the line starts the next iteration of a one-line loop, and so
            // a new visit.
            Some(Node::Visit { steps, key: last, .. }) if is_new && previous == Some(key) && *last == key => {
                steps.end = index + 1;
            }
            _ => {
                seen.clear();
                seen.insert((step.span, std::mem::discriminant(&step.event)));
                nodes.push(Node::Visit { steps: index..index + 1, depth: step.depth, key });
            }
        }
        previous = Some(key);
    }
}

/// Whether a step is shown below the previous line, without a line of its own.
pub(super) fn stays_on_line(step: &Step) -> bool {
    step.span.is_none() || matches!(step.event, Event::Return { value: None, .. } | Event::NotRecorded { .. })
}

/// Folds repeated sequences of `period` nodes.
fn fold_period(nodes: Vec<Node>, period: usize, keys: &mut Keys) -> Vec<Node> {
    let codes: Vec<u32> = nodes.iter().map(Node::key).collect();
    let mut repeats = Vec::new();
    let mut start = 0;
    while start + FEWEST * period <= codes.len() {
        let equal = (start + period..codes.len()).take_while(|&at| codes[at] == codes[at - period]);
        let count = 1 + equal.count() / period;
        if count >= FEWEST && !codes[start..start + period].contains(&0) {
            repeats.push((start, count));
            start += count * period;
        } else {
            start += 1;
        }
    }
    if repeats.is_empty() {
        return nodes;
    }
    let mut result = Vec::new();
    let mut rest = nodes.into_iter();
    let mut at = 0;
    for (start, count) in repeats {
        result.extend(rest.by_ref().take(start - at));
        let first: Vec<Node> = rest.by_ref().take(period).collect();
        let last: Vec<Node> = rest.by_ref().take((count - 1) * period).skip((count - 2) * period).collect();
        at = start + count * period;
        let key = keys.sequence(&first);
        // A sequence may span several iterations, for example two that alternate.
        let codes: Vec<u32> = first.iter().map(Node::key).collect();
        let times = codes.iter().filter(|&&code| code == codes[0]).count();
        result.push(Node::Repeat { first, left_out: (count - 2) * times, last, key });
    }
    result.extend(rest);
    result
}

fn flatten(trace: &Trace, nodes: &[Node], parts: &mut Vec<Part>) {
    for node in nodes {
        match node {
            Node::Visit { steps, .. } => parts.push(Part::Visit(steps.clone())),
            Node::Gap(count) => parts.push(Part::LeftOut(*count)),
            Node::Repeat { first, left_out, last, .. } => {
                let start = parts.len();
                flatten(trace, first, parts);
                let is_decided = parts[start..].iter().any(|part| part.has_decision(trace));
                let depth = |nodes: &[Node]| nodes.first().map_or(0, Node::depth);
                let what = match depth(last).cmp(&depth(first)) {
                    std::cmp::Ordering::Equal if is_decided => Repetition::Iterations,
                    std::cmp::Ordering::Equal => Repetition::Steps,
                    std::cmp::Ordering::Greater => Repetition::Calls,
                    std::cmp::Ordering::Less => Repetition::Returns,
                };
                parts.push(Part::Repeated(what, *left_out));
                flatten(trace, last, parts);
            }
        }
    }
}

/// Omits the middle of a trace that is still long after folding.
fn shorten(parts: Vec<Part>) -> Vec<Part> {
    let steps = |part: &Part| match part {
        Part::Visit(steps) => steps.len(),
        Part::Repeated(..) | Part::LeftOut(_) => 1,
    };
    let total: usize = parts.iter().map(steps).sum();
    if total <= 2 * KEPT {
        return parts;
    }
    let mut result = Vec::new();
    let (mut at, mut left_out) = (0, 0);
    for part in parts {
        let size = steps(&part);
        let is_kept = at < KEPT || at + size + KEPT > total;
        at += size;
        match (is_kept, part) {
            (true, part) => {
                if left_out > 0 {
                    result.push(Part::LeftOut(left_out));
                    left_out = 0;
                }
                result.push(part);
            }
            (false, Part::Visit(steps)) => left_out += steps.len(),
            (false, Part::LeftOut(count)) => left_out += count,
            (false, Part::Repeated(..)) => {}
        }
    }
    result
}
