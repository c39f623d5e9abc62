//! From bit vectors to integers, part by part.
//!
//! # Idea
//! [`Encoder`] translates formulas over bit vectors to integers: sums stay sums and are only brought back into their range where an
//! operation depends on it, by `ite` where they may be a few periods outside and by `mod` otherwise. What it has to abstract becomes an
//! application of a function with axioms, one function for all parts. So everything that a part is translated to is a term over its own symbols;
//! there are no overflow variables that parts could share.
//!
//! Each part has an encoder of its own, since constraints belong to the part that they arose from. What makes the parts agree are the
//! *stand-ins*: symbols of bit vectors that take the place of those of the problem before anything is encoded, whose declaration says which
//! range the integers have (see [`signedness`](super::signedness)), and whose names are taken by no other symbol. The range of an integer is stated in each part
//! that has it, and in each part over which it is shared, as what lies between may speak of it.
//!
//! Uninterpreted functions, which the encoder does not know, are functions of integers: an application is encoded as a symbol, whose place the
//! application of the function to the encoded arguments takes afterwards. Arguments and results are in the signed range.

use super::dictionary::{Dictionary, Interval, OF_FUNCTIONS, Word, width_of};
use super::operations::Operation;
use super::signedness::representations;
use backends::interpolation::Problem;
use backends::interpolation::vocabulary::{self, Name};
use backends::{Limits, Reason};
use encode::{EncodeError, Encoder, Encoding, Overflow};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Representation, Sort, Substitution, Symbol, Term, TermPool};

/// A problem over integers, and what its names stand for.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The same tree over integers.
    pub problem: Problem,
    /// The way back.
    pub dictionary: Dictionary,
    /// The kinds of operations that were abstracted, for people. If there are none, the problem over integers has the same models.
    pub abstracted: Vec<&'static str>,
}

