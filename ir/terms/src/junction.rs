//! Conjunctions and disjunctions.
//!
//! # Idea
//! The guards of a guarded SSA program are disjunctions (over incoming edges) of conjunctions
//! (block guard and branch condition). Where branches meet again, `(g ∧ c) ∨ (g ∧ ¬c)` must
//! simplify to `g`, or guards grow with the program. A junction of either kind therefore views each
//! operand as a *set* of operands of the dual kind (a singleton if it has another operator), and
//! applies two rules to pairs (A, C) of sets up to a fixpoint:
//!
//! - **subsumption**: if A ⊆ C, drop C: `a ∨ (a ∧ b)` is `a`;
//! - **self-subsuming resolution**: if A ⊆ C except for one l ∈ A with ¬l ∈ C, drop ¬l from C:
//!   `l ∨ (¬l ∧ x)` is `l ∨ x`; applied twice, it turns `(g ∧ c) ∨ (g ∧ ¬c)` into `g`. For
//!   `l = p ∨ q`, ¬p and ¬q together count as ¬l.
//!
//! A disjunction whose operands all share a conjunct is then factored: `(g ∧ c) ∨ (g ∧ d)` is
//! `g ∧ (c ∨ d)`.
//!
//! # Normal form
//! Operands are sorted by id, without duplicates, constants and complements. Operands of the same
//! kind are flattened if they have at most [`FLATTEN`] children, so that a chain of n conjunctions
//! takes O(n) memory in total.
//!
//! # Cost
//! O(n log n) for n operands. All pairs are compared if there are at most [`MAX_SETS`] operands; a
//! longer junction compares each operand only with its neighbors in the order of creation, where
//! related guards are adjacent.

use super::table::TermMap;
use super::{Op, Sort, Term, TermPool};
use smallvec::SmallVec;

/// An operand with more children than this is not flattened.
const FLATTEN: usize = 8;
/// The greatest number of operands for which all pairs are compared.
const MAX_SETS: usize = 16;
/// The number of older operands with which a longer junction compares each operand.
const WINDOW: usize = 3;
/// An operand with more children than this is viewed as a singleton.
const MAX_SET: usize = 16;

type Terms = SmallVec<[Term; 16]>;

/// One of the two connectives; all rules hold for both by duality.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

impl Junction {
    fn op(self) -> Op {
        match self {
            Junction::And => Op::And,
            Junction::Or => Op::Or,
        }
    }

    fn dual(self) -> Junction {
        match self {
            Junction::And => Junction::Or,
            Junction::Or => Junction::And,
        }
    }

    /// The value of the empty junction.
    fn neutral(self) -> bool {
        self == Junction::And
    }
}

impl TermPool {
    /// Splits `formulas` into conjuncts, in order, without `true` and duplicates. No conjunct is a
    /// conjunction or a negated disjunction.
    pub fn conjuncts(&mut self, formulas: &[Term]) -> Vec<Term> {
        let mut found = Vec::with_capacity(formulas.len());
        let mut seen = TermMap::default();
        let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
        while let Some(term) = stack.pop() {
            if !seen.insert(term, 0) {
                continue;
            }
            match self.op(term) {
                Op::True => {}
                Op::And => stack.extend(self.children(term).iter().rev()),
                Op::Not if self.op(self.children(term)[0]) == Op::Or => {
                    let disjuncts = self.children(self.children(term)[0]).to_vec();
                    for disjunct in disjuncts.into_iter().rev() {
                        stack.push(self.not(disjunct));
                    }
                }
                _ => found.push(term),
            }
        }
        found
    }

    /// The conjunction of `terms`; `true` if empty.
    pub fn and(&mut self, terms: &[Term]) -> Term {
        self.junction(Junction::And, terms)
    }

    /// The disjunction of `terms`; `false` if empty.
    pub fn or(&mut self, terms: &[Term]) -> Term {
        self.junction(Junction::Or, terms)
    }

    /// `a ∧ b`.
    pub fn and2(&mut self, a: Term, b: Term) -> Term {
        self.junction(Junction::And, &[a, b])
    }

    /// `a ∨ b`.
    pub fn or2(&mut self, a: Term, b: Term) -> Term {
        self.junction(Junction::Or, &[a, b])
    }

    /// Whether one of the terms is the negation of the other.
    pub(super) fn are_complements(&self, a: Term, b: Term) -> bool {
        // A negation is younger than its operand.
        let (old, young) = if a < b { (a, b) } else { (b, a) };
        self.op(young) == Op::Not && self.children(young)[0] == old
            || self.as_bool(old).is_some() && self.as_bool(young).is_some() && old != young
    }

