//! Inspection of terms and sorts of the library.

use super::{Context, Decl, Node, Quantifier, SortNode, sys, text};
use backends::Reason;

/// The kind of a term.
pub(crate) enum Shape {
    /// A numeral, including bit vectors.
    Numeral,
    /// A function or operator and its arguments.
    Application,
    /// A bound variable, by the number of quantified variables between it and its own.
    Variable(u32),
    /// A quantifier.
    Quantifier(Quantifier),
    /// A lambda.
    Lambda,
    /// Not part of formulas.
    Other,
}

/// The kind of a sort.
pub(crate) enum SortShape {
    Bool,
    Int,
    Real,
    BitVec(u32),
    Float(u32, u32),
    RoundingMode,
    Array(SortNode, SortNode),
    Other,
}

impl Context {
    pub(crate) fn shape(&self, node: Node) -> Shape {
        // SAFETY: a live term.
        unsafe {
            match sys::Z3_get_ast_kind(self.raw(), node.0) {
                sys::AstKind::Numeral => Shape::Numeral,
                sys::AstKind::App => Shape::Application,
                sys::AstKind::Var => Shape::Variable(sys::Z3_get_index_value(self.raw(), node.0)),
                sys::AstKind::Quantifier if sys::Z3_is_quantifier_forall(self.raw(), node.0) => {
                    Shape::Quantifier(Quantifier::Forall)
                }
                sys::AstKind::Quantifier if sys::Z3_is_quantifier_exists(self.raw(), node.0) => {
                    Shape::Quantifier(Quantifier::Exists)
                }
                sys::AstKind::Quantifier => Shape::Lambda,
                _ => Shape::Other,
            }
        }
    }

    /// Whether the term is an application; numerals are applications.
    fn is_application(&self, node: Node) -> bool {
        matches!(self.shape(node), Shape::Application | Shape::Numeral)
    }

    /// The operator of an application.
    pub(crate) fn operator(&self, node: Node) -> sys::DeclKind {
        match self.decl_of(node) {
            // SAFETY: a live declaration.
            Some(decl) => unsafe { sys::Z3_get_decl_kind(self.raw(), decl.0) },
            None => sys::DeclKind::Internal,
        }
    }

    /// The declaration of an application. It lives as long as the term.
    pub(crate) fn decl_of(&self, node: Node) -> Option<Decl> {
        if !self.is_application(node) {
            return None;
        }
        // SAFETY: a live application, for which `Z3_app` is `Z3_ast`.
        unsafe { sys::Z3_get_app_decl(self.raw(), node.0.cast()) }.map(Decl)
    }

    /// The name of a declaration, for messages.
    pub(crate) fn decl_name(&self, decl: Decl) -> String {
        // SAFETY: a live declaration; the text lives until the next call.
        unsafe {
            match sys::Z3_get_decl_name(self.raw(), decl.0) {
                Some(name) if sys::Z3_get_symbol_kind(self.raw(), name) == sys::SymbolKind::String => {
                    text(sys::Z3_get_symbol_string(self.raw(), name))
                }
                Some(name) => format!("symbol {}", sys::Z3_get_symbol_int(self.raw(), name)),
                None => String::new(),
            }
        }
    }

    /// A numeric parameter of a declaration, such as the bounds of an extraction.
    pub(crate) fn parameter(&self, decl: Decl, index: u32) -> Result<u32, Reason> {
        // SAFETY: a live declaration; the kind of the parameter is checked first.
        unsafe {
            if index < sys::Z3_get_decl_num_parameters(self.raw(), decl.0)
                && sys::Z3_get_decl_parameter_kind(self.raw(), decl.0, index) == sys::ParameterKind::Int
            {
                let value = sys::Z3_get_decl_int_parameter(self.raw(), decl.0, index);
                return u32::try_from(value).map_err(|error| Reason::Fault(error.to_string()));
            }
        }
        Err(Reason::Fault(format!("{} without its parameter {index}", self.decl_name(decl))))
    }

    /// The number of arguments of an application; 0 for other terms.
    pub(crate) fn arity(&self, node: Node) -> u32 {
        if !self.is_application(node) {
            return 0;
        }
        // SAFETY: a live application.
        unsafe { sys::Z3_get_app_num_args(self.raw(), node.0.cast()) }
    }

    /// An argument of an application. It lives as long as the term.
    pub(crate) fn argument(&self, node: Node, index: u32) -> Result<Node, Reason> {
        if index >= self.arity(node) {
            return Err(Reason::Fault("an application with too few arguments".to_owned()));
        }
        // SAFETY: a live application with more arguments than `index`.
        unsafe { sys::Z3_get_app_arg(self.raw(), node.0.cast(), index) }.map(Node).ok_or_else(|| self.error())
    }

