//! Interpolants from unsat cores, strongest postconditions and weakest preconditions, with any
//! solver.
//!
//! # Idea
//! The strongest postcondition of a subtree, projected to the names that the rest of the tree
//! shares, is an interpolant: the strongest one. Dually, the negated projection of the rest to the
//! names of the subtree is the weakest one. Both are quantifier eliminations, and the art is to
//! have little to eliminate:
//!
//! 1. **Core.** One check with one assumption for each conjunct of each part; conjuncts outside of
//!    the core are dropped. This removes whole definitions, and the variables that they define are
//!    no longer shared. A small core is minimized within a short time limit. If the check of the
//!    whole problem is too hard, all conjuncts stay.
//! 2. **Forward** ([`Direction::Forward`]), children before parents:
//!    `I_i = ∃ x̄. core(φ_i) ∧ ⋀ I_c`, where `x̄` are all names that are not shared between the
//!    subtree and the rest of the core: the strongest postcondition, projected to live variables.
//!    **Backward** ([`Direction::Backward`]), parents before children: `I_i = ¬J_i` with
//!    `J_i = ∃ x̄. core(φ_p) ∧ J_p ∧ …` for the parent `p`, where the dots stand for the siblings
//!    of `i`: the negated `J` of finished ones, all formulas of the others.
//!    [`elimination`](super::elimination) eliminates the quantifier.
//! 3. **Generalization.** Conjuncts of `I_i` (or `J_i`) that are not in the core of `I_i` together
//!    with the rest are dropped. If an elimination was inexact, this is also its check.
//!
//! # Sources
//! Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of Passau, 2017, §4.2.3,
//! uses predicates of weakest preconditions along the path, reduced by unsat cores. Ultimate's
//! refinement of this name (Dietsch, Heizmann, Musa, Nutz, Podelski, *Craig vs. Newton in Software
//! Model Checking*, ESEC/FSE 2017) builds assertions from strongest postconditions or weakest
//! preconditions of a path whose statements outside of the core are replaced by `havoc`, and
//! projects to live variables.
//!
//! DIVERGENCE: parts are formulas, not statements, so a postcondition is a projection and a `havoc`
//! is a dropped conjunct (Ultimate keeps assignments, as equalities with fresh variables).
//! Wendler's predicates need not be interpolants; ours are, at every node of a tree. Both keep
//! quantifiers that cannot be eliminated; here only [`Quantifiers::Kept`] keeps them, otherwise the
//! source tries the other direction or gives up.
//!
//! # Cost
//! One check of the whole problem, and for each node an elimination and, if its result has several
//! conjuncts, a check of the rest. The first check is out of reach for long paths with branches.
//! The interpolants state everything that is known, so they generalize less than those of other
//! sources: for `x = 0`, then n times `x := x + 2`, the interpolants are `x = 2i`.

use super::elimination::{Eliminator, Precision, Quantifiers};
use super::{Interpolants, Interpolator, Problem, Shape, Witness, reasons, vocabulary};
use crate::{Limits, Outcome, Prover, ProverFactory, Reason, Support};
use std::rc::Rc;
use std::time::Duration;
use terms::{Term, TermPool};

/// The maximal size of cores that are minimized.
const MAX_MINIMIZED: usize = 64;
/// The effort for minimizing a core.
const MINIMIZATION: Duration = Duration::from_millis(500);

/// The direction of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Direction {
    /// Strongest postconditions.
    Forward,
    /// Weakest preconditions.
    Backward,
    /// Forward, and backward if that fails.
    #[default]
    Both,
}

/// The configuration of [`Newton`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct NewtonConfig {
    /// The direction.
    pub direction: Direction,
    /// Whether interpolants may have quantifiers.
    pub quantifiers: Quantifiers,
}

/// The source `newton`.
pub struct Newton {
    /// The first solver decides; all of them may eliminate quantifiers.
    factories: Vec<Rc<dyn ProverFactory>>,
    config: NewtonConfig,
}

impl Newton {
    /// Creates the source over the solver of `factory`.
    pub fn new(factory: Rc<dyn ProverFactory>) -> Self {
        Newton::with(vec![factory], NewtonConfig::default())
    }

    /// Creates the source over the first of `factories`; the others eliminate quantifiers that it
    /// cannot eliminate.
    pub fn with(factories: Vec<Rc<dyn ProverFactory>>, config: NewtonConfig) -> Self {
        Newton { factories, config }
    }

    fn new_prover(&self, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        match self.factories.first() {
            Some(factory) => factory.new_prover("ALL", limits),
            None => Err(Reason::Unsupported("newton requires a solver".to_owned())),
        }
    }
}

impl Interpolator for Newton {
    fn name(&self) -> &str {
        "newton"
    }

