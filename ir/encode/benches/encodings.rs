//! The size of the formula of a block in each encoding: a straight line of `n` accesses to one
//! array, half of them writes and half reads, at unknown addresses. Prints the distinct nodes of
//! formula and constraints per access, and the time of the translation.
//!
//! The nodes per access do not depend on `n`, except in the encodings without quantifiers and
//! arrays, in which they grow with `n` until the translation fails (see the documentation of the
//! crate).

#![allow(clippy::print_stdout, reason = "a bench prints")]

use encode::{Encoder, Encoding, Overflow};
use std::time::Instant;
use terms::{Op, Representation, Sort, Term, TermPool};

fn main() {
    println!("nodes per access (microseconds per access)\n");
    print!("{:12}", "accesses");
    let counts = [10, 30, 100, 300, 1000, 3000, 10_000];
    for count in counts {
        print!("{count:>16}");
    }
    println!();
    for encoding in Encoding::ALL {
        print!("{:12}", encoding.name());
        for count in counts {
            match measure(encoding, count) {
                Some((nodes, time)) => print!("{:>16}", format!("{nodes:.1} ({time:.1})")),
                None => print!("{:>16}", "too large"),
            }
        }
        println!();
    }
}

fn measure(encoding: Encoding, accesses: usize) -> Option<(f64, f64)> {
    let mut pool = TermPool::new();
    let block = block(&mut pool, accesses);
    let mut encoder = Encoder::new(encoding, Overflow::Wrap);
    let start = Instant::now();
    let translated = encoder.formula(&mut pool, block).ok()?;
    let mut formulas = encoder.take_constraints();
    let time = start.elapsed();
    formulas.push(translated);
    let mut nodes = 0u64;
    let visited = |term: Term| nodes += u64::from(!matches!(pool.op(term), Op::True));
    pool.visit(&formulas, |_| true, visited);
    Some((nodes as f64 / accesses as f64, time.as_secs_f64() * 1e6 / accesses as f64))
}

/// `a[x0] = y0; sum += a[x1]; a[x2] = y2; …` as a formula about the sum.
fn block(pool: &mut TermPool, accesses: usize) -> Term {
    let sort = pool.array_sort(Sort::BitVec(64), Sort::BitVec(32));
    let mut memory = pool.symbol("memory", sort);
    let mut sum = pool.bv(32, 0);
    for access in 0..accesses {
        let address = pool.symbol_with(&format!("x{access}"), Sort::BitVec(64), Representation::Unsigned);
        if access % 2 == 0 {
            let value = pool.symbol_with(&format!("y{access}"), Sort::BitVec(32), Representation::Signed);
            memory = pool.store(memory, address, value);
        } else {
            let read = pool.select(memory, address);
            sum = pool.bv_add(sum, read);
        }
    }
    let total = pool.symbol("total", Sort::BitVec(32));
    pool.eq(sum, total)
}
