//! What is translated keeps its meaning, and what comes back is certified by Z3.

mod chains;
mod generator;

mod random;
mod words;
