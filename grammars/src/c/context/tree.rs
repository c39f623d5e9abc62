//! The nodes under construction and their depths.

use crate::c::ast::*;
use crate::source::Span;

/// Arenas, depths and the stacks of unfinished lists.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) ast: Ast,
    pub(super) items: Vec<Item>,
    pub(super) expr_depths: Vec<u16>,
    pub(super) stmt_depths: Vec<u16>,
    pub(super) init_depths: Vec<u16>,
    /// Left operands of unfinished chains, each with its start.
    pub(super) pending: Vec<(ExprId, u32, BinaryOp)>,
    /// Specifiers of unfinished runs.
    pub(super) specifiers: Vec<Specifier>,
    /// String literals of unfinished runs.
    pub(super) strings: Vec<Span>,
    /// The attributes of a statement, until its label takes them.
    pub(super) loose: Option<(StmtId, Vec<AttributeId>)>,
}

impl Tree {
    /// Adds an expression; returns whether it is too deep.
    pub(super) fn expr(&mut self, lo: u32, kind: ExprKind, hi: u32) -> (ExprId, bool) {
        let depth = self.depth_of_expr(&kind);
        self.expr_depths.push(depth.min(MAX_NESTING as u16));
        (self.ast.push(Expr { kind, span: Span::new(lo, hi) }), depth > MAX_NESTING as u16)
    }

    fn depth_of_expr(&self, kind: &ExprKind) -> u16 {
        let of = |id: ExprId| self.expr_depths[id.index()];
        let spine = |id: ExprId| match self.ast[id].kind {
            ExprKind::Binary { .. } | ExprKind::Comma { .. } => of(id).saturating_sub(1),
            _ => of(id),
        };
        let below = match kind {
            ExprKind::Name(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofType(..)
            | ExprKind::LabelAddress(_)
            | ExprKind::TypesCompatible(..) => return 0,
            ExprKind::Generic { control, associations } => {
                associations.iter().map(|association| of(association.value)).fold(of(*control), u16::max)
            }
            ExprKind::Statement(stmt) => self.stmt_depths[stmt.index()],
            ExprKind::Index { base, index } => of(*base).max(of(*index)),
            ExprKind::Call { callee, arguments } => {
                arguments.iter().map(|&id| of(id)).fold(of(*callee), u16::max)
            }
            ExprKind::Member { base: operand, .. }
            | ExprKind::Unary { operand, .. }
            | ExprKind::SizeofExpr(operand)
            | ExprKind::AlignofExpr(operand)
            | ExprKind::Cast { operand, .. }
            | ExprKind::ConvertVector { value: operand, .. }
            | ExprKind::VaArg { list: operand, .. } => of(*operand),
            ExprKind::CompoundLiteral { init, .. } => self.init_depths[init.index()],
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => spine(*lhs).max(of(*rhs)),
            ExprKind::Assign { lhs, rhs, .. } => of(*lhs).max(of(*rhs)),
            ExprKind::Conditional { condition, then, otherwise } => {
                of(*condition).max(then.map_or(0, of)).max(of(*otherwise))
            }
            ExprKind::Offsetof { path, .. } => path
                .iter()
                .map(|step| match step {
                    OffsetofStep::Field(_) => 0,
                    OffsetofStep::Index(index) => of(*index),
                })
                .fold(0, u16::max),
            ExprKind::Choose { condition, then, otherwise } => {
                of(*condition).max(of(*then)).max(of(*otherwise))
            }
        };
        below + 1
    }

    pub(super) fn depth_of_stmt(&self, kind: &StmtKind) -> u16 {
        let stmt = |id: StmtId| self.stmt_depths[id.index()];
        let expr = |id: ExprId| self.expr_depths[id.index()];
        let declaration = |id: DeclId| {
            let inits = self.ast[id].declarators.iter().filter_map(|declarator| declarator.init);
            inits.map(|init| self.init_depths[init.index()]).fold(0, u16::max)
        };
        let below = match kind {
            StmtKind::Compound(items) => items
                .iter()
                .map(|item| match item {
                    BlockItem::Statement(id) => stmt(*id),
                    BlockItem::Declaration(id) => declaration(*id),
                    BlockItem::StaticAssert(_) | BlockItem::LocalLabel(_) => 0,
                })
                .fold(0, u16::max),
            StmtKind::Labeled { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                return stmt(*body);
            }
            StmtKind::If { condition, then, otherwise } => {
                let otherwise = otherwise.map_or(0, |id| match self.ast[id].kind {
                    StmtKind::If { .. } => stmt(id).saturating_sub(1),
                    _ => stmt(id),
                });
                expr(*condition).max(stmt(*then)).max(otherwise)
            }
            StmtKind::Switch { value: head, body }
            | StmtKind::While { condition: head, body }
            | StmtKind::DoWhile { body, condition: head } => expr(*head).max(stmt(*body)),
            StmtKind::For { init, condition, step, body } => {
                let init = match init {
                    ForInit::Empty => 0,
                    ForInit::Expr(id) => expr(*id),
                    ForInit::Declaration(id) => declaration(*id),
                };
                [condition.map_or(0, expr), step.map_or(0, expr), stmt(*body)]
                    .into_iter()
                    .fold(init, u16::max)
            }
            StmtKind::Expr(id) | StmtKind::GotoIndirect(id) | StmtKind::Return(Some(id)) => expr(*id),
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(None)
            | StmtKind::Asm(_)
            | StmtKind::Attributes(_)
            | StmtKind::Error => 0,
        };
        below + 1
    }
}
