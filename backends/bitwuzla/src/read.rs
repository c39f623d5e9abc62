//! Reads terms of Bitwuzla as terms of a pool.
//!
//! The traversal is iterative and reads each distinct term once. Terms are built through
//! [`TermPool::build`](terms::TermPool::build), which checks sorts, so an ill-sorted answer becomes
//! a [`Reason`], not a panic. A symbol that the translator does not know is
//! [`Reason::Unsupported`].

use crate::ffi::{Node, TypeOf};
use crate::translate::{PLAIN, Translator};
use crate::value;
use backends::Reason;
use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// Returns `root` as a term.
pub(crate) fn read(translator: &Translator, pool: &mut TermPool, root: Node) -> Result<Term, Reason> {
    let session = translator.session();
    let mut known: FxHashMap<u64, Term> = FxHashMap::default();
    let mut stack = vec![root];
    let mut children = Vec::new();
    while let Some(&node) = stack.last() {
        if known.contains_key(&session.id(node)) {
            stack.pop();
            continue;
        }
        if let Some(leaf) = leaf(translator, pool, node)? {
            known.insert(session.id(node), leaf);
            continue;
        }
        let kind = translator.kind(node);
        children.clear();
        let before = stack.len();
        // The first child of an application is its function.
        for index in usize::from(kind == "APPLY")..session.arity(node) {
            let child = session.child(node, index)?;
            match known.get(&session.id(child)) {
                Some(&term) => children.push(term),
                None => stack.push(child),
            }
        }
        if stack.len() == before {
            let term = application(translator, pool, node, kind, &children)?;
            known.insert(session.id(node), term);
        }
    }
    Ok(known[&session.id(root)])
}

fn odd(translator: &Translator, node: Node) -> Reason {
    Reason::Unsupported(format!("an answer of Bitwuzla contains {}", translator.session().show(node)))
}

fn build(pool: &mut TermPool, op: Op, children: &[Term]) -> Result<Term, Reason> {
    pool.build(op, children).map_err(|error| Reason::Fault(format!("ill-sorted answer: {error}")))
}

fn leaf(translator: &Translator, pool: &mut TermPool, node: Node) -> Result<Option<Term>, Reason> {
    if let Some(known) = translator.leaf_of(node) {
        return Ok(Some(known));
    }
    if translator.kind(node) != "VALUE" {
        return if translator.session().arity(node) == 0 { Err(odd(translator, node)) } else { Ok(None) };
    }
    let narrow = |size: u64| u16::try_from(size).map_err(|_| odd(translator, node));
    let sort = match translator.session().sort_of(node) {
        TypeOf::Boolean => Sort::Bool,
        TypeOf::Bits(width) => Sort::BitVec(u32::try_from(width).map_err(|_| odd(translator, node))?),
        TypeOf::Float(exponent, significand) => Sort::Float(narrow(exponent)?, narrow(significand)?),
        TypeOf::Mode => Sort::RoundingMode,
        TypeOf::Other => return Err(odd(translator, node)),
    };
    let value = value::read(translator, pool, node, sort)?;
    value.to_term(pool, sort).map(Some).ok_or_else(|| odd(translator, node))
}

