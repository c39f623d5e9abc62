//! Lifetimes of automatic objects, where memory safety is checked.
//!
//! An object whose address other code may observe has an entry in the shadow (`safety`) from its
//! declaration until control leaves its scope: at the end of the block, by `break`, `continue` or
//! `goto`, or by a return. A jump into the scope of an object starts its lifetime, too: in C it
//! starts with the block, but the object is not observable before. Hence every label makes the
//! objects live that are declared above it and in whose scope it lies.
//!
//! `if`, `switch` and loops are blocks, and so are their substatements, with or without braces: the
//! lifetime of compound literals ends with them. A scope that is entered more than once creates new
//! objects each time (`instances`). A `goto` back to a label above a variable-length array ends the
//! lifetime of the array.
//!
//! Objects that are only used by name, including array elements, have no entry.
//!
//! The lifetime of memory from `alloca` ends when the function returns. Each activation has a
//! linked list of its blocks: a variable holds the last block, the shadow holds the predecessor of
//! each.

use super::function::{Lowering, Storage};
use super::instances::{Declaring, Extent};
use super::ssa::{Variable, edge};
use super::statements::is_scope;
use crate::c::hir::{self, LabelId, LocalId, LocalKind, StmtId, StmtKind};
use grammars::source::Span;
use program::ssa::{Block, InstructionKind, Object, RegionData, RegionKind, Terminator, Value, ValueData};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::Term;

/// The lifetime information of the current function.
#[derive(Default)]
pub(super) struct Lifetimes {
    /// The scopes around the current statement, outermost first.
    scopes: Vec<Scope>,
    /// The objects whose scope contains the current statement, and temporaries.
    alive: FxHashSet<Object>,
    /// The scopes around each label outside of statement expressions.
    labels: Option<FxHashMap<LabelId, Vec<StmtId>>>,
    /// The innermost statement under lowering.
    pub(super) statement: Option<StmtId>,
    /// For each loop around the current statement, the number of scopes around the loop.
    loops: Vec<usize>,
    /// The actions at the declarations of instances.
    plans: FxHashMap<LocalId, Declaring>,
    /// Null, the value of instance variables without an instance.
    pub(super) no_instance: Option<Value>,
    /// The last block from `alloca`.
    stack_blocks: Option<Variable>,
    /// The common return block, in a program that calls `alloca`.
    epilogue: Option<Epilogue>,
}

/// The block that ends the lifetime of memory from `alloca`.
#[derive(Clone, Copy, Debug)]
struct Epilogue {
    block: Block,
    result: Option<Variable>,
}

/// A scope.
#[derive(Default)]
pub(super) struct Scope {
    /// The statement that is the scope; `None` for the function and for a statement expression.
    statement: Option<StmtId>,
    /// The objects that can be named here.
    named: Vec<Object>,
    /// The objects with an entry in the shadow.
    entries: Vec<Entry>,
    /// The extent of the scope in the source.
    pub(super) extent: Option<Extent>,
    /// Whether jumps from outside enter the scope.
    pub(super) is_entered_by_jumps: bool,
}

/// An object with an entry in the shadow.
#[derive(Clone, Debug)]
struct Entry {
    place: ObjectAddress,
    /// `None` for variable-length arrays, whose lifetime a jump cannot start.
    size: Option<u64>,
    name: String,
    end: End,
    /// The statement in which the lifetime begins.
    statement: Option<StmtId>,
}

/// The latest end of the lifetime of an object with an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Scope,
    /// The end of the expression statement or declaration that creates it.
    Statement,
}

#[derive(Clone, Copy, Debug)]
enum ObjectAddress {
    /// A fixed address for the whole activation.
    Fixed(Term),
    /// The address held by the variable.
    Allocated(Variable),
    /// The address held by the variable, or null.
    Instance {
        variable: Variable,
        /// The alignment of a new instance.
        align: u64,
    },
}

impl Lifetimes {
    pub(super) fn is_alive(&self, object: Object) -> bool {
        self.alive.contains(&object)
    }

    /// The object lives as long as the activation.
    pub(super) fn keep_alive(&mut self, object: Object) {
        self.alive.insert(object);
    }

    /// The lifetime of the object begins at its declaration.
    pub(super) fn declare_later(&mut self, object: Object) {
        self.alive.remove(&object);
    }

    /// The statements that form the scopes around the current statement.
    pub(super) fn statements_of_scopes(&self) -> impl Iterator<Item = StmtId> {
        self.scopes.iter().filter_map(|scope| scope.statement)
    }

    /// The innermost scope.
    pub(super) fn innermost(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.scopes.last_mut().expect("a scope is open")
    }

