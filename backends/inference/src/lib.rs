//! Template-based inference of invariants for Horn systems.
//!
//! [`infer`] computes, for each relation of a [`System`], a conjunction of *rows* that holds of all
//! states that are derivable there: bounds of linear terms, linear equations, congruences, known
//! bits, small sets of values, and formulas of the program. The method is that of 2LS (Marušák,
//! *Generic Template-Based Synthesis of Program Abstractions*, Master's thesis, Brno University of
//! Technology, 2019; Brain, Joshi, Kroening, Schrammel, *Safety Verification and Refutation by
//! k-Invariants and k-Induction*, SAS 2015): one [strategy solver](solver) for all
//! [domains](domain), which a [`Spec`] chooses and combines at run time.
//!
//! # Adding a domain
//! A file with a type of `Template` (module `table`) and a function that makes the rows of a
//! relation; and a line in [`spec::DOMAINS`].
//!
//! # Systems
//! Clauses may have several body atoms. Terms may be of any theory; the sorts of the arguments
//! determine the rows: for bit vectors signed and unsigned comparisons and equations modulo 2^w,
//! for integers and reals those of arithmetic. The result can be checked independently: each row is
//! one query for each clause.

pub mod backward;
mod bits;
mod bounds;
mod candidates;
pub mod cells;
mod congruences;
mod contexts;
pub mod domain;
mod guarded;
mod hulls;
mod instance;
mod linear;
mod multiples;
mod order;
mod paths;
mod product;
mod rates;
mod shapes;
mod simulation;
pub mod slice;
pub mod solver;
pub mod spec;
mod split;
mod state;
mod table;
mod values;
mod vocabulary;

pub use bounds::{Search, Shape, Sum};
pub use candidates::{Formulas, Kind};
pub use contexts::Contexts;
pub use domain::Counts;
pub use slice::{Cores, Slicing, slice};
pub use spec::{DomainSpec, Spec, SpecError};
pub use split::split;
pub use vocabulary::{Suggestions, literals};

use backends::effort::Moment;
use backends::{Limits, Prover, Reason};
use backward::Backward;
use horn::{Clause, Relation, System};
use rustc_hash::FxHashMap;
use simulation::{Reached, simulate};
use solver::{Progress, Solver};
use std::rc::Rc;
use table::Base;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Term, TermPool};
use vocabulary::{Terms, Vocabulary};

/// A conjunction for each relation; only `false` for a relation without a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariants {
    /// The conjuncts.
    pub at: PrimaryMap<Relation, Vec<Term>>,
}

impl Invariants {
    /// Adds conjuncts.
    fn extend(&mut self, other: &Invariants) {
        for (relation, conjuncts) in other.at.iter() {
            self.at[relation].extend(conjuncts);
        }
    }

    /// The invariant of a relation.
    pub fn term(&self, pool: &mut TermPool, relation: Relation) -> Term {
        pool.and(&self.at[relation])
    }
}

/// Facts that hold in all states of each relation.
type Known = SecondaryMap<Relation, Terms>;

/// The cost of an inference.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// The queries to provers.
    pub queries: usize,
    /// The models among their answers.
    pub models: usize,
    /// The counts of each domain, in the order of the stages.
    pub domains: Vec<(String, Counts)>,
}

impl Statistics {
    /// Adds the cost of another inference.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.models += other.models;
        self.domains.extend(other.domains.iter().cloned());
    }

    /// The rows that became `true` because a query was not decided.
    #[must_use]
    pub fn suspended(&self) -> usize {
        self.domains.iter().map(|(_, counts)| counts.suspended).sum()
    }
}

/// An inference over a system.
pub struct Inference<'c> {
    system: System,
    /// The queries of the system of which this inference was made, as clauses of `system`.
    queries: FxHashMap<Clause, Clause>,
    vocabulary: Rc<Vocabulary>,
    contexts: Contexts<'c>,
    /// States of simulated runs.
    states: Vec<Reached>,
    /// The facts so far.
    known: Rc<Known>,
    /// The stage that exceeded its limits.
    progress: Option<Progress>,
    /// The search for facts from above that exceeded its limits.
    backward: Option<Backward<'c>>,
    /// The cost so far.
    pub statistics: Statistics,
}

