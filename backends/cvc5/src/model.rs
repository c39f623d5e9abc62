//! Models, read lazily.

use crate::ffi::{self, Node};
use crate::prover::Cvc5Prover;
use crate::value::{self, Coverage, Lambda};
use backends::{Model, Reason};
use terms::{
    Assignment, Environment, EvalError, FunctionSymbol, FunctionValue, Op, Sort, Symbol, Term, TermPool,
    Value,
};

/// The model of the last check.
pub(crate) struct Cvc5Model<'p> {
    prover: &'p mut Cvc5Prover,
    /// The number of symbols and functions at the check. Later ones have the default value of their
    /// sort.
    seen: usize,
    /// The largest depth of the assumptions and of queried terms.
    depth: u32,
}

impl<'p> Cvc5Model<'p> {
    pub(crate) fn new(prover: &'p mut Cvc5Prover, depth: u32) -> Self {
        let seen = prover.translator.seen();
        Cvc5Model { prover, seen, depth }
    }

    /// The values of `nodes`, of these sorts.
    fn read(&self, pool: &TermPool, nodes: &[Node], sorts: &[Sort]) -> Result<Vec<Value>, Reason> {
        let manager = &self.prover.manager;
        self.run(|engine| {
            let values = engine.values(nodes)?;
            values
                .iter()
                .zip(sorts)
                .map(|(found, &sort)| value::read(manager, pool, found.node(), sort))
                .collect()
        })
    }

    fn run<R>(&self, work: impl FnOnce(&ffi::Engine) -> Result<R, Reason>) -> Result<R, Reason> {
        let prover = &self.prover;
        let live =
            prover.live.as_ref().ok_or_else(|| Reason::Fault("the solver was discarded".to_owned()))?;
        let _polynomials = prover.translator.features().nonlinear.then(ffi::lock_polynomials);
        ffi::on_stack(self.depth.max(prover.depth()), || work(&live.engine)).unwrap_or(Err(Reason::Memory))
    }

    /// Whether `terms` contain a symbol, function or theory that was unknown at the check.
    fn has_new(&self, pool: &TermPool, terms: &[Term]) -> bool {
        let features = self.prover.translator.features();
        if self.prover.live.as_ref().is_none_or(|live| live.features != features) {
            return true;
        }
        if self.prover.translator.seen() == self.seen {
            return false;
        }
        let mut has_new = false;
        pool.visit(
            terms,
            |_| true,
            |term| {
                let number = match pool.op(term) {
                    Op::Symbol(symbol) => self.prover.translator.symbol(symbol).map(|seen| seen.number),
                    Op::Apply(function) => self.prover.translator.function(function).map(|seen| seen.number),
                    _ => Some(0),
                };
                has_new |= number.is_none_or(|number| number >= self.seen);
            },
        );
        has_new
    }

    /// The value of a term with symbols that were unknown at the check.
    fn eval_unseen(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let (mut symbols, mut functions) = (Vec::new(), Vec::new());
        pool.visit(
            &[term],
            |_| true,
            |term| match pool.op(term) {
                Op::Symbol(symbol) => symbols.push(symbol),
                Op::Apply(function) => functions.push(function),
                _ => {}
            },
        );
        functions.sort_unstable();
        functions.dedup();
        let mut assignment = Assignment::new();
        for symbol in symbols {
            assignment.set(symbol, self.value(pool, symbol)?);
        }
        for function in functions {
            assignment.set_function(function, self.function(pool, function)?);
        }
        terms::eval(pool, term, &Known(assignment)).map_err(|error| match error {
            EvalError::SortMismatch(_) => Reason::Fault(error.to_string()),
            _ => Reason::Unsupported(error.to_string()),
        })
    }
}

/// The values of a model, without values for unspecified operations.
struct Known(Assignment);

impl Environment for Known {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        self.0.leaf(pool, leaf)
    }

    fn apply(&self, pool: &TermPool, function: FunctionSymbol, arguments: &[&Value]) -> Option<Value> {
        self.0.apply(pool, function, arguments)
    }
}

impl Model for Cvc5Model<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let sort = pool.symbol_data(symbol).sort;
        match self.prover.translator.symbol(symbol) {
            Some(seen) if seen.number < self.seen => {
                let values = self.read(pool, &[seen.node], &[sort])?;
                values.into_iter().next().ok_or_else(|| Reason::Fault("a value is missing".to_owned()))
            }
            _ => default(pool, sort),
        }
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let (_, domain, range) = pool.function_data(function);
        let seen = match self.prover.translator.function(function) {
            Some(seen) if seen.number < self.seen => seen,
            _ => {
                return Ok(FunctionValue {
                    default: Some(default(pool, range)?),
                    ..FunctionValue::default()
                });
            }
        };
        // At its applications in the formulas.
        let translator = &self.prover.translator;
        let (mut arguments, mut sorts) = (Vec::new(), Vec::new());
        for &application in translator.applications(function) {
            let nodes: Option<Vec<Node>> =
                pool.children(application).iter().map(|&child| translator.known(child)).collect();
            let nodes = nodes.ok_or_else(|| Reason::Fault("an argument was not translated".to_owned()))?;
            if translator.features().quantifiers && has_bound(pool, application) {
                continue;
            }
            arguments.extend(nodes);
            sorts.extend_from_slice(domain);
        }
        let points = self.read(pool, &arguments, &sorts)?;
        let needed = if translator.features().quantifiers { Coverage::Everywhere } else { Coverage::Points };
        let manager = &self.prover.manager;
        self.run(|engine| {
            let lambda = engine.value(seen.node)?;
            let lambda = Lambda::new(manager, lambda.node(), range)?;
            lambda.table(pool, domain, points.chunks(domain.len()).map(<[Value]>::to_vec), needed)
        })
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let mut values = self.eval_all(pool, &[term])?;
        values.pop().ok_or_else(|| Reason::Fault("a value is missing".to_owned()))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let mut nodes = Vec::with_capacity(terms.len());
        for &term in terms {
            let translated = self.prover.translate(pool, term)?;
            self.depth = self.depth.max(translated.depth);
            nodes.push(translated.node);
        }
        if !self.has_new(pool, terms) {
            let sorts: Vec<Sort> = terms.iter().map(|&term| pool.sort(term)).collect();
            return self.read(pool, &nodes, &sorts);
        }
        let mut values = Vec::with_capacity(terms.len());
        for (&term, node) in terms.iter().zip(nodes) {
            if self.has_new(pool, &[term]) {
                values.push(self.eval_unseen(pool, term)?);
            } else {
                values.extend(self.read(pool, &[node], &[pool.sort(term)])?);
            }
        }
        Ok(values)
    }
}

fn default(pool: &TermPool, sort: Sort) -> Result<Value, Reason> {
    Value::default_of(pool, sort).ok_or_else(|| Reason::Unsupported(format!("values of the sort {sort:?}")))
}

/// Whether an application contains a bound variable, so that it represents many applications.
fn has_bound(pool: &TermPool, term: Term) -> bool {
    let mut has_bound = false;
    pool.visit(&[term], |_| true, |term| has_bound |= matches!(pool.op(term), Op::Bound(_)));
    has_bound
}
