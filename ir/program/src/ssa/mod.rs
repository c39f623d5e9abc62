//! The data structures of the guarded SSA IR.
//!
//! A [`Program`] has regions of memory, objects, functions, properties (error sites) and an entry
//! function. A [`FunctionData`] is a control-flow graph of blocks in SSA form: a block has
//! parameters (its φs), instructions and a terminator. All terms in a function are bit-precise
//! SMT-LIB terms over [`Op::Value`](terms::Op::Value) leaves (`pool.value(v.0, sort)`). Encodings
//! translate the formulas built from the IR, not the IR itself.
//!
//! # Memory
//!
//! An address is a bit vector of [`Machine::pointer_width`] bits; the null pointer is 0. Every
//! [`ObjectData`] occupies its own interval of addresses, which never contains 0 and never wraps
//! around; [`InstructionKind::AddressOf`] yields the first address. The contents of memory live in
//! regions ([`RegionData`]): lowering creates a single byte region, which the region-splitting pass
//! refines by an alias analysis. Every region is zero at program start (initializers are stores in
//! the entry function); the declaration of an automatic object makes its contents nondeterministic
//! ([`InstructionKind::Forget`]). Scalars are little-endian.

pub mod cfg;
pub mod check;
pub mod dominators;
pub mod liveness;
pub mod loops;
mod operands;
mod property;
pub mod reducible;
pub mod source;
pub mod types;

pub use grammars::source::Span;
use std::sync::Arc;
use terms::Term;
use terms::entity::{PrimaryMap, SecondaryMap};

pub use property::{PropertyData, PropertyKind, UnknownPropertyKind};
use source::SourceInfo;
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
    /// An object with an address: a global, a string literal, or an automatic variable of a
    /// function.
    Object, "o"
}
terms::entity! {
    /// An error site.
    Property, "p"
}
terms::entity! {
    /// A construct that the front end does not support.
    Unsupported, "u"
}

/// A complete program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Pointer width and object layout.
    pub machine: Machine,
    /// The regions of memory.
    pub regions: PrimaryMap<Region, RegionData>,
    /// The shadow regions, in which the program keeps metadata of its objects.
    pub shadow: Shadow,
    /// All objects, static and automatic.
    pub objects: PrimaryMap<Object, ObjectData>,
    /// All functions, including those that are only declared.
    pub functions: PrimaryMap<Function, FunctionData>,
    /// The entry point: a function without parameters that initializes the globals and calls
    /// `main`.
    pub entry: Function,
    /// The error sites.
    pub properties: PrimaryMap<Property, PropertyData>,
    /// Unsupported constructs; reaching one rules out every verdict but FALSE.
    pub unsupported: PrimaryMap<Unsupported, UnsupportedData>,
    /// Names, types and scopes of the source, for traces. The text form does not show them.
    pub source: Arc<SourceInfo>,
}

impl Program {
    /// Whether accesses to the region need no extra check: the program checks its accesses itself,
    /// or the region is a shadow region, which holds no objects.
    pub fn checks_accesses_to(&self, region: Region) -> bool {
        self.machine.slot_bits.is_some() || self.shadow.contains(region)
    }
}

/// Regions in which a checked program keeps metadata of its objects. No address of the program's
/// memory leads into them. Each object with an entry has an index, the same in all shadow regions,
/// which the program computes from the object's address. The views and the interpreter treat them
/// as ordinary regions; passes leave them unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// `Cells`: the size of the object in bytes, 0 if it does not exist or its lifetime has ended.
    pub sizes: Option<Region>,
    /// `Cells`: 1 if the object is a heap block that has not been freed, else 0.
    pub blocks: Option<Region>,
    /// A scalar: the number of heap blocks that have not been freed.
    pub live_blocks: Option<Region>,
    /// `Cells`: for each `alloca` block, the block that its activation allocated before.
    pub previous: Option<Region>,
    /// `Cells`: 1 if a value was stored at the address since its declaration was reached, else 0.
    /// The index is the address itself.
    pub assigned: Option<Region>,
    /// `Cells`: the observable address of the object minus its internal address, modulo the size of
    /// the address space. Zero for objects without a placement.
    pub placements: Option<Region>,
}

impl Shadow {
    /// The shadow regions in use, with the names of their parts in the text form.
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

    /// Whether the region is a shadow region.
    pub fn contains(&self, region: Region) -> bool {
        self.regions().any(|(_, other)| other == region)
    }