    fn junction(&mut self, kind: Junction, terms: &[Term]) -> Term {
        // The common case, two operands that neither flatten nor interact.
        if let [a, b] = *terms
            && a.0 > 1
            && b.0 > 1
            && a != b
        {
            let is_literal = |t: Term| {
                !matches!(self.op(t), Op::And | Op::Or)
                    && (self.op(t) != Op::Not || !matches!(self.op(self.children(t)[0]), Op::And | Op::Or))
            };
            if is_literal(a) && is_literal(b) {
                self.assert_bool(a);
                self.assert_bool(b);
                if self.are_complements(a, b) {
                    return self.bool(!kind.neutral());
                }
                let (old, young) = if a < b { (a, b) } else { (b, a) };
                return self.intern(kind.op(), Sort::Bool, &[old, young]);
            }
        }
        let mut operands = Terms::new();
        for &term in terms {
            self.assert_bool(term);
            self.flatten(kind, term, &mut operands);
        }
        if !operands.is_sorted_by(|a, b| a < b) {
            operands.sort_unstable();
            operands.dedup();
        }
        let neutral = self.bool(kind.neutral());
        let dominant = self.bool(!kind.neutral());
        // The constants are the oldest terms.
        let constants = operands.iter().take_while(|&&operand| self.as_bool(operand).is_some()).count();
        if operands[..constants].contains(&dominant) {
            return dominant;
        }
        operands.drain(..constants);
        for &term in &operands {
            if self.op(term) == Op::Not && operands.binary_search(&self.children(term)[0]).is_ok() {
                return dominant;
            }
        }
        match operands[..] {
            [] => return neutral,
            [single] => return single,
            _ => {}
        }
        if let Some(simpler) = self.propagate(kind, &operands) {
            return simpler;
        }
        let dual = kind.dual().op();
        if operands.iter().any(|&t| self.op(t) == dual) && self.may_simplify(kind, &operands) {
            let simpler = self.nested(|pool| {
                pool.resolve(kind, &operands)
                    .or_else(|| if kind == Junction::Or { pool.factor(kind, &operands) } else { None })
            });
            if let Some(simpler) = simpler {
                return simpler;
            }
        }
        self.intern(kind.op(), Sort::Bool, &operands)
    }

    /// Shortens a negated operand of the same kind by the other operands: `p ∧ ¬(p ∧ q)` is
    /// `p ∧ ¬q`.
    fn propagate(&mut self, kind: Junction, operands: &[Term]) -> Option<Term> {
        let mut simpler: Option<Terms> = None;
        for (i, &term) in operands.iter().enumerate() {
            if self.op(term) != Op::Not {
                continue;
            }
            let inner = self.children(term)[0];
            if self.op(inner) != kind.op() || self.children(inner).len() > MAX_SET {
                continue;
            }
            let parts = self.children(inner);
            let rest: Terms =
                parts.iter().copied().filter(|part| operands.binary_search(part).is_err()).collect();
            if rest.len() < parts.len() {
                simpler.get_or_insert_with(|| Terms::from_slice(operands))[i] = self.nested(|pool| {
                    let rest = pool.junction(kind, &rest);
                    Some(pool.not(rest))
                })?;
            }
        }
        let simpler = simpler?;
        self.nested(|pool| Some(pool.junction(kind, &simpler)))
    }

    fn assert_bool(&self, term: Term) {
        let sort = self.sort(term);
        assert!(sort == Sort::Bool, "{term} should be Boolean but is of sort {sort:?}");
    }

    fn flatten(&mut self, kind: Junction, term: Term, operands: &mut Terms) {
        if self.op(term) == kind.op() && self.children(term).len() <= FLATTEN {
            operands.extend_from_slice(self.children(term));
        } else if self.op(term) == Op::Not {
            // ¬(a ∨ b) inside a conjunction is ¬a, ¬b.
            let inner = self.children(term)[0];
            if self.op(inner) == kind.dual().op() && self.children(inner).len() <= FLATTEN {
                let children = Terms::from_slice(self.children(inner));
                for child in children {
                    let negation = self.not(child);
                    if self.op(negation) == kind.op() && self.children(negation).len() <= FLATTEN {
                        operands.extend_from_slice(self.children(negation));
                    } else {
                        operands.push(negation);
                    }
                }
            } else {
                operands.push(term);
            }
        } else {
            operands.push(term);
        }
    }

    /// The operand of a junction of `kind` as a sorted set of the dual kind.
    fn set(&self, kind: Junction, term: Term) -> Terms {
        if self.op(term) == kind.dual().op() && self.children(term).len() <= MAX_SET {
            Terms::from_slice(self.children(term))
        } else {
            SmallVec::from_slice(&[term])
        }
    }

