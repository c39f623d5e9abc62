//! Applications of theory symbols as terms of the pool.
//!
//! Sorts are checked before a constructor is called, so that messages contain the operator and the
//! order of arguments of the script.

use super::elaborate::{Context, coerce};
use super::term::plural;
use super::theory::{Comparison, Operator};
use super::{limits, literal};
use grammars::smtlib::{Name, Node, NodeKind};
use grammars::source::{Diagnostic, Span};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use terms::{Op, Sort, Term, TermPool, print};

/// An application, with the context for its diagnostics.
pub(super) struct Application<'a> {
    pub(super) cx: &'a Context<'a>,
    node: Node,
    arguments: &'a [Node],
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl<'a> Application<'a> {
    /// `node` is the application, or an identifier without arguments.
    pub(super) fn new(cx: &'a Context<'a>, node: Node, arguments: &'a [Node]) -> Self {
        Application { cx, node, arguments }
    }

    fn head(&self) -> Node {
        match self.cx.tree.kind(self.node) {
            NodeKind::Apply { head, .. } => head,
            _ => self.node,
        }
    }

    /// The operator, as written.
    pub(super) fn name(&self) -> String {
        self.cx.written(self.head())
    }

    pub(super) fn span(&self) -> Span {
        self.cx.tree.span(self.node)
    }

    /// The span of an argument.
    pub(super) fn place(&self, place: usize) -> Span {
        self.arguments.get(place).map_or(self.span(), |&node| self.cx.tree.span(node))
    }

    pub(super) fn error(&self, message: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error(self.span(), format!("`{}` {message}", self.name()))
    }

    /// Checks that there are exactly `count` arguments.
    pub(super) fn arity(&self, count: usize) -> Result<()> {
        let found = self.arguments.len();
        if found == count {
            return Ok(());
        }
        Err(self.error(format_args!("takes {}, not {found}", plural(count))))
    }

    /// Checks that there are at least `count` arguments.
    pub(super) fn at_least(&self, count: usize) -> Result<()> {
        let found = self.arguments.len();
        if found >= count {
            return Ok(());
        }
        Err(self.error(format_args!("takes at least {}, not {found}", plural(count))))
    }

    /// The error for an argument that is not of sort `expected`.
    pub(super) fn mismatch(&self, pool: &TermPool, term: Term, place: usize, expected: &str) -> Diagnostic {
        let found = print::sort(pool, pool.sort(term));
        let message = format!(
            "argument {} of `{}` should be of sort {expected} but is of sort {found}",
            place + 1,
            self.name()
        );
        Diagnostic::error(self.place(place), message)
    }

    /// Converts the argument to the sort; integers are coerced to reals.
    pub(super) fn coerced(&self, pool: &mut TermPool, term: Term, place: usize, sort: Sort) -> Result<Term> {
        match coerce(pool, term, sort) {
            Some(term) => Ok(term),
            None => Err(self.mismatch(pool, term, place, &print::sort(pool, sort))),
        }
    }

    /// Checks that all arguments from `first` on have this sort.
    fn all_of(&self, pool: &TermPool, terms: &[Term], first: usize, sort: Sort) -> Result<()> {
        match terms.iter().enumerate().skip(first).find(|&(_, &term)| pool.sort(term) != sort) {
            None => Ok(()),
            Some((place, &term)) => Err(self.mismatch(pool, term, place, &print::sort(pool, sort))),
        }
    }

    /// Converts all arguments from `first` on to one sort; integers are coerced to reals if both
    /// occur.
    fn unify(&self, pool: &mut TermPool, terms: &mut [Term], first: usize) -> Result<()> {
        let mut sort = pool.sort(terms[first]);
        if terms[first..].iter().all(|&term| pool.sort(term) == sort) {
            return Ok(());
        }
        if sort == Sort::Int && terms[first..].iter().any(|&term| pool.sort(term) == Sort::Real) {
            sort = Sort::Real;
        }
        for (place, term) in terms.iter_mut().enumerate().skip(first) {
            *term = self.coerced(pool, *term, place, sort)?;
        }
        Ok(())
    }

    /// Converts all arguments to integers or to reals.
    fn numbers(&self, pool: &mut TermPool, terms: &mut [Term]) -> Result<()> {
        for (place, &term) in terms.iter().enumerate() {
            if !matches!(pool.sort(term), Sort::Int | Sort::Real) {
                return Err(self.mismatch(pool, term, place, "Int or Real"));
            }
        }
        self.unify(pool, terms, 0)
    }

    fn reals(&self, pool: &mut TermPool, terms: &mut [Term]) -> Result<()> {
        for (place, term) in terms.iter_mut().enumerate() {
            *term = self.coerced(pool, *term, place, Sort::Real)?;
        }
        Ok(())
    }

    /// The conjunction of a relation over neighboring arguments.
    pub(super) fn chain(
        &self,
        pool: &mut TermPool,
        terms: &[Term],
        mut relation: impl FnMut(&mut TermPool, Term, Term) -> Term,
    ) -> Term {
        if let [a, b] = *terms {
            return relation(pool, a, b);
        }
        let links: Vec<Term> = terms.windows(2).map(|pair| relation(pool, pair[0], pair[1])).collect();
        pool.and(&links)
    }

    pub(super) fn build(&self, pool: &mut TermPool, operator: Operator, terms: &mut [Term]) -> Result<Term> {
        use Operator as O;
        match operator {
            O::Truth(_) | O::Mode(_) => Err(self.error("takes no arguments")),
            O::Not => {
                self.arity(1)?;
                self.all_of(pool, terms, 0, Sort::Bool)?;
                Ok(pool.not(terms[0]))
            }
            O::And | O::Or | O::Xor | O::Implies => self.connective(pool, operator, terms),
            O::Equal => {
                self.at_least(2)?;
                self.unify(pool, terms, 0)?;
                Ok(self.chain(pool, terms, TermPool::eq))
            }
            O::Distinct => {
                self.at_least(2)?;
                self.unify(pool, terms, 0)?;
                self.distinct(pool, terms)
            }
            O::Ite => {
                self.arity(3)?;
                if pool.sort(terms[0]) != Sort::Bool {
                    return Err(self.mismatch(pool, terms[0], 0, "Bool"));
                }
                self.unify(pool, terms, 1)?;
                Ok(pool.ite(terms[0], terms[1], terms[2]))
            }
            O::Add | O::Subtract | O::Multiply | O::Divide | O::IntDivide | O::Modulo | O::Abs => {
                self.arithmetic(pool, operator, terms)
            }
            O::Compare(comparison) => {
                self.at_least(2)?;
                self.numbers(pool, terms)?;
                Ok(self.chain(pool, terms, |pool, a, b| match comparison {
                    Comparison::LessEqual => pool.le(a, b),
                    Comparison::Less => pool.lt(a, b),
                    Comparison::GreaterEqual => pool.le(b, a),
                    Comparison::Greater => pool.lt(b, a),
                }))
            }
            O::ToReal | O::ToInt | O::IsInt => {
                self.arity(1)?;
                self.reals(pool, terms)?;
                Ok(match operator {
                    O::ToReal => terms[0],
                    O::ToInt => pool.to_int(terms[0]),
                    _ => {
                        let floor = pool.to_int(terms[0]);
                        let floor = pool.to_real(floor);
                        pool.eq(terms[0], floor)
                    }
                })
            }
            O::Divisible(divisor) => self.divisible(pool, divisor, terms),
            O::Select => {
                self.arity(2)?;
                let (index, _) = self.array(pool, terms[0])?;
                let index = self.coerced(pool, terms[1], 1, index)?;
                Ok(pool.select(terms[0], index))
            }
            O::Store => {
                self.arity(3)?;
                let (index, element) = self.array(pool, terms[0])?;
                let index = self.coerced(pool, terms[1], 1, index)?;
                let element = self.coerced(pool, terms[2], 2, element)?;
                Ok(pool.store(terms[0], index, element))
            }
            O::FloatConstant(..)
            | O::FloatParts
            | O::Float(_)
            | O::FloatCompare(..)
            | O::ToFloat(..)
            | O::ToFloatUnsigned(..) => self.float(pool, operator, terms),
            _ => self.bit_vector(pool, operator, terms),
        }
    }

    fn array(&self, pool: &TermPool, array: Term) -> Result<(Sort, Sort)> {
        match pool.sort(array) {
            Sort::Array(parts) => Ok(pool.array_sort_parts(parts)),
            sort => {
                let found = print::sort(pool, sort);
                let message =
                    format!("argument 1 of `{}` should be an array but is of sort {found}", self.name());
                Err(Diagnostic::error(self.place(0), message))
            }
        }
    }

    fn connective(&self, pool: &mut TermPool, operator: Operator, terms: &mut [Term]) -> Result<Term> {
        self.at_least(if matches!(operator, Operator::And | Operator::Or) { 1 } else { 2 })?;
        self.all_of(pool, terms, 0, Sort::Bool)?;
        Ok(match operator {
            Operator::And => pool.and(terms),
            Operator::Or => pool.or(terms),
            Operator::Implies => {
                let last = terms.len() - 1;
                for hypothesis in &mut terms[..last] {
                    *hypothesis = pool.not(*hypothesis);
                }
                pool.or(terms)
            }
            _ => terms[1..].iter().fold(terms[0], |left, &right| pool.xor(left, right)),
        })
    }

    fn distinct(&self, pool: &mut TermPool, terms: &[Term]) -> Result<Term> {
        let size = match pool.sort(terms[0]) {
            Sort::Bool => Some(2),
            Sort::BitVec(width) if width < 32 => Some(1usize << width),
            _ => None,
        };
        if size.is_some_and(|size| terms.len() > size) {
            return Ok(pool.fls());
        }
        // Distinct constants of these sorts have distinct values.
        let is_constant = |&term: &Term| {
            matches!(pool.op(term), Op::BvConst(_) | Op::IntConst(_) | Op::RealConst(_) | Op::FloatConst(_))
        };
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(pool.fls());
        }
        if terms.iter().all(is_constant) {
            return Ok(pool.tru());
        }
        if terms.len() > limits::DISTINCT_ARGUMENTS {
            let limit = limits::DISTINCT_ARGUMENTS;
            return Err(self.error(format_args!("of {} arguments is not supported", terms.len())).with_help(
                format!("at most {limit} arguments are supported, because the expansion is quadratic"),
            ));
        }
        Ok(pool.distinct(terms))
    }

    fn arithmetic(&self, pool: &mut TermPool, operator: Operator, terms: &mut [Term]) -> Result<Term> {
        use Operator as O;
        match operator {
            O::Add | O::Multiply => self.at_least(1)?,
            O::Subtract => self.at_least(1)?,
            O::Abs => self.arity(1)?,
            O::Modulo => self.arity(2)?,
            _ => self.at_least(2)?,
        }
        match operator {
            O::Divide => self.reals(pool, terms)?,
            O::IntDivide | O::Modulo => self.all_of(pool, terms, 0, Sort::Int)?,
            _ => self.numbers(pool, terms)?,
        }
        Ok(match operator {
            O::Add => pool.add(terms),
            O::Subtract => match *terms {
                [a] => pool.neg(a),
                [a, b] => pool.sub(a, b),
                _ => {
                    // One sum: a chain of differences would be normalized repeatedly.
                    for term in &mut terms[1..] {
                        *term = pool.neg(*term);
                    }
                    pool.add(terms)
                }
            },
            O::Multiply => {
                let mut product = terms[0];
                for (place, &factor) in terms.iter().enumerate().skip(1) {
                    if constant_bits(pool, product) + constant_bits(pool, factor) > limits::PRODUCT_BITS {
                        let message = "the constants in this product are too large";
                        return Err(Diagnostic::error(self.place(place), message));
                    }
                    product = pool.mul(product, factor);
                }
                product
            }
            O::Abs => {
                let zero = pool.number(pool.sort(terms[0]), &num_rational::BigRational::zero());
                let is_negative = pool.lt(terms[0], zero);
                let negated = pool.neg(terms[0]);
                pool.ite(is_negative, negated, terms[0])
            }
            O::Modulo => pool.int_mod(terms[0], terms[1]),
            O::IntDivide => terms[1..].iter().fold(terms[0], |left, &right| pool.int_div(left, right)),
            _ => {
                let mut quotient = terms[0];
                for (place, &divisor) in terms.iter().enumerate().skip(1) {
                    if constant_bits(pool, quotient) + constant_bits(pool, divisor) > limits::PRODUCT_BITS {
                        let message = "the constants in this quotient are too large";
                        return Err(Diagnostic::error(self.place(place), message));
                    }
                    quotient = pool.real_div(quotient, divisor);
                }
                quotient
            }
        })
    }

    fn divisible(&self, pool: &mut TermPool, divisor: Name, terms: &mut [Term]) -> Result<Term> {
        self.arity(1)?;
        self.all_of(pool, terms, 0, Sort::Int)?;
        let divisor: BigUint = literal::natural(self.cx.names.text(divisor), self.cx.tree.span(self.head()))?;
        if divisor.is_zero() {
            return Err(self.error("divides by zero").with_help("the index of `divisible` must be positive"));
        }
        let divisor = pool.int_big(&BigInt::from(divisor));
        let remainder = pool.int_mod(terms[0], divisor);
        let zero = pool.int(0);
        Ok(pool.eq(remainder, zero))
    }
}

/// The size of the constant factor of a term, in bits.
fn constant_bits(pool: &TermPool, term: Term) -> u64 {
    let constant = if pool.op(term) == Op::Mul { pool.children(term)[0] } else { term };
    match (pool.as_int(constant), pool.as_real(constant)) {
        (Some(value), _) => value.bits(),
        (_, Some(value)) => value.numer().bits() + value.denom().bits(),
        _ => 0,
    }
}