    /// Replaces each region by its image under `to`.
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
    /// A name for diagnostics, unique in the program.
    pub name: String,
    /// The structure of the region.
    pub kind: RegionKind,
}

/// The structure of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// One scalar variable; loads and stores carry no address.
    Scalar(Type),
    /// A map from indices to cells of one type. The `address` of an access is the index, unscaled;
    /// the access has the cell's width.
    Cells(Type),
    /// A map from addresses to bytes; an access of `n` bytes touches `address .. address+n`,
    /// little-endian.
    Bytes,
}

/// An object with an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectData {
    /// The name of the source variable, or a generated name.
    pub name: String,
    /// The size in bytes, at least 1.
    pub size: u64,
    /// Alignment of the first address in bytes, a power of two.
    pub align: u64,
    /// The function that owns the object, with one instance per activation; `None` for static
    /// storage.
    pub owner: Option<Function>,
    /// The regions that hold its contents: one, unless a pass has split the object by fields.
    pub regions: Vec<Region>,
    /// The declaration.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionData {
    /// The source name, unique in the program.
    pub name: String,
    /// The type of the result, if any.
    pub result: Option<Type>,
    /// The types of the parameters; the parameter values are those of the entry block.
    pub parameters: Vec<Type>,
    /// Whether the function accepts further arguments.
    pub is_variadic: bool,
    /// The blocks; empty for a function that is only declared.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The values. Every value has exactly one definition: an instruction or a block parameter.
    pub values: PrimaryMap<Value, ValueData>,
    /// The entry block, which has no predecessors.
    pub entry: Block,
    /// The definition or declaration.
    pub span: Span,
}

/// An SSA value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// The type, which determines the sort.
    pub ty: Type,
    /// The source variable or place (`s.x`) of which this value is a version, for traces and names.
    pub name: Option<String>,
    /// The source location.
    pub span: Span,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// The φs: the edge from each predecessor has one argument for each.
    pub parameters: Vec<Value>,
    /// The instructions in execution order.
    pub instructions: Vec<Instruction>,
    /// The terminator.
    pub terminator: Terminator,
    /// The source location of the terminator.
    pub span: Span,
    /// The source label at the start of the block.
    pub label: Option<String>,
    /// The end of an inlined call that is here. Not part of the text form.
    pub call_boundary: Option<CallBoundary>,
}

/// The ends of an inlined call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallBoundary {
    /// The called function starts.
    Call,
    /// The caller goes on.
    Return,
}

/// An instruction. Defines at most one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The defined value. Present for all kinds except stores, `Forget`, and calls whose result is
    /// unused.
    pub result: Option<Value>,
    /// The operation.
    pub kind: InstructionKind,
    /// The source location.
    pub span: Span,
}

/// The operation of an instruction. All terms are over values that dominate it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// The result is the term.
    Pure(Term),
    /// The result is a nondeterministic value of its type.
    Havoc(HavocSource),
    /// The result is the first address of the object; of an automatic object, the instance of the
    /// current activation.
    AddressOf(Object),
    /// The result is the address of a function: a constant different from 0 and from every object
    /// address.
    FunctionAddress(Function),
    /// The result is the value stored in the region. `address` is `None` exactly for scalar
    /// regions.
    Load {
        /// The region read.
        region: Region,
        /// The address or index.
        address: Option<Term>,
    },
    /// Stores a value in the region.
    Store {
        /// The region written.
        region: Region,
        /// The address or index; `None` exactly for scalar regions.
        address: Option<Term>,
        /// The stored value, of type `ty`.
        value: Term,
        /// The type of the access.
        ty: Type,
        /// The source place (`a[i]`, `p->x`) for traces.
        place: Option<String>,
    },
    /// The contents of an object become nondeterministic.
    Forget {
        /// The region that holds the object.
        region: Region,
        /// The object.
        object: Object,
    },
    /// The result is the address of a new object of `size` bytes (a pointer-wide term), different
    /// from the addresses of all other objects. Its contents are nondeterministic or zero.
    Allocate {
        /// The regions that hold the bytes of the new object; at least one.
        parts: Vec<Part>,
        /// The size in bytes.
        size: Term,
        /// The guaranteed alignment of the address, a power of two.
        align: u64,
        /// The initial contents.
        contents: Contents,
    },
    /// Calls a function; the result is the returned value. A function without a body returns a
    /// nondeterministic value of its result type and has no other effect: the front end emits such
    /// calls only where this is sound.
    Call {
        /// The called function.
        callee: Callee,
        /// One argument for each parameter, and possibly more for variadic functions.
        arguments: Vec<Term>,
    },
}

