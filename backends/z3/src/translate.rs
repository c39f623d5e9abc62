//! Translates terms of a pool to terms of a Z3 context.
//!
//! Each distinct term is translated once per context and pinned there. Symbols and functions have
//! *numbers* as names: symbols of the same name differ in their sort, which is part of the identity
//! of a symbol in Z3, and numbers never collide with names that Z3 generates. Bound variables are
//! translated as constants, over which the quantifier then abstracts, innermost first; so an inner
//! variable hides an outer one of the same name.
//!
//! Every operator of the term language has a counterpart with SMT-LIB's semantics. Division of
//! integers and reals by zero is an uninterpreted function of the dividend in Z3, as in SMT-LIB;
//! the model interprets it.

use crate::ffi::{Context, Decl, Node, Quantifier, SortNode};
use backends::Reason;
use backends::support::Cache;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{FunctionSymbol, Op, RoundingMode, Sort, Symbol, Term, TermPool, float_nan_pattern};

/// The translations in a context, and their inverses.
#[derive(Default)]
pub(crate) struct Translator {
    cache: Cache<Node>,
    /// The facts of each translated term.
    facts: Vec<Facts>,
    sorts: FxHashMap<Sort, SortNode>,
    symbols: FxHashMap<Symbol, Node>,
    functions: FxHashMap<FunctionSymbol, Decl>,
    /// The sorts, symbols and functions denoted by nodes of Z3.
    pub(crate) sorts_back: FxHashMap<SortNode, Sort>,
    pub(crate) symbols_back: FxHashMap<Decl, Symbol>,
    pub(crate) functions_back: FxHashMap<Decl, FunctionSymbol>,
    has_more_than_bits: bool,
}

/// Facts about a formula that determine its processing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The length of the longest path to a leaf.
    pub(crate) depth: u32,
    pub(crate) has_quantifiers: bool,
    /// Whether it contains anything other than Booleans, integers and reals, or an uninterpreted
    /// function.
    pub(crate) exceeds_arithmetic: bool,
}

impl Facts {
    /// The facts of a set of formulas, from those of its members.
    pub(crate) fn join(self, other: Facts) -> Facts {
        Facts {
            depth: self.depth.max(other.depth),
            has_quantifiers: self.has_quantifiers || other.has_quantifiers,
            exceeds_arithmetic: self.exceeds_arithmetic || other.exceeds_arithmetic,
        }
    }

    /// The facts of a term, from those of its children.
    fn above(pool: &TermPool, term: Term, children: Facts) -> Facts {
        let op = pool.op(term);
        Facts {
            depth: if pool.children(term).is_empty() { 0 } else { children.depth + 1 },
            has_quantifiers: children.has_quantifiers || matches!(op, Op::Forall | Op::Exists),
            exceeds_arithmetic: children.exceeds_arithmetic
                || matches!(op, Op::Apply(_))
                || !matches!(pool.sort(term), Sort::Bool | Sort::Int | Sort::Real),
        }
    }
}

impl Translator {
    /// Whether all translated terms are Booleans and bit vectors, without functions.
    pub(crate) fn is_bits_only(&self) -> bool {
        !self.has_more_than_bits
    }

    /// The facts of a translated term.
    pub(crate) fn facts(&self, term: Term) -> Facts {
        self.facts.get(term.index()).copied().unwrap_or_default()
    }

    /// The depth of a translated term.
    pub(crate) fn depth(&self, term: Term) -> u32 {
        self.facts(term).depth
    }

    /// The translation of `root`.
    pub(crate) fn translate(
        &mut self,
        context: &Context,
        pool: &TermPool,
        root: Term,
    ) -> Result<Node, Reason> {
        if let Some(known) = self.cache.get(root) {
            return Ok(known);
        }
        if self.facts.len() < pool.len() {
            self.facts.resize(pool.len(), Facts::default());
        }
        let mut cache = std::mem::take(&mut self.cache);
        let result = cache.translate(pool, root, |term, children| {
            let node = self.build(context, pool, term, children)?;
            let below = pool.children(term).iter().map(|child| self.facts[child.index()]);
            let below = below.fold(Facts::default(), Facts::join);
            self.facts[term.index()] = Facts::above(pool, term, below);
            Ok(node)
        });
        self.cache = cache;
        result
    }

