//! Recognizes loads from memory in formulas and maps them to the source.
//!
//! In a formula, a load of several bytes is a concatenation of bytes at consecutive addresses. If
//! the object at the address is known, the load is printed as the variable, member or element,
//! `ring.count`; otherwise as an access, `*(unsigned int *) (p + 8)`. Addresses are integers in
//! bytes: no offset is scaled.

use program::layout::Layout;
use program::ssa::source::{Part, SourceInfo, SourceKind, SourceType, Wanted};
use program::ssa::{Program, RegionKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::{Op, Representation, Signedness, Sort, Term, TermPool};
use views::blocks::Origin;

/// The largest size of a load in bytes.
const LARGEST: usize = 8;

/// The memory symbols of a formula, and the objects at known addresses.
pub(super) struct Memory<'p> {
    program: &'p Program,
    /// The types of the source, taken from the lowered program: preparation drops them.
    source: &'p SourceInfo,
    /// The symbols that denote memories: arrays of bytes.
    contents: FxHashSet<Term>,
    /// The symbols that denote addresses of objects, each with its object.
    addresses: FxHashMap<Term, Object>,
    /// The static objects by their addresses.
    statics: BTreeMap<u64, Object>,
}

/// An object of the source.
#[derive(Clone)]
struct Object {
    name: String,
    size: u64,
    ty: SourceType,
}

/// A load of 1, 2, 4 or 8 bytes.
pub(super) enum Load {
    /// A load of a variable, member or element.
    Value {
        /// Its name.
        name: String,
        /// Its signedness.
        representation: Representation,
        /// Whether it is a pointer.
        is_pointer: bool,
    },
    /// A load of one byte of an object: the name of the object, and the index of the byte.
    Byte(String, u64),
    /// A load from an address, the sum of terms and a constant.
    Access {
        /// The terms of the sum.
        base: Vec<Term>,
        /// The constant; not negative if `base` is empty.
        offset: i64,
        /// The size in bytes.
        size: usize,
    },
}

impl<'p> Memory<'p> {
    /// Collects the static objects of `program`, the prepared form of `lowered`.
    pub(super) fn new(program: &'p Program, lowered: &'p Program) -> Self {
        let source = &*lowered.source;
        // Preparation may renumber objects. Automatic objects may have the names of others.
        let mut types: FxHashMap<&str, Option<SourceType>> = FxHashMap::default();
        for (object, data) in lowered.objects.iter() {
            let ty = source.objects.get(&object).copied();
            let is_first = !types.contains_key(&*data.name);
            types.insert(&data.name, ty.filter(|_| is_first));
        }
        let mut statics = BTreeMap::new();
        if let Ok(layout) = Layout::new(program) {
            for (object, data) in program.objects.iter() {
                let ty = types.get(&*data.name).copied().flatten();
                if let (Some(address), Some(ty)) = (layout.object(object), ty) {
                    statics.insert(address, Object { name: plain(&data.name), size: data.size, ty });
                }
            }
        }
        Memory { program, source, contents: FxHashSet::default(), addresses: FxHashMap::default(), statics }
    }

    /// Records the variable `origin` of a symbol of the formula. `name` is the name of the variable
    /// in the source.
    pub(super) fn add(&mut self, pool: &TermPool, symbol: Term, origin: Origin, name: &str) {
        let program = self.program;
        match origin {
            Origin::Region(region) => {
                // Linear encodings have addresses and bytes that are integers.
                let has_words = match pool.sort(symbol) {
                    Sort::Array(sort) => {
                        matches!(pool.array_sort_parts(sort), (Sort::BitVec(_), Sort::BitVec(8)))
                    }
                    _ => false,
                };
                let is_plain = program.regions[region].kind == RegionKind::Bytes;
                if has_words && is_plain && !program.shadow.contains(region) {
                    self.contents.insert(symbol);
                }
            }
            Origin::Value(_) => {
                let Some(variable) = name.strip_prefix('&') else { return };
                // Inlining merges the variables of all functions into one function.
                if let Some(ty) = self.source.place_of_any(name) {
                    let size = self.source.types[ty].size;
                    self.addresses.insert(symbol, Object { name: plain(variable), size, ty });
                }
            }
            Origin::HeapPointer(_) => {}
        }
    }

