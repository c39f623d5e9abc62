//! Chains of blocks, with Z3 for the local queries and for certificates.

use super::Structure;
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolants, Interpolator, Problem, Score, Tree};
use backends::symbolic::numeral;
use backends::{Limits, Reason};
use std::rc::Rc;
use terms::{Sort, Term, TermPool};

fn ask(pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
    Structure::new(vec![Rc::new(backend_z3::factory())], Score::default()).interpolate(pool, problem, limits)
}

fn solve(pool: &mut TermPool, problem: &Problem) -> Vec<String> {
    let factory: Rc<dyn backends::ProverFactory> = Rc::new(backend_z3::factory());
    let interpolants = ask(pool, problem, &Limits::default()).of_refuted().unwrap();
    let certifier = Certifier { factories: vec![factory] };
    certifier.certify(pool, problem, &interpolants, &Limits::default()).unwrap();
    interpolants.iter().map(|&term| pool.display(term).to_string()).collect()
}

fn branching(pool: &mut TermPool, sort: Sort, n: usize) -> Problem {
    let version = |pool: &mut TermPool, name: &str, at: usize| pool.symbol(&format!("{name}@{at}"), sort);
    let number = |pool: &mut TermPool, value: i64| match sort {
        Sort::BitVec(width) => pool.bv_i64(width, value),
        _ => pool.number(sort, &num_rational::BigRational::from_integer(value.into())),
    };
    let add = |pool: &mut TermPool, a: Term, b: Term| match sort {
        Sort::BitVec(_) => pool.bv_add(a, b),
        _ => pool.add(&[a, b]),
    };
    let zero = number(pool, 0);
    let (x0, y0) = (version(pool, "x", 0), version(pool, "y", 0));
    let mut parts = vec![vec![pool.eq(x0, zero), pool.eq(y0, zero)]];
    for at in 0..n {
        let choice = pool.symbol(&format!("b@{at}"), Sort::Bool);
        let mut part = Vec::new();
        for (name, step) in [("x", 1), ("y", 2)] {
            let (before, after) = (version(pool, name, at), version(pool, name, at + 1));
            let step = number(pool, step);
            let sum = add(pool, before, step);
            let value = pool.ite(choice, sum, before);
            part.push(pool.eq(after, value));
        }
        parts.push(part);
    }
    let (x, y) = (version(pool, "x", n), version(pool, "y", n));
    let twice = add(pool, x, x);
    parts.push(vec![pool.neq(y, twice)]);
    Problem::sequence(parts)
}

#[test]
fn a_branching_counter_has_its_relation_as_interpolant() {
    for sort in [Sort::Int, Sort::Real, Sort::BitVec(32)] {
        let mut pool = TermPool::new();
        let problem = branching(&mut pool, sort, 20);
        let shown = solve(&mut pool, &problem);
        assert!(shown.iter().all(|text| text.len() < 60), "{shown:?}");
    }
}

/// `n` blocks that each increment three variables or reset two of them to zero.
fn resets(pool: &mut TermPool, n: usize) -> Problem {
    let version =
        |pool: &mut TermPool, name: &str, at: usize| pool.symbol(&format!("{name}@{at}"), Sort::Int);
    let zero = pool.int(0);
    let start: Vec<Term> = ["x", "y", "z"].map(|name| version(pool, name, 0)).to_vec();
    let mut parts = vec![start.into_iter().map(|symbol| pool.eq(symbol, zero)).collect::<Vec<Term>>()];
    for at in 0..n {
        let [count, back] = ["b", "c"].map(|name| pool.symbol(&format!("{name}@{at}"), Sort::Bool));
        let mut part = Vec::new();
        for (name, step) in [("x", 1), ("y", 3), ("z", 1)] {
            let (before, after) = (version(pool, name, at), version(pool, name, at + 1));
            let step = pool.int(step);
            let sum = pool.add(&[before, step]);
            let other = if name == "z" { before } else { pool.ite(back, zero, before) };
            let value = pool.ite(count, sum, other);
            part.push(pool.eq(after, value));
        }
        parts.push(part);
    }
    let [x, y, z] = ["x", "y", "z"].map(|name| version(pool, name, n));
    let three = pool.int(3);
    let product = pool.mul(three, x);
    let (differs, exceeds) = (pool.neq(y, product), pool.lt(z, x));
    parts.push(vec![pool.or2(differs, exceeds)]);
    Problem::sequence(parts)
}

#[test]
fn what_repeats_has_one_formula() {
    let mut pool = TermPool::new();
    let problem = resets(&mut pool, 20);
    let shown = solve(&mut pool, &problem);
    // Conjuncts are printed in the order of their age, which varies.
    let generic = shown.iter().map(|text| {
        let mut letters: Vec<char> = super::tree::stem(text).chars().collect();
        letters.sort_unstable();
        letters
    });
    let generic: Vec<Vec<char>> = generic.collect();
    // The last interpolant may omit facts that only further iterations need.
    let inner = &generic[1..generic.len() - 1];
    assert!(inner.iter().all(|letters| *letters == inner[0]), "{shown:?}");
}

