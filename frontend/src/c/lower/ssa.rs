//! On-the-fly construction of SSA form.
//!
//! The algorithm is that of Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau, *Simple and Efficient
//! Construction of Static Single Assignment Form*, CC 2013, Algorithms 1–4. The definition of a
//! local variable is searched backward from its use. At a join the search creates a φ (a block
//! parameter). A block whose predecessors are not yet all known is not *sealed*; it gets an
//! operandless φ, which [`Builder::seal`] completes.
//!
//! DIVERGENCE: (1) The search follows chains of single predecessors in a loop and fills φs from a
//! worklist, so its depth does not depend on the program. (2) Trivial φs (Algorithm 3) are not
//! removed one by one but all at the end, in [`Builder::finish`]. It also removes unreachable
//! blocks (whose edges would keep φs live), dead φs, and dead definitions of addresses and
//! indeterminate values. (3) Redundant sets of φs (Algorithm 5) are not removed; they only occur in
//! irreducible graphs.
//!
//! Cost: a search is linear in the number of blocks that it visits for the first time for its
//! variable; finishing is linear in the size of all terms.

use grammars::source::Span;
use program::ssa::source::{Decision, LoopKind, SourceLoop};
use program::ssa::{
    Block, BlockData, Edge, FunctionData, HavocSource, Instruction, InstructionKind, StopReason, Terminator,
    Type, Value, ValueData,
};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Term, TermPool};

/// The greatest number of values that are inspected for a definition.
const MAX_PHIS: usize = 64;

terms::entity! {
    /// A variable of the source, to be represented by SSA values.
    Variable, "var"
}

/// A source variable.
#[derive(Clone, Debug)]
pub(super) struct VariableData {
    pub(super) ty: Type,
    pub(super) name: Option<String>,
    pub(super) span: Span,
}

/// A φ under construction.
#[derive(Clone, Debug)]
struct Phi {
    block: Block,
    variable: Variable,
    /// One operand per predecessor edge of the block, once the φ is complete.
    operands: Vec<Value>,
}

/// A function under construction. There is always a current block; after a terminator it is a new,
/// unreachable block.
pub(super) struct Builder {
    blocks: PrimaryMap<Block, BlockData>,
    values: PrimaryMap<Value, ValueData>,
    variables: PrimaryMap<Variable, VariableData>,
    parameters: Vec<Value>,
    /// For each block its incoming edges: the source block and the index among its edges.
    predecessors: Vec<Vec<(Block, u32)>>,
    is_sealed: Vec<bool>,
    /// The φs of unsealed blocks.
    incomplete: Vec<Vec<Value>>,
    definitions: FxHashMap<(Variable, Block), Value>,
    phis: FxHashMap<Value, Phi>,
    /// The φs by block, in order of creation.
    block_phis: Vec<Vec<Value>>,
    pending: Vec<Value>,
    /// The values that variables have in unreachable blocks only.
    nowhere: FxHashSet<Value>,
    /// The terms of values that are defined as terms.
    terms: FxHashMap<Value, Term>,
    /// Instructions before those of the entry block: addresses and indeterminate values.
    prefix: Vec<Instruction>,
    current: Block,
    is_terminated: Vec<bool>,
    /// The source conditions of the terminators, by block.
    decisions: Vec<(Block, Decision)>,
    loops: Vec<LoopHead>,
    /// The places of the declarations of each name of the function.
    declared: FxHashMap<String, Vec<Span>>,
}

/// The head of a loop under construction.
struct LoopHead {
    block: Block,
    kind: LoopKind,
    /// The statement.
    span: Span,
    /// The place where names are looked up.
    place: Span,
}

impl Builder {
    /// Makes a function whose entry block is current and sealed.
    pub(super) fn new() -> Self {
        let mut builder = Self {
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            parameters: Vec::new(),
            predecessors: Vec::new(),
            is_sealed: Vec::new(),
            incomplete: Vec::new(),
            definitions: FxHashMap::default(),
            phis: FxHashMap::default(),
            block_phis: Vec::new(),
            pending: Vec::new(),
            nowhere: FxHashSet::default(),
            terms: FxHashMap::default(),
            prefix: Vec::new(),
            current: Block(0),
            is_terminated: Vec::new(),
            decisions: Vec::new(),
            loops: Vec::new(),
            declared: FxHashMap::default(),
        };
        let entry = builder.create_block();
        builder.is_sealed[entry.index()] = true;
        builder
    }

