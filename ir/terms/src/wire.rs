//! Serialization of terms and values, for a connection between two processes with a pool each.
//!
//! # Idea
//! Both sides count the distinct terms sent over the connection; this count is the *wire id* of a
//! term. The [`Encoder`] remembers which terms of its pool have a wire id and writes only the
//! others, each as one record (operator, payload, distances back to its children), in ascending
//! order of the pool's ids. Children therefore come first, without recursion. The [`Decoder`]
//! builds each record through the simplifying constructor of its own pool and keeps a table from
//! wire id to term. A formula that is sent twice, or that shares most of its nodes with an earlier
//! one, costs next to nothing. The decoder does not trust the sender: the receiving pool
//! sort-checks and simplifies every decoded term. Records of their own define sorts, symbols and
//! functions once; later records refer to them by number. `true` and `false` have the wire ids 0
//! and 1 from the start.
//!
//! # Guarantees of the decoder
//! The input may be corrupted: a solver may have overwritten the memory of its process. For any
//! input the decoder returns well-sorted terms or a [`WireError`], and it allocates memory in
//! proportion to the length of the input (folding may enlarge constants, so the decoder bounds
//! widths, float formats and products of constants). After an error the two counts no longer agree,
//! and the connection must be closed.
//!
//! # Cost
//! Linear in the new terms; the encoder takes four bytes for each id up to the youngest term sent.

mod bytes;
mod operators;
mod values;

#[cfg(test)]
mod tests;

pub use bytes::{Reader, Writer};
pub use values::{read_function_value, read_value, write_function_value, write_value};

use super::bits::BitVector;
use super::pool::{FALSE, TRUE};
use super::signature::SortError;
use super::{ArraySort, FunctionSymbol, Op, Representation, RoundingMode, Sort, Symbol, Term, TermPool};
use crate::entity::Entity;
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero;
use operators::{PLAIN, code, code_of};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The greatest size, in bits, of a bit vector and of the numbers in a constant.
pub const MAX_BITS: u64 = 1 << 20;
/// The greatest widths, in bits, of exponent and significand of a float: the value of a float as a
/// rational has up to `2^exponent` bits.
const MAX_FORMAT: (u16, u16) = (20, 4096);

/// A decoding error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The input ends too early.
    #[error("the message ends too early")]
    Truncated,
    /// The input violates the format.
    #[error("malformed message: {0}")]
    Malformed(&'static str),
    /// A reference to a number that was never defined.
    #[error("malformed message: there is no {what} with number {number}")]
    Unknown {
        /// The kind of entity.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// The children of a node are ill-sorted for its operator.
    #[error("malformed message: {0}")]
    Sort(#[from] SortError),
    /// A symbol of the sender has the name of a symbol that the receiver declared itself.
    #[error("the symbol {0} is declared on both sides")]
    Clash(String),
}

/// How symbols of the other side map to symbols of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// To the symbol of the same name and sort, declared by either side.
    Shared,
    /// The symbol belongs to the sender: it is an error if the receiver declared a symbol of its
    /// name.
    Foreign,
}

/// Wire ids by index in the pool.
#[derive(Debug, Default)]
struct Sent {
    /// The wire id plus 1; 0 for entities that were not sent.
    ids: Vec<u32>,
    count: u32,
}

impl Sent {
    #[inline]
    fn get(&self, index: usize) -> Option<u32> {
        self.ids.get(index).and_then(|id| id.checked_sub(1))
    }

    #[inline]
    fn add(&mut self, index: usize) -> u32 {
        if index >= self.ids.len() {
            self.ids.resize((index + 1).max(self.ids.len() * 2), 0);
        }
        let id = self.count;
        self.count += 1;
        self.ids[index] = self.count;
        id
    }
}

/// The sending end of one direction of a connection; serves one pool.
#[derive(Debug)]
pub struct Encoder {
    terms: Sent,
    array_sorts: Sent,
    uninterpreted_sorts: Sent,
    symbols: Sent,
    functions: Sent,
    /// Records not yet taken by [`take`](Encoder::take).
    pending: Writer,
    found: Vec<Term>,
    stack: Vec<Term>,
    /// The terms found so far while the new nodes of a term are collected, as a bitmap.
    is_found: Vec<u64>,
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder::new()
    }
}

