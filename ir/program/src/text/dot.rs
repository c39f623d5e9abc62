//! Control-flow graphs for Graphviz.

use super::print::{quoted, type_name};
use super::term;
use crate::ssa::{Callee, HavocSource, InstructionKind};
use crate::ssa::{Function, Program, RegionKind, Terminator};
use std::fmt::Write;
use terms::{Term, TermPool};

/// The greatest length of a term in a label; longer terms are truncated.
const MAX_LABEL: usize = 100;

/// Renders all functions with a body, each in a cluster.
pub fn dot_program(pool: &TermPool, program: &Program) -> String {
    let mut out =
        String::from("digraph program {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n");
    for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined()) {
        let _ = writeln!(out, "  subgraph cluster_{function} {{\n    label={};", quoted(&data.name));
        blocks(pool, program, function, &mut out);
        out.push_str("  }\n");
        edges(pool, program, function, &mut out);
    }
    out.push_str("}\n");
    out
}

/// Renders one function.
pub fn dot_function(pool: &TermPool, program: &Program, function: Function) -> String {
    let data = &program.functions[function];
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quoted(&data.name));
    out.push_str("  node [shape=box, fontname=\"monospace\", fontsize=10];\n");
    if data.is_defined() {
        blocks(pool, program, function, &mut out);
        edges(pool, program, function, &mut out);
    }
    out.push_str("}\n");
    out
}

fn blocks(pool: &TermPool, program: &Program, function: Function, out: &mut String) {
    let data = &program.functions[function];
    let name = |value| {
        let value_data = &data.values[value];
        match &value_data.name {
            Some(name) => format!("{value} {name}: {}", type_name(value_data.ty)),
            None => format!("{value}: {}", type_name(value_data.ty)),
        }
    };
    for (block, contents) in data.blocks.iter() {
        let mut label = format!("{block}");
        if !contents.parameters.is_empty() {
            let parameters: Vec<String> =
                contents.parameters.iter().map(|&parameter| name(parameter)).collect();
            let _ = write!(label, "({})", parameters.join(", "));
        }
        if let Some(source) = &contents.label {
            let _ = write!(label, "  {source}:");
        }
        label.push('\n');
        for instruction in &contents.instructions {
            if let Some(result) = instruction.result {
                let _ = write!(label, "{} = ", name(result));
            }
            kind(pool, program, &instruction.kind, &mut label);
            label.push('\n');
        }
        let color = match &contents.terminator {
            Terminator::Error(property) => {
                let _ = writeln!(label, "error: {}", program.properties[*property].description);
                ", color=red"
            }
            Terminator::Unsupported(unsupported) => {
                let _ = writeln!(label, "unsupported: {}", program.unsupported[*unsupported].construct);
                ", color=orange"
            }
            Terminator::Return(value) => {
                label.push_str("return ");
                label.extend(value.map(|value| term(pool, value)));
                label.push('\n');
                ""
            }
            Terminator::Stop(reason) => {
                let _ = writeln!(label, "stop: {reason:?}");
                ", color=gray"
            }
            _ => "",
        };
        let style = if block == data.entry { ", style=bold" } else { "" };
        let _ = writeln!(out, "    {function}_{block} [label={}{color}{style}];", escaped(&label));
    }
}

fn edges(pool: &TermPool, program: &Program, function: Function, out: &mut String) {
    for (block, contents) in program.functions[function].blocks.iter() {
        let labels: Vec<String> = match &contents.terminator {
            Terminator::Branch { condition, .. } => vec![term(pool, *condition), "else".to_owned()],
            Terminator::Switch { scrutinee, cases, .. } => {
                let scrutinee = term(pool, *scrutinee);
                let ranges = cases.iter().map(|case| {
                    let ranges: Vec<String> = case
                        .ranges
                        .iter()
                        .map(|&(low, high)| match low == high {
                            true => term(pool, low),
                            false => format!("{} .. {}", term(pool, low), term(pool, high)),
                        })
                        .collect();
                    format!("{scrutinee} in {}", ranges.join(", "))
                });
                ranges.chain(["default".to_owned()]).collect()
            }
            _ => vec![String::new()],
        };
        for (edge, mut label) in contents.terminator.edges().into_iter().zip(labels) {
            if !edge.arguments.is_empty() {
                let arguments: Vec<String> =
                    edge.arguments.iter().map(|&argument| term(pool, argument)).collect();
                let _ = write!(label, "\n({})", arguments.join(", "));
            }
            let _ = writeln!(
                out,
                "  {function}_{block} -> {function}_{} [label={}, fontsize=9];",
                edge.target,
                escaped(&label)
            );
        }
    }
}

fn kind(pool: &TermPool, program: &Program, kind: &InstructionKind, out: &mut String) {
    let region = |region| {
        let data: &crate::ssa::RegionData = &program.regions[region];
        data.name.clone()
    };
    let at = |address: &Option<Term>| {
        address.map_or(String::new(), |address| format!("[{}]", term(pool, address)))
    };
    let text = match kind {
        InstructionKind::Pure(value) => term(pool, *value),
        InstructionKind::Havoc(HavocSource::Input(name)) => format!("{name}()"),
        InstructionKind::Havoc(HavocSource::Uninitialized) => "uninitialized".to_owned(),
        InstructionKind::Havoc(HavocSource::External(name)) => format!("result of {name}"),
        InstructionKind::Havoc(HavocSource::Approximation(name)) => format!("approximation of {name}"),
        InstructionKind::AddressOf(object) => format!("&{}", program.objects[*object].name),
        InstructionKind::FunctionAddress(function) => format!("&{}", program.functions[*function].name),
        InstructionKind::Load { region: from, address } => format!("{}{}", region(*from), at(address)),
        InstructionKind::Store { region: to, address, value, .. } => {
            let to = match program.regions[*to].kind {
                RegionKind::Scalar(_) => region(*to),
                RegionKind::Cells(_) | RegionKind::Bytes => format!("{}{}", region(*to), at(address)),
            };
            format!("{to} := {}", term(pool, *value))
        }
        InstructionKind::Forget { region: at, object } => {
            format!("forget {} in {}", program.objects[*object].name, region(*at))
        }
        InstructionKind::Allocate { parts, size, .. } => {
            let regions: Vec<String> = parts.iter().map(|part| region(part.region)).collect();
            format!("allocate {} bytes in {}", term(pool, *size), regions.join(", "))
        }
        InstructionKind::Call { callee, arguments } => {
            let callee = match callee {
                Callee::Direct(function) => program.functions[*function].name.clone(),
                Callee::Indirect { address, .. } => format!("(*{})", term(pool, *address)),
            };
            let arguments: Vec<String> = arguments.iter().map(|&argument| term(pool, argument)).collect();
            format!("{callee}({})", arguments.join(", "))
        }
    };
    out.push_str(&text);
}

fn term(pool: &TermPool, term: Term) -> String {
    let mut text = String::new();
    term::print(pool, &mut term::Order::default(), &mut text, term);
    if text.len() > MAX_LABEL {
        text.truncate(MAX_LABEL);
        text.push('…');
    }
    text
}

/// Escapes a label; lines are left-aligned.
fn escaped(label: &str) -> String {
    let mut text = String::from("\"");
    for character in label.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\l"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}
