//! Passes preserve satisfiability, and their ways back yield models and derivations that check on
//! the original: on random systems over small domains, which are decided by enumeration.

use super::{PASSES, Pipeline, UnknownPass};
use crate::models::{Model, check_model};
use backends::{Limits, ProverFactory};
use horn::{
    Argument, ClauseData, Derivation, Interpretation, Normalizer, OpenAtom, OpenClause, Relation,
    RelationData, Step, StepData, System,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::{ArrayValue, Assignment, Evaluator, Op, Random, Sort, Symbol, Term, TermPool, Value};

pub(super) fn below(random: &mut Random, bound: u64) -> usize {
    usize::try_from(random.number() % bound).expect("a small number")
}

/// The values of a sort; integers are bounded by the constraints of the random clauses.
fn domain(pool: &TermPool, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width).map(|value| Value::bv(width, value)).collect(),
        Sort::Array(parts) => {
            let (index, element) = pool.array_sort_parts(parts);
            let elements = domain(pool, element);
            let start = ArrayValue::constant(elements[0].clone());
            let arrays = domain(pool, index).into_iter().fold(vec![start], |arrays, index| {
                let stored = |array: &ArrayValue, element: &Value| {
                    let mut array = array.clone();
                    array.store(index.clone(), element.clone());
                    array
                };
                let all = arrays.iter().map(|array| elements.iter().map(|element| stored(array, element)));
                all.flatten().collect()
            });
            arrays.into_iter().map(Value::Array).collect()
        }
        _ => (0..3).map(Value::int).collect(),
    }
}

/// The number of instances of the clause that has most of them.
pub(super) fn most_instances(pool: &TermPool, system: &System) -> usize {
    let instances = |clause: &ClauseData| -> usize {
        let symbols = super::back::symbols(pool, clause).into_iter();
        symbols.map(|symbol| domain(pool, pool.symbol_data(symbol).sort).len()).product()
    };
    system.clauses.values().map(instances).max().unwrap_or(0)
}

/// The derivable atoms, each with the step that derives it.
pub(super) type Atoms = BTreeMap<(Relation, Vec<Value>), Step>;

/// The least model, or a derivation of a query.
pub(super) fn enumerate(pool: &TermPool, system: &System) -> Result<Atoms, Derivation> {
    let mut derivation = Derivation::default();
    let mut atoms = Atoms::new();
    loop {
        let before = atoms.len();
        for (clause, data) in system.clauses.iter() {
            for values in instances(pool, data) {
                let atom = |atom: &horn::Atom| -> (Relation, Vec<Value>) {
                    let value = |&argument: &Term| match pool.op(argument) {
                        Op::Symbol(symbol) => values[&symbol].clone(),
                        op => panic!("{op:?} should be a symbol"),
                    };
                    (atom.relation, atom.arguments.iter().map(value).collect())
                };
                let premises: Option<Vec<Step>> =
                    data.body.iter().map(|premise| atoms.get(&atom(premise)).copied()).collect();
                let Some(premises) = premises else { continue };
                let head = data.head.as_ref().map(atom);
                if head.as_ref().is_some_and(|head| atoms.contains_key(head)) {
                    continue;
                }
                let step = derivation.steps.push(StepData { clause, values: values.clone(), premises });
                match head {
                    Some(head) => drop(atoms.insert(head, step)),
                    None => return Err(derivation),
                }
            }
        }
        if atoms.len() == before {
            return Ok(atoms);
        }
    }
}

