//! Projection of a model: a conjunction of literals without the local variables that the model
//! satisfies and that entails the existentially quantified formula.

use super::functions::{self, Step};
use super::{Eliminator, Names, Precision, Scratch, integers};
use crate::{Model, Reason};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use terms::{Assignment, Completion, Evaluator, Op, Sort, Substitution, Term, TermPool, Value};

use super::super::vocabulary::{self, Name};

/// The values of a model, extended to auxiliary variables.
struct Values {
    assignment: Assignment,
    evaluator: Evaluator,
}

impl Values {
    fn of(pool: &TermPool, model: &mut dyn Model, conjuncts: &[Term]) -> Result<Self, Reason> {
        let mut assignment = Assignment::with_completion(Completion::Partial);
        for name in vocabulary::names(pool, conjuncts) {
            match name {
                Name::Symbol(symbol) => assignment.set(symbol, model.value(pool, symbol)?),
                Name::Function(function) => {
                    assignment.set_function(function, model.function(pool, function)?);
                }
            }
        }
        Ok(Values { assignment, evaluator: Evaluator::new() })
    }

    fn value(&mut self, pool: &TermPool, term: Term) -> Option<Value> {
        self.evaluator.eval(pool, term, &self.assignment).ok()
    }

    fn holds(&mut self, pool: &TermPool, term: Term) -> Option<bool> {
        self.value(pool, term)?.as_bool()
    }

    /// Assigns auxiliary variables the values of the terms that they replace.
    fn extend(&mut self, pool: &TermPool, origins: &[(Term, Term)]) {
        for &(variable, origin) in origins {
            if variable != origin
                && let Op::Symbol(symbol) = pool.op(variable)
                && self.assignment.get(symbol).is_none()
                && let Some(value) = self.value(pool, origin)
            {
                self.assignment.set(symbol, value);
                self.evaluator.clear();
            }
        }
    }
}

fn no_projection(what: &str) -> Reason {
    Reason::Unsupported(format!("projection: {what}"))
}

/// A formula without local names that holds in the model and implies `∃ local names. ⋀ conjuncts`.
pub(super) fn project(
    eliminator: &mut Eliminator<'_>,
    pool: &mut TermPool,
    model: &mut dyn Model,
    conjuncts: &[Term],
    names: &Names<'_>,
) -> Result<Term, Reason> {
    let values = Values::of(pool, model, conjuncts)?;
    of_values(eliminator, pool, values, conjuncts, names, Scratch::default())
}

/// Like [`project`], but reads and applications at local arguments may have any value that
/// congruence with the occurring terms permits. Also returns whether there were such applications:
/// then the result need not imply the quantified conjunction.
pub(super) fn project_weaker(
    eliminator: &mut Eliminator<'_>,
    pool: &mut TermPool,
    model: &mut dyn Model,
    conjuncts: &[Term],
    names: &Names<'_>,
) -> Result<(Term, Precision), Reason> {
    let mut values = Values::of(pool, model, conjuncts)?;
    let mut scratch = Scratch::default();
    let mut open = conjuncts.to_vec();
    let precision = match functions::generalize_applications(pool, &mut open, names, &mut scratch.origins) {
        Step::Changed => Precision::Weaker,
        Step::Unchanged => Precision::Exact,
    };
    values.extend(pool, &scratch.origins);
    Ok((of_values(eliminator, pool, values, &open, names, scratch)?, precision))
}

fn of_values(
    eliminator: &mut Eliminator<'_>,
    pool: &mut TermPool,
    mut values: Values,
    conjuncts: &[Term],
    names: &Names<'_>,
    mut scratch: Scratch,
) -> Result<Term, Reason> {
    scratch.open = implicant(pool, &mut values, conjuncts, names, &mut scratch.origins)?;
    // Each round eliminates a variable and introduces finitely many smaller ones.
    loop {
        values.extend(pool, &scratch.origins);
        eliminator.simplify(pool, &mut scratch, names)?;
        values.extend(pool, &scratch.origins);
        // Conjuncts introduced by simplification may need further choices.
        let open = std::mem::take(&mut scratch.open);
        scratch.open = implicant(pool, &mut values, &open, names, &mut scratch.origins)?;
        if scratch.open == open || scratch.open.is_empty() {
            let Some(&variable) = names.local_symbols(pool, &scratch.open).first() else {
                if scratch.open.iter().any(|&term| names.has_local(pool, term)) {
                    return Err(no_projection("a function"));
                }
                break;
            };
            scratch.open = one_variable(pool, &mut values, &scratch.open, variable)?;
        }
    }
    scratch.done.append(&mut scratch.open);
    Ok(pool.and(&scratch.done))
}

