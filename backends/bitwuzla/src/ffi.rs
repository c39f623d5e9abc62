//! The only module that calls the library.
//!
//! The library is the one that Bitwuzla's authors publish for Python, behind the C interface of
//! `shim/bitwuzla.cpp`. It is loaded at the first use, and not linked: libraries that are linked
//! share one space of names, and cvc5 contains another version of the SAT solver CaDiCaL under the
//! same names. A library that is loaded with `RTLD_DEEPBIND` refers to its own.
//!
//! * **Errors.** The shim catches every exception; a failed call returns 0.
//! * **Terms** are numbers of a [`Session`], which frees all of them when it is dropped. A number
//!   of another session is an error or another term, never undefined behavior.
//! * **Threads.** Sessions share nothing, so different threads may use different sessions.

#![allow(unsafe_code, reason = "the only module that calls the library")]

use backends::Reason;
use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use rustc_hash::FxHashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The version for which the shim declares the interface.
pub(crate) const VERSION: &str = "0.10.0";
/// The name of the shim, which the loader finds on the search path of the binary.
const FILE: &str = "libhornwork-bitwuzla.so";
/// Resolve the names of a library in the library itself before others.
const RTLD_DEEPBIND: c_int = 8;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Node(u32);

/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Type(u32);

/// The sort of a term of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeOf {
    Boolean,
    Bits(u64),
    Float(u64, u64),
    Mode,
    Other,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Sat,
    Unsat,
    Unknown,
}

#[repr(C)]
struct RawSession {
    _private: [u8; 0],
}

#[repr(C)]
struct RawSolver {
    _private: [u8; 0],
}

type Stop = unsafe extern "C" fn(*const c_void) -> bool;

macro_rules! library {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the shim.
        struct Api {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Keeps the functions loaded.
            _library: Library,
        }

        impl Api {
            fn of(library: Library) -> Result<Self, libloading::Error> {
                Ok(Api {
                    // SAFETY: the types are those of the declarations in `shim/bitwuzla.cpp`, and
                    // the library lives as long as the functions.
                    $($name: unsafe { *library.get(concat!(stringify!($name), "\0").as_bytes())? },)*
                    _library: library,
                })
            }
        }
    };
}

library! {
    hb_version: fn() -> *const c_char;
    hb_error: fn(*mut c_int) -> *const c_char;
    hb_kind: fn(*const c_char) -> i64;
    hb_session: fn() -> *mut RawSession;
    hb_session_free: fn(*mut RawSession);
    hb_sort_bool: fn(*mut RawSession) -> u32;
    hb_sort_mode: fn(*mut RawSession) -> u32;
    hb_sort_bits: fn(*mut RawSession, u64) -> u32;
    hb_sort_float: fn(*mut RawSession, u64, u64) -> u32;
    hb_sort_array: fn(*mut RawSession, u32, u32) -> u32;
    hb_sort_function: fn(*mut RawSession, *const u32, usize, u32) -> u32;
    hb_truth: fn(*mut RawSession, c_int) -> u32;
    hb_bits: fn(*mut RawSession, u32, u64) -> u32;
    hb_big_bits: fn(*mut RawSession, u32, *const c_char) -> u32;
    hb_float: fn(*mut RawSession, u32, u32, u32) -> u32;
    hb_float_of_rational: fn(*mut RawSession, u32, u32, *const c_char, *const c_char) -> u32;
    hb_mode: fn(*mut RawSession, c_int) -> u32;
    hb_const_array: fn(*mut RawSession, u32, u32) -> u32;
    hb_constant: fn(*mut RawSession, u32, *const c_char) -> u32;
    hb_variable: fn(*mut RawSession, u32, *const c_char) -> u32;
    hb_term: fn(*mut RawSession, c_int, *const u32, usize, *const u64, usize) -> u32;
    hb_mark: fn(*mut RawSession) -> u32;
    hb_release: fn(*mut RawSession, u32);
    hb_id: fn(*mut RawSession, u32) -> u64;
    hb_kind_of: fn(*mut RawSession, u32) -> c_int;
    hb_arity: fn(*mut RawSession, u32) -> usize;
    hb_child: fn(*mut RawSession, u32, usize) -> u32;
    hb_indices: fn(*mut RawSession, u32, *mut u64, usize) -> usize;
    hb_sort_of: fn(*mut RawSession, u32, *mut u64) -> c_int;
    hb_value_text: fn(*mut RawSession, u32) -> *const c_char;
    hb_show: fn(*mut RawSession, u32) -> *const c_char;
    hb_solver: fn(*mut RawSession, *const *const c_char, usize, Stop, *const c_void) -> *mut RawSolver;
    hb_solver_free: fn(*mut RawSolver);
    hb_push: fn(*mut RawSolver) -> c_int;
    hb_pop: fn(*mut RawSolver) -> c_int;
    hb_assert: fn(*mut RawSolver, u32) -> c_int;
    hb_check: fn(*mut RawSolver, *const u32, usize) -> c_int;
    hb_value: fn(*mut RawSolver, u32) -> u32;
    hb_core: fn(*mut RawSolver, *mut u64, usize) -> usize;
    hb_interpolants: fn(*mut RawSolver, *const u32, usize, *mut u32) -> c_int;
}

