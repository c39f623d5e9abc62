//! Refinement strategies (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018, §3.2, "Refinement Strategies").
//!
//! * *Impact*: each state on the counterexample is strengthened by the fact at its location.
//!   Coverage by a strengthened state is checked again, states that became `false` are removed, and
//!   states that are now covered are closed.
//! * *Predicate*: the atoms of the facts become predicates of the precision at their locations. The
//!   subgraph below the *pivot*, the first state with a new predicate, is removed and explored
//!   again. Predicates of other runs that have arrived are added as well.
//! * *UFO*: both (Albarghouthi, Gurfinkel, Chechik, *From Under-Approximations to
//!   Over-Approximations and Back*, TACAS 2012). The strengthened states exclude the
//!   counterexample, so no subgraph is removed: the predicates serve the states that are found
//!   later.

use super::Counterexample;
use super::facts::AbstractFacts;
use crate::engines::predicate::abstraction::{FALSE, Predicate};
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::arg::Node;
use crate::engines::predicate::config::{Granularity, Restart};
use crate::engines::predicate::solving::Failure;
use backends::symbolic::{atoms, halves};
use terms::{Term, TermPool};
use views::paths::Location;

impl Analysis<'_, '_> {
    /// The predicates made from facts about states.
    pub(super) fn predicates_of(
        &mut self,
        states: &[Node],
        facts: &AbstractFacts,
    ) -> Result<Vec<(Location, Predicate)>, Failure> {
        let formulas: Vec<Vec<Term>> = match facts {
            AbstractFacts::Sequence(facts) => {
                let granularity = self.config.granularity;
                facts.iter().map(|&fact| parts(self.pool, granularity, fact)).collect()
            }
            AbstractFacts::Predicates(predicates) => predicates.clone(),
        };
        let mut found = Vec::new();
        for (&node, formulas) in states.iter().zip(formulas) {
            let location = self.arg[node].location;
            for formula in formulas {
                if let Some(predicate) = self.predicate(formula)? {
                    found.push((location, predicate));
                }
            }
        }
        Ok(found)
    }

    /// The predicate strategy. Returns whether a state of the counterexample has a new predicate.
    pub(super) fn refine_precision(
        &mut self,
        counterexample: &Counterexample,
        found: &[(Location, Predicate)],
    ) -> Result<bool, Failure> {
        let target = *counterexample.states.last().expect("a counterexample has states");
        let mut precision = self.arg[target].precision.clone();
        for &(location, predicate) in found {
            precision.insert(self.config.scope, location, self.function(location), predicate);
        }
        self.shared.extend(&mut precision);
        let mut pivot = None;
        for &node in counterexample.inner() {
            let Location::Block(block) = self.arg[node].location else { continue };
            let old = self.arg[node].precision.clone();
            if self.tracked(&precision, block)?.len() > self.tracked(&old, block)?.len() {
                pivot = Some(node);
                break;
            }
        }
        let Some(pivot) = pivot else { return Ok(false) };
        let root = counterexample.states[0];
        let tops = match self.config.restart {
            Restart::Lazy => vec![pivot],
            Restart::Full => self.arg[root].children.clone(),
        };
        for top in tops {
            for parent in self.remove(top) {
                self.arg[parent].precision = precision.clone();
                self.wait(parent);
            }
        }
        Ok(true)
    }

    /// Adds predicates to the precisions of all states, for successors that are found later.
    pub(super) fn extend_precisions(&mut self, found: &[(Location, Predicate)]) {
        let nodes: Vec<Node> = self.arg.nodes().map(|(node, _)| node).collect();
        for node in nodes {
            for &(location, predicate) in found {
                let function = self.function(location);
                self.arg[node].precision.insert(self.config.scope, location, function, predicate);
            }
            self.shared.extend(&mut self.arg[node].precision);
        }
    }

    /// The Impact strategy: strengthens the states by the facts. Returns whether any state became
    /// stronger.
    pub(super) fn refine_states(&mut self, states: &[Node], facts: &[Term]) -> Result<bool, Failure> {
        let mut changed = Vec::new();
        for (&node, &fact) in states.iter().zip(facts) {
            if !self.arg[node].is_removed && self.strengthen(node, fact)? {
                changed.push(node);
            }
        }
        for &node in &changed {
            if self.arg[node].is_removed {
                continue;
            }
            if self.arg[node].formula == FALSE {
                self.remove(node);
                continue;
            }
            for covered in self.arg[node].covers.clone() {
                if !self.is_below(covered, node)? {
                    self.arg.uncover(covered);
                    self.wait_leaves(covered);
                }
            }
        }
        for &node in &changed {
            if !self.arg[node].is_removed && !self.arg.is_covered(node) && self.try_cover(node)? {
                break;
            }
        }
        Ok(!changed.is_empty())
    }

    /// Conjoins a fact to the formula of an abstraction state unless the formula implies it.
    fn strengthen(&mut self, node: Node, fact: Term) -> Result<bool, Failure> {
        let old = self.arg[node].formula;
        let new = self.abstractions.formula(fact);
        let range = self.range(self.arg[node].location)?;
        if self.abstractions.implies(self.pool, &mut self.solver, old, new, range)? {
            return Ok(false);
        }
        self.arg[node].formula = self.abstractions.strengthen(self.pool, old, fact);
        Ok(true)
    }
}

/// The predicates made from a fact.
fn parts(pool: &mut TermPool, granularity: Granularity, fact: Term) -> Vec<Term> {
    let split = |pool: &mut TermPool, atom: Term| match halves(pool, atom) {
        Some(halves) => halves.to_vec(),
        None => vec![atom],
    };
    match granularity {
        Granularity::Whole => vec![fact],
        Granularity::Atoms => atoms(pool, fact),
        Granularity::Split => atoms(pool, fact).into_iter().flat_map(|atom| split(pool, atom)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Sort;

    #[test]
    fn split_makes_halves_of_equalities_only() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
        let (equal, less) = (pool.eq(x, y), pool.lt(x, y));
        let fact = pool.or2(equal, less);
        let (at_most, at_least) = (pool.le(x, y), pool.le(y, x));
        assert_eq!(parts(&mut pool, Granularity::Whole, fact), [fact]);
        let mut atoms = parts(&mut pool, Granularity::Atoms, fact);
        atoms.sort();
        let mut expected = vec![equal, less];
        expected.sort();
        assert_eq!(atoms, expected);
        let split = parts(&mut pool, Granularity::Split, fact);
        assert!(split.contains(&at_most) && split.contains(&at_least) && !split.contains(&equal));
    }
}
