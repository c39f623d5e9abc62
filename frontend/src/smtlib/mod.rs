//! SMT-LIB 2.6 scripts: what their commands mean.
//!
//! [`Script`] reads a file command by command and hands out [`Step`]s: a [`Command`] whose terms are in the pool of the
//! caller, and its place in the file. Declarations, definitions, names and scopes are dealt with here; solving is
//! the caller's part. A broken command is a located diagnostic that leaves the state as it was, and the next one is read
//! all the same.
//!
//! ```
//! use frontend::smtlib::{Command, Script};
//! use grammars::source::SourceMap;
//! use terms::{TermPool, print};
//!
//! let mut map = SourceMap::new();
//! let text = b"(declare-const x Int) (assert (let ((y (+ x 1))) (< y (* 2 y)))) (check-sat)";
//! let file = map.add("a.smt2", *text).unwrap();
//! let mut pool = TermPool::new();
//! let mut script = Script::new(&map, file);
//! let mut formulas = Vec::new();
//! while let Some(step) = script.next(&mut pool) {
//!     match step.unwrap().command {
//!         Command::Assert { formula, .. } => formulas.push(print::term(&pool, formula)),
//!         Command::CheckSat => assert_eq!(formulas.len(), 1),
//!         _ => {}
//!     }
//! }
//! ```
//!
//! | module | what |
//! |---|---|
//! | `scope` | declarations, definitions and local variables, and their scopes |
//! | `elaborate` | commands |
//! | `sort`, `term` | sorts and terms, without recursion |
//! | `theory` | the symbols of the theories |
//! | `apply`, `bits`, `float` | what the symbols are as terms of the pool |
//! | `literal`, `logic`, `interpolants` | numbers, names of logics, the tree of `get-interpolants` |
//! | [`print`](mod@print) | models and values as solvers print them |
//!
//! # Theories
//! Core, Ints, Reals, Reals_Ints, FixedSizeBitVectors, FloatingPoint, ArraysEx, uninterpreted sorts and functions, quantifiers.
//! Beyond the standard, as the common solvers have it: integers stand where reals are expected; `bvadd` and
//! other associative operators take more than two arguments; `bvredor`, `bvredand`, `(as const (Array …))`; the
//! overflow predicates and conversions of SMT-LIB 2.7. In a logic of reals only, numerals are reals.
//!
//! A symbol of a theory that is not part of the logic may be declared by the user; then the user's meaning holds.
//! Not supported, each with a diagnostic: datatypes and `match`, recursive definitions, strings, sequences.
//!
//! # Cost and limits
//! Time and memory are linear in the file, except: an application of a function defined with parameters costs the size of its body
//! (as a DAG), and `distinct` is quadratic in its arguments. Nothing recurses on terms. To keep a
//! small file from asking for a huge term there are [limits].

mod apply;
mod bits;
mod elaborate;
mod float;
mod interpolants;
pub mod limits;
mod literal;
mod logic;
pub mod print;
mod scope;
mod sort;
mod term;
mod theory;

use elaborate::Elaborator;
use grammars::smtlib::Reader;
use grammars::source::{Diagnostic, FileId, SourceMap, Span};
use terms::{FunctionSymbol, Term, TermPool};

/// A script that is being read.
#[derive(Debug)]
pub struct Script<'m> {
    map: &'m SourceMap,
    reader: Reader<'m>,
    elaborator: Elaborator,
}

/// A command and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// From its opening to its closing parenthesis.
    pub span: Span,
    /// What to do.
    pub command: Command,
}

/// A command whose terms are in the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the commands are those of the standard")]
pub enum Command {
    SetLogic(String),
    /// `:global-declarations` is dealt with here already.
    SetOption {
        /// With its colon.
        keyword: String,
        value: AttributeValue,
    },
    SetInfo {
        /// With its colon.
        keyword: String,
        value: AttributeValue,
    },
    /// A declaration or definition: nothing is left to do.
    Declared,
    Assert {
        formula: Term,
        /// The name of the formula: `(assert (! formula :named name))`.
        name: Option<String>,
        /// Where the formula is, with its name.
        span: Span,
    },
    CheckSat,
    CheckSatAssuming(Vec<Assumption>),
    Push(u32),
    /// At most as many as there are.
    Pop(u32),
    GetModel,
    /// The terms, and how they are written.
    GetValue(Vec<(Term, String)>),
    GetAssertions,
    GetAssignment,
    GetUnsatCore,
    GetUnsatAssumptions,
    GetInterpolants(Partitions),
    /// With its colon.
    GetInfo(String),
    /// With its colon.
    GetOption(String),
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
    /// A command to answer by `unsupported`.
    Unsupported {
        /// The command's name.
        what: String,
    },
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// There is none.
    None,
    /// Decimal digits.
    Numeral(String),
    /// Another number, as it is written.
    Number(String),
    /// A string without its quotes.
    String(String),
    /// A symbol without its bars, such as `true`.
    Symbol(String),
    /// An S-expression, as it is written.
    Expression(String),
}

impl AttributeValue {
    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            AttributeValue::Symbol(text) if text == "true" => Some(true),
            AttributeValue::Symbol(text) if text == "false" => Some(false),
            _ => None,
        }
    }
}

/// A Boolean term of `check-sat-assuming`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// The term.
    pub literal: Term,
    /// How it is written.
    pub text: String,
}

/// What `get-interpolants` asks for, after SMTInterpol: a tree of partitions, each a conjunction of named assertions.
///
/// A parent comes after its children, and the last partition is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partitions {
    /// The names of the assertions of each partition, at least one.
    pub names: Vec<Vec<String>>,
    /// The parent of each partition, none for the root.
    pub parents: Vec<Option<usize>>,
}

/// A declaration of the user that is in scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// A constant; the term is the symbol.
    Constant(Term),
    /// A function with arguments.
    Function(FunctionSymbol),
}

impl<'m> Script<'m> {
    /// A script at the start of `file`.
    #[must_use]
    pub fn new(map: &'m SourceMap, file: FileId) -> Self {
        Script { map, reader: Reader::new(map, file), elaborator: Elaborator::new() }
    }

    /// The next command, none at the end of the file. The pool has to be the same each time.
    ///
    /// # Errors
    /// What is wrong with the command; it had no effect.
    pub fn next(&mut self, pool: &mut TermPool) -> Option<Result<Step, Diagnostic>> {
        let command = match self.reader.next()? {
            Ok(command) => command,
            Err(error) => return Some(Err(error)),
        };
        let names = self.reader.names();
        Some(
            self.elaborator
                .command(pool, self.map, names, &command)
                .map(|result| Step { span: command.span, command: result }),
        )
    }

    /// The declared constants and functions in scope, in order of declaration. What `define-fun` defines is not among
    /// them. Their names are in the pool.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration> {
        self.elaborator.declarations()
    }

    /// The terms in scope that were given a name by `:named`, in order of naming.
    pub fn named_terms(&self) -> impl Iterator<Item = (&str, Term)> {
        self.elaborator.named_terms().map(|(name, term)| (self.reader.names().text(name), term))
    }
}

#[cfg(test)]
mod tests;
