//! The least coset of a lattice that contains given integer points.
//!
//! *Idea.* Besides equations, integer points satisfy congruences `a · x = c (mod m)` (Granger,
//! *Static Analysis of Linear Congruence Equalities among Variables of a Program*, TAPSOFT 1991).
//! The differences to the first point span a lattice. A basis in echelon form decides whether a
//! point lies outside, and absorbs it by steps of Euclid's algorithm. A point is in the coset if
//! and only if the coefficients of its difference in the basis are integers. Each coefficient is a
//! linear function of the coordinates; multiplied by its denominators it is a congruence.
//!
//! Cost: O(n²) operations for each new point, O(n³) for the congruences. A new point increases the
//! dimension or divides the index of the lattice, so the number of new points is bounded by the
//! dimension and the bits of the coordinates.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::ops::ControlFlow;
use terms::{Sort, Term, TermPool};

/// Moduli up to this are emitted unchanged.
const LARGEST: u32 = 64;
/// Larger moduli are reduced to their common divisors with these: a few points justify nothing
/// finer, and large moduli are hard for solvers.
const FACTORS: [u32; 3] = [27, 25, 7];
/// Powers of two in larger moduli are reduced to the largest of these exponents, the widths of
/// machine words (and 6).
const WORDS: [u64; 5] = [64, 32, 16, 8, 6];

type Row = Vec<BigInt>;

/// The coset; see the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    origin: Row,
    /// Rows with pairwise different leading columns, in ascending order of these columns.
    basis: Vec<Row>,
}

impl Lattice {
    /// The coset of one point.
    pub(super) fn new(origin: Row) -> Self {
        Lattice { origin, basis: Vec::new() }
    }

    /// Adds a point. Returns whether it was outside the coset.
    pub(super) fn add(&mut self, point: &[BigInt]) -> bool {
        let mut rest: Row = point.iter().zip(&self.origin).map(|(a, b)| a - b).collect();
        let mut is_new = false;
        for at in 0..=self.basis.len() {
            let Some(lead) = lead(&rest) else { break };
            let other = self.basis.get(at).and_then(|row| self::lead(row));
            match other {
                Some(other) if other < lead => {}
                Some(other) if other == lead => {
                    is_new |= euclid(&mut self.basis[at], &mut rest, lead).is_break();
                }
                _ => {
                    self.basis.insert(at, rest);
                    is_new = true;
                    break;
                }
            }
        }
        if is_new {
            self.reduce();
        }
        is_new
    }

    /// Reduces the entries above each leading entry modulo that entry.
    fn reduce(&mut self) {
        for at in (1..self.basis.len()).rev() {
            let (above, below) = self.basis.split_at_mut(at);
            let Some(lead) = lead(&below[0]) else { continue };
            for row in above {
                let quotient = row[lead].div_floor(&below[0][lead]);
                subtract(row, &below[0], &quotient);
            }
        }
    }

    /// The congruences, as coefficients and modulus, that together with the equations characterize
    /// the coset, except for dropped factors of large moduli.
    fn congruences(&self) -> Vec<(Row, BigInt)> {
        let (basis, pivots) = triangular(&self.basis);
        let mut found = Vec::new();
        // The inverse of the triangular matrix, column by column.
        for column in 0..pivots.len() {
            let mut inverse = vec![BigRational::zero(); pivots.len()];
            for row in (0..=column).rev() {
                let goal = if row == column { BigRational::one() } else { BigRational::zero() };
                let known: BigRational =
                    (row + 1..=column).map(|later| &inverse[later] * &basis[row][pivots[later]]).sum();
                inverse[row] = (goal - known) / BigRational::from_integer(basis[row][pivots[row]].clone());
            }
            let exact = inverse.iter().fold(BigInt::one(), |all, entry| all.lcm(entry.denom()));
            let moduli = match exact <= LARGEST.into() {
                true => vec![exact.clone()],
                false => {
                    let twos = exact.trailing_zeros().unwrap_or(0);
                    let twos = WORDS.into_iter().find(|&word| word <= twos).unwrap_or(twos);
                    let others = FACTORS.iter().map(|&factor| exact.gcd(&factor.into()));
                    others.chain([BigInt::one() << twos]).collect()
                }
            };
            for modulus in moduli.into_iter().filter(|modulus| !modulus.is_one()) {
                let mut coefficients = vec![BigInt::zero(); self.origin.len()];
                for (entry, &pivot) in inverse.iter().zip(&pivots) {
                    coefficients[pivot] = balanced(&(entry * &exact).to_integer(), &modulus);
                }
                found.push((coefficients, modulus));
            }
        }
        found
    }