/// The values of the symbols of a clause for which its constraint holds.
fn instances(pool: &TermPool, clause: &ClauseData) -> Vec<FxHashMap<Symbol, Value>> {
    let symbols = super::back::symbols(pool, clause);
    let mut all = vec![FxHashMap::default()];
    for symbol in symbols {
        let values = domain(pool, pool.symbol_data(symbol).sort);
        all = all
            .into_iter()
            .flat_map(|start| {
                values.iter().map(move |value| {
                    let mut next = start.clone();
                    next.insert(symbol, value.clone());
                    next
                })
            })
            .collect();
    }
    let mut evaluator = Evaluator::new();
    all.retain(|values| {
        let mut environment = Assignment::new();
        for (&symbol, value) in values {
            environment.set(symbol, value.clone());
        }
        evaluator.clear();
        evaluator.eval(pool, clause.constraint, &environment) == Ok(Value::Bool(true))
    });
    all
}

/// The formulas that hold exactly of the atoms.
pub(super) fn interpretation(pool: &mut TermPool, system: &System, atoms: &Atoms) -> Interpretation {
    let fls = pool.fls();
    let mut model = Interpretation::constant(system, fls);
    for (relation, values) in atoms.keys() {
        let symbols: Vec<Term> = system.relations[*relation].symbols().collect();
        let equations: Vec<Term> = symbols
            .into_iter()
            .zip(values)
            .map(|(symbol, value)| {
                let sort = pool.sort(symbol);
                let value = value.to_term(pool, sort).expect("a small value");
                pool.eq(symbol, value)
            })
            .collect();
        let case = pool.and(&equations);
        model.formulas[*relation] = pool.or2(model.formulas[*relation], case);
    }
    model
}

/// A system with up to five relations over Booleans and integers between 0 and 2.
pub(super) fn random_system(pool: &mut TermPool, random: &mut Random) -> System {
    let mut system = System::default();
    let mut normalizer = Normalizer::default();
    for index in 0..2 + below(random, 4) {
        let arguments = (0..below(random, 3)).map(|place| {
            let sort = [Sort::Bool, Sort::Int][below(random, 2)];
            let symbol = normalizer.argument(pool, &format!("r{index}.{place}"), sort);
            Argument { name: format!("x{place}"), symbol }
        });
        let arguments = arguments.collect();
        system.relations.push(RelationData { name: format!("r{index}"), arguments, origin: String::new() });
    }
    for _ in 0..3 + below(random, 6) {
        let variables: Vec<Term> = (0..4)
            .map(|number| pool.bound(&format!("v{number}"), [Sort::Bool, Sort::Int][number % 2]))
            .collect();
        let mut constraint = Vec::new();
        let (zero, two) = (pool.int(0), pool.int(2));
        let bounded = |pool: &mut TermPool, term: Term, constraint: &mut Vec<Term>| {
            constraint.extend([pool.le(zero, term), pool.le(term, two)]);
        };
        let term = |pool: &mut TermPool, random: &mut Random, sort: Sort| {
            let start = usize::from(sort == Sort::Int);
            match (below(random, 4), sort) {
                (0, Sort::Bool) => pool.bool(random.number().is_multiple_of(2)),
                (0, _) => pool.int(below(random, 3) as i64),
                (1, Sort::Int) => {
                    let one = pool.int(1);
                    pool.add(&[variables[start], one])
                }
                _ => variables[start + 2 * below(random, 2)],
            }
        };
        let atom = |pool: &mut TermPool, random: &mut Random, constraint: &mut Vec<Term>| -> OpenAtom {
            let relation = Relation(u32::try_from(below(random, system.relations.len() as u64)).unwrap());
            let sorts: Vec<Sort> =
                system.relations[relation].symbols().map(|symbol| pool.sort(symbol)).collect();
            let arguments = sorts.into_iter().map(|sort| {
                let term = term(pool, random, sort);
                if sort == Sort::Int {
                    bounded(pool, term, constraint);
                }
                term
            });
            (relation, arguments.collect())
        };
        let count = [0, 1, 1, 1, 2][below(random, 5)];
        let body = (0..count).map(|_| atom(pool, random, &mut constraint)).collect();
        let head = (below(random, 5) > 0).then(|| atom(pool, random, &mut constraint));
        for &variable in &variables {
            if pool.sort(variable) == Sort::Int && below(random, 2) == 0 {
                let other = variables[1 + 2 * below(random, 2)];
                let literal = match below(random, 3) {
                    0 => pool.eq(variable, other),
                    1 => pool.lt(variable, other),
                    _ => {
                        let one = pool.int(1);
                        let next = pool.add(&[other, one]);
                        pool.eq(variable, next)
                    }
                };
                let condition = variables[2 * below(random, 2)];
                constraint.push(if below(random, 2) == 0 { literal } else { pool.or2(literal, condition) });
            }
        }
        for &variable in &variables {
            if pool.sort(variable) == Sort::Int {
                constraint.extend([pool.le(zero, variable), pool.le(variable, two)]);
            }
        }
        let clause = normalizer.clause(pool, &system, &OpenClause { body, constraint, head }, String::new());
        system.clauses.push(clause);
    }
    system
}

