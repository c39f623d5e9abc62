//! Bounds of linear terms: intervals, zones, octagons, rates, multiples and templates of the user.
//!
//! A row is `t ≤ d` for a [linear term](crate::linear) `t`; the parameter `d` is an integer. The
//! generators differ in their terms: `±x` ([`Shape::Intervals`]), `±x` and `x - y`
//! ([`Shape::Zones`]; Miné, *A new numerical abstract domain based on difference-bound matrices*,
//! PADO 2001), `±x` and `±x ± y` ([`Shape::Octagons`]; Miné, *The octagon abstract domain*, HOSC
//! 2006), `±(x - c·y)` for [rates](crate::rates) `c` of the program ([`Shape::Rates`]), and
//! `±(c·x - y)` for its [products](crate::multiples) ([`Shape::Multiples`]).
//!
//! # Search Weakening a row by the violating states alone takes as many steps as a loop has
//! iterations. So a row that has changed a few times jumps ahead, as its [`Search`] says. When all
//! rows are inductive, smaller parameters of rows that jumped are tried: the largest value seen,
//! constants of the program, and the middle between parameters that are inductive and those that
//! are not.
//!
//! * [`Search::Enumerate`] never jumps.
//! * [`Search::Extremes`] jumps to the largest value of the term: 2LS's search by halving, whose
//!   first interval is the whole type.
//! * [`Search::Thresholds`] jumps to the next constant that the program compares with the term, or
//!   its neighbor (Blanchet et al., *A static analyzer for large safety-critical software*, PLDI
//!   2003, §7.1.2), then to the extreme. Values of other numbers with which the term is compared
//!   are thresholds too. The steps double, so k thresholds take O(log k) jumps.
//! * [`Search::Gallop`] uses thresholds as well, and after them steps that grow by a factor of 16.
//!
//! Trials between fail one after the other if the least inductive parameter is only a little
//! smaller than the one that is inductive, such as the constant of a callee that is no threshold at
//! the caller. So after a few failures a row descends from its inductive parameter by steps that
//! double, and closes the last gap by halving.
//!
//! Cost: a relation with n numbers has 2n rows (4n for bit vectors, signed and unsigned), n² more
//! with zones, 3n² more with octagons, so only the first numbers are related to each other. A row
//! of 32 bits jumps at most O(log k) + 8 times and has at most about 75 trials.

use crate::linear::{Linear, Sign};
use crate::multiples::multiples;
use crate::rates::{Rates, rates};
use crate::table::{Base, First, Table, Template};
use crate::vocabulary::{Material, symbols_of};
use backends::symbolic::{is_numeric, representation};
use horn::Relation;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::collections::BTreeSet;
use terms::choice;
use terms::entity::SecondaryMap;
use terms::{Op, Representation, Sort, Term, TermPool, Value};

/// How often a row is weakened to the value of a state before it jumps.
pub(crate) const PATIENCE: u32 = 3;
/// The largest number of pairs of numbers of a relation that are related to each other.
const MAX_PAIRS: usize = 120;
/// The largest number of changes of a row that never jumps.
const MAX_CHANGES: u32 = 2000;
/// The largest distance of a galloping row without an extreme, in bits.
const MAX_BITS: u64 = 66;
/// The number of consecutive failures of trials between, after which a row descends from its
/// inductive parameter.
const MAX_FAILURES: u32 = 4;

/// Which linear terms have bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `±x`.
    Intervals,
    /// `±x` and `x - y`.
    Zones,
    /// `±x` and `±x ± y`.
    Octagons,
    /// `±(x - c·y)` for a number that changes at most `c` times as fast as a counter.
    Rates,
    /// `±(c·x - y)` for products `c·x` of the program.
    Multiples,
    /// Given terms: factors and names of arguments.
    Templates(Vec<Sum>),
}

/// `Σ cᵢ·xᵢ` over names of arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum(pub Vec<(i64, String)>);

choice! {
    /// How a row jumps, see the [module](self).
    #[derive(Default)]
    Search {
        Enumerate = "enumerate", "to the value of each violating state";
        Extremes = "extremes", "to the largest value of the type";
        Thresholds = "thresholds", "to constants of the program, then to the largest value of the type";
        #[default]
        Gallop = "gallop", "to constants of the program, then by growing steps";
    }
}

