//! Frames: lemmas by level, and the queries about one clause.

use super::super::derivation::equations;
use super::super::literals::literals;
use backends::interpolation::Quantifiers;
use backends::interpolation::elimination::Eliminator;
use backends::interpolation::vocabulary::Name;
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason};
use horn::{Atom, Clause, ClauseData, Relation, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::PrimaryMap;
use terms::{Representation, Sort, Term, TermPool, Value};

/// The negation of a cube: it holds of all states that have a derivation of at most this height.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    /// The literals of the cube, over the symbols of the relation.
    pub(super) cube: Vec<Term>,
    pub(super) formula: Term,
    pub(super) level: usize,
}

/// Where the facts of the atoms of a body come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Premises {
    /// The atoms before this one have known facts, the others satisfy the lemmas.
    pub(super) known: usize,
    /// The level of the lemmas.
    pub(super) level: usize,
}

/// The answer of a query about a clause.
pub(super) enum Step {
    /// There is no instance; some literals of the head suffice for that.
    Blocked(Vec<usize>),
    /// All premises are known facts. The values of the head's arguments.
    Derived(Vec<Value>),
    /// The premise at the given atom is open. The cube, over the symbols of its relation, leads to
    /// the head if the later premises have facts.
    Open(Relation, Vec<Term>),
}

/// The lemmas and known facts of each relation, and a prover for each clause.
pub(super) struct Frames<'a> {
    pub(super) system: Rc<System>,
    factory: &'a dyn ProverFactory,
    logic: &'a str,
    pub(super) limits: Limits,
    /// The marker of each level; it implies those of higher levels.
    levels: Vec<Term>,
    pub(super) lemmas: PrimaryMap<Relation, Vec<Lemma>>,
    /// All lemmas of a relation with the levels that they have had; what holds at all levels has
    /// none.
    log: PrimaryMap<Relation, Vec<(Option<usize>, Term)>>,
    pub(super) facts: PrimaryMap<Relation, Vec<Vec<Value>>>,
    contexts: PrimaryMap<Clause, Option<Context>>,
    /// The clauses that derive each relation.
    rules: PrimaryMap<Relation, Vec<Clause>>,
    pub(super) queries: usize,
}

/// The prover of a clause.
struct Context {
    prover: Box<dyn Prover>,
    /// The number of levels that are asserted.
    levels: usize,
    atoms: Vec<AtomContext>,
}

struct AtomContext {
    /// Implies the lemmas.
    over: Term,
    /// The number of entries of the log that are asserted.
    lemmas: usize,
    /// Implies that one of the facts holds; the number of facts.
    under: Option<(Term, usize)>,
}

impl<'a> Frames<'a> {
    pub(super) fn new(system: Rc<System>, factory: &'a dyn ProverFactory, logic: &'a str) -> Self {
        let mut rules: PrimaryMap<Relation, Vec<Clause>> =
            system.relations.keys().map(|_| Vec::new()).collect();
        for (clause, data) in system.rules() {
            rules[data.to().expect("a rule has a head")].push(clause);
        }
        Frames {
            factory,
            logic,
            limits: Limits::default(),
            levels: Vec::new(),
            lemmas: system.relations.keys().map(|_| Vec::new()).collect(),
            log: system.relations.keys().map(|_| Vec::new()).collect(),
            facts: system.relations.keys().map(|_| Vec::new()).collect(),
            contexts: system.clauses.keys().map(|_| None).collect(),
            rules,
            queries: 0,
            system,
        }
    }

    /// The clauses that derive `relation`, or the queries.
    pub(super) fn clauses_of(&self, relation: Option<Relation>) -> Vec<Clause> {
        match relation {
            Some(relation) => self.rules[relation].clone(),
            None => self.system.queries().map(|(clause, _)| clause).collect(),
        }
    }

    /// Adds a formula that holds at all levels.
    pub(super) fn learn(&mut self, relation: Relation, formula: Term) {
        self.log[relation].push((None, formula));
    }

    /// The formulas that hold at all levels.
    pub(super) fn known(&self, relation: Relation) -> impl Iterator<Item = Term> {
        let known = self.log[relation].iter().filter(|(level, _)| level.is_none());
        known.map(|&(_, formula)| formula)
    }

    pub(super) fn add(&mut self, pool: &mut TermPool, relation: Relation, cube: Vec<Term>, level: usize) {
        let all = pool.and(&cube);
        let formula = pool.not(all);
        self.reach(pool, level);
        self.log[relation].push((Some(level), formula));
        // A lemma whose cube contains this one is redundant.
        let literals: FxHashSet<Term> = cube.iter().copied().collect();
        self.lemmas[relation].retain(|old| {
            let own: FxHashSet<Term> = old.cube.iter().copied().collect();
            old.level > level || !literals.is_subset(&own)
        });
        self.lemmas[relation].push(Lemma { cube, formula, level });
    }

