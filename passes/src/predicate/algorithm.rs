//! The CPA++ algorithm (*A Unifying View on SMT-Based Software Verification*, Algorithm 2).
//!
//! `reached` is the graph ([`Arg`]), indexed so that neither merging nor coverage looks at other places; `waitlist` is ordered. For each
//! state that is taken from the waitlist: `fcover`; then for each successor of the transfer relation `prec`, `merge`, `stop` and
//! `abort`. The operators of the composite are those of its components: the place must be the same, loop counters must be the
//! same, and the Predicate CPA decides.
//!
//! DIVERGENCE: where a block ends, what flows there is merged before `prec` makes an abstraction state of it, see
//! [`Arg`](super::arg). A merged state takes the place of the old one in `reached`; if that was expanded already, what is below
//! it is removed.

use super::abstraction::{Abstraction, Abstractions, FALSE, Formula, TRUE};
use super::arg::{Arg, Counters, Kind, Node, NodeData};
use super::config::{Blk, Config, Merge, Order};
use super::formulas::Formulas;
use super::precision::Precision;
use super::solving::{Failure, Solver};
use ir::entity::Entity;
use ir::ssa::Block;
use ir::term::TermPool;
use ir::views::paths::{Path, Place};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why CPA++ returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// The waitlist is empty.
    Exhausted,
    /// `abort` at this state.
    Aborted(Node),
}

/// States that wait for expansion, in the order in which they are taken.
#[derive(Default)]
pub(crate) struct Waitlist {
    states: BTreeSet<(Vec<u64>, Node)>,
}

/// The analysis: composite CPA, `reached` and `waitlist`.
pub(crate) struct Analysis<'p, 'a> {
    pub(crate) pool: &'a mut TermPool,
    pub(crate) formulas: Formulas<'p>,
    pub(crate) abstractions: Abstractions,
    pub(crate) solver: Solver,
    pub(crate) config: &'a Config,
    pub(crate) arg: Arg,
    waitlist: Waitlist,
    /// The states whose successors the Loop-Bound CPA left out.
    pub(crate) blocked: Vec<Node>,
    /// By block: the name of the function that it comes from.
    functions: Vec<String>,
}

