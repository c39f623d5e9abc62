//! Translation of terms to signals, words and nodes.
//!
//! # Idea
//! Each distinct term is translated once, children first, without recursion: a Boolean term to a
//! signal, a bit vector to its bits, a number to a linear term, and a term of any other sort to a
//! node of the congruence closure. Arguments of functions are nodes whatever their sort.
//!
//! Integers and reals are linear terms (`numbers`); arguments and results of functions are nodes as
//! well.
//!
//! Arrays are nodes, and a read behaves like the result of a function (`arrays`).
//!
//! An `ite` between nodes is a node of its own that two clauses define, one per branch. The `ite`
//! term itself is its name: no symbol is introduced.
//!
//! Before any translation, [`supported`] checks the operators and sorts of a formula, so that an
//! unsupported formula leaves no trace.
//!
//! # Limits
//! At most [`LARGEST_GRAPH`] gates and bits of terms are created; larger formulas exceed the memory
//! limit. The time limit is checked between terms.

mod arrays;
mod numbers;

use super::bits::{self, Direction, Word};
use super::clauses::{ClauseSink, Tag};
use super::gates::{Gates, Signal};
use crate::prover::euf::Node;
use crate::prover::theory::{Combination, Name, Number, Source, kind_of};
use backends::support::Cache;
use backends::{Limits, Reason};
use rustc_hash::FxHashMap;
use terms::entity::SecondaryMap;
use terms::{Op, Sort, Symbol, Term, TermPool, operators, print};

/// Maximum number of gates, and of bits.
pub const LARGEST_GRAPH: usize = 1 << 28;

/// Number of terms translated between two checks of the limits.
const TERMS_BETWEEN_LOOKS: u32 = 64;

/// The translation of a term.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A Boolean term.
    Truth(Signal),
    /// A bit vector, as a range of bits; see [`Translator::bits`].
    Bits {
        /// The index of the first, least significant bit.
        start: u32,
        /// The index after the last bit.
        end: u32,
    },
    /// An integer or real.
    Number(Number),
    /// A term of another sort.
    Node(Node),
}

impl Meaning {
    fn signal(self) -> Signal {
        match self {
            Meaning::Truth(signal) => signal,
            _ => unreachable!("the operators of terms fit their sorts"),
        }
    }

    fn number(self) -> Number {
        match self {
            Meaning::Number(number) => number,
            _ => unreachable!("the operators of terms fit their sorts"),
        }
    }
}

/// Translates terms of one pool.
#[derive(Clone, Debug, Default)]
pub struct Translator {
    cache: Cache<Meaning>,
    arena: Vec<Signal>,
    /// The nodes of arguments of functions.
    nodes: FxHashMap<Term, Node>,
    symbols: SecondaryMap<Symbol, Option<Term>>,
    quotients: FxHashMap<(Term, Term), Number>,
    /// Bit vectors that were compared before both of them were nodes.
    compared: FxHashMap<Term, Vec<Term>>,
}

/// Checks that a formula can be translated.
///
/// # Errors
/// [`Reason::Unsupported`] with the first unsupported operator or sort.
pub fn supported(pool: &TermPool, formula: Term, translator: &Translator) -> Result<(), Reason> {
    let mut reason = None;
    pool.visit(
        &[formula],
        |term| translator.cache.get(term).is_none(),
        |term| {
            if reason.is_none() && translator.cache.get(term).is_none() {
                reason = unsupported(pool, term);
            }
        },
    );
    reason.map_or(Ok(()), |what| Err(Reason::Unsupported(what)))
}

