//! String literals that the program may write to.
//!
//! Writing to a string literal is undefined (C11 6.4.5p7), and compilers place literals in
//! read-only memory. A literal is an array of `char`, not of `const char`, so the type does not
//! exclude writes. If memory safety is checked and a literal may be accessed through a pointer to a
//! type that is not `const`, the shadow marks the literals of the program, and each write through a
//! pointer checks the mark (`safety`). Most programs pass literals only as `const char *` and pay
//! nothing.
//!
//! Limit: if only a library function drops the `const` (`strchr("ab", 'a')`), writes to the literal
//! are not detected.

use super::externals::{self, Model};
use super::module::Module;
use crate::c::hir::{
    Callee, CastKind, ExprId, ExprKind, GlobalId, GlobalKind, PlaceId, PlaceKind, Program as Hir,
};
use crate::c::types::TypeId;
use grammars::c::ast::Qualifier;
use program::ssa::PropertyKind;
use rustc_hash::FxHashSet;

/// The mark of a literal in the shadow of blocks; heap blocks have 1.
pub(super) const LITERAL: u64 = 2;

impl Module<'_, '_> {
    /// Decides whether the shadow marks literals.
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

/// Whether a literal is written directly, or its address may become a pointer to a type that is not
/// `const`, possibly by a cast.
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
