//! Region splitting: divides the memory of the lowered program into regions that do not alias.
//!
//! Each class of the [points-to analysis](super::points_to) is divided into *fields*: sets of
//! accesses whose bytes may overlap. Each field has a kind:
//!
//! | kind | condition |
//! |---|---|
//! | `Scalar` | one object, one offset in it, every access exactly there, and at most one activation of its function at a time |
//! | `Cells`  | all accesses have one size and lie at multiples of it from the start of their object |
//! | `Bytes`  | otherwise |
//!
//! The [`MemoryModel`] chooses which fields share a region:
//!
//! | model | `Scalar` | `Cells` | `Bytes` |
//! |---|---|---|---|
//! | `Regions` | a region of its own | a region of its own | a region of its own |
//! | `Typed` | variables only | one region for each type of cell | one region |
//! | `Bytes` | variables only | the region of bytes | one region |
//!
//! `Regions` is the model of Burstall and Bornat (Burstall, *Some techniques for proving
//! correctness of programs which alter data structures*, Machine Intelligence 7, 1972; Bornat,
//! *Proving pointer programs in Hoare logic*, MPC 2000; Wendler, *Towards Practical Predicate
//! Analysis*, PhD thesis, University of Passau, 2017, §4.4.3), but with fields determined by offset
//! instead of by name. `Typed` has one array for each type, as CPAchecker has, and `Bytes` is the
//! flat model; they exist for comparisons. In these two, a scalar is a *variable*: an object that
//! every access names directly, as a whole. Without this, the models would differ mainly in which
//! global variables become values.
//!
//! DIVERGENCE: none of the models assumes strict aliasing. The accesses decide, not the declared
//! types: a field that casts or unions access with different sizes is `Bytes` in all models, so
//! they are sound and yield no nondeterministic values. The type of a cell is that of most
//! accesses, so accesses of one size agree, whatever their signedness.
//!
//! *Cells of different objects in one region* never overlap: objects are disjoint, accesses stay
//! within their object (see the analysis), and two accesses to one object are at multiples of their
//! common size from its start.
//!
//! *Events.* An `Allocate` names the regions of all fields of its class, each with the offsets in
//! the block that the accesses of the field cover. `Forget` names one region, so classes with a
//! forgotten object are not divided into fields, and a forgotten object becomes a scalar only if
//! the scalar covers the whole object. The sequence of nondeterministic events of each execution is
//! that of the lowered program.
//!
//! *When it gives up.* If an address of unknown origin (see the analysis) is accessed, or the
//! program already has several regions of memory, nothing changes. The analysis documents its
//! assumptions about undefined behavior.
//!
//! Cost: that of the analysis plus one pass over the program.

use super::back::{BackTranslator, Step};
use super::points_to::{AddressClass, Base, Contexts, Field, PointsTo, fields, reduce};
use program::ssa::{
    Block, Callee, Function, InstructionKind, Object, Offsets, Part, Program, Region, RegionData, RegionKind,
    Type, Value,
};
use program::text::type_name;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Op, TermPool};

terms::choice! {
    /// The division of memory into regions.
    #[derive(Default)]
    MemoryModel {
        Bytes = "bytes", "one array of bytes for all objects but variables that are accessed only by name";
        Typed = "typed", "one array for each type of cell, after Burstall and Bornat; bytes where the sizes of accesses differ";
        #[default]
        Regions = "regions", "one array for each set of objects and fields that may alias";
    }
}

/// The result of [`regions`].
#[derive(Clone, Debug)]
pub struct Regions {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// Whether memory was split, and the reason if not.
    pub outcome: SplitOutcome,
}

/// The result of region splitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitOutcome {
    /// The number of new memory regions, without the existing scalars.
    Split(usize),
    /// The program has no memory accesses, or several regions already.
    NothingToDo,
    /// The program accesses an address that may point anywhere.
    UnknownAddress,
}

