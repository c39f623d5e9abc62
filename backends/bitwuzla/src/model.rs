//! Models, read lazily.

use crate::ffi::{Engine, Node};
use crate::translate::Translator;
use crate::value;
use backends::{Model, Reason};
use terms::{FunctionSymbol, FunctionValue, Sort, Symbol, Term, TermPool, Value};

/// The model of the last check. Bitwuzla evaluates any term in it, also terms with symbols that
/// were unknown at the check: they have default values.
pub(crate) struct BitwuzlaModel<'p> {
    pub(crate) engine: &'p Engine,
    pub(crate) translator: &'p mut Translator,
}

impl BitwuzlaModel<'_> {
    fn read(&self, pool: &TermPool, node: Node, sort: Sort) -> Result<Value, Reason> {
        let translator = &*self.translator;
        translator.session().scoped(|| value::read(translator, pool, self.engine.value(node)?, sort))
    }
}

impl Model for BitwuzlaModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let sort = pool.symbol_data(symbol).sort;
        match self.translator.symbol(symbol) {
            Some(node) => self.read(pool, node, sort),
            None => default(pool, sort),
        }
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let (_, domain, range) = pool.function_data(function);
        let Some(node) = self.translator.function(function) else {
            return Ok(FunctionValue { default: Some(default(pool, range)?), ..FunctionValue::default() });
        };
        let translator = &*self.translator;
        translator
            .session()
            .scoped(|| value::read_function(translator, pool, self.engine.value(node)?, domain, range))
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let node = self.translator.translate(pool, term)?;
        self.read(pool, node, pool.sort(term))
    }
}

fn default(pool: &TermPool, sort: Sort) -> Result<Value, Reason> {
    Value::default_of(pool, sort).ok_or_else(|| Reason::Unsupported(format!("values of the sort {sort:?}")))
}
