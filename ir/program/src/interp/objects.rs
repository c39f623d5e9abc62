//! The objects of a run, for programs with a shadow memory. They explain the last step of a trace.
//!
//! The program itself checks every access against its [`Shadow`](crate::ssa::Shadow). The run
//! records every store to the shadow with its source position. A memory error can then name the
//! object, its size, and the positions where its lifetime began and ended.
//!
//! *Lost blocks.* The program reports every heap block that is not freed at the end. Whether a
//! block is still *tracked* is a question of reachability, which the program does not compute. The
//! run decides it conservatively, as leak sanitizers do. The roots are all words of the static
//! objects, the scalar regions, the live automatic objects and the values of the active functions.
//! A block is tracked if a root, or a word of another tracked block, is an address in it (one past
//! the end included). All other blocks are lost. If no block is lost, the error stays unconfirmed,
//! because other readings of "tracked" are possible.

use crate::layout::shadow_index;
use crate::ssa::ObjectData;
use grammars::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The name of the value that holds the address of an invalid access. The last instruction of the
/// block that ends in the error site defines this value.
pub const FAULT_ADDRESS: &str = "<address>";

/// The object of a memory-safety error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The source position of the error or, in functions without source text, of the innermost call
    /// that has one.
    pub span: Span,
    /// The accessed or freed address; `None` if the error is a leak.
    pub address: Option<u64>,
    /// The object whose slot contains the address or, for a leak, a heap block that was not freed.
    /// `None` for null and for addresses of slots without an object.
    pub object: Option<KnownObject>,
    /// The offset of the address from the start of the object in bytes; 0 for a leak.
    pub offset: i64,
    /// The number of heap blocks that were not freed.
    pub blocks_left: usize,
    /// For `valid-memtrack`: whether some block is unreachable. True for all other errors.
    pub is_confirmed: bool,
}

/// A live or dead object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownObject {
    /// The name of the variable or a description of the object.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// Whether it is a heap block.
    pub is_block: bool,
    /// Its first address.
    pub address: u64,
    /// The source position where its lifetime began.
    pub born: Span,
    /// The source position where its lifetime ended; `None` while it is live.
    pub died: Option<Span>,
}

impl KnownObject {
    /// A live variable at `address`.
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
    /// Records that an automatic object got an address. It may never get an entry in the shadow.
    pub(super) fn declare(&mut self, slot_bits: u32, address: u64, data: &ObjectData) {
        self.objects.insert(shadow_index(slot_bits, address), KnownObject::declared(address, data));
    }

    /// Records a store of an object's size to the shadow; 0 ends its lifetime.
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

    /// Records a store of the heap-block flag to the shadow; `false` ends the block's lifetime.
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

    /// The object whose slot contains `address`.
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

    /// The first heap block that is unreachable from `roots`. `words` lists the words of a block at
    /// all offsets, aligned or not.
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