    fn solver(&self) -> Option<&str> {
        self.factories.first().map(|factory| factory.name())
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        let core = match self.core(pool, problem, limits) {
            Ok(Ok(core)) => core,
            Ok(Err(witness)) => return Interpolants::Satisfiable(witness),
            Err(reason) => return Interpolants::Unknown(reason),
        };
        match self.config.direction {
            Direction::Forward => self.forward(pool, &core, limits).into(),
            Direction::Backward => self.backward(pool, &core, limits).into(),
            Direction::Both => {
                let half = limits.share(2);
                let forward = match self.forward(pool, &core, &half) {
                    Err(reason) if reason != Reason::Interrupted => reason,
                    answer => return answer.into(),
                };
                let answer = self.backward(pool, &core, limits).map_err(|backward| {
                    let said = [("forward".to_owned(), forward), ("backward".to_owned(), backward)];
                    reasons::join(&said, limits)
                });
                answer.into()
            }
        }
    }
}

/// The result of a check under assumptions.
enum Core {
    /// The indices of sufficient assumptions, ascending.
    Unsat(Vec<usize>),
    /// Values of the constants of the assumptions, if available.
    Sat(Option<Witness>),
    Unknown(Reason),
}

fn check(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term], has_cores: bool) -> Core {
    match prover.check(pool, assumptions) {
        Outcome::Sat(mut model) => {
            let whole = Problem::sequence(vec![assumptions.to_vec()]);
            Core::Sat(Witness::of(pool, &whole, &mut *model))
        }
        Outcome::Unknown(reason) => Core::Unknown(reason),
        Outcome::Unsat(mut refutation) => {
            let all = || (0..assumptions.len()).collect();
            Core::Unsat(if has_cores { refutation.unsat_core().unwrap_or_else(|_| all()) } else { all() })
        }
    }
}

impl Newton {
    fn has_cores(&self) -> bool {
        self.factories.first().is_some_and(|factory| factory.capabilities().unsat_cores == Support::Full)
    }

