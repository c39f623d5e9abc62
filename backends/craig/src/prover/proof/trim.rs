//! Removal of steps that the conclusion does not need.

use super::{Origin, Proof, Step};

/// Returns the proof with only the steps that its last step needs, in the same order.
///
/// # Panics
///
/// If a chain uses a step that does not precede it: such a proof fails [`check`](super::check).
pub fn trim(proof: &Proof) -> Proof {
    let mut needed = vec![false; proof.steps.len()];
    if let Some(last) = needed.last_mut() {
        *last = true;
    }
    for (index, step) in proof.steps.iter().enumerate().rev() {
        if needed[index]
            && let Origin::Chain { first, rest } = &step.origin
        {
            for antecedent in std::iter::once(*first).chain(rest.iter().map(|&(_, step)| step)) {
                assert!((antecedent as usize) < index, "antecedents come first");
                needed[antecedent as usize] = true;
            }
        }
    }
    let mut moved = vec![0; proof.steps.len()];
    let mut steps: Vec<Step> = Vec::new();
    for (index, step) in proof.steps.iter().enumerate().filter(|&(index, _)| needed[index]) {
        moved[index] = steps.len() as u32;
        let mut step = step.clone();
        if let Origin::Chain { first, rest } = &mut step.origin {
            *first = moved[*first as usize];
            rest.iter_mut().for_each(|(_, step)| *step = moved[*step as usize]);
        }
        steps.push(step);
    }
    Proof { steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::sat::{Literal, Variable};

    #[test]
    fn only_what_is_needed_stays() {
        let x = Literal::positive(Variable(0));
        let step = |literals: &[Literal], origin| Step { literals: literals.to_vec(), origin };
        let proof = Proof {
            steps: vec![
                step(&[x, !x], Origin::Input(1)),
                step(&[x], Origin::Input(2)),
                step(&[!x], Origin::Lemma(3)),
                step(&[], Origin::Chain { first: 1, rest: vec![(x, 2)] }),
            ],
        };
        let trimmed = trim(&proof);
        let origins: Vec<&Origin> = trimmed.steps.iter().map(|step| &step.origin).collect();
        let chain = Origin::Chain { first: 0, rest: vec![(x, 1)] };
        assert_eq!(origins, [&Origin::Input(2), &Origin::Lemma(3), &chain]);
        assert_eq!(trim(&trimmed), trimmed);
        assert_eq!(trim(&Proof::default()), Proof::default());
    }
}
