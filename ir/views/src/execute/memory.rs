//! Regions as terms.
//!
//! A scalar region is a term of its type, all others are arrays from addresses to cells or bytes.
//! An access of `n` bytes is `n` selects or stores, little-endian; the term constructors fold
//! constants.
//!
//! *Initial contents.* Static objects are zero at program start, and new automatic objects and heap
//! blocks hold unknown bytes. An array has a single default, so each region gets the cheaper one.
//! If new objects with unknown contents live in the region and static objects take at most
//! [`STATIC_CELLS`] cells, it starts as an unknown array with these cells set to zero, and
//! forgetting a new object is free. Otherwise it starts as the constant array of zeros, and
//! forgetting an object is one store of a fresh symbol for each cell. For an object with too many
//! cells for that, static objects may take [`MOST_STATIC_CELLS`].
//!
//! An object that the program forgets is not static in this sense, also if it has a fixed address:
//! an automatic object of an inlined function. An object that no instruction mentions, such as the
//! original of such a copy, has no accesses.
//!
//! DIVERGENCE: memory outside of all objects may be unknown here where the interpreter has zeros.
//! Reading it is undefined in C, and the replay does not confirm a counterexample that does.

use program::layout::Layout;
use program::ssa::{Contents, InstructionKind, Object, Program, Region, RegionKind, Signedness, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Representation, Sort, Term, TermPool};

/// The greatest number of static cells that are set to zero one by one in an otherwise unknown
/// region.
const STATIC_CELLS: u64 = 512;
/// The same for a region with a new object of more cells than can be forgotten one by one.
const MOST_STATIC_CELLS: u64 = 4096;

pub(super) const BYTE: Type = Type::Int { width: 8, signedness: Signedness::Unsigned };

/// Properties of a region.
#[derive(Debug)]
pub(crate) struct RegionInfo {
    pub(crate) kind: RegionKind,
    pub(crate) sort: Sort,
    /// The contents at program start.
    pub(crate) initial: Term,
    /// Whether addresses that no object has occupied yet hold unknown contents.
    pub(crate) is_unknown_at_first: bool,
    /// The only object in the region that instructions mention, if there are no heap blocks in it.
    pub(crate) only_object: Option<Object>,
    /// The type of a cell.
    pub(crate) cell: Type,
    /// The size of a cell in bytes.
    pub(crate) cell_bytes: u64,
}

/// The regions of a program.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) regions: Vec<RegionInfo>,
    /// The number of instructions that forget the object's part in the region.
    pub(crate) forget_sites: FxHashMap<(Object, Region), u32>,
    pub(crate) pointer_width: u32,
}

#[derive(Default, Clone)]
struct Demand {
    has_unknown: bool,
    has_zero_blocks: bool,
    has_blocks: bool,
    /// The cells of static objects.
    static_cells: u64,
    /// The cells of the largest object that is forgotten.
    forgotten_cells: u64,
    /// The objects that instructions mention.
    objects: Vec<Object>,
    /// Those that are zero at program start.
    zeros: Vec<Object>,
}

/// The objects that instructions mention and those that they forget.
#[derive(Default)]
struct Mentions {
    any: FxHashSet<Object>,
    forgotten: FxHashSet<Object>,
}

impl Mentions {
    fn of(program: &Program) -> Self {
        let mut mentions = Mentions::default();
        let blocks = program.functions.values().flat_map(|function| function.blocks.values());
        for instruction in blocks.flat_map(|block| &block.instructions) {
            match instruction.kind {
                InstructionKind::AddressOf(object) => {
                    mentions.any.insert(object);
                }
                InstructionKind::Forget { object, .. } => {
                    mentions.any.insert(object);
                    mentions.forgotten.insert(object);
                }
                _ => {}
            }
        }
        mentions
    }
}

