//! Rewrites terms that observe addresses.

use super::content::Content;
use super::contents::Contents;
use super::shapes::{narrowed, slot_part};
use super::{HeapBlocks, Observation, Observed, Report, new_value};
use crate::transform::points_to::{Base, PossibleBases, linearize};
use program::layout::{shadow_index_term, slot_offset};
use program::ssa::{
    Block, Function, HavocSource, Instruction, InstructionKind, Program, Region, Span, Terminator, Type,
};
use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// The regions of the shadow that track objects.
#[derive(Clone, Copy)]
struct Tracked {
    bits: u32,
    sizes: Region,
    placements: Region,
}

/// The treatment of memory accesses at addresses that the program computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computed {
    /// The program observes no addresses, so the address is invalid or internal.
    Known,
    /// The program may have reconstructed an observable address by decisions. If the address is not
    /// the internal address of a live object, it is nondeterministic.
    Unknown,
}

/// The content of an operand of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Null,
    /// A number that does not depend on the placement, or that consists of observable addresses.
    Number,
    Address,
    /// An address or a number.
    Mixed,
    /// A value that keeps its internal value.
    Internal,
}

pub(super) struct Rewriter<'a> {
    pool: &'a mut TermPool,
    program: &'a mut Program,
    contents: Contents,
    blocks: HeapBlocks,
    computed: Computed,
    tracked: Option<Tracked>,
    observed: Observed,
    report: Report,
    function: Function,
    span: Span,
    /// New instructions before the current one, for its terms.
    new: Vec<Instruction>,
    rewritten: FxHashMap<Term, Term>,
    observables: FxHashMap<Term, Term>,
    /// The results of [`Self::doubted`].
    addressed: FxHashMap<Term, Term>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        pool: &'a mut TermPool,
        program: &'a mut Program,
        contents: Contents,
        blocks: HeapBlocks,
        computed: Computed,
        placements: Region,
    ) -> Self {
        let tracked = match (program.machine.slot_bits, program.shadow.sizes) {
            (Some(bits), Some(sizes)) => Some(Tracked { bits, sizes, placements }),
            _ => None,
        };
        let function = program.entry;
        Rewriter {
            pool,
            program,
            contents,
            blocks,
            computed,
            tracked,
            observed: Observed::default(),
            report: Report::default(),
            function,
            span: Span::NONE,
            new: Vec::new(),
            rewritten: FxHashMap::default(),
            observables: FxHashMap::default(),
            addressed: FxHashMap::default(),
        }
    }

    pub(super) fn finish(self) -> (Report, Observed) {
        (self.report, self.observed)
    }

    pub(super) fn run(&mut self) {
        let functions: Vec<Function> = self.program.functions.keys().collect();
        for function in functions {
            self.function = function;
            let blocks: Vec<Block> = self.program.functions[function].blocks.keys().collect();
            for block in blocks {
                self.block(block);
            }
        }
    }

    fn begin(&mut self, span: Span) {
        self.span = span;
        self.rewritten.clear();
        self.observables.clear();
        self.addressed.clear();
    }

    fn block(&mut self, block: Block) {
        let data = &mut self.program.functions[self.function].blocks[block];
        let (span, old) = (data.span, std::mem::take(&mut data.instructions));
        let mut result = Vec::with_capacity(old.len());
        for mut instruction in old {
            self.begin(instruction.span);
            let is_allocation = matches!(instruction.kind, InstructionKind::Allocate { .. });
            let whole = narrowed(self.pool, self.program, &instruction);
            instruction.kind.map_terms(|term| match whole {
                Some(whole) => self.narrowed(term, whole),
                None if is_allocation => self.number(term, "the size of a block"),
                None => self.rewrite(term),
            });
            result.append(&mut self.new);
            result.push(instruction);
        }
        self.begin(span);
        let placeholder = Terminator::Stop(program::ssa::StopReason::Unreachable);
        let data = &mut self.program.functions[self.function].blocks[block];
        let mut terminator = std::mem::replace(&mut data.terminator, placeholder);
        if let Terminator::Switch { scrutinee, .. } = &mut terminator {
            let term = *scrutinee;
            *scrutinee = self.number(term, "a switch over an address");
            // Already rewritten.
            let chosen = *scrutinee;
            self.rewritten.insert(chosen, chosen);
        }
        terminator.map_terms(|term| self.rewrite(term));
        result.append(&mut self.new);
        let data = &mut self.program.functions[self.function].blocks[block];
        data.instructions = result;
        data.terminator = terminator;
    }

    /// Rewrites an extraction of low bits of `whole`.
    fn narrowed(&mut self, term: Term, whole: Term) -> Term {
        self.rewrite(whole);
        self.contents.of(self.pool, self.program, self.function, whole);
        let content = self.contents.of_operands(self.pool, self.function, term);
        let is_observable = content.derived.is_some_and(|family| !self.contents.families.is_internal(family));
        let whole = if is_observable { self.as_operand(whole) } else { self.rewritten[&whole] };
        self.pool.rebuild(term, &[whole])
    }

    fn content(&mut self, term: Term) -> Content {
        self.contents.of(self.pool, self.program, self.function, term)
    }

    /// Rewrites `term` for a use that decides by it as a number.
    fn number(&mut self, term: Term, what: &'static str) -> Term {
        match self.side(term) {
            Side::Null | Side::Number => self.rewrite(term),
            Side::Address => {
                self.observe(what);
                self.observable(term)
            }
            Side::Mixed | Side::Internal => {
                self.observe(what);
                let width = self.pool.width(term);
                self.approximation(Type::unsigned(width))
            }
        }
    }

    fn observe(&mut self, what: &'static str) {
        self.report.observations.push(Observation { what, span: self.span });
    }

    fn define(&mut self, ty: Type, kind: InstructionKind) -> Term {
        let value = new_value(self.program, self.function, ty, self.span);
        self.new.push(Instruction { result: Some(value), kind, span: self.span });
        self.pool.value(value.0, ty.sort())
    }

    /// A nondeterministic value in place of a computation that depends on addresses.
    fn approximation(&mut self, ty: Type) -> Term {
        self.report.approximated += 1;
        let source = HavocSource::Approximation("depends on addresses (see --addresses)".to_owned());
        self.define(ty, InstructionKind::Havoc(source))
    }

    fn any_truth(&mut self) -> Term {
        let any = self.approximation(Type::unsigned(8));
        let zero = self.pool.bv(8, 0);
        self.pool.neq(any, zero)
    }

    fn bases(&mut self, term: Term) -> PossibleBases {
        self.contents.points_to.bases_of(self.pool, self.program, self.function, term)
    }

    /// The observable address of `term`, an address in the original program.
    fn observable(&mut self, term: Term) -> Term {
        if let Some(&known) = self.observables.get(&term) {
            return known;
        }
        let width = self.pool.width(term);
        let possible = self.bases(term);
        let has_functions = possible.bases.iter().any(|(base, _)| matches!(base, Base::Function(_)));
        let internal = self.rewrite(term);
        let result = match self.tracked {
            // The address of no object.
            _ if possible.bases.is_empty() && !possible.is_unknown => internal,
            Some(tracked) if !has_functions && width == self.program.machine.pointer_width => {
                self.observed.all |= possible.is_unknown;
                self.observed.bases.extend(possible.bases.iter().map(|&(base, _)| base));
                let index = shadow_index_term(self.pool, tracked.bits, internal);
                let kind = InstructionKind::Load { region: tracked.placements, address: Some(index) };
                let distance = self.define(Type::unsigned(width), kind);
                self.pool.bv_add(internal, distance)
            }
            _ => self.approximation(Type::unsigned(width)),
        };
        self.observables.insert(term, result);
        result
    }

    /// Whether the internal address `internal` is inside of a live object.
    fn is_inside(&mut self, tracked: Tracked, internal: Term) -> Term {
        let width = self.pool.width(internal);
        let index = shadow_index_term(self.pool, tracked.bits, internal);
        let kind = InstructionKind::Load { region: tracked.sizes, address: Some(index) };
        let size = self.define(Type::unsigned(width), kind);
        let pool = &mut *self.pool;
        let low = pool.extract(tracked.bits - 1, 0, internal);
        let low = pool.zero_extend(width - tracked.bits, low);
        let first = pool.bv(width, slot_offset(tracked.bits));
        let offset = pool.bv_sub(low, first);
        pool.bv_ult(offset, size)
    }

    /// Rewrites `term` for a use as an internal value; no observation in it uses internal
    /// addresses.
    fn rewrite(&mut self, term: Term) -> Term {
        let mut work = vec![(term, false)];
        while let Some((term, is_ready)) = work.pop() {
            if self.rewritten.contains_key(&term) {
                continue;
            }
            if !is_ready {
                work.push((term, true));
                let parts = self.parts(term);
                work.extend(parts.into_iter().map(|part| (part, false)));
                continue;
            }
            let result = self.rewrite_node(term);
            self.rewritten.insert(term, result);
        }
        self.rewritten[&term]
    }

    /// The operands of a term: the summands of a maximal sum, or the children.
    fn parts(&self, term: Term) -> Vec<Term> {
        match self.sum(term) {
            Some(parts) => parts.into_iter().map(|part| part.0).collect(),
            None => self.pool.children(term).to_vec(),
        }
    }

    fn sum(&self, term: Term) -> Option<Vec<(Term, i128)>> {
        let is_sum = matches!(self.pool.op(term), Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul | Op::BvShl);
        let sum = is_sum.then(|| linearize(self.pool, term))??;
        sum.parts.iter().all(|part| part.0 != term).then_some(sum.parts)
    }

    /// Rewrites a term whose operands are rewritten.
    fn rewrite_node(&mut self, term: Term) -> Term {
        let children = self.pool.children(term).to_vec();
        if children.is_empty() {
            return term;
        }
        if self.pool.sort(term) == Sort::Bool {
            let compares = children.iter().any(|&child| self.pool.sort(child) != Sort::Bool);
            return match self.pool.op(term) {
                op @ (Op::Eq | Op::BvUlt | Op::BvSlt) if compares => self.comparison(term, op, &children),
                Op::Ite => self.rebuilt(term, &children),
                _ if compares => self.predicate(term, &children),
                _ => self.rebuilt(term, &children),
            };
        }
        if let Some((address, changed)) =
            self.contents.changed_in_slot(self.pool, self.program, self.function, term)
        {
            let (op, width) = (self.pool.op(term), self.pool.width(address));
            let mask = self.pool.bv(width, changed);
            let whole = match op {
                Op::BvAnd => {
                    let others = self.pool.bv_not(mask);
                    self.pool.bv_and(address, others)
                }
                Op::BvOr => self.pool.bv_or(address, mask),
                _ => self.pool.bv_xor(address, mask),
            };
            let children = self.pool.children(whole).to_vec();
            let changed = self.change_low_bits(whole, address, &children);
            let high = self.pool.width(term) - 1;
            return self.pool.extract(high, 0, changed);
        }
        if let Some(address) = slot_part(self.pool, self.program, term) {
            let address = self.doubted(address);
            return self.pool.rebuild(term, &[address]);
        }
        let content = self.content(term);
        let is_observable = content.derived.is_some_and(|family| !self.contents.families.is_internal(family));
        if let Some(parts) = self.sum(term) {
            return self.rewrite_sum(term, &parts, content, is_observable);
        }
        if self.pool.op(term) == Op::Ite {
            return self.rebuilt(term, &children);
        }
        if content.is_address()
            && let Some(address) =
                self.contents.changed_low_bits(self.pool, self.program, self.function, term)
        {
            return self.change_low_bits(term, address, &children);
        }
        if !is_observable || content.address {
            let is_internal = content.derived.is_some() && !content.address;
            // Terms of other sorts are handled where they become a bit vector or a Boolean.
            let is_internal = is_internal && matches!(self.pool.sort(term), Sort::BitVec(_));
            if is_internal && self.contents.loses_low_bits(self.pool, self.program, self.function, term) {
                return self.change_bits(term, &children);
            }
            return self.rebuilt(term, &children);
        }
        let new: Vec<Term> = children.iter().map(|&child| self.as_operand(child)).collect();
        self.pool.rebuild(term, &new)
    }

    /// The internal address of the address `term`; nondeterministic if the program may have
    /// computed an observable one.
    fn doubted(&mut self, term: Term) -> Term {
        let internal = self.rewritten[&term];
        let is_computed = self.content(term).is_computed() && self.pool.as_bv_u64(term).is_none();
        match self.tracked {
            Some(tracked) if is_computed && self.computed == Computed::Unknown => {
                if let Some(&known) = self.addressed.get(&term) {
                    return known;
                }
                let is_inside = self.is_inside(tracked, internal);
                let any = self.approximation(Type::unsigned(self.pool.width(term)));
                let result = self.pool.ite(is_inside, internal, any);
                self.addressed.insert(term, result);
                result
            }
            _ => internal,
        }
    }

    /// Rewrites a term that is used as an address after low bits may have got lost. A result in the
    /// slot of the original address is computed as in [`Self::change_low_bits`]; any other is
    /// nondeterministic.
    fn change_bits(&mut self, term: Term, children: &[Term]) -> Term {
        let address = self.contents.changed_address(self.pool, self.program, self.function, term);
        let ty = Type::unsigned(self.pool.width(term));
        let (Some(address), Some(tracked)) = (address, self.tracked) else {
            self.observe("a computation with an address whose result is used as an address");
            return self.approximation(ty);
        };
        let changed = self.change_low_bits(term, address, children);
        let any = self.approximation(ty);
        let top = self.pool.width(term) - 1;
        let slots =
            [self.rewritten[&address], changed].map(|term| self.pool.extract(top, tracked.bits, term));
        let is_near = self.pool.eq(slots[0], slots[1]);
        self.pool.ite(is_near, changed, any)
    }

    /// Applies an operation to the observable address, and translates the result back by the
    /// distance between observable and internal address.
    fn change_low_bits(&mut self, term: Term, address: Term, children: &[Term]) -> Term {
        self.observe("an alignment of an address");
        let internal = self.rewritten[&address];
        let shown = self.observable(address);
        let new: Vec<Term> = children
            .iter()
            .map(|&child| match child == address {
                true => shown,
                false => self.rewritten.get(&child).copied().unwrap_or(child),
            })
            .collect();
        let changed = self.pool.rebuild(term, &new);
        let distance = self.pool.bv_sub(shown, internal);
        self.pool.bv_sub(changed, distance)
    }

    fn rebuilt(&mut self, term: Term, children: &[Term]) -> Term {
        let new: Vec<Term> = children.iter().map(|child| self.rewritten[child]).collect();
        if new == children { term } else { self.pool.rebuild(term, &new) }
    }

    /// Rewrites an operand of an operator whose result is in terms of observable addresses.
    fn as_operand(&mut self, term: Term) -> Term {
        if self.pool.sort(term) == Sort::Bool {
            return self.rewritten[&term];
        }
        match self.side(term) {
            Side::Null | Side::Number => self.rewritten[&term],
            Side::Address => {
                self.observe("a computation with an address");
                self.observable(term)
            }
            Side::Mixed | Side::Internal => {
                self.observe("a computation with an address");
                let ty = Type::unsigned(self.pool.width(term));
                self.approximation(ty)
            }
        }
    }

    fn rewrite_sum(
        &mut self,
        term: Term,
        parts: &[(Term, i128)],
        content: Content,
        is_observable: bool,
    ) -> Term {
        let mut new = Vec::with_capacity(parts.len());
        for &(part, _) in parts {
            let of_part = self.content(part);
            new.push(if is_observable && !content.address {
                self.as_operand(part)
            } else if content.address && !of_part.address && self.may_lead_away(part, of_part) {
                self.observe("an offset that is computed from addresses");
                let ty = Type::unsigned(self.pool.width(part));
                self.approximation(ty)
            } else {
                self.rewritten[&part]
            });
        }
        if parts.iter().zip(&new).all(|(part, new)| part.0 == *new) {
            return term;
        }
        let width = self.pool.width(term);
        let constant = linearize(self.pool, term).map_or(0, |sum| sum.constant);
        let mut sum = self.pool.bv_i64(width, constant as i64);
        for (&(_, coefficient), part) in parts.iter().zip(new) {
            let factor = self.pool.bv_i64(width, coefficient as i64);
            let product = self.pool.bv_mul(part, factor);
            sum = self.pool.bv_add(sum, product);
        }
        sum
    }

    /// Whether `part`, with this content, may be the distance of two objects.
    fn may_lead_away(&mut self, part: Term, content: Content) -> bool {
        let slot = self.program.machine.slot_bits.unwrap_or(0);
        self.side(part) == Side::Internal || content.derived.is_some() && content.bits + 2 > slot
    }

    fn side(&mut self, term: Term) -> Side {
        if !matches!(self.pool.sort(term), Sort::BitVec(_)) {
            let content = self.content(term);
            return match content.derived {
                Some(family) if self.contents.families.is_internal(family) => Side::Internal,
                _ => Side::Number,
            };
        }
        if self.pool.as_bv_u64(term) == Some(0) {
            return Side::Null;
        }
        let content = self.content(term);
        match (content.derived, content.address, content.number) {
            (Some(family), false, _) if !self.contents.families.is_internal(family) => Side::Number,
            (Some(family), _, false) if self.contents.families.is_xor(family) => Side::Address,
            (Some(_), ..) => Side::Internal,
            (None, false, _) => Side::Number,
            (None, true, false) => Side::Address,
            (None, true, true) => Side::Mixed,
        }
    }

    /// Whether a term is derived from addresses, as by an exclusive disjunction.
    fn is_xor(&mut self, term: Term) -> bool {
        self.content(term).derived.is_some()
    }

    fn comparison(&mut self, term: Term, op: Op, children: &[Term]) -> Term {
        let (a, b) = (children[0], children[1]);
        // The front end tests whether an address is that of a function.
        if let (Op::BvUlt, Some(bits)) = (op, self.program.machine.slot_bits)
            && self.pool.as_bv_u64(b) == Some(1 << bits)
        {
            return self.rebuilt(term, children);
        }
        let (of_a, of_b) = (self.side(a), self.side(b));
        match (of_a, of_b) {
            (Side::Null | Side::Number, Side::Null | Side::Number) => self.rebuilt(term, children),
            // Null is not the address of an object.
            (Side::Address | Side::Mixed, Side::Null) | (Side::Null, Side::Address | Side::Mixed)
                if op == Op::Eq =>
            {
                self.rebuilt(term, children)
            }
            (Side::Address, Side::Address) => self.addresses(term, op, a, b),
            (Side::Internal | Side::Mixed, _) | (_, Side::Internal | Side::Mixed) => {
                self.observe("a comparison with a value derived from addresses");
                self.any_truth()
            }
            (Side::Address, _) if self.is_xor(a) => self.unclear(),
            (_, Side::Address) if self.is_xor(b) => self.unclear(),
            _ => {
                self.observe("a comparison of an address with a number");
                let new: Vec<Term> = [(a, of_a), (b, of_b)]
                    .into_iter()
                    .map(|(term, side)| match side {
                        Side::Address => self.observable(term),
                        _ => self.rewritten[&term],
                    })
                    .collect();
                self.pool.rebuild(term, &new)
            }
        }
    }

    fn unclear(&mut self) -> Term {
        self.observe("a comparison with a value derived from addresses");
        self.any_truth()
    }

    /// Rewrites a comparison of two addresses.
    fn addresses(&mut self, term: Term, op: Op, a: Term, b: Term) -> Term {
        let children = [a, b];
        if self.contents.are_of_one_object(self.pool, self.program, self.function, a, b)
            || (op == Op::Eq && !self.may_differ(a, b))
        {
            return self.rebuilt(term, &children);
        }
        self.observe(if op == Op::Eq {
            "an equality of addresses where one may be past the end of an object or belong to a dead object"
        } else {
            "an order of addresses"
        });
        let Some(tracked) = self.tracked else { return self.any_truth() };
        let (new_a, new_b) = (self.rewritten[&a], self.rewritten[&b]);
        let (shown_a, shown_b) = (self.observable(a), self.observable(b));
        let (inside_a, inside_b) = (self.is_inside(tracked, new_a), self.is_inside(tracked, new_b));
        let pool = &mut *self.pool;
        let are_inside = pool.and2(inside_a, inside_b);
        let are_equal = pool.eq(shown_a, shown_b);
        if op != Op::Eq {
            // Live objects are disjoint, so their addresses are ordered even if a placement lets
            // them overlap.
            let order = pool.rebuild(term, &[shown_a, shown_b]);
            let internal = pool.rebuild(term, &[new_a, new_b]);
            let tie = pool.and(&[are_equal, are_inside, internal]);
            return pool.or2(order, tie);
        }
        let top = pool.width(a) - 1;
        let slots = [new_a, new_b].map(|address| pool.extract(top, tracked.bits, address));
        let none = pool.bv(top + 1 - tracked.bits, 0);
        let same = pool.eq(new_a, new_b);
        let may_coincide = [
            pool.neq(slots[0], slots[1]),
            pool.neq(slots[0], none),
            pool.neq(slots[1], none),
            pool.not(are_inside),
            are_equal,
        ];
        let coincide = pool.and(&may_coincide);
        pool.or2(same, coincide)
    }

    /// Whether two addresses may be equal although they belong to different objects: one of them is
    /// past the end of its object, or one object is dead when the other is created.
    fn may_differ(&mut self, a: Term, b: Term) -> bool {
        let (of_a, of_b) = (self.bases(a), self.bases(b));
        if of_a.is_unknown || of_b.is_unknown {
            return true;
        }
        let is_data = |possible: &PossibleBases| {
            possible.bases.iter().any(|(base, _)| !matches!(base, Base::Function(_)))
        };
        if !is_data(&of_a) || !is_data(&of_b) {
            return false;
        }
        self.may_be_past_the_end(&of_a) || self.may_be_past_the_end(&of_b) || self.may_be_dead(&of_a, &of_b)
    }

    fn may_be_past_the_end(&self, possible: &PossibleBases) -> bool {
        possible.bases.iter().any(|&(base, offset)| {
            let Some(offset) = offset else { return !matches!(base, Base::Function(_)) };
            let size = match base {
                Base::Object(object) => Some(i128::from(self.program.objects[object].size)),
                Base::Function(_) => return false,
                Base::Heap(function, value) => self
                    .contents
                    .same
                    .allocation(function, value)
                    .and_then(|(size, _)| self.pool.as_bv_u64(size))
                    .map(i128::from),
            };
            match size {
                Some(size) => offset < 0 || offset >= size,
                None => offset != 0,
            }
        })
    }

    fn may_be_dead(&self, a: &PossibleBases, b: &PossibleBases) -> bool {
        let heap =
            |possible: &PossibleBases| possible.bases.iter().any(|(base, _)| matches!(base, Base::Heap(..)));
        if self.blocks == HeapBlocks::MayEnd && heap(a) && heap(b) {
            return true;
        }
        // Automatic objects, and the allocated objects that replace them.
        let automatic = |possible: &PossibleBases| {
            let mut bases: Vec<Base> = possible
                .bases
                .iter()
                .map(|&(base, _)| base)
                .filter(|base| match base {
                    Base::Object(object) => self.program.objects[*object].owner.is_some(),
                    Base::Heap(function, value) => !self.contents.same.is_heap_block(*function, *value),
                    Base::Function(_) => false,
                })
                .collect();
            bases.dedup();
            bases
        };
        let (of_a, of_b) = (automatic(a), automatic(b));
        let is_one_object = |bases: &[Base]| match bases {
            [Base::Object(object)] => self.contents.same.is_single_object(self.program, *object),
            _ => false,
        };
        !(of_a.is_empty() || of_b.is_empty() || of_a == of_b && is_one_object(&of_a))
    }

    /// Rewrites any other Boolean operation on numbers.
    fn predicate(&mut self, term: Term, children: &[Term]) -> Term {
        let mut new = Vec::with_capacity(children.len());
        for &child in children {
            if self.pool.sort(child) == Sort::Bool {
                new.push(self.rewritten[&child]);
                continue;
            }
            match self.side(child) {
                Side::Null | Side::Number => new.push(self.rewritten[&child]),
                Side::Address | Side::Mixed | Side::Internal => return self.unclear(),
            }
        }
        if new == children { term } else { self.pool.rebuild(term, &new) }
    }
}
