//! Asserting and taking back in random order gives what a fresh solver gives.

use super::*;
use crate::arith::check;
use backends::Limits;

#[derive(Clone, Debug)]
enum Action {
    Push,
    Pop(usize),
    Assert(usize),
    Check,
    Maximize(usize),
}

fn actions(constraints: usize) -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        2 => Just(Action::Push),
        1 => (1usize..3).prop_map(Action::Pop),
        5 => (0..constraints).prop_map(Action::Assert),
        2 => Just(Action::Check),
        1 => (0..constraints).prop_map(Action::Maximize),
    ];
    proptest::collection::vec(action, 10..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn backtracking_leaves_no_trace(
        constraints in constraints(5, 12..13),
        kinds in proptest::collection::vec(prop_oneof![3 => Just(Kind::Real), 1 => Just(Kind::Int)], 5),
        actions in actions(12),
    ) {
        let problem = Problem::new(&kinds, &constraints);
        let mut simplex = problem.solver();
        // What is asserted at each level.
        let mut levels: Vec<Vec<usize>> = vec![vec![]];
        let mut is_contradiction = false;
        for action in actions {
            match action {
                Action::Push if !is_contradiction => {
                    levels.push(vec![]);
                    prop_assert_eq!(simplex.push(), levels.len() - 1);
                }
                Action::Pop(count) => {
                    let level = (levels.len() - 1).saturating_sub(count);
                    levels.truncate(level + 1);
                    simplex.backtrack(level);
                    is_contradiction = false;
                }
                Action::Assert(number) if !is_contradiction => {
                    match problem.assert(&mut simplex, [number]) {
                        Ok(()) => levels.last_mut().expect("level 0").push(number),
                        Err(certificate) => {
                            prop_assert_eq!(check(&certificate, &problem), Ok(()));
                            // Half of an equality may be asserted; a level of its own would have to be taken back.
                            is_contradiction = true;
                            if levels.len() == 1 {
                                return Ok(());
                            }
                        }
                    }
                }
                Action::Check if !is_contradiction => {
                    let asserted: Vec<usize> = levels.iter().flatten().copied().collect();
                    let mut fresh = problem.solver();
                    let expected = problem.assert(&mut fresh, asserted.iter().copied()).is_ok()
                        && fresh.check(&Limits::default()) == Feasibility::Feasible;
                    match simplex.check(&Limits::default()) {
                        Feasibility::Feasible => {
                            prop_assert!(expected);
                            prop_assert!(problem.is_satisfied(&simplex.model(), asserted));
                        }
                        Feasibility::Infeasible(certificate) => {
                            prop_assert!(!expected);
                            prop_assert_eq!(check(&certificate, &problem), Ok(()));
                        }
                        Feasibility::Unknown(reason) => prop_assert!(false, "{}", reason),
                    }
                }
                Action::Maximize(number) if !is_contradiction => {
                    simplex.maximize(&problem.premises[number].form, &Limits::default());
                }
                Action::Push | Action::Assert(_) | Action::Check | Action::Maximize(_) => {}
            }
        }
    }
}
