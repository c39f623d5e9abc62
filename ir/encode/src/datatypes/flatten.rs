//! Formulas over data types as formulas over their components.

use super::{Datatypes, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::{Op, Sort, Term, TermPool};

/// The components of a term.
#[derive(Clone, Debug)]
enum Parts {
    /// Of most terms: one.
    One(Term),
    Several(Rc<[Term]>),
}

impl Parts {
    fn of(parts: Vec<Term>) -> Self {
        match parts[..] {
            [only] => Parts::One(only),
            _ => Parts::Several(parts.into()),
        }
    }

    fn all(&self) -> &[Term] {
        match self {
            Parts::One(term) => std::slice::from_ref(term),
            Parts::Several(terms) => terms,
        }
    }

    fn only(&self) -> Term {
        match self.all() {
            [only] => *only,
            parts => unreachable!("a value should have one component, not {}", parts.len()),
        }
    }
}

impl Datatypes {
    /// Whether values of the sort are or contain values of data types.
    #[must_use]
    pub fn concerns(&self, pool: &TermPool, sort: Sort) -> bool {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if let Sort::Array(parts) = sort {
                let (index, element) = pool.array_sort_parts(parts);
                stack.extend([index, element]);
            } else if self.types.contains_key(&sort) {
                return true;
            }
        }
        false
    }

    /// The sorts of the components of all `sorts`.
    pub fn flat_sorts(&mut self, pool: &mut TermPool, sorts: &[Sort]) -> Vec<Sort> {
        let mut flat = Vec::with_capacity(sorts.len());
        for &sort in sorts {
            flat.extend(self.layout(pool, sort).iter().map(|component| component.sort));
        }
        flat
    }

    /// A formula over components that holds iff `formula` holds for all values of the symbols of
    /// data types that satisfy `is_variable`. Functions into Bool are applied to components.
    ///
    /// # Errors
    /// A subterm of a data type that is another symbol, or the application of another function.
    pub fn flatten(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        is_variable: &dyn Fn(Term) -> bool,
    ) -> Result<Term, Term> {
        let mut order = Vec::new();
        pool.visit(&[formula], |_| true, |term| order.push(term));
        if !order.iter().any(|&term| self.occurs_at(pool, term)) {
            return Ok(formula);
        }
        let mut flattening = Flattening { names: Names::of(pool, &order), parts: FxHashMap::default() };
        let mut variables = Vec::new();
        for &term in &order {
            let parts = match pool.op(term) {
                Op::Symbol(_) if self.concerns(pool, pool.sort(term)) => match self.codes.get(&term) {
                    // The only constructor of its sort is its own code.
                    Some(&code) if code == term => Parts::of(Vec::new()),
                    Some(&code) => Parts::One(code),
                    None if is_variable(term) => {
                        variables.push(term);
                        flattening.variable(self, pool, term)
                    }
                    None => return Err(term),
                },
                Op::Bound(_) => flattening.variable(self, pool, term),
                _ => flattening.term(self, pool, term)?,
            };
            flattening.parts.insert(term, parts);
        }
        let body = flattening.parts[&formula].only();
        Ok(flattening.quantify(self, pool, Op::Forall, &variables, body))
    }

    /// Whether the term, or the function at its root, is of a data type.
    fn occurs_at(&self, pool: &TermPool, term: Term) -> bool {
        self.concerns(pool, pool.sort(term))
            || matches!(pool.op(term), Op::Apply(function) if self.roles.contains_key(&function))
    }
}

/// The bound variables of a formula.
struct Names {
    /// How many variables have each name.
    counts: FxHashMap<String, usize>,
    given: FxHashSet<String>,
    /// How many names were tried for each name that was in use.
    tries: FxHashMap<String, usize>,
}

impl Names {
    fn of(pool: &TermPool, order: &[Term]) -> Self {
        let mut counts = FxHashMap::default();
        for &term in order {
            let name = match pool.op(term) {
                Op::Bound(id) => pool.bound_name(id),
                Op::Symbol(symbol) => &pool.symbol_data(symbol).name,
                _ => continue,
            };
            *counts.entry(name.to_owned()).or_insert(0) += 1;
        }
        Names { counts, given: FxHashSet::default(), tries: FxHashMap::default() }
    }

    /// Claims a name that no other variable or symbol of the formula has. `own` is the name of the
    /// variable that it replaces.
    fn claim(&mut self, own: &str, suffix: &str) -> String {
        let wanted = format!("{own}{suffix}");
        let mut name = wanted.clone();
        loop {
            let others = self.counts.get(&name).copied().unwrap_or(0) - usize::from(name == own);
            if others == 0 && self.given.insert(name.clone()) {
                return name;
            }
            let tries = self.tries.entry(wanted.clone()).or_insert(0);
            *tries += 1;
            name = match *tries {
                1 => format!("{wanted}'"),
                number => format!("{wanted}'{number}"),
            };
        }
    }
}

struct Flattening {
    names: Names,
    parts: FxHashMap<Term, Parts>,
}