impl Encoder {
    /// Creates an encoder that has sent nothing.
    pub fn new() -> Self {
        let mut terms = Sent::default();
        terms.add(TRUE.index());
        terms.add(FALSE.index());
        Encoder {
            terms,
            array_sorts: Sent::default(),
            uninterpreted_sorts: Sent::default(),
            symbols: Sent::default(),
            functions: Sent::default(),
            pending: Writer::default(),
            found: Vec::new(),
            stack: Vec::new(),
            is_found: Vec::new(),
        }
    }

    /// Takes the records written since the last call. The decoder must read them before anything
    /// that refers to them.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.pending.bytes)
    }

    /// Returns the wire id of `root`; writes records for its new nodes.
    pub fn term(&mut self, pool: &TermPool, root: Term) -> u32 {
        if let Some(id) = self.terms.get(root.index()) {
            return id;
        }
        self.find_new(pool, root);
        let found = std::mem::take(&mut self.found);
        for &term in &found {
            self.is_found[term.index() / 64] = 0;
            self.node(pool, term);
        }
        self.found = found;
        self.terms.count - 1
    }

    /// Collects the subterms of `root` that were not sent, ascending.
    fn find_new(&mut self, pool: &TermPool, root: Term) {
        self.found.clear();
        let words = root.index() / 64 + 1;
        if self.is_found.len() < words {
            self.is_found.resize(words, 0);
        }
        self.stack.push(root);
        while let Some(term) = self.stack.pop() {
            let (word, bit) = (term.index() / 64, 1u64 << (term.index() % 64));
            if self.is_found[word] & bit != 0 {
                continue;
            }
            self.is_found[word] |= bit;
            self.found.push(term);
            let terms = &self.terms;
            self.stack.extend(pool.children(term).iter().filter(|child| terms.get(child.index()).is_none()));
        }
        self.found.sort_unstable();
    }

    /// Writes one node whose children were sent.
    #[inline]
    fn node(&mut self, pool: &TermPool, term: Term) {
        let op = pool.op(term);
        self.define_payload(pool, op, pool.sort(term));
        let out = &mut self.pending;
        out.byte(code_of(op));
        match op {
            Op::BvConst(_) => {
                let (width, value) = pool.as_bv(term).expect("a bit-vector constant has a value");
                out.number(u64::from(width));
                out.natural(value);
            }
            Op::IntConst(_) => out.integer(pool.as_int(term).expect("an integer constant has a value")),
            Op::RealConst(_) => {
                let value = pool.as_real(term).expect("a real constant has a value");
                out.integer(value.numer());
                out.natural(value.denom().magnitude());
            }
            Op::FloatConst(_) => {
                let Sort::Float(exponent, significand) = pool.sort(term) else {
                    unreachable!("a float constant is of a float sort")
                };
                format(out, exponent, significand);
                out.natural(pool.as_float_bits(term).expect("a float constant has a pattern"));
            }
            Op::RoundingMode(mode) => values::rounding_mode(out, mode),
            Op::Symbol(symbol) => out.number(self.symbols.get(symbol.index()).expect("defined above").into()),
            Op::Apply(function) => {
                out.number(self.functions.get(function.index()).expect("defined above").into());
            }
            Op::Value(number) => out.number(number.into()),
            Op::Bound(name) => out.text(pool.bound_name(name)),
            Op::Extract { high, low } => {
                out.number(high.into());
                out.number(low.into());
            }
            Op::ZeroExtend(bits) | Op::SignExtend(bits) | Op::FpToUnsigned(bits) | Op::FpToSigned(bits) => {
                out.number(bits.into());
            }
            Op::FpFromBits { exponent, significand }
            | Op::FpFromFloat { exponent, significand }
            | Op::FpFromReal { exponent, significand }
            | Op::FpFromSigned { exponent, significand }
            | Op::FpFromUnsigned { exponent, significand } => format(out, exponent, significand),
            _ => {}
        }
        if matches!(op, Op::Value(_) | Op::Bound(_) | Op::ConstArray(_)) {
            self.write_sort(pool.sort(term));
        }
        let own = self.terms.add(term.index());
        if op.is_leaf() {
            return;
        }
        let children = pool.children(term);
        self.pending.size(children.len());
        for child in children {
            let id = self.terms.get(child.index()).expect("children are sent before their parents");
            self.pending.number((own - id).into());
        }
    }

    /// Defines the sorts, symbols and functions in the payload of a node.
    #[inline]
    fn define_payload(&mut self, pool: &TermPool, op: Op, sort: Sort) {
        match op {
            Op::Symbol(symbol) => {
                self.symbol(pool, symbol);
            }
            Op::Apply(function) => {
                self.function(pool, function);
            }
            Op::Value(_) | Op::Bound(_) | Op::ConstArray(_) => self.define_sort(pool, sort),
            _ => {}
        }
    }

    /// Returns the number of `symbol`; defines it if it is new.
    pub fn symbol(&mut self, pool: &TermPool, symbol: Symbol) -> u32 {
        if let Some(id) = self.symbols.get(symbol.index()) {
            return id;
        }
        let data = pool.symbol_data(symbol);
        self.define_sort(pool, data.sort);
        self.pending.byte(code::DEFINE_SYMBOL);
        self.pending.text(&data.name);
        self.pending.byte(match data.representation {
            Representation::Signed => 0,
            Representation::Unsigned => 1,
        });
        self.write_sort(data.sort);
        self.symbols.add(symbol.index())
    }

    /// Returns the number of `function`; defines it if it is new.
    pub fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> u32 {
        if let Some(id) = self.functions.get(function.index()) {
            return id;
        }
        let (name, arguments, result) = pool.function_data(function);
        for &sort in arguments.iter().chain([&result]) {
            self.define_sort(pool, sort);
        }
        self.pending.byte(code::DEFINE_FUNCTION);
        self.pending.text(name);
        self.pending.size(arguments.len());
        for &sort in arguments.iter().chain([&result]) {
            self.write_sort(sort);
        }
        self.functions.add(function.index())
    }

    /// Defines the new array sorts and uninterpreted sorts in `sort`.
    fn define_sort(&mut self, pool: &TermPool, sort: Sort) {
        // The parts of an array sort are older than the sort, so the loop terminates, and every
        // sort is defined after its parts.
        let mut stack: SmallVec<[Sort; 4]> = SmallVec::new();
        stack.push(sort);
        while let Some(&sort) = stack.last() {
            match sort {
                Sort::Array(array) if self.array_sorts.get(array.0 as usize).is_none() => {
                    let (index, element) = pool.array_sort_parts(array);
                    let before = stack.len();
                    stack.extend([index, element].into_iter().filter(|&part| !self.is_defined(part)));
                    if stack.len() == before {
                        stack.pop();
                        self.pending.byte(code::DEFINE_ARRAY_SORT);
                        self.write_sort(index);
                        self.write_sort(element);
                        self.array_sorts.add(array.0 as usize);
                    }
                }
                Sort::Uninterpreted(number) => {
                    stack.pop();
                    self.uninterpreted_sort(pool, number);
                }
                _ => {
                    stack.pop();
                }
            }
        }
    }

    fn is_defined(&self, sort: Sort) -> bool {
        match sort {
            Sort::Array(array) => self.array_sorts.get(array.0 as usize).is_some(),
            Sort::Uninterpreted(number) => self.uninterpreted_sorts.get(number as usize).is_some(),
            _ => true,
        }
    }

    fn uninterpreted_sort(&mut self, pool: &TermPool, number: u32) -> u32 {
        match self.uninterpreted_sorts.get(number as usize) {
            Some(id) => id,
            None => {
                self.pending.byte(code::DEFINE_UNINTERPRETED_SORT);
                self.pending.text(pool.uninterpreted_sort_name(number));
                self.uninterpreted_sorts.add(number as usize)
            }
        }
    }

    /// Writes a reference to a defined sort.
    fn write_sort(&mut self, sort: Sort) {
        let out = &mut self.pending;
        match sort {
            Sort::Bool => out.byte(0),
            Sort::Int => out.byte(1),
            Sort::Real => out.byte(2),
            Sort::RoundingMode => out.byte(3),
            Sort::BitVec(width) => {
                out.byte(4);
                out.number(width.into());
            }
            Sort::Float(exponent, significand) => {
                out.byte(5);
                format(out, exponent, significand);
            }
            Sort::Array(ArraySort(array)) => {
                out.byte(6);
                out.number(self.array_sorts.get(array as usize).expect("the sort is defined").into());
            }
            Sort::Uninterpreted(number) => {
                out.byte(7);
                out.number(
                    self.uninterpreted_sorts.get(number as usize).expect("the sort is defined").into(),
                );
            }
        }
    }
}

