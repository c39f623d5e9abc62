//! Certificates in terms of the source, as text and as JSON.
//!
//! Each invariant has a source line, and its symbols have the names of source variables.

use super::contracts::{PresentedSummaries, present_summaries};
use super::cut_points::{List, Own, Prepared, PresentedInvariant, cut_points_of, present_invariant};
use super::{Basis, BoundedProof, Certificate, Invariants};
use grammars::source::SourceMap;
use program::ssa::Program;
use serde::Serialize;
use terms::TermPool;
use views::blocks::CutPointKind;

/// A certificate in terms of the source.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Presented {
    /// A proof by bounded model checking that covers all executions.
    Bounded(BoundedProof),
    /// Inductive invariants that exclude errors.
    Inductive(PresentedInvariants),
    /// Auxiliary invariants with which k-induction succeeds.
    KInductive {
        /// The number of steps.
        k: u32,
        /// The invariants.
        #[serde(flatten)]
        invariants: PresentedInvariants,
    },
    /// Contracts of procedures, and invariants of their loops.
    Summaries(PresentedSummaries),
}

/// Invariants in terms of the source.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedInvariants {
    /// The encoding of the program.
    #[serde(flatten)]
    pub basis: Basis,
    /// The invariants of all loop heads, and of all other blocks that have one, in control-flow
    /// order.
    pub cut_points: Vec<PresentedInvariant>,
}

/// Converts `certificate` to the terms of `sources`. `program` is the lowered program.
pub fn present(
    pool: &mut TermPool,
    program: &Program,
    certificate: &Certificate,
    sources: &SourceMap,
) -> Presented {
    match certificate {
        Certificate::Bounded(proof) => Presented::Bounded(proof.clone()),
        Certificate::Inductive(invariants) => {
            Presented::Inductive(present_invariants(pool, program, invariants, sources))
        }
        Certificate::KInductive { k, invariants } => Presented::KInductive {
            k: *k,
            invariants: present_invariants(pool, program, invariants, sources),
        },
        Certificate::Summaries(summaries) => {
            Presented::Summaries(present_summaries(pool, program, summaries, sources))
        }
    }
}

fn present_invariants(
    pool: &mut TermPool,
    program: &Program,
    invariants: &Invariants,
    sources: &SourceMap,
) -> PresentedInvariants {
    let basis = invariants.basis();
    // Invariants that do not fit the program have no cut points to present; the validator rejects
    // such a certificate.
    let Some(prepared) = Prepared::new(pool, program, invariants) else {
        return PresentedInvariants { basis, cut_points: Vec::new() };
    };
    let Prepared { program: prepared, functions, .. } = &prepared;
    let mut cut_points = Vec::new();
    let variable = |symbol| invariants.variable(symbol);
    for (blocks, data) in functions.iter().flat_map(cut_points_of) {
        let CutPointKind::Block(block) = data.kind else { continue };
        let formula = invariants.at.get(&block).copied().unwrap_or(pool.tru());
        let own = Own { block: block.to_string(), formula, index: invariants.index };
        cut_points.push(present_invariant(pool, (program, prepared), blocks, data, &variable, own, sources));
    }
    PresentedInvariants { basis, cut_points }
}

impl Presented {
    /// Returns the proof as text. Invariants whose lines are longer than `width` characters are
    /// shortened.
    pub fn describe(&self, width: Option<usize>) -> String {
        let (reason, invariants) = match self {
            Presented::Bounded(proof) => {
                let (bound, s) = (proof.bound(), plural(proof.bound()));
                let reason =
                    format!("every loop terminates within {bound} iteration{s} (forward condition holds)");
                (reason, None)
            }
            Presented::Inductive(invariants) if invariants.is_trivial() => {
                ("no path leads to an error".to_owned(), None)
            }
            Presented::Inductive(invariants) => {
                ("the loop invariants are inductive and exclude every error".to_owned(), Some(invariants))
            }
            Presented::KInductive { k, invariants } => {
                let s = plural(*k);
                let with = if invariants.is_trivial() { "" } else { " with the loop invariants" };
                let reason = format!(
                    "k-induction with k = {k}: no error follows {k} step{s} between loop heads{with}"
                );
                (reason, Some(invariants))
            }
            Presented::Summaries(summaries) => {
                let reason = "the contracts of all functions are inductive and exclude every error";
                return format!("Safe: {reason}.\n{}", summaries.lines(width));
            }
        };
        let invariants = invariants.map_or_else(String::new, |invariants| invariants.lines(width));
        format!("Safe: {reason}.\n{invariants}")
    }
}

impl PresentedInvariants {
    /// Whether the invariants of all cut points are `true`.
    fn is_trivial(&self) -> bool {
        self.cut_points.iter().all(|cut| cut.conjuncts.is_empty())
    }

    /// Lists the conjuncts of each cut point below its location.
    fn lines(&self, width: Option<usize>) -> String {
        if self.is_trivial() {
            return String::new();
        }
        let mut list = List::new("Loop invariants:\n", width);
        for cut in self.cut_points.iter().filter(|cut| !cut.conjuncts.is_empty()) {
            list.place(&cut.place());
            list.conjuncts("", &cut.conjuncts);
        }
        list.finish()
    }
}

fn plural(number: u32) -> &'static str {
    if number == 1 { "" } else { "s" }
}
