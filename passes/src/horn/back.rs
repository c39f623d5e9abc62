//! The way back of a transformation of clauses: models and derivations of the new system as those
//! of the old one.
//!
//! *Models.* Each relation of the old system has a [`Definition`]: its formula from those of the
//! new system.
//!
//! *Derivations.* Each clause of the new system is [made](Made) of clauses of the old one: a copy
//! of a clause, the resolvent of two, one of several, or a clause that is applied several times.
//! The values of the symbols of an old clause are terms over the new clause's symbols. Values that
//! the new clause does not determine, because a pass removed an argument or a symbol, are taken
//! from the premises, then from the known [values](horn::Update::value) of the head, and are else
//! any values. So premises are translated first.
//!
//! Neither is trusted: the results are checked on the original system.

mod configurations;
pub(super) mod merged;

use encode::bits::{Bits, over_bits};
use horn::{Atom, Clause, ClauseData, Derivation, Interpretation, Relation, Step, StepData, System};
use merged::Cells;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use terms::entity::PrimaryMap;
use terms::{Assignment, BitVector, Evaluator, Op, Sort, Symbol, Term, TermPool, Value};

/// The most steps that a derivation may have.
pub(super) const MAX_STEPS: usize = 2_000_000;

/// The reason why a derivation has no way back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// A value of a derivation cannot be computed.
    #[error("a value of the derivation cannot be computed")]
    Value,
    /// The derivation has too many steps.
    #[error("the derivation has more than {MAX_STEPS} steps")]
    TooLong,
    /// A derivation over cells does not stand for one over arrays: the pass `cells` is an
    /// over-approximation.
    #[error("the derivation over cells does not hold for whole arrays")]
    Cells,
}

/// The order of the steps of a derivation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) enum Order {
    /// As in the old system.
    #[default]
    Forward,
    /// Reversed: the systems are linear, and the first step of one is the last of the other.
    Backward,
    /// Several steps become one, see [`merged`].
    Merged,
    /// The new system is linear over sequences of atoms, see [`configurations`]. For each of its
    /// clauses, the indices in the body of the old clause of the last atoms of the sequence.
    Configurations(PrimaryMap<Clause, Vec<usize>>),
}

/// The way back of one pass.
#[derive(Clone, Debug, Default)]
pub struct Back {
    /// The order of steps.
    pub(super) order: Order,
    /// The system before the pass.
    pub(super) old: System,
    /// How the formula of each relation of the old system results, in the order of evaluation.
    pub(super) definitions: Vec<(Relation, Definition)>,
    /// What clauses are made of.
    pub(super) history: History,
    /// The source of each clause of the new system.
    pub(super) sources: PrimaryMap<Clause, Source>,
}

/// The formula of a relation of the old system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Definition {
    /// A formula over the symbols of the relation.
    Constant(Term),
    /// The formula of a relation of the new system, whose symbols are replaced by terms over those
    /// of the old relation, and a further conjunct.
    Image { relation: Relation, symbols: Vec<(Term, Term)>, also: Term },
    /// The conjunction of formulas for all values of bound variables.
    ForAll(Vec<Universal>),
    /// A formula over integers of a relation of the new system, with bit vectors for its symbols;
    /// `true` if it has no translation.
    Bits { relation: Relation, images: Vec<(Term, Bits)> },
    /// The negation of the formula of a relation of the new system with the same symbols.
    Negation(Relation),
    /// The disjunction of the formulas of relations of the new system, each with a conjunct.
    Cases(Vec<(Relation, Term)>),
    /// The conjunction of the formulas of relations of the new system, each under a condition.
    Versions(Vec<(Relation, Term)>),
    /// The strongest formula: the clauses that derive the relation, over relations of the old
    /// system that are defined before.
    Strongest(Vec<ClauseData>),
    /// The weakest formula: the linear clauses that use the relation, over relations of the old
    /// system that are defined before. Their updates have values, and they have no inner symbols.
    Weakest(Vec<ClauseData>),
}

/// A formula for all values of bound variables: `∀ bound. premise ⇒ conclusion`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Universal {
    pub(super) bound: Vec<Term>,
    pub(super) premise: Option<Instance>,
    pub(super) conclusion: Instance,
}

/// The formula of a relation of the new system, whose symbols are replaced by terms over those of
/// the old relation and bound variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    pub(super) relation: Relation,
    pub(super) symbols: Vec<(Term, Term)>,
}

/// A part of a clause's origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A clause of the old system.
    Old(Clause),
    /// An entry of the [`History`].
    Made(usize),
}

