//! The well-formedness rules of the IR, and their checker.
//!
//! Every stage after lowering relies on these rules. The checker runs after lowering and after each
//! pass, in all builds. It reports all violations and never panics. Its time is linear in the size
//! of the program, where the size of an instruction is the number of distinct subterms of its
//! terms.
//!
//! # The program
//! 1. The entry function exists, has a body and no parameters, and is not variadic.
//! 2. Names of regions are unique, and so are names of functions.
//! 3. The type of a `Scalar` or `Cells` region has a whole number of bytes, so it is never `Bool`.
//! 4. An object has at least one byte, a power of two as alignment, an existing owner if any, and
//!    at least one region, all of which exist.
//! 21. The slots of a machine have at least 512 addresses, and there are at least four slots. The
//!     regions of the shadow exist, `live-blocks` is a scalar, the others are cells, and no object
//!     lies in them.
//!
//! # A function with a body
//! 5. The entry block exists, has no incoming edge, and its parameters have the types of the
//!    function's parameters.
//! 6. Integers have at least one bit; pointers have the machine's width.
//! 7. A value has at most one definition: an instruction or a block parameter. A used value is
//!    defined.
//! 8. A definition dominates each use. Uses are in terms of instructions and terminators, and in
//!    arguments of edges; the latter count as uses at the end of the source block. Unreachable
//!    blocks are exempt.
//! 9. Terms consist of Boolean, bit-vector and float operators over `Value` leaves of the value's
//!    sort. They contain no free symbols, uninterpreted functions, bound variables, quantifiers,
//!    integers, reals or arrays.
//! 10. An edge leads to a block of the function and has one argument of the right sort for each of
//!     its parameters.
//!
//! # Terminators
//! 11. The condition of a branch has sort Bool, the scrutinee of a switch is a bit vector.
//! 12. The bounds of a switch case are constants of the scrutinee's sort, the lower bound does not
//!     exceed the upper bound, and ranges are disjoint.
//! 13. A return has a value, of the result's sort, exactly if the function has a result.
//! 14. Properties and unsupported constructs in terminators exist.
//!
//! # Instructions
//! 15. Stores and `Forget` have no result, calls may have one, all other instructions have one.
//! 16. `Pure` has a term of the result's sort.
//! 17. A load or store has an address exactly if its region is not `Scalar`; addresses are
//!     pointer-wide bit vectors. In `Scalar` and `Cells` regions the accessed type has the width of
//!     the cells; every accessed type has a whole number of bytes.
//! 18. `AddressOf` and `Forget` name a static object or an object of this function, `Forget` with
//!     one of its regions; the result of an address instruction is pointer-wide.
//! 19. `Allocate` has a pointer-wide size and result, and parts in regions that are not `Scalar`.
//! 20. A call has one argument of the right sort for each parameter (more for variadic functions
//!     and indirect calls), and a result, of the callee's result sort, only if the callee has a
//!     result.

use super::cfg::ControlFlow;
use super::dominators::Dominators;
use super::liveness::{Definition, definitions};
use super::{
    Block, Callee, Edge, Function, FunctionData, Instruction, InstructionKind, Object, Part, Program,
    Property, Region, RegionKind, Signedness, SwitchCase, Terminator, Type, Unsupported, Value,
};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool};

/// A violation of a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {rule}")]
pub struct Violation {
    /// The location.
    pub location: Location,
    /// The violated rule, with details.
    pub rule: Rule,
}

/// A location in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The function; `None` for the tables of the program.
    pub function: Option<Function>,
    /// The block.
    pub block: Option<Block>,
    /// The instruction's index in the block; `None` for the terminator or the block itself.
    pub instruction: Option<usize>,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(function) = self.function else { return f.write_str("program") };
        write!(f, "{function}")?;
        if let Some(block) = self.block {
            write!(f, ".{block}")?;
        }
        if let Some(instruction) = self.instruction {
            write!(f, "[{instruction}]")?;
        }
        Ok(())
    }
}