    pub(super) fn promote(&mut self, pool: &mut TermPool, relation: Relation, index: usize) {
        let level = self.lemmas[relation][index].level + 1;
        self.reach(pool, level);
        let lemma = &mut self.lemmas[relation][index];
        lemma.level = level;
        self.log[relation].push((Some(level), lemma.formula));
    }

    /// Whether the negation of `cube` holds at `level + 1` if it and all lemmas hold at `level`. If
    /// so, the literals that suffice.
    pub(super) fn blocks(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        cube: &[Term],
        level: usize,
    ) -> Result<Option<Vec<Term>>, Reason> {
        let mut needed = vec![false; cube.len()];
        for clause in self.clauses_of(Some(relation)) {
            let premises = Premises { known: 0, level };
            match self.status(pool, clause, premises, Some((relation, cube)))? {
                Some(core) => core.into_iter().for_each(|index| needed[index] = true),
                None => return Ok(None),
            }
        }
        let literals = cube.iter().zip(needed).filter(|(_, is_needed)| *is_needed);
        Ok(Some(literals.map(|(&literal, _)| literal).collect()))
    }

    /// Makes markers up to `level`.
    fn reach(&mut self, pool: &mut TermPool, level: usize) {
        while self.levels.len() <= level {
            let name = format!("level {}", self.levels.len());
            self.levels.push(pool.fresh_symbol(&name, Sort::Bool, Representation::default()));
        }
    }

    /// Brings the prover of a clause up to date.
    fn open(&mut self, pool: &mut TermPool, clause: Clause, level: usize) -> Result<Context, Reason> {
        self.reach(pool, level);
        let system = Rc::clone(&self.system);
        let data = &system.clauses[clause];
        let mut context = match self.contexts[clause].take() {
            Some(context) => context,
            None => {
                let mut prover = self.factory.new_prover(self.logic, &self.limits)?;
                prover.assert(pool, data.guard)?;
                let over =
                    |pool: &mut TermPool| pool.fresh_symbol("lemmas", Sort::Bool, Representation::default());
                let atoms = data.body.iter();
                let atoms = atoms.map(|_| AtomContext { over: over(pool), lemmas: 0, under: None }).collect();
                Context { prover, levels: 1, atoms }
            }
        };
        context.prover.set_limits(&self.limits);
        while context.levels < self.levels.len() {
            let chain = pool.implies(self.levels[context.levels - 1], self.levels[context.levels]);
            context.prover.assert(pool, chain)?;
            context.levels += 1;
        }
        for (index, (atom, state)) in data.body.iter().zip(&mut context.atoms).enumerate() {
            let log = &self.log[atom.relation];
            for &(level, formula) in &log[state.lemmas..] {
                let formula = data.at_body(pool, &system, index, formula);
                let formula = match level {
                    Some(level) => {
                        let (marker, over) = (pool.not(self.levels[level]), pool.not(state.over));
                        pool.or(&[marker, over, formula])
                    }
                    None => formula,
                };
                context.prover.assert(pool, formula)?;
            }
            state.lemmas = log.len();
            let facts = &self.facts[atom.relation];
            if state.under.is_none_or(|(_, count)| count < facts.len()) && !facts.is_empty() {
                let under = pool.fresh_symbol("facts", Sort::Bool, Representation::default());
                let mut choices = vec![pool.not(under)];
                for values in facts {
                    let equations = equations(pool, &atom.arguments, values)?;
                    choices.push(pool.and(&equations));
                }
                let one = pool.or(&choices);
                context.prover.assert(pool, one)?;
                state.under = Some((under, facts.len()));
            }
        }
        Ok(context)
    }

    /// The assumptions of a query, and the index of the first literal of the head among them;
    /// `None` if there is no instance because a relation has no fact.
    fn assumptions(
        &self,
        pool: &mut TermPool,
        data: &ClauseData,
        context: &Context,
        premises: Premises,
        head: Option<(Relation, &[Term])>,
    ) -> Option<(Vec<Term>, usize)> {
        let mut assumptions = Vec::new();
        if premises.known < data.body.len() {
            if premises.level == 0 {
                return None;
            }
            assumptions.push(self.levels[premises.level]);
        }
        for (index, atom) in context.atoms.iter().enumerate() {
            assumptions.push(if index < premises.known { atom.under?.0 } else { atom.over });
        }
        if let Some((relation, cube)) = head {
            let all = pool.and(cube);
            let lemma = pool.not(all);
            for (index, atom) in data.body.iter().enumerate() {
                if atom.relation == relation {
                    assumptions.push(data.at_body(pool, &self.system, index, lemma));
                }
            }
        }
        let first = assumptions.len();
        let cube = head.map_or(&[][..], |(_, cube)| cube);
        assumptions.extend(cube.iter().map(|&literal| data.at_head(pool, literal)));
        Some((assumptions, first))
    }

