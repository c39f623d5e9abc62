//! A local proof: each leaf and each literal belongs to one node of the tree.
//!
//! # Idea
//! A valid clause, that is a definition or a lemma, may count as a clause of any part that knows
//! all of its names: of any node in the common span of its literals. The labeling chooses one of
//! these nodes as *owner*, for clauses as for literals. Only lemmas whose literals have no node in
//! common need more work.
//!
//! If a mixed literal or lemma cannot be made local, its names are widened (`span`) and the proof
//! is processed again. The search is therefore free to produce mixed integer cuts and on-demand
//! equalities.

use super::span::{Span, Spans};
use super::{Certificate, Input, Labelling, Language, equality, mixed, number};
use crate::prover::arith::{self, Reason32};
use crate::prover::euf;
use crate::prover::proof::{Origin, Proof, Step};
use crate::prover::sat::{Literal, Variable};
use backends::interpolation::Problem;
use backends::{Limits, Reason};
use rustc_hash::FxHashMap;
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Term, TermPool};

/// Number of proof steps between two checks of the limits.
pub(super) const STEPS_BETWEEN_LOOKS: usize = 1024;

/// A local proof. The last step is the empty clause.
pub(super) struct Derivation<'a> {
    pub(super) spans: Spans<'a>,
    pub(super) labelling: Labelling,
    pub(super) atoms: PrimaryMap<Variable, Option<Atom>>,
    pub(super) steps: Vec<Local>,
    /// The literal of each term; for lookup only.
    known: FxHashMap<Term, Literal>,
}

/// The meaning of a variable.
#[derive(Clone, Copy)]
pub(super) struct Atom {
    pub(super) term: Term,
    /// Not empty.
    pub(super) span: Span,
    /// A node of the span.
    pub(super) owner: usize,
}

/// A step of a local proof.
pub(super) enum Local {
    /// A clause that the formulas of the part `owner` entail. The span of each literal contains
    /// `owner`.
    Clause { literals: Vec<Literal>, owner: usize },
    /// A lemma that is a sum whose summands belong to several parts.
    Sum(number::Sum),
    /// Resolution, as in [`Origin::Chain`].
    Chain { first: u32, rest: Vec<(Literal, u32)> },
}

/// Computes the local proof of a refutation.
pub(super) fn local<'a>(
    pool: &mut TermPool,
    problem: &'a Problem,
    proof: &Proof,
    language: &mut dyn Language,
    labelling: Labelling,
    limits: &Limits,
) -> Result<Derivation<'a>, Reason> {
    let mut spans = Spans::new(pool, problem);
    loop {
        let mut derivation = Derivation::new(spans, proof, labelling);
        match derivation.replay(pool, proof, language, limits)? {
            Locality::Local => return Ok(derivation),
            Locality::Widened => spans = derivation.spans,
        }
    }
}

/// Whether all steps of a proof are local.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Locality {
    /// All steps are local.
    Local,
    /// Names were widened; the proof must be processed again.
    Widened,
}

impl<'a> Derivation<'a> {
    fn new(spans: Spans<'a>, proof: &Proof, labelling: Labelling) -> Self {
        // Variables of the proof keep their numbers.
        let literals = proof.steps.iter().flat_map(|step| &step.literals);
        let count = literals.map(|literal| literal.variable().index() + 1).max().unwrap_or(0);
        let mut atoms = PrimaryMap::new();
        (0..count).for_each(|_| {
            atoms.push(None);
        });
        let steps = Vec::with_capacity(proof.steps.len());
        Derivation { spans, labelling, atoms, steps, known: FxHashMap::default() }
    }
}

