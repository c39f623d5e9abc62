//! From terms to clauses and atoms.
