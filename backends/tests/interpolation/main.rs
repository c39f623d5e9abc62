//! Tests of the sources, strategies, certificates and provers of `backends::interpolation`, over
//! the built-in solvers.

mod certificates;
mod craig;
mod problems;
mod random;

use backends::interpolation::{
    Certifier, Direction, Fault, Interpolants, Interpolating, Interpolation, Interpolator, Newton,
    NewtonConfig, Problem, SequenceStrategy, Shape, Strategy, Tree, TreeStrategy, Witness,
};
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Wrapper};
use problems::{Numbers, Random};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Op, Sort, Term, TermPool, Value};

fn solvers() -> [Rc<dyn ProverFactory>; 2] {
    [Rc::new(backend_yices::factory()), Rc::new(backend_z3::factory())]
}

fn limits(seconds: u64) -> Limits {
    Limits { deadline: Instant::now().checked_add(Duration::from_secs(seconds)), ..Limits::default() }
}

/// The source `newton`, restricted to small shapes.
struct Small {
    inner: Newton,
    shape: Shape,
    calls: Rc<RefCell<usize>>,
}

impl Interpolator for Small {
    fn name(&self) -> &str {
        "small"
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        assert!(problem.tree.shape() <= self.shape, "the source must get only supported shapes");
        *self.calls.borrow_mut() += 1;
        self.inner.interpolate(pool, problem, limits)
    }
}

/// A source with a fixed answer.
struct Stubborn(fn(&mut TermPool, &Problem) -> Result<Vec<Term>, Reason>);

impl Interpolator for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, _: &Limits) -> Interpolants {
        (self.0)(pool, problem).into()
    }
}

fn newton(solver: &Rc<dyn ProverFactory>, direction: Direction) -> Newton {
    Newton::with(vec![Rc::clone(solver)], NewtonConfig { direction, ..NewtonConfig::default() })
}

fn with_certifier(sources: Vec<Box<dyn Interpolator>>) -> Interpolation {
    Interpolation {
        certifier: Some(Certifier { factories: solvers().to_vec() }),
        ..Interpolation::new(sources)
    }
}

/// Certified interpolants of `newton`, in each of the directions.
fn expect_newton(name: &str, build: &dyn Fn(&mut TermPool) -> Problem, directions: &[Direction]) {
    for solver in solvers() {
        for &direction in directions {
            let mut pool = TermPool::new();
            let problem = build(&mut pool);
            let mut interpolation = with_certifier(vec![Box::new(newton(&solver, direction))]);
            let answer = interpolation.solve(&mut pool, &problem, &limits(60));
            let what = || format!("{name} with {}, {direction:?}", solver.name());
            let answer = answer.unwrap_or_else(|reason| panic!("{}: {reason}", what()));
            assert_eq!(answer.len(), problem.tree.root(), "{}", what());
            assert!(interpolation.faults.is_empty(), "{}", what());
        }
    }
}

const EACH: &[Direction] = &[Direction::Forward, Direction::Backward];
const EITHER: &[Direction] = &[Direction::Both];

#[test]
fn newton_does_straight_lines() {
    for numbers in [Numbers::Int, Numbers::Real, Numbers::Bits(32)] {
        expect_newton("straight line", &|pool| problems::straight_line(pool, numbers, 10), EACH);
    }
}

#[test]
#[ignore = "slow"]
fn newton_does_long_sequences() {
    for numbers in [Numbers::Int, Numbers::Bits(32)] {
        expect_newton("200 parts", &|pool| problems::straight_line(pool, numbers, 198), EACH);
    }
}

#[test]
fn newton_does_branches() {
    expect_newton("branches", &|pool| problems::branches(pool, Numbers::Int, 5), EACH);
    expect_newton("branches of bits", &|pool| problems::branches(pool, Numbers::Bits(8), 5), EITHER);
}

#[test]
fn newton_does_divisibility_and_coefficients() {
    expect_newton("parity", &problems::parity, EACH);
    expect_newton("coefficients", &problems::coefficients, EACH);
    expect_newton("remainders", &problems::remainders, EACH);
}

