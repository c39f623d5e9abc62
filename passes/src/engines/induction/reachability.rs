//! Property-directed reachability in place of the step case.
//!
//! The [search](crate::engines::clauses::pdr) runs over the [transition system](crate::transitions)
//! of the program, or over its [procedure system](crate::procedures) if calls cannot be inlined,
//! with the first auxiliary invariants as lemmas of all levels. A model that it finds is an
//! inductive certificate, after [slicing](inference::slice). A derivation of a query is
//! [replayed](super::derivation) as a run. If it is no run, because it leads to an unsupported
//! construct or because the clauses over-approximate the program, the search for a run is left to
//! the base case.
//!
//! Source: Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of Passau, 2017,
//! §18.2, names it as future work for this framework; see the search for its own sources.
//!
//! Limits: those of the systems, and of the search over infinite domains. With procedures there are
//! no auxiliary invariants.

use super::Attempt;
use super::derivation::{Derived, NO_RUN};
use super::procedures::{Prepared, conjuncts, few};
use super::sharing::Sharing;
use super::summaries::OF_RECURSION;
use crate::engines::clauses::derivation::derive;
use crate::engines::clauses::pdr::Search;
use crate::evidence::{Certificate, Invariants};
use crate::invariants::{AuxiliaryInvariants, Fact};
use crate::trace::Trace;
use crate::transform::{BackTranslator, Pipeline};
use crate::transitions::TransitionSystem;
use backends::{HornAnswer, Limits, Prover, ProverFactory, Reason};
use encode::Theories;
use horn::{Derivation, Interpretation, Relation, System};
use program::ssa::Program;
use std::rc::Rc;
use terms::{Term, TermPool};

/// The part of the effort of the first turn that the auxiliary invariants get.
const SHARE_OF_INVARIANTS: u32 = 3;

/// The search for a proof.
pub(super) struct Reachability<'a> {
    source: Source<'a>,
    search: Search<'a>,
    /// The atoms of a derivation that was not built in time.
    derivable: Option<Vec<backends::Fact>>,
    /// The program as lowered.
    program: &'a Program,
    clauses: Rc<System>,
    factory: &'a dyn ProverFactory,
    prover: Box<dyn Prover>,
}

/// The system and where it comes from.
enum Source<'a> {
    Transitions(Box<Transitions<'a>>),
    Procedures(Box<Prepared>),
}

/// A transition system with what is known about it.
struct Transitions<'a> {
    system: TransitionSystem,
    back: BackTranslator,
    /// Until the first turn.
    invariants: Option<Box<dyn AuxiliaryInvariants + 'a>>,
    sharing: Option<Sharing<'a>>,
    /// The lemmas of all levels, which are inductive together.
    known: Vec<Fact>,
}

