//! Escaping automatic variables: changes by unknown functions during other activations.
//!
//! An unknown function may retain the address of an automatic variable, and any unknown function
//! may write to it during the lifetime of the variable, including calls in functions called by the
//! owner of the variable. (`unknown` handles the calls in the owner itself.)
//!
//! # Idea
//! The call graph is not known while bodies are lowered. So lowering emits two marks, which are
//! calls of nonexistent functions: [`GIVEN`], where the address of a variable is passed to an
//! unknown function, and [`CALLED`], at each call of an unknown function. The marks are replaced at
//! the end:
//!
//! * Let `x` be a variable of the function `F`, and let `F` call `G`, directly or transitively. If
//!   `G` calls an unknown function, `x` gets a scalar region that holds the address of `x` once it
//!   has escaped, and null before; [`GIVEN`] stores the address.
//! * [`CALLED`] in `G` becomes a call of a generated function that sets all such `x` with a
//!   non-null region to any value. These values are over-approximated.
//! * All other marks are removed.
//!
//! A variable of a function that has returned is dead, and a write to it is not observable, so
//! regions are never reset. A recursive function has several live activations, but a region holds
//! only one address: the escape of a second address is unsupported.
//!
//! A call through a pointer may reach every function whose address is taken.

use super::function::Lowering;
use super::module::Module;
use super::places::Location;
use super::unknown::MAX_SCALARS;
use crate::c::hir::LocalId;
use crate::c::link::UnitId;
use crate::c::types::TypeId;
use grammars::source::Span;
use program::ssa::{
    Block, Callee, Function, FunctionData, Instruction, InstructionKind, Region, RegionData, RegionKind,
    Terminator, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::Term;
use terms::entity::PrimaryMap;

/// The mark of an escaping address; its arguments are the address and the index of the variable.
const GIVEN: Function = Function(u32::MAX - 1);
/// The mark of a call of an unknown function.
const CALLED: Function = Function(u32::MAX);

/// The escaping variables.
#[derive(Default)]
pub(super) struct Escapes {
    variables: Vec<Given>,
    indices: FxHashMap<(UnitId, LocalId, Function), usize>,
}

/// A variable whose address is passed to an unknown function.
#[derive(Clone, Debug)]
struct Given {
    unit: UnitId,
    ty: TypeId,
    name: String,
    span: Span,
    /// The function that owns the variable.
    owner: Function,
}

/// The replacement of the marks of a variable.
#[derive(Clone, Copy, Debug)]
struct Kept {
    /// The region that holds the address.
    region: Region,
    /// The function that checks and stores the address, if the owner is recursive.
    give: Option<Function>,
}

impl Lowering<'_, '_, '_> {
    /// Marks that the address of a local of this function is passed to an unknown function.
    pub(super) fn mark_given(&mut self, local: LocalId, span: Span) {
        let Location::Memory { base, offset, .. } = self.local_location(local) else { return };
        let address = self.displaced(base.address, offset);
        let data = &self.hir[local];
        let (unit, ty, owner) = (self.unit, data.ty, self.function);
        let given = Given { unit, ty, name: self.local_name(local), span: data.span, owner };
        let escapes = &mut self.m.escapes;
        let next = escapes.variables.len();
        let index = *escapes.indices.entry((unit, local, owner)).or_insert(next);
        if index == next {
            escapes.variables.push(given);
        }
        let index = self.m.pool.bv(32, index as u64);
        self.mark(GIVEN, vec![address, index], span);
    }

    /// Marks a call of an unknown function.
    pub(super) fn mark_called(&mut self, span: Span) {
        self.mark(CALLED, Vec::new(), span);
    }

    fn mark(&mut self, mark: Function, arguments: Vec<Term>, span: Span) {
        self.b.effect(InstructionKind::Call { callee: Callee::Direct(mark), arguments }, span);
    }

    /// Makes the body of the function that stores the address of a variable of a recursive
    /// function.
    fn give(&mut self, region: Region, name: &str, span: Span) {
        let ty = self.m.address_type();
        let value = self.b.add_parameter(ty, None, span);
        let address = self.m.pool.value(value.0, ty.sort());
        self.enter();
        let before = self.emit(InstructionKind::Load { region, address: None }, ty, span);
        let null = self.m.pool.bv(ty.width(), 0);
        let (is_first, is_same) = (self.m.pool.eq(before, null), self.m.pool.eq(before, address));
        let fits = self.m.pool.or2(is_first, is_same);
        let (good, bad) = (self.b.create_block(), self.b.create_block());
        self.branch(fits, good, bad, span);
        self.b.seal(good);
        self.b.seal(bad);
        self.b.switch_to(bad);
        let what = format!(
            "external functions get the addresses of `{name}` in several activations of a recursive function"
        );
        self.unsupported(what, span);
        self.b.switch_to(good);
        self.b
            .effect(InstructionKind::Store { region, address: None, value: address, ty, place: None }, span);
        self.b.terminate(Terminator::Return(None), span);
    }

    /// Makes the body of the function that changes the escaped variables.
    fn change_given(&mut self, variables: &[(Given, Region)]) {
        self.enter();
        let address = self.m.address_type();
        for (given, region) in variables {
            self.set_unit(given.unit);
            let span = given.span;
            let what = format!("writes of external functions to `{}`", given.name);
            let at = self.emit(InstructionKind::Load { region: *region, address: None }, address, span);
            let null = self.m.pool.bv(address.width(), 0);
            let is_given = self.m.pool.neq(at, null);
            let (change, next) = (self.b.create_block(), self.b.create_block());
            self.branch(is_given, change, next, span);
            self.b.seal(change);
            self.b.switch_to(change);
            match self.parts(given) {
                Some(parts) => {
                    for (offset, ty) in parts {
                        let place = self.displaced(at, offset);
                        let value = self.approximation(ty, &what, span);
                        self.store_unchecked(place, value, ty, span, None);
                    }
                    self.goto(next, span);
                }
                None => self.unsupported(what, span),
            }
            self.b.seal(next);
            self.b.switch_to(next);
        }
        self.b.terminate(Terminator::Return(None), Span::NONE);
    }

    /// The scalars of a variable, or its bytes; `None` if there are too many.
    fn parts(&mut self, given: &Given) -> Option<Vec<(u64, Type)>> {
        let leaves = self.m.leaves(given.unit, given.ty).filter(|leaves| leaves.len() <= MAX_SCALARS);
        if let Some(leaves) = leaves {
            let hir = self.hir;
            let scalars = leaves.iter().map(|leaf| Some((leaf.offset, self.m.scalar_type(hir, leaf.ty)?)));
            return scalars.collect();
        }
        let size = self.hir.types.size(given.ty).filter(|&size| size <= MAX_SCALARS as u64)?;
        Some((0..size).map(|offset| (offset, Type::unsigned(8))).collect())
    }
}

