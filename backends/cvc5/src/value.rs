//! Reads values of a model as values of terms.
//!
//! cvc5 answers with terms: constants, writes to constant arrays, and for functions
//! `λx. ite(⋀ x_i = v_i, w, …)`.

use crate::ffi::{Kind, Manager, Node, Owned, RawMode};
use backends::Reason;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use terms::{ArrayValue, BitVector, FunctionValue, RoundingMode, Sort, TermPool, Value};

/// The constant `node` as a value of `sort`.
pub(crate) fn read(manager: &Manager, pool: &TermPool, node: Node, sort: Sort) -> Result<Value, Reason> {
    let value = match sort {
        Sort::Bool => manager.boolean_value(node).map(Value::Bool),
        Sort::Int => manager.integer_value(node).and_then(|text| text.parse().ok()).map(Value::Int),
        Sort::Real => {
            if manager.is_algebraic(node) {
                return Err(Reason::Unsupported("irrational values".to_owned()));
            }
            manager.real_value(node).and_then(|text| rational(&text)).map(Value::Real)
        }
        Sort::BitVec(width) => manager
            .bit_vector_value(node)
            .and_then(|text| BigUint::parse_bytes(text.as_bytes(), 16))
            .map(|bits| Value::BitVec(BitVector::from_natural(width, bits))),
        Sort::Float(exponent, significand) => manager.float_value_of(node).and_then(|(e, s, text)| {
            let is_format = (e, s) == (u32::from(exponent), u32::from(significand));
            let bits = BigUint::parse_bytes(text.as_bytes(), 16).filter(|_| is_format)?;
            Some(Value::Float { exponent, significand, bits })
        }),
        Sort::RoundingMode => manager.mode_value(node).and_then(mode).map(Value::RoundingMode),
        Sort::Array(parts) => {
            let (index, element) = pool.array_sort_parts(parts);
            return read_array(manager, pool, node, (index, element)).map(Value::Array);
        }
        Sort::Uninterpreted(sort) => manager
            .element_value(node)
            .and_then(|name| element_number(&name))
            .map(|number| Value::Element { sort, number }),
    };
    value.ok_or_else(|| Reason::Incomplete(format!("the model has no value, only {}", manager.show(node))))
}

fn rational(text: &str) -> Option<BigRational> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let (numerator, denominator): (BigInt, BigInt) = (numerator.parse().ok()?, denominator.parse().ok()?);
    (denominator != BigInt::ZERO).then(|| BigRational::new(numerator, denominator))
}

/// The rounding mode that cvc5 represents as `raw`.
pub(crate) fn mode(raw: RawMode) -> Option<RoundingMode> {
    Some(match raw {
        RawMode::RoundNearestTiesToEven => RoundingMode::NearestEven,
        RawMode::RoundNearestTiesToAway => RoundingMode::NearestAway,
        RawMode::RoundTowardPositive => RoundingMode::TowardPositive,
        RawMode::RoundTowardNegative => RoundingMode::TowardNegative,
        RawMode::RoundTowardZero => RoundingMode::TowardZero,
        RawMode::Last => return None,
    })
}

/// The number in a name such as `@U_3`, which distinguishes the elements of one sort.
fn element_number(name: &str) -> Option<u64> {
    let name = name.trim_matches('|');
    name[name.rfind('_')? + 1..].parse().ok()
}

fn read_array(
    manager: &Manager,
    pool: &TermPool,
    node: Node,
    (index, element): (Sort, Sort),
) -> Result<ArrayValue, Reason> {
    let mut writes = Vec::new();
    let mut kept: Option<Owned<'_>> = None;
    let base = loop {
        let array = kept.as_ref().map_or(node, Owned::node);
        if let Some(base) = manager.const_array_base(array) {
            break base;
        }
        if manager.kind(array) != Kind::Store {
            return Err(Reason::Incomplete(format!("the model has no value, only {}", manager.show(array))));
        }
        let (at, written) = (manager.child(array, 1)?, manager.child(array, 2)?);
        writes.push((read(manager, pool, at.node(), index)?, read(manager, pool, written.node(), element)?));
        kept = Some(manager.child(array, 0)?);
    };
    let mut value = ArrayValue::constant(read(manager, pool, base.node(), element)?);
    for (at, written) in writes.into_iter().rev() {
        value.store(at, written);
    }
    Ok(value)
}

