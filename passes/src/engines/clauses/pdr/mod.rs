//! Property-directed reachability for Horn systems.
//!
//! # Idea
//! For each relation and each *level* i there is a frame: a conjunction of lemmas that holds of all
//! states with a derivation of height at most i. The search asks whether a query has an instance
//! whose premises are in the frames of level n. If so, the states of a premise that lead to the
//! query are a *cube*, found by projection of the model, and an *obligation*: is one of them
//! derivable with height n? Obligations are decided by the same question one level below. A cube
//! without predecessor is *blocked*: its negation, generalized, is a lemma. If the query is blocked
//! at level n, lemmas are pushed to higher levels, and if all lemmas of a level can be pushed, the
//! frame of the next level is a model.
//!
//! Sources: Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011 (frames, relative
//! induction); Hoder, Bjørner, *Generalized Property Directed Reachability*, SAT 2012 (Horn
//! clauses); Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for Recursive Programs*, CAV
//! 2014 (projection; premises that are known facts before those that satisfy lemmas); Birgmeier,
//! Bradley, Weissenbacher, *Counterexample to Induction-Guided Abstraction-Refinement*, CAV 2014.
//!
//! * **Nonlinear clauses.** Premises are treated from the first to the last: those before the open
//!   one have known facts, those after it satisfy the lemmas. An obligation that turns out to be
//!   derivable adds a fact, with which its parent is tried again.
//! * **Generalization.** A lemma needs only the literals of the cores of all clauses that derive
//!   the relation. Then each literal is dropped if the rest is still inductive relative to the
//!   frame. Equations of numbers are two literals.
//! * **Progressions.** Lemmas that differ only in numbers are generalized (`progressions`).
//! * **Deep counterexamples.** A blocked obligation is tried again at the next level.
//!
//! * **Interpolation.** With a source of interpolants, blocked cubes that relate numbers yield
//!   further lemmas (`interpolants`).
//!
//! DIVERGENCE from Komuravelli et al.: known facts are states, not formulas.
//!
//! # Limits
//! Over infinite domains the search may diverge. Values
//! of arrays and bit vectors that a projection cannot solve for are those of the model.

mod frames;
mod interpolants;

use super::literals::{fewer, literals};
use super::progressions::Progressions;
use backends::interpolation::{Interpolator, InterpolatorFactory, Preference};
use backends::{Fact, HornAnswer, HornSolver, Limits, ProverFactory, Reason};
use frames::{Frames, Step};
use horn::{Interpretation, Relation, System};
use interpolants::Interpolation;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use terms::{Assignment, Op, Term, TermPool, Value};

/// The engine.
pub struct Pdr {
    /// The solver of the queries.
    pub factory: Rc<dyn ProverFactory>,
    /// The source of interpolants for lemmas, if any.
    pub interpolators: Option<Rc<dyn InterpolatorFactory>>,
}

impl HornSolver for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        let mut search = Search::new(Rc::new(system.clone()), &*self.factory, "ALL");
        if let Some(interpolators) = &self.interpolators {
            search =
                search.interpolating(interpolators.new_interpolator(&self.factory, Preference::default()));
        }
        search.resume(pool, limits).unwrap_or_else(HornAnswer::Unknown)
    }
}

/// A question: does a state of the cube have a derivation of at most this height?
#[derive(Clone, Debug)]
struct Obligation {
    /// The relation; `None` for the queries.
    relation: Option<Relation>,
    cube: Vec<Term>,
}

/// The outcome of an obligation.
enum Handled {
    /// The cube is blocked up to this level.
    Blocked(usize),
    /// A state of the cube is derivable.
    Derived,
    /// First this obligation.
    Open(Obligation),
}

/// A search, which can be continued after a limit was exceeded.
pub struct Search<'a> {
    frames: Frames<'a>,
    obligations: Vec<Obligation>,
    /// Levels and indices of obligations; small levels first, then the youngest.
    queue: BinaryHeap<(Reverse<usize>, usize)>,
    /// The obligations that are blocked at the highest level.
    deferred: Vec<usize>,
    highest: usize,
    phase: Phase,
    interpolation: Option<Interpolation>,
    progressions: Progressions,
}

/// What happens at the highest level.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The level is new.
    Start,
    /// Obligations are open.
    Decide,
    /// The queries are blocked, and lemmas are pushed.
    Push,
}

/// The cost of a search so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// The highest level.
    pub level: usize,
    /// The queries to provers.
    pub queries: usize,
    /// The lemmas in the frames.
    pub lemmas: usize,
    /// The known facts.
    pub facts: usize,
}

impl<'a> Search<'a> {
    /// A search over `system`. Its queries are of `logic`, and decided by provers of `factory`.
    #[must_use]
    pub fn new(system: Rc<System>, factory: &'a dyn ProverFactory, logic: &'a str) -> Self {
        Search {
            frames: Frames::new(system, factory, logic),
            obligations: vec![Obligation { relation: None, cube: Vec::new() }],
            queue: BinaryHeap::new(),
            deferred: Vec::new(),
            highest: 0,
            phase: Phase::Start,
            interpolation: None,
            progressions: Progressions::default(),
        }
    }