fn one_variable(
    pool: &mut TermPool,
    values: &mut Values,
    literals: &[Term],
    variable: Term,
) -> Result<Vec<Term>, Reason> {
    if pool.sort(variable) == Sort::Int {
        let mut value =
            |pool: &TermPool, term: Term| -> Option<BigInt> { values.value(pool, term)?.as_int().cloned() };
        if let Some(projected) = integers::project(pool, literals, variable, &mut value) {
            return Ok(projected);
        }
    }
    // Substitutes the model's value: one of possibly very many.
    let value = values.value(pool, variable).ok_or_else(|| no_projection("no value"))?;
    let sort = pool.sort(variable);
    let value = value.to_term(pool, sort).ok_or_else(|| no_projection("a value without a term"))?;
    let mut substitution = Substitution::sparse();
    substitution.insert(variable, value);
    Ok(literals.iter().map(|&literal| substitution.apply(pool, literal)).collect())
}

/// Literals that hold in the model and imply the conjunction; conjuncts without local names stay
/// unchanged.
fn implicant(
    pool: &mut TermPool,
    values: &mut Values,
    conjuncts: &[Term],
    names: &Names<'_>,
    origins: &mut Vec<(Term, Term)>,
) -> Result<Vec<Term>, Reason> {
    let mut holds_local: FxHashSet<Term> = FxHashSet::default();
    pool.visit(
        conjuncts,
        |_| true,
        |term| {
            if names.is_local_root(pool, term)
                || pool.children(term).iter().any(|child| holds_local.contains(child))
            {
                holds_local.insert(term);
            }
        },
    );
    let mut literals = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<(Term, bool)> = conjuncts.iter().rev().map(|&conjunct| (conjunct, true)).collect();
    let no_value = || no_projection("a formula without a value");
    while let Some((term, polarity)) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if values.holds(pool, term).ok_or_else(no_value)? != polarity {
            return Err(Reason::Fault("wrong model".to_owned()));
        }
        if !holds_local.contains(&term) {
            let literal = if polarity { term } else { pool.not(term) };
            literals.push(literal);
            continue;
        }
        let children = pool.children(term).to_vec();
        match pool.op(term) {
            Op::Not => stack.push((children[0], !polarity)),
            op @ (Op::And | Op::Or) if (op == Op::And) == polarity => {
                stack.extend(children.iter().map(|&child| (child, polarity)));
            }
            Op::And | Op::Or => {
                let mut chosen = None;
                for &child in &children {
                    if values.holds(pool, child).ok_or_else(no_value)? == polarity
                        && (chosen.is_none() || !holds_local.contains(&child))
                    {
                        chosen = Some(child);
                    }
                }
                stack.push((chosen.ok_or_else(no_value)?, polarity));
            }
            Op::Ite => {
                let holds = values.holds(pool, children[0]).ok_or_else(no_value)?;
                stack.push((children[0], holds));
                stack.push((children[if holds { 1 } else { 2 }], polarity));
            }
            Op::Eq | Op::Xor if pool.sort(children[0]) == Sort::Bool => {
                for child in children {
                    let holds = values.holds(pool, child).ok_or_else(no_value)?;
                    stack.push((child, holds));
                }
            }
            Op::Forall | Op::Exists => return Err(no_projection("a quantifier")),
            _ => {
                let atom = choose(pool, values, term, &holds_local, &mut stack, &mut literals, origins)?;
                let literal = literal(pool, values, atom, polarity).ok_or_else(no_value)?;
                literals.push(literal);
            }
        }
    }
    literals.retain(|&literal| literal != pool.tru());
    literals.dedup();
    Ok(literals)
}

