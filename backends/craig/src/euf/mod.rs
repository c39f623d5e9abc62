//! Congruence closure with explanations.
