//! Integer problems.

use super::*;
use crate::prover::arith::integers::{Anything, Config, Node, check_refutation};
use crate::prover::arith::{
    Answer, Cut, EquationMultiplier, Flaw, IntegerCheck, Integers, Multiplier, Refutation, check, solve,
};
use backends::Limits;

const INT: [Kind; 5] = [Kind::Int; 5];

fn answer(problem: &Problem, config: Config) -> Answer {
    let mut simplex = problem.solver();
    let free = reason(problem.premises.len());
    match problem.assert(&mut simplex, 0..problem.premises.len()) {
        Ok(()) => {
            let answer = solve(&mut simplex, config, &Anything, free, &Limits::default());
            assert_eq!(simplex.level(), 0);
            answer
        }
        Err(certificate) => {
            assert_eq!(check(&certificate, problem), Ok(()));
            let nodes = vec![Node::Conflict(certificate)];
            Answer::Refuted(Refutation { nodes })
        }
    }
}

/// Whether some point of the box satisfies all constraints.
fn is_solvable(variables: usize, constraints: &[Constraint], range: std::ops::RangeInclusive<i64>) -> bool {
    let width = usize::try_from(range.end() - range.start() + 1).expect("a box");
    (0..width.pow(variables as u32)).any(|mut code| {
        let point: Vec<i64> = (0..variables)
            .map(|_| {
                let value = range.start() + (code % width) as i64;
                code /= width;
                value
            })
            .collect();
        constraints.iter().all(|(coefficients, relation, constant)| {
            let sum: i64 = coefficients.iter().zip(&point).map(|(left, right)| left * right).sum();
            match relation {
                Relation::AtMost => sum <= *constant,
                Relation::Less => sum < *constant,
                Relation::AtLeast => sum >= *constant,
                Relation::Greater => sum > *constant,
                Relation::Equal => sum == *constant,
            }
        })
    })
}

/// Constraints that restrict the variables to a range.
fn in_box(variables: usize, range: &std::ops::RangeInclusive<i64>) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    for index in 0..variables {
        let mut coefficients = vec![0; variables];
        coefficients[index] = 1;
        constraints.push((coefficients.clone(), Relation::AtLeast, *range.start()));
        constraints.push((coefficients, Relation::AtMost, *range.end()));
    }
    constraints
}

