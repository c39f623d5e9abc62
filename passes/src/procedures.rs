//! A program with calls as a Horn system in the theories of the solver: calling contexts and
//! summaries as relations.
//!
//! The counterpart of [`transitions`](crate::transitions) for
//! [procedures](crate::transform::Procedures): the system of [`views::clauses::procedures`] before
//! and after [translation](horn::Translation), with the same indices, and the way back from
//! relations and arguments to the program. It is nonlinear unless no called function returns, so it
//! has no frames: an engine over it reads the clauses.
//!
//! Limits: as for transition systems, memory that is an argument must have a symbol, so encodings
//! that represent memory by functions are rejected if the program has arrays.

use crate::transitions::{ErrorEnd, Formulas, TransitionError, UnsupportedEnd, ranges};
use encode::Theories;
use horn::{Clause, Relation, System, Translation};
use program::ssa::{Block, Function, Program};
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};
use views::blocks::{CutPointKind, VariableData};
use views::clauses::procedures::{Location, ProcedureNaming, of_procedures};
use views::procedures::{Procedures, procedure_formulas};
use views::{BlockOperator, CallSite, Config};

/// The Horn system of a program with calls, see the [module](self).
#[derive(Clone, Debug)]
pub struct ProcedureSystem {
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
}

/// The states of a relation.
#[derive(Clone, Debug)]
pub struct State {
    /// The function.
    pub function: Function,
    /// The place in the function.
    pub place: Place,
    /// The variables, in the order of the arguments. [`VariableData::moment`] tells whether a
    /// variable has its value at the entry of the function or now; SSA values never change, so
    /// parameters are values of both.
    pub variables: Vec<VariableData>,
}

/// A place in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The entry: the relation is the calling context of the function.
    Entry,
    /// The return: the relation is the summary of the function. Its arguments are those of the
    /// entry, in the same order, and then the result and the regions that come out.
    Exit,
    /// A loop head, or another block where the block operator cuts.
    Block(Block),
    /// Before a call.
    Call(CallSite),
}

impl ProcedureSystem {
    /// Builds the system of a program that was [prepared for
    /// views](crate::transform::prepare_for_views), with or without procedures. Blocks end where
    /// `operator` and calls do.
    ///
    /// # Errors
    /// See [`TransitionError`].
    pub fn new(
        pool: &mut TermPool,
        program: &Program,
        operator: BlockOperator,
        theories: Theories,
    ) -> Result<Self, TransitionError> {
        let procedures = procedure_formulas(pool, program, operator, Config::STANDARD)?;
        let clauses = of_procedures(pool, program, &procedures, ProcedureNaming::Ir);
        let mut translation = Translation::new(theories);
        let system = translation.system(pool, &clauses.system)?;
        let ranges = ranges(pool, &mut translation, &clauses.system)?;
        let states = clauses.locations.values().map(|&location| State::new(&procedures, location));
        let ends = || {
            let end = |&Location { procedure, cut_point }: &Location| {
                &procedures.blocks[procedure].cut_points[cut_point]
            };
            clauses.ends.iter().map(move |(&clause, location)| (clause, end(location)))
        };
        let unsupported =
            ends().filter_map(|(clause, end)| Some((clause, UnsupportedEnd::of(program, end)?))).collect();
        let errors = ends().filter_map(|(clause, end)| Some((clause, ErrorEnd::of(program, end)?))).collect();
        let states = states.collect();
        let (source, starts) = (clauses.system, clauses.starts);
        let formulas = Formulas { blocks: procedures.blocks, starts };
        Ok(ProcedureSystem { theories, source, system, ranges, states, unsupported, errors, formulas })
    }

    /// The relation at a place of a function; `None` if no execution gets there, as far as the
    /// views know.
    pub fn relation(&self, function: Function, place: Place) -> Option<Relation> {
        let mut states = self.states.iter();
        let found = states.find(|(_, state)| state.function == function && state.place == place);
        found.map(|(relation, _)| relation)
    }

    /// The variables of the states of `relation`, each with its symbol in [`system`](Self::system).
    pub fn variables(&self, relation: Relation) -> impl Iterator<Item = (&VariableData, Term)> {
        self.states[relation].variables.iter().zip(self.system.relations[relation].symbols())
    }
}

impl Place {
    /// The place of a cut point; `None` for errors and unsupported constructs.
    #[must_use]
    pub fn of(kind: &CutPointKind) -> Option<Self> {
        match *kind {
            CutPointKind::Entry => Some(Place::Entry),
            CutPointKind::Return => Some(Place::Exit),
            CutPointKind::Block(block) => Some(Place::Block(block)),
            CutPointKind::Call(site) => Some(Place::Call(site)),
            CutPointKind::Error(_) | CutPointKind::Unsupported(_) => None,
        }
    }
}

