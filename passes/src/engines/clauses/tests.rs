use super::derivation::derive;
use super::pdr::Pdr;
use super::predicate::Predicates;
use super::progressions::Progressions;
use super::templates::Templates;
use super::tpa::TransitionPowers;
use super::unrolling::Unrolling;
use crate::models::{Model, check_model};
use crate::tests::Impatient;
use backends::interpolation::{Interpolating, Interpolation, Preference};
use backends::{HornAnswer, HornSolver, Limits, ProverFactory, Reason};
use horn::{Argument, Atom, ClauseData, Relation, RelationData, System, Update, Updates};
use std::rc::Rc;
use terms::{Random, Sort, Term, TermPool};

fn solver() -> Rc<dyn ProverFactory> {
    Rc::new(backend_yices::factory())
}

/// Builds systems from clauses whose heads are any terms.
struct Builder {
    pool: TermPool,
    system: System,
}

impl Builder {
    fn new() -> Self {
        Builder { pool: TermPool::new(), system: System::default() }
    }

    fn relation(&mut self, name: &str, sorts: &[Sort]) -> (Relation, Vec<Term>) {
        let mut symbols = Vec::new();
        for (index, &sort) in sorts.iter().enumerate() {
            symbols.push(self.pool.symbol(&format!("{name}.{index}"), sort));
        }
        let arguments = symbols.iter().enumerate();
        let arguments =
            arguments.map(|(index, &symbol)| Argument { name: format!("x{index}"), symbol }).collect();
        let data = RelationData { name: name.to_owned(), arguments, origin: String::new() };
        (self.system.relations.push(data), symbols)
    }

    fn clause(&mut self, body: Vec<Atom>, guard: Term, head: Option<(Relation, Vec<Term>)>) {
        let pool = &mut self.pool;
        let mut updates = Updates::default();
        let mut conclusion = None;
        if let Some((relation, values)) = head {
            let symbols: Vec<Term> = self.system.relations[relation].symbols().collect();
            for (symbol, value) in symbols.into_iter().zip(values) {
                let name = format!("{}+", pool.display(symbol));
                let sort = pool.sort(symbol);
                let after = pool.symbol(&name, sort);
                updates.insert(symbol, Update { after, value: Some(value) });
            }
            conclusion = Some(self.system.updated(relation, &updates));
        }
        let clause = ClauseData::new(pool, body, guard, (conclusion, updates), String::new());
        self.system.clauses.push(clause);
    }

    /// Whether the engine finds the system satisfiable, with evidence that holds.
    fn is_satisfiable(&mut self, engine: &dyn HornSolver) -> bool {
        self.decide(engine).unwrap_or_else(|reason| panic!("{reason}"))
    }

    /// Like [`is_satisfiable`](Self::is_satisfiable), if the engine has an answer.
    fn decide(&mut self, engine: &dyn HornSolver) -> Result<bool, Reason> {
        let limits = Limits::default();
        match engine.solve(&mut self.pool, &self.system, &limits) {
            HornAnswer::Satisfiable(model) => {
                let checkers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_craig::factory())];
                let checked = check_model(&mut self.pool, &self.system, &model, &checkers, &limits);
                let shown = |formula: &Term| self.pool.display(*formula).to_string();
                let shown: Vec<String> = model.formulas.values().map(shown).collect();
                let text = self.system.to_text(&self.pool, &horn::Notes::default());
                assert!(matches!(checked, Model::Valid(_)), "{checked:?} for {shown:?} of {text}");
                Ok(true)
            }
            HornAnswer::Unsatisfiable(facts) => {
                let derivation = derive(&mut self.pool, &self.system, &facts, &*solver(), &limits);
                let derivation = derivation.expect("a derivation");
                assert_eq!(derivation.check(&self.pool, &self.system), Ok(()));
                Ok(false)
            }
            HornAnswer::Unknown(reason) => Err(reason),
        }
    }
}

fn below(random: &mut Random, bound: u64) -> u64 {
    random.number() % bound
}

fn pdr() -> Pdr {
    Pdr { factory: solver(), interpolators: Some(backend_craig::proof_interpolator()) }
}

/// Predicate abstraction, with interpolants from proofs.
fn predicates() -> Predicates {
    predicates_over(solver())
}

fn predicates_over(factory: Rc<dyn ProverFactory>) -> Predicates {
    Predicates { factory: interpolating(factory) }
}

