//! The proof log: the justification of each clause.
//!
//! The log is a flat vector of words with one entry per clause, in order of derivation: an input
//! with its tag, a lemma with its certificate number (both with their literals), or the antecedents
//! of a chain. It stores neither the literals nor the pivots of a chain: replaying the resolution
//! reconstructs both, because in each step only one literal clashes. Antecedents have smaller
//! numbers than the clauses derived from them, so one backward pass finds all needed entries. That
//! pass extracts the proof ([`Log::proof`]) and drops entries that no live clause needs
//! ([`Log::compact`]). A compaction takes time linear in the log and runs whenever the log has
//! doubled.

use super::Literal;
use crate::prover::proof::{Origin, Proof, Step};

const INPUT: u32 = 0;
const LEMMA: u32 = 1;
const CHAIN: u32 = 2;
const KIND_BITS: u32 = 2;

/// The number of a clause in a [`Log`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LogId(u32);

impl LogId {
    /// The number of every clause if logging is off.
    pub(super) const NONE: LogId = LogId(u32::MAX);

    pub(super) fn code(self) -> u32 {
        self.0
    }

    pub(super) fn from_code(code: u32) -> Self {
        LogId(code)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    words: Vec<u32>,
    /// The start of each entry; [`GONE`] if the entry was dropped.
    starts: Vec<u32>,
    /// The size after the last compaction.
    compacted: usize,
}

const GONE: u32 = u32::MAX;
const SMALL: usize = 1 << 16;

/// A decoded entry.
enum Entry<'a> {
    Input(u32, &'a [u32]),
    Lemma(u32, &'a [u32]),
    Chain(&'a [u32]),
}

impl Log {
    /// The maximum number of words of a log.
    pub(super) const LIMIT: usize = (u32::MAX / 2) as usize;

    /// The number of words.
    pub(super) fn size(&self) -> usize {
        self.words.len() + self.starts.len()
    }

    pub(super) fn input(&mut self, literals: &[Literal], tag: u32) -> LogId {
        self.leaf(INPUT, literals, tag)
    }

    pub(super) fn lemma(&mut self, literals: &[Literal], certificate: u32) -> LogId {
        self.leaf(LEMMA, literals, certificate)
    }

    /// Logs the clause that results from resolving the antecedents in this order. A single
    /// antecedent is returned as it is.
    pub(super) fn chain(&mut self, antecedents: &[LogId]) -> LogId {
        if let [only] = antecedents {
            return *only;
        }
        let id = self.open(CHAIN, antecedents.len());
        self.words.extend(antecedents.iter().map(|antecedent| antecedent.0));
        id
    }

    /// Whether the log has grown enough for [`compact`](Self::compact) to pay off.
    pub(super) fn has_grown(&self) -> bool {
        self.words.len() > 2 * self.compacted + SMALL
    }

    /// Drops all entries that the `roots` do not need.
    pub(super) fn compact(&mut self, roots: impl Iterator<Item = LogId>) {
        let needed = self.needed(roots);
        let mut target = 0;
        for (id, is_needed) in needed.into_iter().enumerate() {
            if self.starts[id] == GONE {
                continue;
            }
            if !is_needed {
                self.starts[id] = GONE;
                continue;
            }
            let start = self.starts[id] as usize;
            let end = self.end(start);
            self.words.copy_within(start..end, target);
            self.starts[id] = target as u32;
            target += end - start;
        }
        self.words.truncate(target);
        self.words.shrink_to(2 * target + SMALL);
        self.compacted = target;
    }

    /// The proof of the clause `last`.
    pub(super) fn proof(&self, last: LogId) -> Proof {
        let needed = self.needed(std::iter::once(last));
        let mut proof = Proof::default();
        let mut step_of = vec![u32::MAX; last.index() + 1];
        let mut clause = Resolvent::default();
        for id in (0..=last.index()).filter(|&id| needed[id]) {
            let step = match self.entry(id) {
                Entry::Input(tag, codes) => Step { literals: literals(codes), origin: Origin::Input(tag) },
                Entry::Lemma(certificate, codes) => {
                    Step { literals: literals(codes), origin: Origin::Lemma(certificate) }
                }
                Entry::Chain(antecedents) => {
                    let steps = antecedents.iter().map(|&id| step_of[id as usize]);
                    clause.chain(&proof.steps, steps)
                }
            };
            step_of[id] = proof.steps.len() as u32;
            proof.steps.push(step);
        }
        proof
    }

    /// The entries that the proofs of the `roots` need.
    fn needed(&self, roots: impl Iterator<Item = LogId>) -> Vec<bool> {
        let mut needed = vec![false; self.starts.len()];
        for root in roots {
            needed[root.index()] = true;
        }
        for id in (0..self.starts.len()).rev() {
            if needed[id]
                && let Entry::Chain(antecedents) = self.entry(id)
            {
                for &antecedent in antecedents {
                    needed[antecedent as usize] = true;
                }
            }
        }
        needed
    }

    fn leaf(&mut self, kind: u32, literals: &[Literal], note: u32) -> LogId {
        let id = self.open(kind, literals.len());
        self.words.push(note);
        self.words.extend(literals.iter().map(|literal| literal.code()));
        id
    }

    fn open(&mut self, kind: u32, length: usize) -> LogId {
        assert!(
            self.words.len() < GONE as usize,
            "the search stops at the log limit, which is far below this size"
        );
        let id = LogId(self.starts.len() as u32);
        self.starts.push(self.words.len() as u32);
        self.words.push((length as u32) << KIND_BITS | kind);
        id
    }

    fn end(&self, start: usize) -> usize {
        let header = self.words[start];
        let note = usize::from(header & ((1 << KIND_BITS) - 1) != CHAIN);
        start + 1 + note + (header >> KIND_BITS) as usize
    }

    fn entry(&self, id: usize) -> Entry<'_> {
        assert_ne!(self.starts[id], GONE, "entries that a live clause needs are kept");
        let start = self.starts[id] as usize;
        let words = &self.words[start + 1..self.end(start)];
        match self.words[start] & ((1 << KIND_BITS) - 1) {
            INPUT => Entry::Input(words[0], &words[1..]),
            LEMMA => Entry::Lemma(words[0], &words[1..]),
            _ => Entry::Chain(words),
        }
    }
}

fn literals(codes: &[u32]) -> Vec<Literal> {
    codes.iter().map(|&code| Literal::from_code(code)).collect()
}

/// A clause under construction. `position` is indexed by literals: 1 + the position in `literals`,
/// or 0 if the literal is absent.
#[derive(Default)]
struct Resolvent {
    position: Vec<u32>,
    literals: Vec<Literal>,
}

impl Resolvent {
    fn chain(&mut self, steps: &[Step], mut antecedents: impl Iterator<Item = u32>) -> Step {
        let first = antecedents.next().expect("a chain has antecedents");
        for &literal in &steps[first as usize].literals {
            self.add(literal);
        }
        let rest = antecedents
            .map(|step| {
                let other = &steps[step as usize].literals;
                let pivot = other.iter().map(|&literal| !literal).find(|&literal| self.contains(literal));
                let pivot = pivot.expect("an antecedent removes a literal");
                self.remove(pivot);
                for &literal in other.iter().filter(|&&literal| literal != !pivot) {
                    self.add(literal);
                }
                (pivot, step)
            })
            .collect();
        for literal in &self.literals {
            self.position[literal.index()] = 0;
        }
        Step { literals: std::mem::take(&mut self.literals), origin: Origin::Chain { first, rest } }
    }

    fn contains(&self, literal: Literal) -> bool {
        self.position.get(literal.index()).is_some_and(|&position| position != 0)
    }

    fn add(&mut self, literal: Literal) {
        if self.position.len() <= literal.index() {
            self.position.resize(literal.index() + 1, 0);
        }
        if self.position[literal.index()] == 0 {
            self.literals.push(literal);
            self.position[literal.index()] = self.literals.len() as u32;
        }
    }

    fn remove(&mut self, literal: Literal) {
        let position = std::mem::take(&mut self.position[literal.index()]);
        self.literals.swap_remove(position as usize - 1);
        if let Some(moved) = self.literals.get(position as usize - 1) {
            self.position[moved.index()] = position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::sat::Variable;

    #[test]
    fn compaction_keeps_what_roots_need() {
        let [x, y] = [0, 1].map(|index| Literal::positive(Variable(index)));
        let mut log = Log::default();
        let both = log.input(&[x, y], 1);
        let unused = log.input(&[!x, !y], 2);
        let only_x = log.input(&[x, !y], 3);
        let gone = log.chain(&[both, unused]);
        let unit = log.chain(&[both, only_x]);
        let not_x = log.lemma(&[!x], 4);
        let empty = log.chain(&[unit, not_x]);
        let before = (log.proof(empty), log.size());
        log.compact([empty].into_iter());
        assert_eq!(log.proof(empty), before.0);
        assert!(log.size() < before.1);
        assert_eq!([unused, gone].map(|id| log.starts[id.index()]), [GONE, GONE]);
        assert_eq!(log.proof(unit).conclusion(), Some(&[x][..]));
    }
}