#[test]
fn newton_does_disjunctions() {
    for numbers in [Numbers::Int, Numbers::Real, Numbers::Bits(16)] {
        expect_newton("disjunctions", &|pool| problems::disjunctions(pool, numbers), EACH);
    }
}

#[test]
fn newton_does_bit_vectors() {
    expect_newton("bits", &problems::bits, EACH);
}

#[test]
#[ignore = "slow"]
fn newton_does_arrays() {
    expect_newton("arrays", &problems::arrays, EITHER);
    expect_newton("reads", &problems::reads, EITHER);
}

#[test]
#[ignore = "slow"]
fn newton_does_functions() {
    expect_newton("local function", &problems::local_function, EITHER);
    expect_newton("shared function", &problems::shared_function, EITHER);
}

#[test]
#[ignore = "slow"]
fn newton_does_trees() {
    let mut random = Random::new(7);
    for size in 1..=50 {
        let numbers = [Numbers::Int, Numbers::Real, Numbers::Bits(16)][size % 3];
        let seed = random.below(1 << 30) as u64;
        let build = |pool: &mut TermPool| problems::scattered(pool, numbers, &mut Random::new(seed), size);
        expect_newton(&format!("scattered {numbers:?} {size}"), &build, EACH);
    }
    for size in [1, 2, 5, 9, 14] {
        let build =
            |pool: &mut TermPool| problems::summing_tree(pool, Numbers::Int, &mut Random::new(3), size);
        expect_newton(&format!("summing {size}"), &build, EITHER);
    }
}

/// Solves a problem with a strategy; the answer is certified. Returns the number of problems that
/// the source solved natively, and the number of parts.
fn expect_strategy(
    shape: Shape,
    strategy: Strategy,
    problem: &dyn Fn(&mut TermPool) -> Problem,
) -> (usize, usize) {
    let solver = &solvers()[0];
    let calls = Rc::new(RefCell::new(0));
    let inner = newton(solver, Direction::Both);
    let mut interpolation = with_certifier(vec![Box::new(Small { inner, shape, calls: Rc::clone(&calls) })]);
    interpolation.strategy = strategy;
    let mut pool = TermPool::new();
    let problem = problem(&mut pool);
    let answer = interpolation.solve(&mut pool, &problem, &limits(60));
    answer.unwrap_or_else(|reason| panic!("{strategy:?} of {shape:?}, {:?}: {reason}", problem.tree));
    let calls = *calls.borrow();
    (calls, problem.tree.len())
}

#[test]
fn sequences_come_from_binary_problems() {
    let strategy = Strategy { sequence: SequenceStrategy::Sequential, ..Strategy::default() };
    for shape in [Shape::Binary, Shape::Sequence, Shape::Tree] {
        let build = |pool: &mut TermPool| problems::straight_line(pool, Numbers::Int, 10);
        let (calls, parts) = expect_strategy(shape, strategy, &build);
        assert_eq!(calls, parts - 1);
    }
    let build = |pool: &mut TermPool| problems::straight_line(pool, Numbers::Int, 10);
    assert_eq!(expect_strategy(Shape::Binary, Strategy::default(), &build).0, 11);
    assert_eq!(expect_strategy(Shape::Sequence, Strategy::default(), &build).0, 1);
}

#[test]
fn trees_come_from_smaller_problems() {
    for tree in [TreeStrategy::Native, TreeStrategy::Binary, TreeStrategy::Nested] {
        for shape in [Shape::Binary, Shape::Sequence, Shape::Tree] {
            for size in [1, 2, 3, 6, 11, 20] {
                for seed in 0..4 {
                    let strategy = Strategy { tree, ..Strategy::default() };
                    let build = |pool: &mut TermPool| {
                        problems::scattered(pool, Numbers::Int, &mut Random::new(seed), size)
                    };
                    expect_strategy(shape, strategy, &build);
                }
                let strategy = Strategy { tree, ..Strategy::default() };
                let build = |pool: &mut TermPool| {
                    problems::summing_tree(pool, Numbers::Int, &mut Random::new(size as u64), size.min(8))
                };
                expect_strategy(shape, strategy, &build);
            }
        }
    }
}

