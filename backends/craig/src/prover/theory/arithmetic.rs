//! Integration of arithmetic into the search.
//!
//! # Idea
//! As in Dutertre, de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006, a literal of
//! an inequality asserts a bound with itself as the reason. When unit propagation is complete, the
//! simplex searches for a model of the bounds and for implied atoms, which are explained
//! immediately. Once all variables are assigned, the integers are checked. A step that they require
//! is a new atom: a cut with the lemma that implies it, or a branch. A branch needs no lemma: the
//! atom is decided either way, and its upper bound is the negation of the lower one.
//!
//! Numbers agree with the closure as bit vectors do (`words`): two nodes of one class with
//! different values, and arguments with equal values of applications with different results, get an
//! equality atom, which is equivalent to two bounds. No lemma therefore mixes both theories. Before
//! equal values count as equality, the model is moved to separate them.
//!
//! # Certificates
//! Each arithmetic lemma has an [`arith::Certificate`]. [`Combination::check_arithmetic`] checks it
//! by the meaning of literals, without the tableau.
//!
//! # Limits
//! The search may diverge on unbounded integers; a check gives up after [`BRANCHES`] branches.

use super::numbers::reason32;
use super::partition::Pure;
use super::words::Definitions;
use super::{AtomKind, Combination, Lemma, literal};
use crate::prover::arith::integers::{Anything, Config, Purity};
use crate::prover::arith::{
    self, Certificate, Cut, DeltaRational, Feasibility, IntegerCheck, Integers, Kind, Multiplier, Premise,
    Rational, Reason32, Relation, Side, Var,
};
use crate::prover::euf::Node;
use crate::prover::sat::{Consequences, FinalCheck, Literal, Variable};
use backends::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of branches per check; the maximum number of cuts is half of it.
pub const BRANCHES: usize = 20_000;

/// The storage of certificates of arithmetic lemmas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certificates {
    /// Kept as long as the theories.
    #[default]
    Kept,
    /// Dropped immediately.
    Dropped,
}

impl Combination {
    /// Begins a check with these limits.
    pub fn begin_check(&mut self, limits: &Limits) {
        self.numbers.limits = limits.clone();
        self.numbers.stopped = None;
        let config = Config { branches: BRANCHES, cuts: BRANCHES / 2, ..Config::default() };
        self.numbers.integers = Integers::new(config);
    }

    /// Asserts the bound of a literal.
    pub(super) fn assert_bound(&mut self, inequality: super::Inequality, negated: usize, literal: Literal) {
        let numbers = &mut self.numbers;
        let bound = &numbers.bounds[inequality][negated];
        if let Err(certificate) = numbers.simplex.assert_bound(bound, reason32(literal)) {
            numbers.conflict.get_or_insert((self.levels.len(), certificate));
        }
    }

    /// Retracts the bounds asserted at levels above `level`.
    pub(super) fn backtrack_numbers(&mut self, level: usize) {
        let numbers = &mut self.numbers;
        numbers.simplex.backtrack(level);
        numbers.conflict.take_if(|(at, _)| *at > level);
        numbers.stopped = None;
    }

