//! Models from template-based inference.
//!
//! The [inference] of invariants searches stage by stage, from cheap to expensive
//! domains, for a conjunction of rows for each relation that satisfies all clauses. It finds no
//! derivations.

use backends::{HornAnswer, HornSolver, Limits, ProverFactory, Reason};
use horn::{Interpretation, System};
use inference::{Contexts, Cores, Inference, LEVELS, Suggestions, slice};
use std::rc::Rc;
use terms::TermPool;

/// The engine.
pub struct Templates {
    /// The solver.
    pub factory: Rc<dyn ProverFactory>,
}

impl HornSolver for Templates {
    fn name(&self) -> &'static str {
        "templates"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        match self.search(pool, system, limits) {
            Ok(model) => HornAnswer::Satisfiable(model),
            Err(reason) => HornAnswer::Unknown(reason),
        }
    }
}

impl Templates {
    fn search(
        &self,
        pool: &mut TermPool,
        system: &System,
        limits: &Limits,
    ) -> Result<Interpretation, Reason> {
        let contexts = Contexts::new(&*self.factory, "ALL");
        let mut inference = Inference::new(pool, system, &Suggestions::default(), contexts);
        let mut prover = self.factory.new_prover("ALL", limits)?;
        // The last level contains the stages of the others.
        let spec: inference::Spec = LEVELS[LEVELS.len() - 1].parse().expect("a built-in specification");
        for stage in &spec.stages {
            inference.stage(pool, stage, spec.search, limits)?;
            let known = inference.known();
            if let Some(model) = slice(pool, &mut *prover, system, &known, Cores::Any, limits)? {
                let relations = system.relations.keys();
                let formulas = relations.map(|relation| model.term(pool, relation)).collect();
                return Ok(Interpretation { formulas });
            }
        }
        Err(Reason::Incomplete("no domain expresses a model".to_owned()))
    }
}
