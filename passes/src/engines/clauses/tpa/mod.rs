//! Split transition power abstraction for linear Horn systems.
//!
//! # Idea
//! Two sequences of formulas relate states `x` and `x'`: the *exact* powers Eₙ contain all pairs
//! with a path of 2ⁿ steps, and the *shorter* powers Lₙ all pairs with a path of fewer than 2ⁿ.
//! E₀ is the transition relation, and L₀ the identity. A path of 2ⁿ⁺¹ steps is one of 2ⁿ steps
//! twice, so whether Eₙ₊₁ may connect a source with a target is a question about two copies of
//! Eₙ: a single check, however long the paths are. If it is unsatisfiable, Eₙ₊₁ gets a
//! formula that holds of all these paths and excludes the pair, such as an interpolant
//! (`exclusion`). Otherwise the model has a state in the middle. Its projection is the target of a
//! question about Eₙ for the first half, and the states that were reached are the source of one
//! for the second half. If one of the halves has no path, Eₙ is stronger than before, and the
//! first question is repeated. A shorter path of Lₙ₊₁ is one of Lₙ, or one of Lₙ and then
//! one of Eₙ.
//!
//! The search asks whether Lₙ connects the entries with the queries, for n = 0, 1, …, so it finds
//! counterexamples of 2ⁿ steps by n questions at the top; their steps are only at the lowest level.
//!
//! *Models.* If all pairs of Lₙ that start in an entry, followed by a step, are pairs of a
//! conjunction C of some conjuncts of Lₙ again, and C does not connect entries with queries, then
//! the states that C connects with entries are a model. Houdini finds the largest C. The same
//! holds backward: the states that C connects with no query. Conjuncts of Lₙ that hold for longer
//! paths are also conjuncts of Lₙ₊₁.
//!
//! Sources: Blicha, Fedyukovich, Hyvärinen, Sharygina, *Transition Power Abstractions for Deep
//! Counterexample Detection*, TACAS 2022; the same, *Split Transition Power Abstraction for
//! Unbounded Safety*, FMCAD 2022 (two sequences).
//!
//! DIVERGENCE from FMCAD 2022: only conjunctions of shorter powers become models, not exact powers,
//! which yield k-inductive invariants. The check is relative to entries and queries, as is
//! described there for conjunctions as a whole; choosing conjuncts is ours.
//!
//! # Cost
//! A counterexample of k steps costs at least k small checks, and as many to name its states. All
//! questions about one power have one incremental prover.
//!
//! # Limits
//! Linear systems only: a derivation has to be a path. Systems of many relations are one transition
//! system with Boolean symbols for the relation of a state, so passes that inline help. If no
//! source has an interpolant, the pair of source and target is excluded as it is, and the search
//! may enumerate.

mod exclusion;
mod fixpoint;
mod system;

use super::derivation::equations;
use super::literals::{literals, without_weaker};
use backends::interpolation::elimination::{Eliminator, Precision, Quantifiers};
use backends::interpolation::vocabulary::Name;
use backends::{Fact, HornAnswer, HornSolver, Limits, Model, Outcome, Prover, ProverFactory, Reason, Status};
use exclusion::Exclusion;
use horn::System;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use system::{FIRST, Frame, LAST, MIDDLE, Steps};
use terms::{Representation, Sort, Term, TermPool, Value};

/// The most levels, which bound the recursion.
const MAX_LEVELS: usize = 1_000;

/// The engine.
pub struct TransitionPowers {
    /// The solver; its refutations have interpolants.
    pub factory: Rc<dyn ProverFactory>,
}

impl HornSolver for TransitionPowers {
    fn name(&self) -> &'static str {
        "tpa"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        Search::new(pool, system, &self.factory, limits)
            .and_then(|mut search| search.run(pool))
            .unwrap_or_else(HornAnswer::Unknown)
    }
}

/// The number of steps of a path: 2ⁿ, or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Exact,
    Shorter,
}

/// Formulas about the paths of one length.
struct Power {
    /// The conjuncts, over the first and the last frame. The transition relation, E₀, and the
    /// identity, L₀, have none.
    conjuncts: Vec<Term>,
    /// The prover of the paths that two powers of one level below form.
    paths: Option<Paths>,
}

/// Paths of two parts, from the first frame to the last.
struct Paths {
    prover: Box<dyn Prover>,
    /// The assertions, which are the first part of a problem of interpolation.
    asserted: Vec<Term>,
    /// The numbers of asserted conjuncts of the powers of both parts.
    counts: [usize; 2],
    /// Whether there is only the first part, for shorter paths.
    ends_early: Option<Term>,
}

