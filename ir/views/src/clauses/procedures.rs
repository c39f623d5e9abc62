//! Horn clauses of programs with calls: calling contexts and summaries as relations.
//!
//! [`of_procedures`] builds a [`System`] from the [block formulas of all
//! procedures](crate::procedures). A procedure `f` has a relation `f.entry` over the variables that
//! go in (its calling context), a relation `f.exit` over these and the variables that come out (its
//! summary), and a relation at each cut point of its body. A call of `g` between the cut points
//! `before` and `after` has two clauses:
//!
//! ```text
//! before(x)                               ⇒  g.entry(a(x))
//! before(x) ∧ g.exit(a, r) ∧ a = a(x) ∧ path(x, r, x+)  ⇒  after(x+)
//! ```
//!
//! The second clause is nonlinear. Its first body atom is applied to the symbols of its relation;
//! the summary is applied to the arguments `a` and to the symbols `r` of what comes out. An
//! argument that is a variable of the state is that symbol, if both have the same representation in
//! integer encodings; another one is a fresh symbol with an equation. There is no clause after
//! calls of functions that never return.
//!
//! Queries are as in the clauses of one function. The system is safe iff no execution reaches an
//! error or an unsupported construct.

use super::{Naming, clause_of, origin, place_of, relation_at};
use crate::blocks::{BlockFormulas, CallFormula, CutPoint, CutPointKind};
use crate::print::{Places, Titles};
use crate::procedures::Procedures;
use horn::{Atom, Clause, Relation, System};
use program::ssa::{Function, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Op, Term, TermPool};

/// The Horn clauses of a program with calls, over bit vectors and arrays.
#[derive(Clone, Debug)]
pub struct ProcedureClauses {
    /// The clauses.
    pub system: System,
    /// The location of each relation.
    pub locations: PrimaryMap<Relation, Location>,
    /// The location of the end of each query: an error or an unsupported construct.
    pub ends: BTreeMap<Clause, Location>,
    /// The location where the paths of each clause start; none for a clause that enters a
    /// procedure.
    pub starts: PrimaryMap<Clause, Option<Location>>,
}

/// The location of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The index in [`Procedures::blocks`].
    pub procedure: usize,
    /// The cut point: an entry, a return, a call or a block.
    pub cut_point: CutPoint,
}

/// The naming scheme of a system: names of the IR, or names of the source, with the titles of each
/// procedure.
#[derive(Clone, Copy, Debug)]
pub enum ProcedureNaming<'a> {
    /// See [`Naming::Ir`].
    Ir,
    /// See [`Naming::Source`].
    Source(&'a [Titles], &'a Places<'a>),
}

impl<'a> ProcedureNaming<'a> {
    fn of(self, procedure: usize) -> Naming<'a> {
        match self {
            ProcedureNaming::Ir => Naming::Ir,
            ProcedureNaming::Source(titles, places) => Naming::Source(&titles[procedure], places),
        }
    }
}

/// Translates the block formulas of all procedures of `program` to Horn clauses.
pub fn of_procedures(
    pool: &mut TermPool,
    program: &Program,
    procedures: &Procedures,
    naming: ProcedureNaming<'_>,
) -> ProcedureClauses {
    let mut builder = Builder {
        procedures,
        system: System::default(),
        locations: PrimaryMap::new(),
        ends: BTreeMap::new(),
        starts: PrimaryMap::new(),
        relations: FxHashMap::default(),
        procedure_of: FxHashMap::default(),
    };
    for (procedure, blocks) in procedures.blocks.iter().enumerate() {
        builder.procedure_of.insert(blocks.function, procedure);
        for (cut_point, data) in blocks.cut_points.iter() {
            let has_relation = match data.kind {
                CutPointKind::Entry => blocks.function != program.entry,
                CutPointKind::Block(_) | CutPointKind::Call(_) | CutPointKind::Return => true,
                CutPointKind::Error(_) | CutPointKind::Unsupported(_) => false,
            };
            if has_relation {
                let data = relation_at(program, blocks, cut_point, naming.of(procedure));
                let relation = builder.system.relations.push(data);
                builder.locations.push(Location { procedure, cut_point });
                builder.relations.insert((procedure, cut_point), relation);
            }
        }
    }
    for procedure in 0..procedures.blocks.len() {
        builder.procedure(pool, program, procedure, naming.of(procedure));
    }
    let Builder { system, locations, ends, starts, .. } = builder;
    ProcedureClauses { system, locations, ends, starts }
}

