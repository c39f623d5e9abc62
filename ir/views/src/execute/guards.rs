//! Guards as chains of branch literals, and the merging of states.
//!
//! A guard is the conjunction of the literals on a path in the tree whose root is `true`; a branch
//! adds two children, `c` and `¬c`. Where paths join, the guard of the join is computed from the
//! tree instead of by Boolean reasoning. Two guards have a lowest common ancestor `p`, so
//! `g₁ ∨ g₂ = p ∧ (l₁ ∨ l₂)`, where `lᵢ` is the conjunction of the literals below `p`. For the two
//! arms of a conditional `l₁ = ¬l₂`, and the join gets the guard `p`. Since distinct paths of a
//! deterministic program diverge at some branch, the first literals below `p` are usually
//! complementary; then this literal `c` alone selects between the merged values: `ite(c, x₁, x₂)`.
//!
//! DIVERGENCE from the usual merge `ite(g₁, x₁, …)` over guards: under the guard of the join both
//! are equal, but the literal is smaller, is shared by all joins of the same branch, and allows
//! `ite(c, 1, 0)` to fold in the conditions that use it.

use super::InstanceId;
use std::rc::Rc;
use terms::{Op, Term, TermPool};

/// A guard of a [`GuardTree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GuardId(u32);

/// The guard `true`.
pub(crate) const ROOT: GuardId = GuardId(0);

/// The greatest distance in the tree up to which a common ancestor is searched.
const ANCESTOR_LIMIT: usize = 4096;
/// The greatest number of literals that are conjoined to simplify a disjunction of guards.
const LITERAL_LIMIT: usize = 24;

struct Node {
    /// The complete guard as a term.
    term: Term,
    parent: GuardId,
    /// The literal that this guard adds to its parent.
    literal: Term,
    depth: u32,
}

/// All guards of an execution.
pub(crate) struct GuardTree {
    nodes: Vec<Node>,
}

impl GuardTree {
    pub(crate) fn new(pool: &TermPool) -> Self {
        GuardTree { nodes: vec![Node { term: pool.tru(), parent: ROOT, literal: pool.tru(), depth: 0 }] }
    }

    /// The number of guards.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The guard as a term.
    pub(crate) fn term(&self, guard: GuardId) -> Term {
        self.nodes[guard.0 as usize].term
    }

    /// The literal that the guard adds to its parent.
    pub(crate) fn literal(&self, guard: GuardId) -> Term {
        self.nodes[guard.0 as usize].literal
    }

    /// The conjunction of the guard and `literal`; `None` if it is syntactically false.
    pub(crate) fn and(&mut self, pool: &mut TermPool, guard: GuardId, literal: Term) -> Option<GuardId> {
        match pool.as_bool(literal) {
            Some(true) => return Some(guard),
            Some(false) => return None,
            None => {}
        }
        let parent = &self.nodes[guard.0 as usize];
        let depth = parent.depth + 1;
        let term = pool.and2(parent.term, literal);
        if term == pool.fls() {
            return None;
        }
        if term == parent.term {
            return Some(guard);
        }
        Some(self.push(Node { term, parent: guard, literal, depth }))
    }

    /// Whether the guard is syntactically false. Only [`join`](Self::join) creates such guards.
    pub(crate) fn is_false(&self, pool: &TermPool, guard: GuardId) -> bool {
        self.term(guard) == pool.fls()
    }

    fn push(&mut self, node: Node) -> GuardId {
        let id = GuardId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 guards"));
        self.nodes.push(node);
        id
    }

    /// Whether the two guards are the arms of one branch.
    fn are_siblings(&self, pool: &mut TermPool, a: GuardId, b: GuardId) -> bool {
        let (a, b) = (&self.nodes[a.0 as usize], &self.nodes[b.0 as usize]);
        a.parent == b.parent && a.depth == b.depth && a.depth > 0 && pool.not(a.literal) == b.literal
    }

