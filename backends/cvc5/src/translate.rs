//! Translates terms of a pool to terms of cvc5.
//!
//! Each distinct term is translated once per prover; a translation lives as long as the prover.
//! cvc5 checks sorts while it builds, and maintains a table from its nodes to the handles of the C
//! API; these calls take nearly all of the time, see the crate documentation.
//!
//! The translator also records which theories occur, which determines the logic of the solver, and
//! the order of symbols, so that a model knows which of them were present at its check.
//!
//! * Division by zero of integers and reals follows SMT-LIB: an unspecified value that depends only
//!   on the dividend.
//! * A bound variable is one variable of cvc5 per name and sort, even if several quantifiers bind
//!   it.
//! * IR values (`Op::Value`) are not allowed in formulas.

use crate::ffi::{Kind, Manager, Node, Operator, RawMode, Type};
use backends::Reason;
use backends::support::Cache;
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use terms::{FunctionSymbol, Op, RoundingMode, Sort, Symbol, Term, TermPool};

/// A translated term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Translated {
    pub(crate) node: Node,
    /// The longest path from `node` to a leaf.
    pub(crate) depth: u32,
    /// A term equivalent to `node` that is neither a conjunction nor a disjunction: see
    /// [`SHIELD_AFTER`].
    shield: Option<Node>,
    /// For a conjunction or disjunction, the number of levels of the same operator that cvc5 will
    /// flatten into one.
    run: u8,
}

/// cvc5 flattens nested conjunctions, and disjunctions, into one. With shared subformulas, this
/// turns a small DAG into one with quadratically many edges, and with deep subformulas, each level
/// is copied into the next. So after this many levels the next one contains `¬(¬a ∨ ¬b)` instead of
/// `a ∧ b`, which is not flattened.
const SHIELD_AFTER: u8 = 1;

/// The theories that occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    pub(crate) integers: bool,
    pub(crate) reals: bool,
    pub(crate) nonlinear: bool,
    pub(crate) bit_vectors: bool,
    pub(crate) floats: bool,
    /// Floats of formats other than binary32 and binary64, which cvc5 calls experimental.
    pub(crate) other_floats: bool,
    pub(crate) arrays: bool,
    /// Constant arrays, which cvc5 calls experimental.
    pub(crate) constant_arrays: bool,
    pub(crate) functions: bool,
    pub(crate) quantifiers: bool,
}

impl Features {
    /// The smallest SMT-LIB logic.
    pub(crate) fn logic(self) -> String {
        let mut logic = String::new();
        let mut add = |is_there: bool, name: &str| {
            if is_there {
                logic.push_str(name);
            }
        };
        let is_arithmetic = self.integers || self.reals;
        let has_theory = self.bit_vectors || self.floats || is_arithmetic;
        add(!self.quantifiers, "QF_");
        add(self.arrays, "A");
        add(self.functions || !has_theory, "UF");
        add(self.bit_vectors, "BV");
        add(self.floats, "FP");
        add(is_arithmetic, if self.nonlinear { "N" } else { "L" });
        add(self.integers, "I");
        add(self.reals, "R");
        add(is_arithmetic, "A");
        logic
    }
}

/// A translated symbol or function, with its position in the order of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) node: Node,
    pub(crate) number: usize,
}

/// The translations of a prover.
#[derive(Default)]
pub(crate) struct Translator {
    cache: Cache<Translated>,
    known: Tables,
}

#[derive(Default)]
struct Tables {
    types: FxHashMap<Sort, Type>,
    operators: FxHashMap<Op, Operator>,
    kinds: Kinds,
    symbols: FxHashMap<Symbol, Seen>,
    functions: FxHashMap<FunctionSymbol, Seen>,
    /// The applications of each function.
    applications: FxHashMap<FunctionSymbol, Vec<Term>>,
    /// The inverse translation of leaves.
    leaves: FxHashMap<Node, Term>,
    function_nodes: FxHashMap<Node, FunctionSymbol>,
    features: Features,
    children: Vec<Node>,
}

impl Translator {
    /// The translation of `term`.
    pub(crate) fn translate(
        &mut self,
        manager: &Manager,
        pool: &TermPool,
        term: Term,
    ) -> Result<Translated, Reason> {
        let known = &mut self.known;
        self.cache.translate(pool, term, |term, children| {
            let depth = children.iter().map(|child| child.depth).max().map_or(0, |depth| depth + 1);
            if let op @ (Op::And | Op::Or) = pool.op(term) {
                let is_same = |index: usize| pool.op(pool.children(term)[index]) == op;
                return known.junction(manager, op, is_same, children, depth);
            }
            let node = known.build(manager, pool, term, children)?;
            Ok(Translated { node, depth, shield: None, run: 0 })
        })
    }