    /// The congruences as formulas.
    pub(super) fn formulas(&self, pool: &mut TermPool, variables: &[Term]) -> Vec<Term> {
        let mut formulas = Vec::new();
        for (coefficients, modulus) in self.congruences() {
            let is_negative =
                coefficients.iter().find(|entry| !entry.is_zero()).is_some_and(Signed::is_negative);
            let (mut sum, mut constant) = (Vec::new(), BigInt::zero());
            for ((entry, origin), &variable) in coefficients.iter().zip(&self.origin).zip(variables) {
                if entry.is_zero() {
                    continue;
                }
                let entry = if is_negative { -entry } else { entry.clone() };
                constant += &entry * origin;
                let factor = pool.int_big(&entry);
                sum.push(pool.mul(factor, variable));
            }
            if sum.is_empty() {
                continue;
            }
            debug_assert_eq!(pool.sort(sum[0]), Sort::Int, "a lattice of integers");
            let sum = pool.add(&sum);
            let divisor = pool.int_big(&modulus);
            let remainder = pool.int_mod(sum, divisor);
            let constant = pool.int_big(&constant.mod_floor(&modulus));
            formulas.push(pool.eq(remainder, constant));
        }
        formulas
    }
}

/// The index of the first nonzero entry.
fn lead(row: &[BigInt]) -> Option<usize> {
    row.iter().position(|entry| !entry.is_zero())
}

fn subtract(row: &mut [BigInt], other: &[BigInt], factor: &BigInt) {
    if !factor.is_zero() {
        for (entry, other) in row.iter_mut().zip(other) {
            *entry -= factor * other;
        }
    }
}

/// Makes the entry of `rest` in `column` zero by steps that preserve the span of both rows. `Break`
/// if `row` changed.
fn euclid(row: &mut Row, rest: &mut Row, column: usize) -> ControlFlow<()> {
    let mut changed = ControlFlow::Continue(());
    while !rest[column].is_zero() {
        let quotient = rest[column].div_floor(&row[column]);
        subtract(rest, row, &quotient);
        if !rest[column].is_zero() {
            std::mem::swap(row, rest);
            changed = ControlFlow::Break(());
        }
    }
    changed
}

/// Rows with the same span, and for each a pivot column that is zero in all later rows; columns
/// with small entries are preferred.
fn triangular(rows: &[Row]) -> (Vec<Row>, Vec<usize>) {
    let mut rows = rows.to_vec();
    let mut pivots: Vec<usize> = Vec::new();
    for done in 0..rows.len() {
        let divisor =
            |column: usize| rows[done..].iter().fold(BigInt::zero(), |all, row| all.gcd(&row[column]));
        let columns = (0..rows[done].len()).map(|column| (divisor(column), column));
        let Some((_, pivot)) = columns.filter(|(divisor, _)| !divisor.is_zero()).min() else { break };
        let (first, later) = rows[done..].split_at_mut(1);
        for row in later {
            // Zero is not a divisor.
            if first[0][pivot].is_zero() {
                std::mem::swap(&mut first[0], row);
            } else {
                let _ = euclid(&mut first[0], row, pivot);
            }
        }
        pivots.push(pivot);
    }
    (rows, pivots)
}

