//! Two solvers in turns: hard queries go to a second solver as well.
//!
//! Solvers of one theory differ by orders of magnitude on single hard queries, in both directions,
//! and rarely on easy ones. So each query starts at the first solver. If it does not answer within
//! the first turn, the second solver has a turn of the same effort, and further turns double. After
//! a hard query that the second solver answered, the first turns are shorter; after one that the
//! first solver answered in a later turn, they are longer, up to [`LONGEST`]. Each such
//! answer also shifts the efforts of the solvers, until that solver has four times as much as the
//! other: the hard queries of one program are similar. The second solver is not even created before
//! the first query that needs it; the log of assertions rebuilds the stack in it.
//!
//! Turns are measured by [`effort`](crate::effort), and a query that its caller repeats with a
//! larger limit continues with the next turn instead of the first. So callers who limit single
//! queries reach the second solver, too.
//!
//! Cost: the first turn, and at most four times the effort of the better solver while none is
//! preferred; then 2.5 times that of the preferred solver, or ten times that of the other.

use crate::effort::Moment;
use crate::log::{Event, LayerLog};
use crate::{Limits, Outcome, Prover, ProverFactory, Reason, SharedLog, Wrapper};
use polonius_the_crab::{exit_polonius, polonius, polonius_return};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use terms::{Symbol, Term, TermPool};

/// The smallest effort of the first turn of a relay.
const SHORTEST: Duration = Duration::from_millis(1);

/// The largest effort of a first turn after queries for which the first solver was better, as a
/// multiple of that of the relay.
const LONGEST: u32 = 16;

/// The binary logarithm of the ratio between the efforts of the solvers after hard queries that
/// one of them answered.
const PREFERENCE: i32 = 2;

/// A factory of provers that give hard queries to a second solver as well.
#[derive(Clone)]
pub struct Relay {
    /// The first solver.
    pub factory: Rc<dyn ProverFactory>,
    /// The second solver.
    pub second: Rc<dyn ProverFactory>,
    /// The effort of the first turn of each solver, at least a millisecond.
    pub first_turn: Duration,
    /// Shared by all provers of this factory.
    pub answers: SecondAnswers,
}

/// The number of queries that the second solver answered. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct SecondAnswers(Rc<Cell<u64>>);

impl SecondAnswers {
    /// The number so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.get()
    }
}

impl Wrapper for Relay {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let first = self.factory.new_prover(logic, limits)?;
        Ok(Box::new(RelayProver {
            log: LayerLog::around(&*first),
            first,
            second: Second::Waiting(Rc::clone(&self.second), logic.to_owned()),
            limits: limits.clone(),
            turns: Turns::new(self.first_turn),
            answers: self.answers.clone(),
        }))
    }
}

enum Second {
    /// Not needed so far.
    Waiting(Rc<dyn ProverFactory>, String),
    /// With the same stack as the first solver.
    Ready(Box<dyn Prover>),
    /// It does not support the logic or an assertion, or failed.
    Out,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    First,
    Second,
}

/// The turns on the current query.
#[derive(Debug)]
struct Turns {
    /// The assumptions of the query, to recognize a repetition.
    assumptions: Vec<Term>,
    /// The effort that each solver spent on it.
    first: Duration,
    second: Duration,
    /// The effort of the first turn at the first query.
    usual: Duration,
    /// The effort of the first turns.
    start: Duration,
    /// The binary logarithm of the effort of the second solver relative to that of the first.
    preference: i32,
}

impl Turns {
    fn new(first_turn: Duration) -> Self {
        let usual = first_turn.max(SHORTEST);
        Turns {
            assumptions: Vec::new(),
            first: Duration::ZERO,
            second: Duration::ZERO,
            usual,
            start: usual,
            preference: 0,
        }
    }

    /// Starts with a new query unless it is a repetition.
    fn begin(&mut self, assumptions: &[Term]) {
        if self.assumptions != assumptions {
            self.reset();
            self.assumptions = assumptions.to_vec();
        }
    }

    /// The next query is a new one.
    fn reset(&mut self) {
        *self = Turns { start: self.start, preference: self.preference, ..Turns::new(self.usual) };
    }

    fn spend(&mut self, runner: Runner, effort: Duration) {
        match runner {
            Runner::First => self.first += effort,
            Runner::Second => self.second += effort,
        }
    }

    /// The solver whose turn it is, and the effort of the turn.
    fn next(&self) -> (Runner, Duration) {
        let share = match self.preference {
            0.. => self.first * (1 << self.preference),
            _ => self.first / (1 << -self.preference),
        };
        if self.first < self.start {
            (Runner::First, self.start - self.first)
        } else if share <= self.second {
            (Runner::First, self.first)
        } else {
            (Runner::Second, share - self.second)
        }
    }

