//! The variables of the source at the loops of a prepared program.
//!
//! A value of the prepared program carries the name of a variable that it was assigned to. At a
//! loop head this variable may be out of scope, may have another value by then, or may have a
//! second instance in another copy of its function. A [`LoopScope`] names only those values and
//! regions that are known to be the contents of a variable in scope:
//!
//! * *Local variables.* Lowering records the value of each live local variable at each loop head
//!   ([`SourceLoop`]). A prepared value denotes the variable if it comes from the same lowered
//!   value, up to copies (`y = x`), and up to the arguments of the only call of a function. In a
//!   function with several copies, it must also be a parameter of the loop head.
//! * *Static variables and variables whose address is taken.* Promotion makes values of their
//!   regions. A parameter of the loop head is the contents of its region there. Any other value is
//!   named only if it comes from the only store to its region.
//!
//! * *Contracts.* A parameter of a procedure denotes the parameter of the lowered function, whose
//!   value never changes; a region with one static object denotes its variable.
//!
//! The number in an integer variable must not depend on the addresses of objects, which are
//! internal numbers in the formulas. Pointers may only be compared with each other and with null.
//!
//! The result is incomplete: some values have no name although a variable has their contents.

use super::Place;
use super::cut_points::Key;
use crate::transform::placement::{Independent, Stored};
use crate::transform::{BackTranslator, PreparedForViews};
use program::ssa::source::{LoopKind, SourceInfo, SourceKind, SourceLoop, SourceType};
use program::ssa::{Block, Callee, Function, InstructionKind, Program, Region, RegionKind, Span, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, TermPool};
use views::blocks::{Moment, Origin, RESULT, VariableData};

/// A loop of the source, as a loop of the prepared program.
#[derive(Clone, Debug)]
pub(super) struct LoopScope {
    /// The lowered loop head.
    pub(super) head: (Function, Block),
    /// The name of the function.
    pub(super) function: String,
    /// The construct and the span of the statement, if the loop is one.
    pub(super) statement: Option<(LoopKind, Span)>,
    /// The variables in scope, by the entity that holds them.
    pub(super) names: FxHashMap<Key, Named>,
    /// The objects that can be named.
    pub(super) objects: FxHashSet<String>,
    /// The smallest width of integers in memory that may depend on addresses, if any.
    pub(super) dependent_width: Option<u32>,
}

/// A variable of the source.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// Its name.
    pub(super) name: String,
    /// Whether it is a pointer.
    pub(super) is_pointer: bool,
}

/// A lowered program with its prepared form.
pub(super) struct Scopes<'p> {
    lowered: &'p Program,
    prepared: &'p Program,
    back: &'p BackTranslator,
    /// The number of copies of each function.
    copies: FxHashMap<Function, usize>,
    /// The only call of each function that has exactly one: the caller, and for each argument the
    /// value that it is, if it is one.
    calls: FxHashMap<Function, (Function, Vec<Option<Value>>)>,
    /// The definitions that are copies of values.
    copied: FxHashMap<(Function, Value), Value>,
    /// The places of the stores to each scalar region of the lowered program.
    stores: FxHashMap<Region, Vec<(Function, Span)>>,
    /// The number of objects with each name.
    objects: FxHashMap<&'p str, usize>,
    independent: Independent,
}

impl<'p> Scopes<'p> {
    /// `prepared` is the result of [`prepare_for_views`](crate::transform::prepare_for_views) for
    /// `lowered`.
    pub(super) fn new(
        pool: &TermPool,
        lowered: &'p Program,
        prepared: &'p Program,
        preparation: &'p PreparedForViews,
    ) -> Self {
        let mut scopes = Scopes {
            lowered,
            prepared,
            back: &preparation.back,
            copies: FxHashMap::default(),
            calls: FxHashMap::default(),
            copied: FxHashMap::default(),
            stores: FxHashMap::default(),
            objects: FxHashMap::default(),
            independent: Independent::new(pool, lowered),
        };
        for copy in preparation.copies.values() {
            *scopes.copies.entry(copy.function).or_default() += 1;
        }
        for object in lowered.objects.values() {
            *scopes.objects.entry(&object.name).or_default() += 1;
        }
        let mut called: FxHashMap<Function, usize> = FxHashMap::default();
        let leaf = |term| match pool.op(term) {
            Op::Value(value) => Some(Value(value)),
            _ => None,
        };
        for (function, data) in lowered.functions.iter() {
            for instruction in data.blocks.values().flat_map(|block| &block.instructions) {
                match (&instruction.kind, instruction.result) {
                    (InstructionKind::Pure(term), Some(result)) => {
                        if let Some(value) = leaf(*term) {
                            scopes.copied.insert((function, result), value);
                        }
                    }
                    (InstructionKind::Store { region, address: None, .. }, _) => {
                        scopes.stores.entry(*region).or_default().push((function, instruction.span));
                    }
                    (InstructionKind::Call { callee: Callee::Direct(callee), arguments }, _) => {
                        *called.entry(*callee).or_default() += 1;
                        let arguments = arguments.iter().map(|&argument| leaf(argument)).collect();
                        scopes.calls.insert(*callee, (function, arguments));
                    }
                    _ => {}
                }
            }
        }
        scopes.calls.retain(|callee, _| called[callee] == 1);
        scopes
    }

