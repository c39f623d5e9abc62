//! Linearization: nonlinear clauses become linear clauses over configurations.
//!
//! A *configuration* is a sequence of atoms that are to be derived, a goal of SLD resolution. There
//! is a relation `c` for each sequence of relations that resolution reaches; its arguments are
//! those of all atoms. A query `B ∧ φ ⇒ false` becomes `B ∧ φ ⇒ false` with one atom for the whole
//! body `B`. Resolution selects the last atom `p` of a configuration `c·p`, so each clause
//! `B ∧ φ ⇒ p` becomes
//!
//! ```text
//! c·B ∧ φ ⇒ c·p
//! ```
//!
//! The empty configuration is true: a fact becomes `c ∧ φ ⇒ c·p`, and it remains a fact if `c` is
//! empty. The atoms of `c·p` are derivable together iff each of them is, and any selection rule
//! finds all derivations, so the new system is satisfiable iff the old one is.
//!
//! *Order.* The body `B` is sorted by strongly connected components, with callers before callees.
//! So the callees are derived completely while the callers wait, and a recursive call is a tail
//! call. If no clause has several body atoms in the component of its head (the system is *piecewise
//! linear*), configurations are bounded by the nesting of calls, and the pass is **exact**.
//!
//! *Bound.* Otherwise a clause such as `fib(n-1, a) ∧ fib(n-2, b) ⇒ fib(n, a+b)` makes arbitrarily
//! long configurations. Here the new system stands for the derivations of bounded *tree dimension*:
//! a leaf has the dimension 0, and a node the largest dimension of its children, or one more if
//! several children have it. Only children in the component of their parent count. An atom of such
//! a component has a bound `d` of its dimension: in a clause for it, one of the atoms of the
//! component may have the dimension `d` and comes first in the configuration, so it is derived when
//! the other ones are; they have the bound `d - 1`. There is a clause for each choice of that atom.
//! So every derivation of at most the dimension [`DIMENSION`] is found: each with fewer than
//! `2^(DIMENSION + 1)` leaves, and larger ones, such as chains of any length. The result is an
//! **under-approximation**: derivations have a way back, models may not. If the system becomes too
//! large, a smaller dimension is tried.
//!
//! Source: Afrati, Gergatsoulis and Toni, *Linearisability on Datalog Programs*, TCS 2003, for
//! piecewise linear programs; Kafle, Gallagher and Ganty, *Solving Non-linear Horn Clauses Using a
//! Linear Horn Clause Solver*, HCVS 2016, and *Tree Dimension in Verification of Constrained Horn
//! Clauses*, TPLP 2018, for the bound; De Angelis, Fioravanti, Pettorossi and Proietti, *Proving
//! Correctness of Imperative Programs by Linearizing Constrained Horn Clauses*, TPLP 2015.
//!
//! DIVERGENCE: Kafle, Gallagher and Ganty bound the dimension of whole trees, and linearize by
//! specialization of an interpreter. Here components without nonlinear recursion have no bound, and
//! atoms have no exact dimensions, only bounds.
//!
//! *Models.* A state satisfies `p` if it completes each waiting configuration, as in the division
//! of relations:
//!
//! ```text
//! p(x) = ⋀ { ∀ y. c(y) ⇒ c·p(x, y) | c·p is a configuration }
//! ```
//!
//! For an exact result this is a model: if `c(y)` holds, then adding the atoms of `B` one after the
//! other gives `c·B`, hence `c·p(x, y)`. There is no quantifier if no configuration has other atoms
//! before `p`. Relations that no clause derives are false. For an under-approximation, `p` is the
//! atom with the largest bound. The result may still be a model, which the check on the old system
//! decides.
//!
//! *Derivations.* Each step stands for one step of the old system, see
//! [`configurations`](super::back::Order::Configurations).
//!
//! Cost: a relation for each configuration, and each clause once for each configuration that ends
//! with the relation of its head.
//!
//! # Limits
//! A linear system remains as it is, and so does one that exceeds the limits below with the
//! dimension 1. Quantified models are often hard to check.

#[cfg(test)]
mod tests;

use super::Transformed;
use super::back::{Back, Definition, History, Instance, Made, Order, Part, Source, Universal, symbols};
use super::merge::origins;
use super::reverse::unchanged;
use super::slice::derivable;
use horn::{
    Argument, Atom, Clause, ClauseData, Components, Normalizer, OpenAtom, OpenClause, Relation, RelationData,
    System,
};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cmp::Reverse;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The largest dimension of derivations in a component with nonlinear recursion.
const DIMENSION: usize = 3;
/// The most configurations.
const MAX_RELATIONS: usize = 1_000;
/// The most clauses over configurations.
const MAX_CLAUSES: usize = 5_000;
/// The most arguments of a configuration.
const MAX_ARGUMENTS: usize = 200;

