//! Source-like spelling of places and expressions, for traces.

use crate::c::hir::{self, ExprId, ExprKind, PlaceId, PlaceKind};
use crate::c::types::TypeId;

/// The nesting depth from which on a name is abbreviated with `…`.
const MAX_DEPTH: u32 = 6;

/// The spelling of expressions: C text that the reader of the source recognizes.
pub(super) struct Names<'h> {
    pub(super) hir: &'h hir::Program,
    /// The place being updated, denoted by [`ExprKind::Old`].
    pub(super) old: Option<PlaceId>,
}

impl Names<'_> {
    /// `a[i].x`, `p->next`, …
    pub(super) fn place(&self, id: PlaceId) -> String {
        self.place_within(id, MAX_DEPTH)
    }

    /// `x + 1`, `f(…)`, …
    pub(super) fn value(&self, id: ExprId) -> String {
        self.value_within(id, MAX_DEPTH)
    }

    fn place_within(&self, id: PlaceId, depth: u32) -> String {
        if depth == 0 {
            return "…".to_owned();
        }
        let hir = self.hir;
        match &hir[id].kind {
            PlaceKind::Local(local) => hir[*local].name.map_or("temporary", |name| hir.name(name)).to_owned(),
            PlaceKind::Global(global) => {
                hir[*global].name.map_or("literal", |name| hir.name(name)).to_owned()
            }
            PlaceKind::Deref(pointer) => match self.element(*pointer, depth) {
                Some(element) => element,
                None => format!("*{}", self.operand_within(*pointer, depth - 1)),
            },
            PlaceKind::Field { base, record, field } => {
                let definition = hir.types.records[*record].definition.as_ref();
                let name = definition.and_then(|definition| definition.fields.get(*field as usize)?.name);
                let Some(name) = name else { return self.place_within(*base, depth) };
                match hir[*base].kind {
                    PlaceKind::Deref(pointer) => match self.element(pointer, depth) {
                        Some(element) => format!("{element}.{}", hir.name(name)),
                        None => format!("{}->{}", self.operand_within(pointer, depth - 1), hir.name(name)),
                    },
                    _ => format!("{}.{}", self.place_within(*base, depth - 1), hir.name(name)),
                }
            }
            PlaceKind::Index { array, index, .. } => {
                format!("{}[{}]", self.place_within(*array, depth - 1), self.value_within(*index, depth - 1))
            }
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) | PlaceKind::Error => {
                "temporary".to_owned()
            }
        }
    }

    /// Renders the element that a sum `p + i` points to, `p[i]`.
    fn element(&self, pointer: ExprId, depth: u32) -> Option<String> {
        let ExprKind::PointerOffset { pointer, direction: hir::Direction::Forward, index, .. } =
            self.hir[pointer].kind
        else {
            return None;
        };
        let (pointer, index) = (self.operand_within(pointer, depth - 1), self.value_within(index, depth - 1));
        Some(format!("{pointer}[{index}]"))
    }

    fn value_within(&self, id: ExprId, depth: u32) -> String {
        if depth == 0 {
            return "…".to_owned();
        }
        let hir = self.hir;
        match &hir[id].kind {
            ExprKind::Integer(bits) => match hir.types.integer(hir[id].ty) {
                Some((width, program::ssa::Signedness::Signed)) => bits.signed(width).to_string(),
                _ => bits.get().to_string(),
            },
            ExprKind::Load(place) | ExprKind::Decay(place) => self.place_within(*place, depth),
            ExprKind::Old => self.old.map_or_else(|| "…".to_owned(), |place| self.place_within(place, depth)),
            ExprKind::AddressOf(place) => format!("&{}", self.place_within(*place, depth - 1)),
            ExprKind::Cast { operand, .. } => self.value_within(*operand, depth),
            ExprKind::Unary { op, operand } => {
                let op = match op {
                    hir::UnaryOp::Negate => "-",
                    hir::UnaryOp::Complement => "~",
                    hir::UnaryOp::Real => "__real__ ",
                    hir::UnaryOp::Imaginary => "__imag__ ",
                };
                format!("{op}{}", self.operand_within(*operand, depth - 1))
            }
            ExprKind::Not(operand) => format!("!{}", self.operand_within(*operand, depth - 1)),
            ExprKind::PointerOffset { pointer, direction, index, .. } => {
                let sign = match direction {
                    hir::Direction::Forward => '+',
                    hir::Direction::Backward => '-',
                };
                format!(
                    "{} {sign} {}",
                    self.operand_within(*pointer, depth - 1),
                    self.operand_within(*index, depth - 1)
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
                format!(
                    "{} {op} {}",
                    self.operand_within(*lhs, depth - 1),
                    self.operand_within(*rhs, depth - 1)
                )
            }
            ExprKind::Call { callee: hir::Callee::Direct(function), arguments } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|&argument| self.value_within(argument, depth - 1)).collect();
                format!("{}({})", hir.name(hir[*function].name), arguments.join(", "))
            }
            _ => "…".to_owned(),
        }
    }

    /// The spelling of an operand: in parentheses if it is a binary operation.
    fn operand_within(&self, id: ExprId, depth: u32) -> String {
        let mut operand = id;
        while let ExprKind::Cast { operand: inner, .. } = self.hir[operand].kind {
            operand = inner;
        }
        let text = self.value_within(id, depth);
        match self.hir[operand].kind {
            ExprKind::Binary { .. } | ExprKind::PointerOffset { .. } => format!("({text})"),
            _ => text,
        }
    }
}

/// The spelling of the scalar at `offset` in `base` of record type `ty`, which contains no arrays.
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