/// The unsupported part of a term, apart from its children.
fn unsupported(pool: &TermPool, term: Term) -> Option<String> {
    let sorts = pool.children(term).iter().map(|&child| pool.sort(child));
    let sort = |sort| arrays::unsupported_sort(pool, sort);
    if let Some(reason) = std::iter::once(pool.sort(term)).chain(sorts).find_map(sort) {
        return Some(reason);
    }
    if let Some(reason) = numbers::nonlinear(pool, term) {
        return Some(reason.to_owned());
    }
    let op = pool.op(term);
    let is_known = match op {
        Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::Symbol(_)
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Ite
        | Op::Eq
        | Op::Apply(_)
        | Op::Select
        | Op::Store
        | Op::ConstArray(_) => true,
        _ => is_arithmetic(op) || is_bit_vector_operator(op),
    };
    if is_known {
        return None;
    }
    let mut name = String::from("the operator ");
    operators::write(&mut name, pool, op).expect("a string takes any text");
    Some(name)
}

fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::IntConst(_)
            | Op::RealConst(_)
            | Op::Add
            | Op::Sub
            | Op::Neg
            | Op::Mul
            | Op::IntDiv
            | Op::IntMod
            | Op::RealDiv
            | Op::Le
            | Op::Lt
            | Op::ToReal
            | Op::ToInt
    )
}

fn is_bit_vector_operator(op: Op) -> bool {
    matches!(
        op,
        Op::BvNot
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::Concat
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
    )
}

impl Translator {
    /// The translation of a term, if it exists.
    pub fn known(&self, term: Term) -> Option<Meaning> {
        self.cache.get(term)
    }

    /// The term of a symbol, if it has been translated.
    pub fn symbol(&self, symbol: Symbol) -> Option<Term> {
        self.symbols[symbol]
    }

    /// The bits of a bit vector.
    pub fn bits(&self, start: u32, end: u32) -> &[Signal] {
        &self.arena[start as usize..end as usize]
    }

    /// The signal of a formula that is [supported].
    ///
    /// # Errors
    /// The reason of an exceeded limit. Terms translated before are cached and complete.
    pub fn formula(
        &mut self,
        pool: &TermPool,
        formula: Term,
        theory: &mut Combination,
        sink: &mut impl ClauseSink,
        limits: &Limits,
    ) -> Result<Signal, Reason> {
        let Translator { cache, arena, nodes, symbols, quotients, compared } = self;
        let mut steps = 0;
        let meaning = cache.translate(pool, formula, |term, children| {
            steps += 1;
            if steps % TERMS_BETWEEN_LOOKS == 0
                && let Some(reason) = limits.exceeded()
            {
                return Err(reason);
            }
            let made = theory.gates.len().max(arena.len());
            if made.saturating_add(estimate(pool, term)) > LARGEST_GRAPH {
                return Err(Reason::Memory);
            }
            theory.begin(Tag::Definition(term));
            let mut builder = Builder { pool, theory, arena, nodes, symbols, quotients, compared, sink };
            let meaning = builder.build(term, children);
            if let (Meaning::Node(node), Sort::Array(sort)) = (meaning, pool.sort(term)) {
                theory.register_array(pool, node, sort);
            }
            Ok(meaning)
        })?;
        Ok(meaning.signal())
    }
}

/// The approximate number of gates for the operator of a term.
fn estimate(pool: &TermPool, term: Term) -> usize {
    let children = pool.children(term);
    let bits = |term: Term| match pool.sort(term) {
        Sort::BitVec(width) => width as usize,
        _ => 1,
    };
    let width = children.first().map_or(bits(term), |&first| bits(first));
    match pool.op(term) {
        Op::BvMul => width.saturating_mul(width).saturating_mul(2),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => width.saturating_mul(width).saturating_mul(3),
        Op::BvShl | Op::BvLshr | Op::BvAshr => width.saturating_mul(width.ilog2() as usize + 2),
        _ => width.saturating_mul(4).saturating_add(children.len()),
    }
}

