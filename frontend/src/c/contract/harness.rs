//! The text of a harness.

use super::declarations::{Declarations, is_variadic};
use super::{
    Choices, Extent, MOST_BYTES, MOST_ELEMENTS, Null, Parameter, Precondition, RELEASE, UNKNOWN, precondition,
};
use crate::c::hir::{FunctionId, Program};
use crate::c::lower::{Allocation, has_pointer};
use crate::c::sema;
use crate::c::types::{ArrayLength, FloatKind, IntegerKind, QualType, Type, TypeId};
use grammars::c::ast::{Qualifier, RecordKind};
use grammars::source::{Diagnostic, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A C program that calls a function with all arguments that its precondition permits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// Its text.
    pub text: String,
    /// The names of the functions of the library and of the environment that it calls. If the
    /// program defines one of them, the harness does not establish the precondition.
    pub needs: BTreeSet<String>,
    /// Warnings about annotations.
    pub warnings: Vec<Diagnostic>,
}

/// The form of a harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text<'t> {
    /// A translation unit that is linked with the program.
    Linked,
    /// A translation unit that includes the file with the function.
    Including(&'t str),
}

/// The choices for a harness besides the precondition.
#[derive(Clone, Debug)]
pub struct Setting<'s> {
    /// The name of the entry function.
    pub entry: &'s str,
    /// The form of the text.
    pub form: Text<'s>,
    /// Whether `malloc` may fail; the arguments are then those of executions where it does not.
    pub allocation: Allocation,
    /// The treatment of blocks that the function does not free.
    pub ownership: Ownership,
    /// What comes between the arguments and the call.
    pub pause: Pause,
}

/// What comes between the arguments and the call of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Nothing.
    Absent,
    /// The loop [`PAUSE`]. Before it, all inputs are chosen: scalars, the numbers of elements, and
    /// for each pointer that may be null, whether it is ([`null_of`]). After it, a call for each
    /// choice of null pointers, if these are at most three.
    Loop,
}

/// A loop without an effect.
pub const PAUSE: &str = "while (__VERIFIER_nondet_bool())";

/// The largest number of pointers with calls of their own for null.
const MOST_NULLABLE: usize = 3;

/// The end of the name of a variable that says whether an argument is null.
const IS_NULL: &str = "_is_null";

/// The argument about which a variable of the harness says whether it is null.
#[must_use]
pub fn null_of(name: &str) -> Option<&str> {
    name.strip_suffix(IS_NULL)
}

/// The treatment of the blocks that arguments refer to, after the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ownership {
    /// They stay allocated, with a pointer to each.
    Kept,
    /// They are freed if the function has not freed them.
    Released,
}

/// The function that restricts the arguments.
const ASSUME: &str = "__VERIFIER_assume";
/// The names that the harness declares.
const DECLARED: &[&str] = &["malloc", "main", ASSUME, UNKNOWN, RELEASE];
/// The keywords that are names in the source only through macros or extensions.
const KEYWORDS: &[&str] = &["asm", "typeof", "inline", "restrict", "linux", "unix", "i386"];
/// The largest number of lines; a harness beyond it would have too many objects to be of use.
const MOST_LINES: usize = 4_000;
/// The depth to which a type is searched for pointers; deeper types are assumed to contain one.
const DEEPEST_POINTER: u32 = 8;

