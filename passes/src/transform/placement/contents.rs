//! The contents of all values with respect to addresses: a flow-insensitive analysis of the whole
//! program.
//!
//! Each value, result, scalar region and memory field has a [`Content`]: whether it may hold an
//! *address* (an address of an object plus an integer), a *number* that is not an address, and
//! whether it may hold a value *derived* from addresses in any other way: by masks, shifts,
//! products, differences of addresses of different objects, or as single bytes. Values that are
//! derived together form a [`Family`] (union-find), since its members must have the same
//! representation: all in terms of observable addresses, or all in terms of internal ones.
//!
//! A family is *internal* if one of its members is used as an address again (a tagged pointer, a
//! list linked by exclusive disjunctions), or if it consists of bytes of stored addresses. Its
//! members keep their internal values, and decisions of the program that depend on them are
//! approximated.
//!
//! Memory is abstracted by the fields of the points-to classes, and within each field by the size
//! of the access and whether it moves a pointer. Accesses of one field overlap if the analysis
//! knows their offsets. In the class of exposed objects, whose offsets are unknown, an access of
//! several bytes is assumed to read data that was stored with the same kind (C11 6.5p7), and an
//! access of one byte may read any data.

use super::super::points_to::{Base, Contexts, PointsTo, fields, is_pointer, linearize};
use super::super::signature::possible_targets;
use super::content::{Content, Families, Family};
use super::magnitude;
use super::shapes::{changes_low_bits, is_small, largest, narrowed, object_start, slot_part};
use super::uses::{CellsOf, Uses};
use program::ssa::{
    Block, Callee, Function, Instruction, InstructionKind, Program, Region, Terminator, Type, Value,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Term, TermPool};

/// The abstract memory of a field of a points-to class.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// The content of stored pointers.
    pointers: Content,
    /// The content of stored integers, by size in bytes.
    integers: BTreeMap<u64, Content>,
    /// Whether offsets within the field are unknown.
    is_coarse: bool,
}

/// The dependence of stored values on addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stored {
    /// Only numbers are stored.
    Numbers,
    /// Pointers are stored, and integers that are independent of addresses.
    Pointers,
    /// Integers that depend on addresses are stored.
    Dependent,
}

/// The result of the analysis.
pub(super) struct Contents {
    pub(super) points_to: PointsTo,
    values: PrimaryMap<Function, PrimaryMap<Value, Content>>,
    results: PrimaryMap<Function, Content>,
    scalars: PrimaryMap<Region, Content>,
    cells: Vec<Cell>,
    cells_of: CellsOf,
    pub(super) families: Families,
    sites: FxHashMap<(Function, Term), Family>,
    /// A cache for one round.
    terms: FxHashMap<(Function, Term), Content>,
    aligns: FxHashMap<(Function, Term), u64>,
    /// Answers of [`are_of_one_object`](Self::are_of_one_object).
    pairs: FxHashMap<(Function, Term, Term), bool>,
    uses: Uses,
    /// The functions for which something that they use has changed since their last visit.
    changed: PrimaryMap<Function, bool>,
    pub(super) same: super::objects::Origins,
    address_taken: Vec<Function>,
    /// Whether memory is accessed at an address that the program may have computed from numbers.
    pub(super) has_computed_accesses: bool,
    /// Whether a sum of small numbers counts as a number rather than as a small one.
    do_sums_grow: bool,
}

