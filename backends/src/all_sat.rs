//! Enumeration: all models over given literals, and cores that are minimal.