    /// The sorts of the variables of a quantifier or lambda, outermost first.
    pub(crate) fn bound_sorts(&self, node: Node) -> Result<Vec<SortNode>, Reason> {
        // SAFETY: a live quantifier.
        unsafe {
            (0..sys::Z3_get_quantifier_num_bound(self.raw(), node.0))
                .map(|index| sys::Z3_get_quantifier_bound_sort(self.raw(), node.0, index))
                .map(|sort| sort.map(SortNode).ok_or_else(|| self.error()))
                .collect()
        }
    }

    /// The body of a quantifier or lambda.
    pub(crate) fn body(&self, node: Node) -> Result<Node, Reason> {
        // SAFETY: a live quantifier.
        unsafe { sys::Z3_get_quantifier_body(self.raw(), node.0) }.map(Node).ok_or_else(|| self.error())
    }

    /// The sort of a term. It lives as long as the term.
    pub(crate) fn sort_of(&self, node: Node) -> Result<SortNode, Reason> {
        // SAFETY: a live term.
        unsafe { sys::Z3_get_sort(self.raw(), node.0) }.map(SortNode).ok_or_else(|| self.error())
    }

    pub(crate) fn sort_shape(&self, sort: SortNode) -> Result<SortShape, Reason> {
        let context = self.raw();
        // SAFETY: a live sort; the queries fit its kind.
        unsafe {
            Ok(match sys::Z3_get_sort_kind(context, sort.0) {
                sys::SortKind::Bool => SortShape::Bool,
                sys::SortKind::Int => SortShape::Int,
                sys::SortKind::Real => SortShape::Real,
                sys::SortKind::Bv => SortShape::BitVec(sys::Z3_get_bv_sort_size(context, sort.0)),
                sys::SortKind::FloatingPoint => SortShape::Float(
                    sys::Z3_fpa_get_ebits(context, sort.0),
                    sys::Z3_fpa_get_sbits(context, sort.0),
                ),
                sys::SortKind::RoundingMode => SortShape::RoundingMode,
                sys::SortKind::Array if sys::Z3_get_array_arity(context, sort.0) == 1 => {
                    let index = sys::Z3_get_array_sort_domain(context, sort.0);
                    let element = sys::Z3_get_array_sort_range(context, sort.0);
                    let (Some(index), Some(element)) = (index, element) else { return Err(self.error()) };
                    SortShape::Array(SortNode(index), SortNode(element))
                }
                _ => SortShape::Other,
            })
        }
    }

    /// The value of an integer, real or bit-vector numeral that fits.
    pub(crate) fn small_numeral(&self, node: Node) -> Option<i64> {
        let mut value = 0;
        // SAFETY: a live numeral and a place to write to.
        unsafe { sys::Z3_get_numeral_int64(self.raw(), node.0, &mut value) }.then_some(value)
    }

    /// A rational numeral as text: decimal, or a fraction.
    pub(crate) fn numeral(&self, node: Node) -> Result<String, Reason> {
        // SAFETY: a live term; the text lives until the next call. The library rejects other terms.
        let text = unsafe { text(sys::Z3_get_numeral_string(self.raw(), node.0)) };
        if text.is_empty() { Err(self.error()) } else { Ok(text) }
    }

    pub(crate) fn is_algebraic(&self, node: Node) -> bool {
        // SAFETY: a live term.
        unsafe { sys::Z3_is_algebraic_number(self.raw(), node.0) }
    }

    pub(crate) fn is_nan(&self, node: Node) -> bool {
        self.operator(node) == sys::DeclKind::FpaNan
    }

    /// The function of an `as-array` term.
    pub(crate) fn as_array(&self, node: Node) -> Result<Decl, Reason> {
        // SAFETY: a live term; the library rejects terms other than `as-array`.
        unsafe { sys::Z3_get_as_array_func_decl(self.raw(), node.0) }.map(Decl).ok_or_else(|| self.error())
    }

    /// The argument sorts and the result sort of a declaration.
    pub(crate) fn signature(&self, decl: Decl) -> Result<(Vec<SortNode>, SortNode), Reason> {
        // SAFETY: a live declaration.
        unsafe {
            let domain = (0..sys::Z3_get_domain_size(self.raw(), decl.0))
                .map(|index| sys::Z3_get_domain(self.raw(), decl.0, index))
                .map(|sort| sort.map(SortNode).ok_or_else(|| self.error()))
                .collect::<Result<Vec<_>, _>>()?;
            let range = sys::Z3_get_range(self.raw(), decl.0).ok_or_else(|| self.error())?;
            Ok((domain, SortNode(range)))
        }
    }
}