impl<'a> Reachability<'a> {
    /// A search over a transition system, with `invariants`.
    pub(super) fn of_transitions(
        system: TransitionSystem,
        (program, back): (&'a Program, BackTranslator),
        invariants: Box<dyn AuxiliaryInvariants + 'a>,
        sharing: Option<Sharing<'a>>,
        factory: &'a dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, Reason> {
        let (clauses, theories) = (Rc::new(system.system.clone()), system.theories);
        let transitions =
            Transitions { system, back, invariants: Some(invariants), sharing, known: Vec::new() };
        let source = Source::Transitions(Box::new(transitions));
        Reachability::new(source, program, (clauses, theories), factory, limits)
    }

    /// A search over the procedures of a program that cannot be inlined.
    ///
    /// # Errors
    /// The reason why there is no such system.
    pub(super) fn of_procedures(
        pool: &mut TermPool,
        program: &'a Program,
        encoding: (&Pipeline, Theories),
        factory: &'a dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, String> {
        let prepared = Prepared::new(pool, program, OF_RECURSION, encoding)?;
        let (clauses, theories) = (Rc::new(prepared.system.system.clone()), prepared.system.theories);
        let source = Source::Procedures(Box::new(prepared));
        let search = Reachability::new(source, program, (clauses, theories), factory, limits);
        search.map_err(|reason| reason.to_string())
    }

    fn new(
        source: Source<'a>,
        program: &'a Program,
        (clauses, theories): (Rc<System>, Theories),
        factory: &'a dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, Reason> {
        let logic = theories.logic();
        let prover = factory.new_prover(logic, limits)?;
        let search = Search::new(Rc::clone(&clauses), factory, logic);
        Ok(Reachability { source, search, derivable: None, program, clauses, factory, prover })
    }

    /// The cost so far.
    pub(super) fn statistics(&self) -> crate::engines::clauses::pdr::Statistics {
        self.search.statistics()
    }

    /// Continues the search.
    pub(super) fn attempt(&mut self, pool: &mut TermPool, pipeline: &Pipeline, limits: &Limits) -> Attempt {
        if let Source::Transitions(transitions) = &mut self.source {
            let learned = transitions.known.len();
            transitions.learn(pool, limits);
            for fact in &transitions.known[learned..] {
                self.search.learn(fact.at, fact.formula);
            }
        }
        let answer = match self.derivable.take() {
            Some(facts) => Ok(HornAnswer::Unsatisfiable(facts)),
            None => self.search.resume(pool, limits),
        };
        match answer {
            Ok(HornAnswer::Satisfiable(model)) => {
                Attempt::Proved(self.certificate(pool, &model, pipeline, limits))
            }
            Ok(HornAnswer::Unsatisfiable(facts)) => {
                match derive(pool, &self.clauses, &facts, self.factory, limits) {
                    Ok(derivation) => match self.replay(pool, &derivation) {
                        Ok(trace) => Attempt::Refuted(Box::new(trace)),
                        Err(reason) => Attempt::Hopeless(format!("{NO_RUN}: {reason}")),
                    },
                    Err(Reason::Timeout | Reason::Interrupted) => {
                        self.derivable = Some(facts);
                        Attempt::OutOfTime
                    }
                    Err(reason) => Attempt::Hopeless(format!("{NO_RUN}: {reason}")),
                }
            }
            Ok(HornAnswer::Unknown(reason)) => Attempt::Hopeless(reason.to_string()),
            Err(Reason::Timeout | Reason::Interrupted) => {
                if let Source::Transitions(transitions) = &mut self.source
                    && let Some(sharing) = &mut transitions.sharing
                {
                    let lemmas = self.search.highest_lemmas();
                    let lemmas = lemmas.map(|(at, formula)| Fact { at, formula }).collect();
                    sharing.suggest(pool, lemmas);
                }
                Attempt::OutOfTime
            }
            Err(reason) => Attempt::Hopeless(reason.to_string()),
        }
    }

    /// The run of a derivation; an error is the reason why it is no run.
    fn replay(&self, pool: &mut TermPool, derivation: &Derivation) -> Result<Trace, String> {
        derivation.check(pool, &self.clauses).map_err(|error| error.to_string())?;
        match &self.source {
            Source::Transitions(transitions) => {
                let TransitionSystem { source, theories, formulas, errors, .. } = &transitions.system;
                let of = Derived { formulas, source, theories: *theories, errors, back: &transitions.back };
                of.replay(pool, self.program, derivation)
            }
            Source::Procedures(prepared) => prepared.replay(pool, self.program, derivation),
        }
    }

    fn certificate(
        &mut self,
        pool: &mut TermPool,
        model: &Interpretation,
        pipeline: &Pipeline,
        limits: &Limits,
    ) -> Certificate {
        let all = conjuncts(pool, model);
        match &self.source {
            Source::Transitions(transitions) => {
                let system = &transitions.system;
                let few = few(pool, &mut *self.prover, &system.system, &all, limits);
                let facts = few.at.iter();
                let facts =
                    facts.flat_map(|(at, conjuncts)| conjuncts.iter().map(move |&formula| (at, formula)));
                let facts: Vec<(Relation, Term)> = facts.collect();
                Certificate::Inductive(Box::new(Invariants::of_facts(pool, system, &facts, pipeline)))
            }
            Source::Procedures(prepared) => prepared.certificate(pool, &mut *self.prover, &all, limits),
        }
    }
}

impl Transitions<'_> {
    /// Adds the first auxiliary invariants, and what formulas of other runs contribute.
    fn learn(&mut self, pool: &mut TermPool, limits: &Limits) {
        if let Some(mut invariants) = self.invariants.take() {
            invariants.improve(pool, &mut self.system, &limits.share(SHARE_OF_INVARIANTS));
            self.known.extend(invariants.current());
        }
        if let Some(sharing) = &mut self.sharing {
            sharing.send(pool, &self.known);
            let facts = sharing.receive(pool, &self.system, &self.known, limits);
            self.known.extend(facts);
        }
    }
}
