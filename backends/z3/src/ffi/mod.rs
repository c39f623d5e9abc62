//! Bindings to the C library; all unsafe code of this crate.
//!
//! # Ownership
//! A [`Context`] uses reference counting: the library frees objects without a reference. There are
//! three kinds of handles:
//!
//! * A [`Node`], [`SortNode`] or [`Decl`] is a bare, `Copy` pointer. A result of a builder of
//!   [`Context`] is *pinned*: it is counted once and lives as long as its context. That suits
//!   translated terms, which are cached as long.
//! * An [`Owned`] is counted once and released when dropped. It is for answers, which are created
//!   and dropped by the million.
//! * A child of a live node is live as well, so the parts of an [`Owned`] may be inspected while it
//!   lives.
//!
//! # Threads
//! The library allows one thread at a time in one context, and any number of threads in different
//! contexts. All handles of one context are owned by one prover, which is not shared, but may move.
//! So handles are `Send`, and no two threads use the same context. Only [`Stopper::stop`] may be
//! called at any time.
//!
//! # Errors
//! No error handler is installed, so every failure is a null pointer or an error code, which
//! becomes a [`Reason`].

#![allow(unsafe_code, reason = "the only module that calls the C library")]

mod inspect;
mod solve;

pub(crate) use inspect::{Shape, SortShape};
pub(crate) use solve::{CheckStatus, Fixedpoint, Model, Solver, SolverKind};

use backends::Reason;
use num_bigint::BigUint;
use std::ffi::{CStr, CString, c_char};
use std::sync::{Arc, Mutex, Once, PoisonError};
use z3_sys as sys;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Node(sys::Z3_ast);
/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct SortNode(sys::Z3_sort);
/// A function symbol; constants are functions of arity 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Decl(sys::Z3_func_decl);

// SAFETY: see "Threads" in the module documentation; the same holds for the next ones.
unsafe impl Send for Node {}
// SAFETY: a shared handle can only be copied; using it needs the context.
unsafe impl Sync for Node {}
// SAFETY: as for `Node`.
unsafe impl Send for SortNode {}
// SAFETY: as for `Node`.
unsafe impl Sync for SortNode {}
// SAFETY: as for `Node`.
unsafe impl Send for Decl {}
// SAFETY: as for `Node`.
unsafe impl Sync for Decl {}

/// The library's context, deleted with the last object that needs it.
struct Handle {
    raw: sys::Z3_context,
    /// The references that are held until the end. They must be released before the context:
    /// deleting a context with referenced terms takes time quadratic in their depth.
    pinned: Mutex<Vec<Pinned>>,
}

struct Pinned(sys::Z3_ast);

// SAFETY: as for `Node`.
unsafe impl Send for Pinned {}

// SAFETY: see "Threads" in the module documentation.
unsafe impl Send for Handle {}
// SAFETY: a `Handle` is shared only between the objects of one prover, which are used by one thread
// at a time.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        let pinned = self.pinned.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: no object refers to the context any more, since all of them hold the handle. Each
        // pinned object was counted once.
        unsafe {
            while let Some(Pinned(ast)) = pinned.pop() {
                sys::Z3_dec_ref(self.raw, ast);
            }
            sys::Z3_del_context(self.raw);
        }
    }
}

/// Process-wide settings of the library, made once.
static SETTINGS: Once = Once::new();

/// A context of the library: terms and operations on them.
pub(crate) struct Context {
    handle: Arc<Handle>,
}

/// A counted term.
pub(crate) struct Owned {
    handle: Arc<Handle>,
    node: Node,
}

impl Owned {
    pub(crate) fn node(&self) -> Node {
        self.node
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: counted once when it was made; the context lives.
        unsafe { sys::Z3_dec_ref(self.handle.raw, self.node.0) }
    }
}

/// Interrupts the work in a context from another thread.
struct Stopper(sys::Z3_context);

// SAFETY: the only use is `stop`, which the library allows from any thread.
unsafe impl Send for Stopper {}