/// A violated rule. The comments of the variants give the numbers of the rules in the module's
/// documentation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    /// 1.
    #[error("the entry must be a function with a body and without parameters")]
    Entry,
    /// 2.
    #[error("the name `{0}` is used twice")]
    DuplicateName(String),
    /// 3, 6, 17.
    #[error("type {0:?} is not allowed here")]
    BadType(Type),
    /// 4.
    #[error(
        "{0} needs a size of at least 1, a power of two as alignment, an existing owner, and at least one region, all of which exist"
    )]
    BadObject(Object),
    /// 19.
    #[error("an allocated object needs at least one part, and its stretches at least one byte")]
    Parts,
    /// 21.
    #[error("slots of this size are not supported for the pointer width of the machine")]
    SlotBits,
    /// 21.
    #[error("the shadow region {0} does not exist, has the wrong kind or holds an object")]
    ShadowRegion(Region),
    /// 5.
    #[error("the entry block does not exist or its parameters differ from those of the function")]
    EntryBlock,
    /// 5.
    #[error("an edge leads to the entry block")]
    EdgeToEntry,
    /// 7.
    #[error("{0} is defined twice")]
    DefinedTwice(Value),
    /// 7.
    #[error("{0} is used but not defined")]
    Undefined(Value),
    /// 7.
    #[error("{0} is not a value of the function")]
    NoSuchValue(Value),
    /// 8.
    #[error("the definition of {0} does not dominate this use")]
    NotDominated(Value),
    /// 9.
    #[error("the leaf of {value} has sort {found:?}, but its type has sort {expected:?}")]
    LeafSort {
        /// The value.
        value: Value,
        /// The sort of the leaf.
        found: Sort,
        /// The sort of the value's type.
        expected: Sort,
    },
    /// 9.
    #[error("operator {0:?} of sort {1:?} is not allowed in instructions")]
    ForeignOperator(Op, Sort),
    /// 10.
    #[error("an edge leads to {0}, which does not exist")]
    NoSuchBlock(Block),
    /// 10, 20.
    #[error("{found} arguments for {expected} parameters")]
    Arity {
        /// The actual number.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// 9–11, 13, 16–20.
    #[error("{what} has sort {found:?} instead of {expected:?}")]
    WrongSort {
        /// The operand.
        what: &'static str,
        /// The actual sort.
        found: Sort,
        /// The expected sort.
        expected: Sort,
    },
    /// 11.
    #[error("the scrutinee of a switch is not a bit vector")]
    Scrutinee,
    /// 12.
    #[error("the bounds of a switch case are not ordered constants of the scrutinee's sort")]
    CaseBounds,
    /// 12.
    #[error("two cases of a switch overlap")]
    OverlappingCases,
    /// 13, 15, 20.
    #[error("a result or returned value is missing or superfluous")]
    ResultPresence,
    /// 14.
    #[error("{0} does not exist")]
    NoSuchProperty(Property),
    /// 14.
    #[error("{0} does not exist")]
    NoSuchUnsupported(Unsupported),
    /// 17–19.
    #[error("{0} does not exist")]
    NoSuchRegion(Region),
    /// 18.
    #[error("{0} does not exist, belongs to another function, or is not in this region")]
    ForeignObject(Object),
    /// 18, 20.
    #[error("{0} does not exist")]
    NoSuchFunction(Function),
    /// 17, 19.
    #[error("scalar regions allow neither addresses nor allocations, and all other regions need an address")]
    AddressPresence,
}

