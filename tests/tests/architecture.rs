//! The arrows between the packages, and the absences that the design rests on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Which of our packages each of our packages may use outside its own tests.
const ARROWS: &[(&str, &[&str])] = &[
    ("hornwork-grammars", &[]),
    ("hornwork-terms", &[]),
    ("hornwork-encode", &["hornwork-terms"]),
    ("hornwork-horn", &["hornwork-encode", "hornwork-terms"]),
    ("hornwork-program", &["hornwork-grammars", "hornwork-terms"]),
    (
        "hornwork-views",
        &["hornwork-encode", "hornwork-grammars", "hornwork-horn", "hornwork-program", "hornwork-terms"],
    ),
    ("hornwork-frontend", &["hornwork-grammars", "hornwork-program", "hornwork-terms"]),
    ("hornwork-backends", &["hornwork-terms"]),
    (
        "hornwork-backend-benches",
        &[
            "hornwork-backend-craig",
            "hornwork-backend-cvc5",
            "hornwork-backend-yices",
            "hornwork-backend-z3",
            "hornwork-backends",
            "hornwork-terms",
        ],
    ),
    ("hornwork-backend-craig", &["hornwork-backends", "hornwork-encode", "hornwork-terms"]),
    ("hornwork-backend-cvc5", &["hornwork-backends", "hornwork-terms"]),
    ("hornwork-backend-yices", &["hornwork-backends", "hornwork-terms"]),
    ("hornwork-backend-z3", &["hornwork-backends", "hornwork-terms"]),
    (
        "hornwork-passes",
        &[
            "hornwork-backends",
            "hornwork-encode",
            "hornwork-grammars",
            "hornwork-horn",
            "hornwork-program",
            "hornwork-terms",
            "hornwork-views",
        ],
    ),
    (
        "hornwork",
        &[
            "hornwork-backend-craig",
            "hornwork-backend-cvc5",
            "hornwork-backend-yices",
            "hornwork-backend-z3",
            "hornwork-backends",
            "hornwork-encode",
            "hornwork-frontend",
            "hornwork-grammars",
            "hornwork-horn",
            "hornwork-passes",
            "hornwork-program",
            "hornwork-terms",
            "hornwork-views",
        ],
    ),
    // Its binary is also a worker with solvers that misbehave.
    ("hornwork-tests", &["hornwork", "hornwork-backend-yices", "hornwork-backends", "hornwork-terms"]),
    ("hornwork-snapshot-tests", &[]),
    // The verifier is a process to it, so that a crash is an observation.
    ("hornwork-campaign", &["hornwork-frontend", "hornwork-grammars", "hornwork-program", "hornwork-terms"]),
    ("hornwork-fuzz", &["hornwork-campaign"]),
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
        // Our own prover is Rust and nothing else.
        let may_link = name.starts_with("hornwork-backend-") && name != "hornwork-backend-craig";
        assert_eq!(links_a_solver, may_link, "{name}");
    }
}

/// The Rust files below `folder` of our own sources, those of tests left out.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("our own sources are readable") {
            let path = entry.expect("our own sources are readable").path();
            let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "tests" {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(&path).expect("our own sources are text");
                // Unit tests stand at the end.
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found
}

/// Modules of `passes` that are named after `crate::` in a text.
fn modules_used(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        .collect()
}

#[test]
fn the_validator_uses_nothing_of_the_algorithms() {
    let files = sources("passes/src/validate");
    assert!(files.len() >= 7, "the validator has moved");
    for (name, text) in files {
        for module in modules_used(&text) {
            assert!(["evidence", "transform", "validate"].contains(&module), "{name} must not use {module}");
        }
    }
    assert_eq!(modules_used("use crate::engines::bmc::run;\n// crate::x\n"), BTreeSet::from(["engines"]));
}

#[test]
fn no_engine_slices_the_clock() {
    for folder in
        ["passes/src", "backends/src/interpolation", "backends/src/symbolic", "backends/craig/src", "ir"]
    {
        for (name, text) in sources(folder) {
            // What is left of a time, or the end of a part of it.
            for sign in ["duration_since", "Instant::now() +", "Instant::now().checked_add", "deadline:"] {
                let is_config = sign == "deadline:" && name.ends_with("config.rs");
                assert!(
                    is_config || !text.contains(sign),
                    "{name}: attempts are limited by effort, see Limits"
                );
            }
        }
    }
}

#[test]
fn a_trace_is_made_of_what_the_interpreter_did_and_of_nothing_else() {
    for (name, text) in sources("passes/src") {
        let makes = text.contains("Trace {") && !text.contains("pub struct Trace {");
        let is_maker = name.ends_with("trace/build.rs");
        let is_made = text.lines().any(|line| {
            line.contains("Trace {")
                && !line.contains("->")
                && !line.contains("impl")
                && !line.contains("struct")
        });
        assert!(!(makes && is_made) || is_maker, "{name} must not make a trace");
    }
}

/// Our own Rust files below `folder`.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("our own sources are readable") {
        let path = entry.expect("our own sources are readable").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !name.starts_with("target") {
            found.extend(rust_files(&path));
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_test_is_only_left_out_of_the_quick_ones_because_it_is_slow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut slow = 0;
    for path in rust_files(&root) {
        let text = std::fs::read_to_string(&path).expect("our own sources are text");
        for line in text.lines().map(str::trim).filter(|line| line.starts_with("#[ignore")) {
            assert_eq!(line, "#[ignore = \"slow\"]", "{}", path.display());
            slow += 1;
        }
    }
    assert!(slow > 0, "there are slow tests");
    // `make test` runs them.
    let makefile = std::fs::read_to_string(root.join("Makefile")).expect("there is a Makefile");
    assert!(makefile.contains("--run-ignored all") && makefile.contains("-- --include-ignored"));
}
