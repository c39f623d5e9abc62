//! Interpolation along a sequence or tree, one part at a time.
//!
//! # Idea
//! The formula of a long path has no atoms about intermediate states. Any DPLL(T) solver therefore
//! needs a number of conflicts exponential in the number of branching parts to refute it in one
//! proof. This module never looks at the whole path. Each query is about one part, the known facts
//! about its children (their *frames*), and a goal.
//!
//! 1. **Guess** (`guess`): computes the weakest formula that the root needs, if quantifier
//!    elimination succeeds without search, and renames it to earlier versions of its variables. If
//!    the result is inductive, it is the answer, at one check per part. Where a variable is not
//!    shared yet, the prefix of the path becomes a shorter problem.
//! 2. **Uniform** (`uniform`): folds repeated parts into a loop and computes its invariants.
//! 3. **Forward** (`forward`): computes, from the leaves upward and with models, the best
//!    abstraction of each subtree in a domain of equations and literals.
//! 4. **Backward** (`backward`): blocks proof obligations from the root with lemmas, adds the
//!    lemmas to the frames and pushes them toward the root. If this exhausts its budget, the
//!    forward phase computes bounds of rows (`bounds`): first intervals, then octagons. After
//!    octagons the backward phase runs without a budget.
//! 5. **Weaken** (`weaken`): proceeds from the root and keeps only the needed facts, in the form
//!    with the best score.
//!
//! # Sources
//! Symbolic abstraction by models (Reps, Sagiv, Yorsh 2004); proof obligations (Bradley 2011;
//! Komuravelli, Gurfinkel, Chaki 2014); affine relations (Karr 1976; Müller-Olm, Seidl 2005). The
//! submodules list the divergences.
//!
//! # Cost
//! Guess: one check per part. Forward: `O(n)` checks per part with `n` variables; a bound takes a
//! number of checks proportional to its bits. Backward: one check per obligation; the number of
//! obligations is exponential in the worst case, and linear in the number of parts where lemmas
//! generalize. Weaken: `O(c)` checks per part with a core of `c` lemmas.
//!
//! # Limits
//! The projection of bit vectors substitutes values from the model where no operator is invertible.
//! Obligations may then be single points.

mod backward;
mod bounds;
mod candidates;
mod forward;
mod local;
mod tree;
mod uniform;
mod weaken;

#[cfg(test)]
mod tests;

use crate::interpolation::from_proof::simplify::simplify;
use backends::interpolation::{Interpolants, Interpolator, Problem, Score, Shape};
use backends::{Limits, ProverFactory, Reason};
use backward::Progress;
use bounds::Template;
use candidates::Interest;
use local::{Frames, Local};
use std::rc::Rc;
use terms::{Term, TermPool};
use tree::Node;
use weaken::Weakening;

/// The budget of the backward phase before bounds are computed, in checks per part.
const CHECKS_PER_PART: u64 = 12;

/// The minimum number of parts for the uniform phase.
const FEWEST_UNIFORM: usize = 4;

/// The abstract domain of the forward phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Equations and literals.
    Equations,
    /// Upper bounds of rows.
    Bounds(Template),
}

impl Depth {
    /// All domains, in the order in which they are tried.
    const ALL: [Depth; 3] =
        [Depth::Equations, Depth::Bounds(Template::Intervals), Depth::Bounds(Template::Octagons)];
}

/// The part-by-part source, with local queries to any prover.
pub struct Structure {
    factories: Vec<Rc<dyn ProverFactory>>,
    score: Score,
}

impl Structure {
    /// Sends local queries to provers of the first of `factories`; the others may help to eliminate
    /// names.
    pub fn new(factories: Vec<Rc<dyn ProverFactory>>, score: Score) -> Self {
        Structure { factories, score }
    }