/// Splits the memory of `program`.
pub fn regions(pool: &TermPool, program: &mut Program, model: MemoryModel) -> Regions {
    let memories: Vec<(Region, RegionKind)> = program
        .regions
        .iter()
        .map(|(region, data)| (region, data.kind))
        .filter(|&(region, kind)| !matches!(kind, RegionKind::Scalar(_)) && !program.shadow.contains(region))
        .collect();
    let unchanged = |outcome| Regions { back: BackTranslator::identity(), outcome };
    let [(memory, RegionKind::Bytes)] = memories[..] else {
        return unchanged(SplitOutcome::NothingToDo);
    };
    let mut points_to = PointsTo::new(pool, program, Contexts::merged(program));
    let classes = points_to.address_classes();
    if classes.iter().any(|class| class.is_unknown && !class.accesses.is_empty()) {
        return unchanged(SplitOutcome::UnknownAddress);
    }
    let mut splitter = Splitter::new((pool, program), memory, model);
    for class in &classes {
        splitter.class(class);
    }
    let plan = splitter.finish();
    let count = plan.count;
    let back = apply(program, memory, plan);
    Regions { back, outcome: SplitOutcome::Split(count) }
}

/// The new region of each access, object and allocation.
struct Plan {
    regions: PrimaryMap<Region, RegionData>,
    /// By old region; `None` for the memory.
    kept: Vec<Option<Region>>,
    accesses: FxHashMap<(Function, Block, usize), Region>,
    objects: FxHashMap<Object, Vec<Region>>,
    allocations: FxHashMap<(Function, Value), Vec<Part>>,
    /// The region of objects without accesses, if there are any.
    unaccessed: Option<Region>,
    count: usize,
}

struct Splitter<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    memory: Region,
    model: MemoryModel,
    plan: Plan,
    names: FxHashSet<String>,
    forgotten: FxHashSet<Object>,
    recursive: FxHashSet<Function>,
    /// The results of `AddressOf`.
    named: FxHashSet<(Function, Value)>,
    /// The regions that several classes share.
    shared: Vec<(RegionKind, Region)>,
}

impl<'a> Splitter<'a> {
    fn new((pool, program): (&'a TermPool, &'a Program), memory: Region, model: MemoryModel) -> Self {
        let mut regions = PrimaryMap::new();
        let mut kept = Vec::new();
        let mut names = FxHashSet::default();
        for (region, data) in program.regions.iter() {
            if region == memory {
                kept.push(None);
            } else {
                names.insert(data.name.clone());
                kept.push(Some(regions.push(data.clone())));
            }
        }
        let forgotten = instructions(program)
            .filter_map(|(_, _, kind)| match kind {
                InstructionKind::Forget { object, .. } => Some(*object),
                _ => None,
            })
            .collect();
        let plan = Plan {
            regions,
            kept,
            accesses: FxHashMap::default(),
            objects: FxHashMap::default(),
            allocations: FxHashMap::default(),
            unaccessed: None,
            count: 0,
        };
        let named = instructions(program)
            .filter_map(|(function, result, kind)| match kind {
                InstructionKind::AddressOf(_) => Some((function, result?)),
                _ => None,
            })
            .collect();
        Splitter {
            pool,
            program,
            memory,
            model,
            plan,
            names,
            forgotten,
            recursive: recursive_functions(program),
            named,
            shared: Vec::new(),
        }
    }

    fn class(&mut self, class: &AddressClass) {
        let is_forgotten =
            |base: &Base| matches!(base, Base::Object(object) if self.forgotten.contains(object));
        let is_whole = class.bases.iter().any(|(base, _)| is_forgotten(base));
        let mut fields = fields(class);
        if is_whole && fields.len() > 1 {
            let accesses = fields.iter().flat_map(|field| field.accesses.iter().copied()).collect();
            fields = vec![Field { accesses, offset: fields[0].offset, is_uniform: false }];
        }
        let count = fields.len();
        for field in &mut fields {
            field.accesses.sort_unstable();
            let region = self.region(class, field, count);
            for &index in &field.accesses {
                self.plan.accesses.insert(class.accesses[index].0.place, region);
            }
            for (base, first) in &class.bases {
                match base {
                    Base::Object(object) if self.holds(class, field, *object, *first) => {
                        let regions = self.plan.objects.entry(*object).or_default();
                        if !regions.contains(&region) {
                            regions.push(region);
                        }
                    }
                    Base::Heap(function, value) => {
                        let parts = self.plan.allocations.entry((*function, *value)).or_default();
                        match count {
                            1 => parts.push(Part::whole(region)),
                            _ => add_part(parts, region, offsets(class, field, *first)),
                        }
                    }
                    Base::Object(_) | Base::Function(_) => {}
                }
            }
        }
    }