/// Returns all violations in the program.
pub fn check(pool: &TermPool, program: &Program) -> Vec<Violation> {
    let mut violations = Vec::new();
    let here = Location { function: None, block: None, instruction: None };
    let mut report = |rule| violations.push(Violation { location: here, rule });
    let entry = program.functions.get(program.entry);
    if !entry.is_some_and(|entry| entry.is_defined() && entry.parameters.is_empty() && !entry.is_variadic) {
        report(Rule::Entry);
    }
    for names in [
        program.regions.values().map(|region| &region.name).collect::<Vec<_>>(),
        program.functions.values().map(|function| &function.name).collect(),
    ] {
        let mut seen = FxHashSet::default();
        for name in names {
            if !seen.insert(name) {
                report(Rule::DuplicateName(name.clone()));
            }
        }
    }
    for region in program.regions.values() {
        if let Some(ty) = region.kind.cell_type().filter(|&ty| !is_storable(ty)) {
            report(Rule::BadType(ty));
        }
    }
    for (object, data) in program.objects.iter() {
        let is_good = data.size > 0
            && data.align.is_power_of_two()
            && data.owner.is_none_or(|owner| program.functions.get(owner).is_some())
            && !data.regions.is_empty()
            && data.regions.iter().all(|&region| program.regions.get(region).is_some());
        if !is_good {
            report(Rule::BadObject(object));
        }
    }
    let machine = program.machine;
    if machine.slot_bits.is_some_and(|bits| !slot_bits_range(machine.pointer_width).contains(&bits)) {
        report(Rule::SlotBits);
    }
    for (_, region) in program.shadow.regions() {
        let is_scalar = Some(region) == program.shadow.live_blocks;
        let has_kind = program.regions.get(region).is_some_and(|data| match data.kind {
            RegionKind::Scalar(_) => is_scalar,
            RegionKind::Cells(_) => !is_scalar,
            RegionKind::Bytes => false,
        });
        if !has_kind || program.objects.values().any(|object| object.regions.contains(&region)) {
            report(Rule::ShadowRegion(region));
        }
    }
    for function in program.functions.keys() {
        violations.extend(check_function(pool, program, function));
    }
    violations
}

/// Returns all violations in one function.
pub fn check_function(pool: &TermPool, program: &Program, function: Function) -> Vec<Violation> {
    let data = &program.functions[function];
    let mut checker = Checker {
        pool,
        program,
        function,
        data,
        location: Location { function: Some(function), block: None, instruction: None },
        position: 0,
        definitions: Vec::new(),
        dominators: None,
        known: FxHashSet::default(),
        violations: Vec::new(),
    };
    checker.types();
    if data.is_defined() && checker.structure() {
        let graph = ControlFlow::new(data);
        checker.dominators = Some((Dominators::new(&graph), graph));
        checker.definitions = positions(data);
        for block in data.blocks.keys() {
            checker.block(block);
        }
    }
    checker.violations
}

/// The definition of each value and its position in the block: 0 for parameters, 1 + index for
/// instructions.
fn positions(data: &FunctionData) -> Vec<Option<(Definition, usize)>> {
    let mut positions: Vec<Option<(Definition, usize)>> = definitions(data)
        .into_iter()
        .map(|definition| definition.map(|definition| (definition, 0)))
        .collect();
    for block in data.blocks.values() {
        for (index, instruction) in block.instructions.iter().enumerate() {
            if let Some((_, position)) =
                instruction.result.and_then(|result| positions[result.index()].as_mut())
            {
                *position = index + 1;
            }
        }
    }
    positions
}

fn is_storable(ty: Type) -> bool {
    ty.width() > 0 && ty.width().is_multiple_of(8)
}

struct Checker<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    function: Function,
    data: &'a FunctionData,
    location: Location,
    /// Values defined in the current block before this position may be used.
    position: usize,
    definitions: Vec<Option<(Definition, usize)>>,
    dominators: Option<(Dominators, ControlFlow)>,
    /// Terms whose operators have been checked in this function.
    known: FxHashSet<Term>,
    violations: Vec<Violation>,
}

