//! Transformations of the IR.
//!
//! Each pass changes a program in place and returns a [`BackTranslator`], which maps entities of
//! the new program to the old one, so that results about the new program can be stated for the old
//! one.
//!
//! | pass | effect |
//! |---|---|
//! | [`activations`](mod@activations) | allocates automatic objects in each call if a pointer may reach them after the call |
//! | [`placement`] | makes observed addresses nondeterministic |
//! | [`function_pointers`] | turns calls through pointers into guarded direct calls |
//! | [`regions`](mod@regions) | splits memory into regions that do not alias |
//! | [`endless`](mod@endless) | ends paths in infinite loops without effect |
//! | [`inline`](mod@inline) | inlines all calls into the entry function |
//! | [`operations`](mod@operations) | one block for each operation, for single-block encoding |
//! | [`promote`](mod@promote) | turns scalar regions into SSA values |
//! | [`simplify`](mod@simplify) | folds constants, removes dead code, empty and straight-line blocks |
//! | [`constprop`] | propagates constants through the whole program |
//! | [`slice`](mod@slice) | keeps only code that influences whether an error is reached |
//! | [`narrow`](mod@narrow) | simplifies terms by the ranges of values |
//! | [`sroa`] | turns objects that are accessed field by field into scalars |
//! | [`induction`](mod@induction) | turns pointers that loops move into multiples of counters |
//! | [`redundancy`](mod@redundancy) | removes redundant loads and checks |
//! | [`dce`] | removes code whose results are not used |
//!
//! The first two run on the program as lowered, and their result is the reference program. The next
//! three run before all others and keep the sequence of nondeterministic events (`havoc`, `forget`,
//! first `address_of`, `allocate`) of each execution. Inlining and promotion are for views, which
//! need a single function. Users choose the others, see [`pipeline`]; these may drop and copy
//! events, and [`restore`] reconstructs the inputs for a replay on the lowered program. Views with
//! [`Procedures`] keep some calls.
//!
//! The program is [checked](program::ssa::check) after each pass, in all builds: a pass that breaks
//! a rule panics, and the run has no verdict.

pub mod activations;
mod addresses;
pub mod back;
pub mod constprop;
pub mod dce;
#[cfg(test)]
mod differential;
pub mod endless;
pub mod function_pointers;
pub mod induction;
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
pub(crate) mod testing;

pub use back::BackTranslator;
pub use pipeline::Pipeline;
pub use regions::MemoryModel;

use activations::SharedObject;
use back::{FunctionOrigin, Step};
use function_pointers::ResolvedCall;
use inline::{BodyCopy, BodyCopyData, InlineError, InlineLimits, Inlined};
use pipeline::{PassStatistics, PipelineRun};
use program::ssa::check::{assert_function_well_formed, assert_well_formed};
use program::ssa::reducible::{ReducibleError, make_reducible};
use program::ssa::{Function, Program};
use regions::SplitOutcome;
use simplify::Events;
use size::Size;
use std::collections::BTreeSet;
use std::time::Instant;
use terms::TermPool;
use terms::entity::PrimaryMap;

/// The result of [`prepare_for_bmc`].
#[derive(Clone, Debug)]
pub struct PreparedForBmc {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// The resolved calls through pointers.
    pub calls: Vec<ResolvedCall>,
    /// Whether memory was split.
    pub memory: SplitOutcome,
    /// The statistics of the splitting of memory and of the passes of the pipeline.
    pub statistics: Vec<PassStatistics>,
}

/// Resolves function pointers, splits memory in the model of `pipeline` and ends infinite loops,
/// which every algorithm requires, then runs the passes of `pipeline`. With an empty pipeline,
/// executions consume the same inputs as before.
///
/// # Panics
/// If a pass breaks a rule of [`program::ssa::check`], as do the other functions that run passes.
pub fn prepare_for_bmc(pool: &mut TermPool, program: &mut Program, pipeline: &Pipeline) -> PreparedForBmc {
    // It describes the program as lowered.
    program.source = Default::default();
    let pointers = function_pointers::function_pointers(pool, program);
    assert_well_formed(pool, program, "the pass function_pointers");
    let (before, start) = (Size::of(program), Instant::now());
    let regions = regions::regions(pool, program, pipeline.memory());
    let (after, time) = (Size::of(program), start.elapsed());
    assert_well_formed(pool, program, "the pass regions");
    let endless = endless::endless(pool, program);
    let PipelineRun { back, statistics: passes } = pipeline.run(pool, program);
    let mut statistics = vec![PassStatistics { name: "regions", before, after, time }];
    statistics.extend(passes);
    // Propagated constants decide the conditions of further loops.
    let endless_again = endless::endless(pool, program);
    assert_well_formed(pool, program, "the pass endless");
    PreparedForBmc {
        back: pointers.back.then(regions.back).then(endless).then(back).then(endless_again),
        calls: pointers.calls,
        memory: regions.outcome,
        statistics,
    }
}

/// The limits of the preparation for views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLimits {
    /// The limits of inlining.
    pub inline: InlineLimits,
    /// The largest number of instructions copied to make control flow reducible.
    pub reducible: usize,
    /// The granularity of blocks.
    pub locations: Locations,
    /// The functions that are not inlined.
    pub procedures: Procedures,
}

