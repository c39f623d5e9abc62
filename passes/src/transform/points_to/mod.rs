//! Points-to analysis: the objects that an address may point into, with the offsets.
//!
//! Steensgaard's unification (*Points-to Analysis in Almost Linear Time*, POPL 1996), made
//! field-sensitive with weights and moduli (see `classes`): an assignment does not identify source
//! and target but records their distance, so that fields at different offsets stay separate, also
//! in arrays of structures. The analysis is flow-insensitive and covers the whole program. With
//! [`Contexts::per_call`], each call of a small function is analyzed separately.
//!
//! *Provenance.* As in C's provenance model (PNVI-ae-udi, N2577), an address computed from a
//! pointer by adding integers belongs to the object of that pointer. Reaching another object that
//! way is undefined behavior, which programs are assumed not to have; a counterexample is replayed
//! on the program before this analysis, so only proofs depend on the assumption. In particular:
//! * Integers in a sum with a pointer are offsets; but if objects are exposed, an integer as wide
//!   as an address may be one, and the pointer a number (`(long)&x + (long)p`).
//! * A pointer that becomes an integer other than by a difference of two pointers of one class, or
//!   by a comparison, is *exposed*: all exposed objects are in one class without further
//!   information.
//! * An address computed from integers only (except null) is in the exposed class.
//! * Memory and variables in which pointers and other data overlap hold exposed pointers.
//! * A pointer of unknown origin (nondeterministic input, an external function) may point anywhere:
//!   `PointsTo::is_unknown` then reports this. The same applies to a pointer variable that a path
//!   leaves uninitialized; uninitialized *memory* points nowhere.
//!
//! *Offsets.* `p + c` is exact. `p + c*i` gives the modulus `c` only if the product cannot wrap,
//! because `i` is extended from a narrower type, or if `c` is a power of two, which divides wrapped
//! products as well. Anything else gives modulus 1.
//!
//! Cost: almost linear for each round; rounds (for classes of pointer differences and overlapping
//! contents) end at a fixpoint.

mod classes;
mod contexts;
mod flow;

pub(crate) use classes::{Node, gcd, reduce};
pub use contexts::Contexts;
pub(crate) use flow::linearize;

use super::signature::possible_targets;
use classes::Classes;
use contexts::Context;
use flow::Source;
use program::ssa::{
    Block, Callee, Function, Instruction, InstructionKind, Object, Program, RegionKind, Terminator, Type,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

/// A class with more distinct offsets is coarsened to their common modulus.
const MOST_FIELDS: usize = 64;

/// An entity with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A declared object.
    Object(Object),
    /// A function.
    Function(Function),
    /// The objects of the allocation with this result.
    Heap(Function, Value),
}

/// A load or store through an address.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The location: function, block, index of the instruction.
    pub place: (Function, Block, usize),
    /// The number of bytes.
    pub bytes: u64,
    /// The loaded or stored type.
    pub ty: Type,
    /// Whether the access may move integers into or out of memory that holds pointers (everything
    /// but pointer accesses and stores of constants).
    moves_integer: bool,
    node: Node,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct PointsTo {
    classes: Classes,
    contexts: Contexts,
    /// A node for the result of each context, followed by those of its values.
    first: PrimaryMap<Context, Node>,
    /// In which an allocation occurs once for each context.
    bases: Vec<(Base, Node)>,
    accesses: Vec<Access>,
    exposed: Node,
    unknown: Vec<Node>,
    /// The bases of each class and their offsets from its root, in order of creation; known after
    /// the analysis.
    bases_of_class: FxHashMap<Node, Vec<(Base, i128)>>,
    /// The classes of `unknown`; known after the analysis.
    unknown_classes: FxHashSet<Node>,
    /// Pointers whose difference is taken.
    differences: Vec<(Node, Node)>,
    /// Nodes that may point to exposed objects if there are any: sums of pointers and integers that
    /// may be addresses.
    suspected: Vec<Node>,
    /// The scalar regions that hold pointers, and those into or out of which integers are moved.
    pointer_scalars: FxHashSet<program::ssa::Region>,
    integer_scalars: FxHashSet<program::ssa::Region>,
    /// Address-taken functions.
    address_taken: Vec<Function>,
    objects: FxHashMap<Object, Node>,
}

/// A class of addresses: the unit of region splitting.
#[derive(Clone, Debug)]
pub struct AddressClass {
    /// The bases of its addresses, each with the offset of its first byte in the class, in order of
    /// creation.
    pub bases: Vec<(Base, i128)>,
    /// The modulus, see `classes`: 0 if all offsets are exact.
    pub modulus: u64,
    /// The accesses with their offset (reduced by the modulus), in program order.
    pub accesses: Vec<(Access, i128)>,
    /// Whether the class contains pointers of unknown origin.
    pub is_unknown: bool,
}

