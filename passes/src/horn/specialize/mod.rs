//! Specialization: a version of a relation for each condition under which a query needs it.
//!
//! A *version* of a relation `p` has a condition `c` and is defined as `p ∧ c`. The transformation
//! introduces versions, unfolds and folds them:
//!
//! * *Definition introduction.* The body atoms of the queries get versions, whose conditions are
//!   consequences of the constraints of the queries.
//! * *Unfolding.* A version is replaced by the clauses of its relation with the condition as a
//!   further conjunct. Clauses whose constraints are contradictory are removed.
//! * *Folding.* Each body atom of the clauses becomes an atom of a version, whose condition is a
//!   consequence of the constraint. A new version is introduced if needed, and unfolded later.
//!
//! So calls with different arguments, and the phases of a loop, have relations of their own, and an
//! analysis that has one fact for each relation, such as `intervals`, distinguishes them.
//!
//! *Generalization.* A version that is introduced for a body atom is generalized if an ancestor,
//! from which it has been unfolded, was introduced for the same body atom of the same clause: only
//! those conjuncts of the ancestor remain that are consequences. To these, the conjuncts are added
//! that the clause implies without a condition of its head, as in widening up to thresholds. Hence
//! conditions on a path get weaker, and finitely many versions exist. The nearest ancestor of the
//! same relation counts instead, without thresholds, for a relation that has more than
//! [`MAX_VERSIONS`] versions otherwise. If it still has more, an atom gets a version whose
//! condition is implied, and else the version with the condition `true`.
//!
//! *Minimization.* The first iterations of a loop have versions of their own until conditions are
//! general. Of a version and an ancestor that keep the same clauses, recursively in their body
//! atoms, the more general one replaces the other one.
//!
//! Source: De Angelis, Fioravanti, Pettorossi and Proietti, *Program Verification via Iterated
//! Specialization*, SCP 2014, for the strategy; Tamaki and Sato, *Unfold/Fold Transformation of
//! Logic Programs*, ICLP 1984; Fioravanti, Pettorossi, Proietti and Senni, *Generalization
//! Strategies for the Verification of Infinite State Systems*, TPLP 2013, for widening by the
//! conjuncts of an ancestor, and *Controlling Polyvariance for Specialization-Based Verification*,
//! Fundamenta Informaticae 2013; Halbwachs, Proy and Roumanoff, *Verification of Real-Time Systems
//! Using Linear Relation Analysis*, FMSD 1997, for thresholds; Puebla and Hermenegildo, *Abstract
//! Multiple Specialization and Its Application to Program Parallelization*, JLP 1999, for
//! minimization.
//!
//! DIVERGENCE: no solver decides what is a consequence: [conditions](condition) are bounds of
//! linear forms and literals, found by propagation. Every body atom is folded on its own, so a
//! definition has one atom. An atom is unfolded once.
//!
//! *Models.* With the versions `p_i` and their conditions `c_i`,
//!
//! ```text
//! p(x) = ⋀ { c_i(x) ⇒ p_i(x) }
//! ```
//!
//! Let a clause `q(y) ∧ φ ⇒ p(x)` have a true body and `c_i(x)`. Then `c_j(y)` holds for the
//! version `q_j` with which `q(y)` was folded in the version `p_i`, hence `q_j(y)`, and `p_i(x)` by
//! the clause of the new system. The same holds for queries. Relations that no query needs are
//! true. *Derivations* remain, as each clause is one of the old system with further conjuncts.
//!
//! Cost: a propagation for each clause of a version, of which there are at most [`MAX_CLAUSES`] in
//! addition to those of versions with the condition `true`. If all propagations exceed [`EFFORT`],
//! further conditions are `true`.
//!
//! # Limits
//! Conditions go from queries to facts. `reverse,specialize,reverse` goes from facts to queries,
//! for linear clauses. Disjunctions are no conditions.

mod condition;
#[cfg(test)]
mod tests;

use super::Transformed;
use super::back::{Back, Definition, Source};
use super::bounds::{EFFORT, Propagation};
use condition::{Condition, project};
use horn::{Atom, Clause, ClauseData, Components, Relation, RelationData, System};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The most versions of a relation, without that of the condition `true`.
const MAX_VERSIONS: usize = 12;
/// The most clauses of versions, without those of the condition `true`.
const MAX_CLAUSES: usize = 4096;
/// The depth to which minimization compares clauses.
const MAX_DEPTH: usize = 64;

