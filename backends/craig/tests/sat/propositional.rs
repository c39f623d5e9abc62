//! Search without a theory.

use super::{Clauses, Random, assignments, evidence, holds, literal, literals, satisfies, solver};
use backend_craig::prover::sat::{Answer, Config, Literal, NoTheory, Solver};
use backends::{Interrupt, Limits, Reason};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn no_lemma(_: &NoTheory, _: &[Literal], _: u32) -> bool {
    false
}

fn decide(solver: &mut Solver, clauses: &[Vec<i32>], assumptions: &[i32]) -> bool {
    evidence(solver, &mut NoTheory, clauses, assumptions, &no_lemma)
}

fn pigeons(holes: usize) -> (usize, Clauses) {
    let at = |pigeon: usize, hole: usize| (pigeon * holes + hole + 1) as i32;
    let mut clauses: Clauses = (0..=holes).map(|p| (0..holes).map(|h| at(p, h)).collect()).collect();
    for hole in 0..holes {
        for one in 0..=holes {
            clauses.extend((0..one).map(|other| vec![-at(one, hole), -at(other, hole)]));
        }
    }
    ((holes + 1) * holes, clauses)
}

#[test]
fn no_clauses_are_satisfiable_and_the_empty_clause_is_not() {
    assert!(decide(&mut solver(0, &[]), &[], &[]));
    let clauses = [vec![]];
    assert!(!decide(&mut solver(0, &clauses), &clauses, &[]));
}

#[test]
fn units_that_contradict_each_other_are_refuted() {
    let clauses = [vec![1], vec![-1]];
    assert!(!decide(&mut solver(1, &clauses), &clauses, &[]));
}

#[test]
fn duplicates_and_tautologies_are_harmless() {
    let clauses = [vec![1, 1, -2, -2], vec![1, -1], vec![2, 2], vec![-1, -2, -1]];
    assert!(!decide(&mut solver(2, &clauses), &clauses, &[]));
}

#[test]
fn assumptions_that_contradict_each_other_fail_without_a_proof() {
    let mut solver = solver(2, &[]);
    assert!(!decide(&mut solver, &[], &[2, 1, -1]));
    assert_eq!(solver.failed_assumptions().len(), 2);
    assert!(solver.proof().is_none());
}

#[test]
fn the_core_leaves_out_what_is_not_needed() {
    let clauses = [vec![-1, -2, 3], vec![-3, -4]];
    let mut solver = solver(6, &clauses);
    assert!(!decide(&mut solver, &clauses, &[5, 1, 6, 2, 4]));
    let mut failed = solver.failed_assumptions().to_vec();
    failed.sort_unstable();
    assert_eq!(failed, literals(&[1, 2, 4]));
    assert!(decide(&mut solver, &clauses, &[5, 1, 6, 2]));
}

#[test]
fn the_model_stays_while_clauses_are_added() {
    let mut solver = solver(2, &[vec![1, 2]]);
    let mut models = 0;
    let mut clauses = vec![vec![1, 2]];
    while decide(&mut solver, &clauses, &[]) {
        models += 1;
        let block: Vec<i32> =
            [1, 2].map(|n| if solver.value(literal(n)) == Some(true) { -n } else { n }).to_vec();
        let before = [1, 2].map(|n| solver.value(literal(n)));
        solver.add_clause(&literals(&block), clauses.len() as u32);
        assert_eq!(before, [1, 2].map(|n| solver.value(literal(n))));
        clauses.push(block);
    }
    assert_eq!(models, 3);
}

#[test]
fn variables_of_a_dropped_scope_are_not_decided() {
    let mut solver = solver(4, &[vec![-4, 1, 2], vec![-4, 2, 3], vec![1, 3]]);
    solver.add_clause(&literals(&[-4]), 3);
    solver.simplify(&mut NoTheory);
    assert_eq!(solver.solve(&mut NoTheory, &[], &Limits::default()), Answer::Sat);
    assert_eq!(solver.value(literal(2)), None);
    assert_eq!(solver.value(literal(4)), Some(false));
    solver.add_clause(&literals(&[2, 1]), 4);
    assert_eq!(solver.solve(&mut NoTheory, &literals(&[-1]), &Limits::default()), Answer::Sat);
    assert_eq!(solver.value(literal(2)), Some(true));
}

