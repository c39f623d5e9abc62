//! The statements of the declarations of a function about its arguments.

use grammars::source::Span;

/// The number of parameters that the attribute `access` may name; gcc programs use the first few.
pub const MOST_SIZED: usize = 32;

/// The statements about the parameters of a function in its attributes, its array parameters, and
/// the annotations before its declarations. They affect neither types nor calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contract {
    /// The attributes of all declarations.
    pub stated: Stated,
    /// The lengths of the array parameters of the definition, with the index of the parameter.
    pub lengths: Vec<(usize, DeclaredLength)>,
    /// The comments `/*@ … */` and `//@ …` directly before the declarations, in source order.
    pub annotations: Vec<Span>,
}

/// The attributes `nonnull` and `access`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stated {
    /// The parameters that are not null: bit `i` for the parameter with index `i`.
    pub nonnull: u64,
    /// For a parameter: the number, from 1, of the parameter with its number of elements; else 0.
    pub sizes: [u8; MOST_SIZED],
}

impl Stated {
    /// Adds the attributes of another declaration.
    pub fn add(&mut self, other: &Self) {
        self.nonnull |= other.nonnull;
        for (size, &new) in self.sizes.iter_mut().zip(&other.sizes) {
            if new != 0 {
                *size = new;
            }
        }
    }
}

/// The length of an array parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclaredLength {
    /// The number of elements.
    pub count: DeclaredCount,
    /// Whether it is declared with `static`, which excludes a null pointer (C11 6.7.6.3p7).
    pub is_static: bool,
}

/// A number of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredCount {
    /// A constant.
    Constant(u64),
    /// The value of the parameter with this index.
    Parameter(usize),
}