fn check(names: &[&str], seeds: std::ops::Range<u64>) {
    let pipeline = Pipeline::named(names.iter().copied()).expect("known passes");
    let solvers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_z3::factory())];
    let mut answers = [0, 0];
    for seed in seeds {
        let (mut pool, mut random) = (TermPool::new(), Random::new(seed));
        let system = random_system(&mut pool, &mut random);
        // Locations are integers, of which the enumeration has three.
        if names.contains(&"single-loop") && system.relations.len() > 3 {
            continue;
        }
        let run = pipeline.run(&mut pool, &system);
        let text = |pool: &TermPool| {
            let notes = horn::Notes::default();
            format!("seed {seed}\n{}\n{}", system.to_text(pool, &notes), run.system.to_text(pool, &notes))
        };
        let expected = enumerate(&pool, &system);
        if most_instances(&pool, &run.system) > 20_000 {
            continue;
        }
        match (enumerate(&pool, &run.system), expected) {
            (Ok(atoms), Ok(_)) => {
                answers[0] += 1;
                let model = interpretation(&mut pool, &run.system, &atoms);
                let back = run.model(&mut pool, &model);
                let checked = check_model(&mut pool, &system, &back, &solvers, &Limits::default());
                let shown: Vec<String> =
                    back.formulas.values().map(|&formula| pool.display(formula).to_string()).collect();
                assert!(matches!(checked, Model::Valid(_)), "{checked:?} {shown:?} {}", text(&pool));
            }
            (Err(derivation), Err(_)) => {
                answers[1] += 1;
                assert_eq!(derivation.check(&pool, &run.system), Ok(()));
                let back = run.derivation(&mut pool, &derivation).expect("all values are computed");
                assert_eq!(back.check(&pool, &system), Ok(()), "{}", text(&pool));
            }
            (new, old) => panic!("{} became {}: {}", old.is_ok(), new.is_ok(), text(&pool)),
        }
    }
    assert!(answers.iter().all(|&count| count > 10), "the sample is one-sided: {answers:?}");
}

#[test]
fn slicing_is_equisatisfiable_with_ways_back() {
    check(&["slice"], 0..150);
}

#[test]
fn simplification_is_equisatisfiable_with_ways_back() {
    check(&["simplify"], 1000..1150);
}

#[test]
fn argument_filtering_is_equisatisfiable_with_ways_back() {
    check(&["arguments"], 2000..2150);
}

#[test]
fn inlining_is_equisatisfiable_with_ways_back() {
    check(&["inline"], 3000..3150);
}

#[test]
fn splitting_is_equisatisfiable_with_ways_back() {
    check(&["split"], 5000..5150);
    check(&["split", "default"], 6000..6100);
}

#[test]
fn merging_of_clauses_is_equisatisfiable_with_ways_back() {
    check(&["merge"], 7000..7150);
    check(&["merge", "split-clauses"], 7200..7300);
}

#[test]
fn splitting_of_clauses_is_equisatisfiable_with_ways_back() {
    check(&["split-clauses"], 7400..7550);
    check(&["split-clauses", "default", "merge"], 7600..7700);
}