impl Derivation<'_> {
    /// Translates the steps of a proof to local steps.
    fn replay(
        &mut self,
        pool: &mut TermPool,
        proof: &Proof,
        language: &mut dyn Language,
        limits: &Limits,
    ) -> Result<Locality, Reason> {
        let mut moved: Vec<u32> = Vec::with_capacity(proof.steps.len());
        let mut locality = Locality::Local;
        for (index, step) in proof.steps.iter().enumerate() {
            if index % STEPS_BETWEEN_LOOKS == 0
                && let Some(reason) = limits.exceeded()
            {
                return Err(reason);
            }
            let place = match (&step.origin, locality) {
                (Origin::Chain { first, rest }, Locality::Local) => {
                    let rest = rest.iter().map(|&(pivot, step)| (pivot, moved[step as usize])).collect();
                    self.push(Local::Chain { first: moved[*first as usize], rest })
                }
                // Only leaves can be mixed.
                (Origin::Chain { .. }, Locality::Widened) => continue,
                _ => match self.leaf(pool, language, step) {
                    Err(Reason::Unsupported(what)) => {
                        let terms = said(pool, language, step);
                        if !self.spans.widen(pool, &terms) && locality == Locality::Local {
                            return Err(Reason::Unsupported(what));
                        }
                        locality = Locality::Widened;
                        continue;
                    }
                    place => place?,
                },
            };
            moved.push(place);
        }
        Ok(locality)
    }

    fn leaf(&mut self, pool: &mut TermPool, language: &mut dyn Language, step: &Step) -> Result<u32, Reason> {
        self.read(pool, language, &step.literals)?;
        let Origin::Input(tag) = step.origin else { return self.lemma(pool, language, step) };
        match language.input(tag) {
            Some(Input::Part(part)) => self.input(part, &step.literals),
            Some(Input::Valid) => self.valid(&step.literals)?.ok_or_else(|| mixed("definition")),
            None => Err(Reason::Misuse("an input clause with an unknown tag".to_owned())),
        }
    }

    /// The atom of a variable that occurs in a leaf.
    pub(super) fn atom(&self, variable: Variable) -> Atom {
        self.atoms.get(variable).copied().flatten().expect("each variable of a leaf has an atom")
    }

    /// The term of a literal.
    pub(super) fn literal_term(&self, pool: &mut TermPool, literal: Literal) -> Term {
        let term = self.atom(literal.variable()).term;
        if literal.is_positive() { term } else { pool.not(term) }
    }

    /// The literal of `term`, over a new atom if there is no such literal. `None` if the term is
    /// mixed.
    pub(super) fn literal_of(&mut self, pool: &TermPool, term: Term) -> Option<Literal> {
        let (is_positive, base) = match pool.op(term) {
            Op::Not => (false, pool.children(term)[0]),
            _ => (true, term),
        };
        let literal = match self.known.get(&base) {
            Some(&known) => known,
            None => {
                let variable = self.atoms.next_key();
                let atom = self.new_atom(pool, base)?;
                self.atoms.push(Some(atom));
                let literal = Literal::positive(variable);
                self.known.insert(base, literal);
                literal
            }
        };
        Some(if is_positive { literal } else { !literal })
    }

    /// Adds a step.
    pub(super) fn push(&mut self, step: Local) -> u32 {
        self.steps.push(step);
        u32::try_from(self.steps.len() - 1).expect("a proof has fewer than 2^32 steps")
    }

    /// Adds a valid clause. `None` if no part knows all of its literals.
    pub(super) fn valid(&mut self, literals: &[Literal]) -> Result<Option<u32>, Reason> {
        let mut span = self.spans.everywhere();
        for literal in literals {
            let other = self.atom(literal.variable()).span;
            span = self.spans.meet(span, other);
        }
        let Some(owner) = self.owner(span) else { return Ok(None) };
        Ok(Some(self.push(Local::Clause { literals: literals.to_vec(), owner })))
    }

    fn input(&mut self, part: usize, literals: &[Literal]) -> Result<u32, Reason> {
        let is_foreign = |literal: &Literal| !self.spans.contains(self.atom(literal.variable()).span, part);
        if literals.iter().any(is_foreign) {
            return Err(Reason::Unsupported("interpolation: a clause with foreign names".to_owned()));
        }
        Ok(self.push(Local::Clause { literals: literals.to_vec(), owner: part }))
    }

    fn lemma(
        &mut self,
        pool: &mut TermPool,
        language: &mut dyn Language,
        step: &Step,
    ) -> Result<u32, Reason> {
        if let Some(pure) = self.valid(&step.literals)? {
            return Ok(pure);
        }
        let certificate = language.certificate(step).ok_or_else(|| mixed("lemma without a certificate"))?;
        let mut reasons = reasons(&certificate).into_iter();
        if reasons.any(|reason| !step.literals.contains(&!Literal::from_index(reason as usize))) {
            return Err(Reason::Fault("the certificate uses literals outside of the lemma".to_owned()));
        }
        match &certificate {
            Certificate::Equality(certificate) => equality::lemma(pool, self, language, certificate),
            Certificate::Arithmetic(certificate) => number::lemma(pool, self, language, certificate),
        }
    }

    /// The owner of a literal or clause with this span. The node closest to the root lies outside
    /// of all subtrees that share the span.
    fn owner(&self, span: Span) -> Option<usize> {
        match self.labelling {
            Labelling::McMillan | Labelling::Symmetric => self.spans.top(span),
            Labelling::InverseMcMillan => self.spans.first(span),
        }
    }

    /// Creates atoms for the variables of these literals.
    fn read(
        &mut self,
        pool: &mut TermPool,
        language: &mut dyn Language,
        literals: &[Literal],
    ) -> Result<(), Reason> {
        for literal in literals {
            let variable = literal.variable();
            if self.atoms.get(variable).is_some_and(Option::is_some) {
                continue;
            }
            let term = language.term(pool, variable);
            let term = term.ok_or_else(|| Reason::Misuse("a literal without a term".to_owned()))?;
            let positive = Literal::positive(variable);
            let span = self.said(pool, language, positive, term)?;
            let owner = self.owner(span).ok_or_else(|| mixed("literal"))?;
            self.atoms[variable] = Some(Atom { term, span, owner });
            let (base, literal) = match pool.op(term) {
                Op::Not => (pool.children(term)[0], !positive),
                _ => (term, positive),
            };
            self.known.entry(base).or_insert(literal);
        }
        Ok(())
    }

    /// The span of a literal with the given term. For an inequality, the span is that of its
    /// variables, even if the term is simpler.
    fn said(
        &mut self,
        pool: &TermPool,
        language: &dyn Language,
        literal: Literal,
        term: Term,
    ) -> Result<Span, Reason> {
        let mut span = self.spans.of(pool, term);
        if let Some(premise) = language.premise(Reason32::new(literal.index())) {
            for (variable, _) in premise.form.entries() {
                let variable = number::term(language, *variable)?;
                let known = self.spans.of(pool, variable);
                span = self.spans.meet(span, known);
            }
        }
        Ok(span)
    }

    fn new_atom(&mut self, pool: &TermPool, term: Term) -> Option<Atom> {
        let span = self.spans.of(pool, term);
        self.owner(span).map(|owner| Atom { term, span, owner })
    }
}

