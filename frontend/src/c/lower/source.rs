//! Debug information for traces: the source types of places, and the operands of conditions.
//!
//! The result is a [`SourceInfo`]. It has no effect on the semantics: lowering never reads it.

use super::calls::Argument;
use super::function::Lowering;
use super::module::Module;
use super::places::Value;
use super::ssa::Debug;
use crate::c::hir::{self, ExprId, ExprKind, PlaceKind};
use crate::c::link::UnitId;
use crate::c::sema::type_name;
use crate::c::types::{BitRange, IntegerKind, Type as CType, TypeId};
use program::ssa::source::{
    BitField, Decision, DecisionOperand, Operation, SourceField, SourceInfo, SourceKind, SourceType,
    SourceTypeData, TrueEdge,
};
use program::ssa::{Block, Function, Object, Property, Signedness};
use rustc_hash::FxHashMap;
use terms::Term;

/// The largest number of operands of a condition that a trace shows.
const MAX_OPERANDS: usize = 6;

/// [`SourceInfo`] under construction.
#[derive(Default)]
pub(super) struct SourceTypes {
    info: SourceInfo,
    known: FxHashMap<(UnitId, TypeId), SourceType>,
}

/// The reads of a condition under evaluation.
pub(super) struct Reads {
    /// The block in which the evaluation began.
    start: Block,
    all: Vec<Read>,
}

/// The value of an expression that reads a place or calls a function.
struct Read {
    expr: ExprId,
    term: Term,
    block: Block,
}

/// The source expression that a trace shows for a branch.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) expr: ExprId,
    pub(super) true_edge: TrueEdge,
}

impl SourceTypes {
    /// Adds the debug information of the blocks of a function.
    pub(super) fn of_function(&mut self, function: Function, debug: Debug) {
        let Debug { decisions, loops, declared } = debug;
        let decisions = decisions.into_iter().map(|(block, decision)| ((function, block), decision));
        self.info.decisions.extend(decisions);
        self.info.loops.extend(loops.into_iter().map(|(block, data)| ((function, block), data)));
        if !declared.is_empty() {
            self.info.declared.insert(function, declared);
        }
    }

    /// Records that an unsupported construct stands for undefined behavior.
    pub(super) fn note_undefined(&mut self, description: &str) {
        if !self.info.undefined.contains(description) {
            self.info.undefined.insert(description.to_owned());
        }
    }

    pub(super) fn finish(self) -> SourceInfo {
        self.info
    }

    /// The source type for the type `ty` of a unit.
    fn of(&mut self, hir: &hir::Program, unit: UnitId, ty: TypeId) -> SourceType {
        let mut work = Vec::new();
        let result = self.id(unit, ty, &mut work);
        while let Some((id, ty)) = work.pop() {
            let kind = self.kind(hir, unit, ty, &mut work);
            let size = hir.types.size(ty).unwrap_or(0);
            self.info.types[id] = SourceTypeData { name: type_name(hir, ty), size, kind };
        }
        result
    }

    /// The entry of a type; a new entry is also added to `work`.
    fn id(&mut self, unit: UnitId, ty: TypeId, work: &mut Vec<(SourceType, TypeId)>) -> SourceType {
        let types = &mut self.info.types;
        *self.known.entry((unit, ty)).or_insert_with(|| {
            let data = SourceTypeData { name: String::new(), size: 0, kind: SourceKind::Opaque };
            let id = types.push(data);
            work.push((id, ty));
            id
        })
    }

    fn kind(
        &mut self,
        hir: &hir::Program,
        unit: UnitId,
        ty: TypeId,
        work: &mut Vec<(SourceType, TypeId)>,
    ) -> SourceKind {
        let signedness = |kind: IntegerKind| match kind.is_signed() {
            true => Signedness::Signed,
            false => Signedness::Unsigned,
        };
        match &hir.types[ty] {
            CType::Integer(IntegerKind::Bool) => SourceKind::Bool,
            CType::Integer(
                kind @ (IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar),
            ) => SourceKind::Character(signedness(*kind)),
            CType::Integer(kind) => SourceKind::Integer(signedness(*kind)),
            CType::BitField(kind, _) => SourceKind::BitField(signedness(*kind)),
            CType::Enum(id) => {
                let data = &hir.types.enums[*id];
                let constants = data.constants.iter().flatten();
                let constants = constants.map(|&(name, value)| (value, hir.name(name).to_owned()));
                SourceKind::Enum(signedness(data.underlying), constants.collect())
            }
            CType::Float(kind) => {
                let (exponent, significand) = kind.format();
                SourceKind::Float { exponent, significand }
            }
            CType::Pointer(to) => SourceKind::Pointer(self.id(unit, to.ty, work)),
            CType::Array(element, _) => SourceKind::Array(self.id(unit, element.ty, work)),
            CType::Function(_) => SourceKind::Function,
            CType::Record(_) => {
                let fields = hir.types.fields(ty).unwrap_or(&[]);
                let field = |field: &crate::c::types::Field| SourceField {
                    name: field.name.map(|name| hir.name(name).to_owned()),
                    offset: field.offset,
                    ty: self.id(unit, field.ty, work),
                };
                SourceKind::Record(fields.iter().map(field).collect())
            }
            CType::Error | CType::Void | CType::Complex(_) | CType::VaList | CType::Vector(..) => {
                SourceKind::Opaque
            }
        }
    }
}

impl Module<'_, '_> {
    fn source_type(&mut self, unit: UnitId, ty: TypeId) -> SourceType {
        let hir = self.unit(unit).hir;
        self.source.of(hir, unit, ty)
    }

