//! Models, created by Yices on demand.

use crate::arrays::ArraySource;
use crate::features::Features;
use crate::ffi::{self, Api, Context, Elimination, RawModel, RawValue, YTerm};
use crate::prover::YicesProver;
use crate::translate::Translated;
use crate::value;
use backends::support::on_stack;
use backends::{Model, Reason};
use terms::{Assignment, Completion, FunctionSymbol, FunctionValue, Sort, Symbol, Term, TermPool, Value};

/// The location of a model.
pub(crate) enum Found {
    /// The context, which was just found satisfiable, can create it.
    In(Context),
    /// An existing model.
    Model(RawModel),
}

pub(crate) struct YicesModel<'p> {
    prover: &'p mut YicesProver,
    found: Found,
    /// The largest depth of the checked formulas.
    depth: u32,
    /// The features of the checked formulas.
    features: Features,
}

impl Model for YicesModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let sort = pool.symbol_data(symbol).sort;
        let api = ffi::api();
        if let Sort::Array(array) = sort {
            let (index, element) = pool.array_sort_parts(array);
            let listed = |terms: &[YTerm]| -> Vec<_> {
                let sorts = [index, element].into_iter().cycle();
                terms.iter().copied().zip(sorts).map(Some).collect()
            };
            return match self.prover.translator.arrays.source(&api, symbol, sort) {
                ArraySource::Function(function) => {
                    let model = self.model(&api)?;
                    let raw = api.value(model, function).map_err(Reason::Fault)?;
                    value::of_array_function(raw, index, element)
                }
                ArraySource::Reads(reads) => {
                    let raw = self.raw_values(&api, self.depth, &listed(&reads))?;
                    let default = value::default(pool, element)?;
                    value::of_reads(default, [index, element], raw.into_iter().flatten())
                }
                ArraySource::Known(reads, default) => {
                    let mut jobs = listed(&reads);
                    jobs.push(Some((default, element)));
                    let mut raw = self.raw_values(&api, self.depth, &jobs)?;
                    let default = raw.pop().flatten().expect("a value for each term");
                    let default = value::of_raw(default, element)?;
                    value::of_reads(default, [index, element], raw.into_iter().flatten())
                }
            };
        }
        let Some(term) = self.prover.translator.known_symbol(symbol) else {
            return value::default(pool, sort);
        };
        let raw = self.raw_values(&api, self.depth, &[Some((term, sort))])?.pop().flatten();
        value::of_raw(raw.expect("a value for each term"), sort)
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let (_, arguments, result) = pool.function_data(function);
        let Some(known) = self.prover.translator.known_function(function) else {
            return Ok(FunctionValue {
                default: Some(value::default(pool, result)?),
                ..FunctionValue::default()
            });
        };
        let api = ffi::api();
        let model = self.model(&api)?;
        let raw = api.value(model, known).map_err(Reason::Fault)?;
        value::of_function(raw, arguments, result)
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        Ok(self.eval_all(pool, &[term])?.pop().expect("one value for each term"))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let api = ffi::api();
        let translator = &mut self.prover.translator;
        let mut depth = self.depth;
        let mut jobs = Vec::with_capacity(terms.len());
        for &term in terms {
            // The model does not define new reads of arrays: see `arrays`.
            let is_exact = !matches!(pool.sort(term), Sort::Array(_))
                && (translator.known(term).is_some()
                    || !(translator.arrays.is_used() || value::has_arrays(pool, term)));
            if is_exact {
                let translated = translator.translate(&api, pool, term)?;
                depth = depth.max(translated.depth);
                jobs.push(Some((translated.term, pool.sort(term))));
            } else {
                jobs.push(None);
            }
        }
        let raw = self.raw_values(&api, depth, &jobs)?;
        drop(api);
        terms
            .iter()
            .zip(raw)
            .map(|(&term, raw)| match raw {
                Some(raw) => value::of_raw(raw, pool.sort(term)),
                None => self.eval_by_leaves(pool, term),
            })
            .collect()
    }

    /// Booleans and bit vectors are replaced by their values; numbers are projected from the
    /// literals of an implicant: for reals by a mixture of Fourier–Motzkin and virtual
    /// substitution, for integers by one disjunct of Cooper's method.
    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        let api = ffi::api();
        let Translated { term, depth, features } = self.prover.translator.translate(&api, pool, formula)?;
        if features.contains(Features::ARRAY_TERMS) {
            return Err(Reason::Unsupported("projection of formulas with arrays".to_owned()));
        }
        let (mut discrete, mut numbers) = (Vec::new(), Vec::new());
        for &variable in variables {
            // Variables that were never translated do not occur.
            let Some(known) = self.prover.translator.known_symbol(variable) else { continue };
            match pool.symbol_data(variable).sort {
                Sort::Bool | Sort::BitVec(_) => discrete.push(known),
                Sort::Int | Sort::Real => numbers.push(known),
                sort => return Err(Reason::Unsupported(format!("projection of variables of sort {sort:?}"))),
            }
        }
        let depth = depth.max(self.depth);
        let model = self.model(&api)?;
        let projected = on_stack(depth, || {
            if !api.bool_value(model, term).map_err(|error| self.failure(error))? {
                return Err(Reason::Misuse("projection of a formula that is false in the model".to_owned()));
            }
            let generalize = |formulas: &[YTerm], variables: &[YTerm], elimination| {
                api.generalize(model, formulas, variables, elimination)
            };
            let mut formulas = vec![term];
            if !discrete.is_empty() {
                formulas = generalize(&formulas, &discrete, Elimination::Substitution)
                    .map_err(Reason::Unsupported)?;
            }
            if !numbers.is_empty() {
                // Literals with functions or products cannot be projected.
                formulas = generalize(&formulas, &numbers, Elimination::Projection)
                    .or_else(|_| generalize(&formulas, &numbers, Elimination::Substitution))
                    .map_err(Reason::Unsupported)?;
            }
            // Random tests have found projections that are false in the model; the cause is
            // unknown.
            match formulas.iter().all(|&formula| api.bool_value(model, formula) == Ok(true)) {
                true => Ok(formulas),
                false => Err(Reason::Incomplete("the projection is false in the model".to_owned())),
            }
        });
        let projected = projected.unwrap_or(Err(Reason::Memory))?;
        let YicesProver { translator, reader, .. } = &mut *self.prover;
        let conjuncts = projected
            .into_iter()
            .map(|conjunct| reader.read(&api, pool, translator, conjunct))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(pool.and(&conjuncts))
    }
}

