//! Solving in child processes: a dead worker costs one answer, and no worker outlives its parent.

use backends::effort::Moment;
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolants, InterpolatorFactory, Preference, Problem};
use backends::worker::{Isolated, IsolatedInterpolation, Workers};
use backends::{Interrupt, Limits, Outcome, ProverFactory, Reason, Registry, Status};
use hornwork_tests::misbehave::{self, Behavior, HANGING_PARENT};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use terms::{Op, Sort, Term, TermPool, Value};

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

/// Workers of one test. Each test of a process has its own memory limit, which identifies its
/// workers.
fn workers(grace: Duration) -> (Rc<Workers>, String) {
    static NEXT: AtomicU64 = AtomicU64::new(2001);
    let megabytes = NEXT.fetch_add(1, Ordering::Relaxed);
    (misbehave::workers(Path::new(PROGRAM), megabytes, grace), megabytes.to_string())
}

fn solver(name: &str, workers: &Rc<Workers>) -> Isolated {
    let registry = misbehave::registry();
    Isolated::new(Rc::clone(registry.prover(name).expect("the solver is built in")), Rc::clone(workers))
}

fn misbehaving(workers: &Rc<Workers>) -> Isolated {
    solver(misbehave::NAME, workers)
}

fn limits(time: Duration) -> Limits {
    Limits { time: Some(time), ..Limits::default() }
}

/// The memory limit of the workers whose parent is killed; used by no test.
const ORPHANED: &str = "1999";

/// Whether `id` is a child of this process.
fn is_own(id: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    parent.and_then(|text| text.trim().parse().ok()) == Some(std::process::id())
}

/// The live workers with this memory limit: of this process, or of the killed parent.
fn living(megabytes: &str) -> Vec<Pid> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("there is /proc").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let arguments: Vec<&[u8]> = arguments.split(|&byte| byte == 0).collect();
        if arguments.get(1) == Some(&misbehave::WORKER.as_bytes())
            && arguments.get(2) == Some(&megabytes.as_bytes())
            && (megabytes == ORPHANED || is_own(id))
        {
            found.extend(Pid::from_raw(id));
        }
    }
    found
}

/// Whether all workers with this limit exit within a second.
fn are_gone(megabytes: &str) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        if living(megabytes).is_empty() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// The status of one check while `behavior` is asserted; asserts that the prover works as before
/// afterwards.
fn survive(behavior: Behavior, limits: &Limits, grace: Duration) -> Status {
    let (workers, megabytes) = workers(grace);
    let factory = misbehaving(&workers);
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Int);
    let (zero, five) = (pool.int(0), pool.int(5));
    let (low, high) = (pool.lt(zero, x), pool.lt(x, five));
    let too_high = pool.lt(five, x);
    let mut prover = factory.new_prover("ALL", limits).expect("all logics are accepted");
    prover.assert(&pool, low).expect("a comparison can be asserted");
    prover.push().expect("a scope can be opened");
    prover.assert(&pool, high).expect("a comparison can be asserted");
    prover.push().expect("a scope can be opened");
    let trigger = behavior.formula(&mut pool);
    prover.assert(&pool, trigger).expect("a symbol can be asserted");
    let status = prover.status(&pool, &[]);
    prover.pop().expect("the scope is open");
    let Outcome::Sat(mut model) = prover.check(&pool, &[]) else { panic!("{behavior:?}: not satisfiable") };
    let value = model.eval(&pool, x).expect("the model has a value");
    assert!(matches!(&value, Value::Int(value) if (1..5).any(|n| *value == n.into())), "{value}");
    drop(model);
    assert_eq!(prover.status(&pool, &[too_high]), Status::Unsat, "{behavior:?}");
    prover.pop().expect("the scope is open");
    assert_eq!(prover.status(&pool, &[too_high]), Status::Sat, "{behavior:?}");
    assert!(matches!(prover.pop(), Err(Reason::Misuse(_))));
    drop(prover);
    drop(factory);
    drop(workers);
    assert!(are_gone(&megabytes), "{behavior:?} left workers behind");
    status
}

