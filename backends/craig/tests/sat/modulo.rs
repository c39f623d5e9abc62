//! Search modulo toy theories.

use super::{Clauses, assignments, evidence, literal, satisfies, solver};
use backend_craig::prover::sat::{Consequences, FinalCheck, Literal, Theory, Variable};
use proptest::prelude::*;

/// When a theory reports consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaks {
    /// As soon as possible, including propagations.
    Early,
    /// As soon as there is a conflict.
    OfConflicts,
    /// When all variables are assigned; its conflicts may belong to lower levels.
    Late,
}

/// Checks the protocol: levels, and the order of assignments.
#[derive(Clone, Debug, Default)]
struct Stack {
    assigned: Vec<Literal>,
    levels: Vec<usize>,
}

impl Stack {
    fn assign(&mut self, literal: Literal) {
        assert!(!self.assigned.contains(&literal) && !self.assigned.contains(&!literal));
        self.assigned.push(literal);
    }

    fn push_level(&mut self, level: u32) {
        self.levels.push(self.assigned.len());
        assert_eq!(self.levels.len(), level as usize);
    }

    fn backtrack(&mut self, level: u32) {
        assert!((level as usize) < self.levels.len(), "only to lower levels");
        self.assigned.truncate(self.levels[level as usize]);
        self.levels.truncate(level as usize);
    }
}

/// `from - to <= bound`, over integers.
#[derive(Clone, Copy, Debug)]
struct Difference {
    from: usize,
    to: usize,
    bound: i64,
}

impl Difference {
    fn negated(self) -> Self {
        Difference { from: self.to, to: self.from, bound: -self.bound - 1 }
    }
}

/// Indices of contradictory constraints (Bellman and Ford).
fn negative_cycle(constraints: &[Difference]) -> Option<Vec<usize>> {
    let points = constraints.iter().map(|constraint| constraint.from.max(constraint.to) + 1).max()?;
    let mut distance = vec![0; points];
    let mut by = vec![None; points];
    let mut changed = None;
    for _ in 0..=points {
        changed = None;
        for (index, constraint) in constraints.iter().enumerate() {
            // from <= to + bound
            if distance[constraint.to] + constraint.bound < distance[constraint.from] {
                distance[constraint.from] = distance[constraint.to] + constraint.bound;
                by[constraint.from] = Some(index);
                changed = Some(constraint.from);
            }
        }
    }
    let mut point = changed?;
    for _ in 0..points {
        point = constraints[by[point].expect("it was lowered")].to;
    }
    let (start, mut cycle) = (point, Vec::new());
    loop {
        let index = by[point].expect("it is on the cycle");
        cycle.push(index);
        point = constraints[index].to;
        if point == start {
            return Some(cycle);
        }
    }
}

/// The first variables are differences.
struct Differences {
    atoms: Vec<Difference>,
    speaks: Speaks,
    stack: Stack,
    lemmas: Vec<Vec<Literal>>,
}

impl Differences {
    fn new(atoms: &[Difference], speaks: Speaks) -> Self {
        Differences { atoms: atoms.to_vec(), speaks, stack: Stack::default(), lemmas: Vec::new() }
    }

    fn constraint(&self, literal: Literal) -> Difference {
        let atom = self.atoms[literal.variable().0 as usize];
        if literal.is_positive() { atom } else { atom.negated() }
    }

    /// Whether a lemma is as reported, and valid.
    fn is_told(&self, lemma: &[Literal], number: u32) -> bool {
        let told = &self.lemmas[number as usize];
        told.iter().all(|literal| lemma.contains(literal)) && self.is_valid(lemma)
    }

    /// Whether a clause is valid.
    fn is_valid(&self, clause: &[Literal]) -> bool {
        let negated: Vec<Difference> = clause.iter().map(|&literal| self.constraint(!literal)).collect();
        negative_cycle(&negated).is_some()
    }

    /// The clause that refutes these literals, if they are contradictory.
    fn conflict(&self, literals: &[Literal]) -> Option<Vec<Literal>> {
        let constraints: Vec<Difference> = literals.iter().map(|&literal| self.constraint(literal)).collect();
        let cycle = negative_cycle(&constraints)?;
        Some(cycle.into_iter().map(|index| !literals[index]).collect())
    }

    fn tell(&mut self, lemma: Vec<Literal>, consequences: &mut Consequences) {
        // Reports the lemma twice, the second time in reverse order.
        let number = self.lemmas.len() as u32;
        consequences.lemmas.push((lemma.clone(), number));
        consequences.lemmas.push((lemma.iter().rev().copied().collect(), number));
        self.lemmas.push(lemma);
    }
}

impl Theory for Differences {
    fn is_atom(&self, variable: Variable) -> bool {
        (variable.0 as usize) < self.atoms.len()
    }

