//! Lowering: from the typed tree to the guarded SSA IR.
//!
//! | module | contents |
//! |---|---|
//! | `module` | shared state of all functions; globals and function declarations |
//! | `start` | `__start`: initial contents, constructors, the entry function and its arguments |
//! | `ssa` | SSA construction (Braun et al.) |
//! | `function` | one function: parameters, locals, results |
//! | `statements` | control flow |
//! | `expressions`, `convert`, `floats` | values |
//! | `assignments` | assignments and updates |
//! | `order` | unspecified orders of evaluation |
//! | `places` | memory: addresses, loads, stores, copies, bit-fields |
//! | `safety` | memory safety: validity of accesses |
//! | `literals` | string literals that the program may write to |
//! | `lifetimes` | lifetimes of automatic objects |
//! | `heap` | `malloc`, `free` and related functions |
//! | `initializers` | local and static initializers |
//! | `padding` | the contents of padding |
//! | `calls`, `externals` | calls, and the models of functions without a body |
//! | `unknown` | the model of unknown functions |
//! | `variadic` | `va_list` |
//! | `blocks` | `memcpy` and related functions of constant size |
//! | `builtins` | built-in functions of the compiler |
//! | `checks` | error sites at operations |
//! | `arithmetic` | errors of integer arithmetic: overflow, division by zero, shifts |
//! | `math` | the functions of `math.h` |
//! | `pointers` | null pointers, array indices out of bounds |
//! | `definedness` | reads of uninitialized variables |
//! | `source` | debug information for traces: types of places, operands of conditions |
//! | `library` | C source text of library functions that programs call but do not define |
//!
//! # Conventions
//!
//! * Signed overflow wraps around. A shift by at least the width and a division by zero have the
//!   result of SMT-LIB. C leaves these cases undefined, so both choices are sound for programs
//!   without undefined behavior. If the specification makes such a case an error, an error site
//!   precedes the operation and execution ends there; later code may rely on the check.
//! * Operands, including arguments, are evaluated from left to right, and a place before the value
//!   assigned to it; conflicting operands are also evaluated from right to left (`order`).
//! * Scalars whose address is not taken, and structs of which only members are used, are SSA
//!   values. Other locals are objects. Static scalars whose address is not taken are
//!   [`RegionKind::Scalar`](program::ssa::RegionKind) regions.
//! * `&&`, `||` and `?:` become terms if their operands are cheap and have neither side effects nor
//!   error sites; otherwise they become control flow.
//! * A struct, union or other aggregate argument is passed as the address of a copy made by the
//!   caller. An aggregate result is written to an address that is passed before all arguments.
//! * Variable arguments are passed as the address of an area (see `variadic`).
//! * A floating value is its bit pattern; operations on it are exact operators of the theory of
//!   floats.
//! * `malloc` succeeds unless [`Allocation`] permits failure. `free` has no effect unless memory
//!   safety is checked.
//!
//! # Decisions of lowering
//!
//! Lowering is trusted, so it follows the source and leaves optimization to passes. The following
//! choices remain, each local to one expression or declaration:
//! * *Eager operands* (`expressions::is_eager`): reads of named live objects, and operations that
//!   cannot fail, have the same value whether or not C evaluates them. Operations that may reach an
//!   error site or the environment become control flow.
//! * *Values instead of objects* (`function::choose_storage`): no pointer can refer to a local
//!   whose address is never taken.
//! * *Named objects without a read of the shadow* (`safety::Base`): a name is usable only during
//!   the lifetime of its object. The size accompanies the place through the functions that evaluate
//!   one expression.
//! * *No entry in the shadow* (`lifetimes`): objects whose address is never taken have no entry,
//!   because no pointer refers to their slot.
//! * *Typed pieces in `memcpy`* (`blocks`): all bytes are copied; their grouping affects only the
//!   precision of region splitting. The block is checked as a whole.
//! * *Memory created by lowering* (`safety::given_base`): stores to argument areas, results and
//!   initializers of the current statement are not checked.
//! * *Definedness* (`definedness`): a check is omitted only if the SSA construction proves the
//!   constant on all paths.
//!
//! # Recovery
//!
//! * An unsupported construct ends its block with
//!   [`Terminator::Unsupported`](program::ssa::Terminator); lowering continues.

mod arithmetic;
mod assignments;
mod blocks;
mod builtins;
mod calls;
mod checks;
mod convert;
mod definedness;
mod elements;
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
mod padding;
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