fn fault(status: &Status) -> &str {
    match status {
        Status::Unknown(Reason::Fault(text)) => text,
        other => panic!("not a fault: {other:?}"),
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_segmentation_fault_is_a_reason() {
    let status = survive(Behavior::Segfault, &Limits::default(), SECOND);
    assert_eq!(fault(&status), "the solver crashed: signal 11 (SIGSEGV)");
}

#[test]
fn an_abort_is_a_reason_with_the_last_words() {
    let status = survive(Behavior::Abort, &Limits::default(), SECOND);
    assert_eq!(fault(&status), "the solver crashed: signal 6 (SIGABRT): terminate called after throwing");
}

#[test]
fn an_exit_is_a_reason() {
    let status = survive(Behavior::Exit, &Limits::default(), SECOND);
    assert_eq!(fault(&status), "the solver ended its process with code 3");
}

#[test]
fn a_panic_is_a_reason() {
    let status = survive(Behavior::Panic, &Limits::default(), SECOND);
    assert!(fault(&status).contains("a bug in a binding"), "{status:?}");
}

#[test]
fn the_effort_of_a_worker_counts_and_limits_it() {
    let (workers, _) = workers(SECOND);
    let factory = solver("yices", &workers);
    let mut pool = TermPool::new();
    // Factors of a product of two primes.
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(80)));
    let (one, most) = (pool.bv(80, 1), pool.bv(80, 1 << 40));
    let number = pool.bv(80, 1_000_000_016_000_000_063);
    let product = pool.bv_mul(x, y);
    let formulas = [
        pool.eq(product, number),
        pool.bv_ult(one, x),
        pool.bv_ult(x, most),
        pool.bv_ult(one, y),
        pool.bv_ult(y, most),
    ];
    let limit = Duration::from_millis(400);
    let mut prover = factory.new_prover("QF_BV", &limits(limit)).expect("all logics are accepted");
    for formula in formulas {
        prover.assert(&pool, formula).expect("a comparison can be asserted");
    }
    let (start, clock) = (Moment::now(), Instant::now());
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Timeout));
    let spent = start.elapsed();
    assert!(spent >= limit / 2, "{spent:?} of {:?}", clock.elapsed());
}

#[test]
fn a_limit_beyond_all_times_is_none() {
    let (workers, _) = workers(SECOND);
    let factory = solver("yices", &workers);
    let pool = TermPool::new();
    for limits in [Limits::default().within(Duration::MAX), limits(Duration::MAX)] {
        let mut prover = factory.new_prover("QF_BV", &limits).expect("all logics are accepted");
        assert_eq!(prover.status(&pool, &[]), Status::Sat);
        // By now the worker has used CPU time.
        assert_eq!(prover.status(&pool, &[]), Status::Sat);
    }
}

