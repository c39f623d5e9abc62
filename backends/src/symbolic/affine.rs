//! The affine hull of points: over the rationals (for integers with congruences) and modulo powers
//! of two.
//!
//! *Idea.* The equations `a · x = c` that all points satisfy correspond to the vectors `a` with
//! `D · a = 0`, where the rows of `D` are the differences to the first point. Over the rationals
//! (Karr, *Affine Relationships Among Variables of a Program*, Acta Informatica 1976) the reduced
//! echelon form of `D` yields them. Modulo 2^w (Müller-Olm, Seidl, *Analysis of Modular
//! Arithmetic*, ESOP 2005) even numbers are not invertible, but of two numbers the one with fewer
//! factors 2 divides the other. With an entry of least 2-adic valuation as pivot, row and column
//! operations make `D` diagonal, `R·D·V = diag(2^k)`, and the vectors `2^(w-k) · V_i` span the
//! kernel. For `k > 0` such an equation is a congruence: `2^(w-1) · x = 2^(w-1) · c` fixes the
//! parity of `x`. It is written over the low bits.
//!
//! DIVERGENCE: the papers keep generators in a normal form and propagate them through a program.
//! Here points come from models, and at most `n + 1` (or `n · w + 1`) of them extend the hull, so
//! the kernel is recomputed for each.
//!
//! Cost: O(points · n²) operations for each new point.

use super::lattice::Lattice;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use terms::{Sort, Term, TermPool, Value};

/// The least solution set of linear equations that contains given points.
#[derive(Clone, Debug)]
pub struct Hull {
    variables: Vec<Term>,
    space: Space,
}

#[derive(Clone, Debug)]
enum Space {
    /// Integers, with their congruences, or reals.
    Rational { points: Vec<Vec<BigRational>>, normals: Vec<Vec<BigInt>>, lattice: Option<Lattice> },
    /// Bit vectors.
    Modular { width: u32, points: Vec<Vec<u64>>, normals: Vec<Vec<u64>> },
}

/// Whether hulls of variables of this sort are supported.
pub fn has_hull(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(1..=64))
}

fn rationals(values: &[Value]) -> Option<Vec<BigRational>> {
    let rational = |value: &Value| match value {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    };
    values.iter().map(rational).collect()
}

fn integers(values: &[BigRational]) -> Vec<BigInt> {
    values.iter().map(BigRational::to_integer).collect()
}

fn words(values: &[Value]) -> Option<Vec<u64>> {
    values.iter().map(Value::as_u64).collect()
}

impl Hull {
    /// The hull of one point of variables of one sort; `None` for a sort without hulls.
    pub fn new(sort: Sort, variables: Vec<Term>, point: &[Value]) -> Option<Self> {
        let count = variables.len();
        let space = match sort {
            Sort::Int | Sort::Real => {
                let point = rationals(point)?;
                let lattice = (sort == Sort::Int).then(|| Lattice::new(integers(&point)));
                let normals = (0..count).map(|at| unit(count, at)).collect();
                Space::Rational { points: vec![point], normals, lattice }
            }
            Sort::BitVec(width @ 1..=64) => Space::Modular {
                width,
                points: vec![words(point)?],
                normals: (0..count).map(|at| unit(count, at)).collect(),
            },
            _ => return None,
        };
        Some(Hull { variables, space })
    }

    /// The variables.
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// Adds a point. Returns whether it was outside the hull.
    pub fn add(&mut self, point: &[Value]) -> bool {
        match &mut self.space {
            Space::Rational { points, normals, lattice } => {
                let Some(point) = rationals(point) else { return false };
                let is_off_lattice = lattice.as_mut().is_some_and(|lattice| lattice.add(&integers(&point)));
                let difference: Vec<BigRational> = point.iter().zip(&points[0]).map(|(a, b)| a - b).collect();
                let is_inside = |normal: &Vec<BigInt>| {
                    let sum: BigRational = normal.iter().zip(&difference).map(|(a, d)| d * a).sum();
                    sum.is_zero()
                };
                if normals.iter().all(is_inside) {
                    return is_off_lattice;
                }
                points.push(point);
                *normals = rational_kernel(&differences(points, |a, b| a - b));
            }
            Space::Modular { width, points, normals } => {
                let Some(point) = words(point) else { return false };
                let mask = mask(*width);
                let first = &points[0];
                let is_inside = |normal: &Vec<u64>| {
                    let terms = normal.iter().zip(&point).zip(first);
                    let sum = terms
                        .fold(0u64, |sum, ((a, x), y)| sum.wrapping_add(a.wrapping_mul(x.wrapping_sub(*y))));
                    sum & mask == 0
                };
                if normals.iter().all(is_inside) {
                    return false;
                }
                points.push(point);
                *normals = modular_kernel(&differences(points, |a, b| a.wrapping_sub(*b)), *width);
            }
        }
        true
    }

