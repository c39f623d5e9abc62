//! Memory as functions with quantifiers: versions with frame axioms.
//!
//! Each array term is a *version* of memory, a function from addresses to contents (Wendler,
//! *Towards Practical Predicate Analysis*, §4.4.2). A write of `e` to `p` creates a fresh function
//! `m'` with `m'(p) = e ∧ ∀i. i = p ∨ m'(i) = m(i)`; where paths meet,
//! `∀i. m'(i) = ite(c, a(i), b(i))`. The size is linear in the number of accesses, and memory is
//! unbounded. A constant array needs no function: every read yields the constant.
//!
//! The axioms are definitions: they are satisfiable for all values of the other functions, so they
//! are asserted without the guard of the path on which the write occurs. Bound variables are only
//! compared and passed to functions. In this fragment, model-based instantiation is complete (Ge
//! and de Moura, *Complete Instantiation for Quantified Formulas in Satisfiability Modulo
//! Theories*, CAV 2009), given enough time.

use super::{INDEX, Parts};
use crate::{EncodeError, Encoded, Encoder};
use terms::{FunctionSymbol, Op, Symbol, Term, TermPool};

/// A version of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// A function of the address.
    Function(FunctionSymbol),
    /// The same contents at all addresses.
    Constant(Term),
}

impl Version {
    /// The contents at a (translated) address.
    pub(super) fn at(self, pool: &mut TermPool, index: Term) -> Term {
        match self {
            Version::Function(function) => pool.apply(function, &[index]),
            Version::Constant(value) => value,
        }
    }
}

impl Encoder {
    /// The version of an array symbol, `store`, `ite` or constant array.
    pub(super) fn version(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        parts: Parts,
    ) -> Result<Version, EncodeError> {
        let children = pool.children(term).to_vec();
        Ok(match pool.op(term) {
            Op::Symbol(symbol) => Version::Function(self.initial_function(pool, symbol, parts)),
            Op::Store => {
                let before = self.version_of(pool, children[0])?;
                let index = self.index(pool, children[1], parts.index)?;
                let value = self.element(pool, children[2], parts.element)?;
                let (after, bound) = self.new_version(pool, parts);
                let written = after.at(pool, index);
                let is_value = pool.eq(written, value);
                self.constrain(pool, is_value);
                let is_written = pool.eq(bound, index);
                self.constrain_frame(pool, bound, after, |pool| {
                    let before = before.at(pool, bound);
                    (is_written, before)
                });
                after
            }
            Op::Ite => {
                let condition = self.same(pool, children[0])?;
                let (then, otherwise) =
                    (self.version_of(pool, children[1])?, self.version_of(pool, children[2])?);
                match pool.as_bool(condition) {
                    Some(true) => return Ok(then),
                    Some(false) => return Ok(otherwise),
                    None if then == otherwise => return Ok(then),
                    None => {}
                }
                let (after, bound) = self.new_version(pool, parts);
                self.constrain_frame(pool, bound, after, |pool| {
                    let (then, otherwise) = (then.at(pool, bound), otherwise.at(pool, bound));
                    (pool.fls(), pool.ite(condition, then, otherwise))
                });
                after
            }
            _ => Version::Constant(self.element(pool, children[0], parts.element)?),
        })
    }

    fn version_of(&self, pool: &TermPool, term: Term) -> Result<Version, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Version(version)) => Ok(*version),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    /// Creates a fresh version and a bound variable for its addresses.
    fn new_version(&mut self, pool: &mut TermPool, parts: Parts) -> (Version, Term) {
        let function = pool.fresh_function("memory", &[parts.index.sort()], parts.element.sort());
        self.accesses.taken.insert(function);
        (Version::Function(function), pool.bound(INDEX, parts.index.sort()))
    }

    /// Adds the constraint `∀ bound. exception ∨ after(bound) = value`; `rest` returns exception
    /// and value.
    fn constrain_frame(
        &mut self,
        pool: &mut TermPool,
        bound: Term,
        after: Version,
        rest: impl FnOnce(&mut TermPool) -> (Term, Term),
    ) {
        let (exception, value) = rest(pool);
        let element = after.at(pool, bound);
        let stays = pool.eq(element, value);
        let body = pool.or2(exception, stays);
        let frame = pool.forall(&[bound], body);
        self.constrain(pool, frame);
    }

    /// The function that represents an array symbol.
    pub(super) fn initial_function(
        &mut self,
        pool: &mut TermPool,
        symbol: Symbol,
        parts: Parts,
    ) -> FunctionSymbol {
        if let Some(&function) = self.accesses.functions.get(&symbol) {
            return function;
        }
        let name = pool.symbol_data(symbol).name.clone();
        let (arguments, result) = ([parts.index.sort()], parts.element.sort());
        let mut function = pool.function_symbol(&name, &arguments, result);
        if !self.accesses.taken.insert(function) {
            function = pool.fresh_function(&name, &arguments, result);
            self.accesses.taken.insert(function);
        }
        self.accesses.functions.insert(symbol, function);
        function
    }
}