    /// The region of a field of a class with `fields` fields.
    fn region(&mut self, class: &AddressClass, field: &Field, fields: usize) -> Region {
        let kind = self.kind(class, field, fields);
        match (self.model, kind) {
            (_, RegionKind::Scalar(_)) | (MemoryModel::Regions, _) => {
                let name = self.name(class, field, fields);
                self.push(&name, kind)
            }
            (MemoryModel::Typed, RegionKind::Cells(_)) => self.shared(kind),
            (MemoryModel::Typed, RegionKind::Bytes) | (MemoryModel::Bytes, _) => {
                self.shared(RegionKind::Bytes)
            }
        }
    }

    /// The region of this kind that classes share.
    fn shared(&mut self, kind: RegionKind) -> Region {
        if let Some(&(_, region)) = self.shared.iter().find(|shared| shared.0 == kind) {
            return region;
        }
        let name = match (self.model, kind.cell_type()) {
            (MemoryModel::Regions, _) => "unaccessed".to_owned(),
            (_, Some(ty)) => type_name(ty),
            (_, None) => self.program.regions[self.memory].name.clone(),
        };
        let region = self.push(&name, kind);
        self.shared.push((kind, region));
        region
    }

    /// Whether accesses of `field` may be inside of `object`, whose first byte is at offset `first`
    /// of the class.
    fn holds(&self, class: &AddressClass, field: &Field, object: Object, first: i128) -> bool {
        let size = i128::from(self.program.objects[object].size);
        class.modulus != 0
            || field.accesses.iter().any(|&index| {
                let (access, offset) = class.accesses[index];
                offset < first + size && first < offset + i128::from(access.bytes)
            })
    }

    fn kind(&self, class: &AddressClass, field: &Field, fields: usize) -> RegionKind {
        let (access, offset) = class.accesses[field.accesses[0]];
        let ty = cell_type(class, field);
        if field.is_uniform && self.is_scalar(class, offset, access.bytes, fields) {
            return RegionKind::Scalar(ty);
        }
        let bytes = i128::from(access.bytes);
        let has_one_size = field.accesses.iter().all(|&index| class.accesses[index].0.bytes == access.bytes);
        let repeats = u64::try_from(bytes).is_ok_and(|bytes| class.modulus.is_multiple_of(bytes));
        // Cells lie at multiples of their size from the start of each object.
        let first = class
            .bases
            .iter()
            .find(|base| !matches!(base.0, Base::Function(_)))
            .map_or(offset, |base| base.1);
        let is_aligned = |offset: i128| (offset - first) % bytes == 0;
        let are_aligned = field.accesses.iter().all(|&index| is_aligned(class.accesses[index].1))
            && class
                .bases
                .iter()
                .all(|(base, offset)| matches!(base, Base::Function(_)) || is_aligned(*offset));
        if has_one_size && repeats && are_aligned { RegionKind::Cells(ty) } else { RegionKind::Bytes }
    }

    fn is_scalar(&self, class: &AddressClass, offset: i128, bytes: u64, fields: usize) -> bool {
        let [(Base::Object(object), first)] = class.bases[..] else { return false };
        let data = &self.program.objects[object];
        let is_inside = first <= offset && offset + i128::from(bytes) <= first + i128::from(data.size);
        let is_whole = fields == 1 && first == offset && bytes == data.size;
        let is_permitted = self.model == MemoryModel::Regions || (is_whole && self.is_named(class));
        class.modulus == 0
            && is_inside
            && is_permitted
            && (is_whole || !self.forgotten.contains(&object))
            && data.owner.is_none_or(|owner| !self.recursive.contains(&owner))
            && data.regions.contains(&self.memory)
    }