/// Clauses made of others.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    entries: Vec<Made>,
}

/// A clause made of others.
#[derive(Clone, Debug)]
pub(super) enum Made {
    /// A clause over other symbols.
    Copy(Part),
    /// The resolvent of `main`, which has the same head, and `part`, which derives the atom with
    /// this index in the body of `main`. The `count` atoms of the body of `part` replace that atom.
    Resolvent { main: Part, index: usize, count: usize, part: Part },
    /// One of several clauses of the old system: the first whose constraint holds.
    OneOf(Vec<Part>),
    /// A clause of the old system, whose symbols are bit vectors for integers of the clause that is
    /// made, or the same.
    Decoded { clause: Clause, symbols: Vec<(Symbol, Symbol)> },
    /// A clause of the old system from a relation to itself, applied as often as this term says.
    /// The clause has no inner symbols, and all its updates have values.
    Repeated { clause: Clause, count: Term },
    /// A clause of the old system, over cells.
    Cells(Cells),
}

/// A clause whose symbols have images.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) source: Source,
    /// Terms over the symbols of the clause that is made, for some symbols of this clause.
    pub(super) images: Vec<(Symbol, Term)>,
}

impl History {
    pub(super) fn add(&mut self, made: Made) -> Source {
        self.entries.push(made);
        Source::Made(self.entries.len() - 1)
    }

    pub(super) fn entry(&self, number: usize) -> &Made {
        &self.entries[number]
    }
}

/// The symbols of a clause: of atoms, updates and the constraint.
pub(super) fn symbols(pool: &TermPool, clause: &ClauseData) -> Vec<Symbol> {
    let mut roots: Vec<Term> = clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
    roots.extend(clause.head.iter().flat_map(|atom| atom.arguments.iter().copied()));
    roots.push(clause.constraint);
    pool.free_symbols_of(&roots)
}

/// Values of the symbols of a clause.
pub(super) type Values = FxHashMap<Symbol, Value>;

impl Back {
    /// The model of the old system for one of the new system.
    pub fn model(&self, pool: &mut TermPool, new: &Interpretation) -> Interpretation {
        let tru = pool.tru();
        let mut model = Interpretation::constant(&self.old, tru);
        for (relation, definition) in &self.definitions {
            model.formulas[*relation] = match definition {
                Definition::Constant(formula) => *formula,
                Definition::Image { relation, symbols, also } => {
                    let formula = instance(pool, new.formulas[*relation], symbols);
                    pool.and2(formula, *also)
                }
                Definition::ForAll(conjuncts) => {
                    let conjuncts: Vec<Term> =
                        conjuncts.iter().map(|universal| universal.formula(pool, new)).collect();
                    pool.and(&conjuncts)
                }
                Definition::Bits { relation, images } => {
                    let images: FxHashMap<Term, Bits> = images.iter().copied().collect();
                    over_bits(pool, new.formulas[*relation], &images).unwrap_or(tru)
                }
                Definition::Negation(relation) => pool.not(new.formulas[*relation]),
                Definition::Cases(cases) => {
                    let cases = cases.iter().map(|&(relation, also)| pool.and2(new.formulas[relation], also));
                    let cases: Vec<Term> = cases.collect();
                    pool.or(&cases)
                }
                Definition::Versions(versions) => {
                    let versions = versions.iter();
                    let versions = versions
                        .map(|&(relation, condition)| pool.implies(condition, new.formulas[relation]));
                    let versions: Vec<Term> = versions.collect();
                    pool.and(&versions)
                }
                Definition::Strongest(clauses) => {
                    let cases: Vec<Term> =
                        clauses.iter().map(|clause| self.image_of(pool, &model, clause)).collect();
                    pool.or(&cases)
                }
                Definition::Weakest(clauses) => {
                    let cases: Vec<Term> = clauses
                        .iter()
                        .map(|clause| {
                            let head = match clause.to() {
                                Some(head) => clause.at_head(pool, model.formulas[head]),
                                None => pool.fls(),
                            };
                            pool.implies(clause.guard, head)
                        })
                        .collect();
                    pool.and(&cases)
                }
            };
        }
        model
    }

