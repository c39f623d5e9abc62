//! Lemmas from interpolants.
//!
//! If a cube is blocked at level i, there is a formula over its symbols that holds of all states
//! that the clauses derive from the frames of level i - 1, and of no state of the cube. The
//! conjuncts of such an interpolant are candidates for lemmas. A lemma that is the negation of a
//! cube has only literals of projections; an interpolant also has sums of inequalities of the
//! clauses, so it can relate arguments that no literal relates.
//!
//! Source: Hoder, Bjørner, *Generalized Property Directed Reachability*, SAT 2012, §4.
//!
//! # Cost
//! A refutation in a new prover for each blocked cube. Once they have taken more than a third of
//! the effort of the search, cubes are left as they are.
//!
//! # Limits
//! Only cubes that relate numbers: interpolants of bit vectors and arrays are seldom more general
//! than the cube.

use super::frames::Frames;
use backends::effort::Moment;
use backends::interpolation::{Interpolants, Interpolator, Problem};
use horn::Relation;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Duration;
use terms::entity::PrimaryMap;
use terms::{Representation, Sort, Term, TermPool};

/// The part of the effort of a search that interpolation may take.
const SHARE: u32 = 3;
/// The effort before the share matters.
const FREE: Duration = Duration::from_millis(100);
/// The effort of one problem.
const EACH: Duration = Duration::from_millis(300);

/// A source of lemmas.
pub(super) struct Interpolation {
    source: Box<dyn Interpolator>,
    start: Moment,
    spent: Duration,
    /// Copies of the symbols of each relation, for the conclusions of its clauses.
    copies: PrimaryMap<Relation, Vec<Term>>,
}

impl Interpolation {
    pub(super) fn new(source: Box<dyn Interpolator>) -> Self {
        Interpolation { source, start: Moment::now(), spent: Duration::ZERO, copies: PrimaryMap::new() }
    }

    /// Formulas over the symbols of `relation` that are likely to hold at `level`, and exclude
    /// `cube` if they do.
    pub(super) fn candidates(
        &mut self,
        pool: &mut TermPool,
        frames: &Frames<'_>,
        (relation, cube): (Relation, &[Term]),
        level: usize,
    ) -> Vec<Term> {
        let is_spent = self.spent > FREE && self.spent * SHARE > self.start.elapsed();
        if is_spent || !relates_numbers(pool, cube) {
            return Vec::new();
        }
        let before = Moment::now();
        let found = self.interpolate(pool, frames, (relation, cube), level);
        self.spent += before.elapsed();
        found
    }

    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        frames: &Frames<'_>,
        (relation, cube): (Relation, &[Term]),
        level: usize,
    ) -> Vec<Term> {
        self.make_copies(pool, frames);
        let symbols = frames.system.relations[relation].symbols();
        let copies: FxHashMap<Term, Term> = symbols.zip(self.copies[relation].iter().copied()).collect();
        let occurring = pool.free_symbols_of(cube);
        let occurring: Vec<Term> = occurring.into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
        let pairs: Vec<(Term, Term)> = occurring.iter().map(|&symbol| (symbol, copies[&symbol])).collect();
        let derived = derived(pool, frames, relation, &pairs, level);
        let cube: Vec<Term> = cube.iter().map(|&literal| renamed(pool, literal, &copies)).collect();
        let problem = Problem::binary(vec![derived], cube);
        let limits = frames.limits.within(EACH);
        let Interpolants::Found(found) = self.source.interpolate(pool, &problem, &limits) else {
            return Vec::new();
        };
        let back = pairs.into_iter().map(|(symbol, copy)| (copy, symbol)).collect();
        let found: Vec<Term> = found.into_iter().map(|formula| renamed(pool, formula, &back)).collect();
        pool.conjuncts(&found)
    }

    fn make_copies(&mut self, pool: &mut TermPool, frames: &Frames<'_>) {
        for (relation, data) in frames.system.relations.iter() {
            if self.copies.get(relation).is_some() {
                continue;
            }
            let copies = data.arguments.iter().map(|argument| {
                let sort = pool.sort(argument.symbol);
                pool.fresh_symbol(&argument.name, sort, Representation::default())
            });
            let copies = copies.collect();
            self.copies.push(copies);
        }
    }
}

/// That the second symbols of `pairs` have the values that a clause derives for the first from the
/// frames of `level - 1`.
fn derived(
    pool: &mut TermPool,
    frames: &Frames<'_>,
    relation: Relation,
    pairs: &[(Term, Term)],
    level: usize,
) -> Term {
    let system = Rc::clone(&frames.system);
    let mut ways = Vec::new();
    for clause in frames.clauses_of(Some(relation)) {
        let data = &system.clauses[clause];
        // No state has a derivation of height 0.
        if level == 1 && !data.body.is_empty() {
            continue;
        }
        let mut conjuncts = vec![data.guard];
        for (index, atom) in data.body.iter().enumerate() {
            let lemmas = frames.lemmas[atom.relation].iter().filter(|lemma| lemma.level >= level - 1);
            let formulas: Vec<Term> =
                lemmas.map(|lemma| lemma.formula).chain(frames.known(atom.relation)).collect();
            for formula in formulas {
                conjuncts.push(data.at_body(pool, &system, index, formula));
            }
        }
        for &(symbol, copy) in pairs {
            let value = data.at_head(pool, symbol);
            conjuncts.push(pool.eq(copy, value));
        }
        ways.push(pool.and(&conjuncts));
    }
    pool.or(&ways)
}

/// Whether the cube has several numbers, and nothing else that is not Boolean.
fn relates_numbers(pool: &TermPool, cube: &[Term]) -> bool {
    let (mut numbers, mut is_plain) = (0, true);
    for symbol in pool.free_symbols_of(cube) {
        match pool.symbol_data(symbol).sort {
            Sort::Int | Sort::Real => numbers += 1,
            Sort::Bool => {}
            _ => is_plain = false,
        }
    }
    is_plain && numbers > 1
}

fn renamed(pool: &mut TermPool, formula: Term, images: &FxHashMap<Term, Term>) -> Term {
    pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
}