    /// Runs the simplex and turns its answers into lemmas.
    pub(super) fn propagate_numbers(&mut self, lemmas: &mut Vec<(Vec<Literal>, u32)>) {
        let numbers = &mut self.numbers;
        if let Some((_, certificate)) = numbers.conflict.clone() {
            lemmas.push(self.arithmetic_lemma(certificate, None));
            return;
        }
        match numbers.simplex.check(&numbers.limits) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(certificate) => {
                lemmas.push(self.arithmetic_lemma(certificate, None));
                return;
            }
            Feasibility::Unknown(reason) => {
                numbers.stopped = Some(reason);
                return;
            }
        }
        let mut seen = FxHashSet::default();
        for implied in numbers.simplex.propagate() {
            let literal = literal(implied.literal.0);
            if self.values[literal.variable()].is_some() || !seen.insert(literal) {
                continue;
            }
            if let Some(certificate) = self.numbers.simplex.certificate(&implied, reason32(!literal)) {
                lemmas.push(self.arithmetic_lemma(certificate, None));
            }
        }
    }

    /// Checks whether the integers are integral in the model, which satisfies all bounds, and adds
    /// cuts or a branch if not.
    pub(super) fn check_integers(
        &mut self,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck {
        if let Some(reason) = &self.numbers.stopped {
            return FinalCheck::Unknown(reason.clone());
        }
        if let Some(partition) = &mut self.partition {
            self.numbers.place_inequalities(partition);
        }
        let atoms = &self.atoms;
        let inequality_of = |reason: Reason32| {
            let mut kinds = atoms[literal(reason.0).variable()].iter().map(|atom| atom.kind);
            kinds.find_map(|kind| match kind {
                AtomKind::Bound(inequality) => Some(inequality),
                _ => None,
            })
        };
        let pure = self.partition.as_ref().map(|partition| Pure::new(partition, &inequality_of));
        let purity: &dyn Purity = match &pure {
            Some(pure) => pure,
            None => &Anything,
        };
        let numbers = &mut self.numbers;
        match numbers.integers.check(&mut numbers.simplex, &numbers.limits, purity) {
            IntegerCheck::Consistent => return FinalCheck::Consistent,
            IntegerCheck::Unknown(reason) => return FinalCheck::Unknown(reason),
            IntegerCheck::Infeasible(certificate) => {
                consequences.lemmas.push(self.arithmetic_lemma(certificate, None));
            }
            IntegerCheck::Cuts(cuts) => {
                for cut in cuts {
                    let limit = DeltaRational::from(cut.bound.clone());
                    let bound = self.numbers.simplex.bound(&cut.form, Side::Upper, &limit);
                    let literal = bound.and_then(|bound| {
                        let mut sink = Definitions { fresh, lemmas: &mut consequences.lemmas };
                        let signal = self.inequality(&bound, &mut sink);
                        self.encoder.known_literal(signal)
                    });
                    consequences.lemmas.push(self.arithmetic_lemma(Certificate::Cut(cut), literal));
                }
            }
            IntegerCheck::Branch(branch) => {
                if let Some(partition) = &mut self.partition {
                    partition.count_branch();
                }
                let (variable, side) = (branch.variable, Side::Upper);
                let bound = arith::Bound { variable, side, value: branch.floor.into() };
                let mut sink = Definitions { fresh, lemmas: &mut consequences.lemmas };
                let signal = self.inequality(&bound, &mut sink);
                consequences.decisions.extend(self.encoder.known_literal(signal));
            }
        }
        FinalCheck::Continue
    }

    /// Pairs of equal nodes with different values.
    pub(super) fn unequal_numbers(&self) -> Vec<(Node, Node)> {
        let mut first: FxHashMap<Node, (Node, DeltaRational)> = FxHashMap::default();
        let mut pairs = Vec::new();
        for &node in self.numbers.nodes.keys() {
            let Some(value) = self.numbers.value(node) else { continue };
            let (one, expected) = first.entry(self.representative(node)).or_insert((node, value.clone()));
            if *expected != value {
                pairs.push((*one, node));
            }
        }
        pairs
    }

    /// Moves the model so that fewer of these nodes have equal values. Returns whether it moved.
    pub(super) fn separate(&mut self, pairs: &[(Node, Node)]) -> bool {
        let numbers = &mut self.numbers;
        let mut interface: Vec<Var> =
            pairs.iter().flat_map(|&(a, b)| [a, b]).flat_map(|node| numbers.variables(node)).collect();
        interface.sort_unstable();
        interface.dedup();
        !interface.is_empty() && numbers.simplex.separate(&interface) > 0
    }

    /// The lemma that not all bounds of a certificate hold, or that `conclusion` does.
    fn arithmetic_lemma(
        &mut self,
        certificate: Certificate,
        conclusion: Option<Literal>,
    ) -> (Vec<Literal>, u32) {
        let mut literals: Vec<Literal> =
            reasons(&certificate).into_iter().map(|reason| !literal(reason.0)).collect();
        literals.extend(conclusion);
        literals.sort_unstable();
        literals.dedup();
        let number = self.numbers.certificates.len();
        if self.certificates == Certificates::Kept {
            self.numbers.certificates.push(certificate);
        }
        let number = u32::try_from(number).expect("there are fewer than 2^31 lemmas");
        (literals, Lemma::Arithmetic(number).number())
    }

    /// The certificate of an arithmetic lemma, by number. `None` if certificates are
    /// [dropped](Certificates::Dropped).
    pub fn arithmetic_certificate(&self, number: u32) -> Option<&Certificate> {
        self.numbers.certificates.get(number as usize)
    }

    /// Checks an arithmetic lemma by its certificate.
    ///
    /// # Errors
    /// The defect.
    pub fn check_arithmetic(&self, lemma: &[Literal], number: u32) -> Result<(), WrongLemma> {
        let certificate = self.arithmetic_certificate(number).ok_or(WrongLemma::Unknown(number))?;
        let denied = |reason: Reason32| lemma.contains(&!literal(reason.0));
        if let Some(reason) = reasons(certificate).into_iter().find(|&reason| !denied(reason)) {
            return Err(WrongLemma::Missing(literal(reason.0)));
        }
        arith::check(certificate, &Said { theory: self, cut: None })?;
        match certificate {
            Certificate::Farkas(_) | Certificate::Diophantine(_) => Ok(()),
            Certificate::Branch { .. } => Err(WrongLemma::Conclusion),
            Certificate::Cut(cut) => {
                let is_concluded = lemma.iter().any(|&literal| self.follows(cut, literal));
                if is_concluded { Ok(()) } else { Err(WrongLemma::Conclusion) }
            }
        }
    }

    /// The bound of a literal, over variables with terms.
    pub fn premise(&self, literal: Literal) -> Option<Premise> {
        self.bound(literal).map(|bound| self.numbers.simplex.premise(bound))
    }

    /// Whether a cut implies a literal: the cut contradicts the negation of the literal, or is
    /// contradictory itself.
    fn follows(&self, cut: &Cut, literal: Literal) -> bool {
        let said = Said { theory: self, cut: Some(cut) };
        let own = Multiplier { coefficient: Rational::ONE, side: Side::Upper, reason: CUT };
        let negation = Multiplier {
            coefficient: cut.form.content(),
            side: match arith::Premises::premise(&said, reason32(!literal)) {
                Some(Premise { relation: Relation::AtLeast | Relation::Greater, .. }) => Side::Lower,
                Some(_) => Side::Upper,
                None => return false,
            },
            reason: reason32(!literal),
        };
        arith::check(&Certificate::Farkas(vec![own, negation]), &said).is_ok()
    }
}