impl State {
    fn new(procedures: &Procedures, Location { procedure, cut_point }: Location) -> Self {
        let blocks = &procedures.blocks[procedure];
        let place = Place::of(&blocks.cut_points[cut_point].kind).expect("an error should have no relation");
        State { function: blocks.function, place, variables: blocks.state(cut_point).cloned().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transform::testing::{Build, INT};
    use crate::transform::{self, Pipeline, ViewLimits, prepare_for_views};
    use encode::Encoding;
    use program::ssa::{Block, Edge, InstructionKind, Property, Region, RegionData, RegionKind, Terminator};
    use views::blocks::{Moment, Origin, RESULT};

    /// `int f(int n) { g += 1; if (n < 1) return 0; return f(n - 1) + 1; }`, and an entry function
    /// that calls it with an input and reaches an error if the result is not the input.
    fn counting() -> (Build, Function, Region) {
        let mut build = Build::new();
        let kind = RegionKind::Scalar(INT);
        let region = build.program.regions.push(RegionData { name: "g".to_owned(), kind });
        let (f, n) = build.function("f", &[INT], Some(INT));
        let (one, zero, less) = (build.number(1), build.number(0), build.pool.bv(32, u64::from(u32::MAX)));
        let value = build.push(Some(INT), InstructionKind::Load { region, address: None }).expect("a result");
        let value = build.pool.bv_add(value, one);
        build.push(None, InstructionKind::Store { region, address: None, value, ty: INT, place: None });
        let (base, step) = (build.block(&[]), build.block(&[]));
        let is_small = build.pool.bv_slt(n[0], one);
        build.branch(is_small, base, step);
        build.at(f, base);
        build.end(Terminator::Return(Some(zero)));
        build.at(f, step);
        let before = build.pool.bv_add(n[0], less);
        let result = build.call(f, &[before], Some(INT)).expect("a result");
        let result = build.pool.bv_add(result, one);
        build.end(Terminator::Return(Some(result)));
        build.at(Function(0), Block(0));
        let input = build.input(INT);
        let result = build.call(f, &[input], Some(INT)).expect("a result");
        let count = build.push(Some(INT), InstructionKind::Load { region, address: None }).expect("a result");
        let (bad, good) = (build.block(&[]), build.block(&[]));
        let (is_same, is_less) = (build.pool.eq(result, input), build.pool.bv_slt(result, count));
        let condition = build.pool.and2(is_same, is_less);
        build.end(Terminator::Branch { condition, then: Edge::to(good), otherwise: Edge::to(bad) });
        build.at(Function(0), bad);
        build.end(Terminator::Error(Property(0)));
        (build, f, region)
    }

    #[test]
    fn relations_and_arguments_lead_back_to_the_program() {
        let (mut build, f, region) = counting();
        let limits = ViewLimits { procedures: transform::Procedures::Recursive, ..ViewLimits::default() };
        let prepared = prepare_for_views(&mut build.pool, &mut build.program, limits, &Pipeline::none());
        let prepared = prepared.expect("prepared");
        assert_eq!(prepared.procedures, [f]);
        let regions = build.program.regions.keys();
        let region =
            regions.into_iter().find(|&new| prepared.back.region(new) == Some(region)).expect("it is kept");
        build.assert_well_formed();
        let theories = Theories::of(Encoding::QfAuflira);
        let system = ProcedureSystem::new(&mut build.pool, &build.program, BlockOperator::L, theories)
            .expect("a system");
        assert!(!system.system.is_linear());
        assert_eq!(system.system.clauses.len(), system.source.clauses.len());
        let entry = system.relation(f, Place::Entry).expect("f is called");
        let exit = system.relation(f, Place::Exit).expect("f returns");
        assert_eq!(system.relation(build.program.entry, Place::Entry), None, "it has no caller");
        let origins = |relation| -> Vec<(Origin, Moment)> {
            system.variables(relation).map(|(variable, _)| (variable.origin, variable.moment)).collect()
        };
        let at_entry = origins(entry);
        assert!(matches!(at_entry[0].0, Origin::Value(_)));
        assert_eq!(at_entry[1..], [(Origin::Region(region), Moment::Entry)]);
        let at_exit = origins(exit);
        assert_eq!(at_exit[..2], at_entry);
        let changes = [(Origin::Value(RESULT), Moment::Now), (Origin::Region(region), Moment::Now)];
        assert_eq!(at_exit[2..], changes);
    }
}