fn format(out: &mut Writer, exponent: u16, significand: u16) {
    out.number(exponent.into());
    out.number(significand.into());
}

/// The receiving end of one direction of a connection; serves one pool.
#[derive(Debug)]
pub struct Decoder {
    names: Names,
    terms: Vec<Term>,
    array_sorts: Vec<Sort>,
    uninterpreted_sorts: Vec<u32>,
    symbols: Vec<Symbol>,
    known_symbols: FxHashSet<Symbol>,
    functions: Vec<FunctionSymbol>,
}

impl Decoder {
    /// Creates a decoder that has received nothing.
    pub fn new(names: Names) -> Self {
        Decoder {
            names,
            terms: vec![TRUE, FALSE],
            array_sorts: Vec::new(),
            uninterpreted_sorts: Vec::new(),
            symbols: Vec::new(),
            known_symbols: FxHashSet::default(),
            functions: Vec::new(),
        }
    }

    /// The term with this wire id.
    pub fn term(&self, id: u32) -> Result<Term, WireError> {
        find(&self.terms, id, "term")
    }

    /// The symbol with this number.
    pub fn symbol(&self, number: u32) -> Result<Symbol, WireError> {
        find(&self.symbols, number, "symbol")
    }

    /// The function with this number.
    pub fn function(&self, number: u32) -> Result<FunctionSymbol, WireError> {
        find(&self.functions, number, "function")
    }

