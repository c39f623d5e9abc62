//! Enforces the rules of `ARCHITECTURE.md`: the dependencies between packages and modules, and the
//! constructs that a folder must not contain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// For each workspace package, the workspace packages on which it may depend outside its own tests.
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
    (
        "hornwork-frontend",
        &["hornwork-encode", "hornwork-grammars", "hornwork-horn", "hornwork-program", "hornwork-terms"],
    ),
    ("hornwork-backends", &["hornwork-horn", "hornwork-terms"]),
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
    ("hornwork-inference", &["hornwork-backends", "hornwork-horn", "hornwork-terms"]),
    ("hornwork-backend-bitwuzla", &["hornwork-backends", "hornwork-terms"]),
    ("hornwork-backend-craig", &["hornwork-backends", "hornwork-encode", "hornwork-terms"]),
    ("hornwork-backend-cvc5", &["hornwork-backends", "hornwork-terms"]),
    (
        "hornwork-backend-process",
        &["hornwork-backends", "hornwork-frontend", "hornwork-grammars", "hornwork-terms"],
    ),
    ("hornwork-backend-yices", &["hornwork-backends", "hornwork-terms"]),
    ("hornwork-backend-z3", &["hornwork-backends", "hornwork-horn", "hornwork-terms"]),
    (
        "hornwork-passes",
        &[
            "hornwork-backends",
            "hornwork-encode",
            "hornwork-grammars",
            "hornwork-horn",
            "hornwork-inference",
            "hornwork-program",
            "hornwork-terms",
            "hornwork-views",
        ],
    ),
    (
        "hornwork",
        &[
            "hornwork-backend-bitwuzla",
            "hornwork-backend-craig",
            "hornwork-backend-cvc5",
            "hornwork-backend-process",
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
    // Its binary also serves as a worker with faulty solvers.
    ("hornwork-tests", &["hornwork", "hornwork-backend-yices", "hornwork-backends", "hornwork-terms"]),
    ("hornwork-snapshot-tests", &[]),
    // It runs the verifier as a process, so that it can observe crashes.
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
        .expect("cargo metadata reads the workspace");
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
    assert_eq!(
        known,
        dependencies.keys().map(String::as_str).collect(),
        "ARROWS does not list exactly the packages of the workspace"
    );
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
        // Bitwuzla is loaded, not linked.
        let solvers = ["yices2", "z3", "cvc5", "libloading"];
        let links_a_solver = used.iter().any(|used| solvers.iter().any(|solver| used.starts_with(solver)));
        // Craig is implemented in Rust, and a process is no library.
        let links_none = matches!(name.as_str(), "hornwork-backend-craig" | "hornwork-backend-process");
        let may_link = name.starts_with("hornwork-backend-") && !links_none;
        assert_eq!(links_a_solver, may_link, "{name}");
    }
}

/// Returns the Rust files below `folder` as pairs of path and text, without tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the sources are readable") {
            let path = entry.expect("the sources are readable").path();
            let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "tests" {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(&path).expect("the sources are text");
                // Unit tests are at the end of a file.
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found
}

/// For each module of `passes`: the modules that it may import outside its own tests, and the
/// packages that it must not use.
const MODULES: &[(&str, &[&str], &[&str])] = &[
    ("transform", &["intervals", "selection"], &["backends", "encode", "views"]),
    ("emit", &["transform"], &["backends"]),
    ("engines::unknown", &["evidence"], &[]),
    ("engines::replay", &["evidence", "trace", "transform"], &[]),
    (
        "engines::bmc",
        &["engines::replay", "engines::unknown", "evidence", "exchange", "trace", "transform"],
        &[],
    ),
    (
        "engines::predicate",
        &[
            "engines::bmc",
            "engines::replay",
            "engines::unknown",
            "evidence",
            "exchange",
            "invariants",
            "names",
            "trace",
            "transform",
            "transitions",
        ],
        &[],
    ),
    (
        "engines::induction",
        &[
            "engines::bmc",
            "engines::clauses",
            "evidence",
            "exchange",
            "horn",
            "invariants",
            "models",
            "names",
            "procedures",
            "engines::replay",
            "trace",
            "transform",
            "transitions",
        ],
        &[],
    ),
    ("engines::clauses", &["models"], &["encode", "program", "views"]),
    ("models", &[], &["encode", "program", "views"]),
    ("horn", &["selection"], &["program", "views"]),
    ("selection", &[], &["backends", "encode", "horn", "program", "terms", "views"]),
    ("transitions", &["transform"], &["backends"]),
    ("procedures", &["transform", "transitions"], &["backends"]),
    ("invariants", &["intervals", "procedures", "transitions"], &[]),
    ("names", &["evidence", "invariants", "transform", "transitions"], &["backends"]),
    ("exchange", &["names"], &["backends", "encode", "program", "views"]),
    ("features", &["transform"], &["backends"]),
    ("infer", &["evidence", "invariants", "procedures", "transform", "transitions"], &[]),
    ("intervals", &[], &["backends", "encode", "views"]),
    ("evidence", &["procedures", "trace", "transform", "transitions"], &["backends"]),
    // The validator depends on the evidence, but not on the engines that produce it.
    ("validate", &["evidence", "transform"], &[]),
    ("trace", &[], &["backends", "encode", "views"]),
];

