//! The state of the search, and the interface of the solver.

use super::arena::{Arena, ClauseRef, Keep};
use super::config::{Config, Phase, ProofLogging, Statistics};
use super::log::{Log, LogId};
use super::order::{Queue, Scores};
use super::restart::Restarts;
use super::{Literal, Variable};
use crate::prover::proof::Proof;
use backends::Reason;
use terms::entity::Entity;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable together with the assumptions and the theory; [`Solver::value`] returns the
    /// assignment.
    Sat,
    /// Unsatisfiable; see [`Solver::failed_assumptions`] and [`Solver::proof`].
    Unsat,
    /// No answer, for this reason.
    Unknown(Reason),
}

/// A CDCL(T) solver; see [the module](super).
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) config: Config,
    pub(super) statistics: Statistics,
    pub(super) arena: Arena,
    /// All clauses of the arena that are not garbage.
    pub(super) clauses: Vec<ClauseRef>,
    /// By literal: the clauses to visit when it becomes false.
    pub(super) watches: Vec<Vec<Watch>>,

    /// By literal: 1 if true, -1 if false, 0 if unassigned.
    pub(super) values: Vec<i8>,
    /// By variable; meaningful only while the variable is assigned.
    pub(super) assignments: Vec<Assignment>,
    /// The true literals in the order of their assignment.
    pub(super) trail: Vec<Literal>,
    /// The length of the trail before the decision of each level; level 1 is at index 0.
    pub(super) levels: Vec<u32>,
    /// All literals of the trail before this position are propagated.
    pub(super) head: usize,
    /// By variable: the unit clause, if the variable is assigned at level 0 and chains are logged.
    pub(super) units: Vec<LogId>,
    /// All literals of the trail at level 0 before this position have an entry in `units`.
    pub(super) units_logged: usize,

    pub(super) scores: Scores,
    pub(super) queue: Queue,
    /// By variable: whether it is a decision variable. [`Solver::simplify`] deactivates variables
    /// without clauses.
    pub(super) active: Vec<bool>,
    /// Literals to decide first.
    pub(super) urgent: Vec<Literal>,
    pub(super) phases: Phases,
    pub(super) restarts: Restarts,
    pub(super) next_reduction: u64,
    /// Clause visits.
    pub(super) ticks: u64,
    /// Clause visits of vivification, which `ticks` excludes.
    pub(super) vivify_ticks: u64,
    /// The number of literals at level 0 at the last removal of satisfied clauses.
    pub(super) simplified: usize,

    /// The level of the theory.
    pub(super) theory_level: u32,
    /// The level to which the theory must backtrack first, if it is below `theory_level`.
    pub(super) theory_target: u32,
    /// The theory has received all literals of the trail before this position.
    pub(super) theory_head: usize,

    pub(super) analysis: super::analyze::Analysis,
    pub(super) log: Log,
    /// The empty clause, once it is derived.
    pub(super) empty: Option<LogId>,
    /// The clause that the last search proved.
    pub(super) proved: Option<LogId>,
    pub(super) failed: Vec<Literal>,
    /// Clauses that were added during an assignment.
    pending: Vec<(Vec<Literal>, u32)>,
}

/// A clause in the watch list of a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Another literal of the clause: while it is true, the clause need not be visited.
    pub(super) blocker: Literal,
    /// The clause reference; the highest bit marks binary clauses.
    code: u32,
}

impl Watch {
    const BINARY: u32 = 1 << 31;

    pub(super) fn new(blocker: Literal, clause: ClauseRef, length: usize) -> Self {
        let binary = if length == 2 { Self::BINARY } else { 0 };
        Watch { blocker, code: clause.code() | binary }
    }

    #[inline]
    pub(super) fn with_blocker(self, blocker: Literal) -> Self {
        Watch { blocker, ..self }
    }

    #[inline]
    pub(super) fn is_binary(self) -> bool {
        self.code & Self::BINARY != 0
    }

    #[inline]
    pub(super) fn clause(self) -> ClauseRef {
        ClauseRef::from_code(self.code & !Self::BINARY)
    }
}

/// The assignment of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment {
    pub(super) level: u32,
    /// The position in the trail.
    pub(super) place: u32,
    pub(super) reason: ClauseRef,
}

/// The phases, by variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    pub(super) saved: Vec<bool>,
    /// The longest assignment without conflict since the last phase reset.
    pub(super) best: Vec<bool>,
    pub(super) best_length: usize,
    /// The same; `None` for unassigned variables.
    pub(super) target: Vec<Option<bool>>,
    pub(super) target_length: usize,
}

