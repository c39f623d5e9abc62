//! Arithmetic lemmas with premises of several parts.
//!
//! # Idea
//! A certificate is a sum. At a cut, the interpolant is the sum of the summands inside: the inside
//! entails it, it contradicts the sum of the others, and it contains only shared variables, because
//! the variables of one side cancel out. The sums of the children and of the node itself add up to
//! that of the node, so the result is a tree interpolant.
//!
//! | certificate | interpolant |
//! |---|---|
//! | Farkas | the sum, an inequality (McMillan, *An Interpolating Theorem Prover*, 2005) |
//! | Diophantine | the sum of equalities modulo 1: variables of one side have integral coefficients and drop out (Jain, Clarke, Grumberg, *Efficient Craig Interpolation for Linear Diophantine (Dis)Equations and Linear Modular Equations*, CAV 2008) |
//!
//! An equality that consists of two bounds gets an atom of its own, because the bounds may belong
//! to different parts.
//!
//! # Limits
//! A rounded sum is not the sum of rounded summands. Integer cuts whose premises have no common
//! part are therefore reported as mixed, and their names are widened (`span`).

use super::derivation::{Derivation, Local};
use super::span::{Span, Spans};
use super::{Language, mixed};
use crate::prover::arith::{
    Certificate, Combination, EquationMultiplier, Kind, Multiplier, Premise, Premises, Rational, Reason32,
    Relation, Var, check, combine, combine_equations,
};
use crate::prover::sat::Literal;
use backends::Reason;
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{Sort, Term, TermPool};

