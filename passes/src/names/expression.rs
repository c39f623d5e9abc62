//! Expressions over the variables of the source, in the notation of C: the syntax.
//!
//! The notation is the one in which certificates print formulas: the operators of C on numbers
//! without side effects, casts to integer types, `?:`, `true` and `false`. A name may have the
//! parts that the names of a program have: `main::i` is the variable `i` of `main`, `s.x` a member,
//! `a[3]` an element, `i#2` a second value of `i`.
//!
//! The width of `long` depends on the data model, and the signedness of `char` on the machine;
//! these types have to be written as `int` or `long long`, and with `signed` or `unsigned`.

use num_bigint::BigInt;
use terms::Representation;

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expression {
    /// `true` or `false`.
    Truth(bool),
    /// An integer.
    Number(BigInt),
    /// A variable.
    Name(String),
    /// `!e`, `-e` or `~e`.
    Unary(Unary, Box<Expression>),
    /// A binary operator.
    Binary(Binary, Box<[Expression; 2]>),
    /// `(type) e`.
    Cast(IntegerType, Box<Expression>),
    /// `condition ? then : otherwise`.
    Conditional(Box<[Expression; 3]>),
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct IntegerType {
    /// Its width in bits.
    pub(super) width: u32,
    /// Its signedness.
    pub(super) signedness: Representation,
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Unary {
    /// `!`.
    Not,
    /// `-`.
    Minus,
    /// `~`.
    Complement,
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Binary {
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `&`.
    BitAnd,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `<<`.
    Left,
    /// `>>`.
    Right,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Times,
    /// `/`.
    Quotient,
    /// `%`.
    Remainder,
}

/// The binary operators with their precedence levels, from the loosest; longer symbols first.
const BINARY: &[(&str, u8, Binary)] = &[
    ("||", 1, Binary::Or),
    ("&&", 2, Binary::And),
    ("==", 6, Binary::Equal),
    ("!=", 6, Binary::Unequal),
    ("<<", 8, Binary::Left),
    (">>", 8, Binary::Right),
    ("<=", 7, Binary::AtMost),
    (">=", 7, Binary::AtLeast),
    ("<", 7, Binary::Less),
    (">", 7, Binary::Greater),
    ("|", 3, Binary::BitOr),
    ("^", 4, Binary::BitXor),
    ("&", 5, Binary::BitAnd),
    ("+", 9, Binary::Plus),
    ("-", 9, Binary::Minus),
    ("*", 10, Binary::Times),
    ("/", 10, Binary::Quotient),
    ("%", 10, Binary::Remainder),
];

/// The words of integer types.
const TYPE_WORDS: &[&str] = &["signed", "unsigned", "char", "short", "int", "long", "_BitInt"];

/// The largest number of operators and operands of an expression. It also bounds the recursion over
/// an expression.
const LARGEST: usize = 1_000;
/// The largest depth of parentheses and prefix operators.
const DEEPEST: usize = 200;

/// An error in the text of an expression.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The offset of the error in bytes.
    pub at: usize,
    /// The error.
    pub message: String,
}

/// Reads an expression.
///
/// # Errors
/// If the text is no expression.
pub(super) fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser { text, at: 0, size: 0, depth: 0 };
    let expression = parser.conditional()?;
    match parser.rest() {
        "" => Ok(expression),
        _ => Err(parser.expected("an operator or the end of the expression")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// The number of operators and operands so far.
    size: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// Returns the text after white space.
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn accepts(&mut self, symbol: &str) -> bool {
        let is_there = self.rest().starts_with(symbol);
        if is_there {
            self.at += symbol.len();
        }
        is_there
    }

    fn requires(&mut self, symbol: &str) -> Result<(), SyntaxError> {
        if self.accepts(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at: self.at, message: message.into() }
    }

    fn expected(&mut self, what: &str) -> SyntaxError {
        let rest = self.rest();
        let end = rest.char_indices().nth(20).map_or(rest.len(), |(end, _)| end);
        match &rest[..end] {
            "" => self.error(format!("expected {what} at the end")),
            found => self.error(format!("expected {what} at `{found}`")),
        }
    }

    fn counted(&mut self, expression: Expression) -> Result<Expression, SyntaxError> {
        self.size += 1;
        if self.size > LARGEST { Err(self.error("the expression is too large")) } else { Ok(expression) }
    }

    /// Reads a part that is one level deeper.
    fn deeper<T>(&mut self, read: fn(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the expression is nested too deeply"));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn conditional(&mut self) -> Result<Expression, SyntaxError> {
        let condition = self.binary(0)?;
        if !self.accepts("?") {
            return Ok(condition);
        }
        let then = self.deeper(Self::conditional)?;
        self.requires(":")?;
        let otherwise = self.deeper(Self::conditional)?;
        self.counted(Expression::Conditional(Box::new([condition, then, otherwise])))
    }

    /// Reads operators of a level above `level`, by precedence climbing.
    fn binary(&mut self, level: u8) -> Result<Expression, SyntaxError> {
        let mut left = self.prefix()?;
        loop {
            let rest = self.rest();
            let Some(&(symbol, own, operator)) = BINARY.iter().find(|row| rest.starts_with(row.0)) else {
                return Ok(left);
            };
            if own <= level {
                return Ok(left);
            }
            self.at += symbol.len();
            let right = self.binary(own)?;
            left = self.counted(Expression::Binary(operator, Box::new([left, right])))?;
        }
    }

    fn prefix(&mut self) -> Result<Expression, SyntaxError> {
        for (symbol, operator) in [("!", Unary::Not), ("-", Unary::Minus), ("~", Unary::Complement)] {
            if self.accepts(symbol) {
                let operand = self.deeper(Self::prefix)?;
                return self.counted(Expression::Unary(operator, Box::new(operand)));
            }
        }
        if !self.accepts("(") {
            return self.primary();
        }
        let word = word(self.rest());
        if TYPE_WORDS.contains(&word) {
            let ty = self.integer_type()?;
            self.requires(")")?;
            let operand = self.deeper(Self::prefix)?;
            return self.counted(Expression::Cast(ty, Box::new(operand)));
        }
        let inner = self.deeper(Self::conditional)?;
        self.requires(")")?;
        Ok(inner)
    }

    fn integer_type(&mut self) -> Result<IntegerType, SyntaxError> {
        let (start, mut words, mut bits) = (self.at, Vec::new(), None);
        loop {
            let next = word(self.rest());
            if !TYPE_WORDS.contains(&next) {
                break;
            }
            self.at += next.len();
            if next == "_BitInt" {
                self.requires("(")?;
                let digits = digits(self.rest());
                self.at += digits.len();
                self.requires(")")?;
                bits = digits.parse().ok().filter(|bits| (1..=1 << 16).contains(bits));
            }
            words.push(next);
        }
        let explicit = match words.first() {
            Some(&"signed") => Some(Representation::Signed),
            Some(&"unsigned") => Some(Representation::Unsigned),
            _ => None,
        };
        let base = &words[usize::from(explicit.is_some())..];
        let width = match (base, explicit, bits) {
            (["char"], Some(_), _) => 8,
            (["short"] | ["short", "int"], ..) => 16,
            ([] | ["int"], ..) => 32,
            (["long", "long"] | ["long", "long", "int"], ..) => 64,
            (["_BitInt"], _, Some(bits)) => bits,
            _ => {
                let name = self.text[start..self.at].trim();
                let message = match base {
                    ["char"] => "the signedness of `char` is open: write `signed char` or `unsigned char`",
                    ["long"] => "the width of `long` is open: write `int` or `long long`",
                    _ => &format!("`{name}` is not an integer type"),
                };
                return Err(SyntaxError { at: start, message: message.to_owned() });
            }
        };
        Ok(IntegerType { width, signedness: explicit.unwrap_or(Representation::Signed) })
    }

    fn primary(&mut self) -> Result<Expression, SyntaxError> {
        let rest = self.rest();
        let digits = digits(rest);
        if !digits.is_empty() {
            let hexadecimal = rest.strip_prefix("0x");
            let (length, number) = match hexadecimal {
                Some(after) => {
                    let end = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len());
                    (2 + end, BigInt::parse_bytes(&after.as_bytes()[..end], 16))
                }
                None => (digits.len(), BigInt::parse_bytes(digits.as_bytes(), 10)),
            };
            let Some(number) = number else { return Err(self.expected("a number")) };
            self.at += length;
            return self.counted(Expression::Number(number));
        }
        let name = name(rest);
        self.at += name.len();
        match name {
            "" => Err(self.expected("an operand")),
            "true" | "false" => self.counted(Expression::Truth(name == "true")),
            _ => self.counted(Expression::Name(name.to_owned())),
        }
    }
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The digits at the start of a text.
fn digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// The word at the start of a text, or the empty text.
fn word(text: &str) -> &str {
    if text.starts_with(|c: char| c.is_numeric()) {
        return "";
    }
    &text[..text.find(|c: char| !is_in_word(c)).unwrap_or(text.len())]
}

/// The name at the start of a text, with its parts, or the empty text.
fn name(text: &str) -> &str {
    let mut end = word(text).len();
    if end == 0 {
        return "";
    }
    loop {
        let rest = &text[end..];
        let part = if let Some(after) = rest.strip_prefix("::") {
            2 + word(after).len()
        } else if let Some(after) = rest.strip_prefix('.') {
            1 + word(after).len()
        } else if let Some(after) = rest.strip_prefix('#') {
            1 + digits(after).len()
        } else if let Some(after) = rest.strip_prefix('[') {
            match digits(after).len() {
                0 => 1,
                length if after[length..].starts_with(']') => length + 2,
                _ => 1,
            }
        } else {
            1
        };
        // A separator alone is no part.
        let separator = if rest.starts_with("::") { 2 } else { 1 };
        if part <= separator {
            return &text[..end];
        }
        end += part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match parse(text) {
            Ok(expression) => show(&expression),
            Err(error) => format!("{}: {error}", error.at),
        }
    }

    fn show(expression: &Expression) -> String {
        match expression {
            Expression::Truth(truth) => truth.to_string(),
            Expression::Number(number) => number.to_string(),
            Expression::Name(name) => name.clone(),
            Expression::Unary(operator, inner) => format!("{operator:?}({})", show(inner)),
            Expression::Binary(operator, operands) => {
                format!("{operator:?}({}, {})", show(&operands[0]), show(&operands[1]))
            }
            Expression::Cast(ty, inner) => format!("{:?}{}({})", ty.signedness, ty.width, show(inner)),
            Expression::Conditional(parts) => {
                format!("If({}, {}, {})", show(&parts[0]), show(&parts[1]), show(&parts[2]))
            }
        }
    }

    #[test]
    fn operators_have_the_precedence_of_c() {
        assert_eq!(read("a + 2 * b <= c && !d || e"), "Or(And(AtMost(Plus(a, Times(2, b)), c), Not(d)), e)");
        assert_eq!(read("a - b - c == 0"), "Equal(Minus(Minus(a, b), c), 0)");
        assert_eq!(read("x & 1 ? -y : ~z << 2"), "If(BitAnd(x, 1), Minus(y), Left(Complement(z), 2))");
        assert_eq!(read("(n >> 4) & 0xff"), "BitAnd(Right(n, 4), 255)");
    }

    #[test]
    fn casts_are_types_in_parentheses() {
        assert_eq!(read("(unsigned) x < 10"), "Less(Unsigned32(x), 10)");
        assert_eq!(read("(long long) (unsigned char) c"), "Signed64(Unsigned8(c))");
        assert_eq!(read("(unsigned _BitInt(9)) x"), "Unsigned9(x)");
        assert_eq!(read("(x) < 10"), "Less(x, 10)");
        assert!(read("(char) c == 1").starts_with("1: the signedness of `char` is open"));
        assert!(read("(unsigned long) c == 1").starts_with("1: the width of `long` is open"));
    }

    #[test]
    fn names_have_the_parts_of_the_source() {
        assert_eq!(read("main::i#2 == s.x[3]"), "Equal(main::i#2, s.x[3])");
        assert_eq!(read("c ? a : b"), "If(c, a, b)");
        assert_eq!(read("a[i] == 0"), "1: expected an operator or the end of the expression at `[i] == 0`");
    }

    #[test]
    fn mistakes_have_a_place() {
        assert_eq!(read("i <="), "4: expected an operand at the end");
        assert_eq!(read("(i < 3"), "6: expected `)` at the end");
        assert_eq!(read("i = 3"), "2: expected an operator or the end of the expression at `= 3`");
        assert_eq!(read("f(x)"), "1: expected an operator or the end of the expression at `(x)`");
        assert_eq!(read("3x"), "1: expected an operator or the end of the expression at `x`");
        assert!(read(&"(".repeat(1000)).ends_with("nested too deeply"));
        assert!(read(&vec!["1"; 5000].join("+")).ends_with("too large"));
    }
}
