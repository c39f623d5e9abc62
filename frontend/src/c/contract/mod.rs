//! The precondition of an entry function, and the C harness that establishes it.
//!
//! An entry function other than `main` is called by a *harness*: a C function that declares the
//! arguments as inputs, allocates what they point to, assumes the precondition and calls the
//! function. The harness is C text that is checked and linked like the rest of the program, so a
//! precondition has one meaning: a user who writes the harness to a file and edits it starts from
//! the program that was verified. Nothing of this module is part of lowering.
//!
//! | module | contents |
//! |---|---|
//! | `choices` | the choices of a user about arguments |
//! | `acsl` | annotations: a subset of ACSL |
//! | `harness` | the text of the harness |
//! | `declarations` | the declarations of types and of the function in the harness |
//!
//! # The precondition
//!
//! A `Precondition` has a shape for each pointer parameter: may it be null (`Null`), and how many
//! elements does it point to (`Extent`)? It is filled in order of rising priority:
//!
//! 1. by default, a pointer is null or points to elements in at most [`MOST_BYTES`] bytes;
//! 2. attributes (`nonnull`, `access` with a size) and array parameters (`int a[static 4]`);
//! 3. ACSL annotations before the function (`requires`);
//! 4. the choices of the user ([`Choices`]).
//!
//! Objects of different arguments are apart. All contents are any values. The objects are blocks of
//! `malloc`, so the function may free them. They belong to the harness: it keeps a pointer to each,
//! and where unfreed blocks are errors, it frees them after the call.
//!
//! # Pointers inside of arguments
//!
//! By default they have any value, which is an over-approximation: such an execution is never
//! FALSE. With [`Choices::depth`], the pointers inside of arguments refer to objects of their own,
//! up to this depth, and deeper pointers are null; so are pointers to functions and to incomplete
//! types inside of arguments. A pointer to elements with pointers then refers to one element unless
//! something else is stated, and a union holds its first member with a pointer.

mod acsl;
mod choices;
mod declarations;
mod harness;

pub use self::choices::{Argument, Choices, Contents, Count};
pub use self::harness::{Harness, Ownership, PAUSE, Pause, Setting, Text, harness, null_of};

use super::hir::{DeclaredCount, FunctionId, Program};
use super::types::{Type, TypeId};
use grammars::source::{Diagnostic, SourceMap};

/// The function that stands for a pointer about which nothing is known; an over-approximation.
pub(super) const UNKNOWN: &str = "hornwork_unknown_pointer";
/// The function that frees a block unless the program has freed it.
pub(super) const RELEASE: &str = "hornwork_release";

/// The size of the largest block behind a pointer whose number of elements is not constant.
pub const MOST_BYTES: u64 = 65_536;

/// The largest number of elements that a user may state.
pub const MOST_ELEMENTS: u64 = 65_536;

/// The conditions on which an entry function may rely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Precondition {
    /// The parameters, in order.
    pub(super) parameters: Vec<Parameter>,
    /// C conditions over the parameters.
    pub(super) conditions: Vec<String>,
    /// The depth of the pointers inside of arguments; see the module documentation.
    pub(super) depth: Option<u32>,
    /// Whether the pointers inside of arguments may be null.
    pub(super) inner: Null,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    /// The name of the argument in the harness.
    pub(super) name: String,
    /// The type in which the argument is passed.
    pub(super) ty: TypeId,
    /// For a pointer: whether it may be null.
    pub(super) null: Null,
    /// For a pointer: the elements that it points to.
    pub(super) extent: Extent,
}

/// Whether a pointer may be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Null {
    /// It may.
    Allowed,
    /// Only if it points to no elements.
    IfEmpty,
    /// It is not null.
    Excluded,
    /// It is null.
    Always,
}

/// The elements behind a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Nothing is stated.
    Unstated,
    /// A number of elements within these bounds.
    Between(u64, u64),
    /// As many as the value of this C expression over the parameters.
    Expression(String),
    /// A string: at most this many elements, the last of which is zero.
    String(u64),
}

/// Builds the precondition of a function with a body.
///
/// # Errors
/// Located errors about annotations outside of the subset, and about choices that do not fit.
pub(super) fn precondition(
    program: &Program,
    function: FunctionId,
    choices: &Choices,
    sources: &SourceMap,
) -> Result<(Precondition, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut precondition = Precondition {
        parameters: parameters(program, function),
        conditions: Vec::new(),
        depth: choices.depth,
        inner: if choices.nonnull { Null::Excluded } else { Null::Allowed },
    };
    declared(&mut precondition, program, function);
    let mut diagnostics = Vec::new();
    for &annotation in &program[function].contract.annotations {
        acsl::read(annotation, program, sources, &mut precondition, &mut diagnostics);
    }
    chosen(&mut precondition, program, function, choices, &mut diagnostics);
    match diagnostics.iter().any(Diagnostic::is_error) {
        true => Err(diagnostics),
        false => Ok((precondition, diagnostics)),
    }
}