impl Contents {
    /// Analyzes `program`, as lowered.
    pub(super) fn new(pool: &TermPool, program: &Program) -> Self {
        let mut points_to = PointsTo::new(pool, program, Contexts::per_call(program));
        let mut cells = Vec::new();
        let mut cells_of: CellsOf = FxHashMap::default();
        for class in points_to.address_classes() {
            // Variable arguments of all types are stored consecutively.
            let has_arguments = class.bases.iter().any(|(base, _)| match base {
                Base::Object(object) => {
                    let data = &program.objects[*object];
                    data.owner.is_some() && data.align == 16 && data.name.starts_with("arguments")
                }
                _ => false,
            });
            let is_coarse = class.modulus == 1 || (class.modulus != 0 && has_arguments);
            for field in fields(&class) {
                for &access in &field.accesses {
                    let of = cells_of.entry(class.accesses[access].0.place).or_default();
                    if of.last() != Some(&cells.len()) {
                        of.push(cells.len());
                    }
                }
                cells.push(Cell { is_coarse, ..Cell::default() });
            }
        }
        let values = program.functions.values().map(|data| {
            let contents: PrimaryMap<Value, Content> =
                data.values.values().map(|_| Content::default()).collect();
            contents
        });
        let uses = Uses::of(program, points_to.address_taken(), &cells_of, cells.len());
        let mut contents = Contents {
            values: values.collect(),
            results: program.functions.values().map(|_| Content::default()).collect(),
            scalars: program.regions.values().map(|_| Content::NEUTRAL).collect(),
            same: super::objects::Origins::new(pool, program),
            address_taken: points_to.address_taken().to_vec(),
            points_to,
            cells,
            cells_of,
            families: Families::default(),
            sites: FxHashMap::default(),
            terms: FxHashMap::default(),
            aligns: FxHashMap::default(),
            pairs: FxHashMap::default(),
            uses,
            changed: program.functions.values().map(|_| true).collect(),
            has_computed_accesses: false,
            do_sums_grow: false,
        };
        contents.visit(pool, program);
        // In the first phase null values may still turn out to be addresses, so sums of small
        // numbers become numbers only in the second phase.
        contents.do_sums_grow = true;
        contents.changed.values_mut().for_each(|changed| *changed = true);
        contents.visit(pool, program);
        contents.terms.clear();
        contents
    }

