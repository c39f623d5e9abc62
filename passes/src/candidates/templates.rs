//! Candidates for conjuncts of invariants.
//!
//! *Idea.* Most loop invariants that proofs need are short formulas over few variables, with
//! constants and conditions of the program or of the state in which the loop is first entered. So
//! the candidates of a relation are made when its first state is known, from this state and the
//! *material* of the system:
//!
//! * the literals of its formulas over variables of the relation only;
//! * `x mod m = r` for divisors `m`, with `r` from the first state;
//! * from [`Templates::Conjunctive`] on, `x ≤ c` and `x ≥ c` for the constants `c` of the system,
//!   their neighbors, and the value of `x` in the first state;
//! * `x ≤ y`, `x < y` and the converse for variables of one sort, and bounds of `x - y` with few
//!   constants;
//! * with [`Templates::Disjunctive`], disjunctions of two literals, and of a literal of a goal with
//!   one of the others.
//!
//! Linear equalities and congruences modulo powers of two are not candidates, but computed
//! ([`affine`](backends::symbolic::affine)). Bit vectors are compared with constants signed and
//! unsigned, and otherwise as the symbols are declared.
//!
//! *Limits.* At most [`MAX_CANDIDATES`] for each relation (twice as many with disjunctions), the
//! simpler ones first; sums in inequalities only from the program.

use backends::symbolic::{atoms, integer, is_numeric, less_equal, numeral, representation};
use horn::{ClauseData, System};
use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::{Op, Representation, Sort, Term, TermPool, Value};

/// The set of templates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Templates {
    /// Literals of the system, in addition to the computed equations and congruences. Cheap.
    Equational,
    /// Also inequalities.
    Conjunctive,
    /// Also disjunctions.
    Disjunctive,
}

impl Templates {
    /// All sets, from the smallest to the largest.
    pub const ALL: [Templates; 3] = [Templates::Equational, Templates::Conjunctive, Templates::Disjunctive];
}

/// The largest number of candidates of one relation; twice as many with disjunctions.
pub const MAX_CANDIDATES: usize = 900;
/// The largest number of constants of the system in bounds.
const MAX_CONSTANTS: usize = 12;
/// The largest number of constants of the system in bounds of differences.
const MAX_DIFFERENCES: usize = 5;
/// The largest number of atoms in disjunctions.
const MAX_ATOMS: usize = 14;
/// The largest size in bits of a constant; larger numbers are limits of types rather than constants
/// of the program.
const LARGEST_BITS: u64 = 30;

type Terms = IndexSet<Term, FxBuildHasher>;

/// The material for candidates.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// The atoms of queries, over `x`.
    goals: Terms,
    /// All atoms over `x`, and those over heads rewritten over `x`.
    atoms: Terms,
    /// Numbers by value, of any sort.
    numbers: IndexSet<BigInt, FxBuildHasher>,
    /// Divisors.
    divisors: IndexSet<BigInt, FxBuildHasher>,
}

impl Material {
    /// The material of a system.
    pub fn of(pool: &mut TermPool, system: &System) -> Self {
        let mut material = Material::default();
        let (rules, queries): (Vec<&ClauseData>, Vec<&ClauseData>) =
            system.clauses.values().rev().partition(|clause| clause.head.is_some());
        for query in queries {
            material.read(pool, query.constraint);
            material.goals.extend(atoms(pool, query.constraint));
        }
        for rule in rules {
            material.read(pool, rule.constraint);
            for atom in atoms(pool, rule.constraint) {
                material.atoms.insert(atom);
                material.atoms.insert(rule.unprimed(pool, atom));
            }
        }
        material.atoms.extend(material.goals.iter().copied());
        material
    }

    fn read(&mut self, pool: &TermPool, formula: Term) {
        pool.visit(
            &[formula],
            |_| true,
            |term| {
                if let Some(number) = integer(pool, term)
                    && number.bits() <= LARGEST_BITS
                    && self.numbers.len() < MAX_CONSTANTS
                {
                    self.numbers.insert(number);
                }
                if matches!(pool.op(term), Op::IntMod | Op::BvUrem | Op::BvSrem)
                    && let Some(divisor) = integer(pool, pool.children(term)[1])
                {
                    self.divisors.insert(divisor);
                }
            },
        );
    }

    /// The literals over `variables` only.
    fn literals(&self, pool: &mut TermPool, atoms: &Terms, variables: &FxHashSet<Term>) -> Vec<Term> {
        let mut literals = Vec::new();
        for &atom in atoms {
            let symbols = pool.free_symbols(atom);
            let is_about = !symbols.is_empty()
                && symbols.into_iter().all(|symbol| variables.contains(&pool.symbol_term(symbol)));
            if is_about && pool.as_bool(atom).is_none() {
                literals.extend([atom, pool.not(atom)]);
            }
        }
        literals
    }

