//! The proof checker: replays each resolution chain, in time linear in the number of literals in
//! it.

use super::{Origin, Proof, Step};
use crate::prover::sat::Literal;

/// A defect of a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A clause contains a literal twice.
    #[error("step {step} has the literal {literal} twice")]
    Duplicate {
        /// The step.
        step: usize,
        /// The literal.
        literal: Literal,
    },
    /// A chain uses a step that does not precede it.
    #[error("step {step} uses step {antecedent}, which does not precede it")]
    Order {
        /// The step.
        step: usize,
        /// The step that it uses.
        antecedent: u32,
    },
    /// The pivot does not occur in the clause derived so far, or its negation does not occur in the
    /// antecedent.
    #[error("step {step} resolves with step {antecedent} on {pivot}, which does not clash")]
    Pivot {
        /// The step.
        step: usize,
        /// The step that it uses.
        antecedent: u32,
        /// The pivot.
        pivot: Literal,
    },
    /// The clause of a step differs from the clause that its chain derives.
    #[error("step {step} derives a different clause: it differs from the stated one in {literal}")]
    Conclusion {
        /// The step.
        step: usize,
        /// A literal of one clause that is missing in the other.
        literal: Literal,
    },
    /// The caller rejected an input or lemma.
    #[error("step {step}: {message}")]
    Leaf {
        /// The step.
        step: usize,
        /// The reason.
        message: String,
    },
}

/// Checks all steps and calls `leaf` for inputs and lemmas. A valid proof proves
/// [`Proof::conclusion`].
pub fn check(proof: &Proof, leaf: &dyn Fn(&Step) -> Result<(), String>) -> Result<(), CheckError> {
    let mut derived = LiteralSet::default();
    let mut stated = LiteralSet::default();
    for (index, step) in proof.steps.iter().enumerate() {
        for &literal in &step.literals {
            if !stated.insert(literal) {
                return Err(CheckError::Duplicate { step: index, literal });
            }
        }
        match &step.origin {
            Origin::Input(_) | Origin::Lemma(_) => {
                leaf(step).map_err(|message| CheckError::Leaf { step: index, message })?;
            }
            Origin::Chain { first, rest } => {
                resolve(proof, index, *first, rest, &mut derived)?;
                let missing = step.literals.iter().find(|&&literal| !derived.contains(literal));
                let surplus = derived.members.iter().find(|&&literal| !stated.contains(literal));
                if let Some(&literal) = missing.or(surplus) {
                    return Err(CheckError::Conclusion { step: index, literal });
                }
                derived.clear();
            }
        }
        stated.clear();
    }
    Ok(())
}

fn resolve(
    proof: &Proof,
    index: usize,
    first: u32,
    rest: &[(Literal, u32)],
    derived: &mut LiteralSet,
) -> Result<(), CheckError> {
    let clause = |antecedent: u32| {
        let before = &proof.steps[..index];
        let step = before.get(antecedent as usize);
        step.map(|step| &step.literals).ok_or(CheckError::Order { step: index, antecedent })
    };
    for &literal in clause(first)? {
        derived.insert(literal);
    }
    for &(pivot, antecedent) in rest {
        let other = clause(antecedent)?;
        if !derived.remove(pivot) || !other.contains(&!pivot) {
            return Err(CheckError::Pivot { step: index, antecedent, pivot });
        }
        for &literal in other.iter().filter(|&&literal| literal != !pivot) {
            derived.insert(literal);
        }
    }
    Ok(())
}

/// A set of literals with their positions in a list, by index of the literal: 1 + the position, 0
/// for literals outside of the set.
#[derive(Default)]
struct LiteralSet {
    places: Vec<usize>,
    members: Vec<Literal>,
}

impl LiteralSet {
    fn contains(&self, literal: Literal) -> bool {
        self.places.get(literal.index()).is_some_and(|&place| place > 0)
    }

    fn insert(&mut self, literal: Literal) -> bool {
        if self.contains(literal) {
            return false;
        }
        if self.places.len() <= literal.index() {
            self.places.resize(literal.index() + 1, 0);
        }
        self.members.push(literal);
        self.places[literal.index()] = self.members.len();
        true
    }

    fn remove(&mut self, literal: Literal) -> bool {
        if !self.contains(literal) {
            return false;
        }
        let place = self.places[literal.index()] - 1;
        self.places[literal.index()] = 0;
        self.members.swap_remove(place);
        if let Some(moved) = self.members.get(place) {
            self.places[moved.index()] = place + 1;
        }
        true
    }

    fn clear(&mut self) {
        for literal in self.members.drain(..) {
            self.places[literal.index()] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::sat::Variable;

    fn literal(number: i32) -> Literal {
        Literal::new(Variable(number.unsigned_abs() - 1), number > 0)
    }

    fn input(numbers: &[i32]) -> Step {
        Step { literals: numbers.iter().map(|&n| literal(n)).collect(), origin: Origin::Input(0) }
    }

    fn chain(numbers: &[i32], first: u32, rest: &[(i32, u32)]) -> Step {
        let rest = rest.iter().map(|&(pivot, step)| (literal(pivot), step)).collect();
        Step { origin: Origin::Chain { first, rest }, ..input(numbers) }
    }

    fn accept(_: &Step) -> Result<(), String> {
        Ok(())
    }

    fn of(steps: Vec<Step>) -> Proof {
        Proof { steps }
    }

    #[test]
    fn a_refutation_is_accepted() {
        let proof = of(vec![
            input(&[1, 2]),
            input(&[-1, 2]),
            input(&[-2]),
            chain(&[2], 0, &[(1, 1)]),
            chain(&[], 3, &[(2, 2)]),
        ]);
        assert_eq!(check(&proof, &accept), Ok(()));
        assert_eq!(proof.conclusion(), Some(&[][..]));
    }

    #[test]
    fn a_pivot_that_does_not_clash_is_refused() {
        let absent = of(vec![input(&[1]), input(&[-2]), chain(&[], 0, &[(2, 1)])]);
        let error = CheckError::Pivot { step: 2, antecedent: 1, pivot: literal(2) };
        assert_eq!(check(&absent, &accept), Err(error));
        let same = of(vec![input(&[1]), input(&[1, 2]), chain(&[2], 0, &[(1, 1)])]);
        let error = CheckError::Pivot { step: 2, antecedent: 1, pivot: literal(1) };
        assert_eq!(check(&same, &accept), Err(error));
    }

    #[test]
    fn a_wrong_conclusion_is_refused() {
        let steps = vec![input(&[1, 3]), input(&[-1, 2])];
        for stated in [&[3][..], &[2, 3, 4], &[]] {
            let mut steps = steps.clone();
            steps.push(chain(stated, 0, &[(1, 1)]));
            assert!(matches!(check(&of(steps), &accept), Err(CheckError::Conclusion { step: 2, .. })));
        }
    }

    #[test]
    fn later_steps_and_duplicates_are_refused() {
        let later = of(vec![chain(&[1], 1, &[]), input(&[1])]);
        assert_eq!(check(&later, &accept), Err(CheckError::Order { step: 0, antecedent: 1 }));
        let twice = of(vec![input(&[1, 1])]);
        assert_eq!(check(&twice, &accept), Err(CheckError::Duplicate { step: 0, literal: literal(1) }));
    }

    #[test]
    fn leaves_are_shown() {
        let proof = of(vec![input(&[1])]);
        let refuse = |step: &Step| Err(format!("{:?}", step.literals));
        let error = CheckError::Leaf { step: 0, message: "[x0]".to_owned() };
        assert_eq!(check(&proof, &refuse), Err(error));
    }
}
