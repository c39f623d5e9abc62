//! Refinement: from an abstract counterexample to a feasible path, or to a finer abstraction.
//!
//! *A Unifying View on SMT-Based Software Verification*, §3.2, in its four steps: the abstract counterexample is the
//! sequence of abstraction states from the root; one query decides whether the conjunction of its block formulas has a model; if
//! not, abstract facts are found, here the sequence of interpolants; a strategy uses them.
//!
//! * *Impact*: each state on the counterexample is strengthened by the fact at its place; coverage that rested on a weaker formula is
//!   checked again; what is `false` now is removed; what is covered now is closed.
//! * *Predicate*: the atoms of the facts become predicates of the precision at their places; what lies below the *pivot*, the first
//!   state that has a new predicate, is removed and explored again.
//!
//! Forced covering (§3.3) is the same with another goal: that the formula of the candidate holds at the end of a path that starts at the
//! nearest common ancestor.

use super::abstraction::{FALSE, Formula};
use super::algorithm::Analysis;
use super::arg::{Kind, Node};
use super::config::{ForcedCovering, Granularity, Refinement, Restart};
use super::formulas::{BlockFormula, Frames};
use super::precision::Precision;
use super::solving::Failure;
use backends::{AssertionId, Outcome, Reason};
use ir::term::{Op, Sort, Term, TermPool};
use ir::views::paths::Path;
use std::rc::Rc;
use std::time::Instant;

/// What became of an abstract counterexample.
#[derive(Debug)]
pub(crate) enum Refined {
    /// It is feasible as far as the formulas tell.
    Feasible,
    /// It is not, and `reached` is finer now.
    Infeasible,
    /// It is not, but no fact was new.
    NoProgress,
}

/// Facts for the states after each block of a sequence but the last.
enum Answer {
    Satisfiable,
    Facts(Vec<Term>),
}

impl Analysis<'_, '_> {
    /// Looks at the abstract counterexample that ends in `error`.
    pub(crate) fn refine(&mut self, error: Node) -> Result<Refined, Failure> {
        let branch = self.arg.branch(error);
        let blocks = self.blocks(&branch)?;
        let top = self.pool.tru();
        let facts = match self.interpolate(top, &blocks, top)? {
            Answer::Satisfiable => return Ok(Refined::Feasible),
            Answer::Facts(facts) => facts,
        };
        self.solver.statistics.refinements += 1;
        // The states between the root and the error.
        let inner = &branch[1..branch.len() - 1];
        let mut progress = false;
        if matches!(self.config.refinement, Refinement::Predicate | Refinement::Ufo) {
            progress |= self.refine_precision(&branch, inner, &facts)?;
        }
        if matches!(self.config.refinement, Refinement::Impact)
            || (self.config.refinement == Refinement::Ufo && !progress)
        {
            progress |= self.refine_states(inner, &facts)?;
            if !self.arg[error].is_removed {
                self.remove(error);
                progress = true;
            }
        }
        Ok(if progress { Refined::Infeasible } else { Refined::NoProgress })
    }

    fn blocks(&mut self, branch: &[Node]) -> Result<Vec<Rc<BlockFormula>>, Failure> {
        let paths: Vec<Path> = branch[1..].iter().filter_map(|&node| self.arg.incoming(node)).collect();
        paths.into_iter().map(|path| Ok(self.formulas.block(self.pool, path)?)).collect()
    }

    /// Whether the sequence of `blocks` can be run from a state with `premise` to one with `goal`; if not, facts in between. All over the
    /// variables of states.
    fn interpolate(
        &mut self,
        premise: Term,
        blocks: &[Rc<BlockFormula>],
        goal: Term,
    ) -> Result<Answer, Failure> {
        let mut frames = Frames::default();
        let mut parts: Vec<Vec<Term>> = Vec::with_capacity(blocks.len());
        // What the variables of each fact are instances of.
        let mut at_end = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.iter().enumerate() {
            let mut part = if index == 0 { vec![premise] } else { Vec::new() };
            part.push(frames.next(self.pool, block));
            parts.push(part);
            at_end.push(());
        }
        let goal = frames.instance(self.pool, goal);
        if let Some(last) = parts.last_mut() {
            last.push(goal);
        }
        let start = Instant::now();
        let pool = &mut *self.pool;
        let result = self.solver.scoped(pool, |pool, solver| {
            let mut ids: Vec<Vec<AssertionId>> = Vec::with_capacity(parts.len());
            for part in &parts {
                let mut own = Vec::new();
                for &formula in part {
                    own.push(solver.assert(pool, formula)?);
                }
                ids.push(own);
            }
            match solver.prover.check(pool, &[]) {
                Outcome::Sat(_) => Ok(Answer::Satisfiable),
                Outcome::Unknown(reason) => Err(Failure::Solver(reason)),
                Outcome::Unsat(mut refutation) => {
                    let facts = match ids.len() {
                        0 | 1 => Vec::new(),
                        _ => refutation.sequence(pool, &ids)?,
                    };
                    Ok(Answer::Facts(facts))
                }
            }
        });
        self.solver.statistics.interpolation += start.elapsed();
        Ok(match result? {
            Answer::Satisfiable => Answer::Satisfiable,
            Answer::Facts(facts) => {
                let generic = facts.into_iter().map(|fact| frames.generic(self.pool, fact));
                Answer::Facts(generic.collect())
            }
        })
    }