impl<'p, 'a> Analysis<'p, 'a> {
    pub(crate) fn new(
        pool: &'a mut TermPool,
        formulas: Formulas<'p>,
        solver: Solver,
        config: &'a Config,
        functions: Vec<String>,
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
            blocked: Vec::new(),
            functions,
        };
        let entry = analysis.formulas.paths.entry();
        analysis.add_root(entry);
        analysis
    }

    /// Adds the abstraction state `(true, l, true)`.
    fn add_root(&mut self, block: Block) -> Node {
        let path = self.formulas.paths.start(self.pool, block);
        let counters: Counters = Rc::new([]);
        self.add_abstraction(Place::Block(block), counters, TRUE, path, Precision::default(), Vec::new())
    }

    fn add_abstraction(
        &mut self,
        place: Place,
        counters: Counters,
        formula: Formula,
        path: Path,
        precision: Precision,
        parents: Vec<Node>,
    ) -> Node {
        let node = self.arg.next();
        let node = self.arg.add(NodeData {
            place,
            counters,
            kind: Kind::Abstraction,
            block: node,
            path,
            formula,
            precision,
            parents,
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            is_removed: false,
        });
        self.wait(node);
        node
    }

    /// Puts a state into the waitlist.
    pub(crate) fn wait(&mut self, node: Node) {
        let key = self.order(node);
        self.waitlist.states.insert((key, node));
    }

    fn order(&self, node: Node) -> Vec<u64> {
        let data = &self.arg[node];
        let loops = self.formulas.paths.loops();
        let position = |block: Block| loops.position(block).unwrap_or(usize::MAX >> 1) as u64;
        match self.config.order {
            Order::Bfs => vec![],
            Order::Dfs => vec![u64::MAX - node.index() as u64],
            // An error is looked at at once.
            Order::ReversePostorder | Order::LoopIteration => {
                let Place::Block(block) = data.place else { return vec![0] };
                let kind = u64::from(data.kind == Kind::Abstraction);
                let mut key = Vec::new();
                if self.config.order == Order::LoopIteration {
                    let branch = self.arg.branch(data.block);
                    key.push(branch.iter().filter(|&&at| self.arg[at].place == data.place).count() as u64);
                }
                for (around, &count) in loops.path(block).iter().zip(data.counters.iter()) {
                    key.extend([position(loops.data(*around).head), u64::from(count)]);
                }
                key.extend([position(block), kind]);
                key
            }
        }
    }

    /// Expands states until none waits or an error place is reached.
    pub(crate) fn run(&mut self) -> Result<Stopped, Failure> {
        while let Some((_, node)) = self.waitlist.states.pop_first() {
            if self.arg[node].is_removed || self.arg.is_covered(node) {
                continue;
            }
            if let Some(reason) = self.solver.limits.exceeded() {
                return Err(reason.into());
            }
            if self.force_cover(node)? {
                continue;
            }
            if let Some(error) = self.expand(node)? {
                return Ok(Stopped::Aborted(error));
            }
        }
        Ok(Stopped::Exhausted)
    }

    /// Adds the successors of a state; the first that is an abstract error state ends it.
    fn expand(&mut self, node: Node) -> Result<Option<Node>, Failure> {
        let data = &self.arg[node];
        if data.kind == Kind::Intermediate && self.ends_block(data.place) {
            return self.abstract_at(node);
        }
        let (path, place) = (data.path, data.place);
        for successor in self.formulas.paths.successors(self.pool, path).iter().copied() {
            let end = self.formulas.paths.end_of(successor);
            match self.count(node, place, end) {
                Some(counters) => self.add_intermediate(node, successor, end, counters),
                None => self.blocked.push(node),
            }
        }
        Ok(None)
    }

    /// The operator `blk`.
    fn ends_block(&self, place: Place) -> bool {
        let Place::Block(block) = place else { return true };
        match self.config.blk {
            Blk::Sbe => true,
            Blk::L | Blk::Lf => self.formulas.paths.loops().headed_by(block).is_some(),
            Blk::Never => false,
        }
    }

    /// The loop counters at `to`, the end of an edge from `from`; none if a bound is reached.
    fn count(&self, node: Node, from: Place, to: Place) -> Option<Counters> {
        let Some(bound) = self.config.loop_bound else { return Some(Rc::new([])) };
        let (Place::Block(from), Place::Block(to)) = (from, to) else { return Some(Rc::new([])) };
        let loops = self.formulas.paths.loops();
        let (before, after) = (loops.path(from), loops.path(to));
        let old = &self.arg[node].counters;
        let mut counters = Vec::with_capacity(after.len());
        for (depth, around) in after.iter().enumerate() {
            let is_same = before.get(depth) == Some(around);
            let is_head = loops.data(*around).head == to;
            counters.push(match (is_same, is_head) {
                (true, true) => old[depth] + 1,
                (true, false) => old[depth],
                (false, _) => 1,
            });
            // An outer loop that goes on starts the inner ones anew.
            if is_head {
                break;
            }
        }
        counters.iter().all(|&count| count <= bound).then(|| counters.into())
    }

    fn add_intermediate(&mut self, parent: Node, path: Path, place: Place, counters: Counters) {
        let block = self.arg[parent].block;
        if self.config.merge == Merge::Predicate
            && let Some(old) = self.arg.to_merge(block, place, &counters)
        {
            let merged = self.formulas.paths.merge(self.pool, self.arg[old].path, path);
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
            return;
        }
        let precision = self.arg[parent].precision.clone();
        let node = self.arg.add(NodeData {
            place,
            counters,
            kind: Kind::Intermediate,
            block,
            path,
            formula: TRUE,
            precision,
            parents: vec![parent],
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            is_removed: false,
        });
        self.wait(node);
    }

    /// Removes the subgraph of a state. What it covered waits again.
    pub(crate) fn remove(&mut self, top: Node) -> Vec<Node> {
        let before = self.arg.nodes().count();
        let (parents, uncovered) = self.arg.remove(top);
        self.solver.statistics.removed_states += (before - self.arg.nodes().count()) as u64;
        for node in uncovered {
            self.wait_leaves(node);
        }
        parents
    }

    /// Puts the states below `top` that have no successors into the waitlist.
    pub(crate) fn wait_leaves(&mut self, top: Node) {
        for node in self.arg.subgraph(top) {
            let data = &self.arg[node];
            if data.children.is_empty() && data.covered_by.is_none() {
                self.wait(node);
            }
        }
    }

    /// Makes an abstraction state of the arrival `node`: `prec`, `stop` and `abort`.
    fn abstract_at(&mut self, node: Node) -> Result<Option<Node>, Failure> {
        let (place, path, block) = (self.arg[node].place, self.arg[node].path, self.arg[node].block);
        let precision = self.arg[node].precision.clone();
        let psi = self.arg[block].formula;
        let predicates = precision.at(place, self.function(place));
        let formula = match (place, self.config.abstraction) {
            // The precision at an error is {false}.
            (Place::Block(_), _) if predicates.is_empty() => TRUE,
            (_, kind) => {
                let block = self.formulas.block(self.pool, path)?;
                let source = (psi, path, &*block);
                self.abstractions.compute(self.pool, &mut self.solver, source, kind, &predicates)?
            }
        };
        if formula == FALSE {
            return Ok(None);
        }
        let counters = self.arg[node].counters.clone();
        let start = match place {
            Place::Block(block) => self.formulas.paths.start(self.pool, block),
            Place::Error(_) | Place::Hole(_) => path,
        };
        let new = self.add_abstraction(place, counters, formula, start, precision, vec![node]);
        let Place::Block(_) = place else { return Ok(Some(new)) };
        self.try_cover(new)?;
        Ok(None)
    }

    /// Covers an abstraction state by an older one that it implies, if there is one.
    pub(crate) fn try_cover(&mut self, node: Node) -> Result<bool, Failure> {
        for candidate in self.arg.candidates(node) {
            if self.is_below(node, candidate)? {
                self.arg.cover(node, candidate);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the abstraction formula of `a` implies that of `b`, a state at the same place.
    pub(crate) fn is_below(&mut self, a: Node, b: Node) -> Result<bool, Failure> {
        let (one, other) = (self.arg[a].formula, self.arg[b].formula);
        let Place::Block(block) = self.arg[a].place else { return Ok(false) };
        let range = self.formulas.range(self.pool, block)?;
        self.abstractions.implies(self.pool, &mut self.solver, one, other, range)
    }

    /// The function that a place belongs to.
    pub(crate) fn function(&self, place: Place) -> &str {
        match place {
            Place::Block(block) => self.functions.get(block.index()).map_or("", String::as_str),
            Place::Error(_) | Place::Hole(_) => "",
        }
    }

    /// Whether nothing is abstracted, so that all that is known of a state was found by refinement.
    pub(crate) fn is_lazy(&self) -> bool {
        self.config.abstraction == Abstraction::None
    }
}
