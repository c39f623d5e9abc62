//! Steps over floats. The reference is the arithmetic of `ieee`, which other tests compare with
//! hardware: here the rewrites of the constructors are tested.

use super::{Builder, Noise};
use crate::ieee::{self, Outcome};
use crate::{Op, RoundingMode, Sort, Value};
use num_bigint::BigUint;
use num_rational::BigRational;

/// Whether SMT-LIB leaves some results of the operator unspecified.
pub(super) fn is_open(op: Op) -> bool {
    matches!(op, Op::FpMin | Op::FpMax | Op::FpToUnsigned(_) | Op::FpToSigned(_) | Op::FpToReal)
}

pub(super) fn random_value(noise: &mut Noise, exponent: u16, significand: u16) -> Value {
    let (width, fraction) = (exponent + significand, significand - 1);
    let infinity = ((1u64 << exponent) - 1) << fraction;
    let sign = (noise.next() & 1) << (width - 1);
    let bits = match noise.next() % 8 {
        0 => infinity | sign,
        1 => infinity | 1,
        2 => sign,
        3 => sign | 1,
        _ => noise.next() & ((1 << width) - 1),
    };
    Value::float(exponent, significand, &BigUint::from(bits))
}

/// The result, with the value of a complete assignment where SMT-LIB leaves it unspecified.
fn reference(op: Op, arguments: &[&Value]) -> Value {
    match ieee::apply(op, arguments) {
        Outcome::Value(value) => value,
        Outcome::Unspecified => match op {
            Op::FpMin | Op::FpMax => arguments[1].clone(),
            Op::FpToUnsigned(width) | Op::FpToSigned(width) => Value::bv(width, 0),
            _ => Value::Real(BigRational::from_integer(0.into())),
        },
        outcome => panic!("{op:?} of {arguments:?} is {outcome:?}"),
    }
}

impl Builder {
    pub(super) fn float(&mut self, op: u8, a: u16, b: u16, c: u16) -> Option<()> {
        const ONE: [Op; 9] = [
            Op::FpAbs,
            Op::FpNeg,
            Op::FpIsNormal,
            Op::FpIsSubnormal,
            Op::FpIsZero,
            Op::FpIsInfinite,
            Op::FpIsNan,
            Op::FpIsNegative,
            Op::FpIsPositive,
        ];
        const TWO: [Op; 6] = [Op::FpRem, Op::FpMin, Op::FpMax, Op::FpLe, Op::FpLt, Op::FpEq];
        const ROUNDED: [Op; 4] = [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv];
        let x = self.pick(a, |sort| matches!(sort, Sort::Float(..)))?;
        let sort = self.pool.sort(self.entries[x].term);
        let y = self.pick(b, |other| other == sort)?;
        let z = self.pick(c, |other| other == sort)?;
        let mode = self.pick(c / 2, |other| other == Sort::RoundingMode)?;
        let (exponent, significand) = if b.is_multiple_of(2) { (3, 4) } else { (4, 5) };
        let (op, arguments) = match op % 52 {
            i @ 0..9 => (ONE[i as usize], vec![x]),
            i @ 9..21 => (TWO[(i as usize - 9) % 6], vec![x, y]),
            i @ 21..29 => (ROUNDED[(i as usize - 21) % 4], vec![mode, x, y]),
            29 => (Op::FpFma, vec![mode, x, y, z]),
            30 => (Op::FpSqrt, vec![mode, x]),
            31 | 32 => (Op::FpRoundToIntegral, vec![mode, x]),
            33..36 => (Op::FpFromFloat { exponent, significand }, vec![mode, x]),
            36 => {
                let real = self.pick(b, |sort| sort == Sort::Real)?;
                (Op::FpFromReal { exponent, significand }, vec![mode, real])
            }
            i @ (37 | 38) => {
                let bits = self.pick(b / 2, |sort| matches!(sort, Sort::BitVec(_)))?;
                let op = match i {
                    37 => Op::FpFromSigned { exponent, significand },
                    _ => Op::FpFromUnsigned { exponent, significand },
                };
                (op, vec![mode, bits])
            }
            39 => (Op::FpToUnsigned(1 + u32::from(b) % 6), vec![mode, x]),
            40 => (Op::FpToSigned(1 + u32::from(b) % 6), vec![mode, x]),
            41 => (Op::FpToReal, vec![x]),
            42 => {
                let bits = Sort::BitVec(u32::from(exponent) + u32::from(significand));
                let bits = self.pick(a, |sort| sort == bits)?;
                (Op::FpFromBits { exponent, significand }, vec![bits])
            }
            49 => (Op::FpToBits, vec![x]),
            43 | 44 => (Op::Eq, vec![x, y]),
            45..48 => {
                let condition = self.pick(c, |sort| sort == Sort::Bool)?;
                (Op::Ite, vec![condition, x, y])
            }
            48 => {
                let mode = RoundingMode::ALL[usize::from(a) % 5];
                let term = self.pool.rounding_mode(mode);
                self.push(term, &[], |_| Value::RoundingMode(mode));
                return Some(());
            }
            _ => {
                let value = random_value(&mut Noise(a.into()), exponent, significand);
                let sort = Sort::Float(exponent, significand);
                let term = value.to_term(&mut self.pool, sort)?;
                self.push(term, &[], |_| value.clone());
                return Some(());
            }
        };
        let children: Vec<_> = arguments.iter().map(|&argument| self.entries[argument].term).collect();
        let term = self.pool.build(op, &children).expect("the children were chosen by their sorts");
        self.push(term, &arguments, |v| match op {
            Op::Eq => Value::Bool(v[0] == v[1]),
            Op::Ite => {
                if *v[0] == Value::Bool(true) {
                    v[1].clone()
                } else {
                    v[2].clone()
                }
            }
            _ => reference(op, v),
        });
        Some(())
    }
}