    /// The formula for the states that `clause` derives, over the symbols of its head's relation.
    fn image_of(&self, pool: &mut TermPool, model: &Interpretation, clause: &ClauseData) -> Term {
        let mut conjuncts = vec![clause.constraint];
        for (index, atom) in clause.body.iter().enumerate() {
            conjuncts.push(clause.at_body(pool, &self.old, index, model.formulas[atom.relation]));
        }
        let head = clause.head.as_ref().expect("a clause that derives a relation has a head");
        let own: Vec<Term> = self.old.relations[head.relation].symbols().collect();
        let mut formula = pool.and(&conjuncts);
        // All symbols become bound variables, and those of the head the symbols of the relation.
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let mut bound = Vec::new();
        let head_of: FxHashMap<Term, Term> =
            head.arguments.iter().copied().zip(own.iter().copied()).collect();
        for symbol in pool.free_symbols(formula) {
            let symbol = pool.symbol_term(symbol);
            let image = match head_of.get(&symbol) {
                Some(&own) => own,
                None => {
                    let variable = pool.bound(&format!("{}?", super::name(pool, symbol)), pool.sort(symbol));
                    bound.push(variable);
                    variable
                }
            };
            images.insert(symbol, image);
        }
        formula = pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied());
        let formula = super::equations::eliminate(pool, formula, &bound);
        let left: Vec<Term> = pool
            .free_bound_variables(formula)
            .into_iter()
            .filter(|variable| bound.contains(variable))
            .collect();
        pool.exists(&left, formula)
    }

    /// The derivation of the old system for one of the new system.
    ///
    /// # Errors
    /// If the derivation has no way back.
    pub fn derivation(&self, pool: &mut TermPool, new: &Derivation) -> Result<Derivation, Lost> {
        let mut old = Derivation::default();
        match &self.order {
            Order::Forward => {
                let mut steps: PrimaryMap<Step, Step> = PrimaryMap::new();
                for data in new.steps.values() {
                    let premises = data.premises.iter().map(|&premise| steps[premise]).collect();
                    let source = self.sources[data.clause];
                    steps.push(self.expand(pool, &mut old, source, &data.values, premises)?);
                }
            }
            Order::Merged => return merged::derivation(self, pool, new),
            Order::Configurations(orders) => return configurations::derivation(self, pool, new, orders),
            Order::Backward => {
                let mut next = new.root();
                let mut last: Option<Step> = None;
                while let Some(data) = next.map(|step| &new.steps[step]) {
                    let (source, premises) = (self.sources[data.clause], last.into_iter().collect());
                    last = Some(self.expand(pool, &mut old, source, &data.values, premises)?);
                    next = data.premises.first().copied();
                }
            }
        }
        Ok(old)
    }

    /// Adds the steps that a step of the new system stands for, and returns the last one.
    fn expand(
        &self,
        pool: &mut TermPool,
        old: &mut Derivation,
        source: Source,
        values: &Values,
        premises: Vec<Step>,
    ) -> Result<Step, Lost> {
        struct Task {
            source: Source,
            values: Values,
            /// The slots of the premises, and of the result.
            premises: Vec<usize>,
            result: usize,
        }
        let mut slots: Vec<Option<Step>> = premises.into_iter().map(Some).collect();
        let result = slots.len();
        slots.push(None);
        let premises = (0..result).collect();
        let mut tasks = vec![Task { source, values: values.clone(), premises, result }];
        while let Some(task) = tasks.pop() {
            if old.steps.len() >= MAX_STEPS {
                return Err(Lost::TooLong);
            }
            let premises = || {
                let premises: Option<Vec<Step>> = task.premises.iter().map(|&slot| slots[slot]).collect();
                premises.expect("premises are expanded first")
            };
            let made = match task.source {
                Source::Old(clause) => {
                    let premises = premises();
                    let values = self.complete(pool, old, clause, task.values, &premises)?;
                    slots[task.result] = Some(old.steps.push(StepData { clause, values, premises }));
                    continue;
                }
                Source::Made(number) => &self.history.entries[number],
            };
            match made {
                Made::Copy(part) => {
                    let values = evaluate(pool, &part.images, &task.values);
                    tasks.push(Task { source: part.source, values, ..task });
                }
                Made::Resolvent { main, index, count, part } => {
                    let derived = slots.len();
                    slots.push(None);
                    let mut premises = task.premises;
                    let inner: Vec<usize> = premises.splice(*index..index + count, [derived]).collect();
                    let values = evaluate(pool, &main.images, &task.values);
                    tasks.push(Task { source: main.source, values, premises, result: task.result });
                    let values = evaluate(pool, &part.images, &task.values);
                    tasks.push(Task { source: part.source, values, premises: inner, result: derived });
                }
                Made::Decoded { clause, symbols } => {
                    let decoded = symbols.iter().filter_map(|(old, new)| {
                        let value = match (pool.symbol_data(*old).sort, task.values.get(new)?) {
                            (Sort::BitVec(width), Value::Int(value)) => {
                                Value::BitVec(BitVector::from_integer(width, value))
                            }
                            (_, value) => value.clone(),
                        };
                        Some((*old, value))
                    });
                    let values = decoded.collect();
                    tasks.push(Task { source: Source::Old(*clause), values, ..task });
                }
                Made::OneOf(parts) => {
                    let premises = premises();
                    let found = parts.iter().find_map(|part| {
                        let Source::Old(clause) = part.source else { return None };
                        let values = evaluate(pool, &part.images, &task.values);
                        let values = self.complete(pool, old, clause, values, &premises).ok()?;
                        let holds = self.old.clauses[clause].constraint;
                        (eval(pool, holds, &values)? == Value::Bool(true)).then_some((clause, values))
                    });
                    let (clause, values) = found.ok_or(Lost::Value)?;
                    slots[task.result] = Some(old.steps.push(StepData { clause, values, premises }));
                }
                // Its steps are merged.
                Made::Cells(_) => return Err(Lost::Cells),
                Made::Repeated { clause, count } => {
                    let &[premise] = &premises()[..] else { return Err(Lost::Value) };
                    let Some(Value::Int(count)) = eval(pool, *count, &task.values) else {
                        return Err(Lost::Value);
                    };
                    slots[task.result] = Some(self.repeat(pool, old, *clause, &count, premise)?);
                }
            }
        }
        slots[result].ok_or(Lost::Value)
    }

    /// Adds `count` applications of a clause from a relation to itself, and returns the last one.
    fn repeat(
        &self,
        pool: &TermPool,
        old: &mut Derivation,
        clause: Clause,
        count: &BigInt,
        premise: Step,
    ) -> Result<Step, Lost> {
        let count = count.to_usize().filter(|&count| old.steps.len().saturating_add(count) <= MAX_STEPS);
        let count = count.ok_or(Lost::TooLong)?;
        let data = &self.old.clauses[clause];
        let (_, mut state) = derivation_values(old, pool, &self.old, premise)?;
        let [atom] = &data.body[..] else { return Err(Lost::Value) };
        let symbols: Vec<Symbol> = atom.arguments.iter().map(|&argument| symbol(pool, argument)).collect();
        let updates: Option<Vec<(usize, Symbol, Term)>> = data
            .updates
            .iter()
            .map(|(before, update)| {
                let place = atom.arguments.iter().position(|argument| argument == before)?;
                Some((place, symbol(pool, update.after), update.value?))
            })
            .collect();
        let updates = updates.ok_or(Lost::Value)?;
        let (mut evaluator, mut environment) = (Evaluator::new(), Assignment::new());
        let mut last = premise;
        for _ in 0..count {
            let mut values = Values::default();
            for (&symbol, value) in symbols.iter().zip(&state) {
                environment.set(symbol, value.clone());
                values.insert(symbol, value.clone());
            }
            evaluator.clear();
            for &(place, after, term) in &updates {
                let value = evaluator.eval(pool, term, &environment).map_err(|_| Lost::Value)?;
                values.insert(after, value.clone());
                state[place] = value;
            }
            last = old.steps.push(StepData { clause, values, premises: vec![last] });
        }
        Ok(last)
    }

    /// Values for all symbols of a clause of the old system, given those of some.
    pub(super) fn complete(
        &self,
        pool: &mut TermPool,
        derivation: &Derivation,
        clause: Clause,
        mut values: Values,
        premises: &[Step],
    ) -> Result<Values, Lost> {
        let data = &self.old.clauses[clause];
        for (atom, &premise) in data.body.iter().zip(premises) {
            let (_, derived) = derivation_values(derivation, pool, &self.old, premise)?;
            for (&argument, value) in atom.arguments.iter().zip(derived) {
                values.entry(symbol(pool, argument)).or_insert(value);
            }
        }
        let after: Vec<(Symbol, Term)> = data
            .updates
            .values()
            .filter_map(|update| Some((symbol(pool, update.after), update.value?)))
            .filter(|(symbol, _)| !values.contains_key(symbol))
            .collect();
        let all = symbols(pool, data);
        let mut start = values.clone();
        for &symbol in &all {
            if let Entry::Vacant(entry) = start.entry(symbol) {
                let any = Value::default_of(pool, pool.symbol_data(symbol).sort);
                entry.insert(any.ok_or(Lost::Value)?);
            }
        }
        values.extend(evaluate(pool, &after, &start));
        for symbol in all {
            if let Entry::Vacant(entry) = values.entry(symbol) {
                entry.insert(start.remove(&symbol).ok_or(Lost::Value)?);
            }
        }
        Ok(values)
    }
}