impl Stopper {
    /// Interrupts the current work of the context. The context must be alive.
    fn stop(&self) {
        // SAFETY: the watchdog forgets a job under its lock before the context can go, see
        // `backends::support::watchdog::Watch`.
        unsafe { sys::Z3_interrupt(self.0) }
    }
}

/// The version of the library.
pub(crate) fn version() -> String {
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: four places to write to.
    unsafe { sys::Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) }
    format!("{major}.{minor}.{build}")
}

macro_rules! builders {
    ($($name:ident = $function:ident ( $($argument:ident),* $(; $($number:ident),*)? );)*) => {
        $(pub(crate) fn $name(&self $(, $argument: Node)* $($(, $number: u32)*)?) -> Result<Node, Reason> {
            // SAFETY: live terms of this context; ill-sorted arguments are an error of the library.
            self.pin(unsafe { sys::$function(self.raw() $($(, $number)*)? $(, $argument.0)*) })
        })*
    };
}

macro_rules! list_builders {
    ($($name:ident = $function:ident;)*) => {
        $(pub(crate) fn $name(&self, arguments: &[Node]) -> Result<Node, Reason> {
            // SAFETY: a live slice of live terms of this context; a `Node` is a `Z3_ast`.
            self.pin(unsafe { sys::$function(self.raw(), length(arguments), arguments.as_ptr().cast()) })
        })*
    };
}

macro_rules! float_conversions {
    ($($name:ident = $function:ident;)*) => {
        $(pub(crate) fn $name(&self, mode: Node, term: Node, sort: SortNode) -> Result<Node, Reason> {
            // SAFETY: live terms and a live sort of this context.
            self.pin(unsafe { sys::$function(self.raw(), mode.0, term.0, sort.0) })
        })*
    };
}

impl Context {
    /// A new context.
    pub(crate) fn new() -> Result<Self, Reason> {
        SETTINGS.call_once(|| {
            // SAFETY: zero-terminated strings, before the first context; no other code sets
            // parameters. Flattening copies the operands of shared conjunctions and disjunctions
            // into each of their parents, which is exponential in the depth.
            unsafe { sys::Z3_global_param_set(c"rewriter.flat_and_or".as_ptr(), c"false".as_ptr()) }
        });
        // SAFETY: the configuration is used once and deleted; the context is owned by the handle.
        let context = unsafe {
            let configuration = sys::Z3_mk_config();
            let context = configuration.and_then(|it| sys::Z3_mk_context_rc(it));
            if let Some(configuration) = configuration {
                sys::Z3_del_config(configuration);
            }
            context
        };
        let context = context.ok_or(Reason::Memory)?;
        // SAFETY: a live context; no handler means that errors are codes.
        unsafe { sys::Z3_set_error_handler(context, None) }
        Ok(Context { handle: Arc::new(Handle { raw: context, pinned: Mutex::default() }) })
    }

    fn raw(&self) -> sys::Z3_context {
        self.handle.raw
    }

    /// Interrupts the work of the context. The context must not be used for anything else
    /// afterwards.
    pub(crate) fn stopper(&self) -> impl Fn() + Send + use<> {
        let stopper = Stopper(self.raw());
        move || stopper.stop()
    }

    /// Interrupts the current check of `solver`, and has no effect between checks. In contrast, the
    /// interrupt of [`stopper`](Self::stopper) stays pending after its operation: solvers of the
    /// context then silently skip work, and their answers are wrong.
    pub(crate) fn stopper_of_check(&self, solver: &Solver) -> impl Fn() + Send + use<> {
        let stopper = solver.stopper(self);
        move || stopper.stop()
    }

    /// The error of the last call.
    pub(crate) fn error(&self) -> Reason {
        self.failure().unwrap_or_else(|| Reason::Fault("a call failed without an error".to_owned()))
    }