/// The names of the arguments of each relation.
type Names = SecondaryMap<Relation, Vec<(String, Term)>>;

/// The domain of bounds of terms of a shape.
pub(crate) fn bounds(pool: &mut TermPool, base: &Base<'_>, shape: Shape) -> Table<Bound> {
    let name = match shape {
        Shape::Intervals => "intervals",
        Shape::Zones => "zones",
        Shape::Octagons => "octagons",
        Shape::Rates => "rates",
        Shape::Multiples => "multiples",
        Shape::Templates(_) => "templates",
    };
    let mut names = Names::new();
    for (relation, data) in base.system.relations.iter() {
        let pairs = data.arguments.iter().map(|argument| (argument.name.clone(), argument.symbol));
        names[relation] = pairs.collect();
    }
    let rates = if shape == Shape::Rates { rates(pool, base.system) } else { Rates::new() };
    let search = base.search;
    Table::new(name, base, move |pool, first| {
        let terms = linear_terms(pool, &shape, (&names, &rates), first);
        terms.into_iter().map(|linear| Bound::new(pool, first, linear, search)).collect()
    })
}

/// A row `linear ≤ parameter`.
pub(crate) struct Bound {
    linear: Linear,
    parameter: Parameter,
    /// A parameter below the least inductive one: the largest value of a state before the first
    /// jump, or a trial that failed.
    low: BigInt,
    changes: u32,
    jumps: u32,
    /// The search between parameters that are inductive and those that are not.
    jumped: Option<Jumped>,
    search: Search,
    /// Ascending.
    thresholds: Vec<BigInt>,
}

/// A row that jumped beyond the states seen.
struct Jumped {
    /// An inductive parameter, as soon as there is one.
    high: BigInt,
    /// A smaller one on trial.
    trial: Option<BigInt>,
    phase: Phase,
}

