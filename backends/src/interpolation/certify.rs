//! Proofs that interpolants are what they claim to be.
//!
//! # Idea
//! The definition of tree interpolants (see the [module](super)) is checked as it stands, and with nothing of what computed
//! them: the number and sort of the formulas, the vocabulary, and for each part one query, whether `φ_i ∧ ⋀ I_c ∧ ¬I_i` is
//! unsatisfiable. `A ⇒ I` and `I ∧ B ⇒ false` for larger sets of parts follow by induction. So a path of n parts costs n
//! small queries, and never one about the whole path, which can be out of reach for the very solver that proves all of
//! the small ones.
//!
//! The parts of a path through a loop are alike, so what was proved of one is not asked again of another: two queries that differ only in the
//! names of their symbols have the same answer.
//!
//! All queries go to one prover of each solver, in a scope of their own. A solver that has no answer is followed by the
//! next one. A model that refutes an interpolant is evaluated by `ir` first, where that is possible: a wrong `sat` of the
//! certifier should not be held against the source.

use super::vocabulary;
use super::{Problem, reasons};
use crate::evaluate::evaluate;
use crate::{Limits, Outcome, Prover, ProverFactory, Reason, Registry};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::{Op, Sort, Term, TermPool};

/// Fewer parts than this are not compared.
const FEWEST_ALIKE: usize = 4;

/// Proves interpolants with provers of its own.
#[derive(Clone)]
pub struct Certifier {
    /// The solvers, in the order in which they are asked; the next one only where one has no answer.
    pub factories: Vec<Rc<dyn ProverFactory>>,
}

/// What is wrong with interpolants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// One interpolant for each part but the root is expected.
    #[error("{found} interpolants instead of {expected}")]
    Count {
        /// As many as there should be.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// An interpolant that is no formula.
    #[error("the interpolant of part {part} is not Boolean")]
    Sort {
        /// The part.
        part: usize,
    },
    /// A symbol or function that is not shared.
    #[error("the interpolant of part {part} contains {name}, which is not shared")]
    Vocabulary {
        /// The part.
        part: usize,
        /// The symbol.
        name: String,
    },
    /// A part and the interpolants of its children do not imply its interpolant, or for the root, are satisfiable.
    #[error("part {part} with the interpolants of its children does not imply its own")]
    NotInductive {
        /// The part.
        part: usize,
    },
    /// The proof was not finished.
    #[error("part {part} could not be proved: {reason}")]
    Unproved {
        /// The part.
        part: usize,
        /// Why.
        reason: Reason,
    },
}

impl Certifier {
    /// A certifier with all solvers of `registry`, in the order in which they should be asked about formulas of `theories`:
    /// first those that have all the theories, and of these the solver that the source uses, `source_solver`, last; then the
    /// others in the same way.
    pub fn choose(registry: &Registry, source_solver: Option<&str>, theories: &[&str]) -> Self {
        let mut factories = registry.provers.clone();
        factories.sort_by_key(|factory| {
            let known = factory.capabilities().theories;
            let lacks_theory = theories.iter().any(|theory| !known.contains(theory));
            (lacks_theory, Some(factory.name()) == source_solver)
        });
        Certifier { factories }
    }

    /// The same solvers, `solver` last.
    pub fn other_than(&self, solver: Option<&str>) -> Self {
        let mut factories = self.factories.clone();
        factories.sort_by_key(|factory| Some(factory.name()) == solver);
        Certifier { factories }
    }

    /// Proves that `interpolants` are tree interpolants of `problem`.
    ///
    /// # Errors
    /// The first fault that was found. Only [`Fault::Unproved`] says that they may be right.
    pub fn certify(
        &self,
        pool: &mut TermPool,
        problem: &Problem,
        interpolants: &[Term],
        limits: &Limits,
    ) -> Result<(), Fault> {
        let root = problem.tree.root();
        if interpolants.len() != root {
            return Err(Fault::Count { expected: root, found: interpolants.len() });
        }
        if let Some(part) = interpolants.iter().position(|&term| pool.sort(term) != Sort::Bool) {
            return Err(Fault::Sort { part });
        }
        let shared = vocabulary::shared(pool, problem);
        for (part, &interpolant) in interpolants.iter().enumerate() {
            if let Some(name) = vocabulary::foreign(pool, interpolant, &shared[part]) {
                return Err(Fault::Vocabulary { part, name });
            }
        }
        let mut provers = Provers::new(&self.factories, limits);
        // What is refuted says more than what is not proved.
        let mut unproved = None;
        let mut proved: FxHashSet<Term> = FxHashSet::default();
        for part in 0..problem.tree.len() {
            let obligation = obligation(pool, problem, interpolants, part);
            let shape = (problem.tree.len() >= FEWEST_ALIKE).then(|| shape(pool, &obligation));
            if shape.is_some_and(|shape| proved.contains(&shape)) {
                continue;
            }
            match provers.prove(pool, &obligation) {
                Proof::Proved => proved.extend(shape),
                Proof::Refuted => return Err(Fault::NotInductive { part }),
                Proof::Open(reason) => {
                    let is_over = limits.exceeded().is_some();
                    unproved.get_or_insert(Fault::Unproved { part, reason });
                    if is_over {
                        break;
                    }
                }
            }
        }
        unproved.map_or(Ok(()), Err)
    }
}

