//! The HIR as text, for tests and for debugging: deterministic s-expressions.
//!
//! There is no parser for this format. Trees deeper than `MAX_DEPTH` are cut off with `…`.

use super::hir::{
    Callee, ExprId, ExprKind, Fill, FunctionId, GlobalId, InitId, InitValue, LocalId, PlaceId, PlaceKind,
    Program, Scale, StmtId, StmtKind,
};
use super::sema::type_name;
use super::types::TypeId;
use std::fmt::Write;

const MAX_DEPTH: usize = 500;

/// Prints the whole program: globals, then functions.
#[must_use]
pub fn dump(program: &Program) -> String {
    let mut out = String::new();
    for id in program.globals.keys() {
        dump_global(program, id, &mut out);
    }
    for id in program.functions.keys() {
        dump_function(program, id, &mut out);
    }
    out
}

fn dump_global(program: &Program, id: GlobalId, out: &mut String) {
    let global = &program[id];
    let mut dumper = Dumper { program, depth: 0 };
    let name = dumper.global(id);
    let _ =
        write!(out, "(global {name} {:?} {:?} `{}`", global.linkage, global.definition, dumper.ty(global.ty));
    if let Some(init) = global.initializer {
        let _ = write!(out, " {}", dumper.init(init));
    }
    out.push_str(")\n");
}

fn dump_function(program: &Program, id: FunctionId, out: &mut String) {
    let function = &program[id];
    let mut dumper = Dumper { program, depth: 0 };
    let _ = write!(
        out,
        "(function {} {:?} `{}`",
        program.name(function.name),
        function.linkage,
        dumper.ty(function.ty)
    );
    if let Some(body) = &function.body {
        out.push_str("\n  (parameters");
        for &parameter in &body.parameters {
            let _ = write!(out, " ({} `{}`)", dumper.local(parameter), dumper.ty(program[parameter].ty));
        }
        out.push(')');
        for &stmt in &body.stmts {
            dumper.stmt(stmt, 1, out);
        }
    }
    out.push_str(")\n");
}

struct Dumper<'a> {
    program: &'a Program,
    depth: usize,
}

