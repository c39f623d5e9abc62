//! Preconditions: conditions on the arguments of a function under which no run violates a property.
//!
//! The harness of the function has a loop without an effect between the arguments and the call.
//! The states at its head are the arguments. For each end (an error, or a construct that is not
//! supported) the strategy solver describes the states there from which it may be reached, by
//! *rows* of a domain ([facts from above](inference::backward)). The negation, a disjunction of
//! negated rows, is a condition that excludes the end. Rows that have no C expression over the
//! variables of the harness are dropped, which makes the condition stronger.
//!
//! The conjunction of the conditions is the weakest precondition that the domain expresses in this
//! way. It is only a candidate: the caller adds its text to the harness and verifies that.
//!
//! Source: Cousot, Cousot, Fähndrich, Logozzo, *Automatic Inference of Necessary Preconditions*,
//! VMCAI 2013, §1, for preconditions as complements; the search is that of [`inference`].
//!
//! DIVERGENCE: theirs are necessary, so that no good run is excluded; these are sufficient.
//!
//! Limits: those of transition systems, so recursion is not supported.
//!
//! Cost: that of the inference of loop invariants, and a stage of the domain for each end that
//! these do not exclude.

use super::reduce::{irredundant, rank};
use super::{Config, Facts, InferError, Statistics, facts, observe};
use crate::evidence::{Invariants, PresentedFact, ProgramInvariants, present_at};
use crate::invariants::{DomainSpec, Fact, inference_of};
use crate::transform::function_pointers::NO_FUNCTION;
use crate::transitions::{TransitionSystem, UnsupportedOrigin};
use backends::ProverFactory;
use horn::{Clause, Relation};
use program::ssa::{Block, Function, Program, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use terms::{Op, Term, TermPool};

/// The domains without a choice of the user.
pub const PRECONDITION_DOMAINS: &str = "octagons*orders*equalities*literals,phases(octagons*orders)";

/// The part of the effort that is left for one end.
const END_SHARE: u32 = 4;

/// The effort of a query about the redundancy of rows.
const ONE_ROW: Duration = Duration::from_millis(500);

/// A precondition of a function, which has not been validated.
#[derive(Clone, Debug)]
pub struct Precondition {
    /// The conditions, each a C expression over the variables of the harness.
    pub requires: Vec<PresentedFact>,
    /// The ends that no condition excludes: descriptions and source locations.
    pub open: Vec<(String, Span)>,
    /// The cost of the search forward.
    pub statistics: Statistics,
}

/// Searches for the weakest precondition at the loop `head` of `program`, as lowered, with the rows
/// of `domains`.
///
/// # Errors
/// If the program has no transition system, or no run reaches the loop.
pub fn precondition(
    pool: &mut TermPool,
    program: &Program,
    head: (Function, Block),
    factory: &dyn ProverFactory,
    config: &Config,
    domains: &[DomainSpec],
) -> Result<Precondition, InferError> {
    let program = observe::observe(pool, program, &BTreeSet::new());
    let Facts { system, facts, back, statistics } = facts(pool, &program, factory, config)?;
    let at = |block| back.block(program.entry, block) == Some(head);
    let relation = system.states.iter().find(|(_, state)| at(state.block)).map(|(relation, _)| relation);
    let relation = relation.ok_or(InferError::NotCalled)?;
    let search = Search { pool, program: &program, head, factory, config, system: &system, facts: &facts };
    let Conditions { formulas, open } = search.conditions(relation, domains)?;
    let symbols = Invariants::of_facts(pool, &system, &[], &config.pipeline);
    let presented = present_at(pool, &program, &ProgramInvariants::Loops(symbols), head, &formulas);
    Ok(Precondition { requires: presented.into_iter().flatten().collect(), open, statistics })
}

/// The conditions at the loop.
struct Conditions {
    formulas: Vec<Term>,
    open: Vec<(String, Span)>,
}

impl Conditions {
    fn add_open(&mut self, end: &(String, Span)) {
        if !self.open.contains(end) {
            self.open.push(end.clone());
        }
    }
}

struct Search<'s> {
    pool: &'s mut TermPool,
    program: &'s Program,
    head: (Function, Block),
    factory: &'s dyn ProverFactory,
    config: &'s Config,
    system: &'s TransitionSystem,
    facts: &'s [Fact],
}

