//! Automatic objects of scopes that one activation enters more than once.
//!
//! # Idea
//!
//! In C, the lifetime of an object extends from the entry of its block to its exit, and each entry
//! creates a new object: a pointer to the `x` of one iteration of `for (…) { int x; … }` is
//! dangling in the next iteration. With one address per declaration the two objects could not be
//! distinguished. So where memory safety is checked, an object whose address other code may observe
//! and whose scope can be left and re-entered is *allocated*: each entry of the scope creates an
//! *instance* in a slot of its own.
//!
//! * *Which scopes?* A cycle of the control flow that leaves and re-enters a scope passes through a
//!   loop statement around the scope, or through a `goto` to a label above it (a *back jump*) such
//!   that the code between the two is not entirely within the scope. All other scopes keep one
//!   address per object.
//! * *Where does an instance begin?* At the declaration, if each entry of the scope reaches it
//!   exactly once. If a jump within the scope skips the declaration, at the start of the scope; a
//!   declaration that is reached again during the same lifetime makes the contents indeterminate.
//!   If jumps enter the scope (`goto`, the labels of an enclosing `switch`), at its start and at
//!   each of its labels, if there is no instance yet. A hidden variable holds the address of the
//!   current instance, or null.
//! * *Where does it end?* Where control leaves the scope (`lifetimes`).
//! * *Compound literals* belong to the enclosing block. An instance begins where the literal is
//!   evaluated, if the scope has no instance yet.
//! * *Objects with one address* in a scope with a back jump over their declaration also begin at
//!   the start of the scope, because the exit from the scope may lie above the declaration.
//!
//! Statements are numbered in source order, except that a compound statement comes after its parts.
//! Hence a scope is an interval of numbers, and so is a back jump ([`Jumps`]).
//!
//! Cost: one allocation per entry of the scope. Limits: unsupported are a repeated declaration
//! without an initializer, within one lifetime, of an object with more than [`MAX_FORGOTTEN`]
//! scalars; a compound literal with a back jump over it within its block; and a computed goto in
//! the scope of an instance.

use super::function::{Lowering, Storage};
use super::module::MEMORY;
use super::places::Location;
use super::ssa::Variable;
use crate::c::hir::{self, InitId, LabelId, LocalId, LocalKind, StmtId, StmtKind};
use crate::c::types::Type as CType;
use grammars::source::Span;
use program::ssa::{Contents, HavocSource, InstructionKind, Part, Value, ValueData};
use rustc_hash::FxHashMap;
use terms::Term;

/// The largest number of scalars of an object whose contents can become indeterminate again.
const MAX_FORGOTTEN: usize = 64;

/// An interval of the source: its first and its last statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    first: StmtId,
    last: StmtId,
}

impl Extent {
    fn contains(self, stmt: StmtId) -> bool {
        self.first <= stmt && stmt <= self.last
    }

    fn meets(self, other: Extent) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    fn surrounds(self, other: Extent) -> bool {
        self.contains(other.first) && self.contains(other.last)
    }
}

/// A label and the positions of the jumps to it.
#[derive(Clone, Copy, Debug)]
struct Target {
    at: StmtId,
    /// An interval that contains all statements that jump to the label.
    sources: Extent,
}

/// The jumps of a translation unit.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    /// In source order.
    targets: Vec<Target>,
    positions: FxHashMap<LabelId, StmtId>,
    /// The intervals of back jumps, from the label to the jump.
    back: Vec<Extent>,
}

