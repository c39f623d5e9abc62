//! The program entities of state variables.

use super::machine::Machine;
use program::ssa::{Region, Value};
use terms::entity::Entity;

/// The state from which a variable has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// The current state.
    Now,
    /// The state at the entry of the procedure. Only regions that the procedure may write have such
    /// a variable; SSA values do not change.
    Entry,
}

/// The value of the variable that holds the result of a procedure at its return. It is not a value
/// of any function.
pub const RESULT: Value = Value(u32::MAX);

/// The value of the variable that holds the address of the frame of a procedure, in all its states
/// if it needs one. It is not a value of any function.
pub const FRAME: Value = Value(u32::MAX - 1);

/// The program entity of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// An SSA value of the function, its [`RESULT`], or its [`FRAME`].
    Value(Value),
    /// The contents of a region.
    Region(Region),
    /// The address of the next block in a zone of the heap.
    HeapPointer(u32),
}

impl Origin {
    /// The name of the heap pointer of a zone.
    pub fn heap_pointer(zone: u32) -> String {
        match zone {
            0 => "heap".to_owned(),
            zone => format!("heap:{zone}"),
        }
    }
}

/// The entity of a region, or of a heap pointer, which follow the regions.
pub(super) fn region_origin(machine: &Machine<'_>, region: Region) -> Origin {
    match machine.zone_of(region) {
        Some(zone) => Origin::HeapPointer(zone as u32),
        None => Origin::Region(region),
    }
}

/// The index of the contents of an entity among the regions of a state.
pub(super) fn cell(machine: &Machine<'_>, origin: Origin) -> Option<usize> {
    match origin {
        Origin::Value(_) => None,
        Origin::Region(region) => Some(region.index()),
        Origin::HeapPointer(zone) => Some(machine.heap_index(zone as usize)),
    }
}
