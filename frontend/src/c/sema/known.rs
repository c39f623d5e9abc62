//! `__builtin_constant_p`: what gcc knows without optimization.
//!
//! Constants, string literals, and calls of functions that gcc folds for constant arguments. Other
//! expressions without side effects are taken for unknown, as gcc does without optimization except
//! for those with an operand that does not matter (`i * 0`).

use super::Checker;
use crate::c::hir::{Callee, CastKind, ExprId, ExprKind, GlobalKind, PlaceId, PlaceKind};
use crate::c::lower::{is_library_name, is_math_name};

/// Functions of the C library that gcc folds for some constant arguments, in addition to those of
/// `math.h`.
const FOLDED: [&str; 16] = [
    "strcmp",
    "strncmp",
    "memcmp",
    "bcmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "index",
    "rindex",
    "strstr",
    "strpbrk",
    "strspn",
    "strcspn",
    "memchr",
    "strnlen",
];

/// Whether gcc knows a value; `Open` where this is not modeled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Known {
    Yes,
    Open,
    No,
}

impl Checker<'_> {
    /// The result of `__builtin_constant_p`; `None` if it is not modeled.
    pub(super) fn is_known_constant(&self, value: ExprId) -> Option<bool> {
        let known = match self.literal_address(value) {
            true => Known::Yes,
            false => self.known(value, 64),
        };
        match known {
            Known::Yes => Some(true),
            Known::Open => None,
            Known::No => Some(false),
        }
    }

    fn known(&self, expr: ExprId, depth: u32) -> Known {
        let ty = self.ty(expr);
        let is_constant = match self.types().is_integer(ty) || self.types().is_pointer(ty) {
            true => self.evaluate(expr).is_some(),
            false => self.types().is_arithmetic(ty) && self.is_constant(expr),
        };
        if is_constant {
            return Known::Yes;
        }
        if depth == 0 {
            return Known::No;
        }
        let all = |operands: &[ExprId]| {
            operands.iter().map(|&operand| self.known(operand, depth - 1)).max().unwrap_or(Known::Yes)
        };
        match &self.program.exprs[expr].kind {
            ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } | ExprKind::Not(operand) => {
                all(&[*operand])
            }
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Compare { lhs, rhs, .. } => all(&[*lhs, *rhs]),
            ExprKind::Builtin { arguments, .. } => match all(arguments) {
                Known::Yes if self.types().is_arithmetic(ty) && self.is_constant(expr) => Known::Yes,
                Known::Yes if !arguments.is_empty() && self.is_foldable(expr) => Known::Open,
                _ => Known::No,
            },
            ExprKind::Call { callee: Callee::Direct(function), arguments } => {
                let function = &self.program.functions[*function];
                let name = self.text(function.name);
                let is_known = |&argument: &ExprId| {
                    self.literal_address(argument) || self.known(argument, depth - 1) != Known::No
                };
                if function.body.is_some() || !is_library_name(name) || !arguments.iter().all(is_known) {
                    return Known::No;
                }
                match name {
                    "strlen" | "abs" | "labs" | "llabs" => Known::Yes,
                    _ if FOLDED.contains(&name) || is_math_name(name) => Known::Open,
                    _ => Known::No,
                }
            }
            ExprKind::Unsupported(_) => Known::Open,
            _ => Known::No,
        }
    }

    /// Whether a builtin function only computes.
    fn is_foldable(&self, expr: ExprId) -> bool {
        use crate::c::hir::Builtin;
        let ExprKind::Builtin { builtin, .. } = &self.program.exprs[expr].kind else { return false };
        matches!(
            builtin,
            Builtin::OverflowCheck(_)
                | Builtin::CountRedundantSignBits
                | Builtin::IsNan
                | Builtin::IsInfinite
                | Builtin::IsInfiniteSign
                | Builtin::IsFinite
                | Builtin::IsNormal
                | Builtin::SignBit
                | Builtin::Classify
                | Builtin::FloatCompare(_)
        )
    }

    /// Whether an expression is the address of a string literal, possibly with another type.
    fn literal_address(&self, mut expr: ExprId) -> bool {
        loop {
            match &self.program.exprs[expr].kind {
                ExprKind::Cast { kind, operand } => {
                    let keeps_bits = match kind {
                        CastKind::Pointer | CastKind::Same => true,
                        _ => self.types().size(self.ty(expr)) == self.types().size(self.ty(*operand)),
                    };
                    if !keeps_bits {
                        return false;
                    }
                    expr = *operand;
                }
                ExprKind::Decay(place) | ExprKind::AddressOf(place) => return self.is_literal(*place),
                _ => return false,
            }
        }
    }

    fn is_literal(&self, mut place: PlaceId) -> bool {
        loop {
            match self.program.places[place].kind {
                PlaceKind::Global(global) => {
                    return self.program.globals[global].kind == GlobalKind::StringLiteral;
                }
                PlaceKind::Index { array, index, .. } => {
                    if self.evaluate(index).is_none_or(|index| index.get() != 0) {
                        return false;
                    }
                    place = array;
                }
                _ => return false,
            }
        }
    }
}