#[test]
fn nested_interpolation_asks_once_for_each_leaf() {
    // A root with three leaves: the path of the root, and two more subtrees.
    let build = |pool: &mut TermPool| {
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
        let one = pool.int(1);
        let parts = [x, y, z].map(|symbol| vec![pool.le(one, symbol)]);
        let sum = pool.add(&[x, y, z]);
        let three = pool.int(3);
        let root = vec![pool.lt(sum, three)];
        let tree = Tree::new(vec![Some(3), Some(3), Some(3), None]).expect("a tree");
        Problem { parts: parts.into_iter().chain([root]).collect(), tree }
    };
    let strategy = Strategy { tree: TreeStrategy::Nested, ..Strategy::default() };
    assert_eq!(expect_strategy(Shape::Sequence, strategy, &build).0, 3);
    assert_eq!(expect_strategy(Shape::Binary, strategy, &build).0, 3);
}

#[test]
fn well_scoped_interpolation_is_certified_or_refused() {
    let solver = &solvers()[0];
    for seed in 0..10 {
        let inner = newton(solver, Direction::Forward);
        let calls = Rc::new(RefCell::new(0));
        let small = Small { inner, shape: Shape::Binary, calls: Rc::clone(&calls) };
        let mut interpolation = with_certifier(vec![Box::new(small)]);
        interpolation.strategy.tree = TreeStrategy::WellScoped;
        let mut pool = TermPool::new();
        let problem = problems::summing_tree(&mut pool, Numbers::Int, &mut Random::new(seed), 6);
        match interpolation.solve(&mut pool, &problem, &limits(60)) {
            Ok(answer) => assert_eq!(answer.len(), 5),
            Err(reason) => assert!(!interpolation.faults.is_empty(), "{reason}"),
        }
    }
}

fn below_zero_and_above(pool: &mut TermPool) -> Problem {
    let x = pool.symbol("x", Sort::Int);
    let y = pool.symbol("y", Sort::Int);
    let zero = pool.int(0);
    let is_below = pool.lt(x, zero);
    let is_above = pool.lt(zero, x);
    let local = pool.lt(y, x);
    Problem::binary(vec![is_below, local], vec![is_above])
}

#[test]
fn wrong_answers_are_refuted_recorded_and_not_used() {
    type Answer = fn(&mut TermPool, &Problem) -> Result<Vec<Term>, Reason>;
    type IsExpected = fn(&Fault) -> bool;
    let wrong: [(Answer, IsExpected); 5] = [
        (|pool, _| Ok(vec![pool.fls()]), |fault| *fault == Fault::NotInductive { part: 0 }),
        (|pool, _| Ok(vec![pool.tru()]), |fault| *fault == Fault::NotInductive { part: 1 }),
        (
            |_, problem| Ok(vec![problem.parts[0][1]]),
            |fault| matches!(fault, Fault::Vocabulary { part: 0, name } if name == "y"),
        ),
        (
            |pool, problem| {
                let bound = pool.bound("q", Sort::Bool);
                Ok(vec![pool.and(&[bound, problem.parts[0][0]])])
            },
            |fault| matches!(fault, Fault::Vocabulary { part: 0, name } if name == "q"),
        ),
        (
            |pool, problem| {
                let zero = pool.int(0);
                let x = pool.symbol("x", Sort::Int);
                let below = pool.int(-7);
                let weaker = pool.le(x, below);
                let _ = (zero, problem);
                Ok(vec![weaker])
            },
            |fault| *fault == Fault::NotInductive { part: 0 },
        ),
    ];
    for (answer, is_expected) in wrong {
        let told = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&told);
        let solver = &solvers()[0];
        let mut interpolation =
            with_certifier(vec![Box::new(Stubborn(answer)), Box::new(newton(solver, Direction::Both))]);
        interpolation.on_fault = Some(Box::new(move |fault| sink.borrow_mut().push(fault.script.clone())));
        let mut pool = TermPool::new();
        let problem = below_zero_and_above(&mut pool);
        interpolation.solve(&mut pool, &problem, &limits(60)).expect("newton answers");
        assert_eq!(interpolation.attempts.len(), 2);
        let [fault] = &interpolation.faults[..] else { panic!("one fault is recorded") };
        assert!(is_expected(&fault.fault), "{:?}", fault.fault);
        assert_eq!(fault.source, "stubborn");
        assert!(
            fault.problem.contains(":named part0")
                && fault.problem.contains("(get-interpolants part0 part1)")
        );
        assert!(fault.script.contains("(set-info :status unsat)"), "{}", fault.script);
        assert_eq!(*told.borrow(), std::slice::from_ref(&fault.script));
        assert_eq!(interpolation.attempts.len(), 2);
        assert!(matches!(&interpolation.attempts[0].failure, Some(Reason::Fault(_))));
        assert_eq!(interpolation.attempts[1].failure, None);
    }
}

