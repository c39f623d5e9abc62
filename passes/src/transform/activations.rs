//! Activations: allocates a new object in each call for automatic objects that a pointer may reach
//! after the call.
//!
//! An automatic object belongs to an activation of its function. The interpreter and the unroller
//! give each activation its own objects. The views work on one function, where a copy of a body has
//! one object for all activations ([`inline`](super::inline)). The difference is observable only if
//! a pointer to the object of one activation meets the object of the next, as in
//! `void f(int i) { int x; if (i) *p = 1; p = &x; }`. So this pass *allocates* such objects: at the
//! entry of the function, in place of `AddressOf`.
//!
//! # Affected objects
//!
//! The pass considers the functions that one copy may activate more than once: called on a cycle of
//! the control flow, through a pointer, or by such a function. It allocates their objects whose
//! address may *outlive* the activation. This is a flow-insensitive escape analysis with a summary
//! for each function: for each parameter, whether its value, or a value loaded through it, may be
//! stored in memory that the function does not own, or returned. Sources are the parameters and the
//! automatic objects. A value carries the sources of all values in its term; Booleans carry no
//! sources. Any load of the function may yield the contents of any of its automatic objects.
//!
//! # Procedures
//!
//! In the views of programs with calls ([`views::procedures`]), activations of a function that
//! follow each other share the addresses of its objects, whatever their call sites. [`separate`]
//! therefore also considers the functions with several call sites and the recursive ones.
//!
//! # Uninitialized contents
//!
//! An allocated object has unknown contents at first. `Forget` on a cycle becomes stores of unknown
//! values, or an unsupported construct if the object needs more than 64 of them.
//!
//! The pass runs on the program as lowered: the interpreter, the validator and all engines use its
//! result, which is semantically equivalent. Cost: a few rounds over the instructions, with a bit
//! for each source of a function; none if no function with automatic objects is activated twice.

use super::back::{BackTranslator, FunctionOrigin, Step};
use super::inline::clear_unreachable;
use super::regions::recursive_among;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{
    Block, Callee, Contents, Function, FunctionData, HavocSource, Instruction, InstructionKind, Object, Part,
    Program, Region, RegionKind, Span, Terminator, Type, UnsupportedData, Value, ValueData,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Term, TermPool};

/// The largest number of stores that replace a `Forget` on a cycle.
const MAX_STORES: u64 = 64;

/// Allocates the automatic objects of `program` that a pointer may reach after their activation;
/// returns them.
pub fn activations(pool: &mut TermPool, program: &mut Program) -> Vec<Object> {
    let repeated = repeated(program, Sharing::Copies);
    let owns_repeatedly = |object: &Object| {
        program.objects[*object].owner.is_some_and(|owner| repeated.contains(&owner))
            && program.objects[*object].regions.len() == 1
    };
    let candidates: Vec<Object> = program.objects.keys().filter(owns_repeatedly).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let outliving = Escapes::new(pool, program).outliving;
    let chosen: Vec<Object> = candidates.into_iter().filter(|object| outliving.contains(object)).collect();
    for &object in &chosen {
        allocate(pool, program, object);
    }
    chosen
}

/// An automatic object that a pointer may reach after its activation, in a function that is
/// activated more than once, and that cannot be allocated because its region has no room for other
/// objects.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("activations of `{function}` would share the automatic object `{object}`")]
pub struct SharedObject {
    /// The function.
    pub function: String,
    /// The object.
    pub object: String,
    /// Its declaration.
    pub span: Span,
}

