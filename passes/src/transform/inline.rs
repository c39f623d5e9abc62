//! Inlining: merges the entry function with all functions that it calls into one function.
//!
//! Block formulas and (with `--procedures inline`) Horn clauses require a single function. The pass
//! copies the body of every called function to every call site, top down, starting at the entry
//! function. A block with a call is split: its first half goes to the entry block of the copy with
//! the arguments, and every `return` of the copy goes to the second half, whose only parameter is
//! the result. [`inline_except`] keeps the calls of some functions and inlines all other calls into
//! their bodies.
//!
//! * Calls of functions without a body become a `havoc` of their result, which is their semantics.
//! * An automatic object of a copied body becomes a separate static object for each copy: one for
//!   all activations of the copy. If a pointer may outlive the activation,
//!   [`activations`](super::activations) has allocated the object before. Copies of a function with
//!   a scalar region share this region: activations of a nonrecursive function do not overlap, also
//!   if it is inlined into a recursive one. Objects of functions that are kept remain automatic.
//! * The entry block of the copy and the second half are marked ([`BlockData::call_boundary`]),
//!   so that views can cut there.
//! * Unreachable blocks are not copied.
//! * A recursive function cannot be inlined completely. The pass fails with
//!   [`InlineError::Recursion`], or it copies calls up to a depth ([`InlineLimits::recursion`]) and
//!   makes the deeper call an unsupported construct, so that a proof has to show that no execution
//!   reaches it. The results of memory splitting for a recursive function hold for each activation,
//!   and so for each copy.
//!
//! Cost: linear in the result, which is exponential in the worst case (a chain of functions, each
//! of which calls the next one twice), hence [`InlineLimits`].

use super::back::{BackTranslator, FunctionOrigin, Step};
use program::ssa::cfg::ControlFlow;
use program::ssa::{
    Block, BlockData, CallBoundary, Callee, Edge, Function, FunctionData, HavocSource, InstructionKind,
    Object, ObjectData, Program, Span, Terminator, Unsupported, UnsupportedData, Value, ValueData,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Term, TermPool};

terms::entity! {
    /// One copy of a function body in the inlined function.
    BodyCopy, "copy"
}

/// Limits on the size of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineLimits {
    /// The number of blocks plus instructions.
    pub size: usize,
    /// The number of further activations of a function that are inlined above one; with 0,
    /// recursion is an error.
    pub recursion: u32,
}

impl Default for InlineLimits {
    fn default() -> Self {
        InlineLimits { size: 2_000_000, recursion: 0 }
    }
}

/// Reasons why a program cannot be inlined into one function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InlineError {
    /// A function is recursive.
    #[error("recursion: {}", cycle.join(" calls "))]
    Recursion {
        /// The names along the cycle; the first is also the last.
        cycle: Vec<String>,
        /// The call that closes the cycle.
        span: Span,
    },
    /// The result exceeds the size limit.
    #[error("inlining `{function}` makes the program larger than {limit} blocks and instructions")]
    TooLarge {
        /// The function whose copy exceeds the limit.
        function: String,
        /// [`InlineLimits::size`].
        limit: usize,
        /// The call.
        span: Span,
    },
    /// A call through a pointer remains: the function-pointer pass must run first.
    #[error("a call through a function pointer was not resolved")]
    Indirect {
        /// The call.
        span: Span,
    },
}

/// A copy of a function body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyCopyData {
    /// The copied function.
    pub function: Function,
    /// The copy that contains the call; `None` for the entry function.
    pub caller: Option<BodyCopy>,
    /// The call site, or the definition of the entry function.
    pub span: Span,
}

/// The result of [`inline`].
#[derive(Clone, Debug)]
pub struct Inlined {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// All copies, callers before callees.
    pub copies: PrimaryMap<BodyCopy, BodyCopyData>,
    /// The number of calls beyond the recursion depth, which were not inlined.
    pub cuts: usize,
}

