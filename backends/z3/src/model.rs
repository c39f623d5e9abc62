//! Models, fetched from the library on demand.

use crate::Z3Prover;
use crate::ffi::{self, Context};
use crate::project;
use crate::value::{Elements, Reader};
use backends::support::on_stack;
use backends::{Model, Reason};
use terms::{FunctionSymbol, FunctionValue, Symbol, Term, TermPool, Value};

/// A model of the assertions of a prover.
///
/// The model chooses unspecified values at the first query and keeps them; symbols unknown to the
/// solver are declared to it, so all answers are consistent.
pub(crate) struct Z3Model<'p> {
    pub(crate) prover: &'p mut Z3Prover,
    /// The depth of the terms of the model.
    depth: u32,
    model: Option<ffi::Model>,
    elements: Elements,
}

impl<'p> Z3Model<'p> {
    pub(crate) fn new(prover: &'p mut Z3Prover, depth: u32) -> Self {
        Z3Model { prover, depth, model: None, elements: Elements::default() }
    }

    /// The library's model and its context.
    pub(crate) fn raw(&mut self) -> Result<(&Context, &ffi::Model), Reason> {
        if self.model.is_none() {
            let prover: &Z3Prover = self.prover;
            // Fetching maps the model back through preprocessing, which may recurse deeply.
            self.model = Some(on_stack(self.depth, || prover.model()).unwrap_or(Err(Reason::Memory))?);
        }
        Ok((&self.prover.context, self.model.as_ref().expect("fetched above")))
    }
}

impl Model for Z3Model<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let sort = pool.symbol_data(symbol).sort;
        let context = &self.prover.context;
        let node = self.prover.translator.symbol(context, pool, symbol)?;
        self.raw()?;
        let model = self.model.as_ref().expect("fetched above");
        let context = &self.prover.context;
        Reader { context, model, pool, elements: &mut self.elements }.eval(node, sort)
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let (_, arguments, result) = pool.function_data(function);
        let decl = self.prover.translator.function(&self.prover.context, pool, function)?;
        let (context, model) = self.raw()?;
        if context.interpretation(model, decl)?.is_none() {
            // Evaluating an application makes the library choose an interpretation.
            let (domain, _) = context.signature(decl)?;
            let arguments = domain
                .into_iter()
                .map(|sort| context.apply(context.named_decl("any", &[], sort)?, &[]))
                .collect::<Result<Vec<_>, _>>()?;
            let application = context.apply(decl, &arguments)?;
            context.eval(model, application)?;
        }
        let model = self.model.as_ref().expect("fetched above");
        let context = &self.prover.context;
        let mut reader = Reader { context, model, pool, elements: &mut self.elements };
        reader
            .function(decl, arguments, result)?
            .ok_or_else(|| Reason::Incomplete("the model has no interpretation of a function".to_owned()))
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let node = self.prover.translator.translate(&self.prover.context, pool, term)?;
        let depth = self.depth.max(self.prover.translator.depth(term));
        self.raw()?;
        let model = self.model.as_ref().expect("fetched above");
        let context = &self.prover.context;
        let mut reader = Reader { context, model, pool, elements: &mut self.elements };
        let sort = pool.sort(term);
        on_stack(depth, || reader.eval(node, sort)).unwrap_or(Err(Reason::Memory))
    }

    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        project::project(self, pool, formula, variables)
    }
}
