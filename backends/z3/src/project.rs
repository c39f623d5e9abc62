//! Model-based projection and quantifier elimination.
//!
//! # Projection
//! Z3's projection (`Z3_qe_model_project`: Bjørner, Janota, *Playing with Quantified Satisfaction*,
//! LPAR 2015; Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for Recursive Programs*, CAV
//! 2014) requires conjunctions of literals. So the formula is first replaced by an *implicant*:
//! literals that are true in the model and entail the formula. An `ite` inside of a literal is
//! replaced by the branch that the model takes, and its condition joins the implicant. Literals
//! without the variables stay unchanged.
//!
//! Variables at positions that Z3's projection does not support (under an uninterpreted function,
//! in a product of variables, in a float) are replaced by their value in the model, which is a
//! valid but weak projection. The same holds for variables that remain in Z3's answer, and for all
//! variables if the answer is false in the model.
//!
//! # Elimination
//! First the tactics `qe2` and `qe`. If their answer still has a quantifier, the formula is covered
//! by projections: each model of `φ ∧ ¬(P_1 ∨ … ∨ P_n)` yields another `P_{n+1}`, until there is no
//! model. Each `P_i` entails `∃x. φ`, and in the end `φ` entails their disjunction, so the result
//! is exact by construction. The loop may diverge; [`ROUNDS`] and the limits bound it.

