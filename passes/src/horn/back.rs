//! The way back of a transformation of clauses: models and derivations of the new system as those
//! of the old one.
//!
//! *Models.* Each relation of the old system has a [`Definition`]: its formula from those of the
//! new system.
//!
//! *Derivations.* Each clause of the new system is [made](Made) of clauses of the old one: a copy
//! of a clause, or the resolvent of two. The values of the symbols of an old clause are terms over
//! the new clause's symbols. Values that the new clause does not determine, because a pass removed
//! an argument or a symbol, are taken from the premises, then from the known
//! [values](horn::Update::value) of the head, and are else any values. So premises are translated
//! first.
//!
//! Neither is trusted: the results are checked on the original system.

use horn::{Atom, Clause, ClauseData, Derivation, Interpretation, Relation, Step, StepData, System};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use terms::entity::PrimaryMap;
use terms::{Assignment, Evaluator, Op, Symbol, Term, TermPool, Value};

/// The way back of one pass.
#[derive(Clone, Debug)]
pub struct Back {
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
    /// The disjunction of the formulas of relations of the new system, each with a conjunct.
    Cases(Vec<(Relation, Term)>),
    /// The strongest formula: the clauses that derive the relation, over relations of the old
    /// system that are defined before.
    Strongest(Vec<ClauseData>),
    /// The weakest formula: the linear clauses that use the relation, over relations of the old
    /// system that are defined before. Their updates have values, and they have no inner symbols.
    Weakest(Vec<ClauseData>),
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
pub(super) struct Made {
    /// The clause with the same head.
    pub(super) main: Part,
    /// The clause that derives the atom with this index in the body of `main`, and the number of
    /// atoms in its body, which replace that atom.
    pub(super) resolved: Option<(usize, usize, Part)>,
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
}

/// The symbols of a clause: of atoms, updates and the constraint.
pub(super) fn symbols(pool: &TermPool, clause: &ClauseData) -> Vec<Symbol> {
    let mut roots: Vec<Term> = clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
    roots.extend(clause.head.iter().flat_map(|atom| atom.arguments.iter().copied()));
    roots.push(clause.constraint);
    pool.free_symbols_of(&roots)
}

/// Values of the symbols of a clause.
type Values = FxHashMap<Symbol, Value>;

impl Back {
    /// The model of the old system for one of the new system.
    pub fn model(&self, pool: &mut TermPool, new: &Interpretation) -> Interpretation {
        let tru = pool.tru();
        let mut model = Interpretation::constant(&self.old, tru);
        for (relation, definition) in &self.definitions {
            model.formulas[*relation] = match definition {
                Definition::Constant(formula) => *formula,
                Definition::Image { relation, symbols, also } => {
                    let images: FxHashMap<Term, Term> = symbols.iter().copied().collect();
                    let formula = new.formulas[*relation];
                    let formula = pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied());
                    pool.and2(formula, *also)
                }
                Definition::Cases(cases) => {
                    let cases = cases.iter().map(|&(relation, also)| pool.and2(new.formulas[relation], also));
                    let cases: Vec<Term> = cases.collect();
                    pool.or(&cases)
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

    /// The derivation of the old system for one of the new system; `None` if a value cannot be
    /// computed.
    pub fn derivation(&self, pool: &mut TermPool, new: &Derivation) -> Option<Derivation> {
        let mut old = Derivation::default();
        let mut steps: PrimaryMap<Step, Step> = PrimaryMap::new();
        for data in new.steps.values() {
            let premises = data.premises.iter().map(|&premise| steps[premise]).collect();
            let step = self.expand(pool, &mut old, self.sources[data.clause], &data.values, premises)?;
            steps.push(step);
        }
        Some(old)
    }

    /// Adds the steps that a step of the new system stands for, and returns the last one.
    fn expand(
        &self,
        pool: &mut TermPool,
        old: &mut Derivation,
        source: Source,
        values: &Values,
        premises: Vec<Step>,
    ) -> Option<Step> {
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
            let number = match task.source {
                Source::Old(clause) => {
                    let premises: Option<Vec<Step>> = task.premises.iter().map(|&slot| slots[slot]).collect();
                    let premises = premises.expect("premises are expanded first");
                    let values = self.complete(pool, old, clause, task.values, &premises)?;
                    slots[task.result] = Some(old.steps.push(StepData { clause, values, premises }));
                    continue;
                }
                Source::Made(number) => number,
            };
            let made = &self.history.entries[number];
            let main = evaluate(pool, &made.main.images, &task.values);
            let Some((index, count, part)) = &made.resolved else {
                tasks.push(Task { source: made.main.source, values: main, ..task });
                continue;
            };
            let derived = slots.len();
            slots.push(None);
            let mut premises = task.premises;
            let inner: Vec<usize> = premises.splice(*index..index + count, [derived]).collect();
            let values = evaluate(pool, &part.images, &task.values);
            tasks.push(Task { source: made.main.source, values: main, premises, result: task.result });
            tasks.push(Task { source: part.source, values, premises: inner, result: derived });
        }
        slots[result]
    }

    /// Values for all symbols of a clause of the old system, given those of some.
    fn complete(
        &self,
        pool: &mut TermPool,
        derivation: &Derivation,
        clause: Clause,
        mut values: Values,
        premises: &[Step],
    ) -> Option<Values> {
        let data = &self.old.clauses[clause];
        for (atom, &premise) in data.body.iter().zip(premises) {
            let (_, derived) = derivation.conclusion(pool, &self.old, premise)?;
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
                entry.insert(Value::default_of(pool, pool.symbol_data(symbol).sort)?);
            }
        }
        values.extend(evaluate(pool, &after, &start));
        for symbol in all {
            if let Entry::Vacant(entry) = values.entry(symbol) {
                entry.insert(start.remove(&symbol)?);
            }
        }
        Some(values)
    }
}

fn symbol(pool: &TermPool, term: Term) -> Symbol {
    match pool.op(term) {
        Op::Symbol(symbol) => symbol,
        op => unreachable!("{op:?} is no symbol: arguments of atoms are symbols"),
    }
}

/// The values of the terms that have one.
fn evaluate(pool: &TermPool, terms: &[(Symbol, Term)], values: &Values) -> Values {
    let mut environment = Assignment::new();
    for (&symbol, value) in values {
        environment.set(symbol, value.clone());
    }
    let mut evaluator = Evaluator::new();
    let known = terms
        .iter()
        .filter_map(|&(symbol, term)| Some((symbol, evaluator.eval(pool, term, &environment).ok()?)));
    known.collect()
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
