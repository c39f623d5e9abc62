//! Asserting and retracting in random order has the same results as a fresh solver.

use super::*;
use crate::prover::arith::integers::{Anything, Config, check_refutation};
use crate::prover::arith::{Answer, IntegerCheck, Integers, Optimum, check, check_bound, solve};
use backends::{Limits, Reason};

#[derive(Clone, Debug)]
enum Action {
    Push,
    Pop(usize),
    Assert(usize),
    Check,
    Maximize(usize),
    Propagate,
}

fn actions(constraints: usize) -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        2 => Just(Action::Push),
        1 => (1usize..3).prop_map(Action::Pop),
        5 => (0..constraints).prop_map(Action::Assert),
        2 => Just(Action::Check),
        1 => (0..constraints).prop_map(Action::Maximize),
        2 => Just(Action::Propagate),
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
        // Registers the negations of all constraints but equations as targets of propagation.
        for number in 0..constraints.len() {
            if let [bound] = &problem.bounds(&mut simplex, number)[..] {
                let negation = simplex.negation(bound);
                simplex.register(&negation, reason(number));
            }
        }
        // The assertions of each level.
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
                            // Half of an equality may be asserted; retracting it would take a level
                            // of its own.
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
                Action::Propagate if !is_contradiction => {
                    for implied in simplex.propagate() {
                        // The implied bound is the negation of a constraint, so the constraint
                        // itself contradicts it.
                        let certificate = simplex.certificate(&implied, implied.literal).expect("nothing changed");
                        prop_assert_eq!(check(&certificate, &problem), Ok(()));
                    }
                }
                Action::Maximize(number) if !is_contradiction => {
                    simplex.maximize(&problem.premises[number].form, &Limits::default());
                }
                Action::Push | Action::Assert(_) | Action::Check | Action::Maximize(_) | Action::Propagate => {}
            }
        }
    }
}