/// Inlines all calls of the entry function, recursively. Afterwards only the entry function has a
/// body.
///
/// # Errors
/// See [`InlineError`]; the program is unchanged then, except for unused additions to the pool.
pub fn inline(
    pool: &mut TermPool,
    program: &mut Program,
    limits: InlineLimits,
) -> Result<Inlined, InlineError> {
    inline_except(pool, program, &BTreeSet::new(), limits)
}

/// Inlines all calls except those of the functions `kept`. Afterwards only the entry function and
/// the functions that are still called have a body.
///
/// # Errors
/// See [`InlineError`]; the program is unchanged then, except for unused additions to the pool.
pub fn inline_except(
    pool: &mut TermPool,
    program: &mut Program,
    kept: &BTreeSet<Function>,
    limits: InlineLimits,
) -> Result<Inlined, InlineError> {
    let entry = program.entry;
    let mut inliner = Inliner {
        pool,
        program,
        kept,
        limits,
        roots: vec![entry],
        blocks: PrimaryMap::new(),
        values: PrimaryMap::new(),
        origin: FunctionOrigin::default(),
        copies: PrimaryMap::new(),
        new_objects: Vec::new(),
        new_unsupported: Vec::new(),
        reachable: FxHashMap::default(),
        copies_of: FxHashMap::default(),
        size: 0,
        cuts: 0,
    };
    let mut bodies = Vec::new();
    while let Some(&root) = inliner.roots.get(bodies.len()) {
        bodies.push(inliner.body(root)?);
    }
    let Inliner { copies, new_objects, new_unsupported, cuts, .. } = inliner;

    let mut objects: Vec<Option<Object>> = program.objects.keys().map(Some).collect();
    for (origin, data) in new_objects {
        program.objects.push(data);
        objects.push(Some(origin));
    }
    for data in new_unsupported {
        program.unsupported.push(data);
    }
    for data in program.functions.values_mut() {
        data.blocks = PrimaryMap::new();
        data.values = PrimaryMap::new();
    }
    let mut step = Step { objects: Some(objects), ..Step::default() };
    for Body { function, blocks, values, entry, origin } in bodies {
        let data = &mut program.functions[function];
        (data.blocks, data.values, data.entry) = (blocks, values, entry);
        if cuts > 0 {
            clear_unreachable(data);
        }
        step.functions[function] = Some(origin);
    }
    Ok(Inlined { back: BackTranslator::from_step(step), copies, cuts })
}

/// The new body of a function.
struct Body {
    function: Function,
    blocks: PrimaryMap<Block, BlockData>,
    values: PrimaryMap<Value, ValueData>,
    entry: Block,
    origin: FunctionOrigin,
}

/// Clears the unreachable blocks, whose values may have lost their definitions.
pub(super) fn clear_unreachable(data: &mut FunctionData) {
    let graph = ControlFlow::new(data);
    for (block, data) in data.blocks.iter_mut() {
        if !graph.is_reachable(block) {
            data.parameters.clear();
            data.instructions.clear();
            data.terminator = Terminator::Stop(program::ssa::StopReason::Unreachable);
        }
    }
}

/// A copy whose blocks and values are allocated but not filled yet.
struct Instance {
    copy: BodyCopy,
    function: Function,
    /// By old block; `None` for unreachable blocks.
    blocks: Vec<Option<Block>>,
    /// The new index of old value 0.
    first_value: u32,
    /// 1 for the first copy of the function, and so on.
    number: usize,
    /// The target of returns; `None` for the entry function.
    continuation: Option<Continuation>,
}

#[derive(Clone, Copy)]
struct Continuation {
    block: Block,
    /// The result parameter of the block, if any.
    result: Option<Value>,
}

