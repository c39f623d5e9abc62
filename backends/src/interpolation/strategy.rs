//! Sequences and trees from smaller problems (002, §2.6).
//!
//! Every strategy works with every source: it takes the source's answers to smaller problems and puts them together. None
//! of them is believed; what comes out is certified as a whole. In the following n is the number of parts, `st(v)` the
//! subtree of `v` (with `v`), `L(v)` its formulas.
//!
//! # Tree from binary (002, Alg. 7 and 8), and sequential
//! Children before parents, `I(v)` is the binary interpolant of `S(st(v), v)` against `S(V ∖ st(v), root)`, where `S(V', v)` is
//! `I(v)` if that is known, and `L(v) ∧ ⋀ S(V', child)` otherwise (Alg. 8). So A is `L(v)` with the interpolants of the children,
//! and B the rest of the tree in which finished subtrees are replaced by their interpolants. The result is always a tree
//! interpolant if the binary ones are interpolants: `A ⇒ I(v)` is the inductive condition, `I(v) ∧ B` unsatisfiable the
//! premise of what follows, and no name of A or B is one of the wrong side, because interpolants only have shared ones.
//! Cost: n − 1 binary problems; A is small, B is the rest. On a path this is sequential interpolation with reuse.
//! DIVERGENCE: Alg. 7 searches a node whose children are done; the order of our numbers is such an order (as the thesis says
//! of CPAchecker). CPAchecker's default for sequences instead takes all of them from one proof.
//!
//! # Well-scoped (002, Alg. 6)
//! For each `v` the binary interpolant of the formulas in `st(v)` against the formulas outside, none of which knows of another.
//! The paper takes all from *one* proof, which makes them inductive for many proof systems, without a guarantee.
//! DIVERGENCE: our sources share no proof, so each is a question of its own and **the result is in general no tree
//! interpolant**: for `x = 0`, `y = x`, `y < 0` the answers `x ≥ 0` and `y = 0` are fine one by one, but not one after the other.
//! It is offered because the answers do not depend on each other (one too weak does not spoil those that follow) and because
//! deterministic sources often agree with themselves; certification finds out, and then the next source is asked.
//! That refutation says nothing against the source. Cost: n − 1 binary problems, each with all formulas.
//!
//! # Nested (after [17] of 002: Heizmann, Hoenicke, Podelski, *Nested interpolants*, POPL 2010)
//! Top down: the root's path, which goes from a leaf through the first children up to the root, is a sequence, and all that
//! hangs off it counts as part of the node where it hangs: a procedure is seen as a whole by its caller. Then every subtree
//! that hangs off a node `v` of the path, with the child `u` of `v` on the path, is a problem of its own against the
//! *context* `I(u) ∧ L(v) ∧ (siblings) ∧ ¬I(v)`, where a sibling is its interpolant if that is known and its formulas
//! otherwise; it is again a path, whose last part is the context, and so on.
//! The result is always a tree interpolant if those of the sequences are: the last sibling's `I ∧ context` being unsatisfiable
//! is the inductive condition of `v`, and all names of the context occur outside of the subtree. Sources that know sequences
//! but no trees get large native problems: one for each leaf, and all but the first are small when the interpolants are.
//! DIVERGENCE: the paper has calls and returns in a nested word, and starts a procedure from the interpolant at its call. A
//! [`Tree`](super::Tree) only knows that a subtree is closed in itself; which child is the caller is decided by the order (the first is).
//! Where a source takes no sequences, each path is done as in Alg. 7.

use super::{Interpolants, Interpolator, Problem, Shape};
use crate::{Limits, Reason};
use terms::{Sort, Term, TermPool};

/// How problems that a source does not take as they are become smaller ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Strategy {
    /// For paths.
    pub sequence: SequenceStrategy,
    /// For trees.
    pub tree: TreeStrategy,
}

