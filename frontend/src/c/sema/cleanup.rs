//! The attribute `cleanup(f)` (GNU): `f(&variable)` is called when control leaves the scope of the
//! variable.
//!
//! The type checker makes the calls explicit. The variables with the attribute form a tree: the
//! parent of a variable is the last one declared before it that is still in scope. Where control
//! leaves a scope, the calls on the path from the innermost variable at the jump to the innermost
//! variable at the target are inserted before the jump. A returned value is computed before the
//! calls, into a hidden local. A `goto` is completed at the end of the function, when the positions
//! of the labels are known.
//!
//! Limit: a computed goto within the scope of such a variable is unsupported, because its target is
//! unknown here.

use super::Checker;
use crate::c::hir::{
    Callee, ExprId, ExprKind, Fill, FunctionId, InitEntry, InitValue, Initializer, LabelId, Local, LocalId,
    LocalKind, PlaceKind, StmtId, StmtKind,
};
use crate::c::types::{QualType, TypeId};
use grammars::c::ast::{Ident, Qualifiers};
use grammars::source::Span;
use rustc_hash::FxHashMap;

/// A variable with the attribute, as an index into [`Cleanups::variables`].
pub(super) type Cleanup = Option<usize>;

/// The variables with the attribute in the function being checked.
#[derive(Debug, Default)]
pub(super) struct Cleanups {
    variables: Vec<Variable>,
    /// The innermost variable in scope.
    innermost: Cleanup,
    /// The innermost variable outside of each enclosing loop or `switch`, and outside of each
    /// enclosing loop.
    breaks: Vec<Cleanup>,
    continues: Vec<Cleanup>,
    labels: FxHashMap<LabelId, Cleanup>,
    /// Jumps within the scope of a variable: the statement, the innermost variable there, and the
    /// target.
    jumps: Vec<(StmtId, Cleanup, LabelId)>,
}

#[derive(Clone, Copy, Debug)]
struct Variable {
    parent: Cleanup,
    local: LocalId,
    function: FunctionId,
    span: Span,
}

/// The statement that a jump leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaving {
    Loop,
    LoopOrSwitch,
    Function,
}

impl Cleanups {
    fn enter_loop(&mut self) {
        self.breaks.push(self.innermost);
        self.continues.push(self.innermost);
    }

    fn leave_loop(&mut self) {
        self.breaks.pop();
        self.continues.pop();
    }

    /// The variables from `from` outward that are not in scope at `to`.
    fn path(&self, from: Cleanup, to: Cleanup) -> Vec<Variable> {
        let ancestors = |start: Cleanup| std::iter::successors(start, |&at| self.variables[at].parent);
        // Ancestors have smaller indices, so the first common ancestor ends the path.
        let kept: Vec<usize> = ancestors(to).collect();
        ancestors(from).take_while(|at| !kept.contains(at)).map(|at| self.variables[at]).collect()
    }
}