/// The terms of the literals of a step, and of their arithmetic variables.
fn said(pool: &mut TermPool, language: &mut dyn Language, step: &Step) -> Vec<Term> {
    let mut terms: Vec<Term> =
        step.literals.iter().filter_map(|literal| language.term(pool, literal.variable())).collect();
    for literal in &step.literals {
        if let Some(premise) = language.premise(Reason32::new(literal.index())) {
            terms.extend(premise.form.entries().iter().filter_map(|entry| language.number(entry.0)));
        }
    }
    terms
}

/// The reasons that a certificate uses.
fn reasons(certificate: &Certificate) -> Vec<u32> {
    match certificate {
        Certificate::Equality(certificate) => {
            let last = match &certificate.contradiction {
                euf::Contradiction::Disequality { reason, .. } => Some(*reason),
                euf::Contradiction::Values { .. } => None,
            };
            let facts = certificate.steps.iter().filter_map(|step| match step {
                euf::Step::Fact { reason, .. } => Some(*reason),
                euf::Step::Congruence { .. } => None,
            });
            facts.chain(last).collect()
        }
        Certificate::Arithmetic(arith::Certificate::Farkas(premises))
        | Certificate::Arithmetic(arith::Certificate::Cut(arith::Cut { premises, .. })) => {
            premises.iter().map(|premise| premise.reason.0).collect()
        }
        Certificate::Arithmetic(arith::Certificate::Diophantine(premises)) => {
            premises.iter().flat_map(|premise| [premise.lower.0, premise.upper.0]).collect()
        }
        Certificate::Arithmetic(arith::Certificate::Branch { .. }) => Vec::new(),
    }
}