#[test]
fn interval_propagation_is_equisatisfiable_with_ways_back() {
    check(&["intervals"], 8000..8150);
    check(&["intervals", "default"], 8200..8300);
}

#[test]
fn acceleration_is_equisatisfiable_with_ways_back() {
    check(&["accelerate"], 8400..8500);
    check(&["split-clauses", "simplify", "accelerate"], 8500..8650);
}

#[test]
fn reversal_is_equisatisfiable_with_ways_back() {
    check(&["reverse"], 8700..8850);
    check(&["reverse", "default", "reverse"], 8900..9000);
}

#[test]
fn a_single_loop_is_equisatisfiable_with_ways_back() {
    check(&["single-loop"], 9100..9250);
    check(&["single-loop", "merge"], 9300..9400);
}

/// A system with these relations.
pub(super) fn system_of<const COUNT: usize>(
    pool: &mut TermPool,
    relations: [(&str, &[Sort]); COUNT],
    make: impl FnOnce(&mut TermPool, [Relation; COUNT]) -> Vec<OpenClause>,
) -> System {
    let mut normalizer = Normalizer::default();
    let mut system = System::default();
    let relations = relations.map(|(name, sorts)| {
        let arguments = sorts.iter().enumerate().map(|(place, &sort)| {
            let symbol = normalizer.argument(pool, &format!("{name}.{place}"), sort);
            Argument { name: format!("x{place}"), symbol }
        });
        let arguments = arguments.collect();
        system.relations.push(RelationData { name: name.to_owned(), arguments, origin: String::new() })
    });
    for open in make(pool, relations) {
        let clause = normalizer.clause(pool, &system, &open, String::new());
        system.clauses.push(clause);
    }
    system
}

/// A system with the relation `r` over integers.
fn small_system(
    pool: &mut TermPool,
    arguments: &[&str],
    make: impl FnOnce(&mut TermPool, Relation) -> Vec<OpenClause>,
) -> System {
    let mut normalizer = Normalizer::default();
    let mut system = System::default();
    let arguments = arguments
        .iter()
        .map(|&name| Argument { name: name.to_owned(), symbol: normalizer.argument(pool, name, Sort::Int) });
    let arguments = arguments.collect();
    let relation =
        system.relations.push(RelationData { name: "r".to_owned(), arguments, origin: String::new() });
    for open in make(pool, relation) {
        let clause = normalizer.clause(pool, &system, &open, String::new());
        system.clauses.push(clause);
    }
    system
}

/// `r(0, 3)`, `r(a, b) ∧ a < bound ∧ a ≠ 7 ⇒ r(a + step, b + step)`, and the query `b = end`.
fn counters(pool: &mut TermPool, bound: i64, step: i64, end: i64) -> System {
    small_system(pool, &["x", "y"], |pool, r| {
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, Sort::Int));
        let [zero, three, seven, bound, step, end] = [0, 3, 7, bound, step, end].map(|value| pool.int(value));
        let next = vec![pool.add(&[a, step]), pool.add(&[b, step])];
        let (is_less, is_seven, is_end) = (pool.lt(a, bound), pool.eq(a, seven), pool.eq(b, end));
        let body = || vec![(r, vec![a, b])];
        vec![
            OpenClause { body: Vec::new(), constraint: Vec::new(), head: Some((r, vec![zero, three])) },
            OpenClause { body: body(), constraint: vec![is_less, pool.not(is_seven)], head: Some((r, next)) },
            OpenClause { body: body(), constraint: vec![is_end], head: None },
        ]
    })
}

#[test]
fn an_argument_that_differs_from_another_by_a_constant_is_removed() {
    let mut pool = TermPool::new();
    let system = counters(&mut pool, 10, 2, 13);
    let run = Pipeline::named(["arguments"]).expect("a pass").run(&mut pool, &system);
    assert_eq!(run.system.relations[Relation(0)].arguments.len(), 1);
    let tru = pool.tru();
    let all = Interpretation::constant(&run.system, tru);
    let back = run.model(&mut pool, &all);
    assert_eq!(pool.display(back.formulas[Relation(0)]).to_string(), "(= x (+ y (- 3)))");
}

