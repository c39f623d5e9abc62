//! Real problems.

use super::*;
use crate::prover::arith::{Flaw, Multiplier, Optimum, check, check_bound, combine};
use backends::{Interrupt, Limits, Reason};

const REAL: [Kind; 6] = [Kind::Real; 6];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn feasibility_is_that_of_elimination(constraints in constraints(5, 1..12)) {
        let problem = Problem::new(&REAL[..5], &constraints);
        let is_feasible = fourier_motzkin::is_feasible(5, &problem.premises);
        let mut simplex = problem.solver();
        match problem.verdict(&mut simplex) {
            Feasibility::Feasible => {
                prop_assert!(is_feasible);
                prop_assert!(problem.is_satisfied(&simplex.model(), 0..constraints.len()));
            }
            Feasibility::Infeasible(certificate) => {
                prop_assert!(!is_feasible);
                prop_assert_eq!(check(&certificate, &problem), Ok(()));
            }
            Feasibility::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
    }

    #[test]
    fn a_maximum_is_that_of_elimination(
        constraints in constraints(4, 1..9),
        objective in proptest::collection::vec(-3i64..=3, 4),
    ) {
        let problem = Problem::new(&REAL[..4], &constraints);
        let expected = fourier_motzkin::maximum(4, &problem.premises, &objective);
        let mut simplex = problem.solver();
        if let Err(certificate) = problem.assert(&mut simplex, 0..constraints.len()) {
            prop_assert_eq!(expected, Err(fourier_motzkin::Infeasible));
            prop_assert_eq!(check(&certificate, &problem), Ok(()));
            return Ok(());
        }
        let objective = combination(&objective);
        for _ in 0..2 {
            match simplex.maximize(&objective, &Limits::default()) {
                Optimum::Bounded { value, multipliers } => {
                    let (bound, is_strict) = expected.clone().expect("feasible").expect("bounded");
                    prop_assert_eq!(value.real.to_big(), bound);
                    prop_assert_eq!(value.delta.is_negative(), is_strict);
                    prop_assert!(!value.delta.is_positive());
                    let relation = if is_strict { Relation::Less } else { Relation::AtMost };
                    let checked = check_bound(&multipliers, &objective, relation, &value.real, &problem);
                    prop_assert_eq!(checked, Ok(()));
                    prop_assert_eq!(simplex.value_of(&objective), value);
                }
                Optimum::Unbounded => prop_assert_eq!(expected.clone(), Ok(None)),
                Optimum::Infeasible(certificate) => {
                    prop_assert_eq!(expected.clone(), Err(fourier_motzkin::Infeasible));
                    prop_assert_eq!(check(&certificate, &problem), Ok(()));
                }
                Optimum::Unknown(reason) => prop_assert!(false, "{}", reason),
            }
        }
        if expected.is_ok() {
            prop_assert_eq!(simplex.check(&Limits::default()), Feasibility::Feasible);
            prop_assert!(problem.is_satisfied(&simplex.model(), 0..constraints.len()));
        }
    }

    /// With coefficients near 2^62, products of two coefficients and the results of elimination far
    /// exceed machine words.
    #[test]
    fn large_coefficients_are_exact(
        constraints in constraints(3, 2..7),
        shifts in proptest::collection::vec(0usize..4, 7),
    ) {
        let mut problem = Problem::new(&REAL[..3], &constraints);
        let factors = ["1", "4611686018427387847", "-1267650600228229401496703205653", "9223372036854775837"];
        let factor = |at: usize| -> Rational { factors[at].parse::<num_bigint::BigInt>().expect("a number").into() };
        for (premise, shift) in problem.premises.iter_mut().zip(&shifts) {
            let uneven = premise.form.entries().iter().map(|(variable, coefficient)| {
                (*variable, coefficient * &factor((shift + variable.index()) % 4))
            });
            *premise = primitive(&uneven.collect(), premise.relation, &(&premise.constant * &factor(*shift)));
        }
        let is_feasible = fourier_motzkin::is_feasible(3, &problem.premises);
        let mut simplex = problem.solver();
        match problem.verdict(&mut simplex) {
            Feasibility::Feasible => {
                prop_assert!(is_feasible);
                prop_assert!(problem.is_satisfied(&simplex.model(), 0..constraints.len()));
            }
            Feasibility::Infeasible(certificate) => {
                prop_assert!(!is_feasible);
                prop_assert_eq!(check(&certificate, &problem), Ok(()));
            }
            Feasibility::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
    }

    /// An implied bound contradicts its negation, and each step of the certificate is checked.
    #[test]
    fn what_is_propagated_is_implied(
        constraints in constraints(4, 2..9),
        registered in constraints(4, 1..8),
        kinds in proptest::collection::vec(prop_oneof![Just(Kind::Int), Just(Kind::Real)], 4),
        checks in proptest::collection::vec(any::<bool>(), 9),
    ) {
        let mut problem = Problem::new(&kinds, &constraints);
        let mut simplex = problem.solver();
        let other = Problem::new(&kinds, &registered);
        let bounds: Vec<Bound> =
            (0..registered.len()).flat_map(|number| other.bounds(&mut simplex, number)).collect();
        for (number, bound) in bounds.iter().enumerate() {
            simplex.register(bound, reason(number));
            problem.premises.push(simplex.premise(&simplex.negation(bound)));
        }
        for (number, is_checked) in checks.into_iter().enumerate().take(constraints.len()) {
            if problem.assert(&mut simplex, [number]).is_err() {
                return Ok(());
            }
            if is_checked {
                simplex.check(&Limits::default());
            }
            for implied in simplex.propagate() {
                let registered = &bounds[implied.literal.index()];
                prop_assert_eq!(registered.variable, implied.bound.variable);
                let negation = reason(constraints.len() + implied.literal.index());
                let certificate = simplex.certificate(&implied, negation).expect("nothing changed since");
                prop_assert_eq!(check(&certificate, &problem), Ok(()));
            }
        }
    }

    #[test]
    fn separation_keeps_all_bounds(
        constraints in constraints(5, 1..8),
        kinds in proptest::collection::vec(prop_oneof![Just(Kind::Int), Just(Kind::Real)], 5),
    ) {
        let problem = Problem::new(&kinds, &constraints);
        let mut simplex = problem.solver();
        if problem.verdict(&mut simplex) != Feasibility::Feasible {
            return Ok(());
        }
        let interface: Vec<Var> = (0..5).map(Var::new).collect();
        let equal = |simplex: &Simplex| -> usize {
            simplex.equal_groups(&interface).iter().map(|group| group.len() - 1).sum()
        };
        let before = equal(&simplex);
        let are_integers = |simplex: &Simplex| -> Vec<bool> {
            interface.iter().map(|&v| simplex.kind(v) == Kind::Int && simplex.value(v).is_integer()).collect()
        };
        let integers = are_integers(&simplex);
        let moved = simplex.separate(&interface);
        prop_assert!(integers.iter().zip(are_integers(&simplex)).all(|(before, after)| !before || after));
        prop_assert!(equal(&simplex) <= before - before.min(moved));
        prop_assert_eq!(simplex.check(&Limits::default()), Feasibility::Feasible);
        let model = simplex.model();
        prop_assert!(problem.is_satisfied(&model, 0..constraints.len()));
        for left in 0..5 {
            for right in 0..left {
                let is_same = simplex.value(interface[left]) == simplex.value(interface[right]);
                prop_assert_eq!(model[left] == model[right], is_same);
            }
        }
    }
}

#[test]
fn a_row_bounds_its_variables() {
    // x + y ≤ 4 and x ≥ 3 imply y ≤ 1, so y ≤ 2, and not y ≤ 0.
    let problem =
        Problem::new(&REAL[..2], &[(vec![1, 1], Relation::AtMost, 4), (vec![1, 0], Relation::AtLeast, 3)]);
    let mut simplex = problem.solver();
    let upper = |value: i64| Bound { variable: Var::new(1), side: Side::Upper, value: value.into() };
    simplex.register(&upper(2), Reason32(20));
    simplex.register(&upper(0), Reason32(21));
    assert_eq!(problem.assert(&mut simplex, 0..2), Ok(()));
    let implied = simplex.propagate();
    assert_eq!(implied.iter().map(|implied| implied.literal).collect::<Vec<_>>(), [Reason32(20)]);
    assert_eq!(simplex.explain(&implied[0]).map(|multipliers| multipliers.len()), Some(2));
    assert_eq!(simplex.assert_bound(&upper(1), Reason32(9)), Ok(Asserted::Tightened));
    assert_eq!(simplex.explain(&implied[0]), None);
}

#[test]
fn a_bound_that_holds_already_is_told() {
    let problem = Problem::new(&REAL[..1], &[(vec![1], Relation::AtMost, 4)]);
    let mut simplex = problem.solver();
    assert_eq!(problem.assert(&mut simplex, 0..1), Ok(()));
    simplex.register(&Bound { variable: Var::new(0), side: Side::Upper, value: 5.into() }, Reason32(20));
    simplex.register(&Bound { variable: Var::new(0), side: Side::Upper, value: 3.into() }, Reason32(21));
    let implied: Vec<Reason32> = simplex.propagate().iter().map(|implied| implied.literal).collect();
    assert!(implied.contains(&Reason32(20)) && !implied.contains(&Reason32(21)));
}

#[test]
fn the_negation_of_a_bound_excludes_it_and_nothing_else() {
    let mut simplex = Simplex::new();
    let (real, integer) = (simplex.variable(Kind::Real), simplex.variable(Kind::Int));
    let mut negated = |variable, side, value: DeltaRational| {
        let bound = simplex.bound(&Combination::variable(variable), side, &value).expect("a variable");
        let negation = simplex.negation(&bound);
        assert_eq!(simplex.negation(&negation), bound);
        negation.to_string()
    };
    let half = Rational::new(7, 2);
    assert_eq!(negated(real, Side::Upper, half.clone().into()), "v0 ≥ 7/2 + 1δ");
    assert_eq!(negated(real, Side::Lower, DeltaRational::above(half.clone())), "v0 ≤ 7/2");
    assert_eq!(negated(integer, Side::Upper, half.into()), "v1 ≥ 4");
    assert_eq!(negated(integer, Side::Lower, DeltaRational::above(3.into())), "v1 ≤ 3");
}

#[test]
fn a_wrong_certificate_is_found() {
    let constraints = [
        (vec![1, 1], Relation::Less, 2),
        (vec![1, 0], Relation::AtLeast, 1),
        (vec![0, 1], Relation::AtLeast, 1),
    ];
    let problem = Problem::new(&REAL[..2], &constraints);
    let mut simplex = problem.solver();
    let Feasibility::Infeasible(Certificate::Farkas(right)) = problem.verdict(&mut simplex) else {
        panic!("the bounds contradict each other");
    };
    let verdict = |change: &dyn Fn(&mut Vec<Multiplier>)| {
        let mut multipliers = right.clone();
        change(&mut multipliers);
        check(&Certificate::Farkas(multipliers), &problem)
    };
    assert_eq!(verdict(&|_| {}), Ok(()));
    assert!(matches!(
        verdict(&|all| {
            all.pop();
        }),
        Err(Flaw::Form(_))
    ));
    assert!(matches!(verdict(&|all| all[0].coefficient = Rational::from(2)), Err(Flaw::Form(_))));
    assert!(matches!(verdict(&|all| all[0].coefficient = -&all[0].coefficient), Err(Flaw::Sign(..))));
    assert!(matches!(verdict(&|all| all[0].side = all[0].side.opposite()), Err(Flaw::WrongSide(_))));
    assert!(matches!(verdict(&|all| all[0].reason = Reason32(9)), Err(Flaw::UnknownReason(_))));
    let weak = Problem::new(
        &REAL[..2],
        &[(vec![1, 1], Relation::AtMost, 2), constraints[1].clone(), constraints[2].clone()],
    );
    assert!(matches!(check(&Certificate::Farkas(right.clone()), &weak), Err(Flaw::Constant(_))));
}

#[test]
fn a_check_ends_when_it_is_interrupted() {
    // A chain long enough to need many pivots: x0 ≥ 1, x[i+1] ≥ 2 x[i] + 1.
    let count = 300;
    let mut constraints = vec![];
    for index in 0..count {
        let mut coefficients = vec![0; count + 1];
        coefficients[index] = -2;
        coefficients[index + 1] = 1;
        constraints.push((coefficients, Relation::AtLeast, 1));
    }
    let problem = Problem::new(&vec![Kind::Real; count + 1], &constraints);
    let mut simplex = problem.solver();
    assert_eq!(problem.assert(&mut simplex, 0..count), Ok(()));
    let interrupt = Interrupt::default();
    interrupt.trigger();
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    assert_eq!(simplex.check(&limits), Feasibility::Unknown(Reason::Interrupted));
    assert_eq!(simplex.check(&Limits::default()), Feasibility::Feasible);
    assert!(problem.is_satisfied(&simplex.model(), 0..count));
}

#[test]
fn what_a_conflict_says_of_one_side() {
    // x ≤ y and y < z from one side, z ≤ x from the other: x < z.
    let constraints = [
        (vec![1, -1, 0], Relation::AtMost, 0),
        (vec![0, 1, -1], Relation::Less, 0),
        (vec![-1, 0, 1], Relation::AtMost, 0),
    ];
    let problem = Problem::new(&REAL[..3], &constraints);
    let Feasibility::Infeasible(Certificate::Farkas(multipliers)) = problem.verdict(&mut problem.solver())
    else {
        panic!("the bounds contradict each other");
    };
    let one_side: Vec<Multiplier> =
        multipliers.into_iter().filter(|multiplier| multiplier.reason < Reason32(2)).collect();
    let interpolant =
        Premise { form: combination(&[1, 0, -1]), relation: Relation::Less, constant: Rational::ZERO };
    assert_eq!(combine(&one_side, &problem), Ok(interpolant));
}
