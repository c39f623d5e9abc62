//! Cuts: bounds over integers that others imply and that the model violates.
//!
//! **Gomory cuts** (*Outline of an Algorithm for Integer Solutions to Linear Programs*, 1958), in
//! the form of Chvátal's rounding. Let the row of a basic integer variable `x` be
//! `x = β + Σ α_j s_j`, where its value `β` is fractional and each `s_j ≥ 0` is the distance of a
//! nonbasic variable from the bound that it is at. If all nonbasic variables with a fractional
//! coefficient are integers at a bound, then `x - Σ ⌊α_j⌋ s_j = β + Σ (α_j - ⌊α_j⌋) s_j` is an
//! integer and at least `β`, so at least `⌈β⌉`: a nonnegative combination of bounds, rounded.
//! Likewise `x - Σ ⌈α_j⌉ s_j ≤ ⌊β⌋`. The model has all `s_j = 0` and violates both.
//!
//! **Tightening by equations**: an inequality plus multiples of equalities, divided and rounded
//! ([`super::diophantine`]).
//!
//! DIVERGENCE: there are no mixed-integer cuts, because their derivation is a disjunction: a row
//! with a real variable yields no cut. A cut is therefore always one rounded sum, which its
//! certificate states and interpolation supports.

use super::diophantine::{Equations, Multiples};
use super::{Config, Purity};
use crate::prover::arith::certificate::merge;
use crate::prover::arith::{Combination, Cut, Kind, Multiplier, Rational, Side, Simplex, Var};

/// The rounded sum `Σ coefficients · bounds`, as an upper bound.
///
/// The caller guarantees that the sum is integral.
fn rounded_sum(simplex: &Simplex, summands: Vec<(Var, Side, Rational)>) -> Cut {
    let (mut form, mut constant) = (Combination::zero(), Rational::ZERO);
    let mut premises = Vec::new();
    for (variable, side, coefficient) in summands {
        let (value, reason) = simplex.asserted(variable, side).expect("the bounds of a cut were asserted");
        let signed = match side {
            Side::Upper => coefficient.clone(),
            Side::Lower => -&coefficient,
        };
        form.add_scaled(&signed, simplex.definition(variable));
        constant.add_product(&signed, &value.real);
        premises.push(Multiplier { coefficient, side, reason });
    }
    Cut { premises: merge(premises), form, bound: constant.floor() }
}

/// Whether the model violates a cut, and the cut is small and allowed.
fn is_useful(simplex: &Simplex, cut: &Cut, config: &Config, purity: &dyn Purity) -> bool {
    cut.form.len() <= config.widest
        && cut.form.entries().iter().all(|(_, coefficient)| coefficient.bits() <= config.longest)
        && simplex.value_of(&cut.form).real > cut.bound
        && purity.allows_cut(cut)
}

/// Rounded rows of basic integer variables with fractional values.
pub(super) fn gomory(simplex: &Simplex, config: &Config, purity: &dyn Purity) -> Vec<Cut> {
    let is_fractional =
        |variable| simplex.kind(variable) == Kind::Int && !simplex.value(variable).is_integer();
    let mut rows: Vec<(Var, &[(Var, Rational)])> =
        simplex.rows().filter(|(basic, _)| is_fractional(*basic)).collect();
    rows.sort_by_key(|(_, row)| row.len());
    rows.truncate(ROWS);
    let mut cuts: Vec<Cut> = Vec::new();
    for (basic, row) in rows {
        let candidates =
            Direction::BOTH.iter().filter_map(|&direction| gomory_of_row(simplex, basic, row, direction));
        let useful = candidates.filter(|cut| is_useful(simplex, cut, config, purity));
        if let Some(cut) = useful.min_by_key(size)
            && cuts.iter().all(|other| other.form != cut.form)
        {
            cuts.push(cut);
        }
    }
    cuts.sort_by_key(size);
    cuts.truncate(config.batch);
    cuts
}

/// The maximum number of rows that are rounded, short ones first.
const ROWS: usize = 8;

/// The direction of rounding a row.
#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    const BOTH: [Direction; 2] = [Direction::Up, Direction::Down];
}

fn gomory_of_row(
    simplex: &Simplex,
    basic: Var,
    row: &[(Var, Rational)],
    direction: Direction,
) -> Option<Cut> {
    let own = row.iter().find(|entry| entry.0 == basic);
    let minus = -own.expect("a row has its basic variable").1.recip();
    let mut summands = Vec::new();
    for (variable, coefficient) in row.iter().filter(|entry| entry.0 != basic) {
        let (variable, kind, ratio) = (*variable, simplex.kind(*variable), coefficient * &minus);
        if kind == Kind::Int && ratio.is_integer() {
            continue;
        }
        let at = |side| {
            simplex.asserted(variable, side).is_some_and(|(value, _)| *value == simplex.value(variable))
        };
        let side = Side::BOTH.into_iter().find(|&side| kind == Kind::Int && at(side))?;
        let alpha = match side {
            Side::Lower => ratio,
            Side::Upper => -ratio,
        };
        let weight = match direction {
            Direction::Up => alpha.fraction(),
            Direction::Down => (-alpha).fraction(),
        };
        summands.push((variable, side, weight));
    }
    Some(rounded_sum(simplex, summands))
}

/// Bounds over integers that the equations allow to round and that the model violates afterwards.
pub(super) fn tightened(
    simplex: &Simplex,
    equations: &Equations,
    fixed: &[(Var, Rational)],
    config: &Config,
    purity: &dyn Purity,
) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    for variable in simplex.variables() {
        if simplex.kind(variable) != Kind::Int || simplex.fixed(variable).is_some() {
            continue;
        }
        let bounds = Side::BOTH.map(|side| simplex.asserted(variable, side).map(|(value, _)| &value.real));
        if bounds == [None, None] {
            continue;
        }
        let reduced = equations.reduce(simplex.definition(variable));
        for (side, bound) in Side::BOTH.into_iter().zip(bounds) {
            let Some(bound) = bound else { continue };
            let sign = match side {
                Side::Upper => Rational::ONE,
                Side::Lower => Rational::MINUS_ONE,
            };
            let Some((divisor, multiples)) = reduced.tighten(&sign, &(bound * &sign)) else { continue };
            let mut summands = vec![(variable, side, divisor.recip())];
            summands.extend(equality_summands(fixed, &multiples));
            let cut = rounded_sum(simplex, summands);
            if is_useful(simplex, &cut, config, purity) && cuts.iter().all(|other| other.form != cut.form) {
                cuts.push(cut);
            }
        }
    }
    cuts.sort_by_key(size);
    cuts.truncate(config.batch);
    cuts
}

/// The bounds of fixed variables that correspond to the multiples of their equalities.
fn equality_summands(fixed: &[(Var, Rational)], multiples: &Multiples) -> Vec<(Var, Side, Rational)> {
    let summand = |(number, factor): (&usize, &Rational)| {
        let side = Side::Upper.scaled(factor);
        (fixed[*number].0, side, factor.abs())
    };
    multiples.iter().map(summand).collect()
}

/// Orders by number of variables, then by length of coefficients.
fn size(cut: &Cut) -> (usize, u64) {
    (cut.form.len(), cut.form.entries().iter().map(|(_, coefficient)| coefficient.bits()).sum())
}
