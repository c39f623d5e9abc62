//! Building expressions and constants; the text of constants is read by [`literal`].

use super::{Chain, Context, StringRun};
use crate::c::ast::*;
use crate::c::literal;
use crate::source::{Diagnostic, Span};

impl Context<'_> {
    pub(in crate::c) fn expr(&self, lo: u32, kind: ExprKind, hi: u32) -> ExprId {
        let (id, is_too_deep) = self.tree.borrow_mut().expr(lo, kind, hi);
        if is_too_deep && !self.is_aborted() {
            self.too_deep(Span::new(lo, lo));
        }
        id
    }

    pub(in crate::c) fn call(&self, lo: u32, callee: ExprId, arguments: Vec<ExprId>, hi: u32) -> ExprId {
        self.expr(lo, ExprKind::Call { callee, arguments: arguments.into() }, hi)
    }

    pub(in crate::c) fn start_chain(&self, lo: u32, operand: ExprId, hi: u32) -> Chain {
        Chain { base: self.tree.borrow().pending.len() as u32, top: operand, lo, hi }
    }

    pub(in crate::c) fn extend_chain(
        &self,
        chain: Chain,
        op: BinaryOp,
        lo: u32,
        operand: ExprId,
        hi: u32,
    ) -> Chain {
        let chain = self.fold(chain, precedence(op));
        self.tree.borrow_mut().pending.push((chain.top, chain.lo, op));
        Chain { base: chain.base, top: operand, lo, hi }
    }

    pub(in crate::c) fn end_chain(&self, chain: Chain) -> ExprId {
        self.fold(chain, 0).top
    }

    /// Applies the pending operators that bind at least as tightly as `least`.
    fn fold(&self, mut chain: Chain, least: u8) -> Chain {
        let mut tree = self.tree.borrow_mut();
        while tree.pending.len() > chain.base as usize {
            let Some((lhs, lo, op)) = tree.pending.pop_if(|(_, _, op)| precedence(*op) >= least) else {
                break;
            };
            let (top, is_too_deep) = tree.expr(lo, ExprKind::Binary { op, lhs, rhs: chain.top }, chain.hi);
            if is_too_deep && !self.is_aborted() {
                self.too_deep(Span::new(lo, lo));
            }
            chain = Chain { top, lo, ..chain };
        }
        chain
    }

    pub(in crate::c) fn number(&self, lo: u32, hi: u32) -> ExprId {
        let kind = match literal::number(self.slice(lo, hi)) {
            Ok(literal::Number::Integer(literal)) => ExprKind::Integer(self.push(literal)),
            Ok(literal::Number::Float(literal)) => ExprKind::Float(self.push(literal)),
            Err(message) => {
                self.report(Diagnostic::error(Span::new(lo, hi), message));
                ExprKind::Integer(self.push(IntegerLiteral::ZERO))
            }
        };
        self.expr(lo, kind, hi)
    }

    pub(in crate::c) fn character(&self, lo: u32, hi: u32) -> ExprId {
        let (literal, complaints) = literal::character(self.slice(lo, hi));
        self.complain(lo, complaints);
        let id = self.push(literal);
        self.expr(lo, ExprKind::Char(id), hi)
    }

    pub(in crate::c) fn string_run(&self, lo: u32, hi: u32) -> StringRun {
        let mut tree = self.tree.borrow_mut();
        tree.strings.push(Span::new(lo, hi));
        StringRun { start: tree.strings.len() as u32 - 1 }
    }

    pub(in crate::c) fn more_string(&self, run: StringRun, lo: u32, hi: u32) -> StringRun {
        self.tree.borrow_mut().strings.push(Span::new(lo, hi));
        run
    }

    pub(in crate::c) fn string(&self, run: StringRun) -> StringId {
        let parts: Vec<Span> = self.tree.borrow_mut().strings.drain(run.start as usize..).collect();
        let slices: Vec<&[u8]> = parts.iter().map(|part| self.slice(part.lo, part.hi)).collect();
        let (encoding, units, complaints) = literal::string(&slices);
        let span = parts.iter().fold(Span::NONE, |whole, part| whole.join(*part));
        for (part, complaint) in complaints {
            self.complain(parts[part].lo, [complaint]);
        }
        self.push(StringLiteral { encoding, units, span })
    }

    fn complain(&self, lo: u32, complaints: impl IntoIterator<Item = literal::Complaint>) {
        for complaint in complaints {
            let span = Span::new(lo + complaint.lo as u32, lo + complaint.hi as u32);
            self.report(Diagnostic::new(complaint.severity, span, complaint.message));
        }
    }
}

/// The precedence of a binary operator; all of them associate to the left.
fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 1,
        BinaryOp::And => 2,
        BinaryOp::BitOr => 3,
        BinaryOp::BitXor => 4,
        BinaryOp::BitAnd => 5,
        BinaryOp::Eq | BinaryOp::Ne => 6,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => 7,
        BinaryOp::Shl | BinaryOp::Shr => 8,
        BinaryOp::Add | BinaryOp::Sub => 9,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
    }
}
