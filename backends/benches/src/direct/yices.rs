//! Yices through its C interface.

use crate::workload::{Theory, bound};
use backends::{Limits, ProverFactory};
use yices2_sys as sys;

/// Runs `n` checks; returns the number of satisfiable ones.
pub fn run(theory: Theory, n: u32) -> u32 {
    // Initializes the library, which may happen only once.
    drop(backend_yices::factory().new_prover("ALL", &Limits::default()));
    // SAFETY: one thread; contexts and configurations are freed once; slices live during the calls.
    unsafe {
        let (logic, ty) = match theory {
            Theory::Lia => (c"QF_LIA", sys::yices_int_type()),
            Theory::Bv32 => (c"QF_BV", sys::yices_bv_type(32)),
        };
        let number = |value: u32| match theory {
            Theory::Lia => sys::yices_int64(value.into()),
            Theory::Bv32 => sys::yices_bvconst_uint64(32, value.into()),
        };
        let at_most = |a, b| match theory {
            Theory::Lia => sys::yices_arith_leq_atom(a, b),
            Theory::Bv32 => sys::yices_bvle_atom(a, b),
        };
        let config = sys::yices_new_config();
        sys::yices_default_config_for_logic(config, logic.as_ptr());
        sys::yices_set_config(config, c"mode".as_ptr(), c"push-pop".as_ptr());
        let context = sys::yices_new_context(config);
        sys::yices_free_config(config);
        let (x, y) = (sys::yices_new_uninterpreted_term(ty), sys::yices_new_uninterpreted_term(ty));
        for variable in [x, y] {
            sys::yices_assert_formula(context, at_most(number(0), variable));
            sys::yices_assert_formula(context, at_most(variable, number(n / 2)));
        }
        let mut satisfiable = 0;
        for i in 0..n {
            sys::yices_push(context);
            let sum = match theory {
                Theory::Lia => sys::yices_add(x, y),
                Theory::Bv32 => sys::yices_bvadd(x, y),
            };
            sys::yices_assert_formula(context, at_most(number(bound(i, n)), sum));
            let status = sys::yices_check_context(context, std::ptr::null());
            satisfiable += u32::from(status == sys::smt_status::STATUS_SAT);
            sys::yices_pop(context);
        }
        sys::yices_free_context(context);
        satisfiable
    }
}