impl Universal {
    fn formula(&self, pool: &mut TermPool, new: &Interpretation) -> Term {
        let Universal { bound, premise, conclusion } = self;
        let mut formula = instance(pool, new.formulas[conclusion.relation], &conclusion.symbols);
        if let Some(premise) = premise {
            let premise = instance(pool, new.formulas[premise.relation], &premise.symbols);
            formula = pool.implies(premise, formula);
        }
        for_all(pool, bound, formula)
    }
}

/// The formula with terms for its symbols.
fn instance(pool: &mut TermPool, formula: Term, symbols: &[(Term, Term)]) -> Term {
    let images: FxHashMap<Term, Term> = symbols.iter().copied().collect();
    pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
}

/// `∀ bound. formula`, without the quantifier for conjuncts without any of the variables.
fn for_all(pool: &mut TermPool, bound: &[Term], formula: Term) -> Term {
    let conjuncts = pool.conjuncts(&[formula]).into_iter();
    let (inner, mut outer): (Vec<Term>, Vec<Term>) = conjuncts
        .partition(|&conjunct| pool.free_bound_variables(conjunct).iter().any(|free| bound.contains(free)));
    let inner = pool.and(&inner);
    let free = pool.free_bound_variables(inner);
    let bound: Vec<Term> = bound.iter().copied().filter(|variable| free.contains(variable)).collect();
    outer.push(pool.forall(&bound, inner));
    pool.and(&outer)
}

