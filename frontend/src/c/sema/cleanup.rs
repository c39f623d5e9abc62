//! The attribute `cleanup(f)` (GNU): `f(&variable)` is called when the scope of the variable is left, in whatever way.
//!
//! The calls are made explicit. The variables with the attribute form a tree, in which a variable's parent is the one that was
//! declared before it and is still in scope. Where control leaves a scope, the calls for the path from the innermost variable
//! there to that of the target are put before the jump; a result is computed before them, into a hidden local. A `goto` is
//! completed at the end of the function, when the labels' places are known.
//!
//! Limits: a computed goto within the scope of such a variable is unsupported, since where it leads is not known here.

use super::Checker;
use crate::c::hir::{
    Callee, ExprId, ExprKind, Fill, FunctionId, InitEntry, InitValue, Initializer, LabelId, Local, LocalId,
    LocalKind, PlaceKind, StmtId, StmtKind,
};
use crate::c::types::{QualType, TypeId};
use grammars::c::ast::{Ident, Qualifiers};
use grammars::source::Span;
use rustc_hash::FxHashMap;

/// A variable with the attribute, by its index in [`Cleanups::variables`].
pub(super) type Cleanup = Option<usize>;

/// The variables with the attribute in the function being checked.
#[derive(Debug, Default)]
pub(super) struct Cleanups {
    variables: Vec<Variable>,
    /// The innermost one in scope.
    innermost: Cleanup,
    /// The innermost ones outside of the loops and `switch`es around, and outside of the loops.
    breaks: Vec<Cleanup>,
    continues: Vec<Cleanup>,
    labels: FxHashMap<LabelId, Cleanup>,
    /// Jumps within the scope of some variable: the statement, where it stands, where it leads.
    jumps: Vec<(StmtId, Cleanup, LabelId)>,
}

#[derive(Clone, Copy, Debug)]
struct Variable {
    parent: Cleanup,
    local: LocalId,
    function: FunctionId,
    span: Span,
}

/// What a statement of a jump leaves.
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

    /// The variables from `from` outwards that are not in scope at `to`.
    fn path(&self, from: Cleanup, to: Cleanup) -> Vec<Variable> {
        let ancestors = |start: Cleanup| std::iter::successors(start, |&at| self.variables[at].parent);
        // Ancestors have smaller indices, so the first that is one of `to`'s ends the path.
        let kept: Vec<usize> = ancestors(to).collect();
        ancestors(from).take_while(|at| !kept.contains(at)).map(|at| self.variables[at]).collect()
    }
}

impl Checker<'_> {
    /// The innermost variable with the attribute that is in scope.
    pub(super) fn innermost_cleanup(&self) -> Cleanup {
        self.function.as_ref().and_then(|context| context.cleanups.innermost)
    }

    /// Begins the scope of a variable with the attribute.
    pub(super) fn declare_cleanup(&mut self, local: LocalId, function: Ident) {
        let span = function.span;
        let Some(super::Linked::Function(id)) = self.linked.get(&function.name).copied() else {
            let text = format!("`{}`, which is to clean up, is no function", self.text(function.name));
            self.error(span, text);
            return;
        };
        let declared = self.types().function(self.program.functions[id].ty);
        if declared.is_none_or(|declared| declared.parameters.len() != 1) {
            self.error(span, "a function that cleans up takes the address of the variable and nothing else");
            return;
        }
        if let Some(context) = &mut self.function {
            let cleanups = &mut context.cleanups;
            let parent = cleanups.innermost;
            cleanups.innermost = Some(cleanups.variables.len());
            cleanups.variables.push(Variable { parent, local, function: id, span });
        }
    }

    /// Ends the scopes of the variables within `to`: control reaches the end.
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

    /// The calls before a jump.
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
        let argument = self.assign_convert(address, declared.parameters[0], "the argument", span);
        let arguments = Box::new([argument]);
        self.expr(ExprKind::Call { callee: Callee::Direct(function), arguments }, declared.result, span)
    }

    /// A value that is computed now and used after the calls: a hidden local with it.
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
        let initializer = Initializer { ty, fill: Fill::Covered, entries: Box::new([entry]), span };
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

    /// Notes where a label stands.
    pub(super) fn note_label(&mut self, label: LabelId) {
        let innermost = self.innermost_cleanup();
        if let (Some(context), Some(_)) = (&mut self.function, innermost) {
            context.cleanups.labels.insert(label, innermost);
        }
    }

    /// A `goto`, to be completed by [`finish_jumps`](Self::finish_jumps) where it may leave scopes.
    pub(super) fn note_jump(&mut self, jump: StmtId, label: LabelId) {
        let innermost = self.innermost_cleanup();
        if let (Some(context), Some(_)) = (&mut self.function, innermost) {
            context.cleanups.jumps.push((jump, innermost, label));
        }
    }

    /// Puts the calls before the jumps of the function.
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
