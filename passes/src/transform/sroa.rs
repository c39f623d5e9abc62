//! Scalar replacement of aggregates: objects that are accessed field by field become one scalar for
//! each field.
//!
//! Region splitting leaves a forgotten object (an automatic variable, possibly of an inlined
//! function) in one region, because one `forget` reads one input. This pass splits such an object
//! (Muchnick, *Advanced Compiler Design and Implementation*, 1997, §12.2) if, according to the
//! [points-to analysis](super::points_to), it is alone in its class and in its region, all accesses
//! are at constant offsets in it, and any two accesses are to the same bytes or to disjoint ones.
//! Then each accessed field becomes a *part*: an object with its own scalar region. A `forget` of
//! the object becomes one `forget` of each part, and the restored input of the object is composed
//! of theirs. Bytes that are never accessed, such as padding, are in no part. Elements of arrays
//! count as fields if all indices are constant.
//!
//! DIVERGENCE from compilers: the address of the object may escape, to callees for example, as long
//! as the analysis knows all accesses. As in compilers, accesses are assumed to stay within their
//! object; all rewritten ones do.
//!
//! Limits: one object for each class, and none of a recursive function (its activations would share
//! the scalars). An object is split completely or not at all, so one index that is not constant
//! keeps the whole object.
//!
//! Cost: that of the points-to analysis plus one pass over the program.