    /// Whether each access of the class names its object directly.
    fn is_named(&self, class: &AddressClass) -> bool {
        class.accesses.iter().all(|(access, _)| {
            let (function, block, index) = access.place;
            match &self.program.functions[function].blocks[block].instructions[index].kind {
                InstructionKind::Load { address: Some(address), .. }
                | InstructionKind::Store { address: Some(address), .. } => match self.pool.op(*address) {
                    Op::Value(value) => self.named.contains(&(function, Value(value))),
                    _ => false,
                },
                _ => false,
            }
        })
    }

    fn name(&self, class: &AddressClass, field: &Field, fields: usize) -> String {
        let mut name = match class.bases.first() {
            Some((Base::Object(object), _)) => self.program.objects[*object].name.clone(),
            Some((Base::Heap(..), _)) => "heap".to_owned(),
            Some((Base::Function(_), _)) | None => "nowhere".to_owned(),
        };
        if fields > 1 {
            let first = if class.modulus == 0 { class.bases.first().map_or(0, |base| base.1) } else { 0 };
            name = format!("{name}.{}", field.offset - first);
        }
        name
    }

    fn push(&mut self, name: &str, kind: RegionKind) -> Region {
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        self.plan.count += 1;
        self.plan.regions.push(RegionData { name: unique, kind })
    }

    /// Assigns a region to the objects and allocations that are never accessed.
    fn finish(mut self) -> Plan {
        for (object, data) in self.program.objects.iter() {
            if data.regions.contains(&self.memory) && !self.plan.objects.contains_key(&object) {
                let region = self.shared(RegionKind::Bytes);
                self.plan.objects.insert(object, vec![region]);
            }
        }
        let allocations: Vec<(Function, Value)> = instructions(self.program)
            .filter_map(|(function, result, kind)| match kind {
                InstructionKind::Allocate { .. } => result.map(|value| (function, value)),
                _ => None,
            })
            .collect();
        for allocation in allocations {
            if self.plan.allocations.get(&allocation).is_none_or(Vec::is_empty) {
                let region = self.shared(RegionKind::Bytes);
                self.plan.allocations.insert(allocation, vec![Part::whole(region)]);
            }
        }
        self.plan.unaccessed =
            self.shared.iter().find(|shared| shared.0 == RegionKind::Bytes).map(|shared| shared.1);
        self.plan
    }
}

/// The offsets of the accesses of a field in an object whose first byte is at offset `first` of the
/// class.
fn offsets(class: &AddressClass, field: &Field, first: i128) -> Offsets {
    let mut stretches: Vec<(u64, u64)> = Vec::new();
    for &index in &field.accesses {
        let (access, offset) = class.accesses[index];
        let start = reduce(offset - first, class.modulus);
        // Without a period, bytes before the object do not count.
        let end = start + i128::from(access.bytes);
        if let (Ok(start), Ok(end)) = (u64::try_from(start.max(0)), u64::try_from(end))
            && end > start
            && !stretches.contains(&(start, end - start))
        {
            stretches.push((start, end - start));
        }
    }
    stretches.sort_unstable();
    Offsets { stretches, period: class.modulus }
}

/// Adds a part; the fields of a class that share a region are one part.
fn add_part(parts: &mut Vec<Part>, region: Region, offsets: Offsets) {
    if offsets.stretches.is_empty() {
        return;
    }
    match parts.iter_mut().find(|part| part.region == region) {
        Some(part) => part.offsets.stretches.extend(offsets.stretches),
        None => parts.push(Part { region, offsets }),
    }
}

/// The type of most accesses; among equally frequent types, that of the first access.
fn cell_type(class: &AddressClass, field: &Field) -> Type {
    let mut counts: Vec<(Type, usize)> = Vec::new();
    for &index in &field.accesses {
        let ty = class.accesses[index].0.ty;
        match counts.iter_mut().find(|entry| entry.0 == ty) {
            Some(entry) => entry.1 += 1,
            None => counts.push((ty, 1)),
        }
    }
    let most = counts.iter().map(|entry| entry.1).max().unwrap_or(0);
    counts.iter().find(|entry| entry.1 == most).expect("a field has accesses").0
}