impl Jumps {
    pub(super) fn of(hir: &hir::Program) -> Self {
        let mut positions = FxHashMap::default();
        let (mut jumps, mut computed): (Vec<(LabelId, StmtId)>, Vec<StmtId>) = Default::default();
        // A `goto` preceded by calls of `cleanup` functions has the position of the block that
        // contains both.
        let mut moved = FxHashMap::default();
        for (stmt, data) in hir.stmts.iter() {
            match &data.kind {
                &StmtKind::Label(label) => {
                    positions.insert(label, stmt);
                }
                &StmtKind::Goto(label) => jumps.push((label, stmt)),
                StmtKind::GotoIndirect(_) => computed.push(stmt),
                StmtKind::Block(stmts) => {
                    moved.extend(stmts.iter().filter(|&&inner| stmt < inner).map(|&inner| (inner, stmt)));
                }
                StmtKind::Switch { cases, default, .. } => {
                    jumps.extend(
                        cases.iter().map(|case| case.label).chain(*default).map(|label| (label, stmt)),
                    );
                }
                _ => {}
            }
        }
        let is_switch = |stmt: StmtId| matches!(hir[stmt].kind, StmtKind::Switch { .. });
        if !computed.is_empty() {
            let labels = hir.labels.iter().filter(|(_, data)| data.is_address_taken);
            jumps.extend(labels.flat_map(|(label, _)| computed.iter().map(move |&stmt| (label, stmt))));
        }
        let mut sources: FxHashMap<LabelId, Extent> = FxHashMap::default();
        let mut back = Vec::new();
        for (label, stmt) in jumps {
            let stmt = moved.get(&stmt).copied().unwrap_or(stmt);
            let extent = sources.entry(label).or_insert(Extent { first: stmt, last: stmt });
            *extent = Extent { first: extent.first.min(stmt), last: extent.last.max(stmt) };
            if let Some(&at) = positions.get(&label)
                && at < stmt
                && !is_switch(stmt)
            {
                back.push(Extent { first: at, last: stmt });
            }
        }
        let mut targets: Vec<Target> = positions
            .iter()
            .filter_map(|(label, &at)| Some(Target { at, sources: *sources.get(label)? }))
            .collect();
        targets.sort_unstable_by_key(|target| target.at);
        back.sort_unstable_by_key(|extent| (extent.first, extent.last));
        Self { targets, positions, back }
    }

    /// The position of a label.
    pub(super) fn position(&self, label: LabelId) -> Option<StmtId> {
        self.positions.get(&label).copied()
    }

    /// Whether a jump from outside enters the extent.
    fn enter(&self, extent: Extent) -> bool {
        let start = self.targets.partition_point(|target| target.at < extent.first);
        let mut within = self.targets[start..].iter().take_while(|target| target.at <= extent.last);
        within.any(|target| !extent.surrounds(target.sources))
    }

    /// Whether back jumps can leave the extent and re-enter it.
    fn reenter(&self, extent: Extent) -> bool {
        self.back.iter().any(|&jump| jump.meets(extent) && !extent.surrounds(jump))
    }

    /// Whether a jump within the extent can skip a statement that was not executed before.
    fn skip(&self, stmt: StmtId, extent: Extent) -> bool {
        let start = self.targets.partition_point(|target| target.at <= stmt);
        let mut behind = self.targets[start..].iter().take_while(|target| target.at <= extent.last);
        behind.any(|target| target.sources.first < stmt)
    }

    /// Whether a back jump within the extent repeats a statement.
    fn repeat(&self, stmt: StmtId, extent: Extent) -> bool {
        self.back.iter().any(|&jump| extent.surrounds(jump) && jump.contains(stmt))
    }
}

/// The action at the declaration of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declaring {
    /// Creates the instance.
    Begins,
    /// None: the instance was created at the entry of the scope.
    Goes,
    /// Makes the contents indeterminate: the declaration may have been executed before during the
    /// same lifetime.
    Forgets,
}

/// The first statement in the extent of a statement.
fn first_of(hir: &hir::Program, mut stmt: StmtId) -> StmtId {
    loop {
        stmt = match &hir[stmt].kind {
            StmtKind::Block(stmts) => match stmts.first() {
                Some(&first) => first,
                None => return stmt,
            },
            &StmtKind::If { then: inner, .. }
            | &StmtKind::While { body: inner, .. }
            | &StmtKind::DoWhile { body: inner, .. }
            | &StmtKind::Switch { body: inner, .. } => inner,
            StmtKind::For { init, body, .. } => init.first().copied().unwrap_or(*body),
            _ => return stmt,
        };
    }
}