    /// Computes the interpolants; returns `None` if the parts are satisfiable.
    fn solve(
        &self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Option<Vec<Term>>, Reason> {
        let nodes = tree::nodes(pool, problem);
        let mut local = Local::new(&*self.factories[0], limits)?;
        let mut frames: Frames = vec![Vec::new(); nodes.len()];
        let is_path = candidates::is_path(problem);
        if is_path && let Some(guessed) = self.guess(pool, &mut local, (&nodes, &frames), limits)? {
            return Ok(Some(guessed));
        }
        let interests = candidates::interests(pool, &nodes);
        if nodes.len() >= FEWEST_UNIFORM
            && let Some(found) = uniform::uniform(pool, &mut local, &nodes, &interests, limits)?
        {
            frames = found.frames;
            let mut is_refuted = found.is_refuted;
            if !is_refuted
                && is_path
                && let Some(guessed) = self.guess(pool, &mut local, (&nodes, &frames), limits)?
            {
                frames.iter_mut().zip(guessed).for_each(|(frame, lemma)| frame.push(lemma));
                is_refuted = true;
            }
            if is_refuted {
                return self.weaken(pool, &mut local, &nodes, &frames, limits).map(Some);
            }
        }
        let context = backward::Context { nodes: &nodes, factories: &self.factories, limits };
        for depth in Depth::ALL {
            abstractions(pool, &mut local, &nodes, &mut frames, &interests, depth, limits)?;
            let budget = match depth {
                Depth::Bounds(Template::Octagons) => u64::MAX,
                _ => CHECKS_PER_PART.saturating_mul(nodes.len() as u64),
            };
            match backward::block(pool, &mut local, &context, &mut frames, budget)? {
                Progress::Refuted => break,
                Progress::Satisfiable => return Ok(None),
                Progress::Exhausted => {}
            }
        }
        self.weaken(pool, &mut local, &nodes, &frames, limits).map(Some)
    }

    /// Computes the weakest formula that the root of a path needs, renames it to the variables of
    /// each node, and returns the results if they are inductive together with the frames. If
    /// renaming fails in the first half of the path because a variable is not shared there, the
    /// prefix is solved as a path of its own. The root of that path is the current part, conjoined
    /// with the negation of the formula needed after it.
    fn guess(
        &self,
        pool: &mut TermPool,
        local: &mut Local,
        (nodes, frames): (&[Node], &Frames),
        limits: &Limits,
    ) -> Result<Option<Vec<Term>>, Reason> {
        let Some(last) = nodes.len().checked_sub(2) else { return Ok(None) };
        let fls = pool.fls();
        let root = &nodes[last + 1].formulas;
        let Some(mut needed) = candidates::weakest(pool, &nodes[last], root, &[fls], limits)? else {
            return Ok(None);
        };
        let mut guessed = vec![needed; last + 1];
        for index in (0..=last).rev() {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            guessed[index] = needed;
            // The part and the guess for its child must entail `needed`.
            let mut refuted = nodes[index].formulas.clone();
            refuted.push(pool.not(needed));
            if index > 0 {
                refuted.extend(&frames[index - 1]);
                let below = &nodes[index - 1];
                let Some(earlier) = tree::transport(pool, needed, &below.down, below) else {
                    if index > last / 2 {
                        return Ok(None);
                    }
                    let before = nodes[..index].iter().map(|node| node.formulas.clone());
                    let rest = Problem::sequence(before.chain([refuted]).collect());
                    // If the prefix does not entail it, the guess was wrong.
                    let Ok(Some(rest)) = self.solve(pool, &rest, limits) else { return Ok(None) };
                    guessed[..index].copy_from_slice(&rest);
                    return Ok(Some(guessed));
                };
                refuted.push(earlier);
                needed = earlier;
            }
            if !local.is_unsatisfiable(pool, &refuted)? {
                return Ok(None);
            }
        }
        Ok(Some(guessed))
    }

    fn weaken(
        &self,
        pool: &mut TermPool,
        local: &mut Local,
        nodes: &[Node],
        frames: &Frames,
        limits: &Limits,
    ) -> Result<Vec<Term>, Reason> {
        Weakening { nodes, frames, score: self.score, limits }.interpolants(pool, local)
    }
}

impl Interpolator for Structure {
    fn name(&self) -> &str {
        "craig"
    }

    fn solver(&self) -> Option<&str> {
        self.factories.first().map(|factory| factory.name())
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        let limits = limits.of_check();
        match self.solve(pool, problem, &limits) {
            Ok(Some(found)) => {
                let simple = found.into_iter().map(|interpolant| simplify(pool, interpolant, &limits));
                simple.collect::<Result<Vec<Term>, Reason>>().into()
            }
            // No local query yields a model of the whole problem.
            Ok(None) => Interpolants::Satisfiable(None),
            Err(reason) => Interpolants::Unknown(reason),
        }
    }
}

/// Adds the abstraction of each subtree to its frame.
fn abstractions(
    pool: &mut TermPool,
    local: &mut Local,
    nodes: &[Node],
    frames: &mut Frames,
    interests: &[Interest],
    depth: Depth,
    limits: &Limits,
) -> Result<(), Reason> {
    for index in 0..nodes.len() - 1 {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let (known, interest) = ((nodes, &*frames), &interests[index]);
        let found = match depth {
            Depth::Equations => forward::abstraction(pool, local, known, index, interest)?,
            Depth::Bounds(template) => bounds::bounds(pool, local, known, index, interest, template, limits)?,
        };
        for term in found {
            if !frames[index].contains(&term) {
                frames[index].push(term);
            }
        }
    }
    Ok(())
}
