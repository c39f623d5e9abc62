//! The transition system of a linear Horn system, over the states of three frames.

use super::super::unrolling::fact;
use super::{FRAMES, eliminate};
use backends::interpolation::elimination::{Precision, Quantifiers};
use backends::interpolation::vocabulary::Name;
use backends::{Fact, Limits, Outcome, Prover, ProverFactory, Reason, Status};
use horn::frames::{Frames, Source};
use horn::{Relation, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Duration;
use terms::{Term, TermPool, Value};

/// A state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame(usize);

/// Where a path starts.
pub(super) const FIRST: Frame = Frame(0);
/// Where its first part ends.
pub(super) const MIDDLE: Frame = Frame(1);
/// Where it ends.
pub(super) const LAST: Frame = Frame(2);

/// The effort of making the states of entries and queries formulas without other symbols.
const ELIMINATION: Duration = Duration::from_secs(1);

impl Frame {
    /// The number among the [`Frames`]; entries lead from 0.
    fn number(self) -> u32 {
        u32::try_from(self.0 + 1).expect("one of three")
    }
}

/// The states, the transitions, the entries and the queries.
pub(super) struct Steps {
    frames: Frames,
    states: [Vec<Term>; 3],
    names: [FxHashSet<Name>; 3],
    transitions: FxHashMap<(usize, usize), Vec<Term>>,
    /// The states of entries, over the first frame.
    entries: Term,
    /// The states that derive a query, over the last frame.
    queries: Term,
}

impl Steps {
    pub(super) fn new(
        pool: &mut TermPool,
        system: &System,
        factory: &Rc<dyn ProverFactory>,
        limits: &Limits,
    ) -> Result<Self, Reason> {
        let mut frames = Frames::new(system);
        let states = FRAMES.map(|frame| frames.state(pool, system, frame.number()));
        let names = [0, 1, 2].map(|frame| {
            let states: &Vec<Term> = &states[frame];
            states.iter().filter_map(|&symbol| Name::of(pool.op(symbol))).collect()
        });
        let mut transitions = FxHashMap::default();
        for (from, to) in [(FIRST, MIDDLE), (MIDDLE, LAST), (FIRST, LAST)] {
            let numbers = (from.number(), to.number());
            let conjuncts = frames.transition(pool, system, Source::Relations, numbers);
            transitions.insert((from.0, to.0), conjuncts);
        }
        let entries = frames.transition(pool, system, Source::Entry, (0, FIRST.number()));
        let queries = frames.end(pool, system, Source::Relations, LAST.number());
        let mut steps =
            Steps { frames, states, names, transitions, entries: pool.tru(), queries: pool.tru() };
        steps.entries = steps.states_of(pool, factory, &entries, FIRST, limits)?;
        steps.queries = steps.states_of(pool, factory, &queries, LAST, limits)?;
        Ok(steps)
    }

    /// The states of a frame that satisfy the conjuncts, without other symbols if that is cheap.
    fn states_of(
        &self,
        pool: &mut TermPool,
        factory: &Rc<dyn ProverFactory>,
        conjuncts: &[Term],
        frame: Frame,
        limits: &Limits,
    ) -> Result<Term, Reason> {
        let within = limits.within(ELIMINATION);
        match eliminate(pool, factory, conjuncts, self.names(frame), (Quantifiers::Refused, &within)) {
            Ok((states, Precision::Exact)) => Ok(states),
            Ok((_, Precision::Weaker)) | Err(_) => match limits.exceeded() {
                Some(reason) => Err(reason),
                None => Ok(pool.and(conjuncts)),
            },
        }
    }

    /// Whether a query without a body has an instance.
    pub(super) fn has_empty_derivation(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        factory: &Rc<dyn ProverFactory>,
        limits: &Limits,
    ) -> Result<bool, Reason> {
        let mut prover = factory.new_prover("ALL", limits)?;
        for conjunct in self.frames.end(pool, system, Source::Entry, 0) {
            prover.assert(pool, conjunct)?;
        }
        match prover.status(pool, &[]) {
            Status::Sat => Ok(true),
            Status::Unsat => Ok(false),
            Status::Unknown(reason) => Err(reason),
        }
    }

    /// The symbols of the state of a frame.
    pub(super) fn state(&self, frame: Frame) -> &[Term] {
        &self.states[frame.0]
    }

    /// The names of the symbols of the state of a frame.
    pub(super) fn names(&self, frame: Frame) -> &FxHashSet<Name> {
        &self.names[frame.0]
    }

    /// The states of entries, over the first frame.
    pub(super) fn entries(&self) -> Term {
        self.entries
    }

    /// The states that derive a query, over the last frame.
    pub(super) fn queries(&self) -> Term {
        self.queries
    }

    /// That a transition leads from one frame to the other, a later one.
    pub(super) fn transition(&self, from: Frame, to: Frame) -> &[Term] {
        &self.transitions[&(from.0, to.0)]
    }

    /// That the states of two frames are the same.
    pub(super) fn identity(&self, pool: &mut TermPool, a: Frame, b: Frame) -> Vec<Term> {
        let pairs = self.states[a.0].iter().zip(&self.states[b.0]);
        pairs.map(|(&a, &b)| pool.eq(a, b)).collect()
    }

    /// `formula` about the state of another frame.
    pub(super) fn moved(&self, pool: &mut TermPool, formula: Term, from: Frame, to: Frame) -> Term {
        let pairs = self.states[from.0].iter().copied().zip(self.states[to.0].iter().copied());
        let images: FxHashMap<Term, Term> = pairs.collect();
        pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
    }

    /// Whether all symbols are those of the state of a frame.
    pub(super) fn is_about(&self, pool: &TermPool, formula: Term, frame: Frame) -> bool {
        let names = self.names(frame);
        pool.free_symbols(formula).into_iter().all(|symbol| names.contains(&Name::Symbol(symbol)))
    }

    /// Whether all symbols are those of the states of the first and the last frame.
    pub(super) fn is_about_states(&self, pool: &TermPool, formula: Term) -> bool {
        let known = |name: &Name| self.names[FIRST.0].contains(name) || self.names[LAST.0].contains(name);
        pool.free_symbols(formula).into_iter().all(|symbol| known(&Name::Symbol(symbol)))
    }

    /// The symbols of the arguments of a relation in a frame.
    pub(super) fn arguments(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        relation: Relation,
        frame: Frame,
    ) -> Vec<Term> {
        let symbols: Vec<Term> = system.relations[relation].symbols().collect();
        symbols.into_iter().map(|symbol| self.frames.argument(pool, symbol, frame.number())).collect()
    }

    /// That the state of a frame is one of a relation.
    pub(super) fn at(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        relation: Relation,
        frame: Frame,
    ) -> Term {
        self.frames.at(pool, system, relation, frame.number())
    }

    /// A state of a frame that satisfies the assertions: as a fact, and the values of its symbols.
    pub(super) fn some_state(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        prover: &mut dyn Prover,
        frame: Frame,
    ) -> Result<(Fact, Vec<Value>), Reason> {
        match prover.check(pool, &[]) {
            Outcome::Sat(mut model) => {
                let fact = fact(pool, system, &mut self.frames, &mut *model, frame.number())?;
                let values = model.eval_all(pool, &self.states[frame.0])?;
                Ok((fact, values))
            }
            Outcome::Unsat(_) => Err(Reason::Fault("a state of a path has no predecessor".to_owned())),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}
