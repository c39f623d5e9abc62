//! The prover: an assertion stack with scopes over an incremental CDCL(T) search.
//!
//! # Idea
//! An assertion is only logged. A check translates new assertions and searches. The assertions of a
//! scope hold under a literal of the scope, its *selector* (Eén, Sörensson: *Temporal Induction by
//! Incremental SAT Solving*, 2003), which is assumed while the scope is open and becomes false
//! permanently when it is closed; assertions outside of scopes hold unconditionally. Assumptions
//! are literals of their terms. Learned clauses, lemmas and definitions therefore survive pushes,
//! pops and assumptions.
//!
//! The variables of closed scopes and old assumptions stay in the solver and must be assigned in
//! each check. Each check counts the gates that it does not need as wasted. Once the total waste
//! exceeds the cost of translating everything again, the next check starts over with the open
//! scopes alone and loses what it had learned. As in the ski-rental problem, this costs at most a
//! constant factor more than restarting at the best moment.
//!
//! | module | content |
//! |---|---|
//! | [`sat`] | conflict-driven clause learning with a logged proof; the trait of theories |
//! | [`proof`] | refutations: steps, trimming, an independent checker |
//! | [`arith`] | linear arithmetic over reals and integers, with certificates |
//! | [`euf`] | congruence closure with explanations |
//! | [`theory`] | the combination of theories behind the trait |
//! | [`cnf`] | translation from terms to clauses and atoms |

pub mod arith;
pub mod cnf;
pub mod euf;
mod model;
pub mod proof;
pub mod sat;
pub mod theory;

use crate::prover::cnf::clauses::{ClauseSink, Polarity, Tag};
use crate::prover::cnf::translate::{Translator, supported};
use crate::prover::model::CraigModel;
use crate::prover::proof::{CheckError, Origin, Proof};
use crate::prover::sat::{Answer, Config, Literal, ProofLogging, Solver, Variable};
use crate::prover::theory::{Certificates, Combination, Lemma, Partition};
use backends::{Limits, Outcome, Prover, Reason, Refutation};
use rustc_hash::FxHashMap;
use terms::{Term, TermPool};

/// An incremental prover for bit vectors, linear arithmetic, arrays and uninterpreted functions.
#[derive(Debug)]
pub struct CraigProver {
    config: Config,
    limits: Limits,
    pub(crate) translator: Translator,
    pub(crate) theory: Combination,
    pub(crate) solver: Solver,
    /// The base scope, which always exists, followed by the open scopes.
    scopes: Vec<Scope>,
    assertions: u32,
    /// The number of gates created when a formula was first translated.
    costs: FxHashMap<Term, usize>,
    /// The number of unneeded gates, summed over the checks.
    wasted: usize,
}

/// The cost of creating a gate relative to assigning its variable.
const COST_OF_GATE: usize = 8;

#[derive(Debug, Default)]
struct Scope {
    /// Assumed while the scope is open. `None` for the base scope and for scopes without translated
    /// formulas.
    selector: Option<Literal>,
    /// The assertions with their numbers, in order of assertion; the numbers also count assertions
    /// of closed scopes.
    formulas: Vec<(u32, Term)>,
    /// The number of translated formulas.
    translated: usize,
    /// The number of gates created for the translated formulas, counted in each scope that needs
    /// them.
    gates: usize,
}

impl ClauseSink for Solver {
    fn new_variable(&mut self) -> Variable {
        Solver::new_variable(self)
    }

    fn add_clause(&mut self, literals: &[Literal], tag: u32) {
        Solver::add_clause(self, literals, tag);
    }
}

impl CraigProver {
    /// Creates a prover without assertions.
    pub fn new(config: Config, limits: &Limits) -> Self {
        CraigProver {
            config,
            limits: limits.clone(),
            translator: Translator::default(),
            theory: Combination::new(certificates(config)),
            solver: Solver::new(config),
            scopes: vec![Scope::default()],
            assertions: 0,
            costs: FxHashMap::default(),
            wasted: 0,
        }
    }

    /// The proof of the last refutation; see [`Solver::proof`].
    pub fn proof(&self) -> Option<Proof> {
        self.solver.proof()
    }

    /// Translates the assertions, as a check does.
    ///
    /// # Errors
    /// The reason of an exceeded limit.
    pub fn translate(&mut self, pool: &TermPool) -> Result<(), Reason> {
        let limits = self.limits.of_check();
        self.synchronize(pool, &[], &limits).map(|_| ())
    }

    /// Makes the search prefer pure steps, for the assertions translated so far.
    pub fn set_partition(&mut self, partition: Partition) {
        self.theory.set_partition(partition);
    }

    /// The theories, with the meaning of clauses and literals.
    pub fn theory(&self) -> &Combination {
        &self.theory
    }

