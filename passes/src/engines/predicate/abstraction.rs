//! Abstraction formulas, predicates, and the abstractions `(φ)^ρ` of formulas to predicates.
//!
//! Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR 2018, §3.1. The
//! Boolean abstraction is the strongest Boolean combination of predicates that a formula implies:
//! all models of `φ ∧ ⋀ (v_p ⇔ p)` over the Booleans `v_p`. The Cartesian abstraction is the
//! strongest conjunction of predicates and negated predicates. A region is a binary decision
//! diagram over the predicates, or a formula. Coverage between diagrams is a diagram operation; any
//! other coverage check is a query.
//!
//! Cost: one query for each cube, at worst 2ⁿ for n predicates; two queries for each predicate in
//! the Cartesian abstraction. Results are cached by (ψ, φ, predicates), coverage results by the
//! pair of formulas.

use super::config::{Abstraction, Region};
use super::solving::{Failure, Solver};
use backends::all_sat::all_sat;
use horn::ClauseData;
use oxidd::NodeID;
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::{BooleanFunction, Edge, Function, Manager, ManagerRef};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use terms::entity::PrimaryMap;
use terms::{Op, Representation, Sort, Term, TermPool};
use views::paths::Path;

terms::entity! {
    /// A predicate over the variables of states.
    Predicate, "p"
}
terms::entity! {
    /// An abstraction formula.
    Formula, "psi"
}

/// The formula `true`.
pub(crate) const TRUE: Formula = Formula(0);
/// The formula `false`.
pub(crate) const FALSE: Formula = Formula(1);

struct PredicateData {
    formula: Term,
    /// The Boolean symbol that represents it in queries.
    marker: Term,
    diagram: Option<BDDFunction>,
    /// The symbols of the formula.
    symbols: Vec<Term>,
}

struct FormulaData {
    term: Term,
    diagram: Option<BDDFunction>,
}

/// All predicates and abstraction formulas of a run.
pub(crate) struct Abstractions {
    region: Region,
    manager: BDDManagerRef,
    predicates: PrimaryMap<Predicate, PredicateData>,
    predicate_of: FxHashMap<Term, Predicate>,
    formulas: PrimaryMap<Formula, FormulaData>,
    formula_of: FxHashMap<Term, Formula>,
    computed: FxHashMap<(Formula, Path, Abstraction, Vec<Predicate>), Formula>,
    implied: FxHashMap<(Formula, Formula), bool>,
}

/// The largest number of inner nodes of all diagrams of a run.
const DIAGRAM_NODES: usize = 1 << 22;
/// The size of the cache of diagram operations.
const DIAGRAM_CACHE: usize = 1 << 16;

impl Abstractions {
    pub(crate) fn new(pool: &TermPool, region: Region) -> Self {
        let manager = oxidd::bdd::new_manager(DIAGRAM_NODES, DIAGRAM_CACHE, 1);
        let constants =
            manager.with_manager_shared(|manager| [BDDFunction::t(manager), BDDFunction::f(manager)]);
        let mut formulas = PrimaryMap::new();
        let mut formula_of = FxHashMap::default();
        for (term, diagram) in [pool.tru(), pool.fls()].into_iter().zip(constants) {
            let diagram = (region == Region::Bdd).then_some(diagram);
            formula_of.insert(term, formulas.push(FormulaData { term, diagram }));
        }
        Abstractions {
            region,
            manager,
            predicates: PrimaryMap::new(),
            predicate_of: FxHashMap::default(),
            formulas,
            formula_of,
            computed: FxHashMap::default(),
            implied: FxHashMap::default(),
        }
    }

    /// The formula as a term over the variables of states.
    pub(crate) fn term(&self, formula: Formula) -> Term {
        self.formulas[formula].term
    }

    /// The formula of a predicate.
    pub(crate) fn predicate_term(&self, predicate: Predicate) -> Term {
        self.predicates[predicate].formula
    }

    /// The symbols of a predicate.
    pub(crate) fn symbols(&self, predicate: Predicate) -> &[Term] {
        &self.predicates[predicate].symbols
    }

    /// The number of predicates.
    pub(crate) fn predicates(&self) -> usize {
        self.predicates.len()
    }