struct Inliner<'a> {
    pool: &'a mut TermPool,
    program: &'a Program,
    kept: &'a BTreeSet<Function>,
    limits: InlineLimits,
    /// The functions that get a body: the entry function, and the kept functions that are called.
    roots: Vec<Function>,
    blocks: PrimaryMap<Block, BlockData>,
    values: PrimaryMap<Value, ValueData>,
    origin: FunctionOrigin,
    copies: PrimaryMap<BodyCopy, BodyCopyData>,
    new_objects: Vec<(Object, ObjectData)>,
    new_unsupported: Vec<UnsupportedData>,
    reachable: FxHashMap<Function, Vec<bool>>,
    copies_of: FxHashMap<Function, usize>,
    size: usize,
    cuts: usize,
}

impl Inliner<'_> {
    fn function(&self, function: Function) -> &FunctionData {
        &self.program.functions[function]
    }

    /// Builds the body of a function that remains.
    fn body(&mut self, function: Function) -> Result<Body, InlineError> {
        let data = self.function(function);
        let (span, entry) = (data.span, data.entry);
        let root = self.instantiate(function, None, span)?;
        let entry = root.blocks[entry.index()].expect("the entry block of a function is reachable");
        let mut work = vec![root];
        while let Some(instance) = work.pop() {
            let calls = self.fill(&instance)?;
            work.extend(calls.into_iter().rev());
        }
        Ok(Body {
            function,
            blocks: std::mem::take(&mut self.blocks),
            values: std::mem::take(&mut self.values),
            entry,
            origin: std::mem::take(&mut self.origin),
        })
    }

    /// Allocates the blocks and values of a copy of `function`.
    fn instantiate(
        &mut self,
        function: Function,
        caller: Option<BodyCopy>,
        span: Span,
    ) -> Result<Instance, InlineError> {
        let program = self.program;
        let data = &program.functions[function];
        let is_reachable = self.reachable.entry(function).or_insert_with(|| {
            let graph = ControlFlow::new(data);
            data.blocks.keys().map(|block| graph.is_reachable(block)).collect()
        });
        let is_reachable = is_reachable.clone();
        let blocks_and_instructions: usize = data
            .blocks
            .iter()
            .filter(|(block, _)| is_reachable[block.index()])
            .map(|(_, block)| 1 + block.instructions.len())
            .sum();
        self.size += blocks_and_instructions;
        if self.size > self.limits.size {
            return Err(InlineError::TooLarge { function: data.name.clone(), limit: self.limits.size, span });
        }
        let number = self.copies_of.entry(function).or_default();
        *number += 1;
        let number = *number;
        let copy = self.copies.push(BodyCopyData { function, caller, span });
        let mut blocks = vec![None; data.blocks.len()];
        for (block, old) in data.blocks.iter() {
            if is_reachable[block.index()] {
                let new = self.push_block(Some((function, block)), old.span);
                self.blocks[new].label.clone_from(&old.label);
                blocks[block.index()] = Some(new);
            }
        }
        let first_value = u32::try_from(self.values.len()).expect("the size limit keeps values few");
        for (value, old) in data.values.iter() {
            self.values.push(old.clone());
            self.origin.values.push(Some((function, value)));
        }
        Ok(Instance { copy, function, blocks, first_value, number, continuation: None })
    }

    fn push_block(&mut self, origin: Option<(Function, Block)>, span: Span) -> Block {
        self.origin.blocks.push(origin);
        self.blocks.push(BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator: Terminator::Stop(program::ssa::StopReason::Unreachable),
            span,
            label: None,
            call_boundary: None,
        })
    }

    /// Copies the body into the blocks of `instance`; returns the copies that its calls need, in
    /// order.
    fn fill(&mut self, instance: &Instance) -> Result<Vec<Instance>, InlineError> {
        let mut calls = Vec::new();
        let mut objects: FxHashMap<Object, Object> = FxHashMap::default();
        let program = self.program;
        let data = &program.functions[instance.function];
        'blocks: for (old_block, old) in data.blocks.iter() {
            let Some(first) = instance.blocks[old_block.index()] else { continue };
            let mut current = first;
            self.blocks[first].parameters =
                old.parameters.iter().map(|value| Value(value.0 + instance.first_value)).collect();
            for instruction in &old.instructions {
                let mut new = instruction.clone();
                new.result = new.result.map(|value| Value(value.0 + instance.first_value));
                new.kind.map_terms(|term| shift(self.pool, term, instance.first_value));
                match &mut new.kind {
                    InstructionKind::AddressOf(object) | InstructionKind::Forget { object, .. } => {
                        *object = self.object_of_copy(instance, &mut objects, *object);
                    }
                    InstructionKind::Call { callee: Callee::Indirect { .. }, .. } => {
                        return Err(InlineError::Indirect { span: new.span });
                    }
                    InstructionKind::Call { callee: Callee::Direct(callee), arguments } => {
                        let callee = *callee;
                        if !self.function(callee).is_defined() {
                            if new.result.is_some() {
                                let source = HavocSource::External(self.function(callee).name.clone());
                                new.kind = InstructionKind::Havoc(source);
                                self.blocks[current].instructions.push(new);
                            }
                            continue;
                        }
                        if self.kept.contains(&callee) {
                            if !self.roots.contains(&callee) {
                                self.roots.push(callee);
                            }
                            self.blocks[current].instructions.push(new);
                            continue;
                        }
                        if self.is_too_deep(instance.copy, callee, new.span)? {
                            let name = &self.function(callee).name;
                            let construct =
                                format!("recursion of `{name}` deeper than {} calls", self.limits.recursion);
                            self.cuts += 1;
                            self.blocks[current].terminator = self.unsupported(construct, new.span);
                            self.blocks[current].span = new.span;
                            continue 'blocks;
                        }
                        let mut called = self.instantiate(callee, Some(instance.copy), new.span)?;
                        let target = called.blocks[self.function(callee).entry.index()]
                            .expect("the entry block of a function is reachable");
                        let mut arguments = std::mem::take(arguments);
                        arguments.truncate(self.function(callee).parameters.len());
                        self.blocks[current].terminator = Terminator::Goto(Edge { target, arguments });
                        self.blocks[current].span = new.span;
                        self.blocks[target].call_boundary = Some(CallBoundary::Call);
                        current = self.push_block(Some((instance.function, old_block)), old.span);
                        self.blocks[current].parameters = new.result.into_iter().collect();
                        self.blocks[current].call_boundary = Some(CallBoundary::Return);
                        called.continuation = Some(Continuation { block: current, result: new.result });
                        calls.push(called);
                        continue;
                    }
                    _ => {}
                }
                self.blocks[current].instructions.push(new);
            }
            self.blocks[current].span = old.span;
            let mut terminator = old.terminator.clone();
            let first_value = instance.first_value;
            terminator.map_terms(|term| shift(self.pool, term, first_value));
            for edge in terminator.edges_mut() {
                edge.target = instance.blocks[edge.target.index()]
                    .expect("a successor of a reachable block is reachable");
            }
            if let (Terminator::Return(value), Some(continuation)) = (&terminator, instance.continuation) {
                terminator = self.return_to(continuation, *value, data, old.span);
            }
            self.blocks[current].terminator = terminator;
        }
        Ok(calls)
    }

    fn return_to(
        &mut self,
        continuation: Continuation,
        value: Option<Term>,
        data: &FunctionData,
        span: Span,
    ) -> Terminator {
        let arguments = match (continuation.result, value) {
            (None, _) => vec![],
            (Some(result), Some(value)) if self.values[result].ty.sort() == self.pool.sort(value) => {
                vec![value]
            }
            (Some(_), _) => {
                let construct = format!(
                    "the result of `{}` is used, but the function does not return this type",
                    data.name
                );
                return self.unsupported(construct, span);
            }
        };
        Terminator::Goto(Edge { target: continuation.block, arguments })
    }

    fn unsupported(&mut self, construct: String, span: Span) -> Terminator {
        let index = self.program.unsupported.len() + self.new_unsupported.len();
        self.new_unsupported.push(UnsupportedData { construct, span });
        Terminator::Unsupported(Unsupported::new(index))
    }

    /// The counterpart of `object` in this copy: itself if it is static or if its function is kept,
    /// a new static object otherwise.
    fn object_of_copy(
        &mut self,
        instance: &Instance,
        objects: &mut FxHashMap<Object, Object>,
        object: Object,
    ) -> Object {
        let data = &self.program.objects[object];
        if data.owner != Some(instance.function) || self.kept.contains(&instance.function) {
            return object;
        }
        *objects.entry(object).or_insert_with(|| {
            let name = match instance.number {
                1 => data.name.clone(),
                number => format!("{}#{number}", data.name),
            };
            let new = Object::new(self.program.objects.len() + self.new_objects.len());
            self.new_objects.push((object, ObjectData { name, owner: None, ..data.clone() }));
            new
        })
    }

    /// Whether a call of `callee` in a copy exceeds the recursion depth.
    fn is_too_deep(&self, copy: BodyCopy, callee: Function, span: Span) -> Result<bool, InlineError> {
        let mut cycle = vec![self.function(callee).name.clone()];
        let mut activations = 0;
        let mut current = Some(copy);
        while let Some(copy) = current {
            let data = &self.copies[copy];
            cycle.push(self.function(data.function).name.clone());
            if data.function == callee {
                if self.limits.recursion == 0 {
                    cycle.reverse();
                    return Err(InlineError::Recursion { cycle, span });
                }
                activations += 1;
                if activations > self.limits.recursion {
                    return Ok(true);
                }
            }
            current = data.caller;
        }
        Ok(false)
    }
}

