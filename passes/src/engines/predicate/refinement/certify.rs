//! Checks whether facts are an inductive sequence.

use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::formulas::PathClause;
use crate::engines::predicate::solving::Failure;
use std::rc::Rc;
use terms::Term;

impl Analysis<'_, '_> {
    /// Whether each of `blocks` leads only from the fact before it to the fact after it, and the
    /// last block is infeasible from its fact: one query each. The facts are over the variables of
    /// the states between the blocks.
    pub(super) fn is_inductive(
        &mut self,
        blocks: &[Rc<PathClause>],
        facts: &[Term],
    ) -> Result<bool, Failure> {
        if facts.len() + 1 != blocks.len() {
            return Ok(false);
        }
        let mut premise = self.pool.tru();
        for (index, block) in blocks.iter().enumerate() {
            let fact = facts.get(index).copied().unwrap_or(self.pool.fls());
            let conclusion = block.at_head(self.pool, fact);
            let violation = self.pool.not(conclusion);
            let query = self.pool.and(&[premise, block.constraint, violation]);
            if query != self.pool.fls() && self.solver.is_satisfiable(self.pool, &[query])? {
                return Ok(false);
            }
            premise = fact;
        }
        Ok(true)
    }
}