/// `n` blocks that may write 7 to an array at an increasing index. The array first occurs in the
/// first block.
fn writes(pool: &mut TermPool, sort: Sort, n: usize) -> Problem {
    let array = pool.array_sort(sort, sort);
    let number = |pool: &mut TermPool, value: i64| numeral(pool, sort, &value.into());
    let (zero, one, seven) = (number(pool, 0), number(pool, 1), number(pool, 7));
    let index = |pool: &mut TermPool, at: usize| pool.symbol(&format!("i@{at}"), sort);
    let memory = |pool: &mut TermPool, at: usize| pool.symbol(&format!("a@{at}"), array);
    let start = index(pool, 0);
    let mut parts = vec![vec![pool.eq(start, zero)]];
    for at in 0..n {
        let choice = pool.symbol(&format!("b@{at}"), Sort::Bool);
        let (before, after) = (index(pool, at), index(pool, at + 1));
        let (old, new) = (memory(pool, at), memory(pool, at + 1));
        let (next, written) = (pool.add(&[before, one]), pool.store(old, before, seven));
        let (moved, changed) = (pool.ite(choice, next, before), pool.ite(choice, written, old));
        parts.push(vec![pool.eq(after, moved), pool.eq(new, changed)]);
    }
    let (last, memory) = (index(pool, n), memory(pool, n));
    let element = pool.select(memory, zero);
    parts.push(vec![pool.lt(zero, last), pool.neq(element, seven)]);
    Problem::sequence(parts)
}

/// Over integers the need of the root is inductive except for the first part, which does not share
/// the array; over reals the proof also needs a nonnegative index.
#[test]
fn a_guess_leans_on_what_is_before_and_on_invariants() {
    for (sort, expected) in [
        (Sort::Int, "(or (<= i@3 0) (= 7 (select a@3 0)))"),
        (Sort::Real, "(and (<= 0.0 i@3) (or (<= i@3 0.0) (= 7.0 (select a@3 0.0))))"),
    ] {
        let mut pool = TermPool::new();
        let problem = writes(&mut pool, sort, 12);
        let shown = solve(&mut pool, &problem);
        assert_eq!(shown[3], expected);
    }
}

/// A guess that the first part contradicts is no answer: the shorter path refutes it.
#[test]
fn a_wrong_guess_is_forgotten() {
    let mut pool = TermPool::new();
    let mut problem = writes(&mut pool, Sort::Int, 12);
    // From index 1 on, nothing is written at 0.
    let (one, start) = (pool.int(1), pool.symbol("i@0", Sort::Int));
    problem.parts[0] = vec![pool.eq(start, one)];
    let answer = ask(&mut pool, &problem, &Limits::default());
    assert_eq!(answer, Interpolants::Satisfiable(None));
}

/// The first node does not share the array: it is a place of its own, so that the other places have
/// facts about the array.
#[test]
fn nodes_that_share_other_variables_are_other_places() {
    let mut pool = TermPool::new();
    let mut problem = writes(&mut pool, Sort::Int, 6);
    for (at, part) in problem.parts[1..7].iter_mut().enumerate() {
        part.push(pool.symbol(&format!("b@{at}"), Sort::Bool));
    }
    let nodes = super::tree::nodes(&mut pool, &problem);
    let interests = super::candidates::interests(&mut pool, &nodes);
    let limits = Limits::default();
    let mut local = super::Local::new(&crate::factory(), &limits).unwrap();
    let found = super::uniform::uniform(&mut pool, &mut local, &nodes, &interests, &limits);
    let found = found.unwrap().expect("parts repeat");
    let first: Vec<String> = found.frames[1].iter().map(|&term| pool.display(term).to_string()).collect();
    assert!(first.contains(&"(= 7 (select a@1 0))".to_owned()), "{first:?}");
    assert!(found.is_refuted);
}

#[test]
fn children_of_a_tree_are_joined() {
    let mut pool = TermPool::new();
    let [a, b, k, l, m] = ["a", "b", "k", "l", "m"].map(|name| pool.symbol(name, Sort::Int));
    let two = pool.int(2);
    let one = pool.int(1);
    let doubled = [k, l, m].map(|symbol| pool.mul(two, symbol));
    let odd = pool.add(&[doubled[1], one]);
    let sum = pool.add(&[a, b]);
    let parts = vec![vec![pool.eq(a, doubled[0])], vec![pool.eq(b, odd)], vec![pool.eq(sum, doubled[2])]];
    let tree = Tree::new(vec![Some(2), Some(2), None]).unwrap();
    let shown = solve(&mut pool, &Problem { parts, tree });
    assert!(shown.iter().all(|text| text.contains("mod")), "{shown:?}");
}

