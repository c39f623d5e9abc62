//! Violations of memory safety in words and with positions.

use grammars::source::{SourceMap, Span};
use program::interp::Fault;
use program::ssa::PropertyKind;
use serde::Serialize;

/// Addresses below are taken for members of an object at null.
const NULL_PAGE: u64 = 1 << 12;

/// Which object an invalid access or an error at the end is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocatedFault {
    /// The address that was used; none if the error is about what is left at the end.
    pub address: Option<u64>,
    /// The variable, `block` for a heap block, `alloca`; none if the address belongs to no object.
    pub object: Option<String>,
    /// The bytes of the object.
    pub size: Option<u64>,
    /// Where the address is, in bytes from the start of the object.
    pub offset: Option<i64>,
    /// The line where the object was allocated or declared.
    pub allocated: Option<u32>,
    /// The line where it was freed or its scope was left.
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

fn line(sources: &SourceMap, span: Span) -> Option<u32> {
    sources.presumed(span).map(|position| position.line)
}

/// What follows the description of the error: ` at offset 40 of a block of 40 bytes allocated at line 7`.
pub(super) fn describe(kind: PropertyKind, fault: &Fault, sources: &SourceMap) -> String {
    let at_line = |span: Span| line(sources, span).map_or(String::new(), |line| format!(" at line {line}"));
    let Some(object) = &fault.object else {
        return match fault.address {
            Some(0) => " through a null pointer".to_owned(),
            Some(address) if address < NULL_PAGE => format!(" at offset {address} from a null pointer"),
            Some(address) => format!(": no object has the address {address:#x}"),
            None => String::new(),
        };
    };
    let bytes = if object.size == 1 { "byte" } else { "bytes" };
    let (what, verb) = match object.name.as_str() {
        "block" => (format!("a block of {} {bytes}", object.size), "allocated"),
        "alloca" => (format!("a block of {} {bytes} on the stack", object.size), "allocated"),
        "string" => (format!("a string of {} {bytes}", object.size), "written"),
        "temporary" | "literal" => (format!("a temporary object of {} {bytes}", object.size), "made"),
        name => (format!("`{name}` of {} {bytes}", object.size), "declared"),
    };
    let began = at_line(object.born);
    let began = if began.is_empty() { began } else { format!(" {verb}{began}") };
    let ended = object.died.map_or(String::new(), |died| {
        let how = if object.is_block { "freed" } else { "gone" };
        format!(", {how}{}", at_line(died))
    });
    match fault.address {
        Some(_) => format!(" at offset {} of {what}{began}{ended}", fault.offset),
        None if kind == PropertyKind::ValidMemtrack => format!(": {what}{began} cannot be reached"),
        None => {
            let others = match fault.blocks_left.saturating_sub(1) {
                0 => String::new(),
                1 => ", and another one".to_owned(),
                count => format!(", and {count} others"),
            };
            format!(": {what}{began}{others}")
        }
    }
}
