//! Backward: proof obligations, as in property-directed reachability.
//!
//! # Idea
//! An *obligation* is a cube over the names that a node shares: states after its subtree from which
//! the rest of the tree can continue. It is *blocked* if the part and the frames of the children
//! exclude it. The negation of an unsatisfiable core of the cube is then a lemma and joins the
//! frame of the node. Otherwise a model is projected to the names of a child, which yields an
//! obligation of the child (Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011;
//! Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for Recursive Programs*, CAV 2014). The
//! problem is refuted when the obligation of the root, the empty cube, is blocked.
//!
//! A node with several children processes one child at a time. A child whose obligation is
//! reachable contributes a *reach fact*, a formula that its subtree admits, and the next child
//! follows. If all children of the root have reach facts, the parts are satisfiable.
//!
//! Where a part applies a shared function at a local argument, finitely many cubes may not cover
//! all states. Obligations therefore start *weaker*: local values are free up to congruence.
//! Blocking a weaker obligation blocks all of its states. If it cannot be blocked, it may be
//! spurious, and the exact projection of its model takes its place.
//!
//! A new lemma is pushed toward the root: renamed to the parent's versions of the same variables as
//! long as it holds there, too.
//!
//! DIVERGENCE: all parts are different and there is no recursion, so there are no levels; a frame
//! holds the facts about one subtree and never shrinks.

use super::local::{Answer, Frames, Local};
use super::tree::{Node, transport};
use backends::interpolation::Quantifiers;
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::symbolic::halves;
use backends::{Limits, ProverFactory, Reason};
use std::rc::Rc;
use terms::{Term, TermPool};

/// The outcome of the backward phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The frames of the root's children contradict the root.
    Refuted,
    /// The parts are satisfiable.
    Satisfiable,
    /// The budget is exhausted.
    Exhausted,
}

/// The states of a cube from which the rest of the tree can really continue.
enum Real {
    /// All states of the cube.
    All,
    /// The states of this cube.
    Only(Term),
    /// Unknown, for this reason.
    Unknown(Reason),
}

/// States after a subtree that must be unreachable.
struct Obligation {
    node: usize,
    cube: Vec<Term>,
    real: Real,
    /// The reach fact of each child, once the child has one.
    reached: Vec<Option<Term>>,
}

/// The inputs of the backward phase beyond frames.
pub(super) struct Context<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) factories: &'a [Rc<dyn ProverFactory>],
    pub(super) limits: &'a Limits,
}

/// Blocks obligations until the root is refuted or `budget` checks are used.
pub(super) fn block(
    pool: &mut TermPool,
    local: &mut Local,
    context: &Context<'_>,
    frames: &mut Frames,
    budget: u64,
) -> Result<Progress, Reason> {
    let nodes = context.nodes;
    let root = nodes.len() - 1;
    let end = local.checks.saturating_add(budget);
    let start = |node: usize, cube: Vec<Term>, real: Real| Obligation {
        node,
        cube,
        real,
        reached: vec![None; nodes[node].children.len()],
    };
    let mut stack = vec![start(root, Vec::new(), Real::All)];
    while let Some(top) = stack.last_mut() {
        if let Some(reason) = context.limits.exceeded() {
            return Err(reason);
        }
        if local.checks >= end {
            return Ok(Progress::Exhausted);
        }
        let node = top.node;
        let child = top.reached.iter().position(Option::is_none);
        let facts: Vec<Term> = top.reached.iter().flatten().copied().collect();
        let assumptions: Vec<Term> = top.cube.iter().chain(&facts).copied().collect();
        let target = child.map_or(node, |child| nodes[node].children[child]);
        let answer = local.check(pool, (nodes, frames), node, &assumptions, |pool, model| {
            let mut conjuncts = nodes[node].formulas.clone();
            conjuncts.extend(&assumptions);
            for (at, &other) in nodes[node].children.iter().enumerate() {
                if top.reached[at].is_none() && Some(at) != child {
                    conjuncts.extend(&frames[other]);
                }
            }
            if node == root && child.is_none() {
                return Ok((pool.tru(), Real::All));
            }
            let mut eliminator = Eliminator::new(context.factories, Quantifiers::Refused, context.limits);
            let shared = &nodes[target].shared;
            let (cube, precision) = eliminator.project_model_weaker(pool, model, &conjuncts, shared)?;
            Ok(match precision {
                Precision::Exact => (cube, Real::All),
                Precision::Weaker => match eliminator.project_model(pool, model, &conjuncts, shared) {
                    Ok(only) => (cube, Real::Only(only)),
                    Err(reason) => (cube, Real::Unknown(reason)),
                },
            })
        })?;
        match (answer, child) {
            (Answer::Sat((cube, real)), Some(_)) => {
                let cube = literals(pool, cube);
                stack.push(start(target, cube, real));
            }
            // All children have reach facts, so this node has one.
            (Answer::Sat((fact, real)), None) => {
                match std::mem::replace(&mut top.real, Real::All) {
                    Real::All => {}
                    Real::Only(cube) => {
                        top.cube = literals(pool, cube);
                        top.reached.fill(None);
                        continue;
                    }
                    Real::Unknown(reason) => return Err(reason),
                }
                let fact = match real {
                    Real::All => fact,
                    Real::Only(fact) => fact,
                    Real::Unknown(reason) => return Err(reason),
                };
                stack.pop();
                let Some(above) = stack.last_mut() else { return Ok(Progress::Satisfiable) };
                let at = nodes[above.node].children.iter().position(|&child| child == node);
                above.reached[at.expect("an obligation lies above its parent's on the stack")] = Some(fact);
            }
            (Answer::Unsat(core), _) => {
                let mut core: Vec<Term> = core.into_iter().map(|index| assumptions[index]).collect();
                if core.iter().any(|literal| facts.contains(literal)) {
                    // The reach facts are too strong: start over with all children, as the frames
                    // may have learned lemmas meanwhile.
                    top.reached.fill(None);
                    core = top.cube.clone();
                }
                let Some(core) = local.core_of_cube(pool, (nodes, frames), node, &core)? else { continue };
                if node == root {
                    return Ok(Progress::Refuted);
                }
                learn(pool, local, nodes, frames, node, &core)?;
                stack.pop();
            }
        }
    }
    Ok(Progress::Refuted)
}

/// The literals of a cube. An equality of numbers becomes two inequalities, because one of them may
/// suffice in a core.
fn literals(pool: &mut TermPool, cube: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for literal in pool.conjuncts(&[cube]) {
        match halves(pool, literal) {
            Some(halves) => found.extend(halves),
            None => found.push(literal),
        }
    }
    found
}

/// Adds the lemma that excludes `core` and pushes it toward the root.
fn learn(
    pool: &mut TermPool,
    local: &mut Local,
    nodes: &[Node],
    frames: &mut Frames,
    node: usize,
    core: &[Term],
) -> Result<(), Reason> {
    let negated: Vec<Term> = core.iter().map(|&literal| pool.not(literal)).collect();
    let mut lemma = pool.or(&negated);
    let mut node = node;
    frames[node].push(lemma);
    while let Some(above) = nodes[node].parent.filter(|&above| above + 1 < nodes.len()) {
        let Some(image) = transport(pool, lemma, &nodes[node].up, &nodes[above]) else { break };
        if frames[above].contains(&image) || !local.implies(pool, (nodes, frames), above, image)? {
            break;
        }
        frames[above].push(image);
        (node, lemma) = (above, image);
    }
    Ok(())
}
