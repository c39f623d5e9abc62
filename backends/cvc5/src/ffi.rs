//! The only module that calls the library.
//!
//! * **Errors.** Since 1.4.0 the C API catches every exception, stores its text per thread and
//!   returns a null handle or a default; [`error`] fetches the text. (Older versions end the
//!   process.) The process still ends on assertions that only debug builds have, when it runs out
//!   of memory or stack, and on segmentation faults.
//! * **References.** Every call that returns a term or sort adds a reference to it. A [`Node`] is a
//!   handle that lives as long as its [`Manager`]; an [`Owned`] releases its reference when
//!   dropped. The manager frees all remaining objects at once.
//! * **Invariant.** A `Node`, `Type` or `Operator` is used only with the manager that created it,
//!   while that lives. The crate stores them together with an `Rc` of their manager.
//! * **Threads.** A manager with its solvers has no thread-bound state except the text of the last
//!   error and the buffers of calls that return lists; both are read directly after the call.
//!   Different threads may use different managers, except that polynomials (libpoly) are global:
//!   see [`lock_polynomials`].

#![allow(unsafe_code)]

use backends::Reason;
use cvc5_sys as sys;
pub(crate) use cvc5_sys::{Kind, RoundingMode as RawMode};
use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(NonNull<sys::cvc5_term_t>);

/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Type(NonNull<sys::cvc5_sort_t>);

/// An indexed operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Operator(NonNull<sys::cvc5_op_t>);

/// A term that releases its reference when dropped.
pub(crate) struct Owned<'m> {
    node: Node,
    manager: PhantomData<&'m Manager>,
}

impl Owned<'_> {
    /// The term, valid while `self` lives.
    pub(crate) fn node(&self) -> Node {
        self.node
    }

    /// Keeps the reference until the manager is dropped.
    pub(crate) fn keep(self) -> Node {
        ManuallyDrop::new(self).node
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // SAFETY: the manager lives ('m), and this value owns one reference.
        unsafe { sys::term_release(self.node.0.as_ptr()) }
    }
}

/// The text of the last error of this thread.
fn message() -> Option<String> {
    // SAFETY: no arguments; the text is valid until the next call of this thread, and copied here.
    unsafe { sys::has_error().then(|| text(sys::get_error_message())) }
}

/// The reason why the last call failed.
fn error() -> Reason {
    let message = message().unwrap_or_else(|| "a call returned nothing".to_owned());
    let is_unsupported = ["upport", "logic", "not allowed", "annot handle", "not implemented"];
    if is_unsupported.iter().any(|word| message.contains(word)) {
        Reason::Unsupported(message)
    } else {
        Reason::Fault(message)
    }
}

fn checked() -> Result<(), Reason> {
    match message() {
        None => Ok(()),
        Some(_) => Err(error()),
    }
}

/// # Safety
/// `pointer` is null or a string that lives during the call.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: by the contract of this function.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).expect("zero bytes were replaced")
}

fn node(raw: sys::Term) -> Result<Node, Reason> {
    NonNull::new(raw).map(Node).ok_or_else(error)
}

fn ty(raw: sys::Sort) -> Result<Type, Reason> {
    NonNull::new(raw).map(Type).ok_or_else(error)
}

/// The version of the library.
pub(crate) fn version() -> String {
    let Ok(engine) = Manager::new().and_then(|manager| Engine::new(&Rc::new(manager))) else {
        return "unknown".to_owned();
    };
    // SAFETY: the solver lives; the text is copied.
    let version = unsafe { text(sys::get_version(engine.raw.as_ptr())) };
    version.split_whitespace().next().unwrap_or("unknown").to_owned()
}

/// Owner of terms and sorts.
pub(crate) struct Manager(NonNull<sys::TermManager>);

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: no handle is used afterwards: engines hold an `Rc` of the manager, and handles
        // are stored beside one.
        unsafe {
            sys::term_manager_release(self.0.as_ptr());
            sys::term_manager_delete(self.0.as_ptr());
        }
    }
}

/// Calls that create a term.
macro_rules! make {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty => $raw:expr),*) = $call:ident;)*) => {
        $(
            $(#[$doc])*
            pub(crate) fn $name(&self, $($argument: $type),*) -> Result<Node, Reason> {
                // SAFETY: the manager lives, and so do the arguments, which belong to it.
                node(unsafe { sys::$call(self.0.as_ptr(), $($raw),*) })
            }
        )*
    };
}