/// The possible bases of an address.
#[derive(Clone, Debug, Default)]
pub(crate) struct PossibleBases {
    /// Each base with the distance of the address from its first byte, if the distance is constant.
    /// Sorted.
    pub(crate) bases: Vec<(Base, Option<i128>)>,
    /// Whether the address may have an unknown origin.
    pub(crate) is_unknown: bool,
}

impl PointsTo {
    /// Analyzes `program`. The accesses are those to regions other than scalars, once for each
    /// context of their function.
    pub fn new(pool: &TermPool, program: &Program, contexts: Contexts) -> Self {
        let mut analysis = PointsTo {
            classes: Classes::default(),
            contexts,
            first: PrimaryMap::default(),
            bases: Vec::new(),
            accesses: Vec::new(),
            exposed: Node::new(0),
            unknown: Vec::new(),
            bases_of_class: FxHashMap::default(),
            unknown_classes: FxHashSet::default(),
            differences: Vec::new(),
            suspected: Vec::new(),
            pointer_scalars: FxHashSet::default(),
            integer_scalars: FxHashSet::default(),
            address_taken: Vec::new(),
            objects: FxHashMap::default(),
        };
        for (_, function) in analysis.contexts.iter() {
            analysis.first.push(analysis.classes.fresh());
            for _ in 0..program.functions[function].values.len() {
                analysis.classes.fresh();
            }
        }
        analysis.exposed = analysis.classes.fresh();
        analysis.classes.weaken(analysis.exposed, 1);
        analysis.address_taken = address_taken(program);
        for (object, _) in program.objects.iter() {
            let node = analysis.classes.fresh();
            analysis.bases.push((Base::Object(object), node));
            analysis.objects.insert(object, node);
        }
        let mut functions = FxHashMap::default();
        for &function in &analysis.address_taken {
            let node = analysis.classes.fresh();
            analysis.bases.push((Base::Function(function), node));
            functions.insert(function, node);
        }
        let mut scalars = FxHashMap::default();
        for region in program.regions.keys() {
            scalars.insert(region, analysis.classes.fresh());
        }
        let entities = Entities { pool, program, functions, scalars };
        for (context, function) in analysis.contexts.clone().iter() {
            analysis.visit_function(&entities, context, function);
        }
        // In the order of the regions, since the classes depend on it.
        for region in program.regions.keys() {
            let scalar = entities.scalars[&region];
            if analysis.pointer_scalars.contains(&region) && analysis.integer_scalars.contains(&region) {
                analysis.classes.unify(scalar, analysis.exposed, 0, 1);
            }
        }
        analysis.close();
        for &(base, node) in &analysis.bases {
            let (root, offset) = analysis.classes.find(node);
            analysis.bases_of_class.entry(root).or_default().push((base, offset));
        }
        for &node in &analysis.unknown {
            analysis.unknown_classes.insert(analysis.classes.find(node).0);
        }
        analysis
    }

    /// The node of a value.
    fn value(&self, context: Context, value: Value) -> Node {
        Node::new(self.first[context].index() + 1 + value.index())
    }