    /// Records that `runner` answered.
    fn answered(&mut self, runner: Runner) {
        match runner {
            Runner::Second => {
                self.start = self.usual / 4;
                self.preference += PREFERENCE;
            }
            // Both had a turn, and the first solver was better.
            Runner::First if !self.second.is_zero() => {
                self.start = (self.start * 4).clamp(self.usual, self.usual * LONGEST);
                self.preference -= PREFERENCE;
            }
            Runner::First => {}
        }
        self.preference = self.preference.clamp(-PREFERENCE, PREFERENCE);
        self.reset();
    }
}

struct RelayProver {
    first: Box<dyn Prover>,
    second: Second,
    log: LayerLog,
    limits: Limits,
    turns: Turns,
    answers: SecondAnswers,
}

impl RelayProver {
    /// Applies a change of the stack to the second solver, if it has the stack.
    fn follow(&mut self, change: impl FnOnce(&mut dyn Prover) -> Result<(), Reason>) {
        if let Second::Ready(prover) = &mut self.second
            && change(&mut **prover).is_err()
        {
            self.second = Second::Out;
        }
    }

    /// Creates the second solver, unless it is there or out.
    fn prepare(&mut self, pool: &TermPool) {
        let Second::Waiting(factory, logic) = &self.second else { return };
        let replayed = factory.new_prover(logic, &self.limits).and_then(|mut prover| {
            for event in self.log.share().replay() {
                match event {
                    Event::Push => prover.push()?,
                    Event::Assert(formula) => prover.assert(pool, formula)?,
                }
            }
            Ok(prover)
        });
        self.second = match replayed {
            Ok(prover) => Second::Ready(prover),
            Err(reason) => {
                tracing::debug!(%reason, "no second solver");
                Second::Out
            }
        };
    }

    /// The solver of the next turn, with its limits within those of the query, and the effort of
    /// the turn.
    fn next(&mut self, pool: &TermPool, query: &Limits) -> (Runner, Duration) {
        let (runner, turn) = self.turns.next();
        if runner == Runner::Second {
            self.prepare(pool);
        }
        match (runner, &mut self.second) {
            (Runner::Second, Second::Ready(prover)) => {
                prover.set_limits(&query.per_check(turn));
                (Runner::Second, turn)
            }
            (_, Second::Out) => {
                self.first.set_limits(query);
                (Runner::First, turn)
            }
            _ => {
                self.first.set_limits(&query.per_check(turn));
                (Runner::First, turn)
            }
        }
    }
}

