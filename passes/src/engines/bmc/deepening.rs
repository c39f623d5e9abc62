//! Iterative deepening, with a bound for each loop and each recursive function.
//!
//! A place starts with the first bound of the [`Schedule`], or a larger one of the [`Config`]: a
//! step covers all smaller bounds. After a step, only the places at which a feasible execution was
//! cut off get a larger bound, each the next one of the schedule after its own: a loop that no
//! execution leaves through its bound costs nothing, however deep the others are. Iterations that
//! constants decide do not count, up to [`Schedule::free`]. Whether a cut-off is feasible is known
//! from the pruning of the frontier (`forward`); an undecided one counts as feasible.
//!
//! Places of the prepared program correspond to places of the program as lowered, from which they
//! have their names: `function.line` for a loop, `function` for a recursion. A pass may copy a
//! loop; the copies have the same name, and each has its own bound.

use super::{Config, Programs, Schedule};
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{Program, Span};
use std::collections::BTreeMap;
use views::unroll::{Bound, Bounds, FrontierItem, Place};

/// The state of the deepening.
pub(super) struct Deepening<'s> {
    schedule: &'s Schedule,
    bounds: Bounds,
}

impl<'s> Deepening<'s> {
    /// Starts with the first bound of the schedule, or a larger one that [`Config::start`] has. The
    /// places in [`Config::fixed`] have the bounds given there.
    pub(super) fn new(config: &'s Config, programs: Programs<'_>) -> Self {
        let Config { schedule, fixed, start, .. } = config;
        let mut bounds = Bounds { default: schedule.first, at: BTreeMap::new(), free: schedule.free };
        if !(fixed.is_empty() && start.is_empty()) {
            for place in places(programs.prepared) {
                let Some(lowered) = programs.lowered(place) else { continue };
                let fixed = fixed.get(&lowered).map(|&bound| Bound::Exact(bound));
                let start = start.get(&lowered).filter(|&&bound| bound > schedule.first);
                let start = start.map(|&bound| Bound::Counted(bound.min(schedule.largest.unwrap_or(bound))));
                bounds.at.extend(fixed.or(start).map(|bound| (place, bound)));
            }
        }
        Deepening { schedule, bounds }
    }

    /// Returns the current bounds.
    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns the largest bound of a place whose bound is not fixed.
    pub(super) fn largest(&self) -> u32 {
        let counted = self.bounds.at.values().filter_map(|bound| match bound {
            Bound::Counted(visits) => Some(*visits),
            Bound::Exact(_) => None,
        });
        counted.fold(self.bounds.default, u32::max)
    }

    /// Whether no bound can be raised.
    pub(super) fn is_last(&self) -> bool {
        self.schedule.next(self.bounds.default).is_none()
    }

    /// Raises the bounds of the places at which `frontier` was cut off; returns whether there was
    /// one to raise.
    pub(super) fn raise(&mut self, frontier: &[FrontierItem]) -> bool {
        let mut reached: BTreeMap<Place, u32> = BTreeMap::new();
        for (place, visits) in frontier.iter().filter_map(|item| item.cause) {
            let most = reached.entry(place).or_insert(visits);
            *most = visits.max(*most);
        }
        let mut is_raised = false;
        for (place, visits) in reached {
            if matches!(self.bounds.at.get(&place), Some(Bound::Exact(_))) {
                continue;
            }
            if let Some(next) = self.schedule.next(visits.max(self.bounds.of(place))) {
                self.bounds.at.insert(place, Bound::Counted(next));
                is_raised = true;
            }
        }
        is_raised
    }
}

/// All loops of the program, and its functions as recursions.
fn places(program: &Program) -> Vec<Place> {
    let mut places = Vec::new();
    for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined()) {
        places.push(Place::Recursion(function));
        let loops = LoopForest::new(&ControlFlow::new(data));
        places.extend(loops.loops().values().map(|data| Place::Loop(function, data.head)));
    }
    places
}

impl Programs<'_> {
    /// The place in the program as lowered from which `place` comes.
    fn lowered(&self, place: Place) -> Option<Place> {
        let function = place.function();
        let block = match place {
            Place::Loop(_, head) => head,
            Place::Recursion(_) => self.prepared.functions[function].entry,
        };
        let (function, block) = self.origin.block(function, block)?;
        Some(match place {
            Place::Loop(..) => Place::Loop(function, self.original.source_loop(function, block).0),
            Place::Recursion(_) => Place::Recursion(function),
        })
    }

    /// The name of a place, see [`place_name`].
    pub(super) fn name(&self, place: Place, line: &dyn Fn(Span) -> Option<u32>) -> String {
        match self.lowered(place) {
            Some(lowered) => place_name(self.original, lowered, line),
            None => place.to_string(),
        }
    }
}

/// Returns the name of a place of a program as lowered: `function.line` for a loop, `function` for
/// a recursion. `line` returns the line of a span.
pub fn place_name(program: &Program, place: Place, line: &dyn Fn(Span) -> Option<u32>) -> String {
    let function = &program.functions[place.function()].name;
    let Place::Loop(of, head) = place else { return function.clone() };
    let (head, statement) = program.source_loop(of, head);
    let span = statement.map_or(program.functions[of].blocks[head].span, |statement| statement.span);
    match line(span) {
        Some(line) => format!("{function}.{line}"),
        None => format!("{function}.{head}"),
    }
}
