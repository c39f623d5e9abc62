//! Names of the source for the places and variables of a prepared program.
//!
//! A loop is named by its function and its number there, in the order of the text, from 1. A
//! variable has its own name in its own function; elsewhere its function is part of the name, as in
//! `main::i`. Static variables and variables that hold memory have the names of their regions or
//! objects. If several values of one variable are live, one has the bare name: the one that the
//! block receives as a parameter, which is the current value at a loop head. The others are
//! numbered from 2: `i#2`.
//!
//! *Limits.* A value without a name of the source has none here either. If a function is inlined
//! several times, its copies share their names.

use crate::transform::BackTranslator;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{Block, Function, Program, Region};
use rustc_hash::FxHashMap;
use terms::{Representation, Term};
use views::blocks::{FRAME, Moment, Origin, RESULT, VariableData};

/// A program as lowered, with its prepared form.
pub(crate) struct Places<'p> {
    lowered: &'p Program,
    prepared: &'p Program,
    back: &'p BackTranslator,
    /// The loops of the lowered functions in which the prepared program has loops.
    loops: FxHashMap<Function, Loops>,
}

/// The loops of a function.
struct Loops {
    forest: LoopForest,
    /// The heads in the order of the text.
    heads: Vec<Block>,
}

/// The place of a block in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The name of the function.
    pub(crate) function: String,
    /// The position of the function in the program.
    pub(crate) position: Function,
    /// The number of the loop that the block is the head of, if it is one.
    pub(crate) number: Option<usize>,
}

/// A variable of a state with its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    pub(crate) symbol: Term,
    pub(crate) representation: Representation,
    /// The name at this place.
    pub(crate) name: String,
    /// The name at any place.
    pub(crate) qualified: String,
}

impl<'p> Places<'p> {
    /// `back` leads from `prepared` to `lowered`.
    pub(crate) fn new(lowered: &'p Program, prepared: &'p Program, back: &'p BackTranslator) -> Self {
        Places { lowered, prepared, back, loops: FxHashMap::default() }
    }

    /// Returns the place of a block of the prepared entry function, which is the head of a loop if
    /// `is_head`; `None` if it has no origin.
    pub(crate) fn of(&mut self, block: Block, is_head: bool) -> Option<Place> {
        let (function, block) = self.back.block(self.prepared.entry, block)?;
        let data = self.lowered.functions.get(function)?;
        let number = is_head.then(|| {
            let loops = self.loops.entry(function).or_insert_with(|| {
                let forest = LoopForest::new(&ControlFlow::new(data));
                let mut heads: Vec<Block> = forest.loops().values().map(|data| data.head).collect();
                heads.sort_by_key(|&head| (data.blocks[head].span.lo, head));
                Loops { forest, heads }
            });
            // Passes may have replaced the head by another block of the loop.
            let head = loops.forest.data(loops.forest.innermost(block)?).head;
            Some(loops.heads.iter().position(|&other| other == head)? + 1)
        });
        Some(Place { function: data.name.clone(), position: function, number: number.flatten() })
    }

    /// Names the variables of the state at the start of `block`, each with its symbol. `place` is
    /// the place of the block.
    pub(crate) fn variables<'v>(
        &self,
        place: &Place,
        block: Block,
        state: impl Iterator<Item = (&'v VariableData, Term)>,
    ) -> Vec<Named> {
        let entry = &self.prepared.functions[self.prepared.entry];
        let parameters = &entry.blocks[block].parameters;
        let mut named = Vec::new();
        for (variable, symbol) in state.filter(|(variable, _)| variable.moment == Moment::Now) {
            let Some((owner, name)) = self.name(variable.origin) else { continue };
            let is_current = matches!(variable.origin, Origin::Value(value) if parameters.contains(&value));
            let qualified = match owner {
                Some(owner) => format!("{}::{name}", self.lowered.functions[owner].name),
                None => name.clone(),
            };
            let name =
                if owner.is_none_or(|owner| owner == place.position) { name } else { qualified.clone() };
            let representation = variable.representation;
            named.push((is_current, Named { symbol, representation, name, qualified }));
        }
        named.sort_by_key(|&(is_current, _)| !is_current);
        let mut named: Vec<Named> = named.into_iter().map(|(_, named)| named).collect();
        number(&mut named, |named| &mut named.name);
        number(&mut named, |named| &mut named.qualified);
        named
    }

    /// Returns the name of an entity, and its function if it belongs to one.
    fn name(&self, origin: Origin) -> Option<(Option<Function>, String)> {
        match origin {
            Origin::Value(RESULT | FRAME) | Origin::HeapPointer(_) => None,
            Origin::Value(value) => {
                let entry = self.prepared.entry;
                let name = self.prepared.functions[entry].values[value].name.clone()?;
                let owner = self.back.value(entry, value).map(|(function, _)| function);
                Some((owner.filter(|_| !name.contains("::")), name))
            }
            Origin::Region(region) => Some((None, self.region(region))),
        }
    }

    fn region(&self, region: Region) -> String {
        let mut objects = self.prepared.objects.values().filter(|object| object.regions == [region]);
        match (objects.next(), objects.next()) {
            (Some(object), None) => object.name.clone(),
            _ => self.prepared.regions[region].name.clone(),
        }
    }
}

/// Numbers repeated names from 2. A name of the source has no `#`, so the result is unique.
fn number(named: &mut [Named], name: impl Fn(&mut Named) -> &mut String) {
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for entry in named {
        let name = name(entry);
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *name = format!("{name}#{count}");
        }
    }
}