impl Flattening {
    /// The components of a bound variable, or of a symbol that becomes one.
    fn variable(&mut self, datatypes: &mut Datatypes, pool: &mut TermPool, variable: Term) -> Parts {
        let sort = pool.sort(variable);
        if !datatypes.concerns(pool, sort) {
            return Parts::One(variable);
        }
        let own = match pool.op(variable) {
            Op::Bound(id) => pool.bound_name(id).to_owned(),
            Op::Symbol(symbol) => pool.symbol_data(symbol).name.clone(),
            op => unreachable!("{op:?} is no variable"),
        };
        let layout = datatypes.layout(pool, sort);
        let parts = layout.iter().map(|component| {
            let name = self.names.claim(&own, &component.suffix);
            pool.bound(&name, component.sort)
        });
        Parts::of(parts.collect())
    }

    /// The components of a term that is no variable.
    fn term(&mut self, datatypes: &mut Datatypes, pool: &mut TermPool, term: Term) -> Result<Parts, Term> {
        let children = pool.children(term).to_vec();
        let op = pool.op(term);
        let of = |index: usize| self.parts[&children[index]].clone();
        Ok(match op {
            Op::Apply(function) => match datatypes.roles.get(&function).copied() {
                Some(Role::Constructor) => {
                    let all = children.iter().flat_map(|child| self.parts[child].all().iter().copied());
                    Parts::of(all.collect())
                }
                Some(Role::Selector { start, sort }) => {
                    let length = datatypes.layout(pool, sort).len();
                    Parts::of(of(0).all()[start..start + length].to_vec())
                }
                Some(Role::Tester(None)) => Parts::One(pool.tru()),
                Some(Role::Tester(Some(code))) => Parts::One(pool.eq(of(0).only(), code)),
                None => {
                    let (name, sorts, result) = pool.function_data(function);
                    let concerned = sorts.iter().any(|&sort| datatypes.concerns(pool, sort));
                    if datatypes.concerns(pool, result) || (concerned && result != Sort::Bool) {
                        return Err(term);
                    }
                    if !concerned {
                        let arguments: Vec<Term> =
                            children.iter().map(|child| self.parts[child].only()).collect();
                        return Ok(Parts::One(pool.apply(function, &arguments)));
                    }
                    let (name, sorts) = (name.to_owned(), sorts.to_vec());
                    let all = children.iter().flat_map(|child| self.parts[child].all().iter().copied());
                    let arguments: Vec<Term> = all.collect();
                    let sorts = datatypes.flat_sorts(pool, &sorts);
                    Parts::One(match sorts.is_empty() {
                        true => pool.symbol(&name, Sort::Bool),
                        false => {
                            let function = pool.function_symbol(&name, &sorts, Sort::Bool);
                            pool.apply(function, &arguments)
                        }
                    })
                }
            },
            Op::Forall | Op::Exists => {
                let (&body, variables) = children.split_last().expect("a quantifier has a body");
                let body = self.parts[&body].only();
                Parts::One(self.quantify(datatypes, pool, op, variables, body))
            }
            Op::Eq => {
                let (left, right) = (of(0), of(1));
                let pairs = left.all().iter().zip(right.all());
                let equations: Vec<Term> = pairs.map(|(&left, &right)| pool.eq(left, right)).collect();
                Parts::One(pool.and(&equations))
            }
            Op::Ite => {
                let (condition, then, otherwise) = (of(0).only(), of(1), of(2));
                let pairs = then.all().iter().zip(otherwise.all());
                Parts::of(pairs.map(|(&then, &otherwise)| pool.ite(condition, then, otherwise)).collect())
            }
            Op::Select => {
                let (array, index) = (of(0), of(1).only());
                Parts::of(array.all().iter().map(|&array| pool.select(array, index)).collect())
            }
            Op::Store => {
                let (array, index, element) = (of(0), of(1).only(), of(2));
                let pairs = array.all().iter().zip(element.all());
                Parts::of(pairs.map(|(&array, &element)| pool.store(array, index, element)).collect())
            }
            Op::ConstArray(_) => {
                let layout = datatypes.layout(pool, pool.sort(term));
                let element = of(0);
                let pairs = layout.iter().zip(element.all());
                Parts::of(pairs.map(|(component, &value)| pool.const_array(component.sort, value)).collect())
            }
            _ => {
                let parts: Vec<Term> = children.iter().map(|child| self.parts[child].only()).collect();
                Parts::One(pool.rebuild(term, &parts))
            }
        })
    }

    /// Quantifies the components of variables over the values that they have.
    fn quantify(
        &self,
        datatypes: &mut Datatypes,
        pool: &mut TermPool,
        quantifier: Op,
        variables: &[Term],
        body: Term,
    ) -> Term {
        let mut bound = Vec::new();
        let mut conditions = Vec::new();
        for variable in variables {
            // The quantifier may bind a variable that does not occur.
            let Some(parts) = self.parts.get(variable) else { continue };
            let layout = datatypes.layout(pool, pool.sort(*variable));
            for (&part, component) in parts.all().iter().zip(layout.iter()) {
                bound.push(part);
                if let Some(count) = component.range {
                    let (zero, last) = (pool.int(0), pool.int(count as i64 - 1));
                    conditions.extend([pool.le(zero, part), pool.le(part, last)]);
                }
            }
        }
        if bound.is_empty() {
            return body;
        }
        let range = pool.and(&conditions);
        match quantifier {
            Op::Forall => {
                let outside = pool.not(range);
                let body = pool.or2(outside, body);
                pool.forall(&bound, body)
            }
            _ => {
                let body = pool.and2(range, body);
                pool.exists(&bound, body)
            }
        }
    }
}
