//! Provers around provers.