/// The body of the clauses from a cut point: the atoms, and equations of their arguments.
type Body = (Vec<Atom>, Vec<Term>);

struct Builder<'a> {
    procedures: &'a Procedures,
    system: System,
    locations: PrimaryMap<Relation, Location>,
    ends: BTreeMap<Clause, Location>,
    starts: PrimaryMap<Clause, Option<Location>>,
    relations: FxHashMap<(usize, CutPoint), Relation>,
    procedure_of: FxHashMap<Function, usize>,
}

impl Builder<'_> {
    fn procedure(&mut self, pool: &mut TermPool, program: &Program, procedure: usize, naming: Naming<'_>) {
        let blocks = &self.procedures.blocks[procedure];
        let mut bodies: FxHashMap<CutPoint, Option<Body>> = FxHashMap::default();
        for (cut, data) in blocks.cut_points.iter() {
            let relation = self.relations.get(&(procedure, cut));
            let mut atoms: Vec<Atom> =
                relation.map(|&relation| self.system.atom(relation)).into_iter().collect();
            let mut equations = Vec::new();
            let mut returns = true;
            if let (CutPointKind::Call(_), Some(call)) = (&data.kind, blocks.calls.get(&cut)) {
                self.enter(pool, program, blocks, (cut, &atoms, call), naming);
                match self.summary(pool, call, &mut equations) {
                    Some(summary) => atoms.push(summary),
                    None => returns = false,
                }
            }
            bodies.insert(cut, returns.then_some((atoms, equations)));
        }
        for formula in &blocks.formulas {
            let Some((atoms, equations)) = &bodies[&formula.from] else { continue };
            let mut conjuncts = equations.clone();
            conjuncts.push(formula.path.guard);
            let guard = pool.and(&conjuncts);
            let to = self.relations.get(&(procedure, formula.to)).copied();
            let values = blocks.state(formula.to).zip(formula.path.updates.iter().copied());
            let origin = origin(program, blocks, formula, naming);
            let clause = clause_of(pool, &self.system, (atoms.clone(), guard), (to, values), &origin);
            let clause = self.system.clauses.push(clause);
            self.starts.push(Some(Location { procedure, cut_point: formula.from }));
            if to.is_none() {
                self.ends.insert(clause, Location { procedure, cut_point: formula.to });
            }
        }
    }

    /// Adds the clause that enters the callee.
    fn enter(
        &mut self,
        pool: &mut TermPool,
        program: &Program,
        blocks: &BlockFormulas,
        (cut, body, call): (CutPoint, &[Atom], &CallFormula),
        naming: Naming<'_>,
    ) {
        let procedure = self.procedure_of[&call.callee];
        let callee = &self.procedures.blocks[procedure];
        let entry = self.relations.get(&(procedure, callee.entry)).copied();
        let values = callee.state(callee.entry).zip(call.passed.iter().copied());
        let origin = match naming {
            Naming::Ir => String::new(),
            Naming::Source(titles, places) => {
                let name = entry.map_or("", |entry| &self.system.relations[entry].name);
                format!("{} -> {name}", place_of(program, blocks, cut, (titles, places)))
            }
        };
        let guard = pool.tru();
        let clause = clause_of(pool, &self.system, (body.to_vec(), guard), (entry, values), &origin);
        self.system.clauses.push(clause);
        self.starts.push(None);
    }

    /// The summary of a call as a body atom; `None` if the callee never returns. `equations` gets
    /// the equations of arguments that are fresh symbols.
    fn summary(&self, pool: &mut TermPool, call: &CallFormula, equations: &mut Vec<Term>) -> Option<Atom> {
        let procedure = self.procedure_of[&call.callee];
        let callee = &self.procedures.blocks[procedure];
        let returns = callee.cut_points.iter().find(|(_, data)| data.kind == CutPointKind::Return);
        let relation = self.relations[&(procedure, returns?.0)];
        let mut arguments = Vec::new();
        for (variable, &term) in callee.state(callee.entry).zip(&call.passed) {
            arguments.push(match pool.op(term) {
                // Atoms translate the symbols of their arguments, so each bounds them.
                Op::Symbol(symbol) if pool.symbol_data(symbol).representation == variable.representation => {
                    term
                }
                _ => {
                    let symbol = pool.fresh_symbol(&variable.name, variable.sort, variable.representation);
                    pool.mark_computed(symbol);
                    equations.push(pool.eq(symbol, term));
                    symbol
                }
            });
        }
        arguments.extend(&call.returned);
        Some(Atom { relation, arguments })
    }
}