impl<'c> Inference<'c> {
    /// Prepares an inference over `system`, whose queries `contexts` decides. `suggested` is
    /// material beside that of the system.
    pub fn new(
        pool: &mut TermPool,
        system: &System,
        suggested: &Suggestions,
        contexts: Contexts<'c>,
    ) -> Self {
        let mut vocabulary = Vocabulary::of(pool, system);
        vocabulary.suggest(suggested, system);
        let vocabulary = Rc::new(vocabulary);
        let parts = split(pool, system);
        let queries = |system: &System| system.queries().map(|(clause, _)| clause).collect::<Vec<Clause>>();
        // Queries are not split.
        let queries = queries(system).into_iter().zip(queries(&parts)).collect();
        let system = parts;
        let statistics = Statistics::default();
        let states = simulate(pool, &system);
        let known = Rc::default();
        Inference {
            system,
            queries,
            vocabulary,
            contexts,
            states,
            known,
            progress: None,
            backward: None,
            statistics,
        }
    }

    /// Adds a fact that holds in all states of a relation, or that is inductive together with the
    /// facts so far.
    pub fn learn(&mut self, relation: Relation, fact: Term) {
        Rc::make_mut(&mut self.known)[relation].insert(fact);
    }

    /// All facts so far.
    #[must_use]
    pub fn known(&self) -> Invariants {
        let relations = self.system.relations.keys();
        let at = relations.map(|relation| self.known[relation].iter().copied().collect());
        Invariants { at: at.collect() }
    }

    fn base(&self, search: Search) -> Base<'_> {
        Base { system: &self.system, vocabulary: &self.vocabulary, known: &self.known, search }
    }

    /// Solves one stage in the context of the facts so far, and adds its invariants to them. A
    /// domain of phases has none if no loop has several.
    ///
    /// # Errors
    /// The limit that is exceeded, or a failure of a prover; then nothing is added. After a limit
    /// was exceeded, [`resume`](Self::resume) continues.
    pub fn stage(
        &mut self,
        pool: &mut TermPool,
        domain: &DomainSpec,
        search: Search,
        limits: &Limits,
    ) -> Result<Invariants, Reason> {
        if domain.has_phases() && !guarded::has_phases(pool, &self.system) {
            let at = self.system.relations.keys().map(|_| Vec::new()).collect();
            return Ok(Invariants { at });
        }
        if let DomainSpec::Backward(inner) = domain {
            self.backward = Some(Backward::new(pool, &self.system, inner, search));
            return self.resume(pool, limits);
        }
        let domain = domain.make(pool, &self.base(search));
        self.progress = Some(Progress::new(&self.system, domain));
        self.resume(pool, limits)
    }

    /// Adds the largest part of `formulas` that is inductive together with the facts so far.
    ///
    /// # Errors
    /// As for [`stage`](Self::stage).
    pub fn inductive(
        &mut self,
        pool: &mut TermPool,
        formulas: Formulas,
        limits: &Limits,
    ) -> Result<Invariants, Reason> {
        self.inductive_of("given", pool, formulas, limits)
    }

    /// As [`inductive`](Self::inductive), for formulas of a source with this name in the
    /// [statistics](Statistics::domains).
    ///
    /// # Errors
    /// As for [`stage`](Self::stage).
    pub fn inductive_of(
        &mut self,
        source: &'static str,
        pool: &mut TermPool,
        formulas: Formulas,
        limits: &Limits,
    ) -> Result<Invariants, Reason> {
        let domain = candidates::given(&self.base(Search::default()), source, Rc::new(formulas));
        self.progress = Some(Progress::new(&self.system, Box::new(domain)));
        self.resume(pool, limits)
    }

    /// Whether a stage exceeded its limits.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.progress.is_some() || self.backward.is_some()
    }

    /// Continues the stage that exceeded its limits. Without one, there are no new invariants.
    ///
    /// # Errors
    /// As for [`stage`](Self::stage).
    pub fn resume(&mut self, pool: &mut TermPool, limits: &Limits) -> Result<Invariants, Reason> {
        if let Some(mut backward) = self.backward.take() {
            let found = backward.run(pool, self, limits);
            if found.is_err() && limits.exceeded().is_some() {
                self.backward = Some(backward);
            }
            return Ok(self.add(pool, found?));
        }
        let none = self.system.relations.keys().map(|_| Vec::new()).collect();
        let Some(mut progress) = self.progress.take() else { return Ok(Invariants { at: none }) };
        let mut solver = Solver {
            pool,
            system: &self.system,
            contexts: &mut self.contexts,
            known: &self.known,
            limits,
            statistics: &mut self.statistics,
            states: &self.states,
            progress: &mut progress,
        };
        let start = Moment::now();
        let result = solver.run();
        self.contexts.restore(limits);
        tracing::debug!(
            domain = progress.domain.name(),
            queries = self.statistics.queries,
            models = self.statistics.models,
            seconds = start.elapsed().as_secs_f64(),
            failure = result.as_ref().err().map(tracing::field::display),
            "stage"
        );
        if let Err(reason) = result {
            if limits.exceeded().is_some() {
                self.progress = Some(progress);
            }
            return Err(reason);
        }
        self.statistics.domains.extend(progress.domain.counts());
        let relations = self.system.relations.keys();
        let all = relations.map(|relation| progress.domain.to_pre_constraints(pool, relation)).collect();
        Ok(self.add(pool, all))
    }

    /// Adds facts to those so far, and returns the new ones.
    fn add(&mut self, pool: &mut TermPool, mut at: PrimaryMap<Relation, Vec<Term>>) -> Invariants {
        for (relation, facts) in at.iter_mut() {
            let all = pool.conjuncts(facts);
            let known = &mut Rc::make_mut(&mut self.known)[relation];
            let is_new = |&conjunct: &Term| conjunct != pool.tru() && known.insert(conjunct);
            *facts = all.into_iter().filter(is_new).collect();
            for &fact in &*facts {
                tracing::trace!(relation = %self.system.relations[relation].name, "{}", pool.display(fact));
            }
        }
        Invariants { at }
    }
}

