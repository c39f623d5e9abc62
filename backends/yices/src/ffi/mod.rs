//! Bindings to the library behind a lock; all unsafe code of this crate.
//!
//! Yices keeps its terms in process-wide tables without synchronization, so every call goes through
//! an [`Api`], the proof that the process-wide lock is held. Term handles are plain numbers: an
//! invalid one is an error code of the library, never undefined behavior. Terms are not collected:
//! they live as long as the process.
//!
//! Yices recurses over terms when it internalizes and evaluates them: callers run such work on a
//! [large stack](backends::support::on_stack).
//!
//! | module | contents |
//! |---|---|
//! | here | the lock, construction of terms, contexts and checks |
//! | `values` | models and their values |
//! | `structure` | the structure of Yices terms |
//! | `gmp` | big numbers |
//! | `copy` | a call in a copy of the process |

#![allow(unsafe_code, reason = "the only module that calls the C library and copies the process")]

pub(crate) mod copy;
mod gmp;
mod structure;
mod values;

pub(crate) use structure::{Constructor, Node};
pub(crate) use values::{Elimination, RawValue};

use crate::features::Architecture;
use num_bigint::BigUint;
use num_rational::BigRational;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use yices2_sys as sys;

/// A Yices term; negative for an error.
pub(crate) type YTerm = sys::term_t;
/// A Yices type; negative for an error.
pub(crate) type YType = sys::type_t;

static LOCK: Mutex<()> = Mutex::new(());
static INIT: Once = Once::new();

/// The permission to call Yices.
pub(crate) struct Api {
    _lock: MutexGuard<'static, ()>,
}

/// A solver context; only [`Api::free_context`] frees it.
#[derive(Clone, Copy)]
pub(crate) struct Context(*mut sys::context_t);

/// A model; only [`Api::free_model`] frees it.
#[derive(Clone, Copy)]
pub(crate) struct RawModel(*mut sys::model_t);

/// SAFETY: the pointers are used only through an [`Api`], that is, by one thread at a time (the
/// exception is [`Context::stop`], which Yices allows from any thread).
unsafe impl Send for Context {}
/// SAFETY: as above.
unsafe impl Sync for Context {}
/// SAFETY: as for [`Context`].
unsafe impl Send for RawModel {}
/// SAFETY: as for [`Context`].
unsafe impl Sync for RawModel {}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckStatus {
    Sat,
    Unsat,
    Unknown,
    Interrupted,
    Error,
}

impl From<sys::smt_status_t> for CheckStatus {
    fn from(status: sys::smt_status_t) -> Self {
        use sys::smt_status::{STATUS_INTERRUPTED, STATUS_SAT, STATUS_UNKNOWN, STATUS_UNSAT};
        match status {
            STATUS_SAT => CheckStatus::Sat,
            STATUS_UNSAT => CheckStatus::Unsat,
            STATUS_UNKNOWN => CheckStatus::Unknown,
            STATUS_INTERRUPTED => CheckStatus::Interrupted,
            _ => CheckStatus::Error,
        }
    }
}

macro_rules! term_builders {
    ($($name:ident = $function:ident ( $($argument:ident : $ty:ty),* );)*) => {
        $(pub(crate) fn $name(&self $(, $argument: $ty)*) -> YTerm {
            // SAFETY: numbers only; the lock is held.
            unsafe { sys::$function($($argument),*) }
        })*
    };
}

macro_rules! list_builders {
    ($($name:ident = $function:ident;)*) => {
        $(pub(crate) fn $name(&self, arguments: &mut [YTerm]) -> YTerm {
            let length = u32::try_from(arguments.len()).expect("a term has fewer than 2^32 children");
            // SAFETY: the pointer and length are those of a live slice, which Yices may permute.
            unsafe { sys::$function(length, arguments.as_mut_ptr()) }
        })*
    };
}

/// Takes the lock; initializes Yices at the first call.
pub(crate) fn api() -> Api {
    let lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    // The safe crate serves for initialization; all other calls need `yices2-sys`.
    INIT.call_once(yices2::init);
    Api { _lock: lock }
}

