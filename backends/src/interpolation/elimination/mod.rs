//! Existential elimination of names from conjunctions, with any solver.
//!
//! # Idea
//! Given conjuncts and a set of allowed names, find a formula over the allowed names that is
//! equivalent to the conjunction with all other names (the *local* names) existentially quantified.
//! The steps, from cheap to expensive:
//!
//! 1. **Equations** are solved for a local variable and substituted (`solve`): definitions, linear
//!    equations (over integers with coefficients ±1, or if the divisibility condition has no local
//!    variable), bit vectors through every operator that has an inverse, writes of arrays
//!    (`b = store(a, i, v)` for `a`). All acyclic solutions are substituted at once, so a chain of
//!    n definitions costs O(n).
//! 2. Local **functions and arrays** become variables (`functions`, Ackermann's reduction).
//! 3. **Bounds** on a number are resolved (Fourier–Motzkin, `linear`), if this is exact and does
//!    not grow the conjunction. A bit vector that only has to differ from fewer terms than it has
//!    values is dropped.
//! 4. The remaining conjuncts are split into components without common local names. A component
//!    without allowed names is decided: it is `true` or `false`.
//! 5. **Quantifier elimination** of a solver that supports it, within a limit.
//! 6. **Projection of models** (`cubes`), one disjunct for each model that no previous disjunct
//!    covers: by steps 1–3 over the literals that the model selects, where integers need no
//!    coefficient 1 (`integers`) and remaining variables get their value in the model; by the
//!    solver if that fails. Limited in number and time.
//! 7. The **quantifier** stays, if the configuration permits.
//! 8. **Weakening**: reads and applications at local arguments become variables that are only
//!    subject to congruence among the occurring terms; then conjuncts that still contain local
//!    names are dropped. The conjunction implies the result but is not equivalent to it:
//!    [`Precision::Weaker`].
//!
//! # Limits
//! Results are untrusted: the caller certifies what it derives from them.

mod cubes;
mod functions;
mod integers;
mod linear;
mod solve;

pub use linear::{Inequality, Linear};

use super::vocabulary::Name;
use crate::{Limits, Model, Outcome, ProverFactory, Reason, Status, Support};
use functions::Step;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Duration;
use terms::{FunctionSymbol, Op, Sort, Sparse, Substitution, Symbol, Term, TermPool};

/// The maximal number of rounds of the cheap steps.
const MAX_ROUNDS: usize = 20_000;
/// The maximal number of models that are projected for one component.
const MAX_CUBES: usize = 200;
/// The maximal effort of one elimination by a solver, and of one enumeration of models.
const LONGEST: Duration = Duration::from_secs(5);

/// The names that may stay.
pub(super) struct Names<'a> {
    pub(super) allowed: &'a FxHashSet<Name>,
}

impl Names<'_> {
    /// Whether `term` is a local variable.
    fn is_local(&self, pool: &TermPool, term: Term) -> bool {
        matches!(pool.op(term), Op::Symbol(symbol) if !self.allowed.contains(&Name::Symbol(symbol)))
    }

    fn is_local_function(&self, function: FunctionSymbol) -> bool {
        !self.allowed.contains(&Name::Function(function))
    }

    /// Whether `term` is a local variable or an application of a local function.
    fn is_local_root(&self, pool: &TermPool, term: Term) -> bool {
        Name::of(pool.op(term)).is_some_and(|name| !self.allowed.contains(&name))
    }

    fn has_local(&self, pool: &TermPool, term: Term) -> bool {
        let mut has_local = false;
        pool.visit(&[term], |_| true, |below| has_local |= self.is_local_root(pool, below));
        has_local
    }

    /// The local variables below `terms`, in order of first occurrence.
    fn local_symbols(&self, pool: &TermPool, terms: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        pool.visit(
            terms,
            |_| true,
            |term| {
                if self.is_local(pool, term) {
                    found.push(term);
                }
            },
        );
        found
    }
}

/// Whether `variable` occurs in `terms`.
fn contains(pool: &TermPool, terms: &[Term], variable: Term) -> bool {
    let mut is_found = false;
    // Terms older than the variable cannot contain it.
    pool.visit(terms, |term| term > variable, |term| is_found |= term == variable);
    is_found
}

