//! Translates terms of a pool to terms of Bitwuzla.
//!
//! Each distinct term is translated once per prover; a translation lives as long as the prover.
//!
//! Unsupported are: integers and reals, except a constant real that is converted to a float;
//! uninterpreted sorts (Bitwuzla cannot compare their elements); floats of formats other than
//! binary16, binary32, binary64 and binary128; the conversions of floats to reals and to bit
//! patterns.

use crate::ffi::{Kinds, Node, Session, Type};
use backends::Reason;
use backends::support::Cache;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terms::{FunctionSymbol, Op, RoundingMode, Sort, Symbol, Term, TermPool};

/// The translations of a prover.
pub(crate) struct Translator {
    cache: Cache<Option<Node>>,
    tables: Tables,
}

struct Tables {
    session: Rc<Session>,
    kinds: Kinds,
    /// [`PLAIN`] by operator.
    plain: FxHashMap<Op, &'static str>,
    types: FxHashMap<Sort, Type>,
    symbols: FxHashMap<Symbol, Node>,
    functions: FxHashMap<FunctionSymbol, Node>,
    /// The inverse translation of leaves and functions, by identity.
    leaves: FxHashMap<u64, Term>,
    function_ids: FxHashMap<u64, FunctionSymbol>,
}

impl Translator {
    pub(crate) fn new(session: &Rc<Session>) -> Result<Self, Reason> {
        let names = PLAIN.iter().map(|&(_, name)| name).chain(OTHERS.iter().copied());
        let tables = Tables {
            session: Rc::clone(session),
            kinds: Kinds::of(names)?,
            plain: PLAIN.iter().copied().collect(),
            types: FxHashMap::default(),
            symbols: FxHashMap::default(),
            functions: FxHashMap::default(),
            leaves: FxHashMap::default(),
            function_ids: FxHashMap::default(),
        };
        Ok(Translator { cache: Cache::default(), tables })
    }

    pub(crate) fn session(&self) -> &Rc<Session> {
        &self.tables.session
    }

    /// The translation of `term`.
    pub(crate) fn translate(&mut self, pool: &TermPool, term: Term) -> Result<Node, Reason> {
        let tables = &mut self.tables;
        let node = self.cache.translate(pool, term, |term, children| tables.build(pool, term, children))?;
        node.ok_or_else(|| Reason::Unsupported("real numbers".to_owned()))
    }

    /// The translation of a symbol that has been translated.
    pub(crate) fn symbol(&self, symbol: Symbol) -> Option<Node> {
        self.tables.symbols.get(&symbol).copied()
    }

    /// The translation of a function that has been translated.
    pub(crate) fn function(&self, function: FunctionSymbol) -> Option<Node> {
        self.tables.functions.get(&function).copied()
    }

    /// The symbol or bound variable whose translation is `node`.
    pub(crate) fn leaf_of(&self, node: Node) -> Option<Term> {
        self.tables.leaves.get(&self.tables.session.id(node)).copied()
    }

    /// The function whose translation is `node`.
    pub(crate) fn function_of(&self, node: Node) -> Option<FunctionSymbol> {
        self.tables.function_ids.get(&self.tables.session.id(node)).copied()
    }

    /// The name of the kind of `node`; the empty name if formulas never have this kind.
    pub(crate) fn kind(&self, node: Node) -> &'static str {
        self.tables.kinds.name(self.tables.session.kind(node)).unwrap_or_default()
    }

    /// A conjunction.
    pub(crate) fn and(&self, nodes: &[Node]) -> Result<Node, Reason> {
        match nodes {
            [] => self.tables.session.truth(true),
            &[node] => Ok(node),
            nodes => self.tables.apply("AND", nodes, &[]),
        }
    }
}

impl Tables {
    fn apply(&self, kind: &'static str, children: &[Node], indices: &[u64]) -> Result<Node, Reason> {
        let number = self.kinds.number(kind);
        let number = number.ok_or_else(|| Reason::Fault(format!("the kind {kind} was not looked up")))?;
        self.session.apply(number, children, indices)
    }

