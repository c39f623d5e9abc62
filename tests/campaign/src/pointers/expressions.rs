//! Random expressions without side effects on variables, and assignable lvalues.

use super::Maker;
use super::scope::{Kind, State};
use super::types::FieldKind;

impl Maker {
    /// An index into an array of `length` elements: in bounds, unless the generator takes a risk.
    pub(super) fn index(&mut self, length: usize) -> String {
        if self.is_risky() {
            return match self.random.below(4) {
                0 => "-1".to_owned(),
                1 => {
                    let value = self.simple();
                    format!("(unsigned)({value}) % {}", length + 1)
                }
                2 => {
                    let value = self.simple();
                    format!("(int)({value}) % {length}")
                }
                _ => length.to_string(),
            };
        }
        let counters = self.scope.matching(|kind| matches!(kind, Kind::Counter(end) if *end <= length));
        match (self.random.below(4), self.random.pick(&counters)) {
            (0..=2, Some(counter)) => counter.name.clone(),
            (0 | 1, None) => {
                let value = self.simple();
                format!("(unsigned)({value}) % {length}")
            }
            _ => self.random.below(length).to_string(),
        }
    }

    /// A variable that is a number, or a constant.
    pub(super) fn simple(&mut self) -> String {
        let numbers = self.scope.matching(|kind| matches!(kind, Kind::Number(_) | Kind::Counter(_)));
        match self.random.percent(80) {
            true => self.random.pick(&numbers).map(|variable| variable.name.clone()),
            false => None,
        }
        .unwrap_or_else(|| self.constant())
    }

    pub(super) fn constant(&mut self) -> String {
        if self.is_risky() {
            // Compilers fold operations on constants, and drop their overflows.
            let value = self.random.of(&["2147483647", "-2147483647 - 1", "1073741824", "65536", "0", "33"]);
            return format!("input_int({value})");
        }
        self.random
            .of(&["0", "1", "2", "3", "5", "7", "12", "-1", "-4", "100", "'a'", "0x1f", "4u"])
            .to_owned()
    }

    /// An lvalue that holds a number and can be read without an error, as far as the generator
    /// knows and unless it takes a risk.
    pub(super) fn place(&mut self) -> String {
        for _ in 0..4 {
            let candidates = self.scope.matching(|kind| !matches!(kind, Kind::Float | Kind::Counter(_)));
            let Some(variable) = self.random.pick(&candidates).cloned() else { break };
            let name = variable.name;
            match variable.kind {
                Kind::Number(_) => return name,
                Kind::Array { length, .. } => {
                    let index = self.index(length);
                    return match self.random.below(8) {
                        0 => format!("*({name} + {index})"),
                        1 => format!("({index})[{name}]"),
                        _ => format!("{name}[{index}]"),
                    };
                }
                Kind::Matrix { rows, columns } => {
                    let (row, column) = (self.index(rows), self.index(columns));
                    return format!("{name}[{row}][{column}]");
                }
                Kind::Pointer { ty, length, state, .. } => {
                    if !self.may_use(state) {
                        continue;
                    }
                    let index = self.index(length);
                    return match self.random.below(8) {
                        0 | 1 => format!("*{name}"),
                        2 => format!("*({name} + {index})"),
                        3 => format!("*({ty} *)((char *){name} + ({index}) * (int)sizeof *{name})"),
                        4 => format!("(&{name}[0])[{index}]"),
                        5 => format!("(*({ty} (*)[{length}]){name})[{index}]"),
                        _ => format!("{name}[{index}]"),
                    };
                }
                Kind::Record(record) => {
                    let place = match self.random.below(5) {
                        0 => format!("(&{name})->"),
                        _ => format!("{name}."),
                    };
                    if let Some(place) = self.member(record, &place) {
                        return place;
                    }
                }
                Kind::Records { record, length } => {
                    let index = self.index(length);
                    let place = match self.random.below(4) {
                        0 => format!("({name} + {index})->"),
                        _ => format!("{name}[{index}]."),
                    };
                    if let Some(place) = self.member(record, &place) {
                        return place;
                    }
                }
                Kind::RecordPointer { record, state, .. } => {
                    if !self.may_use(state) {
                        continue;
                    }
                    let place = match self.random.below(5) {
                        0 => format!("(*{name})."),
                        _ => format!("{name}->"),
                    };
                    if let Some(place) = self.member(record, &place) {
                        return place;
                    }
                }
                Kind::Text { size, .. } => {
                    let index = self.index(size);
                    return format!("{name}[{index}]");
                }
                Kind::Float | Kind::Counter(_) => {}
            }
        }
        "acc".to_owned()
    }

