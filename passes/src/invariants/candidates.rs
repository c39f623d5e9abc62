//! Candidate invariants: instances of templates that hold in the states of simulated runs.
//!
//! Candidates range over the live bit vectors `x`, `y` of at most 64 bits and the live Booleans at
//! a loop head. The constants `c` are those of the block formulas at the loop head, their
//! neighbors, and the extreme values of the runs:
//!
//! * the comparisons of the block formulas, strict and non-strict, and their negations: conditions
//!   of loops, branches and errors;
//! * `x = c`, or `x` is one of a few values; `x ≤ c` and `x ≥ c`, signed and unsigned, for the
//!   nearest constants;
//! * `x ≡ r (mod m)`: for the largest power of two and the largest other modulus that the runs
//!   allow;
//! * `x ≤ y` and `x < y`, signed and unsigned, and `x = y`;
//! * the linear equalities between variables of one width that hold in all states of the runs, in
//!   the ring of the bit vectors. They span the null space of the matrix of states, computed modulo
//!   a prime, with entries read back as small fractions.
//!
//! A candidate becomes an invariant only after [Houdini](super::houdini) has proved it. The runs
//! merely reduce the number of candidates: a loop head that no run reaches has only those from
//! comparisons and constants.
//!
//! Cost: quadratic in the number of variables considered, which the [`Effort`] limits.

use super::linear::equalities;
use super::simulation::simulate;
use super::{Fact, encode};
use crate::transitions::TransitionSystem;
use horn::Relation;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use terms::{Assignment, BitVector, Completion, Evaluator, Op, Sort, Substitution, Term, TermPool, Value};
use views::blocks::VariableData;

/// Determines the number of candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Without bounds and orders, which are numerous.
    Equalities,
    /// Few variables and few runs.
    Small,
    /// More variables and runs.
    Large,
}

impl Effort {
    fn runs(self) -> usize {
        match self {
            Effort::Equalities | Effort::Small => 60,
            Effort::Large => 300,
        }
    }

    /// The number of variables of one width at one loop head that are related to each other.
    fn variables(self) -> usize {
        match self {
            Effort::Equalities | Effort::Small => 8,
            Effort::Large => 24,
        }
    }

    /// The number of candidates at one loop head.
    fn candidates(self) -> usize {
        match self {
            Effort::Equalities | Effort::Small => 250,
            Effort::Large => 1200,
        }
    }

    fn seed(self) -> u64 {
        match self {
            Effort::Equalities => 1,
            Effort::Small => 2,
            Effort::Large => 3,
        }
    }
}

/// The number of constants of one width that bound a variable on one side, the nearest first.
const BOUNDS: usize = 4;
/// The size of the largest set of values to which a variable is restricted.
const FEW: usize = 4;
/// The largest modulus that is not a power of two.
const MODULUS: u64 = 64;
/// The largest number of conjuncts of a guard of an end whose disjunctions become candidates.
const CONJUNCTS: usize = 5;

/// The candidates at all loop heads, without the known facts.
pub(super) fn candidates(
    pool: &mut TermPool,
    system: &TransitionSystem,
    known: &[Fact],
    effort: Effort,
) -> Vec<Fact> {
    let samples = simulate(pool, system, effort.seed(), effort.runs());
    let known: FxHashSet<Fact> = known.iter().copied().collect();
    let mut found = Vec::new();
    for head in system.states.keys() {
        let mut templates = Templates { system, head, samples: &samples[head], effort, found: Vec::new() };
        templates.generate(pool);
        let mut seen = FxHashSet::default();
        let mut count = 0;
        for formula in std::mem::take(&mut templates.found) {
            if pool.is_constant(formula) || count >= effort.candidates() || !seen.insert(formula) {
                continue;
            }
            let Some(formula) = encode(pool, system, formula) else { continue };
            let fact = Fact { at: head, formula };
            if !pool.is_constant(formula) && !known.contains(&fact) {
                count += 1;
                found.push(fact);
            }
        }
    }
    found
}

struct Templates<'t> {
    system: &'t TransitionSystem,
    head: Relation,
    /// The states at the head.
    samples: &'t [Vec<Value>],
    effort: Effort,
    /// Formulas over symbols `x` of block formulas that are true in all samples.
    found: Vec<Term>,
}

/// A bit-vector variable with its values in the samples.
struct Numbers {
    symbol: Term,
    width: u32,
    values: Vec<u64>,
}

impl Numbers {
    fn signed(&self) -> impl Iterator<Item = i64> + '_ {
        let unused = 64 - self.width;
        self.values.iter().map(move |&value| ((value << unused) as i64) >> unused)
    }
}

