//! A program as a transition system in the theories of the solver.
//!
//! States are those of loop heads ([`views::blocks`]), each a relation of a Horn system ([`views::clauses`]); a transition is a clause from one to another,
//! an entry one from the start of the program, and a query is an *end*: it leads to an error or to something that is not supported. The system is there
//! twice, with the same indices: as the views make it, and [translated](horn::Translation). Sequences of its states have
//! [frames](horn::frames).
//!
//! DIVERGENCE from the thesis (seed 000, §5.2.2), which unrolls from one loop head: any number of loops is one transition system, as in Wahl's
//! presentation of the principle, and a step goes from any loop head to the next, not once around one loop.
//!
//! Limits: memory that lives across cut points has to have a symbol, so encodings where memory is a function are refused if the program has
//! arrays. Programs that are not inlined are refused by the views.

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

/// Why a program has no transition system.
#[derive(Debug, thiserror::Error)]
pub enum TransitionError {
    /// It has no block formulas.
    #[error(transparent)]
    View(#[from] ViewError),
    /// They cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The theories of [`system`](Self::system).
    pub theories: Theories,
    /// Before translation, over bit vectors and arrays.
    pub source: System,
    /// After it.
    pub system: System,
    /// The states of each relation.
    pub states: PrimaryMap<Relation, State>,
    /// The frames of sequences of states.
    pub frames: Frames,
    symbols: FxHashSet<Term>,
}

/// What the states of a relation are.
#[derive(Clone, Debug)]
pub struct State {
    /// The loop head where they are.
    pub block: Block,
    /// The variables that are live, in the order of the arguments.
    pub variables: Vec<VariableData>,
}

impl TransitionSystem {
    /// The transition system of a program that was [prepared for views](crate::transform::prepare_for_views).
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

    /// Whether `symbol`, of [`system`](Self::system), stands for a variable.
    pub fn is_variable(&self, symbol: Term) -> bool {
        self.symbols.contains(&symbol)
    }

    /// The variables of the states of `relation`, each with its symbol in [`system`](Self::system).
    pub fn variables(&self, relation: Relation) -> impl Iterator<Item = (&VariableData, Term)> {
        self.states[relation].variables.iter().zip(self.system.relations[relation].symbols())
    }

    /// That the state of `frame` is one of `relation`.
    pub fn at(&mut self, pool: &mut TermPool, relation: Relation, frame: u32) -> Term {
        self.frames.at(pool, &self.system, relation, frame)
    }
}
