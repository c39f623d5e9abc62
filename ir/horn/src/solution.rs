//! Evidence for the satisfiability of a system: interpretations and derivations.
//!
//! An [`Interpretation`] gives each relation a formula. It is a *model* if it satisfies all
//! clauses, and then the system is satisfiable (safe). A [`Derivation`] is a tree of instances of
//! clauses that ends in a query, and then the system is unsatisfiable (unsafe). The two exclude
//! each other.
//!
//! A derivation is checked here, by evaluation. An interpretation is checked clause by clause with
//! a prover: it is a model iff no [`violation`](Interpretation::violation) is satisfiable.
//!
//! A derivation shares equal subtrees, so its tree may be exponentially larger than its steps.

use crate::{Atom, Clause, Relation, Signatures, System};
use rustc_hash::FxHashMap;
use std::fmt;
use terms::entity::{Entity, PrimaryMap};
use terms::{Assignment, EvalError, Evaluator, Op, Symbol, Term, TermPool, Value};

/// A formula for each relation, over the symbols of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpretation {
    /// The formulas; they may have quantifiers.
    pub formulas: PrimaryMap<Relation, Term>,
}

impl Interpretation {
    /// The interpretation of all relations by the same formula without symbols.
    pub fn constant(system: &System, formula: Term) -> Self {
        Interpretation { formulas: system.relations.keys().map(|_| formula).collect() }
    }

    /// The formulas whose conjunction describes the instances of `clause` that the interpretation
    /// does not satisfy: those of the body and the constraint hold, that of the head does not.
    pub fn violation(&self, pool: &mut TermPool, system: &System, clause: Clause) -> Vec<Term> {
        let data = &system.clauses[clause];
        let mut conjuncts = Vec::with_capacity(data.body.len() + 2);
        for (index, atom) in data.body.iter().enumerate() {
            conjuncts.push(data.at_body(pool, system, index, self.formulas[atom.relation]));
        }
        conjuncts.push(data.constraint);
        if let Some(head) = &data.head {
            let images: FxHashMap<Term, Term> =
                system.relations[head.relation].symbols().zip(head.arguments.iter().copied()).collect();
            let formula = self.formulas[head.relation];
            let formula = pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied());
            conjuncts.push(pool.not(formula));
        }
        conjuncts
    }
}

terms::entity! {
    /// A step of a derivation.
    Step, "D"
}

/// A derivation of a query. The last step is an instance of the query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// The steps; premises come before the steps that use them.
    pub steps: PrimaryMap<Step, StepData>,
}

/// An instance of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepData {
    /// The clause.
    pub clause: Clause,
    /// The values of its symbols.
    pub values: FxHashMap<Symbol, Value>,
    /// For each atom of the body, the step that derives it.
    pub premises: Vec<Step>,
}

/// The reason why a derivation is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DerivationError {
    /// There is no step.
    #[error("the derivation is empty")]
    Empty,
    /// The last step has a head.
    #[error("the last step {0} is no instance of a query")]
    NoQuery(Step),
    /// The number of premises is not that of the body's atoms, or one does not come before.
    #[error("the premises of the step {0} are not earlier steps, one for each atom of the body")]
    Premises(Step),
    /// A premise derives another atom.
    #[error("the step {0} uses {1} as the premise of another atom")]
    Atom(Step, Step),
    /// The constraint is false at the values.
    #[error("the constraint of the clause of the step {0} is false")]
    Constraint(Step),
    /// The constraint has no value.
    #[error("the constraint of the clause of the step {0} cannot be evaluated: {1}")]
    Evaluation(Step, EvalError),
}

impl StepData {
    /// The value of a symbol of the clause, if it has one.
    pub fn value(&self, pool: &TermPool, symbol: Term) -> Option<&Value> {
        let Op::Symbol(name) = pool.op(symbol) else { unreachable!("arguments of atoms are symbols") };
        self.values.get(&name)
    }

    fn values(&self, pool: &TermPool, atom: &Atom) -> Option<Vec<Value>> {
        atom.arguments.iter().map(|&argument| self.value(pool, argument).cloned()).collect()
    }
}

impl Derivation {
    /// The step of the query.
    pub fn root(&self) -> Option<Step> {
        self.steps.keys().next_back()
    }

    /// The values of the atom that a step derives; none for a query, or if a value is missing.
    pub fn conclusion(&self, pool: &TermPool, system: &System, step: Step) -> Option<(Relation, Vec<Value>)> {
        let data = &self.steps[step];
        let head = system.clauses[data.clause].head.as_ref()?;
        Some((head.relation, data.values(pool, head)?))
    }

    /// Checks by evaluation that the steps are instances of the clauses of `system`, that their
    /// premises are derived, and that the last one is a query. Every constraint must have a value:
    /// a division by zero, which may have any result, derives nothing.
    ///
    /// # Errors
    /// The first step that is wrong.
    pub fn check(&self, pool: &TermPool, system: &System) -> Result<(), DerivationError> {
        let root = self.root().ok_or(DerivationError::Empty)?;
        if system.clauses[self.steps[root].clause].head.is_some() {
            return Err(DerivationError::NoQuery(root));
        }
        let mut conclusions = PrimaryMap::<Step, _>::new();
        let mut evaluator = Evaluator::new();
        for (step, data) in self.steps.iter() {
            let clause = &system.clauses[data.clause];
            let are_earlier = data.premises.iter().all(|premise| premise.index() < step.index());
            if data.premises.len() != clause.body.len() || !are_earlier {
                return Err(DerivationError::Premises(step));
            }
            for (&premise, atom) in data.premises.iter().zip(&clause.body) {
                let values = data.values(pool, atom);
                if values.is_none() || conclusions[premise] != values.map(|values| (atom.relation, values)) {
                    return Err(DerivationError::Atom(step, premise));
                }
            }
            let mut environment = Assignment::new();
            for (&symbol, value) in &data.values {
                environment.set(symbol, value.clone());
            }
            evaluator.clear();
            match evaluator.eval(pool, clause.constraint, &environment) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err(DerivationError::Constraint(step)),
                Err(error) => return Err(DerivationError::Evaluation(step, error)),
            }
            conclusions.push(self.conclusion(pool, system, step));
        }
        Ok(())
    }

    /// Writes the derivation, a line for each step: the atom with its values, and the steps that it
    /// follows from, over the data types of `signatures`.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn print(
        &self,
        out: &mut dyn fmt::Write,
        pool: &mut TermPool,
        signatures: &mut Signatures,
        system: &System,
    ) -> fmt::Result {
        for (step, data) in self.steps.iter() {
            write!(out, "{step}: ")?;
            match self.conclusion(pool, system, step) {
                None => write!(out, "false")?,
                Some((relation, values)) => {
                    write!(out, "{}", terms::print::quote(&system.relations[relation].name))?;
                    let arguments = signatures.arguments(pool, system, relation, &values);
                    for (index, (name, value)) in arguments.iter().enumerate() {
                        let separator = if index == 0 { "(" } else { ", " };
                        write!(out, "{separator}{name} = {value}")?;
                    }
                    if !arguments.is_empty() {
                        write!(out, ")")?;
                    }
                }
            }
            for (index, premise) in data.premises.iter().enumerate() {
                write!(out, "{}{premise}", if index == 0 { " from " } else { ", " })?;
            }
            let origin = &system.clauses[data.clause].origin;
            match origin.is_empty() {
                true => writeln!(out, " by {}", data.clause)?,
                false => writeln!(out, " by {} ({origin})", data.clause)?,
            }
        }
        Ok(())
    }
}
