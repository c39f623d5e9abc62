//! Code shared by the solver packages.

use crate::Reason;
use terms::entity::Entity;
use terms::{Term, TermPool};

pub mod watchdog;

/// The translations of terms in one solver context, by term.
#[derive(Clone, Debug)]
pub struct Cache<N> {
    known: Vec<Option<N>>,
    stack: Vec<Term>,
    children: Vec<N>,
}

impl<N> Default for Cache<N> {
    fn default() -> Self {
        Cache { known: Vec::new(), stack: Vec::new(), children: Vec::new() }
    }
}

impl<N: Copy> Cache<N> {
    /// The translation of `term`, if it is cached.
    pub fn get(&self, term: Term) -> Option<N> {
        self.known.get(term.index()).copied().flatten()
    }

    /// Returns the translation of `root`. Calls `build` once for each distinct term that is not
    /// cached, with the translations of its children, children first; without recursion.
    pub fn translate(
        &mut self,
        pool: &TermPool,
        root: Term,
        mut build: impl FnMut(Term, &[N]) -> Result<N, Reason>,
    ) -> Result<N, Reason> {
        if let Some(known) = self.get(root) {
            return Ok(known);
        }
        if self.known.len() < pool.len() {
            self.known.resize(pool.len(), None);
        }
        self.stack.clear();
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            if self.known[term.index()].is_some() {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            self.children.clear();
            for &child in pool.children(term) {
                match self.known[child.index()] {
                    Some(known) => self.children.push(known),
                    None => self.stack.push(child),
                }
            }
            if self.stack.len() == before {
                let built = build(term, &self.children)?;
                self.known[term.index()] = Some(built);
                self.stack.pop();
            }
        }
        Ok(self.known[root.index()].expect("the loop translates the root last"))
    }
}

/// Stack that a C++ solver may need for one level of a term.
const BYTES_PER_LEVEL: usize = 2 << 10;
/// Terms up to this depth are processed on the caller's stack.
const SHALLOW: u32 = 200;
/// The largest stack that is requested from the system.
const LARGEST_STACK: usize = 64 << 30;

/// Runs `work`, which makes a solver recurse to `depth`, on a stack that is large enough. `None` if
/// the stack cannot be allocated.
///
/// The stack is only reserved: pages that are not touched cost nothing. A thread costs about 30 µs.
pub fn on_stack<R: Send>(depth: u32, work: impl FnOnce() -> R + Send) -> Option<R> {
    if depth <= SHALLOW {
        return Some(work());
    }
    let bytes = (depth as usize).saturating_mul(BYTES_PER_LEVEL).saturating_add(16 << 20);
    if bytes > LARGEST_STACK {
        return None;
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work).ok()?;
        match thread.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