    /// The error of the last call, if it failed.
    fn failure(&self) -> Option<Reason> {
        // SAFETY: a live context; the text lives until the next call.
        let (code, text) = unsafe {
            let code = sys::Z3_get_error_code(self.raw());
            (code, text(sys::Z3_get_error_msg(self.raw(), code)))
        };
        match code {
            sys::ErrorCode::Ok => None,
            sys::ErrorCode::MemoutFail => Some(Reason::Memory),
            _ if is_cancellation(&text) => Some(Reason::Interrupted),
            _ => Some(Reason::Fault(text)),
        }
    }

    /// Holds a reference to a term as long as the context lives.
    fn pin(&self, ast: Option<sys::Z3_ast>) -> Result<Node, Reason> {
        let ast = ast.ok_or_else(|| self.error())?;
        self.keep(ast);
        Ok(Node(ast))
    }

    /// Holds a reference to `ast`, which the library has just returned, until the end.
    fn keep(&self, ast: sys::Z3_ast) {
        // SAFETY: a live term, sort or declaration of this context; reference counting treats them
        // the same.
        unsafe { sys::Z3_inc_ref(self.raw(), ast) }
        self.handle.pinned.lock().unwrap_or_else(PoisonError::into_inner).push(Pinned(ast));
    }

    fn own(&self, ast: Option<sys::Z3_ast>) -> Result<Owned, Reason> {
        let ast = ast.ok_or_else(|| self.error())?;
        // SAFETY: a live term of this context.
        unsafe { sys::Z3_inc_ref(self.raw(), ast) }
        Ok(Owned { handle: self.handle.clone(), node: Node(ast) })
    }

    fn pin_sort(&self, sort: Option<sys::Z3_sort>) -> Result<SortNode, Reason> {
        let sort = sort.ok_or_else(|| self.error())?;
        self.keep(sort.cast());
        Ok(SortNode(sort))
    }

    fn pin_decl(&self, decl: Option<sys::Z3_func_decl>) -> Result<Decl, Reason> {
        let decl = decl.ok_or_else(|| self.error())?;
        self.keep(decl.cast());
        Ok(Decl(decl))
    }

