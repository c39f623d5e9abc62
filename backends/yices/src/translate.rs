//! Translates terms of a pool to Yices terms.
//!
//! One pass over the DAG with an explicit stack visits each node once; the results are cached in a
//! table indexed by [`Term`]. Each Yices term is stored with its depth, which determines the stack
//! for Yices' own recursion.
//!
//! Arrays are eliminated if they are only read, and are functions of one argument if they are
//! compared: see [`arrays`](crate::arrays).
//!
//! Limits: no floats, no quantifiers, no arrays of arrays; division only by nonzero constants.

use crate::arrays::Arrays;
use crate::features::Features;
use crate::ffi::{Api, YTerm, YType};
use backends::Reason;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{FunctionSymbol, Op, Sort, Symbol, Term, TermPool};

/// The translation of a term and its properties.
#[derive(Clone, Copy)]
pub(crate) struct Translated {
    /// `UNKNOWN` if not translated.
    pub(crate) term: YTerm,
    pub(crate) depth: u32,
    /// The features of the term and its subterms.
    pub(crate) features: Features,
}

/// The cache, for one pool.
#[derive(Default)]
pub(crate) struct Translator {
    /// By term.
    nodes: Vec<Translated>,
    types: FxHashMap<Sort, YType>,
    /// By symbol; `UNKNOWN` if not translated.
    symbols: Vec<YTerm>,
    /// By function symbol; `UNKNOWN` if not translated.
    functions: Vec<YTerm>,
    origins: FxHashMap<YTerm, Origin>,
    /// See [`Constants`]; `None` if this translator shares no constants.
    constants: Option<Constants>,
    pub(crate) arrays: Arrays,
    /// The features of the term under construction, without its children.
    pub(crate) features: Features,
    stack: Vec<Term>,
    arguments: Vec<YTerm>,
}

/// The symbol or function denoted by a constant or function of Yices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A symbol, as a term.
    Symbol(Term),
    Function(FunctionSymbol),
}

/// Constants of Yices by the name and type of their symbol, shared by consecutive translators:
/// otherwise each would create new terms, which are never freed.
pub(crate) type Constants = FxHashMap<(String, YType), YTerm>;

pub(crate) const UNKNOWN: YTerm = -1;
/// For a term of an array sort: its children are translated, but the term has no translation of its
/// own.
pub(crate) const ARRAY: YTerm = -2;

impl Translator {
    /// A translator that reuses `constants` and extends them.
    pub(crate) fn with_constants(constants: Constants) -> Self {
        Translator { constants: Some(constants), ..Translator::default() }
    }

    /// Returns the constants.
    pub(crate) fn into_constants(self) -> Constants {
        self.constants.unwrap_or_default()
    }

    /// The translation of `term`, if it is cached.
    pub(crate) fn known(&self, term: Term) -> Option<YTerm> {
        self.nodes.get(term.index()).map(|node| node.term).filter(|&known| known >= 0)
    }

    /// The translation of `term`, which must be cached or a subterm of a cached term.
    #[inline]
    pub(crate) fn node(&self, term: Term) -> Translated {
        self.nodes[term.index()]
    }

    /// The origin of the constant or function `term` of Yices.
    pub(crate) fn origin(&self, term: YTerm) -> Option<Origin> {
        self.origins.get(&term).copied()
    }

    /// The translation of the symbol, if it occurs in a translated term.
    pub(crate) fn known_symbol(&self, symbol: Symbol) -> Option<YTerm> {
        self.symbols.get(symbol.index()).copied().filter(|&known| known != UNKNOWN)
    }

    /// The translation of the function symbol, if it occurs in a translated term.
    pub(crate) fn known_function(&self, function: FunctionSymbol) -> Option<YTerm> {
        self.functions.get(function.index()).copied().filter(|&known| known != UNKNOWN)
    }

