//! Blocks of bytes, strings, variable-length arrays, copies.

use super::Maker;
use super::expressions::size_of_type;
use super::scope::{Kind, State};

impl Maker {
    /// Declares an array of `char` that holds a string.
    pub(super) fn text(&mut self, name: &str) {
        let content = self.random.of(&["", "a", "ab", "abc", "x y", "12"]);
        let size = content.len() + 1 + self.random.below(4);
        self.line(format!("char {name}[{size}] = \"{content}\";"));
        self.scope.add(name.to_owned(), Kind::Text { size, length: content.len() });
    }

    /// A call of a function of the C library over strings.
    pub(super) fn string(&mut self) {
        let texts = self.scope.matching(|kind| matches!(kind, Kind::Text { .. }));
        let (Some(one), Some(other)) = (self.random.pick(&texts).cloned(), self.random.pick(&texts).cloned())
        else {
            let name = self.fresh("v");
            return self.text(&name);
        };
        let (Kind::Text { size, length }, Kind::Text { length: long, .. }) = (one.kind, other.kind) else {
            return;
        };
        let (to, from) = (one.name, other.name);
        let is_risky = self.is_risky();
        match self.random.below(9) {
            0 => self.line(format!("acc += (int)strlen({to});")),
            1 => self.line(format!("acc += strcmp({to}, {from}) < 0;")),
            2 => self.line(format!("acc += strncmp({to}, {from}, 2) == 0;")),
            3 if to != from && (long < size || is_risky) => {
                self.line(format!("strcpy({to}, {from});"));
                self.line(format!("{to}[{}] = 0;", length.min(size - 1)));
            }
            4 if to != from && (length + long < size || is_risky) => {
                self.line(format!("strcat({to}, {from});"));
                self.line(format!("{to}[{length}] = 0;"));
            }
            5 if to != from => {
                let count = size + usize::from(is_risky) - 1;
                self.line(format!("strncpy({to}, {from}, {count});"));
                self.line(format!("{to}[{}] = 0;", length.min(size - 1)));
            }
            6 => {
                let name = self.fresh("q");
                let letter = self.random.of(&["a", "b", "1", " "]);
                self.line(format!("char *{name} = strchr({to}, '{letter}');"));
                match is_risky {
                    true => self.line(format!("acc += *{name};")),
                    false => self.line(format!("acc += {name} ? (int)({name} - {to}) : 9;")),
                }
            }
            7 => {
                let name = self.fresh("q");
                let content = self.random.of(&["", "xyz", "hello"]);
                // A literal has no red zone before it.
                let index = self.index(content.len() + 1);
                let index = if index == "-1" { "0" } else { &index };
                self.line(format!("const char *{name} = \"{content}\";"));
                self.line(format!("acc += {name}[{index}];"));
            }
            _ => {
                let name = self.fresh("q");
                self.line(format!("for (char *{name} = {to}; *{name}; {name}++) acc += *{name} & 7;"));
            }
        }
    }

    /// `memcpy`, `memmove`, `memset` and `memcmp`.
    pub(super) fn bytes(&mut self) {
        let ty = self.random.of(&["int", "char", "unsigned char", "long", "short"]);
        let length = self.random.between(1, 3) as usize;
        let (Some(to), Some(from)) = (self.pointer_to(ty, length), self.pointer_to(ty, length)) else {
            return;
        };
        let slack = usize::from(self.is_risky());
        let count = size_of_type(ty) * length + slack;
        match self.random.below(5) {
            0 | 1 => self.move_bytes(&to, &from, &count.to_string()),
            2 => {
                let value = self.simple();
                self.line(format!("memset({to}, (int)({value}) & 3, {count});"));
            }
            3 => {
                let name = self.fresh("v");
                self.line(format!("{ty} {name}[{length}];"));
                self.line(format!("memcpy({name}, {from}, {count});"));
                self.scope.add(name, Kind::Array { ty, length });
            }
            _ => self.line(format!("acc += memcmp({to}, {from}, {count}) == 0;")),
        }
    }

    /// `memmove` of `count` bytes between places that differ: from null to null, the functions of a
    /// library do nothing, and AddressSanitizer does not check null.
    fn move_bytes(&mut self, to: &str, from: &str, count: &str) {
        self.line(format!("if ({to} != {from}) memmove({to}, {from}, {count});"));
    }

    /// A variable-length array.
    pub(super) fn variable_length(&mut self) {
        let (name, end) = (self.fresh("v"), self.fresh("e"));
        let value = self.simple();
        self.open("");
        self.line(format!("int {end} = ((int)({value}) & 3) + 2;"));
        self.line(format!("int {name}[{end}];"));
        let slack = if self.is_risky() { " + 1" } else { "" };
        self.line(format!("for (int k = 0; k < {end}{slack}; k++) {name}[k] = k * 2;"));
        self.scope.add(name.clone(), Kind::Array { ty: "int", length: 2 });
        for _ in 0..self.random.between(1, 3) {
            self.simple_statement();
        }
        self.line(format!("acc += {name}[{end} - 1] + (int)(sizeof {name} / sizeof(int));"));
        self.close();
    }

    /// A structure, union or array is copied.
    pub(super) fn copy(&mut self) {
        let records = self.scope.matching(|kind| {
            matches!(
                kind,
                Kind::Record(_) | Kind::Records { .. } | Kind::RecordPointer { state: State::Good, .. }
            )
        });
        let Some(variable) = self.random.pick(&records).cloned() else { return };
        let (record, to) = match variable.kind {
            Kind::Record(record) => (record, variable.name),
            Kind::RecordPointer { record, .. } => (record, format!("*{}", variable.name)),
            Kind::Records { record, length } => {
                (record, format!("{}[{}]", variable.name, self.index(length)))
            }
            _ => return,
        };
        let Some(from) = self.record_pointer(record) else { return };
        let tag = self.records[record].tag.clone();
        // GCC drops the assignment of an object to itself, even through an invalid pointer; library
        // functions do nothing, too.
        let is_itself = to == format!("*{from}") || from == format!("&{to}");
        match self.random.below(4) {
            _ if is_itself => self.line(format!("{to} = ({tag}){{ 0 }};")),
            0 => {
                let name = self.fresh("v");
                self.line(format!("{tag} {name} = {to};"));
                self.line(format!("{to} = *({from});").replace("*(0)", &format!("*({tag} *)0")));
                self.scope.add(name, Kind::Record(record));
            }
            1 => self.line(format!("{to} = ({tag}){{ 0 }};")),
            2 => self.move_bytes(&format!("&{to}"), &from, &format!("sizeof({tag})")),
            _ => self.line(format!("{to} = *({from});").replace("*(0)", &format!("*({tag} *)0"))),
        }
    }
}
