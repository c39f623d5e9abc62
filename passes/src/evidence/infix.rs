//! Prints formulas in infix notation with the operators of C.
//!
//! A bit vector is printed as an integer with the signedness of its symbols. A cast marks an
//! operator of the other signedness: `(unsigned) x < 10` is an unsigned comparison of a signed `x`.
//! A subterm whose operator has no C equivalent is printed in SMT-LIB.
//!
//! DIVERGENCE from C: there are no integer promotions. An operation is computed modulo the width of
//! its operands, as in the formula. Where the program promotes, the formula contains a conversion,
//! which is printed as a cast. The result states whether a C compiler reads the text like the
//! formula ([`Fidelity`]), where signed overflow wraps around. The arithmetic of integer encodings
//! is printed as unbounded.
//!
//! In ACSL, arithmetic is unbounded, and operands are not converted to a common type. So sums and
//! products of bit vectors are cast to their type, which reduces them modulo its size, and operands
//! of the other signedness are always cast.
//!
//! A formula whose depth or tree size exceeds a limit is printed in SMT-LIB as a whole: infix
//! notation cannot express sharing and could be exponentially larger. The limit also bounds the
//! recursion.

use super::loads::{Load, Memory};
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use terms::{Op, Representation, Sort, Term, TermPool, print};

/// The width of `int`.
pub(super) const INT: u32 = 32;
/// The largest depth of a term that is printed in infix notation.
const DEEPEST: usize = 100;
/// The largest tree size of a term that is printed in infix notation.
const LARGEST: u128 = 2_000;

/// The meaning of the symbols of a formula in the source.
#[derive(Default)]
pub(super) struct Readings<'p> {
    /// The signedness of variables.
    pub(super) signs: FxHashMap<Term, Representation>,
    /// The memory and its objects, for printing loads.
    pub(super) memory: Option<Memory<'p>>,
    /// The symbols that are printed as the variables that they denote.
    pub(super) faithful: FxHashSet<Term>,
    /// The symbols that denote pointers.
    pub(super) pointers: FxHashSet<Term>,
    /// The objects that can be named.
    pub(super) objects: FxHashSet<String>,
    /// The smallest width of integers in memory that may depend on addresses, if any.
    pub(super) dependent_width: Option<u32>,
}

/// The language of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// C.
    C,
    /// Terms and predicates of ACSL, see Baudin et al., *ACSL: ANSI/ISO C Specification Language*,
    /// section 2.2.
    Acsl,
}

/// Whether a language reads a text like the formula that it was printed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fidelity {
    /// It does, where signed overflow wraps around.
    Exact,
    /// It may not.
    Deviates,
}

/// A printed formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Printed {
    /// The text.
    pub(super) text: String,
    /// Whether the dialect reads the text like the formula.
    pub(super) fidelity: Fidelity,
}

/// Returns `term` in infix notation of C, or in SMT-LIB if it exceeds the limits.
pub(super) fn infix(pool: &TermPool, readings: &Readings<'_>, term: Term) -> String {
    printed(pool, readings, Dialect::C, term).text
}

/// Returns `term` in infix notation, or in SMT-LIB if it exceeds the limits.
pub(super) fn printed(pool: &TermPool, readings: &Readings<'_>, dialect: Dialect, term: Term) -> Printed {
    if pool.depth(term) > DEEPEST || pool.tree_size(term) > LARGEST {
        return Printed { text: print::term(pool, term), fidelity: Fidelity::Deviates };
    }
    let printer = Printer { pool, readings, dialect, fidelity: Cell::new(Fidelity::Exact) };
    let text = printer.expression(term, Representation::Signed).text;
    Printed { text, fidelity: printer.fidelity.get() }
}

/// Returns a formula in infix notation of C, or in SMT-LIB if it exceeds the limits, and the
/// formula over the names. `variable` returns the name and the signedness of a symbol.
pub(crate) fn c_text<'n>(
    pool: &mut TermPool,
    formula: Term,
    variable: &dyn Fn(Term) -> Option<(&'n str, Representation)>,
) -> (String, Term) {
    let mut readings = Readings::default();
    let named = pool.map_leaves(formula, &mut |pool, leaf| {
        let (name, representation) = variable(leaf)?;
        let sort = pool.sort(leaf);
        let symbol = pool.symbol_with(name, sort, representation);
        readings.signs.insert(symbol, representation);
        Some(symbol)
    });
    (infix(pool, &readings, named), named)
}