#[test]
fn an_endless_call_is_a_timeout() {
    let start = Instant::now();
    let status = survive(Behavior::Hang, &limits(Duration::from_millis(200)), Duration::from_millis(300));
    assert_eq!(status, Status::Unknown(Reason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn what_a_killed_worker_spent_counts() {
    let start = Moment::now();
    let limit = Duration::from_millis(200);
    let status = survive(Behavior::Spin, &limits(limit), Duration::from_millis(100));
    assert_eq!(status, Status::Unknown(Reason::Timeout));
    assert!(start.elapsed() >= limit, "{:?}", start.elapsed());
}

#[test]
fn an_endless_call_can_be_interrupted() {
    let interrupt = Interrupt::default();
    let trigger = interrupt.clone();
    let (workers, _) = workers(Duration::from_millis(200));
    let factory = misbehaving(&workers);
    let mut pool = TermPool::new();
    let formula = Behavior::Hang.formula(&mut pool);
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let mut prover = factory.new_prover("ALL", &limits).expect("all logics are accepted");
    prover.assert(&pool, formula).expect("a symbol can be asserted");
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        trigger.trigger();
    });
    let start = Instant::now();
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    thread.join().expect("the thread only waits");
}

#[test]
fn a_runaway_of_memory_is_a_reason() {
    let status = survive(Behavior::Eat, &limits(Duration::from_secs(60)), SECOND);
    assert_eq!(status, Status::Unknown(Reason::Memory));
}

#[test]
fn what_a_library_prints_does_no_harm() {
    assert_eq!(survive(Behavior::Print, &Limits::default(), SECOND), Status::Sat);
}

#[test]
fn an_assertion_that_the_solver_refuses_makes_its_scope_undecided() {
    let status = survive(Behavior::Refuse, &Limits::default(), SECOND);
    assert_eq!(status, Status::Unknown(Reason::Unsupported("a refused symbol".to_owned())));
}

/// `n` has a divisor between 2 and itself: this needs a search, and the answer is known.
fn is_composite(pool: &mut TermPool, n: u64) -> (Term, bool) {
    let (x, y) = (pool.symbol("x", Sort::BitVec(16)), pool.symbol("y", Sort::BitVec(16)));
    let (one, wanted) = (pool.bv(16, 1), pool.bv(16, n));
    let product = pool.bv_mul(x, y);
    let parts = [
        pool.bv_ult(one, x),
        pool.bv_ult(x, wanted),
        pool.bv_ult(one, y),
        pool.bv_ult(y, wanted),
        pool.eq(product, wanted),
    ];
    (pool.and(&parts), (2..n).any(|d| n.is_multiple_of(d)))
}

/// A hundred queries; in the middle of one of them, `signal` is sent to the worker.
fn hundred_queries(signal: Signal) {
    let (workers, megabytes) = workers(SECOND);
    let factory = misbehaving(&workers);
    let mut pool = TermPool::new();
    let mut prover = factory.new_prover("ALL", &Limits::default()).expect("all logics are accepted");
    let (x, y) = (pool.symbol("x", Sort::BitVec(16)), pool.symbol("y", Sort::BitVec(16)));
    // Without this assertion, overflowing products would make every number composite, so losing it
    // would be noticed.
    let bound = pool.bv(16, 256);
    for symbol in [x, y] {
        let small = pool.bv_ult(symbol, bound);
        prover.assert(&pool, small).expect("a comparison can be asserted");
    }
    let slow = Behavior::Slow.formula(&mut pool);
    let mut lost = Vec::new();
    for query in 0..100 {
        let (formula, expected) = is_composite(&mut pool, 7 + 2 * query);
        prover.push().expect("a scope can be opened");
        prover.assert(&pool, formula).expect("a formula can be asserted");
        let killer = (query == 50).then(|| {
            prover.assert(&pool, slow).expect("a symbol can be asserted");
            let megabytes = megabytes.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(300));
                let workers = living(&megabytes);
                assert_eq!(workers.len(), 1, "one prover has one worker");
                // Rust's runtime survives the first segmentation fault that comes from outside.
                for _ in 0..2 {
                    let _ = kill_process(workers[0], signal);
                    std::thread::sleep(Duration::from_millis(20));
                }
            })
        });
        match prover.status(&pool, &[]) {
            Status::Unknown(reason) => lost.push((query, reason)),
            status => assert_eq!(status == Status::Sat, expected, "query {query}"),
        }
        if let Some(killer) = killer {
            killer.join().expect("the worker was found");
        }
        prover.pop().expect("the scope is open");
    }
    assert!(matches!(&lost[..], [(50, Reason::Fault(_))]), "{lost:?}");
    assert_eq!(workers.started(), 2);
}

#[test]
fn a_worker_killed_amid_a_hundred_queries_costs_one() {
    hundred_queries(Signal::KILL);
}

#[test]
fn a_worker_that_segfaults_amid_a_hundred_queries_costs_one() {
    hundred_queries(Signal::SEGV);
}

#[test]
fn a_worker_killed_between_queries_costs_no_assertion() {
    let (workers, megabytes) = workers(SECOND);
    let mut pool = TermPool::new();
    let mut prover = misbehaving(&workers).new_prover("ALL", &Limits::default()).expect("all logics");
    let x = pool.symbol("x", Sort::Bool);
    let not_x = pool.not(x);
    prover.assert(&pool, x).expect("a symbol can be asserted");
    let Outcome::Sat(mut model) = prover.check(&pool, &[]) else { panic!("x is satisfiable") };
    for worker in living(&megabytes) {
        kill_process(worker, Signal::KILL).expect("an own child can be killed");
    }
    let Op::Symbol(symbol) = pool.op(x) else { unreachable!("x is a symbol") };
    // The model died with its worker: every use yields a reason.
    assert!(matches!(model.value(&pool, symbol), Err(Reason::Fault(_))));
    assert!(matches!(model.eval(&pool, x), Err(Reason::Fault(_))));
    drop(model);
    assert_eq!(prover.status(&pool, &[not_x]), Status::Unsat);
    assert_eq!(prover.status(&pool, &[x]), Status::Sat);
}