impl Module<'_, '_> {
    /// Replaces the marks. To be called once all bodies are lowered.
    pub(super) fn resolve_escapes(&mut self) {
        let variables = std::mem::take(&mut self.escapes).variables;
        let callers = self.functions_with(CALLED);
        if callers.is_empty() {
            return;
        }
        let graph = CallGraph::of(self);
        let mut kept: Vec<Option<Kept>> = vec![None; variables.len()];
        let mut changed: FxHashMap<Function, Vec<usize>> = FxHashMap::default();
        for (index, given) in variables.iter().enumerate() {
            let called = graph.reachable_from(given.owner);
            let affected: Vec<Function> =
                callers.iter().copied().filter(|caller| called.contains(caller)).collect();
            if affected.is_empty() {
                continue;
            }
            for caller in affected {
                changed.entry(caller).or_default().push(index);
            }
            let kind = RegionKind::Scalar(self.address_type());
            let name = self.unique_name(format!("<given {}>", given.name));
            let region = self.program.regions.push(RegionData { name, kind });
            let give = called.contains(&given.owner).then(|| {
                let function = self.helper(&format!("<give {}>", given.name), vec![self.address_type()]);
                self.generate(function, given.unit, |lowering| {
                    lowering.give(region, &given.name, given.span);
                });
                function
            });
            kept[index] = Some(Kept { region, give });
        }
        let mut helpers: FxHashMap<Vec<usize>, Function> = FxHashMap::default();
        let mut helper_of: FxHashMap<Function, Function> = FxHashMap::default();
        for caller in callers {
            let Some(indices) = changed.remove(&caller) else { continue };
            if !helpers.contains_key(&indices) {
                let contents: Vec<(Given, Region)> = indices
                    .iter()
                    .filter_map(|&index| Some((variables[index].clone(), kept[index]?.region)))
                    .collect();
                let function = self.helper("<external functions write>", Vec::new());
                self.generate(function, UnitId(0), |lowering| lowering.change_given(&contents));
                helpers.insert(indices.clone(), function);
            }
            helper_of.insert(caller, helpers[&indices]);
        }
        self.replace_marks(&kept, &helper_of);
    }