    /// Returns `term` as a load from memory; `None` if it is not a load.
    pub(super) fn load(&self, pool: &TermPool, term: Term) -> Option<Load> {
        if self.contents.is_empty() {
            return None;
        }
        let bytes = self.bytes(pool, term)?;
        let (base, offset) = split(pool, bytes[0]);
        let width = pool.width(bytes[0]);
        for (index, &address) in (0u64..).zip(&bytes) {
            if split(pool, address) != (base.clone(), truncate(offset.wrapping_add(index), width)) {
                return None;
            }
        }
        let known = match base[..] {
            [] => self.statics.range(..=offset).next_back().map(|(&start, object)| (object, offset - start)),
            [symbol] => self.addresses.get(&symbol).map(|object| (object, offset)),
            _ => None,
        };
        let inside = known.filter(|(object, offset)| {
            offset.checked_add(bytes.len() as u64).is_some_and(|end| end <= object.size)
        });
        let value = inside.and_then(|(object, offset)| self.value(object, offset, bytes.len()));
        Some(value.unwrap_or_else(|| {
            // An offset with the highest bit set is a negative displacement.
            let unused = if base.is_empty() { 0 } else { u64::BITS - width.min(u64::BITS) };
            Load::Access { base, offset: (offset << unused) as i64 >> unused, size: bytes.len() }
        }))
    }

    /// Returns the load of `size` bytes at `offset` of an object: the scalar there, or a single
    /// byte.
    fn value(&self, object: &Object, offset: u64, size: usize) -> Option<Load> {
        let Part { path, rest, ty } = self.source.part(object.ty, offset, Wanted::Scalar);
        let data = &self.source.types[ty];
        let name = format!("{}{path}", object.name);
        let is_pointer = matches!(data.kind, SourceKind::Pointer(_));
        let representation = match data.kind {
            SourceKind::Bool | SourceKind::Pointer(_) => Some(Representation::Unsigned),
            SourceKind::Character(signedness)
            | SourceKind::Integer(signedness)
            | SourceKind::Enum(signedness, _) => Some(match signedness {
                Signedness::Signed => Representation::Signed,
                Signedness::Unsigned => Representation::Unsigned,
            }),
            _ => None,
        };
        match representation {
            Some(representation) if rest == 0 && data.size == size as u64 => {
                Some(Load::Value { name, representation, is_pointer })
            }
            _ if size == 1 => Some(Load::Byte(object.name.clone(), offset)),
            _ => None,
        }
    }

    /// Returns the addresses of the bytes that `term` concatenates, lowest byte first.
    fn bytes(&self, pool: &TermPool, term: Term) -> Option<Vec<Term>> {
        let (mut addresses, mut memories) = (Vec::new(), FxHashSet::default());
        let mut rest = vec![term];
        while let Some(part) = rest.pop() {
            match (pool.op(part), pool.children(part)) {
                (Op::Concat, &[high, low]) => rest.extend([high, low]),
                (Op::Select, &[memory, address]) if self.contents.contains(&memory) => {
                    memories.insert(memory);
                    addresses.push(address);
                }
                _ => return None,
            }
            if addresses.len() > LARGEST {
                return None;
            }
        }
        (memories.len() == 1 && addresses.len().is_power_of_two()).then_some(addresses)
    }
}

/// Splits an address into the summands and the constant of a sum.
fn split(pool: &TermPool, address: Term) -> (Vec<Term>, u64) {
    if let Some(constant) = pool.as_bv_u64(address) {
        return (Vec::new(), constant);
    }
    if pool.op(address) != Op::BvAdd {
        return (vec![address], 0);
    }
    let (mut base, mut offset) = (Vec::new(), 0u64);
    for &summand in pool.children(address) {
        match pool.as_bv_u64(summand) {
            Some(constant) => offset = offset.wrapping_add(constant),
            None => base.push(summand),
        }
    }
    (base, truncate(offset, pool.width(address)))
}

fn truncate(value: u64, width: u32) -> u64 {
    if width < 64 { value & ((1 << width) - 1) } else { value }
}

