//! Z3 through its C interface.

use crate::workload::{Theory, bound};
use z3_sys as sys;

/// Runs `n` checks; returns the number of satisfiable ones.
///
/// # Panics
/// If Z3 fails to build a term.
pub fn run(theory: Theory, n: u32) -> u32 {
    let built = "Z3 builds small terms";
    // SAFETY: one thread; a context without counted references keeps all terms until it is deleted.
    unsafe {
        let config = sys::Z3_mk_config().expect(built);
        let context = sys::Z3_mk_context(config).expect(built);
        sys::Z3_del_config(config);
        let sort = match theory {
            Theory::Lia => sys::Z3_mk_int_sort(context),
            Theory::Bv32 => sys::Z3_mk_bv_sort(context, 32),
        };
        let sort = sort.expect(built);
        let number = |value: u32| sys::Z3_mk_unsigned_int64(context, value.into(), sort).expect(built);
        let at_most = |a, b| {
            let atom = match theory {
                Theory::Lia => sys::Z3_mk_le(context, a, b),
                Theory::Bv32 => sys::Z3_mk_bvule(context, a, b),
            };
            atom.expect(built)
        };
        let solver = sys::Z3_mk_simple_solver(context).expect(built);
        sys::Z3_solver_inc_ref(context, solver);
        let [x, y] = [c"x", c"y"].map(|name| {
            let name = sys::Z3_mk_string_symbol(context, name.as_ptr()).expect(built);
            sys::Z3_mk_const(context, name, sort).expect(built)
        });
        for variable in [x, y] {
            sys::Z3_solver_assert(context, solver, at_most(number(0), variable));
            sys::Z3_solver_assert(context, solver, at_most(variable, number(n / 2)));
        }
        let mut satisfiable = 0;
        for i in 0..n {
            sys::Z3_solver_push(context, solver);
            let sum = match theory {
                Theory::Lia => sys::Z3_mk_add(context, 2, [x, y].as_ptr()),
                Theory::Bv32 => sys::Z3_mk_bvadd(context, x, y),
            };
            sys::Z3_solver_assert(context, solver, at_most(number(bound(i, n)), sum.expect(built)));
            satisfiable += u32::from(sys::Z3_solver_check(context, solver) == sys::Z3_L_TRUE);
            sys::Z3_solver_pop(context, solver, 1);
        }
        sys::Z3_solver_dec_ref(context, solver);
        sys::Z3_del_context(context);
        satisfiable
    }
}
