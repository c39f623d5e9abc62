//! Distinguished cells: small loops over arrays of bytes.

use super::*;
use crate::cells::{Cells, cells};
use crate::simulation::simulate;
use horn::Atom;
use terms::{Assignment, BitVector, Completion, Evaluator, Random, Value};

/// A program over arrays `a` and `b` of 8-bit cells, counters `i` and `n`, in phases: relation p is
/// the head of loop p.
struct Arrays {
    pool: TermPool,
    system: System,
    /// `a`, `b`, `i`, `n`.
    before: [Term; 4],
    after: [Term; 4],
    origin: usize,
}

/// A new value of `a`, `b`, `i`, `n`.
type New = [Option<Term>; 4];

impl Arrays {
    fn new(phases: usize) -> Self {
        let mut pool = TermPool::new();
        let byte = Sort::BitVec(8);
        let array = pool.array_sort(byte, byte);
        let mut symbols = |plus: &str| {
            [("a", array), ("b", array), ("i", byte), ("n", byte)]
                .map(|(name, sort)| pool.symbol(&format!("{name}{plus}"), sort))
        };
        let (before, after) = (symbols(""), symbols("+"));
        let mut system = System::default();
        for phase in 0..phases {
            let argument = |symbol, name: &str| Argument { name: name.to_owned(), symbol };
            let names = ["a", "b", "i", "n"];
            system.relations.push(RelationData {
                name: format!("head{phase}"),
                arguments: before
                    .into_iter()
                    .zip(names)
                    .map(|(symbol, name)| argument(symbol, name))
                    .collect(),
                origin: String::new(),
            });
        }
        Arrays { pool, system, before, after, origin: 0 }
    }

    fn number(&mut self, value: u64) -> Term {
        self.pool.bv(8, value)
    }

    fn clause(&mut self, from: Option<usize>, guard: Term, to: Option<usize>, new: New) {
        let body: Vec<Atom> = from.into_iter().map(|from| self.system.atom(Relation::new(from))).collect();
        let updates: Updates = (0..4)
            .filter(|&place| to.is_some() && (new[place].is_some() || from.is_none()))
            .map(|place| (self.before[place], Update { after: self.after[place], value: new[place] }))
            .collect();
        let head = to.map(|to| self.system.updated(Relation::new(to), &updates));
        self.origin += 1;
        let clause = ClauseData::new(&mut self.pool, body, guard, (head, updates), self.origin.to_string());
        self.system.clauses.push(clause);
    }

    /// `i = 0`, and `n` is an input up to 20.
    fn enter(&mut self) {
        let [zero, twenty] = [0, 20].map(|value| self.number(value));
        let input = self.pool.symbol("input", Sort::BitVec(8));
        let [a, b] = [0, 1].map(|place| {
            let sort = self.pool.sort(self.before[place]);
            self.pool.symbol(if place == 0 { "a0" } else { "b0" }, sort)
        });
        let guard = self.pool.bv_ule(input, twenty);
        self.clause(None, guard, Some(0), [Some(a), Some(b), Some(zero), Some(input)]);
    }

    /// One iteration of a loop up to `n`, and its end, after which `i = 0`.
    fn iterate(&mut self, phase: usize, is_last: bool, a: Option<Term>, b: Option<Term>) {
        let [_, _, i, n] = self.before;
        let (one, zero) = (self.number(1), self.number(0));
        let (more, next) = (self.pool.bv_ult(i, n), self.pool.bv_add(i, one));
        self.clause(Some(phase), more, Some(phase), [a, b, Some(next), None]);
        if !is_last {
            let done = self.pool.not(more);
            self.clause(Some(phase), done, Some(phase + 1), [None, None, Some(zero), None]);
        }
    }

    /// The query that a cell in the loop violates `wanted`, up to `bound`.
    fn query(&mut self, phase: usize, is_inside: Term, wanted: Term) {
        let violated = self.pool.not(wanted);
        let guard = self.pool.and2(is_inside, violated);
        self.clause(Some(phase), guard, None, [None; 4]);
    }

    /// The facts of the domain over the system with a distinguished index.
    fn infer(&mut self, domain: &str) -> (Cells, Invariants) {
        let distinguished = cells(&mut self.pool, &self.system).expect("arrays are read");
        let factory = backend_yices::factory();
        let contexts = Contexts::new(&factory, "ALL");
        let mut inference =
            Inference::new(&mut self.pool, &distinguished.system, &distinguished.suggested, contexts);
        let spec: Spec = domain.parse().expect("a choice of domains");
        for stage in &spec.stages {
            let limits = Limits::default();
            inference.stage(&mut self.pool, stage, Search::default(), &limits).expect("a fixpoint");
        }
        let found = inference.known();
        (distinguished, found)
    }

    fn is_proved(&mut self, domain: &str) -> bool {
        let (distinguished, found) = self.infer(domain);
        let limits = Limits::default();
        let factory = backend_yices::factory();
        let mut prover = backends::ProverFactory::new_prover(&factory, "ALL", &limits).expect("a prover");
        let proof = slice(&mut self.pool, &mut *prover, &distinguished.system, &found, Cores::Any, &limits);
        proof.expect("an answer").is_some()
    }
}

