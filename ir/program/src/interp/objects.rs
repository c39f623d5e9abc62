//! The objects of a run of a program with a shadow memory: for the last step of a trace.
//!
//! The program itself decides whether an access is valid, by its [`Shadow`](crate::ssa::Shadow).
//! The run records every store to the shadow with its position, so that an error can be described
//! in terms of an object: its name, its size, and the positions where it began and ended.
//!
//! *Lost blocks.* The program reports every heap block that is not freed at the end; whether it is
//! still *tracked* is a matter of reachability, which the program does not compute. The run decides
//! it as leak sanitizers do: it treats every word of the static objects and scalars, of the live
//! automatic objects, and of the values of running functions as an address. A block that contains
//! one of the addresses is tracked, and its words count as addresses, too. An unreached block is
//! lost. If all blocks are reached, the error stays unconfirmed, because other readings of
//! "tracked" are possible.

use crate::layout::shadow_index;
use crate::ssa::ObjectData;
use grammars::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The name of the address in the error site of an invalid access: the last instruction of its
/// block defines a value with this name.
pub const FAULT_ADDRESS: &str = "<address>";

/// The object of an error of memory safety.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place in the source: that of the error or, in functions without a source text, of the
    /// innermost call that has one.
    pub span: Span,
    /// The address that was used, unless the error is about the blocks that are left.
    pub address: Option<u64>,
    /// The object that the address belongs to, or a block that is left. `None` for null and
    /// addresses that no object had.
    pub object: Option<KnownObject>,
    /// Where in the object the address is, in bytes from its start.
    pub offset: i64,
    /// How many heap blocks are left.
    pub blocks_left: usize,
    /// Of an error about lost blocks: whether one of them was found to be lost.
    pub is_confirmed: bool,
}

/// An object that is or was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownObject {
    /// The name of the variable, or what the object is.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Whether it is a heap block.
    pub is_block: bool,
    /// Its first address.
    pub address: u64,
    /// Where it began.
    pub born: Span,
    /// Where it ended.
    pub died: Option<Span>,
}

impl KnownObject {
    /// A variable at an address.
    pub(super) fn declared(address: u64, data: &ObjectData) -> Self {
        KnownObject {
            name: data.name.clone(),
            size: data.size,
            is_block: false,
            address,
            born: data.span,
            died: None,
        }
    }
}

/// The objects of a run by their index in the shadow.
#[derive(Debug, Default)]
pub(super) struct Log {
    objects: BTreeMap<u64, KnownObject>,
}

impl Log {
    /// An automatic object got an address; it may never have an entry in the shadow.
    pub(super) fn declare(&mut self, slot_bits: u32, address: u64, data: &ObjectData) {
        self.objects.insert(shadow_index(slot_bits, address), KnownObject::declared(address, data));
    }

    /// The size of an object was stored: 0 if it is gone.
    pub(super) fn size(&mut self, index: u64, address: u64, size: u64, name: Option<&str>, span: Span) {
        match self.objects.get_mut(&index) {
            Some(object) if size == 0 => {
                object.died.get_or_insert(span);
            }
            _ if index == 0 => {}
            Some(object) if object.died.is_none() && object.size == size => {}
            _ => {
                let name = name.unwrap_or("object").to_owned();
                let object = KnownObject { name, size, is_block: false, address, born: span, died: None };
                self.objects.insert(index, object);
            }
        }
    }

    /// Whether an object is a heap block was stored.
    pub(super) fn block(&mut self, index: u64, is_block: bool, span: Span) {
        if let Some(object) = self.objects.get_mut(&index) {
            if is_block {
                object.is_block = true;
                object.died = None;
            } else {
                object.died.get_or_insert(span);
            }
        }
    }

    /// The object whose slot an address lies in.
    pub(super) fn at(&self, slot_bits: u32, address: u64) -> Option<&KnownObject> {
        self.objects.get(&shadow_index(slot_bits, address))
    }

    /// The heap blocks that were not freed.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u64, &KnownObject)> {
        self.objects
            .iter()
            .filter(|(_, object)| object.is_block && object.died.is_none())
            .map(|(&index, object)| (index, object))
    }

    /// The first heap block that cannot be reached from `roots`. `words` lists the words of a
    /// block, those that are not aligned included.
    pub(super) fn lost(
        &self,
        slot_bits: u32,
        roots: impl IntoIterator<Item = u64>,
        mut words: impl FnMut(&KnownObject) -> Vec<u64>,
    ) -> Option<&KnownObject> {
        let left: FxHashMap<u64, &KnownObject> = self.blocks().collect();
        let mut found = std::collections::BTreeSet::new();
        let mut work = Vec::new();
        let mut look = |word: u64, work: &mut Vec<u64>| {
            let index = shadow_index(slot_bits, word);
            let is_inside =
                left.get(&index).is_some_and(|block| word.wrapping_sub(block.address) <= block.size);
            if is_inside && found.insert(index) {
                work.push(index);
            }
        };
        for word in roots {
            look(word, &mut work);
        }
        while let Some(index) = work.pop() {
            for word in words(left[&index]) {
                look(word, &mut work);
            }
        }
        self.blocks().find(|(index, _)| !found.contains(index)).map(|(_, block)| block)
    }
}