/// The residue of least absolute value.
fn balanced(value: &BigInt, modulus: &BigInt) -> BigInt {
    let residue = value.mod_floor(modulus);
    if &residue + &residue > *modulus { residue - modulus } else { residue }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(points: &[&[i64]]) -> Lattice {
        let row = |point: &&[i64]| point.iter().map(|&entry| BigInt::from(entry)).collect::<Row>();
        let mut lattice = Lattice::new(row(&points[0]));
        for point in &points[1..] {
            lattice.add(&row(point));
        }
        lattice
    }

    fn shown(points: &[&[i64]], names: &[&str]) -> Vec<String> {
        let mut pool = TermPool::new();
        let variables: Vec<Term> = names.iter().map(|name| pool.symbol(name, Sort::Int)).collect();
        let formulas = lattice(points).formulas(&mut pool, &variables);
        formulas.iter().map(|&formula| pool.display(formula).to_string()).collect()
    }

    #[test]
    fn parities_are_seen() {
        assert_eq!(shown(&[&[1], &[5], &[-3]], &["x"]), ["(= 1 (mod x 4))"]);
        assert_eq!(shown(&[&[1], &[5], &[-1]], &["x"]), ["(= 1 (mod x 2))"]);
        assert_eq!(shown(&[&[1], &[5], &[0]], &["x"]), Vec::<String>::new());
        assert_eq!(shown(&[&[0, 0], &[1, 1], &[2, 0]], &["x", "y"]), ["(= (mod (+ x y) 2) 0)"]);
        // y = 2x is an equation, and implies that y is even.
        assert_eq!(shown(&[&[0, 0], &[1, 2], &[5, 10]], &["x", "y"]), Vec::<String>::new());
    }

    /// Compares random points in a box with the coset, by brute force.
    #[test]
    fn congruences_and_equations_are_exact() {
        let mut seed = 5u64;
        let mut random = move |bound: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(seed >> 33).expect("31 bits") % (2 * bound + 1) - bound
        };
        let mut seen = [0, 0];
        for round in 0..300 {
            let scale = 1 + round % 3;
            let count = 2 + round % 3;
            let points: Vec<[i64; 2]> = (0..count).map(|_| [scale * random(4), scale * random(4)]).collect();
            let rows: Vec<&[i64]> = points.iter().map(|point| &point[..]).collect();
            let lattice = lattice(&rows);
            let congruences = lattice.congruences();
            let (basis, pivots) = triangular(&lattice.basis);
            let index: BigInt = basis.iter().zip(&pivots).map(|(row, &pivot)| row[pivot].abs()).product();
            let [dx, dy]: [Vec<i64>; 2] =
                [0, 1].map(|at| points[1..].iter().map(|point| point[at] - points[0][at]).collect());
            let reach = 12i64;
            for (x, y) in (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |y| (x, y))) {
                let holds = congruences.iter().all(|(entries, modulus)| {
                    let sum = &entries[0] * (x - points[0][0]) + &entries[1] * (y - points[0][1]);
                    sum.is_multiple_of(modulus)
                });
                // Whether the point is on the line or in the plane of the points.
                let is_flat =
                    dx.iter().zip(&dy).all(|(a, b)| dx.iter().zip(&dy).all(|(c, d)| a * d == b * c));
                let is_in_space = !is_flat
                    || dx.iter().zip(&dy).all(|(a, b)| a * (y - points[0][1]) == b * (x - points[0][0]))
                        && (dx.iter().chain(&dy).any(|&entry| entry != 0) || [x, y] == points[0]);
                let mut grown = lattice.clone();
                let is_outside = grown.add(&[BigInt::from(x), BigInt::from(y)]);
                if is_outside && index > LARGEST.into() {
                    // A reduced modulus may admit the point.
                    continue;
                }
                assert_eq!(is_in_space && holds, !is_outside, "{points:?} {x} {y} {congruences:?}");
                seen[usize::from(is_outside)] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }
}
