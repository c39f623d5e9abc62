//! Terms of the text form: names of operators, in both directions.

use crate::term::print::write_operator;
use crate::term::{Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

/// An order of operands that does not depend on the pool, in which commutative operators are printed: values, then other terms, then constants.
/// Pools order operands by age, which a reader cannot know.
#[derive(Default)]
pub(super) struct Order {
    /// Hashes of what terms look like.
    hashes: FxHashMap<Term, u64>,
}

impl Order {
    /// The children in the order in which they are printed; `term` was [added](Self::add).
    fn children(&self, pool: &TermPool, term: Term) -> SmallVec<[Term; 4]> {
        let mut children = SmallVec::from_slice(pool.children(term));
        let is_commutative = matches!(
            pool.op(term),
            Op::And | Op::Or | Op::Xor | Op::Eq | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul
        );
        if is_commutative {
            children.sort_by_cached_key(|&child| match pool.op(child) {
                Op::Value(value) => (0, u64::from(value)),
                Op::BvConst(_) | Op::True | Op::False => (2, self.hashes[&child]),
                _ => (1, self.hashes[&child]),
            });
        }
        children
    }

    fn add(&mut self, pool: &TermPool, root: Term) {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.hashes.contains_key(&term) {
                continue;
            }
            if !is_ready {
                stack.push((term, true));
                stack.extend(pool.children(term).iter().map(|&child| (child, false)));
                continue;
            }
            let mut hasher = FxHasher::default();
            match pool.op(term) {
                Op::BvConst(_) => pool.as_bv(term).hash(&mut hasher),
                op => op.hash(&mut hasher),
            }
            for child in self.children(pool, term) {
                self.hashes[&child].hash(&mut hasher);
            }
            self.hashes.insert(term, hasher.finish());
        }
    }
}