#[test]
fn equations_of_a_removed_argument_need_not_hold_where_nothing_is_derivable() {
    // r(a, a), u(a, b) ⇒ u(a, b), u(a, b) ⇒ r(a, b), and the query r(a, b) ∧ a < b.
    let mut pool = TermPool::new();
    let sorts: &[Sort] = &[Sort::Int, Sort::Int];
    let system = system_of(&mut pool, [("r", sorts), ("u", sorts)], |pool, [r, u]| {
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, Sort::Int));
        let underivable = |head| OpenClause {
            body: vec![(u, vec![a, b])],
            constraint: Vec::new(),
            head: Some((head, vec![a, b])),
        };
        vec![
            OpenClause { head: Some((r, vec![a, a])), ..OpenClause::default() },
            underivable(u),
            underivable(r),
            OpenClause { body: vec![(r, vec![a, b])], constraint: vec![pool.lt(a, b)], head: None },
        ]
    });
    let run = Pipeline::named(["arguments"]).expect("a pass").run(&mut pool, &system);
    assert_eq!(run.system.relations[Relation(0)].arguments.len(), 1);
    let tru = pool.tru();
    let all = Interpretation::constant(&run.system, tru);
    let back = run.model(&mut pool, &all);
    let solvers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_yices::factory())];
    let checked = check_model(&mut pool, &system, &back, &solvers, &Limits::default());
    assert_eq!(checked, Model::Valid(vec!["yices"]));
}

#[test]
fn numbers_of_different_sorts_are_no_equal_arguments() {
    // r(1, 1.0), r(2, 2.0), and the query x > 5 ∧ y > 5.0.
    let mut pool = TermPool::new();
    let mut normalizer = Normalizer::default();
    let arguments = [("x", Sort::Int), ("y", Sort::Real)].map(|(name, sort)| Argument {
        name: name.to_owned(),
        symbol: normalizer.argument(&mut pool, name, sort),
    });
    let mut system = System::default();
    let arguments = arguments.into_iter().collect();
    let r = system.relations.push(RelationData { name: "r".to_owned(), arguments, origin: String::new() });
    let both = |pool: &mut TermPool, value: i64| {
        let value = num_rational::BigRational::from_integer(value.into());
        vec![pool.number(Sort::Int, &value), pool.number(Sort::Real, &value)]
    };
    let mut clauses = Vec::new();
    for value in [1, 2] {
        clauses.push(OpenClause { head: Some((r, both(&mut pool, value))), ..OpenClause::default() });
    }
    let variables = vec![pool.bound("a", Sort::Int), pool.bound("b", Sort::Real)];
    let limits = both(&mut pool, 5);
    let constraint = vec![pool.lt(limits[0], variables[0]), pool.lt(limits[1], variables[1])];
    clauses.push(OpenClause { body: vec![(r, variables)], constraint, head: None });
    for open in clauses {
        let clause = normalizer.clause(&mut pool, &system, &open, String::new());
        system.clauses.push(clause);
    }
    let run = Pipeline::named(["arguments"]).expect("a pass").run(&mut pool, &system);
    assert_eq!(run.system.relations[r].arguments.len(), 2);
}

