//! The reference: a prover that tries all interpretations.
//!
//! Every symbol and function of the assertions is a list of *cells*, each with finitely many
//! values: a scalar is one cell, an array one per index, a function one per tuple of arguments. A
//! *point* gives a value to each cell. Every formula has a table with one bit per point, computed
//! by the evaluator of `terms`; a check is the conjunction of tables.
//!
//! Limits: only finite sorts, and integers that the formulas bound to a range; at most
//! [`Exhaustive::points`] points. Everything else is [`Reason::Unsupported`]. Answers for formulas
//! that do not imply the range of their integers are wrong, so this is not a solver but a reference
//! for tests.

use crate::{Capabilities, Limits, Model, Outcome, Prover, ProverFactory, Reason, Refutation, Support};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use terms::{
    ArrayValue, Assignment, Completion, Evaluator, FunctionSymbol, FunctionValue, Op, Sort, Symbol, Term,
    TermPool, Value,
};

/// Creates provers that try all interpretations.
#[derive(Clone, Debug)]
pub struct Exhaustive {
    /// The range of the integers.
    pub integers: RangeInclusive<i64>,
    /// The maximal number of points.
    pub points: usize,
}

impl Default for Exhaustive {
    fn default() -> Self {
        Exhaustive { integers: super::random::INTEGERS, points: 1 << 16 }
    }
}

impl ProverFactory for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn license(&self) -> &'static str {
        "MIT OR Apache-2.0"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: vec!["Core"],
            unsat_cores: Support::Full,
            models: Support::Full,
            ..Capabilities::default()
        }
    }

    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(ExhaustiveProver {
            settings: self.clone(),
            limits: limits.clone(),
            scopes: vec![Vec::new()],
            universe: Universe::default(),
            tables: FxHashMap::default(),
        }))
    }
}

struct ExhaustiveProver {
    settings: Exhaustive,
    limits: Limits,
    /// The assertions of the open scopes; the base scope always exists.
    scopes: Vec<Vec<Term>>,
    universe: Universe,
    /// For each formula, the points where it is true. All tables are over the current universe.
    tables: FxHashMap<Term, Table>,
}

/// One bit per point.
#[derive(Clone, PartialEq, Eq)]
struct Table(Vec<u64>);

impl Table {
    fn and(&mut self, other: &Table) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }
}

/// All interpretations.
#[derive(Default)]
struct Universe {
    symbols: Vec<Symbol>,
    functions: Vec<FunctionSymbol>,
    cells: Vec<Cell>,
    points: usize,
}

struct Cell {
    owner: Owner,
    domain: Vec<Value>,
}

/// The owner of a cell.
enum Owner {
    Scalar(Symbol),
    Element(Symbol, Value),
    Result(FunctionSymbol, Vec<Value>),
}

impl Universe {
    /// Extends the universe for `formulas`. Returns whether it grew.
    fn extend(&mut self, pool: &TermPool, settings: &Exhaustive, formulas: &[Term]) -> Result<bool, Reason> {
        let (mut symbols, mut functions) = (Vec::new(), Vec::new());
        pool.visit(
            formulas,
            |_| true,
            |term| match pool.op(term) {
                Op::Symbol(symbol) if !self.symbols.contains(&symbol) => symbols.push(symbol),
                Op::Apply(function)
                    if !self.functions.contains(&function) && !functions.contains(&function) =>
                {
                    functions.push(function);
                }
                _ => {}
            },
        );
        if symbols.is_empty() && functions.is_empty() && self.points > 0 {
            return Ok(false);
        }
        let known = self.cells.len();
        let added =
            symbols.iter().try_for_each(|&symbol| self.add_symbol(pool, settings, symbol)).and_then(|()| {
                functions.iter().try_for_each(|&function| self.add_function(pool, settings, function))
            });
        if let Err(reason) = added {
            // The universe stays unchanged, so formulas without the excessive symbol remain
            // supported.
            self.cells.truncate(known);
            return Err(reason);
        }
        self.symbols.extend(symbols);
        self.functions.extend(functions);
        self.points = self.cells.iter().map(|cell| cell.domain.len()).product();
        Ok(true)
    }