#[test]
fn idle_workers_are_used_again() {
    let (workers, megabytes) = workers(SECOND);
    let factory = misbehaving(&workers);
    for round in 0..20 {
        let mut pool = TermPool::new();
        // The same name has a different sort each time: no state of the previous conversation
        // remains.
        let x = pool.symbol("x", Sort::BitVec(round + 1));
        let zero = pool.bv(round + 1, 0);
        let mut prover = factory.new_prover("ALL", &Limits::default()).expect("all logics are accepted");
        let formula = if round.is_multiple_of(2) { pool.bv_ult(x, zero) } else { pool.bv_ule(x, zero) };
        prover.assert(&pool, formula).expect("a comparison can be asserted");
        assert_eq!(prover.status(&pool, &[]) == Status::Sat, !round.is_multiple_of(2));
    }
    assert_eq!(workers.started(), 1);
    drop(factory);
    drop(workers);
    assert!(are_gone(&megabytes));
}

#[test]
fn a_missing_program_is_a_reason() {
    let workers = misbehave::workers(Path::new("/no/such/program"), 1, SECOND);
    let made = misbehaving(&workers).new_prover("ALL", &Limits::default());
    assert!(matches!(made.map(drop), Err(Reason::Fault(text)) if text.contains("no worker can be started")));
}

#[test]
fn a_program_that_is_no_worker_is_a_reason() {
    for program in ["/bin/true", "/bin/echo", "/bin/yes"] {
        let workers = misbehave::workers(Path::new(program), 1, SECOND);
        let made = misbehaving(&workers).new_prover("ALL", &Limits::default());
        assert!(matches!(made.map(drop), Err(Reason::Fault(_))), "{program}");
    }
}

#[test]
fn workers_die_with_a_parent_that_is_killed() {
    let megabytes = ORPHANED;
    let mut parent = Command::new(PROGRAM)
        .args([HANGING_PARENT, megabytes])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the parent can be started");
    let mut line = String::new();
    let output = parent.stdout.take().expect("stdout is piped");
    BufReader::new(output).read_line(&mut line).expect("the parent says that it is ready");
    assert_eq!(line, "ready\n");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(living(megabytes).len(), 1, "the worker hangs");
    parent.kill().expect("an own child can be killed");
    parent.wait().expect("a killed child can be waited for");
    assert!(are_gone(megabytes));
}

#[test]
fn every_solver_passes_the_conformance_suite_in_workers() {
    for factory in hornwork::registry().provers {
        let (workers, _) = workers(SECOND);
        let failures = backends::conformance::run(&Isolated::new(Rc::clone(&factory), workers));
        assert!(failures.is_empty(), "{}:\n{}", factory.name(), failures.join("\n"));
    }
}

#[test]
fn every_source_of_interpolants_passes_the_suite_in_workers() {
    let (workers, _) = workers(SECOND);
    let registry = hornwork::registry();
    let isolated = |factory| Rc::new(Isolated::new(factory, Rc::clone(&workers))) as Rc<dyn ProverFactory>;
    let provers = registry.provers.into_iter().map(isolated).collect();
    let registry = Registry { provers, ..registry };
    let certifier = Certifier::choose(&registry, None, &[]);
    let z3 = registry.prover("z3").expect("Z3 is built in");
    for source in &registry.interpolators {
        let source = IsolatedInterpolation::new(Rc::clone(source), Rc::clone(&workers));
        let failures = backends::conformance::interpolants::run_interpolator(&source, z3, &certifier);
        assert!(failures.is_empty(), "{}:\n{}", source.name(), failures.join("\n"));
    }
}

