//! Expressions and constants.

use super::Printer;
use crate::c::ast::*;

impl Printer<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        // Left operands are a spine of any length: print the heads on the way down, and the right
        // operands on the way up.
        let mut spine = Vec::new();
        let mut id = id;
        loop {
            match self.ast[id].kind {
                ExprKind::Binary { op, lhs, rhs } => {
                    self.text(&format!("({} ", binary(op)));
                    spine.push(rhs);
                    id = lhs;
                }
                ExprKind::Comma { lhs, rhs } => {
                    self.text("(, ");
                    spine.push(rhs);
                    id = lhs;
                }
                _ => break,
            }
        }
        self.plain_expr(id);
        for rhs in spine.into_iter().rev() {
            self.text(" ");
            self.expr(rhs);
            self.text(")");
        }
    }

    fn list(&mut self, head: &str, ids: &[ExprId]) {
        self.text("(");
        self.text(head);
        for &id in ids {
            self.text(" ");
            self.expr(id);
        }
        self.text(")");
    }

    fn plain_expr(&mut self, id: ExprId) {
        let unit = self.unit;
        match &unit.ast[id].kind {
            // Printed by the caller.
            ExprKind::Binary { .. } | ExprKind::Comma { .. } => {}
            ExprKind::Name(name) => self.text(unit.name(*name)),
            ExprKind::Integer(id) => self.integer(*id),
            ExprKind::Float(id) => {
                let literal = &unit.ast[*id];
                self.text(&literal.text);
                if literal.suffix != FloatSuffix::None {
                    self.text(&format!("{:?}", literal.suffix).to_ascii_lowercase());
                }
                self.text(if literal.is_imaginary { "i" } else { "" });
            }
            ExprKind::Char(id) => {
                let literal = &unit.ast[*id];
                self.text(prefix(literal.encoding));
                self.text("'");
                literal.units.iter().for_each(|&unit| self.unit_of_text(unit));
                self.text("'");
            }
            ExprKind::String(id) => self.string(*id),
            ExprKind::Generic { control, associations } => {
                self.text("(generic ");
                self.expr(*control);
                for association in associations {
                    self.text(" ");
                    match association.type_name {
                        Some(id) => self.type_name(id),
                        None => self.text("default"),
                    }
                    self.text(": ");
                    self.expr(association.value);
                }
                self.text(")");
            }
            ExprKind::Statement(id) => {
                self.text("(value-of");
                self.block(*id);
                self.text(")");
            }
            ExprKind::Index { base, index } => self.list("index", &[*base, *index]),
            ExprKind::Call { callee, arguments } => {
                self.text("(call ");
                self.expr(*callee);
                for &argument in arguments {
                    self.text(" ");
                    self.expr(argument);
                }
                self.text(")");
            }
            ExprKind::Member { base, access, field } => {
                self.text(match access {
                    MemberAccess::Dot => "(. ",
                    MemberAccess::Arrow => "(-> ",
                });
                self.expr(*base);
                self.text(" ");
                self.name(*field);
                self.text(")");
            }
            ExprKind::CompoundLiteral { type_name, init } => {
                self.text("(literal ");
                self.type_name(*type_name);
                self.text(" ");
                self.init(*init);
                self.text(")");
            }
            ExprKind::Unary { op, operand } => self.list(unary(*op), &[*operand]),
            ExprKind::SizeofExpr(id) => self.list("sizeof", &[*id]),
            ExprKind::SizeofType(id) => self.wrap("sizeof", |this| this.type_name(*id)),
            ExprKind::AlignofExpr(id) => self.list("alignof", &[*id]),
            ExprKind::AlignofType(Alignment::Least, id) => {
                self.wrap("alignof", |this| this.type_name(*id));
            }
            ExprKind::AlignofType(Alignment::Preferred, id) => {
                self.wrap("preferred-alignof", |this| this.type_name(*id));
            }
            ExprKind::Cast { type_name, operand } => {
                self.text("(cast ");
                self.type_name(*type_name);
                self.text(" ");
                self.expr(*operand);
                self.text(")");
            }
            ExprKind::Conditional { condition, then, otherwise } => match then {
                Some(then) => self.list("?", &[*condition, *then, *otherwise]),
                None => self.list("?:", &[*condition, *otherwise]),
            },
            ExprKind::Assign { op, lhs, rhs } => {
                let head = format!("{}=", op.map_or("", binary));
                self.list(&head, &[*lhs, *rhs]);
            }
            ExprKind::LabelAddress(label) => self.wrap("&&", |this| this.name(*label)),
            ExprKind::ConvertVector { value, type_name } => {
                self.text("(convert-vector ");
                self.expr(*value);
                self.text(" ");
                self.type_name(*type_name);
                self.text(")");
            }
            ExprKind::VaArg { list, type_name } => {
                self.text("(va-arg ");
                self.expr(*list);
                self.text(" ");
                self.type_name(*type_name);
                self.text(")");
            }
            ExprKind::Offsetof { type_name, path } => {
                self.text("(offsetof ");
                self.type_name(*type_name);
                for step in path {
                    match *step {
                        OffsetofStep::Field(name) => {
                            self.text(" ");
                            self.name(name);
                        }
                        OffsetofStep::Index(id) => {
                            self.text(" [");
                            self.expr(id);
                            self.text("]");
                        }
                    }
                }
                self.text(")");
            }
            ExprKind::TypesCompatible(one, two) => {
                self.text("(types-compatible ");
                self.type_name(*one);
                self.text(" ");
                self.type_name(*two);
                self.text(")");
            }
            ExprKind::Choose { condition, then, otherwise } => {
                self.list("choose", &[*condition, *then, *otherwise]);
            }
        }
    }

    fn integer(&mut self, id: IntegerId) {
        let literal = self.ast[id];
        let text = match literal.radix {
            Radix::Binary => format!("{:#b}", literal.value),
            Radix::Octal => format!("0{:o}", literal.value),
            Radix::Decimal => literal.value.to_string(),
            Radix::Hexadecimal => format!("{:#x}", literal.value),
        };
        self.text(&text);
        self.text(if literal.is_unsigned { "u" } else { "" });
        self.text(&"l".repeat(usize::from(literal.longs)));
        self.text(if literal.is_imaginary { "i" } else { "" });
    }

    pub(super) fn string(&mut self, id: StringId) {
        let unit = self.unit;
        let literal = &unit.ast[id];
        self.text(prefix(literal.encoding));
        self.text("\"");
        for index in 0..literal.units.len() {
            self.unit_of_text(literal.units.get(index).unwrap_or_default());
        }
        self.text("\"");
    }

    fn unit_of_text(&mut self, unit: u32) {
        match u8::try_from(unit) {
            Ok(byte @ (b'"' | b'\'' | b'\\')) => self.text(&format!("\\{}", char::from(byte))),
            Ok(byte @ 0x20..=0x7e) => self.text(char::from(byte).encode_utf8(&mut [0; 4])),
            _ => self.text(&format!("\\x{{{unit:x}}}")),
        }
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Char => "",
        Encoding::Utf8 => "u8",
        Encoding::Wide => "L",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::PreIncrement => "++_",
        UnaryOp::PreDecrement => "--_",
        UnaryOp::PostIncrement => "_++",
        UnaryOp::PostDecrement => "_--",
        UnaryOp::AddressOf => "&",
        UnaryOp::Dereference => "*",
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Real => "real",
        UnaryOp::Imag => "imag",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
