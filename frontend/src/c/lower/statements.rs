//! Statements: control flow.

use super::function::{Dispatch, Jump, Lowering, Returning};
use super::places::{Location, Value};
use super::safety::End;
use super::source::Shown;
use super::ssa::edge;
use crate::c::hir::{AsmOutput, Bits, ExprId, LabelId, StmtId, StmtKind, SwitchCase};
use grammars::source::Span;
use indexmap::IndexMap;
use program::ssa::source::{LoopKind, TrueEdge};
use program::ssa::{HavocSource, PropertyKind, StopReason, SwitchCase as IrCase, Terminator};

/// Whether a statement of this kind is a block, with or without braces.
pub(super) fn is_scope(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Block(_)
            | StmtKind::If { .. }
            | StmtKind::Switch { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
    )
}

impl Lowering<'_, '_, '_> {
    pub(super) fn statements(&mut self, stmts: &[StmtId]) {
        for &stmt in stmts {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, id: StmtId) {
        let span = self.hir[id].span;
        if !self.descend(span) {
            return;
        }
        let mark = self.temporaries_mark();
        let around = self.lifetimes.statement.replace(id);
        match &self.hir[id].kind {
            // These open their scope themselves, because they know its declarations.
            StmtKind::Block(_) | StmtKind::For { .. } => self.statement_within(id, span),
            kind if is_scope(kind) => {
                self.open_scope_of(Some(id), &[id]);
                self.statement_within(id, span);
                self.close_scope(span.end());
            }
            _ => self.statement_within(id, span),
        }
        self.lifetimes.statement = around;
        if matches!(self.hir[id].kind, StmtKind::Expr(_) | StmtKind::Declare { .. }) {
            self.end_temporaries(mark, span);
        }
        self.depth -= 1;
    }

    fn statement_within(&mut self, id: StmtId, span: Span) {
        match &self.hir[id].kind {
            StmtKind::Expr(expr) => self.effect(*expr),
            &StmtKind::Declare { local, initializer } => self.initialize_local(local, initializer, span),
            StmtKind::Block(stmts) => {
                self.open_scope_of(Some(id), stmts);
                self.statements(stmts);
                self.close_scope(span.end());
            }
            StmtKind::If { .. } => self.conditional_statement(id),
            &StmtKind::While { condition, body } => {
                let (head, inside, after) =
                    (self.b.create_block(), self.b.create_block(), self.b.create_block());
                self.lifetimes.enter_loop();
                self.goto(head, span);
                self.head_of_loop(head, span, body);
                self.branch_on(condition, inside, after);
                self.b.seal(inside);
                self.b.switch_to(inside);
                self.loop_body(body, after, head);
                self.goto(head, span);
                self.b.seal(head);
                self.b.seal(after);
                self.b.switch_to(after);
                self.lifetimes.leave_loop();
            }
            &StmtKind::DoWhile { body, condition } => {
                let (head, test, after) =
                    (self.b.create_block(), self.b.create_block(), self.b.create_block());
                self.lifetimes.enter_loop();
                self.goto(head, span);
                self.head_of_loop(head, span, body);
                self.loop_body(body, after, test);
                self.goto(test, span);
                self.b.seal(test);
                self.b.switch_to(test);
                self.branch_on(condition, head, after);
                self.b.seal(head);
                self.b.seal(after);
                self.b.switch_to(after);
                self.lifetimes.leave_loop();
            }
            StmtKind::For { init, condition, step, body } => {
                match init.is_empty() {
                    true => self.open_scope_of(Some(id), &[*body]),
                    false => self.open_scope_of(Some(id), init),
                }
                self.statements(init);
                self.lifetimes.enter_loop();
                let (head, inside) = (self.b.create_block(), self.b.create_block());
                let (next, after) = (self.b.create_block(), self.b.create_block());
                self.goto(head, span);
                self.head_of_loop(head, span, *body);
                match condition {
                    Some(condition) => self.branch_on(*condition, inside, after),
                    None => self.goto(inside, span),
                }
                self.b.seal(inside);
                self.b.switch_to(inside);
                self.loop_body(*body, after, next);
                self.goto(next, span);
                self.b.seal(next);
                self.b.switch_to(next);
                if let Some(step) = step {
                    self.effect(*step);
                }
                self.goto(head, span);
                self.b.seal(head);
                self.b.seal(after);
                self.b.switch_to(after);
                self.lifetimes.leave_loop();
                self.close_scope(span);
            }
            StmtKind::Switch { value, cases, default, body } => {
                self.switch(*value, cases, *default, *body, span);
            }
            &StmtKind::Label(label) => self.label(label, span),
            &StmtKind::Goto(label) => {
                let block = self.label_block(label);
                let is_supported = self.leave_for(label, span)
                    && self.entered_by(label).into_iter().all(|local| self.enter_by_jump(local, span));
                if is_supported {
                    self.goto(block, span);
                }
            }
            &StmtKind::GotoIndirect(address) => self.computed_goto(address, span),
            StmtKind::Break => match self.jumps.last() {
                Some(&jump) => {
                    self.leave_scopes(jump.depth, span);
                    self.goto(jump.break_to, span);
                }
                None => self.unsupported("break outside of a loop", span),
            },
            StmtKind::Continue => match self.jumps.iter().rev().find_map(Jump::continuation) {
                Some((block, depth)) => {
                    self.leave_scopes(depth, span);
                    self.goto(block, span);
                }
                None => self.unsupported("continue outside of a loop", span),
            },
            &StmtKind::Return(value) => self.return_statement(value, span),
            StmtKind::Asm(asm) => self.asm(asm, span),
            StmtKind::Unsupported(reason) => self.unsupported(reason.to_string(), span),
            StmtKind::Error => self.unsupported("an erroneous statement", span),
        }
    }

    /// Continues at the head of the loop `span`.
    fn head_of_loop(&mut self, head: program::ssa::Block, span: Span, body: StmtId) {
        self.b.switch_to(head);
        self.b.head_of_loop(LoopKind::Statement, span, self.hir[body].span);
    }

    fn loop_body(&mut self, body: StmtId, break_to: program::ssa::Block, continue_to: program::ssa::Block) {
        let depth = self.lifetimes.depth();
        self.jumps.push(Jump { break_to, continue_to: Some(continue_to), depth });
        self.substatement(body);
        self.jumps.pop();
    }

    /// Lowers a statement in a scope of its own, with or without braces.
    fn substatement(&mut self, id: StmtId) {
        if is_scope(&self.hir[id].kind) {
            return self.statement(id);
        }
        self.open_scope_of(Some(id), &[id]);
        self.statement(id);
        self.close_scope(self.hir[id].span);
    }

    /// Lowers a chain `if … else if … else` of any length.
    fn conditional_statement(&mut self, id: StmtId) {
        let after = self.b.create_block();
        let mut at = id;
        loop {
            let span = self.hir[at].span;
            let StmtKind::If { condition, then, otherwise } = self.hir[at].kind else {
                self.substatement(at);
                self.goto(after, span);
                break;
            };
            let yes = self.b.create_block();
            let no = if otherwise.is_some() { self.b.create_block() } else { after };
            self.branch_on(condition, yes, no);
            self.b.seal(yes);
            self.b.switch_to(yes);
            self.substatement(then);
            self.goto(after, span);
            let Some(next) = otherwise else { break };
            self.b.seal(no);
            self.b.switch_to(no);
            at = next;
        }
        self.b.seal(after);
        self.b.switch_to(after);
    }

    fn switch(
        &mut self,
        value: ExprId,
        cases: &[SwitchCase],
        default: Option<LabelId>,
        body: StmtId,
        span: Span,
    ) {
        let (scrutinee, reads) = self.watched(|this| this.scalar(value));
        let ty = self.hir[value].ty;
        let (width, signedness) = (self.width(ty), self.signedness(ty));
        let after = self.b.create_block();
        // Merges the cases that share a block.
        let mut by_label: IndexMap<LabelId, Vec<_>, rustc_hash::FxBuildHasher> = IndexMap::default();
        for case in cases {
            let range = (self.constant(case.low, width), self.constant(case.high, width));
            by_label.entry(case.label).or_default().push(range);
        }
        let mut ir_cases = Vec::with_capacity(by_label.len());
        // Jumps into scopes of variables.
        let mut entries = Vec::new();
        let mut way_to = |this: &mut Self, label: LabelId| {
            let locals = this.entered_by(label);
            if locals.is_empty() {
                return this.label_block(label);
            }
            let block = this.b.create_block();
            entries.push((block, label, locals));
            block
        };
        for (&label, ranges) in &by_label {
            let target = way_to(self, label);
            ir_cases.push(IrCase { ranges: ranges.clone(), signedness, edge: edge(target) });
        }
        let default_block = default.map_or(after, |label| way_to(self, label));
        self.decide(Shown { expr: value, true_edge: TrueEdge::First }, &reads);
        self.b
            .terminate(Terminator::Switch { scrutinee, cases: ir_cases, default: edge(default_block) }, span);
        for (block, label, locals) in entries {
            self.b.seal(block);
            self.b.switch_to(block);
            if locals.into_iter().all(|local| self.enter_by_jump(local, span)) {
                let target = self.label_block(label);
                self.goto(target, span);
            }
        }
        let depth = self.lifetimes.depth();
        self.jumps.push(Jump { break_to: after, continue_to: None, depth });
        self.substatement(body);
        self.jumps.pop();
        self.goto(after, span);
        for &label in by_label.keys().chain(&default) {
            // Only the `switch` jumps to a label without a name.
            if self.hir[label].name.is_none() {
                let block = self.label_block(label);
                self.b.seal(block);
            }
        }
        self.b.seal(after);
        self.b.switch_to(after);
    }

    fn constant(&mut self, bits: Bits, width: u32) -> terms::Term {
        if width <= 64 {
            return self.m.pool.bv(width, bits.get() as u64);
        }
        let high = self.m.pool.bv(width - 64, (bits.get() >> 64) as u64);
        let low = self.m.pool.bv(64, bits.get() as u64);
        self.m.pool.concat(high, low)
    }

    fn label(&mut self, label: LabelId, span: Span) {
        let block = self.label_block(label);
        self.goto(block, span);
        self.b.switch_to(block);
        self.b.head_of_loop(LoopKind::Label, span, span);
        let data = &self.hir[label];
        let around_switch = match data.name {
            Some(_) => None,
            None => self.jumps.iter().rev().find(|jump| jump.continue_to.is_none()),
        };
        self.jumped_to(around_switch.map_or(0, |jump| jump.depth), span);
        if data.is_address_taken {
            self.address_taken_labels.push(label);
        }
        if let Some(name) = data.name {
            let name = self.hir.name(name);
            if self.m.specification.is_error_label(name) {
                self.error(PropertyKind::ReachLabel, format!("label {name}"), data.span);
            }
        }
    }

    /// Lowers a computed goto: all of them share one dispatch block, which compares the number of
    /// the label.
    fn computed_goto(&mut self, address: ExprId, span: Span) {
        let term = self.scalar(address);
        if !self.leave_for_any(span) {
            return;
        }
        let (block, target) = match &self.dispatch {
            Some(dispatch) => (dispatch.block, dispatch.target),
            None => {
                let block = self.b.create_block();
                let target = self.hidden_variable(self.m.address_type(), span);
                self.dispatch = Some(Dispatch { block, target });
                (block, target)
            }
        };
        self.assign_hidden(target, term, span);
        self.goto(block, span);
    }

    /// Completes the dispatch block, now that all labels are known.
    pub(super) fn finish_dispatch(&mut self) {
        let Some(Dispatch { block, target }) = self.dispatch.take() else { return };
        self.b.switch_to(block);
        let scrutinee = self.read(target);
        let width = self.m.program.machine.pointer_width;
        let mut cases = Vec::new();
        for label in std::mem::take(&mut self.address_taken_labels) {
            let number = self.m.pool.bv(width, u64::from(label.0) + 1);
            let target = self.label_block(label);
            cases.push(IrCase {
                ranges: vec![(number, number)],
                signedness: program::ssa::Signedness::Unsigned,
                edge: edge(target),
            });
        }
        let otherwise = self.b.create_block();
        self.b.terminate(Terminator::Switch { scrutinee, cases, default: edge(otherwise) }, Span::NONE);
        self.b.seal(otherwise);
        self.b.switch_to(otherwise);
        self.unsupported("a computed goto to an address that is not a label of the function", Span::NONE);
    }

    fn return_statement(&mut self, value: Option<ExprId>, span: Span) {
        let term = match (self.returning, value) {
            (Returning::Nothing, value) => {
                if let Some(value) = value {
                    self.effect(value);
                }
                None
            }
            (Returning::Scalar(ty), Some(value)) => {
                let term = self.scalar(value);
                Some(self.fit(term, ty))
            }
            (Returning::Scalar(ty), None) => Some(self.indeterminate(ty, span)),
            (Returning::Memory(address, ty), Some(value)) => {
                let value = self.value(value);
                // The caller has allocated memory for the result.
                let location = Location::at(self.given_base(address));
                self.store_members(&location, ty, value, span, None);
                None
            }
            (Returning::Memory(..), None) => None,
        };
        self.leave_function(term, span);
    }

    /// An `asm` that only writes known places sets them to any value, without instructions to what
    /// their registers hold; others are unsupported.
    fn asm(&mut self, asm: &crate::c::hir::Asm, span: Span) {
        let is_barrier = asm.template.trim().is_empty() && asm.labels.is_empty();
        // Without outputs it may have any effect except a change of memory visible to the program.
        if !is_barrier && (asm.clobbers_memory || !asm.labels.is_empty() || asm.outputs.is_empty()) {
            self.unsupported("inline assembly", span);
            return;
        }
        let is_scalar = |this: &Self, ty| this.m.scalar_type(this.hir, ty).is_some();
        let mut inputs = Vec::new();
        for &input in &asm.inputs {
            inputs.push(match is_scalar(self, self.hir[input].ty) {
                true => Some(self.scalar(input)),
                false => {
                    self.effect(input);
                    None
                }
            });
        }
        for (&output, &kept) in asm.outputs.iter().zip(&asm.kept) {
            let ty = self.hir[output].ty;
            let is_kept = is_barrier && kept == AsmOutput::Old;
            let Some(scalar) = self.m.scalar_type(self.hir, ty) else {
                // An object in memory, to which no instruction does anything.
                if is_kept {
                    self.location(output);
                    continue;
                }
                self.unsupported("inline assembly", span);
                return;
            };
            if kept == AsmOutput::Old {
                self.check_assigned(output, span);
            }
            let location = self.location(output);
            if kept == AsmOutput::Old {
                self.load(&location, ty, span);
            }
            let held = match kept {
                _ if is_kept => continue,
                AsmOutput::Input(input) if is_barrier => inputs.get(input).copied().flatten(),
                _ => None,
            };
            let source = HavocSource::Approximation("inline assembly".to_owned());
            let fits = |&term: &terms::Term| {
                ty != crate::c::types::TypeId::BOOL && self.m.pool_width(term) == scalar.width()
            };
            let term = match held.filter(fits) {
                Some(term) => term,
                None => match self.any_value(source, ty, span) {
                    Some(term) => term,
                    None => return,
                },
            };
            let name = self.names().place(output);
            self.store(&location, ty, Value::Scalar(term), span, Some(name));
        }
    }

    /// Terminates the program normally.
    pub(super) fn exit(&mut self, span: Span) {
        self.check_end(End::Regular, span);
        self.stop(StopReason::Exit, span);
    }

    /// Terminates the program abnormally.
    pub(super) fn abort(&mut self, span: Span) {
        self.check_end(End::Abort, span);
        self.stop(StopReason::Exit, span);
    }
}