    fn assign(&mut self, literal: Literal) {
        self.stack.assign(literal);
    }

    fn push_level(&mut self, level: u32) {
        self.stack.push_level(level);
    }

    fn backtrack(&mut self, level: u32) {
        self.stack.backtrack(level);
    }

    fn propagate(&mut self, _fresh: &mut dyn FnMut() -> Variable, consequences: &mut Consequences) {
        if self.speaks == Speaks::Late {
            return;
        }
        if let Some(lemma) = self.conflict(&self.stack.assigned) {
            self.tell(lemma, consequences);
        } else if self.speaks == Speaks::Early {
            for variable in 0..self.atoms.len() as u32 {
                let positive = Literal::positive(Variable(variable));
                if self.stack.assigned.contains(&positive) || self.stack.assigned.contains(&!positive) {
                    continue;
                }
                for literal in [positive, !positive] {
                    let mut with = self.stack.assigned.clone();
                    with.push(literal);
                    if let Some(lemma) = self.conflict(&with) {
                        self.tell(lemma, consequences);
                    }
                }
            }
        }
    }

    fn final_check(
        &mut self,
        _fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck {
        match self.conflict(&self.stack.assigned) {
            None => FinalCheck::Consistent,
            Some(lemma) => {
                self.tell(lemma, consequences);
                FinalCheck::Continue
            }
        }
    }
}

/// Each true variable among the first ones needs a hole of its own, which fresh variables select
/// when all variables are assigned.
struct Holes {
    pigeons: u32,
    holes: u32,
    stack: Stack,
    /// By pigeon: the variables of its holes, once it needed one.
    places: Vec<Option<Vec<Variable>>>,
    lemmas: Vec<Vec<Literal>>,
}

impl Holes {
    fn new(pigeons: u32, holes: u32) -> Self {
        let places = vec![None; pigeons as usize];
        Holes { pigeons, holes, stack: Stack::default(), places, lemmas: Vec::new() }
    }

    fn tell(&mut self, lemma: Vec<Literal>, consequences: &mut Consequences) {
        consequences.lemmas.push((lemma.clone(), self.lemmas.len() as u32));
        self.lemmas.push(lemma);
    }
}

impl Theory for Holes {
    fn is_atom(&self, variable: Variable) -> bool {
        variable.0 < self.pigeons || self.places.iter().flatten().flatten().any(|&place| place == variable)
    }

    fn assign(&mut self, literal: Literal) {
        self.stack.assign(literal);
    }

    fn push_level(&mut self, level: u32) {
        self.stack.push_level(level);
    }

    fn backtrack(&mut self, level: u32) {
        self.stack.backtrack(level);
    }

    fn propagate(&mut self, _fresh: &mut dyn FnMut() -> Variable, consequences: &mut Consequences) {
        // A useless tautology.
        let any = Literal::positive(Variable(0));
        self.tell(vec![any, !any], consequences);
    }

