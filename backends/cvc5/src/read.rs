//! Reads terms of cvc5 as terms of a pool.
//!
//! The traversal is iterative and reads each distinct node once. Terms are built through
//! [`TermPool::build`](terms::TermPool::build), which checks sorts, so an ill-sorted answer becomes
//! a [`Reason`], not a panic. The translator knows the symbols and functions; an unknown one (a
//! skolem) is [`Reason::Unsupported`].

use crate::ffi::{Kind, Manager, Node, Owned};
use crate::translate::{PLAIN, Translator};
use crate::value;
use backends::Reason;
use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use terms::{FunctionSymbol, Op, Sort, Term, TermPool};

/// The terms that were read.
#[derive(Default)]
pub(crate) struct Reader {
    known: FxHashMap<Node, Term>,
}

/// The context of a read: the manager of the nodes, and the translator for the pool.
struct Source<'a> {
    manager: &'a Manager,
    translator: &'a Translator,
}

impl Reader {
    /// `root` as a term.
    pub(crate) fn read(
        &mut self,
        manager: &Manager,
        translator: &Translator,
        pool: &mut TermPool,
        root: Node,
    ) -> Result<Term, Reason> {
        let source = Source { manager, translator };
        let mut stack = vec![manager.copy(root)];
        // The nodes that are keys of `known` must stay alive.
        let mut kept: Vec<Owned<'_>> = Vec::new();
        let mut children = Vec::new();
        while let Some(top) = stack.last() {
            let node = top.node();
            if self.known.contains_key(&node) {
                kept.extend(stack.pop());
                continue;
            }
            if let Some(leaf) = source.leaf(pool, node)? {
                self.known.insert(node, leaf);
                continue;
            }
            let kind = manager.kind(node);
            children.clear();
            let before = stack.len();
            // The first child of an application is its function.
            for index in usize::from(kind == Kind::ApplyUf)..manager.arity(node) {
                let child = manager.child(node, index)?;
                match self.known.get(&child.node()) {
                    Some(&known) => children.push(known),
                    None => stack.push(child),
                }
            }
            if stack.len() == before {
                let term = source.application(pool, node, kind, &children)?;
                self.known.insert(node, term);
            }
        }
        for node in kept {
            node.keep();
        }
        Ok(self.known[&root])
    }
}

/// An application. cvc5 writes integers in place of reals in some positions, for instance among the
/// summands of a real sum.
fn build(pool: &mut TermPool, op: Op, children: &[Term]) -> Result<Term, Reason> {
    let has = |sort| children.iter().any(|&child| pool.sort(child) == sort);
    let is_arithmetic = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Le | Op::Lt | Op::Eq | Op::Ite);
    if is_arithmetic && has(Sort::Real) && has(Sort::Int) {
        let to_real = |&child: &Term| if pool.sort(child) == Sort::Int { pool.to_real(child) } else { child };
        let reals: Vec<Term> = children.iter().map(to_real).collect();
        return pool.build(op, &reals).map_err(|error| Reason::Fault(format!("ill-sorted answer: {error}")));
    }
    pool.build(op, children).map_err(|error| Reason::Fault(format!("ill-sorted answer: {error}")))
}

