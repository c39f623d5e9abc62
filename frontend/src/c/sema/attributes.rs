//! GNU attributes that affect semantics. All others are accepted and ignored.

use super::Checker;
use crate::c::hir::{Alias, Automatic, MOST_SIZED, Stated, Strength, Symbol};
use crate::c::types::{FloatKind, IntegerKind, Type, TypeId};
use grammars::c::ast::{AttributeArgument, AttributeId, ExprKind, Ident, Name, StringUnits};
use grammars::source::Span;

/// The attributes of a declaration, a type or a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes {
    pub(super) is_packed: bool,
    pub(super) is_noreturn: bool,
    pub(super) is_transparent_union: bool,
    /// The greatest requested alignment.
    pub(super) align: Option<u64>,
    pub(super) mode: Option<Mode>,
    /// The size of a vector in bytes.
    pub(super) vector_size: Option<u64>,
    pub(super) is_weak: bool,
    pub(super) alias: Option<Alias>,
    /// The assembler name, if it differs from the name in the source.
    pub(super) assembler_name: Option<Name>,
    /// `ifunc`
    pub(super) has_resolver: bool,
    pub(super) is_gnu_inline: bool,
    pub(super) is_artificial: bool,
    pub(super) automatic: Automatic,
    /// The function called at the end of the scope of the variable.
    pub(super) cleanup: Option<Ident>,
    /// `nonnull` and `access`.
    pub(super) stated: Stated,
}

/// `mode(…)`: another width for the same class of type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Integer(u32),
    Float(FloatKind),
}

/// The alignment of `aligned` without an argument.
const GREATEST_ALIGNMENT: u64 = 16;
/// The largest alignment that gcc accepts.
const MAX_ALIGNMENT: i128 = 1 << 28;

/// The default priority of a constructor or destructor.
const LAST_PRIORITY: u32 = 65_535;

impl Attributes {
    pub(super) const NONE: Self = Self {
        is_packed: false,
        is_noreturn: false,
        is_transparent_union: false,
        align: None,
        mode: None,
        vector_size: None,
        is_weak: false,
        alias: None,
        assembler_name: None,
        has_resolver: false,
        is_gnu_inline: false,
        is_artificial: false,
        automatic: Automatic::Never,
        cleanup: None,
        stated: Stated { nonnull: 0, sizes: [0; MOST_SIZED] },
    };

    /// Sets the linker attributes of a symbol.
    pub(super) fn apply_to(&self, symbol: &mut Symbol) {
        if self.is_weak {
            symbol.strength = Strength::Weak;
        }
        symbol.alias = symbol.alias.or(self.alias);
        symbol.assembler_name = symbol.assembler_name.or(self.assembler_name);
        symbol.has_resolver |= self.has_resolver;
    }

    pub(super) fn demand(&mut self, align: u64) {
        self.align = Some(self.align.map_or(align, |old| old.max(align)));
    }
}