#[test]
fn answers_of_the_wrong_length_or_sort_are_faults() {
    let mut pool = TermPool::new();
    let problem = below_zero_and_above(&mut pool);
    let one = pool.int(1);
    let certifier = Certifier { factories: solvers().to_vec() };
    let count = certifier.certify(&mut pool, &problem, &[], &limits(10));
    assert_eq!(count, Err(Fault::Count { expected: 1, found: 0 }));
    assert_eq!(certifier.certify(&mut pool, &problem, &[one], &limits(10)), Err(Fault::Sort { part: 0 }));
    let mut interpolation = with_certifier(vec![Box::new(Stubborn(|_, _| Ok(Vec::new())))]);
    let answer = interpolation.solve(&mut pool, &problem, &limits(10));
    assert!(matches!(answer, Err(Reason::Fault(_))), "{answer:?}");
}

#[test]
fn right_answers_pass_the_certifier() {
    let mut pool = TermPool::new();
    let problem = below_zero_and_above(&mut pool);
    let x = pool.symbol("x", Sort::Int);
    let zero = pool.int(0);
    let right = [pool.lt(x, zero), pool.le(x, zero)];
    let certifier = Certifier { factories: solvers().to_vec() };
    for interpolant in right {
        assert_eq!(certifier.certify(&mut pool, &problem, &[interpolant], &limits(10)), Ok(()));
    }
}

#[test]
fn without_a_certifying_solver_nothing_passes() {
    let mut pool = TermPool::new();
    let problem = below_zero_and_above(&mut pool);
    let solver = &solvers()[0];
    let mut interpolation = Interpolation::new(vec![Box::new(newton(solver, Direction::Both))]);
    interpolation.certifier = Some(Certifier { factories: Vec::new() });
    let answer = interpolation.solve(&mut pool, &problem, &limits(10));
    assert!(matches!(answer, Err(Reason::Incomplete(_))), "{answer:?}");
}

#[test]
fn all_failures_are_named() {
    let mut pool = TermPool::new();
    let problem = below_zero_and_above(&mut pool);
    let mut interpolation = with_certifier(vec![
        Box::new(Stubborn(|_, _| Err(Reason::Unsupported("this".to_owned())))),
        Box::new(Stubborn(|_, _| Err(Reason::Incomplete("that".to_owned())))),
    ]);
    let Err(Reason::Incomplete(text)) = interpolation.solve(&mut pool, &problem, &limits(10)) else {
        panic!("both give up")
    };
    assert!(text.contains("this") && text.contains("that"), "{text}");
    let mut none = with_certifier(Vec::new());
    assert!(matches!(none.solve(&mut pool, &problem, &limits(10)), Err(Reason::Unsupported(_))));
}

#[test]
fn limits_end_interpolation() {
    let mut pool = TermPool::new();
    let problem = below_zero_and_above(&mut pool);
    let solver = &solvers()[0];
    let mut interpolation = with_certifier(vec![Box::new(newton(solver, Direction::Both))]);
    let over = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    assert_eq!(interpolation.solve(&mut pool, &problem, &over).err(), Some(Reason::Timeout));
    let interrupted = Limits::default();
    let interrupt = backends::Interrupt::default();
    interrupt.trigger();
    let interrupted = Limits { interrupt: Some(interrupt), ..interrupted };
    assert_eq!(interpolation.solve(&mut pool, &problem, &interrupted).err(), Some(Reason::Interrupted));
}