    fn add_symbol(&mut self, pool: &TermPool, settings: &Exhaustive, symbol: Symbol) -> Result<(), Reason> {
        match pool.symbol_data(symbol).sort {
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                if index == Sort::Int {
                    return Err(unsupported("an array over integers"));
                }
                let (indices, elements) = (domain(settings, index)?, domain(settings, element)?);
                for index in indices {
                    self.add(
                        settings,
                        Cell { owner: Owner::Element(symbol, index), domain: elements.clone() },
                    )?;
                }
                Ok(())
            }
            sort => {
                let domain = domain(settings, sort)?;
                self.add(settings, Cell { owner: Owner::Scalar(symbol), domain })
            }
        }
    }

    fn add_function(
        &mut self,
        pool: &TermPool,
        settings: &Exhaustive,
        function: FunctionSymbol,
    ) -> Result<(), Reason> {
        let (_, arguments, result) = pool.function_data(function);
        let results = domain(settings, result)?;
        let mut tuples = vec![Vec::new()];
        for &argument in arguments {
            if argument == Sort::Int {
                return Err(unsupported("a function of integers"));
            }
            let values = domain(settings, argument)?;
            tuples = tuples
                .iter()
                .flat_map(|tuple| {
                    values.iter().map(|value| tuple.iter().chain([value]).cloned().collect::<Vec<Value>>())
                })
                .collect();
        }
        for tuple in tuples {
            self.add(settings, Cell { owner: Owner::Result(function, tuple), domain: results.clone() })?;
        }
        Ok(())
    }

    fn add(&mut self, settings: &Exhaustive, cell: Cell) -> Result<(), Reason> {
        let points = self.cells.iter().chain([&cell]).try_fold(1usize, |product, cell| {
            product.checked_mul(cell.domain.len()).filter(|&product| product <= settings.points)
        });
        if points.is_none() {
            return Err(unsupported("too many interpretations"));
        }
        self.cells.push(cell);
        Ok(())
    }

    /// The assignment of a point.
    fn assignment(&self, mut point: usize) -> Assignment {
        let mut assignment = Assignment::with_completion(Completion::Default);
        for cell in &self.cells {
            cell.set(&mut assignment, point % cell.domain.len());
            point /= cell.domain.len();
        }
        assignment
    }

    /// Calls `visit` with the assignment of each point, in order.
    fn for_each(
        &self,
        mut visit: impl FnMut(usize, &Assignment) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let mut assignment = self.assignment(0);
        let mut digits = vec![0; self.cells.len()];
        for point in 0..self.points {
            visit(point, &assignment)?;
            for (cell, digit) in self.cells.iter().zip(&mut digits) {
                *digit = (*digit + 1) % cell.domain.len();
                cell.set(&mut assignment, *digit);
                if *digit != 0 {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Cell {
    fn set(&self, assignment: &mut Assignment, digit: usize) {
        let value = self.domain[digit].clone();
        match &self.owner {
            Owner::Scalar(symbol) => assignment.set(*symbol, value),
            Owner::Element(symbol, index) => {
                let mut array = match assignment.get(*symbol) {
                    Some(Value::Array(array)) => array.clone(),
                    _ => ArrayValue::constant(self.domain[0].clone()),
                };
                array.store(index.clone(), value);
                assignment.set(*symbol, Value::Array(array));
            }
            Owner::Result(function, arguments) => {
                let mut table = assignment.function(*function).cloned().unwrap_or_default();
                table.table.insert(arguments.clone(), value);
                assignment.set_function(*function, table);
            }
        }
    }
}

/// All values of a finite scalar sort.
fn domain(settings: &Exhaustive, sort: Sort) -> Result<Vec<Value>, Reason> {
    match sort {
        Sort::Bool => Ok(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::BitVec(width) if width <= 12 => {
            Ok((0..1u64 << width).map(|value| Value::bv(width, value)).collect())
        }
        Sort::Int => Ok(settings.integers.clone().map(Value::int).collect()),
        _ => Err(unsupported("a large sort")),
    }
}

fn unsupported(what: &str) -> Reason {
    Reason::Unsupported(what.to_owned())
}

impl ExhaustiveProver {
    /// Computes the tables of `formulas`.
    fn prepare(&mut self, pool: &TermPool, formulas: &[Term]) -> Result<(), Reason> {
        if self.universe.extend(pool, &self.settings, formulas)? {
            self.tables.clear();
        }
        let mut missing: Vec<Term> =
            formulas.iter().copied().filter(|formula| !self.tables.contains_key(formula)).collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let mut tables = vec![Table(vec![0; self.universe.points.div_ceil(64)]); missing.len()];
        let mut evaluator = Evaluator::new();
        self.universe.for_each(|point, assignment| {
            evaluator.clear();
            for (&formula, table) in missing.iter().zip(&mut tables) {
                match evaluator.eval(pool, formula, assignment) {
                    Ok(Value::Bool(true)) => table.0[point / 64] |= 1 << (point % 64),
                    Ok(_) => {}
                    Err(error) => return Err(Reason::Unsupported(error.to_string())),
                }
            }
            Ok(())
        })?;
        self.tables.extend(missing.into_iter().zip(tables));
        Ok(())
    }

    fn conjunction(&self, formulas: impl Iterator<Item = Term>) -> Table {
        let points = self.universe.points;
        let mut all = Table(vec![u64::MAX; points.div_ceil(64)]);
        if !points.is_multiple_of(64)
            && let Some(last) = all.0.last_mut()
        {
            *last = (1 << (points % 64)) - 1;
        }
        formulas.for_each(|formula| all.and(&self.tables[&formula]));
        all
    }
}

impl Prover for ExhaustiveProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        self.scopes.pop();
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        if pool.sort(formula) != Sort::Bool {
            return Err(Reason::Misuse("an assertion must be Boolean".to_owned()));
        }
        self.scopes.last_mut().expect("the base scope is never closed").push(formula);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let formulas: Vec<Term> =
            self.scopes.iter().flatten().copied().chain(assumptions.iter().copied()).collect();
        if let Err(reason) = self.prepare(pool, &formulas) {
            return Outcome::Unknown(reason);
        }
        match self.conjunction(formulas.into_iter()).first() {
            Some(point) => Outcome::Sat(Box::new(PointModel { assignment: self.universe.assignment(point) })),
            None => Outcome::Unsat(Box::new(NoPoint { prover: self, assumptions: assumptions.to_vec() })),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

struct PointModel {
    assignment: Assignment,
}

impl Model for PointModel {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let value = self.assignment.get(symbol).cloned();
        value
            .or_else(|| Value::default_of(pool, pool.symbol_data(symbol).sort))
            .ok_or_else(|| unsupported("a value of this sort"))
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let mut value = self.assignment.function(function).cloned().unwrap_or_default();
        if value.default.is_none() {
            value.default = Value::default_of(pool, pool.function_data(function).2);
        }
        Ok(value)
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        terms::eval(pool, term, &self.assignment).map_err(|error| Reason::Unsupported(error.to_string()))
    }
}

struct NoPoint<'p> {
    prover: &'p ExhaustiveProver,
    assumptions: Vec<Term>,
}

impl Refutation for NoPoint<'_> {
    /// A minimal core.
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        let mut core: Vec<usize> = (0..self.assumptions.len()).collect();
        let asserted = || self.prover.scopes.iter().flatten().copied();
        for index in 0..self.assumptions.len() {
            let rest = core.iter().filter(|&&other| other != index).map(|&other| self.assumptions[other]);
            if self.prover.conjunction(asserted().chain(rest)).first().is_none() {
                core.retain(|&other| other != index);
            }
        }
        Ok(core)
    }
}
