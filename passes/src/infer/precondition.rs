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
//! A program with recursion has a [procedure system](crate::procedures), in which the arguments are
//! followed through calling contexts, so recursion needs no special case.
//!
//! Limits: those of facts from above and of the systems.
//!
//! Cost: that of the inference of loop invariants, and a stage of the domain for each end that
//! these do not exclude.

use super::procedures::{self, ProcedureFacts};
use super::reduce::{irredundant, rank};
use super::{Config, Facts, InferError, Statistics, facts, is_unsatisfiable, observed};
use crate::evidence::{Invariants, Predicate, PresentedFact, ProgramInvariants, Summaries, present_at};
use crate::invariants::{DomainSpec, Fact, inference_of, inference_of_procedures};
use crate::procedures::{Place, State};
use crate::transform::function_pointers::NO_FUNCTION;
use crate::transitions::{ErrorEnd, UnsupportedEnd, UnsupportedOrigin};
use backends::{Limits, Prover, ProverFactory, Reason};
use encode::Theories;
use horn::{Clause, Relation};
use inference::Inference;
use program::ssa::{Block, Function, Program, Span};
use std::collections::BTreeMap;
use std::time::Duration;
use terms::{Op, Sort, Term, TermPool};

/// The domains without a choice of the user.
pub const PRECONDITION_DOMAINS: &str =
    "intervals*octagons*multiples*orders*equalities*literals,phases(octagons*orders)";

/// One end gets the effort that is left, divided by this number.
const END_SHARE: u32 = 3;

/// The effort of a query about the redundancy of rows.
const ONE_ROW: Duration = Duration::from_millis(500);

/// A precondition of a function, which has not been validated.
#[derive(Clone, Debug)]
pub struct Precondition {
    /// The conditions, each a C expression over the variables of the harness.
    pub requires: Vec<PresentedFact>,
    /// Whether no arguments satisfy all conditions.
    pub is_contradictory: bool,
    /// The ends that no condition excludes: descriptions and source locations.
    pub open: Vec<(String, Span)>,
    /// The cost of the search forward.
    pub statistics: Statistics,
}

/// Searches for the weakest precondition at the loop `head` of `program`, as lowered, with the rows
/// of `domains`.
///
/// # Errors
/// If the program has no Horn system, or no run reaches the loop.
pub fn precondition(
    pool: &mut TermPool,
    program: &Program,
    head: (Function, Block),
    factory: &dyn ProverFactory,
    config: &Config,
    domains: &[DomainSpec],
) -> Result<Precondition, InferError> {
    let (program, has_procedures) = observed(pool, program, config);
    if has_procedures {
        let ProcedureFacts { system, facts, back, limits, statistics } =
            procedures::facts(pool, &program, factory, config)?;
        let is_head = |state: &State| match state.place {
            Place::Block(block) => back.block(state.function, block) == Some(head),
            Place::Entry | Place::Exit | Place::Call(_) => false,
        };
        let place = system.states.iter().find(|(_, state)| is_head(state));
        let (relation, state) = place.ok_or(InferError::NotCalled)?;
        let inference = inference_of_procedures(pool, &system, factory);
        let arguments = system.system.relations[relation].symbols().collect();
        let anything = Predicate { arguments, formula: pool.tru() };
        let summaries = Summaries {
            theories: system.theories,
            pipeline: config.pipeline.clone(),
            limits,
            at: [((state.function, state.place), anything)].into(),
        };
        let ends = Ends { errors: &system.errors, unsupported: &system.unsupported };
        let place = At { relation, range: system.ranges[relation], theories: system.theories };
        let symbols = ProgramInvariants::Procedures(summaries);
        let rows = Rows::new(pool, place, symbols, &facts, (factory, config))?;
        let search = Search { pool, program: &program, head, config, inference, rows };
        return search.precondition(&ends, &facts, domains, statistics);
    }
    let Facts { system, facts, back, statistics } = facts(pool, &program, factory, config)?;
    let at = |block| back.block(program.entry, block) == Some(head);
    let relation = system.states.iter().find(|(_, state)| at(state.block)).map(|(relation, _)| relation);
    let relation = relation.ok_or(InferError::NotCalled)?;
    let inference = inference_of(pool, &system, factory);
    let ends = Ends { errors: &system.errors, unsupported: &system.unsupported };
    let place = At { relation, range: system.ranges[relation], theories: system.theories };
    let symbols = ProgramInvariants::Loops(Invariants::of_facts(pool, &system, &[], &config.pipeline));
    let rows = Rows::new(pool, place, symbols, &facts, (factory, config))?;
    let search = Search { pool, program: &program, head, config, inference, rows };
    search.precondition(&ends, &facts, domains, statistics)
}