/// Transition power abstraction, with interpolants from proofs.
fn powers() -> TransitionPowers {
    TransitionPowers { factory: interpolating(solver()) }
}

fn interpolating(factory: Rc<dyn ProverFactory>) -> Rc<dyn ProverFactory> {
    let source = || backend_craig::proof_interpolator().new_interpolator(&solver(), Preference::default());
    let interpolation = Rc::new(move || Interpolation::new(vec![source()]));
    Rc::new(Interpolating { factory, interpolation })
}

/// `x, y` from `0, 0` over `x < limit, (x + 1, y + 2)`; never `y > 2 * x` and `x = limit` with `y =
/// wrong`.
fn counters(limit: i64, wrong: i64) -> Builder {
    let mut builder = Builder::new();
    let (relation, symbols) = builder.relation("R", &[Sort::Int, Sort::Int]);
    let pool = &mut builder.pool;
    let [x, y] = symbols[..] else { panic!("two") };
    let [zero, one, two, limit, wrong] = [0, 1, 2, limit, wrong].map(|value| pool.int(value));
    let (next, other) = (pool.add(&[x, one]), pool.add(&[y, two]));
    let (is_below, is_end, is_wrong) = (pool.lt(x, limit), pool.eq(x, limit), pool.eq(y, wrong));
    let (tru, error) = (pool.tru(), pool.and(&[is_end, is_wrong]));
    builder.clause(vec![], tru, Some((relation, vec![zero, zero])));
    let atom = builder.system.atom(relation);
    builder.clause(vec![atom.clone()], is_below, Some((relation, vec![next, other])));
    builder.clause(vec![atom], error, None);
    builder
}

/// Spacer, to compare.
fn spacer() -> Rc<dyn HornSolver> {
    backend_z3::horn_solvers().remove(0)
}

#[test]
fn a_deep_state_is_derived() {
    assert!(!counters(12, 24).is_satisfiable(&pdr()));
    assert!(!counters(12, 24).is_satisfiable(&predicates()));
    assert!(!counters(12, 24).is_satisfiable(&*spacer()));
    assert!(!counters(12, 24).is_satisfiable(&Unrolling { factory: solver() }));
    assert!(!counters(300, 600).is_satisfiable(&Unrolling { factory: solver() }));
    assert!(!counters(12, 24).is_satisfiable(&powers()));
    assert!(!counters(300, 600).is_satisfiable(&powers()));
}

#[test]
fn unrolling_finds_no_models_and_refuses_trees() {
    let engine = Unrolling { factory: solver() };
    let answer =
        |builder: &mut Builder| match engine.solve(&mut builder.pool, &builder.system, &Limits::default()) {
            HornAnswer::Unknown(reason) => reason.to_string(),
            other => panic!("{other:?}"),
        };
    assert!(answer(&mut counters(6, 11)).contains("no derivation has more than 7 transitions"));
    assert!(answer(&mut fibonacci(3, 1)).contains("several body atoms"));
    let powers = powers();
    let mut trees = fibonacci(3, 1);
    let answer = powers.solve(&mut trees.pool, &trees.system, &Limits::default());
    assert!(matches!(answer, HornAnswer::Unknown(Reason::Unsupported(_))), "{answer:?}");
}

#[test]
fn a_state_that_is_missed_is_excluded() {
    assert!(counters(6, 11).is_satisfiable(&pdr()));
    assert!(counters(6, 11).is_satisfiable(&predicates()));
    assert!(counters(40, 79).is_satisfiable(&Templates { factory: solver() }));
    assert!(counters(40, 79).is_satisfiable(&*spacer()));
}

/// `x, y` from `x, x` over `x < 9, (x + 1, y + 1)`; never `x < 9` and `y = 20`.
#[test]
fn powers_have_models() {
    let mut builder = Builder::new();
    let (relation, symbols) = builder.relation("R", &[Sort::Int, Sort::Int]);
    let pool = &mut builder.pool;
    let [x, y] = symbols[..] else { panic!("two") };
    let start = pool.symbol("start", Sort::Int);
    let [one, nine, twenty] = [1, 9, 20].map(|value| pool.int(value));
    let (next, other) = (pool.add(&[x, one]), pool.add(&[y, one]));
    let (is_below, is_twenty) = (pool.lt(x, nine), pool.eq(y, twenty));
    let (tru, error) = (pool.tru(), pool.and(&[is_below, is_twenty]));
    builder.clause(vec![], tru, Some((relation, vec![start, start])));
    let atom = builder.system.atom(relation);
    builder.clause(vec![atom.clone()], is_below, Some((relation, vec![next, other])));
    builder.clause(vec![atom], error, None);
    assert!(builder.is_satisfiable(&powers()));
}