impl Memory {
    /// The regions of `program`. Objects of at most `forget_cells` cells can be forgotten one cell
    /// at a time.
    pub(crate) fn new(pool: &mut TermPool, program: &Program, layout: &Layout, forget_cells: u64) -> Self {
        let pointer_width = program.machine.pointer_width;
        let mut demands = vec![Demand::default(); program.regions.len()];
        let cell = |region: Region| program.regions[region].kind.cell_type().unwrap_or(BYTE);
        let cell_bytes = |region: Region| cell(region).bytes().max(1);
        let mentions = Mentions::of(program);
        for (object, data) in program.objects.iter() {
            for &region in &data.regions {
                let demand = &mut demands[region.0 as usize];
                let cells = data.size.div_ceil(cell_bytes(region));
                if mentions.any.contains(&object) {
                    demand.objects.push(object);
                }
                if mentions.forgotten.contains(&object) {
                    demand.forgotten_cells = demand.forgotten_cells.max(cells);
                } else if data.owner.is_none() {
                    demand.static_cells = demand.static_cells.saturating_add(cells);
                    demand.zeros.push(object);
                }
            }
        }
        let mut forget_sites = FxHashMap::default();
        let blocks = program.functions.values().flat_map(|function| function.blocks.values());
        for instruction in blocks.flat_map(|block| &block.instructions) {
            match &instruction.kind {
                InstructionKind::Forget { region, object } => {
                    demands[region.0 as usize].has_unknown = true;
                    *forget_sites.entry((*object, *region)).or_insert(0) += 1;
                }
                InstructionKind::Allocate { parts, contents, .. } => {
                    for part in parts {
                        let demand = &mut demands[part.region.0 as usize];
                        demand.has_blocks = true;
                        match contents {
                            Contents::Zero => demand.has_zero_blocks = true,
                            Contents::Unknown => demand.has_unknown = true,
                        }
                    }
                }
                _ => {}
            }
        }
        let mut memory = Memory { regions: Vec::new(), forget_sites, pointer_width };
        for (region, data) in program.regions.iter() {
            let demand = &demands[region.0 as usize];
            let (cell, cell_bytes) = (cell(region), cell_bytes(region));
            let is_scalar = matches!(data.kind, RegionKind::Scalar(_));
            let sort = if is_scalar {
                cell.sort()
            } else {
                pool.array_sort(Sort::BitVec(pointer_width), cell.sort())
            };
            let most = if demand.forgotten_cells > forget_cells { MOST_STATIC_CELLS } else { STATIC_CELLS };
            let is_unknown_at_first =
                !is_scalar && demand.has_unknown && !demand.has_zero_blocks && demand.static_cells <= most;
            let zero = |pool: &mut TermPool| match cell {
                Type::Bool => pool.fls(),
                ty => pool.bv(ty.width(), 0),
            };
            let mut initial = if is_unknown_at_first {
                pool.fresh_symbol(&data.name, sort, Representation::Unsigned)
            } else {
                let zero = zero(pool);
                if is_scalar { zero } else { pool.const_array(sort, zero) }
            };
            if is_unknown_at_first {
                let zero = zero(pool);
                for &object in &demand.zeros {
                    let Some(start) = layout.object(object) else { continue };
                    for cell in 0..program.objects[object].size.div_ceil(cell_bytes) {
                        let index = pool.bv(pointer_width, start + cell * cell_bytes);
                        initial = pool.store(initial, index, zero);
                    }
                }
            }
            memory.regions.push(RegionInfo {
                kind: data.kind,
                sort,
                initial,
                is_unknown_at_first,
                only_object: match demand.objects[..] {
                    [object] if !demand.has_blocks => Some(object),
                    _ => None,
                },
                cell,
                cell_bytes,
            });
        }
        memory
    }

    /// The contents of all regions at program start.
    pub(crate) fn initial(&self) -> Vec<Term> {
        self.regions.iter().map(|region| region.initial).collect()
    }

    /// The value at `address` in the `contents` of a region, read as `ty`.
    pub(crate) fn load(
        &self,
        pool: &mut TermPool,
        region: Region,
        contents: Term,
        address: Option<Term>,
        ty: Type,
    ) -> Term {
        let kind = self.regions[region.0 as usize].kind;
        match (kind, address) {
            (RegionKind::Scalar(_), _) | (_, None) => contents,
            (RegionKind::Cells(_), Some(address)) => pool.select(contents, address),
            (RegionKind::Bytes, Some(address)) => {
                let mut result = pool.select(contents, address);
                for byte in 1..ty.bytes() {
                    let index = self.offset(pool, address, byte);
                    let high = pool.select(contents, index);
                    result = pool.concat(high, result);
                }
                result
            }
        }
    }

    /// The contents of a region after a store of `value`, of type `ty`.
    pub(crate) fn store(
        &self,
        pool: &mut TermPool,
        region: Region,
        contents: Term,
        address: Option<Term>,
        value: Term,
        ty: Type,
    ) -> Term {
        let kind = self.regions[region.0 as usize].kind;
        match (kind, address) {
            (RegionKind::Scalar(_), _) | (_, None) => value,
            (RegionKind::Cells(_), Some(address)) => pool.store(contents, address, value),
            (RegionKind::Bytes, Some(address)) => {
                let mut result = contents;
                for byte in 0..ty.bytes() {
                    let index = self.offset(pool, address, byte);
                    let low = 8 * byte as u32;
                    let part = pool.extract(low + 7, low, value);
                    result = pool.store(result, index, part);
                }
                result
            }
        }
    }

    /// `address` plus a number of bytes.
    pub(crate) fn offset(&self, pool: &mut TermPool, address: Term, bytes: u64) -> Term {
        if bytes == 0 {
            return address;
        }
        let bytes = pool.bv(self.pointer_width, bytes);
        pool.bv_add(address, bytes)
    }
}