#[test]
fn a_source_that_takes_too_long_is_followed_by_the_next() {
    struct Slow;
    impl Interpolator for Slow {
        fn name(&self) -> &str {
            "slow"
        }
        fn shape(&self) -> Shape {
            Shape::Tree
        }
        fn interpolate(&mut self, _: &mut TermPool, _: &Problem, limits: &Limits) -> Interpolants {
            loop {
                if let Some(reason) = limits.exceeded() {
                    return Interpolants::Unknown(reason);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
    let mut pool = TermPool::new();
    let problem = below_zero_and_above(&mut pool);
    let solver = &solvers()[0];
    let mut interpolation = with_certifier(vec![Box::new(Slow), Box::new(newton(solver, Direction::Both))]);
    interpolation.budget = Some(Duration::from_millis(50));
    interpolation.solve(&mut pool, &problem, &limits(60)).expect("newton answers");
    assert_eq!(interpolation.attempts.len(), 2);
    let used_up = Reason::Incomplete("the interpolation budget of 50ms is exhausted".to_owned());
    assert_eq!(interpolation.attempts[0].failure, Some(used_up));
}

#[test]
fn what_is_plain_needs_no_source() {
    let mut pool = TermPool::new();
    let mut interpolation = with_certifier(Vec::new());
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::Bool));
    let fls = pool.fls();
    let problem = Problem::sequence(vec![vec![a], vec![b, fls], vec![a]]);
    let answer = interpolation.solve(&mut pool, &problem, &limits(10)).expect("an answer");
    assert_eq!(answer, [pool.tru(), pool.fls()]);
    // No name is shared, and the middle part is unsatisfiable.
    let x = pool.symbol("x", Sort::Int);
    let zero = pool.int(0);
    let contradiction = vec![pool.lt(x, zero), pool.lt(zero, x)];
    let problem = Problem::sequence(vec![vec![a], contradiction, vec![b]]);
    let answer = interpolation.solve(&mut pool, &problem, &limits(10)).expect("an answer");
    assert_eq!(answer, [pool.tru(), pool.fls()]);
    // A single part.
    let problem = Problem::sequence(vec![vec![fls]]);
    let answer = interpolation.solve(&mut pool, &problem, &limits(10)).expect("an answer");
    assert!(answer.is_empty() && interpolation.attempts.is_empty());
}

/// Provers that give up on checks with a time limit of their own.
struct Impatient(Rc<dyn ProverFactory>);

struct ImpatientProver {
    inner: Box<dyn Prover>,
    gives_up: bool,
}

impl Wrapper for Impatient {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.0
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(ImpatientProver { inner: self.0.new_prover(logic, limits)?, gives_up: false }))
    }
}

impl Prover for ImpatientProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.inner.assert(pool, formula)
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if self.gives_up {
            return Outcome::Unknown(Reason::Timeout);
        }
        self.inner.check(pool, assumptions)
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.gives_up = limits.time.is_some();
    }
}

/// A prover with these sources, followed by `newton`.
fn interpolating(sources: Vec<Box<dyn Interpolator>>) -> Box<dyn Prover> {
    let sources = RefCell::new(sources);
    let factory = Interpolating {
        factory: Rc::new(Impatient(Rc::clone(&solvers()[0]))),
        interpolation: Rc::new(move || {
            let mut sources = sources.take();
            sources.push(Box::new(newton(&solvers()[0], Direction::Both)));
            with_certifier(sources)
        }),
    };
    factory.new_prover("ALL", &limits(60)).expect("a prover")
}

