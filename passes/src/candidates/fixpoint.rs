//! The strongest inductive invariants that conjunctions of templates can express.
//!
//! *Idea.* Models alone suffice to compute the best transformer of an abstract domain (Reps, Sagiv,
//! Yorsh, *Symbolic implementation of the best transformer*, VMCAI 2004): starting from the empty
//! set of states, query for a state that a transition reaches from the invariant at its start and
//! that is not in the invariant at its end; join it; repeat. A conjunction over a finite set of
//! candidates is such a domain, in which joining a state drops the candidates that are false in it.
//! This is Houdini (Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001),
//! started from below. The domain here is the product of
//!
//! * affine hulls of the variables of each sort ([`affine`]),
//! * the congruences `x = r (mod m)` of each integer,
//! * the [candidates](super::templates), which are made from the first state.
//!
//! DIVERGENCE: Houdini starts with all candidates of all relations and drops those that fail from
//! an arbitrary state. Started from below, each state in a query is reachable under the invariants
//! so far, candidates can depend on the first state, and the result is the least fixpoint of the
//! product, in which each component strengthens the others.
//!
//! *Termination.* Each answer drops a candidate, raises the dimension of a hull (over bit vectors,
//! halves the index of a lattice), or yields a proper divisor of a modulus. Candidates whose query
//! times out are dropped: a weaker conjunction is an invariant as well.
//!
//! A disjunction is omitted from queries while one of its disjuncts is a candidate itself.
//!
//! *Cost.* One query for each such answer and for each transition whose premise changed; each query
//! contains the formula of one transition.

use super::templates::{Material, Templates};
use super::{Invariants, scoped};
use backends::symbolic::affine::{self, Hull};
use backends::{Limits, Model, Outcome, Prover, Reason};
use horn::{Clause, ClauseData, Relation, System};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Op, Sort, Term, TermPool, Value};

/// The largest number of variables of one sort in a hull; further variables are ignored.
const MAX_HULL: usize = 48;
/// The largest number of candidates in one query: a disjunction of many negated comparisons is
/// harder than each of them.
const PART: usize = 40;

/// The abstraction of the reachable states of a relation.
#[derive(Clone, Debug)]
struct Element {
    hulls: Vec<Hull>,
    residues: Vec<Residue>,
    candidates: Vec<Term>,
}

/// `variable = residue (mod modulus)`; for a single state the modulus is 0.
#[derive(Clone, Debug)]
struct Residue {
    variable: Term,
    modulus: BigInt,
    residue: BigInt,
}

/// Computes the strongest conjunctions over the templates that are inductive together.
///
/// Candidates whose query times out are dropped. Afterwards the prover has the limits `limits`.
///
/// # Errors
/// The reason why the prover has no answer, or the exceeded limit.
pub fn infer(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
    templates: Templates,
    limits: &Limits,
) -> Result<Invariants, Reason> {
    prover.set_limits(&super::query_limits(limits));
    let inferred = least_fixpoint(pool, prover, system, templates, limits);
    prover.set_limits(limits);
    inferred
}

fn least_fixpoint(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
    templates: Templates,
    limits: &Limits,
) -> Result<Invariants, Reason> {
    let material = Material::of(pool, system);
    let mut elements: SecondaryMap<Relation, Option<Element>> = SecondaryMap::new();
    let mut waiting: BTreeSet<Clause> = system.rules().map(|(clause, _)| clause).collect();
    while let Some(clause) = waiting.pop_first() {
        let clause = &system.clauses[clause];
        let Some(to) = clause.to() else { continue };
        let premise = match clause.from().map(|from| &elements[from]) {
            Some(Some(start)) => start.conjuncts(pool),
            Some(None) => continue,
            None => Vec::new(),
        };
        let mut end = elements[to].take();
        let grown = scoped(prover, |prover| {
            prover.assert(pool, clause.constraint)?;
            for conjunct in premise {
                prover.assert(pool, conjunct)?;
            }
            let variables: Vec<Term> = system.relations[to].symbols().collect();
            grow(
                pool,
                prover,
                clause,
                &variables,
                &mut end,
                &mut |pool, values| material.candidates(pool, templates, &variables, values),
                limits,
            )
        });
        elements[to] = end;
        if grown? {
            let next = system.rules().filter(|(_, next)| next.from() == Some(to));
            waiting.extend(next.map(|(clause, _)| clause));
        }
    }
    let mut at = PrimaryMap::new();
    for relation in system.relations.keys() {
        at.push(match &elements[relation] {
            Some(element) => element.conjuncts(pool),
            None => vec![pool.fls()],
        });
    }
    Ok(Invariants { at })
}