terms::choice! {
    /// Paths of more than two parts.
    #[derive(Default, serde::Serialize)]
    SequenceStrategy {
        #[default]
        Native = "native", "as one problem where the source can, otherwise sequential";
        Sequential = "sequential", "cut by cut from the left: the last interpolant and the next part against the rest";
    }
}

terms::choice! {
    /// Trees that are not paths.
    #[derive(Default, serde::Serialize)]
    TreeStrategy {
        #[default]
        Native = "native", "as one problem where the source can, otherwise binary";
        WellScoped = "well-scoped", "well-scoped interpolation: not in general a tree interpolant";
        Binary = "binary", "tree interpolation from binary interpolation";
        Nested = "nested", "nested interpolation: paths of the tree as sequences, top down";
    }
}

/// The answer of `source` to `problem`, made from smaller problems where the strategy says so or the source needs it.
///
/// [`Reason::Fault`] for an answer that is no formula or of the wrong length, and where an interpolant on the way makes a later
/// problem satisfiable.
pub fn lift(
    source: &mut dyn Interpolator,
    strategy: Strategy,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Interpolants {
    if problem.tree.len() == 1 {
        return Interpolants::Found(Vec::new());
    }
    match problem.tree.shape() {
        Shape::Binary => ask(source, pool, problem, limits),
        Shape::Sequence => path(source, strategy, pool, problem, limits),
        Shape::Tree => match strategy.tree {
            TreeStrategy::Native if source.shape() == Shape::Tree => ask(source, pool, problem, limits),
            TreeStrategy::Native | TreeStrategy::Binary => from_binary(source, pool, problem, limits),
            TreeStrategy::WellScoped => well_scoped(source, pool, problem, limits),
            TreeStrategy::Nested => nested(source, strategy, pool, problem, limits),
        },
    }
}

fn path(
    source: &mut dyn Interpolator,
    strategy: Strategy,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Interpolants {
    let is_native = strategy.sequence == SequenceStrategy::Native && source.shape() >= Shape::Sequence;
    if is_native || problem.tree.len() <= 2 {
        ask(source, pool, problem, limits)
    } else {
        from_binary(source, pool, problem, limits)
    }
}

/// The source's own answer, of the right length and sort.
fn ask(
    source: &mut dyn Interpolator,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Interpolants {
    if let Some(reason) = limits.exceeded() {
        return Interpolants::Unknown(reason);
    }
    match source.interpolate(pool, problem, limits) {
        Interpolants::Found(found)
            if found.len() != problem.tree.root()
                || found.iter().any(|&term| pool.sort(term) != Sort::Bool) =>
        {
            let what = format!("{} did not answer with one formula for each part", source.name());
            Interpolants::Unknown(Reason::Fault(what))
        }
        answer => answer,
    }
}

fn binary(
    source: &mut dyn Interpolator,
    pool: &mut TermPool,
    a: Vec<Term>,
    b: Vec<Term>,
    limits: &Limits,
) -> Interpolants {
    // What is plain needs no source.
    if a.is_empty() || b.contains(&pool.fls()) {
        return Interpolants::Found(vec![pool.tru()]);
    }
    if b.is_empty() || a.contains(&pool.fls()) {
        return Interpolants::Found(vec![pool.fls()]);
    }
    ask(source, pool, &Problem::binary(a, b), limits)
}

/// A source found a problem satisfiable that has its own answers in place of parts.
fn contradicted() -> Interpolants {
    Interpolants::Unknown(Reason::Fault("an interpolant on the way leaves the rest satisfiable".to_owned()))
}

/// 002, Alg. 7.
fn from_binary(
    source: &mut dyn Interpolator,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Interpolants {
    let tree = &problem.tree;
    let children = tree.children();
    let mut interpolants: Vec<Term> = Vec::with_capacity(tree.root());
    for (node, below) in children.iter().enumerate().take(tree.root()) {
        let mut a = problem.parts[node].clone();
        a.extend(below.iter().map(|&child| interpolants[child]));
        // S(V ∖ st(v), root): finished subtrees whose parent is not finished, and what is not finished.
        let is_finished = |of: usize| of <= node;
        let mut b: Vec<Term> = problem.parts[node + 1..].iter().flatten().copied().collect();
        b.extend(
            (0..node)
                .filter(|&done| tree.parent(done).is_some_and(|parent| !is_finished(parent)))
                .map(|done| interpolants[done]),
        );
        a.retain(|&term| term != pool.tru());
        b.retain(|&term| term != pool.tru());
        match binary(source, pool, a, b, limits) {
            Interpolants::Found(found) => interpolants.extend(found),
            // Only the first problem has all parts and no interpolant.
            Interpolants::Satisfiable(_) if node > 0 => return contradicted(),
            answer => return answer,
        }
    }
    Interpolants::Found(interpolants)
}

/// 002, Alg. 6, without a common proof.
fn well_scoped(
    source: &mut dyn Interpolator,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Interpolants {
    let mut interpolants = Vec::with_capacity(problem.tree.root());
    for node in 0..problem.tree.root() {
        let is_below = problem.tree.subtree(node);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for (part, &is_below) in problem.parts.iter().zip(&is_below) {
            if is_below { &mut a } else { &mut b }.extend(part);
        }
        match binary(source, pool, a, b, limits) {
            Interpolants::Found(found) => interpolants.extend(found),
            answer => return answer,
        }
    }
    Interpolants::Found(interpolants)
}

/// A subtree that is still to be interpolated: against the parts of its context.
struct Subtree {
    top: usize,
    /// The parent, if `top` is not the root: its formulas are part of the context.
    above: Option<usize>,
}

fn nested(
    source: &mut dyn Interpolator,
    strategy: Strategy,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Interpolants {
    let tree = &problem.tree;
    let children = tree.children();
    let mut known: Vec<Option<Term>> = vec![None; tree.len()];
    known[tree.root()] = Some(pool.fls());
    // Children of one node are done in order: the last pushed is the first popped.
    let mut open = vec![Subtree { top: tree.root(), above: None }];
    while let Some(Subtree { top, above }) = open.pop() {
        // From the top down through first children, then turned around.
        let mut nodes = vec![top];
        while let Some(&first) = children[nodes[nodes.len() - 1]].first() {
            nodes.push(first);
        }
        nodes.reverse();
        let mut parts: Vec<Vec<Term>> = Vec::with_capacity(nodes.len() + 1);
        for &node in &nodes {
            let mut part = problem.parts[node].clone();
            for &side in children[node].iter().skip(1) {
                part.extend(formulas(problem, &children, side));
            }
            parts.push(part);
        }
        if let Some(above) = above {
            let mut context = problem.parts[above].clone();
            for &sibling in children[above].iter().filter(|&&sibling| sibling != top) {
                match known[sibling] {
                    Some(interpolant) => context.push(interpolant),
                    None => context.extend(formulas(problem, &children, sibling)),
                }
            }
            let own = known[above].expect("what lies above is done before");
            context.push(pool.not(own));
            parts.push(context);
        }
        let sequence = Problem::sequence(parts);
        if sequence.tree.len() > 1 {
            match path(source, strategy, pool, &sequence, limits) {
                Interpolants::Found(found) => {
                    for (&node, interpolant) in nodes.iter().zip(found) {
                        known[node] = Some(interpolant);
                    }
                }
                Interpolants::Satisfiable(_) if above.is_some() => return contradicted(),
                answer => return answer,
            }
        }
        for &node in &nodes {
            let sides = children[node].iter().skip(1).rev();
            open.extend(sides.map(|&side| Subtree { top: side, above: Some(node) }));
        }
    }
    let known = known[..tree.root()].iter().map(|term| term.expect("every node lies on a path"));
    Interpolants::Found(known.collect())
}

/// The formulas in the subtree of `top`.
fn formulas(problem: &Problem, children: &[Vec<usize>], top: usize) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![top];
    while let Some(node) = stack.pop() {
        found.extend(&problem.parts[node]);
        stack.extend(&children[node]);
    }
    found
}
