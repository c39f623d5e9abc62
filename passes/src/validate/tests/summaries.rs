//! Summaries: a correct certificate, certificates that do not fit, and all small mutations of a
//! certificate against an exhaustive check of its conditions.

use super::*;
use crate::evidence::{Place, Predicate, Summaries};
use crate::procedures::ProcedureSystem;
use crate::transform::{Procedures, ViewLimits, prepare_for_views};
use program::ssa::{Function, Program};
use program::text::parse_text;
use std::collections::BTreeMap;
use terms::{Representation, Term, TermPool};
use views::BlockOperator;

/// `f(n)` counts to `n`, and `main` reaches an error if `f(x)` is not `x`.
const COUNT: &str = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    v0: u4 \"x\" = havoc input \"nondet\"
    v1: u4 = call f1(v0)
    branch (= v1 v0) then b2 else b1
  block b1:
    error p0
  block b2:
    stop exit
}
function f1 \"f\" (u4) -> u4 {
  block b0(v0: u4 \"n\"):
    branch (= v0 #x0) then b1 else b2
  block b1:
    return #x0
  block b2:
    v1: u4 = call f1((bvsub v0 #x1))
    return (bvadd v1 #x1)
}
";

const MAIN: Function = Function(0);
const F: Function = Function(1);

/// The number of values of the variables.
const VALUES: usize = 16;

/// A predicate over `n`, or over `n` and the result.
type One = [bool; VALUES];
type Two = [[bool; VALUES]; VALUES];

/// The predicates of a certificate.
#[derive(Clone)]
struct Tables {
    /// Before the call in `main`, over `x`.
    start: One,
    context: One,
    /// Before the call in `f`.
    before: One,
    summary: Two,
}

impl Tables {
    fn correct() -> Self {
        let mut summary = [[false; VALUES]; VALUES];
        (0..VALUES).for_each(|n| summary[n][n] = true);
        let mut before = [true; VALUES];
        before[0] = false;
        Tables { start: [true; VALUES], context: [true; VALUES], before, summary }
    }

    /// The conditions of the certificate, checked for all values.
    fn is_valid(&self) -> bool {
        (0..VALUES).all(|n| {
            let previous = (n + VALUES - 1) % VALUES;
            let returns = |result: usize| {
                let after = (result + 1) % VALUES;
                !self.before[n] || !self.summary[previous][result] || self.summary[n][after]
            };
            self.start[n]
                && self.context[n]
                && (n != 0 || self.summary[0][0])
                && (n == 0 || self.before[n])
                && (!self.before[n] || self.context[previous])
                && (0..VALUES).all(|result| returns(result) && (!self.summary[n][result] || result == n))
        })
    }
}

struct Counting {
    pool: TermPool,
    program: Program,
    calls: BTreeMap<Function, Place>,
}

impl Counting {
    fn new() -> Self {
        let mut pool = TermPool::new();
        let program = parse_text(&mut pool, COUNT).unwrap_or_else(|error| panic!("{error}"));
        let mut prepared = program.clone();
        prepare_for_views(&mut pool, &mut prepared, limits(), &Pipeline::none()).expect("prepared");
        let theories = Theories::of(Encoding::QfAbvfp);
        let system =
            ProcedureSystem::new(&mut pool, &prepared, BlockOperator::L, theories).expect("a system");
        let calls = system.states.values().filter(|state| matches!(state.place, Place::Call(_)));
        let calls = calls.map(|state| (state.function, state.place)).collect();
        Counting { pool, program, calls }
    }

    fn predicate(&mut self, names: &[&str], formula: impl Fn(&mut TermPool, &[Term]) -> Term) -> Predicate {
        let pool = &mut self.pool;
        let symbol = |name: &&str| pool.fresh_symbol(name, Sort::BitVec(4), Representation::Unsigned);
        let arguments: Vec<Term> = names.iter().map(symbol).collect();
        let formula = formula(&mut self.pool, &arguments);
        Predicate { arguments, formula }
    }

    fn one(&mut self, table: &One) -> Predicate {
        self.predicate(&["n"], |pool, arguments| {
            let is_in = |n: &usize| table[*n];
            let values = (0..VALUES).filter(is_in).map(|n| pool.bv(4, n as u64)).collect::<Vec<Term>>();
            let equal: Vec<Term> = values.into_iter().map(|value| pool.eq(arguments[0], value)).collect();
            pool.or(&equal)
        })
    }

    fn two(&mut self, table: &Two) -> Predicate {
        self.predicate(&["n", "result"], |pool, arguments| {
            let mut points = Vec::new();
            for (n, row) in table.iter().enumerate() {
                for result in (0..VALUES).filter(|&result| row[result]) {
                    let values = [pool.bv(4, n as u64), pool.bv(4, result as u64)];
                    let equal = [pool.eq(arguments[0], values[0]), pool.eq(arguments[1], values[1])];
                    points.push(pool.and(&equal));
                }
            }
            pool.or(&points)
        })
    }

    fn summaries(&mut self, tables: &Tables) -> Summaries {
        let predicates = [
            ((MAIN, self.calls[&MAIN]), self.one(&tables.start)),
            ((F, Place::Entry), self.one(&tables.context)),
            ((F, self.calls[&F]), self.one(&tables.before)),
            ((F, Place::Exit), self.two(&tables.summary)),
        ];
        let theories = Theories::of(Encoding::QfAbvfp);
        Summaries { theories, pipeline: Pipeline::none(), limits: limits(), at: predicates.into() }
    }

    fn check(&mut self, summaries: Summaries) -> Result<Validated, NotValidated> {
        let certificate = Certificate::Summaries(Box::new(summaries));
        let limits = Limits::default();
        validate(&mut self.pool, &self.program, &certificate, &backend_yices::factory(), &limits)
    }
}

fn limits() -> ViewLimits {
    ViewLimits { procedures: Procedures::Recursive, ..ViewLimits::default() }
}

#[test]
fn correct_summaries_are_accepted() {
    let mut counting = Counting::new();
    let summaries = counting.summaries(&Tables::correct());
    let result = counting.check(summaries);
    assert!(matches!(result, Ok(Validated { checks: 7, .. })), "{result:?}");
}

#[test]
fn a_summary_that_is_missing_is_noticed() {
    let mut counting = Counting::new();
    let mut summaries = counting.summaries(&Tables::correct());
    summaries.at.remove(&(F, Place::Exit));
    let result = counting.check(summaries);
    let claim = |claim: &Claim| matches!(claim, Claim::Safety { .. });
    assert!(
        matches!(&result, Err(NotValidated::Rejected(Rejection::Refuted(refuted))) if claim(refuted)),
        "{result:?}"
    );
}

#[test]
fn predicates_that_do_not_fit_are_rejected() {
    let rejection = |change: fn(&mut Counting, &mut Summaries)| {
        let mut counting = Counting::new();
        let mut summaries = counting.summaries(&Tables::correct());
        change(&mut counting, &mut summaries);
        match counting.check(summaries) {
            Err(NotValidated::Rejected(rejection)) => rejection,
            other => panic!("it should be rejected: {other:?}"),
        }
    };
    let no_place = rejection(|counting, summaries| {
        let predicate = counting.one(&[true; VALUES]);
        summaries.at.insert((F, Place::Block(Block(77))), predicate);
    });
    assert_eq!(no_place, Rejection::NoSuchPlace(Start::Place(F, Place::Block(Block(77)))));
    let no_context = rejection(|counting, summaries| {
        let predicate = counting.one(&[true; VALUES]);
        summaries.at.insert((MAIN, Place::Entry), predicate);
    });
    assert_eq!(no_context, Rejection::NoSuchPlace(Start::Place(MAIN, Place::Entry)));
    let arity = rejection(|counting, summaries| {
        let predicate = counting.one(&[true; VALUES]);
        summaries.at.insert((F, Place::Exit), predicate);
    });
    assert!(matches!(arity, Rejection::Arity { arguments: 1, variables: 2, .. }), "{arity:?}");
    let foreign = rejection(|counting, summaries| {
        let [other, mut predicate] = [counting.one(&[false; VALUES]), counting.one(&[true; VALUES])];
        predicate.formula = counting.pool.eq(other.arguments[0], predicate.arguments[0]);
        summaries.at.insert((F, Place::Entry), predicate);
    });
    assert!(matches!(foreign, Rejection::ForeignSymbol { .. }), "{foreign:?}");
}

#[test]
fn exactly_the_mutants_that_are_still_proofs_are_accepted() {
    let mut counting = Counting::new();
    let (mut accepted, mut rejected) = (0, 0);
    let mut judge = |tables: &Tables| {
        let summaries = counting.summaries(tables);
        let expected = tables.is_valid();
        match counting.check(summaries) {
            Ok(_) => assert!(expected),
            Err(NotValidated::Rejected(Rejection::Refuted(_))) => assert!(!expected),
            Err(other) => panic!("{other:?}"),
        }
        *(if expected { &mut accepted } else { &mut rejected }) += 1;
    };
    for n in 0..VALUES {
        let flipped = |flip: fn(&mut Tables, usize)| {
            let mut tables = Tables::correct();
            flip(&mut tables, n);
            tables
        };
        judge(&flipped(|tables, n| tables.start[n] = false));
        judge(&flipped(|tables, n| tables.context[n] = false));
        judge(&flipped(|tables, n| tables.before[n] = !tables.before[n]));
        for result in (0..VALUES).step_by(3) {
            let mut tables = Tables::correct();
            tables.summary[n][result] = !tables.summary[n][result];
            judge(&tables);
        }
    }
    assert!(accepted >= 1 && rejected >= 100, "{accepted} accepted, {rejected} rejected");
}
