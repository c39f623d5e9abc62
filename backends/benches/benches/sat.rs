//! Compares the search of `craig`, with and without logged chains, with CaDiCaL, on the same
//! clauses in the same process.
//!
//! Arguments: substrings of names of instances (default: all), or SMT-LIB files, such as
//! `hornwork verify --record FOLDER` writes. The first check of a file is translated to clauses; it
//! may contain only bit vectors and Booleans. CaDiCaL has its default settings, including
//! inprocessing.

#![allow(clippy::print_stdout, reason = "a bench prints")]

use backend_benches::propositional::{Cnf, Instance, instances, random};
use backend_benches::timed;
use backend_craig::prover::cnf::clauses::ClauseSink;
use backend_craig::prover::cnf::translate::Translator;
use backend_craig::prover::sat::{Answer, Config, Literal, NoTheory, Solver, Statistics, Variable};
use backend_craig::prover::theory::{Certificates, Combination};
use backends::Limits;
use frontend::smtlib::{Command, Script};
use grammars::source::SourceMap;
use std::path::Path;
use std::time::Duration;
use terms::{Op, Sort, TermPool};

/// The time limit of one search.
const TIME: Duration = Duration::from_secs(60);

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!(
        "{:28} {:>6} {:>10} {:>10} {:>10} {:>7} {:>7} {:>10} {:>10}",
        "instance", "answer", "cadical", "silent", "logging", "ratio", "+proof", "conflicts", "steps"
    );
    let mut logarithms = [0.0, 0.0];
    let mut count = 0.0;
    let files: Vec<&String> = names.iter().filter(|name| name.ends_with(".smt2")).collect();
    let all =
        if files.is_empty() { instances() } else { files.iter().filter_map(|file| recorded(file)).collect() };
    for instance in all {
        if files.is_empty() && !names.is_empty() && !names.iter().any(|name| instance.name.contains(name)) {
            continue;
        }
        let (peer_time, expected) = timed(|| peer(&instance.cnf));
        let (silent_time, silent) = timed(|| ours(&instance.cnf, Config::ANSWERING));
        let (time, found) = timed(|| ours(&instance.cnf, Config::PROVING));
        let (proof_time, steps) = timed(|| found.solver.proof().map_or(0, |proof| proof.steps.len()));
        for answer in [&silent.answer, &found.answer] {
            if *answer != Answer::Unknown(backends::Reason::Timeout) {
                assert_eq!(*answer, expected, "{}", instance.name);
            }
        }
        // Below a millisecond the clock is too coarse.
        let floor = Duration::from_millis(1);
        let ratio = |time: Duration| time.max(floor).as_secs_f64() / peer_time.max(floor).as_secs_f64();
        let answer = match found.answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "?",
        };
        let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        println!(
            "{:28} {:>6} {:>10} {:>10} {:>10} {:>7.2} {:>7.2} {:>10} {:>10}",
            instance.name,
            answer,
            milliseconds(peer_time),
            milliseconds(silent_time),
            milliseconds(time),
            ratio(time),
            ratio(time + proof_time),
            found.statistics.conflicts,
            steps
        );
        logarithms[0] += ratio(silent_time).ln();
        logarithms[1] += ratio(time).ln();
        count += 1.0;
    }
    if names.is_empty() || names.iter().any(|name| "calls".contains(&**name)) {
        calls();
    }
    if count > 0.0 {
        let [silent, logging] = logarithms.map(|sum: f64| (sum / count).exp());
        println!("geometric mean of the ratios: {silent:.2} silent, {logging:.2} logging");
    }
}

/// The clauses of the first check of a script, if it contains only bit vectors and Booleans.
fn recorded(file: &str) -> Option<Instance> {
    let mut sources = SourceMap::new();
    let text = std::fs::read(file).expect("the file is readable");
    let id = sources.add(file, text).expect("the file is not too large");
    let mut script = Script::new(&sources, id);
    let mut pool = TermPool::new();
    let mut formulas = Vec::new();
    loop {
        let step = script.next(&mut pool)?.expect("the script is well-formed");
        match step.command {
            Command::Assert { formula, .. } => formulas.push(formula),
            Command::CheckSat => break,
            Command::CheckSatAssuming(assumptions) => {
                formulas.extend(assumptions.iter().map(|assumption| assumption.literal));
                break;
            }
            _ => {}
        }
    }
    let mut is_propositional = true;
    pool.visit(
        &formulas,
        |_| true,
        |term| {
            let is_plain = matches!(pool.sort(term), Sort::Bool | Sort::BitVec(_));
            is_propositional &= is_plain && !matches!(pool.op(term), Op::Apply(_));
        },
    );
    if !is_propositional {
        return None;
    }
    let (mut translator, mut theory) = (Translator::default(), Combination::new(Certificates::Dropped));
    let mut clauses = Clauses::default();
    for formula in formulas {
        let limits = Limits::default();
        let signal = translator.formula(&pool, formula, &mut theory, &mut clauses, &limits).ok()?;
        let Combination { gates, encoder, .. } = &mut theory;
        encoder.require(gates, None, signal, 0, &mut clauses);
    }
    let name: String = Path::new(file).file_stem()?.to_string_lossy().chars().take(28).collect();
    Some(Instance { name, cnf: clauses.0 })
}

