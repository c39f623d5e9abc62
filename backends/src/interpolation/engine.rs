//! Sources in order, each under a budget, and nothing uncertified.

use super::certify::Certifier;
use super::{Interpolator, Problem, Strategy};
use crate::{Limits, Reason};
use ir::term::{Term, TermPool};
use std::time::Duration;

/// The interpolation of a run: the sources that are tried in order.
pub struct Interpolation {
    /// The sources.
    pub sources: Vec<Box<dyn Interpolator>>,
    /// How shapes are made of smaller ones.
    pub strategy: Strategy,
    /// The longest time that one source gets for one problem.
    pub budget: Option<Duration>,
    /// What proves the answers; nothing is proved without it.
    pub certifier: Option<Certifier>,
    /// What became of every attempt, for statistics: source, outcome, time.
    pub attempts: Vec<Attempt>,
}

/// Interpolants and where they are from.
#[derive(Clone, Debug)]
pub struct Answer {
    /// One for each part but the root.
    pub interpolants: Vec<Term>,
    /// Index into [`Interpolation::sources`].
    pub source: usize,
}

/// One source's attempt at one problem.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Attempt {
    /// The name of the source.
    pub source: String,
    /// Why there was no (certified) answer; none if there was.
    pub failure: Option<Reason>,
    /// How long it took, with certification.
    pub time: Duration,
}

impl Interpolation {
    /// The first certified answer.
    ///
    /// # Errors
    /// If no source had one, a reason that names what each said.
    pub fn solve(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Answer, Reason> {
        let _ = (pool, problem, limits);
        Err(Reason::Unsupported("interpolation".to_owned()))
    }
}