fn apply(program: &mut Program, memory: Region, plan: Plan) -> BackTranslator {
    let mut origins: Vec<Option<Region>> = vec![Some(memory); plan.regions.len()];
    for (old, new) in program.regions.keys().zip(&plan.kept) {
        if let Some(new) = new {
            origins[new.0 as usize] = Some(old);
        }
    }
    for (object, data) in program.objects.iter_mut() {
        let mut regions = Vec::new();
        for &region in &data.regions {
            match plan.kept[region.0 as usize] {
                Some(region) => regions.push(region),
                None => regions.extend_from_slice(&plan.objects[&object]),
            }
        }
        data.regions = regions;
    }
    for (function, data) in program.functions.iter_mut() {
        for (block, block_data) in data.blocks.iter_mut() {
            for (index, instruction) in block_data.instructions.iter_mut().enumerate() {
                let result = instruction.result;
                match &mut instruction.kind {
                    InstructionKind::Load { region, address }
                    | InstructionKind::Store { region, address, .. } => {
                        match plan.kept[region.0 as usize] {
                            Some(kept) => *region = kept,
                            None => *region = plan.accesses[&(function, block, index)],
                        }
                        if matches!(plan.regions[*region].kind, RegionKind::Scalar(_)) {
                            *address = None;
                        }
                    }
                    InstructionKind::Forget { region, object } => match plan.kept[region.0 as usize] {
                        Some(kept) => *region = kept,
                        None => *region = plan.objects[object][0],
                    },
                    InstructionKind::Allocate { parts, .. } => {
                        let old = std::mem::take(parts);
                        for part in old {
                            match (plan.kept[part.region.0 as usize], result) {
                                (Some(region), _) => parts.push(Part { region, ..part }),
                                (None, Some(result)) => {
                                    parts.extend_from_slice(&plan.allocations[&(function, result)]);
                                }
                                // An allocation whose address is not even bound cannot be accessed.
                                (None, None) => {
                                    parts.push(Part::whole(plan.unaccessed.unwrap_or(Region(0))));
                                }
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    let kept = |region: Region| plan.kept[region.0 as usize].expect("only the memory is split");
    program.shadow = program.shadow.map(kept);
    program.regions = plan.regions;
    BackTranslator::from_step(Step { regions: Some(origins), ..Step::default() })
}

fn instructions(program: &Program) -> impl Iterator<Item = (Function, Option<Value>, &InstructionKind)> {
    program.functions.iter().flat_map(|(function, data)| {
        data.blocks
            .values()
            .flat_map(|block| &block.instructions)
            .map(move |instruction| (function, instruction.result, &instruction.kind))
    })
}

/// The directly or indirectly recursive functions with automatic objects.
pub(crate) fn recursive_functions(program: &Program) -> FxHashSet<Function> {
    recursive_among(program, program.objects.values().filter_map(|object| object.owner))
}

/// The directly or indirectly recursive functions among `functions`. A call through a pointer may
/// call every function whose address is taken.
pub(crate) fn recursive_among(
    program: &Program,
    functions: impl IntoIterator<Item = Function>,
) -> FxHashSet<Function> {
    let mut callees: FxHashMap<Function, Vec<Function>> = FxHashMap::default();
    let mut address_taken = Vec::new();
    let mut indirect = Vec::new();
    for (function, _, kind) in instructions(program) {
        match kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                callees.entry(function).or_default().push(*callee);
            }
            InstructionKind::Call { callee: Callee::Indirect { .. }, .. } => indirect.push(function),
            InstructionKind::FunctionAddress(target) => address_taken.push(*target),
            _ => {}
        }
    }
    for function in indirect {
        callees.entry(function).or_default().extend_from_slice(&address_taken);
    }
    for targets in callees.values_mut() {
        targets.sort_unstable();
        targets.dedup();
    }
    let functions: FxHashSet<Function> = functions.into_iter().collect();
    functions
        .into_iter()
        .filter(|&candidate| {
            let mut seen = FxHashSet::default();
            let mut work = vec![candidate];
            while let Some(function) = work.pop() {
                for &callee in callees.get(&function).into_iter().flatten() {
                    if callee == candidate {
                        return true;
                    }
                    if seen.insert(callee) {
                        work.push(callee);
                    }
                }
            }
            false
        })
        .collect()
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
