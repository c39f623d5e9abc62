//! Builds traces from the events that the interpreter records.

use super::values::{Reader, TraceValue, integer};
use super::{Event, Operand, Origin, Step, Trace};
use grammars::source::Span;
use program::interp::{self, PLACEMENT, Run};
use program::ssa::cfg::EdgeRef;
use program::ssa::source::{Decision, SourceType, TrueEdge};
use program::ssa::{
    Function, HavocSource, InstructionKind, Program, Property, SwitchCase, Terminator, Type, Value,
};
use rustc_hash::FxHashMap;
use terms::{BitVector, TermPool, Value as TermValue};

/// Returns the trace of `run`, which ends in the violation of `property`.
pub(crate) fn of_run(pool: &TermPool, program: &Program, run: &Run, property: Property) -> Trace {
    let mut builder = Builder::new(pool, program);
    builder.steps_of(run);
    builder.last_step(run, property);
    builder.trace(run, property)
}

/// Returns the trace of `run`, which ends in the violation of `property`, when only its `beginning`
/// is recorded. A [`NotRecorded`](Event::NotRecorded) step fills the gap before the violation.
pub(crate) fn of_long_run(
    pool: &TermPool,
    program: &Program,
    beginning: &Run,
    run: &Run,
    property: Property,
) -> Trace {
    let mut builder = Builder::new(pool, program);
    builder.steps_of(beginning);
    builder.last_step(run, property);
    let last = builder.steps.last().expect("last_step adds the violation").clone();
    let gap = Step { event: Event::NotRecorded { executed: run.steps }, ..last };
    builder.steps.insert(builder.steps.len() - 1, gap);
    builder.trace(run, property)
}

struct Builder<'p> {
    pool: &'p TermPool,
    program: &'p Program,
    reader: Reader<'p>,
    sources: Sources,
    /// The operands of the next decision.
    operands: Vec<TermValue>,
    /// The call stack, outermost function first.
    running: Vec<Function>,
    inputs: u32,
    steps: Vec<Step>,
}

impl<'p> Builder<'p> {
    fn new(pool: &'p TermPool, program: &'p Program) -> Self {
        Builder {
            pool,
            program,
            reader: Reader::new(program),
            sources: Sources::default(),
            operands: Vec::new(),
            running: Vec::new(),
            inputs: 0,
            steps: Vec::new(),
        }
    }

    fn trace(self, run: &Run, property: Property) -> Trace {
        let data = &self.program.properties[property];
        Trace {
            property,
            kind: data.kind,
            description: data.description.clone(),
            span: span_of(self.program, run, property),
            steps: self.steps,
            fault: run.fault.clone(),
        }
    }

    fn last_step(&mut self, run: &Run, property: Property) {
        let function = run.stack.last().map_or(self.program.entry, |&(function, _)| function);
        let data = &self.program.properties[property];
        let event = Event::Violation {
            description: data.description.clone(),
            operation: self.program.source.operations.get(&property).cloned(),
            operands: self.failed_operands(run, property),
        };
        self.steps.push(Step {
            span: span_of(self.program, run, property),
            function: self.program.functions[function].name.clone(),
            depth: u32::try_from(run.stack.len()).unwrap_or(u32::MAX),
            event,
        });
    }

    fn failed_operands(&self, run: &Run, property: Property) -> Vec<Operand> {
        let Some(&(function, _)) = run.stack.last() else { return Vec::new() };
        let values = &self.program.functions[function].values;
        let operand = |event: &interp::Event| match event {
            interp::Event::Assign { value, is } => {
                let data = &values[*value];
                let operand = data.name.clone().filter(|name| name != interp::FAULT_ADDRESS)?;
                let key = (property, operand);
                let ty = self.program.source.operands.get(&key).copied();
                let value = self.reader.value(Some(data.ty), ty, is);
                Some(Operand { operand: key.1, span: Span::NONE, value })
            }
            _ => None,
        };
        operand_events(self.program, run).iter().filter_map(operand).collect()
    }

