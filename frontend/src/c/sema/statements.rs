//! Statements.

use super::cleanup::Leaving;
use super::functions::LabelState;
use super::{Checker, precise};
use crate::c::hir::{
    Asm, AsmOutput, Bits, ExprId, ExprKind, Label, LabelId, PlaceId, StmtId, StmtKind, SwitchCase,
};
use crate::c::types::TypeId;
use grammars::c::ast::{self, BlockItem, ForInit, Ident};
use grammars::source::{Diagnostic, Span};
use std::collections::BTreeMap;

/// An enclosing `switch`.
pub(super) struct SwitchContext {
    ty: TypeId,
    cases: Vec<SwitchCase>,
    /// The cases by their first value, to detect overlaps: the last value and the position.
    taken: BTreeMap<i128, (i128, Span)>,
    default: Option<LabelId>,
}

impl Checker<'_> {
    /// Checks the statements of a block in the current scope.
    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<StmtId>) {
        if let Some(context) = &mut self.function {
            context.local_labels.push(Vec::new());
        }
        let outer = self.innermost_cleanup();
        for &item in items {
            self.block_item(item, out);
        }
        self.end_cleanups(outer, out);
        self.leave_local_labels();
    }

    fn block_item(&mut self, item: BlockItem, out: &mut Vec<StmtId>) {
        match item {
            BlockItem::Declaration(id) => self.declaration(id, out),
            BlockItem::Statement(id) => self.statement(id, out),
            BlockItem::StaticAssert(id) => self.static_assert(id),
            BlockItem::LocalLabel(ident) => self.local_label(ident),
        }
    }

    fn leave_local_labels(&mut self) {
        let Some(context) = &mut self.function else { return };
        for (name, hidden) in context.local_labels.pop().unwrap_or_default().into_iter().rev() {
            let state = match hidden {
                Some(old) => context.labels.insert(name, old),
                None => context.labels.remove(&name),
            };
            if let Some(state) = state.filter(|state| !state.is_defined) {
                let text = format!("label `{}` used but not defined", self.program.names.text(name));
                let diagnostic = Diagnostic::error(state.first_use, text);
                self.errors += 1;
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn local_label(&mut self, ident: Ident) {
        let id = self.new_label(Some(ident));
        let Some(context) = &mut self.function else { return };
        let state = LabelState { id, is_defined: false, first_use: ident.span };
        let hidden = context.labels.insert(ident.name, state);
        if let Some(block) = context.local_labels.last_mut() {
            block.push((ident.name, hidden));
        }
    }

    fn new_label(&mut self, ident: Option<Ident>) -> LabelId {
        let span = ident.map_or(Span::NONE, |ident| ident.span);
        self.program.labels.push(Label { name: ident.map(|ident| ident.name), is_address_taken: false, span })
    }

    /// Returns the label of a name; creates it on first use.
    fn label(&mut self, ident: Ident) -> Option<LabelId> {
        let context = self.function.as_ref()?;
        if let Some(state) = context.labels.get(&ident.name) {
            return Some(state.id);
        }
        let id = self.new_label(Some(ident));
        let state = LabelState { id, is_defined: false, first_use: ident.span };
        self.function.as_mut()?.labels.insert(ident.name, state);
        Some(id)
    }

    pub(super) fn label_address(&mut self, ident: Ident, span: Span) -> ExprId {
        let Some(label) = self.label(ident) else {
            self.error(span, "label outside of a function");
            return self.error_expr(span);
        };
        self.program.labels[label].is_address_taken = true;
        let pointer = self.program.types.pointer(TypeId::VOID);
        self.expr(ExprKind::LabelAddress(label), pointer, span)
    }

    fn push(&mut self, kind: StmtKind, span: Span, out: &mut Vec<StmtId>) {
        let stmt = self.stmt(kind, span);
        out.push(stmt);
    }

    /// Checks a statement as a block with its own scope.
    fn substatement(&mut self, id: ast::StmtId) -> StmtId {
        let span = self.ast[id].span;
        let mut list = Vec::new();
        self.scopes.enter();
        self.statement(id, &mut list);
        self.scopes.leave();
        match *list {
            [one] => one,
            _ => self.stmt(StmtKind::Block(list.into_boxed_slice()), span),
        }
    }

    fn loop_body(&mut self, id: ast::StmtId) -> StmtId {
        if let Some(context) = &mut self.function {
            context.loops += 1;
            context.breakable += 1;
        }
        self.enter_breakable(Leaving::Loop);
        let body = self.substatement(id);
        self.leave_breakable(Leaving::Loop);
        if let Some(context) = &mut self.function {
            context.loops -= 1;
            context.breakable -= 1;
        }
        body
    }

    fn test(&mut self, id: ast::ExprId) -> ExprId {
        let value = self.value(id);
        self.condition(value)
    }

    pub(super) fn statement(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) {
        let ast = self.ast;
        let ast::Stmt { kind, span } = &ast[id];
        let span = *span;
        match kind {
            ast::StmtKind::Compound(items) => {
                self.scopes.enter();
                let mut list = Vec::new();
                self.block_items(items, &mut list);
                self.scopes.leave();
                self.push(StmtKind::Block(list.into_boxed_slice()), span, out);
            }
            ast::StmtKind::Expr(expr) => {
                let value = self.value(*expr);
                self.push(StmtKind::Expr(value), span, out);
            }
            ast::StmtKind::Empty | ast::StmtKind::Attributes(_) => {}
            ast::StmtKind::If { .. } => self.if_chain(id, out),
            ast::StmtKind::Switch { value, body } => {
                self.scopes.enter();
                self.switch(*value, *body, span, out);
                self.scopes.leave();
            }
            ast::StmtKind::While { condition, body } => {
                self.scopes.enter();
                let condition = self.test(*condition);
                let body = self.loop_body(*body);
                self.scopes.leave();
                self.push(StmtKind::While { condition, body }, span, out);
            }
            ast::StmtKind::DoWhile { body, condition } => {
                self.scopes.enter();
                let body = self.loop_body(*body);
                let condition = self.test(*condition);
                self.scopes.leave();
                self.push(StmtKind::DoWhile { body, condition }, span, out);
            }
            ast::StmtKind::For { init, condition, step, body } => {
                self.scopes.enter();
                let outer = self.innermost_cleanup();
                let mut list = Vec::new();
                match *init {
                    ForInit::Empty => {}
                    ForInit::Expr(expr) => {
                        let value = self.value(expr);
                        self.push(StmtKind::Expr(value), ast[expr].span, &mut list);
                    }
                    ForInit::Declaration(declaration) => self.declaration(declaration, &mut list),
                }
                let condition = condition.map(|condition| self.test(condition));
                let step = step.map(|step| self.value(step));
                let body = self.loop_body(*body);
                self.scopes.leave();
                let init = list.into_boxed_slice();
                self.push(StmtKind::For { init, condition, step, body }, span, out);
                self.end_cleanups(outer, out);
            }
            ast::StmtKind::Goto(label) => {
                if let Some(label) = self.label(*label) {
                    let jump = self.stmt(StmtKind::Goto(label), span);
                    self.note_jump(jump, label);
                    out.push(jump);
                }
            }
            ast::StmtKind::GotoIndirect(target) => {
                let value = self.value(*target);
                let value = self.pointer_to_void(value, "computed `goto`", span);
                if self.innermost_cleanup().is_some() {
                    let reason = "a computed goto in the scope of a variable with the attribute `cleanup`";
                    self.push(StmtKind::Unsupported(reason.into()), span, out);
                    return;
                }
                self.push(StmtKind::GotoIndirect(value), span, out);
            }
            ast::StmtKind::Continue => {
                if self.function.as_ref().is_some_and(|context| context.loops == 0) {
                    self.error(span, "`continue` statement not within a loop");
                }
                self.leave_cleanups(Leaving::Loop, out);
                self.push(StmtKind::Continue, span, out);
            }
            ast::StmtKind::Break => {
                if self.function.as_ref().is_some_and(|context| context.breakable == 0) {
                    self.error(span, "`break` statement not within a loop or `switch`");
                }
                self.leave_cleanups(Leaving::LoopOrSwitch, out);
                self.push(StmtKind::Break, span, out);
            }
            ast::StmtKind::Return(value) => self.return_statement(*value, span, out),
            ast::StmtKind::Labeled { label, body, .. } => {
                self.define_label(*label, out);
                self.statement(*body, out);
            }
            ast::StmtKind::Case { low, high, body } => {
                self.case(*low, *high, span, out);
                self.statement(*body, out);
            }
            ast::StmtKind::Default { body } => {
                self.default(span, out);
                self.statement(*body, out);
            }
            ast::StmtKind::Asm(asm) => self.asm(*asm, span, out),
            ast::StmtKind::Error => self.push(StmtKind::Error, span, out),
        }
    }

    /// Checks an `if` and its chain of `else if`s, which nests to any depth.
    fn if_chain(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) {
        let ast = self.ast;
        let mut arms = Vec::new();
        let mut current = id;
        let last = loop {
            let ast::StmtKind::If { condition, then, otherwise } = ast[current].kind else {
                break Some(self.substatement(current));
            };
            self.scopes.enter();
            let condition = self.test(condition);
            let then = self.substatement(then);
            arms.push((condition, then, ast[current].span));
            match otherwise {
                Some(next) => current = next,
                None => break None,
            }
        };
        arms.iter().for_each(|_| self.scopes.leave());
        let mut otherwise = last;
        for (condition, then, span) in arms.into_iter().rev() {
            otherwise = Some(self.stmt(StmtKind::If { condition, then, otherwise }, span));
        }
        out.extend(otherwise);
    }

    fn switch(&mut self, value: ast::ExprId, body: ast::StmtId, span: Span, out: &mut Vec<StmtId>) {
        let at = self.ast[value].span;
        let value = self.value(value);
        let value = if self.types().is_integer(self.ty(value)) {
            self.promote(value)
        } else {
            if self.ty(value) != TypeId::ERROR {
                self.error(at, "`switch` requires an expression of integer type");
            }
            self.error_expr(at)
        };
        let ty = self.ty(value);
        let context = SwitchContext { ty, cases: Vec::new(), taken: BTreeMap::new(), default: None };
        if let Some(function) = &mut self.function {
            function.switches.push(context);
            function.breakable += 1;
        }
        self.enter_breakable(Leaving::LoopOrSwitch);
        let body = self.substatement(body);
        self.leave_breakable(Leaving::LoopOrSwitch);
        let context = self.function.as_mut().and_then(|function| {
            function.breakable -= 1;
            function.switches.pop()
        });
        let Some(context) = context else { return };
        let (cases, default) = (context.cases.into_boxed_slice(), context.default);
        self.push(StmtKind::Switch { value, cases, default, body }, span, out);
    }

    fn case(&mut self, low: ast::ExprId, high: Option<ast::ExprId>, span: Span, out: &mut Vec<StmtId>) {
        let label = self.new_label(None);
        let at = high.map_or(self.ast[low].span, |high| self.ast[low].span.join(self.ast[high].span));
        self.program.labels[label].span = at;
        self.push(StmtKind::Label(label), at, out);
        let Some(ty) =
            self.function.as_ref().and_then(|context| context.switches.last()).map(|switch| switch.ty)
        else {
            self.error(precise(span, at), "`case` label not within a `switch` statement");
            return;
        };
        let Some(first) = self.case_value(low, ty) else { return };
        let last = match high {
            Some(high) => match self.case_value(high, ty) {
                Some(last) => last,
                None => return,
            },
            None => first,
        };
        let order = |bits: Bits| {
            if self.is_signed(ty) { bits.signed(self.scalar_width(ty)) } else { bits.get() as i128 }
        };
        let (first_number, last_number) = (order(first), order(last));
        if last_number < first_number {
            self.warning(at, "empty `case` range");
            return;
        }
        let Some(switch) = self.function.as_mut().and_then(|context| context.switches.last_mut()) else {
            return;
        };
        let overlapping =
            switch.taken.range(..=last_number).next_back().filter(|(_, (end, _))| *end >= first_number);
        if let Some((_, &(_, other))) = overlapping {
            self.report(
                Diagnostic::error(at, "duplicate `case` value").with_secondary(other, "previously used here"),
            );
            return;
        }
        switch.taken.insert(first_number, (last_number, at));
        switch.cases.push(SwitchCase { low: first, high: last, label, span: at });
    }

    fn case_value(&mut self, expr: ast::ExprId, ty: TypeId) -> Option<Bits> {
        let (number, _) = self.constant(expr)?;
        (ty != TypeId::ERROR).then(|| self.cut(number as u128, ty))
    }

    fn default(&mut self, span: Span, out: &mut Vec<StmtId>) {
        let label = self.new_label(None);
        let at = Span::new(span.lo, span.lo.saturating_add("default".len() as u32).min(span.hi));
        self.program.labels[label].span = at;
        self.push(StmtKind::Label(label), at, out);
        let switch = self.function.as_mut().and_then(|context| context.switches.last_mut());
        match switch {
            None => self.error(at, "`default` label not within a `switch` statement"),
            Some(switch) if switch.default.is_some() => {
                self.error(at, "multiple `default` labels in one `switch`");
            }
            Some(switch) => switch.default = Some(label),
        }
    }

    fn define_label(&mut self, ident: Ident, out: &mut Vec<StmtId>) {
        let Some(label) = self.label(ident) else { return };
        let Some(state) = self.function.as_mut().and_then(|context| context.labels.get_mut(&ident.name))
        else {
            return;
        };
        if state.is_defined {
            let text = format!("duplicate label `{}`", self.text(ident.name));
            self.error(ident.span, text);
            return;
        }
        state.is_defined = true;
        self.program.labels[label].span = ident.span;
        self.note_label(label);
        self.push(StmtKind::Label(label), ident.span, out);
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span, out: &mut Vec<StmtId>) {
        let result = self.function.as_ref().map_or(TypeId::ERROR, |context| context.result);
        let value = match value {
            None => {
                if result != TypeId::VOID && result != TypeId::ERROR {
                    self.warning(span, "`return` without a value in a function returning non-`void`");
                }
                None
            }
            Some(expr) => {
                let value = self.value(expr);
                if result == TypeId::VOID {
                    if self.ty(value) != TypeId::VOID {
                        self.warning(span, "`return` with a value in a function returning `void`");
                    }
                    Some(self.convert(value, TypeId::VOID))
                } else {
                    Some(self.assign_convert(value, result, "`return`", self.ast[expr].span))
                }
            }
        };
        let value = match value {
            Some(value) if self.innermost_cleanup().is_some() => Some(self.keep_value(value, out)),
            value => value,
        };
        self.leave_cleanups(Leaving::Function, out);
        self.push(StmtKind::Return(value), span, out);
    }

    fn asm(&mut self, id: ast::AsmId, span: Span, out: &mut Vec<StmtId>) {
        let asm = &self.ast[id];
        let text = |this: &Self, id: ast::StringId| match &this.ast[id].units {
            ast::StringUnits::Narrow(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            ast::StringUnits::Wide(_) => String::new(),
        };
        let template = text(self, asm.template).into_boxed_str();
        let clobbers_memory = asm.clobbers.iter().any(|&clobber| text(self, clobber) == "memory");
        let mut outputs: Vec<PlaceId> = Vec::new();
        let mut kept = Vec::new();
        for (number, output) in asm.outputs.iter().enumerate() {
            let operand = self.operand(output.value);
            let constraint = text(self, output.constraint);
            // An array is an operand in memory.
            let array = match operand {
                super::operand::Operand::Place(place)
                    if constraint.contains('m') && self.types().is_array(self.program.places[place].ty) =>
                {
                    Some(place)
                }
                _ => None,
            };
            if let Some(place) = array.or_else(|| self.modifiable(operand, self.ast[output.value].span)) {
                let mut matching = (0..asm.inputs.len())
                    .filter(|&input| text(self, asm.inputs[input].constraint) == number.to_string());
                kept.push(match matching.next() {
                    _ if constraint.starts_with('+') => AsmOutput::Old,
                    Some(input) => AsmOutput::Input(input),
                    None => AsmOutput::Indeterminate,
                });
                outputs.push(place);
            }
        }
        let mut inputs = Vec::new();
        for input in &asm.inputs {
            let constraint = text(self, input.constraint);
            let operand = self.operand(input.value);
            let in_memory = constraint.contains('m') && !constraint.contains('r');
            inputs.push(match operand {
                super::operand::Operand::Place(place) if in_memory && self.bit_width(place).is_none() => {
                    self.address_of(operand, self.ast[input.value].span)
                }
                _ => self.rvalue(operand),
            });
        }
        let labels = asm.labels.iter().filter_map(|&label| self.label(label)).collect();
        let asm = Asm {
            template,
            outputs: outputs.into_boxed_slice(),
            kept: kept.into_boxed_slice(),
            inputs: inputs.into_boxed_slice(),
            clobbers_memory,
            labels,
        };
        self.push(StmtKind::Asm(Box::new(asm)), span, out);
    }

    /// `({ … })`: its value is that of the last statement, if this is an expression.
    pub(super) fn statement_expression(&mut self, id: ast::StmtId, span: Span) -> ExprId {
        let ast = self.ast;
        if self.function.is_none() {
            self.error(span, "statement expression outside of a function");
            return self.error_expr(span);
        }
        let ast::StmtKind::Compound(items) = &ast[id].kind else { return self.error_expr(span) };
        let pending = std::mem::take(&mut self.pending);
        self.scopes.enter();
        if let Some(context) = &mut self.function {
            context.local_labels.push(Vec::new());
        }
        let outer = self.innermost_cleanup();
        let mut stmts = Vec::new();
        let mut value = None;
        for (index, &item) in items.iter().enumerate() {
            if index + 1 == items.len()
                && let BlockItem::Statement(mut last) = item
            {
                // The last expression is the value even if labels precede it.
                while let ast::StmtKind::Labeled { label, body, .. } = &ast[last].kind {
                    self.define_label(*label, &mut stmts);
                    last = *body;
                }
                if let ast::StmtKind::Expr(expr) = ast[last].kind {
                    value = Some(self.value(expr));
                } else {
                    self.statement(last, &mut stmts);
                }
                continue;
            }
            self.block_item(item, &mut stmts);
        }
        if self.innermost_cleanup() != outer {
            value = value.map(|value| self.keep_value(value, &mut stmts));
            self.end_cleanups(outer, &mut stmts);
        }
        self.leave_local_labels();
        self.scopes.leave();
        self.pending = pending;
        let ty = value.map_or(TypeId::VOID, |value| self.ty(value));
        if ty == TypeId::VOID
            && let Some(last) = value.take()
        {
            let at = self.span(last);
            self.push(StmtKind::Expr(last), at, &mut stmts);
        }
        self.expr(ExprKind::Statements { stmts: stmts.into_boxed_slice(), value }, ty, span)
    }
}
