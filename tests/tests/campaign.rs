//! A short part of the campaign, with fixed seeds: generated pointer programs against sanitizers,
//! as they are and transformed, by the interpreter and by the verifier. `make nightly` does the
//! same for hours.

use campaign::drive::{Plan, Summary, describe, drive};
use campaign::tool::Tool;
use std::path::PathBuf;
use std::time::Duration;

fn plan(first: u64, count: u64) -> Plan {
    let path = PathBuf::from(env!("CARGO_BIN_EXE_hornwork-under-test"));
    Plan {
        first,
        count,
        deadline: None,
        tool: Some(Tool { path, timelimit: 10 }),
        configurations: 1,
        only: Vec::new(),
        transformations: 0,
        jobs: 2,
        keep: None,
        reduction: Duration::ZERO,
        progress: |_| {},
    }
}

fn run(plan: &Plan) -> Summary {
    let summary = drive(plan, &|_| {});
    let findings: String = summary.findings.iter().map(describe).collect();
    assert!(summary.findings.is_empty() && summary.failures.is_empty(), "{summary}\n{findings}");
    assert_eq!(summary.programs as u64, plan.count);
    summary
}

#[test]
fn the_verifier_agrees_with_sanitizers_on_pointer_programs() {
    let summary = run(&plan(0, 16));
    assert!(summary.failing > 2 && summary.failing < 14, "{summary}");
}

#[test]
fn the_verifier_agrees_with_sanitizers_on_transformed_programs() {
    run(&Plan { transformations: 3, ..plan(500, 8) });
}

#[test]
fn the_interpreter_agrees_with_sanitizers_on_pointer_programs() {
    let summary = run(&Plan { tool: None, ..plan(1000, 48) });
    assert!(summary.failing > 10 && summary.failing < 40, "{summary}");
}