/// A region that holds bytes of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The region.
    pub region: Region,
    /// The bytes that the program accesses in this region. Its contents at other bytes of the
    /// object are unspecified.
    pub offsets: Offsets,
}

impl Part {
    /// All bytes of an object.
    pub fn whole(region: Region) -> Self {
        Part { region, offsets: Offsets { stretches: vec![(0, 1)], period: 1 } }
    }
}

/// A set of offsets in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// First offsets and numbers of bytes.
    pub stretches: Vec<(u64, u64)>,
    /// The distance after which the stretches repeat; 0 if they do not.
    pub period: u64,
}

impl Offsets {
    /// Whether `offset` is in the set.
    pub fn contains(&self, offset: u64) -> bool {
        self.stretches.iter().any(|&(start, bytes)| match self.period {
            0 => offset >= start && offset - start < bytes,
            period => match (offset % period, start % period) {
                (offset, start) if offset >= start => offset - start < bytes,
                (offset, start) => period - (start - offset) < bytes,
            },
        })
    }
}

/// The initial contents of allocated memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contents {
    /// All bytes zero.
    Zero,
    /// Nondeterministic.
    Unknown,
}

/// The target of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A known function.
    Direct(Function),
    /// The function with this address; the function-pointer pass replaces it by guarded direct
    /// calls.
    Indirect {
        /// The address.
        address: Term,
        /// Parameter types of the called function type.
        parameters: Vec<Type>,
        /// Result type of the called function type.
        result: Option<Type>,
    },
}

/// The source of a nondeterministic value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HavocSource {
    /// An input function of the verification task, e.g. `__VERIFIER_nondet_int`.
    Input(String),
    /// An automatic variable declared without an initializer.
    Uninitialized,
    /// The result of an external function without a model.
    External(String),
    /// An over-approximation of the named construct. A counterexample through it may be spurious
    /// and does not count.
    Approximation(String),
}

/// An edge of the control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The target block.
    pub target: Block,
    /// One argument for each parameter of the target.
    pub arguments: Vec<Term>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// One successor.
    Goto(Edge),
    /// Two successors.
    Branch {
        /// The condition, of sort Bool.
        condition: Term,
        /// Taken if the condition holds.
        then: Edge,
        /// Taken otherwise.
        otherwise: Edge,
    },
    /// Many successors. The cases are disjoint.
    Switch {
        /// The value to compare, a bit vector.
        scrutinee: Term,
        /// The cases in order; a case is taken if the scrutinee is in one of its ranges.
        cases: Vec<SwitchCase>,
        /// Taken if no case matches.
        default: Edge,
    },
    /// The function returns.
    Return(Option<Term>),
    /// The property is violated here.
    Error(Property),
    /// Execution ends without a violation: `abort`, `exit`, a failing assumption, unreachable code.
    Stop(StopReason),
    /// Reaches an unsupported construct.
    Unsupported(Unsupported),
}

/// A case of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchCase {
    /// Inclusive ranges of constants of the scrutinee's sort, ordered by `signedness`.
    pub ranges: Vec<(Term, Term)>,
    /// The signedness of the comparisons.
    pub signedness: Signedness,
    /// The edge taken.
    pub edge: Edge,
}

/// The reason why execution stops without a violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// A failing `__VERIFIER_assume`.
    Assume,
    /// `abort`, `exit`, a failing `assert` that is not a property, or the end of the program.
    Exit,
    /// Unreachable code.
    Unreachable,
}

/// A construct that the front end does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedData {
    /// A description of the construct, for diagnostics.
    pub construct: String,
    /// The source location.
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
    /// Whether the function has a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Moves the instructions of `block` from `position` on, and its terminator, to a new block, to
    /// which `block` then jumps. Returns the new block.
    pub fn split_block(&mut self, block: Block, position: usize) -> Block {
        let first = &mut self.blocks[block];
        let rest = BlockData {
            parameters: Vec::new(),
            instructions: first.instructions.split_off(position),
            terminator: first.terminator.clone(),
            span: first.span,
            label: None,
            call_boundary: None,
        };
        let next = self.blocks.push(rest);
        self.blocks[block].terminator = Terminator::Goto(Edge::to(next));
        next
    }

    /// The predecessors of each block, with one entry per edge.
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
