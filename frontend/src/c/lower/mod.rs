//! Lowering: from the typed tree to the guarded SSA IR.
//!
//! | module | what |
//! |---|---|
//! | `module` | globals, functions, what is shared by all of them |
//! | `start` | `__start`: initial contents, constructors, the entry function and its arguments |
//! | `ssa` | SSA construction after Braun et al. |
//! | `function` | one function: parameters, locals, results |
//! | `statements` | control flow |
//! | `expressions`, `convert`, `floats` | values |
//! | `assignments` | assignments and updates |
//! | `order` | orders of evaluation that C leaves open |
//! | `places` | memory: addresses, loads, stores, copies, bit-fields |
//! | `safety` | memory safety: which accesses are valid |
//! | `literals` | string literals that the program may write to |
//! | `lifetimes` | when automatic objects begin and end |
//! | `heap` | `malloc`, `free` and their like |
//! | `initializers` | local and static initializers |
//! | `calls`, `externals` | calls, and what functions without a body mean |
//! | `unknown` | the rule for functions of which nothing is known |
//! | `variadic` | `va_list` |
//! | `blocks` | `memcpy` and its like of constant size |
//! | `builtins` | operations known to the compiler |
//! | `checks` | error sites at operations |
//! | `arithmetic` | when integer arithmetic fails: overflow, division by zero, shifts |
//! | `math` | the functions of `math.h` |
//! | `pointers` | null pointers, indices outside of arrays |
//! | `definedness` | variables that are read before they have a value |
//! | `source` | what traces show of the source: types of places, what conditions read |
//! | `library` | C text of library functions that programs call but do not define |
//!
//! # Conventions
//!
//! * Signed overflow wraps. A shift by the width or more, and a division by zero, have SMT-LIB's result
//!   (C leaves them undefined, so both are sound for programs without undefined behavior). Where the specification makes one of
//!   them an error, the operation is preceded by an error site, and execution ends there: what comes after may rely on the check.
//! * Operands are evaluated from the left, arguments too, and places before what is assigned to them; what conflicts also from the right (`order`).
//! * Scalars whose address is not taken, and structs of which only members are used, are SSA values. Other locals are objects.
//!   Static scalars whose address is not taken are [`RegionKind::Scalar`](program::ssa::RegionKind) regions.
//! * `&&`, `||` and `?:` become terms if their operands are cheap, have no effect and make no error site, else control flow.
//! * A struct, union or other aggregate argument is passed as the address of a copy that the caller makes; an
//!   aggregate result is written to an address that is passed before all arguments.
//! * Arguments without a parameter are passed as the address of an area (see `variadic`).
//! * A floating value is its bit pattern; what is computed with it are exact operators of the theory of floats.
//! * `malloc` succeeds unless [`Allocation`] says otherwise. `free` does nothing unless memory safety is checked.
//! # What lowering decides
//!
//! Lowering is trusted, so it emits what the source says and leaves the rest to passes. These choices remain, each local to one expression or
//! one declaration:
//! * *Eager operands* (`expressions::is_eager`): reads of named objects that exist, and operations that cannot fail, give the same value whether or
//!   not C evaluates them. Whatever may reach an error site or the environment is control flow.
//! * *Values instead of objects* (`function::choose_storage`): no pointer can reach a local whose address is never taken.
//! * *Named objects without a read of the shadow* (`safety::Base`): a name is usable only while its object lives. The size comes with the
//!   place, through the functions that evaluate one expression.
//! * *No entry in the shadow* (`lifetimes`): objects whose address is never taken have none, because no pointer leads to their slot.
//! * *Pieces of a type in `memcpy`* (`blocks`): all bytes are copied; their grouping decides how precise region splitting is, not what is copied. The check is
//!   one of the whole block.
//! * *Memory that lowering made* (`safety::given_base`): argument areas, results and initializers of the running statement are stored without a
//!   check.
//! * *Definedness* (`definedness`): a check is left out only if the SSA construction shows the constant on all paths.
//!
//! # Recovery
//!
//! * What cannot be lowered ends its block with [`Terminator::Unsupported`](program::ssa::Terminator), and lowering goes on.