/// The answer to a question about paths between a source and a target.
enum Found {
    /// There is no such path. A formula over the first and the last frame that holds of all paths,
    /// and excludes those from the source to the target.
    Nothing(Term),
    /// The first part may be a path.
    Early,
    /// There may be a path through these states, over the middle frame.
    Through(Term),
}

/// States that are reached.
struct Reached {
    /// Over the last frame.
    states: Term,
    path: Path,
}

/// How states are reached.
enum Path {
    /// They are states of the source.
    Stay,
    /// By a step from a state of the source, over the first frame.
    Step(Term),
    /// By a path, and another one from states that the first reaches.
    Two(Box<(Path, Path)>),
}

struct Search<'a> {
    system: &'a System,
    factory: &'a Rc<dyn ProverFactory>,
    limits: &'a Limits,
    steps: Steps,
    /// The powers, by n.
    exact: Vec<Power>,
    shorter: Vec<Power>,
    exclusion: Exclusion,
    /// The prover of single steps.
    step: Box<dyn Prover>,
    /// The prover of paths without a step.
    none: Box<dyn Prover>,
}

impl<'a> Search<'a> {
    fn new(
        pool: &mut TermPool,
        system: &'a System,
        factory: &'a Rc<dyn ProverFactory>,
        limits: &'a Limits,
    ) -> Result<Self, Reason> {
        if !system.is_linear() {
            return Err(Reason::Unsupported("clauses with several body atoms".to_owned()));
        }
        let steps = Steps::new(pool, system, factory, limits)?;
        let mut step = factory.new_prover("ALL", limits)?;
        for &conjunct in steps.transition(FIRST, LAST) {
            step.assert(pool, conjunct)?;
        }
        let none = factory.new_prover("ALL", limits)?;
        Ok(Search {
            system,
            factory,
            limits,
            steps,
            exact: Vec::new(),
            shorter: Vec::new(),
            exclusion: Exclusion::new(),
            step,
            none,
        })
    }

    fn run(&mut self, pool: &mut TermPool) -> Result<HornAnswer, Reason> {
        if self.steps.has_empty_derivation(pool, self.system, self.factory, self.limits)? {
            return Ok(HornAnswer::Unsatisfiable(Vec::new()));
        }
        let (entries, queries) = (self.steps.entries(), self.steps.queries());
        for level in 0..MAX_LEVELS {
            for powers in [&mut self.exact, &mut self.shorter] {
                powers.push(Power { conjuncts: Vec::new(), paths: None });
            }
            self.push(pool, level)?;
            if let Some(reached) = self.reach(pool, (Length::Shorter, level), entries, queries)? {
                return self.facts(pool, &reached).map(HornAnswer::Unsatisfiable);
            }
            tracing::debug!(
                level,
                exact = self.exact.iter().map(|power| power.conjuncts.len()).sum::<usize>(),
                shorter = self.shorter[level].conjuncts.len(),
                "no path of fewer steps"
            );
            if level > 0
                && let Some(model) = fixpoint::model(self, pool, level)?
            {
                return Ok(HornAnswer::Satisfiable(model));
            }
        }
        Err(Reason::Incomplete(format!("no answer for paths of fewer than 2^{MAX_LEVELS} steps")))
    }

    fn power(&mut self, (length, level): (Length, usize)) -> &mut Power {
        match length {
            Length::Exact => &mut self.exact[level],
            Length::Shorter => &mut self.shorter[level],
        }
    }

    /// Adds the conjuncts of shorter paths of one level below that hold at `level`.
    fn push(&mut self, pool: &mut TermPool, level: usize) -> Result<(), Reason> {
        let Some(below) = level.checked_sub(1) else { return Ok(()) };
        let power = (Length::Shorter, level);
        for conjunct in self.shorter[below].conjuncts.clone() {
            let mut paths = self.open(pool, power)?;
            let negation = pool.not(conjunct);
            paths.prover.push()?;
            paths.prover.assert(pool, negation)?;
            let status = paths.prover.status(pool, &[]);
            paths.prover.pop()?;
            self.power(power).paths = Some(paths);
            match status {
                Status::Unsat => self.power(power).conjuncts.push(conjunct),
                Status::Sat => {}
                Status::Unknown(reason) => return Err(reason),
            }
        }
        Ok(())
    }