/// Calls that create a sort.
macro_rules! make_sort {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty => $raw:expr),*) = $call:ident;)*) => {
        $(
            $(#[$doc])*
            pub(crate) fn $name(&self, $($argument: $type),*) -> Result<Type, Reason> {
                // SAFETY: the manager lives, and so do the arguments, which belong to it.
                ty(unsafe { sys::$call(self.0.as_ptr(), $($raw),*) })
            }
        )*
    };
}

/// The list in the form of the API: `Node` and `Type` are pointers.
fn raw_nodes(nodes: &[Node]) -> *const sys::Term {
    const { assert!(size_of::<Node>() == size_of::<sys::Term>()) };
    nodes.as_ptr().cast()
}

fn raw_types(types: &[Type]) -> *const sys::Sort {
    const { assert!(size_of::<Type>() == size_of::<sys::Sort>()) };
    types.as_ptr().cast()
}

impl Manager {
    pub(crate) fn new() -> Result<Self, Reason> {
        // SAFETY: no arguments.
        NonNull::new(unsafe { sys::term_manager_new() }).map(Manager).ok_or_else(error)
    }

    make_sort! {
        boolean() = get_boolean_sort;
        integer() = get_integer_sort;
        real() = get_real_sort;
        mode_sort() = get_rm_sort;
        bit_vector(width: u32 => width) = mk_bv_sort;
        float(exponent: u32 => exponent, significand: u32 => significand) = mk_fp_sort;
        array(index: Type => index.0.as_ptr(), element: Type => element.0.as_ptr()) = mk_array_sort;
        uninterpreted(name: &str => c_string(name).as_ptr()) = mk_uninterpreted_sort;
    }

    /// The sort of functions.
    pub(crate) fn function(&self, domain: &[Type], range: Type) -> Result<Type, Reason> {
        let range = range.0.as_ptr();
        // SAFETY: the manager lives, and so do the sorts, which belong to it.
        ty(unsafe { sys::mk_fun_sort(self.0.as_ptr(), domain.len(), raw_types(domain), range) })
    }

    make! {
        truth(value: bool => value) = mk_boolean;
        constant(sort: Type => sort.0.as_ptr(), name: &str => c_string(name).as_ptr()) = mk_const;
        variable(sort: Type => sort.0.as_ptr(), name: &str => c_string(name).as_ptr()) = mk_var;
        int(value: i64 => value) = mk_integer_int64;
        big_int(decimal: &str => c_string(decimal).as_ptr()) = mk_integer;
        rational(fraction: &str => c_string(fraction).as_ptr()) = mk_real;
        bits(width: u32 => width, value: u64 => value) = mk_bv_uint64;
        big_bits(width: u32 => width, hexadecimal: &str => c_string(hexadecimal).as_ptr(), base: u32 => base) = mk_bv;
        mode(mode: RawMode => mode) = mk_rm;
        float_value(exponent: u32 => exponent, significand: u32 => significand, bits: Node => bits.0.as_ptr()) = mk_fp;
        const_array(sort: Type => sort.0.as_ptr(), value: Node => value.0.as_ptr()) = mk_const_array;
    }

    /// The application of an operator without indices.
    pub(crate) fn apply(&self, kind: Kind, children: &[Node]) -> Result<Node, Reason> {
        // SAFETY: the children belong to this manager, which lives.
        node(unsafe { sys::mk_term(self.0.as_ptr(), kind, children.len(), raw_nodes(children)) })
    }

    /// The application of an indexed operator.
    pub(crate) fn apply_indexed(&self, operator: Operator, children: &[Node]) -> Result<Node, Reason> {
        let operator = operator.0.as_ptr();
        // SAFETY: operator and children belong to this manager, which lives.
        node(unsafe { sys::mk_term_from_op(self.0.as_ptr(), operator, children.len(), raw_nodes(children)) })
    }

    /// An indexed operator.
    pub(crate) fn operator(&self, kind: Kind, indices: &[u32]) -> Result<Operator, Reason> {
        // SAFETY: the manager lives, the list has the given length.
        let raw = unsafe { sys::mk_op(self.0.as_ptr(), kind, indices.len(), indices.as_ptr()) };
        NonNull::new(raw).map(Operator).ok_or_else(error)
    }

