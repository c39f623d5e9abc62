//! The library behind a lock, and everything that is unsafe.
//!
//! Yices keeps its terms in process-wide tables without synchronisation, so every call goes through an [`Api`], which
//! is the proof that the process-wide lock is held. Term handles are plain numbers: a wrong one is an error code of the
//! library, never undefined behavior. Terms are not collected: they live as long as the process.
//!
//! Yices recurses over terms when it internalises and evaluates them. [`on_stack`] runs a piece of work on a thread
//! whose stack fits the depth of the terms.

#![allow(unsafe_code, reason = "the only module that calls the C library")]

use num_bigint::{BigInt, BigUint, Sign};
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

/// The right to call Yices.
pub(crate) struct Api {
    _lock: MutexGuard<'static, ()>,
}

/// A solver context. Freed by [`Api::free_context`] only.
#[derive(Clone, Copy)]
pub(crate) struct Context(*mut sys::context_t);

/// A model. Freed by [`Api::free_model`] only.
#[derive(Clone, Copy)]
pub(crate) struct RawModel(*mut sys::model_t);

/// SAFETY: the pointers are used only through an [`Api`], that is, by one thread at a time (the exception is
/// [`Context::stop`], which Yices allows from any thread).
unsafe impl Send for Context {}
/// SAFETY: as above.
unsafe impl Sync for Context {}
/// SAFETY: as for [`Context`].
unsafe impl Send for RawModel {}
/// SAFETY: as for [`Context`].
unsafe impl Sync for RawModel {}

/// What a check said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckStatus {
    Sat,
    Unsat,
    Unknown,
    Interrupted,
    Error,
}

