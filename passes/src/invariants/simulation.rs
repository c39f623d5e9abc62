//! States at loop heads in random runs of a transition system.
//!
//! Inputs are drawn at random, mostly small numbers, and the block formulas before encoding are evaluated: the one whose guard is true says
//! where the run goes on. So the states are reachable, up to over-approximated values, and a candidate that is false in one of them is no
//! invariant. The number of steps is limited by the size of the formulas, not by time, so that the result is always the same.

use crate::transitions::{ENTRY, Target, TransitionData, TransitionSystem};
use terms::Random;
use terms::entity::{Entity, PrimaryMap};
use terms::{Assignment, BitVector, Completion, Evaluator, Sort, Term, TermPool, Value};
use views::blocks::CutPoint;

/// Visits of terms in one simulation.
const WORK: usize = 4_000_000;
/// Steps of one run.
const STEPS: usize = 40;
/// States that are kept for each loop head.
const STATES: usize = 400;

/// By cut point: states, each with the values of the variables that are live there.
pub(super) type Samples = PrimaryMap<CutPoint, Vec<Vec<Value>>>;

/// The states of `runs` runs.
pub(super) fn simulate(pool: &TermPool, system: &TransitionSystem, seed: u64, runs: usize) -> Samples {
    let mut samples: Samples = system.cut_points.keys().map(|_| Vec::new()).collect();
    let outgoing: PrimaryMap<CutPoint, Vec<&TransitionData>> = system
        .cut_points
        .keys()
        .map(|cut| system.transitions.values().filter(|data| data.from == cut).collect())
        .collect();
    let sizes: Vec<usize> = outgoing
        .values()
        .map(|transitions| transitions.iter().map(|data| pool.dag_size(data.source.formula)).sum())
        .collect();
    let mut random = Random::new(seed);
    let mut work = 0;
    for _ in 0..runs {
        let style = random.number();
        let (mut at, mut state) = (ENTRY, Vec::new());
        for _ in 0..STEPS {
            work += sizes[at.index()];
            if work > WORK {
                return samples;
            }
            let Some((next, values)) =
                step(pool, system, &outgoing[at], (at, &state), &mut || number(&mut random, style))
            else {
                break;
            };
            (at, state) = (next, values);
            let kept = &mut samples[at];
            if kept.len() < STATES && !kept.contains(&state) {
                kept.push(state.clone());
            }
        }
    }
    samples
}

/// The next state at a loop head; `None` if the run ends.
fn step(
    pool: &TermPool,
    system: &TransitionSystem,
    transitions: &[&TransitionData],
    (at, state): (CutPoint, &[Value]),
    number: &mut dyn FnMut() -> u64,
) -> Option<(CutPoint, Vec<Value>)> {
    let mut assignment = Assignment::with_completion(Completion::Default);
    for (&variable, value) in system.cut_points[at].state.iter().zip(state) {
        assignment.set_leaf(pool, system.variables[variable].source.before, value.clone());
    }
    for transition in transitions {
        for &input in &transition.source.inputs {
            if let Some(value) = input_value(pool, input, number()) {
                assignment.set_leaf(pool, input, value);
            }
        }
    }
    let mut evaluator = Evaluator::new();
    let mut eval = |term: Term| evaluator.eval(pool, term, &assignment).ok();
    let taken = transitions.iter().find(|data| eval(data.source.guard) == Some(Value::Bool(true)))?;
    let Target::Head(head) = taken.to else { return None };
    let values: Option<Vec<Value>> = taken.source.updates.iter().map(|&update| eval(update)).collect();
    Some((head, values?))
}

fn input_value(pool: &TermPool, input: Term, number: u64) -> Option<Value> {
    match pool.sort(input) {
        Sort::Bool => Some(Value::Bool(number % 2 == 1)),
        Sort::BitVec(width) => Some(Value::BitVec(BitVector::new(width, number))),
        _ => None,
    }
}

/// An input, drawn in the style of a run.
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