    /// Reads all records in `bytes` into `pool`, which must be the same pool in every call.
    pub fn read(&mut self, pool: &mut TermPool, bytes: &[u8]) -> Result<(), WireError> {
        let mut input = Reader::new(bytes);
        let mut children: Vec<Term> = Vec::new();
        while !input.is_empty() {
            match input.byte()? {
                code::DEFINE_ARRAY_SORT => {
                    let (index, element) = (self.sort(&mut input)?, self.sort(&mut input)?);
                    self.array_sorts.push(pool.array_sort(index, element));
                }
                code::DEFINE_UNINTERPRETED_SORT => {
                    let Sort::Uninterpreted(number) = pool.uninterpreted_sort(input.text()?) else {
                        unreachable!("the sort should be uninterpreted")
                    };
                    self.uninterpreted_sorts.push(number);
                }
                code::DEFINE_SYMBOL => self.define_symbol(pool, &mut input)?,
                code::DEFINE_FUNCTION => self.define_function(pool, &mut input)?,
                code => {
                    let term = match self.leaf(pool, code, &mut input)? {
                        Some(leaf) => leaf,
                        None => {
                            let op = self.operator(code, &mut input)?;
                            self.children(&mut input, &mut children)?;
                            check_size(pool, op, &children)?;
                            pool.build(op, &children)?
                        }
                    };
                    self.terms.push(term);
                }
            }
        }
        Ok(())
    }