    /// The elements of an operand as in [`set`](Self::set).
    fn elements<'a>(&'a self, kind: Junction, operand: &'a Term) -> &'a [Term] {
        let children = self.children(*operand);
        let is_set = self.op(*operand) == kind.dual().op() && children.len() <= MAX_SET;
        if is_set { children } else { std::slice::from_ref(operand) }
    }

    fn print(&self, kind: Junction, operand: Term) -> Print {
        let elements = self.elements(kind, &operand);
        let mut print = Print { atoms: 0, whole: bit(operand), len: elements.len(), is_simple: true };
        for &element in elements {
            let is_negation = self.op(element) == Op::Not;
            let atom = if is_negation { self.children(element)[0] } else { element };
            let compound = if is_negation { kind.dual().op() } else { kind.op() };
            print.is_simple &= self.op(atom) != compound || self.children(atom).len() > FLATTEN;
            print.atoms |= bit(atom);
        }
        print
    }

    /// Whether [`resolve`](Self::resolve) or [`factor`](Self::factor) may change the operands,
    /// which are neither equal nor complements. A necessary condition that fails for nearly all
    /// junctions, without copies of the sets.
    fn may_simplify(&self, kind: Junction, operands: &[Term]) -> bool {
        let dual = kind.dual().op();
        if kind == Junction::Or && operands.iter().all(|&term| self.op(term) == dual) {
            return true;
        }
        let mut prints: SmallVec<[Print; 16]> = SmallVec::with_capacity(operands.len());
        let mut are_simple = true;
        for &operand in operands {
            let print = self.print(kind, operand);
            are_simple &= print.is_simple;
            prints.push(print);
        }
        let is_short = operands.len() <= MAX_SETS;
        let reach = if is_short { operands.len() } else { WINDOW };
        for (c, print) in prints.iter().enumerate() {
            // A single element is related to an equal one or to its complement only.
            if are_simple && print.len == 1 {
                continue;
            }
            let first = c.saturating_sub(reach);
            for (a, other) in prints[first..operands.len().min(c + reach + 1)].iter().enumerate() {
                let [as_set, as_whole] = other.fits(print);
                if first + a == c || !as_set && !as_whole {
                    continue;
                }
                let (whole, set_c) = (&operands[first + a], self.elements(kind, &operands[c]));
                let is_related = |a: &[Term]| match self.compare_sets(kind, a, set_c) {
                    Comparison::Unrelated => false,
                    Comparison::Subsumed => true,
                    Comparison::Shortened(_) => is_short || other.len == print.len,
                };
                if as_set && is_related(self.elements(kind, whole))
                    || as_whole && is_related(std::slice::from_ref(whole))
                {
                    return true;
                }
            }
        }
        false
    }

    /// Applies subsumption and self-subsuming resolution to the sets; `None` if nothing changes.
    fn resolve(&mut self, kind: Junction, operands: &[Term]) -> Option<Term> {
        let mut sets: SmallVec<[Terms; 4]> = operands.iter().map(|&t| self.set(kind, t)).collect();
        // The original term of a set, until the set changes: an operand too long to be flattened
        // may be an element of other sets.
        let mut wholes: SmallVec<[Option<Term>; 16]> = operands.iter().map(|&t| Some(t)).collect();
        let mut active: SmallVec<[usize; 16]> = (0..sets.len()).collect();
        let is_short = sets.len() <= MAX_SETS;
        let reach = if is_short { sets.len() } else { WINDOW };
        let mut any = false;
        let mut mode = Mode::Merge;
        loop {
            let mut progress = false;
            // From the youngest set down, so that a chain of guards collapses from its end.
            let mut c = active.len();
            while c > 0 {
                c -= 1;
                let mut a = c.saturating_sub(reach);
                while a < active.len().min(c + reach + 1) {
                    let (set_a, set_c) = (&sets[active[a]], &sets[active[c]]);
                    let mut comparison = Comparison::Unrelated;
                    if a != c {
                        // A may have at most one element outside of C, whose negation is in C.
                        if set_a.len() <= set_c.len() {
                            comparison = self.compare_sets(kind, set_a, set_c);
                        }
                        if let (Comparison::Unrelated, Some(whole)) = (&comparison, wholes[active[a]]) {
                            comparison = self.compare_sets(kind, &[whole], set_c);
                        }
                    }
                    match comparison {
                        Comparison::Unrelated => {}
                        Comparison::Shortened(_) if mode == Mode::Merge && set_a.len() != set_c.len() => {}
                        Comparison::Subsumed => {
                            active.remove(c);
                            (progress, any) = (true, true);
                            break;
                        }
                        Comparison::Shortened(shorter) => {
                            let i = active[c];
                            (wholes[i], sets[i]) = match shorter[..] {
                                [single] => (Some(single), self.set(kind, single)),
                                _ => (None, shorter),
                            };
                            (progress, any) = (true, true);
                        }
                    }
                    a += 1;
                }
            }
            match mode {
                _ if progress => {}
                Mode::Merge if is_short => mode = Mode::Resolve,
                _ => break,
            }
        }
        if !any {
            return None;
        }
        let mut rebuilt = Terms::new();
        for i in active {
            let term = match wholes[i] {
                Some(whole) => whole,
                None => self.junction(kind.dual(), &sets[i]),
            };
            rebuilt.push(term);
        }
        Some(self.junction(kind, &rebuilt))
    }