/// Writes a harness for a function that has a body.
///
/// # Errors
/// Located errors about annotations, about choices that do not fit, and about types that a harness
/// cannot declare.
pub fn harness(
    program: &Program,
    function: FunctionId,
    choices: &Choices,
    setting: &Setting<'_>,
    sources: &SourceMap,
) -> Result<Harness, Vec<Diagnostic>> {
    let Setting { entry, form, .. } = setting;
    let (precondition, warnings) = precondition(program, function, choices, sources)?;
    let mut declarations = Declarations::new(program);
    let depth = precondition.depth.map_or(1, |depth| depth + 1);
    for parameter in &precondition.parameters {
        declarations.add(parameter.ty, depth);
    }
    if let Some(ty) = program.types.function(program[function].ty) {
        declarations.add(ty.result, 0);
        for &parameter in ty.parameters.iter() {
            declarations.add(parameter, 0);
        }
    }
    let mut names: BTreeSet<String> = DECLARED.iter().map(|&name| name.to_owned()).collect();
    names.extend([(*entry).to_owned(), program.name(program[function].name).to_owned()]);
    names.extend(precondition.parameters.iter().map(|parameter| parameter.name.clone()));
    let mut writer = Writer {
        program,
        function,
        precondition: &precondition,
        declarations: &declarations,
        names,
        setting,
        used: BTreeMap::new(),
        statics: String::new(),
        inputs: String::new(),
        body: String::new(),
        indent: 1,
        loops: Vec::new(),
        blocks: Vec::new(),
        counts: Vec::new(),
        nullable: Vec::new(),
        errors: Vec::new(),
    };
    writer.body();
    if writer.body.lines().count() > MOST_LINES {
        let text = "the arguments have too many pointers inside of them";
        let error = Diagnostic::error(program[function].span, text);
        writer.errors.push(error.with_help("choose a smaller --pointer-depth"));
    }
    if !writer.errors.is_empty() {
        return Err(writer.errors);
    }
    let name = program.name(program[function].name);
    let mut text = format!("// Calls `{name}` with all arguments that its precondition permits.\n");
    match form {
        Text::Linked => text.push_str(&declarations.text(function)),
        Text::Including(path) => writeln!(text, "#include \"{path}\"").unwrap_or_default(),
    }
    for declaration in writer.used.values() {
        let _ = writeln!(text, "extern {declaration};");
    }
    let Writer { statics, inputs, body, .. } = &writer;
    let _ = write!(text, "\nint {entry}(void) {{\n{statics}{inputs}{body}}}\n");
    if *form == Text::Linked {
        check(program, function, &declarations, &text)?;
    }
    Ok(Harness { text, needs: writer.used.into_keys().collect(), warnings })
}

/// Checks that the harness is valid and that its records are those of the program.
fn check(
    program: &Program,
    function: FunctionId,
    declarations: &Declarations<'_>,
    text: &str,
) -> Result<(), Vec<Diagnostic>> {
    let span = program[function].span;
    let error = |text: String| vec![Diagnostic::error(span, text)];
    let mut sources = SourceMap::new();
    let file = sources.add("harness", text.as_bytes()).map_err(|failure| error(failure.to_string()))?;
    let parsed = grammars::c::parse(&sources, file);
    let checked = sema::check(&parsed.unit, sema::Options { model: program.types.model });
    let mut all = parsed.diagnostics.iter().chain(&checked.diagnostics);
    if let Some(wrong) = all.find(|diagnostic| diagnostic.is_error()) {
        let line = sources.text(wrong.primary.span);
        return Err(error(format!("the precondition is not valid C: {} (at `{line}`)", wrong.message)));
    }
    declarations.check(&checked.program).map_err(|name| {
        error(format!("a harness cannot declare `{name}`, which an argument contains, with its layout"))
    })
}

/// Whether a parameter may keep its name in the harness.
pub(super) fn is_usable(name: &str) -> bool {
    !DECLARED.contains(&name) && !KEYWORDS.contains(&name) && !name.starts_with("__VERIFIER")
}

struct Writer<'w> {
    program: &'w Program,
    function: FunctionId,
    precondition: &'w Precondition,
    declarations: &'w Declarations<'w>,
    /// The names in use.
    names: BTreeSet<String>,
    setting: &'w Setting<'w>,
    /// The functions that the body calls, with their declarations.
    used: BTreeMap<String, String>,
    /// The declarations of the pointers to blocks inside of arguments.
    statics: String,
    /// What comes before the pause.
    inputs: String,
    body: String,
    indent: usize,
    /// The indices of the loops around the current line, with the largest number of iterations.
    loops: Vec<(String, u64)>,
    /// The pointers to blocks, with the sizes of the arrays that they are in.
    blocks: Vec<(String, Vec<u64>)>,
    /// The numbers of elements of the arguments.
    counts: Vec<String>,
    /// The arguments that may be null: the name, the variable that says so, and the block.
    nullable: Vec<(String, String, String)>,
    errors: Vec<Diagnostic>,
}