    /// Makes a new unsealed block.
    pub(super) fn create_block(&mut self) -> Block {
        self.predecessors.push(Vec::new());
        self.is_sealed.push(false);
        self.incomplete.push(Vec::new());
        self.block_phis.push(Vec::new());
        self.is_terminated.push(false);
        self.blocks.push(BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator: Terminator::Stop(StopReason::Unreachable),
            span: Span::NONE,
            label: None,
            call_boundary: None,
        })
    }

    /// Continues in `block`, which has no terminator yet.
    pub(super) fn switch_to(&mut self, block: Block) {
        self.current = block;
    }

    /// The block to which instructions are added.
    pub(super) fn current(&self) -> Block {
        self.current
    }

    /// Records the source condition of the terminator of the current block.
    pub(super) fn decide(&mut self, decision: Decision) {
        self.decisions.push((self.current, decision));
    }

    /// Records that the unsealed current block is the head of a loop, the statement `span`. A name
    /// at `place` denotes the same variable as a name in an annotation of the loop.
    pub(super) fn head_of_loop(&mut self, kind: LoopKind, span: Span, place: Span) {
        self.loops.push(LoopHead { block: self.current, kind, span, place });
    }

    /// Records a declaration of a name in the function.
    pub(super) fn declare_name(&mut self, name: &str, place: Span) {
        self.declared.entry(name.to_owned()).or_default().push(place);
    }

    /// Whether the function has a loop or a label.
    pub(super) fn has_loops(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Names the block after a label of the source.
    pub(super) fn set_label(&mut self, block: Block, label: &str) {
        self.blocks[block].label = Some(label.to_owned());
    }

    /// Ends the current block and continues in a new unreachable block.
    pub(super) fn terminate(&mut self, terminator: Terminator, span: Span) {
        let from = self.current;
        debug_assert!(!self.is_terminated[from.index()], "a block has one terminator");
        for (index, edge) in terminator.edges().into_iter().enumerate() {
            debug_assert!(!self.is_sealed[edge.target.index()], "a sealed block gets no more predecessors");
            self.predecessors[edge.target.index()].push((from, index as u32));
        }
        self.blocks[from].terminator = terminator;
        self.blocks[from].span = span;
        self.is_terminated[from.index()] = true;
        let next = self.create_block();
        self.is_sealed[next.index()] = true;
        self.current = next;
    }

    /// Adds a parameter of the function.
    pub(super) fn add_parameter(&mut self, ty: Type, name: Option<String>, span: Span) -> Value {
        let value = self.values.push(ValueData { ty, name, span });
        self.parameters.push(value);
        value
    }

    /// Adds an instruction that defines a value.
    pub(super) fn define(&mut self, kind: InstructionKind, data: ValueData) -> Value {
        let span = data.span;
        let value = self.values.push(data);
        if let InstructionKind::Pure(term) = kind {
            self.terms.insert(value, term);
        }
        self.blocks[self.current].instructions.push(Instruction { result: Some(value), kind, span });
        value
    }

    /// Adds an instruction at the function entry, where it dominates all blocks.
    pub(super) fn define_at_entry(&mut self, kind: InstructionKind, data: ValueData) -> Value {
        let span = data.span;
        let value = self.values.push(data);
        self.prefix.push(Instruction { result: Some(value), kind, span });
        value
    }

    /// Adds an instruction without a result.
    pub(super) fn effect(&mut self, kind: InstructionKind, span: Span) {
        self.blocks[self.current].instructions.push(Instruction { result: None, kind, span });
    }

    /// The type of a value.
    pub(super) fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// The term that defines a value. A φ counts as its operand if its operands are one value, φs
    /// of this kind, and values in unreachable blocks; `None` inside a loop, while its φ is not
    /// complete.
    pub(super) fn pure_definition(&self, value: Value) -> Option<Term> {
        let mut source = None;
        let mut seen = FxHashSet::from_iter([value]);
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            match self.phis.get(&value) {
                Some(phi) if phi.operands.is_empty() || seen.len() > MAX_PHIS => return None,
                Some(phi) => work.extend(phi.operands.iter().filter(|&&operand| seen.insert(operand))),
                None if self.nowhere.contains(&value) => {}
                None if source.is_some() => return None,
                None => source = Some(value),
            }
        }
        self.terms.get(&source?).copied()
    }

    /// Gives a variable that was not read yet a value at the function entry.
    pub(super) fn define_initially(&mut self, variable: Variable, kind: InstructionKind) {
        let VariableData { ty, name, span } = self.variables[variable].clone();
        let value = self.define_at_entry(kind, ValueData { ty, name, span });
        self.definitions.insert((variable, Block(0)), value);
    }

    /// Makes a new variable without a definition.
    pub(super) fn create_variable(&mut self, data: VariableData) -> Variable {
        self.variables.push(data)
    }

    /// Returns the data of a variable.
    pub(super) fn variable(&self, variable: Variable) -> &VariableData {
        &self.variables[variable]
    }

    /// `writeVariable` in the current block.
    pub(super) fn write(&mut self, variable: Variable, value: Value) {
        self.definitions.insert((variable, self.current), value);
    }

    /// Sets the value of a variable at the function entry, before the variable is read anywhere.
    pub(super) fn write_at_entry(&mut self, variable: Variable, value: Value) {
        self.definitions.insert((variable, Block(0)), value);
    }

    /// `readVariable` in the current block.
    pub(super) fn read(&mut self, variable: Variable) -> Value {
        let value = self.look_up(variable, self.current);
        self.complete_pending();
        value
    }

    /// Declares that all predecessors of `block` are known.
    pub(super) fn seal(&mut self, block: Block) {
        if std::mem::replace(&mut self.is_sealed[block.index()], true) {
            return;
        }
        self.pending.append(&mut self.incomplete[block.index()]);
        self.complete_pending();
    }

    /// Seals all unsealed blocks.
    pub(super) fn seal_all(&mut self) {
        for block in self.blocks.keys() {
            self.seal(block);
        }
    }

    fn complete_pending(&mut self) {
        while let Some(value) = self.pending.pop() {
            let Phi { block, variable, .. } = self.phis[&value];
            let sources: Vec<Block> =
                self.predecessors[block.index()].iter().map(|&(from, _)| from).collect();
            let operands = sources.into_iter().map(|from| self.look_up(variable, from)).collect();
            self.phis.get_mut(&value).expect("a pending value is a φ").operands = operands;
        }
    }

    fn look_up(&mut self, variable: Variable, from: Block) -> Value {
        let mut block = from;
        let mut path = Vec::new();
        let value = loop {
            if let Some(&value) = self.definitions.get(&(variable, block)) {
                break value;
            }
            path.push(block);
            if !self.is_sealed[block.index()] {
                let value = self.create_phi(variable, block);
                self.incomplete[block.index()].push(value);
                break value;
            }
            match *self.predecessors[block.index()].as_slice() {
                // The second condition holds in a cycle of unreachable blocks.
                [(previous, _)] if path.len() <= self.blocks.len() => block = previous,
                [] | [_] => {
                    let value = self.undefined(variable);
                    if block != Block(0) {
                        self.nowhere.insert(value);
                    }
                    break value;
                }
                _ => {
                    let value = self.create_phi(variable, block);
                    self.pending.push(value);
                    break value;
                }
            }
        };
        for block in path {
            self.definitions.insert((variable, block), value);
        }
        value
    }

    fn create_phi(&mut self, variable: Variable, block: Block) -> Value {
        let VariableData { ty, name, span } = self.variables[variable].clone();
        let value = self.values.push(ValueData { ty, name, span });
        self.phis.insert(value, Phi { block, variable, operands: Vec::new() });
        self.block_phis[block.index()].push(value);
        value
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let VariableData { ty, name, span } = self.variables[variable].clone();
        self.define_at_entry(InstructionKind::Havoc(HavocSource::Uninitialized), ValueData { ty, name, span })
    }

    /// Returns the finished blocks and values. All blocks are sealed; the entry block comes first.
    pub(super) fn finish(mut self, pool: &mut TermPool) -> Finished {
        self.seal_all();
        let mut prefix = std::mem::take(&mut self.prefix);
        let entry = &mut self.blocks[Block(0)];
        prefix.append(&mut entry.instructions);
        entry.instructions = prefix;

        let is_reachable = self.reachable();
        let replacement = self.remove_trivial(&is_reachable);
        let is_live = self.live(&is_reachable, &replacement, pool);
        self.rebuild(&is_reachable, &replacement, &is_live, pool)
    }

    fn reachable(&self) -> Vec<bool> {
        let mut is_reachable = vec![false; self.blocks.len()];
        let mut work = vec![Block(0)];
        is_reachable[0] = true;
        while let Some(block) = work.pop() {
            for edge in self.blocks[block].terminator.edges() {
                if !std::mem::replace(&mut is_reachable[edge.target.index()], true) {
                    work.push(edge.target);
                }
            }
        }
        is_reachable
    }

    /// The operands of a φ from reachable predecessors.
    fn operands<'a>(&'a self, phi: &'a Phi, is_reachable: &'a [bool]) -> impl Iterator<Item = Value> + 'a {
        self.predecessors[phi.block.index()]
            .iter()
            .zip(&phi.operands)
            .filter(|((from, _), _)| is_reachable[from.index()])
            .map(|(_, &operand)| operand)
    }

    /// Algorithm 3 for all φs: maps each value to its replacement.
    fn remove_trivial(&self, is_reachable: &[bool]) -> Replacement {
        let mut replacement = Replacement { by: (0..self.values.len() as u32).map(Value).collect() };
        let mut users: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        let mut work: Vec<Value> = Vec::new();
        for (block, phis) in self.block_phis.iter().enumerate() {
            if !is_reachable[block] {
                continue;
            }
            for &value in phis {
                work.push(value);
                for operand in self.operands(&self.phis[&value], is_reachable) {
                    if self.phis.contains_key(&operand) {
                        users.entry(operand).or_default().push(value);
                    }
                }
            }
        }
        work.reverse();
        while let Some(value) = work.pop() {
            if replacement.find(value) != value {
                continue;
            }
            let mut same = None;
            let mut is_trivial = true;
            for operand in self.operands(&self.phis[&value], is_reachable) {
                let operand = replacement.find(operand);
                if operand == value || Some(operand) == same {
                    continue;
                }
                if same.is_some() {
                    is_trivial = false;
                    break;
                }
                same = Some(operand);
            }
            if let (true, Some(same)) = (is_trivial, same) {
                replacement.by[value.index()] = same;
                let of_value = users.remove(&value).unwrap_or_default();
                work.extend(of_value.iter().copied());
                users.entry(same).or_default().extend(of_value);
            }
        }
        replacement
    }

    /// The values with a live use.
    fn live(&self, is_reachable: &[bool], replacement: &Replacement, pool: &TermPool) -> Vec<bool> {
        let mut is_live = vec![false; self.values.len()];
        let mut work = Vec::new();
        let mut mark = |term: Term, work: &mut Vec<Value>| {
            for value in pool.free_values(term) {
                let value = replacement.get(Value(value));
                if !std::mem::replace(&mut is_live[value.index()], true) {
                    work.push(value);
                }
            }
        };
        for (block, data) in self.blocks.iter() {
            if !is_reachable[block.index()] {
                continue;
            }
            for instruction in &data.instructions {
                instruction.kind.for_each_term(|term| mark(term, &mut work));
            }
            data.terminator.for_each_term(|term| mark(term, &mut work));
        }
        while let Some(value) = work.pop() {
            if let Some(phi) = self.phis.get(&value) {
                for operand in self.operands(phi, is_reachable) {
                    let operand = replacement.get(operand);
                    if !std::mem::replace(&mut is_live[operand.index()], true) {
                        work.push(operand);
                    }
                }
            }
        }
        is_live
    }

    fn rebuild(
        mut self,
        is_reachable: &[bool],
        replacement: &Replacement,
        is_live: &[bool],
        pool: &mut TermPool,
    ) -> Finished {
        let mut block_map = vec![None; self.blocks.len()];
        let mut next_block = 0;
        for block in 0..self.blocks.len() {
            if is_reachable[block] {
                block_map[block] = Some(Block(next_block));
                next_block += 1;
            }
        }
        let mut values = PrimaryMap::new();
        let mut value_map: Vec<Option<Value>> = vec![None; self.values.len()];
        for &parameter in &self.parameters {
            value_map[parameter.index()] = Some(values.push(self.values[parameter].clone()));
        }
        let is_kept_phi = |value: Value| is_live[value.index()] && replacement.get(value) == value;
        let is_kept = |instruction: &Instruction| match (&instruction.kind, instruction.result) {
            // Marks the execution of a declaration, see `begin_local`.
            (InstructionKind::AddressOf(_), Some(result)) if self.values[result].name.is_none() => true,
            (
                InstructionKind::AddressOf(_)
                | InstructionKind::FunctionAddress(_)
                | InstructionKind::Havoc(HavocSource::Uninitialized),
                Some(result),
            ) => is_live[result.index()],
            _ => true,
        };
        for (block, data) in self.blocks.iter_mut() {
            if !is_reachable[block.index()] {
                continue;
            }
            for &phi in &self.block_phis[block.index()] {
                if is_kept_phi(phi) {
                    value_map[phi.index()] = Some(values.push(self.values[phi].clone()));
                }
            }
            data.instructions.retain(is_kept);
            for instruction in &data.instructions {
                if let Some(result) = instruction.result {
                    value_map[result.index()] = Some(values.push(self.values[result].clone()));
                }
            }
        }
        let map_value = |value: Value| {
            value_map[replacement.get(value).index()]
                .expect("the definition of a used value is in a reachable block")
        };
        let rename = |pool: &mut TermPool, term: Term| {
            pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
                Op::Value(value) => {
                    let sort = pool.sort(leaf);
                    Some(pool.value(map_value(Value(value)).0, sort))
                }
                _ => None,
            })
        };
        // The arguments of edges, before blocks are renamed.
        let mut arguments: FxHashMap<(Block, u32), Vec<Term>> = FxHashMap::default();
        for (block, phis) in self.block_phis.iter().enumerate() {
            if !is_reachable[block] {
                continue;
            }
            for &value in phis.iter().filter(|&&value| is_kept_phi(value)) {
                let sort = self.values[value].ty.sort();
                let phi = &self.phis[&value];
                for (&(from, index), &operand) in self.predecessors[block].iter().zip(&phi.operands) {
                    if is_reachable[from.index()] {
                        let term = pool.value(map_value(operand).0, sort);
                        arguments.entry((from, index)).or_default().push(term);
                    }
                }
            }
        }
        let mut blocks = PrimaryMap::new();
        for (block, mut data) in std::mem::take(&mut self.blocks).into_iter_pairs() {
            if !is_reachable[block.index()] {
                continue;
            }
            data.parameters = match block {
                Block(0) => self.parameters.iter().map(|&value| map_value(value)).collect(),
                _ => {
                    let phis = self.block_phis[block.index()].iter().copied();
                    phis.filter(|&value| is_kept_phi(value)).map(map_value).collect()
                }
            };
            for instruction in &mut data.instructions {
                instruction.result = instruction.result.map(map_value);
                instruction.kind.map_terms(|term| rename(pool, term));
            }
            data.terminator.map_terms(|term| rename(pool, term));
            for (index, edge) in data.terminator.edges_mut().into_iter().enumerate() {
                edge.arguments = arguments.remove(&(block, index as u32)).unwrap_or_default();
                edge.target =
                    block_map[edge.target.index()].expect("a successor of a reachable block is reachable");
            }
            blocks.push(data);
        }
        let is_kept = |term: Term, pool: &TermPool| {
            let values = pool.free_values(term).into_iter();
            values.map(Value).all(|value| value_map[replacement.get(value).index()].is_some())
        };
        let mut decisions = Vec::new();
        for (block, mut decision) in std::mem::take(&mut self.decisions) {
            let Some(block) = block_map[block.index()] else { continue };
            // A value that only the decision uses may have been removed.
            decision.operands.retain(|operand| is_kept(operand.term, pool));
            for operand in &mut decision.operands {
                operand.term = rename(pool, operand.term);
            }
            decisions.push((block, decision));
        }
        let value = |phi: Value| value_map[replacement.get(phi).index()];
        let loops = self.loops.iter().filter_map(|head| {
            let block = block_map[head.block.index()]?;
            Some((block, self.source_loop(head, value)))
        });
        let loops = loops.collect();
        let declared = self.declared.into_iter().map(|(name, places)| (name, places.len())).collect();
        Finished { blocks, values, debug: Debug { decisions, loops, declared } }
    }

    /// A loop with the variables that are read after its head: those with a φ there, trivial or
    /// not. `value` returns the value that a φ becomes.
    fn source_loop(&self, head: &LoopHead, value: impl Fn(Value) -> Option<Value>) -> SourceLoop {
        let phis = self.block_phis[head.block.index()].iter();
        let variables = phis.filter_map(|&phi| {
            let VariableData { name, span, .. } = &self.variables[self.phis[&phi].variable];
            let name = name.as_ref()?;
            let base = name.split(['.', '[']).next().unwrap_or_default();
            // A declaration in between hides the name, unless its scope has ended.
            let mut declared = self.declared.get(base).into_iter().flatten();
            let is_hidden = declared.any(|place| span.lo < place.lo && place.lo < head.place.lo);
            Some((name.clone(), value(phi).filter(|_| !is_hidden)?))
        });
        SourceLoop { kind: head.kind, span: head.span, variables: variables.collect() }
    }
}