pub(in crate::c) use self::unknown::has_pointer;

use self::safety::Slots;
use super::hir;
use super::link::LinkedProgram;
use crate::spec::Specification;
use grammars::source::{Diagnostic, Span};
use program::ssa::Program;
use terms::TermPool;

/// Options of lowering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The function where execution starts; `None` for a library, whose lowered program stops
    /// immediately.
    pub entry: Option<String>,
    /// The functions to lower.
    pub functions: FunctionSelection,
    /// Whether allocations may fail.
    pub allocation: Allocation,
    /// The objects to track.
    pub tracking: Tracking,
}

/// The objects that lie in address slots and have entries in the [`Shadow`](program::ssa::Shadow).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tracking {
    /// The objects that the specification requires.
    AsNeeded,
    /// All objects.
    Always,
}

/// Whether `malloc` and related functions may return null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allocation {
    /// Allocations always succeed.
    Succeeds,
    /// The environment chooses for each call.
    MayFail,
}

/// The functions to lower.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionSelection {
    /// The functions reachable from the entry function, by direct calls or through pointers.
    Reachable,
    /// All defined functions.
    All,
}

impl Options {
    /// Options that start at `entry` and lower only reachable functions.
    #[must_use]
    pub fn new(entry: impl Into<String>) -> Self {
        Self {
            entry: Some(entry.into()),
            functions: FunctionSelection::Reachable,
            allocation: Allocation::Succeeds,
            tracking: Tracking::AsNeeded,
        }
    }

    /// Options that lower all functions of a program without an entry function.
    #[must_use]
    pub fn of_library() -> Self {
        Self {
            entry: None,
            functions: FunctionSelection::All,
            allocation: Allocation::Succeeds,
            tracking: Tracking::AsNeeded,
        }
    }
}

/// Lowers a program of one unit that was checked without errors; see [`lower_linked`].
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
    /// The error if there is no entry function; the program then stops immediately.
    pub diagnostics: Vec<Diagnostic>,
    /// The assumptions about undefined names, in order of first use.
    pub assumptions: Vec<Assumption>,
}

/// An undefined function or object that the lowered program uses, with the assumption about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// The name.
    pub name: String,
    /// The kind of the name.
    pub kind: AssumptionKind,
    /// The first lowered use.
    pub span: Span,
    /// The assumption, as text.
    pub assumed: String,
}

/// The kind of name that an assumption is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssumptionKind {
    /// A function.
    Function,
    /// An object.
    Data,
}

impl AssumptionKind {
    /// The name of the kind, for messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::Function => "function",
            AssumptionKind::Data => "data",
        }
    }
}

/// Lowers units that were checked and linked without errors.
///
/// # Panics
/// If the lowered program violates a rule of [`program::ssa::check`]; this is a bug in lowering.
pub fn lower_linked(
    pool: &mut TermPool,
    linked: &LinkedProgram<'_>,
    specification: &Specification,
    options: &Options,
) -> Lowered {
    let library = library::parse_if_needed(linked);
    let run = || {
        let lower = |pool: &mut TermPool, slots| {
            module::lower_program(pool, linked, library.as_ref(), specification, options, slots)
        };
        let lowered = lower(pool, Slots::ForAnyBlock);
        match Slots::smaller(pool, &lowered.program) {
            Some(smaller) => lower(pool, smaller),
            None => lowered,
        }
    };
    let lowered = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.expect("address space for the stack of the lowering thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    program::ssa::check::assert_well_formed(pool, &lowered.program, "lowering");
    lowered
}

/// Whether the program may end the lifetime of blocks: it calls `free`, `realloc` or `alloca`, or
/// takes their address.
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
                            | externals::Model::Release
                            | externals::Model::Reallocate
                            | externals::Model::AllocateOnStack
                    )
                }
                _ => false,
            })
    })
}

/// Whether lowering knows the meaning of an undefined function of this name.
pub(super) fn is_library_name(name: &str) -> bool {
    library::names().contains(name) || externals::model(name) != externals::Model::Unknown
}

/// Whether this is the name of a function of `math.h`.
pub(super) fn is_math_name(name: &str) -> bool {
    matches!(externals::model(name), externals::Model::Math(_))
}

/// The stack size of the lowering thread in bytes. Ordinary programs only reserve it and do not use
/// it.
const STACK: usize = 256 << 20;
