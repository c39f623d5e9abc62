//! The printer.

use super::term;
use crate::ssa::liveness::definitions;
use crate::ssa::{
    Block, BlockData, Callee, Contents, Edge, Function, HavocSource, InstructionKind, Offsets, Part, Program,
    RegionKind, Signedness, StopReason, Terminator, Type, Value, ValueData,
};
use grammars::source::{SourceMap, Span};
use std::fmt::Write;
use terms::{Term, TermPool};

/// Returns the text of a program. With `sources`, lines with a span end with a comment that gives
/// the source position.
pub fn print(pool: &TermPool, program: &Program, sources: Option<&SourceMap>) -> String {
    let mut printer = Printer { pool, program, sources, out: String::new(), order: term::Order::default() };
    printer.tables();
    for function in program.functions.keys() {
        printer.out.push('\n');
        printer.function(function);
    }
    printer.out
}

/// Returns the text of one function.
pub fn print_function(
    pool: &TermPool,
    program: &Program,
    function: Function,
    sources: Option<&SourceMap>,
) -> String {
    let mut printer = Printer { pool, program, sources, out: String::new(), order: term::Order::default() };
    printer.function(function);
    printer.out
}

struct Printer<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    sources: Option<&'a SourceMap>,
    out: String,
    order: term::Order,
}

/// Appends to the text; never fails.
macro_rules! put {
    ($printer:expr, $($format:tt)*) => {
        write!($printer.out, $($format)*).expect("writing to a string succeeds")
    };
}

