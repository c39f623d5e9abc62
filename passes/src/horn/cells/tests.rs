//! Models over cells are models over arrays, and the derivations that come back hold: on random
//! systems over arrays that are decided by enumeration.

use super::super::tests::{below, enumerate, interpretation, most_instances};
use super::super::{Lost, Pipeline, Transformed};
use super::{Config, ONE, Sharing, transform};
use crate::models::{Model, check_model};
use backends::{Limits, ProverFactory};
use horn::{
    Argument, Derivation, Interpretation, Normalizer, OpenAtom, OpenClause, Relation, RelationData, System,
};
use std::rc::Rc;
use terms::{Op, Random, Sort, Term, TermPool};

/// The most instances of a clause that are enumerated.
const MAX_INSTANCES: usize = 40_000;

/// Random terms over variables.
struct Terms<'r> {
    random: &'r mut Random,
    index: Sort,
    element: Sort,
    array: Sort,
}

impl Terms<'_> {
    fn below(&mut self, bound: u64) -> usize {
        below(self.random, bound)
    }

    fn variable(&mut self, pool: &mut TermPool, sort: Sort) -> Term {
        let kind = if sort == self.array { "a" } else { "x" };
        let name = format!("{kind}{}", self.below(2));
        pool.bound(&name, sort)
    }

    fn scalar(&mut self, pool: &mut TermPool, sort: Sort) -> Term {
        match (self.below(4), sort) {
            (0, Sort::Bool) => pool.tru(),
            (0, Sort::BitVec(width)) => pool.bv(width, 1),
            (1, sort) if sort == self.element => {
                let array = self.array(pool, 1);
                let index = self.variable(pool, self.index);
                pool.select(array, index)
            }
            _ => self.variable(pool, sort),
        }
    }

    fn array(&mut self, pool: &mut TermPool, depth: u32) -> Term {
        if depth == 0 {
            return self.variable(pool, self.array);
        }
        match self.below(8) {
            0 => {
                let element = self.variable(pool, self.element);
                pool.const_array(self.array, element)
            }
            1 => {
                let condition = self.literal(pool, depth - 1);
                let [then, otherwise] = [(); 2].map(|()| self.array(pool, depth - 1));
                pool.ite(condition, then, otherwise)
            }
            2..5 => {
                let array = self.array(pool, depth - 1);
                let (index, element) = (self.variable(pool, self.index), self.scalar(pool, self.element));
                pool.store(array, index, element)
            }
            _ => self.variable(pool, self.array),
        }
    }

    fn literal(&mut self, pool: &mut TermPool, depth: u32) -> Term {
        let atom = match self.below(4) {
            0 if depth > 0 => {
                let [a, b] = [(); 2].map(|()| self.array(pool, depth - 1));
                pool.eq(a, b)
            }
            1 => {
                let [a, b] = [(); 2].map(|()| self.scalar(pool, self.index));
                pool.eq(a, b)
            }
            _ => {
                let [a, b] = [(); 2].map(|()| self.scalar(pool, self.element));
                pool.eq(a, b)
            }
        };
        if self.below(2) == 0 { atom } else { pool.not(atom) }
    }

    /// A relation applied to terms.
    fn atom(&mut self, pool: &mut TermPool, system: &System) -> OpenAtom {
        let relation = self.below(system.relations.len() as u64);
        let relation = Relation(u32::try_from(relation).expect("a small number"));
        let symbols: Vec<Term> = system.relations[relation].symbols().collect();
        let arguments = symbols.into_iter().map(|symbol| match pool.sort(symbol) {
            sort if sort == self.array => self.array(pool, 2),
            sort => self.scalar(pool, sort),
        });
        (relation, arguments.collect())
    }
}

