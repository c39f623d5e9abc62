//! Certification of interpolants.
//!
//! # Idea
//! The certifier checks the definition of tree interpolants (see the [module](super)) literally,
//! and uses nothing of their computation: the number and sort of the formulas, the vocabulary, and
//! for each part, by one query, whether `φ_i ∧ ⋀ I_c ∧ ¬I_i` is unsatisfiable. `A ⇒ I` and
//! `I ∧ B ⇒ false` for larger sets of parts follow by induction. A path of n parts thus costs n
//! small queries and never a query about the whole path, which may be out of reach for the very
//! solver that proves all of the small ones.
//!
//! The parts of a path through a loop are often equal up to renaming, and queries that are equal up
//! to renaming of their symbols have the same answer, so each is proved only once.
//!
//! All queries go to one prover of each solver, each in a scope of its own. If a solver does not
//! decide a query, the next solver gets it. A model that refutes an interpolant is evaluated first,
//! if possible, by the evaluator of `terms`: a wrong `sat` of the certifier must not count as a
//! fault of the source.

use super::vocabulary;
use super::{Problem, reasons};
use crate::evaluate::evaluate;
use crate::{Limits, Outcome, Prover, ProverFactory, Reason, Registry};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::{Op, Sort, Term, TermPool};

/// The minimal number of parts for which obligations are compared up to renaming.
const FEWEST_ALIKE: usize = 4;

/// Proves interpolants with provers of its own.
#[derive(Clone)]
pub struct Certifier {
    /// The solvers in order of preference; a solver is used only if its predecessors do not decide
    /// a query.
    pub factories: Vec<Rc<dyn ProverFactory>>,
}

/// A fault of an answer to an interpolation problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The number of interpolants is not one for each part except the root.
    #[error("{found} interpolants instead of {expected}")]
    Count {
        /// The expected number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// An interpolant is not Boolean.
    #[error("the interpolant of part {part} is not Boolean")]
    Sort {
        /// The part.
        part: usize,
    },
    /// An interpolant contains a symbol or function that is not shared.
    #[error("the interpolant of part {part} contains {name}, which is not shared")]
    Vocabulary {
        /// The part.
        part: usize,
        /// The symbol.
        name: String,
    },
    /// A part and the interpolants of its children do not imply its interpolant; for the root: they
    /// are satisfiable.
    #[error("part {part} with the interpolants of its children does not imply its own")]
    NotInductive {
        /// The part.
        part: usize,
    },
    /// The certifier could not decide an obligation.
    #[error("part {part} could not be proved: {reason}")]
    Unproved {
        /// The part.
        part: usize,
        /// The reason.
        reason: Reason,
    },
}

impl Certifier {
    /// Creates a certifier with all solvers of `registry`, ordered for formulas of `theories`:
    /// first the solvers that support all of the theories, among them the solver of the source,
    /// `source_solver`, last; then the others in the same order.
    pub fn choose(registry: &Registry, source_solver: Option<&str>, theories: &[&str]) -> Self {
        let mut factories = registry.provers.clone();
        factories.sort_by_key(|factory| {
            let known = factory.capabilities().theories;
            let lacks_theory = theories.iter().any(|theory| !known.contains(theory));
            (lacks_theory, Some(factory.name()) == source_solver)
        });
        Certifier { factories }
    }

    /// The same solvers, with `solver` last.
    pub fn other_than(&self, solver: Option<&str>) -> Self {
        let mut factories = self.factories.clone();
        factories.sort_by_key(|factory| Some(factory.name()) == solver);
        Certifier { factories }
    }

    /// Proves that `interpolants` are tree interpolants of `problem`.
    ///
    /// # Errors
    /// The first fault found. Only after [`Fault::Unproved`] the interpolants may still be correct.
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
        // A refuted obligation is more informative than an undecided one, so the search continues.
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

/// The formulas whose conjunction must be unsatisfiable for `part`: its own, the interpolants of
/// its children, and the negation of its interpolant (unless it is the root).
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

/// The conjunction with canonical names: numbers, assigned in the order of the symbols' names with
/// versions of variables compared as numbers. Queries about parts that are equal up to renaming
/// become identical.
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

/// Splits a name into its stem and its trailing number.
fn version(name: &str) -> (String, u64) {
    let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    match name[stem.len()..].parse() {
        Ok(number) => (stem.to_owned(), number),
        Err(_) => (name.to_owned(), 0),
    }
}

/// The result of one query.
pub(super) enum Proof {
    /// The conjunction is unsatisfiable.
    Proved,
    /// The conjunction has a model.
    Refuted,
    /// No solver decided it.
    Open(Reason),
}

/// One prover of each solver, created on demand.
pub(super) struct Provers<'a> {
    factories: &'a [Rc<dyn ProverFactory>],
    provers: Vec<Option<Box<dyn Prover>>>,
    limits: &'a Limits,
}

impl<'a> Provers<'a> {
    pub(super) fn new(factories: &'a [Rc<dyn ProverFactory>], limits: &'a Limits) -> Self {
        Provers { factories, provers: factories.iter().map(|_| None).collect(), limits }
    }

    /// Checks whether the conjunction of `conjuncts` is unsatisfiable, by the first solver that
    /// decides it.
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

    /// Whether the solver with this index finds the conjunction unsatisfiable.
    fn ask(&mut self, index: usize, pool: &TermPool, conjuncts: &[Term]) -> Result<bool, Reason> {
        let prover = match &mut self.provers[index] {
            Some(prover) => prover,
            empty => empty.insert(self.factories[index].new_prover("ALL", self.limits)?),
        };
        let answer = ask(&mut **prover, pool, conjuncts);
        // A prover that failed, or whose scope cannot be closed, is discarded.
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
            Some((_, what)) => Err(Reason::Fault(format!("wrong model: {what}"))),
            None => Ok(false),
        },
        Outcome::Unknown(reason) => Err(reason),
    }
}
