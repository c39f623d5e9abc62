//! Transformations of the IR.
//!
//! Each pass takes a program and changes it, and returns a typed result with the way back, a
//! [`BackTranslator`], so that whatever is found out about the new program can be said about the old one.
//!
//! | pass | what it does |
//! |---|---|
//! | [`activations`](mod@activations) | what a pointer may lead to after a call is a new object in each call |
//! | [`placement`] | what a program observes of addresses is not fixed |
//! | [`function_pointers`] | calls through pointers become guarded direct calls |
//! | [`regions`](mod@regions) | memory is split into regions that do not alias |
//! | [`endless`](mod@endless) | blocks from which control can only go on forever stop |
//! | [`inline`](mod@inline) | the entry function with everything it calls becomes one function |
//! | [`operations`](mod@operations) | a block for each operation, for single-block encoding |
//! | [`promote`](mod@promote) | scalar regions become SSA values |
//! | [`simplify`](mod@simplify) | constants, dead code, empty and straight-line blocks |
//! | [`constprop`] | values that are constant in the whole program |
//! | [`slice`](mod@slice) | what matters to whether an error is reached |
//! | [`narrow`](mod@narrow) | what the ranges of values decide |
//! | [`sroa`] | objects that are accessed field by field become scalars |
//! | [`redundancy`](mod@redundancy) | loads and checks that earlier ones make superfluous |
//! | [`dce`] | what no error depends on because nothing reads it |
//!
//! The first two are run on the program as lowered, and their result is what counts as the program. The next three run before everything else and keep the sequence of nondeterministic events (`havoc`, `forget`, first
//! `address_of`, `allocate`) of each execution. Inlining and promotion are for views that are made of one function. The others are
//! chosen by the user, see [`pipeline`]; they may drop and copy events, and [`restore`] gives an execution of the lowered
//! program what it needs to be replayed.
//!
//! The program is [checked](program::ssa::check) after each pass, in all builds: a pass that breaks a rule panics, and the run has no
//! verdict.

pub mod activations;
mod addresses;
pub mod back;
pub mod constprop;
pub mod dce;
#[cfg(test)]
mod differential;
pub mod endless;
pub mod function_pointers;
pub mod inline;
pub mod narrow;
pub mod operations;
pub mod pipeline;
pub mod placement;
pub mod points_to;
pub mod promote;
pub mod redundancy;
pub mod regions;
pub mod restore;
mod rewrite;
mod signature;
pub mod simplify;
pub mod size;
pub mod slice;
pub mod sroa;
#[cfg(test)]
mod testing;

pub use back::BackTranslator;
pub use pipeline::Pipeline;

use back::{FunctionOrigin, Step};
use function_pointers::ResolvedCall;
use inline::{BodyCopy, BodyCopyData, InlineError, InlineLimits, Inlined};
use pipeline::{PassStatistics, PipelineRun};
use program::ssa::check::{assert_function_well_formed, assert_well_formed};
use program::ssa::reducible::{ReducibleError, make_reducible};
use program::ssa::{Function, Program};
use regions::SplitOutcome;
use simplify::Events;
use terms::TermPool;
use terms::entity::PrimaryMap;

/// The result of [`prepare_for_bmc`].
#[derive(Clone, Debug)]
pub struct PreparedForBmc {
    /// The way back.
    pub back: BackTranslator,
    /// What became of the calls through pointers.
    pub calls: Vec<ResolvedCall>,
    /// Whether memory was split.
    pub memory: SplitOutcome,
    /// What the passes of the pipeline did.
    pub statistics: Vec<PassStatistics>,
}

/// Function pointers, regions and endless loops: what every algorithm starts from. Then the passes of `pipeline`; without
/// any, executions consume the same inputs as those of the program before.
///
/// # Panics
/// If a pass breaks a rule of [`program::ssa::check`], as do the other functions that run passes.
pub fn prepare_for_bmc(pool: &mut TermPool, program: &mut Program, pipeline: &Pipeline) -> PreparedForBmc {
    // It describes the program as lowered.
    program.source = Default::default();
    let pointers = function_pointers::function_pointers(pool, program);
    assert_well_formed(pool, program, "the pass function_pointers");
    let regions = regions::regions(pool, program);
    assert_well_formed(pool, program, "the pass regions");
    let endless = endless::endless(pool, program);
    let PipelineRun { back, statistics } = pipeline.run(pool, program);
    // Constants that a pass propagates decide the conditions of further loops.
    let endless_again = endless::endless(pool, program);
    assert_well_formed(pool, program, "the pass endless");
    PreparedForBmc {
        back: pointers.back.then(regions.back).then(endless).then(back).then(endless_again),
        calls: pointers.calls,
        memory: regions.outcome,
        statistics,
    }
}