    fn define_symbol(&mut self, pool: &mut TermPool, input: &mut Reader<'_>) -> Result<(), WireError> {
        let name = input.text()?;
        let representation = match input.byte()? {
            0 => Representation::Signed,
            1 => Representation::Unsigned,
            _ => return Err(WireError::Malformed("invalid representation")),
        };
        let sort = self.sort(input)?;
        let before = pool.symbol_count();
        let term = pool.symbol_with(name, sort, representation);
        let Op::Symbol(symbol) = pool.op(term) else { unreachable!("a symbol's term should be a symbol") };
        let is_new = pool.symbol_count() > before;
        if self.names == Names::Foreign && !is_new && !self.known_symbols.contains(&symbol) {
            return Err(WireError::Clash(name.to_owned()));
        }
        self.known_symbols.insert(symbol);
        self.symbols.push(symbol);
        Ok(())
    }

    fn define_function(&mut self, pool: &mut TermPool, input: &mut Reader<'_>) -> Result<(), WireError> {
        let name = input.text()?;
        let count = input.count()?;
        if count == 0 {
            return Err(WireError::Malformed("function without arguments"));
        }
        let arguments = (0..count).map(|_| self.sort(input)).collect::<Result<Vec<Sort>, _>>()?;
        let result = self.sort(input)?;
        self.functions.push(pool.function_symbol(name, &arguments, result));
        Ok(())
    }

    fn sort(&self, input: &mut Reader<'_>) -> Result<Sort, WireError> {
        Ok(match input.byte()? {
            0 => Sort::Bool,
            1 => Sort::Int,
            2 => Sort::Real,
            3 => Sort::RoundingMode,
            4 => Sort::BitVec(width(input)?),
            5 => {
                let (exponent, significand) = read_format(input)?;
                Sort::Float(exponent, significand)
            }
            6 => find(&self.array_sorts, input.small()?, "array sort")?,
            7 => Sort::Uninterpreted(find(&self.uninterpreted_sorts, input.small()?, "uninterpreted sort")?),
            _ => return Err(WireError::Malformed("invalid sort")),
        })
    }

    #[inline]
    fn leaf(&self, pool: &mut TermPool, code: u8, input: &mut Reader<'_>) -> Result<Option<Term>, WireError> {
        Ok(Some(match code {
            code::BV_CONST => {
                let width = width(input)?;
                let value = input.natural()?;
                pool.bit_vector(&BitVector::from_natural(width, value))
            }
            code::INT_CONST => pool.int_big(&input.integer()?),
            code::REAL_CONST => pool.real(&values::rational(input)?),
            code::FLOAT_CONST => {
                let (exponent, significand, bits) = float(input)?;
                pool.float_from_bits(exponent, significand, &bits)
            }
            code::ROUNDING_MODE => pool.rounding_mode(values::read_rounding_mode(input)?),
            code::SYMBOL => {
                let symbol = self.symbol(input.small()?)?;
                pool.symbol_term(symbol)
            }
            code::VALUE => {
                let number = input.small()?;
                let sort = self.sort(input)?;
                pool.value(number, sort)
            }
            code::BOUND => {
                let name = input.text()?;
                let sort = self.sort(input)?;
                pool.bound(name, sort)
            }
            _ => return Ok(None),
        }))
    }

    #[inline]
    fn operator(&self, code: u8, input: &mut Reader<'_>) -> Result<Op, WireError> {
        if let Some(&op) = PLAIN.get(usize::from(code)) {
            return Ok(op);
        }
        Ok(match code {
            code::APPLY => Op::Apply(self.function(input.small()?)?),
            code::EXTRACT => Op::Extract { high: input.small()?, low: input.small()? },
            code::ZERO_EXTEND => Op::ZeroExtend(input.small()?),
            code::SIGN_EXTEND => Op::SignExtend(input.small()?),
            code::CONST_ARRAY => match self.sort(input)? {
                Sort::Array(sort) => Op::ConstArray(sort),
                _ => return Err(WireError::Malformed("constant array of a sort that is not an array sort")),
            },
            code::FP_TO_UNSIGNED => Op::FpToUnsigned(width(input)?),
            code::FP_TO_SIGNED => Op::FpToSigned(width(input)?),
            code::FP_FROM_BITS..=code::FP_FROM_UNSIGNED => {
                let (exponent, significand) = read_format(input)?;
                match code {
                    code::FP_FROM_BITS => Op::FpFromBits { exponent, significand },
                    code::FP_FROM_FLOAT => Op::FpFromFloat { exponent, significand },
                    code::FP_FROM_REAL => Op::FpFromReal { exponent, significand },
                    code::FP_FROM_SIGNED => Op::FpFromSigned { exponent, significand },
                    _ => Op::FpFromUnsigned { exponent, significand },
                }
            }
            _ => return Err(WireError::Malformed("unknown operator")),
        })
    }