    /// Equations whose solutions are exactly the points of the hull, for integers together with the
    /// [congruences](Self::congruences).
    pub fn equations(&self, pool: &mut TermPool) -> Vec<Term> {
        match &self.space {
            Space::Rational { points, normals, .. } => {
                normals.iter().map(|normal| self.rational_equation(pool, normal, &points[0])).collect()
            }
            Space::Modular { width, points, normals } => {
                normals.iter().map(|normal| self.modular_equation(pool, *width, normal, &points[0])).collect()
            }
        }
    }

    /// The congruences over integers that hold in addition to the equations; a large modulus is
    /// reduced to some of its divisors.
    pub fn congruences(&self, pool: &mut TermPool) -> Vec<Term> {
        match &self.space {
            Space::Rational { lattice: Some(lattice), .. } => lattice.formulas(pool, &self.variables),
            _ => Vec::new(),
        }
    }

    fn rational_equation(&self, pool: &mut TermPool, normal: &[BigInt], point: &[BigRational]) -> Term {
        let sort = pool.sort(self.variables[0]);
        let constant: BigRational = normal.iter().zip(point).map(|(a, x)| x * a).sum();
        // Subtracted terms move to the right-hand side, so that x - y = 0 becomes x = y.
        let mut sides = [Vec::new(), vec![pool.number(sort, &constant)]];
        for (coefficient, &variable) in normal.iter().zip(&self.variables) {
            if coefficient.is_zero() {
                continue;
            }
            let factor = pool.number(sort, &BigRational::from_integer(coefficient.abs()));
            let product = pool.mul(factor, variable);
            sides[usize::from(coefficient.is_negative())].push(product);
        }
        if sides[0].is_empty() {
            sides[0].push(pool.number(sort, &BigRational::zero()));
        }
        let [left, right] = sides.map(|side| pool.add(&side));
        pool.eq(left, right)
    }

    fn modular_equation(&self, pool: &mut TermPool, width: u32, normal: &[u64], point: &[u64]) -> Term {
        let shift = normal.iter().fold(0, |all, a| all | a).trailing_zeros().min(width - 1);
        let bits = width - shift;
        let normal: Vec<u64> = normal.iter().map(|a| (a >> shift) & mask(bits)).collect();
        let constant =
            normal.iter().zip(point).fold(0u64, |sum, (a, x)| sum.wrapping_add(a.wrapping_mul(*x)));
        let mut sides = [pool.bv(bits, 0), pool.bv(bits, constant & mask(bits))];
        for (&coefficient, &variable) in normal.iter().zip(&self.variables) {
            let negated = coefficient.wrapping_neg() & mask(bits);
            let (side, size) = if negated < coefficient { (1, negated) } else { (0, coefficient) };
            if size == 0 {
                continue;
            }
            let low = if shift == 0 { variable } else { pool.extract(bits - 1, 0, variable) };
            let factor = pool.bv(bits, size);
            let product = pool.bv_mul(factor, low);
            sides[side] = pool.bv_add(sides[side], product);
        }
        pool.eq(sides[0], sides[1])
    }
}

