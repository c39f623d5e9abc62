//! Word-level model checking problems in BTOR2 (Niemetz, Preiner, Wolf, Biere, *BTOR2, BtorMC and
//! Boolector 3.0*, CAV 2018) as Horn clauses.
//!
//! # Grammar
//! A file consists of lines; `;` starts a comment. A line that is not empty is a node: a positive
//! number that no other node has, an operator, its operands, and an optional name, which states,
//! inputs and properties keep.
//!
//! ```text
//! node    ::= id "sort" ("bitvec" width | "array" sort sort)
//!           | id ("input" | "state") sort
//!           | id ("init" | "next") sort state value
//!           | id ("bad" | "constraint" | "fair" | "output") value
//!           | id ("one" | "ones" | "zero") sort
//!           | id ("const" | "constd" | "consth") sort digits
//!           | id ("uext" | "sext") sort value bits | id "slice" sort value high low
//!           | id operator sort value …
//! value   ::= a number of a node, or its negation, which means the complement of all bits
//! ```
//!
//! # Meaning
//! The states are the arguments of one relation. `init` nodes and the constraints make its fact,
//! `next` nodes and the constraints its rule, and each `bad` node a query, under the constraints:
//! they hold in every frame up to the bad one. A state without `init` or `next` has any value
//! there. Inputs are variables of the clauses; an initial value has none, and depends on no state
//! but those that were defined before, as the reference parser requires.
//!
//! `output` has no effect, and neither has `fair`, which only concerns liveness. `justice` is not
//! supported: Horn clauses express safety.
//!
//! # Cost
//! Linear in the size of the file, except that each `bad` node visits its condition and the
//! constraints.

use super::{Dialect, HornFile};
use crate::smtlib::limits::{BIT_VECTOR_WIDTH, NUMERAL_DIGITS};
use grammars::source::{Diagnostic, FileId, SourceMap, Span};
use horn::{Argument, Normalizer, OpenClause, RelationData, Signatures, System};
use num_bigint::{BigInt, BigUint};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{BitVector, Op, Representation, Sort, Term, TermPool};

/// Whether the text is BTOR2: its first word is a number, which no SMT-LIB script starts with.
pub(super) fn is_btor2(text: &[u8]) -> bool {
    for line in text.split(|&byte| byte == b'\n') {
        match line.iter().find(|byte| !byte.is_ascii_whitespace()) {
            None | Some(b';') => {}
            Some(first) => return first.is_ascii_digit(),
        }
    }
    false
}

type Result<T> = std::result::Result<T, Diagnostic>;

#[derive(Clone, Copy, Debug)]
enum Node {
    Sort(Sort),
    Value(Term),
    /// A node that is no value.
    Other,
}

struct State {
    name: String,
    symbol: Term,
    init: Option<(Term, Span)>,
    next: Option<(Term, Span)>,
}

#[derive(Default)]
struct Reader {
    nodes: FxHashMap<u64, Node>,
    states: Vec<State>,
    /// The names of states.
    names: FxHashSet<String>,
    /// The index of each state by its symbol.
    by_symbol: FxHashMap<Term, usize>,
    constraints: Vec<Term>,
    bad: Vec<(String, Term, Span)>,
}

/// The words of a line, with their positions.
struct Line<'t> {
    words: Vec<(&'t str, Span)>,
    at: usize,
}

impl<'t> Line<'t> {
    fn end(&self) -> Span {
        self.words.last().map_or(Span::new(0, 0), |&(_, span)| span.end())
    }

    fn word(&mut self, what: &str) -> Result<(&'t str, Span)> {
        let found = self.words.get(self.at).copied();
        self.at += 1;
        found.ok_or_else(|| {
            Diagnostic::error(self.end(), format!("expected {what} before the end of the line"))
        })
    }