terms::choice! {
    /// The functions that remain functions in views, with summaries in place of inlining.
    #[derive(Default)]
    Procedures {
        #[default]
        Inline = "inline", "no functions: all calls are inlined, and recursion is refused";
        Recursive = "recursive", "recursive functions; all other calls are inlined";
        All = "all", "all functions that are called";
    }
}

/// The granularity of blocks in a function that is prepared for views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locations {
    /// Blocks start where control flow joins or splits: blocks are as large as possible.
    Basic,
    /// Blocks also start at the begin and the return of inlined calls.
    Calls,
    /// Blocks also start after each operation, see [`operations`].
    Operations,
}

impl Default for ViewLimits {
    fn default() -> Self {
        ViewLimits {
            inline: InlineLimits::default(),
            reducible: program::ssa::reducible::DEFAULT_LIMIT,
            locations: Locations::Basic,
            procedures: Procedures::Inline,
        }
    }
}

/// The result of [`prepare_for_views`].
#[derive(Clone, Debug)]
pub struct PreparedForViews {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// The copies of function bodies.
    pub copies: PrimaryMap<BodyCopy, BodyCopyData>,
    /// The functions besides the entry function that still have a body.
    pub procedures: Vec<Function>,
    /// The number of calls beyond the recursion depth, see [`InlineLimits::recursion`].
    pub cuts: usize,
    /// Whether memory was split.
    pub memory: SplitOutcome,
    /// The statistics of the splitting of memory, and of the passes of the pipeline before and
    /// after inlining.
    pub statistics: Vec<PassStatistics>,
}

/// Reasons why a program has no single-function form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// See [`InlineError`].
    #[error(transparent)]
    Inline(#[from] InlineError),
    /// See [`ReducibleError`].
    #[error(transparent)]
    Reducible(#[from] ReducibleError),
    /// See [`SharedObject`].
    #[error(transparent)]
    SharedObject(#[from] SharedObject),
}

/// Prepares a program for block formulas and Horn clauses: function pointers, regions, the passes
/// of `pipeline`, inlining, promotion, the passes again on the inlined functions, simplification
/// and reducible control flow. Afterwards only the entry function has a body, and the
/// [procedures](ViewLimits::procedures), of which the default limits have none.
///
/// # Errors
/// Recursion of functions that are not procedures, or a program that exceeds a size limit.
pub fn prepare_for_views(
    pool: &mut TermPool,
    program: &mut Program,
    limits: ViewLimits,
    pipeline: &Pipeline,
) -> Result<PreparedForViews, PrepareError> {
    let separated = separate_activations(pool, program, limits.procedures)?;
    let PreparedForBmc { back, memory, mut statistics, .. } = prepare_for_bmc(pool, program, pipeline);
    let kept = limits.procedures.of(program);
    let Inlined { back: inlined, copies, cuts } = inline::inline_except(pool, program, &kept, limits.inline)?;
    if limits.locations == Locations::Basic {
        let blocks = program.functions.values_mut().flat_map(|function| function.blocks.values_mut());
        blocks.for_each(|block| block.call_boundary = None);
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
    let mut later = promoted.then(again.back).then(promoted_again).then(simplified);
    let defined = program.functions.iter().filter(|(_, data)| data.is_defined());
    let defined: Vec<Function> = defined.map(|(function, _)| function).collect();
    for &function in &defined {
        later = later.then(reducible(pool, program, function, limits.reducible)?);
        if limits.locations == Locations::Operations {
            later = later.then(operations::split_operations(pool, program, function));
        }
    }
    let back = separated.then(back).then(inlined).then(later);
    let procedures = defined.into_iter().filter(|&function| function != program.entry).collect();
    Ok(PreparedForViews { back, copies, procedures, cuts, memory, statistics })
}

impl Procedures {
    /// The functions of `program`, besides its entry function, that are not inlined. Calls through
    /// pointers should have been resolved: they count as recursion of all functions whose address
    /// is taken.
    #[must_use]
    pub fn of(self, program: &Program) -> BTreeSet<Function> {
        let functions = program.functions.iter().filter(|(_, data)| data.is_defined());
        let functions = functions.map(|(function, _)| function).filter(|&function| function != program.entry);
        match self {
            Procedures::Inline => BTreeSet::new(),
            Procedures::Recursive => regions::recursive_among(program, functions).into_iter().collect(),
            Procedures::All => functions.collect(),
        }
    }
}

/// Allocates the objects that activations of procedures would share, if there may be procedures.
fn separate_activations(
    pool: &mut TermPool,
    program: &mut Program,
    procedures: Procedures,
) -> Result<BackTranslator, SharedObject> {
    if procedures == Procedures::Inline {
        return Ok(BackTranslator::identity());
    }
    // It describes the program as lowered.
    program.source = Default::default();
    // With indirect calls, more functions count as recursive.
    let pointers = function_pointers::function_pointers(pool, program).back;
    assert_well_formed(pool, program, "the pass function_pointers");
    if procedures.of(program).is_empty() {
        return Ok(pointers);
    }
    let separated = activations::separate(pool, program)?;
    assert_well_formed(pool, program, "the pass activations");
    Ok(pointers.then(separated))
}

/// Makes the control flow of one function reducible.
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

    /// A program with a table of functions, a global counter that they change through a pointer,
    /// and a loop.
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
        // The counter and the table entry, since the guard of the latter is not known to be
        // constant.
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
            blocks.values().filter(|block| block.call_boundary.is_some()).count()
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