    /// The functions that a call of `address` in `caller` may reach, by index.
    pub fn function_targets(
        &mut self,
        pool: &TermPool,
        program: &Program,
        caller: Function,
        address: Term,
    ) -> Vec<Function> {
        let mut targets = Vec::new();
        for (root, _) in self.classes_of(pool, program, caller, address) {
            if self.unknown_classes.contains(&root) {
                return self.address_taken.clone();
            }
            let bases = self.bases_of_class.get(&root).into_iter().flatten();
            targets.extend(bases.filter_map(|(base, _)| match base {
                Base::Function(function) => Some(*function),
                _ => None,
            }));
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The functions whose address is taken, by index.
    pub(crate) fn address_taken(&self) -> &[Function] {
        &self.address_taken
    }

    /// The bases that `term` may point into. An integer without pointers in it may point to any
    /// exposed object.
    pub(crate) fn bases_of(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> PossibleBases {
        let mut result = PossibleBases::default();
        for (root, offset) in self.classes_of(pool, program, function, term) {
            result.is_unknown |= self.unknown_classes.contains(&root);
            let bases = self.bases_of_class.get(&root).into_iter().flatten();
            result.bases.extend(bases.map(|&(base, first)| (base, offset.map(|offset| offset - first))));
        }
        result.bases.sort_unstable();
        result.bases.dedup();
        result
    }

    /// The classes of the possible addresses of `term`, by their roots, each with the distance of
    /// the address from the root if it is constant.
    fn classes_of(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> Vec<(Node, Option<i128>)> {
        let contexts = self.contexts.of(function);
        let sources = contexts.iter().flat_map(|&context| self.sources(pool, program, context, term));
        let sources: Vec<Source> = sources.collect();
        let exposed = self.classes.find(self.exposed).0;
        let has_exposed = self.bases_of_class.contains_key(&exposed);
        let mut result = Vec::new();
        for source in sources {
            if source.is_suspected && !has_exposed {
                continue;
            }
            let (root, offset) = self.classes.find(source.node);
            let is_exact = source.stride == 0 && self.classes.modulus(root) == 0;
            result.push((root, is_exact.then_some(offset + source.offset)));
        }
        result.sort_unstable();
        result.dedup();
        result
    }

    /// All classes with bases or accesses, in the order of their first base, or else of their first
    /// access.
    pub fn address_classes(&mut self) -> Vec<AddressClass> {
        let mut index_of: FxHashMap<Node, usize> = FxHashMap::default();
        let mut result: Vec<AddressClass> = Vec::new();
        let unknown: FxHashSet<Node> = self.unknown.iter().map(|&node| self.classes.find(node).0).collect();
        let mut class_of = |classes: &mut Classes, node: Node, result: &mut Vec<AddressClass>| {
            let (root, offset) = classes.find(node);
            let modulus = classes.modulus(root);
            let index = *index_of.entry(root).or_insert_with(|| {
                let is_unknown = unknown.contains(&root);
                result.push(AddressClass { bases: Vec::new(), modulus, accesses: Vec::new(), is_unknown });
                result.len() - 1
            });
            (index, reduce(offset, modulus))
        };
        for &(base, node) in &self.bases {
            let (index, offset) = class_of(&mut self.classes, node, &mut result);
            result[index].bases.push((base, offset));
        }
        for &access in &self.accesses {
            let (index, offset) = class_of(&mut self.classes, access.node, &mut result);
            result[index].accesses.push((access, offset));
        }
        result
    }

    fn visit_function(&mut self, entities: &Entities<'_>, context: Context, function: Function) {
        let data = &entities.program.functions[function];
        for (block, block_data) in data.blocks.iter() {
            for (index, instruction) in block_data.instructions.iter().enumerate() {
                self.visit_instruction(entities, context, (function, block, index), instruction);
            }
            if let Terminator::Return(Some(term)) = &block_data.terminator {
                let ty = data.result.unwrap_or(Type::Bool);
                self.assign(entities, context, self.first[context], ty, *term);
            }
            for edge in block_data.terminator.edges() {
                let parameters = &data.blocks[edge.target].parameters;
                for (&parameter, &argument) in parameters.iter().zip(&edge.arguments) {
                    let node = self.value(context, parameter);
                    self.assign(entities, context, node, data.values[parameter].ty, argument);
                }
            }
        }
    }

    fn visit_instruction(
        &mut self,
        entities: &Entities<'_>,
        context: Context,
        place: (Function, Block, usize),
        instruction: &Instruction,
    ) {
        let (pool, program, function) = (entities.pool, entities.program, place.0);
        let data = &program.functions[function];
        let result = instruction.result.map(|value| (self.value(context, value), data.values[value].ty));
        match (&instruction.kind, result) {
            (InstructionKind::Pure(term), Some((node, ty))) => {
                self.assign(entities, context, node, ty, *term);
            }
            (InstructionKind::Havoc(source), Some((node, ty))) if is_pointer(ty) => {
                self.unknown.push(node);
            }
            (InstructionKind::AddressOf(object), Some((node, _))) => {
                let base = self.objects[object];
                self.classes.unify(node, base, 0, 0);
            }
            (InstructionKind::FunctionAddress(target), Some((node, _))) => {
                self.classes.unify(node, entities.functions[target], 0, 0);
            }
            // The shadow holds no addresses, and its indices are not addresses.
            (InstructionKind::Load { region, .. }, _) | (InstructionKind::Store { region, .. }, _)
                if program.shadow.contains(*region) => {}
            (InstructionKind::Load { region, address }, Some((node, ty))) => {
                let memory =
                    self.accessed(entities, context, place, (*region, *address), ty, Moved::Anything);
                if is_pointer(ty) {
                    self.classes.unify(node, memory, 0, 0);
                }
            }
            (InstructionKind::Store { region, address, value, ty, .. }, _) => {
                let moved = if pool.is_constant(*value) { Moved::Constant } else { Moved::Anything };
                let memory = self.accessed(entities, context, place, (*region, *address), *ty, moved);
                self.assign(entities, context, memory, *ty, *value);
            }
            (InstructionKind::Allocate { size, .. }, Some((node, _))) => {
                self.expose(pool, program, context, *size);
                let base = self.classes.fresh();
                let value = instruction.result.expect("matched above");
                self.bases.push((Base::Heap(function, value), base));
                self.classes.unify(node, base, 0, 0);
            }
            (InstructionKind::Call { callee, arguments }, result) => {
                let targets = match callee {
                    Callee::Direct(target) => vec![*target],
                    Callee::Indirect { .. } => {
                        let used = result.map(|(_, ty)| ty);
                        possible_targets(pool, program, &self.address_taken, (callee, arguments), used)
                    }
                };
                for target in targets {
                    let called = self.contexts.called(context, (place.1, place.2), target);
                    self.call(entities, context, (target, called), arguments, result);
                }
            }
            _ => {}
        }
    }

    fn call(
        &mut self,
        entities: &Entities<'_>,
        caller: Context,
        (target, called): (Function, Context),
        arguments: &[Term],
        result: Option<(Node, Type)>,
    ) {
        let callee = &entities.program.functions[target];
        if !callee.is_defined() {
            if let Some((node, ty)) = result
                && is_pointer(ty)
            {
                self.unknown.push(node);
            }
            return;
        }
        let parameters = &callee.blocks[callee.entry].parameters;
        for (index, &argument) in arguments.iter().enumerate() {
            match parameters.get(index) {
                Some(&parameter) => {
                    let node = self.value(called, parameter);
                    self.assign(entities, caller, node, callee.values[parameter].ty, argument);
                }
                // The effect of a variadic function on its further arguments is not modeled.
                None => {
                    for leaf in self.pointer_leaves(entities.pool, entities.program, caller, argument) {
                        self.classes.unify(leaf, self.exposed, 0, 1);
                    }
                }
            }
        }
        if let Some((node, ty)) = result {
            let returned = self.first[called];
            match (is_pointer(ty), callee.result.is_some_and(is_pointer)) {
                (true, true) => self.classes.unify(node, returned, 0, 0),
                // A result that is a pointer on one side only is converted to or from an integer.
                (true, false) => self.classes.unify(node, self.exposed, 0, 1),
                (false, true) => self.classes.unify(returned, self.exposed, 0, 1),
                (false, false) => {}
            }
        }
    }

    /// Records an access; returns the node of the pointers that the memory holds.
    fn accessed(
        &mut self,
        entities: &Entities<'_>,
        context: Context,
        place: (Function, Block, usize),
        (region, address): (program::ssa::Region, Option<Term>),
        ty: Type,
        moved: Moved,
    ) -> Node {
        let scalar = entities.scalars[&region];
        let moves_integer = !is_pointer(ty) && moved == Moved::Anything;
        let Some(address) =
            address.filter(|_| !matches!(entities.program.regions[region].kind, RegionKind::Scalar(_)))
        else {
            if is_pointer(ty) {
                self.pointer_scalars.insert(region);
            } else if moves_integer {
                self.integer_scalars.insert(region);
            }
            return scalar;
        };
        let node = self.classes.fresh();
        self.points_as(entities, context, node, address);
        self.accesses.push(Access { place, bytes: ty.bytes(), ty, moves_integer, node });
        self.classes.contents(node)
    }

    /// Lets `node` point where `term` points.
    fn points_as(&mut self, entities: &Entities<'_>, context: Context, node: Node, term: Term) {
        for source in self.sources(entities.pool, entities.program, context, term) {
            match source.is_suspected {
                true => self.suspected.push(node),
                false => self.classes.unify(node, source.node, source.offset, source.stride),
            }
        }
    }

    /// Whether any object is exposed.
    fn exposes(&mut self) -> bool {
        let (root, _) = self.classes.find(self.exposed);
        (0..self.bases.len()).any(|index| self.classes.find(self.bases[index].1).0 == root)
    }

    /// Assigns `term` to `node`, of type `ty`.
    fn assign(&mut self, entities: &Entities<'_>, context: Context, node: Node, ty: Type, term: Term) {
        match ty {
            Type::Bool => {}
            Type::Pointer { .. } => {
                self.points_as(entities, context, node, term);
            }
            Type::Int { .. } => self.expose(entities.pool, entities.program, context, term),
        }
    }

    /// Runs the rounds that depend on the classes found so far.
    fn close(&mut self) {
        loop {
            let before = self.classes.changes();
            for index in 0..self.differences.len() {
                let (a, b) = self.differences[index];
                if self.classes.find(a).0 != self.classes.find(b).0 {
                    self.classes.unify(a, self.exposed, 0, 1);
                    self.classes.unify(b, self.exposed, 0, 1);
                }
            }
            self.coarsen();
            self.expose_mixed_memory();
            if !self.suspected.is_empty() && self.exposes() {
                for node in std::mem::take(&mut self.suspected) {
                    self.classes.unify(node, self.exposed, 0, 1);
                }
            }
            if self.classes.changes() == before {
                return;
            }
        }
    }

    /// Gives classes with too many fields a common modulus.
    fn coarsen(&mut self) {
        let mut offsets: BTreeMap<Node, Vec<(i128, Node)>> = BTreeMap::new();
        for access in &self.accesses {
            let (root, offset) = self.classes.find(access.node);
            let modulus = self.classes.modulus(root);
            offsets.entry(root).or_default().push((reduce(offset, modulus), access.node));
        }
        for (_, mut places) in offsets {
            places.sort_unstable();
            places.dedup_by_key(|place| place.0);
            if places.len() > MOST_FIELDS {
                let divisor = places
                    .windows(2)
                    .fold(0, |divisor, pair| gcd(divisor, u64::try_from(pair[1].0 - pair[0].0).unwrap_or(1)));
                self.classes.weaken(places[0].1, divisor);
            }
        }
    }

    /// Exposes pointers that share bytes with other data.
    fn expose_mixed_memory(&mut self) {
        for class in self.address_classes() {
            for field in fields(&class) {
                let has_pointers = field.accesses.iter().any(|&index| is_pointer(class.accesses[index].0.ty));
                let moves_integers =
                    field.accesses.iter().any(|&index| class.accesses[index].0.moves_integer);
                if has_pointers && (!field.is_uniform || moves_integers) {
                    for &index in &field.accesses {
                        let contents = self.classes.contents(class.accesses[index].0.node);
                        self.classes.unify(contents, self.exposed, 0, 1);
                    }
                }
            }
        }
    }
}

/// Accesses of one class that may overlap, directly or through others.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Indices into [`AddressClass::accesses`].
    pub accesses: Vec<usize>,
    /// The offset of the first access in the class.
    pub offset: i128,
    /// Whether all accesses have the same offset and size, and different repetitions do not
    /// overlap.
    pub is_uniform: bool,
}

/// Splits the accesses of a class into fields, by offset.
pub(crate) fn fields(class: &AddressClass) -> Vec<Field> {
    let mut order: Vec<usize> = (0..class.accesses.len()).collect();
    order.sort_by_key(|&index| (class.accesses[index].1, index));
    let span = |index: usize| (class.accesses[index].1, i128::from(class.accesses[index].0.bytes));
    let modulus = i128::from(class.modulus);
    let mut result: Vec<Field> = Vec::new();
    let mut end = i128::MIN;
    for &index in &order {
        let (offset, bytes) = span(index);
        let overlaps_itself = modulus != 0 && bytes > modulus;
        match result.last_mut() {
            Some(field) if offset < end => {
                let first = span(field.accesses[0]);
                field.is_uniform &= first == (offset, bytes);
                field.accesses.push(index);
            }
            _ => result.push(Field { accesses: vec![index], offset, is_uniform: !overlaps_itself }),
        }
        let field = result.last_mut().expect("pushed above");
        field.is_uniform &= !overlaps_itself;
        end = end.max(offset + bytes);
    }
    // The last field may extend over the modulus into the first fields of the next repetition.
    if modulus != 0 && result.len() > 1 && end > modulus {
        let reach = end - modulus;
        let mut last = result.pop().expect("there are at least two");
        while let Some(position) = result.iter().position(|field| field.offset < reach) {
            let field = result.remove(position);
            last.accesses.extend(field.accesses);
            last.is_uniform = false;
        }
        last.accesses.sort_unstable();
        result.push(last);
    }
    result
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    Constant,
    Anything,
}

struct Entities<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    functions: FxHashMap<Function, Node>,
    /// The content of each scalar region.
    scalars: FxHashMap<program::ssa::Region, Node>,
}

pub(crate) fn is_pointer(ty: Type) -> bool {
    matches!(ty, Type::Pointer { .. })
}

/// The functions whose address is taken, by index.
fn address_taken(program: &Program) -> Vec<Function> {
    let mut functions: Vec<Function> = program
        .functions
        .values()
        .flat_map(|data| data.blocks.values())
        .flat_map(|block| &block.instructions)
        .filter_map(|instruction| match instruction.kind {
            InstructionKind::FunctionAddress(function) => Some(function),
            _ => None,
        })
        .collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}
