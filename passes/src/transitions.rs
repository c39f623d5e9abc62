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
use horn::{Relation, RelationData, System, Translation};
use program::ssa::{Block, Program};
use rustc_hash::FxHashSet;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};
use views::ViewError;
use views::blocks::{CutPointKind, VariableData, block_formulas};
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
    /// The states of each relation.
    pub states: PrimaryMap<Relation, State>,
    /// The frames of sequences of states.
    pub frames: Frames,
    symbols: FxHashSet<Term>,
}

/// The states of a relation.
#[derive(Clone, Debug)]
pub struct State {
    /// Their loop head.
    pub block: Block,
    /// The live variables, in the order of the arguments.
    pub variables: Vec<VariableData>,
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
        let system = Translation::new(theories).system(pool, &clauses.system)?;
        let states = clauses.cut_points.values().filter_map(|&cut| {
            let data = &blocks.cut_points[cut];
            let CutPointKind::Block(block) = data.kind else { return None };
            let variables = data.state.iter().map(|&variable| blocks.variables[variable].clone()).collect();
            Some(State { block, variables })
        });
        Ok(TransitionSystem {
            theories,
            source: clauses.system,
            states: states.collect(),
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
