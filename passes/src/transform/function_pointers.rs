//! Function pointers: turns calls through an address into guarded direct calls.
//!
//! Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of Passau, 2017, §4.4,
//! assumes that "function calls through function pointers can still be supported by priorly
//! replacing them with regular function calls to all possible candidate functions, each with a
//! guard that compares the value of the function pointer with the address of the respective
//! candidate function". This pass does so.
//!
//! *Candidates* of a call are the functions whose address is taken, that the [points-to
//! analysis](super::points_to) finds in the class of the address, and whose signature matches the
//! call. If the address is known to be that of one function, the call becomes direct and has no
//! guard. If no candidate matches at run time, execution reaches `unsupported`: a call through such
//! a pointer is undefined behavior, or beyond the precision of this pass; in both cases TRUE would
//! be unsound.
//!
//! *Signatures* match if the arguments of the call have the widths of the parameters, in number and
//! order (a variadic function accepts more), and the result, if the call uses it, has the width of
//! the function's result. Signedness is ignored, since programs commonly cast between such function
//! types. So is what is a pointer and what an integer, unless the program takes the address of a
//! function that agrees with the called type in this too (see `signature`).
//!
//! A candidate without a body may be called only if it is an input function
//! (`__VERIFIER_nondet_*`), for which "any result, no other effect" is the correct semantics; all
//! others end in `unsupported` with their name.
//!
//! The guards evaluate only `FunctionAddress` instructions, so the sequence of nondeterministic
//! events of an execution does not change. Cost: linear in calls times candidates.

use super::back::{BackTranslator, FunctionOrigin, Step};
use super::points_to::{Contexts, PointsTo};
use super::rewrite::{as_value, definitions, leaf};
use super::signature::possible_targets;
use program::ssa::{
    Block, BlockData, Callee, Edge, Function, FunctionData, Instruction, InstructionKind, Program, Span,
    Terminator, Type, UnsupportedData, Value, ValueData,
};
use terms::{Term, TermPool};

/// The unsupported construct for a call through a pointer to none of the functions that fit. C does
/// not define it.
pub const NO_FUNCTION: &str = "call through a pointer that holds no function of this type";

/// The result of [`function_pointers`].
#[derive(Clone, Debug)]
pub struct FunctionPointers {
    /// Maps entities of the result to the program before.
    pub back: BackTranslator,
    /// The resolved calls through pointers.
    pub calls: Vec<ResolvedCall>,
}

/// A resolved call through a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedCall {
    /// The calling function.
    pub caller: Function,
    /// The call site.
    pub span: Span,
    /// The candidates, in the order of the guards.
    pub targets: Vec<Function>,
}

/// Resolves every [`Callee::Indirect`] of the program.
pub fn function_pointers(pool: &mut TermPool, program: &mut Program) -> FunctionPointers {
    let callers: Vec<Function> = program
        .functions
        .iter()
        .filter(|(_, data)| has_indirect_call(data))
        .map(|(function, _)| function)
        .collect();
    let mut result = FunctionPointers { back: BackTranslator::identity(), calls: Vec::new() };
    if callers.is_empty() {
        return result;
    }
    let mut points_to = PointsTo::new(pool, program, Contexts::merged(program));
    let mut step = Step::default();
    for caller in callers {
        let data = &program.functions[caller];
        let origin = FunctionOrigin::identity(caller, data.blocks.len(), data.values.len());
        let mut resolver =
            Resolver { pool, program, points_to: &mut points_to, caller, origin, calls: &mut result.calls };
        resolver.run();
        step.functions[caller] = Some(resolver.origin);
    }
    result.back = BackTranslator::from_step(step);
    result
}

fn has_indirect_call(data: &FunctionData) -> bool {
    data.blocks.values().flat_map(|block| &block.instructions).any(is_indirect_call)
}

fn is_indirect_call(instruction: &Instruction) -> bool {
    matches!(instruction.kind, InstructionKind::Call { callee: Callee::Indirect { .. }, .. })
}

struct Resolver<'a> {
    pool: &'a mut TermPool,
    program: &'a mut Program,
    points_to: &'a mut PointsTo,
    caller: Function,
    origin: FunctionOrigin,
    calls: &'a mut Vec<ResolvedCall>,
}

/// A call that was removed from its block.
struct Call {
    result: Option<Value>,
    arguments: Vec<Term>,
    span: Span,
}