    /// The translation of a term; `None` for a constant of the reals.
    fn build(
        &mut self,
        pool: &TermPool,
        term: Term,
        translated: &[Option<Node>],
    ) -> Result<Option<Node>, Reason> {
        let op = pool.op(term);
        if let Op::RealConst(_) = op {
            return Ok(None);
        }
        if let Op::FpFromReal { .. } = op {
            return self.of_real(pool, term, translated).map(Some);
        }
        let children: Option<Vec<Node>> = translated.iter().copied().collect();
        let children = children.ok_or_else(|| Reason::Unsupported("real numbers".to_owned()))?;
        let format = |exponent: u16, significand: u16| [u64::from(exponent), u64::from(significand)];
        if let sort @ Sort::Float(..) = pool.sort(term) {
            // Rejects other formats.
            self.sort(pool, sort)?;
        }
        let built = match op {
            Op::True | Op::False => self.session.truth(op == Op::True),
            Op::BvConst(_) => self.bit_vector(pool, term),
            Op::FloatConst(_) => self.float(pool, term),
            Op::RoundingMode(mode) => {
                let position = MODES.iter().position(|&known| known == mode).expect("all modes are listed");
                self.session.mode(i32::try_from(position).expect("there are five modes"))
            }
            Op::Symbol(symbol) => {
                let sort = self.sort(pool, pool.sort(term))?;
                let node = self.session.constant(sort, &pool.symbol_data(symbol).name)?;
                self.symbols.insert(symbol, node);
                self.leaves.insert(self.session.id(node), term);
                Ok(node)
            }
            Op::Bound(name) => {
                let sort = self.sort(pool, pool.sort(term))?;
                let node = self.session.variable(sort, pool.bound_name(name))?;
                self.leaves.insert(self.session.id(node), term);
                Ok(node)
            }
            Op::Value(value) => {
                Err(Reason::Fault(format!("the formula contains v{value}, which belongs to an IR function")))
            }
            Op::Apply(function) => {
                let node = self.function(pool, function)?;
                let mut list = vec![node];
                list.extend(&children);
                self.apply("APPLY", &list, &[])
            }
            Op::ConstArray(_) => {
                let sort = self.sort(pool, pool.sort(term))?;
                self.session.const_array(sort, children[0])
            }
            Op::Extract { high, low } => {
                self.apply("BV_EXTRACT", &children, &[u64::from(high), u64::from(low)])
            }
            Op::ZeroExtend(bits) => self.apply("BV_ZERO_EXTEND", &children, &[u64::from(bits)]),
            Op::SignExtend(bits) => self.apply("BV_SIGN_EXTEND", &children, &[u64::from(bits)]),
            Op::FpFromBits { exponent, significand } => {
                self.apply("FP_TO_FP_FROM_BV", &children, &format(exponent, significand))
            }
            Op::FpFromFloat { exponent, significand } => {
                self.apply("FP_TO_FP_FROM_FP", &children, &format(exponent, significand))
            }
            Op::FpFromSigned { exponent, significand } => {
                self.apply("FP_TO_FP_FROM_SBV", &children, &format(exponent, significand))
            }
            Op::FpFromUnsigned { exponent, significand } => {
                self.apply("FP_TO_FP_FROM_UBV", &children, &format(exponent, significand))
            }
            Op::FpToUnsigned(width) => self.apply("FP_TO_UBV", &children, &[u64::from(width)]),
            Op::FpToSigned(width) => self.apply("FP_TO_SBV", &children, &[u64::from(width)]),
            Op::Forall | Op::Exists if children.len() == 1 => Ok(children[0]),
            _ => match self.plain.get(&op) {
                Some(&kind) => self.apply(kind, &children, &[]),
                None if matches!(op, Op::IntConst(_)) => {
                    Err(Reason::Unsupported("integers and real numbers".to_owned()))
                }
                None => Err(Reason::Unsupported(format!("the operator {op:?}"))),
            },
        };
        built.map(Some)
    }

