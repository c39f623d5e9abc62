//! Sources one after the other, as one.

use backends::interpolation::{Interpolator, Problem, Shape, reasons};
use backends::{Limits, Reason};
use ir::term::{Term, TermPool};
use std::time::Instant;

/// Asks sources in order until one has an answer. Each gets an equal share of the time that is left to it and those after it.
pub struct Alternatives {
    /// The name of all together.
    pub name: &'static str,
    /// With what each is called in reasons. Each takes trees, and decides.
    pub sources: Vec<(String, Box<dyn Interpolator>)>,
}

impl Interpolator for Alternatives {
    fn name(&self) -> &str {
        self.name
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Vec<Term>, Reason> {
        let limits = Limits { deadline: limits.end_of_check(), time: None, ..limits.clone() };
        let mut said = Vec::new();
        let mut open = self.sources.len();
        for (who, source) in &mut self.sources {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let now = Instant::now();
            let share = u32::try_from(open).unwrap_or(u32::MAX);
            let deadline =
                limits.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / share);
            open -= 1;
            match source.interpolate(pool, problem, &Limits { deadline, ..limits.clone() }) {
                Ok(interpolants) => return Ok(interpolants),
                // The parts are satisfiable.
                Err(reason @ Reason::Misuse(_)) => return Err(reason),
                Err(reason) => said.push((who.clone(), reason)),
            }
        }
        Err(reasons::join(&said, &limits))
    }
}