impl Dumper<'_> {
    fn ty(&self, ty: TypeId) -> String {
        type_name(self.program, ty)
    }

    fn local(&self, id: LocalId) -> String {
        match self.program[id].name {
            Some(name) => format!("{}#{}", self.program.name(name), id.0),
            None => format!("#{}", id.0),
        }
    }

    fn global(&self, id: GlobalId) -> String {
        match self.program[id].name {
            Some(name) => format!("{}@{}", self.program.name(name), id.0),
            None => format!("@{}", id.0),
        }
    }

    fn scale(&mut self, scale: Scale) -> String {
        match scale {
            Scale::Constant(size) => size.to_string(),
            Scale::Variable(size) => self.expr(size),
        }
    }

    fn list(&mut self, ids: &[ExprId]) -> String {
        ids.iter().map(|&id| format!(" {}", self.expr(id))).collect()
    }

    fn place(&mut self, id: PlaceId) -> String {
        if self.depth > MAX_DEPTH {
            return "…".into();
        }
        self.depth += 1;
        let place = &self.program[id];
        let text = match place.kind {
            PlaceKind::Local(local) => self.local(local),
            PlaceKind::Global(global) => self.global(global),
            PlaceKind::Deref(pointer) => format!("(deref {})", self.expr(pointer)),
            PlaceKind::Field { base, record, field } => {
                let base = self.place(base);
                let definition = self.program.types.records[record].definition.as_ref();
                let field = definition.map(|definition| definition.fields[field as usize]);
                let mut text = format!("(field {base}");
                if let Some(field) = field {
                    let name = field.name.map_or("_", |name| self.program.name(name));
                    let _ = write!(text, " {name}+{}", field.offset);
                    if let Some(bits) = field.bits {
                        let _ = write!(text, ":{}:{}", bits.first, bits.width);
                    }
                }
                text + ")"
            }
            PlaceKind::Index { array, index, scale } => {
                format!("(index {} {} {})", self.place(array), self.expr(index), self.scale(scale))
            }
            PlaceKind::CompoundLiteral { local, initializer } => {
                format!("(literal {} {})", self.local(local), self.init(initializer))
            }
            PlaceKind::Temporary(value) => format!("(temporary {})", self.expr(value)),
            PlaceKind::Error => "(error)".into(),
        };
        self.depth -= 1;
        text
    }

    fn expr(&mut self, id: ExprId) -> String {
        if self.depth > MAX_DEPTH {
            return "…".into();
        }
        self.depth += 1;
        let program = self.program;
        let node = &program[id];
        let ty = self.ty(node.ty);
        let text = match &node.kind {
            ExprKind::Integer(bits) => {
                let number = match program.types.integer_kind(node.ty) {
                    Some(kind) if kind.is_signed() => {
                        bits.signed(kind.width(program.types.model)).to_string()
                    }
                    _ => bits.get().to_string(),
                };
                if node.ty == TypeId::INT { number } else { format!("(`{ty}` {number})") }
            }
            ExprKind::Float(constant) => format!("(`{ty}` {})", constant.text),
            ExprKind::Load(place) => format!("(load {})", self.place(*place)),
            ExprKind::AddressOf(place) => format!("(address {})", self.place(*place)),
            ExprKind::Decay(place) => format!("(decay {})", self.place(*place)),
            ExprKind::FunctionAddress(function) => {
                format!("(function {})", program.name(program[*function].name))
            }
            ExprKind::LabelAddress(label) => format!("(label {label})"),
            ExprKind::Cast { kind, operand } => format!("({kind:?} `{ty}` {})", self.expr(*operand)),
            ExprKind::Unary { op, operand } => format!("({op:?} {})", self.expr(*operand)),
            ExprKind::Not(operand) => format!("(Not {})", self.expr(*operand)),
            ExprKind::Binary { op, lhs, rhs } => format!("({op:?} {} {})", self.expr(*lhs), self.expr(*rhs)),
            ExprKind::Compare { op, lhs, rhs } => format!("({op:?} {} {})", self.expr(*lhs), self.expr(*rhs)),
            ExprKind::PointerOffset { pointer, direction, index, scale } => format!(
                "({direction:?} {} {} {})",
                self.expr(*pointer),
                self.expr(*index),
                self.scale(*scale)
            ),
            ExprKind::PointerDifference { lhs, rhs, scale } => {
                format!("(Difference {} {} {})", self.expr(*lhs), self.expr(*rhs), self.scale(*scale))
            }
            ExprKind::Logical { op, operands } => format!("(Logical{op:?}{})", self.list(operands)),
            ExprKind::Conditional { condition, then, otherwise } => {
                format!("(if {} {} {})", self.expr(*condition), self.expr(*then), self.expr(*otherwise))
            }
            ExprKind::Comma(list) => format!("(comma{})", self.list(list)),
            ExprKind::Assign { place, value } => {
                format!("(assign {} {})", self.place(*place), self.expr(*value))
            }
            ExprKind::Modify { place, value, result } => {
                format!("(modify {result:?} {} {})", self.place(*place), self.expr(*value))
            }
            ExprKind::Old => "old".into(),
            ExprKind::Call { callee, arguments } => {
                let callee = match *callee {
                    Callee::Direct(function) => program.name(program[function].name).to_owned(),
                    Callee::Indirect(pointer) => self.expr(pointer),
                };
                format!("(call {callee}{})", self.list(arguments))
            }
            ExprKind::Builtin { builtin, arguments } => {
                format!("({builtin:?} `{ty}`{})", self.list(arguments))
            }
            ExprKind::VaArg(list) => format!("(va_arg `{ty}` {})", self.place(*list)),
            ExprKind::Statements { stmts, value } => {
                let mut text = "(statements".to_owned();
                for &stmt in stmts {
                    self.stmt(stmt, 4, &mut text);
                }
                if let Some(value) = value {
                    let _ = write!(text, " {}", self.expr(*value));
                }
                text + ")"
            }
            ExprKind::Aggregate(init) => format!("(aggregate {})", self.init(*init)),
            ExprKind::Unsupported(reason) => format!("(unsupported {reason:?})"),
            ExprKind::Error => "(error)".into(),
        };
        self.depth -= 1;
        text
    }

    fn init(&mut self, id: InitId) -> String {
        let init = &self.program[id];
        let mut text = if init.fill == Fill::Zero { "(init zero".to_owned() } else { "(init".to_owned() };
        for entry in &init.entries {
            let _ = write!(text, " (+{}", entry.offset);
            if let Some(bits) = entry.bits {
                let _ = write!(text, ":{}:{}", bits.first, bits.width);
            }
            if let Some(repeat) = entry.repeat {
                let _ = write!(text, " x{}/{}", repeat.count, repeat.stride);
            }
            match &entry.value {
                InitValue::Expr(value) => {
                    let _ = write!(text, " {}", self.expr(*value));
                }
                InitValue::Bytes(bytes) => {
                    let _ = write!(text, " \"{}\"", bytes.escape_ascii());
                }
            }
            text.push(')');
        }
        text + ")"
    }

    fn stmt(&mut self, id: StmtId, indent: usize, out: &mut String) {
        let _ = write!(out, "\n{:width$}", "", width = indent.min(40) * 2);
        if self.depth > MAX_DEPTH {
            out.push('…');
            return;
        }
        self.depth += 1;
        self.stmt_kind(id, indent, out);
        self.depth -= 1;
    }

    fn stmt_kind(&mut self, id: StmtId, indent: usize, out: &mut String) {
        let program = self.program;
        let text = match &program[id].kind {
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Declare { local, initializer } => {
                let init = initializer.map_or(String::new(), |init| format!(" {}", self.init(init)));
                format!("(local {} `{}`{init})", self.local(*local), self.ty(program[*local].ty))
            }
            StmtKind::Block(stmts) => {
                out.push_str("(block");
                stmts.iter().for_each(|&stmt| self.stmt(stmt, indent + 1, out));
                ")".into()
            }
            StmtKind::If { condition, then, otherwise } => {
                let _ = write!(out, "(if {}", self.expr(*condition));
                self.stmt(*then, indent + 1, out);
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise, indent + 1, out);
                }
                ")".into()
            }
            StmtKind::While { condition, body } => {
                let _ = write!(out, "(while {}", self.expr(*condition));
                self.stmt(*body, indent + 1, out);
                ")".into()
            }
            StmtKind::DoWhile { body, condition } => {
                out.push_str("(do");
                self.stmt(*body, indent + 1, out);
                format!(" {})", self.expr(*condition))
            }
            StmtKind::For { init, condition, step, body } => {
                out.push_str("(for");
                init.iter().for_each(|&stmt| self.stmt(stmt, indent + 2, out));
                for part in [condition, step] {
                    let text = part.map_or("()".into(), |part| self.expr(part));
                    let _ = write!(out, " {text}");
                }
                self.stmt(*body, indent + 1, out);
                ")".into()
            }
            StmtKind::Switch { value, cases, default, body } => {
                let _ = write!(out, "(switch {}", self.expr(*value));
                for case in cases {
                    let _ = write!(out, " ({:?}..{:?} {})", case.low, case.high, case.label);
                }
                if let Some(default) = default {
                    let _ = write!(out, " (default {default})");
                }
                self.stmt(*body, indent + 1, out);
                ")".into()
            }
            StmtKind::Label(label) => match program[*label].name {
                Some(name) => format!("(label {label} {})", program.name(name)),
                None => format!("(label {label})"),
            },
            StmtKind::Goto(label) => format!("(goto {label})"),
            StmtKind::GotoIndirect(target) => format!("(goto {})", self.expr(*target)),
            StmtKind::Break => "(break)".into(),
            StmtKind::Continue => "(continue)".into(),
            StmtKind::Return(None) => "(return)".into(),
            StmtKind::Return(Some(value)) => format!("(return {})", self.expr(*value)),
            StmtKind::Asm(asm) => format!("(asm {:?})", asm.template),
            StmtKind::Unsupported(reason) => format!("(unsupported {reason:?})"),
            StmtKind::Error => "(error)".into(),
        };
        out.push_str(&text);
    }
}
