//! Interpolation along a sequence or tree, part by part.
//!
//! # Idea
//! One proof of a long path formula needs exponentially many conflicts in the number of its branching parts for any DPLL(T) solver, as no fact
//! about the middle of the path exists as an atom. So nothing here ever looks at the whole path: every query is about one
//! part, what is known of its children (its *frames*), and what is asked of it.
//!
//! 1. **Guess** (`guess`): what the root needs, if it can be computed, said of earlier versions of the same variables; if that is inductive,
//!    it is the answer, for one check a part. Where a variable is not shared yet, what is before is a shorter problem.
//! 2. **Uniform** (`uniform`): parts that repeat are folded to a loop, and its invariants are computed.
//! 3. **Forward** (`forward`): from the leaves, the best abstraction of each subtree in a domain of equations and
//!    literals, by models.
//! 4. **Backward** (`backward`): proof obligations from the root, blocked by lemmas that are added to the frames and pushed along.
//!    If a budget is used up, forward once more with bounds of rows (`bounds`): intervals, then octagons, and then without a budget.
//! 5. **Weaken** (`weaken`): from the root, only what is needed, in the form that scores best.
//!
//! # Sources
//! Symbolic abstraction by models (Reps, Sagiv, Yorsh 2004); proof obligations (Bradley 2011; Komuravelli, Gurfinkel, Chaki
//! 2014); affine relations (Karr 1976; Müller-Olm, Seidl 2005). The modules say where we differ.
//!
//! # Cost
//! Guess: a check a part. Forward: `O(n)` checks for each part with `n` variables; a bound takes as many as it has bits. Backward: as many as obligations,
//! exponential in the worst case, linear in the number of parts where lemmas generalize. Weaken: `O(c)` checks for each part
//! with a core of `c` lemmas.
//!
//! # Limits
//! A projection of bit vectors takes values where no operator can be inverted, so obligations may be points then.

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

/// Checks of obligations before bounds are computed, for each part.
const CHECKS_PER_PART: u64 = 12;

/// Fewer parts than this repeat nothing.
const FEWEST_UNIFORM: usize = 4;

/// What forward computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Equations and literals.
    Equations,
    /// Bounds of rows.
    Bounds(Template),
}

impl Depth {
    /// In the order in which they are tried.
    const ALL: [Depth; 3] =
        [Depth::Equations, Depth::Bounds(Template::Intervals), Depth::Bounds(Template::Octagons)];
}

/// The structure half as a source, with local queries to any prover.
pub struct Structure {
    factories: Vec<Rc<dyn ProverFactory>>,
    score: Score,
}

impl Structure {
    /// Local queries go to provers of the first of `factories`; the others may help to eliminate names.
    pub fn new(factories: Vec<Rc<dyn ProverFactory>>, score: Score) -> Self {
        Structure { factories, score }
    }

    /// The interpolants; none if the parts are satisfiable.
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

    /// What the root of a path needs, said of each node, if that is inductive together with the frames. Where variables are not shared yet,
    /// in the first half, what is left is a path of its own, whose root is that it does not imply what is needed after it.
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
            // The part and what is said of the child imply what is needed.
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
                    // If it does not imply it, the guess was wrong.
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
            // No query has a model of the whole.
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
