//! Z3 as a [`Prover`], and its Horn solver Spacer as a source of interpolants.
//!
//! * **A log, and a solver built from it.** A prover logs assertions and passes them to a solver of
//!   the library at a check. So scopes that are never checked cost nothing, and the solver can be
//!   chosen for each check: the first check, if it has no scopes and assumptions, goes to the
//!   library's strategies, which analyze the whole problem (for pure bit vectors, to the
//!   bit-blaster with its SAT solver); every other check goes to the incremental core, which is
//!   three times as fast on small steps. A solver that was interrupted is replaced by a new one.
//! * **Quantifiers.** The incremental core instantiates quantifiers, which refutes formulas, but
//!   rarely proves satisfiability and may diverge. The strategies decide quantified linear
//!   arithmetic (Bjørner, Janota, *Playing with Quantified Satisfaction*, LPAR 2015), but only from
//!   scratch and without assumptions. So quantified problems of pure arithmetic go to the
//!   strategies first, all others to the incremental core first; if one gives up, the other is
//!   tried. The strategies get assumptions as assertions; the core is then the set of all
//!   assumptions.
//! * **Assumptions** of Z3 are literals. Any other formula `φ` gets a fresh constant `p`, and
//!   `p ⇒ φ` is asserted in the innermost scope; once too many of these have accumulated, the
//!   solver is rebuilt.
//! * **One context per prover**, with reference counting: see `ffi`.
//! * **Stack.** Z3 recurses over the depth of terms in places, so work on deep terms runs on a
//!   thread with a large stack.
//! * **Limits** are enforced by a watchdog. Z3 polls for interrupts often, but not everywhere: see
//!   `backends::worker`.
//! * **Projection and elimination**: see `project`. **Interpolation**: see `spacer`. **Horn
//!   clauses**: see `clauses`.

mod clauses;
mod ffi;
mod model;
mod project;
mod read;
mod spacer;
mod translate;
mod value;

use backends::interpolation::InterpolatorFactory;
use backends::support::{on_stack, watchdog};
use backends::{
    Capabilities, HornSolver, Limits, Outcome, Prover, ProverFactory, Reason, Refutation, Support, THEORIES,
};
use ffi::{CheckStatus, Context, Node, Solver, SolverKind};
use model::Z3Model;
use std::rc::Rc;
use terms::{Op, Symbol, Term, TermPool};
use translate::{Facts, Translator};

/// The factory of this backend.
pub fn factory() -> Z3Factory {
    Z3Factory
}

/// The sources of interpolants of this backend: `spacer`.
pub fn interpolators() -> Vec<Rc<dyn InterpolatorFactory>> {
    vec![Rc::new(spacer::SpacerFactory)]
}

/// The solvers of Horn clauses of this backend: `spacer`.
pub fn horn_solvers() -> Vec<Rc<dyn HornSolver>> {
    vec![Rc::new(clauses::SpacerSolver)]
}

/// Creates Z3 provers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3Factory;

impl ProverFactory for Z3Factory {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn version(&self) -> String {
        ffi::version()
    }

    fn license(&self) -> &'static str {
        "MIT"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: THEORIES.to_vec(),
            unsat_cores: Support::Full,
            models: Support::Full,
            quantifiers: Support::Full,
            quantifier_elimination: Support::Full,
            projection: Support::Full,
        }
    }

    /// Ignores `logic`: the formulas themselves determine the solver, see the crate documentation.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(Z3Prover::new(limits)?))
    }
}

/// A prover; see the crate documentation.
struct Z3Prover {
    // The fields are dropped in this order: the context after everything that refers to it.
    solver: Option<Live>,
    translator: Translator,
    context: Context,
    limits: Limits,
    /// The log of assertions, by scope. The base scope always exists.
    scopes: Vec<Scope>,
    checks: u32,
    proxies: rustc_hash::FxHashMap<Term, Node>,
}

#[derive(Default)]
struct Scope {
    formulas: Vec<Node>,
    /// The join over the formulas of this scope and the outer ones.
    facts: Facts,
}

/// A solver with the part of the log that it has received. It may lag behind.
struct Live {
    solver: Solver,
    kind: SolverKind,
    /// The depth of the terms that it has received.
    synced: Vec<Synced>,
}

#[derive(Default)]
struct Synced {
    formulas: usize,
    /// The assumptions whose constants are defined in this scope.
    proxies: Vec<Term>,
}

/// The number of definitions of assumptions that may accumulate beyond those needed by a check.
const IDLE_PROXIES: usize = 2000;