/// The relation between a result and the existentially quantified conjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// Equivalent.
    Exact,
    /// Implied by the conjunction.
    Weaker,
}

/// A conjunction without local names.
pub struct Projection {
    /// The conjuncts.
    pub conjuncts: Vec<Term>,
    /// The relation to the conjunction.
    pub precision: Precision,
}

/// The conjuncts in progress.
#[derive(Default)]
struct Scratch {
    /// Conjuncts with local names.
    open: Vec<Term>,
    /// Conjuncts without local names.
    done: Vec<Term>,
    /// Auxiliary variables, with the terms over older variables that define their values; a
    /// variable without such a term is its own origin.
    origins: Vec<(Term, Term)>,
}

/// The treatment of quantifiers that cannot be eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Quantifiers {
    /// Answers contain no quantifiers.
    #[default]
    Refused,
    /// Answers may contain quantifiers.
    Kept,
}

/// Eliminates names from conjunctions.
pub struct Eliminator<'a> {
    /// The first solver decides; those that support it eliminate and project.
    factories: &'a [Rc<dyn ProverFactory>],
    limits: &'a Limits,
    quantifiers: Quantifiers,
    substitution: Substitution<Sparse>,
}

impl<'a> Eliminator<'a> {
    /// Creates an eliminator over these solvers.
    pub fn new(factories: &'a [Rc<dyn ProverFactory>], quantifiers: Quantifiers, limits: &'a Limits) -> Self {
        Eliminator { factories, limits, quantifiers, substitution: Substitution::sparse() }
    }