    fn compare_sets(&self, kind: Junction, a: &[Term], c: &[Term]) -> Comparison {
        let mut complement: Option<Terms> = None;
        for &literal in a {
            if c.binary_search(&literal).is_ok() {
                continue;
            }
            if complement.is_some() {
                return Comparison::Unrelated;
            }
            match self.complement_in(kind, literal, c) {
                Some(found) => complement = Some(found),
                None => return Comparison::Unrelated,
            }
        }
        match complement {
            None => Comparison::Subsumed,
            // The other elements of A must remain in C.
            Some(drop) if drop.iter().any(|t| a.contains(t)) => Comparison::Unrelated,
            Some(drop) => Comparison::Shortened(c.iter().copied().filter(|t| !drop.contains(t)).collect()),
        }
    }

    /// The elements of the set `c` whose conjunction (dually: disjunction) is the negation of
    /// `literal`.
    fn complement_in(&self, kind: Junction, literal: Term, c: &[Term]) -> Option<Terms> {
        let negation = |term: Term| c.iter().copied().find(|&other| self.are_complements(term, other));
        if let Some(found) = negation(literal) {
            return Some(SmallVec::from_slice(&[found]));
        }
        // In a set of a disjunction, which is a conjunction, ¬(p ∨ q) appears as ¬p, ¬q.
        if self.op(literal) == kind.op() && self.children(literal).len() <= FLATTEN {
            return self.children(literal).iter().map(|&part| negation(part)).collect();
        }
        if self.op(literal) == Op::Not {
            let inner = self.children(literal)[0];
            if self.op(inner) == kind.dual().op() && self.children(inner).len() <= FLATTEN {
                let parts = self.children(inner);
                return parts
                    .iter()
                    .all(|part| c.binary_search(part).is_ok())
                    .then(|| Terms::from_slice(parts));
            }
        }
        None
    }

    /// Factors out the elements that all operands of a short disjunction share; `None` if they
    /// share none.
    fn factor(&mut self, kind: Junction, operands: &[Term]) -> Option<Term> {
        if operands.len() > MAX_SETS || self.op(operands[0]) != kind.dual().op() {
            return None;
        }
        let mut common = self.set(kind, operands[0]);
        for &term in &operands[1..] {
            if self.op(term) != kind.dual().op() {
                return None;
            }
            let set = self.set(kind, term);
            common.retain(|t| set.binary_search(t).is_ok());
            if common.is_empty() {
                return None;
            }
        }
        let mut rests = Terms::new();
        for &term in operands {
            let rest: Terms =
                self.set(kind, term).into_iter().filter(|t| common.binary_search(t).is_err()).collect();
            rests.push(self.junction(kind.dual(), &rest));
        }
        let rest = self.junction(kind, &rests);
        common.push(rest);
        Some(self.junction(kind.dual(), &common))
    }
}

/// The bit of an atom in a fingerprint.
#[inline]
fn bit(atom: Term) -> u64 {
    1 << (atom.0.wrapping_mul(0x9e37_79b9) >> 26)
}

/// A fingerprint of an operand as a set of elements.
struct Print {
    /// The bits of the atoms of the elements.
    atoms: u64,
    /// The bit of the operand.
    whole: u64,
    /// The number of elements.
    len: usize,
    /// Whether the complement of each element is a single element.
    is_simple: bool,
}

impl Print {
    /// Whether this operand may be related to the `other` one, as a set of several elements and as
    /// a single one. Each of its elements is then in the other set, or its complement is; so the
    /// atoms of a simple set are atoms of the other one.
    #[inline]
    fn fits(&self, other: &Print) -> [bool; 2] {
        let as_set = self.len <= other.len && (!self.is_simple || self.atoms & !other.atoms == 0);
        [as_set, self.len > 1 && self.whole & !other.atoms == 0]
    }
}

/// The rules to apply to pairs of sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Drop subsumed sets and join two sets that differ by a complement. Runs first, so that a
    /// chain of guards collapses from its end before `Resolve` removes the elements that connect
    /// it.
    Merge,
    /// Shorten sets as well.
    Resolve,
}

/// The relation of set A to set C.
enum Comparison {
    Unrelated,
    Subsumed,
    Shortened(Terms),
}
