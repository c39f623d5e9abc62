//! Uninterpreted functions, with proofs of the prover.

use super::{certify, random_tree};
use crate::interpolation::from_proof::{Labelling, Proofs, ProofsFactory};
use backends::conformance::random::Random;
use backends::interpolation::{Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Tree};
use backends::{Limits, ProverFactory, Reason};
use std::rc::Rc;
use terms::{FunctionSymbol, Op, Sort, Term, TermPool};

fn solve(pool: &mut TermPool, problem: &Problem, labelling: Labelling) -> Interpolants {
    Proofs { labelling }.interpolate(pool, problem, &Limits::default())
}

/// The vocabulary of a part.
struct Known {
    constants: Vec<Term>,
    unary: Vec<FunctionSymbol>,
    binary: Vec<FunctionSymbol>,
}

impl Known {
    fn term(&self, random: &mut Random, pool: &mut TermPool, depth: usize) -> Term {
        let is_leaf = depth == 0 || random.chance(2, 5);
        match random.below(3) {
            _ if is_leaf => random.pick(&self.constants),
            0 => {
                let arguments = [self.term(random, pool, depth - 1), self.term(random, pool, depth - 1)];
                pool.apply(random.pick(&self.binary), &arguments)
            }
            _ => {
                let argument = self.term(random, pool, depth - 1);
                pool.apply(random.pick(&self.unary), &[argument])
            }
        }
    }

    fn equation(&self, random: &mut Random, pool: &mut TermPool) -> Term {
        let (a, b) = (self.term(random, pool, 2), self.term(random, pool, 2));
        if random.chance(1, 8) { pool.neq(a, b) } else { pool.eq(a, b) }
    }
}

#[derive(Debug, Default)]
struct Seen {
    refuted: usize,
    mixed: usize,
    split: usize,
    /// The number of problems with applications that occur in no part.
    middle: usize,
}

/// All subterms.
fn below(pool: &TermPool, roots: &[Term]) -> Vec<Term> {
    let mut terms = Vec::new();
    pool.visit(roots, |_| true, |term| terms.push(term));
    terms
}

fn scenario(seed: u64, sort: Sort, seen: &mut Seen) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let sort = if sort == Sort::Int { pool.uninterpreted_sort("S") } else { sort };
    let constants: Vec<Term> = (0..7).map(|index| pool.symbol(&format!("c{index}"), sort)).collect();
    let unary: Vec<FunctionSymbol> =
        ["f", "h"].iter().map(|name| pool.function_symbol(name, &[sort], sort)).collect();
    let binary = [pool.function_symbol("g", &[sort, sort], sort)];
    let count = 2 + random.below(4);
    let tree = random_tree(&mut random, count);
    let mut problem = Problem { parts: vec![Vec::new(); count], tree };
    for part in &mut problem.parts {
        let known = Known {
            constants: (0..3).map(|_| random.pick(&constants)).collect(),
            unary: vec![random.pick(&unary)],
            binary: binary.to_vec(),
        };
        for _ in 0..2 + random.below(4) {
            let mut formula = known.equation(&mut random, &mut pool);
            if random.chance(1, 6) {
                let other = known.equation(&mut random, &mut pool);
                formula = pool.or2(formula, other);
            }
            part.push(formula);
        }
    }
    for labelling in Labelling::ALL {
        match solve(&mut pool, &problem, labelling) {
            Interpolants::Found(interpolants) => {
                seen.refuted += 1;
                let is_trivial = |&term: &Term| pool.as_bool(term).is_some();
                seen.split += usize::from(!interpolants.iter().all(is_trivial));
                let parts = below(&pool, &problem.parts.concat());
                let new = below(&pool, &interpolants);
                let is_new = |term: &&Term| matches!(pool.op(**term), Op::Apply(_)) && !parts.contains(*term);
                seen.middle += usize::from(new.iter().any(|term| is_new(&term)));
                certify(&mut pool, &problem, &interpolants, &format!("seed {seed}, {labelling:?}"));
            }
            Interpolants::Satisfiable(_) => return,
            Interpolants::Unknown(Reason::Unsupported(_)) => seen.mixed += 1,
            Interpolants::Unknown(reason) => panic!("seed {seed}: {reason}"),
        }
    }
}

#[test]
fn interpolants_of_functions_are_right() {
    let mut seen = Seen::default();
    (0..600).for_each(|seed| scenario(seed, Sort::Int, &mut seen));
    assert!(seen.mixed == 0 && seen.split > 100 && seen.middle > 5, "{seen:?}");
}

#[test]
fn interpolants_of_words_and_functions_are_right() {
    let mut seen = Seen::default();
    (0..500).for_each(|seed| scenario(seed, Sort::BitVec(2), &mut seen));
    assert!(seen.split > 60 && seen.mixed == 0, "{seen:?}");
}

/// The interpolants, as text.
fn shown(pool: &mut TermPool, problem: &Problem, labelling: Labelling) -> Vec<String> {
    let found = solve(pool, problem, labelling).of_refuted().expect("the refutation can be made local");
    certify(pool, problem, &found, &format!("{labelling:?}"));
    found.iter().map(|&term| pool.display(term).to_string()).collect()
}

