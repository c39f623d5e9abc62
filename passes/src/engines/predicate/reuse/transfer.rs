//! Reading a saved precision into an analysis, and saving the precision of one.

use super::Reuse;
use crate::engines::predicate::abstraction::Predicate;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::arg::{Kind, Node};
use crate::engines::predicate::config::{Refinement, Scope};
use crate::engines::predicate::precision::Precision;
use crate::engines::predicate::solving::Failure;
use crate::names::{
    FormulaReader, Mismatch, Named, Place, Places, SavedPrecision, SavedPredicate, SavedScope, all_names,
};
use backends::symbolic::atoms;
use program::ssa::{Block, Function};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use terms::Term;
use views::BlockOperator;
use views::paths::Location;

/// The position of a scope in a saved precision: loops by function and number, then functions, then
/// the program.
type Position = (u8, usize, usize);

impl Analysis<'_, '_> {
    /// Makes the predicates of a saved precision that of the initial state. A predicate is skipped
    /// if its variables do not all exist at one location of its scope.
    pub(in crate::engines::predicate) fn seed(
        &mut self,
        places: &mut Places<'_>,
        reuse: &Reuse,
    ) -> Result<(), Failure> {
        let saved = &reuse.initial;
        if saved.predicates.is_empty() {
            return Ok(());
        }
        let mut precision = Precision::default();
        // For each predicate: `None` if it is used, otherwise why it does not apply where it
        // should.
        let mut skipped: Vec<Option<Option<Mismatch>>> = vec![Some(None); saved.predicates.len()];
        for block in self.locations() {
            let Some((place, named)) = self.named(places, block)? else { continue };
            let variables = all_names(named);
            for (predicate, skipped) in saved.predicates.iter().zip(&mut skipped) {
                if !predicate.scope.has(&place) {
                    continue;
                }
                match predicate.formula(self.pool, &variables, reuse.reader) {
                    Ok(formula) => {
                        *skipped = None;
                        if let Some(predicate) = self.predicate(formula)? {
                            precision.insert(Scope::Location, Location::Block(block), None, predicate);
                        }
                    }
                    Err(reason) => {
                        if let Some(known) = skipped {
                            known.get_or_insert(reason);
                        }
                    }
                }
            }
        }
        let skipped: Vec<String> = saved
            .predicates
            .iter()
            .zip(skipped)
            .filter_map(|(predicate, skipped)| Some(reason(predicate, skipped?)))
            .collect();
        for predicate in &skipped {
            tracing::info!(predicate, "skipped");
        }
        let statistics = &mut self.solver.statistics.reuse;
        statistics.read = saved.predicates.len() as u64;
        statistics.skipped = skipped.len() as u64;
        statistics.skipped_predicates = skipped;
        let root = self.root();
        self.arg[root].precision = precision;
        Ok(())
    }

    /// The state at the start of the program.
    pub(in crate::engines::predicate) fn root(&self) -> Node {
        self.arg.nodes().next().expect("there is an initial state").0
    }

    /// The blocks of the program at which an abstraction may be computed.
    pub(in crate::engines::predicate) fn locations(&self) -> Vec<Block> {
        let paths = &self.formulas.paths;
        let order = paths.loops().order().iter().copied();
        match self.config.blk {
            BlockOperator::L => order.filter(|&block| paths.loops().headed_by(block).is_some()).collect(),
            _ => order.filter(|&block| block != paths.entry()).collect(),
        }
    }

    /// The place of a block and the names of the variables of its state; `None` if it has no origin
    /// in the source.
    pub(in crate::engines::predicate) fn named(
        &mut self,
        places: &mut Places<'_>,
        block: Block,
    ) -> Result<Option<(Place, Vec<Named>)>, Failure> {
        let is_head = self.formulas.paths.loops().headed_by(block).is_some();
        let Some(place) = places.of(block, is_head) else { return Ok(None) };
        let symbols = self.formulas.symbols(self.pool, block)?;
        let state = self.formulas.paths.state(self.pool, block);
        let data = state.iter().map(|&variable| self.formulas.paths.variable(variable));
        let named = places.variables(&place, block, data.zip(symbols));
        Ok(Some((place, named)))
    }

    /// Returns the precision of all states in names of the source.
    pub(in crate::engines::predicate) fn save(
        &mut self,
        places: &mut Places<'_>,
        reader: Option<FormulaReader>,
    ) -> Result<SavedPrecision, Failure> {
        let mut predicates: BTreeMap<Block, Vec<Term>> = BTreeMap::new();
        let states = self.arg.nodes().filter(|(_, data)| data.kind == Kind::Abstraction);
        let states: Vec<Node> = states.map(|(node, _)| node).collect();
        for node in states {
            let Location::Block(block) = self.arg[node].location else { continue };
            let precision = self.arg[node].precision.clone();
            let tracked: Vec<Predicate> = self.tracked(&precision, block)?;
            let own = predicates.entry(block).or_default();
            own.extend(tracked.into_iter().map(|predicate| self.abstractions.predicate_term(predicate)));
            if self.config.refinement == Refinement::Impact {
                own.extend(atoms(self.pool, self.abstractions.term(self.arg[node].formula)));
            }
        }
        let mut found: BTreeMap<Position, (SavedScope, Vec<SavedPredicate>)> = BTreeMap::new();
        let mut omitted = 0;
        for (block, formulas) in predicates {
            let Some((place, named)) = self.named(places, block)? else { continue };
            let (position, scope) = scope_of(self.config.scope, &place);
            let mut seen = FxHashSet::default();
            for formula in formulas.into_iter().filter(|formula| seen.insert(*formula)) {
                let Some(predicate) = SavedPredicate::printed(self.pool, &named, &scope, formula, reader)
                else {
                    omitted += 1;
                    continue;
                };
                let (_, own) = found.entry(position).or_insert_with(|| (scope.clone(), Vec::new()));
                if !own.contains(&predicate) {
                    own.push(predicate);
                }
            }
        }
        let predicates: Vec<SavedPredicate> = found.into_values().flat_map(|(_, own)| own).collect();
        let statistics = &mut self.solver.statistics.reuse;
        (statistics.written, statistics.omitted) = (predicates.len() as u64, omitted);
        Ok(SavedPrecision { predicates })
    }
}

/// The scope of a predicate at a place. A location that is no loop head has no name, so its
/// predicates are those of its function.
fn scope_of(scope: Scope, place: &Place) -> (Position, SavedScope) {
    let Function(position) = place.position;
    let function = || place.function.clone();
    match (scope, place.number) {
        (Scope::Location, Some(number)) => ((0, position as usize, number), SavedScope::of(place)),
        (Scope::Location | Scope::Function, _) => {
            ((1, position as usize, 0), SavedScope::Function(function()))
        }
        (Scope::Global, _) => ((2, 0, 0), SavedScope::Global),
    }
}

/// States why a predicate is skipped.
fn reason(predicate: &SavedPredicate, mismatch: Option<Mismatch>) -> String {
    let SavedPredicate { scope, text, .. } = predicate;
    match (mismatch, scope) {
        (Some(mismatch), _) => format!("`{text}` ({scope}): {mismatch}"),
        (None, SavedScope::Loop { function, number }) => {
            format!("`{text}`: there is no loop {number} in `{function}`")
        }
        (None, SavedScope::Function(function)) => {
            format!("`{text}`: there is no location in `{function}`")
        }
        (None, SavedScope::Global) => format!("`{text}`: there is no location"),
    }
}
