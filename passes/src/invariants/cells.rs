//! Facts about all cells of arrays, from a system with [distinguished cells](inference::cells).
//!
//! The invariants of that system are universally quantified over its index. They are not facts for
//! a step case, which would have to instantiate them; they are a proof if they exclude all queries.
//!
//! Limits: those of the transformation. The translation of the system must be exact where cells,
//! guards and literals are translated; other material is left out.

use super::{Fact, encode_over, facts_of};
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory, Reason};
use horn::{System, Target, Translation};
use inference::cells::{Cells, cells};
use inference::{
    Contexts, Cores, DomainSpec, Formulas, Inference, Search, Slicing, Statistics, Suggestions, slice,
};
use rustc_hash::FxHashSet;
use std::time::Duration;
use terms::{Op, Representation, Sort, Term, TermPool};

/// The effort that makes a proof smaller.
const TIME_TO_MINIMIZE: Duration = Duration::from_secs(1);

/// Inductive facts that exclude all ends, each for all values of an index.
#[derive(Clone, Debug)]
pub(crate) struct CellProof {
    /// The index.
    pub(crate) index: CellIndex,
    /// The facts.
    pub(crate) facts: Vec<Fact>,
}

/// The index of the facts of a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellIndex {
    /// The symbol in the formulas.
    pub(crate) symbol: Term,
    /// The sort before translation.
    pub(crate) sort: Sort,
    /// How the symbol represents a bit vector.
    pub(crate) representation: Representation,
}

/// The search for a proof, see the module.
pub(super) struct CellSearch<'f> {
    factory: &'f dyn ProverFactory,
    index: CellIndex,
    system: System,
    inference: Inference<'f>,
    /// The number of known facts that the inference has.
    learnt: usize,
    /// The search for a proof in the invariants.
    slicing: Option<Slicing>,
}

impl<'f> CellSearch<'f> {
    /// Prepares a search; `None` if no array of the states is read at an index that varies.
    pub(super) fn new(
        pool: &mut TermPool,
        system: &TransitionSystem,
        factory: &'f dyn ProverFactory,
    ) -> Option<Self> {
        let Cells { system: source, index, suggested } = cells(pool, &system.source)?;
        let theories = system.theories;
        let mut translation = Translation::new(theories);
        let mut target = translation.system(pool, &source).ok()?;
        let Target { symbol, range } = translation.symbol(pool, index).ok()?;
        // An entry chooses the index from the values of its sort.
        for clause in target.clauses.values_mut().filter(|clause| clause.body.is_empty()) {
            clause.guard = pool.and2(clause.guard, range);
            clause.constraint = pool.and2(clause.constraint, range);
        }
        let Op::Symbol(id) = pool.op(index) else { unreachable!("an index is a symbol") };
        let index =
            CellIndex { symbol, sort: pool.sort(index), representation: pool.symbol_data(id).representation };
        let mut translated = Suggestions::default();
        for (relation, data) in target.relations.iter() {
            let own: FxHashSet<Term> = data.symbols().collect();
            let mut all = |formulas: &Formulas| -> Vec<Term> {
                let encoded = formulas[relation].iter();
                encoded.filter_map(|&term| encode_over(pool, theories, term, |x| own.contains(&x))).collect()
            };
            translated.literals[relation] = all(&suggested.literals);
            translated.numbers[relation] = all(&suggested.numbers);
            translated.guards[relation] = all(&suggested.guards);
        }
        let contexts = Contexts::new(factory, theories.logic());
        let inference = Inference::new(pool, &target, &translated, contexts);
        Some(CellSearch { factory, index, system: target, inference, learnt: 0, slicing: None })
    }

    /// The cost so far.
    pub(super) fn cost(&self) -> &Statistics {
        &self.inference.statistics
    }

    /// Whether a search that exceeded its limits can be continued.
    pub(super) fn is_interrupted(&self) -> bool {
        self.inference.is_interrupted() || self.slicing.is_some()
    }

    /// Searches for a proof from `known` facts; `None` if the domain has none.
    pub(super) fn prove(
        &mut self,
        pool: &mut TermPool,
        system: &TransitionSystem,
        known: &[Fact],
        (domain, search): (&DomainSpec, Search),
        limits: &Limits,
    ) -> Result<Option<CellProof>, Reason> {
        if self.slicing.is_none() {
            if self.inference.is_interrupted() {
                self.inference.resume(pool, limits)?;
            } else {
                for fact in &known[self.learnt..] {
                    self.inference.learn(fact.at, fact.formula);
                }
                self.learnt = known.len();
                self.inference.stage(pool, domain, search, limits)?;
            }
            let mut found = self.inference.known();
            found.at.values_mut().for_each(|conjuncts| prune(pool, conjuncts));
            self.slicing = Some(Slicing::new(&self.system, &found, Cores::Any));
        }
        let Some(slicing) = &mut self.slicing else { return Ok(None) };
        let mut prover = self.factory.new_prover(system.theories.logic(), limits)?;
        let proof = slicing.run(pool, &mut *prover, &self.system, limits);
        // A later turn has more effort for each query.
        if !matches!(proof, Err(Reason::Timeout)) {
            self.slicing = None;
        }
        let proof = proof?;
        let Some(proof) = proof else { return Ok(None) };
        let limits = limits.within(TIME_TO_MINIMIZE);
        let minimal = slice(pool, &mut *prover, &self.system, &proof, Cores::Minimal, &limits);
        let proof = minimal.ok().flatten().unwrap_or(proof);
        Ok(Some(CellProof { index: self.index, facts: facts_of(&proof) }))
    }
}

/// Drops disjunctions with a disjunct that is a conjunct too: rows of a segment that hold
/// everywhere.
fn prune(pool: &TermPool, conjuncts: &mut Vec<Term>) {
    let all: FxHashSet<Term> = conjuncts.iter().copied().collect();
    let holds = |term: &Term| match pool.op(*term) {
        Op::And => pool.children(*term).iter().all(|part| all.contains(part)),
        _ => all.contains(term),
    };
    conjuncts.retain(|&conjunct| pool.op(conjunct) != Op::Or || !pool.children(conjunct).iter().any(holds));
}
