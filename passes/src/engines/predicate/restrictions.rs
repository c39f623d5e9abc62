//! CPAs that restrict the explored state space, for bounded analyses.
//!
//! A restriction counts something along each path, such as iterations of loops, and excludes the
//! paths on which a count exceeds its bound. Its transfer relation is unsound; so the analysis
//! keeps the excluded paths, and its result is a proof only if none of them is feasible. A
//! restriction works with each configuration: without abstraction the analysis is bounded model
//! checking of the paths within the bounds. Counts are part of the composite abstract state, and
//! states with different counts are neither merged nor covered by each other.
//!
//! Source: Wendler, *Towards Practical Predicate Analysis* (PhD thesis, Passau 2017), §5.4.2, which
//! names bounds on loop iterations, on the length of paths and on the number of calls.
//!
//! Cost: a bound on the length separates paths of different lengths at the same location, up to
//! one state for each length.
//!
//! Limits: calls of functions without a body are not counted, nor are those of the start of the
//! program, such as that of `main`.

use program::ssa::loops::LoopForest;
use program::ssa::{Block, CallBoundary, Function, FunctionData};
use std::fmt;
use std::rc::Rc;
use terms::entity::Entity;

/// The bounds of a search; without any, it covers all paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Restrictions {
    /// The largest number of times that the head of a loop is entered.
    pub iterations: Option<u32>,
    /// The largest number of basic blocks on a path.
    pub length: Option<u32>,
    /// The largest number of calls on a path, of functions with a body.
    pub calls: Option<u32>,
}

impl Restrictions {
    /// No bounds.
    pub const NONE: Restrictions = Restrictions { iterations: None, length: None, calls: None };

    /// The CPAs, that of loops first.
    pub(super) fn cpas(self) -> Vec<Box<dyn Restriction>> {
        let mut cpas: Vec<Box<dyn Restriction>> = Vec::new();
        cpas.extend(self.iterations.map(|bound| Box::new(Iterations { bound }) as Box<dyn Restriction>));
        cpas.extend(self.length.map(|bound| Box::new(Length { bound }) as Box<dyn Restriction>));
        cpas.extend(self.calls.map(|bound| Box::new(Calls { bound }) as Box<dyn Restriction>));
        cpas
    }
}

/// The counts of all restrictions, in their order.
pub(crate) type Counters = Rc<[Rc<[u32]>]>;

/// The program that paths go through.
#[derive(Clone, Copy)]
pub(super) struct Graph<'g> {
    pub(super) entry: Function,
    /// The entry function, with all calls inlined.
    pub(super) function: &'g FunctionData,
    pub(super) loops: &'g LoopForest,
    /// For each block, the function that it comes from.
    pub(super) origins: &'g [Option<Function>],
}

/// An edge of the control-flow graph; the start of the program comes from no block.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) from: Option<Block>,
    pub(super) to: Block,
}

/// A CPA that restricts the state space.
pub(super) trait Restriction {
    /// The counts after a step, from those before it.
    fn count(&self, graph: Graph<'_>, before: &[u32], step: Step) -> Rc<[u32]>;

    /// The largest count.
    fn bound(&self) -> u32;

    /// The name of what is counted, in the plural.
    fn unit(&self) -> &'static str;
}

/// The bound that excluded a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exceeded {
    pub(crate) bound: u32,
    pub(crate) unit: &'static str,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.bound, self.unit)
    }
}

/// The counts of all restrictions after a step.
///
/// # Errors
/// The first bound that is exceeded.
pub(super) fn count(
    cpas: &[Box<dyn Restriction>],
    graph: Graph<'_>,
    before: &[Rc<[u32]>],
    step: Step,
) -> Result<Counters, Exceeded> {
    let mut counters = Vec::with_capacity(cpas.len());
    for (index, cpa) in cpas.iter().enumerate() {
        let after = cpa.count(graph, before.get(index).map_or(&[], |counts| counts), step);
        if after.iter().any(|&count| count > cpa.bound()) {
            return Err(Exceeded { bound: cpa.bound(), unit: cpa.unit() });
        }
        counters.push(after);
    }
    Ok(counters.into())
}

/// For each loop around the location, how often its head was entered, outer loops first.
struct Iterations {
    bound: u32,
}

/// The unit of [`Iterations`].
pub(crate) const ITERATIONS: &str = "iterations of each loop";

impl Restriction for Iterations {
    fn count(&self, Graph { loops, .. }: Graph<'_>, before: &[u32], step: Step) -> Rc<[u32]> {
        let around = step.from.map_or(Vec::new(), |from| loops.path(from));
        let after = loops.path(step.to);
        let count = |depth: usize| {
            let is_head = loops.data(after[depth]).head == step.to;
            match (around.get(depth) == Some(&after[depth]), is_head) {
                (true, true) => before[depth] + 1,
                (true, false) => before[depth],
                (false, _) => 1,
            }
        };
        (0..after.len()).map(count).collect()
    }

    fn bound(&self) -> u32 {
        self.bound
    }

    fn unit(&self) -> &'static str {
        ITERATIONS
    }
}

/// The number of basic blocks since the start.
struct Length {
    bound: u32,
}

impl Restriction for Length {
    fn count(&self, _: Graph<'_>, before: &[u32], _: Step) -> Rc<[u32]> {
        [before.first().map_or(1, |count| count.saturating_add(1))].into()
    }

    fn bound(&self) -> u32 {
        self.bound
    }

    fn unit(&self) -> &'static str {
        "basic blocks on a path"
    }
}

/// The number of calls since the start.
struct Calls {
    bound: u32,
}

impl Restriction for Calls {
    fn count(&self, graph: Graph<'_>, before: &[u32], step: Step) -> Rc<[u32]> {
        let caller = step.from.and_then(|from| graph.origins[from.index()]);
        let is_call = graph.function.blocks[step.to].call_boundary == Some(CallBoundary::Call)
            && caller != Some(graph.entry);
        let count = before.first().copied().unwrap_or(0);
        [count.saturating_add(u32::from(is_call))].into()
    }

    fn bound(&self) -> u32 {
        self.bound
    }

    fn unit(&self) -> &'static str {
        "calls on a path"
    }
}
