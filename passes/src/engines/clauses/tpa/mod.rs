//! Transition power abstraction of linear Horn systems with one relation.
//!
//! # Idea
//! For each *power* n there is an over-approximation, over states `x` and `x'`, of at most 2ⁿ steps.
//! For n = 0 it is exact: equality, or one step. Whether a query has a derivation of at most 2ⁿ⁺¹
//! steps is asked of two sequences of power n, one after the other, from a fact to the query. If
//! there are none, an interpolant, a relation of the first and the last state, becomes a conjunct of
//! power n + 1. Otherwise a model has states between the two. Are they reached in at most 2ⁿ steps,
//! and the query from those that are? A half for which the answer is no makes the power n stronger,
//! and the question is asked again. So the search sees thousands of steps with few questions, and it
//! descends to single steps only where they may exist.
//!
//! If conjuncts of a power also hold after one more step from a fact, they are a model: the states
//! that satisfy them with some fact. The same backwards: those that do not with a query.
//!
//! Source: Blicha, Fedyukovich, Hyvärinen, Sharygina, *Transition Power Abstractions for Deep
//! Counterexample Detection*, TACAS 2022.
//!
//! * **Reached states** are projections of models, so those of one answer need not lead to each
//!   other one by one. The states of a derivation are found at the end, backwards.
//! * DIVERGENCE from the source: a model needs only some of the conjuncts, those that remain after
//!   those that the next step violates are dropped (Flanagan and Leino's Houdini).
//!
//! # Cost
//! A derivation of k steps needs k questions about single steps at least, each with a projection.
//!
//! # Limits
//! It is made for counterexamples: models are only those that the last interpolants happen to be.
//! Nonlinear systems and systems with several relations are refused: the pass `single-loop` makes
//! one relation of them.

mod steps;

use super::derivation::equations;
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::interpolation::vocabulary::Name;
use backends::interpolation::{Problem, Quantifiers};
use backends::{Fact, HornAnswer, HornSolver, Limits, Model, Outcome, Prover, ProverFactory, Reason, Status};
use horn::{Interpretation, System};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use steps::{Frame, Steps};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool, Value};

/// The largest number of steps of a derivation.
const LONGEST: usize = 200_000;
/// The highest power.
const HIGHEST: usize = 32;

/// The engine.
pub struct PowerAbstraction {
    /// The solver; its refutations have interpolants.
    pub factory: Rc<dyn ProverFactory>,
    /// Solvers that eliminate quantifiers from models.
    pub eliminators: Vec<Rc<dyn ProverFactory>>,
}

impl HornSolver for PowerAbstraction {
    fn name(&self) -> &'static str {
        "tpa"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        let Some(steps) = Steps::of(pool, system) else {
            let what = match system.is_linear() {
                true => "several relations (the pass single-loop makes one of them)",
                false => "clauses with several body atoms",
            };
            return HornAnswer::Unknown(Reason::Unsupported(what.to_owned()));
        };
        let search = Search::new(pool, self, steps, limits);
        search.and_then(|mut search| search.run(pool, system)).unwrap_or_else(HornAnswer::Unknown)
    }
}

terms::entity! {
    /// A set of reached states.
    Reached, "reached"
}

/// States that are reached from those of a source.
#[derive(Clone, Copy, Debug)]
struct ReachedData {
    /// The source, a formula over states.
    source: Term,
    /// The states, a formula over states; they satisfy the target.
    states: Term,
    how: How,
}

#[derive(Clone, Copy, Debug)]
enum How {
    /// They are in the source.
    Stay,
    /// By one step.
    Step,
    /// The second from the states of the first.
    Halves(Reached, Reached),
}

/// What is asked: do states of the source lead to states of the target?
#[derive(Clone, Copy, Debug)]
struct Question {
    source: Term,
    target: Term,
}

/// An abstraction of at most 2ⁿ steps, and what asks about its halves.
struct Power {
    /// Over the first and the last state.
    conjuncts: Vec<Term>,
    /// Asserts the halves.
    prover: Box<dyn Prover>,
    /// The conjuncts of the power below that are asserted, and both halves made of them.
    asserted: usize,
    halves: Vec<Term>,
}