#[test]
fn a_mixed_congruence_is_split_along_the_way() {
    let mut pool = TermPool::new();
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function_symbol("f", &[sort], sort);
    let [x, y, s, t, p, q] = ["x", "y", "s", "t", "p", "q"].map(|name| pool.symbol(name, sort));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let parts = vec![
        vec![pool.eq(fx, p), pool.eq(x, s)],
        vec![pool.eq(s, t)],
        vec![pool.eq(y, t), pool.eq(fy, q)],
        vec![pool.neq(p, q)],
    ];
    let path = Problem::sequence(parts);
    for labelling in Labelling::ALL {
        let expected = ["(= p (f s))", "(= p (f t))", "(= p q)"];
        assert_eq!(shown(&mut pool, &path, labelling), expected);
    }
}

#[test]
fn siblings_meet_at_their_parent() {
    let mut pool = TermPool::new();
    let sort = pool.uninterpreted_sort("S");
    let g = pool.function_symbol("g", &[sort, sort], sort);
    let [x, y, z, w, s, t] = ["x", "y", "z", "w", "s", "t"].map(|name| pool.symbol(name, sort));
    let (left, right) = (pool.apply(g, &[x, y]), pool.apply(g, &[z, w]));
    let [p, q] = ["p", "q"].map(|name| pool.symbol(name, sort));
    let parts = vec![
        vec![pool.eq(left, p), pool.eq(x, s), pool.eq(y, t)],
        vec![pool.eq(right, q), pool.eq(z, s), pool.eq(w, t)],
        vec![pool.neq(p, q)],
    ];
    let tree = Tree::new(vec![Some(2), Some(2), None]).expect("a tree");
    let problem = Problem { parts, tree };
    for labelling in Labelling::ALL {
        let expected = ["(= p (g s t))", "(= q (g s t))"];
        assert_eq!(shown(&mut pool, &problem, labelling), expected);
    }
}

/// `x₀ = x₁`, `x₁ = x₂`, and so on, with a function of the first and the last.
#[test]
fn a_long_path_has_an_equation_at_each_cut() {
    const LENGTH: usize = 80;
    let mut pool = TermPool::new();
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function_symbol("f", &[sort], sort);
    let at: Vec<Term> = (0..=LENGTH).map(|index| pool.symbol(&format!("x{index}"), sort)).collect();
    let mut parts: Vec<Vec<Term>> = at.windows(2).map(|pair| vec![pool.eq(pair[0], pair[1])]).collect();
    let [p, q] = ["p", "q"].map(|name| pool.symbol(name, sort));
    let (first, last) = (pool.apply(f, &[at[0]]), pool.apply(f, &[at[LENGTH]]));
    parts[0].push(pool.eq(first, p));
    parts.push(vec![pool.eq(last, q), pool.neq(p, q)]);
    let problem = Problem::sequence(parts);
    let found = shown(&mut pool, &problem, Labelling::McMillan);
    assert_eq!(found.len(), LENGTH);
    for (index, text) in found.iter().enumerate() {
        assert_eq!(text, &format!("(= p (f x{}))", index + 1));
    }
}

/// An even number plus 2 or 4, repeatedly, is not odd.
#[test]
fn a_counter_of_words_stays_even() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(8);
    let at: Vec<Term> = (0..25).map(|index| pool.symbol(&format!("x{index}"), sort)).collect();
    let [zero, two, four] = [0, 2, 4].map(|value| pool.bv(8, value));
    let mut parts = vec![vec![pool.eq(at[0], zero)]];
    for (index, pair) in at.windows(2).enumerate() {
        let choice = pool.symbol(&format!("b{index}"), Sort::Bool);
        let step = pool.ite(choice, two, four);
        let sum = pool.bv_add(pair[0], step);
        parts.push(vec![pool.eq(pair[1], sum)]);
    }
    let (low, one) = (pool.extract(0, 0, at[24]), pool.bv(1, 1));
    parts.push(vec![pool.eq(low, one)]);
    let problem = Problem::sequence(parts);
    for labelling in Labelling::ALL {
        let found = shown(&mut pool, &problem, labelling);
        assert!(found.iter().all(|text| text.len() < 60), "{found:?}");
    }
}

#[test]
fn the_source_decides_and_ends_in_time() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Bool));
    let not_x = pool.not(x);
    let mut source = ProofsFactory
        .new_interpolator(&(Rc::new(crate::factory()) as Rc<dyn ProverFactory>), Preference::default());
    let open = Problem::binary(vec![x], vec![y]);
    let answer = source.interpolate(&mut pool, &open, &Limits::default());
    assert!(matches!(answer, Interpolants::Satisfiable(_)), "{answer:?}");
    let closed = Problem::binary(vec![x, y], vec![not_x, y]);
    assert_eq!(source.interpolate(&mut pool, &closed, &Limits::default()), Interpolants::Found(vec![x]));
    let late = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let late = source.interpolate(&mut pool, &closed, &late);
    assert_eq!(late, Interpolants::Unknown(Reason::Timeout));
}
