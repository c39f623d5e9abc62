//! Interpolation along a sequence or tree, part by part.
