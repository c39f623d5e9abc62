//! Systems in other theories.
//!
//! The clauses of a program are over bit vectors and arrays; solvers get formulas in the
//! [`Theories`] of a run. Each clause is translated by its own encoder and gets the constraints
//! (ranges, axioms) of its symbols. The symbols `x` and `x+` of arguments are common to all
//! clauses: they are translated once, to *target symbols* with ranges. Clauses and relations keep
//! their indices, so facts about one system carry over to the other.
//!
//! Limits: an argument must be a symbol, so memory that is encoded as a function cannot be an
//! argument.

use crate::{Argument, Atom, ClauseData, RelationData, System, Update, inner};
use encode::{EncodeError, Encoder, Heap, Native, Overflow, Theories};
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Term, TermPool};

/// The translation of the symbol of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The symbol.
    pub symbol: Term,
    /// The bounds of its values, which hold in every state.
    pub range: Term,
}

/// A translation from bit vectors and arrays to other theories, with the same target symbols for
/// all clauses.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The target theories.
    pub theories: Theories,
    targets: FxHashMap<Term, Target>,
}

impl Translation {
    /// A translation without target symbols.
    #[must_use]
    pub fn new(theories: Theories) -> Self {
        Translation { theories, targets: FxHashMap::default() }
    }

    fn function(&self) -> EncodeError {
        EncodeError::FunctionAsTerm { encoding: self.theories.encoding, place: "shared by clauses" }
    }

    /// The target symbol of an argument's symbol.
    ///
    /// # Errors
    /// If its translation is not a symbol.
    pub fn symbol(&mut self, pool: &mut TermPool, source: Term) -> Result<Target, EncodeError> {
        if let Some(&known) = self.targets.get(&source) {
            return Ok(known);
        }
        let Op::Symbol(name) = pool.op(source) else { unreachable!("an argument has a symbol") };
        if self.theories.encoding.heap() == Heap::Functions && matches!(pool.sort(source), Sort::Array(_)) {
            return Err(self.function());
        }
        let mut encoder = self.theories.encoder();
        let encoded = encoder.term(pool, source)?;
        let symbol = encoder.translation_of(name).unwrap_or(encoded);
        if !matches!(pool.op(symbol), Op::Symbol(_)) {
            return Err(self.function());
        }
        let target = Target { symbol, range: pool.and(&encoder.take_constraints()) };
        self.targets.insert(source, target);
        Ok(target)
    }

    /// A relation, whose arguments get the target symbols.
    ///
    /// # Errors
    /// If the translation of an argument is not a symbol.
    pub fn relation(
        &mut self,
        pool: &mut TermPool,
        source: &RelationData,
    ) -> Result<RelationData, EncodeError> {
        let mut arguments = Vec::with_capacity(source.arguments.len());
        for Argument { name, symbol } in &source.arguments {
            let symbol = self.symbol(pool, *symbol)?.symbol;
            arguments.push(Argument { name: name.clone(), symbol });
        }
        Ok(RelationData { name: source.name.clone(), arguments, origin: source.origin.clone() })
    }

    /// A clause, and formulas `also` over its symbols, translated by the same encoder.
    ///
    /// # Errors
    /// See [`EncodeError`]; also if memory that is encoded as a function occurs, since clauses
    /// would share the function.
    pub fn clause(
        &mut self,
        pool: &mut TermPool,
        source: &ClauseData,
        also: &[Term],
    ) -> Result<(ClauseData, Vec<Term>), EncodeError> {
        let mut encoder = self.theories.encoder();
        self.clause_by(pool, source, also, &mut encoder)
    }

    /// The same by a new encoder of the theories, which then knows the translations of the inner
    /// symbols.
    ///
    /// # Errors
    /// See [`clause`](Self::clause).
    pub fn clause_by(
        &mut self,
        pool: &mut TermPool,
        source: &ClauseData,
        also: &[Term],
        encoder: &mut Encoder,
    ) -> Result<(ClauseData, Vec<Term>), EncodeError> {
        let mut conjuncts = Vec::new();
        let mut body = Vec::with_capacity(source.body.len());
        for atom in &source.body {
            let mut arguments = Vec::with_capacity(atom.arguments.len());
            for &argument in &atom.arguments {
                let Target { symbol, range } = self.symbol(pool, argument)?;
                arguments.push(symbol);
                conjuncts.push(range);
            }
            body.push(Atom { relation: atom.relation, arguments });
        }
        let mut updates = crate::Updates::default();
        for (&before, update) in &source.updates {
            let (before, after) =
                (self.symbol(pool, before)?.symbol, self.symbol(pool, update.after)?.symbol);
            updates.insert(before, Update { after, value: None });
        }
        let head = match &source.head {
            Some(atom) => {
                let arguments = atom.arguments.iter();
                let arguments: Result<_, _> =
                    arguments.map(|&argument| Ok(self.symbol(pool, argument)?.symbol)).collect();
                Some(Atom { relation: atom.relation, arguments: arguments? })
            }
            None => None,
        };
        conjuncts.push(encoder.formula(pool, source.constraint)?);
        let also: Result<Vec<Term>, EncodeError> =
            also.iter().map(|&formula| encoder.formula(pool, formula)).collect();
        let also = also?;
        if encoder.has_memory_functions() {
            return Err(self.function());
        }
        conjuncts.extend(encoder.take_constraints());
        let constraint = pool.and(&conjuncts);
        let origin = source.origin.clone();
        if constraint == source.constraint {
            // The translation is the identity, so the values are those of the source.
            let (updates, guard) = (source.updates.clone(), source.guard);
            let inner = inner(pool, &body, &updates, constraint);
            return Ok((ClauseData { body, constraint, head, updates, guard, inner, origin }, also));
        }
        Ok((ClauseData::from_constraint(pool, body, constraint, (head, updates), origin), also))
    }

    /// A whole system.
    ///
    /// # Errors
    /// See [`clause`](Self::clause).
    pub fn system(&mut self, pool: &mut TermPool, source: &System) -> Result<System, EncodeError> {
        let mut system = System { relations: PrimaryMap::new(), clauses: PrimaryMap::new() };
        for relation in source.relations.values() {
            system.relations.push(self.relation(pool, relation)?);
        }
        for clause in source.clauses.values() {
            system.clauses.push(self.clause(pool, clause, &[])?.0);
        }
        Ok(system)
    }
}

impl System {
    /// Replaces the functions of linear encodings by [native arithmetic](Native). Returns the names
    /// of those that are approximated.
    pub fn replace_functions(&mut self, pool: &mut TermPool, overflow: Overflow) -> Vec<String> {
        let mut native = Native::new(overflow);
        for clause in self.clauses.values_mut() {
            if pool.free_functions_of(&[clause.constraint]).is_empty() {
                continue;
            }
            native.clear();
            let constraint = native.apply(pool, clause.constraint);
            *clause = clause.with_constraint(pool, constraint);
        }
        native.approximated().map(str::to_owned).collect()
    }
}
