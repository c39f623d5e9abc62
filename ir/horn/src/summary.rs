//! The class and the size of a system.

use crate::{ClauseData, System};
use serde::Serialize;
use terms::{Op, Sort, Term, TermPool};

/// The class and the size of a system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Whether no clause has several body atoms.
    pub linear: bool,
    /// Whether no relation depends on itself.
    pub recursion_free: bool,
    /// Whether the clauses are a transition system: they are linear and have one relation.
    pub transition_system: bool,
    /// The theories of constraints and arguments, besides Core.
    pub theories: Vec<&'static str>,
    /// The number of relations.
    pub relations: usize,
    /// The number of arguments of all relations.
    pub arguments: usize,
    /// The largest number of arguments of a relation.
    pub most_arguments: usize,
    /// The number of clauses.
    pub clauses: usize,
    /// The number of clauses without a body.
    pub facts: usize,
    /// The number of clauses without a head.
    pub queries: usize,
    /// The number of clauses with several body atoms.
    pub nonlinear_clauses: usize,
    /// The largest number of atoms of a body.
    pub most_atoms: usize,
    /// The number of distinct terms in all constraints.
    pub terms: usize,
    /// The number of strongly connected components of relations.
    pub components: usize,
    /// The number of components with a cycle.
    pub recursive_components: usize,
    /// The number of relations in the largest component.
    pub largest_component: usize,
}

impl Summary {
    /// Measures a system. Linear time.
    pub fn new(pool: &TermPool, system: &System) -> Self {
        let components = system.components();
        let clauses = || system.clauses.values();
        let count = |is: fn(&ClauseData) -> bool| clauses().filter(|clause| is(clause)).count();
        let constraints: Vec<Term> = clauses().map(|clause| clause.constraint).collect();
        let mut terms = 0;
        pool.visit(&constraints, |_| true, |_| terms += 1);
        let arguments = || system.relations.values().map(|relation| relation.arguments.len());
        Summary {
            linear: system.is_linear(),
            recursion_free: components.are_acyclic(),
            transition_system: system.is_linear() && system.relations.len() == 1,
            theories: theories(pool, system, &constraints),
            relations: system.relations.len(),
            arguments: arguments().sum(),
            most_arguments: arguments().max().unwrap_or(0),
            clauses: system.clauses.len(),
            facts: count(|clause| clause.body.is_empty()),
            queries: system.queries().count(),
            nonlinear_clauses: count(|clause| clause.body.len() > 1),
            most_atoms: clauses().map(|clause| clause.body.len()).max().unwrap_or(0),
            terms,
            components: components.components.len(),
            recursive_components: components.is_recursive.iter().filter(|&&is| is).count(),
            largest_component: components.components.iter().map(Vec::len).max().unwrap_or(0),
        }
    }

    /// The class in words, such as `linear, recursive`.
    pub fn class(&self) -> String {
        let linear = if self.linear { "linear" } else { "nonlinear" };
        let recursive = if self.recursion_free { "recursion-free" } else { "recursive" };
        let system = if self.transition_system { ", a transition system" } else { "" };
        format!("{linear}, {recursive}{system}")
    }
}

fn theories(pool: &TermPool, system: &System, constraints: &[Term]) -> Vec<&'static str> {
    let mut roots = constraints.to_vec();
    roots.extend(system.relations.values().flat_map(|relation| relation.symbols()));
    let [mut integers, mut reals, mut bits, mut floats] = [false; 4];
    let [mut arrays, mut nested] = [false; 2];
    let [mut nonlinear, mut quantifiers] = [false; 2];
    let mut sorts = rustc_hash::FxHashSet::default();
    pool.visit(
        &roots,
        |_| true,
        |term| {
            sorts.insert(pool.sort(term));
            let children = pool.children(term);
            let is_constant = |&child: &Term| pool.op(child).is_constant();
            match pool.op(term) {
                Op::Mul => nonlinear |= !children.iter().any(is_constant),
                Op::IntDiv | Op::IntMod | Op::RealDiv => nonlinear |= !is_constant(&children[1]),
                Op::Forall | Op::Exists => quantifiers = true,
                _ => {}
            }
        },
    );
    let mut stack: Vec<Sort> = sorts.iter().copied().collect();
    while let Some(sort) = stack.pop() {
        match sort {
            Sort::Int => integers = true,
            Sort::Real => reals = true,
            Sort::BitVec(_) => bits = true,
            Sort::Float(..) | Sort::RoundingMode => floats = true,
            Sort::Array(parts) => {
                arrays = true;
                let (index, element) = pool.array_sort_parts(parts);
                nested |= [index, element].iter().any(|part| matches!(part, Sort::Array(_)));
                stack.extend([index, element].into_iter().filter(|&part| sorts.insert(part)));
            }
            Sort::Bool | Sort::Uninterpreted(_) => {}
        }
    }
    let table = [
        (integers, "integers"),
        (reals, "reals"),
        (nonlinear, "nonlinear arithmetic"),
        (bits, "bit vectors"),
        (floats, "floats"),
        (arrays, "arrays"),
        (nested, "nested arrays"),
        (quantifiers, "quantifiers"),
    ];
    table.into_iter().filter(|&(occurs, _)| occurs).map(|(_, name)| name).collect()
}
