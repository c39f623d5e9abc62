//! A program as a transition system in the theories of the solver.
//!
//! The states are those at loop heads ([`views::blocks`]), with one relation of a Horn system for
//! each loop head ([`views::clauses`]). A transition is a clause from one relation to another, an
//! entry is a clause from the program entry, and a query is an *end*: it leads to an error or an
//! unsupported construct. The system exists twice, with the same indices: as the views produce it,
//! and [translated](horn::Translation). Sequences of its states have [frames](horn::frames).
//!
//! DIVERGENCE from Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of
//! Passau, 2017, §5.2.2, which unrolls from one loop head: all loops form one transition system, as
//! in Wahl's presentation of k-induction, and a step leads from any loop head to the next, not once
//! around one loop.
//!
//! Limits: memory that is live across cut points must have a symbol, so encodings that represent
//! memory by functions are rejected if the program has arrays. The views reject programs with
//! calls.

use encode::{EncodeError, Theories};
use horn::frames::Frames;
use horn::{Clause, Relation, RelationData, System, Translation};
use program::ssa::{Block, Program, Property, Span};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};
use views::ViewError;
use views::blocks::{BlockFormulas, CutPointData, CutPointKind, VariableData, block_formulas};
use views::clauses::procedures::Location;
use views::clauses::{Naming, of_blocks};
use views::{BlockOperator, Config};

/// Errors in building a transition system.
#[derive(Debug, thiserror::Error)]
pub enum TransitionError {
    /// The program has no block formulas.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The block formulas cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The transition system of a program, see the [module](self).
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The theories of [`system`](Self::system).
    pub theories: Theories,
    /// The system before translation, over bit vectors and arrays.
    pub source: System,
    /// The system after translation.
    pub system: System,
    /// The bounds of the arguments of each relation of [`system`](Self::system), which hold in
    /// every state: those of their types.
    pub ranges: PrimaryMap<Relation, Term>,
    /// The states of each relation.
    pub states: PrimaryMap<Relation, State>,
    /// The queries that lead to an unsupported construct.
    pub unsupported: BTreeMap<Clause, UnsupportedEnd>,
    /// The other queries.
    pub errors: BTreeMap<Clause, ErrorEnd>,
    /// The block formulas of the clauses.
    pub formulas: Formulas,
    /// The frames of sequences of states.
    pub frames: Frames,
    symbols: FxHashSet<Term>,
}

/// The block formulas that the clauses of a system were made of.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The formulas of each procedure; the entry function is the first one.
    pub(crate) blocks: Vec<BlockFormulas>,
    /// The location where the paths of each clause start; none for a clause that enters a
    /// procedure.
    pub(crate) starts: PrimaryMap<Clause, Option<Location>>,
}

/// An unsupported construct that ends a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedEnd {
    /// A description.
    pub what: String,
    /// The origin.
    pub origin: UnsupportedOrigin,
    /// The source location.
    pub span: Span,
}

/// An error that ends a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorEnd {
    /// The property that it violates.
    pub property: Property,
    /// The description of the property.
    pub what: String,
    /// The source location.
    pub span: Span,
}

/// The origin of an unsupported construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnsupportedOrigin {
    /// A block of the program, behind which a run may go on.
    Program,
    /// An event that the formulas do not model: an access outside of every object, which C does not
    /// define, or the exhaustion of the address space.
    Formulas,
}

/// The states of a relation.
#[derive(Clone, Debug)]
pub struct State {
    /// Their loop head.
    pub block: Block,
    /// Its source location.
    pub span: Span,
    /// The live variables, in the order of the arguments.
    pub variables: Vec<VariableData>,
}

impl Formulas {
    /// Of a program of one function, whose clauses are in the order of the block formulas.
    pub(crate) fn of_blocks(blocks: BlockFormulas) -> Self {
        let starts = blocks.formulas.iter().map(|formula| formula.from);
        let starts = starts.map(|cut_point| Some(Location { procedure: 0, cut_point })).collect();
        Formulas { blocks: vec![blocks], starts }
    }
}