    /// Computes `∃ names that are not allowed. ⋀ conjuncts`.
    ///
    /// # Errors
    /// The reason if a limit is exceeded.
    pub fn project(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Term],
        allowed: &FxHashSet<Name>,
    ) -> Result<Projection, Reason> {
        let names = Names { allowed };
        let mut scratch = Scratch { open: conjuncts.to_vec(), ..Scratch::default() };
        self.simplify(pool, &mut scratch, &names)?;
        let mut projection = Projection { conjuncts: scratch.done, precision: Precision::Exact };
        for component in components(pool, &scratch.open, &names) {
            let part = self.component(pool, &component, &names)?;
            projection.conjuncts.extend(part.conjuncts);
            projection.precision = projection.precision.max(part.precision);
        }
        projection.conjuncts = pool.conjuncts(&projection.conjuncts);
        Ok(projection)
    }

    /// Returns a formula over allowed names that holds in `model` and implies
    /// `∃ other names. ⋀ conjuncts`; the conjuncts must hold in the model.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] if a name cannot be eliminated: a function, a quantifier.
    pub fn project_model(
        &mut self,
        pool: &mut TermPool,
        model: &mut dyn Model,
        conjuncts: &[Term],
        allowed: &FxHashSet<Name>,
    ) -> Result<Term, Reason> {
        cubes::project(self, pool, model, conjuncts, &Names { allowed })
    }

    /// Like [`project_model`](Self::project_model), but reads and applications at an eliminated
    /// argument may have any value that congruence permits. Finitely many such formulas cover
    /// `∃ other names. ⋀ conjuncts`, where exact projection would enumerate points; but the formula
    /// implies the quantified conjunction only if the result is [`Precision::Exact`].
    ///
    /// # Errors
    /// Those of [`project_model`](Self::project_model).
    pub fn project_model_weaker(
        &mut self,
        pool: &mut TermPool,
        model: &mut dyn Model,
        conjuncts: &[Term],
        allowed: &FxHashSet<Name>,
    ) -> Result<(Term, Precision), Reason> {
        cubes::project_weaker(self, pool, model, conjuncts, &Names { allowed })
    }

    /// Applies the exact steps until none applies.
    fn simplify(
        &mut self,
        pool: &mut TermPool,
        scratch: &mut Scratch,
        names: &Names<'_>,
    ) -> Result<(), Reason> {
        for _ in 0..MAX_ROUNDS {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            scratch.open = pool.conjuncts(&scratch.open);
            if scratch.open.contains(&pool.fls()) {
                scratch.open.clear();
                scratch.done = vec![pool.fls()];
                return Ok(());
            }
            let (open, done) = scratch.open.iter().partition(|&&term| names.has_local(pool, term));
            scratch.open = open;
            let done: Vec<Term> = done;
            scratch.done.extend(done);
            if scratch.open.is_empty() {
                return Ok(());
            }
            if self.solve_equations(pool, scratch, names) {
                continue;
            }
            let (open, origins) = (&mut scratch.open, &mut scratch.origins);
            let is_changed = [
                functions::eliminate_functions(pool, open, names, origins),
                functions::expose_reads(pool, open, names, origins),
                functions::eliminate_read_array(pool, open, names, origins),
            ]
            .iter()
            .any(|step| matches!(step, Step::Changed));
            if !is_changed
                && !linear::eliminate_by_bounds(pool, open, names)
                && !solve::eliminate_by_disequalities(pool, open, names)
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Substitutes the solutions of equations, a maximal acyclic set at once. Returns whether there
    /// was one.
    fn solve_equations(&mut self, pool: &mut TermPool, scratch: &mut Scratch, names: &Names<'_>) -> bool {
        // For each variable, its solution and the conjunct of that equation.
        let mut solutions: FxHashMap<Term, (usize, solve::Solution)> = FxHashMap::default();
        let mut order = Vec::new();
        for index in 0..scratch.open.len() {
            if let Some(solution) = solve::solve(pool, scratch.open[index], names)
                && !solutions.contains_key(&solution.variable)
            {
                order.push(solution.variable);
                solutions.insert(solution.variable, (index, solution));
            }
        }
        if order.is_empty() {
            return false;
        }
        let sorted = acyclic(pool, &order, &mut solutions, names);
        let mut is_used = vec![false; scratch.open.len()];
        let mut conditions = Vec::new();
        self.substitution.clear();
        for variable in &sorted {
            let (index, solution) = &solutions[variable];
            let value = self.substitution.apply(pool, solution.value);
            self.substitution.insert(*variable, value);
            is_used[*index] = true;
            conditions.extend(&solution.conditions);
            scratch.origins.extend(&solution.fresh);
        }
        let rest = scratch.open.iter().zip(is_used).filter(|(_, is_used)| !is_used).map(|(&term, _)| term);
        let rest: Vec<Term> = rest.chain(conditions).collect();
        scratch.open = rest.into_iter().map(|term| self.substitution.apply(pool, term)).collect();
        true
    }

    /// The steps that need a solver, for conjuncts that are connected by local names.
    fn component(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Term],
        names: &Names<'_>,
    ) -> Result<Projection, Reason> {
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        let has_allowed =
            super::vocabulary::names(pool, conjuncts).iter().any(|name| names.allowed.contains(name));
        if !has_allowed {
            match self.decide(pool, conjuncts) {
                Status::Sat => return Ok(Projection { conjuncts: Vec::new(), precision: Precision::Exact }),
                Status::Unsat => {
                    return Ok(Projection { conjuncts: vec![pool.fls()], precision: Precision::Exact });
                }
                Status::Unknown(_) => {}
            }
        }
        if let Some(conjuncts) = self.by_solver(pool, conjuncts, names) {
            return Ok(Projection { conjuncts: vec![conjuncts], precision: Precision::Exact });
        }
        if let Some(disjunction) = self.by_models(pool, conjuncts, names) {
            return Ok(Projection { conjuncts: vec![disjunction], precision: Precision::Exact });
        }
        if self.quantifiers == Quantifiers::Kept
            && let Some(quantified) = quantify(pool, conjuncts, names)
        {
            return Ok(Projection { conjuncts: vec![quantified], precision: Precision::Exact });
        }
        let conjuncts = self.weaken(pool, conjuncts, names)?;
        Ok(Projection { conjuncts, precision: Precision::Weaker })
    }

    fn decide(&self, pool: &TermPool, conjuncts: &[Term]) -> Status {
        let Some(factory) = self.factories.first() else {
            return Status::Unknown(Reason::Unsupported("no solver".to_owned()));
        };
        let decided = || -> Result<Status, Reason> {
            let mut prover = factory.new_prover("ALL", &self.slice())?;
            for &conjunct in conjuncts {
                prover.assert(pool, conjunct)?;
            }
            Ok(prover.status(pool, &[]))
        };
        decided().unwrap_or_else(Status::Unknown)
    }

    /// Limits for one of several steps: a third of the remaining effort.
    fn slice(&self) -> Limits {
        self.limits.share(3).within(LONGEST)
    }

    fn by_solver(&self, pool: &mut TermPool, conjuncts: &[Term], names: &Names<'_>) -> Option<Term> {
        let symbols = only_symbols(pool, conjuncts, names)?;
        let able =
            |factory: &&Rc<dyn ProverFactory>| factory.capabilities().quantifier_elimination == Support::Full;
        let formula = pool.and(conjuncts);
        for factory in self.factories.iter().filter(able) {
            let Ok(mut prover) = factory.new_prover("ALL", &self.slice()) else { continue };
            if let Ok(eliminated) = prover.eliminate(pool, formula, &symbols)
                && pool.sort(eliminated) == Sort::Bool
                && !names.has_local(pool, eliminated)
            {
                return Some(eliminated);
            }
        }
        None
    }

    /// The disjunction of projections of models.
    fn by_models(&mut self, pool: &mut TermPool, conjuncts: &[Term], names: &Names<'_>) -> Option<Term> {
        let symbols = only_symbols(pool, conjuncts, names)?;
        let factories = self.factories;
        let factory = factories.first()?;
        let can_project = factory.capabilities().projection == Support::Full;
        let limits = self.slice();
        let formula = pool.and(conjuncts);
        let mut prover = factory.new_prover("ALL", &limits).ok()?;
        for &conjunct in conjuncts {
            prover.assert(pool, conjunct).ok()?;
        }
        let mut disjuncts = Vec::new();
        for _ in 0..MAX_CUBES {
            if limits.exceeded().is_some() {
                return None;
            }
            let cube = match prover.check(pool, &[]) {
                Outcome::Unsat(_) => return Some(pool.or(&disjuncts)),
                Outcome::Unknown(_) => return None,
                Outcome::Sat(mut model) => {
                    // Our own projection comes first: unless it substitutes values, finitely many
                    // results cover the formula, which a solver does not guarantee.
                    match cubes::project(self, pool, &mut *model, conjuncts, names) {
                        Ok(cube) => cube,
                        Err(_) if can_project => {
                            let cube = model.project(pool, formula, &symbols).ok()?;
                            if pool.sort(cube) != Sort::Bool || names.has_local(pool, cube) {
                                return None;
                            }
                            cube
                        }
                        Err(_) => return None,
                    }
                }
            };
            disjuncts.push(cube);
            let rest = pool.not(cube);
            prover.assert(pool, rest).ok()?;
        }
        None
    }

    /// A consequence of the conjuncts without local names.
    fn weaken(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Term],
        names: &Names<'_>,
    ) -> Result<Vec<Term>, Reason> {
        let mut scratch = Scratch { open: conjuncts.to_vec(), ..Scratch::default() };
        let step = functions::generalize_applications(pool, &mut scratch.open, names, &mut scratch.origins);
        let mut kept = Vec::new();
        if matches!(step, Step::Changed) {
            self.simplify(pool, &mut scratch, names)?;
            kept = scratch.done;
            for component in components(pool, &scratch.open, names) {
                if let Some(formula) = self
                    .by_solver(pool, &component, names)
                    .or_else(|| self.by_models(pool, &component, names))
                {
                    kept.push(formula);
                }
            }
        } else {
            kept.extend(conjuncts.iter().copied().filter(|&term| !names.has_local(pool, term)));
        }
        Ok(kept)
    }
}