    fn own(&self, raw: sys::Term) -> Result<Owned<'_>, Reason> {
        node(raw).map(|node| Owned { node, manager: PhantomData })
    }

    /// Adds a reference to `of`.
    pub(crate) fn copy(&self, of: Node) -> Owned<'_> {
        // SAFETY: the term lives with its manager.
        unsafe { sys::term_copy(of.0.as_ptr()) };
        Owned { node: of, manager: PhantomData }
    }

    pub(crate) fn kind(&self, of: Node) -> Kind {
        // SAFETY: the term lives with its manager. Kinds outside of the enumeration are reported as
        // `InternalKind`.
        unsafe { sys::term_get_kind(of.0.as_ptr()) }
    }

    pub(crate) fn arity(&self, of: Node) -> usize {
        // SAFETY: the term lives with its manager.
        unsafe { sys::term_get_num_children(of.0.as_ptr()) }
    }

    pub(crate) fn child(&self, of: Node, index: usize) -> Result<Owned<'_>, Reason> {
        // SAFETY: the term lives with its manager; the index is checked by the library.
        self.own(unsafe { sys::term_get_child(of.0.as_ptr(), index) })
    }

    /// The indices of the operator of an application.
    pub(crate) fn indices(&self, of: Node) -> Result<Vec<u32>, Reason> {
        // SAFETY: the term lives with its manager; the operator obtained here is released here.
        unsafe {
            let operator = sys::term_get_op(of.0.as_ptr());
            if operator.is_null() {
                return Err(error());
            }
            let count = sys::op_get_num_indices(operator);
            let indices = (0..count)
                .map(|index| {
                    let index = self.own(sys::op_get_index(operator, index))?;
                    let value = sys::term_get_uint32_value(index.node.0.as_ptr());
                    checked().map(|()| value)
                })
                .collect();
            sys::op_release(operator);
            indices
        }
    }

    /// `of` with `from[i]` replaced by `to[i]`.
    pub(crate) fn substitute(&self, of: Node, from: &[Node], to: &[Node]) -> Result<Node, Reason> {
        if from.is_empty() {
            return Ok(of);
        }
        assert!(from.len() == to.len(), "a substitution must pair terms");
        // SAFETY: all terms belong to this manager; both lists have the given length.
        node(unsafe { sys::term_substitute_terms(of.0.as_ptr(), from.len(), raw_nodes(from), raw_nodes(to)) })
    }

    pub(crate) fn boolean_value(&self, of: Node) -> Option<bool> {
        // SAFETY: the term lives with its manager; only a constant is queried for its value.
        unsafe {
            sys::term_is_boolean_value(of.0.as_ptr()).then(|| sys::term_get_boolean_value(of.0.as_ptr()))
        }
    }

    /// An integer constant in decimal.
    pub(crate) fn integer_value(&self, of: Node) -> Option<String> {
        // SAFETY: as above; the text is copied.
        unsafe {
            sys::term_is_integer_value(of.0.as_ptr())
                .then(|| text(sys::term_get_integer_value(of.0.as_ptr())))
        }
    }

    /// A real constant as a fraction in decimal.
    pub(crate) fn real_value(&self, of: Node) -> Option<String> {
        // SAFETY: as above; the text is copied.
        unsafe {
            sys::term_is_real_value(of.0.as_ptr()).then(|| text(sys::term_get_real_value(of.0.as_ptr())))
        }
    }

    /// Whether a value is an irrational algebraic number.
    pub(crate) fn is_algebraic(&self, of: Node) -> bool {
        // SAFETY: the term lives with its manager.
        unsafe { sys::term_is_real_algebraic_number(of.0.as_ptr()) }
    }

    /// A bit-vector constant in hexadecimal.
    pub(crate) fn bit_vector_value(&self, of: Node) -> Option<String> {
        // SAFETY: as above; the text is copied.
        unsafe {
            sys::term_is_bv_value(of.0.as_ptr()).then(|| text(sys::term_get_bv_value(of.0.as_ptr(), 16)))
        }
    }

    pub(crate) fn mode_value(&self, of: Node) -> Option<RawMode> {
        // SAFETY: as above.
        unsafe { sys::term_is_rm_value(of.0.as_ptr()).then(|| sys::term_get_rm_value(of.0.as_ptr())) }
    }

    /// The widths of exponent and significand of a float constant, and its pattern in hexadecimal.
    pub(crate) fn float_value_of(&self, of: Node) -> Option<(u32, u32, String)> {
        let (mut exponent, mut significand, mut bits) = (0, 0, std::ptr::null_mut());
        // SAFETY: the term lives with its manager; the three places outlive the call.
        unsafe {
            if !sys::term_is_fp_value(of.0.as_ptr()) {
                return None;
            }
            sys::term_get_fp_value(of.0.as_ptr(), &raw mut exponent, &raw mut significand, &raw mut bits);
        }
        let bits = self.own(bits).ok()?;
        Some((exponent, significand, self.bit_vector_value(bits.node())?))
    }

    /// The name of an element of an uninterpreted sort.
    pub(crate) fn element_value(&self, of: Node) -> Option<String> {
        // SAFETY: as above; the text is copied.
        unsafe {
            sys::term_is_uninterpreted_sort_value(of.0.as_ptr())
                .then(|| text(sys::term_get_uninterpreted_sort_value(of.0.as_ptr())))
        }
    }

    /// The element of a constant array.
    pub(crate) fn const_array_base(&self, of: Node) -> Option<Owned<'_>> {
        // SAFETY: as above.
        unsafe {
            sys::term_is_const_array(of.0.as_ptr())
                .then(|| self.own(sys::term_get_const_array_base(of.0.as_ptr())).ok())
                .flatten()
        }
    }

    /// The term as text, for messages.
    pub(crate) fn show(&self, of: Node) -> String {
        // SAFETY: the term lives with its manager; the text is copied.
        let shown = unsafe { text(sys::term_to_string(of.0.as_ptr())) };
        shown.chars().take(200).collect()
    }

    /// The width of a bit vector.
    pub(crate) fn width(&self, of: Node) -> Result<u32, Reason> {
        // SAFETY: the term lives with its manager; the sort is released here.
        unsafe {
            let sort = ty(sys::term_get_sort(of.0.as_ptr()))?.0.as_ptr();
            let width = sys::sort_bv_get_size(sort);
            let width = checked().map(|()| width);
            sys::sort_release(sort);
            width
        }
    }
}

