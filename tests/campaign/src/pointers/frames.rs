//! Contents of the frame of a call: variable arguments, recursion, uninitialized variables.

use super::scope::Kind;
use super::{Callee, Maker, Returns, Shape};

/// The types of variable arguments, as they are after promotion.
const PASSED: &[&str] = &["int", "int", "long", "unsigned", "double", "int *"];

impl Maker {
    /// A function with a variable argument list; returns its prototype.
    pub(super) fn variadic(&mut self) -> String {
        let name = self.fresh("@f");
        let types: Vec<&'static str> =
            (0..self.random.between(1, 3)).map(|_| self.random.of(PASSED)).collect();
        let (head, reader) = (format!("int {name}(int n, ...)"), self.fresh("@f"));
        let takes = |list: &str| {
            let lines = types.iter().enumerate().map(|(index, ty)| {
                let value = format!("__builtin_va_arg({list}, {ty})");
                let value = match *ty {
                    "int *" => format!("*{value}"),
                    "double" => format!("(int)({value} * 2.0)"),
                    _ => value,
                };
                format!("if (n > {index}) acc += (int)({value}) & 63;")
            });
            lines.collect::<Vec<_>>()
        };
        let is_passed_on = self.random.percent(30);
        if is_passed_on {
            self.open(format!("int {reader}(int n, va_list from)"));
            self.line("int acc = 0;");
            for line in takes("from") {
                self.line(line);
            }
            self.line("return acc;");
            self.close();
        }
        self.open(&head);
        self.line("int acc = 0;");
        self.line("va_list list;");
        self.line("__builtin_va_start(list, n);");
        match self.random.below(3) {
            _ if is_passed_on => self.line(format!("acc += {reader}(n, list);")),
            0 => {
                self.line("va_list copy;");
                self.line("__builtin_va_copy(copy, list);");
                for line in takes("copy").into_iter().chain(takes("list")) {
                    self.line(line);
                }
                self.line("__builtin_va_end(copy);");
            }
            1 if types.iter().all(|ty| *ty == types[0]) && types[0] == "int" => {
                self.line("for (int k = 0; k < n; k++) acc += __builtin_va_arg(list, int) & 31;");
            }
            _ => {
                for line in takes("list") {
                    self.line(line);
                }
            }
        }
        self.line("__builtin_va_end(list);");
        self.line("return acc & 255;");
        self.close();
        self.callees.push(Callee { name, shape: Shape::Variadic(types) });
        format!("{head};\n")
    }