/// The library, loaded at the first call.
///
/// # Errors
/// [`Reason::Unsupported`] if it cannot be loaded or has another version.
fn api() -> Result<&'static Api, Reason> {
    static API: OnceLock<Result<Api, String>> = OnceLock::new();
    let loaded = API.get_or_init(|| {
        // SAFETY: the initializers of the library only create its constants.
        let library = unsafe { Library::open(Some(FILE), RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND) };
        let api = library.and_then(Api::of).map_err(|error| error.to_string())?;
        // SAFETY: no arguments; the version is a constant of the library.
        let version = unsafe { text((api.hb_version)()) };
        if version == VERSION { Ok(api) } else { Err(format!("version {version} in place of {VERSION}")) }
    });
    loaded.as_ref().map_err(|error| Reason::Unsupported(format!("cannot load Bitwuzla: {error}")))
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

/// Kinds of terms, by number; the names are those of the library.
pub(crate) struct Kinds {
    numbers: FxHashMap<&'static str, c_int>,
    names: FxHashMap<c_int, &'static str>,
}

impl Kinds {
    /// Looks up the numbers of `names`.
    pub(crate) fn of(names: impl Iterator<Item = &'static str>) -> Result<Self, Reason> {
        let api = api()?;
        let mut kinds = Kinds { numbers: FxHashMap::default(), names: FxHashMap::default() };
        for name in names {
            let string = c_string(name);
            // SAFETY: a zero-terminated string that outlives the call.
            let number = unsafe { (api.hb_kind)(string.as_ptr()) };
            let number = c_int::try_from(number).ok().filter(|&number| number >= 0);
            let number = number.ok_or_else(|| Reason::Unsupported(format!("Bitwuzla has no kind {name}")))?;
            kinds.numbers.insert(name, number);
            kinds.names.insert(number, name);
        }
        Ok(kinds)
    }

    /// The number of a kind that was looked up.
    pub(crate) fn number(&self, name: &str) -> Option<c_int> {
        self.numbers.get(name).copied()
    }

    /// The name of a kind that was looked up.
    pub(crate) fn name(&self, number: c_int) -> Option<&'static str> {
        self.names.get(&number).copied()
    }
}

/// Terms and sorts.
pub(crate) struct Session {
    api: &'static Api,
    raw: NonNull<RawSession>,
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is live; its solvers hold an `Rc` of it.
        unsafe { (self.api.hb_session_free)(self.raw.as_ptr()) }
    }
}

macro_rules! calls {
    ($($name:ident = $function:ident($($argument:ident: $ty:ty => $passed:expr),*) -> $result:ident;)*) => {
        $(pub(crate) fn $name(&self $(, $argument: $ty)*) -> Result<$result, Reason> {
            // SAFETY: the session is live; the other arguments are numbers, and strings and slices
            // that outlive the call.
            match unsafe { (self.api.$function)(self.raw.as_ptr() $(, $passed)*) } {
                0 => Err(error(self.api)),
                number => Ok($result(number)),
            }
        })*
    };
}