/// The answer of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Sat,
    Unsat,
}

/// A solver.
pub(crate) struct Engine {
    raw: NonNull<sys::Solver>,
    manager: Rc<Manager>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the solver was made by `new` and is deleted once; its manager still lives.
        unsafe { sys::delete(self.raw.as_ptr()) }
    }
}

impl Engine {
    pub(crate) fn new(manager: &Rc<Manager>) -> Result<Self, Reason> {
        // SAFETY: the manager lives, and `Engine` keeps it alive.
        let raw = NonNull::new(unsafe { sys::new(manager.0.as_ptr()) }).ok_or_else(error)?;
        Ok(Engine { raw, manager: Rc::clone(manager) })
    }

    pub(crate) fn set_option(&self, name: &str, value: &str) -> Result<(), Reason> {
        let (name, value) = (c_string(name), c_string(value));
        // SAFETY: the solver lives, the strings outlive the call.
        unsafe { sys::set_option(self.raw.as_ptr(), name.as_ptr(), value.as_ptr()) };
        checked()
    }

    pub(crate) fn set_logic(&self, logic: &str) -> Result<(), Reason> {
        let logic = c_string(logic);
        // SAFETY: the solver lives, the string outlives the call.
        unsafe { sys::set_logic(self.raw.as_ptr(), logic.as_ptr()) };
        checked()
    }

    pub(crate) fn push(&self) -> Result<(), Reason> {
        // SAFETY: the solver lives.
        unsafe { sys::push(self.raw.as_ptr(), 1) };
        checked()
    }

    pub(crate) fn pop(&self) -> Result<(), Reason> {
        // SAFETY: the solver lives.
        unsafe { sys::pop(self.raw.as_ptr(), 1) };
        checked()
    }

    pub(crate) fn assert(&self, formula: Node) -> Result<(), Reason> {
        // SAFETY: the solver and its manager live, the formula belongs to the manager.
        unsafe { sys::assert_formula(self.raw.as_ptr(), formula.0.as_ptr()) };
        checked()
    }

