//! SMT-LIB 2.6 scripts: parsing and elaboration of commands.
//!
//! [`Script`] reads a file command by command and returns [`Step`]s: a [`Command`] whose terms are
//! in the pool of the caller, with its position in the file. `Script` processes declarations,
//! definitions, names and scopes; the caller does the solving. An erroneous command yields a
//! diagnostic and leaves the state unchanged; reading continues with the next command.
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
//! | module | contents |
//! |---|---|
//! | `scope` | declarations, definitions and local variables, and their scopes |
//! | `elaborate` | commands |
//! | `sort`, `term` | sorts and terms, without recursion |
//! | `datatype` | data types and `match` |
//! | `theory` | the symbols of the theories |
//! | `apply`, `bits`, `float` | translation of the symbols to terms of the pool |
//! | `literal`, `logic`, `interpolants` | numbers, names of logics, the tree of `get-interpolants` |
//! | [`print`](mod@print) | models and values in the format of solvers |
//!
//! # Theories
//! Core, Ints, Reals, Reals_Ints, FixedSizeBitVectors, FloatingPoint, ArraysEx, uninterpreted sorts
//! and functions, quantifiers. Extensions shared by the common solvers: integers are coerced to
//! reals; `bvadd` and other associative operators take more than two arguments; `bvredor`,
//! `bvredand`, `(as const (Array …))`; the overflow predicates and conversions of SMT-LIB 2.7. In a
//! logic with reals but without integers, numerals are reals.
//!
//! Users may declare a symbol of a theory that does not belong to the logic; the declaration then
//! takes precedence. Data types are enumerations and records ([`encode::datatypes`]), with testers
//! and `match`, for readers that accept them ([`Script::with_datatypes`]). Unsupported, each with a
//! diagnostic: other data types, recursive definitions, strings, sequences.
//!
//! # Cost and limits
//! Time and memory are linear in the size of the file, with two exceptions: an application of a
//! function defined with parameters costs the size of its body (as a DAG), and `distinct` is
//! quadratic in the number of its arguments. No function recurses on terms. The [limits] prevent a
//! small file from creating a huge term.

mod apply;
mod bits;
mod datatype;
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

use elaborate::{Accepts, Elaborator};
use encode::datatypes::Datatypes;
use grammars::smtlib::Reader;
use grammars::source::{Diagnostic, FileId, SourceMap, Span};
use terms::{FunctionSymbol, Term, TermPool};

/// The state of reading a script.
#[derive(Debug)]
pub struct Script<'m> {
    map: &'m SourceMap,
    reader: Reader<'m>,
    elaborator: Elaborator,
}

/// A [`Script`] between two commands without its map, to which files may be added meanwhile: the
/// text of a script that arrives in parts.
#[derive(Debug)]
pub struct Paused {
    reader: grammars::smtlib::Paused,
    elaborator: Elaborator,
}

impl Paused {
    /// The script again: where it was, or at the end of its file at the start of the next file of
    /// `map`, if there is one.
    #[must_use]
    pub fn resume(self, map: &SourceMap) -> Script<'_> {
        Script { map, reader: self.reader.resume(map), elaborator: self.elaborator }
    }
}

/// A command with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The command, from its opening to its closing parenthesis.
    pub span: Span,
    /// The command.
    pub command: Command,
}

