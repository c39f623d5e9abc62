//! Preferences among interpolants, for sources that have a choice.
//!
//! # Idea
//! A proof carries over to the next loop iteration only if its formulas do not mention the current
//! one. Therefore the [general](Score::General) score penalizes constants that look like an
//! iteration count, disjunctions (of points) and variables. Equations and divisibilities cost less
//! than equivalent inequalities or points.

use crate::symbolic::integer;
use num_traits::Signed;
use terms::{Op, Term, TermPool};

/// The preference among several possible answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Preference {
    /// The order among several answers.
    pub score: Score,
    /// The strength of interpolants that are read from one proof.
    pub strength: Strength,
}

terms::choice! {
    /// The strength of the interpolants of one proof.
    #[derive(Default, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    Strength {
        #[default]
        Strongest = "strongest", "as strong as the proof allows: McMillan's labelling";
        Balanced = "balanced", "in between: Pudlák's labelling";
        Weakest = "weakest", "as weak as the proof allows: the inverse of McMillan's";
    }
}

terms::choice! {
    /// The score that compares formulas: lower is better.
    #[derive(Default, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    Score {
        #[default]
        General = "general", "formulas that generalize to other iterations: few disjunctions, few constants other than -1, 0 and 1, few variables; an equation or a divisibility rather than points";
        Variables = "variables", "few variables, then few operators";
        Short = "short", "few operators and variables";
        First = "first", "no comparison: the interpolant that is found first";
    }
}

impl Score {
    /// The score of a conjunction.
    pub fn of_all(self, pool: &TermPool, conjuncts: &[Term]) -> u64 {
        let mut score = conjuncts.len() as u64;
        if self != Score::First {
            pool.visit(conjuncts, |_| true, |term| score = score.saturating_add(self.weight(pool, term)));
        }
        score
    }

    /// The score of a formula.
    pub fn of(self, pool: &TermPool, formula: Term) -> u64 {
        self.of_all(pool, &[formula])
    }

    fn weight(self, pool: &TermPool, term: Term) -> u64 {
        match (self, pool.op(term)) {
            (Score::General, op) => general_weight(pool, term, op),
            (Score::Variables, Op::Symbol(_)) => 1 << 32,
            _ => 1,
        }
    }
}

fn general_weight(pool: &TermPool, term: Term, op: Op) -> u64 {
    match op {
        Op::Or | Op::Ite | Op::Xor => 12,
        Op::And | Op::Symbol(_) => 2,
        Op::IntConst(_) | Op::RealConst(_) | Op::BvConst(_) => {
            // A factor is not an iteration count, but it is counted beside its variable anyway.
            match integer(pool, term) {
                Some(value) if value.bits() <= 1 => 0,
                Some(value) if value.abs().bits() <= 3 => 4,
                _ => 6,
            }
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Sort;

    #[test]
    fn scores_prefer_what_they_say() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
        let [two, seven] = [2, 7].map(|value| pool.int(value));
        let double = pool.mul(two, x);
        let equation = pool.eq(y, double);
        let at_seven = pool.eq(x, seven);
        let at_two = pool.eq(x, two);
        let points = pool.or(&[at_seven, at_two]);
        let [of_equation, of_points] = [equation, points].map(|term| Score::General.of(&pool, term));
        assert!(of_equation < of_points, "{of_equation} {of_points}");
        let [of_equation, of_points] = [equation, points].map(|term| Score::Variables.of(&pool, term));
        assert!(of_points < of_equation, "{of_equation} {of_points}");
        assert!(Score::Short.of(&pool, at_seven) < Score::Short.of(&pool, equation));
        assert_eq!(Score::First.of(&pool, equation), Score::First.of(&pool, points));
    }
}
