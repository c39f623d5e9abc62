//! The program between cut points, with the invariants of a certificate.

use super::check::{End, NotValidated, Rejection, Start};
use crate::evidence::{Basis, Index, Invariants};
use crate::transform::prepare_for_views;
use encode::applies_only_operations;
use program::ssa::cfg::ControlFlow;
use program::ssa::{Block, Program, PropertyKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
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
    /// By cut point: its name in claims.
    starts: Vec<Start>,
    /// An arbitrary value of the quantified symbol of the invariants, before encoding.
    arbitrary: Option<Term>,
    /// By cut point: what [`System::axioms`] has returned.
    axioms: RefCell<FxHashMap<CutPoint, Rc<[Term]>>>,
}

/// An invariant of a cut point.
#[derive(Clone)]
pub(super) struct Invariant {
    pub(super) at: Start,
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
        for data in blocks.cut_points.values() {
            let formula = match &data.kind {
                CutPointKind::Block(block) => invariants.at.get(block).map(|&formula| (*block, formula)),
                _ => None,
            };
            let invariant = formula.map(|(block, formula)| {
                let position = |symbol| {
                    let origin = *invariants.symbols.get(&symbol).ok_or(Misplaced::Foreign)?;
                    position(&blocks.variables, &data.state, origin).ok_or(Misplaced::NotLive)
                };
                Invariant::new(pool, Start::Block(block), formula, invariants.index, position)
            });
            at.push(invariant.transpose()?);
        }
        let start = |kind: &CutPointKind| match kind {
            CutPointKind::Block(block) => Start::Block(*block),
            _ => Start::Entry,
        };
        let arbitrary = invariants
            .index
            .map(|Index { sort, representation, .. }| pool.fresh_symbol("index", sort, representation));
        Ok(System { arbitrary, ..System::with(&prepared, invariants.basis(), blocks, at, start) })
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

    /// The formulas `blocks` of a function of the prepared program, with the invariants of the cut
    /// points and the claims' names of them.
    pub(super) fn with(
        prepared: &Program,
        basis: Basis,
        blocks: BlockFormulas,
        invariants: Vec<Option<Invariant>>,
        start: impl Fn(&CutPointKind) -> Start,
    ) -> Self {
        let kinds = || blocks.cut_points.values().map(|data| &data.kind);
        let ends = kinds().map(|kind| match kind {
            CutPointKind::Error(property) => {
                let property = &prepared.properties[*property];
                Some(End::Error(describe(property.kind, &property.description)))
            }
            CutPointKind::Unsupported(what) => Some(End::Unsupported(what.clone())),
            CutPointKind::Entry | CutPointKind::Block(_) | CutPointKind::Call(_) | CutPointKind::Return => {
                None
            }
        });
        let (ends, starts) = (ends.collect(), kinds().map(start).collect());
        System { basis, blocks, invariants, ends, starts, arbitrary: None, axioms: RefCell::default() }
    }

    /// The axioms of nonlinear operations in the encodings of all block formulas from a cut point.
    /// They hold for the operations that the functions represent, whatever the formulas say.
    pub(super) fn axioms(&self, pool: &mut TermPool, cut: CutPoint) -> Result<Rc<[Term]>, NotValidated> {
        if let Some(known) = self.axioms.borrow().get(&cut) {
            return Ok(known.clone());
        }
        let mut encoder = self.basis.theories.encoder();
        for formula in self.blocks.formulas.iter().filter(|formula| formula.from == cut) {
            encoder.formula(pool, formula.path.guard)?;
            for &update in &formula.path.updates {
                encoder.term(pool, update)?;
            }
        }
        let mut axioms = encoder.take_constraints();
        // Other functions represent memory, and have another meaning in each encoding.
        axioms.retain(|&axiom| applies_only_operations(pool, axiom));
        let axioms: Rc<[Term]> = axioms.into();
        self.axioms.borrow_mut().insert(cut, axioms.clone());
        Ok(axioms)
    }

    /// The cut point as the start of paths.
    pub(super) fn start(&self, cut: CutPoint) -> Start {
        self.starts[cut.index()]
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
    /// The invariant `formula` at a cut point, for all values of `index`. `position` returns the
    /// position of the variable of another symbol in the state.
    ///
    /// # Errors
    /// If it is not a formula over the state.
    pub(super) fn new(
        pool: &mut TermPool,
        at: Start,
        formula: Term,
        index: Option<Index>,
        position: impl Fn(Term) -> Result<usize, Misplaced>,
    ) -> Result<Self, Rejection> {
        if pool.sort(formula) != terms::Sort::Bool {
            return Err(Rejection::NotBoolean(at));
        }
        if !pool.free_bound_variables(formula).is_empty() || !pool.free_values(formula).is_empty() {
            return Err(Rejection::Unbound(at));
        }
        let (mut symbols, mut own) = (Vec::new(), None);
        for id in pool.free_symbols(formula) {
            let symbol = pool.symbol_term(id);
            if index.is_some_and(|index| index.symbol == symbol) {
                own = index;
                continue;
            }
            let name = || pool.symbol_data(id).name.clone();
            let position = position(symbol).map_err(|misplaced| match misplaced {
                Misplaced::Foreign => Rejection::ForeignSymbol { at, symbol: name() },
                Misplaced::NotLive => Rejection::NotLive { at, symbol: name() },
            })?;
            symbols.push((symbol, position));
        }
        debug_assert!(symbols.iter().all(|(symbol, _)| matches!(pool.op(*symbol), Op::Symbol(_))));
        Ok(Invariant { at, formula, symbols, index: own })
    }
}

impl Invariant {
    /// Invariants that are together equivalent to this one: its conjuncts if it is quantified,
    /// since the instances of its premises make queries about all of them hard.
    pub(super) fn parts(&self, pool: &mut TermPool) -> Vec<Invariant> {
        match self.index {
            None => vec![self.clone()],
            Some(_) => {
                let conjuncts = pool.conjuncts(&[self.formula]).into_iter();
                conjuncts.map(|formula| Invariant { formula, ..self.clone() }).collect()
            }
        }
    }
}

/// Why a symbol has no position in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misplaced {
    /// The certificate does not know it.
    Foreign,
    /// Its variable is not live.
    NotLive,
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