impl Printer<'_> {
    fn tables(&mut self) {
        let program = self.program;
        put!(self, "machine {}", program.machine.pointer_width);
        if let Some(bits) = program.machine.slot_bits {
            put!(self, " slots {bits}");
        }
        if program.machine.frees {
            put!(self, " frees");
        }
        put!(self, "\nentry {}\n", program.entry);
        for (region, data) in program.regions.iter() {
            put!(self, "region {region} {} ", quoted(&data.name));
            match data.kind {
                RegionKind::Bytes => put!(self, "bytes"),
                RegionKind::Scalar(ty) => put!(self, "scalar {}", type_name(ty)),
                RegionKind::Cells(ty) => put!(self, "cells {}", type_name(ty)),
            }
            self.out.push('\n');
        }
        for (part, region) in program.shadow.regions() {
            put!(self, "shadow {} {region}\n", quoted(part));
        }
        for (object, data) in program.objects.iter() {
            put!(self, "object {object} {} size {} align {}", quoted(&data.name), data.size, data.align);
            if let Some(owner) = data.owner {
                put!(self, " in {owner}");
            }
            put!(self, " regions");
            for region in &data.regions {
                put!(self, " {region}");
            }
            self.end(data.span);
        }
        for (property, data) in program.properties.iter() {
            put!(self, "property {property} {} {}", data.kind, quoted(&data.description));
            self.end(data.span);
        }
        for (unsupported, data) in program.unsupported.iter() {
            put!(self, "unsupported {unsupported} {}", quoted(&data.construct));
            self.end(data.span);
        }
    }

    fn function(&mut self, function: Function) {
        let data = &self.program.functions[function];
        let keyword = if data.is_defined() { "function" } else { "declare" };
        put!(self, "{keyword} {function} {} ", quoted(&data.name));
        self.signature(&data.parameters, data.is_variadic, data.result);
        if !data.is_defined() {
            self.end(data.span);
            return;
        }
        self.span(data.span);
        put!(self, " {{");
        self.position(data.span);
        if data.entry != Block(0) {
            put!(self, "  entry {}\n", data.entry);
        }
        let definitions = definitions(data);
        for (value, contents) in data.values.iter() {
            if definitions[value.0 as usize].is_none() {
                put!(self, "  unused ");
                self.declaration(value, contents, Span::NONE);
                self.out.push('\n');
            }
        }
        for (block, contents) in data.blocks.iter() {
            self.block(function, block, contents);
        }
        put!(self, "}}\n");
    }

    fn signature(&mut self, parameters: &[Type], is_variadic: bool, result: Option<Type>) {
        let mut names: Vec<String> = parameters.iter().map(|&ty| type_name(ty)).collect();
        if is_variadic {
            names.push("...".to_owned());
        }
        put!(self, "({})", names.join(", "));
        if let Some(ty) = result {
            put!(self, " -> {}", type_name(ty));
        }
    }

    fn block(&mut self, function: Function, block: Block, contents: &BlockData) {
        let data = &self.program.functions[function];
        put!(self, "  block {block}");
        for (index, &parameter) in contents.parameters.iter().enumerate() {
            put!(self, "{}", if index == 0 { "(" } else { ", " });
            self.declaration(parameter, &data.values[parameter], Span::NONE);
        }
        if !contents.parameters.is_empty() {
            put!(self, ")");
        }
        if let Some(label) = &contents.label {
            put!(self, " label {}", quoted(label));
        }
        put!(self, ":\n");
        for instruction in &contents.instructions {
            put!(self, "    ");
            if let Some(result) = instruction.result {
                self.declaration(result, &data.values[result], instruction.span);
                put!(self, " = ");
            }
            self.kind(&instruction.kind);
            self.end(instruction.span);
        }
        put!(self, "    ");
        self.terminator(&contents.terminator);
        self.end(contents.span);
    }

    /// A span equal to `default` is omitted.
    fn declaration(&mut self, value: Value, data: &ValueData, default: Span) {
        put!(self, "{value}: {}", type_name(data.ty));
        if let Some(name) = &data.name {
            put!(self, " {}", quoted(name));
        }
        if data.span != default {
            if data.span.is_none() {
                put!(self, " @none");
            } else {
                self.span(data.span);
            }
        }
    }

    fn kind(&mut self, kind: &InstructionKind) {
        match kind {
            InstructionKind::Pure(term) => self.term(*term),
            InstructionKind::Havoc(source) => match source {
                HavocSource::Input(name) => put!(self, "havoc input {}", quoted(name)),
                HavocSource::Uninitialized => put!(self, "havoc uninitialized"),
                HavocSource::External(name) => put!(self, "havoc external {}", quoted(name)),
                HavocSource::Approximation(name) => put!(self, "havoc approximation {}", quoted(name)),
            },
            InstructionKind::AddressOf(object) => put!(self, "address-of {object}"),
            InstructionKind::FunctionAddress(function) => put!(self, "function-address {function}"),
            InstructionKind::Load { region, address } => {
                put!(self, "load {region}");
                self.address(*address);
            }
            InstructionKind::Store { region, address, value, ty, place } => {
                put!(self, "store {region}");
                self.address(*address);
                put!(self, " {} ", type_name(*ty));
                self.term(*value);
                if let Some(place) = place {
                    put!(self, " place {}", quoted(place));
                }
            }
            InstructionKind::Forget { region, object } => put!(self, "forget {region} {object}"),
            InstructionKind::Allocate { parts, size, align, contents } => {
                put!(self, "allocate ");
                for part in parts {
                    self.part(part);
                }
                self.term(*size);
                if *align != self.program.machine.block_align() {
                    put!(self, " align {align}");
                }
                put!(
                    self,
                    "{}",
                    match contents {
                        Contents::Zero => " zero",
                        Contents::Unknown => " unknown",
                    }
                );
            }
            InstructionKind::Call { callee, arguments } => {
                put!(self, "call ");
                match callee {
                    Callee::Direct(function) => put!(self, "{function}"),
                    Callee::Indirect { address, parameters, result } => {
                        put!(self, "indirect ");
                        self.term(*address);
                        put!(self, ": ");
                        self.signature(parameters, false, *result);
                        put!(self, " ");
                    }
                }
                self.arguments(arguments);
            }
        }
    }

    fn address(&mut self, address: Option<Term>) {
        if let Some(address) = address {
            put!(self, " [");
            self.term(address);
            put!(self, "]");
        }
    }

    fn part(&mut self, part: &Part) {
        put!(self, "{} ", part.region);
        let Offsets { stretches, period } = &part.offsets;
        if *part == Part::whole(part.region) {
            return;
        }
        let stretches: Vec<String> = stretches
            .iter()
            .map(|&(first, bytes)| format!("{first}..{}", first.saturating_add(bytes)))
            .collect();
        put!(self, "{{{}", stretches.join(", "));
        if *period != 0 {
            put!(self, " : {period}");
        }
        put!(self, "}} ");
    }

    fn arguments(&mut self, arguments: &[Term]) {
        put!(self, "(");
        for (index, &argument) in arguments.iter().enumerate() {
            if index > 0 {
                put!(self, ", ");
            }
            self.term(argument);
        }
        put!(self, ")");
    }

    fn edge(&mut self, edge: &Edge) {
        put!(self, "{}", edge.target);
        if !edge.arguments.is_empty() {
            self.arguments(&edge.arguments);
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Goto(edge) => {
                put!(self, "goto ");
                self.edge(edge);
            }
            Terminator::Branch { condition, then, otherwise } => {
                put!(self, "branch ");
                self.term(*condition);
                put!(self, " then ");
                self.edge(then);
                put!(self, " else ");
                self.edge(otherwise);
            }
            Terminator::Switch { scrutinee, cases, default } => {
                put!(self, "switch ");
                self.term(*scrutinee);
                put!(self, " {{");
                for case in cases {
                    put!(
                        self,
                        "\n      case {}",
                        match case.signedness {
                            Signedness::Signed => "signed",
                            Signedness::Unsigned => "unsigned",
                        }
                    );
                    for (index, &(low, high)) in case.ranges.iter().enumerate() {
                        put!(self, "{}", if index == 0 { " " } else { ", " });
                        self.term(low);
                        if low != high {
                            put!(self, " .. ");
                            self.term(high);
                        }
                    }
                    put!(self, " -> ");
                    self.edge(&case.edge);
                }
                put!(self, "\n      default ");
                self.edge(default);
                put!(self, " }}");
            }
            Terminator::Return(None) => put!(self, "return"),
            Terminator::Return(Some(value)) => {
                put!(self, "return ");
                self.term(*value);
            }
            Terminator::Error(property) => put!(self, "error {property}"),
            Terminator::Stop(reason) => put!(
                self,
                "stop {}",
                match reason {
                    StopReason::Assume => "assume",
                    StopReason::Exit => "exit",
                    StopReason::Unreachable => "unreachable",
                }
            ),
            Terminator::Unsupported(unsupported) => put!(self, "unsupported {unsupported}"),
        }
    }

    fn term(&mut self, term: Term) {
        term::print(self.pool, &mut self.order, &mut self.out, term);
    }

    fn span(&mut self, span: Span) {
        if !span.is_none() {
            put!(self, " @{span:?}");
        }
    }

    /// Ends a line with the span and, as a comment, the source position.
    fn end(&mut self, span: Span) {
        self.span(span);
        self.position(span);
    }

    fn position(&mut self, span: Span) {
        if let Some(presumed) = self.sources.and_then(|sources| sources.presumed(span)) {
            let file: String = presumed.file.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            put!(self, "  ; {file}:{}:{}", presumed.line, presumed.column);
        }
        self.out.push('\n');
    }
}

/// The name of a type: `bool`, `ptr`, `i32`, `u32`, …
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Pointer { .. } => "ptr".to_owned(),
        Type::Int { width, signedness: Signedness::Signed } => format!("i{width}"),
        Type::Int { width, signedness: Signedness::Unsigned } => format!("u{width}"),
    }
}

/// A quoted string, with the escapes of the lexer.
pub(super) fn quoted(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            other if other.is_control() => {
                let _ = write!(result, "\\u{{{:x}}}", u32::from(other));
            }
            other => result.push(other),
        }
    }
    result.push('"');
    result
}