/// A finished graph; the entry block is block 0.
pub(super) struct Finished {
    pub(super) blocks: PrimaryMap<Block, BlockData>,
    pub(super) values: PrimaryMap<Value, ValueData>,
    debug: Debug,
}

/// The debug information of the blocks of a function.
pub(super) struct Debug {
    /// The source conditions of branches.
    pub(super) decisions: Vec<(Block, Decision)>,
    /// The loops by their heads.
    pub(super) loops: Vec<(Block, SourceLoop)>,
    /// The number of declarations of each name, if there are loops.
    pub(super) declared: FxHashMap<String, usize>,
}

impl Finished {
    /// Moves the graph into a function; returns the debug information of its blocks.
    pub(super) fn install(self, function: &mut FunctionData) -> Debug {
        function.blocks = self.blocks;
        function.values = self.values;
        function.entry = Block(0);
        self.debug
    }
}

/// An edge without arguments; the builder adds them.
pub(super) fn edge(target: Block) -> Edge {
    Edge { target, arguments: Vec::new() }
}

/// A union-find structure without ranks: maps each value to its replacement.
struct Replacement {
    by: Vec<Value>,
}

impl Replacement {
    fn find(&mut self, value: Value) -> Value {
        let root = self.get(value);
        let mut at = value;
        while at != root {
            at = std::mem::replace(&mut self.by[at.index()], root);
        }
        root
    }

    fn get(&self, mut value: Value) -> Value {
        while self.by[value.index()] != value {
            value = self.by[value.index()];
        }
        value
    }
}

/// Consuming iteration over a table.
trait IntoPairs {
    fn into_iter_pairs(self) -> Vec<(Block, BlockData)>;
}

impl IntoPairs for PrimaryMap<Block, BlockData> {
    fn into_iter_pairs(mut self) -> Vec<(Block, BlockData)> {
        let empty = || BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator: Terminator::Stop(StopReason::Unreachable),
            span: Span::NONE,
            label: None,
            call_boundary: None,
        };
        self.iter_mut().map(|(block, data)| (block, std::mem::replace(data, empty()))).collect()
    }
}
