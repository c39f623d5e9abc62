//! Slicing: removal of clauses that no derivation of a query uses.
//!
//! *Forward.* A relation is derivable only if some clause with derivable relations in its body and
//! a satisfiable constraint (as far as folding tells) has it as head; all others are false.
//! *Backward.* A relation is relevant only if a query, or a clause of a relevant relation, uses it;
//! all others may be true. This is the reachability of Hojjat and Rümmer, *The ELDARICA Horn
//! Solver*, FMCAD 2018, section III, and slicing of logic programs (Leuschel and Sørensen,
//! *Redundant Argument Filtering of Logic Programs*, LOPSTR 1996, section 1).
//!
//! Cost: linear.

use super::Transformed;
use super::back::{Back, Definition, Source, kept, moved};
use horn::{Clause, ClauseData, Relation, System};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::TermPool;
use terms::entity::PrimaryMap;

pub(super) fn slice(pool: &mut TermPool, old: &System) -> Transformed {
    let derivable = derivable(pool, old);
    let is_live = |clause: &ClauseData| {
        pool.as_bool(clause.constraint) != Some(false)
            && clause.body.iter().all(|atom| derivable.contains(&atom.relation))
    };
    let relevant = relevant(old, is_live);
    let mut system = System::default();
    let mut relations = FxHashMap::default();
    let mut definitions = Vec::new();
    for (relation, data) in old.relations.iter() {
        let definition = if !derivable.contains(&relation) {
            Definition::Constant(pool.fls())
        } else if !relevant.contains(&relation) {
            Definition::Constant(pool.tru())
        } else {
            let new = system.relations.push(data.clone());
            relations.insert(relation, new);
            kept(pool, new)
        };
        definitions.push((relation, definition));
    }
    let mut sources = PrimaryMap::new();
    for (clause, data) in old.clauses.iter() {
        let body: Option<Vec<_>> = data.body.iter().map(|atom| moved(atom, &relations)).collect();
        let head = match &data.head {
            None => Some(None),
            Some(atom) => moved(atom, &relations).map(Some),
        };
        let (Some(body), Some(head), true) = (body, head, is_live(data)) else { continue };
        system.clauses.push(ClauseData { body, head, ..data.clone() });
        sources.push(Source::Old(clause));
    }
    // A clause keeps its symbols, so the values of a step are those of the old step.
    Transformed { system, back: Back { old: old.clone(), definitions, sources, ..Back::default() } }
}

/// The relations that may be derivable.
pub(super) fn derivable(pool: &TermPool, system: &System) -> FxHashSet<Relation> {
    let mut users: FxHashMap<Relation, Vec<Clause>> = FxHashMap::default();
    let mut missing: PrimaryMap<Clause, usize> = PrimaryMap::new();
    let mut ready = Vec::new();
    for (clause, data) in system.clauses.iter() {
        let mut body: Vec<Relation> = data.body.iter().map(|atom| atom.relation).collect();
        body.sort_unstable();
        body.dedup();
        missing.push(body.len());
        if pool.as_bool(data.constraint) == Some(false) {
            continue;
        }
        if body.is_empty() {
            ready.push(clause);
        }
        for relation in body {
            users.entry(relation).or_default().push(clause);
        }
    }
    let mut derivable = FxHashSet::default();
    while let Some(clause) = ready.pop() {
        let Some(head) = system.clauses[clause].to() else { continue };
        if !derivable.insert(head) {
            continue;
        }
        for &user in users.get(&head).into_iter().flatten() {
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.push(user);
            }
        }
    }
    derivable
}

/// The relations that a derivation of a query may use.
fn relevant(system: &System, is_live: impl Fn(&ClauseData) -> bool) -> FxHashSet<Relation> {
    let mut rules: FxHashMap<Relation, Vec<&ClauseData>> = FxHashMap::default();
    let mut stack: Vec<Relation> = Vec::new();
    for clause in system.clauses.values().filter(|clause| is_live(clause)) {
        match clause.to() {
            Some(head) => rules.entry(head).or_default().push(clause),
            None => stack.extend(clause.body.iter().map(|atom| atom.relation)),
        }
    }
    let mut relevant = FxHashSet::default();
    while let Some(relation) = stack.pop() {
        if relevant.insert(relation) {
            let clauses = rules.get(&relation).into_iter().flatten();
            stack.extend(clauses.flat_map(|clause| clause.body.iter().map(|atom| atom.relation)));
        }
    }
    relevant
}
