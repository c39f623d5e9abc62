//! The pool of hash-consed terms.   SKELETON: signatures are the contract, bodies follow.

use super::{ArraySort, FunctionSymbol, Op, Sort, Symbol};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

crate::entity! {
    /// A term of a [`TermPool`].
    Term, "t"
}

/// How an encoding that has no bit vectors represents a bit-vector symbol as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Representation {
    /// As an integer in `[-2^(w-1), 2^(w-1))`.
    #[default]
    Signed,
    /// As an integer in `[0, 2^w)`.
    Unsigned,
}

/// A free constant.
#[derive(Clone, Debug)]
pub struct SymbolData {
    /// The name, unquoted.
    pub name: String,
    /// The sort.
    pub sort: Sort,
    /// See [`Representation`]; the first declaration of the symbol decides.
    pub representation: Representation,
}

/// The pool.
pub struct TermPool {}

#[allow(unused_variables, clippy::todo, missing_docs)]
impl TermPool {
    pub fn new() -> Self { todo!() }
    /// Number of distinct terms.
    pub fn len(&self) -> usize { todo!() }

    // ---- looking ----
    pub fn op(&self, term: Term) -> Op { todo!() }
    pub fn children(&self, term: Term) -> &[Term] { todo!() }
    pub fn sort(&self, term: Term) -> Sort { todo!() }
    /// `None` unless a bit-vector constant; (width, value).
    pub fn as_bv(&self, term: Term) -> Option<(u32, &BigUint)> { todo!() }
    /// The value of a bit-vector constant of at most 64 significant bits.
    pub fn as_bv_u64(&self, term: Term) -> Option<u64> { todo!() }
    pub fn as_int(&self, term: Term) -> Option<&BigInt> { todo!() }
    pub fn as_real(&self, term: Term) -> Option<&BigRational> { todo!() }
    pub fn as_bool(&self, term: Term) -> Option<bool> { todo!() }
    pub fn is_constant(&self, term: Term) -> bool { todo!() }
    pub fn symbol_data(&self, symbol: Symbol) -> &SymbolData { todo!() }
    /// Name, argument sorts, result sort.
    pub fn function_data(&self, function: FunctionSymbol) -> (&str, &[Sort], Sort) { todo!() }
    pub fn array_sort_parts(&self, sort: ArraySort) -> (Sort, Sort) { todo!() }

    // ---- sorts and symbols ----
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort { todo!() }
    pub fn uninterpreted_sort(&mut self, name: &str) -> Sort { todo!() }
    pub fn function_symbol(&mut self, name: &str, arguments: &[Sort], result: Sort) -> FunctionSymbol { todo!() }
    /// The free constant `name` of `sort` (interned; signed representation).
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term { todo!() }
    pub fn symbol_with(&mut self, name: &str, sort: Sort, representation: Representation) -> Term { todo!() }
    /// A free constant whose name, `prefix` with a suffix, was not used before in this pool.
    pub fn fresh_symbol(&mut self, prefix: &str, sort: Sort, representation: Representation) -> Term { todo!() }
    /// The leaf for value number `index` of an IR function.
    pub fn value(&mut self, index: u32, sort: Sort) -> Term { todo!() }
    pub fn bound(&mut self, name: &str, sort: Sort) -> Term { todo!() }

    // ---- constructors: check sorts (panic = bug of the caller), simplify locally ----
    pub fn bool(&mut self, value: bool) -> Term { todo!() }
    pub fn tru(&self) -> Term { todo!() }
    pub fn fls(&self) -> Term { todo!() }
    /// `value` modulo `2^width`.
    pub fn bv(&mut self, width: u32, value: u64) -> Term { todo!() }
    pub fn bv_i64(&mut self, width: u32, value: i64) -> Term { todo!() }
    pub fn bv_big(&mut self, width: u32, value: &BigInt) -> Term { todo!() }
    pub fn int(&mut self, value: i64) -> Term { todo!() }
    pub fn int_big(&mut self, value: &BigInt) -> Term { todo!() }
    pub fn real(&mut self, value: &BigRational) -> Term { todo!() }

    pub fn not(&mut self, a: Term) -> Term { todo!() }
    pub fn and(&mut self, terms: &[Term]) -> Term { todo!() }
    pub fn or(&mut self, terms: &[Term]) -> Term { todo!() }
    pub fn and2(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn or2(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn xor(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn implies(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term { todo!() }
    pub fn eq(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn neq(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn distinct(&mut self, terms: &[Term]) -> Term { todo!() }
    pub fn apply(&mut self, function: FunctionSymbol, arguments: &[Term]) -> Term { todo!() }

    pub fn bv_not(&mut self, a: Term) -> Term { todo!() }
    pub fn bv_neg(&mut self, a: Term) -> Term { todo!() }
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_add(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_mul(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_udiv(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_urem(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_sdiv(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_srem(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_shl(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_lshr(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_ashr(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_ult(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_ule(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_slt(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn bv_sle(&mut self, a: Term, b: Term) -> Term { todo!() }
    /// `high` holds the more significant bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term { todo!() }
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term { todo!() }
    /// Adds `bits` high zero bits (0 is the identity).
    pub fn zero_extend(&mut self, bits: u32, a: Term) -> Term { todo!() }
    pub fn sign_extend(&mut self, bits: u32, a: Term) -> Term { todo!() }

    pub fn add(&mut self, terms: &[Term]) -> Term { todo!() }
    pub fn sub(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn neg(&mut self, a: Term) -> Term { todo!() }
    pub fn mul(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn int_div(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn int_mod(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn real_div(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn le(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn lt(&mut self, a: Term, b: Term) -> Term { todo!() }
    pub fn to_real(&mut self, a: Term) -> Term { todo!() }
    pub fn to_int(&mut self, a: Term) -> Term { todo!() }

    pub fn select(&mut self, array: Term, index: Term) -> Term { todo!() }
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term { todo!() }
    pub fn const_array(&mut self, array_sort: Sort, value: Term) -> Term { todo!() }

    pub fn forall(&mut self, bound: &[Term], body: Term) -> Term { todo!() }
    pub fn exists(&mut self, bound: &[Term], body: Term) -> Term { todo!() }

    /// Builds a term of operator `op` over `children` through the simplifying constructor of `op`. (Leaves: as they are.)
    pub fn rebuild(&mut self, term: Term, children: &[Term]) -> Term { todo!() }

    // ---- traversal; none of them recurses ----
    /// Replaces leaves: `leaf` is asked for every `Symbol`/`Value`/`Bound` leaf below `term`; `None` keeps it.
    /// The result is rebuilt through the constructors. For many terms with one map use [`Substitution`].
    pub fn map_leaves(&mut self, term: Term, leaf: &mut dyn FnMut(&mut TermPool, Term) -> Option<Term>) -> Term { todo!() }
    /// The distinct free symbols below `term`, in order of first occurrence.
    pub fn free_symbols(&self, term: Term) -> Vec<Symbol> { todo!() }
    /// The distinct `Value` leaves below `term`.
    pub fn free_values(&self, term: Term) -> Vec<u32> { todo!() }
}
