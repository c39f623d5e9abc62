//! The results of runs, and what they say about a task with a label.

use super::supervise::{Limit, Measured};
use super::tasks::{Label, Task};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The kind of the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    /// `TRUE` or `sat`.
    True,
    /// `FALSE` or `unsat`.
    False,
    /// No verdict, with a reason.
    Unknown,
    /// The input or the options are refused.
    Rejected,
    /// The validator refuted the certificate of a proof.
    Refuted,
    /// It ended without an answer.
    Crash,
    /// It did not end at its time limit.
    Hang,
}

/// The calls of one kind that a run made to its solvers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Calls {
    /// The number of calls.
    pub(super) count: u64,
    /// The number of calls without a result.
    pub(super) failures: u64,
    /// The time of all calls in seconds.
    pub(super) seconds: f64,
}

/// The result of one run: a line of `results.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    /// The name of the task.
    pub(super) task: String,
    /// The name of the configuration.
    pub(super) configuration: String,
    /// The kind of the end.
    pub(super) answer: Answer,
    /// The answer in the words of the command.
    pub(super) verdict: String,
    /// The reason of an answer that is no verdict.
    pub(super) reason: String,
    /// The kind of UNKNOWN.
    pub(super) kind: String,
    /// The result of the validation of a certificate.
    pub(super) validation: Option<String>,
    /// Times, memory and exit code.
    #[serde(flatten)]
    pub(super) measured: Measured,
    /// The processor cores of the run.
    pub(super) cores: Vec<usize>,
    /// The calls of solvers and of sources of interpolants.
    pub(super) calls: BTreeMap<String, Calls>,
    /// The reasons of failed calls of sources of interpolants: `SOURCE: REASON`, with their
    /// numbers.
    pub(super) failures: BTreeMap<String, u64>,
    /// The statistics of the algorithm.
    pub(super) statistics: BTreeMap<String, f64>,
    /// The log, below the folder of the campaign.
    pub(super) log: String,
    /// The machine.
    #[serde(default)]
    pub(super) host: String,
}

/// The value of the result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Category {
    CorrectProof,
    CorrectAlarm,
    /// A proof of a task without a label.
    Proof,
    /// An alarm on a task without a label.
    Alarm,
    WrongProof,
    WrongAlarm,
    /// A verdict against a label that is disputed.
    Disputed,
    Unknown,
    Rejected,
    Refuted,
    Crash,
    Hang,
}

impl Category {
    /// Returns the category of `answer` on a task with `label`.
    pub(super) fn of(answer: Answer, label: Option<Label>, is_disputed: bool) -> Self {
        match (answer, label) {
            (Answer::True, Some(Label::True)) => Category::CorrectProof,
            (Answer::False, Some(Label::False)) => Category::CorrectAlarm,
            (Answer::True | Answer::False, Some(_)) if is_disputed => Category::Disputed,
            (Answer::True, Some(Label::False)) => Category::WrongProof,
            (Answer::False, Some(Label::True)) => Category::WrongAlarm,
            (Answer::True, None) => Category::Proof,
            (Answer::False, None) => Category::Alarm,
            (Answer::Unknown, _) => Category::Unknown,
            (Answer::Rejected, _) => Category::Rejected,
            (Answer::Refuted, _) => Category::Refuted,
            (Answer::Crash, _) => Category::Crash,
            (Answer::Hang, _) => Category::Hang,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Category::CorrectProof => "correct proof",
            Category::CorrectAlarm => "correct alarm",
            Category::Proof => "proof",
            Category::Alarm => "alarm",
            Category::WrongProof => "wrong proof",
            Category::WrongAlarm => "wrong alarm",
            Category::Disputed => "disputed label",
            Category::Unknown => "unknown",
            Category::Rejected => "rejected",
            Category::Refuted => "refuted certificate",
            Category::Crash => "crash",
            Category::Hang => "hang",
        }
    }

    pub(super) fn is_correct(self) -> bool {
        matches!(self, Category::CorrectProof | Category::CorrectAlarm)
    }

    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Category::WrongProof | Category::WrongAlarm)
    }

    /// Whether it is a fault of the program.
    pub(super) fn is_bad(self) -> bool {
        self.is_wrong() || matches!(self, Category::Refuted | Category::Crash | Category::Hang)
    }

    /// Whether it is a verdict.
    pub(super) fn is_verdict(self) -> bool {
        self <= Category::Disputed
    }
}

