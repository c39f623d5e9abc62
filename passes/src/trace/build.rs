//! Traces from what the interpreter recorded.

use super::{Event, Operand, Step, Trace, TraceValue};
use grammars::source::Span;
use program::interp::{self, PLACEMENT, Run};
use program::ssa::{Function, HavocSource, InstructionKind, Program, Property, Terminator, Type, Value};
use rustc_hash::FxHashMap;
use terms::Value as TermValue;

/// The trace of `run`, which ended in the violation of `property`.
pub(crate) fn of_run(program: &Program, run: &Run, property: Property) -> Trace {
    let mut steps = steps_of(program, run);
    steps.push(last_step(program, run, property));
    with_steps(program, run, property, steps)
}

/// The trace of `run`, which ended in the violation of `property` and was not recorded, except for its `beginning`.
pub(crate) fn of_long_run(program: &Program, beginning: &Run, run: &Run, property: Property) -> Trace {
    let mut steps = steps_of(program, beginning);
    let last = last_step(program, run, property);
    steps.push(Step { event: Event::NotRecorded { executed: run.steps }, ..last.clone() });
    steps.push(last);
    with_steps(program, run, property, steps)
}

fn last_step(program: &Program, run: &Run, property: Property) -> Step {
    let function = run.stack.last().map_or(program.entry, |&(function, _)| function);
    let data = &program.properties[property];
    Step {
        span: span_of(program, run, property),
        function: program.functions[function].name.clone(),
        depth: u32::try_from(run.stack.len()).unwrap_or(u32::MAX),
        event: Event::Violation { description: data.description.clone(), operands: operands(program, run) },
    }
}

/// The events at the end of a run into an error that are the operands of the failed check: what the block of the error computes.
fn operand_events<'a>(program: &Program, run: &'a Run) -> &'a [interp::Event] {
    let (Some(property), Some(&(function, _))) = (run.violated(), run.stack.last()) else { return &[] };
    let mut blocks = program.functions[function].blocks.values();
    let Some(block) = blocks.find(|block| block.terminator == Terminator::Error(property)) else {
        return &[];
    };
    let is_operand = |event: &interp::Event| match event {
        interp::Event::Assign { value, .. } => {
            block.instructions.iter().any(|instruction| instruction.result == Some(*value))
        }
        _ => false,
    };
    let events = &run.trace.events;
    let start = events.iter().rposition(|event| !is_operand(event)).map_or(0, |last| last + 1);
    &events[start..]
}

fn operands(program: &Program, run: &Run) -> Vec<Operand> {
    let Some(&(function, _)) = run.stack.last() else { return Vec::new() };
    let values = &program.functions[function].values;
    let operand = |event: &interp::Event| match event {
        interp::Event::Assign { value, is } => {
            let data = &values[*value];
            if data.name.as_deref() == Some(interp::FAULT_ADDRESS) {
                return None;
            }
            Some(Operand { operand: data.name.clone()?, value: value_of(Some(data.ty), is) })
        }
        _ => None,
    };
    operand_events(program, run).iter().filter_map(operand).collect()
}

/// The error site, or in a function of the library the call of it.
fn span_of(program: &Program, run: &Run, property: Property) -> Span {
    run.fault.as_ref().map_or(program.properties[property].span, |fault| fault.span)
}

fn with_steps(program: &Program, run: &Run, property: Property, steps: Vec<Step>) -> Trace {
    let data = &program.properties[property];
    let span = span_of(program, run, property);
    Trace {
        property,
        kind: data.kind,
        description: data.description.clone(),
        span,
        steps,
        fault: run.fault.clone(),
    }
}

/// Whether an event is a store in which the program notes what it knows of its objects.
fn is_note(program: &Program, function: Function, event: &interp::Event) -> bool {
    let interp::Event::Store { at: (block, index), .. } = event else { return false };
    let instruction = &program.functions[function].blocks[*block].instructions[*index as usize];
    instruction.kind.region().is_some_and(|region| program.shadow.contains(region))
}

