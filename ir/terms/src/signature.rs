//! Sort checking: the sort of an application, or the reason why it is ill-sorted.
//!
//! The constructors of [`TermPool`] panic on ill-sorted arguments, because their callers know the
//! sorts. Readers of untrusted input (SMT-LIB files, serialized terms, answers of solvers) call
//! [`sort_of`], or [`TermPool::build`], which checks before it builds.
//!
//! The check covers widths as well: indices are in bounds, a bit vector has at most [`MAX_WIDTH`]
//! bits, a float has at least two bits of exponent and two of significand.

use super::{Op, Sort, Term, TermPool, operators, print};

/// The greatest width, in bits, of a bit vector in untrusted input.
pub const MAX_WIDTH: u32 = 1 << 24;

/// The reason why an application is ill-sorted. Operators and sorts are given as SMT-LIB text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SortError {
    /// Wrong number of arguments.
    #[error("`{operator}` takes {expected}, not {found}")]
    Arity {
        /// The operator.
        operator: String,
        /// The number of arguments it takes.
        expected: &'static str,
        /// The number of arguments given.
        found: usize,
    },
    /// An argument of the wrong sort.
    #[error("argument {position} of `{operator}` should be {expected} but is of sort {found}")]
    Argument {
        /// The operator.
        operator: String,
        /// The position of the argument, counted from 1.
        position: usize,
        /// The expected sort, or a description of the possible sorts.
        expected: String,
        /// The actual sort.
        found: String,
    },
    /// Indices of the operator or a result width out of bounds.
    #[error("`{operator}` should have {expected}")]
    Index {
        /// The operator.
        operator: String,
        /// The violated condition.
        expected: String,
    },
    /// The operator is a leaf, whose sort does not follow from arguments.
    #[error("`{operator}` takes no arguments")]
    Leaf {
        /// The operator.
        operator: String,
    },
}

struct Checker<'a> {
    pool: &'a TermPool,
    op: Op,
    children: &'a [Term],
}

type Checked<T> = Result<T, SortError>;

