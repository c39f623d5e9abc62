//! Derivations from facts.
//!
//! An engine that finds a system unsatisfiable knows atoms of a derivation, but not always the
//! clauses and the values of their other symbols: a solver may have rewritten the clauses.
//! [`derive()`] finds them again, forward: as long as some instance of a clause has premises that
//! are derived and derives another one of the facts, it becomes a step; the last step is a query.
//!
//! The facts of a linear system may come in the order of the derivation. Then each has the one
//! before it as its premise, so the values of the arguments of a clause are known.
//!
//! # Cost
//! If the facts come in order, at most one small check for each clause and fact. Otherwise a check
//! for each fact, and one for each clause and each round of new facts. A check has a disjunction
//! over the facts of each atom.
//!
//! # Limits
//! All atoms of the derivation must be among the facts.

use backends::{Fact, Limits, Outcome, Prover, ProverFactory, Reason};
use horn::{Atom, Clause, ClauseData, Derivation, Relation, Step, StepData, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Symbol, Term, TermPool, Value};

/// A derivation whose atoms are among `facts`.
///
/// # Errors
/// [`Reason::Incomplete`] if there is no derivation; the exceeded limit or the failure of a prover.
pub fn derive(
    pool: &mut TermPool,
    system: &System,
    facts: &[Fact],
    factory: &dyn ProverFactory,
    limits: &Limits,
) -> Result<Derivation, Reason> {
    if let Some(derivation) = in_order(pool, system, facts, factory, limits)? {
        return Ok(derivation);
    }
    let mut facts_of: BTreeMap<Relation, Vec<&Fact>> = BTreeMap::new();
    for fact in facts {
        facts_of.entry(fact.relation).or_default().push(fact);
    }
    let mut derived: FxHashMap<Relation, BTreeMap<Vec<Value>, Step>> = FxHashMap::default();
    let mut derivation = Derivation::default();
    let mut queries: PrimaryMap<Clause, Option<Query>> = system.clauses.keys().map(|_| None).collect();
    loop {
        let before = derivation.steps.len();
        // Queries first: one ends the search.
        let order = system.queries().chain(system.rules());
        for (clause, data) in order {
            let can_apply = data.body.iter().all(|atom| derived.contains_key(&atom.relation));
            let can_derive = data.to().is_none_or(|head| {
                let known = derived.get(&head).map_or(0, BTreeMap::len);
                facts_of.get(&head).is_some_and(|all| known < all.len())
            });
            if !can_apply || !can_derive {
                continue;
            }
            if queries[clause].is_none() {
                queries[clause] = Some(Query::new(pool, system, clause, &facts_of, factory, limits)?);
            }
            let query = queries[clause].as_mut().expect("just made");
            while let Some(values) = query.next(pool, &derived)? {
                let step = instance(pool, data, clause, values, &derived)?;
                let step = derivation.steps.push(step);
                let Some((relation, values)) = derivation.conclusion(pool, system, step) else {
                    return derivation_of(pool, system, &derivation, step);
                };
                derived.entry(relation).or_default().insert(values, step);
            }
        }
        if derivation.steps.len() == before {
            for fact in facts {
                let is_derived =
                    derived.get(&fact.relation).is_some_and(|known| known.contains_key(&fact.values));
                let Fact { relation, values } = fact;
                let name = &system.relations[*relation].name;
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                tracing::debug!(is_derived, "{name}({})", values.join(", "));
            }
            return Err(Reason::Incomplete("the facts have no derivation of a query".to_owned()));
        }
    }
}

