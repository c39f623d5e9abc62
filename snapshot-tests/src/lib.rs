//! Empty: the golden tests are in `tests/`, their inputs in `inputs/`, `diagnostics/` and
//! `counterexamples/`.
