//! Clauses have the meaning of their terms, and their tags name their origin.

use super::{Kept, leaves, random_value};
use crate::prover::cnf::clauses::{Polarity, Tag};
use crate::prover::cnf::gates::{Function, Gate, Signal};
use crate::prover::cnf::translate::{Meaning, Translator};
use crate::prover::sat::{Answer, Config, Literal, NoTheory, Solver, Variable};
use crate::prover::theory::{AtomKind, Combination};
use backends::Limits;
use backends::conformance::random::{Random, Vocabulary};
use proptest::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::Entity;
use terms::{Assignment, Op, Sort, Symbol, Term, TermPool, Value, eval};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// With the bits of all symbols assumed, unit propagation and a few decisions determine the
    /// value of a formula.
    #[test]
    fn the_literal_of_a_formula_has_its_value(width in 1u32..=8, depth in 1u32..=6, seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let vocabulary = Vocabulary::of(&mut pool, Sort::BitVec(width), 3);
        let formula = vocabulary.formula(&mut random, &mut pool, depth);
        let mut solver = Solver::new(Config::ANSWERING);
        let (mut translator, mut theory) = (Translator::default(), Combination::default());
        let limits = Limits::default();
        let signal = translator
            .formula(&pool, formula, &mut theory, &mut solver, &limits)
            .expect("no limit is reached");
        let Combination { gates, encoder, .. } = &mut theory;
        let root = encoder.literal(gates, signal, Polarity::Both, &mut solver);
        for _ in 0..8 {
            let mut assignment = Assignment::new();
            let mut assumptions: Vec<Literal> = Vec::new();
            for symbol in leaves(&pool, &[formula]) {
                let value = random_value(&mut random, pool.sort(symbol));
                let Some(Meaning::Bits { start, end }) = translator.known(symbol) else {
                    panic!("{symbol} should be a bit vector")
                };
                let bits = value.as_bv().expect("a bit vector");
                for (index, &bit) in translator.bits(start, end).iter().enumerate() {
                    if let Some(literal) = encoder.known_literal(bit) {
                        assumptions.push(if bits.bit(index as u32) { literal } else { !literal });
                    }
                }
                assignment.set_leaf(&pool, symbol, value.clone());
            }
            let expected = eval(&pool, formula, &assignment).expect("all symbols have values");
            prop_assert_eq!(solver.solve(&mut NoTheory, &assumptions, &limits), Answer::Sat);
            prop_assert_eq!(solver.value(root).map(Value::Bool), Some(expected.clone()));
            // The other value is impossible.
            let other = if expected == Value::Bool(true) { !root } else { root };
            assumptions.push(other);
            prop_assert_eq!(solver.solve(&mut NoTheory, &assumptions, &limits), Answer::Unsat);
        }
    }

}

/// The free symbols of a clause occur in the term of its tag.
#[test]
fn tags_name_terms_with_all_symbols_of_their_clauses() {
    let mut seen = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let width = 1 + random.below(4) as u32;
        let mut pool = TermPool::new();
        let sort = Sort::BitVec(width);
        let element = pool.uninterpreted_sort("S");
        let vocabulary = Vocabulary::of(&mut pool, sort, 3);
        let f = pool.function_symbol("f", &[sort, Sort::Bool], sort);
        let g = pool.function_symbol("g", &[sort], element);
        let (mut translator, mut theory) = (Translator::default(), Combination::default());
        let mut kept = Kept::default();
        let mut formulas = Vec::new();
        for number in 0..4 {
            let condition = vocabulary.formula(&mut random, &mut pool, 3);
            let (x, y) = (pool.symbol("x0", sort), pool.symbol(&format!("y{number}"), sort));
            let value = pool.ite(condition, x, y);
            let applied = pool.apply(f, &[value, condition]);
            let (one, other) = (pool.apply(g, &[applied]), pool.symbol("u", element));
            let choice = pool.ite(condition, one, other);
            let formula = pool.eq(choice, other);
            let formula = pool.xor(formula, condition);
            let signal = translator
                .formula(&pool, formula, &mut theory, &mut kept, &Limits::default())
                .expect("no limit is reached");
            let tag = theory.tags.number(Tag::Assertion(number));
            let Combination { gates, encoder, .. } = &mut theory;
            encoder.require(gates, None, signal, tag, &mut kept);
            formulas.push(formula);
        }
        let mut symbols = Symbols::new(&pool, &translator, &theory, &kept);
        for (clause, tag) in &kept.clauses {
            let named = match theory.tags.get(*tag) {
                Some(Tag::Definition(term)) => term,
                Some(Tag::Assertion(id)) => formulas[id as usize],
                Some(Tag::Truth) => pool.tru(),
                other => panic!("{other:?} should be no tag of these clauses"),
            };
            let allowed = pool.free_symbols(named);
            for literal in clause {
                for symbol in symbols.of(literal.variable()) {
                    assert!(allowed.contains(&symbol), "{symbol} in {clause:?} of {}", pool.display(named));
                }
            }
        }
        seen += symbols.seen;
    }
    assert!(seen > 10_000, "{seen}");
}

