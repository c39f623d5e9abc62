//! Clauses, checked by truth tables.

use super::random_tree;
use crate::interpolation::from_proof::{Input, Labelling, Language, interpolants};
use crate::prover::proof::Proof;
use crate::prover::sat::{Answer, Config, Literal, NoTheory, Solver, Variable};
use backends::Limits;
use backends::conformance::random::Random;
use backends::interpolation::{Problem, Shape, vocabulary};
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool};

struct Clauses {
    terms: Vec<Term>,
    parts: Vec<usize>,
}

impl Language for Clauses {
    fn term(&mut self, _pool: &mut TermPool, variable: Variable) -> Option<Term> {
        self.terms.get(variable.index()).copied()
    }

    fn input(&self, tag: u32) -> Option<Input> {
        self.parts.get(tag as usize).copied().map(Input::Part)
    }
}

/// The assignments that make a formula true, as bits.
type Table = Vec<u64>;

/// The table of a formula over few symbols.
fn table(pool: &TermPool, symbols: &[Term], formula: Term) -> Table {
    let assignments = 1usize << symbols.len();
    let words = assignments.div_ceil(64);
    let mut tables: FxHashMap<Term, Table> = FxHashMap::default();
    pool.visit(
        &[formula],
        |_| true,
        |term| {
            let child = |index: usize| &tables[&pool.children(term)[index]];
            let word = |word: usize| -> u64 {
                let all = |of: &dyn Fn(u64, u64) -> u64| {
                    let first = child(0)[word];
                    (1..pool.children(term).len()).fold(first, |sum, index| of(sum, child(index)[word]))
                };
                match pool.op(term) {
                    Op::True => u64::MAX,
                    Op::False => 0,
                    Op::Symbol(_) => {
                        let place =
                            symbols.iter().position(|&symbol| symbol == term).expect("a known symbol");
                        let of = |bit: usize| (64 * word + bit) >> place & 1 == 1;
                        (0..64).fold(0, |bits, bit| bits | u64::from(of(bit)) << bit)
                    }
                    Op::Not => !child(0)[word],
                    Op::And => all(&|a, b| a & b),
                    Op::Or => all(&|a, b| a | b),
                    Op::Xor => child(0)[word] ^ child(1)[word],
                    Op::Eq => !(child(0)[word] ^ child(1)[word]),
                    Op::Ite => {
                        let condition = child(0)[word];
                        condition & child(1)[word] | !condition & child(2)[word]
                    }
                    op => panic!("{op:?} does not occur in propositional formulas"),
                }
            };
            let table = (0..words).map(word).collect();
            tables.insert(term, table);
        },
    );
    tables.remove(&formula).expect("the root is visited")
}

