//! Memory as SMT arrays.

use super::Parts;
use crate::{EncodeError, Encoded, Encoder};
use terms::{Op, Representation, Term, TermPool};

impl Encoder {
    /// The translation of an array symbol, `store`, `ite` or constant array.
    pub(super) fn target_array(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        parts: Parts,
    ) -> Result<Term, EncodeError> {
        let children = pool.children(term).to_vec();
        let sort = pool.array_sort(parts.index.sort(), parts.element.sort());
        Ok(match pool.op(term) {
            Op::Symbol(symbol) => self.target_symbol(pool, symbol, sort, Representation::Signed),
            Op::Store => {
                let array = self.array_of(pool, children[0])?;
                let index = self.index(pool, children[1], parts.index)?;
                let value = self.element(pool, children[2], parts.element)?;
                pool.store(array, index, value)
            }
            Op::Ite => {
                let condition = self.same(pool, children[0])?;
                let (then, otherwise) =
                    (self.array_of(pool, children[1])?, self.array_of(pool, children[2])?);
                pool.ite(condition, then, otherwise)
            }
            _ => {
                let value = self.element(pool, children[0], parts.element)?;
                pool.const_array(sort, value)
            }
        })
    }

    fn array_of(&self, pool: &TermPool, term: Term) -> Result<Term, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Array(array)) => Ok(*array),
            _ => Err(self.no_translation(pool, term)),
        }
    }
}