/// A command whose terms are in the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the variants are the commands of the standard")]
pub enum Command {
    SetLogic(String),
    /// `:global-declarations` is already processed.
    SetOption {
        /// The keyword, with its colon.
        keyword: String,
        value: AttributeValue,
    },
    SetInfo {
        /// The keyword, with its colon.
        keyword: String,
        value: AttributeValue,
    },
    /// A declaration or definition, which is already processed. Contains the constant or function
    /// that the command declares.
    Declared(Option<Declaration>),
    /// The definition of a constant by an annotated term, which is already processed.
    Defined {
        term: Term,
        attributes: Vec<Attribute>,
    },
    /// A declaration of data types, which is already processed; see [`Script::datatypes`].
    DeclareDatatypes,
    /// Z3's `declare-var`: a symbol that every [`Rule`](Command::Rule) quantifies.
    DeclareVariable(Term),
    /// Z3's `rule`.
    Rule {
        formula: Term,
        name: Option<String>,
        /// The position of the formula.
        span: Span,
    },
    /// Z3's `query`, without its attributes.
    Query {
        formula: Term,
        /// The position of the formula.
        span: Span,
    },
    Assert {
        formula: Term,
        /// The name of the formula: `(assert (! formula :named name))`.
        name: Option<String>,
        /// The position of the formula, including its name.
        span: Span,
    },
    CheckSat,
    CheckSatAssuming(Vec<Assumption>),
    Push(u32),
    /// At most the number of open scopes.
    Pop(u32),
    GetModel,
    /// The terms, each with its text in the script.
    GetValue(Vec<(Term, String)>),
    GetAssertions,
    GetAssignment,
    GetUnsatCore,
    GetUnsatAssumptions,
    GetInterpolants(Partitions),
    /// The keyword, with its colon.
    GetInfo(String),
    /// The keyword, with its colon.
    GetOption(String),
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
    /// A command to be answered with `unsupported`.
    Unsupported {
        /// The name of the command.
        what: String,
    },
}

/// An attribute of an annotated term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The keyword, with its colon.
    pub keyword: String,
    /// Its value.
    pub value: AttributeValue,
    /// The position of both.
    pub span: Span,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// No value.
    None,
    /// A numeral: decimal digits.
    Numeral(String),
    /// Another number, as written.
    Number(String),
    /// A string without its quotes.
    String(String),
    /// A symbol without its bars, such as `true`.
    Symbol(String),
    /// An S-expression, as written.
    Expression(String),
}

impl AttributeValue {
    /// Returns the value if it is Boolean.
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
    /// The text in the script.
    pub text: String,
}

/// The argument of `get-interpolants`, as in SMTInterpol: a tree of partitions, each a conjunction
/// of named assertions.
///
/// Children precede their parents; the last partition is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partitions {
    /// The names of the assertions of each partition, at least one.
    pub names: Vec<Vec<String>>,
    /// The parent of each partition; `None` for the root.
    pub parents: Vec<Option<usize>>,
}

/// A user declaration in scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// A constant; the term is the symbol.
    Constant(Term),
    /// A function with arguments.
    Function(FunctionSymbol),
}

impl<'m> Script<'m> {
    /// Starts reading a script from the beginning of `file`.
    #[must_use]
    pub fn new(map: &'m SourceMap, file: FileId) -> Self {
        Script { map, reader: Reader::new(map, file), elaborator: Elaborator::new() }
    }

    /// Like [`new`](Self::new), and accepts data types. Terms over them have uninterpreted sorts
    /// and functions, so the caller must [`flatten`](Datatypes::flatten) each formula with
    /// [`datatypes`](Self::datatypes).
    #[must_use]
    pub fn with_datatypes(map: &'m SourceMap, file: FileId) -> Self {
        let mut script = Script::new(map, file);
        script.elaborator.accepts = Accepts::Datatypes;
        script
    }

    /// Gives up the map between two commands.
    #[must_use]
    pub fn pause(self) -> Paused {
        Paused { reader: self.reader.pause(), elaborator: self.elaborator }
    }

    /// Returns the next command, or `None` at the end of the file. All calls must use the same
    /// pool.
    ///
    /// # Errors
    /// The diagnostic of an erroneous command, which had no effect.
    pub fn next(&mut self, pool: &mut TermPool) -> Option<Result<Step, Diagnostic>> {
        let command = match self.reader.next()? {
            Ok(command) => command,
            Err(error) => return Some(Err(error)),
        };
        let result = self.elaborator.command(pool, self.map, self.reader.names(), &command);
        self.reader.recycle(command.tree);
        Some(result.map(|result| Step { span: command.span, command: result }))
    }

    /// The declared constants and functions in scope, in order of declaration. Definitions by
    /// `define-fun` are not included. The names are in the pool.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration> {
        self.elaborator.declarations()
    }

    /// The data types that were declared.
    pub fn datatypes(&mut self) -> &mut Datatypes {
        &mut self.elaborator.datatypes
    }

    /// The terms in scope named by `:named`, in order of naming.
    pub fn named_terms(&self) -> impl Iterator<Item = (&str, Term)> {
        self.elaborator.named_terms().map(|(name, term)| (self.reader.names().text(name), term))
    }
}

#[cfg(test)]
mod tests;
