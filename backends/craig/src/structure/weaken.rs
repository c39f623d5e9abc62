//! Weakening: of what is known only what the rest needs, in the simplest form that there is.
//!
//! # Idea
//! From the root down: given what has to hold after a node (`false` at the root), its children need something from which it follows.
//! For each child in turn there are several answers, of which the one with the best [score](super::score) is taken:
//!
//! * the need of the node itself, said of the child's versions of the variables (so `y = 2x` stays `y = 2x`);
//! * the weakest that suffices, where it is computed without search;
//! * an unsatisfiable core of the child's frame, made smaller by leaving out what scores worst first.
//!
//! The first two have to be shown to hold at the child, from its frames; each costs two checks.

use super::candidates;
use super::local::{Answer, Frames, Local};
use super::score::Score;
use super::tree::{Node, transport};
use backends::{Limits, Reason};
use ir::term::{Term, TermPool};

/// Cores up to this size are minimized.
const MAX_MINIMIZED: usize = 32;

/// Interpolants for all nodes but the root, from frames that contradict it.
pub(super) fn weaken(
    pool: &mut TermPool,
    local: &mut Local,
    nodes: &[Node],
    frames: &Frames,
    score: Score,
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    let root = nodes.len() - 1;
    let mut needed: Vec<Vec<Term>> = vec![Vec::new(); nodes.len()];
    needed[root] = vec![pool.fls()];
    for index in (0..nodes.len()).rev() {
        let own = needed[index].clone();
        if own.is_empty() {
            continue;
        }
        let goal = pool.and(&own);
        // Part, frames of the children that are not done, and what is not to be.
        let children = nodes[index].children.clone();
        for (at, &child) in children.iter().enumerate() {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let mut context = nodes[index].formulas.clone();
            context.extend(children[..at].iter().flat_map(|&done| &needed[done]));
            context.extend(children[at + 1..].iter().flat_map(|&open| &frames[open]));
            needed[child] = need(pool, local, nodes, frames, child, &context, (goal, &own), score, limits)?;
        }
    }
    Ok(needed[..root].iter().map(|conjuncts| pool.and(conjuncts)).collect())
}

#[allow(clippy::too_many_arguments, reason = "one step of the loop above")]
fn need(
    pool: &mut TermPool,
    local: &mut Local,
    nodes: &[Node],
    frames: &Frames,
    child: usize,
    context: &[Term],
    (goal, own): (Term, &[Term]),
    score: Score,
    limits: &Limits,
) -> Result<Vec<Term>, Reason> {
    let mut asserted = context.to_vec();
    asserted.push(pool.not(goal));
    if frames[child].contains(&pool.fls()) {
        // Nothing is reachable; but perhaps nothing is needed either.
        return Ok(if local.is_unsatisfiable(pool, &asserted)? { Vec::new() } else { vec![pool.fls()] });
    }
    let core = match local.alone(pool, &asserted, &frames[child])? {
        Answer::Unsat(core) => core.into_iter().map(|index| frames[child][index]).collect(),
        Answer::Sat(()) => {
            return Err(Reason::Fault("frames that do not contradict what they should".to_owned()));
        }
    };
    let mut best = minimized(pool, local, &asserted, core, score)?;
    let mut best_score = score.of_all(pool, &best);
    let mut others: Vec<Vec<Term>> = Vec::new();
    let images: Option<Vec<Term>> =
        own.iter().map(|&term| transport(pool, term, &nodes[child].down, &nodes[child])).collect();
    others.extend(images);
    if let Some(weakest) = candidates::weakest(pool, &nodes[child], context, own, limits)? {
        others.push(candidates::conjuncts(pool, weakest));
    }
    for other in others {
        let other_score = score.of_all(pool, &other);
        // What the parent needs too is the better one among equals.
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

fn minimized(
    pool: &mut TermPool,
    local: &mut Local,
    asserted: &[Term],
    mut core: Vec<Term>,
    score: Score,
) -> Result<Vec<Term>, Reason> {
    if core.len() > MAX_MINIMIZED {
        return Ok(core);
    }
    core.sort_by_cached_key(|&term| std::cmp::Reverse(score.of(pool, term)));
    let mut at = 0;
    while at < core.len() {
        let mut fewer = core.clone();
        fewer.remove(at);
        match local.alone(pool, asserted, &fewer)? {
            Answer::Unsat(smaller) => {
                core = smaller.into_iter().map(|index| fewer[index]).collect();
                at = at.min(core.len());
            }
            Answer::Sat(()) => at += 1,
        }
    }
    Ok(core)
}