/// What the views need to know to be made of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLimits {
    /// For inlining.
    pub inline: InlineLimits,
    /// Instructions that may be copied to make control flow reducible.
    pub reducible: usize,
    /// Where blocks start.
    pub locations: Locations,
}

/// Where the blocks of a function that is prepared for views start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locations {
    /// Where control flow meets or parts: blocks are as large as possible.
    Basic,
    /// Also where inlined calls begin and return.
    Calls,
    /// Also behind each operation, see [`operations`].
    Operations,
}

impl Default for ViewLimits {
    fn default() -> Self {
        ViewLimits {
            inline: InlineLimits::default(),
            reducible: program::ssa::reducible::DEFAULT_LIMIT,
            locations: Locations::Basic,
        }
    }
}

/// The result of [`prepare_for_views`].
#[derive(Clone, Debug)]
pub struct PreparedForViews {
    /// The way back.
    pub back: BackTranslator,
    /// The copies of function bodies.
    pub copies: PrimaryMap<BodyCopy, BodyCopyData>,
    /// Calls that are too deep in a recursion, see [`InlineLimits::recursion`].
    pub cuts: usize,
    /// Whether memory was split.
    pub memory: SplitOutcome,
    /// What the passes of the pipeline did, before and after inlining.
    pub statistics: Vec<PassStatistics>,
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

/// Everything that block formulas and Horn clauses of one function start from: function pointers, regions, the passes of
/// `pipeline`, inlining, promotion, the passes once more on what is one function now, simplification and reducible control flow.
/// Afterwards only the entry function has a body.
///
/// # Errors
/// Recursion, or a program that gets too large.
pub fn prepare_for_views(
    pool: &mut TermPool,
    program: &mut Program,
    limits: ViewLimits,
    pipeline: &Pipeline,
) -> Result<PreparedForViews, PrepareError> {
    let PreparedForBmc { back, memory, mut statistics, .. } = prepare_for_bmc(pool, program, pipeline);
    let Inlined { back: inlined, copies, cuts } = inline::inline(pool, program, limits.inline)?;
    let entry = program.entry;
    if limits.locations == Locations::Basic {
        for block in program.functions[entry].blocks.values_mut() {
            block.is_call_boundary = false;
        }
    }
    assert_well_formed(pool, program, "the pass inline");
    let promoted = promote::promote(pool, program).back;
    assert_well_formed(pool, program, "the pass promote");
    let again = pipeline.run(pool, program);
    statistics.extend(again.statistics);
    let promoted_again = promote::promote(pool, program).back;
    assert_well_formed(pool, program, "the pass promote");
    let simplified = simplify::simplify(pool, program, Events::Drop);
    assert_well_formed(pool, program, "the pass simplify");
    let reducible = reducible(pool, program, entry, limits.reducible)?;
    let split = match limits.locations {
        Locations::Operations => operations::split_operations(pool, program, entry),
        Locations::Basic | Locations::Calls => BackTranslator::identity(),
    };
    let later = promoted.then(again.back).then(promoted_again).then(simplified).then(reducible).then(split);
    let back = back.then(inlined).then(later);
    Ok(PreparedForViews { back, copies, cuts, memory, statistics })
}

/// Makes one function reducible.
pub(crate) fn reducible(
    pool: &mut TermPool,
    program: &mut Program,
    function: Function,
    limit: usize,
) -> Result<BackTranslator, ReducibleError> {
    let origins = make_reducible(pool, &mut program.functions[function], limit)?;
    if origins.is_identity() {
        return Ok(BackTranslator::identity());
    }
    assert_function_well_formed(pool, program, function, "the pass reducible");
    let data = &program.functions[function];
    let mut step = Step::default();
    step.functions[function] = Some(FunctionOrigin {
        blocks: data.blocks.keys().map(|block| Some((function, origins.block(block)))).collect(),
        values: data.values.keys().map(|value| Some((function, origins.value(value)))).collect(),
    });
    Ok(BackTranslator::from_step(step))
}

#[cfg(test)]
mod tests {
    use super::testing::{Build, INT, POINTER};
    use super::*;
    use program::ssa::{Block, Edge, InstructionKind, Terminator};