mod arithmetic;
mod assignments;
mod blocks;
mod builtins;
mod calls;
mod checks;
mod convert;
mod definedness;
mod entering;
mod escapes;
mod expressions;
mod externals;
mod floats;
mod function;
mod heap;
mod initializers;
mod instances;
mod intrinsics;
mod library;
mod lifetimes;
mod literals;
mod math;
mod module;
mod order;
mod output;
mod places;
mod pointers;
mod render;
mod safety;
mod source;
mod ssa;
mod start;
mod statements;
#[cfg(test)]
mod tests;
mod tracked;
mod unknown;
mod variadic;
mod vectors;

use super::hir;
use super::link::LinkedProgram;
use crate::spec::Specification;
use grammars::source::{Diagnostic, Span};
use program::ssa::Program;
use terms::TermPool;

/// Choices of lowering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The function with which execution begins.
    pub entry: String,
    /// Which functions are lowered.
    pub functions: FunctionSelection,
    /// Whether allocations may fail.
    pub allocation: Allocation,
    /// Which objects are tracked.
    pub tracking: Tracking,
}

/// Which objects lie in slots of addresses and have entries in the [`Shadow`](program::ssa::Shadow).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tracking {
    /// Those that the specification needs.
    AsNeeded,
    /// All.
    Always,
}

/// Whether `malloc` and its like may return null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allocation {
    /// There always is memory.
    Succeeds,
    /// Each time, the environment chooses.
    MayFail,
}

/// Which functions are lowered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionSelection {
    /// Those that the entry function may call, directly or through pointers.
    Reachable,
    /// All that are defined.
    All,
}

impl Options {
    /// Execution begins with `entry`; what cannot be called is left out.
    #[must_use]
    pub fn new(entry: impl Into<String>) -> Self {
        Self {
            entry: entry.into(),
            functions: FunctionSelection::Reachable,
            allocation: Allocation::Succeeds,
            tracking: Tracking::AsNeeded,
        }
    }
}

/// Lowers a program of one unit that was checked without error; see [`lower_linked`].
pub fn lower(
    pool: &mut TermPool,
    hir: &hir::Program,
    specification: &Specification,
    options: &Options,
) -> (Program, Vec<Diagnostic>) {
    let lowered = lower_linked(pool, &LinkedProgram::of_one(hir), specification, options);
    (lowered.program, lowered.diagnostics)
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Why there is no entry function, if there is none; then the program only stops.
    pub diagnostics: Vec<Diagnostic>,
    /// What the program rests on beyond its text, in order of first use.
    pub assumptions: Vec<Assumption>,
}

/// A function or an object without a definition that the lowered program mentions, and what it is taken to do or hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: AssumptionKind,
    /// The first use that was lowered.
    pub span: Span,
    /// What is assumed, for people.
    pub assumed: String,
}

/// What an assumption is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssumptionKind {
    /// A function.
    Function,
    /// An object.
    Data,
}

impl AssumptionKind {
    /// The kind for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::Function => "function",
            AssumptionKind::Data => "data",
        }
    }
}

/// Lowers units that were checked and linked without error.
///
/// # Panics
/// If the lowered program breaks a rule of [`program::ssa::check`], which is a bug here.
pub fn lower_linked(
    pool: &mut TermPool,
    linked: &LinkedProgram<'_>,
    specification: &Specification,
    options: &Options,
) -> Lowered {
    let library = library::parse_if_needed(linked);
    let run = || module::lower_program(&mut *pool, linked, library.as_ref(), specification, options);
    let lowered = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.expect("address space for the stack of one thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    program::ssa::check::assert_well_formed(pool, &lowered.program, "lowering");
    lowered
}

/// Whether the program may end the lives of blocks: it calls `free`, `realloc` or `alloca`, or takes their address.
pub fn ends_blocks(linked: &LinkedProgram<'_>) -> bool {
    linked.units.values().any(|hir| {
        module::calls_alloca(hir)
            || hir.exprs.values().any(|expr| match expr.kind {
                hir::ExprKind::Call { callee: hir::Callee::Direct(function), .. }
                | hir::ExprKind::FunctionAddress(function) => {
                    let model = externals::model(hir.name(hir[function].name));
                    matches!(
                        model,
                        externals::Model::Free
                            | externals::Model::Reallocate
                            | externals::Model::AllocateOnStack
                    )
                }
                _ => false,
            })
    })
}

/// Whether a function without a body means something by its name.
pub(super) fn is_library_name(name: &str) -> bool {
    library::names().contains(name) || externals::model(name) != externals::Model::Unknown
}

/// The stack on which trees are walked. Reserved, not used, by ordinary programs.
const STACK: usize = 256 << 20;
