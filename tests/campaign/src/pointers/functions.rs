//! Functions of the program, and calls of them.

use super::scope::{Kind, State};
use super::{Callee, Maker, Returns, Shape};

impl Maker {
    /// Makes a function; returns its prototype.
    pub(super) fn helper(&mut self) -> String {
        let globals = self.scope.globals();
        let outer = std::mem::replace(&mut self.scope, globals);
        let name = self.fresh("@f");
        let ty = self.random.of(&["int", "int", "int", "char", "unsigned char", "long", "short"]);
        let length = self.random.between(1, 4) as usize;
        let record = self.random.below(self.records.len());
        let tag = self.records[record].tag.clone();
        let (shape, head) = match self.random.below(9) {
            0 | 1 => (Shape::Number, format!("int {name}(int c)")),
            2..=4 => (Shape::Elements { ty, length }, format!("int {name}({ty} *p, int c)")),
            5 | 6 => (Shape::Record(record), format!("int {name}({tag} *s)")),
            7 => (Shape::Value(record), format!("{tag} {name}({tag} s, int c)")),
            _ => (Shape::Pointer { ty, length }, format!("{ty} *{name}({ty} *p, int c)")),
        };
        self.returns = match &shape {
            Shape::Value(_) => Returns::Record("s".to_owned()),
            Shape::Pointer { .. } => Returns::Pointer,
            _ => Returns::Number,
        };
        self.open(&head);
        match &shape {
            Shape::Elements { ty, length } | Shape::Pointer { ty, length } => {
                let kind = Kind::Pointer { ty, length: *length, state: State::Good, is_owner: false };
                self.scope.add("p".to_owned(), kind);
            }
            Shape::Record(record) => {
                let kind = Kind::RecordPointer { record: *record, state: State::Good, is_owner: false };
                self.scope.add("s".to_owned(), kind);
            }
            Shape::Value(record) => self.scope.add("s".to_owned(), Kind::Record(*record)),
            Shape::Number | Shape::Variadic(_) => {}
        }
        if !matches!(shape, Shape::Record(_)) {
            self.scope.add("c".to_owned(), Kind::Number("int"));
        }
        self.line("int acc = 1;");
        self.scope.add("acc".to_owned(), Kind::Number("int"));
        if self.random.percent(60) {
            self.declaration();
        }
        self.budget = 1 + self.random.below(6);
        while self.budget > 0 {
            self.statement();
        }
        for variable in self.scope.owned() {
            if !self.is_risky() {
                self.line(format!("free({});", variable.name));
            }
        }
        self.last_return(&shape);
        self.close();
        self.scope = outer;
        self.callees.push(Callee { name, shape });
        format!("{head};\n")
    }

    fn last_return(&mut self, shape: &Shape) {
        match shape {
            Shape::Value(_) => self.line("return s;"),
            Shape::Pointer { ty, length } => {
                let condition = self.condition(0);
                if self.random.percent(30) {
                    self.line(format!("if ({condition}) return 0;"));
                }
                if self.is_risky() {
                    let name = self.fresh("v");
                    self.line(format!("{ty} {name}[{length}] = {{ 1 }};"));
                    // GCC returns null instead of the address of a local that it sees.
                    self.line(format!("{ty} *p_{name} = {name};"));
                    self.line(format!("return p_{name};"));
                } else {
                    self.line("return p;");
                }
            }
            _ => {
                let value = self.small(1);
                self.line(format!("return acc % 1000 + {value};"));
            }
        }
    }

    /// A `return` in the middle of a function; owned blocks are freed, unless the generator takes a
    /// risk.
    pub(super) fn early_return(&mut self) {
        for variable in self.scope.owned() {
            if !self.is_risky() {
                self.line(format!("free({});", variable.name));
            }
        }
        match self.returns.clone() {
            Returns::Number => {
                let value = self.simple();
                self.line(format!("return (int)({value}) & 255;"));
            }
            Returns::Record(name) => self.line(format!("return {name};")),
            Returns::Pointer => self.line("return 0;"),
        }
    }

