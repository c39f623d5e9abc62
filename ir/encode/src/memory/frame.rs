//! Memory as functions without quantifiers: the bounded frame condition.
//!
//! Wendler's thesis (*Towards Practical Predicate Analysis*, §4.4.2) creates a fresh function `m'`
//! for a write of `e` to `p` and instantiates the frame condition for a finite set `M` of
//! addresses: `m'(p) = e ∧ ⋀ i ∈ M: i ≠ p ⇒ m'(i) = m(i)`. This is exact if `M` contains every
//! address that is read from `m'` or from a later version; otherwise some reads are unconstrained.
//!
//! Here `M` is exactly the set of these addresses: the value read at `i` after the write is
//! `ite(i = p, e, m(i))`, for each `i` that is read, recursively down to the initial contents,
//! through `ite`s into both branches. The initial contents are a constant or an uninterpreted
//! function of the address. DIVERGENCE: intermediate versions have no names, since their
//! definitions replace them. Comparisons of constant addresses therefore fold, writes that are not
//! read disappear, and the translation is exact.
//!
//! Cost: each pair of array and index is expanded once, in the worst case the number of reads times
//! the number of writes. A write to a constant address that differs from the constant index adds
//! nothing to the result. Beyond `MOST_READS` pairs the translation fails.

use super::{Kept, Parts, element_representation};
use crate::number::{Number, base};
use crate::{EncodeError, Encoder};
use terms::{Op, Term, TermPool};

/// The greatest number of expanded pairs of array and index.
const MOST_READS: usize = 20_000_000;

impl Encoder {
    /// The value read from the source array `array` at the translated `index`.
    pub(super) fn read(
        &mut self,
        pool: &mut TermPool,
        array: Term,
        index: Term,
        parts: Parts,
    ) -> Result<Term, EncodeError> {
        let mut work = vec![array];
        while let Some(&current) = work.last() {
            if self.accesses.done.contains_key(&(current, index)) {
                work.pop();
                continue;
            }
            if self.accesses.done.len() >= MOST_READS {
                return Err(EncodeError::TooLarge);
            }
            let children = pool.children(current).to_vec();
            let read = |encoder: &Encoder, array: Term| encoder.accesses.done.get(&(array, index)).copied();
            let result = match pool.op(current) {
                Op::Store => {
                    let place = self.index(pool, children[1], parts.index)?;
                    let is_here = pool.eq(place, index);
                    if pool.as_bool(is_here) == Some(true) {
                        self.element(pool, children[2], parts.element)?
                    } else {
                        let Some(before) = read(self, children[0]) else {
                            work.push(children[0]);
                            continue;
                        };
                        let value = self.element(pool, children[2], parts.element)?;
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
                Op::ConstArray(_) => self.element(pool, children[0], parts.element)?,
                Op::Symbol(symbol) if self.accesses.definitions.contains_key(&symbol) => {
                    let definition = self.accesses.definitions[&symbol];
                    let Some(value) = read(self, definition) else {
                        work.push(definition);
                        continue;
                    };
                    value
                }
                Op::Symbol(symbol) => {
                    let function = self.initial_function(pool, symbol, parts);
                    let read = pool.apply(function, &[index]);
                    self.accesses.initial.entry(symbol).or_default().push((index, read));
                    if let Kept::Number(width) = parts.element {
                        let low = base(width, element_representation(width));
                        let number = Number { term: read, low, high: low + (1i128 << width) - 1, hint: None };
                        self.constrain_range(pool, &number);
                    }
                    read
                }
                _ => return Err(self.no_translation(pool, current)),
            };
            self.accesses.done.insert((current, index), result);
            work.pop();
        }
        Ok(self.accesses.done[&(array, index)])
    }
}
