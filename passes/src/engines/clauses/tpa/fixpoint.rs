//! Models from powers: conjunctions of conjuncts that further steps preserve.

use super::system::{FIRST, LAST, MIDDLE};
use super::{Search, eliminate};
use crate::models::{Model, check_model};
use backends::interpolation::elimination::{Precision, Quantifiers};
use backends::interpolation::vocabulary::Name;
use backends::{Limits, Outcome, Prover, Reason, Status};
use horn::Interpretation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Duration;
use terms::entity::PrimaryMap;
use terms::{Representation, Sort, Term, TermPool, Value};

/// The effort of the elimination of one end of the paths.
const ELIMINATION: Duration = Duration::from_secs(5);

/// Where steps are added to paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// At the end, for paths from the entries.
    Forward,
    /// At the start, for paths to the queries.
    Backward,
}

/// A model from the shorter paths of a level, which connect no entry with a query.
pub(super) fn model(
    search: &mut Search<'_>,
    pool: &mut TermPool,
    level: usize,
) -> Result<Option<Interpretation>, Reason> {
    for direction in [Direction::Forward, Direction::Backward] {
        if let Some(preserved) = preserved(search, pool, level, direction)?
            && let Some(model) = states(search, pool, &preserved, direction)?
        {
            return Ok(Some(model));
        }
    }
    Ok(None)
}

/// The largest set of conjuncts that steps preserve; `None` if it connects an entry with a query.
fn preserved(
    search: &Search<'_>,
    pool: &mut TermPool,
    level: usize,
    direction: Direction,
) -> Result<Option<Vec<Term>>, Reason> {
    let steps = &search.steps;
    let (entries, queries) = (steps.entries(), steps.queries());
    let mut ends = search.factory.new_prover("ALL", search.limits)?;
    ends.assert(pool, entries)?;
    ends.assert(pool, queries)?;
    let mut prover = search.factory.new_prover("ALL", search.limits)?;
    let (end, step) = match direction {
        Direction::Forward => (entries, (MIDDLE, LAST)),
        Direction::Backward => (queries, (FIRST, MIDDLE)),
    };
    prover.assert(pool, end)?;
    for &conjunct in steps.transition(step.0, step.1) {
        prover.assert(pool, conjunct)?;
    }
    // The conjuncts, each with a symbol that implies it before the step.
    let mut left = Vec::new();
    for &conjunct in &search.shorter[level].conjuncts {
        let before = match direction {
            Direction::Forward => steps.moved(pool, conjunct, LAST, MIDDLE),
            Direction::Backward => steps.moved(pool, conjunct, FIRST, MIDDLE),
        };
        let marker = pool.fresh_symbol("preserved", Sort::Bool, Representation::default());
        let implication = pool.implies(marker, before);
        prover.assert(pool, implication)?;
        left.push((marker, conjunct));
    }
    loop {
        if !excludes(pool, &mut *ends, &left)? {
            return Ok(None);
        }
        let count = left.len();
        if drop_violated(pool, &mut *prover, &mut left)? {
            return Ok(Some(left.into_iter().map(|(_, conjunct)| conjunct).collect()));
        }
        if left.len() == count {
            return Err(Reason::Fault("a model of a negation satisfies the formula".to_owned()));
        }
    }
}

/// Whether the conjuncts contradict the ends.
fn excludes(pool: &TermPool, ends: &mut dyn Prover, conjuncts: &[(Term, Term)]) -> Result<bool, Reason> {
    ends.push()?;
    for &(_, conjunct) in conjuncts {
        ends.assert(pool, conjunct)?;
    }
    let status = ends.status(pool, &[]);
    ends.pop()?;
    match status {
        Status::Unsat => Ok(true),
        Status::Sat => Ok(false),
        Status::Unknown(reason) => Err(reason),
    }
}

/// Drops the conjuncts that some step violates. Whether steps preserve all of them.
fn drop_violated(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    left: &mut Vec<(Term, Term)>,
) -> Result<bool, Reason> {
    let conjuncts: Vec<Term> = left.iter().map(|&(_, conjunct)| conjunct).collect();
    let markers: Vec<Term> = left.iter().map(|&(marker, _)| marker).collect();
    let all = pool.and(&conjuncts);
    let violation = pool.not(all);
    prover.push()?;
    prover.assert(pool, violation)?;
    let values = match prover.check(pool, &markers) {
        Outcome::Sat(mut model) => Some(model.eval_all(pool, &conjuncts)?),
        Outcome::Unsat(_) => None,
        Outcome::Unknown(reason) => return Err(reason),
    };
    prover.pop()?;
    let Some(values) = values else { return Ok(true) };
    let mut values = values.into_iter();
    left.retain(|_| values.next() != Some(Value::Bool(false)));
    Ok(false)
}

/// The states that the conjuncts connect with entries, or those that they do not connect with
/// queries, if that is a model.
fn states(
    search: &mut Search<'_>,
    pool: &mut TermPool,
    conjuncts: &[Term],
    direction: Direction,
) -> Result<Option<Interpretation>, Reason> {
    let (system, factory) = (search.system, search.factory);
    let limits: Limits = search.limits.within(ELIMINATION);
    let (end, frame) = match direction {
        Direction::Forward => (search.steps.entries(), LAST),
        Direction::Backward => (search.steps.queries(), FIRST),
    };
    let mut worst = Precision::Exact;
    let mut formulas = PrimaryMap::new();
    for relation in system.relations.keys() {
        let arguments = search.steps.arguments(pool, system, relation, frame);
        let names: FxHashSet<Name> =
            arguments.iter().filter_map(|&argument| Name::of(pool.op(argument))).collect();
        let mut connected = conjuncts.to_vec();
        connected.extend([end, search.steps.at(pool, system, relation, frame)]);
        let eliminated = eliminate(pool, factory, &connected, &names, (Quantifiers::Kept, &limits));
        let (states, precision) = match eliminated {
            Ok(eliminated) => eliminated,
            Err(reason) => return search.limits.exceeded().map_or(Ok(None), |_| Err(reason)),
        };
        worst = worst.max(precision);
        let images: FxHashMap<Term, Term> =
            arguments.into_iter().zip(system.relations[relation].symbols()).collect();
        let states = pool.map_leaves(states, &mut |_, leaf| images.get(&leaf).copied());
        formulas.push(match direction {
            Direction::Forward => states,
            Direction::Backward => pool.not(states),
        });
    }
    let model = Interpretation { formulas };
    // Formulas with quantifiers may be beyond this solver.
    let is_model = match check_model(pool, system, &model, &[Rc::clone(factory)], search.limits) {
        Model::Valid(_) => true,
        Model::Refuted(_) => false,
        Model::Undecided(..) => worst == Precision::Exact,
    };
    Ok(is_model.then_some(model))
}