    /// A real number, rounded to a float.
    fn of_real(&mut self, pool: &TermPool, term: Term, translated: &[Option<Node>]) -> Result<Node, Reason> {
        let (Some(mode), Some(value)) = (translated[0], pool.as_real(pool.children(term)[1])) else {
            return Err(Reason::Unsupported("conversions of real numbers to floats".to_owned()));
        };
        let (numerator, denominator) = (value.numer().to_string(), value.denom().to_string());
        let sort = self.sort(pool, pool.sort(term))?;
        self.session.float_of_rational(sort, mode, &numerator, &denominator)
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<Node, Reason> {
        if let Some(&known) = self.functions.get(&function) {
            return Ok(known);
        }
        let (name, domain, range) = pool.function_data(function);
        let domain = domain.iter().map(|&sort| self.sort(pool, sort)).collect::<Result<Vec<_>, _>>()?;
        let range = self.sort(pool, range)?;
        let node = self.session.constant(self.session.sort_function(&domain, range)?, name)?;
        self.functions.insert(function, node);
        self.function_ids.insert(self.session.id(node), function);
        Ok(node)
    }

    fn sort(&mut self, pool: &TermPool, sort: Sort) -> Result<Type, Reason> {
        if let Some(&known) = self.types.get(&sort) {
            return Ok(known);
        }
        let ty = match sort {
            Sort::Bool => self.session.sort_bool()?,
            Sort::BitVec(width) => self.session.sort_bits(width)?,
            Sort::Float(exponent, significand) => {
                if !FORMATS.contains(&(exponent, significand)) {
                    return Err(Reason::Unsupported(format!("floats of {exponent} and {significand} bits")));
                }
                self.session.sort_float(exponent, significand)?
            }
            Sort::RoundingMode => self.session.sort_mode()?,
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                let (index, element) = (self.sort(pool, index)?, self.sort(pool, element)?);
                self.session.sort_array(index, element)?
            }
            Sort::Int | Sort::Real => {
                return Err(Reason::Unsupported("integers and real numbers".to_owned()));
            }
            Sort::Uninterpreted(_) => return Err(Reason::Unsupported("uninterpreted sorts".to_owned())),
        };
        self.types.insert(sort, ty);
        Ok(ty)
    }

    fn bit_vector(&mut self, pool: &TermPool, term: Term) -> Result<Node, Reason> {
        let (width, value) = pool.as_bv(term).expect("a bit-vector constant has a value");
        let sort = self.sort(pool, Sort::BitVec(width))?;
        match pool.as_bv_u64(term) {
            Some(small) => self.session.bits(sort, small),
            None => self.session.big_bits(sort, &digits(&value.to_str_radix(2), width)),
        }
    }

    fn float(&mut self, pool: &TermPool, term: Term) -> Result<Node, Reason> {
        let Sort::Float(exponent, significand) = pool.sort(term) else {
            return Err(Reason::Fault("a float constant of another sort".to_owned()));
        };
        self.sort(pool, pool.sort(term))?;
        let (exponent, significand) = (u32::from(exponent), u32::from(significand));
        let pattern = pool.as_float_bits(term).expect("a float constant has a pattern");
        let digits = digits(&pattern.to_str_radix(2), exponent + significand);
        let (sign, rest) = digits.split_at(1);
        let (exponent_digits, fraction) = rest.split_at(exponent as usize);
        let mut part = |digits: &str, width: u32| {
            let sort = self.sort(pool, Sort::BitVec(width))?;
            self.session.big_bits(sort, digits)
        };
        let sign = part(sign, 1)?;
        let exponent = part(exponent_digits, exponent)?;
        let fraction = part(fraction, significand - 1)?;
        self.session.float(sign, exponent, fraction)
    }
}

/// Binary digits, padded with zeros.
fn digits(digits: &str, width: u32) -> String {
    format!("{digits:0>width$}", width = width as usize)
}

/// The formats of floats that Bitwuzla supports.
const FORMATS: [(u16, u16); 4] = [(5, 11), (8, 24), (11, 53), (15, 113)];