    /// Records the type of an object.
    pub(super) fn note_object(&mut self, object: Object, unit: UnitId, ty: TypeId) {
        let ty = self.source_type(unit, ty);
        self.source.info.objects.insert(object, ty);
    }

    /// Records the result type of a function or the type of an input.
    pub(super) fn note_result(&mut self, name: &str, unit: UnitId, ty: TypeId) {
        let ty = self.source_type(unit, ty);
        self.source.info.set_result(name, ty);
    }
}

impl Lowering<'_, '_, '_> {
    /// Records the type of the place with this name.
    pub(super) fn note_place(&mut self, name: &str, ty: TypeId) {
        let ty = self.m.source_type(self.unit, ty);
        self.m.source.info.set_place(self.function, name, ty);
    }

    /// Like [`note_place`](Self::note_place), if there is a name.
    pub(super) fn note_named_place(&mut self, name: Option<&str>, ty: TypeId) {
        if let Some(name) = name {
            self.note_place(name, ty);
        }
    }

    /// Records that the place with this name is a bit-field, whose stores change only `bits` of a
    /// word.
    pub(super) fn note_bit_field(&mut self, name: Option<&str>, bits: BitRange) {
        if let Some(name) = name {
            let bits = BitField { first: bits.first, width: bits.width };
            self.m.source.info.set_bit_field(self.function, name, bits);
        }
    }

    /// Records the operation that fails at an error site.
    pub(super) fn note_operation(&mut self, property: Property, id: ExprId) {
        let ty = type_name(self.hir, self.hir[id].ty);
        let operation = Operation { text: self.render(id), ty };
        self.m.source.info.operations.insert(property, operation);
    }

    /// Records the type of an operand that the trace shows at an error site.
    pub(super) fn note_operand(&mut self, property: Property, text: &str, ty: TypeId) {
        let ty = self.m.source_type(self.unit, ty);
        self.m.source.info.operands.insert((property, text.to_owned()), ty);
    }

    /// Runs `evaluate` and returns its result together with the reads that it performs.
    pub(super) fn watched<R>(&mut self, evaluate: impl FnOnce(&mut Self) -> R) -> (R, Reads) {
        let start = self.b.current();
        let around = self.reads.replace(Reads { start, all: Vec::new() });
        let result = evaluate(self);
        let reads = std::mem::replace(&mut self.reads, around);
        (result, reads.unwrap_or(Reads { start, all: Vec::new() }))
    }

    /// The number of reads so far, to be passed to [`note_read`](Self::note_read).
    pub(super) fn read_mark(&self) -> usize {
        self.reads.as_ref().map_or(0, |reads| reads.all.len())
    }

    /// Records an expression that reads a place or calls a function. It replaces the reads of its
    /// operands, which are the reads since `mark`; only the index reads of an array element are
    /// kept.
    pub(super) fn note_read(&mut self, expr: ExprId, value: &Value, mark: usize) {
        let block = self.b.current();
        let hir = self.hir;
        let Some(reads) = &mut self.reads else { return };
        let is_shown = matches!(
            hir[expr].kind,
            ExprKind::Load(_) | ExprKind::Modify { .. } | ExprKind::Call { .. } | ExprKind::Builtin { .. }
        );
        let (true, &Value::Scalar(term)) = (is_shown, value) else { return };
        let is_index = |read: &Read| hir.types.integer(hir[read.expr].ty).is_some();
        let kept = match &hir[expr].kind {
            ExprKind::Load(place) if matches!(hir[*place].kind, PlaceKind::Index { .. }) => {
                let inner = reads.all.split_off(mark);
                inner.into_iter().filter(is_index).collect()
            }
            _ => Vec::new(),
        };
        reads.all.truncate(mark);
        reads.all.extend(kept);
        reads.all.push(Read { expr, term, block });
    }

    /// Records that the next terminator branches on the argument of an assumption or assertion.
    pub(super) fn decide_argument(&mut self, argument: Argument, condition: Term) {
        if let (Some(expr), Some(reads)) = (argument.expr, self.argument_reads.take())
            && !self.m.pool.is_constant(condition)
        {
            self.decide(Shown { expr, true_edge: TrueEdge::First }, &reads);
        }
    }

    /// Records the condition that the next terminator branches on. Conditions in library models are
    /// not recorded: they do not belong to the program.
    pub(super) fn decide(&mut self, shown: Shown, reads: &Reads) {
        if self.m.is_library(self.unit) {
            return;
        }
        let end = self.b.current();
        let mut operands: Vec<DecisionOperand> = Vec::new();
        for read in &reads.all {
            // A read in a block between `start` and `end` is not evaluated on all paths.
            let is_evaluated = read.block == reads.start || read.block == end;
            let ty = self.hir[read.expr].ty;
            let Some(scalar) = self.m.scalar_type(self.hir, ty).filter(|_| is_evaluated) else { continue };
            let text = self.render(read.expr);
            let is_repeated = |other: &DecisionOperand| other.text == text && !text.contains('…');
            let is_shown = operands.len() < MAX_OPERANDS && !operands.iter().any(is_repeated);
            if is_shown && !self.m.pool.is_constant(read.term) {
                let source = self.m.source_type(self.unit, ty);
                let (term, span) = (read.term, self.hir[read.expr].span);
                operands.push(DecisionOperand { text, span, term, ty: scalar, source });
            }
        }
        let span = self.hir[shown.expr].span;
        self.b.decide(Decision { span, true_edge: shown.true_edge, operands });
    }
}
