//! The objects of a run, and the mapping from addresses to objects.
//!
//! The interpreter records the address of each object. A pointer is therefore printed in terms of
//! the source: an object and a part of it.

use grammars::source::{SourceMap, Span};
use program::interp::PlacedObject;
use program::layout::Layout;
use program::ssa::source::{SourceType, Wanted};
use program::ssa::{Function, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The objects of a run up to the current step.
pub(super) struct Objects<'p> {
    program: &'p Program,
    layout: Option<Layout>,
    /// The objects by their first address. An object whose lifetime has ended stays until another
    /// object overlaps it.
    placed: BTreeMap<u64, Rc<PlacedAt>>,
    /// The number of blocks that each allocation site has allocated.
    blocks: FxHashMap<Span, u32>,
}

/// An object with its address and size in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedAt {
    address: u64,
    size: u64,
    what: What,
    ty: Option<SourceType>,
    span: Span,
}

/// The kind of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Variable(String),
    Literal,
    /// A heap block: its index among the blocks of its allocation site, from 1.
    Block(u32),
    Temporary,
}

/// The target of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// The null pointer.
    Null,
    /// A function.
    Function(String),
    /// A part of an object.
    Object {
        /// The object.
        object: Rc<PlacedAt>,
        /// The access path to the part, as the source writes it after the object: `.slots[2]`.
        path: String,
        /// The offset in bytes from the start of the part; negative for addresses before the
        /// object.
        rest: i64,
    },
    /// An address outside all known objects.
    Unknown(u64),
}

impl<'p> Objects<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let layout = Layout::new(program).ok();
        let mut objects = Objects { program, layout, placed: BTreeMap::new(), blocks: FxHashMap::default() };
        for (object, data) in program.objects.iter() {
            let address = objects.layout.as_ref().and_then(|layout| layout.object(object));
            if let Some(address) = address {
                let ty = program.source.objects.get(&object).copied();
                objects.insert(address, data.size, What::of(&data.name), ty, data.span);
            }
        }
        objects
    }

    /// Records the address of an object and removes the objects that it overlaps.
    pub(super) fn place(
        &mut self,
        function: Function,
        object: PlacedObject,
        address: u64,
        size: u64,
        span: Span,
    ) {
        match object {
            PlacedObject::Automatic(object) => {
                let data = &self.program.objects[object];
                let ty = self.program.source.objects.get(&object).copied();
                self.insert(address, size, What::of(&data.name), ty, data.span);
            }
            PlacedObject::Allocated(value) => {
                let name = self.program.functions[function].values[value].name.as_deref();
                let (what, ty) = match name.and_then(|name| Some((name, name.strip_prefix('&')?))) {
                    Some((place, name)) => (What::of(name), self.program.source.place(function, place)),
                    None => {
                        let number = self.blocks.entry(span).or_default();
                        *number += 1;
                        (What::Block(*number), None)
                    }
                };
                self.insert(address, size, what, ty, span);
            }
        }
    }

    fn insert(&mut self, address: u64, size: u64, what: What, ty: Option<SourceType>, span: Span) {
        let end = address.saturating_add(size.max(1));
        let overlapping: Vec<u64> = self
            .placed
            .range(..end)
            .rev()
            .take_while(|(_, object)| object.address.saturating_add(object.size) > address)
            .map(|(&start, _)| start)
            .collect();
        for start in overlapping {
            self.placed.remove(&start);
        }
        self.placed.insert(address, Rc::new(PlacedAt { address, size, what, ty, span }));
    }

    /// Returns the target of a pointer to `pointee` with the value `address`.
    pub(super) fn pointer(&self, address: u64, pointee: Option<SourceType>) -> Pointer {
        let wanted = pointee.map_or(Wanted::Largest, Wanted::Named);
        self.pointer_to(address, wanted)
    }

    /// Returns the scalar at an address, and its type if known.
    pub(super) fn scalar(&self, address: u64) -> (Pointer, Option<SourceType>) {
        let pointer = self.pointer_to(address, Wanted::Scalar);
        let ty = match &pointer {
            Pointer::Object { object, .. } => object.ty.map(|ty| {
                self.program.source.part(ty, address.wrapping_sub(object.address), Wanted::Scalar).ty
            }),
            _ => None,
        };
        (pointer, ty)
    }

    fn pointer_to(&self, address: u64, wanted: Wanted) -> Pointer {
        if address == 0 {
            return Pointer::Null;
        }
        if let Some(function) = self.layout.as_ref().and_then(|layout| layout.function_at(address)) {
            return Pointer::Function(self.program.functions[function].name.clone());
        }
        let Some(object) = self.object_at(address) else { return Pointer::Unknown(address) };
        let offset = address.wrapping_sub(object.address);
        let (path, rest) = match object.ty {
            Some(ty) if offset <= object.size => {
                let part = self.program.source.part(ty, offset, wanted);
                (part.path, part.rest as i64)
            }
            _ => (String::new(), offset as i64),
        };
        Pointer::Object { object: Rc::clone(object), path, rest }
    }

    fn object_at(&self, address: u64) -> Option<&Rc<PlacedAt>> {
        let below = self.placed.range(..=address).next_back().map(|(_, object)| object);
        // The address one past the end also belongs to the object.
        let holds = |object: &&Rc<PlacedAt>| address - object.address <= object.size;
        if let Some(object) = below.filter(holds) {
            return Some(object);
        }
        let slot = |address: u64| self.program.machine.slot_bits.map(|bits| address >> bits);
        let in_slot =
            |object: &&Rc<PlacedAt>| slot(address).is_some_and(|index| slot(object.address) == Some(index));
        let above = self.placed.range(address..).next().map(|(_, object)| object);
        below.filter(in_slot).or_else(|| above.filter(in_slot))
    }
}