/// The symbols on which variables depend.
struct Symbols<'a> {
    pool: &'a TermPool,
    theory: &'a Combination,
    /// The symbols of inputs that are bits of symbols.
    bits: FxHashMap<Gate, Symbol>,
    /// Variables with clauses that equate them with another one.
    copies: FxHashMap<Variable, Vec<Variable>>,
    seen: usize,
}

impl<'a> Symbols<'a> {
    fn new(pool: &'a TermPool, translator: &'a Translator, theory: &'a Combination, kept: &Kept) -> Self {
        let mut bits = FxHashMap::default();
        for number in 0..pool.symbol_count() {
            let symbol = Symbol::new(number);
            let signals: Vec<Signal> = match translator.symbol(symbol).and_then(|term| translator.known(term))
            {
                Some(Meaning::Bits { start, end }) => translator.bits(start, end).to_vec(),
                Some(Meaning::Truth(signal)) => vec![signal],
                _ => Vec::new(),
            };
            bits.extend(signals.into_iter().map(|signal| (signal.gate(), symbol)));
        }
        let pairs: FxHashSet<[Literal; 2]> =
            kept.clauses.iter().filter_map(|(clause, _)| clause[..].try_into().ok()).collect();
        let mut copies: FxHashMap<Variable, Vec<Variable>> = FxHashMap::default();
        for &[a, b] in pairs.iter().filter(|&&[a, b]| pairs.contains(&[!a, !b])) {
            copies.entry(a.variable()).or_default().push(b.variable());
        }
        Symbols { pool, theory, bits, copies, seen: 0 }
    }

    fn of(&mut self, variable: Variable) -> Vec<Symbol> {
        let mut found = Vec::new();
        let mut known: FxHashSet<Gate> = FxHashSet::default();
        let mut stack = vec![self.theory.encoder.gate(variable).expect("variables have gates")];
        while let Some(gate) = stack.pop() {
            if !known.insert(gate) {
                continue;
            }
            stack.extend(self.theory.gates.operands(gate).iter().map(|operand| operand.gate()));
            if self.theory.gates.function(gate) == Function::Input {
                self.input(gate, &mut found, &mut stack);
            }
        }
        found
    }

    fn input(&mut self, gate: Gate, found: &mut Vec<Symbol>, stack: &mut Vec<Gate>) {
        if let Some(&symbol) = self.bits.get(&gate) {
            self.seen += 1;
            found.push(symbol);
            return;
        }
        let Some(variable) = self.theory.encoder.variable(gate) else { return };
        let terms: Vec<Term> = self
            .theory
            .atoms(variable)
            .iter()
            .flat_map(|atom| match atom.kind {
                AtomKind::Equality(a, b) => vec![a, b],
                AtomKind::Truth(node) => vec![node],
                AtomKind::Bound(_) => Vec::new(),
            })
            .filter_map(|node| self.theory.term(node))
            .collect();
        if terms.is_empty() {
            // A bit of an application, or a copy of a signal.
            let gates = self.copies.get(&variable).into_iter().flatten();
            stack.extend(gates.filter_map(|&variable| self.theory.encoder.gate(variable)));
        }
        let is_constant = |term: &Term| self.pool.op(*term) != Op::True;
        found.extend(self.pool.free_symbols_of(&terms.into_iter().filter(is_constant).collect::<Vec<_>>()));
    }
}
