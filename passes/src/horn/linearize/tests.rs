//! Linear clauses over configurations: exact for piecewise linear systems, and a bound of the tree
//! dimension for others.

use super::super::tests::{enumerate, interpretation, most_instances, random_system, system_of};
use super::super::{Pipeline, PipelineRun};
use super::Rules;
use crate::models::{Model, check_model};
use backends::{Limits, ProverFactory};
use horn::{OpenClause, System};
use std::ops::Range;
use std::rc::Rc;
use terms::{Random, Sort, TermPool};

/// The goal of a query about paths.
#[derive(Clone, Copy)]
enum Goal {
    /// A path from 0 to 2 exists.
    FromStartToEnd,
    /// A path goes back.
    Backward,
}

/// `edge(0, 1)`, `edge(x, y) ∧ y < 2 ⇒ edge(y, y + 1)`, paths of edges, and a query about a path.
fn paths(pool: &mut TermPool, goal: Goal) -> System {
    let pair = [Sort::Int, Sort::Int];
    system_of(pool, [("edge", &pair), ("path", &pair)], |pool, [edge, path]| {
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bound(name, Sort::Int));
        let [zero, one, two] = [0, 1, 2].map(|value| pool.int(value));
        let next = pool.add(&[y, one]);
        let constraint = match goal {
            Goal::FromStartToEnd => vec![pool.eq(x, zero), pool.eq(y, two)],
            Goal::Backward => vec![pool.le(y, x)],
        };
        vec![
            OpenClause { head: Some((edge, vec![zero, one])), ..OpenClause::default() },
            OpenClause {
                body: vec![(edge, vec![x, y])],
                constraint: vec![pool.lt(y, two)],
                head: Some((edge, vec![y, next])),
            },
            OpenClause { body: vec![(edge, vec![x, y])], constraint: vec![], head: Some((path, vec![x, y])) },
            OpenClause {
                body: vec![(edge, vec![y, z]), (path, vec![x, y])],
                constraint: vec![],
                head: Some((path, vec![x, z])),
            },
            OpenClause { body: vec![(path, vec![x, y])], constraint, head: None },
        ]
    })
}

/// `tree(0)`, `tree(n) ∧ tree(n) ⇒ tree(n + 1)`, and the query `tree(dimension)`: its derivation is
/// a complete binary tree of this dimension.
fn trees(pool: &mut TermPool, dimension: u64) -> System {
    system_of(pool, [("tree", &[Sort::BitVec(3)])], |pool, [tree]| {
        let n = pool.bound("n", Sort::BitVec(3));
        let [zero, one, end] = [0, 1, dimension].map(|value| pool.bv(3, value));
        let next = pool.bv_add(n, one);
        vec![
            OpenClause { head: Some((tree, vec![zero])), ..OpenClause::default() },
            OpenClause {
                body: vec![(tree, vec![n]), (tree, vec![n])],
                constraint: vec![],
                head: Some((tree, vec![next])),
            },
            OpenClause { body: vec![(tree, vec![end])], constraint: vec![], head: None },
        ]
    })
}

fn linearized(pool: &mut TermPool, system: &System) -> PipelineRun {
    let run = Pipeline::named(["linearize"]).expect("a pass").run(pool, system);
    assert!(run.system.is_linear());
    run
}

fn names(system: &System) -> Vec<&str> {
    system.relations.values().map(|relation| &*relation.name).collect()
}

fn checked(pool: &mut TermPool, system: &System, run: &PipelineRun) -> Model {
    let atoms = enumerate(pool, &run.system).expect("the linear system should be satisfiable");
    let model = interpretation(pool, &run.system, &atoms);
    let model = run.model(pool, &model);
    let solvers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_z3::factory())];
    check_model(pool, system, &model, &solvers, &Limits::default())
}

/// Takes a derivation of the linear system back, and checks it. Returns the number of its steps.
fn derived(pool: &mut TermPool, system: &System, run: &PipelineRun) -> usize {
    let derivation = enumerate(pool, &run.system).expect_err("the linear system should be unsatisfiable");
    assert_eq!(derivation.check(pool, &run.system), Ok(()));
    let derivation = run.derivation(pool, &derivation).expect("all values are computed");
    assert_eq!(derivation.check(pool, system), Ok(()));
    derivation.steps.len()
}