impl What {
    fn of(name: &str) -> Self {
        // Lowering makes names unique with numeric suffixes.
        match name.split('.').next() {
            Some("string") => What::Literal,
            Some("literal" | "temporary" | "argument") => What::Temporary,
            _ => What::Variable(name.rsplit("::").next().unwrap_or(name).to_owned()),
        }
    }
}

/// Returns the line of `span`.
pub(super) fn line(sources: &SourceMap, span: Span) -> Option<u32> {
    sources.presumed(span).map(|position| position.line)
}

/// Returns the name of the callee, read from the text of the call expression.
pub(super) fn callee(sources: &SourceMap, call: Span) -> Option<String> {
    let text = sources.text(call);
    let (name, _) = text.split_once('(')?;
    let name = name.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
}

/// The name of an argument of the entry function, if its harness allocates the block: the harness
/// that the tool made itself has lines `NAME_block = malloc(…);`.
fn argument(sources: &SourceMap, call: Span) -> Option<String> {
    if !sources.presumed(call)?.file.starts_with("<harness of ") {
        return None;
    }
    let line = sources.line_span(sources.file_of(call)?, sources.location(call)?.line)?;
    let before = sources.text(Span::new(line.lo, call.lo));
    let name = before.trim().strip_suffix('=')?.trim_end();
    Some(name.strip_suffix("_block").unwrap_or(name).to_owned())
}

/// Describes a heap block: `block of 16 bytes from malloc at line 7`, or, for an argument of the
/// entry function, `block of 16 bytes behind p`.
pub(super) fn block(sources: &SourceMap, size: u64, number: u32, span: Span) -> String {
    let number = if number > 1 { format!(" #{number}") } else { String::new() };
    let bytes = if size == 1 { "byte" } else { "bytes" };
    if let Some(name) = argument(sources, span) {
        return format!("block{number} of {size} {bytes} behind {name}");
    }
    let from = callee(sources, span).map_or(String::new(), |name| format!(" from {name}"));
    let at = line(sources, span).map_or(String::new(), |line| format!(" at line {line}"));
    format!("block{number} of {size} {bytes}{from}{at}")
}

/// Returns the text of a string literal, shortened if necessary.
pub(super) fn literal(sources: &SourceMap, span: Span) -> Option<String> {
    /// The largest number of characters shown.
    const MOST: usize = 40;
    let text = sources.text(span);
    let start = text.find('"').filter(|&start| start <= 2)?;
    if text.chars().count() <= MOST {
        return Some(text.into_owned());
    }
    let kept: String = text.chars().take(MOST).collect();
    let kept = kept.trim_end_matches('\\');
    Some(if start < kept.len() { format!("{kept}…\"") } else { text.into_owned() })
}

impl Pointer {
    /// Returns the pointer as the source writes it: `buf + 3`, `&node.next`.
    pub fn text(&self, sources: &SourceMap) -> String {
        let (object, path, rest) = match self {
            Pointer::Null => return "NULL".to_owned(),
            Pointer::Function(name) => return name.clone(),
            Pointer::Unknown(address) => return format!("{address:#x}"),
            Pointer::Object { object, path, rest } => (object, path.as_str(), *rest),
        };
        let base = match &object.what {
            What::Block(number) => {
                let offset = if rest == 0 { String::new() } else { format!(", offset {rest}") };
                return format!("{}{offset}", block(sources, object.size, *number, object.span));
            }
            What::Literal => match literal(sources, object.span) {
                Some(text) => return with_index(&text, path, rest),
                None => "string".to_owned(),
            },
            What::Temporary => "temporary".to_owned(),
            What::Variable(name) => name.clone(),
        };
        match is_index(path) {
            true => with_index(&base, path, rest),
            false => with_rest(&format!("&{base}{path}"), rest),
        }
    }

    /// Returns the target as the source names it: `buf[3]`.
    pub fn target(&self, sources: &SourceMap) -> String {
        match self {
            Pointer::Object { object, path, rest } => match &object.what {
                What::Variable(name) => with_rest(&format!("{name}{path}"), *rest),
                _ => self.text(sources),
            },
            _ => self.text(sources),
        }
    }
}

/// Whether `path` is a single index, `[3]`.
fn is_index(path: &str) -> bool {
    path.starts_with('[') && path.find(']') == Some(path.len() - 1)
}

/// Formats a pointer to an array element: `buf + 3`.
fn with_index(base: &str, path: &str, rest: i64) -> String {
    match path.trim_start_matches('[').trim_end_matches(']') {
        "" | "0" => with_rest(base, rest),
        index => with_rest(&format!("{base} + {index}"), rest),
    }
}

fn with_rest(base: &str, rest: i64) -> String {
    let bytes = if rest.abs() == 1 { "byte" } else { "bytes" };
    match rest {
        0 => base.to_owned(),
        1.. => format!("{base} + {rest} {bytes}"),
        _ => format!("{base} - {} {bytes}", rest.unsigned_abs()),
    }
}