use crate::Z3Prover;
use crate::ffi::{Node, Owned, Quantifier};
use crate::model::Z3Model;
use crate::read::Reader;
use backends::support::{on_stack, watchdog};
use backends::{Limits, Model, Outcome, Prover, Reason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::CStr;
use terms::{Assignment, Evaluator, Op, Sort, Symbol, Term, TermPool, Value};

/// The maximal number of projections in an elimination.
const ROUNDS: usize = 2000;

/// Implements [`Model::project`].
pub(crate) fn project(
    model: &mut Z3Model<'_>,
    pool: &mut TermPool,
    formula: Term,
    variables: &[Symbol],
) -> Result<Term, Reason> {
    let eliminated: FxHashSet<Symbol> = variables.iter().copied().collect();
    let mut truth = Truth::new(model, pool, formula)?;
    if !truth.holds(pool, formula)? {
        return Err(Reason::Misuse("projection of a formula that is false in the model".to_owned()));
    }
    let literals = implicant(&mut truth, pool, formula)?;
    let assignment = truth.assignment;
    let touched = Touched::of(pool, &literals, &eliminated);
    let (mut open, mut kept) = (Vec::new(), Vec::new());
    for literal in literals {
        if touched.contains(literal) { open.push(literal) } else { kept.push(literal) }
    }
    let hard = touched.hard(pool, &open);
    let open = substitute(pool, &open, &hard, &assignment)?;
    let open = pool.and(&open);
    let rest: Vec<Symbol> =
        pool.free_symbols(open).into_iter().filter(|symbol| eliminated.contains(symbol)).collect();
    if !rest.is_empty() {
        let projected = match project_cube(model, pool, open, &rest) {
            Ok(projected) if is_quantifier_free(pool, projected) => {
                let left: FxHashSet<Symbol> = eliminated.clone();
                let without = substitute(pool, &[projected], &left, &assignment)?;
                let without = pool.and(&without);
                (model.eval(pool, without)? == Value::Bool(true)).then_some(without)
            }
            Ok(_) | Err(Reason::Unsupported(_) | Reason::Incomplete(_) | Reason::Fault(_)) => None,
            Err(reason) => return Err(reason),
        };
        match projected {
            Some(projected) => kept.push(projected),
            None => kept.extend(substitute(pool, &[open], &eliminated, &assignment)?),
        }
    } else {
        kept.push(open);
    }
    Ok(pool.and(&kept))
}

/// Z3's projection of a conjunction of literals.
fn project_cube(
    model: &mut Z3Model<'_>,
    pool: &mut TermPool,
    cube: Term,
    variables: &[Symbol],
) -> Result<Term, Reason> {
    let prover = &mut *model.prover;
    let node = prover.translator.translate(&prover.context, pool, cube)?;
    let depth = prover.translator.depth(cube);
    let bound = constants(prover, pool, variables)?;
    let (context, raw) = model.raw()?;
    let projected = on_stack(depth, || context.project(raw, &bound, node)).unwrap_or(Err(Reason::Memory))?;
    let projected = context.simplify(projected.node())?;
    let prover = &*model.prover;
    Reader { context: &prover.context, translator: &prover.translator, pool }.read(projected.node(), &[])
}

fn constants(prover: &mut Z3Prover, pool: &TermPool, variables: &[Symbol]) -> Result<Vec<Node>, Reason> {
    variables.iter().map(|&variable| prover.translator.symbol(&prover.context, pool, variable)).collect()
}

/// Truth of formulas in a model: by evaluation here, once for each distinct term; if evaluation
/// fails (for instance on a division by zero), by the model itself.
struct Truth<'m, 'p> {
    model: &'m mut Z3Model<'p>,
    assignment: Assignment,
    evaluator: Evaluator,
}

impl<'m, 'p> Truth<'m, 'p> {
    fn new(model: &'m mut Z3Model<'p>, pool: &TermPool, formula: Term) -> Result<Self, Reason> {
        let mut assignment = Assignment::new();
        let mut functions = FxHashSet::default();
        let mut symbols = Vec::new();
        let mut is_quantified = false;
        pool.visit(
            &[formula],
            |_| true,
            |term| match pool.op(term) {
                Op::Symbol(symbol) => symbols.push(symbol),
                Op::Apply(function) => {
                    functions.insert(function);
                }
                Op::Forall | Op::Exists => is_quantified = true,
                _ => {}
            },
        );
        if is_quantified {
            return Err(Reason::Unsupported("projection of quantified formulas".to_owned()));
        }
        for symbol in symbols {
            let value = model.value(pool, symbol)?;
            assignment.set(symbol, value);
        }
        for function in functions {
            // Without a table of the function, its applications are evaluated by the model.
            if let Ok(value) = model.function(pool, function) {
                assignment.set_function(function, value);
            }
        }
        Ok(Truth { model, assignment, evaluator: Evaluator::new() })
    }

    fn holds(&mut self, pool: &TermPool, formula: Term) -> Result<bool, Reason> {
        let value = match self.evaluator.eval(pool, formula, &self.assignment) {
            Ok(value) => value,
            Err(_) => self.model.eval(pool, formula)?,
        };
        value.as_bool().ok_or_else(|| Reason::Fault("a formula without a truth value".to_owned()))
    }
}

/// Literals that are true in the model and whose conjunction entails `formula`.
fn implicant(truth: &mut Truth<'_, '_>, pool: &mut TermPool, formula: Term) -> Result<Vec<Term>, Reason> {
    let mut literals = Vec::new();
    let mut seen = FxHashSet::default();
    let mut resolved = FxHashMap::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let holds = truth.holds(pool, term)?;
        let is_boolean = |pool: &TermPool, term| pool.sort(term) == Sort::Bool;
        match pool.op(term) {
            Op::True | Op::False => {}
            Op::Not | Op::Xor => stack.extend(pool.children(term)),
            Op::Eq if is_boolean(pool, pool.children(term)[0]) => stack.extend(pool.children(term)),
            op @ (Op::And | Op::Or) => {
                let dominant = op == Op::Or;
                if holds == dominant {
                    let mut witness = None;
                    for place in 0..pool.children(term).len() {
                        let child = pool.children(term)[place];
                        if truth.holds(pool, child)? == dominant {
                            // A disjunct that is already in the implicant costs nothing.
                            let is_known = seen.contains(&child);
                            if witness.is_none() || is_known {
                                witness = Some(child);
                            }
                            if is_known {
                                break;
                            }
                        }
                    }
                    stack.extend(witness);
                } else {
                    stack.extend(pool.children(term));
                }
            }
            Op::Ite => {
                let &[condition, then, otherwise] = pool.children(term) else {
                    unreachable!("an ite has three children")
                };
                let branch = if truth.holds(pool, condition)? { then } else { otherwise };
                stack.extend([condition, branch]);
            }
            _ => {
                let atom = resolve(truth, pool, term, &mut resolved, &mut stack)?;
                literals.push(if holds { atom } else { pool.not(atom) });
            }
        }
    }
    Ok(literals)
}

/// `root` with each non-Boolean `ite` replaced by the branch that the model takes; the conditions
/// are added to `conditions`.
fn resolve(
    truth: &mut Truth<'_, '_>,
    pool: &mut TermPool,
    root: Term,
    resolved: &mut FxHashMap<Term, Term>,
    conditions: &mut Vec<Term>,
) -> Result<Term, Reason> {
    // `root` may have been resolved as an argument of another term.
    resolved.remove(&root);
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if resolved.contains_key(&term) {
            stack.pop();
            continue;
        }
        let result = if term != root && pool.sort(term) == Sort::Bool {
            // A Boolean argument of a function or element of an array.
            Some(term)
        } else if pool.op(term) == Op::Ite && term != root {
            let &[condition, then, otherwise] = pool.children(term) else {
                unreachable!("an ite has three children")
            };
            let branch = if truth.holds(pool, condition)? { then } else { otherwise };
            match resolved.get(&branch) {
                Some(&branch) => {
                    conditions.push(condition);
                    Some(branch)
                }
                None => {
                    stack.push(branch);
                    None
                }
            }
        } else {
            let before = stack.len();
            stack.extend(pool.children(term).iter().filter(|child| !resolved.contains_key(child)));
            if stack.len() > before {
                None
            } else {
                let children: Vec<Term> = pool.children(term).iter().map(|child| resolved[child]).collect();
                Some(if children == pool.children(term) { term } else { pool.rebuild(term, &children) })
            }
        };
        if let Some(result) = result {
            resolved.insert(term, result);
            stack.pop();
        }
    }
    Ok(resolved[&root])
}