use super::back::{BackTranslator, Part, Step};
use super::points_to::{AddressClass, Base, Contexts, PointsTo};
use super::regions::recursive_functions;
use program::ssa::{
    Block, Function, Instruction, InstructionKind, Object, ObjectData, Program, Region, RegionData,
    RegionKind, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::TermPool;
use terms::entity::Entity;

/// The largest number of parts of an object.
const MOST_PARTS: usize = 256;

/// Splits objects of `program` into scalars.
pub fn scalar_replacement(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    let mut points_to = PointsTo::new(pool, program, Contexts::merged(program));
    let classes = points_to.address_classes();
    let candidates = Candidates::of(program);
    let aggregates: Vec<Aggregate> =
        classes.iter().filter_map(|class| candidates.aggregate(program, class)).collect();
    if aggregates.is_empty() {
        return BackTranslator::identity();
    }
    apply(program, &aggregates)
}

/// An object that is split.
struct Aggregate {
    object: Object,
    region: Region,
    /// Offset and type of each part, in order.
    parts: Vec<(u64, Type)>,
    /// The part of each access.
    accesses: Vec<((Function, Block, usize), usize)>,
}

/// Facts about regions and functions.
struct Candidates {
    /// For each region, the only object in it, if it holds no heap blocks.
    only_object: Vec<Option<Object>>,
    /// For each region, the number of loads and stores.
    accesses: Vec<usize>,
    recursive: FxHashSet<Function>,
}

impl Candidates {
    fn of(program: &Program) -> Self {
        let mut objects: Vec<Vec<Object>> = vec![Vec::new(); program.regions.len()];
        for (object, data) in program.objects.iter() {
            for region in &data.regions {
                objects[region.index()].push(object);
            }
        }
        let mut only_object: Vec<Option<Object>> = objects
            .iter()
            .map(|objects| match objects[..] {
                [object] => Some(object),
                _ => None,
            })
            .collect();
        let mut accesses = vec![0; program.regions.len()];
        for function in program.functions.values() {
            for instruction in function.blocks.values().flat_map(|block| &block.instructions) {
                match &instruction.kind {
                    InstructionKind::Load { region, .. } | InstructionKind::Store { region, .. } => {
                        accesses[region.index()] += 1;
                    }
                    kind @ InstructionKind::Allocate { .. } => {
                        kind.regions().for_each(|region| only_object[region.index()] = None);
                    }
                    _ => {}
                }
            }
        }
        Candidates { only_object, accesses, recursive: recursive_functions(program) }
    }

    fn aggregate(&self, program: &Program, class: &AddressClass) -> Option<Aggregate> {
        let [(Base::Object(object), first)] = class.bases[..] else { return None };
        let data = &program.objects[object];
        if class.modulus != 0
            || class.is_unknown
            || data.owner.is_some_and(|owner| self.recursive.contains(&owner))
        {
            return None;
        }
        let region = region_of(program, class.accesses.first()?.0.place)?;
        if matches!(program.regions[region].kind, RegionKind::Scalar(_))
            || self.only_object[region.index()] != Some(object)
            || self.accesses[region.index()] != class.accesses.len()
        {
            return None;
        }
        let mut parts: BTreeMap<u64, Type> = BTreeMap::new();
        for (access, offset) in &class.accesses {
            if region_of(program, access.place) != Some(region) {
                return None;
            }
            let offset = u64::try_from(offset - first).ok()?;
            if offset.checked_add(access.bytes)? > data.size {
                return None;
            }
            let ty = *parts.entry(offset).or_insert(access.ty);
            if ty.sort() != access.ty.sort() || ty.width() == 0 {
                return None;
            }
        }
        let overlap = |(a, b): ((&u64, &Type), (&u64, &Type))| a.0 + a.1.bytes() > *b.0;
        if parts.len() > MOST_PARTS || parts.iter().zip(parts.iter().skip(1)).any(overlap) {
            return None;
        }
        let index_of: FxHashMap<u64, usize> =
            parts.keys().enumerate().map(|(index, &offset)| (offset, index)).collect();
        let accesses = class.accesses.iter().map(|(access, offset)| {
            let offset = u64::try_from(offset - first).expect("accesses are within the object");
            (access.place, index_of[&offset])
        });
        Some(Aggregate { object, region, accesses: accesses.collect(), parts: parts.into_iter().collect() })
    }
}

fn region_of(program: &Program, (function, block, index): (Function, Block, usize)) -> Option<Region> {
    program.functions[function].blocks[block].instructions[index].kind.region()
}

fn apply(program: &mut Program, aggregates: &[Aggregate]) -> BackTranslator {
    let mut step = Step::default();
    let mut regions: Vec<Option<Region>> = program.regions.keys().map(Some).collect();
    let mut objects: Vec<Option<Object>> = program.objects.keys().map(Some).collect();
    let mut names: FxHashSet<String> = program.regions.values().map(|region| region.name.clone()).collect();
    let mut access_regions: FxHashMap<(Function, Block, usize), Region> = FxHashMap::default();
    let mut forgotten: FxHashMap<(Object, Region), Vec<(Region, Object)>> = FxHashMap::default();
    for aggregate in aggregates {
        let whole = program.objects[aggregate.object].clone();
        let mut parts = Vec::with_capacity(aggregate.parts.len());
        for &(offset, ty) in &aggregate.parts {
            let mut name = format!("{}.{offset}", whole.name);
            while !names.insert(name.clone()) {
                name.push('\'');
            }
            let region =
                program.regions.push(RegionData { name: name.clone(), kind: RegionKind::Scalar(ty) });
            regions.push(Some(aggregate.region));
            let part = program.objects.push(ObjectData {
                name,
                size: ty.bytes(),
                align: 1,
                regions: vec![region],
                ..whole.clone()
            });
            objects.push(None);
            step.parts.insert(part, Part { of: aggregate.object, offset });
            parts.push((region, part));
        }
        for &(place, part) in &aggregate.accesses {
            access_regions.insert(place, parts[part].0);
        }
        forgotten.insert((aggregate.object, aggregate.region), parts);
    }
    for (function, data) in program.functions.iter_mut() {
        for (block, block_data) in data.blocks.iter_mut() {
            let instructions = std::mem::take(&mut block_data.instructions);
            for (index, mut instruction) in instructions.into_iter().enumerate() {
                match &mut instruction.kind {
                    InstructionKind::Load { region, address }
                    | InstructionKind::Store { region, address, .. } => {
                        if let Some(&new) = access_regions.get(&(function, block, index)) {
                            (*region, *address) = (new, None);
                        }
                    }
                    InstructionKind::Forget { region, object } => {
                        if let Some(parts) = forgotten.get(&(*object, *region)) {
                            block_data.instructions.extend(parts.iter().map(|&(region, object)| {
                                Instruction {
                                    kind: InstructionKind::Forget { region, object },
                                    ..instruction.clone()
                                }
                            }));
                            continue;
                        }
                    }
                    _ => {}
                }
                block_data.instructions.push(instruction);
            }
        }
    }
    step.regions = Some(regions);
    step.objects = Some(objects);
    BackTranslator::from_step(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_of_an_object_are_put_together() {
        let mut step = Step { objects: Some(vec![Some(Object(0)), None]), ..Step::default() };
        step.parts.insert(Object(1), Part { of: Object(0), offset: 4 });
        let back = BackTranslator::from_step(step);
        assert_eq!(back.contents(Object(1)), Some((Object(0), 4)));
        assert_eq!(back.contents(Object(0)), Some((Object(0), 0)));
        assert_eq!(back.object(Object(1)), None);
    }
}