    builders! {
        tru = Z3_mk_true();
        fls = Z3_mk_false();
        not = Z3_mk_not(a);
        xor = Z3_mk_xor(a, b);
        implies = Z3_mk_implies(a, b);
        ite = Z3_mk_ite(c, a, b);
        eq = Z3_mk_eq(a, b);
        bv_not = Z3_mk_bvnot(a);
        bv_neg = Z3_mk_bvneg(a);
        bv_and = Z3_mk_bvand(a, b);
        bv_or = Z3_mk_bvor(a, b);
        bv_xor = Z3_mk_bvxor(a, b);
        bv_add = Z3_mk_bvadd(a, b);
        bv_sub = Z3_mk_bvsub(a, b);
        bv_mul = Z3_mk_bvmul(a, b);
        bv_udiv = Z3_mk_bvudiv(a, b);
        bv_urem = Z3_mk_bvurem(a, b);
        bv_sdiv = Z3_mk_bvsdiv(a, b);
        bv_srem = Z3_mk_bvsrem(a, b);
        bv_shl = Z3_mk_bvshl(a, b);
        bv_lshr = Z3_mk_bvlshr(a, b);
        bv_ashr = Z3_mk_bvashr(a, b);
        bv_ult = Z3_mk_bvult(a, b);
        bv_ule = Z3_mk_bvule(a, b);
        bv_slt = Z3_mk_bvslt(a, b);
        bv_sle = Z3_mk_bvsle(a, b);
        bv_concat = Z3_mk_concat(a, b);
        bv_extract = Z3_mk_extract(a; high, low);
        zero_extend = Z3_mk_zero_ext(a; bits);
        sign_extend = Z3_mk_sign_ext(a; bits);
        neg = Z3_mk_unary_minus(a);
        int_div = Z3_mk_div(a, b);
        real_div = Z3_mk_div(a, b);
        int_mod = Z3_mk_mod(a, b);
        le = Z3_mk_le(a, b);
        lt = Z3_mk_lt(a, b);
        to_real = Z3_mk_int2real(a);
        to_int = Z3_mk_real2int(a);
        select = Z3_mk_select(a, i);
        store = Z3_mk_store(a, i, v);
        fp_abs = Z3_mk_fpa_abs(a);
        fp_neg = Z3_mk_fpa_neg(a);
        fp_add = Z3_mk_fpa_add(m, a, b);
        fp_sub = Z3_mk_fpa_sub(m, a, b);
        fp_mul = Z3_mk_fpa_mul(m, a, b);
        fp_div = Z3_mk_fpa_div(m, a, b);
        fp_fma = Z3_mk_fpa_fma(m, a, b, c);
        fp_sqrt = Z3_mk_fpa_sqrt(m, a);
        fp_rem = Z3_mk_fpa_rem(a, b);
        fp_round_to_integral = Z3_mk_fpa_round_to_integral(m, a);
        fp_min = Z3_mk_fpa_min(a, b);
        fp_max = Z3_mk_fpa_max(a, b);
        fp_le = Z3_mk_fpa_leq(a, b);
        fp_lt = Z3_mk_fpa_lt(a, b);
        fp_eq = Z3_mk_fpa_eq(a, b);
        fp_is_normal = Z3_mk_fpa_is_normal(a);
        fp_is_subnormal = Z3_mk_fpa_is_subnormal(a);
        fp_is_zero = Z3_mk_fpa_is_zero(a);
        fp_is_infinite = Z3_mk_fpa_is_infinite(a);
        fp_is_nan = Z3_mk_fpa_is_nan(a);
        fp_is_negative = Z3_mk_fpa_is_negative(a);
        fp_is_positive = Z3_mk_fpa_is_positive(a);
        fp_to_real = Z3_mk_fpa_to_real(a);
        fp_to_bits = Z3_mk_fpa_to_ieee_bv(a);
        nearest_even = Z3_mk_fpa_rne();
        nearest_away = Z3_mk_fpa_rna();
        toward_positive = Z3_mk_fpa_rtp();
        toward_negative = Z3_mk_fpa_rtn();
        toward_zero = Z3_mk_fpa_rtz();
    }

    list_builders! {
        and = Z3_mk_and;
        or = Z3_mk_or;
        sum = Z3_mk_add;
        difference = Z3_mk_sub;
        product = Z3_mk_mul;
    }

    float_conversions! {
        fp_from_float = Z3_mk_fpa_to_fp_float;
        fp_from_real = Z3_mk_fpa_to_fp_real;
        fp_from_signed = Z3_mk_fpa_to_fp_signed;
        fp_from_unsigned = Z3_mk_fpa_to_fp_unsigned;
    }

    pub(crate) fn fp_from_bits(&self, bits: Node, sort: SortNode) -> Result<Node, Reason> {
        // SAFETY: a live term and a live sort of this context.
        self.pin(unsafe { sys::Z3_mk_fpa_to_fp_bv(self.raw(), bits.0, sort.0) })
    }

    pub(crate) fn fp_to_unsigned(&self, mode: Node, a: Node, width: u32) -> Result<Node, Reason> {
        // SAFETY: live terms of this context.
        self.pin(unsafe { sys::Z3_mk_fpa_to_ubv(self.raw(), mode.0, a.0, width) })
    }

    pub(crate) fn fp_to_signed(&self, mode: Node, a: Node, width: u32) -> Result<Node, Reason> {
        // SAFETY: live terms of this context.
        self.pin(unsafe { sys::Z3_mk_fpa_to_sbv(self.raw(), mode.0, a.0, width) })
    }

    pub(crate) fn const_array(&self, index: SortNode, value: Node) -> Result<Node, Reason> {
        // SAFETY: a live sort and a live term of this context.
        self.pin(unsafe { sys::Z3_mk_const_array(self.raw(), index.0, value.0) })
    }

