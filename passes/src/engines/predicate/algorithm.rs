//! The CPA++ algorithm (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018, Algorithm 2).
//!
//! `reached` is the graph ([`Arg`]), indexed by location, so merging and coverage checks never
//! visit other locations; `waitlist` is ordered. For each state taken from the waitlist: `fcover`;
//! then, for each successor of the transfer relation, `prec`, `merge`, `stop` and `abort`. The
//! composite operators combine those of the components: the location and the counters of
//! [`restrictions`] must be equal, and the Predicate CPA decides.
//!
//! DIVERGENCE: at the end of a block, all incoming paths are merged before `prec` computes an
//! abstraction state, see [`Arg`](super::arg). A merged state replaces the old one in `reached`; if
//! the old one was already expanded, its descendants are removed.
//!
//! DIVERGENCE: at a target `prec` checks whether `ψ ∧ φ` is satisfiable in every configuration but
//! `blk = never`, as with the precision `{false}`, even if nothing else is abstracted: a
//! counterexample that the last block refutes needs no refinement.
//!
//! *Order.* All of a block is explored before its ends. So an end that n paths reach is abstracted
//! once, and not n times with the first n - 1 results and their descendants discarded. If the whole
//! program is one block, the target comes last, as one query for all paths within the bounds.
//!
//! Cost: expanding a state costs the execution of its edges ([`Paths`](views::paths::Paths) caches
//! them). An abstraction state costs one abstraction and at most one coverage check for each older
//! state at its location.

use super::abstraction::{Abstractions, FALSE, Formula, Predicate, TRUE};
use super::arg::{Arg, Kind, Node, NodeData};
use super::config::{Abstraction, Config, Merge, Order};
use super::formulas::Formulas;
use super::injected::Injected;
use super::precision::Precision;
use super::refinement::Repetitions;
use super::restrictions::{self, Counters, Exceeded, Graph, Restriction, Step};
use super::shared::Shared;
use super::solving::{Failure, Solver};
use super::waitlist::{Rank, Waitlist};
use program::ssa::{Block, Function};
use std::rc::Rc;
use std::time::Instant;
use terms::entity::Entity;
use terms::{Term, TermPool};
use views::Place;
use views::paths::{Location, Path};

/// The reason why CPA++ returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// The waitlist is empty.
    Exhausted,
    /// `abort` returned true for this state.
    Aborted(Node),
}

/// The state of an analysis: composite CPA, `reached` and `waitlist`.
pub(crate) struct Analysis<'p, 'a> {
    pub(crate) pool: &'a mut TermPool,
    pub(crate) formulas: Formulas<'p>,
    pub(crate) abstractions: Abstractions,
    pub(crate) solver: Solver,
    pub(crate) config: &'a Config,
    pub(crate) arg: Arg,
    pub(crate) waitlist: Waitlist,
    restrictions: Vec<Box<dyn Restriction>>,
    /// The paths that restrictions excluded.
    pub(crate) blocked: Vec<(Path, Exceeded)>,
    /// For each block, the function of the program as lowered that it comes from.
    pub(crate) origins: Vec<Option<Function>>,
    /// Auxiliary invariants.
    pub(super) injected: Injected,
    /// Formulas of other runs, and for them.
    pub(super) shared: Shared,
    /// The counterexamples so far.
    pub(crate) repetitions: Repetitions,
    /// The largest number of terms; exceeding it ends the run.
    pub(crate) largest_pool: usize,
}

impl<'p, 'a> Analysis<'p, 'a> {
    pub(crate) fn new(
        pool: &'a mut TermPool,
        formulas: Formulas<'p>,
        solver: Solver,
        config: &'a Config,
        origins: Vec<Option<Function>>,
        largest_pool: usize,
    ) -> Self {
        let abstractions = Abstractions::new(pool, config.region);
        let mut analysis = Analysis {
            pool,
            formulas,
            abstractions,
            solver,
            config,
            arg: Arg::default(),
            waitlist: Waitlist::default(),
            restrictions: config.restrictions.cpas(),
            blocked: Vec::new(),
            origins,
            injected: Injected::default(),
            shared: Shared::default(),
            repetitions: Repetitions::default(),
            largest_pool,
        };
        let entry = analysis.formulas.paths.entry();
        let path = analysis.formulas.paths.start(analysis.pool, entry);
        // The initial abstract state (true, l_INIT, true).
        match analysis.count(&[], Step { from: None, to: entry }) {
            Ok(counters) => {
                let data = analysis.node(Location::Block(entry), counters, path, Vec::new());
                analysis.add(data);
            }
            Err(exceeded) => analysis.blocked.push((path, exceeded)),
        }
        analysis
    }