impl Api {
    term_builders! {
        tru = yices_true();
        fls = yices_false();
        not = yices_not(a: YTerm);
        ite = yices_ite(c: YTerm, a: YTerm, b: YTerm);
        eq = yices_eq(a: YTerm, b: YTerm);
        xor = yices_xor2(a: YTerm, b: YTerm);
        bv_constant = yices_bvconst_uint64(width: u32, value: u64);
        bv_not = yices_bvnot(a: YTerm);
        bv_neg = yices_bvneg(a: YTerm);
        bv_and = yices_bvand2(a: YTerm, b: YTerm);
        bv_or = yices_bvor2(a: YTerm, b: YTerm);
        bv_xor = yices_bvxor2(a: YTerm, b: YTerm);
        bv_add = yices_bvadd(a: YTerm, b: YTerm);
        bv_sub = yices_bvsub(a: YTerm, b: YTerm);
        bv_mul = yices_bvmul(a: YTerm, b: YTerm);
        bv_udiv = yices_bvdiv(a: YTerm, b: YTerm);
        bv_urem = yices_bvrem(a: YTerm, b: YTerm);
        bv_sdiv = yices_bvsdiv(a: YTerm, b: YTerm);
        bv_srem = yices_bvsrem(a: YTerm, b: YTerm);
        bv_shl = yices_bvshl(a: YTerm, b: YTerm);
        bv_lshr = yices_bvlshr(a: YTerm, b: YTerm);
        bv_ashr = yices_bvashr(a: YTerm, b: YTerm);
        bv_ult = yices_bvlt_atom(a: YTerm, b: YTerm);
        bv_ule = yices_bvle_atom(a: YTerm, b: YTerm);
        bv_slt = yices_bvslt_atom(a: YTerm, b: YTerm);
        bv_sle = yices_bvsle_atom(a: YTerm, b: YTerm);
        bv_concat = yices_bvconcat2(high: YTerm, low: YTerm);
        bv_extract = yices_bvextract(a: YTerm, low: u32, high: u32);
        zero_extend = yices_zero_extend(a: YTerm, bits: u32);
        sign_extend = yices_sign_extend(a: YTerm, bits: u32);
        int_constant = yices_int64(value: i64);
        sub = yices_sub(a: YTerm, b: YTerm);
        neg = yices_neg(a: YTerm);
        mul = yices_mul(a: YTerm, b: YTerm);
        int_div = yices_idiv(a: YTerm, b: YTerm);
        int_mod = yices_imod(a: YTerm, b: YTerm);
        real_div = yices_division(a: YTerm, b: YTerm);
        le = yices_arith_leq_atom(a: YTerm, b: YTerm);
        lt = yices_arith_lt_atom(a: YTerm, b: YTerm);
        floor = yices_floor(a: YTerm);
        select = yices_application1(array: YTerm, index: YTerm);
        store = yices_update1(array: YTerm, index: YTerm, value: YTerm);
        new_constant = yices_new_uninterpreted_term(ty: YType);
    }

    list_builders! {
        and = yices_and;
        or = yices_or;
        sum = yices_sum;
    }

    pub(crate) fn apply(&self, function: YTerm, arguments: &[YTerm]) -> YTerm {
        let length = u32::try_from(arguments.len()).expect("a term has fewer than 2^32 children");
        // SAFETY: the pointer and length are those of a live slice.
        unsafe { sys::yices_application(function, length, arguments.as_ptr()) }
    }

    pub(crate) fn bv_constant_big(&self, width: u32, value: &BigUint) -> YTerm {
        let bits: Vec<i32> = (0..u64::from(width)).map(|i| i32::from(value.bit(i))).collect();
        // SAFETY: `bits` has `width` elements.
        unsafe { sys::yices_bvconst_from_array(width, bits.as_ptr()) }
    }

    pub(crate) fn rational_constant(&self, value: &BigRational) -> YTerm {
        let text = if value.is_integer() { value.numer().to_string() } else { value.to_string() };
        let text = CString::new(text).expect("a printed number has no zero byte");
        // SAFETY: a zero-terminated string that outlives the call.
        unsafe { sys::yices_parse_rational(text.as_ptr()) }
    }

    pub(crate) fn bool_type(&self) -> YType {
        // SAFETY: the lock is held.
        unsafe { sys::yices_bool_type() }
    }

    pub(crate) fn int_type(&self) -> YType {
        // SAFETY: the lock is held.
        unsafe { sys::yices_int_type() }
    }

    pub(crate) fn real_type(&self) -> YType {
        // SAFETY: the lock is held.
        unsafe { sys::yices_real_type() }
    }

    pub(crate) fn bv_type(&self, width: u32) -> YType {
        // SAFETY: the lock is held.
        unsafe { sys::yices_bv_type(width) }
    }

    /// Gives `term` a name, which has no other use.
    pub(crate) fn set_name(&self, term: YTerm, name: &str) {
        let name = CString::new(name).expect("generated names contain no zero byte");
        // SAFETY: a number and a string that Yices copies; the lock is held.
        unsafe { sys::yices_set_term_name(term, name.as_ptr()) };
    }