    /// Also searches for lemmas in interpolants of `source`.
    #[must_use]
    pub fn interpolating(mut self, source: Box<dyn Interpolator>) -> Self {
        self.interpolation = Some(Interpolation::new(source));
        self
    }

    /// Adds a formula that holds in all derivable states of a relation. Together with those added
    /// before, it must be inductive: a model contains it.
    pub fn learn(&mut self, relation: Relation, formula: Term) {
        self.frames.learn(relation, formula);
    }

    /// The lemmas that hold up to the highest level.
    pub fn highest_lemmas(&self) -> impl Iterator<Item = (Relation, Term)> {
        let lemmas = self.frames.lemmas.iter();
        let lemmas = lemmas.flat_map(|(relation, own)| own.iter().map(move |lemma| (relation, lemma)));
        let highest = lemmas.filter(|(_, lemma)| lemma.level >= self.highest.max(1));
        highest.map(|(relation, lemma)| (relation, lemma.formula))
    }

    /// The cost so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            level: self.highest,
            queries: self.frames.queries,
            lemmas: self.frames.lemmas.values().map(Vec::len).sum(),
            facts: self.frames.facts.values().map(Vec::len).sum(),
        }
    }

    /// Continues the search.
    ///
    /// # Errors
    /// The exceeded limit, after which the search can be continued, or the failure of a prover.
    pub fn resume(&mut self, pool: &mut TermPool, limits: &Limits) -> Result<HornAnswer, Reason> {
        self.frames.limits = limits.clone();
        loop {
            match self.phase {
                Phase::Start => {
                    self.queue.push((Reverse(self.highest + 1), 0));
                    let deferred = std::mem::take(&mut self.deferred);
                    let level = Reverse(self.highest);
                    self.queue.extend(deferred.into_iter().map(|index| (level, index)));
                    self.phase = Phase::Decide;
                }
                Phase::Decide => {
                    if self.is_derivable(pool)? {
                        return Ok(HornAnswer::Unsatisfiable(self.facts()));
                    }
                    self.phase = Phase::Push;
                }
                Phase::Push => {
                    if let Some(level) = self.push(pool)? {
                        return Ok(HornAnswer::Satisfiable(self.model(pool, level)));
                    }
                    tracing::debug!("level blocked: {:?}", self.statistics());
                    self.highest += 1;
                    self.phase = Phase::Start;
                }
            }
        }
    }

    /// Decides all obligations. Whether a query is derivable; otherwise the queries are blocked if
    /// their premises are in the frames of the highest level.
    fn is_derivable(&mut self, pool: &mut TermPool) -> Result<bool, Reason> {
        while let Some((Reverse(level), index)) = self.queue.pop() {
            let handled = match self.frames.limits.exceeded() {
                Some(reason) => Err(reason),
                None => self.handle(pool, &self.obligations[index].clone(), level),
            };
            if handled.is_err() {
                self.queue.push((Reverse(level), index));
            }
            match handled? {
                Handled::Derived if index == 0 => return Ok(true),
                Handled::Derived => {}
                Handled::Blocked(_) if index == 0 => {}
                Handled::Blocked(level) if level < self.highest => {
                    self.queue.push((Reverse(level + 1), index));
                }
                Handled::Blocked(_) => self.deferred.push(index),
                Handled::Open(premise) => {
                    self.queue.push((Reverse(level), index));
                    self.queue.push((Reverse(level - 1), self.obligations.len()));
                    self.obligations.push(premise);
                }
            }
        }
        Ok(false)
    }

    fn handle(
        &mut self,
        pool: &mut TermPool,
        obligation: &Obligation,
        level: usize,
    ) -> Result<Handled, Reason> {
        let Obligation { relation, cube } = obligation;
        if let Some(relation) = *relation
            && self.has_fact(pool, relation, cube)
        {
            return Ok(Handled::Derived);
        }
        let head = relation.map(|relation| (relation, &cube[..]));
        let mut needed = vec![false; cube.len()];
        for clause in self.frames.clauses_of(*relation) {
            match self.frames.step(pool, clause, level - 1, head)? {
                Step::Blocked(core) => core.into_iter().for_each(|index| needed[index] = true),
                Step::Derived(values) => {
                    if let Some(relation) = *relation {
                        self.frames.facts[relation].push(values);
                    }
                    return Ok(Handled::Derived);
                }
                Step::Open(relation, cube) => {
                    return Ok(Handled::Open(Obligation { relation: Some(relation), cube }));
                }
            }
        }
        let Some(relation) = *relation else { return Ok(Handled::Blocked(level)) };
        let core = cube.iter().zip(needed).filter(|(_, is_needed)| *is_needed);
        let core = core.map(|(&literal, _)| literal).collect();
        let cube = self.generalize(pool, relation, core, level)?;
        let level = self.block(pool, relation, cube.clone(), level)?;
        self.interpolate(pool, relation, &cube, level)?;
        self.progress(pool, relation, &cube, level)?;
        Ok(Handled::Blocked(level))
    }

    /// Adds the negation of a cube that is blocked at `level`. The highest level of the lemma.
    fn block(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        cube: Vec<Term>,
        mut level: usize,
    ) -> Result<usize, Reason> {
        while level <= self.highest && self.frames.blocks(pool, relation, &cube, level)?.is_some() {
            level += 1;
        }
        self.frames.add(pool, relation, cube, level);
        Ok(level)
    }

    /// Adds the lemmas of an interpolant for a cube that is blocked at `level`.
    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        cube: &[Term],
        level: usize,
    ) -> Result<(), Reason> {
        let Some(interpolation) = &mut self.interpolation else { return Ok(()) };
        for candidate in interpolation.candidates(pool, &self.frames, (relation, cube), level) {
            let negation = pool.not(candidate);
            let literals = literals(pool, negation);
            if literals.iter().all(|literal| cube.contains(literal)) {
                continue;
            }
            // The source is not trusted.
            self.conjecture(pool, relation, &literals, level)?;
        }
        Ok(())
    }

    /// Adds the negation of a cube if it is blocked at `level`. Whether it is.
    fn conjecture(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        cube: &[Term],
        level: usize,
    ) -> Result<bool, Reason> {
        let Some(core) = self.frames.blocks(pool, relation, cube, level - 1)? else { return Ok(false) };
        let cube = self.generalize(pool, relation, core, level)?;
        self.block(pool, relation, cube, level)?;
        Ok(true)
    }

    /// Adds the lemmas that generalize progressions of lemmas.
    fn progress(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        cube: &[Term],
        level: usize,
    ) -> Result<(), Reason> {
        let all = pool.and(cube);
        let limits = self.frames.limits.clone();
        for general in self.progressions.add(pool, relation, all, &limits) {
            let cube = literals(pool, general);
            self.conjecture(pool, relation, &cube, level)?;
        }
        Ok(())
    }

    /// Drops literals of a cube that is blocked at `level`.
    fn generalize(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        cube: Vec<Term>,
        level: usize,
    ) -> Result<Vec<Term>, Reason> {
        fewer(cube, |rest| self.frames.blocks(pool, relation, rest, level - 1))
    }

    /// Whether a known fact satisfies the cube.
    fn has_fact(&self, pool: &TermPool, relation: Relation, cube: &[Term]) -> bool {
        self.frames.facts[relation].iter().any(|values| self.satisfies(pool, relation, values, cube))
    }

    fn satisfies(&self, pool: &TermPool, relation: Relation, values: &[Value], cube: &[Term]) -> bool {
        let mut assignment = Assignment::new();
        for (symbol, value) in self.frames.system.relations[relation].symbols().zip(values) {
            if let Op::Symbol(symbol) = pool.op(symbol) {
                assignment.set(symbol, value.clone());
            }
        }
        let holds = |literal: &Term| {
            terms::eval(pool, *literal, &assignment).is_ok_and(|value| value == Value::Bool(true))
        };
        cube.iter().all(holds)
    }

    /// Pushes lemmas to higher levels. The level all of whose lemmas also hold one level above, if
    /// there is one.
    fn push(&mut self, pool: &mut TermPool) -> Result<Option<usize>, Reason> {
        let relations: Vec<Relation> = self.frames.system.relations.keys().collect();
        for level in 1..=self.highest {
            let mut is_fixpoint = true;
            for &relation in &relations {
                for index in 0..self.frames.lemmas[relation].len() {
                    let lemma = &self.frames.lemmas[relation][index];
                    if lemma.level != level {
                        continue;
                    }
                    let cube = lemma.cube.clone();
                    if let Some(reason) = self.frames.limits.exceeded() {
                        return Err(reason);
                    }
                    match self.frames.blocks(pool, relation, &cube, level)? {
                        Some(_) => self.frames.promote(pool, relation, index),
                        None => is_fixpoint = false,
                    }
                }
            }
            if is_fixpoint {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The frames above a level, with what was learned.
    fn model(&self, pool: &mut TermPool, level: usize) -> Interpretation {
        let formulas = self.frames.lemmas.iter().map(|(relation, lemmas)| {
            let above = lemmas.iter().filter(|lemma| lemma.level > level).map(|lemma| lemma.formula);
            let all: Vec<Term> = above.chain(self.frames.known(relation)).collect();
            pool.and(&all)
        });
        Interpretation { formulas: formulas.collect() }
    }

    fn facts(&self) -> Vec<Fact> {
        let relations = self.frames.facts.iter();
        relations
            .flat_map(|(relation, facts)| {
                facts.iter().map(move |values| Fact { relation, values: values.clone() })
            })
            .collect()
    }
}
