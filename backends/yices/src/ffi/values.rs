//! Models and their values.

use super::{Api, Context, RawModel, YTerm, gmp};
use num_bigint::BigUint;
use num_rational::BigRational;
use yices2_sys as sys;

/// A value of a model.
#[derive(Clone, Debug)]
pub(crate) enum RawValue {
    Bool(bool),
    BitVec(BigUint),
    Rational(BigRational),
    /// An irrational algebraic number.
    Irrational,
    /// An element of an uninterpreted type, by its number.
    Element(u32),
    /// A function, by the entries that differ from the default.
    Function {
        entries: Vec<(Vec<RawValue>, RawValue)>,
        default: Box<RawValue>,
    },
}

/// The method of elimination in [`Api::generalize`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elimination {
    /// Substitutes the values of the model.
    Substitution,
    /// Projects literals; for arithmetic only.
    Projection,
}

impl Api {
    pub(crate) fn model(&self, context: Context) -> Result<RawModel, String> {
        // SAFETY: a live context.
        let model = unsafe { sys::yices_get_model(context.0, 1) };
        if model.is_null() { Err(self.error()) } else { Ok(RawModel(model)) }
    }

    pub(crate) fn free_model(&self, model: RawModel) {
        // SAFETY: `model` created the `RawModel`; its owner frees it once.
        unsafe { sys::yices_free_model(model.0) }
    }

    /// The values of all Boolean and bit-vector constants in a model and of `others`, as bytes that
    /// [`model_of`](Self::model_of) reads: of each the term, its width (0 for a Boolean) and its
    /// bits, one in each byte.
    pub(crate) fn values_of(
        &self,
        model: RawModel,
        others: impl Iterator<Item = YTerm>,
    ) -> Result<Vec<u8>, String> {
        let defined = self.collect(|vector| {
            // SAFETY: a live model and an initialised vector.
            unsafe { sys::yices_model_collect_defined_terms(model.0, vector) };
            0
        })?;
        let mut constants: Vec<YTerm> = defined.into_iter().chain(others).collect();
        constants.sort_unstable();
        constants.dedup();
        let mut bytes = Vec::new();
        for term in constants {
            // SAFETY: valid terms.
            let (is_bool, is_bit_vector) =
                unsafe { (sys::yices_term_is_bool(term) != 0, sys::yices_term_is_bitvector(term) != 0) };
            let mut bits = Vec::new();
            if is_bool {
                bits.push(i32::from(self.bool_value(model, term)?));
            } else if is_bit_vector {
                // SAFETY: a valid term of bit vectors.
                bits.resize(unsafe { sys::yices_term_bitsize(term) } as usize, 0);
                // SAFETY: a live model and a place for the bits.
                self.checked(unsafe { sys::yices_get_bv_value(model.0, term, bits.as_mut_ptr()) })?;
            } else {
                continue;
            }
            let width = if is_bool { 0 } else { u32::try_from(bits.len()).expect("a width") };
            bytes.extend(term.to_le_bytes());
            bytes.extend(width.to_le_bytes());
            bytes.extend(bits.iter().map(|&bit| u8::from(bit != 0)));
        }
        Ok(bytes)
    }

    /// The model with the values of [`values_of`](Self::values_of).
    pub(crate) fn model_of(&self, values: &[u8]) -> Result<RawModel, String> {
        // SAFETY: no arguments.
        let model = RawModel(unsafe { sys::yices_new_model() });
        let filled = self.fill(model, values);
        if filled.is_err() {
            self.free_model(model);
        }
        filled.map(|()| model)
    }

    fn fill(&self, model: RawModel, mut values: &[u8]) -> Result<(), String> {
        let cut = || "values of a model are cut".to_owned();
        while let Some((term, rest)) = values.split_first_chunk() {
            let (width, rest) = rest.split_first_chunk().ok_or_else(cut)?;
            let (term, width) = (YTerm::from_le_bytes(*term), u32::from_le_bytes(*width));
            let (bits, rest) = rest.split_at_checked(width.max(1) as usize).ok_or_else(cut)?;
            let bits: Vec<i32> = bits.iter().map(|&bit| bit.into()).collect();
            // SAFETY: a live model, a term that `values_of` wrote, and as many bits as stated.
            // Yices checks the term and its type.
            self.checked(unsafe {
                match width {
                    0 => sys::yices_model_set_bool(model.0, term, bits[0]),
                    _ => sys::yices_model_set_bv_from_array(model.0, term, width, bits.as_ptr()),
                }
            })?;
            values = rest;
        }
        if values.is_empty() { Ok(()) } else { Err(cut()) }
    }

    /// Returns formulas without `variables` that are true in `model` and whose conjunction implies
    /// `∃ variables. ⋀ formulas`. The `formulas` must be true in `model`.
    pub(crate) fn generalize(
        &self,
        model: RawModel,
        formulas: &[YTerm],
        variables: &[YTerm],
        elimination: Elimination,
    ) -> Result<Vec<YTerm>, String> {
        let length = |list: &[YTerm]| u32::try_from(list.len()).expect("fewer than 2^32 terms");
        let mode = match elimination {
            Elimination::Substitution => sys::yices_gen_mode::YICES_GEN_BY_SUBST,
            Elimination::Projection => sys::yices_gen_mode::YICES_GEN_BY_PROJ,
        };
        self.collect(|vector| {
            // SAFETY: a live model, live slices and an initialised vector.
            unsafe {
                sys::yices_generalize_model_array(
                    model.0,
                    length(formulas),
                    formulas.as_ptr(),
                    length(variables),
                    variables.as_ptr(),
                    mode,
                    vector,
                )
            }
        })
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

    /// Functions of functions do not occur, so the recursion is shallow: at most the nesting of
    /// array sorts.
    fn node(&self, model: RawModel, node: &sys::yval_t) -> Result<RawValue, String> {
        use sys::yval_tag::{YVAL_ALGEBRAIC, YVAL_BOOL, YVAL_BV, YVAL_FUNCTION, YVAL_RATIONAL, YVAL_SCALAR};
        // SAFETY: `node` belongs to the live model; the places for the answers have the sizes that
        // Yices states.
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
                    gmp::read(|to| self.checked(gmp::yices_val_get_mpq(model.0, node, to)))
                        .map(RawValue::Rational)
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
                YVAL_SCALAR => {
                    let (mut number, mut ty) = (0, 0);
                    self.checked(sys::yices_val_get_scalar(model.0, node, &raw mut number, &raw mut ty))?;
                    Ok(RawValue::Element(number.unsigned_abs()))
                }
                YVAL_ALGEBRAIC => Ok(RawValue::Irrational),
                tag => Err(format!("a model value of kind {tag:?}")),
            }
        }
    }
}

/// The number with these bits, lowest first.
pub(super) fn natural(bits: &[i32]) -> BigUint {
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