/// The reason why the last call failed.
fn error(api: &Api) -> Reason {
    let mut kind = 0;
    // SAFETY: the text is valid until the next call of this thread, and copied here.
    let text = unsafe { text((api.hb_error)(&raw mut kind)) };
    match kind {
        2 => Reason::Memory,
        _ if ["upport", "xperimental"].iter().any(|word| text.contains(word)) => Reason::Unsupported(text),
        _ => Reason::Fault(text),
    }
}

impl Session {
    pub(crate) fn new() -> Result<Self, Reason> {
        let api = api()?;
        // SAFETY: no arguments.
        let raw = NonNull::new(unsafe { (api.hb_session)() }).ok_or_else(|| error(api))?;
        Ok(Session { api, raw })
    }

    calls! {
        sort_bool = hb_sort_bool() -> Type;
        sort_mode = hb_sort_mode() -> Type;
        sort_bits = hb_sort_bits(width: u32 => u64::from(width)) -> Type;
        sort_float = hb_sort_float(exponent: u16 => u64::from(exponent), significand: u16 => u64::from(significand)) -> Type;
        sort_array = hb_sort_array(index: Type => index.0, element: Type => element.0) -> Type;
        truth = hb_truth(value: bool => c_int::from(value)) -> Node;
        bits = hb_bits(sort: Type => sort.0, value: u64 => value) -> Node;
        float = hb_float(sign: Node => sign.0, exponent: Node => exponent.0, significand: Node => significand.0) -> Node;
        mode = hb_mode(mode: c_int => mode) -> Node;
        const_array = hb_const_array(sort: Type => sort.0, element: Node => element.0) -> Node;
        child = hb_child(node: Node => node.0, index: usize => index) -> Node;
    }

    pub(crate) fn sort_function(&self, domain: &[Type], range: Type) -> Result<Type, Reason> {
        let domain: Vec<u32> = domain.iter().map(|sort| sort.0).collect();
        // SAFETY: the session is live, and the slice outlives the call.
        let number =
            unsafe { (self.api.hb_sort_function)(self.raw.as_ptr(), domain.as_ptr(), domain.len(), range.0) };
        if number == 0 { Err(error(self.api)) } else { Ok(Type(number)) }
    }

    /// A bit vector, from its binary digits.
    pub(crate) fn big_bits(&self, sort: Type, digits: &str) -> Result<Node, Reason> {
        let digits = c_string(digits);
        // SAFETY: the session is live, and the string outlives the call.
        self.node(unsafe { (self.api.hb_big_bits)(self.raw.as_ptr(), sort.0, digits.as_ptr()) })
    }

    /// A rational number, rounded to a float.
    pub(crate) fn float_of_rational(
        &self,
        sort: Type,
        mode: Node,
        numerator: &str,
        denominator: &str,
    ) -> Result<Node, Reason> {
        let (numerator, denominator) = (c_string(numerator), c_string(denominator));
        // SAFETY: the session is live, and the strings outlive the call.
        self.node(unsafe {
            (self.api.hb_float_of_rational)(
                self.raw.as_ptr(),
                sort.0,
                mode.0,
                numerator.as_ptr(),
                denominator.as_ptr(),
            )
        })
    }

    /// A fresh constant (of a function sort, a function).
    pub(crate) fn constant(&self, sort: Type, name: &str) -> Result<Node, Reason> {
        let name = c_string(name);
        // SAFETY: the session is live, and the string outlives the call.
        self.node(unsafe { (self.api.hb_constant)(self.raw.as_ptr(), sort.0, name.as_ptr()) })
    }

    /// A fresh bound variable.
    pub(crate) fn variable(&self, sort: Type, name: &str) -> Result<Node, Reason> {
        let name = c_string(name);
        // SAFETY: the session is live, and the string outlives the call.
        self.node(unsafe { (self.api.hb_variable)(self.raw.as_ptr(), sort.0, name.as_ptr()) })
    }