/// The terms that contain a variable to be eliminated.
struct Touched {
    terms: FxHashSet<Term>,
    eliminated: FxHashSet<Symbol>,
}

impl Touched {
    fn of(pool: &TermPool, roots: &[Term], eliminated: &FxHashSet<Symbol>) -> Self {
        let mut terms = FxHashSet::default();
        pool.visit(
            roots,
            |_| true,
            |term| {
                let is_touched = match pool.op(term) {
                    Op::Symbol(symbol) => eliminated.contains(&symbol),
                    _ => pool.children(term).iter().any(|child| terms.contains(child)),
                };
                if is_touched {
                    terms.insert(term);
                }
            },
        );
        Touched { terms, eliminated: eliminated.clone() }
    }

    fn contains(&self, term: Term) -> bool {
        self.terms.contains(&term)
    }

    /// The variables at positions that Z3's projection does not support.
    fn hard(&self, pool: &TermPool, literals: &[Term]) -> FxHashSet<Symbol> {
        let mut barriers = Vec::new();
        pool.visit(
            literals,
            |term| self.contains(term),
            |term| {
                let is_touched = |place: usize| self.contains(pool.children(term)[place]);
                let is_barrier = self.contains(term)
                    && match pool.op(term) {
                        Op::Apply(_) | Op::ToInt | Op::RealDiv => true,
                        Op::Mul => is_touched(0) && is_touched(1) || !has_constant(pool, term),
                        Op::IntDiv | Op::IntMod => !pool.is_constant(pool.children(term)[1]),
                        // Boolean terms as arguments.
                        Op::Select | Op::Store | Op::ConstArray(_) | Op::Eq => {
                            pool.children(term).iter().any(|&child| {
                                self.contains(child)
                                    && pool.sort(child) == Sort::Bool
                                    && !matches!(pool.op(child), Op::Symbol(_))
                            })
                        }
                        _ => matches!(pool.sort(term), Sort::Float(..)),
                    };
                if is_barrier {
                    barriers.push(term);
                }
            },
        );
        let symbols = pool.free_symbols_of(&barriers).into_iter();
        symbols.filter(|symbol| self.eliminated.contains(symbol)).collect()
    }
}

fn has_constant(pool: &TermPool, term: Term) -> bool {
    pool.children(term).iter().any(|&child| pool.is_constant(child))
}

/// `terms` with the symbols replaced by their values.
fn substitute(
    pool: &mut TermPool,
    terms: &[Term],
    symbols: &FxHashSet<Symbol>,
    assignment: &Assignment,
) -> Result<Vec<Term>, Reason> {
    let mut images = FxHashMap::default();
    for symbol in pool.free_symbols_of(terms) {
        if symbols.contains(&symbol) {
            let value = assignment
                .get(symbol)
                .ok_or_else(|| Reason::Fault("a variable without a value".to_owned()))?
                .clone();
            let sort = pool.symbol_data(symbol).sort;
            images.insert(symbol, constant(pool, &value, sort)?);
        }
    }
    if images.is_empty() {
        return Ok(terms.to_vec());
    }
    Ok(terms
        .iter()
        .map(|&term| {
            pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
                Op::Symbol(symbol) => images.get(&symbol).copied(),
                _ => None,
            })
        })
        .collect())
}