const DOMAIN: &str = "segments(hulls*values*intervals*orders*literals)";

/// `for (i = 0; i < n; i++) a[i] = 7; for (i = 0; i < n; i++) assert(a[i] == wanted);`
fn filled(wanted: u64, make_end: impl Fn(&mut TermPool, Term, Term) -> Term) -> Arrays {
    let mut arrays = Arrays::new(2);
    let [a, _, i, n] = arrays.before;
    let (seven, wanted) = (arrays.number(7), arrays.number(wanted));
    arrays.enter();
    let stored = arrays.pool.store(a, i, seven);
    arrays.iterate(0, false, Some(stored), None);
    arrays.iterate(1, true, None, None);
    let read = arrays.pool.select(a, i);
    let is_wanted = arrays.pool.eq(read, wanted);
    let is_inside = make_end(&mut arrays.pool, i, n);
    arrays.query(1, is_inside, is_wanted);
    arrays
}

#[test]
fn all_cells_of_a_filled_array_have_the_value() {
    assert!(filled(7, |pool, i, n| pool.bv_ult(i, n)).is_proved(DOMAIN));
}

#[test]
fn another_value_and_a_cell_too_many_are_not_proved() {
    assert!(!filled(8, |pool, i, n| pool.bv_ult(i, n)).is_proved(DOMAIN));
    assert!(!filled(7, |pool, i, n| pool.bv_ule(i, n)).is_proved(DOMAIN));
}

#[test]
fn a_copy_is_equal_to_its_source() {
    let mut arrays = Arrays::new(2);
    let [a, b, i, n] = arrays.before;
    arrays.enter();
    let read = arrays.pool.select(a, i);
    let copied = arrays.pool.store(b, i, read);
    arrays.iterate(0, false, None, Some(copied));
    arrays.iterate(1, true, None, None);
    let copy = arrays.pool.select(b, i);
    let is_equal = arrays.pool.eq(read, copy);
    let is_inside = arrays.pool.bv_ult(i, n);
    arrays.query(1, is_inside, is_equal);
    assert!(arrays.is_proved(DOMAIN));
}

#[test]
fn a_system_without_arrays_has_no_cells() {
    let mut doubling = doubling(Sort::BitVec(32));
    assert!(cells(&mut doubling.pool, &doubling.system).is_none());
}

/// A loop body: a cell of `a` or `b` at `i`, or near it, gets a value.
fn random_value(arrays: &mut Arrays, random: &mut Random) -> (Option<Term>, Option<Term>) {
    let [a, b, i, n] = arrays.before;
    let constant = random.number() >> 61;
    let constant = arrays.number(constant);
    let pool = &mut arrays.pool;
    let (from_a, from_b) = (pool.select(a, i), pool.select(b, i));
    let value = match random.number() >> 61 {
        0 | 1 => constant,
        2 => i,
        3 => from_a,
        4 => from_b,
        5 => pool.bv_add(from_a, constant),
        6 => pool.bv_add(i, n),
        _ => pool.bv_sub(from_b, i),
    };
    let place = match random.number() >> 62 {
        0 => pool.bv_add(i, constant),
        1 => pool.bv_sub(n, i),
        _ => i,
    };
    match random.number() >> 63 {
        0 => (Some(pool.store(a, place, value)), None),
        _ => (None, Some(pool.store(b, place, value))),
    }
}

#[test]
fn facts_about_cells_hold_in_all_cells_of_simulated_states() {
    let (mut checked, mut about_cells) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut arrays = Arrays::new(3);
        arrays.enter();
        for phase in 0..3 {
            let (a, b) = random_value(&mut arrays, &mut random);
            arrays.iterate(phase, phase == 2, a, b);
        }
        let [a, _, i, n] = arrays.before;
        let read = arrays.pool.select(a, i);
        let (is_inside, is_wanted) = (arrays.pool.bv_ult(i, n), arrays.pool.eq(read, i));
        arrays.query(2, is_inside, is_wanted);
        let (distinguished, found) = arrays.infer("segments(values*intervals*orders*literals)");
        for (clause, values) in simulate(&arrays.pool, &arrays.system) {
            let relation = arrays.system.clauses[clause].to().expect("a state");
            for k in 0..=255 {
                let mut assignment = Assignment::with_completion(Completion::Default);
                for (symbol, value) in arrays.before.into_iter().zip(&values) {
                    assignment.set_leaf(&arrays.pool, symbol, value.clone());
                }
                let index = Value::BitVec(BitVector::new(8, k));
                assignment.set_leaf(&arrays.pool, distinguished.index, index);
                let mut evaluator = Evaluator::new();
                for &fact in &found.at[relation] {
                    let value = evaluator.eval(&arrays.pool, fact, &assignment);
                    assert_eq!(value, Ok(Value::Bool(true)), "seed {seed}: {}", arrays.pool.display(fact));
                    checked += 1;
                }
            }
        }
        about_cells += found.at.values().flatten().count();
    }
    assert!(checked > 10_000 && about_cells > 50, "{checked} {about_cells}");
}