/// The strongest invariants that the domains of `spec` find.
///
/// # Errors
/// The limit that is exceeded, or a failure of a prover.
pub fn infer(
    pool: &mut TermPool,
    system: &System,
    contexts: Contexts<'_>,
    spec: &Spec,
    limits: &Limits,
) -> Result<(Invariants, Statistics), Reason> {
    let mut inference = Inference::new(pool, system, &Suggestions::default(), contexts);
    for stage in &spec.stages {
        inference.stage(pool, stage, spec.search, limits)?;
    }
    Ok((inference.known(), inference.statistics))
}

/// Choices of domains with growing cost; each contains the stages of the previous one. Most proofs
/// need only the first.
pub const LEVELS: [&str; 4] = [
    "hulls*congruences*literals",
    "hulls*congruences*literals,intervals*zones*orders*values*literals",
    "hulls*congruences*literals,intervals*zones*orders*values*literals,\
     phases(hulls*congruences*intervals)",
    "hulls*congruences*literals,intervals*zones*orders*values*literals,\
     phases(hulls*congruences*intervals),disjunctions*orders*literals",
];

/// Searches for inductive invariants that exclude all queries of a system, with few conjuncts;
/// `None` if the domains of `spec` express none.
///
/// `prover` must decide the theories of the system. It is returned without new assertions and with
/// the limits `limits`.
///
/// # Errors
/// The reason why the prover has no answer, or the exceeded limit.
pub fn prove(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
    spec: &Spec,
    limits: &Limits,
) -> Result<Option<Invariants>, Reason> {
    let (strongest, _) = infer(pool, system, Contexts::shared(prover), spec, limits)?;
    slice(pool, prover, system, &strongest, Cores::Minimal, limits)
}

#[cfg(test)]
mod tests;
