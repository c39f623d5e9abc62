//! String literals that the program may write to.
//!
//! To change a string literal is undefined (C11 6.4.5p7), and compilers put literals where a write faults. A literal is an array of
//! `char`, not of `const char`, so its type does not tell. Where memory safety is checked, and a literal may be reached through a pointer to something that is
//! not `const`, the literals of the program are marked in the shadow, and each write through a pointer looks for the mark
//! (`safety`). Most programs pass their literals as `const char *`; these pay nothing.
//!
//! Limit: where a literal comes back without `const` from a function of the library only (`strchr("ab", 'a')`), writes to it are not seen.

use super::externals::{self, Model};
use super::module::Module;
use crate::c::hir::{
    Callee, CastKind, ExprId, ExprKind, GlobalId, GlobalKind, PlaceId, PlaceKind, Program as Hir,
};
use crate::c::types::TypeId;
use grammars::c::ast::Qualifier;
use program::ssa::PropertyKind;
use rustc_hash::FxHashSet;

/// What the shadow of blocks has for a literal; heap blocks have 1.
pub(super) const LITERAL: u64 = 2;

impl Module<'_, '_> {
    /// Decides whether literals are marked.
    pub(super) fn mark_literals(&mut self) {
        self.marks_literals = self.checks.contains(PropertyKind::ValidDeref)
            && self.linked.units.values().any(|hir| may_write_literals(hir));
    }
}

/// Whether the object is a string literal.
pub(super) fn is_literal(hir: &Hir, global: GlobalId) -> bool {
    matches!(hir[global].kind, GlobalKind::StringLiteral | GlobalKind::FunctionName)
}

fn is_part_of_literal(hir: &Hir, mut place: PlaceId) -> bool {
    loop {
        place = match hir[place].kind {
            PlaceKind::Global(global) => return is_literal(hir, global),
            PlaceKind::Field { base, .. } => base,
            PlaceKind::Index { array, .. } => array,
            _ => return false,
        }
    }
}

/// Whether a literal is written by its name, or its address may become a pointer to something that is not `const`, by a cast too.
fn may_write_literals(hir: &Hir) -> bool {
    let mut read_only: FxHashSet<ExprId> = FxHashSet::default();
    let mut drops_const = false;
    for expr in hir.exprs.values() {
        match &expr.kind {
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::Same, operand } => {
                let pointee = hir.types.pointee(expr.ty);
                let is_const = |ty| {
                    let pointee = hir.types.pointee(ty);
                    pointee.is_some_and(|pointee| pointee.qualifiers.contains(Qualifier::Const))
                };
                if is_const(expr.ty) {
                    read_only.insert(*operand);
                } else if is_const(hir[*operand].ty) && pointee.is_some_and(|to| to.ty != TypeId::VOID) {
                    drops_const = true;
                }
            }
            ExprKind::Call { callee: Callee::Direct(function), arguments } => {
                let function = &hir[*function];
                let model = externals::model(hir.name(function.name));
                if function.body.is_none() && model == Model::Harmless {
                    read_only.extend(arguments);
                }
            }
            ExprKind::Compare { lhs, rhs, .. } => read_only.extend([*lhs, *rhs]),
            ExprKind::Assign { place, .. } | ExprKind::Modify { place, .. }
                if is_part_of_literal(hir, *place) =>
            {
                return true;
            }
            _ => {}
        }
    }
    hir.exprs.iter().any(|(id, expr)| match expr.kind {
        ExprKind::Decay(place) | ExprKind::AddressOf(place) => {
            is_part_of_literal(hir, place) && (drops_const || !read_only.contains(&id))
        }
        _ => false,
    })
}
