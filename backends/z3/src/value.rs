//! Reads values of a Z3 model as values of terms.
//!
//! A value is a term: a numeral; for arrays a chain of writes over a constant array, a function of
//! the model (`as-array`), or a lambda that compares its argument with values. Elements of
//! uninterpreted sorts are constants created by the model; they are numbered in order of first
//! occurrence.

use crate::ffi::{Context, Decl, Model, Node, Owned, Shape};
use backends::Reason;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use terms::{ArrayValue, BitVector, FunctionValue, RoundingMode, Sort, TermPool, Value};
use z3_sys::DeclKind;

/// The elements of uninterpreted sorts of one model.
#[derive(Default)]
pub(crate) struct Elements {
    numbers: FxHashMap<Node, u64>,
    /// Keeps the nodes of `numbers` alive, so that the library does not reuse them.
    kept: Vec<Owned>,
    /// The number of elements of each sort.
    counts: FxHashMap<u32, u64>,
}

/// Reads the values of one model.
pub(crate) struct Reader<'a> {
    pub(crate) context: &'a Context,
    pub(crate) model: &'a Model,
    pub(crate) pool: &'a TermPool,
    pub(crate) elements: &'a mut Elements,
}

impl Reader<'_> {
    /// The value of a term of `sort` in the model.
    pub(crate) fn eval(&mut self, node: Node, sort: Sort) -> Result<Value, Reason> {
        let value = self.context.eval(self.model, node)?;
        self.value(value.node(), sort)
    }

    /// The interpretation of a function with these argument sorts and this result sort.
    pub(crate) fn function(
        &mut self,
        decl: Decl,
        arguments: &[Sort],
        result: Sort,
    ) -> Result<Option<FunctionValue>, Reason> {
        let Some(interpretation) = self.context.interpretation(self.model, decl)? else { return Ok(None) };
        let mut function = FunctionValue::default();
        for (at, image) in self.context.entries(&interpretation)? {
            let at = at
                .iter()
                .zip(arguments)
                .map(|(node, &sort)| self.eval(node.node(), sort))
                .collect::<Result<Vec<_>, _>>()?;
            function.table.insert(at, self.eval(image.node(), result)?);
        }
        let otherwise = self.context.otherwise(&interpretation)?;
        function.default = Some(self.eval(otherwise.node(), result)?);
        Ok(Some(function))
    }

    fn value(&mut self, node: Node, sort: Sort) -> Result<Value, Reason> {
        let context = self.context;
        match sort {
            Sort::Bool => match context.operator(node) {
                DeclKind::True => Ok(Value::Bool(true)),
                DeclKind::False => Ok(Value::Bool(false)),
                _ => Err(undetermined(sort)),
            },
            Sort::Int => Ok(Value::Int(integer(context, node, sort)?)),
            Sort::Real => {
                if context.is_algebraic(node) {
                    return Err(Reason::Unsupported("irrational values".to_owned()));
                }
                Ok(Value::Real(rational(context, node)?))
            }
            Sort::BitVec(width) => {
                Ok(Value::BitVec(BitVector::from_natural(width, natural(context, node, sort)?)))
            }
            Sort::Float(exponent, significand) => {
                let bits = if context.is_nan(node) {
                    nan(exponent, significand)
                } else {
                    natural(context, context.float_bits(node)?.node(), sort)?
                };
                Ok(Value::Float { exponent, significand, bits })
            }
            Sort::RoundingMode => Ok(Value::RoundingMode(
                rounding_mode(context.operator(node)).ok_or_else(|| undetermined(sort))?,
            )),
            Sort::Uninterpreted(number) => self.element(node, number),
            Sort::Array(parts) => {
                let (index, element) = self.pool.array_sort_parts(parts);
                Ok(Value::Array(self.array(node, index, element)?))
            }
        }
    }

    fn element(&mut self, node: Node, sort: u32) -> Result<Value, Reason> {
        if !matches!(self.context.shape(node), Shape::Application) || self.context.arity(node) != 0 {
            return Err(undetermined(Sort::Uninterpreted(sort)));
        }
        let number = match self.elements.numbers.get(&node) {
            Some(&number) => number,
            None => {
                let count = self.elements.counts.entry(sort).or_default();
                let number = *count;
                *count += 1;
                self.elements.numbers.insert(node, number);
                // A value evaluates to itself; evaluation yields an owned handle.
                self.elements.kept.push(self.context.eval(self.model, node)?);
                number
            }
        };
        Ok(Value::Element { sort, number })
    }

    /// Recurses over the nesting of the sort only.
    fn array(&mut self, node: Node, index: Sort, element: Sort) -> Result<ArrayValue, Reason> {
        let mut writes = Vec::new();
        let mut current = node;
        let mut array = loop {
            match (self.context.shape(current), self.context.operator(current)) {
                (Shape::Application, DeclKind::Store) => {
                    let at = self.value(self.context.argument(current, 1)?, index)?;
                    writes.push((at, self.value(self.context.argument(current, 2)?, element)?));
                    current = self.context.argument(current, 0)?;
                }
                (Shape::Application, DeclKind::ConstArray) => {
                    break ArrayValue::constant(self.value(self.context.argument(current, 0)?, element)?);
                }
                (Shape::Application, DeclKind::AsArray) => {
                    let decl = self.context.as_array(current)?;
                    let function = self
                        .function(decl, &[index], element)?
                        .ok_or_else(|| Reason::Fault("an array value without its function".to_owned()))?;
                    let default = function.default.expect("functions of a model are total");
                    let mut array = ArrayValue::constant(default);
                    for (mut at, image) in function.table {
                        array.store(at.pop().expect("a function of one argument"), image);
                    }
                    break array;
                }
                (Shape::Lambda, _) => break self.lambda(self.context.body(current)?, index, element)?,
                _ => return Err(undetermined(Sort::Bool)),
            }
        };
        for (at, image) in writes.into_iter().rev() {
            array.store(at, image);
        }
        Ok(array)
    }

    /// Reads `ite(x = v, w, ite(…))` over the variable `x`.
    fn lambda(&mut self, body: Node, index: Sort, element: Sort) -> Result<ArrayValue, Reason> {
        let unsupported = || Reason::Unsupported("array values that are not tables".to_owned());
        let context = self.context;
        let mut writes = Vec::new();
        let mut current = body;
        while matches!(context.shape(current), Shape::Application)
            && context.operator(current) == DeclKind::Ite
        {
            let condition = context.argument(current, 0)?;
            if context.operator(condition) != DeclKind::Eq {
                return Err(unsupported());
            }
            let (left, right) = (context.argument(condition, 0)?, context.argument(condition, 1)?);
            let at = match (context.shape(left), context.shape(right)) {
                (Shape::Variable(0), _) => right,
                (_, Shape::Variable(0)) => left,
                _ => return Err(unsupported()),
            };
            let at = self.value(at, index).map_err(|_| unsupported())?;
            let image = self.value(context.argument(current, 1)?, element).map_err(|_| unsupported())?;
            writes.push((at, image));
            current = context.argument(current, 2)?;
        }
        let mut array = ArrayValue::constant(self.value(current, element).map_err(|_| unsupported())?);
        for (at, image) in writes.into_iter().rev() {
            array.store(at, image);
        }
        Ok(array)
    }
}