fn unit<T: Zero + One + Clone>(length: usize, at: usize) -> Vec<T> {
    (0..length).map(|index| if index == at { T::one() } else { T::zero() }).collect()
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn differences<T>(points: &[Vec<T>], minus: impl Fn(&T, &T) -> T) -> Vec<Vec<T>> {
    let first = &points[0];
    points[1..].iter().map(|point| point.iter().zip(first).map(|(a, b)| minus(a, b)).collect()).collect()
}

/// A basis of the vectors orthogonal to all `rows`, with coprime integer entries; `rows` is not
/// empty.
fn rational_kernel(rows: &[Vec<BigRational>]) -> Vec<Vec<BigInt>> {
    let mut rows = rows.to_vec();
    let count = rows[0].len();
    // The pivot column of each processed row. Last columns come first, so that equations define
    // later variables.
    let mut pivots: Vec<usize> = Vec::new();
    for column in (0..count).rev() {
        let done = pivots.len();
        let Some(pivot) = (done..rows.len()).find(|&row| !rows[row][column].is_zero()) else { continue };
        rows.swap(done, pivot);
        let factor = rows[done][column].recip();
        for entry in &mut rows[done] {
            *entry *= &factor;
        }
        let pivot_row = rows[done].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            if index != done && !row[column].is_zero() {
                let factor = row[column].clone();
                for (entry, pivot) in row.iter_mut().zip(&pivot_row) {
                    *entry -= &factor * pivot;
                }
            }
        }
        pivots.push(column);
    }
    let free = (0..count).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut normal: Vec<BigRational> = unit(count, column);
        for (row, &pivot) in rows.iter().zip(&pivots) {
            normal[pivot] = -row[column].clone();
        }
        let scale = normal.iter().fold(BigInt::one(), |scale, entry| scale.lcm(entry.denom()));
        normal.into_iter().map(|entry| (entry * &scale).to_integer()).collect()
    })
    .collect()
}

