//! Formulas of other runs as predicates or as candidates of invariants, and the own predicates for
//! the others.
//!
//! See [`exchange`](crate::exchange). With an abstraction, what arrives is a predicate of the
//! precision: of the initial state before the exploration, and later of the states that a
//! refinement explores again. Without one, as in Impact, it is a candidate of an invariant: the
//! [injector](super::injection) proves it and adds it to the abstraction formulas. The atoms of the
//! facts that refute counterexamples are sent.
//!
//! *Limits.* A Boolean abstraction over n predicates has up to 2ⁿ cubes, so at most [`MOST`]
//! predicates of others are tracked at a location: first those that the others have proved, and
//! those that relate variables.

use super::algorithm::Analysis;
use super::config::{Abstraction, Candidates};
use super::injected::Candidate;
use super::injection::Injector;
use super::solving::Failure;
use crate::exchange::{Fate, Link, Received, Sender, Status};
use crate::names::{Named, Place, Places, SavedPredicate, SavedScope, Variables, all_names};
use program::ssa::Block;
use rustc_hash::FxHashSet;
use terms::Term;
use views::paths::Location;

/// The largest number of predicates of others at a location.
const MOST: usize = 12;
/// The largest number of formulas that are candidates of invariants.
const MOST_CANDIDATES: usize = 300;
/// The largest number of atoms that are sent.
const MOST_SENT: usize = 2_000;

/// The exchange of an analysis.
pub(super) struct Sharing {
    link: Link,
    /// The locations with the names of their variables.
    locations: Vec<NamedLocation>,
    /// The formulas of others, and those that were sent.
    common: FxHashSet<(Block, Term)>,
    /// The candidates of invariants that are not proved.
    open: Vec<(Sender, Block, Term)>,
}

struct NamedLocation {
    block: Block,
    place: Place,
    named: Vec<Named>,
    variables: Variables,
    /// The number of predicates of others.
    tracked: usize,
}

/// The result of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Candidates of invariants, for an injector.
    Candidates,
    /// None.
    Other,
}

impl Sharing {
    /// The exchange over `link`, if it is open.
    pub(super) fn new(analysis: &mut Analysis<'_, '_>, places: &mut Places<'_>, link: &Link) -> Option<Self> {
        if !link.is_open() {
            return None;
        }
        let mut locations = Vec::new();
        for block in analysis.locations() {
            // Without an encoding of its state, a location has no predicates.
            if let Ok(Some((place, named))) = analysis.named(places, block) {
                let variables = all_names(named.clone());
                locations.push(NamedLocation { block, place, named, variables, tracked: 0 });
            }
        }
        analysis.shared.open();
        Some(Sharing { link: link.clone(), locations, common: FxHashSet::default(), open: Vec::new() })
    }

    /// Sends what is new, and receives what others have sent.
    pub(super) fn turn(&mut self, analysis: &mut Analysis<'_, '_>) -> Result<Turn, Failure> {
        self.send(analysis);
        let received = self.link.receive();
        if received.is_empty() {
            return Ok(Turn::Other);
        }
        match analysis.config.abstraction {
            Abstraction::None => Ok(self.propose(analysis, &received)),
            Abstraction::Boolean | Abstraction::Cartesian => {
                self.track(analysis, &received)?;
                Ok(Turn::Other)
            }
        }
    }

    /// Makes the predicates that were received before the exploration those of the initial state.
    pub(super) fn start(&mut self, analysis: &mut Analysis<'_, '_>) -> Result<(), Failure> {
        if analysis.config.abstraction == Abstraction::None {
            return Ok(());
        }
        self.turn(analysis)?;
        let root = analysis.root();
        let mut precision = analysis.arg[root].precision.clone();
        analysis.shared.extend(&mut precision);
        analysis.arg[root].precision = precision;
        Ok(())
    }

