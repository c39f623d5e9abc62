//! Maps entities of a transformed program back to the original program.

use program::interp::InputSite;
use program::ssa::{Block, Function, Object, Region, Value};
use rustc_hash::FxHashMap;
use terms::entity::{Entity, SecondaryMap};

/// Maps entities of a transformed program to entities of the program before the transformation.
///
/// `None` means that a pass created the entity: it has no counterpart in the older program.
/// Translators compose by [`BackTranslator::then`]; a lookup costs one table access for each pass.
#[derive(Clone, Debug, Default)]
pub struct BackTranslator {
    /// The passes, in execution order.
    steps: Vec<Step>,
}

/// The changes of one pass. An absent table means identity.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// For each function of the new program, the origin of its blocks and values.
    pub functions: SecondaryMap<Function, Option<FunctionOrigin>>,
    /// The origin of each region.
    pub regions: Option<Vec<Option<Region>>>,
    /// The origin of each object.
    pub objects: Option<Vec<Option<Object>>>,
    /// The objects that hold a part of the contents of an older object.
    pub parts: FxHashMap<Object, Part>,
}

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The object.
    pub of: Object,
    /// The offset of the part in the object, in bytes.
    pub offset: u64,
}

/// The origin of the blocks and values of one function.
#[derive(Clone, Debug, Default)]
pub struct FunctionOrigin {
    /// By index of the new block.
    pub blocks: Vec<Option<(Function, Block)>>,
    /// By index of the new value.
    pub values: Vec<Option<(Function, Value)>>,
}

impl FunctionOrigin {
    /// Every entity of `function` with `blocks` blocks and `values` values comes from itself.
    #[must_use]
    pub fn identity(function: Function, blocks: usize, values: usize) -> Self {
        FunctionOrigin {
            blocks: (0..blocks).map(|index| Some((function, Block::new(index)))).collect(),
            values: (0..values).map(|index| Some((function, Value::new(index)))).collect(),
        }
    }
}

impl BackTranslator {
    /// The translator of a pass that changes nothing.
    #[must_use]
    pub fn identity() -> Self {
        Self::default()
    }

    /// The translator of one pass.
    #[must_use]
    pub fn from_step(step: Step) -> Self {
        BackTranslator { steps: vec![step] }
    }

    /// The translator of a pass that changed one function.
    #[must_use]
    pub fn from_function(function: Function, origin: FunctionOrigin) -> Self {
        let mut step = Step::default();
        step.functions[function] = Some(origin);
        Self::from_step(step)
    }

    /// The translator of this pass followed by the pass of `later`.
    #[must_use]
    pub fn then(mut self, later: BackTranslator) -> Self {
        self.steps.extend(later.steps);
        self
    }

    /// The origin of a value.
    #[must_use]
    pub fn value(&self, function: Function, value: Value) -> Option<(Function, Value)> {
        self.steps.iter().rev().try_fold((function, value), |(function, value), step| {
            match &step.functions[function] {
                Some(origin) => origin.values.get(value.index()).copied().flatten(),
                None => Some((function, value)),
            }
        })
    }

    /// The origin of a block.
    #[must_use]
    pub fn block(&self, function: Function, block: Block) -> Option<(Function, Block)> {
        self.steps.iter().rev().try_fold((function, block), |(function, block), step| {
            match &step.functions[function] {
                Some(origin) => origin.blocks.get(block.index()).copied().flatten(),
                None => Some((function, block)),
            }
        })
    }

    /// The origin of a region.
    #[must_use]
    pub fn region(&self, region: Region) -> Option<Region> {
        self.steps.iter().rev().try_fold(region, |region, step| match &step.regions {
            Some(origins) => origins.get(region.index()).copied().flatten(),
            None => Some(region),
        })
    }

    /// The origin of an input site.
    #[must_use]
    pub fn site(&self, site: InputSite) -> Option<InputSite> {
        Some(match site {
            InputSite::Value(function, value) => {
                let (function, value) = self.value(function, value)?;
                InputSite::Value(function, value)
            }
            InputSite::Block(function, value) => {
                let (function, value) = self.value(function, value)?;
                InputSite::Block(function, value)
            }
            InputSite::BlockContents(function, value) => {
                let (function, value) = self.value(function, value)?;
                InputSite::BlockContents(function, value)
            }
            InputSite::Address(object) => InputSite::Address(self.object(object)?),
            InputSite::Contents(object) => InputSite::Contents(self.contents(object)?.0),
        })
    }

    /// The older object whose contents an object holds, and the offset in it.
    #[must_use]
    pub fn contents(&self, object: Object) -> Option<(Object, u64)> {
        self.steps.iter().rev().try_fold((object, 0), |(object, offset), step| {
            if let Some(part) = step.parts.get(&object) {
                return Some((part.of, part.offset + offset));
            }
            match &step.objects {
                Some(origins) => Some((origins.get(object.index()).copied().flatten()?, offset)),
                None => Some((object, offset)),
            }
        })
    }

    /// The origin of an object.
    #[must_use]
    pub fn object(&self, object: Object) -> Option<Object> {
        self.steps.iter().rev().try_fold(object, |object, step| match &step.objects {
            Some(origins) => origins.get(object.index()).copied().flatten(),
            None => Some(object),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_steps_are_undone_first() {
        let function = Function(0);
        let first = FunctionOrigin { blocks: vec![Some((function, Block(7)))], values: vec![None] };
        let second = FunctionOrigin {
            blocks: vec![None, Some((function, Block(0)))],
            values: vec![Some((function, Value(0))), None],
        };
        let back = BackTranslator::from_function(function, first)
            .then(BackTranslator::from_function(function, second));
        assert_eq!(back.block(function, Block(1)), Some((function, Block(7))));
        assert_eq!(back.block(function, Block(0)), None);
        assert_eq!(back.value(function, Value(0)), None);
        assert_eq!(back.block(Function(3), Block(5)), Some((Function(3), Block(5))));
    }
}