/// Joins successor states of the asserted transition until the element contains all of them.
/// Returns whether the element changed.
fn grow(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    clause: &ClauseData,
    variables: &[Term],
    end: &mut Option<Element>,
    make: &mut dyn FnMut(&mut TermPool, &[Value]) -> Vec<Term>,
    limits: &Limits,
) -> Result<bool, Reason> {
    let mut has_grown = false;
    // A conjunct proved for all successors also holds of the states joined later.
    let mut shown = Shown::Nothing;
    loop {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let (conjuncts, next) = match end {
            Some(element) => match element.to_show(pool, shown) {
                Some(part) => part,
                None => return Ok(has_grown),
            },
            None => (vec![pool.fls()], Shown::Nothing),
        };
        let conclusion = pool.and(&conjuncts);
        let conclusion = clause.at_head(pool, conclusion);
        let query = pool.not(conclusion);
        match prover.check(pool, &[query]) {
            Outcome::Unsat(_) if end.is_none() => return Ok(has_grown),
            Outcome::Unsat(_) => shown = next,
            Outcome::Unknown(Reason::Timeout) if limits.exceeded().is_none() && shown.is_candidates() => {
                has_grown = true;
                if let Some(element) = end {
                    element.candidates.retain(|candidate| !conjuncts.contains(candidate));
                }
            }
            Outcome::Unknown(reason) => return Err(reason),
            Outcome::Sat(mut model) => {
                has_grown = true;
                match end {
                    Some(element) => {
                        if !element.join(pool, &mut *model, clause)? {
                            return Err(Reason::Fault(
                                "the model satisfies the negation of a formula that it makes true".to_owned(),
                            ));
                        }
                    }
                    None => *end = Some(Element::of(pool, &mut *model, clause, variables, make)?),
                }
            }
        }
    }
}

/// The part of an element that is proved for all successors of a transition.
#[derive(Clone, Copy)]
enum Shown {
    Nothing,
    /// Hulls, residues, and so many candidates from the first on.
    Candidates(usize),
}

impl Shown {
    fn is_candidates(self) -> bool {
        matches!(self, Shown::Candidates(_))
    }
}

/// Evaluates terms over the state at the end of a transition.
fn values(
    pool: &mut TermPool,
    model: &mut dyn Model,
    clause: &ClauseData,
    terms: &[Term],
) -> Result<Vec<Value>, Reason> {
    let terms: Vec<Term> = terms.iter().map(|&term| clause.at_head(pool, term)).collect();
    model.eval_all(pool, &terms)
}

impl Element {
    /// The abstraction of a single state.
    fn of(
        pool: &mut TermPool,
        model: &mut dyn Model,
        clause: &ClauseData,
        variables: &[Term],
        make: &mut dyn FnMut(&mut TermPool, &[Value]) -> Vec<Term>,
    ) -> Result<Self, Reason> {
        let is_read = |&variable: &Term| {
            matches!(pool.sort(variable), Sort::Bool) || affine::has_hull(pool.sort(variable))
        };
        let read: Vec<Term> = variables.iter().copied().filter(is_read).collect();
        let point = values(pool, model, clause, &read)?;
        let mut known = read.iter().copied().zip(point.iter().cloned());
        let all: Vec<Value> = variables
            .iter()
            .map(|variable| match read.contains(variable) {
                true => known.next().map_or(Value::Bool(false), |(_, value)| value),
                // Candidates never use this sort.
                false => Value::Bool(false),
            })
            .collect();
        let mut groups: Vec<(Sort, Vec<Term>, Vec<Value>)> = Vec::new();
        let mut residues = Vec::new();
        for (&variable, value) in read.iter().zip(&point) {
            let sort = pool.sort(variable);
            if let Value::Int(value) = value {
                residues.push(Residue { variable, modulus: BigInt::zero(), residue: value.clone() });
            }
            if !affine::has_hull(sort) {
                continue;
            }
            match groups.iter_mut().find(|group| group.0 == sort) {
                Some(group) if group.1.len() >= MAX_HULL => {}
                Some(group) => {
                    group.1.push(variable);
                    group.2.push(value.clone());
                }
                None => groups.push((sort, vec![variable], vec![value.clone()])),
            }
        }
        let hulls =
            groups.into_iter().filter_map(|(sort, variables, point)| Hull::new(sort, variables, &point));
        let made = make(pool, &all);
        let holds = values(pool, model, clause, &made)?;
        let candidates = made.into_iter().zip(holds).filter(|(_, value)| *value == Value::Bool(true));
        Ok(Element {
            hulls: hulls.collect(),
            residues,
            candidates: candidates.map(|(term, _)| term).collect(),
        })
    }