    /// Whether a loop encloses the innermost scope.
    pub(super) fn is_in_loop(&self) -> bool {
        self.loops.first().is_some_and(|&depth| depth < self.depth())
    }

    /// Enters a loop, including its condition.
    pub(super) fn enter_loop(&mut self) {
        self.loops.push(self.depth());
    }

    /// Leaves a loop.
    pub(super) fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// Records that the object of a local is an instance.
    pub(super) fn plan(&mut self, local: LocalId, declaring: Declaring) {
        self.plans.insert(local, declaring);
    }

    /// The action at the declaration, if the object is an instance.
    pub(super) fn planned(&self, local: LocalId) -> Option<Declaring> {
        self.plans.get(&local).copied()
    }

    /// Adds an instance to the innermost scope; the variable holds its address.
    pub(super) fn enter_instance(&mut self, variable: Variable, (size, align): (u64, u64), name: &str) {
        let place = ObjectAddress::Instance { variable, align };
        let (name, statement) = (name.to_owned(), self.statement);
        let entry = Entry { place, size: Some(size), name, end: End::Scope, statement };
        self.innermost().enter(entry);
    }

    /// Whether an open scope has an object whose address the variable holds.
    fn has_allocated(&self, variable: Variable) -> bool {
        self.scopes.iter().flat_map(|scope| &scope.entries).any(|entry| {
            matches!(entry.place, ObjectAddress::Allocated(other) | ObjectAddress::Instance { variable: other, .. } if other == variable)
        })
    }

    /// Whether an open scope has an object at the address.
    fn has_fixed(&self, address: Term) -> bool {
        let mut entries = self.scopes.iter().flat_map(|scope| &scope.entries);
        entries.any(|entry| matches!(entry.place, ObjectAddress::Fixed(other) if other == address))
    }

    /// The number of open scopes.
    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }
}