pub(super) fn derivation_values(
    derivation: &Derivation,
    pool: &TermPool,
    system: &System,
    step: Step,
) -> Result<(Relation, Vec<Value>), Lost> {
    derivation.conclusion(pool, system, step).ok_or(Lost::Value)
}

/// The value of a term, if it has one.
pub(super) fn eval(pool: &TermPool, term: Term, values: &Values) -> Option<Value> {
    Evaluator::new().eval(pool, term, &environment(values)).ok()
}

fn environment(values: &Values) -> Assignment {
    let mut environment = Assignment::new();
    for (&symbol, value) in values {
        environment.set(symbol, value.clone());
    }
    environment
}

pub(super) fn symbol(pool: &TermPool, term: Term) -> Symbol {
    match pool.op(term) {
        Op::Symbol(symbol) => symbol,
        op => unreachable!("{op:?} is no symbol: arguments of atoms are symbols"),
    }
}

/// The values of the terms. A symbol of no value has none, but inside of other terms it has a
/// default value: the clause that a pass made does not mention it any more, so it holds for all.
pub(super) fn evaluate(pool: &TermPool, terms: &[(Symbol, Term)], values: &Values) -> Values {
    let environment = environment(values);
    let mut evaluator = Evaluator::new();
    let mut known = Values::default();
    let mut open = Vec::new();
    for &(symbol, term) in terms {
        match evaluator.eval(pool, term, &environment) {
            Ok(value) => {
                known.insert(symbol, value);
            }
            Err(_) if matches!(pool.op(term), Op::Symbol(_)) => {}
            Err(_) => open.push((symbol, term)),
        }
    }
    if open.is_empty() {
        return known;
    }
    let roots: Vec<Term> = open.iter().map(|&(_, term)| term).collect();
    let environment = self::environment(&with_defaults(pool, &roots, values));
    let mut evaluator = Evaluator::new();
    let values = open
        .iter()
        .filter_map(|&(symbol, term)| Some((symbol, evaluator.eval(pool, term, &environment).ok()?)));
    known.extend(values);
    known
}

/// The values, and default values of the other symbols of the terms.
pub(super) fn with_defaults(pool: &TermPool, terms: &[Term], values: &Values) -> Values {
    let mut all = values.clone();
    for symbol in pool.free_symbols_of(terms) {
        if let Entry::Vacant(entry) = all.entry(symbol)
            && let Some(value) = Value::default_of(pool, pool.symbol_data(symbol).sort)
        {
            entry.insert(value);
        }
    }
    all
}

/// The definition of a relation that is kept, with its symbols.
pub(super) fn kept(pool: &TermPool, relation: Relation) -> Definition {
    Definition::Image { relation, symbols: Vec::new(), also: pool.tru() }
}

/// The atom with another relation.
pub(super) fn moved(atom: &Atom, relations: &FxHashMap<Relation, Relation>) -> Option<Atom> {
    let relation = *relations.get(&atom.relation)?;
    Some(Atom { relation, arguments: atom.arguments.clone() })
}
