//! The contexts in which functions are analyzed.
//!
//! Call strings of unlimited length (Sharir and Pnueli, *Two Approaches to Interprocedural Data
//! Flow Analysis*, 1981), for small functions only: each call of such a function has a context of
//! its own, as if it were inlined. So `set(&s.a)` and `set(&s.b)` do not relate the two members,
//! and two structures from one `xmalloc` have separate contents. Recursive functions, functions
//! with an address, large ones, and those with too many calls have one context for all calls.
//!
//! Cost: linear in the program, see [`MOST_CONTEXTS`] and [`GROWTH`].

use super::address_taken;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use program::ssa::{Block, Callee, Function, FunctionData, InstructionKind, Program};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;

/// The largest number of contexts of a function.
const MOST_CONTEXTS: usize = 32;
/// The largest number of instructions of a function with several contexts.
const SMALL: usize = 200;
/// All contexts together have at most this many times the instructions of the program.
const GROWTH: usize = 2;
/// What [`GROWTH`] permits at least, in instructions.
const ALWAYS: usize = 20_000;

terms::entity! {
    /// A function, as called by some of its callers.
    Context, "context"
}

/// The contexts of a program.
#[derive(Clone, Debug)]
pub struct Contexts {
    functions: PrimaryMap<Context, Function>,
    of: PrimaryMap<Function, Vec<Context>>,
    /// By the caller's context and the place of the call. Other calls have the only context of the
    /// called function.
    called: FxHashMap<(Context, Block, usize), Context>,
}

impl Contexts {
    /// One context for each function.
    #[must_use]
    pub fn merged(program: &Program) -> Self {
        let functions: PrimaryMap<Context, Function> = program.functions.keys().collect();
        let of = functions.keys().map(|context| vec![context]).collect();
        Contexts { functions, of, called: FxHashMap::default() }
    }

    /// A context for each call of a small function.
    #[must_use]
    pub fn per_call(program: &Program) -> Self {
        let address_taken = address_taken(program);
        let mut contexts = Contexts {
            functions: PrimaryMap::new(),
            of: program.functions.keys().map(|_| Vec::new()).collect(),
            called: FxHashMap::default(),
        };
        let mut graph: DiGraphMap<Function, (), FxBuildHasher> = DiGraphMap::default();
        let mut calls: PrimaryMap<Function, Vec<(Function, Block, usize)>> =
            program.functions.keys().map(|_| Vec::new()).collect();
        for (caller, data) in program.functions.iter() {
            graph.add_node(caller);
            for (block, index, callee) in direct_calls(data) {
                calls[callee].push((caller, block, index));
                graph.add_edge(caller, callee, ());
            }
        }
        let size = |function| instructions(&program.functions[function]);
        let mut budget = ALWAYS.max((GROWTH - 1) * program.functions.keys().map(size).sum::<usize>());
        // Callers before callees.
        for component in kosaraju_scc(&graph).into_iter().rev() {
            let members: FxHashSet<Function> = component.iter().copied().collect();
            for &function in &component {
                let callers = &calls[function];
                let is_recursive = callers.iter().any(|(caller, ..)| members.contains(caller));
                let sites: Vec<(Context, Block, usize)> = if is_recursive {
                    Vec::new()
                } else {
                    let of = |&(caller, block, index): &(Function, Block, usize)| {
                        let contexts = contexts.of[caller].iter();
                        contexts.map(move |&context| (context, block, index)).collect::<Vec<_>>()
                    };
                    callers.iter().flat_map(of).collect()
                };
                let is_split = (2..=MOST_CONTEXTS).contains(&sites.len())
                    && size(function) <= SMALL
                    && (sites.len() - 1) * size(function) <= budget
                    && address_taken.binary_search(&function).is_err()
                    // The start of the program is a call, too.
                    && function != program.entry;
                if is_split {
                    budget -= (sites.len() - 1) * size(function);
                    for site in sites {
                        let context = contexts.add(function);
                        contexts.called.insert(site, context);
                    }
                } else {
                    contexts.add(function);
                }
            }
        }
        contexts
    }

    fn add(&mut self, function: Function) -> Context {
        let context = self.functions.push(function);
        self.of[function].push(context);
        context
    }

    /// All contexts with their functions.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Context, Function)> + '_ {
        self.functions.iter().map(|(context, &function)| (context, function))
    }

    /// The function of a context.
    pub(super) fn function(&self, context: Context) -> Function {
        self.functions[context]
    }

    /// The contexts of a function, at least one.
    pub(super) fn of(&self, function: Function) -> &[Context] {
        &self.of[function]
    }

    /// The context of `callee` when it is called in context `caller` at this place.
    pub(super) fn called(
        &self,
        caller: Context,
        (block, index): (Block, usize),
        callee: Function,
    ) -> Context {
        match self.called.get(&(caller, block, index)) {
            Some(&context) => context,
            None => self.of[callee][0],
        }
    }
}

fn direct_calls(data: &FunctionData) -> impl Iterator<Item = (Block, usize, Function)> + '_ {
    data.blocks.iter().flat_map(|(block, data)| {
        data.instructions.iter().enumerate().filter_map(move |(index, instruction)| match &instruction.kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } => Some((block, index, *callee)),
            _ => None,
        })
    })
}

/// The number of instructions of a function, at least one.
fn instructions(data: &FunctionData) -> usize {
    1 + data.blocks.values().map(|block| block.instructions.len()).sum::<usize>()
}
