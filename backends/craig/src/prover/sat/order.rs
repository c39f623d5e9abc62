//! Decision heuristics.
//!
//! Two orders are maintained at once. Stable mode decides the variable with the highest score: a
//! conflict raises the scores of its variables by an exponentially growing increment (VSIDS,
//! Moskewicz et al., DAC 2001, with the exponential growth of MiniSat). Focused mode decides the
//! variable that was in a conflict most recently (VMTF as a doubly linked queue: Biere and
//! Fröhlich, *Evaluating CDCL Variable Scoring Schemes*, SAT 2015). A step of the former takes time
//! logarithmic in the number of variables, a step of the latter constant time.

use super::Variable;
use terms::entity::Entity;

const NONE: u32 = u32::MAX;
const RESCALE_ABOVE: f64 = 1e150;

/// A heap of variables, highest score first.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    score: Vec<f64>,
    heap: Vec<u32>,
    position: Vec<u32>,
    increment: f64,
}

impl Default for Scores {
    fn default() -> Self {
        Scores { score: Vec::new(), heap: Vec::new(), position: Vec::new(), increment: 1.0 }
    }
}

impl Scores {
    pub(super) fn new_variable(&mut self) {
        self.position.push(NONE);
        self.score.push(0.0);
    }

    /// Raises the score of a variable.
    pub(super) fn bump(&mut self, variable: Variable) {
        let index = variable.index();
        self.score[index] += self.increment;
        if self.score[index] > RESCALE_ABOVE {
            for score in &mut self.score {
                *score /= RESCALE_ABOVE;
            }
            self.increment /= RESCALE_ABOVE;
        }
        if self.position[index] != NONE {
            self.up(self.position[index] as usize);
        }
    }

    /// Increases the weight of later bumps.
    pub(super) fn decay(&mut self) {
        self.increment *= 1.0 / 0.95;
    }

    /// Inserts the variable into the heap, if it is absent.
    #[inline]
    pub(super) fn insert(&mut self, variable: Variable) {
        if self.position[variable.index()] == NONE {
            let position = self.heap.len();
            self.position[variable.index()] = position as u32;
            self.heap.push(variable.0);
            self.up(position);
        }
    }

    /// Removes the variable with the highest score.
    pub(super) fn pop(&mut self) -> Option<Variable> {
        let first = *self.heap.first()?;
        let last = self.heap.pop().expect("the heap is not empty");
        self.position[first as usize] = NONE;
        if last != first {
            self.heap[0] = last;
            self.position[last as usize] = 0;
            self.down(0);
        }
        Some(Variable(first))
    }

    /// Whether the first variable is decided before the second.
    pub(super) fn is_first(&self, variable: Variable, other: Variable) -> bool {
        self.is_before(variable.0, other.0)
    }

    /// Age breaks ties, so the order is total.
    fn is_before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.score[a as usize], self.score[b as usize]);
        x > y || (x == y && a < b)
    }

    fn up(&mut self, mut position: usize) {
        let variable = self.heap[position];
        while position > 0 {
            let parent = (position - 1) / 2;
            let above = self.heap[parent];
            if !self.is_before(variable, above) {
                break;
            }
            self.heap[position] = above;
            self.position[above as usize] = position as u32;
            position = parent;
        }
        self.heap[position] = variable;
        self.position[variable as usize] = position as u32;
    }

    fn down(&mut self, mut position: usize) {
        let variable = self.heap[position];
        loop {
            let mut child = 2 * position + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.is_before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            let below = self.heap[child];
            if !self.is_before(below, variable) {
                break;
            }
            self.heap[position] = below;
            self.position[below as usize] = position as u32;
            position = child;
        }
        self.heap[position] = variable;
        self.position[variable as usize] = position as u32;
    }
}

/// All variables; the one of the latest conflict comes last.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    previous: Vec<u32>,
    next: Vec<u32>,
    /// The time when the variable was moved to the end; increases along the queue.
    stamp: Vec<u64>,
    last: u32,
    /// All variables after this one are assigned.
    search: u32,
    time: u64,
}

impl Default for Queue {
    fn default() -> Self {
        Queue { previous: Vec::new(), next: Vec::new(), stamp: Vec::new(), last: NONE, search: NONE, time: 0 }
    }
}

impl Queue {
    pub(super) fn new_variable(&mut self) {
        let variable = self.previous.len() as u32;
        self.previous.push(NONE);
        self.next.push(NONE);
        self.stamp.push(0);
        self.append(variable);
        self.search = variable;
    }

    /// Moves an assigned variable to the end.
    pub(super) fn bump(&mut self, variable: Variable) {
        let index = variable.0;
        if self.next[index as usize] != NONE {
            if self.search == index {
                // Its predecessor may be unassigned; all variables after it are assigned.
                let before = self.previous[index as usize];
                self.search = if before == NONE { self.next[index as usize] } else { before };
            }
            let (before, after) = (self.previous[index as usize], self.next[index as usize]);
            if before != NONE {
                self.next[before as usize] = after;
            }
            self.previous[after as usize] = before;
            self.append(index);
        } else {
            self.time += 1;
            self.stamp[index as usize] = self.time;
        }
    }

    pub(super) fn stamp(&self, variable: Variable) -> u64 {
        self.stamp[variable.index()]
    }

    /// Notes that the variable was unassigned.
    #[inline]
    pub(super) fn insert(&mut self, variable: Variable) {
        if self.search == NONE || self.stamp[variable.index()] > self.stamp[self.search as usize] {
            self.search = variable.0;
        }
    }

    /// The last variable that satisfies `is_free`. A variable may become free only through
    /// [`insert`](Self::insert).
    pub(super) fn find(&mut self, is_free: impl Fn(Variable) -> bool) -> Option<Variable> {
        let mut at = self.search;
        while at != NONE && !is_free(Variable(at)) {
            let before = self.previous[at as usize];
            if before == NONE {
                // The search position stays at the first variable.
                self.search = at;
                return None;
            }
            at = before;
        }
        if at == NONE {
            return None;
        }
        self.search = at;
        Some(Variable(at))
    }

    fn append(&mut self, variable: u32) {
        self.time += 1;
        self.stamp[variable as usize] = self.time;
        self.previous[variable as usize] = self.last;
        self.next[variable as usize] = NONE;
        if self.last != NONE {
            self.next[self.last as usize] = variable;
        }
        self.last = variable;
    }
}