    /// The values whose content depends on the placement of objects.
    pub(super) fn dependent_values(&self) -> impl Iterator<Item = (Function, Value)> + '_ {
        self.values.iter().flat_map(|(function, values)| {
            let dependent = values.iter().filter(|(_, content)| !content.is_clean());
            dependent.map(move |(value, _)| (function, value))
        })
    }

    /// The scalar regions whose content depends on the placement of objects.
    pub(super) fn dependent_regions(&self) -> impl Iterator<Item = Region> + '_ {
        self.scalars.iter().filter(|(_, content)| !content.is_clean()).map(|(region, _)| region)
    }

    /// Whether pointers, and whether integers that depend on the placement of objects, are stored.
    pub(super) fn stored(&self) -> Stored {
        let is_dependent = |cell: &Cell| cell.integers.values().any(|content| !content.is_clean());
        if self.cells.iter().any(is_dependent) {
            Stored::Dependent
        } else if self.cells.iter().any(|cell| !cell.pointers.is_clean()) {
            Stored::Pointers
        } else {
            Stored::Numbers
        }
    }

    /// Joins `content` to that of a place; whether this changes it.
    fn raise(&mut self, place: impl Fn(&mut Self) -> &mut Content, content: Content) -> bool {
        let before = *place(self);
        let joined = self.families.join(before, content);
        *place(self) = joined;
        joined != before
    }

    /// Joins `content` to the content of `value`.
    fn define(&mut self, program: &Program, function: Function, value: Value, content: Content) {
        let content = self.families.as_type(content, program.functions[function].values[value].ty);
        if self.raise(|this| &mut this.values[function][value], content) {
            self.changed[function] = true;
        }
    }

    fn define_result(&mut self, function: Function, content: Content) {
        if self.raise(|this| &mut this.results[function], content) {
            self.uses.callers[function].iter().for_each(|&user| self.changed[user] = true);
        }
    }

    fn define_scalar(&mut self, region: Region, content: Content) {
        if self.raise(|this| &mut this.scalars[region], content) {
            self.uses.of_scalars[region].iter().for_each(|&user| self.changed[user] = true);
        }
    }

    fn define_cell(&mut self, cell: usize, ty: Type, content: Content) {
        let has_changed = if is_pointer(ty) {
            self.raise(|this| &mut this.cells[cell].pointers, content)
        } else {
            let bytes = ty.bytes();
            self.raise(|this| this.cells[cell].integers.entry(bytes).or_default(), content)
        };
        if has_changed {
            self.uses.of_cells[cell].iter().for_each(|&user| self.changed[user] = true);
        }
    }

    /// Visits functions until nothing changes that they use. The families that a visit creates,
    /// unites and marks depend on contents only.
    fn visit(&mut self, pool: &TermPool, program: &Program) {
        while self.changed.values().any(|&changed| changed) {
            self.terms.clear();
            for function in program.functions.keys() {
                if std::mem::take(&mut self.changed[function]) {
                    self.visit_function(pool, program, function);
                }
            }
        }
    }

    fn visit_function(&mut self, pool: &TermPool, program: &Program, function: Function) {
        let data = &program.functions[function];
        for (block, block_data) in data.blocks.iter() {
            for (index, instruction) in block_data.instructions.iter().enumerate() {
                self.visit_instruction(pool, program, (function, block, index), instruction);
            }
            // The families of all terms must exist before any term is rewritten.
            let mut terms = Vec::new();
            block_data.terminator.for_each_own_term(|term| terms.push(term));
            for term in terms {
                self.of(pool, program, function, term);
            }
            if let Terminator::Return(Some(term)) = &block_data.terminator {
                let content = self.of(pool, program, function, *term);
                let content = self.families.as_type(content, data.result.unwrap_or(Type::Bool));
                self.define_result(function, content);
            }
            for edge in block_data.terminator.edges() {
                let parameters = &data.blocks[edge.target].parameters;
                for (&parameter, &argument) in parameters.iter().zip(&edge.arguments) {
                    let content = self.of(pool, program, function, argument);
                    self.define(program, function, parameter, content);
                }
            }
        }
    }

    fn visit_instruction(
        &mut self,
        pool: &TermPool,
        program: &Program,
        place: (Function, Block, usize),
        instruction: &Instruction,
    ) {
        let function = place.0;
        let data = &program.functions[function];
        let result = instruction.result;
        let mut terms = Vec::new();
        instruction.kind.for_each_term(|term| terms.push(term));
        for term in terms {
            self.of(pool, program, function, term);
        }
        match &instruction.kind {
            InstructionKind::Pure(term) => {
                let content = match narrowed(pool, program, instruction) {
                    Some(_) => self.of_operands(pool, function, *term),
                    None => self.of(pool, program, function, *term),
                };
                if let Some(value) = result {
                    self.define(program, function, value, content);
                }
            }
            InstructionKind::AddressOf(_)
            | InstructionKind::FunctionAddress(_)
            | InstructionKind::Allocate { .. } => {
                if let Some(value) = result {
                    self.define(program, function, value, Content::ADDRESS);
                }
            }
            InstructionKind::Havoc(_) => {
                if let Some(value) = result {
                    let is_pointer = is_pointer(data.values[value].ty);
                    let content = if is_pointer { Content::ADDRESS } else { Content::NUMBER };
                    self.define(program, function, value, content);
                }
            }
            InstructionKind::Load { region, address } => {
                let content = self.load(pool, program, place, *region, *address, result);
                if let Some(value) = result {
                    self.define(program, function, value, content);
                }
            }
            InstructionKind::Store { region, address, value, ty, .. } => {
                let content = self.of(pool, program, function, *value);
                let content = self.families.as_type(content, *ty);
                if program.shadow.contains(*region) {
                    return;
                }
                let Some(address) = *address else {
                    self.define_scalar(*region, content);
                    return;
                };
                self.uses_address(pool, program, function, address);
                for cell in self.cells_of.get(&place).cloned().unwrap_or_default() {
                    self.define_cell(cell, *ty, content);
                }
            }
            InstructionKind::Forget { .. } => {}
            InstructionKind::Call { callee, arguments } => {
                let targets: Vec<Function> = match callee {
                    Callee::Direct(target) => vec![*target],
                    Callee::Indirect { address, .. } => {
                        self.uses_address(pool, program, function, *address);
                        let used = result.map(|value| program.functions[function].values[value].ty);
                        possible_targets(pool, program, &self.address_taken, (callee, arguments), used)
                    }
                };
                for target in targets {
                    self.call(pool, program, function, target, arguments, result);
                }
            }
        }
    }

    fn call(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        target: Function,
        arguments: &[Term],
        result: Option<Value>,
    ) {
        let callee = &program.functions[target];
        if callee.is_defined() {
            let parameters = &callee.blocks[callee.entry].parameters;
            for (&parameter, &argument) in parameters.iter().zip(arguments) {
                if pool.sort(argument) == callee.values[parameter].ty.sort() {
                    let content = self.of(pool, program, function, argument);
                    self.define(program, target, parameter, content);
                }
            }
        }
        let Some(value) = result else { return };
        let is_pointer = is_pointer(program.functions[function].values[value].ty);
        let content = match (callee.is_defined(), is_pointer) {
            (true, _) => self.results[target],
            (false, true) => Content::ADDRESS,
            (false, false) => Content::NUMBER,
        };
        self.define(program, function, value, content);
    }

    /// Memory is accessed at `address`: derived values in it are addresses again.
    fn uses_address(&mut self, pool: &TermPool, program: &Program, function: Function, address: Term) {
        let content = self.of(pool, program, function, address);
        self.has_computed_accesses |= content.is_computed();
        if let Some(family) = content.derived {
            self.families.make_internal(family);
        }
    }

    fn load(
        &mut self,
        pool: &TermPool,
        program: &Program,
        place: (Function, Block, usize),
        region: Region,
        address: Option<Term>,
        result: Option<Value>,
    ) -> Content {
        if program.shadow.contains(region) {
            let holds_addresses = Some(region) == program.shadow.previous;
            return if holds_addresses { Content::ADDRESS } else { Content::NUMBER };
        }
        let Some(address) = address else { return self.scalars[region] };
        self.uses_address(pool, program, place.0, address);
        let (Some(cells), Some(result)) = (self.cells_of.get(&place).cloned(), result) else {
            return Content::NUMBER;
        };
        let ty = program.functions[place.0].values[result].ty;
        let mut content = Content::default();
        for cell in cells {
            let of_cell = self.load_cell(pool, program, place, cell, ty);
            content = self.families.join(content, of_cell);
        }
        content
    }

    /// The content of a value of type `ty` that is loaded from a cell.
    fn load_cell(
        &mut self,
        pool: &TermPool,
        program: &Program,
        place: (Function, Block, usize),
        cell: usize,
        ty: Type,
    ) -> Content {
        let (bytes, pointer_bytes) = (ty.bytes(), u64::from(program.machine.pointer_width / 8));
        let cell = &self.cells[cell];
        let is_coarse = cell.is_coarse;
        let same_size = cell.integers.get(&bytes).copied().unwrap_or_default();
        let pointers = cell.pointers;
        let others = cell.integers.iter().filter(|&(&size, _)| size != bytes);
        let parts: Vec<(u64, Content)> = others.map(|(&size, &content)| (size, content)).collect();
        let mut content = same_size;
        let reads_bytes = |size: u64| !is_coarse || size == 1 || bytes == 1;
        if is_pointer(ty) {
            content = self.families.join(content, pointers);
            for (size, part) in parts {
                if let Some(family) = part.derived.filter(|_| reads_bytes(size)) {
                    self.families.make_internal(family);
                }
            }
            return Content { derived: content.derived, bits: content.bits, ..Content::ADDRESS };
        }
        if bytes == pointer_bytes {
            if !is_coarse {
                content = self.families.join(content, pointers);
            }
        } else if !pointers.is_clean() && reads_bytes(pointer_bytes) {
            content = self.join_bytes(place, pool, program, content, pointers);
        }
        for (size, part) in parts {
            if !part.is_clean() && reads_bytes(size) {
                content = self.join_bytes(place, pool, program, content, part);
            }
        }
        // Memory without stores holds numbers.
        Content { number: content.number || content.is_clean(), ..content }
    }

    /// The join of `content` and some bytes of `whole`.
    fn join_bytes(
        &mut self,
        place: (Function, Block, usize),
        pool: &TermPool,
        program: &Program,
        content: Content,
        whole: Content,
    ) -> Content {
        let InstructionKind::Load { address: Some(address), .. } =
            program.functions[place.0].blocks[place.1].instructions[place.2].kind
        else {
            return content;
        };
        debug_assert!(pool.sort(address) != Sort::Bool);
        let family = self.site(place.0, address, Members::Bytes);
        if let Some(of_whole) = whole.derived {
            self.families.unite(family, of_whole);
        }
        let bits = magnitude::UNBOUNDED;
        self.families.join(content, Content { derived: Some(family), bits, ..Content::default() })
    }

    fn site(&mut self, function: Function, term: Term, members: Members) -> Family {
        match self.sites.get(&(function, term)) {
            Some(&family) => self.families.root(family),
            None => {
                let family = self.families.fresh(members == Members::Xor, members == Members::Bytes);
                self.sites.insert((function, term), family);
                family
            }
        }
    }

    /// The content of `term` in `function`.
    pub(super) fn of(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> Content {
        if let Some(&known) = self.terms.get(&(function, term)) {
            return known;
        }
        let mut order = Vec::new();
        let terms = &self.terms;
        pool.visit(&[term], |inner| !terms.contains_key(&(function, inner)), |inner| order.push(inner));
        for inner in order {
            if !self.terms.contains_key(&(function, inner)) {
                let content = self.of_node(pool, program, function, inner);
                self.terms.insert((function, inner), content);
            }
        }
        self.terms[&(function, term)]
    }

    /// The content of a term whose operands are known.
    fn of_node(&mut self, pool: &TermPool, program: &Program, function: Function, term: Term) -> Content {
        if pool.sort(term) == Sort::Bool {
            return Content::default();
        }
        let children = pool.children(term);
        match pool.op(term) {
            Op::Value(index) => {
                let content = self.values[function][Value(index)];
                Content { derived: content.derived.map(|family| self.families.root(family)), ..content }
            }
            Op::Ite => {
                let (a, b) = (self.known(function, children[1]), self.known(function, children[2]));
                self.families.join(a, b)
            }
            _ if children.is_empty() => match pool.as_bv_u64(term) {
                Some(number) if is_small(number, pool.width(term)) => Content::NEUTRAL,
                _ => Content::NUMBER,
            },
            _ => {
                // Summands are visited below, so that terms that cancel out are ignored.
                let is_unreached = self.has_unreached(pool, function, term);
                let preserved =
                    if is_unreached { None } else { self.preserved(pool, program, function, term) };
                preserved.unwrap_or_else(|| self.of_operands(pool, function, term))
            }
        }
    }

    fn has_unreached(&self, pool: &TermPool, function: Function, term: Term) -> bool {
        pool.children(term)
            .iter()
            .any(|&child| pool.sort(child) != Sort::Bool && self.known(function, child).is_unreached())
    }

    /// The content of an operation on all operands of a term, which are known.
    pub(super) fn of_operands(&mut self, pool: &TermPool, function: Function, term: Term) -> Content {
        if self.has_unreached(pool, function, term) {
            return Content::default();
        }
        // Results of operations on small numbers may be large.
        let stays_small = match pool.op(term) {
            Op::SignExtend(_) | Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor => true,
            Op::Extract { low: 0, .. } => true,
            _ => {
                !self.do_sums_grow || largest(pool, term).is_some_and(|most| is_small(most, pool.width(term)))
            }
        };
        let mut content = if stays_small { Content::NEUTRAL } else { Content::NUMBER };
        let mut members = if pool.op(term) == Op::BvXor { Members::Xor } else { Members::Others };
        let (mut is_touched, mut is_mixed) = (false, false);
        for &child in pool.children(term) {
            let of_child = self.known(function, child);
            is_touched |= !of_child.is_clean();
            is_mixed |= of_child.address && of_child.number;
            content.number |= of_child.number;
            if of_child.number {
                members = Members::Others;
            }
            if let Some(family) = of_child.derived {
                content =
                    self.families.join(content, Content { derived: Some(family), ..Content::default() });
                if of_child.address {
                    self.families.make_internal(family);
                }
            }
        }
        if !is_touched {
            return content;
        }
        let bits = magnitude::of_operation(pool, term, |child| self.known(function, child));
        let derived = self.derived(function, term, members, content.derived, bits);
        if let (true, Some(family)) = (is_mixed, derived.derived) {
            self.families.make_internal(family);
        }
        derived
    }

    fn known(&self, function: Function, term: Term) -> Content {
        let content = self.terms.get(&(function, term)).copied().unwrap_or(Content::NUMBER);
        Content { derived: content.derived.map(|family| self.families.root(family)), ..content }
    }

    fn derived(
        &mut self,
        function: Function,
        term: Term,
        members: Members,
        with: Option<Family>,
        bits: u32,
    ) -> Content {
        let mut family = self.site(function, term, members);
        if let Some(with) = with {
            family = self.families.unite(family, with);
        }
        if members != Members::Xor {
            self.families.make_general(family);
        }
        Content { derived: Some(family), bits, ..Content::default() }
    }

    /// The content of a term that is an address plus a number, or that does not depend on
    /// addresses; `None` for other terms.
    fn preserved(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> Option<Content> {
        let children = pool.children(term);
        match pool.op(term) {
            Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul | Op::BvShl => {
                let sum = linearize(pool, term)?;
                if sum.parts.iter().any(|part| part.0 == term) {
                    return None;
                }
                Some(self.of_sum(pool, program, function, term, &sum.parts))
            }
            op @ (Op::BvAnd | Op::BvOr | Op::BvXor) => {
                let (&[a, b], true) = (children, children.len() == 2) else { return None };
                let (of_a, of_b) = (self.known(function, a), self.known(function, b));
                let (address, mask) = match (of_a.is_clean(), of_b.is_clean()) {
                    (false, true) => (a, b),
                    (true, false) => (b, a),
                    _ => return None,
                };
                if !self.known(function, address).is_address() {
                    return None;
                }
                let align = self.align(pool, program, function, address);
                let width = pool.width(term);
                let ones = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                match (op, pool.as_bv_u64(mask)) {
                    (Op::BvAnd, Some(mask)) if mask < align => Some(Content::NUMBER),
                    (Op::BvAnd, Some(mask)) if !mask & ones < align => Some(Content::ADDRESS),
                    (Op::BvAnd, _) if largest(pool, mask).is_some_and(|most| most < align) => {
                        Some(Content::NUMBER)
                    }
                    (Op::BvOr | Op::BvXor, _) if largest(pool, mask).is_some_and(|most| most < align) => {
                        Some(Content::ADDRESS)
                    }
                    _ if changes_low_bits(pool, op, mask) => Some(Content::ADDRESS),
                    _ => None,
                }
            }
            // The checks of the front end: the slot of an address, and the offset of the address in
            // it.
            Op::Extract { .. } if slot_part(pool, program, term).is_some() => Some(Content::NUMBER),
            Op::Concat if object_start(pool, program, term).is_some() => Some(Content::ADDRESS),
            Op::Extract { high, low: 0 } => {
                let content = self.known(function, children[0]);
                let is_low = content.is_address()
                    && high < 63
                    && 1u64 << (high + 1) <= self.align(pool, program, function, children[0]);
                is_low.then_some(Content::NUMBER)
            }
            Op::BvUrem => {
                let divisor = pool.as_bv_u64(children[1]).filter(|divisor| divisor.is_power_of_two())?;
                let is_low = self.known(function, children[0]).is_address()
                    && divisor <= self.align(pool, program, function, children[0]);
                is_low.then_some(Content::NUMBER)
            }
            _ => None,
        }
    }

    /// The content of a sum.
    fn of_sum(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
        parts: &[(Term, i128)],
    ) -> Content {
        let mut addresses: Vec<(Term, i128, Content)> = Vec::new();
        let (mut derived, mut is_number) = (None, false);
        for &(part, coefficient) in parts {
            let content = self.of(pool, program, function, part);
            if content.is_unreached() {
                return content;
            }
            is_number |= content.number;
            if content.address {
                addresses.push((part, coefficient, content));
            } else if let Some(family) = content.derived {
                derived = Some(derived.map_or(family, |other| self.families.unite(family, other)));
            }
        }
        // Differences of addresses of one object are numbers.
        while let Some((first, second)) = self.same_object_pair(pool, program, function, &addresses) {
            addresses.remove(first.max(second));
            addresses.remove(first.min(second));
        }
        let bits = magnitude::of_sum(pool, term, parts, |part| self.known(function, part));
        match addresses[..] {
            [] => match derived {
                Some(family) => self.derived(function, term, Members::Others, Some(family), bits),
                None if is_number || self.do_sums_grow => Content::NUMBER,
                None => Content::NEUTRAL,
            },
            // A number that is derived from addresses acts as an offset: see `magnitude`.
            [(_, 1, content)] => content,
            _ => {
                for &(_, _, content) in &addresses {
                    if let Some(family) = content.derived {
                        derived = Some(derived.map_or(family, |other| self.families.unite(family, other)));
                        self.families.make_internal(family);
                    }
                }
                let result = self.derived(function, term, Members::Others, derived, bits);
                if let (true, Some(family)) = (addresses.iter().any(|part| part.2.number), result.derived) {
                    self.families.make_internal(family);
                }
                result
            }
        }
    }

    fn same_object_pair(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        addresses: &[(Term, i128, Content)],
    ) -> Option<(usize, usize)> {
        for (i, &(a, sign, _)) in addresses.iter().enumerate() {
            for (j, &(b, other, _)) in addresses.iter().enumerate().skip(i + 1) {
                if sign.abs() == 1 && other == -sign && self.are_of_one_object(pool, program, function, a, b)
                {
                    return Some((i, j));
                }
            }
        }
        None
    }

    /// The alignment of every address that `term` may be, ignoring offsets from the first address
    /// of the object: of the internal and of the observable address.
    pub(super) fn align(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> u64 {
        if let Some(&known) = self.aligns.get(&(function, term)) {
            return known;
        }
        let possible = self.points_to.bases_of(pool, program, function, term);
        let aligns = possible.bases.iter().map(|&(base, _)| match base {
            Base::Object(object) => program.objects[object].align.min(program::layout::SLOT_ALIGN),
            Base::Function(_) => 1,
            Base::Heap(function, value) => {
                let allocation = self.same.allocation(function, value);
                allocation.map_or(1, |(_, align)| align.min(program.machine.block_align()))
            }
        });
        let align = aligns.min().unwrap_or(1);
        self.aligns.insert((function, term), align);
        align
    }

    /// Whether both terms are addresses of the same object whenever both are addresses.
    pub(super) fn are_of_one_object(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        a: Term,
        b: Term,
    ) -> bool {
        if let Some(&known) = self.pairs.get(&(function, a, b)) {
            return known;
        }
        let answer = self.same.are_of_one_origin(pool, program, function, a, b)
            || self.is_one_object(pool, program, function, (a, b));
        self.pairs.insert((function, a, b), answer);
        answer
    }

    /// Whether both terms are addresses of one object that exists once.
    fn is_one_object(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        (a, b): (Term, Term),
    ) -> bool {
        let of_a = self.points_to.bases_of(pool, program, function, a);
        let of_b = self.points_to.bases_of(pool, program, function, b);
        let ([(first, _)], [(second, _)]) = (&of_a.bases[..], &of_b.bases[..]) else { return false };
        let is_single = match first {
            Base::Object(object) => self.same.is_single_object(program, *object),
            Base::Function(_) => true,
            Base::Heap(..) => false,
        };
        first == second && is_single && !of_a.is_unknown && !of_b.is_unknown
    }
}

/// The kind of computation of the members of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Members {
    Xor,
    Bytes,
    Others,
}
