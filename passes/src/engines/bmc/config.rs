//! The configuration of bounded model checking.

use crate::exchange::Link;
use crate::transform::Pipeline;
use backends::{Interrupt, Limits};
use encode::{Encoding, Theories};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};
use views::unroll::Place;

/// The sequence of bounds of a loop or recursion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The first bound, at least 1.
    pub first: u32,
    /// The growth from one bound to the next.
    pub growth: Growth,
    /// The largest bound; `None` if only the other limits apply.
    pub largest: Option<u32>,
    /// The number of visits up to which iterations that constants decide do not count.
    pub free: u32,
}

/// The number of visits that are free by default: the largest constant trip counts are those of
/// tables and buffers. A longer loop is unrolled like any other from there on.
const FREE: u32 = 1024;

/// The growth from one bound to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// Increases the bound by one.
    Linear,
    /// Increases the bound by the given percentage, and by at least one.
    ///
    /// If the cost of a step grows linearly with its additions, all steps up to bound k together
    /// cost `1 + 100/percent` times the last step. A bug at depth d is found at a bound of at most
    /// `(1 + percent/100) · d`.
    Geometric(u32),
}

/// A text that does not denote a [`Growth`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid growth `{0}`: expected `+1`, or `*F` with a factor F above 1 and at most 1000, such as `*2` or `*1.5`"
)]
pub struct UnknownGrowth(String);

impl FromStr for Growth {
    type Err = UnknownGrowth;

    /// Parses `+1`, or a factor such as `*2` or `*1.5`.
    fn from_str(text: &str) -> Result<Self, UnknownGrowth> {
        let unknown = || UnknownGrowth(text.to_owned());
        if text == "+1" {
            return Ok(Growth::Linear);
        }
        let factor: f64 =
            text.strip_prefix('*').and_then(|factor| factor.parse().ok()).ok_or_else(unknown)?;
        if !(factor > 1.0 && factor <= 1000.0) {
            return Err(unknown());
        }
        // At most 99,900.
        Ok(Growth::Geometric(((factor - 1.0) * 100.0).round() as u32))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Growth::Linear => f.write_str("+1"),
            Growth::Geometric(percent) => write!(f, "*{}", f64::from(*percent) / 100.0 + 1.0),
        }
    }
}

impl Schedule {
    /// A schedule with exactly one step, at the given bound; all iterations count.
    pub fn exactly(bound: u32) -> Self {
        Schedule { first: bound.max(1), growth: Growth::Linear, largest: Some(bound.max(1)), free: 0 }
    }

    /// The default schedule: deepening up to `largest`. Up to 1,024 iterations of a loop do not
    /// count if constants decide them.
    ///
    /// Bounds double, so deep errors (a loop to 1000, a recursion of depth 1000) are found in ten
    /// steps. Unrolling a loop beyond its depth costs little: the code behind an exit that must be
    /// taken folds away, and the solver prunes unreachable frontier items.
    pub fn deepening(largest: Option<u32>) -> Self {
        Schedule { first: 1, growth: Growth::Geometric(100), largest, free: FREE }
    }

    /// Returns the bound after `bound`, if there is one.
    pub(crate) fn next(&self, bound: u32) -> Option<u32> {
        let next = match self.growth {
            Growth::Linear => bound.checked_add(1)?,
            Growth::Geometric(percent) => {
                let grown = u64::from(bound) * (100 + u64::from(percent)) / 100;
                u32::try_from(grown.max(u64::from(bound) + 1)).ok()?
            }
        };
        match self.largest {
            Some(largest) if bound >= largest => None,
            Some(largest) => Some(next.min(largest)),
            None => Some(next),
        }
    }
}

terms::choice! {
    /// What happens to a counterexample in an encoding that is not exact if its replay does not
    /// reach the error.
    #[derive(Default)]
    CounterexampleCheck {
        #[default]
        Exact = "exact", "a query in an exact encoding along the path of the counterexample";
        None = "none", "nothing";
    }
}

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The bounds.
    pub schedule: Schedule,
    /// Loops and recursions of the program as lowered with a fixed bound.
    pub fixed: BTreeMap<Place, u32>,
    /// Loops and recursions of the program as lowered with a larger first bound.
    pub start: BTreeMap<Place, u32>,
    /// The passes that run before unrolling.
    pub pipeline: Pipeline,
    /// The theories of the formulas.
    pub theories: Theories,
    /// The check of counterexamples that do not replay.
    pub check: CounterexampleCheck,
    /// The end of the run at the latest.
    pub deadline: Option<Instant>,
    /// The time limit of one query; exceeding it ends the run.
    pub query_time: Option<Duration>,
    /// Interrupts the run from outside.
    pub interrupt: Option<Interrupt>,
    /// The largest number of terms; exceeding it ends the run before memory is exhausted.
    pub largest_pool: usize,
    /// The exchange of facts with other runs. Bounded model checking has none, but the analyses
    /// that it serves do.
    pub exchange: Link,
}

impl Config {
    /// A bit-precise configuration with the given bounds, without passes, without a time limit, and
    /// with at most 40 million terms.
    pub fn new(schedule: Schedule) -> Self {
        Config {
            schedule,
            fixed: BTreeMap::new(),
            start: BTreeMap::new(),
            pipeline: Pipeline::none(),
            theories: Theories::of(Encoding::QfAbvfp),
            check: CounterexampleCheck::default(),
            deadline: None,
            query_time: None,
            interrupt: None,
            largest_pool: 40_000_000,
            exchange: Link::default(),
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.query_time, interrupt: self.interrupt.clone(), ..Limits::until(self.deadline) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(schedule: &Schedule) -> Vec<u32> {
        std::iter::successors(Some(schedule.first), |&bound| schedule.next(bound)).take(20).collect()
    }

    #[test]
    fn an_exact_bound_is_one_step() {
        assert_eq!(bounds(&Schedule::exactly(7)), [7]);
        assert_eq!(bounds(&Schedule::exactly(0)), [1]);
    }

    #[test]
    fn deepening_ends_with_the_largest_bound() {
        assert_eq!(bounds(&Schedule::deepening(Some(20))), [1, 2, 4, 8, 16, 20]);
        assert_eq!(
            bounds(&Schedule { first: 3, growth: Growth::Linear, largest: Some(5), free: 0 }),
            [3, 4, 5]
        );
    }

    #[test]
    fn slow_growth_still_grows() {
        let schedule = Schedule { first: 1, growth: Growth::Geometric(30), largest: Some(8), free: 0 };
        assert_eq!(bounds(&schedule), [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn growth_is_written_as_it_is_read() {
        for (text, growth) in [
            ("+1", Growth::Linear),
            ("*2", Growth::Geometric(100)),
            ("*1.5", Growth::Geometric(50)),
            ("*10", Growth::Geometric(900)),
        ] {
            assert_eq!(text.parse(), Ok(growth));
            assert_eq!(growth.to_string(), text);
        }
        for text in ["", "1", "+2", "*1", "*0.5", "*x", "*inf", "*NaN", "*1001", "*-2"] {
            assert_eq!(text.parse::<Growth>(), Err(UnknownGrowth(text.to_owned())));
        }
    }
}