impl Writer<'_> {
    /// Writes the body of the entry function.
    fn body(&mut self) {
        let parameters = &self.precondition.parameters;
        let is_pointer =
            |parameter: &&Parameter| matches!(self.program.types[parameter.ty], Type::Pointer(_));
        let (pointers, others): (Vec<_>, Vec<_>) = parameters.iter().partition(is_pointer);
        // Numbers of elements refer to scalars.
        for parameter in others {
            self.value(parameter);
        }
        for parameter in pointers {
            self.pointer(parameter);
        }
        for condition in &self.precondition.conditions {
            self.assume(condition);
        }
        if is_variadic(self.program.types.function(self.program[self.function].ty)) {
            self.line("// Further arguments may have any value.");
            self.approximate();
        }
        let arguments: Vec<String> = parameters.iter().map(|parameter| self.argument(parameter)).collect();
        // A block that the function returns belongs to its caller, who keeps it.
        let result = self.program.types.function(self.program[self.function].ty).map(|ty| ty.result);
        let mut kept = None;
        if let Some(result) = result.filter(|&result| self.has_pointer(result)) {
            let name = self.fresh("result");
            let declared = self.declarations.declare(result, &name);
            self.line(&format!("static {declared};"));
            kept = Some(name);
        }
        let nullable = match self.setting.pause {
            Pause::Loop => {
                self.pause();
                let nullable = std::mem::take(&mut self.nullable);
                if nullable.len() <= MOST_NULLABLE { nullable } else { Vec::new() }
            }
            Pause::Absent => Vec::new(),
        };
        self.calls(kept.as_deref(), &arguments, &nullable);
        if self.setting.ownership == Ownership::Released {
            self.release_blocks();
        }
        self.line("return 0;");
    }

    /// Writes the loop after the inputs.
    fn pause(&mut self) {
        self.any_bool();
        let _ = writeln!(self.inputs, "    {PAUSE}\n        ;");
        // They stay observable in the loop.
        for count in std::mem::take(&mut self.counts) {
            let _ = writeln!(self.inputs, "    (void){count};");
        }
    }

    /// Writes the call, one for each choice of null pointers among `nullable`.
    fn calls(&mut self, result: Option<&str>, arguments: &[String], nullable: &[(String, String, String)]) {
        let Some(((name, is_null, block), rest)) = nullable.split_first() else {
            let name = self.program.name(self.program[self.function].name);
            let call = format!("{name}({});", arguments.join(", "));
            self.line(&result.map_or_else(|| call.clone(), |result| format!("{result} = {call}")));
            return;
        };
        let with = |value: &str| -> Vec<String> {
            let arguments = arguments.iter().map(|argument| if argument == name { value } else { argument });
            arguments.map(str::to_owned).collect()
        };
        self.line(&format!("if ({is_null}) {{"));
        self.indent += 1;
        self.calls(result, &with("0"), rest);
        self.indent -= 1;
        self.line("} else {");
        self.indent += 1;
        self.calls(result, &with(block), rest);
        self.indent -= 1;
        self.line("}");
    }

    /// Frees the blocks that the function has not freed.
    fn release_blocks(&mut self) {
        for (block, sizes) in std::mem::take(&mut self.blocks) {
            self.uses(RELEASE, format!("void {RELEASE}(void *)"));
            self.release_each(&block, &sizes);
        }
    }

    fn release_each(&mut self, block: &str, sizes: &[u64]) {
        match sizes.split_first() {
            None => self.line(&format!("{RELEASE}({block});")),
            Some((&size, rest)) => self.repeat((&size.to_string(), size), |this, index| {
                this.release_each(&format!("{block}[{index}]"), rest);
            }),
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{}{text}", "    ".repeat(self.indent));
    }

    /// Writes a line about an input: before the pause, if there is one.
    fn input_line(&mut self, text: &str) {
        match self.setting.pause {
            Pause::Loop if self.indent == 1 => _ = writeln!(self.inputs, "    {text}"),
            Pause::Loop | Pause::Absent => self.line(text),
        }
    }

    fn uses(&mut self, name: &str, declaration: String) {
        self.used.insert(name.to_owned(), declaration);
    }

    fn fresh(&mut self, name: &str) -> String {
        let numbered = (2_u32..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        candidates.find(|name| self.names.insert(name.clone())).unwrap_or_default()
    }

    fn assume(&mut self, condition: &str) {
        self.uses(ASSUME, format!("void {ASSUME}(int)"));
        self.line(&format!("{ASSUME}({condition});"));
    }

    /// The call that chooses any value of a scalar type.
    fn input(&mut self, suffix: &str, ty: &str) -> String {
        let name = format!("__VERIFIER_nondet_{suffix}");
        self.uses(&name, format!("{ty} {name}(void)"));
        format!("{name}()")
    }

    fn any_bool(&mut self) -> String {
        self.input("bool", "_Bool")
    }

    /// Allocates a block for a pointer that stays.
    fn allocate(&mut self, block: &str, size: &str) {
        self.uses("malloc", "void *malloc(__typeof__(sizeof 0))".to_owned());
        self.line(&format!("{block} = malloc({size});"));
        if self.setting.allocation == Allocation::MayFail {
            self.assume(&format!("{block} != 0"));
        }
    }

    /// Makes the execution an over-approximation.
    fn approximate(&mut self) {
        self.uses(UNKNOWN, format!("void *{UNKNOWN}(void)"));
        self.line(&format!("{UNKNOWN}();"));
    }

    fn has_pointer(&self, ty: TypeId) -> bool {
        has_pointer(self.program, ty, DEEPEST_POINTER)
    }

    /// An argument that is not a pointer.
    fn value(&mut self, parameter: &Parameter) {
        let declared = self.declarations.declare(parameter.ty, &parameter.name);
        let input = match self.program.types[parameter.ty] {
            Type::Integer(kind) => Some(self.input(suffix(kind), kind.name())),
            Type::Enum(id) => {
                let kind = self.program.types.enums[id].underlying;
                Some(self.input(suffix(kind), kind.name()))
            }
            Type::Float(kind) => Some(self.input(float_suffix(kind), kind.name())),
            _ => None,
        };
        if let Some(input) = input {
            self.input_line(&format!("{declared} = {input};"));
            return;
        }
        // The contents of a new block are any values.
        let block = format!("*{}", parameter.name);
        let declared = self.declarations.declare(parameter.ty, &block);
        self.line(&format!("static {declared};"));
        let size = format!("sizeof {block}");
        self.allocate(&parameter.name, &size);
        self.blocks.push((parameter.name.clone(), Vec::new()));
        if self.has_pointer(parameter.ty) {
            match self.precondition.depth {
                Some(depth) => {
                    self.fill(&format!("(*{})", parameter.name), parameter.ty, depth, Access::Direct);
                }
                None => self.approximate(),
            }
        }
    }

    /// The expression for an argument.
    fn argument(&self, parameter: &Parameter) -> String {
        match self.program.types[parameter.ty] {
            Type::Pointer(_) | Type::Integer(_) | Type::Enum(_) | Type::Float(_) => parameter.name.clone(),
            _ => format!("*{}", parameter.name),
        }
    }

    /// A pointer argument.
    fn pointer(&mut self, parameter: &Parameter) {
        let Parameter { name, ty, null, extent } = parameter;
        let Type::Pointer(to) = self.program.types[*ty] else { return };
        let declared = self.declarations.declare(*ty, name);
        if *null == Null::Always {
            self.line(&format!("{declared} = 0;"));
            return;
        }
        let is_void = to.ty == TypeId::VOID;
        let size = if is_void { Some(1) } else { self.program.types.size(to.ty) };
        let size = size.filter(|_| !self.program.types.is_variably_modified(to.ty));
        let is_known = size.is_some_and(|size| size <= MOST_BYTES || *extent != Extent::Unstated);
        if !is_known {
            self.uses(UNKNOWN, format!("void *{UNKNOWN}(void)"));
            // A variable length has no meaning here.
            let line = match self.program.types.is_variably_modified(to.ty) {
                true => format!("void *{name} = {UNKNOWN}();"),
                false => format!("{declared} = ({}){UNKNOWN}();", self.declarations.declare(*ty, "")),
            };
            self.line(&line);
            if *null == Null::Excluded {
                self.assume(&format!("{name} != 0"));
            }
            return;
        }
        let has_pointer = self.has_pointer(to.ty);
        let extent = match extent {
            Extent::Unstated if has_pointer && self.precondition.depth.is_some() => &Extent::Between(1, 1),
            Extent::Unstated => &Extent::Between(1, fitting(size)),
            stated => stated,
        };
        let count = self.count(name, extent, fitting(size));
        let block = self.fresh(&format!("{name}_block"));
        // The block stays reachable when the argument is null.
        self.line(&format!("static {};", self.declarations.declare_pointer(to.ty, &block)));
        let size = size_of(&count, (!is_void).then_some(&block));
        self.allocate(&block, &size);
        self.blocks.push((block.clone(), Vec::new()));
        if matches!(extent, Extent::String(_)) {
            if self.program.types.is_integer(to.ty) {
                self.line(&format!("{block}[{count} - 1] = 0;"));
            } else {
                let text = format!("`{name}` does not point to the characters of a string");
                self.errors.push(Diagnostic::error(self.program[self.function].span, text));
            }
        }
        match self.precondition.depth {
            Some(depth) if has_pointer => self.elements(&block, (&count, extent.most()), to, depth),
            None if has_pointer => {
                self.line(&format!("// The pointers behind `{name}` may have any value."));
                self.approximate();
            }
            _ => {}
        }
        self.line(&format!("{declared} = {block};"));
        let may_be = match null {
            Null::Allowed => None,
            Null::IfEmpty => Some(format!("{count} == 0 && ")),
            Null::Excluded | Null::Always => return,
        };
        let input = self.any_bool();
        let may_be = may_be.unwrap_or_default();
        match self.setting.pause {
            Pause::Absent => self.line(&format!("if ({may_be}{input})")),
            Pause::Loop => {
                let is_null = self.fresh(&format!("{name}{IS_NULL}"));
                self.input_line(&format!("_Bool {is_null} = {may_be}{input};"));
                self.counts.push(is_null.clone());
                self.line(&format!("if ({is_null})"));
                self.nullable.push((name.clone(), is_null, block));
            }
        }
        self.line(&format!("    {name} = 0;"));
    }

    /// Sets the pointers in the elements of a block.
    fn elements(&mut self, block: &str, count: (&str, u64), to: QualType, depth: u32) {
        if count.0 == "1" {
            self.fill(&format!("(*{block})"), to.ty, depth, Access::Direct);
            return;
        }
        self.repeat(count, |this, index| {
            this.fill(&format!("{block}[{index}]"), to.ty, depth, Access::Direct);
        });
    }

    /// A loop over the indices below a number, which has a largest value.
    fn repeat(&mut self, (count, most): (&str, u64), action: impl FnOnce(&mut Self, &str)) {
        let index = self.fresh("i");
        self.line(&format!("for (unsigned {index} = 0; {index} < {count}; {index}++) {{"));
        self.indent += 1;
        self.loops.push((index.clone(), most));
        action(self, &index);
        self.loops.pop();
        self.indent -= 1;
        self.line("}");
    }

    /// Declares the number of elements and returns its C text, a literal or a name. Without a
    /// stated bound, it is at most `fitting`.
    fn count(&mut self, name: &str, extent: &Extent, fitting: u64) -> String {
        let (least, most, value) = match extent {
            Extent::Between(least, most) if least == most => return least.to_string(),
            Extent::Unstated => (1, fitting, None),
            Extent::Between(least, most) => (*least, *most, None),
            Extent::String(most) => (1, *most, None),
            Extent::Expression(text) => (0, fitting, Some(text)),
        };
        let count = self.fresh(&format!("{name}_count"));
        let declared = match value {
            Some(text) => format!("long long {count} = {text};"),
            None => format!("unsigned int {count} = {};", self.input("uint", "unsigned int")),
        };
        self.input_line(&declared);
        if self.indent == 1 {
            self.counts.push(count.clone());
        }
        let above = format!("{least} <= {count} && ");
        let above = if least == 0 && value.is_none() { "" } else { &above };
        self.uses(ASSUME, format!("void {ASSUME}(int)"));
        self.input_line(&format!("{ASSUME}({above}{count} <= {most});"));
        count
    }

    /// Sets the pointers inside of a place.
    fn fill(&mut self, place: &str, ty: TypeId, depth: u32, access: Access) {
        if !self.has_pointer(ty) || self.body.len() > MOST_LINES * 80 {
            return;
        }
        match self.program.types[ty] {
            Type::Pointer(to) => self.inner_pointer(place, to, depth, access),
            Type::Array(element, ArrayLength::Known(length)) => {
                self.repeat((&length.to_string(), length), |this, index| {
                    let access = access.within(element.qualifiers);
                    this.fill(&format!("{place}[{index}]"), element.ty, depth, access);
                });
            }
            Type::Record(id) => {
                let program = self.program;
                let is_union = program.types.records[id].kind == RecordKind::Union;
                let fields = program.types.fields(ty).unwrap_or_default();
                let fields = fields.iter().filter(|field| has_pointer(program, field.ty, DEEPEST_POINTER));
                for field in fields.take(if is_union { 1 } else { usize::MAX }) {
                    let place = match field.name.map(|name| program.name(name)) {
                        Some(name) => member(place, name),
                        None => place.to_owned(),
                    };
                    self.fill(&place, field.ty, depth, access.within(field.qualifiers));
                }
            }
            // The elements of a flexible array member are not there; a `va_list` is unknown.
            Type::Array(..) => {}
            _ => self.approximate(),
        }
    }

    /// Sets a pointer inside of an argument.
    fn inner_pointer(&mut self, place: &str, to: QualType, depth: u32, access: Access) {
        let target = match access {
            Access::Direct => place.to_owned(),
            Access::Constant => format!("*(void **)&{place}"),
        };
        let is_void = to.ty == TypeId::VOID;
        let size = if is_void { Some(1) } else { self.program.types.size(to.ty) };
        let Some(depth) = depth.checked_sub(1).filter(|_| size.is_some()) else {
            self.line(&format!("{target} = 0;"));
            return;
        };
        let may_be_null = self.precondition.inner == Null::Allowed;
        if may_be_null {
            self.line(&format!("{target} = 0;"));
            let is_there = self.any_bool();
            self.line(&format!("if ({is_there}) {{"));
            self.indent += 1;
        }
        let has_pointer = self.has_pointer(to.ty);
        let is_one = has_pointer || size.is_some_and(|size| size > MOST_BYTES);
        let extent = if is_one { Extent::Between(1, 1) } else { Extent::Between(1, fitting(size)) };
        let name = self.fresh("inner");
        let count = self.count(&name, &extent, fitting(size));
        let sizes: Vec<u64> = self.loops.iter().map(|&(_, most)| most).collect();
        let block = self.loops.iter().fold(name.clone(), |block, (index, _)| format!("{block}[{index}]"));
        let dimensions: String = sizes.iter().map(|size| format!("[{size}]")).collect();
        let _ = writeln!(self.statics, "    static void *{name}{dimensions};");
        self.allocate(&block, &size_of(&count, (!is_void).then_some(place)));
        self.line(&format!("{target} = {block};"));
        self.blocks.push((name, sizes));
        self.fill(&format!("(*{place})"), to.ty, depth, Access::Direct.within(to.qualifiers));
        if may_be_null {
            self.indent -= 1;
            self.line("}");
        }
    }
}

impl Extent {
    /// The largest number of elements.
    fn most(&self) -> u64 {
        match self {
            Extent::Between(_, most) | Extent::String(most) => *most,
            Extent::Unstated | Extent::Expression(_) => MOST_ELEMENTS,
        }
    }
}

/// The number of elements of this size in the largest block without a stated number of elements.
fn fitting(size: Option<u64>) -> u64 {
    (MOST_BYTES / size.unwrap_or(1).max(1)).max(1)
}

/// The size in bytes of elements behind a pointer; without one, of bytes.
fn size_of(count: &str, pointer: Option<&(impl AsRef<str> + ?Sized)>) -> String {
    match pointer.map(AsRef::as_ref) {
        None => count.to_owned(),
        Some(pointer) if count == "1" => format!("sizeof *{pointer}"),
        Some(pointer) => format!("{count} * sizeof *{pointer}"),
    }
}

/// How a place may be assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// By its name.
    Direct,
    /// Through a cast, because it is `const`.
    Constant,
}