/// A constraint with few of many variables.
fn sparse(variables: usize, few: std::ops::Range<usize>, most: i64) -> impl Strategy<Value = Constraint> {
    let entry = (0..variables, (-most..=most).prop_filter("not 0", |value| *value != 0));
    (proptest::collection::vec(entry, few), relations(), -20i64..=20).prop_filter_map(
        "not constant",
        move |(entries, relation, constant)| {
            let mut coefficients = vec![0; variables];
            for (at, value) in entries {
                coefficients[at] = value;
            }
            coefficients.iter().any(|value| *value != 0).then_some((coefficients, relation, constant))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Too large for elimination, but each answer carries its evidence: a model, or a certificate.
    #[test]
    fn large_programs_have_evidence(
        constraints in proptest::collection::vec(sparse(25, 1..4, 4), 5..60),
        objective in sparse(25, 1..4, 4),
    ) {
        let problem = Problem::new(&[Kind::Real; 25], &constraints);
        let mut simplex = problem.solver();
        for number in 0..constraints.len() {
            if let Err(certificate) = problem.assert(&mut simplex, [number]) {
                prop_assert_eq!(check(&certificate, &problem), Ok(()));
                return Ok(());
            }
            match simplex.check(&Limits::default()) {
                Feasibility::Feasible => prop_assert!(problem.is_satisfied(&simplex.model(), 0..=number)),
                Feasibility::Infeasible(certificate) => {
                    prop_assert_eq!(check(&certificate, &problem), Ok(()));
                    return Ok(());
                }
                Feasibility::Unknown(reason) => prop_assert!(false, "{}", reason),
            }
        }
        let objective = combination(&objective.0);
        match simplex.maximize(&objective, &Limits::default()) {
            Optimum::Bounded { value, multipliers } => {
                let relation = if value.delta.is_zero() { Relation::AtMost } else { Relation::Less };
                prop_assert_eq!(check_bound(&multipliers, &objective, relation, &value.real, &problem), Ok(()));
                // The bound is attained, or approached arbitrarily closely.
                prop_assert_eq!(simplex.value_of(&objective), value);
            }
            Optimum::Unbounded => {
                // Any bound can be exceeded.
                for target in [1_000, 1_000_000_000] {
                    let bound = simplex.bound(&objective, Side::Lower, &DeltaRational::from(target));
                    let asserted = simplex.assert_bound(&bound.expect("not constant"), reason(1_000));
                    prop_assert_eq!(asserted, Ok(Asserted::Tightened));
                    prop_assert_eq!(simplex.check(&Limits::default()), Feasibility::Feasible);
                }
            }
            other => prop_assert!(false, "{:?} of a feasible program", other),
        }
    }

    #[test]
    fn large_integer_programs_have_evidence(constraints in proptest::collection::vec(sparse(10, 3..8, 11), 5..10)) {
        let mut all = constraints;
        for index in 0..10 {
            let mut coefficients = vec![0; 10];
            coefficients[index] = 1;
            all.push((coefficients.clone(), Relation::AtLeast, -5));
            all.push((coefficients, Relation::AtMost, 5));
        }
        let problem = Problem::new(&[Kind::Int; 10], &all);
        let mut simplex = problem.solver();
        if let Err(certificate) = problem.assert(&mut simplex, 0..all.len()) {
            prop_assert_eq!(check(&certificate, &problem), Ok(()));
            return Ok(());
        }
        match solve(&mut simplex, Config::default(), &Anything, reason(all.len()), &Limits::default()) {
            Answer::Model(model) => {
                prop_assert!(problem.is_satisfied(&model, 0..all.len()));
                prop_assert!(model.iter().all(Rational::is_integer));
            }
            Answer::Refuted(refutation) => prop_assert_eq!(check_refutation(&refutation, &problem), Ok(())),
            // A few in a million are too hard.
            Answer::Unknown(reason) => prop_assert!(matches!(reason, Reason::Incomplete(_)), "{}", reason),
        }
    }

    /// One integer search over many levels: stale equations from retracted levels would invalidate
    /// certificates.
    #[test]
    fn equations_come_and_go(
        constraints in proptest::collection::vec((proptest::collection::vec(-4i64..=4, 5), -6i64..=6), 8),
        actions in actions(8),
    ) {
        let constraints: Vec<Constraint> = constraints
            .into_iter()
            .map(|(mut coefficients, constant)| {
                coefficients[0] += i64::from(coefficients.iter().all(|value| *value == 0));
                (coefficients, Relation::Equal, constant)
            })
            .collect();
        let problem = Problem::new(&[Kind::Int; 5], &constraints);
        let mut simplex = problem.solver();
        let mut integers = Integers::default();
        let mut levels: Vec<Vec<usize>> = vec![vec![]];
        for action in actions {
            let asserted = || levels.iter().flatten().copied();
            let mut is_contradiction = false;
            match action {
                Action::Push => {
                    levels.push(vec![]);
                    simplex.push();
                    continue;
                }
                Action::Pop(count) => {
                    levels.truncate(levels.len().saturating_sub(count).max(1));
                    simplex.backtrack(levels.len() - 1);
                    continue;
                }
                Action::Assert(number) => {
                    levels.push(vec![number]);
                    simplex.push();
                    is_contradiction = problem.assert(&mut simplex, [number]).is_err();
                }
                Action::Check | Action::Maximize(_) | Action::Propagate => {
                    if simplex.check(&Limits::default()) == Feasibility::Feasible {
                        match integers.check(&mut simplex, &Limits::default(), &Anything) {
                            IntegerCheck::Consistent => {
                                let model = simplex.model();
                                prop_assert!(problem.is_satisfied(&model, asserted()));
                                prop_assert!(model.iter().all(Rational::is_integer));
                            }
                            IntegerCheck::Infeasible(certificate) => {
                                prop_assert_eq!(check(&certificate, &problem), Ok(()));
                                is_contradiction = true;
                            }
                            other => prop_assert!(false, "{:?} although equations are decided", other),
                        }
                    } else {
                        is_contradiction = true;
                    }
                }
            }
            if is_contradiction {
                levels.truncate((levels.len() - 1).max(1));
                simplex.backtrack(levels.len() - 1);
            }
        }
    }
}
