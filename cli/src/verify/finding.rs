//! A check with its verdict.

use super::checks::Check;
use serde_json::{Value, json};

/// The result of a check.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) check: Check,
    /// The object of the round that decided the check, as printed with `--json`.
    pub(super) object: Value,
}

impl Finding {
    /// TRUE, FALSE or UNKNOWN.
    pub(super) fn verdict(&self) -> &str {
        self.object["verdict"].as_str().unwrap_or("UNKNOWN")
    }

    /// Returns the check with its verdict and evidence as a JSON object.
    pub(super) fn json(&self) -> Value {
        let mut object = self.check.json();
        object["verdict"] = self.verdict().into();
        for member in ["reason", "kind", "inputs", "trace", "validation", "certificate"] {
            if let Some(value) = self.object.get(member).filter(|value| **value != json!([])) {
                object[member] = value.clone();
            }
        }
        object
    }

    /// A line of the table, with the inputs of a counterexample below it.
    pub(super) fn line(&self) -> String {
        let Finding { check, object } = self;
        let mut line = format!("{:8} {check}", self.verdict());
        if let Some(reason) = object["reason"].as_str() {
            line = format!("{line} ({reason})");
        }
        let inputs = object["inputs"].as_array().into_iter().flatten();
        let inputs: Vec<String> = inputs
            .map(|input| {
                let text = |member: &str| input[member].as_str().unwrap_or_default();
                format!("{} = {}", text("source"), text("value"))
            })
            .collect();
        match inputs.is_empty() {
            true => format!("{line}\n"),
            false => format!("{line}\n           inputs: {}\n", inputs.join(", ")),
        }
    }
}