/// Returns the name of a variable without its qualifiers (the path before the last `::`).
fn plain(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::infix::{Readings, infix};
    use super::*;
    use program::ssa::source::{SourceField, SourceTypeData};
    use program::ssa::{Region, Value};

    const PROGRAM: &str = "machine 64\n\
        entry f0\n\
        region r0 \"memory\" bytes\n\
        object o0 \"ring\" size 12 align 4 regions r0\n\
        function f0 \"__start\" () {\n\
          block b0:\n\
            stop exit\n\
        }\n";

    /// Returns a program with a `struct ring { char slots[4]; unsigned head; unsigned bits : 3; }`
    /// at a fixed address.
    fn ring(pool: &mut TermPool) -> Program {
        let mut program = program::text::parse_text(pool, PROGRAM).expect("valid IR");
        let mut source = SourceInfo::default();
        let mut ty =
            |name: &str, size, kind| source.types.push(SourceTypeData { name: name.to_owned(), size, kind });
        let byte = ty("char", 1, SourceKind::Character(Signedness::Signed));
        let slots = ty("char [4]", 4, SourceKind::Array(byte));
        let head = ty("unsigned", 4, SourceKind::Integer(Signedness::Unsigned));
        let bits = ty("unsigned", 4, SourceKind::BitField(Signedness::Unsigned));
        let field = |name: &str, offset, ty| SourceField { name: Some(name.to_owned()), offset, ty };
        let fields = vec![field("slots", 0, slots), field("head", 4, head), field("bits", 8, bits)];
        let ring = ty("struct ring", 12, SourceKind::Record(fields));
        source.objects.insert(program.objects.keys().next().expect("one object"), ring);
        let entry = program.entry;
        source.set_place(entry, "&local", ring);
        program.source = source.into();
        program
    }

    /// Returns the load of `size` bytes of `memory` at address `base + offset`.
    fn bytes(pool: &mut TermPool, memory: Term, base: Term, offset: u64, size: u64) -> Term {
        let select = |pool: &mut TermPool, index| {
            let offset = pool.bv(64, offset + index);
            let address = pool.bv_add(base, offset);
            pool.select(memory, address)
        };
        let lowest = select(pool, 0);
        (1..size).fold(lowest, |low, index| {
            let high = select(pool, index);
            pool.concat(high, low)
        })
    }

    #[test]
    fn bytes_are_the_scalar_at_their_address() {
        let mut pool = TermPool::new();
        let program = ring(&mut pool);
        let sort = pool.array_sort(Sort::BitVec(64), Sort::BitVec(8));
        let memory = pool.symbol("memory", sort);
        let [local, pointer] = ["&local", "p"].map(|name| pool.symbol(name, Sort::BitVec(64)));
        let address = Layout::new(&program).expect("a layout").object(program.objects.keys().next().unwrap());
        let fixed = pool.bv(64, address.expect("the object is static"));
        let mut known = Memory::new(&program, &program);
        known.add(&pool, memory, Origin::Region(Region(0)), "memory");
        known.add(&pool, local, Origin::Value(Value(0)), "&local");
        known.add(&pool, pointer, Origin::Value(Value(1)), "p");
        let readings = Readings { memory: Some(known), ..Readings::default() };
        let expected = [
            (fixed, 2, 1, "ring.slots[2]"),
            (fixed, 4, 4, "ring.head"),
            (local, 4, 4, "local.head"),
            (local, 5, 1, "((unsigned char *) &local)[5]"),
            (local, 4, 2, "*(unsigned short *) (&local + 4)"),
            // A load of the whole word is not printed as the bit-field in it.
            (local, 8, 4, "*(unsigned int *) (&local + 8)"),
            (local, 10, 4, "*(unsigned int *) (&local + 10)"),
            (pointer, 0, 8, "*(unsigned long long *) p"),
            (pointer, u64::MAX - 3, 2, "*(unsigned short *) (p - 4)"),
        ];
        for (base, offset, size, text) in expected {
            let load = bytes(&mut pool, memory, base, offset, size);
            assert_eq!(infix(&pool, &readings, load), text);
        }
        // A member has the signedness of its type.
        let slot = bytes(&mut pool, memory, fixed, 0, 1);
        let three = pool.bv(8, 3);
        let (signed, unsigned) = (pool.bv_slt(slot, three), pool.bv_ult(slot, three));
        assert_eq!(infix(&pool, &readings, signed), "ring.slots[0] < 3");
        assert_eq!(infix(&pool, &readings, unsigned), "(unsigned char) ring.slots[0] < 3");
    }

    #[test]
    fn bytes_that_are_not_in_order_are_no_load() {
        let mut pool = TermPool::new();
        let program = ring(&mut pool);
        let sort = pool.array_sort(Sort::BitVec(64), Sort::BitVec(8));
        let memory = pool.symbol("memory", sort);
        let pointer = pool.symbol("p", Sort::BitVec(64));
        let mut known = Memory::new(&program, &program);
        known.add(&pool, memory, Origin::Region(Region(0)), "memory");
        let (first, second) =
            (bytes(&mut pool, memory, pointer, 0, 1), bytes(&mut pool, memory, pointer, 1, 1));
        for (high, low) in [(first, second), (first, first)] {
            let swapped = pool.concat(high, low);
            assert!(known.load(&pool, swapped).is_none());
        }
    }
}
