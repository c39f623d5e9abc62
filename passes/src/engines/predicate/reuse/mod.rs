//! The precision between runs: predicates in names of the source.
//!
//! Beyer, Löwe, Novikov, Stahlbauer, Wendler, *Precision Reuse for Efficient Regression
//! Verification*, FSE 2013; Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University
//! of Passau, 2017. The precision of a predicate analysis is expensive to find and cheap to check:
//! each predicate takes a share of a refinement to find, and one more variable of the abstraction
//! to use. It is also robust: most predicates of one version of a program are useful for the next.
//! So a run can save its final precision, and another run of the same or of a changed program can
//! start with it.
//!
//! *Soundness.* A precision only chooses the abstraction; a run with any initial precision is a run
//! of the same algorithm. So nothing about a saved precision is trusted or checked.
//!
//! *Names.* A predicate is an expression (`expression`) over the variables of the source, and its
//! [scope](SavedScope) is a loop (a function and the number of the loop in it), a function, or the
//! program. No name depends on lines or on the numbers of blocks and values, so predicates survive
//! edits elsewhere. `Places` defines the names.
//!
//! *Saving.* Each predicate of a location is printed as certificates print formulas, and read back.
//! If it has no such text, as with memory or floating-point numbers, it is a formula in SMT-LIB
//! over the same names. If one of its variables has no name, it is omitted and counted. Impact has
//! no precision: the atoms of the formulas of its states take its place. The predicates of a
//! location that is no loop head, as with `--blk sbe`, have the scope of their function.
//!
//! *Reading.* A predicate is read at each location in its scope, in the encoding of the run. If its
//! loop, its function or one of its variables exists nowhere, it is skipped and counted. All others
//! are part of the precision of the initial state, which all states inherit.
//!
//! DIVERGENCE from the paper: most predicates are expressions of the source instead of formulas of
//! the solver, so they can be written by hand, and used with another encoding.
//!
//! *Conditions.* Without a saved precision, the conditions (`conditions`) of the program itself are
//! a possible start.
//!
//! Cost: a run with n initial predicates at a location computes each Boolean abstraction there over
//! all of them; those of no use cost time.

mod conditions;
mod elaboration;
mod expression;
pub(super) mod places;
mod transfer;

pub use expression::SyntaxError;

use expression::Expression;

use terms::{Term, TermPool};

/// A precision in names of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedPrecision {
    /// The predicates, by scope.
    pub predicates: Vec<SavedPredicate>,
}

/// A predicate in names of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedPredicate {
    /// The locations at which it is tracked.
    pub scope: SavedScope,
    /// Its text.
    pub text: String,
    notation: Notation,
}

/// The notation of a saved predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Notation {
    /// That of C.
    C(Expression),
    /// SMT-LIB, which is read at each location.
    Smt,
}

/// Reads a formula in SMT-LIB over symbols with the given names.
pub type FormulaReader = fn(&mut TermPool, &str, &[(&str, Term)]) -> Option<Term>;

/// The locations at which a saved predicate is tracked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SavedScope {
    /// The head of a loop.
    Loop {
        /// The name of the function.
        function: String,
        /// The number of the loop in the function, in the order of the text, from 1.
        number: usize,
    },
    /// All locations in a function with this name.
    Function(String),
    /// All locations.
    Global,
}

impl std::fmt::Display for SavedScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SavedScope::Loop { function, number } => write!(f, "loop {number} of {function}"),
            SavedScope::Function(function) => f.write_str(function),
            SavedScope::Global => f.write_str("program"),
        }
    }
}

impl SavedPredicate {
    /// Reads a predicate.
    ///
    /// # Errors
    /// If the text is no expression.
    pub fn new(scope: SavedScope, text: &str) -> Result<Self, SyntaxError> {
        let expression = expression::parse(text)?;
        Ok(SavedPredicate { scope, text: text.to_owned(), notation: Notation::C(expression) })
    }

    /// A predicate in SMT-LIB, which is [read](Reuse::reader) at each location.
    pub fn smt(scope: SavedScope, text: &str) -> Self {
        SavedPredicate { scope, text: text.to_owned(), notation: Notation::Smt }
    }

    /// Whether the predicate is in SMT-LIB instead of the notation of C.
    pub fn is_smt(&self) -> bool {
        self.notation == Notation::Smt
    }
}

/// The use of a saved precision, and what becomes of the precision at the end.
#[derive(Clone, Debug, Default)]
pub struct Reuse {
    /// The initial precision.
    pub initial: SavedPrecision,
    /// Whether the final precision is needed.
    pub is_saved: bool,
    /// Reads predicates in SMT-LIB. Without a reader, they are skipped and omitted.
    pub reader: Option<FormulaReader>,
}

#[cfg(test)]
mod tests;
