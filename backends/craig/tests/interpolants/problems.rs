//! Random problems in random trees.
//!
//! Each part has local names and shares names with the part above; some names are shared by all
//! parts. Formulas are added until the parts contradict each other: links from the names of one
//! edge to those of another, and constraints.

use crate::TIME;
use backend_craig::CraigProver;
use backend_craig::prover::sat;
use backends::conformance::random::Random;
use backends::interpolation::{Problem, Tree};
use backends::{Limits, Prover, Status};
use num_rational::BigRational;
use std::fmt::Write;
use terms::{FunctionSymbol, Sort, Term, TermPool};

/// Maximum number of parts.
const PARTS: usize = 30;

/// Number of rounds in which formulas are added.
pub(crate) const ROUNDS: usize = 20;

/// The theory of the formulas, apart from Booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Theory {
    Reals,
    Integers,
    Functions,
    RealsAndFunctions,
    IntegersAndFunctions,
    Mixed,
}

impl Theory {
    pub(crate) const ALL: [Theory; 6] = [
        Theory::Reals,
        Theory::Integers,
        Theory::Functions,
        Theory::RealsAndFunctions,
        Theory::IntegersAndFunctions,
        Theory::Mixed,
    ];

    fn sorts(self, pool: &mut TermPool) -> Vec<Sort> {
        match self {
            Theory::Reals | Theory::RealsAndFunctions => vec![Sort::Real],
            Theory::Integers | Theory::IntegersAndFunctions => vec![Sort::Int],
            Theory::Functions => vec![pool.uninterpreted_sort("S")],
            Theory::Mixed => vec![Sort::Int, Sort::Real],
        }
    }

    fn has_functions(self) -> bool {
        !matches!(self, Theory::Reals | Theory::Integers)
    }
}

/// The names of one place: a part, an edge, or the whole problem.
#[derive(Clone, Default)]
struct Names {
    truths: Vec<Term>,
    others: Vec<Term>,
    functions: Vec<FunctionSymbol>,
}

impl Names {
    fn add(&mut self, other: &Names) {
        self.truths.extend(&other.truths);
        self.others.extend(&other.others);
        self.functions.extend(&other.functions);
    }
}

/// A growing problem.
pub(crate) struct Weaver {
    pub(crate) problem: Problem,
    random: Random,
    theory: Theory,
    /// By part: the names that it shares with the part above.
    edges: Vec<Names>,
    /// By part: all of its names.
    known: Vec<Names>,
}

impl Weaver {
    pub(crate) fn new(pool: &mut TermPool, seed: u64, theory: Theory) -> Self {
        let mut random = Random::new(seed);
        let count = if random.chance(1, 5) { 2 + random.below(PARTS - 1) } else { 2 + random.below(5) };
        let tree = random_tree(&mut random, count);
        let sorts = theory.sorts(pool);
        let mut fresh = |pool: &mut TermPool, place: String, number: usize| {
            let mut names = Names::default();
            for &sort in &sorts {
                let symbols = (0..number).map(|index| pool.symbol(&format!("{place}{index}{sort:?}"), sort));
                names.others.extend(symbols.collect::<Vec<_>>());
                if theory.has_functions() && random.chance(1, 3) {
                    let arguments = vec![sort; 1 + random.below(2)];
                    names.functions.push(pool.function_symbol(
                        &format!("{place}f{sort:?}"),
                        &arguments,
                        sort,
                    ));
                }
            }
            if random.chance(1, 2) {
                names.truths.push(pool.symbol(&format!("{place}b"), Sort::Bool));
            }
            names
        };
        let mut all = fresh(pool, "g".to_owned(), 0);
        if theory.has_functions() {
            for &sort in &sorts {
                all.functions.push(pool.function_symbol(&format!("h{sort:?}"), &[sort], sort));
            }
        }
        let edges: Vec<Names> = (0..count).map(|part| fresh(pool, format!("e{part}"), 2)).collect();
        let mut known: Vec<Names> = (0..count).map(|part| fresh(pool, format!("l{part}"), 2)).collect();
        for part in 0..count {
            known[part].add(&all);
            if let Some(above) = tree.parent(part) {
                known[part].add(&edges[part]);
                known[above].add(&edges[part]);
            }
        }
        let problem = Problem { parts: vec![Vec::new(); count], tree };
        let mut weaver = Weaver { problem, random, theory, edges, known };
        (0..count).for_each(|part| weaver.link(pool, part));
        weaver
    }

    /// Adds formulas to some parts, each satisfiable by itself.
    pub(crate) fn extend(&mut self, pool: &mut TermPool) {
        let count = self.problem.parts.len();
        for _ in 0..1 + count / 3 {
            let part = self.random.below(count);
            let formula = self.formula(pool, part, 2);
            self.add(pool, part, formula);
        }
    }

    fn add(&mut self, pool: &TermPool, part: usize, formula: Term) {
        self.problem.parts[part].push(formula);
        if is_unsatisfiable(pool, &self.problem.parts[part]) {
            self.problem.parts[part].pop();
        }
    }

    pub(crate) fn shown(&self, pool: &TermPool) -> String {
        let mut text = String::new();
        for (part, formulas) in self.problem.parts.iter().enumerate() {
            let above = self.problem.tree.parent(part);
            let _ = writeln!(text, "part {part} below {above:?}");
            for &formula in formulas {
                let _ = writeln!(text, "  {}", pool.display(formula));
            }
        }
        text
    }

