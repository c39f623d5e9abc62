//! Bit vectors as integers.
//!
//! Each argument and each symbol of a bit-vector sort becomes an integer in its range, and the
//! constraints are those of the linear encodings ([`encode`] explains them): sums are corrected
//! only where the value matters (Wendler, *Towards Practical Predicate Analysis*, 2017, §4.4; the
//! translation back and forth is also that of Zohar et al., *Bit-Precise Reasoning via
//! Int-Blasting*, VMCAI 2022). So engines and interpolation over integers are used for bit vectors.
//! Products, quotients and remainders are native arithmetic. If something has no exact translation,
//! such as a bitwise operation of two variables or an array, the system remains as it is.
//!
//! *Ranges.* An integer is that of the signed or of the unsigned bit vector, the same for all
//! arguments and symbols that atoms connect: the one for which fewer comparisons and extensions
//! need a correction.
//!
//! *Models* become formulas over bit vectors that are wide enough for each integer term
//! ([`encode::bits`]). *Derivations* have the bits of the integers.
//!
//! Cost: linear. Limits: bit vectors of at most 100 bits.

use super::Transformed;
use super::back::{Back, Definition, Made, Source, kept};
use encode::bits::Bits;
use encode::{EncodeError, Encoding, Overflow, Theories};
use horn::{Atom, ClauseData, System, Translation, Update};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::entity::PrimaryMap;
use terms::{Op, Representation, Sort, Symbol, Term, TermPool};

pub(super) fn translate(pool: &mut TermPool, old: &System) -> Transformed {
    let translated = match is_supported(pool, old) {
        true => exact(pool, old).ok().flatten(),
        false => None,
    };
    translated.unwrap_or_else(|| {
        let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
        let sources = old.clauses.keys().map(Source::Old).collect();
        let back = Back { old: old.clone(), definitions, sources, ..Back::default() };
        Transformed { system: old.clone(), back }
    })
}

/// Whether there are bit vectors, and otherwise only sorts that remain.
fn is_supported(pool: &TermPool, system: &System) -> bool {
    let arguments = system.relations.values().flat_map(|relation| relation.symbols());
    let mut roots: Vec<Term> = arguments.collect();
    roots.extend(system.clauses.values().map(|clause| clause.constraint));
    let (mut has_bits, mut is_plain) = (false, true);
    pool.visit(
        &roots,
        |_| true,
        |term| match pool.sort(term) {
            Sort::BitVec(_) => has_bits = true,
            Sort::Bool | Sort::Int | Sort::Real => {}
            _ => is_plain = false,
        },
    );
    has_bits && is_plain
}

/// The system over integers; `None` if it is only an approximation.
fn exact(pool: &mut TermPool, old: &System) -> Result<Option<Transformed>, EncodeError> {
    let renamed = Ranges::of(pool, old).renamed(pool, old);
    let mut translation = Translation::new(Theories::of(Encoding::QfAuflira));
    let mut system = System { relations: PrimaryMap::new(), clauses: PrimaryMap::new() };
    let mut back = Back { old: old.clone(), ..Back::default() };
    for (relation, data) in renamed.system.relations.iter() {
        let new = system.relations.push(translation.relation(pool, data)?);
        let mut images = Vec::new();
        for (source, image) in old.relations[relation].symbols().zip(data.symbols()) {
            let target = translation.symbol(pool, image)?.symbol;
            let is_bits = matches!(pool.sort(image), Sort::BitVec(_));
            if let (true, Op::Symbol(symbol)) = (is_bits, pool.op(image)) {
                let representation = pool.symbol_data(symbol).representation;
                images.push((target, Bits { term: source, representation }));
            }
        }
        back.definitions.push((relation, Definition::Bits { relation: new, images }));
    }
    for (clause, data) in renamed.system.clauses.iter() {
        let mut encoder = translation.theories.encoder();
        let (translated, _) = translation.clause_by(pool, data, &[], &mut encoder)?;
        let mut symbols = Vec::new();
        let inner: FxHashSet<Term> = data.inner.iter().copied().collect();
        for symbol in super::back::symbols(pool, data) {
            let term = pool.symbol_term(symbol);
            let target = match inner.contains(&term) {
                true => encoder.translation_of(symbol).unwrap_or(term),
                false => translation.symbol(pool, term)?.symbol,
            };
            if let Op::Symbol(target) = pool.op(target) {
                symbols.push((renamed.old.get(&symbol).copied().unwrap_or(symbol), target));
            }
        }
        back.sources.push(back.history.add(Made::Decoded { clause, symbols }));
        system.clauses.push(translated);
    }
    if !system.replace_functions(pool, Overflow::Wrap).is_empty() {
        return Ok(None);
    }
    Ok(Some(Transformed { system, back }))
}