    /// The candidates of a relation, given a first state in which `variables` have `values`. Not
    /// all of them hold in this state.
    pub fn candidates(
        &self,
        pool: &mut TermPool,
        templates: Templates,
        variables: &[Term],
        values: &[Value],
    ) -> Vec<Term> {
        let own: FxHashSet<Term> = variables.iter().copied().collect();
        let mut found = Terms::default();
        let literals = self.literals(pool, &self.atoms, &own);
        found.extend(literals.iter().copied());
        let numeric: Vec<(Term, &Value)> = variables
            .iter()
            .copied()
            .zip(values)
            .filter(|&(variable, _)| is_numeric(pool.sort(variable)))
            .collect();
        for &(variable, value) in &numeric {
            self.remainders(pool, variable, value, &mut found);
        }
        if templates == Templates::Equational {
            return found.into_iter().filter(|&candidate| pool.as_bool(candidate).is_none()).collect();
        }
        for &(variable, value) in &numeric {
            self.bounds(pool, variable, value, &mut found);
        }
        let pairs = relations(pool, &numeric);
        found.extend(pairs.iter().copied());
        self.differences(pool, &numeric, &mut found);
        found.truncate(MAX_CANDIDATES);
        if templates == Templates::Disjunctive {
            let goals = self.literals(pool, &self.goals, &own);
            for &goal in goals.iter().take(MAX_ATOMS) {
                for &other in &pairs {
                    found.insert(pool.or2(goal, other));
                }
            }
            let few = &literals[..literals.len().min(2 * MAX_ATOMS)];
            for (index, &one) in few.iter().enumerate() {
                for &other in &few[..index] {
                    found.insert(pool.or2(one, other));
                }
            }
            found.truncate(2 * MAX_CANDIDATES);
        }
        found.into_iter().filter(|&candidate| pool.as_bool(candidate).is_none()).collect()
    }

    fn bounds(&self, pool: &mut TermPool, variable: Term, value: &Value, found: &mut Terms) {
        let sort = pool.sort(variable);
        let mut constants = Terms::default();
        constants.extend(value.to_term(pool, sort));
        for number in &self.numbers {
            for next in [number.clone(), number - 1, number + 1] {
                constants.insert(numeral(pool, sort, &next));
            }
        }
        for constant in constants {
            for signedness in signs(sort) {
                found.insert(less_equal(pool, *signedness, variable, constant));
                found.insert(less_equal(pool, *signedness, constant, variable));
            }
        }
    }

    fn differences(&self, pool: &mut TermPool, numeric: &[(Term, &Value)], found: &mut Terms) {
        for (index, &(x, _)) in numeric.iter().enumerate() {
            for &(y, _) in &numeric[..index] {
                let sort = pool.sort(x);
                if sort != pool.sort(y) {
                    continue;
                }
                let difference = match sort {
                    Sort::BitVec(_) => pool.bv_sub(x, y),
                    _ => pool.sub(x, y),
                };
                for number in self.numbers.iter().take(MAX_DIFFERENCES) {
                    for bound in [number.clone(), -number] {
                        let bound = numeral(pool, sort, &bound);
                        found.insert(less_equal(pool, Representation::Signed, difference, bound));
                        found.insert(less_equal(pool, Representation::Signed, bound, difference));
                    }
                }
            }
        }
    }

    fn remainders(&self, pool: &mut TermPool, variable: Term, value: &Value, found: &mut Terms) {
        let sort = pool.sort(variable);
        let Some(value) = value.to_term(pool, sort) else { return };
        for divisor in &self.divisors {
            let divisor = numeral(pool, sort, divisor);
            let remainder = |pool: &mut TermPool, of: Term| match sort {
                Sort::Int => Some(pool.int_mod(of, divisor)),
                Sort::BitVec(_) => Some(match representation(pool, variable) {
                    Representation::Signed => pool.bv_srem(of, divisor),
                    Representation::Unsigned => pool.bv_urem(of, divisor),
                }),
                _ => None,
            };
            if let (Some(own), Some(first)) = (remainder(pool, variable), remainder(pool, value)) {
                found.insert(pool.eq(own, first));
            }
        }
    }
}

/// `x ≤ y`, `x < y` and the converse for variables of one sort.
fn relations(pool: &mut TermPool, numeric: &[(Term, &Value)]) -> Vec<Term> {
    let mut found = Vec::new();
    for (index, &(x, _)) in numeric.iter().enumerate() {
        for &(y, _) in &numeric[..index] {
            if pool.sort(x) != pool.sort(y) {
                continue;
            }
            let mut signednesses = vec![representation(pool, x), representation(pool, y)];
            signednesses.dedup();
            for signedness in signednesses {
                for (a, b) in [(x, y), (y, x)] {
                    let at_most = less_equal(pool, signedness, a, b);
                    let at_least = less_equal(pool, signedness, b, a);
                    found.extend([at_most, pool.not(at_least)]);
                }
            }
        }
    }
    found
}

fn signs(sort: Sort) -> &'static [Representation] {
    match sort {
        Sort::BitVec(_) => &[Representation::Signed, Representation::Unsigned],
        _ => &[Representation::Signed],
    }
}
