//! Source-like names of places, for traces.

use crate::c::hir::{self, ExprId, ExprKind, PlaceId, PlaceKind};
use crate::c::types::TypeId;

/// How deep a name may nest before the rest becomes `…`.
const MAX_DEPTH: u32 = 6;

/// `a[i].x`, `p->next`, ….
pub(super) fn place(hir: &hir::Program, id: PlaceId) -> String {
    render_place(hir, id, MAX_DEPTH)
}

fn render_place(hir: &hir::Program, id: PlaceId, depth: u32) -> String {
    if depth == 0 {
        return "…".to_owned();
    }
    match &hir[id].kind {
        PlaceKind::Local(local) => hir[*local].name.map_or("temporary", |name| hir.name(name)).to_owned(),
        PlaceKind::Global(global) => hir[*global].name.map_or("literal", |name| hir.name(name)).to_owned(),
        PlaceKind::Deref(pointer) => format!("*{}", render_value(hir, *pointer, depth - 1)),
        PlaceKind::Field { base, record, field } => {
            let definition = hir.types.records[*record].definition.as_ref();
            let name = definition.and_then(|definition| definition.fields.get(*field as usize)?.name);
            let Some(name) = name else { return render_place(hir, *base, depth) };
            match hir[*base].kind {
                PlaceKind::Deref(pointer) => {
                    format!("{}->{}", render_value(hir, pointer, depth - 1), hir.name(name))
                }
                _ => format!("{}.{}", render_place(hir, *base, depth - 1), hir.name(name)),
            }
        }
        PlaceKind::Index { array, index, .. } => {
            format!("{}[{}]", render_place(hir, *array, depth - 1), render_value(hir, *index, depth - 1))
        }
        PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) | PlaceKind::Error => {
            "temporary".to_owned()
        }
    }
}

fn render_value(hir: &hir::Program, id: ExprId, depth: u32) -> String {
    if depth == 0 {
        return "…".to_owned();
    }
    match &hir[id].kind {
        ExprKind::Integer(bits) => match hir.types.integer(hir[id].ty) {
            Some((width, ir::ssa::Signedness::Signed)) => bits.signed(width).to_string(),
            _ => bits.get().to_string(),
        },
        ExprKind::Load(place) | ExprKind::Decay(place) => render_place(hir, *place, depth),
        ExprKind::AddressOf(place) => format!("&{}", render_place(hir, *place, depth - 1)),
        ExprKind::Cast { operand, .. } => render_value(hir, *operand, depth - 1),
        ExprKind::PointerOffset { pointer, direction, index, .. } => {
            let sign = match direction {
                hir::Direction::Forward => '+',
                hir::Direction::Backward => '-',
            };
            format!(
                "({} {sign} {})",
                render_value(hir, *pointer, depth - 1),
                render_value(hir, *index, depth - 1)
            )
        }
        ExprKind::Binary { op, lhs, rhs } => {
            let op = match op {
                hir::BinaryOp::Mul => "*",
                hir::BinaryOp::Div => "/",
                hir::BinaryOp::Rem => "%",
                hir::BinaryOp::Add => "+",
                hir::BinaryOp::Sub => "-",
                hir::BinaryOp::Shl => "<<",
                hir::BinaryOp::Shr => ">>",
                hir::BinaryOp::And => "&",
                hir::BinaryOp::Xor => "^",
                hir::BinaryOp::Or => "|",
            };
            format!("{} {op} {}", render_operand(hir, *lhs, depth - 1), render_operand(hir, *rhs, depth - 1))
        }
        _ => "…".to_owned(),
    }
}

/// An operand of a binary operator: in parentheses if it is one as well.
fn render_operand(hir: &hir::Program, id: ExprId, depth: u32) -> String {
    let mut operand = id;
    while let ExprKind::Cast { operand: inner, .. } = hir[operand].kind {
        operand = inner;
    }
    let text = render_value(hir, id, depth);
    if matches!(hir[operand].kind, ExprKind::Binary { .. }) { format!("({text})") } else { text }
}

/// The name of the scalar at `offset` of `base`, which has the record type `ty` without arrays.
pub(super) fn leaf_name(hir: &hir::Program, base: &str, mut ty: TypeId, mut offset: u64) -> String {
    let mut name = base.to_owned();
    while let Some(fields) = hir.types.fields(ty) {
        let within = |field: &&crate::c::types::Field| {
            field.offset <= offset && offset - field.offset < hir.types.size(field.ty).unwrap_or(0)
        };
        let Some(field) = fields.iter().find(within) else { break };
        if let Some(text) = field.name {
            name.push('.');
            name.push_str(hir.name(text));
        }
        offset -= field.offset;
        ty = field.ty;
    }
    name
}
