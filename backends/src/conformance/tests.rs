//! Tests of the suite itself: it accepts a correct prover, detects a faulty one, and the fuzzer
//! shrinks its findings.

use super::exhaustive::Exhaustive;
use super::fuzz::{Case, fuzz};
use super::{Outcome, Report, Row, Weight, examine, markdown};
use crate::{Capabilities, Limits, Outcome as Answer, Prover, ProverFactory, Reason};
use std::rc::Rc;
use std::time::Duration;
use terms::{Op, Term, TermPool};

/// An exhaustive prover that drops assertions with an exclusive or of the form ¬(p = q).
struct Forgetful;

impl ProverFactory for Forgetful {
    fn name(&self) -> &'static str {
        "forgetful"
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
        Ok(Box::new(ForgetfulProver(Exhaustive::default().new_prover(logic, limits)?)))
    }
}

struct ForgetfulProver(Box<dyn Prover>);

impl Prover for ForgetfulProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.0.push()
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.0.pop()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        let is_forgotten = pool.op(formula) == Op::Not && pool.op(pool.children(formula)[0]) == Op::Eq;
        if is_forgotten { Ok(()) } else { self.0.assert(pool, formula) }
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Answer<'_> {
        self.0.check(pool, assumptions)
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.0.set_limits(limits);
    }
}

#[test]
#[ignore = "slow"]
fn the_exhaustive_prover_is_never_wrong() {
    let report = examine(&Exhaustive { points: 1 << 10, ..Exhaustive::default() }, &mut |_| {});
    let wrong: Vec<&Row> =
        report.rows.iter().filter(|row| matches!(row.outcome, Outcome::Failed(_))).collect();
    // The prover takes integers from a range, so its answers about all integers are wrong.
    let wrong: Vec<&&Row> = wrong.iter().filter(|row| !row.theory.ends_with("Ints")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let passed = report.rows.iter().filter(|row| row.outcome == Outcome::Passed).count();
    assert!(passed >= 12, "{passed} passed");
}

#[test]
fn fuzzing_finds_and_shrinks_a_wrong_prover() {
    let findings = fuzz(&[Rc::new(Forgetful)], 1, 20_000);
    assert!(!findings.deviations.is_empty(), "{findings:?}");
    for deviation in &findings.deviations {
        let assertions = deviation.script.matches("(assert ").count();
        assert!(assertions <= 8 && deviation.script.len() < 1000, "{}", deviation.script);
    }
}

#[test]
fn fuzzing_a_prover_against_itself_finds_nothing() {
    let findings = fuzz(&[Rc::new(Exhaustive::default())], 1, 300);
    assert!(findings.deviations.is_empty(), "{:?}", findings.deviations);
    assert!(findings.known >= 150, "{findings:?}");
    assert!(findings.satisfiable * 10 > findings.known && findings.satisfiable * 10 < findings.known * 9);
}

#[test]
fn cases_are_a_function_of_their_seed() {
    let text = |seed| Case::random(seed).script("");
    assert_eq!(text(5), text(5));
    assert_ne!(text(5), text(6));
}

#[test]
fn the_table_tells_yes_no_and_partly_apart() {
    let row = |theory, check: &str, outcome| Row {
        theory,
        feature: "linear",
        check: check.to_owned(),
        is_claimed: true,
        weight: Weight::Extra,
        outcome,
        time: Duration::from_secs(1),
    };
    let unsupported = || Outcome::Unsupported("too hard".to_owned());
    let first = Report {
        backend: "one".to_owned(),
        rows: vec![row("Ints", "a", Outcome::Passed), row("Ints", "b", unsupported())],
    };
    let second = Report {
        backend: "two".to_owned(),
        rows: vec![row("Ints", "a", Outcome::Passed), row("Reals", "a", unsupported())],
    };
    let third = Report {
        backend: "three".to_owned(),
        rows: vec![row("Ints", "a", Outcome::Failed("2 | 3".to_owned()))],
    };
    let expected = "| theory | feature | one | two | three |\n\
                    | --- | --- | --- | --- | --- |\n\
                    | Ints | linear | 1/2 passed [1] | yes | 1/1 wrong [2] |\n\
                    | Reals | linear | – | no | – |\n\
                    \n\
                    1. one, Ints, linear:\n    * b (unsupported: too hard)\n\
                    2. three, Ints, linear:\n    * a (failed: 2   3)\n";
    assert_eq!(markdown(&[first, second, third]), expected);
}