/// A function of a model: `λ parameters. body`.
pub(crate) struct Lambda<'m> {
    manager: &'m Manager,
    parameters: Vec<Owned<'m>>,
    body: Owned<'m>,
    range: Sort,
}

/// The arguments at which a table must agree with the function of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// At the queried points.
    Points,
    /// Everywhere, as quantified formulas require.
    Everywhere,
}

/// An argument: a value, or `None` for one that differs from all constants of the body.
type Argument<'v> = Option<&'v Value>;

impl<'m> Lambda<'m> {
    pub(crate) fn new(manager: &'m Manager, function: Node, range: Sort) -> Result<Self, Reason> {
        if manager.kind(function) != Kind::Lambda {
            return Err(Reason::Incomplete(format!(
                "the model has no function, only {}",
                manager.show(function)
            )));
        }
        let (list, body) = (manager.child(function, 0)?, manager.child(function, 1)?);
        let parameters = (0..manager.arity(list.node()))
            .map(|index| manager.child(list.node(), index))
            .collect::<Result<_, _>>()?;
        Ok(Lambda { manager, parameters, body, range })
    }

    /// The function as a table of its values at `points` and at the points that the `ite` chain of
    /// its body fixes.
    pub(crate) fn table(
        &self,
        pool: &TermPool,
        domain: &[Sort],
        points: impl Iterator<Item = Vec<Value>>,
        needed: Coverage,
    ) -> Result<FunctionValue, Reason> {
        let nowhere = vec![None; domain.len()];
        let default = self.value(pool, domain, &nowhere)?;
        let mut function = FunctionValue { default: Some(default.clone()), ..FunctionValue::default() };
        let (chain, coverage) = self.chain(pool, domain)?;
        if needed == Coverage::Everywhere && coverage == Coverage::Points {
            return Err(self.odd(self.body.node()));
        }
        for point in points.chain(chain) {
            let arguments: Vec<Argument<'_>> = point.iter().map(Some).collect();
            let value = self.value(pool, domain, &arguments)?;
            if value != default {
                function.table.insert(point, value);
            }
        }
        Ok(function)
    }

    /// The points that conditions of the body fix, and [`Coverage::Points`] if a condition does not
    /// fix all parameters.
    fn chain(&self, pool: &TermPool, domain: &[Sort]) -> Result<(Vec<Vec<Value>>, Coverage), Reason> {
        let mut points = Vec::new();
        let mut coverage = Coverage::Everywhere;
        let mut stack = vec![self.manager.copy(self.body.node())];
        while let Some(node) = stack.pop() {
            let kind = self.manager.kind(node.node());
            if !matches!(kind, Kind::Ite | Kind::And | Kind::Or | Kind::Not | Kind::Equal) {
                continue;
            }
            let mut point = vec![None; domain.len()];
            self.fix(pool, domain, node.node(), &mut point)?;
            let is_condition = matches!(kind, Kind::And | Kind::Equal);
            match point.into_iter().collect::<Option<Vec<_>>>() {
                Some(point) => {
                    points.push(point);
                    continue;
                }
                None if is_condition => coverage = Coverage::Points,
                None => {}
            }
            if kind != Kind::Equal {
                for index in 0..self.manager.arity(node.node()) {
                    stack.push(self.manager.child(node.node(), index)?);
                }
            }
        }
        Ok((points, coverage))
    }

