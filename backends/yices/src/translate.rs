//! Terms to Yices terms.
//!
//! One pass over the DAG with an explicit stack, each node once; the result is cached in a table indexed by [`Term`].
//! Along with a Yices term goes its depth, from which the stack for Yices' own recursion is sized.
//!
//! Arrays are eliminated where they are only read, see [`arrays`](crate::arrays); where they are compared they are functions
//! of one argument, see there as well.
//!
//! Limits: no floats, no quantifiers, multiplication by constants only, division by constants other than zero only.

use crate::arrays::Arrays;
use crate::ffi::{Api, YTerm, YType};
use backends::Reason;
use ir::entity::Entity;
use ir::term::{FunctionSymbol, Op, Sort, Symbol, Term, TermPool};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

/// The theories that the formulas need; decides the solver architecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features {
    pub(crate) bit_vectors: bool,
    pub(crate) integers: bool,
    pub(crate) reals: bool,
    /// Functions, and arrays that are only read.
    pub(crate) functions: bool,
    /// Updates, equations and choices of arrays.
    pub(crate) arrays: bool,
}

/// The cache, for one pool.
#[derive(Default)]
pub(crate) struct Translator {
    /// By term; `UNKNOWN` if not translated.
    pub(crate) terms: Vec<YTerm>,
    pub(crate) depths: Vec<u32>,
    types: FxHashMap<Sort, YType>,
    /// By symbol; `UNKNOWN` if not translated.
    symbols: Vec<YTerm>,
    /// By function symbol; `UNKNOWN` if not translated.
    functions: Vec<YTerm>,
    pub(crate) arrays: Arrays,
    pub(crate) features: Features,
    stack: Vec<Term>,
    arguments: Vec<YTerm>,
}

pub(crate) const UNKNOWN: YTerm = -1;
/// For a term of an array sort: whatever it depends on is translated, itself it has no translation.
pub(crate) const ARRAY: YTerm = -2;

impl Translator {
    /// What the translated terms need.
    pub(crate) fn features(&self) -> Features {
        self.features
    }

    /// The translation of `term`, if it was made before.
    pub(crate) fn known(&self, term: Term) -> Option<YTerm> {
        self.terms.get(term.index()).copied().filter(|&known| known >= 0)
    }

    /// The translation of the symbol, if it occurs in anything translated.
    pub(crate) fn known_symbol(&self, symbol: Symbol) -> Option<YTerm> {
        self.symbols.get(symbol.index()).copied().filter(|&known| known != UNKNOWN)
    }

    /// The translation of the function symbol, if it occurs in anything translated.
    pub(crate) fn known_function(&self, function: FunctionSymbol) -> Option<YTerm> {
        self.functions.get(function.index()).copied().filter(|&known| known != UNKNOWN)
    }

    /// The depth of a translated term.
    pub(crate) fn depth(&self, term: Term) -> u32 {
        self.depths.get(term.index()).copied().unwrap_or(0)
    }

