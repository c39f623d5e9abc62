//! Linear combinations of variables.

use super::{Rational, Var};
use std::fmt;

/// `Σ coefficient · variable`, sorted by variable, with unique variables and nonzero coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Combination {
    entries: Vec<(Var, Rational)>,
}

impl Combination {
    /// The zero combination.
    pub fn zero() -> Self {
        Self::default()
    }

    /// A single variable.
    pub fn variable(variable: Var) -> Self {
        Combination { entries: vec![(variable, Rational::ONE)] }
    }

    /// The summands, in ascending order.
    pub fn entries(&self) -> &[(Var, Rational)] {
        &self.entries
    }

    /// Whether the combination is 0.
    pub fn is_zero(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no summands.
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// The coefficient of `variable`, if it occurs.
    pub fn coefficient(&self, variable: Var) -> Option<&Rational> {
        let at = self.position(variable).ok()?;
        Some(&self.entries[at].1)
    }

    /// Whether all coefficients are integers.
    pub fn is_integral(&self) -> bool {
        self.entries.iter().all(|(_, coefficient)| coefficient.is_integer())
    }

    /// The greatest common divisor of all coefficients: after division by it, they are coprime
    /// integers. 0 for the zero combination.
    pub fn content(&self) -> Rational {
        let mut content = Rational::ZERO;
        for (_, coefficient) in &self.entries {
            content = content.gcd(coefficient);
        }
        content
    }

    /// `factor · self`.
    pub fn scaled(&self, factor: &Rational) -> Self {
        if factor.is_zero() {
            return Self::zero();
        }
        let scale = |(variable, coefficient): &(Var, Rational)| (*variable, coefficient * factor);
        Combination { entries: self.entries.iter().map(scale).collect() }
    }

    /// `self += factor · other`.
    pub fn add_scaled(&mut self, factor: &Rational, other: &Combination) {
        if !factor.is_zero() {
            add_scaled(&mut self.entries, &Rational::ONE, factor, &other.entries, &mut Vec::new(), |_, _| {});
        }
    }

    /// Removes a variable and returns its coefficient.
    pub fn take(&mut self, variable: Var) -> Option<Rational> {
        let at = self.position(variable).ok()?;
        Some(self.entries.remove(at).1)
    }

    fn position(&self, variable: Var) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&variable, |entry| entry.0)
    }
}

impl FromIterator<(Var, Rational)> for Combination {
    /// Adds up summands in any order.
    fn from_iter<I: IntoIterator<Item = (Var, Rational)>>(summands: I) -> Self {
        let mut entries: Vec<(Var, Rational)> = summands.into_iter().collect();
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += &next.1;
            }
            is_same
        });
        entries.retain(|entry| !entry.1.is_zero());
        Combination { entries }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return write!(f, "0");
        }
        for (at, (variable, coefficient)) in self.entries.iter().enumerate() {
            let separator = if at == 0 { "" } else { " + " };
            write!(f, "{separator}{coefficient}·{variable}")?;
        }
        Ok(())
    }
}

/// A change in the set of variables of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// A variable was added.
    Grew,
    /// A variable cancelled out.
    Shrank,
}

/// `target := own · target + factor · source`, both sorted by variable, with nonzero factors;
/// reports added and cancelled variables to `changed`. `scratch` is scratch memory.
pub(super) fn add_scaled(
    target: &mut Vec<(Var, Rational)>,
    own: &Rational,
    factor: &Rational,
    source: &[(Var, Rational)],
    scratch: &mut Vec<(Var, Rational)>,
    mut changed: impl FnMut(Var, Support),
) {
    scratch.clear();
    scratch.reserve(target.len() + source.len());
    let mut added = source.iter().peekable();
    let is_scaled = !own.is_one();
    for (variable, mut coefficient) in target.drain(..) {
        if is_scaled {
            coefficient *= own;
        }
        while let Some((new, other)) = added.next_if(|entry| entry.0 < variable) {
            changed(*new, Support::Grew);
            scratch.push((*new, factor * other));
        }
        if let Some((_, other)) = added.next_if(|entry| entry.0 == variable) {
            coefficient.add_product(factor, other);
            if coefficient.is_zero() {
                changed(variable, Support::Shrank);
                continue;
            }
        }
        scratch.push((variable, coefficient));
    }
    for (new, other) in added {
        changed(*new, Support::Grew);
        scratch.push((*new, factor * other));
    }
    std::mem::swap(target, scratch);
}