/// The term of a value. Recurses over the nesting of the sort only.
fn constant(pool: &mut TermPool, value: &Value, sort: Sort) -> Result<Term, Reason> {
    Ok(match (value, sort) {
        (Value::Bool(value), _) => pool.bool(*value),
        (Value::BitVec(value), _) => pool.bit_vector(value),
        (Value::Int(value), _) => pool.int_big(value),
        (Value::Real(value), _) => pool.real(value),
        (Value::Float { exponent, significand, bits }, _) => {
            pool.float_from_bits(*exponent, *significand, bits)
        }
        (Value::RoundingMode(mode), _) => pool.rounding_mode(*mode),
        (Value::Array(array), Sort::Array(parts)) => {
            let (index, element) = pool.array_sort_parts(parts);
            let default = constant(pool, array.default(), element)?;
            let mut term = pool.const_array(sort, default);
            for (at, image) in array.entries() {
                let (at, image) = (constant(pool, at, index)?, constant(pool, image, element)?);
                term = pool.store(term, at, image);
            }
            term
        }
        (Value::Array(_) | Value::Element { .. }, _) => {
            return Err(Reason::Unsupported("projection of variables of uninterpreted sorts".to_owned()));
        }
    })
}

fn is_quantifier_free(pool: &TermPool, term: Term) -> bool {
    let mut is_free = true;
    pool.visit(&[term], |_| true, |term| is_free &= !matches!(pool.op(term), Op::Forall | Op::Exists));
    is_free
}

/// Implements [`Prover::eliminate`].
pub(crate) fn eliminate(
    prover: &mut Z3Prover,
    pool: &mut TermPool,
    formula: Term,
    variables: &[Symbol],
) -> Result<Term, Reason> {
    let occurring: Vec<Symbol> =
        pool.free_symbols(formula).into_iter().filter(|symbol| variables.contains(symbol)).collect();
    if occurring.is_empty() && is_quantifier_free(pool, formula) {
        return Ok(formula);
    }
    if let Some(reason) = prover.limits.exceeded() {
        return Err(reason);
    }
    // All attempts share one limit.
    let limits = prover.limits.of_check();
    let node = prover.translator.translate(&prover.context, pool, formula)?;
    let depth = prover.translator.depth(formula);
    let bound = constants(prover, pool, &occurring)?;
    let quantified =
        if bound.is_empty() { node } else { prover.context.quantify(Quantifier::Exists, &bound, node)? };
    for tactic in [c"qe2", c"qe"] {
        match apply(prover, pool, tactic, quantified, depth, &limits) {
            Ok(result) if is_answer(pool, result, &occurring) => return Ok(result),
            Ok(_) | Err(Reason::Unsupported(_) | Reason::Incomplete(_) | Reason::Fault(_)) => {}
            Err(Reason::Interrupted) => return Err(limits.exceeded().unwrap_or(Reason::Timeout)),
            Err(reason) => return Err(reason),
        }
    }
    if !is_quantifier_free(pool, formula) {
        return Err(Reason::Incomplete("quantifier elimination".to_owned()));
    }
    cover(pool, formula, &occurring, &limits)
}

fn is_answer(pool: &TermPool, result: Term, variables: &[Symbol]) -> bool {
    is_quantifier_free(pool, result)
        && !pool.free_symbols(result).iter().any(|symbol| variables.contains(symbol))
}

fn apply(
    prover: &mut Z3Prover,
    pool: &mut TermPool,
    tactic: &CStr,
    formula: Node,
    depth: u32,
    limits: &Limits,
) -> Result<Term, Reason> {
    let prover: &Z3Prover = prover;
    let context = &prover.context;
    let formulas: Vec<Owned> = {
        let _watch = watchdog::watch(context.stopper(), limits);
        on_stack(depth, || {
            let tactic = context.tactic(tactic)?;
            context.transform(&tactic, formula)
        })
        .unwrap_or(Err(Reason::Memory))?
        .ok_or_else(|| Reason::Unsupported("a tactic that splits its goal".to_owned()))?
    };
    let mut conjuncts = Vec::new();
    for formula in formulas {
        let formula = context.simplify(formula.node())?;
        let mut reader = Reader { context, translator: &prover.translator, pool };
        conjuncts.push(reader.read(formula.node(), &[])?);
    }
    Ok(pool.and(&conjuncts))
}

/// Computes `∃ variables. formula` as a disjunction of projections.
fn cover(pool: &mut TermPool, formula: Term, variables: &[Symbol], limits: &Limits) -> Result<Term, Reason> {
    let mut prover = Z3Prover::new(limits)?;
    prover.assert(pool, formula)?;
    let mut projections = Vec::new();
    for _ in 0..ROUNDS {
        let projection = match prover.check(pool, &[]) {
            Outcome::Unsat(_) => return Ok(pool.or(&projections)),
            Outcome::Unknown(reason) => return Err(reason),
            Outcome::Sat(mut model) => model.project(pool, formula, variables)?,
        };
        projections.push(projection);
        let blocked = pool.not(projection);
        prover.assert(pool, blocked)?;
    }
    Err(Reason::Incomplete(format!("quantifier elimination by {ROUNDS} projections")))
}