    /// The predicate strategy. Whether a predicate is new somewhere.
    fn refine_precision(&mut self, branch: &[Node], inner: &[Node], facts: &[Term]) -> Result<bool, Failure> {
        let error = branch[branch.len() - 1];
        let mut found = Precision::default();
        for (&node, &fact) in inner.iter().zip(facts) {
            let place = self.arg[node].place;
            let mut formulas = Vec::new();
            match self.config.granularity {
                Granularity::Atoms => atoms(self.pool, fact, &mut formulas),
                Granularity::Whole => formulas.push(fact),
            }
            for formula in formulas {
                if let Some(predicate) = self.abstractions.predicate(self.pool, formula) {
                    let function = self.function(place).to_owned();
                    found.insert(self.config.scope, place, &function, predicate);
                }
            }
        }
        let mut precision = self.arg[error].precision.clone();
        precision.join(&found);
        let is_finer = |analysis: &Self, node: Node| {
            let data = &analysis.arg[node];
            let function = analysis.function(data.place);
            precision.at(data.place, function).len() > data.precision.at(data.place, function).len()
        };
        let Some(&pivot) = inner.iter().find(|&&node| is_finer(self, node)) else { return Ok(false) };
        let top = match self.config.restart {
            Restart::Lazy => pivot,
            Restart::Full => inner[0],
        };
        for parent in self.remove(top) {
            self.arg[parent].precision = precision.clone();
            self.wait(parent);
        }
        Ok(true)
    }

    /// The Impact strategy: strengthens the states by the facts. Whether one became stronger.
    fn refine_states(&mut self, states: &[Node], facts: &[Term]) -> Result<bool, Failure> {
        let mut changed = Vec::new();
        for (&node, &fact) in states.iter().zip(facts) {
            if self.strengthen(node, fact)? {
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

    /// Conjoins a fact to the formula of an abstraction state, unless it is implied.
    fn strengthen(&mut self, node: Node, fact: Term) -> Result<bool, Failure> {
        let old = self.arg[node].formula;
        let fact_formula: Formula = self.abstractions.formula(fact);
        let range = match self.arg[node].place {
            ir::views::paths::Place::Block(block) => self.formulas.range(self.pool, block)?,
            _ => self.pool.tru(),
        };
        if self.abstractions.implies(self.pool, &mut self.solver, old, fact_formula, range)? {
            return Ok(false);
        }
        self.arg[node].formula = self.abstractions.strengthen(self.pool, old, fact);
        Ok(true)
    }

    /// `fcover`: strengthens the branch of `node` so that it is covered, if it can be.
    pub(crate) fn force_cover(&mut self, node: Node) -> Result<bool, Failure> {
        if self.config.forced_covering == ForcedCovering::Id || self.arg[node].kind != Kind::Abstraction {
            return Ok(false);
        }
        for candidate in self.arg.candidates(node) {
            let start = Instant::now();
            let is_forced = self.force_cover_by(node, candidate);
            self.solver.statistics.forced_covering += start.elapsed();
            self.solver.statistics.forced_coverings += 1;
            match is_forced {
                Ok(true) => {
                    self.solver.statistics.successful_forced_coverings += 1;
                    return Ok(true);
                }
                Ok(false) => {}
                // An optimization is not worth a failure.
                Err(Failure::Solver(Reason::Interrupted)) => return Err(Reason::Interrupted.into()),
                Err(_) => {}
            }
        }
        Ok(false)
    }

    fn force_cover_by(&mut self, node: Node, candidate: Node) -> Result<bool, Failure> {
        let (mine, other) = (self.arg.branch(node), self.arg.branch(candidate));
        let common = mine.iter().zip(&other).take_while(|(a, b)| a == b).count();
        let Some(ancestor) = common.checked_sub(1) else { return Ok(false) };
        let branch = &mine[ancestor..];
        let blocks = self.blocks(branch)?;
        let premise = self.abstractions.term(self.arg[branch[0]].formula);
        let wanted = self.abstractions.term(self.arg[candidate].formula);
        let goal = self.pool.not(wanted);
        let facts = match self.interpolate(premise, &blocks, goal)? {
            Answer::Satisfiable => return Ok(false),
            Answer::Facts(facts) => facts,
        };
        let states: Vec<Node> = branch[1..].to_vec();
        let facts: Vec<Term> = facts.into_iter().chain([wanted]).collect();
        self.refine_states(&states, &facts)?;
        if self.arg[node].is_removed || self.arg.is_covered(node) {
            return Ok(true);
        }
        self.arg.cover(node, candidate);
        Ok(true)
    }
}

/// The atoms of a formula: its largest subformulas without Boolean operators.
fn atoms(pool: &TermPool, formula: Term, found: &mut Vec<Term>) {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let children = pool.children(term);
        match pool.op(term) {
            Op::True | Op::False => {}
            Op::Not | Op::And | Op::Or | Op::Xor => stack.extend(children.iter().rev()),
            Op::Ite if pool.sort(term) == Sort::Bool => stack.extend(children.iter().rev()),
            Op::Eq if pool.sort(children[0]) == Sort::Bool => stack.extend(children.iter().rev()),
            _ => found.push(term),
        }
    }
}
