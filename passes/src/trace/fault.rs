//! Describes violations of memory safety: the address, its object, and the lines of its lifetime.

use super::objects::{block, line, literal};
use grammars::source::{SourceMap, Span};
use program::interp::Fault;
use program::ssa::PropertyKind;
use serde::Serialize;

/// Addresses below this limit are reported as offsets from a null pointer.
const NULL_PAGE: u64 = 1 << 12;

/// The address and object of an invalid access, or a block that is still allocated at the end of
/// the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocatedFault {
    /// The accessed address; `None` for blocks that are still allocated at the end of the program.
    pub address: Option<u64>,
    /// The name of the variable, `block` for a heap block, or `alloca`; `None` if the address
    /// belongs to no object.
    pub object: Option<String>,
    /// The size of the object in bytes.
    pub size: Option<u64>,
    /// The offset of the address from the start of the object, in bytes.
    pub offset: Option<i64>,
    /// The line of the allocation or declaration.
    pub allocated: Option<u32>,
    /// The line where the object was freed or went out of scope.
    pub ended: Option<u32>,
}

impl LocatedFault {
    pub(super) fn new(fault: &Fault, sources: &SourceMap) -> Self {
        let object = fault.object.as_ref();
        LocatedFault {
            address: fault.address,
            object: object.map(|object| object.name.clone()),
            size: object.map(|object| object.size),
            offset: object.and(fault.address).map(|_| fault.offset),
            allocated: object.and_then(|object| line(sources, object.born)),
            ended: object.and_then(|object| line(sources, object.died?)),
        }
    }
}

/// Returns the suffix of the error description, for example
/// ` at offset 40 of block of 40 bytes from malloc at line 7`.
pub(super) fn describe(kind: PropertyKind, fault: &Fault, sources: &SourceMap) -> String {
    let at_line = |span: Span| line(sources, span).map_or(String::new(), |line| format!(" at line {line}"));
    let Some(object) = &fault.object else {
        return match fault.address {
            Some(0) => " through a null pointer".to_owned(),
            Some(address) if address < NULL_PAGE => format!(" at offset {address} from a null pointer"),
            Some(address) => format!(" at the address {address:#x}, which belongs to no object"),
            None => String::new(),
        };
    };
    let bytes = if object.size == 1 { "byte" } else { "bytes" };
    let began = |verb: &str| {
        let at = at_line(object.born);
        if at.is_empty() { at } else { format!(" {verb}{at}") }
    };
    // Lowering makes names unique with numeric suffixes.
    let what = match object.name.split('.').next().unwrap_or_default() {
        "block" | "alloca" => block(sources, object.size, 1, object.born),
        "string" => {
            let text = literal(sources, object.born).unwrap_or_else(|| "a string literal".to_owned());
            format!("{text} of {} {bytes}{}", object.size, began("written"))
        }
        "temporary" | "literal" => {
            format!("a temporary object of {} {bytes}{}", object.size, began("made"))
        }
        _ => format!("`{}` of {} {bytes}{}", object.name, object.size, began("declared")),
    };
    let ended = object.died.map_or(String::new(), |died| {
        let how = if object.is_block { "freed" } else { "out of scope" };
        format!(", {how}{}", at_line(died))
    });
    match fault.address {
        Some(_) => format!(" at offset {} of {what}{ended}", fault.offset),
        None if kind == PropertyKind::ValidMemtrack => format!(": {what}"),
        None => {
            let others = match fault.blocks_left.saturating_sub(1) {
                0 => String::new(),
                1 => ", and another one".to_owned(),
                count => format!(", and {count} others"),
            };
            format!(": {what}{others}")
        }
    }
}