/// The parameters with the default shapes.
fn parameters(program: &Program, function: FunctionId) -> Vec<Parameter> {
    let Some(body) = &program[function].body else { return Vec::new() };
    let mut parameters: Vec<Parameter> = Vec::new();
    for (index, (&local, &ty)) in body.parameters.iter().zip(&body.passed).enumerate() {
        let name = program.locals[local].name.map(|name| program.name(name).to_owned());
        let name =
            name.filter(|name| harness::is_usable(name) && name != program.name(program[function].name));
        let name = name.unwrap_or_else(|| format!("argument_{}", index + 1));
        parameters.push(Parameter { name, ty, null: Null::Allowed, extent: Extent::Unstated });
    }
    parameters
}

/// Adds the statements of attributes and array parameters.
fn declared(precondition: &mut Precondition, program: &Program, function: FunctionId) {
    let contract = &program[function].contract;
    let names: Vec<String> = precondition.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    for (index, parameter) in precondition.parameters.iter_mut().enumerate() {
        if !matches!(program.types[parameter.ty], Type::Pointer(_)) {
            continue;
        }
        if index < 64 && contract.stated.nonnull >> index & 1 == 1 {
            parameter.null = Null::Excluded;
        }
        let size = contract.stated.sizes.get(index).and_then(|&size| usize::from(size).checked_sub(1));
        if let Some(name) = size.and_then(|size| names.get(size)) {
            parameter.extent = Extent::Expression(name.clone());
            if parameter.null == Null::Allowed {
                parameter.null = Null::IfEmpty;
            }
        }
        if let Some((_, length)) = contract.lengths.iter().find(|&&(of, _)| of == index) {
            parameter.extent = match length.count {
                DeclaredCount::Constant(count) => Extent::Between(count, count),
                DeclaredCount::Parameter(other) => Extent::Expression(names[other].clone()),
            };
            if length.is_static {
                parameter.null = Null::Excluded;
            }
        }
    }
}

/// Adds the choices of the user.
fn chosen(
    precondition: &mut Precondition,
    program: &Program,
    function: FunctionId,
    choices: &Choices,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let span = program[function].span;
    let name = program.name(program[function].name);
    precondition.conditions.extend(choices.requires.iter().cloned());
    if choices.nonnull {
        for parameter in &mut precondition.parameters {
            parameter.null = Null::Excluded;
        }
    }
    for Argument { parameter, contents } in &choices.arguments {
        let names: Vec<&str> =
            precondition.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let number = parameter.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let number = number.filter(|&number| number < names.len());
        let index = names.iter().position(|name| name == parameter).or(number);
        let Some(index) = index else {
            let text = format!("function `{name}` has no parameter `{parameter}`");
            let list = names.join(", ");
            let help = format!("--argument names a parameter or its number; the parameters are: {list}");
            diagnostics.push(Diagnostic::error(span, text).with_help(help));
            continue;
        };
        let ty = precondition.parameters[index].ty;
        if !matches!(program.types[ty], Type::Pointer(_)) {
            let text = format!("--argument {parameter}={contents}: the parameter is not a pointer");
            diagnostics.push(Diagnostic::error(span, text));
            continue;
        }
        let (null, extent) = match contents {
            Contents::Null => (Null::Always, None),
            Contents::NonNull => (Null::Excluded, None),
            Contents::Valid => (Null::Excluded, Some(Extent::Between(1, 1))),
            Contents::Array(Count::Between(least, most)) => {
                (Null::Excluded, Some(Extent::Between(*least, *most)))
            }
            Contents::Array(Count::Parameter(other)) => {
                let other_type =
                    precondition.parameters.iter().find(|known| known.name == *other).map(|known| known.ty);
                if !other_type.is_some_and(|ty| program.types.is_integer(ty)) {
                    let text = format!(
                        "--argument {parameter}={contents}: `{other}` is not an integer parameter of `{name}`"
                    );
                    diagnostics.push(Diagnostic::error(span, text));
                    continue;
                }
                (Null::Excluded, Some(Extent::Expression(other.clone())))
            }
            Contents::String(most) => (Null::Excluded, Some(Extent::String(*most))),
        };
        let parameter = &mut precondition.parameters[index];
        parameter.null = null;
        if let Some(extent) = extent {
            parameter.extent = extent;
        }
    }
}
