//! A complete depth-first search for integer solutions, with a checkable refutation.
//!
//! Cuts and branches are asserted with reasons from a range that the caller leaves free. If the
//! refutation of a case does not use the bound that opened the case, it refutes the parent, and the
//! other case is skipped (backjumping). Unused cuts are omitted.
//!
//! # Limits
//! There is no learning between cases. The search suits problems without Boolean structure; an
//! owner with Boolean structure should call [`Integers::check`] itself.

use super::{Branch, Config, IntegerCheck, Integers, Purity};
use crate::prover::arith::{
    Certificate, Combination, Cut, Feasibility, Flaw, Kind, Premise, Premises, Rational, Reason32, Relation,
    Side, Simplex, Var, check,
};
use backends::{Limits, Reason};
use std::collections::BTreeSet;

/// Whether the bounds have a solution with integral integers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The values of all variables, by index.
    Model(Vec<Rational>),
    /// There is no solution.
    Refuted(Refutation),
    /// The budget or the limits ended the search.
    Unknown(Reason),
}

/// A tree of cases in which each leaf is a conflict. Children before parents, the root last.
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// At least one node.
    pub nodes: Vec<Node>,
}

/// A node of a refutation.
#[derive(Clone, Debug)]
pub enum Node {
    /// The bounds contradict each other.
    Conflict(Certificate),
    /// An implied bound for the subtree.
    Cut {
        /// The bound with its certificate.
        cut: Cut,
        /// The reason of the bound in the subtree.
        reason: Reason32,
        /// The node below.
        rest: usize,
    },
    /// A case split.
    Branch {
        /// A combination of integers with integral coefficients.
        form: Combination,
        /// An integer.
        floor: Rational,
        /// The reason of `form ≤ floor`, and the node below it.
        below: (Reason32, usize),
        /// The reason of `form ≥ floor + 1`, and the node below it.
        above: (Reason32, usize),
    },
}

/// Searches for a solution with integral integers. Restores the bounds of the solver; its model is
/// the solution, if one was found. Reasons from `free` on must be unused.
pub fn solve(
    simplex: &mut Simplex,
    config: Config,
    purity: &dyn Purity,
    free: Reason32,
    limits: &Limits,
) -> Answer {
    let level = simplex.level();
    simplex.push();
    let search = Search {
        simplex,
        integers: Integers::new(config),
        purity,
        limits,
        first: free,
        next: free,
        nodes: Vec::new(),
        frames: Vec::new(),
    };
    let (simplex, answer) = search.run();
    simplex.backtrack(level);
    answer
}

/// Checks a refutation, given the premises of the reasons that existed before the search.
pub fn check_refutation(refutation: &Refutation, premises: &impl Premises) -> Result<(), Flaw> {
    let mut open: Vec<Visit> = vec![Visit::Node(refutation.nodes.len() - 1)];
    let mut assumed = Assumed { premises, assumptions: Vec::new() };
    while let Some(visit) = open.pop() {
        let node = match visit {
            Visit::Node(node) => node,
            Visit::Assume(reason, premise) => {
                assumed.assumptions.push((reason, premise));
                continue;
            }
            Visit::Forget => {
                assumed.assumptions.pop();
                continue;
            }
        };
        let mut case = |reason: Reason32, premise: Premise, child: usize| {
            open.extend([Visit::Forget, Visit::Node(child), Visit::Assume(reason, premise)]);
        };
        match &refutation.nodes[node] {
            Node::Conflict(certificate @ (Certificate::Farkas(_) | Certificate::Diophantine(_))) => {
                check(certificate, &assumed)?;
            }
            Node::Conflict(Certificate::Cut(Cut { form, .. }) | Certificate::Branch { form, .. }) => {
                return Err(Flaw::Form(form.clone()));
            }
            Node::Cut { cut, reason, rest } => {
                check(&Certificate::Cut(cut.clone()), &assumed)?;
                case(*reason, at_most(&cut.form, &cut.bound), *rest);
            }
            Node::Branch { form, floor, below, above } => {
                check(&Certificate::Branch { form: form.clone(), floor: floor.clone() }, &assumed)?;
                case(below.0, at_most(form, floor), below.1);
                let (minus, ceiling) = (form.scaled(&Rational::MINUS_ONE), -&(floor + &Rational::ONE));
                case(above.0, at_most(&minus, &ceiling), above.1);
            }
        }
    }
    Ok(())
}