fn random_system(pool: &mut TermPool, random: &mut Random) -> System {
    let index = [Sort::Bool, Sort::BitVec(2)][below(random, 2)];
    let element = [Sort::Bool, Sort::BitVec(1)][below(random, 2)];
    let array = pool.array_sort(index, element);
    let mut terms = Terms { random, index, element, array };
    let mut system = System::default();
    let mut normalizer = Normalizer::default();
    for number in 0..1 + terms.below(2) {
        let mut sorts = vec![array];
        if terms.below(2) == 0 {
            sorts.push(array);
        }
        if terms.below(2) == 0 {
            sorts.push(index);
        }
        let arguments = sorts.into_iter().enumerate().map(|(place, sort)| {
            let symbol = normalizer.argument(pool, &format!("r{number}.{place}"), sort);
            Argument { name: format!("x{place}"), symbol }
        });
        let arguments = arguments.collect();
        system.relations.push(RelationData { name: format!("r{number}"), arguments, origin: String::new() });
    }
    for number in 0..3 + terms.below(3) {
        let count = if number == 0 { 0 } else { [1, 1, 1, 2][terms.below(4)] };
        let body = (0..count).map(|_| terms.atom(pool, &system)).collect();
        let mut constraint = Vec::new();
        for _ in 0..terms.below(4) {
            let literal = terms.literal(pool, 2);
            constraint.push(match terms.below(3) {
                0 => {
                    let other = terms.literal(pool, 2);
                    pool.or2(literal, other)
                }
                _ => literal,
            });
        }
        let head = (number == 0 || terms.below(3) > 0).then(|| terms.atom(pool, &system));
        let clause = normalizer.clause(pool, &system, &OpenClause { body, constraint, head }, String::new());
        system.clauses.push(clause);
    }
    system
}

/// The way back of a transformation.
trait WayBack {
    fn model(&self, pool: &mut TermPool, model: &Interpretation) -> Interpretation;
    fn derivation(&self, pool: &mut TermPool, derivation: &Derivation) -> Result<Derivation, Lost>;
}

impl WayBack for super::super::PipelineRun {
    fn model(&self, pool: &mut TermPool, model: &Interpretation) -> Interpretation {
        self.model(pool, model)
    }

    fn derivation(&self, pool: &mut TermPool, derivation: &Derivation) -> Result<Derivation, Lost> {
        self.derivation(pool, derivation)
    }
}

impl WayBack for super::super::Back {
    fn model(&self, pool: &mut TermPool, model: &Interpretation) -> Interpretation {
        self.model(pool, model)
    }

    fn derivation(&self, pool: &mut TermPool, derivation: &Derivation) -> Result<Derivation, Lost> {
        self.derivation(pool, derivation)
    }
}

/// What became of the systems.
#[derive(Debug, Default)]
struct Counts {
    models: usize,
    derivations: usize,
    /// Derivations of unsatisfiable systems without a way back.
    lost: usize,
    /// Satisfiable systems whose transformed ones are not.
    imprecise: usize,
}

fn check<B: WayBack>(
    seeds: std::ops::Range<u64>,
    run: impl Fn(&mut TermPool, &System) -> (System, B),
) -> Counts {
    let solvers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_z3::factory())];
    let mut counts = Counts::default();
    for seed in seeds {
        let (mut pool, mut random) = (TermPool::new(), Random::new(seed));
        let old = random_system(&mut pool, &mut random);
        let (new, back) = run(&mut pool, &old);
        let text = |pool: &TermPool| {
            let notes = horn::Notes::default();
            format!("seed {seed}\n{}\n{}", old.to_text(pool, &notes), new.to_text(pool, &notes))
        };
        if [&old, &new].iter().any(|system| most_instances(&pool, system) > MAX_INSTANCES) {
            continue;
        }
        match (enumerate(&pool, &new), enumerate(&pool, &old)) {
            (Ok(atoms), Ok(_)) => {
                counts.models += 1;
                let model = interpretation(&mut pool, &new, &atoms);
                let model = back.model(&mut pool, &model);
                let checked = check_model(&mut pool, &old, &model, &solvers, &Limits::default());
                assert!(matches!(checked, Model::Valid(_)), "{checked:?} {}", text(&pool));
            }
            (Ok(_), Err(_)) => panic!("a derivation is lost: {}", text(&pool)),
            (Err(derivation), expected) => {
                assert_eq!(derivation.check(&pool, &new), Ok(()));
                match (back.derivation(&mut pool, &derivation), expected.is_err()) {
                    (Ok(derivation), true) => {
                        counts.derivations += 1;
                        assert_eq!(derivation.check(&pool, &old), Ok(()), "{}", text(&pool));
                    }
                    (Ok(_), false) => panic!("a derivation of a satisfiable system: {}", text(&pool)),
                    (Err(lost), is_unsatisfiable) => {
                        assert_eq!(lost, Lost::Cells, "{}", text(&pool));
                        *(if is_unsatisfiable { &mut counts.lost } else { &mut counts.imprecise }) += 1;
                    }
                }
            }
        }
    }
    counts
}

fn with(config: Config) -> impl Fn(&mut TermPool, &System) -> (System, super::super::Back) {
    move |pool, system| {
        let Transformed { system, back } = transform(pool, system, config);
        (system, back)
    }
}