    /// Translates `root`.
    pub(crate) fn translate(&mut self, api: &Api, pool: &TermPool, root: Term) -> Result<YTerm, Reason> {
        if let Some(known) = self.known(root) {
            return Ok(known);
        }
        if self.terms.len() < pool.len() {
            // Grown by doubling: pools grow a little between two calls.
            let length = pool.len().max(2 * self.terms.len());
            self.terms.resize(length, UNKNOWN);
            self.depths.resize(length, 0);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        while let Some(&term) = stack.last() {
            if self.terms[term.index()] != UNKNOWN {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut depth = 0;
            for &child in pool.children(term) {
                if self.terms[child.index()] == UNKNOWN {
                    stack.push(child);
                } else {
                    depth = depth.max(self.depths[child.index()] + 1);
                }
            }
            if stack.len() > before {
                continue;
            }
            self.depths[term.index()] = depth;
            let built = self.build(api, pool, term)?;
            if built < 0 && built != ARRAY {
                return Err(Reason::Fault(api.error()));
            }
            self.terms[term.index()] = built;
            stack.pop();
        }
        self.stack = stack;
        Ok(self.terms[root.index()])
    }

    /// Builds one node; its children are translated.
    fn build(&mut self, api: &Api, pool: &TermPool, term: Term) -> Result<YTerm, Reason> {
        let children = pool.children(term);
        let child = |i: usize| self.terms[children[i].index()];
        Ok(match pool.op(term) {
            Op::True => api.tru(),
            Op::False => api.fls(),
            Op::BvConst(_) => {
                self.features.bit_vectors = true;
                let (width, value) = pool.as_bv(term).expect("a bit-vector constant has a value");
                match u64::try_from(value) {
                    Ok(value) => api.bv_constant(width, value),
                    Err(_) => api.bv_constant_big(width, value),
                }
            }
            Op::IntConst(_) => {
                self.features.integers = true;
                let value = pool.as_int(term).expect("an integer constant has a value");
                match i64::try_from(value) {
                    Ok(value) => api.int_constant(value),
                    Err(_) => api.rational_constant(&BigRational::from_integer(value.clone())),
                }
            }
            Op::RealConst(_) => {
                self.features.reals = true;
                api.rational_constant(pool.as_real(term).expect("a real constant has a value"))
            }
            Op::Symbol(_) if matches!(pool.sort(term), Sort::Array(_)) => ARRAY,
            Op::Symbol(symbol) => {
                let ty = self.sort(api, pool, pool.sort(term))?;
                let constant = api.new_constant(ty);
                if self.symbols.len() <= symbol.index() {
                    self.symbols.resize(symbol.index() + 1, UNKNOWN);
                }
                self.symbols[symbol.index()] = constant;
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
                    return self.array_equation(api, pool, children[0], children[1]);
                }
                api.eq(child(0), child(1))
            }
            Op::Apply(function) => {
                if children.iter().any(|&child| matches!(pool.sort(child), Sort::Array(_))) {
                    return Err(Reason::Unsupported("functions of arrays".to_owned()));
                }
                self.features.functions = true;
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
                }
                let list = self.collect(children);
                let built = api.apply(self.functions[index], &list);
                self.arguments = list;
                built
            }
            Op::BvNot => api.bv_not(child(0)),
            Op::BvNeg => api.bv_neg(child(0)),
            Op::BvAnd => fold(api, children, &self.terms, Api::bv_and),
            Op::BvOr => fold(api, children, &self.terms, Api::bv_or),
            Op::BvXor => fold(api, children, &self.terms, Api::bv_xor),
            Op::BvAdd => fold(api, children, &self.terms, Api::bv_add),
            Op::BvSub => api.bv_sub(child(0), child(1)),
            Op::BvMul => fold(api, children, &self.terms, Api::bv_mul),
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
            Op::Concat => fold(api, children, &self.terms, Api::bv_concat),
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
                if !(pool.is_constant(children[0]) || pool.is_constant(children[1])) || children.len() != 2 {
                    return Err(Reason::Unsupported("multiplication of two variables".to_owned()));
                }
                api.mul(child(0), child(1))
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
                let (read, depth) = self.read(api, pool, children[0], children[1])?;
                self.depths[term.index()] = depth;
                read
            }
            Op::Store | Op::ConstArray(_) => ARRAY,
            Op::FloatConst(_) => return Err(Reason::Unsupported("floating-point arithmetic".to_owned())),
            Op::Bound(_) | Op::Forall | Op::Exists => {
                return Err(Reason::Unsupported("quantifiers".to_owned()));
            }
            Op::Value(value) => {
                return Err(Reason::Fault(format!(
                    "the formula contains v{value}, which belongs to an IR function"
                )));
            }
            #[allow(unreachable_patterns, reason = "operators that the term language may gain")]
            other => return Err(Reason::Unsupported(format!("the operator {other:?}"))),
        })
    }

    fn collect(&mut self, children: &[Term]) -> Vec<YTerm> {
        let mut list = std::mem::take(&mut self.arguments);
        list.clear();
        list.extend(children.iter().map(|child| self.terms[child.index()]));
        list
    }

    pub(crate) fn sort(&mut self, api: &Api, pool: &TermPool, sort: Sort) -> Result<YType, Reason> {
        match sort {
            Sort::BitVec(_) => self.features.bit_vectors = true,
            Sort::Int => self.features.integers = true,
            Sort::Real => self.features.reals = true,
            Sort::Uninterpreted(_) => self.features.functions = true,
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

fn fold(api: &Api, children: &[Term], terms: &[YTerm], build: fn(&Api, YTerm, YTerm) -> YTerm) -> YTerm {
    let mut children = children.iter().map(|child| terms[child.index()]);
    let first = children.next().expect("an operator of arity at least one");
    children.fold(first, |left, right| build(api, left, right))
}

fn divisor(pool: &TermPool, divisor: Term) -> Result<(), Reason> {
    let is_zero = pool.as_int(divisor).is_some_and(|value| value.sign() == num_bigint::Sign::NoSign)
        || pool.as_real(divisor).is_some_and(|value| value.numer().sign() == num_bigint::Sign::NoSign);
    if pool.is_constant(divisor) && !is_zero {
        Ok(())
    } else {
        Err(Reason::Unsupported("division by something other than a non-zero constant".to_owned()))
    }
}