    /// The theories that have occurred so far.
    pub(crate) fn features(&self) -> Features {
        self.known.features
    }

    /// The number of symbols and functions so far.
    pub(crate) fn seen(&self) -> usize {
        self.known.symbols.len() + self.known.functions.len()
    }

    pub(crate) fn symbol(&self, symbol: Symbol) -> Option<Seen> {
        self.known.symbols.get(&symbol).copied()
    }

    pub(crate) fn function(&self, function: FunctionSymbol) -> Option<Seen> {
        self.known.functions.get(&function).copied()
    }

    /// The translated applications of `function`.
    pub(crate) fn applications(&self, function: FunctionSymbol) -> &[Term] {
        self.known.applications.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The translation of a term that was translated before.
    pub(crate) fn known(&self, term: Term) -> Option<Node> {
        self.cache.get(term).map(|translated| translated.node)
    }

    /// The symbol or bound variable whose translation is `node`.
    pub(crate) fn leaf_of(&self, node: Node) -> Option<Term> {
        self.known.leaves.get(&node).copied()
    }

    /// The function whose translation is `node`.
    pub(crate) fn function_of(&self, node: Node) -> Option<FunctionSymbol> {
        self.known.function_nodes.get(&node).copied()
    }

    /// The translation of a sort.
    pub(crate) fn sort(&mut self, manager: &Manager, pool: &TermPool, sort: Sort) -> Result<Type, Reason> {
        self.known.sort(manager, pool, sort)
    }
}

impl Tables {
    /// A conjunction or disjunction, see [`SHIELD_AFTER`].
    fn junction(
        &mut self,
        manager: &Manager,
        op: Op,
        is_same: impl Fn(usize) -> bool,
        translated: &[Translated],
        depth: u32,
    ) -> Result<Translated, Reason> {
        let (kind, dual) = if op == Op::And { (Kind::And, Kind::Or) } else { (Kind::Or, Kind::And) };
        let mut run = 0;
        self.children.clear();
        for (index, child) in translated.iter().enumerate() {
            let shield = child.shield.filter(|_| is_same(index));
            if shield.is_none() && is_same(index) {
                run = run.max(child.run + 1);
            }
            self.children.push(shield.unwrap_or(child.node));
        }
        let node = manager.apply(kind, &self.children)?;
        if run < SHIELD_AFTER {
            return Ok(Translated { node, depth, shield: None, run });
        }
        for (place, child) in self.children.iter_mut().zip(translated) {
            *place = manager.apply(Kind::Not, &[child.node])?;
        }
        let shield = manager.apply(Kind::Not, &[manager.apply(dual, &self.children)?])?;
        Ok(Translated { node, depth: depth + 2, shield: Some(shield), run })
    }

