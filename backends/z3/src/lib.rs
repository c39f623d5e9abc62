//! Z3 as a prover, and Spacer as an interpolator.
#![allow(unsafe_code)]
#[cfg(test)]
mod tests { #[test] fn links() { unsafe { let mut a=0; let mut b=0; let mut c=0; let mut d=0; z3_sys::Z3_get_version(&mut a,&mut b,&mut c,&mut d); assert_eq!((a,b),(5,4)); } } }
