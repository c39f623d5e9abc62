//! The program between cut points, with the invariants of a certificate.

use super::check::{End, NotValidated, Rejection, Start};
use crate::evidence::{Basis, Index, Invariants};
use crate::transform::prepare_for_views;
use program::ssa::cfg::ControlFlow;
use program::ssa::{Block, Program, PropertyKind};
use std::collections::BTreeSet;
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Term, TermPool};
use views::blocks::{
    BlockFormula, BlockFormulas, CutPoint, CutPointKind, Origin, Variable, VariableData,
    block_formulas_through,
};
use views::{BlockOperator, Config};

/// The largest number of terms at which a quantified invariant is instantiated.
const MOST_INSTANCES: usize = 60;

/// The block formulas between the cut points of a certificate.
pub(super) struct System {
    pub(super) basis: Basis,
    pub(super) blocks: BlockFormulas,
    /// By cut point; `None` represents `true`.
    pub(super) invariants: Vec<Option<Invariant>>,
    /// By cut point: the error or unsupported construct there, if any.
    ends: Vec<Option<End>>,
    /// An arbitrary value of the quantified symbol of the invariants, before encoding.
    arbitrary: Option<Term>,
}

/// An invariant of a cut point.
pub(super) struct Invariant {
    pub(super) block: Block,
    pub(super) formula: Term,
    /// Its free symbols, each with the position of its variable in the state.
    pub(super) symbols: Vec<(Term, usize)>,
    /// The quantified symbol, if it is free in the formula.
    pub(super) index: Option<Index>,
}

impl System {
    /// Prepares the program as `invariants` specifies and computes its block formulas.
    ///
    /// # Errors
    /// If the invariants do not fit the program.
    pub(super) fn new(
        pool: &mut TermPool,
        program: &Program,
        invariants: &Invariants,
    ) -> Result<Self, NotValidated> {
        let mut prepared = program.clone();
        prepare_for_views(pool, &mut prepared, invariants.limits, &invariants.pipeline)
            .map_err(Rejection::Prepare)?;
        let function = &prepared.functions[prepared.entry];
        let graph = ControlFlow::new(function);
        let reachable: BTreeSet<Block> = graph.reverse_postorder().iter().copied().collect();
        for (&block, &formula) in &invariants.at {
            if !reachable.contains(&block) {
                return Err(Rejection::NoSuchBlock(block).into());
            }
            if block == function.entry && formula != pool.tru() {
                return Err(Rejection::AtEntry.into());
            }
        }
        let through = invariants.at.keys().copied().collect();
        let blocks = block_formulas_through(pool, &prepared, BlockOperator::L, &through, Config::STANDARD)
            .map_err(Rejection::View)?;
        let mut at = Vec::new();
        let mut ends = Vec::new();
        for data in blocks.cut_points.values() {
            let (invariant, end) = match &data.kind {
                CutPointKind::Entry => (None, None),
                CutPointKind::Block(block) => (
                    match invariants.at.get(block) {
                        Some(&formula) => {
                            Some(Invariant::new(pool, invariants, &blocks, *block, &data.state, formula)?)
                        }
                        None => None,
                    },
                    None,
                ),
                CutPointKind::Error(property) => {
                    let property = &prepared.properties[*property];
                    (None, Some(End::Error(describe(property.kind, &property.description))))
                }
                CutPointKind::Unsupported(what) => (None, Some(End::Unsupported(what.clone()))),
                CutPointKind::Call(_) | CutPointKind::Return => {
                    unreachable!("views of one function should have rejected calls")
                }
            };
            at.push(invariant);
            ends.push(end);
        }
        let arbitrary = invariants
            .index
            .map(|Index { sort, representation, .. }| pool.fresh_symbol("index", sort, representation));
        Ok(System { basis: invariants.basis(), blocks, invariants: at, ends, arbitrary })
    }

    /// An arbitrary value of the quantified symbol.
    pub(super) fn arbitrary(&self) -> Option<Term> {
        self.arbitrary
    }