    fn build(
        &mut self,
        manager: &Manager,
        pool: &TermPool,
        term: Term,
        translated: &[Translated],
    ) -> Result<Node, Reason> {
        let op = pool.op(term);
        let terms = pool.children(term);
        let mut children = std::mem::take(&mut self.children);
        children.clear();
        children.extend(translated.iter().map(|child| child.node));
        let built = match op {
            Op::True | Op::False => manager.truth(op == Op::True),
            Op::BvConst(_) => {
                self.features.bit_vectors = true;
                bit_vector(manager, pool, term)
            }
            Op::IntConst(_) => {
                self.features.integers = true;
                integer(manager, pool, term)
            }
            Op::RealConst(_) => {
                self.features.reals = true;
                let value = pool.as_real(term).expect("a real constant has a value");
                manager.rational(&format!("{}/{}", value.numer(), value.denom()))
            }
            Op::FloatConst(_) => {
                self.sort(manager, pool, pool.sort(term)).and_then(|_| float(manager, pool, term))
            }
            Op::RoundingMode(mode) => {
                self.features.floats = true;
                manager.mode(raw_mode(mode))
            }
            Op::Symbol(symbol) => self.symbol(manager, pool, term, symbol),
            Op::Bound(name) => self.sort(manager, pool, pool.sort(term)).and_then(|sort| {
                let variable = manager.variable(sort, pool.bound_name(name))?;
                self.leaves.insert(variable, term);
                Ok(variable)
            }),
            Op::Value(value) => {
                Err(Reason::Fault(format!("the formula contains v{value}, which belongs to an IR function")))
            }
            Op::Apply(function) => self.function(manager, pool, function).and_then(|node| {
                self.applications.entry(function).or_default().push(term);
                children.insert(0, node);
                manager.apply(Kind::ApplyUf, &children)
            }),
            Op::ConstArray(_) => {
                self.features.constant_arrays = true;
                let built = self
                    .sort(manager, pool, pool.sort(term))
                    .and_then(|sort| manager.const_array(sort, children[0]));
                // Beyond constants, only the library decides which terms are values.
                built.map_err(|reason| match reason {
                    Reason::Fault(_) if !pool.is_constant(terms[0]) => {
                        Reason::Unsupported("constant arrays of terms that are not values".to_owned())
                    }
                    other => other,
                })
            }
            Op::Forall | Op::Exists => {
                self.features.quantifiers = true;
                let kind = if op == Op::Forall { Kind::Forall } else { Kind::Exists };
                quantifier(manager, kind, &children)
            }
            _ => match self.kinds.0.get(&op).copied() {
                Some(kind) => {
                    self.note(pool, op, terms);
                    manager.apply(kind, &children)
                }
                None => {
                    self.indexed(manager, op).and_then(|operator| manager.apply_indexed(operator, &children))
                }
            },
        };
        self.children = children;
        built
    }

    /// Records the theories that an application needs beyond those of its children.
    fn note(&mut self, pool: &TermPool, op: Op, terms: &[Term]) {
        match op {
            Op::Mul => {
                let factors = terms.iter().filter(|&&factor| !pool.is_constant(factor)).count();
                self.features.nonlinear |= factors > 1;
            }
            Op::IntDiv | Op::IntMod | Op::RealDiv => {
                let is_zero = pool.as_int(terms[1]).is_some_and(Zero::is_zero)
                    || pool.as_real(terms[1]).is_some_and(Zero::is_zero);
                if is_zero || !pool.is_constant(terms[1]) {
                    // Division by zero is a function of the dividend.
                    self.features.nonlinear = true;
                    self.features.functions = true;
                }
            }
            Op::ToReal | Op::ToInt => {
                self.features.reals = true;
                self.features.integers = true;
            }
            Op::FpToReal => self.features.reals = true,
            _ => {}
        }
    }

    fn symbol(
        &mut self,
        manager: &Manager,
        pool: &TermPool,
        term: Term,
        symbol: Symbol,
    ) -> Result<Node, Reason> {
        let sort = self.sort(manager, pool, pool.sort(term))?;
        let node = manager.constant(sort, &pool.symbol_data(symbol).name)?;
        let number = self.symbols.len() + self.functions.len();
        self.symbols.insert(symbol, Seen { node, number });
        self.leaves.insert(node, term);
        Ok(node)
    }

    fn function(
        &mut self,
        manager: &Manager,
        pool: &TermPool,
        function: FunctionSymbol,
    ) -> Result<Node, Reason> {
        if let Some(known) = self.functions.get(&function) {
            return Ok(known.node);
        }
        self.features.functions = true;
        let (name, domain, range) = pool.function_data(function);
        let domain =
            domain.iter().map(|&sort| self.sort(manager, pool, sort)).collect::<Result<Vec<_>, _>>()?;
        let range = self.sort(manager, pool, range)?;
        let node = manager.constant(manager.function(&domain, range)?, name)?;
        let number = self.symbols.len() + self.functions.len();
        self.functions.insert(function, Seen { node, number });
        self.function_nodes.insert(node, function);
        Ok(node)
    }

