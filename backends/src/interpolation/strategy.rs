//! Sequence and tree interpolants from smaller problems (Friedberger, *Block-Abstraction
//! Memoization as an Approach to Verify Recursive Procedures*, Master's thesis, University of
//! Passau, 2015, §2.6; "the thesis" below).
//!
//! Every strategy works with every source: it composes the source's answers to smaller problems.
//! None of the answers is trusted; the composed result is certified as a whole. Below, n is the
//! number of parts, `st(v)` the subtree of `v` (including `v`), and `L(v)` the formulas of `v`.
//!
//! # Tree from binary (thesis, Alg. 7 and 8), and sequential
//! Children before parents, `I(v)` is the binary interpolant of `S(st(v), v)` against
//! `S(V ∖ st(v), root)`, where `S(V', v)` is `I(v)` if it is known, and `L(v) ∧ ⋀ S(V', child)`
//! otherwise (Alg. 8). So A is `L(v)` with the interpolants of the children, and B is the rest of
//! the tree, with finished subtrees replaced by their interpolants. If the binary answers are
//! interpolants, the result is always a tree interpolant: `A ⇒ I(v)` is the inductive condition,
//! the unsatisfiability of `I(v) ∧ B` is the premise of the following steps, and the vocabulary is
//! correct because interpolants contain only shared names. Cost: n − 1 binary problems; A is small,
//! B is the rest. On a path this is sequential interpolation with reuse.
//!
//! DIVERGENCE: Alg. 7 searches for a node whose children are done; our numbering is such an order
//! (the thesis notes the same of CPAchecker). CPAchecker's default for sequences instead extracts
//! all interpolants from one proof.
//!
//! # Well-scoped (thesis, Alg. 6)
//! For each `v`, the binary interpolant of the formulas in `st(v)` against the formulas outside,
//! independently of the others. The thesis extracts all of them from *one* proof, which makes them
//! inductive for many proof systems, without a guarantee.
//!
//! DIVERGENCE: our sources share no proof, so each interpolant is a separate problem, and **the
//! result is in general not a tree interpolant**: for `x = 0`, `y = x`, `y < 0` the answers `x ≥ 0`
//! and `y = 0` are interpolants individually, but `x ≥ 0 ∧ y = x` does not imply `y = 0`. The
//! strategy exists because the answers are independent (a weak interpolant does not spoil the
//! following ones) and because deterministic sources often give consistent answers. Certification
//! detects the rest, and then the next source gets the problem; such a refutation is not a fault of
//! the source. Cost: n − 1 binary problems, each with all formulas.
//!
//! # Nested (after Heizmann, Hoenicke, Podelski, *Nested Interpolants*, POPL 2010)
//! Top down: the path of the root, from a leaf through first children up to the root, is a
//! sequence. Each subtree that branches off the path counts as part of the node to which it is
//! attached: a caller sees a procedure as a whole. Then every subtree that branches off at a node
//! `v` of the path, where `u` is the child of `v` on the path, is a problem of its own against the
//! *context* `I(u) ∧ L(v) ∧ (siblings) ∧ ¬I(v)`. A sibling is represented by its interpolant if
//! that is known, otherwise by its formulas. The subtree is processed in the same way, along a path
//! whose last part is the context. If the answers for the sequences are interpolants, the result is
//! always a tree interpolant: the unsatisfiability of `I ∧ context` for the last sibling is the
//! inductive condition of `v`, and all names of the context occur outside of the subtree. Sources
//! that support sequences but not trees get large native problems: one for each leaf, and all but
//! the first are small if the interpolants are.
//!
//! DIVERGENCE: the paper has calls and returns in a nested word, and starts a procedure from the
//! interpolant at its call. A [`Tree`](super::Tree) only states that a subtree is closed; the order
//! of children decides which child is the caller (the first). If a source does not support
//! sequences, Alg. 7 processes each path.

use super::{Interpolants, Interpolator, Problem, Shape};
use crate::{Limits, Reason};
use terms::{Sort, Term, TermPool};

/// The reduction of problems to shapes that a source supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Strategy {
    /// The strategy for paths.
    pub sequence: SequenceStrategy,
    /// The strategy for trees.
    pub tree: TreeStrategy,
}

terms::choice! {
    /// Paths of more than two parts.
    #[derive(Default, serde::Serialize)]
    SequenceStrategy {
        #[default]
        Native = "native", "as one problem if the source supports sequences, otherwise sequential";
        Sequential = "sequential", "cut by cut from the left: the last interpolant and the next part against the rest";
    }
}

terms::choice! {
    /// Trees that are not paths.
    #[derive(Default, serde::Serialize)]
    TreeStrategy {
        #[default]
        Native = "native", "as one problem if the source supports trees, otherwise binary";
        WellScoped = "well-scoped", "well-scoped interpolation: in general not a tree interpolant";
        Binary = "binary", "tree interpolation from binary interpolation";
        Nested = "nested", "nested interpolation: paths of the tree as sequences, top down";
    }
}

/// The answer of `source` to `problem`, composed from smaller problems if the strategy demands it
/// or the source does not support the shape.
///
/// [`Reason::Fault`] if an answer has the wrong length or a wrong sort, or if an intermediate
/// interpolant makes a later problem satisfiable.
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

/// The source's own answer, with checked length and sorts.
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
            let what = format!("{} did not return one formula for each part", source.name());
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
    // Trivial problems need no source.
    if a.is_empty() || b.contains(&pool.fls()) {
        return Interpolants::Found(vec![pool.tru()]);
    }
    if b.is_empty() || a.contains(&pool.fls()) {
        return Interpolants::Found(vec![pool.fls()]);
    }
    ask(source, pool, &Problem::binary(a, b), limits)
}

/// The answer if a source finds a problem satisfiable that contains its own answers in place of
/// parts.
fn contradicted() -> Interpolants {
    Interpolants::Unknown(Reason::Fault(
        "an intermediate interpolant is satisfiable together with the rest".to_owned(),
    ))
}

/// Algorithm 7 of the thesis.
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
        // S(V ∖ st(v), root): the maximal finished subtrees, and the unfinished nodes.
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
            // Only the first problem consists of all parts and no interpolant.
            Interpolants::Satisfiable(_) if node > 0 => return contradicted(),
            answer => return answer,
        }
    }
    Interpolants::Found(interpolants)
}

/// Algorithm 6 of the thesis, without a common proof.
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

/// A subtree to be interpolated against the parts of its context.
struct Subtree {
    top: usize,
    /// The parent, unless `top` is the root; its formulas are part of the context.
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
    // The children of a node are processed in order, so they are pushed in reverse.
    let mut open = vec![Subtree { top: tree.root(), above: None }];
    while let Some(Subtree { top, above }) = open.pop() {
        // Descends through first children, then reverses the path.
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
            let own = known[above].expect("parents are processed before their subtrees");
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
