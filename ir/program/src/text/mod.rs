//! The text form of programs, and graphs for Graphviz.
//!
//! [`print`](fn@print) and [`parse`] are inverse: parsing a printed program yields a program that
//! prints the same. The text form documents the effect of a pass and serves as input of its tests.
//!
//! ```text
//! machine 32
//! entry f0
//! region r0 "memory" bytes
//! object o0 "buffer" size 4 align 4 in f0 regions r0 @10..20
//! property p0 reach-call "call of reach_error" @30..44
//!
//! function f0 "main" () -> i32 {
//!   block b0:
//!     v0: i32 "x" = havoc input "__VERIFIER_nondet_int" @12..15
//!     v1: ptr = address-of o0
//!     store r0 [v1] i32 v0 place "buffer[0]"
//!     goto b1(#x00000000)
//!   block b1(v2: i32 "i"):                             ; comments go to the end of the line
//!     branch (bvslt v2 v0) then b1((bvadd v2 #x00000001)) else b2
//!   block b2 label "end":
//!     v3: i32 = load r0 [v1]
//!     v4: i32 = call f1(v1)
//!     switch v3 { case signed #xffffffff .. #x00000001, #x00000007 -> b3 default b4 }
//!   block b3:
//!     error p0
//!   block b4:
//!     return v3
//! }
//! declare f1 "puts" (ptr) -> i32
//! ```
//!
//! `allocate r0 v1 align 4 unknown` requires another alignment than that of blocks from `malloc`.
//! `allocate r0 {0..4, 8..16 : 16} r1 {4..8 : 16} v1 unknown` allocates a block whose bytes are in
//! two regions ([`Part`](crate::ssa::Part)): those at offsets 0 to 3 and 8 to 15 in `r0`, the
//! others in `r1`, both with period 16.
//! `machine 64 slots 40` gives every object a slot of addresses
//! ([`Machine::slot_bits`](crate::ssa::Machine)); `machine 32 frees` says that blocks may end.
//! `shadow "sizes" r1` declares `r1` as a part of the [`Shadow`](crate::ssa::Shadow): `sizes`,
//! `blocks`, `live-blocks`, `previous`, `assigned` or `placements`.
//!
//! Entities are numbered consecutively from 0, values in any order; quoted names are those of the
//! source. Types are `bool`, `i32` and `u32` for signed and unsigned integers of any width, and
//! `ptr`. Terms are SMT-LIB terms: `let` binds the names `?0`, `?1`, …, each at most once per term.
//! `@lo..hi` is the source span (offsets, see [`grammars::source`]) of the preceding item; that of
//! a terminator follows it. Without a span the item has no source location, except that a value
//! defined by an instruction inherits the span of the instruction, unless it has `@none`. If the
//! entry block of a function is not `b0`, its body starts with `entry b3`; values without a
//! definition are listed there as well: `unused v7: i32`.

mod dot;
mod parse;
mod print;
mod term;

pub use dot::{dot_function, dot_program};
pub use parse::parse;
pub use print::{print, print_function, type_name};

/// The file name in diagnostics of [`parse_text`].
const NAMELESS: &str = "<ir>";

/// Parses a text that is not from a file; errors are rendered with source excerpts.
///
/// # Errors
/// All errors, rendered.
pub fn parse_text(pool: &mut terms::TermPool, text: &str) -> Result<crate::ssa::Program, String> {
    let mut map = grammars::source::SourceMap::new();
    let file = map.add(NAMELESS, text.as_bytes()).map_err(|error| error.to_string())?;
    parse(pool, &map, file)
        .map_err(|errors| errors.iter().map(|error| error.render(&map)).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests;
