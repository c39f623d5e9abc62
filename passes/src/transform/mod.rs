//! Transformations of the IR.
//!
//! Each pass takes a program and changes it, and returns a typed result with the way back, a
//! [`BackTranslator`], so that whatever is found out about the new program can be said about the old one.
//!
//! | pass | what it does |
//! |---|---|
//! | [`function_pointers`] | calls through pointers become guarded direct calls |
//! | [`regions`](mod@regions) | memory is split into regions that do not alias |
//! | [`inline`](mod@inline) | the entry function with everything it calls becomes one function |
//! | [`promote`](mod@promote) | scalar regions become SSA values |
//! | [`simplify`](mod@simplify) | constants, dead code, empty and straight-line blocks |
//!
//! The first two run before everything else and keep the sequence of nondeterministic events (`havoc`, `forget`, first
//! `address_of`, `allocate`) of each execution, so that a counterexample can be replayed on the lowered program. The
//! others are for views that are made of one function.

pub mod back;
pub mod function_pointers;
pub mod inline;
pub mod points_to;
pub mod promote;
pub mod regions;
mod rewrite;
pub mod simplify;

pub use back::BackTranslator;

use back::{FunctionOrigin, Step};
use function_pointers::ResolvedCall;
use inline::{BodyCopy, BodyCopyData, InlineError, InlineLimits, Inlined};
use ir::entity::PrimaryMap;
use ir::ssa::reducible::{ReducibleError, make_reducible};
use ir::ssa::{Function, Program};
use ir::term::TermPool;
use regions::SplitOutcome;
use simplify::Events;

/// The result of [`prepare_for_bmc`].
#[derive(Clone, Debug)]
pub struct PreparedForBmc {
    /// The way back.
    pub back: BackTranslator,
    /// What became of the calls through pointers.
    pub calls: Vec<ResolvedCall>,
    /// Whether memory was split.
    pub memory: SplitOutcome,
}

/// Function pointers, then regions: what every algorithm starts from. Executions consume the same inputs as those of the
/// program before.
pub fn prepare_for_bmc(pool: &mut TermPool, program: &mut Program) -> PreparedForBmc {
    let pointers = function_pointers::function_pointers(pool, program);
    let regions = regions::regions(pool, program);
    PreparedForBmc { back: pointers.back.then(regions.back), calls: pointers.calls, memory: regions.outcome }
}

/// What the views need to know to be made of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLimits {
    /// For inlining.
    pub inline: InlineLimits,
    /// Instructions that may be copied to make control flow reducible.
    pub reducible: usize,
}

impl Default for ViewLimits {
    fn default() -> Self {
        ViewLimits { inline: InlineLimits::default(), reducible: ir::ssa::reducible::DEFAULT_LIMIT }
    }
}

/// The result of [`prepare_for_views`].
#[derive(Clone, Debug)]
pub struct PreparedForViews {
    /// The way back.
    pub back: BackTranslator,
    /// The copies of function bodies.
    pub copies: PrimaryMap<BodyCopy, BodyCopyData>,
    /// Whether memory was split.
    pub memory: SplitOutcome,
}

/// Why a program has no single-function form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// See [`InlineError`].
    #[error(transparent)]
    Inline(#[from] InlineError),
    /// See [`ReducibleError`].
    #[error(transparent)]
    Reducible(#[from] ReducibleError),
}

/// Everything that block formulas, cut SSA and Horn clauses of one function start from: function pointers, regions,
/// inlining, promotion, simplification and reducible control flow. Afterwards only the entry function has a body.
///
/// # Errors
/// Recursion, or a program that gets too large.
pub fn prepare_for_views(
    pool: &mut TermPool,
    program: &mut Program,
    limits: ViewLimits,
) -> Result<PreparedForViews, PrepareError> {
    let PreparedForBmc { back, memory, .. } = prepare_for_bmc(pool, program);
    let Inlined { back: inlined, copies, .. } = inline::inline(pool, program, limits.inline)?;
    let promoted = promote::promote(pool, program).back;
    let simplified = simplify::simplify(pool, program, Events::Drop);
    let entry = program.entry;
    let reducible = reducible(pool, program, entry, limits.reducible)?;
    let back = back.then(inlined).then(promoted).then(simplified).then(reducible);
    Ok(PreparedForViews { back, copies, memory })
}

/// Makes one function reducible.
fn reducible(
    pool: &mut TermPool,
    program: &mut Program,
    function: Function,
    limit: usize,
) -> Result<BackTranslator, ReducibleError> {
    let origins = make_reducible(pool, &mut program.functions[function], limit)?;
    if origins.is_identity() {
        return Ok(BackTranslator::identity());
    }
    let data = &program.functions[function];
    let mut step = Step::default();
    step.functions[function] = Some(FunctionOrigin {
        blocks: data.blocks.keys().map(|block| Some((function, origins.block(block)))).collect(),
        values: data.values.keys().map(|value| Some((function, origins.value(value)))).collect(),
    });
    Ok(BackTranslator::from_step(step))
}
