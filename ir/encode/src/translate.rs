//! The bottom-up traversal of source terms, which dispatches each operator to the responsible part
//! of the encoder.
//!
//! Memory is handled in the same way in all encodings (`memory`). Numbers stay bit vectors in the
//! bit-precise encodings and become integers in the linear ones (`linear`). No recursion; each
//! distinct subterm is translated once.

use super::number::{Number, base};
use super::{EncodeError, Encoded, Encoder};
use terms::{Op, Sort, Symbol, Term, TermPool};

impl Encoder {
    /// Translates `root` and all its subterms.
    pub(super) fn translate(&mut self, pool: &mut TermPool, root: Term) -> Result<Encoded, EncodeError> {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.cache.contains_key(&term) {
                work.pop();
                continue;
            }
            let before = work.len();
            for &child in pool.children(term) {
                if !self.cache.contains_key(&child) {
                    work.push(child);
                }
            }
            if work.len() == before {
                let encoded = self.operator(pool, term)?;
                self.cache.insert(term, encoded);
                work.pop();
            }
        }
        Ok(self.cache[&root])
    }

    /// The translation of a child as a number.
    pub(super) fn number(&self, pool: &TermPool, term: Term) -> Result<Number, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Number(number)) => Ok(*number),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    /// The translation of a child that keeps its sort.
    pub(super) fn same(&self, pool: &TermPool, term: Term) -> Result<Term, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Same(term)) => Ok(*term),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    fn operator(&mut self, pool: &mut TermPool, term: Term) -> Result<Encoded, EncodeError> {
        match (pool.op(term), pool.sort(term)) {
            // Every axiom would have to be quantified over the bound variables; source formulas
            // contain no quantifiers.
            (Op::Forall | Op::Exists | Op::Bound(_) | Op::Value(_), _) => {
                Err(self.no_translation(pool, term))
            }
            (Op::Symbol(symbol), _) => self.symbol(pool, term, symbol),
            (Op::Eq, _) => self.equality(pool, term).map(Encoded::Same),
            (Op::Select, _) => self.select(pool, term),
            (_, Sort::Array(_)) => self.array(pool, term),
            _ if self.encoding.is_linear() => self.linear(pool, term),
            _ => self.rebuilt(pool, term).map(Encoded::Same),
        }
    }

    /// Applies the same operator to the translations of the children, which all keep their sorts.
    pub(super) fn rebuilt(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        let children = pool.children(term).to_vec();
        let new = children.iter().map(|&child| self.same(pool, child)).collect::<Result<Vec<Term>, _>>()?;
        Ok(if new == children { term } else { pool.rebuild(term, &new) })
    }

    fn symbol(&mut self, pool: &mut TermPool, term: Term, symbol: Symbol) -> Result<Encoded, EncodeError> {
        let data = pool.symbol_data(symbol).clone();
        match data.sort {
            Sort::Array(_) => self.array(pool, term),
            _ if !self.encoding.is_linear() => Ok(Encoded::Same(term)),
            Sort::Bool | Sort::Int | Sort::Real => Ok(Encoded::Same(term)),
            Sort::BitVec(_) => {
                let width = self.width(pool, term)?;
                let target = self.target_symbol(pool, symbol, Sort::Int, data.representation);
                if pool.is_computed(symbol) {
                    // If overflow is ignored, a computed value may be outside of the range.
                    let number = self.in_range(target, width, data.representation);
                    self.constrain_range(pool, &number);
                    return Ok(Encoded::Number(number));
                }
                let low = base(width, data.representation);
                let high = low + (1i128 << width) - 1;
                let number = Number { term: target, low, high, hint: Some(data.representation) };
                self.constrain_range(pool, &number);
                Ok(Encoded::Number(number))
            }
            Sort::Float(..) | Sort::RoundingMode | Sort::Uninterpreted(_) => {
                Err(self.no_translation(pool, term))
            }
        }
    }

    fn equality(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        let (left, right) = (pool.children(term)[0], pool.children(term)[1]);
        if matches!(pool.sort(left), Sort::Array(_)) {
            return self.array_equality(pool, term, left, right);
        }
        match (self.cache[&left], self.cache[&right]) {
            (Encoded::Same(a), Encoded::Same(b)) => Ok(pool.eq(a, b)),
            (Encoded::Number(a), Encoded::Number(b)) => {
                let width = self.width(pool, left)?;
                Ok(self.equal_numbers(pool, a, b, width))
            }
            _ => Err(self.no_translation(pool, term)),
        }
    }
}