#[test]
fn a_linear_system_remains() {
    let mut pool = TermPool::new();
    let mut system = paths(&mut pool, Goal::Backward);
    let clauses = system.clauses.values().filter(|clause| clause.body.len() < 2).cloned().collect();
    system.clauses = clauses;
    let run = linearized(&mut pool, &system);
    assert_eq!((run.system.relations, run.system.clauses), (system.relations, system.clauses));
}

#[test]
fn a_callee_is_derived_while_the_recursive_atom_waits() {
    let mut pool = TermPool::new();
    let system = paths(&mut pool, Goal::FromStartToEnd);
    let run = linearized(&mut pool, &system);
    assert_eq!(names(&run.system), ["path", "edge", "path&edge"]);
    assert_eq!(run.system.clauses.len(), 7);
    assert!(derived(&mut pool, &system, &run) >= 6);
}

#[test]
fn a_model_over_configurations_becomes_a_model_with_quantifiers() {
    let mut pool = TermPool::new();
    let system = paths(&mut pool, Goal::Backward);
    let run = linearized(&mut pool, &system);
    assert_eq!(checked(&mut pool, &system, &run), Model::Valid(vec!["z3"]));
}

#[test]
fn a_derivation_of_the_largest_dimension_is_found() {
    let mut pool = TermPool::new();
    let system = trees(&mut pool, 3);
    let run = linearized(&mut pool, &system);
    assert_eq!(
        names(&run.system),
        ["tree^3", "tree^3&tree^2", "tree^3&tree^2&tree^1", "tree^3&tree^2&tree^1&tree^0"]
    );
    derived(&mut pool, &system, &run);
}

#[test]
fn a_derivation_of_a_larger_dimension_is_cut_off() {
    let mut pool = TermPool::new();
    let system = trees(&mut pool, 4);
    assert!(enumerate(&pool, &system).is_err());
    let run = linearized(&mut pool, &system);
    assert!(matches!(checked(&mut pool, &system, &run), Model::Refuted(_)));
}

/// What became of the systems.
#[derive(Debug, Default)]
struct Counts {
    models: usize,
    derivations: usize,
    /// Unsatisfiable systems whose linear ones are satisfiable.
    cut: usize,
}

/// Checks random nonlinear systems; the passes must be exact for the piecewise linear ones.
fn check(names: &[&str], seeds: Range<u64>) -> Counts {
    let pipeline = Pipeline::named(names.iter().copied()).expect("known passes");
    let mut counts = Counts::default();
    for seed in seeds {
        let (mut pool, mut random) = (TermPool::new(), Random::new(seed));
        let system = random_system(&mut pool, &mut random);
        let run = pipeline.run(&mut pool, &system);
        if system.is_linear() || most_instances(&pool, &run.system) > 20_000 {
            continue;
        }
        let is_exact = !Rules::of(&pool, &system).is_nonlinear.contains(&true);
        let text = |pool: &TermPool| {
            let notes = horn::Notes::default();
            format!("seed {seed}\n{}\n{}", system.to_text(pool, &notes), run.system.to_text(pool, &notes))
        };
        match (enumerate(&pool, &run.system), enumerate(&pool, &system)) {
            (Ok(_), Ok(_)) => {
                let model = checked(&mut pool, &system, &run);
                let is_valid = matches!(model, Model::Valid(_));
                assert!(is_valid || !is_exact, "{model:?} {}", text(&pool));
                counts.models += usize::from(is_valid);
            }
            (Err(_), Err(_)) => {
                derived(&mut pool, &system, &run);
                counts.derivations += 1;
            }
            (Ok(_), Err(_)) => {
                assert!(!is_exact, "a derivation is lost: {}", text(&pool));
                counts.cut += 1;
            }
            (Err(_), Ok(_)) => panic!("a derivation of a satisfiable system: {}", text(&pool)),
        }
    }
    counts
}

#[test]
fn linearization_is_exact_for_piecewise_linear_systems() {
    let counts = check(&["linearize"], 9500..9800);
    assert!(counts.models > 20 && counts.derivations > 20 && counts.cut < 5, "{counts:?}");
}

#[test]
fn other_passes_apply_before_and_after() {
    for (names, seeds) in [
        (&["linearize", "default"][..], 9800..9950),
        (&["default", "linearize"], 10_000..10_150),
        (&["linearize", "reverse"], 10_200..10_350),
    ] {
        let counts = check(names, seeds);
        assert!(counts.models > 5 && counts.derivations > 5 && counts.cut < 5, "{names:?}: {counts:?}");
    }
}