terms::entity! {
    /// A version of a relation.
    Version, "v"
}

struct VersionData {
    relation: Relation,
    condition: Condition,
    /// The version from which this one was unfolded.
    parent: Option<Version>,
    /// The body atom for which it was introduced: the clause and the index in its body.
    place: (Clause, usize),
}

/// A clause of the old system over versions.
#[derive(Clone)]
struct Folded {
    clause: Clause,
    /// `None` for a query.
    head: Option<Version>,
    body: Vec<Version>,
}

pub(super) fn specialize(pool: &mut TermPool, old: &System) -> Transformed {
    let mut specialization = Specialization::new(pool, old);
    specialization.run();
    if !specialization.exceeded.is_empty() {
        specialization.coarse = std::mem::take(&mut specialization.exceeded);
        specialization.run();
    }
    let representatives = specialization.minimize();
    specialization.result(&representatives)
}

struct Specialization<'p, 's> {
    propagation: Propagation<'p>,
    old: &'s System,
    components: Components,
    rules: PrimaryMap<Relation, Vec<Clause>>,
    /// The conditions of body atoms without a condition of the head.
    own: FxHashMap<Clause, Option<Vec<Condition>>>,
    /// The relations that are generalized by any ancestor.
    coarse: FxHashSet<Relation>,
    /// The relations for which a version was not introduced because of a limit.
    exceeded: FxHashSet<Relation>,
    versions: PrimaryMap<Version, VersionData>,
    of: PrimaryMap<Relation, Vec<Version>>,
    /// The number of clauses of all versions, without those of the condition `true`.
    planned: usize,
    clauses: Vec<Folded>,
}

impl<'p, 's> Specialization<'p, 's> {
    fn new(pool: &'p mut TermPool, old: &'s System) -> Self {
        let mut rules: PrimaryMap<Relation, Vec<Clause>> = old.relations.keys().map(|_| Vec::new()).collect();
        for (clause, data) in old.rules() {
            rules[data.to().expect("a rule has a head")].push(clause);
        }
        Specialization {
            propagation: Propagation { pool, effort: 0 },
            old,
            components: old.components(),
            rules,
            own: FxHashMap::default(),
            coarse: FxHashSet::default(),
            exceeded: FxHashSet::default(),
            versions: PrimaryMap::new(),
            of: PrimaryMap::new(),
            planned: 0,
            clauses: Vec::new(),
        }
    }

    /// Unfolds and folds until all versions are unfolded.
    fn run(&mut self) {
        self.versions = PrimaryMap::new();
        self.of = self.old.relations.keys().map(|_| Vec::new()).collect();
        self.clauses.clear();
        self.planned = 0;
        self.propagation.effort = 0;
        for (query, _) in self.old.queries() {
            self.unfold(query, None);
        }
        let mut next = 0;
        while next < self.versions.len() {
            let version = Version(u32::try_from(next).expect("an index of a table"));
            for clause in self.rules[self.versions[version].relation].clone() {
                self.unfold(clause, Some(version));
            }
            next += 1;
        }
    }

    /// Adds a clause for a version of its head, unless it is contradictory.
    fn unfold(&mut self, clause: Clause, head: Option<Version>) {
        let Some(conditions) = self.conditions(clause, head) else { return };
        let atoms = self.old.clauses[clause].body.iter().zip(conditions).enumerate();
        let body = atoms.map(|(index, (atom, condition))| {
            let place = (clause, index);
            self.fold(VersionData { relation: atom.relation, condition, parent: head, place })
        });
        let body = body.collect();
        self.clauses.push(Folded { clause, head, body });
    }

    /// The conditions of the body atoms; `None` if the constraint is contradictory.
    fn conditions(&mut self, clause: Clause, head: Option<Version>) -> Option<Vec<Condition>> {
        let data = &self.old.clauses[clause];
        if !self.own.contains_key(&clause) {
            let own = project(&mut self.propagation, self.old, data, &Condition::default());
            self.own.insert(clause, own);
        }
        let own = self.own[&clause].as_ref()?;
        match head.map(|head| &self.versions[head].condition).filter(|condition| !condition.is_true()) {
            None => Some(own.clone()),
            Some(condition) => project(&mut self.propagation, self.old, data, condition),
        }
    }