/// The result of the validation of a certificate that is validated.
pub(super) const VALIDATED: &str = "validated";

impl Run {
    /// Whether the evidence of a verdict was checked: that of FALSE always is.
    pub(super) fn is_confirmed(&self) -> bool {
        self.validation.as_deref().is_none_or(|result| result == VALIDATED)
    }

    /// Whether a counterexample of the formulas did not replay.
    pub(super) fn has_unconfirmed(&self) -> bool {
        let counted = ["unconfirmed", "search.unconfirmed"];
        counted.iter().any(|name| self.statistics.get(*name).is_some_and(|&count| count > 0.0))
    }

    /// The score of the run by the rules of SV-COMP: 2 for a correct proof and 1 for a correct
    /// alarm, if they are confirmed, -32 for a wrong proof and -16 for a wrong alarm.
    pub(super) fn score(&self, category: Category) -> i64 {
        match category {
            Category::CorrectProof if self.is_confirmed() => 2,
            Category::CorrectAlarm => 1,
            Category::WrongProof => -32,
            Category::WrongAlarm => -16,
            _ => 0,
        }
    }
}

/// A run with its task and category.
pub(super) struct Judged<'c> {
    pub(super) run: &'c Run,
    pub(super) task: &'c Task,
    pub(super) category: Category,
}

/// The answer of a command, before it is joined with the measurements.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Said {
    pub(super) answer: Option<Answer>,
    pub(super) verdict: String,
    pub(super) reason: String,
    pub(super) kind: String,
    pub(super) validation: Option<String>,
    pub(super) calls: BTreeMap<String, Calls>,
    pub(super) failures: BTreeMap<String, u64>,
    pub(super) statistics: BTreeMap<String, f64>,
}

impl Said {
    /// Reads the object that `hornwork verify --json --stats` or `hornwork horn --json` prints.
    pub(super) fn of_object(out: &str) -> Self {
        let object: Option<Value> = out.lines().last().and_then(|line| serde_json::from_str(line).ok());
        let Some(object) = object else { return Said::default() };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let verdict = text(&object["verdict"]);
        let mut said =
            Said { kind: text(&object["kind"]), reason: text(&object["reason"]), ..Said::default() };
        (said.answer, said.verdict) = match verdict.as_str() {
            "TRUE" | "sat" => (Some(Answer::True), verdict),
            "unsat" => (Some(Answer::False), verdict),
            "FALSE" => (Some(Answer::False), format!("FALSE({})", text(&object["property"]))),
            "UNKNOWN" | "unknown" => (Some(Answer::Unknown), verdict),
            "ERROR" => {
                said.reason = text(&object["message"]);
                (Some(Answer::Rejected), verdict)
            }
            _ => (None, verdict),
        };
        said.validation = object["validation"]["result"].as_str().map(str::to_owned);
        if said.validation.as_deref() == Some("rejected") {
            said.answer = Some(Answer::Refuted);
        }
        if let Some(calls) = object["solving"]["queries"].as_object() {
            for (name, entry) in calls {
                said.calls.insert(name.clone(), calls_of(entry));
                let source = name.strip_prefix("interpolants: ").unwrap_or(name);
                for (reason, count) in entry["reasons"].as_object().into_iter().flatten() {
                    said.failures.insert(format!("{source}: {reason}"), count.as_u64().unwrap_or(0));
                }
            }
        }
        numbers("", &object["statistics"], &mut said.statistics);
        numbers("stages", &object["portfolio"]["stages"], &mut said.statistics);
        if let Some(winner) = object["portfolio"]["winner"].as_str() {
            said.verdict = format!("{} by {winner}", said.verdict);
        }
        said
    }

    /// Reads the lines that `hornwork smt` prints.
    pub(super) fn of_script(out: &str, err: &str) -> Self {
        let mut answers = out.lines().filter(|line| matches!(*line, "sat" | "unsat" | "unknown"));
        let error = || out.lines().chain(err.lines()).find(|line| line.contains("error"));
        match answers.next_back() {
            Some(verdict) => Said {
                answer: Some(match verdict {
                    "sat" => Answer::True,
                    "unsat" => Answer::False,
                    _ => Answer::Unknown,
                }),
                verdict: verdict.to_owned(),
                kind: if verdict == "unknown" { "solver".to_owned() } else { String::new() },
                ..Said::default()
            },
            None => match error() {
                Some(error) => Said {
                    answer: Some(Answer::Rejected),
                    verdict: "ERROR".to_owned(),
                    reason: error.to_owned(),
                    ..Said::default()
                },
                None => Said::default(),
            },
        }
    }

