//! Refines ranges by conditions.

use super::analysis::{Analysis, Fact, Facts, MOST_FACTS};
use super::range::{Abstract, Range};
use program::ssa::cfg::EdgeRef;
use program::ssa::{Function, Signedness, SwitchCase, Terminator};
use rustc_hash::FxHashMap;
use terms::{Op, Term, TermPool};

impl Analysis<'_> {
    /// The facts after an edge if `facts` hold before it; `None` if the edge cannot be taken.
    pub(super) fn along(
        &mut self,
        pool: &TermPool,
        function: Function,
        facts: Facts,
        edge: EdgeRef,
    ) -> Option<Facts> {
        let program = self.program;
        match &program.functions[function].blocks[edge.from].terminator {
            Terminator::Branch { condition, .. } => {
                self.assume(pool, function, facts, *condition, edge.index == 0)
            }
            Terminator::Switch { scrutinee, cases, .. } => {
                let case = cases.get(edge.index as usize);
                let interval = case.and_then(|case| case_range(pool, case));
                match interval {
                    Some(interval) => {
                        self.restrict(pool, function, facts, *scrutinee, Abstract::Range(interval))
                    }
                    None => Some(facts),
                }
            }
            _ => Some(facts),
        }
    }

    /// Adds the facts implied by `condition` having the value `is`; `None` if it cannot.
    fn assume(
        &mut self,
        pool: &TermPool,
        function: Function,
        facts: Facts,
        condition: Term,
        is: bool,
    ) -> Option<Facts> {
        let mut facts = facts;
        let mut work = vec![(condition, is)];
        let mut steps = 0;
        while let Some((term, is)) = work.pop() {
            steps += 1;
            if steps > MOST_FACTS {
                break;
            }
            let children = pool.children(term);
            match (pool.op(term), is) {
                (Op::Not, _) => work.push((children[0], !is)),
                (Op::And, true) | (Op::Or, false) => work.extend(children.iter().map(|&child| (child, is))),
                (Op::Value(value), _) => {
                    facts = self.restrict(pool, function, facts, term, Abstract::of_truth(is))?;
                    let definition = self.ranges(function).conditions.get(&value).copied();
                    work.extend(definition.map(|definition| (definition, is)));
                }
                (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, _) => {
                    facts = self.compare(pool, function, facts, term, is)?;
                }
                _ => {}
            }
        }
        Some(facts)
    }

    fn compare(
        &mut self,
        pool: &TermPool,
        function: Function,
        facts: Facts,
        term: Term,
        is: bool,
    ) -> Option<Facts> {
        let &[a, b] = pool.children(term) else { return Some(facts) };
        let mut known = FxHashMap::default();
        let x = self.evaluate(pool, function, facts, a, &mut known);
        let y = self.evaluate(pool, function, facts, b, &mut known);
        let (Abstract::Range(x), Abstract::Range(y)) = (x, y) else { return Some(facts) };
        let full = Range::full(x.width);
        let (left, right) = match (pool.op(term), is) {
            (Op::Eq, true) => (y, x),
            (Op::Eq, false) => (unequal(x, y)?, unequal(y, x)?),
            (Op::BvUlt, true) => (below(x.width, y, 1)?, above(x.width, x, 1)?),
            (Op::BvUle, true) => (below(x.width, y, 0)?, above(x.width, x, 0)?),
            (Op::BvUlt, false) => (above(x.width, y, 0)?, below(x.width, x, 0)?),
            (Op::BvUle, false) => (above(x.width, y, 1)?, below(x.width, x, 1)?),
            (Op::BvSlt, true) => (signed_below(x.width, y, 1)?, signed_above(x.width, x, 1)?),
            (Op::BvSle, true) => (signed_below(x.width, y, 0)?, signed_above(x.width, x, 0)?),
            (Op::BvSlt, false) => (signed_above(x.width, y, 0)?, signed_below(x.width, x, 0)?),
            (Op::BvSle, false) => (signed_above(x.width, y, 1)?, signed_below(x.width, x, 1)?),
            _ => (full, full),
        };
        let facts = self.restrict(pool, function, facts, a, Abstract::Range(left))?;
        self.restrict(pool, function, facts, b, Abstract::Range(right))
    }

    /// Adds the fact that `term` is in `range`, if it is a value, an extended value, or a value
    /// plus a constant.
    fn restrict(
        &mut self,
        pool: &TermPool,
        function: Function,
        facts: Facts,
        term: Term,
        range: Abstract,
    ) -> Option<Facts> {
        let (leaf, range) = match (pool.op(term), range) {
            (Op::Value(_), range) => (term, range),
            (Op::ZeroExtend(_), Abstract::Range(range)) => {
                let inner = pool.children(term)[0];
                let full = Range::full(pool.width(inner));
                let low = range.unsigned.0;
                let high = range.unsigned.1.min(full.unsigned.1);
                (
                    inner,
                    Abstract::Range(Range::of_unsigned(full.width, (low.min(full.unsigned.1 + 1), high))?),
                )
            }
            (Op::SignExtend(_), Abstract::Range(range)) => {
                let inner = pool.children(term)[0];
                let full = Range::full(pool.width(inner));
                let (low, high) = (range.signed.0.max(full.signed.0), range.signed.1.min(full.signed.1));
                if low > high {
                    return None;
                }
                (inner, Abstract::Range(Range::of_signed(full.width, (low, high))?))
            }
            _ => return Some(facts),
        };
        let Op::Value(value) = pool.op(leaf) else { return Some(facts) };
        let old = self.leaf(function, facts, value);
        let new = old.meet(range);
        if new == Abstract::Nothing {
            return if old == Abstract::Nothing { Some(facts) } else { None };
        }
        let depth = facts.map_or(0, |index| self.arena[index as usize].depth + 1);
        if new == old || depth >= MOST_FACTS {
            return Some(facts);
        }
        self.arena.push(Fact { value, known: new, before: facts, depth });
        Some(Some(self.arena.len() as u32 - 1))
    }
}

