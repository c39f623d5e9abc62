//! The choices of the analysis, one enumeration for each operator of the composite CPA.
//!
//! Names as in *A Unifying View on SMT-Based Software Verification*, §3.2 and Table 1. A configuration that makes no sense is refused with
//! the reason ([`Config::check`]).

use std::borrow::Cow;
use terms::choice;

pub use views::BlockOperator;

choice! {
    /// How abstraction formulas are kept.
    Region {
        Bdd = "bdd", "as binary decision diagrams over the predicates; coverage is a diagram operation";
        Smt = "smt", "as formulas; coverage is a query";
    }
}

choice! {
    /// What is computed at the end of a block.
    Abstraction {
        None = "none", "nothing: true";
        Cartesian = "cartesian", "the strongest conjunction of predicates and negated predicates";
        Boolean = "boolean", "the strongest Boolean combination of predicates";
    }
}

choice! {
    /// The operator `merge`.
    Merge {
        Predicate = "predicate", "states of one block at one location are merged";
        Sep = "sep", "no states are merged: one path a state";
    }
}

choice! {
    /// In which order states are expanded.
    Order {
        ReversePostorder = "reverse-postorder", "earlier locations first, inner loops before what follows them";
        LoopIteration = "loop-iteration", "states with fewer blocks behind them first, then earlier locations";
        Bfs = "bfs", "older states first";
        Dfs = "dfs", "younger states first";
    }
}

choice! {
    /// The operator `fcover`.
    ForcedCovering {
        Id = "id", "no forced covering";
        Impact = "impact", "by interpolation from the nearest common ancestor";
    }
}

choice! {
    /// What a refinement does with facts.
    Refinement {
        None = "none", "there is no refinement";
        Predicate = "predicate", "facts become predicates of the precision, and a part of the graph is explored again";
        Impact = "impact", "facts strengthen the states of the counterexample";
        Ufo = "ufo", "both";
    }
}

choice! {
    /// Where facts about an infeasible counterexample come from.
    Facts {
        Interpolants = "interpolants", "a sequence of interpolants";
        PathInvariants = "path-invariants", "invariants of the program that has only the paths of the counterexample";
        WeakestPreconditions = "weakest-preconditions", "weakest preconditions of what an unsatisfiable core of the counterexample needs";
        Heuristics = "heuristics", "assumptions of the counterexample, and x <= i beside x = i";
    }
}

choice! {
    /// Whether what is bounded is extended to all executions by induction.
    Induction {
        None = "none", "no induction";
        KInduction = "k-induction", "a step case beside the base case of bounded model checking";
    }
}

choice! {
    /// Where a predicate that was found at one location is tracked.
    Scope {
        Location = "location", "at that location";
        Function = "function", "at all locations of the same function";
        Global = "global", "everywhere";
    }
}

choice! {
    /// Which part of the graph is explored again after a refinement of the precision.
    Restart {
        Lazy = "lazy", "what is below the pivot state";
        Full = "full", "all";
    }
}

choice! {
    /// Which predicates are made of a fact.
    Granularity {
        Atoms = "atoms", "its atoms";
        Whole = "whole", "the fact itself";
        Split = "split", "its atoms, of an equality x = i the halves x <= i and x >= i";
    }
}

/// The operators of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Where blocks end.
    pub blk: BlockOperator,
    /// How abstraction formulas are kept.
    pub region: Region,
    /// What is computed at the end of a block.
    pub abstraction: Abstraction,
    /// Whether states are merged.
    pub merge: Merge,
    /// In which order states are expanded.
    pub order: Order,
    /// Whether coverage is forced.
    pub fcover: ForcedCovering,
    /// What a refinement does.
    pub refinement: Refinement,
    /// Where facts come from, the next where one has none or nothing new.
    pub facts: Cow<'static, [Facts]>,
    /// Where a predicate is tracked.
    pub scope: Scope,
    /// What becomes a predicate.
    pub granularity: Granularity,
    /// What is explored again.
    pub restart: Restart,
    /// Whether there is a step case.
    pub induction: Induction,
    /// The bound of the Loop-Bound CPA: how often the head of a loop is entered, at most.
    pub loop_bound: Option<u32>,
}

/// Why a configuration makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{choices} make no sense together: {reason}")]
pub struct Senseless {
    /// The choices, as options.
    pub choices: String,
    /// Why.
    pub reason: &'static str,
}

impl Config {
    /// Whether all of the program is one block, as in bounded model checking.
    pub fn is_unrolling(&self) -> bool {
        self.blk == BlockOperator::Never && self.merge == Merge::Predicate
    }

    /// Refuses what makes no sense.
    ///
    /// # Errors
    /// The choices that do not fit together, and why.
    pub fn check(&self) -> Result<(), Senseless> {
        let strengthens = matches!(self.refinement, Refinement::Impact | Refinement::Ufo);
        let has_predicates = matches!(self.refinement, Refinement::Predicate | Refinement::Ufo);
        let is_abstract = self.abstraction != Abstraction::None;
        let (blk, region, abstraction) = (self.blk, self.region, self.abstraction);
        let (refinement, fcover, merge) = (self.refinement, self.fcover, self.merge);
        let rules = [
            (
                self.induction == Induction::KInduction
                    && (blk != BlockOperator::Never || merge == Merge::Sep),
                format!("--induction {}, --blk {blk} and --merge {merge}", self.induction),
                "the base case is bounded model checking: --blk never --merge predicate",
            ),
            (
                blk == BlockOperator::Never && refinement != Refinement::None,
                format!("--blk {blk} and --refinement {refinement}"),
                "without ends of blocks there is nothing that a fact could strengthen",
            ),
            (
                blk == BlockOperator::Never && is_abstract,
                format!("--blk {blk} and --abstraction {abstraction}"),
                "an abstraction is computed at the end of a block",
            ),
            (
                blk == BlockOperator::Never && fcover != ForcedCovering::Id,
                format!("--blk {blk} and --fcover {fcover}"),
                "only states at the end of a block can be covered",
            ),
            (
                blk != BlockOperator::Never && refinement == Refinement::None && self.loop_bound.is_none(),
                format!("--blk {blk} and --refinement {refinement}"),
                "nothing would ever be known of a state at the end of a block",
            ),
            (
                has_predicates && !is_abstract,
                format!("--refinement {refinement} and --abstraction {abstraction}"),
                "predicates are only used by an abstraction",
            ),
            (
                is_abstract && !has_predicates,
                format!("--abstraction {abstraction} and --refinement {refinement}"),
                "there would be no predicates to abstract to",
            ),
            (
                region == Region::Bdd && !is_abstract && blk != BlockOperator::Never,
                format!("--region {region} and --abstraction {abstraction}"),
                "diagrams are over predicates, and there are none",
            ),
            (
                region == Region::Bdd && (strengthens || fcover == ForcedCovering::Impact),
                match strengthens {
                    true => format!("--region {region} and --refinement {refinement}"),
                    false => format!("--region {region} and --fcover {fcover}"),
                },
                "a state that is strengthened by a formula is no diagram any more",
            ),
            (
                merge == Merge::Sep && blk == BlockOperator::Sbe,
                format!("--merge {merge} and --blk {blk}"),
                "with single blocks there is never anything to merge",
            ),
            (
                refinement != Refinement::None && self.facts.is_empty(),
                format!("--refinement {refinement} and --facts none"),
                "a refinement needs facts",
            ),
        ];
        match rules.into_iter().find(|(is_senseless, ..)| *is_senseless) {
            Some((_, choices, reason)) => Err(Senseless { choices, reason }),
            None => Ok(()),
        }
    }
}