/// A value of a model.
#[derive(Clone, Debug)]
pub(crate) enum RawValue {
    Bool(bool),
    BitVec(BigUint),
    Rational(BigRational),
    /// Function: entries for which it differs from the default.
    Function {
        entries: Vec<(Vec<RawValue>, RawValue)>,
        default: Box<RawValue>,
    },
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

/// Takes the lock; initialises Yices the first time.
pub(crate) fn api() -> Api {
    let lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    // The safe crate serves for the life cycle; what follows needs calls that only `yices2-sys` has.
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

    /// A context; `settings` are pairs of a configuration parameter and its value.
    pub(crate) fn new_context(
        &self,
        logic: Option<&str>,
        settings: &[(&str, &str)],
    ) -> Result<Context, String> {
        // SAFETY: the configuration is allocated, used and freed here; strings outlive the calls.
        unsafe {
            let config = sys::yices_new_config();
            let mut code = 0;
            if let Some(logic) = logic {
                let logic = CString::new(logic).map_err(|e| e.to_string())?;
                code = sys::yices_default_config_for_logic(config, logic.as_ptr());
            }
            for (name, value) in settings {
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
        // SAFETY: a `Context` is made by `new_context`; its owner frees it once.
        unsafe { sys::yices_free_context(context.0) }
    }

    pub(crate) fn push(&self, context: Context) -> Result<(), String> {
        // SAFETY: a live context.
        self.checked(unsafe { sys::yices_push(context.0) })
    }

    /// Whether what is asserted is known to be unsatisfiable.
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
        use sys::smt_status::{STATUS_INTERRUPTED, STATUS_SAT, STATUS_UNKNOWN, STATUS_UNSAT};
        let length = u32::try_from(assumptions.len()).expect("fewer than 2^32 assumptions");
        // SAFETY: a live context, a live slice; null parameters mean the defaults.
        let status = unsafe {
            if assumptions.is_empty() && sys::yices_context_status(context.0) != STATUS_UNSAT {
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
        match status {
            STATUS_SAT => CheckStatus::Sat,
            STATUS_UNSAT => CheckStatus::Unsat,
            STATUS_UNKNOWN => CheckStatus::Unknown,
            STATUS_INTERRUPTED => CheckStatus::Interrupted,
            _ => CheckStatus::Error,
        }
    }

    /// Decides `formulas`, which are over bit vectors only, from scratch with the SAT solver `y2sat`, which preprocesses
    /// more than that of a context. Cannot be stopped. `None` if it has no answer.
    pub(crate) fn check_once(&self, formulas: &[YTerm]) -> Option<Result<RawModel, ()>> {
        let length = u32::try_from(formulas.len()).expect("fewer than 2^32 assertions");
        let mut model = std::ptr::null_mut();
        // SAFETY: a live slice, constant strings, and a place for the model, which is set for satisfiable formulas.
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
        // SAFETY: the vector is initialised and deleted here; its data has `size` elements.
        unsafe {
            let mut vector = std::mem::zeroed::<sys::term_vector_t>();
            sys::yices_init_term_vector(&raw mut vector);
            let code = sys::yices_get_unsat_core(context.0, &raw mut vector);
            let core = if code == 0 && vector.size > 0 {
                std::slice::from_raw_parts(vector.data, vector.size as usize).to_vec()
            } else {
                Vec::new()
            };
            sys::yices_delete_term_vector(&raw mut vector);
            self.checked(code).map(|()| core)
        }
    }

    pub(crate) fn model(&self, context: Context) -> Result<RawModel, String> {
        // SAFETY: a live context.
        let model = unsafe { sys::yices_get_model(context.0, 1) };
        if model.is_null() { Err(self.error()) } else { Ok(RawModel(model)) }
    }

    pub(crate) fn free_model(&self, model: RawModel) {
        // SAFETY: a `RawModel` is made by `model`; its owner frees it once.
        unsafe { sys::yices_free_model(model.0) }
    }

    /// The value of a Boolean term.
    pub(crate) fn bool_value(&self, model: RawModel, term: YTerm) -> Result<bool, String> {
        let mut value = 0;
        // SAFETY: a live model and a place for the answer.
        self.checked(unsafe { sys::yices_get_bool_value(model.0, term, &raw mut value) }).map(|()| value != 0)
    }

    /// The value of a bit-vector term of `width` bits.
    pub(crate) fn bv_value(&self, model: RawModel, term: YTerm, width: u32) -> Result<BigUint, String> {
        let mut bits = vec![0; width as usize];
        // SAFETY: a live model and a place for `width` bits.
        self.checked(unsafe { sys::yices_get_bv_value(model.0, term, bits.as_mut_ptr()) })
            .map(|()| natural(&bits))
    }

    /// The value of any term.
    pub(crate) fn value(&self, model: RawModel, term: YTerm) -> Result<RawValue, String> {
        // SAFETY: a live model and a place for the answer.
        unsafe {
            let mut node = std::mem::zeroed::<sys::yval_t>();
            self.checked(sys::yices_get_value(model.0, term, &raw mut node))?;
            self.node(model, &node)
        }
    }

    /// Functions of functions do not occur, so the recursion is shallow: at most the nesting of array sorts.
    fn node(&self, model: RawModel, node: &sys::yval_t) -> Result<RawValue, String> {
        use sys::yval_tag::{YVAL_BOOL, YVAL_BV, YVAL_FUNCTION, YVAL_RATIONAL};
        // SAFETY: `node` belongs to the live model; the places for the answers have the sizes that Yices states.
        unsafe {
            match node.node_tag {
                YVAL_BOOL => {
                    let mut value = 0;
                    self.checked(sys::yices_val_get_bool(model.0, node, &raw mut value))?;
                    Ok(RawValue::Bool(value != 0))
                }
                YVAL_BV => {
                    let mut bits = vec![0; sys::yices_val_bitsize(model.0, node) as usize];
                    self.checked(sys::yices_val_get_bv(model.0, node, bits.as_mut_ptr()))?;
                    Ok(RawValue::BitVec(natural(&bits)))
                }
                YVAL_RATIONAL => {
                    let mut value = 0;
                    if sys::yices_val_get_int64(model.0, node, &raw mut value) == 0 {
                        return Ok(RawValue::Rational(BigRational::from_integer(value.into())));
                    }
                    sys::yices_clear_error();
                    let mut rational = gmp::Rational::zero();
                    gmp::__gmpq_init(&raw mut rational);
                    let code = gmp::yices_val_get_mpq(model.0, node, &raw mut rational);
                    let value = rational.to_rational();
                    gmp::__gmpq_clear(&raw mut rational);
                    self.checked(code)?;
                    Ok(RawValue::Rational(value))
                }
                YVAL_FUNCTION => {
                    let mut default = std::mem::zeroed::<sys::yval_t>();
                    let mut mappings = std::mem::zeroed::<sys::yval_vector_t>();
                    sys::yices_init_yval_vector(&raw mut mappings);
                    let code =
                        sys::yices_val_expand_function(model.0, node, &raw mut default, &raw mut mappings);
                    let nodes = if code == 0 && mappings.size > 0 {
                        std::slice::from_raw_parts(mappings.data, mappings.size as usize).to_vec()
                    } else {
                        Vec::new()
                    };
                    sys::yices_delete_yval_vector(&raw mut mappings);
                    self.checked(code)?;
                    let default = Box::new(self.node(model, &default)?);
                    let arity = sys::yices_val_function_arity(model.0, node) as usize;
                    let mut entries = Vec::with_capacity(nodes.len());
                    for mapping in &nodes {
                        let mut arguments = vec![std::mem::zeroed::<sys::yval_t>(); arity];
                        let mut image = std::mem::zeroed::<sys::yval_t>();
                        self.checked(sys::yices_val_expand_mapping(
                            model.0,
                            mapping,
                            arguments.as_mut_ptr(),
                            &raw mut image,
                        ))?;
                        let arguments =
                            arguments.iter().map(|node| self.node(model, node)).collect::<Result<_, _>>()?;
                        entries.push((arguments, self.node(model, &image)?));
                    }
                    Ok(RawValue::Function { entries, default })
                }
                tag => Err(format!("a model value of kind {tag:?}")),
            }
        }
    }

    fn checked(&self, code: i32) -> Result<(), String> {
        if code < 0 { Err(self.error()) } else { Ok(()) }
    }
}

impl Context {
    /// Asks a running check to stop. Has no effect when none runs.
    pub(crate) fn stop(self) {
        // SAFETY: sets a flag of a context that is alive while a check runs; Yices allows it from any thread.
        unsafe { sys::yices_stop_search(self.0) }
    }
}

/// The version of the library.
pub(crate) fn version() -> String {
    // SAFETY: a constant string of the library.
    unsafe { CStr::from_ptr(sys::yices_version).to_string_lossy().into_owned() }
}

/// Stack that Yices may need for one level of a term.
const BYTES_PER_LEVEL: usize = 2 << 10;
/// Terms up to this depth are handled on the caller's stack.
const SHALLOW: u32 = 200;
/// More than this is not asked of the system.
const LARGEST_STACK: usize = 64 << 30;

/// Runs `work`, which makes Yices recurse to `depth`, where the stack is large enough. `None` if there is no such stack.
///
/// The memory of the stack is only reserved; what is not touched costs nothing. A thread costs some 30 µs.
pub(crate) fn on_stack<R: Send>(depth: u32, work: impl FnOnce() -> R + Send) -> Option<R> {
    if depth <= SHALLOW {
        return Some(work());
    }
    let bytes = (depth as usize).saturating_mul(BYTES_PER_LEVEL).saturating_add(16 << 20);
    if bytes > LARGEST_STACK {
        return None;
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work).ok()?;
        match thread.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn natural(bits: &[i32]) -> BigUint {
    if bits.len() <= 64 {
        let value =
            bits.iter().enumerate().fold(0_u64, |value, (i, &bit)| value | (u64::from(bit != 0) << i));
        return BigUint::from(value);
    }
    let mut digits = vec![0_u32; bits.len().div_ceil(32)];
    for (i, &bit) in bits.iter().enumerate() {
        digits[i / 32] |= u32::from(bit != 0) << (i % 32);
    }
    BigUint::new(digits)
}

/// The part of GMP's interface that big rationals of a model need. GMP is linked by `yices2-sys`, whose bindings leave
/// out whatever has a GMP type.
mod gmp {
    use super::{BigInt, BigRational, BigUint, Sign, sys};

    /// `mpz_t`: the sign is that of `size`, which counts limbs.
    #[repr(C)]
    pub(super) struct Integer {
        allocated: i32,
        size: i32,
        limbs: *mut u64,
    }

    /// `mpq_t`
    #[repr(C)]
    pub(super) struct Rational {
        numerator: Integer,
        denominator: Integer,
    }

    unsafe extern "C" {
        pub(super) fn __gmpq_init(rational: *mut Rational);
        pub(super) fn __gmpq_clear(rational: *mut Rational);
        pub(super) fn yices_val_get_mpq(
            model: *mut sys::model_t,
            node: *const sys::yval_t,
            to: *mut Rational,
        ) -> i32;
    }

    impl Integer {
        fn to_integer(&self) -> BigInt {
            let length = self.size.unsigned_abs() as usize;
            let mut digits = Vec::with_capacity(2 * length);
            for i in 0..length {
                // SAFETY: GMP keeps `|size|` limbs of 64 bits behind the pointer.
                let limb = unsafe { *self.limbs.add(i) };
                digits.push((limb & 0xffff_ffff) as u32);
                digits.push((limb >> 32) as u32);
            }
            let sign = if self.size < 0 { Sign::Minus } else { Sign::Plus };
            BigInt::from_biguint(sign, BigUint::new(digits))
        }
    }

    impl Rational {
        pub(super) fn zero() -> Self {
            let zero = || Integer { allocated: 0, size: 0, limbs: std::ptr::null_mut() };
            Rational { numerator: zero(), denominator: zero() }
        }

        pub(super) fn to_rational(&self) -> BigRational {
            let denominator = self.denominator.to_integer();
            if denominator.sign() == Sign::NoSign {
                return BigRational::from_integer(BigInt::ZERO);
            }
            BigRational::new(self.numerator.to_integer(), denominator)
        }
    }
}
