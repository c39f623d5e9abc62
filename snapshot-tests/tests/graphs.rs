//! Golden tests of abstract reachability graphs: the running example of Beyer, Dangl, Wendler, *A
//! Unifying View on SMT-Based Software Verification*, JAR 2018 (Figure 2), with one graph for each
//! algorithm (Figures 5–8) and the facts of each refinement.
//!
//! The tests fix the solver and the source of interpolants, because the facts depend on both.

use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::{SourceMap, Span};
use insta::assert_snapshot;
use passes::engines::bmc::{self, Schedule};
use passes::engines::induction;
use passes::engines::predicate::config::Config;
use passes::engines::predicate::presets::preset;
use passes::engines::predicate::restrictions::Restrictions;
use passes::engines::predicate::{Observer, Refinement, Settings, Statistics, run};
use passes::invariants::{InvariantGeneration, InvariantOptions};
use program::ssa::Program;
use std::fmt::Write;
use std::rc::Rc;
use terms::TermPool;

const EXAMPLE: &str = "\
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        y++;
        if (x != y)
            reach_error();
    }
}
";

/// An observer that records the graphs and the facts.
struct Keeper {
    sources: SourceMap,
    log: String,
    /// The last graph.
    last: String,
}

impl Observer for Keeper {
    fn refined(&mut self, statistics: &Statistics, refinement: &Refinement) {
        let Refinement { blocks, source, facts } = refinement;
        let number = statistics.refinements;
        let _ =
            writeln!(self.log, "refinement {number}: {blocks} blocks, {source}, facts: {}", facts.join("; "));
    }

    fn wants_graph(&self, _: Option<u64>) -> bool {
        true
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn locate(&self, span: Span) -> String {
        self.sources.presumed(span).map_or(String::new(), |position| format!("line {}", position.line))
    }

    fn graph(&mut self, refinements: Option<u64>, dot: &str) {
        let _ = match refinements {
            Some(number) => writeln!(self.log, "after refinement {number}:\n{dot}"),
            None => writeln!(self.log, "at the end:\n{dot}"),
        };
        dot.clone_into(&mut self.last);
    }
}

impl bmc::Observer for Keeper {}

impl induction::Observer for Keeper {
    fn wants_graph(&self) -> bool {
        true
    }

    fn locate(&self, span: Span) -> String {
        Observer::locate(self, span)
    }

    fn graph(&mut self, dot: &str) {
        Observer::graph(self, None, dot);
    }
}

fn lowered(pool: &mut TermPool) -> (SourceMap, Program) {
    let mut sources = SourceMap::new();
    let file = sources.add("example.c", EXAMPLE.as_bytes().to_vec()).expect("the example is small");
    let parsed = grammars::c::parse(&sources, file);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Ilp32 });
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let specification = Specification::default_for_tool();
    let (program, _) = lower(pool, &checked.program, &specification, &Options::new("main"));
    (sources, program)
}

/// Runs an algorithm on the example. Returns the verdict, and the graphs and facts.
fn explore(config: &Config) -> (String, Keeper) {
    let mut pool = TermPool::new();
    let (sources, program) = lowered(&mut pool);
    let yices: Rc<dyn backends::ProverFactory> = Rc::new(backend_yices::factory());
    let solver = Rc::clone(&yices);
    let spacer = backend_z3::interpolators();
    let factory = backends::interpolation::Interpolating {
        factory: yices,
        interpolation: Rc::new(move || {
            let sources = spacer
                .iter()
                .map(|source| {
                    source.new_interpolator(&solver, backends::interpolation::Preference::default())
                })
                .collect();
            backends::interpolation::Interpolation::new(sources)
        }),
    };
    let mut keeper = Keeper { sources, log: String::new(), last: String::new() };
    let settings = bmc::Config::new(Schedule::deepening(Some(10)));
    let report = run(&mut pool, &program, &factory, config, &Settings::new(settings), &mut keeper);
    let verdict = match report.verdict {
        passes::evidence::Verdict::Safe(_) => "TRUE".to_owned(),
        passes::evidence::Verdict::Unsafe(trace) => format!("FALSE: {}", trace.description),
        passes::evidence::Verdict::Unknown(reason) => format!("UNKNOWN: {reason}"),
    };
    (verdict, keeper)
}

fn named(algorithm: &str) -> Config {
    preset(algorithm).expect("the algorithm has a preset").config.clone()
}

fn golden(config: &Config) -> String {
    let (verdict, keeper) = explore(config);
    format!("{}{verdict}\n", keeper.log)
}

/// An abstraction state of a graph: its node (`n7`), its location (`b1 (line 5)`) and its formula.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    node: String,
    place: String,
    formula: String,
}

/// Reads the abstraction states and the coverage edges (covered, covering) of a graph.
fn read(dot: &str) -> (Vec<Shown>, Vec<(String, String)>) {
    let (mut states, mut coverage) = (Vec::new(), Vec::new());
    for line in dot.lines().map(str::trim) {
        if let Some((pair, _)) = line.split_once(" [style=dashed") {
            let (covered, by) = pair.split_once(" -> ").expect("coverage is an edge");
            coverage.push((covered.to_owned(), by.to_owned()));
        } else if let Some((node, label)) = line.split_once(" [label=\"")
            && let Some((place, formula)) = label.split_once("\\nψ = ")
        {
            let place = place.split_once(' ').map_or("", |(_, place)| place).to_owned();
            let formula = formula.split_once('"').map_or(formula, |(formula, _)| formula).to_owned();
            states.push(Shown { node: node.to_owned(), place, formula });
        }
    }
    (states, coverage)
}

