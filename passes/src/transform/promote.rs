//! Promotion: turns scalar regions of a single function into SSA values.
//!
//! After inlining, a global variable (or any other `Scalar` region) is accessed by one function
//! only, so it can be an SSA value: a store defines it, a load uses it, and joins of definitions
//! get block parameters. At program start it is 0. Then the state of a cut point and the arguments
//! of a Horn predicate are plain values.
//!
//! SSA construction follows Cytron et al., *Efficiently Computing Static Single Assignment Form and
//! the Control Dependence Graph*, TOPLAS 1991, §5: parameters at the iterated dominance frontier of
//! the definitions, only where the variable is live, then one walk over the dominator tree.
//! `Forget` becomes a `havoc`. A store remains as the instruction that names the value. Regions
//! that a second function with a body accesses are not promoted.
//!
//! Cost: linear in the function; for each region linear in the blocks where it is live.

use super::back::{BackTranslator, FunctionOrigin};
use super::rewrite::leaf;
use program::ssa::cfg::ControlFlow;
use program::ssa::dominators::Dominators;
use program::ssa::{
    Block, FunctionData, HavocSource, Instruction, InstructionKind, Program, Region, RegionKind, Span,
    StopReason, Terminator, Type, Value, ValueData,
};
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{Op, Term, TermPool};

/// The result of [`promote`].
#[derive(Clone, Debug)]
pub struct Promoted {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// The promoted regions, which no instruction mentions anymore.
    pub regions: Vec<Region>,
}

/// Promotes the scalar regions that only the entry function accesses.
pub fn promote(pool: &mut TermPool, program: &mut Program) -> Promoted {
    let entry = program.entry;
    let variables = variables(program);
    if variables.is_empty() {
        return Promoted { back: BackTranslator::identity(), regions: Vec::new() };
    }
    let index_of: FxHashMap<Region, usize> =
        variables.iter().enumerate().map(|(index, variable)| (variable.region, index)).collect();
    let mut function = program.functions[entry].clone();
    let mut origin = FunctionOrigin::identity(entry, function.blocks.len(), function.values.len());
    let graph = ControlFlow::new(&function);
    for (block, data) in function.blocks.iter_mut() {
        if !graph.is_reachable(block) {
            data.instructions.clear();
            data.parameters.clear();
            data.terminator = Terminator::Stop(StopReason::Unreachable);
        }
    }
    let dominators = Dominators::new(&graph);
    let frontiers = frontiers(&graph, &dominators);
    let mut joins: Vec<Vec<(usize, Value)>> = vec![Vec::new(); function.blocks.len()];
    for (index, variable) in variables.iter().enumerate() {
        let summary = Summary::new(&function, &graph, variable.region);
        for block in meeting_points(&graph, &frontiers, &summary) {
            let span = function.blocks[block].span;
            let value = function.values.push(variable.value(span));
            origin.values.push(None);
            function.blocks[block].parameters.push(value);
            joins[block.index()].push((index, value));
        }
    }
    let current = variables
        .iter()
        .map(|variable| if variable.ty == Type::Bool { pool.fls() } else { pool.bv(variable.ty.width(), 0) })
        .collect();
    let mut renamer = Renamer {
        pool,
        function,
        origin,
        variables: &variables,
        index_of: &index_of,
        joins: &joins,
        current,
        loads: FxHashMap::default(),
    };
    renamer.run(&graph, &dominators);
    program.functions[entry] = renamer.function;
    let regions = variables.iter().map(|variable| variable.region).collect();
    Promoted { back: BackTranslator::from_function(entry, renamer.origin), regions }
}

/// A scalar region to be promoted.
struct Variable {
    region: Region,
    ty: Type,
    name: String,
}

impl Variable {
    fn value(&self, span: Span) -> ValueData {
        ValueData { ty: self.ty, name: Some(self.name.clone()), span }
    }
}

fn variables(program: &Program) -> Vec<Variable> {
    let mut uses = vec![(false, false); program.regions.len()];
    for (function, data) in program.functions.iter() {
        for instruction in data.blocks.values().flat_map(|block| &block.instructions) {
            for region in instruction.kind.regions() {
                let (by_entry, by_others) = &mut uses[region.index()];
                *(if function == program.entry { by_entry } else { by_others }) = true;
            }
        }
    }
    program
        .regions
        .iter()
        .filter(|(region, _)| uses[region.index()] == (true, false))
        .filter_map(|(region, data)| match data.kind {
            RegionKind::Scalar(ty) => Some(Variable { region, ty, name: data.name.clone() }),
            RegionKind::Cells(_) | RegionKind::Bytes => None,
        })
        .collect()
}

