//! cvc5 through its C interface.

use crate::workload::{Theory, bound};
use cvc5_sys as sys;

/// Runs `n` checks; returns the number of satisfiable ones.
pub fn run(theory: Theory, n: u32) -> u32 {
    // SAFETY: one thread; the solver is deleted before its manager, each once, and terms live as
    // long as the manager.
    unsafe {
        let manager = sys::term_manager_new();
        let solver = sys::new(manager);
        sys::set_option(solver, c"incremental".as_ptr(), c"true".as_ptr());
        let (logic, sort) = match theory {
            Theory::Lia => (c"QF_LIA", sys::get_integer_sort(manager)),
            Theory::Bv32 => (c"QF_BV", sys::mk_bv_sort(manager, 32)),
        };
        sys::set_logic(solver, logic.as_ptr());
        let number = |value: u32| match theory {
            Theory::Lia => sys::mk_integer_int64(manager, value.into()),
            Theory::Bv32 => sys::mk_bv_uint64(manager, 32, value.into()),
        };
        let apply = |kind, a: sys::Term, b: sys::Term| sys::mk_term(manager, kind, 2, [a, b].as_ptr());
        let (at_most, plus) = match theory {
            Theory::Lia => (sys::Kind::Leq, sys::Kind::Add),
            Theory::Bv32 => (sys::Kind::BitvectorUle, sys::Kind::BitvectorAdd),
        };
        let [x, y] = [c"x", c"y"].map(|name| sys::mk_const(manager, sort, name.as_ptr()));
        for variable in [x, y] {
            sys::assert_formula(solver, apply(at_most, number(0), variable));
            sys::assert_formula(solver, apply(at_most, variable, number(n / 2)));
        }
        let mut satisfiable = 0;
        for i in 0..n {
            sys::push(solver, 1);
            let sum = apply(plus, x, y);
            sys::assert_formula(solver, apply(at_most, number(bound(i, n)), sum));
            let result = sys::check_sat(solver);
            satisfiable += u32::from(sys::result_is_sat(result));
            sys::result_release(result);
            sys::pop(solver, 1);
        }
        sys::delete(solver);
        sys::term_manager_delete(manager);
        satisfiable
    }
}
