//! Random statements.

use super::scope::{Kind, State};
use super::{Maker, Risk};

impl Maker {
    /// A statement of any kind.
    pub(super) fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        if self.depth > 5 {
            return self.simple_statement();
        }
        if self.risk == Risk::Initialization && self.random.percent(15) {
            return self.uninitialized();
        }
        match self.random.below(44) {
            0..=3 => self.branch(),
            4..=6 => self.counted_loop(),
            7 => self.other_loop(),
            8 => self.switch(),
            9..=11 => self.declaration(),
            12 | 13 => self.release(),
            14 => self.resize(),
            15 | 16 => self.list(),
            17 => self.inner(),
            18 | 19 => self.pointer_member(),
            20..=23 => self.call(),
            24 => self.indirect_call(),
            25 | 26 => self.string(),
            27 => self.bytes(),
            28 => self.variable_length(),
            29 | 30 => self.copy(),
            31 => self.exit(),
            32 => self.jump(),
            33 | 34 => self.move_pointer(),
            35 => self.statement_expression(),
            _ => self.simple_statement(),
        }
    }

    /// An assignment or a similar statement.
    pub(super) fn simple_statement(&mut self) {
        let (depth, is_risky) = (1 + self.random.below(2), self.is_risky());
        match self.random.below(12) {
            0..=3 => {
                let (to, value) = (self.target(), self.small(depth));
                self.line(format!("{to} = {value};"));
            }
            4 => {
                let to = self.target();
                let op = self.random.of(&["++", "--"]);
                match self.random.percent(50) {
                    true => self.line(format!("({to}){op};")),
                    false => self.line(format!("{op}{to};")),
                }
            }
            5 | 6 => {
                let (to, value) = (self.target(), self.small(depth));
                let op = self.random.of(&["+=", "-=", "|=", "^=", "&="]);
                self.line(format!("{to} {op} {value};"));
            }
            7 if is_risky => {
                let (to, value) = (self.target(), self.place());
                let op = self.random.of(&["*=", "/=", "%=", "<<=", ">>="]);
                self.line(format!("{to} {op} {value};"));
            }
            8 => {
                let floats = self.scope.matching(|kind| *kind == Kind::Float);
                let value = self.small(1);
                match self.random.pick(&floats).cloned() {
                    Some(float) => {
                        self.line(format!("{0} = {0} * 0.5 + {value};", float.name));
                        self.line(format!("acc += {} > 3.0;", float.name));
                    }
                    None => self.line(format!("acc += {value};")),
                }
            }
            9 => {
                let (mut to, from) = (self.target(), self.target());
                // The lvalue must not depend on variables that the value assigns.
                if !to.chars().all(char::is_alphanumeric) || from.contains(&to) {
                    "acc".clone_into(&mut to);
                }
                let value = self.small(0);
                self.line(format!("{to} = ({from} = {value}, {value});"));
            }
            _ => {
                let value = self.small(depth);
                self.line(format!("acc += {value};"));
            }
        }
    }

    fn statements(&mut self) {
        for _ in 0..self.random.between(1, 3) {
            self.statement();
        }
    }

    fn branch(&mut self) {
        let condition = self.condition(2);
        self.open(format!("if ({condition})"));
        self.statements();
        if self.random.percent(12) {
            self.leave();
        }
        match self.random.below(4) {
            0 | 1 => {
                self.scope.leave();
                self.depth -= 1;
                match self.random.below(3) {
                    0 => {
                        let condition = self.condition(1);
                        self.line(format!("}} else if ({condition}) {{"));
                    }
                    _ => self.line("} else {"),
                }
                self.depth += 1;
                self.scope.enter();
                self.statements();
                self.close();
            }
            _ => self.close(),
        }
    }

    /// `break`, `continue` or `return` at the end of a block.
    fn leave(&mut self) {
        match (self.loops > 0, self.random.below(3)) {
            (true, 0) => self.line("break;"),
            (true, 1) => self.line("continue;"),
            _ => self.early_return(),
        }
    }

    fn counted_loop(&mut self) {
        let (name, end) = (self.fresh("k"), self.random.between(0, 4) as usize);
        let (limit, counter) = match self.random.below(5) {
            0 => {
                let value = self.simple();
                (format!("(int)({value}) % {}", end + 1), end)
            }
            _ => (end.to_string(), end),
        };
        let head = match self.random.below(3) {
            0 => format!("for (int {name} = {limit} - 1; {name} >= 0; {name}--)"),
            1 => format!("for (unsigned char {name} = 0; {name} < {limit}; ++{name})"),
            _ => format!("for (int {name} = 0; {name} < {limit}; {name}++)"),
        };
        self.open(head);
        self.scope.add(name, Kind::Counter(counter));
        self.loops += 1;
        self.statements();
        if self.random.percent(15) {
            let condition = self.condition(1);
            let jump = self.random.of(&["break", "continue"]);
            self.line(format!("if ({condition}) {jump};"));
        }
        self.loops -= 1;
        self.close();
    }

    fn other_loop(&mut self) {
        let (name, count) = (self.fresh("w"), self.random.between(0, 3));
        self.line(format!("int {name} = {count};"));
        let is_post = self.random.percent(50);
        match is_post {
            true => self.open("do"),
            false => {
                let condition = self.condition(0);
                self.open(format!("while ({name}-- > 0 && ({condition}))"));
            }
        }
        self.loops += 1;
        self.statements();
        self.loops -= 1;
        match is_post {
            true => {
                self.scope.leave();
                self.depth -= 1;
                self.line(format!("}} while (--{name} > 0);"));
            }
            false => self.close(),
        }
    }

    fn switch(&mut self) {
        let value = self.simple();
        self.open(format!("switch ((int)({value}) & 3)"));
        let outside = std::mem::replace(&mut self.loops, 0);
        for label in ["case 0:", "case 1: case 2:", "default:"] {
            if self.random.percent(75) {
                self.line(label);
                self.open("");
                self.simple_statement();
                if self.random.percent(40) {
                    self.statement();
                }
                self.close();
                if self.random.percent(65) {
                    self.line("break;");
                }
            }
        }
        self.line(";");
        self.loops = outside;
        self.close();
    }

    /// An early `return` behind a condition.
    fn exit(&mut self) {
        let condition = self.condition(1);
        self.open(format!("if ({condition})"));
        self.early_return();
        self.close();
    }

    /// A jump forward, over statements without declarations of variable length.
    fn jump(&mut self) {
        let label = self.fresh("label");
        let condition = self.condition(1);
        self.line(format!("if ({condition}) goto {label};"));
        self.open("");
        self.simple_statement();
        self.call();
        self.simple_statement();
        self.close();
        self.line(format!("{label}:;"));
    }

    /// Assigns another value to a pointer, or moves it for the length of a loop.
    fn move_pointer(&mut self) {
        let pointers = self.scope.matching(|kind| {
            matches!(kind, Kind::Pointer { is_owner: false, state: State::Good | State::MaybeNull, .. })
        });
        let Some(variable) = self.random.pick(&pointers).cloned() else { return };
        let Kind::Pointer { ty, length, state, .. } = variable.kind else { return };
        // A global pointer may outlive its target.
        if variable.name.starts_with('@') && !self.is_risky() {
            return;
        }
        let name = variable.name;
        match self.random.below(4) {
            0 => {
                // Declarations of an inner block end with it.
                let Some(value) = self.pointer_to(ty, length) else { return };
                let old = self.fresh("q");
                self.line(format!("{ty} *{old} = {name};"));
                self.line(format!("{name} = {value};"));
                self.line(format!("if ({name}) *{name} = 6;"));
                if !self.is_risky() {
                    self.line(format!("{name} = {old};"));
                }
            }
            1 if state == State::Good => {
                let end = length + usize::from(self.is_risky());
                let (cursor, sum) = (self.fresh("q"), self.small(0));
                self.line(format!(
                    "for ({ty} *{cursor} = {name}; {cursor} < {name} + {end}; {cursor}++) *{cursor} = {sum};"
                ));
            }
            2 if state == State::Good => {
                let cursor = self.fresh("q");
                self.line(format!("{ty} *{cursor} = {name} + {length};"));
                let end = length + usize::from(self.is_risky());
                self.line(format!("for (int k = 0; k < {end}; k++) acc += (int)*--{cursor} & 15;"));
            }
            _ => {
                let cursor = self.fresh("q");
                self.line(format!("{ty} **{cursor} = &{name};"));
                self.line(format!("if (*{cursor} != 0) **{cursor} = 3;"));
            }
        }
    }

    /// GNU's statement expressions.
    fn statement_expression(&mut self) {
        let (name, value) = (self.fresh("v"), self.small(1));
        let place = self.place();
        self.line(format!("acc += ({{ int {name} = {value}; {name} > 2 ? {name} : (int)({place}) & 3; }});"));
    }
}