    fn steps_of(&mut self, run: &Run) {
        let program = self.program;
        let shown = run.trace.events.len() - operand_events(program, run).len();
        for step in run.trace.steps(program).take(shown) {
            self.step(&step);
            match step.event {
                interp::Event::Leave { .. } => {
                    self.running.pop();
                }
                interp::Event::Enter { function, .. } => self.running.push(*function),
                _ => {}
            }
        }
    }

    fn step(&mut self, step: &interp::Step<'_>) {
        let program = self.program;
        let function = step.function;
        let source = &program.source;
        // The entry function only sets initial values, which the source shows.
        let is_start = function == program.entry;
        match step.event {
            interp::Event::Object { object, address, size } => {
                self.reader.objects.place(function, *object, *address, *size, step.span);
            }
            interp::Event::Operands { values } => self.operands.clone_from(values),
            interp::Event::Enter { function: callee, arguments, .. } => {
                let is_visible = self.running.last().is_none_or(|&caller| !self.is_library(caller));
                if *callee != program.entry && is_visible {
                    let arguments = self.arguments(*callee, arguments);
                    self.call(step, *callee, arguments);
                }
            }
            interp::Event::External { function: callee, arguments, .. } => {
                if !self.is_library(function) {
                    let arguments = self.arguments(*callee, arguments);
                    let callee = program.functions[*callee].name.clone();
                    self.push(step, step.span, Event::Call { callee, arguments });
                }
            }
            interp::Event::Leave { result, .. } => {
                if !is_start && !self.is_library(function) {
                    let callee = program.functions[function].name.clone();
                    let ty = source.result(&callee);
                    let value = result.as_ref().map(|result| self.reader.value(step.ty, ty, result));
                    self.push(step, step.span, Event::Return { callee, value });
                }
            }
            interp::Event::Assign { is, .. } => self.assignment(step, is),
            interp::Event::Store { at: (block, index), is, .. } => {
                let instruction = &program.functions[function].blocks[*block].instructions[*index as usize];
                let region = instruction.kind.region();
                if !region.is_some_and(|region| program.shadow.contains(region)) {
                    self.assignment(step, is);
                }
            }
            interp::Event::Contents { address, is, .. } => {
                let (pointer, ty) = self.reader.objects.scalar(*address);
                // Some bytes of a scalar are not a value of its type.
                let size = bits_of(is).map_or(0, |bits| u64::from(bits.width() / 8));
                let ty = ty.filter(|&ty| source.types[ty].size == size);
                self.input(step, step.span, Origin::Contents(pointer), step.ty, ty, is);
            }
            interp::Event::Input { value, is } => {
                let Asked { origin, span, ty } = self.sources.of(program, function, *value);
                let span = if span.is_none() { step.span } else { span };
                let is_declaration = matches!(origin, Origin::Uninitialized(_));
                self.input(step, span, origin, step.ty, ty, is);
                if !is_declaration {
                    self.assignment(step, is);
                }
            }
            interp::Event::Edge(edge) => {
                let operands = std::mem::take(&mut self.operands);
                self.decision(step, *edge, &operands);
            }
        }
    }

    /// Whether `function` belongs to the library models: it has no source text.
    fn is_library(&self, function: Function) -> bool {
        function != self.program.entry && self.program.functions[function].span.is_none()
    }

    /// Adds the step of a call. It belongs to the caller; the first call, which has no caller in
    /// the source, belongs to the callee.
    fn call(&mut self, step: &interp::Step<'_>, callee: Function, arguments: Vec<TraceValue>) {
        let data = &self.program.functions[callee];
        let event = Event::Call { callee: data.name.clone(), arguments };
        match self.running.last() {
            Some(&caller) if caller != self.program.entry && !step.span.is_none() => {
                let function = self.program.functions[caller].name.clone();
                let depth = u32::try_from(step.depth.saturating_sub(1)).unwrap_or(u32::MAX);
                self.steps.push(Step { span: step.span, function, depth, event });
            }
            _ => self.push(step, data.span, event),
        }
    }

