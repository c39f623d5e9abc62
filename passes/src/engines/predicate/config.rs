//! The configuration of the predicate analysis: one enumeration for each operator of the composite
//! CPA.
//!
//! Names follow Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR
//! 2018, §3.2 and Table 1. [`Config::check`] rejects incompatible choices.

use super::restrictions::Restrictions;
use std::borrow::Cow;
use terms::choice;

pub use views::BlockOperator;

choice! {
    /// The representation of abstraction formulas.
    Region {
        Bdd = "bdd", "as binary decision diagrams over the predicates; coverage is a diagram operation";
        Smt = "smt", "as formulas; coverage is a query";
    }
}

choice! {
    /// The abstraction computed at the end of a block.
    Abstraction {
        None = "none", "no abstraction: true";
        Cartesian = "cartesian", "the strongest conjunction of predicates and negated predicates";
        Boolean = "boolean", "the strongest Boolean combination of predicates";
    }
}

choice! {
    /// The operator `merge`.
    Merge {
        Predicate = "predicate", "states of one block at one location are merged";
        Sep = "sep", "no states are merged: one path for each state";
    }
}

choice! {
    /// The exploration order.
    Order {
        ReversePostorder = "reverse-postorder", "earlier locations first, inner loops before the code after them";
        LoopIteration = "loop-iteration", "states after fewer blocks first, then earlier locations";
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
    /// The use of facts in a refinement.
    Refinement {
        None = "none", "no refinement";
        Predicate = "predicate", "facts become predicates of the precision; a part of the graph is explored again";
        Impact = "impact", "facts strengthen the states of the counterexample";
        Ufo = "ufo", "facts strengthen the states; their predicates serve later states";
    }
}

choice! {
    /// The source of facts about an infeasible counterexample.
    Facts {
        Interpolants = "interpolants", "a sequence of interpolants";
        PathInvariants = "path-invariants", "invariants of the path program, which has only the paths of the counterexample";
        WeakestPreconditions = "weakest-preconditions", "weakest preconditions restricted to an unsatisfiable core of the counterexample";
        Heuristics = "heuristics", "assumptions of the counterexample, with x <= i added to x = i";
    }
}

choice! {
    /// Whether a bounded result is extended to all executions by induction.
    Induction {
        None = "none", "no induction";
        KInduction = "k-induction", "a step case in addition to the base case of bounded model checking";
        Kiki = "kiki", "the same, with most of the effort for invariants from templates and the step case";
        Pdr = "pdr", "property-directed reachability in addition to the base case";
        Horn = "horn", "engines for the Horn clauses of all functions in addition to the base case";
    }
}

choice! {
    /// The scope of a predicate found at one location.
    Scope {
        Location = "location", "at that location";
        Function = "function", "at all locations of the same function";
        Global = "global", "everywhere";
    }
}

choice! {
    /// The part of the graph that is explored again after a refinement of the precision.
    Restart {
        Lazy = "lazy", "the subgraph below the pivot state";
        Full = "full", "the whole graph";
    }
}

choice! {
    /// The predicates made from a fact.
    Granularity {
        Atoms = "atoms", "its atoms";
        Whole = "whole", "the fact itself";
        Split = "split", "its atoms, with an equality x = i split into x <= i and x >= i";
    }
}

choice! {
    /// The place where auxiliary invariants are added.
    Injection {
        Precision = "precision", "invariants are predicates of the precision";
        Path = "path", "block formulas contain the invariants at their start and end";
        Abstraction = "abstraction", "abstraction formulas contain the invariants";
    }
}

choice! {
    /// The predicates before the first refinement.
    InitialPrecision {
        None = "none", "no predicates";
        Assumptions = "assumptions", "conditions of assumptions, branches and assertions at loop heads";
    }
}

choice! {
    /// Formulas of a refuted counterexample that are invariants if they are inductive.
    Candidates {
        Interpolants = "interpolants", "the conjuncts of the facts that refute it";
        Prefixes = "prefixes", "the conjuncts of interpolants of its infeasible sliced prefixes";
        Conjuncts = "conjuncts", "the conjuncts of its path formulas, each on its own";
        Weakening = "weakening", "its path formulas, weakened until they are inductive";
    }
}

/// The operators of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The block operator.
    pub blk: BlockOperator,
    /// The representation of abstraction formulas.
    pub region: Region,
    /// The abstraction computed at the end of a block.
    pub abstraction: Abstraction,
    /// Whether states are merged.
    pub merge: Merge,
    /// The exploration order.
    pub order: Order,
    /// Whether coverage is forced.
    pub fcover: ForcedCovering,
    /// The use of facts in a refinement.
    pub refinement: Refinement,
    /// The sources of facts; each is used if the previous one yields no facts or no new ones.
    pub facts: Cow<'static, [Facts]>,
    /// The scope of a predicate.
    pub scope: Scope,
    /// The predicates made from a fact.
    pub granularity: Granularity,
    /// The part of the graph that is explored again.
    pub restart: Restart,
    /// The places where auxiliary invariants are added.
    pub injection: Cow<'static, [Injection]>,
    /// The formulas of refuted counterexamples that are checked for being invariants.
    pub candidates: Cow<'static, [Candidates]>,
    /// The predicates before the first refinement.
    pub initial: InitialPrecision,
    /// Whether a step case complements the base case.
    pub induction: Induction,
    /// The bounds of the explored paths.
    pub restrictions: Restrictions,
}