impl Lowering<'_, '_, '_> {
    /// Opens a scope with these statements; those of a loop include its body.
    pub(super) fn open_scope_of(&mut self, statement: Option<StmtId>, stmts: &[StmtId]) {
        self.open_scope(statement);
        self.begin_scope(statement, stmts);
    }

    /// Creates the objects of the innermost scope whose lifetime begins at its start.
    pub(super) fn begin_scope(&mut self, statement: Option<StmtId>, stmts: &[StmtId]) {
        if self.slot_bits().is_none() {
            return;
        }
        let Some(&first) = stmts.first() else { return };
        let last = statement.or(stmts.last().copied()).unwrap_or(first);
        let extent = Extent { first: first_of(self.hir, first), last };
        self.lifetimes.innermost().extent = Some(extent);
        let mut declared = Vec::new();
        for &stmt in stmts {
            let StmtKind::Declare { local, initializer } = self.hir[stmt].kind else { continue };
            if self.may_be_instance(local) || initializer.is_some_and(|init| self.is_mostly_zero(local, init))
            {
                declared.push((stmt, local));
            }
        }
        if declared.is_empty() {
            return;
        }
        let jumps = self.m.jumps(self.unit);
        let is_entered_by_jumps = statement.is_some() && jumps.enter(extent);
        self.lifetimes.innermost().is_entered_by_jumps = is_entered_by_jumps;
        let is_reentered = self.is_reentered(extent);
        for (stmt, local) in declared {
            let is_repeated = jumps.repeat(stmt, extent);
            let is_skipped = is_entered_by_jumps || jumps.skip(stmt, extent);
            if !is_reentered || !self.may_be_instance(local) {
                if is_repeated || is_skipped {
                    // Choose the storage now: jumps may bypass the declaration.
                    self.storage(local);
                }
                if is_repeated && self.may_be_instance(local) {
                    self.begin_early(local);
                }
                continue;
            }
            let declaring = if is_repeated {
                Declaring::Forgets
            } else if is_skipped {
                Declaring::Goes
            } else {
                Declaring::Begins
            };
            self.lifetimes.plan(local, declaring);
            if is_entered_by_jumps {
                self.begin_instance(local, self.hir[local].span);
            } else if declaring != Declaring::Begins {
                self.make_instance(local, Contents::Unknown, self.hir[local].span);
            }
        }
    }

    /// Whether the object can be an instance: its address may be observed, and its size is
    /// constant.
    fn may_be_instance(&self, local: LocalId) -> bool {
        let data = &self.hir[local];
        // The library never retains the address of a local.
        data.is_address_taken && !self.m.is_library(self.unit) && self.hir.types.layout(data.ty).is_some()
    }

    /// Whether the innermost scope, which has this extent, may be entered more than once per
    /// activation.
    fn is_reentered(&mut self, extent: Extent) -> bool {
        self.lifetimes.is_in_loop() || self.lifetimes.depth() > 1 && self.m.jumps(self.unit).reenter(extent)
    }

    /// Starts the lifetime of an object at the start of its scope.
    fn begin_early(&mut self, local: LocalId) {
        if let Storage::Object(object) = self.storage(local) {
            let address = self.object_address(object);
            let size = self.m.program.objects[object].size;
            let name = self.local_name(local);
            self.begin_fixed(address, size, name, self.hir[local].span);
        }
    }

    fn instance_size(&self, local: LocalId) -> u64 {
        self.hir.types.size(self.hir[local].ty).unwrap_or(1).max(1)
    }

    /// The alignment of a local of any type, including variable-length arrays.
    pub(super) fn local_align(&self, local: LocalId) -> u64 {
        let data = &self.hir[local];
        let mut ty = data.ty;
        while let CType::Array(element, _) = self.hir.types[ty] {
            ty = element.ty;
        }
        let natural = self.hir.types.layout(ty).map_or(1, |layout| layout.align);
        natural.max(data.align.unwrap_or(1)).max(1)
    }

    /// Allocates an object of this size and alignment.
    fn allocate_instance(
        &mut self,
        (size, align): (u64, u64),
        contents: Contents,
        name: &str,
        span: Span,
    ) -> Term {
        let size = self.m.pool.bv(self.m.program.machine.pointer_width, size);
        let kind = InstructionKind::Allocate { parts: vec![Part::whole(MEMORY)], size, align, contents };
        self.m.program.machine.set_frees();
        let address = self.emit(kind, self.m.address_type(), span);
        self.begins(address, size, name, span);
        address
    }

    /// Creates an instance in a scope that is entered only here; its address is fixed until control
    /// leaves the scope.
    fn make_instance(&mut self, local: LocalId, contents: Contents, span: Span) {
        let (size, name) = (self.instance_size(local), self.local_name(local));
        let address = self.allocate_instance((size, self.local_align(local)), contents, &name, span);
        self.set_storage(local, Storage::Address(address));
        self.begin_fixed(address, size, name, span);
    }

    /// Creates an instance, unless one exists, in a scope that jumps may also enter.
    fn begin_instance(&mut self, local: LocalId, span: Span) {
        let variable = match self.chosen_storage(local) {
            Some(Storage::Allocated(variable)) => variable,
            _ => {
                let variable = self.set_allocated(local);
                let null = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
                let null = self.no_instance(null);
                self.b.write_at_entry(variable, null);
                variable
            }
        };
        let (size, name) = (self.instance_size(local), self.local_name(local));
        let layout = (size, self.local_align(local));
        self.lifetimes.enter_instance(variable, layout, &name);
        self.ensure_instance(variable, layout, &name, span);
    }

    /// Creates an instance unless one exists.
    pub(super) fn ensure_instance(&mut self, variable: Variable, layout: (u64, u64), name: &str, span: Span) {
        let address = self.read(variable);
        let null = self.m.pool.bv(self.m.pool_width(address), 0);
        let is_missing = self.m.pool.eq(address, null);
        let (missing, next) = (self.b.create_block(), self.b.create_block());
        self.branch(is_missing, missing, next, span);
        self.b.seal(missing);
        self.b.switch_to(missing);
        let address = self.allocate_instance(layout, Contents::Unknown, name, span);
        self.assign_hidden(variable, address, span);
        self.goto(next, span);
        self.b.seal(next);
        self.b.switch_to(next);
    }

    /// Records the end of the instance.
    pub(super) fn end_instance(&mut self, variable: Variable) {
        let null = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        let null = self.no_instance(null);
        self.b.write(variable, null);
    }

    fn no_instance(&mut self, null: Term) -> Value {
        if let Some(value) = self.lifetimes.no_instance {
            return value;
        }
        let data = ValueData { ty: self.m.address_type(), name: None, span: Span::NONE };
        let value = self.b.define_at_entry(InstructionKind::Pure(null), data);
        self.lifetimes.no_instance = Some(value);
        value
    }

    /// Lowers the declaration of a local or a compound literal. Returns `false` if its object is
    /// not an instance.
    pub(super) fn declare_instance(&mut self, local: LocalId, init: Option<InitId>, span: Span) -> bool {
        let declaring = match self.hir[local].kind {
            _ if self.slot_bits().is_none() => return false,
            LocalKind::CompoundLiteral => match self.evaluate_literal(local, span) {
                true => Declaring::Goes,
                false => return false,
            },
            _ => match self.lifetimes.planned(local) {
                Some(declaring) => declaring,
                None => return false,
            },
        };
        if declaring == Declaring::Begins {
            if let Some(init) = init.filter(|&init| self.is_mostly_zero(local, init)) {
                self.make_instance(local, Contents::Zero, span);
                self.initialize_zeroed(local, init);
                return true;
            }
            self.make_instance(local, Contents::Unknown, span);
        }
        match init {
            Some(init) => {
                let location = self.local_location(local);
                self.initialize(&location, init);
            }
            None if declaring == Declaring::Forgets => self.forget_contents(local, span),
            None => {}
        }
        true
    }

    /// Creates the instance of a compound literal. Returns `false` if the literal has a fixed
    /// address.
    fn evaluate_literal(&mut self, local: LocalId, span: Span) -> bool {
        let Some(here) = self.lifetimes.statement.filter(|_| self.may_be_instance(local)) else {
            return false;
        };
        let extent = self.lifetimes.innermost().extent.unwrap_or(Extent { first: here, last: here });
        if self.m.jumps(self.unit).repeat(here, extent) {
            self.unsupported("a compound literal repeated by a backward goto", span);
            return false;
        }
        if !self.is_reentered(extent) {
            return false;
        }
        self.begin_instance(local, span);
        true
    }

    fn forget_contents(&mut self, local: LocalId, span: Span) {
        let leaves = self.m.leaves(self.unit, self.hir[local].ty);
        let Some(leaves) = leaves.filter(|leaves| leaves.len() <= MAX_FORGOTTEN) else {
            self.unsupported("a declaration of a large object repeated by a backward goto", span);
            return;
        };
        let Location::Memory { base, .. } = self.local_location(local) else { return };
        for leaf in leaves.iter() {
            let Some(scalar) = self.m.scalar_type(self.hir, leaf.ty) else { continue };
            let value = self.emit(InstructionKind::Havoc(HavocSource::Uninitialized), scalar, span);
            let address = self.displaced(base.address, leaf.offset);
            self.store_unchecked(address, value, scalar, span, None);
        }
    }
}