#[test]
fn pigeons_do_not_fit() {
    for holes in 6..=8 {
        let (variables, clauses) = pigeons(holes);
        assert!(!decide(&mut solver(variables, &clauses), &clauses, &[]));
    }
}

#[test]
fn what_level_0_says_is_proved_long_after() {
    let (variables, clauses) = pigeons(8);
    let [selector, one, other] = [1, 2, 3].map(|n| variables as i32 + n);
    let mut clauses: Clauses =
        clauses.into_iter().map(|clause| [&clause[..], &[-selector]].concat()).collect();
    clauses.extend([vec![one], vec![-one, other]]);
    let mut solver = solver(variables + 3, &clauses);
    assert!(!decide(&mut solver, &clauses, &[selector]));
    assert!(solver.statistics().reductions > 5);
    assert!(!decide(&mut solver, &clauses, &[-other]));
    assert_eq!(solver.proof().expect("it was logged").steps.len(), 3);
}

#[test]
fn dense_random_clauses_are_refuted() {
    for (variables, seed) in [(100, 1), (110, 2), (120, 3), (150, 4)] {
        let mut random = Random(seed);
        let clauses: Clauses = (0..5 * variables).map(|_| random.clause(variables)).collect();
        let mut solver = solver(variables, &clauses);
        assert!(!decide(&mut solver, &clauses, &[]));
        assert!(solver.statistics().reductions > 0 || variables < 150);
    }
}

#[test]
#[ignore = "slow"]
fn a_long_run_at_the_threshold_forgets_and_still_proves() {
    for seed in 0..4 {
        let mut random = Random(100 + seed);
        let clauses: Clauses = (0..852).map(|_| random.clause(200)).collect();
        let mut solver = solver(200, &clauses);
        decide(&mut solver, &clauses, &[]);
        let statistics = solver.statistics();
        assert!(statistics.reductions > 5 && statistics.vivified > 0 && statistics.restarts > 0);
    }
}

#[test]
fn long_runs_in_sequence_are_proved() {
    for seed in 0..3 {
        let mut random = Random(1000 + seed);
        let mut solver = solver(130, &[]);
        let mut clauses = Clauses::new();
        let mut answers = [0, 0];
        for round in 0..25 {
            while clauses.len() < 430 + 5 * round {
                let clause = random.clause(130);
                solver.add_clause(&literals(&clause), clauses.len() as u32);
                clauses.push(clause);
            }
            let assumptions: Vec<i32> = (0..2).flat_map(|_| random.clause(130)).collect();
            let is_satisfiable = decide(&mut solver, &clauses, &assumptions);
            answers[usize::from(is_satisfiable)] += 1;
            if round % 7 == 0 {
                solver.simplify(&mut NoTheory);
            }
        }
        assert!(answers[0] > 0 && answers[1] > 0 && solver.statistics().reductions > 0);
    }
}

#[test]
fn clauses_of_scopes_go_with_their_selector() {
    let mut random = Random(77);
    let mut solver = solver(16, &[]);
    let mut clauses = Clauses::new();
    for scope in 0..60 {
        let selector = 17 + scope;
        solver.new_variable();
        let mut own = Clauses::new();
        for _ in 0..72 {
            let clause = random.clause(16);
            own.push(clause.clone());
            let guarded: Vec<i32> = clause.into_iter().chain([-selector]).collect();
            solver.add_clause(&literals(&guarded), clauses.len() as u32);
            clauses.push(guarded);
        }
        let expected = assignments(16).any(|assignment| satisfies(assignment, &own));
        assert_eq!(decide(&mut solver, &clauses, &[selector]), expected);
        solver.add_clause(&literals(&[-selector]), clauses.len() as u32);
        clauses.push(vec![-selector]);
        if scope % 10 == 9 {
            solver.simplify(&mut NoTheory);
        }
    }
}