impl Scope {
    fn enter(&mut self, entry: Entry) {
        let is_known = |other: &Entry| match (other.place, entry.place) {
            (ObjectAddress::Fixed(a), ObjectAddress::Fixed(b)) => a == b,
            (ObjectAddress::Allocated(a), ObjectAddress::Allocated(b))
            | (ObjectAddress::Instance { variable: a, .. }, ObjectAddress::Instance { variable: b, .. }) => {
                a == b
            }
            _ => false,
        };
        if !self.entries.iter().any(is_known) {
            self.entries.push(entry);
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Opens a scope; `statement` identifies it for `goto`.
    pub(super) fn open_scope(&mut self, statement: Option<StmtId>) {
        self.lifetimes.scopes.push(Scope { statement, ..Scope::default() });
    }

    /// Closes the innermost scope; ends the lifetimes of its objects if execution reaches the end.
    pub(super) fn close_scope(&mut self, span: Span) {
        let depth = self.lifetimes.depth() - 1;
        self.leave_scopes(depth, span);
        let scope = self.lifetimes.scopes.pop().expect("a scope was opened");
        for object in scope.named {
            self.lifetimes.alive.remove(&object);
        }
    }

    /// Whether a local is declared above and, where lifetimes are tracked, still in scope.
    pub(super) fn is_in_scope(&self, local: LocalId) -> bool {
        match self.chosen_storage(local) {
            None => false,
            Some(Storage::Split(_)) => true,
            Some(_) if self.slot_bits().is_none() => true,
            Some(Storage::Object(object)) => self.lifetimes.is_alive(object),
            Some(Storage::Allocated(variable)) => self.lifetimes.has_allocated(variable),
            Some(Storage::Address(address)) => self.lifetimes.has_fixed(address),
        }
    }

    /// Ends the lifetimes of the objects in all scopes but the outermost `depth`.
    pub(super) fn leave_scopes(&mut self, depth: usize, span: Span) {
        if self.slot_bits().is_none() {
            return;
        }
        for index in (depth..self.lifetimes.depth()).rev() {
            self.end_entries(index, 0, span);
        }
    }

    fn end_entries(&mut self, scope: usize, from: usize, span: Span) {
        let entries = self.lifetimes.scopes[scope].entries[from..].to_vec();
        for entry in entries {
            self.end_entry(&entry, span);
        }
    }

    fn end_entry(&mut self, entry: &Entry, span: Span) {
        let address = self.entry_address(entry);
        self.ends(address, span);
        if let ObjectAddress::Instance { variable, .. } = entry.place {
            self.end_instance(variable);
        }
    }

    fn entry_address(&mut self, entry: &Entry) -> Term {
        match entry.place {
            ObjectAddress::Fixed(address) => address,
            ObjectAddress::Allocated(variable) | ObjectAddress::Instance { variable, .. } => {
                self.read(variable)
            }
        }
    }

    /// Starts the lifetime of an object that is not a heap block.
    pub(super) fn begins(&mut self, address: Term, size: Term, name: &str, span: Span) {
        let Some(objects) = self.m.objects.filter(|objects| objects.slot_bits.is_some()) else { return };
        let index = self.shadow_index(address);
        self.shadow_store(objects.sizes, index, size, Some(name), span);
    }

    /// Ends the lifetime of an object that is not a heap block.
    pub(super) fn ends(&mut self, address: Term, span: Span) {
        let Some(objects) = self.m.objects.filter(|objects| objects.slot_bits.is_some()) else { return };
        let index = self.shadow_index(address);
        let zero = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        self.shadow_store(objects.sizes, index, zero, None, span);
    }

    /// Starts the lifetime of a local at its declaration. `size` is the size of an object that is
    /// allocated here.
    pub(super) fn begin_local(&mut self, local: LocalId, size: Option<Term>, span: Span) {
        let data = &self.hir[local];
        let is_seen = data.is_address_taken || data.kind == LocalKind::CompoundLiteral;
        if self.slot_bits().is_none() {
            // Lifetimes are not tracked; this instruction marks the start of a new object.
            if let Some(Storage::Object(object)) = self.chosen_storage(local).filter(|_| is_seen) {
                let ty = self.m.address_type();
                self.b.define(InstructionKind::AddressOf(object), ValueData { ty, name: None, span });
            }
            return;
        }
        let name = data.name.map_or("literal", |name| self.hir.name(name)).to_owned();
        let (place, constant) = match self.storage(local) {
            Storage::Split(_) => return,
            Storage::Object(object) => {
                self.lifetimes.alive.insert(object);
                if let Some(scope) = self.lifetimes.scopes.last_mut() {
                    scope.named.push(object);
                }
                if !is_seen {
                    return;
                }
                let size = self.hir.types.size(data.ty);
                (ObjectAddress::Fixed(self.object_address(object)), size)
            }
            Storage::Address(address) => {
                let Some(size) = self.hir.types.size(data.ty) else { return };
                if !is_seen {
                    return;
                }
                (ObjectAddress::Fixed(address), Some(size))
            }
            Storage::Allocated(variable) => (ObjectAddress::Allocated(variable), None),
        };
        let statement = self.lifetimes.statement;
        let entry = Entry { place, size: constant, name, end: End::Scope, statement };
        self.begin_entry(entry, size, span);
    }

    /// Starts the lifetime of an object at a fixed address; it ends with the innermost scope.
    pub(super) fn begin_fixed(&mut self, address: Term, size: u64, name: String, span: Span) {
        self.begin_at(address, size, name, End::Scope, span);
    }

    fn begin_at(&mut self, address: Term, size: u64, name: String, end: End, span: Span) {
        let (place, statement) = (ObjectAddress::Fixed(address), self.lifetimes.statement);
        self.begin_entry(Entry { place, size: Some(size), name, end, statement }, None, span);
    }

    fn begin_entry(&mut self, entry: Entry, size: Option<Term>, span: Span) {
        let width = self.m.program.machine.pointer_width;
        let size = match (entry.size, size) {
            (Some(size), _) => self.m.pool.bv(width, size),
            (None, Some(size)) => size,
            (None, None) => return,
        };
        let address = self.entry_address(&entry);
        self.begins(address, size, &entry.name, span);
        if let Some(scope) = self.lifetimes.scopes.last_mut() {
            scope.enter(entry);
        }
    }

    /// Starts the lifetime of a temporary object whose address is taken. It ends with the
    /// expression statement or declaration, or with the scope if a controlling expression creates
    /// it.
    pub(super) fn begin_temporary(&mut self, address: Term, size: u64, span: Span) {
        if self.slot_bits().is_none() {
            return;
        }
        self.begin_at(address, size, "temporary".to_owned(), End::Statement, span);
    }

    /// A mark for [`end_temporaries`](Self::end_temporaries) after a statement.
    pub(super) fn temporaries_mark(&self) -> usize {
        self.lifetimes.scopes.last().map_or(0, |scope| scope.entries.len())
    }

    /// Ends the lifetimes of the temporary objects created since the mark, at the end of an
    /// expression statement or declaration.
    pub(super) fn end_temporaries(&mut self, mark: usize, span: Span) {
        let Some(scope) = self.lifetimes.depth().checked_sub(1) else { return };
        let since = self.lifetimes.scopes[scope].entries.split_off(mark);
        let (temporaries, others): (Vec<_>, Vec<_>) =
            since.into_iter().partition(|entry| entry.end == End::Statement);
        self.lifetimes.scopes[scope].entries.extend(others);
        for entry in temporaries {
            self.end_entry(&entry, span);
        }
    }

    /// Starts the lifetimes of objects at a label of the program or, with `depth`, of a `switch`
    /// enclosed by that many scopes.
    pub(super) fn jumped_to(&mut self, depth: usize, span: Span) {
        if self.slot_bits().is_none() {
            return;
        }
        let width = self.m.program.machine.pointer_width;
        for index in depth..self.lifetimes.depth() {
            let is_entered_here = self.lifetimes.scopes[index].is_entered_by_jumps;
            for entry in self.lifetimes.scopes[index].entries.clone() {
                let Some(size) = entry.size else { continue };
                if let ObjectAddress::Instance { variable, align } = entry.place {
                    if is_entered_here {
                        self.ensure_instance(variable, (size, align), &entry.name, span);
                    }
                } else {
                    let address = self.entry_address(&entry);
                    let size = self.m.pool.bv(width, size);
                    self.begins(address, size, &entry.name, span);
                }
            }
        }
    }

    /// Ends the lifetimes that a jump to a label leaves. Returns `false` if the construct is
    /// unsupported; the block has then ended.
    pub(super) fn leave_for(&mut self, label: LabelId, span: Span) -> bool {
        if self.lifetimes.scopes.iter().all(|scope| scope.entries.is_empty()) {
            return true;
        }
        let Some(around) = self.scopes_of_label(label) else {
            let is_inside = |scope: &Scope| scope.statement.is_none() || scope.entries.is_empty();
            if self.lifetimes.scopes.iter().all(is_inside) {
                return true;
            }
            self.unsupported("a jump to a label in a statement expression", span);
            return false;
        };
        for index in (1..self.lifetimes.depth()).rev() {
            let stays = self.lifetimes.scopes[index].statement.is_some_and(|scope| around.contains(&scope));
            if stays {
                self.end_arrays_below(label, index, span);
            } else {
                self.end_entries(index, 0, span);
            }
        }
        self.end_arrays_below(label, 0, span);
        true
    }

    /// Ends the variable-length arrays of a scope that are declared below a label.
    fn end_arrays_below(&mut self, label: LabelId, scope: usize, span: Span) {
        let position = self.m.jumps(self.unit).position(label);
        for entry in self.lifetimes.scopes[scope].entries.clone() {
            let is_array = matches!(entry.place, ObjectAddress::Allocated(_)) && entry.size.is_none();
            if is_array && position < entry.statement {
                self.end_entry(&entry, span);
            }
        }
    }

    /// Ends the lifetimes at a jump to an unknown label; the label restarts those that continue.
    pub(super) fn leave_for_any(&mut self, span: Span) -> bool {
        let mut all = self.lifetimes.scopes.iter().flat_map(|scope| &scope.entries);
        // The label may lie above the array, even in the outermost scope.
        if all.any(|entry| entry.size.is_none()) {
            self.unsupported("a computed goto in the scope of a variable-length array", span);
            return false;
        }
        let mut entries = self.lifetimes.scopes.iter().skip(1).flat_map(|scope| &scope.entries);
        let is_instance = |entry: &Entry| matches!(entry.place, ObjectAddress::Instance { .. });
        if entries.any(is_instance) {
            self.unsupported(
                "a computed goto in the scope of an object with one instance per iteration",
                span,
            );
            return false;
        }
        self.leave_scopes(1.min(self.lifetimes.depth()), span);
        true
    }

    /// The scopes around a label; `None` if it lies in a statement expression.
    pub(super) fn scopes_of_label(&mut self, label: LabelId) -> Option<Vec<StmtId>> {
        if self.lifetimes.labels.is_none() {
            self.lifetimes.labels = Some(self.scopes_of_labels());
        }
        self.lifetimes.labels.as_ref().and_then(|labels| labels.get(&label)).cloned()
    }

    fn scopes_of_labels(&self) -> FxHashMap<LabelId, Vec<StmtId>> {
        let mut labels = FxHashMap::default();
        let mut work: Vec<(StmtId, Vec<StmtId>)> = Vec::new();
        if let Some(body) = self.source.and_then(|function| self.hir[function].body.as_ref()) {
            work.extend(body.stmts.iter().map(|&stmt| (stmt, Vec::new())));
        }
        while let Some((id, around)) = work.pop() {
            let kind = &self.hir[id].kind;
            let mut inside = |stmts: &[StmtId]| {
                let mut scopes = around.clone();
                if is_scope(kind) {
                    scopes.push(id);
                }
                work.extend(stmts.iter().map(|&stmt| {
                    let mut scopes = scopes.clone();
                    if !matches!(kind, StmtKind::Block(_)) {
                        // A substatement is a scope even without braces.
                        scopes.push(stmt);
                    }
                    (stmt, scopes)
                }));
            };
            match kind {
                StmtKind::Block(stmts) => inside(stmts),
                &StmtKind::If { then, otherwise, .. } => {
                    inside(&[then]);
                    inside(otherwise.as_slice());
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::Switch { body, .. }
                | StmtKind::For { body, .. } => inside(&[*body]),
                &StmtKind::Label(label) => {
                    labels.insert(label, around);
                }
                _ => {}
            }
        }
        labels
    }

    /// Records a block from `alloca`, whose lifetime ends when the function returns.
    pub(super) fn begin_stack_block(&mut self, address: Term, size: Term, span: Span) {
        if self.slot_bits().is_none() {
            return;
        }
        self.begins(address, size, "alloca", span);
        let variable = match self.lifetimes.stack_blocks {
            Some(variable) => variable,
            None => {
                let ty = self.m.address_type();
                let variable = self.hidden_variable(ty, span);
                let zero = self.m.pool.bv(ty.width(), 0);
                self.b.define_initially(variable, InstructionKind::Pure(zero));
                self.lifetimes.stack_blocks = Some(variable);
                variable
            }
        };
        let region = self.previous_blocks();
        let index = self.shadow_index(address);
        let before = self.read(variable);
        self.shadow_store(region, index, before, None, span);
        self.assign_hidden(variable, address, span);
    }

    fn previous_blocks(&mut self) -> program::ssa::Region {
        if let Some(region) = self.m.program.shadow.previous {
            return region;
        }
        let kind = RegionKind::Cells(self.m.address_type());
        let name = self.m.unique_name("<previous>".to_owned());
        let region = self.m.program.regions.push(RegionData { name, kind });
        self.m.program.shadow.previous = Some(region);
        region
    }

    /// Ends the lifetimes of all automatic objects at a return of a scalar or of nothing.
    pub(super) fn leave_function(&mut self, result: Option<Term>, span: Span) {
        self.leave_scopes(0, span);
        if !self.m.has_stack_blocks || self.slot_bits().is_none() {
            self.b.terminate(Terminator::Return(result), span);
            return;
        }
        let epilogue = match self.lifetimes.epilogue {
            Some(epilogue) => epilogue,
            None => {
                let ty = self.m.program.functions[self.function].result;
                let result = ty.map(|ty| self.hidden_variable(ty, span));
                let epilogue = Epilogue { block: self.b.create_block(), result };
                self.lifetimes.epilogue = Some(epilogue);
                epilogue
            }
        };
        if let (Some(variable), Some(result)) = (epilogue.result, result) {
            self.assign_hidden(variable, result, span);
        }
        self.goto(epilogue.block, span);
    }

    /// Emits the common return block, if there is one.
    pub(super) fn finish_lifetimes(&mut self) {
        let Some(Epilogue { block, result }) = self.lifetimes.epilogue else { return };
        self.b.switch_to(block);
        if let Some(variable) = self.lifetimes.stack_blocks {
            self.end_stack_blocks(variable, Span::NONE);
        }
        let result = result.map(|variable| self.read(variable));
        self.b.terminate(Terminator::Return(result), Span::NONE);
    }

    fn end_stack_blocks(&mut self, variable: Variable, span: Span) {
        let (head, inside, after) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head, span);
        self.b.switch_to(head);
        let block = self.read(variable);
        let zero = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        let condition = self.m.pool.neq(block, zero);
        self.b.terminate(Terminator::Branch { condition, then: edge(inside), otherwise: edge(after) }, span);
        self.b.seal(inside);
        self.b.seal(after);
        self.b.switch_to(inside);
        self.ends(block, span);
        let region = self.previous_blocks();
        let index = self.shadow_index(block);
        let ty = self.m.address_type();
        let before = self.emit(InstructionKind::Load { region, address: Some(index) }, ty, span);
        self.assign_hidden(variable, before, span);
        self.goto(head, span);
        self.b.seal(head);
        self.b.switch_to(after);
    }

    /// Starts the lifetimes of the parameters, once they have their values.
    pub(super) fn begin_parameters(&mut self, body: &hir::Body) {
        for &local in &body.parameters {
            if self.hir[local].name.is_some() {
                self.begin_local(local, None, self.hir[local].span);
            }
        }
    }
}
