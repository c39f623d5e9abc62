//! States of random runs of a system.
//!
//! Nondeterministic choices are drawn at random, mostly small numbers, and the clauses with one
//! body atom are evaluated: the one whose guard is true determines the next state. So the states
//! are reachable. Joining them into a domain first saves the queries that would find states
//! one at a time. The size of the formulas, not time, limits the number of steps, so the result is
//! deterministic.

use horn::{Clause, ClauseData, Relation, System};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Assignment, BitVector, Completion, Evaluator, Random, Sort, Term, TermPool, Value};

/// The largest number of terms evaluated in one simulation.
const WORK: usize = 500_000;
/// The number of runs.
const RUNS: usize = 60;
/// The largest number of steps in one run.
const STEPS: usize = 40;
/// The largest number of states of each clause.
const STATES: usize = 30;

/// A state at the head of a clause, as the values of the relation's arguments.
pub(crate) type Reached = (Clause, Vec<Value>);

/// States of runs.
pub(crate) fn simulate(pool: &TermPool, system: &System) -> Vec<Reached> {
    let leaving = |from: Option<Relation>| {
        let clauses = system.clauses.iter().filter(|(_, clause)| match (&clause.body[..], from) {
            ([], None) => true,
            ([atom], Some(from)) => *atom == system.atom(from),
            _ => false,
        });
        let clauses: Vec<Step<'_>> = clauses.map(|(clause, data)| Step::of(clause, data)).collect();
        let size = clauses.iter().map(|step| pool.dag_size(step.data.constraint)).sum();
        Leaving { clauses, size }
    };
    let start = leaving(None);
    let outgoing: PrimaryMap<Relation, Leaving<'_>> =
        system.relations.keys().map(|relation| leaving(Some(relation))).collect();
    let mut seen = BTreeSet::new();
    let mut count: SecondaryMap<Clause, usize> = SecondaryMap::new();
    let mut found = Vec::new();
    let mut random = Random::new(2);
    let mut work = 0;
    for _ in 0..RUNS {
        let style = random.number();
        let (mut at, mut state) = (None, Vec::new());
        for _ in 0..STEPS {
            let leaving = at.map_or(&start, |relation| &outgoing[relation]);
            work += leaving.size;
            if work > WORK {
                return found;
            }
            let Some((clause, relation, values)) =
                step(pool, system, &leaving.clauses, (at, &state), &mut || number(&mut random, style))
            else {
                break;
            };
            (at, state) = (Some(relation), values);
            if count[clause] < STATES && seen.insert((clause, state.clone())) {
                count[clause] += 1;
                found.push((clause, state.clone()));
            }
        }
    }
    found
}

/// The clauses out of the states of a relation, or out of the entry.
struct Leaving<'s> {
    clauses: Vec<Step<'s>>,
    /// The total size of their constraints.
    size: usize,
}

/// A clause as a function.
struct Step<'s> {
    clause: Clause,
    data: &'s ClauseData,
    /// The arguments of the head; `None` for a query, or if one is not known.
    values: Option<(Relation, Vec<Term>)>,
}

impl<'s> Step<'s> {
    fn of(clause: Clause, data: &'s ClauseData) -> Self {
        let known: FxHashMap<Term, Option<Term>> =
            data.updates.values().map(|update| (update.after, update.value)).collect();
        let value = |argument: &Term| known.get(argument).copied().unwrap_or(Some(*argument));
        let values = data.head.as_ref().and_then(|head| {
            Some((head.relation, head.arguments.iter().map(value).collect::<Option<Vec<Term>>>()?))
        });
        Step { clause, data, values }
    }
}

/// The next state; `None` if the run ends.
fn step(
    pool: &TermPool,
    system: &System,
    clauses: &[Step<'_>],
    (at, state): (Option<Relation>, &[Value]),
    number: &mut dyn FnMut() -> u64,
) -> Option<(Clause, Relation, Vec<Value>)> {
    let mut assignment = Assignment::with_completion(Completion::Default);
    let symbols = at.into_iter().flat_map(|relation| system.relations[relation].symbols());
    for (symbol, value) in symbols.zip(state) {
        assignment.set_leaf(pool, symbol, value.clone());
    }
    for step in clauses {
        for &input in &step.data.inner {
            if let Some(value) = input_value(pool, input, number()) {
                assignment.set_leaf(pool, input, value);
            }
        }
    }
    let mut evaluator = Evaluator::new();
    let mut eval = |term: Term| evaluator.eval(pool, term, &assignment).ok();
    let taken = clauses.iter().find(|step| eval(step.data.guard) == Some(Value::Bool(true)))?;
    let (relation, arguments) = taken.values.as_ref()?;
    let values: Option<Vec<Value>> = arguments.iter().map(|&argument| eval(argument)).collect();
    Some((taken.clause, *relation, values?))
}

fn input_value(pool: &TermPool, input: Term, number: u64) -> Option<Value> {
    match pool.sort(input) {
        Sort::Bool => Some(Value::Bool(number % 2 == 1)),
        Sort::BitVec(width) => Some(Value::BitVec(BitVector::new(width, number))),
        Sort::Int => Some(Value::Int(BigInt::from(number as i64))),
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