fn implies(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

/// Checks the definition of interpolants.
fn check(pool: &TermPool, symbols: &[Term], problem: &Problem, found: &[Term]) {
    let shared = vocabulary::shared(pool, problem);
    for (formula, shared) in found.iter().zip(&shared) {
        assert!(vocabulary::names(pool, &[*formula]).iter().all(|name| shared.contains(name)));
    }
    let assignments = 1usize << symbols.len();
    for (node, children) in problem.tree.children().iter().enumerate() {
        let mut said = vec![u64::MAX; assignments.div_ceil(64)];
        for &formula in problem.parts[node].iter().chain(children.iter().map(|&child| &found[child])) {
            let table = table(pool, symbols, formula);
            said.iter_mut().zip(table).for_each(|(said, other)| *said &= other);
        }
        let goal = match found.get(node) {
            Some(&formula) => table(pool, symbols, formula),
            None => vec![0; said.len()],
        };
        assert!(implies(&said, &goal), "part {node} of {problem:?}");
    }
}

/// Returns whether the clauses were contradictory.
fn scenario(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let symbols: Vec<Term> = (0..8).map(|index| pool.symbol(&format!("x{index}"), Sort::Bool)).collect();
    let count = 2 + random.below(5);
    let tree = random_tree(&mut random, count);
    let mut solver = Solver::new(Config::PROVING);
    symbols.iter().for_each(|_| {
        solver.new_variable();
    });
    let mut problem = Problem { parts: vec![Vec::new(); count], tree };
    let mut clauses = Clauses { terms: symbols.clone(), parts: Vec::new() };
    // Each part knows some of the symbols.
    let known: Vec<Vec<usize>> =
        (0..count).map(|_| (0..5).map(|_| random.below(symbols.len())).collect()).collect();
    for tag in 0..36u32 {
        let part = random.below(count);
        let length = 1 + random.below(3);
        let literals: Vec<Literal> = (0..length)
            .map(|_| Literal::new(Variable::new(random.pick(&known[part])), random.chance(1, 2)))
            .collect();
        let terms: Vec<Term> = literals
            .iter()
            .map(|literal| {
                let symbol = symbols[literal.variable().index()];
                if literal.is_positive() { symbol } else { pool.not(symbol) }
            })
            .collect();
        let clause = pool.or(&terms);
        if pool.as_bool(clause).is_some() {
            // A tautology has no names in the problem.
            clauses.parts.push(part);
            continue;
        }
        problem.parts[part].push(clause);
        clauses.parts.push(part);
        solver.add_clause(&literals, tag);
        if solver.solve(&mut NoTheory, &[], &Limits::default()) == Answer::Unsat {
            break;
        }
    }
    let Some(proof) = solver.proof() else { return false };
    let mut strengths: Vec<Vec<Term>> = Vec::new();
    for labelling in Labelling::ALL {
        let found = interpolants(&mut pool, &problem, &proof, &mut clauses, labelling, &Limits::default());
        let found = found.expect("no step is mixed");
        check(&pool, &symbols, &problem, &found);
        strengths.push(found);
    }
    // The inverse of McMillan's system yields the same interpolant for each cut on paths only.
    let is_path = problem.tree.shape() <= Shape::Sequence;
    let [strong, middle, weak] = &strengths[..] else { unreachable!("there are three labellings") };
    for ((&strong, &middle), &weak) in strong.iter().zip(middle).zip(weak) {
        let [strong, middle, weak] = [strong, middle, weak].map(|term| table(&pool, &symbols, term));
        assert!(implies(&strong, &middle), "seed {seed}");
        assert!(!is_path || implies(&middle, &weak), "seed {seed}");
    }
    true
}

#[test]
fn interpolants_of_clauses_are_right_for_all_labellings() {
    let refuted = (0..3000).filter(|&seed| scenario(seed)).count();
    assert!(refuted > 1500, "{refuted}");
}

#[test]
fn an_open_proof_and_a_foreign_clause_are_refused() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Bool);
    let not_x = pool.not(x);
    let problem = Problem::binary(vec![x], vec![not_x]);
    let literal = Literal::positive(Variable::new(0));
    let mut solver = Solver::new(Config::PROVING);
    solver.new_variable();
    solver.add_clause(&[literal], 0);
    solver.add_clause(&[!literal], 1);
    assert_eq!(solver.solve(&mut NoTheory, &[], &Limits::default()), Answer::Unsat);
    let proof = solver.proof().expect("a proof");
    let ask = |pool: &mut TermPool, proof: &Proof, terms: Vec<Term>, parts| {
        let mut language = Clauses { terms, parts };
        let labelling = Labelling::McMillan;
        interpolants(pool, &problem, proof, &mut language, labelling, &Limits::default())
    };
    assert_eq!(ask(&mut pool, &proof, vec![x], vec![0, 1]), Ok(vec![x]));
    let y = pool.symbol("y", Sort::Bool);
    assert!(ask(&mut pool, &proof, vec![y], vec![0, 1]).is_err());
    assert!(ask(&mut pool, &proof, vec![], vec![0, 1]).is_err());
    assert!(ask(&mut pool, &proof, vec![x], vec![0]).is_err());
    let mut open = proof;
    open.steps.truncate(1);
    assert!(ask(&mut pool, &open, vec![x], vec![0, 1]).is_err());
}