struct Search<'a> {
    engine: &'a PowerAbstraction,
    limits: &'a Limits,
    steps: Steps,
    /// At most one step.
    short: Term,
    /// Asserts `short`.
    prover: Box<dyn Prover>,
    /// The powers from 1 on.
    powers: Vec<Power>,
    reached: PrimaryMap<Reached, ReachedData>,
}

impl<'a> Search<'a> {
    fn new(
        pool: &mut TermPool,
        engine: &'a PowerAbstraction,
        steps: Steps,
        limits: &'a Limits,
    ) -> Result<Self, Reason> {
        let mut prover = engine.factory.new_prover("ALL", limits)?;
        let same = steps.same(pool);
        let short = pool.or2(same, steps.step);
        prover.assert(pool, short)?;
        let (powers, reached) = (Vec::new(), PrimaryMap::new());
        Ok(Search { engine, limits, steps, short, prover, powers, reached })
    }

    fn run(&mut self, pool: &mut TermPool, system: &System) -> Result<HornAnswer, Reason> {
        if self.has_query_without_premises(pool, system)? {
            return Ok(HornAnswer::Unsatisfiable(Vec::new()));
        }
        let whole = Question { source: self.steps.initial, target: self.steps.bad };
        for power in 0..=HIGHEST {
            if let Some(reached) = self.ask(pool, power, whole)? {
                let facts = self.facts(pool, system, reached)?;
                return Ok(HornAnswer::Unsatisfiable(facts));
            }
            let conjuncts = self.conjuncts(power);
            tracing::debug!(power, conjuncts = conjuncts.len(), reached = self.reached.len(), "excluded");
            for &conjunct in &conjuncts {
                tracing::trace!("{}", pool.display(conjunct));
            }
            let closure = Closure { steps: &self.steps, engine: self.engine, limits: self.limits };
            for direction in [Direction::Forward, Direction::Backward] {
                if let Some(formula) = closure.model(pool, direction, conjuncts.clone())? {
                    return Ok(HornAnswer::Satisfiable(Interpretation::constant(system, formula)));
                }
            }
        }
        Err(Reason::Incomplete(format!("no derivation has up to 2^{HIGHEST} steps")))
    }

    fn has_query_without_premises(&self, pool: &TermPool, system: &System) -> Result<bool, Reason> {
        for (_, query) in system.queries().filter(|(_, query)| query.body.is_empty()) {
            let mut prover = self.engine.factory.new_prover("ALL", self.limits)?;
            match prover.status(pool, &[query.constraint]) {
                Status::Sat => return Ok(true),
                Status::Unsat => {}
                Status::Unknown(reason) => return Err(reason),
            }
        }
        Ok(false)
    }

    /// The conjuncts of a power, over the first and the last state.
    fn conjuncts(&self, power: usize) -> Vec<Term> {
        match power.checked_sub(1) {
            None => vec![self.short],
            // A power has none before the first question about it.
            Some(index) => self.powers.get(index).map_or_else(Vec::new, |power| power.conjuncts.clone()),
        }
    }

