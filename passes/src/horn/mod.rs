//! Transformations of Horn systems.
//!
//! Each pass makes a system that is satisfiable iff the old one is, together with the [way
//! back](Back): a model of the new system gives one of the old system, and a derivation of the new
//! system one of the old system. There are two exceptions. `cells` is an over-approximation: a
//! derivation of its system may have no way back ([`Lost::Cells`]). `linearize` is an
//! under-approximation if the recursion is nonlinear: a model of its system may become an
//! interpretation that is no model. Passes are rows of [`PASSES`]; a [`Pipeline`] runs some of them
//! in order. Results of the ways back are to be checked on the original system, so that no answer
//! rests on a pass.
//!
//! | module | contents |
//! |---|---|
//! | `back` | the way back for models and derivations |
//! | `slice` | clauses and relations that no derivation of a query uses |
//! | `arguments` | arguments that others determine or that are irrelevant |
//! | `simplify` | symbols that equations determine |
//! | `inline` | relations without recursion |
//! | `split` | relations by the constants of an argument |
//! | `merge` | one clause of those between the same relations |
//! | `intervals` | bounds of arguments in derivable atoms |
//! | `accelerate` | loops that add constants |
//! | `reverse` | facts as queries |
//! | `transition` | all relations as one with a location |
//! | `divisions` | quotients and remainders by constants |
//! | `integers` | bit vectors as integers |
//! | `cells` | cells of arrays instead of arrays |
//! | `cases` | a clause for each case of a constraint |
//! | `linearize` | sequences of atoms as one atom |
//! | `specialize` | versions of relations for the conditions of calls |
//! | `bounds` | bounds of numbers that a constraint implies |
//! | `equations` | variables that equations determine |
//! | `equalities` | equalities between arguments in derivable atoms |
//! | `constants` | the constants that arguments have in derivable atoms |

mod accelerate;
mod arguments;
mod back;
mod bounds;
mod cases;
mod cells;
mod constants;
mod divisions;
mod equalities;
mod equations;
mod inline;
mod integers;
mod intervals;
mod linearize;
mod merge;
mod reverse;
mod simplify;
mod slice;
mod specialize;
mod split;
#[cfg(test)]
mod tests;
mod transition;

pub use crate::selection::UnknownPass;
pub use back::{Back, Lost};

use crate::selection::select;
use horn::{Derivation, Interpretation, System};
use std::fmt;
use std::time::{Duration, Instant};
use terms::{Term, TermPool};

/// The result of a pass.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The new system.
    pub system: System,
    /// The way back to the old one.
    pub back: Back,
}

/// A pass that users can choose.
pub struct Pass {
    /// Its name on the command line.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The publication of the idea.
    pub source: &'static str,
    transform: fn(&mut TermPool, &System) -> Transformed,
}

/// All passes.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "slice",
        about: "removes relations that are not derivable or that no query depends on",
        source: "Hojjat and Rümmer, FMCAD 2018; Leuschel and Sørensen, LOPSTR 1996",
        transform: slice::slice,
    },
    Pass {
        name: "simplify",
        about: "replaces symbols that equations of a constraint determine, and removes clauses with false constraints",
        source: "de Moura and Bjørner, TACAS 2008 (solve-eqs)",
        transform: simplify::simplify,
    },
    Pass {
        name: "arguments",
        about: "removes arguments that are constant, that differ from another one by a constant, or that influence nothing",
        source: "Leuschel and Sørensen, LOPSTR 1996",
        transform: arguments::filter,
    },
    Pass {
        name: "inline",
        about: "replaces relations without recursion by the clauses that derive them, where this adds few clauses",
        source: "Tamaki and Sato, ICLP 1984 (unfolding); Bjørner, Gurfinkel, McMillan and Rybalchenko, 2015",
        transform: inline::inline,
    },
    Pass {
        name: "split",
        about: "makes a relation for each constant that an argument has, such as a program counter",
        source: "De Angelis, Fioravanti, Pettorossi and Proietti, SCP 2014",
        transform: split::split,
    },
    Pass {
        name: "merge",
        about: "makes one clause of those between the same relations, with a disjunction",
        source: "Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, FMCAD 2009",
        transform: merge::merge,
    },
    Pass {
        name: "split-clauses",
        about: "makes a clause for each case of a disjunction or ite in a constraint",
        source: "Jaffar and Maher, JLP 1994",
        transform: cases::split,
    },
    Pass {
        name: "intervals",
        about: "adds the bounds of arguments that interval analysis finds, and removes clauses that contradict them",
        source: "Cousot and Cousot, POPL 1977",
        transform: intervals::bound,
    },
    Pass {
        name: "accelerate",
        about: "makes a clause for any number of iterations of a loop that adds constants",
        source: "Boigelot, 1998; Finkel and Leroux, FSTTCS 2002",
        transform: accelerate::accelerate,
    },
    Pass {
        name: "reverse",
        about: "exchanges facts and queries of linear clauses, so that derivations go backward",
        source: "Kafle and Gallagher, 2017; De Angelis, Fioravanti, Pettorossi and Proietti, SCP 2014",
        transform: reverse::reverse,
    },
    Pass {
        name: "single-loop",
        about: "makes one relation with a location of all relations of linear clauses",
        source: "Manna and Pnueli, 1995",
        transform: transition::single_loop,
    },
    Pass {
        name: "divisions",
        about: "replaces quotients and remainders by constants by linear inequalities",
        source: "Boute, TOPLAS 1992",
        transform: divisions::remove,
    },
    Pass {
        name: "integers",
        about: "makes integers with wrap-around of bit vectors, where this is exact for all clauses",
        source: "Wendler, 2017; Zohar, Irfan, Mann, Niemetz, Nötzli, Preiner, Reynolds, Barrett and Tinelli, VMCAI 2022",
        transform: integers::translate,
    },
    Pass {
        name: "cells",
        about: "replaces arrays by the index and the element of any one of their cells, an over-approximation",
        source: "Monniaux and Gonnord, SAS 2016",
        transform: cells::eliminate,
    },
    Pass {
        name: "linearize",
        about: "makes linear clauses over sequences of atoms; an under-approximation, by tree dimension, where a clause has several body atoms in the component of its head",
        source: "Afrati, Gergatsoulis and Toni, TCS 2003; Kafle, Gallagher and Ganty, HCVS 2016",
        transform: linearize::linearize,
    },
    Pass {
        name: "specialize",
        about: "makes a version of a relation for each condition under which a query needs it, by unfolding and folding",
        source: "De Angelis, Fioravanti, Pettorossi and Proietti, SCP 2014; Tamaki and Sato, ICLP 1984",
        transform: specialize::specialize,
    },
];

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Pass {}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Passes in the order in which they run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    passes: Vec<&'static Pass>,
}