/// The dominance frontier of each block.
fn frontiers(graph: &ControlFlow, dominators: &Dominators) -> Vec<Vec<Block>> {
    let mut frontiers: Vec<Vec<Block>> = vec![Vec::new(); graph.block_count()];
    for &block in graph.reverse_postorder() {
        let predecessors = graph.predecessors(block);
        if predecessors.len() < 2 {
            continue;
        }
        let stop = dominators.immediate(block);
        for edge in predecessors {
            let mut runner = Some(edge.from);
            while runner != stop {
                let Some(here) = runner else { break };
                if frontiers[here.index()].last() != Some(&block) {
                    frontiers[here.index()].push(block);
                }
                runner = dominators.immediate(here);
            }
        }
    }
    frontiers
}

/// The definitions and the liveness of a region.
struct Summary {
    defined_in: Vec<Block>,
    is_live_in: Vec<bool>,
}

impl Summary {
    fn new(function: &FunctionData, graph: &ControlFlow, region: Region) -> Self {
        let mut defined_in = Vec::new();
        let mut is_defined = vec![false; function.blocks.len()];
        let mut is_live_in = vec![false; function.blocks.len()];
        let mut work = Vec::new();
        for &block in graph.reverse_postorder() {
            for instruction in &function.blocks[block].instructions {
                if instruction.kind.region() != Some(region) {
                    continue;
                }
                if matches!(instruction.kind, InstructionKind::Load { .. }) {
                    if !is_defined[block.index()] && !is_live_in[block.index()] {
                        is_live_in[block.index()] = true;
                        work.push(block);
                    }
                } else if !is_defined[block.index()] {
                    is_defined[block.index()] = true;
                    defined_in.push(block);
                }
            }
        }
        while let Some(block) = work.pop() {
            for edge in graph.predecessors(block) {
                let from = edge.from.index();
                if !is_defined[from] && !is_live_in[from] {
                    is_live_in[from] = true;
                    work.push(edge.from);
                }
            }
        }
        Summary { defined_in, is_live_in }
    }
}

/// The iterated dominance frontier of the definitions (including the start), restricted to blocks
/// where the region is live.
fn meeting_points(graph: &ControlFlow, frontiers: &[Vec<Block>], summary: &Summary) -> Vec<Block> {
    let mut is_meeting = vec![false; frontiers.len()];
    let mut work = summary.defined_in.clone();
    work.push(graph.entry());
    while let Some(block) = work.pop() {
        for &meeting in &frontiers[block.index()] {
            if !std::mem::replace(&mut is_meeting[meeting.index()], true) {
                work.push(meeting);
            }
        }
    }
    (0..frontiers.len())
        .filter(|&index| is_meeting[index] && summary.is_live_in[index])
        .map(Block::new)
        .collect()
}

struct Renamer<'a> {
    pool: &'a mut TermPool,
    function: FunctionData,
    origin: FunctionOrigin,
    variables: &'a [Variable],
    index_of: &'a FxHashMap<Region, usize>,
    joins: &'a [Vec<(usize, Value)>],
    /// The current value of each variable.
    current: Vec<Term>,
    /// The value of each load of a variable.
    loads: FxHashMap<u32, Term>,
}

enum Step {
    Enter(Block),
    /// Restores these variables.
    Leave(Vec<(usize, Term)>),
}

impl Renamer<'_> {
    fn run(&mut self, graph: &ControlFlow, dominators: &Dominators) {
        let mut work = vec![Step::Enter(graph.entry())];
        while let Some(step) = work.pop() {
            match step {
                Step::Leave(saved) => {
                    for (index, term) in saved.into_iter().rev() {
                        self.current[index] = term;
                    }
                }
                Step::Enter(block) => {
                    let saved = self.block(block);
                    work.push(Step::Leave(saved));
                    work.extend(dominators.children(block).iter().rev().map(|&child| Step::Enter(child)));
                }
            }
        }
    }

    /// Rewrites a block; returns the previous values of the changed variables.
    fn block(&mut self, block: Block) -> Vec<(usize, Term)> {
        let mut saved = Vec::new();
        for &(index, value) in &self.joins[block.index()] {
            let term = leaf(self.pool, &self.function, value);
            saved.push((index, std::mem::replace(&mut self.current[index], term)));
        }
        let instructions = std::mem::take(&mut self.function.blocks[block].instructions);
        let mut kept = Vec::with_capacity(instructions.len());
        for mut instruction in instructions {
            instruction.kind.map_terms(|term| resolve(self.pool, &self.loads, term));
            let variable = instruction.kind.region().and_then(|region| self.index_of.get(&region).copied());
            let Some(index) = variable else {
                kept.push(instruction);
                continue;
            };
            let mut data = self.variables[index].value(instruction.span);
            let kind = match instruction.kind {
                InstructionKind::Load { .. } => {
                    let result = instruction.result.expect("a load has a result");
                    self.loads.insert(result.0, self.current[index]);
                    continue;
                }
                InstructionKind::Store { value, place, .. } => {
                    data.name = place.or(data.name);
                    InstructionKind::Pure(value)
                }
                _ => InstructionKind::Havoc(HavocSource::Uninitialized),
            };
            let value = self.function.values.push(data);
            self.origin.values.push(None);
            let term = leaf(self.pool, &self.function, value);
            saved.push((index, std::mem::replace(&mut self.current[index], term)));
            kept.push(Instruction { result: Some(value), kind, span: instruction.span });
        }
        self.function.blocks[block].instructions = kept;
        let mut terminator = std::mem::replace(
            &mut self.function.blocks[block].terminator,
            Terminator::Stop(StopReason::Unreachable),
        );
        terminator.map_terms(|term| resolve(self.pool, &self.loads, term));
        for edge in terminator.edges_mut() {
            let joins = &self.joins[edge.target.index()];
            edge.arguments.extend(joins.iter().map(|&(index, _)| self.current[index]));
        }
        self.function.blocks[block].terminator = terminator;
        saved
    }
}