enum Visit {
    Node(usize),
    Assume(Reason32, Premise),
    Forget,
}

/// The premises of the owner, plus those of the cuts and branches above a node.
struct Assumed<'a, P> {
    premises: &'a P,
    assumptions: Vec<(Reason32, Premise)>,
}

impl<P: Premises> Premises for Assumed<'_, P> {
    fn premise(&self, reason: Reason32) -> Option<Premise> {
        let own = self.assumptions.iter().rev().find(|(other, _)| *other == reason);
        own.map(|(_, premise)| premise.clone()).or_else(|| self.premises.premise(reason))
    }

    fn kind(&self, variable: Var) -> Kind {
        self.premises.kind(variable)
    }
}

/// `form ≤ bound` as a bound of the primitive form, as in [`Simplex::define`].
fn at_most(form: &Combination, bound: &Rational) -> Premise {
    let Some((_, first)) = form.entries().first() else {
        return Premise { form: form.clone(), relation: Relation::AtMost, constant: bound.clone() };
    };
    let (factor, relation) = if first.is_negative() {
        (-form.content(), Relation::AtLeast)
    } else {
        (form.content(), Relation::AtMost)
    };
    Premise { form: form.scaled(&factor.recip()), relation, constant: bound / &factor }
}

struct Search<'a> {
    simplex: &'a mut Simplex,
    integers: Integers,
    purity: &'a dyn Purity,
    limits: &'a Limits,
    /// Reasons from here on belong to the search.
    first: Reason32,
    next: Reason32,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
}

/// An open cut or branch above the current node.
enum Frame {
    Cut {
        cut: Cut,
        reason: Reason32,
    },
    /// The second case is open once the first one is done.
    Branch {
        branch: Branch,
        level: usize,
        below: Reason32,
        above: Reason32,
        done: Option<Done>,
    },
}

/// A refuted node, and the reasons of cuts and branches above it that it uses.
struct Done {
    node: usize,
    used: BTreeSet<Reason32>,
}

impl<'a> Search<'a> {
    fn run(mut self) -> (&'a mut Simplex, Answer) {
        loop {
            let conflict = match self.descend() {
                Ok(conflict) => conflict,
                Err(answer) => return (self.simplex, answer),
            };
            let mut done = self.leaf(conflict);
            loop {
                let Some(frame) = self.frames.pop() else {
                    let nodes = self.nodes;
                    let refutation = reachable(&nodes, done.node);
                    return (self.simplex, Answer::Refuted(refutation));
                };
                match self.ascend(frame, done) {
                    Ascent::Done(above) => done = above,
                    Ascent::Open(None) => break,
                    Ascent::Open(Some(conflict)) => done = self.leaf(conflict),
                }
            }
        }
    }

    /// Descends to a conflict, or returns the answer.
    fn descend(&mut self) -> Result<Certificate, Answer> {
        loop {
            match self.simplex.check(self.limits) {
                Feasibility::Feasible => {}
                Feasibility::Infeasible(certificate) => return Ok(certificate),
                Feasibility::Unknown(reason) => return Err(Answer::Unknown(reason)),
            }
            match self.integers.check(self.simplex, self.limits, self.purity) {
                IntegerCheck::Consistent => return Err(Answer::Model(self.simplex.model())),
                IntegerCheck::Infeasible(certificate) => return Ok(certificate),
                IntegerCheck::Unknown(reason) => return Err(Answer::Unknown(reason)),
                IntegerCheck::Cuts(cuts) => {
                    for cut in cuts {
                        let reason = self.reason();
                        let form = cut.form.clone();
                        let bound = cut.bound.clone();
                        self.frames.push(Frame::Cut { cut, reason });
                        if let Some(conflict) = self.assume(&form, Side::Upper, &bound, reason) {
                            return Ok(conflict);
                        }
                    }
                }
                IntegerCheck::Branch(branch) => {
                    let (below, above) = (self.reason(), self.reason());
                    let level = self.simplex.level();
                    self.simplex.push();
                    let form = Combination::variable(branch.variable);
                    let floor = branch.floor.clone();
                    self.frames.push(Frame::Branch { branch, level, below, above, done: None });
                    if let Some(conflict) = self.assume(&form, Side::Upper, &floor, below) {
                        return Ok(conflict);
                    }
                }
            }
        }
    }