    pub(crate) fn sort(
        &mut self,
        context: &Context,
        pool: &TermPool,
        sort: Sort,
    ) -> Result<SortNode, Reason> {
        if !matches!(sort, Sort::Bool | Sort::BitVec(_)) {
            self.has_more_than_bits = true;
        }
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let node = match sort {
            Sort::Bool => context.bool_sort()?,
            Sort::Int => context.int_sort()?,
            Sort::Real => context.real_sort()?,
            Sort::BitVec(width) => context.bv_sort(width)?,
            Sort::Float(exponent, significand) => context.float_sort(exponent, significand)?,
            Sort::RoundingMode => context.rounding_mode_sort()?,
            Sort::Array(parts) => {
                // Sorts are nested only a few levels deep, so this recursion is shallow.
                let (index, element) = pool.array_sort_parts(parts);
                let (index, element) = (self.sort(context, pool, index)?, self.sort(context, pool, element)?);
                context.array_sort(index, element)?
            }
            Sort::Uninterpreted(number) => context.uninterpreted_sort(number)?,
        };
        self.sorts.insert(sort, node);
        self.sorts_back.insert(node, sort);
        Ok(node)
    }

    /// The constant of a symbol.
    pub(crate) fn symbol(
        &mut self,
        context: &Context,
        pool: &TermPool,
        symbol: Symbol,
    ) -> Result<Node, Reason> {
        if let Some(&known) = self.symbols.get(&symbol) {
            return Ok(known);
        }
        let sort = self.sort(context, pool, pool.symbol_data(symbol).sort)?;
        let decl = context.numbered_decl(number(symbol), &[], sort)?;
        let node = context.apply(decl, &[])?;
        self.symbols.insert(symbol, node);
        self.symbols_back.insert(decl, symbol);
        Ok(node)
    }

    /// The declaration of an uninterpreted function.
    pub(crate) fn function(
        &mut self,
        context: &Context,
        pool: &TermPool,
        function: FunctionSymbol,
    ) -> Result<Decl, Reason> {
        if let Some(&known) = self.functions.get(&function) {
            return Ok(known);
        }
        self.has_more_than_bits = true;
        let (_, domain, range) = pool.function_data(function);
        let domain =
            domain.iter().map(|&sort| self.sort(context, pool, sort)).collect::<Result<Vec<_>, _>>()?;
        let range = self.sort(context, pool, range)?;
        let decl = context.numbered_decl(number(function), &domain, range)?;
        self.functions.insert(function, decl);
        self.functions_back.insert(decl, function);
        Ok(decl)
    }

    fn build(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: Term,
        children: &[Node],
    ) -> Result<Node, Reason> {
        match (pool.op(term), children) {
            (Op::True, _) => context.tru(),
            (Op::False, _) => context.fls(),
            (
                Op::BvConst(_) | Op::IntConst(_) | Op::RealConst(_) | Op::FloatConst(_) | Op::RoundingMode(_),
                _,
            ) => self.constant(context, pool, term),
            (Op::Symbol(symbol), _) => self.symbol(context, pool, symbol),
            (Op::Bound(name), _) => {
                let sort = self.sort(context, pool, pool.sort(term))?;
                let decl = context.named_decl(&format!("bound {name}"), &[], sort)?;
                context.apply(decl, &[])
            }
            (Op::Value(value), _) => {
                Err(Reason::Misuse(format!("the formula contains v{value}, which belongs to an IR function")))
            }
            (Op::Not, &[a]) => context.not(a),
            (Op::And, list) => context.and(list),
            (Op::Or, list) => context.or(list),
            (Op::Xor, &[a, b]) => context.xor(a, b),
            (Op::Ite, &[c, a, b]) => context.ite(c, a, b),
            (Op::Eq, &[a, b]) => context.eq(a, b),
            (Op::Apply(function), list) => {
                let decl = self.function(context, pool, function)?;
                context.apply(decl, list)
            }
            (Op::Forall, [bound @ .., body]) => {
                self.has_more_than_bits = true;
                context.quantify(Quantifier::Forall, bound, *body)
            }
            (Op::Exists, [bound @ .., body]) => {
                self.has_more_than_bits = true;
                context.quantify(Quantifier::Exists, bound, *body)
            }
            (Op::Add, list) => context.sum(list),
            (Op::Sub, list) => context.difference(list),
            (Op::Neg, &[a]) => context.neg(a),
            (Op::Mul, list) => context.product(list),
            (Op::IntDiv, &[a, b]) => context.int_div(a, b),
            (Op::IntMod, &[a, b]) => context.int_mod(a, b),
            (Op::RealDiv, &[a, b]) => context.real_div(a, b),
            (Op::Le, &[a, b]) => context.le(a, b),
            (Op::Lt, &[a, b]) => context.lt(a, b),
            (Op::ToReal, &[a]) => context.to_real(a),
            (Op::ToInt, &[a]) => context.to_int(a),
            (Op::Select, &[a, i]) => context.select(a, i),
            (Op::Store, &[a, i, v]) => context.store(a, i, v),
            (Op::ConstArray(parts), &[v]) => {
                self.has_more_than_bits = true;
                let (index, _) = pool.array_sort_parts(parts);
                let index = self.sort(context, pool, index)?;
                context.const_array(index, v)
            }
            (op, children) => match bit_vector(context, op, children) {
                Some(built) => built,
                None => self.float(context, pool, term, children),
            },
        }
    }

