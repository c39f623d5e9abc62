//! Tests of the analyses, on random programs and small texts.

use super::cfg::ControlFlow;
use super::check::{Rule, check};
use super::dominators::Dominators;
use super::liveness::{Liveness, RegionEffects, RegionLiveness, RegionSet, RegionWrites};
use super::loops::LoopForest;
use super::reducible::{DEFAULT_LIMIT, ReducibleError, make_reducible};
use super::*;
use crate::interp::{Config, Interpreter, TraceMode};
use crate::testing::{Graph, Shape, random_program};
use crate::text::{parse_text, print};
use proptest::prelude::*;
use terms::Random;
use terms::{Op, TermPool};

fn program(pool: &mut TermPool, body: &str) -> Program {
    let text = format!(
        "machine 32\nentry f0\nregion r0 \"x\" scalar i32\nregion r1 \"m\" bytes\nproperty p0 assertion \"a\"\n{body}"
    );
    parse_text(pool, &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Two nested loops, followed by a block.
const NESTED: &str = "function f0 \"main\" () {
    block b0: goto b1(#x00000000)
    block b1(v0: i32): goto b2(v0)
    block b2(v1: i32): branch (bvslt v1 #x0000000a) then b2((bvadd v1 #x00000001)) else b3
    block b3: branch (bvslt v1 #x00000064) then b1(v1) else b4
    block b4: return
}";

/// The standard example: a loop of b1 and b2 that is entered at both.
const IRREDUCIBLE: &str = "function f0 \"main\" () {
    block b0:
        v0: bool = havoc uninitialized
        branch v0 then b1(#x00000000) else b2(#x00000005)
    block b1(v1: i32):
        v2: i32 = (bvadd v1 #x00000001)
        goto b2(v2)
    block b2(v3: i32):
        v4: i32 = (bvadd v3 #x00000002)
        branch (bvslt v4 #x00000014) then b1(v4) else b3
    block b3:
        branch (= v4 #x00000014) then b4 else b5
    block b4: error p0
    block b5: return
}";

#[test]
fn nested_loops_are_found_with_their_edges() {
    let mut pool = TermPool::new();
    let program = program(&mut pool, NESTED);
    let function = &program.functions[program.entry];
    let graph = ControlFlow::new(function);
    let forest = LoopForest::new(&graph);
    assert!(forest.is_reducible());
    let [outer, inner] = forest.loops().keys().collect::<Vec<_>>()[..] else { panic!("two loops") };
    assert_eq!((forest.data(outer).head, forest.data(inner).head), (Block(1), Block(2)));
    assert_eq!(forest.blocks(outer), [Block(1), Block(2), Block(3)]);
    assert_eq!(forest.blocks(inner), [Block(2)]);
    assert_eq!(forest.path(Block(2)), [outer, inner]);
    assert_eq!(forest.depth(Block(3)), 1);
    assert_eq!(forest.depth(Block(4)), 0);
    assert_eq!(forest.data(inner).exits.len(), 1);
    assert_eq!(forest.data(outer).exits[0].from, Block(3));
    assert_eq!(forest.carried(outer, function, &pool), [Value(0)]);
    assert_eq!(forest.carried(inner, function, &pool), [Value(1)]);
}

#[test]
fn a_parameter_that_is_handed_around_unchanged_is_not_carried_and_not_live() {
    let mut pool = TermPool::new();
    let program = program(
        &mut pool,
        "function f0 \"main\" () {
            block b0: goto b1(#x00000000, #x00000001)
            block b1(v0: i32, v1: i32):
                v2: bool = havoc uninitialized
                branch v2 then b1(v0, (bvadd v1 #x00000001)) else b2
            block b2: return
        }",
    );
    let function = &program.functions[program.entry];
    let graph = ControlFlow::new(function);
    let forest = LoopForest::new(&graph);
    let only = forest.headed_by(Block(1)).expect("a loop");
    assert_eq!(forest.carried(only, function, &pool), [Value(1)]);
    assert!(Liveness::new(&pool, function, &graph).live_in(Block(1)).is_empty());
}

#[test]
fn values_are_live_from_their_definition_to_their_last_use() {
    let mut pool = TermPool::new();
    let program = program(&mut pool, IRREDUCIBLE);
    let function = &program.functions[program.entry];
    let graph = ControlFlow::new(function);
    let liveness = Liveness::new(&pool, function, &graph);
    assert_eq!(liveness.live_in(Block(1)), [Value(1)]);
    assert_eq!(liveness.live_in(Block(2)), [Value(3)]);
    assert_eq!(liveness.live_in(Block(3)), [Value(4)]);
    assert!(liveness.live_in(Block(4)).is_empty());
}

#[test]
fn a_scalar_region_is_dead_before_it_is_overwritten() {
    let mut pool = TermPool::new();
    let program = program(
        &mut pool,
        "function f0 \"main\" () {
            block b0: goto b1
            block b1: store r0 i32 #x00000001
                store r1 [#x00001000] i32 #x00000001
                goto b2
            block b2: call f1() goto b3
            block b3: return
        }
        function f1 \"reads\" () {
            block b0: v0: i32 = load r0 v1: i32 = load r1 [#x00001000] return
        }",
    );
    let function = &program.functions[program.entry];
    let graph = ControlFlow::new(function);
    let effects = RegionEffects::new(&program);
    let live = RegionLiveness::new(&program, &effects, function, &graph, &RegionSet::default());
    let regions = |block| live.live_in(block).iter().collect::<Vec<_>>();
    assert_eq!(regions(Block(1)), [Region(1)]);
    assert_eq!(regions(Block(2)), [Region(0), Region(1)]);
    assert!(regions(Block(3)).is_empty());
    assert!(
        effects.writes(program.entry).contains(Region(0)) && !effects.writes(Function(1)).contains(Region(0))
    );
    let written = RegionWrites::new(&effects, function, &graph, &RegionSet::default());
    assert_eq!(written.before(Block(1)).iter().count(), 0);
    assert_eq!(written.before(Block(3)).iter().collect::<Vec<_>>(), [Region(0), Region(1)]);
    let mut live = live;
    live.restrict(&written);
    assert_eq!(live.live_in(Block(1)).iter().count(), 0, "its contents are those at the start");
    assert_eq!(live.live_in(Block(2)).iter().collect::<Vec<_>>(), [Region(0), Region(1)]);
}

#[test]
fn a_write_in_a_loop_comes_before_its_head() {
    let mut pool = TermPool::new();
    let program = program(
        &mut pool,
        "function f0 \"main\" () {
            block b0: v0: bool = havoc uninitialized goto b1
            block b1: branch v0 then b2 else b3
            block b2: call f1() goto b1
            block b3: return
        }
        function f1 \"writes\" () {
            block b0: store r1 [#x00001000] i32 #x00000001 return
        }",
    );
    let function = &program.functions[program.entry];
    let graph = ControlFlow::new(function);
    let effects = RegionEffects::new(&program);
    let mut at_entry = RegionSet::default();
    let written = RegionWrites::new(&effects, function, &graph, &at_entry);
    for block in [1, 2, 3] {
        assert_eq!(written.before(Block(block)).iter().collect::<Vec<_>>(), [Region(1)]);
    }
    at_entry.insert(Region(0));
    let written = RegionWrites::new(&effects, function, &graph, &at_entry);
    assert!(written.before(Block(0)).contains(Region(0)) && written.before(Block(3)).contains(Region(0)));
}

#[test]
fn an_irreducible_loop_is_split_and_its_values_are_repaired() {
    let mut pool = TermPool::new();
    let mut program = program(&mut pool, IRREDUCIBLE);
    let origins =
        make_reducible(&mut pool, &mut program.functions[Function(0)], DEFAULT_LIMIT).expect("small");
    assert_eq!(check(&pool, &program), []);
    let function = &program.functions[program.entry];
    assert!(LoopForest::new(&ControlFlow::new(function)).is_reducible());
    assert_eq!(function.blocks.len(), 7);
    assert!([Block(1), Block(2)].contains(&origins.block(Block(6))));
    assert!(
        function.values.len() > 5 && function.values.keys().all(|value| origins.value(value) <= Value(4))
    );
}

#[test]
fn splitting_stops_at_the_limit_and_leaves_the_function_alone() {
    let mut pool = TermPool::new();
    let mut program = program(&mut pool, IRREDUCIBLE);
    let before = print(&pool, &program, None);
    let result = make_reducible(&mut pool, &mut program.functions[Function(0)], 1);
    assert!(matches!(result, Err(ReducibleError::TooLarge { limit: 1, .. })));
    assert_eq!(print(&pool, &program, None), before);
}

#[test]
fn broken_rules_are_reported_with_their_place() {
    let mut pool = TermPool::new();
    let good = program(&mut pool, IRREDUCIBLE);
    let broken = |change: &dyn Fn(&mut FunctionData)| {
        let mut program = good.clone();
        change(&mut program.functions[Function(0)]);
        check(&pool, &program).into_iter().map(|violation| violation.rule).collect::<Vec<_>>()
    };
    let instructions = |data: &mut FunctionData, block| std::mem::take(&mut data.blocks[block].instructions);
    assert_eq!(broken(&|_| {}), []);
    let rules = broken(&|data| {
        instructions(data, Block(1));
    });
    assert_eq!(rules, [Rule::Undefined(Value(2))]);
    let rules = broken(&|data| {
        let moved = instructions(data, Block(2));
        data.blocks[Block(3)].instructions = moved;
    });
    assert!(rules.contains(&Rule::NotDominated(Value(4))) && rules.len() == 2, "{rules:?}");
    let rules = broken(&|data| data.blocks[Block(4)].terminator = Terminator::Error(Property(9)));
    assert_eq!(rules, [Rule::NoSuchProperty(Property(9))]);
    let rules = broken(&|data| data.blocks[Block(4)].terminator = Terminator::Goto(Edge::to(Block(0))));
    assert_eq!(rules, [Rule::EdgeToEntry]);
    let rules = broken(&|data| data.blocks[Block(4)].terminator = Terminator::Goto(Edge::to(Block(1))));
    assert_eq!(rules, [Rule::Arity { found: 0, expected: 1 }]);
    let rules = broken(&|data| data.blocks[Block(4)].terminator = Terminator::Goto(Edge::to(Block(77))));
    assert_eq!(rules, [Rule::NoSuchBlock(Block(77))]);
    let rules = broken(&|data| data.result = Some(Type::Bool));
    assert_eq!(rules, [Rule::ResultPresence]);
    let rules = broken(&|data| {
        let again = data.blocks[Block(1)].instructions.clone();
        data.blocks[Block(3)].instructions = again;
    });
    assert_eq!(rules, [Rule::DefinedTwice(Value(2))]);
}

#[test]
#[should_panic(
    expected = "the program is not well formed after the pass test in the function `main`: f0.b2: the definition of v4 does not dominate this use"
)]
fn a_broken_program_is_refused_with_the_stage_the_function_and_the_rule() {
    let mut pool = TermPool::new();
    let mut program = program(&mut pool, IRREDUCIBLE);
    let entry = program.entry;
    let leaf = pool.value(4, Type::unsigned(32).sort());
    let five = pool.bv(32, 5);
    let is_five = pool.eq(leaf, five);
    let data = &mut program.functions[entry].blocks[Block(2)];
    let Terminator::Branch { condition, .. } = &mut data.terminator else { panic!("a branch") };
    *condition = is_five;
    // Moves the definition to another block.
    let definition = data.instructions.remove(0);
    program.functions[entry].blocks[Block(5)].instructions.push(definition);
    check::assert_well_formed(&pool, &program, "the pass test");
}

#[test]
fn overlapping_and_disordered_cases_are_reported() {
    let text = |cases: &str| {
        format!(
            "machine 32\nentry f0\nfunction f0 \"main\" () {{
            block b0: v0: i8 = havoc uninitialized
                switch v0 {{ {cases} default b1 }}
            block b1: return }}"
        )
    };
    let errors = |cases: &str| parse_text(&mut TermPool::new(), &text(cases)).err().unwrap_or_default();
    assert_eq!(errors("case signed #xff .. #x01 -> b1 case unsigned #x02 .. #xfe -> b1"), "");
    assert!(errors("case signed #xff .. #x01 -> b1 case unsigned #xff -> b1").contains("overlap"));
    assert!(errors("case unsigned #xff .. #x01 -> b1").contains("ordered"));
    assert!(errors("case unsigned v0 -> b1").contains("constants"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dominators_are_what_their_definition_says(seed: u64, blocks in 1usize..12) {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed, &Shape { blocks, functions: 1, ..Shape::SMALL });
        let graph = ControlFlow::new(&program.functions[program.entry]);
        let dominators = Dominators::new(&graph);
        for &a in graph.reverse_postorder() {
            // The blocks reachable without passing a are those that a does not dominate.
            let mut seen = vec![false; graph.block_count()];
            let mut stack = vec![graph.entry()];
            while let Some(block) = stack.pop() {
                if block != a && !std::mem::replace(&mut seen[block.0 as usize], true) {
                    stack.extend(graph.successors(block));
                }
            }
            for &b in graph.reverse_postorder() {
                prop_assert_eq!(dominators.dominates(a, b), !seen[b.0 as usize]);
            }
        }
    }

    #[test]
    fn the_order_of_blocks_is_weakly_topological(seed: u64, blocks in 1usize..14) {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed, &Shape { blocks, functions: 1, ..Shape::SMALL });
        let graph = ControlFlow::new(&program.functions[program.entry]);
        let forest = LoopForest::new(&graph);
        let dominators = Dominators::new(&graph);
        prop_assert_eq!(forest.order().len(), graph.reverse_postorder().len());
        for &block in forest.order() {
            for edge in graph.outgoing(block) {
                let target = graph.target(edge);
                let is_forward = forest.position(target) > forest.position(block);
                // Only edges to the head of a loop that contains their source lead back.
                let headed = forest.headed_by(target);
                let is_back = headed.is_some_and(|headed| forest.contains(headed, block));
                prop_assert_eq!(is_back, !is_forward);
                // An edge into a loop leads to its head or is listed in `other_entries`.
                for entered in forest.path(target) {
                    let data = forest.data(entered);
                    if !forest.contains(entered, block) {
                        prop_assert_eq!(data.head == target, data.entries.contains(&edge));
                        prop_assert_eq!(data.head != target, data.other_entries.contains(&edge));
                    }
                }
            }
        }
        for (of, data) in forest.loops().iter() {
            prop_assert!(!data.back_edges.is_empty());
            if forest.is_reducible() {
                prop_assert!(forest.blocks(of).iter().all(|&block| dominators.dominates(data.head, block)));
            }
        }
        let retreats = graph.reverse_postorder().iter().all(|&block| {
            graph.successors(block).iter().all(|&next| {
                graph.position(next) > graph.position(block) || dominators.dominates(next, block)
            })
        });
        prop_assert_eq!(forest.is_reducible(), retreats);
    }

    #[test]
    fn liveness_is_what_its_equations_say(seed: u64, blocks in 1usize..10) {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed, &Shape { blocks, functions: 1, ..Shape::SMALL });
        let function = &program.functions[program.entry];
        let graph = ControlFlow::new(function);
        let liveness = Liveness::new(&pool, function, &graph);
        for &block in graph.reverse_postorder() {
            let data = &function.blocks[block];
            let mut live: std::collections::BTreeSet<u32> = std::collections::BTreeSet::new();
            for (target, edge) in graph.successors(block).iter().zip(data.terminator.edges()) {
                let parameters = &function.blocks[*target].parameters;
                live.extend(liveness.live_in(*target).iter().filter(|v| !parameters.contains(v)).map(|v| v.0));
                for (parameter, &argument) in parameters.iter().zip(&edge.arguments) {
                    if liveness.is_live_in(*target, *parameter) {
                        live.extend(pool.free_values(argument));
                    }
                }
            }
            data.terminator.for_each_own_term(|term| live.extend(pool.free_values(term)));
            for instruction in data.instructions.iter().rev() {
                if let Some(result) = instruction.result {
                    live.remove(&result.0);
                }
                instruction.kind.for_each_term(|term| live.extend(pool.free_values(term)));
            }
            let found: Vec<u32> = liveness.live_in(block).iter().map(|value| value.0).collect();
            prop_assert_eq!(found, live.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn runs_are_the_same_after_splitting(seed: u64, blocks in 4usize..12, input: u64) {
        let mut pool = TermPool::new();
        let shape = Shape { graph: Graph::Any, blocks, ..Shape::SMALL };
        let before = random_program(&mut pool, seed, &shape);
        let mut after = before.clone();
        let mut origins = Vec::new();
        for data in after.functions.values_mut() {
            origins.push(make_reducible(&mut pool, data, DEFAULT_LIMIT).expect("small functions"));
        }
        prop_assert_eq!(check(&pool, &after), [], "{}", print(&pool, &after, None));
        for data in after.functions.values().filter(|data| data.is_defined()) {
            prop_assert!(LoopForest::new(&ControlFlow::new(data)).is_reducible());
        }
        let config = Config { max_steps: 3000, max_memory: 1 << 26, trace: TraceMode::Full };
        let old = Interpreter::new(&pool, &before, config).expect("fits").run(&mut Random::new(input));
        let new = Interpreter::new(&pool, &after, config).expect("fits").run(&mut Random::new(input));
        prop_assert_eq!(&old.outcome, &new.outcome);
        prop_assert_eq!(old.steps, new.steps);
        let path = |stack: &[(Function, Block)], mapped: bool| -> Vec<(Function, Block)> {
            stack
                .iter()
                .map(|&(f, block)| (f, if mapped { origins[f.0 as usize].block(block) } else { block }))
                .collect()
        };
        prop_assert_eq!(path(&old.stack, false), path(&new.stack, true));
        if old.outcome.is_unfinished() {
            return Ok(());
        }
        let edges = |run: &crate::interp::Run| run.trace.events.iter().filter(|event| matches!(event, crate::interp::Event::Edge(_))).count();
        prop_assert_eq!(edges(&old), edges(&new));
    }
}

#[test]
fn a_long_chain_of_blocks_costs_no_stack() {
    let mut pool = TermPool::new();
    let count = 50_000;
    let mut text = String::from("machine 32\nentry f0\nfunction f0 \"main\" () {\n");
    for index in 0..count {
        text.push_str(&format!("block b{index}: goto b{}\n", index + 1));
    }
    text.push_str(&format!("block b{count}: return }}"));
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    let graph = ControlFlow::new(&program.functions[program.entry]);
    assert_eq!(LoopForest::new(&graph).order().len(), count + 1);
    assert!(Dominators::new(&graph).dominates(Block(1), Block(count as u32)));
    assert!(matches!(pool.op(pool.tru()), Op::True));
}

#[test]
fn a_block_behind_a_long_chain_of_branches_is_dominated_by_the_first() {
    let mut pool = TermPool::new();
    let count = 50_000;
    let mut text = String::from("machine 32\nentry f0\nfunction f0 \"main\" () {\n");
    text.push_str("block b0: v0: bool = havoc input \"c\" goto b1\n");
    for index in 1..count {
        text.push_str(&format!("block b{index}: branch v0 then b{count} else b{}\n", index + 1));
    }
    text.push_str(&format!("block b{count}: return }}"));
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    let dominators = Dominators::new(&ControlFlow::new(&program.functions[program.entry]));
    assert_eq!(dominators.immediate(Block(count)), Some(Block(1)));
    assert_eq!(dominators.immediate(Block(count - 1)), Some(Block(count - 2)));
}