/// Returns the module of a file as a path in its crate.
fn module_of(file: &str) -> Vec<&str> {
    let path = file.rsplit("/src/").next().unwrap_or_default().trim_end_matches(".rs");
    path.split('/').filter(|name| !matches!(*name, "mod" | "lib" | "main")).collect()
}

/// Returns the text without comment lines.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the paths that the code of the module `own` refers to with `crate::` or `super::`,
/// relative to the root of the crate.
fn paths_used(own: &[&str], text: &str) -> BTreeSet<Vec<String>> {
    let code = code(text);
    let mut found = BTreeSet::new();
    let mut rest = code.as_str();
    while let Some(c) = rest.chars().next() {
        let name = identifier(rest);
        let start = match name {
            "crate" => Some(Vec::new()),
            "super" => Some(own[..own.len().saturating_sub(1)].iter().map(ToString::to_string).collect()),
            _ => None,
        };
        rest = &rest[name.len().max(c.len_utf8())..];
        if let (Some(path), Some(after)) = (start, rest.strip_prefix("::")) {
            rest = continue_path(path, after, &mut found);
        }
    }
    found
}

fn identifier(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// Parses the continuation of `path::`, adds the complete paths to `found` and returns the rest of
/// the text. Recursive, as braces in `use` are nested at most a few levels deep.
fn continue_path<'t>(mut path: Vec<String>, mut text: &'t str, found: &mut BTreeSet<Vec<String>>) -> &'t str {
    loop {
        if let Some(mut inside) = text.strip_prefix('{') {
            while let Some(c) = inside.chars().next().filter(|&c| c != '}') {
                inside = match identifier(inside) {
                    "" => &inside[c.len_utf8()..],
                    _ => continue_path(path.clone(), inside, found),
                };
            }
            return inside.strip_prefix('}').unwrap_or(inside);
        }
        let name = identifier(text);
        text = &text[name.len()..];
        match name {
            "" | "self" => {}
            "super" => drop(path.pop()),
            name => path.push(name.to_owned()),
        }
        match text.strip_prefix("::") {
            Some(after) => text = after,
            None => break,
        }
    }
    found.insert(path);
    text
}

/// Returns the module of `passes` that contains a path, by its name in `MODULES`.
fn module(path: &[impl AsRef<str>]) -> String {
    let depth = if path.first().is_some_and(|first| first.as_ref() == "engines") { 2 } else { 1 };
    path.iter().take(depth).map(AsRef::as_ref).collect::<Vec<_>>().join("::")
}

#[test]
fn the_modules_of_passes_use_each_other_only_along_the_arrows() {
    let mut unlisted = BTreeSet::new();
    for (file, text) in sources("passes/src") {
        let own = module_of(&file);
        let name = module(&own);
        let Some((_, allowed, forbidden)) = MODULES.iter().find(|(module, ..)| *module == name) else {
            unlisted.insert(name);
            continue;
        };
        for used in paths_used(&own, &text).iter().map(|path| module(path)) {
            assert!(used == name || allowed.contains(&used.as_str()), "{file} must not use {used}");
        }
        for package in *forbidden {
            assert!(!names_package(&text, package), "{file} must not use the package {package}");
        }
    }
    // The crate root, and the module that declares the engines.
    assert_eq!(
        unlisted,
        BTreeSet::from([String::new(), "engines".to_owned()]),
        "modules are missing from MODULES"
    );
}

/// Whether the code contains a path that starts with `package`.
fn names_package(text: &str, package: &str) -> bool {
    let code = code(text);
    code.match_indices(package).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + package.len()..]);
        let is_start = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        is_start && after.starts_with("::")
    })
}