pub(super) fn linearize(pool: &mut TermPool, old: &System) -> Transformed {
    if old.is_linear() {
        return unchanged(pool, old);
    }
    let rules = Rules::of(pool, old);
    let resolved = (1..=DIMENSION).rev().find_map(|dimension| Resolution::of(&rules, dimension));
    match resolved {
        Some(resolution) => Linearizer::new(&rules, &resolution).run(pool),
        None => unchanged(pool, old),
    }
}

/// The clauses for resolution.
struct Rules<'s> {
    old: &'s System,
    derivable: FxHashSet<Relation>,
    components: Components,
    /// For each component, whether a clause has several body atoms in the component of its head.
    is_nonlinear: Vec<bool>,
    /// The clauses with derivable bodies, by the relations of their heads.
    of: FxHashMap<Relation, Vec<Clause>>,
    queries: Vec<Clause>,
}

impl<'s> Rules<'s> {
    fn of(pool: &TermPool, old: &'s System) -> Self {
        let (derivable, components) = (derivable(pool, old), old.components());
        let mut is_nonlinear = vec![false; components.components.len()];
        let mut of: FxHashMap<Relation, Vec<Clause>> = FxHashMap::default();
        let mut queries = Vec::new();
        for (clause, data) in old.clauses.iter() {
            if pool.as_bool(data.constraint) == Some(false)
                || !data.body.iter().all(|atom| derivable.contains(&atom.relation))
            {
                continue;
            }
            match data.to() {
                Some(head) => {
                    is_nonlinear[components.of[head]] |= recursive(&components, data).len() > 1;
                    of.entry(head).or_default().push(clause);
                }
                None => queries.push(clause),
            }
        }
        Rules { old, derivable, components, is_nonlinear, of, queries }
    }
}

/// The indices of the body atoms in the component of the head.
fn recursive(components: &Components, data: &ClauseData) -> Vec<usize> {
    let own = data.to().map(|head| components.of[head]);
    let atoms = data.body.iter().enumerate();
    atoms.filter(|(_, atom)| Some(components.of[atom.relation]) == own).map(|(index, _)| index).collect()
}

/// An atom of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Subgoal {
    relation: Relation,
    /// The bound of the dimension of its derivation; 0 in a component without nonlinear recursion,
    /// where all derivations have this dimension.
    dimension: usize,
}

type Configuration = Vec<Subgoal>;

/// A clause of the old system, and the order in which its body becomes a part of a configuration.
struct Expansion {
    clause: Clause,
    /// The indices of the atoms of the body.
    order: Vec<usize>,
    /// The atoms in this order.
    subgoals: Configuration,
}

/// A clause over configurations.
struct ResolutionStep {
    expansion: Expansion,
    /// The configuration of the body; `None` for the empty one.
    body: Option<Relation>,
    /// The configuration of the head; `None` for a query.
    head: Option<Relation>,
}

/// All configurations that resolution reaches from the queries, and the clauses over them.
struct Resolution {
    /// The bound of the dimension of derivations.
    dimension: usize,
    configurations: IndexMap<Configuration, Relation, FxBuildHasher>,
    steps: Vec<ResolutionStep>,
}

impl Resolution {
    /// The result of resolution; `None` if it exceeds the limits.
    fn of(rules: &Rules, dimension: usize) -> Option<Self> {
        let mut resolution = Resolution { dimension, configurations: IndexMap::default(), steps: Vec::new() };
        for &query in &rules.queries {
            resolution.resolve(rules, query, None)?;
        }
        let mut next = 0;
        while let Some((configuration, &relation)) = resolution.configurations.get_index(next) {
            let configuration = configuration.clone();
            let last = configuration.last().expect("the empty configuration has no relation");
            for &clause in rules.of.get(&last.relation).into_iter().flatten() {
                resolution.resolve(rules, clause, Some((&configuration, relation)))?;
            }
            next += 1;
        }
        // As in the old system.
        resolution.steps.sort_by_key(|step| step.expansion.clause);
        Some(resolution)
    }

    /// Adds the resolvents of a configuration, or of a query, with a clause for its last atom;
    /// `None` if there are too many.
    fn resolve(
        &mut self,
        rules: &Rules,
        clause: Clause,
        head: Option<(&Configuration, Relation)>,
    ) -> Option<()> {
        let (rest, dimension) = match head.and_then(|(configuration, _)| configuration.split_last()) {
            Some((last, rest)) => (rest, last.dimension),
            None => (&[][..], 0),
        };
        for expansion in self.expansions(rules, clause, dimension) {
            let body = [rest, &expansion.subgoals].concat();
            let body = match body.is_empty() {
                true => None,
                false => Some(self.relation(rules, body)?),
            };
            self.steps.push(ResolutionStep { expansion, body, head: head.map(|(_, relation)| relation) });
        }
        (self.steps.len() <= MAX_CLAUSES).then_some(())
    }