    /// The parameters that a conjunction of equations fixes.
    fn fix(
        &self,
        pool: &TermPool,
        domain: &[Sort],
        condition: Node,
        point: &mut [Option<Value>],
    ) -> Result<(), Reason> {
        match self.manager.kind(condition) {
            Kind::And => {
                for index in 0..self.manager.arity(condition) {
                    let conjunct = self.manager.child(condition, index)?;
                    if self.manager.kind(conjunct.node()) == Kind::Equal {
                        self.fix(pool, domain, conjunct.node(), point)?;
                    }
                }
            }
            Kind::Equal => {
                if let Some((parameter, constant)) = self.equation(condition)? {
                    point[parameter] = Some(read(self.manager, pool, constant.node(), domain[parameter])?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The parameter and the constant that `equation` equates, if it has this form.
    fn equation(&self, equation: Node) -> Result<Option<(usize, Owned<'m>)>, Reason> {
        let (left, right) = (self.manager.child(equation, 0)?, self.manager.child(equation, 1)?);
        Ok(match (self.parameter(left.node()), self.parameter(right.node())) {
            (Some(parameter), None) => Some((parameter, right)),
            (None, Some(parameter)) => Some((parameter, left)),
            _ => None,
        })
    }

    fn parameter(&self, node: Node) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.node() == node)
    }

    /// The value at `arguments`. Follows the chain of `ite`s without recursion.
    fn value(&self, pool: &TermPool, domain: &[Sort], arguments: &[Argument<'_>]) -> Result<Value, Reason> {
        let mut node = self.manager.copy(self.body.node());
        loop {
            if self.manager.kind(node.node()) == Kind::Ite {
                let condition = self.manager.child(node.node(), 0)?;
                let holds = self.holds(pool, domain, condition.node(), arguments, NESTING)?;
                node = self.manager.child(node.node(), if holds { 1 } else { 2 })?;
            } else if let Some(parameter) = self.parameter(node.node()) {
                return match arguments[parameter] {
                    Some(value) => Ok(value.clone()),
                    None => Err(self.odd(node.node())),
                };
            } else if self.range == Sort::Bool {
                return self.holds(pool, domain, node.node(), arguments, NESTING).map(Value::Bool);
            } else {
                return read(self.manager, pool, node.node(), self.range);
            }
        }
    }

    /// Whether a condition holds at `arguments`; `nesting` bounds the recursion.
    fn holds(
        &self,
        pool: &TermPool,
        domain: &[Sort],
        condition: Node,
        arguments: &[Argument<'_>],
        nesting: usize,
    ) -> Result<bool, Reason> {
        if let Some(value) = self.manager.boolean_value(condition) {
            return Ok(value);
        }
        if let Some(parameter) = self.parameter(condition) {
            return Ok(matches!(arguments[parameter], Some(Value::Bool(true))));
        }
        let Some(nesting) = nesting.checked_sub(1) else { return Err(self.odd(condition)) };
        let child = |index| {
            let child = self.manager.child(condition, index)?;
            self.holds(pool, domain, child.node(), arguments, nesting)
        };
        match self.manager.kind(condition) {
            Kind::Not => Ok(!child(0)?),
            Kind::And | Kind::Or => {
                let decisive = self.manager.kind(condition) == Kind::Or;
                for index in 0..self.manager.arity(condition) {
                    if child(index)? == decisive {
                        return Ok(decisive);
                    }
                }
                Ok(!decisive)
            }
            Kind::Ite => child(if child(0)? { 1 } else { 2 }),
            Kind::Equal => match self.equation(condition)? {
                Some((parameter, constant)) => match arguments[parameter] {
                    Some(value) => {
                        Ok(*value == read(self.manager, pool, constant.node(), domain[parameter])?)
                    }
                    None => Ok(false),
                },
                None => Err(self.odd(condition)),
            },
            _ => Err(self.odd(condition)),
        }
    }

    fn odd(&self, node: Node) -> Reason {
        Reason::Incomplete(format!("a function of the model is not a table: {}", self.manager.show(node)))
    }
}

/// The maximal nesting of conditions in functions of models.
const NESTING: usize = 500;