/// The precedence levels of C operators, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Comparison,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

pub(super) struct Text {
    pub(super) text: String,
    pub(super) level: Level,
}

pub(super) struct Printer<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) readings: &'a Readings<'a>,
    pub(super) dialect: Dialect,
    fidelity: Cell<Fidelity>,
}

impl Text {
    fn primary(text: String) -> Self {
        Text { text, level: Level::Primary }
    }

    /// Returns the text as an operand of an operator of `level`, parenthesized where necessary.
    pub(super) fn within(self, level: Level) -> String {
        // C does not need these parentheses, but many readers do.
        let is_confusing = matches!(
            (level, self.level),
            (Level::Or, Level::And)
                | (Level::BitOr | Level::BitXor | Level::BitAnd, Level::Sum | Level::Shift | Level::Product)
                | (Level::BitOr, Level::BitXor | Level::BitAnd)
                | (Level::BitXor, Level::BitAnd)
                | (Level::Shift, Level::Sum | Level::Product)
        );
        if self.level < level || is_confusing { format!("({})", self.text) } else { self.text }
    }

    /// Returns the text as an operand that is also parenthesized at its own level, for example the
    /// right operand of `-`.
    fn inside(self, level: Level) -> String {
        if self.level == level { format!("({})", self.text) } else { self.within(level) }
    }
}