/// The rounding mode denoted by a constant of the library.
pub(crate) fn rounding_mode(operator: DeclKind) -> Option<RoundingMode> {
    Some(match operator {
        DeclKind::FpaRmNearestTiesToEven => RoundingMode::NearestEven,
        DeclKind::FpaRmNearestTiesToAway => RoundingMode::NearestAway,
        DeclKind::FpaRmTowardPositive => RoundingMode::TowardPositive,
        DeclKind::FpaRmTowardNegative => RoundingMode::TowardNegative,
        DeclKind::FpaRmTowardZero => RoundingMode::TowardZero,
        _ => return None,
    })
}

/// The value of a rational numeral.
pub(crate) fn rational(context: &Context, node: Node) -> Result<BigRational, Reason> {
    if let Shape::Numeral = context.shape(node) {
        let text = context.numeral(node)?;
        return text.parse().map_err(|_| Reason::Fault(format!("the number {text}")));
    }
    Err(undetermined(Sort::Real))
}

fn integer(context: &Context, node: Node, sort: Sort) -> Result<BigInt, Reason> {
    let Shape::Numeral = context.shape(node) else { return Err(undetermined(sort)) };
    if let Some(small) = context.small_numeral(node) {
        return Ok(small.into());
    }
    let text = context.numeral(node)?;
    text.parse().map_err(|_| Reason::Fault(format!("the integer {text}")))
}

/// The value of a bit-vector numeral.
pub(crate) fn natural(context: &Context, node: Node, sort: Sort) -> Result<BigUint, Reason> {
    integer(context, node, sort)?.try_into().map_err(|_| Reason::Fault("negative bits".to_owned()))
}

/// The canonical pattern of NaN, as in `TermPool::fp_nan`: all ones in the exponent, then a one.
pub(crate) fn nan(exponent: u16, significand: u16) -> BigUint {
    let ones = (BigUint::from(1u8) << (u32::from(exponent) + 1)) - 1u8;
    ones << (u32::from(significand) - 2)
}

fn undetermined(sort: Sort) -> Reason {
    Reason::Incomplete(format!("the model has no value for a term of the sort {sort:?}"))
}