    /// The version with which an atom is folded whose exact version would be `new`.
    fn fold(&mut self, mut new: VersionData) -> Version {
        let (relation, exact) = (new.relation, new.condition.clone());
        new.condition = self.generalize(&new);
        if let Some(version) = self.find(relation, &new.condition) {
            return version;
        }
        if !new.condition.is_true() {
            let planned = self.planned + self.rules[relation].len();
            if self.of[relation].len() < MAX_VERSIONS && planned <= MAX_CLAUSES {
                self.planned = planned;
                return self.introduce(new);
            }
            self.exceeded.insert(relation);
            for &version in &self.of[relation] {
                let known = &self.versions[version].condition;
                if !known.is_true() && exact.implies(&mut self.propagation, known) {
                    return version;
                }
            }
            new.condition = Condition::default();
        }
        self.find(relation, &new.condition).unwrap_or_else(|| self.introduce(new))
    }

    fn find(&self, relation: Relation, condition: &Condition) -> Option<Version> {
        self.of[relation].iter().copied().find(|&version| self.versions[version].condition == *condition)
    }

    fn introduce(&mut self, data: VersionData) -> Version {
        let relation = data.relation;
        let version = self.versions.push(data);
        self.of[relation].push(version);
        version
    }

    /// The condition of a new version, generalized by an ancestor.
    fn generalize(&mut self, new: &VersionData) -> Condition {
        let is_coarse = self.coarse.contains(&new.relation);
        // Versions of other components have no further ancestors of the relation.
        let component = self.components.of[new.relation];
        let mut next = new.parent;
        while let Some(data) = next.map(|version| &self.versions[version]) {
            self.propagation.effort += 1;
            if self.propagation.effort > EFFORT {
                return Condition::default();
            }
            if self.components.of[data.relation] != component {
                break;
            }
            if data.relation == new.relation && (is_coarse || data.place == new.place) {
                let widened = data.condition.widen(&mut self.propagation, &new.condition);
                let (clause, index) = new.place;
                return match &self.own[&clause] {
                    Some(own) if !is_coarse => widened.meet(&own[index]),
                    _ => widened,
                };
            }
            next = data.parent;
        }
        new.condition.clone()
    }

    /// The version that replaces each version: a more general one.
    fn minimize(&mut self) -> PrimaryMap<Version, Version> {
        let classes = self.classes();
        let mut general: PrimaryMap<Version, Version> = self.versions.keys().collect();
        for version in self.versions.keys().rev() {
            let mut next = self.versions[version].parent;
            while let Some(ancestor) = next {
                self.propagation.effort += 1;
                if self.propagation.effort > EFFORT {
                    break;
                }
                next = self.versions[ancestor].parent;
                if classes[ancestor] != classes[version] {
                    continue;
                }
                for (special, other) in [(ancestor, version), (version, ancestor)] {
                    let other = last(&general, other);
                    let [condition, weaker] =
                        [special, other].map(|version| &self.versions[version].condition);
                    if general[special] == special
                        && other != special
                        && condition.implies(&mut self.propagation, weaker)
                    {
                        general[special] = other;
                    }
                }
            }
        }
        general.keys().map(|version| last(&general, version)).collect()
    }

    /// Equal numbers for versions of a relation that keep the same clauses.
    fn classes(&self) -> PrimaryMap<Version, usize> {
        let mut clauses: PrimaryMap<Version, Vec<&Folded>> =
            self.versions.keys().map(|_| Vec::new()).collect();
        for folded in &self.clauses {
            if let Some(head) = folded.head {
                clauses[head].push(folded);
            }
        }
        let mut classes: PrimaryMap<Version, usize> =
            self.versions.values().map(|data| data.relation.0 as usize).collect();
        let mut count = 0;
        for _ in 0..MAX_DEPTH {
            type Key = (usize, Vec<(Clause, Vec<usize>)>);
            let mut numbers: IndexMap<Key, usize, FxBuildHasher> = IndexMap::default();
            let refined = clauses.iter().map(|(version, clauses)| {
                let body = |folded: &&Folded| {
                    (folded.clause, folded.body.iter().map(|&version| classes[version]).collect())
                };
                let next = numbers.len();
                *numbers.entry((classes[version], clauses.iter().map(body).collect())).or_insert(next)
            });
            classes = refined.collect();
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
        }
        classes
    }