#[test]
fn satisfiable_parts_are_a_misuse() {
    let mut pool = TermPool::new();
    let mut problem = resets(&mut pool, 5);
    problem.parts.pop();
    let x = pool.symbol("x@5", Sort::Int);
    let four = pool.int(4);
    problem.parts.push(vec![pool.eq(x, four)]);
    let answer = ask(&mut pool, &problem, &Limits::default());
    assert_eq!(answer, Interpolants::Satisfiable(None));
}

#[test]
fn a_deadline_is_kept() {
    let mut pool = TermPool::new();
    let problem = resets(&mut pool, 20);
    let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    assert_eq!(ask(&mut pool, &problem, &limits), Interpolants::Unknown(Reason::Timeout));
}

/// The bounds of both templates for `part`; `symbols` are shared.
fn bounds_of(pool: &mut TermPool, part: Term, symbols: &[Term]) -> Vec<String> {
    // The other part only makes the symbols shared.
    let zero = numeral(pool, pool.sort(symbols[0]), &0.into());
    let above = symbols.iter().map(|&symbol| pool.eq(symbol, zero)).collect::<Vec<Term>>();
    let problem = Problem::sequence(vec![vec![part], above]);
    let nodes = super::tree::nodes(pool, &problem);
    let frames = vec![Vec::new(); 2];
    let limits = Limits::default();
    let mut local = super::Local::new(&crate::factory(), &limits).unwrap();
    let mut found = Vec::new();
    for template in [super::Template::Intervals, super::Template::Octagons] {
        let interest = super::Interest::default();
        let bounds =
            super::bounds::bounds(pool, &mut local, (&nodes, &frames), 0, &interest, template, &limits);
        found.extend(bounds.unwrap().into_iter().map(|term| pool.display(term).to_string()));
    }
    found
}

#[test]
fn bounds_of_integers_and_reals_are_the_least() {
    // (0 ≤ x < 10 ∧ y = x + 1) ∨ (x = 20 ∧ y = 3)
    for (sort, expected) in [
        (Sort::Int, ["(<= x 20)", "(< (- 1) x)", "(<= y 10)", "(< 0 y)", "(<= x (+ y 17))"]),
        (Sort::Real, ["(<= x 20.0)", "(<= 0.0 x)", "(< y 11.0)", "(<= 1.0 y)", "(<= x (+ y 17.0))"]),
    ] {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let [zero, one, three, ten, twenty] =
            [0, 1, 3, 10, 20].map(|value| numeral(&mut pool, sort, &value.into()));
        let next = pool.add(&[x, one]);
        let (least, most, step) = (pool.le(zero, x), pool.lt(x, ten), pool.eq(y, next));
        let (at, low) = (pool.eq(x, twenty), pool.eq(y, three));
        let ramp = pool.and(&[least, most, step]);
        let point = pool.and(&[at, low]);
        let part = pool.or2(ramp, point);
        let found = bounds_of(&mut pool, part, &[x, y]);
        for bound in expected {
            assert!(found.iter().any(|text| text == bound), "{sort:?}: {bound} in {found:?}");
        }
        assert_eq!(found.len(), 8, "{sort:?}: {found:?}");
    }
}

#[test]
fn bounds_of_words_know_signs() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(16);
    let x = pool.symbol("x", sort);
    let u = pool.symbol_with("u", sort, terms::Representation::Unsigned);
    let mut part = Vec::new();
    for (low, high, symbol) in [(-5, 7, x), (3, 40_000, u)] {
        let (low, high) = (pool.bv_i64(16, low), pool.bv_i64(16, high));
        if symbol == x {
            part.extend([pool.bv_sle(low, x), pool.bv_sle(x, high)]);
        } else {
            part.extend([pool.bv_ule(low, u), pool.bv_ule(u, high)]);
        }
    }
    let part = pool.and(&part);
    let found = bounds_of(&mut pool, part, &[x, u]);
    for bound in ["(bvslt x #x0008)", "(bvsle #xfffb x)", "(bvult u #x9c41)", "(bvule #x0003 u)"] {
        assert!(found.iter().any(|text| text == bound), "{bound} in {found:?}");
    }
}

#[test]
fn what_grows_without_end_has_no_bound() {
    for sort in [Sort::Int, Sort::Real, Sort::BitVec(40)] {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", sort);
        let part = match sort {
            Sort::BitVec(width) => {
                let three = pool.bv(width, 3);
                pool.bv_sle(three, x)
            }
            _ => {
                let three = numeral(&mut pool, sort, &3.into());
                pool.le(three, x)
            }
        };
        let found = bounds_of(&mut pool, part, &[x]);
        assert_eq!(found.len(), 1, "{sort:?}: {found:?}");
    }
}