/// A lemma as a sum.
pub(super) struct Sum {
    kind: SumKind,
    summands: Vec<Summand>,
    /// For lookup only.
    variables: FxHashMap<Var, (Term, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SumKind {
    /// Inequalities `form ≤ constant` or `form < constant`.
    Inequalities,
    /// Integer equations `form = constant`.
    Equations,
}

struct Summand {
    owner: usize,
    form: Combination,
    constant: Rational,
    is_strict: bool,
}

/// Adds the local proof of a lemma, or of a subset of its literals. Returns its last step.
pub(super) fn lemma(
    pool: &mut TermPool,
    derivation: &mut Derivation,
    language: &dyn Language,
    certificate: &Certificate,
) -> Result<u32, Reason> {
    let premises = Owned { pool, language };
    check(certificate, &premises).map_err(|flaw| wrong(&flaw))?;
    match certificate {
        Certificate::Farkas(multipliers) => {
            let sum = inequalities(pool, derivation, language, multipliers)?;
            Ok(derivation.push(Local::Sum(sum)))
        }
        Certificate::Diophantine(multipliers) => equations(pool, derivation, language, multipliers),
        Certificate::Cut(_) => Err(mixed("cut of integers")),
        Certificate::Branch { .. } => Err(mixed("branch")),
    }
}

/// The sum of the summands inside, as a formula.
pub(super) fn interpolant(
    pool: &mut TermPool,
    spans: &Spans,
    sum: &Sum,
    cut: usize,
    is_inside: &[bool],
) -> Result<Term, Reason> {
    let (mut form, mut constant, mut is_strict) = (Combination::zero(), Rational::ZERO, false);
    for summand in sum.summands.iter().filter(|summand| is_inside[summand.owner]) {
        form.add_scaled(&Rational::ONE, &summand.form);
        constant += &summand.constant;
        is_strict |= summand.is_strict;
    }
    if sum.kind == SumKind::Equations {
        let rest = |(variable, coefficient): &(Var, Rational)| {
            let is_integer =
                sum.variables.get(variable).is_some_and(|&(term, _)| pool.sort(term) == Sort::Int);
            (*variable, if is_integer { coefficient.fraction() } else { coefficient.clone() })
        };
        form = form.entries().iter().map(rest).collect();
    }
    let mut terms = Vec::with_capacity(form.len());
    for (variable, coefficient) in form.entries() {
        let &(term, span) = sum
            .variables
            .get(variable)
            .ok_or_else(|| Reason::Fault(format!("{variable} is not a variable of the sum")))?;
        if !spans.is_shared(span, cut) {
            return Err(mixed("sum"));
        }
        terms.push((coefficient.clone(), term));
    }
    match sum.kind {
        SumKind::Inequalities => Ok(inequality(pool, &terms, &form.content(), &constant, is_strict)),
        SumKind::Equations => congruence(pool, &terms, &constant),
    }
}

fn inequalities(
    pool: &TermPool,
    derivation: &mut Derivation,
    language: &dyn Language,
    multipliers: &[Multiplier],
) -> Result<Sum, Reason> {
    let mut sum = Sum { kind: SumKind::Inequalities, summands: Vec::new(), variables: FxHashMap::default() };
    for multiplier in multipliers {
        let owner = derivation.atom(literal(multiplier.reason).variable()).owner;
        let premises = Owned { pool, language };
        let premise = combine(std::slice::from_ref(multiplier), &premises).map_err(|flaw| wrong(&flaw))?;
        sum.add(pool, derivation, language, owner, premise)?;
    }
    Ok(sum)
}

fn equations(
    pool: &mut TermPool,
    derivation: &mut Derivation,
    language: &dyn Language,
    multipliers: &[EquationMultiplier],
) -> Result<u32, Reason> {
    let mut sum = Sum { kind: SumKind::Equations, summands: Vec::new(), variables: FxHashMap::default() };
    let mut rest: Vec<(Literal, u32)> = Vec::new();
    for multiplier in multipliers {
        let (lower, upper) = (literal(multiplier.lower), literal(multiplier.upper));
        let premises = Owned { pool, language };
        let premise =
            combine_equations(std::slice::from_ref(multiplier), &premises).map_err(|flaw| wrong(&flaw))?;
        let equation = if lower == upper {
            lower
        } else {
            let term = equation(pool, language, &premise)?;
            let equation = derivation.literal_of(pool, term).ok_or_else(|| mixed("equation"))?;
            if !rest.iter().any(|&(pivot, _)| pivot == !equation) {
                let axiom = derivation.valid(&[!lower, !upper, equation])?;
                rest.push((!equation, axiom.ok_or_else(|| mixed("equation"))?));
            }
            equation
        };
        let owner = derivation.atom(equation.variable()).owner;
        sum.add(pool, derivation, language, owner, premise)?;
    }
    let first = derivation.push(Local::Sum(sum));
    Ok(if rest.is_empty() { first } else { derivation.push(Local::Chain { first, rest }) })
}

impl Sum {
    fn add(
        &mut self,
        pool: &TermPool,
        derivation: &mut Derivation,
        language: &dyn Language,
        owner: usize,
        premise: Premise,
    ) -> Result<(), Reason> {
        let Premise { form, relation, constant } = premise;
        for &(variable, _) in form.entries() {
            let term = term(language, variable)?;
            let span = derivation.spans.of(pool, term);
            self.variables.insert(variable, (term, span));
        }
        self.summands.push(Summand { owner, form, constant, is_strict: relation == Relation::Less });
        Ok(())
    }
}

/// `Σ terms ≤ constant`, or `<`; `content` is the greatest common divisor of the coefficients.
fn inequality(
    pool: &mut TermPool,
    terms: &[(Rational, Term)],
    content: &Rational,
    constant: &Rational,
    is_strict: bool,
) -> Term {
    if terms.is_empty() {
        return pool.bool(constant.is_positive() || constant.is_zero() && !is_strict);
    }
    let factor = content.recip();
    let (sum, sort) = linear(pool, terms, &factor);
    let mut bound = constant * &factor;
    let mut is_strict = is_strict;
    if sort == Sort::Int {
        // Rounds the bound here: the constant of an integer comparison must be an integer.
        let floor = bound.floor();
        bound = if is_strict && floor == bound { &floor - &Rational::ONE } else { floor };
        is_strict = false;
    }
    let bound = pool.number(sort, &bound.to_big());
    if is_strict { pool.lt(sum, bound) } else { pool.le(sum, bound) }
}

/// The formula that `Σ terms - constant` is an integer.
fn congruence(pool: &mut TermPool, terms: &[(Rational, Term)], constant: &Rational) -> Result<Term, Reason> {
    if terms.is_empty() {
        return Ok(pool.bool(constant.is_integer()));
    }
    if terms.iter().any(|&(_, term)| pool.sort(term) != Sort::Int) {
        return Err(mixed("equation of reals and integers"));
    }
    let mut unit = Rational::ONE;
    for coefficient in terms.iter().map(|(coefficient, _)| coefficient).chain([constant]) {
        unit = unit.gcd(coefficient);
    }
    let modulus = unit.recip();
    let (sum, sort) = linear(pool, terms, &modulus);
    let shift = pool.number(sort, &(constant * &modulus).to_big());
    let modulus = pool.number(sort, &modulus.to_big());
    let difference = pool.sub(sum, shift);
    let remainder = pool.int_mod(difference, modulus);
    let zero = pool.int(0);
    Ok(pool.eq(remainder, zero))
}

/// The equation of a premise.
fn equation(pool: &mut TermPool, language: &dyn Language, premise: &Premise) -> Result<Term, Reason> {
    let mut terms = Vec::with_capacity(premise.form.len());
    for (variable, coefficient) in premise.form.entries() {
        terms.push((coefficient.clone(), term(language, *variable)?));
    }
    if terms.is_empty() {
        return Ok(pool.bool(premise.constant.is_zero()));
    }
    let factor = premise.form.content().recip();
    let (sum, sort) = linear(pool, &terms, &factor);
    let constant = &premise.constant * &factor;
    if sort == Sort::Int && !constant.is_integer() {
        return Ok(pool.fls());
    }
    let constant = pool.number(sort, &constant.to_big());
    Ok(pool.eq(sum, constant))
}

/// `factor · Σ terms` with its sort: `Int` if all terms are integers, in which case `factor` times
/// each coefficient must be an integer, too.
pub(super) fn linear(pool: &mut TermPool, terms: &[(Rational, Term)], factor: &Rational) -> (Term, Sort) {
    let is_of_integers = terms.iter().all(|&(_, term)| pool.sort(term) == Sort::Int);
    let sort = if is_of_integers { Sort::Int } else { Sort::Real };
    let mut summands = Vec::with_capacity(terms.len());
    for (coefficient, term) in terms {
        let needs_lift = sort == Sort::Real && pool.sort(*term) == Sort::Int;
        let term = if needs_lift { pool.to_real(*term) } else { *term };
        let coefficient = pool.number(sort, &(coefficient * factor).to_big());
        summands.push(pool.mul(coefficient, term));
    }
    (pool.add(&summands), sort)
}

/// The premises of a language, with the kinds of variables from their sorts.
struct Owned<'a> {
    pool: &'a TermPool,
    language: &'a dyn Language,
}

impl Premises for Owned<'_> {
    fn premise(&self, reason: Reason32) -> Option<Premise> {
        self.language.premise(reason)
    }

    fn kind(&self, variable: Var) -> Kind {
        match self.language.number(variable).map(|term| self.pool.sort(term)) {
            Some(Sort::Int) => Kind::Int,
            _ => Kind::Real,
        }
    }
}

/// The term of an arithmetic variable.
pub(super) fn term(language: &dyn Language, variable: Var) -> Result<Term, Reason> {
    let term = language.number(variable);
    term.ok_or_else(|| Reason::Unsupported("interpolation: an arithmetic variable without a term".to_owned()))
}

/// The literal of a reason.
fn literal(reason: Reason32) -> Literal {
    Literal::from_index(reason.index())
}

fn wrong(flaw: &crate::prover::arith::Flaw) -> Reason {
    Reason::Fault(format!("arithmetic certificate: {flaw}"))
}
