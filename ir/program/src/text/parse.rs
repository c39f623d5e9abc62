//! The parser: from the syntax tree to a program.

use super::term;
use crate::ssa::check::{self, Location};
use crate::ssa::{
    Block, BlockData, Callee, Contents, Edge, Function, FunctionData, HavocSource, Instruction,
    InstructionKind, Machine, Object, ObjectData, Offsets, Part, Program, Property, PropertyData,
    PropertyKind, Region, RegionData, RegionKind, Shadow, Signedness, StopReason, SwitchCase, Terminator,
    Type, UnknownPropertyKind, Unsupported, UnsupportedData, Value, ValueData,
};
use grammars::ir::tree::{self, TermKind, Truth, Variadic};
use grammars::source::{Diagnostic, FileId, SourceMap, Span};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use terms::entity::{Entity, PrimaryMap};
use terms::{BitVector, RoundingMode, Term, TermPool};

/// The number of errors after which parsing stops.
const MAX_ERRORS: usize = 20;
/// The pointer width of a program without a `machine` line.
const DEFAULT_POINTER_WIDTH: u32 = 64;

/// Parses a program; the result is [well formed](crate::ssa::check).
///
/// # Errors
/// A syntax error, or all semantic errors (up to a limit), with their locations in the text.
pub fn parse(pool: &mut TermPool, map: &SourceMap, file: FileId) -> Result<Program, Vec<Diagnostic>> {
    let tree = grammars::ir::parse(map, file).map_err(|error| vec![error])?;
    let mut reader = Reader {
        pool,
        tree: &tree,
        machine: Machine::new(DEFAULT_POINTER_WIDTH),
        values: PrimaryMap::new(),
        bound: FxHashMap::default(),
        spans: FxHashMap::default(),
        errors: Vec::new(),
    };
    let program = reader.program(map.file_span(file));
    let spans = reader.spans;
    let mut errors = reader.errors;
    if errors.is_empty() {
        // The checker accepts incomplete tables, but gives better reports if all names are
        // resolved.
        for violation in check::check(pool, &program).into_iter().take(MAX_ERRORS) {
            let at = locate(&spans, violation.location).unwrap_or_else(|| map.file_span(file).start());
            errors.push(Diagnostic::error(at, violation.rule.to_string()));
        }
    }
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

type Spans = FxHashMap<(Function, Option<Block>, Option<usize>), Span>;

fn locate(spans: &Spans, location: Location) -> Option<Span> {
    let function = location.function?;
    [(location.block, location.instruction), (location.block, None), (None, None)]
        .into_iter()
        .find_map(|(block, instruction)| spans.get(&(function, block, instruction)).copied())
}

struct Reader<'a> {
    pool: &'a mut TermPool,
    tree: &'a tree::Tree,
    machine: Machine,
    /// The values of the current function.
    values: PrimaryMap<Value, ValueData>,
    /// Names bound by `let` in the current term.
    bound: FxHashMap<u32, Term>,
    spans: Spans,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn error(&mut self, at: Span, message: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(Diagnostic::error(at, message));
        }
    }

    /// Reports an entity that is not in the order of its number.
    fn expect_next(&mut self, name: tree::Name, next: usize) {
        if name.number as usize != next {
            self.error(name.at, format!("expected number {next}: entities are numbered consecutively"));
        }
    }

    fn program(&mut self, whole: Span) -> Program {
        let tree = self.tree;
        let mut entry = None;
        for item in &tree.items {
            match &item.kind {
                tree::ItemKind::Machine { width: width @ (8 | 16 | 32 | 64), slot_bits, frees } => {
                    self.machine = Machine { pointer_width: *width, slot_bits: *slot_bits, frees: *frees };
                }
                tree::ItemKind::Machine { .. } => self.error(item.at, "a machine has 8, 16, 32 or 64 bits"),
                tree::ItemKind::Entry(name) => entry = Some(*name),
                _ => {}
            }
        }
        if entry.is_none() {
            self.error(whole.start(), "missing `entry`");
        }
        let mut program = Program {
            machine: self.machine,
            regions: PrimaryMap::new(),
            shadow: Shadow::default(),
            objects: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            entry: Function(entry.map_or(0, |name| name.number)),
            properties: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            source: Default::default(),
        };
        for item in &tree.items {
            match &item.kind {
                tree::ItemKind::Machine { .. } | tree::ItemKind::Entry(_) => {}
                tree::ItemKind::Shadow { part, region } => {
                    let region = Some(Region(region.number));
                    match part.as_str() {
                        "sizes" => program.shadow.sizes = region,
                        "blocks" => program.shadow.blocks = region,
                        "live-blocks" => program.shadow.live_blocks = region,
                        "previous" => program.shadow.previous = region,
                        "assigned" => program.shadow.assigned = region,
                        "placements" => program.shadow.placements = region,
                        _ => self.error(item.at, "unknown part of the shadow"),
                    }
                }
                tree::ItemKind::Region { name, text, kind } => {
                    self.expect_next(*name, program.regions.len());
                    let kind = match *kind {
                        tree::RegionKind::Bytes => RegionKind::Bytes,
                        tree::RegionKind::Scalar(ty) => RegionKind::Scalar(self.ty(ty)),
                        tree::RegionKind::Cells(ty) => RegionKind::Cells(self.ty(ty)),
                    };
                    program.regions.push(RegionData { name: text.clone(), kind });
                }
                tree::ItemKind::Object { name, text, size, align, owner, regions, span } => {
                    self.expect_next(*name, program.objects.len());
                    program.objects.push(ObjectData {
                        name: text.clone(),
                        size: *size,
                        align: *align,
                        owner: owner.map(|owner| Function(owner.number)),
                        regions: regions.iter().map(|region| Region(region.number)).collect(),
                        span: span.unwrap_or_default(),
                    });
                }
                tree::ItemKind::Property { name, kind, text, span } => {
                    self.expect_next(*name, program.properties.len());
                    let kind = kind.text.parse().unwrap_or_else(|error: UnknownPropertyKind| {
                        self.error(kind.at, error.to_string());
                        PropertyKind::Assertion
                    });
                    let span = span.unwrap_or_default();
                    program.properties.push(PropertyData { kind, description: text.clone(), span });
                }
                tree::ItemKind::Unsupported { name, text, span } => {
                    self.expect_next(*name, program.unsupported.len());
                    let span = span.unwrap_or_default();
                    program.unsupported.push(UnsupportedData { construct: text.clone(), span });
                }
                tree::ItemKind::Function(function) => {
                    self.expect_next(function.name, program.functions.len());
                    let data = self.function(function);
                    program.functions.push(data);
                }
            }
        }
        program
    }

    fn ty(&self, ty: tree::Type) -> Type {
        match ty {
            tree::Type::Bool => Type::Bool,
            tree::Type::Pointer => Type::Pointer { width: self.machine.pointer_width },
            tree::Type::Signed(width) => Type::signed(width),
            tree::Type::Unsigned(width) => Type::unsigned(width),
        }
    }

    fn checked_type(&mut self, ty: tree::Type, at: Span) -> Type {
        match ty {
            tree::Type::Signed(width) | tree::Type::Unsigned(width)
                if !(1..=term::MAX_WIDTH).contains(&width) =>
            {
                self.error(at, format!("the width of an integer must be from 1 to {}", term::MAX_WIDTH));
                Type::signed(8)
            }
            ty => self.ty(ty),
        }
    }

    fn function(&mut self, function: &tree::Function) -> FunctionData {
        let id = Function(function.name.number);
        self.spans.insert((id, None, None), function.name.at);
        let signature = &function.signature;
        let at = function.name.at;
        let parameters = signature.parameters.iter().map(|&ty| self.checked_type(ty, at)).collect();
        let mut data = FunctionData {
            name: function.text.clone(),
            result: signature.result.map(|ty| self.checked_type(ty, at)),
            parameters,
            is_variadic: signature.variadic == Variadic::Yes,
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: function.span.unwrap_or_default(),
        };
        let Some(body) = &function.body else { return data };
        if body.blocks.is_empty() {
            self.error(at, "a function with a body needs at least one block");
        }
        if let Some(entry) = body.entry {
            data.entry = Block(entry.number);
        }
        self.declare_values(body);
        for block in &body.blocks {
            self.expect_next(block.name, data.blocks.len());
            let contents = self.block(id, block);
            data.blocks.push(contents);
        }
        data.values = std::mem::take(&mut self.values);
        data
    }

    /// Reads the declarations of all values first, because uses may precede them.
    fn declare_values(&mut self, body: &tree::Body) {
        let mut declarations: Vec<(&tree::ValueDeclaration, Span)> = Vec::new();
        declarations.extend(body.unused.iter().map(|declaration| (declaration, Span::NONE)));
        for block in &body.blocks {
            declarations.extend(block.parameters.iter().map(|declaration| (declaration, Span::NONE)));
            for instruction in &block.instructions {
                let default = instruction.span.unwrap_or_default();
                declarations.extend(instruction.result.iter().map(|result| (result, default)));
            }
        }
        declarations.sort_by_key(|(declaration, _)| declaration.name.number);
        self.values = PrimaryMap::new();
        for (declaration, default) in declarations {
            let name = declaration.name;
            if (name.number as usize) < self.values.len() {
                self.error(name.at, format!("`v{}` is declared twice", name.number));
                continue;
            }
            if name.number as usize > self.values.len() {
                let next = self.values.len();
                self.error(
                    name.at,
                    format!(
                        "there is no `v{next}`; declare a value without a definition as `unused v{next}: …`"
                    ),
                );
                return;
            }
            let ty = self.checked_type(declaration.ty, name.at);
            let span = declaration.span.unwrap_or(default);
            self.values.push(ValueData { ty, name: declaration.text.clone(), span });
        }
    }

    fn block(&mut self, function: Function, block: &tree::Block) -> BlockData {
        let id = Block(block.name.number);
        self.spans.insert((function, Some(id), None), block.terminator_at);
        let parameters = block.parameters.iter().map(|parameter| Value(parameter.name.number)).collect();
        let mut instructions = Vec::new();
        for instruction in &block.instructions {
            self.spans.insert((function, Some(id), Some(instructions.len())), instruction.at);
            let kind = self.instruction(&instruction.kind);
            instructions.push(Instruction {
                result: instruction.result.as_ref().map(|result| Value(result.name.number)),
                kind,
                span: instruction.span.unwrap_or_default(),
            });
        }
        BlockData {
            parameters,
            instructions,
            terminator: self.terminator(&block.terminator),
            span: block.span.unwrap_or_default(),
            label: block.label.clone(),
            call_boundary: None,
        }
    }

    fn instruction(&mut self, kind: &tree::InstructionKind) -> InstructionKind {
        match kind {
            tree::InstructionKind::Pure(term) => InstructionKind::Pure(self.term(*term)),
            tree::InstructionKind::Havoc(source) => InstructionKind::Havoc(match source {
                tree::HavocSource::Input(name) => HavocSource::Input(name.clone()),
                tree::HavocSource::Uninitialized => HavocSource::Uninitialized,
                tree::HavocSource::External(name) => HavocSource::External(name.clone()),
                tree::HavocSource::Approximation(name) => HavocSource::Approximation(name.clone()),
            }),
            tree::InstructionKind::AddressOf(object) => InstructionKind::AddressOf(Object(object.number)),
            tree::InstructionKind::FunctionAddress(function) => {
                InstructionKind::FunctionAddress(Function(function.number))
            }
            tree::InstructionKind::Load { region, address } => InstructionKind::Load {
                region: Region(region.number),
                address: address.map(|address| self.term(address)),
            },
            tree::InstructionKind::Store { region, address, ty, value, place } => InstructionKind::Store {
                region: Region(region.number),
                address: address.map(|address| self.term(address)),
                value: self.term(*value),
                ty: self.ty(*ty),
                place: place.clone(),
            },
            tree::InstructionKind::Forget { region, object } => {
                InstructionKind::Forget { region: Region(region.number), object: Object(object.number) }
            }
            tree::InstructionKind::Allocate { parts, size, align, contents } => InstructionKind::Allocate {
                parts: parts.iter().map(part).collect(),
                size: self.term(*size),
                align: align.unwrap_or(self.machine.block_align()),
                contents: match contents {
                    tree::Contents::Zero => Contents::Zero,
                    tree::Contents::Unknown => Contents::Unknown,
                },
            },
            tree::InstructionKind::Call { callee, arguments } => {
                let callee = match callee {
                    tree::Callee::Direct(function) => Callee::Direct(Function(function.number)),
                    tree::Callee::Indirect(address, signature) => {
                        let at = self.tree.terms[address.root.0 as usize].at;
                        if signature.variadic == Variadic::Yes {
                            self.error(
                                at,
                                "the type of an indirect call must list the fixed parameters, without `...`",
                            );
                        }
                        Callee::Indirect {
                            address: self.term(*address),
                            parameters: signature
                                .parameters
                                .iter()
                                .map(|&ty| self.checked_type(ty, at))
                                .collect(),
                            result: signature.result.map(|ty| self.checked_type(ty, at)),
                        }
                    }
                };
                InstructionKind::Call { callee, arguments: self.terms(arguments) }
            }
        }
    }

    fn terminator(&mut self, terminator: &tree::Terminator) -> Terminator {
        match terminator {
            tree::Terminator::Goto(edge) => Terminator::Goto(self.edge(edge)),
            tree::Terminator::Branch { condition, then, otherwise } => Terminator::Branch {
                condition: self.term(*condition),
                then: self.edge(then),
                otherwise: self.edge(otherwise),
            },
            tree::Terminator::Switch { scrutinee, cases, default } => Terminator::Switch {
                scrutinee: self.term(*scrutinee),
                cases: cases
                    .iter()
                    .map(|case| SwitchCase {
                        ranges: case
                            .ranges
                            .iter()
                            .map(|&(low, high)| (self.term(low), self.term(high)))
                            .collect(),
                        signedness: match case.signedness {
                            tree::Signedness::Signed => Signedness::Signed,
                            tree::Signedness::Unsigned => Signedness::Unsigned,
                        },
                        edge: self.edge(&case.edge),
                    })
                    .collect(),
                default: self.edge(default),
            },
            tree::Terminator::Return(value) => Terminator::Return(value.map(|value| self.term(value))),
            tree::Terminator::Error(property) => Terminator::Error(Property(property.number)),
            tree::Terminator::Stop(reason) => Terminator::Stop(match reason {
                tree::StopReason::Assume => StopReason::Assume,
                tree::StopReason::Exit => StopReason::Exit,
                tree::StopReason::Unreachable => StopReason::Unreachable,
            }),
            tree::Terminator::Unsupported(name) => Terminator::Unsupported(Unsupported(name.number)),
        }
    }

    fn edge(&mut self, edge: &tree::Edge) -> Edge {
        Edge { target: Block(edge.target.number), arguments: self.terms(&edge.arguments) }
    }

    fn terms(&mut self, terms: &[tree::Term]) -> Vec<Term> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    /// Reads the nodes of a term in order; children and bindings come first. An invalid node
    /// becomes `true`, and consequential errors are suppressed.
    fn term(&mut self, term: tree::Term) -> Term {
        self.bound.clear();
        let mut done: Vec<Option<Term>> = Vec::new();
        let tree = self.tree;
        for node in &tree.terms[term.first.0 as usize..=term.root.0 as usize] {
            let result = self.node(node, &done, term.first.0 as usize);
            if let Err(Some(message)) = &result {
                self.error(node.at, message.clone());
            }
            done.push(result.ok());
        }
        done.pop().flatten().unwrap_or_else(|| self.pool.tru())
    }

    /// Fails with `Err(None)` if a child was invalid.
    fn node(
        &mut self,
        node: &tree::TermNode,
        done: &[Option<Term>],
        first: usize,
    ) -> Result<Term, Option<String>> {
        let child = |id: tree::TermId| done[id.0 as usize - first].ok_or(None);
        match &node.kind {
            TermKind::Value(number) => match self.values.get(Value::new(*number as usize)) {
                Some(data) => {
                    let sort = data.ty.sort();
                    Ok(self.pool.value(*number, sort))
                }
                None => Err(Some(format!("there is no `v{number}`"))),
            },
            TermKind::Truth(Truth::True) => Ok(self.pool.tru()),
            TermKind::Truth(Truth::False) => Ok(self.pool.fls()),
            TermKind::Bits(text) => {
                let (radix, bits) = if text.starts_with("#x") { (16, 4) } else { (2, 1) };
                let digits = &text[2..];
                let width = u32::try_from(digits.len()).ok().and_then(|digits| digits.checked_mul(bits));
                let width = width.filter(|&width| width <= term::MAX_WIDTH);
                match (width, BigUint::parse_bytes(digits.as_bytes(), radix)) {
                    (Some(width), Some(value)) => {
                        Ok(self.pool.bit_vector(&BitVector::from_natural(width, value)))
                    }
                    _ => Err(Some("constant too wide".to_owned())),
                }
            }
            TermKind::Decimal(text, width) => {
                let digits = text.strip_prefix("bv").filter(|digits| digits.len() <= MAX_DECIMAL_DIGITS);
                let value = digits.and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 10));
                match value {
                    Some(value)
                        if (1..=term::MAX_WIDTH).contains(width) && value.bits() <= u64::from(*width) =>
                    {
                        Ok(self.pool.bit_vector(&BitVector::from_natural(*width, value)))
                    }
                    _ => Err(Some("expected a constant such as `(_ bv42 8)` that fits its width".to_owned())),
                }
            }
            TermKind::Bound(number) => match self.bound.get(number) {
                Some(&term) => Ok(term),
                None => Err(Some(format!("`?{number}` is not bound"))),
            },
            TermKind::Apply { operator, indices, arguments } => {
                let arguments: Vec<Term> = arguments.iter().map(|&id| child(id)).collect::<Result<_, _>>()?;
                term::apply(self.pool, operator, indices, &arguments).map_err(Some)
            }
            TermKind::RoundingMode(name) => {
                let mode = RoundingMode::ALL.into_iter().find(|mode| mode.name() == name);
                match mode {
                    Some(mode) => Ok(self.pool.rounding_mode(mode)),
                    None => Err(Some(format!("`{name}` is not a rounding mode"))),
                }
            }
            TermKind::Binding(number, value) => {
                let value = child(*value)?;
                match self.bound.insert(*number, value) {
                    None => Ok(value),
                    Some(_) => Err(Some(format!("`?{number}` is bound twice in this term"))),
                }
            }
            TermKind::Let(body) => child(*body),
        }
    }
}

/// The greatest number of digits of decimal constants; their conversion takes quadratic time.
const MAX_DECIMAL_DIGITS: usize = 10_000;

fn part(part: &tree::Part) -> Part {
    let region = Region(part.region.number);
    if part.stretches.is_empty() {
        return Part::whole(region);
    }
    // A stretch without bytes is refused by the checker.
    let stretches = part.stretches.iter().map(|&(first, end)| (first, end.saturating_sub(first)));
    Part { region, offsets: Offsets { stretches: stretches.collect(), period: part.period.unwrap_or(0) } }
}
