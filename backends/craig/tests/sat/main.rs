//! The search compared with brute force, with every refutation checked.

mod modulo;
mod propositional;

use backend_craig::prover::proof::{Origin, Proof, Step, check, trim};
use backend_craig::prover::sat::{Answer, Config, Literal, Solver, Theory, Variable};
use backends::Limits;

/// Clauses as in DIMACS: variables from 1, negative numbers for negations.
type Clauses = Vec<Vec<i32>>;

fn literal(number: i32) -> Literal {
    Literal::new(Variable(number.unsigned_abs() - 1), number > 0)
}

fn literals(numbers: &[i32]) -> Vec<Literal> {
    numbers.iter().map(|&number| literal(number)).collect()
}

fn solver(variables: usize, clauses: &[Vec<i32>]) -> Solver {
    let mut solver = Solver::new(Config::PROVING);
    for _ in 0..variables {
        solver.new_variable();
    }
    for (tag, clause) in clauses.iter().enumerate() {
        solver.add_clause(&literals(clause), tag as u32);
    }
    solver
}

/// The assignments of the first variables, as bit sets.
fn assignments(variables: usize) -> impl Iterator<Item = u32> {
    0..1 << variables
}

fn holds(assignment: u32, number: i32) -> bool {
    (assignment >> (number.unsigned_abs() - 1) & 1 == 1) == (number > 0)
}

fn satisfies(assignment: u32, clauses: &[Vec<i32>]) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&number| holds(assignment, number)))
}

/// Checks an answer other than unknown, and returns whether it was `Sat`. `leaf` checks lemmas.
fn evidence<T: Theory>(
    solver: &mut Solver,
    theory: &mut T,
    clauses: &[Vec<i32>],
    assumptions: &[i32],
    lemma: &dyn Fn(&T, &[Literal], u32) -> bool,
) -> bool {
    match solver.solve(theory, &literals(assumptions), &Limits::default()) {
        Answer::Sat => {
            let is_true = |&number: &i32| solver.value(literal(number)) == Some(true);
            assert!(clauses.iter().all(|clause| {
                let is_tautology = clause.iter().any(|number| clause.contains(&-number));
                is_tautology || clause.iter().any(is_true)
            }));
            assert!(assumptions.iter().all(is_true));
            true
        }
        Answer::Unsat => {
            let failed = solver.failed_assumptions().to_vec();
            let given = literals(assumptions);
            assert!(failed.iter().all(|literal| given.contains(literal)));
            let Some(proof) = solver.proof() else {
                assert!(matches!(*failed, [a, b] if a == !b));
                return false;
            };
            check_proof(&proof, clauses, &|literals, certificate| lemma(theory, literals, certificate));
            let mut conclusion: Vec<Literal> = proof.conclusion().expect("a proof has steps").to_vec();
            let mut expected: Vec<Literal> = failed.iter().map(|&literal| !literal).collect();
            conclusion.sort_unstable();
            expected.sort_unstable();
            assert_eq!(conclusion, expected);
            false
        }
        Answer::Unknown(reason) => panic!("there are no limits: {reason}"),
    }
}

fn check_proof(proof: &Proof, clauses: &[Vec<i32>], lemma: &dyn Fn(&[Literal], u32) -> bool) {
    let leaf = |step: &Step| match step.origin {
        Origin::Input(tag) => {
            let mut stated = step.literals.clone();
            let mut given = literals(&clauses[tag as usize]);
            stated.sort_unstable();
            given.sort_unstable();
            given.dedup();
            if stated == given { Ok(()) } else { Err(format!("no clause: {stated:?}")) }
        }
        Origin::Lemma(certificate) if lemma(&step.literals, certificate) => Ok(()),
        _ => Err(format!("no lemma: {:?}", step.literals)),
    };
    check(proof, &leaf).expect("the proof is valid");
    assert_eq!(trim(proof), *proof, "a proof is trimmed");
}

/// A small pseudo-random generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// A clause of three variables.
    fn clause(&mut self, variables: usize) -> Vec<i32> {
        let mut chosen: Vec<i32> = Vec::new();
        while chosen.len() < 3 {
            let variable = self.below(variables) as i32 + 1;
            if chosen.iter().all(|number| number.abs() != variable) {
                chosen.push(if self.below(2) == 0 { variable } else { -variable });
            }
        }
        chosen
    }
}