    fn indexed(&mut self, manager: &Manager, op: Op) -> Result<Operator, Reason> {
        if let Some(&known) = self.operators.get(&op) {
            return Ok(known);
        }
        let mut format = |exponent: u16, significand: u16| {
            self.note_format(exponent, significand);
            vec![u32::from(exponent), u32::from(significand)]
        };
        let (kind, indices) = match op {
            Op::Extract { high, low } => (Kind::BitvectorExtract, vec![high, low]),
            Op::ZeroExtend(bits) => (Kind::BitvectorZeroExtend, vec![bits]),
            Op::SignExtend(bits) => (Kind::BitvectorSignExtend, vec![bits]),
            Op::FpFromBits { exponent, significand } => {
                (Kind::FloatingpointToFpFromIeeeBv, format(exponent, significand))
            }
            Op::FpFromFloat { exponent, significand } => {
                (Kind::FloatingpointToFpFromFp, format(exponent, significand))
            }
            Op::FpFromReal { exponent, significand } => {
                (Kind::FloatingpointToFpFromReal, format(exponent, significand))
            }
            Op::FpFromSigned { exponent, significand } => {
                (Kind::FloatingpointToFpFromSbv, format(exponent, significand))
            }
            Op::FpFromUnsigned { exponent, significand } => {
                (Kind::FloatingpointToFpFromUbv, format(exponent, significand))
            }
            Op::FpToUnsigned(width) => {
                self.features.bit_vectors = true;
                (Kind::FloatingpointToUbv, vec![width])
            }
            Op::FpToSigned(width) => {
                self.features.bit_vectors = true;
                (Kind::FloatingpointToSbv, vec![width])
            }
            other => return Err(Reason::Unsupported(format!("the operator {other:?}"))),
        };
        let operator = manager.operator(kind, &indices)?;
        self.operators.insert(op, operator);
        Ok(operator)
    }

    fn note_format(&mut self, exponent: u16, significand: u16) {
        self.features.floats = true;
        self.features.other_floats |= !matches!((exponent, significand), (8, 24) | (11, 53));
    }