impl Resolver<'_> {
    fn data(&mut self) -> &mut FunctionData {
        &mut self.program.functions[self.caller]
    }

    fn run(&mut self) {
        let known = self.known_addresses();
        let blocks = self.data().blocks.len();
        for index in 0..blocks {
            let original = Block(index as u32);
            let mut current = original;
            // Each round resolves the first call through a pointer of `current` and continues after
            // it.
            while let Some(position) =
                self.data().blocks[current].instructions.iter().position(is_indirect_call)
            {
                current = self.split_at(original, current, position, &known);
            }
        }
    }

    /// For each value, the function whose address it is, if its definition shows it.
    fn known_addresses(&self) -> Vec<Option<Function>> {
        let data = &self.program.functions[self.caller];
        let definitions = definitions(data);
        data.values
            .keys()
            .map(|value| {
                let mut value = value;
                // A copy chain is followed for a bounded number of steps.
                for _ in 0..16 {
                    match &definitions[value.0 as usize]?.kind {
                        InstructionKind::FunctionAddress(function) => return Some(*function),
                        InstructionKind::Pure(term) => value = as_value(self.pool, *term)?,
                        _ => return None,
                    }
                }
                None
            })
            .collect()
    }

    /// Resolves the call at `position` of block `current`; returns the block with the instructions
    /// after the call.
    fn split_at(
        &mut self,
        original: Block,
        current: Block,
        position: usize,
        known: &[Option<Function>],
    ) -> Block {
        let caller = self.caller;
        let mut rest = self.data().blocks[current].instructions.split_off(position);
        let after = rest.split_off(1);
        let Some(Instruction { result, kind: InstructionKind::Call { callee, arguments }, span }) =
            rest.pop()
        else {
            unreachable!("the position is that of a call");
        };
        let Callee::Indirect { address, .. } = callee else {
            unreachable!("the position is that of a call through a pointer");
        };
        let call = Call { result, arguments, span };
        let block_span = self.data().blocks[current].span;
        let terminator = std::mem::replace(
            &mut self.data().blocks[current].terminator,
            Terminator::Stop(program::ssa::StopReason::Unreachable),
        );
        let continuation = self.push_block(original, block_span, terminator);
        self.data().blocks[continuation].instructions = after;
        self.data().blocks[continuation].parameters = call.result.into_iter().collect();

        let result_type = call.result.map(|value| self.data().values[value].ty);
        let definite =
            as_value(self.pool, address).and_then(|value| known.get(value.0 as usize).copied().flatten());
        let candidates = match definite {
            Some(function) => vec![function],
            None => self.points_to.function_targets(self.pool, self.program, caller, address),
        };
        let address_taken = self.points_to.address_taken();
        let call_data = (&callee, &call.arguments[..]);
        let possible = possible_targets(self.pool, self.program, address_taken, call_data, result_type);
        let targets: Vec<Function> =
            candidates.into_iter().filter(|target| possible.contains(target)).collect();
        self.calls.push(ResolvedCall { caller, span, targets: targets.clone() });

        let mut test = current;
        let mut is_guarded = true;
        for &target in &targets {
            let edge = self.call_block(original, target, &call, continuation);
            if definite.is_some() {
                self.close(test, span, Terminator::Goto(edge));
                is_guarded = false;
                break;
            }
            let pointer = Type::Pointer { width: self.program.machine.pointer_width };
            let value = self.push_value(ValueData { ty: pointer, name: None, span });
            self.data().blocks[test].instructions.push(Instruction {
                result: Some(value),
                kind: InstructionKind::FunctionAddress(target),
                span,
            });
            let candidate = leaf(self.pool, &self.program.functions[caller], value);
            let condition = self.pool.eq(address, candidate);
            let next =
                self.push_block(original, span, Terminator::Stop(program::ssa::StopReason::Unreachable));
            self.close(test, span, Terminator::Branch { condition, then: edge, otherwise: Edge::to(next) });
            test = next;
        }
        if is_guarded {
            let terminator = self.unsupported(NO_FUNCTION.to_owned(), span);
            self.close(test, span, terminator);
        }
        continuation
    }

    /// A block that calls `target` and continues at `continuation`.
    fn call_block(&mut self, original: Block, target: Function, call: &Call, continuation: Block) -> Edge {
        let callee = &self.program.functions[target];
        if !callee.is_defined() && !callee.name.starts_with("__VERIFIER_nondet_") {
            let construct = format!("call of `{}`, which has no body, through a pointer", callee.name);
            let terminator = self.unsupported(construct, call.span);
            return Edge::to(self.push_block(original, call.span, terminator));
        }
        let result = call.result.map(|value| {
            let data = self.data().values[value].clone();
            self.push_value(data)
        });
        let arguments = result
            .map(|value| leaf(self.pool, &self.program.functions[self.caller], value))
            .into_iter()
            .collect();
        let terminator = Terminator::Goto(Edge { target: continuation, arguments });
        let block = self.push_block(original, call.span, terminator);
        self.data().blocks[block].instructions.push(Instruction {
            result,
            kind: InstructionKind::Call { callee: Callee::Direct(target), arguments: call.arguments.clone() },
            span: call.span,
        });
        Edge::to(block)
    }

    fn close(&mut self, block: Block, span: Span, terminator: Terminator) {
        let data = &mut self.data().blocks[block];
        data.terminator = terminator;
        data.span = span;
    }

    fn unsupported(&mut self, construct: String, span: Span) -> Terminator {
        Terminator::Unsupported(self.program.unsupported.push(UnsupportedData { construct, span }))
    }

    fn push_block(&mut self, original: Block, span: Span, terminator: Terminator) -> Block {
        self.origin.blocks.push(Some((self.caller, original)));
        self.data().blocks.push(BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator,
            span,
            label: None,
            call_boundary: None,
        })
    }

    fn push_value(&mut self, data: ValueData) -> Value {
        self.origin.values.push(None);
        self.data().values.push(data)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT, LONG, POINTER};
    use super::*;

    /// Functions `f` and `g` from int to int and `h` of another type; a pointer to one of the first
    /// two.
    fn choice() -> (Build, Function, Function, Term) {
        let mut build = Build::new();
        let (f, x) = build.function("f", &[INT], Some(INT));
        build.end(Terminator::Return(Some(x[0])));
        let (g, _) = build.function("g", &[INT], Some(INT));
        let one = build.number(1);
        build.end(Terminator::Return(Some(one)));
        let (h, _) = build.function("h", &[LONG], Some(INT));
        build.end(Terminator::Return(Some(one)));
        build.at(Function(0), Block(0));
        let condition = build.input(INT);
        let condition = build.pool.eq(condition, one);
        let (first, second) = (build.address_of_function(f), build.address_of_function(g));
        build.address_of_function(h);
        let either = build.pool.ite(condition, first, second);
        let pointer = build.pure(POINTER, either);
        (build, f, g, pointer)
    }

    fn run(build: &mut Build) -> FunctionPointers {
        build.assert_well_formed();
        let result = function_pointers(&mut build.pool, &mut build.program);
        build.assert_well_formed();
        assert!(
            build.kinds(Function(0)).iter().all(|kind| {
                !matches!(kind, InstructionKind::Call { callee: Callee::Indirect { .. }, .. })
            })
        );
        result
    }

    #[test]
    fn a_pointer_is_compared_with_each_function_that_it_may_hold() {
        let (mut build, f, g, pointer) = choice();
        let one = build.number(1);
        let result = build.call_through(pointer, &[one], Some(INT)).expect("there is a result");
        let is_one = build.pool.eq(result, one);
        let (then, otherwise) = (build.block(&[]), build.block(&[]));
        build.branch(is_one, then, otherwise);
        let result = run(&mut build);
        assert_eq!(result.calls[0].targets, [f, g]);
        // The split block, two calls, and two further tests, the last of which is the failure.
        assert_eq!(build.blocks(Function(0)), 3 + 1 + 2 + 2);
        assert_eq!(build.program.unsupported.len(), 1);
        assert_eq!(result.back.block(Function(0), Block(3)), Some((Function(0), Block(0))));
    }

    #[test]
    fn two_calls_in_one_block_are_both_resolved() {
        let (mut build, f, g, pointer) = choice();
        let one = build.number(1);
        let first = build.call_through(pointer, &[one], Some(INT)).expect("there is a result");
        build.call_through(pointer, &[first], None);
        let result = run(&mut build);
        assert_eq!(
            result.calls.iter().map(|call| call.targets.clone()).collect::<Vec<_>>(),
            [[f, g], [f, g]]
        );
    }

    #[test]
    fn a_known_address_is_called_directly() {
        let (mut build, f, _, _) = choice();
        let address = build.address_of_function(f);
        let copy = build.pure(POINTER, address);
        let one = build.number(1);
        build.call_through(copy, &[one], Some(INT));
        let result = run(&mut build);
        assert_eq!(result.calls[0].targets, [f]);
        assert!(build.program.unsupported.is_empty());
    }

    #[test]
    fn functions_of_other_types_are_no_candidates() {
        let (mut build, _, _, pointer) = choice();
        build.call_through(pointer, &[], Some(INT));
        let result = run(&mut build);
        assert!(result.calls[0].targets.is_empty());
        assert_eq!(build.program.unsupported.len(), 1);
    }

    #[test]
    fn a_function_without_body_is_not_called_blindly() {
        let mut build = Build::new();
        let external = build.declare("external", &[], Some(INT));
        let input = build.declare("__VERIFIER_nondet_int", &[], Some(INT));
        for function in [external, input] {
            let address = build.address_of_function(function);
            build.call_through(address, &[], Some(INT));
        }
        run(&mut build);
        let constructs: Vec<&str> =
            build.program.unsupported.values().map(|data| data.construct.as_str()).collect();
        assert_eq!(constructs, ["call of `external`, which has no body, through a pointer"]);
    }

    #[test]
    fn a_pointer_from_memory_is_found() {
        let (mut build, f, g, pointer) = choice();
        let table = build.object("table", 16, None);
        let address = build.address_of(table);
        let second = build.plus(address, 8);
        build.store(POINTER, second, pointer);
        let loaded = build.load(POINTER, second);
        let one = build.number(1);
        build.call_through(loaded, &[one], Some(INT));
        assert_eq!(run(&mut build).calls[0].targets, [f, g]);
    }

    #[test]
    fn a_pointer_from_outside_may_hold_every_function_of_its_type() {
        let (mut build, f, g, _) = choice();
        let pointer = build.input(POINTER);
        let one = build.number(1);
        build.call_through(pointer, &[one], Some(INT));
        assert_eq!(run(&mut build).calls[0].targets, [f, g]);
    }
}