fn named(names: &[&str]) -> impl Fn(&mut TermPool, &System) -> (System, super::super::PipelineRun) {
    let pipeline = Pipeline::named(names.iter().copied()).expect("known passes");
    move |pool, system| {
        let run = pipeline.run(pool, system);
        (run.system.clone(), run)
    }
}

#[test]
fn models_over_cells_are_models_over_arrays() {
    let counts = check(0..200, with(ONE));
    assert!(counts.models > 20 && counts.derivations > 20, "{counts:?}");
    assert!(counts.lost < counts.derivations && counts.imprecise < counts.models, "{counts:?}");
}

#[test]
fn arrays_may_have_cells_of_their_own() {
    let counts = check(1000..1100, with(Config { sharing: Sharing::Never, ..ONE }));
    assert!(counts.models > 10 && counts.derivations > 10, "{counts:?}");
}

#[test]
fn arrays_may_have_several_cells() {
    let counts = check(2000..2200, with(Config { count: 2, ..ONE }));
    assert!(counts.models > 10 && counts.derivations > 10, "{counts:?}");
}

#[test]
fn other_passes_apply_before_and_after() {
    for (number, names) in [
        &["default", "cells", "default"][..],
        &["cells", "default"],
        &["cells", "simplify", "inline"],
        &["merge", "cells", "split-clauses", "default"],
    ]
    .into_iter()
    .enumerate()
    {
        let start = 3000 + 1000 * number as u64;
        let counts = check(start..start + 100, named(names));
        assert!(counts.models > 5 && counts.derivations > 5, "{names:?}: {counts:?}");
    }
}

/// A system with the relations `p(a: Array Int Int, b: Array Int Int, x: Int)` and `q(m)` over an
/// array of arrays.
fn system_of(
    pool: &mut TermPool,
    make: impl FnOnce(&mut TermPool, Sort, [Relation; 2]) -> Vec<OpenClause>,
) -> System {
    let array = pool.array_sort(Sort::Int, Sort::Int);
    let nested = pool.array_sort(Sort::Int, array);
    let mut normalizer = Normalizer::default();
    let mut system = System::default();
    let mut relations = Vec::new();
    for (name, arguments) in
        [("p", &[("a", array), ("b", array), ("x", Sort::Int)][..]), ("q", &[("m", nested)])]
    {
        let arguments = arguments.iter().map(|&(name, sort)| Argument {
            name: name.to_owned(),
            symbol: normalizer.argument(pool, name, sort),
        });
        let arguments = arguments.collect();
        relations.push(system.relations.push(RelationData {
            name: name.to_owned(),
            arguments,
            origin: String::new(),
        }));
    }
    for open in make(pool, array, [relations[0], relations[1]]) {
        let clause = normalizer.clause(pool, &system, &open, String::new());
        system.clauses.push(clause);
    }
    system
}

fn sorts(pool: &TermPool, system: &System) -> Vec<Sort> {
    let mut sorts = Vec::new();
    let constraints: Vec<Term> = system.clauses.values().map(|clause| clause.constraint).collect();
    pool.visit(&constraints, |_| true, |term| sorts.push(pool.sort(term)));
    sorts.extend(system.relations.values().flat_map(RelationData::symbols).map(|symbol| pool.sort(symbol)));
    sorts
}

#[test]
fn a_clause_has_an_atom_for_each_cell_that_it_reads() {
    let mut pool = TermPool::new();
    let old = system_of(&mut pool, |pool, array, [p, _]| {
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, array));
        let [x, y] = ["x", "y"].map(|name| pool.bound(name, Sort::Int));
        let one = pool.int(1);
        let next = pool.add(&[x, one]);
        let (filled, read, differs) = (pool.store(a, x, one), pool.select(a, x), pool.neq(a, b));
        let copied = pool.store(b, x, read);
        let at_y = [a, b].map(|array| pool.select(array, y));
        let is_less = pool.lt(at_y[0], at_y[1]);
        let body = || vec![(p, vec![a, b, x])];
        vec![
            OpenClause { head: Some((p, vec![a, b, one])), ..OpenClause::default() },
            OpenClause { body: body(), head: Some((p, vec![filled, b, next])), ..OpenClause::default() },
            OpenClause { body: body(), head: Some((p, vec![a, copied, next])), ..OpenClause::default() },
            OpenClause { body: body(), constraint: vec![is_less], ..OpenClause::default() },
            OpenClause { body: body(), constraint: vec![differs], ..OpenClause::default() },
        ]
    });
    let counts = |pool: &mut TermPool, config: Config| -> Vec<usize> {
        let Transformed { system, .. } = transform(pool, &old, config);
        let sorts = sorts(pool, &system);
        let array = pool.array_sort(Sort::Int, Sort::Int);
        assert!(!sorts.contains(&array), "an array is left");
        system.clauses.values().map(|clause| clause.body.len()).collect()
    };
    assert_eq!(counts(&mut pool, ONE), [0, 1, 2, 1, 1]);
    assert_eq!(counts(&mut pool, Config { sharing: Sharing::Never, ..ONE }), [0, 1, 2, 1, 1]);
    assert_eq!(counts(&mut pool, Config { count: 2, ..ONE }), [0, 1, 3, 1, 1]);
}