    /// An application.
    pub(crate) fn apply(&self, kind: c_int, children: &[Node], indices: &[u64]) -> Result<Node, Reason> {
        // SAFETY: the session is live, the slices outlive the call, and a `Node` is a `u32`.
        self.node(unsafe {
            (self.api.hb_term)(
                self.raw.as_ptr(),
                kind,
                children.as_ptr().cast(),
                children.len(),
                indices.as_ptr(),
                indices.len(),
            )
        })
    }

    fn node(&self, number: u32) -> Result<Node, Reason> {
        if number == 0 { Err(error(self.api)) } else { Ok(Node(number)) }
    }

    /// Runs `work`, and forgets the terms that it has created.
    pub(crate) fn scoped<R>(&self, work: impl FnOnce() -> R) -> R {
        // SAFETY: the session is live.
        let mark = unsafe { (self.api.hb_mark)(self.raw.as_ptr()) };
        let result = work();
        // SAFETY: as above.
        unsafe { (self.api.hb_release)(self.raw.as_ptr(), mark) };
        result
    }

    /// The identity of a term: equal for equal terms.
    pub(crate) fn id(&self, node: Node) -> u64 {
        // SAFETY: the session is live.
        unsafe { (self.api.hb_id)(self.raw.as_ptr(), node.0) }
    }

    pub(crate) fn kind(&self, node: Node) -> c_int {
        // SAFETY: the session is live.
        unsafe { (self.api.hb_kind_of)(self.raw.as_ptr(), node.0) }
    }

    pub(crate) fn arity(&self, node: Node) -> usize {
        // SAFETY: the session is live.
        unsafe { (self.api.hb_arity)(self.raw.as_ptr(), node.0) }
    }

    /// The indices of an operator, at most two.
    pub(crate) fn indices(&self, node: Node) -> Vec<u64> {
        let mut indices = [0; 2];
        // SAFETY: the session is live, and the slice has the stated length.
        let count = unsafe { (self.api.hb_indices)(self.raw.as_ptr(), node.0, indices.as_mut_ptr(), 2) };
        indices[..count.min(2)].to_vec()
    }

    pub(crate) fn sort_of(&self, node: Node) -> TypeOf {
        let mut sizes = [0; 2];
        // SAFETY: the session is live, and the function writes at most two numbers.
        let sort = unsafe { (self.api.hb_sort_of)(self.raw.as_ptr(), node.0, sizes.as_mut_ptr()) };
        match u8::try_from(sort) {
            Ok(b'b') => TypeOf::Boolean,
            Ok(b'v') => TypeOf::Bits(sizes[0]),
            Ok(b'f') => TypeOf::Float(sizes[0], sizes[1]),
            Ok(b'm') => TypeOf::Mode,
            _ => TypeOf::Other,
        }
    }

    /// The digits of a constant: binary, or the number of a rounding mode.
    pub(crate) fn digits(&self, node: Node) -> Option<String> {
        // SAFETY: the session is live; the text is copied before the next call.
        let digits = unsafe { text((self.api.hb_value_text)(self.raw.as_ptr(), node.0)) };
        (!digits.is_empty()).then_some(digits)
    }

    /// The beginning of the text of a term, for messages.
    pub(crate) fn show(&self, node: Node) -> String {
        // SAFETY: the session is live; the text is copied before the next call.
        unsafe { text((self.api.hb_show)(self.raw.as_ptr(), node.0)) }
    }
}

/// A solver of a session.
pub(crate) struct Engine {
    session: Rc<Session>,
    raw: NonNull<RawSolver>,
    /// Read by the library through a pointer, while `raw` lives.
    flag: Arc<AtomicBool>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the solver is live, and so is its session.
        unsafe { (self.session.api.hb_solver_free)(self.raw.as_ptr()) }
    }
}