fn agrees(problem: &Problem, answer: &Answer, is_solvable: bool) -> Result<(), TestCaseError> {
    match answer {
        Answer::Model(model) => {
            prop_assert!(is_solvable);
            prop_assert!(problem.is_satisfied(model, 0..problem.premises.len()));
            for (value, kind) in model.iter().zip(&problem.kinds) {
                prop_assert!(*kind == Kind::Real || value.is_integer());
            }
        }
        Answer::Refuted(refutation) => {
            prop_assert!(!is_solvable);
            prop_assert_eq!(check_refutation(refutation, problem), Ok(()));
        }
        Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_box_has_the_solutions_that_enumeration_finds(constraints in constraints(4, 1..8)) {
        let range = -3..=3;
        let mut all = in_box(4, &range);
        all.extend(constraints.iter().cloned());
        let problem = Problem::new(&INT[..4], &all);
        let expected = is_solvable(4, &constraints, range);
        agrees(&problem, &answer(&problem, Config::default()), expected)?;
        let cuts_only_when_forced = Config { cuts: 0, ..Config::default() };
        agrees(&problem, &answer(&problem, cuts_only_when_forced), expected)?;
        let cuts_always = Config { period: 1, batch: 4, ..Config::default() };
        agrees(&problem, &answer(&problem, cuts_always), expected)?;
    }

    /// Coefficients up to 20, so that the box is far from integral.
    #[test]
    fn uneven_constraints_in_a_box(
        rows in proptest::collection::vec((proptest::collection::vec(-20i64..=20, 3), relations(), -60i64..=60), 1..5),
    ) {
        let rows: Vec<Constraint> =
            rows.into_iter().filter(|row| row.0.iter().any(|coefficient| *coefficient != 0)).collect();
        let range = -6..=6;
        let mut all = in_box(3, &range);
        all.extend(rows.iter().cloned());
        let problem = Problem::new(&INT[..3], &all);
        agrees(&problem, &answer(&problem, Config::default()), is_solvable(3, &rows, range))?;
    }

    /// Mixed problems; the answers are checked by their evidence alone.
    #[test]
    fn reals_beside_integers(
        constraints in constraints(4, 1..8),
        kinds in proptest::collection::vec(prop_oneof![Just(Kind::Int), Just(Kind::Real)], 4),
    ) {
        let mut all = in_box(4, &(-3..=3));
        all.extend(constraints);
        let problem = Problem::new(&kinds, &all);
        let answer = answer(&problem, Config::default());
        let is_solvable = matches!(answer, Answer::Model(_));
        agrees(&problem, &answer, is_solvable)?;
        if let Answer::Refuted(_) = answer {
            // There is no solution in halves either.
            prop_assert!(!is_solvable_by_halves(&all, &kinds));
        }
    }

    /// Equations alone, without a box: models are checked, and a refuted system has no solution in
    /// a box.
    #[test]
    fn equations_have_the_solutions_that_residues_allow(
        rows in proptest::collection::vec((proptest::collection::vec(-4i64..=4, 3), -6i64..=6), 1..4),
    ) {
        let constraints: Vec<Constraint> = rows
            .into_iter()
            .filter(|row| row.0.iter().any(|coefficient| *coefficient != 0))
            .map(|(coefficients, constant)| (coefficients, Relation::Equal, constant))
            .collect();
        let problem = Problem::new(&INT[..3], &constraints);
        match answer(&problem, Config::default()) {
            Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
            answer @ Answer::Model(_) => agrees(&problem, &answer, true)?,
            answer @ Answer::Refuted(_) => {
                agrees(&problem, &answer, false)?;
                prop_assert!(!is_solvable(3, &constraints, -12..=12));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Either a solution is planted, or multiples of the equations add up to an equation whose
    /// coefficients have a divisor that does not divide the constant. The coefficients exceed
    /// machine words.
    #[test]
    fn large_equations(
        rows in proptest::collection::vec(proptest::collection::vec(any::<i64>(), 4), 2..4),
        point in proptest::collection::vec(any::<i64>(), 4),
        divisor in 2i64..1000,
        weights in proptest::collection::vec(any::<i64>(), 3),
    ) {
        let big = |value: i64| num_bigint::BigInt::from(value);
        let mut rows: Vec<Vec<num_bigint::BigInt>> =
            rows.iter().map(|row| row.iter().map(|value| big(*value)).collect()).collect();
        let last = rows.pop().expect("at least two rows");
        // Makes the weighted sum of all rows a multiple of the divisor.
        let mut sum: Vec<num_bigint::BigInt> = last.iter().map(|value| value * big(divisor)).collect();
        for (row, weight) in rows.iter().zip(&weights) {
            for (target, value) in sum.iter_mut().zip(row) {
                *target -= value * big(*weight);
            }
        }
        rows.push(sum);
        let equation = |row: &Vec<num_bigint::BigInt>, shift: i64| {
            let constant: num_bigint::BigInt = row.iter().zip(&point).map(|(value, at)| value * big(*at)).sum();
            let entry = |(index, value): (usize, &num_bigint::BigInt)| (Var::new(index), Rational::from(value.clone()));
            let form: Combination = row.iter().enumerate().map(entry).collect();
            primitive(&form, Relation::Equal, &Rational::from(constant + big(shift)))
        };
        prop_assume!(rows.iter().all(|row| row.iter().any(|value| *value != big(0))));
        for (shift, is_solvable) in [(0, true), (1, false)] {
            let mut premises: Vec<Premise> = rows.iter().map(|row| equation(row, 0)).collect();
            *premises.last_mut().expect("two rows") = equation(rows.last().expect("two rows"), shift);
            let problem = Problem { kinds: INT[..4].to_vec(), premises };
            agrees(&problem, &answer(&problem, Config { branches: 0, ..Config::default() }), is_solvable)?;
        }
    }
}

/// Whether a point of the box, with reals in halves, satisfies all constraints.
fn is_solvable_by_halves(constraints: &[Constraint], kinds: &[Kind]) -> bool {
    let doubled: Vec<Constraint> = constraints
        .iter()
        .map(|(coefficients, relation, constant)| {
            let double =
                |(coefficient, kind): (&i64, &Kind)| coefficient * if *kind == Kind::Int { 2 } else { 1 };
            (coefficients.iter().zip(kinds).map(double).collect(), *relation, constant * 2)
        })
        .collect();
    is_solvable(kinds.len(), &doubled, -6..=6)
}

#[track_caller]
fn is_refuted(kinds: usize, constraints: &[Constraint]) -> Refutation {
    let problem = Problem::new(&INT[..kinds], constraints);
    match answer(&problem, Config::default()) {
        Answer::Refuted(refutation) => {
            assert_eq!(check_refutation(&refutation, &problem), Ok(()));
            refutation
        }
        other => panic!("expected a refutation, not {other:?}"),
    }
}

#[test]
fn an_equation_without_bounds_is_solved() {
    // -2x + 2y - z = 1: if either of x and y is an integer, branching makes the other one
    // fractional.
    let problem = Problem::new(&INT[..3], &[(vec![-2, 2, -1], Relation::Equal, 1)]);
    let answer = answer(&problem, Config { branches: 0, ..Config::default() });
    agrees(&problem, &answer, true).expect("the solution is correct");
}

#[test]
fn parity() {
    // 2x = 2y + 1
    is_refuted(2, &[(vec![2, -2], Relation::Equal, 1)]);
}

#[test]
fn a_sum_of_multiples_of_three_is_not_one() {
    is_refuted(2, &[(vec![3, 3], Relation::Equal, 1)]);
    is_refuted(2, &[(vec![3, 3], Relation::Less, 3), (vec![3, 3], Relation::Greater, 0)]);
}

#[test]
fn a_cut_is_a_premise_of_others() {
    // Cuts off each corner of the unit cube, halfway to its neighbors: the Chvátal rank is 3.
    let mut constraints = in_box(3, &(0..=1));
    for corner in 0..8 {
        let signs: Vec<i64> = (0..3).map(|bit| if corner >> bit & 1 == 0 { 2 } else { -2 }).collect();
        let ones = signs.iter().filter(|sign| **sign < 0).count();
        constraints.push((signs, Relation::AtLeast, 1 - 2 * ones as i64));
    }
    let problem = Problem::new(&INT[..3], &constraints);
    let config = Config { branches: 0, period: 1, ..Config::default() };
    let Answer::Refuted(refutation) = answer(&problem, config) else { panic!("cuts refute it") };
    assert_eq!(check_refutation(&refutation, &problem), Ok(()));
    assert!(refutation.nodes.iter().all(|node| !matches!(node, Node::Branch { .. })));
    let cuts = || {
        refutation.nodes.iter().filter_map(|node| match node {
            Node::Cut { cut, reason, .. } => Some((cut, *reason)),
            _ => None,
        })
    };
    assert!(cuts().any(|(cut, _)| {
        cut.premises.iter().any(|premise| cuts().any(|(_, reason)| reason == premise.reason))
    }));
}

#[test]
fn even_and_odd_at_once() {
    // i = 2j, i = 2k + 1
    let refutation =
        is_refuted(3, &[(vec![1, -2, 0], Relation::Equal, 0), (vec![1, 0, -2], Relation::Equal, 1)]);
    assert!(matches!(&refutation.nodes[..], [Node::Conflict(Certificate::Diophantine(_))]));
}

#[test]
fn an_even_number_between_odd_neighbors_by_rounding_with_an_equality() {
    // i = 2j, 2k + 1 ≤ i ≤ 2k + 1: the equality consists of inequalities of other forms.
    is_refuted(
        3,
        &[
            (vec![1, -2, 0], Relation::Equal, 0),
            (vec![1, 0, -2], Relation::AtLeast, 1),
            (vec![1, 0, -2], Relation::AtMost, 1),
        ],
    );
    // i = 2j, i = 6k + r, 1 ≤ r ≤ 1
    is_refuted(
        4,
        &[
            (vec![1, -2, 0, 0], Relation::Equal, 0),
            (vec![1, 0, -6, -1], Relation::Equal, 0),
            (vec![0, 0, 0, 1], Relation::Greater, 0),
            (vec![0, 0, 0, 1], Relation::Less, 2),
        ],
    );
}

#[test]
fn an_unbounded_strip_without_integers() {
    // 1 ≤ 3x - 3y + z ≤ 2 with an implicit z = 0; the strip is unbounded.
    is_refuted(
        3,
        &[
            (vec![3, -3, 1], Relation::AtLeast, 1),
            (vec![3, -3, 1], Relation::AtMost, 2),
            (vec![0, 0, 1], Relation::AtLeast, 0),
            (vec![0, 0, 1], Relation::AtMost, 0),
        ],
    );
    // 4x - 6y in [1, 1] ∪ ∅, by two inequalities of 8x - 12y ± w and w in [0, 0].
    is_refuted(
        3,
        &[
            (vec![8, -12, 1], Relation::AtLeast, 1),
            (vec![8, -12, -1], Relation::AtMost, 3),
            (vec![0, 0, 1], Relation::Equal, 0),
        ],
    );
}

#[test]
fn an_unbounded_problem_ends_with_the_budget() {
    // No integers in between: 3x - 3y ≥ 1 - z, 3x - 3y ≤ 2 - w with real z, w in [0, 1/8], which
    // rounding of integer rows does not detect.
    let constraints = [
        (vec![3, -3, 1, 0], Relation::AtLeast, 1),
        (vec![3, -3, 0, 1], Relation::AtMost, 2),
        (vec![0, 0, 8, 0], Relation::AtMost, 1),
        (vec![0, 0, 0, 8], Relation::AtMost, 1),
        (vec![0, 0, 1, 0], Relation::AtLeast, 0),
        (vec![0, 0, 0, 1], Relation::AtLeast, 0),
    ];
    let problem = Problem::new(&[Kind::Int, Kind::Int, Kind::Real, Kind::Real], &constraints);
    let config = Config { branches: 60, ..Config::default() };
    match answer(&problem, config) {
        Answer::Unknown(backends::Reason::Incomplete(_)) => {}
        Answer::Refuted(refutation) => assert_eq!(check_refutation(&refutation, &problem), Ok(())),
        other => panic!("there is no solution: {other:?}"),
    }
}

#[test]
fn only_what_the_owner_allows_is_cut() {
    struct Nothing;
    impl crate::prover::arith::integers::Purity for Nothing {
        fn allows_cut(&self, _cut: &Cut) -> bool {
            false
        }
        fn allows_branch(&self, form: &Combination) -> bool {
            panic!("a branch on {form} although the variables have bounds")
        }
    }
    let mut constraints = in_box(3, &(0..=5));
    constraints.extend([(vec![7, 5, -9], Relation::Equal, 1), (vec![3, -5, 8], Relation::AtLeast, 3)]);
    let problem = Problem::new(&INT[..3], &constraints);
    let mut simplex = problem.solver();
    assert_eq!(problem.assert(&mut simplex, 0..constraints.len()), Ok(()));
    let mut integers = Integers::default();
    for _ in 0..3 {
        assert_eq!(simplex.check(&Limits::default()), Feasibility::Feasible);
        match integers.check(&mut simplex, &Limits::default(), &Nothing) {
            IntegerCheck::Branch(branch) => {
                let value = simplex.value(branch.variable).real.clone();
                assert_eq!(branch.floor, value.floor());
                assert!(!value.is_integer());
            }
            IntegerCheck::Consistent => break,
            other => panic!("{other:?} is not a branch"),
        }
    }
}

#[test]
fn a_wrong_certificate_of_integers_is_found() {
    // x + y = 1, x - y = 0, x + 2y ≤ 2, 2x + y ≤ 2 over integers, and one with a real.
    let constraints = [
        (vec![1, 1, 0], Relation::Equal, 1),
        (vec![1, -1, 0], Relation::Equal, 0),
        (vec![1, 2, 0], Relation::AtMost, 2),
        (vec![2, 1, 0], Relation::AtMost, 2),
        (vec![1, 0, 1], Relation::AtMost, 2),
    ];
    let problem = Problem::new(&[Kind::Int, Kind::Int, Kind::Real], &constraints);
    let half = Rational::new(1, 2);
    let equation = |coefficient: &Rational, lower: usize, upper: usize| EquationMultiplier {
        coefficient: coefficient.clone(),
        lower: reason(lower),
        upper: reason(upper),
    };
    let diophantine =
        |multipliers: Vec<EquationMultiplier>| check(&Certificate::Diophantine(multipliers), &problem);
    assert_eq!(diophantine(vec![equation(&half, 0, 0), equation(&half, 1, 1)]), Ok(()));
    assert!(matches!(diophantine(vec![equation(&half, 0, 0)]), Err(Flaw::NotIntegral(_))));
    assert!(matches!(diophantine(vec![equation(&Rational::ONE, 0, 0)]), Err(Flaw::Constant(_))));
    assert!(matches!(diophantine(vec![equation(&half, 0, 1)]), Err(Flaw::NotEqual(..))));
    assert!(matches!(diophantine(vec![equation(&half, 2, 2)]), Err(Flaw::WrongSide(_))));

    let cut = |premises: [(&Rational, usize); 2], form: [i64; 3], bound: i64| {
        let multiplier = |(coefficient, number): (&Rational, usize)| Multiplier {
            coefficient: coefficient.clone(),
            side: Side::Upper,
            reason: reason(number),
        };
        let premises = premises.map(multiplier).to_vec();
        check(&Certificate::Cut(Cut { premises, form: combination(&form), bound: bound.into() }), &problem)
    };
    let third = Rational::new(1, 3);
    // x + y ≤ 4/3, so at most 1.
    assert_eq!(cut([(&third, 2), (&third, 3)], [1, 1, 0], 1), Ok(()));
    assert!(matches!(cut([(&third, 2), (&third, 3)], [1, 1, 0], 0), Err(Flaw::Constant(_))));
    assert!(matches!(cut([(&third, 2), (&third, 3)], [1, 2, 0], 1), Err(Flaw::Form(_))));
    assert!(matches!(cut([(&third, 2), (&half, 3)], [1, 1, 0], 1), Err(Flaw::Form(_))));
    assert!(matches!(
        cut([(&Rational::ONE, 2), (&Rational::ONE, 4)], [2, 2, 1], 4),
        Err(Flaw::NotIntegral(_))
    ));

    let branch = |form: [i64; 3], floor: Rational| {
        check(&Certificate::Branch { form: combination(&form), floor }, &problem)
    };
    assert_eq!(branch([3, -2, 0], 1.into()), Ok(()));
    assert!(matches!(branch([3, -2, 0], half), Err(Flaw::Constant(_))));
    assert!(matches!(branch([0, 0, 1], 1.into()), Err(Flaw::NotIntegral(_))));
}

#[test]
fn a_wrong_refutation_is_found() {
    // 1/3 < x < 2/3, stated indirectly and refuted by a branch by hand.
    let constraints = [
        (vec![3, -1], Relation::AtLeast, 1),
        (vec![3, 1], Relation::AtMost, 2),
        (vec![0, 1], Relation::Equal, 0),
    ];
    let problem = Problem::new(&INT[..2], &constraints);
    let conflict = |summands: [(i64, Side, usize); 3]| {
        let multiplier = |(value, side, number): (i64, Side, usize)| Multiplier {
            coefficient: value.into(),
            side,
            reason: reason(number),
        };
        Node::Conflict(Certificate::Farkas(summands.map(multiplier).to_vec()))
    };
    // With x ≤ 0: 3x - y ≥ 1 contradicts y = 0. With x ≥ 1: 3x + y ≤ 2 does.
    let nodes = |floor: i64, below: usize, above: usize| Refutation {
        nodes: vec![
            conflict([(1, Side::Lower, 0), (1, Side::Lower, 2), (3, Side::Upper, 10)]),
            conflict([(1, Side::Upper, 1), (1, Side::Lower, 2), (3, Side::Lower, 11)]),
            Node::Branch {
                form: combination(&[1, 0]),
                floor: floor.into(),
                below: (reason(10), below),
                above: (reason(11), above),
            },
        ],
    };
    assert_eq!(check_refutation(&nodes(0, 0, 1), &problem), Ok(()));
    assert!(matches!(check_refutation(&nodes(1, 0, 1), &problem), Err(Flaw::Constant(_))));
    assert!(matches!(check_refutation(&nodes(0, 0, 0), &problem), Err(Flaw::UnknownReason(_))));
    assert!(matches!(check_refutation(&nodes(0, 1, 1), &problem), Err(Flaw::UnknownReason(_))));
}