    pub(crate) fn new_uninterpreted_type(&self) -> YType {
        // SAFETY: the lock is held.
        unsafe { sys::yices_new_uninterpreted_type() }
    }

    pub(crate) fn function_type(&self, domain: &[YType], range: YType) -> YType {
        let length = u32::try_from(domain.len()).expect("a function has fewer than 2^32 parameters");
        // SAFETY: the pointer and length are those of a live slice.
        unsafe { sys::yices_function_type(length, domain.as_ptr(), range) }
    }

    /// The text of the last error.
    pub(crate) fn error(&self) -> String {
        // SAFETY: Yices returns a string of its own that the caller frees, or null.
        unsafe {
            let text = sys::yices_error_string();
            if text.is_null() {
                return "unknown error".to_owned();
            }
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            sys::yices_free_string(text);
            sys::yices_clear_error();
            owned
        }
    }

    /// A new context; `settings` are pairs of a configuration parameter and its value.
    pub(crate) fn new_context(
        &self,
        architecture: Architecture,
        settings: &[(&str, &str)],
    ) -> Result<Context, String> {
        let (logic, solver) = match architecture {
            Architecture::Logic(logic) => (Some(logic), None),
            Architecture::All => (None, None),
            Architecture::Mcsat => (None, Some(("solver-type", "mcsat"))),
        };
        // SAFETY: the configuration is allocated, used and freed here; strings outlive the calls.
        unsafe {
            let config = sys::yices_new_config();
            let mut code = 0;
            if let Some(logic) = logic {
                let logic = CString::new(logic).map_err(|e| e.to_string())?;
                code = sys::yices_default_config_for_logic(config, logic.as_ptr());
            }
            for (name, value) in solver.iter().chain(settings) {
                let name = CString::new(*name).map_err(|e| e.to_string())?;
                let value = CString::new(*value).map_err(|e| e.to_string())?;
                code = code.min(sys::yices_set_config(config, name.as_ptr(), value.as_ptr()));
            }
            let context = if code < 0 { std::ptr::null_mut() } else { sys::yices_new_context(config) };
            sys::yices_free_config(config);
            if context.is_null() { Err(self.error()) } else { Ok(Context(context)) }
        }
    }

    pub(crate) fn free_context(&self, context: Context) {
        // SAFETY: `new_context` created the `Context`; its owner frees it once.
        unsafe { sys::yices_free_context(context.0) }
    }

    pub(crate) fn push(&self, context: Context) -> Result<(), String> {
        // SAFETY: a live context.
        self.checked(unsafe { sys::yices_push(context.0) })
    }

    /// Whether the assertions are known to be unsatisfiable.
    pub(crate) fn is_unsat(&self, context: Context) -> bool {
        // SAFETY: a live context.
        unsafe { sys::yices_context_status(context.0) == sys::smt_status::STATUS_UNSAT }
    }

    pub(crate) fn pop(&self, context: Context) -> Result<(), String> {
        // SAFETY: a live context.
        self.checked(unsafe { sys::yices_pop(context.0) })
    }

    pub(crate) fn assert(&self, context: Context, formulas: &[YTerm]) -> Result<(), String> {
        let length = u32::try_from(formulas.len()).expect("fewer than 2^32 assertions");
        // SAFETY: a live context, a live slice.
        self.checked(unsafe { sys::yices_assert_formulas(context.0, length, formulas.as_ptr()) })
    }

    pub(crate) fn check(&self, context: Context, assumptions: &[YTerm]) -> CheckStatus {
        let length = u32::try_from(assumptions.len()).expect("fewer than 2^32 assumptions");
        // SAFETY: a live context, a live slice; null parameters mean the defaults.
        let status = unsafe {
            if assumptions.is_empty() && sys::yices_context_status(context.0) != sys::smt_status::STATUS_UNSAT
            {
                sys::yices_check_context(context.0, std::ptr::null())
            } else {
                sys::yices_check_context_with_assumptions(
                    context.0,
                    std::ptr::null(),
                    length,
                    assumptions.as_ptr(),
                )
            }
        };
        CheckStatus::from(status)
    }

    /// Decides a context of MCSAT, which ignores assumptions.
    pub(crate) fn check_mcsat(&self, context: Context) -> CheckStatus {
        // SAFETY: a live context; null parameters mean the defaults.
        CheckStatus::from(unsafe { sys::yices_check_context(context.0, std::ptr::null()) })
    }

