//! Solvers, models, tactics, and fixed-point engines.

use super::{Context, Decl, Handle, Node, Owned, is_cancellation, length, sys, text};
use backends::Reason;
use std::ffi::{CStr, CString};
use std::sync::Arc;

macro_rules! counted {
    ($(#[$documentation:meta] $name:ident ( $raw:ident, $increment:ident, $decrement:ident );)*) => {
        $(
            #[$documentation]
            pub(crate) struct $name {
                handle: Arc<Handle>,
                raw: sys::$raw,
            }

            // SAFETY: see "Threads" in the documentation of the module `ffi`.
            unsafe impl Send for $name {}
            // SAFETY: as above.
            unsafe impl Sync for $name {}

            impl $name {
                fn count(context: &Context, raw: Option<sys::$raw>) -> Result<Self, Reason> {
                    let raw = raw.ok_or_else(|| context.error())?;
                    // SAFETY: the library has just returned it.
                    unsafe { sys::$increment(context.raw(), raw) }
                    Ok($name { handle: context.handle.clone(), raw })
                }
            }

            impl Drop for $name {
                fn drop(&mut self) {
                    // SAFETY: counted once when it was made; the context lives.
                    unsafe { sys::$decrement(self.handle.raw, self.raw) }
                }
            }
        )*
    };
}

counted! {
    /// A solver.
    Solver(Z3_solver, Z3_solver_inc_ref, Z3_solver_dec_ref);
    /// A model.
    Model(Z3_model, Z3_model_inc_ref, Z3_model_dec_ref);
    /// The interpretation of a function in a model.
    Interpretation(Z3_func_interp, Z3_func_interp_inc_ref, Z3_func_interp_dec_ref);
    /// An entry of an interpretation.
    FunctionEntry(Z3_func_entry, Z3_func_entry_inc_ref, Z3_func_entry_dec_ref);
    /// A list of terms.
    Nodes(Z3_ast_vector, Z3_ast_vector_inc_ref, Z3_ast_vector_dec_ref);
    /// A transformation of goals.
    Tactic(Z3_tactic, Z3_tactic_inc_ref, Z3_tactic_dec_ref);
    /// A set of formulas.
    Goal(Z3_goal, Z3_goal_inc_ref, Z3_goal_dec_ref);
    /// The result of applying a tactic to a goal.
    Goals(Z3_apply_result, Z3_apply_result_inc_ref, Z3_apply_result_dec_ref);
    /// Parameters.
    Parameters(Z3_params, Z3_params_inc_ref, Z3_params_dec_ref);
    /// Horn clauses.
    Fixedpoint(Z3_fixedpoint, Z3_fixedpoint_inc_ref, Z3_fixedpoint_dec_ref);
}

/// The kinds of solvers of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SolverKind {
    /// The incremental SMT core alone.
    Incremental,
    /// Preprocessing chosen by the formulas, then a suitable solver.
    Strategic,
    /// Preprocessing and a SAT solver, for pure bit-vector formulas.
    BitVectors,
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CheckStatus {
    Sat,
    Unsat,
    /// Interrupted.
    Stopped,
    /// The solver gave up.
    Unknown(Reason),
}

/// Interrupts a check from another thread.
pub(super) struct CheckStopper(sys::Z3_context, sys::Z3_solver);

// SAFETY: the only use is `stop`, which the library allows from any thread.
unsafe impl Send for CheckStopper {}

impl CheckStopper {
    /// Interrupts the solver's check, if one is running. The solver must be alive.
    pub(super) fn stop(&self) {
        // SAFETY: the watchdog forgets a job under its lock before the solver can go, see
        // `backends::support::watchdog::Watch`.
        unsafe { sys::Z3_solver_interrupt(self.0, self.1) }
    }
}

impl Solver {
    pub(super) fn stopper(&self, context: &Context) -> CheckStopper {
        CheckStopper(context.raw(), self.raw)
    }
}

impl Context {
    pub(crate) fn solver(&self, kind: SolverKind) -> Result<Solver, Reason> {
        // SAFETY: a live context, a live name.
        let solver = unsafe {
            match kind {
                SolverKind::Incremental => sys::Z3_mk_simple_solver(self.raw()),
                SolverKind::Strategic => sys::Z3_mk_solver(self.raw()),
                SolverKind::BitVectors => sys::Z3_mk_string_symbol(self.raw(), c"QF_BV".as_ptr())
                    .and_then(|logic| sys::Z3_mk_solver_for_logic(self.raw(), logic)),
            }
        };
        Solver::count(self, solver)
    }

    /// The error of a call without a result, if it failed.
    fn done(&self) -> Result<(), Reason> {
        self.failure().map_or(Ok(()), Err)
    }

    pub(crate) fn push(&self, solver: &Solver) -> Result<(), Reason> {
        // SAFETY: a live solver of this context; the same for the next ones.
        unsafe { sys::Z3_solver_push(self.raw(), solver.raw) }
        self.done()
    }

    pub(crate) fn pop(&self, solver: &Solver) -> Result<(), Reason> {
        // SAFETY: as above; too many scopes are an error of the library.
        unsafe { sys::Z3_solver_pop(self.raw(), solver.raw, 1) }
        self.done()
    }

    pub(crate) fn assert(&self, solver: &Solver, formula: Node) -> Result<(), Reason> {
        // SAFETY: as above, and a live term.
        unsafe { sys::Z3_solver_assert(self.raw(), solver.raw, formula.0) }
        self.done()
    }

    pub(crate) fn check(&self, solver: &Solver, assumptions: &[Node]) -> CheckStatus {
        let (length, pointer) = (length(assumptions), assumptions.as_ptr().cast());
        // SAFETY: as above, and a live slice of live terms.
        let answer = unsafe { sys::Z3_solver_check_assumptions(self.raw(), solver.raw, length, pointer) };
        match answer {
            sys::Z3_L_TRUE => CheckStatus::Sat,
            sys::Z3_L_FALSE => CheckStatus::Unsat,
            _ => {
                let failure = self.failure();
                // SAFETY: a live solver; the text lives until the next call.
                let why = unsafe { text(sys::Z3_solver_get_reason_unknown(self.raw(), solver.raw)) };
                self.unknown(failure, why)
            }
        }
    }

    fn unknown(&self, failure: Option<Reason>, why: String) -> CheckStatus {
        match failure {
            Some(Reason::Interrupted) => CheckStatus::Stopped,
            Some(reason) => CheckStatus::Unknown(reason),
            None if is_cancellation(&why) => CheckStatus::Stopped,
            None if why.contains("memory") || why.contains("memout") => CheckStatus::Unknown(Reason::Memory),
            None if why.is_empty() => CheckStatus::Unknown(Reason::Incomplete("unknown".to_owned())),
            None => CheckStatus::Unknown(Reason::Incomplete(why)),
        }
    }

    /// The assumptions in the core, directly after `Unsat`.
    pub(crate) fn core(&self, solver: &Solver) -> Result<Vec<Owned>, Reason> {
        // SAFETY: a live solver.
        let core = unsafe { sys::Z3_solver_get_unsat_core(self.raw(), solver.raw) };
        self.elements(&Nodes::count(self, core)?)
    }

    /// The formula that `(assert text)` asserts in SMT-LIB, with these constants.
    #[cfg(test)]
    pub(crate) fn parse(&self, text: &str, names: &[&CStr], decls: &[Decl]) -> Result<Owned, Reason> {
        let text = CString::new(format!("(assert {text})")).expect("no zero in a formula");
        // SAFETY: a live context, zero-terminated texts, as many live names as live declarations.
        let parsed = unsafe {
            let names = names
                .iter()
                .map(|name| sys::Z3_mk_string_symbol(self.raw(), name.as_ptr()).ok_or_else(|| self.error()))
                .collect::<Result<Vec<_>, _>>()?;
            let raw = decls.iter().map(|decl| decl.0).collect::<Vec<_>>();
            sys::Z3_parse_smtlib2_string(
                self.raw(),
                text.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
                length(decls),
                names.as_ptr(),
                raw.as_ptr(),
            )
        };
        self.elements(&Nodes::count(self, parsed)?)?
            .into_iter()
            .next()
            .ok_or_else(|| Reason::Fault("the text contains no formula".to_owned()))
    }

    fn elements(&self, nodes: &Nodes) -> Result<Vec<Owned>, Reason> {
        // SAFETY: a live list, indices below its size.
        unsafe {
            (0..sys::Z3_ast_vector_size(self.raw(), nodes.raw))
                .map(|index| self.own(sys::Z3_ast_vector_get(self.raw(), nodes.raw, index)))
                .collect()
        }
    }

    /// The model, directly after `Sat`.
    pub(crate) fn model(&self, solver: &Solver) -> Result<Model, Reason> {
        // SAFETY: a live solver.
        Model::count(self, unsafe { sys::Z3_solver_get_model(self.raw(), solver.raw) })
    }

    /// The value of a term; unspecified values are chosen permanently.
    pub(crate) fn eval(&self, model: &Model, node: Node) -> Result<Owned, Reason> {
        let mut value = node.0;
        // SAFETY: a live model, a live term, a place to write to.
        if unsafe { sys::Z3_model_eval(self.raw(), model.raw, node.0, true, &mut value) } {
            self.own(Some(value))
        } else {
            Err(self.error())
        }
    }

    /// The interpretation of a function, if the model has one.
    pub(crate) fn interpretation(&self, model: &Model, decl: Decl) -> Result<Option<Interpretation>, Reason> {
        // SAFETY: a live model and a live declaration.
        unsafe {
            if !sys::Z3_model_has_interp(self.raw(), model.raw, decl.0) {
                return Ok(None);
            }
            let interpretation = sys::Z3_model_get_func_interp(self.raw(), model.raw, decl.0);
            Interpretation::count(self, interpretation).map(Some)
        }
    }

    /// The entries: arguments and values.
    pub(crate) fn entries(&self, function: &Interpretation) -> Result<Vec<(Vec<Owned>, Owned)>, Reason> {
        // SAFETY: a live interpretation, indices below its sizes.
        unsafe {
            (0..sys::Z3_func_interp_get_num_entries(self.raw(), function.raw))
                .map(|index| {
                    let entry = sys::Z3_func_interp_get_entry(self.raw(), function.raw, index);
                    let entry = FunctionEntry::count(self, entry)?;
                    let arguments = (0..sys::Z3_func_entry_get_num_args(self.raw(), entry.raw))
                        .map(|index| self.own(sys::Z3_func_entry_get_arg(self.raw(), entry.raw, index)))
                        .collect::<Result<Vec<_>, _>>()?;
                    let value = self.own(sys::Z3_func_entry_get_value(self.raw(), entry.raw))?;
                    Ok((arguments, value))
                })
                .collect()
        }
    }

    /// The value at all other arguments.
    pub(crate) fn otherwise(&self, function: &Interpretation) -> Result<Owned, Reason> {
        // SAFETY: a live interpretation.
        self.own(unsafe { sys::Z3_func_interp_get_else(self.raw(), function.raw) })
    }

    /// Model-based projection of constants out of a formula that is true in the model.
    pub(crate) fn project(&self, model: &Model, bound: &[Node], formula: Node) -> Result<Owned, Reason> {
        let (length, pointer) = (length(bound), bound.as_ptr().cast());
        // SAFETY: a live model, constants (for which `Z3_app` is `Z3_ast`), a live term.
        self.own(unsafe { sys::Z3_qe_model_project(self.raw(), model.raw, length, pointer, formula.0) })
    }

    pub(crate) fn tactic(&self, name: &CStr) -> Result<Tactic, Reason> {
        // SAFETY: a zero-terminated name.
        Tactic::count(self, unsafe { sys::Z3_mk_tactic(self.raw(), name.as_ptr()) })
    }

    /// The formulas into which the tactic transforms `formula`; `None` if it splits the goal.
    pub(crate) fn transform(&self, tactic: &Tactic, formula: Node) -> Result<Option<Vec<Owned>>, Reason> {
        // SAFETY: live objects of this context, indices below their sizes.
        unsafe {
            let goal = Goal::count(self, sys::Z3_mk_goal(self.raw(), false, false, false))?;
            sys::Z3_goal_assert(self.raw(), goal.raw, formula.0);
            self.done()?;
            let goals = Goals::count(self, sys::Z3_tactic_apply(self.raw(), tactic.raw, goal.raw))?;
            if sys::Z3_apply_result_get_num_subgoals(self.raw(), goals.raw) != 1 {
                return Ok(None);
            }
            let goal = Goal::count(self, sys::Z3_apply_result_get_subgoal(self.raw(), goals.raw, 0))?;
            if sys::Z3_goal_precision(self.raw(), goal.raw) != sys::GoalPrec::Precise {
                return Ok(None);
            }
            (0..sys::Z3_goal_size(self.raw(), goal.raw))
                .map(|index| self.own(sys::Z3_goal_formula(self.raw(), goal.raw, index)))
                .collect::<Result<Vec<_>, _>>()
                .map(Some)
        }
    }

    /// A fixed-point engine with these parameters.
    pub(crate) fn fixedpoint(
        &self,
        engine: &CStr,
        switches: &[(&CStr, bool)],
        numbers: &[(&CStr, u32)],
    ) -> Result<Fixedpoint, Reason> {
        // SAFETY: live objects of this context, zero-terminated names.
        unsafe {
            let fixedpoint = Fixedpoint::count(self, sys::Z3_mk_fixedpoint(self.raw()))?;
            let parameters = Parameters::count(self, sys::Z3_mk_params(self.raw()))?;
            let symbol =
                |name: &CStr| sys::Z3_mk_string_symbol(self.raw(), name.as_ptr()).ok_or_else(|| self.error());
            let (key, value) = (symbol(c"engine")?, symbol(engine)?);
            sys::Z3_params_set_symbol(self.raw(), parameters.raw, key, value);
            for &(name, value) in switches {
                sys::Z3_params_set_bool(self.raw(), parameters.raw, symbol(name)?, value);
            }
            for &(name, value) in numbers {
                sys::Z3_params_set_uint(self.raw(), parameters.raw, symbol(name)?, value);
            }
            sys::Z3_fixedpoint_set_params(self.raw(), fixedpoint.raw, parameters.raw);
            self.done()?;
            Ok(fixedpoint)
        }
    }

    pub(crate) fn add_relation(&self, fixedpoint: &Fixedpoint, relation: Decl) -> Result<(), Reason> {
        // SAFETY: a live engine and a live declaration.
        unsafe { sys::Z3_fixedpoint_register_relation(self.raw(), fixedpoint.raw, relation.0) }
        self.done()
    }

    pub(crate) fn add_rule(&self, fixedpoint: &Fixedpoint, rule: Node, name: &str) -> Result<(), Reason> {
        let name = CString::new(name).map_err(|error| Reason::Fault(error.to_string()))?;
        // SAFETY: a live engine, a live term, a zero-terminated name.
        unsafe {
            let name = sys::Z3_mk_string_symbol(self.raw(), name.as_ptr());
            sys::Z3_fixedpoint_add_rule(self.raw(), fixedpoint.raw, rule.0, name);
        }
        self.done()
    }

    /// Whether `relation` is reachable.
    pub(crate) fn query(&self, fixedpoint: &Fixedpoint, relation: Decl) -> CheckStatus {
        // SAFETY: a live engine, one live declaration.
        let answer =
            unsafe { sys::Z3_fixedpoint_query_relations(self.raw(), fixedpoint.raw, 1, &relation.0) };
        match answer {
            sys::Z3_L_TRUE => CheckStatus::Sat,
            sys::Z3_L_FALSE => CheckStatus::Unsat,
            _ => {
                let failure = self.failure();
                // SAFETY: a live engine; the text lives until the next call.
                let why = unsafe { text(sys::Z3_fixedpoint_get_reason_unknown(self.raw(), fixedpoint.raw)) };
                self.unknown(failure, why)
            }
        }
    }

    /// The evidence of the last query: definitions of the relations if it was unreachable,
    /// otherwise a proof.
    pub(crate) fn answer(&self, fixedpoint: &Fixedpoint) -> Result<Owned, Reason> {
        // SAFETY: a live engine.
        self.own(unsafe { sys::Z3_fixedpoint_get_answer(self.raw(), fixedpoint.raw) })
    }

    /// The lemmas over the arguments of `relation` (the bound variables 0, 1, …) at the infinite
    /// level.
    pub(crate) fn cover(&self, fixedpoint: &Fixedpoint, relation: Decl) -> Result<Owned, Reason> {
        // SAFETY: a live engine and a live declaration.
        self.own(unsafe { sys::Z3_fixedpoint_get_cover_delta(self.raw(), fixedpoint.raw, -1, relation.0) })
    }
}
