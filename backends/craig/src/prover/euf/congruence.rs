//! Backtrackable congruence closure.
//!
//! # Idea
//! Nieuwenhuis, Oliveras: *Fast Congruence Closure and Extensions* (2007). Nodes are partitioned
//! into classes, each a circular list with a representative. A table maps the *signature* of an
//! application, its function with the representatives of its arguments, to one application with
//! this signature. To merge two classes, the applications over nodes of the smaller one leave the
//! table, the class is relabeled, and the applications enter again; an application whose signature
//! is taken is equal to the one in the table.
//!
//! The trail logs each change of the table and each union, and [`Congruence::backtrack`] undoes
//! them in reverse, which restores the exact earlier state. Only nodes persist. A node created at a
//! retracted level leaves the table with it and enters again like a new node.
//!
//! Equations wait in a queue until [`Congruence::close`]. The queue is part of the trail: an
//! equation that was asserted at an open level but processed at a retracted later one is processed
//! again.
//!
//! *Values* are pairwise different nodes. *Watches* are equations whose truth is reported. An
//! implied watched equation is always reported. Its negation is reported only when a class gets a
//! value or two classes become different; a missed one shows as a conflict once the equation is
//! assigned.
//!
//! DIVERGENCE: the paper turns applications into binary ones; here they have any number of
//! arguments, as in E-graphs (Detlefs, Nelson, Saxe: *Simplify*, 2005). Use lists belong to nodes
//! and not to classes, so creating a node during a search requires no restoration.
//!
//! # Cost
//! A merge is linear in the uses of the smaller class, so without backtracking all merges together
//! take O(n log n) table operations.

use super::forest::{Forest, Justification};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use terms::entity::{Entity, PrimaryMap};

terms::entity! {
    /// A term of the congruence closure.
    Node, "n"
}

terms::entity! {
    /// An equation whose truth is reported.
    Watch, "w"
}

/// A function applied to nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The function: applications of one function are congruent.
    pub function: u32,
    /// The arguments.
    pub arguments: Box<[Node]>,
}

/// A contradiction between asserted facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Two nodes are equal although this reason asserts their disequality.
    Disequality {
        /// One node.
        left: Node,
        /// The other.
        right: Node,
        /// The reason of the disequality.
        reason: u32,
    },
    /// Two values are equal.
    Values {
        /// One value.
        left: Node,
        /// The other.
        right: Node,
    },
}

/// A consequence for a watched equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// The equation holds.
    Equal(Watch),
    /// The equation is false, because it would make two values equal.
    Values {
        /// The equation.
        watch: Watch,
        /// The value of its left side.
        left: Node,
        /// The value of its right side.
        right: Node,
    },
    /// The equation is false, because its sides are equal to two nodes that were asserted to be
    /// different.
    Disequality {
        /// The equation.
        watch: Watch,
        /// A node equal to its left side.
        left: Node,
        /// A node equal to its right side.
        right: Node,
        /// The reason of the disequality.
        reason: u32,
    },
}

type Signature = SmallVec<[u32; 4]>;

#[derive(Clone, Debug)]
struct NodeData {
    application: Option<Application>,
    is_value: bool,
    /// The applications to this node, each once, oldest first.
    uses: Vec<Node>,
    watches: Vec<Watch>,
    representative: Node,
    /// The next node in the circular list of the class.
    next: Node,
    // The following fields are meaningful for representatives only.
    size: u32,
    value: Option<Node>,
    /// The disequalities with a side in the class.
    disequalities: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Disequality {
    left: Node,
    right: Node,
    reason: u32,
}

#[derive(Clone, Copy, Debug)]
struct Equation {
    left: Node,
    right: Node,
    justification: Justification,
}

/// An undoable change.
#[derive(Clone, Copy, Debug)]
enum Change {
    Entered(Node),
    Left(Node),
    /// The class of `from` was merged into that of `into`, by the edge between `lower` and `upper`.
    Union {
        from: Node,
        into: Node,
        lower: Node,
        upper: Node,
        disequalities: u32,
        gave_value: ValueFrom,
    },
    Told,
}

/// The origin of the value of a merged class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueFrom {
    /// The class has no value, or had it before.
    Before,
    /// The class that was merged into it.
    Other,
}

/// The state when a level was opened.
#[derive(Clone, Copy, Debug)]
struct Level {
    changes: usize,
    queue: usize,
    head: usize,
    created: usize,
}