impl Prover for RelayProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.first.push()?;
        self.log.push();
        self.turns.reset();
        self.follow(|prover| prover.push());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.first.pop()?;
        self.log.pop();
        self.turns.reset();
        self.follow(|prover| prover.pop());
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.first.assert(pool, formula)?;
        self.log.assert(formula);
        self.turns.reset();
        self.follow(|prover| prover.assert(pool, formula));
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        let query = self.limits.of_check();
        self.turns.begin(assumptions);
        let mut this = self;
        loop {
            let (runner, turn) = this.next(pool, &query);
            let start = Moment::now();
            let failure = polonius!(|this| -> Outcome<'polonius> {
                let RelayProver { first, second, turns, answers, .. } = this;
                let has_other = !matches!(second, Second::Out);
                let prover = match (runner, second) {
                    (Runner::Second, Second::Ready(prover)) => &mut **prover,
                    _ => &mut **first,
                };
                match (prover.check(pool, assumptions), runner) {
                    (Outcome::Unknown(Reason::Timeout), _) if has_other && query.exceeded().is_none() => {
                        exit_polonius!(Reason::Timeout)
                    }
                    (Outcome::Unknown(reason @ (Reason::Timeout | Reason::Interrupted)), _) => {
                        turns.spend(runner, start.elapsed());
                        polonius_return!(Outcome::Unknown(reason))
                    }
                    // A failure of the second solver is not one of the query.
                    (Outcome::Unknown(reason), Runner::Second) => exit_polonius!(reason),
                    (outcome, _) => {
                        turns.answered(runner);
                        if runner == Runner::Second {
                            answers.0.set(answers.0.get() + 1);
                        }
                        polonius_return!(outcome)
                    }
                }
            });
            match failure {
                // A prover in another process may spend effort that is not measured.
                Reason::Timeout => this.turns.spend(runner, start.elapsed().max(turn)),
                reason => {
                    tracing::debug!(%reason, "the second solver failed");
                    this.second = Second::Out;
                }
            }
        }
    }

    fn log(&self) -> Option<SharedLog> {
        Some(self.log.share())
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        self.first.set_limits(&self.limits);
        self.first.eliminate(pool, formula, variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::exhaustive::Exhaustive;
    use crate::{Capabilities, Status};
    use terms::Sort;

    const FIRST_TURN: Duration = Duration::from_secs(1);

    /// A solver that needs the effort `needed` for each query, or supports no logic.
    struct Slow {
        needed: Option<Duration>,
        created: Rc<Cell<u32>>,
    }

    struct SlowProver {
        inner: Box<dyn Prover>,
        needed: Duration,
        limits: Limits,
    }

    impl ProverFactory for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }

        fn version(&self) -> String {
            "0".to_owned()
        }

        fn license(&self) -> &'static str {
            "none"
        }

        fn capabilities(&self) -> Capabilities {
            Exhaustive::default().capabilities()
        }

        fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
            let needed = self.needed.ok_or_else(|| Reason::Unsupported(logic.to_owned()))?;
            self.created.set(self.created.get() + 1);
            let inner = Exhaustive::default().new_prover(logic, limits)?;
            Ok(Box::new(SlowProver { inner, needed, limits: limits.clone() }))
        }
    }

    impl Prover for SlowProver {
        fn push(&mut self) -> Result<(), Reason> {
            self.inner.push()
        }

        fn pop(&mut self) -> Result<(), Reason> {
            self.inner.pop()
        }

        fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
            self.inner.assert(pool, formula)
        }

        fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
            if self.limits.time.or(self.limits.left()).is_some_and(|time| time < self.needed) {
                return Outcome::Unknown(Reason::Timeout);
            }
            self.inner.check(pool, assumptions)
        }

        fn set_limits(&mut self, limits: &Limits) {
            self.limits = limits.clone();
        }
    }

    /// A prover of two solvers that need this effort, the number of answers of the second one, and
    /// the number of its provers.
    fn relay(first: u64, second: u64) -> (Box<dyn Prover>, SecondAnswers, Rc<Cell<u32>>) {
        with_second(first, Some(second))
    }

    fn with_second(first: u64, second: Option<u64>) -> (Box<dyn Prover>, SecondAnswers, Rc<Cell<u32>>) {
        let slow = |seconds: Option<u64>, created| Slow { needed: seconds.map(Duration::from_secs), created };
        let (answers, created) = (SecondAnswers::default(), Rc::new(Cell::new(0)));
        let relay = Relay {
            factory: Rc::new(slow(Some(first), Rc::default())),
            second: Rc::new(slow(second, Rc::clone(&created))),
            first_turn: FIRST_TURN,
            answers: answers.clone(),
        };
        (relay.new_prover("ALL", &Limits::default()).expect("a prover"), answers, created)
    }

    #[test]
    fn the_second_solver_is_not_created_for_easy_queries() {
        let mut pool = TermPool::new();
        let a = pool.fresh_symbol("a", Sort::Bool, terms::Representation::Unsigned);
        let (mut prover, answers, created) = relay(1, 0);
        prover.assert(&pool, a).expect("asserted");
        assert_eq!(prover.status(&pool, &[]), Status::Sat);
        assert_eq!((answers.count(), created.get()), (0, 0));
    }

    #[test]
    fn the_second_solver_gets_the_stack() {
        let mut pool = TermPool::new();
        let [a, b] =
            ["a", "b"].map(|name| pool.fresh_symbol(name, Sort::Bool, terms::Representation::Unsigned));
        let not_a = pool.not(a);
        let (mut prover, answers, _) = relay(u64::MAX, 0);
        prover.assert(&pool, a).expect("asserted");
        prover.push().expect("pushed");
        prover.assert(&pool, b).expect("asserted");
        assert_eq!(prover.status(&pool, &[not_a]), Status::Unsat);
        assert_eq!(prover.status(&pool, &[]), Status::Sat);
        prover.assert(&pool, not_a).expect("asserted");
        assert_eq!(prover.status(&pool, &[]), Status::Unsat);
        prover.pop().expect("popped");
        assert_eq!(prover.status(&pool, &[]), Status::Sat);
        match prover.check(&pool, &[a, not_a]) {
            Outcome::Unsat(mut refutation) => assert!(refutation.unsat_core().expect("a core").contains(&1)),
            _ => panic!("unsatisfiable"),
        }
        assert_eq!(answers.count(), 5);
    }

    #[test]
    fn turns_grow_until_a_solver_answers() {
        let mut pool = TermPool::new();
        let a = pool.fresh_symbol("a", Sort::Bool, terms::Representation::Unsigned);
        for (first, second, of_second) in [(8, u64::MAX, 0), (u64::MAX, 8, 1), (3, 3, 0), (5, 1, 1)] {
            let (mut prover, answers, _) = relay(first, second);
            assert_eq!(prover.status(&pool, &[a]), Status::Sat);
            assert_eq!(answers.count(), of_second, "{first} and {second} seconds");
        }
    }

    #[test]
    fn the_second_solver_may_be_a_relay() {
        let mut pool = TermPool::new();
        let a = pool.fresh_symbol("a", Sort::Bool, terms::Representation::Unsigned);
        let slow =
            |seconds| Rc::new(Slow { needed: Some(Duration::from_secs(seconds)), created: Rc::default() });
        for (seconds, of_second, of_third) in
            [([u64::MAX, u64::MAX, 8], 1, 1), ([u64::MAX, 8, u64::MAX], 1, 0)]
        {
            let [with_third, third] = [0, 1].map(|_| SecondAnswers::default());
            let [first, second, last] = seconds.map(slow);
            let first_turn = FIRST_TURN;
            let inner = Relay { factory: second, second: last, first_turn, answers: third.clone() };
            let outer =
                Relay { factory: first, second: Rc::new(inner), first_turn, answers: with_third.clone() };
            let mut prover = outer.new_prover("ALL", &Limits::default()).expect("a prover");
            assert_eq!(prover.status(&pool, &[a]), Status::Sat);
            assert_eq!((with_third.count(), third.count()), (of_second, of_third));
        }
    }

    #[test]
    fn first_turns_adapt_to_the_better_solver() {
        let mut turns = Turns::new(FIRST_TURN);
        turns.spend(Runner::First, FIRST_TURN);
        turns.answered(Runner::First);
        assert_eq!(turns.start, FIRST_TURN, "the second solver had no turn");
        for expected in [4, 16, 16] {
            turns.spend(Runner::Second, FIRST_TURN);
            turns.answered(Runner::First);
            assert_eq!(turns.next(), (Runner::First, FIRST_TURN * expected));
        }
        turns.answered(Runner::Second);
        assert_eq!(turns.next(), (Runner::First, FIRST_TURN / 4));
    }

    /// The efforts of the turns of a query that nobody answers.
    fn efforts(turns: &mut Turns) -> Vec<(Runner, u32)> {
        let query = (0..6).map(|_| {
            let (runner, effort) = turns.next();
            turns.spend(runner, effort);
            (runner, (effort.as_secs_f64() / turns.start.as_secs_f64() * 4.0) as u32)
        });
        let query = query.collect();
        turns.reset();
        query
    }

    #[test]
    fn the_solver_of_the_last_answers_has_longer_turns() {
        use Runner::{First, Second};
        let mut turns = Turns::new(FIRST_TURN);
        let even = [(First, 4), (Second, 4), (First, 4), (Second, 4), (First, 8), (Second, 8)];
        assert_eq!(efforts(&mut turns), even);
        turns.answered(Second);
        let second = [(First, 4), (Second, 16), (First, 4), (Second, 16), (First, 8), (Second, 32)];
        assert_eq!(efforts(&mut turns), second);
        let first = [(First, 4), (Second, 1), (First, 4), (Second, 1), (First, 8), (Second, 2)];
        for expected in [&even[..], &first[..]] {
            turns.spend(Second, FIRST_TURN);
            turns.answered(First);
            assert_eq!(efforts(&mut turns), expected);
        }
    }

    #[test]
    fn without_a_first_turn_both_solvers_have_turns() {
        use Runner::{First, Second};
        let even = [(First, 4), (Second, 4), (First, 4), (Second, 4), (First, 8), (Second, 8)];
        assert_eq!(efforts(&mut Turns::new(Duration::ZERO)), even);
    }

    #[test]
    fn limits_of_the_caller_hold() {
        let mut pool = TermPool::new();
        let a = pool.fresh_symbol("a", Sort::Bool, terms::Representation::Unsigned);
        let (mut prover, ..) = relay(u64::MAX, u64::MAX);
        prover.set_limits(&Limits::default().within(Duration::ZERO));
        assert_eq!(prover.status(&pool, &[a]), Status::Unknown(Reason::Timeout));
    }

    #[test]
    fn without_a_second_solver_the_first_one_has_the_last_word() {
        let mut pool = TermPool::new();
        let a = pool.fresh_symbol("a", Sort::Bool, terms::Representation::Unsigned);
        let (mut prover, ..) = with_second(8, None);
        assert_eq!(prover.status(&pool, &[a]), Status::Sat);
        prover.set_limits(&Limits::default().per_check(Duration::from_secs(7)));
        assert_eq!(prover.status(&pool, &[a]), Status::Unknown(Reason::Timeout));
    }
}