impl<'p> YicesModel<'p> {
    pub(crate) fn new(prover: &'p mut YicesProver, found: Found, depth: u32, features: Features) -> Self {
        YicesModel { prover, found, depth, features }
    }

    fn model(&mut self, api: &Api) -> Result<RawModel, Reason> {
        match self.found {
            Found::Model(model) => Ok(model),
            Found::In(context) => {
                let model = on_stack(self.depth, || api.model(context))
                    .ok_or(Reason::Memory)?
                    .map_err(Reason::Fault)?;
                self.found = Found::Model(model);
                Ok(model)
            }
        }
    }

    /// The value of a term that is unknown to the solver.
    fn eval_by_leaves(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let (symbols, functions) = value::leaves(pool, term);
        let mut assignment = Assignment::new();
        assignment.completion = Completion::Default;
        for symbol in symbols {
            assignment.set(symbol, self.value(pool, symbol)?);
        }
        for function in functions {
            assignment.set_function(function, self.function(pool, function)?);
        }
        terms::eval(pool, term, &assignment)
            .map_err(|error| Reason::Unsupported(format!("evaluation: {error}")))
    }

    fn raw_values(
        &mut self,
        api: &Api,
        depth: u32,
        jobs: &[Option<(YTerm, Sort)>],
    ) -> Result<Vec<Option<RawValue>>, Reason> {
        let model = self.model(api)?;
        let value = |&(term, sort): &(YTerm, Sort)| match sort {
            Sort::Bool => api.bool_value(model, term).map(RawValue::Bool),
            Sort::BitVec(width) => api.bv_value(model, term, width).map(RawValue::BitVec),
            _ => api.value(model, term),
        };
        on_stack(depth, || {
            jobs.iter().map(|job| job.as_ref().map(value).transpose()).collect::<Result<Vec<_>, _>>()
        })
        .ok_or(Reason::Memory)?
        .map_err(|error| self.failure(error))
    }

    /// The reason for a failed evaluation.
    fn failure(&self, error: String) -> Reason {
        // Yices cannot evaluate terms over irrational numbers.
        if self.features.contains(Features::NONLINEAR) {
            Reason::Unsupported(error)
        } else {
            Reason::Fault(error)
        }
    }
}

impl Drop for YicesModel<'_> {
    fn drop(&mut self) {
        if let Found::Model(model) = self.found {
            ffi::api().free_model(model);
        }
    }
}