/// Allocates the automatic objects of `program` that a pointer may reach after their activation, in
/// functions that are activated more than once, from whatever call sites: the views of procedures
/// would confuse their activations.
///
/// # Errors
/// If such an object is not in exactly one region that can hold several objects. Programs as
/// lowered have no such object.
pub fn separate(pool: &mut TermPool, program: &mut Program) -> Result<BackTranslator, SharedObject> {
    let repeated = repeated(program, Sharing::Functions);
    let outliving = match program.objects.values().any(|data| data.owner.is_some()) {
        true => Escapes::new(pool, program).outliving,
        false => BTreeSet::new(),
    };
    let is_shared = |&object: &Object| {
        let owner = program.objects[object].owner;
        owner.is_some_and(|owner| repeated.contains(&owner)) && outliving.contains(&object)
    };
    let chosen: Vec<Object> = program.objects.keys().filter(is_shared).collect();
    for &object in &chosen {
        let data = &program.objects[object];
        let has_room = |region: &Region| !matches!(program.regions[*region].kind, RegionKind::Scalar(_));
        if let (Some(owner), false) =
            (data.owner, data.regions.len() == 1 && data.regions.iter().all(has_room))
        {
            let function = program.functions[owner].name.clone();
            return Err(SharedObject { function, object: data.name.clone(), span: data.span });
        }
    }
    let mut step = Step::default();
    for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined()) {
        step.functions[function] =
            Some(FunctionOrigin::identity(function, data.blocks.len(), data.values.len()));
    }
    for &object in &chosen {
        allocate(pool, program, object);
    }
    for (function, data) in program.functions.iter() {
        if let Some(origin) = &mut step.functions[function] {
            origin.values.resize(data.values.len(), None);
        }
    }
    Ok(BackTranslator::from_step(step))
}

/// The activations that share the objects of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// Those of one copy of the function.
    Copies,
    /// All.
    Functions,
}

/// The functions that may be activated more than once: for copies, by a single chain of call sites
/// from the entry function.
fn repeated(program: &Program, sharing: Sharing) -> FxHashSet<Function> {
    let mut calls: FxHashMap<Function, BTreeSet<Function>> = FxHashMap::default();
    let mut work = Vec::new();
    if sharing == Sharing::Functions {
        work.extend(recursive_among(program, program.functions.keys()));
    }
    let mut called = FxHashSet::default();
    let (mut has_indirect, mut address_taken) = (false, Vec::new());
    for (function, data) in program.functions.iter() {
        if !data.is_defined() {
            continue;
        }
        let forest = LoopForest::new(&ControlFlow::new(data));
        for (block, block_data) in data.blocks.iter() {
            for instruction in &block_data.instructions {
                match &instruction.kind {
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                        calls.entry(function).or_default().insert(*callee);
                        let is_first = called.insert(*callee);
                        if forest.depth(block) > 0 || sharing == Sharing::Functions && !is_first {
                            work.push(*callee);
                        }
                    }
                    InstructionKind::Call { .. } => has_indirect = true,
                    InstructionKind::FunctionAddress(callee) => address_taken.push(*callee),
                    _ => {}
                }
            }
        }
    }
    if has_indirect {
        work.append(&mut address_taken);
    }
    let mut repeated = FxHashSet::default();
    while let Some(function) = work.pop() {
        if repeated.insert(function) {
            work.extend(calls.get(&function).into_iter().flatten());
        }
    }
    repeated
}

/// The origin of an address that a value may carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Source {
    /// The parameter with this index.
    Parameter(usize),
    /// A value loaded through this parameter, in any number of steps.
    Through(usize),
    /// The address of an automatic object of the function.
    Object(Object),
    /// The address of any other object, or a loaded address: a store there may outlive the
    /// activation.
    Elsewhere,
}

type Sources = BTreeSet<Source>;

/// The escapes of a function's parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Summary {
    /// The sources that may be stored in memory of other activations, directly or by a callee.
    kept: Sources,
    /// The sources of the result.
    returned: Sources,
}

/// The values in terms, except those below Booleans.
#[derive(Default)]
struct Leaves(FxHashMap<Term, Vec<Value>>);

impl Leaves {
    fn of(&mut self, pool: &TermPool, term: Term) -> &[Value] {
        self.0.entry(term).or_insert_with(|| {
            let mut values = Vec::new();
            let note = |inner| {
                if let Op::Value(index) = pool.op(inner) {
                    values.push(Value(index));
                }
            };
            pool.visit(&[term], |inner| pool.sort(inner) != Sort::Bool, note);
            values
        })
    }
}

struct Escapes {
    leaves: Leaves,
    summaries: PrimaryMap<Function, Summary>,
    values: PrimaryMap<Function, FxHashMap<Value, Sources>>,
    /// The sources stored in automatic objects of the function.
    contents: PrimaryMap<Function, Sources>,
    outliving: BTreeSet<Object>,
    has_changed: bool,
}