impl Printer<'_> {
    /// Prints a term. `reading` is the signedness of its constants, unless an operator determines
    /// it.
    pub(super) fn expression(&self, term: Term, reading: Representation) -> Text {
        let text = self.unreduced(term, reading);
        let is_ring = matches!(self.pool.op(term), Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg);
        if self.dialect == Dialect::C || !is_ring {
            return text;
        }
        let reading = self.reading(term).unwrap_or(Representation::Signed);
        self.cast(self.pool.width(term), reading, &text.within(Level::Unary))
    }

    /// Prints a term. In ACSL, the value may differ from that of the term by a multiple of 2 to the
    /// power of its width, which sums and products of it allow.
    fn unreduced(&self, term: Term, reading: Representation) -> Text {
        if let Some(text) = self.widened(term) {
            return text;
        }
        let pool = self.pool;
        let load = self.load(term);
        if !self.is_faithful(term, load.as_ref()) {
            self.fidelity.set(Fidelity::Deviates);
        }
        if let Some(load) = load {
            return self.access(load);
        }
        let children = pool.children(term);
        match (pool.op(term), children) {
            (Op::True, _) => Text::primary("true".to_owned()),
            (Op::False, _) => Text::primary("false".to_owned()),
            (Op::BvConst(_), _) => self.constant(term, reading),
            (Op::IntConst(_), _) => number(pool.as_int(term).expect("an integer constant")),
            (Op::Symbol(id), _) => Text::primary(pool.symbol_data(id).name.clone()),
            (Op::Not, &[inner]) => self.negation(inner),
            (Op::And, operands) => self.chain(operands, "&&", Level::And, reading),
            (Op::Or, operands) => self.chain(operands, "||", Level::Or, reading),
            (Op::Eq, &[a, b]) => self
                .sign_test("==", a, b)
                .unwrap_or_else(|| self.comparison("==", Level::Equality, a, b, self.reading_of_both(a, b))),
            (Op::Xor, &[a, b]) => self.comparison("!=", Level::Equality, a, b, reading),
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = self.expression(condition, reading).inside(Level::Conditional);
                let then = self.expression(then, reading).inside(Level::Conditional);
                let otherwise = self.expression(otherwise, reading).inside(Level::Conditional);
                Text { text: format!("{condition} ? {then} : {otherwise}"), level: Level::Conditional }
            }
            (op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Lt | Op::Le), &[a, b]) => {
                let text = if matches!(op, Op::BvUlt | Op::BvSlt | Op::Lt) { "<" } else { "<=" };
                self.comparison(text, Level::Comparison, a, b, signedness(op))
            }
            (Op::BvAdd | Op::Add, operands) => self.sum(operands, reading),
            (Op::BvSub | Op::Sub, &[a, b]) => {
                let a = self.unreduced(a, reading).within(Level::Sum);
                let b = self.unreduced(b, reading).inside(Level::Sum);
                Text { text: format!("{a} - {b}"), level: Level::Sum }
            }
            (Op::BvMul | Op::Mul, operands) => self.product(operands, reading),
            (Op::BvNeg | Op::Neg, &[a]) => self.unary("-", a, reading),
            (Op::BvNot, &[a]) => self.unary("~", a, reading),
            (Op::BvAnd, operands) => self.chain(operands, "&", Level::BitAnd, Representation::Unsigned),
            (Op::BvOr, operands) => self.chain(operands, "|", Level::BitOr, Representation::Unsigned),
            (Op::BvXor, operands) => self.chain(operands, "^", Level::BitXor, Representation::Unsigned),
            (Op::BvShl, &[a, b]) => self.binary("<<", Level::Shift, a, b, reading),
            (op @ (Op::BvUdiv | Op::BvSdiv), &[a, b]) => self.marked("/", Level::Product, a, b, op),
            (op @ (Op::BvUrem | Op::BvSrem), &[a, b]) => self.marked("%", Level::Product, a, b, op),
            (op @ (Op::BvLshr | Op::BvAshr), &[a, b]) => self.marked(">>", Level::Shift, a, b, op),
            (Op::ZeroExtend(_), &[a]) => self.extension(term, a, Representation::Unsigned),
            (Op::SignExtend(_), &[a]) => self.extension(term, a, Representation::Signed),
            (Op::Extract { low: 0, .. }, &[a]) if matches!(pool.width(term), 8 | 16 | 32 | 64) => {
                let inner = self.expression(a, reading).within(Level::Unary);
                self.cast(pool.width(term), Representation::Unsigned, &inner)
            }
            (Op::Extract { high, low }, &[a]) => self.bits(a, high, low),
            (Op::Select, &[array, index]) => {
                let array = self.expression(array, reading).within(Level::Primary);
                Text::primary(format!("{array}[{}]", self.expression(index, Representation::Unsigned).text))
            }
            (Op::Apply(function), arguments) => {
                let arguments: Vec<String> =
                    arguments.iter().map(|&argument| self.expression(argument, reading).text).collect();
                Text::primary(format!("{}({})", pool.function_data(function).0, arguments.join(", ")))
            }
            _ => Text::primary(print::term(pool, term)),
        }
    }

    pub(super) fn load(&self, term: Term) -> Option<Load> {
        let is_candidate = matches!(self.pool.op(term), Op::Select | Op::Concat);
        self.readings.memory.as_ref().filter(|_| is_candidate)?.load(self.pool, term)
    }

    fn access(&self, load: Load) -> Text {
        match load {
            Load::Value { name, .. } => Text::primary(name),
            Load::Byte(object, index) => Text::primary(format!("((unsigned char *) &{object})[{index}]")),
            Load::Access { base, offset, size } => {
                let ty = match size {
                    1 => "char",
                    2 => "short",
                    4 => "int",
                    _ => "long long",
                };
                let base: Vec<String> = base
                    .iter()
                    .map(|&summand| self.expression(summand, Representation::Unsigned).within(Level::Sum))
                    .collect();
                let mut address = base.join(" + ");
                match (address.is_empty(), offset) {
                    (true, _) => address = format!("{offset:#x}"),
                    (false, 0) => {}
                    (false, 1..) => address.push_str(&format!(" + {offset}")),
                    (false, _) => address.push_str(&format!(" - {}", offset.unsigned_abs())),
                }
                let address = if address.contains(' ') { format!("({address})") } else { address };
                Text { text: format!("*(unsigned {ty} *) {address}"), level: Level::Unary }
            }
        }
    }

    /// Prints bits `high` to `low` of `a` as a number, with a shift and a mask.
    fn bits(&self, a: Term, high: u32, low: u32) -> Text {
        let is_cut = high + 1 < self.pool.width(a);
        let mut text = self.expression(a, Representation::Unsigned);
        if low > 0 {
            // A right shift of a negative number inserts sign bits. If high bits are cut off, the
            // mask removes them, and no cast to unsigned is needed.
            let shifted = match is_cut || self.reading(a) == Some(Representation::Unsigned) {
                true => text.within(Level::Shift),
                false => {
                    format!("{} {}", self.conversion(a, Representation::Unsigned), text.within(Level::Unary))
                }
            };
            text = Text { text: format!("{shifted} >> {low}"), level: Level::Shift };
        }
        if is_cut {
            let mask: BigInt = (BigInt::from(1) << (high - low + 1)) - 1;
            let mask = if mask < BigInt::from(10) { mask.to_string() } else { format!("{mask:#x}") };
            text = Text { text: format!("{} & {mask}", text.within(Level::BitAnd)), level: Level::BitAnd };
        }
        text
    }

    /// Prints a comparison (`==`, `!=`) of a sign bit with a constant as a comparison of the number
    /// with zero.
    fn sign_test(&self, operator: &str, a: Term, b: Term) -> Option<Text> {
        let (bit, constant) = if self.pool.is_constant(a) { (b, a) } else { (a, b) };
        let Op::Extract { high, low } = self.pool.op(bit) else { return None };
        let number = self.pool.children(bit)[0];
        if high != low || high + 1 != self.pool.width(number) {
            return None;
        }
        let is_negative = (self.pool.as_bv_u64(constant)? == 1) == (operator == "==");
        let is_cast = self.reading(number) == Some(Representation::Unsigned);
        let text = self.expression(number, Representation::Signed);
        let text = match is_cast {
            true => {
                format!("{} {}", self.conversion(number, Representation::Signed), text.within(Level::Unary))
            }
            false => text.within(Level::Shift),
        };
        let operator = if is_negative { "<" } else { ">=" };
        Some(Text { text: format!("{text} {operator} 0"), level: Level::Comparison })
    }

    fn negation(&self, inner: Term) -> Text {
        match (self.pool.op(inner), self.pool.children(inner)) {
            (Op::Eq, &[a, b]) => self
                .sign_test("!=", a, b)
                .unwrap_or_else(|| self.comparison("!=", Level::Equality, a, b, self.reading_of_both(a, b))),
            (op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Lt | Op::Le), &[a, b]) => {
                let text = if matches!(op, Op::BvUlt | Op::BvSlt | Op::Lt) { "<=" } else { "<" };
                self.comparison(text, Level::Comparison, b, a, signedness(op))
            }
            _ => self.unary("!", inner, Representation::Signed),
        }
    }

    fn constant(&self, term: Term, reading: Representation) -> Text {
        let bits = self.pool.as_bit_vector(term).expect("a bit-vector constant");
        match reading {
            Representation::Signed => number(&bits.to_signed()),
            Representation::Unsigned => number(&BigInt::from(bits.to_natural())),
        }
    }

    fn unary(&self, operator: &str, a: Term, reading: Representation) -> Text {
        let operand = self.expression(a, reading);
        // `--1` would be a decrement in C.
        let operand = if operand.text.starts_with('-') {
            format!("({})", operand.text)
        } else {
            operand.within(Level::Unary)
        };
        Text { text: format!("{operator}{operand}"), level: Level::Unary }
    }

    fn binary(&self, operator: &str, level: Level, a: Term, b: Term, reading: Representation) -> Text {
        let a = self.expression(a, reading).within(level);
        let b = self.expression(b, reading).inside(level);
        Text { text: format!("{a} {operator} {b}"), level }
    }

    fn chain(&self, operands: &[Term], operator: &str, level: Level, reading: Representation) -> Text {
        let operands: Vec<String> =
            operands.iter().map(|&operand| self.expression(operand, reading).within(level)).collect();
        Text { text: operands.join(&format!(" {operator} ")), level }
    }

    fn product(&self, operands: &[Term], reading: Representation) -> Text {
        let operands: Vec<String> =
            operands.iter().map(|&operand| self.unreduced(operand, reading).within(Level::Product)).collect();
        Text { text: operands.join(" * "), level: Level::Product }
    }

    /// Prints a sum, with the subtracted summands last.
    fn sum(&self, operands: &[Term], reading: Representation) -> Text {
        let (mut added, mut taken) = (Vec::new(), Vec::new());
        for &operand in operands {
            match (self.pool.op(operand), self.pool.children(operand)) {
                (Op::BvNeg | Op::Neg, &[inner]) => {
                    taken.push(self.unreduced(inner, reading).inside(Level::Sum));
                }
                (Op::BvConst(_) | Op::IntConst(_), _) => {
                    // Modulo the width, adding a large constant is subtracting a small one.
                    let text = self.expression(operand, Representation::Signed).text;
                    match text.strip_prefix('-') {
                        Some(positive) => taken.push(positive.to_owned()),
                        None => added.push(text),
                    }
                }
                _ => {
                    let text = self.unreduced(operand, reading);
                    // Constants come last among the added summands.
                    let place = added.iter().take_while(|other| !is_number(other)).count();
                    added.insert(place, text.within(Level::Sum));
                }
            }
        }
        let mut text = added.join(" + ");
        for taken in taken {
            text = match text.is_empty() {
                true => format!("-{taken}"),
                false => format!("{text} - {taken}"),
            };
        }
        Text { text, level: Level::Sum }
    }

    /// Prints a comparison of numbers of `wanted` signedness.
    fn comparison(&self, operator: &str, level: Level, a: Term, b: Term, wanted: Representation) -> Text {
        // A constant is printed as the right operand.
        let is_turned = level == Level::Equality && self.pool.is_constant(a);
        let (a, b) = if is_turned { (b, a) } else { (a, b) };
        let is_converted = level == Level::Equality && self.dialect == Dialect::C;
        if is_converted || !matches!(self.pool.sort(a), Sort::BitVec(_)) {
            let a = self.expression(a, wanted).inside(level);
            let b = self.expression(b, wanted).inside(level);
            return Text { text: format!("{a} {operator} {b}"), level };
        }
        let (a, b) = self.operands(level, a, b, wanted);
        Text { text: format!("{a} {operator} {b}"), level }
    }

    /// Prints a binary operator whose operands have the signedness of `op`.
    fn marked(&self, operator: &str, level: Level, a: Term, b: Term, op: Op) -> Text {
        let (a, b) = self.operands(level, a, b, signedness(op));
        Text { text: format!("{a} {operator} {b}"), level }
    }

    /// Prints two operands with the casts that make C apply the operator with signedness `wanted`.
    fn operands(&self, level: Level, a: Term, b: Term, wanted: Representation) -> (String, String) {
        let is_other = |term| self.reading(term).is_some_and(|reading| reading != wanted);
        // C promotes narrow operands to int and preserves their values.
        let is_promoted = self.pool.width(a) < INT;
        // C computes unsigned if one operand is unsigned, and signed only if both are signed.
        let (cast_a, cast_b) = match wanted {
            _ if is_promoted || self.dialect == Dialect::Acsl => (is_other(a), is_other(b)),
            Representation::Signed => (is_other(a), is_other(b)),
            Representation::Unsigned => {
                let is_said = self.reading(a) == Some(wanted) || self.reading(b) == Some(wanted);
                let is_left = self.reading(a).is_some() || self.reading(b).is_none();
                (!is_said && is_left, !is_said && !is_left)
            }
        };
        let operand = |term, is_cast, is_right| {
            let text = self.expression(term, wanted);
            match (is_cast, is_right) {
                (true, _) => format!("{} {}", self.conversion(term, wanted), text.within(Level::Unary)),
                (false, true) => text.inside(level),
                (false, false) => text.within(level),
            }
        };
        (operand(a, cast_a, false), operand(b, cast_b, true))
    }

    fn extension(&self, term: Term, inner: Term, wanted: Representation) -> Text {
        let text = self.expression(inner, wanted).within(Level::Unary);
        let is_said = self.reading(inner) == Some(wanted);
        let text = if is_said { text } else { format!("{} {text}", self.conversion(inner, wanted)) };
        self.cast(self.pool.width(term), wanted, &text)
    }

    /// Returns the cast that gives a number the signedness `wanted`.
    fn conversion(&self, term: Term, wanted: Representation) -> String {
        match self.pool.sort(term) {
            Sort::BitVec(width) if width != INT => self.cast_operator(width, wanted),
            _ => format!("({})", sign(wanted)),
        }
    }

    fn cast(&self, width: u32, reading: Representation, operand: &str) -> Text {
        Text { text: format!("{} {operand}", self.cast_operator(width, reading)), level: Level::Unary }
    }

    fn cast_operator(&self, width: u32, reading: Representation) -> String {
        let name = match width {
            8 => "char".to_owned(),
            16 => "short".to_owned(),
            32 => "int".to_owned(),
            64 => "long long".to_owned(),
            other => format!("_BitInt({other})"),
        };
        // The signedness of a plain `char` is implementation-defined; the other types are signed by
        // default.
        let name = match reading {
            Representation::Signed if width != 8 => name,
            reading => format!("{} {name}", sign(reading)),
        };
        format!("({name})")
    }

    /// Returns the signedness with which C reads a term; `None` if the term adopts the signedness
    /// of the other operand, as constants do.
    pub(super) fn reading(&self, term: Term) -> Option<Representation> {
        match self.load(term) {
            Some(Load::Value { representation, .. }) => return Some(representation),
            Some(Load::Byte(..) | Load::Access { .. }) => return Some(Representation::Unsigned),
            None => {}
        }
        let children = self.pool.children(term);
        match self.pool.op(term) {
            Op::Symbol(_) => self.readings.signs.get(&term).copied(),
            Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::ZeroExtend(_) | Op::Extract { .. } => {
                Some(Representation::Unsigned)
            }
            Op::BvSdiv | Op::BvSrem | Op::BvAshr | Op::SignExtend(_) => Some(Representation::Signed),
            Op::Select | Op::BvShl => self.reading(children[0]),
            Op::Ite => self.reading_among(&children[1..]),
            Op::BvNot | Op::BvNeg | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvSub | Op::BvMul => {
                self.reading_among(children)
            }
            _ => None,
        }
    }

    fn reading_among(&self, terms: &[Term]) -> Option<Representation> {
        let mut found = None;
        for &term in terms {
            match self.reading(term) {
                Some(Representation::Unsigned) => return Some(Representation::Unsigned),
                Some(Representation::Signed) => found = Some(Representation::Signed),
                None => {}
            }
        }
        found
    }

    pub(super) fn reading_of_both(&self, a: Term, b: Term) -> Representation {
        self.reading_among(&[a, b]).unwrap_or(Representation::Signed)
    }
}