    /// An abstraction state with the formula `true` at the start of a block.
    fn node(&self, location: Location, counters: Counters, path: Path, parents: Vec<Node>) -> NodeData {
        NodeData {
            location,
            counters,
            kind: Kind::Abstraction,
            block: self.arg.next(),
            path,
            size: 0,
            depth: 1,
            formula: TRUE,
            precision: Precision::default(),
            parents,
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            is_removed: false,
        }
    }

    fn add(&mut self, data: NodeData) -> Node {
        let node = self.arg.add(data);
        self.solver.statistics.states += 1;
        self.wait(node);
        node
    }

    /// Adds a state to the waitlist.
    pub(crate) fn wait(&mut self, node: Node) {
        let rank = self.rank(node);
        self.waitlist.add(rank, node);
    }

    /// States inside of a block come before states at its end, so that all paths of the block are
    /// merged before the abstraction at the end. Targets come before other ends, but last if the
    /// whole program is one block.
    fn rank(&self, node: Node) -> Rank {
        let data = &self.arg[node];
        let Location::Block(block) = data.location else {
            return match (self.config.is_unrolling(), self.config.merge) {
                (true, _) => vec![u64::MAX],
                (false, Merge::Predicate) => vec![1],
                // Without merging, no further path joins a target.
                (false, Merge::Sep) => vec![],
            };
        };
        let is_inside = data.kind == Kind::Intermediate && !self.ends_block(node);
        let mut rank = vec![if is_inside { 0 } else { 2 }];
        match self.config.order {
            Order::Bfs => {}
            Order::Dfs => rank.push(u64::MAX - node.index() as u64),
            Order::ReversePostorder | Order::LoopIteration => {
                let loops = self.formulas.paths.loops();
                let position = |block: Block| loops.position(block).map_or(u64::MAX, |at| at as u64);
                if self.config.order == Order::LoopIteration {
                    rank.push(u64::from(data.depth));
                }
                for (around, &count) in loops.path(block).iter().zip(self.iterations_of(data)) {
                    rank.extend([position(loops.data(*around).head), u64::from(count)]);
                }
                rank.extend([position(block), u64::from(data.kind == Kind::Abstraction)]);
            }
        }
        rank
    }

    /// Expands states until the waitlist is empty or a target is reached.
    pub(crate) fn run(&mut self) -> Result<Stopped, Failure> {
        while let Some(node) = self.waitlist.pop() {
            if self.arg[node].is_removed || self.arg.is_covered(node) {
                continue;
            }
            if let Some(reason) = self.solver.limits.exceeded() {
                return Err(reason.into());
            }
            if self.pool.len() > self.largest_pool {
                return Err(Failure::Terms);
            }
            if self.force_cover(node)? {
                continue;
            }
            if let Some(target) = self.expand(node)? {
                return Ok(Stopped::Aborted(target));
            }
        }
        Ok(Stopped::Exhausted)
    }

    /// Adds the successors of a state. Returns the first abstract state at a target.
    fn expand(&mut self, node: Node) -> Result<Option<Node>, Failure> {
        let data = &self.arg[node];
        if data.kind == Kind::Intermediate && self.ends_block(node) {
            return self.abstract_at(node);
        }
        let (path, location) = (data.path, data.location);
        for successor in self.formulas.paths.successors(self.pool, path).iter().copied() {
            let end = self.formulas.paths.end_of(successor);
            let counters = match (location, end) {
                (Location::Block(from), Location::Block(to)) => {
                    self.count(&self.arg[node].counters, Step { from: Some(from), to })
                }
                _ => Ok(Counters::default()),
            };
            match counters {
                Ok(counters) => self.add_intermediate(node, successor, end, counters)?,
                Err(exceeded) => self.blocked.push((successor, exceeded)),
            }
        }
        Ok(None)
    }