    /// Ascends one frame from a refuted node.
    fn ascend(&mut self, frame: Frame, mut done: Done) -> Ascent {
        match frame {
            Frame::Cut { cut, reason } => {
                if !done.used.remove(&reason) {
                    return Ascent::Done(done);
                }
                let premises = cut.premises.iter().map(|premise| premise.reason);
                done.used.extend(premises.filter(|premise| *premise >= self.first));
                Ascent::Done(self.node(Node::Cut { cut, reason, rest: done.node }, done.used))
            }
            Frame::Branch { branch, level, below, above, done: None } => {
                self.simplex.backtrack(level);
                if !done.used.contains(&below) {
                    return Ascent::Done(done);
                }
                self.simplex.push();
                let form = Combination::variable(branch.variable);
                let ceiling = &branch.floor + &Rational::ONE;
                self.frames.push(Frame::Branch { branch, level, below, above, done: Some(done) });
                Ascent::Open(self.assume(&form, Side::Lower, &ceiling, above))
            }
            Frame::Branch { branch, level, below, above, done: Some(mut first) } => {
                self.simplex.backtrack(level);
                if !done.used.remove(&above) {
                    return Ascent::Done(done);
                }
                first.used.remove(&below);
                done.used.append(&mut first.used);
                let node = Node::Branch {
                    form: self.simplex.definition(branch.variable).clone(),
                    floor: branch.floor,
                    below: (below, first.node),
                    above: (above, done.node),
                };
                Ascent::Done(self.node(node, done.used))
            }
        }
    }

    fn leaf(&mut self, certificate: Certificate) -> Done {
        let reasons: Vec<Reason32> = match &certificate {
            Certificate::Farkas(multipliers) => {
                multipliers.iter().map(|multiplier| multiplier.reason).collect()
            }
            Certificate::Diophantine(multipliers) => {
                multipliers.iter().flat_map(|multiplier| [multiplier.lower, multiplier.upper]).collect()
            }
            Certificate::Cut(_) | Certificate::Branch { .. } => Vec::new(),
        };
        let used = reasons.into_iter().filter(|reason| *reason >= self.first).collect();
        self.node(Node::Conflict(certificate), used)
    }

    fn node(&mut self, node: Node, used: BTreeSet<Reason32>) -> Done {
        self.nodes.push(node);
        Done { node: self.nodes.len() - 1, used }
    }

    fn reason(&mut self) -> Reason32 {
        let reason = self.next;
        self.next.0 = self.next.0.checked_add(1).expect("the caller leaves enough reasons free");
        reason
    }

    /// Asserts a bound. Returns an immediate conflict, if there is one.
    fn assume(
        &mut self,
        form: &Combination,
        side: Side,
        bound: &Rational,
        reason: Reason32,
    ) -> Option<Certificate> {
        let bound = self
            .simplex
            .bound(form, side, &bound.clone().into())
            .expect("cuts and branches contain variables");
        self.simplex.assert_bound(&bound, reason).err()
    }
}

enum Ascent {
    /// This node is refuted.
    Done(Done),
    /// Another case is open, possibly with an immediate conflict.
    Open(Option<Certificate>),
}

/// The nodes reachable from a root, renumbered.
fn reachable(nodes: &[Node], root: usize) -> Refutation {
    let mut is_used = vec![false; nodes.len()];
    is_used[root] = true;
    for at in (0..=root).rev() {
        match &nodes[at] {
            _ if !is_used[at] => {}
            Node::Conflict(_) => {}
            Node::Cut { rest, .. } => is_used[*rest] = true,
            Node::Branch { below, above, .. } => {
                is_used[below.1] = true;
                is_used[above.1] = true;
            }
        }
    }
    let mut number = vec![0; nodes.len()];
    let mut kept = Vec::new();
    for (at, node) in nodes.iter().enumerate().filter(|(at, _)| is_used[*at]) {
        number[at] = kept.len();
        let mut node = node.clone();
        match &mut node {
            Node::Conflict(_) => {}
            Node::Cut { rest, .. } => *rest = number[*rest],
            Node::Branch { below, above, .. } => {
                below.1 = number[below.1];
                above.1 = number[above.1];
            }
        }
        kept.push(node);
    }
    Refutation { nodes: kept }
}