    fn sort(&mut self, manager: &Manager, pool: &TermPool, sort: Sort) -> Result<Type, Reason> {
        if let Some(&known) = self.types.get(&sort) {
            return Ok(known);
        }
        let ty = match sort {
            Sort::Bool => manager.boolean()?,
            Sort::Int => {
                self.features.integers = true;
                manager.integer()?
            }
            Sort::Real => {
                self.features.reals = true;
                manager.real()?
            }
            Sort::BitVec(width) => {
                self.features.bit_vectors = true;
                manager.bit_vector(width)?
            }
            Sort::Float(exponent, significand) => {
                self.note_format(exponent, significand);
                manager.float(u32::from(exponent), u32::from(significand))?
            }
            Sort::RoundingMode => {
                self.features.floats = true;
                manager.mode_sort()?
            }
            Sort::Array(parts) => {
                self.features.arrays = true;
                let (index, element) = pool.array_sort_parts(parts);
                let (index, element) = (self.sort(manager, pool, index)?, self.sort(manager, pool, element)?);
                manager.array(index, element)?
            }
            Sort::Uninterpreted(index) => {
                self.features.functions = true;
                manager.uninterpreted(pool.uninterpreted_sort_name(index))?
            }
        };
        self.types.insert(sort, ty);
        Ok(ty)
    }
}

fn quantifier(manager: &Manager, kind: Kind, children: &[Node]) -> Result<Node, Reason> {
    let (&body, bound) =
        children.split_last().ok_or_else(|| Reason::Fault("a quantifier without a body".to_owned()))?;
    if bound.is_empty() {
        return Ok(body);
    }
    let bound = manager.apply(Kind::VariableList, bound)?;
    manager.apply(kind, &[bound, body])
}

fn bit_vector(manager: &Manager, pool: &TermPool, term: Term) -> Result<Node, Reason> {
    let (width, value) = pool.as_bv(term).expect("a bit-vector constant has a value");
    match pool.as_bv_u64(term) {
        Some(small) => manager.bits(width, small),
        None => manager.big_bits(width, &value.to_str_radix(16), 16),
    }
}

fn integer(manager: &Manager, pool: &TermPool, term: Term) -> Result<Node, Reason> {
    let value = pool.as_int(term).expect("an integer constant has a value");
    match value.to_i64() {
        Some(small) => manager.int(small),
        None => manager.big_int(&value.to_string()),
    }
}

fn float(manager: &Manager, pool: &TermPool, term: Term) -> Result<Node, Reason> {
    let Sort::Float(exponent, significand) = pool.sort(term) else {
        return Err(Reason::Fault("a float constant of another sort".to_owned()));
    };
    let (exponent, significand) = (u32::from(exponent), u32::from(significand));
    let pattern = pool.as_float_bits(term).expect("a float constant has a pattern");
    let bits = manager.big_bits(exponent + significand, &pattern.to_str_radix(16), 16)?;
    manager.float_value(exponent, significand, bits)
}

fn raw_mode(mode: RoundingMode) -> RawMode {
    match mode {
        RoundingMode::NearestEven => RawMode::RoundNearestTiesToEven,
        RoundingMode::NearestAway => RawMode::RoundNearestTiesToAway,
        RoundingMode::TowardPositive => RawMode::RoundTowardPositive,
        RoundingMode::TowardNegative => RawMode::RoundTowardNegative,
        RoundingMode::TowardZero => RawMode::RoundTowardZero,
    }
}

/// The operators that correspond to one kind of cvc5 without indices, in both directions.
pub(crate) const PLAIN: &[(Op, Kind)] = &[
    (Op::Not, Kind::Not),
    (Op::And, Kind::And),
    (Op::Or, Kind::Or),
    (Op::Xor, Kind::Xor),
    (Op::Ite, Kind::Ite),
    (Op::Eq, Kind::Equal),
    (Op::BvNot, Kind::BitvectorNot),
    (Op::BvNeg, Kind::BitvectorNeg),
    (Op::BvAnd, Kind::BitvectorAnd),
    (Op::BvOr, Kind::BitvectorOr),
    (Op::BvXor, Kind::BitvectorXor),
    (Op::BvAdd, Kind::BitvectorAdd),
    (Op::BvSub, Kind::BitvectorSub),
    (Op::BvMul, Kind::BitvectorMult),
    (Op::BvUdiv, Kind::BitvectorUdiv),
    (Op::BvUrem, Kind::BitvectorUrem),
    (Op::BvSdiv, Kind::BitvectorSdiv),
    (Op::BvSrem, Kind::BitvectorSrem),
    (Op::BvShl, Kind::BitvectorShl),
    (Op::BvLshr, Kind::BitvectorLshr),
    (Op::BvAshr, Kind::BitvectorAshr),
    (Op::BvUlt, Kind::BitvectorUlt),
    (Op::BvUle, Kind::BitvectorUle),
    (Op::BvSlt, Kind::BitvectorSlt),
    (Op::BvSle, Kind::BitvectorSle),
    (Op::Concat, Kind::BitvectorConcat),
    (Op::Add, Kind::Add),
    (Op::Sub, Kind::Sub),
    (Op::Neg, Kind::Neg),
    (Op::Mul, Kind::Mult),
    (Op::IntDiv, Kind::IntsDivision),
    (Op::IntMod, Kind::IntsModulus),
    (Op::RealDiv, Kind::Division),
    (Op::Le, Kind::Leq),
    (Op::Lt, Kind::Lt),
    (Op::ToReal, Kind::ToReal),
    (Op::ToInt, Kind::ToInteger),
    (Op::Select, Kind::Select),
    (Op::Store, Kind::Store),
    (Op::FpAbs, Kind::FloatingpointAbs),
    (Op::FpNeg, Kind::FloatingpointNeg),
    (Op::FpAdd, Kind::FloatingpointAdd),
    (Op::FpSub, Kind::FloatingpointSub),
    (Op::FpMul, Kind::FloatingpointMult),
    (Op::FpDiv, Kind::FloatingpointDiv),
    (Op::FpFma, Kind::FloatingpointFma),
    (Op::FpSqrt, Kind::FloatingpointSqrt),
    (Op::FpRem, Kind::FloatingpointRem),
    (Op::FpRoundToIntegral, Kind::FloatingpointRti),
    (Op::FpMin, Kind::FloatingpointMin),
    (Op::FpMax, Kind::FloatingpointMax),
    (Op::FpLe, Kind::FloatingpointLeq),
    (Op::FpLt, Kind::FloatingpointLt),
    (Op::FpEq, Kind::FloatingpointEq),
    (Op::FpIsNormal, Kind::FloatingpointIsNormal),
    (Op::FpIsSubnormal, Kind::FloatingpointIsSubnormal),
    (Op::FpIsZero, Kind::FloatingpointIsZero),
    (Op::FpIsInfinite, Kind::FloatingpointIsInf),
    (Op::FpIsNan, Kind::FloatingpointIsNan),
    (Op::FpIsNegative, Kind::FloatingpointIsNeg),
    (Op::FpIsPositive, Kind::FloatingpointIsPos),
    (Op::FpToReal, Kind::FloatingpointToReal),
];

/// [`PLAIN`] by operator.
struct Kinds(FxHashMap<Op, Kind>);

impl Default for Kinds {
    fn default() -> Self {
        Kinds(PLAIN.iter().copied().collect())
    }
}
