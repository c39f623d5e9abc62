//! The guarded SSA IR: data structures.
//!
//! A [`Program`] has regions of memory, objects, functions, properties (error sites) and an entry function. A
//! [`FunctionData`] is a graph of blocks in SSA form: a block has parameters (its φs), instructions and a terminator.
//! All terms in a function are bit-precise SMT-LIB terms over [`Op::Value`](terms::Op::Value) leaves
//! (`pool.value(v.0, sort)`); encodings translate the formulas made from them, not the IR.
//!
//! # Memory
//!
//! An address is a bit vector of [`Machine::pointer_width`] bits; the null pointer is 0. Every [`ObjectData`] occupies
//! an interval of addresses of its own, never containing 0 and never wrapping; [`InstructionKind::AddressOf`] yields the first
//! one. What is stored lives in a [`RegionData`]: at first there is one byte region for all; the region-splitting pass
//! refines it by an alias analysis. Every region is zero at program start (initialisers are stores in the entry
//! function); the declaration of an automatic object forgets its contents ([`InstructionKind::Forget`]).
//! Scalars are little-endian.

pub mod cfg;
pub mod check;
pub mod dominators;
pub mod liveness;
pub mod loops;
mod operands;
mod property;
pub mod reducible;
pub mod types;

use crate::source::SourceInfo;
pub use grammars::source::Span;
use std::sync::Arc;
use terms::Term;
use terms::entity::{PrimaryMap, SecondaryMap};

pub use property::{PropertyData, PropertyKind, UnknownPropertyKind};
pub use terms::Signedness;
pub use types::{Machine, Type};

terms::entity! {
    /// A basic block.
    Block, "b"
}
terms::entity! {
    /// An SSA value of a function.
    Value, "v"
}
terms::entity! {
    /// A function of the program.
    Function, "f"
}
terms::entity! {
    /// A region of memory.
    Region, "r"
}
terms::entity! {
    /// An object with an address: a global, a string literal, or an automatic variable of a function.
    Object, "o"
}
terms::entity! {
    /// An error site.
    Property, "p"
}
terms::entity! {
    /// A construct that the front end could not lower.
    Unsupported, "u"
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Pointer width and object layout.
    pub machine: Machine,
    /// Memory.
    pub regions: PrimaryMap<Region, RegionData>,
    /// The regions that the program keeps beside its memory, to know which objects there are.
    pub shadow: Shadow,
    /// All objects, global and automatic.
    pub objects: PrimaryMap<Object, ObjectData>,
    /// All functions, also those that are only declared.
    pub functions: PrimaryMap<Function, FunctionData>,
    /// Where execution starts: a function without parameters that initialises the globals and calls `main`.
    pub entry: Function,
    /// The error sites.
    pub properties: PrimaryMap<Property, PropertyData>,
    /// What could not be lowered; reaching one makes every verdict but FALSE impossible.
    pub unsupported: PrimaryMap<Unsupported, UnsupportedData>,
    /// What the source says of the program, for traces. The text form does not show it.
    pub source: Arc<SourceInfo>,
}

impl Program {
    /// Whether no access to the region needs a check: the program checks its accesses, or the region is a shadow, which holds no
    /// objects.
    pub fn checks_accesses_to(&self, region: Region) -> bool {
        self.machine.slot_bits.is_some() || self.shadow.contains(region)
    }
}

/// Regions in which a program that is checked keeps what it knows of its objects. No address of the program's
/// memory leads into them. Each object with an entry has an index, the same in all of them, which the program computes from
/// the object's address. To the views and the interpreter these are regions as any others; passes leave them as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// `Cells`: the size of the object in bytes, 0 if there is none (any more).
    pub sizes: Option<Region>,
    /// `Cells`: 1 if the object is a heap block that was not freed, else 0.
    pub blocks: Option<Region>,
    /// A scalar: how many heap blocks were not freed.
    pub live_blocks: Option<Region>,
    /// `Cells`: of each `alloca` block the one that its activation allocated before.
    pub previous: Option<Region>,
    /// `Cells`: 1 if a value was stored at the address since the declaration there was reached, else 0. The index is
    /// the address itself.
    pub assigned: Option<Region>,
    /// `Cells`: how far the address that the program observes lies from the one that it computes with, modulo the
    /// address space. Zero for what was never placed.
    pub placements: Option<Region>,
}

impl Shadow {
    /// Those that there are, with the names of their parts in the text form.
    pub fn regions(&self) -> impl Iterator<Item = (&'static str, Region)> + use<> {
        let parts = [
            ("sizes", self.sizes),
            ("blocks", self.blocks),
            ("live-blocks", self.live_blocks),
            ("previous", self.previous),
            ("assigned", self.assigned),
            ("placements", self.placements),
        ];
        parts.into_iter().filter_map(|(name, region)| Some((name, region?)))
    }

