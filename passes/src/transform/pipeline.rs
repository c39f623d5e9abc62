//! The registry of passes, and pipelines as lists of their names.
//!
//! A [`Pass`] is a row of [`PASSES`]: its name, its description, its source, and whether it is in
//! the default pipeline. The command line, its help and the statistics are derived from the rows. A
//! [`Pipeline`] is a memory model and a list of rows, run in order after the transformations that
//! every algorithm needs (function pointers, then regions in this model).
//!
//! The program is [checked](program::ssa::check) after each pass.

use super::back::BackTranslator;
use super::regions::MemoryModel;
use super::size::Size;
use super::{constprop, dce, induction, narrow, redundancy, slice, sroa};
pub use crate::selection::UnknownPass;
use crate::selection::select;
use program::ssa::Program;
use serde::Serialize;
use std::fmt;
use std::time::{Duration, Instant};
use terms::TermPool;

/// A pass that users can choose.
pub struct Pass {
    /// Its name on the command line.
    pub name: &'static str,
    /// A description in one paragraph.
    pub about: &'static str,
    /// The publication of the idea.
    pub source: &'static str,
    /// Whether it is in the default pipeline.
    pub standing: Standing,
    transform: fn(&mut TermPool, &mut Program) -> BackTranslator,
}

/// Whether a pass is in the default pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It reduces the total time.
    Default,
    /// It does not reduce the total time on the programs that were measured.
    OnRequest,
}

/// The name of slicing.
const SLICE: &str = "slice";

/// All passes, in the order in which the default pipeline runs them.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "constprop",
        about: "Conditional constant propagation: values, parameters, results and scalar variables that always hold the same \
                constant, and loads from tables that are never written after their initialization, are replaced by it; \
                decided branches are removed.",
        source: "Wegman and Zadeck, TOPLAS 1991",
        standing: Standing::Default,
        transform: constprop::constant_propagation,
    },
    Pass {
        name: "sroa",
        about: "Scalar replacement of aggregates: automatic structures and arrays whose accesses are all at constant offsets become \
                one scalar variable for each field.",
        source: "Muchnick 1997, section 12.2",
        standing: Standing::Default,
        transform: sroa::scalar_replacement,
    },
    Pass {
        name: "induction",
        about: "Induction variable substitution: a pointer that a loop moves in constant steps becomes its first value plus a \
                multiple of a counter, which pointers that move together share.",
        source: "Gerlek, Stoltz and Wolfe, TOPLAS 1995",
        standing: Standing::Default,
        transform: induction::induction,
    },
    Pass {
        name: "redundancy",
        about: "Redundant loads and checks: a load is replaced by an earlier load or store of the same address, and a branch that \
                dominating branches decide is removed, in particular the check of an access that was already checked with at least \
                as many bytes.",
        source: "Briggs, Cooper and Simpson 1997; Gupta, LOPLAS 1993",
        standing: Standing::Default,
        transform: redundancy::redundancy,
    },
    Pass {
        name: "dce",
        about: "Dead code elimination: unused values, stores that are never read, calls without effect, unreachable blocks and \
                functions, block parameters that are always equal.",
        source: "Cytron et al., TOPLAS 1991, section 7.1",
        standing: Standing::Default,
        transform: dce::dead_code,
    },
    Pass {
        name: SLICE,
        about: "Slicing by the property: removes code that cannot influence whether an error is reached, with the branches and \
                loops that control only such code. The replay of a counterexample chooses values for removed inputs.",
        source: "Weiser, TSE 1984; Ferrante, Ottenstein and Warren, TOPLAS 1987",
        standing: Standing::Default,
        transform: slice::slice,
    },
    Pass {
        name: "narrow",
        about: "Narrowing by bounds: an interval analysis of the whole program decides comparisons, computes products in fewer bits, \
                and makes signed operations on natural numbers unsigned.",
        source: "Cousot and Cousot 1976; Navas et al., APLAS 2012",
        standing: Standing::Default,
        transform: narrow::narrow,
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

/// A memory model, and passes in the order in which they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    memory: MemoryModel,
    passes: Vec<&'static Pass>,
}

impl Pipeline {
    /// No passes, and the default memory model.
    #[must_use]
    pub fn none() -> Self {
        Pipeline { memory: MemoryModel::default(), passes: Vec::new() }
    }