    /// A program with a table of functions, a global counter that they change through a pointer, and a loop.
    fn program() -> Build {
        let mut build = Build::new();
        let counter = build.object("counter", 4, None);
        let (increment, parameters) = build.function("increment", &[POINTER], None);
        let one = build.number(1);
        let old = build.load(INT, parameters[0]);
        let new = build.pool.bv_add(old, one);
        build.store(INT, parameters[0], new);
        build.end(Terminator::Return(None));
        build.at(Function(0), Block(0));
        let function = build.address_of_function(increment);
        let table = build.object("table", 8, None);
        let place = build.address_of(table);
        build.store(POINTER, place, function);
        let (head, body, end) = (build.block(&[]), build.block(&[]), build.block(&[]));
        let (good, bad) = (build.block(&[]), build.block(&[]));
        build.goto(head, &[]);
        build.at(Function(0), head);
        let input = build.input(INT);
        let goes_on = build.pool.eq(input, one);
        build.end(Terminator::Branch { condition: goes_on, then: Edge::to(body), otherwise: Edge::to(end) });
        build.at(Function(0), body);
        let address = build.address_of(counter);
        let loaded = build.load(POINTER, place);
        build.call_through(loaded, &[address], None);
        build.goto(head, &[]);
        build.at(Function(0), end);
        let address = build.address_of(counter);
        let value = build.load(INT, address);
        let ten = build.number(10);
        let is_less = build.pool.bv_slt(value, ten);
        build.branch(is_less, good, bad);
        build.at(Function(0), bad);
        build.end(Terminator::Error(program::ssa::Property(0)));
        build
    }

    #[test]
    fn views_are_made_of_one_function_over_values() {
        let mut build = program();
        build.assert_well_formed();
        let prepared =
            prepare_for_views(&mut build.pool, &mut build.program, ViewLimits::default(), &Pipeline::none())
                .expect("no recursion");
        build.assert_well_formed();
        assert_eq!(prepared.memory, SplitOutcome::Split(2));
        assert_eq!(prepared.copies.len(), 2);
        let kinds = build.kinds(Function(0));
        assert!(kinds.iter().all(|kind| kind.region().is_none()), "{kinds:?}");
        // The counter and the table entry, the latter because its guard is not known to be constant.
        let data = &build.program.functions[Function(0)];
        assert!(data.blocks.values().all(|block| block.parameters.len() <= 2));
        assert!(data.blocks.keys().all(|block| prepared.back.block(Function(0), block).is_some()));
    }

    #[test]
    fn calls_are_told_apart_where_it_is_asked_for() {
        let boundaries = |locations| {
            let mut build = program();
            let limits = ViewLimits { locations, ..ViewLimits::default() };
            let prepared = prepare_for_views(&mut build.pool, &mut build.program, limits, &Pipeline::none())
                .expect("no recursion");
            build.assert_well_formed();
            let blocks = &build.program.functions[Function(0)].blocks;
            assert!(blocks.keys().all(|block| prepared.back.block(Function(0), block).is_some()));
            blocks.values().filter(|block| block.is_call_boundary).count()
        };
        assert_eq!(boundaries(Locations::Basic), 0);
        assert_eq!(boundaries(Locations::Calls), 2, "one call: where it begins and where it returns");
        assert_eq!(boundaries(Locations::Operations), 2);
    }

    #[test]
    fn preparing_for_bmc_keeps_the_inputs() {
        let mut build = program();
        let inputs = |build: &Build| {
            let is_input = |kind: &&&InstructionKind| {
                matches!(kind, InstructionKind::Havoc(_) | InstructionKind::Forget { .. })
            };
            build.kinds(Function(0)).iter().filter(is_input).count()
        };
        let before = inputs(&build);
        let prepared = prepare_for_bmc(&mut build.pool, &mut build.program, &Pipeline::none());
        build.assert_well_formed();
        assert_eq!(inputs(&build), before);
        assert_eq!(prepared.calls.len(), 1);
    }
}