    /// The guard `a ∨ b`, exactly, and a condition that, under this guard, holds iff `a` does. `a`
    /// and `b` must be disjoint.
    pub(crate) fn join(&mut self, pool: &mut TermPool, a: GuardId, b: GuardId) -> (GuardId, Term) {
        if self.are_siblings(pool, a, b) {
            let node = &self.nodes[a.0 as usize];
            return (node.parent, node.literal);
        }
        let Some((ancestor, path_a, path_b)) = self.paths(a, b) else {
            let (term_a, term_b) = (self.term(a), self.term(b));
            let term = pool.or2(term_a, term_b);
            return (self.push(Node { term, parent: ROOT, literal: term, depth: 1 }), term_a);
        };
        if path_a.is_empty() || path_b.is_empty() {
            // One guard implies the other, so they are not disjoint; this happens only for guards
            // that are unsatisfiable.
            let selector = if path_a.is_empty() { pool.not(self.term(b)) } else { self.term(a) };
            let wider = if path_a.is_empty() { a } else { b };
            return (wider, selector);
        }
        let complementary = pool.not(path_a[0]) == path_b[0];
        if path_a.len() > LITERAL_LIMIT || path_b.len() > LITERAL_LIMIT {
            let (term_a, term_b) = (self.term(a), self.term(b));
            let term = pool.or2(term_a, term_b);
            let depth = self.nodes[ancestor.0 as usize].depth + 1;
            let joined = self.push(Node { term, parent: ancestor, literal: term, depth });
            return (joined, if complementary { path_a[0] } else { term_a });
        }
        let all_a = pool.and(&path_a);
        let all_b = pool.and(&path_b);
        let selector = if complementary { path_a[0] } else { all_a };
        let not_a = pool.not(all_a);
        if not_a == all_b {
            return (ancestor, selector);
        }
        // a ∨ b as ¬(¬a ∧ ¬b). If a = `l` and b = `¬l ∧ rest`, then ¬a ∧ ¬b = ¬l ∧ ¬rest, and vice
        // versa.
        let (mut left, mut right) = (all_a, all_b);
        if complementary && path_a.len() == 1 {
            right = pool.and(&path_b[1..]);
        } else if complementary && path_b.len() == 1 {
            left = pool.and(&path_a[1..]);
        }
        let (not_left, not_right) = (pool.not(left), pool.not(right));
        let neither = pool.and2(not_left, not_right);
        let literal = pool.not(neither);
        let joined = match self.and(pool, ancestor, literal) {
            Some(joined) => joined,
            None => {
                // Both guards are unsatisfiable, which is detected only here. The ancestor would be
                // too weak as their disjunction.
                let depth = self.nodes[ancestor.0 as usize].depth + 1;
                self.push(Node { term: pool.fls(), parent: ancestor, literal: pool.fls(), depth })
            }
        };
        (joined, selector)
    }

    /// The lowest common ancestor and the literals below it, from the top; `None` if it is too far
    /// away.
    fn paths(&self, mut a: GuardId, mut b: GuardId) -> Option<(GuardId, Vec<Term>, Vec<Term>)> {
        let (mut path_a, mut path_b) = (Vec::new(), Vec::new());
        while a != b {
            if path_a.len() + path_b.len() > ANCESTOR_LIMIT {
                return None;
            }
            let (node_a, node_b) = (&self.nodes[a.0 as usize], &self.nodes[b.0 as usize]);
            if node_a.depth >= node_b.depth {
                path_a.push(node_a.literal);
                a = node_a.parent;
            } else {
                path_b.push(node_b.literal);
                b = node_b.parent;
            }
        }
        path_a.reverse();
        path_b.reverse();
        Some((a, path_a, path_b))
    }
}

/// A state about to enter an instance.
#[derive(Clone)]
pub(crate) struct Incoming {
    /// The source instance.
    pub(crate) from: InstanceId,
    pub(crate) guard: GuardId,
    pub(crate) state: State,
}

/// A symbolic state: the terms of the live values and of the contents of all regions.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) values: Rc<[Term]>,
    /// The returned value, if the state is returning to a caller.
    pub(crate) result: Option<Term>,
    pub(crate) regions: Rc<Vec<Term>>,
}

impl State {
    /// The empty state, for locations whose state is irrelevant.
    pub(crate) fn empty() -> Self {
        State { values: Rc::new([]), result: None, regions: Rc::new(Vec::new()) }
    }
}

/// Merges `incoming` (not empty, in order of arrival) into one guard and state.
pub(crate) fn merge(pool: &mut TermPool, guards: &mut GuardTree, incoming: &[Incoming]) -> (GuardId, State) {
    if let [only] = incoming {
        return (only.guard, only.state.clone());
    }
    // Arms of one branch are merged first, in order of arrival. The remaining states are merged
    // from the end, because the exits of later iterations are closest to each other in the tree.
    let mut stack: Vec<(GuardId, State)> = Vec::with_capacity(incoming.len());
    for next in incoming {
        let mut top = (next.guard, next.state.clone());
        while let Some(before) = stack.last()
            && guards.are_siblings(pool, before.0, top.0)
        {
            let (guard, selector) = guards.join(pool, before.0, top.0);
            top = (guard, merge_states(pool, selector, &before.1, top.1));
            stack.pop();
        }
        stack.push(top);
    }
    let mut result = stack.pop().expect("there is a state");
    while let Some(before) = stack.pop() {
        let (guard, selector) = guards.join(pool, before.0, result.0);
        result = (guard, merge_states(pool, selector, &before.1, result.1));
    }
    result
}

