//! Variables and literals.

use std::fmt;
use std::ops::Not;
use terms::entity::Entity;

terms::entity! {
    /// A propositional variable.
    Variable, "x"
}

/// A variable or its negation: twice the index of the variable, plus 1 if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The literal that is true if `variable` is.
    pub fn positive(variable: Variable) -> Self {
        Literal(variable.0 << 1)
    }

    /// The literal that is true if `variable` has `value`.
    pub fn new(variable: Variable, value: bool) -> Self {
        Literal(variable.0 << 1 | u32::from(!value))
    }

    /// The variable.
    pub fn variable(self) -> Variable {
        Variable::new((self.0 >> 1) as usize)
    }

    /// Whether the literal is true if its variable is.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal with a dense index.
    pub fn from_index(index: usize) -> Self {
        Literal(u32::try_from(index).expect("there are fewer than 2^31 variables"))
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Literal(code)
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// A dense index: 2 · variable, plus 1 if negated.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_positive() {
            write!(f, "-")?;
        }
        write!(f, "{}", self.variable())
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
