//! Invariants from the graph.
//!
//! When CPA++ terminates, each abstraction state is covered, a descendant of a covered state, or
//! expanded. The successors `(ψ', l')` of an expanded state, one for each block end, include all
//! states that its block formulas reach from `ψ`. The formula of a covered state implies that of
//! the covering state, which is expanded. So every execution stays within the formulas of the
//! expanded states, and `Inv(l) = ⋁ ψ` over the expanded states at a loop head `l` is inductive
//! from loop head to loop head, even if blocks end in between. No expanded state leads to a target,
//! so the invariants also exclude the targets. Auxiliary invariants, of which the successors of a
//! state make use, are part of the invariants. A loop head without a state has the invariant
//! `false`.

use super::algorithm::Analysis;
use super::arg::Kind;
use super::run::Prepared;
use crate::evidence::Invariants;
use program::ssa::Block;
use std::collections::BTreeMap;
use terms::Term;
use views::paths::Location;

impl Analysis<'_, '_> {
    /// The invariants that the completed graph represents.
    pub(super) fn invariants(&mut self, prepared: &Prepared) -> Invariants {
        let heads = self.formulas.paths.loops().loops().values().map(|data| data.head);
        let mut disjuncts: BTreeMap<Block, Vec<Term>> = heads.map(|head| (head, Vec::new())).collect();
        for (node, data) in self.arg.nodes() {
            if let (Location::Block(block), Kind::Abstraction) = (data.location, data.kind)
                && let Some(formulas) = disjuncts.get_mut(&block)
                && !self.arg.is_covered(node)
            {
                formulas.push(self.abstractions.term(data.formula));
            }
        }
        let at = disjuncts.into_iter().map(|(block, formulas)| {
            let mut conjuncts = vec![self.pool.or(&formulas)];
            conjuncts.extend(self.injected.at(block));
            (block, self.pool.and(&conjuncts))
        });
        let at = at.collect();
        self.formulas.invariants(self.pool, &prepared.pipeline, prepared.limits, at)
    }
}