    pub(crate) fn check(&self, assumptions: &[Node]) -> Result<Answer, Reason> {
        // SAFETY: the solver and its manager live, the assumptions belong to the manager. The
        // result is released here.
        unsafe {
            let result = if assumptions.is_empty() {
                sys::check_sat(self.raw.as_ptr())
            } else {
                sys::check_sat_assuming(self.raw.as_ptr(), assumptions.len(), raw_nodes(assumptions))
            };
            if result.is_null() {
                return Err(error());
            }
            let answer = if sys::result_is_sat(result) {
                Ok(Answer::Sat)
            } else if sys::result_is_unsat(result) {
                Ok(Answer::Unsat)
            } else {
                Err(explain(sys::result_get_unknown_explanation(result)))
            };
            sys::result_release(result);
            answer
        }
    }

    /// The assumptions in the core of the last check.
    pub(crate) fn unsat_assumptions(&self) -> Result<Vec<Node>, Reason> {
        let mut size = 0;
        // SAFETY: the solver lives; the list is valid until the next such call of this thread, and
        // copied here. Each entry carries a reference, which stays with the manager.
        unsafe {
            let list = sys::get_unsat_assumptions(self.raw.as_ptr(), &raw mut size);
            checked()?;
            (0..size).map(|index| node(*list.add(index))).collect()
        }
    }

    /// The value of `term` in the model of the last check.
    pub(crate) fn value(&self, term: Node) -> Result<Owned<'_>, Reason> {
        // SAFETY: the solver and its manager live, the term belongs to the manager.
        self.manager.own(unsafe { sys::get_value(self.raw.as_ptr(), term.0.as_ptr()) })
    }

    /// The values of several terms.
    pub(crate) fn values(&self, terms: &[Node]) -> Result<Vec<Owned<'_>>, Reason> {
        let mut size = 0;
        // SAFETY: the solver and its manager live, the terms belong to the manager. The list is
        // copied before the next call.
        unsafe {
            let list = sys::get_values(self.raw.as_ptr(), terms.len(), raw_nodes(terms), &raw mut size);
            checked()?;
            let values: Result<Vec<_>, _> =
                (0..size).map(|index| self.manager.own(*list.add(index))).collect();
            match values {
                Ok(values) if values.len() == terms.len() => Ok(values),
                Ok(_) => Err(Reason::Fault("the library returned too few values".to_owned())),
                Err(reason) => Err(reason),
            }
        }
    }

    /// A quantifier-free formula equivalent to `quantified`.
    pub(crate) fn eliminate(&self, quantified: Node) -> Result<Node, Reason> {
        // SAFETY: the solver and its manager live, the formula belongs to the manager.
        node(unsafe { sys::get_quantifier_elimination(self.raw.as_ptr(), quantified.0.as_ptr()) })
    }

    /// A formula over shared symbols that follows from the assertions and implies `conjecture`;
    /// `None` if the search ended without one.
    pub(crate) fn interpolant(&self, conjecture: Node) -> Result<Option<Node>, Reason> {
        // SAFETY: the solver and its manager live, the formula belongs to the manager.
        let raw = unsafe { sys::get_interpolant(self.raw.as_ptr(), conjecture.0.as_ptr()) };
        checked()?;
        Ok(NonNull::new(raw).map(Node))
    }
}

fn explain(why: sys::UnknownExplanation) -> Reason {
    use sys::UnknownExplanation as Why;
    match why {
        Why::Timeout | Why::Resourceout => Reason::Timeout,
        Why::Memout => Reason::Memory,
        Why::Interrupted => Reason::Interrupted,
        Why::Unsupported => Reason::Unsupported("a construct in the query".to_owned()),
        Why::Incomplete => Reason::Incomplete("incomplete".to_owned()),
        other => Reason::Incomplete(format!("{other:?}")),
    }
}

/// Locks computations with polynomials: libpoly has one context for the whole process.
pub(crate) fn lock_polynomials() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Moved<T>(T);

// SAFETY: `on_stack` moves the value to a thread and back while the only other thread with access
// waits.
unsafe impl<T> Send for Moved<T> {}

impl<T> Moved<T> {
    fn take(self) -> T {
        self.0
    }
}

/// Runs `work`, which makes the library recurse to `depth`, on a stack that is large enough; `None`
/// if the stack cannot be allocated.
pub(crate) fn on_stack<R>(depth: u32, work: impl FnOnce() -> R) -> Option<R> {
    let work = Moved(work);
    backends::support::on_stack(depth, move || Moved(work.take()())).map(Moved::take)
}