impl Checker<'_> {
    fn report(&mut self, rule: Rule) {
        self.violations.push(Violation { location: self.location, rule });
    }

    fn pointer(&self) -> Sort {
        Sort::BitVec(self.program.machine.pointer_width)
    }

    fn types(&mut self) {
        let values = self.data.values.values().map(|value| value.ty);
        let types: Vec<Type> =
            values.chain(self.data.parameters.iter().copied()).chain(self.data.result).collect();
        for ty in types {
            let is_good = match ty {
                Type::Bool => true,
                Type::Int { width, .. } => width > 0,
                Type::Pointer { width } => width == self.program.machine.pointer_width,
            };
            if !is_good {
                self.report(Rule::BadType(ty));
            }
        }
    }

    /// Checks that indices are in range and definitions unique; all other checks rely on this.
    fn structure(&mut self) -> bool {
        let before = self.violations.len();
        let data = self.data;
        let mut seen = vec![false; data.values.len()];
        for (block, contents) in data.blocks.iter() {
            self.location.block = Some(block);
            let results = contents.instructions.iter().filter_map(|instruction| instruction.result);
            for value in contents.parameters.iter().copied().chain(results) {
                match seen.get_mut(value.index()) {
                    None => self.report(Rule::NoSuchValue(value)),
                    Some(seen) if *seen => self.report(Rule::DefinedTwice(value)),
                    Some(seen) => *seen = true,
                }
            }
            for edge in contents.terminator.edges() {
                if data.blocks.get(edge.target).is_none() {
                    self.report(Rule::NoSuchBlock(edge.target));
                }
            }
        }
        self.location.block = None;
        if data.blocks.get(data.entry).is_none() {
            self.report(Rule::EntryBlock);
        }
        self.violations.len() == before
    }

    fn block(&mut self, block: Block) {
        let contents = &self.data.blocks[block];
        self.location = Location { function: Some(self.function), block: Some(block), instruction: None };
        if block == self.data.entry {
            let types = contents.parameters.iter().map(|&parameter| self.data.values[parameter].ty);
            if !types.eq(self.data.parameters.iter().copied()) {
                self.report(Rule::EntryBlock);
            }
        }
        for (index, instruction) in contents.instructions.iter().enumerate() {
            self.location.instruction = Some(index);
            self.position = index + 1;
            self.instruction(instruction);
        }
        self.location.instruction = None;
        self.position = usize::MAX;
        self.terminator(&contents.terminator);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let pointer = self.pointer();
        let result = instruction.result.map(|value| self.data.values[value].ty);
        let is_present = match &instruction.kind {
            InstructionKind::Store { .. } | InstructionKind::Forget { .. } => result.is_none(),
            InstructionKind::Call { .. } => true,
            _ => result.is_some(),
        };
        if !is_present {
            self.report(Rule::ResultPresence);
        }
        let result_is = |checker: &mut Self, expected: Sort| {
            if let Some(found) = result.map(Type::sort).filter(|&found| found != expected) {
                checker.report(Rule::WrongSort { what: "the result", found, expected });
            }
        };
        match &instruction.kind {
            InstructionKind::Pure(term) => {
                self.term(*term);
                result_is(self, self.pool.sort(*term));
            }
            InstructionKind::Havoc(_) => {}
            InstructionKind::AddressOf(object) => {
                self.object(*object, None);
                result_is(self, pointer);
            }
            InstructionKind::FunctionAddress(function) => {
                if self.program.functions.get(*function).is_none() {
                    self.report(Rule::NoSuchFunction(*function));
                }
                result_is(self, pointer);
            }
            InstructionKind::Load { region, address } => self.access(*region, *address, result),
            InstructionKind::Store { region, address, value, ty, place: _ } => {
                self.access(*region, *address, Some(*ty));
                self.operand("the stored value", *value, ty.sort());
            }
            InstructionKind::Forget { region, object } => {
                if self.program.regions.get(*region).is_none() {
                    self.report(Rule::NoSuchRegion(*region));
                }
                self.object(*object, Some(*region));
            }
            InstructionKind::Allocate { parts, size, align: _, contents: _ } => {
                let is_good = |part: &Part| part.offsets.stretches.iter().all(|&(_, bytes)| bytes > 0);
                if parts.is_empty() || !parts.iter().all(is_good) {
                    self.report(Rule::Parts);
                }
                for &Part { region, .. } in parts {
                    match self.program.regions.get(region).map(|data| data.kind) {
                        None => self.report(Rule::NoSuchRegion(region)),
                        Some(RegionKind::Scalar(_)) => self.report(Rule::AddressPresence),
                        Some(_) => {}
                    }
                }
                self.operand("the size", *size, pointer);
                result_is(self, pointer);
            }
            InstructionKind::Call { callee, arguments } => self.call(callee, arguments, result),
        }
    }

    fn object(&mut self, object: Object, region: Option<Region>) {
        let is_good = self.program.objects.get(object).is_some_and(|data| {
            data.owner.is_none_or(|owner| owner == self.function)
                && region.is_none_or(|region| data.regions.contains(&region))
        });
        if !is_good {
            self.report(Rule::ForeignObject(object));
        }
    }

    fn access(&mut self, region: Region, address: Option<Term>, ty: Option<Type>) {
        let Some(data) = self.program.regions.get(region) else {
            return self.report(Rule::NoSuchRegion(region));
        };
        if matches!(data.kind, RegionKind::Scalar(_)) == address.is_some() {
            self.report(Rule::AddressPresence);
        }
        if let Some(address) = address {
            self.operand("the address", address, self.pointer());
        }
        let Some(ty) = ty else { return };
        if !is_storable(ty) {
            self.report(Rule::BadType(ty));
        }
        if let Some(cell) = data.kind.cell_type().filter(|cell| cell.width() != ty.width()) {
            self.report(Rule::WrongSort { what: "the access", found: ty.sort(), expected: cell.sort() });
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Term], result: Option<Type>) {
        let program = self.program;
        let (parameters, callee_result, may_have_more) = match callee {
            Callee::Direct(function) => match program.functions.get(*function) {
                None => return self.report(Rule::NoSuchFunction(*function)),
                Some(data) => (&data.parameters, data.result, data.is_variadic),
            },
            Callee::Indirect { address, parameters, result } => {
                self.operand("the called address", *address, self.pointer());
                (parameters, *result, true)
            }
        };
        let (found, expected) = (arguments.len(), parameters.len());
        if found < expected || (found > expected && !may_have_more) {
            self.report(Rule::Arity { found, expected });
        }
        for (index, &argument) in arguments.iter().enumerate() {
            match parameters.get(index) {
                Some(parameter) => self.operand("an argument", argument, parameter.sort()),
                None => self.term(argument),
            }
        }
        match (result, callee_result) {
            (None, _) => {}
            (Some(_), None) => self.report(Rule::ResultPresence),
            (Some(found), Some(expected)) if found.sort() != expected.sort() => {
                self.report(Rule::WrongSort {
                    what: "the result",
                    found: found.sort(),
                    expected: expected.sort(),
                });
            }
            (Some(_), Some(_)) => {}
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Goto(_) | Terminator::Stop(_) => {}
            Terminator::Branch { condition, .. } => self.operand("the condition", *condition, Sort::Bool),
            Terminator::Switch { scrutinee, cases, .. } => {
                self.term(*scrutinee);
                match self.pool.sort(*scrutinee) {
                    Sort::BitVec(width) => self.cases(width, cases),
                    _ => self.report(Rule::Scrutinee),
                }
            }
            Terminator::Return(value) => match (value, self.data.result) {
                (None, None) => {}
                (Some(value), Some(ty)) => self.operand("the returned value", *value, ty.sort()),
                (Some(value), None) => {
                    self.term(*value);
                    self.report(Rule::ResultPresence);
                }
                (None, Some(_)) => self.report(Rule::ResultPresence),
            },
            Terminator::Error(property) => {
                if self.program.properties.get(*property).is_none() {
                    self.report(Rule::NoSuchProperty(*property));
                }
            }
            Terminator::Unsupported(unsupported) => {
                if self.program.unsupported.get(*unsupported).is_none() {
                    self.report(Rule::NoSuchUnsupported(*unsupported));
                }
            }
        }
        for edge in terminator.edges() {
            self.edge(edge);
        }
    }

    fn edge(&mut self, edge: &Edge) {
        if edge.target == self.data.entry {
            self.report(Rule::EdgeToEntry);
        }
        let parameters = &self.data.blocks[edge.target].parameters;
        if parameters.len() != edge.arguments.len() {
            self.report(Rule::Arity { found: edge.arguments.len(), expected: parameters.len() });
        }
        for (&argument, &parameter) in edge.arguments.iter().zip(parameters) {
            self.operand("an argument", argument, self.data.values[parameter].ty.sort());
        }
    }

    fn cases(&mut self, width: u32, cases: &[SwitchCase]) {
        // Compared as natural numbers; a signed range that contains -1 and 0 is split in two.
        let mut ranges: Vec<(BigUint, BigUint)> = Vec::new();
        for case in cases {
            for &(low, high) in &case.ranges {
                let bounds = (self.pool.as_bv(low), self.pool.as_bv(high));
                let (Some((low_width, low)), Some((high_width, high))) = bounds else {
                    return self.report(Rule::CaseBounds);
                };
                if low_width != width || high_width != width {
                    return self.report(Rule::CaseBounds);
                }
                let (low, high) = (low.clone(), high.clone());
                let sign = BigUint::from(1u32) << (width - 1);
                let is_negative = |value: &BigUint| case.signedness == Signedness::Signed && *value >= sign;
                match (is_negative(&low), is_negative(&high)) {
                    (true, false) => {
                        ranges.push((low, (BigUint::from(1u32) << width) - 1u32));
                        ranges.push((BigUint::ZERO, high));
                    }
                    (false, true) => return self.report(Rule::CaseBounds),
                    _ if low > high => return self.report(Rule::CaseBounds),
                    _ => ranges.push((low, high)),
                }
            }
        }
        ranges.sort_unstable();
        if ranges.windows(2).any(|pair| pair[0].1 >= pair[1].0) {
            self.report(Rule::OverlappingCases);
        }
    }

    fn operand(&mut self, what: &'static str, term: Term, expected: Sort) {
        self.term(term);
        let found = self.pool.sort(term);
        if found != expected {
            self.report(Rule::WrongSort { what, found, expected });
        }
    }

    /// Checks the operators of a term, and that the values it uses are available at the current
    /// position.
    fn term(&mut self, term: Term) {
        if !self.known.contains(&term) {
            let mut stack = vec![term];
            while let Some(term) = stack.pop() {
                if self.known.insert(term) {
                    self.node(term);
                    stack.extend_from_slice(self.pool.children(term));
                }
            }
        }
        match self.pool.op(term) {
            Op::Value(value) => self.use_of(Value(value)),
            _ => {
                for value in self.pool.free_values(term) {
                    self.use_of(Value(value));
                }
            }
        }
    }

    fn node(&mut self, term: Term) {
        let (op, sort) = (self.pool.op(term), self.pool.sort(term));
        let is_foreign = matches!(op, Op::Symbol(_) | Op::Bound(_) | Op::Apply(_) | Op::Forall | Op::Exists)
            || !matches!(sort, Sort::Bool | Sort::BitVec(_) | Sort::Float(..) | Sort::RoundingMode);
        if is_foreign {
            self.report(Rule::ForeignOperator(op, sort));
        }
        if let Op::Value(value) = op
            && let Some(data) = self.data.values.get(Value(value))
            && data.ty.sort() != sort
        {
            self.report(Rule::LeafSort { value: Value(value), found: sort, expected: data.ty.sort() });
        }
    }

    fn use_of(&mut self, value: Value) {
        let Some((dominators, graph)) = &self.dominators else { return };
        let Some(block) = self.location.block else { return };
        match self.definitions.get(value.index()) {
            None => self.report(Rule::NoSuchValue(value)),
            Some(None) => self.report(Rule::Undefined(value)),
            Some(Some((definition, position))) => {
                let is_dominated = if definition.block() == block {
                    *position < self.position
                } else {
                    dominators.dominates(definition.block(), block)
                };
                if !is_dominated && graph.is_reachable(block) {
                    self.report(Rule::NotDominated(value));
                }
            }
        }
    }
}