/// `x, y, n` from `n, 0, n` over `x > 0, (x - 1, y + 1, n)`; never `x ≤ 0` and `y < n`. Without
/// generalization there is a lemma for each number of steps.
fn transfer() -> Builder {
    let mut builder = Builder::new();
    let (relation, symbols) = builder.relation("R", &[Sort::Int, Sort::Int, Sort::Int]);
    let pool = &mut builder.pool;
    let [x, y, n] = symbols[..] else { panic!("three") };
    let [zero, one, minus_one] = [0, 1, -1].map(|value| pool.int(value));
    let (less, more) = (pool.add(&[x, minus_one]), pool.add(&[y, one]));
    let (is_positive, is_over, is_less) = (pool.lt(zero, x), pool.le(x, zero), pool.lt(y, n));
    let (start, error) = (pool.lt(zero, n), pool.and(&[is_over, is_less]));
    let input = pool.symbol("input", Sort::Int);
    let start = pool.map_leaves(start, &mut |_, leaf| (leaf == n).then_some(input));
    builder.clause(vec![], start, Some((relation, vec![input, zero, input])));
    let atom = builder.system.atom(relation);
    builder.clause(vec![atom.clone()], is_positive, Some((relation, vec![less, more, n])));
    builder.clause(vec![atom], error, None);
    builder
}

#[test]
fn lemmas_that_differ_in_numbers_are_generalized() {
    assert!(transfer().is_satisfiable(&pdr()));
    assert!(transfer().is_satisfiable(&Pdr { factory: solver(), interpolators: None }));
}

#[test]
fn the_instances_of_a_progression_have_a_conjunction() {
    let mut builder = transfer();
    let relation = builder.system.relations.keys().next().expect("a relation");
    let symbols: Vec<Term> = builder.system.relations[relation].symbols().collect();
    let [x, y, n] = symbols[..] else { panic!("three") };
    let pool = &mut builder.pool;
    let mut progressions = Progressions::default();
    let mut add = |pool: &mut TermPool, number: i64, other: i64| {
        let [number, other] = [number, other].map(|value| pool.int(value));
        let (sum, is_over) = (pool.add(&[y, other]), pool.lt(number, x));
        let is_enough = pool.le(n, sum);
        let formula = pool.or(&[is_over, is_enough]);
        progressions.add(pool, relation, formula, &Limits::default())
    };
    // The numbers may come in any order; 12 and 40 do not belong to the progression.
    assert_eq!(add(pool, 7, 7), []);
    assert_eq!(add(pool, 12, 40), []);
    assert_eq!(add(pool, 3, 3), []);
    assert_eq!(add(pool, 3, 3), []);
    let found = add(pool, 5, 5);
    let sum = pool.add(&[x, y]);
    let general = pool.le(n, sum);
    let shown: Vec<String> = found.iter().map(|formula| pool.display(*formula).to_string()).collect();
    assert!(found.contains(&general), "{shown:?}");
    // Once is enough.
    assert_eq!(add(pool, 9, 9), []);
}

/// `F(x, r)`: r is the number of leaves of the calls of the Fibonacci function.
fn fibonacci(argument: i64, wrong: i64) -> Builder {
    let mut builder = Builder::new();
    let (relation, symbols) = builder.relation("F", &[Sort::Int, Sort::Int]);
    let pool = &mut builder.pool;
    let [x, r] = symbols[..] else { panic!("two") };
    let [y, s] = ["y", "s"].map(|name| pool.symbol(name, Sort::Int));
    let [one, argument, wrong] = [1, argument, wrong].map(|value| pool.int(value));
    let n = pool.symbol("n", Sort::Int);
    let small = pool.le(n, one);
    builder.clause(vec![], small, Some((relation, vec![n, one])));
    // F(x, r), F(y, s), y = x - 1, x ≥ 1: F(x + 1, r + s).
    let pool = &mut builder.pool;
    let (next, before) = (pool.add(&[x, one]), pool.add(&[y, one]));
    let (sum, is_before) = (pool.add(&[r, s]), pool.eq(before, x));
    let is_positive = pool.le(one, x);
    let guard = pool.and(&[is_before, is_positive]);
    let atoms = vec![builder.system.atom(relation), Atom { relation, arguments: vec![y, s] }];
    builder.clause(atoms, guard, Some((relation, vec![next, sum])));
    let pool = &mut builder.pool;
    let (at, over) = (pool.eq(x, argument), pool.eq(r, wrong));
    let error = pool.and(&[at, over]);
    let atom = builder.system.atom(relation);
    builder.clause(vec![atom], error, None);
    builder
}