/// Adds `first_value` to the index of every value leaf.
fn shift(pool: &mut TermPool, term: Term, first_value: u32) -> Term {
    if first_value == 0 {
        return term;
    }
    pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
        Op::Value(index) => {
            let sort = pool.sort(leaf);
            Some(pool.value(index + first_value, sort))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT};
    use super::*;

    fn run(build: &mut Build) -> Result<Inlined, InlineError> {
        run_within(build, InlineLimits::default())
    }

    fn run_within(build: &mut Build, limits: InlineLimits) -> Result<Inlined, InlineError> {
        build.assert_well_formed();
        let result = inline(&mut build.pool, &mut build.program, limits);
        build.assert_well_formed();
        result
    }

    /// `f(x)` has a local variable and returns `x + 1`.
    fn with_function() -> (Build, Function) {
        let mut build = Build::new();
        let (f, x) = build.function("f", &[INT], Some(INT));
        let variable = build.object("variable", 4, Some(f));
        let address = build.address_of(variable);
        build.store(INT, address, x[0]);
        let loaded = build.load(INT, address);
        let one = build.number(1);
        let sum = build.pool.bv_add(loaded, one);
        build.end(Terminator::Return(Some(sum)));
        build.at(Function(0), Block(0));
        (build, f)
    }

    #[test]
    fn each_call_gets_a_copy_with_objects_of_its_own() {
        let (mut build, f) = with_function();
        let one = build.number(1);
        let first = build.call(f, &[one], Some(INT)).expect("a result");
        build.call(f, &[first], None);
        let inlined = run(&mut build).expect("no recursion");
        assert!(build.kinds(Function(0)).iter().all(|kind| !matches!(kind, InstructionKind::Call { .. })));
        assert!(!build.program.functions[f].is_defined());
        let names: Vec<&str> = build.program.objects.values().map(|object| object.name.as_str()).collect();
        assert_eq!(names, ["variable", "variable", "variable#2"]);
        assert!(build.program.objects.values().skip(1).all(|object| object.owner.is_none()));
        assert_eq!(inlined.back.object(Object(2)), Some(Object(0)));
        assert_eq!(inlined.copies.len(), 3);
        let of_f: Vec<Block> = build.program.functions[Function(0)]
            .blocks
            .keys()
            .filter(|&block| inlined.back.block(Function(0), block) == Some((f, Block(0))))
            .collect();
        assert_eq!(of_f.len(), 2);
        let entry = &build.program.functions[Function(0)];
        let boundaries = entry.blocks.values().filter(|block| block.call_boundary.is_some()).count();
        assert_eq!(boundaries, 4, "each call has a block where it begins and one where it returns");
        assert!(of_f.iter().all(|&block| entry.blocks[block].call_boundary.is_some()));
    }

    #[test]
    fn recursion_names_the_cycle() {
        let mut build = Build::new();
        let g = Function(2);
        let (f, _) = build.function("f", &[], None);
        let declared = build.declare("g", &[], None);
        assert_eq!(declared, g);
        build.call(g, &[], None);
        build.end(Terminator::Return(None));
        build.function = g;
        build.block = build.block(&[]);
        build.call(f, &[], None);
        build.end(Terminator::Return(None));
        build.at(Function(0), Block(0));
        build.call(f, &[], None);
        let error = run(&mut build).expect_err("f calls g calls f");
        assert_eq!(error.to_string(), "recursion: f calls g calls f");
    }

    #[test]
    fn what_follows_a_call_that_is_too_deep_is_cleared() {
        let mut build = Build::new();
        let (f, x) = build.function("f", &[INT], Some(INT));
        let after = build.block(&[]);
        let result = build.call(f, &[x[0]], Some(INT)).expect("it has a result");
        build.goto(after, &[]);
        build.at(f, after);
        let one = build.number(1);
        let sum = build.pool.bv_add(result, one);
        build.end(Terminator::Return(Some(sum)));
        build.at(Function(0), Block(0));
        let zero = build.number(0);
        build.call(f, &[zero], Some(INT));
        build.end(Terminator::Return(None));
        let inlined = run_within(&mut build, InlineLimits { recursion: 1, ..InlineLimits::default() });
        assert_eq!(inlined.expect("the recursion is cut").cuts, 1);
    }

    #[test]
    fn what_has_no_body_becomes_an_input() {
        let mut build = Build::new();
        let external = build.declare("external", &[], Some(INT));
        build.call(external, &[], Some(INT));
        build.call(external, &[], None);
        run(&mut build).expect("no recursion");
        let source = HavocSource::External("external".to_owned());
        assert_eq!(build.kinds(Function(0)), [&InstructionKind::Havoc(source)]);
    }

    #[test]
    fn a_tower_of_calls_is_too_large() {
        let mut build = Build::new();
        let mut callee = build.function("f0", &[], None).0;
        build.end(Terminator::Return(None));
        for level in 1..40 {
            let (function, _) = build.function(&format!("f{level}"), &[], None);
            build.call(callee, &[], None);
            build.call(callee, &[], None);
            build.end(Terminator::Return(None));
            callee = function;
        }
        build.at(Function(0), Block(0));
        build.call(callee, &[], None);
        let limits = InlineLimits { size: 1000, recursion: 0 };
        let error = inline(&mut build.pool, &mut build.program, limits).expect_err("2^40 copies");
        assert!(matches!(error, InlineError::TooLarge { limit: 1000, .. }));
    }

    #[test]
    fn calls_that_cannot_be_reached_are_not_followed() {
        let mut build = Build::new();
        let (f, _) = build.function("f", &[], None);
        build.end(Terminator::Return(None));
        let unreachable = build.block(&[]);
        build.at(f, unreachable);
        build.call(f, &[], None);
        build.at(Function(0), Block(0));
        build.call(f, &[], None);
        assert!(run(&mut build).is_ok());
    }
}
