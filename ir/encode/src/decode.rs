//! From a model of a translation to values of the source symbols.

use super::{Encoder, Heap, Overflow, Quantifiers};
use num_bigint::BigInt;
use num_traits::Signed;
use terms::{ArrayValue, BitVector, Op, Sort, Term, TermPool, Value};

/// The values of terms in a model of the translations; `None` if the model has no value.
pub type Values<'m> = dyn FnMut(&TermPool, &[Term]) -> Option<Vec<Value>> + 'm;

impl Encoder {
    /// The value of `leaf`, a source symbol, in a model of the translations so far; `eval`
    /// evaluates terms in this model. A symbol without a translation has the default of its sort.
    /// For an array known only by its reads (in encodings with functions, and in those with
    /// quantifiers if the model has no value for it) all other elements have the default: no
    /// formula depends on them, unless it compares entire memories.
    ///
    /// Returns `None` if `leaf` is not a symbol or the model has no value. With quantifiers,
    /// [`Encoder::complete_reads`] must be called before.
    pub fn decode(&self, pool: &TermPool, leaf: Term, eval: &mut Values<'_>) -> Option<Value> {
        let Op::Symbol(symbol) = pool.op(leaf) else { return None };
        let sort = pool.sort(leaf);
        let is_kept = match sort {
            Sort::Bool | Sort::Int | Sort::Real => true,
            Sort::Array(_) => self.encoding.is_identity(),
            _ => !self.encoding.is_linear(),
        };
        let target = self.target_of.get(&symbol).copied().or(is_kept.then_some(leaf));
        if let Some(target) = target
            && let Some(values) = eval(pool, &[target])
        {
            return self.decode_value(pool, sort, values.into_iter().next()?);
        }
        let Sort::Array(parts) = sort else {
            return if target.is_none() { Value::default_of(pool, sort) } else { None };
        };
        let is_known_by_reads =
            self.encoding.heap() == Heap::Functions || self.encoding.quantifiers() == Quantifiers::Used;
        if target.is_some() && !is_known_by_reads {
            return None;
        }
        let (index, element) = pool.array_sort_parts(parts);
        let reads = self.initial_reads(symbol);
        let terms: Vec<Term> = reads.iter().flat_map(|&(at, value)| [at, value]).collect();
        let values = eval(pool, &terms)?;
        let mut decoded = ArrayValue::constant(Value::default_of(pool, element)?);
        for pair in values.chunks_exact(2) {
            let (at, value) = (pair[0].clone(), pair[1].clone());
            // With quantifiers, the index may belong to a read of another array.
            if self.overflow == Overflow::Wrap && !is_index(index, &at) {
                continue;
            }
            decoded.store(self.decode_value(pool, index, at)?, self.decode_value(pool, element, value)?);
        }
        Some(Value::Array(decoded))
    }

    /// Converts the value of an encoded term to a value of the source term of sort `sort`.
    fn decode_value(&self, pool: &TermPool, sort: Sort, value: Value) -> Option<Value> {
        Some(match (sort, value) {
            (Sort::BitVec(width), Value::Int(value)) => {
                Value::BitVec(BitVector::from_natural(width, Encoder::decode_bits(width, &value)))
            }
            (Sort::Array(parts), Value::Array(array)) => {
                let (index, element) = pool.array_sort_parts(parts);
                let mut decoded =
                    ArrayValue::constant(self.decode_value(pool, element, array.default().clone())?);
                for (at, value) in array.entries() {
                    if self.overflow == Overflow::Wrap && !is_index(index, at) {
                        continue;
                    }
                    let at = self.decode_value(pool, index, at.clone())?;
                    decoded.store(at, self.decode_value(pool, element, value.clone())?);
                }
                Value::Array(decoded)
            }
            (_, value) => value,
        })
    }
}

/// Whether an index of an encoded array is an index of the source array. Elements at other indices
/// are irrelevant.
fn is_index(sort: Sort, at: &Value) -> bool {
    match (sort, at) {
        (Sort::BitVec(width), Value::Int(at)) => !at.is_negative() && *at < BigInt::from(1) << width,
        _ => true,
    }
}