    /// Searches for states of `target`, over the last frame, at the end of a path from `source`,
    /// over the first.
    fn reach(
        &mut self,
        pool: &mut TermPool,
        power: (Length, usize),
        source: Term,
        target: Term,
    ) -> Result<Option<Reached>, Reason> {
        let (length, level) = power;
        let Some(below) = level.checked_sub(1) else { return self.base(pool, length, source, target) };
        loop {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            match self.question(pool, power, source, target)? {
                Found::Nothing(formula) => {
                    tracing::trace!("{length:?} {level}: {}", pool.display(formula));
                    let all = pool.conjuncts(&[formula]);
                    self.power(power).conjuncts.extend(all);
                    return Ok(None);
                }
                Found::Early => {
                    if let Some(reached) = self.reach(pool, (length, below), source, target)? {
                        return Ok(Some(reached));
                    }
                }
                Found::Through(middle) => {
                    tracing::trace!("{length:?} {level} through {}", pool.display(middle));
                    let middle = self.steps.moved(pool, middle, MIDDLE, LAST);
                    let Some(first) = self.reach(pool, (length, below), source, middle)? else { continue };
                    let reached = self.steps.moved(pool, first.states, LAST, FIRST);
                    if let Some(second) = self.reach(pool, (Length::Exact, below), reached, target)? {
                        let path = Path::Two(Box::new((first.path, second.path)));
                        return Ok(Some(Reached { states: second.states, path }));
                    }
                }
            }
        }
    }

    /// [`reach`](Self::reach) by one step or none.
    fn base(
        &mut self,
        pool: &mut TermPool,
        length: Length,
        source: Term,
        target: Term,
    ) -> Result<Option<Reached>, Reason> {
        let (prover, mut conjuncts, target, frame, path) = match length {
            Length::Exact => {
                let transition = self.steps.transition(FIRST, LAST).to_vec();
                (&mut self.step, transition, target, LAST, Path::Step(source))
            }
            Length::Shorter => {
                let target = self.steps.moved(pool, target, LAST, FIRST);
                (&mut self.none, Vec::new(), target, FIRST, Path::Stay)
            }
        };
        prover.set_limits(self.limits);
        prover.push()?;
        for formula in [source, target] {
            prover.assert(pool, formula)?;
            conjuncts.push(formula);
        }
        let states = match prover.check(pool, &[]) {
            Outcome::Sat(mut model) => {
                Some(project(pool, &mut *model, &conjuncts, self.steps.names(frame), self.limits)?)
            }
            Outcome::Unsat(_) => None,
            Outcome::Unknown(reason) => return Err(reason),
        };
        prover.pop()?;
        Ok(states.map(|states| Reached { states: self.steps.moved(pool, states, frame, LAST), path }))
    }

    /// Asks whether two parts of one level below form a path from `source` to `target`.
    fn question(
        &mut self,
        pool: &mut TermPool,
        power: (Length, usize),
        source: Term,
        target: Term,
    ) -> Result<Found, Reason> {
        let mut paths = self.open(pool, power)?;
        let mut ends = literals(pool, source);
        ends.extend(literals(pool, target));
        // The atoms of a question are forgotten afterwards.
        paths.prover.push()?;
        let found = match self.middle(pool, &mut paths, &ends)? {
            Ok(found) => found,
            Err(core) => self.exclusion.formula(pool, &self.steps, &mut paths, core, self.limits)?,
        };
        paths.prover.pop()?;
        self.power(power).paths = Some(paths);
        Ok(found)
    }