    fn helper(&mut self, name: &str, parameters: Vec<Type>) -> Function {
        let name = self.unique_name(name.to_owned());
        self.program.functions.push(FunctionData {
            name,
            result: None,
            parameters,
            is_variadic: false,
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: Span::NONE,
        })
    }

    fn generate(&mut self, function: Function, unit: UnitId, body: impl FnOnce(&mut Lowering<'_, '_, '_>)) {
        let mut lowering = Lowering::new(self, unit, function);
        body(&mut lowering);
        let finished = lowering.finish();
        finished.install(&mut self.program.functions[function]);
    }

    /// The functions that contain the mark, in order.
    fn functions_with(&self, mark: Function) -> Vec<Function> {
        let has_mark = |data: &FunctionData| {
            let mut instructions = data.blocks.values().flat_map(|block| &block.instructions);
            instructions.any(|instruction| marked(instruction) == Some(mark))
        };
        self.program
            .functions
            .iter()
            .filter(|(_, data)| has_mark(data))
            .map(|(function, _)| function)
            .collect()
    }

    fn replace_marks(&mut self, kept: &[Option<Kept>], helper_of: &FxHashMap<Function, Function>) {
        let address = self.address_type();
        let (program, pool) = (&mut self.program, &*self.pool);
        for (function, data) in program.functions.iter_mut() {
            for block in data.blocks.values_mut() {
                block.instructions.retain_mut(|instruction| {
                    let Some(mark) = marked(instruction) else { return true };
                    let InstructionKind::Call { callee, arguments } = &mut instruction.kind else {
                        return true;
                    };
                    if mark == CALLED {
                        let Some(&helper) = helper_of.get(&function) else { return false };
                        *callee = Callee::Direct(helper);
                        return true;
                    }
                    let index = pool.as_bv_u64(arguments[1]).and_then(|index| usize::try_from(index).ok());
                    let Some(kept) = index.and_then(|index| kept[index]) else { return false };
                    let value = arguments[0];
                    instruction.kind = match kept.give {
                        Some(give) => {
                            InstructionKind::Call { callee: Callee::Direct(give), arguments: vec![value] }
                        }
                        None => {
                            let region = kept.region;
                            InstructionKind::Store { region, address: None, value, ty: address, place: None }
                        }
                    };
                    true
                });
            }
        }
    }
}

/// Returns the mark that the instruction is, if any.
fn marked(instruction: &Instruction) -> Option<Function> {
    match instruction.kind {
        InstructionKind::Call { callee: Callee::Direct(mark), .. } if mark == GIVEN || mark == CALLED => {
            Some(mark)
        }
        _ => None,
    }
}

/// The possible callees of each function.
struct CallGraph {
    direct: FxHashMap<Function, Vec<Function>>,
    /// The functions with calls through pointers.
    indirect: FxHashSet<Function>,
    /// The functions whose address is taken.
    targets: Vec<Function>,
}

impl CallGraph {
    fn of(module: &Module<'_, '_>) -> Self {
        let (mut direct, mut indirect) = (FxHashMap::<_, Vec<_>>::default(), FxHashSet::default());
        let mut targets = Vec::new();
        for (function, data) in module.program.functions.iter() {
            for instruction in data.blocks.values().flat_map(|block| &block.instructions) {
                match &instruction.kind {
                    InstructionKind::Call { .. } if marked(instruction).is_some() => {}
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                        direct.entry(function).or_default().push(*callee);
                    }
                    InstructionKind::Call { callee: Callee::Indirect { .. }, .. } => {
                        indirect.insert(function);
                    }
                    InstructionKind::FunctionAddress(target) => targets.push(*target),
                    _ => {}
                }
            }
        }
        CallGraph { direct, indirect, targets }
    }

    /// The functions reachable by a chain of calls from the function; contains the function itself
    /// if it is recursive.
    fn reachable_from(&self, function: Function) -> FxHashSet<Function> {
        let mut reached = FxHashSet::default();
        let mut work = vec![function];
        while let Some(caller) = work.pop() {
            let through_pointers = if self.indirect.contains(&caller) { &self.targets[..] } else { &[] };
            let direct = self.direct.get(&caller).map_or(&[][..], Vec::as_slice);
            for &callee in direct.iter().chain(through_pointers) {
                if reached.insert(callee) {
                    work.push(callee);
                }
            }
        }
        reached
    }
}
