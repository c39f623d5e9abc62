//! Abstraction formulas, predicates, and the abstractions `(φ)^ρ` of formulas to predicates.
//!
//! Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR 2018, §3.1. The
//! Boolean abstraction is the strongest Boolean combination of predicates that a formula implies:
//! all models of `φ ∧ ⋀ (v_p ⇔ p)` over the Booleans `v_p`. The Cartesian abstraction is the
//! strongest conjunction of predicates and negated predicates. A region is a binary decision
//! diagram over the predicates, or a formula. Coverage between diagrams is a diagram operation; any
//! other coverage check is a query.
//!
//! An abstraction is computed in three steps, each for the predicates that the one before left:
//!
//! 1. *Relevance*: a predicate that the block does not change keeps a value that ψ gives it,
//!    without a query (the trivial predicates of Wendler, *Towards Practical Predicate Analysis*,
//!    PhD thesis, University of Passau, 2017).
//! 2. *Cartesian*: the [backbone] of the markers. It is the Cartesian abstraction.
//! 3. *Boolean*: all models of each group of independent predicates (module `groups`).
//!
//! Equivalent predicates are merged before (module `duplicates`).
//!
//! Cost: in step 2, at most one query for each predicate without a value and one more; in step 3,
//! one for each cube of a group that step 2 has not found, at worst 2ⁿ for n predicates, and one
//! more. Results are cached by (ψ, φ, predicates), coverage results by the pair of formulas.

