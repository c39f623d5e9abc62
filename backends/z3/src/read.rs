//! Reads terms of a Z3 context as terms of a pool: the answers of Spacer, quantifier elimination
//! and projection.
//!
//! Answers may be shared and deep, so the traversal is iterative and reads each distinct node once.
//! Operators that only Z3 has are expanded by their definition; operators without a counterpart in
//! the term language and auxiliary constants of Z3 are [`Reason::Unsupported`]. Terms are built
//! through [`TermPool::build`], which checks sorts, so a fault of the library becomes an error, not
//! a panic.
//!
//! Bound variables are de Bruijn indices in Z3. Reading a quantifier starts a new traversal of its
//! body, with names for its variables that contain the nesting depth, so inner and outer names
//! differ. The recursion over the nesting of quantifiers is bounded.

use crate::ffi::{Context, Node, Quantifier, Shape, SortNode, SortShape};
use crate::translate::Translator;
use crate::value;
use backends::Reason;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use terms::{FunctionSymbol, Op, Sort, Term, TermPool};
use z3_sys::DeclKind;

/// The maximal nesting of quantifiers.
const NESTING: usize = 50;
/// The maximal width of bit vectors that are expanded as integers.
const WIDTH: u32 = 256;
/// The maximal power that is expanded as a product.
const POWER: u32 = 16;

/// Reads terms of one context.
pub(crate) struct Reader<'a> {
    pub(crate) context: &'a Context,
    pub(crate) translator: &'a Translator,
    pub(crate) pool: &'a mut TermPool,
}

