//! The prover: a log of what is asserted, scope by scope, and a search that follows it.
//!
//! # Idea
//! What is asserted is only logged. A check translates what is new and searches. The assertions of a scope hold under a
//! literal of the scope, its *selector* (Eén, Sörensson: *Temporal Induction by Incremental SAT Solving*, 2003), which is
//! assumed while the scope is open and denied for good when it is closed; those outside of scopes hold at once. Assumptions
//! are literals of their terms. So learned clauses, lemmas and definitions survive everything.
//!
//! What belongs to closed scopes and to old assumptions stays in the search's way: its variables have to be assigned in each
//! check. So what is not needed by a check is counted as wasted, and when more was wasted than it costs to translate
//! everything again, the next check begins anew, with the open scopes alone. What was learned is lost then. As always when
//! one may rent or buy, this costs at most a constant factor more than the best moment would have.
//!
//! | module | what |
//! |---|---|
//! | [`sat`] | conflict-driven clause learning with a logged proof; the trait of theories |
//! | [`proof`] | refutations: steps, trimming, an independent checker |
//! | [`arith`] | linear arithmetic over reals and integers, with certificates |
//! | [`euf`] | congruence closure with explanations |
//! | [`theory`] | the theories together, as the search sees them |
//! | [`cnf`] | from terms to clauses and atoms |

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

/// A prover of bit vectors, linear arithmetic, arrays and uninterpreted functions, with an incremental search underneath.
#[derive(Debug)]
pub struct CraigProver {
    config: Config,
    limits: Limits,
    pub(crate) translator: Translator,
    pub(crate) theory: Combination,
    pub(crate) solver: Solver,
    /// The open scopes, after the base scope, which is always there.
    scopes: Vec<Scope>,
    assertions: u32,
    /// How many gates were made for a formula when it was translated first.
    costs: FxHashMap<Term, usize>,
    /// Gates that were not needed, added up over the checks.
    wasted: usize,
}

/// How many times longer it takes to make a gate than to assign its variable.
const COST_OF_GATE: usize = 8;

#[derive(Debug, Default)]
struct Scope {
    /// Assumed while the scope is open. The base scope has none, nor has one in which nothing was translated.
    selector: Option<Literal>,
    /// With their numbers, in the order of assertion, whatever was closed since.
    formulas: Vec<(u32, Term)>,
    /// So many of them are translated.
    translated: usize,
    /// So many gates were made for these, by whichever scope needed them first.
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
    /// A prover with no assertions.
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

    /// Translates what is asserted, which a check would do.
    ///
    /// # Errors
    /// What the limits say.
    pub fn translate(&mut self, pool: &TermPool) -> Result<(), Reason> {
        let limits = self.limits.of_check();
        self.synchronize(pool, &[], &limits).map(|_| ())
    }

    /// Has the search make pure steps where it can, for what is translated.
    pub fn set_partition(&mut self, partition: Partition) {
        self.theory.set_partition(partition);
    }

    /// What clauses are about, and what literals say.
    pub fn theory(&self) -> &Combination {
        &self.theory
    }

    /// Checks a proof of this prover: each resolution, and each lemma of a theory by its certificate. Inputs are trusted.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_proof(&self, proof: &Proof) -> Result<(), CheckError> {
        proof::check(proof, &|step| match step.origin {
            Origin::Lemma(number) => match Lemma::from_number(number) {
                Lemma::Congruence => {
                    let certificate = self.theory.certificate(&step.literals);
                    let certificate =
                        certificate.ok_or_else(|| "the lemma does not hold by congruence".to_owned())?;
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

    /// Translates what is new, and the assumptions to literals.
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

    /// Forgets all translations.
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
        // One end for translation and search together.
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

/// Certificates are for proofs.
fn certificates(config: Config) -> Certificates {
    match config.logging {
        ProofLogging::Chains => Certificates::Kept,
        ProofLogging::None => Certificates::Dropped,
    }
}

/// What a check found.
enum Found {
    Model,
    /// With the literals of the assumptions.
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
    /// Of the assumptions.
    literals: Vec<Literal>,
}

impl Refutation for CraigRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        let failed = self.prover.solver.failed_assumptions();
        // Of assumptions with the same literal the first is enough; selectors are none.
        let mut core: Vec<usize> = failed
            .iter()
            .filter_map(|failed| self.literals.iter().position(|literal| literal == failed))
            .collect();
        core.sort_unstable();
        core.dedup();
        Ok(core)
    }
}