/// Translates one term.
struct Builder<'a, S> {
    pool: &'a TermPool,
    theory: &'a mut Combination,
    arena: &'a mut Vec<Signal>,
    nodes: &'a mut FxHashMap<Term, Node>,
    symbols: &'a mut SecondaryMap<Symbol, Option<Term>>,
    /// The variables of integer quotients, by dividend and divisor.
    quotients: &'a mut FxHashMap<(Term, Term), Number>,
    compared: &'a mut FxHashMap<Term, Vec<Term>>,
    sink: &'a mut S,
}

impl<S: ClauseSink> Builder<'_, S> {
    fn build(&mut self, term: Term, children: &[Meaning]) -> Meaning {
        let pool = self.pool;
        match pool.op(term) {
            Op::True => Meaning::Truth(Signal::TRUE),
            Op::False => Meaning::Truth(Signal::FALSE),
            Op::BvConst(_) => {
                let value = pool.as_bit_vector(term).expect("a constant has a value");
                self.word(&bits::constant(&value))
            }
            Op::Symbol(symbol) => {
                self.symbols[symbol] = Some(term);
                match pool.sort(term) {
                    sort @ (Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real) => self.inputs(term, sort),
                    _ => Meaning::Node(self.theory.leaf(term)),
                }
            }
            Op::Not => Meaning::Truth(!children[0].signal()),
            Op::And => Meaning::Truth(self.theory.gates.and(children.iter().map(|child| child.signal()))),
            Op::Or => Meaning::Truth(self.theory.gates.or(children.iter().map(|child| child.signal()))),
            Op::Xor => Meaning::Truth(self.theory.gates.xor(children[0].signal(), children[1].signal())),
            Op::Ite => self.choice(term, children[0].signal(), children[1], children[2]),
            Op::Eq => match *children {
                [Meaning::Number(left), Meaning::Number(right)] => {
                    let children = pool.children(term);
                    Meaning::Truth(self.number_equality([children[0], children[1]], [left, right]))
                }
                [left @ Meaning::Bits { .. }, right] => {
                    let children = pool.children(term);
                    Meaning::Truth(self.word_equality([children[0], children[1]], left, right))
                }
                _ => Meaning::Truth(self.equality(children[0], children[1])),
            },
            Op::Apply(function) => self.application(term, function.0, children),
            op @ (Op::Select | Op::Store | Op::ConstArray(_)) => self.array(op, term, children),
            op if is_arithmetic(op) => self.arithmetic(op, term, children),
            op => self.bit_vector(op, term, children),
        }
    }

    /// Creates a free variable for each bit of a term, or a number.
    fn inputs(&mut self, term: Term, sort: Sort) -> Meaning {
        if let Some(kind) = kind_of(sort) {
            let variable = self.theory.number_variable(Name::Term(term), kind);
            return Meaning::Number(self.theory.number(variable));
        }
        match sort {
            Sort::Bool => Meaning::Truth(self.theory.input(Source::Truth(term))),
            Sort::BitVec(width) => {
                let word: Word = (0..width).map(|bit| self.theory.input(Source::Bit(term, bit))).collect();
                self.word(&word)
            }
            sort => unreachable!("{sort:?} should be refused or have nodes"),
        }
    }

    fn choice(&mut self, term: Term, condition: Signal, then: Meaning, otherwise: Meaning) -> Meaning {
        match (then, otherwise) {
            (Meaning::Truth(then), Meaning::Truth(otherwise)) => {
                Meaning::Truth(self.theory.gates.ite(condition, then, otherwise))
            }
            (Meaning::Number(then), Meaning::Number(otherwise)) => {
                Meaning::Number(self.number_choice(term, condition, then, otherwise))
            }
            (Meaning::Node(then), Meaning::Node(otherwise)) => {
                if let Some(value) = condition.as_constant() {
                    return Meaning::Node(if value { then } else { otherwise });
                }
                let node = self.theory.leaf(term);
                let tag = self.theory.begin(Tag::Definition(term));
                for (condition, branch) in [(condition, then), (!condition, otherwise)] {
                    let same = self.theory.equality(node, branch, self.sink);
                    let holds = self.theory.gates.or2(!condition, same);
                    let Combination { encoder, gates, .. } = &mut *self.theory;
                    encoder.require(gates, None, holds, tag, self.sink);
                }
                Meaning::Node(node)
            }
            (then, otherwise) => {
                let (then, otherwise) = (self.bits(then), self.bits(otherwise));
                let word = bits::ite(&mut self.theory.gates, condition, &then, &otherwise);
                self.word(&word)
            }
        }
    }

    fn equality(&mut self, left: Meaning, right: Meaning) -> Signal {
        match (left, right) {
            (Meaning::Truth(left), Meaning::Truth(right)) => self.theory.gates.iff(left, right),
            (Meaning::Node(left), Meaning::Node(right)) => self.theory.equality(left, right, self.sink),
            _ => unreachable!("the operators of terms fit their sorts"),
        }
    }

    /// An equality of bit vectors. If both are nodes of the closure, now or later, it is an atom of
    /// the closure.
    fn word_equality(&mut self, terms: [Term; 2], left: Meaning, right: Meaning) -> Signal {
        let [one, other] = terms.map(|term| self.nodes.get(&term).copied());
        if let (Some(one), Some(other)) = (one, other) {
            return self.theory.equality(one, other, self.sink);
        }
        self.compared.entry(terms[0]).or_default().push(terms[1]);
        self.compared.entry(terms[1]).or_default().push(terms[0]);
        let (left, right) = (self.bits(left), self.bits(right));
        self.theory.equal_bits(&left, &right)
    }

    /// Creates atoms for the equalities of a bit vector that just became a node.
    fn compare(&mut self, term: Term, node: Node) {
        for other in self.compared.remove(&term).unwrap_or_default() {
            match self.nodes.get(&other) {
                Some(&known) => {
                    self.theory.begin(Tag::Equality(term, other));
                    self.theory.equality(node, known, self.sink);
                    self.theory.begin(Tag::Definition(term));
                }
                None => self.compared.entry(term).or_default().push(other),
            }
        }
    }

    /// The nodes of the children of `term`.
    fn arguments(&mut self, term: Term, children: &[Meaning]) -> Vec<Node> {
        let pool = self.pool;
        let arguments = pool.children(term).iter().zip(children);
        let arguments = arguments.map(|(&child, &meaning)| self.argument(child, meaning)).collect();
        // The arguments may have been defined under their own tags.
        self.theory.begin(Tag::Definition(term));
        arguments
    }

    fn application(&mut self, term: Term, function: u32, children: &[Meaning]) -> Meaning {
        let arguments = self.arguments(term, children);
        let node = self.theory.apply(term, function, &arguments);
        self.result(term, node)
    }

    /// The unconstrained result of a function or read.
    fn result(&mut self, term: Term, node: Node) -> Meaning {
        let pool = self.pool;
        let meaning = match pool.sort(term) {
            sort @ (Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real) => self.inputs(term, sort),
            _ => return Meaning::Node(node),
        };
        match meaning {
            Meaning::Number(number) => {
                let kind = kind_of(pool.sort(term)).expect("it is a number");
                self.theory.connect_number(node, kind, number);
            }
            Meaning::Truth(signal) => self.theory.connect_truth(node, signal, self.sink),
            _ => {
                let word = self.bits(meaning);
                self.theory.connect_word(node, &word, self.sink);
                self.compare(term, node);
            }
        }
        self.nodes.insert(term, node);
        meaning
    }

    /// The node of an argument of a function.
    fn argument(&mut self, term: Term, meaning: Meaning) -> Node {
        if let Meaning::Node(node) = meaning {
            return node;
        }
        if let Some(&node) = self.nodes.get(&term) {
            return node;
        }
        self.theory.begin(Tag::Definition(term));
        let node = match meaning {
            Meaning::Number(number) => {
                let kind = kind_of(self.pool.sort(term)).expect("it is a number");
                self.theory.number_node(term, kind, number)
            }
            Meaning::Truth(signal) => match signal.as_constant() {
                Some(value) => self.theory.truth(value),
                None => self.theory.boolean(term, signal, self.sink),
            },
            meaning => {
                let word = self.bits(meaning);
                let node = self.theory.word(term, &word, self.sink);
                self.compare(term, node);
                node
            }
        };
        self.nodes.insert(term, node);
        node
    }

    fn bit_vector(&mut self, op: Op, term: Term, children: &[Meaning]) -> Meaning {
        let a = self.bits(children[0]);
        let b = children.get(1).map_or_else(Word::new, |&child| self.bits(child));
        let gates = &mut self.theory.gates;
        if let Some(truth) = comparison(gates, op, &a, &b) {
            return Meaning::Truth(truth);
        }
        let width = self.pool.width(term) as usize;
        let word = operation(gates, op, width, &a, &b);
        if op == Op::BvAdd {
            self.theory.note_sum(&word, &a, &b);
            self.theory.note_sum(&word, &b, &a);
        }
        self.word(&word)
    }

    fn bits(&self, meaning: Meaning) -> Word {
        match meaning {
            Meaning::Bits { start, end } => self.arena[start as usize..end as usize].to_vec(),
            _ => unreachable!("the operators of terms fit their sorts"),
        }
    }

    fn word(&mut self, word: &[Signal]) -> Meaning {
        let index = |length: usize| u32::try_from(length).expect("there are fewer than 2^32 bits");
        let start = index(self.arena.len());
        self.arena.extend_from_slice(word);
        Meaning::Bits { start, end: index(self.arena.len()) }
    }
}