impl Reader<'_> {
    /// The term of a live node, where `variables[i]` replaces its free variable number `i`.
    pub(crate) fn read(&mut self, root: Node, variables: &[Term]) -> Result<Term, Reason> {
        let variables: Vec<Term> = variables.iter().rev().copied().collect();
        self.read_under(root, &variables, 0)
    }

    /// Like [`read`](Self::read), with the innermost variable last.
    fn read_under(&mut self, root: Node, variables: &[Term], nesting: usize) -> Result<Term, Reason> {
        if nesting > NESTING {
            return Err(Reason::Unsupported("deeply nested quantifiers in an answer of Z3".to_owned()));
        }
        let mut known: FxHashMap<Node, Term> = FxHashMap::default();
        let mut stack = vec![root];
        let mut children = Vec::new();
        while let Some(&node) = stack.last() {
            if known.contains_key(&node) {
                stack.pop();
                continue;
            }
            let term = match self.context.shape(node) {
                Shape::Numeral => self.numeral(node)?,
                Shape::Variable(index) => *variables
                    .len()
                    .checked_sub(index as usize + 1)
                    .and_then(|index| variables.get(index))
                    .ok_or_else(|| Reason::Fault("a free variable in an answer of Z3".to_owned()))?,
                Shape::Quantifier(quantifier) => self.quantifier(node, quantifier, variables, nesting)?,
                Shape::Application => {
                    let before = stack.len();
                    children.clear();
                    for index in 0..self.context.arity(node) {
                        let child = self.context.argument(node, index)?;
                        match known.get(&child) {
                            Some(&known) => children.push(known),
                            None => stack.push(child),
                        }
                    }
                    if stack.len() > before {
                        continue;
                    }
                    self.application(node, &children)?
                }
                Shape::Lambda => return Err(unsupported("a lambda")),
                Shape::Other => return Err(unsupported("a node that is not a term")),
            };
            known.insert(node, term);
            stack.pop();
        }
        Ok(known[&root])
    }

    fn quantifier(
        &mut self,
        node: Node,
        quantifier: Quantifier,
        variables: &[Term],
        nesting: usize,
    ) -> Result<Term, Reason> {
        let mut bound = Vec::new();
        for (index, sort) in self.context.bound_sorts(node)?.into_iter().enumerate() {
            let sort = self.sort(sort)?;
            bound.push(self.pool.bound(&format!("z3!{nesting}!{index}"), sort));
        }
        let mut inner = variables.to_vec();
        inner.extend(&bound);
        let body = self.read_under(self.context.body(node)?, &inner, nesting + 1)?;
        Ok(match quantifier {
            Quantifier::Forall => self.pool.forall(&bound, body),
            Quantifier::Exists => self.pool.exists(&bound, body),
        })
    }

    fn sort(&mut self, sort: SortNode) -> Result<Sort, Reason> {
        if let Some(&known) = self.translator.sorts_back.get(&sort) {
            return Ok(known);
        }
        Ok(match self.context.sort_shape(sort)? {
            SortShape::Bool => Sort::Bool,
            SortShape::Int => Sort::Int,
            SortShape::Real => Sort::Real,
            SortShape::BitVec(width) => Sort::BitVec(width),
            SortShape::Float(exponent, significand) => {
                let fits = |bits: u32| u16::try_from(bits).map_err(|_| unsupported("a huge float"));
                Sort::Float(fits(exponent)?, fits(significand)?)
            }
            SortShape::RoundingMode => Sort::RoundingMode,
            SortShape::Array(index, element) => {
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                self.pool.array_sort(index, element)
            }
            SortShape::Other => return Err(unsupported("a sort")),
        })
    }

    fn numeral(&mut self, node: Node) -> Result<Term, Reason> {
        let sort = self.context.sort_of(node)?;
        match self.sort(sort)? {
            sort @ (Sort::Int | Sort::Real) => {
                if self.context.is_algebraic(node) {
                    return Err(unsupported("an irrational number"));
                }
                let value = value::rational(self.context, node)?;
                if sort == Sort::Int && !value.is_integer() {
                    return Err(Reason::Fault("an integer numeral with a fraction".to_owned()));
                }
                Ok(self.pool.number(sort, &value))
            }
            sort @ Sort::BitVec(width) => {
                let bits = value::natural(self.context, node, sort)?;
                Ok(self.pool.bv_big(width, &bits.into()))
            }
            sort @ Sort::Float(exponent, significand) => {
                let bits = if self.context.is_nan(node) {
                    value::nan(exponent, significand)
                } else {
                    value::natural(self.context, self.context.float_bits(node)?.node(), sort)?
                };
                Ok(self.pool.float_from_bits(exponent, significand, &bits))
            }
            Sort::RoundingMode => match value::rounding_mode(self.context.operator(node)) {
                Some(mode) => Ok(self.pool.rounding_mode(mode)),
                None => Err(unsupported("a rounding mode")),
            },
            _ => Err(unsupported("a numeral")),
        }
    }

    fn build(&mut self, op: Op, children: &[Term]) -> Result<Term, Reason> {
        self.pool
            .build(op, children)
            .map_err(|error| Reason::Fault(format!("an ill-sorted answer of Z3: {error}")))
    }

    /// Folds an n-ary operator of Z3 into a binary operator of the pool.
    fn fold(&mut self, op: Op, children: &[Term]) -> Result<Term, Reason> {
        let Some((&first, rest)) = children.split_first() else {
            return Err(Reason::Fault(format!("{op:?} without operands in an answer of Z3")));
        };
        rest.iter().try_fold(first, |left, &right| self.build(op, &[left, right]))
    }

    fn negated(&mut self, op: Op, children: &[Term]) -> Result<Term, Reason> {
        let term = self.fold(op, children)?;
        self.build(Op::BvNot, &[term])
    }

    /// `op` with its two operands swapped.
    fn swapped(&mut self, op: Op, children: &[Term]) -> Result<Term, Reason> {
        let &[a, b] = children else { return Err(arity(op)) };
        self.build(op, &[b, a])
    }

    fn application(&mut self, node: Node, children: &[Term]) -> Result<Term, Reason> {
        let operator = self.context.operator(node);
        match operator {
            DeclKind::Uninterpreted => self.uninterpreted(node, children),
            DeclKind::True => Ok(self.pool.tru()),
            DeclKind::False => Ok(self.pool.fls()),
            DeclKind::And if children.is_empty() => Ok(self.pool.tru()),
            DeclKind::Or if children.is_empty() => Ok(self.pool.fls()),
            DeclKind::And => self.build(Op::And, children),
            DeclKind::Or => self.build(Op::Or, children),
            DeclKind::Not => self.build(Op::Not, children),
            DeclKind::Xor => self.fold(Op::Xor, children),
            DeclKind::Implies => {
                let &[a, b] = children else { return Err(arity(Op::Or)) };
                let not_a = self.build(Op::Not, &[a])?;
                self.build(Op::Or, &[not_a, b])
            }
            DeclKind::Eq | DeclKind::Iff | DeclKind::Oeq => self.build(Op::Eq, children),
            DeclKind::Distinct => self.distinct(children),
            DeclKind::Ite => self.build(Op::Ite, children),
            DeclKind::Select => self.build(Op::Select, children),
            DeclKind::Store => self.build(Op::Store, children),
            DeclKind::ConstArray => {
                let sort = self.context.sort_of(node)?;
                match self.sort(sort)? {
                    Sort::Array(parts) => self.build(Op::ConstArray(parts), children),
                    _ => Err(unsupported("a constant array")),
                }
            }
            _ => match self.arithmetic(operator, children)? {
                Some(term) => Ok(term),
                None => match self.bit_vector(node, operator, children)? {
                    Some(term) => Ok(term),
                    None => self.float(node, operator, children),
                },
            },
        }
    }

    fn uninterpreted(&mut self, node: Node, children: &[Term]) -> Result<Term, Reason> {
        let decl = self.context.decl_of(node).ok_or_else(|| unsupported("a term"))?;
        if let Some(&symbol) = self.translator.symbols_back.get(&decl) {
            return Ok(self.pool.symbol_term(symbol));
        }
        if let Some(&function) = self.translator.functions_back.get(&decl) {
            return self.apply(function, children);
        }
        Err(unsupported(&format!("the auxiliary symbol {}", self.context.decl_name(decl))))
    }

    fn apply(&mut self, function: FunctionSymbol, children: &[Term]) -> Result<Term, Reason> {
        self.build(Op::Apply(function), children)
    }

    fn distinct(&mut self, children: &[Term]) -> Result<Term, Reason> {
        if children.windows(2).any(|pair| self.pool.sort(pair[0]) != self.pool.sort(pair[1])) {
            return Err(Reason::Fault("an ill-sorted answer of Z3".to_owned()));
        }
        Ok(self.pool.distinct(children))
    }

    fn arithmetic(&mut self, operator: DeclKind, children: &[Term]) -> Result<Option<Term>, Reason> {
        let term = match (operator, children) {
            (DeclKind::Add, _) => self.build(Op::Add, children)?,
            (DeclKind::Sub, _) => self.fold(Op::Sub, children)?,
            (DeclKind::Uminus, _) => self.build(Op::Neg, children)?,
            (DeclKind::Mul, _) => self.fold(Op::Mul, children)?,
            (DeclKind::Div, _) => self.fold(Op::RealDiv, children)?,
            (DeclKind::Idiv, _) => self.fold(Op::IntDiv, children)?,
            (DeclKind::Mod, _) => self.build(Op::IntMod, children)?,
            (DeclKind::Rem, &[_, b]) => {
                // The remainder has the sign of the divisor.
                let modulus = self.build(Op::IntMod, children)?;
                let negated = self.build(Op::Neg, &[modulus])?;
                let zero = self.pool.int(0);
                let is_negative = self.build(Op::Lt, &[b, zero])?;
                self.build(Op::Ite, &[is_negative, negated, modulus])?
            }
            (DeclKind::Le, _) => self.build(Op::Le, children)?,
            (DeclKind::Lt, _) => self.build(Op::Lt, children)?,
            (DeclKind::Ge, _) => self.swapped(Op::Le, children)?,
            (DeclKind::Gt, _) => self.swapped(Op::Lt, children)?,
            (DeclKind::ToReal, _) => self.build(Op::ToReal, children)?,
            (DeclKind::ToInt, _) => self.build(Op::ToInt, children)?,
            (DeclKind::IsInt, &[a]) => {
                let floor = self.build(Op::ToInt, &[a])?;
                let floor = self.build(Op::ToReal, &[floor])?;
                self.build(Op::Eq, &[floor, a])?
            }
            (DeclKind::Abs, &[a]) => {
                let negated = self.build(Op::Neg, &[a])?;
                let zero =
                    self.pool.number(self.pool.sort(a), &num_rational::BigRational::from_integer(0.into()));
                let is_negative = self.build(Op::Lt, &[a, zero])?;
                self.build(Op::Ite, &[is_negative, negated, a])?
            }
            (DeclKind::Power, &[a, b]) => {
                let exponent = self
                    .pool
                    .as_int(b)
                    .and_then(ToPrimitive::to_u32)
                    .or_else(|| self.pool.as_real(b).filter(|b| b.is_integer())?.to_u32());
                match exponent {
                    Some(exponent @ 1..=POWER) => self.fold(Op::Mul, &vec![a; exponent as usize])?,
                    _ => return Err(unsupported("a power")),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(term))
    }

    fn bit_vector(
        &mut self,
        node: Node,
        operator: DeclKind,
        children: &[Term],
    ) -> Result<Option<Term>, Reason> {
        let term = match (operator, children) {
            (DeclKind::Bneg, _) => self.build(Op::BvNeg, children)?,
            (DeclKind::Bnot, _) => self.build(Op::BvNot, children)?,
            (DeclKind::Badd, _) => self.fold(Op::BvAdd, children)?,
            (DeclKind::Bsub, _) => self.fold(Op::BvSub, children)?,
            (DeclKind::Bmul, _) => self.fold(Op::BvMul, children)?,
            (DeclKind::Band, _) => self.fold(Op::BvAnd, children)?,
            (DeclKind::Bor, _) => self.fold(Op::BvOr, children)?,
            (DeclKind::Bxor, _) => self.fold(Op::BvXor, children)?,
            (DeclKind::Bnand, _) => self.negated(Op::BvAnd, children)?,
            (DeclKind::Bnor, _) => self.negated(Op::BvOr, children)?,
            (DeclKind::Bxnor, _) => self.negated(Op::BvXor, children)?,
            (DeclKind::Concat, _) => self.fold(Op::Concat, children)?,
            // The variants `…I` are defined only for nonzero divisors.
            (DeclKind::Bsdiv | DeclKind::BsdivI, _) => self.build(Op::BvSdiv, children)?,
            (DeclKind::Budiv | DeclKind::BudivI, _) => self.build(Op::BvUdiv, children)?,
            (DeclKind::Bsrem | DeclKind::BsremI, _) => self.build(Op::BvSrem, children)?,
            (DeclKind::Burem | DeclKind::BuremI, _) => self.build(Op::BvUrem, children)?,
            (DeclKind::Bsmod | DeclKind::BsmodI, &[a, b]) => self.signed_modulus(a, b)?,
            (DeclKind::Bshl, _) => self.build(Op::BvShl, children)?,
            (DeclKind::Blshr, _) => self.build(Op::BvLshr, children)?,
            (DeclKind::Bashr, _) => self.build(Op::BvAshr, children)?,
            (DeclKind::Uleq, _) => self.build(Op::BvUle, children)?,
            (DeclKind::Sleq, _) => self.build(Op::BvSle, children)?,
            (DeclKind::Ult, _) => self.build(Op::BvUlt, children)?,
            (DeclKind::Slt, _) => self.build(Op::BvSlt, children)?,
            (DeclKind::Ugeq, _) => self.swapped(Op::BvUle, children)?,
            (DeclKind::Sgeq, _) => self.swapped(Op::BvSle, children)?,
            (DeclKind::Ugt, _) => self.swapped(Op::BvUlt, children)?,
            (DeclKind::Sgt, _) => self.swapped(Op::BvSlt, children)?,
            (DeclKind::Extract, _) => {
                let (high, low) = (self.parameter(node, 0)?, self.parameter(node, 1)?);
                self.build(Op::Extract { high, low }, children)?
            }
            (DeclKind::ZeroExt, _) => self.build(Op::ZeroExtend(self.parameter(node, 0)?), children)?,
            (DeclKind::SignExt, _) => self.build(Op::SignExtend(self.parameter(node, 0)?), children)?,
            (DeclKind::Repeat, &[a]) => {
                let times = self.parameter(node, 0)? as usize;
                self.fold(Op::Concat, &vec![a; times])?
            }
            (DeclKind::RotateLeft, &[a]) => {
                let (width, by) = (self.width(a)?, self.parameter(node, 0)?);
                self.rotate_left(a, by % width)?
            }
            (DeclKind::RotateRight, &[a]) => {
                let (width, by) = (self.width(a)?, self.parameter(node, 0)?);
                self.rotate_left(a, width - by % width)?
            }
            (DeclKind::Bredor, &[a]) => {
                let zero = self.pool.bv(self.width(a)?, 0);
                let is_zero = self.build(Op::Eq, &[a, zero])?;
                self.bit(is_zero, 0)?
            }
            (DeclKind::Bredand, &[a]) => {
                let ones = self.pool.bv_i64(self.width(a)?, -1);
                let is_ones = self.build(Op::Eq, &[a, ones])?;
                self.bit(is_ones, 1)?
            }
            (DeclKind::Bcomp, _) => {
                let is_equal = self.build(Op::Eq, children)?;
                self.bit(is_equal, 1)?
            }
            (DeclKind::Bit2bool, &[a]) => {
                let index = self.parameter(node, 0)?;
                self.is_set(a, index)?
            }
            (DeclKind::Bv2int | DeclKind::Sbv2int, &[a]) => {
                let is_signed = operator == DeclKind::Sbv2int;
                self.integer_of(a, if is_signed { Signed::Yes } else { Signed::No })?
            }
            (DeclKind::BumulNoOvfl, &[a, b]) => {
                let width = self.width(a)?;
                let product = self.wide_product(a, b, Op::ZeroExtend(width))?;
                let high = self.build(Op::Extract { high: 2 * width - 1, low: width }, &[product])?;
                let zero = self.pool.bv(width, 0);
                self.build(Op::Eq, &[high, zero])?
            }
            (DeclKind::BsmulNoOvfl | DeclKind::BsmulNoUdfl, &[a, b]) => {
                let width = self.width(a)?;
                let product = self.wide_product(a, b, Op::SignExtend(width))?;
                let power = num_bigint::BigInt::from(1) << (width - 1);
                if operator == DeclKind::BsmulNoOvfl {
                    let bound = self.pool.bv_big(2 * width, &power);
                    self.build(Op::BvSlt, &[product, bound])?
                } else {
                    let bound = self.pool.bv_big(2 * width, &-power);
                    self.build(Op::BvSle, &[bound, product])?
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(term))
    }

    fn parameter(&self, node: Node, index: u32) -> Result<u32, Reason> {
        let decl = self.context.decl_of(node).ok_or_else(|| unsupported("a term"))?;
        self.context.parameter(decl, index)
    }

    fn width(&self, term: Term) -> Result<u32, Reason> {
        match self.pool.sort(term) {
            Sort::BitVec(width) => Ok(width),
            _ => Err(Reason::Fault("an ill-sorted answer of Z3".to_owned())),
        }
    }

    /// The bit `value` if `condition` holds, otherwise its complement.
    fn bit(&mut self, condition: Term, value: u64) -> Result<Term, Reason> {
        let (then, otherwise) = (self.pool.bv(1, value), self.pool.bv(1, 1 - value));
        self.build(Op::Ite, &[condition, then, otherwise])
    }

    fn is_set(&mut self, a: Term, index: u32) -> Result<Term, Reason> {
        let bit = self.build(Op::Extract { high: index, low: index }, &[a])?;
        let one = self.pool.bv(1, 1);
        self.build(Op::Eq, &[bit, one])
    }

    /// `by` is at most the width.
    fn rotate_left(&mut self, a: Term, by: u32) -> Result<Term, Reason> {
        let width = self.width(a)?;
        if by.is_multiple_of(width) {
            return Ok(a);
        }
        let low = self.build(Op::Extract { high: width - by - 1, low: 0 }, &[a])?;
        let high = self.build(Op::Extract { high: width - 1, low: width - by }, &[a])?;
        self.build(Op::Concat, &[low, high])
    }

    fn wide_product(&mut self, a: Term, b: Term, extend: Op) -> Result<Term, Reason> {
        let (a, b) = (self.build(extend, &[a])?, self.build(extend, &[b])?);
        self.build(Op::BvMul, &[a, b])
    }

    /// `bvsmod` by its definition in SMT-LIB.
    fn signed_modulus(&mut self, a: Term, b: Term) -> Result<Term, Reason> {
        let zero = self.pool.bv(self.width(a)?, 0);
        let mut signs = [zero; 2];
        let mut absolutes = [zero; 2];
        for (place, term) in [a, b].into_iter().enumerate() {
            signs[place] = self.build(Op::BvSlt, &[term, zero])?;
            let negated = self.build(Op::BvNeg, &[term])?;
            absolutes[place] = self.build(Op::Ite, &[signs[place], negated, term])?;
        }
        let remainder = self.build(Op::BvUrem, &absolutes)?;
        let negated = self.build(Op::BvNeg, &[remainder])?;
        let is_zero = self.build(Op::Eq, &[remainder, zero])?;
        let (minus, plus) = (self.build(Op::BvAdd, &[negated, b])?, self.build(Op::BvAdd, &[remainder, b])?);
        let of_negative = self.build(Op::Ite, &[signs[1], negated, minus])?;
        let of_positive = self.build(Op::Ite, &[signs[1], plus, remainder])?;
        let by_sign = self.build(Op::Ite, &[signs[0], of_negative, of_positive])?;
        self.build(Op::Ite, &[is_zero, remainder, by_sign])
    }

    /// The integer value of a bit vector, as a sum over its bits.
    fn integer_of(&mut self, a: Term, signed: Signed) -> Result<Term, Reason> {
        let width = self.width(a)?;
        if width > WIDTH {
            return Err(unsupported("the integer of a wide bit vector"));
        }
        let zero = self.pool.int(0);
        let mut summands = Vec::new();
        for index in 0..width {
            let mut weight = num_bigint::BigInt::from(1) << index;
            if signed == Signed::Yes && index + 1 == width {
                weight = -weight;
            }
            let weight = self.pool.int_big(&weight);
            let is_set = self.is_set(a, index)?;
            summands.push(self.build(Op::Ite, &[is_set, weight, zero])?);
        }
        self.build(Op::Add, &summands)
    }

    fn float(&mut self, node: Node, operator: DeclKind, children: &[Term]) -> Result<Term, Reason> {
        let op = match operator {
            DeclKind::FpaAdd => Op::FpAdd,
            DeclKind::FpaSub => Op::FpSub,
            DeclKind::FpaNeg => Op::FpNeg,
            DeclKind::FpaMul => Op::FpMul,
            DeclKind::FpaDiv => Op::FpDiv,
            DeclKind::FpaRem => Op::FpRem,
            DeclKind::FpaAbs => Op::FpAbs,
            DeclKind::FpaMin => Op::FpMin,
            DeclKind::FpaMax => Op::FpMax,
            DeclKind::FpaFma => Op::FpFma,
            DeclKind::FpaSqrt => Op::FpSqrt,
            DeclKind::FpaRoundToIntegral => Op::FpRoundToIntegral,
            DeclKind::FpaEq => Op::FpEq,
            DeclKind::FpaLt => Op::FpLt,
            DeclKind::FpaLe => Op::FpLe,
            DeclKind::FpaGt => return self.swapped(Op::FpLt, children),
            DeclKind::FpaGe => return self.swapped(Op::FpLe, children),
            DeclKind::FpaIsNan => Op::FpIsNan,
            DeclKind::FpaIsInf => Op::FpIsInfinite,
            DeclKind::FpaIsZero => Op::FpIsZero,
            DeclKind::FpaIsNormal => Op::FpIsNormal,
            DeclKind::FpaIsSubnormal => Op::FpIsSubnormal,
            DeclKind::FpaIsNegative => Op::FpIsNegative,
            DeclKind::FpaIsPositive => Op::FpIsPositive,
            DeclKind::FpaToReal => Op::FpToReal,
            DeclKind::FpaNum
            | DeclKind::FpaPlusInf
            | DeclKind::FpaMinusInf
            | DeclKind::FpaNan
            | DeclKind::FpaPlusZero
            | DeclKind::FpaMinusZero
            | DeclKind::FpaRmNearestTiesToEven
            | DeclKind::FpaRmNearestTiesToAway
            | DeclKind::FpaRmTowardPositive
            | DeclKind::FpaRmTowardNegative
            | DeclKind::FpaRmTowardZero => return self.numeral(node),
            _ => return self.float_conversion(node, operator, children),
        };
        self.build(op, children)
    }

    fn float_conversion(
        &mut self,
        node: Node,
        operator: DeclKind,
        children: &[Term],
    ) -> Result<Term, Reason> {
        let sort = self.context.sort_of(node)?;
        let argument = children.last().map(|&last| self.pool.sort(last));
        let op = match (operator, self.sort(sort)?, children.len(), argument) {
            (DeclKind::FpaToFp, Sort::Float(exponent, significand), 1, Some(Sort::BitVec(_))) => {
                Op::FpFromBits { exponent, significand }
            }
            (DeclKind::FpaToFp, Sort::Float(exponent, significand), 2, Some(Sort::Float(..))) => {
                Op::FpFromFloat { exponent, significand }
            }
            (DeclKind::FpaToFp, Sort::Float(exponent, significand), 2, Some(Sort::Real)) => {
                Op::FpFromReal { exponent, significand }
            }
            (DeclKind::FpaToFp, Sort::Float(exponent, significand), 2, Some(Sort::BitVec(_))) => {
                Op::FpFromSigned { exponent, significand }
            }
            (DeclKind::FpaToFpUnsigned, Sort::Float(exponent, significand), 2, _) => {
                Op::FpFromUnsigned { exponent, significand }
            }
            (DeclKind::FpaToUbv, Sort::BitVec(width), 2, _) => Op::FpToUnsigned(width),
            (DeclKind::FpaToSbv, Sort::BitVec(width), 2, _) => Op::FpToSigned(width),
            (DeclKind::FpaFp, Sort::Float(exponent, significand), 3, _) => {
                let bits = self.fold(Op::Concat, children)?;
                return self.build(Op::FpFromBits { exponent, significand }, &[bits]);
            }
            _ => return Err(unsupported(&format!("the operator {operator:?}"))),
        };
        self.build(op, children)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Signed {
    Yes,
    No,
}

fn unsupported(what: &str) -> Reason {
    Reason::Unsupported(format!("{what} in an answer of Z3"))
}

fn arity(op: Op) -> Reason {
    Reason::Fault(format!("{op:?} with a wrong number of arguments in an answer of Z3"))
}