    /// The default pipeline.
    #[must_use]
    pub fn standard() -> Self {
        let passes = PASSES.iter().filter(|pass| pass.standing == Standing::Default).collect();
        Pipeline { passes, ..Pipeline::none() }
    }

    /// The passes with these names: `default` denotes the default pipeline, `none` denotes no
    /// passes, and `-name` removes a pass from the names before it.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownPass> {
        let passes = select(names, PASSES, |pass| pass.name, &Pipeline::standard().passes)?;
        Ok(Pipeline { passes, ..Pipeline::none() })
    }

    /// The same passes with another memory model.
    #[must_use]
    pub fn with_memory(self, memory: MemoryModel) -> Self {
        Pipeline { memory, ..self }
    }

    /// No passes, with the same memory model.
    #[must_use]
    pub fn without_passes(&self) -> Self {
        Pipeline::none().with_memory(self.memory)
    }

    /// The same passes except slicing, which assumes that loops terminate.
    #[must_use]
    pub fn without_slicing(&self) -> Self {
        let passes = self.passes.iter().copied().filter(|pass| pass.name != SLICE).collect();
        Pipeline { passes, ..*self }
    }

    /// The memory model.
    #[must_use]
    pub fn memory(&self) -> MemoryModel {
        self.memory
    }

    /// Whether the pipeline has no passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty()
    }

    /// The passes in order.
    #[must_use]
    pub fn passes(&self) -> &[&'static Pass] {
        &self.passes
    }

    /// Runs the passes on `program`.
    ///
    /// # Panics
    /// If a pass breaks a rule of [`program::ssa::check`].
    pub fn run(&self, pool: &mut TermPool, program: &mut Program) -> PipelineRun {
        let mut run = PipelineRun { back: BackTranslator::identity(), statistics: Vec::new() };
        for pass in &self.passes {
            let before = Size::of(program);
            let start = Instant::now();
            let back = (pass.transform)(pool, program);
            let time = start.elapsed();
            run.back = run.back.then(back);
            run.statistics.push(PassStatistics { name: pass.name, before, after: Size::of(program), time });
            program::ssa::check::assert_well_formed(pool, program, &format!("the pass {}", pass.name));
        }
        run
    }
}

impl Serialize for Pipeline {
    /// The names of the passes.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.passes.iter().map(|pass| pass.name))
    }
}

/// The result of running a pipeline.
#[derive(Clone, Debug)]
pub struct PipelineRun {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// One entry for each pass.
    pub statistics: Vec<PassStatistics>,
}

/// The effect and the cost of a pass, or of the splitting of memory.
#[derive(Clone, Debug, Serialize)]
pub struct PassStatistics {
    /// Its name.
    pub name: &'static str,
    /// The program before.
    pub before: Size,
    /// The program after.
    pub after: Size,
    /// The duration of the pass.
    #[serde(serialize_with = "seconds")]
    pub time: Duration,
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Result<Vec<&'static str>, UnknownPass> {
        let pipeline = Pipeline::named(list.iter().copied())?;
        Ok(pipeline.passes().iter().map(|pass| pass.name).collect())
    }

    #[test]
    fn a_pipeline_is_a_list_of_names() {
        assert_eq!(names(&["dce", "constprop", "dce"]), Ok(vec!["dce", "constprop", "dce"]));
        assert_eq!(names(&["none"]), Ok(vec![]));
        let standard: Vec<_> = Pipeline::standard().passes().iter().map(|pass| pass.name).collect();
        assert_eq!(names(&["default"]), Ok(standard.clone()));
        let without: Vec<_> = standard.into_iter().filter(|name| *name != "dce").collect();
        assert_eq!(names(&["default", "-dce"]), Ok(without));
        assert_eq!(
            names(&["dead"]),
            Err(UnknownPass {
                name: "dead".to_owned(),
                known: PASSES.iter().map(|pass| pass.name).collect()
            })
        );
    }

    #[test]
    fn every_pass_has_a_name_of_its_own_and_a_source() {
        for (index, pass) in PASSES.iter().enumerate() {
            assert!(!pass.about.is_empty() && !pass.source.is_empty(), "{}", pass.name);
            assert!(!["default", "none"].contains(&pass.name) && !pass.name.starts_with('-'));
            assert!(PASSES[..index].iter().all(|other| other.name != pass.name), "{}", pass.name);
        }
    }
}
