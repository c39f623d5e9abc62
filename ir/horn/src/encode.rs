//! Horn clauses in another encoding.

use super::{Argument, Atom, Clause, System};
use encode::{EncodeError, Encoder, Encoding, FloatEncoding, Heap, Overflow};
use terms::entity::PrimaryMap;
use terms::{Op, Representation, Sort, Term, TermPool};

impl System {
    /// The system with all terms translated into `encoding`. Clauses share no variables, so each is translated by an encoder of its own and gets
    /// the constraints (ranges, axioms) of its own symbols. An argument gets the sort that its terms have then.
    ///
    /// # Errors
    /// If a term has no translation.
    pub fn encode(
        &self,
        pool: &mut TermPool,
        encoding: Encoding,
        overflow: Overflow,
        floats: FloatEncoding,
    ) -> Result<System, EncodeError> {
        let mut result = System { predicates: PrimaryMap::new(), clauses: Vec::new() };
        let mut sorts: Vec<Vec<Option<Sort>>> =
            self.predicates.values().map(|data| vec![None; data.arguments.len()]).collect();
        for clause in &self.clauses {
            let mut encoder = Encoder::new(encoding, overflow).with_floats(floats);
            let mut constraint = vec![encoder.formula(pool, clause.constraint)?];
            let mut atom = |atom: &Atom, pool: &mut TermPool, encoder: &mut Encoder| {
                let mut arguments = Vec::with_capacity(atom.arguments.len());
                for (place, &argument) in atom.arguments.iter().enumerate() {
                    let translated = argument_term(pool, encoder, argument)?;
                    sorts[atom.predicate.0 as usize][place] = Some(pool.sort(translated));
                    arguments.push(translated);
                }
                Ok(Atom { predicate: atom.predicate, arguments })
            };
            let mut body = Vec::with_capacity(clause.body.len());
            for assumed in &clause.body {
                body.push(atom(assumed, pool, &mut encoder)?);
            }
            let head = clause.head.as_ref().map(|head| atom(head, pool, &mut encoder)).transpose()?;
            constraint.extend(encoder.take_constraints());
            let constraint = pool.and(&constraint);
            let mut terms = vec![constraint];
            terms.extend(body.iter().chain(&head).flat_map(|atom| atom.arguments.iter().copied()));
            let mut has_quantifier = false;
            pool.visit(
                &terms,
                |_| true,
                |term| {
                    has_quantifier |= matches!(pool.op(term), Op::Forall | Op::Exists);
                },
            );
            if has_quantifier {
                return Err(EncodeError::Quantifier { encoding, place: "the body of a Horn clause" });
            }
            if let Some(&function) = pool.free_functions_of(&terms).first() {
                // A Horn clause can quantify variables, not functions.
                let operator = format!("the function {} in a Horn clause", pool.function_data(function).0);
                return Err(EncodeError::Operator { encoding, operator });
            }
            result.clauses.push(Clause { body, constraint, head, comment: clause.comment.clone() });
        }
        for (data, sorts) in self.predicates.values().zip(sorts) {
            let mut data = data.clone();
            for (argument, sort) in data.arguments.iter_mut().zip(sorts) {
                // A predicate that no clause mentions has no solution to be found either; its sorts stay.
                let Argument { sort: old, .. } = argument;
                *old = sort.unwrap_or(*old);
            }
            result.predicates.push(data);
        }
        Ok(result)
    }
}

fn argument_term(pool: &mut TermPool, encoder: &mut Encoder, argument: Term) -> Result<Term, EncodeError> {
    if encoder.encoding().heap() == Heap::Functions && matches!(pool.sort(argument), Sort::Array(_)) {
        let place = "the argument of a predicate";
        return Err(EncodeError::FunctionAsTerm { encoding: encoder.encoding(), place });
    }
    match (pool.sort(argument), pool.op(argument)) {
        (Sort::Bool, _) => encoder.formula(pool, argument),
        (_, Op::Symbol(symbol)) => {
            let representation = pool.symbol_data(symbol).representation;
            encoder.term_as(pool, argument, representation)
        }
        _ => encoder.term_as(pool, argument, Representation::Signed),
    }
}