impl Prover for Z3Prover {
    fn push(&mut self) -> Result<(), Reason> {
        let facts = self.innermost().facts;
        self.scopes.push(Scope { formulas: Vec::new(), facts });
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        self.scopes.pop();
        if let Some(live) = &mut self.solver
            && live.synced.len() > self.scopes.len()
        {
            live.synced.pop();
            if self.context.pop(&live.solver).is_err() {
                self.solver = None;
            }
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        let node = self.translator.translate(&self.context, pool, formula)?;
        let facts = self.translator.facts(formula);
        let scope = self.scopes.last_mut().expect("the base scope is never closed");
        scope.formulas.push(node);
        scope.facts = scope.facts.join(facts);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let mut facts = self.innermost().facts;
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            match self.assume(pool, assumption) {
                Ok(found) => assumed.push(found),
                Err(reason) => return Outcome::Unknown(reason),
            }
            facts = facts.join(self.translator.facts(assumption));
        }
        match on_stack(facts.depth, || self.solve(&assumed, facts)).unwrap_or(Err(Reason::Memory)) {
            Ok(Answer::Sat) => Outcome::Sat(Box::new(Z3Model::new(self, facts.depth))),
            Ok(Answer::Unsat) => Outcome::Unsat(Box::new(Z3Refutation {
                prover: self,
                assumptions: assumed.iter().map(|assumed| assumed.literal).collect(),
            })),
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        // Z3 keeps a pending interrupt after the tactic returns, so elimination runs in a context
        // of its own.
        project::eliminate(&mut Z3Prover::new(&self.limits)?, pool, formula, variables)
    }
}

/// An assumption in the form that Z3 accepts.
#[derive(Clone, Copy)]
struct Assumed {
    /// A constant or its negation.
    literal: Node,
    /// The formula that the literal implies, unless the literal is the assumption itself.
    definition: Option<(Term, Node)>,
}

enum Answer {
    Sat,
    Unsat,
}

impl Z3Prover {
    fn new(limits: &Limits) -> Result<Self, Reason> {
        Ok(Z3Prover {
            solver: None,
            translator: Translator::default(),
            context: Context::new()?,
            limits: limits.clone(),
            scopes: vec![Scope::default()],
            checks: 0,
            proxies: rustc_hash::FxHashMap::default(),
        })
    }

    fn innermost(&self) -> &Scope {
        self.scopes.last().expect("the base scope is never closed")
    }

    /// The model of the last check.
    fn model(&self) -> Result<ffi::Model, Reason> {
        let live =
            self.solver.as_ref().ok_or_else(|| Reason::Fault("a model without a solver".to_owned()))?;
        self.context.model(&live.solver)
    }

    fn assume(&mut self, pool: &TermPool, assumption: Term) -> Result<Assumed, Reason> {
        let node = self.translator.translate(&self.context, pool, assumption)?;
        let atom = match pool.op(assumption) {
            Op::Not => pool.children(assumption)[0],
            _ => assumption,
        };
        if matches!(pool.op(atom), Op::Symbol(_)) {
            return Ok(Assumed { literal: node, definition: None });
        }
        if let Some(&literal) = self.proxies.get(&assumption) {
            return Ok(Assumed {
                literal,
                definition: Some((assumption, self.context.implies(literal, node)?)),
            });
        }
        let literal = self.context.fresh_bool()?;
        let definition = self.context.implies(literal, node)?;
        self.proxies.insert(assumption, literal);
        Ok(Assumed { literal, definition: Some((assumption, definition)) })
    }

    fn solve(&mut self, assumed: &[Assumed], facts: Facts) -> Result<Answer, Reason> {
        // All attempts share one limit.
        let limits = self.limits.of_check();
        let [first, second] = match facts {
            Facts { has_quantifiers: false, .. } => [Some(self.suitable(assumed)), None],
            Facts { exceeds_arithmetic: false, .. } => {
                [Some(SolverKind::Strategic), Some(SolverKind::Incremental)]
            }
            _ => [Some(SolverKind::Incremental), Some(SolverKind::Strategic)],
        };
        let mut answer = Err(Reason::Incomplete("no solver".to_owned()));
        for kind in [first, second].into_iter().flatten() {
            answer = self.attempt(kind, assumed, &limits);
            if !matches!(answer, Err(Reason::Incomplete(_))) {
                break;
            }
        }
        self.checks = self.checks.saturating_add(1);
        answer
    }