#[test]
fn refutations_of_an_interpolating_prover_have_interpolants() {
    let mut pool = TermPool::new();
    let problem = problems::straight_line(&mut pool, Numbers::Int, 3);
    let mut prover = interpolating(Vec::new());
    for &formula in problem.parts[..4].iter().flatten() {
        prover.assert(&pool, formula).expect("an assertion");
    }
    let assumption = problem.parts[4][0];
    let Outcome::Unsat(mut refutation) = prover.check(&pool, &[assumption]) else { panic!("unsatisfiable") };
    assert_eq!(refutation.unsat_core(), Ok(vec![0]));
    let certifier = Certifier { factories: solvers().to_vec() };
    let last = problem.parts[3..].concat();
    let sequence = Problem::sequence(problem.parts[..3].iter().cloned().chain([last]).collect());
    let tree = Tree::new(vec![Some(2), Some(2), Some(3), None]).expect("a tree");
    let binary = Problem::binary(problem.parts[..2].concat(), problem.parts[2..].concat());
    for problem in [binary, Problem { tree, ..sequence.clone() }, sequence] {
        let found = refutation.interpolants(&mut pool, &problem).expect("interpolants");
        assert_eq!(certifier.certify(&mut pool, &problem, &found, &limits(10)), Ok(()));
    }
}

/// A source that decides, and counts its calls.
struct Deciding(Small);

impl Interpolator for Deciding {
    fn name(&self) -> &str {
        "deciding"
    }

    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn decides(&self) -> bool {
        true
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        self.0.interpolate(pool, problem, limits)
    }
}

/// A check of the whole that takes longer is hard.
const AT_ONCE: Duration = Duration::from_millis(100);

#[test]
fn parts_that_are_hard_as_a_whole_are_refuted_by_sources_that_decide() {
    let calls = Rc::new(RefCell::new(0));
    let inner = newton(&solvers()[0], Direction::Both);
    let small = Small { inner, shape: Shape::Tree, calls: Rc::clone(&calls) };
    let mut pool = TermPool::new();
    let problem = problems::straight_line(&mut pool, Numbers::Int, 3);
    let mut prover = interpolating(vec![Box::new(Deciding(small))]);
    for &formula in problem.parts.iter().flatten() {
        prover.assert(&pool, formula).expect("an assertion");
    }
    let Outcome::Unsat(mut refutation) = prover.check_parts(&mut pool, &problem, AT_ONCE) else {
        panic!("unsatisfiable")
    };
    assert_eq!((refutation.unsat_core(), *calls.borrow()), (Ok(Vec::new()), 1));
    let found = refutation.interpolants(&mut pool, &problem).expect("interpolants");
    assert_eq!((found.len(), *calls.borrow()), (problem.tree.root(), 1), "the interpolants are cached");
    // Satisfiable parts have a model, even if a source claims otherwise.
    let open = Problem::sequence(problem.parts[..4].to_vec());
    let mut prover = interpolating(Vec::new());
    for &formula in open.parts.iter().flatten() {
        prover.assert(&pool, formula).expect("an assertion");
    }
    assert!(matches!(prover.check_parts(&mut pool, &open, AT_ONCE), Outcome::Sat(_)));
}

/// A source whose own interpolants contradict the rest is at fault.
#[test]
fn satisfiable_is_said_only_of_the_whole() {
    let mut pool = TermPool::new();
    let problem = problems::straight_line(&mut pool, Numbers::Int, 3);
    let tru = pool.tru();
    let calls = std::cell::Cell::new(0);
    struct Weak<'a>(Term, &'a std::cell::Cell<usize>);
    impl Interpolator for Weak<'_> {
        fn name(&self) -> &str {
            "weak"
        }
        fn shape(&self) -> Shape {
            Shape::Binary
        }
        fn interpolate(&mut self, _: &mut TermPool, _: &Problem, _: &Limits) -> Interpolants {
            self.1.set(self.1.get() + 1);
            if self.1.get() == 1 {
                Interpolants::Found(vec![self.0])
            } else {
                Interpolants::Satisfiable(None)
            }
        }
    }
    let mut ask = |tree: TreeStrategy, calls: &std::cell::Cell<usize>| {
        let strategy = Strategy { tree, ..Strategy::default() };
        backends::interpolation::lift(&mut Weak(tru, calls), strategy, &mut pool, &problem, &limits(10))
    };
    let answer = ask(TreeStrategy::Binary, &calls);
    assert!(matches!(answer, Interpolants::Unknown(Reason::Fault(_))), "{answer:?}");
    // The first problem consists of the whole problem.
    assert_eq!(ask(TreeStrategy::Binary, &std::cell::Cell::new(1)), Interpolants::Satisfiable(None));
}