/// The local names of the conjuncts, if all of them are free constants.
fn only_symbols(pool: &TermPool, conjuncts: &[Term], names: &Names<'_>) -> Option<Vec<Symbol>> {
    super::vocabulary::names(pool, conjuncts)
        .into_iter()
        .filter(|name| !names.allowed.contains(name))
        .map(|name| match name {
            Name::Symbol(symbol) => Some(symbol),
            Name::Function(_) => None,
        })
        .collect()
}

/// `∃ local variables. ⋀ conjuncts`; `None` if the conjuncts contain a local function, or a
/// quantifier, whose bound variables could clash with the new ones.
fn quantify(pool: &mut TermPool, conjuncts: &[Term], names: &Names<'_>) -> Option<Term> {
    only_symbols(pool, conjuncts, names)?;
    let mut has_bound = false;
    pool.visit(conjuncts, |_| true, |term| has_bound |= matches!(pool.op(term), Op::Bound(_)));
    if has_bound {
        return None;
    }
    let mut substitution = Substitution::sparse();
    let mut variables = Vec::new();
    for (index, symbol) in names.local_symbols(pool, conjuncts).into_iter().enumerate() {
        let variable = pool.bound(&format!("newton{index}"), pool.sort(symbol));
        substitution.insert(symbol, variable);
        variables.push(variable);
    }
    let body = pool.and(conjuncts);
    let body = substitution.apply(pool, body);
    Some(pool.exists(&variables, body))
}

