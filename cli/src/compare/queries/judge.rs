//! Judgment of the answers to one query: who is refuted, and by what.

use super::replay::{Answers, Checked, Evidence, Judges};
use backends::effort::Moment;
use backends::minimize::{Trial, minimize};
use backends::{ProverFactory, Status};
use std::rc::Rc;
use std::time::Duration;
use terms::{Term, TermPool, print};

/// The most candidates of a minimization.
const ATTEMPTS: usize = 3000;
/// The most effort of a minimization.
const EFFORT: Duration = Duration::from_secs(60);

/// A contradiction between answers, or between an answer and its evidence.
pub(super) struct Finding {
    pub(super) fault: Fault,
    /// The minimized query, or the reproduction of a wrong interpolant.
    pub(super) script: String,
    /// The number of assertions and of distinct terms of the script.
    pub(super) size: Option<(usize, usize)>,
    /// The file of the script, relative to the report.
    pub(super) file: String,
}

/// The kind of a contradiction, with the solvers involved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// `culprit` answers `unsat`, and `witness` has a model that satisfies all assertions.
    WrongUnsat { culprit: &'static str, witness: &'static str },
    /// The model of `culprit` violates an assertion.
    WrongModel { culprit: &'static str, what: String },
    /// The core of `culprit` is satisfiable.
    WrongCore { culprit: &'static str, what: String },
    /// One answers `sat`, without a model that can be evaluated, the other `unsat`.
    Disagreement { sat: &'static str, unsat: &'static str },
    /// The answer contradicts the status of the script.
    WrongStatus { culprit: &'static str, stated: &'static str },
    /// The interpolants of a source are refuted.
    WrongInterpolants { culprit: &'static str, what: String },
}

impl Finding {
    /// The name of the solver that is refuted, or of both if one of two is.
    pub(super) fn culprit(&self) -> String {
        match &self.fault {
            Fault::WrongUnsat { culprit, .. }
            | Fault::WrongModel { culprit, .. }
            | Fault::WrongCore { culprit, .. }
            | Fault::WrongStatus { culprit, .. }
            | Fault::WrongInterpolants { culprit, .. } => (*culprit).to_owned(),
            Fault::Disagreement { sat, unsat } => format!("{sat}-or-{unsat}"),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::WrongUnsat { culprit, witness } => {
                write!(f, "{culprit} answers unsat, but {witness} has a model that satisfies all assertions")
            }
            Fault::WrongModel { culprit, what } => write!(f, "{culprit} has a wrong model: {what}"),
            Fault::WrongCore { culprit, what } => write!(f, "{culprit} has a wrong unsat core: {what}"),
            Fault::Disagreement { sat, unsat } => {
                write!(f, "{sat} answers sat, without a model that can be evaluated, and {unsat} unsat")
            }
            Fault::WrongStatus { culprit, stated } => {
                write!(f, "the answer of {culprit} contradicts the status {stated} of the script")
            }
            Fault::WrongInterpolants { culprit, what } => {
                write!(f, "{culprit} has wrong interpolants: {what}")
            }
        }
    }
}

/// Returns the findings on a query, each with a small script that reproduces it.
pub(super) fn judge(
    pool: &mut TermPool,
    logic: &str,
    formulas: &[Term],
    answers: &Answers,
    stated: Option<&Status>,
    judges: &Judges,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for fault in faults(&answers.checks, stated) {
        let small = reduce(pool, logic, formulas, &fault, judges);
        let status = match &fault {
            Fault::WrongUnsat { .. } => "sat",
            _ => "unknown",
        };
        let header = format!("; {}\n(set-info :status {status})\n", fault.to_string().replace('\n', " "));
        let mut script = String::new();
        print::Script { logic: Some(logic), header: &header, assertions: &small, footer: "(check-sat)\n" }
            .write(&mut script, pool)
            .expect("a string takes any text");
        let terms = small.iter().map(|&formula| pool.dag_size(formula)).sum();
        findings.push(Finding { fault, script, size: Some((small.len(), terms)), file: String::new() });
    }
    for answer in &answers.interpolants {
        let Some(fault) = &answer.fault else { continue };
        let what = fault.fault.to_string();
        findings.push(Finding {
            fault: Fault::WrongInterpolants { culprit: answer.source, what },
            script: fault.script.clone(),
            size: None,
            file: String::new(),
        });
    }
    findings
}

/// The contradictions in the answers. A solver with a valid model is right.
fn faults(checks: &[Checked], stated: Option<&Status>) -> Vec<Fault> {
    let mut found = Vec::new();
    let witness = checks.iter().find(|own| own.status == Status::Sat && own.evidence == Evidence::Valid);
    let unsat = checks.iter().find(|own| own.status == Status::Unsat);
    for own in checks {
        let culprit = own.solver;
        match (&own.status, &own.evidence) {
            (Status::Sat, Evidence::Wrong(what)) => {
                found.push(Fault::WrongModel { culprit, what: what.clone() });
            }
            (Status::Sat, Evidence::Unchecked(_)) => {
                if let (None, Some(unsat)) = (witness, unsat) {
                    found.push(Fault::Disagreement { sat: culprit, unsat: unsat.solver });
                }
            }
            (Status::Unsat, evidence) => {
                if let Some(witness) = witness {
                    found.push(Fault::WrongUnsat { culprit, witness: witness.solver });
                } else if let Evidence::Wrong(what) = evidence {
                    found.push(Fault::WrongCore { culprit, what: what.clone() });
                }
            }
            _ => {}
        }
    }
    if found.is_empty()
        && let Some(stated) = stated
    {
        let name = if *stated == Status::Sat { "sat" } else { "unsat" };
        let contradicts = |own: &&Checked| match own.status {
            Status::Unknown(_) => false,
            ref status => status != stated,
        };
        let wrong = checks.iter().filter(contradicts);
        found.extend(wrong.map(|own| Fault::WrongStatus { culprit: own.solver, stated: name }));
    }
    found
}

/// Returns fewer and smaller formulas with the same fault of the same solvers.
fn reduce(pool: &mut TermPool, logic: &str, formulas: &[Term], fault: &Fault, judges: &Judges) -> Vec<Term> {
    let solver = |name: &str| judges.solvers.iter().find(|solver| solver.name() == name).cloned();
    let involved: Vec<Rc<dyn ProverFactory>> = match fault {
        Fault::WrongUnsat { culprit, witness } => {
            [solver(culprit), solver(witness)].into_iter().flatten().collect()
        }
        Fault::WrongModel { culprit, .. } => solver(culprit).into_iter().collect(),
        Fault::Disagreement { sat, unsat } => [solver(sat), solver(unsat)].into_iter().flatten().collect(),
        // The status is that of the whole script; a core is checked on the whole query.
        Fault::WrongCore { .. } | Fault::WrongStatus { .. } | Fault::WrongInterpolants { .. } => {
            return formulas.to_vec();
        }
    };
    let end = Moment::now().after(EFFORT);
    minimize(pool, formulas, ATTEMPTS, |pool, candidate| {
        if end.left().is_zero() {
            return Trial::Stop;
        }
        let checks: Vec<Checked> =
            involved.iter().map(|solver| judges.check(pool, solver, logic, candidate)).collect();
        match faults(&checks, None).iter().any(|other| is_same(fault, other)) {
            true => Trial::Fails,
            false => Trial::Passes,
        }
    })
}

/// Whether the faults are of one kind and of the same solvers.
fn is_same(one: &Fault, other: &Fault) -> bool {
    match (one, other) {
        (Fault::WrongModel { culprit, .. }, Fault::WrongModel { culprit: other, .. }) => culprit == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends::Reason;

    fn answer(solver: &'static str, status: Status, evidence: Evidence) -> Checked {
        Checked { solver, status, time: Duration::ZERO, evidence, core: None }
    }

    #[test]
    fn a_valid_model_refutes_unsat_and_a_wrong_model_refutes_itself() {
        let none = || Evidence::Unchecked("no evidence".to_owned());
        let valid = answer("a", Status::Sat, Evidence::Valid);
        let unsat = answer("b", Status::Unsat, none());
        let wrong = answer("c", Status::Sat, Evidence::Wrong("x".to_owned()));
        let unchecked = answer("d", Status::Sat, none());
        let unknown = answer("e", Status::Unknown(Reason::Timeout), none());
        let found = faults(&[valid.clone(), unsat.clone(), wrong, unchecked.clone(), unknown.clone()], None);
        let expected = [
            Fault::WrongUnsat { culprit: "b", witness: "a" },
            Fault::WrongModel { culprit: "c", what: "x".to_owned() },
        ];
        assert_eq!(found, expected);
        let found = faults(&[unsat.clone(), unchecked, unknown.clone()], Some(&Status::Sat));
        assert_eq!(found, [Fault::Disagreement { sat: "d", unsat: "b" }], "either may be wrong");
        let found = faults(&[unsat, unknown.clone()], Some(&Status::Sat));
        assert_eq!(found, [Fault::WrongStatus { culprit: "b", stated: "sat" }]);
        assert_eq!(faults(&[valid, unknown], Some(&Status::Sat)), []);
        let core = answer("f", Status::Unsat, Evidence::Wrong("y".to_owned()));
        assert_eq!(faults(&[core], None), [Fault::WrongCore { culprit: "f", what: "y".to_owned() }]);
    }
}