impl Templates<'_> {
    fn generate(&mut self, pool: &mut TermPool) {
        self.atoms(pool);
        self.properties(pool);
        let mut by_width: BTreeMap<u32, Vec<Numbers>> = BTreeMap::new();
        let system = self.system;
        for (position, variable) in system.states[self.head].variables.iter().enumerate() {
            match variable.sort {
                Sort::BitVec(width) if width <= 64 => {
                    let numbers = self.numbers(variable, width, position);
                    by_width.entry(width).or_default().push(numbers);
                }
                Sort::Bool => self.truth(pool, variable, position),
                _ => {}
            }
        }
        let constants = self.constants(pool);
        for (width, mut numbers) in by_width {
            numbers.truncate(self.effort.variables());
            for equality in equalities_of(pool, &numbers) {
                self.found.push(equality);
            }
            let none = BTreeSet::new();
            let constants = constants.get(&width).unwrap_or(&none);
            for x in &numbers {
                self.unary(pool, x, constants);
            }
            if self.effort == Effort::Equalities {
                continue;
            }
            for (index, x) in numbers.iter().enumerate() {
                for y in &numbers[index + 1..] {
                    self.binary(pool, x, y);
                }
            }
        }
    }

    fn numbers(&self, variable: &VariableData, width: u32, position: usize) -> Numbers {
        let values = self.samples.iter().filter_map(|state| match &state[position] {
            Value::BitVec(bits) => bits.to_u64(),
            _ => None,
        });
        Numbers { symbol: variable.before, width, values: values.collect() }
    }

    fn truth(&mut self, pool: &mut TermPool, variable: &VariableData, position: usize) {
        let symbol = variable.before;
        let is = |value: bool| self.samples.iter().all(|state| state[position] == Value::Bool(value));
        let (always, never) = (is(true), is(false));
        if always {
            self.found.push(symbol);
        }
        if never {
            let negated = pool.not(symbol);
            self.found.push(negated);
        }
    }

    /// The formulas of transitions and ends from the head, and of transitions to it, before
    /// encoding.
    fn formulas(&self) -> Vec<Term> {
        let clauses = self.system.source.clauses.values();
        let here = clauses.filter(|clause| [clause.from(), clause.to()].contains(&Some(self.head)));
        here.map(|clause| clause.constraint).collect()
    }

    /// For each width, the constants of the formulas and their neighbors.
    fn constants(&self, pool: &TermPool) -> BTreeMap<u32, BTreeSet<u64>> {
        let mut found: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
        pool.visit(
            &self.formulas(),
            |_| true,
            |term| {
                if let Some(bits) = pool.as_bit_vector(term)
                    && let (width @ ..=64, Some(value)) = (bits.width(), bits.to_u64())
                {
                    let mask = u64::MAX >> (64 - width);
                    let neighbors = [value, value.wrapping_add(1), value.wrapping_sub(1)];
                    found.entry(width).or_default().extend(neighbors.map(|value| value & mask));
                }
            },
        );
        found
    }

    /// The comparisons over the state in formulas from the head and to it, in both directions,
    /// strict and non-strict.
    fn atoms(&mut self, pool: &mut TermPool) {
        let symbols = self.symbols();
        let clauses = || self.system.source.clauses.values();
        let from_here = clauses().filter(|clause| clause.from() == Some(self.head));
        let formulas: Vec<Term> = from_here.map(|clause| clause.constraint).collect();
        let mut atoms = comparisons(pool, &formulas);
        for clause in clauses().filter(|clause| clause.to() == Some(self.head)) {
            // Comparisons on the path are rewritten over the target state, whose variables have
            // these values.
            let mut becomes = Substitution::new();
            for (&symbol, update) in &clause.updates {
                if let Some(value) = update.value.filter(|&value| !pool.is_constant(value)) {
                    becomes.insert(value, symbol);
                }
            }
            for atom in comparisons(pool, &[clause.guard]) {
                atoms.push(becomes.apply(pool, atom));
            }
        }
        let mut wanted = Vec::new();
        for atom in atoms {
            if !is_over(pool, &symbols, atom) {
                continue;
            }
            let (op, children) = (pool.op(atom), pool.children(atom).to_vec());
            let &[a, b] = &children[..] else { continue };
            let negated = pool.not(atom);
            wanted.extend([atom, negated]);
            let weaker = match op {
                Op::BvUlt | Op::BvUle => Some([pool.bv_ule(a, b), pool.bv_ule(b, a)]),
                Op::BvSlt | Op::BvSle => Some([pool.bv_sle(a, b), pool.bv_sle(b, a)]),
                Op::Eq if matches!(pool.sort(a), Sort::BitVec(_)) => {
                    Some([pool.bv_sle(a, b), pool.bv_sle(b, a)])
                }
                _ => None,
            };
            wanted.extend(weaker.into_iter().flatten());
        }
        self.keep_true(pool, wanted);
    }

    /// Negations of subsets of the conjuncts of an end's guard. They include the disjunctive
    /// property without the loop condition.
    fn properties(&mut self, pool: &mut TermPool) {
        let symbols = self.symbols();
        let ends = self.system.source.queries().map(|(_, query)| query);
        let ends = ends.filter(|query| query.from() == Some(self.head));
        let mut wanted = Vec::new();
        for guard in ends.map(|query| query.guard).collect::<Vec<_>>() {
            let mut conjuncts = Vec::new();
            let mut stack = vec![guard];
            while let Some(formula) = stack.pop() {
                match pool.op(formula) {
                    Op::And => stack.extend(pool.children(formula).iter().rev()),
                    _ if is_over(pool, &symbols, formula) => conjuncts.push(pool.not(formula)),
                    _ => {}
                }
            }
            if conjuncts.len() > CONJUNCTS {
                continue;
            }
            // Larger subsets give weaker candidates.
            for subset in (1..1usize << conjuncts.len()).rev() {
                let chosen = conjuncts.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
                let chosen: Vec<Term> = chosen.map(|(_, &conjunct)| conjunct).collect();
                wanted.push(pool.or(&chosen));
            }
        }
        self.keep_true(pool, wanted);
    }

    fn symbols(&self) -> FxHashSet<Term> {
        self.system.source.relations[self.head].symbols().collect()
    }

    /// Adds the formulas, over the state, that hold in all samples.
    fn keep_true(&mut self, pool: &TermPool, formulas: Vec<Term>) {
        let environments: Vec<Assignment> =
            self.samples.iter().map(|values| self.assignment(pool, values)).collect();
        let mut evaluators: Vec<Evaluator> = environments.iter().map(|_| Evaluator::new()).collect();
        for formula in formulas {
            let holds = evaluators.iter_mut().zip(&environments).all(|(evaluator, environment)| {
                evaluator.eval(pool, formula, environment) == Ok(Value::Bool(true))
            });
            if holds {
                self.found.push(formula);
            }
        }
    }

    fn assignment(&self, pool: &TermPool, values: &[Value]) -> Assignment {
        let mut assignment = Assignment::with_completion(Completion::Default);
        for (symbol, value) in self.system.source.relations[self.head].symbols().zip(values) {
            assignment.set_leaf(pool, symbol, value.clone());
        }
        assignment
    }

    fn unary(&mut self, pool: &mut TermPool, x: &Numbers, constants: &BTreeSet<u64>) {
        let constant = |pool: &mut TermPool, value: u64| pool.bit_vector(&BitVector::new(x.width, value));
        let distinct: BTreeSet<u64> = x.values.iter().copied().collect();
        if (1..=FEW).contains(&distinct.len()) {
            let mut equalities = Vec::new();
            for &value in &distinct {
                let value = constant(pool, value);
                equalities.push(pool.eq(x.symbol, value));
            }
            let one_of = pool.or(&equalities);
            self.found.push(one_of);
        }
        self.congruence(pool, x, &distinct);
        if self.effort != Effort::Equalities {
            self.bounds(pool, x, constants);
        }
    }

    fn bounds(&mut self, pool: &mut TermPool, x: &Numbers, constants: &BTreeSet<u64>) {
        let constant = |pool: &mut TermPool, value: u64| pool.bit_vector(&BitVector::new(x.width, value));
        let unused = 64 - x.width;
        let signed = |value: u64| ((value << unused) as i64) >> unused;
        let (low, high) = (x.values.iter().min(), x.values.iter().max());
        let mut bounds: BTreeSet<u64> = constants.clone();
        bounds.extend(low.into_iter().chain(high).copied());
        let above = bounds.iter().filter(|&&bound| high.is_none_or(|&high| bound >= high)).take(BOUNDS);
        for &bound in above {
            let bound = constant(pool, bound);
            let formula = pool.bv_ule(x.symbol, bound);
            self.found.push(formula);
        }
        let below = bounds.iter().rev().filter(|&&bound| low.is_none_or(|&low| bound <= low)).take(BOUNDS);
        for &bound in below {
            let bound = constant(pool, bound);
            let formula = pool.bv_ule(bound, x.symbol);
            self.found.push(formula);
        }
        let (low, high) = (x.signed().min(), x.signed().max());
        let mut bounds: BTreeSet<i64> = constants.iter().map(|&bound| signed(bound)).collect();
        bounds.extend(low.into_iter().chain(high));
        let above = bounds.iter().filter(|&&bound| high.is_none_or(|high| bound >= high)).take(BOUNDS);
        for &bound in above {
            let bound = constant(pool, bound as u64);
            let formula = pool.bv_sle(x.symbol, bound);
            self.found.push(formula);
        }
        let below = bounds.iter().rev().filter(|&&bound| low.is_none_or(|low| bound <= low)).take(BOUNDS);
        for &bound in below {
            let bound = constant(pool, bound as u64);
            let formula = pool.bv_sle(bound, x.symbol);
            self.found.push(formula);
        }
    }

    fn congruence(&mut self, pool: &mut TermPool, x: &Numbers, distinct: &BTreeSet<u64>) {
        let Some(&first) = distinct.first() else { return };
        if distinct.len() < 3 {
            return;
        }
        let step = distinct.iter().fold(0, |step, &value| gcd(step, value - first));
        let power = step.trailing_zeros().min(x.width - 1);
        if power > 0 {
            let low = pool.extract(power - 1, 0, x.symbol);
            let remainder = pool.bit_vector(&BitVector::new(power, first));
            let formula = pool.eq(low, remainder);
            self.found.push(formula);
        }
        if !step.is_power_of_two() && step <= MODULUS {
            let modulus = pool.bit_vector(&BitVector::new(x.width, step));
            let remainder = pool.bit_vector(&BitVector::new(x.width, first % step));
            let residue = pool.bv_urem(x.symbol, modulus);
            let formula = pool.eq(residue, remainder);
            self.found.push(formula);
        }
    }

    fn binary(&mut self, pool: &mut TermPool, x: &Numbers, y: &Numbers) {
        let unsigned = || x.values.iter().zip(&y.values);
        let signed = || x.signed().zip(y.signed());
        let (a, b) = (x.symbol, y.symbol);
        if unsigned().all(|(x, y)| x == y) {
            let formula = pool.eq(a, b);
            self.found.push(formula);
        }
        if signed().all(|(x, y)| x <= y) {
            let formula = pool.bv_sle(a, b);
            self.found.push(formula);
        }
        if signed().all(|(x, y)| y <= x) {
            let formula = pool.bv_sle(b, a);
            self.found.push(formula);
        }
        if signed().all(|(x, y)| x < y) {
            let formula = pool.bv_slt(a, b);
            self.found.push(formula);
        }
        if signed().all(|(x, y)| y < x) {
            let formula = pool.bv_slt(b, a);
            self.found.push(formula);
        }
        if unsigned().all(|(x, y)| x <= y) {
            let formula = pool.bv_ule(a, b);
            self.found.push(formula);
        }
        if unsigned().all(|(x, y)| y <= x) {
            let formula = pool.bv_ule(b, a);
            self.found.push(formula);
        }
        if unsigned().all(|(x, y)| x < y) {
            let formula = pool.bv_ult(a, b);
            self.found.push(formula);
        }
        if unsigned().all(|(x, y)| y < x) {
            let formula = pool.bv_ult(b, a);
            self.found.push(formula);
        }
    }
}