    /// The arguments after the first one for a function with a variable argument list.
    pub(super) fn variable_arguments(&mut self, types: &[&'static str]) -> Option<String> {
        let mut arguments = types.len().to_string();
        for ty in types {
            let value = match *ty {
                "int *" => self.pointer_to("int", 1)?.replace("(int *)0", "(int *)(void *)0"),
                "double" => {
                    format!("(double)(({}) & 15)", self.simple()).replace("(double)((", "(double)((int)(")
                }
                _ => format!("({ty})({})", self.simple()),
            };
            arguments.push_str(&format!(", {value}"));
        }
        Some(arguments)
    }

    /// A function that calls itself a few times; returns its prototype.
    pub(super) fn recursive(&mut self) -> String {
        let globals = self.scope.globals();
        let outer = std::mem::replace(&mut self.scope, globals);
        let name = self.fresh("@f");
        let depth = self.random.between(1, 3);
        let over = usize::from(self.is_risky());
        let (shape, head) = match self.random.below(3) {
            0 => (Shape::Number, format!("int {name}(int c)")),
            form => {
                let length = self.random.between(1, 4) as usize;
                let ty = if form == 1 { "int" } else { self.random.of(&["char", "long", "unsigned char"]) };
                (Shape::Elements { ty, length }, format!("int {name}({ty} *p, int c)"))
            }
        };
        self.returns = Returns::Number;
        self.open(&head);
        self.line("int acc = 1;");
        self.scope.add("acc".to_owned(), Kind::Number("int"));
        match &shape {
            Shape::Elements { length, .. } => {
                let end = length + over;
                self.line(format!("if (c < 0 || c >= {end}) return 0;"));
                self.line("acc += (int)p[c] & 7;");
                self.scope.add("c".to_owned(), Kind::Number("int"));
                self.simple_statement();
                // `c` may have been changed.
                let next = self.random.of(&["p, (c & 7) + 1", "p, c < 0 || c > 9 ? -1 : c + 1"]);
                self.line("acc &= 63;");
                self.add_result(&format!("{name}({next})"));
                self.line("return acc & 255;");
            }
            _ => {
                // A pointer to a variable of an outer call.
                self.line("static int *last;");
                self.line("int own = c & 7;");
                self.line(format!("if (c <= 0 || c > {depth}) return own;"));
                self.line("int *outer = last;");
                self.line("last = &own;");
                self.scope.add("own".to_owned(), Kind::Number("int"));
                self.simple_statement();
                self.line("acc &= 63;");
                self.add_result(&format!("{name}(c - 1)"));
                if !self.is_risky() {
                    self.line("last = outer;");
                }
                self.line("if (outer) *outer = 5;");
                self.line("return (acc & 63) + (own & 15);");
            }
        }
        self.close();
        self.scope = outer;
        self.callees.push(Callee { name, shape });
        format!("{head};\n")
    }

    /// A function that may write through its first parameter; returns its prototype.
    pub(super) fn setter(&mut self) -> String {
        self.open("int @set(int *p, int c)");
        self.line("if (c & 1) { *p = c; return 1; }");
        self.line("return 0;");
        self.close();
        "int @set(int *p, int c);\n".to_owned()
    }

    /// A variable that is initialized on some paths, and its use. The use is a branch, because
    /// MemorySanitizer checks branches.
    pub(super) fn uninitialized(&mut self) {
        let (name, flag) = (self.fresh("u"), self.fresh("h"));
        let is_left_out = self.random.percent(40);
        let ty = self.random.of(&["int", "int", "long", "unsigned char"]);
        let (value, condition) = (self.random.between(0, 9), self.condition(1));
        let mut ready = String::new();
        match self.random.below(6) {
            0 => {
                self.line(format!("{ty} {name};"));
                let other = if is_left_out { ";".to_owned() } else { format!("else {name} = 1;") };
                self.line(format!("if ({condition}) {name} = {value}; {other}"));
            }
            1 => {
                let end = self.random.between(0, 3);
                self.line(format!("{ty} {name};"));
                self.line(format!("int {flag};"));
                self.line(format!("for ({flag} = 0; {flag} < {end}; {flag}++) if ({condition}) {{ {name} = {flag}; break; }}"));
                if !is_left_out {
                    self.line(format!("if ({flag} >= {end}) {name} = 3;"));
                }
            }
            2 => {
                let number = self.simple();
                let other = if is_left_out { String::new() } else { format!("{name} = 4") };
                self.line(format!("{ty} {name};"));
                self.line(format!("switch ((int)({number}) & 3) {{ case 0: {name} = 1; case 1: {name} = 2; break; case 2: {name} = {value}; break; default: {other}; }}"));
            }
            3 => {
                let number = self.simple();
                self.line(format!("int {name};"));
                let call = format!("@set(&{name}, (int)({number}))");
                match is_left_out {
                    true => self.line(format!("{call};")),
                    false => self.line(format!("if (!{call}) {name} = 2;")),
                }
            }
            4 => {
                self.line(format!("{ty} {name};"));
                self.line(format!("int {flag} = ({condition}) && ({name} = {value}, 1);"));
                if !is_left_out {
                    ready = format!("{flag} && ");
                }
            }
            _ => {
                let label = self.fresh("label");
                // A pointer as a condition is compared with null: its low bits may be zero.
                self.line(format!("int {flag} = !!({condition});"));
                self.line(format!("{ty} {name};"));
                self.line(format!("if ({flag}) goto {label};"));
                self.line(format!("{name} = {value};"));
                self.line(format!("{label}:;"));
                if !is_left_out {
                    ready = format!("!{flag} && ");
                }
            }
        }
        if self.random.percent(40) {
            self.simple_statement();
        }
        match self.random.below(3) {
            0 => self.line(format!("if ({ready}{name} > 2) acc += 1; else acc += 2;")),
            1 => {
                self.line(format!("for (int k = 0; k < 2; k++) if ({ready}{name} == {value}) acc += k + 1;"));
            }
            _ => self.line(format!("if ({ready}{name} != 3) {{ {name} = 1; acc += 3; }}")),
        }
    }
}
