//! States at loop heads in random runs of a transition system.
//!
//! Inputs are drawn at random, mostly small numbers, and the block formulas are evaluated before
//! encoding: the formula whose guard is true determines the next state. So the states are
//! reachable, up to over-approximated values, and a candidate that is false in one of them is not
//! an invariant. The size of the formulas, not time, limits the number of steps, so the result is
//! deterministic.

use crate::transitions::TransitionSystem;
use horn::{ClauseData, Relation, System};
use terms::Random;
use terms::entity::PrimaryMap;
use terms::{Assignment, BitVector, Completion, Evaluator, Sort, Term, TermPool, Value};

/// The largest number of terms evaluated in one simulation.
const WORK: usize = 4_000_000;
/// The largest number of steps in one run.
const STEPS: usize = 40;
/// The largest number of states for each loop head.
const STATES: usize = 400;

/// For each relation, states as the values of its live variables.
pub(super) type Samples = PrimaryMap<Relation, Vec<Vec<Value>>>;

/// The states of `runs` runs.
pub(super) fn simulate(pool: &TermPool, system: &TransitionSystem, seed: u64, runs: usize) -> Samples {
    let system = &system.source;
    let mut samples: Samples = system.relations.keys().map(|_| Vec::new()).collect();
    let leaving = |from: Option<Relation>| {
        let clauses: Vec<&ClauseData> =
            system.clauses.values().filter(|clause| clause.from() == from).collect();
        let size = clauses.iter().map(|clause| pool.dag_size(clause.constraint)).sum();
        Leaving { clauses, size }
    };
    let start = leaving(None);
    let outgoing: PrimaryMap<Relation, Leaving<'_>> =
        system.relations.keys().map(|relation| leaving(Some(relation))).collect();
    let mut random = Random::new(seed);
    let mut work = 0;
    for _ in 0..runs {
        let style = random.number();
        let (mut at, mut state) = (None, Vec::new());
        for _ in 0..STEPS {
            let leaving = at.map_or(&start, |relation| &outgoing[relation]);
            work += leaving.size;
            if work > WORK {
                return samples;
            }
            let Some((next, values)) =
                step(pool, system, &leaving.clauses, (at, &state), &mut || number(&mut random, style))
            else {
                break;
            };
            (at, state) = (Some(next), values);
            let kept = &mut samples[next];
            if kept.len() < STATES && !kept.contains(&state) {
                kept.push(state.clone());
            }
        }
    }
    samples
}

/// The clauses out of the states of a relation, or out of the entry.
struct Leaving<'s> {
    clauses: Vec<&'s ClauseData>,
    /// The total size of their constraints.
    size: usize,
}

/// The next state at a loop head; `None` if the run ends.
fn step(
    pool: &TermPool,
    system: &System,
    clauses: &[&ClauseData],
    (at, state): (Option<Relation>, &[Value]),
    number: &mut dyn FnMut() -> u64,
) -> Option<(Relation, Vec<Value>)> {
    let mut assignment = Assignment::with_completion(Completion::Default);
    let symbols = at.into_iter().flat_map(|relation| system.relations[relation].symbols());
    for (symbol, value) in symbols.zip(state) {
        assignment.set_leaf(pool, symbol, value.clone());
    }
    for clause in clauses {
        for &input in &clause.inner {
            if let Some(value) = input_value(pool, input, number()) {
                assignment.set_leaf(pool, input, value);
            }
        }
    }
    let mut evaluator = Evaluator::new();
    let mut eval = |term: Term| evaluator.eval(pool, term, &assignment).ok();
    let taken = clauses.iter().find(|clause| eval(clause.guard) == Some(Value::Bool(true)))?;
    let head = taken.to()?;
    let becomes = |symbol| taken.updates.get(&symbol).and_then(|update| update.value).unwrap_or(symbol);
    let values: Option<Vec<Value>> =
        system.relations[head].symbols().map(|symbol| eval(becomes(symbol))).collect();
    Some((head, values?))
}

fn input_value(pool: &TermPool, input: Term, number: u64) -> Option<Value> {
    match pool.sort(input) {
        Sort::Bool => Some(Value::Bool(number % 2 == 1)),
        Sort::BitVec(width) => Some(Value::BitVec(BitVector::new(width, number))),
        _ => None,
    }
}

/// Draws an input in the style of a run.
fn number(random: &mut Random, style: u64) -> u64 {
    let number = random.number();
    match (style % 8, number % 8) {
        (_, 0) | (0, _) => number >> 60,
        (1 | 2, _) => (number >> 32) % 8,
        (3 | 4, _) => (number >> 32) % 40,
        (5, _) => ((number >> 32) % 9).wrapping_sub(4),
        (6, _) => (number >> 32) % 2000,
        _ => number,
    }
}