    fn constant(&mut self, context: &Context, pool: &TermPool, term: Term) -> Result<Node, Reason> {
        let sort = self.sort(context, pool, pool.sort(term))?;
        if let Some((width, value)) = pool.as_bv(term) {
            return match value.to_i64() {
                Some(small) => context.small_number(small, sort),
                None => context.bits(width, value),
            };
        }
        if let Some(value) = pool.as_int(term) {
            return match value.to_i64() {
                Some(small) => context.small_number(small, sort),
                None => context.number(&value.to_string(), sort),
            };
        }
        if let Some(value) = pool.as_real(term) {
            return context.number(&value.to_string(), sort);
        }
        match (pool.op(term), pool.sort(term)) {
            (Op::RoundingMode(mode), _) => match mode {
                RoundingMode::NearestEven => context.nearest_even(),
                RoundingMode::NearestAway => context.nearest_away(),
                RoundingMode::TowardPositive => context.toward_positive(),
                RoundingMode::TowardNegative => context.toward_negative(),
                RoundingMode::TowardZero => context.toward_zero(),
            },
            (_, Sort::Float(exponent, significand)) => {
                let bits = pool.as_float_bits(term).expect("a constant of a float sort is given by its bits");
                let bits = context.bits(u32::from(exponent) + u32::from(significand), bits)?;
                context.fp_from_bits(bits, sort)
            }
            (op, _) => Err(Reason::Unsupported(format!("the constant {op:?}"))),
        }
    }

    fn float(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: Term,
        children: &[Node],
    ) -> Result<Node, Reason> {
        self.has_more_than_bits = true;
        let op = pool.op(term);
        match (op, children) {
            (Op::FpAbs, &[a]) => context.fp_abs(a),
            (Op::FpNeg, &[a]) => context.fp_neg(a),
            (Op::FpAdd, &[m, a, b]) => context.fp_add(m, a, b),
            (Op::FpSub, &[m, a, b]) => context.fp_sub(m, a, b),
            (Op::FpMul, &[m, a, b]) => context.fp_mul(m, a, b),
            (Op::FpDiv, &[m, a, b]) => context.fp_div(m, a, b),
            (Op::FpFma, &[m, a, b, c]) => context.fp_fma(m, a, b, c),
            (Op::FpSqrt, &[m, a]) => context.fp_sqrt(m, a),
            (Op::FpRem, &[a, b]) => context.fp_rem(a, b),
            (Op::FpRoundToIntegral, &[m, a]) => context.fp_round_to_integral(m, a),
            (Op::FpMin, &[a, b]) => context.fp_min(a, b),
            (Op::FpMax, &[a, b]) => context.fp_max(a, b),
            (Op::FpLe, &[a, b]) => context.fp_le(a, b),
            (Op::FpLt, &[a, b]) => context.fp_lt(a, b),
            (Op::FpEq, &[a, b]) => context.fp_eq(a, b),
            (Op::FpIsNormal, &[a]) => context.fp_is_normal(a),
            (Op::FpIsSubnormal, &[a]) => context.fp_is_subnormal(a),
            (Op::FpIsZero, &[a]) => context.fp_is_zero(a),
            (Op::FpIsInfinite, &[a]) => context.fp_is_infinite(a),
            (Op::FpIsNan, &[a]) => context.fp_is_nan(a),
            (Op::FpIsNegative, &[a]) => context.fp_is_negative(a),
            (Op::FpIsPositive, &[a]) => context.fp_is_positive(a),
            (Op::FpFromBits { .. }, &[a]) => {
                let sort = self.sort(context, pool, pool.sort(term))?;
                context.fp_from_bits(a, sort)
            }
            (Op::FpFromFloat { .. }, &[m, a]) => {
                let sort = self.sort(context, pool, pool.sort(term))?;
                context.fp_from_float(m, a, sort)
            }
            (Op::FpFromReal { .. }, &[m, a]) => {
                let sort = self.sort(context, pool, pool.sort(term))?;
                context.fp_from_real(m, a, sort)
            }
            (Op::FpFromSigned { .. }, &[m, a]) => {
                let sort = self.sort(context, pool, pool.sort(term))?;
                context.fp_from_signed(m, a, sort)
            }
            (Op::FpFromUnsigned { .. }, &[m, a]) => {
                let sort = self.sort(context, pool, pool.sort(term))?;
                context.fp_from_unsigned(m, a, sort)
            }
            (Op::FpToUnsigned(width), &[m, a]) => context.fp_to_unsigned(m, a, width),
            (Op::FpToSigned(width), &[m, a]) => context.fp_to_signed(m, a, width),
            (Op::FpToReal, &[a]) => context.fp_to_real(a),
            (Op::FpToBits, &[a]) => {
                // Z3 leaves the bit pattern of NaN unspecified.
                let nan = float_nan_pattern(pool.sort(pool.children(term)[0]));
                let nan = context.bits(pool.width(term), &nan)?;
                let (is_nan, bits) = (context.fp_is_nan(a)?, context.fp_to_bits(a)?);
                context.ite(is_nan, nan, bits)
            }
            #[allow(unreachable_patterns, reason = "for operators added to the term language")]
            (other, children) => {
                Err(Reason::Unsupported(format!("the operator {other:?} with {} arguments", children.len())))
            }
        }
    }
}

