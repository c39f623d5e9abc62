//! Inlining: relations without a clause from themselves to themselves are replaced by the clauses
//! that derive them.
//!
//! Each clause with such a relation `R` in its body is resolved with each clause that derives `R`
//! (unfolding: Tamaki and Sato, *Unfold/Fold Transformation of Logic Programs*, ICLP 1984; for
//! constrained clauses De Angelis, Fioravanti, Gallagher, Hermenegildo, Pettorossi and Proietti,
//! *Analysis and Transformation of Constrained Horn Clauses for Program Verification*, TPLP 2022,
//! section 4). A chain of relations becomes one clause, so a program is left with its loop heads. A
//! relation is inlined only if there are no more clauses afterwards, and if the constraints stay
//! small.
//!
//! *Models.* The formula of `R` is the weakest one that satisfies the clauses that use it, if it
//! has no quantifiers: these clauses are linear, without inner symbols, and the new state is a term
//! over the old one. Otherwise it is the strongest one: the disjunction over the clauses that
//! derive `R`, with quantifiers over the symbols that equations do not determine.
//!
//! Cost: each inlining takes time linear in the clauses that it makes, whose size is bounded.

use super::Transformed;
use super::back::{Back, Definition, History, Made, Part, Source, kept, moved, symbols};
use super::equations::solve;
use horn::{ClauseData, Normalizer, OpenAtom, OpenClause, Relation, System, Update};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::entity::PrimaryMap;
use terms::{Symbol, Term, TermPool};

/// The most distinct terms in the constraint of a clause that is made.
const MAX_SIZE: usize = 20_000;

/// A clause during the pass.
struct Working {
    data: ClauseData,
    source: Source,
    /// The distinct terms of the constraint.
    size: usize,
}

struct Inliner<'s> {
    old: &'s System,
    normalizer: Normalizer,
    /// Removed clauses are `None`.
    clauses: Vec<Option<Working>>,
    /// The clauses with a relation in their head, and in their body; also removed ones.
    rules: PrimaryMap<Relation, Vec<usize>>,
    users: PrimaryMap<Relation, Vec<usize>>,
    history: History,
    /// The inlined relations in order.
    inlined: Vec<(Relation, Definition)>,
}

pub(super) fn inline(pool: &mut TermPool, old: &System) -> Transformed {
    let mut inliner = Inliner {
        old,
        normalizer: Normalizer::of(old),
        clauses: Vec::new(),
        rules: old.relations.keys().map(|_| Vec::new()).collect(),
        users: old.relations.keys().map(|_| Vec::new()).collect(),
        history: History::default(),
        inlined: Vec::new(),
    };
    for (clause, data) in old.clauses.iter() {
        let size = pool.dag_size(data.constraint);
        inliner.add(Working { data: data.clone(), source: Source::Old(clause), size });
    }
    let mut work: BTreeSet<Relation> = old.relations.keys().collect();
    while let Some(relation) = work.pop_first() {
        work.extend(inliner.try_inline(pool, relation));
    }
    inliner.finish(pool)
}