impl Checker<'_> {
    fn operator(&self) -> String {
        let mut text = String::new();
        operators::write(&mut text, self.pool, self.op).expect("a string takes any text");
        text
    }

    fn arity(&self, fits: bool, expected: &'static str) -> Checked<()> {
        if fits {
            return Ok(());
        }
        Err(SortError::Arity { operator: self.operator(), expected, found: self.children.len() })
    }

    fn exactly(&self, count: usize) -> Checked<()> {
        const COUNTS: [&str; 4] = ["one argument", "two arguments", "three arguments", "four arguments"];
        self.arity(self.children.len() == count, COUNTS[count - 1])
    }

    fn sort(&self, index: usize) -> Sort {
        self.pool.sort(self.children[index])
    }

    fn wrong(&self, index: usize, expected: impl Into<String>) -> SortError {
        SortError::Argument {
            operator: self.operator(),
            position: index + 1,
            expected: expected.into(),
            found: print::sort(self.pool, self.sort(index)),
        }
    }

    /// Checks that child `index` is of this sort.
    fn of(&self, index: usize, sort: Sort) -> Checked<()> {
        if self.sort(index) == sort {
            return Ok(());
        }
        Err(self.wrong(index, format!("of sort {}", print::sort(self.pool, sort))))
    }

    /// Checks that all children from `first` on are of one sort, and returns it.
    fn alike(&self, first: usize) -> Checked<Sort> {
        let sort = self.sort(first);
        for index in first + 1..self.children.len() {
            self.of(index, sort)?;
        }
        Ok(sort)
    }

    fn width(&self, index: usize) -> Checked<u32> {
        match self.sort(index) {
            Sort::BitVec(width) => Ok(width),
            _ => Err(self.wrong(index, "a bit vector")),
        }
    }

    fn float(&self, index: usize) -> Checked<()> {
        match self.sort(index) {
            Sort::Float(..) => Ok(()),
            _ => Err(self.wrong(index, "a float")),
        }
    }

    fn number(&self, index: usize) -> Checked<Sort> {
        match self.sort(index) {
            sort @ (Sort::Int | Sort::Real) => Ok(sort),
            _ => Err(self.wrong(index, "of sort Int or Real")),
        }
    }

    fn array(&self, index: usize) -> Checked<(Sort, Sort)> {
        match self.sort(index) {
            Sort::Array(parts) => Ok(self.pool.array_sort_parts(parts)),
            _ => Err(self.wrong(index, "an array")),
        }
    }

    fn index(&self, fits: bool, expected: impl FnOnce() -> String) -> Checked<()> {
        if fits { Ok(()) } else { Err(SortError::Index { operator: self.operator(), expected: expected() }) }
    }

    /// Returns the sort of bit vectors of `width` bits; fails if the width is out of bounds.
    fn bit_vector(&self, width: u64) -> Checked<Sort> {
        let fits = (1..=u64::from(MAX_WIDTH)).contains(&width);
        self.index(fits, || format!("a result of 1 to {MAX_WIDTH} bits, not {width}"))?;
        Ok(Sort::BitVec(width as u32))
    }

    fn format(&self, exponent: u16, significand: u16) -> Checked<Sort> {
        let fits = exponent >= 2 && significand >= 2;
        self.index(fits, || "at least two bits of exponent and two of significand".to_owned())?;
        Ok(Sort::Float(exponent, significand))
    }

    /// Checks for a rounding mode, if `rounds`, followed by `floats` floats of one format.
    fn float_operation(&self, rounds: Rounds, floats: usize) -> Checked<Sort> {
        let first = usize::from(rounds == Rounds::Yes);
        self.exactly(first + floats)?;
        if rounds == Rounds::Yes {
            self.of(0, Sort::RoundingMode)?;
        }
        self.float(first)?;
        self.alike(first)
    }

    fn float_test(&self, floats: usize) -> Checked<Sort> {
        self.float_operation(Rounds::No, floats)?;
        Ok(Sort::Bool)
    }

    /// Checks for a rounding mode and one argument of any sort.
    fn conversion(&self) -> Checked<()> {
        self.exactly(2)?;
        self.of(0, Sort::RoundingMode)
    }

    fn bit_vectors(&self) -> Checked<Sort> {
        self.exactly(2)?;
        self.width(0)?;
        self.alike(0)
    }

    fn result(&self) -> Checked<Sort> {
        let children = self.children.len();
        match self.op {
            Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::IntConst(_)
            | Op::RealConst(_)
            | Op::FloatConst(_)
            | Op::RoundingMode(_)
            | Op::Symbol(_)
            | Op::Value(_)
            | Op::Bound(_) => Err(SortError::Leaf { operator: self.operator() }),
            Op::Not => {
                self.exactly(1)?;
                self.of(0, Sort::Bool)?;
                Ok(Sort::Bool)
            }
            Op::And | Op::Or => {
                self.arity(children > 0, "at least one argument")?;
                self.of(0, Sort::Bool)?;
                self.alike(0)
            }
            Op::Xor => {
                self.exactly(2)?;
                self.of(0, Sort::Bool)?;
                self.alike(0)
            }
            Op::Ite => {
                self.exactly(3)?;
                self.of(0, Sort::Bool)?;
                self.alike(1)
            }
            Op::Eq => {
                self.exactly(2)?;
                self.alike(0)?;
                Ok(Sort::Bool)
            }
            Op::Apply(function) => {
                let (_, arguments, result) = self.pool.function_data(function);
                self.arity(children == arguments.len(), "as many arguments as it is declared with")?;
                for (index, &argument) in arguments.iter().enumerate() {
                    self.of(index, argument)?;
                }
                Ok(result)
            }
            Op::BvNot | Op::BvNeg => {
                self.exactly(1)?;
                self.width(0)?;
                Ok(self.sort(0))
            }
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr => self.bit_vectors(),
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                self.bit_vectors()?;
                Ok(Sort::Bool)
            }
            Op::Concat => {
                self.exactly(2)?;
                self.bit_vector(u64::from(self.width(0)?) + u64::from(self.width(1)?))
            }
            Op::Extract { high, low } => {
                self.exactly(1)?;
                let width = self.width(0)?;
                self.index(low <= high && high < width, || {
                    format!("a first index below {width} and a second index not above the first")
                })?;
                Ok(Sort::BitVec(high - low + 1))
            }
            Op::ZeroExtend(bits) | Op::SignExtend(bits) => {
                self.exactly(1)?;
                self.bit_vector(u64::from(self.width(0)?) + u64::from(bits))
            }
            Op::Add => {
                self.arity(children > 0, "at least one argument")?;
                self.number(0)?;
                self.alike(0)
            }
            Op::Sub | Op::Mul => {
                self.exactly(2)?;
                self.number(0)?;
                self.alike(0)
            }
            Op::Neg => {
                self.exactly(1)?;
                self.number(0)
            }
            Op::Le | Op::Lt => {
                self.exactly(2)?;
                self.number(0)?;
                self.alike(0)?;
                Ok(Sort::Bool)
            }
            Op::IntDiv | Op::IntMod => {
                self.exactly(2)?;
                self.of(0, Sort::Int)?;
                self.alike(0)
            }
            Op::RealDiv => {
                self.exactly(2)?;
                self.of(0, Sort::Real)?;
                self.alike(0)
            }
            Op::ToReal => {
                self.exactly(1)?;
                self.of(0, Sort::Int)?;
                Ok(Sort::Real)
            }
            Op::ToInt => {
                self.exactly(1)?;
                self.of(0, Sort::Real)?;
                Ok(Sort::Int)
            }
            Op::Select => {
                self.exactly(2)?;
                let (index, element) = self.array(0)?;
                self.of(1, index)?;
                Ok(element)
            }
            Op::Store => {
                self.exactly(3)?;
                let (index, element) = self.array(0)?;
                self.of(1, index)?;
                self.of(2, element)?;
                Ok(self.sort(0))
            }
            Op::ConstArray(sort) => {
                self.exactly(1)?;
                self.of(0, self.pool.array_sort_parts(sort).1)?;
                Ok(Sort::Array(sort))
            }
            Op::FpAbs | Op::FpNeg => self.float_operation(Rounds::No, 1),
            Op::FpSqrt | Op::FpRoundToIntegral => self.float_operation(Rounds::Yes, 1),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => self.float_operation(Rounds::Yes, 2),
            Op::FpFma => self.float_operation(Rounds::Yes, 3),
            Op::FpRem | Op::FpMin | Op::FpMax => self.float_operation(Rounds::No, 2),
            Op::FpLe | Op::FpLt | Op::FpEq => self.float_test(2),
            Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive => self.float_test(1),
            Op::FpFromBits { exponent, significand } => {
                self.exactly(1)?;
                self.of(0, Sort::BitVec(u32::from(exponent) + u32::from(significand)))?;
                self.format(exponent, significand)
            }
            Op::FpFromFloat { exponent, significand } => {
                self.conversion()?;
                self.float(1)?;
                self.format(exponent, significand)
            }
            Op::FpFromReal { exponent, significand } => {
                self.conversion()?;
                self.of(1, Sort::Real)?;
                self.format(exponent, significand)
            }
            Op::FpFromSigned { exponent, significand } | Op::FpFromUnsigned { exponent, significand } => {
                self.conversion()?;
                self.width(1)?;
                self.format(exponent, significand)
            }
            Op::FpToUnsigned(width) | Op::FpToSigned(width) => {
                self.conversion()?;
                self.float(1)?;
                self.bit_vector(u64::from(width))
            }
            Op::FpToReal => {
                self.exactly(1)?;
                self.float(0)?;
                Ok(Sort::Real)
            }
            Op::FpToBits => {
                self.exactly(1)?;
                self.float(0)?;
                match self.sort(0) {
                    Sort::Float(exponent, significand) => {
                        self.bit_vector(u64::from(exponent) + u64::from(significand))
                    }
                    _ => unreachable!("a float is of a sort of floats"),
                }
            }
            Op::Forall | Op::Exists => {
                self.arity(children > 0, "variables and a body")?;
                for (index, &variable) in self.children[..children - 1].iter().enumerate() {
                    if !matches!(self.pool.op(variable), Op::Bound(_)) {
                        return Err(self.wrong(index, "a bound variable"));
                    }
                }
                self.of(children - 1, Sort::Bool)?;
                Ok(Sort::Bool)
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounds {
    Yes,
    No,
}

/// Computes the sort of `op` applied to `children`.
///
/// # Errors
/// The first violation found. Always an error for leaves, whose sort does not follow from their
/// operator.
pub fn sort_of(pool: &TermPool, op: Op, children: &[Term]) -> Result<Sort, SortError> {
    Checker { pool, op, children }.result()
}

impl TermPool {
    /// Checks that `op` can be applied to `children` and calls its simplifying constructor. For
    /// terms from untrusted input; other code calls the constructors directly.
    ///
    /// # Errors
    /// As [`sort_of`].
    pub fn build(&mut self, op: Op, children: &[Term]) -> Result<Term, SortError> {
        let sort = sort_of(self, op, children)?;
        let term = self.construct(op, children);
        debug_assert_eq!(self.sort(term), sort, "the constructor and the signature of {op:?} should agree");
        Ok(term)
    }
}
