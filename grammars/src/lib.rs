//! The languages that Hornwork reads: tokens, grammars and syntax trees, without semantics.
//!
//! * [`source`]: files, spans, presumed positions, diagnostics. Every reader of text uses it.
//! * [`names`]: interned names.
//! * [`c`]: C11 with the GNU extensions, preprocessed.
//! * [`ir`]: the text form of the intermediate representation.
//! * [`smtlib`]: SMT-LIB scripts.
//!
//! A parser of this crate converts bytes that the caller has loaded into a tree and a list of
//! [diagnostics](source::Diagnostic). It opens no files and prints nothing; the packages `frontend`
//! and `program` define the semantics of the trees. Input is never trusted: for arbitrary bytes the
//! result is a tree or a located error, in time linear in their number.

#![forbid(unsafe_code)]

pub mod c;
pub mod ir;
pub mod names;
pub mod smtlib;
pub mod source;