/// Congruence closure; see the [module](super).
#[derive(Clone, Debug, Default)]
pub struct Congruence {
    nodes: PrimaryMap<Node, NodeData>,
    watches: PrimaryMap<Watch, (Node, Node)>,
    /// For lookup only, so that the order of the table does not matter.
    table: FxHashMap<Signature, Node>,
    forest: Forest,
    disequalities: Vec<Disequality>,
    queue: Vec<Equation>,
    /// The number of processed equations of the queue.
    head: usize,
    conflict: Option<(usize, Conflict)>,
    consequences: Vec<Consequence>,
    changes: Vec<Change>,
    levels: Vec<Level>,
    /// Applications that were created while a level was open.
    created: Vec<Node>,
    members: Vec<Node>,
    parents: Vec<Node>,
}

impl Congruence {
    /// Creates a closure without nodes and facts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a node that is equal only to nodes that facts equate with it.
    pub fn leaf(&mut self) -> Node {
        self.create(None, false)
    }

    /// Creates a node that differs from all other values.
    pub fn value(&mut self) -> Node {
        self.create(None, true)
    }

    /// Creates an application. The owner must create each application only once.
    pub fn apply(&mut self, function: u32, arguments: &[Node]) -> Node {
        let node = self.create(Some(Application { function, arguments: arguments.into() }), false);
        for (position, argument) in arguments.iter().enumerate() {
            if !arguments[..position].contains(argument) {
                self.nodes[*argument].uses.push(node);
            }
        }
        if !self.levels.is_empty() {
            self.created.push(node);
        }
        self.enter(node);
        node
    }

    /// Requests reports about an equation. Watches persist across backtracking.
    pub fn watch(&mut self, left: Node, right: Node) -> Watch {
        let watch = self.watches.push((left, right));
        self.nodes[left].watches.push(watch);
        self.nodes[right].watches.push(watch);
        self.examine(watch);
        watch
    }

    /// The sides of a watched equation.
    pub fn watched(&self, watch: Watch) -> (Node, Node) {
        self.watches[watch]
    }

    /// Asserts that two nodes are equal. [`close`](Self::close) computes the consequences.
    pub fn merge(&mut self, left: Node, right: Node, reason: u32) {
        self.queue.push(Equation { left, right, justification: Justification::Reason(reason) });
    }

    /// Asserts that two nodes differ.
    pub fn disequal(&mut self, left: Node, right: Node, reason: u32) {
        let index = u32::try_from(self.disequalities.len()).expect("fewer than 2^32 disequalities");
        self.disequalities.push(Disequality { left, right, reason });
        let classes = [self.representative(left), self.representative(right)];
        for class in classes {
            self.nodes[class].disequalities.push(index);
        }
        self.log(Change::Told);
        if classes[0] == classes[1] {
            self.found(Conflict::Disequality { left, right, reason });
            return;
        }
        let [a, b] = classes;
        let smaller = if self.nodes[a].size <= self.nodes[b].size { a } else { b };
        let mut consequences = std::mem::take(&mut self.consequences);
        for node in self.class(smaller) {
            for &watch in &self.nodes[node].watches {
                let (x, y) = self.watches[watch];
                let sides = (self.representative(x), self.representative(y));
                if sides == (a, b) {
                    consequences.push(Consequence::Disequality { watch, left, right, reason });
                } else if sides == (b, a) {
                    let (left, right) = (right, left);
                    consequences.push(Consequence::Disequality { watch, left, right, reason });
                }
            }
        }
        self.consequences = consequences;
    }

    /// Processes all asserted facts.
    ///
    /// # Errors
    /// A contradiction, including one found earlier and not retracted since.
    pub fn close(&mut self) -> Result<(), Conflict> {
        while self.conflict.is_none() {
            let Some(&equation) = self.queue.get(self.head) else {
                if self.levels.is_empty() {
                    self.queue.clear();
                    self.head = 0;
                }
                return Ok(());
            };
            self.head += 1;
            self.unite(equation);
        }
        self.conflict.map_or(Ok(()), |(_, conflict)| Err(conflict))
    }

    /// Moves the consequences found since the last call to `into`, except retracted ones.
    pub fn drain_consequences(&mut self, into: &mut Vec<Consequence>) {
        into.append(&mut self.consequences);
    }

    /// The representative of the class of a node.
    pub fn representative(&self, node: Node) -> Node {
        self.nodes[node].representative
    }

    /// Whether two nodes are known to be equal, disregarding facts that wait for
    /// [`close`](Self::close).
    pub fn are_equal(&self, left: Node, right: Node) -> bool {
        self.representative(left) == self.representative(right)
    }