/// The hull of the ranges of a switch case, if the comparison is unsigned or its signedness does
/// not matter.
fn case_range(pool: &TermPool, case: &SwitchCase) -> Option<Range> {
    let mut all: Option<Range> = None;
    for &(low, high) in &case.ranges {
        let (low, high) = (pool.as_bit_vector(low)?, pool.as_bit_vector(high)?);
        if low.width() > super::range::WIDEST {
            return None;
        }
        let (low, high) = (Range::constant(&low)?, Range::constant(&high)?);
        let range = match case.signedness {
            Signedness::Unsigned => Range::of_unsigned(low.width, (low.unsigned.0, high.unsigned.1)),
            Signedness::Signed => Range::of_signed(low.width, (low.signed.0, high.signed.1)),
        }?;
        all = Some(all.map_or(range, |so_far| so_far.join(range)));
    }
    all
}

/// `x` without the element of `y`, if `y` is a singleton.
fn unequal(x: Range, y: Range) -> Option<Range> {
    let Some(single) = y.single() else { return Some(x) };
    let (mut unsigned, mut signed) = (x.unsigned, x.signed);
    if unsigned.0 == single {
        unsigned.0 += 1;
    }
    if unsigned.1 == single {
        unsigned.1 -= 1;
    }
    if signed.0 == y.signed.0 {
        signed.0 += 1;
    }
    if signed.1 == y.signed.1 {
        signed.1 -= 1;
    }
    if unsigned.0 > unsigned.1 || signed.0 > signed.1 {
        return None;
    }
    Range::of_unsigned(x.width, unsigned)?.meet(Range::of_signed(x.width, signed)?)
}

/// The range up to the largest element of `than` minus `by`.
fn below(width: u32, than: Range, by: i128) -> Option<Range> {
    let most = than.unsigned.1 - by;
    if most < 0 { None } else { Range::of_unsigned(width, (0, most)) }
}

/// The range from the smallest element of `than` plus `by`.
fn above(width: u32, than: Range, by: i128) -> Option<Range> {
    let full = Range::full(width);
    let least = than.unsigned.0 + by;
    if least > full.unsigned.1 { None } else { Range::of_unsigned(width, (least, full.unsigned.1)) }
}

fn signed_below(width: u32, than: Range, by: i128) -> Option<Range> {
    let full = Range::full(width);
    let most = than.signed.1 - by;
    if most < full.signed.0 { None } else { Range::of_signed(width, (full.signed.0, most)) }
}

fn signed_above(width: u32, than: Range, by: i128) -> Option<Range> {
    let full = Range::full(width);
    let least = than.signed.0 + by;
    if least > full.signed.1 { None } else { Range::of_signed(width, (least, full.signed.1)) }
}