impl Escapes {
    fn new(pool: &TermPool, program: &Program) -> Self {
        let mut escapes = Escapes {
            leaves: Leaves::default(),
            summaries: program.functions.values().map(|_| Summary::default()).collect(),
            values: program.functions.values().map(|_| FxHashMap::default()).collect(),
            contents: program.functions.values().map(|_| Sources::new()).collect(),
            outliving: BTreeSet::new(),
            has_changed: true,
        };
        for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined()) {
            for (index, &parameter) in data.blocks[data.entry].parameters.iter().enumerate() {
                escapes.values[function].insert(parameter, Sources::from([Source::Parameter(index)]));
            }
        }
        while std::mem::take(&mut escapes.has_changed) {
            for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined()) {
                escapes.visit(pool, program, function, data);
            }
        }
        escapes
    }

    /// The sources of the values in `term`.
    fn of(&mut self, pool: &TermPool, function: Function, term: Term) -> Sources {
        let values = &self.values[function];
        let carried = self.leaves.of(pool, term).iter().filter_map(|value| values.get(value));
        carried.flatten().copied().collect()
    }

    fn carries(&mut self, function: Function, value: Value, ty: Type, sources: Sources) {
        if ty == Type::Bool || sources.is_empty() {
            return;
        }
        let known = self.values[function].entry(value).or_default();
        let before = known.len();
        known.extend(sources);
        self.has_changed |= known.len() != before;
    }

    /// The sources of a load from addresses that carry `sources`.
    fn loaded(&self, function: Function, sources: &Sources) -> Sources {
        let mut loaded = self.contents[function].clone();
        loaded.extend(sources.iter().filter_map(|source| match *source {
            Source::Parameter(index) | Source::Through(index) => Some(Source::Through(index)),
            Source::Object(_) | Source::Elsewhere => None,
        }));
        loaded
    }

    /// Records that `sources`, and everything reachable through them, are stored in memory that the
    /// function does not own.
    fn keep(&mut self, function: Function, sources: Sources) {
        if sources.iter().all(|source| *source == Source::Elsewhere) {
            return;
        }
        let mut all = self.loaded(function, &sources);
        all.extend(sources);
        for source in all {
            self.has_changed |= match source {
                Source::Object(object) => self.outliving.insert(object),
                Source::Elsewhere => false,
                source => self.summaries[function].kept.insert(source),
            };
        }
    }

    fn visit(&mut self, pool: &TermPool, program: &Program, function: Function, data: &FunctionData) {
        for block in data.blocks.values() {
            for instruction in &block.instructions {
                self.visit_instruction(pool, program, function, instruction);
            }
            for edge in block.terminator.edges() {
                let parameters = &data.blocks[edge.target].parameters;
                for (&parameter, &argument) in parameters.iter().zip(&edge.arguments) {
                    let sources = self.of(pool, function, argument);
                    self.carries(function, parameter, data.values[parameter].ty, sources);
                }
            }
            if let Terminator::Return(Some(term)) = &block.terminator {
                for source in self.of(pool, function, *term) {
                    // The caller may keep it until the next call.
                    self.has_changed |= match source {
                        Source::Object(object) => self.outliving.insert(object),
                        Source::Elsewhere => false,
                        source => self.summaries[function].returned.insert(source),
                    };
                }
            }
        }
    }

    fn visit_instruction(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        instruction: &Instruction,
    ) {
        let sources = match &instruction.kind {
            InstructionKind::Pure(term) => self.of(pool, function, *term),
            &InstructionKind::AddressOf(object) => match program.objects[object].owner {
                Some(owner) if owner == function => Sources::from([Source::Object(object)]),
                _ => Sources::from([Source::Elsewhere]),
            },
            InstructionKind::Load { region, address } => {
                if program.shadow.contains(*region) && program.shadow.previous != Some(*region) {
                    return;
                }
                let of_address = match *address {
                    Some(address) => self.of(pool, function, address),
                    None => Sources::new(),
                };
                let mut loaded = self.loaded(function, &of_address);
                loaded.insert(Source::Elsewhere);
                loaded
            }
            InstructionKind::Store { region, address, value, .. } => {
                if !program.shadow.contains(*region) {
                    let sources = self.of(pool, function, *value);
                    if address.is_some_and(|address| self.is_own(pool, program, function, address)) {
                        let before = self.contents[function].len();
                        self.contents[function].extend(sources);
                        self.has_changed |= self.contents[function].len() != before;
                    } else {
                        self.keep(function, sources);
                    }
                }
                return;
            }
            InstructionKind::Call { callee, arguments } => {
                self.call(pool, program, function, callee, arguments)
            }
            InstructionKind::Havoc(_)
            | InstructionKind::FunctionAddress(_)
            | InstructionKind::Allocate { .. } => Sources::from([Source::Elsewhere]),
            InstructionKind::Forget { .. } => return,
        };
        if let Some(value) = instruction.result {
            let ty = program.functions[function].values[value].ty;
            self.carries(function, value, ty, sources);
        }
    }

    /// Whether an address consists of addresses of automatic objects of the function and of
    /// numbers.
    fn is_own(&mut self, pool: &TermPool, program: &Program, function: Function, address: Term) -> bool {
        let is_object = |source: &Source| matches!(source, Source::Object(_));
        let (mut has_object, mut has_other) = (false, false);
        for value in self.leaves.of(pool, address) {
            let sources = self.values[function].get(value);
            has_object |= sources.is_some_and(|sources| sources.iter().any(is_object));
            has_other |= match sources {
                Some(sources) => !sources.iter().all(is_object),
                None => matches!(program.functions[function].values[*value].ty, Type::Pointer { .. }),
            };
        }
        has_object && !has_other
    }

    /// The sources of the result of a call.
    fn call(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        callee: &Callee,
        arguments: &[Term],
    ) -> Sources {
        let arguments: Vec<Sources> =
            arguments.iter().map(|&argument| self.of(pool, function, argument)).collect();
        let summary = match callee {
            // Stores of such a function are separate instructions.
            Callee::Direct(target) if !program.functions[*target].is_defined() => {
                return Sources::from([Source::Elsewhere]);
            }
            Callee::Direct(target) => self.summaries[*target].clone(),
            Callee::Indirect { .. } => {
                let all: Sources = (0..arguments.len()).map(Source::Parameter).collect();
                Summary { kept: all.clone(), returned: all }
            }
        };
        let mut result = Sources::from([Source::Elsewhere]);
        for source in summary.kept {
            let sources = self.of_callee(function, &arguments, source);
            self.keep(function, sources);
        }
        for source in summary.returned {
            result.extend(self.of_callee(function, &arguments, source));
        }
        result
    }

    /// Translates a source of the callee to sources of the caller.
    fn of_callee(&self, function: Function, arguments: &[Sources], source: Source) -> Sources {
        match source {
            Source::Parameter(index) => arguments.get(index).cloned().unwrap_or_default(),
            Source::Through(index) => match arguments.get(index) {
                Some(sources) if sources.iter().any(|source| *source != Source::Elsewhere) => {
                    self.loaded(function, sources)
                }
                _ => Sources::new(),
            },
            Source::Object(_) | Source::Elsewhere => Sources::new(),
        }
    }
}