/// The atom or its negation; a disequality of numbers becomes the inequality that holds.
fn literal(pool: &mut TermPool, values: &mut Values, atom: Term, polarity: bool) -> Option<Term> {
    if polarity {
        return Some(atom);
    }
    if let (Op::Eq, &[a, b]) = (pool.op(atom), pool.children(atom))
        && matches!(pool.sort(a), Sort::Int | Sort::Real)
    {
        let less = pool.lt(a, b);
        return Some(if values.holds(pool, less)? { less } else { pool.lt(b, a) });
    }
    Some(pool.not(atom))
}

/// The atom without case distinctions and divisions on local variables: an `ite` becomes the branch
/// that the model takes, a remainder the value in the model.
fn choose(
    pool: &mut TermPool,
    values: &mut Values,
    atom: Term,
    holds_local: &FxHashSet<Term>,
    stack: &mut Vec<(Term, bool)>,
    literals: &mut Vec<Term>,
    origins: &mut Vec<(Term, Term)>,
) -> Result<Term, Reason> {
    // A divisibility is already a literal.
    if let (Op::Eq, &[a, b]) = (pool.op(atom), pool.children(atom)) {
        let is_divisibility = |pool: &TermPool, x: Term, y: Term| {
            pool.op(x) == Op::IntMod
                && pool.as_int(y).is_some_and(|zero| *zero == BigInt::ZERO)
                && !has_choice(pool, pool.children(x)[0], holds_local)
        };
        if is_divisibility(pool, a, b) || is_divisibility(pool, b, a) {
            let holds = values.holds(pool, atom).ok_or_else(|| no_projection("a formula without a value"))?;
            if holds {
                return Ok(atom);
            }
        }
    }
    let mut choices = Vec::new();
    pool.visit(
        &[atom],
        |term| holds_local.contains(&term),
        |term| {
            if holds_local.contains(&term) && is_choice(pool, term) {
                choices.push(term);
            }
        },
    );
    let mut substitution = Substitution::sparse();
    for term in choices {
        let children = pool.children(term).to_vec();
        let image = match pool.op(term) {
            Op::Ite => {
                let holds = values.holds(pool, children[0]).ok_or_else(|| no_projection("a condition"))?;
                stack.push((children[0], holds));
                substitution.apply(pool, children[if holds { 1 } else { 2 }])
            }
            op => {
                // t = k·q + r
                let dividend = substitution.apply(pool, children[0]);
                let period = children[1];
                let remainder = pool.int_mod(children[0], period);
                let value = values.value(pool, remainder).and_then(|value| value.as_int().cloned());
                let remainder = pool.int_big(&value.ok_or_else(|| no_projection("a remainder"))?);
                if op == Op::IntMod {
                    let difference = pool.sub(dividend, remainder);
                    let rest = pool.int_mod(difference, period);
                    let zero = pool.int(0);
                    literals.push(pool.eq(rest, zero));
                    remainder
                } else {
                    let quotient = super::solve::fresh(pool, term, origins);
                    values.extend(pool, &origins[origins.len() - 1..]);
                    let product = pool.mul(period, quotient);
                    let sum = pool.add(&[product, remainder]);
                    literals.push(pool.eq(dividend, sum));
                    quotient
                }
            }
        };
        substitution.insert(term, image);
    }
    Ok(substitution.apply(pool, atom))
}

fn is_choice(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::Ite => true,
        Op::IntMod | Op::IntDiv => pool.as_int(pool.children(term)[1]).is_some_and(|k| *k != BigInt::ZERO),
        _ => false,
    }
}

fn has_choice(pool: &TermPool, root: Term, holds_local: &FxHashSet<Term>) -> bool {
    let mut found = false;
    pool.visit(
        &[root],
        |term| holds_local.contains(&term),
        |term| found |= holds_local.contains(&term) && is_choice(pool, term),
    );
    found
}