fn resolve(pool: &mut TermPool, loads: &FxHashMap<u32, Term>, term: Term) -> Term {
    if loads.is_empty() {
        return term;
    }
    pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
        Op::Value(index) => loads.get(&index).copied(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT};
    use super::*;
    use program::ssa::{Function, RegionData};

    /// `while (counter < 10) counter = counter + 1; if (counter != 10) error;` over a scalar
    /// region.
    fn counting() -> (Build, Region) {
        let mut build = Build::new();
        let data = RegionData { name: "counter".to_owned(), kind: RegionKind::Scalar(INT) };
        let region = build.program.regions.push(data);
        let (head, body) = (build.block(&[]), build.block(&[]));
        let (end, error, stop) = (build.block(&[]), build.block(&[]), build.block(&[]));
        let (one, ten) = (build.number(1), build.number(10));
        let load = InstructionKind::Load { region, address: None };
        build.goto(head, &[]);
        build.at(Function(0), head);
        let value = build.push(Some(INT), load.clone()).expect("a result");
        let is_less = build.pool.bv_slt(value, ten);
        build.branch(is_less, body, end);
        build.at(Function(0), body);
        let value = build.push(Some(INT), load.clone()).expect("a result");
        let value = build.pool.bv_add(value, one);
        let place = Some("counter".to_owned());
        build.push(None, InstructionKind::Store { region, address: None, value, ty: INT, place });
        build.goto(head, &[]);
        build.at(Function(0), end);
        let value = build.push(Some(INT), load).expect("a result");
        let is_ten = build.pool.eq(value, ten);
        build.branch(is_ten, stop, error);
        build.at(Function(0), error);
        build.end(Terminator::Error(program::ssa::Property(0)));
        (build, region)
    }

    #[test]
    fn a_global_counter_becomes_a_parameter_of_the_loop_head() {
        let (mut build, region) = counting();
        build.assert_well_formed();
        let promoted = promote(&mut build.pool, &mut build.program);
        build.assert_well_formed();
        assert_eq!(promoted.regions, [region]);
        assert!(build.kinds(Function(0)).iter().all(|kind| kind.region().is_none()));
        let function = &build.program.functions[Function(0)];
        let parameters: Vec<usize> = function.blocks.values().map(|block| block.parameters.len()).collect();
        assert_eq!(parameters, [0, 1, 0, 0, 0, 0]);
        let head = &function.blocks[Block(1)];
        assert_eq!(function.values[head.parameters[0]].name.as_deref(), Some("counter"));
        let Terminator::Goto(edge) = &function.blocks[Block(0)].terminator else {
            panic!("the entry goes on")
        };
        assert_eq!(build.pool.as_bv_u64(edge.arguments[0]), Some(0));
    }

    #[test]
    fn a_region_that_another_function_accesses_stays() {
        let (mut build, region) = counting();
        build.function("other", &[], None);
        build.push(Some(INT), InstructionKind::Load { region, address: None });
        assert!(promote(&mut build.pool, &mut build.program).regions.is_empty());
        build.assert_well_formed();
    }

    #[test]
    fn forgetting_becomes_an_input() {
        let mut build = Build::new();
        let data = RegionData { name: "x".to_owned(), kind: RegionKind::Scalar(INT) };
        let region = build.program.regions.push(data);
        let object = build.object("x", 4, None);
        build.program.objects[object].regions = vec![region];
        build.push(None, InstructionKind::Forget { region, object });
        let value = build.push(Some(INT), InstructionKind::Load { region, address: None }).expect("a result");
        let (then, otherwise) = (build.block(&[]), build.block(&[]));
        let zero = build.number(0);
        let condition = build.pool.eq(value, zero);
        build.branch(condition, then, otherwise);
        promote(&mut build.pool, &mut build.program);
        build.assert_well_formed();
        assert_eq!(build.kinds(Function(0)), [&InstructionKind::Havoc(HavocSource::Uninitialized)]);
    }
}
