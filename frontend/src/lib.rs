//! Source languages to the IR: [C](c) to programs, [SMT-LIB](smtlib) scripts to terms and to
//! [Horn clauses](horn), and the [specifications](spec) that define which behavior is an error.

pub mod c;
pub mod horn;
pub mod smtlib;
pub mod spec;