    /// The problem restricted to the conjuncts of an unsat core; if it is satisfiable, a witness if
    /// available.
    fn core(
        &self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Result<Problem, Option<Witness>>, Reason> {
        let parts: Vec<Vec<Term>> = problem.parts.iter().map(|part| pool.conjuncts(part)).collect();
        let all: Vec<(usize, Term)> = parts
            .iter()
            .enumerate()
            .flat_map(|(part, terms)| terms.iter().map(move |&term| (part, term)))
            .collect();
        let assumptions: Vec<Term> = all.iter().map(|&(_, term)| term).collect();
        let mut prover = self.new_prover(&limits.share(3))?;
        let core = match check(&mut *prover, pool, &assumptions, self.has_cores()) {
            Core::Unsat(core) => self.minimize(&mut *prover, pool, &assumptions, core, limits),
            Core::Sat(witness) => return Ok(Err(witness)),
            Core::Unknown(reason @ (Reason::Unsupported(_) | Reason::Interrupted)) => return Err(reason),
            Core::Unknown(_) => match limits.exceeded() {
                Some(reason) => return Err(reason),
                None => return Ok(Ok(Problem { parts, tree: problem.tree.clone() })),
            },
        };
        let mut parts = vec![Vec::new(); problem.tree.len()];
        for index in core {
            let (part, term) = all[index];
            parts[part].push(term);
        }
        Ok(Ok(Problem { parts, tree: problem.tree.clone() }))
    }

    /// Returns a smaller core: removes one element after the other, within the time limit.
    fn minimize(
        &self,
        prover: &mut dyn Prover,
        pool: &TermPool,
        assumptions: &[Term],
        core: Vec<usize>,
        limits: &Limits,
    ) -> Vec<usize> {
        if !self.has_cores() || core.len() > MAX_MINIMIZED {
            return core;
        }
        let limits = limits.within(MINIMIZATION);
        prover.set_limits(&limits);
        let mut core = core;
        let mut needed = 0;
        while needed < core.len() && limits.exceeded().is_none() {
            let mut fewer = core.clone();
            fewer.remove(needed);
            let terms: Vec<Term> = fewer.iter().map(|&index| assumptions[index]).collect();
            match check(prover, pool, &terms, true) {
                Core::Unsat(smaller) => {
                    // Elements needed by a set are needed by its subsets, so the next candidate
                    // keeps its position.
                    core = smaller.into_iter().map(|at| fewer[at]).collect();
                    needed = needed.min(core.len());
                }
                Core::Sat(_) | Core::Unknown(_) => needed += 1,
            }
        }
        core
    }

    fn forward(&self, pool: &mut TermPool, core: &Problem, limits: &Limits) -> Result<Vec<Term>, Reason> {
        let tree = &core.tree;
        let children = tree.children();
        let shared = vocabulary::shared(pool, core);
        let mut prover = self.new_prover(limits)?;
        let mut eliminator = Eliminator::new(&self.factories, self.config.quantifiers, limits);
        let mut known: Vec<Vec<Term>> = Vec::with_capacity(tree.len());
        for node in 0..tree.root() {
            let mut premise = core.parts[node].clone();
            premise.extend(children[node].iter().flat_map(|&child| &known[child]));
            let projection = eliminator.project(pool, &premise, &shared[node])?;
            // The rest, with finished subtrees replaced by their interpolants.
            let unfinished = core.parts[node + 1..].iter().flatten();
            let finished = (0..node)
                .filter(|&done| tree.parent(done).is_some_and(|above| above > node))
                .flat_map(|done| &known[done]);
            let rest: Vec<Term> = unfinished.chain(finished).copied().collect();
            let conjuncts = if rest.is_empty() {
                vec![pool.fls()]
            } else {
                self.generalize(
                    &mut *prover,
                    pool,
                    projection.conjuncts,
                    projection.precision,
                    &rest,
                    limits,
                )?
            };
            known.push(conjuncts);
        }
        Ok(known.iter().map(|conjuncts| pool.and(conjuncts)).collect())
    }

    fn backward(&self, pool: &mut TermPool, core: &Problem, limits: &Limits) -> Result<Vec<Term>, Reason> {
        let tree = &core.tree;
        let children = tree.children();
        let shared = vocabulary::shared(pool, core);
        let mut prover = self.new_prover(limits)?;
        let mut eliminator = Eliminator::new(&self.factories, self.config.quantifiers, limits);
        // J of each node; the root has nothing to avoid.
        let mut avoided: Vec<Vec<Term>> = vec![Vec::new(); tree.len()];
        let mut interpolants = vec![pool.tru(); tree.root()];
        for node in (0..tree.root()).rev() {
            let below = subtree(core, node);
            if below.is_empty() {
                avoided[node] = vec![pool.fls()];
                continue;
            }
            let above = tree.parent(node).expect("only the root has no parent");
            let mut premise = core.parts[above].clone();
            premise.extend(&avoided[above]);
            for &sibling in &children[above] {
                if sibling > node {
                    premise.push(interpolants[sibling]);
                } else if sibling < node {
                    premise.extend(subtree(core, sibling));
                }
            }
            let projection = eliminator.project(pool, &premise, &shared[node])?;
            let (conjuncts, precision) = (projection.conjuncts, projection.precision);
            avoided[node] = self.generalize(&mut *prover, pool, conjuncts, precision, &below, limits)?;
            let all = pool.and(&avoided[node]);
            interpolants[node] = pool.not(all);
        }
        Ok(interpolants)
    }

    /// The conjuncts that are needed for a contradiction with `rest`.
    fn generalize(
        &self,
        prover: &mut dyn Prover,
        pool: &TermPool,
        conjuncts: Vec<Term>,
        precision: Precision,
        rest: &[Term],
        limits: &Limits,
    ) -> Result<Vec<Term>, Reason> {
        if conjuncts.contains(&pool.fls()) {
            return Ok(vec![pool.fls()]);
        }
        if precision == Precision::Exact && (conjuncts.len() <= 1 || !self.has_cores()) {
            return Ok(conjuncts);
        }
        prover.set_limits(&limits.share(4));
        let assumptions: Vec<Term> = conjuncts.iter().chain(rest).copied().collect();
        match check(prover, pool, &assumptions, self.has_cores()) {
            Core::Unsat(core) => Ok(core
                .into_iter()
                .filter(|&index| index < conjuncts.len())
                .map(|index| conjuncts[index])
                .collect()),
            Core::Sat(_) if precision == Precision::Weaker => {
                Err(Reason::Unsupported("a local name could not be eliminated".to_owned()))
            }
            Core::Sat(_) => {
                Err(Reason::Incomplete("the projection to shared names does not refute the rest".to_owned()))
            }
            Core::Unknown(reason) => match (limits.exceeded(), precision) {
                (Some(exceeded), _) => Err(exceeded),
                (None, Precision::Exact) => Ok(conjuncts),
                (None, Precision::Weaker) => Err(reason),
            },
        }
    }
}

/// The formulas in the subtree of `top`.
fn subtree(problem: &Problem, top: usize) -> Vec<Term> {
    let is_below = problem.tree.subtree(top);
    problem
        .parts
        .iter()
        .zip(is_below)
        .filter(|(_, is_below)| *is_below)
        .flat_map(|(part, _)| part)
        .copied()
        .collect()
}
