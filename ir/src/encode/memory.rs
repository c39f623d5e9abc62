//! Memory: SMT arrays of integers, or no arrays at all.
//!
//! In `QF_AUFLIRA` an array from bit vectors to bit vectors is an array from integers to integers; indices are unsigned,
//! elements are kept in the unsigned range if they are bytes and in the signed range otherwise, and what is read from an array that may be a symbol gets
//! that range as a constraint.
//!
//! In `QF_UFLIRA` there are no arrays: a read is moved through the writes before it,
//! `select(store(a, j, v), i) = ite(i = j, v, select(a, i))`, through `ite`s into both branches, and ends at the
//! initial contents, which are a constant or an uninterpreted function of the index. This is exact. Each pair of array and
//! index is expanded once, so the cost is the number of reads times the number of writes in the worst case; writes to constant
//! addresses that differ from the constant index cost nothing in the result. Beyond `MOST_READS` pairs there is an error.

use super::number::{Number, base};
use super::{ApproximationKind, EncodeError, Encoded, Encoder, Encoding};
use crate::term::{Op, Representation, Sort, Symbol, Term, TermPool};
use rustc_hash::FxHashMap;

/// A bound on the pairs of array and index that are expanded.
const MOST_READS: usize = 20_000_000;

/// Expanded reads: by source array and translated index.
#[derive(Debug, Default)]
pub(super) struct Reads {
    done: FxHashMap<(Term, Term), Term>,
    /// By array symbol: translated index and what is read there.
    initial: FxHashMap<Symbol, Vec<(Term, Term)>>,
}

/// How elements of an array are kept: bytes unsigned, all else signed.
fn element_representation(width: u32) -> Representation {
    if width <= 8 { Representation::Unsigned } else { Representation::Signed }
}

/// What the elements of an array are.
#[derive(Clone, Copy)]
enum Element {
    Bits(u32),
    Same,
}

impl Encoder {
    /// Index width (0 if indices keep their sort) and element of an array sort.
    fn parts(&self, pool: &TermPool, array: Term) -> Result<(u32, Element), EncodeError> {
        let Sort::Array(sort) = pool.sort(array) else { return Err(self.no_translation(pool, array)) };
        let (index, element) = pool.array_sort_parts(sort);
        let check = |width: u32| {
            if width > super::number::MOST_BITS { Err(EncodeError::TooWide(width)) } else { Ok(width) }
        };
        let index = match index {
            Sort::BitVec(width) => check(width)?,
            Sort::Int => 0,
            _ => return Err(self.no_translation(pool, array)),
        };
        let element = match element {
            Sort::BitVec(width) => Element::Bits(check(width)?),
            Sort::Bool | Sort::Int | Sort::Real => Element::Same,
            _ => return Err(self.no_translation(pool, array)),
        };
        Ok((index, element))
    }

    fn element_sort(element: Element, original: Sort) -> Sort {
        match element {
            Element::Bits(_) => Sort::Int,
            Element::Same => original,
        }
    }

    fn index(&mut self, pool: &mut TermPool, index: Term, width: u32) -> Result<Term, EncodeError> {
        if width == 0 {
            return self.same(pool, index);
        }
        let number = self.number(pool, index)?;
        Ok(self.normalize(pool, number, width, Representation::Unsigned).term)
    }

    fn element(&mut self, pool: &mut TermPool, value: Term, element: Element) -> Result<Term, EncodeError> {
        match element {
            Element::Same => self.same(pool, value),
            Element::Bits(width) => {
                let number = self.number(pool, value)?;
                Ok(self.normalize(pool, number, width, element_representation(width)).term)
            }
        }
    }

    /// The translation of an array term. Where arrays are eliminated it only checks that it is one that reads can be moved through.
    pub(super) fn array(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        let (index_width, element) = self.parts(pool, term)?;
        let op = pool.op(term);
        if !matches!(op, Op::Symbol(_) | Op::Store | Op::ConstArray(_) | Op::Ite) {
            return Err(self.no_translation(pool, term));
        }
        if self.encoding == Encoding::QfUflira {
            return Ok(term);
        }
        let children = pool.children(term).to_vec();
        let sort = self.array_sort(pool, term, element)?;
        Ok(match op {
            Op::Symbol(symbol) => {
                let name = pool.symbol_data(symbol).name.clone();
                let target = pool.symbol(&name, sort);
                self.link(pool, symbol, target);
                target
            }
            Op::Store => {
                let array = self.array_of(pool, children[0])?;
                let index = self.index(pool, children[1], index_width)?;
                let value = self.element(pool, children[2], element)?;
                pool.store(array, index, value)
            }
            Op::Ite => {
                let condition = self.same(pool, children[0])?;
                let (then, otherwise) =
                    (self.array_of(pool, children[1])?, self.array_of(pool, children[2])?);
                pool.ite(condition, then, otherwise)
            }
            _ => {
                let value = self.element(pool, children[0], element)?;
                pool.const_array(sort, value)
            }
        })
    }