/// The prefix of the messages of [`assert_well_formed`].
pub const NOT_WELL_FORMED: &str = "the program is not well formed";

/// Checks the result of lowering or of a pass, in all builds. `after` names the stage.
///
/// # Panics
/// If the program violates a rule; the message names the stage, the function, the location and the
/// rule.
pub fn assert_well_formed(pool: &TermPool, program: &Program, after: &str) {
    assert_none(program, &check(pool, program), after);
}

/// Checks one function after a pass that changed no other function.
///
/// # Panics
/// As [`assert_well_formed`].
pub fn assert_function_well_formed(pool: &TermPool, program: &Program, function: Function, after: &str) {
    assert_none(program, &check_function(pool, program, function), after);
}

fn assert_none(program: &Program, violations: &[Violation], after: &str) {
    let [first, rest @ ..] = violations else { return };
    let function = first.location.function.and_then(|function| program.functions.get(function));
    let function = function.map_or_else(String::new, |data| format!(" in the function `{}`", data.name));
    let more = if rest.is_empty() { String::new() } else { format!(" (and {} more violations)", rest.len()) };
    panic!("{NOT_WELL_FORMED} after {after}{function}: {first}{more}");
}

/// The least and the greatest [`slot_bits`](super::Machine::slot_bits) for a pointer width.
const fn slot_bits_range(pointer_width: u32) -> std::ops::RangeInclusive<u32> {
    9..=pointer_width.saturating_sub(2)
}