/// The formulas whose conjunction has to be unsatisfiable for `part`: its own, the interpolants of its children, and the
/// negation of its interpolant (unless it is the root).
pub(super) fn obligation(
    pool: &mut TermPool,
    problem: &Problem,
    interpolants: &[Term],
    part: usize,
) -> Vec<Term> {
    let mut conjuncts = problem.parts[part].clone();
    let parents = problem.tree.parents();
    // The children of a node of a path are next to it; of others they have to be looked for.
    conjuncts
        .extend((0..part).filter(|&child| parents[child] == Some(part)).map(|child| interpolants[child]));
    if part != problem.tree.root() {
        let negation = pool.not(interpolants[part]);
        conjuncts.push(negation);
    }
    conjuncts
}

/// The conjunction with other names: numbers in the order of the symbols' own names, in which versions of variables count as numbers. So queries about parts that
/// are alike become the same.
fn shape(pool: &mut TermPool, conjuncts: &[Term]) -> Term {
    let formula = pool.and(conjuncts);
    let mut symbols: Vec<((String, u64), Term)> = Vec::new();
    pool.visit(
        &[formula],
        |_| true,
        |term| {
            if let Op::Symbol(symbol) = pool.op(term) {
                symbols.push((version(&pool.symbol_data(symbol).name), term));
            }
        },
    );
    symbols.sort_unstable();
    let mut renamed: FxHashMap<Term, Term> = FxHashMap::default();
    for (number, (_, symbol)) in symbols.into_iter().enumerate() {
        let sort = pool.sort(symbol);
        let name = format!(".part{number}.{}", terms::print::sort(pool, sort));
        renamed.insert(symbol, pool.symbol(&name, sort));
    }
    pool.map_leaves(formula, &mut |_, leaf| renamed.get(&leaf).copied())
}

/// A name without the number that it ends with, and that number.
fn version(name: &str) -> (String, u64) {
    let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    match name[stem.len()..].parse() {
        Ok(number) => (stem.to_owned(), number),
        Err(_) => (name.to_owned(), 0),
    }
}

/// What became of one query.
pub(super) enum Proof {
    /// The conjunction is unsatisfiable.
    Proved,
    /// It has a model.
    Refuted,
    /// Nobody knows.
    Open(Reason),
}

/// One prover of each solver, made when it is needed.
pub(super) struct Provers<'a> {
    factories: &'a [Rc<dyn ProverFactory>],
    provers: Vec<Option<Box<dyn Prover>>>,
    limits: &'a Limits,
}

impl<'a> Provers<'a> {
    pub(super) fn new(factories: &'a [Rc<dyn ProverFactory>], limits: &'a Limits) -> Self {
        Provers { factories, provers: factories.iter().map(|_| None).collect(), limits }
    }

    /// Whether the conjunction of `conjuncts` is unsatisfiable, by the first solver that knows.
    pub(super) fn prove(&mut self, pool: &TermPool, conjuncts: &[Term]) -> Proof {
        let is_trivial = conjuncts.contains(&pool.fls())
            || conjuncts
                .last()
                .is_some_and(|&last| pool.op(last) == Op::Not && conjuncts.contains(&pool.children(last)[0]));
        if is_trivial {
            return Proof::Proved;
        }
        let mut said = Vec::new();
        for index in 0..self.factories.len() {
            if let Some(reason) = self.limits.exceeded() {
                return Proof::Open(reason);
            }
            match self.ask(index, pool, conjuncts) {
                Ok(true) => return Proof::Proved,
                Ok(false) => return Proof::Refuted,
                Err(reason) => said.push((self.factories[index].name().to_owned(), reason)),
            }
        }
        Proof::Open(reasons::join(&said, self.limits))
    }

    /// Whether the solver number `index` finds the conjunction unsatisfiable.
    fn ask(&mut self, index: usize, pool: &TermPool, conjuncts: &[Term]) -> Result<bool, Reason> {
        let prover = match &mut self.provers[index] {
            Some(prover) => prover,
            empty => empty.insert(self.factories[index].new_prover("ALL", self.limits)?),
        };
        let answer = ask(&mut **prover, pool, conjuncts);
        // A prover that failed, or whose scope could not be closed, is not asked again.
        let is_closed = prover.pop().is_ok();
        if !is_closed || matches!(answer, Err(Reason::Fault(_) | Reason::Misuse(_))) {
            self.provers[index] = None;
        }
        answer
    }
}

fn ask(prover: &mut dyn Prover, pool: &TermPool, conjuncts: &[Term]) -> Result<bool, Reason> {
    prover.push()?;
    for &conjunct in conjuncts {
        prover.assert(pool, conjunct)?;
    }
    match prover.check(pool, &[]) {
        Outcome::Unsat(_) => Ok(true),
        Outcome::Sat(mut model) => match evaluate(&mut *model, pool, conjuncts)?.violated {
            Some((_, what)) => Err(Reason::Fault(format!("a model that is none: {what}"))),
            None => Ok(false),
        },
        Outcome::Unknown(reason) => Err(reason),
    }
}