impl ErrorEnd {
    /// The error at a cut point of `program`, if there is one.
    pub(crate) fn of(program: &Program, end: &CutPointData) -> Option<Self> {
        let CutPointKind::Error(property) = end.kind else { return None };
        let what = program.properties[property].description.clone();
        Some(ErrorEnd { property, what, span: end.span })
    }
}

impl UnsupportedEnd {
    /// The unsupported construct at a cut point of `program`, if there is one.
    pub(crate) fn of(program: &Program, end: &CutPointData) -> Option<Self> {
        let CutPointKind::Unsupported(what) = &end.kind else { return None };
        let origin = match program.unsupported.values().any(|data| data.construct == *what) {
            true => UnsupportedOrigin::Program,
            false => UnsupportedOrigin::Formulas,
        };
        Some(UnsupportedEnd { what: what.clone(), origin, span: end.span })
    }
}

/// The bounds of the arguments of each relation of `source` in its translation.
pub(crate) fn ranges(
    pool: &mut TermPool,
    translation: &mut Translation,
    source: &System,
) -> Result<PrimaryMap<Relation, Term>, EncodeError> {
    let mut ranges = PrimaryMap::new();
    for relation in source.relations.values() {
        let symbols = relation.symbols();
        let targets: Result<Vec<_>, _> = symbols.map(|symbol| translation.symbol(pool, symbol)).collect();
        let bounds: Vec<Term> = targets?.into_iter().map(|target| target.range).collect();
        ranges.push(pool.and(&bounds));
    }
    Ok(ranges)
}

impl TransitionSystem {
    /// Builds the transition system of a program that was [prepared for
    /// views](crate::transform::prepare_for_views).
    ///
    /// # Errors
    /// See [`TransitionError`].
    pub fn new(pool: &mut TermPool, program: &Program, theories: Theories) -> Result<Self, TransitionError> {
        let blocks = block_formulas(pool, program, BlockOperator::L, Config::STANDARD)?;
        let clauses = of_blocks(pool, program, &blocks, Naming::Ir);
        let mut translation = Translation::new(theories);
        let system = translation.system(pool, &clauses.system)?;
        let ranges = ranges(pool, &mut translation, &clauses.system)?;
        let states = clauses.cut_points.values().filter_map(|&cut| {
            let data = &blocks.cut_points[cut];
            let CutPointKind::Block(block) = data.kind else { return None };
            let variables = data.state.iter().map(|&variable| blocks.variables[variable].clone()).collect();
            Some(State { block, span: data.span, variables })
        });
        let states = states.collect();
        // The clauses are in the order of the block formulas.
        let ends = || {
            let targets = blocks.formulas.iter().map(|formula| &blocks.cut_points[formula.to]);
            clauses.system.clauses.keys().zip(targets)
        };
        let unsupported =
            ends().filter_map(|(clause, end)| Some((clause, UnsupportedEnd::of(program, end)?))).collect();
        let errors = ends().filter_map(|(clause, end)| Some((clause, ErrorEnd::of(program, end)?))).collect();
        Ok(TransitionSystem {
            unsupported,
            errors,
            formulas: Formulas::of_blocks(blocks),
            ranges,
            theories,
            source: clauses.system,
            states,
            frames: Frames::new(&system),
            symbols: system.relations.values().flat_map(RelationData::symbols).collect(),
            system,
        })
    }

    /// Whether `symbol`, of [`system`](Self::system), represents a variable.
    pub fn is_variable(&self, symbol: Term) -> bool {
        self.symbols.contains(&symbol)
    }

    /// The variables of the states of `relation`, each with its symbol in [`system`](Self::system).
    pub fn variables(&self, relation: Relation) -> impl Iterator<Item = (&VariableData, Term)> {
        self.states[relation].variables.iter().zip(self.system.relations[relation].symbols())
    }

    /// The constraint that the state of `frame` is in `relation`.
    pub fn at(&mut self, pool: &mut TermPool, relation: Relation, frame: u32) -> Term {
        self.frames.at(pool, &self.system, relation, frame)
    }
}