    /// The scope of the loop with the given head in a function of the prepared program and the live
    /// `state` there; `None` if the head has no origin.
    pub(super) fn at<'v>(
        &self,
        (owner, head): (Function, Block),
        state: impl Iterator<Item = &'v VariableData>,
    ) -> Option<LoopScope> {
        let (function, block) = self.back.block(owner, head)?;
        let (block, source) = self.lowered.source_loop(function, block);
        let mut scope = LoopScope {
            head: (function, block),
            function: self.lowered.functions[function].name.clone(),
            statement: source.map(|source| (source.kind, source.span)),
            names: FxHashMap::default(),
            objects: self.visible_objects(function),
            dependent_width: self.dependent_width(),
        };
        let locals = self.locals(function, source);
        scope.add(state, |variable| match variable.origin {
            Origin::Value(value) if variable.moment == Moment::Now => {
                self.name(function, (owner, head), &locals, value)
            }
            Origin::Region(region) if variable.moment == Moment::Now => self.global(function, region),
            _ => None,
        });
        Some(scope)
    }

    /// The scope of the contract of a procedure of the prepared program, with the live `state` at
    /// its entry or return. A parameter has its value at the entry.
    pub(super) fn of_contract<'v>(
        &self,
        function: Function,
        place: Place,
        state: impl Iterator<Item = &'v VariableData>,
    ) -> LoopScope {
        let data = &self.lowered.functions[function];
        let parameters = data.blocks.get(data.entry).map_or(&[][..], |entry| &entry.parameters);
        let mut scope = LoopScope {
            head: (function, data.entry),
            function: data.name.clone(),
            statement: None,
            names: FxHashMap::default(),
            objects: self.visible_objects(function),
            dependent_width: self.dependent_width(),
        };
        // Automatic objects are not in scope.
        let objects = self.lowered.objects.values();
        let own = objects.filter(|object| object.owner.is_some()).map(|object| &object.name);
        own.for_each(|name| _ = scope.objects.remove(name));
        let is_parameter = |name: &str| {
            parameters.iter().any(|&parameter| data.values[parameter].name.as_deref() == Some(name))
        };
        scope.add(state, |variable| match variable.origin {
            Origin::Value(RESULT) => self.result(function),
            Origin::Value(value) => {
                let origin = self.back.value(function, value)?;
                let position = parameters.iter().position(|&parameter| (function, parameter) == origin)?;
                let name = data.values[parameters[position]].name.as_deref()?;
                self.shown(function, name, origin.1)
            }
            Origin::Region(region) => {
                let named = self.global(function, region).filter(|named| !is_parameter(&named.name))?;
                Some(match variable.moment {
                    Moment::Entry if place == Place::Exit => {
                        Named { name: format!("\\old({})", named.name), ..named }
                    }
                    Moment::Entry | Moment::Now => named,
                })
            }
            Origin::HeapPointer(_) => None,
        });
        scope
    }

    /// The result of a function, if all calls know that it is a number.
    fn result(&self, function: Function) -> Option<Named> {
        let calls = self.lowered.functions.iter().flat_map(|(caller, data)| {
            let instructions = data.blocks.values().flat_map(|block| &block.instructions);
            instructions.map(move |instruction| (caller, instruction))
        });
        let mut results = calls.filter_map(|(caller, instruction)| match instruction.kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } if callee == function => {
                Some((caller, instruction.result?))
            }
            _ => None,
        });
        let is_number = results.all(|(caller, result)| self.independent.value(caller, result));
        let source = &self.lowered.source;
        let ty = source.result(&self.lowered.functions[function].name)?;
        (is_number && is_shown(&source.types[ty].kind))
            .then(|| Named { name: "\\result".to_owned(), is_pointer: false })
    }

    /// The parameter `value` with this name, if it can be shown.
    fn shown(&self, function: Function, name: &str, value: Value) -> Option<Named> {
        let ty = self.place_type(function, name)?;
        let source = &self.lowered.source.types[ty];
        let width = self.lowered.functions[function].values[value].ty.width();
        let is_pointer = matches!(source.kind, SourceKind::Pointer(_));
        let is_known = is_pointer || self.independent.value(function, value);
        let is_shown = is_shown(&source.kind) && source.size * 8 == u64::from(width);
        (is_shown && is_known).then(|| Named { name: name.to_owned(), is_pointer })
    }

    /// The static variable whose contents a scalar region of the prepared program is.
    fn global(&self, function: Function, region: Region) -> Option<Named> {
        let RegionKind::Scalar(ty) = self.prepared.regions[region].kind else { return None };
        let lowered = self.back.region(region)?;
        let (name, is_visible, is_number) = match self.lowered.regions[lowered].kind {
            RegionKind::Scalar(_) => {
                let name = &self.lowered.regions[lowered].name;
                let is_visible = !self.lowered.shadow.contains(lowered) && !name.contains("::");
                (name, is_visible, self.independent.region(lowered))
            }
            RegionKind::Bytes => {
                let mut objects = self.prepared.objects.values().filter(|object| object.regions == [region]);
                let (Some(object), None) = (objects.next(), objects.next()) else { return None };
                let objects = self.visible_objects(function);
                let is_visible = object.owner.is_none() && objects.contains(&object.name);
                (&object.name, is_visible, self.holds_numbers(ty.width()))
            }
            _ => return None,
        };
        let source = &self.lowered.source.types[self.place_type(function, name)?];
        let is_pointer = matches!(source.kind, SourceKind::Pointer(_));
        let is_visible = is_visible && self.declarations(function, name) == 0;
        let is_shown = is_shown(&source.kind) && source.size * 8 == u64::from(ty.width());
        (is_visible && is_shown && (is_number || is_pointer))
            .then(|| Named { name: name.clone(), is_pointer })
    }

    /// The local variables that are live at a loop head, by the roots of their values.
    fn locals(
        &self,
        function: Function,
        source: Option<&'p SourceLoop>,
    ) -> FxHashMap<(Function, Value), Vec<&'p str>> {
        let mut locals: FxHashMap<(Function, Value), Vec<&str>> = FxHashMap::default();
        let values = &self.lowered.functions[function].values;
        for (name, value) in source.iter().flat_map(|source| &source.variables) {
            let is_version = |data: &program::ssa::ValueData| data.name.as_ref() == Some(name);
            if values.get(*value).is_some_and(is_version) {
                locals.entry(self.root(function, *value)).or_default().push(name);
            }
        }
        locals
    }

    /// The value of which a lowered value is a copy.
    fn root(&self, mut function: Function, mut value: Value) -> (Function, Value) {
        // Copies form no cycle, and calls neither, because recursion is not inlined.
        loop {
            if let Some(&original) = self.copied.get(&(function, value)) {
                value = original;
                continue;
            }
            let data = &self.lowered.functions[function];
            let parameters = data.blocks.get(data.entry).map_or(&[][..], |entry| &entry.parameters);
            let position = parameters.iter().position(|&parameter| parameter == value);
            let call = position.and_then(|position| {
                let (caller, arguments) = self.calls.get(&function).filter(|_| self.is_single(function))?;
                Some((*caller, arguments.get(position).copied().flatten()?))
            });
            match call {
                Some((caller, argument)) if self.is_single(caller) => (function, value) = (caller, argument),
                _ => return (function, value),
            }
        }
    }

    /// Whether the prepared program contains the body of the function once.
    fn is_single(&self, function: Function) -> bool {
        self.copies.get(&function) == Some(&1)
    }

    fn name(
        &self,
        function: Function,
        (owner, head): (Function, Block),
        locals: &FxHashMap<(Function, Value), Vec<&str>>,
        value: Value,
    ) -> Option<Named> {
        let entry = &self.prepared.functions[owner];
        // The address of the frame is no value.
        let data = entry.values.get(value)?;
        let is_parameter = entry.blocks[head].parameters.contains(&value);
        let (name, is_number) = match self.back.value(owner, value) {
            Some((of, origin)) => {
                let are_single = self.is_single(function) && self.is_single(of);
                if !is_parameter && !are_single {
                    return None;
                }
                let names = locals.get(&self.root(of, origin))?;
                let own = names.iter().find(|&&name| data.name.as_deref() == Some(name));
                (own.or(names.first())?.to_string(), self.independent.value(of, origin))
            }
            None => self.contents(function, (owner, value), is_parameter)?,
        };
        let ty = self.place_type(function, &name)?;
        let source = &self.lowered.source.types[ty];
        let is_pointer = matches!(source.kind, SourceKind::Pointer(_));
        let is_shown = is_shown(&source.kind) && source.size * 8 == u64::from(data.ty.width());
        (is_shown && (is_number || is_pointer)).then_some(Named { name, is_pointer })
    }

    /// The variable with static storage, or whose address is taken, of which a value made by
    /// promotion is the contents at the loop head, and whether they are a number.
    fn contents(
        &self,
        function: Function,
        (owner, value): (Function, Value),
        is_parameter: bool,
    ) -> Option<(String, bool)> {
        let data = &self.prepared.functions[owner].values[value];
        let name = data.name.as_deref()?;
        if is_parameter {
            // The value has the name of its region.
            let region = self.region(name);
            let (is_region, is_number) = match region {
                Some(region) => (true, self.independent.region(region)),
                None => (false, self.holds_numbers(data.ty.width())),
            };
            let variable = match name.split_once("::") {
                Some((owner, local)) if is_region && owner == self.lowered.functions[function].name => {
                    (self.declarations(function, local) == 1).then(|| local.to_owned())
                }
                Some(_) => None,
                None if is_region => (self.declarations(function, name) == 0).then(|| name.to_owned()),
                None => self.visible_objects(function).contains(name).then(|| name.to_owned()),
            };
            return Some((variable?, is_number));
        }
        let region = self.region(name)?;
        match self.stores.get(&region).map(Vec::as_slice) {
            Some(&[(writer, span)]) if self.is_single(writer) && span == data.span => {
                let is_visible = self.declarations(function, name) == 0;
                is_visible.then(|| (name.to_owned(), self.independent.region(region)))
            }
            _ => None,
        }
    }

    /// Whether integers of a width in memory are independent of the addresses of objects.
    fn holds_numbers(&self, width: u32) -> bool {
        self.dependent_width().is_none_or(|dependent| width < dependent)
    }

    /// The smallest width of integers in memory that may depend on addresses, if any.
    fn dependent_width(&self) -> Option<u32> {
        match self.independent.memory {
            Stored::Numbers => None,
            Stored::Pointers => Some(self.lowered.machine.pointer_width),
            Stored::Dependent => Some(0),
        }
    }

    /// The scalar region of the lowered program with this name.
    fn region(&self, name: &str) -> Option<Region> {
        let mut regions = self.lowered.regions.iter();
        let is_scalar = |kind| matches!(kind, RegionKind::Scalar(_));
        let (region, _) = regions.find(|(_, data)| data.name == name && is_scalar(data.kind))?;
        (!self.lowered.shadow.contains(region)).then_some(region)
    }

    /// The number of declarations of a name in a function.
    fn declarations(&self, function: Function, name: &str) -> usize {
        let declared = self.lowered.source.declared.get(&function);
        declared.and_then(|declared| declared.get(name)).copied().unwrap_or(0)
    }

    /// The type of the variable with this name in the function.
    fn place_type(&self, function: Function, name: &str) -> Option<SourceType> {
        let source: &SourceInfo = &self.lowered.source;
        let of_object = || {
            let mut objects = self.lowered.objects.iter().filter(|(_, data)| data.name == name);
            source.objects.get(&objects.next()?.0).copied()
        };
        source.place(function, name).or_else(of_object).or_else(|| source.place_of_any(name))
    }

    /// The objects that a function can name: static objects that no local declaration hides, and
    /// its own.
    fn visible_objects(&self, function: Function) -> FxHashSet<String> {
        let objects = self.lowered.objects.values();
        let visible = objects.filter(|object| {
            let declarations = match object.owner {
                None => 0,
                Some(owner) if owner == function && self.is_single(function) => 1,
                Some(_) => return false,
            };
            self.objects[&*object.name] == 1
                && self.declarations(function, &object.name) == declarations
                && !object.name.contains("::")
        });
        visible.map(|object| object.name.clone()).collect()
    }
}