enum Piece {
    Text(&'static str),
    Node(Term),
    /// The node even if it has a name.
    Body(Term),
}

/// Prints a term; nodes that occur several times are bound by `let`. Does not recurse.
pub(super) fn print(pool: &TermPool, order: &mut Order, out: &mut String, root: Term) {
    order.add(pool, root);
    let bound = shared(pool, order, root);
    let mut names: FxHashMap<Term, usize> = FxHashMap::default();
    for (index, &term) in bound.iter().enumerate() {
        let _ = write!(out, "(let ((?{index} ");
        node(pool, order, out, &names, term);
        out.push_str(")) ");
        names.insert(term, index);
    }
    node(pool, order, out, &names, root);
    for _ in &bound {
        out.push(')');
    }
}

/// The nodes with children that have several parents, children first.
fn shared(pool: &TermPool, order: &Order, root: Term) -> Vec<Term> {
    if pool.children(root).iter().all(|&child| pool.children(child).is_empty()) {
        return Vec::new();
    }
    let mut parents: FxHashMap<Term, u32> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut postorder = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((term, is_done)) = stack.pop() {
        if is_done {
            postorder.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            for child in order.children(pool, term).into_iter().rev() {
                if !pool.children(child).is_empty() {
                    *parents.entry(child).or_default() += 1;
                    stack.push((child, false));
                }
            }
        }
    }
    postorder.retain(|term| parents.get(term).is_some_and(|&count| count > 1));
    postorder
}

fn node(pool: &TermPool, order: &Order, out: &mut String, names: &FxHashMap<Term, usize>, root: Term) {
    let mut stack = vec![Piece::Body(root)];
    while let Some(piece) = stack.pop() {
        let term = match piece {
            Piece::Text(text) => {
                out.push_str(text);
                continue;
            }
            Piece::Node(term) => match names.get(&term) {
                Some(index) => {
                    let _ = write!(out, "?{index}");
                    continue;
                }
                None => term,
            },
            Piece::Body(term) => term,
        };
        match pool.op(term) {
            Op::Value(value) => {
                let _ = write!(out, "v{value}");
                continue;
            }
            Op::True => {
                out.push_str("true");
                continue;
            }
            Op::False => {
                out.push_str("false");
                continue;
            }
            Op::BvConst(_) => {
                constant(pool, out, term);
                continue;
            }
            // What no program may contain is written all the same, and does not parse.
            op => {
                out.push('(');
                let _ = write_operator(out, pool, op);
            }
        }
        stack.push(Piece::Text(")"));
        for child in order.children(pool, term).into_iter().rev() {
            stack.push(Piece::Node(child));
            stack.push(Piece::Text(" "));
        }
    }
}

fn constant(pool: &TermPool, out: &mut String, term: Term) {
    let Some((width, value)) = pool.as_bv(term) else { return };
    let (prefix, radix, digits) =
        if width % 4 == 0 { ("#x", 16, width as usize / 4) } else { ("#b", 2, width as usize) };
    let text = value.to_str_radix(radix);
    out.push_str(prefix);
    out.extend(std::iter::repeat_n('0', digits.saturating_sub(text.len())));
    out.push_str(&text);
}

/// Applies the operator of that name, if the arguments have sorts that it takes.
///
/// # Errors
/// What is wrong, for people.
pub(super) fn apply(
    pool: &mut TermPool,
    operator: &str,
    indices: &[u32],
    arguments: &[Term],
) -> Result<Term, String> {
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| pool.sort(argument)).collect();
    let widths: Option<Vec<u32>> = sorts
        .iter()
        .map(|sort| match sort {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        })
        .collect();
    let are_bool = sorts.iter().all(|&sort| sort == Sort::Bool);
    let are_equal = sorts.windows(2).all(|pair| pair[0] == pair[1]);
    let fail = |what: &str| Err(format!("`{operator}` takes {what}"));
    match (indices, arguments) {
        ([], &[a]) => match operator {
            "not" if are_bool => Ok(pool.not(a)),
            "not" => fail("a Boolean"),
            "bvnot" | "bvneg" if widths.is_none() => fail("a bit vector"),
            "bvnot" => Ok(pool.bv_not(a)),
            "bvneg" => Ok(pool.bv_neg(a)),
            _ => fail("other arguments, or is unknown"),
        },
        (&[bits], &[a]) => {
            let Some(&[width]) = widths.as_deref() else { return fail("a bit vector") };
            if bits > MAX_WIDTH - width.min(MAX_WIDTH) {
                return fail("a smaller index");
            }
            match operator {
                "zero_extend" => Ok(pool.zero_extend(bits, a)),
                "sign_extend" => Ok(pool.sign_extend(bits, a)),
                _ => fail("other indices, or is unknown"),
            }
        }
        (&[high, low], &[a]) => match widths.as_deref() {
            Some(&[width]) if operator == "extract" && low <= high && high < width => {
                Ok(pool.extract(high, low, a))
            }
            _ => fail("other indices or arguments, or is unknown"),
        },
        ([], &[condition, a, b]) if operator == "ite" => {
            if sorts[0] == Sort::Bool && sorts[1] == sorts[2] {
                Ok(pool.ite(condition, a, b))
            } else {
                fail("a Boolean and two terms of one sort")
            }
        }
        ([], &[a, b]) if operator == "=" && are_equal => Ok(pool.eq(a, b)),
        ([], &[a, b]) if operator == "distinct" && are_equal => Ok(pool.neq(a, b)),
        ([], &[a, b]) if operator == "=>" && are_bool => Ok(pool.implies(a, b)),
        ([], &[first, ref rest @ ..]) if !rest.is_empty() => match operator {
            "and" if are_bool => Ok(pool.and(arguments)),
            "or" if are_bool => Ok(pool.or(arguments)),
            "xor" if are_bool => Ok(rest.iter().fold(first, |a, &b| pool.xor(a, b))),
            "concat" => match widths {
                Some(widths)
                    if widths.iter().map(|&width| u64::from(width)).sum::<u64>() <= u64::from(MAX_WIDTH) =>
                {
                    Ok(rest.iter().fold(first, |a, &b| pool.concat(a, b)))
                }
                _ => fail("bit vectors"),
            },
            _ => {
                let Some(binary) = binary(operator) else {
                    return fail("other arguments, or is unknown");
                };
                if widths.is_none() || !are_equal || (rest.len() > 1 && !is_chainable(operator)) {
                    return fail("two bit vectors of one width");
                }
                Ok(rest.iter().fold(first, |a, &b| binary(pool, a, b)))
            }
        },
        _ => fail("other arguments, or is unknown"),
    }
}

/// Bits that a bit vector of the text form has at most.
pub(super) const MAX_WIDTH: u32 = 1 << 20;

fn is_chainable(operator: &str) -> bool {
    matches!(operator, "bvand" | "bvor" | "bvxor" | "bvadd" | "bvmul")
}

type Binary = fn(&mut TermPool, Term, Term) -> Term;

fn binary(operator: &str) -> Option<Binary> {
    let binary: Binary = match operator {
        "bvand" => TermPool::bv_and,
        "bvor" => TermPool::bv_or,
        "bvxor" => TermPool::bv_xor,
        "bvadd" => TermPool::bv_add,
        "bvsub" => TermPool::bv_sub,
        "bvmul" => TermPool::bv_mul,
        "bvudiv" => TermPool::bv_udiv,
        "bvurem" => TermPool::bv_urem,
        "bvsdiv" => TermPool::bv_sdiv,
        "bvsrem" => TermPool::bv_srem,
        "bvshl" => TermPool::bv_shl,
        "bvlshr" => TermPool::bv_lshr,
        "bvashr" => TermPool::bv_ashr,
        "bvult" => TermPool::bv_ult,
        "bvule" => TermPool::bv_ule,
        "bvslt" => TermPool::bv_slt,
        "bvsle" => TermPool::bv_sle,
        "bvugt" => |pool, a, b| pool.bv_ult(b, a),
        "bvuge" => |pool, a, b| pool.bv_ule(b, a),
        "bvsgt" => |pool, a, b| pool.bv_slt(b, a),
        "bvsge" => |pool, a, b| pool.bv_sle(b, a),
        _ => return None,
    };
    Some(binary)
}