use super::config::{Abstraction, Region};
use super::duplicates::Classes;
use super::groups::independent;
use super::solving::{Failure, Solver};
use backends::all_sat::{Backbone, all_sat, backbone, excluding};
use horn::ClauseData;
use indexmap::IndexSet;
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
    classes: Classes,
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
            classes: Classes::default(),
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

    /// Returns a predicate with the meaning of a formula or of its negation, for precisions: an
    /// older one if the solver finds an equivalent one soon. `None` for a constant.
    ///
    /// # Errors
    /// The failure of the run; without an answer about equivalence, predicates are different.
    pub(crate) fn representative(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        formula: Term,
    ) -> Result<Option<Predicate>, Failure> {
        let formula = without_negation(pool, formula);
        if pool.as_bool(formula).is_some() {
            return Ok(None);
        }
        if let Some(&known) = self.predicate_of.get(&formula) {
            return Ok(Some(known));
        }
        if let Some(older) = self.classes.representative(pool, solver, formula)? {
            let older = without_negation(pool, older);
            return Ok(self.predicate_of.get(&older).copied());
        }
        Ok(self.predicate(pool, formula))
    }

    /// Returns the predicate of a formula; a predicate and its negation are identified. `None` for
    /// a constant.
    fn predicate(&mut self, pool: &mut TermPool, formula: Term) -> Option<Predicate> {
        let formula = without_negation(pool, formula);
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
            self.strongest(pool, solver, (psi, block), kind, predicates)
        });
        solver.statistics.abstraction.add(start);
        let result = result?;
        self.computed.insert(key, result);
        Ok(result)
    }

    /// The abstraction of the assertions of `solver`, which are ψ and the constraint of `block`.
    fn strongest(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        (psi, block): (Formula, &ClauseData),
        kind: Abstraction,
        predicates: &[Predicate],
    ) -> Result<Formula, Failure> {
        let (mut literals, mut open) = (Vec::new(), Vec::new());
        for &predicate in predicates {
            match self.kept(pool, psi, block, predicate)? {
                Some(value) => literals.push((predicate, value)),
                None => open.push(predicate),
            }
        }
        if open.is_empty() {
            return if solver.is_satisfiable(pool, &[])? { self.union(pool, &[literals]) } else { Ok(FALSE) };
        }
        let mut markers = Vec::with_capacity(open.len());
        for &predicate in &open {
            let PredicateData { formula, marker, .. } = &self.predicates[predicate];
            let (formula, marker) = (*formula, *marker);
            let at_end = block.at_head(pool, formula);
            let means = pool.eq(marker, at_end);
            solver.assert(pool, means)?;
            markers.push(marker);
        }
        let Some(Backbone { values, cubes }) = backbone(&mut *solver.prover, pool, &markers)? else {
            return Ok(FALSE);
        };
        solver.statistics.cubes += cubes.len() as u64;
        let fixed = open.iter().zip(&values).filter_map(|(&predicate, &value)| Some((predicate, value?)));
        literals.extend(fixed);
        let mut result = self.union(pool, &[literals])?;
        if kind == Abstraction::Cartesian {
            return Ok(result);
        }
        let free: Vec<usize> = (0..open.len()).filter(|&index| values[index].is_none()).collect();
        let formulas: Vec<Term> =
            free.iter().map(|&index| block.at_head(pool, self.predicates[open[index]].formula)).collect();
        let constraints = [self.term(psi), block.constraint];
        for group in independent(pool, &constraints, &formulas) {
            let group: Vec<usize> = group.into_iter().map(|index| free[index]).collect();
            let known = cubes.iter().map(|cube| group.iter().map(|&index| cube[index]).collect()).collect();
            let markers: Vec<Term> = group.iter().map(|&index| markers[index]).collect();
            let cubes: Vec<Vec<(Predicate, bool)>> = all_cubes(pool, solver, &markers, known)?
                .into_iter()
                .map(|cube| group.iter().map(|&index| open[index]).zip(cube).collect())
                .collect();
            let part = self.union(pool, &cubes)?;
            result = self.both(pool, result, part)?;
        }
        Ok(result)
    }

    /// The value that a predicate has at the end of a block because ψ gives it this value at the
    /// start and the block does not change it; `None` if another step has to find out.
    fn kept(
        &self,
        pool: &mut TermPool,
        psi: Formula,
        block: &ClauseData,
        predicate: Predicate,
    ) -> Result<Option<bool>, Failure> {
        let PredicateData { formula, diagram, .. } = &self.predicates[predicate];
        if block.at_head(pool, *formula) != *formula {
            return Ok(None);
        }
        let FormulaData { term, diagram: before } = &self.formulas[psi];
        let (holds, fails) = match (before, diagram) {
            (Some(before), Some(variable)) => {
                (before.imp(variable)?.valid(), before.imp(&variable.not()?)?.valid())
            }
            _ => {
                let conjuncts = pool.conjuncts(&[*term]);
                let negated = pool.not(*formula);
                (conjuncts.contains(formula), conjuncts.contains(&negated))
            }
        };
        Ok((holds || fails).then_some(holds))
    }

    fn both(&mut self, pool: &mut TermPool, a: Formula, b: Formula) -> Result<Formula, Failure> {
        match (&self.formulas[a].diagram, &self.formulas[b].diagram) {
            (Some(one), Some(other)) => {
                let both = one.and(other)?;
                Ok(self.formula_of_diagram(pool, both))
            }
            _ => Ok(self.strengthen(pool, a, self.term(b))),
        }
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

/// All cubes of the assertions over `markers`; `known` are some of them.
fn all_cubes(
    pool: &mut TermPool,
    solver: &mut Solver,
    markers: &[Term],
    known: IndexSet<Vec<bool>>,
) -> Result<IndexSet<Vec<bool>>, Failure> {
    let mut cubes = known;
    solver.scoped(pool, |pool, solver| {
        for cube in &cubes {
            let clause = excluding(pool, markers.iter().copied().zip(cube.iter().copied()));
            solver.prover.assert(pool, clause)?;
        }
        let before = cubes.len();
        let mut on_cube = |cube: &[bool]| {
            cubes.insert(cube.to_vec());
            ControlFlow::Continue(())
        };
        all_sat(&mut *solver.prover, pool, markers, &mut on_cube)?;
        solver.statistics.cubes += (cubes.len() - before) as u64;
        Ok(())
    })?;
    Ok(cubes)
}

fn without_negation(pool: &TermPool, formula: Term) -> Term {
    if pool.op(formula) == Op::Not { pool.children(formula)[0] } else { formula }
}

/// Identifies the node of a diagram during the lifetime of the diagram.
fn id(diagram: &BDDFunction) -> NodeID {
    diagram.with_manager_shared(|_, edge| edge.node_id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::predicate::solving::test_solver;
    use horn::Updates;

    /// A block that constrains the state and changes nothing.
    fn guard(constraint: Term) -> ClauseData {
        ClauseData {
            body: Vec::new(),
            constraint,
            head: None,
            updates: Updates::default(),
            guard: constraint,
            inner: Vec::new(),
            origin: String::new(),
        }
    }

    /// For each kind of region and abstraction, the abstraction of `constraint` from `true`, and
    /// the number of cubes.
    fn abstractions(
        pool: &mut TermPool,
        constraint: Term,
        predicates: &[Term],
        check: impl Fn(&mut TermPool, &mut Solver, Abstraction, Term, u64),
    ) {
        for region in [Region::Bdd, Region::Smt] {
            for kind in [Abstraction::Cartesian, Abstraction::Boolean] {
                let mut solver = test_solver("QF_LIA");
                let mut abstractions = Abstractions::new(pool, region);
                let predicates: Vec<Predicate> = predicates
                    .iter()
                    .map(|&formula| abstractions.predicate(pool, formula).expect("no constant"))
                    .collect();
                let block = guard(constraint);
                let found = abstractions
                    .compute(pool, &mut solver, (TRUE, Path(0), &block), kind, &predicates)
                    .expect("an answer");
                let (term, cubes) = (abstractions.term(found), solver.statistics.cubes);
                check(pool, &mut solver, kind, term, cubes);
            }
        }
    }

    fn is_valid(pool: &mut TermPool, solver: &mut Solver, formula: Term) -> bool {
        let negated = pool.not(formula);
        !solver.is_satisfiable(pool, &[negated]).expect("an answer")
    }

    #[test]
    fn the_cubes_of_independent_predicates_add_up() {
        let mut pool = TermPool::new();
        let [zero, ten] = [0, 10].map(|value| pool.int(value));
        let (mut constraint, mut predicates, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..8 {
            let x = pool.symbol(&format!("x{number}"), Sort::Int);
            let (low, high) = (pool.lt(x, zero), pool.lt(ten, x));
            let outside = pool.or2(low, high);
            constraint.push(outside);
            predicates.extend([low, high]);
            let both = pool.and2(low, high);
            let not_both = pool.not(both);
            expected.extend([outside, not_both]);
        }
        let (constraint, expected) = (pool.and(&constraint), pool.and(&expected));
        abstractions(&mut pool, constraint, &predicates, |pool, solver, kind, found, cubes| {
            assert!(cubes <= 8 * 2 + 17, "{kind}: {cubes}");
            let equal = pool.eq(found, if kind == Abstraction::Boolean { expected } else { pool.tru() });
            assert!(is_valid(pool, solver, equal), "{kind}");
        });
    }

    #[test]
    fn predicates_with_one_value_are_literals() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::Int);
        let [zero, five, nine] = [0, 5, 9].map(|value| pool.int(value));
        let constraint = pool.lt(five, x);
        let predicates = [pool.lt(x, zero), pool.lt(zero, x), pool.lt(x, nine)];
        abstractions(&mut pool, constraint, &predicates, |pool, solver, kind, found, _| {
            let positive = pool.lt(zero, x);
            let equal = pool.eq(found, positive);
            assert!(is_valid(pool, solver, equal), "{kind}");
        });
        let fls = pool.fls();
        abstractions(&mut pool, fls, &predicates, |pool, _, kind, found, _| {
            assert_eq!(found, pool.fls(), "{kind}");
        });
    }

    #[test]
    fn what_a_block_does_not_change_keeps_its_value_without_a_query() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::Int);
        let zero = pool.int(0);
        let (low, equal) = (pool.lt(x, zero), pool.eq(x, zero));
        for region in [Region::Bdd, Region::Smt] {
            let mut solver = test_solver("QF_LIA");
            let mut abstractions = Abstractions::new(&pool, region);
            let predicates =
                [low, equal].map(|formula| abstractions.predicate(&mut pool, formula).expect("no constant"));
            let literals = vec![(predicates[0], true), (predicates[1], false)];
            let before = abstractions.union(&mut pool, &[literals]).expect("a region");
            let block = guard(pool.tru());
            let kind = Abstraction::Boolean;
            let after = abstractions
                .compute(&mut pool, &mut solver, (before, Path(0), &block), kind, &predicates)
                .expect("an answer");
            assert_eq!((after, solver.statistics.cubes), (before, 0));
        }
    }
}