/// The number that names a symbol or function.
fn number(entity: impl Entity) -> u32 {
    u32::try_from(entity.index()).expect("an entity has a 32-bit index")
}

/// The translation of a bit-vector operator; `None` for others.
fn bit_vector(context: &Context, op: Op, children: &[Node]) -> Option<Result<Node, Reason>> {
    Some(match (op, children) {
        (Op::BvNot, &[a]) => context.bv_not(a),
        (Op::BvNeg, &[a]) => context.bv_neg(a),
        (Op::BvSub, &[a, b]) => context.bv_sub(a, b),
        (Op::BvUdiv, &[a, b]) => context.bv_udiv(a, b),
        (Op::BvUrem, &[a, b]) => context.bv_urem(a, b),
        (Op::BvSdiv, &[a, b]) => context.bv_sdiv(a, b),
        (Op::BvSrem, &[a, b]) => context.bv_srem(a, b),
        (Op::BvShl, &[a, b]) => context.bv_shl(a, b),
        (Op::BvLshr, &[a, b]) => context.bv_lshr(a, b),
        (Op::BvAshr, &[a, b]) => context.bv_ashr(a, b),
        (Op::BvUlt, &[a, b]) => context.bv_ult(a, b),
        (Op::BvUle, &[a, b]) => context.bv_ule(a, b),
        (Op::BvSlt, &[a, b]) => context.bv_slt(a, b),
        (Op::BvSle, &[a, b]) => context.bv_sle(a, b),
        (Op::Extract { high, low }, &[a]) => context.bv_extract(a, high, low),
        (Op::ZeroExtend(bits), &[a]) => context.zero_extend(a, bits),
        (Op::SignExtend(bits), &[a]) => context.sign_extend(a, bits),
        (Op::BvAnd, list) => fold(list, |a, b| context.bv_and(a, b)),
        (Op::BvOr, list) => fold(list, |a, b| context.bv_or(a, b)),
        (Op::BvXor, list) => fold(list, |a, b| context.bv_xor(a, b)),
        (Op::BvAdd, list) => fold(list, |a, b| context.bv_add(a, b)),
        (Op::BvMul, list) => fold(list, |a, b| context.bv_mul(a, b)),
        (Op::Concat, list) => fold(list, |a, b| context.bv_concat(a, b)),
        _ => return None,
    })
}

fn fold(list: &[Node], build: impl Fn(Node, Node) -> Result<Node, Reason>) -> Result<Node, Reason> {
    let (&first, rest) = list.split_first().expect("an operator of arity at least one");
    rest.iter().try_fold(first, |left, &right| build(left, right))
}