    /// The values of the quantified symbol at which the invariant before a block formula is
    /// assumed: an arbitrary one, and the terms of its sort in the addresses of arrays and in the
    /// condition of an error. The instances follow from the quantified invariant, whichever terms
    /// they are.
    pub(super) fn instances(&self, pool: &TermPool, formula: &BlockFormula) -> Vec<Option<Term>> {
        let mut found = vec![self.arbitrary];
        let Some(index) = self.invariant(formula.from).and_then(|invariant| invariant.index) else {
            return found;
        };
        let mut containing = Vec::new();
        let roots: Vec<Term> = [formula.path.guard].into_iter().chain(formula.path.updates.clone()).collect();
        pool.visit(
            &roots,
            |_| true,
            |term| {
                if matches!(pool.op(term), Op::Select | Op::Store) {
                    containing.push(pool.children(term)[1]);
                }
            },
        );
        // An access outside of an object is an error that depends on its address alone.
        containing.extend(self.end(formula.to).map(|_| formula.path.guard));
        pool.visit(
            &containing,
            |_| true,
            |term| {
                if pool.sort(term) == index.sort && found.len() <= MOST_INSTANCES {
                    found.push(Some(term));
                }
            },
        );
        found
    }

    /// The start of paths from a cut point.
    pub(super) fn start(&self, cut: CutPoint) -> Start {
        match self.blocks.cut_points[cut].kind {
            CutPointKind::Block(block) => Start::Block(block),
            _ => Start::Entry,
        }
    }

    /// The error or unsupported construct at a cut point.
    pub(super) fn end(&self, cut: CutPoint) -> Option<&End> {
        self.ends[cut.index()].as_ref()
    }

    pub(super) fn invariant(&self, cut: CutPoint) -> Option<&Invariant> {
        self.invariants[cut.index()].as_ref()
    }

    /// The formulas of paths to other cut points.
    pub(super) fn steps(&self) -> impl Iterator<Item = &BlockFormula> {
        self.blocks.formulas.iter().filter(|formula| self.end(formula.to).is_none())
    }

    /// The formulas of paths to errors and unsupported constructs, each with its end.
    pub(super) fn violations(&self) -> impl Iterator<Item = (&BlockFormula, &End)> {
        self.blocks.formulas.iter().filter_map(|formula| Some((formula, self.end(formula.to)?)))
    }

    /// The variables of the state at a cut point.
    pub(super) fn state(&self, cut: CutPoint) -> impl Iterator<Item = &VariableData> {
        self.blocks.cut_points[cut].state.iter().map(|&variable| &self.blocks.variables[variable])
    }

    /// The state at a cut point in which every variable is its symbol.
    pub(super) fn symbols(&self, cut: CutPoint) -> Vec<Term> {
        self.state(cut).map(|variable| variable.before).collect()
    }
}

impl Invariant {
    fn new(
        pool: &mut TermPool,
        invariants: &Invariants,
        blocks: &BlockFormulas,
        block: Block,
        state: &[Variable],
        formula: Term,
    ) -> Result<Self, Rejection> {
        if pool.sort(formula) != terms::Sort::Bool {
            return Err(Rejection::NotBoolean(block));
        }
        if !pool.free_bound_variables(formula).is_empty() || !pool.free_values(formula).is_empty() {
            return Err(Rejection::Unbound(block));
        }
        let (mut symbols, mut index) = (Vec::new(), None);
        for id in pool.free_symbols(formula) {
            let symbol = pool.symbol_term(id);
            if let Some(own) = invariants.index.filter(|own| own.symbol == symbol) {
                index = Some(own);
                continue;
            }
            let name = || pool.symbol_data(id).name.clone();
            let Some(&origin) = invariants.symbols.get(&symbol) else {
                return Err(Rejection::ForeignSymbol { block, symbol: name() });
            };
            let Some(position) = position(&blocks.variables, state, origin) else {
                return Err(Rejection::NotLive { block, symbol: name() });
            };
            symbols.push((symbol, position));
        }
        debug_assert!(symbols.iter().all(|(symbol, _)| matches!(pool.op(*symbol), Op::Symbol(_))));
        Ok(Invariant { block, formula, symbols, index })
    }
}

fn position(
    variables: &PrimaryMap<Variable, VariableData>,
    state: &[Variable],
    origin: Origin,
) -> Option<usize> {
    state.iter().position(|&variable| variables[variable].origin == origin)
}

fn describe(kind: PropertyKind, description: &str) -> String {
    if description.is_empty() { kind.verdict_name().to_owned() } else { description.to_owned() }
}
