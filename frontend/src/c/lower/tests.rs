//! Small programs, lowered and run.
