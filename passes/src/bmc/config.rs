//! What a run of bounded model checking is told.

use crate::transform::Pipeline;
use backends::{Interrupt, Limits};
use ir::encode::{Encoding, FloatEncoding, Overflow};
use std::time::{Duration, Instant};

/// The bounds that are tried, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The first bound, at least 1.
    pub first: u32,
    /// How the next bound follows.
    pub growth: Growth,
    /// The largest bound allowed; `None` for no limit but the others.
    pub largest: Option<u32>,
}

/// How the next bound follows from the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// One more.
    Linear,
    /// More by the given percentage, and by at least one.
    ///
    /// The sum of all steps up to bound k costs `1 + 100/percent` times the last step, if the cost of a step grows linearly
    /// with what it adds, and a bug at depth d is looked for at a bound of at most `(1 + percent/100) · d`.
    Geometric(u32),
}

impl Schedule {
    /// Exactly one step, with the given bound.
    pub fn exactly(bound: u32) -> Self {
        Schedule { first: bound.max(1), growth: Growth::Linear, largest: Some(bound.max(1)) }
    }

    /// Deepening as a user gets it who asks for nothing, up to `largest`.
    ///
    /// Doubling. Deep errors (a loop to 1000, a recursion of depth 1000) are found in ten steps. That a loop
    /// overshoots its depth costs little: what lies behind an exit that must be taken folds away, and the solver
    /// drops frontiers that no execution reaches.
    pub fn deepening(largest: Option<u32>) -> Self {
        Schedule { first: 1, growth: Growth::Geometric(100), largest }
    }

    /// The bound after `bound`, if there is one.
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

/// A run's parameters.
#[derive(Clone, Debug)]
pub struct Config {
    /// The bounds.
    pub schedule: Schedule,
    /// What is done to the program before it is unrolled.
    pub pipeline: Pipeline,
    /// The theories of the formulas.
    pub encoding: Encoding,
    /// What linear encodings do on overflow.
    pub overflow: Overflow,
    /// How bit-precise encodings express floats.
    pub floats: FloatEncoding,
    /// When the run has to end.
    pub deadline: Option<Instant>,
    /// The longest time of one query; a query that takes longer ends the run.
    pub query_time: Option<Duration>,
    /// Ends the run from outside.
    pub interrupt: Option<Interrupt>,
    /// The run ends when there are more terms than this; a guard against running out of memory.
    pub largest_pool: usize,
}

impl Config {
    /// A bit-precise run with the given bounds, without passes, without a time limit, with at most 40 million terms.
    pub fn new(schedule: Schedule) -> Self {
        let (encoding, overflow) = (Encoding::QfAbvfp, Overflow::Wrap);
        Config {
            schedule,
            pipeline: Pipeline::none(),
            encoding,
            overflow,
            floats: FloatEncoding::Bits,
            deadline: None,
            query_time: None,
            interrupt: None,
            largest_pool: 40_000_000,
        }
    }

    /// The logic of the formulas. Linear ones may have reals, for floats.
    pub(crate) fn logic(&self) -> &'static str {
        let floats = if self.encoding.is_linear() { FloatEncoding::Theory } else { self.floats };
        self.encoding.logic(floats)
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.query_time, deadline: self.deadline, interrupt: self.interrupt.clone() }
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
        assert_eq!(bounds(&Schedule { first: 3, growth: Growth::Linear, largest: Some(5) }), [3, 4, 5]);
    }

    #[test]
    fn slow_growth_still_grows() {
        let schedule = Schedule { first: 1, growth: Growth::Geometric(30), largest: Some(8) };
        assert_eq!(bounds(&schedule), [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