/// Figure 5. As in the paper, the loop is unrolled up to the bound, only the first state is an
/// abstraction state, and the path formula φ is exact. Differences: a node is a basic block instead
/// of a line, so `x++; y++` and the comparison are one node; states at the same location and
/// iteration are merged, so the end of the program is one node; and an error whose path formula
/// simplifies to false has no node.
#[test]
fn bounded_model_checking() {
    assert_snapshot!(golden(&Config {
        restrictions: Restrictions { iterations: Some(2), ..Restrictions::NONE },
        ..named("bmc")
    }));
}

/// As Figure 5, but without merging: the end of the program has a node for each number of
/// iterations.
#[test]
fn symbolic_execution() {
    assert_snapshot!(golden(&Config {
        restrictions: Restrictions { iterations: Some(2), ..Restrictions::NONE },
        ..named("symbolic-execution")
    }));
}

/// The graph of the step case of plain k-induction, with k at most `largest_k`.
fn step_case(largest_k: u32) -> String {
    let mut pool = TermPool::new();
    let (sources, program) = lowered(&mut pool);
    let config = induction::Config {
        largest_k: Some(largest_k),
        invariants: InvariantOptions { generation: InvariantGeneration::None, ..InvariantOptions::default() },
        ..induction::Config::new(bmc::Config::new(Schedule::deepening(Some(2))))
    };
    let mut keeper = Keeper { sources, log: String::new(), last: String::new() };
    induction::run(&mut pool, &program, &backend_yices::factory(), &config, &mut keeper);
    keeper.last
}

/// Figure 6. The step case needs one transition before the one that reaches the error, as in the
/// paper. Difference: the graph has each loop head once, not once for each transition.
#[test]
fn k_induction() {
    assert_snapshot!(step_case(1));
}

/// With k = 0, a state at the loop head in which `x` and `y` differ is a counterexample to
/// induction.
#[test]
fn counterexample_to_induction() {
    assert_snapshot!(step_case(0));
}

/// Figure 7. As in the paper, only the loop head and the error have abstraction states. After one
/// refinement, the precision of the loop head contains `x = y`, its first state covers its second,
/// and no state at the error remains. Differences: nodes are basic blocks; and the counterexample
/// of the paper has one block more, because its first block ends before the loop and the
/// interpolant `x = y` is found immediately.
#[test]
fn lazy_predicate_abstraction() {
    assert_snapshot!(golden(&named("predicate")));
}

/// Figure 8. As in the paper, refinement strengthens the states at the loop head to `x = y` instead
/// of exploring them again, and the first covers the second. The differences are those of Figure 7.
#[test]
fn impact() {
    assert_snapshot!(golden(&named("impact")));
}

/// McMillan's original Impact algorithm: each location has an abstraction state. The state after
/// the increments is strengthened to `x = y`; the state at the end of the program remains `true`.
#[test]
fn impact_with_single_blocks() {
    assert_snapshot!(golden(&named("impact-sbe")));
}

/// As predicate abstraction, but the facts also strengthen the states that are not explored again.
#[test]
fn ufo() {
    assert_snapshot!(golden(&named("ufo")));
}

/// The common result of Figures 7 and 8: the entry has the formula `true`, the loop head has
/// `x = y`, and a second state at the loop head is covered by the first.
#[test]
fn abstraction_and_interpolation_end_with_the_same_places_and_coverage() {
    for algorithm in ["predicate", "impact", "ufo"] {
        let (verdict, keeper) = explore(&named(algorithm));
        assert_eq!(verdict, "TRUE", "{algorithm}");
        let (states, coverage) = read(&keeper.last);
        let [entry, head, again] = &states[..] else {
            panic!("{algorithm}: {states:?}");
        };
        assert_eq!(entry.formula, "true", "{algorithm}");
        assert_ne!(entry.place, head.place, "{algorithm}");
        assert_eq!((&head.place, &head.formula), (&again.place, &again.formula), "{algorithm}");
        assert!(
            head.formula.starts_with("(= ") && head.formula.contains("x.") && head.formula.contains("y.")
        );
        assert_eq!(coverage, [(again.node.clone(), head.node.clone())], "{algorithm}");
    }
}

/// The first refinement of Impact keeps all nodes except the error and changes only formulas; the
/// first refinement of predicate abstraction keeps only the part above the pivot.
#[test]
fn refinements_differ_in_what_they_keep() {
    let after_first = |algorithm: &str| {
        let (_, keeper) = explore(&named(algorithm));
        let log = keeper.log;
        let (_, first) = log.split_once("after refinement 1:\n").expect("the run has a refinement");
        read(first.split_once("}\n").expect("a graph ends with a brace").0).0.len()
    };
    let (predicate, impact) = (after_first("predicate"), after_first("impact"));
    assert!(predicate < impact, "{predicate} states after lazy abstraction, {impact} after Impact");
}
