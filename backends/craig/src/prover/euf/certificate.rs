//! Structured proofs of congruence closure, and their checker.
//!
//! A [`Certificate`] adds structure to an explanation: which fact or congruence justifies which
//! equation. Each step is an equation, justified by a fact or by a congruence whose arguments are
//! equal by *chains* of earlier steps; the conclusion is a chain between two nodes that differ.
//! [`check`] examines each step separately and shares no code with the closure. The owner supplies
//! the meaning of nodes and facts through [`Facts`].
//!
//! [`certify`] reconstructs the certificate of a set of contradictory facts from the facts alone,
//! with a closure of its own. A search therefore need not store certificates: the clause of a lemma
//! suffices to create one on demand.
//!
//! # Cost
//! [`check`] is linear in the certificate. The certificate has one step per fact and congruence;
//! the total length of its chains is at most the number of congruences times the number of steps.

use super::forest::{Edge, Justification};
use super::{Conflict, Congruence, Node};
use rustc_hash::FxHashMap;
use terms::entity::Entity;

/// A proof that facts contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Equations; each follows the equations that it uses.
    pub steps: Vec<Step>,
    /// The contradiction between the last ones.
    pub contradiction: Contradiction,
}

/// An equation with its justification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A fact.
    Fact {
        /// The left side.
        left: Node,
        /// The right side.
        right: Node,
        /// The reason of the fact.
        reason: u32,
    },
    /// Two applications of one function to equal arguments.
    Congruence {
        /// The left side.
        left: Node,
        /// The right side.
        right: Node,
        /// For each argument, the chain from that of the left side to that of the right side.
        arguments: Vec<Chain>,
    },
}

/// Equations combined by transitivity: indices of steps, each used in the direction that fits, from
/// the first node to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The first node.
    pub start: Node,
    /// The last node.
    pub end: Node,
    /// The steps.
    pub steps: Vec<u32>,
}

/// Two nodes are both equal and different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A disequality fact.
    Disequality {
        /// The chain between the two nodes.
        chain: Chain,
        /// The reason of the fact.
        reason: u32,
    },
    /// The nodes are different values.
    Values {
        /// The chain between the two nodes.
        chain: Chain,
    },
}

/// The meaning of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// They are equal.
    Equal(Node, Node),
    /// They differ.
    Distinct(Node, Node),
}

/// The owner's knowledge about nodes and reasons.
pub trait Facts {
    /// The function and the arguments of an application.
    fn application(&self, node: Node) -> Option<(u32, &[Node])>;
    /// Whether the node differs from all other values.
    fn is_value(&self, node: Node) -> bool;
    /// Whether the reason states this fact; the sides may be exchanged.
    fn says(&self, reason: u32, fact: Fact) -> bool;
}

/// A defect of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// A reason does not state the fact that a step uses.
    #[error("the reason {0} does not state this fact")]
    Reason(u32),
    /// The sides of a congruence are not applications of one function to equally many arguments.
    #[error("{0} and {1} are not applications of one function")]
    Functions(Node, Node),
    /// A chain does not connect its ends.
    #[error("a chain from {0} to {1} is broken")]
    Chain(Node, Node),
    /// The nodes of the final chain are not different values.
    #[error("{0} and {1} need not differ")]
    Values(Node, Node),
}

/// Checks a certificate.
///
/// # Errors
/// The first defect.
pub fn check(certificate: &Certificate, facts: &impl Facts) -> Result<(), CertificateError> {
    let mut sides: Vec<(Node, Node)> = Vec::with_capacity(certificate.steps.len());
    for step in &certificate.steps {
        match step {
            Step::Fact { left, right, reason } => {
                if !facts.says(*reason, Fact::Equal(*left, *right)) {
                    return Err(CertificateError::Reason(*reason));
                }
                sides.push((*left, *right));
            }
            Step::Congruence { left, right, arguments } => {
                let wrong = CertificateError::Functions(*left, *right);
                let (Some((f, from)), Some((g, to))) = (facts.application(*left), facts.application(*right))
                else {
                    return Err(wrong);
                };
                if f != g || from.len() != to.len() || from.len() != arguments.len() {
                    return Err(wrong);
                }
                for ((&start, &end), chain) in from.iter().zip(to).zip(arguments) {
                    check_chain(chain, (start, end), &sides)?;
                }
                sides.push((*left, *right));
            }
        }
    }
    match &certificate.contradiction {
        Contradiction::Disequality { chain, reason } => {
            if !facts.says(*reason, Fact::Distinct(chain.start, chain.end)) {
                return Err(CertificateError::Reason(*reason));
            }
            check_chain(chain, (chain.start, chain.end), &sides)
        }
        Contradiction::Values { chain } => {
            let Chain { start, end, .. } = *chain;
            if start == end || !facts.is_value(start) || !facts.is_value(end) {
                return Err(CertificateError::Values(start, end));
            }
            check_chain(chain, (start, end), &sides)
        }
    }
}