    /// Whether the region is one of them.
    pub fn contains(&self, region: Region) -> bool {
        self.regions().any(|(_, other)| other == region)
    }

    /// The same parts in other regions.
    #[must_use]
    pub fn map(self, mut to: impl FnMut(Region) -> Region) -> Self {
        let parts =
            [self.sizes, self.blocks, self.live_blocks, self.previous, self.assigned, self.placements];
        let [sizes, blocks, live_blocks, previous, assigned, placements] =
            parts.map(|region| region.map(&mut to));
        Shadow { sizes, blocks, live_blocks, previous, assigned, placements }
    }
}

/// A region of memory. Accesses to different regions never alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionData {
    /// Name for people, unique in the program.
    pub name: String,
    /// What the region is made of.
    pub kind: RegionKind,
}

/// What a region is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// One scalar variable; loads and stores carry no address.
    Scalar(Type),
    /// A map from index to cells of one type. The `address` of an access is used as the index as it is; an access has the cell's type.
    Cells(Type),
    /// A map from address to bytes; accesses of `n` bytes touch `address .. address+n`, little-endian.
    Bytes,
}

/// An object with an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectData {
    /// Name of the source variable (or a made-up one).
    pub name: String,
    /// Bytes; at least 1.
    pub size: u64,
    /// Alignment of the first address in bytes, a power of two.
    pub align: u64,
    /// The function whose activations each have one; `None` for static storage.
    pub owner: Option<Function>,
    /// The regions that hold its contents: one, until a pass splits it by fields.
    pub regions: Vec<Region>,
    /// Where it is declared.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionData {
    /// The source name, unique in the program.
    pub name: String,
    /// The type of the result, if any.
    pub result: Option<Type>,
    /// Types of the parameters; the parameters themselves are those of the entry block.
    pub parameters: Vec<Type>,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// The blocks; empty for a function that is only declared.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The values; every value is defined exactly once, by an instruction or as a block parameter.
    pub values: PrimaryMap<Value, ValueData>,
    /// The first block; has no predecessors.
    pub entry: Block,
    /// The definition or declaration.
    pub span: Span,
}

/// An SSA value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its type, which gives the sort.
    pub ty: Type,
    /// The source variable (or place, `s.x`) that this is a version of, for traces and names.
    pub name: Option<String>,
    /// Where it comes from.
    pub span: Span,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// The φs: each predecessor's edge gives an argument for each.
    pub parameters: Vec<Value>,
    /// In order of execution.
    pub instructions: Vec<Instruction>,
    /// What follows.
    pub terminator: Terminator,
    /// The terminator's place in the source.
    pub span: Span,
    /// A label of the source, if the block starts at one.
    pub label: Option<String>,
    /// Whether an inlined call begins or returns here. The text form does not show it.
    pub is_call_boundary: bool,
}

/// An instruction. Defines at most one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The defined value; always there for all kinds but stores, `Forget` and calls whose result is not used.
    pub result: Option<Value>,
    /// What it does.
    pub kind: InstructionKind,
    /// Where it comes from.
    pub span: Span,
}

/// What an instruction does. All terms are over values that dominate it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// The result is the term.
    Pure(Term),
    /// The result is any value of its type.
    Havoc(HavocSource),
    /// The result is the first address of the object (for an automatic object: that of the running activation).
    AddressOf(Object),
    /// The result is the address of a function: a constant that differs from every object address and from 0.
    FunctionAddress(Function),
    /// The result is what the region holds. `address` is `None` exactly for scalar regions.
    Load {
        /// From where.
        region: Region,
        /// The address or index.
        address: Option<Term>,
    },
    /// Changes the region.
    Store {
        /// To where.
        region: Region,
        /// The address or index; `None` exactly for scalar regions.
        address: Option<Term>,
        /// What is stored; its type is `ty`.
        value: Term,
        /// The type of the access.
        ty: Type,
        /// The source place (`a[i]`, `p->x`) for traces.
        place: Option<String>,
    },
    /// The contents of an object become nondeterministic.
    Forget {
        /// The region in which the object lives.
        region: Region,
        /// Which object.
        object: Object,
    },
    /// The result is the address of a new object of `size` bytes (a pointer-wide term), different from all others.
    /// Its contents are nondeterministic, or zero.
    Allocate {
        /// The region in which the new object lives.
        region: Region,
        /// Bytes.
        size: Term,
        /// The alignment of the address that the program may rely on, a power of two.
        align: u64,
        /// What it holds at first.
        contents: Contents,
    },
    /// Calls a function; the result is what it returns. A function without a body returns any value of its result type
    /// and has no other effect: the front end leaves only calls for which that is right.
    Call {
        /// Which one.
        callee: Callee,
        /// One for each parameter (more only for variadic functions).
        arguments: Vec<Term>,
    },
}