/// # Safety
/// `flag` points to a live `AtomicBool`.
unsafe extern "C" fn is_raised(flag: *const c_void) -> bool {
    // SAFETY: by the contract of this function.
    unsafe { &*flag.cast::<AtomicBool>() }.load(Ordering::Relaxed)
}

impl Engine {
    /// A solver with `options`, pairs of names and values.
    pub(crate) fn new(session: &Rc<Session>, options: &[(&str, &str)]) -> Result<Self, Reason> {
        let flag = Arc::new(AtomicBool::new(false));
        let strings: Vec<CString> =
            options.iter().flat_map(|(name, value)| [c_string(name), c_string(value)]).collect();
        let pointers: Vec<*const c_char> = strings.iter().map(|string| string.as_ptr()).collect();
        let api = session.api;
        // SAFETY: the session is live, the strings outlive the call, and the flag lives as long as
        // the solver, which this value owns.
        let raw = unsafe {
            (api.hb_solver)(
                session.raw.as_ptr(),
                pointers.as_ptr(),
                options.len(),
                is_raised,
                Arc::as_ptr(&flag).cast(),
            )
        };
        let raw = NonNull::new(raw).ok_or_else(|| error(api))?;
        Ok(Engine { session: Rc::clone(session), raw, flag })
    }

    /// The flag that ends a running check.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    fn done(&self, code: c_int) -> Result<(), Reason> {
        if code == 0 { Err(error(self.session.api)) } else { Ok(()) }
    }

    pub(crate) fn push(&self) -> Result<(), Reason> {
        // SAFETY: the solver is live.
        self.done(unsafe { (self.session.api.hb_push)(self.raw.as_ptr()) })
    }

    pub(crate) fn pop(&self) -> Result<(), Reason> {
        // SAFETY: the solver is live.
        self.done(unsafe { (self.session.api.hb_pop)(self.raw.as_ptr()) })
    }

    pub(crate) fn assert(&self, formula: Node) -> Result<(), Reason> {
        // SAFETY: the solver is live.
        self.done(unsafe { (self.session.api.hb_assert)(self.raw.as_ptr(), formula.0) })
    }

    pub(crate) fn check(&self, assumptions: &[Node]) -> Result<Answer, Reason> {
        // SAFETY: the solver is live, the slice outlives the call, and a `Node` is a `u32`.
        let code = unsafe {
            (self.session.api.hb_check)(self.raw.as_ptr(), assumptions.as_ptr().cast(), assumptions.len())
        };
        match code {
            10 => Ok(Answer::Sat),
            20 => Ok(Answer::Unsat),
            0 => Err(error(self.session.api)),
            _ => Ok(Answer::Unknown),
        }
    }

    /// The value of a term in the model of the last check.
    pub(crate) fn value(&self, node: Node) -> Result<Node, Reason> {
        // SAFETY: the solver is live.
        self.session.node(unsafe { (self.session.api.hb_value)(self.raw.as_ptr(), node.0) })
    }

    /// The identities of the assumptions in the unsat core, at most `count`.
    pub(crate) fn core(&self, count: usize) -> Result<Vec<u64>, Reason> {
        let mut core = vec![0; count];
        // SAFETY: the solver is live, and the slice has the stated length.
        let found = unsafe { (self.session.api.hb_core)(self.raw.as_ptr(), core.as_mut_ptr(), count) };
        core.truncate(found.checked_sub(1).ok_or_else(|| error(self.session.api))?);
        Ok(core)
    }

    /// The interpolants after each of `parts`, which are asserted formulas.
    pub(crate) fn interpolants(&self, parts: &[Node]) -> Result<Vec<Node>, Reason> {
        let mut found = vec![0u32; parts.len()];
        // SAFETY: the solver is live, the slices have the stated length, and a `Node` is a `u32`.
        let code = unsafe {
            (self.session.api.hb_interpolants)(
                self.raw.as_ptr(),
                parts.as_ptr().cast(),
                parts.len(),
                found.as_mut_ptr(),
            )
        };
        self.done(code)?;
        Ok(found.into_iter().map(Node).collect())
    }
}