#[test]
fn a_worker_hands_the_witness_of_satisfiable_parts_on() {
    let (workers, _) = workers(SECOND);
    let source = IsolatedInterpolation::new(backend_craig::proof_interpolator(), Rc::clone(&workers));
    let yices: Rc<dyn ProverFactory> = Rc::new(solver("yices", &workers));
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::BitVec(8)), pool.symbol("y", Sort::BitVec(8)));
    let problem = Problem::binary(vec![pool.bv_ult(x, y)], vec![pool.bv_slt(y, x)]);
    let mut interpolator = source.new_interpolator(&yices, Preference::default());
    let answer = interpolator.interpolate(&mut pool, &problem, &Limits::default());
    let Interpolants::Satisfiable(Some(witness)) = answer else { panic!("{answer:?}") };
    assert_eq!(witness.values.len(), 2);
    assert!(witness.satisfies(&pool, &problem));
}

/// The answer of Yices' interpolation without guards for a problem, in a worker.
fn unguarded(pool: &mut TermPool, a: Vec<Term>, b: Vec<Term>, limits: &Limits) -> Result<Vec<Term>, Reason> {
    let (workers, _) = workers(SECOND);
    let source = IsolatedInterpolation::new(backend_yices::unguarded_interpolator(), Rc::clone(&workers));
    let yices: Rc<dyn ProverFactory> = Rc::new(solver("yices", &workers));
    let mut interpolator = source.new_interpolator(&yices, Preference::default());
    let answer = interpolator.interpolate(pool, &Problem::binary(a, b), limits).of_refuted();
    // The workers still function.
    let guarded = misbehave::registry();
    let guarded = guarded.interpolator("mcsat").expect("the source is built in");
    let mut guarded = IsolatedInterpolation::new(Rc::clone(guarded), workers)
        .new_interpolator(&yices, Preference::default());
    let (x, zero) = (pool.symbol("fine", Sort::Real), pool.real(&num_zero()));
    let (below, above) = (pool.lt(x, zero), pool.lt(zero, x));
    let problem = Problem::binary(vec![below], vec![above]);
    let fine = guarded
        .interpolate(pool, &problem, limits)
        .of_refuted()
        .expect("a simple problem has an interpolant");
    assert_eq!(fine.len(), 1);
    assert_eq!(pool.free_symbols(fine[0]), pool.free_symbols(x));
    answer
}

fn num_zero() -> num_rational::BigRational {
    num_rational::BigRational::from_integer(0.into())
}

#[test]
fn interpolation_over_shared_functions_that_crashes_is_a_reason() {
    let mut pool = TermPool::new();
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let (zero, one) = (pool.int(0), pool.int(1));
    let a = vec![pool.eq(x, y), pool.eq(fx, zero)];
    let b = vec![pool.eq(fy, one), pool.eq(x, y)];
    let answer = unguarded(&mut pool, a, b, &limits(Duration::from_secs(5)));
    assert!(matches!(&answer, Err(Reason::Fault(text)) if text.contains("SIGSEGV")), "{answer:?}");
}

#[test]
fn interpolation_over_shared_arrays_is_refused() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    let (a, b, i) = (pool.symbol("a", sort), pool.symbol("b", sort), pool.symbol("i", Sort::Int));
    let (zero, one) = (pool.int(0), pool.int(1));
    let written = pool.store(a, i, zero);
    let read = pool.select(b, i);
    let left = vec![pool.eq(b, written)];
    let right = vec![pool.eq(read, one), pool.neq(a, b)];
    let answer = unguarded(&mut pool, left, right, &limits(Duration::from_secs(5)));
    assert_eq!(answer, Err(Reason::Fault("mcsat: unsupported theory".to_owned())));
}

#[test]
fn interpolation_that_never_returns_is_a_timeout() {
    let mut pool = TermPool::new();
    let [i, j, k] = ["i", "j", "k"].map(|name| pool.symbol(name, Sort::Int));
    let (one, two) = (pool.int(1), pool.int(2));
    let (even, twice) = (pool.mul(two, j), pool.mul(two, k));
    let odd = pool.add(&[twice, one]);
    let a = vec![pool.eq(i, even)];
    let b = vec![pool.eq(i, odd)];
    let start = Instant::now();
    let answer = unguarded(&mut pool, a, b, &limits(Duration::from_millis(500)));
    assert_eq!(answer, Err(Reason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
