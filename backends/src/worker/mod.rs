//! Solvers in child processes.
