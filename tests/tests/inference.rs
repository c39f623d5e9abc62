//! Ablations: what each domain of the strategy solver proves alone, and what only combinations
//! prove.

use hornwork_tests::{cases, run};
use std::process::Command;
use std::time::Duration;

/// The last line of a proof by invariants of `domains` alone: without k-induction, and with too
/// small a bound for bounded model checking.
fn verdict(case: &str, domains: &[&str]) -> String {
    let case = cases().into_iter().find(|known| known.name == case).expect("a case");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    command.args(["verify", "--quiet", "--algorithm", "kiki", "--k-max", "0", "--max-unwind", "2"]);
    command.args(["--timelimit", "60"]).args(domains).arg(&case.path);
    let run = run(&mut command, Duration::from_secs(100));
    run.out.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_running_example_of_2ls_needs_two_domains() {
    let example = "invariants/counters_never_equal";
    for domains in ["intervals", "equalities", "hulls", "values"] {
        assert!(verdict(example, &["--domains", domains]).starts_with("UNKNOWN"), "{domains}");
    }
    for domains in ["intervals*equalities", "equalities*intervals", "intervals,equalities", "octagons"] {
        assert_eq!(verdict(example, &["--domains", domains]), "TRUE", "{domains}");
    }
}

#[test]
fn each_domain_proves_what_the_others_do_not() {
    let table: &[(&str, &[&str], &[&str])] = &[
        ("invariants/octagon", &["octagons", "literals"], &["zones", "equalities", "hulls"]),
        ("invariants/zone_with_an_unknown_bound", &["literals"], &["intervals", "zones", "hulls"]),
        ("invariants/aligned_steps", &["hulls", "congruences", "bits"], &["intervals", "octagons"]),
        ("invariants/one_of_few_values", &["paths(hulls)", "paths(intervals)"], &["hulls", "intervals"]),
    ];
    for (case, proved, not_proved) in table {
        for domains in *proved {
            assert_eq!(verdict(case, &["--domains", domains]), "TRUE", "{case} {domains}");
        }
        for domains in *not_proved {
            let verdict = verdict(case, &["--domains", domains]);
            assert!(verdict.starts_with("UNKNOWN"), "{case} {domains}: {verdict}");
        }
    }
}

#[test]
fn rates_bound_sums() {
    let case = "invariants/rate_of_a_sum";
    let verdict = |domains| verdict(case, &["--encoding", "QF_AUFLIRA", "--domains", domains]);
    assert_eq!(verdict("intervals,literals*rates"), "TRUE");
    for domains in ["intervals,literals*octagons", "rates", "hulls*intervals"] {
        assert!(verdict(domains).starts_with("UNKNOWN"), "{domains}");
    }
}

#[test]
fn a_template_of_the_user_bounds_a_sum() {
    let case = "invariants/octagon";
    let sum = ["--domains", "intervals", "--template", "x+y"];
    assert_eq!(verdict(case, &sum), "TRUE");
    assert!(verdict(case, &["--domains", "intervals", "--template", "x-y"]).starts_with("UNKNOWN"));
}

#[test]
fn searches_differ_in_what_they_find() {
    let case = "invariants/counters_never_equal";
    for search in ["extremes", "thresholds", "gallop", "enumerate"] {
        let options = ["--domains", "intervals*equalities", "--bound-search", search];
        assert_eq!(verdict(case, &options), "TRUE", "{search}");
    }
}

#[test]
fn options_of_the_inference_are_checked() {
    for (options, message) in [
        (&["--domains", "intervalls"][..], "there is no domain `intervalls`"),
        (&["--template", "2*"], "`2*` is not a template"),
        (&["--algorithm", "bmc", "--domains", "zones"], "--domains has no effect"),
        (&["--algorithm", "predicate", "--k-max", "3"], "--k-max has no effect"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
        command.arg("verify").args(options).arg("none.c");
        let run = run(&mut command, Duration::from_secs(20));
        assert_eq!(run.code, Some(2), "{options:?}");
        assert!(run.err.contains(message), "{options:?}: {}", run.err);
    }
}
