//! Formulas about the states of a program in names of the source.
//!
//! Beyer, Löwe, Novikov, Stahlbauer, Wendler, *Precision Reuse for Efficient Regression
//! Verification*, FSE 2013. A formula over the symbols of an encoding is meaningless outside of the
//! run that made it. Here it becomes an expression (`expression`) over the variables of the source,
//! and its [scope](SavedScope) is a loop (a function and the number of the loop in it), a function,
//! or the program. No name depends on lines, on the numbers of blocks and values, on the passes, or
//! on the encoding. So a formula serves a run with another version of the program
//! ([`engines::predicate::reuse`](crate::engines::predicate::reuse)), and another run on the same
//! program ([`exchange`](crate::exchange)). `Places` defines the names.
//!
//! *Printing.* A formula is printed as certificates print it, and read back. If it has no such
//! text, as with memory or floating-point numbers, it is in SMT-LIB over the same names. If one of
//! its variables has no name, the formula has no text.
//!
//! *Reading.* A formula is read at each location in its scope, in the encoding of the run
//! (`elaboration`). The text of a formula that was printed in one encoding may have a different
//! meaning in another one: a sum of integers does not overflow. So readers trust no formula.
//!
//! DIVERGENCE from the paper: most formulas are expressions of the source instead of formulas of
//! the solver, so they can be written by hand, and used with another encoding.

mod elaboration;
mod expression;
mod places;
mod systems;

pub(crate) use elaboration::{Mismatch, Variables};
pub use expression::SyntaxError;
pub(crate) use places::{Named, Place, Places};
pub(crate) use systems::NamedSystem;

use crate::evidence::c_text;
use expression::Expression;
use rustc_hash::FxHashMap;
use terms::{Representation, Term, TermPool, print};

/// The length of the longest formula that is written in SMT-LIB, in bytes.
const LONGEST: usize = 1_000;

/// A precision in names of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedPrecision {
    /// The predicates, by scope.
    pub predicates: Vec<SavedPredicate>,
}

/// A predicate in names of the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SavedPredicate {
    /// The locations at which it is tracked.
    pub scope: SavedScope,
    /// Its text.
    pub text: String,
    notation: Notation,
}

/// The notation of a saved predicate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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

impl SavedScope {
    /// The scope of formulas at a place: the loop of a loop head, and otherwise the function,
    /// because other locations have no names.
    pub(crate) fn of(place: &Place) -> Self {
        let function = place.function.clone();
        match place.number {
            Some(number) => SavedScope::Loop { function, number },
            None => SavedScope::Function(function),
        }
    }

    /// Whether a place is in the scope.
    pub(crate) fn has(&self, place: &Place) -> bool {
        match self {
            SavedScope::Loop { function, number } => {
                *function == place.function && place.number == Some(*number)
            }
            SavedScope::Function(function) => *function == place.function,
            SavedScope::Global => true,
        }
    }

    /// The name of a variable in a formula of this scope.
    pub(crate) fn shown<'n>(&self, named: &'n Named) -> &'n str {
        match self {
            SavedScope::Loop { .. } | SavedScope::Function(_) => &named.name,
            SavedScope::Global => &named.qualified,
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

    /// A predicate in SMT-LIB, which a [reader](FormulaReader) reads at each location.
    pub fn smt(scope: SavedScope, text: &str) -> Self {
        SavedPredicate { scope, text: text.to_owned(), notation: Notation::Smt }
    }

    /// Whether the predicate is in SMT-LIB instead of the notation of C.
    pub fn is_smt(&self) -> bool {
        self.notation == Notation::Smt
    }

    /// The formula over variables.
    pub(crate) fn formula(
        &self,
        pool: &mut TermPool,
        variables: &Variables,
        reader: Option<FormulaReader>,
    ) -> Result<Term, Mismatch> {
        let text = match &self.notation {
            Notation::C(expression) => return elaboration::formula(pool, variables, expression),
            Notation::Smt => &self.text,
        };
        let symbols: Vec<(&str, Term)> =
            variables.iter().map(|(name, &(symbol, _))| (name.as_str(), symbol)).collect();
        reader.and_then(|read| read(pool, text, &symbols)).ok_or(Mismatch::Smt)
    }

    /// A formula over the symbols of `named` in names of the source, if it can be read back.
    pub(crate) fn printed(
        pool: &mut TermPool,
        named: &[Named],
        scope: &SavedScope,
        formula: Term,
        reader: Option<FormulaReader>,
    ) -> Option<Self> {
        let names: FxHashMap<Term, (&str, Representation)> =
            named.iter().map(|named| (named.symbol, (scope.shown(named), named.representation))).collect();
        let symbols = pool.free_symbols(formula);
        if !symbols.into_iter().all(|symbol| names.contains_key(&pool.symbol_term(symbol))) {
            return None;
        }
        let variables = variables(named, scope);
        let (text, over_names) = c_text(pool, formula, &|symbol| names.get(&symbol).copied());
        if let Ok(saved) = SavedPredicate::new(scope.clone(), &text)
            && saved.formula(pool, &variables, reader).is_ok()
        {
            return Some(saved);
        }
        let text = print::term(pool, over_names);
        let saved = SavedPredicate::smt(scope.clone(), &text);
        (text.len() <= LONGEST && saved.formula(pool, &variables, reader).is_ok()).then_some(saved)
    }
}

/// The variables by the names that formulas of a scope have for them.
fn variables(named: &[Named], scope: &SavedScope) -> Variables {
    named.iter().map(|named| (scope.shown(named).to_owned(), (named.symbol, named.representation))).collect()
}

/// The variables by all of their names.
pub(crate) fn all_names(named: Vec<Named>) -> Variables {
    let mut variables = Variables::default();
    for Named { symbol, representation, name, qualified } in named {
        for name in [name, qualified] {
            variables.entry(name).or_insert((symbol, representation));
        }
    }
    variables
}