/// Translates a problem, of which what is not about bit vectors, functions and arrays stays as it is.
///
/// # Errors
/// [`Reason::Unsupported`] where there is a bit vector that is too wide, and for floats as variables, arrays of arrays, quantifiers and
/// uninterpreted sorts; what `limits` say.
pub fn translate(pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Result<Translation, Reason> {
    let formulas: Vec<Term> = problem.parts.iter().flatten().copied().collect();
    let representations = representations(pool, &formulas);
    let mut translator = Translator::new(pool, &formulas, &representations)?;
    let shared = vocabulary::shared(pool, problem);
    let mut parts = Vec::with_capacity(problem.parts.len());
    for (part, shared) in problem.parts.iter().zip(&shared) {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let mut translated = translator.part(pool, part)?;
        translator.state_ranges(pool, shared, &mut translated);
        parts.push(translated);
    }
    let problem = Problem { parts, tree: problem.tree.clone() };
    Ok(Translation { problem, dictionary: translator.dictionary, abstracted: translator.abstracted })
}

/// An application that a symbol takes the place of until everything is encoded.
#[derive(Clone, Debug)]
struct Application {
    function: FunctionSymbol,
    /// Over stand-ins.
    arguments: Vec<Term>,
}

struct Translator {
    dictionary: Dictionary,
    /// From symbols of the problem to stand-ins.
    stand_ins: FxHashMap<Term, Term>,
    /// From functions of the problem to those over integers.
    functions: FxHashMap<FunctionSymbol, FunctionSymbol>,
    /// Symbols that take the place of applications, in the order in which they were met: arguments before what they occur in.
    applications: IndexMap<Term, Application, FxBuildHasher>,
    /// The same the other way round.
    symbol_of: FxHashMap<(FunctionSymbol, Vec<Term>), Term>,
    /// Names that are not free.
    taken: FxHashSet<String>,
    abstracted: Vec<&'static str>,
}

impl Translator {
    fn new(
        pool: &mut TermPool,
        formulas: &[Term],
        representations: &IndexMap<Symbol, Representation, FxBuildHasher>,
    ) -> Result<Self, Reason> {
        let names = vocabulary::names(pool, formulas);
        let mut translator = Translator {
            dictionary: Dictionary::default(),
            stand_ins: FxHashMap::default(),
            functions: FxHashMap::default(),
            applications: IndexMap::default(),
            symbol_of: FxHashMap::default(),
            taken: names.iter().map(|name| name.text(pool)).collect(),
            abstracted: Vec::new(),
        };
        for name in names {
            match name {
                Name::Symbol(symbol) => translator.add_symbol(pool, symbol, representations),
                Name::Function(function) => translator.add_function(pool, function)?,
            }
        }
        Ok(translator)
    }

    /// A new symbol for something of the name `base`, of a representation that counts.
    fn symbol_for(
        &mut self,
        pool: &mut TermPool,
        (base, suffix): (&str, &str),
        sort: Sort,
        representation: Representation,
    ) -> (Symbol, Term) {
        loop {
            let name = self.name(base, suffix);
            let term = pool.symbol_with(&name, sort, representation);
            let symbol = symbol_of(pool, term);
            // The first declaration counts, which may have been another problem's.
            if pool.symbol_data(symbol).representation == representation {
                return (symbol, term);
            }
        }
    }

    /// A name that nothing has, made of that of what it stands for.
    fn name(&mut self, base: &str, suffix: &str) -> String {
        let mut name = format!("{base}:{suffix}");
        while !self.taken.insert(name.clone()) {
            name.push('\'');
        }
        name
    }

    fn add_symbol(
        &mut self,
        pool: &mut TermPool,
        symbol: Symbol,
        representations: &IndexMap<Symbol, Representation, FxBuildHasher>,
    ) {
        let source = pool.symbol_term(symbol);
        let data = pool.symbol_data(symbol).clone();
        match data.sort {
            Sort::BitVec(width) => {
                let representation = representations[&symbol];
                let suffix = match representation {
                    Representation::Signed => format!("s{width}"),
                    Representation::Unsigned => format!("u{width}"),
                };
                let (symbol, stand_in) =
                    self.symbol_for(pool, (&data.name, &suffix), data.sort, representation);
                let number = number_of(pool, symbol);
                let number = symbol_of(pool, number);
                self.stand_ins.insert(source, stand_in);
                self.dictionary.words.insert(number, Word { source, width, representation });
            }
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                if width_of(index).or(width_of(element)).is_none() {
                    return;
                }
                let integers = |sort: Sort| if width_of(sort).is_some() { Sort::Int } else { sort };
                let target_sort = pool.array_sort(integers(index), integers(element));
                let name = self.name(&data.name, "a");
                let stand_in = pool.symbol_with(&name, data.sort, Representation::Signed);
                let array = pool.symbol_with(&name, target_sort, Representation::Signed);
                let array = symbol_of(pool, array);
                self.stand_ins.insert(source, stand_in);
                self.dictionary.arrays.insert(array, source);
            }
            _ => {}
        }
    }

    fn add_function(&mut self, pool: &mut TermPool, function: FunctionSymbol) -> Result<(), Reason> {
        let (name, arguments, result) = pool.function_data(function);
        let (name, mut sorts, result) = (name.to_owned(), arguments.to_vec(), result);
        sorts.push(result);
        let is_supported =
            |sort: &Sort| matches!(sort, Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_));
        if !sorts.iter().all(is_supported) {
            return Err(Reason::Unsupported(format!("int-blasting: the signature of {name}")));
        }
        if Operation::of(pool, function).is_some() {
            return Err(Reason::Unsupported(format!("int-blasting: {name} is the name of an operation")));
        }
        if sorts.iter().all(|&sort| width_of(sort).is_none()) {
            self.functions.insert(function, function);
            return Ok(());
        }
        for sort in &mut sorts {
            if width_of(*sort).is_some() {
                *sort = Sort::Int;
            }
        }
        let result = sorts.pop().expect("the result was pushed");
        let name = self.name(&name, "f");
        let translated = pool.function_symbol(&name, &sorts, result);
        self.functions.insert(function, translated);
        self.dictionary.functions.insert(translated, function);
        Ok(())
    }

    fn part(&mut self, pool: &mut TermPool, part: &[Term]) -> Result<Vec<Term>, Reason> {
        let mut encoder = Encoder::new(Encoding::QfAuflira, Overflow::Wrap);
        let mut used: IndexSet<Term, FxBuildHasher> = IndexSet::default();
        let mut translated = Vec::with_capacity(part.len());
        for &formula in part {
            let formula = self.over_stand_ins(pool, formula, &mut used);
            translated.push(encoder.formula(pool, formula).map_err(unsupported)?);
        }
        let mut applied = Substitution::sparse();
        let mut is_substituted = false;
        for symbol in used {
            // A symbol, as it is kept in the range that is asked for.
            let target = encoder.term_as(pool, symbol, OF_FUNCTIONS).map_err(unsupported)?;
            let Application { function, arguments } = self.applications[&symbol].clone();
            let mut images = Vec::with_capacity(arguments.len());
            for argument in arguments {
                let argument = encoder.term_as(pool, argument, OF_FUNCTIONS).map_err(unsupported)?;
                images.push(applied.apply(pool, argument));
            }
            let image = pool.apply(self.functions[&function], &images);
            applied.insert(target, image);
            is_substituted = true;
        }
        translated.extend(encoder.take_constraints());
        if is_substituted {
            for formula in &mut translated {
                *formula = applied.apply(pool, *formula);
            }
        }
        for kind in encoder.approximated() {
            if !self.abstracted.contains(&kind) {
                self.abstracted.push(kind);
            }
        }
        translated.retain(|&formula| formula != pool.tru());
        Ok(translated)
    }

    /// The formula over stand-ins, without applications. The symbols that take their place are added to `used`, arguments first.
    fn over_stand_ins(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        used: &mut IndexSet<Term, FxBuildHasher>,
    ) -> Term {
        let mut order = Vec::new();
        pool.visit(&[formula], |_| true, |term| order.push(term));
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for term in order {
            let image = match pool.op(term) {
                Op::Symbol(_) => self.stand_ins.get(&term).copied().unwrap_or(term),
                op => {
                    let children: Vec<Term> = pool.children(term).iter().map(|child| images[child]).collect();
                    match op {
                        Op::Apply(function) => {
                            let symbol = self.symbol(pool, function, children);
                            used.insert(symbol);
                            symbol
                        }
                        _ if children == pool.children(term) => term,
                        _ => pool.rebuild(term, &children),
                    }
                }
            };
            images.insert(term, image);
        }
        images[&formula]
    }

    /// The symbol in the place of an application.
    fn symbol(&mut self, pool: &mut TermPool, function: FunctionSymbol, arguments: Vec<Term>) -> Term {
        if let Some(&symbol) = self.symbol_of.get(&(function, arguments.clone())) {
            return symbol;
        }
        let (name, _, result) = pool.function_data(function);
        let base = name.to_owned();
        let suffix = format!("r{}", self.applications.len());
        let (_, symbol) = self.symbol_for(pool, (&base, &suffix), result, OF_FUNCTIONS);
        self.symbol_of.insert((function, arguments.clone()), symbol);
        self.applications.insert(symbol, Application { function, arguments });
        symbol
    }

    /// Adds the ranges of `names`.
    fn state_ranges(&self, pool: &mut TermPool, names: &FxHashSet<Name>, part: &mut Vec<Term>) {
        let mut numbers: Vec<Term> = names
            .iter()
            .filter_map(|&name| match name {
                Name::Symbol(symbol) => Some(symbol),
                Name::Function(_) => None,
            })
            .map(|symbol| pool.symbol_term(symbol))
            .collect();
        numbers.sort_unstable();
        let stated: FxHashSet<Term> = part.iter().copied().collect();
        for source in numbers {
            let Some(&stand_in) = self.stand_ins.get(&source) else { continue };
            let Some(width) = width_of(pool.sort(stand_in)) else { continue };
            let symbol = symbol_of(pool, stand_in);
            let representation = pool.symbol_data(symbol).representation;
            let number = number_of(pool, symbol);
            let Interval { low, high } = Interval::of(width, representation);
            let (low, high) = (pool.int_big(&low), pool.int_big(&high));
            for bound in [pool.le(low, number), pool.le(number, high)] {
                if !stated.contains(&bound) {
                    part.push(bound);
                }
            }
        }
    }
}

/// The integer that the encoder takes for a stand-in.
fn number_of(pool: &mut TermPool, stand_in: Symbol) -> Term {
    let data = pool.symbol_data(stand_in).clone();
    pool.symbol_with(&data.name, Sort::Int, data.representation)
}

fn symbol_of(pool: &TermPool, term: Term) -> Symbol {
    match pool.op(term) {
        Op::Symbol(symbol) => symbol,
        op => unreachable!("{op:?} should be a symbol"),
    }
}

#[allow(clippy::needless_pass_by_value, reason = "the shape that `map_err` wants")]
fn unsupported(error: EncodeError) -> Reason {
    Reason::Unsupported(format!("int-blasting: {error}"))
}