impl Access {
    /// The access to a part with these qualifiers.
    fn within(self, qualifiers: grammars::c::ast::Qualifiers) -> Self {
        if qualifiers.contains(Qualifier::Const) { Access::Constant } else { self }
    }
}

/// A member of a place.
fn member(place: &str, name: &str) -> String {
    let pointer = place.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')'));
    match pointer.filter(|pointer| !pointer.contains('(')) {
        Some(pointer) => format!("{pointer}->{name}"),
        None => format!("{place}.{name}"),
    }
}

/// The suffix of `__VERIFIER_nondet_` for an integer type.
fn suffix(kind: IntegerKind) -> &'static str {
    match kind {
        IntegerKind::Bool => "bool",
        IntegerKind::Char => "char",
        IntegerKind::SignedChar => "schar",
        IntegerKind::UnsignedChar => "uchar",
        IntegerKind::Short => "short",
        IntegerKind::UnsignedShort => "ushort",
        IntegerKind::Int => "int",
        IntegerKind::UnsignedInt => "uint",
        IntegerKind::Long => "long",
        IntegerKind::UnsignedLong => "ulong",
        IntegerKind::LongLong => "longlong",
        IntegerKind::UnsignedLongLong => "ulonglong",
        IntegerKind::Int128 => "int128",
        IntegerKind::UnsignedInt128 => "uint128",
    }
}

/// The suffix of `__VERIFIER_nondet_` for a floating type.
fn float_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "float16",
        FloatKind::Float => "float",
        FloatKind::Float32 => "float32",
        FloatKind::Double => "double",
        FloatKind::Float64 => "float64",
        FloatKind::Float32x => "float32x",
        FloatKind::LongDouble => "longdouble",
        FloatKind::Float64x => "float64x",
        FloatKind::Float128 => "float128",
    }
}