/// Allocates `object` in each activation of its function.
fn allocate(pool: &mut TermPool, program: &mut Program, object: Object) {
    program.machine.set_frees();
    let width = program.machine.pointer_width;
    let data = program.objects[object].clone();
    let (Some(owner), &[region]) = (data.owner, &data.regions[..]) else { return };
    let function = &mut program.functions[owner];
    let ty = Type::Pointer { width };
    let address =
        function.values.push(ValueData { ty, name: Some(format!("&{}", data.name)), span: data.span });
    let address_term = pool.value(address.0, ty.sort());
    let forest = LoopForest::new(&ControlFlow::new(function));
    let blocks: Vec<Block> = function.blocks.keys().collect();
    let mut is_cut = false;
    for block in blocks {
        let old = std::mem::take(&mut function.blocks[block].instructions);
        let mut new = Vec::with_capacity(old.len());
        for mut instruction in old {
            match instruction.kind {
                InstructionKind::AddressOf(of) if of == object => {
                    instruction.kind = InstructionKind::Pure(address_term);
                }
                InstructionKind::Forget { object: of, .. } if of == object => {
                    if forest.depth(block) == 0 {
                        continue;
                    }
                    let bytes = 1u64 << data.size.trailing_zeros().min(3);
                    if data.size / bytes > MAX_STORES {
                        let construct = format!(
                            "`{}`, whose address may outlive the call, is declared in a loop of a function that is called in a loop",
                            data.name
                        );
                        let unsupported =
                            program.unsupported.push(UnsupportedData { construct, span: instruction.span });
                        function.blocks[block].terminator = Terminator::Unsupported(unsupported);
                        is_cut = true;
                        break;
                    }
                    let ty = Type::unsigned(bytes as u32 * 8);
                    for offset in (0..data.size).step_by(bytes as usize) {
                        let source = HavocSource::Uninitialized;
                        let value =
                            function.values.push(ValueData { ty, name: None, span: instruction.span });
                        new.push(Instruction {
                            result: Some(value),
                            kind: InstructionKind::Havoc(source),
                            span: instruction.span,
                        });
                        let distance = pool.bv(width, offset);
                        let kind = InstructionKind::Store {
                            region,
                            address: Some(pool.bv_add(address_term, distance)),
                            value: pool.value(value.0, ty.sort()),
                            ty,
                            place: None,
                        };
                        new.push(Instruction { result: None, kind, span: instruction.span });
                    }
                    continue;
                }
                _ => {}
            }
            new.push(instruction);
        }
        function.blocks[block].instructions = new;
    }
    let size = pool.bv(width, data.size);
    let kind = InstructionKind::Allocate {
        parts: vec![Part::whole(region)],
        size,
        align: data.align,
        contents: Contents::Unknown,
    };
    let entry = function.entry;
    function.blocks[entry]
        .instructions
        .insert(0, Instruction { result: Some(address), kind, span: data.span });
    if is_cut {
        clear_unreachable(function);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT, MEMORY, POINTER};
    use super::*;

    /// An entry function that calls `f` with the address of a global, in a loop or not.
    fn with_caller(is_in_loop: bool, body: impl FnOnce(&mut Build, Object, Term, Term)) -> (Build, Object) {
        let mut build = Build::new();
        let (f, parameters) = build.function("f", &[POINTER], Some(POINTER));
        let local = build.object("local", 8, Some(f));
        let address = build.address_of(local);
        body(&mut build, local, address, parameters[0]);
        build.at(Function(0), Block(0));
        let global = build.object("global", 8, None);
        let global = build.address_of(global);
        let head = build.block(&[]);
        build.goto(head, &[]);
        build.at(Function(0), head);
        build.call(f, &[global], Some(POINTER));
        if is_in_loop {
            build.goto(head, &[]);
        } else {
            build.end(Terminator::Return(None));
        }
        (build, local)
    }

    fn run(build: &mut Build) -> Vec<Object> {
        build.assert_well_formed();
        let chosen = activations(&mut build.pool, &mut build.program);
        build.assert_well_formed();
        chosen
    }

    fn returns_null(build: &mut Build) {
        let null = build.pool.bv(64, 0);
        build.end(Terminator::Return(Some(null)));
    }

    #[test]
    fn what_is_stored_elsewhere_or_returned_is_allocated_in_each_activation() {
        type Body = fn(&mut Build, Object, Term, Term);
        let bodies: [Body; 6] = [
            |build, _, local, parameter| {
                build.store(POINTER, parameter, local);
                returns_null(build);
            },
            |build, _, local, _| build.end(Terminator::Return(Some(local))),
            // Through another object of the activation.
            |build, _, local, parameter| {
                let function = build.function;
                let other = build.object("other", 8, Some(function));
                let other = build.address_of(other);
                build.store(POINTER, other, local);
                let loaded = build.load(POINTER, other);
                build.store(POINTER, parameter, loaded);
                returns_null(build);
            },
            // The target address is loaded from an object of the activation that also holds the
            // object's address.
            |build, _, local, parameter| {
                let function = build.function;
                let other = build.object("other", 16, Some(function));
                let other = build.address_of(other);
                let second = build.plus(other, 8);
                build.store(POINTER, other, local);
                build.store(POINTER, second, parameter);
                let target = build.load(POINTER, second);
                build.store(POINTER, target, local);
                returns_null(build);
            },
            // One path stores it in the activation, another one in a global.
            |build, _, local, parameter| {
                let function = build.function;
                let other = build.object("other", 8, Some(function));
                let elsewhere = build.object("elsewhere", 8, None);
                let (other, elsewhere) = (build.address_of(other), build.address_of(elsewhere));
                let target = build.block(&[POINTER]);
                let is_null = {
                    let null = build.pool.bv(64, 0);
                    build.pool.eq(parameter, null)
                };
                let edge = |argument| program::ssa::Edge { target, arguments: vec![argument] };
                let (then, otherwise) = (edge(other), edge(elsewhere));
                build.end(Terminator::Branch { condition: is_null, then, otherwise });
                build.at(function, target);
                let address = build.parameter(target, 0);
                build.store(POINTER, address, local);
                returns_null(build);
            },
            // Through a function that stores its argument.
            |build, _, local, parameter| {
                let (f, block) = (build.function, build.block);
                let (keeps, parameters) = build.function("keeps", &[POINTER, POINTER], None);
                build.store(POINTER, parameters[0], parameters[1]);
                build.end(Terminator::Return(None));
                build.at(f, block);
                build.call(keeps, &[parameter, local], None);
                returns_null(build);
            },
        ];
        for body in bodies {
            let (mut build, local) = with_caller(true, body);
            assert!(run(&mut build).contains(&local));
            let owner = build.program.objects[local].owner.expect("it is automatic");
            let kinds = build.kinds(owner);
            assert!(matches!(kinds[0], InstructionKind::Allocate { .. }), "{kinds:?}");
            assert!(!kinds.iter().any(|kind| **kind == InstructionKind::AddressOf(local)));
            let (mut build, _) = with_caller(false, body);
            assert_eq!(run(&mut build), []);
        }
    }

    #[test]
    fn what_stays_in_the_activation_is_left_as_it_is() {
        type Body = fn(&mut Build, Object, Term, Term);
        let bodies: [Body; 3] = [
            |build, _, local, parameter| {
                let value = build.load(INT, local);
                build.store(INT, parameter, value);
                returns_null(build);
            },
            // Booleans do not carry addresses.
            |build, _, local, parameter| {
                let is_equal = build.pool.eq(local, parameter);
                let (one, zero) = (build.number(1), build.number(0));
                let (yes, no) = (build.block(&[]), build.block(&[]));
                build.branch(is_equal, yes, no);
                let function = build.function;
                for (block, value) in [(yes, one), (no, zero)] {
                    build.at(function, block);
                    build.store(INT, parameter, value);
                    returns_null(build);
                }
            },
            // A function that only reads through it.
            |build, _, local, parameter| {
                let (f, block) = (build.function, build.block);
                let (reads, parameters) = build.function("reads", &[POINTER], Some(INT));
                let value = build.load(INT, parameters[0]);
                build.end(Terminator::Return(Some(value)));
                build.at(f, block);
                let value = build.call(reads, &[local], Some(INT)).expect("it has a result");
                build.store(INT, parameter, value);
                returns_null(build);
            },
        ];
        for body in bodies {
            let (mut build, _) = with_caller(true, body);
            assert_eq!(run(&mut build), []);
        }
    }

    #[test]
    fn what_is_forgotten_on_a_cycle_gets_unknown_values() {
        let (mut build, local) = with_caller(true, |build, local, address, parameter| {
            let body = build.block(&[]);
            build.goto(body, &[]);
            let function = build.function;
            build.at(function, body);
            build.push(None, InstructionKind::Forget { region: MEMORY, object: local });
            build.store(POINTER, parameter, address);
            build.goto(body, &[]);
        });
        assert_eq!(run(&mut build), [local]);
        let owner = build.program.objects[local].owner.expect("it is automatic");
        let kinds = build.kinds(owner);
        assert!(!kinds.iter().any(|kind| matches!(kind, InstructionKind::Forget { .. })));
        let unknown =
            |kind: &&&InstructionKind| matches!(kind, InstructionKind::Havoc(HavocSource::Uninitialized));
        assert_eq!(kinds.iter().filter(unknown).count(), 1);
    }
}