/// Incompatible choices.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("incompatible options: {choices}: {reason}")]
pub struct Senseless {
    /// The choices, as command-line options.
    pub choices: String,
    /// The reason why they are incompatible.
    pub reason: &'static str,
}

impl Config {
    /// Whether the whole program is one block, as in bounded model checking.
    pub fn is_unrolling(&self) -> bool {
        self.blk == BlockOperator::Never && self.merge == Merge::Predicate
    }

    /// Rejects incompatible choices.
    ///
    /// # Errors
    /// The incompatible choices and the reason.
    pub fn check(&self) -> Result<(), Senseless> {
        let strengthens = matches!(self.refinement, Refinement::Impact | Refinement::Ufo);
        let has_predicates = matches!(self.refinement, Refinement::Predicate | Refinement::Ufo);
        let is_abstract = self.abstraction != Abstraction::None;
        let (blk, region, abstraction) = (self.blk, self.region, self.abstraction);
        let (refinement, fcover, merge) = (self.refinement, self.fcover, self.merge);
        let rules = [
            (
                self.induction != Induction::None && (blk != BlockOperator::Never || merge == Merge::Sep),
                format!("--induction {}, --blk {blk} and --merge {merge}", self.induction),
                "the base case is bounded model checking: --blk never --merge predicate",
            ),
            (
                blk == BlockOperator::Never && refinement != Refinement::None,
                format!("--blk {blk} and --refinement {refinement}"),
                "without block ends there is no abstraction state to refine",
            ),
            (
                blk == BlockOperator::Never && is_abstract,
                format!("--blk {blk} and --abstraction {abstraction}"),
                "an abstraction is computed at the end of a block",
            ),
            (
                blk == BlockOperator::Never && fcover != ForcedCovering::Id,
                format!("--blk {blk} and --fcover {fcover}"),
                "only states at a block end can be covered",
            ),
            (
                blk != BlockOperator::Never
                    && refinement == Refinement::None
                    && self.restrictions == Restrictions::NONE,
                format!("--blk {blk} and --refinement {refinement}"),
                "the abstraction at each block end would always be true",
            ),
            (
                has_predicates && !is_abstract,
                format!("--refinement {refinement} and --abstraction {abstraction}"),
                "only a Cartesian or Boolean abstraction uses predicates",
            ),
            (
                is_abstract && !has_predicates,
                format!("--abstraction {abstraction} and --refinement {refinement}"),
                "only the refinements predicate and ufo provide predicates",
            ),
            (
                region == Region::Bdd && !is_abstract && blk != BlockOperator::Never,
                format!("--region {region} and --abstraction {abstraction}"),
                "a diagram ranges over predicates, which only an abstraction uses",
            ),
            (
                region == Region::Bdd && (strengthens || fcover == ForcedCovering::Impact),
                match strengthens {
                    true => format!("--region {region} and --refinement {refinement}"),
                    false => format!("--region {region} and --fcover {fcover}"),
                },
                "a state strengthened by a formula is no diagram",
            ),
            (
                merge == Merge::Sep && blk == BlockOperator::Sbe,
                format!("--merge {merge} and --blk {blk}"),
                "single-block encoding has no states to merge",
            ),
            (
                refinement != Refinement::None && self.facts.is_empty(),
                format!("--refinement {refinement} and --facts none"),
                "a refinement needs facts",
            ),
            (
                blk == BlockOperator::Never && !self.injection.is_empty(),
                format!("--blk {blk} and --inject"),
                "invariants hold at block ends",
            ),
            (
                self.injection.contains(&Injection::Precision) && !is_abstract,
                format!("--inject precision and --abstraction {abstraction}"),
                "only a Cartesian or Boolean abstraction uses predicates",
            ),
            (
                self.injection.is_empty() && !self.candidates.is_empty(),
                "--candidates and --inject none".to_owned(),
                "invariants without injection have no effect",
            ),
        ];
        match rules.into_iter().find(|(is_senseless, ..)| *is_senseless) {
            Some((_, choices, reason)) => Err(Senseless { choices, reason }),
            None => Ok(()),
        }
    }
}