/// Newton may give up if a quantifier cannot be eliminated, but its answers must be correct.
#[test]
#[ignore = "slow"]
fn newton_is_never_refuted_on_random_problems() {
    let solver = &solvers()[0];
    for theory in random::THEORIES {
        let (mut unsatisfiable, mut answered) = (0, 0);
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let mut pool = TermPool::new();
            let size = 2 + random.below(5);
            let conjuncts = 6 + random.below(8);
            let problem = random::problem(&mut pool, &mut random, theory, size, conjuncts);
            let mut prover = solver.new_prover("ALL", &limits(5)).expect("a prover");
            let is_asserted = problem.parts.iter().flatten().all(|&term| prover.assert(&pool, term).is_ok());
            if !is_asserted || prover.status(&pool, &[]) != backends::Status::Unsat {
                continue;
            }
            unsatisfiable += 1;
            for &direction in EACH {
                let mut interpolation = with_certifier(vec![Box::new(newton(solver, direction))]);
                let answer = interpolation.solve(&mut pool, &problem, &limits(5));
                if let Some(fault) = interpolation.faults.first() {
                    panic!("{theory:?} {seed} {direction:?}: {}\n{}", fault.fault, fault.problem);
                }
                answered += usize::from(answer.is_ok());
            }
        }
        // Only arrays and functions have formulas without a projection.
        let expected = match theory {
            random::Theory::Arrays | random::Theory::Functions => 2 * unsatisfiable * 9 / 10,
            _ => 2 * unsatisfiable,
        };
        assert!(
            unsatisfiable > 50 && answered >= expected,
            "{theory:?}: {answered} of {}",
            2 * unsatisfiable
        );
    }
}

/// `0 < x` against `x < 5`.
fn satisfiable(pool: &mut TermPool) -> (Problem, Term) {
    let x = pool.symbol("x", Sort::Int);
    let (zero, five) = (pool.int(0), pool.int(5));
    (Problem::binary(vec![pool.lt(zero, x)], vec![pool.lt(x, five)]), x)
}

#[test]
fn a_source_over_a_prover_has_a_witness() {
    let mut pool = TermPool::new();
    let (problem, _) = satisfiable(&mut pool);
    let answer = newton(&solvers()[0], Direction::Both).interpolate(&mut pool, &problem, &limits(10));
    let Interpolants::Satisfiable(Some(mut witness)) = answer else { panic!("{answer:?}") };
    assert!(witness.satisfies(&pool, &problem));
    let whole = pool.and(&problem.parts.concat());
    assert_eq!(witness.eval(&pool, whole), Ok(Value::Bool(true)));
}

#[test]
fn a_witness_is_handed_on_only_if_it_satisfies_the_parts() {
    struct Claims(Witness);
    impl Interpolator for Claims {
        fn name(&self) -> &str {
            "claims"
        }
        fn shape(&self) -> Shape {
            Shape::Tree
        }
        fn decides(&self) -> bool {
            true
        }
        fn interpolate(&mut self, _: &mut TermPool, _: &Problem, _: &Limits) -> Interpolants {
            Interpolants::Satisfiable(Some(self.0.clone()))
        }
    }
    let mut pool = TermPool::new();
    let (problem, x) = satisfiable(&mut pool);
    let Op::Symbol(x) = pool.op(x) else { unreachable!("x is a symbol") };
    for (value, is_right) in [(3, true), (7, false)] {
        let witness = Witness { values: vec![(x, Value::Int(value.into()))] };
        let mut interpolation = with_certifier(vec![Box::new(Claims(witness.clone()))]);
        let answer = interpolation.refute(&mut pool, &problem, &limits(10));
        assert_eq!(answer == Interpolants::Satisfiable(Some(witness)), is_right, "{answer:?}");
    }
}
