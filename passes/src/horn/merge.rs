//! Merging of clauses: the clauses with the same relations in their bodies and the same relation in
//! their heads become one, whose constraint is the disjunction of theirs.
//!
//! A merged clause is a large block: a step of an engine chooses among all of its paths, so the
//! solver enumerates them instead of the engine. This is the encoding of Beyer, Cimatti, Griggio,
//! Keremoglu and Sebastiani, *Software Model Checking via Large-Block Encoding*, FMCAD 2009, for
//! the choice between paths (inlining is the one for sequences); after
//! [`single-loop`](super::transition), it makes one clause each for the initial states, the
//! transitions and the errors. Conjuncts that all constraints share stay outside of the
//! disjunction, so updates on which the clauses agree keep their values.
//!
//! *Derivations.* The values of a step satisfy the constraint of one of the old clauses, which is
//! found by evaluation.
//!
//! Cost: linear. `split-clauses` is the reverse.

use super::Transformed;
use super::back::{Back, History, Made, Part, Source, kept, symbols};
use horn::{Clause, ClauseData, Normalizer, OpenAtom, OpenClause, Relation, System};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The relations of the bodies and the relation of the heads of a group of clauses.
type Shape = (Vec<Relation>, Option<Relation>);

pub(super) fn merge(pool: &mut TermPool, old: &System) -> Transformed {
    let mut groups: IndexMap<Shape, Vec<Clause>, FxBuildHasher> = IndexMap::default();
    for (clause, data) in old.clauses.iter() {
        let body = data.body.iter().map(|atom| atom.relation).collect();
        groups.entry((body, data.to())).or_default().push(clause);
    }
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let mut normalizer = Normalizer::of(old);
    let (mut history, mut sources) = (History::default(), PrimaryMap::new());
    for ((body, head), clauses) in groups {
        if let [clause] = clauses[..] {
            system.clauses.push(old.clauses[clause].clone());
            sources.push(Source::Old(clause));
            continue;
        }
        let (clause, parts) = disjunction(pool, &mut normalizer, old, (body, head), &clauses);
        system.clauses.push(clause);
        sources.push(history.add(Made::OneOf(parts)));
    }
    let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
    Transformed { system, back: Back { old: old.clone(), definitions, history, sources, ..Back::default() } }
}

/// The clause for several clauses of the same shape, and how each of them results from it.
fn disjunction(
    pool: &mut TermPool,
    normalizer: &mut Normalizer,
    old: &System,
    (relations, head): Shape,
    clauses: &[Clause],
) -> (ClauseData, Vec<Part>) {
    // The first atom is applied to the same symbols in all clauses. The other atoms and the changed
    // arguments of the head get variables.
    let body: Vec<OpenAtom> = relations
        .iter()
        .enumerate()
        .map(|(index, &relation)| {
            let symbols: Vec<Term> = old.relations[relation].symbols().collect();
            let variable = |symbol: Term| match index {
                0 => symbol,
                _ => {
                    let name = format!("{}.{index}", super::name(pool, symbol));
                    pool.bound(&name, pool.sort(symbol))
                }
            };
            (relation, symbols.into_iter().map(variable).collect())
        })
        .collect();
    let head: Option<OpenAtom> = head.map(|relation| {
        let symbols: Vec<Term> = old.relations[relation].symbols().collect();
        let is_changed =
            |symbol: &Term| clauses.iter().any(|&clause| old.clauses[clause].updates.contains_key(symbol));
        let variable = |symbol: Term| match is_changed(&symbol) {
            false => symbol,
            true => pool.bound(&format!("{}+", super::name(pool, symbol)), pool.sort(symbol)),
        };
        (relation, symbols.into_iter().map(variable).collect())
    });
    let mut disjuncts: Vec<Vec<Term>> = Vec::new();
    let mut renamings: Vec<FxHashMap<Term, Term>> = Vec::new();
    for &clause in clauses {
        let data = &old.clauses[clause];
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let mut equations: Vec<(Term, Term)> = Vec::new();
        let own = data.body.iter().chain(&data.head).flat_map(|atom| &atom.arguments);
        let common = body.iter().chain(&head).flat_map(|(_, variables)| variables);
        for (&symbol, &variable) in own.zip(common) {
            match images.get(&symbol) {
                Some(&image) if image == variable => {}
                Some(&image) => equations.push((variable, image)),
                None => drop(images.insert(symbol, variable)),
            }
        }
        let constraint = pool.map_leaves(data.constraint, &mut |_, leaf| images.get(&leaf).copied());
        let mut conjuncts = vec![constraint];
        conjuncts.extend(equations.into_iter().map(|(a, b)| pool.eq(a, b)));
        disjuncts.push(pool.conjuncts(&conjuncts));
        renamings.push(images);
    }
    let mut common: FxHashSet<Term> = disjuncts[0].iter().copied().collect();
    for disjunct in &disjuncts[1..] {
        let own: FxHashSet<Term> = disjunct.iter().copied().collect();
        common.retain(|conjunct| own.contains(conjunct));
    }
    let mut constraint: Vec<Term> =
        disjuncts[0].iter().copied().filter(|conjunct| common.contains(conjunct)).collect();
    let rests: Vec<Term> = disjuncts
        .into_iter()
        .map(|mut conjuncts| {
            conjuncts.retain(|conjunct| !common.contains(conjunct));
            pool.and(&conjuncts)
        })
        .collect();
    constraint.push(pool.or(&rests));
    let origin = origins(clauses.iter().map(|&clause| &*old.clauses[clause].origin));
    let merged = normalizer.clause(pool, old, &OpenClause { body, constraint, head }, origin);
    let parts = clauses.iter().zip(renamings).map(|(&clause, images)| {
        let images = symbols(pool, &old.clauses[clause]).into_iter().map(|symbol| {
            let term = pool.symbol_term(symbol);
            let variable = images.get(&term).copied().unwrap_or(term);
            (symbol, normalizer.image(pool, variable))
        });
        Part { source: Source::Old(clause), images: images.collect() }
    });
    let parts = parts.collect();
    (merged, parts)
}

/// The first origins, as many as are short.
pub(super) fn origins<'a>(all: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 200;
    let mut text = String::new();
    for origin in all.filter(|origin| !origin.is_empty()) {
        if text.len() + origin.len() > MOST {
            text.push_str("; …");
            break;
        }
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(origin);
    }
    text
}
