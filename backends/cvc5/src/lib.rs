//! cvc5 as a prover, and its SyGuS engine as an interpolator.
#![allow(unsafe_code)]
#[cfg(test)]
mod tests { #[test] fn links() { unsafe { let tm = cvc5_sys::term_manager_new(); let s = cvc5_sys::new(tm); let v = std::ffi::CStr::from_ptr(cvc5_sys::get_version(s)).to_string_lossy().into_owned(); assert!(v.starts_with("1.4.0"), "{v}"); cvc5_sys::delete(s); cvc5_sys::term_manager_delete(tm);} } }