/// The effect and the cost of a pass.
#[derive(Clone, Debug)]
pub struct PassStatistics {
    /// Its name.
    pub name: &'static str,
    /// The numbers of relations, arguments and clauses before.
    pub before: [usize; 3],
    /// The same after it.
    pub after: [usize; 3],
    /// The duration of the pass.
    pub time: Duration,
}

/// The result of a pipeline.
#[derive(Clone, Debug)]
pub struct PipelineRun {
    /// The system after all passes.
    pub system: System,
    /// The ways back of the passes, in the order in which they ran.
    backs: Vec<Back>,
    /// One entry for each pass.
    pub statistics: Vec<PassStatistics>,
}

impl Pipeline {
    /// The default pipeline: the passes that make systems smaller, some of them twice.
    #[must_use]
    pub fn standard() -> Self {
        let names = ["slice", "simplify", "arguments", "inline", "simplify", "arguments", "slice"];
        let passes = select(names, PASSES, |pass| pass.name, &[]).expect("the passes are in the table");
        Pipeline { passes }
    }

    /// The passes with these names: `default` denotes the default pipeline, `none` denotes no
    /// passes, and `-name` removes a pass from the names before it.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownPass> {
        let passes = select(names, PASSES, |pass| pass.name, &Pipeline::standard().passes)?;
        Ok(Pipeline { passes })
    }

    /// Runs the passes.
    pub fn run(&self, pool: &mut TermPool, system: &System) -> PipelineRun {
        let mut run = PipelineRun { system: system.clone(), backs: Vec::new(), statistics: Vec::new() };
        for pass in &self.passes {
            let before = size(&run.system);
            let start = Instant::now();
            let Transformed { system, back } = (pass.transform)(pool, &run.system);
            let time = start.elapsed();
            run.statistics.push(PassStatistics { name: pass.name, before, after: size(&system), time });
            run.system = system;
            run.backs.push(back);
        }
        run
    }
}

impl PipelineRun {
    /// The model of the original system for one of the result.
    pub fn model(&self, pool: &mut TermPool, model: &Interpretation) -> Interpretation {
        self.backs.iter().rev().fold(model.clone(), |model, back| back.model(pool, &model))
    }

    /// The derivation of the original system for one of the result.
    ///
    /// # Errors
    /// If the derivation has no way back.
    pub fn derivation(&self, pool: &mut TermPool, derivation: &Derivation) -> Result<Derivation, Lost> {
        self.backs
            .iter()
            .rev()
            .try_fold(derivation.clone(), |derivation, back| back.derivation(pool, &derivation))
    }
}

fn size(system: &System) -> [usize; 3] {
    let arguments = system.relations.values().map(|relation| relation.arguments.len());
    [system.relations.len(), arguments.sum(), system.clauses.len()]
}

/// The name of a symbol or bound variable.
fn name(pool: &TermPool, term: Term) -> String {
    horn::variable_name(pool, term)
}