/// The choice of signed or unsigned ranges for classes of symbols that have the same.
struct Ranges {
    /// A symbol of the same class, closer to its representative, for those that are not it.
    parents: FxHashMap<Symbol, Symbol>,
    /// For representatives: how many operations want signed numbers rather than unsigned ones.
    votes: FxHashMap<Symbol, i64>,
}

/// A system with symbols of other representations.
struct Renamed {
    system: System,
    /// The symbols of the old system for those that replace them.
    old: FxHashMap<Symbol, Symbol>,
}

impl Ranges {
    fn of(pool: &TermPool, system: &System) -> Self {
        let mut ranges = Ranges { parents: FxHashMap::default(), votes: FxHashMap::default() };
        for clause in system.clauses.values() {
            for atom in clause.body.iter().chain(&clause.head) {
                let own = system.relations[atom.relation].symbols();
                for (own, &argument) in own.zip(&atom.arguments) {
                    if let (Op::Symbol(own), Op::Symbol(argument)) = (pool.op(own), pool.op(argument)) {
                        ranges.unite(own, argument);
                    }
                }
            }
        }
        let constraints: Vec<Term> = system.clauses.values().map(|clause| clause.constraint).collect();
        let mut votes = Vec::new();
        pool.visit(
            &constraints,
            |_| true,
            |term| {
                let vote = match pool.op(term) {
                    Op::BvSlt | Op::BvSle | Op::BvSdiv | Op::BvSrem | Op::BvAshr | Op::SignExtend(_) => 1,
                    Op::BvUlt | Op::BvUle | Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::ZeroExtend(_) => -1,
                    // The operands of an equality have the same range.
                    _ => return,
                };
                for &operand in pool.children(term) {
                    votes.push((operand, vote));
                    votes.extend(pool.children(operand).iter().map(|&part| (part, vote)));
                }
            },
        );
        for (operand, vote) in votes {
            if let Op::Symbol(symbol) = pool.op(operand) {
                *ranges.votes.entry(ranges.find(symbol)).or_default() += vote;
            }
        }
        ranges
    }

    fn find(&self, mut symbol: Symbol) -> Symbol {
        while let Some(&parent) = self.parents.get(&symbol) {
            symbol = parent;
        }
        symbol
    }

    fn unite(&mut self, a: Symbol, b: Symbol) {
        let root = self.find(b);
        // Paths stay short.
        for symbol in [a, b, self.find(a)] {
            if symbol != root {
                self.parents.insert(symbol, root);
            }
        }
    }

    /// The system in which each symbol of a bit-vector sort has the range that was chosen for it.
    fn renamed(&self, pool: &mut TermPool, system: &System) -> Renamed {
        let mut roots: Vec<Term> = Vec::new();
        for clause in system.clauses.values() {
            roots.push(clause.constraint);
            roots.extend(clause.body.iter().chain(&clause.head).flat_map(|atom| atom.arguments.iter()));
        }
        roots.extend(system.relations.values().flat_map(|relation| relation.symbols()));
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let mut old = FxHashMap::default();
        let symbols: BTreeSet<Symbol> = pool.free_symbols_of(&roots).into_iter().collect();
        for symbol in symbols {
            let data = pool.symbol_data(symbol).clone();
            let is_signed = self.votes.get(&self.find(symbol)).is_some_and(|&votes| votes > 0);
            let wanted = if is_signed { Representation::Signed } else { Representation::Unsigned };
            if !matches!(data.sort, Sort::BitVec(_)) || data.representation == wanted {
                continue;
            }
            let image = pool.fresh_symbol(&data.name, data.sort, wanted);
            images.insert(pool.symbol_term(symbol), image);
            if let Op::Symbol(image) = pool.op(image) {
                old.insert(image, symbol);
            }
        }
        let of = |term: &Term| images.get(term).copied().unwrap_or(*term);
        let mut new = System { relations: system.relations.clone(), clauses: PrimaryMap::new() };
        for relation in new.relations.values_mut() {
            for argument in &mut relation.arguments {
                argument.symbol = of(&argument.symbol);
            }
        }
        let atom = |atom: &Atom| Atom {
            relation: atom.relation,
            arguments: atom.arguments.iter().map(of).collect(),
        };
        for clause in system.clauses.values() {
            let constraint = pool.map_leaves(clause.constraint, &mut |_, leaf| images.get(&leaf).copied());
            let updates = clause.updates.iter();
            let updates = updates
                .map(|(before, update)| (of(before), Update { after: of(&update.after), value: None }))
                .collect();
            let head = (clause.head.as_ref().map(atom), updates);
            let body = clause.body.iter().map(atom).collect();
            let origin = clause.origin.clone();
            new.clauses.push(ClauseData::from_constraint(pool, body, constraint, head, origin));
        }
        Renamed { system: new, old }
    }
}