    fn final_check(
        &mut self,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck {
        let before = self.lemmas.len();
        for pigeon in 0..self.pigeons {
            let is_there = Literal::positive(Variable(pigeon));
            if self.places[pigeon as usize].is_none() && self.stack.assigned.contains(&is_there) {
                let places: Vec<Variable> = (0..self.holes).map(|_| fresh()).collect();
                let mut lemma: Vec<Literal> = places.iter().map(|&place| Literal::positive(place)).collect();
                lemma.push(!is_there);
                self.tell(lemma, consequences);
                consequences.decisions.extend(places.last().map(|&place| Literal::positive(place)));
                self.places[pigeon as usize] = Some(places);
            }
        }
        for hole in 0..self.holes as usize {
            let inside = self.places.iter().flatten().map(|places| Literal::positive(places[hole]));
            let mut inside = inside.filter(|literal| self.stack.assigned.contains(literal));
            if let (Some(one), Some(other)) = (inside.next(), inside.next()) {
                self.tell(vec![!one, !other], consequences);
            }
        }
        if self.lemmas.len() == before { FinalCheck::Consistent } else { FinalCheck::Continue }
    }
}

fn a_difference() -> impl Strategy<Value = Difference> {
    let points = prop::sample::subsequence((0..4).collect::<Vec<_>>(), 2).prop_shuffle();
    (points, -3..3i64).prop_map(|(points, bound)| Difference { from: points[0], to: points[1], bound })
}

fn some_clauses(variables: i32, lengths: std::ops::Range<usize>) -> impl Strategy<Value = Clauses> {
    let literal = (1..=variables, any::<bool>()).prop_map(|(v, sign)| if sign { v } else { -v });
    prop::collection::vec(prop::collection::vec(literal, 1..4), lengths)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn differences_are_decided_however_late_the_theory_speaks(
        atoms in prop::collection::vec(a_difference(), 8),
        clauses in some_clauses(10, 1..30),
        assumptions in prop::collection::vec((1..=10, any::<bool>()), 0..3),
    ) {
        let assumptions: Vec<i32> = assumptions.iter().map(|&(v, sign): &(i32, bool)| if sign { v } else { -v }).collect();
        let consistent = |assignment: u32| {
            let constraints: Vec<Difference> = atoms
                .iter()
                .enumerate()
                .map(|(index, &atom)| if assignment >> index & 1 == 1 { atom } else { atom.negated() })
                .collect();
            negative_cycle(&constraints).is_none()
        };
        for speaks in [Speaks::Early, Speaks::OfConflicts, Speaks::Late] {
            let mut solver = solver(10, &clauses);
            let mut theory = Differences::new(&atoms, speaks);
            for assumptions in [&assumptions[..], &[]] {
                let expected = assignments(10).any(|assignment| {
                    satisfies(assignment, &clauses)
                        && assumptions.iter().all(|&n| super::holds(assignment, n))
                        && consistent(assignment)
                });
                let found = evidence(&mut solver, &mut theory, &clauses, assumptions, &Differences::is_told);
                prop_assert_eq!(found, expected);
                if found {
                    prop_assert!(theory.conflict(&theory.stack.assigned).is_none());
                } else {
                    prop_assert!(theory.stack.levels.is_empty());
                }
            }
        }
    }

    #[test]
    fn splits_over_fresh_variables_are_decided(
        clauses in some_clauses(6, 1..20),
        holes in 0..5u32,
    ) {
        let mut solver = solver(6, &clauses);
        let mut theory = Holes::new(6, holes);
        let found = evidence(&mut solver, &mut theory, &clauses, &[], &|theory, lemma, number| {
            let told = &theory.lemmas[number as usize];
            told.len() == lemma.len() && told.iter().all(|literal| lemma.contains(literal))
        });
        let expected = assignments(6)
            .any(|assignment| satisfies(assignment, &clauses) && assignment.count_ones() <= holes);
        prop_assert_eq!(found, expected);
    }
}

/// Tasks of lengths 1, 2, … on one machine, all done by the deadline: the atoms and the clauses.
/// Point 0 is the start.
fn schedule(tasks: usize, deadline: i64) -> (Vec<Difference>, Clauses) {
    let length = |task: usize| task as i64;
    let (mut atoms, mut clauses) = (Vec::new(), Clauses::new());
    let mut atom = |from, to, bound| {
        atoms.push(Difference { from, to, bound });
        atoms.len() as i32
    };
    for one in 1..=tasks {
        clauses.push(vec![atom(0, one, 0)]);
        clauses.push(vec![atom(one, 0, deadline - length(one))]);
        for other in 1..one {
            clauses.push(vec![atom(one, other, -length(one)), atom(other, one, -length(other))]);
        }
    }
    (atoms, clauses)
}

#[test]
fn tasks_fit_exactly_if_their_lengths_do() {
    for (tasks, speaks) in
        [(5, Speaks::Late), (6, Speaks::Late), (7, Speaks::OfConflicts), (6, Speaks::Early)]
    {
        let sum = (1..=tasks as i64).sum();
        for deadline in [sum, sum - 1] {
            let (atoms, clauses) = schedule(tasks, deadline);
            let mut solver = solver(atoms.len(), &clauses);
            let mut theory = Differences::new(&atoms, speaks);
            let fits = evidence(&mut solver, &mut theory, &clauses, &[], &Differences::is_told);
            assert_eq!(fits, deadline == sum);
            assert!(tasks < 7 || fits || solver.statistics().reductions > 0);
        }
    }
}

#[test]
fn a_theory_that_never_ends_is_a_fault() {
    struct Endless;
    impl Theory for Endless {
        fn is_atom(&self, _: Variable) -> bool {
            true
        }
        fn assign(&mut self, _: Literal) {}
        fn push_level(&mut self, _: u32) {}
        fn backtrack(&mut self, _: u32) {}
        fn propagate(&mut self, _: &mut dyn FnMut() -> Variable, _: &mut Consequences) {}
        fn final_check(
            &mut self,
            _: &mut dyn FnMut() -> Variable,
            consequences: &mut Consequences,
        ) -> FinalCheck {
            consequences.lemmas.push((vec![literal(1), literal(-1)], 0));
            FinalCheck::Continue
        }
    }
    let mut solver = solver(2, &[vec![1, 2]]);
    let answer = solver.solve(&mut Endless, &[], &backends::Limits::default());
    assert!(matches!(answer, backend_craig::prover::sat::Answer::Unknown(backends::Reason::Fault(_))));
}