    /// The constants and functions of symbols, functions and arrays in translated terms.
    pub(crate) fn known_constants(&self) -> impl Iterator<Item = YTerm> {
        let known = self.symbols.iter().chain(&self.functions).copied().filter(|&known| known != UNKNOWN);
        known.chain(self.arrays.constants())
    }

    /// Translates `root`. For an array, the result is [`ARRAY`], not a term.
    pub(crate) fn translate(&mut self, api: &Api, pool: &TermPool, root: Term) -> Result<Translated, Reason> {
        if let Some(&known) = self.nodes.get(root.index())
            && known.term != UNKNOWN
        {
            return Ok(known);
        }
        if self.nodes.len() < pool.len() {
            // Grown by doubling: pools grow a little between two calls.
            let length = pool.len().max(2 * self.nodes.len());
            self.nodes.resize(length, Translated { term: UNKNOWN, depth: 0, features: Features::NONE });
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        while let Some(&term) = stack.last() {
            if self.node(term).term != UNKNOWN {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let (mut depth, mut features) = (0, Features::NONE);
            for &child in pool.children(term) {
                let node = self.node(child);
                if node.term == UNKNOWN {
                    stack.push(child);
                } else {
                    depth = depth.max(node.depth + 1);
                    features = features.union(node.features);
                }
            }
            if stack.len() > before {
                continue;
            }
            self.nodes[term.index()].depth = depth;
            self.features = features;
            let built = self.build(api, pool, term)?;
            if built < 0 && built != ARRAY {
                return Err(Reason::Fault(api.error()));
            }
            let node = &mut self.nodes[term.index()];
            node.term = built;
            node.features = self.features;
            stack.pop();
        }
        self.stack = stack;
        Ok(self.node(root))
    }

    pub(crate) fn need(&mut self, features: Features) {
        self.features = self.features.union(features);
    }

    /// Builds one node; its children are translated.
    fn build(&mut self, api: &Api, pool: &TermPool, term: Term) -> Result<YTerm, Reason> {
        let children = pool.children(term);
        let child = |i: usize| self.nodes[children[i].index()].term;
        Ok(match pool.op(term) {
            Op::True => api.tru(),
            Op::False => api.fls(),
            Op::BvConst(_) => {
                self.need(Features::BIT_VECTORS);
                let (width, value) = pool.as_bv(term).expect("a bit-vector constant has a value");
                match u64::try_from(value) {
                    Ok(value) => api.bv_constant(width, value),
                    Err(_) => api.bv_constant_big(width, value),
                }
            }
            Op::IntConst(_) => {
                self.need(Features::INTEGERS);
                let value = pool.as_int(term).expect("an integer constant has a value");
                match i64::try_from(value) {
                    Ok(value) => api.int_constant(value),
                    Err(_) => api.rational_constant(&BigRational::from_integer(value.clone())),
                }
            }
            Op::RealConst(_) => {
                self.need(Features::REALS);
                api.rational_constant(pool.as_real(term).expect("a real constant has a value"))
            }
            Op::Symbol(_) if matches!(pool.sort(term), Sort::Array(_)) => {
                self.need(Features::ARRAY_TERMS);
                ARRAY
            }
            Op::Symbol(symbol) => {
                let ty = self.sort(api, pool, pool.sort(term))?;
                let name = &pool.symbol_data(symbol).name;
                let constant = self.constant(api, name, ty);
                if self.symbols.len() <= symbol.index() {
                    self.symbols.resize(symbol.index() + 1, UNKNOWN);
                }
                self.symbols[symbol.index()] = constant;
                self.origins.insert(constant, Origin::Symbol(term));
                constant
            }
            Op::Not => api.not(child(0)),
            Op::And => {
                let mut list = self.collect(children);
                let built = api.and(&mut list);
                self.arguments = list;
                built
            }
            Op::Or => {
                let mut list = self.collect(children);
                let built = api.or(&mut list);
                self.arguments = list;
                built
            }
            Op::Xor => api.xor(child(0), child(1)),
            Op::Ite => {
                if matches!(pool.sort(term), Sort::Array(_)) {
                    return Ok(ARRAY);
                }
                api.ite(child(0), child(1), child(2))
            }
            Op::Eq => {
                if matches!(pool.sort(children[0]), Sort::Array(_)) {
                    let equation = self.array_equation(api, pool, children[0], children[1]);
                    self.arrays.need(self.features);
                    return equation;
                }
                api.eq(child(0), child(1))
            }
            Op::Apply(function) => {
                if children.iter().any(|&child| matches!(pool.sort(child), Sort::Array(_))) {
                    return Err(Reason::Unsupported("functions of arrays".to_owned()));
                }
                self.need(Features::FUNCTIONS);
                let index = function.index();
                if self.functions.len() <= index {
                    self.functions.resize(index + 1, UNKNOWN);
                }
                if self.functions[index] == UNKNOWN {
                    let (_, domain, range) = pool.function_data(function);
                    let domain = domain
                        .iter()
                        .map(|&sort| self.sort(api, pool, sort))
                        .collect::<Result<Vec<_>, _>>()?;
                    let range = self.sort(api, pool, range)?;
                    let constant = api.new_constant(api.function_type(&domain, range));
                    if constant < 0 {
                        return Err(Reason::Fault(api.error()));
                    }
                    self.functions[index] = constant;
                    self.origins.insert(constant, Origin::Function(function));
                }
                let list = self.collect(children);
                let built = api.apply(self.functions[index], &list);
                self.arguments = list;
                built
            }
            Op::BvNot => api.bv_not(child(0)),
            Op::BvNeg => api.bv_neg(child(0)),
            Op::BvAnd => fold(api, children, &self.nodes, Api::bv_and),
            Op::BvOr => fold(api, children, &self.nodes, Api::bv_or),
            Op::BvXor => fold(api, children, &self.nodes, Api::bv_xor),
            Op::BvAdd => fold(api, children, &self.nodes, Api::bv_add),
            Op::BvSub => api.bv_sub(child(0), child(1)),
            Op::BvMul => fold(api, children, &self.nodes, Api::bv_mul),
            Op::BvUdiv => api.bv_udiv(child(0), child(1)),
            Op::BvUrem => api.bv_urem(child(0), child(1)),
            Op::BvSdiv => api.bv_sdiv(child(0), child(1)),
            Op::BvSrem => api.bv_srem(child(0), child(1)),
            Op::BvShl => api.bv_shl(child(0), child(1)),
            Op::BvLshr => api.bv_lshr(child(0), child(1)),
            Op::BvAshr => api.bv_ashr(child(0), child(1)),
            Op::BvUlt => api.bv_ult(child(0), child(1)),
            Op::BvUle => api.bv_ule(child(0), child(1)),
            Op::BvSlt => api.bv_slt(child(0), child(1)),
            Op::BvSle => api.bv_sle(child(0), child(1)),
            Op::Concat => fold(api, children, &self.nodes, Api::bv_concat),
            Op::Extract { high, low } => api.bv_extract(child(0), low, high),
            Op::ZeroExtend(bits) => api.zero_extend(child(0), bits),
            Op::SignExtend(bits) => api.sign_extend(child(0), bits),
            Op::Add => {
                let mut list = self.collect(children);
                let built = api.sum(&mut list);
                self.arguments = list;
                built
            }
            Op::Sub => api.sub(child(0), child(1)),
            Op::Neg => api.neg(child(0)),
            Op::Mul => {
                if children.iter().filter(|&&factor| !pool.is_constant(factor)).count() > 1 {
                    self.need(Features::NONLINEAR);
                }
                api.mul(self.nodes[children[0].index()].term, self.nodes[children[1].index()].term)
            }
            Op::IntDiv => {
                divisor(pool, children[1])?;
                api.int_div(child(0), child(1))
            }
            Op::IntMod => {
                divisor(pool, children[1])?;
                api.int_mod(child(0), child(1))
            }
            Op::RealDiv => {
                divisor(pool, children[1])?;
                api.real_div(child(0), child(1))
            }
            Op::Le => api.le(child(0), child(1)),
            Op::Lt => api.lt(child(0), child(1)),
            Op::ToReal => child(0),
            Op::ToInt => api.floor(child(0)),
            Op::Select => {
                let read = self.read(api, pool, children[0], children[1]);
                // Needed even after a failure: instances may have been created.
                self.arrays.need(self.features);
                let (read, depth) = read?;
                self.nodes[term.index()].depth = depth;
                read
            }
            Op::Store | Op::ConstArray(_) => {
                self.need(Features::ARRAY_TERMS);
                ARRAY
            }
            Op::Bound(_) | Op::Forall | Op::Exists => {
                return Err(Reason::Unsupported("quantifiers".to_owned()));
            }
            Op::Value(value) => {
                return Err(Reason::Fault(format!(
                    "the formula contains v{value}, which belongs to an IR function"
                )));
            }
            other => return Err(Reason::Unsupported(format!("floating-point arithmetic ({other:?})"))),
        })
    }

    fn constant(&mut self, api: &Api, name: &str, ty: YType) -> YTerm {
        match &mut self.constants {
            Some(known) => *known.entry((name.to_owned(), ty)).or_insert_with(|| api.new_constant(ty)),
            None => api.new_constant(ty),
        }
    }

    fn collect(&mut self, children: &[Term]) -> Vec<YTerm> {
        let mut list = std::mem::take(&mut self.arguments);
        list.clear();
        list.extend(children.iter().map(|child| self.nodes[child.index()].term));
        list
    }

    pub(crate) fn sort(&mut self, api: &Api, pool: &TermPool, sort: Sort) -> Result<YType, Reason> {
        match sort {
            Sort::BitVec(_) => self.need(Features::BIT_VECTORS),
            Sort::Int => self.need(Features::INTEGERS),
            Sort::Real => self.need(Features::REALS),
            Sort::Uninterpreted(_) => self.need(Features::FUNCTIONS),
            _ => {}
        }
        if let Some(&known) = self.types.get(&sort) {
            return Ok(known);
        }
        let ty = match sort {
            Sort::Bool => api.bool_type(),
            Sort::Int => api.int_type(),
            Sort::Real => api.real_type(),
            Sort::BitVec(width) => api.bv_type(width),
            Sort::Array(array) => {
                let (index, element) = pool.array_sort_parts(array);
                let index = self.sort(api, pool, index)?;
                let element = self.sort(api, pool, element)?;
                api.function_type(&[index], element)
            }
            Sort::Uninterpreted(_) => api.new_uninterpreted_type(),
            Sort::Float(..) | Sort::RoundingMode => {
                return Err(Reason::Unsupported("floating-point arithmetic".to_owned()));
            }
        };
        if ty < 0 {
            return Err(Reason::Fault(api.error()));
        }
        self.types.insert(sort, ty);
        Ok(ty)
    }
}

fn fold(api: &Api, children: &[Term], nodes: &[Translated], build: fn(&Api, YTerm, YTerm) -> YTerm) -> YTerm {
    let mut children = children.iter().map(|child| nodes[child.index()].term);
    let first = children.next().expect("an operator of arity at least one");
    children.fold(first, |left, right| build(api, left, right))
}

fn divisor(pool: &TermPool, divisor: Term) -> Result<(), Reason> {
    let is_zero = pool.as_int(divisor).is_some_and(|value| value.sign() == num_bigint::Sign::NoSign)
        || pool.as_real(divisor).is_some_and(|value| value.numer().sign() == num_bigint::Sign::NoSign);
    if pool.is_constant(divisor) && !is_zero {
        Ok(())
    } else {
        Err(Reason::Unsupported("division by a term other than a nonzero constant".to_owned()))
    }
}
