//! Weakening: keeps only the facts that the rest of the proof needs, in the simplest form found.
//!
//! # Idea
//! Traverses the tree from the root. Given the goal of a node (`false` at the root), its children
//! need formulas that entail the goal. For each child in turn there are up to three candidates, and
//! the one with the best [score](Score) wins:
//!
//! * the goal of the node itself, renamed to the child's versions of the variables (so `y = 2x`
//!   stays `y = 2x`);
//! * the weakest sufficient formula, where it can be computed without search;
//! * an unsatisfiable core of the child's frame, minimized by dropping the conjuncts with the worst
//!   score first.
//!
//! Each of the first two costs two checks: that the child's part and the frames of its children
//! entail it, and that it is sufficient.

use super::candidates;
use super::local::{Frames, Local};
use super::tree::{Node, transport};
use backends::interpolation::Score;
use backends::{Limits, Reason};
use std::cmp::Reverse;
use terms::{Term, TermPool};

/// The input of the weakening phase.
pub(super) struct Weakening<'a> {
    pub(super) nodes: &'a [Node],
    /// The facts known about each subtree; those of the root's children contradict the root.
    pub(super) frames: &'a Frames,
    pub(super) score: Score,
    pub(super) limits: &'a Limits,
}

impl Weakening<'_> {
    /// Computes the interpolants of all nodes but the root.
    pub(super) fn interpolants(&self, pool: &mut TermPool, local: &mut Local) -> Result<Vec<Term>, Reason> {
        let root = self.nodes.len() - 1;
        let mut needed: Vec<Vec<Term>> = vec![Vec::new(); self.nodes.len()];
        needed[root] = vec![pool.fls()];
        for index in (0..self.nodes.len()).rev() {
            let own = needed[index].clone();
            if own.is_empty() {
                continue;
            }
            let children = &self.nodes[index].children;
            for (at, &child) in children.iter().enumerate() {
                if let Some(reason) = self.limits.exceeded() {
                    return Err(reason);
                }
                // The part, the chosen formulas of the children before `child`, and the frames of
                // those after.
                let mut context = self.nodes[index].formulas.clone();
                context.extend(children[..at].iter().flat_map(|&done| &needed[done]));
                context.extend(children[at + 1..].iter().flat_map(|&open| &self.frames[open]));
                needed[child] = self.need(pool, local, child, &context, &own)?;
            }
        }
        Ok(needed[..root].iter().map(|conjuncts| pool.and(conjuncts)).collect())
    }

    /// Returns a formula about `child`, as conjuncts, that entails `own` in `context`.
    fn need(
        &self,
        pool: &mut TermPool,
        local: &mut Local,
        child: usize,
        context: &[Term],
        own: &[Term],
    ) -> Result<Vec<Term>, Reason> {
        let Weakening { nodes, frames, score, limits } = *self;
        let mut asserted = context.to_vec();
        let goal = pool.and(own);
        asserted.push(pool.not(goal));
        let mut known = frames[child].clone();
        known.sort_by_cached_key(|&term| Reverse(score.of(pool, term)));
        let core = local.core_of(pool, &asserted, &known)?;
        let mut best =
            core.ok_or_else(|| Reason::Fault("a child's frame is too weak for the goal".to_owned()))?;
        if score == Score::First {
            return Ok(best);
        }
        let mut best_score = score.of_all(pool, &best);
        let node = &nodes[child];
        let images: Option<Vec<Term>> =
            own.iter().map(|&term| transport(pool, term, &node.down, node)).collect();
        let mut others: Vec<Vec<Term>> = images.into_iter().collect();
        if let Some(weakest) = candidates::weakest(pool, node, context, own, limits)? {
            others.push(pool.conjuncts(&[weakest]));
        }
        for other in others {
            let other_score = score.of_all(pool, &other);
            // Among equal scores, a candidate derived from the parent's goal is preferred.
            if other_score > best_score {
                continue;
            }
            let formula = pool.and(&other);
            let mut with = asserted.clone();
            with.push(formula);
            if local.implies(pool, (nodes, frames), child, formula)? && local.is_unsatisfiable(pool, &with)? {
                (best, best_score) = (other, other_score);
            }
        }
        Ok(best)
    }
}