    /// Returns the predicate of a formula; a predicate and its negation are identified. `None` for
    /// a constant.
    pub(crate) fn predicate(&mut self, pool: &mut TermPool, formula: Term) -> Option<Predicate> {
        let formula = if pool.op(formula) == Op::Not { pool.children(formula)[0] } else { formula };
        if pool.as_bool(formula).is_some() {
            return None;
        }
        if let Some(&known) = self.predicate_of.get(&formula) {
            return Some(known);
        }
        let name = format!("predicate!{}", self.predicates.len());
        let marker = pool.fresh_symbol(&name, Sort::Bool, Representation::Unsigned);
        let diagram = match self.region {
            Region::Smt => None,
            Region::Bdd => self.manager.with_manager_exclusive(|manager| {
                let variable = manager.add_vars(1).start;
                BDDFunction::var(manager, variable).ok()
            }),
        };
        let symbols = pool.free_symbols(formula).into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
        let predicate = self.predicates.push(PredicateData { formula, marker, diagram, symbols });
        self.predicate_of.insert(formula, predicate);
        Some(predicate)
    }

    /// Returns the abstraction formula of a term.
    pub(crate) fn formula(&mut self, term: Term) -> Formula {
        let formulas = &mut self.formulas;
        *self.formula_of.entry(term).or_insert_with(|| formulas.push(FormulaData { term, diagram: None }))
    }

    /// The conjunction of a formula and a term.
    pub(crate) fn strengthen(&mut self, pool: &mut TermPool, formula: Formula, term: Term) -> Formula {
        let both = pool.and2(self.term(formula), term);
        self.formula(both)
    }

    /// The conjunction of a formula and facts. A diagram stays one, with the facts as predicates.
    pub(crate) fn conjoin(
        &mut self,
        pool: &mut TermPool,
        formula: Formula,
        facts: &[Term],
    ) -> Result<Formula, Failure> {
        let Some(mut diagram) = self.formulas[formula].diagram.clone() else {
            let all = pool.and(facts);
            return Ok(self.strengthen(pool, formula, all));
        };
        if facts.contains(&pool.fls()) {
            return Ok(FALSE);
        }
        for &fact in facts {
            let Some(predicate) = self.predicate(pool, fact) else { continue };
            let variable = self.predicates[predicate].diagram.as_ref().ok_or(Failure::Diagrams)?;
            let holds = self.predicates[predicate].formula == fact;
            diagram = diagram.and(&if holds { variable.clone() } else { variable.not()? })?;
        }
        Ok(self.formula_of_diagram(pool, diagram))
    }

    /// Computes `(ψ ∧ φ)^ρ` at the end of the block `φ`, whose paths are `path`.
    pub(crate) fn compute(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        (psi, path, block): (Formula, Path, &ClauseData),
        kind: Abstraction,
        predicates: &[Predicate],
    ) -> Result<Formula, Failure> {
        if kind == Abstraction::None {
            return Ok(TRUE);
        }
        let key = (psi, path, kind, predicates.to_vec());
        if let Some(&known) = self.computed.get(&key) {
            solver.statistics.cached_abstractions += 1;
            return Ok(known);
        }
        let start = std::time::Instant::now();
        let result = solver.scoped(pool, |pool, solver| {
            solver.assert(pool, self.term(psi))?;
            solver.assert(pool, block.constraint)?;
            match kind {
                Abstraction::Cartesian => self.cartesian(pool, solver, block, predicates),
                _ => self.boolean(pool, solver, block, predicates),
            }
        });
        solver.statistics.abstraction.add(start);
        let result = result?;
        self.computed.insert(key, result);
        Ok(result)
    }

    fn cartesian(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        block: &ClauseData,
        predicates: &[Predicate],
    ) -> Result<Formula, Failure> {
        if !solver.is_satisfiable(pool, &[])? {
            return Ok(FALSE);
        }
        let mut literals = Vec::new();
        for &predicate in predicates {
            let formula = self.predicates[predicate].formula;
            let at_end = block.at_head(pool, formula);
            let negated = pool.not(at_end);
            if !solver.is_satisfiable(pool, &[negated])? {
                literals.push((predicate, true));
            } else if !solver.is_satisfiable(pool, &[at_end])? {
                literals.push((predicate, false));
            }
        }
        self.union(pool, &[literals])
    }

    fn boolean(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        block: &ClauseData,
        predicates: &[Predicate],
    ) -> Result<Formula, Failure> {
        if predicates.is_empty() {
            return Ok(if solver.is_satisfiable(pool, &[])? { TRUE } else { FALSE });
        }
        let mut markers = Vec::with_capacity(predicates.len());
        for &predicate in predicates {
            let PredicateData { formula, marker, .. } = &self.predicates[predicate];
            let (formula, marker) = (*formula, *marker);
            let at_end = block.at_head(pool, formula);
            let means = pool.eq(marker, at_end);
            solver.assert(pool, means)?;
            markers.push(marker);
        }
        let mut cubes = Vec::new();
        let mut on_cube = |cube: &[bool]| {
            cubes.push(predicates.iter().copied().zip(cube.iter().copied()).collect::<Vec<_>>());
            ControlFlow::Continue(())
        };
        all_sat(&mut *solver.prover, pool, &markers, &mut on_cube)?;
        solver.statistics.cubes += cubes.len() as u64;
        self.union(pool, &cubes)
    }

