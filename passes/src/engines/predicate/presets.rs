//! Algorithms as rows of one table (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018, Table 1 and §4.5).
//!
//! Each preset is a [`Config`] of the same analysis. Every choice is also an option of its own, so
//! a row is a starting point for better combinations.

use super::config::{
    Abstraction, Config, Facts, ForcedCovering, Granularity, Induction, InitialPrecision, Merge, Order,
    Refinement, Region, Restart, Scope,
};
use super::restrictions::Restrictions;
use std::borrow::Cow;
use views::BlockOperator;

/// An algorithm: a named configuration.
#[derive(Clone, Debug)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The publication that describes it.
    pub source: &'static str,
    /// The operators.
    pub config: Config,
}

const PATH_INVARIANTS_FIRST: Cow<'static, [Facts]> = Cow::Borrowed(&[
    Facts::PathInvariants,
    Facts::Interpolants,
    Facts::WeakestPreconditions,
    Facts::Heuristics,
]);
const NO_FACTS: Cow<'static, [Facts]> = Cow::Borrowed(&[]);

/// Lazy predicate abstraction, the row that the other rows with abstraction differ from.
const PREDICATE: Config = Config {
    blk: BlockOperator::L,
    region: Region::Bdd,
    abstraction: Abstraction::Boolean,
    merge: Merge::Predicate,
    order: Order::ReversePostorder,
    fcover: ForcedCovering::Id,
    refinement: Refinement::Predicate,
    facts: PATH_INVARIANTS_FIRST,
    scope: Scope::Location,
    granularity: Granularity::Atoms,
    restart: Restart::Lazy,
    injection: Cow::Borrowed(&[]),
    candidates: Cow::Borrowed(&[]),
    initial: InitialPrecision::None,
    induction: Induction::None,
    restrictions: Restrictions::NONE,
};

/// Lazy abstraction with interpolants.
const IMPACT: Config = Config {
    region: Region::Smt,
    abstraction: Abstraction::None,
    fcover: ForcedCovering::Impact,
    refinement: Refinement::Impact,
    ..PREDICATE
};

/// Bounded model checking.
const BMC: Config = Config {
    blk: BlockOperator::Never,
    region: Region::Smt,
    abstraction: Abstraction::None,
    refinement: Refinement::None,
    facts: NO_FACTS,
    ..PREDICATE
};

/// The name of the default preset.
pub const DEFAULT: &str = "k-induction";

/// The name of bounded model checking, the base of other combinations of operators.
pub const BOUNDED: &str = "bmc";

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: BOUNDED,
        about: "bounded model checking with forward condition",
        source: "Unifying View §4.1",
        config: BMC,
    },
    Preset {
        name: DEFAULT,
        about: "k-induction with auxiliary invariants",
        source: "Unifying View §4.2, Algorithm 3",
        config: Config { induction: Induction::KInduction, ..BMC },
    },
    Preset {
        name: "kiki",
        about: "k-invariants and k-induction: invariants from templates first, then k-induction",
        source: "Brain et al., SAS 2015",
        config: Config { induction: Induction::Kiki, ..BMC },
    },
    Preset {
        name: "pdr",
        about: "property-directed reachability, with bounded model checking",
        source: "Bradley, VMCAI 2011; Komuravelli et al., CAV 2014",
        config: Config { induction: Induction::Pdr, ..BMC },
    },
    Preset {
        name: "horn",
        about: "engines for the Horn clauses of all functions, with bounded model checking",
        source: "Grebenshchikov et al., PLDI 2012; Gurfinkel et al., CAV 2015",
        config: Config { induction: Induction::Horn, ..BMC },
    },
    Preset {
        name: "predicate",
        about: "lazy predicate abstraction",
        source: "Unifying View §4.3, Algorithm 4",
        config: PREDICATE,
    },
    Preset {
        name: "impact",
        about: "lazy abstraction with interpolants (Impact), with large blocks and forced covering",
        source: "Unifying View §4.4",
        config: IMPACT,
    },
    Preset {
        name: "impact-sbe",
        about: "the original Impact algorithm: every location is the end of a block",
        source: "McMillan, CAV 2006; Unifying View §4.4",
        config: Config { blk: BlockOperator::Sbe, ..IMPACT },
    },
    Preset {
        name: "ufo",
        about: "Impact whose facts are also predicates for states that are found later",
        source: "Albarghouthi et al., TACAS 2012; Unifying View §4.5",
        config: Config {
            abstraction: Abstraction::Cartesian,
            refinement: Refinement::Ufo,
            fcover: ForcedCovering::Impact,
            ..IMPACT
        },
    },
    Preset {
        name: "symbolic-execution",
        about: "symbolic execution: each path separately",
        source: "Unifying View §4.5",
        config: Config { merge: Merge::Sep, order: Order::Dfs, ..BMC },
    },
];

/// The preset with this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_makes_sense() {
        for preset in PRESETS {
            assert_eq!(preset.config.check(), Ok(()), "{}", preset.name);
        }
    }

    #[test]
    fn presets_differ() {
        for (index, one) in PRESETS.iter().enumerate() {
            for other in &PRESETS[..index] {
                assert_ne!(one.config, other.config, "{} and {}", one.name, other.name);
            }
        }
    }
}
