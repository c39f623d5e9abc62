//! CEGAR (*A Unifying View on SMT-Based Software Verification*, Algorithm 4).

use super::algorithm::{Analysis, Stopped};
use super::config::Config;
use super::formulas::Formulas;
use super::refinement::Refined;
use super::solving::{Failure, Solver, Statistics};
use crate::transform::{Pipeline, ViewLimits, prepare_for_views};
use backends::{Limits, ProverFactory};
use ir::encode::{Encoding, FloatEncoding, Overflow};
use ir::ssa::Program;
use ir::term::{Term, TermPool};
use ir::views::paths::Place;

/// draft
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    encoding: Encoding,
    overflow: Overflow,
    floats: FloatEncoding,
    pipeline: &Pipeline,
    limits: &Limits,
) -> (String, Statistics) {
    let mut prepared = program.clone();
    let back = match prepare_for_views(pool, &mut prepared, ViewLimits::default(), pipeline) {
        Ok(prepared) => prepared.back,
        Err(error) => return (format!("UNKNOWN({error})"), Statistics::default()),
    };
    let entry = prepared.entry;
    let functions = prepared.functions[entry]
        .blocks
        .keys()
        .map(|block| {
            let origin = back.block(entry, block).map_or(entry, |(function, _)| function);
            program.functions[origin].name.clone()
        })
        .collect();
    let formulas = match Formulas::new(pool, &prepared, encoding, overflow, floats) {
        Ok(formulas) => formulas,
        Err(error) => return (format!("UNKNOWN({error})"), Statistics::default()),
    };
    let prover = match factory
        .new_prover(encoding.logic(if encoding.is_linear() { FloatEncoding::Theory } else { floats }), limits)
    {
        Ok(prover) => prover,
        Err(error) => return (format!("UNKNOWN({error})"), Statistics::default()),
    };
    let solver = Solver { prover, limits: limits.clone(), statistics: Statistics::default() };
    let mut analysis = Analysis::new(pool, formulas, solver, config, functions);
    let answer = match cegar(&mut analysis) {
        Ok(answer) => answer,
        Err(failure) => format!("UNKNOWN({failure})"),
    };
    let mut lines = Vec::new();
    for (node, data) in analysis.arg.nodes() {
        if data.kind == super::arg::Kind::Abstraction {
            let term: Term = analysis.abstractions.term(data.formula);
            lines.push(format!(
                "{node} {:?} covered by {:?}: {}",
                data.place,
                data.covered_by,
                ir::term::print::term(analysis.pool, term)
            ));
        }
    }
    if std::env::var_os("ARG").is_some() {
        for line in lines {
            eprintln!("{line}");
        }
        eprintln!("created {}", analysis.arg.created());
    }
    (answer, analysis.solver.statistics)
}

fn cegar(analysis: &mut Analysis<'_, '_>) -> Result<String, Failure> {
    loop {
        match analysis.run()? {
            Stopped::Exhausted => return Ok("TRUE".to_owned()),
            Stopped::Aborted(error) => match analysis.refine(error)? {
                Refined::Feasible => {
                    return Ok(match analysis.arg[error].place {
                        Place::Hole(hole) => {
                            format!("UNKNOWN(unsupported {})", analysis.formulas.paths.hole(hole).what)
                        }
                        _ => "FALSE(candidate)".to_owned(),
                    });
                }
                Refined::Infeasible => {}
                Refined::NoProgress => return Ok("UNKNOWN(no progress)".to_owned()),
            },
        }
    }
}
