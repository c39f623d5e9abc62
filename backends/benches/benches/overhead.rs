//! 10,000 small incremental checks through the trait and by direct calls. Arguments: names of
//! solvers (default: all).
//!
//! The time includes translating the terms of the pool, as the direct side builds its terms within
//! the time, but not building them in the pool (reported separately).

#![allow(clippy::print_stdout, reason = "a bench prints")]

use backend_benches::workload::{Formulas, Theory};
use backend_benches::{Subject, subjects, timed};
use backends::Limits;
use std::time::Duration;

const CHECKS: u32 = 10_000;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("{CHECKS} times push, assert, check, pop; the fastest run of each side");
    println!(
        "{:8} {:6} {:>12} {:>12} {:>7} {:>14} {:>7} {:>12}",
        "solver", "logic", "direct", "trait", "ratio", "with a limit", "ratio", "our terms"
    );
    for subject in subjects() {
        if names.is_empty() || names.iter().any(|name| name == subject.factory.name()) {
            for theory in [Theory::Lia, Theory::Bv32] {
                compare(&subject, theory);
            }
        }
    }
}

fn compare(subject: &Subject, theory: Theory) {
    let (terms, formulas) = timed(|| Formulas::new(theory, CHECKS));
    let limited = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
    let mut best = [Duration::MAX; 3];
    let mut spent = Duration::ZERO;
    // At least two rounds, and more if they are short.
    for round in 0..20 {
        if round >= 2 && spent > Duration::from_secs(6) {
            break;
        }
        let (direct, expected) = timed(|| (subject.direct)(theory, CHECKS));
        let (ours, found) = timed(|| formulas.run(&*subject.factory, theory, &Limits::default()));
        let (with_limit, found_with_limit) = timed(|| formulas.run(&*subject.factory, theory, &limited));
        assert_eq!([expected, found, found_with_limit], [CHECKS / 2 + u32::from(CHECKS % 2 == 1); 3]);
        for (best, time) in best.iter_mut().zip([direct, ours, with_limit]) {
            *best = (*best).min(time);
            spent += time;
        }
    }
    let [direct, ours, with_limit] = best;
    let ratio = |time: Duration| time.as_secs_f64() / direct.as_secs_f64();
    println!(
        "{:8} {:6} {:>12} {:>12} {:>7.2} {:>14} {:>7.2} {:>12}",
        subject.factory.name(),
        theory.logic(),
        milliseconds(direct),
        milliseconds(ours),
        ratio(ours),
        milliseconds(with_limit),
        ratio(with_limit),
        milliseconds(terms),
    );
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