/// The derivation of a linear system in which each fact has the one before it as its premise, if it
/// is one.
fn in_order(
    pool: &mut TermPool,
    system: &System,
    facts: &[Fact],
    factory: &dyn ProverFactory,
    limits: &Limits,
) -> Result<Option<Derivation>, Reason> {
    if !system.is_linear() {
        return Ok(None);
    }
    let mut prover = factory.new_prover("ALL", limits)?;
    let (mut derivation, mut last) = (Derivation::default(), None);
    for index in 0..=facts.len() {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let premise = index.checked_sub(1).map(|index| &facts[index]);
        let conclusion = facts.get(index);
        let mut found = None;
        for (clause, data) in system.clauses.iter() {
            let leads = data.from() == premise.map(|fact| fact.relation)
                && data.to() == conclusion.map(|fact| fact.relation);
            if leads && let Some(values) = between(pool, data, (premise, conclusion), &mut *prover)? {
                found = Some(StepData { clause, values, premises: last.into_iter().collect() });
                break;
            }
        }
        let Some(step) = found else { return Ok(None) };
        last = Some(derivation.steps.push(step));
    }
    Ok(derivation.check(pool, system).is_ok().then_some(derivation))
}

/// The values of an instance of a clause with this premise and this conclusion.
fn between(
    pool: &mut TermPool,
    data: &ClauseData,
    (premise, conclusion): (Option<&Fact>, Option<&Fact>),
    prover: &mut dyn Prover,
) -> Result<Option<FxHashMap<Symbol, Value>>, Reason> {
    let mut values: FxHashMap<Symbol, Value> = FxHashMap::default();
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    for (atom, fact) in data.body.iter().zip(premise).chain(data.head.iter().zip(conclusion)) {
        for (&argument, value) in atom.arguments.iter().zip(&fact.values) {
            let (Op::Symbol(symbol), sort) = (pool.op(argument), pool.sort(argument)) else {
                return Ok(None);
            };
            let Some(image) = value.to_term(pool, sort) else { return Ok(None) };
            images.insert(argument, image);
            if values.insert(symbol, value.clone()).is_some_and(|other| other != *value) {
                return Ok(None);
            }
        }
    }
    let constraint = pool.map_leaves(data.constraint, &mut |_, leaf| images.get(&leaf).copied());
    if constraint == pool.fls() {
        return Ok(None);
    }
    match prover.check(pool, &[constraint]) {
        Outcome::Sat(mut model) => {
            for &inner in &data.inner {
                if let Op::Symbol(symbol) = pool.op(inner) {
                    values.insert(symbol, model.value(pool, symbol)?);
                }
            }
            Ok(Some(values))
        }
        // The search without an order may do without this instance.
        Outcome::Unsat(_) | Outcome::Unknown(_) => Ok(None),
    }
}

/// The steps that `root` needs.
fn derivation_of(
    pool: &TermPool,
    system: &System,
    all: &Derivation,
    root: Step,
) -> Result<Derivation, Reason> {
    let mut needed: FxHashSet<Step> = [root].into_iter().collect();
    let steps: Vec<Step> = all.steps.keys().collect();
    for &step in steps.iter().rev() {
        if needed.contains(&step) {
            needed.extend(&all.steps[step].premises);
        }
    }
    let mut renamed: FxHashMap<Step, Step> = FxHashMap::default();
    let mut derivation = Derivation::default();
    for step in steps.into_iter().filter(|step| needed.contains(step)) {
        let mut data = all.steps[step].clone();
        for premise in &mut data.premises {
            *premise = renamed[premise];
        }
        renamed.insert(step, derivation.steps.push(data));
    }
    derivation.check(pool, system).map_err(|error| Reason::Fault(error.to_string()))?;
    Ok(derivation)
}

fn instance(
    pool: &TermPool,
    data: &ClauseData,
    clause: Clause,
    values: FxHashMap<Symbol, Value>,
    derived: &FxHashMap<Relation, BTreeMap<Vec<Value>, Step>>,
) -> Result<StepData, Reason> {
    let mut step = StepData { clause, values, premises: Vec::with_capacity(data.body.len()) };
    for atom in &data.body {
        let values: Option<Vec<Value>> =
            atom.arguments.iter().map(|&argument| step.value(pool, argument).cloned()).collect();
        let premise = values.and_then(|values| derived.get(&atom.relation)?.get(&values).copied());
        step.premises.push(premise.ok_or_else(|| Reason::Fault("a model without its premise".to_owned()))?);
    }
    Ok(step)
}

/// The facts that an atom may have.
struct Choices {
    relation: Relation,
    /// The values of each fact, with the symbol that excludes it.
    facts: Vec<(Term, Vec<Value>)>,
}

