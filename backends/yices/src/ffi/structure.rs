//! The structure of Yices terms.

use super::{Api, YTerm, gmp, values};
use num_bigint::BigUint;
use num_rational::BigRational;
use yices2_sys as sys;

/// The operator of a composite term.
pub(crate) use sys::term_constructor as Constructor;

/// A term, one level deep.
#[derive(Debug)]
pub(crate) enum Node {
    Bool(bool),
    Rational(BigRational),
    /// Width and value.
    BitVec(u32, BigUint),
    /// A free constant or function.
    Uninterpreted,
    /// Bit `index` of a bit vector, as a Boolean.
    Bit {
        index: u32,
        of: YTerm,
    },
    /// `Σ coefficient · term`; `None` for the constant.
    Sum(Vec<(BigRational, Option<YTerm>)>),
    /// The same for bit vectors of this width.
    BvSum(u32, Vec<(BigUint, Option<YTerm>)>),
    /// `Π term ^ exponent`
    Product(Vec<(YTerm, u32)>),
    /// Any other operator.
    Composite(Constructor, Vec<YTerm>),
}

impl Api {
    /// The outermost level of `term`.
    pub(crate) fn structure(&self, term: YTerm) -> Result<Node, String> {
        // SAFETY: numbers only; an invalid term is an error code.
        let constructor = unsafe { sys::yices_term_constructor(term) };
        Ok(match constructor {
            Constructor::YICES_CONSTRUCTOR_ERROR => return Err(self.error()),
            Constructor::YICES_BOOL_CONSTANT => {
                let mut value = 0;
                // SAFETY: a place for the answer.
                self.checked(unsafe { sys::yices_bool_const_value(term, &raw mut value) })?;
                Node::Bool(value != 0)
            }
            Constructor::YICES_ARITH_CONSTANT => Node::Rational(gmp::read(|to| {
                // SAFETY: an initialised place for the answer.
                self.checked(unsafe { gmp::yices_rational_const_value(term, to) })
            })?),
            Constructor::YICES_BV_CONSTANT => {
                let mut bits = vec![0; self.width(term) as usize];
                // SAFETY: a place for as many bits as the constant has.
                self.checked(unsafe { sys::yices_bv_const_value(term, bits.as_mut_ptr()) })?;
                Node::BitVec(self.width(term), values::natural(&bits))
            }
            Constructor::YICES_UNINTERPRETED_TERM => Node::Uninterpreted,
            Constructor::YICES_BIT_TERM => {
                // SAFETY: numbers only.
                let (index, of) = unsafe { (sys::yices_proj_index(term), sys::yices_proj_arg(term)) };
                self.checked(index.min(of))?;
                Node::Bit { index: index.unsigned_abs(), of }
            }
            Constructor::YICES_ARITH_SUM => Node::Sum(self.components(term, |i, part| {
                gmp::read(|to| {
                    // SAFETY: initialised places for the answers.
                    self.checked(unsafe { gmp::yices_sum_component(term, i, to, part) })
                })
            })?),
            Constructor::YICES_BV_SUM => {
                let width = self.width(term);
                let sum = self.components(term, |i, part| {
                    let mut bits = vec![0; width as usize];
                    // SAFETY: places for the bits of the coefficient and for the term.
                    self.checked(unsafe { sys::yices_bvsum_component(term, i, bits.as_mut_ptr(), part) })?;
                    Ok(values::natural(&bits))
                })?;
                Node::BvSum(width, sum)
            }
            Constructor::YICES_POWER_PRODUCT => {
                let mut factors = Vec::new();
                for i in 0..self.child_count(term)? {
                    let (mut factor, mut exponent) = (0, 0);
                    // SAFETY: places for the answers.
                    self.checked(unsafe {
                        sys::yices_product_component(term, i, &raw mut factor, &raw mut exponent)
                    })?;
                    factors.push((factor, exponent));
                }
                Node::Product(factors)
            }
            other => {
                let children = (0..self.child_count(term)?)
                    // SAFETY: numbers only.
                    .map(|i| unsafe { sys::yices_term_child(term, i) })
                    .collect();
                Node::Composite(other, children)
            }
        })
    }

    /// Whether `term` is an integer; Yices uses integers as reals without conversion.
    pub(crate) fn is_integer(&self, term: YTerm) -> bool {
        // SAFETY: numbers only.
        unsafe { sys::yices_term_is_int(term) != 0 }
    }

    /// The width of a bit-vector term.
    fn width(&self, term: YTerm) -> u32 {
        // SAFETY: numbers only.
        unsafe { sys::yices_term_bitsize(term) }
    }

    fn child_count(&self, term: YTerm) -> Result<i32, String> {
        // SAFETY: numbers only.
        let count = unsafe { sys::yices_term_num_children(term) };
        self.checked(count).map(|()| count)
    }

    fn components<C>(
        &self,
        term: YTerm,
        mut component: impl FnMut(i32, &mut YTerm) -> Result<C, String>,
    ) -> Result<Vec<(C, Option<YTerm>)>, String> {
        let mut components = Vec::new();
        for i in 0..self.child_count(term)? {
            let mut part = -1;
            let coefficient = component(i, &mut part)?;
            components.push((coefficient, (part >= 0).then_some(part)));
        }
        Ok(components)
    }
}