    /// The value in the class of a node.
    pub fn value_of(&self, node: Node) -> Option<Node> {
        self.nodes[self.representative(node)].value
    }

    /// The nodes of the class of a node.
    pub fn class(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut next = Some(node);
        std::iter::from_fn(move || {
            let current = next?;
            let after = self.nodes[current].next;
            next = (after != node).then_some(after);
            Some(current)
        })
    }

    /// The function and arguments of an application.
    pub fn application(&self, node: Node) -> Option<&Application> {
        self.nodes[node].application.as_ref()
    }

    /// Whether the node was created by [`value`](Self::value).
    pub fn is_value(&self, node: Node) -> bool {
        self.nodes[node].is_value
    }

    /// All nodes, oldest first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + use<> {
        (0..self.nodes.len()).map(Node::new)
    }

    /// The reasons of facts that make the nodes of each pair equal, ascending. The nodes must be
    /// equal.
    pub fn explain(&mut self, pairs: &[(Node, Node)]) -> Vec<u32> {
        let mut reasons = Vec::new();
        let nodes = &self.nodes;
        self.forest.explain(pairs.to_vec(), |edge, pairs| match edge.justification {
            Justification::Reason(reason) => reasons.push(reason),
            Justification::Congruence => {
                let (one, other) = (arguments(nodes, edge.lower), arguments(nodes, edge.upper));
                pairs.extend(one.iter().copied().zip(other.iter().copied()).filter(|(a, b)| a != b));
            }
        });
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// The reasons of the contradictory facts, ascending.
    pub fn explain_conflict(&mut self, conflict: Conflict) -> Vec<u32> {
        match conflict {
            Conflict::Values { left, right } => self.explain(&[(left, right)]),
            Conflict::Disequality { left, right, reason } => {
                let mut reasons = self.explain(&[(left, right)]);
                if let Err(position) = reasons.binary_search(&reason) {
                    reasons.insert(position, reason);
                }
                reasons
            }
        }
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(Level {
            changes: self.changes.len(),
            queue: self.queue.len(),
            head: self.head,
            created: self.created.len(),
        });
    }

    /// Retracts all facts asserted at levels above `level`.
    pub fn backtrack(&mut self, level: usize) {
        let Some(&Level { changes, queue, head, created }) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        while self.changes.len() > changes {
            let change = self.changes.pop().expect("the list of changes is longer than at the level");
            self.undo(change);
        }
        self.queue.truncate(queue);
        self.head = head;
        self.conflict = self.conflict.filter(|&(at, _)| at <= level);
        self.consequences.clear();
        let again = self.created.split_off(created);
        for &node in &again {
            self.enter(node);
        }
        if level == 0 {
            self.created.clear();
        } else {
            self.created.extend(again);
        }
    }

    pub(super) fn path(&mut self, from: Node, to: Node) -> Vec<super::forest::Edge> {
        self.forest.path(from, to)
    }

    fn create(&mut self, application: Option<Application>, is_value: bool) -> Node {
        let node = self.nodes.next_key();
        self.forest.grow();
        self.nodes.push(NodeData {
            application,
            is_value,
            uses: Vec::new(),
            watches: Vec::new(),
            representative: node,
            next: node,
            size: 1,
            value: is_value.then_some(node),
            disequalities: Vec::new(),
        })
    }

    fn signature(&self, node: Node) -> Signature {
        let application = self.nodes[node].application.as_ref().expect("only applications have uses");
        std::iter::once(application.function)
            .chain(application.arguments.iter().map(|&argument| self.representative(argument).0))
            .collect()
    }

    /// Enters an application into the table, or merges it with the congruent one.
    fn enter(&mut self, node: Node) {
        let signature = self.signature(node);
        match self.table.get(&signature) {
            Some(&taken) if taken == node => {}
            Some(&taken) => self.queue.push(Equation {
                left: node,
                right: taken,
                justification: Justification::Congruence,
            }),
            None => {
                self.table.insert(signature, node);
                self.log(Change::Entered(node));
            }
        }
    }

    /// Removes an application from the table, if it is there.
    fn leave(&mut self, node: Node) {
        let signature = self.signature(node);
        if self.table.get(&signature) == Some(&node) {
            self.table.remove(&signature);
            self.log(Change::Left(node));
        }
    }

    fn unite(&mut self, equation: Equation) {
        let (left, right) = (self.representative(equation.left), self.representative(equation.right));
        if left == right {
            return;
        }
        let ((from, lower), (into, upper)) = if self.nodes[left].size <= self.nodes[right].size {
            ((left, equation.left), (right, equation.right))
        } else {
            ((right, equation.right), (left, equation.left))
        };
        self.forest.connect(lower, upper, equation.justification);
        let mut members = std::mem::take(&mut self.members);
        let mut parents = std::mem::take(&mut self.parents);
        members.clear();
        parents.clear();
        members.extend(self.class(from));
        for &member in &members {
            parents.extend_from_slice(&self.nodes[member].uses);
        }
        for &parent in &parents {
            self.leave(parent);
        }
        let values = (self.nodes[from].value, self.nodes[into].value);
        self.join(from, into, &members);
        let gave_value = if values.0.is_some() && values.1.is_none() {
            self.nodes[into].value = values.0;
            ValueFrom::Other
        } else {
            ValueFrom::Before
        };
        let known = self.nodes[into].disequalities.len();
        self.log(Change::Union { from, into, lower, upper, disequalities: known as u32, gave_value });
        for &parent in &parents {
            self.enter(parent);
        }
        if let (Some(left), Some(right)) = values {
            self.found(Conflict::Values { left, right });
        }
        for position in 0..self.nodes[from].disequalities.len() {
            let index = self.nodes[from].disequalities[position];
            let Disequality { left, right, reason } = self.disequalities[index as usize];
            if self.are_equal(left, right) {
                self.found(Conflict::Disequality { left, right, reason });
            }
            self.nodes[into].disequalities.push(index);
        }
        if self.conflict.is_none() {
            if gave_value == ValueFrom::Other {
                members.clear();
                members.extend(self.class(into));
            }
            for &member in &members {
                for position in 0..self.nodes[member].watches.len() {
                    self.examine(self.nodes[member].watches[position]);
                }
            }
        }
        self.members = members;
        self.parents = parents;
    }

    /// Merges `members`, the class of `from`, into the class of `into`.
    fn join(&mut self, from: Node, into: Node, members: &[Node]) {
        for &member in members {
            self.nodes[member].representative = into;
        }
        self.exchange(from, into);
        self.nodes[into].size += self.nodes[from].size;
    }

    /// Joins two circular lists into one, or splits one into two.
    fn exchange(&mut self, a: Node, b: Node) {
        let (after_a, after_b) = (self.nodes[a].next, self.nodes[b].next);
        self.nodes[a].next = after_b;
        self.nodes[b].next = after_a;
    }

    /// Records the consequence for a watched equation, as far as its classes determine it.
    fn examine(&mut self, watch: Watch) {
        let (left, right) = self.watches[watch];
        if self.are_equal(left, right) {
            self.consequences.push(Consequence::Equal(watch));
        } else if let (Some(left), Some(right)) = (self.value_of(left), self.value_of(right)) {
            self.consequences.push(Consequence::Values { watch, left, right });
        }
    }

    fn found(&mut self, conflict: Conflict) {
        self.conflict.get_or_insert((self.levels.len(), conflict));
    }

    fn log(&mut self, change: Change) {
        // Without a level nothing can be retracted.
        if !self.levels.is_empty() {
            self.changes.push(change);
        }
    }

    fn undo(&mut self, change: Change) {
        match change {
            Change::Entered(node) => {
                let signature = self.signature(node);
                let was = self.table.remove(&signature);
                debug_assert_eq!(was, Some(node), "an entered application is in the table");
            }
            Change::Left(node) => {
                let signature = self.signature(node);
                self.table.insert(signature, node);
            }
            Change::Union { from, into, lower, upper, disequalities, gave_value } => {
                self.exchange(from, into);
                self.nodes[into].size -= self.nodes[from].size;
                self.nodes[into].disequalities.truncate(disequalities as usize);
                if gave_value == ValueFrom::Other {
                    self.nodes[into].value = None;
                }
                let mut members = std::mem::take(&mut self.members);
                members.clear();
                members.extend(self.class(from));
                for &member in &members {
                    self.nodes[member].representative = from;
                }
                self.members = members;
                self.forest.disconnect(lower, upper);
            }
            Change::Told => {
                let Disequality { left, right, .. } =
                    self.disequalities.pop().expect("a logged disequality is in the list");
                for class in [self.representative(left), self.representative(right)] {
                    self.nodes[class].disequalities.pop();
                }
            }
        }
    }
}

fn arguments(nodes: &PrimaryMap<Node, NodeData>, node: Node) -> &[Node] {
    let application = nodes[node].application.as_ref();
    &application.expect("only applications are congruent").arguments
}
