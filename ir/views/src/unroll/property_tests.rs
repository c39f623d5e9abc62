//! Comparison of the unrolling with the interpreter, on random programs.

use super::random_program::{Inputs, Recorder, random_program};
use super::*;
use program::interp::{self, Interpreter, Replay};
use terms::{Assignment, Completion, Evaluator, Value, eval};

const BOUND: u32 = 3;

/// Follows the edges between instances under the values that an execution requested; returns the
/// last instance.
fn follow(
    unroller: &Unroller<'_>,
    pool: &TermPool,
    values: &[Value],
    assignment: &mut Assignment,
) -> InstanceId {
    let count = unroller.exploration.instances.len();
    let mut successors: Vec<Vec<(InstanceId, Term)>> = vec![Vec::new(); count];
    for index in 0..count {
        let target = InstanceId(index as u32);
        for &(from, guard) in unroller.exploration.edges_of(target) {
            if let Some(targets) = successors.get_mut(from.0 as usize) {
                targets.push((target, guard));
            }
        }
    }
    let mut values = values.iter();
    let mut evaluator = Evaluator::new();
    let mut current = InstanceId(0);
    loop {
        for record in unroller.exploration.inputs_of(current) {
            if let InputRecord::Value { term, .. } = record {
                let value = values
                    .next()
                    .expect("an execution should have as many values as the unrolling has inputs")
                    .clone();
                assignment.set_leaf(pool, *term, value);
                evaluator.clear();
            }
        }
        let mut holds =
            |guard: Term| evaluator.eval(pool, guard, &*assignment).expect("a value") == Value::Bool(true);
        let taken: Vec<InstanceId> = successors[current.0 as usize]
            .iter()
            .filter(|(_, guard)| holds(*guard))
            .map(|(target, _)| *target)
            .collect();
        match taken[..] {
            [] => return current,
            [next] => current = next,
            _ => panic!("the guards of the edges from one instance should be disjoint"),
        }
    }
}

/// The number of executions of each program.
const RUNS: u64 = 8;

/// Compares executions with the unrolling; returns the kinds of agreement.
fn check(seed: u64, bounds: &[u32]) -> Vec<&'static str> {
    let mut pool = TermPool::new();
    let program = random_program(&mut pool, seed, Inputs::Havoc);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let (mut errors, mut frontier) = (Vec::new(), Vec::new());
    for &bound in bounds {
        let mut never = || false;
        let mut limits = Limits { instances: 1_000, is_cancelled: &mut never };
        let bounds = Bounds { free: seed as u32 % 7, ..Bounds::exactly(bound) };
        let found = unroller.step(&mut pool, &bounds, &mut limits);
        if found.outcome != Outcome::Complete {
            return vec!["too large"];
        }
        errors.extend(found.errors);
        frontier = found.frontier;
    }
    (0..RUNS)
        .map(|run| compare(&mut pool, &program, &unroller, &errors, &frontier, seed + (run << 32)))
        .collect()
}

/// Compares one execution with the unrolling.
fn compare(
    pool: &mut TermPool,
    program: &Program,
    unroller: &Unroller<'_>,
    errors: &[ErrorInstance],
    frontier: &[FrontierItem],
    seed: u64,
) -> &'static str {
    let mut recorder = Recorder::new(seed ^ 0x5eed);
    let run = Interpreter::new(pool, program, interp::Config::SMALL).expect("a layout").run(&mut recorder);
    let mut assignment = Assignment::new();
    assignment.completion = Completion::Default;
    let last = follow(unroller, pool, &recorder.values, &mut assignment);
    let mut evaluator = Evaluator::new();
    let mut holds =
        |guard: Term| evaluator.eval(pool, guard, &assignment).expect("a value") == Value::Bool(true);
    let reached: Vec<&ErrorInstance> = errors.iter().filter(|error| holds(error.guard)).collect();
    let is_cut = frontier.iter().any(|item| holds(item.guard));
    match (&run.outcome, &reached[..], is_cut) {
        (_, [], true) => "cut",
        (interp::Outcome::Error(property), [error], false) => {
            assert_eq!((*property, last), (error.property, error.instance));
            let mut values = |pool: &TermPool, term| eval(pool, term, &assignment).ok();
            let trace = unroller.trace(pool, error.instance, &mut values).expect("a trace");
            let mut interpreter = Interpreter::new(pool, program, interp::Config::SMALL).expect("a layout");
            let replayed = interpreter.run(&mut Replay::new(trace.inputs));
            assert_eq!(replayed.violated(), Some(*property));
            assert_eq!(replayed.steps, run.steps);
            "error"
        }
        (interp::Outcome::Stopped(_), [], false) => "stopped",
        other => panic!("seed {seed}: execution and unrolling disagree: {other:?}"),
    }
}

#[test]
#[ignore = "slow"]
fn every_run_is_a_path_of_the_unrolling() {
    let mut counts = BTreeMap::new();
    for seed in 0..30 {
        for outcome in check(seed, &[BOUND]) {
            *counts.entry(outcome).or_insert(0) += 1;
        }
    }
    assert!(counts["error"] >= 10 && counts["stopped"] >= 50, "{counts:?}");
}

#[test]
#[ignore = "slow"]
fn deepening_explores_the_same_paths() {
    let mut counts = BTreeMap::new();
    for seed in 0..30 {
        for outcome in check(seed, &[1, 2, 3]) {
            *counts.entry(outcome).or_insert(0) += 1;
        }
    }
    assert!(counts["error"] >= 10 && counts["stopped"] >= 50, "{counts:?}");
}