    /// Adds the result of a call. Uses a separate statement, because the call may change `acc`, and
    /// C leaves unspecified whether it does so before `acc` is read.
    pub(super) fn add_result(&mut self, call: &str) {
        let result = self.fresh("t");
        self.line(format!("int {result} = {call};"));
        self.line(format!("acc += {result};"));
    }

    /// A call of a function that the program defines.
    pub(super) fn call(&mut self) {
        let Some(callee) = self.random.pick(&self.callees.clone()).cloned() else { return };
        let name = &callee.name;
        let argument = format!("(int)({}) % 50", self.simple());
        match &callee.shape {
            Shape::Number => self.add_result(&format!("{name}({argument})")),
            Shape::Variadic(types) => {
                if let Some(arguments) = self.variable_arguments(types) {
                    self.add_result(&format!("{name}({arguments})"));
                }
            }
            Shape::Elements { ty, length } => {
                if let Some(pointer) = self.pointer_to(ty, *length) {
                    self.add_result(&format!("{name}({pointer}, {argument})"));
                }
            }
            Shape::Record(record) => {
                if let Some(pointer) = self.record_pointer(*record) {
                    self.add_result(&format!("{name}({pointer})"));
                }
            }
            Shape::Value(record) => {
                let records = self.scope.matching(|kind| *kind == Kind::Record(*record));
                let Some(variable) = self.random.pick(&records).cloned() else { return };
                let tag = self.records[*record].tag.clone();
                match (self.random.percent(50), self.member(*record, ".")) {
                    (true, Some(member)) => {
                        self.line(format!("acc += (int){name}({}, {argument}){member} & 15;", variable.name));
                    }
                    _ => self.line(format!("{0} = {name}({0}, {argument});", variable.name)),
                }
                if self.random.percent(30) {
                    let copy = self.fresh("v");
                    self.line(format!("{tag} {copy} = {};", variable.name));
                    self.scope.add(copy, Kind::Record(*record));
                }
            }
            Shape::Pointer { ty, length } => {
                let Some(pointer) = self.pointer_to(ty, *length) else { return };
                let result = self.fresh("q");
                self.line(format!("{ty} *{result} = {name}({pointer}, {argument});"));
                let kind = Kind::Pointer {
                    ty: self.static_type(ty),
                    length: *length,
                    state: State::MaybeNull,
                    is_owner: false,
                };
                self.scope.add(result, kind);
            }
        }
    }

    fn static_type(&self, ty: &str) -> &'static str {
        ["int", "char", "unsigned char", "long", "short"]
            .into_iter()
            .find(|known| *known == ty)
            .unwrap_or("int")
    }

    /// A pointer to a record, as an expression.
    pub(super) fn record_pointer(&mut self, record: usize) -> Option<String> {
        if self.is_risky() {
            return Some("0".to_owned());
        }
        let candidates = self.scope.matching(|kind| match kind {
            Kind::Record(found) | Kind::Records { record: found, .. } => *found == record,
            Kind::RecordPointer { record: found, state, .. } => *found == record && *state == State::Good,
            _ => false,
        });
        let variable = self.random.pick(&candidates).cloned()?;
        Some(match variable.kind {
            Kind::Record(_) => format!("&{}", variable.name),
            Kind::Records { length, .. } => {
                let index = self.index(length);
                format!("&{}[{index}]", variable.name)
            }
            _ => variable.name,
        })
    }

    /// A call through a pointer to a function, or a table of them.
    pub(super) fn indirect_call(&mut self) {
        let numbers: Vec<Callee> =
            self.callees.iter().filter(|callee| callee.shape == Shape::Number).cloned().collect();
        let Some(one) = self.random.pick(&numbers).cloned() else { return };
        let other = self.random.pick(&numbers).cloned().unwrap_or_else(|| one.clone());
        let argument = format!("(int)({}) % 20", self.simple());
        let name = self.fresh("h");
        if self.random.percent(50) {
            let condition = self.condition(1);
            self.line(format!("int (*{name})(int) = ({condition}) ? {} : {};", one.name, other.name));
            self.add_result(&format!("{name}({argument})"));
        } else {
            let index = self.simple();
            self.line(format!("int (*{name}[2])(int) = {{ {}, &{} }};", one.name, other.name));
            self.add_result(&format!("(*{name}[({index}) & 1])({argument})"));
        }
    }
}