    /// Joins the answer with the measurements: limits and signals take precedence.
    pub(super) fn with(self, measured: &Measured, err: &str) -> Self {
        let limit = |answer, kind: &str, reason: &str| Said {
            answer: Some(answer),
            verdict: "UNKNOWN".to_owned(),
            kind: kind.to_owned(),
            reason: reason.to_owned(),
            ..Said::default()
        };
        match (measured.limit, measured.signal, self.answer) {
            (Some(Limit::Time), ..) => limit(Answer::Hang, "time-limit", "it did not end at its time limit"),
            (Some(Limit::CpuTime), ..) => limit(Answer::Unknown, "cpu-time-limit", "CPU time limit reached"),
            (Some(Limit::Memory), ..) => limit(Answer::Unknown, "memory-limit", "memory limit reached"),
            (None, None, Some(_)) => self,
            (None, signal, answer) => {
                let last = err.trim_end().lines().next_back().unwrap_or_default();
                let how = match (signal, answer) {
                    (Some(signal), _) => format!("signal {signal}"),
                    (None, _) => format!("exit code {}", measured.exit.unwrap_or_default()),
                };
                Said {
                    verdict: "ERROR".to_owned(),
                    ..limit(Answer::Crash, "crash", &format!("{how}: {last}"))
                }
            }
        }
    }
}

/// Reads an entry of the statistics of queries.
fn calls_of(entry: &Value) -> Calls {
    Calls {
        count: entry["count"].as_u64().unwrap_or(0),
        failures: entry["failures"].as_u64().unwrap_or(0),
        seconds: entry["time"]["secs"].as_f64().unwrap_or(0.0)
            + entry["time"]["nanos"].as_f64().unwrap_or(0.0) / 1e9,
    }
}

/// The lists whose entries have names that mean the same for every program.
const NAMED_LISTS: [&str; 4] = ["domains", "facts", "passes", "stages"];

/// Collects the numbers of nested objects under dotted names. Entries of a list with the same name
/// are added up; other lists, such as those of single steps, are in the log only. The depth is that
/// of the statistics, a constant.
fn numbers(prefix: &str, value: &Value, found: &mut BTreeMap<String, f64>) {
    let below = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    let is_deep = prefix.matches('.').count() >= 4;
    match value {
        Value::Number(number) => {
            *found.entry(prefix.to_owned()).or_insert(0.0) += number.as_f64().unwrap_or(0.0);
        }
        Value::Object(members) if !is_deep => {
            for (name, member) in members {
                numbers(&below(name), member, found);
            }
        }
        Value::Array(entries) if NAMED_LISTS.iter().any(|name| prefix.ends_with(name)) => {
            for entry in entries {
                let (name, values) = match entry {
                    // Sizes before and after a pass would take the room of what counts.
                    Value::Object(members) => {
                        (members.get("name").unwrap_or(&Value::Null), json!({ "time": time_of(members) }))
                    }
                    entry => (&entry[0], entry[1].clone()),
                };
                if let Some(name) = name.as_str() {
                    numbers(&below(name), &values, found);
                }
            }
        }
        _ => {}
    }
}

