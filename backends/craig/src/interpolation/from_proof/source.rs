//! The source `craig-proof`: interpolants from proofs of the prover.
//!
//! One refutation of all parts yields all interpolants. The search knows which parts share each
//! number ([`Partition`]) and creates pure atoms where it can; the remaining mixed steps are made
//! local afterwards (`derivation`).
//!
//! *When not to use it*: for long branching paths, whose proofs are exponential. Use `by_parts`
//! there.

use super::span::Spans;
use super::{Certificate, Input, Labelling, Language, interpolants};
use crate::prover::arith::{Premise, Reason32, Var};
use crate::prover::cnf::clauses::Tag;
use crate::prover::cnf::reading::Reader;
use crate::prover::euf::Node;
use crate::prover::proof::{Origin, Step};
use crate::prover::sat::{Config, Literal, Variable};
use crate::prover::theory::{Lemma, Partition, Parts};
use crate::{CraigProver, NAME};
use backends::interpolation::{
    Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape, Witness,
};
use backends::{Limits, Outcome, Prover, ProverFactory, Reason};
use std::rc::Rc;
use terms::entity::{Entity, SecondaryMap};
use terms::{Term, TermPool};

/// The name on the command line.
const NAME_OF_SOURCE: &str = "craig-proof";

/// Creates [`Proofs`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofsFactory;

impl InterpolatorFactory for ProofsFactory {
    fn name(&self) -> &'static str {
        NAME_OF_SOURCE
    }

    fn solver(&self) -> Option<&'static str> {
        Some(NAME)
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn theories(&self) -> Vec<&'static str> {
        crate::factory().capabilities().theories
    }

    fn new_interpolator(
        &self,
        _solver: &Rc<dyn ProverFactory>,
        preference: Preference,
    ) -> Box<dyn Interpolator> {
        Box::new(Proofs { labelling: Labelling::of(preference.strength) })
    }
}

/// Interpolates from one refutation of the whole problem.
#[derive(Clone, Copy, Debug)]
pub struct Proofs {
    /// The strength of the interpolants.
    pub labelling: Labelling,
}

impl Interpolator for Proofs {
    fn name(&self) -> &str {
        NAME_OF_SOURCE
    }

    fn solver(&self) -> Option<&str> {
        Some(NAME)
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        interpolate(self.labelling, pool, problem, limits).into()
    }
}

fn interpolate(
    labelling: Labelling,
    pool: &mut TermPool,
    problem: &Problem,
    limits: &Limits,
) -> Result<Interpolants, Reason> {
    let limits = limits.of_check();
    let mut prover = CraigProver::new(Config::PROVING, &limits);
    let mut parts = Vec::new();
    for (part, formulas) in problem.parts.iter().enumerate() {
        for &formula in formulas {
            prover.assert(pool, formula)?;
            parts.push(part);
        }
    }
    prover.translate(pool)?;
    let partition = partition(pool, problem, &prover);
    prover.set_partition(partition);
    match prover.check(pool, &[]) {
        Outcome::Unsat(_) => {}
        Outcome::Sat(mut model) => {
            return Ok(Interpolants::Satisfiable(Witness::of(pool, problem, &mut *model)));
        }
        Outcome::Unknown(reason) => return Err(reason),
    }
    let proof = prover.proof();
    let proof = proof.ok_or_else(|| Reason::Fault("the refutation has no proof".to_owned()))?;
    let mut language = Said::new(pool, &prover, parts);
    interpolants(pool, problem, &proof, &mut language, labelling, &limits).map(Interpolants::Found)
}

/// The parts that share each number of a problem.
fn partition(pool: &mut TermPool, problem: &Problem, prover: &CraigProver) -> Partition {
    let theory = prover.theory();
    let mut spans = Spans::new(pool, problem);
    let mut partition = Partition::new(problem.tree.clone());
    for variable in theory.number_variables() {
        if let Some(term) = theory.number_term(pool, variable) {
            let span = spans.of(pool, term);
            partition.place(variable, Parts::from_slice(spans.bits(span)));
        }
    }
    for node in theory.nodes() {
        if let Some(term) = theory.term(node) {
            let span = spans.of(pool, term);
            partition.place_node(node, Parts::from_slice(spans.bits(span)));
        }
    }
    partition
}

/// The meaning of the clauses and literals of a prover.
struct Said<'a> {
    prover: &'a CraigProver,
    reader: Reader,
    /// The part of each assertion.
    parts: Vec<usize>,
    /// The terms of the simplex variables.
    numbers: SecondaryMap<Var, Option<Term>>,
}

impl<'a> Said<'a> {
    fn new(pool: &mut TermPool, prover: &'a CraigProver, parts: Vec<usize>) -> Self {
        let theory = prover.theory();
        let mut numbers = SecondaryMap::new();
        for variable in theory.number_variables() {
            numbers[variable] = theory.number_term(pool, variable);
        }
        Said { prover, reader: Reader::default(), parts, numbers }
    }
}

impl Language for Said<'_> {
    fn term(&mut self, pool: &mut TermPool, variable: Variable) -> Option<Term> {
        self.reader.literal(pool, self.prover.theory(), Literal::positive(variable))
    }

    fn input(&self, tag: u32) -> Option<Input> {
        match self.prover.theory().tags.get(tag)? {
            Tag::Assertion(assertion) => self.parts.get(assertion as usize).copied().map(Input::Part),
            Tag::Truth | Tag::Definition(_) | Tag::Equality(..) | Tag::Arrays => Some(Input::Valid),
            Tag::Closing => None,
        }
    }

    fn certificate(&mut self, lemma: &Step) -> Option<Certificate> {
        let Origin::Lemma(number) = lemma.origin else { return None };
        let theory = self.prover.theory();
        match Lemma::from_number(number) {
            Lemma::Congruence => theory.certificate(&lemma.literals).map(Certificate::Equality),
            Lemma::Arithmetic(number) => {
                theory.arithmetic_certificate(number).cloned().map(Certificate::Arithmetic)
            }
            Lemma::Definition(_) | Lemma::Array(_) => None,
        }
    }

    fn node(&self, pool: &mut TermPool, node: Node) -> Option<Term> {
        let theory = self.prover.theory();
        let truth = [false, true].into_iter().find(|&value| theory.truth(value) == node);
        match truth {
            Some(true) => Some(pool.tru()),
            Some(false) => Some(pool.fls()),
            None => Some(theory.node_term(pool, node)),
        }
    }

    fn number(&self, variable: Var) -> Option<Term> {
        self.numbers[variable]
    }

    fn premise(&self, reason: Reason32) -> Option<Premise> {
        self.prover.theory().premise(Literal::from_index(reason.index()))
    }
}