/// The queries of a system.
struct Ends<'s> {
    errors: &'s BTreeMap<Clause, ErrorEnd>,
    unsupported: &'s BTreeMap<Clause, UnsupportedEnd>,
}

impl Ends<'_> {
    /// The events to exclude: all errors, and those unsupported constructs that are no undefined
    /// behavior.
    fn wrong(&self, program: &Program) -> BTreeMap<Clause, (String, Span)> {
        let errors = self.errors.iter().map(|(&clause, end)| (clause, (end.what.clone(), end.span)));
        let undefined = &program.source.undefined;
        let unsupported = self.unsupported.iter().filter(|(_, end)| {
            let is_undefined = undefined.contains(&end.what) || end.what == NO_FUNCTION;
            end.origin == UnsupportedOrigin::Program && !is_undefined
        });
        errors.chain(unsupported.map(|(&clause, end)| (clause, (end.what.clone(), end.span)))).collect()
    }
}

/// The relation of the loop, and a formula that holds of all its states.
#[derive(Clone, Copy)]
struct At {
    relation: Relation,
    range: Term,
    theories: Theories,
}

struct Search<'s> {
    pool: &'s mut TermPool,
    program: &'s Program,
    head: (Function, Block),
    config: &'s Config,
    inference: Inference<'s>,
    rows: Rows,
}

impl Search<'_> {
    /// The conjunction of a condition for each end that excludes it.
    fn precondition(
        mut self,
        ends: &Ends<'_>,
        facts: &[Fact],
        domains: &[DomainSpec],
        statistics: Statistics,
    ) -> Result<Precondition, InferError> {
        facts.iter().for_each(|fact| self.inference.learn(fact.at, fact.formula));
        let (mut conditions, mut open) = (Vec::new(), Vec::new());
        for (clause, end) in ends.wrong(self.program) {
            // The first stage suffices for most ends.
            let first = self.excluding(clause, &domains[..domains.len().min(1)]);
            let found = match first {
                Ok(None) if domains.len() > 1 => self.excluding(clause, domains),
                found => found,
            };
            match found.ok().flatten() {
                Some(formulas) => conditions.extend(formulas),
                None => open.push(end),
            }
        }
        open.dedup();
        let Search { pool, program, head, mut rows, .. } = self;
        let conditions = rows.simplified(pool, conditions);
        let all = [&conditions[..], &[rows.range]].concat();
        let is_contradictory = is_unsatisfiable(&mut *rows.prover, pool, &all);
        let presented = present_at(pool, program, &rows.symbols, head, &conditions);
        let requires = presented.into_iter().flatten().collect();
        Ok(Precondition { requires, is_contradictory, open, statistics })
    }

    /// Conditions that exclude the disjuncts of an end; `None` if there is one that no row with
    /// a C expression excludes.
    ///
    /// # Errors
    /// The limit that the search has exceeded.
    fn excluding(&mut self, clause: Clause, stages: &[DomainSpec]) -> Result<Option<Vec<Term>>, Reason> {
        let Search { pool, program, head, config, inference, rows } = self;
        let search = (stages, config.invariants.search);
        let found = inference.reaching(pool, clause, search, &config.limits.share(END_SHARE))?;
        let mut conditions = Vec::new();
        for states in found {
            let mut own = pool.conjuncts(&states.at[rows.relation]);
            // The end cannot be reached from the loop.
            if own.iter().any(|&row| pool.op(row) == Op::False) {
                continue;
            }
            own.sort_by_key(|&row| (pool.free_symbols(row).len(), rank(pool, row)));
            let presented = present_at(pool, program, &rows.symbols, *head, &own);
            // Rows that readers can see come first, so that other rows may follow from them.
            let (mut shown, mut hidden) = (Vec::new(), Vec::new());
            for (row, fact) in own.into_iter().zip(presented) {
                if fact.is_some() { &mut shown } else { &mut hidden }.push(row);
            }
            let kept = rows.irredundant(pool, rows.range, &[&shown[..], &hidden].concat());
            let mut kept: Vec<Term> = kept.into_iter().filter(|row| shown.contains(row)).collect();
            kept.retain(|&row| !rows.is_extreme(pool, row));
            if kept.is_empty() {
                return Ok(None);
            }
            let states = pool.and(&kept);
            conditions.push(pool.not(states));
        }
        Ok(Some(conditions))
    }
}

