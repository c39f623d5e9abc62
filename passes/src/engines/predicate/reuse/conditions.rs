//! Conditions of the program as initial predicates.
//!
//! The conditions of assumptions, branches and assertions are likely predicates: what the program
//! tests is what it depends on. Those over the variables of a loop head become predicates there,
//! first the conditions that exclude an error at once, then the others in the order of the program.
//! The source is the vocabulary of the [inference](inference::literals) of invariants.
//!
//! *Limits.* At most [`MOST`] conditions for each loop, because a Boolean abstraction over n
//! predicates has up to 2ⁿ cubes. Only loop heads have conditions.

use crate::engines::predicate::abstraction::Predicate;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::config::Scope;
use crate::engines::predicate::injection::SymbolMap;
use crate::engines::predicate::solving::Failure;
use crate::invariants::Fact;
use crate::transitions::{TransitionError, TransitionSystem};
use encode::Theories;
use inference::literals;
use program::ssa::Program;
use views::paths::Location;

/// The largest number of conditions at a loop head.
const MOST: usize = 8;

/// The reason why there is no initial precision.
#[derive(Debug, thiserror::Error)]
enum Unseeded {
    #[error(transparent)]
    System(#[from] TransitionError),
    #[error(transparent)]
    Predicate(#[from] Failure),
}

impl Analysis<'_, '_> {
    /// Adds conditions of the program of this analysis to the precision of the initial state. The
    /// statistics have the reason if the program has no transition system.
    pub(in crate::engines::predicate) fn seed_conditions(&mut self, program: &Program, theories: Theories) {
        if let Err(error) = self.try_seed_conditions(program, theories) {
            self.solver.statistics.reuse.no_conditions = Some(error.to_string());
        }
    }

    fn try_seed_conditions(&mut self, program: &Program, theories: Theories) -> Result<(), Unseeded> {
        let system = TransitionSystem::new(self.pool, program, theories)?;
        let symbols = SymbolMap::new(self.pool, &system, &mut self.formulas)?;
        let literals = literals(self.pool, &system.system);
        let root = self.root();
        let mut precision = self.arg[root].precision.clone();
        let mut count = 0;
        for (relation, state) in system.states.iter() {
            let mut found: Vec<Predicate> = Vec::new();
            for &literal in &literals[relation] {
                let Some(formula) = symbols.to_analysis(self.pool, &Fact { at: relation, formula: literal })
                else {
                    continue;
                };
                if let Some(predicate) = self.predicate(formula)?
                    && !found.contains(&predicate)
                {
                    found.push(predicate);
                }
                if found.len() == MOST {
                    break;
                }
            }
            count += found.len() as u64;
            for predicate in found {
                precision.insert(Scope::Location, Location::Block(state.block), None, predicate);
            }
        }
        self.arg[root].precision = precision;
        self.solver.statistics.reuse.conditions = count;
        Ok(())
    }
}
