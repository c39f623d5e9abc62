//! A portfolio of sources that run one after another.

use backends::interpolation::{Interpolants, Interpolator, Problem, Shape, reasons};
use backends::{Limits, Reason};
use std::time::Duration;
use terms::TermPool;

/// Time limit of each source in the first round.
const AT_FIRST: Duration = Duration::from_secs(2);

/// Runs sources in order until one answers. In the first round each has a short time limit; in the
/// second round the sources that timed out run again, and each gets an equal share of the remaining
/// time.
pub struct Alternatives {
    /// The name of the portfolio.
    pub name: &'static str,
    /// The sources, each with its name in reasons. Each supports trees and decides satisfiability.
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

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        let limits = limits.of_check();
        let mut said = vec![Reason::Timeout; self.sources.len()];
        let mut open: Vec<usize> = (0..self.sources.len()).collect();
        for longest in [AT_FIRST, Duration::MAX] {
            let round = std::mem::take(&mut open);
            for (done, &source) in round.iter().enumerate() {
                if let Some(reason) = limits.exceeded() {
                    return Interpolants::Unknown(reason);
                }
                let waiting = u32::try_from(round.len() - done).unwrap_or(u32::MAX);
                let narrowed = limits.share(waiting).within(longest);
                match self.sources[source].1.interpolate(pool, problem, &narrowed) {
                    Interpolants::Unknown(reason) => {
                        if reason == Reason::Timeout {
                            open.push(source);
                        }
                        said[source] = reason;
                    }
                    answer => return answer,
                }
            }
        }
        let who = self.sources.iter().map(|(who, _)| who.clone());
        Interpolants::Unknown(reasons::join(&who.zip(said).collect::<Vec<_>>(), &limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Returns its answers in order and records the time limit of each call.
    struct Scripted {
        answers: Vec<Interpolants>,
        asked: Rc<RefCell<Vec<Duration>>>,
    }

    impl Interpolator for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn shape(&self) -> Shape {
            Shape::Tree
        }

        fn interpolate(&mut self, _pool: &mut TermPool, _problem: &Problem, limits: &Limits) -> Interpolants {
            self.asked.borrow_mut().push(limits.left().unwrap_or(Duration::MAX));
            self.answers.remove(0)
        }
    }

    fn ask(answers: Vec<Vec<Interpolants>>, limits: &Limits) -> (Interpolants, Vec<Duration>) {
        let asked: Rc<RefCell<Vec<Duration>>> = Rc::default();
        let of = |(at, answers)| -> (String, Box<dyn Interpolator>) {
            (format!("number {at}"), Box::new(Scripted { answers, asked: Rc::clone(&asked) }))
        };
        let sources = answers.into_iter().enumerate().map(of).collect();
        let mut pool = TermPool::new();
        let problem = Problem::binary(Vec::new(), Vec::new());
        let answer = Alternatives { name: "all", sources }.interpolate(&mut pool, &problem, limits);
        let asked = asked.borrow().clone();
        (answer, asked)
    }

    fn unsupported() -> Interpolants {
        Interpolants::Unknown(Reason::Unsupported("it".to_owned()))
    }

    #[test]
    fn what_needs_more_time_is_asked_again() {
        let timeout = || Interpolants::Unknown(Reason::Timeout);
        let answers =
            vec![vec![unsupported()], vec![timeout(), Interpolants::Found(Vec::new())], vec![timeout()]];
        let limits = Limits { time: Some(Duration::from_secs(100)), ..Limits::default() };
        let (answer, asked) = ask(answers, &limits);
        assert_eq!(answer, Interpolants::Found(Vec::new()));
        assert_eq!(asked.len(), 4);
        assert!(asked[..3].iter().all(|&time| time <= AT_FIRST), "{asked:?}");
        assert!(asked[3] > Duration::from_secs(30), "{asked:?}");
    }

    #[test]
    fn satisfiable_parts_end_it_and_other_reasons_are_joined() {
        let answers = vec![vec![unsupported()], vec![Interpolants::Satisfiable(None)], vec![]];
        let (answer, asked) = ask(answers, &Limits::default());
        assert_eq!((answer, asked.len()), (Interpolants::Satisfiable(None), 2));
        let (answer, _) = ask(vec![vec![unsupported()], vec![unsupported()]], &Limits::default());
        let Interpolants::Unknown(Reason::Unsupported(what)) = answer else { panic!("{answer:?}") };
        assert_eq!(what, "number 0: it; number 1: it");
    }
}