    /// The operator `blk`.
    pub(super) fn ends_block(&self, node: Node) -> bool {
        let data = &self.arg[node];
        let Location::Block(block) = data.location else { return true };
        let paths = &self.formulas.paths;
        let function = &paths.program().functions[paths.program().entry];
        self.config.blk.ends_at(Place {
            is_head: paths.loops().headed_by(block).is_some(),
            is_call_boundary: function.blocks[block].call_boundary.is_some(),
            size: data.size,
        })
    }

    fn count(&self, before: &[Rc<[u32]>], step: Step) -> Result<Counters, Exceeded> {
        let paths = &self.formulas.paths;
        let entry = paths.program().entry;
        let function = &paths.program().functions[entry];
        let graph = Graph { entry, function, loops: paths.loops(), origins: &self.origins };
        restrictions::count(&self.restrictions, graph, before, step)
    }

    /// How often the heads of the loops around a state were entered, outer loops first; nothing if
    /// iterations are not counted.
    pub(crate) fn iterations_of<'d>(&self, data: &'d NodeData) -> &'d [u32] {
        match self.config.restrictions.iterations {
            Some(_) => data.counters.first().map_or(&[], |counts| counts),
            None => &[],
        }
    }

    fn add_intermediate(
        &mut self,
        parent: Node,
        path: Path,
        location: Location,
        counters: Counters,
    ) -> Result<(), Failure> {
        let data = &self.arg[parent];
        let (block, size, depth) = (data.block, data.size + 1, data.depth);
        let precision = data.precision.clone();
        if self.config.merge == Merge::Predicate
            && let Some(old) = self.arg.to_merge(block, location, &counters)
        {
            self.merge(old, parent, path, size);
            return Ok(());
        }
        if self.config.merge == Merge::Sep && !self.is_feasible(path, location)? {
            return Ok(());
        }
        let parents = vec![parent];
        let data = self.node(location, counters, path, parents);
        self.add(NodeData { kind: Kind::Intermediate, block, size, depth, precision, ..data });
        Ok(())
    }

    /// The operator `merge` of the Predicate CPA: merges the state at the end of `path`, a
    /// successor of `parent`, into `old`.
    fn merge(&mut self, old: Node, parent: Node, path: Path, size: u32) {
        let merged = self.formulas.paths.merge(self.pool, self.arg[old].path, path);
        self.arg[old].size = self.arg[old].size.max(size);
        if !self.arg[old].parents.contains(&parent) {
            self.arg[old].parents.push(parent);
            self.arg[parent].children.push(old);
        }
        if merged != self.arg[old].path {
            self.arg[old].path = merged;
            for child in self.arg[old].children.clone() {
                self.remove(child);
            }
            self.wait(old);
        }
    }

    /// Whether a path is feasible from the start of its block. Checked only at loop heads when
    /// paths are not merged: an infeasible path through a loop would be followed forever.
    fn is_feasible(&mut self, path: Path, location: Location) -> Result<bool, Failure> {
        let Location::Block(block) = location else { return Ok(true) };
        if self.formulas.paths.loops().headed_by(block).is_none() {
            return Ok(true);
        }
        let formula = self.formulas.clause(self.pool, path)?.constraint;
        self.solver.is_satisfiable(self.pool, &[formula])
    }

    /// Removes the subgraph of a state. The states that it covered return to the waitlist. Returns
    /// the states that lost a child.
    pub(crate) fn remove(&mut self, top: Node) -> Vec<Node> {
        let removed = self.arg.remove(top);
        self.solver.statistics.removed_states += removed.count as u64;
        for node in removed.uncovered {
            self.wait_leaves(node);
        }
        removed.parents
    }

    /// Adds the states below `top` without successors to the waitlist.
    pub(crate) fn wait_leaves(&mut self, top: Node) {
        for node in self.arg.subgraph(top) {
            let data = &self.arg[node];
            if data.children.is_empty() && data.covered_by.is_none() {
                self.wait(node);
            }
        }
    }

    /// Makes an abstraction state from the arrival `node`: `prec`, `stop` and `abort`.
    fn abstract_at(&mut self, node: Node) -> Result<Option<Node>, Failure> {
        let data = &self.arg[node];
        let (location, path, start) = (data.location, data.path, data.block);
        let (counters, depth, precision) = (data.counters.clone(), data.depth + 1, data.precision.clone());
        let psi = self.arg[start].formula;
        let formula = match location {
            Location::Target => self.at_target(psi, path)?,
            Location::Block(block) => {
                let formula = self.abstraction(psi, path, block, &precision)?;
                self.with_invariants(formula, block)?
            }
        };
        if formula == FALSE {
            return Ok(None);
        }
        let next = match location {
            Location::Block(block) => self.formulas.paths.start(self.pool, block),
            Location::Target => path,
        };
        let data = self.node(location, counters, next, vec![node]);
        let new = self.arg.add(NodeData { formula, precision, depth, ..data });
        self.solver.statistics.states += 1;
        if location == Location::Target {
            return Ok(Some(new));
        }
        if !self.try_cover(new)? {
            self.wait(new);
        }
        Ok(None)
    }

    /// Whether `path` reaches a target from a state in `psi`: `true` or `false`.
    fn at_target(&mut self, psi: Formula, path: Path) -> Result<Formula, Failure> {
        let block = self.formulas.clause(self.pool, path)?;
        let start = Instant::now();
        let known = self.abstractions.term(psi);
        let query = self.pool.and2(known, block.constraint);
        let is_reached = self.solver.is_satisfiable(self.pool, &[query])?;
        self.solver.statistics.target.add(start);
        Ok(if is_reached { TRUE } else { FALSE })
    }

    fn abstraction(
        &mut self,
        psi: Formula,
        path: Path,
        block: Block,
        precision: &Precision,
    ) -> Result<Formula, Failure> {
        let predicates = self.tracked(precision, block)?;
        // Without predicates the abstraction is still `false` for an infeasible path.
        if self.config.abstraction == Abstraction::None {
            return Ok(TRUE);
        }
        let formula = self.formulas.clause(self.pool, path)?;
        let source = (psi, path, &formula.clause);
        self.abstractions.compute(self.pool, &mut self.solver, source, self.config.abstraction, &predicates)
    }

    /// The predicates of the precision at the start of `block` whose variables are all live there.
    pub(crate) fn tracked(&mut self, precision: &Precision, block: Block) -> Result<Vec<Predicate>, Failure> {
        let mut predicates = precision.at(Location::Block(block), self.function(Location::Block(block)));
        for injected in self.injected_predicates(block)? {
            if !predicates.contains(&injected) {
                predicates.push(injected);
            }
        }
        let live = self.formulas.live(self.pool, block)?;
        let is_about_live = |&predicate: &Predicate| {
            self.abstractions.symbols(predicate).iter().all(|symbol| live.contains(symbol))
        };
        Ok(predicates.into_iter().filter(is_about_live).collect())
    }

    /// A predicate with the meaning of a formula or of its negation; `None` for a constant.
    pub(super) fn predicate(&mut self, formula: Term) -> Result<Option<Predicate>, Failure> {
        self.abstractions.representative(self.pool, &mut self.solver, formula)
    }

    /// Covers an abstraction state by an older one that it implies, if there is one.
    pub(crate) fn try_cover(&mut self, node: Node) -> Result<bool, Failure> {
        for candidate in self.arg.candidates(node) {
            if self.is_below(node, candidate)? {
                self.cover(node, candidate);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Marks `covered` as covered by `by`.
    pub(crate) fn cover(&mut self, covered: Node, by: Node) {
        for node in self.arg.cover(covered, by) {
            self.wait_leaves(node);
        }
    }

    /// Whether the abstraction formula of `a` implies that of `b`, a state at the same location.
    pub(crate) fn is_below(&mut self, a: Node, b: Node) -> Result<bool, Failure> {
        let (one, other) = (self.arg[a].formula, self.arg[b].formula);
        let range = self.range(self.arg[a].location)?;
        self.abstractions.implies(self.pool, &mut self.solver, one, other, range)
    }

    /// The constraint that every state at the location satisfies.
    pub(crate) fn range(&mut self, location: Location) -> Result<Term, Failure> {
        Ok(match location {
            Location::Block(block) => self.formulas.range(self.pool, block)?,
            Location::Target => self.pool.tru(),
        })
    }

    /// The function that contains a location.
    pub(crate) fn function(&self, location: Location) -> Option<Function> {
        match location {
            Location::Block(block) => self.origins.get(block.index()).copied().flatten(),
            Location::Target => None,
        }
    }
}
