//! Translations preserve the meaning, and Z3 certifies back translations.

mod chains;
mod generator;

mod random;
mod words;