#[test]
fn a_step_of_an_accelerated_loop_is_many_steps_of_the_loop() {
    let mut pool = TermPool::new();
    let system = counters(&mut pool, 1000, 2, 1003);
    let run = Pipeline::named(["accelerate"]).expect("a pass").run(&mut pool, &system);
    let mut derivation = Derivation::default();
    let [start, end] = [(0, 3), (1000, 1003)].map(|(x, y)| [Value::int(x), Value::int(y)]);
    for (number, (clause, data)) in run.system.clauses.iter().enumerate() {
        let mut values = FxHashMap::default();
        let mut set = |atom: &horn::Atom, of: &[Value; 2]| {
            for (&argument, value) in atom.arguments.iter().zip(of) {
                let Op::Symbol(symbol) = pool.op(argument) else { panic!("arguments are symbols") };
                values.insert(symbol, value.clone());
            }
        };
        data.body.iter().for_each(|atom| set(atom, if number == 1 { &start } else { &end }));
        data.head.iter().for_each(|atom| set(atom, if number == 0 { &start } else { &end }));
        for &count in &data.inner {
            let Op::Symbol(symbol) = pool.op(count) else { panic!("inner symbols are symbols") };
            values.insert(symbol, Value::int(500));
        }
        let premises = derivation.root().into_iter().collect();
        derivation.steps.push(StepData { clause, values, premises });
    }
    assert_eq!(derivation.check(&pool, &run.system), Ok(()));
    let back = run.derivation(&mut pool, &derivation).expect("a way back");
    assert_eq!(back.steps.len(), 502);
    assert_eq!(back.check(&pool, &system), Ok(()));
}

#[test]
fn a_loop_does_not_step_over_a_disequality_that_it_hits() {
    // With the step 1, 7 is hit; with the step 2, it is not.
    for (step, is_reached) in [(1, false), (2, true)] {
        let mut pool = TermPool::new();
        let system = counters(&mut pool, 1000, step, 1003);
        let run = Pipeline::named(["accelerate"]).expect("a pass").run(&mut pool, &system);
        let z3 = backend_z3::factory();
        let loops = &run.system.clauses[horn::Clause(1)];
        let mut prover = z3.new_prover("ALL", &Limits::default()).expect("a prover");
        let [zero, end] = [0, 1000].map(|value| pool.int(value));
        let (from, to) = (loops.body[0].arguments[0], loops.head.as_ref().expect("a head").arguments[0]);
        let conjuncts = [loops.constraint, pool.eq(from, zero), pool.eq(to, end)];
        let formula = pool.and(&conjuncts);
        prover.assert(&pool, formula).expect("a formula");
        let expected = if is_reached { backends::Status::Sat } else { backends::Status::Unsat };
        assert_eq!(prover.status(&pool, &[]), expected);
    }
}

#[test]
fn division_by_a_constant_is_linear_with_ways_back() {
    // r(0), r(a) ∧ a div 2 < 10 ∧ a mod -3 ≠ 1 ⇒ r(a + 3), and the query a > 20.
    let mut pool = TermPool::new();
    let system = small_system(&mut pool, &["x"], |pool, r| {
        let a = pool.bound("a", Sort::Int);
        let [zero, one, two, three, ten, end, negative] =
            [0, 1, 2, 3, 10, 20, -3].map(|value| pool.int(value));
        let (half, rest, next) = (pool.int_div(a, two), pool.int_mod(a, negative), pool.add(&[a, three]));
        let (is_less, is_one, is_end) = (pool.lt(half, ten), pool.eq(rest, one), pool.lt(end, a));
        let body = || vec![(r, vec![a])];
        vec![
            OpenClause { body: Vec::new(), constraint: Vec::new(), head: Some((r, vec![zero])) },
            OpenClause {
                body: body(),
                constraint: vec![is_less, pool.not(is_one)],
                head: Some((r, vec![next])),
            },
            OpenClause { body: body(), constraint: vec![is_end], head: None },
        ]
    });
    let run = Pipeline::named(["divisions"]).expect("a pass").run(&mut pool, &system);
    let loops = &run.system.clauses[horn::Clause(1)];
    let text = pool.display(loops.constraint).to_string();
    assert!(!text.contains("div") && !text.contains("mod"), "{text}");
    // The constraint and its projection agree on values of both signs.
    let z3 = backend_z3::factory();
    let old = &system.clauses[horn::Clause(1)];
    for value in -7..24 {
        let statuses = [old, loops].map(|clause| {
            let mut prover = z3.new_prover("ALL", &Limits::default()).expect("a prover");
            let number = pool.int(value);
            let is_value = pool.eq(clause.body[0].arguments[0], number);
            prover.assert(&pool, clause.constraint).expect("a formula");
            prover.assert(&pool, is_value).expect("a formula");
            prover.status(&pool, &[])
        });
        assert_eq!(statuses[0], statuses[1], "at {value}");
    }
}

