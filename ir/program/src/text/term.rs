//! Terms of the text form, in both directions.

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;
use std::fmt::Write;
use std::hash::{Hash, Hasher};
use terms::signature::sort_of;
use terms::{Op, Sort, Term, TermPool, operators, print};

/// An order of the operands of commutative operators in the text, independent of the pool: values,
/// then other terms, then constants. A pool orders operands by age, which the text does not show.
#[derive(Default)]
pub(super) struct Order {
    /// Structural hashes of terms.
    hashes: FxHashMap<Term, u64>,
}

impl Order {
    /// The children in printing order; `term` must have been [added](Self::add).
    fn children(&self, pool: &TermPool, term: Term) -> SmallVec<[Term; 4]> {
        let mut children = SmallVec::from_slice(pool.children(term));
        let is_commutative = matches!(
            pool.op(term),
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Eq
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::FpAdd
                | Op::FpMul
                | Op::FpFma
                | Op::FpEq
        );
        if is_commutative {
            // The operands of a float sum or product follow a rounding mode; those of a fused
            // multiplication precede a summand.
            let operands = match pool.op(term) {
                Op::FpAdd | Op::FpMul | Op::FpFma => 1..3,
                _ => 0..children.len(),
            };
            children[operands].sort_by_cached_key(|&child| match pool.op(child) {
                Op::Value(value) => (0, u64::from(value)),
                Op::BvConst(_) | Op::FloatConst(_) | Op::True | Op::False => (2, self.hashes[&child]),
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
                Op::FloatConst(_) => (pool.sort(term), pool.as_float_bits(term)).hash(&mut hasher),
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
    /// The node itself, even if it has a name.
    Body(Term),
}

/// Prints a term; nodes with several occurrences are bound by `let`. Does not recurse.
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
            Op::FloatConst(_) => {
                if let (Sort::Float(exponent, significand), Some(bits)) =
                    (pool.sort(term), pool.as_float_bits(term))
                {
                    let _ = print::float(out, exponent, significand, bits);
                }
                continue;
            }
            Op::RoundingMode(mode) => {
                out.push_str(mode.name());
                continue;
            }
            // Operators that no program may contain are printed as well, but do not parse.
            op => {
                out.push('(');
                let _ = operators::write(out, pool, op);
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

/// Applies the named operator, after checking the sorts of the arguments.
///
/// # Errors
/// A message for the user.
pub(super) fn apply(
    pool: &mut TermPool,
    operator: &str,
    indices: &[u32],
    arguments: &[Term],
) -> Result<Term, String> {
    if !indices.is_empty() {
        let sorts: SmallVec<[Sort; 4]> = arguments.iter().map(|&argument| pool.sort(argument)).collect();
        let op = operators::indexed(operator, indices, &sorts)
            .ok_or_else(|| format!("unknown operator `(_ {operator} …)`, or wrong indices"))?;
        return build(pool, op, arguments);
    }
    if let Some(op) = operators::named(operator) {
        return match *arguments {
            [first, ref rest @ ..] if rest.len() > 1 && is_chainable(op) => {
                rest.iter().try_fold(first, |so_far, &next| build(pool, op, &[so_far, next]))
            }
            [_] if matches!(op, Op::And | Op::Or) => Err(format!("`{operator}` takes two or more arguments")),
            _ => build(pool, op, arguments),
        };
    }
    match (operator, arguments) {
        ("distinct", &[_, _]) => {
            let equal = build(pool, Op::Eq, arguments)?;
            Ok(pool.not(equal))
        }
        ("=>", &[premise, conclusion]) => {
            let negated = build(pool, Op::Not, &[premise])?;
            build(pool, Op::Or, &[negated, conclusion])
        }
        ("fp", &[sign, exponent, significand]) => float(pool, sign, exponent, significand),
        (_, &[a, b]) => match swapped(operator) {
            Some(op) => build(pool, op, &[b, a]),
            None => Err(format!("unknown operator `{operator}`, or wrong number of arguments")),
        },
        _ => Err(format!("unknown operator `{operator}`, or wrong number of arguments")),
    }
}

/// The greatest width of a bit vector in the text form.
pub(super) const MAX_WIDTH: u32 = 1 << 20;

fn build(pool: &mut TermPool, op: Op, arguments: &[Term]) -> Result<Term, String> {
    let sort = sort_of(pool, op, arguments).map_err(|error| error.to_string())?;
    if matches!(sort, Sort::BitVec(width) if width > MAX_WIDTH) {
        return Err(format!("a bit vector has at most {MAX_WIDTH} bits"));
    }
    pool.build(op, arguments).map_err(|error| error.to_string())
}

/// `(fp sign exponent significand)`: the float whose pattern is the concatenation of the three.
fn float(pool: &mut TermPool, sign: Term, exponent: Term, significand: Term) -> Result<Term, String> {
    let (Sort::BitVec(1), Sort::BitVec(width), Sort::BitVec(fraction)) =
        (pool.sort(sign), pool.sort(exponent), pool.sort(significand))
    else {
        return Err("`fp` takes a bit and two bit vectors".to_owned());
    };
    let (Ok(width), Ok(fraction)) = (u16::try_from(width), u16::try_from(fraction + 1)) else {
        return Err("a float has at most 65535 bits of exponent and of significand".to_owned());
    };
    let high = build(pool, Op::Concat, &[sign, exponent])?;
    let bits = build(pool, Op::Concat, &[high, significand])?;
    build(pool, Op::FpFromBits { exponent: width, significand: fraction }, &[bits])
}

fn is_chainable(op: Op) -> bool {
    matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul | Op::Xor | Op::Concat)
}

/// The operator of which this comparison is the version with swapped operands.
fn swapped(operator: &str) -> Option<Op> {
    Some(match operator {
        "bvugt" => Op::BvUlt,
        "bvuge" => Op::BvUle,
        "bvsgt" => Op::BvSlt,
        "bvsge" => Op::BvSle,
        "fp.gt" => Op::FpLt,
        "fp.geq" => Op::FpLe,
        _ => return None,
    })
}