    /// The numeral of `sort`: an integer, real or bit-vector sort that contains the value.
    pub(crate) fn small_number(&self, value: i64, sort: SortNode) -> Result<Node, Reason> {
        // SAFETY: a live sort of this context.
        self.pin(unsafe { sys::Z3_mk_int64(self.raw(), value, sort.0) })
    }

    /// The numeral, given in decimal or as a fraction, of `sort`.
    pub(crate) fn number(&self, text: &str, sort: SortNode) -> Result<Node, Reason> {
        let text = CString::new(text).map_err(|error| Reason::Fault(error.to_string()))?;
        // SAFETY: a zero-terminated string that outlives the call, a live sort.
        self.pin(unsafe { sys::Z3_mk_numeral(self.raw(), text.as_ptr(), sort.0) })
    }

    /// The bit vector of `width` bits.
    pub(crate) fn bits(&self, width: u32, value: &BigUint) -> Result<Node, Reason> {
        let bits: Vec<bool> = (0..u64::from(width)).map(|index| value.bit(index)).collect();
        // SAFETY: `bits` has `width` elements.
        self.pin(unsafe { sys::Z3_mk_bv_numeral(self.raw(), width, bits.as_ptr()) })
    }

    /// `forall` or `exists` over constants.
    pub(crate) fn quantify(
        &self,
        quantifier: Quantifier,
        bound: &[Node],
        body: Node,
    ) -> Result<Node, Reason> {
        let is_forall = quantifier == Quantifier::Forall;
        // SAFETY: a live slice of constants, which are applications: for those `Z3_app` is
        // `Z3_ast`; no patterns.
        self.pin(unsafe {
            sys::Z3_mk_quantifier_const(
                self.raw(),
                is_forall,
                0,
                length(bound),
                bound.as_ptr().cast(),
                0,
                std::ptr::null(),
                body.0,
            )
        })
    }

    pub(crate) fn bool_sort(&self) -> Result<SortNode, Reason> {
        // SAFETY: a live context; the same for the next ones.
        self.pin_sort(unsafe { sys::Z3_mk_bool_sort(self.raw()) })
    }

    pub(crate) fn int_sort(&self) -> Result<SortNode, Reason> {
        // SAFETY: as above.
        self.pin_sort(unsafe { sys::Z3_mk_int_sort(self.raw()) })
    }

    pub(crate) fn real_sort(&self) -> Result<SortNode, Reason> {
        // SAFETY: as above.
        self.pin_sort(unsafe { sys::Z3_mk_real_sort(self.raw()) })
    }

    pub(crate) fn rounding_mode_sort(&self) -> Result<SortNode, Reason> {
        // SAFETY: as above.
        self.pin_sort(unsafe { sys::Z3_mk_fpa_rounding_mode_sort(self.raw()) })
    }

    pub(crate) fn bv_sort(&self, width: u32) -> Result<SortNode, Reason> {
        // SAFETY: as above.
        self.pin_sort(unsafe { sys::Z3_mk_bv_sort(self.raw(), width) })
    }

    pub(crate) fn float_sort(&self, exponent: u16, significand: u16) -> Result<SortNode, Reason> {
        // SAFETY: as above.
        self.pin_sort(unsafe { sys::Z3_mk_fpa_sort(self.raw(), exponent.into(), significand.into()) })
    }

    pub(crate) fn array_sort(&self, index: SortNode, element: SortNode) -> Result<SortNode, Reason> {
        // SAFETY: live sorts of this context.
        self.pin_sort(unsafe { sys::Z3_mk_array_sort(self.raw(), index.0, element.0) })
    }

    pub(crate) fn uninterpreted_sort(&self, number: u32) -> Result<SortNode, Reason> {
        let name = self.numbered(number)?;
        // SAFETY: a name of this context.
        self.pin_sort(unsafe { sys::Z3_mk_uninterpreted_sort(self.raw(), name) })
    }