fn check_chain(chain: &Chain, ends: (Node, Node), known: &[(Node, Node)]) -> Result<(), CertificateError> {
    let broken = CertificateError::Chain(ends.0, ends.1);
    if (chain.start, chain.end) != ends {
        return Err(broken);
    }
    let mut at = chain.start;
    for &step in &chain.steps {
        at = match known.get(step as usize) {
            Some(&(left, right)) if left == at => right,
            Some(&(left, right)) if right == at => left,
            _ => return Err(broken),
        };
    }
    if at == chain.end { Ok(()) } else { Err(broken) }
}

/// The certificate that `facts`, each with its reason, contradict each other; `None` if they do
/// not. `language` supplies only the meaning of nodes.
pub fn certify(language: &Congruence, facts: &[(Fact, u32)]) -> Option<Certificate> {
    let mut replay = Replay::default();
    for &(Fact::Equal(left, right) | Fact::Distinct(left, right), _) in facts {
        replay.copy(language, left);
        replay.copy(language, right);
    }
    for &(fact, reason) in facts {
        match fact {
            Fact::Equal(left, right) => {
                replay.closure.merge(replay.copies[&left], replay.copies[&right], reason);
            }
            Fact::Distinct(left, right) => {
                replay.closure.disequal(replay.copies[&left], replay.copies[&right], reason);
            }
        }
    }
    let conflict = replay.closure.close().err()?;
    Some(replay.certificate(conflict))
}

/// A closure over the subterms of some facts.
#[derive(Default)]
struct Replay {
    closure: Congruence,
    copies: FxHashMap<Node, Node>,
    originals: Vec<Node>,
    steps: Vec<Step>,
    /// The steps of edges of the forest, by lower end.
    known: FxHashMap<Node, u32>,
}

impl Replay {
    fn copy(&mut self, language: &Congruence, root: Node) {
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.copies.contains_key(&node) {
                stack.pop();
                continue;
            }
            let copy = match language.application(node) {
                Some(application) => {
                    let before = stack.len();
                    let missing = application.arguments.iter().filter(|node| !self.copies.contains_key(node));
                    stack.extend(missing);
                    if stack.len() > before {
                        continue;
                    }
                    let arguments: Vec<Node> =
                        application.arguments.iter().map(|argument| self.copies[argument]).collect();
                    self.closure.apply(application.function, &arguments)
                }
                None if language.is_value(node) => self.closure.value(),
                None => self.closure.leaf(),
            };
            debug_assert_eq!(copy.index(), self.originals.len(), "copies should be made in order");
            self.originals.push(node);
            self.copies.insert(node, copy);
            stack.pop();
        }
    }

    fn certificate(mut self, conflict: Conflict) -> Certificate {
        let (Conflict::Disequality { left, right, .. } | Conflict::Values { left, right }) = conflict;
        let path = self.closure.path(left, right);
        let mut stack = path.clone();
        while let Some(&edge) = stack.last() {
            if self.known.contains_key(&edge.lower) {
                stack.pop();
                continue;
            }
            let step = match edge.justification {
                Justification::Reason(reason) => Step::Fact {
                    left: self.originals[edge.lower.index()],
                    right: self.originals[edge.upper.index()],
                    reason,
                },
                Justification::Congruence => {
                    let pairs = self.argument_pairs(edge);
                    let paths: Vec<Vec<Edge>> =
                        pairs.iter().map(|&(from, to)| self.closure.path(from, to)).collect();
                    let before = stack.len();
                    let missing = paths.iter().flatten().filter(|edge| !self.known.contains_key(&edge.lower));
                    stack.extend(missing);
                    if stack.len() > before {
                        continue;
                    }
                    let arguments =
                        pairs.iter().zip(&paths).map(|(&ends, path)| self.chain(ends, path)).collect();
                    Step::Congruence {
                        left: self.originals[edge.lower.index()],
                        right: self.originals[edge.upper.index()],
                        arguments,
                    }
                }
            };
            let index = u32::try_from(self.steps.len()).expect("a certificate has fewer than 2^32 steps");
            self.steps.push(step);
            self.known.insert(edge.lower, index);
            stack.pop();
        }
        let chain = self.chain((left, right), &path);
        let contradiction = match conflict {
            Conflict::Disequality { reason, .. } => Contradiction::Disequality { chain, reason },
            Conflict::Values { .. } => Contradiction::Values { chain },
        };
        Certificate { steps: self.steps, contradiction }
    }

    fn argument_pairs(&self, edge: Edge) -> Vec<(Node, Node)> {
        let arguments = |node| {
            let application = self.closure.application(node);
            &application.expect("only applications are congruent").arguments
        };
        arguments(edge.lower).iter().copied().zip(arguments(edge.upper).iter().copied()).collect()
    }

    fn chain(&self, (start, end): (Node, Node), path: &[Edge]) -> Chain {
        Chain {
            start: self.originals[start.index()],
            end: self.originals[end.index()],
            steps: path.iter().map(|edge| self.known[&edge.lower]).collect(),
        }
    }
}
