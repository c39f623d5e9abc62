//! The languages Hornwork reads: tokens, grammars and syntax trees, without meaning.
//!
//! * [`source`]: files, spans, presumed positions, diagnostics. Every reader of text uses it.
//! * [`names`]: interned names.
//! * [`c`]: C11 with the GNU extensions, preprocessed.
//! * [`ir`]: the text form of the intermediate representation.
//! * [`smtlib`]: SMT-LIB scripts.
//!
//! A parser here turns bytes that the caller loaded into a tree and a list of
//! [diagnostics](source::Diagnostic). It opens no file and prints nothing; what the tree means is the business of
//! the `frontend` and `ir` packages. Input is never trusted: whatever the bytes are, the answer is a tree or a
//! located error, in time linear in their number.

#![forbid(unsafe_code)]

pub mod c;
pub mod ir;
pub mod names;
pub mod smtlib;
pub mod source;