    /// A function symbol whose name is a number; it never collides with names that the library
    /// generates.
    pub(crate) fn numbered_decl(
        &self,
        number: u32,
        domain: &[SortNode],
        range: SortNode,
    ) -> Result<Decl, Reason> {
        let name = self.numbered(number)?;
        self.decl(name, domain, range)
    }

    /// A function symbol named `name`.
    pub(crate) fn named_decl(
        &self,
        name: &str,
        domain: &[SortNode],
        range: SortNode,
    ) -> Result<Decl, Reason> {
        let text = CString::new(name).map_err(|error| Reason::Fault(error.to_string()))?;
        // SAFETY: a zero-terminated string that outlives the call.
        let name = unsafe { sys::Z3_mk_string_symbol(self.raw(), text.as_ptr()) };
        self.decl(name.ok_or_else(|| self.error())?, domain, range)
    }

    fn decl(&self, name: sys::Z3_symbol, domain: &[SortNode], range: SortNode) -> Result<Decl, Reason> {
        let (length, pointer) = (length(domain), domain.as_ptr().cast());
        // SAFETY: a live slice of live sorts; a `SortNode` is a `Z3_sort`.
        self.pin_decl(unsafe { sys::Z3_mk_func_decl(self.raw(), name, length, pointer, range.0) })
    }

    fn numbered(&self, number: u32) -> Result<sys::Z3_symbol, Reason> {
        let number = i32::try_from(number).map_err(|_| Reason::Unsupported("2^31 symbols".to_owned()))?;
        // SAFETY: a live context.
        unsafe { sys::Z3_mk_int_symbol(self.raw(), number) }.ok_or_else(|| self.error())
    }

    pub(crate) fn apply(&self, decl: Decl, arguments: &[Node]) -> Result<Node, Reason> {
        let (length, pointer) = (length(arguments), arguments.as_ptr().cast());
        // SAFETY: a live slice of live terms; a `Node` is a `Z3_ast`.
        self.pin(unsafe { sys::Z3_mk_app(self.raw(), decl.0, length, pointer) })
    }

    /// A fresh Boolean constant.
    pub(crate) fn fresh_bool(&self) -> Result<Node, Reason> {
        let sort = self.bool_sort()?;
        // SAFETY: a zero-terminated prefix, a live sort.
        self.pin(unsafe { sys::Z3_mk_fresh_const(self.raw(), c"assumption".as_ptr(), sort.0) })
    }

    /// An equivalent, simplified term.
    pub(crate) fn simplify(&self, node: Node) -> Result<Owned, Reason> {
        // SAFETY: a live term.
        self.own(unsafe { sys::Z3_simplify(self.raw(), node.0) })
    }

    /// `node` with its free bound variables 0, 1, … replaced.
    pub(crate) fn instantiate(&self, node: Node, images: &[Node]) -> Result<Owned, Reason> {
        let (length, pointer) = (length(images), images.as_ptr().cast());
        // SAFETY: a live term and a live slice of live terms.
        self.own(unsafe { sys::Z3_substitute_vars(self.raw(), node.0, length, pointer) })
    }

    /// The IEEE bits of a float other than NaN, as a bit-vector numeral.
    pub(crate) fn float_bits(&self, node: Node) -> Result<Owned, Reason> {
        // SAFETY: a live term.
        let bits = self.own(unsafe { sys::Z3_mk_fpa_to_ieee_bv(self.raw(), node.0) })?;
        self.simplify(bits.node())
    }
}

/// The kind of a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    Forall,
    Exists,
}

/// Whether a message of the library reports an interrupt.
pub(crate) fn is_cancellation(message: &str) -> bool {
    ["cancel", "timeout", "interrupt"].iter().any(|word| message.contains(word))
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("a term has fewer than 2^32 children")
}

/// Copies a string of the library.
///
/// # Safety
/// `pointer` is null or points to a zero-terminated string that lives during the call.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}
