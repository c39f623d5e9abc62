//! Path invariants.
//!
//! *Idea.* The *path program* of a counterexample consists of the blocks of its paths, with one cut
//! point for each location, however often the counterexample visits it. So if the counterexample
//! runs through a loop several times, the path program contains the loop. An inductive invariant of
//! the path program that excludes the target refutes the counterexample together with all
//! counterexamples that differ from it only in the numbers of iterations, while interpolants may
//! depend on one number of iterations (Beyer, Henzinger, Majumdar, Rybalchenko, *Path invariants*,
//! PLDI 2007; Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of Passau,
//! 2017, §4.2.3). The crate [`inference`] computes the invariants.
//!
//! DIVERGENCE: a counterexample that has not yet run through a loop contains no loop. So the first
//! attempt extends the path program by the blocks of the [graph](crate::engines::predicate::arg)
//! between locations of the counterexample, among them the iterations that are covered. If this
//! program has no invariant, the path program of the counterexample alone follows.
//!
//! DIVERGENCE: blocks are as large as `blk` makes them, so a block on the counterexample
//! contributes all of its paths.
//!
//! *Cost*: that of [`inference::prove`], up to six times. *Limits*: fails if no
//! conjunction of its templates is an invariant.

use super::Counterexample;
use super::facts::AbstractFacts;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::arg::Kind;
use crate::engines::predicate::solving::Failure;
use horn::System;
use indexmap::IndexSet;
use inference::{Invariants, LEVELS, Spec};
use rustc_hash::FxBuildHasher;
use terms::Term;
use views::paths::{Location, Path};

type Paths = IndexSet<Path, FxBuildHasher>;

impl Analysis<'_, '_> {
    pub(super) fn path_invariants(
        &mut self,
        counterexample: &Counterexample,
    ) -> Result<Option<AbstractFacts>, Failure> {
        if counterexample.inner().is_empty() {
            return Ok(Some(AbstractFacts::Sequence(Vec::new())));
        }
        let (inner, last) = counterexample.paths.split_at(counterexample.paths.len() - 1);
        let own: Paths = inner.iter().copied().collect();
        let between = self.paths_between(&own);
        let mut programs = vec![between];
        if !programs.contains(&own) {
            programs.push(own);
        }
        let mut failure = None;
        for paths in programs {
            let program = self.path_program(&paths, last[0])?;
            for spec in LEVELS.iter().flat_map(|level| level.parse::<Spec>()) {
                let (prover, limits) = (&mut *self.solver.prover, &self.solver.limits);
                let proved = inference::prove(self.pool, prover, &program, &spec, limits);
                match proved {
                    Ok(Some(invariants)) => {
                        let facts = self.facts_of(counterexample, &invariants)?;
                        if self.is_inductive(&counterexample.blocks, &facts)? {
                            return Ok(Some(AbstractFacts::Sequence(facts)));
                        }
                    }
                    Ok(None) => {}
                    Err(reason) => {
                        if let Some(exceeded) = self.solver.limits.exceeded() {
                            return Err(exceeded.into());
                        }
                        failure = Some(reason);
                        break;
                    }
                }
            }
        }
        failure.map_or(Ok(None), |reason| Err(reason.into()))
    }

    /// `own`, and all paths of the graph between locations of `own`.
    fn paths_between(&self, own: &Paths) -> Paths {
        let graph = &self.formulas.paths;
        let is_start =
            |(_, data): &(_, &crate::engines::predicate::arg::NodeData)| data.kind == Kind::Abstraction;
        let all: Paths = self
            .arg
            .nodes()
            .filter(is_start)
            .filter_map(|(node, _)| self.arg.incoming(node))
            .filter(|&path| graph.end_of(path) != Location::Target)
            .collect();
        let mut reaching: IndexSet<Location, FxBuildHasher> =
            own.iter().map(|&path| graph.end_of(path)).collect();
        let mut between = own.clone();
        // Every node of the graph is reachable from the root, where the counterexample starts.
        let mut is_larger = true;
        while is_larger {
            is_larger = false;
            for &path in &all {
                if reaching.contains(&graph.end_of(path)) && between.insert(path) {
                    reaching.insert(Location::Block(graph.start_of(path)));
                    is_larger = true;
                }
            }
        }
        between
    }

    /// The system of `paths`, with a query for the step `last` to the target.
    fn path_program(&mut self, paths: &Paths, last: Path) -> Result<System, Failure> {
        let mut clauses = Vec::with_capacity(paths.len() + 1);
        for path in paths.iter().copied().chain([last]) {
            clauses.push(self.formulas.clause(self.pool, path)?.clause.clone());
        }
        let mut program = self.formulas.relations();
        program.clauses = clauses.into_iter().collect();
        Ok(program)
    }

    fn facts_of(
        &mut self,
        counterexample: &Counterexample,
        invariants: &Invariants,
    ) -> Result<Vec<Term>, Failure> {
        let mut facts = Vec::new();
        for &node in counterexample.inner() {
            let relation = match self.arg[node].location {
                Location::Block(block) => self.formulas.relation(self.pool, block)?,
                Location::Target => None,
            };
            facts.push(relation.map_or(self.pool.tru(), |relation| invariants.term(self.pool, relation)));
        }
        Ok(facts)
    }
}