    /// The clauses over those representatives that queries need.
    fn result(self, representatives: &PrimaryMap<Version, Version>) -> Transformed {
        let (old, pool) = (self.old, self.propagation.pool);
        let mut clauses = self.clauses;
        for version in clauses.iter_mut().flat_map(|folded| &mut folded.body) {
            *version = representatives[*version];
        }
        let needed = needed(&clauses);
        clauses.retain(|folded| folded.head.is_none_or(|head| needed.contains(&head)));
        // As in the old system.
        clauses.sort_by_key(|folded| (folded.clause, folded.head));
        let mut names: FxHashSet<String> = old.relations.values().map(|data| data.name.clone()).collect();
        let mut system = System::default();
        let mut relations: FxHashMap<Version, (Relation, Term)> = FxHashMap::default();
        let mut definitions = Vec::new();
        for (relation, data) in old.relations.iter() {
            let kept: Vec<Version> =
                self.of[relation].iter().copied().filter(|version| needed.contains(version)).collect();
            let mut versions = Vec::with_capacity(kept.len());
            for (number, &version) in kept.iter().enumerate() {
                let name = match kept.len() {
                    1 => data.name.clone(),
                    _ => fresh(&mut names, format!("{}.{}", data.name, number + 1)),
                };
                let new = system.relations.push(RelationData { name, ..data.clone() });
                let condition = self.versions[version].condition.formula(pool);
                relations.insert(version, (new, condition));
                versions.push((new, condition));
            }
            definitions.push((relation, Definition::Versions(versions)));
        }
        let mut sources = PrimaryMap::new();
        for folded in &clauses {
            system.clauses.push(clause(pool, &old.clauses[folded.clause], folded, &relations));
            sources.push(Source::Old(folded.clause));
        }
        Transformed { system, back: Back { old: old.clone(), definitions, sources, ..Back::default() } }
    }
}

/// The end of a chain of replacements.
fn last(general: &PrimaryMap<Version, Version>, mut version: Version) -> Version {
    while general[version] != version {
        version = general[version];
    }
    version
}

/// The versions that derivations of queries may use.
fn needed(clauses: &[Folded]) -> FxHashSet<Version> {
    let mut rules: FxHashMap<Version, Vec<&Folded>> = FxHashMap::default();
    let mut stack: Vec<Version> = Vec::new();
    for folded in clauses {
        match folded.head {
            Some(head) => rules.entry(head).or_default().push(folded),
            None => stack.extend(&folded.body),
        }
    }
    let mut needed = FxHashSet::default();
    while let Some(version) = stack.pop() {
        if needed.insert(version) {
            stack.extend(rules.get(&version).into_iter().flatten().flat_map(|folded| &folded.body));
        }
    }
    needed
}

fn fresh(names: &mut FxHashSet<String>, mut name: String) -> String {
    while !names.insert(name.clone()) {
        name.push('\'');
    }
    name
}

/// The clause of the new system.
fn clause(
    pool: &mut TermPool,
    old: &ClauseData,
    folded: &Folded,
    relations: &FxHashMap<Version, (Relation, Term)>,
) -> ClauseData {
    let mut conjuncts = vec![old.constraint];
    if let Some(head) = folded.head {
        conjuncts.push(old.at_head(pool, relations[&head].1));
    }
    let constraint = pool.and(&conjuncts);
    let mut new = match constraint == old.constraint {
        true => old.clone(),
        false => old.with_constraint(pool, constraint),
    };
    let renamed = |atom: &mut Atom, version: Version| atom.relation = relations[&version].0;
    new.body.iter_mut().zip(&folded.body).for_each(|(atom, &version)| renamed(atom, version));
    if let (Some(atom), Some(version)) = (&mut new.head, folded.head) {
        renamed(atom, version);
    }
    new
}
