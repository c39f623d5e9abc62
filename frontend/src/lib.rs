//! From source languages to the IR: [C](c); and the [specifications](spec) that say what counts as an error.

pub mod c;
pub mod spec;
