//! The commands that read the outcome of a check, such as `get-model` and `get-interpolants`.

use super::execute::{Query, Session};
use super::reader::Reader;
use backends::interpolation::{Problem, Tree};
use backends::{Model, Outcome, Reason, Refutation};
use frontend::smtlib::{Declaration, Partitions, print as values};
use std::fmt::Write as _;
use terms::print::quote;
use terms::{Op, Term};

impl Session<'_> {
    pub(super) fn model(&self, model: &mut dyn Model, reader: &mut Reader) -> Result<String, Reason> {
        let mut text = "(".to_string();
        let declarations: Vec<Declaration> = reader.with(|script| script.declarations().collect());
        for declaration in declarations {
            text.push_str("\n  ");
            match declaration {
                Declaration::Constant(term) => {
                    let Op::Symbol(symbol) = self.pool.op(term) else { continue };
                    let value = model.value(&self.pool, symbol)?;
                    text.push_str(&values::constant(&self.pool, term, &value));
                }
                Declaration::Function(function) => {
                    let value = model.function(&self.pool, function)?;
                    text.push_str(&values::function(&self.pool, function, &value));
                }
            }
        }
        text.push_str("\n)");
        Ok(text)
    }

    pub(super) fn values(&self, model: &mut dyn Model, terms: &[(Term, String)]) -> Result<String, Reason> {
        let list: Vec<Term> = terms.iter().map(|(term, _)| *term).collect();
        let found = model.eval_all(&self.pool, &list)?;
        let mut text = "(".to_string();
        for (i, ((term, written), value)) in terms.iter().zip(&found).enumerate() {
            let separator = if i == 0 { "" } else { "\n " };
            let value = values::value(&self.pool, value, self.pool.sort(*term));
            let _ = write!(text, "{separator}({written} {value})");
        }
        text.push(')');
        Ok(text)
    }

    pub(super) fn assignment(&self, model: &mut dyn Model, reader: &mut Reader) -> Result<String, Reason> {
        let mut parts = Vec::new();
        let named: Vec<(String, Term)> =
            reader.with(|script| script.named_terms().map(|(name, term)| (name.to_owned(), term)).collect());
        for (name, term) in named {
            if self.pool.sort(term) == terms::Sort::Bool {
                let value = model.eval(&self.pool, term)?;
                parts.push(format!("({} {value})", quote(&name)));
            }
        }
        Ok(format!("({})", parts.join(" ")))
    }

    pub(super) fn core(&self, refutation: &mut dyn Refutation, query: &Query) -> Result<String, Reason> {
        if !self.is_set(":produce-unsat-cores") {
            return Err(Reason::Misuse(
                "set the option :produce-unsat-cores before the assertions".to_string(),
            ));
        }
        if query.names.is_empty() && self.is_set(":produce-interpolants") {
            return self.core_apart(query);
        }
        Ok(names_of(query, &refutation.unsat_core()?))
    }

    /// Computes the unsat core with a second prover. With `:produce-interpolants`, the prover of
    /// the session asserts named formulas instead of assuming them, so it has no core of names.
    fn core_apart(&self, query: &Query) -> Result<String, Reason> {
        let mut prover = self.solving.new_prover(&self.logic)?;
        for &assumption in &query.terms {
            prover.assert(&self.pool, assumption)?;
        }
        let mut names = Vec::new();
        let mut terms = Vec::new();
        for assertion in self.scopes.iter().flatten() {
            match &assertion.name {
                Some(name) => {
                    names.push(name.clone());
                    terms.push(assertion.formula);
                }
                None => {
                    prover.assert(&self.pool, assertion.formula)?;
                }
            }
        }
        let core = match prover.check(&self.pool, &terms) {
            Outcome::Unsat(mut refutation) => refutation.unsat_core()?,
            Outcome::Sat(_) => {
                return Err(Reason::Fault("unsat at first, but sat when repeated".to_string()));
            }
            Outcome::Unknown(reason) => return Err(reason),
        };
        Ok(names_of(&Query { names, assumptions: Vec::new(), terms: Vec::new() }, &core))
    }

    /// Computes the interpolants of the partitions. Assertions outside of all partitions and the
    /// assumptions of the check belong to the last partition.
    pub(super) fn interpolants(
        &mut self,
        refutation: &mut dyn Refutation,
        query: &Query,
        partitions: &Partitions,
    ) -> Result<String, Reason> {
        let tree =
            Tree::new(partitions.parents.clone()).map_err(|error| Reason::Misuse(error.to_string()))?;
        let mut problem = Problem { parts: vec![Vec::new(); tree.len()], tree };
        let last = problem.tree.root();
        for assertion in self.scopes.iter().flatten() {
            let is_named =
                |names: &Vec<String>| assertion.name.as_ref().is_some_and(|name| names.contains(name));
            let part = partitions.names.iter().position(is_named);
            if !assertion.is_assumed {
                problem.parts[part.unwrap_or(last)].push(assertion.formula);
            } else if part.is_some() {
                let what = "set the option :produce-interpolants before the assertions";
                return Err(Reason::Misuse(what.to_string()));
            }
        }
        problem.parts[last].extend(&query.terms);
        let found = refutation.interpolants(&mut self.pool, &problem)?;
        let texts: Vec<String> = found.iter().map(|&term| self.pool.display(term).to_string()).collect();
        Ok(format!("({})", texts.join("\n ")))
    }
}

/// Returns the names of the assumed assertions in the core.
pub(super) fn names_of(query: &Query, core: &[usize]) -> String {
    let names: Vec<_> =
        core.iter().filter_map(|&index| query.names.get(index)).map(|name| quote(name)).collect();
    format!("({})", names.join(" "))
}

/// Returns the assumptions of `check-sat-assuming` in the core.
pub(super) fn unsat_assumptions(refutation: &mut dyn Refutation, query: &Query) -> Result<String, Reason> {
    let core = refutation.unsat_core()?;
    let texts: Vec<&str> = core
        .iter()
        .filter_map(|&index| query.assumptions.get(index.checked_sub(query.names.len())?))
        .map(|assumption| assumption.text.as_str())
        .collect();
    Ok(format!("({})", texts.join(" ")))
}
