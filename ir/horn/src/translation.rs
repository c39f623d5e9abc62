//! Systems in other theories.
//!
//! A program gives clauses over bit vectors and arrays; solvers are asked in the [`Theories`] of a run. Each clause is translated by an encoder of its
//! own, and gets the constraints (ranges, axioms) of its own symbols. The symbols `x` and `x+` of arguments are the same in all clauses: they are
//! translated once, to *target symbols*, with what holds of them whatever the program does. Clauses and relations keep their
//! indices, so what is known of one system can be said of the other.
//!
//! Limits: an argument has to have a symbol, so where memory is a function there are no arguments that are memory.

use crate::updates::{determine, guard};
use crate::{Argument, Atom, ClauseData, RelationData, System, Update, inner};
use encode::{EncodeError, Heap, Theories};
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Term, TermPool};

/// What stands for the symbol of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The symbol.
    pub symbol: Term,
    /// What holds of it whatever the program does.
    pub range: Term,
}

/// From bit vectors and arrays into some theories, with the same target symbols for all clauses.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The theories that it leads to.
    pub theories: Theories,
    targets: FxHashMap<Term, Target>,
}

impl Translation {
    /// No symbols yet.
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
    /// If it cannot be a symbol.
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
    /// If an argument cannot be a symbol.
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

    /// A clause, and formulas `also` over its symbols, which share what was chosen in the translation.
    ///
    /// # Errors
    /// See [`EncodeError`]; also if memory that is a function occurs, which clauses would share.
    pub fn clause(
        &mut self,
        pool: &mut TermPool,
        source: &ClauseData,
        also: &[Term],
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
        let mut encoder = self.theories.encoder();
        conjuncts.push(encoder.formula(pool, source.constraint)?);
        let also: Result<Vec<Term>, EncodeError> =
            also.iter().map(|&formula| encoder.formula(pool, formula)).collect();
        let also = also?;
        if encoder.has_memory_functions() {
            return Err(self.function());
        }
        conjuncts.extend(encoder.take_constraints());
        let constraint = pool.and(&conjuncts);
        let guard = if constraint == source.constraint {
            // Nothing had to be translated, so the values are those of the source.
            updates.clone_from(&source.updates);
            source.guard
        } else {
            determine(pool, constraint, &mut updates);
            guard(pool, constraint, &updates)
        };
        let inner = inner(pool, &body, &updates, constraint);
        let origin = source.origin.clone();
        Ok((ClauseData { body, constraint, head, updates, guard, inner, origin }, also))
    }

    /// All of a system.
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