/// What new memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contents {
    /// All bytes zero.
    Zero,
    /// Anything.
    Unknown,
}

/// The target of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A known function.
    Direct(Function),
    /// The function whose address this is; made into guarded direct calls by the function-pointer pass.
    Indirect {
        /// The address.
        address: Term,
        /// Parameter types of the called function type.
        parameters: Vec<Type>,
        /// Result type of the called function type.
        result: Option<Type>,
    },
}

/// Where a nondeterministic value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HavocSource {
    /// An input function of the verification task, e.g. `__VERIFIER_nondet_int`.
    Input(String),
    /// An automatic variable that is declared without a value.
    Uninitialized,
    /// What an external function without a model returns.
    External(String),
    /// An over-approximation: the construct named here is not modeled precisely. A counterexample through it does not count.
    Approximation(String),
}

/// An edge of the control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub target: Block,
    /// One for each parameter of the target.
    pub arguments: Vec<Term>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// One successor.
    Goto(Edge),
    /// Two successors.
    Branch {
        /// Of sort Bool.
        condition: Term,
        /// Taken when the condition holds.
        then: Edge,
        /// Taken otherwise.
        otherwise: Edge,
    },
    /// Many successors. The cases are disjoint.
    Switch {
        /// A bit vector.
        scrutinee: Term,
        /// In order; a case is taken when the scrutinee is in one of its ranges.
        cases: Vec<SwitchCase>,
        /// Taken when no case is.
        default: Edge,
    },
    /// The function returns.
    Return(Option<Term>),
    /// The property is violated here.
    Error(Property),
    /// Execution ends without violation: `abort`, `exit`, a failing assumption, code that cannot be reached.
    Stop(StopReason),
    /// A construct that could not be lowered is reached.
    Unsupported(Unsupported),
}

/// A case of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchCase {
    /// Inclusive ranges of constants of the scrutinee's sort, compared as the scrutinee's type says.
    pub ranges: Vec<(Term, Term)>,
    /// How the ranges are compared.
    pub signedness: Signedness,
    /// Where it leads.
    pub edge: Edge,
}

/// Why execution stops without violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// `__VERIFIER_assume` failed.
    Assume,
    /// `abort`, `exit`, a failing `assert` that is not a property, the end of the program.
    Exit,
    /// Control cannot get here.
    Unreachable,
}

/// A construct that could not be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedData {
    /// The construct, for people.
    pub construct: String,
    /// Where.
    pub span: Span,
}

impl Terminator {
    /// The outgoing edges in order.
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            Terminator::Goto(edge) => vec![edge],
            Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|case| &case.edge).chain(std::iter::once(default)).collect()
            }
            Terminator::Return(_)
            | Terminator::Error(_)
            | Terminator::Stop(_)
            | Terminator::Unsupported(_) => vec![],
        }
    }

    /// The outgoing edges in order, mutable.
    pub fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            Terminator::Goto(edge) => vec![edge],
            Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().map(|case| &mut case.edge).chain(std::iter::once(default)).collect()
            }
            Terminator::Return(_)
            | Terminator::Error(_)
            | Terminator::Stop(_)
            | Terminator::Unsupported(_) => vec![],
        }
    }
}

impl FunctionData {
    /// Whether there is a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Moves the instructions of `block` from `position` on, and its terminator, to a new block that follows it.
    pub fn split_block(&mut self, block: Block, position: usize) -> Block {
        let first = &mut self.blocks[block];
        let rest = BlockData {
            parameters: Vec::new(),
            instructions: first.instructions.split_off(position),
            terminator: first.terminator.clone(),
            span: first.span,
            label: None,
            is_call_boundary: false,
        };
        let next = self.blocks.push(rest);
        self.blocks[block].terminator = Terminator::Goto(Edge::to(next));
        next
    }

    /// The predecessors of each block, once per edge.
    pub fn predecessors(&self) -> SecondaryMap<Block, Vec<Block>> {
        let mut predecessors = SecondaryMap::<Block, Vec<Block>>::new();
        for (block, data) in self.blocks.iter() {
            for edge in data.terminator.edges() {
                predecessors[edge.target].push(block);
            }
        }
        predecessors
    }
}

#[cfg(test)]
mod tests;