    fn push(&mut self, step: &interp::Step<'_>, span: Span, event: Event) {
        let function = self.program.functions[step.function].name.clone();
        let depth = u32::try_from(step.depth).unwrap_or(u32::MAX);
        self.steps.push(Step { span, function, depth, event });
    }

    /// Returns the arguments of the source; hidden parameters that lowering added are skipped.
    fn arguments(&self, callee: Function, arguments: &[TermValue]) -> Vec<TraceValue> {
        let data = &self.program.functions[callee];
        let parameters = data.is_defined().then(|| data.blocks[data.entry].parameters.as_slice());
        let mut shown = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = parameters.and_then(|parameters| parameters.get(index));
            let name = value.and_then(|&value| data.values[value].name.as_deref());
            if name.is_some_and(|name| name.starts_with('<')) {
                continue;
            }
            let ty = name.and_then(|name| self.program.source.place(callee, name));
            shown.push(self.reader.value(data.parameters.get(index).copied(), ty, argument));
        }
        shown
    }

    fn assignment(&mut self, step: &interp::Step<'_>, is: &TermValue) {
        let Some(place) = step.place else { return };
        // Addresses of objects (`&x`) and names that lowering invents (`<result>`) are not in the
        // source.
        let is_hidden = place.starts_with(['&', '<']);
        if is_hidden || step.function == self.program.entry || self.is_library(step.function) {
            return;
        }
        let source = &self.program.source;
        let ty = source.place(step.function, place);
        let is_store = matches!(step.event, interp::Event::Store { .. });
        let bits = source.bit_field(step.function, place).filter(|_| is_store);
        let value = match (bits, is) {
            (Some(field), TermValue::BitVec(word)) if field.first + field.width <= word.width() => {
                let bits = word.extract(field.first + field.width - 1, field.first);
                self.reader.value(step.ty, ty, &TermValue::BitVec(bits))
            }
            _ => self.reader.value(step.ty, ty, is),
        };
        self.push(step, step.span, Event::Assignment { place: place.to_owned(), value });
    }

    fn input(
        &mut self,
        step: &interp::Step<'_>,
        span: Span,
        origin: Origin,
        ty: Option<Type>,
        source: Option<SourceType>,
        is: &TermValue,
    ) {
        self.inputs += 1;
        let value = self.reader.value(ty, source, is);
        let ty = source.map(|ty| self.program.source.types[ty].name.clone());
        let event = Event::Input { number: self.inputs, origin, value, ty };
        // An input of a library function belongs to the most recent call in the program's source.
        let call = self.steps.iter().rev().find(|step| matches!(step.event, Event::Call { .. }));
        match call.filter(|_| self.is_library(step.function)).cloned() {
            Some(call) => self.steps.push(Step { event, ..call }),
            None => self.push(step, span, event),
        }
    }

    /// Adds the step of a taken edge if it is a decision of the source, not one that lowering
    /// inserted.
    fn decision(&mut self, step: &interp::Step<'_>, edge: EdgeRef, values: &[TermValue]) {
        let Some(decision) = self.program.source.decisions.get(&(step.function, edge.from)) else { return };
        let operands = self.operands_of(decision, values);
        let event = match &self.program.functions[step.function].blocks[edge.from].terminator {
            Terminator::Branch { .. } => Event::Branch {
                condition: decision.span,
                holds: (edge.index == 0) == (decision.true_edge == TrueEdge::First),
                operands,
            },
            Terminator::Switch { cases, .. } => Event::Switch {
                expression: decision.span,
                case: cases.get(edge.index as usize).map_or_else(Vec::new, |case| self.case(case, decision)),
                operands,
            },
            _ => return,
        };
        self.push(step, decision.span, event);
    }

    fn operands_of(&self, decision: &Decision, values: &[TermValue]) -> Vec<Operand> {
        let operands = decision.operands.iter().zip(values);
        operands
            .map(|(operand, value)| Operand {
                operand: operand.text.clone(),
                span: operand.span,
                value: self.reader.value(Some(operand.ty), Some(operand.source), value),
            })
            .collect()
    }

    /// Returns the values of a case, printed in the type of the only operand, if there is exactly
    /// one.
    fn case(&self, case: &SwitchCase, decision: &Decision) -> Vec<String> {
        let ty = match decision.operands.as_slice() {
            [operand] => Some(operand.source),
            _ => None,
        };
        let text = |bits: BitVector| {
            let value = TermValue::BitVec(bits.clone());
            match self.reader.value(None, ty, &value) {
                TraceValue::Scalar(text) if ty.is_some() => text,
                _ => integer(case.signedness, &bits).to_string(),
            }
        };
        let ranges = case.ranges.iter().filter_map(|&(low, high)| {
            let low_text = text(self.pool.as_bit_vector(low)?);
            let high_text = text(self.pool.as_bit_vector(high)?);
            Some(if low == high { low_text } else { format!("{low_text} ... {high_text}") })
        });
        ranges.collect()
    }
}