    /// An lvalue that can be written. It is never a byte of a string, so strings stay terminated.
    pub(super) fn target(&mut self) -> String {
        loop {
            let place = self.place();
            let texts = self.scope.matching(|kind| matches!(kind, Kind::Text { .. }));
            if !texts.iter().any(|text| place.contains(&text.name)) {
                return place;
            }
        }
    }

    /// Whether a pointer in this state is used now.
    pub(super) fn may_use(&mut self, state: State) -> bool {
        match state {
            State::Good => true,
            State::MaybeNull | State::Bad => self.is_risky(),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let pointers = self.scope.matching(|kind| {
            matches!(
                kind,
                Kind::Pointer { state: State::Good | State::MaybeNull, .. }
                    | Kind::RecordPointer { state: State::Good | State::MaybeNull, .. }
            )
        });
        match (self.random.below(10), self.random.pick(&pointers).cloned()) {
            (0, Some(pointer)) => match self.random.below(4) {
                0 => format!("{} != 0", pointer.name),
                1 => format!("!{}", pointer.name),
                2 => pointer.name,
                _ => match pointer.kind {
                    Kind::Pointer { .. } => {
                        let value = self.simple();
                        format!("{0} && *{0} > {value}", pointer.name)
                    }
                    _ => format!("{} == 0", pointer.name),
                },
            },
            (1, _) if depth > 0 => {
                let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
                let op = self.random.of(&["&&", "||"]);
                format!("({one}) {op} ({other})")
            }
            (2, _) if depth > 0 => format!("!({})", self.condition(depth - 1)),
            (3, _) => self.simple(),
            _ => {
                let op = self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
                let (one, other) = (self.number(depth), self.simple());
                // Both operands are signed and wide, so the comparison has its mathematical
                // meaning. GCC simplifies `a + b == a` before its sanitizers check the sum, so the
                // first operand is a value of its own.
                format!("({{ long wide = {one}; wide; }}) {op} (long){other}")
            }
        }
    }

    /// An expression whose value is a number.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => self.simple(),
                _ => self.place(),
            };
        }
        let depth = depth - 1;
        match self.random.below(22) {
            0..=3 => self.place(),
            4 => self.simple(),
            5..=7 => {
                let (one, other) = (self.small(depth), self.small(depth));
                let op = self.random.of(&["+", "-", "*", "+", "-", "&", "|", "^"]);
                format!("{one} {op} {other}")
            }
            8 => {
                let (one, other) = (self.number(depth), self.place());
                let op = self.random.of(&["/", "%"]);
                match self.is_risky() {
                    true => format!("({one}) {op} ({other})"),
                    false => format!("({one}) {op} (({other}) | 8)"),
                }
            }
            9 => {
                let (one, other) = (self.small(depth), self.place());
                let op = self.random.of(&["<<", ">>"]);
                match self.is_risky() {
                    true => format!("{one} {op} ({other})"),
                    false => format!("({one} & 127) {op} (({other}) & 7)"),
                }
            }
            10 | 11 => {
                let condition = self.condition(depth);
                let (one, other) = (self.small(depth), self.small(depth));
                format!("({condition} ? {one} : {other})")
            }
            12 => {
                let condition = self.condition(depth);
                format!("!!({condition})")
            }
            13 => {
                let ty = self.integer_type();
                format!("({ty})({})", self.number(depth))
            }
            14 => {
                let place = self.place();
                let unary = self.random.of(&["-", "~", "!"]);
                format!("{unary}(int)(signed char)({place})")
            }
            15 => self.guarded(depth),
            16 => self.bytes_of(),
            17 => {
                // Compilers omit a read whose value is unused, even one that would fault.
                let numbers = self.scope.matching(|kind| matches!(kind, Kind::Number(_)));
                let one = self.random.pick(&numbers).map_or_else(|| "acc".to_owned(), |one| one.name.clone());
                format!("((void)({one}), {})", self.small(depth))
            }
            18 => {
                let value = self.small(depth);
                match self.random.below(3) {
                    0 => format!("(int)({value} * 0.5)"),
                    1 => format!("(int)((float){value} + 1.25f)"),
                    _ => format!("((double){value} < 2.5)"),
                }
            }
            19 => match self.random.below(3) {
                0 => {
                    let record = self.random.below(self.records.len());
                    format!("(int)sizeof({})", self.records[record].tag)
                }
                1 => {
                    let place = self.place();
                    format!("(int)sizeof(({place}) + 0)")
                }
                _ => {
                    let value = self.small(depth);
                    format!("(int[]){{ 1, {value}, 3 }}[1]")
                }
            },
            20 | 21 if self.is_risky() => {
                let (one, other) = (self.place(), self.place());
                match self.random.below(3) {
                    0 => format!("(int)({one}) + input_int(2147483640)"),
                    1 => format!("input_int(-2147483640) - (int)({one})"),
                    _ => format!("(int)({one}) * (int)({other})"),
                }
            }
            20 if self.is_risky() => {
                let (one, other) = (self.place(), self.simple());
                let op = self.random.of(&["<<", ">>"]);
                format!("(int)({one}) {op} (int)({other})")
            }
            _ => self.place(),
        }
    }

    /// A number of small size, in parentheses: sums and products of two do not overflow.
    pub(super) fn small(&mut self, depth: usize) -> String {
        let value = self.number(depth);
        if self.is_risky() {
            return format!("(int)({value})");
        }
        match self.random.below(3) {
            0 => format!("(int)(({value}) & 63)"),
            1 => format!("(int)(({value}) % 100)"),
            _ => format!("(signed char)({value})"),
        }
    }

    /// A use of a pointer behind a test for null.
    fn guarded(&mut self, depth: usize) -> String {
        let pointers = self
            .scope
            .matching(|kind| matches!(kind, Kind::Pointer { state: State::Good | State::MaybeNull, .. }));
        let other = self.small(depth);
        let Some(pointer) = self.random.pick(&pointers).cloned() else { return other };
        let Kind::Pointer { length, .. } = pointer.kind else { return other };
        let (name, index) = (pointer.name, self.index(length));
        match self.random.below(5) {
            0 => format!("({name} ? (int){name}[{index}] : {other})"),
            1 => format!("({name} == 0 ? {other} : (int)*{name})"),
            2 => format!("({name} && {name}[{index}] < {other})"),
            3 => format!("(!{name} || *{name} == {other})"),
            _ => format!("(int)*({name} ? {name} + {index} : &(__typeof__(*{name})){{ 4 }})"),
        }
    }

    /// A byte of an object that is a number.
    fn bytes_of(&mut self) -> String {
        let numbers = self.scope.matching(|kind| matches!(kind, Kind::Number(_)));
        let Some(variable) = self.random.pick(&numbers).cloned() else { return self.constant() };
        let Kind::Number(ty) = variable.kind else { return self.constant() };
        let size = size_of_type(ty);
        let index = self.index(size);
        match self.random.below(3) {
            0 => format!("((unsigned char *)&{})[{index}]", variable.name),
            1 => format!("*((signed char *)(void *)&{} + {index})", variable.name),
            _ => format!("*({ty} *)(unsigned long)&{}", variable.name),
        }
    }

    /// An expression whose value is a pointer to at least `length` numbers of the type.
    pub(super) fn pointer_to(&mut self, ty: &str, length: usize) -> Option<String> {
        if self.is_risky() {
            return Some(format!("({ty} *)0"));
        }
        let slack = usize::from(self.is_risky());
        let candidates = self.scope.matching(|kind| match kind {
            Kind::Number(found) => *found == ty && length <= 1,
            Kind::Array { ty: found, length: long } => *found == ty && long + slack >= length,
            Kind::Pointer { ty: found, length: long, state, .. } => {
                *found == ty && long + slack >= length && *state == State::Good
            }
            Kind::Matrix { columns, .. } => ty == "int" && columns + slack >= length,
            Kind::Record(_) | Kind::RecordPointer { state: State::Good, .. } => ty == "int",
            _ => false,
        });
        let variable = self.random.pick(&candidates).cloned()?;
        let name = variable.name;
        Some(match variable.kind {
            Kind::Number(_) => format!("&{name}"),
            Kind::Array { length: long, .. } | Kind::Pointer { length: long, .. } if long > length => {
                match self.random.below(3) {
                    0 => format!("&{name}[{}]", long - length),
                    1 => format!("{name} + {}", long - length),
                    _ => name,
                }
            }
            Kind::Matrix { rows, .. } => {
                let row = self.random.below(rows);
                format!("{name}[{row}]")
            }
            Kind::Record(record) => self.member_pointer(record, &format!("{name}."), length)?,
            Kind::RecordPointer { record, .. } => {
                self.member_pointer(record, &format!("{name}->"), length)?
            }
            _ => name,
        })
    }

    /// A pointer member of a record that may have been assigned: the generator does not track them,
    /// so only with a risk.
    fn member_pointer(&mut self, record: usize, place: &str, length: usize) -> Option<String> {
        let names = self.pointer_members(record, &FieldKind::Pointer);
        let name = self.random.pick(&names).cloned()?;
        (length <= 1 && self.is_risky()).then(|| format!("{place}{name}"))
    }
}

/// The bytes of an integer type.
pub(super) fn size_of_type(ty: &str) -> usize {
    match ty {
        "long" | "unsigned long" => 8,
        "short" | "unsigned short" => 2,
        "char" | "signed char" | "unsigned char" => 1,
        _ => 4,
    }
}