    /// The states in the middle of some path between the ends, or those of the ends' literals that
    /// contradict all paths.
    fn middle(
        &self,
        pool: &mut TermPool,
        paths: &mut Paths,
        ends: &[Term],
    ) -> Result<Result<Found, Vec<Term>>, Reason> {
        match paths.prover.check(pool, ends) {
            Outcome::Sat(mut model) => {
                if let Some(ends_early) = paths.ends_early
                    && model.eval(pool, ends_early)? == Value::Bool(true)
                {
                    return Ok(Ok(Found::Early));
                }
                let conjuncts = [&paths.asserted, ends].concat();
                let middle = project(pool, &mut *model, &conjuncts, self.steps.names(MIDDLE), self.limits)?;
                Ok(Ok(Found::Through(middle)))
            }
            Outcome::Unsat(mut refutation) => {
                let core = refutation.unsat_core()?;
                Ok(Err(core.into_iter().map(|index| ends[index]).collect()))
            }
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// The prover of the paths of a power, brought up to date.
    fn open(&mut self, pool: &mut TermPool, power: (Length, usize)) -> Result<Paths, Reason> {
        let (length, level) = power;
        let below = level - 1;
        let mut paths = match self.power(power).paths.take() {
            Some(paths) => paths,
            None => self.paths(pool, power)?,
        };
        paths.prover.set_limits(self.limits);
        let first = match length {
            Length::Exact => &self.exact[below],
            Length::Shorter => &self.shorter[below],
        };
        let mut new = Vec::new();
        for &conjunct in &first.conjuncts[paths.counts[0]..] {
            new.push(self.steps.moved(pool, conjunct, LAST, MIDDLE));
        }
        let second = &self.exact[below];
        for &conjunct in &second.conjuncts[paths.counts[1]..] {
            let moved = self.steps.moved(pool, conjunct, FIRST, MIDDLE);
            new.push(if_not(pool, paths.ends_early, moved));
        }
        paths.counts = [first.conjuncts.len(), second.conjuncts.len()];
        for conjunct in new {
            paths.prover.assert(pool, conjunct)?;
            paths.asserted.push(conjunct);
        }
        Ok(paths)
    }

    /// The paths of a power, without its conjuncts.
    fn paths(&mut self, pool: &mut TermPool, (length, level): (Length, usize)) -> Result<Paths, Reason> {
        let mut asserted = Vec::new();
        let ends_early = match length {
            Length::Exact => None,
            Length::Shorter => {
                let symbol = pool.fresh_symbol("ends early", Sort::Bool, Representation::default());
                for equation in self.steps.identity(pool, MIDDLE, LAST) {
                    asserted.push(pool.implies(symbol, equation));
                }
                Some(symbol)
            }
        };
        if level == 1 {
            match length {
                Length::Exact => asserted.extend(self.steps.transition(FIRST, MIDDLE)),
                Length::Shorter => asserted.extend(self.steps.identity(pool, FIRST, MIDDLE)),
            }
            for &conjunct in self.steps.transition(MIDDLE, LAST) {
                asserted.push(if_not(pool, ends_early, conjunct));
            }
        }
        let mut prover = self.factory.new_prover("ALL", self.limits)?;
        for &conjunct in &asserted {
            prover.assert(pool, conjunct)?;
        }
        Ok(Paths { prover, asserted, counts: [0, 0], ends_early })
    }

    /// The states of a path to a query, from the first to the last.
    fn facts(&mut self, pool: &mut TermPool, reached: &Reached) -> Result<Vec<Fact>, Reason> {
        let mut sources = Vec::new();
        let mut open = vec![&reached.path];
        while let Some(path) = open.pop() {
            match path {
                Path::Stay => {}
                Path::Step(source) => sources.push(*source),
                Path::Two(both) => open.extend([&both.1, &both.0]),
            }
        }
        let mut prover = self.factory.new_prover("ALL", self.limits)?;
        let mut last = vec![reached.states, self.steps.queries()];
        // A path without steps has a state of the entries.
        if sources.is_empty() {
            let entries = self.steps.entries();
            last.push(self.steps.moved(pool, entries, FIRST, LAST));
        }
        for formula in last {
            prover.assert(pool, formula)?;
        }
        let (fact, mut values) = self.steps.some_state(pool, self.system, &mut *prover, LAST)?;
        let mut facts = vec![fact];
        for source in sources.into_iter().rev() {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            self.step.push()?;
            self.step.assert(pool, source)?;
            for equation in equations(pool, self.steps.state(LAST), &values)? {
                self.step.assert(pool, equation)?;
            }
            let fact;
            (fact, values) = self.steps.some_state(pool, self.system, &mut *self.step, FIRST)?;
            self.step.pop()?;
            facts.push(fact);
        }
        facts.reverse();
        Ok(facts)
    }
}

/// `formula`, unless the symbol is true.
fn if_not(pool: &mut TermPool, symbol: Option<Term>, formula: Term) -> Term {
    match symbol {
        None => formula,
        Some(symbol) => pool.or(&[symbol, formula]),
    }
}

/// States that satisfy the conjuncts for some values of the other symbols; the model is one of
/// them.
fn project(
    pool: &mut TermPool,
    model: &mut dyn Model,
    conjuncts: &[Term],
    names: &FxHashSet<Name>,
    limits: &Limits,
) -> Result<Term, Reason> {
    let mut eliminator = Eliminator::new(&[], Quantifiers::Refused, limits);
    let states = eliminator.project_model(pool, model, conjuncts, names)?;
    Ok(without_weaker(pool, states))
}

/// The formula over the named symbols that the conjuncts imply, and whether it is equivalent to
/// them with the other symbols existentially quantified.
fn eliminate(
    pool: &mut TermPool,
    factory: &Rc<dyn ProverFactory>,
    conjuncts: &[Term],
    names: &FxHashSet<Name>,
    (quantifiers, limits): (Quantifiers, &Limits),
) -> Result<(Term, Precision), Reason> {
    let factories = [Rc::clone(factory)];
    let projection = Eliminator::new(&factories, quantifiers, limits).project(pool, conjuncts, names)?;
    Ok((pool.and(&projection.conjuncts), projection.precision))
}

/// The three states of a path of two parts.
const FRAMES: [Frame; 3] = [FIRST, MIDDLE, LAST];
