//! Translation from bit vectors to integers, part by part.
//!
//! # Idea
//! [`Encoder`] translates formulas over bit vectors to integers. Sums stay sums and are normalized
//! to their range only where an operation depends on it: by `ite` if they are at most a few periods
//! outside, by `mod` otherwise. An abstracted operation becomes an application of a function with
//! axioms; all parts use the same function. The translation of a part is therefore over its own
//! symbols; there are no overflow variables that parts could share.
//!
//! Each part has an encoder of its own, because constraints belong to the part that they arose
//! from. The parts agree through *stand-ins*: bit-vector symbols that replace those of the problem
//! before the encoding. The declaration of a stand-in determines the range of its integer (see
//! [`signedness`](super::signedness)), and its name is unique. The range of an integer is stated in
//! each part that contains it and in each part over which it is shared, because interpolants in
//! between may mention it.
//!
//! The encoder does not support uninterpreted functions. An application is encoded as a symbol, and
//! the application of an integer function to the encoded arguments replaces that symbol afterwards.
//! Arguments and results are in the signed range.

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

/// A problem over integers, and the meaning of its names.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The same tree over integers.
    pub problem: Problem,
    /// The back translation of names.
    pub dictionary: Dictionary,
    /// The kinds of abstracted operations, for messages. If empty, the integer problem has the same
    /// models.
    pub abstracted: Vec<&'static str>,
}

/// Translates a problem. Constructs other than bit vectors, functions and arrays stay unchanged.
///
/// # Errors
/// [`Reason::Unsupported`] for bit vectors that are too wide, float variables, arrays of arrays,
/// quantifiers and uninterpreted sorts; the reason of an exceeded limit.
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

/// An application that a symbol replaces until everything is encoded.
#[derive(Clone, Debug)]
struct Application {
    function: FunctionSymbol,
    /// Terms over stand-ins.
    arguments: Vec<Term>,
}

struct Translator {
    dictionary: Dictionary,
    /// Maps symbols of the problem to stand-ins.
    stand_ins: FxHashMap<Term, Term>,
    /// Maps functions of the problem to functions over integers.
    functions: FxHashMap<FunctionSymbol, FunctionSymbol>,
    /// Symbols that replace applications, in order of occurrence: arguments before the applications
    /// that contain them.
    applications: IndexMap<Term, Application, FxBuildHasher>,
    /// The inverse of `applications`.
    symbol_of: FxHashMap<(FunctionSymbol, Vec<Term>), Term>,
    /// Names in use.
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

    /// Creates a symbol for something named `base`, with a representation that takes effect.
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
            // The first declaration determines the representation, and it may belong to another
            // problem.
            if pool.symbol_data(symbol).representation == representation {
                return (symbol, term);
            }
        }
    }

    /// A unique name derived from `base`.
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
            return Err(Reason::Unsupported(format!("int-blasting: the signature of the function {name}")));
        }
        if Operation::of(pool, function).is_some() {
            return Err(Reason::Unsupported(format!("int-blasting: {name} is a reserved function name")));
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
            // The symbol in the requested range.
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

    /// The formula over stand-ins, without applications. Adds the symbols that replace them to
    /// `used`, arguments first.
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

    /// The symbol that replaces an application.
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

/// The integer that the encoder creates for a stand-in.
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

#[allow(clippy::needless_pass_by_value, reason = "the signature that `map_err` expects")]
fn unsupported(error: EncodeError) -> Reason {
    Reason::Unsupported(format!("int-blasting: {error}"))
}
