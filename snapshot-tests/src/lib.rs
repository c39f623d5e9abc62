//! Empty: the goldens are in `tests/`, their inputs in `inputs/` and `diagnostics/`.
