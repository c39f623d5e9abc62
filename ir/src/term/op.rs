//! Operators of terms.

crate::entity! {
    /// A free constant (an SMT-LIB function of arity 0), interned by name and sort in its pool.
    Symbol, "sym"
}
crate::entity! {
    /// An uninterpreted function symbol of arity at least 1, interned by name and signature in its pool.
    FunctionSymbol, "fun"
}

/// The operator at the root of a term. Payloads are ids into the pool's tables, so that an `Op` is small and `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the variants are SMT-LIB's operators by their SMT-LIB names")]
pub enum Op {
    // Leaves.
    True,
    False,
    /// A bit-vector constant; the payload is an id of the pool's table of naturals (see `TermPool::as_bv`).
    BvConst(u32),
    /// An integer constant, by id.
    IntConst(u32),
    /// A real constant, by id.
    RealConst(u32),
    /// A float constant given by its IEEE bit pattern, by id in the table of naturals.
    FloatConst(u32),
    /// A free constant.
    Symbol(Symbol),
    /// A value of an IR function (`v7`): the leaf over which the IR's instructions are written; never in a formula.
    Value(u32),
    /// A bound variable of an enclosing quantifier, by name id.
    Bound(u32),
    // Core.
    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,
    Apply(FunctionSymbol),
    // Bit vectors.
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    // Integers and reals.
    Add,
    Sub,
    Neg,
    Mul,
    IntDiv,
    IntMod,
    RealDiv,
    Le,
    Lt,
    ToReal,
    ToInt,
    // Arrays.
    Select,
    Store,
    /// The array of the given sort whose elements all equal the child.
    ConstArray(super::ArraySort),
    // Quantifiers: children are the bound variables, then the body.
    Forall,
    Exists,
}