#[test]
fn uses_are_found_in_code() {
    let own = ["engines", "bmc", "candidate"];
    let text = "use crate::engines::induction::run;\nuse super::super::predicate::Config;\n// crate::x\n\
                use super::{config::{A, B}, c};\nuse crate::trace::{self,\n build};\nf(crate::evidence::f(y));\n";
    let expected = ["engines::bmc", "engines::induction", "engines::predicate", "evidence", "trace"];
    let found = paths_used(&own, text);
    let modules: BTreeSet<String> = found.iter().map(|path| module(path)).collect();
    assert_eq!(modules, expected.map(str::to_owned).into());
    assert!(found.contains(["engines", "bmc", "config", "B"].map(str::to_owned).as_slice()), "{found:?}");
    assert!(names_package("let x = views::paths::f();", "views"));
    assert!(!names_package("reviews::f(); crate::views::g();\n// views::h()\nviews(1)", "views"));
}

/// The permitted import cycles between files of one folder, with their reasons. All other imports
/// between the files of a folder are acyclic.
const CIRCLES: &[(&str, &[&str])] = &[
    // The methods of one type are in several files.
    ("backends/craig/interpolation/from_proof", &["derivation", "equality", "number"]),
    ("backends/craig/prover/sat", &["analyze", "reduce", "solver"]),
    ("backends/yices", &["arrays", "translate"]),
    ("ir/terms", &["constants", "pool"]),
    ("ir/terms", &["operators", "print"]),
    ("passes/engines/predicate", &["algorithm", "refinement"]),
    // A prover creates models, and a model holds a reference to its prover.
    ("backends/cvc5", &["model", "prover"]),
    ("backends/yices", &["model", "prover"]),
    ("backends/z3", &["model", "project"]),
    // Gates contain theory atoms, and theories request gates from the solver.
    ("backends/craig/prover", &["cnf", "theory"]),
    // Both use the literals of the SAT solver.
    ("backends/craig/prover", &["proof", "sat"]),
    // A command and its submodules.
    ("cli", &["replay", "smt", "solvers", "solving"]),
    ("cli/smt", &["execute", "questions"]),
    // The lexer classifies names as types, which depends on the declarations that the parser has
    // read.
    ("grammars/c", &["context", "lexer", "parser"]),
];

/// The modules that each module imports.
type Imports = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// Returns the modules that a module imports, transitively.
fn reached<'e>(edges: &'e Imports, from: &'e Vec<String>) -> BTreeSet<&'e Vec<String>> {
    let (mut reached, mut work) = (BTreeSet::new(), vec![from]);
    while let Some(from) = work.pop() {
        work.extend(edges.get(from).into_iter().flatten().filter(|&to| reached.insert(to)));
    }
    reached
}

#[test]
fn imports_between_files_of_one_folder_lead_in_one_direction() {
    let mut circles: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    for root in [
        "grammars",
        "ir/terms",
        "ir/encode",
        "ir/program",
        "ir/horn",
        "ir/views",
        "backends",
        "backends/craig",
        "backends/yices",
        "backends/z3",
        "backends/cvc5",
        "backends/bitwuzla",
        "passes",
        "cli",
    ] {
        let files = sources(&format!("{root}/src"));
        let owns: Vec<Vec<&str>> = files.iter().map(|(name, _)| module_of(name)).collect();
        let modules: BTreeSet<&[&str]> = owns.iter().map(Vec::as_slice).collect();
        // Edges between modules with the same parent.
        let mut edges = Imports::new();
        for (own, (_, text)) in owns.iter().zip(&files) {
            for used in paths_used(own, text) {
                let common = own.iter().zip(&used).take_while(|(own, used)| *own == *used).count();
                let siblings = own.get(..=common).zip(used.get(..=common));
                let Some((from, to)) = siblings else { continue };
                if modules
                    .iter()
                    .any(|module| module.starts_with(&to.iter().map(String::as_str).collect::<Vec<_>>()))
                {
                    let from = from.iter().map(ToString::to_string).collect();
                    edges.entry(from).or_default().insert(to.to_vec());
                }
            }
        }
        for from in edges.keys() {
            let ahead = reached(&edges, from);
            let circle = ahead.iter().filter(|to| reached(&edges, to).contains(from));
            let circle: Vec<String> = circle.filter_map(|module| module.last().cloned()).collect();
            if ahead.contains(from) {
                circles.insert(([&[root.to_owned()], &from[..from.len() - 1]].concat().join("/"), circle));
            }
        }
    }
    let allowed = CIRCLES
        .iter()
        .map(|(folder, files)| ((*folder).to_owned(), files.iter().map(|&file| file.to_owned()).collect()));
    assert_eq!(
        circles,
        allowed.collect(),
        "move shared code to a third file to break a new cycle; remove resolved cycles from CIRCLES"
    );
}