fn is_over(pool: &mut TermPool, symbols: &FxHashSet<Term>, formula: Term) -> bool {
    let leaves = pool.free_symbols(formula);
    leaves.into_iter().all(|leaf| symbols.contains(&pool.symbol_term(leaf)))
}

/// The comparisons in formulas.
fn comparisons(pool: &TermPool, formulas: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    pool.visit(
        formulas,
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
                found.push(term);
            }
        },
    );
    found
}

/// The linear equalities of the samples as formulas.
fn equalities_of(pool: &mut TermPool, numbers: &[Numbers]) -> Vec<Term> {
    let Some(first) = numbers.first() else { return Vec::new() };
    let width = first.width;
    let rows: Vec<Vec<i64>> = (0..first.values.len())
        .map(|row| {
            let unused = 64 - width;
            numbers.iter().map(|x| ((x.values[row] << unused) as i64) >> unused).collect()
        })
        .collect();
    let mut formulas = Vec::new();
    for equality in equalities(&rows) {
        // a·x + … + c = 0, with the negative terms on the other side.
        let mut sides = [Vec::new(), Vec::new()];
        for (&factor, x) in equality.factors.iter().zip(numbers) {
            if factor != 0 {
                let coefficient = pool.bit_vector(&BitVector::new(width, factor.unsigned_abs()));
                let product = pool.bv_mul(coefficient, x.symbol);
                sides[usize::from(factor < 0)].push(product);
            }
        }
        let constant = equality.constant;
        let value = pool.bit_vector(&BitVector::new(width, constant.unsigned_abs()));
        sides[usize::from(constant < 0)].push(value);
        let sums: Vec<Term> = sides
            .iter()
            .map(|side| {
                let zero = pool.bit_vector(&BitVector::new(width, 0));
                side.iter().fold(zero, |sum, &term| pool.bv_add(sum, term))
            })
            .collect();
        formulas.push(pool.eq(sums[0], sums[1]));
    }
    formulas
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