impl Inliner<'_> {
    fn add(&mut self, clause: Working) {
        let number = self.clauses.len();
        if let Some(head) = clause.data.to() {
            self.rules[head].push(number);
        }
        let bodies: BTreeSet<Relation> = clause.data.body.iter().map(|atom| atom.relation).collect();
        for relation in bodies {
            self.users[relation].push(number);
        }
        self.clauses.push(Some(clause));
    }

    fn data(&self, number: usize) -> &ClauseData {
        &self.clauses[number].as_ref().expect("the clause is not removed").data
    }

    /// Inlines a relation if this is worthwhile. Returns the relations for which it may now be.
    fn try_inline(&mut self, pool: &mut TermPool, relation: Relation) -> BTreeSet<Relation> {
        let clauses = &self.clauses;
        self.rules[relation].retain(|&number| clauses[number].is_some());
        self.users[relation].retain(|&number| clauses[number].is_some());
        let (rules, users) = (self.rules[relation].clone(), self.users[relation].clone());
        let atoms_of =
            |number: usize| self.data(number).body.iter().filter(|atom| atom.relation == relation).count();
        let size_of = |numbers: &[usize]| {
            numbers.iter().filter_map(|&n| Some(clauses[n].as_ref()?.size)).max().unwrap_or(0)
        };
        let is_recursive = rules.iter().any(|rule| users.contains(rule));
        let occurrences: usize = users.iter().map(|&user| atoms_of(user)).sum();
        let is_worthwhile = rules.len() <= 1
            || occurrences <= 1 && users.len() <= 1
            || occurrences == users.len() && rules.len() * users.len() <= rules.len() + users.len();
        let most = users.iter().map(|&user| atoms_of(user)).max().unwrap_or(0);
        if is_recursive
            || !is_worthwhile
            || size_of(&users).saturating_add(most.saturating_mul(size_of(&rules))) > MAX_SIZE
        {
            return BTreeSet::new();
        }
        let copies = |numbers: &[usize]| numbers.iter().map(|&number| self.data(number).clone()).collect();
        let definition = match users.iter().all(|&user| is_deterministic(self.data(user))) {
            true => Definition::Weakest(copies(&users)),
            false => Definition::Strongest(copies(&rules)),
        };
        self.inlined.push((relation, definition));
        let mut affected = BTreeSet::new();
        for &user in &users {
            let user = self.clauses[user].take().expect("the clause is not removed");
            affected.extend(user.data.body.iter().map(|atom| atom.relation));
            affected.extend(user.data.to());
            self.unfold(pool, relation, user, &rules);
        }
        for rule in rules {
            let rule = self.clauses[rule].take().expect("the clause is not removed");
            affected.extend(rule.data.body.iter().map(|atom| atom.relation));
        }
        affected.remove(&relation);
        affected
    }

    /// Adds the resolvents of `user` with `rules` for all atoms of the relation.
    fn unfold(&mut self, pool: &mut TermPool, relation: Relation, user: Working, rules: &[usize]) {
        let mut open = vec![user];
        while let Some(clause) = open.pop() {
            let Some(index) = clause.data.body.iter().position(|atom| atom.relation == relation) else {
                self.add(clause);
                continue;
            };
            for &rule in rules.iter().rev() {
                let rule = self.clauses[rule].take().expect("the clause is not removed");
                open.extend(self.resolve(pool, &clause, index, &rule));
                let number = rules.iter().position(|&number| self.clauses[number].is_none());
                self.clauses[rules[number.expect("the rule was taken")]] = Some(rule);
            }
        }
    }

    /// The resolvent of `user`, at the atom with this index, and `rule`; `None` if its constraint
    /// is false.
    fn resolve(
        &mut self,
        pool: &mut TermPool,
        user: &Working,
        index: usize,
        rule: &Working,
    ) -> Option<Working> {
        let own = symbols(pool, &user.data);
        let taken: FxHashSet<Symbol> = own.iter().copied().collect();
        let others = symbols(pool, &rule.data);
        let mut renamed: FxHashMap<Term, Term> = FxHashMap::default();
        for &symbol in &others {
            if taken.contains(&symbol) {
                let term = pool.symbol_term(symbol);
                let name = pool.symbol_data(symbol).name.clone();
                let variable = pool.bound(&format!("{name}'"), pool.sort(term));
                renamed.insert(term, variable);
            }
        }
        let rename = |term: Term| renamed.get(&term).copied().unwrap_or(term);
        let atom = |atom: &horn::Atom| (atom.relation, atom.arguments.clone());
        let moved = |atom: &horn::Atom| -> OpenAtom {
            (atom.relation, atom.arguments.iter().map(|&argument| rename(argument)).collect())
        };
        let (before, after) = user.data.body.split_at(index);
        let mut body: Vec<OpenAtom> = before.iter().map(atom).collect();
        body.extend(rule.data.body.iter().map(moved));
        body.extend(after[1..].iter().map(atom));
        let derived = moved(rule.data.head.as_ref().expect("a rule has a head"));
        let mut constraint: Vec<Term> =
            after[0].arguments.iter().zip(derived.1).map(|(&a, b)| pool.eq(a, b)).collect();
        constraint.push(user.data.constraint);
        constraint.push(pool.map_leaves(rule.data.constraint, &mut |_, leaf| renamed.get(&leaf).copied()));
        let open = OpenClause { body, constraint, head: user.data.head.as_ref().map(atom) };
        let origin = joined(&rule.data.origin, &user.data.origin);
        let mut data = self.normalizer.clause(pool, self.old, &open, origin);
        let mut values = FxHashMap::default();
        let constraint = solve(pool, data.constraint, &data.inner, &mut values);
        if constraint == pool.fls() {
            return None;
        }
        if constraint != data.constraint {
            let updates = data.updates.iter();
            let updates =
                updates.map(|(&before, update)| (before, Update { after: update.after, value: None }));
            let head = (data.head.clone(), updates.collect());
            data = ClauseData::from_constraint(pool, data.body, constraint, head, data.origin);
        }
        let mut images = |symbols: &[Symbol], rename: &dyn Fn(Term) -> Term| -> Vec<(Symbol, Term)> {
            let images = symbols.iter().map(|&symbol| {
                let term = rename(pool.symbol_term(symbol));
                let image = self.normalizer.image(pool, term);
                (symbol, values.get(&image).copied().unwrap_or(image))
            });
            images.collect()
        };
        let main = Part { source: user.source, images: images(&own, &|term| term) };
        let part = Part { source: rule.source, images: images(&others, &rename) };
        let count = rule.data.body.len();
        let source = self.history.add(Made::Resolvent { main, index, count, part });
        let size = pool.dag_size(data.constraint);
        Some(Working { data, source, size })
    }

    fn finish(self, pool: &mut TermPool) -> Transformed {
        let gone: FxHashSet<Relation> = self.inlined.iter().map(|&(relation, _)| relation).collect();
        let mut system = System::default();
        let mut relations = FxHashMap::default();
        let mut definitions = Vec::new();
        for (relation, data) in self.old.relations.iter() {
            if !gone.contains(&relation) {
                let new = system.relations.push(data.clone());
                relations.insert(relation, new);
                definitions.push((relation, kept(pool, new)));
            }
        }
        // A relation is defined by those that were inlined after it.
        definitions.extend(self.inlined.into_iter().rev());
        let mut sources = PrimaryMap::new();
        for Working { data, source, .. } in self.clauses.into_iter().flatten() {
            let body = data.body.iter().map(|atom| moved(atom, &relations));
            let body = body.collect::<Option<Vec<_>>>().expect("inlined relations do not occur");
            let head = data.head.as_ref();
            let head = head.map(|atom| moved(atom, &relations).expect("inlined relations do not occur"));
            system.clauses.push(ClauseData { body, head, ..data });
            sources.push(source);
        }
        let back =
            Back { old: self.old.clone(), definitions, history: self.history, sources, ..Back::default() };
        Transformed { system, back }
    }
}

/// Whether the new state is a term over the old one.
fn is_deterministic(clause: &ClauseData) -> bool {
    clause.body.len() == 1
        && clause.inner.is_empty()
        && clause.updates.values().all(|update| update.value.is_some())
}

/// The origins of both clauses, if they are short.
fn joined(first: &str, second: &str) -> String {
    const MOST: usize = 200;
    if first.is_empty() || second.is_empty() || first.len() + second.len() > MOST {
        return if second.is_empty() { first.to_owned() } else { second.to_owned() };
    }
    format!("{first}; {second}")
}
