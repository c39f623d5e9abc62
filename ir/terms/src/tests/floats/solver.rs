//! Every operator, as read and computed by Z3.

use super::float;
use crate::ieee::{self, Outcome};
use crate::tests::z3;
use crate::{BitVector, Op, RoundingMode, Sort, TermPool, Value, print};
use num_bigint::BigInt;
use num_rational::BigRational;

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 20
    }

    /// A random float: arbitrary, close to 1, or special.
    fn float(&mut self, exponent: u16, significand: u16) -> Value {
        let fraction = significand - 1;
        let digits = self.next() & ((1 << fraction) - 1);
        let max = (1u64 << exponent) - 1;
        let field = match self.next() % 4 {
            0 => self.next() & max,
            1 => [0, 1, max - 1, max][(self.next() % 4) as usize],
            _ => max / 2 - 3 + self.next() % 8,
        };
        let digits = if self.next().is_multiple_of(5) { 0 } else { digits };
        let sign = self.next() & 1;
        let bits = (sign << (exponent + fraction)) | (field << fraction) | digits;
        float(exponent, significand, bits.into())
    }
}

#[derive(Clone, Copy)]
enum Argument {
    Mode,
    Float,
    Bits,
    Pattern,
    Real,
}

const E: u16 = 5;
const S: u16 = 11;

#[test]
fn z3_computes_the_same() {
    use Argument::{Bits, Float, Mode, Pattern, Real};
    let Some(z3) = z3::find() else { return };
    let (exponent, significand) = (E, S);
    let signatures: [(Op, &[Argument]); 31] = [
        (Op::FpAbs, &[Float]),
        (Op::FpNeg, &[Float]),
        (Op::FpAdd, &[Mode, Float, Float]),
        (Op::FpSub, &[Mode, Float, Float]),
        (Op::FpMul, &[Mode, Float, Float]),
        (Op::FpDiv, &[Mode, Float, Float]),
        (Op::FpFma, &[Mode, Float, Float, Float]),
        (Op::FpSqrt, &[Mode, Float]),
        (Op::FpRem, &[Float, Float]),
        (Op::FpRoundToIntegral, &[Mode, Float]),
        (Op::FpMin, &[Float, Float]),
        (Op::FpMax, &[Float, Float]),
        (Op::FpLe, &[Float, Float]),
        (Op::FpLt, &[Float, Float]),
        (Op::FpEq, &[Float, Float]),
        (Op::Eq, &[Float, Float]),
        (Op::FpIsNormal, &[Float]),
        (Op::FpIsSubnormal, &[Float]),
        (Op::FpIsZero, &[Float]),
        (Op::FpIsInfinite, &[Float]),
        (Op::FpIsNan, &[Float]),
        (Op::FpIsNegative, &[Float]),
        (Op::FpIsPositive, &[Float]),
        (Op::FpFromBits { exponent, significand }, &[Pattern]),
        (Op::FpFromFloat { exponent: 4, significand: 7 }, &[Mode, Float]),
        (Op::FpFromReal { exponent, significand }, &[Mode, Real]),
        (Op::FpFromSigned { exponent, significand }, &[Mode, Bits]),
        (Op::FpFromUnsigned { exponent, significand }, &[Mode, Bits]),
        (Op::FpToUnsigned(9), &[Mode, Float]),
        (Op::FpToSigned(9), &[Mode, Float]),
        (Op::FpToReal, &[Float]),
    ];
    let mut noise = Noise(3);
    let mut pool = TermPool::new();
    let mut assertions = Vec::new();
    let mut folded = 0;
    for (op, signature) in signatures {
        for round in 0..60 {
            let mut children = Vec::new();
            let mut values = Vec::new();
            for (index, argument) in signature.iter().enumerate() {
                let (sort, value) = match argument {
                    Mode => (Sort::RoundingMode, Value::RoundingMode(RoundingMode::ALL[round % 5])),
                    Float => (Sort::Float(E, S), noise.float(E, S)),
                    Bits => {
                        (Sort::BitVec(20), Value::BitVec(BitVector::new(20, noise.next() >> (round % 20))))
                    }
                    Pattern => (Sort::BitVec(16), Value::BitVec(BitVector::new(16, noise.next()))),
                    Real => {
                        let numerator = BigInt::from(noise.next() as i64 - (1 << 43)) >> (round % 40);
                        let denominator = BigInt::from(noise.next() % 1000 + 1);
                        (Sort::Real, Value::Real(BigRational::new(numerator, denominator)))
                    }
                };
                let constant = value.to_term(&mut pool, sort).expect("a constant");
                // Z3 converts only constant reals exactly; the others are symbols so that our side
                // does not fold them.
                if let Real = argument {
                    children.push(constant);
                } else {
                    let symbol = pool.symbol(&format!("x{}.{index}", assertions.len()), sort);
                    assertions.push(pool.eq(symbol, constant));
                    children.push(symbol);
                }
                values.push(value);
            }
            let arguments: Vec<&Value> = values.iter().collect();
            let Outcome::Value(value) = ieee::apply(op, &arguments) else {
                if op != Op::Eq {
                    continue;
                }
                let equal = pool.eq(children[0], children[1]);
                assertions.push(if values[0] == values[1] { equal } else { pool.not(equal) });
                continue;
            };
            let term = pool.build(op, &children).expect("well-sorted");
            folded += usize::from(pool.is_constant(term));
            let sort = pool.sort(term);
            let expected = value.to_term(&mut pool, sort).expect("a constant");
            assertions.push(pool.eq(term, expected));
        }
    }
    assert_eq!(folded, 0);
    let text = print::script(&pool, None, &assertions);
    assert_eq!(z3::answer(&z3, "floats", &text), "sat");
}