/// Collects the clauses of the translation.
#[derive(Default)]
struct Clauses(Cnf);

impl ClauseSink for Clauses {
    fn new_variable(&mut self) -> Variable {
        self.0.variables += 1;
        Variable(self.0.variables.unsigned_abs() - 1)
    }

    fn add_clause(&mut self, literals: &[Literal], _tag: u32) {
        let number = |literal: &Literal| {
            let variable = i32::try_from(literal.variable().0 + 1).expect("fewer than 2^31 variables");
            if literal.is_positive() { variable } else { -variable }
        };
        self.0.clauses.push(literals.iter().map(number).collect());
    }
}

/// Many calls of one solver, each with three assumptions and one more clause than the previous
/// call.
fn calls() {
    const CALLS: i32 = 2_000;
    const VARIABLES: i32 = 100;
    let base = random(VARIABLES, VARIABLES * 7 / 2, 1);
    let more = random(VARIABLES, CALLS, 2);
    // Ten selectors, used in turn.
    let guarded = |call: i32| {
        let mut clause = more.clauses[call as usize].clone();
        clause.push(-(VARIABLES + 1 + call % 10));
        clause
    };
    let assumptions =
        |call: i32| [VARIABLES + 1 + call % 10, 1 + call % VARIABLES, -(1 + call * 7 % VARIABLES)];
    let (peer_time, expected) = timed(|| {
        let mut solver: cadical::Solver = cadical::Solver::new();
        base.clauses.iter().for_each(|clause| solver.add_clause(clause.iter().copied()));
        let mut check = |call| {
            solver.add_clause(guarded(call));
            solver.solve_with(assumptions(call))
        };
        (0..CALLS).filter(|&call| check(call) == Some(true)).count()
    });
    let (time, found) = timed(|| {
        let cnf = Cnf { variables: VARIABLES + 10, clauses: base.clauses.clone() };
        let mut solver = load(&cnf, Config::PROVING);
        let mut check = |call| {
            solver.add_clause(&guarded(call).iter().map(literal).collect::<Vec<_>>(), 0);
            solver.solve(&mut NoTheory, &assumptions(call).each_ref().map(literal), &Limits::default())
        };
        (0..CALLS).filter(|&call| check(call) == Answer::Sat).count()
    });
    assert_eq!(found, expected);
    println!(
        "{CALLS} calls, {found} satisfiable: {:.1} ms CaDiCaL, {:.1} ms ours, logging",
        peer_time.as_secs_f64() * 1e3,
        time.as_secs_f64() * 1e3
    );
}

struct Found {
    answer: Answer,
    statistics: Statistics,
    solver: Solver,
}

fn literal(number: &i32) -> Literal {
    Literal::new(Variable(number.unsigned_abs() - 1), *number > 0)
}

fn load(cnf: &Cnf, config: Config) -> Solver {
    let mut solver = Solver::new(config);
    for _ in 0..cnf.variables {
        solver.new_variable();
    }
    for clause in &cnf.clauses {
        let literals: Vec<Literal> = clause.iter().map(literal).collect();
        solver.add_clause(&literals, 0);
    }
    solver
}

fn ours(cnf: &Cnf, config: Config) -> Found {
    let mut solver = load(cnf, config);
    let limits = Limits { time: Some(TIME), ..Limits::default() };
    let answer = solver.solve(&mut NoTheory, &[], &limits);
    Found { answer, statistics: solver.statistics(), solver }
}

fn peer(cnf: &Cnf) -> Answer {
    let mut solver: cadical::Solver = cadical::Solver::new();
    for clause in &cnf.clauses {
        solver.add_clause(clause.iter().copied());
    }
    match solver.solve() {
        Some(true) => Answer::Sat,
        Some(false) => Answer::Unsat,
        None => Answer::Unknown(backends::Reason::Incomplete("no limit was set".to_owned())),
    }
}
