//! Transitions as functions, one for each combination of choices.
//!
//! What a transition says has the form `guard ∧ ⋀ x+ = update`. Put into a goal, the updates turn a question about a linear equality into one that
//! folds, or that a solver sees through without going down to bits.
//! Where the encoding has another form, the equations that define an `x+` are looked for. Where paths were merged, updates have choices `ite(c, t, u)`; with
//! up to 2^[`SPLITS`] combinations of truth values for the conditions they have none.

use crate::transitions::{Transition, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Substitution, Term, TermPool};

/// Conditions on which a transition is split.
const SPLITS: usize = 4;

/// A part of a transition.
pub(super) struct Case {
    /// Which transition.
    pub(super) transition: Transition,
    /// When it is taken, and what else is said, as a conjunction.
    pub(super) conjuncts: Vec<Term>,
    /// What the variables become that it changes, by their symbols `x`.
    after: FxHashMap<Term, Term>,
}

impl Case {
    /// `formula`, over target symbols `x` of the state at the end, over the state at the start and what is chosen on the way.
    pub(super) fn at_end(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.after.get(&leaf).copied())
    }
}

/// The cases of a transition; together they are the transition.
pub(super) fn cases(pool: &mut TermPool, system: &TransitionSystem, transition: Transition) -> Vec<Case> {
    let mut open = vec![(0, whole(pool, system, transition))];
    let mut done = Vec::new();
    while let Some((depth, case)) = open.pop() {
        let choice = (depth < SPLITS).then(|| choice(pool, &case)).flatten();
        let Some(condition) = choice else {
            done.push(case);
            continue;
        };
        for value in [false, true] {
            let mut replace = Substitution::new();
            let constant = pool.bool(value);
            replace.insert(condition, constant);
            let mut conjuncts: Vec<Term> =
                case.conjuncts.iter().map(|&conjunct| replace.apply(pool, conjunct)).collect();
            conjuncts.push(if value { condition } else { pool.not(condition) });
            let mut after = FxHashMap::default();
            for (&symbol, &update) in &case.after {
                after.insert(symbol, replace.apply(pool, update));
            }
            if pool.and(&conjuncts) != pool.fls() {
                open.push((depth + 1, Case { transition, conjuncts, after }));
            }
        }
    }
    done
}

fn whole(pool: &mut TermPool, system: &TransitionSystem, transition: Transition) -> Case {
    let data = &system.transitions[transition];
    let symbols = |variable| (system.variables[variable].before, system.variables[variable].after);
    let mut after: FxHashMap<Term, Term> = data.changed.iter().map(|&variable| symbols(variable)).collect();
    if data.is_source {
        for (&variable, update) in data.changed.iter().zip(data.updates()) {
            after.insert(symbols(variable).0, update);
        }
        return Case { transition, conjuncts: vec![data.source.guard], after };
    }
    let ends: FxHashSet<Term> = after.values().copied().collect();
    let mut conjuncts = Vec::new();
    let mut stack = vec![data.formula];
    let mut definitions: FxHashMap<Term, Term> = FxHashMap::default();
    while let Some(formula) = stack.pop() {
        let children = pool.children(formula).to_vec();
        match (pool.op(formula), &children[..]) {
            (Op::And, _) => stack.extend(children.iter().rev()),
            (Op::Eq, &[a, b]) => {
                let (symbol, update) = if ends.contains(&a) { (a, b) } else { (b, a) };
                let mut leaves = pool.free_symbols(update).into_iter().map(|leaf| pool.symbol_term(leaf));
                let is_definition = ends.contains(&symbol)
                    && !definitions.contains_key(&symbol)
                    && leaves.all(|leaf| !ends.contains(&leaf));
                if is_definition {
                    definitions.insert(symbol, update);
                } else {
                    conjuncts.push(formula);
                }
            }
            _ => conjuncts.push(formula),
        }
    }
    // Definitions do not mention each other.
    let conjuncts = conjuncts
        .into_iter()
        .map(|conjunct| pool.map_leaves(conjunct, &mut |_, leaf| definitions.get(&leaf).copied()))
        .collect();
    for end in after.values_mut() {
        *end = definitions.get(end).copied().unwrap_or(*end);
    }
    Case { transition, conjuncts, after }
}

/// The condition of a choice in the updates, the same each time.
fn choice(pool: &TermPool, case: &Case) -> Option<Term> {
    let mut symbols: Vec<Term> = case.after.keys().copied().collect();
    symbols.sort_unstable();
    let updates: Vec<Term> = symbols.iter().map(|symbol| case.after[symbol]).collect();
    let mut found = None;
    pool.visit(
        &updates,
        |_| true,
        |term| {
            if pool.op(term) == Op::Ite && found.is_none() {
                found = Some(pool.children(term)[0]);
            }
        },
    );
    found
}