#[test]
fn limits_end_the_search() {
    let (variables, clauses) = pigeons(12);
    let mut solver = solver(variables, &clauses);
    let short = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let start = Instant::now();
    assert_eq!(solver.solve(&mut NoTheory, &[], &short), Answer::Unknown(Reason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(5));
    let interrupt = Interrupt::default();
    interrupt.trigger();
    let interrupted = Limits { interrupt: Some(interrupt), ..Limits::default() };
    assert_eq!(solver.solve(&mut NoTheory, &[], &interrupted), Answer::Unknown(Reason::Interrupted));
    // Two pigeons in one hole: answered without search, from learned clauses.
    assert!(!decide(&mut solver, &clauses, &[1, 13]));
}

#[test]
fn a_full_log_ends_the_search() {
    let (variables, clauses) = pigeons(9);
    let mut solver = Solver::new(Config { log_words: 10_000, ..Config::PROVING });
    (0..variables).for_each(|_| {
        solver.new_variable();
    });
    for clause in &clauses {
        solver.add_clause(&literals(clause), 0);
    }
    let answer = solver.solve(&mut NoTheory, &[], &Limits::default());
    assert_eq!(answer, Answer::Unknown(Reason::Memory));
}

#[test]
fn two_runs_are_the_same() {
    let run = || {
        let mut random = Random(7);
        let clauses: Clauses = (0..640).map(|_| random.clause(150)).collect();
        let mut solver = solver(150, &clauses);
        let answer = decide(&mut solver, &clauses, &[]);
        (answer, solver.statistics())
    };
    assert_eq!(run(), run());
}

#[test]
fn without_logging_the_answers_and_cores_are_the_same() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let clauses: Clauses = (0..45).map(|_| random.clause(12)).collect();
        let mut logging = solver(12, &clauses);
        let mut silent = Solver::new(Config::ANSWERING);
        (0..12).for_each(|_| {
            silent.new_variable();
        });
        for clause in &clauses {
            silent.add_clause(&literals(clause), 0);
        }
        let answers = [&mut logging, &mut silent]
            .map(|solver| solver.solve(&mut NoTheory, &literals(&[1, -2, 3]), &Limits::default()));
        assert_eq!(answers[0], answers[1]);
        assert_eq!(logging.failed_assumptions(), silent.failed_assumptions());
        assert!(silent.proof().is_none());
    }
}

fn a_literal(variables: i32) -> impl Strategy<Value = i32> {
    (1..=variables, any::<bool>()).prop_map(|(variable, sign)| if sign { variable } else { -variable })
}

fn a_clause(variables: i32) -> impl Strategy<Value = Vec<i32>> {
    prop_oneof![
        1 => prop::collection::vec(a_literal(variables), 1),
        2 => prop::collection::vec(a_literal(variables), 2),
        6 => prop::collection::vec(a_literal(variables), 3),
        1 => prop::collection::vec(a_literal(variables), 4..6),
    ]
}

#[derive(Clone, Debug)]
enum Action {
    Add(Vec<Vec<i32>>),
    Solve(Vec<i32>),
    Simplify,
}

fn an_action(variables: i32) -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => prop::collection::vec(a_clause(variables), 1..12).prop_map(Action::Add),
        3 => prop::collection::vec(a_literal(variables), 0..4).prop_map(Action::Solve),
        1 => Just(Action::Simplify),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_those_of_brute_force(
        clauses in prop::collection::vec(a_clause(12), 20..70),
        assumptions in prop::collection::vec(a_literal(12), 0..4),
    ) {
        let mut solver = solver(12, &clauses);
        for assumptions in [&assumptions[..], &[]] {
            let expected = assignments(12).any(|assignment| {
                satisfies(assignment, &clauses) && assumptions.iter().all(|&n| holds(assignment, n))
            });
            prop_assert_eq!(decide(&mut solver, &clauses, assumptions), expected);
        }
    }

    #[test]
    fn a_sequence_of_calls_is_answered_as_if_each_were_the_first(
        actions in prop::collection::vec(an_action(9), 1..20),
    ) {
        let mut solver = solver(9, &[]);
        let mut clauses = Clauses::new();
        for action in actions {
            match action {
                Action::Add(added) => {
                    for clause in added {
                        solver.add_clause(&literals(&clause), clauses.len() as u32);
                        clauses.push(clause);
                    }
                }
                Action::Solve(assumptions) => {
                    let expected = assignments(9).any(|assignment| {
                        satisfies(assignment, &clauses) && assumptions.iter().all(|&n| holds(assignment, n))
                    });
                    prop_assert_eq!(decide(&mut solver, &clauses, &assumptions), expected);
                }
                Action::Simplify => solver.simplify(&mut NoTheory),
            }
        }
    }
}
