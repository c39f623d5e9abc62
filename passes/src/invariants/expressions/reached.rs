//! The CPA algorithm: the abstract states at all loop heads.

use super::state::{Merge, Scope, State};
use super::{Joins, Precision};
use backends::{Limits, Reason};
use horn::{ClauseData, Relation, System};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The largest number of states of a loop head.
pub(super) const MOST_STATES: usize = 16;
/// The number of merges after which a state is widened, the number of widenings until thresholds
/// are ignored, and the number of those until a state has no new equations.
const PATIENCE: [u32; 3] = [32, 12, 12];
/// The largest number of terms that one search evaluates.
const MOST_WORK: usize = 2_000_000;

/// The reached states of each relation.
pub(super) struct Reached {
    pub(super) states: PrimaryMap<Relation, Vec<State>>,
    /// Whether a query is reached.
    pub(super) contains_target: bool,
}

/// The reason why there is no fixpoint.
pub(super) enum Failure {
    /// Too many states differ in this important variable.
    Variable(Term),
    /// The bound of the work is exceeded.
    Work,
    /// A limit of the caller is exceeded.
    Limit(Reason),
}

struct Search<'s> {
    /// The clauses from each relation, and the entries.
    from: PrimaryMap<Relation, Vec<&'s ClauseData>>,
    entries: Vec<&'s ClauseData>,
    variables: PrimaryMap<Relation, Vec<Term>>,
    precision: &'s Precision,
    thresholds: &'s [i128],
    states: PrimaryMap<Relation, Vec<State>>,
    /// The number of merges into each state.
    merges: PrimaryMap<Relation, Vec<u32>>,
    waiting: BTreeSet<(Relation, usize)>,
}

/// Computes the reached states of `system`, whose clauses are linear.
pub(super) fn reached(
    pool: &mut TermPool,
    system: &System,
    precision: &Precision,
    thresholds: &[i128],
    limits: &Limits,
) -> Result<Reached, Failure> {
    let mut scope = Scope { pool, depth: precision.depth, offsets: FxHashMap::default(), work: 0 };
    let mut search = Search::new(system, precision, thresholds);
    for clause in search.entries.clone() {
        search.follow(&mut scope, clause, None)?;
    }
    while let Some((relation, index)) = search.waiting.pop_first() {
        search.check(&scope, limits)?;
        for clause in search.from[relation].clone() {
            search.follow(&mut scope, clause, Some((relation, index)))?;
        }
    }
    let mut contains_target = false;
    for (_, clause) in system.queries() {
        search.check(&scope, limits)?;
        contains_target = contains_target || search.reaches(&mut scope, clause);
    }
    Ok(Reached { states: search.states, contains_target })
}

impl<'s> Search<'s> {
    fn new(system: &'s System, precision: &'s Precision, thresholds: &'s [i128]) -> Self {
        let mut from: PrimaryMap<Relation, Vec<&ClauseData>> =
            system.relations.keys().map(|_| Vec::new()).collect();
        let mut entries = Vec::new();
        for (_, clause) in system.rules() {
            match clause.body.first() {
                Some(atom) => from[atom.relation].push(clause),
                None => entries.push(clause),
            }
        }
        Search {
            from,
            entries,
            variables: system.relations.values().map(|relation| relation.symbols().collect()).collect(),
            precision,
            thresholds,
            states: system.relations.keys().map(|_| Vec::new()).collect(),
            merges: system.relations.keys().map(|_| Vec::new()).collect(),
            waiting: BTreeSet::new(),
        }
    }

    fn check(&self, scope: &Scope<'_>, limits: &Limits) -> Result<(), Failure> {
        if scope.work > MOST_WORK {
            return Err(Failure::Work);
        }
        limits.exceeded().map_or(Ok(()), |reason| Err(Failure::Limit(reason)))
    }

    /// Adds the successor of a state along `clause`, if there is one.
    fn follow(
        &mut self,
        scope: &mut Scope<'_>,
        clause: &ClauseData,
        from: Option<(Relation, usize)>,
    ) -> Result<(), Failure> {
        let Some(to) = clause.to() else { return Ok(()) };
        let before = match from {
            Some((relation, index)) => (&self.variables[relation][..], Some(&self.states[relation][index])),
            None => (&[][..], None),
        };
        match scope.successor(clause, before, &self.variables[to]) {
            Ok(state) => self.add(scope, to, state),
            Err(_) => Ok(()),
        }
    }

    /// Whether a state satisfies the guard of a query.
    fn reaches(&self, scope: &mut Scope<'_>, query: &ClauseData) -> bool {
        let Some(from) = query.from() else { return scope.guarded(query, (&[], None)).is_ok() };
        let variables = &self.variables[from][..];
        self.states[from].iter().any(|state| scope.guarded(query, (variables, Some(state))).is_ok())
    }

    fn add(&mut self, scope: &mut Scope<'_>, relation: Relation, new: State) -> Result<(), Failure> {
        let variables = &self.variables[relation];
        if self.states[relation].iter().any(|own| scope.covers(variables, own, &new)) {
            return Ok(());
        }
        let important: Vec<usize> = (0..variables.len())
            .filter(|&index| self.precision.important.contains(&variables[index]))
            .collect();
        let differ = |own: &State| {
            let differs = |&index: &usize| {
                own.values[index] != new.values[index] || own.equations[index] != new.equations[index]
            };
            important.iter().any(differs)
        };
        let Some(index) = self.states[relation].iter().position(|own| !differ(own)) else {
            if self.states[relation].len() >= MOST_STATES {
                return Err(self.overflow(relation, &important));
            }
            self.waiting.insert((relation, self.states[relation].len()));
            self.states[relation].push(new);
            self.merges[relation].push(0);
            return Ok(());
        };
        let [patience, thresholds, equations] = PATIENCE;
        let delay = if self.precision.joins == Joins::Union { patience } else { 0 };
        let merge = match self.merges[relation][index].checked_sub(delay) {
            None => Merge::Union,
            Some(count) if count < thresholds => Merge::Widen(self.thresholds),
            Some(count) if count < thresholds + equations => Merge::Widen(&[]),
            Some(_) => Merge::Shrink,
        };
        let old = &self.states[relation][index];
        let merged = scope.merge(variables, [old, &new], merge);
        if merged != *old {
            self.states[relation][index] = merged;
            self.merges[relation][index] += 1;
            self.waiting.insert((relation, index));
        }
        Ok(())
    }

    /// The important variable with the most different values in the states of a relation.
    fn overflow(&self, relation: Relation, important: &[usize]) -> Failure {
        let count = |index: usize| {
            let mut different: Vec<_> = Vec::new();
            for state in &self.states[relation] {
                let own = (&state.values[index], &state.equations[index]);
                if !different.contains(&own) {
                    different.push(own);
                }
            }
            different.len()
        };
        match important.iter().max_by_key(|&&index| (count(index), std::cmp::Reverse(index))) {
            Some(&index) => Failure::Variable(self.variables[relation][index]),
            None => Failure::Work,
        }
    }
}
