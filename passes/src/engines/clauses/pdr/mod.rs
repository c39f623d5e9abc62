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
//! * **Deep counterexamples.** A blocked obligation is tried again at the next level.
//!
//! DIVERGENCE from Komuravelli et al.: known facts are states, not formulas; a lemma is a clause
//! over the literals of a cube, without interpolation.
//!
//! # Limits
//! Over infinite domains the search may diverge: a lemma has only literals of projections. Values
//! of arrays and bit vectors that a projection cannot solve for are those of the model.

mod frames;

#[cfg(test)]
mod tests;

use backends::{Fact, HornAnswer, HornSolver, Limits, ProverFactory, Reason};
use frames::{Frames, Step};
use horn::{Interpretation, Relation, System};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use terms::{Assignment, Op, Term, TermPool, Value};

/// The number of literals in a row that cannot be dropped before generalization ends.
const MAX_FAILURES: usize = 6;

/// The engine.
pub struct Pdr {
    /// The solver of the queries.
    pub factory: Rc<dyn ProverFactory>,
}

impl HornSolver for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        let frames = Frames::new(system, &*self.factory, limits);
        let mut search = Search {
            pool,
            frames,
            limits,
            obligations: Vec::new(),
            queue: BinaryHeap::new(),
            deferred: Vec::new(),
        };
        search.run().unwrap_or_else(HornAnswer::Unknown)
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

struct Search<'a> {
    pool: &'a mut TermPool,
    frames: Frames<'a>,
    limits: &'a Limits,
    obligations: Vec<Obligation>,
    /// Levels and indices of obligations; small levels first, then the youngest.
    queue: BinaryHeap<(Reverse<usize>, usize)>,
    /// The obligations that are blocked at the highest level.
    deferred: Vec<usize>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<HornAnswer, Reason> {
        self.obligations.push(Obligation { relation: None, cube: Vec::new() });
        for highest in 0.. {
            self.queue.push((Reverse(highest + 1), 0));
            let deferred = std::mem::take(&mut self.deferred);
            self.queue.extend(deferred.into_iter().map(|index| (Reverse(highest), index)));
            if self.is_derivable(highest)? {
                return Ok(HornAnswer::Unsatisfiable(self.facts()));
            }
            if let Some(level) = self.push(highest)? {
                return Ok(HornAnswer::Satisfiable(self.model(level)));
            }
            tracing::debug!(
                level = highest,
                queries = self.frames.queries,
                lemmas = self.frames.lemmas.values().map(Vec::len).sum::<usize>(),
                facts = self.frames.facts.values().map(Vec::len).sum::<usize>(),
                "level blocked"
            );
        }
        unreachable!("the levels do not end")
    }

    /// Decides all obligations. Whether a query is derivable; otherwise the queries are blocked if
    /// their premises are in the frames of level `highest`.
    fn is_derivable(&mut self, highest: usize) -> Result<bool, Reason> {
        while let Some((Reverse(level), index)) = self.queue.pop() {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            match self.handle(&self.obligations[index].clone(), level, highest)? {
                Handled::Derived if index == 0 => return Ok(true),
                Handled::Derived => {}
                Handled::Blocked(_) if index == 0 => {}
                Handled::Blocked(level) if level < highest => self.queue.push((Reverse(level + 1), index)),
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

    fn handle(&mut self, obligation: &Obligation, level: usize, highest: usize) -> Result<Handled, Reason> {
        let Obligation { relation, cube } = obligation;
        if let Some(relation) = *relation
            && self.has_fact(relation, cube)
        {
            return Ok(Handled::Derived);
        }
        let head = relation.map(|relation| (relation, &cube[..]));
        let mut needed = vec![false; cube.len()];
        for clause in self.frames.clauses_of(*relation) {
            match self.frames.step(self.pool, clause, level - 1, head)? {
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
        let cube = self.generalize(relation, core, level)?;
        let mut level = level;
        while level <= highest && self.frames.blocks(self.pool, relation, &cube, level)?.is_some() {
            level += 1;
        }
        self.frames.add(self.pool, relation, cube, level);
        Ok(Handled::Blocked(level))
    }

    /// Drops literals of a cube that is blocked at `level`.
    fn generalize(
        &mut self,
        relation: Relation,
        mut cube: Vec<Term>,
        level: usize,
    ) -> Result<Vec<Term>, Reason> {
        let (mut index, mut failures) = (0, 0);
        while index < cube.len() && failures < MAX_FAILURES {
            let mut rest = cube.clone();
            let literal = rest.remove(index);
            match self.frames.blocks(self.pool, relation, &rest, level - 1)? {
                Some(core) => {
                    // Literals before this one are needed, but a core may do without them.
                    index =
                        core.iter().position(|other| !cube[..index].contains(other)).unwrap_or(core.len());
                    cube = core;
                    failures = 0;
                }
                None => {
                    debug_assert_eq!(cube[index], literal);
                    index += 1;
                    failures += 1;
                }
            }
        }
        Ok(cube)
    }

    /// Whether a known fact satisfies the cube.
    fn has_fact(&self, relation: Relation, cube: &[Term]) -> bool {
        self.frames.facts[relation].iter().any(|values| self.satisfies(relation, values, cube))
    }

    fn satisfies(&self, relation: Relation, values: &[Value], cube: &[Term]) -> bool {
        let mut assignment = Assignment::new();
        for (symbol, value) in self.frames.system.relations[relation].symbols().zip(values) {
            if let Op::Symbol(symbol) = self.pool.op(symbol) {
                assignment.set(symbol, value.clone());
            }
        }
        let holds = |literal: &Term| {
            terms::eval(self.pool, *literal, &assignment).is_ok_and(|value| value == Value::Bool(true))
        };
        cube.iter().all(holds)
    }

    /// Pushes lemmas to higher levels. The level all of whose lemmas also hold one level above, if
    /// there is one.
    fn push(&mut self, highest: usize) -> Result<Option<usize>, Reason> {
        let relations: Vec<Relation> = self.frames.system.relations.keys().collect();
        for level in 1..=highest {
            let mut is_fixpoint = true;
            for &relation in &relations {
                for index in 0..self.frames.lemmas[relation].len() {
                    let lemma = &self.frames.lemmas[relation][index];
                    if lemma.level != level {
                        continue;
                    }
                    let cube = lemma.cube.clone();
                    if let Some(reason) = self.limits.exceeded() {
                        return Err(reason);
                    }
                    match self.frames.blocks(self.pool, relation, &cube, level)? {
                        Some(_) => self.frames.promote(self.pool, relation, index),
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

    /// The frames above a level.
    fn model(&mut self, level: usize) -> Interpretation {
        let lemmas = &self.frames.lemmas;
        let formulas = lemmas.values().map(|lemmas| {
            let above = lemmas.iter().filter(|lemma| lemma.level > level).map(|lemma| lemma.formula);
            let above: Vec<Term> = above.collect();
            self.pool.and(&above)
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