    /// Defines the names that a part shares with the part above.
    fn link(&mut self, pool: &mut TermPool, part: usize) {
        if self.problem.tree.parent(part).is_none() {
            return;
        }
        let outer = self.edges[part].others.clone();
        for symbol in outer {
            if self.random.chance(1, 4) {
                continue;
            }
            let sort = pool.sort(symbol);
            let value = self.term(pool, part, sort, 2);
            let formula = match self.random.below(6) {
                0 if is_number(sort) => pool.le(value, symbol),
                1 if is_number(sort) => {
                    let low = pool.le(value, symbol);
                    let one = number(pool, sort, 1);
                    let next = pool.add(&[value, one]);
                    let high = pool.le(symbol, next);
                    pool.and2(low, high)
                }
                2 => {
                    let other = self.term(pool, part, sort, 1);
                    let (one, other) = (pool.eq(symbol, value), pool.eq(symbol, other));
                    pool.or2(one, other)
                }
                _ => pool.eq(symbol, value),
            };
            self.add(pool, part, formula);
        }
    }

    fn formula(&mut self, pool: &mut TermPool, part: usize, depth: usize) -> Term {
        let truths = &self.known[part].truths;
        if !truths.is_empty() && self.random.chance(1, 6) {
            let truth = self.random.pick(truths);
            return if self.random.chance(1, 2) { truth } else { pool.not(truth) };
        }
        if depth > 0 && self.random.chance(1, 3) {
            let (a, b) = (self.formula(pool, part, depth - 1), self.formula(pool, part, depth - 1));
            return match self.random.below(3) {
                0 => pool.and2(a, b),
                1 => pool.or2(a, b),
                _ => pool.xor(a, b),
            };
        }
        let sort = self.sort(pool, part);
        let (a, b) = (self.term(pool, part, sort, depth), self.term(pool, part, sort, depth));
        match self.random.below(6) {
            0 if is_number(sort) => pool.lt(a, b),
            1 | 2 if is_number(sort) => pool.le(a, b),
            3 => pool.neq(a, b),
            _ => pool.eq(a, b),
        }
    }

    fn sort(&mut self, pool: &TermPool, part: usize) -> Sort {
        let symbol = self.random.pick(&self.known[part].others);
        pool.sort(symbol)
    }

    fn term(&mut self, pool: &mut TermPool, part: usize, sort: Sort, depth: usize) -> Term {
        if depth == 0 || self.random.chance(1, 3) {
            if is_number(sort) && self.random.chance(1, 5) {
                let value = self.random.below(9) as i64 - 4;
                return number(pool, sort, value);
            }
            let symbols = self.known[part].others.iter().copied();
            let symbols: Vec<Term> = symbols.filter(|&symbol| pool.sort(symbol) == sort).collect();
            return self.random.pick(&symbols);
        }
        let a = self.term(pool, part, sort, depth - 1);
        let functions = self.known[part].functions.iter().copied();
        let functions: Vec<FunctionSymbol> =
            functions.filter(|&function| pool.function_data(function).2 == sort).collect();
        if !functions.is_empty() && (!is_number(sort) || self.random.chance(1, 3)) {
            let function = self.random.pick(&functions);
            let mut arguments = vec![a];
            while arguments.len() < pool.function_data(function).1.len() {
                arguments.push(self.term(pool, part, sort, depth - 1));
            }
            return pool.apply(function, &arguments);
        }
        if !is_number(sort) || self.random.chance(1, 8) {
            let b = self.term(pool, part, sort, depth - 1);
            let condition = self.formula(pool, part, 0);
            return pool.ite(condition, a, b);
        }
        if self.theory == Theory::Mixed && self.random.chance(1, 4) {
            let other = if sort == Sort::Int { Sort::Real } else { Sort::Int };
            let b = self.term(pool, part, other, 0);
            return if sort == Sort::Int { pool.to_int(b) } else { pool.to_real(b) };
        }
        match self.random.below(8) {
            0 | 1 => {
                let most = if self.random.chance(1, 3) { 7 } else { 2 };
                let factor = number(pool, sort, self.random.below(2 * most + 1) as i64 - most as i64);
                pool.mul(factor, a)
            }
            2 if sort == Sort::Int => {
                let divisor = number(pool, sort, 2 + self.random.below(2) as i64);
                if self.random.chance(1, 2) { pool.int_div(a, divisor) } else { pool.int_mod(a, divisor) }
            }
            3 => {
                let b = self.term(pool, part, sort, depth - 1);
                pool.sub(a, b)
            }
            _ => {
                let b = self.term(pool, part, sort, depth - 1);
                pool.add(&[a, b])
            }
        }
    }
}

/// `false` also if the check times out.
pub(crate) fn is_unsatisfiable(pool: &TermPool, formulas: &[Term]) -> bool {
    let limits = Limits { time: Some(TIME), ..Limits::default() };
    let mut prover = CraigProver::new(sat::Config::ANSWERING, &limits);
    for &formula in formulas {
        prover.assert(pool, formula).expect("the formula is supported");
    }
    prover.status(pool, &[]) == Status::Unsat
}

fn number(pool: &mut TermPool, sort: Sort, value: i64) -> Term {
    pool.number(sort, &BigRational::from_integer(value.into()))
}

/// A random tree; every second one is a path.
fn random_tree(random: &mut Random, parts: usize) -> Tree {
    if random.chance(1, 2) {
        return Tree::path(parts);
    }
    let parent = |node: usize, random: &mut Random| {
        (node + 1 < parts).then(|| node + 1 + random.below(parts - 1 - node))
    };
    Tree::new((0..parts).map(|node| parent(node, random)).collect()).expect("parents come later")
}

fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Real)
}