#[test]
fn a_tree_is_derived() {
    assert!(!fibonacci(6, 13).is_satisfiable(&pdr()));
    assert!(fibonacci(4, 0).is_satisfiable(&pdr()));
    assert!(!fibonacci(6, 13).is_satisfiable(&predicates()));
    assert!(fibonacci(4, 0).is_satisfiable(&predicates()));
    assert!(!fibonacci(6, 13).is_satisfiable(&*spacer()));
    assert!(fibonacci(4, 0).is_satisfiable(&*spacer()));
}

#[test]
fn a_relation_without_facts_is_empty() {
    let mut builder = Builder::new();
    let (relation, symbols) = builder.relation("R", &[Sort::Int]);
    let atom = builder.system.atom(relation);
    let tru = builder.pool.tru();
    builder.clause(vec![atom.clone()], tru, Some((relation, symbols)));
    builder.clause(vec![atom], tru, None);
    assert!(builder.is_satisfiable(&pdr()));
    assert!(builder.is_satisfiable(&predicates()));
}

#[test]
fn a_query_without_premises_is_derived_at_once() {
    let mut builder = Builder::new();
    let x = builder.pool.symbol("x", Sort::Int);
    let seven = builder.pool.int(7);
    let guard = builder.pool.eq(x, seven);
    builder.clause(vec![], guard, None);
    assert!(!builder.is_satisfiable(&pdr()));
    assert!(!builder.is_satisfiable(&predicates()));
    assert!(!builder.is_satisfiable(&powers()));
}

