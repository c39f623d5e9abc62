//! Linear arithmetic over reals and integers, with certificates.