    fn attempt(&mut self, kind: SolverKind, assumed: &[Assumed], limits: &Limits) -> Result<Answer, Reason> {
        let (prepared, literals) = match kind {
            SolverKind::Incremental => {
                (self.synchronise(assumed), assumed.iter().map(|assumed| assumed.literal).collect())
            }
            SolverKind::Strategic | SolverKind::BitVectors => (self.load(kind, assumed), Vec::new()),
        };
        let status = prepared.map(|()| {
            let live = self.solver.as_ref().expect("prepared above");
            // Only the check is interruptible: assertions made under a pending interrupt may be
            // lost.
            let _watch = watchdog::watch(self.context.stopper_of_check(&live.solver), limits);
            self.context.check(&live.solver, &literals)
        });
        match status {
            Ok(CheckStatus::Sat) => Ok(Answer::Sat),
            Ok(CheckStatus::Unsat) => Ok(Answer::Unsat),
            Ok(CheckStatus::Stopped) | Err(Reason::Interrupted) => {
                self.solver = None;
                Err(limits.exceeded().unwrap_or(Reason::Timeout))
            }
            Ok(CheckStatus::Unknown(reason @ Reason::Incomplete(_))) => Err(reason),
            Ok(CheckStatus::Unknown(reason)) | Err(reason) => {
                self.solver = None;
                Err(reason)
            }
        }
    }

    /// The solver for the next check of quantifier-free formulas.
    fn suitable(&self, assumed: &[Assumed]) -> SolverKind {
        if self.checks > 0 || self.scopes.len() > 1 || !assumed.is_empty() {
            SolverKind::Incremental
        } else if self.translator.is_bits_only() {
            SolverKind::BitVectors
        } else {
            SolverKind::Strategic
        }
    }

    /// Creates a solver of this kind with the whole log and the assumptions, without scopes.
    fn load(&mut self, kind: SolverKind, assumed: &[Assumed]) -> Result<(), Reason> {
        self.solver = None;
        let solver = self.context.solver(kind)?;
        for &formula in self.scopes.iter().flat_map(|scope| &scope.formulas) {
            self.context.assert(&solver, formula)?;
        }
        for &Assumed { literal, definition } in assumed {
            self.context.assert(&solver, literal)?;
            if let Some((_, definition)) = definition {
                self.context.assert(&solver, definition)?;
            }
        }
        self.solver = Some(Live { solver, kind, synced: vec![Synced::default()] });
        Ok(())
    }

    /// Passes the rest of the log to the incremental solver, and defines the assumptions.
    fn synchronise(&mut self, assumed: &[Assumed]) -> Result<(), Reason> {
        let kind = SolverKind::Incremental;
        let is_stale = |live: &Live| {
            let proxies: usize = live.synced.iter().map(|scope| scope.proxies.len()).sum();
            live.kind != kind || proxies > IDLE_PROXIES + 2 * assumed.len()
        };
        if self.solver.as_ref().is_some_and(is_stale) {
            self.solver = None;
        }
        let live = match &mut self.solver {
            Some(live) => live,
            None => {
                let solver = self.context.solver(kind)?;
                self.solver.insert(Live { solver, kind, synced: vec![Synced::default()] })
            }
        };
        for (level, scope) in self.scopes.iter().enumerate() {
            if level == live.synced.len() {
                self.context.push(&live.solver)?;
                live.synced.push(Synced::default());
            }
            let synced = &mut live.synced[level];
            while let Some(&formula) = scope.formulas.get(synced.formulas) {
                self.context.assert(&live.solver, formula)?;
                synced.formulas += 1;
            }
        }
        for &Assumed { definition, .. } in assumed {
            let Some((assumption, definition)) = definition else { continue };
            if !live.synced.iter().any(|scope| scope.proxies.contains(&assumption)) {
                self.context.assert(&live.solver, definition)?;
                let innermost = live.synced.last_mut().expect("the base scope is never closed");
                innermost.proxies.push(assumption);
            }
        }
        Ok(())
    }
}

struct Z3Refutation<'p> {
    prover: &'p mut Z3Prover,
    assumptions: Vec<Node>,
}

impl Refutation for Z3Refutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        let live =
            self.prover.solver.as_ref().ok_or_else(|| Reason::Fault("a core without a solver".to_owned()))?;
        if live.kind != SolverKind::Incremental {
            // The assumptions were asserted, so there is no smaller core.
            return Ok((0..self.assumptions.len()).collect());
        }
        let core = self.prover.context.core(&live.solver)?;
        let mut indices = core
            .iter()
            .map(|literal| self.assumptions.iter().position(|&assumption| assumption == literal.node()))
            .collect::<Option<Vec<usize>>>()
            .ok_or_else(|| Reason::Fault("an unsat core with a literal that was not assumed".to_owned()))?;
        indices.sort_unstable();
        indices.dedup();
        Ok(indices)
    }
}

#[cfg(test)]
mod tests;