    /// The disjunction of cubes, conjunctions of literals.
    fn union(&mut self, pool: &mut TermPool, cubes: &[Vec<(Predicate, bool)>]) -> Result<Formula, Failure> {
        if self.region == Region::Bdd {
            return self.diagram_of(pool, cubes);
        }
        let mut disjuncts = Vec::with_capacity(cubes.len());
        for cube in cubes {
            let literals: Vec<Term> = cube
                .iter()
                .map(|&(predicate, holds)| {
                    let formula = self.predicates[predicate].formula;
                    if holds { formula } else { pool.not(formula) }
                })
                .collect();
            disjuncts.push(pool.and(&literals));
        }
        let term = pool.or(&disjuncts);
        Ok(self.formula(term))
    }

    fn diagram_of(
        &mut self,
        pool: &mut TermPool,
        cubes: &[Vec<(Predicate, bool)>],
    ) -> Result<Formula, Failure> {
        let (mut union, top) =
            self.manager.with_manager_shared(|manager| (BDDFunction::f(manager), BDDFunction::t(manager)));
        for cube in cubes {
            let mut conjunction = top.clone();
            for &(predicate, holds) in cube {
                let variable = self.predicates[predicate].diagram.as_ref().ok_or(Failure::Diagrams)?;
                let literal = if holds { variable.clone() } else { variable.not()? };
                conjunction = conjunction.and(&literal)?;
            }
            union = union.or(&conjunction)?;
        }
        Ok(self.formula_of_diagram(pool, union))
    }

    fn formula_of_diagram(&mut self, pool: &mut TermPool, diagram: BDDFunction) -> Formula {
        let term = self.term_of(pool, &diagram);
        let formula = self.formula(term);
        self.formulas[formula].diagram = Some(diagram);
        formula
    }

    /// Converts a diagram to a term, with one `ite` for each node.
    fn term_of(&self, pool: &mut TermPool, root: &BDDFunction) -> Term {
        let mut known: FxHashMap<NodeID, Term> = FxHashMap::default();
        let mut stack = vec![root.clone()];
        while let Some(at) = stack.last().cloned() {
            if known.contains_key(&id(&at)) {
                stack.pop();
                continue;
            }
            let Some((then, otherwise)) = at.cofactors() else {
                known.insert(id(&at), pool.bool(at.valid()));
                stack.pop();
                continue;
            };
            match (known.get(&id(&then)), known.get(&id(&otherwise))) {
                (Some(&then), Some(&otherwise)) => {
                    let predicate = at.with_manager_shared(|manager, edge| {
                        let level = manager.get_node(edge).level();
                        manager.level_to_var(level)
                    });
                    let condition = self.predicates[Predicate(predicate)].formula;
                    let term = pool.ite(condition, then, otherwise);
                    known.insert(id(&at), term);
                    stack.pop();
                }
                _ => stack.extend([then, otherwise]),
            }
        }
        known[&id(root)]
    }

    /// Whether `a` implies `b` under `range`.
    pub(crate) fn implies(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        a: Formula,
        b: Formula,
        range: Term,
    ) -> Result<bool, Failure> {
        if a == b || b == TRUE || a == FALSE {
            return Ok(true);
        }
        if let (Some(one), Some(other)) = (&self.formulas[a].diagram, &self.formulas[b].diagram) {
            return Ok(one.imp(other)?.valid());
        }
        if let Some(&known) = self.implied.get(&(a, b)) {
            return Ok(known);
        }
        let (premise, conclusion) = (self.term(a), self.term(b));
        let negated = pool.not(conclusion);
        let query = pool.and(&[range, premise, negated]);
        let start = std::time::Instant::now();
        let answer = solver.is_satisfiable(pool, &[query]);
        solver.statistics.coverage.add(start);
        let holds = !answer?;
        self.implied.insert((a, b), holds);
        Ok(holds)
    }
}

/// Identifies the node of a diagram during the lifetime of the diagram.
fn id(diagram: &BDDFunction) -> NodeID {
    diagram.with_manager_shared(|_, edge| edge.node_id())
}
