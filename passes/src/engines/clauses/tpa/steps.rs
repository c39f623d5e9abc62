//! The states and steps of a system with one relation.

use horn::{ClauseData, System};
use rustc_hash::FxHashMap;
use terms::{Op, Representation, Term, TermPool};

/// A place in a sequence of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frame {
    First,
    Middle,
    Last,
}

/// A linear system with one relation as a transition system.
pub(super) struct Steps {
    /// The symbols of the states in each frame; those of the first are the relation's.
    symbols: [Vec<Term>; 3],
    /// The states that are facts, over the first frame.
    pub(super) initial: Term,
    /// The steps, over the first and the last frame.
    pub(super) step: Term,
    /// The states of which a query holds, over the first frame.
    pub(super) bad: Term,
    /// The inner symbols of the step, and their copies for a second step.
    inner: Vec<(Term, Term)>,
}

impl Steps {
    /// `None` if the system is not of this kind. Queries without a body have no states.
    pub(super) fn of(pool: &mut TermPool, system: &System) -> Option<Self> {
        if system.relations.len() > 1 || !system.is_linear() {
            return None;
        }
        let first: Vec<Term> = system.relations.values().flat_map(|relation| relation.symbols()).collect();
        let copies = |pool: &mut TermPool| first.iter().map(|&symbol| copy(pool, symbol)).collect();
        let (middle, last) = (copies(pool), copies(pool));
        let mut steps = Steps {
            symbols: [first, middle, last],
            initial: pool.fls(),
            step: pool.fls(),
            bad: pool.fls(),
            inner: Vec::new(),
        };
        for clause in system.clauses.values() {
            let formula = steps.clause(pool, clause);
            let part = match (clause.body.is_empty(), clause.head.is_none()) {
                (true, true) => continue,
                (true, false) => &mut steps.initial,
                (false, false) => &mut steps.step,
                (false, true) => &mut steps.bad,
            };
            *part = pool.or2(*part, formula);
        }
        Some(steps)
    }

    /// The constraint of a clause with own inner symbols. A fact is over the first frame.
    fn clause(&mut self, pool: &mut TermPool, clause: &ClauseData) -> Term {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for &symbol in &clause.inner {
            let image = copy(pool, symbol);
            images.insert(symbol, image);
            if !clause.body.is_empty() && clause.head.is_some() {
                let second = copy(pool, symbol);
                self.inner.push((image, second));
            }
        }
        let mut conjuncts = Vec::new();
        if clause.head.is_some() {
            let target = if clause.body.is_empty() { Frame::First } else { Frame::Last };
            let [own, targets] = [Frame::First, target].map(|frame| self.symbols(frame));
            for (symbol, &target) in own.iter().zip(targets) {
                match clause.updates.get(symbol) {
                    Some(update) => {
                        images.insert(update.after, target);
                    }
                    None => conjuncts.push(pool.eq(*symbol, target)),
                }
            }
        }
        conjuncts.push(renamed(pool, clause.constraint, &images));
        pool.and(&conjuncts)
    }

    /// The symbols of the states in a frame.
    pub(super) fn symbols(&self, frame: Frame) -> &[Term] {
        &self.symbols[frame as usize]
    }

    /// A formula over the first frame, over another one.
    pub(super) fn at(&self, pool: &mut TermPool, formula: Term, frame: Frame) -> Term {
        let images = self.pairs(Frame::First, frame).collect();
        renamed(pool, formula, &images)
    }

    /// A formula over a frame, over the first one.
    pub(super) fn of_states(&self, pool: &mut TermPool, formula: Term, frame: Frame) -> Term {
        let images = self.pairs(frame, Frame::First).collect();
        renamed(pool, formula, &images)
    }

    /// A formula over the first and the last frame, over others.
    pub(super) fn between(&self, pool: &mut TermPool, formula: Term, from: Frame, to: Frame) -> Term {
        let mut images: FxHashMap<Term, Term> =
            self.pairs(Frame::First, from).chain(self.pairs(Frame::Last, to)).collect();
        if from == Frame::Middle {
            images.extend(self.inner.iter().copied());
        }
        renamed(pool, formula, &images)
    }

    /// That the first and the last state are the same.
    pub(super) fn same(&self, pool: &mut TermPool) -> Term {
        let equations: Vec<Term> =
            self.pairs(Frame::First, Frame::Last).map(|(first, last)| pool.eq(first, last)).collect();
        pool.and(&equations)
    }

    fn pairs(&self, from: Frame, to: Frame) -> impl Iterator<Item = (Term, Term)> {
        self.symbols(from).iter().copied().zip(self.symbols(to).iter().copied())
    }
}

fn renamed(pool: &mut TermPool, formula: Term, images: &FxHashMap<Term, Term>) -> Term {
    pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
}

/// A fresh symbol of the same sort.
fn copy(pool: &mut TermPool, symbol: Term) -> Term {
    let (name, representation) = match pool.op(symbol) {
        Op::Symbol(id) => {
            let data = pool.symbol_data(id);
            (data.name.clone(), data.representation)
        }
        _ => (String::new(), Representation::default()),
    };
    let sort = pool.sort(symbol);
    pool.fresh_symbol(&name, sort, representation)
}
