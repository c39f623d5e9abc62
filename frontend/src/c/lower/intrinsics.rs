//! Vector operations without a C operator, and x86 instructions on integers; [`VectorOp`] documents
//! each of them.

use super::floats::{self, Arithmetic, FloatFormat};
use super::function::Lowering;
use super::places::Value;
use crate::c::hir::{CastKind, Excess, ExprId, FloatOp, VectorOp};
use crate::c::types::TypeId;
use grammars::source::Span;
use program::ssa::{Signedness, Type};
use terms::Term;

/// The width in bits of a block, the unit in which instructions on longer vectors operate.
const BLOCK: u32 = 128;

/// The polynomial of CRC-32C with reversed bits.
const CASTAGNOLI: u64 = 0x82F6_3B78;

/// An evaluated argument.
#[derive(Clone, Copy)]
struct Argument {
    term: Term,
    /// The type of an element, or of a scalar.
    element: TypeId,
    /// The width in bits of an element, or of a scalar.
    width: u32,
    signedness: Signedness,
}

impl Lowering<'_, '_, '_> {
    /// Lowers a vector operation with a result of the given type.
    pub(super) fn vector_operation(
        &mut self,
        op: VectorOp,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Value {
        let arguments: Vec<Argument> =
            arguments.iter().map(|&argument| self.vector_argument(argument)).collect();
        let term = match arguments.as_slice() {
            _ if op == VectorOp::Make => {
                let elements: Vec<Term> = arguments.iter().map(|argument| argument.term).collect();
                Some(self.join(&elements))
            }
            [a, b, indices @ ..] if op == VectorOp::Permute => self.permute(*a, *b, indices),
            &[a] => self.operation_of_one(op, a, ty, span),
            &[a, b] => self.operation_of_two(op, a, b, ty, span),
            &[a, b, c] => self.operation_of_three(op, a, b, c),
            _ => None,
        };
        match term {
            Some(term) => {
                let width = self.width(ty);
                Value::Scalar(self.fit(term, Type::unsigned(width)))
            }
            None => self.unsupported_value("a vector operation with unexpected arguments", ty, span),
        }
    }

    fn vector_argument(&mut self, id: ExprId) -> Argument {
        let ty = self.hir[id].ty;
        let element = self.vector(ty).map_or(ty, |(element, _)| element);
        Argument {
            term: self.scalar(id),
            element,
            width: self.width(element),
            signedness: self.signedness(element),
        }
    }

    fn lanes(&mut self, argument: Argument) -> Vec<Term> {
        self.elements(argument.term, argument.width)
    }

    /// Applies a function to each pair of elements.
    fn zip(&mut self, a: Argument, b: Argument, mut f: impl FnMut(&mut Self, Term, Term) -> Term) -> Term {
        let (xs, ys) = (self.lanes(a), self.lanes(b));
        let results: Vec<Term> = xs.into_iter().zip(ys).map(|(x, y)| f(self, x, y)).collect();
        self.join(&results)
    }

    /// Applies a function to each element.
    fn map(&mut self, a: Argument, mut f: impl FnMut(&mut Self, Term) -> Term) -> Term {
        let results: Vec<Term> = self.lanes(a).into_iter().map(|x| f(self, x)).collect();
        self.join(&results)
    }

    /// The number of elements in a block.
    fn block(&self, a: Argument) -> usize {
        (self.m.pool_width(a.term).min(BLOCK) / a.width) as usize
    }

    /// Selects an element of a list by the low bits of an index; the length of the list is a power
    /// of two.
    fn pick(&mut self, list: &[Term], index: Term) -> Term {
        let mut list = list.to_vec();
        let mut bit = 0;
        while list.len() > 1 {
            let is_set = self.bit(index, bit);
            list = list
                .chunks(2)
                .map(|pair| match *pair {
                    [even, odd] => self.m.pool.ite(is_set, odd, even),
                    _ => pair[0],
                })
                .collect();
            bit += 1;
        }
        list[0]
    }

    /// Whether a bit is set; bits beyond the width are clear.
    fn bit(&mut self, term: Term, bit: u32) -> Term {
        if bit >= self.m.pool_width(term) {
            return self.m.pool.fls();
        }
        let bit = self.m.pool.extract(bit, bit, term);
        let one = self.m.pool.bv(1, 1);
        self.m.pool.eq(bit, one)
    }

    fn is_negative(&mut self, term: Term) -> Term {
        let width = self.m.pool_width(term);
        self.bit(term, width - 1)
    }

    /// Saturates a signed number to the range of a type of `width` bits.
    fn saturate(&mut self, number: Term, width: u32, signedness: Signedness) -> Term {
        let wide = self.m.pool_width(number);
        let ones = self.m.pool.bv_i64(width, -1);
        let (least, greatest) = match signedness {
            Signedness::Signed => {
                let one = self.m.pool.bv(width, 1);
                let greatest = self.m.pool.bv_lshr(ones, one);
                let least = self.m.pool.bv_not(greatest);
                (
                    self.resize(least, wide, Signedness::Signed),
                    self.resize(greatest, wide, Signedness::Signed),
                )
            }
            Signedness::Unsigned => (self.m.pool.bv(wide, 0), self.resize(ones, wide, Signedness::Unsigned)),
        };
        let is_below = self.m.pool.bv_slt(number, least);
        let is_above = self.m.pool.bv_slt(greatest, number);
        let upper = self.m.pool.ite(is_above, greatest, number);
        let result = self.m.pool.ite(is_below, least, upper);
        self.m.pool.extract(width - 1, 0, result)
    }

    fn permute(&mut self, a: Argument, b: Argument, indices: &[Argument]) -> Option<Term> {
        let mut all = self.lanes(a);
        all.extend(self.lanes(b));
        let mut results = Vec::with_capacity(indices.len());
        for index in indices {
            let index = usize::try_from(self.m.pool.as_bv_u64(index.term)?).ok()?;
            results.push(*all.get(index)?);
        }
        Some(self.join(&results))
    }

    fn operation_of_one(&mut self, op: VectorOp, a: Argument, ty: TypeId, span: Span) -> Option<Term> {
        let width = self.width(ty);
        let signed = self.signedness(ty);
        Some(match op {
            VectorOp::Absolute => self.map(a, |this, x| {
                let negated = this.m.pool.bv_neg(x);
                let is_negative = this.is_negative(x);
                this.m.pool.ite(is_negative, negated, x)
            }),
            VectorOp::MoveMask => {
                let mut mask = Vec::new();
                for lane in self.lanes(a) {
                    mask.push(self.m.pool.extract(a.width - 1, a.width - 1, lane));
                }
                let mask = self.join(&mask);
                self.resize(mask, width, Signedness::Unsigned)
            }
            VectorOp::FirstAlone => {
                let first = self.part_of(a.term, 0, a.width);
                self.resize(first, width, Signedness::Unsigned)
            }
            VectorOp::Broadcast => {
                let first = self.part_of(a.term, 0, a.width);
                self.join(&vec![first; (width / a.width) as usize])
            }
            VectorOp::Resize => match self.m.pool_width(a.term) {
                from if from < width => {
                    let upper = self.indeterminate(Type::unsigned(width - from), span);
                    self.m.pool.concat(upper, a.term)
                }
                _ => self.m.pool.extract(width - 1, 0, a.term),
            },
            VectorOp::Convert => return self.convert_elements(a, ty, span),
            VectorOp::TruncateFirst => {
                let first = self.part_of(a.term, 0, a.width);
                let format = self.float_format(a.element)?;
                floats::to_integer(self.m.pool, format, first, width, signed)
            }
            VectorOp::SquareRoot => {
                let format = self.float_format(a.element)?;
                self.map(a, |this, x| this.square_root(format, x))
            }
            VectorOp::SquareRootFirst => {
                let format = self.float_format(a.element)?;
                let first = self.part_of(a.term, 0, a.width);
                let root = self.square_root(format, first);
                self.with_first(a, root)
            }
            VectorOp::LeadingZeros => self.leading_zeros(a.term, width),
            VectorOp::TrailingZeros => self.trailing_zeros(a.term, width),
            _ => return None,
        })
    }

    fn convert_elements(&mut self, a: Argument, ty: TypeId, span: Span) -> Option<Term> {
        let (target, lanes) = self.vector(ty)?;
        let mut results = Vec::new();
        for x in self.lanes(a).into_iter().take(usize::try_from(lanes).ok()?) {
            results.push(self.convert_element(x, a.element, target, span)?);
        }
        let width = self.width(target);
        let zero = self.m.pool.bv(width, 0);
        results.resize(usize::try_from(lanes).ok()?, zero);
        Some(self.join(&results))
    }

    /// The C conversion between element types.
    fn convert_element(&mut self, x: Term, from: TypeId, to: TypeId, span: Span) -> Option<Term> {
        let types = &self.hir.types;
        let kind = match (types.is_floating(from), types.is_floating(to)) {
            (false, false) => CastKind::Integer,
            (false, true) => CastKind::IntegerToFloat,
            (true, false) => CastKind::FloatToInteger,
            (true, true) => CastKind::Float,
        };
        match self.cast(kind, Value::Scalar(x), from, to, span) {
            Value::Scalar(term) => Some(term),
            _ => None,
        }
    }

    fn square_root(&mut self, format: FloatFormat, x: Term) -> Term {
        let (mode, x) = (floats::nearest(self.m.pool), format.decode(self.m.pool, x));
        let root = self.m.pool.fp_sqrt(mode, x);
        format.encode(self.m.pool, root)
    }

    /// The vector with its first element replaced.
    fn with_first(&mut self, a: Argument, first: Term) -> Term {
        let width = self.m.pool_width(a.term);
        if width == a.width {
            return first;
        }
        let rest = self.m.pool.extract(width - 1, a.width, a.term);
        self.m.pool.concat(rest, first)
    }

    fn operation_of_two(
        &mut self,
        op: VectorOp,
        a: Argument,
        b: Argument,
        ty: TypeId,
        span: Span,
    ) -> Option<Term> {
        let result = self.vector(ty).map_or(ty, |(element, _)| element);
        let (width, signedness) = (self.width(result), self.signedness(result));
        Some(match op {
            VectorOp::And => self.m.pool.bv_and(a.term, b.term),
            VectorOp::Or => self.m.pool.bv_or(a.term, b.term),
            VectorOp::ExclusiveOr => self.m.pool.bv_xor(a.term, b.term),
            VectorOp::AndNot => {
                let inverse = self.m.pool.bv_not(a.term);
                self.m.pool.bv_and(inverse, b.term)
            }
            VectorOp::AddSaturating | VectorOp::SubtractSaturating => self.zip(a, b, |this, x, y| {
                let x = this.resize(x, width + 2, signedness);
                let y = this.resize(y, width + 2, signedness);
                let exact = match op {
                    VectorOp::AddSaturating => this.m.pool.bv_add(x, y),
                    _ => this.m.pool.bv_sub(x, y),
                };
                this.saturate(exact, width, signedness)
            }),
            VectorOp::MultiplyHigh => self.zip(a, b, |this, x, y| {
                let x = this.resize(x, 2 * width, signedness);
                let y = this.resize(y, 2 * width, signedness);
                let product = this.m.pool.bv_mul(x, y);
                this.m.pool.extract(2 * width - 1, width, product)
            }),
            VectorOp::MultiplyHighRounded => self.zip(a, b, |this, x, y| {
                let x = this.resize(x, 2 * width, Signedness::Signed);
                let y = this.resize(y, 2 * width, Signedness::Signed);
                let product = this.m.pool.bv_mul(x, y);
                let amount = this.m.pool.bv(2 * width, u64::from(width) - 2);
                let high = this.m.pool.bv_ashr(product, amount);
                let one = this.m.pool.bv(2 * width, 1);
                let rounded = this.m.pool.bv_add(high, one);
                this.m.pool.extract(width, 1, rounded)
            }),
            VectorOp::MultiplyEven => {
                let (xs, ys) = (self.lanes(a), self.lanes(b));
                let mut products = Vec::new();
                for (&x, &y) in xs.iter().zip(&ys).step_by(2) {
                    let x = self.resize(x, width, a.signedness);
                    let y = self.resize(y, width, b.signedness);
                    products.push(self.m.pool.bv_mul(x, y));
                }
                self.join(&products)
            }
            VectorOp::MultiplyAdd(excess) => {
                let (xs, ys) = (self.lanes(a), self.lanes(b));
                let mut products = Vec::new();
                for (x, y) in xs.into_iter().zip(ys) {
                    let x = self.resize(x, width + 2, a.signedness);
                    let y = self.resize(y, width + 2, b.signedness);
                    products.push(self.m.pool.bv_mul(x, y));
                }
                let mut sums = Vec::new();
                for pair in products.chunks(2) {
                    let sum = self.m.pool.bv_add(pair[0], pair[1]);
                    sums.push(self.cut_excess(sum, width, signedness, excess));
                }
                self.join(&sums)
            }
            VectorOp::Minimum | VectorOp::Maximum => self.zip(a, b, |this, x, y| {
                let is_less = match a.signedness {
                    Signedness::Signed => this.m.pool.bv_slt(x, y),
                    Signedness::Unsigned => this.m.pool.bv_ult(x, y),
                };
                let (lesser, greater) = if op == VectorOp::Minimum { (x, y) } else { (y, x) };
                this.m.pool.ite(is_less, lesser, greater)
            }),
            VectorOp::Average => self.zip(a, b, |this, x, y| {
                let x = this.m.pool.zero_extend(1, x);
                let y = this.m.pool.zero_extend(1, y);
                let sum = this.m.pool.bv_add(x, y);
                let one = this.m.pool.bv(width + 1, 1);
                let rounded = this.m.pool.bv_add(sum, one);
                this.m.pool.extract(width, 1, rounded)
            }),
            VectorOp::Sign => self.zip(a, b, |this, x, y| {
                let zero = this.m.pool.bv(width, 0);
                let negated = this.m.pool.bv_neg(x);
                let is_zero = this.m.pool.eq(y, zero);
                let is_negative = this.is_negative(y);
                let other = this.m.pool.ite(is_zero, zero, x);
                this.m.pool.ite(is_negative, negated, other)
            }),
            VectorOp::SumAbsoluteDifferences => self.sums_of_differences(a, b, width),
            VectorOp::HorizontalAdd(excess) | VectorOp::HorizontalSubtract(excess) => {
                let operation = match op {
                    VectorOp::HorizontalAdd(_) => Arithmetic::Add,
                    _ => Arithmetic::Sub,
                };
                self.horizontal(a, b, operation, excess)
            }
            VectorOp::Pack => self.by_block(a, b, |this, x, y| {
                x.iter()
                    .chain(y)
                    .map(|&lane| {
                        let wide = this.resize(lane, a.width + 1, a.signedness);
                        this.saturate(wide, width, signedness)
                    })
                    .collect()
            }),
            VectorOp::UnpackLow => self.by_block(a, b, |_, x, y| {
                let half = x.len() / 2;
                x.iter().zip(y).take(half).flat_map(|(&x, &y)| [x, y]).collect()
            }),
            VectorOp::UnpackHigh => self.by_block(a, b, |_, x, y| {
                let half = x.len() / 2;
                x.iter().zip(y).skip(half).flat_map(|(&x, &y)| [x, y]).collect()
            }),
            VectorOp::ShiftLeft | VectorOp::ShiftRight => {
                // The count is a number or the first 64 bits of a vector.
                let bits = self.m.pool_width(b.term).min(64);
                let count = self.m.pool.extract(bits - 1, 0, b.term);
                self.map(a, |this, x| this.shift_lane(op, x, count, a.signedness))
            }
            VectorOp::ShiftLeftEach => {
                self.zip(a, b, |this, x, count| this.shift_lane(VectorOp::ShiftLeft, x, count, a.signedness))
            }
            VectorOp::ShiftRightEach => {
                self.zip(a, b, |this, x, count| this.shift_lane(VectorOp::ShiftRight, x, count, a.signedness))
            }
            VectorOp::BytesUp | VectorOp::BytesDown => {
                let width = self.m.pool_width(a.term).min(BLOCK);
                let amount = self.resize(b.term, width, Signedness::Unsigned);
                let blocks = self.elements(a.term, width);
                let mut moved = Vec::new();
                for block in blocks {
                    moved.push(match op {
                        VectorOp::BytesUp => self.m.pool.bv_shl(block, amount),
                        _ => self.m.pool.bv_lshr(block, amount),
                    });
                }
                self.join(&moved)
            }
            VectorOp::ShuffleFour => self.shuffle_four(a, b.term, 0, 4),
            VectorOp::ShuffleLow => self.shuffle_four(a, b.term, 0, 8),
            VectorOp::ShuffleHigh => self.shuffle_four(a, b.term, 4, 8),
            VectorOp::ShuffleBytes => self.by_block(a, b, |this, x, y| {
                y.iter()
                    .map(|&index| {
                        let byte = this.pick(x, index);
                        let zero = this.m.pool.bv(8, 0);
                        let is_cleared = this.is_negative(index);
                        this.m.pool.ite(is_cleared, zero, byte)
                    })
                    .collect()
            }),
            VectorOp::Shuffle | VectorOp::PermuteEach => {
                let list = self.lanes(a);
                self.map(b, |this, index| this.pick(&list, index))
            }
            VectorOp::Element => {
                let list = self.lanes(a);
                self.pick(&list, b.term)
            }
            VectorOp::First => {
                let first = self.part_of(b.term, 0, b.width);
                self.with_first(a, first)
            }
            VectorOp::HighToLow | VectorOp::LowToHigh => {
                let half = self.m.pool_width(a.term) / 2;
                let low = if op == VectorOp::HighToLow { half } else { 0 };
                let from_a = self.m.pool.extract(low + half - 1, low, a.term);
                let from_b = self.m.pool.extract(low + half - 1, low, b.term);
                match op {
                    VectorOp::HighToLow => self.m.pool.concat(from_a, from_b),
                    _ => self.m.pool.concat(from_b, from_a),
                }
            }
            VectorOp::Half => {
                let half = self.m.pool_width(a.term) / 2;
                let halves = self.elements(a.term, half);
                self.pick(&halves, b.term)
            }
            VectorOp::TestZero | VectorOp::TestCarry | VectorOp::TestNeither => {
                let zero = self.m.pool.bv(self.m.pool_width(a.term), 0);
                let both = self.m.pool.bv_and(a.term, b.term);
                let inverse = self.m.pool.bv_not(a.term);
                let other = self.m.pool.bv_and(inverse, b.term);
                let (no_both, no_other) = (self.m.pool.eq(both, zero), self.m.pool.eq(other, zero));
                let condition = match op {
                    VectorOp::TestZero => no_both,
                    VectorOp::TestCarry => no_other,
                    _ => {
                        let either = self.m.pool.or2(no_both, no_other);
                        self.m.pool.not(either)
                    }
                };
                self.flag(condition, width)
            }
            VectorOp::Float(op) => {
                let format = self.float_format(a.element)?;
                self.zip(a, b, |this, x, y| this.float_lane(op, format, x, y))
            }
            VectorOp::FloatFirst(op) => {
                let format = self.float_format(a.element)?;
                let (x, y) = (self.part_of(a.term, 0, a.width), self.part_of(b.term, 0, b.width));
                let first = self.float_lane(op, format, x, y);
                self.with_first(a, first)
            }
            VectorOp::ConvertFirst => {
                let first = self.part_of(b.term, 0, b.width);
                let converted = self.convert_element(first, b.element, a.element, span)?;
                self.with_first(a, converted)
            }
            VectorOp::CyclicRedundancy => self.cyclic_redundancy(a, b),
            VectorOp::DepositBits => {
                let mut source = a.term;
                let (zero, one) = (self.m.pool.bv(1, 0), self.m.pool.bv(width, 1));
                let mut bits = Vec::new();
                for bit in 0..width {
                    let is_set = self.bit(b.term, bit);
                    let lowest = self.m.pool.extract(0, 0, source);
                    bits.push(self.m.pool.ite(is_set, lowest, zero));
                    let rest = self.m.pool.bv_lshr(source, one);
                    source = self.m.pool.ite(is_set, rest, source);
                }
                self.join(&bits)
            }
            VectorOp::ExtractBits => {
                let mut result = self.m.pool.bv(width, 0);
                for bit in (0..width).rev() {
                    let is_set = self.bit(b.term, bit);
                    let upper = self.m.pool.extract(width - 2, 0, result);
                    let lowest = self.m.pool.extract(bit, bit, a.term);
                    let longer = self.m.pool.concat(upper, lowest);
                    result = self.m.pool.ite(is_set, longer, result);
                }
                result
            }
            VectorOp::ZeroHigh => {
                let index = self.m.pool.extract(7, 0, b.term);
                self.low_bits(a.term, index)
            }
            VectorOp::BitField => {
                let start = self.m.pool.extract(7, 0, b.term);
                let start = self.resize(start, width, Signedness::Unsigned);
                let length = self.m.pool.extract(15, 8, b.term);
                let moved = self.m.pool.bv_lshr(a.term, start);
                self.low_bits(moved, length)
            }
            VectorOp::RotateLeft | VectorOp::RotateRight => {
                let least = self.m.pool.bv(width, u64::from(width) - 1);
                let count = self.resize(b.term, width, Signedness::Unsigned);
                let count = self.m.pool.bv_and(count, least);
                let back = self.m.pool.bv_neg(count);
                let back = self.m.pool.bv_and(back, least);
                let (left, right) = if op == VectorOp::RotateLeft { (count, back) } else { (back, count) };
                let upper = self.m.pool.bv_shl(a.term, left);
                let lower = self.m.pool.bv_lshr(a.term, right);
                self.m.pool.bv_or(upper, lower)
            }
            _ => return None,
        })
    }

    fn operation_of_three(&mut self, op: VectorOp, a: Argument, b: Argument, c: Argument) -> Option<Term> {
        Some(match op {
            VectorOp::Shuffle => {
                let mut list = self.lanes(a);
                list.extend(self.lanes(b));
                self.map(c, |this, index| this.pick(&list, index))
            }
            VectorOp::Align => {
                let width = self.m.pool_width(a.term).min(BLOCK);
                let amount = self.resize(c.term, 2 * width, Signedness::Unsigned);
                let (xs, ys) = (self.elements(a.term, width), self.elements(b.term, width));
                let mut results = Vec::new();
                for (x, y) in xs.into_iter().zip(ys) {
                    let both = self.m.pool.concat(x, y);
                    let moved = self.m.pool.bv_lshr(both, amount);
                    results.push(self.m.pool.extract(width - 1, 0, moved));
                }
                self.join(&results)
            }
            VectorOp::ShuffleTwo => self.shuffle_two(a, b, c.term)?,
            VectorOp::Blend => {
                let (xs, ys) = (self.lanes(a), self.lanes(b));
                let mut results = Vec::new();
                for (lane, (x, y)) in (0..).zip(xs.into_iter().zip(ys)) {
                    let is_set = self.bit(c.term, lane % 8);
                    results.push(self.m.pool.ite(is_set, y, x));
                }
                self.join(&results)
            }
            VectorOp::BlendSign => {
                let (xs, ys, masks) = (self.lanes(a), self.lanes(b), self.lanes(c));
                let mut results = Vec::new();
                for ((x, y), mask) in xs.into_iter().zip(ys).zip(masks) {
                    let is_set = self.is_negative(mask);
                    results.push(self.m.pool.ite(is_set, y, x));
                }
                self.join(&results)
            }
            VectorOp::Insert => {
                let list = self.lanes(a);
                self.insert(list, b.term, c.term)
            }
            VectorOp::InsertHalf => {
                let half = self.m.pool_width(b.term);
                let halves = self.elements(a.term, half);
                self.insert(halves, b.term, c.term)
            }
            VectorOp::TwoHalves => {
                let half = self.m.pool_width(a.term) / 2;
                let mut halves = self.elements(a.term, half);
                halves.extend(self.elements(b.term, half));
                let mut results = Vec::new();
                for low in [0, 4] {
                    let index = self.m.pool.extract(low + 1, low, c.term);
                    let chosen = self.pick(&halves, index);
                    let zero = self.m.pool.bv(half, 0);
                    let is_cleared = self.bit(c.term, low + 3);
                    results.push(self.m.pool.ite(is_cleared, zero, chosen));
                }
                self.join(&results)
            }
            _ => return None,
        })
    }

    /// The elements, with the one at the index modulo their number replaced.
    fn insert(&mut self, list: Vec<Term>, value: Term, index: Term) -> Term {
        let bits = list.len().ilog2();
        let mut results = Vec::with_capacity(list.len());
        for (lane, old) in (0..).zip(list) {
            let is_here = if bits == 0 {
                self.m.pool.tru()
            } else {
                let index = self.m.pool.extract(bits - 1, 0, index);
                let lane = self.m.pool.bv(bits, lane);
                self.m.pool.eq(index, lane)
            };
            results.push(self.m.pool.ite(is_here, value, old));
        }
        self.join(&results)
    }

    /// Applies a function to the elements of each pair of blocks.
    fn by_block(
        &mut self,
        a: Argument,
        b: Argument,
        mut f: impl FnMut(&mut Self, &[Term], &[Term]) -> Vec<Term>,
    ) -> Term {
        let size = self.block(a);
        let (xs, ys) = (self.lanes(a), self.lanes(b));
        let results: Vec<Term> =
            xs.chunks(size).zip(ys.chunks(size)).flat_map(|(x, y)| f(self, x, y)).collect();
        self.join(&results)
    }

    fn cut_excess(&mut self, number: Term, width: u32, signedness: Signedness, excess: Excess) -> Term {
        match excess {
            Excess::Wraps => self.m.pool.extract(width - 1, 0, number),
            Excess::Saturates => self.saturate(number, width, signedness),
        }
    }

    fn horizontal(&mut self, a: Argument, b: Argument, op: Arithmetic, excess: Excess) -> Term {
        let format = self.float_format(a.element);
        self.by_block(a, b, |this, x, y| {
            let mut results = Vec::new();
            for pair in x.chunks(2).chain(y.chunks(2)) {
                if let Some(format) = format {
                    results.push(floats::arithmetic(this.m.pool, format, op, pair[0], pair[1]));
                    continue;
                }
                let (x, y) = (this.m.pool.sign_extend(1, pair[0]), this.m.pool.sign_extend(1, pair[1]));
                let exact = match op {
                    Arithmetic::Add => this.m.pool.bv_add(x, y),
                    _ => this.m.pool.bv_sub(x, y),
                };
                results.push(this.cut_excess(exact, a.width, Signedness::Signed, excess));
            }
            results
        })
    }

    fn sums_of_differences(&mut self, a: Argument, b: Argument, width: u32) -> Term {
        let (xs, ys) = (self.lanes(a), self.lanes(b));
        let mut sums = Vec::new();
        for (xs, ys) in xs.chunks(8).zip(ys.chunks(8)) {
            let mut sum = self.m.pool.bv(16, 0);
            for (&x, &y) in xs.iter().zip(ys) {
                let (there, back) = (self.m.pool.bv_sub(x, y), self.m.pool.bv_sub(y, x));
                let is_less = self.m.pool.bv_ult(x, y);
                let difference = self.m.pool.ite(is_less, back, there);
                let difference = self.m.pool.zero_extend(8, difference);
                sum = self.m.pool.bv_add(sum, difference);
            }
            sums.push(self.m.pool.zero_extend(width - 16, sum));
        }
        self.join(&sums)
    }

    /// Shifts by any count; a count of at least the width gives 0 or copies of the sign bit.
    fn shift_lane(&mut self, op: VectorOp, x: Term, count: Term, signedness: Signedness) -> Term {
        let (width, bits) = (self.m.pool_width(x), self.m.pool_width(count));
        let limit = self.m.pool.bv(bits, u64::from(width));
        let fits = self.m.pool.bv_ult(count, limit);
        let amount = self.resize(count, width, Signedness::Unsigned);
        let zero = self.m.pool.bv(width, 0);
        let (shifted, beyond) = match (op, signedness) {
            (VectorOp::ShiftLeft, _) => (self.m.pool.bv_shl(x, amount), zero),
            (_, Signedness::Unsigned) => (self.m.pool.bv_lshr(x, amount), zero),
            (_, Signedness::Signed) => {
                let most = self.m.pool.bv(width, u64::from(width) - 1);
                (self.m.pool.bv_ashr(x, amount), self.m.pool.bv_ashr(x, most))
            }
        };
        self.m.pool.ite(fits, shifted, beyond)
    }

    /// In each group of `size` elements, replaces the four from `first` on by a selection among
    /// them, with two bits each.
    fn shuffle_four(&mut self, a: Argument, order: Term, first: usize, size: usize) -> Term {
        let lanes = self.lanes(a);
        let mut results = Vec::with_capacity(lanes.len());
        for group in lanes.chunks(size) {
            let mut group = group.to_vec();
            let chosen = group[first..first + 4].to_vec();
            for (bit, lane) in (0..).step_by(2).zip(first..first + 4) {
                let index = self.m.pool.extract(bit + 1, bit, order);
                group[lane] = self.pick(&chosen, index);
            }
            results.extend(group);
        }
        self.join(&results)
    }

    /// Blocks of four elements share the same eight selection bits; each block of two uses the next
    /// two bits.
    fn shuffle_two(&mut self, a: Argument, b: Argument, order: Term) -> Option<Term> {
        let size = self.block(a);
        let bits = match size {
            2 => 1,
            4 => 2,
            _ => return None,
        };
        let (xs, ys) = (self.lanes(a), self.lanes(b));
        let mut results = Vec::with_capacity(xs.len());
        for (block, (x, y)) in (0..).zip(xs.chunks(size).zip(ys.chunks(size))) {
            for lane in 0..size as u32 {
                let from = if lane < size as u32 / 2 { x } else { y };
                let low = if size == 2 { 2 * block + lane } else { bits * lane };
                let index = self.m.pool.extract(low + bits - 1, low, order);
                results.push(self.pick(from, index));
            }
        }
        Some(self.join(&results))
    }

    fn float_lane(&mut self, op: FloatOp, format: FloatFormat, x: Term, y: Term) -> Term {
        use crate::c::hir::CompareOp;
        let width = self.m.pool_width(x);
        let pool = &mut *self.m.pool;
        let condition = match op {
            FloatOp::Add => return floats::arithmetic(pool, format, Arithmetic::Add, x, y),
            FloatOp::Subtract => return floats::arithmetic(pool, format, Arithmetic::Sub, x, y),
            FloatOp::Multiply => return floats::arithmetic(pool, format, Arithmetic::Mul, x, y),
            FloatOp::Divide => return floats::arithmetic(pool, format, Arithmetic::Div, x, y),
            FloatOp::Minimum | FloatOp::Maximum => {
                let op = if op == FloatOp::Minimum { CompareOp::Lt } else { CompareOp::Gt };
                let is_first = floats::compare(pool, format, op, x, y);
                return pool.ite(is_first, x, y);
            }
            FloatOp::Compare(op) => floats::compare(pool, format, op, x, y),
            FloatOp::CompareNot(op) => {
                let holds = floats::compare(pool, format, op, x, y);
                pool.not(holds)
            }
            FloatOp::Ordered => {
                let is_unordered = floats::unordered(pool, format, x, y);
                pool.not(is_unordered)
            }
            FloatOp::Unordered => floats::unordered(pool, format, x, y),
        };
        self.all_ones(condition, width)
    }

    fn cyclic_redundancy(&mut self, crc: Argument, value: Argument) -> Term {
        let mut state = self.m.pool.extract(31, 0, crc.term);
        let (one, polynomial) = (self.m.pool.bv(32, 1), self.m.pool.bv(32, CASTAGNOLI));
        for byte in self.elements(value.term, 8) {
            let byte = self.m.pool.zero_extend(24, byte);
            state = self.m.pool.bv_xor(state, byte);
            for _ in 0..8 {
                let is_odd = self.bit(state, 0);
                let halved = self.m.pool.bv_lshr(state, one);
                let reduced = self.m.pool.bv_xor(halved, polynomial);
                state = self.m.pool.ite(is_odd, reduced, halved);
            }
        }
        self.resize(state, crc.width, Signedness::Unsigned)
    }

    /// The lowest bits of a value; their number is given by an 8-bit number.
    fn low_bits(&mut self, value: Term, count: Term) -> Term {
        let width = self.m.pool_width(value);
        let count = self.resize(count, width, Signedness::Unsigned);
        let ones = self.m.pool.bv_i64(width, -1);
        // A shift by at least the width clears all ones, so that all bits remain.
        let above = self.m.pool.bv_shl(ones, count);
        let mask = self.m.pool.bv_not(above);
        self.m.pool.bv_and(value, mask)
    }
}