/// The reasons that a certificate uses.
fn reasons(certificate: &Certificate) -> Vec<Reason32> {
    match certificate {
        Certificate::Farkas(premises) | Certificate::Cut(Cut { premises, .. }) => {
            premises.iter().map(|multiplier| multiplier.reason).collect()
        }
        Certificate::Diophantine(equations) => {
            equations.iter().flat_map(|equation| [equation.lower, equation.upper]).collect()
        }
        Certificate::Branch { .. } => Vec::new(),
    }
}

/// A defect of an arithmetic lemma.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongLemma {
    /// There is no certificate.
    #[error("there is no certificate with number {0}")]
    Unknown(u32),
    /// The lemma does not contain the negation of a bound that the certificate uses.
    #[error("the lemma lacks the negation of {0}")]
    Missing(Literal),
    /// The lemma lacks the conclusion of the certificate.
    #[error("the lemma lacks the conclusion of the certificate")]
    Conclusion,
    /// The certificate is invalid.
    #[error(transparent)]
    Flaw(#[from] arith::Flaw),
}

/// The premises of literals, and optionally of a cut.
struct Said<'a> {
    theory: &'a Combination,
    cut: Option<&'a Cut>,
}

/// The reason of a cut.
const CUT: Reason32 = Reason32(u32::MAX);

impl arith::Premises for Said<'_> {
    fn premise(&self, reason: Reason32) -> Option<Premise> {
        if let (CUT, Some(Cut { form, bound, .. })) = (reason, self.cut) {
            let (form, constant) = (form.clone(), bound.clone());
            return Some(Premise { form, relation: Relation::AtMost, constant });
        }
        self.theory.premise(literal(reason.0))
    }

    fn kind(&self, variable: Var) -> Kind {
        self.theory.numbers.simplex.kind(variable)
    }
}