/// The time of a pass or of a stage.
fn time_of(members: &serde_json::Map<String, Value>) -> &Value {
    members.get("time").or_else(|| members.get("seconds")).unwrap_or(&Value::Null)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::supervise::Source;
    use super::*;

    fn measured() -> Measured {
        Measured {
            exit: Some(0),
            signal: None,
            limit: None,
            cputime: 1.0,
            walltime: 2.0,
            memory: 3 << 20,
            cputime_by: Source::Rusage,
            memory_by: Source::Rusage,
            left_over: 0,
        }
    }

    pub(in super::super) fn run(validation: Option<&str>) -> Run {
        Run {
            task: String::new(),
            configuration: String::new(),
            answer: Answer::True,
            verdict: String::new(),
            reason: String::new(),
            kind: String::new(),
            validation: validation.map(str::to_owned),
            measured: measured(),
            cores: Vec::new(),
            calls: BTreeMap::new(),
            failures: BTreeMap::new(),
            statistics: BTreeMap::new(),
            log: String::new(),
            host: String::new(),
        }
    }

    #[test]
    fn answers_of_programs_are_read() {
        let out = r#"{"verdict":"TRUE","validation":{"result":"validated"},"statistics":{"k":2,"a":{"time":0.5},"l":[1],
            "passes":[{"name":"dce","time":1,"after":3},{"name":"dce","time":2}],"facts":[["cores",{"count":4},9]]},
            "portfolio":{"stages":[{"name":"bmc","seconds":0.25}]},
            "solving":{"queries":{"interpolants: craig":{"count":3,"failures":2,"reasons":{"incomplete":2},"time":{"secs":1,"nanos":500000000}}}}}"#
            .replace('\n', "");
        let said = Said::of_object(&out).with(&measured(), "");
        assert_eq!((said.answer, said.verdict.as_str()), (Some(Answer::True), "TRUE"));
        assert_eq!(said.calls["interpolants: craig"], Calls { count: 3, failures: 2, seconds: 1.5 });
        assert_eq!(said.failures["craig: incomplete"], 2);
        let statistics = [
            ("a.time", 0.5),
            ("facts.cores.count", 4.0),
            ("k", 2.0),
            ("passes.dce.time", 3.0),
            ("stages.bmc.time", 0.25),
        ];
        let statistics = statistics.map(|(name, value)| (name.to_owned(), value));
        assert_eq!(said.statistics, BTreeMap::from(statistics));
        let said = Said::of_object(r#"{"verdict":"FALSE","property":"no-overflow"}"#);
        assert_eq!((said.answer, said.verdict.as_str()), (Some(Answer::False), "FALSE(no-overflow)"));
        let said = Said::of_object(r#"{"verdict":"ERROR","message":"not C"}"#);
        assert_eq!((said.answer, said.reason.as_str()), (Some(Answer::Rejected), "not C"));
        let said = Said::of_object(r#"{"verdict":"unsat","validation":{"result":"validated"}}"#);
        assert_eq!((said.answer, said.verdict.as_str()), (Some(Answer::False), "unsat"));
    }

    #[test]
    fn a_run_without_an_answer_has_crashed_and_one_that_was_killed_reached_its_limit() {
        let said = Said::of_object("").with(&Measured { exit: Some(134), ..measured() }, "first\nlast\n");
        assert_eq!((said.answer, said.reason.as_str()), (Some(Answer::Crash), "exit code 134: last"));
        // An answer does not count if a signal ended the run after it.
        let killed = Measured { exit: None, signal: Some(11), ..measured() };
        let said = Said::of_object(r#"{"verdict":"TRUE"}"#).with(&killed, "");
        assert_eq!(said.answer, Some(Answer::Crash));
        for (limit, answer) in
            [(Limit::Time, Answer::Hang), (Limit::CpuTime, Answer::Unknown), (Limit::Memory, Answer::Unknown)]
        {
            let killed = Measured { limit: Some(limit), signal: Some(9), exit: None, ..measured() };
            assert_eq!(Said::of_object("").with(&killed, "").answer, Some(answer));
        }
    }

    #[test]
    fn answers_of_scripts_are_read() {
        assert_eq!(Said::of_script("sat\n(x 1)\nunsat\n", "").answer, Some(Answer::False));
        assert_eq!(Said::of_script("unknown\n", "").answer, Some(Answer::Unknown));
        assert_eq!(Said::of_script("", "error: line 3\n").answer, Some(Answer::Rejected));
        assert_eq!(Said::of_script("", "").answer, None);
    }

    #[test]
    fn scores_are_those_of_the_competition() {
        let confirmed = run(Some(VALIDATED));
        let of = |answer, label| confirmed.score(Category::of(answer, Some(label), false));
        assert_eq!(of(Answer::True, Label::True), 2);
        assert_eq!(of(Answer::False, Label::False), 1);
        assert_eq!(of(Answer::True, Label::False), -32);
        assert_eq!(of(Answer::False, Label::True), -16);
        assert_eq!(confirmed.score(Category::of(Answer::False, Some(Label::True), true)), 0);
        assert_eq!(run(Some("not validated")).score(Category::CorrectProof), 0);
        assert_eq!(confirmed.score(Category::Unknown), 0);
    }
}