/// The conjuncts, grouped by common local names.
fn components(pool: &TermPool, conjuncts: &[Term], names: &Names<'_>) -> Vec<Vec<Term>> {
    // Union-find over the conjuncts.
    let mut parent: Vec<usize> = (0..conjuncts.len()).collect();
    fn find(parent: &mut [usize], mut of: usize) -> usize {
        while parent[of] != of {
            parent[of] = parent[parent[of]];
            of = parent[of];
        }
        of
    }
    let mut first: FxHashMap<Name, usize> = FxHashMap::default();
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        for name in super::vocabulary::names(pool, &[conjunct]) {
            if !names.allowed.contains(&name) {
                let other = *first.entry(name).or_insert(index);
                let (a, b) = (find(&mut parent, index), find(&mut parent, other));
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    let mut groups: Vec<Vec<Term>> = vec![Vec::new(); conjuncts.len()];
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        groups[find(&mut parent, index)].push(conjunct);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The variables of `order` whose solutions are acyclic, each after the variables that its solution
/// contains. The other solutions are removed.
fn acyclic(
    pool: &TermPool,
    order: &[Term],
    solutions: &mut FxHashMap<Term, (usize, solve::Solution)>,
    names: &Names<'_>,
) -> Vec<Term> {
    let mut sorted = Vec::with_capacity(order.len());
    // Absent: not visited; false: in progress; true: done.
    let mut is_done: FxHashMap<Term, bool> = FxHashMap::default();
    for &root in order {
        if is_done.contains_key(&root) {
            continue;
        }
        let mut stack: Vec<(Term, Vec<Term>)> = vec![(root, needs(pool, root, solutions, names))];
        is_done.insert(root, false);
        while let Some((variable, needed)) = stack.last_mut() {
            let variable = *variable;
            match needed.pop() {
                Some(next) => match is_done.get(&next) {
                    Some(true) => {}
                    // A cycle: this equation is not substituted.
                    Some(false) => {
                        solutions.remove(&variable);
                        is_done.insert(variable, true);
                        stack.pop();
                    }
                    None => {
                        let below = needs(pool, next, solutions, names);
                        is_done.insert(next, false);
                        stack.push((next, below));
                    }
                },
                None => {
                    is_done.insert(variable, true);
                    sorted.push(variable);
                    stack.pop();
                }
            }
        }
    }
    sorted
}

/// The other solved variables in the solution of `variable` and in its conditions, which are
/// substituted at the end.
fn needs(
    pool: &TermPool,
    variable: Term,
    solutions: &FxHashMap<Term, (usize, solve::Solution)>,
    names: &Names<'_>,
) -> Vec<Term> {
    let (_, solution) = &solutions[&variable];
    let mut needed = names.local_symbols(pool, &[solution.value]);
    needed.retain(|other| solutions.contains_key(other));
    needed
}