fn merge_states(pool: &mut TermPool, selector: Term, a: &State, mut b: State) -> State {
    if !Rc::ptr_eq(&a.values, &b.values) {
        let mut target: Option<Vec<Term>> = None;
        for (index, (&x, &y)) in a.values.iter().zip(b.values.iter()).enumerate() {
            if x != y {
                let values = target.get_or_insert_with(|| b.values.to_vec());
                values[index] = select(pool, selector, x, y);
            }
        }
        if let Some(values) = target {
            b.values = values.into();
        }
    }
    if !Rc::ptr_eq(&a.regions, &b.regions) {
        for (index, &x) in a.regions.iter().enumerate() {
            let y = b.regions[index];
            if x != y {
                let merged = select(pool, selector, x, y);
                Rc::make_mut(&mut b.regions)[index] = merged;
            }
        }
    }
    b.result = match (a.result, b.result) {
        (Some(x), Some(y)) if x != y => Some(select(pool, selector, x, y)),
        (_, y) => y,
    };
    b
}

/// `ite(selector, x, y)`; drops a negation from the selector.
fn select(pool: &mut TermPool, selector: Term, x: Term, y: Term) -> Term {
    if pool.op(selector) == Op::Not {
        let condition = pool.children(selector)[0];
        return pool.ite(condition, y, x);
    }
    pool.ite(selector, x, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;
    use terms::{Evaluator, Sort, Value};

    const VARIABLES: usize = 4;

    /// One step of guard construction: indices into the guards so far and into the literals.
    #[derive(Clone, Debug)]
    enum Action {
        And(usize, usize),
        Join(usize, usize),
    }

    fn action() -> impl Strategy<Value = Action> {
        let number = 0..1_000_usize;
        prop_oneof![
            3 => (number.clone(), number.clone()).prop_map(|(guard, literal)| Action::And(guard, literal)),
            1 => (number.clone(), number).prop_map(|(a, b)| Action::Join(a, b)),
        ]
    }

    /// Variables, comparisons between them, combinations of these, and the negations of all.
    fn literals(pool: &mut TermPool) -> Vec<Term> {
        let variables: Vec<Term> =
            (0..VARIABLES).map(|index| pool.symbol(&format!("x{index}"), Sort::Bool)).collect();
        let mut literals = variables.clone();
        for (index, &a) in variables.iter().enumerate() {
            for &b in &variables[index + 1..] {
                literals.extend([pool.and2(a, b), pool.or2(a, b), pool.eq(a, b)]);
            }
        }
        let negated: Vec<Term> = literals.iter().map(|&literal| pool.not(literal)).collect();
        literals.extend(negated);
        literals
    }

    proptest! {
        #[test]
        fn a_join_is_the_disjunction(actions in prop::collection::vec(action(), 1..60)) {
            let mut pool = TermPool::new();
            let literals = literals(&mut pool);
            let mut tree = GuardTree::new(&pool);
            let mut guards = vec![ROOT];
            let mut joins = Vec::new();
            for action in actions {
                match action {
                    Action::And(guard, literal) => {
                        let (guard, literal) = (guards[guard % guards.len()], literals[literal % literals.len()]);
                        guards.extend(tree.and(&mut pool, guard, literal));
                    }
                    Action::Join(a, b) => {
                        let (a, b) = (guards[a % guards.len()], guards[b % guards.len()]);
                        if a != b {
                            let (joined, _) = tree.join(&mut pool, a, b);
                            joins.push((a, b, joined));
                            guards.push(joined);
                        }
                    }
                }
            }
            for assignment in 0..1_u32 << VARIABLES {
                let values: FxHashMap<Term, Value> = (0..VARIABLES)
                    .map(|index| (literals[index], Value::Bool((assignment >> index) & 1 == 1)))
                    .collect();
                let mut evaluator = Evaluator::new();
                let mut holds = |guard| {
                    let environment = |leaf: Term| values.get(&leaf).cloned();
                    evaluator.eval(&pool, tree.term(guard), &environment).ok() == Some(Value::Bool(true))
                };
                for &(a, b, joined) in &joins {
                    prop_assert_eq!(holds(joined), holds(a) || holds(b));
                }
            }
        }
    }
}