fn application(
    translator: &Translator,
    pool: &mut TermPool,
    node: Node,
    kind: &str,
    children: &[Term],
) -> Result<Term, Reason> {
    let session = translator.session();
    let indices = session.indices(node);
    let index = |position: usize| -> Result<u32, Reason> {
        let found = indices.get(position).and_then(|&index| u32::try_from(index).ok());
        found.ok_or_else(|| odd(translator, node))
    };
    let narrow = |position: usize| -> Result<u16, Reason> {
        u16::try_from(index(position)?).map_err(|_| odd(translator, node))
    };
    let width = |pool: &TermPool, term: Term| match pool.sort(term) {
        Sort::BitVec(width) => Ok(width),
        _ => Err(odd(translator, node)),
    };
    match (kind, children) {
        ("APPLY", _) => {
            let function = session.child(node, 0)?;
            let function = translator.function_of(function).ok_or_else(|| odd(translator, node))?;
            build(pool, Op::Apply(function), children)
        }
        ("IFF", &[a, b]) => build(pool, Op::Eq, &[a, b]),
        ("IMPLIES", &[a, b]) => {
            let negated = build(pool, Op::Not, &[a])?;
            build(pool, Op::Or, &[negated, b])
        }
        ("DISTINCT", &[a, b]) => {
            let equation = build(pool, Op::Eq, &[a, b])?;
            build(pool, Op::Not, &[equation])
        }
        ("BV_UGT", &[a, b]) => build(pool, Op::BvUlt, &[b, a]),
        ("BV_UGE", &[a, b]) => build(pool, Op::BvUle, &[b, a]),
        ("BV_SGT", &[a, b]) => build(pool, Op::BvSlt, &[b, a]),
        ("BV_SGE", &[a, b]) => build(pool, Op::BvSle, &[b, a]),
        ("FP_GEQ", &[a, b]) => build(pool, Op::FpLe, &[b, a]),
        ("FP_GT", &[a, b]) => build(pool, Op::FpLt, &[b, a]),
        ("BV_NAND", _) => negated(pool, Op::BvAnd, children),
        ("BV_NOR", _) => negated(pool, Op::BvOr, children),
        ("BV_XNOR", _) => negated(pool, Op::BvXor, children),
        ("BV_COMP", &[a, b]) => {
            let equation = build(pool, Op::Eq, &[a, b])?;
            bit(pool, equation)
        }
        ("BV_REDOR", &[a]) => {
            let zero = pool.bv(width(pool, a)?, 0);
            let equation = build(pool, Op::Eq, &[a, zero])?;
            let condition = build(pool, Op::Not, &[equation])?;
            bit(pool, condition)
        }
        ("BV_REDAND", &[a]) => {
            let zero = pool.bv(width(pool, a)?, 0);
            let ones = build(pool, Op::BvNot, &[zero])?;
            let equation = build(pool, Op::Eq, &[a, ones])?;
            bit(pool, equation)
        }
        ("BV_INC" | "BV_DEC", &[a]) => {
            let one = pool.bv(width(pool, a)?, 1);
            build(pool, if kind == "BV_INC" { Op::BvAdd } else { Op::BvSub }, &[a, one])
        }
        ("BV_REPEAT", &[a]) => {
            let mut repeated = a;
            for _ in 1..index(0)? {
                repeated = build(pool, Op::Concat, &[repeated, a])?;
            }
            Ok(repeated)
        }
        ("BV_EXTRACT", _) => build(pool, Op::Extract { high: index(0)?, low: index(1)? }, children),
        ("BV_ZERO_EXTEND" | "BV_SIGN_EXTEND", &[a]) if index(0)? == 0 => Ok(a),
        ("BV_ZERO_EXTEND", _) => build(pool, Op::ZeroExtend(index(0)?), children),
        ("BV_SIGN_EXTEND", _) => build(pool, Op::SignExtend(index(0)?), children),
        ("FP_TO_UBV", _) => build(pool, Op::FpToUnsigned(index(0)?), children),
        ("FP_TO_SBV", _) => build(pool, Op::FpToSigned(index(0)?), children),
        ("FP_TO_FP_FROM_BV", _) => {
            build(pool, Op::FpFromBits { exponent: narrow(0)?, significand: narrow(1)? }, children)
        }
        ("FP_TO_FP_FROM_FP", _) => {
            build(pool, Op::FpFromFloat { exponent: narrow(0)?, significand: narrow(1)? }, children)
        }
        ("FP_TO_FP_FROM_SBV", _) => {
            build(pool, Op::FpFromSigned { exponent: narrow(0)?, significand: narrow(1)? }, children)
        }
        ("FP_TO_FP_FROM_UBV", _) => {
            build(pool, Op::FpFromUnsigned { exponent: narrow(0)?, significand: narrow(1)? }, children)
        }
        ("FP_FP", &[sign, exponent, fraction]) => {
            let size = |width: u32| u16::try_from(width).map_err(|_| odd(translator, node));
            let format = (size(width(pool, exponent)?)?, size(width(pool, fraction)? + 1)?);
            let bits = build(pool, Op::Concat, &[sign, exponent])?;
            let bits = build(pool, Op::Concat, &[bits, fraction])?;
            build(pool, Op::FpFromBits { exponent: format.0, significand: format.1 }, &[bits])
        }
        _ => {
            let op = PLAIN.iter().find(|(_, known)| *known == kind).map(|&(op, _)| op);
            let op = op.ok_or_else(|| odd(translator, node))?;
            let is_pair = matches!(op, Op::Eq | Op::Concat | Op::Xor | Op::BvSub);
            if !is_pair || children.len() == 2 {
                build(pool, op, children)
            } else {
                Err(odd(translator, node))
            }
        }
    }
}

fn negated(pool: &mut TermPool, op: Op, children: &[Term]) -> Result<Term, Reason> {
    let term = build(pool, op, children)?;
    build(pool, Op::BvNot, &[term])
}

/// The truth value as a bit.
fn bit(pool: &mut TermPool, condition: Term) -> Result<Term, Reason> {
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    build(pool, Op::Ite, &[condition, one, zero])
}