impl Solver {
    /// Creates a solver without variables and clauses.
    pub fn new(config: Config) -> Self {
        Solver {
            config,
            statistics: Statistics::default(),
            arena: Arena::default(),
            clauses: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            assignments: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            units: Vec::new(),
            units_logged: 0,
            scores: Scores::default(),
            queue: Queue::default(),
            active: Vec::new(),
            urgent: Vec::new(),
            phases: Phases::default(),
            restarts: Restarts::default(),
            next_reduction: super::reduce::FIRST_REDUCTION,
            ticks: 0,
            vivify_ticks: 0,
            simplified: 0,
            theory_level: 0,
            theory_target: 0,
            theory_head: 0,
            analysis: super::analyze::Analysis::default(),
            log: Log::default(),
            empty: None,
            proved: None,
            failed: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Creates a variable.
    pub fn new_variable(&mut self) -> Variable {
        let variable = Variable::new(self.assignments.len());
        assert!(variable.index() < 1 << 30, "there are fewer than 2^30 variables");
        let phase = self.config.initial_phase == Phase::True;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.assignments.push(Assignment { level: 0, place: 0, reason: ClauseRef::NONE });
        self.units.push(LogId::NONE);
        self.scores.new_variable();
        self.queue.new_variable();
        self.active.push(true);
        self.scores.insert(variable);
        self.phases.saved.push(phase);
        self.phases.best.push(phase);
        self.phases.target.push(None);
        self.analysis.new_variable();
        variable
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.assignments.len()
    }

    /// Adds an input clause over variables of this solver. Its `tag` appears in the proof.
    ///
    /// The assignment of the last search stays: the clause takes effect in the next search.
    pub fn add_clause(&mut self, literals: &[Literal], tag: u32) {
        if self.level() == 0 {
            self.add_input(literals, tag);
        } else {
            self.pending.push((literals.to_vec(), tag));
        }
    }

    /// The value of a literal. After [`Answer::Sat`] and until the next search, its value in the
    /// model; otherwise its value if the clauses are known to imply it. A variable without clauses
    /// may have no value.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        match self.values.get(literal.index()) {
            Some(1) => Some(true),
            Some(-1) => Some(false),
            _ => None,
        }
    }

    /// After [`Answer::Unsat`], assumptions that are inconsistent with the clauses. Empty if the
    /// clauses alone are unsatisfiable.
    pub fn failed_assumptions(&self) -> &[Literal] {
        &self.failed
    }

    /// The proof of the last [`Answer::Unsat`]: of the empty clause, or of the clause of the
    /// negated [`failed_assumptions`](Self::failed_assumptions). `None` without logging, after any
    /// other answer, or if the failed assumptions are a literal and its negation.
    pub fn proof(&self) -> Option<Proof> {
        self.proved.map(|last| self.log.proof(last))
    }

    /// The event counters.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Adds the pending clauses. Requires level 0.
    pub(super) fn add_pending(&mut self) {
        for (literals, tag) in std::mem::take(&mut self.pending) {
            self.add_input(&literals, tag);
        }
    }

    fn add_input(&mut self, literals: &[Literal], tag: u32) {
        let Some(mut literals) = without_duplicates(literals) else { return };
        if literals.iter().any(|&literal| self.root_value(literal) == Some(true)) {
            return;
        }
        let mut id = LogId::NONE;
        if self.is_logging() {
            id = self.log.input(&literals, tag);
        }
        self.activate(&literals);
        id = self.without_false(&mut literals, id);
        match *literals {
            [] => self.empty = Some(id),
            [unit] => {
                self.assign_root(unit, id);
            }
            _ => {
                self.attach(&literals, Keep::Forever, 0, id);
            }
        }
    }

    /// Removes literals that are false at level 0, and logs the result; `id` is the log number of
    /// the original clause. Returns the log number of the result.
    pub(super) fn without_false(&mut self, literals: &mut Vec<Literal>, id: LogId) -> LogId {
        if !literals.iter().any(|&literal| self.root_value(literal) == Some(false)) {
            return id;
        }
        self.log_units();
        let mut chain = vec![id];
        literals.retain(|&literal| {
            let is_false = self.root_value(literal) == Some(false);
            if is_false {
                chain.push(self.units[literal.variable().index()]);
            }
            !is_false
        });
        self.log_chain(&chain)
    }

    /// Logs a resolution chain, if logging is on.
    pub(super) fn log_chain(&mut self, chain: &[LogId]) -> LogId {
        if self.is_logging() { self.log.chain(chain) } else { LogId::NONE }
    }

    /// Adds a clause of at least two literals and watches the first two.
    pub(super) fn attach(&mut self, literals: &[Literal], keep: Keep, lbd: u32, id: LogId) -> ClauseRef {
        let clause = self.arena.add(literals, keep, lbd, id);
        self.clauses.push(clause);
        self.watch(clause);
        clause
    }

    /// Adds the clause to the watch lists of its first two literals.
    pub(super) fn watch(&mut self, clause: ClauseRef) {
        let codes = self.arena.codes(clause);
        let (first, second) = (Literal::from_code(codes[0]), Literal::from_code(codes[1]));
        let length = codes.len();
        self.watches[first.index()].push(Watch::new(second, clause, length));
        self.watches[second.index()].push(Watch::new(first, clause, length));
    }

    /// Makes the variables decision variables.
    pub(super) fn activate(&mut self, literals: &[Literal]) {
        for literal in literals {
            let variable = literal.variable();
            if !self.active[variable.index()] {
                self.active[variable.index()] = true;
                self.scores.insert(variable);
                self.queue.insert(variable);
            }
        }
    }

    pub(super) fn is_logging(&self) -> bool {
        self.config.logging == ProofLogging::Chains
    }

    pub(super) fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The level at which the literal was assigned.
    pub(super) fn level_of(&self, literal: Literal) -> u32 {
        self.assignments[literal.variable().index()].level
    }

    /// The value at level 0.
    pub(super) fn root_value(&self, literal: Literal) -> Option<bool> {
        let value = self.value(literal)?;
        (self.level_of(literal) == 0).then_some(value)
    }

    pub(super) fn is_inconsistent(&self) -> bool {
        self.empty.is_some()
    }
}

/// The literals, sorted and without duplicates; `None` for a tautology.
pub(super) fn without_duplicates(literals: &[Literal]) -> Option<Vec<Literal>> {
    let mut literals = literals.to_vec();
    literals.sort_unstable();
    literals.dedup();
    let is_tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
    (!is_tautology).then_some(literals)
}