    fn number(&mut self, what: &str) -> Result<(u32, Span)> {
        let (text, span) = self.word(what)?;
        match text.parse() {
            Ok(number) => Ok((number, span)),
            Err(_) => Err(Diagnostic::error(span, format!("expected {what}, found `{text}`"))),
        }
    }

    fn name(&self) -> Option<&'t str> {
        self.words.get(self.at).map(|&(text, _)| text)
    }
}

/// Reads a file in BTOR2.
pub(super) fn read(
    pool: &mut TermPool,
    map: &SourceMap,
    file: FileId,
) -> std::result::Result<HornFile, Vec<Diagnostic>> {
    let mut reader = Reader::default();
    let mut errors = Vec::new();
    let bytes = map.bytes(file);
    let mut start = map.file_span(file).lo;
    for line in bytes.split(|&byte| byte == b'\n') {
        let length = line.len() as u32;
        if let Err(error) = reader.line(pool, line, start) {
            errors.push(error);
            if errors.len() >= super::limits::ERRORS {
                break;
            }
        }
        start += length + 1;
    }
    if errors.is_empty() {
        errors.extend(reader.check_initial_values(pool).err());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(reader.finish(pool, map, file))
}

impl Reader {
    fn line(&mut self, pool: &mut TermPool, line: &[u8], start: u32) -> Result<()> {
        let code = line.split(|&byte| byte == b';').next().unwrap_or_default();
        let span = Span::new(start, start + code.len() as u32);
        let text =
            std::str::from_utf8(code).map_err(|_| Diagnostic::error(span, "this is not UTF-8 text"))?;
        let words = text.split_ascii_whitespace().map(|word| {
            let at = start + (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
            (word, Span::new(at, at + word.len() as u32))
        });
        let mut line = Line { words: words.collect(), at: 0 };
        if line.words.is_empty() {
            return Ok(());
        }
        let (text, at) = line.word("a number")?;
        let id = text.parse::<u64>().ok().filter(|&id| id > 0);
        let Some(id) = id else {
            return Err(Diagnostic::error(at, format!("expected the number of a node, found `{text}`")));
        };
        if self.nodes.contains_key(&id) {
            return Err(Diagnostic::error(at, format!("the node {id} is defined twice")));
        }
        let node = self.node(pool, id, &mut line)?;
        self.nodes.insert(id, node);
        Ok(())
    }

    fn sort(&self, line: &mut Line<'_>) -> Result<Sort> {
        let (text, span) = line.word("a sort")?;
        match text.parse().ok().and_then(|id: u64| self.nodes.get(&id)) {
            Some(Node::Sort(sort)) => Ok(*sort),
            _ => Err(Diagnostic::error(span, format!("`{text}` is not a sort that was defined before"))),
        }
    }

    fn bits(&self, pool: &TermPool, line: &mut Line<'_>) -> Result<(u32, Sort)> {
        let (sort, span) = (self.sort(line)?, line.words[line.at - 1].1);
        match sort {
            Sort::BitVec(width) => Ok((width, sort)),
            _ => {
                let found = terms::print::sort(pool, sort);
                Err(Diagnostic::error(span, format!("expected a sort of bit vectors, found {found}")))
            }
        }
    }

    fn value(&self, pool: &mut TermPool, line: &mut Line<'_>) -> Result<(Term, Span)> {
        let (text, span) = line.word("a value")?;
        let (digits, is_negated) = match text.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        let Some(&Node::Value(term)) = digits.parse().ok().and_then(|id: u64| self.nodes.get(&id)) else {
            return Err(Diagnostic::error(span, format!("`{text}` is not a value that was defined before")));
        };
        if !is_negated {
            return Ok((term, span));
        }
        match pool.sort(term) {
            Sort::BitVec(_) => Ok((pool.bv_not(term), span)),
            _ => Err(Diagnostic::error(span, "an array has no complement")),
        }
    }

    /// A bit vector, of the width if it is known.
    fn vector(&self, pool: &mut TermPool, line: &mut Line<'_>, width: Option<u32>) -> Result<Term> {
        let (term, span) = self.value(pool, line)?;
        match (pool.sort(term), width) {
            (Sort::BitVec(found), Some(expected)) if found != expected => {
                let message = format!("expected a bit vector of {expected} bits, found {found} bits");
                Err(Diagnostic::error(span, message))
            }
            (Sort::BitVec(_), _) => Ok(term),
            _ => Err(Diagnostic::error(span, "expected a bit vector, found an array")),
        }
    }

    /// A condition: one bit.
    fn condition(&self, pool: &mut TermPool, line: &mut Line<'_>) -> Result<Term> {
        let bit = self.vector(pool, line, Some(1))?;
        let one = pool.bv(1, 1);
        Ok(pool.eq(bit, one))
    }

    fn of_sort(&self, pool: &mut TermPool, line: &mut Line<'_>, sort: Sort) -> Result<Term> {
        let (term, span) = self.value(pool, line)?;
        if pool.sort(term) == sort {
            return Ok(term);
        }
        let (expected, found) = (terms::print::sort(pool, sort), terms::print::sort(pool, pool.sort(term)));
        Err(Diagnostic::error(span, format!("expected a value of sort {expected}, found {found}")))
    }

    fn node(&mut self, pool: &mut TermPool, id: u64, line: &mut Line<'_>) -> Result<Node> {
        let (operator, span) = line.word("an operator")?;
        match operator {
            "sort" => return self.sort_node(pool, line).map(Node::Sort),
            "input" | "state" => {
                let sort = self.sort(line)?;
                let mut name = line.name().map_or_else(|| format!("{operator}{id}"), str::to_owned);
                if operator == "state" && !self.names.insert(name.clone()) {
                    name = format!("{name}.{id}");
                    self.names.insert(name.clone());
                }
                let symbol = pool.fresh_symbol(&name, sort, Representation::Unsigned);
                if operator == "state" {
                    self.by_symbol.insert(symbol, self.states.len());
                    self.states.push(State { name, symbol, init: None, next: None });
                }
                return Ok(Node::Value(symbol));
            }
            "init" | "next" => {
                let sort = self.sort(line)?;
                let (state, at) = self.value(pool, line)?;
                let Some(&index) = self.by_symbol.get(&state) else {
                    return Err(Diagnostic::error(at, "expected a state"));
                };
                if pool.sort(state) != sort {
                    return Err(Diagnostic::error(at, "the state is of another sort"));
                }
                let (mut value, value_at) = self.value(pool, line)?;
                // All elements of an array may get an initial value.
                if let Sort::Array(parts) = sort
                    && operator == "init"
                    && pool.sort(value) == pool.array_sort_parts(parts).1
                {
                    value = pool.const_array(sort, value);
                }
                if pool.sort(value) != sort {
                    return Err(Diagnostic::error(value_at, "the value is not of the sort of the state"));
                }
                let state = &mut self.states[index];
                let place = if operator == "init" { &mut state.init } else { &mut state.next };
                if place.replace((value, value_at)).is_some() {
                    return Err(Diagnostic::error(span, format!("the state has two `{operator}` nodes")));
                }
                return Ok(Node::Other);
            }
            "bad" => {
                let condition = self.condition(pool, line)?;
                let name = line.name().map_or_else(|| format!("bad {id}"), str::to_owned);
                self.bad.push((name, condition, span));
                return Ok(Node::Other);
            }
            "constraint" => {
                let condition = self.condition(pool, line)?;
                self.constraints.push(condition);
                return Ok(Node::Other);
            }
            "output" | "fair" => {
                self.value(pool, line)?;
                return Ok(Node::Other);
            }
            "justice" => {
                let message = "`justice` is not supported: Horn clauses express safety, not liveness";
                return Err(Diagnostic::error(span, message));
            }
            _ => {}
        }
        let (sort, sort_span) = (self.sort(line)?, line.words[line.at - 1].1);
        line.at -= 1;
        let term = match operator {
            "read" | "write" | "ite" | "eq" | "neq" => self.generic(pool, operator, line)?,
            "one" | "ones" | "zero" | "const" | "constd" | "consth" => self.constant(pool, operator, line)?,
            _ => self.operation(pool, (operator, span), line)?,
        };
        if pool.sort(term) != sort {
            let (expected, found) =
                (terms::print::sort(pool, sort), terms::print::sort(pool, pool.sort(term)));
            let message = format!("the sort is {expected}, but the value of `{operator}` is of sort {found}");
            return Err(Diagnostic::error(sort_span, message));
        }
        Ok(Node::Value(term))
    }

    fn sort_node(&self, pool: &mut TermPool, line: &mut Line<'_>) -> Result<Sort> {
        let (kind, span) = line.word("`bitvec` or `array`")?;
        match kind {
            "bitvec" => {
                let (width, at) = line.number("a width")?;
                match width {
                    0 => Err(Diagnostic::error(at, "a bit vector has at least one bit")),
                    _ if width <= BIT_VECTOR_WIDTH => Ok(Sort::BitVec(width)),
                    _ => Err(Diagnostic::error(at, format!("at most {BIT_VECTOR_WIDTH} bits are supported"))),
                }
            }
            "array" => {
                let (index, element) = (self.bits(pool, line)?.1, self.bits(pool, line)?.1);
                Ok(pool.array_sort(index, element))
            }
            _ => Err(Diagnostic::error(span, format!("expected `bitvec` or `array`, found `{kind}`"))),
        }
    }

    fn constant(&self, pool: &mut TermPool, operator: &str, line: &mut Line<'_>) -> Result<Term> {
        let (width, _) = self.bits(pool, line)?;
        let radix = match operator {
            "zero" => return Ok(pool.bv(width, 0)),
            "one" => return Ok(pool.bv(width, 1)),
            "ones" => return Ok(pool.bit_vector(&BitVector::ones(width))),
            "const" => 2,
            "constd" => 10,
            _ => 16,
        };
        let (digits, span) = line.word("digits")?;
        let (sign, magnitude) = match (digits.strip_prefix('-'), radix) {
            (Some(magnitude), 10) => (-1, magnitude),
            _ => (1, digits),
        };
        // Digits that the width has room for: a longer text costs too much to parse. Decimal digits
        // cost their square.
        let most = if radix == 10 { NUMERAL_DIGITS.min(width as usize + 1) } else { width as usize + 1 };
        let is_number = magnitude.chars().all(|digit| digit.is_digit(radix));
        let natural = match is_number && magnitude.len() <= most {
            true => BigUint::parse_bytes(magnitude.as_bytes(), radix),
            false => None,
        };
        let value = natural.map(|natural| BigInt::from(natural) * sign);
        let fits = |value: &BigInt| {
            let limit = BigInt::from(1) << width;
            if sign < 0 { -value * 2 <= limit } else { *value < limit }
        };
        match value.filter(fits) {
            Some(value) => Ok(pool.bv_big(width, &value)),
            None => {
                let message = format!("`{operator}` requires digits of base {radix} for {width} bits");
                Err(Diagnostic::error(span, message))
            }
        }
    }

    /// The operators that also apply to arrays.
    fn generic(&self, pool: &mut TermPool, operator: &str, line: &mut Line<'_>) -> Result<Term> {
        self.sort(line)?;
        if operator == "ite" {
            let condition = self.condition(pool, line)?;
            let then = self.value(pool, line)?.0;
            let otherwise = self.of_sort(pool, line, pool.sort(then))?;
            return Ok(pool.ite(condition, then, otherwise));
        }
        let (first, span) = self.value(pool, line)?;
        if matches!(operator, "eq" | "neq") {
            let second = self.of_sort(pool, line, pool.sort(first))?;
            let equation = pool.eq(first, second);
            let equation = if operator == "eq" { equation } else { pool.not(equation) };
            return Ok(bit(pool, equation));
        }
        let Sort::Array(parts) = pool.sort(first) else {
            return Err(Diagnostic::error(span, "expected an array, found a bit vector"));
        };
        let (index, element) = pool.array_sort_parts(parts);
        let index = self.of_sort(pool, line, index)?;
        if operator == "read" {
            return Ok(pool.select(first, index));
        }
        let element = self.of_sort(pool, line, element)?;
        Ok(pool.store(first, index, element))
    }

    /// The operators on bit vectors.
    fn operation(
        &self,
        pool: &mut TermPool,
        (operator, span): (&str, Span),
        line: &mut Line<'_>,
    ) -> Result<Term> {
        self.sort(line)?;
        let unary = matches!(
            operator,
            "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" | "uext" | "sext" | "slice"
        );
        if !unary && !BINARY.contains(&operator) {
            return Err(Diagnostic::error(span, format!("unknown operator `{operator}`")));
        }
        let is_boolean = matches!(operator, "iff" | "implies");
        let a = self.vector(pool, line, is_boolean.then_some(1))?;
        let width = pool.width(a);
        if unary {
            return self.unary(pool, operator, a, line);
        }
        let b = self.vector(pool, line, if operator == "concat" { None } else { Some(width) })?;
        Ok(binary(pool, operator, a, b))
    }

    fn unary(&self, pool: &mut TermPool, operator: &str, a: Term, line: &mut Line<'_>) -> Result<Term> {
        let width = pool.width(a);
        Ok(match operator {
            "not" => pool.bv_not(a),
            "neg" => pool.bv_neg(a),
            "inc" | "dec" => {
                let one = pool.bv(width, 1);
                if operator == "inc" { pool.bv_add(a, one) } else { pool.bv_sub(a, one) }
            }
            "redand" | "redor" => {
                let ones = pool.bit_vector(&BitVector::ones(width));
                let zero = pool.bv(width, 0);
                let condition = if operator == "redand" { pool.eq(a, ones) } else { pool.neq(a, zero) };
                bit(pool, condition)
            }
            "redxor" => {
                // The parity is that of the exclusive or of both halves.
                let (mut word, mut width) = (a, width);
                while width > 1 {
                    let half = width.div_ceil(2);
                    let (low, high) = (pool.extract(half - 1, 0, word), pool.extract(width - 1, half, word));
                    let high = pool.zero_extend(2 * half - width, high);
                    word = pool.bv_xor(low, high);
                    width = half;
                }
                word
            }
            "slice" => {
                let (high, span) = line.number("the high bit")?;
                let (low, _) = line.number("the low bit")?;
                if high >= width || low > high {
                    let message = format!("the bits {high} to {low} are not those of {width} bits");
                    return Err(Diagnostic::error(span, message));
                }
                pool.extract(high, low, a)
            }
            _ => {
                let (bits, span) = line.number("a number of bits")?;
                if bits > BIT_VECTOR_WIDTH - width {
                    let message = format!("at most {BIT_VECTOR_WIDTH} bits are supported");
                    return Err(Diagnostic::error(span, message));
                }
                if operator == "uext" { pool.zero_extend(bits, a) } else { pool.sign_extend(bits, a) }
            }
        })
    }

    /// Checks that each initial value depends on no input, and only on states that were defined
    /// before its state.
    fn check_initial_values(&self, pool: &TermPool) -> Result<()> {
        let roots: Vec<Term> = self.states.iter().filter_map(|state| Some(state.init?.0)).collect();
        // The first state that may depend on each term; the number of states if none may.
        let mut firsts: FxHashMap<Term, usize> = FxHashMap::default();
        pool.visit(
            &roots,
            |_| true,
            |term| {
                let first = match pool.op(term) {
                    Op::Symbol(_) => self.by_symbol.get(&term).map_or(self.states.len(), |index| index + 1),
                    _ => pool.children(term).iter().map(|child| firsts[child]).max().unwrap_or(0),
                };
                firsts.insert(term, first);
            },
        );
        for (index, state) in self.states.iter().enumerate() {
            if let Some((value, span)) = state.init
                && firsts[&value] > index
            {
                let message = "an initial value depends on states that were defined before, and on no input";
                return Err(Diagnostic::error(span, message));
            }
        }
        Ok(())
    }

    fn finish(self, pool: &mut TermPool, map: &SourceMap, file: FileId) -> HornFile {
        let end = map.file_span(file).end();
        let mut system = System::default();
        let mut normalizer = Normalizer::default();
        let arguments = self.states.iter().map(|state| Argument {
            name: state.name.clone(),
            symbol: normalizer.argument(pool, &format!("state.{}", state.name), pool.sort(state.symbol)),
        });
        let arguments = arguments.collect();
        let relation = RelationData { name: "state".to_owned(), arguments, origin: String::new() };
        let states = system.relations.push(relation);
        let now: Vec<Term> = self.states.iter().map(|state| state.symbol).collect();
        let mut spans = PrimaryMap::new();
        let mut add = |pool: &mut TermPool, open: &OpenClause, origin: String, span: Span| {
            let clause = normalizer.clause(pool, &system, open, origin);
            system.clauses.push(clause);
            spans.push(span);
        };
        let mut init = Vec::new();
        let mut next = Vec::with_capacity(self.states.len());
        for state in &self.states {
            if let Some((value, _)) = state.init {
                init.push(pool.eq(state.symbol, value));
            }
            let name = format!("{}.next", state.name);
            next.push(match state.next {
                Some((value, _)) => value,
                None => pool.fresh_symbol(&name, pool.sort(state.symbol), Representation::Unsigned),
            });
        }
        let fact = OpenClause { body: Vec::new(), constraint: init, head: Some((states, now.clone())) };
        add(pool, &fact, "init".to_owned(), end);
        let rule = OpenClause {
            body: vec![(states, now.clone())],
            constraint: self.constraints.clone(),
            head: Some((states, next)),
        };
        add(pool, &rule, "next".to_owned(), end);
        let has_query = !self.bad.is_empty();
        for (name, condition, span) in self.bad {
            let mut constraint = self.constraints.clone();
            constraint.push(condition);
            let query = OpenClause { body: vec![(states, now.clone())], constraint, head: None };
            let line = map.location(span).map_or(0, |location| location.line);
            add(pool, &query, format!("{name} (line {line})"), span);
        }
        let mut warnings = Vec::new();
        if !has_query {
            let message = "the file has no `bad` node, so its clauses are satisfiable";
            warnings.push(Diagnostic::warning(end, message));
        }
        HornFile {
            system,
            signatures: Signatures::default(),
            spans,
            logic: None,
            status: None,
            dialect: Dialect::default(),
            warnings,
        }
    }
}

/// One bit for a formula.
fn bit(pool: &mut TermPool, formula: Term) -> Term {
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    pool.ite(formula, one, zero)
}

/// The operators with two operands, of the same width except for `concat`; those of `iff` and
/// `implies` are single bits.
const BINARY: &[&str] = &[
    "iff", "implies", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "and", "nand", "nor", "or",
    "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul", "sdiv", "udiv", "smod", "srem", "urem",
    "sub", "saddo", "uaddo", "sdivo", "udivo", "smulo", "umulo", "ssubo", "usubo", "concat",
];

fn binary(pool: &mut TermPool, operator: &str, a: Term, b: Term) -> Term {
    let plain: Option<fn(&mut TermPool, Term, Term) -> Term> = match operator {
        "and" => Some(TermPool::bv_and),
        "or" => Some(TermPool::bv_or),
        "xor" => Some(TermPool::bv_xor),
        "sll" => Some(TermPool::bv_shl),
        "srl" => Some(TermPool::bv_lshr),
        "sra" => Some(TermPool::bv_ashr),
        "add" => Some(TermPool::bv_add),
        "sub" => Some(TermPool::bv_sub),
        "mul" => Some(TermPool::bv_mul),
        "udiv" => Some(TermPool::bv_udiv),
        "urem" => Some(TermPool::bv_urem),
        "sdiv" => Some(TermPool::bv_sdiv),
        "srem" => Some(TermPool::bv_srem),
        "concat" => Some(TermPool::concat),
        _ => None,
    };
    if let Some(plain) = plain {
        return plain(pool, a, b);
    }
    let width = pool.width(a);
    let zero = pool.bv(width, 0);
    let condition = match operator {
        "nand" | "nor" | "xnor" => {
            let inner = match operator {
                "nand" => pool.bv_and(a, b),
                "nor" => pool.bv_or(a, b),
                _ => pool.bv_xor(a, b),
            };
            return pool.bv_not(inner);
        }
        "smod" => {
            let remainder = pool.bv_srem(a, b);
            let is_zero = pool.eq(remainder, zero);
            let (left, right) = (pool.bv_slt(a, zero), pool.bv_slt(b, zero));
            let same_sign = pool.eq(left, right);
            let sum = pool.bv_add(remainder, b);
            let is_final = pool.or2(is_zero, same_sign);
            return pool.ite(is_final, remainder, sum);
        }
        "rol" | "ror" => {
            let bits = pool.bv(width, u64::from(width));
            let left = if width == 1 { zero } else { pool.bv_urem(b, bits) };
            let right = pool.bv_sub(bits, left);
            let (left, right) = if operator == "rol" { (left, right) } else { (right, left) };
            let (high, low) = (pool.bv_shl(a, left), pool.bv_lshr(a, right));
            return pool.bv_or(high, low);
        }
        "iff" => pool.eq(a, b),
        "implies" => pool.bv_ule(a, b),
        "ult" => pool.bv_ult(a, b),
        "ugt" => pool.bv_ult(b, a),
        "ulte" => pool.bv_ule(a, b),
        "ugte" => pool.bv_ule(b, a),
        "slt" => pool.bv_slt(a, b),
        "sgt" => pool.bv_slt(b, a),
        "slte" => pool.bv_sle(a, b),
        "sgte" => pool.bv_sle(b, a),
        "udivo" => pool.fls(),
        "usubo" => pool.bv_ult(a, b),
        "sdivo" => {
            let least = pool.bv_big(width, &(BigInt::from(1) << (width - 1)));
            let minus_one = pool.bit_vector(&BitVector::ones(width));
            let (overflows, by_minus_one) = (pool.eq(a, least), pool.eq(b, minus_one));
            pool.and2(overflows, by_minus_one)
        }
        _ => overflows(pool, operator, a, b),
    };
    bit(pool, condition)
}

/// Whether the exact result of an operation does not fit.
fn overflows(pool: &mut TermPool, operator: &str, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let more = if operator.ends_with("mulo") { width } else { 1 };
    let is_signed = operator.starts_with('s');
    let extend = |pool: &mut TermPool, term| match is_signed {
        true => pool.sign_extend(more, term),
        false => pool.zero_extend(more, term),
    };
    let (wide_a, wide_b) = (extend(pool, a), extend(pool, b));
    let exact = match operator {
        "saddo" | "uaddo" => pool.bv_add(wide_a, wide_b),
        "ssubo" => pool.bv_sub(wide_a, wide_b),
        _ => pool.bv_mul(wide_a, wide_b),
    };
    let low = pool.extract(width - 1, 0, exact);
    let back = extend(pool, low);
    pool.neq(exact, back)
}