    /// Searches for states of the target that are reached from the source in at most 2ⁿ steps. If
    /// there are none, the abstraction excludes the question.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        power: usize,
        question: Question,
    ) -> Result<Option<Reached>, Reason> {
        let Question { source, target } = question;
        let Some(below) = power.checked_sub(1) else { return self.ask_step(pool, question) };
        loop {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            let Some(middle) = self.middle(pool, power, question)? else { return Ok(None) };
            let first = Question { source, target: middle };
            let Some(first) = self.ask(pool, below, first)? else { continue };
            let second = Question { source: self.reached[first].states, target };
            if let Some(second) = self.ask(pool, below, second)? {
                let states = self.reached[second].states;
                let how = How::Halves(first, second);
                return Ok(Some(self.reached.push(ReachedData { source, states, how })));
            }
        }
    }

    fn ask_step(
        &mut self,
        pool: &mut TermPool,
        Question { source, target }: Question,
    ) -> Result<Option<Reached>, Reason> {
        let last = self.steps.at(pool, target, Frame::Last);
        let same = self.steps.same(pool);
        self.prover.set_limits(self.limits);
        match self.prover.check(pool, &[source, last]) {
            Outcome::Sat(mut model) => {
                let (how, conjuncts, frame) = match model.eval(pool, same)? == Value::Bool(true) {
                    true => (How::Stay, vec![source, target], Frame::First),
                    false => (How::Step, vec![source, self.steps.step, last], Frame::Last),
                };
                let states = project(pool, &self.steps, &mut *model, (&conjuncts, frame), self.limits)?;
                Ok(Some(self.reached.push(ReachedData { source, states, how })))
            }
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// Brings the prover of a power up to date with the power below.
    fn open(&mut self, pool: &mut TermPool, power: usize) -> Result<(), Reason> {
        let below = self.conjuncts(power - 1);
        while self.powers.len() < power {
            self.powers.push(Power {
                conjuncts: Vec::new(),
                prover: self.engine.factory.new_prover("ALL", self.limits)?,
                asserted: 0,
                halves: Vec::new(),
            });
        }
        let Power { prover, asserted, halves, .. } = &mut self.powers[power - 1];
        prover.set_limits(self.limits);
        while let Some(&conjunct) = below.get(*asserted) {
            for (from, to) in [(Frame::First, Frame::Middle), (Frame::Middle, Frame::Last)] {
                let half = self.steps.between(pool, conjunct, from, to);
                prover.assert(pool, half)?;
                halves.push(half);
            }
            *asserted += 1;
        }
        Ok(())
    }

    /// States between two sequences of the power below from the source to the target. If there are
    /// none, the abstraction excludes the question.
    fn middle(
        &mut self,
        pool: &mut TermPool,
        power: usize,
        Question { source, target }: Question,
    ) -> Result<Option<Term>, Reason> {
        self.open(pool, power)?;
        let ends = [source, self.steps.at(pool, target, Frame::Last)];
        let Power { prover, halves, conjuncts, .. } = &mut self.powers[power - 1];
        match prover.check(pool, &ends) {
            Outcome::Sat(mut model) => {
                let all: Vec<Term> = halves.iter().copied().chain(ends).collect();
                let projected = (&all[..], Frame::Middle);
                project(pool, &self.steps, &mut *model, projected, self.limits).map(Some)
            }
            Outcome::Unsat(mut refutation) => {
                let problem = Problem::binary(halves.clone(), ends.to_vec());
                let interpolants = refutation.interpolants(pool, &problem)?;
                for conjunct in pool.conjuncts(&interpolants) {
                    if !conjuncts.contains(&conjunct) {
                        conjuncts.push(conjunct);
                    }
                }
                Ok(None)
            }
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// The states of a sequence from a fact to a query.
    fn facts(&mut self, pool: &mut TermPool, system: &System, last: Reached) -> Result<Vec<Fact>, Reason> {
        let symbols = self.steps.symbols(Frame::First).to_vec();
        let mut prover = self.engine.factory.new_prover("ALL", self.limits)?;
        let states = [self.reached[last].states];
        let mut visited = match prover.check(pool, &states) {
            Outcome::Sat(mut model) => vec![model.eval_all(pool, &symbols)?],
            Outcome::Unsat(_) => return Err(Reason::Fault("a projection without states".to_owned())),
            Outcome::Unknown(reason) => return Err(reason),
        };
        // The last comes first.
        let mut open = vec![last];
        while let Some(reached) = open.pop() {
            let ReachedData { source, how, .. } = self.reached[reached];
            match how {
                How::Stay => {}
                How::Halves(first, second) => open.extend([first, second]),
                How::Step => {
                    let state = visited.last().expect("there is the last state");
                    let mut ends = equations(pool, self.steps.symbols(Frame::Last), state)?;
                    ends.extend([source, self.steps.step]);
                    self.prover.set_limits(self.limits);
                    match self.prover.check(pool, &ends) {
                        Outcome::Sat(mut model) => visited.push(model.eval_all(pool, &symbols)?),
                        Outcome::Unsat(_) => {
                            return Err(Reason::Fault("a reached state without predecessor".to_owned()));
                        }
                        Outcome::Unknown(reason) => return Err(reason),
                    }
                    if visited.len() > LONGEST {
                        return Err(Reason::Incomplete(format!("a derivation of more than {LONGEST} steps")));
                    }
                }
            }
        }
        let relation = system.relations.keys().next().expect("there is one relation");
        Ok(visited.into_iter().rev().map(|values| Fact { relation, values }).collect())
    }
}

/// States of a frame that the conjuncts permit, among them that of the model.
fn project(
    pool: &mut TermPool,
    steps: &Steps,
    model: &mut dyn Model,
    (conjuncts, frame): (&[Term], Frame),
    limits: &Limits,
) -> Result<Term, Reason> {
    let mut eliminator = Eliminator::new(&[], Quantifiers::Refused, limits);
    let states = eliminator.project_model(pool, model, conjuncts, &names(pool, steps, frame))?;
    Ok(steps.of_states(pool, states, frame))
}

fn names(pool: &TermPool, steps: &Steps, frame: Frame) -> FxHashSet<Name> {
    steps.symbols(frame).iter().filter_map(|&symbol| Name::of(pool.op(symbol))).collect()
}

/// From which end states are seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    /// From the facts.
    Forward,
    /// From the queries.
    Backward,
}

/// What searches for models among the abstractions.
struct Closure<'a> {
    steps: &'a Steps,
    engine: &'a PowerAbstraction,
    limits: &'a Limits,
}

impl Closure<'_> {
    /// The model of those conjuncts, relations of the first and the last state, that one more step
    /// keeps; `None` if it does not exclude the queries.
    fn model(
        &self,
        pool: &mut TermPool,
        direction: Direction,
        mut kept: Vec<Term>,
    ) -> Result<Option<Term>, Reason> {
        let steps = self.steps;
        let bad = steps.at(pool, steps.bad, Frame::Last);
        // The end, one more step, and between which frames the conjuncts are without it.
        let (end, step, (from, to)) = match direction {
            Direction::Forward => {
                let step = steps.between(pool, steps.step, Frame::Middle, Frame::Last);
                (steps.initial, step, (Frame::First, Frame::Middle))
            }
            Direction::Backward => {
                let step = steps.between(pool, steps.step, Frame::First, Frame::Middle);
                (bad, step, (Frame::Middle, Frame::Last))
            }
        };
        let mut prover = self.engine.factory.new_prover("ALL", self.limits)?;
        prover.assert(pool, end)?;
        prover.assert(pool, step)?;
        loop {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            let mut query: Vec<Term> =
                kept.iter().map(|&conjunct| steps.between(pool, conjunct, from, to)).collect();
            let all = pool.and(&kept);
            query.push(pool.not(all));
            match prover.check(pool, &query) {
                Outcome::Unsat(_) => break,
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat(mut model) => {
                    let values = model.eval_all(pool, &kept)?;
                    let count = kept.len();
                    let mut holds = values.iter().map(|value| *value == Value::Bool(true));
                    kept.retain(|_| holds.next() == Some(true));
                    if kept.len() == count {
                        return Err(Reason::Fault("a model of a negation has all conjuncts".to_owned()));
                    }
                }
            }
        }
        let mut sequence = kept.clone();
        sequence.extend([steps.initial, bad]);
        let mut prover = self.engine.factory.new_prover("ALL", self.limits)?;
        match prover.check(pool, &sequence) {
            Outcome::Unsat(_) => {}
            Outcome::Sat(_) => return Ok(None),
            Outcome::Unknown(reason) => return Err(reason),
        }
        let frame = match direction {
            Direction::Forward => Frame::Last,
            Direction::Backward => Frame::First,
        };
        kept.push(end);
        let states = self.states(pool, &kept, frame)?;
        Ok(Some(match direction {
            Direction::Forward => states,
            Direction::Backward => pool.not(states),
        }))
    }

    /// The states of a frame that the conjuncts permit, if possible without quantifiers.
    fn states(&self, pool: &mut TermPool, conjuncts: &[Term], frame: Frame) -> Result<Term, Reason> {
        let names = names(pool, self.steps, frame);
        let mut states = None;
        for quantifiers in [Quantifiers::Refused, Quantifiers::Kept] {
            let mut eliminator = Eliminator::new(&self.engine.eliminators, quantifiers, self.limits);
            let projection = eliminator.project(pool, conjuncts, &names)?;
            states = Some(pool.and(&projection.conjuncts));
            if projection.precision == Precision::Exact {
                break;
            }
        }
        let states = states.expect("there is a projection");
        Ok(self.steps.of_states(pool, states, frame))
    }
}
