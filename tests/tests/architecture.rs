//! The arrows between the packages, and the absences that the design rests on.

use std::collections::{BTreeMap, BTreeSet};

/// Which of our packages each of our packages may use outside its own tests.
const ARROWS: &[(&str, &[&str])] = &[
    ("hornwork-grammars", &[]),
    ("hornwork-ir", &["hornwork-grammars"]),
    ("hornwork-frontend", &["hornwork-grammars", "hornwork-ir"]),
    ("hornwork-backends", &["hornwork-ir"]),
    (
        "hornwork-backend-benches",
        &[
            "hornwork-backend-cvc5",
            "hornwork-backend-yices",
            "hornwork-backend-z3",
            "hornwork-backends",
            "hornwork-ir",
        ],
    ),
    ("hornwork-backend-cvc5", &["hornwork-backends", "hornwork-ir"]),
    ("hornwork-backend-yices", &["hornwork-backends", "hornwork-ir"]),
    ("hornwork-backend-z3", &["hornwork-backends", "hornwork-ir"]),
    ("hornwork-passes", &["hornwork-backends", "hornwork-ir", "hornwork-grammars"]),
    (
        "hornwork",
        &[
            "hornwork-backend-cvc5",
            "hornwork-backend-yices",
            "hornwork-backend-z3",
            "hornwork-backends",
            "hornwork-frontend",
            "hornwork-grammars",
            "hornwork-ir",
            "hornwork-passes",
        ],
    ),
    // Its binary is also a worker with solvers that misbehave.
    ("hornwork-tests", &["hornwork", "hornwork-backend-yices", "hornwork-backends", "hornwork-ir"]),
    ("hornwork-snapshot-tests", &[]),
];

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .other_options(vec!["--offline".to_string()])
        .exec()
        .expect("cargo metadata reads our own workspace");
    metadata
        .packages
        .iter()
        .map(|package| {
            let used = package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind != cargo_metadata::DependencyKind::Development)
                .map(|dependency| dependency.name.clone())
                .collect();
            (package.name.to_string(), used)
        })
        .collect()
}

#[test]
fn our_packages_use_each_other_only_along_the_arrows() {
    let dependencies = dependencies();
    let known: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    assert_eq!(known, dependencies.keys().map(String::as_str).collect(), "a package is missing from ARROWS");
    for (name, allowed) in ARROWS {
        for used in &dependencies[*name] {
            assert!(
                !known.contains(used.as_str()) || allowed.contains(&used.as_str()),
                "{name} must not depend on {used}"
            );
        }
    }
}

#[test]
fn only_solver_packages_link_solvers() {
    for (name, used) in dependencies() {
        let links_a_solver = used
            .iter()
            .any(|used| used.starts_with("yices2") || used.starts_with("z3") || used.starts_with("cvc5"));
        assert_eq!(links_a_solver, name.starts_with("hornwork-backend-"), "{name}");
    }
}