impl Search<'_> {
    /// The events to exclude: all errors, and those unsupported constructs that are no undefined
    /// behavior.
    fn ends(&self) -> BTreeMap<Clause, (String, Span)> {
        let errors = self.system.errors.iter().map(|(&clause, end)| (clause, (end.what.clone(), end.span)));
        let undefined = &self.program.source.undefined;
        let unsupported = self.system.unsupported.iter().filter(|(_, end)| {
            let is_undefined = undefined.contains(&end.what) || end.what == NO_FUNCTION;
            end.origin == UnsupportedOrigin::Program && !is_undefined
        });
        errors.chain(unsupported.map(|(&clause, end)| (clause, (end.what.clone(), end.span)))).collect()
    }

    /// For each end, a condition at `relation` that excludes it.
    fn conditions(self, relation: Relation, domains: &[DomainSpec]) -> Result<Conditions, InferError> {
        let ends = self.ends();
        let Search { pool, program, head, factory, config, system, facts } = self;
        let mut inference = inference_of(pool, system, factory);
        facts.iter().for_each(|fact| inference.learn(fact.at, fact.formula));
        let known: Vec<Term> =
            facts.iter().filter(|fact| fact.at == relation).map(|fact| fact.formula).collect();
        let range = pool.and(&[&known[..], &[system.ranges[relation]]].concat());
        let limits = config.limits.per_check(ONE_ROW);
        let logic = system.theories.logic();
        let mut prover = factory.new_prover(logic, &limits).map_err(InferError::Solver)?;
        let symbols = ProgramInvariants::Loops(Invariants::of_facts(pool, system, &[], &config.pipeline));
        let mut conditions = Conditions { formulas: Vec::new(), open: Vec::new() };
        for (clause, end) in ends {
            let search = (domains, config.invariants.search);
            let Ok(found) = inference.reaching(pool, clause, search, &config.limits.share(END_SHARE)) else {
                conditions.add_open(&end);
                continue;
            };
            for states in found {
                let mut rows = pool.conjuncts(&states.at[relation]);
                // The end cannot be reached from the loop.
                if rows.iter().any(|&row| pool.op(row) == Op::False) {
                    continue;
                }
                rows.sort_by_key(|&row| (pool.free_symbols(row).len(), rank(pool, row)));
                let presented = present_at(pool, program, &symbols, head, &rows);
                // What readers can see comes first, so that other rows may follow from it.
                let (mut shown, hidden): (Vec<_>, Vec<_>) =
                    rows.into_iter().zip(presented).partition(|(_, fact)| fact.is_some());
                shown.extend(hidden);
                let in_order: Vec<Term> = shown.iter().map(|&(row, _)| row).collect();
                let kept = irredundant(pool, &mut *prover, range, &in_order, &limits);
                let is_kept =
                    |(row, fact): &&(Term, Option<PresentedFact>)| fact.is_some() && kept.contains(row);
                let kept: Vec<Term> = shown.iter().filter(is_kept).map(|&(row, _)| row).collect();
                if kept.is_empty() {
                    conditions.add_open(&end);
                    continue;
                }
                let states = pool.and(&kept);
                conditions.formulas.push(pool.not(states));
            }
        }
        let formulas = &mut conditions.formulas;
        formulas.sort_by_key(|&formula| rank(pool, formula));
        *formulas = irredundant(pool, &mut *prover, range, formulas, &limits);
        // Rows that follow from the other conditions need no mention.
        for place in 0..formulas.len() {
            let negated = pool.not(formulas[place]);
            let rows = pool.conjuncts(&[negated]);
            let mut context = formulas.clone();
            context[place] = range;
            let context = pool.and(&context);
            let kept = irredundant(pool, &mut *prover, context, &rows, &limits);
            if !kept.is_empty() {
                let states = pool.and(&kept);
                formulas[place] = pool.not(states);
            }
        }
        *formulas = irredundant(pool, &mut *prover, range, formulas, &limits);
        Ok(conditions)
    }
}