impl Source<'_> {
    fn odd(&self, node: Node) -> Reason {
        let kind = self.manager.kind(node);
        Reason::Unsupported(format!("{kind:?} in an answer of cvc5: {}", self.manager.show(node)))
    }

    fn leaf(&self, pool: &mut TermPool, node: Node) -> Result<Option<Term>, Reason> {
        if let Some(known) = self.translator.leaf_of(node) {
            return Ok(Some(known));
        }
        let sort = match self.manager.kind(node) {
            Kind::ConstBoolean => Sort::Bool,
            Kind::ConstInteger => Sort::Int,
            Kind::ConstRational => Sort::Real,
            Kind::ConstRoundingmode => Sort::RoundingMode,
            Kind::ConstBitvector => {
                let text = self.manager.bit_vector_value(node).ok_or_else(|| self.odd(node))?;
                let width = self.manager.width(node)?;
                let bits = BigUint::parse_bytes(text.as_bytes(), 16).ok_or_else(|| self.odd(node))?;
                return Ok(Some(pool.bv_big(width, &bits.into())));
            }
            Kind::ConstFloatingpoint => {
                let (exponent, significand, _) =
                    self.manager.float_value_of(node).ok_or_else(|| self.odd(node))?;
                let (Ok(exponent), Ok(significand)) = (u16::try_from(exponent), u16::try_from(significand))
                else {
                    return Err(self.odd(node));
                };
                Sort::Float(exponent, significand)
            }
            _ if self.manager.arity(node) == 0 => return Err(self.odd(node)),
            _ => return Ok(None),
        };
        let value = value::read(self.manager, pool, node, sort)?;
        value.to_term(pool, sort).map(Some).ok_or_else(|| self.odd(node))
    }

    fn application(
        &self,
        pool: &mut TermPool,
        node: Node,
        kind: Kind,
        children: &[Term],
    ) -> Result<Term, Reason> {
        let index = |position: usize| -> Result<u32, Reason> {
            self.manager.indices(node)?.get(position).copied().ok_or_else(|| self.odd(node))
        };
        let format = || -> Result<(u16, u16), Reason> {
            let narrow = |bits: u32| u16::try_from(bits).map_err(|_| self.odd(node));
            Ok((narrow(index(0)?)?, narrow(index(1)?)?))
        };
        match (kind, children) {
            (Kind::ApplyUf, _) => build(pool, Op::Apply(self.function(node)?), children),
            (Kind::Geq, &[a, b]) => build(pool, Op::Le, &[b, a]),
            (Kind::Gt, &[a, b]) => build(pool, Op::Lt, &[b, a]),
            (Kind::Equal | Kind::Leq | Kind::Lt | Kind::Geq | Kind::Gt, &[_, _, _, ..]) => {
                let op = match kind {
                    Kind::Equal => Op::Eq,
                    Kind::Leq | Kind::Geq => Op::Le,
                    _ => Op::Lt,
                };
                let is_swapped = matches!(kind, Kind::Geq | Kind::Gt);
                let links: Result<Vec<Term>, Reason> = children
                    .windows(2)
                    .map(|pair| {
                        let pair = if is_swapped { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                        build(pool, op, &pair)
                    })
                    .collect();
                build(pool, Op::And, &links?)
            }
            (Kind::Distinct, _) => {
                let mut differences = Vec::new();
                for (position, &a) in children.iter().enumerate() {
                    for &b in &children[position + 1..] {
                        let equation = build(pool, Op::Eq, &[a, b])?;
                        differences.push(pool.not(equation));
                    }
                }
                build(pool, Op::And, &differences)
            }
            (Kind::Implies, &[.., last]) => {
                let mut formula = last;
                for &premise in children[..children.len() - 1].iter().rev() {
                    let negated = build(pool, Op::Not, &[premise])?;
                    formula = build(pool, Op::Or, &[negated, formula])?;
                }
                Ok(formula)
            }
            (
                Kind::Xor
                | Kind::Sub
                | Kind::Mult
                | Kind::Division
                | Kind::IntsDivision
                | Kind::BitvectorSub
                | Kind::BitvectorConcat,
                &[_, _, _, ..],
            ) => {
                let op = self.plain(kind, node)?;
                let mut term = children[0];
                for &next in &children[1..] {
                    term = build(pool, op, &[term, next])?;
                }
                Ok(term)
            }
            (Kind::DivisionTotal, &[a, b]) => self.total(pool, node, Op::RealDiv, a, b),
            (Kind::IntsDivisionTotal, &[a, b]) => self.total(pool, node, Op::IntDiv, a, b),
            (Kind::IntsModulusTotal, &[a, b]) => self.total(pool, node, Op::IntMod, a, b),
            (Kind::Divisible, &[a]) => {
                let divisor = pool.int(i64::from(index(0)?));
                let remainder = self.total(pool, node, Op::IntMod, a, divisor)?;
                let zero = pool.int(0);
                build(pool, Op::Eq, &[remainder, zero])
            }
            (Kind::Abs, &[a]) => {
                let zero = match pool.sort(a) {
                    Sort::Int => pool.int(0),
                    _ => pool.real(&Zero::zero()),
                };
                let (is_negative, negated) = (build(pool, Op::Lt, &[a, zero])?, build(pool, Op::Neg, &[a])?);
                build(pool, Op::Ite, &[is_negative, negated, a])
            }
            (Kind::IsInteger, &[a]) => {
                let floor = build(pool, Op::ToInt, &[a])?;
                let back = build(pool, Op::ToReal, &[floor])?;
                build(pool, Op::Eq, &[back, a])
            }
            (Kind::BitvectorUgt, &[a, b]) => build(pool, Op::BvUlt, &[b, a]),
            (Kind::BitvectorUge, &[a, b]) => build(pool, Op::BvUle, &[b, a]),
            (Kind::BitvectorSgt, &[a, b]) => build(pool, Op::BvSlt, &[b, a]),
            (Kind::BitvectorSge, &[a, b]) => build(pool, Op::BvSle, &[b, a]),
            (Kind::BitvectorNand, _) => negated(pool, Op::BvAnd, children),
            (Kind::BitvectorNor, _) => negated(pool, Op::BvOr, children),
            (Kind::BitvectorXnor, _) => negated(pool, Op::BvXor, children),
            (Kind::BitvectorComp, &[a, b]) => bit(pool, Op::Eq, &[a, b]),
            (Kind::BitvectorUltbv, &[a, b]) => bit(pool, Op::BvUlt, &[a, b]),
            (Kind::BitvectorSltbv, &[a, b]) => bit(pool, Op::BvSlt, &[a, b]),
            (Kind::BitvectorIte, &[condition, then, otherwise]) => {
                let one = pool.bv(1, 1);
                let condition = build(pool, Op::Eq, &[condition, one])?;
                build(pool, Op::Ite, &[condition, then, otherwise])
            }
            (Kind::BitvectorBit, &[a]) => {
                let position = index(0)?;
                let picked = build(pool, Op::Extract { high: position, low: position }, &[a])?;
                let one = pool.bv(1, 1);
                build(pool, Op::Eq, &[picked, one])
            }
            (Kind::BitvectorRepeat, &[a]) => {
                let mut repeated = a;
                for _ in 1..index(0)? {
                    repeated = build(pool, Op::Concat, &[repeated, a])?;
                }
                Ok(repeated)
            }
            (Kind::BitvectorExtract, _) => {
                build(pool, Op::Extract { high: index(0)?, low: index(1)? }, children)
            }
            (Kind::BitvectorZeroExtend, &[a]) if index(0)? == 0 => Ok(a),
            (Kind::BitvectorSignExtend, &[a]) if index(0)? == 0 => Ok(a),
            (Kind::BitvectorZeroExtend, _) => build(pool, Op::ZeroExtend(index(0)?), children),
            (Kind::BitvectorSignExtend, _) => build(pool, Op::SignExtend(index(0)?), children),
            (Kind::FloatingpointGeq, &[a, b]) => build(pool, Op::FpLe, &[b, a]),
            (Kind::FloatingpointGt, &[a, b]) => build(pool, Op::FpLt, &[b, a]),
            (Kind::FloatingpointFp, &[sign, exponent, significand]) => {
                let width = |pool: &TermPool, term| match pool.sort(term) {
                    Sort::BitVec(width) => u16::try_from(width).map_err(|_| self.odd(node)),
                    _ => Err(self.odd(node)),
                };
                let format = (width(pool, exponent)?, width(pool, significand)? + 1);
                let bits = build(pool, Op::Concat, &[sign, exponent])?;
                let bits = build(pool, Op::Concat, &[bits, significand])?;
                build(pool, Op::FpFromBits { exponent: format.0, significand: format.1 }, &[bits])
            }
            (Kind::FloatingpointToFpFromIeeeBv, _) => {
                let (exponent, significand) = format()?;
                build(pool, Op::FpFromBits { exponent, significand }, children)
            }
            (Kind::FloatingpointToFpFromFp, _) => {
                let (exponent, significand) = format()?;
                build(pool, Op::FpFromFloat { exponent, significand }, children)
            }
            (Kind::FloatingpointToFpFromReal, _) => {
                let (exponent, significand) = format()?;
                build(pool, Op::FpFromReal { exponent, significand }, children)
            }
            (Kind::FloatingpointToFpFromSbv, _) => {
                let (exponent, significand) = format()?;
                build(pool, Op::FpFromSigned { exponent, significand }, children)
            }
            (Kind::FloatingpointToFpFromUbv, _) => {
                let (exponent, significand) = format()?;
                build(pool, Op::FpFromUnsigned { exponent, significand }, children)
            }
            (Kind::FloatingpointToUbv, _) => build(pool, Op::FpToUnsigned(index(0)?), children),
            (Kind::FloatingpointToSbv, _) => build(pool, Op::FpToSigned(index(0)?), children),
            _ => {
                let op = self.plain(kind, node)?;
                build(pool, op, children)
            }
        }
    }

    fn plain(&self, kind: Kind, node: Node) -> Result<Op, Reason> {
        PLAIN.iter().find(|(_, known)| *known == kind).map(|&(op, _)| op).ok_or_else(|| self.odd(node))
    }

    fn function(&self, node: Node) -> Result<FunctionSymbol, Reason> {
        let function = self.manager.child(node, 0)?;
        self.translator.function_of(function.node()).ok_or_else(|| self.odd(node))
    }

    /// A total division of cvc5, which yields 0 (or the dividend) for divisor 0 and agrees with
    /// SMT-LIB's only for other divisors.
    fn total(&self, pool: &mut TermPool, node: Node, op: Op, a: Term, b: Term) -> Result<Term, Reason> {
        let is_zero = pool.as_int(b).is_some_and(Zero::is_zero) || pool.as_real(b).is_some_and(Zero::is_zero);
        if is_zero || !pool.is_constant(b) {
            return Err(self.odd(node));
        }
        build(pool, op, &[a, b])
    }
}

fn negated(pool: &mut TermPool, op: Op, children: &[Term]) -> Result<Term, Reason> {
    let term = build(pool, op, children)?;
    build(pool, Op::BvNot, &[term])
}

/// The truth value as a bit.
fn bit(pool: &mut TermPool, op: Op, children: &[Term]) -> Result<Term, Reason> {
    let condition = build(pool, op, children)?;
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    build(pool, Op::Ite, &[condition, one, zero])
}
