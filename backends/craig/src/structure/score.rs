//! Which of several interpolants is the better one.
//!
//! # Idea
//! A proof goes through for the next iteration too if its formulas do not speak of this one. So constants that look like the number of an
//! iteration count against a formula, and so do disjunctions (of points); equations and divisibilities over variables count
//! for it, as does being short.

use ir::term::{Op, Term, TermPool};
use num_traits::Signed;

/// How formulas are compared: the lower, the better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Score {
    /// Few disjunctions, few constants other than -1, 0 and 1, few variables.
    #[default]
    General,
    /// Few operators and symbols.
    Short,
}

impl Score {
    /// The score of a conjunction.
    pub fn of_all(self, pool: &TermPool, conjuncts: &[Term]) -> u64 {
        conjuncts.iter().map(|&term| self.of(pool, term)).sum()
    }

    /// The score of a formula.
    pub fn of(self, pool: &TermPool, formula: Term) -> u64 {
        let mut score = 1;
        pool.visit(
            &[formula],
            |_| true,
            |term| {
                score += match self {
                    Score::Short => 1,
                    Score::General => weight(pool, term),
                }
            },
        );
        score
    }
}

fn weight(pool: &TermPool, term: Term) -> u64 {
    match pool.op(term) {
        Op::Or | Op::Ite | Op::Xor => 12,
        Op::And => 2,
        Op::Symbol(_) => 2,
        Op::IntConst(_) | Op::RealConst(_) | Op::BvConst(_) => {
            // A factor is no counter; but it stands beside its variable, and both count.
            let value = backends::symbolic::integer(pool, term);
            match value {
                Some(value) if value.bits() <= 1 => 0,
                Some(value) if value.abs().bits() <= 3 => 4,
                _ => 6,
            }
        }
        _ => 1,
    }
}