/// A random system over two bits and a Boolean, and whether it is satisfiable, by enumeration of
/// the derivable states.
fn random(random: &mut Random) -> (Builder, bool) {
    let mut builder = Builder::new();
    let sorts = [Sort::BitVec(2), Sort::Bool];
    let relations: Vec<(Relation, Vec<Term>)> =
        (0..3).map(|index| builder.relation(&format!("R{index}"), &sorts)).collect();
    let second: Vec<Term> =
        ["p", "q"].iter().zip(sorts).map(|(name, sort)| builder.pool.symbol(name, sort)).collect();
    let input = builder.pool.symbol("i", Sort::BitVec(2));
    // Each clause, as states: the values of the premises, the input, and the head.
    type Table = (Vec<usize>, Term, Option<(usize, Vec<Term>)>, Vec<Term>);
    let mut tables: Vec<Table> = Vec::new();
    for _ in 0..below(random, 5) + 4 {
        let count = below(random, 3) as usize;
        let mut body = Vec::new();
        let mut symbols = vec![input];
        let mut chosen = Vec::new();
        for position in 0..count {
            let index = below(random, 3) as usize;
            chosen.push(index);
            let (relation, own) = &relations[index];
            let arguments = if position == 0 { own.clone() } else { second.clone() };
            symbols.extend(&arguments);
            body.push(Atom { relation: *relation, arguments });
        }
        let pool = &mut builder.pool;
        let bits: Vec<Term> =
            symbols.iter().copied().filter(|&symbol| pool.sort(symbol) != Sort::Bool).collect();
        let flags: Vec<Term> =
            symbols.iter().copied().filter(|&symbol| pool.sort(symbol) == Sort::Bool).collect();
        let number = |pool: &mut TermPool, random: &mut Random| {
            let value = pool.bv(2, below(random, 4));
            let symbol = bits[below(random, bits.len() as u64) as usize];
            match below(random, 4) {
                0 => value,
                1 => symbol,
                2 => pool.bv_add(symbol, value),
                _ => {
                    let other = bits[below(random, bits.len() as u64) as usize];
                    pool.bv_xor(symbol, other)
                }
            }
        };
        let atom = |pool: &mut TermPool, random: &mut Random| {
            let (a, b) = (number(pool, random), number(pool, random));
            match (below(random, 3), flags.first()) {
                (0, Some(&flag)) => flag,
                (1, _) => pool.bv_ult(a, b),
                _ => pool.eq(a, b),
            }
        };
        let parts = [atom(pool, random), atom(pool, random)];
        let guard = if below(random, 2) == 0 { pool.and(&parts) } else { pool.or(&parts) };
        let head = (below(random, 4) > 0).then(|| {
            let index = below(random, 3) as usize;
            (index, vec![number(pool, random), atom(pool, random)])
        });
        let conclusion = head.as_ref().map(|(index, values)| (relations[*index].0, values.clone()));
        builder.clause(body, guard, conclusion);
        tables.push((chosen, guard, head, symbols));
    }
    // The derivable states, as pairs of a number and a flag.
    let mut states: Vec<Vec<(u64, bool)>> = vec![Vec::new(); 3];
    let mut is_satisfiable = true;
    loop {
        let before: usize = states.iter().map(Vec::len).sum();
        for (chosen, guard, head, symbols) in &tables {
            let mut choices: Vec<Vec<(u64, bool)>> = vec![Vec::new()];
            for &index in chosen {
                choices = choices
                    .iter()
                    .flat_map(|so_far| states[index].iter().map(|&state| [&so_far[..], &[state]].concat()))
                    .collect();
            }
            for choice in choices {
                for value in 0..4 {
                    let pool = &builder.pool;
                    let mut assignment = terms::Assignment::new();
                    let mut values = vec![terms::Value::from(terms::BitVector::new(2, value))];
                    for &(number, flag) in &choice {
                        values.push(terms::BitVector::new(2, number).into());
                        values.push(flag.into());
                    }
                    for (&symbol, value) in symbols.iter().zip(values) {
                        assignment.set_leaf(pool, symbol, value);
                    }
                    let eval = |term| terms::eval(pool, term, &assignment).expect("a value");
                    if eval(*guard) != terms::Value::Bool(true) {
                        continue;
                    }
                    let Some((index, head)) = head else {
                        is_satisfiable = false;
                        continue;
                    };
                    let number =
                        (0..4).find(|&number| eval(head[0]) == terms::BitVector::new(2, number).into());
                    let state = (number.expect("two bits"), eval(head[1]) == terms::Value::Bool(true));
                    if !states[*index].contains(&state) {
                        states[*index].push(state);
                    }
                }
            }
        }
        if states.iter().map(Vec::len).sum::<usize>() == before {
            return (builder, is_satisfiable);
        }
    }
}

#[test]
fn random_systems_are_decided_as_by_enumeration() {
    let mut random_numbers = Random::new(7);
    let (mut counts, mut linear) = ([0, 0], [0, 0]);
    for round in 0..400 {
        let (mut builder, expected) = random(&mut random_numbers);
        counts[usize::from(expected)] += 1;
        assert_eq!(builder.is_satisfiable(&pdr()), expected, "system {round}");
        assert_eq!(builder.is_satisfiable(&predicates()), expected, "system {round} by predicates");
        if round % 4 == 0 {
            assert_eq!(builder.is_satisfiable(&*spacer()), expected, "system {round} by Spacer");
        }
        if builder.system.is_linear() {
            assert_eq!(builder.is_satisfiable(&powers()), expected, "system {round} by powers");
            linear[usize::from(expected)] += 1;
            if !expected {
                let engine = Unrolling { factory: solver() };
                assert!(!builder.is_satisfiable(&engine), "system {round} by unrolling");
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 80), "{counts:?}");
    assert!(linear.iter().all(|&count| count > 10), "{linear:?}");
}

#[test]
fn without_some_answers_the_answer_is_right_or_missing() {
    let mut random_numbers = Random::new(11);
    let mut decided = 0;
    for round in 0..200 {
        let (mut builder, expected) = random(&mut random_numbers);
        let factory = Rc::new(Impatient { every: 3 + round % 5, checks: Rc::default() });
        if let Ok(answer) = builder.decide(&predicates_over(factory)) {
            assert_eq!(answer, expected, "system {round}");
            decided += 1;
        }
    }
    assert!(decided > 50, "{decided}");
}