/// Folders, texts that must not occur in their code, exempt files, and the reason.
type Absence<'t> = (&'t [&'t str], &'t [&'t str], &'t [&'t str], &'t str);

const ABSENCES: &[Absence] = &[
    (
        &["ir", "passes/src", "backends/src", "backends/craig/src"],
        &["grammars::c::", "frontend::"],
        &[],
        "only the front end depends on C",
    ),
    (&["passes/src/engines/predicate"], &["Interpolator"], &[], "facts must come from a `Refutation`"),
    (
        &["grammars/src", "ir", "frontend/src", "backends/src", "backends/craig/src", "passes/src"],
        &["std::fs", "std::env", "process::exit"],
        // Workers are separate processes, and the system reports effort and memory of a process.
        &["backends/src/worker/process.rs", "backends/src/gauge.rs"],
        "files, environment and exit codes belong to `cli`",
    ),
    (
        &[
            "grammars/src",
            "ir",
            "frontend/src",
            "backends/src",
            "backends/craig/src",
            "passes/src",
            "cli/src",
        ],
        &["unsafe {", "unsafe impl", "unsafe fn"],
        &["ir/terms/src/arena.rs"],
        "`unsafe` belongs to the arena and the bindings",
    ),
];

#[test]
fn what_a_folder_must_not_know_is_not_there() {
    for (folders, texts, exceptions, reason) in ABSENCES {
        for (name, text) in folders.iter().flat_map(|folder| sources(folder)) {
            if exceptions.iter().any(|exception| name.ends_with(exception)) {
                continue;
            }
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                assert!(!texts.iter().any(|text| line.contains(text)), "{name}: {reason}: {line}");
            }
        }
    }
}

/// Returns the names in the first column of the table below a heading of `ARCHITECTURE.md`.
fn first_column(heading: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).expect("ARCHITECTURE.md is readable");
    let section =
        text.split(heading).nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the heading");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|line| line.split('|').nth(1)).flat_map(|cell| cell.split(','));
    cells.map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

#[test]
fn the_map_has_all_packages_and_modules() {
    assert_eq!(
        first_column("## Inside `passes`"),
        MODULES.iter().map(|(name, ..)| (*name).to_owned()).collect()
    );
    let workspace = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .no_deps()
        .other_options(vec!["--offline".to_string()])
        .exec()
        .expect("cargo metadata reads the workspace");
    let folder = |package: &cargo_metadata::Package| {
        let folder = package.manifest_path.parent().expect("a manifest is in a folder");
        folder.strip_prefix(&workspace.workspace_root).expect("in the workspace").to_string()
    };
    assert_eq!(first_column("## Packages"), workspace.packages.iter().map(folder).collect());
}

#[test]
fn no_engine_slices_the_clock() {
    for folder in
        ["passes/src", "backends/src/interpolation", "backends/src/symbolic", "backends/craig/src", "ir"]
    {
        for (name, text) in sources(folder) {
            // Computations of the remaining time until a deadline, or of the end of a time slice.
            for sign in ["duration_since", "Instant::now() +", "Instant::now().checked_add", "deadline:"] {
                let is_config = sign == "deadline:" && name.ends_with("config.rs");
                assert!(
                    is_config || !text.contains(sign),
                    "{name}: limit attempts by effort (`Limits`), not by time"
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
        assert!(!(makes && is_made) || is_maker, "{name} must not construct a trace");
    }
}

/// Returns the Rust files below `folder`, without hidden and `target` folders.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the sources are readable") {
        let path = entry.expect("the sources are readable").path();
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
        let text = std::fs::read_to_string(&path).expect("the sources are text");
        for line in text.lines().map(str::trim).filter(|line| line.starts_with("#[ignore")) {
            assert_eq!(line, "#[ignore = \"slow\"]", "{}", path.display());
            slow += 1;
        }
    }
    assert!(slow > 0, "there are slow tests");
    // `make test` runs the slow tests.
    let makefile = std::fs::read_to_string(root.join("Makefile")).expect("there is a Makefile");
    assert!(makefile.contains("--run-ignored all") && makefile.contains("-- --include-ignored"));
}