/// The rounding modes in the order of Bitwuzla.
pub(crate) const MODES: [RoundingMode; 5] = [
    RoundingMode::NearestEven,
    RoundingMode::NearestAway,
    RoundingMode::TowardNegative,
    RoundingMode::TowardPositive,
    RoundingMode::TowardZero,
];

/// The operators without indices that correspond to one kind of Bitwuzla, in both directions.
pub(crate) const PLAIN: &[(Op, &str)] = &[
    (Op::Not, "NOT"),
    (Op::And, "AND"),
    (Op::Or, "OR"),
    (Op::Xor, "XOR"),
    (Op::Ite, "ITE"),
    (Op::Eq, "EQUAL"),
    (Op::BvNot, "BV_NOT"),
    (Op::BvNeg, "BV_NEG"),
    (Op::BvAnd, "BV_AND"),
    (Op::BvOr, "BV_OR"),
    (Op::BvXor, "BV_XOR"),
    (Op::BvAdd, "BV_ADD"),
    (Op::BvSub, "BV_SUB"),
    (Op::BvMul, "BV_MUL"),
    (Op::BvUdiv, "BV_UDIV"),
    (Op::BvUrem, "BV_UREM"),
    (Op::BvSdiv, "BV_SDIV"),
    (Op::BvSrem, "BV_SREM"),
    (Op::BvShl, "BV_SHL"),
    (Op::BvLshr, "BV_SHR"),
    (Op::BvAshr, "BV_ASHR"),
    (Op::BvUlt, "BV_ULT"),
    (Op::BvUle, "BV_ULE"),
    (Op::BvSlt, "BV_SLT"),
    (Op::BvSle, "BV_SLE"),
    (Op::Concat, "BV_CONCAT"),
    (Op::Select, "SELECT"),
    (Op::Store, "STORE"),
    (Op::FpAbs, "FP_ABS"),
    (Op::FpNeg, "FP_NEG"),
    (Op::FpAdd, "FP_ADD"),
    (Op::FpSub, "FP_SUB"),
    (Op::FpMul, "FP_MUL"),
    (Op::FpDiv, "FP_DIV"),
    (Op::FpFma, "FP_FMA"),
    (Op::FpSqrt, "FP_SQRT"),
    (Op::FpRem, "FP_REM"),
    (Op::FpRoundToIntegral, "FP_RTI"),
    (Op::FpMin, "FP_MIN"),
    (Op::FpMax, "FP_MAX"),
    (Op::FpLe, "FP_LEQ"),
    (Op::FpLt, "FP_LT"),
    (Op::FpEq, "FP_EQUAL"),
    (Op::FpIsNormal, "FP_IS_NORMAL"),
    (Op::FpIsSubnormal, "FP_IS_SUBNORMAL"),
    (Op::FpIsZero, "FP_IS_ZERO"),
    (Op::FpIsInfinite, "FP_IS_INF"),
    (Op::FpIsNan, "FP_IS_NAN"),
    (Op::FpIsNegative, "FP_IS_NEG"),
    (Op::FpIsPositive, "FP_IS_POS"),
    (Op::Forall, "FORALL"),
    (Op::Exists, "EXISTS"),
];

/// Other kinds, of translations and of answers.
const OTHERS: &[&str] = &[
    "APPLY",
    "BV_COMP",
    "BV_DEC",
    "BV_EXTRACT",
    "BV_INC",
    "BV_NAND",
    "BV_NOR",
    "BV_REDAND",
    "BV_REDOR",
    "BV_REPEAT",
    "BV_SGE",
    "BV_SGT",
    "BV_SIGN_EXTEND",
    "BV_UGE",
    "BV_UGT",
    "BV_XNOR",
    "BV_ZERO_EXTEND",
    "CONST_ARRAY",
    "DISTINCT",
    "FP_FP",
    "FP_GEQ",
    "FP_GT",
    "FP_TO_FP_FROM_BV",
    "FP_TO_FP_FROM_FP",
    "FP_TO_FP_FROM_SBV",
    "FP_TO_FP_FROM_UBV",
    "FP_TO_SBV",
    "FP_TO_UBV",
    "IFF",
    "IMPLIES",
    "LAMBDA",
    "VALUE",
];