impl Checker<'_> {
    /// Returns the innermost variable with the attribute in scope.
    pub(super) fn innermost_cleanup(&self) -> Cleanup {
        self.function.as_ref().and_then(|context| context.cleanups.innermost)
    }

    /// Starts the scope of a variable with the attribute.
    pub(super) fn declare_cleanup(&mut self, local: LocalId, function: Ident) {
        let span = function.span;
        let Some(super::Linked::Function(id)) = self.linked.get(&function.name).copied() else {
            let text = format!("`cleanup` argument `{}` is not a function", self.text(function.name));
            self.error(span, text);
            return;
        };
        let declared = self.types().function(self.program.functions[id].ty);
        if declared.is_none_or(|declared| declared.parameters.len() != 1) {
            self.error(
                span,
                "a `cleanup` function must have exactly one parameter, a pointer to the variable",
            );
            return;
        }
        if let Some(context) = &mut self.function {
            let cleanups = &mut context.cleanups;
            let parent = cleanups.innermost;
            cleanups.innermost = Some(cleanups.variables.len());
            cleanups.variables.push(Variable { parent, local, function: id, span });
        }
    }

    /// Ends the scopes of the variables within `to` where control reaches their end.
    pub(super) fn end_cleanups(&mut self, to: Cleanup, out: &mut Vec<StmtId>) {
        let from = self.innermost_cleanup();
        if from == to {
            return;
        }
        self.call_cleanups(from, to, out);
        if let Some(context) = &mut self.function {
            context.cleanups.innermost = to;
        }
    }

    /// Inserts the calls before a jump.
    pub(super) fn leave_cleanups(&mut self, leaving: Leaving, out: &mut Vec<StmtId>) {
        let Some(cleanups) = self.function.as_ref().map(|context| &context.cleanups) else { return };
        let to = match leaving {
            Leaving::Loop => cleanups.continues.last().copied().flatten(),
            Leaving::LoopOrSwitch => cleanups.breaks.last().copied().flatten(),
            Leaving::Function => None,
        };
        self.call_cleanups(cleanups.innermost, to, out);
    }

    fn call_cleanups(&mut self, from: Cleanup, to: Cleanup, out: &mut Vec<StmtId>) {
        let Some(context) = &self.function else { return };
        for variable in context.cleanups.path(from, to) {
            let call = self.cleanup_call(variable);
            let stmt = self.stmt(StmtKind::Expr(call), variable.span);
            out.push(stmt);
        }
    }

    fn cleanup_call(&mut self, variable: Variable) -> ExprId {
        let Variable { local, function, span, .. } = variable;
        let data = &self.program.locals[local];
        let (ty, qualifiers) = (data.ty, data.qualifiers);
        let place = self.place(PlaceKind::Local(local), ty, qualifiers, span);
        self.take_address(place);
        let pointer = self.program.types.pointer(QualType { ty, qualifiers });
        let address = self.expr(ExprKind::AddressOf(place), pointer, span);
        let declared = self.types().function(self.program.functions[function].ty).cloned();
        let Some(declared) = declared.filter(|declared| declared.parameters.len() == 1) else {
            return self.error_expr(span);
        };
        let argument = self.assign_convert(address, declared.parameters[0], "argument passing", span);
        let arguments = Box::new([argument]);
        self.expr(ExprKind::Call { callee: Callee::Direct(function), arguments }, declared.result, span)
    }

    /// Keeps a value across the calls in a hidden local.
    pub(super) fn keep_value(&mut self, value: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        let (ty, span) = (self.ty(value), self.span(value));
        if ty == TypeId::VOID || ty == TypeId::ERROR {
            return value;
        }
        let local = self.program.locals.push(Local {
            name: None,
            kind: LocalKind::Hidden,
            ty,
            qualifiers: Qualifiers::NONE,
            align: None,
            is_address_taken: false,
            span,
        });
        let entry =
            InitEntry { offset: 0, bits: None, ty, value: InitValue::Expr(value), repeat: None, span };
        let initializer = Initializer {
            ty,
            fill: Fill::Covered,
            entries: Box::new([entry]),
            overridden: Box::default(),
            span,
        };
        let initializer = Some(self.program.inits.push(initializer));
        let stmt = self.stmt(StmtKind::Declare { local, initializer }, span);
        out.push(stmt);
        let place = self.place(PlaceKind::Local(local), ty, Qualifiers::NONE, span);
        self.expr(ExprKind::Load(place), ty, span)
    }

    pub(super) fn enter_breakable(&mut self, leaving: Leaving) {
        let Some(context) = &mut self.function else { return };
        match leaving {
            Leaving::Loop => context.cleanups.enter_loop(),
            _ => context.cleanups.breaks.push(context.cleanups.innermost),
        }
    }

    pub(super) fn leave_breakable(&mut self, leaving: Leaving) {
        let Some(context) = &mut self.function else { return };
        match leaving {
            Leaving::Loop => context.cleanups.leave_loop(),
            _ => drop(context.cleanups.breaks.pop()),
        }
    }

    /// Records the position of a label.
    pub(super) fn note_label(&mut self, label: LabelId) {
        let innermost = self.innermost_cleanup();
        if let (Some(context), Some(_)) = (&mut self.function, innermost) {
            context.cleanups.labels.insert(label, innermost);
        }
    }

    /// Records a `goto` that may leave scopes, to be completed by
    /// [`finish_jumps`](Self::finish_jumps).
    pub(super) fn note_jump(&mut self, jump: StmtId, label: LabelId) {
        let innermost = self.innermost_cleanup();
        if let (Some(context), Some(_)) = (&mut self.function, innermost) {
            context.cleanups.jumps.push((jump, innermost, label));
        }
    }

    /// Inserts the calls before the recorded jumps of the function.
    pub(super) fn finish_jumps(&mut self) {
        let Some(context) = &mut self.function else { return };
        let jumps = std::mem::take(&mut context.cleanups.jumps);
        for (jump, from, label) in jumps {
            let to = self.function.as_ref().and_then(|context| context.cleanups.labels.get(&label).copied());
            let mut list = Vec::new();
            self.call_cleanups(from, to.flatten(), &mut list);
            if list.is_empty() {
                continue;
            }
            let span = self.program.stmts[jump].span;
            let goto = self.stmt(StmtKind::Goto(label), span);
            list.push(goto);
            self.program.stmts[jump].kind = StmtKind::Block(list.into_boxed_slice());
        }
    }
}