impl LoopScope {
    /// Adds the variables of a state that `name` names.
    fn add<'v>(
        &mut self,
        state: impl Iterator<Item = &'v VariableData>,
        name: impl Fn(&VariableData) -> Option<Named>,
    ) {
        let mut owners: FxHashMap<String, Vec<Key>> = FxHashMap::default();
        for variable in state {
            if let Some(named) = name(variable) {
                let key = (variable.origin, variable.moment);
                owners.entry(named.name.clone()).or_default().push(key);
                self.names.insert(key, named);
            }
        }
        // A name that two values claim denotes neither.
        for keys in owners.values().filter(|keys| keys.len() > 1) {
            keys.iter().for_each(|key| drop(self.names.remove(key)));
        }
    }
}

/// Whether formulas over bit vectors can be read as C expressions over variables of this kind.
fn is_shown(kind: &SourceKind) -> bool {
    match kind {
        SourceKind::Bool
        | SourceKind::Character(_)
        | SourceKind::Integer(_)
        | SourceKind::Enum(..)
        | SourceKind::Pointer(_) => true,
        SourceKind::Opaque
        | SourceKind::BitField(_)
        | SourceKind::Float { .. }
        | SourceKind::Function
        | SourceKind::Array(_)
        | SourceKind::Record(_) => false,
    }
}