    fn relation(&mut self, rules: &Rules, configuration: Configuration) -> Option<Relation> {
        let arguments = |subgoal: &Subgoal| rules.old.relations[subgoal.relation].arguments.len();
        let arguments: usize = configuration.iter().map(arguments).sum();
        let next = Relation(u32::try_from(self.configurations.len()).ok()?);
        let relation = *self.configurations.entry(configuration).or_insert(next);
        (arguments <= MAX_ARGUMENTS && self.configurations.len() <= MAX_RELATIONS).then_some(relation)
    }

    /// The orders of the body of a clause whose head has this bound. An atom that may have the
    /// dimension of the head is derived last.
    fn expansions(&self, rules: &Rules, clause: Clause, dimension: usize) -> Vec<Expansion> {
        let data = &rules.old.clauses[clause];
        let component = |index: usize| rules.components.of[data.body[index].relation];
        let own = recursive(&rules.components, data);
        let mut calls: Vec<usize> = (0..data.body.len()).filter(|index| !own.contains(index)).collect();
        calls.sort_by_key(|&index| Reverse(component(index)));
        let smaller = match own.len() {
            0 | 1 => Some(dimension),
            _ => dimension.checked_sub(1),
        };
        let Some(smaller) = smaller else { return Vec::new() };
        let expansion = |first: usize| {
            let mut order = own.clone();
            if !order.is_empty() {
                order[..=first].rotate_right(1);
            }
            order.extend(&calls);
            let subgoal = |(place, &index): (usize, &usize)| {
                let relation = data.body[index].relation;
                let dimension = match place {
                    _ if place >= own.len() => self.entry(rules, relation).dimension,
                    0 => dimension,
                    _ => smaller,
                };
                Subgoal { relation, dimension }
            };
            let subgoals = order.iter().enumerate().map(subgoal).collect();
            Expansion { clause, order, subgoals }
        };
        (0..own.len().max(1)).map(expansion).collect()
    }

    /// The atom of a clause of another component.
    fn entry(&self, rules: &Rules, relation: Relation) -> Subgoal {
        let is_nonlinear = rules.is_nonlinear[rules.components.of[relation]];
        Subgoal { relation, dimension: if is_nonlinear { self.dimension } else { 0 } }
    }
}

/// Makes the system over configurations.
struct Linearizer<'r, 's> {
    rules: &'r Rules<'s>,
    resolution: &'r Resolution,
    normalizer: Normalizer,
    /// The symbols of arguments by the place of the atom in the configuration, except the first
    /// one, which keeps its symbols.
    symbols: FxHashMap<(usize, Term), Term>,
    system: System,
}

impl<'r, 's> Linearizer<'r, 's> {
    fn new(rules: &'r Rules<'s>, resolution: &'r Resolution) -> Self {
        let (normalizer, system) = (Normalizer::of(rules.old), System::default());
        Linearizer { rules, resolution, normalizer, symbols: FxHashMap::default(), system }
    }

    fn run(mut self, pool: &mut TermPool) -> Transformed {
        let mut names = FxHashSet::default();
        for configuration in self.resolution.configurations.keys() {
            let data = self.relation(pool, configuration, &mut names);
            self.system.relations.push(data);
        }
        let old = self.rules.old;
        let (mut history, mut sources) = (History::default(), PrimaryMap::new());
        let mut orders = PrimaryMap::new();
        for step in &self.resolution.steps {
            let Expansion { clause, order, .. } = &step.expansion;
            let data = self.clause(pool, step);
            self.system.clauses.push(data);
            let images = symbols(pool, &old.clauses[*clause]).into_iter().map(|symbol| {
                let term = pool.symbol_term(symbol);
                (symbol, self.normalizer.image(pool, term))
            });
            let images = images.collect();
            sources.push(history.add(Made::Copy(Part { source: Source::Old(*clause), images })));
            orders.push(order.clone());
        }
        let definitions =
            old.relations.keys().map(|relation| (relation, self.definition(pool, relation))).collect();
        let order = Order::Configurations(orders);
        Transformed {
            system: self.system,
            back: Back { order, old: old.clone(), definitions, history, sources },
        }
    }

