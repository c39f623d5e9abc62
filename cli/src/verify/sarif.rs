//! The findings of `--all-properties` in SARIF 2.1.0 (OASIS, *Static Analysis Results Interchange
//! Format*), which editors and code hosts show at the source lines.
//!
//! A FALSE is a result of the kind `fail`, with the locations of its trace as a code flow; a TRUE
//! is of the kind `pass`, and an UNKNOWN of the kind `open`. A rule is a kind of property.
//!
//! Limits: a column counts bytes, so on lines with other characters than ASCII it is larger than
//! the format says.

use super::finding::Finding;
use crate::error::CliError;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The schema of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes the findings to `file`.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(findings: &[Finding], file: &Path) -> Result<(), CliError> {
    let text = format!("{:#}\n", log(findings));
    std::fs::write(file, text).map_err(|source| CliError::Io { path: file.to_path_buf(), source })
}

fn log(findings: &[Finding]) -> Value {
    let rules: BTreeSet<&str> = findings.iter().map(|finding| finding.check.kind.verdict_name()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "hornwork",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "utf16CodeUnits",
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(finding: &Finding) -> Value {
    let check = &finding.check;
    let (kind, level, text) = match finding.verdict() {
        "FALSE" => ("fail", "error", check.description.clone()),
        "TRUE" => ("pass", "none", format!("{}: impossible", check.description)),
        _ => {
            let reason = finding.object["reason"].as_str().unwrap_or("no answer");
            ("open", "none", format!("{}: not decided ({reason})", check.description))
        }
    };
    let mut result = json!({
        "ruleId": check.kind.verdict_name(),
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": location(check.file.as_deref(), check.line, check.column).into_iter().collect::<Vec<_>>(),
    });
    let steps = finding.object["trace"]["steps"].as_array();
    let steps: Vec<Value> = steps.into_iter().flatten().filter_map(step).collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// A step of a trace.
fn step(step: &Value) -> Option<Value> {
    let number = |member: &str| step[member].as_u64().and_then(|number| u32::try_from(number).ok());
    let mut location = location(step["file"].as_str(), number("line"), number("column"))?;
    if let Some(function) = step["function"].as_str() {
        location["message"] = json!({ "text": format!("in {function}") });
    }
    Some(json!({ "location": location }))
}

fn location(file: Option<&str>, line: Option<u32>, column: Option<u32>) -> Option<Value> {
    let mut region = json!({ "startLine": line? });
    if let Some(column) = column {
        region["startColumn"] = column.into();
    }
    let uri: String = file?.replace('\\', "/");
    Some(json!({ "physicalLocation": { "artifactLocation": { "uri": encoded(&uri) }, "region": region } }))
}

/// The path as a reference to a resource: with percent-encoded characters.
fn encoded(path: &str) -> String {
    let mut encoded = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                encoded.push(byte.into());
            }
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(encoded("a b/ü.c"), "a%20b/%C3%BC.c");
    }
}