    /// Decides `formulas`, which are over bit vectors only, from scratch with the SAT solver
    /// `y2sat`, which preprocesses more than the SAT solver of a context. Cannot be interrupted, so
    /// it runs in a [`copy`] of the process. `None` if the result is inconclusive.
    pub(crate) fn check_once(&self, formulas: &[YTerm]) -> Option<Result<RawModel, ()>> {
        let length = u32::try_from(formulas.len()).expect("fewer than 2^32 assertions");
        let mut model = std::ptr::null_mut();
        // SAFETY: a live slice, constant strings, and a place for the model, which is set for
        // satisfiable formulas.
        let status = unsafe {
            sys::yices_check_formulas(
                formulas.as_ptr(),
                length,
                c"QF_BV".as_ptr(),
                &raw mut model,
                c"y2sat".as_ptr(),
            )
        };
        match status {
            sys::smt_status::STATUS_SAT if !model.is_null() => Some(Ok(RawModel(model))),
            sys::smt_status::STATUS_UNSAT => Some(Err(())),
            _ => None,
        }
    }

    /// The assumptions in the unsat core.
    pub(crate) fn unsat_core(&self, context: Context) -> Result<Vec<YTerm>, String> {
        // SAFETY: a live context and an initialised vector.
        self.collect(|vector| unsafe { sys::yices_get_unsat_core(context.0, vector) })
    }

    /// The terms that `fill` stores in a vector.
    fn collect(&self, fill: impl FnOnce(*mut sys::term_vector_t) -> i32) -> Result<Vec<YTerm>, String> {
        // SAFETY: the vector is initialised and deleted here; its data has `size` elements.
        unsafe {
            let mut vector = std::mem::zeroed::<sys::term_vector_t>();
            sys::yices_init_term_vector(&raw mut vector);
            let code = fill(&raw mut vector);
            let terms = if code == 0 && vector.size > 0 {
                std::slice::from_raw_parts(vector.data, vector.size as usize).to_vec()
            } else {
                Vec::new()
            };
            sys::yices_delete_term_vector(&raw mut vector);
            self.checked(code).map(|()| terms)
        }
    }

    /// Decides `context`, one of MCSAT, with `shared` fixed to their values in `model`.
    pub(crate) fn check_with_model(
        &self,
        context: Context,
        model: RawModel,
        shared: &[YTerm],
    ) -> CheckStatus {
        let length = u32::try_from(shared.len()).expect("fewer than 2^32 constants");
        // SAFETY: a live context, a live model, a live slice of constants; null parameters mean the
        // defaults.
        CheckStatus::from(unsafe {
            sys::yices_check_context_with_model(context.0, std::ptr::null(), model.0, length, shared.as_ptr())
        })
    }

    /// After [`check_with_model`](Self::check_with_model) found the context unsatisfiable: a clause
    /// over the fixed constants, implied by the context and false in the model.
    pub(crate) fn model_interpolant(&self, context: Context) -> Result<YTerm, String> {
        // SAFETY: a live context.
        let interpolant = unsafe { sys::yices_get_model_interpolant(context.0) };
        if interpolant < 0 { Err(self.error()) } else { Ok(interpolant) }
    }

    /// The interpolation procedure of the library itself. Crashes on shared functions, and may
    /// diverge.
    pub(crate) fn check_with_interpolation(
        &self,
        a: Context,
        b: Context,
    ) -> Result<(CheckStatus, YTerm), String> {
        // SAFETY: plain data, for which all zeros are a valid value.
        let mut query = unsafe { std::mem::zeroed::<sys::interpolation_context_t>() };
        (query.ctx_A, query.ctx_B, query.interpolant) = (a.0, b.0, -1);
        // SAFETY: live contexts and a place for the answer; null parameters mean the defaults, 0
        // requests no model.
        let status = CheckStatus::from(unsafe {
            sys::yices_check_context_with_interpolation(&raw mut query, std::ptr::null(), 0)
        });
        match status {
            CheckStatus::Error => Err(self.error()),
            status => Ok((status, query.interpolant)),
        }
    }

    fn checked(&self, code: i32) -> Result<(), String> {
        if code < 0 { Err(self.error()) } else { Ok(()) }
    }
}

impl Context {
    /// Interrupts a running check. Has no effect if none runs.
    pub(crate) fn stop(self) {
        // SAFETY: sets a flag of a context that is alive while a check runs; Yices allows it from
        // any thread.
        unsafe { sys::yices_stop_search(self.0) }
    }
}

/// The version of the library.
pub(crate) fn version() -> String {
    // SAFETY: a constant string of the library.
    unsafe { CStr::from_ptr(sys::yices_version).to_string_lossy().into_owned() }
}