fn signedness(op: Op) -> Representation {
    match op {
        Op::BvUlt | Op::BvUle | Op::BvUdiv | Op::BvUrem | Op::BvLshr => Representation::Unsigned,
        _ => Representation::Signed,
    }
}

fn sign(representation: Representation) -> &'static str {
    match representation {
        Representation::Signed => "signed",
        Representation::Unsigned => "unsigned",
    }
}

fn number(value: &BigInt) -> Text {
    let level = if value.is_negative() { Level::Unary } else { Level::Primary };
    Text { text: value.to_string(), level }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints the term that `make` builds over signed `x` and `y`, unsigned `n`, a byte `c`, an
    /// array `a`, and integers `i` and `j`.
    fn text(make: impl FnOnce(&mut TermPool, &dyn Fn(&mut TermPool, &str) -> Term) -> Term) -> String {
        let mut pool = TermPool::new();
        let array = pool.array_sort(Sort::BitVec(32), Sort::BitVec(32));
        let variables = [
            ("x", Sort::BitVec(32), Representation::Signed),
            ("y", Sort::BitVec(32), Representation::Signed),
            ("n", Sort::BitVec(32), Representation::Unsigned),
            ("c", Sort::BitVec(8), Representation::Unsigned),
            ("a", array, Representation::Signed),
            ("i", Sort::Int, Representation::Signed),
            ("j", Sort::Int, Representation::Signed),
        ];
        let mut readings = Readings::default();
        for (name, sort, representation) in variables {
            readings.signs.insert(pool.symbol_with(name, sort, representation), representation);
        }
        let named = move |pool: &mut TermPool, name: &str| {
            let (_, sort, _) = variables.iter().find(|(other, ..)| *other == name).expect("a variable");
            pool.symbol(name, *sort)
        };
        let term = make(&mut pool, &named);
        infix(&pool, &readings, term)
    }

    #[test]
    fn comparisons_say_their_signedness_where_c_would_not_take_it() {
        let compare =
            |left: &'static str, right: &'static str, make: fn(&mut TermPool, Term, Term) -> Term| {
                text(|pool, named| {
                    let (left, right) = (named(pool, left), named(pool, right));
                    make(pool, left, right)
                })
            };
        assert_eq!(compare("x", "y", TermPool::bv_slt), "x < y");
        assert_eq!(compare("x", "y", TermPool::bv_ult), "(unsigned) x < y");
        assert_eq!(compare("x", "n", TermPool::bv_ule), "x <= n");
        assert_eq!(compare("x", "n", TermPool::bv_sle), "x <= (signed) n");
        assert_eq!(compare("i", "j", TermPool::le), "i <= j");
        assert_eq!(compare("x", "y", TermPool::bv_udiv), "(unsigned) x / y");
        assert_eq!(compare("n", "y", TermPool::bv_sdiv), "(signed) n / y");
        assert_eq!(compare("a", "x", TermPool::select), "a[x]");
    }

    #[test]
    fn constants_are_read_as_their_neighbors() {
        let below = text(|pool, named| {
            let (x, ten) = (named(pool, "x"), pool.bv(32, 10));
            pool.bv_ult(x, ten)
        });
        assert_eq!(below, "(unsigned) x < 10");
        let negative = text(|pool, named| {
            let (x, minus) = (named(pool, "x"), pool.bv_i64(32, -3));
            pool.eq(x, minus)
        });
        assert_eq!(negative, "x == -3");
        let natural = text(|pool, named| {
            let (n, largest) = (named(pool, "n"), pool.bv_i64(32, -3));
            pool.bv_ult(n, largest)
        });
        assert_eq!(natural, "n < 4294967293");
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let nested = text(|pool, named| {
            let (x, y, n) = (named(pool, "x"), named(pool, "y"), named(pool, "n"));
            let (two, one) = (pool.bv(32, 2), pool.bv(32, 1));
            let sum = pool.bv_sub(x, one);
            let product = pool.bv_mul(two, sum);
            let equation = pool.eq(product, y);
            let less = pool.bv_slt(x, y);
            let masked = pool.bv_and(n, one);
            let is_even = pool.neq(masked, one);
            let either = pool.or2(less, is_even);
            pool.and2(equation, either)
        });
        assert_eq!(nested, "y == 2 * (x - 1) && (x < y || (n & 1) != 1)");
    }

    #[test]
    fn conversions_are_casts_and_the_rest_is_smt_lib() {
        let wide = text(|pool, named| {
            let (c, x) = (named(pool, "c"), named(pool, "x"));
            let c = pool.zero_extend(24, c);
            pool.bv_sle(c, x)
        });
        assert_eq!(wide, "(signed) (unsigned int) c <= x");
        let high = text(|pool, named| {
            let x = named(pool, "x");
            pool.extract(31, 16, x)
        });
        assert_eq!(high, "(unsigned) x >> 16");
        let middle = text(|pool, named| {
            let n = named(pool, "n");
            pool.extract(11, 4, n)
        });
        assert_eq!(middle, "(n >> 4) & 0xff");
        let odd = text(|pool, named| {
            let (x, one) = (named(pool, "x"), pool.bv(1, 1));
            let bit = pool.extract(0, 0, x);
            pool.eq(bit, one)
        });
        assert_eq!(odd, "(x & 1) == 1");
        let pair = text(|pool, named| {
            let c = named(pool, "c");
            pool.concat(c, c)
        });
        assert_eq!(pair, "(concat c c)");
    }

    #[test]
    fn a_sign_bit_is_a_comparison_with_zero() {
        let test = |name: &'static str, value: u64, is_negated: bool| {
            text(|pool, named| {
                let number = named(pool, name);
                let (bit, value) = (pool.extract(31, 31, number), pool.bv(1, value));
                let equation = pool.eq(bit, value);
                if is_negated { pool.not(equation) } else { equation }
            })
        };
        assert_eq!(test("x", 1, false), "x < 0");
        assert_eq!(test("x", 0, false), "x >= 0");
        assert_eq!(test("x", 1, true), "x >= 0");
        assert_eq!(test("n", 1, false), "(signed) n < 0");
    }
}