    fn send(&mut self, analysis: &mut Analysis<'_, '_>) {
        let news = analysis.shared.take_news();
        let reader = self.link.reader();
        let mut named = Vec::new();
        for (block, atom) in news {
            if self.common.len() >= MOST_SENT || !self.common.insert((block, atom)) {
                continue;
            }
            let location = self.locations.iter().find(|location| location.block == block);
            named.extend(location.and_then(|NamedLocation { place, named, .. }| {
                SavedPredicate::printed(analysis.pool, named, &SavedScope::of(place), atom, reader)
            }));
        }
        if !named.is_empty() {
            self.link.send(Status::PathLocal, named);
        }
    }

    /// The formulas of what was received at the locations in its scope.
    fn formulas<'r>(
        &mut self,
        analysis: &mut Analysis<'_, '_>,
        received: &'r [Received],
    ) -> Vec<(&'r Received, usize, Term)> {
        let mut found = Vec::new();
        for one in received {
            let before = found.len();
            for (index, location) in self.locations.iter().enumerate() {
                if one.fact.scope.has(&location.place)
                    && let Ok(formula) =
                        one.fact.formula(analysis.pool, &location.variables, self.link.reader())
                    && analysis.pool.as_bool(formula).is_none()
                {
                    found.push((one, index, formula));
                }
            }
            if found.len() == before {
                self.link.note(one.from, Fate::Skipped);
            }
        }
        found
    }

    fn track(&mut self, analysis: &mut Analysis<'_, '_>, received: &[Received]) -> Result<(), Failure> {
        let mut found = self.formulas(analysis, received);
        found.sort_by_key(|&(one, _, formula)| (one.status, analysis.pool.free_symbols(formula).len() < 2));
        for (one, index, formula) in found {
            let location = &mut self.locations[index];
            if location.tracked >= MOST || !self.common.insert((location.block, formula)) {
                continue;
            }
            if let Some(predicate) = analysis.predicate(formula)? {
                location.tracked += 1;
                analysis.shared.predicates.push((Location::Block(location.block), predicate));
                self.link.note(one.from, Fate::Tracked);
            }
        }
        Ok(())
    }

    fn propose(&mut self, analysis: &mut Analysis<'_, '_>, received: &[Received]) -> Turn {
        let mut turn = Turn::Other;
        for (one, index, formula) in self.formulas(analysis, received) {
            let block = self.locations[index].block;
            if self.open.len() >= MOST_CANDIDATES || !self.common.insert((block, formula)) {
                continue;
            }
            self.open.push((one.from, block, formula));
            analysis.injected.propose(Candidate { source: Candidates::Interpolants, block, formula });
            turn = Turn::Candidates;
        }
        turn
    }

    /// Counts the candidates that the analysis knows as facts now.
    pub(super) fn count(&mut self, analysis: &mut Analysis<'_, '_>) {
        let link = &self.link;
        self.open.retain(|&(from, block, formula)| {
            let conjuncts = analysis.pool.conjuncts(&[formula]);
            let facts = analysis.injected.at(block);
            let is_proved = conjuncts.iter().all(|conjunct| facts.contains(conjunct));
            if is_proved {
                link.note(from, Fate::Proved);
            }
            !is_proved
        });
    }
}

/// Lets the exchange take a turn. `injector` checks candidates; `make` makes one for the first.
pub(super) fn turn<'i>(
    sharing: &mut Option<Sharing>,
    analysis: &mut Analysis<'_, '_>,
    injector: &mut Option<Injector<'i>>,
    make: impl FnOnce(&mut Analysis<'_, '_>) -> Option<Injector<'i>>,
) -> Result<(), Failure> {
    if let Some(sharing) = sharing
        && sharing.turn(analysis)? == Turn::Candidates
        && injector.is_none()
    {
        *injector = make(analysis);
    }
    if let Some(injector) = injector {
        injector.turn(analysis)?;
        if let Some(sharing) = sharing {
            sharing.count(analysis);
        }
    }
    Ok(())
}