impl Checker<'_> {
    /// Adds a list of attributes to `into`.
    pub(super) fn read_attributes(&mut self, list: &[AttributeId], into: &mut Attributes) {
        let ast = self.ast;
        for &id in list {
            let attribute = &ast[id];
            match attribute.plain_name(&self.unit.names) {
                "packed" => into.is_packed = true,
                "noreturn" => into.is_noreturn = true,
                "transparent_union" => into.is_transparent_union = true,
                "aligned" => match attribute.arguments.first() {
                    None => into.demand(GREATEST_ALIGNMENT),
                    Some(&AttributeArgument::Expr(expr)) => {
                        if let Some(align) = self.alignment(expr) {
                            into.demand(align);
                        }
                    }
                    Some(AttributeArgument::Type(_)) => {}
                },
                "vector_size" => {
                    if let Some(&AttributeArgument::Expr(expr)) = attribute.arguments.first()
                        && let Some((bytes, _)) = self.constant(expr)
                    {
                        into.vector_size = u64::try_from(bytes).ok().filter(|bytes| bytes.is_power_of_two());
                        if into.vector_size.is_none() {
                            self.error(attribute.span, "vector size must be a power of two");
                        }
                    }
                }
                "mode" => {
                    if let Some(&AttributeArgument::Expr(expr)) = attribute.arguments.first()
                        && let ExprKind::Name(name) = ast[expr].kind
                    {
                        into.mode = self.mode(self.unit.names.text(name));
                        if into.mode.is_none() {
                            self.error(attribute.span, "unknown machine mode");
                        }
                    }
                }
                "weak" => into.is_weak = true,
                "cleanup" => {
                    if let Some(&AttributeArgument::Expr(expr)) = attribute.arguments.first()
                        && let ExprKind::Name(name) = ast[expr].kind
                    {
                        into.cleanup = Some(Ident { name, span: attribute.span });
                    }
                }
                "nonnull" => into.stated.nonnull |= self.nonnull_parameters(id),
                "access" => {
                    let arguments = &attribute.arguments;
                    let number = |index: usize| arguments.get(index).and_then(|&it| self.plain_number(it));
                    if let (Some(pointer), Some(size)) = (number(1), number(2))
                        && let Some(slot) = pointer.checked_sub(1)
                        && let Some(slot) = into.stated.sizes.get_mut(slot)
                    {
                        *slot = u8::try_from(size).unwrap_or(0);
                    }
                }
                "ifunc" => into.has_resolver = true,
                "ms_struct" => self.error(attribute.span, "the record layout `ms_struct` is not supported"),
                "scalar_storage_order" if self.string_argument(id).as_deref() != Some("little-endian") => {
                    self.error(attribute.span, "the scalar storage order must be \"little-endian\"");
                }
                "gnu_inline" => into.is_gnu_inline = true,
                "artificial" => into.is_artificial = true,
                name @ ("alias" | "weakref") => {
                    into.is_weak |= name == "weakref";
                    if let Some(target) = self.string_argument(id) {
                        let target = self.program.names.intern(&target);
                        into.alias = Some(Alias { target, span: attribute.span });
                    }
                }
                name @ ("constructor" | "destructor") => {
                    let make = match name {
                        "constructor" => Automatic::Constructor,
                        _ => Automatic::Destructor,
                    };
                    let priority = match attribute.arguments.first() {
                        Some(&AttributeArgument::Expr(expr)) => self.constant(expr),
                        _ => None,
                    };
                    let priority = priority.and_then(|(value, _)| u32::try_from(value).ok());
                    into.automatic = make(priority.unwrap_or(LAST_PRIORITY));
                }
                _ => {}
            }
        }
    }

    /// The parameters that `nonnull` names, all without arguments; see [`Stated::nonnull`].
    fn nonnull_parameters(&self, id: AttributeId) -> u64 {
        let arguments = &self.ast[id].arguments;
        let numbers = arguments.iter().filter_map(|&argument| self.plain_number(argument));
        match arguments.is_empty() {
            true => u64::MAX,
            false => numbers
                .filter(|number| (1..=64).contains(number))
                .fold(0, |all, number| all | 1 << (number - 1)),
        }
    }

    /// Returns an argument of an attribute that is an integer literal.
    fn plain_number(&self, argument: AttributeArgument) -> Option<usize> {
        let AttributeArgument::Expr(expr) = argument else { return None };
        let ExprKind::Integer(literal) = self.ast[expr].kind else { return None };
        usize::try_from(self.ast[literal].value).ok()
    }

    /// Returns the first argument of an attribute if it is a string.
    fn string_argument(&self, id: AttributeId) -> Option<String> {
        let &AttributeArgument::Expr(expr) = self.ast[id].arguments.first()? else { return None };
        let ExprKind::String(string) = self.ast[expr].kind else { return None };
        match &self.ast[string].units {
            StringUnits::Narrow(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }

    /// The value of `aligned(e)` or `_Alignas(e)`; `None` for 0, which has no effect, and after an
    /// error.
    pub(super) fn alignment(&mut self, expr: grammars::c::ast::ExprId) -> Option<u64> {
        let span = self.ast[expr].span;
        let (value, _) = self.constant(expr)?;
        match value {
            0 => None,
            1..=MAX_ALIGNMENT if value & (value - 1) == 0 => Some(value as u64),
            _ => {
                self.error(span, "alignment must be a power of two and at most 2^28");
                None
            }
        }
    }

    fn mode(&self, name: &str) -> Option<Mode> {
        let plain = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(name);
        Some(match plain {
            "QI" | "byte" => Mode::Integer(8),
            "HI" => Mode::Integer(16),
            "SI" => Mode::Integer(32),
            "DI" => Mode::Integer(64),
            "TI" => Mode::Integer(128),
            "word" | "pointer" | "unwind_word" => Mode::Integer(self.types().model.pointer_width()),
            "HF" => Mode::Float(FloatKind::Float16),
            "SF" | "SC" => Mode::Float(FloatKind::Float),
            "DF" | "DC" => Mode::Float(FloatKind::Double),
            "XF" | "XC" => Mode::Float(FloatKind::LongDouble),
            "TF" | "TC" => Mode::Float(FloatKind::Float128),
            _ => return None,
        })
    }

    /// Applies `mode` and `vector_size` to a declared type.
    pub(super) fn apply_mode(&mut self, ty: TypeId, attributes: &Attributes, span: Span) -> TypeId {
        let mut ty = ty;
        if let Some(mode) = attributes.mode {
            ty = match (mode, &self.types()[ty]) {
                (Mode::Integer(width), _) if self.types().is_integer(ty) => {
                    TypeId::integer(self.integer_of_width(width, self.is_signed(ty)))
                }
                (Mode::Float(kind), Type::Float(_)) => TypeId::float(kind),
                (Mode::Float(kind), Type::Complex(_)) => {
                    self.program.types.intern(Type::Complex(TypeId::float(kind)))
                }
                (Mode::Integer(_), Type::Pointer(_)) | (_, Type::Error) => ty,
                _ => {
                    self.error(span, "machine mode is not applicable to this type");
                    TypeId::ERROR
                }
            };
        }
        match attributes.vector_size {
            Some(bytes) => self.vector_type(ty, bytes, span),
            None => ty,
        }
    }

    /// Returns the standard integer type of a width.
    pub(super) fn integer_of_width(&self, width: u32, is_signed: bool) -> IntegerKind {
        let long = self.types().model.pointer_width();
        let kind = match width {
            0..=8 => IntegerKind::SignedChar,
            9..=16 => IntegerKind::Short,
            17..=32 => IntegerKind::Int,
            33..=64 if long == 64 => IntegerKind::Long,
            33..=64 => IntegerKind::LongLong,
            _ => IntegerKind::Int128,
        };
        if is_signed { kind } else { kind.to_unsigned() }
    }
}