    fn array_sort(&self, pool: &mut TermPool, term: Term, element: Element) -> Result<Sort, EncodeError> {
        let Sort::Array(sort) = pool.sort(term) else { return Err(self.no_translation(pool, term)) };
        let (_, original) = pool.array_sort_parts(sort);
        Ok(pool.array_sort(Sort::Int, Self::element_sort(element, original)))
    }

    fn array_of(&self, pool: &TermPool, term: Term) -> Result<Term, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Array(array)) => Ok(*array),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    pub(super) fn select(&mut self, pool: &mut TermPool, term: Term) -> Result<Encoded, EncodeError> {
        let (array, index) = (pool.children(term)[0], pool.children(term)[1]);
        let (index_width, element) = self.parts(pool, array)?;
        let index = self.index(pool, index, index_width)?;
        let read = match self.encoding {
            Encoding::QfUflira => self.read(pool, array, index, index_width, element)?,
            _ => {
                let array = self.array_of(pool, array)?;
                pool.select(array, index)
            }
        };
        let Element::Bits(width) = element else { return Ok(Encoded::Same(read)) };
        let representation = element_representation(width);
        if let Some(value) = pool.as_int(read).and_then(|value| i128::try_from(value.clone()).ok()) {
            return Ok(Encoded::Number(self.constant(pool, value)));
        }
        // Where overflow is ignored, what was stored may be any integer.
        let number = self.in_range(read, width, representation);
        if self.encoding != Encoding::QfUflira {
            self.constrain_range(pool, &number);
        }
        Ok(Encoded::Number(number))
    }

    /// The read of source array `array` at the translated `index`, without arrays.
    fn read(
        &mut self,
        pool: &mut TermPool,
        array: Term,
        index: Term,
        index_width: u32,
        element: Element,
    ) -> Result<Term, EncodeError> {
        let mut work = vec![array];
        while let Some(&current) = work.last() {
            if self.reads.done.contains_key(&(current, index)) {
                work.pop();
                continue;
            }
            if self.reads.done.len() >= MOST_READS {
                return Err(EncodeError::TooLarge);
            }
            let children = pool.children(current).to_vec();
            let read = |encoder: &Encoder, array: Term| encoder.reads.done.get(&(array, index)).copied();
            let result = match pool.op(current) {
                Op::Store => {
                    let place = self.index(pool, children[1], index_width)?;
                    let is_here = pool.eq(place, index);
                    if pool.as_bool(is_here) == Some(true) {
                        self.element(pool, children[2], element)?
                    } else {
                        let Some(before) = read(self, children[0]) else {
                            work.push(children[0]);
                            continue;
                        };
                        let value = self.element(pool, children[2], element)?;
                        pool.ite(is_here, value, before)
                    }
                }
                Op::Ite => {
                    let (Some(then), Some(otherwise)) = (read(self, children[1]), read(self, children[2]))
                    else {
                        work.extend_from_slice(&children[1..]);
                        continue;
                    };
                    let condition = self.same(pool, children[0])?;
                    pool.ite(condition, then, otherwise)
                }
                Op::ConstArray(_) => self.element(pool, children[0], element)?,
                Op::Symbol(symbol) => {
                    let name = pool.symbol_data(symbol).name.clone();
                    let Sort::Array(sort) = pool.sort(current) else {
                        return Err(self.no_translation(pool, current));
                    };
                    let (index_sort, element_sort) = pool.array_sort_parts(sort);
                    let index_sort = if index_width == 0 { index_sort } else { Sort::Int };
                    let function =
                        pool.function_symbol(&name, &[index_sort], Self::element_sort(element, element_sort));
                    let read = pool.apply(function, &[index]);
                    self.reads.initial.entry(symbol).or_default().push((index, read));
                    if let Element::Bits(width) = element {
                        let representation = element_representation(width);
                        let low = base(width, representation);
                        let number = Number { term: read, low, high: low + (1i128 << width) - 1, hint: None };
                        self.constrain_range(pool, &number);
                    }
                    read
                }
                _ => return Err(self.no_translation(pool, current)),
            };
            self.reads.done.insert((current, index), result);
            work.pop();
        }
        Ok(self.reads.done[&(array, index)])
    }

    /// Where arrays are eliminated: the reads from the array that is the free constant `source`, as pairs of index (unsigned) and element.
    /// Evaluated in a model and decoded with [`Encoder::decode_bits`], they are the part of the array that matters.
    #[must_use]
    pub fn initial_reads(&self, source: Symbol) -> &[(Term, Term)] {
        self.reads.initial.get(&source).map_or(&[], Vec::as_slice)
    }

    /// Whether some translation so far compares arrays; a reason to confirm a model.
    #[must_use]
    pub fn compares_arrays(&self) -> bool {
        self.approximations.iter().any(|approximation| approximation.kind == ApproximationKind::ArrayEquality)
    }
}