    /// The literals of the head that suffice if the clause has no instance; `None` if it has one.
    fn status(
        &mut self,
        pool: &mut TermPool,
        clause: Clause,
        premises: Premises,
        head: Option<(Relation, &[Term])>,
    ) -> Result<Option<Vec<usize>>, Reason> {
        self.with_instance(pool, clause, premises, head, |_, _, _, _| Ok(())).map(|answer| answer.err())
    }

    /// The result of `then` for an instance of a clause whose head satisfies the cube, or the
    /// literals that suffice if there is no such instance.
    fn with_instance<R>(
        &mut self,
        pool: &mut TermPool,
        clause: Clause,
        premises: Premises,
        head: Option<(Relation, &[Term])>,
        then: impl FnOnce(&Self, &mut TermPool, &mut dyn Model, &[Term]) -> Result<R, Reason>,
    ) -> Result<Result<R, Vec<usize>>, Reason> {
        let system = Rc::clone(&self.system);
        let data = &system.clauses[clause];
        let mut context = self.open(pool, clause, premises.level)?;
        let answer = match self.assumptions(pool, data, &context, premises, head) {
            None => Ok(Err(Vec::new())),
            Some((assumptions, first)) => {
                self.queries += 1;
                match context.prover.check(pool, &assumptions) {
                    Outcome::Sat(mut model) => then(self, pool, &mut *model, &assumptions[first..]).map(Ok),
                    Outcome::Unsat(mut refutation) => refutation.unsat_core().map(|core| {
                        Err(core.into_iter().filter_map(|index| index.checked_sub(first)).collect())
                    }),
                    Outcome::Unknown(reason) => Err(reason),
                }
            }
        };
        self.contexts[clause] = Some(context);
        answer
    }

    /// Searches for an instance of a clause whose head satisfies the cube. As many premises as
    /// possible, from the first on, are known facts.
    pub(super) fn step(
        &mut self,
        pool: &mut TermPool,
        clause: Clause,
        level: usize,
        head: Option<(Relation, &[Term])>,
    ) -> Result<Step, Reason> {
        let system = Rc::clone(&self.system);
        let data = &system.clauses[clause];
        let count = data.body.len();
        for known in (0..=count).rev() {
            let premises = Premises { known, level };
            let answer = self.with_instance(pool, clause, premises, head, |frames, pool, model, cube| {
                if known == count {
                    return frames.conclusion(pool, data, model).map(Step::Derived);
                }
                frames.premise(pool, data, premises, model, cube)
            })?;
            match answer {
                Ok(step) => return Ok(step),
                Err(core) if known == 0 => return Ok(Step::Blocked(core)),
                Err(_) => {}
            }
        }
        unreachable!("the loop ends at 0")
    }

    fn conclusion(
        &self,
        pool: &mut TermPool,
        data: &ClauseData,
        model: &mut dyn Model,
    ) -> Result<Vec<Value>, Reason> {
        let Some(relation) = data.to() else { return Ok(Vec::new()) };
        let symbols: Vec<Term> = self.system.relations[relation].symbols().collect();
        let terms: Vec<Term> = symbols.into_iter().map(|symbol| data.at_head(pool, symbol)).collect();
        model.eval_all(pool, &terms)
    }

    /// The cube of the first open premise.
    fn premise(
        &self,
        pool: &mut TermPool,
        data: &ClauseData,
        premises: Premises,
        model: &mut dyn Model,
        cube: &[Term],
    ) -> Result<Step, Reason> {
        let mut conjuncts = vec![data.guard];
        conjuncts.extend(cube);
        for atom in &data.body[..premises.known] {
            let values = model.eval_all(pool, &atom.arguments)?;
            conjuncts.extend(equations(pool, &atom.arguments, &values)?);
        }
        for (index, atom) in data.body.iter().enumerate().skip(premises.known + 1) {
            for lemma in self.lemmas[atom.relation].iter().filter(|lemma| lemma.level >= premises.level) {
                conjuncts.push(data.at_body(pool, &self.system, index, lemma.formula));
            }
        }
        let open = &data.body[premises.known];
        let allowed: FxHashSet<Name> =
            open.arguments.iter().filter_map(|&argument| Name::of(pool.op(argument))).collect();
        let mut eliminator = Eliminator::new(&[], Quantifiers::Refused, &self.limits);
        let projection = eliminator.project_model(pool, model, &conjuncts, &allowed)?;
        let projection = self.at_relation(pool, open, projection);
        Ok(Step::Open(open.relation, literals(pool, projection)))
    }

    /// `formula`, over the arguments of `atom`, over the symbols of its relation.
    fn at_relation(&self, pool: &mut TermPool, atom: &Atom, formula: Term) -> Term {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let mut conjuncts = Vec::new();
        for (symbol, &argument) in self.system.relations[atom.relation].symbols().zip(&atom.arguments) {
            match images.get(&argument) {
                None => {
                    images.insert(argument, symbol);
                }
                Some(&first) => conjuncts.push(pool.eq(first, symbol)),
            }
        }
        conjuncts.push(pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied()));
        pool.and(&conjuncts)
    }
}
