//! Weakest preconditions with unsatisfiable cores.
//!
//! *Idea.* Backwards from the target, `B_i` describes the states from which the rest of the
//! counterexample is feasible; the weakest precondition of its infeasibility is `¬B_i` (Wendler,
//! *Towards Practical Predicate Analysis*, PhD thesis, University of Passau, 2017, §4.2.3). A block
//! has the form `guard ∧ ⋀ x+ = update`, so `B_{i-1} = ∃ inputs. guard ∧ B_i[x := update]`.
//! Conjuncts outside of an unsatisfiable core of the counterexample are dropped:
//!
//! 1. Compute a core over the conjuncts of all blocks. Equations `x+ = update` are kept for
//!    substitution, but guards outside of the core are dropped.
//! 2. Go backwards: conjunction, substitution of updates, elimination of the other symbols by
//!    model-based projection.
//! 3. After each step, compute a core of `B_{i-1}` with the blocks before it. Conjuncts outside of
//!    the core are dropped, which weakens `B`.
//!
//! The facts `¬B_i` are an inductive sequence if the elimination is exact. If there is no
//! projection for the theories, the conjuncts with symbols to eliminate are dropped, which may make
//! `B` too weak. So the sequence is [certified](super::certify), and discarded if it is not
//! inductive.
//!
//! DIVERGENCE: the thesis takes predicates from the preconditions of the whole path; here the
//! preconditions form a sequence, as Impact requires. The source `newton` of interpolants
//! ([`backends::interpolation`]) applies the same idea to formulas of any form; this one exploits
//! updates, so it eliminates only inputs.
//!
//! *Cost*: a check of the counterexample, and for each block a check of its prefix. Formulas beyond
//! [`LARGEST_FORMULA`] end the attempt.

use super::facts::AbstractFacts;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::formulas::PathClause;
use crate::engines::predicate::solving::{Failure, Solver};
use backends::all_sat::minimal_core;
use backends::{Outcome, Reason};
use horn::frames::Sequence;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::{Substitution, Symbol, Term, TermPool};

/// The largest number of nodes of a formula.
const LARGEST_FORMULA: usize = 4000;
/// The largest number of cubes in a projection.
const LARGEST_PROJECTION: usize = 16;
/// The largest number of conjuncts for which the core of a counterexample is minimized.
const MINIMIZED: usize = 120;

impl Analysis<'_, '_> {
    pub(super) fn weakest_preconditions(
        &mut self,
        blocks: &[Rc<PathClause>],
    ) -> Result<Option<AbstractFacts>, Failure> {
        let Some(core) = self.core_of_blocks(blocks)? else { return Ok(None) };
        let mut bad: Vec<Term> = Vec::new();
        let mut facts = Vec::new();
        for index in (1..blocks.len()).rev() {
            let Some(before) = self.precondition(&blocks[index], &core[index], &bad)? else {
                return Ok(None);
            };
            let Some(needed) = self.needed(&blocks[..index], &before)? else { return Ok(None) };
            bad = needed;
            let all = self.pool.and(&bad);
            if self.pool.dag_size(all) > LARGEST_FORMULA {
                return Ok(None);
            }
            facts.push(self.pool.not(all));
        }
        facts.reverse();
        Ok(self.is_inductive(blocks, &facts)?.then_some(AbstractFacts::Sequence(facts)))
    }

