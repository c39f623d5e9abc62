//! Linear equalities over integer points.
//!
//! The equalities `a·x + c = 0` that hold at all given points form the null space of the matrix
//! with a row `(1, x)` for each point. Gaussian elimination modulo the prime 2⁶¹ − 1 computes a
//! basis, whose entries are read back as fractions of small integers. An equality is discarded if
//! its entries are not such fractions, or if it does not hold at the points over the integers. So
//! no large numbers occur, and every result is correct.

const PRIME: i128 = (1 << 61) - 1;
/// The largest numerator and denominator of entries of a basis.
const SMALL: i128 = 1 << 12;
/// The number of points beyond the minimum, which makes accidental equalities unlikely.
const SPARE: usize = 2;

/// `factors · x + constant = 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equality {
    pub(super) factors: Vec<i64>,
    pub(super) constant: i64,
}

/// A basis of the equalities that hold at all points; empty if there are too few points.
pub(super) fn equalities(points: &[Vec<i64>]) -> Vec<Equality> {
    let Some(first) = points.first() else { return Vec::new() };
    let columns = first.len() + 1;
    let mut rows: Vec<Vec<i128>> = points
        .iter()
        .map(|point| {
            let numbers = point.iter().map(|&x| i128::from(x).rem_euclid(PRIME));
            std::iter::once(1).chain(numbers).collect()
        })
        .collect();
    let mut pivots = Vec::new();
    for column in 0..columns {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(rank, found);
        let scale = inverse(rows[rank][column]);
        for entry in &mut rows[rank] {
            *entry = *entry * scale % PRIME;
        }
        let pivot = rows[rank].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if index != rank && factor != 0 {
                for (entry, &above) in row.iter_mut().zip(&pivot) {
                    *entry = (*entry - factor * above % PRIME).rem_euclid(PRIME);
                }
            }
        }
        pivots.push(column);
    }
    if points.len() < pivots.len() + SPARE {
        return Vec::new();
    }
    let free = (0..columns).filter(|column| !pivots.contains(column));
    let vectors = free.filter_map(|column| {
        let mut fractions = vec![(0, 1); columns];
        fractions[column] = (1, 1);
        for (row, &pivot) in pivots.iter().enumerate() {
            fractions[pivot] = fraction((-rows[row][column]).rem_euclid(PRIME))?;
        }
        integers(&fractions)
    });
    let equalities = vectors.map(|vector| Equality { constant: vector[0], factors: vector[1..].to_vec() });
    equalities.filter(|equality| points.iter().all(|point| equality.holds(point))).collect()
}

impl Equality {
    fn holds(&self, point: &[i64]) -> bool {
        let products = self.factors.iter().zip(point).map(|(&factor, &x)| i128::from(factor) * i128::from(x));
        products.sum::<i128>() + i128::from(self.constant) == 0
    }
}

/// The inverse of a nonzero number.
fn inverse(number: i128) -> i128 {
    let (mut result, mut base, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent /= 2;
    }
    result
}

/// The unique fraction of small integers that equals `number` modulo the prime, by the extended
/// Euclidean algorithm.
fn fraction(number: i128) -> Option<(i128, i128)> {
    let ((mut r0, mut r1), (mut t0, mut t1)) = ((PRIME, number), (0i128, 1i128));
    while r1 > SMALL {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    if t1.abs() > SMALL || t1 == 0 {
        return None;
    }
    Some((r1 * t1.signum(), t1.abs()))
}

/// Scales a vector to integers.
fn integers(fractions: &[(i128, i128)]) -> Option<Vec<i64>> {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let mut common: i128 = 1;
    for &(_, denominator) in fractions {
        common = common / gcd(common, denominator) * denominator;
        if common > SMALL {
            return None;
        }
    }
    let scaled = fractions.iter().map(|&(n, d)| i64::try_from(n * (common / d)).ok());
    scaled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_equalities_of_a_run_are_found() {
        // i counts up by 1, j down by 2 from 100, k is constant, m is i².
        let points: Vec<Vec<i64>> = (0..10).map(|i| vec![i, 100 - 2 * i, 7, i * i]).collect();
        let found = equalities(&points);
        let expected = |factors: &[i64], constant| Equality { factors: factors.to_vec(), constant };
        assert_eq!(found, [expected(&[2, 1, 0, 0], -100), expected(&[0, 0, 1, 0], -7)]);
    }

    #[test]
    fn fractions_are_scaled_to_integers() {
        let points: Vec<Vec<i64>> = (0..6).map(|i| vec![3 * i, 2 * i + 4]).collect();
        assert_eq!(equalities(&points), [Equality { factors: vec![-2, 3], constant: -12 }]);
    }

    #[test]
    fn too_few_points_say_nothing() {
        assert_eq!(equalities(&[vec![1, 2], vec![2, 4]]), []);
        assert_eq!(equalities(&[]), []);
    }
}
