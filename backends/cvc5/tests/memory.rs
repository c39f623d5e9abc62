//! A test binary of its own, since it measures the memory of the process.

use backends::{Limits, ProverFactory};
use terms::{Sort, TermPool};

#[test]
fn provers_leave_no_memory_behind() {
    fn resident() -> u64 {
        let status = std::fs::read_to_string("/proc/self/statm").unwrap();
        status.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 4096
    }
    let factory = backend_cvc5::factory();
    let mut pool = TermPool::new();
    let mut sum = pool.symbol("x0", Sort::Int);
    let zero = pool.int(0);
    let mut formulas = Vec::new();
    for i in 1..50 {
        let next = pool.symbol(&format!("x{i}"), Sort::Int);
        sum = pool.add(&[sum, next]);
        formulas.push(pool.lt(zero, sum));
    }
    let mut after_warming_up = 0;
    for round in 0..1000 {
        if round == 200 {
            after_warming_up = resident();
        }
        let mut prover = factory.new_prover("QF_LIA", &Limits::default()).unwrap();
        prover.push().unwrap();
        for &formula in &formulas {
            prover.assert(&pool, formula).unwrap();
        }
        if round % 2 == 0 {
            let _ = prover.status(&pool, &[]);
            prover.push().unwrap();
            prover.assert(&pool, formulas[0]).unwrap();
        }
    }
    let grown = resident().saturating_sub(after_warming_up);
    // A leak of a prover would be about 300 KB, 240 MB in total.
    assert!(grown < 40 << 20, "{} KB in 800 provers", grown >> 10);
}