    fn relation(
        &mut self,
        pool: &mut TermPool,
        configuration: &[Subgoal],
        names: &mut FxHashSet<String>,
    ) -> RelationData {
        let relations = &self.rules.old.relations;
        let (mut parts, mut arguments) = (Vec::new(), Vec::new());
        for (place, subgoal) in configuration.iter().enumerate() {
            let data = &relations[subgoal.relation];
            parts.push(match self.rules.is_nonlinear[self.rules.components.of[subgoal.relation]] {
                true => format!("{}^{}", data.name, subgoal.dimension),
                false => data.name.clone(),
            });
            for argument in &data.arguments {
                let name = match place {
                    0 => argument.name.clone(),
                    _ => format!("{}.{place}", argument.name),
                };
                let symbol = self.symbol(pool, place, argument.symbol);
                arguments.push(Argument { name, symbol });
            }
        }
        let mut name = parts.join("&");
        while !names.insert(name.clone()) {
            name.push('!');
        }
        let origin = origins(configuration.iter().map(|subgoal| &*relations[subgoal.relation].origin));
        RelationData { name, arguments, origin }
    }

    /// The symbol of an argument of the atom at a place of a configuration. Configurations share
    /// them, so the arguments of waiting atoms do not change.
    fn symbol(&mut self, pool: &mut TermPool, place: usize, own: Term) -> Term {
        if place == 0 {
            return own;
        }
        if let Some(&symbol) = self.symbols.get(&(place, own)) {
            return symbol;
        }
        let name = format!("{}.{place}", super::name(pool, own));
        let symbol = self.normalizer.argument(pool, &name, pool.sort(own));
        self.symbols.insert((place, own), symbol);
        symbol
    }

    fn clause(&mut self, pool: &mut TermPool, step: &ResolutionStep) -> ClauseData {
        let data = &self.rules.old.clauses[step.expansion.clause];
        let own = data.head.as_ref().map_or(0, |head| head.arguments.len());
        let all = step.head.map_or(0, |head| self.system.relations[head].arguments.len());
        let waiting: Vec<Term> = step
            .head
            .iter()
            .flat_map(|&head| self.system.relations[head].symbols().take(all - own))
            .enumerate()
            .map(|(place, symbol)| pool.bound(&format!("waiting {place}"), pool.sort(symbol)))
            .collect();
        let applied = |relation: Relation, atoms: &mut dyn Iterator<Item = &Atom>| -> OpenAtom {
            let arguments = atoms.flat_map(|atom| atom.arguments.iter());
            (relation, waiting.iter().chain(arguments).copied().collect())
        };
        let mut atoms = step.expansion.order.iter().map(|&index| &data.body[index]);
        let open = OpenClause {
            body: step.body.map(|body| applied(body, &mut atoms)).into_iter().collect(),
            constraint: vec![data.constraint],
            head: step.head.map(|head| applied(head, &mut data.head.iter())),
        };
        self.normalizer.clause(pool, &self.system, &open, data.origin.clone())
    }

    fn definition(&mut self, pool: &mut TermPool, relation: Relation) -> Definition {
        if !self.rules.derivable.contains(&relation) {
            return Definition::Constant(pool.fls());
        }
        let entry = self.resolution.entry(self.rules, relation);
        let divisions = self.resolution.configurations.iter().filter_map(|(configuration, &new)| {
            let (last, rest) = configuration.split_last()?;
            (*last == entry).then(|| self.division(pool, relation, rest, new))?
        });
        Definition::ForAll(divisions.collect())
    }

    /// The states of `relation` that complete `rest` to the configuration of the relation `new`.
    /// `None` if no state completes it within the bound of the dimension: then resolution does not
    /// reach `rest`.
    fn division(
        &self,
        pool: &mut TermPool,
        relation: Relation,
        rest: &[Subgoal],
        new: Relation,
    ) -> Option<Universal> {
        let premise = match rest {
            [] => None,
            rest => Some(*self.resolution.configurations.get(rest)?),
        };
        let own: Vec<Term> = self.rules.old.relations[relation].symbols().collect();
        let all: Vec<Term> = self.system.relations[new].symbols().collect();
        let (waiting, last) = all.split_at(all.len() - own.len());
        let bound: Vec<Term> = waiting
            .iter()
            .map(|&symbol| pool.bound(&format!("{}?", super::name(pool, symbol)), pool.sort(symbol)))
            .collect();
        let images = || waiting.iter().copied().zip(bound.iter().copied());
        let premise = premise.map(|relation| Instance { relation, symbols: images().collect() });
        let symbols = images().chain(last.iter().copied().zip(own)).collect();
        Some(Universal { premise, conclusion: Instance { relation: new, symbols }, bound })
    }
}