/// How the next smaller parameter is chosen.
enum Phase {
    /// The largest value seen, because many rows jumped for nothing.
    Seen,
    /// A parameter between, unless too many trials failed one after the other.
    Between { failures: u32 },
    /// The parameter in this distance from the inductive one, which doubles: the least one is often
    /// close to a threshold, and halving a gap of 32 bits would fail 30 times before it is found.
    /// The number of steps is limited.
    Descend { step: BigInt, left: u32 },
    /// A parameter between, until nothing is: the last step of a descent was too long.
    Close,
    /// None: the next smaller parameter is not inductive.
    Done,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Parameter {
    /// No state yet.
    Empty,
    AtMost(BigInt),
    Unbounded,
}

fn linear_terms(
    pool: &mut TermPool,
    shape: &Shape,
    (names, rates): (&Names, &Rates),
    first: &First<'_>,
) -> Vec<Linear> {
    let mut found = Vec::new();
    match shape {
        Shape::Intervals => {
            for &x in &first.material.numbers {
                for &signedness in signednesses(pool, x) {
                    found.extend(Sign::BOTH.map(|sign| Linear::single(pool, sign, x, signedness)));
                }
            }
        }
        Shape::Zones | Shape::Octagons => {
            for &x in &first.material.numbers {
                let own = representation(pool, x);
                found.extend(Sign::BOTH.map(|sign| Linear::single(pool, sign, x, own)));
            }
            for (x, y) in comparable(pool, first.material) {
                for (a, b) in [(1, -1), (-1, 1), (1, 1), (-1, -1)] {
                    if *shape == Shape::Octagons || a != b {
                        found.extend(Linear::sum(pool, &[(a, x), (b, y)]));
                    }
                }
            }
        }
        Shape::Rates => {
            let is_number = |&(_, x): &(i64, Term)| first.material.numbers.contains(&x);
            let own = rates[first.relation].iter().filter(|sum| sum.iter().all(is_number));
            found.extend(own.filter_map(|sum| Linear::sum(pool, sum)));
        }
        Shape::Multiples => {
            let own = multiples(pool, first.material);
            found.extend(own.iter().filter_map(|sum| Linear::sum(pool, sum)));
        }
        Shape::Templates(templates) => {
            let own = &names[first.relation];
            for template in templates {
                let is_named = |own: &str, name: &str| own == name || source_name(own) == name;
                let symbol = |name: &String| own.iter().find(|(own, _)| is_named(own, name)).map(|&(_, x)| x);
                let parts = template.0.iter().map(|(factor, name)| Some((*factor, symbol(name)?)));
                let Some(parts) = parts.collect::<Option<Vec<(i64, Term)>>>() else { continue };
                if parts.iter().all(|&(_, x)| is_numeric(pool.sort(x))) {
                    found.extend(Linear::sum(pool, &parts));
                    let negated: Vec<(i64, Term)> =
                        parts.iter().map(|&(factor, x)| (factor.wrapping_neg(), x)).collect();
                    found.extend(Linear::sum(pool, &negated));
                }
            }
        }
    }
    found.retain(|linear| !pool.is_constant(linear.term()));
    found
}

/// The name of an argument without the number of its value in the IR: `x` for `x.v3`.
fn source_name(name: &str) -> &str {
    match name.rsplit_once(".v") {
        Some((source, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => source,
        _ => name,
    }
}

/// The pairs of numbers of one sort that are related to each other: those that share an atom first.
pub(crate) fn related(pool: &mut TermPool, material: &Material) -> Vec<(Term, Term)> {
    let mut pairs = comparable(pool, material);
    pairs.retain(|&(x, y)| pool.sort(x) == pool.sort(y));
    pairs
}

/// As [`related`], with pairs of bit vectors of different widths that share an atom, or of which
/// one is a load.
fn comparable(pool: &mut TermPool, material: &Material) -> Vec<(Term, Term)> {
    let (mut close, mut other) = (Vec::new(), Vec::new());
    let symbols: Vec<Vec<Term>> = material.numbers.iter().map(|&x| symbols_of(pool, x)).collect();
    for (index, &x) in material.numbers.iter().enumerate() {
        let neighbors = material.neighbors_of(&symbols[index]);
        for (&y, symbols) in material.numbers.iter().zip(&symbols).skip(index + 1) {
            let is_close = symbols.iter().any(|symbol| neighbors.contains(symbol));
            let pairs = if is_close { &mut close } else { &mut other };
            match (pool.sort(x), pool.sort(y)) {
                (one, two) if one == two => pairs.push((x, y)),
                (Sort::BitVec(_), Sort::BitVec(_)) if is_close || is_load(pool, x) || is_load(pool, y) => {
                    pairs.push((x, y));
                }
                _ => {}
            }
        }
    }
    close.extend(other);
    close.truncate(MAX_PAIRS);
    close
}

/// Whether a number is a load from an array.
fn is_load(pool: &TermPool, x: Term) -> bool {
    !matches!(pool.op(x), Op::Symbol(_))
}

/// How a number is read in bounds of itself.
fn signednesses(pool: &TermPool, x: Term) -> &'static [Representation] {
    match pool.sort(x) {
        Sort::BitVec(_) => match representation(pool, x) {
            Representation::Signed => &[Representation::Signed, Representation::Unsigned],
            Representation::Unsigned => &[Representation::Unsigned, Representation::Signed],
        },
        _ => &[Representation::Signed],
    }
}

impl Bound {
    fn new(pool: &mut TermPool, first: &First<'_>, linear: Linear, search: Search) -> Self {
        let symbols = symbols_of(pool, linear.term());
        let mut thresholds = BTreeSet::from([BigInt::zero()]);
        let mut add = |value: BigInt| thresholds.extend([&value - 1, &value + 1, value]);
        for constant in first.material.constants_of(&symbols) {
            add(linear.constant(&constant));
        }
        if symbols.len() == 1 {
            for neighbor in first.material.neighbors_of(&symbols) {
                let is_same = pool.sort(neighbor) == pool.sort(linear.term());
                if let Some(value) = first.value(neighbor).filter(|_| is_same) {
                    linear.value(value).into_iter().for_each(&mut add);
                }
            }
        }
        Bound {
            parameter: Parameter::Empty,
            low: BigInt::zero(),
            changes: 0,
            jumps: 0,
            jumped: None,
            search,
            thresholds: thresholds.into_iter().filter(|bound| is_bounded(&linear, bound)).collect(),
            linear,
        }
    }

    fn set(&mut self, bound: Option<BigInt>) {
        self.parameter = match bound {
            Some(bound) if is_bounded(&self.linear, &bound) => Parameter::AtMost(bound),
            _ => Parameter::Unbounded,
        };
    }

    /// Weakens the row to contain `value`.
    fn weaken(&mut self, value: BigInt) {
        if self.is_on_trial() {
            self.fail();
            return;
        }
        self.changes += 1;
        let is_patient = self.changes <= PATIENCE || self.search == Search::Enumerate;
        if is_patient && self.changes <= MAX_CHANGES {
            self.low = value.clone();
            self.set(Some(value));
            return;
        }
        let step = self.jumps;
        self.jumps += 1;
        let bound = match self.search {
            Search::Enumerate | Search::Extremes => None,
            Search::Thresholds | Search::Gallop => self.next_threshold(&value, step),
        };
        let bound = bound.or_else(|| self.linear.largest().cloned());
        let high = bound.clone().filter(|_| self.search != Search::Enumerate);
        self.jumped = high.map(|high| Jumped { high, trial: None, phase: Phase::Seen });
        self.set(bound);
    }

    /// A threshold from `value` on, the farther the more jumps there were; then `value` and a
    /// growing distance.
    fn next_threshold(&self, value: &BigInt, jumps: u32) -> Option<BigInt> {
        let next = self.thresholds.partition_point(|threshold| threshold < value);
        let left = self.thresholds.len() - next;
        // 0, 1, 3, 7, … thresholds ahead.
        let ahead = (1usize << jumps.min(20)) - 1;
        if let Some(threshold) = self.thresholds.get(next + ahead.min(left.saturating_sub(1))) {
            return Some(threshold.clone());
        }
        let bits = u64::from(jumps + 1) * 4;
        (self.search == Search::Gallop && bits <= MAX_BITS).then(|| value + (BigInt::one() << bits))
    }
}

/// The most steps of a descent from `bound`. Bounds close to the end of a type say little; only
/// that a number is not the last one of its type is worth a trial.
fn descents(linear: &Linear, bound: &BigInt) -> u32 {
    match linear.extreme() {
        Some(extreme) if bound >= extreme => u32::from(linear.largest() == Some(extreme)),
        _ => u32::MAX,
    }
}

/// Whether `linear ≤ bound` is not trivial.
fn is_bounded(linear: &Linear, bound: &BigInt) -> bool {
    linear.largest().is_none_or(|largest| bound < largest)
}

impl Template for Bound {
    fn required(&self) -> Vec<Term> {
        vec![self.linear.term()]
    }

    fn formula(&self, pool: &mut TermPool) -> Option<Term> {
        match &self.parameter {
            Parameter::Empty => Some(pool.fls()),
            Parameter::AtMost(bound) => Some(self.linear.at_most(pool, bound)),
            Parameter::Unbounded => None,
        }
    }

    fn edit(&mut self, values: &[Value]) -> bool {
        let Some(value) = values.first().and_then(|value| self.linear.value(value)) else { return false };
        let is_violated = match &self.parameter {
            Parameter::Empty => true,
            Parameter::AtMost(old) => *old < value,
            Parameter::Unbounded => false,
        };
        if is_violated {
            self.weaken(value);
        }
        is_violated
    }

    fn halve(&mut self) -> bool {
        let Some(jumped) = &mut self.jumped else { return false };
        if let Some(trial) = jumped.trial.take() {
            jumped.succeed(trial);
        }
        let is_open = jumped.high > self.low;
        let next = is_open.then(|| jumped.next(&self.low, &self.thresholds, &self.linear)).flatten();
        let Some(next) = next else {
            self.jumped = None;
            return false;
        };
        jumped.trial = Some(next.clone());
        self.parameter = Parameter::AtMost(next);
        true
    }

    fn is_on_trial(&self) -> bool {
        self.jumped.as_ref().is_some_and(|jumped| jumped.trial.is_some())
    }

    fn fail(&mut self) {
        let Some(jumped) = &mut self.jumped else { return };
        let Some(trial) = jumped.trial.take() else { return };
        self.low = trial + 1;
        jumped.fail();
        let high = jumped.high.clone();
        self.set(Some(high));
    }
}

impl Jumped {
    /// The next parameter on trial, from `low` to `high - 1`.
    fn next(&mut self, low: &BigInt, thresholds: &[BigInt], linear: &Linear) -> Option<BigInt> {
        match &self.phase {
            Phase::Seen => {
                self.phase = Phase::Between { failures: 0 };
                Some(low.clone())
            }
            Phase::Between { failures } if *failures > MAX_FAILURES => match descents(linear, &self.high) {
                0 => None,
                left => {
                    self.phase = Phase::Descend { step: BigInt::one(), left };
                    Some(&self.high - 1)
                }
            },
            Phase::Between { .. } | Phase::Close => Some(self.between(low, thresholds)),
            Phase::Descend { step, .. } => Some(low.clone().max(&self.high - step)),
            Phase::Done => None,
        }
    }

    /// The trial was not violated.
    fn succeed(&mut self, trial: BigInt) {
        self.high = trial;
        match &mut self.phase {
            Phase::Between { failures } => *failures = 0,
            Phase::Descend { left: ..=1, .. } => self.phase = Phase::Done,
            Phase::Descend { step, left } => {
                *step *= 2;
                *left -= 1;
            }
            Phase::Seen | Phase::Close | Phase::Done => {}
        }
    }

    fn fail(&mut self) {
        match &mut self.phase {
            Phase::Between { failures } => *failures += 1,
            Phase::Descend { step, .. } => {
                self.phase = if step.is_one() { Phase::Done } else { Phase::Close }
            }
            Phase::Seen | Phase::Close | Phase::Done => {}
        }
    }

    /// The median of the thresholds from `low` to `high - 1`, or else the middle.
    fn between(&self, low: &BigInt, thresholds: &[BigInt]) -> BigInt {
        let from = thresholds.partition_point(|threshold| threshold <= low);
        let to = thresholds.partition_point(|threshold| *threshold < self.high);
        match thresholds.get(from..to) {
            Some(between) if !between.is_empty() => between[between.len() / 2].clone(),
            _ => (low + &self.high).div_floor(&BigInt::from(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameter of a row `x ≤ d` that has jumped from `low` to `high`, if exactly the
    /// parameters from `exact` on are inductive, and the number of trials.
    fn search(low: i64, high: i64, exact: i64) -> (Parameter, usize) {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let [low, high, exact] = [low, high, exact].map(BigInt::from);
        let mut row = Bound {
            linear: Linear::single(&pool, Sign::Plus, x, Representation::Signed),
            parameter: Parameter::AtMost(high.clone()),
            low,
            changes: PATIENCE + 1,
            jumps: 1,
            jumped: Some(Jumped { high, trial: None, phase: Phase::Seen }),
            search: Search::Gallop,
            thresholds: Vec::new(),
        };
        let mut trials = 0;
        while row.halve() {
            trials += 1;
            let is_wrong = matches!(&row.parameter, Parameter::AtMost(trial) if *trial < exact);
            if is_wrong {
                row.fail();
            }
        }
        (row.parameter, trials)
    }

    #[test]
    fn trials_find_the_least_parameter() {
        let far = 1 << 30;
        for (low, high, exact) in [(0, 1000, 500), (0, 1000, 1000), (-5, 10, -5), (0, 3, 1), (0, far, 3)] {
            assert_eq!(search(low, high, exact).0, Parameter::AtMost(exact.into()), "{low} {high} {exact}");
        }
        for below in [1, 2, 37, 1000, 1 << 20] {
            let (found, trials) = search(0, far, far - below);
            assert_eq!(found, Parameter::AtMost((far - below).into()), "{below}");
            assert!(trials <= 75, "{below}: {trials}");
        }
    }

    /// Bounds at the end of a type say little.
    #[test]
    fn a_descent_from_the_largest_value_has_one_step() {
        let largest = i64::from(i32::MAX);
        assert_eq!(search(0, largest, largest - 100).0, Parameter::AtMost((largest - 1).into()));
        assert_eq!(search(0, largest, largest).0, Parameter::Unbounded);
    }
}