fn bits_of(value: &TermValue) -> Option<&BitVector> {
    match value {
        TermValue::BitVec(bits) => Some(bits),
        _ => None,
    }
}

/// Returns the trailing events of a run into an error that compute the operands of the failed
/// check. These are the assignments of the block that ends in the error.
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

/// Returns the error site, or the call in the source if the error is in a library function.
fn span_of(program: &Program, run: &Run, property: Property) -> Span {
    run.fault.as_ref().map_or(program.properties[property].span, |fault| fault.span)
}

/// The origins of the nondeterministic values of each function, computed on demand.
#[derive(Default)]
struct Sources(FxHashMap<Function, FxHashMap<Value, Asked>>);

/// The origin, location and type of a nondeterministic value.
#[derive(Clone)]
struct Asked {
    origin: Origin,
    span: Span,
    ty: Option<SourceType>,
}

impl Sources {
    fn of(&mut self, program: &Program, function: Function, value: Value) -> Asked {
        let known = self.0.entry(function).or_insert_with(|| {
            let instructions =
                program.functions[function].blocks.values().flat_map(|block| &block.instructions);
            instructions
                .filter_map(|instruction| {
                    let result = instruction.result?;
                    let (origin, ty) = origin(program, function, result, &instruction.kind)?;
                    Some((result, Asked { origin, span: instruction.span, ty }))
                })
                .collect()
        });
        let unknown = || Asked {
            origin: Origin::Environment("nondeterministic value".to_owned()),
            span: Span::NONE,
            ty: None,
        };
        known.get(&value).cloned().unwrap_or_else(unknown)
    }
}

fn origin(
    program: &Program,
    function: Function,
    result: Value,
    kind: &InstructionKind,
) -> Option<(Origin, Option<SourceType>)> {
    let is_function = |name: &str| program.functions.values().any(|data| data.name == name);
    Some(match kind {
        InstructionKind::Havoc(HavocSource::Input(name)) if name == PLACEMENT => {
            (Origin::Environment("address of an object".to_owned()), None)
        }
        InstructionKind::Havoc(HavocSource::Input(name)) => {
            let origin = match name.starts_with("__") {
                true => Origin::Call(name.clone()),
                false => Origin::Environment(name.replace('_', " ")),
            };
            (origin, program.source.result(name))
        }
        InstructionKind::Havoc(HavocSource::External(name)) => {
            let origin = match is_function(name) {
                true => Origin::Call(name.clone()),
                false => Origin::External(name.clone()),
            };
            (origin, program.source.result(name))
        }
        InstructionKind::Havoc(HavocSource::Uninitialized) => {
            let name = program.functions[function].values[result].name.as_deref();
            let ty = name.and_then(|name| program.source.place(function, name));
            (Origin::Uninitialized(name.unwrap_or("value").to_owned()), ty)
        }
        InstructionKind::Havoc(HavocSource::Approximation(what)) => (Origin::Environment(what.clone()), None),
        InstructionKind::Call { callee: program::ssa::Callee::Direct(callee), .. } => {
            let name = &program.functions[*callee].name;
            (Origin::Call(name.clone()), program.source.result(name))
        }
        InstructionKind::Call { .. } => (Origin::Environment("result of a function".to_owned()), None),
        _ => return None,
    })
}