    /// Joins the state of a model. Returns whether the element changed.
    fn join(
        &mut self,
        pool: &mut TermPool,
        model: &mut dyn Model,
        clause: &ClauseData,
    ) -> Result<bool, Reason> {
        let mut is_new = false;
        for hull in &mut self.hulls {
            let variables = hull.variables().to_vec();
            is_new |= hull.add(&values(pool, model, clause, &variables)?);
        }
        let variables: Vec<Term> = self.residues.iter().map(|residue| residue.variable).collect();
        for (residue, value) in self.residues.iter_mut().zip(values(pool, model, clause, &variables)?) {
            let Value::Int(value) = value else { continue };
            let modulus = residue.modulus.gcd(&(&residue.residue - value)).abs();
            is_new |= modulus != residue.modulus;
            residue.modulus = modulus;
        }
        self.residues.retain(|residue| !residue.modulus.is_one());
        let before = self.candidates.len();
        let mut holds = values(pool, model, clause, &self.candidates)?.into_iter();
        self.candidates.retain(|_| holds.next() == Some(Value::Bool(true)));
        Ok(is_new || self.candidates.len() < before)
    }

    /// The next conjuncts to prove, and the proved part after that; `None` if everything is proved.
    fn to_show(&self, pool: &mut TermPool, shown: Shown) -> Option<(Vec<Term>, Shown)> {
        let Shown::Candidates(first) = shown else {
            return Some((self.computed(pool), Shown::Candidates(0)));
        };
        let (mut part, mut next) = (Vec::new(), first);
        let own: FxHashSet<Term> = self.candidates.iter().copied().collect();
        while next < self.candidates.len() && part.len() < PART {
            let candidate = self.candidates[next];
            if !is_redundant(pool, &own, candidate) {
                part.push(candidate);
            }
            next += 1;
        }
        (first < self.candidates.len()).then_some((part, Shown::Candidates(next)))
    }

    /// The equations and congruences.
    fn computed(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut conjuncts: Vec<Term> = self.hulls.iter().flat_map(|hull| hull.equations(pool)).collect();
        for Residue { variable, modulus, residue } in &self.residues {
            // With modulus 0 the equation is in a hull.
            if !modulus.is_zero() {
                let divisor = pool.int_big(modulus);
                let remainder = pool.int_mod(*variable, divisor);
                let expected = pool.int_big(&residue.mod_floor(modulus));
                conjuncts.push(pool.eq(remainder, expected));
            }
        }
        conjuncts
    }

    fn conjuncts(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut conjuncts = self.computed(pool);
        let own: FxHashSet<Term> = self.candidates.iter().copied().collect();
        conjuncts.extend(self.candidates.iter().filter(|&&candidate| !is_redundant(pool, &own, candidate)));
        conjuncts
    }
}

/// Whether a disjunct of a candidate is a candidate itself.
fn is_redundant(pool: &TermPool, candidates: &FxHashSet<Term>, candidate: Term) -> bool {
    pool.op(candidate) == Op::Or
        && pool.children(candidate).iter().any(|disjunct| candidates.contains(disjunct))
}