/// The states at the loop.
struct Rows {
    relation: Relation,
    /// A formula that holds of all of them.
    range: Term,
    /// The variables of their symbols.
    symbols: ProgramInvariants,
    /// Decides whether formulas about them are redundant.
    prover: Box<dyn Prover>,
    limits: Limits,
}

impl Rows {
    fn new(
        pool: &mut TermPool,
        at: At,
        symbols: ProgramInvariants,
        facts: &[Fact],
        (factory, config): (&dyn ProverFactory, &Config),
    ) -> Result<Self, InferError> {
        let At { relation, range, theories } = at;
        let known = facts.iter().filter(|fact| fact.at == relation).map(|fact| fact.formula);
        let known: Vec<Term> = known.chain([range]).collect();
        let limits = config.limits.per_check(ONE_ROW);
        let prover = factory.new_prover(theories.logic(), &limits).map_err(InferError::Solver)?;
        Ok(Rows { relation, range: pool.and(&known), symbols, prover, limits })
    }

    fn irredundant(&mut self, pool: &mut TermPool, context: Term, formulas: &[Term]) -> Vec<Term> {
        irredundant(pool, &mut *self.prover, context, formulas, &self.limits)
    }

    /// Whether the negation of a row about several numbers only holds where one of them is in the
    /// outer half of its type: no condition that anyone wants.
    fn is_extreme(&mut self, pool: &mut TermPool, row: Term) -> bool {
        let symbols = pool.free_symbols(row);
        if symbols.len() < 2 {
            return false;
        }
        let mut conjuncts = vec![pool.not(row)];
        for symbol in symbols {
            let symbol = pool.symbol_term(symbol);
            let Sort::BitVec(width @ 2..) = pool.sort(symbol) else { continue };
            // From `-2^(width - 2)` to `2^(width - 2) - 1`.
            let top = pool.extract(width - 1, width - 2, symbol);
            let (low, high) = (pool.bv(2, 0), pool.bv(2, 3));
            let is_inner = [pool.eq(top, low), pool.eq(top, high)];
            conjuncts.push(pool.or(&is_inner));
        }
        is_unsatisfiable(&mut *self.prover, pool, &conjuncts)
    }

    /// An equivalent conjunction of fewer and smaller conditions.
    fn simplified(&mut self, pool: &mut TermPool, mut formulas: Vec<Term>) -> Vec<Term> {
        formulas.sort_by_key(|&formula| rank(pool, formula));
        formulas = self.irredundant(pool, self.range, &formulas);
        // Rows that follow from the other conditions need no mention.
        for place in 0..formulas.len() {
            let negated = pool.not(formulas[place]);
            let rows = pool.conjuncts(&[negated]);
            let mut context = formulas.clone();
            context[place] = self.range;
            let context = pool.and(&context);
            let kept = self.irredundant(pool, context, &rows);
            if !kept.is_empty() {
                let states = pool.and(&kept);
                formulas[place] = pool.not(states);
            }
        }
        self.irredundant(pool, self.range, &formulas)
    }
}
