//! From source languages to the IR: [C](c).

pub mod c;