/// Generators of the vectors that are orthogonal to all `rows` modulo `2^width`.
fn modular_kernel(rows: &[Vec<u64>], width: u32) -> Vec<Vec<u64>> {
    let mask = mask(width);
    let mut rows = rows.to_vec();
    let count = rows[0].len();
    // The columns of V.
    let mut columns: Vec<Vec<u64>> = (0..count).map(|at| unit(count, at)).collect();
    // By column, the exponent of the power of two on the diagonal.
    let mut diagonal: Vec<Option<u32>> = vec![None; count];
    for done in 0..rows.len() {
        let open = (done..rows.len()).flat_map(|row| (0..count).rev().map(move |column| (row, column)));
        let entries = open
            .filter(|&(_, column)| diagonal[column].is_none())
            .filter(|&(row, column)| rows[row][column] & mask != 0);
        let Some((row, pivot)) = entries.min_by_key(|&(row, column)| rows[row][column].trailing_zeros())
        else {
            break;
        };
        rows.swap(done, row);
        let power = rows[done][pivot].trailing_zeros();
        let inverse = inverse(rows[done][pivot] >> power);
        for entry in &mut rows[done] {
            *entry = entry.wrapping_mul(inverse) & mask;
        }
        // In the ring, 2^power equals the pivot up to bits that the mask drops.
        let pivot_row = rows[done].clone();
        for row in &mut rows[done + 1..] {
            let factor = row[pivot] >> power;
            for (entry, own) in row.iter_mut().zip(&pivot_row) {
                *entry = entry.wrapping_sub(factor.wrapping_mul(*own)) & mask;
            }
        }
        let pivot_column = columns[pivot].clone();
        for column in 0..count {
            if column != pivot && diagonal[column].is_none() {
                let factor = pivot_row[column] >> power;
                for (entry, own) in columns[column].iter_mut().zip(&pivot_column) {
                    *entry = entry.wrapping_sub(factor.wrapping_mul(*own)) & mask;
                }
            }
        }
        diagonal[pivot] = Some(power);
    }
    let spanning = columns.into_iter().zip(diagonal).filter_map(|(column, power)| match power {
        None => Some(column),
        Some(0) => None,
        Some(power) => {
            let factor = 1u64 << (width - power);
            Some(column.into_iter().map(|entry| entry.wrapping_mul(factor) & mask).collect())
        }
    });
    spanning.collect()
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::{Assignment, eval};

    fn shown(pool: &mut TermPool, sort: Sort, names: &[&str], points: &[&[Value]]) -> Vec<String> {
        let variables: Vec<Term> = names.iter().map(|name| pool.symbol(name, sort)).collect();
        let mut hull = Hull::new(sort, variables, points[0]).expect("a numeric sort");
        for point in &points[1..] {
            hull.add(point);
        }
        let equations = hull.equations(pool);
        equations.into_iter().map(|equation| pool.display(equation).to_string()).collect()
    }

    #[test]
    fn points_on_a_line_give_its_equation() {
        let points = [[0, 0], [1, 2], [5, 10]].map(|point| point.map(Value::int));
        let points: Vec<&[Value]> = points.iter().map(|point| &point[..]).collect();
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
        let mut hull = Hull::new(Sort::Int, vec![x, y], points[0]).expect("a numeric sort");
        assert!(hull.add(points[1]));
        assert!(!hull.add(points[2]));
        let two = pool.int(2);
        let double = pool.mul(two, x);
        let expected = pool.eq(double, y);
        assert_eq!(hull.equations(&mut pool), [expected]);
    }

    #[test]
    fn integers_that_wrap_around_have_a_congruence() {
        let wrap = 1 << 32;
        let points = [[0, 0], [1, 2], [wrap - 1, wrap - 2]].map(|point| point.map(Value::int));
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
        let mut hull = Hull::new(Sort::Int, vec![x, y], &points[0]).expect("a numeric sort");
        for point in &points[1..] {
            assert!(hull.add(point));
        }
        assert!(!hull.add(&[Value::int(5), Value::int(10 - wrap)]));
        assert_eq!(hull.equations(&mut pool), []);
        let congruences = hull.congruences(&mut pool);
        let holds = |x_value: i64, y_value: i64| {
            let mut values = Assignment::new();
            values.set_leaf(&pool, x, Value::int(x_value));
            values.set_leaf(&pool, y, Value::int(y_value));
            congruences.iter().all(|&term| eval(&pool, term, &values).unwrap().as_bool() == Some(true))
        };
        assert!(holds(7, 14 + wrap) && holds(-3, wrap - 6) && !holds(7, 15) && !holds(7, 14 + wrap / 2));
    }

    #[test]
    fn points_in_general_position_have_no_equation() {
        let points = [[0, 0], [1, 2], [0, 1]].map(|point| point.map(Value::int));
        let points: Vec<&[Value]> = points.iter().map(|point| &point[..]).collect();
        assert_eq!(shown(&mut TermPool::new(), Sort::Int, &["x", "y"], &points), Vec::<String>::new());
    }

    /// Compares the equations modulo 2^3 of random sets of points with all coefficients, by brute
    /// force.
    #[test]
    fn modular_hulls_are_exact() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33 & 7
        };
        for size in 1..=4 {
            for _ in 0..50 {
                let points: Vec<Vec<u64>> = (0..size).map(|_| vec![random(), random()]).collect();
                let mut hull = Hull::new(
                    Sort::BitVec(3),
                    vec![],
                    &points[0].iter().map(|&x| Value::bv(3, x)).collect::<Vec<_>>(),
                )
                .expect("a numeric sort");
                let Space::Modular { normals, .. } = &mut hull.space else { panic!("bit vectors") };
                *normals = (0..2).map(|at| unit(2, at)).collect();
                for point in &points[1..] {
                    hull.add(&point.iter().map(|&x| Value::bv(3, x)).collect::<Vec<_>>());
                }
                let Space::Modular { normals, .. } = &hull.space else { panic!("bit vectors") };
                let holds = |normal: &[u64], point: &[u64]| {
                    let difference = |at: usize| point[at].wrapping_sub(points[0][at]);
                    normal[0].wrapping_mul(difference(0)).wrapping_add(normal[1].wrapping_mul(difference(1)))
                        & 7
                        == 0
                };
                for normal in normals {
                    assert!(points.iter().all(|point| holds(normal, point)), "{points:?} {normal:?}");
                }
                // A point satisfies all equations of the points if and only if it satisfies those
                // of the hull.
                for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                    let is_in = normals.iter().all(|normal| holds(normal, &[x, y]));
                    let all = (0..8).flat_map(|a| (0..8).map(move |b| [a, b]));
                    let mut valid = all.filter(|normal| points.iter().all(|point| holds(normal, point)));
                    assert_eq!(is_in, valid.all(|normal| holds(&normal, &[x, y])), "{points:?} {x} {y}");
                }
            }
        }
    }
}