    #[inline]
    fn children(&self, input: &mut Reader<'_>, children: &mut Vec<Term>) -> Result<(), WireError> {
        children.clear();
        let own = self.terms.len() as u64;
        for _ in 0..input.count()? {
            let distance = input.number()?;
            let id = own.checked_sub(distance).and_then(|id| self.terms.get(id as usize));
            children.push(*id.ok_or(WireError::Malformed("child that was not sent"))?);
        }
        Ok(())
    }
}

fn find<T: Copy>(table: &[T], number: u32, what: &'static str) -> Result<T, WireError> {
    table.get(number as usize).copied().ok_or(WireError::Unknown { what, number })
}

fn width(input: &mut Reader<'_>) -> Result<u32, WireError> {
    match input.small()? {
        0 => Err(WireError::Malformed("bit vector of width 0")),
        width if u64::from(width) > MAX_BITS => Err(WireError::Malformed("bit vector too wide")),
        width => Ok(width),
    }
}

fn read_format(input: &mut Reader<'_>) -> Result<(u16, u16), WireError> {
    let (exponent, significand) = (input.small()?, input.small()?);
    match (u16::try_from(exponent), u16::try_from(significand)) {
        (Ok(e @ 2..), Ok(s @ 2..)) if e <= MAX_FORMAT.0 && s <= MAX_FORMAT.1 => Ok((e, s)),
        _ => Err(WireError::Malformed("invalid float format")),
    }
}

fn float(input: &mut Reader<'_>) -> Result<(u16, u16, BigUint), WireError> {
    let (exponent, significand) = read_format(input)?;
    let bits = input.natural()?;
    if bits.bits() > u64::from(exponent) + u64::from(significand) {
        return Err(WireError::Malformed("float pattern too wide"));
    }
    Ok((exponent, significand, bits))
}

/// Checks that a term stays of bounded size even if its constructor folds it.
#[inline]
fn check_size(pool: &TermPool, op: Op, children: &[Term]) -> Result<(), WireError> {
    let bits = |term: Term| match pool.sort(term) {
        Sort::BitVec(width) => u64::from(width),
        _ => 0,
    };
    let size = match op {
        Op::Concat => children.iter().map(|&child| bits(child)).sum(),
        Op::ZeroExtend(more) | Op::SignExtend(more) => {
            u64::from(more) + children.iter().map(|&child| bits(child)).sum::<u64>()
        }
        Op::Mul | Op::RealDiv => children.iter().map(|&child| constant_bits(pool, child)).sum(),
        _ => return Ok(()),
    };
    if size > MAX_BITS { Err(WireError::Malformed("term too wide")) } else { Ok(()) }
}

fn constant_bits(pool: &TermPool, term: Term) -> u64 {
    match pool.op(term) {
        Op::IntConst(_) => pool.as_int(term).map_or(0, |value| value.bits()),
        Op::RealConst(_) => pool.as_real(term).map_or(0, |value| value.numer().bits() + value.denom().bits()),
        _ => 0,
    }
}

/// Creates a rational; fails if the denominator is 0.
fn ratio(numerator: num_bigint::BigInt, denominator: BigUint) -> Result<BigRational, WireError> {
    if denominator.is_zero() {
        return Err(WireError::Malformed("denominator 0"));
    }
    Ok(BigRational::new(numerator, denominator.into()))
}

/// The rounding modes by their number.
const ROUNDING_MODES: [RoundingMode; 5] = RoundingMode::ALL;
