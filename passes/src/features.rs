//! Features of a program that tell which algorithms suit it.
//!
//! They are read off the lowered program, before any pass: whether there are loops, recursion,
//! arrays, products of variables, floating-point operations, inputs, many checks. They choose among
//! algorithms, all of which are sound, so a wrong guess costs time and nothing else.

use crate::transform::regions::recursive_among;
use program::interp::PLACEMENT;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{Callee, Function, HavocSource, InstructionKind, Program, RegionKind, Terminator};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use terms::choice;
use terms::{Op, Sort, Term, TermPool};

/// The least number of checks that are many.
const MANY_CHECKS: usize = 16;

choice! {
    /// A feature of a program.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    Feature {
        Loops = "loops", "loops";
        Recursion = "recursion", "recursive functions";
        Arrays = "arrays", "arrays or memory accessed through pointers";
        Products = "products", "products, quotients or remainders of variables";
        Floats = "floats", "floating-point operations";
        Inputs = "inputs", "inputs";
        Checks = "checks", "many checks, as those of each access to memory";
    }
}

/// The features of a program, with its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Features {
    /// Its features.
    pub features: BTreeSet<Feature>,
    /// The number of functions that may run.
    pub functions: usize,
    /// The number of their loops.
    pub loops: usize,
    /// The number of their instructions.
    pub instructions: usize,
}

impl Features {
    /// The features of the functions that may run.
    #[must_use]
    pub fn of(pool: &TermPool, program: &Program) -> Self {
        let running = running(program);
        let mut features = BTreeSet::new();
        let (mut loops, mut instructions, mut checks) = (0, 0, 0);
        let mut terms = FxHashSet::default();
        for &function in &running {
            let data = &program.functions[function];
            if data.blocks.is_empty() {
                continue;
            }
            loops += LoopForest::new(&ControlFlow::new(data)).loops().len();
            for block in data.blocks.values() {
                instructions += block.instructions.len();
                checks += usize::from(matches!(block.terminator, Terminator::Error(_)));
                block.terminator.for_each_term(|term| {
                    terms.insert(term);
                });
                for instruction in &block.instructions {
                    instruction.kind.for_each_term(|term| {
                        terms.insert(term);
                    });
                    if let InstructionKind::Havoc(source) = &instruction.kind
                        && *source != HavocSource::Input(PLACEMENT.to_owned())
                    {
                        features.insert(Feature::Inputs);
                    }
                    let mut kinds = instruction.kind.regions().map(|region| program.regions[region].kind);
                    if kinds.any(|kind| !matches!(kind, RegionKind::Scalar(_))) {
                        features.insert(Feature::Arrays);
                    }
                }
            }
        }
        if loops > 0 {
            features.insert(Feature::Loops);
        }
        if checks >= MANY_CHECKS {
            features.insert(Feature::Checks);
        }
        if !recursive_among(program, running.iter().copied()).is_empty() {
            features.insert(Feature::Recursion);
        }
        let mut terms: Vec<Term> = terms.into_iter().collect();
        terms.sort_unstable();
        features.extend(operations(pool, &terms));
        Features { features, functions: running.len(), loops, instructions }
    }

    /// Whether the program has a feature.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }
}

/// The functions that the entry function may call.
fn running(program: &Program) -> BTreeSet<Function> {
    let mut found = BTreeSet::from([program.entry]);
    let mut open = vec![program.entry];
    while let Some(function) = open.pop() {
        for block in program.functions[function].blocks.values() {
            for instruction in &block.instructions {
                let (InstructionKind::Call { callee: Callee::Direct(mentioned), .. }
                | InstructionKind::FunctionAddress(mentioned)) = instruction.kind
                else {
                    continue;
                };
                if found.insert(mentioned) {
                    open.push(mentioned);
                }
            }
        }
    }
    found
}

fn operations(pool: &TermPool, terms: &[Term]) -> BTreeSet<Feature> {
    let mut found = BTreeSet::new();
    let is_variable = |term: Term| !pool.is_constant(term);
    pool.visit(
        terms,
        |_| true,
        |term| {
            let op = pool.op(term);
            if matches!(op, Op::BvMul | Op::Mul | Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem)
                && pool.children(term).iter().filter(|&&child| is_variable(child)).count() > 1
            {
                found.insert(Feature::Products);
            }
            if matches!(pool.sort(term), Sort::Float(..)) {
                found.insert(Feature::Floats);
            }
        },
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::text::parse_text;

    fn features(text: &str) -> Features {
        let mut pool = TermPool::new();
        let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
        Features::of(&pool, &program)
    }

    const HEADER: &str = "machine 32\nentry f0\nproperty p0 reach-call \"call of reach_error\"\n";

    #[test]
    fn functions_that_do_not_run_do_not_count() {
        let text = format!(
            "{HEADER}function f0 \"main\" () {{
  block b0:
    v0: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= (bvmul v0 v0) #x31) then b1 else b2
  block b1:
    error p0
  block b2:
    return
}}
function f1 \"idle\" () {{
  block b0:
    goto b1
  block b1:
    goto b1
}}
"
        );
        let found = features(&text);
        assert_eq!(found.features, BTreeSet::from([Feature::Products, Feature::Inputs]));
        assert_eq!((found.functions, found.loops), (1, 0));
    }

    #[test]
    fn loops_and_recursion_are_told_apart() {
        let body = |call: &str| {
            format!(
                "{HEADER}function f0 \"main\" () {{
  block b0:
    call f1()
    return
}}
function f1 \"f\" () {{
  block b0:
    goto b1
  block b1:
    {call}
    branch (= #x00 #x01) then b1 else b2
  block b2:
    return
}}
"
            )
        };
        assert_eq!(
            features(&body("call f1()")).features,
            BTreeSet::from([Feature::Loops, Feature::Recursion])
        );
        let loops = features(&body("v0: u8 = havoc input \"__VERIFIER_nondet_uchar\"")).features;
        assert_eq!(loops, BTreeSet::from([Feature::Loops, Feature::Inputs]));
    }

    #[test]
    fn checks_are_counted() {
        let program = |checks: usize| {
            let mut text = format!("{HEADER}function f0 \"main\" () {{\n");
            for check in 0..checks {
                let [place, error, next] = [2 * check, 2 * check + 1, 2 * check + 2];
                text += &format!("  block b{place}:\n    v{check}: u8 = havoc input \"c\"\n");
                text += &format!("    branch (= v{check} #x00) then b{error} else b{next}\n");
                text += &format!("  block b{error}:\n    error p0\n");
            }
            text + &format!("  block b{}:\n    return\n}}\n", 2 * checks)
        };
        assert!(!features(&program(MANY_CHECKS - 1)).has(Feature::Checks));
        assert!(features(&program(MANY_CHECKS)).has(Feature::Checks));
    }
}
