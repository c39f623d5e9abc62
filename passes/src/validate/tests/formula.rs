//! Handwritten invariants: formulas over the names of a program's variables, as mutable trees.

use program::ssa::Block;
use std::collections::BTreeMap;
use terms::{Representation, Sort, Term, TermPool};
use views::blocks::Origin;

/// `(and (<=u i n) (== y (* 2 i)))`: names, numbers, and applications. Comparisons end in `u` or
/// `s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    Name(String),
    Number(i64),
    App(&'static str, Vec<Expr>),
}

/// The representation of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    BitVectors,
    Integers,
}

/// A variable that is live at a cut point.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) name: String,
    pub(super) origin: Origin,
    pub(super) sort: Sort,
    pub(super) representation: Representation,
}

/// The symbols of the invariants built so far.
pub(super) type Symbols = BTreeMap<Term, Origin>;

const OPERATORS: &[&str] =
    &["and", "or", "not", "true", "false", "==", "<=u", "<u", "<=s", "<s", "+", "-", "*", "&"];

/// Comparisons.
pub(super) const LITERALS: &[&str] = &["==", "<=u", "<u", "<=s", "<s"];

pub(super) fn parse(text: &str) -> Expr {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    let expression = parse_tokens(&mut tokens);
    assert_eq!(tokens.next(), None, "`{text}` is one expression");
    expression
}

fn parse_tokens<'t>(tokens: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> Expr {
    let operator = |token: &str| OPERATORS.iter().copied().find(|known| *known == token);
    match tokens.next().expect("an expression") {
        "(" => {
            let name = operator(tokens.next().expect("an operator")).expect("a known operator");
            let mut arguments = Vec::new();
            while *tokens.peek().expect("a closing parenthesis") != ")" {
                arguments.push(parse_tokens(tokens));
            }
            tokens.next();
            Expr::App(name, arguments)
        }
        token => match token.parse() {
            Ok(number) => Expr::Number(number),
            Err(_) => match operator(token) {
                Some(constant) => Expr::App(constant, Vec::new()),
                None => Expr::Name(token.to_owned()),
            },
        },
    }
}

/// The formula of `expression` at `block` over the variables `live`, all of `width` bits.
pub(super) fn build(
    pool: &mut TermPool,
    symbols: &mut Symbols,
    expression: &Expr,
    live: &[Live],
    numbers: Numbers,
    width: u32,
) -> Term {
    let (name, arguments) = match expression {
        Expr::Name(name) => {
            let live = live.iter().find(|live| live.name == *name);
            let live = live.unwrap_or_else(|| panic!("`{name}` is not live"));
            let sort = if numbers == Numbers::Integers { Sort::Int } else { live.sort };
            let symbol = pool.symbol_with(&format!("hand.{name}"), sort, live.representation);
            symbols.insert(symbol, live.origin);
            return symbol;
        }
        Expr::Number(number) if numbers == Numbers::Integers => return pool.int(*number),
        Expr::Number(number) => return pool.bv_i64(width, *number),
        Expr::App(name, arguments) => (*name, arguments),
    };
    let built: Vec<Term> =
        arguments.iter().map(|argument| build(pool, symbols, argument, live, numbers, width)).collect();
    match (name, numbers, built.as_slice()) {
        ("and", _, _) => pool.and(&built),
        ("or", _, _) => pool.or(&built),
        ("not", _, [a]) => pool.not(*a),
        ("true", ..) => pool.tru(),
        ("false", ..) => pool.fls(),
        ("==", _, [a, b]) => pool.eq(*a, *b),
        ("<=u" | "<=s", Numbers::Integers, [a, b]) => pool.le(*a, *b),
        ("<u" | "<s", Numbers::Integers, [a, b]) => pool.lt(*a, *b),
        ("+", Numbers::Integers, [a, b]) => pool.add(&[*a, *b]),
        ("-", Numbers::Integers, [a, b]) => pool.sub(*a, *b),
        ("*", Numbers::Integers, [a, b]) => pool.mul(*a, *b),
        ("<=u", _, [a, b]) => pool.bv_ule(*a, *b),
        ("<u", _, [a, b]) => pool.bv_ult(*a, *b),
        ("<=s", _, [a, b]) => pool.bv_sle(*a, *b),
        ("<s", _, [a, b]) => pool.bv_slt(*a, *b),
        ("+", _, [a, b]) => pool.bv_add(*a, *b),
        ("-", _, [a, b]) => pool.bv_sub(*a, *b),
        ("*", _, [a, b]) => pool.bv_mul(*a, *b),
        ("&", Numbers::BitVectors, [a, b]) => pool.bv_and(*a, *b),
        ("&", Numbers::Integers, _) => {
            let function = pool.function_symbol("int.and", &[Sort::Int, Sort::Int], Sort::Int);
            pool.apply(function, &built)
        }
        other => panic!("no such application: {other:?}"),
    }
}

/// Invariants by block, before translation to terms.
pub(super) type Written = BTreeMap<Block, Expr>;

impl Expr {
    /// The number of nodes.
    pub(super) fn size(&self) -> usize {
        match self {
            Expr::App(_, arguments) => 1 + arguments.iter().map(Expr::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// The node with number `index` in preorder.
    pub(super) fn at_mut(&mut self, mut index: usize) -> &mut Expr {
        if index == 0 {
            return self;
        }
        index -= 1;
        let Expr::App(_, arguments) = self else { panic!("the index is below the size") };
        for argument in arguments {
            let size = argument.size();
            if index < size {
                return argument.at_mut(index);
            }
            index -= size;
        }
        panic!("the index is below the size")
    }

    pub(super) fn is_literal(&self) -> bool {
        matches!(self, Expr::App(name, _) if LITERALS.contains(name))
    }
}
