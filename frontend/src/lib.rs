//! From source languages to the IR: [C](c); [SMT-LIB](smtlib) scripts to terms; and the [specifications](spec) that say
//! what counts as an error.

pub mod c;
pub mod smtlib;
pub mod spec;