/// The instances of a clause over facts.
struct Query {
    prover: Box<dyn Prover>,
    symbols: Vec<Symbol>,
    body: Vec<Choices>,
    /// None for a query, otherwise one.
    head: Vec<Choices>,
}

impl Query {
    fn new(
        pool: &mut TermPool,
        system: &System,
        clause: Clause,
        facts: &BTreeMap<Relation, Vec<&Fact>>,
        factory: &dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, Reason> {
        let data = &system.clauses[clause];
        let mut prover = factory.new_prover("ALL", limits)?;
        prover.assert(pool, data.constraint)?;
        let mut choices =
            |name: &str, atom: &Atom| Choices::new(pool, &mut *prover, name, atom, &facts[&atom.relation]);
        let body = data.body.iter().enumerate();
        let body = body.map(|(index, atom)| choices(&format!("premise {index}"), atom));
        let body = body.collect::<Result<Vec<_>, _>>()?;
        let head = data.head.iter().map(|atom| choices("conclusion", atom));
        let head = head.collect::<Result<Vec<_>, _>>()?;
        let mut terms: Vec<Term> = vec![data.constraint];
        terms.extend(data.body.iter().chain(&data.head).flat_map(|atom| atom.arguments.iter().copied()));
        let symbols = pool.free_symbols_of(&terms);
        Ok(Query { prover, symbols, body, head })
    }

    /// The values of an instance that derives a new fact.
    fn next(
        &mut self,
        pool: &TermPool,
        derived: &FxHashMap<Relation, BTreeMap<Vec<Value>, Step>>,
    ) -> Result<Option<FxHashMap<Symbol, Value>>, Reason> {
        let is_derived = |relation: Relation, values: &Vec<Value>| {
            derived.get(&relation).is_some_and(|known| known.contains_key(values))
        };
        let mut excluded = Vec::new();
        for Choices { relation, facts } in &self.body {
            let facts = facts.iter().filter(|(_, values)| !is_derived(*relation, values));
            excluded.extend(facts.map(|(marker, _)| *marker));
        }
        for Choices { relation, facts } in &self.head {
            let facts = facts.iter().filter(|(_, values)| is_derived(*relation, values));
            excluded.extend(facts.map(|(marker, _)| *marker));
        }
        match self.prover.check(pool, &excluded) {
            Outcome::Sat(mut model) => {
                let mut values = FxHashMap::default();
                for &symbol in &self.symbols {
                    values.insert(symbol, model.value(pool, symbol)?);
                }
                Ok(Some(values))
            }
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

impl Choices {
    /// Asserts that `atom` is one of `facts`.
    fn new(
        pool: &mut TermPool,
        prover: &mut dyn Prover,
        name: &str,
        atom: &Atom,
        facts: &[&Fact],
    ) -> Result<Self, Reason> {
        let (mut excluded, mut choices) = (Vec::with_capacity(facts.len()), Vec::with_capacity(facts.len()));
        for (index, fact) in facts.iter().enumerate() {
            let marker = pool.symbol(&format!("no {name}.{index}"), Sort::Bool);
            let mut conjuncts = vec![pool.not(marker)];
            conjuncts.extend(equations(pool, &atom.arguments, &fact.values)?);
            choices.push(pool.and(&conjuncts));
            excluded.push((marker, fact.values.clone()));
        }
        let one = pool.or(&choices);
        prover.assert(pool, one)?;
        Ok(Choices { relation: atom.relation, facts: excluded })
    }
}

/// That `arguments` have `values`.
///
/// # Errors
/// If a value has no term.
pub(super) fn equations(
    pool: &mut TermPool,
    arguments: &[Term],
    values: &[Value],
) -> Result<Vec<Term>, Reason> {
    let mut equations = Vec::with_capacity(arguments.len());
    for (&argument, value) in arguments.iter().zip(values) {
        let sort = pool.sort(argument);
        let value = value.to_term(pool, sort);
        let value = value.ok_or_else(|| Reason::Unsupported("a value without a term".to_owned()))?;
        equations.push(pool.eq(argument, value));
    }
    Ok(equations)
}