    /// For each block, its conjuncts in a core of the sequence; `None` if the sequence is feasible.
    fn core_of_blocks(&mut self, blocks: &[Rc<PathClause>]) -> Result<Option<Vec<Vec<Term>>>, Failure> {
        let mut sequence = Sequence::default();
        let mut conjuncts: Vec<(usize, Term)> = Vec::new();
        let mut instances = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            sequence.next(self.pool, block);
            for conjunct in self.pool.conjuncts(&[block.constraint]) {
                conjuncts.push((index, conjunct));
                instances.push(sequence.in_last(self.pool, conjunct));
            }
        }
        let core = self.core(&instances)?;
        Ok(core.map(|core| {
            let mut parts = vec![Vec::new(); blocks.len()];
            for at in core {
                let (index, conjunct) = conjuncts[at];
                parts[index].push(conjunct);
            }
            parts
        }))
    }

    /// The indices of an unsatisfiable subset of `formulas`; `None` if they are satisfiable.
    fn core(&mut self, formulas: &[Term]) -> Result<Option<Vec<usize>>, Failure> {
        self.solver.scoped(self.pool, |pool, solver| core(pool, solver, formulas))
    }

    /// The conjuncts of `bad`, over the state after `blocks`, that are in a core with `blocks`.
    fn needed(&mut self, blocks: &[Rc<PathClause>], bad: &[Term]) -> Result<Option<Vec<Term>>, Failure> {
        let mut sequence = Sequence::default();
        let prefix: Vec<Term> = blocks.iter().map(|block| sequence.next(self.pool, block)).collect();
        let instances: Vec<Term> =
            bad.iter().map(|&conjunct| sequence.instance(self.pool, conjunct)).collect();
        let core = self.solver.scoped(self.pool, |pool, solver| {
            for formula in prefix {
                solver.assert(pool, formula)?;
            }
            core(pool, solver, &instances)
        })?;
        Ok(core.map(|core| core.into_iter().map(|index| bad[index]).collect()))
    }

    /// Conjuncts over the state before `block` that over-approximate the states from which `part`
    /// of it leads to `bad`; `None` if they are too large.
    fn precondition(
        &mut self,
        block: &PathClause,
        part: &[Term],
        bad: &[Term],
    ) -> Result<Option<Vec<Term>>, Failure> {
        let mut substitution = Substitution::new();
        for update in block.updates.values() {
            if let Some(value) = update.value {
                substitution.insert(update.after, value);
            }
        }
        let ends: Vec<Term> = bad.iter().map(|&conjunct| block.at_head(self.pool, conjunct)).collect();
        let mut conjuncts = Vec::new();
        for conjunct in part.iter().copied().chain(ends) {
            // An update equation folds to true.
            let substituted = substitution.apply(self.pool, conjunct);
            conjuncts.extend(self.pool.conjuncts(&[substituted]));
        }
        let whole = self.pool.and(&conjuncts);
        if self.pool.dag_size(whole) > LARGEST_FORMULA {
            return Ok(None);
        }
        let local: FxHashSet<Term> = block.inner.iter().copied().chain(block.after()).collect();
        let is_local = |pool: &mut TermPool, term: Term| {
            pool.free_symbols(term).into_iter().any(|symbol| local.contains(&pool.symbol_term(symbol)))
        };
        let (open, mut done): (Vec<Term>, Vec<Term>) =
            conjuncts.into_iter().partition(|&conjunct| is_local(self.pool, conjunct));
        if open.is_empty() {
            return Ok(Some(done));
        }
        let formula = self.pool.and(&open);
        let symbols = self.pool.free_symbols(formula);
        let symbols: Vec<Symbol> =
            symbols.into_iter().filter(|&symbol| local.contains(&self.pool.symbol_term(symbol))).collect();
        match self.eliminate(formula, &symbols) {
            Ok(Some(projection)) => done.push(projection),
            // Dropping the conjuncts with remaining symbols is weaker.
            Ok(None) => {}
            Err(failure) => self.survive(failure)?,
        }
        Ok(Some(done.into_iter().flat_map(|conjunct| self.pool.conjuncts(&[conjunct])).collect()))
    }

    /// `∃ symbols. formula`; `None` if the elimination fails.
    fn eliminate(&mut self, formula: Term, symbols: &[Symbol]) -> Result<Option<Term>, Failure> {
        if let Ok(eliminated) = self.solver.prover.eliminate(self.pool, formula, symbols) {
            let left = self.pool.free_symbols(eliminated);
            return Ok((!left.iter().any(|symbol| symbols.contains(symbol))).then_some(eliminated));
        }
        self.solver.scoped(self.pool, |pool, solver| {
            solver.assert(pool, formula)?;
            let mut cubes = Vec::new();
            while cubes.len() < LARGEST_PROJECTION {
                let cube = match solver.prover.check(pool, &[]) {
                    Outcome::Unsat(_) => return Ok(Some(pool.or(&cubes))),
                    Outcome::Unknown(reason) => return Err(reason.into()),
                    Outcome::Sat(mut model) => match model.project(pool, formula, symbols) {
                        Ok(cube) => cube,
                        Err(Reason::Unsupported(_)) => return Ok(None),
                        Err(reason) => return Err(reason.into()),
                    },
                };
                if pool.free_symbols(cube).iter().any(|symbol| symbols.contains(symbol)) {
                    return Ok(None);
                }
                cubes.push(cube);
                let rest = pool.not(cube);
                solver.assert(pool, rest)?;
            }
            Ok(None)
        })
    }
}

fn core(pool: &TermPool, solver: &mut Solver, formulas: &[Term]) -> Result<Option<Vec<usize>>, Failure> {
    if formulas.len() <= MINIMIZED {
        return Ok(minimal_core(&mut *solver.prover, pool, formulas)?);
    }
    match solver.prover.check(pool, formulas) {
        Outcome::Sat(_) => Ok(None),
        Outcome::Unknown(reason) => Err(reason.into()),
        Outcome::Unsat(mut refutation) => {
            Ok(Some(refutation.unsat_core().unwrap_or_else(|_| (0..formulas.len()).collect())))
        }
    }
}