fn steps_of(program: &Program, run: &Run) -> Vec<Step> {
    let mut sources = Sources::default();
    let mut steps = Vec::with_capacity(run.trace.events.len() + 1);
    let shown = run.trace.events.len() - operand_events(program, run).len();
    for step in run.trace.steps(program).take(shown) {
        let (function, depth) = (step.function, u32::try_from(step.depth).unwrap_or(u32::MAX));
        let name = &program.functions[function].name;
        let value = |is: &TermValue| value_of(step.ty, is);
        if is_note(program, function, step.event) || step.place == Some(interp::FAULT_ADDRESS) {
            continue;
        }
        let event = match step.event {
            interp::Event::Enter { function, arguments } => {
                let data = &program.functions[*function];
                if *function == program.entry {
                    continue;
                }
                let arguments = arguments
                    .iter()
                    .enumerate()
                    .map(|(index, argument)| value_of(data.parameters.get(index).copied(), argument))
                    .collect();
                Event::Call { callee: data.name.clone(), arguments }
            }
            interp::Event::Leave { result } => {
                if function == program.entry {
                    continue;
                }
                Event::Return { callee: name.clone(), value: result.as_ref().map(value) }
            }
            interp::Event::External { function, arguments } => {
                let data = &program.functions[*function];
                let arguments = arguments
                    .iter()
                    .enumerate()
                    .map(|(index, argument)| value_of(data.parameters.get(index).copied(), argument))
                    .collect();
                Event::Call { callee: data.name.clone(), arguments }
            }
            // Where an object lies (`&x`) is nothing that the program does.
            interp::Event::Assign { is, .. } => match step.place {
                Some(place) if place.starts_with('&') => continue,
                Some(place) => Event::Assignment { place: place.to_owned(), value: value(is) },
                None => continue,
            },
            interp::Event::Input { value: id, is } => {
                let (source, span) = sources.of(program, function, *id);
                let event = Event::Input { source, value: value(is) };
                let span = if span.is_none() { step.span } else { span };
                steps.push(Step { span, function: name.clone(), depth, event });
                match step.place {
                    Some(place) => Event::Assignment { place: place.to_owned(), value: value(is) },
                    None => continue,
                }
            }
            interp::Event::Store { is, .. } => match step.place {
                Some(place) => Event::Assignment { place: place.to_owned(), value: value(is) },
                None => continue,
            },
            interp::Event::Edge(edge) => match &program.functions[function].blocks[edge.from].terminator {
                Terminator::Branch { then, .. } if is_check(program, function, then) => continue,
                Terminator::Branch { .. } => Event::Branch { holds: edge.index == 0 },
                Terminator::Switch { .. } => Event::Switch { case: edge.index as usize },
                _ => continue,
            },
        };
        steps.push(Step { span: step.span, function: name.clone(), depth, event });
    }
    steps
}

/// Whether an edge is taken where the check of an operation fails: no branch of the source.
fn is_check(program: &Program, function: Function, edge: &program::ssa::Edge) -> bool {
    match program.functions[function].blocks[edge.target].terminator {
        Terminator::Error(property) => program.properties[property].kind.is_of_operation(),
        _ => false,
    }
}

/// Where the nondeterministic values of each function come from.
#[derive(Default)]
struct Sources(FxHashMap<Function, FxHashMap<Value, (String, Span)>>);

impl Sources {
    fn of(&mut self, program: &Program, function: Function, value: Value) -> (String, Span) {
        let known = self.0.entry(function).or_insert_with(|| {
            let instructions =
                program.functions[function].blocks.values().flat_map(|block| &block.instructions);
            instructions
                .filter_map(|instruction| {
                    let source = match &instruction.kind {
                        InstructionKind::Havoc(HavocSource::Input(name)) if name == PLACEMENT => {
                            "the address of an object".to_owned()
                        }
                        InstructionKind::Havoc(HavocSource::Input(name)) => format!("{name}()"),
                        InstructionKind::Havoc(HavocSource::External(name)) => format!("{name}()"),
                        InstructionKind::Havoc(HavocSource::Uninitialized) => "uninitialized".to_owned(),
                        InstructionKind::Havoc(HavocSource::Approximation(what)) => what.clone(),
                        InstructionKind::Call { .. } => "external function".to_owned(),
                        _ => return None,
                    };
                    Some((instruction.result?, (source, instruction.span)))
                })
                .collect()
        });
        known.get(&value).cloned().unwrap_or_else(|| ("nondeterministic".to_owned(), Span::NONE))
    }
}

fn value_of(ty: Option<Type>, value: &TermValue) -> TraceValue {
    match value {
        TermValue::BitVec(bits) => {
            TraceValue::of_bits(ty.unwrap_or(Type::unsigned(bits.width())), bits.clone())
        }
        TermValue::Bool(value) => TraceValue::Bool(*value),
        other => unreachable!("the interpreter computes with bits, not with {other:?}"),
    }
}
