//! Clause storage in one flat vector of 32-bit words.
//!
//! A clause is a header of four words (length, flags with the LBD, log number, the position where
//! the last watch was found) followed by its literals. A [`ClauseRef`] is the position of the first
//! word. Deleted clauses stay as garbage until [`Arena::moved_to`] has copied all others.

use super::Literal;
use super::log::LogId;

const HEADER: usize = 4;
const POSITION: usize = 3;
const REDUNDANT: u32 = 1;
const GARBAGE: u32 = 2;
const MOVED: u32 = 4;
const USED_SHIFT: u32 = 3;
const USED_MASK: u32 = 3 << USED_SHIFT;
const TRIED: u32 = 1 << 5;
const LBD_SHIFT: u32 = 8;
const LBD_MAX: u32 = (1 << 24) - 1;

/// A clause in an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ClauseRef(u32);

impl ClauseRef {
    /// No clause: the reason of decisions and of literals at level 0.
    pub(super) const NONE: ClauseRef = ClauseRef(u32::MAX);
    /// The upper bound of references.
    pub(super) const LIMIT: usize = 1 << 31;

    pub(super) fn code(self) -> u32 {
        self.0
    }

    pub(super) fn from_code(code: u32) -> Self {
        ClauseRef(code)
    }
}

/// Whether reductions may delete a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Never: the clause is part of the problem.
    Forever,
    /// Yes: other clauses imply it.
    WhileUseful,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    garbage: usize,
}

impl Arena {
    pub(super) fn with_capacity(words: usize) -> Self {
        Arena { words: Vec::with_capacity(words), garbage: 0 }
    }

    /// Whether there is room for a clause of this length.
    pub(super) fn has_room(&self, length: usize) -> bool {
        self.words.len() + length + HEADER < ClauseRef::LIMIT
    }

    pub(super) fn add(&mut self, literals: &[Literal], keep: Keep, lbd: u32, id: LogId) -> ClauseRef {
        debug_assert!(literals.len() >= 2);
        assert!(self.has_room(literals.len()), "the clauses fit into 8 GB");
        let clause = ClauseRef(self.words.len() as u32);
        let flags = if keep == Keep::WhileUseful { REDUNDANT } else { 0 };
        self.words.extend_from_slice(&[
            literals.len() as u32,
            flags | lbd.min(LBD_MAX) << LBD_SHIFT,
            id.code(),
            2,
        ]);
        self.words.extend(literals.iter().map(|literal| literal.code()));
        clause
    }

    pub(super) fn length(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize] as usize
    }

    /// The codes of the literals.
    #[inline]
    pub(super) fn codes(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.0 as usize;
        let length = self.words[start] as usize;
        &self.words[start + HEADER..start + HEADER + length]
    }

    /// The codes, and the position from which to search for a literal to watch: at least 2, at most
    /// the length.
    #[inline]
    pub(super) fn codes_and_position(&mut self, clause: ClauseRef) -> (&mut [u32], &mut u32) {
        let start = clause.0 as usize;
        let length = self.words[start] as usize;
        let (header, codes) = self.words[start + POSITION..start + HEADER + length].split_at_mut(1);
        (codes, &mut header[0])
    }

    pub(super) fn literals(&self, clause: ClauseRef) -> impl Iterator<Item = Literal> {
        self.codes(clause).iter().map(|&code| Literal::from_code(code))
    }

    pub(super) fn id(&self, clause: ClauseRef) -> LogId {
        LogId::from_code(self.words[clause.0 as usize + 2])
    }

    pub(super) fn keep(&self, clause: ClauseRef) -> Keep {
        if self.flags(clause) & REDUNDANT == 0 { Keep::Forever } else { Keep::WhileUseful }
    }

    pub(super) fn lbd(&self, clause: ClauseRef) -> u32 {
        self.flags(clause) >> LBD_SHIFT
    }

    pub(super) fn set_lbd(&mut self, clause: ClauseRef, lbd: u32) {
        let flags = self.flags_mut(clause);
        *flags = *flags & ((1 << LBD_SHIFT) - 1) | lbd.min(LBD_MAX) << LBD_SHIFT;
    }

    /// The number of reductions, up to 3, that the clause survives because conflicts used it.
    pub(super) fn used(&self, clause: ClauseRef) -> u32 {
        (self.flags(clause) & USED_MASK) >> USED_SHIFT
    }

    pub(super) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        let flags = self.flags_mut(clause);
        *flags = *flags & !USED_MASK | used << USED_SHIFT;
    }

    /// Whether vivification has tried the clause.
    pub(super) fn is_tried(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & TRIED != 0
    }

    pub(super) fn set_tried(&mut self, clause: ClauseRef) {
        *self.flags_mut(clause) |= TRIED;
    }

    pub(super) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & GARBAGE != 0
    }

    /// Marks the clause as deleted.
    pub(super) fn discard(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_garbage(clause));
        *self.flags_mut(clause) |= GARBAGE;
        self.garbage += self.length(clause) + HEADER;
    }

    /// The number of words of deleted clauses.
    pub(super) fn garbage(&self) -> usize {
        self.garbage
    }

    /// The number of all words.
    pub(super) fn size(&self) -> usize {
        self.words.len()
    }

    /// Copies the clause into `target`, unless that has been done, and returns its new reference.
    pub(super) fn moved_to(&mut self, clause: ClauseRef, target: &mut Arena) -> ClauseRef {
        let start = clause.0 as usize;
        if self.flags(clause) & MOVED == 0 {
            let length = self.words[start] as usize;
            let moved = target.words.len() as u32;
            target.words.extend_from_slice(&self.words[start..start + HEADER + length]);
            *self.flags_mut(clause) |= MOVED;
            self.words[start] = moved;
        }
        ClauseRef(self.words[start])
    }

    fn flags(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1]
    }

    fn flags_mut(&mut self, clause: ClauseRef) -> &mut u32 {
        &mut self.words[clause.0 as usize + 1]
    }
}