#[test]
fn a_program_counter_becomes_control_flow() {
    let mut pool = TermPool::new();
    let mut normalizer = Normalizer::default();
    let mut system = System::default();
    let arguments = ["pc", "x"].map(|name| Argument {
        name: name.to_owned(),
        symbol: normalizer.argument(&mut pool, name, Sort::Int),
    });
    let data =
        RelationData { name: "state".to_owned(), arguments: arguments.to_vec(), origin: String::new() };
    let state = system.relations.push(data);
    let [pc, x] = ["a", "b"].map(|name| pool.bound(name, Sort::Int));
    let [zero, one, two] = [0, 1, 2].map(|value| pool.int(value));
    let next = pool.add(&[x, one]);
    let at = |pool: &mut TermPool, place: Term| pool.eq(pc, place);
    let (at_zero, at_one, at_two) = (at(&mut pool, zero), at(&mut pool, one), at(&mut pool, two));
    let clauses = [
        (vec![], vec![], Some((state, vec![zero, x]))),
        (vec![(state, vec![pc, x])], vec![at_zero], Some((state, vec![one, zero]))),
        (vec![(state, vec![pc, x])], vec![at_one], Some((state, vec![one, next]))),
        (vec![(state, vec![pc, x])], vec![at_one], Some((state, vec![two, x]))),
        (vec![(state, vec![pc, x])], vec![at_two, pool.lt(x, zero)], None),
    ];
    for (body, constraint, head) in clauses {
        let open = OpenClause { body, constraint, head };
        let clause = normalizer.clause(&mut pool, &system, &open, String::new());
        system.clauses.push(clause);
    }
    let names = |system: &System| -> Vec<String> {
        system.relations.values().map(|relation| relation.name.clone()).collect()
    };
    let run = Pipeline::named(["split"]).expect("a pass").run(&mut pool, &system);
    assert_eq!(names(&run.system), ["state.0", "state.1", "state.2"]);
    assert_eq!(run.system.clauses.len(), 5);
    let run = Pipeline::named(["split", "default"]).expect("passes").run(&mut pool, &system);
    assert_eq!(names(&run.system), ["state.1"], "only the loop is left");
    assert_eq!(run.system.clauses.len(), 3);
}

#[test]
fn specialization_is_equisatisfiable_with_ways_back() {
    check(&["specialize"], 9500..9650);
    check(&["reverse", "specialize", "reverse"], 9700..9850);
    check(&["specialize", "intervals", "default"], 9900..10000);
}

#[test]
fn the_default_pipeline_is_equisatisfiable_with_ways_back() {
    check(&["default"], 4000..4150);
}

#[test]
fn pipelines_are_lists_of_names() {
    let names = |list: &[&str]| -> Result<Vec<&str>, UnknownPass> {
        Pipeline::named(list.iter().copied())
            .map(|pipeline| pipeline.passes.iter().map(|pass| pass.name).collect())
    };
    assert_eq!(names(&["slice", "inline", "-slice"]), Ok(vec!["inline"]));
    assert_eq!(names(&["none"]), Ok(vec![]));
    assert!(names(&["default"]).is_ok_and(|names| PASSES[..4].iter().all(|pass| names.contains(&pass.name))));
    assert_eq!(
        names(&["dead"]),
        Err(UnknownPass { name: "dead".to_owned(), known: PASSES.iter().map(|pass| pass.name).collect() })
    );
}