/// A comparison of bit vectors, if `op` is one.
fn comparison(gates: &mut Gates, op: Op, a: &[Signal], b: &[Signal]) -> Option<Signal> {
    Some(match op {
        Op::BvUlt => bits::less(gates, a, b, Signal::FALSE),
        Op::BvUle => bits::less(gates, a, b, Signal::TRUE),
        Op::BvSlt => bits::signed_less(gates, a, b, Signal::FALSE),
        Op::BvSle => bits::signed_less(gates, a, b, Signal::TRUE),
        _ => return None,
    })
}

/// An operator whose result is a bit vector of `width` bits.
fn operation(gates: &mut Gates, op: Op, width: usize, a: &[Signal], b: &[Signal]) -> Word {
    let extended = |fill: Signal| {
        let mut word = a.to_vec();
        word.resize(width, fill);
        word
    };
    match op {
        Op::BvNot => bits::not(a),
        Op::BvNeg => bits::neg(gates, a),
        Op::BvAnd => bits::map2(gates, a, b, Gates::and2),
        Op::BvOr => bits::map2(gates, a, b, Gates::or2),
        Op::BvXor => bits::map2(gates, a, b, Gates::xor),
        Op::BvAdd => bits::add(gates, a, b, Signal::FALSE),
        Op::BvSub => bits::sub(gates, a, b),
        Op::BvMul => bits::mul(gates, a, b),
        Op::BvUdiv => bits::divide(gates, a, b).0,
        Op::BvUrem => bits::divide(gates, a, b).1,
        Op::BvSdiv => bits::signed_quotient(gates, a, b),
        Op::BvSrem => bits::signed_remainder(gates, a, b),
        Op::BvShl => bits::shift(gates, Direction::Left, a, b, Signal::FALSE),
        Op::BvLshr => bits::shift(gates, Direction::Right, a, b, Signal::FALSE),
        Op::BvAshr => bits::shift(gates, Direction::Right, a, b, bits::sign(a)),
        Op::Concat => b.iter().chain(a).copied().collect(),
        Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
        Op::ZeroExtend(_) => extended(Signal::FALSE),
        Op::SignExtend(_) => extended(bits::sign(a)),
        op => unreachable!("{op:?} should be refused"),
    }
}