    /// Checks a proof of this prover: each resolution step, and each theory lemma by its
    /// certificate. Inputs are trusted.
    ///
    /// # Errors
    /// The first defect of the proof.
    pub fn check_proof(&self, proof: &Proof) -> Result<(), CheckError> {
        proof::check(proof, &|step| match step.origin {
            Origin::Lemma(number) => match Lemma::from_number(number) {
                Lemma::Congruence => {
                    let certificate = self.theory.certificate(&step.literals);
                    let certificate =
                        certificate.ok_or_else(|| "the lemma does not follow by congruence".to_owned())?;
                    euf::check(&certificate, &self.theory).map_err(|error| error.to_string())
                }
                Lemma::Arithmetic(certificate) => self
                    .theory
                    .check_arithmetic(&step.literals, certificate)
                    .map_err(|error| error.to_string()),
                Lemma::Array(lemma) => {
                    self.theory.check_array_lemma(&step.literals, lemma).map_err(|error| error.to_string())
                }
                Lemma::Definition(_) => Ok(()),
            },
            _ => Ok(()),
        })
    }

    /// Translates new assertions, and the assumptions to literals.
    fn synchronize(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Vec<Literal>, Reason> {
        if self.wasted > COST_OF_GATE * self.theory.gates.len() {
            self.begin_anew();
        }
        let CraigProver { translator, theory, solver, scopes, costs, .. } = self;
        solver.reset(theory);
        let mut needed: usize = scopes.iter().map(|scope| scope.gates).sum();
        let mut translate = |formula: Term, theory: &mut Combination, solver: &mut Solver| {
            let before = theory.gates.len();
            let signal = translator.formula(pool, formula, theory, solver, limits)?;
            let cost = *costs.entry(formula).or_insert(theory.gates.len() - before);
            needed += cost;
            Ok((signal, cost))
        };
        for (depth, scope) in scopes.iter_mut().enumerate() {
            while let Some(&(assertion, formula)) = scope.formulas.get(scope.translated) {
                let (signal, gates) = translate(formula, theory, solver)?;
                scope.gates += gates;
                if depth > 0 && scope.selector.is_none() {
                    scope.selector = Some(Literal::positive(solver.new_variable()));
                }
                let tag = theory.tags.number(Tag::Assertion(assertion));
                let Combination { gates, encoder, .. } = &mut *theory;
                encoder.require(gates, scope.selector, signal, tag, solver);
                scope.translated += 1;
            }
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            let (signal, _) = translate(assumption, theory, solver)?;
            let Combination { gates, encoder, .. } = &mut *theory;
            literals.push(encoder.literal(gates, signal, Polarity::Positive, solver));
        }
        self.wasted += self.theory.gates.len().saturating_sub(needed);
        Ok(literals)
    }

    /// Discards all translations.
    fn begin_anew(&mut self) {
        self.translator = Translator::default();
        self.theory = Combination::new(certificates(self.config));
        self.solver = Solver::new(self.config);
        self.costs.clear();
        self.wasted = 0;
        for scope in &mut self.scopes {
            scope.selector = None;
            scope.translated = 0;
            scope.gates = 0;
        }
    }

    fn decide(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Found, Reason> {
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        // One deadline for translation and search together.
        let limits = self.limits.of_check();
        for &assumption in assumptions {
            supported(pool, assumption, &self.translator)?;
        }
        let literals = self.synchronize(pool, assumptions, &limits)?;
        self.theory.begin_check(&limits);
        let selectors = self.scopes.iter().filter_map(|scope| scope.selector);
        let assumed: Vec<Literal> = selectors.chain(literals.iter().copied()).collect();
        match self.solver.solve(&mut self.theory, &assumed, &limits) {
            Answer::Sat => Ok(Found::Model),
            Answer::Unsat => Ok(Found::Core(literals)),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

/// Certificates are kept for proofs only.
fn certificates(config: Config) -> Certificates {
    match config.logging {
        ProofLogging::Chains => Certificates::Kept,
        ProofLogging::None => Certificates::Dropped,
    }
}

/// The result of a check.
enum Found {
    Model,
    /// The literals of the assumptions.
    Core(Vec<Literal>),
}

impl Prover for CraigProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Scope::default());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        let scope = self.scopes.pop().expect("the base scope is never closed");
        if let Some(selector) = scope.selector {
            let tag = self.theory.tags.number(Tag::Closing);
            self.solver.add_clause(&[!selector], tag);
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        supported(pool, formula, &self.translator)?;
        let scope = self.scopes.last_mut().expect("the base scope is never closed");
        scope.formulas.push((self.assertions, formula));
        self.assertions += 1;
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        match self.decide(pool, assumptions) {
            Ok(Found::Model) => Outcome::Sat(Box::new(CraigModel::new(pool, self))),
            Ok(Found::Core(literals)) => Outcome::Unsat(Box::new(CraigRefutation { prover: self, literals })),
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

struct CraigRefutation<'p> {
    prover: &'p CraigProver,
    /// The literals of the assumptions.
    literals: Vec<Literal>,
}

impl Refutation for CraigRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        let failed = self.prover.solver.failed_assumptions();
        // Of several assumptions with the same literal, the first suffices; selectors are not
        // assumptions of the caller.
        let mut core: Vec<usize> = failed
            .iter()
            .filter_map(|failed| self.literals.iter().position(|literal| literal == failed))
            .collect();
        core.sort_unstable();
        core.dedup();
        Ok(core)
    }
}
