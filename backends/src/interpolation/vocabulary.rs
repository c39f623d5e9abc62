//! The names that a part shares with other parts.

use super::{Problem, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Symbol, Term, TermPool};

/// A free name of a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Name {
    /// A free constant.
    Symbol(Symbol),
    /// An uninterpreted function.
    Function(FunctionSymbol),
}

impl Name {
    /// The name in the operator `op`, if it is a free one.
    pub fn of(op: Op) -> Option<Name> {
        match op {
            Op::Symbol(symbol) => Some(Name::Symbol(symbol)),
            Op::Apply(function) => Some(Name::Function(function)),
            _ => None,
        }
    }

    /// The name as the user wrote it.
    pub fn text(self, pool: &TermPool) -> String {
        match self {
            Name::Symbol(symbol) => pool.symbol_data(symbol).name.clone(),
            Name::Function(function) => pool.function_data(function).0.to_owned(),
        }
    }
}

/// The distinct names in `terms`, in order of first occurrence.
pub fn names(pool: &TermPool, terms: &[Term]) -> Vec<Name> {
    let mut found = Vec::new();
    let mut functions = FxHashSet::default();
    pool.visit(
        terms,
        |_| true,
        |term| match Name::of(pool.op(term)) {
            Some(Name::Function(function)) if !functions.insert(function) => {}
            Some(name) => found.push(name),
            None => {}
        },
    );
    found
}

/// For each node of a tree, the names that occur both in its subtree and outside of it; the empty
/// set for the root.
pub fn shared(pool: &TermPool, problem: &Problem) -> Vec<FxHashSet<Name>> {
    shared_of(&problem.tree, &problem.parts.iter().map(|part| names(pool, part)).collect::<Vec<_>>())
}

/// Like [`shared`], where `names` lists the distinct names of each part.
///
/// Bottom up, each subtree has a table of the names that occur both in it and outside of it, with
/// the number of parts of the subtree that contain each. A node takes over the largest table of its
/// children, so the cost of a path is linear in its occurrences of names, apart from copying the
/// shared names.
fn shared_of(tree: &Tree, names: &[Vec<Name>]) -> Vec<FxHashSet<Name>> {
    let mut total: FxHashMap<Name, usize> = FxHashMap::default();
    for &name in names.iter().flatten() {
        *total.entry(name).or_default() += 1;
    }
    let mut open: Vec<FxHashMap<Name, usize>> = vec![FxHashMap::default(); tree.len()];
    let mut shared = Vec::with_capacity(tree.len());
    for node in 0..tree.len() {
        let mut counts = std::mem::take(&mut open[node]);
        for &name in &names[node] {
            *counts.entry(name).or_default() += 1;
        }
        counts.retain(|name, count| *count < total[name]);
        shared.push(counts.keys().copied().collect());
        if let Some(parent) = tree.parent(node) {
            let above = &mut open[parent];
            if above.len() < counts.len() {
                std::mem::swap(above, &mut counts);
            }
            for (name, count) in counts {
                *above.entry(name).or_default() += count;
            }
        }
    }
    shared
}

/// A name in `term` that is not in `allowed`, an IR value, or an unbound bound variable.
pub(super) fn foreign(pool: &TermPool, term: Term, allowed: &FxHashSet<Name>) -> Option<String> {
    let mut foreign = None;
    let mut has_bound = false;
    pool.visit(
        &[term],
        |_| true,
        |below| match pool.op(below) {
            Op::Value(index) => foreign = Some(format!("v{index}")),
            Op::Bound(_) => has_bound = true,
            op => {
                if let Some(name) = Name::of(op)
                    && !allowed.contains(&name)
                {
                    foreign = Some(name.text(pool));
                }
            }
        },
    );
    foreign.or_else(|| if has_bound { unbound(pool, term) } else { None })
}

/// A bound variable outside of any quantifier that binds it.
fn unbound(pool: &TermPool, root: Term) -> Option<String> {
    let mut free: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    pool.visit(
        &[root],
        |_| true,
        |term| {
            let mut variables: Vec<Term> = match pool.op(term) {
                Op::Bound(_) => vec![term],
                _ => pool
                    .children(term)
                    .iter()
                    .filter_map(|child| free.get(child))
                    .flatten()
                    .copied()
                    .collect(),
            };
            if matches!(pool.op(term), Op::Forall | Op::Exists) {
                let (_, bound) = pool.children(term).split_last().expect("a quantifier has a body");
                variables.retain(|variable| !bound.contains(variable));
            }
            if !variables.is_empty() {
                variables.sort_unstable();
                variables.dedup();
                free.insert(term, variables);
            }
        },
    );
    free.get(&root).and_then(|variables| variables.first()).map(|&variable| match pool.op(variable) {
        Op::Bound(id) => pool.bound_name(id).to_owned(),
        _ => variable.to_string(),
    })
}
