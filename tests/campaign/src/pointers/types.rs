//! Random structures and unions.

use super::{Maker, Risk};

/// A structure or union of the program.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The spelling of the type: `struct @s1`.
    pub(super) tag: String,
    pub(super) fields: Vec<Field>,
    pub(super) is_union: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: FieldKind,
}

/// The kind of a member.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum FieldKind {
    Number,
    /// A bit-field with this number of bits.
    Bits(u32),
    Array(usize),
    /// A pointer to `int`.
    Pointer,
    /// A pointer to the record itself.
    Link,
    /// A member of another record, by its index.
    Record(usize),
}

impl Maker {
    /// Makes a structure or union and its definition.
    pub(super) fn record(&mut self) {
        // `{ 0 }` initializes only the first member of a union; on the others MemorySanitizer and
        // the tool may disagree.
        let is_union = self.random.percent(25) && self.risk == Risk::Operations;
        let tag = format!("{} {}", if is_union { "union" } else { "struct" }, self.fresh("@s"));
        let mut fields = Vec::new();
        let mut text = format!("{tag} {{");
        for _ in 0..self.random.between(2, 5) {
            let name = self.fresh("m");
            let ty = self.integer_type();
            let (kind, declaration) = match self.random.below(12) {
                0..=4 => (FieldKind::Number, format!("{ty} {name};")),
                5 | 6 => {
                    let bits = self.random.between(2, 12) as u32;
                    let ty = self.random.of(&["int", "unsigned", "signed", "unsigned"]);
                    (FieldKind::Bits(bits), format!("{ty} {name} : {bits};"))
                }
                7 | 8 => {
                    let length = self.random.between(2, 4) as usize;
                    (FieldKind::Array(length), format!("{ty} {name}[{length}];"))
                }
                9 if !is_union => (FieldKind::Pointer, format!("int *{name};")),
                10 if !is_union => (FieldKind::Link, format!("{tag} *{name};")),
                11 if !self.records.is_empty() => {
                    let record = self.random.below(self.records.len());
                    (FieldKind::Record(record), format!("{} {name};", self.records[record].tag))
                }
                _ => (FieldKind::Number, format!("{ty} {name};")),
            };
            text.push(' ');
            text.push_str(&declaration);
            fields.push(Field { name, kind });
        }
        text.push_str(" };");
        self.line(text);
        self.records.push(Record { tag, fields, is_union });
    }

    /// An lvalue of a number inside of the record `place`, which is written with `.` or `->` at its
    /// end.
    pub(super) fn member(&mut self, record: usize, place: &str) -> Option<String> {
        let fields = self.records[record].fields.clone();
        let field = self.random.pick(&fields)?;
        let path = format!("{place}{}", field.name);
        match field.kind {
            FieldKind::Number | FieldKind::Bits(_) => Some(path),
            FieldKind::Array(length) => {
                let index = self.index(length);
                Some(format!("{path}[{index}]"))
            }
            FieldKind::Record(inner) => self.member(inner, &format!("{path}.")),
            FieldKind::Pointer | FieldKind::Link => None,
        }
    }

    /// The members that are pointers to `int` or to the record itself.
    pub(super) fn pointer_members(&self, record: usize, wanted: &FieldKind) -> Vec<String> {
        let fields = self.records[record].fields.iter();
        fields.filter(|field| field.kind == *wanted).map(|field| field.name.clone()).collect()
    }
}