#[test]
fn the_model_of_a_relation_is_for_all_cells() {
    let mut pool = TermPool::new();
    let old = system_of(&mut pool, |pool, array, [p, _]| {
        let a = pool.bound("a", array);
        let zero = pool.int(0);
        vec![OpenClause { head: Some((p, vec![a, a, zero])), ..OpenClause::default() }]
    });
    let Transformed { system, back } = transform(&mut pool, &old, ONE);
    let [index, first, second, x] = system.relations[Relation(0)].symbols().collect::<Vec<_>>()[..] else {
        panic!("four arguments are expected")
    };
    let zero = pool.int(0);
    let mut model = Interpretation::constant(&system, pool.tru());
    let conjuncts = [pool.le(zero, x), pool.eq(first, second), pool.le(first, index)];
    model.formulas[Relation(0)] = pool.and(&conjuncts);
    let back = back.model(&mut pool, &model);
    let text = pool.display(back.formulas[Relation(0)]).to_string();
    assert!(text.starts_with("(and (< (- 1) x) (forall ((a.index? Int)) "), "{text}");
    assert!(text.contains("(select a a.index?)") && text.contains("(select b a.index?)"), "{text}");
}

#[test]
fn arrays_without_a_translation_remain() {
    // q(m) ⇒ p(m[x], m[y], x), and p(a, b, x) with f(a) = x.
    let mut pool = TermPool::new();
    let nested = system_of(&mut pool, |pool, array, [p, q]| {
        let nested = pool.array_sort(Sort::Int, array);
        let m = pool.bound("m", nested);
        let [x, y] = ["x", "y"].map(|name| pool.bound(name, Sort::Int));
        let [a, b] = [x, y].map(|index| pool.select(m, index));
        vec![OpenClause { body: vec![(q, vec![m])], head: Some((p, vec![a, b, x])), ..OpenClause::default() }]
    });
    let function = system_of(&mut pool, |pool, array, [p, _]| {
        let f = pool.function_symbol("f", &[array], Sort::Int);
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, array));
        let x = pool.bound("x", Sort::Int);
        let value = pool.apply(f, &[a]);
        let constraint = vec![pool.eq(value, x)];
        vec![OpenClause { body: vec![(p, vec![a, b, x])], constraint, head: None }]
    });
    let quantifier = system_of(&mut pool, |pool, array, [p, _]| {
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, array));
        let [x, k] = ["x", "k"].map(|name| pool.bound(name, Sort::Int));
        let read = pool.select(a, k);
        let is_less = pool.lt(read, x);
        let constraint = vec![pool.forall(&[k], is_less)];
        vec![OpenClause { body: vec![(p, vec![a, b, x])], constraint, head: None }]
    });
    for old in [nested, function, quantifier] {
        let Transformed { system, .. } = transform(&mut pool, &old, ONE);
        assert_eq!(system.relations, old.relations);
        let constraints = |system: &System| -> Vec<Term> {
            system.clauses.values().map(|clause| clause.constraint).collect()
        };
        assert_eq!(constraints(&system), constraints(&old));
    }
    // An array of arrays does not keep other arrays from their cells.
    let apart = system_of(&mut pool, |pool, array, [p, _]| {
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, array));
        let x = pool.bound("x", Sort::Int);
        vec![OpenClause { body: vec![(p, vec![a, b, x])], ..OpenClause::default() }]
    });
    let Transformed { system, .. } = transform(&mut pool, &apart, ONE);
    let names: Vec<&str> =
        system.relations[Relation(0)].arguments.iter().map(|argument| &*argument.name).collect();
    assert_eq!(names, ["a.index", "a.element", "b.element", "x"]);
    let Op::Symbol(_) = pool.op(system.relations[Relation(1)].arguments[0].symbol) else {
        panic!("arguments are symbols")
    };
    assert_eq!(system.relations[Relation(1)], apart.relations[Relation(1)]);
}
